//! Solving: from the mates backwards, ply by ply.

use super::block::{Own, Reaching, Scratch, Seen};
use super::checkpoint::{Change, Notes, notes_path};
use super::entries::{Entries, Entry};
use super::frames::{Frames, Sparse};
use super::start::{Start, cell};
use super::store::Packer;
use super::{Index, Plies, Table, Tablebase};
use lucena_base::words::grouped;
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Bitboard, Material, QUICK_MEN, Side};
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// The table of a material, from those of all that it leads to. A large one that is to be kept in a file
/// notes beside it what it has come to; the notes are to be removed once the file is there.
///
/// # Errors
/// When the work is stopped.
pub(super) fn solve_table<'w>(
    smaller: &Tablebase,
    material: Material,
    file: Option<&Path>,
    watch: &'w dyn Watch,
) -> Result<(Table, Notes<'w>), Stopped> {
    let frames = Frames::new(Index::new(material, Group::of(material)));
    let path = file.filter(|_| material.men() > QUICK_MEN).map(|file| notes_path(file, None));
    let (notes, kept) = Notes::open(path.as_deref(), &frames, watch);
    let blocks = 0..frames.blocks();
    let mut solver = Solver::new(smaller, frames, blocks, kept.starts, &notes, watch)?;
    solver.run(&kept.plies, &notes)?;
    Ok((solver.into_table(), notes))
}

/// About how many bytes the analysis of an endgame takes at most, its smaller tables aside.
pub(super) fn memory_at_work(index: Index) -> u64 {
    // Three sets and 64 entries for a frame and a side to move, and lists of what a ply decides.
    const FRAME: usize = 2 * (3 * size_of::<Bitboard>() + 64 + 16);
    let frames = Frames::new(index);
    (FRAME * frames.len() * frames.blocks()) as u64
}

/// About how many bytes stay taken when large endgames are solved one after the other, of what the largest takes
/// while it is solved: the allocator gets memory back in pieces, with what is kept between them. Measured on the
/// 33 endgames of five men that were solved in one process up to KPPvKP: a third.
pub(super) fn memory_in_pieces(at_work: u64, large: usize) -> u64 {
    if large > 1 { at_work / 2 } else { 0 }
}

/// A material and all that it leads to, so that the materials of a level lead to earlier levels
/// only.
pub(super) fn levels(material: Material) -> Vec<Vec<Material>> {
    let mut levels: Vec<Vec<Material>> = Vec::new();
    let key = |material: &Material| (material.men(), material.pawns());
    for material in material.and_following() {
        match levels.last_mut() {
            Some(level) if key(&level[0]) == key(&material) => level.push(material),
            _ => levels.push(vec![material]),
        }
    }
    levels
}

/// Retrograde analysis, one ply at a time, block by block, and for all squares of the last man at
/// once: from the positions that are decided in `n` plies, unmoves lead to those that are decided in
/// `n + 1`. A position is won as soon as one move leads to a loss of the opponent, lost when all of its
/// moves win for the opponent, and drawn when neither has happened at the end. Moves that leave the
/// material are looked up beforehand.
///
/// Each ply is two steps. First every block enters what is decided in this ply; nobody looks at
/// another block. Then every block asks those that a king's move leads to what they have entered, and
/// makes out of it what is decided in the next ply; nobody changes what others look at.
pub(super) struct Solver<'a> {
    frames: Frames,
    /// By side to move, then by block.
    seen: [Vec<Seen>; 2],
    /// The first of the blocks that this solver works on: the others are another's.
    first: usize,
    /// By block from the first on, then by side to move.
    own: Vec<[Own; 2]>,
    watch: &'a dyn Watch,
}

impl<'a> Solver<'a> {
    /// Looks at all blocks from the front, but at those of which an earlier run has left notes.
    pub(super) fn new(
        smaller: &Tablebase,
        frames: Frames,
        blocks: Range<usize>,
        kept: Vec<(usize, [Start; 2])>,
        notes: &Notes<'_>,
        watch: &'a dyn Watch,
    ) -> Result<Self, Stopped> {
        let telling = Telling::new(watch, frames.index().material());
        let (first, total) = (blocks.start, blocks.len() as u64);
        let mut starts: Vec<Option<[Start; 2]>> = blocks.clone().map(|_| None).collect();
        for (block, start) in kept {
            starts[block - first] = Some(start);
        }
        let starts: Vec<[Start; 2]> = (blocks, starts)
            .into_par_iter()
            .map(|(block, kept)| {
                watch.go_on()?;
                telling.tell("captures and promotions", 1, Some(total));
                Ok(kept.unwrap_or_else(|| {
                    let starts = Start::of(smaller, &frames, block);
                    notes.keep_start(block, &starts);
                    starts
                }))
            })
            .collect::<Result<_, Stopped>>()?;
        let none = || (0..frames.blocks()).map(|_| Seen::default()).collect::<Vec<_>>();
        let mut seen = [none(), none()];
        let mut own = Vec::with_capacity(starts.len());
        for (block, starts) in (first..).zip(starts) {
            let [strong, weak] = starts.map(Own::new);
            seen[Side::Strong as usize][block] = strong.1;
            seen[Side::Weak as usize][block] = weak.1;
            own.push([strong.0, weak.0]);
        }
        Ok(Self { frames, seen, first, own, watch })
    }

