//! An endgame as a move table, on which many strategies can be tried quickly.
//!
//! All won positions with the strong side to move are numbered, up to symmetry. The values that a rule needs
//! for the moves of one position form one row, one byte for each move: a condition or a key is one pass over
//! it.

use lucena_attributes::{Ahead, AttributeSet};
use lucena_base::graph::Lists;
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, SafeMoves, Side};
use lucena_proof::policy::{as_it_lies, mover};
use lucena_tablebase::{Index, Tablebase};
use lucena_tree::{Condition, Key};
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::OnceLock;

/// The number of moves processed in one step. The length of a row is a multiple of it.
pub(super) const LANES: usize = 16;

/// The most moves that a row can hold.
pub(super) const MOST_MOVES: usize = 6 * LANES;

/// The index of a won position with the strong side to move.
pub(super) type At = u32;

/// The cost of a move that throws the win away: more than any other.
const THROWN: u8 = 60;

/// The highest cost of a move that keeps the win.
const MOST_COST: u16 = 20;

/// The result of a position before any rule is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// The rules apply.
    Rules,
    /// A move into another endgame mates in this many moves, including itself.
    Won(u16),
    /// No move is safe.
    Lost,
}

/// The move table of an endgame: its won positions, their safe moves, and the attribute values before and
/// after each move.
pub struct Ground {
    material: Material,
    attributes: AttributeSet,
    /// The length of a row.
    pub(super) stride: usize,
    /// By attribute, position and move: the value after the move. Ordered by attribute first, since a
    /// strategy uses few of them.
    tiles: Vec<u8>,
    /// By position and attribute: the value before the move.
    here: Vec<u8>,
    /// By position and move: the letter of the man that moves.
    movers: Vec<u8>,
    /// By position and move: all bits set for a safe move, none where there is no move.
    safe: Vec<u8>,
    /// By position and move: all bits set if the move throws the win away.
    throws: Vec<u8>,
    /// By position and move: the moves lost against best play, [`THROWN`] if the move throws the win away.
    costs: Vec<u8>,
    /// By position and move: the index of the position after the move.
    pub(super) afters: Vec<u32>,
    /// By position after a move: the positions after the replies; empty after mate.
    pub(super) replies: Lists<u32, At>,
    pub(super) given: Vec<Given>,
    /// By position: the moves to mate with best play.
    pub(super) optimum: Vec<u16>,
    /// By position: the number of positions of the full board that it represents.
    pub(super) weights: Vec<u32>,
    /// The distinct keys, computed on demand.
    pub(super) keys: OnceLock<Vec<Key>>,
    /// The condition that all moves fulfil, if this is a stage.
    pub(super) stage: Option<Condition>,
}

/// A set of moves of one position: all bits of a byte set for each move in it.
pub(super) type Row = [u8; MOST_MOVES];

/// A position with its safe moves, before rows are laid out.
struct Found {
    given: Given,
    /// By safe move: the index of the position after it, and the letter of the man that moves.
    afters: Vec<(u32, u8)>,
    here: Vec<u8>,
}

const NONE: u32 = u32::MAX;

