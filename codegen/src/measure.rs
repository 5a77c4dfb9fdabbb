//! Source code for measures.
//!
//! The search is written once, in the small language in which the chess of strategies is written. Where the
//! weak side has nothing but its king, all chess is sets of squares; other endgames take that of strategies.

mod area;

use crate::EmitError;
use crate::language::Language;
use crate::language::ast::Program;
use crate::strategy;
use crate::strategy::attributes::{self, source};
use crate::strategy::chess::{self, applies_to, for_men, kept_lines};
use crate::strategy::entry::about;
use crate::strategy::man::{self, Man};
use crate::strategy::parse::parse;
use crate::writer::filled;
use area::AreaSource;
use lucena_model::{Contribution, Goal, Horizon, Measure, ModelKind, Term};

const KIND: ModelKind = ModelKind::Measure;

/// The source code of a measure: see [`emit`](crate::emit()).
pub(crate) fn emit(measure: &Measure, language: Language) -> Result<String, EmitError> {
    let material = &measure.origin().material;
    let men = strategy::men(material).ok_or_else(|| EmitError::material(KIND, material))?;
    let value = ValueSource::of(measure, &men)
        .map_err(|column| EmitError::column(KIND, column, material))?;
    let text = chess::text(&men, attributes::HELPERS)
        + &squares(&men)
        + &value.text
        + &search(measure, &value, &men);
    // The entry uses these, and the kind of a pawn if there is one.
    let roots = ["list_moves", "score_of", "is_tied", "MOST_MOVES", "ROOT", "PAWN", "PLACES"];
    let has_pawn = men.iter().any(|man| man.kind == 'P');
    // Rust leaves the table to the caller.
    let unused = |root: &&str| match *root {
        "PAWN" => !has_pawn,
        "PLACES" => language != Language::Rust,
        _ => false,
    };
    let roots: Vec<&str> = roots.into_iter().filter(|root| !unused(root)).collect();
    let program = parse(&text, &[]).needed_by(&roots);
    let head = head(measure, &value, &men);
    let [before, entry] = &around(language, &program, measure, &men);
    Ok(language.file(&head, before, &program, entry))
}

/// The functions of sets of squares, for some men.
fn squares(men: &[Man]) -> String {
    let joined = |sets: Vec<String>| if sets.is_empty() { "0x0".into() } else { sets.join(" | ") };
    // The weak king is the second man.
    let all = (0..men.len()).filter(|man| *man != 1).map(|man| format!("bit(board[{man}])"));
    let all = joined(all.collect());
    let strong = || men.iter().enumerate().skip(2).filter(|(_, man)| man.is_strong);
    let guarded = strong().map(|(man, _)| format!("targets(board, {man}, empty)"));
    let targets = strong().map(|(_, man)| {
        let attacks = match man.kind {
            'Q' => "diagonals(home, empty) | straights(home, empty)",
            'R' => "straights(home, empty)",
            'B' => "diagonals(home, empty)",
            'N' => "jumps(home)",
            _ => "east(home) << 8 | west(home) << 8",
        };
        format!("    if man == {} {{ return {attacks}; }}\n", man.constant)
    });
    let slides = strong().any(|(_, man)| "QRB".contains(man.kind));
    // Compilers warn of a parameter without use.
    let unused = if slides { "" } else { "    if is_empty(empty) { return home; }\n" };
    let targets = unused.to_owned() + &targets.collect::<String>();
    let values =
        [("$all", all.as_str()), ("$targets", &targets), ("$guarded", &joined(guarded.collect()))];
    filled(&for_men(men, without_heading(include_str!("measure/squares.txt"))), values)
}

/// The value of a measure as text of the small language, which has no negative numbers.
struct ValueSource {
    text: String,
    /// The amount by which the emitted value is greater than that of the measure.
    more: i64,
    /// The greatest emitted value.
    high: i64,
}

impl ValueSource {
    /// Writes the function for the value.
    ///
    /// # Errors
    /// The name of the first quantity that cannot be emitted.
    fn of(measure: &Measure, men: &[Man]) -> Result<Self, String> {
        let (mut lists, mut functions, mut lines) = (String::new(), String::new(), String::new());
        let mut names = Vec::new();
        // The emitted value begins at 1, because what is below is mate.
        let (mut base, mut more, mut high) = (1, 1, 1);
        for (number, Term { quantity, contribution }) in measure.terms().iter().enumerate() {
            let name = &quantity.name;
            let value = if let Some(area) = AreaSource::of(name, men) {
                functions += &area.text();
                format!("{name}(board)")
            } else {
                beside(name, men).or_else(|| source(name, men)).ok_or_else(|| name.clone())?
            };
            names.push(name.as_str());
            let (first, last) = (i64::from(quantity.low), i64::from(quantity.high));
            match contribution {
                Contribution::Weight(weight) => {
                    let times = match weight.unsigned_abs() {
                        1 => String::new(),
                        times => format!("{times} * "),
                    };
                    let sign = if *weight > 0 { '+' } else { '-' };
                    lines += &format!("sum = sum {sign} {times}({value});\n");
                    let weight = i64::from(*weight);
                    let negative = (-weight).max(0) * last;
                    (base, more) = (base + negative, more + negative);
                    high += negative + (weight * first).max(weight * last);
                }
                Contribution::Table(numbers) => {
                    let least = numbers.iter().copied().min().unwrap_or(0);
                    let shifted =
                        numbers.iter().map(|number| i64::from(*number) - i64::from(least));
                    more -= i64::from(least);
                    high += shifted.clone().max().unwrap_or(0);
                    let shifted: Vec<String> = shifted.map(|number| number.to_string()).collect();
                    lists += &format!("const TERM_{} = [{}];\n", number + 1, shifted.join(", "));
                    let place = if first == 0 { value } else { format!("{value} - {first}") };
                    lines += &format!("sum = sum + TERM_{}[{place}];\n", number + 1);
                }
            }
        }
        let names = names.join(", ");
        let text = format!(
            "{lists}{functions}/// The value after a move, plus {more}: {names}.\nfn value(board: Board) -> int {{\nvar sum = {base};\n{lines}return sum;\n}}\n"
        );
        Ok(Self { text, more, high })
    }
}

