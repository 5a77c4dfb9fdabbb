//! Solving by retrograde analysis: from the mates backwards, ply by ply.

use super::bit_parallel_moves::Frames;
use super::block::{Decided, PlyStep, PrivateState, Scratch, SharedState};
use super::checkpoint::{Change, CheckpointWriter, checkpoint_path};
use super::entries::{Entries, Entry};
use super::initial_block::{InitialBlock, cell};
use super::slices::{self, solve_by_slices};
use super::store::Store;
use super::{Index, Metric, Plies, Table, Tablebase};
use lucena_base::plural::grouped;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Bitboard, Material, QUICK_MEN, Side};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Solves a material, given the tables of all that it leads to. A large one that is to be stored in a file
/// writes a checkpoint beside it, which the caller removes once the file is written.
pub(super) fn solve_table<'w>(
    smaller: &Tablebase,
    material: Material,
    file: Option<&Path>,
    observer: &'w dyn Observer,
) -> Result<(Table, CheckpointWriter<'w>), Stopped> {
    let metric = smaller.metric;
    if !has_checkpoints(material, metric) {
        let table = solve_by_slices(smaller, material, observer)?;
        return Ok((table, CheckpointWriter::none(observer)));
    }
    let frames = Frames::new(Index::new(material, Group::new(material)), metric);
    let path = file.map(|file| checkpoint_path(file, None));
    let (notes, kept) = CheckpointWriter::open(path.as_deref(), &frames, observer);
    let blocks = 0..frames.blocks();
    let mut solver = Solver::new(smaller, frames, blocks, kept.starts, &notes, observer)?;
    solver.run(&kept.plies, &notes)?;
    Ok((solver.into_table(), notes))
}

/// Returns true if the analysis of an endgame writes checkpoints.
fn has_checkpoints(material: Material, metric: Metric) -> bool {
    material.men() > QUICK_MEN && metric == Metric::Dtm
}

/// The approximate maximum memory of the analysis of an endgame, without its smaller tables, in bytes.
pub(super) fn memory_at_work(index: Index, metric: Metric) -> u64 {
    if !has_checkpoints(index.material, metric) {
        return slices::memory_at_work(&index, metric);
    }
    // Per frame and side to move: three sets, 64 entries, and lists of the positions a ply decides.
    let frame = 2 * (3 * size_of::<Bitboard>() + 64 + 16);
    let frames = Frames::new(index, metric);
    (frame * frames.len() * frames.blocks()) as u64
}

/// The approximate memory lost to fragmentation when several large endgames are solved in sequence, in
/// bytes. Measured on the 33 endgames of five men that one process solved up to KPPvKP: a third of the
/// memory at work.
pub(super) fn memory_in_pieces(at_work: u64, large: usize) -> u64 {
    if large > 1 { at_work / 2 } else { 0 }
}

/// Returns a material and all that it leads to in levels, such that the materials of a level only lead to
/// earlier levels.
pub(super) fn levels(material: Material) -> Vec<Vec<Material>> {
    let mut levels: Vec<Vec<Material>> = Vec::new();
    let key = |material: &Material| (material.men(), material.pawns());
    for material in material.with_successors() {
        match levels.last_mut() {
            Some(level) if key(&level[0]) == key(&material) => level.push(material),
            _ => levels.push(vec![material]),
        }
    }
    levels
}

/// Retrograde analysis, one ply at a time, block by block, and for all squares of the last man at once.
/// From the positions decided in `n` plies, unmoves lead to those decided in `n + 1`. A position is won
/// as soon as one move leads to a loss of the opponent, lost when all moves lead to wins of the opponent,
/// and drawn if neither has happened at the end. Moves out of the material are looked up beforehand.
///
/// Each ply has two steps, both parallel over the blocks. First every block enters the positions decided
/// in this ply, writing only its own state. Then every block reads the entered positions of the blocks
/// that its king moves lead to, and computes the positions to be decided in the next ply.
pub(super) struct Solver<'a> {
    pub(super) frames: Frames,
    /// The shared state by side to move, then by block.
    seen: [Vec<SharedState>; 2],
    /// The first of the blocks of this solver; other workers have the others.
    first: usize,
    /// The private state by block from `first` on, then by side to move.
    own: Vec<[PrivateState; 2]>,
    observer: &'a dyn Observer,
}

