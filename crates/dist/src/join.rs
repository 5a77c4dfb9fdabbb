//! Connecting the workers: each pair opens a connection and identifies itself before any work.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};

use socket2::{SockRef, TcpKeepalive};

use crate::hosts::Hosts;
use crate::{FAILED, PORT_IN_USE};

/// An error in connecting to the other workers.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// There is no such worker.
    #[error(
        "there is no worker {worker}: the hosts are {workers}, counted from 0; name one of them"
    )]
    NoSuchWorker {
        /// The requested worker.
        worker: usize,
        /// The number of workers.
        workers: usize,
    },
    /// Another program has the port.
    #[error(
        "port in use: another program has {address}; end it, or give worker {} another port among \
         the hosts",
        .worker + 1
    )]
    PortInUse {
        /// This worker.
        worker: usize,
        /// Its address.
        address: String,
    },
    /// The address does not belong to this machine, or cannot be bound.
    #[error(
        "cannot listen on {address}: {source}; start worker {} on the machine that has this \
         address, or correct it among the hosts",
        .worker + 1
    )]
    Listen {
        /// This worker.
        worker: usize,
        /// Its address.
        address: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Some workers did not connect in time.
    #[error(
        "{} did not connect within {} s; start all workers at about the same time, and check that they \
         can reach each other",
        names(.missing),
        .limit.as_secs_f64()
    )]
    Missing {
        /// The workers with their addresses.
        missing: Vec<(usize, String)>,
        /// The time that this worker waited.
        limit: Duration,
    },
    /// Another worker runs another program or other work.
    #[error(
        "worker {} ({address}) differs from this one: it is \"{}\", and this one \"{}\"; start all \
         workers with the same program and for the same work",
        .worker + 1,
        .theirs.escape_ascii(),
        .ours.escape_ascii()
    )]
    Differs {
        /// The other worker.
        worker: usize,
        /// Its address.
        address: String,
        /// Its identity.
        theirs: Vec<u8>,
        /// The identity of this worker.
        ours: Vec<u8>,
    },
    /// Another worker was started with other hosts.
    #[error(
        "at {address} is worker {} of {workers}, and not worker {}; give all workers the \
         same hosts in the same order",
        .found + 1,
        .expected + 1
    )]
    OtherHosts {
        /// Its address.
        address: String,
        /// The worker expected at that address.
        expected: usize,
        /// The worker found there.
        found: usize,
        /// The number of workers among its hosts.
        workers: usize,
    },
    /// The system is out of resources.
    #[error("cannot set up the connections: {0}; check the limits of open files and threads")]
    System(#[from] io::Error),
}

impl JoinError {
    /// The exit code of a worker's process, for its supervisor.
    pub fn exit_code(&self) -> u8 {
        if matches!(self, Self::PortInUse { .. }) { PORT_IN_USE } else { FAILED }
    }
}

fn names(missing: &[(usize, String)]) -> String {
    let names: Vec<_> = missing
        .iter()
        .map(|(worker, address)| format!("worker {} ({address})", worker + 1))
        .collect();
    names.join(", ")
}

/// Connects to all other workers. Returns the connections by worker; `None` for this one.
pub(crate) fn connect(
    hosts: &Hosts,
    worker: usize,
    who: &[u8],
    limit: Duration,
) -> Result<Vec<Option<TcpStream>>, JoinError> {
    let workers = hosts.len();
    if worker >= workers {
        return Err(JoinError::NoSuchWorker { worker, workers });
    }
    let listener = listen(hosts, worker)?;
    let end = Instant::now() + limit;
    let ours = Identity { workers, worker, who: who.to_vec() };
    let (tell, contacts) = mpsc::channel();
    let is_over = Arc::new(AtomicBool::new(false));
    // In each pair, the worker with the higher number calls the other.
    for called in 0..worker {
        let address = hosts.address(called).to_string();
        let (ours, tell, is_over) = (ours.clone(), tell.clone(), Arc::clone(&is_over));
        thread(move || call(called, &address, &ours, end, &is_over, &tell))?;
    }
    let met = gather(hosts, &ours, &listener, end, (&tell, &contacts));
    is_over.store(true, Ordering::Relaxed);
    let mut met = met?;
    if met.len() + 1 < workers {
        let is_missing = |other: &usize| *other != worker && !met.contains_key(other);
        let missing = (0..workers).filter(is_missing);
        let missing = missing.map(|other| (other, hosts.address(other).to_string())).collect();
        return Err(JoinError::Missing { missing, limit });
    }
    Ok((0..workers).map(|other| met.remove(&other)).collect())
}

