//! The values that can be forced against a bare king, for all its squares at once.
//!
//! Where the strong side has no pawns and the weak side nothing but its king, nothing is ever captured after a safe move.
//! The strong men alone, a [`Formation`], then decide where the weak king may stand and go. A table therefore has a board
//! for each formation, with an entry for each square of the weak king. A move of the strong side leads from a whole board
//! to another, and all replies are steps to neighbouring entries of one board. Both are short loops without lookups.

use super::Score;
use super::short_score::{Entry, ShortScores};
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec, id};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Bitboard, MAX_MEN, Material, Position, Side, Square, Squares, king_attacks};
use lucena_model::Goal;
use rayon::prelude::*;

id! {
    /// The squares of the strong men, up to symmetry.
    pub Formation(u32)
}

/// By formation and square of the weak king: an entry.
pub type Boards<T> = IndexVec<Formation, [T; 64]>;

/// By formation: a set of squares of the weak king.
pub type KingSquares = IndexVec<Formation, Bitboard>;

/// An endgame against a bare king: its formations, and the moves between them.
pub struct BareKingGraph {
    material: Material,
    facts: IndexVec<Formation, Facts>,
    /// By the squares of the strong men: the formation, where they are the representative of their images.
    numbers: Vec<Option<Formation>>,
    /// The formations that a move leads to and that need not be turned or mirrored.
    steps: Csr<Formation, Formation>,
    /// The others.
    turning_steps: Csr<Formation, TurningStep>,
}

/// Facts about the squares of the weak king that follow from a formation.
struct Facts {
    /// The strong men; the square of the weak king is without meaning.
    squares: Squares,
    /// The squares that the strong side attacks.
    danger: Bitboard,
    /// The squares where a safe move can leave the weak king.
    quiet: Bitboard,
    /// Those of them where it is mated.
    mates: Bitboard,
    /// The squares where it can stand with the strong side to move.
    legal: Bitboard,
}

/// A move to a formation that is turned or mirrored.
#[derive(Clone, Copy)]
struct TurningStep {
    to: Formation,
    /// The symmetry that leads back to the board before the move.
    back: Symmetry,
}

/// The tied moves of each formation: in the order of its moves, the squares of the weak king where it is tied.
pub struct TiedMoves(Csr<Formation, Bitboard>);

/// The positions that are won against every reply and every tied move.
pub struct Won {
    /// The squares of the weak king, with the strong side to move.
    pub squares: KingSquares,
    /// The moves of the longest game; 0 if nothing is won.
    pub longest: u16,
}

/// The formations that a thread works on at a time, at least.
const BATCH: usize = 256;

impl BareKingGraph {
    /// Returns true if an endgame has such a graph: the weak side has nothing but its king, and the strong side no pawn.
    pub fn suits(material: Material) -> bool {
        material.is_bare(Side::Weak) && !material.has_pawns()
    }

    /// Makes the graph of an endgame; `None` if it has none.
    pub fn new(material: Material) -> Option<Self> {
        if !Self::suits(material) {
            return None;
        }
        let mut graph = Self {
            material,
            facts: IndexVec::default(),
            numbers: vec![None; 64_usize.pow(material.men() as u32 - 1)],
            steps: Csr::new(Vec::<Vec<_>>::new()),
            turning_steps: Csr::new(Vec::<Vec<_>>::new()),
        };
        let kings = Square::ALL.into_iter().filter(|&king| {
            // Men on the square of the king decide nothing.
            let alone = [king; MAX_MEN];
            Group::Square.canonicaliser_of(material, &alone).apply(king) == king
        });
        let others = graph.numbers.len() / 64;
        for at in kings.flat_map(|king| king as usize * others..(king as usize + 1) * others) {
            if let Some(squares) = graph.squares_of(at) {
                graph.numbers[at] = Some(graph.facts.push(Facts::new(material, squares)));
            }
        }
        let steps = graph.facts.as_slice().par_iter().with_min_len(BATCH);
        let steps = steps.map(|facts| graph.steps_from(facts));
        let (steps, turning_steps): (Vec<_>, Vec<_>) = steps.unzip();
        (graph.steps, graph.turning_steps) = (Csr::new(steps), Csr::new(turning_steps));
        Some(graph)
    }

