//! A worker connected to the others, and the rounds that they do together.

use std::error::Error;
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::worker::Worker;

use crate::dataflow::{CompleteRound, Dataflow, Outgoing};
use crate::hosts::Hosts;
use crate::join::{self, JoinError};
use crate::link::{ConnectionState, Link};
use crate::packet::RoundStatus;
use crate::share::{RoundOutput, Share};
use crate::{FAILED, LOST};

/// An error that ended a worker before all rounds were done.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: Error + 'static> {
    /// The share returned an error.
    #[error(transparent)]
    Share(E),
    /// Another worker was lost.
    #[error(
        "lost the connection to worker {} ({address}); start all workers again, and they continue from their checkpoints",
        .worker + 1
    )]
    Lost {
        /// The other worker.
        worker: usize,
        /// Its address.
        address: String,
    },
    /// A share sent a message to a worker that does not exist.
    #[error("a message is for worker {to}, but there are {workers}, counted from 0; fix the share")]
    NoSuchWorker {
        /// The recipient.
        to: usize,
        /// The number of workers.
        workers: usize,
    },
}

impl<E: Error + 'static> RunError<E> {
    /// The exit code of a worker's process, for its supervisor.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Lost { .. }) { LOST } else { FAILED }
    }
}

/// Detects the loss of a worker, also within a round and on any thread, so that a long computation can be
/// abandoned early. The share may then return any error: the loss is reported instead.
#[derive(Debug, Clone)]
pub struct Alarm(Arc<ConnectionState>);

impl Alarm {
    /// Returns true if a worker was lost.
    pub fn is_lost(&self) -> bool {
        self.0.lost().is_some()
    }
}

/// A worker that is connected to all others.
///
/// It must [`leave`](Self::leave) when all work is done; if it is dropped before, the others lose it.
#[must_use = "a worker that is dropped is lost to the others"]
pub struct Team {
    hosts: Hosts,
    index: usize,
    wire: Arc<ConnectionState>,
    sockets: Vec<TcpStream>,
    // Both are `Some` until drop. timely's threads end only after its worker.
    worker: Option<Worker>,
    threads: Option<CommsGuard>,
}

/// The number of timely times before round 0: the opening, and the messages to be received in round 0.
const BEFORE: u64 = 2;

/// The limit for rounds, so that times do not overflow.
const LAST_ROUND: u64 = u64::MAX - 2 * BEFORE;

impl Team {
    /// Waits until all workers are connected and have the same identity as this one: bytes that describe the
    /// program, the work and its parameters, at most a mebibyte.
    ///
    /// Anyone who can reach the port and knows these bytes can take part, so use this only on one machine or
    /// within a trusted network.
    ///
    /// # Errors
    /// If this worker cannot listen, another does not connect in time, or another has a different identity.
    pub fn join(
        hosts: &Hosts,
        index: usize,
        who: &[u8],
        limit: Duration,
    ) -> Result<Self, JoinError> {
        let streams = join::connect(hosts, index, who, limit)?;
        let copies = streams.iter().flatten().map(TcpStream::try_clone);
        let sockets = copies.collect::<Result<_, _>>()?;
        let wire = ConnectionState::new();
        let link = |(peer, stream): (_, Option<_>)| {
            stream.map(|stream| Link::new(stream, peer, Arc::clone(&wire)))
        };
        let links = streams.into_iter().enumerate().map(link).collect();
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (mut builders, threads) =
            initialize_networking_from_sockets::<Link>(local, links, index, 1, hooks)?;
        let allocator = Allocator::Tcp(builders.remove(0).build());
        // Without a clock the worker would never park.
        let clock = Some(Instant::now());
        let worker = Some(Worker::new(WorkerConfig::default(), allocator, clock));
        let threads = Some(threads);
        Ok(Self { hosts: hosts.clone(), index, wire, sockets, worker, threads })
    }