fn listen(hosts: &Hosts, worker: usize) -> Result<TcpListener, JoinError> {
    let address = hosts.address(worker);
    let listener = TcpListener::bind(address).map_err(|source| {
        let address = address.to_string();
        if source.kind() == io::ErrorKind::AddrInUse {
            JoinError::PortInUse { worker, address }
        } else {
            JoinError::Listen { worker, address, source }
        }
    })?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// A connection to a worker that has identified itself, and the worker expected there, if any.
struct Contact {
    stream: TcpStream,
    card: Identity,
    expected: Option<usize>,
}

/// The time for which a worker still accepts connections after it has met a mismatched one, so that the
/// others learn of it and do not wait in vain.
const LINGER: Duration = Duration::from_secs(2);

/// Collects incoming and outgoing connections until all are there or the time is over.
fn gather(
    hosts: &Hosts,
    ours: &Identity,
    listener: &TcpListener,
    mut end: Instant,
    (tell, contacts): (&Sender<Contact>, &Receiver<Contact>),
) -> Result<BTreeMap<usize, TcpStream>, JoinError> {
    let mut all = BTreeMap::new();
    let mut strange = BTreeMap::new();
    while all.len() + strange.len() + 1 < hosts.len() && Instant::now() < end {
        while let Ok((stream, _)) = listener.accept() {
            // The caller may be a stranger that never identifies itself: do not block the others.
            let (ours, tell) = (ours.clone(), tell.clone());
            thread(move || {
                let met = introduce(stream, &ours, end);
                let _ =
                    met.map(|(stream, card)| tell.send(Contact { stream, card, expected: None }));
            })?;
        }
        let Ok(met) = contacts.recv_timeout(Duration::from_millis(1)) else { continue };
        let other = met.expected.unwrap_or(met.card.worker);
        match admit(hosts, ours, met) {
            // A worker that calls again was restarted, so its earlier connection is dead.
            Ok(stream) => drop(all.insert(other, stream)),
            Err(error) => {
                strange.entry(other).or_insert(error);
                end = end.min(Instant::now() + LINGER);
            }
        }
    }
    strange.into_values().next().map_or(Ok(all), Err)
}

/// Checks the identity of a worker.
fn admit(hosts: &Hosts, ours: &Identity, met: Contact) -> Result<TcpStream, JoinError> {
    let Contact { stream, card, expected } = met;
    let is_caller = |other| ours.worker < other && other < ours.workers;
    let is_expected = expected.map_or(is_caller(card.worker), |other| other == card.worker);
    if card.workers != ours.workers || !is_expected {
        let address = match expected {
            Some(other) => hosts.address(other).to_string(),
            None => stream.peer_addr().map_or("?".into(), |address| address.to_string()),
        };
        let expected = expected.unwrap_or((ours.worker + 1).min(ours.workers - 1));
        let Identity { worker: found, workers, .. } = card;
        return Err(JoinError::OtherHosts { address, expected, found, workers });
    }
    if card.who != ours.who {
        return Err(JoinError::Differs {
            worker: card.worker,
            address: hosts.address(card.worker).to_string(),
            theirs: card.who,
            ours: ours.who.clone(),
        });
    }
    Ok(stream)
}

/// Calls a worker until it answers.
fn call(
    called: usize,
    address: &str,
    ours: &Identity,
    end: Instant,
    is_over: &AtomicBool,
    tell: &Sender<Contact>,
) {
    let mut pause = Duration::from_millis(2);
    while !is_over.load(Ordering::Relaxed) && Instant::now() < end {
        if let Ok((stream, card)) = dial(address).and_then(|stream| introduce(stream, ours, end)) {
            let _ = tell.send(Contact { stream, card, expected: Some(called) });
            return;
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(500));
    }
}

fn dial(address: &str) -> io::Result<TcpStream> {
    let mut last = io::ErrorKind::AddrNotAvailable.into();
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, Duration::from_secs(2)) {
            // On one machine, a call to a port without a listener can be assigned that very port as its own and
            // connect to itself.
            Ok(stream) if stream.local_addr()? == stream.peer_addr()? => {}
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The approximate time after which a silent machine counts as lost.
const SILENCE: Duration = Duration::from_secs(120);

/// Configures a connection to fail if the other machine is silent, both when idle and when sending.
fn notice_silence(stream: &TcpStream) -> io::Result<()> {
    let socket = SockRef::from(stream);
    // Nine unanswered probes end it.
    let idle = TcpKeepalive::new().with_time(Duration::from_secs(30));
    socket.set_tcp_keepalive(&idle.with_interval((SILENCE - Duration::from_secs(30)) / 9))?;
    // There are no probes while data is being sent; by default the system retries for a quarter of an hour.
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    socket.set_tcp_user_timeout(Some(SILENCE))?;
    Ok(())
}

/// The identity of a worker.
#[derive(Debug, Clone)]
struct Identity {
    workers: usize,
    worker: usize,
    who: Vec<u8>,
}

const GREETING: &[u8; 16] = b"lucena-dist 0001";
const MAX_WHO: usize = 1 << 20;

/// Exchanges identities: both ends send theirs and read the other's.
fn introduce(
    mut stream: TcpStream,
    ours: &Identity,
    end: Instant,
) -> io::Result<(TcpStream, Identity)> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    notice_silence(&stream)?;
    let patience = Duration::from_secs(10).min(end.saturating_duration_since(Instant::now()));
    let patience = Some(patience.max(Duration::from_millis(1)));
    stream.set_read_timeout(patience)?;
    stream.set_write_timeout(patience)?;
    let mut card = GREETING.to_vec();
    for number in [ours.workers, ours.worker, ours.who.len()] {
        card.extend((number as u64).to_le_bytes());
    }
    card.extend(&ours.who);
    stream.write_all(&card)?;
    let mut greeting = [0; GREETING.len()];
    stream.read_exact(&mut greeting)?;
    if greeting != *GREETING {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut number = || -> io::Result<usize> {
        let mut bytes = [0; 8];
        stream.read_exact(&mut bytes)?;
        usize::try_from(u64::from_le_bytes(bytes)).map_err(|_| io::ErrorKind::InvalidData.into())
    };
    let (workers, worker, length) = (number()?, number()?, number()?);
    if length > MAX_WHO {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut who = vec![0; length];
    stream.read_exact(&mut who)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    Ok((stream, Identity { workers, worker, who }))
}

fn thread(body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name("lucena-dist:join".into()).spawn(body).map(drop)
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn silence_is_noticed_whether_something_is_sent_or_not() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        notice_silence(&stream).unwrap();
        let socket = SockRef::from(&stream);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(SILENCE));
        assert!(socket.keepalive().unwrap());
        assert!(socket.tcp_keepalive_time().unwrap() < SILENCE);
    }
}