    /// Returns the squares of the strong men with a number, if they are the representative of their images.
    fn squares_of(&self, number: usize) -> Option<Squares> {
        let mut squares = [Square::A1; MAX_MEN];
        let (mut rest, mut taken) = (number, Bitboard::EMPTY);
        for slot in self.material.slots_of(Side::Strong).collect::<Vec<_>>().into_iter().rev() {
            squares[slot] = Square::index(rest % 64);
            rest /= 64;
            if taken.has(squares[slot]) {
                return None;
            }
            taken |= squares[slot].bitboard();
        }
        let (first, _) = representative(self.material, squares);
        (number_of(self.material, &first) == number).then_some(squares)
    }

    /// Returns the formation of strong men, and the symmetry that leads to it.
    #[inline]
    fn find(&self, squares: Squares) -> (Formation, Symmetry) {
        // Most moves lead to representatives: only a move of the king can leave its region.
        if let Some(found) = self.numbers[number_of(self.material, &self.material.tidy(squares))] {
            return (found, Symmetry::IDENTITY);
        }
        let (first, symmetry) = representative(self.material, squares);
        let found = self.numbers[number_of(self.material, &first)];
        (found.expect("every representative has a number"), symmetry)
    }

    fn steps_from(&self, facts: &Facts) -> (Vec<Formation>, Vec<TurningStep>) {
        let (mut steps, mut turning_steps) = (Vec::new(), Vec::new());
        visit_formations_after(self.material, facts, |squares| match self.find(squares) {
            (to, Symmetry::IDENTITY) => steps.push(to),
            (to, symmetry) => turning_steps.push(TurningStep { to, back: symmetry.inverse() }),
        });
        (steps, turning_steps)
    }

    /// Returns the place of a position: its formation, and the square of the weak king on its board.
    pub fn place(&self, position: &Position) -> (Formation, Square) {
        let (formation, symmetry) = self.find(*position.squares());
        (formation, symmetry.apply(position.king(Side::Weak)))
    }

    /// The number of formations.
    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// Returns true if there are no formations, which never happens.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Returns true if a move to a position is safe.
    pub fn is_quiet(&self, (formation, king): (Formation, Square)) -> bool {
        self.facts[formation].quiet.has(king)
    }