impl Ground {
    /// Builds the move table of an endgame for strategies over some attributes.
    ///
    /// # Errors
    /// If the watch asks to stop.
    pub fn new(
        tablebase: &Tablebase,
        attributes: &AttributeSet,
        watch: &dyn Watch,
    ) -> Result<Self, Stopped> {
        let material = tablebase.material();
        let group = Group::of(material);
        let index = Index::new(material, group);
        let what = format!("writing {material} down");
        let parts = 3 + attributes.attributes().len() as u64;
        let tell = |done| watch.tell(Progress { what: &what, done, total: Some(parts) });
        tell(0);
        // Number the won positions.
        let optimum_at: Vec<Option<u16>> = (0..index.len())
            .into_par_iter()
            .map(|at| tablebase.probe(&index.position(at, Side::Strong)?).ok()?.moves_to_win())
            .collect();
        let mut numbers = vec![NONE; index.len()];
        let mut places = Vec::new();
        for (at, _) in optimum_at.iter().enumerate().filter(|(_, optimum)| optimum.is_some()) {
            numbers[at] = places.len() as u32;
            places.push(at as u32);
        }
        watch.go_on()?;
        tell(1);
        // Find the safe moves and the positions after them.
        let set = attributes;
        let width = set.attributes().len();
        let found: Vec<Found> = places
            .par_iter()
            .map(|&place| {
                let position = index.placement(place as usize, Side::Strong);
                let mut here = vec![0; width];
                set.extract(&as_it_lies(&position), &mut here);
                let (given, afters) = match SafeMoves::of(&position) {
                    SafeMoves::AtOnce(moves) => {
                        let worst = moves.iter().map(|&mv| {
                            let after = position.play(mv).expect("a legal move");
                            let outcome = tablebase.probe(&after).expect("a table of what follows");
                            outcome.before_move().moves_to_win()
                        });
                        let worst: Option<Vec<u16>> = worst.collect();
                        let given = worst.and_then(|all| all.into_iter().max());
                        (given.map_or(Given::Lost, Given::Won), Vec::new())
                    }
                    SafeMoves::Unsafe(_) => (Given::Lost, Vec::new()),
                    SafeMoves::Safe(moves) => {
                        let afters = moves.iter().map(|(mv, after)| {
                            let place = index.of(&group.canonical(after)) as u32;
                            (place, mover(&position, *mv) as u8)
                        });
                        (Given::Rules, afters.collect())
                    }
                };
                Found { given, afters, here }
            })
            .collect();
        watch.go_on()?;
        tell(2);
        let most = found.iter().map(|found| found.afters.len()).max().unwrap_or(0);
        let stride = most.div_ceil(LANES).max(1) * LANES;
        assert!(stride <= MOST_MOVES, "no side of three men has more moves");
        let is_met = {
            let mut is_met = vec![false; index.len()];
            for &(place, _) in found.iter().flat_map(|found| &found.afters) {
                is_met[place as usize] = true;
            }
            is_met
        };
        let after_at = |at: usize| is_met[at].then(|| index.placement(at, Side::Weak));
        // `None` if a reply leads out of the won positions.
        let replies: Vec<Option<Vec<At>>> = (0..index.len())
            .into_par_iter()
            .map(|at| {
                let Some(after) = after_at(at) else { return Some(Vec::new()) };
                let mut replies = Vec::new();
                let mut is_won = true;
                after.visit_steps(|step| {
                    let reply = after.after(step);
                    let number = if reply.material() == material {
                        numbers[index.of(&group.canonical(&reply))]
                    } else {
                        NONE
                    };
                    is_won &= number != NONE;
                    if !replies.contains(&number) {
                        replies.push(number);
                    }
                });
                is_won.then_some(replies)
            })
            .collect();
        watch.go_on()?;
        tell(3);
        let moves_after: Vec<Option<u16>> = (0..index.len())
            .into_par_iter()
            .map(|at| tablebase.probe(&after_at(at)?).ok()?.before_move().moves_to_win())
            .collect();
        let rows = places.len() * stride;
        let mut ground = Self {
            material,
            attributes: set.clone(),
            stride,
            tiles: vec![0; rows * width],
            here: Vec::with_capacity(places.len() * width),
            movers: vec![0; rows],
            safe: vec![0; rows],
            throws: vec![0; rows],
            costs: vec![0; rows],
            afters: vec![0; rows],
            given: found.iter().map(|found| found.given).collect(),
            optimum: places.iter().filter_map(|&at| optimum_at[at as usize]).collect(),
            weights: places
                .par_iter()
                .map(|&at| group.orbit_len(&index.placement(at as usize, Side::Strong)) as u32)
                .collect(),
            replies: Lists::new(replies.iter().map(|list| list.as_deref().unwrap_or_default())),
            keys: OnceLock::new(),
            stage: None,
        };
        for (at, found) in found.iter().enumerate() {
            ground.here.extend_from_slice(&found.here);
            for (mv, &(place, mover)) in found.afters.iter().enumerate() {
                let slot = at * stride + mv;
                ground.movers[slot] = mover;
                ground.safe[slot] = 0xff;
                let kept =
                    moves_after[place as usize].filter(|_| replies[place as usize].is_some());
                ground.throws[slot] = if kept.is_none() { 0xff } else { 0 };
                ground.costs[slot] = cost(kept, ground.optimum[at]);
                ground.afters[slot] = place;
            }
        }
        ground.fill_tiles(&index, &is_met, |done| tell(3 + done), watch)?;
        Ok(ground)
    }

    fn fill_tiles(
        &mut self,
        index: &Index,
        is_met: &[bool],
        tell: impl Fn(u64),
        watch: &dyn Watch,
    ) -> Result<(), Stopped> {
        let stride = self.stride;
        for attribute in 0..self.attributes.attributes().len() {
            let known = &self.attributes.attributes()[attribute];
            let column = match known.looks_ahead() {
                None => column(index, is_met, |_, after| known.value(after)),
                Some(ahead) => {
                    let now = column(index, is_met, |_, after| ahead.of.value(after));
                    column(index, is_met, |at, after| {
                        self.value_ahead(ahead, &now, at).unwrap_or_else(|| known.value(after))
                    })
                }
            };
            let (afters, safe) = (&self.afters, &self.safe);
            let rows = afters.len();
            let tiles = &mut self.tiles[attribute * rows..][..rows];
            tiles.par_chunks_mut(stride).enumerate().for_each(|(at, row)| {
                let from = at * stride;
                for (mv, value) in row.iter_mut().enumerate() {
                    if safe[from + mv] != 0 {
                        *value = column[afters[from + mv] as usize];
                    }
                }
            });
            watch.go_on()?;
            tell(attribute as u64 + 1);
        }
        Ok(())
    }

