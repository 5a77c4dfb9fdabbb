//! The look-up of positions in tables of one metric or of both, and the verdicts that follow.

use super::probe::try_steps;
use super::{Category, Dtz, Metric, Outcome, ProbeError, Tablebase, Verdict, Wdl5};
use lucena_chess::{Board, HalfmoveClock, Move, Position, Role};
use lucena_syzygy::{SyzygyError, SyzygyTables};

/// Whether the fifty-move rule counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FiftyMoves {
    /// The rule counts: a win that comes too late is a draw.
    Counted,
    /// The rule is left aside: a win is one however long it takes.
    Ignored,
}

/// A position to look up.
#[derive(Debug, Clone)]
pub struct Sought {
    /// The board.
    pub board: Board,
    /// The position of an endgame on the board; `None` if it is not one of an endgame.
    pub position: Option<Position>,
}

/// A source of what tables know of positions. A function that returns the distance to mate is one.
pub trait Lookup {
    /// The error if a table cannot be read or solved.
    type Error;

    /// Returns the outcome of a position of an endgame with its distance to mate; `None` if no available table has it.
    ///
    /// # Errors
    /// If a table cannot be read or solved.
    fn mate(&self, position: &Position) -> Result<Option<Outcome>, Self::Error>;

    /// Returns the distance to zeroing in the position on a board, which is `position` if it is one of an endgame;
    /// `None` if no available table has it.
    ///
    /// # Errors
    /// If a table cannot be read or solved.
    fn zeroing(
        &self,
        board: &Board,
        position: Option<&Position>,
    ) -> Result<Option<Dtz>, Self::Error> {
        let _ = (board, position);
        Ok(None)
    }

    /// Returns what [`Self::mate`] returns for each of several positions, which may take less time together.
    ///
    /// # Errors
    /// If a table cannot be read or solved.
    fn mates(&self, positions: &[&Position]) -> Result<Vec<Option<Outcome>>, Self::Error> {
        positions.iter().map(|position| self.mate(position)).collect()
    }

    /// Returns what [`Self::zeroing`] returns for each of several positions, which may take less time together.
    ///
    /// # Errors
    /// If a table cannot be read or solved.
    fn zeroings(&self, sought: &[&Sought]) -> Result<Vec<Option<Dtz>>, Self::Error> {
        let zeroing = |sought: &&Sought| self.zeroing(&sought.board, sought.position.as_ref());
        sought.iter().map(zeroing).collect()
    }

    /// Returns true if the distance to zeroing is wanted also where the distance to mate decides the result.
    fn lists_all_distances(&self) -> bool {
        true
    }

    /// Returns whether the fifty-move rule counts.
    fn fifty_moves(&self) -> FiftyMoves {
        FiftyMoves::Counted
    }

    /// Returns the result in the position on a board with a clock of zero, for positions whose distance to zeroing is
    /// unknown; `None` if no available table has it.
    ///
    /// # Errors
    /// If a table cannot be read or solved.
    fn result(&self, board: &Board) -> Result<Option<Wdl5>, Self::Error> {
        let _ = board;
        Ok(None)
    }

    /// Returns the reason, in words, why a file that should have the position on a board does not tell it; `None` if
    /// there is no such file.
    fn failure(&self, board: &Board) -> Option<String> {
        let _ = board;
        None
    }

    /// Returns the verdicts on a position of an endgame and on its moves; `None` if no available table has the distance
    /// to mate after one of the moves. The distance to zeroing is looked up only where the distance to mate leaves the
    /// verdict open.
    ///
    /// # Errors
    /// If a table cannot be read or solved.
    fn move_verdicts(
        &self,
        position: &Position,
        clock: HalfmoveClock,
    ) -> Result<Option<MoveVerdicts>, Self::Error> {
        let (mut moves, mut are_known) = (Vec::new(), true);
        try_steps(position, |step| {
            let after = position.after(step);
            match self.mate(&after)? {
                Some(outcome) => moves.push((position.to_move(step), after, outcome)),
                None => are_known = false,
            }
            Ok(())
        })?;
        if !are_known {
            return Ok(None);
        }
        moves.sort_by_key(|&(.., outcome)| outcome);
        let zeroing = |after: &Position| self.zeroing(&after.board(), Some(after));
        MoveVerdicts::new(position, clock, moves, zeroing).map(Some)
    }
}

impl<E, F: Fn(&Position) -> Result<Option<Outcome>, E>> Lookup for F {
    type Error = E;

    fn mate(&self, position: &Position) -> Result<Option<Outcome>, E> {
        self(position)
    }
}

/// One tablebase, which has the distances of its metric. Positions of other endgames are an error.
impl Lookup for Tablebase {
    type Error = ProbeError;

    fn mate(&self, position: &Position) -> Result<Option<Outcome>, ProbeError> {
        (self.metric() == Metric::Dtm).then(|| self.probe(position)).transpose()
    }

