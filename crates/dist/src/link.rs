//! A connection to another worker for timely, which breaks without a panic.
//!
//! timely's reading and writing threads panic when a connection breaks, with a message on the standard error,
//! and then the worker panics too. So a [`Link`] hides broken connections from them. It drops data that it
//! cannot write. When it can no longer read, it records the loss, wakes the worker, and blocks timely until
//! the worker has ended; then it fakes an orderly end, for which it tracks timely's framing.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;

use timely::communication::allocator::zero_copy::stream::Stream;

/// The common state of all connections of a worker.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    state: Mutex<State>,
    has_ended: Condvar,
    /// The thread to be woken by a loss.
    worker: Thread,
}

#[derive(Debug, Default)]
struct State {
    lost: Option<usize>,
    /// True once this worker needs no other any more, because it is done or has failed.
    has_ended: bool,
}

impl ConnectionState {
    /// The state for the worker of the current thread.
    pub(crate) fn new() -> Arc<Self> {
        let worker = std::thread::current();
        Arc::new(Self { state: Mutex::default(), has_ended: Condvar::new(), worker })
    }

    /// The worker that was lost first.
    pub(crate) fn lost(&self) -> Option<usize> {
        self.state().lost
    }

    /// Ends the connections: from now on losses are ignored, and readers find an end.
    pub(crate) fn end(&self) {
        self.state().has_ended = true;
        self.has_ended.notify_all();
    }

    /// Returns true if the connections have been ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.state().has_ended
    }

    fn lose(&self, worker: usize) {
        let mut state = self.state();
        if !state.has_ended && state.lost.is_none() {
            state.lost = Some(worker);
            self.worker.unpark();
        }
    }

    fn wait_for_end(&self) {
        let ended = self.has_ended.wait_while(self.state(), |state| !state.has_ended);
        drop(ended.unwrap_or_else(PoisonError::into_inner));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection to another worker.
#[derive(Debug)]
pub(crate) struct Link {
    stream: TcpStream,
    peer: usize,
    wire: Arc<ConnectionState>,
    frames: FramePosition,
    is_broken: bool,
}

impl Link {
    pub(crate) fn new(stream: TcpStream, peer: usize, wire: Arc<ConnectionState>) -> Self {
        Self { stream, peer, wire, frames: FramePosition::default(), is_broken: false }
    }
}

impl Read for Link {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.frames.is_closed {
            return Ok(0);
        }
        if !self.is_broken {
            let read = loop {
                match self.stream.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => break read.unwrap_or_default(),
                }
            };
            if read > 0 {
                self.frames.follow(&buffer[..read]);
                return Ok(read);
            }
            self.wire.lose(self.peer);
            self.wire.wait_for_end();
            self.is_broken = true;
        }
        // Zeros complete a partial message, and then form the header that ends the stream.
        let length = buffer.len().min(self.frames.missing());
        buffer[..length].fill(0);
        self.frames.follow(&buffer[..length]);
        Ok(length)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_broken {
            match self.stream.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
                Ok(written) if written > 0 || bytes.is_empty() => return Ok(written),
                _ => {
                    self.wire.lose(self.peer);
                    self.is_broken = true;
                }
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::new(self.stream.try_clone()?, self.peer, Arc::clone(&self.wire)))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Fails if the other end is already gone, which is fine.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

/// The position of a connection within timely's messages. Each has a header of six numbers, the fifth of
/// which is the length of the rest; a length of zero ends the stream (`MessageHeader` in timely's
/// `networking`).
#[derive(Debug, Default)]
struct FramePosition {
    /// The number of bytes of the header received.
    header: usize,
    /// The length as far as received, and then the number of bytes of the message still missing.
    rest: u64,
    is_closed: bool,
}

const HEADER: usize = 48;
const LENGTH: std::ops::Range<usize> = 32..40;

impl FramePosition {
    fn follow(&mut self, mut bytes: &[u8]) {
        while let Some((&byte, others)) = bytes.split_first() {
            if self.header < HEADER {
                if LENGTH.contains(&self.header) {
                    self.rest = self.rest << 8 | u64::from(byte);
                }
                self.header += 1;
                bytes = others;
                self.is_closed = self.header == HEADER && self.rest == 0;
            } else {
                let taken = bytes.len().min(usize::try_from(self.rest).unwrap_or(usize::MAX));
                self.rest -= taken as u64;
                bytes = &bytes[taken..];
            }
            if self.header == HEADER && self.rest == 0 {
                self.header = 0;
            }
        }
    }

    /// The number of bytes that complete the header or the message.
    fn missing(&self) -> usize {
        match HEADER - self.header {
            0 => usize::try_from(self.rest).unwrap_or(usize::MAX),
            missing => missing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(length: u64) -> Vec<u8> {
        let numbers = [7, 1, 0, 1, length, 3];
        let header = numbers.into_iter().flat_map(u64::to_be_bytes);
        header.chain((0..length).map(|_| 0)).collect()
    }

    /// Zeros bring a stream to an orderly end, wherever it is cut.
    #[test]
    fn frames_are_completed() {
        let whole = [message(5), message(300), message(1)].concat();
        for cut in 0..=whole.len() {
            let mut frames = FramePosition::default();
            for byte in &whole[..cut] {
                frames.follow(&[*byte]);
                assert!(!frames.is_closed);
            }
            let mut in_one = FramePosition::default();
            in_one.follow(&whole[..cut]);
            assert_eq!(frames.missing(), in_one.missing());
            let mut steps = 0;
            while !frames.is_closed {
                frames.follow(&vec![0; frames.missing()]);
                steps += 1;
                assert!(steps < 4);
            }
        }
    }
}
