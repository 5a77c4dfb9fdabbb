//! Players that can be asked what they would have played, and why.

use super::explain::{Explained, Parting, TURNED, explain};
use super::explain_strategy::{StrategyExplained, explain_strategy};
use lucena_chess::{Material, Move, Position, Side};
use lucena_explain::ExplainError;
use lucena_proof::policy::{Policy, StrategyPolicy, TreePolicy};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;

/// A player for one endgame that goes by a tree or a strategy.
pub struct Adviser<'t> {
    name: String,
    goes_by: GoesBy<'t>,
}

enum GoesBy<'t> {
    Tree(Box<TreePolicy<'t>>),
    Strategy(Box<StrategyPolicy>, &'t Tablebase),
}

/// What a player would have played in place of a move, and where the move falls behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Advice {
    /// The player.
    pub player: String,
    /// The move that it plays, in UCI.
    #[serde(rename = "move")]
    pub uci: String,
    /// The same in standard algebraic notation.
    pub san: String,
    /// The number of its strategy's rule that was missed, from 1; null for a tree, and where no rule was
    /// used.
    pub rule: Option<usize>,
    /// That rule in a sentence.
    pub says: Option<String>,
    /// Where the move that was played falls behind, in sentences.
    pub because: String,
}

impl<'t> Adviser<'t> {
    /// A player that goes by a tree.
    pub fn of_tree(name: impl Into<String>, policy: TreePolicy<'t>) -> Self {
        Self { name: name.into(), goes_by: GoesBy::Tree(Box::new(policy)) }
    }

    /// A player that goes by a strategy, with the table of its endgame.
    pub fn of_strategy(
        name: impl Into<String>,
        policy: StrategyPolicy,
        tablebase: &'t Tablebase,
    ) -> Self {
        Self { name: name.into(), goes_by: GoesBy::Strategy(Box::new(policy), tablebase) }
    }

    /// The endgame that it plays.
    pub fn material(&self) -> Material {
        match &self.goes_by {
            GoesBy::Tree(policy) => Policy::material(&**policy),
            GoesBy::Strategy(policy, _) => Policy::material(&**policy),
        }
    }

    /// What it would have played in place of a move of the strong side. Nothing where it would play the
    /// move too, or has no say.
    ///
    /// # Errors
    /// When the move is not legal.
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
