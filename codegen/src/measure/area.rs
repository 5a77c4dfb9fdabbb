//! Sums over areas around the weak king, as text of the small language.

use crate::strategy::man::Man;

/// The areas: the beginning of the name, and the call that fills the list `area` with its squares.
const AREAS: [(&str, &str); 5] = [
    ("kRoom", "fill(board, without(board, WEAK_KING), 64, area)"),
    ("kCage", "fill(board, without(without(board, WEAK_KING), STRONG_KING), 64, area)"),
    ("kReach2", "fill(board, without(board, WEAK_KING), 2, area)"),
    ("kReach3", "fill(board, without(board, WEAK_KING), 3, area)"),
    ("kRace", "fill_race(board, area)"),
];

/// A sum over an area: the call that lists its squares, and what each square adds.
pub(super) struct AreaSource {
    name: String,
    area: &'static str,
    /// The distance of the square `at`.
    distance: String,
    /// What is added, `far` being the distance.
    added: &'static str,
}

impl AreaSource {
    /// The sum with a name; `None` if there is none for some men.
    pub(super) fn of(name: &str, men: &[Man]) -> Option<Self> {
        AREAS.iter().find_map(|(start, area)| {
            let of = name.strip_prefix(start)?;
            let added = if of == "CornerSquare" { "far * far" } else { "far" };
            Some(Self { name: name.into(), area, distance: distance(of, men)?, added })
        })
    }

    /// The text of its function.
    pub(super) fn text(&self, meaning: &str) -> String {
        let Self { name, area, distance, added } = self;
        let added = if *added == "far" {
            format!("sum = sum + ({distance});")
        } else {
            format!("let far = {distance};\nsum = sum + {added};")
        };
        let meaning = meaning.replace(['\n', '\r'], " ");
        format!(
            "/// {meaning}.\nfn {name}(board: Board) -> int {{\nvar area = [0; 64];\nlet count = {area};\nvar sum = 0;\nfor at in 0..count {{\n{added}\n}}\nreturn sum;\n}}\n"
        )
    }
}

/// The distance of the square `area[at]`, by the end of the sum's name.
fn distance(name: &str, men: &[Man]) -> Option<String> {
    let strong = |kind: char| -> Vec<&str> {
        let men = men.iter().filter(|man| man.is_strong && man.kind == kind);
        men.map(|man| man.constant.as_str()).collect()
    };
    // The mating corners are those of a single bishop's colour, if the strong side has nothing else but knights.
    let others = "QRP".chars().any(|kind| !strong(kind).is_empty());
    let bishop = match strong('B').as_slice() {
        &[bishop] if !others => Some(bishop),
        _ => None,
    };
    let corner_sum = match bishop {
        Some(bishop) => format!("corner_way(area[at], color_of(board[{bishop}]))"),
        None => "to_edge(area[at] % 8) + to_edge(area[at] / 8)".into(),
    };
    let nearest =
        |of: Vec<String>| of.into_iter().reduce(|one, other| format!("least({one}, {other})"));
    match name {
        "CornerSum" | "CornerSquare" => Some(corner_sum),
        "CornerSteps" => Some(match bishop {
            Some(bishop) => format!("colored_corner_steps(area[at], color_of(board[{bishop}]))"),
            None => "corner_steps(area[at])".into(),
        }),
        "EdgeSteps" => Some("edge_steps(area[at])".into()),
        "CornerEdgeSum" => Some(format!("{corner_sum} + edge_steps(area[at])")),
        "PromotionSteps" => nearest(
            strong('P')
                .iter()
                .map(|pawn| format!("steps(area[at], promotion_square(board[{pawn}]))"))
                .collect(),
        ),
        "KnightSteps" => nearest(
            strong('N')
                .iter()
                .map(|knight| format!("knight_steps(area[at], board[{knight}])"))
                .collect(),
        ),
        _ => None,
    }
}
