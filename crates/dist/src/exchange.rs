//! One-time transfer of bytes, in pieces.

use std::error::Error;

use crate::share::{RoundOutput, Share};
use crate::team::{RunError, Team};

/// The number of bytes after which a worker sends no more in a round.
const PORTION: usize = 4 << 20;

impl Team {
    /// Sends the pieces that `next` returns, each to a worker, and passes the received pieces to `take`: by
    /// round, then by sender, then in the order sent. All workers must call this. A worker holds about 4 MiB
    /// of its own pieces and of each other worker's, or one piece if it is larger.
    ///
    /// # Errors
    /// If one of the two functions returns an error, or another worker is lost.
    pub fn exchange<E: Error + 'static>(
        self,
        next: impl FnMut() -> Result<Option<(usize, Vec<u8>)>, E>,
        take: impl FnMut(usize, Vec<u8>) -> Result<(), E>,
    ) -> Result<Self, RunError<E>> {
        self.run(&mut Exchange { next: Some(next), take })
    }
}

struct Exchange<N, T> {
    /// `None` once it has returned all pieces.
    next: Option<N>,
    take: T,
}

impl<N, T, E> Share for Exchange<N, T>
where
    N: FnMut() -> Result<Option<(usize, Vec<u8>)>, E>,
    T: FnMut(usize, Vec<u8>) -> Result<(), E>,
    E: Error + 'static,
{
    type Error = E;

    fn last_checkpoint(&self) -> Option<u64> {
        None
    }

    fn resume(&mut self, _: Option<u64>) -> Result<RoundOutput, E> {
        Ok(RoundOutput { messages: Vec::new(), due: Some(0) })
    }

    fn round(&mut self, round: u64, messages: Vec<(usize, Vec<u8>)>) -> Result<RoundOutput, E> {
        for (from, bytes) in messages {
            (self.take)(from, bytes)?;
        }
        let mut said = RoundOutput::default();
        let mut length = 0;
        while length < PORTION {
            let Some(next) = &mut self.next else { return Ok(said) };
            match next()? {
                Some((to, bytes)) => {
                    length += bytes.len();
                    said.messages.push((to, bytes));
                }
                None => self.next = None,
            }
        }
        said.due = Some(round + 1);
        Ok(said)
    }
}
