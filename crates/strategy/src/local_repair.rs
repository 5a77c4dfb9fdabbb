//! Local repair: removes the last failures, one after the other.
//!
//! Small random changes stall once few positions fail, because hardly any random guard fits. So one failing
//! position is taken, and all guards of two conditions that a good move fulfils there are examined. The best
//! guard leaves only good moves in the most failing positions, and bad moves in the fewest others. It becomes
//! a new rule in front of the one that fails.

use super::move_rows::{MAX_MOVES, MoveRows, MoveSet, PositionId};
use super::move_table::{BeforeRules, MoveTable};
use super::mutation::{GOOD, Vocabulary};
use super::play::Play;
use super::selection::{decide, empty_row, fulfilling};
use lucena_model::{Change, Condition, Key, MoveCondition, StrategyRule};
use rand::Rng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

/// The sample on which guards are tried first: failing positions, and others.
const FAILING: usize = 192;
const OTHERS: usize = 1_344;

/// The number of guards that are then tried on all positions, and how many of these as rules.
const ON_ALL: usize = 48;
const AS_RULES: usize = 8;

/// The number of guards that get a third condition.
const WIDENED: usize = 16;

/// The number of positions that may fail through a guard and weigh as much as one that it repairs.
const HARM: f64 = 4.0;

/// The number of attempts to find a guard at a position.
const ATTEMPTS: u8 = 6;

/// The criterion for good moves. It changes from one round to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Round {
    /// Moves that lose little.
    Quick,
    /// Moves after which the current rules win, whatever the reply.
    Saving,
    /// The criterion of `Saving`, at all positions from which play leads to a failure.
    Before,
}

const ROUNDS: [Round; 3] = [Round::Quick, Round::Saving, Round::Before];

/// The moves of a position, one bit each.
type Moves = u128;

const _: () = assert!(MAX_MOVES <= Moves::BITS as usize);

/// Rules that fail in some positions, and the state of their repair.
pub(super) struct LocalRepair<'g> {
    table: &'g MoveTable,
    play: Play<&'g MoveTable>,
    rules: Vec<StrategyRule>,
    /// By position: the number of unsuccessful searches for a guard since the last patch.
    in_vain: Vec<u8>,
    /// The index of the current round.
    round: usize,
    /// By position: true if play leads from there to where the rules fail. Computed on demand.
    lost: Option<Vec<bool>>,
    pub(super) candidates: u64,
}

/// A guard and its merit.
#[derive(Debug, Clone, PartialEq)]
struct ScoredGuard {
    merit: f64,
    conditions: Vec<MoveCondition>,
}

/// A condition, evaluated on the sample.
struct EvaluatedCondition {
    condition: MoveCondition,
    /// By position: the moves that fulfil it.
    moves: Vec<Moves>,
}

/// The positions on which guards are tried first, the failing ones before the others.
struct Sample {
    positions: Vec<PositionId>,
    failing: usize,
    /// By position: the moves that are good enough.
    good: Vec<Moves>,
    /// The weight of a failing position, and of one of the others.
    weights: (f64, f64),
}

impl<'g> LocalRepair<'g> {
    pub(super) fn new(table: &'g MoveTable, rules: &[StrategyRule]) -> Self {
        Self {
            table,
            play: Play::new(table, rules),
            rules: rules.to_vec(),
            in_vain: vec![0; table.len()],
            round: 0,
            lost: None,
            candidates: 0,
        }
    }

    /// Returns the number of positions in which the current rules fail, and the rules.
    pub(super) fn rules(&self) -> (usize, &[StrategyRule]) {
        (self.play.failures.all(), &self.rules)
    }

    /// Looks for a patch at one position. Returns false if there is nothing left to look for.
    pub(super) fn step(&mut self, rng: &mut impl Rng, vocabulary: &Vocabulary) -> bool {
        let roots = self.play.roots();
        if roots.is_empty() {
            return false;
        }
        if ROUNDS[self.round] != Round::Quick && self.lost.is_none() {
            self.lost = Some(self.play.lost());
        }
        let open: Vec<PositionId> = match ROUNDS[self.round] {
            Round::Quick | Round::Saving => {
                roots.iter().copied().filter(|&at| self.is_open(at)).collect()
            }
            Round::Before => {
                let all = (0..self.table.len() as PositionId).into_par_iter();
                all.filter(|&at| self.is_lost(at) && self.is_open(at)).collect()
            }
        };
        let Some(&at) = open.choose(rng) else {
            self.round += 1;
            self.in_vain.fill(0);
            let goes_on = self.round < ROUNDS.len();
            self.round %= ROUNDS.len();
            return goes_on;
        };
        match self.patch(rng, vocabulary, at, &roots) {
            Some(rules) => {
                self.rules = rules;
                self.round = 0;
                self.lost = None;
                self.in_vain.fill(0);
            }
            None => self.in_vain[at as usize] += 1,
        }
        true
    }

