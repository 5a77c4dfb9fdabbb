//! Areas around the weak king, as text of the small language: their squares, counted or with distances added up.

use crate::strategy::chess::applies_to;
use crate::strategy::man::Man;

/// The areas: the beginning of the name, and the set of squares, in which `$open` are those that no weak man takes up.
const AREAS: [(&str, &str); 5] = [
    ("kRoom", "reached(bit(board[WEAK_KING]), $open & ~attacked(board))"),
    (
        "kCage",
        "reached(bit(board[WEAK_KING]), $open & ~guarded(board, ~men(board) | bit(board[STRONG_KING])))",
    ),
    ("kReach2", "reached_within(bit(board[WEAK_KING]), $open & ~attacked(board), 2)"),
    ("kReach3", "reached_within(bit(board[WEAK_KING]), $open & ~attacked(board), 3)"),
    (
        "kRace",
        "reached_first(bit(board[WEAK_KING]), $open & ~guarded(board, ~men(board)), bit(board[STRONG_KING]))",
    ),
];

/// A number of an area: its squares but that of the king, or the sum of what each square adds.
pub(super) struct AreaSource {
    name: String,
    area: String,
    /// The distance of the square `at`; `None` if the squares are counted.
    distance: Option<String>,
    is_squared: bool,
    /// The definition of `color`, if the distance needs it.
    color: String,
}

impl AreaSource {
    /// The number with a name; `None` if there is none for some men.
    pub(super) fn of(name: &str, men: &[Man]) -> Option<Self> {
        let full = if name == "kEscapes" { "kReach2" } else { name };
        AREAS.iter().find_map(|(start, area)| {
            let of = full.strip_prefix(start)?;
            let distance = if of.is_empty() { None } else { Some(distance(of, men)?) };
            let area = match applies_to(men, "captures") {
                true => area.replace("$open", "~weak_men(board)"),
                false => area.replace("$open & ", ""),
            };
            let has_color = distance.as_ref().is_some_and(|text| text.contains("color"));
            let bishop = lone_bishop(men).filter(|_| has_color);
            let color = bishop.map(|bishop| format!("let color = color_of(board[{bishop}]);\n"));
            Some(Self {
                name: name.into(),
                area,
                distance,
                is_squared: of == "CornerSquare",
                color: color.unwrap_or_default(),
            })
        })
    }

    /// The text of its function.
    pub(super) fn text(&self) -> String {
        let Self { name, area, distance, is_squared, color } = self;
        let (added, less) = match distance {
            None => ("sum = sum + number(has(area, at));".into(), " - 1"),
            Some(distance) if *is_squared => (
                format!("let far = number(has(area, at)) * ({distance}); sum = sum + far * far;"),
                "",
            ),
            Some(distance) => (format!("if has(area, at) {{ sum = sum + ({distance}); }}"), ""),
        };
        format!(
            "fn {name}(board: Board) -> int {{\nlet area = {area};\nvar sum = 0;\n{color}for at in 0..64 {{\n{added}\n}}\nreturn sum{less};\n}}\n"
        )
    }
}

/// The bishop whose colour is that of the mating corners: the only one, if the strong side has nothing else
/// but knights.
fn lone_bishop(men: &[Man]) -> Option<&str> {
    let mut pieces = men.iter().filter(|man| man.is_strong && man.kind != 'K' && man.kind != 'N');
    match (pieces.next(), pieces.next()) {
        (Some(man), None) if man.kind == 'B' => Some(&man.constant),
        _ => None,
    }
}

/// The distance of the square `at`, by the end of the sum's name.
fn distance(name: &str, men: &[Man]) -> Option<String> {
    let strong = |kind: char| -> Vec<&str> {
        let men = men.iter().filter(|man| man.is_strong && man.kind == kind);
        men.map(|man| man.constant.as_str()).collect()
    };
    let bishop = lone_bishop(men);
    let corner_sum = match bishop {
        Some(_) => "corner_way(at, color)".into(),
        None => "to_edge(at % 8) + to_edge(at / 8)".into(),
    };
    let nearest =
        |of: Vec<String>| of.into_iter().reduce(|one, other| format!("least({one}, {other})"));
    match name {
        "CornerSum" | "CornerSquare" => Some(corner_sum),
        "CornerSteps" => Some(match bishop {
            Some(_) => "colored_corner_steps(at, color)".into(),
            None => "corner_steps(at)".into(),
        }),
        "EdgeSteps" => Some("edge_steps(at)".into()),
        "CornerEdgeSum" => Some(format!("{corner_sum} + edge_steps(at)")),
        "PromotionSteps" => nearest(
            strong('P')
                .iter()
                .map(|pawn| format!("steps(at, promotion_square(board[{pawn}]))"))
                .collect(),
        ),
        "KnightSteps" => nearest(
            strong('N').iter().map(|knight| format!("knight_steps(at, board[{knight}])")).collect(),
        ),
        _ => None,
    }
}
