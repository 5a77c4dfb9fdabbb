//! Distributed computation in synchronous rounds, by processes on one or more hosts, with recovery from the
//! loss of a worker.
//!
//! A [`Share`] is the part of one worker: in each round it receives the messages of the round before, works,
//! and sends messages. A [`Team`] connects the workers and runs the rounds, on
//! [timely dataflow](https://docs.rs/timely), whose progress tracking detects when a round is complete.
//! [`supervise`] starts the workers of a machine as processes, and restarts them when one dies. The crate is
//! independent of the work itself.
//!
//! | event | result |
//! |---|---|
//! | a share returns an error | its worker returns [`RunError::Share`], the others [`RunError::Lost`] |
//! | a worker is killed, a machine fails | the others return [`RunError::Lost`]; they neither panic nor hang |
//! | a worker runs another program or other work | both workers return [`JoinError::Differs`] |
//! | a worker never connects | the others return [`JoinError::Missing`], which names it |
//! | a process exits with [`LOST`] or by a signal | [`supervise`] restarts all from their checkpoints |
//!
//! Workers are numbered from 0, but from 1 in messages for people.
//!
//! Messages arrive in a fixed order, so that the results are identical for any number of workers if the share
//! does not depend on that number.
//!
//! ```
//! use std::convert::Infallible;
//! use std::time::Duration;
//! use lucena_dist::{Hosts, RoundOutput, Share, Team};
//!
//! /// Counts down, in each round on the next worker.
//! struct Countdown(usize);
//!
//! impl Share for Countdown {
//!     type Error = Infallible;
//!
//!     fn last_checkpoint(&self) -> Option<u64> {
//!         None
//!     }
//!
//!     fn resume(&mut self, _: Option<u64>) -> Result<RoundOutput, Infallible> {
//!         let messages = if self.0 == 0 { vec![(0, vec![9])] } else { vec![] };
//!         Ok(RoundOutput { messages, due: None })
//!     }
//!
//!     fn round(&mut self, round: u64, messages: Vec<(usize, Vec<u8>)>) -> Result<RoundOutput, Infallible> {
//!         let left = messages.iter().filter(|(_, bytes)| bytes[0] > 0);
//!         let messages = left.map(|(_, bytes)| ((self.0 + 1) % 2, vec![bytes[0] - 1])).collect();
//!         Ok(RoundOutput { messages, due: None })
//!     }
//! }
//!
//! let hosts = Hosts::local(2).unwrap();
//! let work = |worker| {
//!     let team = Team::join(&hosts, worker, b"countdown", Duration::from_secs(60)).unwrap();
//!     team.run(&mut Countdown(worker)).unwrap().leave();
//! };
//! // In practice each would be a separate process.
//! std::thread::scope(|scope| (0..2).for_each(|worker| drop(scope.spawn(move || work(worker)))));
//! ```

mod dataflow;
mod exchange;
mod hosts;
mod join;
mod link;
mod packet;
mod share;
mod supervise;
mod team;

pub use hosts::{Hosts, HostsError};
pub use join::JoinError;
pub use share::{RoundOutput, Share};
pub use supervise::{Crew, SuperviseError, end_with_supervisor, supervise};
pub use team::{Alarm, RunError, Team};

// The exit codes of a worker's process, for its supervisor.

/// Another worker was lost, so the workers should be restarted. The code of a temporary failure in
/// `sysexits.h`.
pub const LOST: u8 = 75;

/// Another program has the port. The worker should be restarted if its port was chosen automatically.
pub const PORT_IN_USE: u8 = 76;

/// Any other error, described in the last line of the standard error.
pub const FAILED: u8 = 1;
