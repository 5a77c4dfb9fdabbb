//! Questions from standard input, a line each, and their answers on standard output.
//!
//! One thread reads ahead and one thread writes, while the others answer. A batch of lines is what has been read when
//! the batch before has been answered: a single line, if a program waits for each answer, or many lines of a file.

use super::{Failure, Result};
use lucena::text::{LineError, LineReader, entry};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

/// The most input that is answered together, in bytes.
const AT_ONCE: usize = 1 << 20;

/// The greatest length of a line, in bytes.
const MAX_LINE: usize = 1 << 16;

/// The most pieces of input that are read ahead. A pipe gives small ones.
const READ_AHEAD: usize = 8;

/// The most pieces of text that wait to be written.
const WRITE_BEHIND: usize = 64;

/// Calls `answer` with the lines of standard input, batch by batch, and with a writer for the answers. What was read
/// before an error is answered.
///
/// # Errors
/// Those of `answer`, and if standard input cannot be read or standard output cannot be written.
pub(super) fn answer_in_batches(
    answer: &mut dyn FnMut(&[&str], &AnswerWriter) -> Result<()>,
) -> Result<()> {
    let (batches, read) = sync_channel(READ_AHEAD);
    // It may wait for input for ever, so nobody waits for its end.
    thread::spawn(move || read_batches(&batches));
    let (texts, written) = sync_channel(WRITE_BEHIND);
    let writer = AnswerWriter { texts };
    thread::scope(|scope| {
        let writing = scope.spawn(move || write_all(&written));
        let answered = answer_all(&read, &writer, answer);
        drop(writer);
        writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        answered
    })
}

/// Writes answers to standard output, in a thread of its own.
pub(super) struct AnswerWriter {
    texts: SyncSender<Vec<u8>>,
}

impl AnswerWriter {
    /// Writes a text after those before.
    ///
    /// # Errors
    /// If standard output cannot be written, which [`answer_in_batches`] then reports in more words.
    pub(super) fn write(&self, text: Vec<u8>) -> Result<()> {
        let is_closed = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        Ok(self.texts.send(text).map_err(is_closed)?)
    }
}

/// Writes texts until there are no more.
fn write_all(texts: &Receiver<Vec<u8>>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    while let Ok(text) = texts.recv() {
        out.write_all(&text)?;
        while let Ok(text) = texts.try_recv() {
            out.write_all(&text)?;
        }
        out.flush()?;
    }
    Ok(())
}

/// Some lines in one text.
#[derive(Default)]
struct Batch {
    text: String,
    /// Where each line ends in the text.
    ends: Vec<usize>,
}

impl Batch {
    fn add(&mut self, line: &str) {
        self.text.push_str(line);
        self.ends.push(self.text.len());
    }

    /// Adds the lines of another batch.
    fn append(&mut self, other: &Self) {
        self.ends.extend(other.ends.iter().map(|end| self.text.len() + end));
        self.text.push_str(&other.text);
    }

    fn lines(&self) -> Vec<&str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.text[start..end]).collect()
    }
}

/// Reads the lines of standard input until it ends or nobody answers.
fn read_batches(batches: &SyncSender<Result<Batch, LineError>>) {
    let mut lines = LineReader::with_capacity(AT_ONCE, io::stdin().lock(), MAX_LINE);
    loop {
        let mut batch = Batch::default();
        let end = loop {
            match lines.next() {
                Some(Ok((_, line))) => entry(&line).into_iter().for_each(|line| batch.add(line)),
                // No question is that long. The line still gets an answer.
                Some(Err(LineError::TooLong { beginning, .. })) => {
                    let line = entry(&beginning).map(|text| format!("{text} …"));
                    line.iter().for_each(|line| batch.add(line));
                }
                Some(Err(error)) => break Some(Err(error)),
                None => break Some(Ok(())),
            }
            if !lines.is_next_ready() {
                break None;
            }
        };
        let is_read = batch.ends.is_empty() || batches.send(Ok(batch)).is_ok();
        match end {
            None if is_read => {}
            Some(Err(error)) if is_read => {
                // If nobody reads this, the work has ended with another error.
                let _ = batches.send(Err(error));
                return;
            }
            _ => return,
        }
    }
}

/// Answers the batches until there are no more.
fn answer_all(
    batches: &Receiver<Result<Batch, LineError>>,
    writer: &AnswerWriter,
    answer: &mut dyn FnMut(&[&str], &AnswerWriter) -> Result<()>,
) -> Result<()> {
    while let Ok(batch) = batches.recv() {
        let mut batch = batch?;
        let mut end = Ok(());
        while batch.text.len() < AT_ONCE {
            match batches.try_recv() {
                Ok(Ok(more)) => batch.append(&more),
                Ok(Err(error)) => {
                    end = Err(Failure::from(error));
                    break;
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        answer(&batch.lines(), writer)?;
        end?;
    }
    Ok(())
}
