//! The dataflow of a run: one loop that carries messages from worker to worker. They arrive a round
//! later.
//!
//! ```text
//!        +--> by recipient --> queues --+
//!        |                              |
//!        +--------- time + 1 <----------+
//! ```
//!
//! The share itself runs outside the dataflow and holds a timely capability. As long as a worker holds one,
//! the frontier of the others does not pass its round.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::operators::generic::{Operator, OutputBuilderSession};
use timely::dataflow::operators::{Capability, ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

use crate::packet::{ByRecipient, Content, Packet, RoundStatus};

/// The maximum size of a piece of a message, in bytes, since timely's buffers never shrink.
const LARGEST_PIECE: usize = 256 << 10;

/// The interface of a worker to the dataflow.
pub(crate) struct Dataflow {
    queues: Rc<RefCell<Queues>>,
    activator: Activator,
}

/// A round in which all workers have sent everything.
pub(crate) struct CompleteRound {
    /// The capability to send in this round or later.
    pub(crate) capability: Capability<u64>,
    /// The received messages, ordered by sender and then as sent.
    pub(crate) messages: Vec<(usize, Vec<u8>)>,
    /// One from each worker.
    pub(crate) statuses: Vec<RoundStatus>,
}

#[derive(Default)]
struct Queues {
    outgoing: Option<Outgoing>,
    /// By time. There can be two: other workers may be past a round that is not complete here.
    incoming: BTreeMap<u64, Incoming>,
    complete: Option<CompleteRound>,
}

/// The messages and the status of this worker in a round.
pub(crate) struct Outgoing {
    /// The capability to send in that round.
    pub(crate) capability: Capability<u64>,
    /// Each with its recipient.
    pub(crate) messages: Vec<(usize, Vec<u8>)>,
    pub(crate) status: RoundStatus,
}

struct Incoming {
    capability: Capability<u64>,
    by_sender: Vec<SenderQueue>,
}

#[derive(Clone, Default)]
struct SenderQueue {
    whole: Vec<Vec<u8>>,
    unfinished: Vec<u8>,
    status: Option<RoundStatus>,
}

impl Dataflow {
    /// Sets up the dataflow. Returns the capability of time 0.
    pub(crate) fn open(worker: &mut Worker) -> (Self, Capability<u64>) {
        let queues = Rc::new(RefCell::new(Queues::default()));
        let (own, workers) = (worker.index(), worker.peers());
        let mut first = None;
        let address = worker.dataflow_named::<u64, _, _>("rounds", |scope| {
            let (back, packets) = scope.feedback(1);
            let queues = Rc::clone(&queues);
            let mut address = None;
            let pact = DistributorPact(|_| ByRecipient);
            packets
                .unary_frontier(pact, "exchange", |capability, info| {
                    first = Some(capability);
                    address = Some(info.address);
                    move |(input, frontier), output| {
                        let mut queues = queues.borrow_mut();
                        input.for_each(|capability, packet| {
                            let Some(capability) = capability.retain_least(0) else { return };
                            queues.push(capability, std::mem::take(packet), workers);
                        });
                        if let Some(outgoing) = queues.outgoing.take() {
                            outgoing.send(own, workers, output);
                        }
                        queues.complete(|time| !frontier.less_equal(time));
                    }
                })
                .connect_loop(back);
            address.expect("the operator was built")
        });
        let activator = worker.activator_for(address);
        (Self { queues, activator }, first.expect("the operator was built"))
    }

    /// Sends messages and the status of this worker.
    pub(crate) fn send(&self, outgoing: Outgoing) {
        self.queues.borrow_mut().outgoing = Some(outgoing);
        self.activator.activate();
    }

    /// Drops the capability: this worker sends nothing more.
    pub(crate) fn close(&self, capability: Capability<u64>) {
        drop(capability);
        // timely notices this only when the operator runs.
        self.activator.activate();
    }

    /// Takes the next round, if it is complete.
    pub(crate) fn take_complete(&self) -> Option<CompleteRound> {
        self.queues.borrow_mut().complete.take()
    }
}

impl Outgoing {
    fn send(
        self,
        from: usize,
        workers: usize,
        output: &mut OutputBuilderSession<'_, u64, NoopBuilder<Packet>>,
    ) {
        let mut session = output.session_with_builder(&self.capability);
        let mut send = |to, content| session.give_container(&mut Packet { from, to, content });
        for (to, mut message) in self.messages {
            if message.len() > LARGEST_PIECE {
                let mut pieces = message.chunks(LARGEST_PIECE).peekable();
                while let Some(piece) = pieces.next() {
                    send(to, Content::Piece(piece.to_vec(), pieces.peek().is_none()));
                }
                continue;
            }
            message.shrink_to_fit();
            send(to, Content::Piece(message, true));
        }
        for to in 0..workers {
            send(to, Content::Status(self.status));
        }
    }
}

impl Queues {
    fn push(&mut self, capability: Capability<u64>, packet: Packet, workers: usize) {
        let new =
            |capability| Incoming { capability, by_sender: vec![SenderQueue::default(); workers] };
        let incoming = self.incoming.entry(*capability.time()).or_insert_with(|| new(capability));
        let queue = &mut incoming.by_sender[packet.from];
        match packet.content {
            Content::Piece(bytes, true) if queue.unfinished.is_empty() => queue.whole.push(bytes),
            Content::Piece(bytes, is_last) => {
                queue.unfinished.extend(bytes);
                if is_last {
                    queue.whole.push(std::mem::take(&mut queue.unfinished));
                }
            }
            Content::Status(status) => queue.status = Some(status),
        }
    }

    fn complete(&mut self, is_past: impl FnOnce(&u64) -> bool) {
        if self.complete.is_some() {
            return;
        }
        let Some(first) = self.incoming.first_entry() else { return };
        if !is_past(first.key()) {
            return;
        }
        let Incoming { capability, by_sender } = first.remove();
        let statuses = by_sender.iter().filter_map(|queue| queue.status).collect();
        let senders = by_sender.into_iter().enumerate();
        let messages =
            senders.flat_map(|(from, queue)| queue.whole.into_iter().map(move |m| (from, m)));
        self.complete = Some(CompleteRound { capability, messages: messages.collect(), statuses });
    }
}
