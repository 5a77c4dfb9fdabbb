//! A cache of attribute values in the positions of an endgame.

use super::byte_cache::{ByteCache, CacheRow};
use lucena_attributes::{AheadTarget, Attribute, AttributeSet, Replies};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, SafeMoves, Side, is_quiet};
use lucena_tablebase::Index;

/// The flags of a row.
const HAS_NOW: u8 = 1;
const HAS_PLANS: u8 = 2;
const IS_LOOKED_AT: u8 = 4;
const IS_QUIET: u8 = 8;

/// A cache of attribute values that are the same on all rotations and reflections of a board, and of whether
/// positions are quiet. Positions are read with the weak side to move.
pub(super) struct AttributeCache {
    /// The attributes of a position itself, including those that look-ahead attributes refer to.
    now: AttributeSet,
    /// The look-ahead attributes ("plans"), each with the place in `now` of the attribute that it refers to.
    plans: Vec<(Attribute, usize)>,
    /// By attribute: its place in a row, where plans come after all others.
    order: Vec<usize>,
    index: Index,
    /// By position with the weak side to move: a row.
    afters: ByteCache,
    /// By position with the strong side to move: for each plan the best value after a safe move.
    befores: ByteCache,
}

impl AttributeCache {
    pub(super) fn new(attributes: &AttributeSet) -> Self {
        let material = attributes.material();
        let index = Index::new(material, Group::new(material));
        // A look-ahead attribute is represented by the attribute that it refers to.
        let of = |one: &Attribute| {
            one.look_ahead().map_or(one.name(), |ahead| ahead.of.name()).to_owned()
        };
        let mut names: Vec<String> = attributes.attributes().iter().map(of).collect();
        names.sort_unstable();
        names.dedup();
        let place = |one: &Attribute| names.binary_search(&of(one)).expect("it is among them");
        let mut plans = Vec::new();
        let in_row = |one: &Attribute| match one.look_ahead() {
            None => place(one),
            Some(_) => {
                plans.push((one.clone(), place(one)));
                names.len() + plans.len() - 1
            }
        };
        let order = attributes.attributes().iter().map(in_row).collect();
        let now = AttributeSet::named(material, names.iter().map(String::as_str))
            .expect("the names are the material's own");
        let afters = ByteCache::new(index.len(), names.len() + plans.len());
        let befores = ByteCache::new(index.len(), plans.len());
        Self { now, plans, order, index, afters, befores }
    }

    /// Returns the values in a position.
    pub(super) fn values(&self, position: &Position) -> Vec<u8> {
        self.with_row(&self.afters, position, |row| self.values_in(position, row))
    }

    /// Returns the values in a position, if the weak side has a move there or is mated, and can neither
    /// capture a man nor promote.
    pub(super) fn values_if_quiet(&self, position: &Position) -> Option<Vec<u8>> {
        self.with_row(&self.afters, position, |row| {
            is_known_quiet(position, row).then(|| self.values_in(position, row))
        })
    }

    fn values_in(&self, position: &Position, row: CacheRow<'_>) -> Vec<u8> {
        let now = self.now.attributes().len();
        row.fill(HAS_NOW, 0..now, || self.now_in(position));
        if !self.plans.is_empty() {
            row.fill(HAS_PLANS, now..now + self.plans.len(), || self.plans_in(position));
        }
        self.order.iter().map(|&place| row.value(place)).collect()
    }

    fn now_in(&self, position: &Position) -> Vec<u8> {
        let mut found = vec![0; self.now.attributes().len()];
        self.now.extract(position, &mut found);
        found
    }

    /// Returns the values of the plans in a position; see [`AheadTarget`].
    fn plans_in(&self, position: &Position) -> Vec<u8> {
        let replies = Replies::new(position);
        let best: Vec<Vec<u8>> = match &replies {
            Replies::Quiet(replies) => replies.iter().map(|reply| self.best_in(reply)).collect(),
            Replies::None | Replies::Converting => Vec::new(),
        };
        self.of_each_plan(|ahead, plan| {
            ahead.of_replies(position, &replies, |reply, _| best[reply][plan])
        })
    }

