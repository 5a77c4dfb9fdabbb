//! Lines from standard input, read on a thread of their own: work that waits for one can be stopped meanwhile.

use super::interrupt;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};

/// The lines that another program sends to this job, if one runs it.
static OF_JOB: Mutex<Option<Receiver<String>>> = Mutex::new(None);

/// Reads the lines that another program sends to this job. When they end, the job is stopped.
pub(super) fn read_for_job() {
    let (sender, receiver) = mpsc::channel();
    *OF_JOB.lock().unwrap_or_else(PoisonError::into_inner) = Some(receiver);
    std::thread::spawn(move || {
        read(&sender);
        interrupt::stop_with_input();
    });
}

/// The lines of standard input. Those of a job can be taken only once.
pub(super) fn lines() -> Receiver<String> {
    let of_job = OF_JOB.lock().unwrap_or_else(PoisonError::into_inner).take();
    of_job.unwrap_or_else(|| {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || read(&sender));
        receiver
    })
}

/// Sends every line until they end. Lines without a receiver are read and dropped.
fn read(sender: &Sender<String>) {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
        let _ = sender.send(String::from_utf8_lossy(&line).trim().to_owned());
        line.clear();
    }
}