/// The value of `KBeside`, which is about certain men.
fn beside(name: &str, men: &[Man]) -> Option<String> {
    let counts = |man: &&Man| man.is_strong && !matches!(man.kind, 'K' | 'N');
    let is_beside =
        |man: &Man| format!("has(next_to(bit(board[STRONG_KING])), board[{}])", man.constant);
    let men: Vec<String> = men.iter().filter(counts).map(is_beside).collect();
    (name == "KBeside" && !men.is_empty()).then(|| format!("number({})", men.join(" || ")))
}

/// The number of entries in the table: all placements with either side to move, the board being turned so that
/// the weak king stands on one of ten squares, or of half the board if there are pawns.
fn places(men: &[Man], goal: Goal) -> usize {
    let kings = if men.iter().any(|man| man.kind == 'P') { 32 } else { 10 };
    // The first move and the reply to it have entries of their own if the first move is no goal.
    let sides = if goal == Goal::LaterMove { 4 } else { 2 };
    (sides * kings) << (6 * (men.len() - 1))
}

/// The constants and functions of the search.
fn search(measure: &Measure, value: &ValueSource, men: &[Man]) -> String {
    let Horizon { look, goal, secure } = measure.horizon();
    let held = 64 * (value.high + 1);
    // No score lies between these and the others.
    let lost = if applies_to(men, "mates") { held + 64 } else { held };
    let has_pawn = men.iter().any(|man| man.kind == 'P');
    // A promotion adds up to four times 256 to a step.
    let steps = if has_pawn { "1280" } else { "64 * MEN" };
    let constants = format!(
        "const MATE = 0;\nconst HELD = {held};\nconst LOST = {lost};\nconst UNSAFE = {};\nconst LOOK = {};\nconst SECURE = {};\nconst PLACES = {};\nconst ROOT = {};\nconst LEAST = 1;\nconst MOST = 2;\nconst AHEAD = 3;\n",
        lost + 1,
        look,
        secure,
        places(men, goal),
        if goal == Goal::LaterMove { 2 } else { 0 },
    );
    let is_for = |mark: &str| match mark {
        "secure" => secure > 0,
        "any" => goal == Goal::AnyMove,
        "later" => goal == Goal::LaterMove,
        mark => applies_to(men, mark),
    };
    let text = kept_lines(without_heading(include_str!("measure/search.txt")), is_for);
    constants + &text.replace("STEPS", steps)
}

/// A text of the small language without its first line, which is about the text.
fn without_heading(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, text)| text)
}

/// The text that stands before the program, and the text that stands after it.
fn around(language: Language, program: &Program, measure: &Measure, men: &[Man]) -> [String; 2] {
    let (material, goal) = (&measure.origin().material, measure.horizon().goal);
    let [types, sets, entry] = match language {
        Language::Rust => [
            "type Board = [usize; $board];\n",
            include_str!("measure/sets/rust.txt"),
            include_str!("measure/entry/rust.txt"),
        ],
        Language::C => [
            include_str!("measure/entry/types.txt"),
            include_str!("measure/sets/c.txt"),
            include_str!("measure/entry/c.txt"),
        ],
        Language::Python => {
            ["", include_str!("measure/sets/python.txt"), include_str!("measure/entry/python.txt")]
        }
        Language::JavaScript => [
            "",
            include_str!("measure/sets/javascript.txt"),
            include_str!("measure/entry/javascript.txt"),
        ],
    };
    // Only what is used, since compilers warn of the rest.
    let sets = kept_lines(sets, |function| program.calls(function));
    let numbers = 4 * places(men, goal);
    let table = match language {
        Language::Rust => String::new(),
        Language::C => format!("static int table[{numbers}];\n"),
        // Python would fill all of a long list with zeros.
        Language::Python => "class Table(dict):\n    def __missing__(self, at):\n        return 0\n\ntable = Table()\n".into(),
        Language::JavaScript => format!("const table = new Int32Array({numbers});\n"),
    };
    let sets = if program.calls("bit") { sets } else { String::new() };
    about([&(types.to_owned() + &sets + &table), entry], material, men)
}

/// The head of the file, by paragraph.
fn head(measure: &Measure, value: &ValueSource, men: &[Man]) -> [String; 4] {
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let names = man::names(men);
    let material = &measure.origin().material;
    let terms = plural(measure.terms().len(), "term");
    let look = plural(usize::from(measure.horizon().look), "move");
    let more = value.more;
    [
        format!(
            "A measure of {material}: {terms}, looking {look} ahead. A score from 64 on is 64 times (the value plus {more}) plus the moves until then; a lower one is the moves until mate, 0 if a move wins at once."
        ),
        format!("sha256 of the measure: {}", measure.sha256()),
        format!("White moves. Squares (a1 = 0, b1 = 1, h8 = 63): {names}."),
        "Generated by lucena-codegen: change the measure, not this file.".into(),
    ]
}
