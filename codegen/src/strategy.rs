//! Source code for strategies.
//!
//! The chess is written once, in a small language of numbers, boards and loops. Rust, C, Python and
//! JavaScript are printed from it, with only those parts of the chess that a strategy needs.

mod ahead;
pub(crate) mod attributes;
pub(crate) mod chess;
pub(crate) mod entry;
pub(crate) mod man;
pub(crate) mod parse;
mod rules;

use crate::language::Language;
use lucena_model::Strategy;
use man::Man;
use rules::UsedAttribute;

/// The error for a strategy that cannot be emitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmitStrategyError {
    /// A rule uses an attribute without an expression in the small language.
    #[error(
        "the attribute {name} has no source for {material} yet: give it a line in codegen/src/strategy/sources.txt, or mine without it"
    )]
    Attribute {
        /// The attribute.
        name: String,
        /// The material.
        material: String,
    },
    /// The emitted chess does not support the endgame.
    #[error(
        "there is no source for strategies of {0:?} yet: take an endgame of at most four men in which only the strong side has a pawn, and at most one"
    )]
    Material(String),
}

/// The source code of a strategy. It is self-contained: squares in, move out.
///
/// The strong side is White and is to move. Squares are numbered a1, b1, ... h8 from 0. The men are
/// given in order: the strong king, the weak king, then the others as the material is written, with
/// equal men from a1 on. The result for an illegal position is undefined.
///
/// | language | the entry of KRvK |
/// |---|---|
/// | Rust | `pub fn choose(squares: [u8; 3]) -> Option<(u8, u8, Option<char>)>` |
/// | C | `int krvk_move(const int squares[3], int *from, int *to, int *promotion)` |
/// | Python | `choose(squares)`, which returns `(from, to, promotion)` or `None` |
/// | JavaScript | `export function choose(squares)`, which returns `[from, to, promotion]` or `null` |
///
/// The move is chosen as follows. Moves are considered in this order: the king's first, then man by man
/// as the material is written, each from a1 to h8, a pawn promoting to queen, rook, bishop or knight.
///
/// 1. The first capture or promotion that leaves a queen, or else the first that leaves a rook, is
///    played at once, if the weak side is left with a bare king that is not stalemated and cannot
///    take a man.
/// 2. Otherwise the rules select among the safe moves, which take and promote nothing, and after which
///    the weak side is not stalemated and cannot take a man. The first of the tied is played, and the
///    first safe move if no rule is about any.
/// 3. Where no move is safe, the first that holds the draw is played, if the weak side has a queen or a rook
///    and there is one; otherwise the first legal move.
///
/// The same strategy gives the same text on every machine.
///
/// ```
/// use lucena_codegen::{Language, emit_strategy};
/// use lucena_model::{Aim, Column, Key, Origin, Strategy, StrategyRule};
///
/// let sides = Column::new("RBoxSides", 2, 16, "files and ranks of the rook's box");
/// let least = Key { attribute: 0, aim: Aim::Least };
/// let rule = StrategyRule { guard: vec![], keys: vec![least] };
/// let strategy = Strategy::new(Origin::new("KRvK"), vec![sides], vec![rule])?;
///
/// let c = emit_strategy(&strategy, Language::C)?;
/// assert!(c.contains("int krvk_move(const int squares[3], int *from, int *to, int *promotion)"));
/// assert!(c.lines().count() < 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the endgame, or an attribute of a rule, is not supported.
pub fn emit_strategy(strategy: &Strategy, language: Language) -> Result<String, EmitStrategyError> {
    let material = &strategy.origin().material;
    let men = man::men(material).filter(|men| is_supported(men));
    let men = men.ok_or_else(|| EmitStrategyError::Material(material.clone()))?;
    let (asked, rules) = rules::text(strategy, &men)
        .map_err(|name| EmitStrategyError::Attribute { name, material: material.clone() })?;
    let mut text = chess::text(&men, attributes::HELPERS) + &rules;
    for (function, name) in asked.iter().filter_map(UsedAttribute::alias) {
        text = renamed(&text, function, name);
    }
    let mut program = parse::parse(&text);
    for function in &mut program.functions {
        if let Some(asked) = asked.iter().find(|asked| asked.name == function.name) {
            function.comment = vec![asked.says.clone()];
        }
    }
    // The entry uses these, and the kind of a pawn if there is one.
    let roots = ["choice", "NONE", "PAWN"];
    let has_pawn = men.iter().any(|man| man.kind == 'P');
    let program = program.needed_by(if has_pawn { &roots } else { &roots[..2] });
    let head = head(strategy, &men);
    let [before, entry] = &entry::around(language, material, &men);
    Ok(language.file(&head, before, &program, entry))
}

/// Renames a function in a text.
fn renamed(text: &str, old: &str, new: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let called = format!("{old}(");
    let (mut renamed, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(&called) {
        let is_whole = !rest[..at].ends_with(is_word);
        renamed += &rest[..at];
        renamed += if is_whole { new } else { old };
        rest = &rest[at + old.len()..];
    }
    renamed + rest
}

/// The greatest number of men supported.
const MOST_MEN: usize = 4;

/// Returns true if there is emitted chess for some men.
pub(crate) fn is_supported(men: &[Man]) -> bool {
    let pawns =
        |is_strong| men.iter().filter(|man| man.kind == 'P' && man.is_strong == is_strong).count();
    let strong = men.iter().filter(|man| man.is_strong).count();
    (3..=MOST_MEN).contains(&men.len()) && strong > 1 && pawns(false) == 0 && pawns(true) < 2
}

/// The head of the file, by paragraph.
fn head(strategy: &Strategy, men: &[Man]) -> [String; 4] {
    let plural = |count: usize, word: &str| match count {
        1 => format!("1 {word}"),
        _ => format!("{count} {word}s"),
    };
    let names = men.iter().map(|man| man.words.as_str()).collect::<Vec<_>>().join(", ");
    let material = &strategy.origin().material;
    let rules = plural(strategy.rules().len(), "rule");
    let size = plural(strategy.size(), "condition and key");
    let size = size.replace("condition and", "conditions and");
    [
        format!(
            "A strategy of {material} that chooses the moves of the strong side: {rules}, {size}."
        ),
        format!("sha256 of the strategy: {}", strategy.sha256()),
        format!("White is to move. Squares, a1 = 0, b1 = 1, ... h8 = 63, of: {names}."),
        "Generated by lucena-codegen: change the strategy, not this file.".into(),
    ]
}
