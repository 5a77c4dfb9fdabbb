//! The entries with the weak side to move, as far as they follow from those with the strong side to move.
//!
//! The outcome of a position is the best that a move leads to. So the entries of one side to move, and the outcomes of
//! captures and promotions, give those of the other. A table file stores the entries with the strong side to move, and
//! for the weak side only those that do not follow by its other moves.

use super::arrivals::Arrivals;
use super::diagonal::DIAGONAL;
use super::entries::{Entries, Entry};
use super::parts::Part;
use super::piece_index::{KingPair, home};
use super::placements::PawnPlacements;
use super::shape::{Men, Shape, pushes};
use super::{Index, Metric, Outcome, Plies};
use cozy_chess::{get_between_rays, get_king_moves};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Material, Position, Role, Side, Slot, Square, Squares};

/// The outcome for the weak side as a number: a better one is greater. Processors find the greater of signed numbers
/// fastest.
pub(super) type Rank = i16;

/// The rank where there is no move, which is less than all others.
pub(super) const NO_MOVE: Rank = Rank::MIN;

/// The rank of a draw. Wins are above it, losses below it.
pub(super) const DRAW: Rank = 0;

/// The rank of a mate of the side to move.
const MATED: Rank = NO_MOVE + 1;

/// The ranks of the placements of a frame, by the square of the weak king.
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
        MATED
    } else {
        best
    }
}

/// The weak side's moves within a material, for all placements with the strong king on one square at a time.
pub(super) struct WeakMoves {
    shape: Shape,
    placements: PawnPlacements,
    /// The squares of the pawns by number: see [`PawnPlacements::number`].
    pawns: Vec<Squares>,
    /// The rank of a move to a placement by the placement's entry: for moves of pieces, and for those of pawns.
    ranks: [Vec<Rank>; 2],
}

impl WeakMoves {
    pub(super) fn new(material: Material, metric: Metric) -> Self {
        let entries = || (0..=Entry::GREATEST).map(Entry);
        let ranks = [false, true]
            .map(|zeroes| entries().map(|entry| rank_before(metric, entry, zeroes)).collect());
        let placements = PawnPlacements::new(material);
        let pawns = placements.numbered();
        Self { shape: Shape::new(material, metric), placements, pawns, ranks }
    }

    /// Calls `visit` with each placement of a part: its number in the part, whether it is legal with the weak side to move,
    /// and the entry that the moves then give it: as if captures drew, and without promotions. `strong` returns the entry
    /// with a number in the part with the strong side to move; what it returns for placements that are not legal does not
    /// matter.
    pub(super) fn visit(
        &self,
        index: &Index,
        part: &Part,
        strong: impl Fn(usize) -> Entry,
        mut visit: impl FnMut(usize, bool, Entry),
    ) {
        let pairs = &index.pairs[part.pairs.clone()];
        for pairs in pairs.chunk_by(|one, other| one.strong == other.strong) {
            let all = Arrivals::default();
            let frames =
                KingFrames::new(self, index, &all, pairs, |at| strong(at - part.numbers.start));
            let best: Vec<Lanes> = (0..frames.men.len()).map(|at| frames.best(at)).collect();
            frames.visit_placements(index, pairs, |at, frame, last| {
                let is_legal = frames.legal[frame][Side::Weak as usize].has(last);
                let entry = self.shape.metric.entry(outcome_of(best[frame][last as usize]));
                visit(at - part.numbers.start, is_legal, entry);
            });
        }
    }

    /// The entries with the strong king of some pairs and a side to move, by frame and square of the weak king. `entry`
    /// returns the one with a number.
    pub(super) fn by_frame(
        &self,
        index: &Index,
        arrivals: &Arrivals,
        pairs: &[KingPair],
        turn: Side,
        entry: impl Fn(usize) -> Entry,
    ) -> Entries {
        let frames = KingFrames::without_ranks(self, arrivals, pairs[0].strong);
        let mut entries = Entries::none(64 * frames.men.len());
        frames.enter(index, pairs, turn, entry, &mut entries);
        entries
    }

