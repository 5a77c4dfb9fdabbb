//! Work in rounds, shared by processes and hosts; it goes on after a worker has died.
//!
//! A [`Share`] is what one worker does: it hears what the others said in the round before, works, and says
//! something to them. A [`Team`] connects the workers and does the rounds, on
//! [timely dataflow](https://docs.rs/timely), whose progress tracking says when a round is complete.
//! [`supervise`] starts the workers of a machine as processes, and again when one dies. This crate knows
//! nothing of what is worked at.
//!
//! | what happens | what comes of it |
//! |---|---|
//! | a share gives an error | its worker ends with it ([`RunError::Share`]), the others with [`RunError::Lost`] |
//! | a worker is killed, a machine ends | the others end with [`RunError::Lost`], no panic and no hang |
//! | a worker is of another program or for other work | both that meet end with [`JoinError::Differs`] |
//! | a worker never comes | the others end with [`JoinError::Missing`], which names it |
//! | a process ends with [`LOST`] or of a signal | [`supervise`] starts all again; they go on from what they kept |
//!
//! Workers are numbered from 0. What is said to people counts them from 1.
//!
//! What is heard is in a fixed order, so that the same work gives the same bytes with any number of workers
//! if the share does not look at how many there are.
//!
//! ```
//! use std::convert::Infallible;
//! use std::time::Duration;
//! use lucena_dist::{Hosts, Said, Share, Team};
//!
//! /// Counts down, each round on the next worker.
//! struct Countdown(usize);
//!
//! impl Share for Countdown {
//!     type Error = Infallible;
//!
//!     fn kept(&self) -> Option<u64> {
//!         None
//!     }
//!
//!     fn resume(&mut self, _: Option<u64>) -> Result<Said, Infallible> {
//!         let messages = if self.0 == 0 { vec![(0, vec![9])] } else { vec![] };
//!         Ok(Said { messages, due: None })
//!     }
//!
//!     fn round(&mut self, round: u64, heard: Vec<(usize, Vec<u8>)>) -> Result<Said, Infallible> {
//!         let left = heard.iter().filter(|(_, bytes)| bytes[0] > 0);
//!         let messages = left.map(|(_, bytes)| ((self.0 + 1) % 2, vec![bytes[0] - 1])).collect();
//!         Ok(Said { messages, due: None })
//!     }
//! }
//!
//! let hosts = Hosts::local(2).unwrap();
//! let work = |worker| {
//!     let team = Team::join(&hosts, worker, b"countdown", Duration::from_secs(60)).unwrap();
//!     team.run(&mut Countdown(worker)).unwrap().leave();
//! };
//! // Each would be a process of its own.
//! std::thread::scope(|scope| (0..2).for_each(|worker| drop(scope.spawn(move || work(worker)))));
//! ```

mod desk;
mod exchange;
mod exit;
mod hosts;
mod join;
mod letter;
mod link;
mod share;
mod supervise;
mod team;

pub use exit::{FAILED, LOST, PORT_IN_USE};
pub use hosts::{Hosts, HostsError};
pub use join::JoinError;
pub use share::{Said, Share};
pub use supervise::{Crew, SuperviseError, end_with_supervisor, supervise};
pub use team::{Alarm, RunError, Team};
