//! Exact scores and lines, from tables.

use super::{Info, Score};
use lucena_base::progress::{Deadline, NoObserver, Observer};
use lucena_chess::{FIFTY_MOVE_PLIES, Game, Move, Status};
use lucena_play::{Grounds, MoveRequest, Player, TimeMode, rate, rate_in_time};
use lucena_search::Value;
use lucena_tablebase::{
    Category, FiftyMoves, Lookup, Outcome, Plies, ProbeTables, RatedMove, RatedMoves, TableLookup,
};
use std::time::{Duration, Instant};

/// A position in tables.
pub(super) struct ExactPosition<'a> {
    game: &'a Game,
    tables: TableLookup<'a>,
    rated: RatedMoves,
    deadline: &'a Deadline<'a>,
    begun: Instant,
}

/// The time for lines after a search has been stopped or its time is over. Most take far less.
const GRACE: Duration = Duration::from_millis(200);

/// The longest line, in plies.
const MAX_LINE: usize = 600;

impl<'a> ExactPosition<'a> {
    /// Looks up the current position of a game; `None` if the tables do not have it, or cannot be read.
    pub(super) fn new(
        game: &'a Game,
        tables: &'a ProbeTables<'a>,
        deadline: &'a Deadline<'a>,
    ) -> Option<Self> {
        let (rated, tables) = rate_in_time(game, tables, deadline).ok()?;
        Some(Self { game, tables, rated: rated?, deadline, begun: Instant::now() })
    }

    /// Returns true if lines have to end here.
    fn is_late(&self) -> bool {
        self.deadline.is_stopped() && self.begun.elapsed() > GRACE
    }

    /// The best of the moves that are allowed.
    pub(super) fn best(&self, allows: impl Fn(Move) -> bool) -> Option<Move> {
        self.rated.moves.iter().map(|rated| rated.mv).find(|&mv| allows(mv))
    }

    /// The information about each of the first `lines` moves that are allowed, after the one that is chosen.
    pub(super) fn others(
        &self,
        chosen: Move,
        lines: usize,
        allows: impl Fn(Move) -> bool,
    ) -> impl Iterator<Item = Info> {
        let others = self.rated.moves.iter().map(|rated| rated.mv);
        let others = others.filter(move |&mv| mv != chosen && allows(mv));
        let others = others.take(lines.saturating_sub(1));
        let others = others.take_while(|_| !self.is_late());
        others.filter_map(|mv| self.info(mv, self.line(mv, None)))
    }

    /// The information about a move with the line that it begins; `None` if the move is not legal.
    pub(super) fn info(&self, mv: Move, line: Vec<Move>) -> Option<Info> {
        let rated = self.rated.moves.iter().find(|rated| rated.mv == mv)?;
        let looked_up = 1 + self.rated.moves.len() as u64;
        Some(Info {
            depth: Some(line.len() as u32),
            score: Some(self.score(rated, &line)),
            nodes: Some(looked_up),
            table_hits: Some(looked_up),
            pv: self.game.uci_line(line),
            ..Info::default()
        })
    }

    /// The results before and after a move; `None` if the move is not legal.
    pub(super) fn categories(&self, mv: Move) -> Option<[Category; 2]> {
        let rated = self.rated.moves.iter().find(|rated| rated.mv == mv)?;
        Some([self.rated.before.category, rated.after.category])
    }

    /// The score of a move. A mate is promised only where it comes in time under the fifty-move rule: by its distance, or
    /// because the line ends with it.
    fn score(&self, rated: &RatedMove, line: &[Move]) -> Score {
        let clock = self.game.halfmove_clock().after_move(rated.is_zeroing);
        let (category, outcome) = (rated.after.category.before_move(), rated.after.outcome);
        let is_in_time = |plies: Plies| {
            self.tables.fifty_moves() == FiftyMoves::Ignored
                || plies < clock.plies_left()
                || plies == clock.plies_left() && !clock.was_drawn()
                || line.len() == usize::from(plies) + 1 && self.ends_in_mate(line)
        };
        match (category, outcome) {
            (Category::Win, Some(Outcome::Loss(plies))) if is_in_time(plies) => {
                Value::Mates(plies + 1).into()
            }
            (Category::Loss, Some(Outcome::Win(plies))) if is_in_time(plies) => {
                Value::Mated(plies + 1).into()
            }
            (Category::Win | Category::MaybeWin, _) => Value::Wins(distance(rated)).into(),
            (Category::Loss | Category::MaybeLoss, _) => Value::Loses(distance(rated)).into(),
            (Category::CursedWin, _) => Score::Hundredths(1),
            (Category::BlessedLoss, _) => Score::Hundredths(-1),
            (Category::Draw | Category::Unknown, _) => Score::Hundredths(0),
        }
    }

    fn ends_in_mate(&self, line: &[Move]) -> bool {
        let mut game = self.game.clone();
        let is_legal = line.iter().all(|&mv| game.play(mv).is_ok());
        is_legal && matches!(game.status(), Status::Checkmate { .. })
    }

    /// The line that a move begins, to the end of the game: the best moves of both sides, or, for the side to move, those
    /// of a player as long as it goes by a model of its own. In a draw there is only the reply.
    pub(super) fn line(&self, mv: Move, mut player: Option<&mut dyn Player>) -> Vec<Move> {
        let (own, mut game, mut line) = (self.game.turn(), self.game.clone(), Vec::new());
        let mut next = Some(mv);
        while let Some(mv) = next.filter(|_| line.len() < MAX_LINE) {
            if game.play(mv).is_err() {
                break;
            }
            line.push(mv);
            if self.is_over(&game) || self.is_late() {
                break;
            }
            let by_model = match &mut player {
                Some(player) if game.turn() == own => model_move(*player, &game),
                _ => None,
            };
            next = by_model.or_else(|| self.next(&game, line.len() == 1));
        }
        line
    }

    /// The best move in a game, if it is won or lost or `in_draw`.
    fn next(&self, game: &Game, in_draw: bool) -> Option<Move> {
        let rated = rate(game, &self.tables).ok()??;
        let reply = rated.moves.first().filter(|_| in_draw);
        rated.best().or(reply).map(|best| best.mv)
    }

    fn is_over(&self, game: &Game) -> bool {
        match game.status() {
            Status::FiftyMoves => self.tables.fifty_moves() == FiftyMoves::Counted,
            status => status.is_over(),
        }
    }
}

/// The distance to zeroing by a move, in plies: 1 if the move itself is zeroing. If that distance is unknown, the distance
/// to mate.
fn distance(rated: &RatedMove) -> u16 {
    if rated.is_zeroing {
        return 1;
    }
    let after = &rated.after;
    let zeroing =
        after.zeroing.map(|dtz| dtz.plies.unsigned_abs().min(FIFTY_MOVE_PLIES.into()) as u16);
    let mate = after.outcome.and_then(Outcome::plies);
    1 + zeroing.or(mate).unwrap_or(FIFTY_MOVE_PLIES)
}

/// The move of a player if a model of its own chooses it.
fn model_move(player: &mut dyn Player, game: &Game) -> Option<Move> {
    let request = MoveRequest::at(TimeMode::Each(Duration::ZERO), &NoObserver);
    let choice = player.choose_for(game, &request).ok()?;
    matches!(choice.grounds, Grounds::Policy(_)).then_some(choice.mv)
}

/// The score of a position in which the game is over: mated, or drawn.
pub(super) fn final_score(game: &Game) -> Score {
    match game.status() {
        Status::Checkmate { .. } => Score::Mate(0),
        _ => Score::Hundredths(0),
    }
}