    /// [`Self::by_frame`] with the weak side to move. `strong` returns the entry with a number with the strong side to
    /// move, and `weak` the one with the weak side to move, or [`Entry::TOLD`] where it follows by a move.
    pub(super) fn weak_by_frame(
        &self,
        index: &Index,
        arrivals: &Arrivals,
        pairs: &[KingPair],
        strong: impl Fn(usize) -> Entry,
        weak: impl Fn(usize) -> Entry,
    ) -> Entries {
        let frames = KingFrames::new(self, index, arrivals, pairs, strong);
        let mut entries = frames.weak_entries(|frame, _, _| frames.best(frame));
        frames.enter(index, pairs, Side::Weak, weak, &mut entries);
        entries
    }

    /// [`Self::by_frame`] with the weak side to move, if it has no pawns. `strong` returns the entry with a number with the
    /// strong side to move, and `captures` the ranks of the best captures in a frame, by square of the weak king.
    pub(super) fn weak_by_captures(
        &self,
        index: &Index,
        arrivals: &Arrivals,
        pairs: &[KingPair],
        strong: impl Fn(usize) -> Entry,
        mut captures: impl FnMut(&Men, Bitboard) -> Lanes,
    ) -> Entries {
        let frames = KingFrames::new(self, index, arrivals, pairs, strong);
        frames.weak_entries(|frame, men, legal| {
            let mut best = frames.best_quiet(frame, men);
            raise(&mut best, &captures(men, legal), Bitboard::EMPTY);
            for last in legal & self.shape.strong_attacks(men) {
                let rank = &mut best[last as usize];
                *rank = (*rank).max(MATED);
            }
            best
        })
    }

    /// The frames of the images of a row's placements.
    #[inline(always)]
    fn frames(
        &self,
        row: (&Squares, Slot, Bitboard),
        symmetry: Symmetry,
    ) -> impl Iterator<Item = usize> {
        self.shape.along_row(row, symmetry, |squares| self.frame(squares))
    }

    /// The frame of a placement among those with the strong king on its square.
    pub(super) fn frame(&self, squares: &Squares) -> usize {
        self.placements.number(squares) * self.shape.len() + self.shape.place(squares)
    }
}

/// The frames with the strong king on one square, for all placements of the pawns.
struct KingFrames<'w> {
    moves: &'w WeakMoves,
    /// Those that matter. With the weak side to move, a strong man has arrived, so its moves lead from one to another.
    arrivals: &'w Arrivals,
    /// The men by frame; `None` if two stand on one square, or the frame does not matter.
    men: Vec<Option<Men>>,
    /// The squares of the weak king in legal placements by frame, then by side to move.
    legal: Vec<[Bitboard; 2]>,
    /// The ranks of the weak side's moves to the placements of each frame: of pieces, and of pawns, if it has any.
    ranks: [Vec<Lanes>; 2],
}

impl<'w> KingFrames<'w> {
    fn without_ranks(moves: &'w WeakMoves, arrivals: &'w Arrivals, king: Square) -> Self {
        let shape = &moves.shape;
        let block = shape.block(king);
        let men = |pawns, place| {
            shape.men(pawns, block, place).filter(|men| arrivals.have(&men.squares, None))
        };
        let place = |pawns| (0..shape.len()).map(move |place| men(pawns, place));
        let men: Vec<Option<Men>> = moves.pawns.iter().flat_map(place).collect();
        let legal =
            |men: &Option<Men>| men.as_ref().map_or([Bitboard::EMPTY; 2], |men| shape.legal(men));
        let legal = men.iter().map(legal).collect();
        Self { moves, arrivals, men, legal, ranks: Default::default() }
    }

    fn new(
        moves: &'w WeakMoves,
        index: &Index,
        arrivals: &'w Arrivals,
        pairs: &[KingPair],
        strong: impl Fn(usize) -> Entry,
    ) -> Self {
        let mut frames = Self::without_ranks(moves, arrivals, pairs[0].strong);
        let has_pawns = index.material.has_pawns_of(Side::Weak);
        let mut ranks = [true, has_pawns]
            .map(|is_needed| vec![[NO_MOVE; 64]; if is_needed { frames.men.len() } else { 0 }]);
        frames.visit_cells(index, pairs, |at, frame, last| {
            if frames.legal[frame][Side::Strong as usize].has(last) {
                let entry = usize::from(strong(at).0);
                for (ranks, by_entry) in ranks.iter_mut().zip(&moves.ranks) {
                    if let Some(lanes) = ranks.get_mut(frame) {
                        lanes[last as usize] = by_entry[entry];
                    }
                }
            }
        });
        frames.ranks = ranks;
        frames
    }

