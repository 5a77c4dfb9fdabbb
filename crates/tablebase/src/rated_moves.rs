//! The positions of a game and their moves, rated by tables and the rules.

use super::{Category, Dtz, FiftyMoves, Lookup, Outcome, Wdl5};
use lucena_chess::{Game, HalfmoveClock, Move, Position, Role, Status, is_insufficient};
use std::cmp::{Ordering, Reverse};

/// What tables and the rules know of a position by themselves, for the side to move, without a look at the positions after
/// its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether the game has ended.
    pub status: Status,
    /// True if neither side has enough men to mate.
    pub is_insufficient: bool,
    /// The outcome apart from the fifty-move rule, by the rules or by the distance to mate; `None` if it is unknown.
    pub outcome: Option<Outcome>,
    /// The distance to zeroing; `None` if it is unknown.
    pub zeroing: Option<Dtz>,
    /// The result under the fifty-move rule.
    pub category: Category,
}

impl Standing {
    /// Looks up the current position of a game.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn new<L: Lookup>(game: &Game, tables: &L) -> Result<Self, L::Error> {
        let (status, endgame) = (game.status(), game.position().ok());
        let by_rules = match status {
            Status::Checkmate { .. } => Some(Outcome::Loss(0)),
            Status::Stalemate | Status::InsufficientMaterial | Status::ThreefoldRepetition => {
                Some(Outcome::Draw)
            }
            Status::InProgress | Status::FiftyMoves => None,
        };
        let clock = game.halfmove_clock();
        let outcome = match by_rules {
            Some(_) => by_rules,
            None => endgame.map(|position| tables.mate(&position)).transpose()?.flatten(),
        };
        let mut category = by_mate(outcome, endgame.as_ref(), clock);
        let zeroing = match by_rules {
            Some(outcome) => Some(outcome.into()),
            None if tables.lists_all_distances() || category.is_open() => {
                tables.zeroing(game.board(), endgame.as_ref())?
            }
            None => None,
        };
        category = category.or_by_zeroing(zeroing, clock);
        if category.is_open() {
            category = category.or_by_result(tables.result(game.board())?, clock);
        }
        let category = category.under(tables.fifty_moves());
        let is_insufficient = is_insufficient(|role| game.board().pieces(role));
        Ok(Self { status, is_insufficient, outcome, zeroing, category })
    }

    /// Returns true if the side to move is checkmated.
    pub fn is_checkmate(&self) -> bool {
        self.outcome == Some(Outcome::Loss(0))
    }

    /// The distance to zeroing, which an immediate end of the game also decides; `None` if it is unknown.
    pub fn dtz(&self) -> Option<Dtz> {
        let by_mate = match self.outcome {
            Some(Outcome::Draw | Outcome::Loss(0) | Outcome::Win(1)) => self.outcome.map(Dtz::from),
            _ => None,
        };
        self.zeroing.or(by_mate)
    }

    /// Returns true if a distance to mate or to zeroing shows how the position is won or lost.
    fn has_distance(&self) -> bool {
        match self.outcome {
            Some(outcome) => outcome != Outcome::Draw,
            None => self.zeroing.is_some_and(|dtz| dtz.plies != 0),
        }
    }
}

fn by_mate(outcome: Option<Outcome>, endgame: Option<&Position>, clock: HalfmoveClock) -> Category {
    let material = endgame.map(Position::material);
    outcome.map_or(Category::Unknown, |outcome| Category::new(outcome, material, clock))
}

/// A legal move, and what is known of the position after it, for the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedMove {
    /// The move.
    pub mv: Move,
    /// True if a pawn moves or a man is taken.
    pub is_zeroing: bool,
    /// True if the move leads to another endgame: a man is taken, or a pawn promoted.
    pub is_conversion: bool,
    /// The knowledge of the position after it.
    pub after: Standing,
    /// The role of the man that is taken on the square that the move goes to.
    taken: Option<Role>,
}

impl RatedMove {
    /// Rates a legal move. The game is left as it was.
    fn new<L: Lookup>(game: &mut Game, mv: Move, tables: &L) -> Result<Self, L::Error> {
        let (board, men) = (game.board(), game.board().occupied().len());
        let is_taken = |&role: &Role| board.colored_pieces(!game.turn(), role).has(mv.to);
        let taken = Role::ALL.into_iter().find(is_taken);
        game.play(mv).expect("only legal moves are rated");
        let rated = Standing::new(game, tables).map(|after| Self {
            mv,
            is_zeroing: game.clock() == 0,
            is_conversion: mv.promotion.is_some() || game.board().occupied().len() < men,
            after,
            taken,
        });
        game.undo();
        rated
    }

    /// The order of two moves as far as tables tell a difference: the better one is less. It is that of the Lichess
    /// tablebase, without distances that are unknown.
    pub fn compare(&self, other: &Self) -> Ordering {
        self.value().cmp(&other.value())
    }

