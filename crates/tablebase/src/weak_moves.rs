//! The entries with the weak side to move, as far as they follow from those with the strong side to move.
//!
//! The outcome of a position is the best that a move leads to. So the entries of one side to move, and the outcomes of
//! captures and promotions, give those of the other. A table file stores the entries with the strong side to move, and
//! for the weak side only those that do not follow by its other moves.

use super::bit_parallel_moves::Frames;
use super::entries::Entry;
use super::parts::Part;
use super::piece_index::home;
use super::{Metric, Outcome, Plies};
use cozy_chess::{get_between_rays, get_pawn_attacks, get_pawn_quiets};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Position, Role, Side, Slot, Square, Squares};
use rayon::prelude::*;

/// The outcome for the weak side as a number: a better one is greater. Processors find the greater of signed numbers
/// fastest.
pub(super) type Rank = i16;

/// The rank where there is no move, which is less than all others.
pub(super) const NO_MOVE: Rank = Rank::MIN;

/// The rank of a draw. Wins are above it, losses below it.
pub(super) const DRAW: Rank = 0;

/// The greatest entry that a file may have: no distance is so long.
pub(super) const GREATEST_ENTRY: u16 = 4095;

/// The ranks of the placements of a frame, by the square of the last man.
pub(super) type Lanes = [Rank; 64];

/// Returns the entry that the weak side's moves give a position, as if captures drew, and without promotions. `entry`
/// looks up placements with the strong side to move.
pub(super) fn entry_by_moves<E>(
    position: &Position,
    metric: Metric,
    mut entry: impl FnMut(&Squares) -> Result<Entry, E>,
) -> Result<Entry, E> {
    let mut best = Ok(NO_MOVE);
    position.visit_steps(|step| {
        let Ok(so_far) = best else { return };
        if !step.converts() {
            let mut squares = *position.squares();
            squares[step.slot] = step.to;
            let zeroes = position.material().role(step.slot) == Role::Pawn;
            best = entry(&squares).map(|after| so_far.max(rank_before(metric, after, zeroes)));
        }
    });
    best.map(|best| metric.entry(outcome_of(rank_with_captures(position, best))))
}

/// The rank of a position's best move, given that of the best one without captures and promotions, as if captures drew.
/// It is that of a loss if the position is a mate.
fn rank_with_captures(position: &Position, best: Rank) -> Rank {
    let (mut captures, mut moves) = (false, false);
    position.visit_steps(|step| {
        moves = true;
        captures |= step.captured.is_some();
    });
    if captures {
        best.max(DRAW)
    } else if !moves && position.is_attacked(position.king(position.turn()), !position.turn()) {
        rank_of(Outcome::Loss(0))
    } else {
        best
    }
}

/// The weak side's moves within the material, for whole blocks at a time.
pub(super) struct WeakMoves<'f> {
    frames: &'f Frames,
    /// The rank of a move to a placement by the placement's entry: for moves of pieces, and for those of pawns.
    ranks: [Vec<Rank>; 2],
}

impl<'f> WeakMoves<'f> {
    pub(super) fn new(frames: &'f Frames) -> Self {
        let entries = || (0..=GREATEST_ENTRY).map(Entry);
        let ranks = [false, true].map(|zeroes| {
            entries().map(|entry| rank_before(frames.metric, entry, zeroes)).collect()
        });
        Self { frames, ranks }
    }

    /// The ranks of the moves to the placements of each block of a part. `strong` has the entries of the part with the
    /// strong side to move; what it has for placements that are not legal does not matter.
    pub(super) fn ranks(&self, part: &Part, strong: impl Fn(usize) -> Entry + Sync) -> RanksOfPart {
        let blocks = part.pairs.clone().into_par_iter();
        RanksOfPart {
            first: part.pairs.start,
            blocks: blocks.map(|block| self.block(block, part, &strong)).collect(),
        }
    }

