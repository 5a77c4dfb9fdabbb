//! Solving slice by slice: by the squares of the pawns, from those that have advanced furthest.
//!
//! Pawn moves lead to slices that are solved, as captures and promotions lead to smaller endgames. So a slice is
//! analysed like an endgame without pawns, and only a slice and those that it leads to are held. An endgame without pawns
//! is one slice.

mod departures;
mod placements;
mod shape;
mod slice;

use super::entries::Entries;
use super::store::Store;
use super::{Index, Metric, Table, Tablebase};
use departures::{Departures, ranks};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, Material, QUICK_MEN, Role, Side, Squares};
use placements::PawnPlacements;
use rayon::prelude::*;
use shape::Shape;
use slice::{SliceAnalysis, SolvedSlice, are_small};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Solves a material, given the tables of all that it leads to.
pub(super) fn solve_by_slices(
    smaller: &Tablebase,
    material: Material,
    observer: &dyn Observer,
) -> Result<Table, Stopped> {
    let metric = smaller.metric;
    let index = Index::new(material, Group::new(material));
    let (shape, placements) = (Shape::new(material, metric), PawnPlacements::new(material));
    let mut output = Output::new(&index);
    let mut solved: Vec<Option<Arc<SolvedSlice>>> = vec![None; placements.slices.len()];
    let ranks = ranks(&shape);
    let (done, total) = (AtomicU64::new(0), placements.slices.len() as u64);
    for (number, level) in placements.levels.iter().enumerate() {
        let solve = |slice: usize| {
            observer.check()?;
            let departures = Departures {
                shape: &shape,
                smaller,
                placements: &placements,
                solved: &solved,
                ranks: &ranks,
            };
            let found = SliceAnalysis::solve(&departures, &placements.slices[slice], observer)?;
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if material.men() > QUICK_MEN && total > 1 {
                let what = format!("{material}: squares of the pawns");
                observer.report(Progress { what: &what, done, total: Some(total) });
            }
            Ok(Arc::new(found))
        };
        let found: Vec<Arc<SolvedSlice>> = match are_small(&shape) {
            true => level.clone().into_par_iter().map(solve).collect::<Result<_, Stopped>>()?,
            false => level.clone().map(solve).collect::<Result<_, Stopped>>()?,
        };
        output.enter(&shape, &found);
        for (place, found) in solved[level.clone()].iter_mut().zip(found) {
            *place = Some(found);
        }
        if Some(number) == placements.last_promotion() {
            smaller.forget_promotions(material);
        }
        // No pawn move leads further down.
        if let Some(level) = number.checked_sub(2).map(|number| placements.levels[number].clone()) {
            solved[level].fill(None);
        }
    }
    drop(solved);
    let entries = output.into_entries();
    Ok(Table { index, metric, entries: Store::plain(entries) })
}

/// The entries of a table by square of the strong king, in the order of the index.
struct Output<'i> {
    index: &'i Index,
    parts: Vec<OutputPart>,
}

/// The entries with the strong king on one square.
struct OutputPart {
    pairs: Range<usize>,
    /// The number of the first placement.
    first: usize,
    /// By side to move.
    entries: [Entries; 2],
}

impl<'i> Output<'i> {
    fn new(index: &'i Index) -> Self {
        let mut parts: Vec<OutputPart> = Vec::new();
        for same in index.pairs.chunk_by(|one, other| one.strong == other.strong) {
            let begin = parts.last().map_or(0, |last| last.pairs.end);
            let (pairs, first) = (begin..begin + same.len(), same[0].first);
            let end = index.pairs.get(pairs.end).map_or(index.len(), |next| next.first);
            let entries = Side::ALL.map(|_| Entries::none(end - first));
            parts.push(OutputPart { pairs, first, entries });
        }
        Self { index, parts }
    }

    /// Enters solved slices.
    fn enter(&mut self, shape: &Shape, slices: &[Arc<SolvedSlice>]) {
        let index = self.index;
        self.parts.par_iter_mut().for_each(|part| {
            for slice in slices {
                part.enter(index, shape, slice, Symmetry::IDENTITY);
                if index.material.has_pawns() {
                    part.enter(index, shape, slice, Symmetry::MIRROR);
                }
            }
        });
    }

    fn into_entries(self) -> [Entries; 2] {
        let mut all = Side::ALL.map(|_| Entries::with_room(self.index.len()));
        for part in self.parts {
            all.iter_mut().zip(part.entries).for_each(|(all, entries)| all.append(entries));
        }
        all
    }
}

impl OutputPart {
    /// Enters the image of a solved slice under a symmetry.
    fn enter(&mut self, index: &Index, shape: &Shape, slice: &SolvedSlice, symmetry: Symmetry) {
        let pawns = index.material.tidy(symmetry.apply_to_squares(&slice.pawns));
        let back = symmetry.inverse();
        let mut place = |squares: &Squares, at: usize| {
            let squares = back.apply_to_squares(squares);
            let block = &slice.blocks[shape.block(squares[0])];
            let from = 64 * shape.place(&squares) + squares[1] as usize;
            for (to, from_entries) in self.entries.iter_mut().zip(block) {
                to.set(at, from_entries.get(from));
            }
        };
        for pair in &index.pairs[self.pairs.clone()] {
            let first = pair.first - self.first;
            if pair.diagonal.is_some() {
                for (at, squares) in (first..).zip(&*index.placements_of(pair)) {
                    place(squares, at);
                }
            } else {
                let kings = pair.squares();
                if pawns_overlap(index.material, &pawns, kings) {
                    continue;
                }
                let mut found = Vec::new();
                let number = index.others.visit_slice(pair, &pawns, |squares| found.push(*squares));
                for (at, squares) in (first + number as usize..).zip(&found) {
                    place(squares, at);
                }
            }
        }
    }
}

/// Returns true if a king stands on a pawn.
fn pawns_overlap(material: Material, pawns: &Squares, kings: Bitboard) -> bool {
    let is_pawn = |slot: &usize| material.role(*slot) == Role::Pawn;
    material.slots().filter(is_pawn).any(|slot| kings.has(pawns[slot]))
}

/// The approximate maximum memory of the analysis, without smaller tables, in bytes.
pub(super) fn memory_at_work(index: &Index, metric: Metric) -> u64 {
    let shape = Shape::new(index.material, metric);
    let placements = PawnPlacements::new(index.material);
    let frames = (shape.blocks() * shape.len()) as u64;
    let slice = 2 * frames * (64 + 4 * 8 + 16);
    let largest = placements.levels.iter().map(|level| level.len() as u64).max().unwrap_or(1);
    // The slices of three levels are held.
    let held = (3 * largest).min(placements.slices.len() as u64) * 2 * frames * 64;
    slice + held + 2 * index.len() as u64
}