    /// Returns by plan the best value after a safe move in a position with the strong side to move.
    fn best_in(&self, position: &Position) -> Vec<u8> {
        self.with_row(&self.befores, position, |row| {
            let plans = 0..self.plans.len();
            row.fill(HAS_PLANS, plans.clone(), || self.best_moves_in(position));
            plans.map(|plan| row.value(plan)).collect()
        })
    }

    fn best_moves_in(&self, position: &Position) -> Vec<u8> {
        let mut afters: Vec<Vec<u8>> = Vec::new();
        let moves = SafeMoves::with_test(position, |after| {
            self.with_row(&self.afters, after, |row| {
                let is_quiet = is_known_quiet(after, row);
                if is_quiet {
                    afters.push(self.planned_in(after, row));
                }
                is_quiet
            })
        });
        self.of_each_plan(|ahead, plan| ahead.of_moves(&moves, |mv, _| afters[mv][plan]))
    }

    /// Returns by plan the value of the attribute that it refers to.
    fn planned_in(&self, position: &Position, row: CacheRow<'_>) -> Vec<u8> {
        row.fill(HAS_NOW, 0..self.now.attributes().len(), || self.now_in(position));
        self.plans.iter().map(|&(_, of)| row.value(of)).collect()
    }

    /// Computes a value for each plan from its index.
    fn of_each_plan(&self, value: impl Fn(&AheadTarget, usize) -> u8) -> Vec<u8> {
        let plans = self.plans.iter().enumerate();
        plans
            .map(|(number, (plan, _))| value(plan.look_ahead().expect("it is a plan"), number))
            .collect()
    }

    /// Calls `work` with the row of a position. Where a pawn can be captured en passant, which the index
    /// ignores, the row is empty and forgotten afterwards.
    fn with_row<T>(
        &self,
        memo: &ByteCache,
        position: &Position,
        work: impl FnOnce(CacheRow<'_>) -> T,
    ) -> T {
        match position.en_passant() {
            None => work(memo.row(self.index.of(position))),
            Some(_) => work(CacheRow::new(&memo.empty())),
        }
    }
}

/// Returns true if a position with the weak side to move is quiet.
fn is_known_quiet(position: &Position, row: CacheRow<'_>) -> bool {
    debug_assert!(position.turn() == Side::Weak);
    row.get_or_compute(IS_LOOKED_AT, IS_QUIET, || is_quiet(position))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers en passant, captures and several plans.
    #[test]
    fn what_is_known_of_a_position_is_what_its_attributes_say() {
        for (endgame, names) in [
            ("KBBvK", &["kWallSizeNext", "KkSteps", "kRoomNext", "kWallSize"] as &[&str]),
            ("KQvKR", &["QBoxSidesNext", "kCageNext", "kReady"]),
            ("KPvKP", &["kRoomNext", "kMovesNext"]),
            ("KRvK", &["RBoxSize"]),
        ] {
            let material = endgame.parse().unwrap();
            let attributes = AttributeSet::named(material, names.iter().copied()).unwrap();
            let rows = AttributeCache::new(&attributes);
            let group = Group::new(material);
            let index = Index::new(material, group);
            let mut quiet = 0;
            for at in (0..index.len()).step_by(index.len() / 700 + 1) {
                let Some(position) = index.position(at, Side::Weak) else { continue };
                for turned in group.orbit(&position) {
                    let mut plain = vec![0; names.len()];
                    attributes.extract(&turned, &mut plain);
                    assert_eq!(rows.values(&turned), plain, "{endgame} {turned}");
                    let expected = is_quiet(&turned).then_some(plain);
                    quiet += usize::from(expected.is_some());
                    assert_eq!(rows.values_if_quiet(&turned), expected, "{endgame} {turned}");
                }
            }
            assert!(quiet > 100, "{endgame}: {quiet}");
        }
        let passed: Position = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1".parse().unwrap();
        let without: Position = "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1".parse().unwrap();
        let attributes = AttributeSet::named(passed.material(), ["kRoomNext"]).unwrap();
        let rows = AttributeCache::new(&attributes);
        assert!(rows.values_if_quiet(&without).is_some());
        assert_eq!(rows.values_if_quiet(&passed), None);
        let mut plain = vec![0];
        attributes.extract(&passed, &mut plain);
        assert_eq!(rows.values(&passed), plain);
    }
}