    fn zeroing(&self, _: &Board, position: Option<&Position>) -> Result<Option<Dtz>, ProbeError> {
        let position = position.filter(|_| self.metric() == Metric::Dtz);
        Ok(position.map(|position| self.probe(position)).transpose()?.map(Dtz::from))
    }
}

/// Syzygy files alone. Positions that they do not have are an error.
impl Lookup for SyzygyTables {
    type Error = SyzygyError;

    fn mate(&self, _: &Position) -> Result<Option<Outcome>, SyzygyError> {
        Ok(None)
    }

    fn zeroing(&self, board: &Board, _: Option<&Position>) -> Result<Option<Dtz>, SyzygyError> {
        self.probe_dtz(board).map(Some)
    }
}

/// The verdicts on a position and on each of its moves.
///
/// ```
/// use lucena_chess::HalfmoveClock;
/// use lucena_tablebase::{Category, Lookup, Tablebase};
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let position = "8/8/8/8/8/1k6/8/K1R5 w - - 80 1".parse()?;
/// let verdicts = tablebase.move_verdicts(&position, HalfmoveClock::of_fen(80))?.expect("KRvK");
/// assert_eq!(verdicts.before().category, Category::CursedWin);
/// assert_eq!(verdicts.best().map(|(_, _, after)| after.category), Some(Category::BlessedLoss));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveVerdicts {
    position: Position,
    clock: HalfmoveClock,
    before: Verdict,
    /// Each with the position after it and the opponent's verdict.
    moves: Vec<(Move, Position, Verdict)>,
}

impl MoveVerdicts {
    /// The verdicts, given all legal moves with their outcomes, the quickest mate first, as
    /// [`Tablebase::probe_moves`] returns them, and a function that looks up distances to zeroing.
    ///
    /// # Errors
    /// Those of the function.
    pub fn new<E>(
        position: &Position,
        clock: HalfmoveClock,
        moves: Vec<(Move, Position, Outcome)>,
        zeroing: impl Fn(&Position) -> Result<Option<Dtz>, E>,
    ) -> Result<Self, E> {
        let of_move = |(mv, after, outcome): (Move, Position, Outcome)| {
            let material = after.material();
            let zeroes = material != position.material() || position.role_moved(mv) == Role::Pawn;
            let clock = clock.after_move(zeroes);
            let by_mate = Category::new(outcome, Some(material), clock);
            let known = if by_mate.is_open() { zeroing(&after)? } else { None };
            let category = by_mate.or_by_zeroing(known, clock);
            Ok((mv, after, Verdict { category, outcome }))
        };
        let moves: Vec<_> = moves.into_iter().map(of_move).collect::<Result<_, E>>()?;
        let outcome = match moves.first() {
            Some(&(.., quickest)) => quickest.outcome.before_move(),
            None if position.is_check() => Outcome::Loss(0),
            None => Outcome::Draw,
        };
        let after_each = moves.iter().map(|&(.., after)| after);
        let before = Verdict::of_moves(outcome, Some(position.material()), clock, after_each);
        Ok(Self { position: *position, clock, before, moves })
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Its halfmove clock.
    pub fn clock(&self) -> HalfmoveClock {
        self.clock
    }

    /// The verdict on the position, for the side to move.
    pub fn before(&self) -> Verdict {
        self.before
    }

    /// The legal moves, the quickest mate first, each with the position after it and the verdict on that for the
    /// opponent.
    pub fn moves(&self) -> &[(Move, Position, Verdict)] {
        &self.moves
    }

    /// The verdict on the position after a move, for the opponent; `None` if the move is not legal.
    pub fn after(&self, mv: Move) -> Option<Verdict> {
        self.moves.iter().find(|&&(other, ..)| other == mv).map(|&(.., after)| after)
    }

    /// The best move under the fifty-move rule, the first of several; `None` if there is no move.
    pub fn best(&self) -> Option<&(Move, Position, Verdict)> {
        self.moves.iter().min_by_key(|&&(.., after)| after)
    }
}

impl Tablebase {
    /// Returns the verdicts on a position and its moves, as far as the distances to mate decide them, which this
    /// tablebase must hold.
    ///
    /// # Errors
    /// Those of [`Tablebase::probe_moves`].
    pub fn verdicts(
        &self,
        position: &Position,
        clock: HalfmoveClock,
    ) -> Result<MoveVerdicts, ProbeError> {
        self.verdicts_with(self, position, clock)
    }

    /// Returns the verdicts on a position and its moves by the distances to mate, which this tablebase must hold. Where
    /// these leave them open, distances to zeroing are looked up in other tables.
    ///
    /// # Errors
    /// Those of [`Tablebase::probe_moves`] and of the look-up.
    pub fn verdicts_with<L: Lookup<Error: From<ProbeError>>>(
        &self,
        tables: &L,
        position: &Position,
        clock: HalfmoveClock,
    ) -> Result<MoveVerdicts, L::Error> {
        let zeroing = |after: &Position| tables.zeroing(&after.board(), Some(after));
        MoveVerdicts::new(position, clock, self.probe_moves(position)?, zeroing)
    }
}
