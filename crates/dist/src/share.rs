//! A worker's part of the work in rounds.

use std::error::Error;

/// A worker's share of the work.
///
/// A round begins when all workers have done the one before, so that messages sent in a round are received
/// in the next. Rounds in which no worker has anything to do are skipped.
///
/// ```text
///   kept -> resume(from) -> round(from + 1) -> round(from + 2) -> ...
///              sends         receives, sends    receives, sends      until none sends or is due
/// ```
///
/// A share that can be resumed saves its state together with the messages it *sent* in that round. When the
/// workers are interrupted, they may be at different rounds, but never more than one apart. A share that
/// saves every round, or the same rounds as the others, may therefore have to resume from the checkpoint
/// before the last, so it must keep the last two.
pub trait Share {
    /// The error of a share.
    type Error: Error + 'static;

    /// The last round in its checkpoints.
    fn last_checkpoint(&self) -> Option<u64>;

    /// Restores its state after a round and sends the messages of that round again; or starts from the
    /// beginning, with the messages to be received in round 0. Called once, before any round. `from` is the
    /// earliest of the rounds that the workers have kept, or `None` if one has kept none.
    ///
    /// # Errors
    /// If it cannot continue. This ends all workers.
    fn resume(&mut self, from: Option<u64>) -> Result<RoundOutput, Self::Error>;

    /// Does a round. `messages` has the messages to this worker, from others and itself, of the round before: each
    /// with its sender, ordered by sender and then as sent.
    ///
    /// # Errors
    /// If it cannot continue. This ends all workers.
    fn round(
        &mut self,
        round: u64,
        messages: Vec<(usize, Vec<u8>)>,
    ) -> Result<RoundOutput, Self::Error>;
}

/// The output of a share in a round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RoundOutput {
    /// Messages, each with its recipient, received in the next round.
    pub messages: Vec<(usize, Vec<u8>)>,
    /// The next round in which there is work even without messages. A past round means the next one.
    pub due: Option<u64>,
}
