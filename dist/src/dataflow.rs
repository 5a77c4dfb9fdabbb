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
    papers: Rc<RefCell<Queues>>,
    activator: Activator,
}

/// A round in which all workers have sent everything.
pub(crate) struct CompleteRound {
    /// The capability to send in this round or later.
    pub(crate) turn: Capability<u64>,
    /// The received messages, ordered by sender and then as sent.
    pub(crate) messages: Vec<(usize, Vec<u8>)>,
    /// One from each worker.
    pub(crate) words: Vec<RoundStatus>,
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
    pub(crate) turn: Capability<u64>,
    /// Each with its recipient.
    pub(crate) messages: Vec<(usize, Vec<u8>)>,
    pub(crate) word: RoundStatus,
}

struct Incoming {
    turn: Capability<u64>,
    by_sender: Vec<SenderQueue>,
}

#[derive(Clone, Default)]
struct SenderQueue {
    whole: Vec<Vec<u8>>,
    unfinished: Vec<u8>,
    word: Option<RoundStatus>,
}

impl Dataflow {
    /// Sets up the dataflow. Returns the capability of time 0.
    pub(crate) fn open(worker: &mut Worker) -> (Self, Capability<u64>) {
        let papers = Rc::new(RefCell::new(Queues::default()));
        let (own, workers) = (worker.index(), worker.peers());
        let mut first = None;
        let address = worker.dataflow_named::<u64, _, _>("rounds", |scope| {
            let (back, said) = scope.feedback(1);
            let papers = Rc::clone(&papers);
            let mut address = None;
            let pact = DistributorPact(|_| ByRecipient);
            said.unary_frontier(pact, "desk", |turn, info| {
                first = Some(turn);
                address = Some(info.address);
                move |(input, frontier), output| {
                    let mut papers = papers.borrow_mut();
                    input.for_each(|turn, letter| {
                        let Some(turn) = turn.retain_least(0) else { return };
                        papers.file(turn, std::mem::take(letter), workers);
                    });
                    if let Some(outgoing) = papers.outgoing.take() {
                        outgoing.send(own, workers, output);
                    }
                    papers.complete(|time| !frontier.less_equal(time));
                }
            })
            .connect_loop(back);
            address.expect("the operator was built")
        });
        let activator = worker.activator_for(address);
        (Self { papers, activator }, first.expect("the operator was built"))
    }

    /// Sends messages and the status of this worker.
    pub(crate) fn hand_in(&self, outgoing: Outgoing) {
        self.papers.borrow_mut().outgoing = Some(outgoing);
        self.activator.activate();
    }

    /// Drops the capability: this worker sends nothing more.
    pub(crate) fn close(&self, turn: Capability<u64>) {
        drop(turn);
        // timely notices this only when the operator runs.
        self.activator.activate();
    }

    /// Takes the next round, if it is complete.
    pub(crate) fn take_up(&self) -> Option<CompleteRound> {
        self.papers.borrow_mut().complete.take()
    }
}

impl Outgoing {
    fn send(
        self,
        from: usize,
        workers: usize,
        output: &mut OutputBuilderSession<'_, u64, NoopBuilder<Packet>>,
    ) {
        let mut session = output.session_with_builder(&self.turn);
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
            send(to, Content::Word(self.word));
        }
    }
}

impl Queues {
    fn file(&mut self, turn: Capability<u64>, letter: Packet, workers: usize) {
        let new = |turn| Incoming { turn, by_sender: vec![SenderQueue::default(); workers] };
        let incoming = self.incoming.entry(*turn.time()).or_insert_with(|| new(turn));
        let pile = &mut incoming.by_sender[letter.from];
        match letter.content {
            Content::Piece(bytes, true) if pile.unfinished.is_empty() => pile.whole.push(bytes),
            Content::Piece(bytes, is_last) => {
                pile.unfinished.extend(bytes);
                if is_last {
                    pile.whole.push(std::mem::take(&mut pile.unfinished));
                }
            }
            Content::Word(word) => pile.word = Some(word),
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
        let Incoming { turn, by_sender } = first.remove();
        let words = by_sender.iter().filter_map(|pile| pile.word).collect();
        let piles = by_sender.into_iter().enumerate();
        let messages =
            piles.flat_map(|(from, pile)| pile.whole.into_iter().map(move |m| (from, m)));
        self.complete = Some(CompleteRound { turn, messages: messages.collect(), words });
    }
}
