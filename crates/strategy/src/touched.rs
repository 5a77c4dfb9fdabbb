//! The positions that a change of rules can affect, by the rule and keys that decided them.

use super::ground::{At, Ground};
use super::plan::{Decided, empty_row, fulfilling};
use lucena_tree::StrategyRule;

/// A change of rules: old and new rules have a common beginning and end, and differ in the middle.
///
/// A position that was decided by a rule behind the change is affected only if it fulfils the guard of a new
/// rule in the middle. So an added rule affects little, and a removed rule only the positions that it
/// decided.
pub(super) struct Touched<'r> {
    /// By rule with an unchanged guard at the beginning: the number of unchanged keys, if some keys change.
    keys: Vec<Option<usize>>,
    /// The index of the first old rule behind the change.
    end: usize,
    /// The new rules in the middle.
    middle: &'r [StrategyRule],
}

impl<'r> Touched<'r> {
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
    pub(super) fn reaches(&self, ground: &Ground, at: At, decided: Decided) -> bool {
        let rule = usize::from(decided.rule);
        match self.keys.get(rule) {
            Some(shared) => shared.is_some_and(|shared| usize::from(decided.keys) > shared),
            None if rule < self.end => true,
            None => {
                let mut set = empty_row();
                let set = &mut set[..ground.stride];
                self.middle.iter().any(|rule| fulfilling(ground, &rule.guard, at, set))
            }
        }
    }

    /// Returns true if the change renumbers the rules behind it.
    pub(super) fn renumbers(&self) -> bool {
        self.end != self.keys.len() + self.middle.len()
    }

    /// Returns the rule and keys that decided an unaffected position, with the new index of the rule.
    pub(super) fn renumbered(&self, decided: Decided) -> Decided {
        let rule = usize::from(decided.rule);
        if rule < self.end {
            return decided;
        }
        let rule = rule - self.end + self.keys.len() + self.middle.len();
        Decided { rule: rule as u16, ..decided }
    }
}

#[cfg(test)]
mod tests {
    use super::super::change::Parts;
    use super::super::exhaust::keys;
    use super::super::ground::Given;
    use super::super::plan::decide;
    use super::*;
    use lucena_attributes::AttributeSet;
    use lucena_base::work::Unwatched;
    use lucena_tablebase::Tablebase;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn what_a_change_does_not_reach_is_decided_as_before() {
        let tablebase = Tablebase::solve("KPvK".parse().unwrap());
        let names = ["KPSteps", "kPSteps", "KkSteps", "PRuns", "KPKeySteps", "kMoves"];
        let attributes = AttributeSet::named(tablebase.material(), names).unwrap();
        let ground = Ground::new(&tablebase, &attributes, &Unwatched).unwrap();
        let parts = Parts::new(&ground, keys(&ground).to_vec());
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut old = parts.first(&mut rng, 3);
        let (mut spared, mut renumbered) = (0, 0);
        for _ in 0..300 {
            let mut new = old.clone();
            parts.change(&mut rng, &mut new, 6);
            let touched = Touched::new(&old, &new);
            renumbered += usize::from(touched.renumbers());
            let asked = |at: &At| ground.given[*at as usize] == Given::Rules;
            for at in (0..ground.len() as At).step_by(97).filter(asked) {
                let (mut before, mut after) = (empty_row(), empty_row());
                let decided = decide(&ground, &old, at, &mut before);
                if touched.reaches(&ground, at, decided) {
                    continue;
                }
                spared += 1;
                assert_eq!(decide(&ground, &new, at, &mut after), touched.renumbered(decided));
                assert_eq!(before, after, "{old:?} {new:?}");
            }
            old = new;
        }
        assert!(spared > 1_000 && renumbered > 30, "{spared} spared, {renumbered} renumbered");
    }
}
