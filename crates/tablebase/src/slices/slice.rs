//! The analysis of a slice, ply by ply.

use super::departures::{Best, Departures};
use super::shape::{Men, Shape, spread};
use crate::entries::Entries;
use crate::weak_moves::{DRAW, NO_MOVE, outcome_of};
use crate::{Metric, Outcome, Plies};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Bitboard, Side, Squares};
use rayon::prelude::*;

/// The entries of a slice by block, then by side to move. In a block, the squares of the weak king count first, then the
/// places.
pub(super) struct SolvedSlice {
    pub(super) pawns: Squares,
    pub(super) blocks: Vec<[Entries; 2]>,
}

/// A set of placements of a block: the squares of the weak king for each place that has any.
type Sparse = Vec<(u32, Bitboard)>;

/// The placements of a block, with one side to move, that a ply decides.
#[derive(Default)]
struct Decided {
    won: Sparse,
    lost: Sparse,
}

impl Decided {
    fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}

/// What other blocks read of a block with one side to move.
struct SharedState {
    /// By place: the legal placements that are not known to be won for the side to move. Moving there is not known to lose.
    alive: Vec<Bitboard>,
    /// The placements decided in the current ply.
    decided: Decided,
}

/// What only the block itself reads.
struct PrivateState {
    /// The legal placements that are undecided.
    open: Vec<Bitboard>,
    /// The placements that may be lost by now: no move out of the slice draws or wins, or ends in a later ply.
    losable: Vec<Bitboard>,
    entries: Entries,
    /// What moves out of the slice decide, by ply.
    due: Vec<Decided>,
    /// The placements to be decided in the next ply.
    next: Decided,
}

/// Buffers for the next ply of a block.
struct Scratch {
    won: Vec<Bitboard>,
    candidates: Vec<Bitboard>,
    /// The places that have any, each once.
    places: Vec<u32>,
}

impl Scratch {
    fn new(shape: &Shape) -> Self {
        let empty = || vec![Bitboard::EMPTY; shape.len()];
        Self { won: empty(), candidates: empty(), places: Vec::new() }
    }

    #[inline(always)]
    fn add(&mut self, place: usize, set: Bitboard, kind: Kind) {
        if (self.won[place] | self.candidates[place]).is_empty() && !set.is_empty() {
            self.places.push(place as u32);
        }
        match kind {
            Kind::Win => self.won[place] |= set,
            Kind::Loss => self.candidates[place] |= set,
        }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Win,
    Loss,
}

/// The analysis of a slice.
pub(super) struct SliceAnalysis<'s> {
    shape: &'s Shape,
    pawns: Squares,
    /// By block, then by side to move.
    seen: Vec<[SharedState; 2]>,
    own: Vec<[PrivateState; 2]>,
    /// The number of blocks that one thread takes at a time.
    grain: usize,
}

/// The number of frames below which one thread analyses a slice.
const SMALL: usize = 1 << 14;

/// Returns true if slices are so small that several are analysed at once, each by one thread.
pub(super) fn are_small(shape: &Shape) -> bool {
    shape.blocks() * shape.len() < SMALL
}

impl<'s> SliceAnalysis<'s> {
    /// Solves a slice.
    pub(super) fn solve(
        departures: &Departures<'s>,
        pawns: &Squares,
        observer: &dyn Observer,
    ) -> Result<SolvedSlice, Stopped> {
        let mut analysis = Self::new(departures, pawns, observer)?;
        let mut plies: Plies = 0;
        loop {
            observer.check()?;
            analysis.decide(plies);
            analysis.enter(plies);
            if analysis.is_done(plies) {
                break;
            }
            plies += 1;
        }
        let blocks = analysis.own.into_iter().map(|own| own.map(|own| own.entries)).collect();
        Ok(SolvedSlice { pawns: *pawns, blocks })
    }

    fn new(
        departures: &Departures<'s>,
        pawns: &Squares,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let shape = departures.shape;
        let grain = if are_small(shape) { shape.blocks() } else { 1 };
        let legal = |block: usize| {
            let mut legal = Side::ALL.map(|_| Vec::with_capacity(shape.len()));
            for place in 0..shape.len() {
                let men = shape.men(pawns, block, place);
                let sets = men.map_or([Bitboard::EMPTY; 2], |men| shape.legal(&men));
                legal.iter_mut().zip(sets).for_each(|(legal, set)| legal.push(set));
            }
            legal.map(|alive| SharedState { alive, decided: Decided::default() })
        };
        let blocks = || (0..shape.blocks()).into_par_iter().with_min_len(grain);
        let seen: Vec<[SharedState; 2]> = blocks().map(legal).collect();
        let steps = Steps { shape, pawns, seen: &seen };
        let own = blocks().map(|block| {
            observer.check()?;
            Ok(Side::ALL.map(|turn| steps.start(departures, block, turn)))
        });
        let own = own.collect::<Result<Vec<_>, Stopped>>()?;
        departures.smaller.check_readable()?;
        Ok(Self { shape, pawns: *pawns, seen, own, grain })
    }