impl<'a> Solver<'a> {
    /// Initialises all blocks, except those in the checkpoint of an earlier run.
    pub(super) fn new(
        smaller: &Tablebase,
        frames: Frames,
        blocks: Range<usize>,
        kept: Vec<(usize, [InitialBlock; 2])>,
        notes: &CheckpointWriter<'_>,
        observer: &'a dyn Observer,
    ) -> Result<Self, Stopped> {
        let telling = SolveProgress::new(observer, frames.index.material);
        let (first, total) = (blocks.start, blocks.len() as u64);
        let mut starts: Vec<Option<[InitialBlock; 2]>> = blocks.clone().map(|_| None).collect();
        for (block, start) in kept {
            starts[block - first] = Some(start);
        }
        let starts: Vec<[InitialBlock; 2]> = (blocks, starts)
            .into_par_iter()
            .map(|(block, kept)| {
                observer.check()?;
                telling.tell("captures and promotions", 1, Some(total));
                if let Some(starts) = kept {
                    return Ok(starts);
                }
                let starts = InitialBlock::both_turns(smaller, &frames, block);
                smaller.check_readable()?;
                notes.keep_start(block, &starts);
                Ok(starts)
            })
            .collect::<Result<_, Stopped>>()?;
        let none = || (0..frames.blocks()).map(|_| SharedState::default()).collect::<Vec<_>>();
        let mut seen = [none(), none()];
        let mut own = Vec::with_capacity(starts.len());
        for (block, starts) in (first..).zip(starts) {
            let [strong, weak] = starts.map(PrivateState::new);
            seen[Side::Strong as usize][block] = strong.1;
            seen[Side::Weak as usize][block] = weak.1;
            own.push([strong.0, weak.0]);
        }
        Ok(Self { frames, seen, first, own, observer })
    }

    /// The blocks of this solver.
    pub(super) fn blocks(&self) -> Range<usize> {
        self.first..self.first + self.own.len()
    }