    /// The blocks that this solver works on.
    pub(super) fn blocks(&self) -> Range<usize> {
        self.first..self.first + self.own.len()
    }

    /// Ply by ply until nothing is decided any more, from where an earlier run has noted that it was.
    fn run(&mut self, kept: &[Range<u64>], notes: &Notes<'_>) -> Result<(), Stopped> {
        let telling = Telling::new(self.watch, self.frames.index().material());
        let mut last = self.restore(kept, notes)?;
        while last.is_none_or(|_| !self.is_done()) {
            let plies = last.map_or(0, |last| last + 1);
            let decided = self.enter_next(plies)?;
            notes.keep_ply(plies, self.changes());
            if telling.is_heard() {
                let undecided = grouped(self.undecided());
                telling.tell(
                    &format!("ply {plies}, {undecided} positions undecided"),
                    decided,
                    None,
                );
            }
            last = Some(plies);
        }
        Ok(())
    }

    /// Enters what an earlier run has noted; the last ply of it, if there is any.
    pub(super) fn restore(
        &mut self,
        kept: &[Range<u64>],
        notes: &Notes<'_>,
    ) -> Result<Option<Plies>, Stopped> {
        let mut last = None;
        for (plies, ply) in (0..).zip(kept) {
            self.watch.go_on()?;
            let Some(changes) = notes.changes(ply, &self.frames) else { break };
            let own = self.blocks();
            if changes.iter().any(|change| !own.contains(&change.block)) {
                // They are the notes of another division.
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

    /// Makes what a ply decides out of the ply before, and enters it; how many positions that are.
    pub(super) fn enter_next(&mut self, plies: Plies) -> Result<u64, Stopped> {
        self.watch.go_on()?;
        match plies.checked_sub(1) {
            Some(before) => self.reach(before)?,
            None => self.look_ahead(),
        }
        Ok(self.enter(plies))
    }

    /// Whether nothing was decided in the ply at work, and nothing is due later.
    fn is_done(&self) -> bool {
        let nothing_due = self.own.iter().flatten().all(|own| own.due.is_empty());
        nothing_due && self.seen.iter().flatten().all(|seen| seen.decided.is_empty())
    }

    /// How many positions of the blocks are not decided yet; those that stay so are drawn. Where both kings stand
    /// on the diagonal, mirror images are two.
    pub(super) fn undecided(&self) -> u64 {
        let open = self.own.par_iter().flatten().flat_map_iter(|own| &own.open);
        open.map(|open| u64::from(open.len())).sum()
    }

    /// What the blocks have entered in the ply at work.
    pub(super) fn changes(&self) -> impl Iterator<Item = (usize, Side, &Sparse)> {
        Side::ALL.into_iter().flat_map(|turn| {
            let seen = &self.seen[turn as usize];
            self.blocks().map(move |block| (block, turn, &seen[block].decided))
        })
    }

    /// Settles the double steps of a ply that an earlier run has gone through.
    fn settle_again(&mut self, plies: Plies) {
        let (frames, seen) = (&self.frames, &self.seen);
        let with_passings = (self.first..).zip(&mut self.own);
        for (block, own) in with_passings.filter(|(_, own)| own.iter().any(Own::has_passings)) {
            let reaching = Reaching { frames, seen, block, plies };
            for turn in Side::ALL {
                // What follows from it has been noted too.
                reaching.settle_passings(own, turn, &mut Scratch::new(frames));
            }
        }
    }

    /// Every block enters what is decided in a ply; how many positions that are in all.
    fn enter(&mut self, plies: Plies) -> u64 {
        let blocks = self.blocks();
        let [strong, weak] = &mut self.seen;
        (&mut self.own, &mut strong[blocks.clone()], &mut weak[blocks])
            .into_par_iter()
            .map(|([own_strong, own_weak], strong, weak)| {
                own_strong.enter(strong, plies) + own_weak.enter(weak, plies)
            })
            .sum()
    }

    /// Every block makes what is decided in the ply after one out of what was entered in it.
    ///
    /// # Errors
    /// When the work is stopped.
    fn reach(&mut self, plies: Plies) -> Result<(), Stopped> {
        let (frames, seen, watch, blocks) = (&self.frames, &self.seen, self.watch, self.blocks());
        (blocks, &mut self.own).into_par_iter().try_for_each_init(
            || Scratch::new(frames),
            |scratch, (block, own)| {
                watch.go_on()?;
                let reaching = Reaching { frames, seen, block, plies };
                for turn in Side::ALL {
                    reaching.settle_passings(own, turn, scratch);
                    reaching.reach(&mut own[turn as usize], turn, scratch);
                }
                Ok(())
            },
        )
    }

    /// What is decided at once: mates.
    fn look_ahead(&mut self) {
        let (frames, seen, blocks) = (&self.frames, &self.seen, self.blocks());
        (blocks, &mut self.own).into_par_iter().for_each_init(
            || Scratch::new(frames),
            |scratch, (block, own)| {
                for turn in Side::ALL {
                    let own = &mut own[turn as usize];
                    let reaching = Reaching { frames, seen, block, plies: 0 };
                    own.next = reaching.decided(own, turn, 0, scratch);
                }
            },
        );
    }

    fn into_table(self) -> Table {
        let packers = Side::ALL.map(|_| Packer::new(self.frames.index().material()));
        let (index, packers) = self.into_parts(packers, Packer::add);
        Table { index, entries: packers.map(Packer::finish) }
    }

    /// The entries by side to move, block by block in the order of the index, put together by `add`.
    fn into_parts<T>(self, mut all: [T; 2], add: impl Fn(&mut T, Entries)) -> (Index, [T; 2]) {
        let frames = &self.frames;
        let entries = |block: usize, own: [Own; 2]| {
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
            // Some at a time, so that what is done with is given back.
            let some: Vec<(usize, [Own; 2])> =
                own.by_ref().take(2 * rayon::current_num_threads()).collect();
            if some.is_empty() {
                break;
            }
            let some: Vec<[Entries; 2]> =
                some.into_par_iter().map(|(block, own)| entries(block, own)).collect();
            for entries in some {
                for (all, entries) in all.iter_mut().zip(entries) {
                    add(all, entries);
                }
            }
        }
        (self.frames.into_index(), all)
    }
}

/// What one of several workers needs besides, which has only a part of the blocks.
#[cfg(feature = "dist")]
impl Solver<'_> {
    pub(super) fn frames(&self) -> &Frames {
        &self.frames
    }

    /// What is alive in a block and what it has entered in the ply at work, with a side to move.
    pub(super) fn seen(&self, block: usize, turn: Side) -> (&[Bitboard], &Sparse) {
        let Seen { alive, decided } = &self.seen[turn as usize][block];
        (alive, decided)
    }

    /// The next ply in which there is work, whatever others enter.
    pub(super) fn due(&self, last: Plies) -> Option<Plies> {
        let decided =
            self.blocks().any(|block| self.seen.iter().any(|seen| !seen[block].decided.is_empty()));
        let due = self.own.iter().flatten().filter_map(|own| own.due.first().copied()).min();
        if decided { Some(last + 1) } else { due.map(|due| due.max(last + 1)) }
    }

    /// What the blocks of others have entered is of the ply before.
    pub(super) fn forget_others(&mut self) {
        let own = self.blocks();
        for seen in &mut self.seen {
            let others = seen.iter_mut().enumerate().filter(|(block, _)| !own.contains(block));
            others.for_each(|(_, seen)| seen.decided.clear());
        }
    }

    /// Takes in how a block of another stands, or what it has entered in a ply; nothing where it has not been
    /// said before how it stands.
    pub(super) fn hear(
        &mut self,
        block: usize,
        turn: Side,
        decided: Sparse,
        alive: Option<Vec<Bitboard>>,
        plies: Option<Plies>,
    ) -> Option<()> {
        let seen = &mut self.seen[turn as usize][block];
        match alive {
            Some(alive) => seen.alive = alive,
            None if seen.alive.is_empty() => return None,
            None if plies.is_some_and(|plies| plies % 2 == 1) => {
                for &(frame, set) in &decided {
                    seen.alive[usize::from(frame)] &= !set;
                }
            }
            None => {}
        }
        seen.decided = decided;
        Some(())
    }

    /// The numbers in the index of what the blocks hold.
    pub(super) fn numbers(&self) -> Range<usize> {
        let index = self.frames.index();
        let first =
            |block: usize| index.pairs().get(block).map_or(index.len(), |pair| pair.first());
        first(self.first)..first(self.first + self.own.len())
    }

    /// The entries of the blocks by side to move, in the order of the index.
    pub(super) fn into_entries(self) -> (Index, [Entries; 2]) {
        let none = Side::ALL.map(|_| Entries::none(0));
        self.into_parts(none, Entries::append)
    }
}

/// Tells how far a large endgame has come: the small ones are done before anybody could read it.
struct Telling<'a> {
    watch: &'a dyn Watch,
    material: Material,
    done: AtomicU64,
}

impl<'a> Telling<'a> {
    fn new(watch: &'a dyn Watch, material: Material) -> Self {
        Self { watch, material, done: AtomicU64::new(0) }
    }

    fn is_heard(&self) -> bool {
        self.material.men() > QUICK_MEN
    }

    fn tell(&self, what: &str, more: u64, total: Option<u64>) {
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if self.is_heard() {
            let what = format!("{}: {what}", self.material);
            self.watch.tell(Progress { what: &what, done, total });
        }
    }
}
