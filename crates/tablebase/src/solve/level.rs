//! The analysis of the slices of a level, ply by ply.

use super::departures::{Best, DepartureLookups, Departures, SolvedBlock};
use crate::checkpoint::{CheckpointWriter, KeptLevel};
use crate::decided::{Change, Decided, Sparse};
use crate::entries::Entries;
use crate::layout::Layout;
use crate::shape::Men;
use crate::weak_moves::{DRAW, outcome_of};
use crate::{Metric, Outcome, Plies};
use lucena_base::plural::grouped;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::{Bitboard, QUICK_MEN, Side, Square, king_attacks};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The state of a block with one side to move that other blocks read.
struct SharedState {
    /// By place: the legal placements that are not known to be won for the side to move. Moving there is not known to lose.
    alive: Vec<Bitboard>,
    /// The placements decided in the current ply.
    decided: Decided,
}

/// The state of a block with one side to move that only the block itself reads.
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
    fn new(layout: &Layout) -> Self {
        let empty = || vec![Bitboard::EMPTY; layout.shape.len()];
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

/// The number of frames below which one thread analyses a level.
const SMALL: usize = 1 << 11;

/// The analysis of a level, or of some of its blocks while other workers have the others.
pub(crate) struct LevelAnalysis<'s> {
    layout: &'s Layout,
    /// The blocks of the level.
    level: Range<usize>,
    /// The blocks of this analysis.
    blocks: Range<usize>,
    /// By block of the level, then by side to move.
    seen: Vec<[SharedState; 2]>,
    /// By own block, then by side to move.
    own: Vec<[PrivateState; 2]>,
    /// The number of blocks that one thread takes at a time.
    grain: usize,
    observer: &'s dyn Observer,
}

impl<'s> LevelAnalysis<'s> {
    /// Begins an analysis of some blocks of a level, and looks up what moves out of the slices lead to.
    pub(super) fn new(
        layout: &'s Layout,
        departures: &Departures<'_>,
        (level, blocks): (Range<usize>, Range<usize>),
        observer: &'s dyn Observer,
    ) -> Result<Self, Stopped> {
        let mut analysis = Self::without_departures(layout, (level, blocks), observer);
        let Self { level, blocks, seen, own, grain, .. } = &mut analysis;
        let steps = Steps { layout, first: level.start, seen };
        let telling = SolveProgress::new(layout, level.start, observer);
        let total = blocks.len() as u64;
        let start = |lookups: &mut DepartureLookups<'_>,
                     (block, own): (usize, &mut [PrivateState; 2])| {
            observer.check()?;
            telling.tell("captures and promotions", 1, Some(total));
            for (turn, own) in Side::ALL.into_iter().zip(own) {
                steps.start(lookups, block, turn, own);
            }
            departures.smaller.check_readable()
        };
        let mut groups: BTreeMap<Option<Square>, Vec<_>> = BTreeMap::new();
        for (block, own) in blocks.clone().zip(own) {
            groups.entry(departures.group(block)).or_default().push((block, own));
        }
        for (group, blocks) in groups {
            group.map_or(Ok(()), |king| departures.prepare(king))?;
            let blocks = blocks.into_par_iter().with_min_len(*grain);
            blocks.try_for_each_init(|| departures.lookups(), start)?;
            group.into_iter().for_each(|king| departures.forget(king, level.start));
        }
        Ok(analysis)
    }