    /// Returns the value of an attribute that looks ahead, after a move, from the values `now` of the
    /// attribute that it looks ahead to; `None` if a position after a reply is not in the table.
    fn value_ahead(&self, ahead: &Ahead, now: &[u8], after: usize) -> Option<u8> {
        let replies = self.replies.get(after as u32);
        let values = replies.iter().map(|&reply| match self.given[reply as usize] {
            Given::Rules => {
                let afters = &self.afters[reply as usize * self.stride..][..self.stride];
                let moves = afters.iter().zip(self.safe(reply)).filter(|(_, safe)| **safe != 0);
                Some(ahead.best_of(moves.map(|(&after, _)| now[after as usize])))
            }
            Given::Won(_) => Some(ahead.best()),
            Given::Lost => None,
        });
        let values: Vec<u8> = values.collect::<Option<_>>()?;
        (!values.is_empty()).then(|| ahead.worst_of(values.into_iter()))
    }

    /// Returns the table of some of the positions, each once, in this order. Replies that lead to others are
    /// left out.
    pub(super) fn region(&self, positions: &[At]) -> Self {
        let (stride, width) = (self.stride, self.attributes.attributes().len());
        let mut number = vec![NONE; self.len()];
        for (new, &old) in positions.iter().enumerate() {
            number[old as usize] = new as u32;
        }
        let rows = |bytes: &[u8]| -> Vec<u8> {
            positions.iter().flat_map(|&at| self.row(bytes, at)).copied().collect()
        };
        let mut after_number = HashMap::new();
        let mut replies: Vec<Vec<At>> = Vec::new();
        let mut afters = Vec::with_capacity(positions.len() * stride);
        for &at in positions {
            for slot in at as usize * stride..(at as usize + 1) * stride {
                let after = self.afters[slot];
                let new = *after_number.entry(after).or_insert_with(|| {
                    let inside =
                        self.replies.get(after).iter().map(|&reply| number[reply as usize]);
                    replies.push(inside.filter(|&reply| reply != NONE).collect());
                    replies.len() as u32 - 1
                });
                afters.push(new);
            }
        }
        let of = |at: &At| *at as usize;
        Self {
            material: self.material,
            attributes: self.attributes.clone(),
            stride,
            tiles: (0..width)
                .into_par_iter()
                .flat_map_iter(|attribute| {
                    positions.iter().flat_map(move |&at| self.tile(at, attribute)).copied()
                })
                .collect(),
            here: positions
                .iter()
                .flat_map(|at| &self.here[of(at) * width..][..width])
                .copied()
                .collect(),
            movers: rows(&self.movers),
            safe: rows(&self.safe),
            throws: rows(&self.throws),
            costs: rows(&self.costs),
            afters,
            replies: Lists::new(replies),
            given: positions.iter().map(|at| self.given[of(at)]).collect(),
            optimum: positions.iter().map(|at| self.optimum[of(at)]).collect(),
            weights: positions.iter().map(|at| self.weights[of(at)]).collect(),
            keys: self.keys.clone(),
            stage: self.stage,
        }
    }

    /// Returns a stage of this endgame: the positions with at least one of the given moves to win or to reach
    /// a position already won, with their allowed moves. An allowed move throws the win away if a reply
    /// leaves these positions.
    pub(super) fn stage(
        &self,
        moves: &[Option<u16>],
        asked: Option<Condition>,
        is_allowed: impl Fn(At, usize) -> bool,
    ) -> Self {
        let known = |at: At| moves[at as usize].filter(|&moves| moves > 0);
        let positions: Vec<At> = (0..self.len() as At).filter(|&at| known(at).is_some()).collect();
        let mut stage = self.region(&positions);
        stage.stage = asked;
        stage.optimum = positions.iter().filter_map(|&at| known(at)).collect();
        for (number, &at) in positions.iter().enumerate() {
            for (mv, is_safe) in self.safe(at).iter().enumerate() {
                let slot = number * self.stride + mv;
                if *is_safe == 0 || !is_allowed(at, mv) {
                    stage.safe[slot] = 0;
                    continue;
                }
                let replies = self.replies.get(self.afters[at as usize * self.stride + mv]);
                let worst = replies.iter().try_fold(0, |most: u16, &reply| {
                    moves[reply as usize].map(|moves| most.max(moves))
                });
                let kept = worst.map(|moves| moves + 1).filter(|_| stage.throws[slot] == 0);
                stage.throws[slot] = if kept.is_none() { 0xff } else { 0 };
                stage.costs[slot] = cost(kept, stage.optimum[number]);
            }
        }
        stage
    }

