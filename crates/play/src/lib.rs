//! Players of whole games.
//!
//! A [`Policy`] is a pure function from a legal position to a move, so it can be proved. A
//! [`Player`] plays games on a whole board and may keep state, a seed or a clock; every policy is
//! also a player.
//!
//! | type | chooses by | policy or player |
//! |---|---|---|
//! | [`SearchPolicy`] | searching to a fixed depth | policy |
//! | [`SearchPlayer`] | searching as far as the time allows | player |
//! | [`Defence`] | resisting: best, random or central | player |
//! | [`RandomPlayer`] | a random legal move | player |
//! | [`TiesAtRandom`] | one of the moves that a tree grades best, by lot | player |
//! | [`CentralKingPlayer`] | a random move among those that leave its king nearest the centre | player |
//! | [`WithBook`] | another player, and a book for the opening | player |
//! | [`WithEndgames`] | another player, and policies for the endgames that they know | player |
//! | [`WithTables`] | another player, and tables for the positions that they have | player |

pub mod arena;
pub mod book;
mod defence;
mod losing_replies;
mod move_request;
mod random;
mod search;
pub mod validation;
mod with_endgames;
mod with_tables;

use lucena_base::progress::Observer;
use lucena_chess::{Clock, Game, Move};
use lucena_proof::policy::Policy;

pub use defence::{Defence, Resistance};
pub use losing_replies::LosingReplies;
pub use move_request::{Choice, Forfeit, Grounds, MoveRequest, TableGrounds, TimeMode};
pub use random::{CentralKingPlayer, RandomPlayer, TiesAtRandom, random_move};
pub use search::{NotFixedSearch, SearchPlayer, SearchPolicy};
pub use with_endgames::{WithBook, WithEndgames};
pub use with_tables::{WithTables, rate, rate_in_time};

/// A player of whole games.
pub trait Player {
    /// Returns a name for people.
    fn name(&self) -> String;

    /// Returns the move that it plays; `None` if there is none, or if it does not play the position. The clock
    /// is its own; without one it may take the time that it is configured for.
    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move>;

    /// Returns the move for a request, with the reason for it. A player that has more to observe or to report
    /// than [`Player::play`] implements this.
    ///
    /// # Errors
    /// If it has no move: none of the requested ones, or none at all.
    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let mv = self.play(game, request.pace_left().clock()).filter(|&mv| request.allows(mv));
        mv.map(|mv| Choice { mv, grounds: Grounds::Unstated }).ok_or(Forfeit::NoMove)
    }

    /// Prepares for another game, to which the next position belongs. `start` is that position, or the initial one if it
    /// is not known yet.
    ///
    /// # Errors
    /// If it cannot play.
    fn begin_game(&mut self, _start: &Game, _observer: &dyn Observer) -> Result<(), Forfeit> {
        Ok(())
    }
}

impl<P: Policy> Player for P {
    fn name(&self) -> String {
        Policy::name(self)
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(&game.position().ok()?)
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let position = game.position().map_err(|_| Forfeit::NoMove)?;
        self.prepare(request.search.observer)?;
        let mv = self.choose(&position).filter(|&mv| request.allows(mv)).ok_or(Forfeit::NoMove)?;
        Ok(Choice { mv, grounds: self.grounds(&position).into() })
    }

    fn begin_game(&mut self, _: &Game, observer: &dyn Observer) -> Result<(), Forfeit> {
        Ok(self.prepare(observer)?)
    }
}
