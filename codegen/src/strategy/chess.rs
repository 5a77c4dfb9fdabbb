//! The chess of a material, as text of the small language: constants and rules.

use super::man::Man;
use lucena_model::{SQUARES, role_word};

/// The rules for all materials.
const RULES: &str = include_str!("chess.txt");

/// The kinds of men. A pawn promotes to one of the first four, in this order.
const KINDS: [char; 6] = ['Q', 'R', 'B', 'N', 'P', 'K'];

/// The greatest number of squares to which a man can move.
const MOST_TARGETS: usize = 27;

/// The constants and rules for some men.
pub(crate) fn text(men: &[Man], helpers: &str) -> String {
    let names = |name: fn(&Man) -> String| men.iter().map(name).collect::<Vec<_>>().join(", ");
    let sides = names(|man| if man.is_strong { "STRONG" } else { "WEAK" }.into());
    let kinds = names(|man| kind_constant(man.kind));
    let mut text = String::from("const OFF = 64;\nconst NONE = 4096;\n");
    text += "const CORNERS = [0, 7, 56, 63];\n";
    for (number, kind) in KINDS.into_iter().enumerate() {
        text += &constant(&kind_constant(kind), number);
    }
    text += "const STRONG = 0;\nconst WEAK = 1;\n";
    for (number, man) in men.iter().enumerate() {
        text += &constant(&man.constant, number);
    }
    let strong = men.iter().filter(|man| man.is_strong).count();
    let most = strong.max(men.len() - strong);
    if let Some(twins) = twins(men) {
        for (name, twin) in ["FIRST_TWIN", "SECOND_TWIN"].into_iter().zip(twins) {
            text += &constant(name, twin);
        }
    }
    if let Some(man) = mating_man(men) {
        text += &constant("MATING_MAN", man);
    }
    text += &constant("MEN", men.len());
    text += &constant("MOST_MOVES", 8 + MOST_TARGETS * (most - 1));
    text += &format!("const SIDE = [{sides}];\nconst KIND = [{kinds}];\n");
    text += &for_men(men, &(with_squares(RULES) + &with_squares(helpers)));
    // Without pawns the kind of a man never changes.
    let has_pawn = men.iter().any(|man| man.kind == 'P');
    if has_pawn { text } else { text.replace("if kind ==", "if KIND[man] ==") }
}

/// The text with the functions of the squares that it names: a line `use files, ranks` becomes these two.
/// Lines of ordinary comments (`//`) are dropped.
fn with_squares(text: &str) -> String {
    let function = |name: &str| {
        let start = format!("pub fn {}(", name.trim());
        let lines = SQUARES.lines().skip_while(|line| !line.starts_with(&start));
        let end = lines.clone().position(|line| line == "}").expect("a function of squares.rs");
        let line = |line: &str| format!("{}\n", line.trim_start_matches("pub "));
        lines.take(end + 1).map(line).collect::<String>()
    };
    let line = |line: &str| match line.strip_prefix("use ") {
        Some(names) => names.split(',').map(function).collect::<String>(),
        None if line.starts_with("// ") => String::new(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The numbers of two equal men, if any; their squares are kept in order.
fn twins(men: &[Man]) -> Option<[usize; 2]> {
    let first = men.iter().position(|man| man.letters.ends_with('1'))?;
    let second = men.iter().position(|man| man.letters.ends_with('2'))?;
    Some([first, second])
}

/// The number of the weak side's man, if it can mate with it.
fn mating_man(men: &[Man]) -> Option<usize> {
    men.iter().position(|man| !man.is_strong && "QR".contains(man.kind))
}

fn constant(name: &str, value: usize) -> String {
    format!("const {name} = {value};\n")
}

/// The constant for a kind of men.
pub(crate) fn kind_constant(kind: char) -> String {
    role_word(kind).to_uppercase()
}

/// The lines that apply to some men: those without a mark, and those whose mark applies.
pub(crate) fn for_men(men: &[Man], text: &str) -> String {
    kept_lines(text, |mark| applies_to(men, mark))
}

/// Returns true if lines with a mark apply to some men.
///
/// # Panics
/// If there is no such mark.
pub(crate) fn applies_to(men: &[Man], mark: &str) -> bool {
    if let Some(mark) = mark.strip_prefix('!') {
        return !applies_to(men, mark);
    }
    let has = |kind: char| men.iter().any(|man| man.kind == kind);
    let has_pawn = has('P');
    let weak_has_more = men.iter().filter(|man| !man.is_strong).count() > 1;
    match mark {
        "pawn" => has_pawn,
        "departs" => has_pawn || weak_has_more,
        "captures" => !has_pawn && weak_has_more,
        "twins" => twins(men).is_some(),
        "mates" => mating_man(men).is_some(),
        "queen" => has('Q') || has_pawn,
        "rook" => has('R') || has_pawn,
        "bishop" => has('B') || has_pawn,
        "knight" => has('N') || has_pawn,
        "slides" => has_pawn || "QRB".chars().any(has),
        other => panic!("there is no mark @{other}"),
    }
}

/// The lines without a mark, and those whose marks all apply.
pub(crate) fn kept_lines(text: &str, is_for: impl Fn(&str) -> bool) -> String {
    let kept = text.lines().filter_map(|mut line| {
        while let Some((mark, rest)) = line.strip_prefix('@').and_then(|line| line.split_once(' '))
        {
            if !is_for(mark) {
                return None;
            }
            line = rest;
        }
        Some(line)
    });
    kept.flat_map(|line| [line, "\n"]).collect()
}