    fn is_lost(&self, at: PositionId) -> bool {
        self.lost.as_ref().is_some_and(|lost| lost[at as usize])
    }

    /// Returns true if guards can be looked for at a position.
    fn is_open(&self, at: PositionId) -> bool {
        self.in_vain[at as usize] < ATTEMPTS
            && self.table.given[at as usize] == BeforeRules::Rules
            && self.good(at).contains(&0xff)
    }

    /// Returns the moves of a position that are good enough in this round.
    fn good(&self, at: PositionId) -> MoveSet {
        let table = self.table;
        let mut good = empty_row();
        for mv in table.keeping(at, table.safe(at)) {
            let saves =
                || table.replies.get(table.after(at, mv)).iter().all(|&reply| !self.is_lost(reply));
            let is_good = match ROUNDS[self.round] {
                Round::Quick => table.costs(at)[mv] <= GOOD,
                Round::Saving | Round::Before => saves(),
            };
            good[mv] = if is_good { 0xff } else { 0 };
        }
        good
    }

    /// Returns the rules with a patch for a position, if they fail in fewer positions; in the last round also
    /// if play leads to failures from fewer positions.
    fn patch(
        &mut self,
        rng: &mut impl Rng,
        vocabulary: &Vocabulary,
        at: PositionId,
        roots: &[PositionId],
    ) -> Option<Vec<StrategyRule>> {
        let table = self.table;
        let moves = self.good(at);
        let moves: Vec<usize> = (0..table.stride).filter(|&mv| moves[mv] != 0).collect();
        let &mv = moves.choose(rng)?;
        let last = usize::from(self.play.decided(at)?.rule);
        // Farther to the front, a guard has to leave more positions alone, but the deciding rule may not be
        // at fault.
        let place = if rng.gen_bool(0.5) { last } else { rng.gen_range(0..=last) };
        let behind = self.play.decided_from(place);
        let is_before = ROUNDS[self.round] == Round::Before;
        let lost: Vec<PositionId> = match is_before {
            true => (0..table.len() as PositionId).filter(|&at| self.is_lost(at)).collect(),
            false => roots.to_vec(),
        };
        let sample = self.sample(rng, at, &lost, &behind);
        let columns = columns(table, at, mv, &sample);
        let mut guards = pairs(&columns, &sample);
        // Guards of a stage also get the condition of the stage.
        if table.stage.is_none() {
            let more = widened(&columns, &sample, &guards);
            guards.extend(more);
        }
        self.on_all(&mut guards, &behind, &lost);
        guards.truncate(AS_RULES);
        let mut least = (roots.len(), if is_before { lost.len() } else { 0 });
        let mut best: Option<Vec<StrategyRule>> = None;
        for guard in guards {
            let inherited = self.rules.get(last).map_or(Vec::new(), |rule| rule.keys.clone());
            let drawn: Vec<Key> = (0..2).map(|_| vocabulary.key(rng)).collect();
            for keys in [Vec::new(), inherited, drawn] {
                let mut rules = self.rules.clone();
                let mut conditions = guard.conditions.clone();
                conditions.sort_unstable();
                rules.insert(place, StrategyRule { guard: conditions, keys });
                self.candidates += 1;
                let most = least.0 + usize::from(is_before);
                let found = self.play.change(&rules, |failures| failures.all() >= most);
                let found = found.map(|failures| {
                    let lost = || self.play.lost().iter().filter(|lost| **lost).count();
                    (failures.all(), if is_before { lost() } else { 0 })
                });
                self.play.undo();
                if let Some(found) = found.filter(|found| *found < least) {
                    least = found;
                    best = Some(rules);
                }
            }
        }
        let rules = best?;
        self.play.change(&rules, |_| false);
        Some(rules)
    }