    /// Returns the entries that the moves give the placements of a block of a part, by frame and square of the last man:
    /// as if captures drew, and without promotions. Those of placements that are not legal mean nothing.
    pub(super) fn entries(&self, block: usize, ranks: &RanksOfPart) -> EntriesByMoves<'_> {
        let frames = 0..self.frames.len();
        let ranks = frames.map(|frame| self.best(block, frame, ranks)).collect();
        EntriesByMoves { frames: self.frames, block, ranks }
    }

    /// The ranks of moves to the placements of a block.
    fn block(&self, block: usize, part: &Part, strong: &impl Fn(usize) -> Entry) -> Block {
        let (frames, index) = (self.frames, &self.frames.index);
        let [by_piece, by_pawn] = &self.ranks;
        let none = vec![[NO_MOVE; 64]; frames.len()];
        let pawns = index.material.has_pawns_of(Side::Weak);
        let mut found =
            Block { by_pawn: if pawns { none.clone() } else { Vec::new() }, by_piece: none };
        let mut set = |(frame, last): (usize, Square), number: usize| {
            let entry = usize::from(strong(number - part.numbers.start).0);
            found.by_piece[frame][last as usize] = by_piece[entry];
            if pawns {
                found.by_pawn[frame][last as usize] = by_pawn[entry];
            }
        };
        if index.pairs[block].diagonal.is_some() || frames.last() < 2 {
            for frame in 0..frames.len() {
                for last in frames.legal(block, frame, Side::Strong) {
                    set((frame, last), frames.number(block, frame, last));
                }
            }
            return found;
        }
        for row in index.rows(block, index.numbers_of(block)) {
            let legal = row.legal(index, Side::Strong);
            for slot in frames.lasts() {
                let along = frames.along(&row, slot);
                for (number, &square) in (row.first..).zip(&row.places) {
                    if legal.has(square) {
                        set(along(square), number);
                    }
                }
            }
        }
        found
    }

    /// The rank of the best move from each placement of a frame.
    fn best(&self, block: usize, frame: usize, blocks: &RanksOfPart) -> (Lanes, Bitboard) {
        let frames = self.frames;
        let mut best = [NO_MOVE; 64];
        let places = frames.places(block, frame);
        if places.is_empty() {
            return (best, places);
        }
        let squares = frames.squares(block, frame);
        let others = frames.others(&squares);
        for step in frames.steps(block, Side::Weak) {
            if others.has(step.to) {
                continue;
            }
            let image = frames.image(frame, step.symmetry);
            let after = &blocks.of(step.block).by_piece[image];
            if step.symmetry == Symmetry::IDENTITY {
                raise(&mut best, after);
            } else {
                for last in places {
                    let after = after[step.symmetry.apply(last) as usize];
                    best[last as usize] = best[last as usize].max(after);
                }
            }
        }
        let here = blocks.of(block);
        let material = frames.index.material;
        let men = Position::from_slots_unchecked(material, Side::Weak, squares);
        for slot in material.slots_of(Side::Weak).skip(1) {
            let ranks = here.of(material.role(slot));
            if slot == frames.last() {
                for last in places {
                    let targets = targets(&men, slot, last, others);
                    let ranks = targets.into_iter().map(|to| ranks[frame][to as usize]);
                    best[last as usize] = ranks.fold(best[last as usize], Rank::max);
                }
                continue;
            }
            let from = squares[slot];
            for to in targets(&men, slot, from, others) {
                let mut squares = squares;
                squares[slot] = to;
                let after = &ranks[frames.frame(&squares)];
                let between = get_between_rays(from, to);
                if (between & places).is_empty() {
                    raise(&mut best, after);
                } else {
                    let mut after = *after;
                    for last in between {
                        after[last as usize] = NO_MOVE;
                    }
                    raise(&mut best, &after);
                }
            }
        }
        (best, attacked(&men, frames.last(), others))
    }
}

