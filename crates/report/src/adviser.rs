//! Players that say which move they would have played instead, and why.

use super::explain::{Explained, Parting, TURNED, explain};
use super::explain_strategy::{StrategyExplained, explain_strategy};
use lucena_chess::{Material, Move, Position, Side};
use lucena_explain::ExplainError;
use lucena_proof::policy::{Policy, StrategyPolicy, TreePolicy};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;

/// A player for one endgame that follows a tree or a strategy.
pub struct Adviser<'t> {
    name: String,
    goes_by: GoesBy<'t>,
}

enum GoesBy<'t> {
    Tree(Box<TreePolicy<'t>>),
    Strategy(Box<StrategyPolicy>, &'t Tablebase),
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

impl<'t> Adviser<'t> {
    /// A player that follows a tree.
    pub fn of_tree(name: impl Into<String>, policy: TreePolicy<'t>) -> Self {
        Self { name: name.into(), goes_by: GoesBy::Tree(Box::new(policy)) }
    }

    /// A player that follows a strategy, with the table of its endgame.
    pub fn of_strategy(
        name: impl Into<String>,
        policy: StrategyPolicy,
        tablebase: &'t Tablebase,
    ) -> Self {
        Self { name: name.into(), goes_by: GoesBy::Strategy(Box::new(policy), tablebase) }
    }

    /// The endgame it plays.
    pub fn material(&self) -> Material {
        match &self.goes_by {
            GoesBy::Tree(policy) => Policy::material(&**policy),
            GoesBy::Strategy(policy, _) => Policy::material(&**policy),
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
        match &self.goes_by {
            GoesBy::Tree(policy) => {
                Ok(of_tree(&explain(policy, self.name.clone(), position, &[mv])?))
            }
            GoesBy::Strategy(policy, tablebase) => {
                let name = self.name.clone();
                Ok(of_strategy(&explain_strategy(policy, name, tablebase, position, &[mv])?))
            }
        }
    }
}

fn of_tree(explained: &Explained) -> Option<Advice> {
    let [played] = explained.instead.as_slice() else { return None };
    let (chosen, worth) = (&explained.chosen.worth, &played.worth);
    if chosen.uci == worth.uci || played.tie {
        return None;
    }
    let because = match &played.tells_apart {
        Some(parting) => {
            let Parting { sentence, sentence_instead, holds_for_both, .. } = parting;
            let turned = if *holds_for_both { format!(" {TURNED}") } else { String::new() };
            let (chosen, played) = (&chosen.san, &worth.san);
            format!("After {chosen}, {sentence}; after {played}, {sentence_instead}.{turned}")
        }
        None => "One of the two leads to another endgame, where the tree is not asked.".into(),
    };
    Some(Advice {
        player: explained.chosen.player.clone(),
        uci: chosen.uci.clone(),
        san: chosen.san.clone(),
        rule: None,
        says: None,
        because,
    })
}

fn of_strategy(explained: &StrategyExplained) -> Option<Advice> {
    let [played] = explained.instead.as_slice() else { return None };
    if played.because.is_empty() || played.behind == "tied" {
        return None;
    }
    let (chosen, worth) = (&explained.chosen.worth, &played.worth);
    let behind = match played.because.strip_prefix("It ") {
        Some(rest) => format!("{} {rest}", worth.san),
        None => played.because.clone(),
    };
    let because = match &played.key {
        Some(key) => format!(
            "{behind} After {}, {}; after {}, {}.",
            chosen.san, key.sentence, worth.san, key.sentence_instead
        ),
        None => behind,
    };
    Some(Advice {
        player: explained.chosen.player.clone(),
        uci: chosen.uci.clone(),
        san: chosen.san.clone(),
        rule: explained.rule,
        says: explained.says.clone(),
        because,
    })
}