    /// Replays a level that an earlier run has finished; `None` if its checkpoint can no longer be read to the end of the
    /// level.
    pub(super) fn of_finished(
        layout: &'s Layout,
        level: Range<usize>,
        (kept, notes): (&KeptLevel, &CheckpointWriter<'_>),
        observer: &'s dyn Observer,
    ) -> Result<Option<Self>, Stopped> {
        let mut analysis = Self::without_departures(layout, (level.clone(), level), observer);
        let last = analysis.restore(kept, notes)?;
        let is_whole = last.map_or(0, |last| usize::from(last) + 1) == kept.len();
        Ok(is_whole.then_some(analysis))
    }

    /// An analysis of some blocks of a level that knows nothing of moves out of the slices.
    fn without_departures(
        layout: &'s Layout,
        (level, blocks): (Range<usize>, Range<usize>),
        observer: &'s dyn Observer,
    ) -> Self {
        let grain = (SMALL / layout.shape.len()).max(1);
        let legal = |block: usize| {
            let places = 0..layout.shape.len();
            let sets = places.map(|place| {
                let men = layout.men(block, place);
                men.map_or([Bitboard::EMPTY; 2], |men| layout.shape.legal(&men))
            });
            let (strong, weak) = sets.map(|[strong, weak]| (strong, weak)).unzip();
            [strong, weak].map(|alive| SharedState { alive, decided: Decided::default() })
        };
        let all = level.clone().into_par_iter().with_min_len(grain);
        let seen: Vec<[SharedState; 2]> = all.map(legal).collect();
        let state = |block: usize| {
            let seen = seen[block - level.start].each_ref();
            seen.map(|seen| PrivateState::new(&seen.alive, layout.shape.metric))
        };
        let own = blocks.clone().into_par_iter().with_min_len(grain).map(state).collect();
        Self { layout, level, blocks, seen, own, grain, observer }
    }

    /// Runs the analysis to its end, from the last ply in the checkpoint of an earlier run.
    pub(super) fn run(
        &mut self,
        kept: &KeptLevel,
        notes: &CheckpointWriter<'_>,
    ) -> Result<(), Stopped> {
        let telling = SolveProgress::new(self.layout, self.level.start, self.observer);
        let mut last = self.restore(kept, notes)?;
        while last.is_none_or(|last| !self.is_done(last)) {
            let plies = last.map_or(0, |last| last + 1);
            let decided = self.enter_next(plies)?;
            notes.keep_ply(self.layout.level_of(self.level.start), plies, self.changes());
            if telling.is_heard() {
                let undecided = grouped(self.undecided());
                let what = format!("ply {plies}, {undecided} positions undecided");
                telling.tell(&what, decided, None);
            }
            last = Some(plies);
        }
        Ok(())
    }

    /// Replays the plies in the checkpoint of an earlier run; returns the last one, if any.
    pub(crate) fn restore(
        &mut self,
        kept: &KeptLevel,
        notes: &CheckpointWriter<'_>,
    ) -> Result<Option<Plies>, Stopped> {
        let mut last = None;
        for (plies, ply) in (0..).zip(kept) {
            self.observer.check()?;
            let Some(changes) = notes.changes(ply, self.layout) else { break };
            if changes.iter().any(|change| !self.blocks.contains(&change.block)) {
                // The checkpoint is of another division of the blocks.
                break;
            }
            for Change { block, turn, decided } in changes {
                self.own[block - self.blocks.start][turn as usize].next = decided;
            }
            self.own.iter_mut().flatten().for_each(|own| drop(own.take_due(plies)));
            self.enter(plies);
            last = Some(plies);
        }
        Ok(last)
    }

    /// Computes and enters the placements that a ply decides; returns their number.
    pub(crate) fn enter_next(&mut self, plies: Plies) -> Result<u64, Stopped> {
        self.observer.check()?;
        self.decide(plies);
        Ok(self.enter(plies))
    }

    /// Computes in every block the placements that a ply decides.
    fn decide(&mut self, plies: Plies) {
        let steps = Steps { layout: self.layout, first: self.level.start, seen: &self.seen };
        let blocks = self.blocks.clone().into_par_iter().zip(&mut self.own);
        blocks.with_min_len(self.grain).for_each_init(
            || Scratch::new(steps.layout),
            |scratch, (block, own)| {
                for (turn, own) in Side::ALL.into_iter().zip(own) {
                    steps.compute(block, turn, plies, own, scratch);
                }
            },
        );
    }

    /// Enters the placements that a ply decides; returns their number.
    fn enter(&mut self, plies: Plies) -> u64 {
        let metric = self.layout.shape.metric;
        let first = self.blocks.start - self.level.start;
        let seen = &mut self.seen[first..first + self.own.len()];
        let blocks = self.own.par_iter_mut().zip(seen).with_min_len(self.grain);
        let enter = |(own, seen): (&mut [PrivateState; 2], &mut [SharedState; 2])| {
            let turns = own.iter_mut().zip(seen);
            turns.map(|(own, seen)| own.enter(seen, plies, metric)).sum::<u64>()
        };
        blocks.map(enter).sum()
    }

    /// Returns true if a ply decided nothing and nothing is due later.
    fn is_done(&self, plies: Plies) -> bool {
        let is_due = |own: &PrivateState| own.due.len() > usize::from(plies) + 1;
        let nothing_due = !self.own.iter().flatten().any(is_due);
        nothing_due && self.changes().all(|(_, _, decided)| decided.is_empty())
    }

    /// The blocks of this analysis.
    #[cfg(feature = "dist")]
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.blocks.clone()
    }

