use super::End;
use crate::chess::pgn::GameResult;
use crate::chess::{Clock, Color, Game};
use crate::player::Player;
use crate::work::{Stopped, Watch};
use std::time::Instant;

/// A game that is over.
pub(super) struct Played {
    pub(super) game: Game,
    pub(super) result: GameResult,
    pub(super) end: End,
}

/// Plays a game to its end. The players are White's and Black's.
pub(super) fn play(
    mut players: [Box<dyn Player + '_>; 2],
    opening: Game,
    clock: Option<Clock>,
    most_moves: u16,
    watch: &dyn Watch,
) -> Result<Played, Stopped> {
    let mut clocks = [clock; 2];
    let most_plies = opening.history().len() + 2 * usize::from(most_moves);
    let mut game = opening;
    loop {
        watch.go_on()?;
        if let Some(end) = End::by_rules(game.status()) {
            return Ok(Played { result: GameResult::by_rules(&game), game, end });
        }
        if game.history().len() >= most_plies {
            return Ok(Played { game, result: GameResult::Draw, end: End::MoveLimit });
        }
        let turn = game.turn();
        let seat = match turn {
            Color::White => 0,
            Color::Black => 1,
        };
        let started = Instant::now();
        let offered = players[seat].play(&game, clocks[seat]);
        let taken = started.elapsed();
        // Work that was stopped may have kept the player from thinking to the end.
        watch.go_on()?;
        let is_late = clocks[seat].as_mut().is_some_and(|clock| clock.spend(taken).is_err());
        let lost_by = if is_late {
            Some(End::OutOfTime)
        } else if offered.is_none_or(|mv| game.play(mv).is_err()) {
            Some(End::NoMove)
        } else {
            None
        };
        if let Some(end) = lost_by {
            return Ok(Played { game, result: GameResult::won_by(!turn), end });
        }
    }
}
