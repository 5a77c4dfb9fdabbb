//! Faults are reported by the workers concerned, and nothing hangs.

use std::net::TcpListener;
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use lucena_dist::{Crew, Hosts, JoinError, LOST, PORT_IN_USE, SuperviseError, Team, supervise};

use crate::child::command;

/// Long enough for any machine.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn a_port_in_use_is_named() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let error = Team::join(&Hosts::parse(&address).unwrap(), 0, b"", LONG).err().unwrap();
    assert!(matches!(error, JoinError::PortInUse { worker: 0, .. }));
    assert_eq!(error.exit_code(), PORT_IN_USE);
    assert_eq!(
        error.to_string(),
        format!(
            "port in use: another program has {address}; end it, or give worker 1 another port among \
             the hosts"
        )
    );
}

#[test]
fn an_address_of_another_machine_is_refused() {
    let hosts = Hosts::parse("192.0.2.1:4000\n127.0.0.1:4001").unwrap();
    let error = Team::join(&hosts, 0, b"", LONG).err().unwrap();
    assert!(matches!(error, JoinError::Listen { worker: 0, .. }), "{error}");
    let error = Team::join(&hosts, 2, b"", LONG).err().unwrap();
    assert!(matches!(error, JoinError::NoSuchWorker { worker: 2, workers: 2 }));
}

#[test]
fn one_that_never_comes_is_named() {
    let hosts = Hosts::local(3).unwrap();
    let limit = Duration::from_millis(700);
    let (left, right) = std::thread::scope(|scope| {
        let [left, right] = [0, 2].map(|index| {
            let hosts = &hosts;
            scope.spawn(move || Team::join(hosts, index, b"", limit).err().unwrap())
        });
        (left.join().unwrap(), right.join().unwrap())
    });
    for error in [left, right] {
        let JoinError::Missing { missing, .. } = &error else { panic!("{error}") };
        assert!(missing.contains(&(1, hosts.address(1).into())), "{error}");
    }
}

#[test]
fn one_that_is_not_the_same_is_named_by_all_it_meets() {
    let hosts = Hosts::local(3).unwrap();
    let who = ["KRvK 1", "KRvK 1", "KQvK 1"];
    let errors: Vec<_> = std::thread::scope(|scope| {
        let join = |index| {
            let hosts = &hosts;
            scope.spawn(move || Team::join(hosts, index, who[index].as_bytes(), LONG).err())
        };
        let threads: Vec<_> = (0..3).map(join).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
    });
    for error in &errors[..2] {
        assert!(matches!(error, JoinError::Differs { worker: 2, .. }), "{error}");
    }
    assert!(matches!(errors[2], JoinError::Differs { worker: 0 | 1, .. }));
    assert!(errors[0].to_string().contains("it is \"KQvK 1\", and this one \"KRvK 1\";"));
}

#[test]
fn one_with_other_hosts_is_named() {
    // Who does not meet the other waits until the limit, so both pairs do that together.
    std::thread::scope(|scope| {
        for (theirs, index) in [
            // Fewer hosts, and hosts in another order.
            (&[0, 1][..], 1),
            (&[1, 0, 2], 2),
        ] {
            // In another order they meet as worker 2 calls worker 1 and finds worker 0.
            scope.spawn(move || assert!(has_met_other_hosts(theirs, index), "{theirs:?}"));
        }
    });
}

/// Lets the first of three workers meet one whose hosts are others, picked from the three.
fn has_met_other_hosts(picked: &[usize], index: usize) -> bool {
    let hosts = Hosts::local(3).unwrap();
    let lines: Vec<_> = picked.iter().map(|worker| hosts.address(*worker)).collect();
    let others = Hosts::parse(&lines.join("\n")).unwrap();
    std::thread::scope(|scope| {
        let join = |hosts, index| {
            let limit = Duration::from_secs(3);
            scope.spawn(move || Team::join(hosts, index, b"", limit).err().unwrap())
        };
        let ends = [join(&hosts, 0), join(&others, index)].map(|thread| thread.join().unwrap());
        ends.iter().any(|end| matches!(end, JoinError::OtherHosts { .. }))
    })
}

#[test]
fn who_calls_and_is_no_worker_keeps_nobody_waiting() {
    use std::io::Write;
    let hosts = Hosts::local(2).unwrap();
    std::thread::scope(|scope| {
        let join = |index| {
            let hosts = &hosts;
            scope.spawn(move || Team::join(hosts, index, b"", LONG).unwrap().leave())
        };
        let first = join(0);
        let call = || std::net::TcpStream::connect(hosts.address(0));
        let mut calls = Vec::new();
        while calls.len() < 3 {
            calls.extend(call());
        }
        calls[0]
            .write_all(b"GET / HTTP/1.1\r\n\r\nthis is no worker, however long it talks on")
            .unwrap();
        calls.pop();
        join(1).join().unwrap();
        first.join().unwrap();
    });
}