    /// Computes in every block the placements that a ply decides.
    fn decide(&mut self, plies: Plies) {
        let steps = Steps { shape: self.shape, pawns: &self.pawns, seen: &self.seen };
        let own = self.own.par_iter_mut().enumerate().with_min_len(self.grain);
        own.for_each_init(
            || Scratch::new(steps.shape),
            |scratch, (block, own)| {
                for (turn, own) in Side::ALL.into_iter().zip(own) {
                    steps.compute(block, turn, plies, own, scratch);
                }
            },
        );
    }

    /// Enters the placements that a ply decides.
    fn enter(&mut self, plies: Plies) {
        let metric = self.shape.metric;
        let blocks = self.own.par_iter_mut().zip(&mut self.seen).with_min_len(self.grain);
        blocks.for_each(|(own, seen)| {
            own.iter_mut().zip(seen).for_each(|(own, seen)| own.enter(seen, plies, metric));
        });
    }

    /// Returns true if a ply decided nothing and nothing is due later.
    fn is_done(&self, plies: Plies) -> bool {
        let is_due = |own: &PrivateState| own.due.len() > usize::from(plies) + 1;
        let nothing_due = !self.own.iter().flatten().any(is_due);
        nothing_due && self.seen.iter().flatten().all(|seen| seen.decided.is_empty())
    }
}

impl PrivateState {
    fn enter(&mut self, seen: &mut SharedState, plies: Plies, metric: Metric) {
        seen.decided = std::mem::take(&mut self.next);
        for &(place, set) in &seen.decided.won {
            seen.alive[place as usize] &= !set;
        }
        self.set(&seen.decided.won, Outcome::Win(plies), metric);
        self.set(&seen.decided.lost, Outcome::Loss(plies), metric);
    }

    fn set(&mut self, decided: &Sparse, outcome: Outcome, metric: Metric) {
        let entry = metric.entry(outcome);
        for &(place, set) in decided {
            self.open[place as usize] &= !set;
            for last in set {
                self.entries.set(64 * place as usize + last as usize, entry);
            }
        }
    }

    /// Adds what moves out of the slice decide in a ply.
    fn add_due(&mut self, place: usize, set: Bitboard, outcome: Outcome) {
        let Some(plies) = outcome.plies() else { return };
        let plies = usize::from(plies);
        if self.due.len() <= plies {
            self.due.resize_with(plies + 1, Decided::default);
        }
        let due = &mut self.due[plies];
        let list = if outcome > Outcome::Draw { &mut due.won } else { &mut due.lost };
        list.push((place as u32, set));
    }
}

/// The moves of a slice, given what is known of its blocks.
struct Steps<'s> {
    shape: &'s Shape,
    pawns: &'s Squares,
    seen: &'s [[SharedState; 2]],
}

