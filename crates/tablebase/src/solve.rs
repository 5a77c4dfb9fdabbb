//! Solving an endgame by retrograde analysis.
//!
//! The analysis goes from the squares of the pawns that have advanced furthest to those that have advanced least. Pawn
//! moves lead to slices that are solved, as captures and promotions lead to smaller endgames. So a slice is analysed like
//! an endgame without pawns, and only the slices of a level and those that it leads to are held. An endgame without pawns
//! is one slice.
//!
//! A level is analysed one ply at a time, block by block, and for all squares of the weak king at once. From the
//! placements decided in `n` plies, unmoves lead to those decided in `n + 1`. A placement is won as soon as one move leads
//! to a loss of the other side, lost when all moves lead to wins of the other side, and drawn if neither has happened at
//! the end. Moves out of the slice are looked up beforehand.
//!
//! Each ply has two steps, both parallel over the blocks. First every block reads what the blocks that its moves lead to
//! entered in the ply before, and computes the placements that this ply decides. Then every block enters these, writing
//! only its own state.

mod departures;
mod level;
mod output;
mod smaller_tables;

use super::checkpoint::{CheckpointWriter, KeptLevel, checkpoint_path};
use super::entries::Entries;
use super::layout::Layout;
use super::store::Store;
use super::weak_moves::Rank;
use super::{Index, Metric, Table, Tablebase};
use departures::{ByCaptures, Departures, ranks};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, QUICK_MEN, Side};
use std::ops::Range;
use std::path::Path;

pub(super) use departures::SolvedBlock;
pub(super) use level::LevelAnalysis;
pub(super) use output::Output;
use smaller_tables::SmallerTables;

/// Solves a material, given the tables of all that it leads to. The file of its table gives the place of its checkpoint,
/// which is returned; without one, and for endgames that are solved within seconds, there is none.
pub(super) fn solve_table<'w>(
    smaller: &Tablebase,
    material: Material,
    file: Option<&Path>,
    observer: &'w dyn Observer,
) -> Result<(Table, CheckpointWriter<'w>), Stopped> {
    let metric = smaller.metric;
    let layout = Layout::new(material, metric);
    let index = Index::new(material, Group::new(material));
    let path = file.filter(|_| material.men() > QUICK_MEN).map(|file| checkpoint_path(file, None));
    let (notes, kept) = CheckpointWriter::open(path.as_deref(), &layout, observer);
    let mut solution = Solution::new(&layout, smaller);
    let mut output = Output::new(&index);
    for level in 0..layout.levels.len() {
        let none = KeptLevel::new();
        let record = (kept.get(level).unwrap_or(&none), &notes);
        let is_finished = level + 1 < kept.len();
        let replayed = match is_finished {
            true => LevelAnalysis::of_finished(&layout, layout.level(level), record, observer)?,
            false => None,
        };
        let analysis = match replayed {
            Some(analysis) => analysis,
            None => {
                let mut analysis = solution.analysis(level, layout.level(level), observer)?;
                analysis.run(record.0, record.1)?;
                analysis
            }
        };
        analysis.into_solved().for_each(|(block, solved)| solution.enter(block, solved));
        output.enter(&solution, level);
        solution.finish(level);
    }
    drop(solution);
    let entries = Store::Memory(output.into_entries());
    Ok((Table { index, metric, entries }, notes))
}

/// The solution of a material, level by level.
pub(super) struct Solution<'s> {
    layout: &'s Layout,
    smaller: &'s Tablebase,
    tables: SmallerTables<'s>,
    by_captures: Vec<Option<ByCaptures<'s>>>,
    /// The rank of a move to a position by its entry.
    ranks: Vec<Rank>,
    /// The blocks that are solved and still needed.
    solved: Vec<Option<SolvedBlock>>,
}

impl<'s> Solution<'s> {
    pub(super) fn new(layout: &'s Layout, smaller: &'s Tablebase) -> Self {
        let solved = (0..layout.blocks()).map(|_| None).collect();
        let tables = SmallerTables::new(layout.material(), &Side::ALL, smaller);
        let by_captures = ByCaptures::all(&tables, smaller);
        Self { layout, smaller, tables, by_captures, ranks: ranks(&layout.shape), solved }
    }

    /// Begins the analysis of some blocks of a level. The blocks that their pawn moves lead to have been entered.
    pub(super) fn analysis(
        &self,
        level: usize,
        blocks: Range<usize>,
        observer: &'s dyn Observer,
    ) -> Result<LevelAnalysis<'s>, Stopped> {
        let (layout, smaller) = (self.layout, self.smaller);
        let (tables, solved) = (&self.tables, self.solved.as_slice());
        let (by_captures, ranks) = (&self.by_captures, &self.ranks);
        let departures = Departures { layout, smaller, tables, by_captures, solved, ranks };
        LevelAnalysis::new(layout, &departures, (layout.level(level), blocks), observer)
    }

    /// Enters the entries of a solved block.
    pub(super) fn enter(&mut self, block: usize, solved: SolvedBlock) {
        self.solved[block] = Some(solved);
    }

    /// Frees what no level after one needs.
    pub(super) fn finish(&mut self, level: usize) {
        let layout = self.layout;
        if Some(level) == layout.last_promotion {
            self.smaller.forget_promotions(layout.material());
        }
        if level + 1 < layout.levels.len() {
            let needed = layout.level(layout.levels_before(level + 1).start).start;
            self.solved[..needed].fill(None);
        }
        // After a pawn move it is the other side's turn.
        let is_needed = |turn: Side| layout.material().has_pawns_of(!turn);
        for turn in Side::ALL.into_iter().filter(|&turn| !is_needed(turn)) {
            for solved in self.solved[layout.level(level)].iter_mut().flatten() {
                solved[turn as usize] = Entries::none(0);
            }
        }
    }

    pub(super) fn solved(&self, block: usize) -> &SolvedBlock {
        self.solved[block].as_ref().expect("the blocks of a level are solved when they are read")
    }
}

/// The approximate maximum memory of the analysis of an endgame, without its smaller tables, in bytes.
pub(super) fn memory_at_work(index: &Index, metric: Metric) -> u64 {
    let layout = Layout::new(index.material, metric);
    let frames = |level: usize| (layout.level(level).len() * layout.shape.len()) as u64;
    // Per frame and side to move: the entries, three sets, and lists of the placements that a ply decides.
    let at_work = |level: usize| 2 * (64 + 3 * 8 + 24) * frames(level);
    // Of a solved level, the entries that pawn moves lead to.
    let sides = Side::ALL.into_iter().filter(|&side| index.material.has_pawns_of(side)).count();
    let held = |level: usize| 64 * sides as u64 * frames(level);
    let levels = 0..layout.levels.len();
    let most = levels.map(|level| {
        let solved = layout.levels_before(level).start..level;
        at_work(level) + solved.map(held).sum::<u64>()
    });
    most.max().unwrap_or(0) + 2 * index.len() as u64
}

/// The approximate memory, in bytes, of what a worker knows of the blocks of all workers while a level is analysed, and of
/// their entries at its end.
#[cfg(feature = "dist")]
pub(super) fn memory_of_others(material: Material) -> (u64, u64) {
    let layout = Layout::new(material, Metric::Dtm);
    let blocks = (0..layout.levels.len()).map(|level| layout.level(level).len()).max().unwrap_or(0);
    let frames = 2 * (blocks * layout.shape.len()) as u64;
    (8 * frames, 64 * frames)
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