    /// The squares of the weak king after a safe move.
    pub fn quiet(&self) -> impl Iterator<Item = (Formation, Bitboard)> + '_ {
        self.facts.pairs().map(|(formation, facts)| (formation, facts.quiet))
    }

    /// Computes an entry for each position that a safe move can lead to; the others have the default.
    pub fn boards<T: Copy + Default + Send>(
        &self,
        value: impl Fn(&Position) -> T + Sync,
    ) -> Boards<T> {
        let all = self.facts.as_slice().par_iter().with_min_len(BATCH / 8);
        let boards = all.map(|facts| {
            let mut board = [T::default(); 64];
            for king in facts.quiet {
                board[king as usize] = value(&self.position(facts, king, Side::Weak));
            }
            board
        });
        boards.collect::<Vec<_>>().into()
    }

    /// [`Self::boards`] of scores, by a function that visits the score on each of some squares of the weak king, given a
    /// position in which it stands on one of them.
    pub fn score_boards(
        &self,
        visit_scores: impl Fn(&Position, Bitboard, &mut dyn FnMut(Square, Score)) + Send + Sync,
    ) -> Boards<Score> {
        self.boards_of(|formation| {
            let facts = &self.facts[formation];
            let mut board = [Score::UNSAFE; 64];
            if let Some(king) = facts.quiet.into_iter().next() {
                let position = self.position(facts, king, Side::Weak);
                visit_scores(&position, facts.quiet, &mut |at, score| board[at as usize] = score);
            }
            board
        })
    }

    /// Computes a board for each formation.
    pub fn boards_of<T: Send>(
        &self,
        board: impl Fn(Formation) -> [T; 64] + Send + Sync,
    ) -> Boards<T> {
        let all = (0..self.len()).into_par_iter().with_min_len(BATCH).map(Formation::new);
        all.map(board).collect::<Vec<_>>().into()
    }

    /// Returns the positions with the strong side to move, one of each orbit, that a test accepts.
    pub fn squares_before(&self, accepts: impl Fn(&Position) -> bool + Sync) -> KingSquares {
        let all = self.facts.as_slice().par_iter().with_min_len(BATCH / 8);
        let squares = all.map(|facts| {
            let kings = (facts.legal & facts.representatives(self.material)).into_iter();
            kings.filter(|&king| accepts(&self.position(facts, king, Side::Strong))).collect()
        });
        squares.collect::<Vec<_>>().into()
    }

    fn position(&self, facts: &Facts, king: Square, turn: Side) -> Position {
        let mut squares = facts.squares;
        squares[Material::king(Side::Weak)] = king;
        Position::from_slots_unchecked(self.material, turn, squares)
    }

    /// Returns the squares of the weak king from which some move leads to squares in a set.
    fn reaches(&self, from: Formation, set: impl Fn(Formation) -> Bitboard) -> Bitboard {
        let plain = self.steps.get(from).iter();
        let plain = plain.fold(Bitboard::EMPTY, |all, &to| all | set(to));
        let turning = self.turning_steps.get(from).iter();
        turning.fold(plain, |all, step| all | step.back.apply_to_bitboard(set(step.to)))
    }

    /// Computes a set of squares for each formation.
    fn squares(&self, set: impl Fn(Formation, &Facts) -> Bitboard + Sync) -> KingSquares {
        let all = self.facts.as_slice().par_iter().enumerate().with_min_len(BATCH);
        all.map(|(at, facts)| set(Formation::new(at), facts)).collect::<Vec<_>>().into()
    }

    /// Makes the positions after safe moves the worst from which the weak side can force, within a number of its replies,
    /// a position in which the strong side has no safe move.
    pub fn close_doomed(&self, here: &mut Boards<Score>, replies: u8) {
        for (board, &doomed) in here.as_mut_slice().iter_mut().zip(self.doomed(replies).iter()) {
            for king in doomed {
                board[king as usize] = Score::UNSAFE;
            }
        }
    }

    /// The positions after safe moves from which the weak side can force, within a number of its replies, a position in
    /// which the strong side has no safe move.
    fn doomed(&self, replies: u8) -> KingSquares {
        let mut doomed: KingSquares = IndexVec::filled(Bitboard::EMPTY, self.len());
        for _ in 0..replies {
            let lost = self.squares(|formation, facts| {
                let escapes = |to: Formation| self.facts[to].quiet & !doomed[to];
                facts.legal & !self.reaches(formation, escapes)
            });
            doomed = self.squares(|formation, facts| facts.quiet & king_attacks(lost[formation]));
        }
        doomed
    }

    /// Returns what the strong side can force from each position after a safe move, looking a number of moves ahead,
    /// where `here` is the score of stopping at a position: a value at once, or [`Score::UNSAFE`].
    ///
    /// # Errors
    /// If the observer stops the work.
    pub fn forced(
        &self,
        here: &Boards<Score>,
        look: u8,
        goal: Goal,
        observer: &dyn Observer,
    ) -> Result<Boards<Score>, Stopped> {
        let Some(scores) = ShortScores::new(here, look) else {
            return self.forced_in(here, look, goal, observer);
        };
        let here = self.boards_of(|formation| here[formation].map(|score| scores.short(score)));
        let forced = self.forced_in(&here, look, goal, observer)?;
        Ok(self.boards_of(|formation| forced[formation].map(|short| scores.score(short))))
    }

    /// [`Self::forced`], with entries of one kind.
    fn forced_in<E: Entry>(
        &self,
        here: &Boards<E>,
        look: u8,
        goal: Goal,
        observer: &dyn Observer,
    ) -> Result<Boards<E>, Stopped> {
        let mut forced = here.clone();
        let all =
            forced.as_mut_slice().par_iter_mut().zip(self.facts.as_slice()).with_min_len(BATCH);
        all.for_each(|(board, facts)| facts.settle(board));
        let mut turns: Boards<E> = IndexVec::filled([E::UNSAFE; 64], self.len());
        for pass in 1..=look {
            observer.check()?;
            let all = turns.as_mut_slice().par_iter_mut().enumerate().with_min_len(BATCH);
            all.for_each(|(at, board)| {
                let formation = Formation::new(at);
                self.take_least(&forced, formation, board);
                for score in board.iter_mut() {
                    *score = score.a_move_earlier();
                }
                enter(board, self.facts[formation].danger, E::CLOSED);
            });
            let may_stop = pass < look || goal == Goal::AnyMove;
            let all = forced.as_mut_slice().par_iter_mut().enumerate().with_min_len(BATCH);
            all.for_each(|(at, board)| {
                let formation = Formation::new(at);
                take_greatest_neighbours(&turns[formation], board);
                if may_stop {
                    take_lesser(board, &here[formation]);
                }
                self.facts[formation].settle(board);
            });
        }
        Ok(forced)
    }

    /// Finds the least entry after a move, for each square of the weak king.
    fn take_least<E: Entry>(&self, boards: &Boards<E>, from: Formation, least: &mut [E; 64]) {
        least.fill(E::UNSAFE);
        for &to in self.steps.get(from) {
            take_lesser(least, &boards[to]);
        }
        for step in self.turning_steps.get(from) {
            take_lesser(least, &turned(&boards[step.to], step.back));
        }
    }

    /// Returns the best score after a safe move in each position.
    pub fn best(&self, forced: &Boards<Score>) -> Boards<Score> {
        self.boards_of(|formation| {
            let mut best = [Score::UNSAFE; 64];
            self.take_least(forced, formation, &mut best);
            best
        })
    }

    /// Returns the positions that are won against every reply and every tied move.
    pub fn won(&self, tied: &TiedMoves) -> Won {
        let mut won: KingSquares = IndexVec::filled(Bitboard::EMPTY, self.len());
        let mut reached: KingSquares = self.squares(|_, facts| facts.mates);
        let mut is_asked = vec![true; self.len()];
        for moves in 1..u16::MAX {
            let asked = |formation: Formation, facts: &Facts| {
                if !is_asked[formation.number()] {
                    return won[formation];
                }
                let masks = tied.0.get(formation);
                let (steps, turning) =
                    (self.steps.get(formation), self.turning_steps.get(formation));
                let (mut some, mut failing) = (Bitboard::EMPTY, Bitboard::EMPTY);
                for (&to, &mask) in steps.iter().zip(masks) {
                    some |= mask;
                    failing |= mask & !reached[to];
                }
                for (step, &mask) in turning.iter().zip(&masks[steps.len()..]) {
                    some |= mask;
                    failing |= mask & !step.back.apply_to_bitboard(reached[step.to]);
                }
                facts.legal & some & !failing
            };
            let now = self.squares(asked);
            if now == won {
                return Won { squares: won, longest: moves - 1 };
            }
            let changed = self.squares(|formation, facts| {
                if now[formation] == won[formation] {
                    return reached[formation];
                }
                let refuting = !facts.danger & !now[formation];
                facts.quiet & !king_attacks(refuting)
            });
            is_asked.fill(false);
            for (formation, &squares) in changed.pairs() {
                if squares != reached[formation] {
                    let turning = self.turning_steps.get(formation).iter().map(|step| step.to);
                    for before in self.steps.get(formation).iter().copied().chain(turning) {
                        is_asked[before.number()] = true;
                    }
                }
            }
            (won, reached) = (now, changed);
        }
        Won { squares: won, longest: u16::MAX }
    }

    /// Returns the safe moves that force the best score.
    pub fn tied(&self, forced: &Boards<Score>, best: &Boards<Score>) -> TiedMoves {
        let chunks = (0..self.len().div_ceil(BATCH)).into_par_iter().map(|chunk| {
            let (mut counts, mut tied) = (Vec::new(), Vec::new());
            for at in chunk * BATCH..self.len().min((chunk + 1) * BATCH) {
                let from = Formation::new(at);
                let (first, best) = (tied.len(), &best[from]);
                let plain = self.steps.get(from).iter();
                tied.extend(plain.map(|&to| self.facts[to].quiet & equal(&forced[to], best)));
                let turning = self.turning_steps.get(from).iter();
                tied.extend(turning.map(|step| {
                    let quiet = step.back.apply_to_bitboard(self.facts[step.to].quiet);
                    quiet & equal(&turned(&forced[step.to], step.back), best)
                }));
                counts.push((tied.len() - first) as u8);
            }
            (counts, tied)
        });
        TiedMoves(Csr::from_chunks(&chunks.collect::<Vec<_>>()))
    }

    /// Counts the positions among some in which a tied move has a reply after which the best score is no lower. If there
    /// are none among the positions that can be won, the measure is a ranking function, which proves by itself that it
    /// wins.
    pub fn stuck(
        &self,
        forced: &Boards<Score>,
        best: &Boards<Score>,
        tied: &TiedMoves,
        among: &KingSquares,
    ) -> usize {
        let falls = self.squares(|formation, facts| {
            let mut after = best[formation];
            enter(&mut after, facts.danger, Score::CLOSED);
            let mut greatest = [Score::CLOSED; 64];
            take_greatest_neighbours(&after, &mut greatest);
            below(&greatest, &forced[formation])
        });
        let all = (0..self.len()).into_par_iter().with_min_len(BATCH).map(Formation::new);
        let stuck = all.map(|from| {
            let (masks, steps) = (tied.0.get(from), self.steps.get(from));
            let plain = steps.iter().zip(masks).map(|(&to, &mask)| mask & !falls[to]);
            let turning = self.turning_steps.get(from).iter().zip(&masks[steps.len()..]);
            let turning =
                turning.map(|(step, &mask)| mask & !step.back.apply_to_bitboard(falls[step.to]));
            let stuck = plain.chain(turning).fold(Bitboard::EMPTY, |all, set| all | set);
            (stuck & among[from]).len() as usize
        });
        stuck.sum()
    }
}