    /// Returns a sample of the failing positions, this one first, and of the others decided behind a rule.
    fn sample(
        &self,
        rng: &mut impl Rng,
        at: PositionId,
        roots: &[PositionId],
        behind: &[PositionId],
    ) -> Sample {
        let table = self.table;
        let mut failing: Vec<PositionId> =
            roots.iter().copied().filter(|&root| root != at).collect();
        let some = failing.len().min(FAILING - 1);
        let mut positions = vec![at];
        positions.extend_from_slice(failing.partial_shuffle(rng, some).0);
        let count = positions.len();
        let fails = table.marked(roots);
        for _ in 0..OTHERS {
            let Some(&other) = behind.choose(rng) else { break };
            if !fails[other as usize] {
                positions.push(other);
            }
        }
        let others = positions.len() - count;
        let good = positions.iter().enumerate().map(|(number, &at)| {
            let good = if number < count { self.good(at) } else { self.allowed(at) };
            bits(good[..table.stride].iter().map(|byte| *byte != 0))
        });
        let good = good.collect();
        let weights =
            (roots.len() as f64 / count as f64, behind.len() as f64 / others.max(1) as f64 / HARM);
        Sample { positions, failing: count, good, weights }
    }

    /// Returns the moves that are good enough where the rules do not fail: they lose no more than those of
    /// the rules.
    fn allowed(&self, at: PositionId) -> MoveSet {
        let mut set = empty_row();
        decide(self.table, &self.rules, at, &mut set);
        let costs = self.table.costs(at);
        let most = costs.iter().zip(&set).map(|(cost, set)| cost & set).max().unwrap_or(0);
        for (byte, cost) in set.iter_mut().zip(costs) {
            *byte = if *cost <= most.max(GOOD) { 0xff } else { 0 };
        }
        set
    }

    /// Tries guards on all positions behind a rule, and sorts them, the best first.
    fn on_all(&self, guards: &mut [ScoredGuard], behind: &[PositionId], lost: &[PositionId]) {
        let table = self.table;
        let fails = table.marked(lost);
        guards.par_iter_mut().for_each(|guard| {
            let mut set = empty_row();
            let (mut helped, mut harmed) = (0, 0);
            for &at in behind {
                let set = &mut set[..table.stride];
                if !fulfilling(table, &guard.conditions, at, set) {
                    continue;
                }
                let leaves_bad =
                    |good: MoveSet| set.iter().zip(&good).any(|(set, good)| set & !good != 0);
                if fails[at as usize] {
                    helped += usize::from(!leaves_bad(self.good(at)));
                } else {
                    harmed += usize::from(leaves_bad(self.allowed(at)));
                }
            }
            guard.merit = helped as f64 - harmed as f64 / HARM;
        });
        guards.sort_by(|one, other| other.merit.total_cmp(&one.merit));
    }
}

fn bits(moves: impl Iterator<Item = bool>) -> Moves {
    moves.enumerate().fold(0, |all, (mv, is_in)| all | (Moves::from(is_in) << mv))
}

/// Evaluates the conditions that a move of a position fulfils on a sample. Each is returned once.
fn columns(
    table: &MoveTable,
    at: PositionId,
    mv: usize,
    sample: &Sample,
) -> Vec<EvaluatedCondition> {
    let mut all = vec![MoveCondition::Mover(char::from(table.movers(at)[mv]))];
    for attribute in 0..table.attributes().attributes().len() {
        let (before, after) = (table.here(at, attribute), table.tile(at, attribute)[mv]);
        let ranges = |value: u8| {
            [(value, value), (0, value), (value, u8::MAX)].map(|(low, high)| Condition {
                attribute,
                low,
                high,
            })
        };
        all.extend(ranges(before).map(MoveCondition::Before));
        all.extend(ranges(after).map(MoveCondition::After));
        let changes = Change::ALL.into_iter().filter(|change| change.holds(before, after));
        all.extend(changes.map(|change| MoveCondition::Change { attribute, change }));
    }
    let column = |condition: MoveCondition| {
        let moves = sample.positions.iter().map(|&at| {
            let mut set = empty_row();
            let set = &mut set[..table.stride];
            match fulfilling(table, &[condition], at, set) {
                true => bits(set.iter().map(|byte| *byte != 0)),
                false => 0,
            }
        });
        EvaluatedCondition { condition, moves: moves.collect() }
    };
    let mut columns: Vec<EvaluatedCondition> = all.into_par_iter().map(column).collect();
    // Of conditions that agree on the sample, the first is enough.
    columns.sort_by(|one, other| {
        one.moves.cmp(&other.moves).then(one.condition.cmp(&other.condition))
    });
    columns.dedup_by(|one, other| one.moves == other.moves);
    columns
}

