//! The data sent between workers.

use std::io::Write;

use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::progress::Stamp;

/// A piece of data for one worker. To timely it is a container with one record, so that its bytes are copied
/// in bulk.
#[derive(Debug, Default)]
pub(crate) struct Packet {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    /// Bytes of a message; true if they are its last.
    Piece(Vec<u8>, bool),
    /// The end of a worker's messages to another in a round.
    Status(RoundStatus),
}

/// The status that every worker sends to every worker in each round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RoundStatus {
    /// True if it sent a message to any worker.
    pub(crate) has_sent: bool,
    /// In the opening the round of its last checkpoint, later the round in which it is due.
    pub(crate) round: Option<u64>,
}

impl Default for Content {
    fn default() -> Self {
        Self::Status(RoundStatus::default())
    }
}

const PIECE: u8 = 0;
const LAST_PIECE: u8 = 1;
const STATUS: u8 = 2;
const STATUS_DUE: u8 = 3;

/// The size of the kind and the sender.
const HEAD: usize = 9;

impl ContainerBytes for Packet {
    fn from_bytes(bytes: Bytes) -> Self {
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        let content = match bytes[0] {
            PIECE => Content::Piece(bytes[HEAD..].to_vec(), false),
            LAST_PIECE => Content::Piece(bytes[HEAD..].to_vec(), true),
            kind => Content::Status(RoundStatus {
                has_sent: bytes[HEAD] == 1,
                round: (kind == STATUS_DUE).then(|| number(HEAD + 1)),
            }),
        };
        // The recipient is no longer needed after routing.
        Self { from: number(1) as usize, to: 0, content }
    }

    fn length_in_bytes(&self) -> usize {
        match &self.content {
            Content::Piece(bytes, _) => HEAD + bytes.len(),
            Content::Status(status) => HEAD + 1 + status.round.map_or(0, |_| 8),
        }
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let kind = match &self.content {
            Content::Piece(_, is_last) => [PIECE, LAST_PIECE][usize::from(*is_last)],
            Content::Status(status) => [STATUS, STATUS_DUE][usize::from(status.round.is_some())],
        };
        let mut write = |bytes: &[u8]| writer.write_all(bytes).expect("timely has made room");
        write(&[kind]);
        write(&(self.from as u64).to_le_bytes());
        match &self.content {
            Content::Piece(bytes, _) => write(bytes),
            Content::Status(status) => {
                write(&[u8::from(status.has_sent)]);
                if let Some(round) = status.round {
                    write(&round.to_le_bytes());
                }
            }
        }
    }
}

impl Accountable for Packet {
    fn record_count(&self) -> i64 {
        1
    }
}

/// Routes each packet to its recipient.
pub(crate) struct ByRecipient;

impl Distributor<Packet> for ByRecipient {
    fn partition<T: Clone, P: Push<Message<T, Packet>>>(
        &mut self,
        packet: &mut Packet,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        let to = packet.to;
        Message::push_at(packet, stamp.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Packet>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}
