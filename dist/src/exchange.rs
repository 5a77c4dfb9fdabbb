//! Bytes that are handed over once, in pieces.

use std::error::Error;

use crate::share::{Said, Share};
use crate::team::{RunError, Team};

/// How much a worker says in a round, in bytes, before it waits for the others to have heard it.
const PORTION: usize = 4 << 20;

impl Team {
    /// Hands over what `next` gives, piece by piece, each to a worker, and lets `take` have what comes from
    /// the others, in order of the workers among what comes together, and of each worker in its order. All
    /// workers call this. A worker holds some 4 MiB of its own and of each other's, or one piece if that is
    /// larger.
    ///
    /// # Errors
    /// When one of the two gives an error, or another worker is gone.
    pub fn exchange<E: Error + 'static>(
        self,
        next: impl FnMut() -> Result<Option<(usize, Vec<u8>)>, E>,
        take: impl FnMut(usize, Vec<u8>) -> Result<(), E>,
    ) -> Result<Self, RunError<E>> {
        self.run(&mut Exchange { next: Some(next), take })
    }
}

struct Exchange<N, T> {
    /// None when it has given all.
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

    fn kept(&self) -> Option<u64> {
        None
    }

    fn resume(&mut self, _: Option<u64>) -> Result<Said, E> {
        Ok(Said { messages: Vec::new(), due: Some(0) })
    }

    fn round(&mut self, round: u64, heard: Vec<(usize, Vec<u8>)>) -> Result<Said, E> {
        for (from, bytes) in heard {
            (self.take)(from, bytes)?;
        }
        let mut said = Said::default();
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