impl Steps<'_> {
    /// The state of a block with one side to move before the analysis.
    fn start(&self, departures: &Departures<'_>, block: usize, turn: Side) -> PrivateState {
        let shape = self.shape;
        let legal = &self.seen[block][turn as usize].alive;
        let mut own = PrivateState {
            open: legal.clone(),
            losable: legal.clone(),
            entries: Entries::none(64 * shape.len()),
            due: Vec::new(),
            next: Decided::default(),
        };
        let draw = shape.metric.entry(Outcome::Draw);
        for (place, &legal) in legal.iter().enumerate().filter(|(_, legal)| !legal.is_empty()) {
            let men = shape.men(self.pawns, block, place).expect("a legal placement has its men");
            for last in legal {
                own.entries.set(64 * place + last as usize, draw);
            }
            let Best { ranks, any } = departures.best(block, place, &men, turn, legal);
            let mut rest = any;
            while let Some(first) = rest.into_iter().next() {
                let rank = ranks[first as usize];
                let same = rest.into_iter().filter(|&last| ranks[last as usize] == rank);
                let same = same.fold(Bitboard::EMPTY, |all, last| all | last.bitboard());
                rest ^= same;
                debug_assert!(rank != NO_MOVE);
                // A loss may be entered once it is due.
                own.losable[place] &= !same;
                if rank != DRAW {
                    own.add_due(place, same, outcome_of(rank));
                }
            }
            let stuck = self.all_moves_lose(&men, (block, place), turn, legal & !any);
            let checks = match turn {
                Side::Strong => shape.weak_checks(&men),
                Side::Weak => shape.strong_attacks(&men),
            };
            own.losable[place] &= !(stuck & !checks);
            if !(stuck & checks).is_empty() {
                own.add_due(place, stuck & checks, Outcome::Loss(0));
            }
        }
        own
    }

    /// Computes the placements of a block that a ply decides, and clears the scratch.
    fn compute(
        &self,
        block: usize,
        turn: Side,
        plies: Plies,
        own: &mut PrivateState,
        scratch: &mut Scratch,
    ) {
        let other = &self.seen[block][!turn as usize].decided;
        // A single move to a placement that is lost for the other side wins.
        self.visit_before(block, turn, &other.lost, Kind::Win, scratch);
        self.visit_before(block, turn, &other.won, Kind::Loss, scratch);
        if turn == Side::Strong {
            for step in self.shape.steps(block) {
                let other = &self.seen[step.block][!turn as usize].decided;
                let back = step.symmetry.inverse();
                for (list, kind) in [(&other.lost, Kind::Win), (&other.won, Kind::Loss)] {
                    for &(place, set) in list {
                        let place = self.shape.image(place as usize, back);
                        scratch.add(place, back.apply_to_bitboard(set), kind);
                    }
                }
            }
        }
        if let Some(due) = own.due.get_mut(usize::from(plies)) {
            let due = std::mem::take(due);
            for &(place, set) in &due.won {
                scratch.add(place as usize, set, Kind::Win);
            }
            for &(place, set) in &due.lost {
                own.losable[place as usize] |= set;
                scratch.add(place as usize, set, Kind::Loss);
            }
        }
        own.next = self.decided(block, turn, own, scratch);
    }

    /// Adds the placements of a block from which moves other than the strong king's lead to some others.
    #[inline(always)]
    fn visit_before(
        &self,
        block: usize,
        turn: Side,
        decided: &Sparse,
        kind: Kind,
        scratch: &mut Scratch,
    ) {
        for &(place, set) in decided {
            let place = place as usize;
            if turn == Side::Weak {
                scratch.add(place, spread(set), kind);
            }
            if self.shape.pieces[turn as usize].is_empty() {
                continue;
            }
            let men = self.men(block, place);
            self.shape.visit_piece_moves(&men, place, turn, |before, between| {
                scratch.add(before, set & !between, kind);
                true
            });
        }
    }

    fn decided(
        &self,
        block: usize,
        turn: Side,
        own: &PrivateState,
        scratch: &mut Scratch,
    ) -> Decided {
        let mut decided = Decided::default();
        for place in scratch.places.drain(..) {
            let at = place as usize;
            let won = std::mem::take(&mut scratch.won[at]) & own.open[at];
            let candidates = std::mem::take(&mut scratch.candidates[at]);
            if !won.is_empty() {
                decided.won.push((place, won));
            }
            let candidates = candidates & own.losable[at] & own.open[at] & !won;
            if !candidates.is_empty() {
                let men = self.men(block, at);
                let lost = self.all_moves_lose(&men, (block, at), turn, candidates);
                if !lost.is_empty() {
                    decided.lost.push((place, lost));
                }
            }
        }
        decided
    }

    fn men(&self, block: usize, place: usize) -> Men {
        self.shape.men(self.pawns, block, place).expect("a decided placement has its men")
    }

    /// Returns those of some placements of a frame from which no move within the slice leads to a placement that is alive
    /// for the other side.
    fn all_moves_lose(
        &self,
        men: &Men,
        (block, place): (usize, usize),
        turn: Side,
        candidates: Bitboard,
    ) -> Bitboard {
        let mut candidates = candidates;
        let alive = &self.seen[block][!turn as usize].alive;
        match turn {
            Side::Weak => candidates &= !spread(alive[place]),
            Side::Strong => {
                for step in self.shape.steps(block) {
                    if men.occupied.has(step.to) {
                        continue;
                    }
                    let after = &self.seen[step.block][!turn as usize].alive;
                    let holds = after[self.shape.image(place, step.symmetry)];
                    candidates &= !step.symmetry.inverse().apply_to_bitboard(holds);
                    if candidates.is_empty() {
                        return candidates;
                    }
                }
            }
        }
        self.shape.visit_piece_moves(men, place, turn, |after, between| {
            candidates &= !alive[after] | between;
            !candidates.is_empty()
        });
        candidates
    }
}
