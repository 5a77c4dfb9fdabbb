use super::record::FinishedGame;
use super::{ArenaClock, ArenaParams, GameEnd};
use crate::{Forfeit, MoveRequest, Player, TimeMode};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::pgn::GameResult;
use lucena_chess::{Clock, Color, Game};
use std::time::{Duration, Instant};

/// Plays a game to its end. `players` are White and Black.
pub(super) fn play(
    mut players: [Box<dyn Player + '_>; 2],
    opening: Game,
    rules: &ArenaParams,
    observer: &dyn Observer,
) -> Result<FinishedGame, Stopped> {
    let mut clocks = [rules.timing.clock(); 2];
    let most_plies = opening.history().len() + 2 * usize::from(rules.most_moves);
    let mut game = opening;
    for (player, color) in players.iter_mut().zip(Color::ALL) {
        if let Err(forfeit) = player.begin_game(&game, observer) {
            observer.check()?;
            return Ok(forfeited(game, color, forfeit));
        }
    }
    loop {
        observer.check()?;
        if let Some(end) = GameEnd::by_rules(game.status()) {
            return Ok(FinishedGame {
                result: GameResult::by_rules(&game),
                game,
                end,
                fault: None,
            });
        }
        if game.history().len() >= most_plies {
            return Ok(FinishedGame {
                game,
                result: GameResult::Draw,
                end: GameEnd::MoveLimit,
                fault: None,
            });
        }
        let turn = game.turn();
        let seat = turn as usize;
        let pace = rules.timing.pace(clocks[seat], clocks[1 - seat]);
        let started = Instant::now();
        let offered = players[seat].choose_for(&game, &MoveRequest::at(pace, observer));
        let taken = started.elapsed().saturating_sub(rules.margin);
        // A stop may have cut the player's thinking short; its move must not count.
        observer.check()?;
        let offered = match offered {
            // A player that is gone has not merely lost on time.
            Err(forfeit @ (Forfeit::Stalled(_) | Forfeit::NotReading | Forfeit::Crashed(_))) => {
                return Ok(forfeited(game, turn, forfeit));
            }
            offered => offered,
        };
        if rules.timing.spend(&mut clocks[seat], taken).is_err() {
            let result = GameResult::won_by(!turn);
            return Ok(FinishedGame { game, result, end: GameEnd::OutOfTime, fault: None });
        }
        let played = offered.and_then(|choice| {
            game.play(choice.mv).map_err(|_| Forfeit::Illegal(choice.mv.to_string()))
        });
        if let Err(forfeit) = played {
            return Ok(forfeited(game, turn, forfeit));
        }
    }
}

/// A game lost by forfeit.
fn forfeited(game: Game, loser: Color, forfeit: Forfeit) -> FinishedGame {
    let (result, end) = (GameResult::won_by(!loser), GameEnd::by_forfeit(&forfeit));
    FinishedGame { game, result, end, fault: Some((loser, forfeit)) }
}

impl ArenaClock {
    /// The clock at the start of the game.
    fn clock(self) -> Option<Clock> {
        match self {
            Self::Clock(control) => Some(control.start()),
            Self::Free | Self::Each(_) => None,
        }
    }

    fn pace(self, own: Option<Clock>, other: Option<Clock>) -> TimeMode {
        match (self, own.zip(other)) {
            (_, Some((own, other))) => TimeMode::Clocks { own, other },
            (Self::Each(time), None) => TimeMode::Each(time),
            (Self::Free | Self::Clock(_), None) => TimeMode::Free,
        }
    }

    /// Subtracts the time of a move; an error if the time has run out.
    fn spend(
        self,
        clock: &mut Option<Clock>,
        taken: Duration,
    ) -> Result<(), lucena_chess::OutOfTime> {
        match (self, clock) {
            (Self::Each(time), _) if taken > time => Err(lucena_chess::OutOfTime),
            (Self::Clock(control), Some(clock)) => control.spend(clock, taken),
            _ => Ok(()),
        }
    }
}
