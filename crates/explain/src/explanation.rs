//! The explanation of the move of any policy that goes by a model.

use super::error::ExplainError;
use super::measure::{MeasureExplanation, explain_measure, measure_reason};
use super::move_value::{ChosenMove, check_player};
use super::reasons::Reasons;
use super::strategy::{StrategyExplanation, explain_strategy, strategy_reason};
use super::table::{TableExplanation, explain_table};
use super::tree::{TreeExplanation, explain_tree, tree_reason};
use lucena_chess::{Move, Position};
use lucena_proof::policy::{PlayedModel, Policy, PolicyGrounds};
use lucena_tablebase::{MoveVerdicts, Tablebase};
use serde::Serialize;

/// An explained move, with the figures of its kind of model.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Explanation {
    /// The move of a tree.
    Tree(Box<TreeExplanation>),
    /// The move of a strategy.
    Strategy(Box<StrategyExplanation>),
    /// The move of a measure.
    Measure(Box<MeasureExplanation>),
    /// The move of a table.
    Table(Box<TableExplanation>),
}

/// Explains the move of a policy, as that of a player named for people, and compares other moves with it. The table
/// explains the moves of the side that the policy does not play. The verdicts on the moves tell whether the
/// fifty-move rule comes before the mate.
///
/// # Errors
/// If the policy goes neither by a model that can be read nor by a table, the position or the table is of another endgame
/// than the policy's, the game is over, or a move is not legal.
pub fn explain(
    policy: &dyn Policy,
    player: &str,
    tablebase: &Tablebase,
    verdicts: &MoveVerdicts,
    instead: &[Move],
) -> Result<Explanation, ExplainError> {
    let position = verdicts.position();
    let by_table = |played: Option<Move>| {
        let explanation = explain_table(tablebase, verdicts, played, instead)?;
        Ok(Explanation::Table(Box::new(explanation)))
    };
    check_player(policy.material(), position)?;
    if policy.model().is_none() && policy.grounds(position) == PolicyGrounds::Table {
        return by_table(policy.choose(position));
    }
    if position.turn() != policy.side() {
        return by_table(None);
    }
    Ok(match policy.model() {
        Some(PlayedModel::Tree(policy)) => {
            Explanation::Tree(Box::new(explain_tree(policy, player, verdicts, instead)?))
        }
        Some(PlayedModel::Strategy(policy)) => {
            let told = explain_strategy(policy, player, tablebase, verdicts, instead)?;
            Explanation::Strategy(Box::new(told))
        }
        Some(PlayedModel::Measure(policy)) => {
            let told = explain_measure(policy, player, tablebase, verdicts, instead)?;
            Explanation::Measure(Box::new(told))
        }
        Some(PlayedModel::Generated(_)) | None => {
            return Err(ExplainError::NoModel(player.to_owned()));
        }
    })
}

/// The reason for the choice of a policy in a sentence, for notes beside a move. `grounds` are those of the choice;
/// `None` if the policy goes by no model that can be read, or does not play the side to move.
///
/// # Errors
/// If the move is not legal, or a tree's table is of another endgame.
pub fn reason(
    policy: &dyn Policy,
    grounds: &PolicyGrounds,
    position: &Position,
    mv: Move,
) -> Result<Option<String>, ExplainError> {
    if position.turn() != policy.side() {
        return Ok(None);
    }
    Ok(match (policy.model(), grounds) {
        (Some(PlayedModel::Tree(policy)), _) => Some(tree_reason(policy, position, mv)?),
        (Some(PlayedModel::Strategy(policy)), _) => Some(strategy_reason(policy, position, mv)?),
        (Some(PlayedModel::Measure(policy)), PolicyGrounds::Measure { forced, .. }) => {
            Some(measure_reason(policy, position, mv, *forced)?)
        }
        _ => None,
    })
}

impl Explanation {
    /// The move that is played, among all others.
    pub fn chosen(&self) -> &ChosenMove {
        match self {
            Self::Tree(told) => &told.chosen,
            Self::Strategy(told) => &told.chosen,
            Self::Measure(told) => &told.chosen,
            Self::Table(told) => &told.chosen,
        }
    }

    /// The reasons in the form that all players share.
    ///
    /// # Errors
    /// If the table can no longer be read.
    pub fn reasons(&self, tablebase: &Tablebase) -> Result<Reasons, ExplainError> {
        match self {
            Self::Tree(told) => told.reasons(tablebase),
            Self::Strategy(told) => told.reasons(tablebase),
            Self::Measure(told) => told.reasons(tablebase),
            Self::Table(told) => told.reasons(tablebase),
        }
    }
}
