//! Players that advise: the move that they would have played instead, and the reason.

use super::explain_strategy::because;
use super::explain_tree::{NOT_SEEN, TURNED};
use lucena_chess::{IllegalMove, Material, Move, Position, Side};
use lucena_explain::{
    self as explain, ExplainError, Explanation, RejectionReason, StrategyAlternative,
    StrategyExplanation, ViewDifference,
};
use lucena_proof::policy::{Policy, StrategyPolicy, TreePolicy};
use lucena_strategy::Sentences;
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
        match self {
            Self::Tree(name, policy) => {
                Ok(Advice::by_tree(name, &explain::explain(policy, position, &[mv])?)?)
            }
            Self::Strategy(name, policy, tablebase) => {
                let explanation = explain::explain_strategy(policy, tablebase, position, &[mv])?;
                Ok(Advice::by_strategy(name, &explanation, policy)?)
            }
        }
    }
}

impl Advice {
    fn by_tree(name: &str, explanation: &Explanation) -> Result<Option<Self>, IllegalMove> {
        let Explanation { position, chosen, instead, .. } = explanation;
        let [played] = instead.as_slice() else { return Ok(None) };
        if played.is_tie {
            return Ok(None);
        }
        let (uci, san) = (chosen.weighed.mv.to_string(), position.san(chosen.weighed.mv)?);
        let because = match &played.difference {
            ViewDifference::SameMove => return Ok(None),
            ViewDifference::Test { chosen, instead, holds_for_both } => {
                let turned = if *holds_for_both { format!(" {TURNED}") } else { String::new() };
                let (chosen, instead) = (&chosen.sentence, &instead.sentence);
                let played = position.san(played.candidate.weighed.mv)?;
                format!("After {san}, {chosen}; after {played}, {instead}.{turned}")
            }
            ViewDifference::NotSeen | ViewDifference::Nothing => NOT_SEEN.into(),
        };
        Ok(Some(Self { player: name.into(), uci, san, rule: None, says: None, because }))
    }

    fn by_strategy(
        name: &str,
        explanation: &StrategyExplanation,
        policy: &StrategyPolicy,
    ) -> Result<Option<Self>, IllegalMove> {
        let StrategyExplanation { position, chosen, ruling, instead, .. } = explanation;
        let [StrategyAlternative { weighed, behind, .. }] = instead.as_slice() else {
            return Ok(None);
        };
        if matches!(behind, RejectionReason::SameMove | RejectionReason::Tied) {
            return Ok(None);
        }
        let (san, played) = (position.san(chosen.mv)?, position.san(weighed.mv)?);
        let mut because = because(behind, &played, &played, &san, ruling.rule(), policy);
        if let RejectionReason::Key { chosen, instead, .. } = behind {
            let (chosen, instead) = (&chosen.sentence, &instead.sentence);
            because += &format!(" After {san}, {chosen}; after {played}, {instead}.");
        }
        let (player, uci) = (name.into(), chosen.mv.to_string());
        let says = ruling.rule().map(|rule| Sentences::new(policy).rule(rule));
        let rule = ruling.rule().map(|rule| rule + 1);
        Ok(Some(Self { player, uci, san, rule, says, because }))
    }
}
