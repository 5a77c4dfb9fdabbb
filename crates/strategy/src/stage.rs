//! Stages: an endgame is won phase by phase, the last phase first.
//!
//! A stage is a condition that all its moves fulfil, such as a small room for the weak king. Its positions are those
//! from which such moves alone win against every reply. Each stage is searched by itself: it has fewer positions and
//! shorter ways to win. The stage before it need only reach it.

use super::annealing::{FirstRules, search_from};
use super::move_rows::{MoveRows, PositionId};
use super::move_table::{BeforeRules, MoveTable};
use super::objective::Limits;
use super::predecessors::Predecessors;
use super::rules_over;
use lucena_base::progress::Stopped;
use lucena_mine::{Acceptance, Annealing};
use lucena_model::{Condition, MoveCondition, StrategyRule};

/// The size up to which the rules of a stage may grow at little cost.
const STAGE_SIZE: usize = 30;

/// Returns rules to start from: the rules found for each stage, the last phase first, then those for the
/// rest. Each rule of a stage has the stage's condition in its guard. If no winning rules are found for a
/// stage, the best ones so far are used.
///
/// The budget is shared evenly among the stages and the rest.
pub(super) fn by_stages(
    table: &MoveTable,
    stages: &[Condition],
    search: Annealing<'_>,
) -> Result<Vec<StrategyRule>, Stopped> {
    let mut won = WonByStages::new(table);
    let wanted = Limits { size: Some(STAGE_SIZE), ..Limits::default() };
    let share = search.settings().budget.part(stages.len() as u32 + 1);
    let mut all = Vec::new();
    for condition in stages.iter().copied().map(Some).chain([None]) {
        let stage = won.stage(condition);
        search.observer().check()?;
        if stage.is_empty() {
            continue;
        }
        let nothing = FirstRules { rules: None, parameter: ("from", None) };
        let found = search_from(&stage, wanted, &nothing, search.with_budget(share), |_| {
            Ok::<_, Stopped>(Acceptance::Accepted)
        })?;
        let best = found.model.or(found.draft).expect("a search without a winner has a draft");
        let rules =
            rules_over(table.attributes(), &best).expect("a stage has the attributes of its table");
        for mut rule in rules {
            rule.guard.extend(condition.map(MoveCondition::After));
            rule.guard.sort_unstable();
            all.push(rule);
        }
    }
    Ok(all)
}

/// The positions that the stages so far win.
struct WonByStages<'g> {
    table: &'g MoveTable,
    predecessors: Predecessors,
    is_won: Vec<bool>,
    /// By position: true if the rules of some stage so far are used there.
    is_reached: Vec<bool>,
}

impl<'g> WonByStages<'g> {
    fn new(table: &'g MoveTable) -> Self {
        Self {
            table,
            predecessors: Predecessors::new(table),
            is_won: table.given.iter().map(|given| matches!(given, BeforeRules::Won(_))).collect(),
            is_reached: vec![false; table.len()],
        }
    }

    /// Returns the next stage: the new positions that are won by moves that fulfil a condition.
    fn stage(&mut self, condition: Option<Condition>) -> MoveTable {
        let table = self.table;
        let fulfils = |at: PositionId, mv: usize| {
            condition.is_none_or(|condition| {
                (condition.low..=condition.high).contains(&table.tile(at, condition.attribute)[mv])
            })
        };
        let is_new = |at: PositionId| !self.is_won[at as usize] && !self.is_reached[at as usize];
        let moves = self.moves_to_win(|at, mv| is_new(at) && fulfils(at, mv));
        let stage = table.stage(&moves, condition, fulfils);
        for at in 0..table.len() as PositionId {
            let safe = table.safe(at).iter().enumerate();
            let mut fulfilling = safe.filter(|&(mv, safe)| *safe != 0 && fulfils(at, mv));
            self.is_reached[at as usize] |= fulfilling.next().is_some();
            self.is_won[at as usize] = moves[at as usize].is_some();
        }
        stage
    }

    /// Returns by position the number of allowed moves to a win or to a position already won, against every reply;
    /// `None` if there is no such win.
    fn moves_to_win(&self, is_allowed: impl Fn(PositionId, usize) -> bool) -> Vec<Option<u16>> {
        self.predecessors.moves_to_win(self.table, |at| self.is_won[at as usize], is_allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lucena_attributes::AttributeSet;
    use lucena_base::progress::NoObserver;
    use lucena_tablebase::Tablebase;

    /// King and rook against king. The first attribute is the weak king's distance from the edge.
    fn table() -> MoveTable {
        let tablebase = Tablebase::solve("KRvK".parse().unwrap());
        let names = ["kEdgeSteps", "KkSteps"];
        let attributes = AttributeSet::named(tablebase.material(), names).unwrap();
        MoveTable::new(&tablebase, &attributes, &NoObserver).unwrap()
    }

    #[test]
    fn a_stage_of_all_moves_takes_as_many_as_the_table_says() {
        let table = table();
        let won = WonByStages::new(&table);
        let moves = won.moves_to_win(|_, _| true);
        let optimum: Vec<_> = table.optimum.iter().copied().map(Some).collect();
        assert_eq!(moves, optimum);
    }

    #[test]
    fn a_stage_ends_where_an_earlier_one_begins() {
        let table = table();
        let mut won = WonByStages::new(&table);
        let [near, far] = [0, 1].map(|high| Condition { attribute: 0, low: 0, high });
        let (last, before) = (won.stage(Some(near)), won.stage(Some(far)));
        let rest = won.stage(None);
        // No position is in two stages. Some are in none: a rule of a stage is used there and cannot win.
        let all = last.len() + before.len() + rest.len();
        assert!(!last.is_empty() && !before.is_empty() && all < table.len());
        for stage in [&last, &before] {
            let high = stage.stage.unwrap().high;
            for at in 0..stage.len() as PositionId {
                let moves = stage.safe(at).iter().zip(stage.tile(at, 0));
                assert!(moves.filter(|(safe, _)| **safe != 0).all(|(_, &value)| value <= high));
            }
        }
        // It takes no longer to reach what is won than to mate.
        let mean = |stage: &MoveTable| {
            stage.optimum.iter().map(|&moves| f64::from(moves)).sum::<f64>() / stage.len() as f64
        };
        assert!(mean(&before) < mean(&table));
    }
}
