//! What rules without exceptions say of a position whose table is not at hand.

use lucena_chess::{Game, Position, Side};
use lucena_explain::KnownRule;
use lucena_rules::Claim;
use lucena_tablebase::Category;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// What rules without exceptions say of a position and of its moves, without a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesMoveReport {
    /// The position, as a FEN.
    pub fen: String,
    /// The endgame, such as KRPvKR.
    pub material: String,
    /// The rule that decides the position; null if none does by itself.
    pub known_rule: Option<KnownRule>,
    /// The moves that lead to what the mover wants, each by a rule: the strong side wins, or the weak side does not lose.
    pub moves: Vec<RuleMove>,
}

/// A move that leads to a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleMove {
    /// The move in UCI.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The rule that decides the position after it.
    pub known_rule: KnownRule,
}

/// The most moves that the text lists.
const LISTED: usize = 8;

/// What rules say of a position and its moves; `None` if they say nothing.
pub fn explain_by_rules(game: &Game) -> Option<RulesMoveReport> {
    let position = game.position().ok()?;
    let known_rule = KnownRule::of(&position, Category::Unknown);
    let moves: Vec<RuleMove> = RuleMove::all(&position);
    let is_known = known_rule.is_some() || !moves.is_empty();
    let (fen, material) = (game.to_string(), position.material().to_string());
    is_known.then_some(RulesMoveReport { fen, material, known_rule, moves })
}

impl RuleMove {
    fn all(position: &Position) -> Vec<Self> {
        let wanted = match position.turn() {
            Side::Strong => Claim::Win,
            Side::Weak => Claim::Draw,
        };
        let decided = position.moves().into_iter().filter_map(|mv| {
            let after = position.play(mv).ok()?;
            let rule = KnownRule::of(&after, Category::Unknown)?;
            let keeps = after.material() == position.material() && rule.claim == wanted;
            let san = position.san(mv).ok()?;
            keeps.then(|| Self { uci: mv.to_string(), san, known_rule: rule })
        });
        decided.collect()
    }
}

impl RulesMoveReport {
    /// Writes the report in sentences, below the board.
    pub fn write_text(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, known_rule, moves, .. } = self;
        if let Ok(position) = game.position() {
            writeln!(out, "{position:#}\n\n{material}, {:?} to move", position.color_to_move())?;
        }
        known_rule.iter().try_for_each(|rule| writeln!(out, "{}", rule.sentence))?;
        if !moves.is_empty() {
            writeln!(out, "\nMoves that keep it by a rule:")?;
        }
        for RuleMove { san, known_rule, .. } in moves.iter().take(LISTED) {
            writeln!(out, "  {}", known_rule.after_move(san))?;
        }
        if moves.len() > LISTED {
            writeln!(out, "  and {} more", moves.len() - LISTED)?;
        }
        writeln!(
            out,
            "\nThis is known without the table of {material}. The distance to mate and all moves need it: solve {material}, then ask again with its --tables."
        )
    }
}