    fn value(&self) -> impl Ord + use<> {
        let Standing { status, is_insufficient, outcome, category, .. } = self.after;
        let dtm = outcome.and_then(Outcome::dtm).filter(|&dtm| dtm != 0);
        // The winner plays such a move early, the loser late; the category is the opponent's.
        let is_late = |does: bool| does == category.is_won();
        (
            category,
            (!self.after.is_checkmate(), status != Status::Stalemate, !is_insufficient),
            (Reverse(dtm.filter(|&dtm| dtm < 0)), dtm.filter(|&dtm| dtm > 0).map(Reverse)),
            (
                is_late(self.is_conversion),
                is_late(self.is_zeroing),
                Reverse(self.after.dtz().map(|dtz| dtz.plies)),
            ),
        )
    }

    /// The order of moves between which tables tell no difference: less comes first.
    fn tie_break(&self) -> impl Ord + use<> {
        let promotion = self.mv.promotion.map(|role| role as usize);
        (Reverse(self.taken.map(|role| role as usize)), Reverse(promotion))
    }
}

/// The legal moves of a position of a game, rated by tables and the rules.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_tablebase::{Category, Outcome, RatedMoves, Tablebase};
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let tables = |position: &_| tablebase.probe(position).map(Some);
/// let game: Game = "8/8/8/8/8/k1K5/8/1R6 w - - 0 1".parse()?;
/// let rated = RatedMoves::new(&game, &tables)?;
/// assert_eq!((rated.before.category, rated.before.outcome), (Category::Win, Some(Outcome::Win(1))));
/// assert_eq!(rated.moves[0].mv.to_string(), "b1a1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatedMoves {
    /// The knowledge of the position by itself.
    pub alone: Standing,
    /// The knowledge of the position by itself and by its moves.
    pub before: Standing,
    /// The legal moves, best first. Between moves of which tables tell no difference, the order is that of the Lichess
    /// tablebase.
    pub moves: Vec<RatedMove>,
}

impl RatedMoves {
    /// Rates the moves of the current position of a game. A third repetition is a draw.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn new<L: Lookup>(game: &Game, tables: &L) -> Result<Self, L::Error> {
        let alone = Standing::new(game, tables)?;
        // Positions of endgames list their moves in an order of their own, which decides between equal ones.
        let endgame = game.position().ok();
        let moves = endgame.map_or_else(|| game.moves(), |position| position.moves().to_vec());
        let mut next = game.clone();
        let rated = moves.into_iter().map(|mv| RatedMove::new(&mut next, mv, tables));
        let mut moves: Vec<RatedMove> = rated.collect::<Result<_, _>>()?;
        moves.sort_by(|one, other| {
            one.compare(other).then_with(|| one.tie_break().cmp(&other.tie_break()))
        });
        let outcome = alone.outcome.or_else(|| outcome_of_moves(&moves));
        let by_moves = Category::of_moves(moves.iter().map(|mv| mv.after.category));
        let category = match by_moves {
            // What is certain of the position stays certain where its moves are not.
            Some(by_moves) if !by_moves.is_open() || alone.category.is_open() => by_moves,
            _ if alone.category == Category::Unknown => {
                let clock = game.halfmove_clock();
                by_mate(outcome, endgame.as_ref(), clock).under(tables.fifty_moves())
            }
            _ => alone.category,
        };
        Ok(Self { alone, before: Standing { outcome, category, ..alone }, moves })
    }

    /// The move of the line of best play; `None` if the position is drawn or over, or if no distance shows how it and
    /// the position after its best move are won.
    pub fn best(&self) -> Option<&RatedMove> {
        self.moves.first().filter(|best| self.before.has_distance() && best.after.has_distance())
    }
}

/// The outcome that follows from those after the moves: a mate in one, or the best of them if all are known.
fn outcome_of_moves(moves: &[RatedMove]) -> Option<Outcome> {
    let best = match moves.iter().any(|mv| mv.after.is_checkmate()) {
        true => Some(Outcome::Loss(0)),
        false => {
            let outcomes = moves.iter().map(|mv| mv.after.outcome);
            outcomes.collect::<Option<Vec<_>>>()?.into_iter().min()
        }
    };
    best.map(Outcome::before_move)
}

impl Category {
    /// This category, or that without the fifty-move rule where it does not count.
    #[must_use]
    fn under(self, fifty_moves: FiftyMoves) -> Self {
        match self {
            Self::CursedWin | Self::MaybeWin if fifty_moves == FiftyMoves::Ignored => Self::Win,
            Self::BlessedLoss | Self::MaybeLoss if fifty_moves == FiftyMoves::Ignored => Self::Loss,
            category => category,
        }
    }

    /// This category, or else that of a result with a clock of zero, where this one is open and the result is known. With
    /// a clock that runs, a win or loss whose distance is unknown may come too late.
    #[must_use]
    pub fn or_by_result(self, result: Option<Wdl5>, clock: HalfmoveClock) -> Self {
        let Some(result) = result.filter(|_| self.is_open()) else { return self };
        match Self::of_wdl(result) {
            Self::Win if clock.was_drawn() => Self::CursedWin,
            Self::Loss if clock.was_drawn() => Self::BlessedLoss,
            Self::Win if clock.plies() > 0 => Self::MaybeWin,
            Self::Loss if clock.plies() > 0 => Self::MaybeLoss,
            category => category,
        }
    }
}
