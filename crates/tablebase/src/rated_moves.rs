//! The positions of a game and their moves, rated by tables and the rules.

use super::{Category, Dtz, FiftyMoves, Lookup, Outcome, Sought, Wdl5};
use lucena_chess::{
    Game, HalfmoveClock, Move, Position, Role, Status, Step, Successor, Threat, is_insufficient,
};
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
        let found = standings(&[ByRules::of(game)], tables)?;
        Ok(found.into_iter().next().expect("a position has a standing"))
    }

    /// Looks up the current positions of games together, which takes less time than one by one.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn of_many<L: Lookup>(games: &[&Game], tables: &L) -> Result<Vec<Self>, L::Error> {
        let asked: Vec<ByRules> = games.iter().map(|game| ByRules::of(game)).collect();
        standings(&asked, tables)
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

/// What the rules tell of a position of a game.
struct ByRules {
    sought: Sought,
    status: Status,
    clock: HalfmoveClock,
    outcome: Option<Outcome>,
}

impl ByRules {
    /// The current position of a game.
    fn of(game: &Game) -> Self {
        let sought = Sought { board: game.board().clone(), position: game.position().ok() };
        Self::new(sought, game.status(), game.halfmove_clock())
    }

    fn new(sought: Sought, status: Status, clock: HalfmoveClock) -> Self {
        let outcome = match status {
            Status::Checkmate { .. } => Some(Outcome::Loss(0)),
            Status::Stalemate | Status::InsufficientMaterial | Status::ThreefoldRepetition => {
                Some(Outcome::Draw)
            }
            Status::InProgress | Status::FiftyMoves => None,
        };
        Self { sought, status, clock, outcome }
    }

    /// The standing before anything has been looked up but an outcome.
    fn standing(&self, outcome: Option<Outcome>) -> Standing {
        Standing {
            status: self.status,
            is_insufficient: is_insufficient(|role| self.sought.board.pieces(role)),
            outcome,
            zeroing: self.outcome.map(Dtz::from),
            category: by_mate(outcome, self.sought.position.as_ref(), self.clock),
        }
    }
}

/// Looks up positions: first all distances to mate, then all distances to zeroing that are wanted.
fn standings<L: Lookup>(asked: &[ByRules], tables: &L) -> Result<Vec<Standing>, L::Error> {
    let endgame = |one: &ByRules| one.outcome.is_none() && one.sought.position.is_some();
    let open = asked.iter().filter(|one| endgame(one));
    let positions: Vec<&Position> = open.filter_map(|one| one.sought.position.as_ref()).collect();
    let mut mates = tables.mates(&positions)?.into_iter();
    let with_mate = asked
        .iter()
        .map(|one| one.standing(if endgame(one) { mates.next().flatten() } else { one.outcome }));
    let mut standings: Vec<Standing> = with_mate.collect();

    let lists_all = tables.lists_all_distances();
    let is_wanted = |one: &ByRules, standing: &Standing| {
        one.outcome.is_none() && (lists_all || standing.category.is_open())
    };
    let wanted = asked.iter().zip(&standings).filter(|(one, found)| is_wanted(one, found));
    let wanted: Vec<&Sought> = wanted.map(|(one, _)| &one.sought).collect();
    let mut zeroings = tables.zeroings(&wanted)?.into_iter();
    for (one, standing) in asked.iter().zip(&mut standings) {
        if is_wanted(one, standing) {
            standing.zeroing = zeroings.next().flatten();
        }
        let mut category = standing.category.or_by_zeroing(standing.zeroing, one.clock);
        if category.is_open() {
            category = category.or_by_result(tables.result(&one.sought.board)?, one.clock);
        }
        standing.category = category.under(tables.fifty_moves());
    }
    Ok(standings)
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
    /// True if a man is taken.
    takes: bool,
    /// The threat to the opponent's king.
    threat: Threat,
}

/// A legal move before the position after it is looked up.
struct PlayedMove {
    mv: Move,
    taken: Option<Role>,
    takes: bool,
    threat: Threat,
    is_zeroing: bool,
}