    /// The number of this worker.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.hosts.len()
    }

    /// Returns an alarm that detects the loss of a worker within a round.
    pub fn alarm(&self) -> Alarm {
        Alarm(Arc::clone(&self.wire))
    }

    /// Does all rounds of a share, until no worker has sent anything and none is due. All workers must do the
    /// same runs in the same order.
    ///
    /// # Errors
    /// If the share returns an error, or another worker is lost. The others then lose this one.
    pub fn run<S: Share>(mut self, share: &mut S) -> Result<Self, RunError<S::Error>> {
        match self.rounds(share) {
            Ok(()) => Ok(self),
            // The share may have failed because of a loss: report the cause.
            Err(error) => Err(self.loss().err().unwrap_or(error)),
        }
    }

    /// Waits until all others leave as well, and closes the connections.
    pub fn leave(self) {
        self.wire.end();
    }

    fn rounds<S: Share>(&mut self, share: &mut S) -> Result<(), RunError<S::Error>> {
        let (dataflow, first) = Dataflow::open(self.worker());
        let kept = RoundStatus { has_sent: false, round: share.last_checkpoint() };
        let opening = Outgoing { capability: first, messages: Vec::new(), status: kept };
        let mut opening = self.exchange_round(&dataflow, opening)?;
        // `None`, for a worker that has kept nothing, is less than any round.
        let mut done = opening.statuses.iter().map(|status| status.round).min().flatten();
        let mut output = share.resume(done).map_err(RunError::Share)?;
        loop {
            let RoundOutput { messages, due } = output;
            let status = RoundStatus { has_sent: !messages.is_empty(), round: due };
            opening.capability.downgrade(&done.map_or(BEFORE - 1, |round| round + BEFORE));
            let outgoing = Outgoing { capability: opening.capability, messages, status };
            let received = self.exchange_round(&dataflow, outgoing)?;
            let next = done.map_or(0, |round| round + 1);
            let due = match received.statuses.iter().any(|status| status.has_sent) {
                true => Some(next),
                false => received.statuses.iter().filter_map(|status| status.round).min(),
            };
            let Some(due) = due else {
                dataflow.close(received.capability);
                break;
            };
            let round = due.max(next).min(LAST_ROUND);
            output = share.round(round, received.messages).map_err(RunError::Share)?;
            done = Some(round);
            opening.capability = received.capability;
        }
        while self.worker().has_dataflows() {
            self.step()?;
        }
        Ok(())
    }

    /// Sends messages, and waits for those of the others.
    fn exchange_round<E: Error>(
        &mut self,
        dataflow: &Dataflow,
        outgoing: Outgoing,
    ) -> Result<CompleteRound, RunError<E>> {
        let workers = self.workers();
        if let Some(&(to, _)) = outgoing.messages.iter().find(|(to, _)| *to >= workers) {
            return Err(RunError::NoSuchWorker { to, workers });
        }
        dataflow.send(outgoing);
        loop {
            self.step()?;
            if let Some(complete) = dataflow.take_complete() {
                return Ok(complete);
            }
        }
    }

    fn step<E: Error>(&mut self) -> Result<(), RunError<E>> {
        self.loss()?;
        // A loss wakes it.
        self.worker().step_or_park(None);
        Ok(())
    }

    fn loss<E: Error>(&self) -> Result<(), RunError<E>> {
        self.wire.lost().map_or(Ok(()), |worker| {
            Err(RunError::Lost { worker, address: self.hosts.address(worker).into() })
        })
    }

    fn worker(&mut self) -> &mut Worker {
        self.worker.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        if !self.wire.has_ended() {
            // timely would close the connections cleanly, and the others would wait forever for the messages
            // of this worker.
            self.wire.end();
            for socket in &self.sockets {
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
        let (worker, threads) = (self.worker.take(), self.threads.take());
        if std::thread::panicking() {
            // Dropping timely's worker would panic its threads, and this one a second time.
            std::mem::forget((worker, threads));
            return;
        }
        drop(worker);
        drop(threads);
    }
}