/// Returns the number of the squares of strong men.
fn number_of(material: Material, squares: &Squares) -> usize {
    let slots = material.slots_of(Side::Strong);
    slots.fold(0, |number, slot| number * 64 + squares[slot] as usize)
}

/// Returns the representative of strong men, and the symmetry that leads to it.
fn representative(material: Material, mut squares: Squares) -> (Squares, Symmetry) {
    // Where the strong king stands, the weak king decides nothing.
    squares[Material::king(Side::Weak)] = squares[Material::king(Side::Strong)];
    let symmetry = Group::Square.canonicaliser_of(material, &squares);
    (material.tidy(symmetry.apply_to_squares(&squares)), symmetry)
}

/// Calls `visit` with the squares of the men after each move of the strong side.
fn visit_formations_after(material: Material, facts: &Facts, mut visit: impl FnMut(Squares)) {
    let position = Position::from_slots_unchecked(material, Side::Strong, facts.squares);
    let men = position.men_of(Side::Strong);
    for slot in material.slots_of(Side::Strong) {
        // The weak king can only stand in the way where it would be in check.
        for to in position.attacks(slot, facts.squares[slot], men) & !men {
            let mut squares = facts.squares;
            squares[slot] = to;
            visit(squares);
        }
    }
}

impl Facts {
    fn new(material: Material, mut squares: Squares) -> Self {
        squares[Material::king(Side::Weak)] = Square::A1;
        let position = Position::from_slots_unchecked(material, Side::Weak, squares);
        let men = position.men_of(Side::Strong);
        // The weak king blocks no line that it leaves, so the men alone are in the way.
        let attacks = |slot| position.attacks(slot, squares[slot], men);
        let danger =
            material.slots_of(Side::Strong).fold(Bitboard::EMPTY, |all, slot| all | attacks(slot));
        let king = attacks(Material::king(Side::Strong));
        let stuck = !king_attacks(!danger);
        let loud = king_attacks(men & !danger) | men | king | (stuck & !danger);
        Self { squares, danger, quiet: !loud, mates: stuck & danger & !loud, legal: !danger & !men }
    }

