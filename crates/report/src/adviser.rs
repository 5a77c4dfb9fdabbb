//! Players that advise: the move that they would have played instead, and the reason.

use lucena_chess::{Material, Move, Position, Side};
use lucena_explain::{ChosenMove, ExplainError, RejectionReason, explain, explain_strategy};
use lucena_proof::policy::{Policy, StrategyPolicy, TreePolicy};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;

/// A player for one endgame, with its name.
pub enum Adviser<'t> {
    /// A player that follows a tree.
    Tree(String, Box<TreePolicy<'t>>),
    /// A player that follows a strategy, with the table of its endgame.
    Strategy(String, Box<StrategyPolicy>, &'t Tablebase),
}

/// The move a player would have played instead, and where the played move is worse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Advice {
    /// The player.
    pub player: String,
    /// The move that it plays, in UCI.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The number of the strategy's rule that the played move missed, from 1; null for a tree, and
    /// if no rule applied.
    pub rule: Option<usize>,
    /// That rule in a sentence.
    pub says: Option<String>,
    /// The reason why the played move is worse, in sentences.
    pub because: String,
}

impl Adviser<'_> {
    /// The endgame it plays.
    pub fn material(&self) -> Material {
        match self {
            Self::Tree(_, policy) => Policy::material(&**policy),
            Self::Strategy(_, policy, _) => Policy::material(&**policy),
        }
    }

    /// The move that it would have played instead of a move of the strong side. `None` if it would
    /// play the same move, or does not play this position.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn advise(&self, position: &Position, mv: Move) -> Result<Option<Advice>, ExplainError> {
        if position.material() != self.material() || position.turn() == Side::Weak {
            return Ok(None);
        }
        Ok(match self {
            Self::Tree(name, policy) => {
                let told = explain(policy, name, position, &[mv])?;
                let because = told.instead.first().and_then(|played| told.because(played));
                because.map(|because| Advice::new(told.chosen, None, None, because))
            }
            Self::Strategy(name, policy, tablebase) => {
                let told = explain_strategy(policy, name, tablebase, position, &[mv])?;
                let [played] = told.instead.as_slice() else { return Ok(None) };
                if matches!(played.behind, RejectionReason::SameMove | RejectionReason::Tied) {
                    return Ok(None);
                }
                let (san, other) = (&told.chosen.worth.san, &played.worth.san);
                let rule = told.rule.map(|rule| rule - 1);
                let mut because = played.behind.because(other, other, san, rule, policy);
                if let Some(key) = &played.key {
                    let (chosen, instead) = (&key.sentence, &key.sentence_instead);
                    because += &format!(" After {san}, {chosen}; after {other}, {instead}.");
                }
                Some(Advice::new(told.chosen, told.rule, told.says, because))
            }
        })
    }
}

impl Advice {
    fn new(chosen: ChosenMove, rule: Option<usize>, says: Option<String>, because: String) -> Self {
        let ChosenMove { player, worth, .. } = chosen;
        Self { player, uci: worth.mv.to_string(), san: worth.san, rule, says, because }
    }
}