#[test]
fn a_worker_that_is_killed_is_lost_to_the_others_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = Hosts::local(3).unwrap();
    let children: Vec<_> = (0..3)
        .map(|worker| {
            let mut command = command("toy", worker, &hosts, folder.path());
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    let mut children = children.into_iter();
    let (first, mut second, third) =
        (children.next().unwrap(), children.next().unwrap(), children.next().unwrap());
    let mut out = std::io::BufReader::new(second.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("round") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut out, &mut line).unwrap() > 0, "it has ended");
    }
    second.kill().unwrap();
    second.wait().unwrap();
    for mut child in [first, third] {
        // Closing it would look like the end of the supervisor.
        let _input = child.stdin.take();
        let Output { status, stderr, .. } = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(i32::from(LOST)), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.starts_with("lost the connection to worker "), "{stderr}");
    }
}

#[test]
fn a_full_disk_is_told_in_the_workers_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let starts = AtomicUsize::new(0);
    let command = |worker, hosts: &_| {
        starts.fetch_add(1, Ordering::Relaxed);
        let mut command = command("toy", worker, hosts, folder.path());
        if worker == 1 {
            command.env("FULL_AT", "50");
        }
        command
    };
    let error = supervise(&Crew::Local(3), 5, command, |_, _| true, || false).unwrap_err();
    assert_eq!(
        error.to_string(),
        "worker 2: cannot keep round 50: no space left on device; make room and start again"
    );
    assert_eq!(starts.into_inner(), 3, "nothing is started again");
}

#[test]
fn workers_that_only_die_are_not_started_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    for death in ["die", "end"] {
        let command = |worker, hosts: &_| command(death, worker, hosts, folder.path());
        let error = supervise(&Crew::Local(2), 3, command, |_, _| false, || false).unwrap_err();
        assert!(matches!(error, SuperviseError::NoProgress { starts: 3, .. }), "{error}");
    }
}

#[test]
fn a_panic_is_told_by_where_and_why_and_not_by_the_end_of_its_backtrace() {
    let folder = tempfile::tempdir().unwrap();
    let command = |worker, hosts: &_| {
        let mut command = command("panic", worker, hosts, folder.path());
        command.env("RUST_BACKTRACE", "1");
        command
    };
    let error = supervise(&Crew::Local(1), 3, command, |_, _| true, || false).unwrap_err();
    let sentence = error.to_string();
    assert!(sentence.starts_with("worker 1: thread 'child::child' "), "{sentence}");
    assert!(sentence.contains("tests/child.rs"), "{sentence}");
    assert!(sentence.contains("the toy is broken:"), "{sentence}");
    assert!(sentence.ends_with("left: \"0\" right: \"\""), "{sentence}");
}

#[test]
fn one_host_starts_its_own_again_when_the_other_does() {
    let folder = tempfile::tempdir().unwrap();
    let hosts = Hosts::local(2).unwrap();
    let host = |worker: usize| {
        let crew = Crew::Of { hosts: hosts.clone(), mine: vec![worker] };
        let mut starts = 0;
        let command = |worker, hosts: &_| {
            starts += 1;
            let mut command = command("toy", worker, hosts, folder.path());
            if worker == 1 && starts == 1 {
                // It dies at once.
                command.env("LUCENA_DIST_TEST", "die");
            }
            command
        };
        supervise(&crew, 5, command, |_, line| line.starts_with("round"), || false)
    };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| host(1));
        host(0).unwrap();
        other.join().unwrap().unwrap();
    });
    assert!(std::fs::read(folder.path().join("result")).unwrap() == crate::toy::plain());
}

#[test]
fn a_stop_ends_all() {
    let folder = tempfile::tempdir().unwrap();
    let lines = AtomicUsize::new(0);
    let command = |worker, hosts: &_| command("toy", worker, hosts, folder.path());
    let hear = |_, _: &str| lines.fetch_add(1, Ordering::Relaxed) == 0;
    let is_stopped = || lines.load(Ordering::Relaxed) > 5;
    let error = supervise(&Crew::Local(2), 1, command, hear, is_stopped).unwrap_err();
    assert!(matches!(error, SuperviseError::Stopped));
    assert!(!folder.path().join("result").exists());
}