    /// One square of each pair that a symmetry of the formation exchanges, and all others.
    fn representatives(&self, material: Material) -> Bitboard {
        let (transposed, mut squares) = (Symmetry::TRANSPOSITION, self.squares);
        squares[Material::king(Side::Weak)] = squares[Material::king(Side::Strong)];
        if material.tidy(transposed.apply_to_squares(&squares)) != material.tidy(squares) {
            return Bitboard::FULL;
        }
        Square::ALL.into_iter().filter(|&at| at <= transposed.apply(at)).collect()
    }

    /// Enters mates, and that no safe move leads to other squares than the quiet ones.
    fn settle<E: Entry>(&self, board: &mut [E; 64]) {
        enter(board, !self.quiet, E::UNSAFE);
        for king in self.mates {
            board[king as usize] = E::MATE;
        }
    }
}

/// Finds the greatest entry next to each square.
fn take_greatest_neighbours<E: Entry>(board: &[E; 64], greatest: &mut [E; 64]) {
    // A closed file and rank on either side.
    let (mut sides, mut lines) = ([[E::CLOSED; 8]; 8], [[E::CLOSED; 8]; 10]);
    for rank in 0..8 {
        let mut line = [E::CLOSED; 10];
        line[1..9].copy_from_slice(&board[rank * 8..][..8]);
        for file in 0..8 {
            sides[rank][file] = line[file].greater(line[file + 2]);
            lines[rank + 1][file] = sides[rank][file].greater(line[file + 1]);
        }
    }
    for rank in 0..8 {
        for file in 0..8 {
            let line = lines[rank][file].greater(lines[rank + 2][file]);
            greatest[rank * 8 + file] = sides[rank][file].greater(line);
        }
    }
}