    /// The entries of legal placements with the weak side to move. `best` gives the ranks of the best moves in a frame, given
    /// the squares of the weak king in legal placements.
    fn weak_entries(&self, mut best: impl FnMut(usize, &Men, Bitboard) -> Lanes) -> Entries {
        let mut entries = Entries::none(64 * self.men.len());
        for (frame, (men, legal)) in self.men.iter().zip(&self.legal).enumerate() {
            let legal = legal[Side::Weak as usize];
            let Some(men) = men.as_ref().filter(|_| !legal.is_empty()) else { continue };
            let best = best(frame, men, legal);
            for last in legal {
                let entry = self.moves.shape.metric.entry(outcome_of(best[last as usize]));
                entries.set(64 * frame + last as usize, entry);
            }
        }
        entries
    }

    /// Enters the entries of legal placements that are stored.
    fn enter(
        &self,
        index: &Index,
        pairs: &[KingPair],
        turn: Side,
        entry: impl Fn(usize) -> Entry,
        entries: &mut Entries,
    ) {
        self.visit_cells(index, pairs, |at, frame, last| {
            let entry = entry(at);
            if entry != Entry::TOLD && self.legal[frame][turn as usize].has(last) {
                entries.set(64 * frame + last as usize, entry);
            }
        });
    }

    /// Calls `visit` with the number of each placement, its frame and the square of the weak king.
    fn visit_placements(
        &self,
        index: &Index,
        pairs: &[KingPair],
        mut visit: impl FnMut(usize, usize, Square),
    ) {
        let moves = self.moves;
        index.visit_rows(pairs, |first, squares, moving, places| {
            for (at, frame) in
                (first..).zip(moves.frames((squares, moving, places), Symmetry::IDENTITY))
            {
                visit(at, frame, squares[1]);
            }
        });
    }

    /// Calls `visit` with the number of each placement that matters, its frame and the square of the weak king, and again
    /// with those of its mirror image if that has the strong king on the same square.
    fn visit_cells(
        &self,
        index: &Index,
        pairs: &[KingPair],
        mut visit: impl FnMut(usize, usize, Square),
    ) {
        let moves = self.moves;
        let has_images = !index.material.has_pawns() && DIAGONAL.has(pairs[0].strong);
        let symmetries = [Symmetry::IDENTITY, Symmetry::TRANSPOSITION];
        let symmetries = &symmetries[..if has_images { 2 } else { 1 }];
        index.visit_rows(pairs, |first, squares, moving, places| {
            if !self.arrivals.have(squares, Some(moving)) {
                return;
            }
            for &symmetry in symmetries {
                let last = symmetry.apply(squares[1]);
                for (at, frame) in (first..).zip(moves.frames((squares, moving, places), symmetry))
                {
                    visit(at, frame, last);
                }
            }
        });
    }

    /// The rank of the best move from each placement of a frame, as if captures drew, and without promotions; that of a
    /// loss if the placement is a mate.
    fn best(&self, frame: usize) -> Lanes {
        let Some(men) = &self.men[frame] else { return [NO_MOVE; 64] };
        let mut best = self.best_quiet(frame, men);
        let legal = self.legal[frame][Side::Weak as usize];
        let losing = legal.into_iter().filter(|&last| best[last as usize] < DRAW);
        let losing = losing.fold(Bitboard::EMPTY, |all, last| all | last.bitboard());
        if losing.is_empty() {
            return best;
        }
        let shape = &self.moves.shape;
        let (captures, checks) = (captures(shape, men), shape.strong_attacks(men));
        let promotions = promotions(shape, men);
        for last in losing {
            let rank = &mut best[last as usize];
            if captures.has(last) {
                *rank = DRAW;
            } else if *rank == NO_MOVE && checks.has(last) && !promotions.has(last) {
                *rank = MATED;
            }
        }
        best
    }