impl PlayedMove {
    /// Plays a legal move; `step` is the same move in a position of an endgame.
    fn new(game: &Game, mv: Move, endgame: Option<(&Position, Step)>) -> (Self, ByRules) {
        let (board, turn) = (game.board(), game.turn());
        let taken = if board.colors(!turn).has(mv.to) { board.piece_on(mv.to) } else { None };
        let Successor { board: after, clock, status } = game.successor(mv);
        let takes = after.occupied().len() < board.occupied().len();
        let threat = match status {
            Status::Checkmate { .. } => Threat::Mate,
            _ if after.checkers().is_empty() => Threat::None,
            _ => Threat::Check,
        };
        let position = match endgame {
            Some((position, step)) => Some(position.after(step)),
            None => Position::from_board(&after).ok(),
        };
        let played = Self { mv, taken, takes, threat, is_zeroing: clock.plies() == 0 };
        (played, ByRules::new(Sought { board: after, position }, status, clock))
    }
}

impl RatedMove {
    fn new(played: &PlayedMove, after: Standing) -> Self {
        let PlayedMove { mv, taken, takes, threat, is_zeroing } = *played;
        let is_conversion = mv.promotion.is_some() || takes;
        Self { mv, is_zeroing, is_conversion, after, taken, takes, threat }
    }

    /// Returns true if a man is taken.
    pub fn takes(&self) -> bool {
        self.takes
    }

    /// The threat to the opponent's king after the move.
    pub fn threat(&self) -> Threat {
        self.threat
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
        let rated = Self::of_many(&[game], tables)?;
        Ok(rated.into_iter().next().expect("a game has rated moves"))
    }

    /// Rates the moves of the current positions of games together, which takes less time than one by one.
    ///
    /// # Errors
    /// Those of the look-up.
    pub fn of_many<L: Lookup>(games: &[&Game], tables: &L) -> Result<Vec<Self>, L::Error> {
        // Most endgames of few men have about as many moves.
        let mut asked = Vec::with_capacity(24 * games.len());
        let mut played = Vec::with_capacity(24 * games.len());
        let mut counts = Vec::with_capacity(games.len());
        for game in games {
            let before = ByRules::of(game);
            let (endgame, first) = (before.sought.position, played.len());
            asked.push(before);
            let mut add = |(mv, after)| {
                played.push(mv);
                asked.push(after);
            };
            // Positions of endgames list their moves in an order of their own, which decides between equal ones.
            match &endgame {
                Some(position) => position.visit_steps(|step| {
                    let mv = position.to_move(step);
                    add(PlayedMove::new(game, mv, Some((position, step))));
                }),
                None => {
                    game.moves().into_iter().for_each(|mv| add(PlayedMove::new(game, mv, None)));
                }
            }
            counts.push(played.len() - first);
        }
        let standings = standings(&asked, tables)?;
        let (mut standings, mut asked) = (standings.into_iter(), asked.iter());
        let mut played = played.iter();
        let rate = |count: usize| {
            let (alone, before) = (standings.next()?, asked.next()?);
            asked.by_ref().take(count).for_each(drop);
            let moves = played.by_ref().take(count).zip(standings.by_ref());
            let moves = moves.map(|(mv, after)| RatedMove::new(mv, after)).collect();
            Some(Self::from_standings(before, alone, moves, tables.fifty_moves()))
        };
        Ok(counts.into_iter().filter_map(rate).collect())
    }

    /// The rated moves in order, given those without one.
    fn from_standings(
        position: &ByRules,
        alone: Standing,
        mut moves: Vec<RatedMove>,
        fifty_moves: FiftyMoves,
    ) -> Self {
        moves.sort_by(|one, other| {
            one.compare(other).then_with(|| one.tie_break().cmp(&other.tie_break()))
        });
        let outcome = alone.outcome.or_else(|| outcome_of_moves(&moves));
        let by_moves = Category::of_moves(moves.iter().map(|mv| mv.after.category));
        let category = match by_moves {
            // What is certain of the position stays certain where its moves are not.
            Some(by_moves) if !by_moves.is_open() || alone.category.is_open() => by_moves,
            _ if alone.category == Category::Unknown => {
                let endgame = position.sought.position.as_ref();
                by_mate(outcome, endgame, position.clock).under(fifty_moves)
            }
            _ => alone.category,
        };
        Self { alone, before: Standing { outcome, category, ..alone }, moves }
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
