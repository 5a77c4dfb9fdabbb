//! What one worker does of work that goes in rounds.

use std::error::Error;

/// One worker's share of the work.
///
/// A round begins when all workers have done the one before, so that whatever was said in a round is heard
/// in the next. Rounds in which nobody has anything to do are left out.
///
/// ```text
///   kept -> resume(from) -> round(from + 1) -> round(from + 2) -> ...
///              says            hears, says       hears, says        until nobody says or is due for anything
/// ```
///
/// A share that can go on after it was ended keeps its state with what it *said* in that round. Workers are
/// not all at the same round when they are ended, but no two are further apart than one: a share that keeps
/// every round, or the same rounds as the others, may be told to go back to the one kept before the last.
/// So it keeps the last two.
pub trait Share {
    /// Why it could not go on.
    type Error: Error + 'static;

    /// The last round that it has kept.
    fn kept(&self) -> Option<u64>;

    /// Takes up its state as it was after a round, and says once more what it said in that round; or begins
    /// from the start, with what is to be heard in round 0. Called once, before any round. The round is the
    /// earliest that any worker has kept, and `None` if one has kept none.
    ///
    /// # Errors
    /// When it could not go on. That ends all workers.
    fn resume(&mut self, from: Option<u64>) -> Result<Said, Self::Error>;

    /// One round. Heard is what the others and itself said in the round before: each with the worker who
    /// said it, in order of the workers and then as it was said.
    ///
    /// # Errors
    /// When it could not go on. That ends all workers.
    fn round(&mut self, round: u64, heard: Vec<(usize, Vec<u8>)>) -> Result<Said, Self::Error>;
}

/// What a share says in a round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    /// Messages, each to a worker. They are heard in the next round.
    pub messages: Vec<(usize, Vec<u8>)>,
    /// The next round in which there is something to do even if nothing is heard. A round that is past means
    /// the next one.
    pub due: Option<u64>,
}
