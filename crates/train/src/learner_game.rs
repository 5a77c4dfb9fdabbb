use super::score::GameScore;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Color, Game, Move};
use lucena_play::{Forfeit, MoveRequest, Player, TimeMode};

/// A learner in a game that it is going to learn from.
pub(crate) trait LearnerSeat {
    /// The move that it plays; `None` if there is none.
    fn choose(&mut self, game: &Game) -> Option<Move>;

    /// Takes note of the game after a move of `mover`.
    fn see(&mut self, game: &Game, mover: Color);

    /// Its score as `color`, if the game is over. `quiet` is the number of plies since the last
    /// capture.
    fn score(&self, game: &Game, color: Color, quiet: u16) -> Option<GameScore>;

    /// The way in which a game that is over has ended, in a sentence.
    fn ending(&self, game: &Game) -> String {
        game.status().to_string()
    }
}

/// Takes note of a position, and of the score if the game is over.
pub type AfterMove<'f> = dyn FnMut(&Game, Option<GameScore>) -> Result<(), Stopped> + 'f;

/// A finished game of a learner.
#[derive(Debug, Clone)]
pub struct SeriesGame {
    /// Its score.
    pub score: GameScore,
    /// The position at the end, with the moves that led to it.
    pub game: Game,
    /// The way in which it ended, in a sentence.
    pub ending: String,
    /// The reason why the opponent has forfeited the game, if it has.
    pub forfeit: Option<Forfeit>,
}

/// Plays a game to its end, with the learner as `color`. A player without a move, or with an illegal
/// one, forfeits the game. `after_move` is called with every position, the first one too, and with the score if the
/// game is over.
///
/// # Errors
/// If the game was stopped, or the opponent can no longer play.
pub(crate) fn play_game(
    learner: &mut dyn LearnerSeat,
    color: Color,
    start: &Game,
    opponent: &mut dyn Player,
    observer: &dyn Observer,
    after_move: &mut AfterMove<'_>,
) -> Result<SeriesGame, Forfeit> {
    let mut game = start.clone();
    let mut quiet = 0;
    opponent.begin_game(start, observer)?;
    loop {
        let score = learner.score(&game, color, quiet);
        after_move(&game, score)?;
        if let Some(score) = score {
            let ending = learner.ending(&game);
            return Ok(SeriesGame { score, game, ending, forfeit: None });
        }
        let men = game.board().occupied().len();
        let mover = game.turn();
        let offered = if mover == color {
            learner.choose(&game).ok_or(Forfeit::NoMove)
        } else {
            let request = MoveRequest::at(TimeMode::Free, observer);
            opponent.choose_for(&game, &request).map(|choice| choice.mv)
        };
        // A stop may have cut the opponent's thinking short; its move must not count.
        observer.check()?;
        let played =
            offered.and_then(|mv| game.play(mv).map_err(|_| Forfeit::Illegal(mv.to_string())));
        match played {
            Ok(()) => {}
            Err(_) if mover == color => {
                let ending = "The learner has no move to offer.".into();
                return Ok(SeriesGame { score: GameScore::Lost, game, ending, forfeit: None });
            }
            Err(forfeit @ (Forfeit::NoMove | Forfeit::Illegal(_))) => {
                let ending = match &forfeit {
                    Forfeit::Illegal(mv) => {
                        format!("The opponent offers {mv:?}, which is not a legal move.")
                    }
                    _ => "The opponent has no move to offer.".into(),
                };
                let (score, forfeit) = (GameScore::Won, Some(forfeit));
                return Ok(SeriesGame { score, game, ending, forfeit });
            }
            Err(forfeit) => return Err(forfeit),
        }
        learner.see(&game, mover);
        quiet = if game.board().occupied().len() < men { 0 } else { quiet + 1 };
    }
}
