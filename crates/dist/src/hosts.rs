//! The addresses of the workers.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, TcpListener};
use std::path::Path;

use lucena_base::text::{entries, trim};
use lucena_files::LoadError;

/// The addresses of all workers, each `host:port`. Worker 0 is the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts(Vec<String>);

/// An error in a list of addresses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostsError {
    /// There is no address.
    #[error("it names no worker; write a line host:port for each")]
    Empty,
    /// A line is not an address.
    #[error(
        "line {line} is not host:port: \"{text}\"; write for instance 192.0.2.7:4000 or [2001:db8::7]:4000"
    )]
    NotAnAddress {
        /// The line, counted from 1.
        line: usize,
        /// The text of the line.
        text: String,
    },
    /// A port is 0, so the others cannot know which to call.
    #[error("line {line} has port 0; write the port on which this worker listens")]
    PortZero {
        /// The line, counted from 1.
        line: usize,
    },
    /// An address occurs twice.
    #[error("lines {first} and {line} are both {address}; give each worker its own port")]
    Twice {
        /// The later line, counted from 1.
        line: usize,
        /// The earlier line.
        first: usize,
        /// The address.
        address: String,
    },
}

impl Hosts {
    /// Reads a file with a line `host:port` for each worker. Empty lines and comments after `#` are ignored.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is not an address.
    pub fn read(path: &Path) -> Result<Self, LoadError<HostsError>> {
        lucena_files::load_text(path, Self::parse)
    }

    /// Parses a text with a line `host:port` for each worker.
    ///
    /// ```
    /// use lucena_dist::Hosts;
    ///
    /// let hosts = Hosts::parse("one.example:4000 # the large one\n\ntwo.example:4000\n").unwrap();
    /// assert_eq!(hosts.len(), 2);
    /// assert_eq!(hosts.address(1), "two.example:4000");
    /// ```
    ///
    /// # Errors
    /// If a line is not an address.
    pub fn parse(text: &str) -> Result<Self, HostsError> {
        let mut lines = BTreeMap::new();
        let mut addresses = Vec::new();
        for (line, text) in entries(text) {
            let text = trim(text.split('#').next().unwrap_or_default());
            let Some((host, port)) = host_and_port(text) else {
                return Err(HostsError::NotAnAddress { line, text: text.into() });
            };
            if port == 0 {
                return Err(HostsError::PortZero { line });
            }
            let address = format!("{}:{port}", host.to_ascii_lowercase());
            if let Some(first) = lines.insert(address.clone(), line) {
                return Err(HostsError::Twice { line, first, address });
            }
            addresses.push(address);
        }
        if addresses.is_empty() { Err(HostsError::Empty) } else { Ok(Self(addresses)) }
    }

    /// Chooses free ports for a number of workers on this machine, at least one. If another program takes a
    /// port before its worker does, the worker exits with [`PORT_IN_USE`](crate::PORT_IN_USE), and all should be
    /// restarted.
    ///
    /// # Errors
    /// If the system has no free port.
    pub fn local(workers: usize) -> io::Result<Self> {
        // All are held until the last is chosen, so that no two are the same.
        let listeners = (0..workers.max(1))
            .map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .collect::<io::Result<Vec<_>>>()?;
        let address = |listener: &TcpListener| Ok(listener.local_addr()?.to_string());
        listeners.iter().map(address).collect::<io::Result<_>>().map(Self)
    }

    /// The number of workers.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if all workers are on this machine, at loopback addresses.
    ///
    /// ```
    /// use lucena_dist::Hosts;
    ///
    /// assert!(Hosts::parse("127.0.0.1:4000\n[::1]:4001\nlocalhost:4002").unwrap().are_within_machine());
    /// assert!(!Hosts::parse("127.0.0.1:4000\n192.0.2.7:4000").unwrap().are_within_machine());
    /// ```
    pub fn are_within_machine(&self) -> bool {
        self.0.iter().all(|address| {
            let host = address.rsplit_once(':').map_or(address.as_str(), |(host, _)| host);
            let host = host.trim_start_matches('[').trim_end_matches(']');
            host == "localhost" || host.parse().is_ok_and(|host: IpAddr| host.is_loopback())
        })
    }

    /// The address of a worker.
    ///
    /// # Panics
    /// If there is no such worker.
    pub fn address(&self, worker: usize) -> &str {
        &self.0[worker]
    }
}

/// Writes the addresses in the file format, to be passed to a worker's process.
impl fmt::Display for Hosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|address| writeln!(f, "{address}"))
    }
}

fn host_and_port(text: &str) -> Option<(&str, u16)> {
    let (host, port) = text.rsplit_once(':')?;
    let name = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_name = match name {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            let is_odd = |c: char| !(c.is_ascii_alphanumeric() || "-._".contains(c));
            !host.is_empty() && !host.contains(is_odd)
        }
    };
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (is_name && is_number).then(|| port.parse().ok()).flatten().map(|port| (host, port))
}