impl Sample {
    /// Returns the merit of a guard that leaves these moves; `None` if it is not above `least`.
    fn merit(&self, least: f64, moves: impl Fn(usize) -> Moves) -> Option<f64> {
        let leaves_good = |&number: &usize| {
            let moves = moves(number);
            moves != 0 && moves & !self.good[number] == 0
        };
        if !leaves_good(&0) {
            return None;
        }
        let helped = (0..self.failing).filter(leaves_good).count();
        let mut merit = helped as f64 * self.weights.0;
        for number in self.failing..self.positions.len() {
            if moves(number) & !self.good[number] != 0 {
                merit -= self.weights.1;
                if merit <= least {
                    return None;
                }
            }
        }
        Some(merit)
    }
}

/// Returns the guards of one or two conditions with the highest merit.
fn pairs(columns: &[EvaluatedCondition], sample: &Sample) -> Vec<ScoredGuard> {
    let of_first = |first: usize| {
        let mut best: Vec<(f64, usize, usize)> = Vec::new();
        for second in first..columns.len() {
            let least = if best.len() < ON_ALL { f64::MIN } else { best[ON_ALL - 1].0 };
            let moves = |at: usize| columns[first].moves[at] & columns[second].moves[at];
            if let Some(merit) = sample.merit(least, moves) {
                let place = best.partition_point(|(other, ..)| *other >= merit);
                best.insert(place, (merit, first, second));
                best.truncate(ON_ALL);
            }
        }
        best
    };
    let mut best: Vec<(f64, usize, usize)> =
        (0..columns.len()).into_par_iter().flat_map_iter(of_first).collect();
    best.sort_by(|one, other| {
        other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2)))
    });
    best.truncate(ON_ALL);
    let guard = |(merit, first, second): (f64, usize, usize)| {
        let mut conditions = vec![columns[first].condition];
        if second != first {
            conditions.push(columns[second].condition);
        }
        ScoredGuard { merit, conditions }
    };
    best.into_iter().map(guard).collect()
}

/// Returns the best guards with one more condition.
fn widened(
    columns: &[EvaluatedCondition],
    sample: &Sample,
    guards: &[ScoredGuard],
) -> Vec<ScoredGuard> {
    let column = |condition: &MoveCondition| {
        columns.iter().find(|column| column.condition == *condition).expect("it is among them")
    };
    let of_guard = |guard: &ScoredGuard| {
        let all: Vec<&EvaluatedCondition> = guard.conditions.iter().map(column).collect();
        let wider = columns.iter().filter_map(|third| {
            let moves =
                |at: usize| all.iter().fold(third.moves[at], |set, one| set & one.moves[at]);
            let merit = sample.merit(guard.merit, moves)?;
            let mut conditions = guard.conditions.clone();
            conditions.push(third.condition);
            Some(ScoredGuard { merit, conditions })
        });
        wider.max_by(|one, other| one.merit.total_cmp(&other.merit))
    };
    guards.par_iter().take(WIDENED).filter_map(of_guard).collect()
}

#[cfg(test)]
mod tests {
    use super::super::exhaust::distinct_keys;
    use super::*;
    use lucena_attributes::AttributeSet;
    use lucena_base::progress::NoObserver;
    use lucena_tablebase::Tablebase;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn patches_take_failures_out_and_leave_what_is_won() {
        let tablebase = Tablebase::solve("KQvK".parse().unwrap());
        let names = ["kReady", "QBoxSides", "KkSteps", "kEdgeSteps", "KQSteps", "kMoves"];
        let attributes = AttributeSet::named(tablebase.material(), names).unwrap();
        let table = MoveTable::new(&tablebase, &attributes, &NoObserver).unwrap();
        let vocabulary = Vocabulary::new(&table, distinct_keys(&table).to_vec());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let box_alone = Key { attribute: 1, aim: lucena_model::Aim::Least };
        let rules = vec![StrategyRule { guard: Vec::new(), keys: vec![box_alone] }];
        let mut patching = LocalRepair::new(&table, &rules);
        let (first, _) = patching.rules();
        let mut last = first;
        for _ in 0..4 {
            patching.step(&mut rng, &vocabulary);
            let (failures, rules) = patching.rules();
            // The incremental result must equal that of a full evaluation.
            assert_eq!(failures, Play::new(&table, rules).failures.all());
            assert!(failures <= last, "{failures} after {last}");
            assert!(rules.iter().all(|rule| rule.guard.len() <= lucena_model::MAX_CONDITIONS));
            last = failures;
        }
        assert!(last < first / 2, "{last} of {first}");
    }
}
