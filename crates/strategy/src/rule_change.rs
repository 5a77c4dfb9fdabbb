//! The positions that a change of rules can affect, by the rule and keys that decided them.

use super::move_rows::PositionId;
use super::move_table::MoveTable;
use super::selection::{DecisionBasis, empty_row, fulfilling};
use lucena_model::StrategyRule;

/// A change of rules: old and new rules have a common beginning and end, and differ in the middle.
///
/// A position that was decided by a rule behind the change is affected only if it fulfils the guard of a new
/// rule in the middle. So an added rule affects little, and a removed rule only the positions that it
/// decided.
pub(super) struct RuleChange<'r> {
    /// By rule with an unchanged guard at the beginning: the number of unchanged keys, if some keys change.
    keys: Vec<Option<usize>>,
    /// The index of the first old rule behind the change.
    end: usize,
    /// The new rules in the middle.
    middle: &'r [StrategyRule],
}

impl<'r> RuleChange<'r> {
    pub(super) fn new(old: &[StrategyRule], new: &'r [StrategyRule]) -> Self {
        let pairs = old.iter().zip(new);
        let keys = pairs.take_while(|(old, new)| old.guard == new.guard).map(|(old, new)| {
            let shared = old.keys.iter().zip(&new.keys).take_while(|(old, new)| old == new).count();
            (old.keys != new.keys).then_some(shared)
        });
        let keys: Vec<Option<usize>> = keys.collect();
        let (begin, most) = (keys.len(), old.len().min(new.len()) - keys.len());
        let backwards = old.iter().rev().zip(new.iter().rev());
        let alike = backwards.take(most).take_while(|(old, new)| old == new).count();
        Self { keys, end: old.len() - alike, middle: &new[begin..new.len() - alike] }
    }

    /// Returns true if a position decided by this rule and these keys may be decided otherwise now.
    #[inline]
    pub(super) fn reaches(
        &self,
        table: &MoveTable,
        at: PositionId,
        decided: DecisionBasis,
    ) -> bool {
        let rule = usize::from(decided.rule);
        match self.keys.get(rule) {
            Some(shared) => shared.is_some_and(|shared| usize::from(decided.keys) > shared),
            None if rule < self.end => true,
            None => {
                let mut set = empty_row();
                let set = &mut set[..table.stride];
                self.middle.iter().any(|rule| fulfilling(table, &rule.guard, at, set))
            }
        }
    }

    /// Returns true if the change renumbers the rules behind it.
    pub(super) fn renumbers(&self) -> bool {
        self.end != self.keys.len() + self.middle.len()
    }

    /// Returns the rule and keys that decided an unaffected position, with the new index of the rule.
    pub(super) fn renumbered(&self, decided: DecisionBasis) -> DecisionBasis {
        let rule = usize::from(decided.rule);
        if rule < self.end {
            return decided;
        }
        let rule = rule - self.end + self.keys.len() + self.middle.len();
        DecisionBasis { rule: rule as u16, ..decided }
    }
}

/// The rules of a strategy and what they decide, while they change.
pub(super) struct Decisions {
    pub(super) rules: Vec<StrategyRule>,
    /// By position: the rule and keys that decided it, if rules apply there.
    decided: Vec<Option<DecisionBasis>>,
    undo: UndoDecisions,
}

/// The values that the last change has overwritten.
#[derive(Default)]
struct UndoDecisions {
    rules: Option<Vec<StrategyRule>>,
    decided: Vec<(PositionId, Option<DecisionBasis>)>,
    /// The old values for all positions, if rules have been renumbered.
    all: Option<Vec<Option<DecisionBasis>>>,
}

impl Decisions {
    /// Begins with rules that have not decided any position yet.
    pub(super) fn new(rules: &[StrategyRule], positions: usize) -> Self {
        let undo = UndoDecisions::default();
        Self { rules: rules.to_vec(), decided: vec![None; positions], undo }
    }

    #[inline(always)]
    pub(super) fn get(&self, at: PositionId) -> Option<DecisionBasis> {
        self.decided[at as usize]
    }

    /// Writes what has decided a position.
    #[inline(always)]
    pub(super) fn set(&mut self, at: PositionId, decided: DecisionBasis) {
        let old = self.decided[at as usize].replace(decided);
        self.undo.decided.push((at, old));
    }

    /// Makes the last change final.
    pub(super) fn commit(&mut self) {
        self.undo.rules = None;
        self.undo.decided.clear();
        self.undo.all = None;
    }

    /// Changes the rules. Returns the positions, in their given order, that have to be decided again: where no
    /// rule applies, no change matters.
    pub(super) fn change(
        &mut self,
        table: &MoveTable,
        rules: &[StrategyRule],
        positions: impl Iterator<Item = PositionId>,
    ) -> Vec<PositionId> {
        self.commit();
        let old = std::mem::replace(&mut self.rules, rules.to_vec());
        let touched = RuleChange::new(&old, rules);
        let is_touched = |at: &PositionId| {
            self.get(*at).is_some_and(|decided| touched.reaches(table, *at, decided))
        };
        let positions = positions.filter(is_touched).collect();
        if touched.renumbers() {
            let renumbered = |decided: &Option<_>| decided.map(|one| touched.renumbered(one));
            let renumbered = self.decided.iter().map(renumbered).collect();
            self.undo.all = Some(std::mem::replace(&mut self.decided, renumbered));
        }
        self.undo.rules = Some(old);
        positions
    }

    /// Undoes the last change.
    pub(super) fn undo(&mut self) {
        for (at, decided) in self.undo.decided.drain(..) {
            self.decided[at as usize] = decided;
        }
        if let Some(all) = self.undo.all.take() {
            self.decided = all;
        }
        if let Some(rules) = self.undo.rules.take() {
            self.rules = rules;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exhaust::distinct_keys;
    use super::super::move_table::BeforeRules;
    use super::super::mutation::Vocabulary;
    use super::super::selection::decide;
    use super::*;
    use lucena_attributes::AttributeSet;
    use lucena_base::progress::NoObserver;
    use lucena_tablebase::Tablebase;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn what_a_change_does_not_reach_is_decided_as_before() {
        let tablebase = Tablebase::solve("KPvK".parse().unwrap());
        let names = ["KPSteps", "kPSteps", "KkSteps", "PRuns", "KPKeySteps", "kMoves"];
        let attributes = AttributeSet::named(tablebase.material(), names).unwrap();
        let table = MoveTable::new(&tablebase, &attributes, &NoObserver).unwrap();
        let vocabulary = Vocabulary::new(&table, distinct_keys(&table).to_vec());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut old = vocabulary.first(&mut rng, 3);
        let (mut spared, mut renumbered) = (0, 0);
        for _ in 0..60 {
            let mut new = old.clone();
            vocabulary.change(&mut rng, &mut new, 6);
            let touched = RuleChange::new(&old, &new);
            renumbered += usize::from(touched.renumbers());
            let asked = |at: &PositionId| table.given[*at as usize] == BeforeRules::Rules;
            for at in (0..table.len() as PositionId).step_by(97).filter(asked) {
                let (mut before, mut after) = (empty_row(), empty_row());
                let decided = decide(&table, &old, at, &mut before);
                if touched.reaches(&table, at, decided) {
                    continue;
                }
                spared += 1;
                assert_eq!(decide(&table, &new, at, &mut after), touched.renumbered(decided));
                assert_eq!(before, after, "{old:?} {new:?}");
            }
            old = new;
        }
        assert!(spared > 1_000 && renumbered > 6, "{spared} spared, {renumbered} renumbered");
    }
}