/// The squares of the last man with which a weak man attacks a strong one, if the last man is in no one's way.
fn attacked(men: &Position, last: Slot, others: Bitboard) -> Bitboard {
    let (material, squares) = (men.material(), men.squares());
    let mut attacked = Bitboard::EMPTY;
    let strong = material.slots_of(Side::Strong).filter(|&slot| slot != last);
    let targets = strong.fold(Bitboard::EMPTY, |all, slot| all | squares[slot].bitboard());
    for slot in material.slots_of(Side::Weak) {
        if slot == last {
            let from = |square: Square| match material.role(slot) {
                Role::Pawn => get_pawn_attacks(square, !men.color(Side::Weak)),
                _ => men.attacks(slot, square, others),
            };
            attacked |= targets.into_iter().fold(Bitboard::EMPTY, |all, square| all | from(square));
            continue;
        }
        let attacks = men.attacks(slot, squares[slot], others);
        if !(attacks & targets).is_empty() {
            return Bitboard::FULL;
        }
        if material.side(last) == Side::Strong {
            attacked |= attacks;
        }
    }
    attacked
}

/// The ranks of the moves to the placements of a part.
pub(super) struct RanksOfPart {
    /// The first block.
    first: usize,
    blocks: Vec<Block>,
}

impl RanksOfPart {
    fn of(&self, block: usize) -> &Block {
        &self.blocks[block - self.first]
    }
}

/// The entries that the weak side's moves give the placements of a block.
pub(super) struct EntriesByMoves<'f> {
    frames: &'f Frames,
    block: usize,
    /// By frame the ranks of the best moves without captures and promotions, and the placements with a man attacked.
    ranks: Vec<(Lanes, Bitboard)>,
}

impl EntriesByMoves<'_> {
    /// The entry of a legal placement.
    pub(super) fn get(&self, (frame, last): (usize, Square)) -> Entry {
        let (ranks, attacked) = &self.ranks[frame];
        let mut rank = ranks[last as usize];
        if rank == NO_MOVE || rank < DRAW && attacked.has(last) {
            let position = self.frames.placement(self.block, frame, last, Side::Weak);
            rank = rank_with_captures(&position, rank);
        }
        self.frames.metric.entry(outcome_of(rank))
    }
}

/// The ranks of moves to the placements of a block by frame.
struct Block {
    /// Of moves of pieces.
    by_piece: Vec<Lanes>,
    /// Of moves of pawns; empty if the weak side has none.
    by_pawn: Vec<Lanes>,
}

impl Block {
    fn of(&self, role: Role) -> &[Lanes] {
        if role == Role::Pawn { &self.by_pawn } else { &self.by_piece }
    }
}

/// Raises ranks to others that are greater.
fn raise(ranks: &mut Lanes, others: &Lanes) {
    for (rank, other) in ranks.iter_mut().zip(others) {
        *rank = (*rank).max(*other);
    }
}

/// The squares to which a man can move without a capture or promotion, past the last man.
fn targets(men: &Position, slot: Slot, from: Square, others: Bitboard) -> Bitboard {
    let material = men.material();
    match material.role(slot) {
        Role::Pawn => {
            let color = men.color(material.side(slot));
            get_pawn_quiets(from, color, others) & home(Role::Pawn)
        }
        _ => men.attacks(slot, from, others) & !others,
    }
}

/// The rank of a move to a position with an entry.
pub(super) fn rank_before(metric: Metric, after: Entry, zeroes: bool) -> Rank {
    metric.outcome(after).map_or(NO_MOVE, |after| rank_of(metric.before_move(after, zeroes)))
}

/// The rank of an outcome.
pub(super) fn rank_of(outcome: Outcome) -> Rank {
    match outcome {
        Outcome::Loss(plies) => NO_MOVE + 1 + plies as Rank,
        Outcome::Draw => DRAW,
        Outcome::Win(plies) => Rank::MAX - plies as Rank,
    }
}

/// The outcome with a rank; a draw if there is no move.
pub(super) fn outcome_of(rank: Rank) -> Outcome {
    match rank {
        NO_MOVE | DRAW => Outcome::Draw,
        ..DRAW => Outcome::Loss((rank - NO_MOVE - 1) as Plies),
        _ => Outcome::Win((Rank::MAX - rank) as Plies),
    }
}
