//! Source code for a model of any kind.

use crate::{EmitError, Language, measure, strategy, tree};
use lucena_model::ModelRef;

/// The source code of a model. It is self-contained: that of a tree or a strategy maps squares to a move, and that of
/// a measure maps squares to the best moves. The same model gives the same text on every machine.
///
/// # Squares
///
/// The strong side is White and is to move. Squares are numbered a1, b1, ... h8 from 0. The men are
/// given in order: the strong king, the weak king, then the others as the material is written, with
/// equal men from a1 on. The result for an illegal position is undefined.
///
/// # Trees
///
/// The code of a tree classifies, as [`emit_tree`](crate::emit_tree) says; the functions have the default size. It
/// also has the entry of a strategy, and a function from squares to the values of the attributes, with the weak side to
/// move:
///
/// | language | the attributes of a tree of KRvK |
/// |---|---|
/// | Rust | `pub fn attributes(squares: [u8; 3]) -> Attributes` |
/// | C | `void krvk_attributes(const int squares[3], int values[24])` |
/// | Python | `attributes(squares)`, which returns a list |
/// | JavaScript | `export function attributes(squares)`, which returns an array |
///
/// The move of the best class is played, and among equals the first in the order of a strategy's moves on the canonical
/// board. A move to another endgame, which the tree does not classify, comes right after mate if it wins as in the first
/// step of a strategy, and counts as a draw otherwise.
///
/// If an attribute has no source code, or the classes do not rank moves, the code classifies alone, and its head says
/// why.
///
/// # Strategies
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
/// ```
/// use lucena_codegen::{Language, emit};
/// use lucena_model::{Aim, Column, Key, Origin, Strategy, StrategyRule};
///
/// let sides = Column::new("RBoxSides", 2, 16, "files and ranks of the rook's box");
/// let least = Key { attribute: 0, aim: Aim::Least };
/// let rule = StrategyRule { guard: vec![], keys: vec![least] };
/// let strategy = Strategy::new(Origin::new("KRvK"), vec![sides], vec![rule])?;
///
/// let c = emit(&strategy, Language::C)?;
/// assert!(c.contains("int krvk_move(const int squares[3], int *from, int *to, int *promotion)"));
/// assert!(c.lines().count() < 200);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Measures
///
/// | language | the entry of KRvK |
/// |---|---|
/// | Rust | `pub fn choose(squares: [u8; 3], table: &mut Table, moves: &mut [Move; MOST_MOVES]) -> (usize, usize)` |
/// | C | `int krvk_moves(const int squares[3], Move moves[MOST_MOVES], int *score)` |
/// | Python | `choose(squares)`, which returns `([(from, to, promotion), ...], score)` |
/// | JavaScript | `export function choose(squares)`, which returns `[[[from, to, promotion], ...], score]` |
///
/// The moves are all that are equally good. The score tells what they force:
///
/// | score | meaning |
/// |---|---|
/// | 0 | a capture or promotion wins at once |
/// | 1 to 63 | mate in so many moves |
/// | from 64 | the value, within `score % 64` moves; the head of the file says how to read it |
/// | `HELD` | it can force no value, but can hold the draw against a queen or a rook; where no move is safe, the moves listed hold it |
/// | `LOST` | it can force neither |
/// | `UNSAFE` | no move is safe or is known to hold a draw that could be lost, and all legal moves are listed |
///
/// The search is exact. What it finds is kept in a table, in which every position of the endgame has a place, so
/// later calls are faster. In Rust it belongs to the caller, and begins as zeros; in the other languages it is one
/// for the whole program, so two threads of C must not search at once. It grows as
/// it is filled: its addresses are up to 168 MB, in Rust 336 MB.
///
/// ```
/// use lucena_codegen::{Language, emit};
/// use lucena_model::{Contribution, Horizon, Measure, Origin, QuantityColumn, Term};
///
/// let horizon = Horizon { look: 3, ..Horizon::default() };
/// let room = QuantityColumn { name: "kRoom".into(), low: 0, high: 63, meaning: "squares".into() };
/// let term = Term { quantity: room, contribution: Contribution::Weight(1) };
/// let measure = Measure::new(Origin::new("KRvK"), horizon, vec![term])?;
///
/// let c = emit(&measure, Language::C)?;
/// assert!(c.contains("int krvk_moves(const int squares[3], Move moves[MOST_MOVES], int *score)"));
/// assert!(c.lines().count() <= 130);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the endgame of a strategy or measure, or one of its attributes or quantities, has no source code.
pub fn emit<'m>(model: impl Into<ModelRef<'m>>, language: Language) -> Result<String, EmitError> {
    match model.into() {
        ModelRef::Tree(tree) => Ok(tree::emit(tree, language)),
        ModelRef::Strategy(strategy) => strategy::emit(strategy, language),
        ModelRef::Measure(measure) => measure::emit(measure, language),
    }
}