/// Makes an entry on each square of a set.
fn enter<E: Entry>(board: &mut [E; 64], squares: Bitboard, entry: E) {
    // Without branches, since the sets are large.
    for (line, rank) in board.as_chunks_mut::<8>().0.iter_mut().zip(squares.0.to_le_bytes()) {
        for (file, one) in line.iter_mut().enumerate() {
            *one = if rank & 1 << file == 0 { *one } else { entry };
        }
    }
}

fn take_lesser<E: Entry>(board: &mut [E; 64], other: &[E; 64]) {
    for (one, other) in board.iter_mut().zip(other) {
        *one = one.lesser(*other);
    }
}

/// The image of a board.
fn turned<E: Entry>(board: &[E; 64], symmetry: Symmetry) -> [E; 64] {
    let mut image = *board;
    for (at, entry) in Square::ALL.into_iter().zip(board) {
        image[symmetry.apply(at) as usize] = *entry;
    }
    image
}

/// The squares with equal entries.
fn equal(one: &[Score; 64], other: &[Score; 64]) -> Bitboard {
    squares_where(one, other, |one, other| one == other)
}

/// The squares where one entry is less than another.
fn below(one: &[Score; 64], other: &[Score; 64]) -> Bitboard {
    squares_where(one, other, |one, other| one < other)
}

fn squares_where(
    one: &[Score; 64],
    other: &[Score; 64],
    is_asked: impl Fn(Score, Score) -> bool,
) -> Bitboard {
    let pairs = one.iter().zip(other).enumerate();
    Bitboard(pairs.fold(0, |all, (at, (&one, &other))| all | u64::from(is_asked(one, other)) << at))
}
