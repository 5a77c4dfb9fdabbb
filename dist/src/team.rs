//! A worker among the others, and rounds that all do together.

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
use timely::dataflow::operators::Capability;
use timely::worker::Worker;

use crate::desk::{Complete, Desk};
use crate::exit::{FAILED, LOST};
use crate::hosts::Hosts;
use crate::join::{self, JoinError};
use crate::letter::Word;
use crate::link::{Link, Wire};
use crate::share::{Said, Share};

/// Why a worker did not do all its rounds.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: Error + 'static> {
    /// Its share ended with an error.
    #[error(transparent)]
    Share(E),
    /// Another worker is gone.
    #[error(
        "lost the connection to worker {} ({address}); start all workers again, and they go on \
         from what they have kept",
        .worker + 1
    )]
    Lost {
        /// The other worker.
        worker: usize,
        /// Its address.
        address: String,
    },
    /// A share says something to a worker that is not there.
    #[error(
        "a message is for worker {to}, but there are {workers}, counted from 0; mend the share"
    )]
    NoSuchWorker {
        /// Whom it is for.
        to: usize,
        /// How many there are.
        workers: usize,
    },
}

impl<E: Error + 'static> RunError<E> {
    /// With what a worker's process ends, for its supervisor.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::Lost { .. }) { LOST } else { FAILED }
    }
}

/// Tells, also within a round and on another thread, that a worker is gone, so that what takes long need not
/// be brought to its end for nothing. The share may then end with any error: what is reported is the loss.
#[derive(Debug, Clone)]
pub struct Alarm(Arc<Wire>);

impl Alarm {
    /// Whether a worker is gone.
    pub fn is_lost(&self) -> bool {
        self.0.lost().is_some()
    }
}

/// A worker that is connected to all others.
///
/// It is to [`leave`](Self::leave) when all is done. One that is dropped before is lost to the others.
#[must_use = "a worker that is dropped is lost to the others"]
pub struct Team {
    hosts: Hosts,
    index: usize,
    wire: Arc<Wire>,
    sockets: Vec<TcpStream>,
    // Both are there until it is dropped. timely's threads end only after its worker.
    worker: Option<Worker>,
    threads: Option<CommsGuard>,
}

/// Rounds are timely's times, less what comes before them: the opening, and what is heard in round 0.
const BEFORE: u64 = 2;

/// So that no time is beyond the last.
const LAST_ROUND: u64 = u64::MAX - 2 * BEFORE;

impl Team {
    /// Waits until all workers are there, and all are what this one is: bytes that say which program it is,
    /// for what work and with what parameters, at most a mebibyte.
    ///
    /// Whoever reaches the port and knows these bytes can take part. So this is for one machine, or for a
    /// network of one's own.
    ///
    /// # Errors
    /// When it cannot be called, another did not come in time, or another is not the same.
    pub fn join(
        hosts: &Hosts,
        index: usize,
        who: &[u8],
        limit: Duration,
    ) -> Result<Self, JoinError> {
        let streams = join::connect(hosts, index, who, limit)?;
        let copies = streams.iter().flatten().map(TcpStream::try_clone);
        let sockets = copies.collect::<Result<_, _>>()?;
        let wire = Wire::new();
        let link = |(peer, stream): (_, Option<_>)| {
            stream.map(|stream| Link::new(stream, peer, Arc::clone(&wire)))
        };
        let links = streams.into_iter().enumerate().map(link).collect();
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (mut builders, threads) =
            initialize_networking_from_sockets::<Link>(local, links, index, 1, hooks)?;
        let allocator = Allocator::Tcp(builders.remove(0).build());
        // Without a clock it would never sleep.
        let clock = Some(Instant::now());
        let worker = Some(Worker::new(WorkerConfig::default(), allocator, clock));
        let threads = Some(threads);
        Ok(Self { hosts: hosts.clone(), index, wire, sockets, worker, threads })
    }

    /// Which worker this is.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        self.hosts.len()
    }

    /// What tells within a round that a worker is gone.
    pub fn alarm(&self) -> Alarm {
        Alarm(Arc::clone(&self.wire))
    }

    /// Does all rounds of a share, until no worker has said anything and none is due. All workers do the same
    /// runs, one after the other.
    ///
    /// # Errors
    /// When the share ends with an error, or another worker is gone. To the others this one is gone then.
    pub fn run<S: Share>(mut self, share: &mut S) -> Result<Self, RunError<S::Error>> {
        match self.rounds(share) {
            Ok(()) => Ok(self),
            // A share may well fail because of a loss; then the loss is what is wrong.
            Err(error) => Err(self.loss().err().unwrap_or(error)),
        }
    }

    /// Waits until all others leave as well, and ends the connections.
    pub fn leave(self) {
        self.wire.end();
    }

    fn rounds<S: Share>(&mut self, share: &mut S) -> Result<(), RunError<S::Error>> {
        let (desk, first) = Desk::open(self.worker());
        let kept = Word { has_said: false, round: share.kept() };
        let mut opening = self.speak(&desk, first, Vec::new(), kept)?;
        // None, for a worker that has kept nothing, is less than any round.
        let mut done = opening.words.iter().map(|word| word.round).min().flatten();
        let mut said = share.resume(done).map_err(RunError::Share)?;
        loop {
            let Said { messages, due } = said;
            let word = Word { has_said: !messages.is_empty(), round: due };
            opening.turn.downgrade(&done.map_or(BEFORE - 1, |round| round + BEFORE));
            let heard = self.speak(&desk, opening.turn, messages, word)?;
            let next = done.map_or(0, |round| round + 1);
            let due = match heard.words.iter().any(|word| word.has_said) {
                true => Some(next),
                false => heard.words.iter().filter_map(|word| word.round).min(),
            };
            let Some(due) = due else {
                desk.close(heard.turn);
                break;
            };
            let round = due.max(next).min(LAST_ROUND);
            said = share.round(round, heard.messages).map_err(RunError::Share)?;
            done = Some(round);
            opening.turn = heard.turn;
        }
        while self.worker().has_dataflows() {
            self.step()?;
        }
        Ok(())
    }

    /// Says something, and waits for what the others say.
    fn speak<E: Error>(
        &mut self,
        desk: &Desk,
        turn: Capability<u64>,
        messages: Vec<(usize, Vec<u8>)>,
        word: Word,
    ) -> Result<Complete, RunError<E>> {
        let workers = self.workers();
        if let Some(&(to, _)) = messages.iter().find(|(to, _)| *to >= workers) {
            return Err(RunError::NoSuchWorker { to, workers });
        }
        desk.hand_in(turn, messages, word);
        loop {
            self.step()?;
            if let Some(complete) = desk.take_up() {
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
            // timely would end the connections in good order, and the others would wait for ever for what
            // this worker still has to say.
            self.wire.end();
            for socket in &self.sockets {
                let _ = socket.shutdown(Shutdown::Both);
            }
        }
        let (worker, threads) = (self.worker.take(), self.threads.take());
        if std::thread::panicking() {
            // timely's worker would have its threads panic as well, and this one a second time.
            std::mem::forget((worker, threads));
            return;
        }
        drop(worker);
        drop(threads);
    }
}