    /// Returns a condition in symbols.
    pub(super) fn condition(&self, asked: Condition) -> String {
        let attribute = &self.attributes.attributes()[asked.attribute];
        asked.text(attribute.name(), attribute.domain(), |value| value.to_string())
    }

    /// Returns the material of the endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Returns the attributes.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// Returns the number of won positions on the full board.
    pub fn positions(&self) -> u64 {
        self.weights.iter().map(|&weight| u64::from(weight)).sum()
    }

    /// Returns the number of won positions up to symmetry.
    pub fn len(&self) -> usize {
        self.optimum.len()
    }

    /// Returns true if no position is won.
    pub fn is_empty(&self) -> bool {
        self.optimum.is_empty()
    }

    #[inline(always)]
    fn row<'a>(&self, rows: &'a [u8], at: At) -> &'a [u8] {
        &rows[at as usize * self.stride..][..self.stride]
    }

    /// Returns the values of an attribute after each move.
    #[inline(always)]
    pub(super) fn tile(&self, at: At, attribute: usize) -> &[u8] {
        &self.tiles[(attribute * self.len() + at as usize) * self.stride..][..self.stride]
    }

    /// Returns the value of an attribute before the move.
    #[inline(always)]
    pub(super) fn here(&self, at: At, attribute: usize) -> u8 {
        self.here[at as usize * self.attributes.attributes().len() + attribute]
    }

    #[inline(always)]
    pub(super) fn movers(&self, at: At) -> &[u8] {
        self.row(&self.movers, at)
    }

    #[inline(always)]
    pub(super) fn safe(&self, at: At) -> &[u8] {
        self.row(&self.safe, at)
    }

    #[inline(always)]
    pub(super) fn costs(&self, at: At) -> &[u8] {
        self.row(&self.costs, at)
    }

    #[inline(always)]
    pub(super) fn throws(&self, at: At) -> &[u8] {
        self.row(&self.throws, at)
    }
}

/// Computes a value for each position after a move; 0 for positions that no move leads to.
fn column(
    index: &Index,
    is_met: &[bool],
    value: impl Fn(usize, &Position) -> u8 + Sync,
) -> Vec<u8> {
    let of = |at: usize| if is_met[at] { value(at, &index.placement(at, Side::Weak)) } else { 0 };
    (0..is_met.len()).into_par_iter().with_min_len(256).map(of).collect()
}

/// Returns the cost of a move after which mate takes `moves`; [`THROWN`] if there is none.
fn cost(moves: Option<u16>, optimum: u16) -> u8 {
    moves.map_or(THROWN, |moves| moves.saturating_sub(optimum).min(MOST_COST) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lucena_base::work::Unwatched;

    #[test]
    fn what_looks_ahead_is_written_down_as_the_attribute_says() {
        check_ahead("KPvK", ["kRoomNext", "kCoveredNext"]);
        check_ahead("KRvK", ["kRoomNext", "RBoxSidesNext"]);
    }

    #[test]
    #[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
    fn what_looks_ahead_is_written_down_where_the_weak_side_has_a_piece() {
        check_ahead("KQvKR", ["kCageNext", "QBoxSidesNext"]);
    }

    /// Compares the values of a ground with those of its attributes, in 300 positions.
    fn check_ahead(endgame: &str, names: [&str; 2]) {
        let tablebase = Tablebase::solve(endgame.parse().unwrap());
        let material = tablebase.material();
        let attributes = AttributeSet::named(material, names).unwrap();
        let ground = Ground::new(&tablebase, &attributes, &Unwatched).unwrap();
        let index = Index::new(material, Group::of(material));
        let (mut equal, mut best, mut quick) = (0, 0, 0);
        // The choice of this fast path does not depend on the values.
        let now = vec![0; index.len()];
        for at in (0..ground.len() as At).step_by(ground.len() / 300) {
            for (number, attribute) in attributes.attributes().iter().enumerate() {
                let moves = ground.safe(at).iter().zip(ground.tile(at, number)).enumerate();
                for (mv, (_, &value)) in moves.filter(|(_, (safe, _))| **safe != 0) {
                    let after = ground.afters[at as usize * ground.stride + mv];
                    let after = index.placement(after as usize, Side::Weak);
                    assert_eq!(value, attribute.value(&after), "{} {after}", attribute.name());
                    equal += 1;
                    let ahead = attribute.looks_ahead().unwrap();
                    best += usize::from(value == ahead.best());
                    let slot = at as usize * ground.stride + mv;
                    let after = ground.afters[slot] as usize;
                    quick += usize::from(ground.value_ahead(ahead, &now, after).is_some());
                }
            }
        }
        assert!(equal > 1_000 && best > 0 && best < equal, "{endgame}: {equal} {best}");
        assert!(quick > equal / 10, "{endgame}: {quick} of {equal}");
    }
}