    /// The number of placements that are undecided, up to symmetry; those that stay undecided are drawn. The few that are
    /// their own mirror images count half.
    pub(crate) fn undecided(&self) -> u64 {
        let own = (self.blocks.clone(), &self.own).into_par_iter();
        own.map(|(block, own)| {
            let open = own.iter().flat_map(|own| &own.open);
            let len: u64 = open.map(|open| u64::from(open.len())).sum();
            if self.layout.has_images(block) { len.div_ceil(2) } else { len }
        })
        .sum()
    }

    /// The placements that the blocks have entered in the current ply.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (usize, Side, &Decided)> {
        self.blocks.clone().flat_map(|block| {
            let seen = &self.seen[block - self.level.start];
            Side::ALL.map(|turn| (block, turn, &seen[turn as usize].decided))
        })
    }

    /// The entries of the blocks.
    pub(crate) fn into_solved(self) -> impl Iterator<Item = (usize, SolvedBlock)> {
        self.blocks.zip(self.own).map(|(block, own)| (block, own.map(|own| own.entries)))
    }
}

/// Methods for a worker, which has only some of the blocks.
#[cfg(feature = "dist")]
impl LevelAnalysis<'_> {
    /// The placements of a block, with a side to move, that are alive, and those entered in the current ply.
    pub(crate) fn seen(&self, block: usize, turn: Side) -> (&[Bitboard], &Decided) {
        let SharedState { alive, decided } = &self.seen[block - self.level.start][turn as usize];
        (alive, decided)
    }

    /// The next ply in which there is work regardless of what other workers enter.
    pub(crate) fn due(&self, last: Plies) -> Option<Plies> {
        if self.changes().any(|(_, _, decided)| !decided.is_empty()) {
            return Some(last + 1);
        }
        let own = self.own.iter().flatten();
        let due = |own: &PrivateState| own.due.iter().position(|due| !due.is_empty());
        own.filter_map(due).min().map(|due| (due as Plies).max(last + 1))
    }

    /// Clears what the blocks of other workers entered in the ply before.
    pub(crate) fn forget_others(&mut self) {
        for (block, seen) in self.level.clone().zip(&mut self.seen) {
            if !self.blocks.contains(&block) {
                seen.iter_mut().for_each(|seen| seen.decided = Decided::default());
            }
        }
    }

    /// Applies a message about another worker's block: what it has entered in a ply, and what is alive, if the others do
    /// not know all that it has entered before. Returns `None` if the level does not have the block.
    pub(crate) fn apply(&mut self, change: Change, alive: Option<Vec<Bitboard>>) -> Option<()> {
        let Change { block, turn, decided } = change;
        let seen = self.seen.get_mut(block.checked_sub(self.level.start)?)?;
        let seen = &mut seen[turn as usize];
        match alive {
            Some(alive) => seen.alive = alive,
            None => {
                for &(place, set) in &decided.won {
                    seen.alive[place as usize] &= !set;
                }
            }
        }
        seen.decided = decided;
        Some(())
    }
}

impl PrivateState {
    fn new(legal: &[Bitboard], metric: Metric) -> Self {
        let mut entries = Entries::none(64 * legal.len());
        let draw = metric.entry(Outcome::Draw);
        for (place, &legal) in legal.iter().enumerate() {
            entries.set_all(64 * place, legal, draw);
        }
        let (open, losable) = (legal.to_vec(), legal.to_vec());
        Self { open, losable, entries, due: Vec::new(), next: Decided::default() }
    }

    /// Enters the placements of the next ply; returns their number.
    fn enter(&mut self, seen: &mut SharedState, plies: Plies, metric: Metric) -> u64 {
        seen.decided = std::mem::take(&mut self.next);
        let Decided { won, lost } = &seen.decided;
        for &(place, set) in won {
            seen.alive[place as usize] &= !set;
        }
        self.set(won, Outcome::Win(plies), metric) + self.set(lost, Outcome::Loss(plies), metric)
    }

    fn set(&mut self, decided: &Sparse, outcome: Outcome, metric: Metric) -> u64 {
        let (entry, mut count) = (metric.entry(outcome), 0);
        for &(place, set) in decided {
            self.open[place as usize] &= !set;
            self.entries.set_all(64 * place as usize, set, entry);
            count += u64::from(set.len());
        }
        count
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

    /// Takes what moves out of the slice decide in a ply.
    fn take_due(&mut self, plies: Plies) -> Decided {
        let due = self.due.get_mut(usize::from(plies)).map(std::mem::take).unwrap_or_default();
        for &(place, set) in &due.lost {
            self.losable[place as usize] |= set;
        }
        due
    }
}

/// The moves of a level, given what is known of its blocks.
struct Steps<'s> {
    layout: &'s Layout,
    /// The first block of the level.
    first: usize,
    seen: &'s [[SharedState; 2]],
}