    /// The rank of the best move from each placement of a frame, captures and promotions left out.
    fn best_quiet(&self, frame: usize, men: &Men) -> Lanes {
        let (moves, shape, [by_piece, by_pawn]) = (self.moves, &self.moves.shape, &self.ranks);
        let mut best = king_moves(&by_piece[frame]);
        let place = frame % shape.len();
        let slice = frame - place;
        shape.visit_piece_moves(men, place, Side::Weak, |after, between| {
            raise(&mut best, &by_piece[slice + after], between);
            true
        });
        for &slot in &shape.pawns[Side::Weak as usize] {
            let mut between = Bitboard::EMPTY;
            for to in pushes(Side::Weak, men.squares[slot], men.occupied) {
                between |= to.bitboard();
                if home(Role::Pawn).has(to) {
                    let mut squares = men.squares;
                    squares[slot] = to;
                    let after = moves.placements.number(&squares) * shape.len() + place;
                    raise(&mut best, &by_pawn[after], between);
                }
            }
        }
        best
    }
}

/// The squares of the weak king with which the weak side can make a capture, en passant left out.
fn captures(shape: &Shape, men: &Men) -> Bitboard {
    let of =
        |side: Side| shape.pieces[side as usize].iter().chain(&shape.pawns[side as usize]).copied();
    let guarded = shape.strong_attacks(men) | get_king_moves(men.squares[0]);
    let mut squares = Bitboard::EMPTY;
    for captured in of(Side::Strong) {
        let to = men.squares[captured];
        if !guarded.has(to) {
            squares |= get_king_moves(to);
        }
        for slot in of(Side::Weak) {
            if shape.attacks(men, slot).has(to) {
                squares |= safe_after(shape, men, slot, to, Some(captured));
            }
        }
    }
    squares
}

/// The squares of the weak king with which a weak pawn can become another man without a capture.
fn promotions(shape: &Shape, men: &Men) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for &slot in &shape.pawns[Side::Weak as usize] {
        for to in pushes(Side::Weak, men.squares[slot], men.occupied) {
            if !home(Role::Pawn).has(to) {
                squares |= safe_after(shape, men, slot, to, None);
            }
        }
    }
    squares
}

/// The squares of the weak king that are not in the way of a move of another weak man, and not in check after it.
fn safe_after(
    shape: &Shape,
    men: &Men,
    slot: Slot,
    to: Square,
    captured: Option<Slot>,
) -> Bitboard {
    let from = men.squares[slot];
    let mut after = Men { squares: men.squares, occupied: men.occupied };
    after.squares[slot] = to;
    after.occupied = (after.occupied ^ from.bitboard()) | to.bitboard();
    let side = Side::Strong as usize;
    let strong = shape.pieces[side].iter().chain(&shape.pawns[side]);
    let strong = strong.filter(|&&strong| Some(strong) != captured);
    let checks = strong.fold(Bitboard::EMPTY, |all, &slot| all | shape.attacks(&after, slot));
    !checks & !get_between_rays(from, to) & !to.bitboard()
}

/// The greatest rank of a king's move from each square, given those of moves to each square.
fn king_moves(ranks: &Lanes) -> Lanes {
    let mut best = [NO_MOVE; 64];
    let (rows, _) = ranks.as_chunks::<8>();
    // By row: the greatest of the neighbours on the left and right, and of these and the square itself.
    let mut beside = [[NO_MOVE; 8]; 8];
    let mut within = [[NO_MOVE; 8]; 8];
    for ((row, beside), within) in rows.iter().zip(&mut beside).zip(&mut within) {
        for file in 0..8 {
            let left = if file > 0 { row[file - 1] } else { NO_MOVE };
            let right = if file < 7 { row[file + 1] } else { NO_MOVE };
            beside[file] = left.max(right);
            within[file] = beside[file].max(row[file]);
        }
    }
    for (rank, best) in best.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        *best = beside[rank];
        for other in [rank.wrapping_sub(1), rank + 1] {
            if let Some(other) = within.get(other) {
                best.iter_mut().zip(other).for_each(|(best, &other)| *best = (*best).max(other));
            }
        }
    }
    best
}

/// Raises ranks to others that are greater, except on some squares.
fn raise(ranks: &mut Lanes, others: &Lanes, except: Bitboard) {
    if except.is_empty() {
        for (rank, other) in ranks.iter_mut().zip(others) {
            *rank = (*rank).max(*other);
        }
        return;
    }
    let mut others = *others;
    for square in except {
        others[square as usize] = NO_MOVE;
    }
    raise(ranks, &others, Bitboard::EMPTY);
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