    /// Runs the analysis to its end, from the last ply in the checkpoint of an earlier run.
    fn run(&mut self, kept: &[Range<u64>], notes: &CheckpointWriter<'_>) -> Result<(), Stopped> {
        let telling = SolveProgress::new(self.observer, self.frames.index.material);
        let mut last = self.restore(kept, notes)?;
        while last.is_none_or(|_| !self.is_done()) {
            let plies = last.map_or(0, |last| last + 1);
            let decided = self.enter_next(plies)?;
            notes.keep_ply(plies, self.changes());
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
    pub(super) fn restore(
        &mut self,
        kept: &[Range<u64>],
        notes: &CheckpointWriter<'_>,
    ) -> Result<Option<Plies>, Stopped> {
        let mut last = None;
        for (plies, ply) in (0..).zip(kept) {
            self.observer.check()?;
            let Some(changes) = notes.changes(ply, &self.frames) else { break };
            let own = self.blocks();
            if changes.iter().any(|change| !own.contains(&change.block)) {
                // The checkpoint is of another division of the blocks.
                break;
            }
            if let Some(last) = last {
                self.settle_again(last);
            }
            for Change { block, turn, decided } in changes {
                self.own[block - self.first][turn as usize].next = decided;
            }
            self.enter(plies);
            last = Some(plies);
        }
        if let Some(last) = last {
            for own in self.own.iter_mut().flatten() {
                own.due = own.due.split_off(&(last + 1));
            }
        }
        Ok(last)
    }

    /// Computes and enters the positions that a ply decides; returns their number.
    pub(super) fn enter_next(&mut self, plies: Plies) -> Result<u64, Stopped> {
        self.observer.check()?;
        self.decide(plies)?;
        Ok(self.enter(plies))
    }

    /// Returns true if the current ply decided nothing and nothing is due later.
    fn is_done(&self) -> bool {
        let nothing_due = self.own.iter().flatten().all(|own| own.due.is_empty());
        nothing_due && self.seen.iter().flatten().all(|seen| seen.decided.is_empty())
    }

    /// The number of undecided positions of the blocks; those that stay undecided are drawn. If both kings are
    /// on the diagonal, mirror images count twice.
    pub(super) fn undecided(&self) -> u64 {
        let open = self.own.par_iter().flatten().flat_map_iter(|own| &own.open);
        open.map(|open| u64::from(open.len())).sum()
    }

    /// The positions that the blocks have entered in the current ply.
    pub(super) fn changes(&self) -> impl Iterator<Item = (usize, Side, &Decided)> {
        Side::ALL.into_iter().flat_map(|turn| {
            let seen = &self.seen[turn as usize];
            self.blocks().map(move |block| (block, turn, &seen[block].decided))
        })
    }

    /// Settles the double steps of a replayed ply.
    fn settle_again(&mut self, plies: Plies) {
        let (frames, seen) = (&self.frames, &self.seen);
        let with_passings = (self.first..).zip(&mut self.own);
        for (block, own) in
            with_passings.filter(|(_, own)| own.iter().any(PrivateState::has_passings))
        {
            let reaching = PlyStep { frames, seen, block, plies };
            for turn in Side::ALL {
                // The consequences are in the checkpoint too, so the scratch is dropped.
                reaching.settle_passings(own, turn, &mut Scratch::new(frames));
            }
        }
    }

    /// Enters the positions decided in a ply in every block; returns their number.
    fn enter(&mut self, plies: Plies) -> u64 {
        let (blocks, metric) = (self.blocks(), self.frames.metric);
        let [strong, weak] = &mut self.seen;
        (&mut self.own, &mut strong[blocks.clone()], &mut weak[blocks])
            .into_par_iter()
            .map(|([own_strong, own_weak], strong, weak)| {
                own_strong.enter(strong, plies, metric) + own_weak.enter(weak, plies, metric)
            })
            .sum()
    }

    /// Computes in every block the positions decided in a ply: the mates in ply 0, and in every other ply
    /// those that the ply before decides.
    fn decide(&mut self, ply: Plies) -> Result<(), Stopped> {
        let (frames, seen, observer, blocks) =
            (&self.frames, &self.seen, self.observer, self.blocks());
        (blocks, &mut self.own).into_par_iter().try_for_each_init(
            || Scratch::new(frames),
            |scratch, (block, own)| {
                observer.check()?;
                let reaching = PlyStep { frames, seen, block, plies: ply.saturating_sub(1) };
                for turn in Side::ALL {
                    if ply == 0 {
                        let own = &mut own[turn as usize];
                        own.next = reaching.decided(own, turn, ply, scratch);
                    } else {
                        reaching.settle_passings(own, turn, scratch);
                        reaching.compute_next(&mut own[turn as usize], turn, scratch);
                    }
                }
                Ok(())
            },
        )
    }

    fn into_table(self) -> Table {
        let metric = self.frames.metric;
        let (index, entries) = self.into_entries();
        Table { index, metric, entries: Store::plain(entries) }
    }

    /// Returns the entries of the blocks by side to move, in the order of the index.
    pub(super) fn into_entries(self) -> (Index, [Entries; 2]) {
        let mut all = Side::ALL.map(|_| Entries::none(0));
        let frames = &self.frames;
        let entries = |block: usize, own: [PrivateState; 2]| {
            let placements = frames.placements_of(block);
            own.map(|own| {
                let mut entries = Entries::none(placements.len());
                for (number, at) in placements.iter().enumerate() {
                    let entry = match *at {
                        // Bare kings.
                        None => Entry::DRAW,
                        Some((frame, last)) if own.open[frame].has(last) => Entry::DRAW,
                        Some((frame, last)) => own.entries.get(cell(frame as u16, last)),
                    };
                    entries.set(number, entry);
                }
                entries
            })
        };
        let mut own = (self.first..).zip(self.own);
        loop {
            // In batches, so that memory is freed along the way.
            let some: Vec<(usize, [PrivateState; 2])> =
                own.by_ref().take(2 * rayon::current_num_threads()).collect();
            if some.is_empty() {
                break;
            }
            let some: Vec<[Entries; 2]> =
                some.into_par_iter().map(|(block, own)| entries(block, own)).collect();
            for entries in some {
                for (all, entries) in all.iter_mut().zip(entries) {
                    all.append(entries);
                }
            }
        }
        (self.frames.index, all)
    }
}

/// Methods for a worker, which has only a part of the blocks.
#[cfg(feature = "dist")]
impl Solver<'_> {
    /// The positions of a block, with a side to move, that are alive, and those entered in the current ply.
    pub(super) fn seen(&self, block: usize, turn: Side) -> (&[Bitboard], &Decided) {
        let SharedState { alive, decided } = &self.seen[turn as usize][block];
        (alive, decided)
    }

    /// The next ply in which there is work regardless of what other workers enter.
    pub(super) fn due(&self, last: Plies) -> Option<Plies> {
        let decided =
            self.blocks().any(|block| self.seen.iter().any(|seen| !seen[block].decided.is_empty()));
        let due = self.own.iter().flatten().filter_map(|own| own.due.first().copied()).min();
        if decided { Some(last + 1) } else { due.map(|due| due.max(last + 1)) }
    }

    /// Clears what the blocks of other workers entered in the ply before.
    pub(super) fn forget_others(&mut self) {
        let own = self.blocks();
        for seen in &mut self.seen {
            let others = seen.iter_mut().enumerate().filter(|(block, _)| !own.contains(block));
            others.for_each(|(_, seen)| seen.decided = Decided::default());
        }
    }

    /// Applies a message about another worker's block: its full state, or what it has entered in a ply. Returns
    /// `None` if its full state has not arrived before.
    pub(super) fn apply_message(
        &mut self,
        block: usize,
        turn: Side,
        decided: Decided,
        alive: Option<Vec<Bitboard>>,
    ) -> Option<()> {
        let seen = &mut self.seen[turn as usize][block];
        match alive {
            Some(alive) => seen.alive = alive,
            None if seen.alive.is_empty() => return None,
            None => {
                for &(frame, set) in &decided.won {
                    seen.alive[usize::from(frame)] &= !set;
                }
            }
        }
        seen.decided = decided;
        Some(())
    }

    /// The range of index numbers of the blocks.
    pub(super) fn numbers(&self) -> Range<usize> {
        let index = &self.frames.index;
        let first = |block: usize| index.pairs.get(block).map_or(index.len(), |pair| pair.first);
        first(self.first)..first(self.first + self.own.len())
    }
}

/// Reports the progress of large endgames; small ones are done before anyone could read it.
struct SolveProgress<'a> {
    observer: &'a dyn Observer,
    material: Material,
    done: AtomicU64,
}

impl<'a> SolveProgress<'a> {
    fn new(observer: &'a dyn Observer, material: Material) -> Self {
        Self { observer, material, done: AtomicU64::new(0) }
    }

    fn is_heard(&self) -> bool {
        self.material.men() > QUICK_MEN
    }

    fn tell(&self, what: &str, more: u64, total: Option<u64>) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if self.is_heard() {
            let what = format!("{}: {what}", self.material);
            self.observer.report(Progress { what: &what, done, total });
        }
    }
}