impl Steps<'_> {
    /// Judges the moves out of its slice for a block with one side to move.
    fn start(
        &self,
        lookups: &mut DepartureLookups<'_>,
        block: usize,
        turn: Side,
        own: &mut PrivateState,
    ) {
        let shape = &self.layout.shape;
        let legal = &self.seen[block - self.first][turn as usize].alive;
        for (place, &legal) in legal.iter().enumerate().filter(|(_, legal)| !legal.is_empty()) {
            let men = self.men(block, place);
            let Best { ranks, any } = lookups.best((block, place), &men, turn, legal);
            let mut rest = any;
            while let Some(first) = rest.into_iter().next() {
                let rank = ranks[first as usize];
                let same = rest.into_iter().filter(|&last| ranks[last as usize] == rank);
                let same = same.fold(Bitboard::EMPTY, |all, last| all | last.bitboard());
                rest ^= same;
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
        let here = block - self.first;
        let other = &self.seen[here][!turn as usize].decided;
        // A single move to a placement that is lost for the other side wins.
        self.visit_before(block, turn, &other.lost, Kind::Win, scratch);
        self.visit_before(block, turn, &other.won, Kind::Loss, scratch);
        if turn == Side::Strong {
            let (shape, in_slice) = (&self.layout.shape, self.layout.in_slice(block));
            for step in shape.steps(in_slice) {
                let other = &self.seen[here - in_slice + step.block][!turn as usize].decided;
                let back = step.symmetry.inverse();
                for (list, kind) in [(&other.lost, Kind::Win), (&other.won, Kind::Loss)] {
                    for &(place, set) in list {
                        let place = shape.image(place as usize, back);
                        scratch.add(place, back.apply_to_bitboard(set), kind);
                    }
                }
            }
        }
        let due = own.take_due(plies);
        for (list, kind) in [(&due.won, Kind::Win), (&due.lost, Kind::Loss)] {
            list.iter().for_each(|&(place, set)| scratch.add(place as usize, set, kind));
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
                scratch.add(place, king_attacks(set), kind);
            }
            if self.layout.shape.pieces[turn as usize].is_empty() {
                continue;
            }
            let men = self.men(block, place);
            self.layout.shape.visit_piece_moves(&men, place, turn, |before, between| {
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
        self.layout.men(block, place).expect("a legal placement has its men")
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
        let (here, shape) = (block - self.first, &self.layout.shape);
        let alive = &self.seen[here][!turn as usize].alive;
        match turn {
            Side::Weak => candidates &= !king_attacks(alive[place]),
            Side::Strong => {
                let in_slice = self.layout.in_slice(block);
                for step in shape.steps(in_slice) {
                    if men.occupied.has(step.to) {
                        continue;
                    }
                    let after = &self.seen[here - in_slice + step.block][!turn as usize].alive;
                    let holds = after[shape.image(place, step.symmetry)];
                    candidates &= !step.symmetry.inverse().apply_to_bitboard(holds);
                    if candidates.is_empty() {
                        return candidates;
                    }
                }
            }
        }
        shape.visit_piece_moves(men, place, turn, |after, between| {
            candidates &= !alive[after] | between;
            !candidates.is_empty()
        });
        candidates
    }
}

/// Reports the progress of large endgames; small ones are done before anyone could read it.
struct SolveProgress<'a> {
    layout: &'a Layout,
    /// The number of the level, from 1.
    level: usize,
    observer: &'a dyn Observer,
    done: AtomicU64,
}

impl<'a> SolveProgress<'a> {
    fn new(layout: &'a Layout, block: usize, observer: &'a dyn Observer) -> Self {
        Self { layout, level: layout.level_of(block) + 1, observer, done: AtomicU64::new(0) }
    }

    fn is_heard(&self) -> bool {
        self.layout.material().men() > QUICK_MEN
    }

    fn tell(&self, what: &str, more: u64, total: Option<u64>) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if self.is_heard() {
            let of_level = match self.layout.levels.len() {
                1 => String::new(),
                levels => format!("squares of the pawns {} of {levels}, ", self.level),
            };
            let what = format!("{}: {of_level}{what}", self.layout.material());
            self.observer.report(Progress { what: &what, done, total });
        }
    }
}
