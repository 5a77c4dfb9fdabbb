//! Workers as processes: this test binary, started again with the name of one test.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lucena_dist::{Hosts, RunError, Team, end_with_supervisor};

use crate::toy::{Toy, ToyError};

const ROLE: &str = "LUCENA_DIST_TEST";

/// The command of a process with a role.
pub(crate) fn command(role: &str, worker: usize, hosts: &Hosts, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "child::child", "--nocapture", "--test-threads=1"])
        .env(ROLE, role)
        .env("WORKER", worker.to_string())
        .env("HOSTS", hosts.to_string())
        .env("FOLDER", folder);
    command
}

/// Does nothing unless it is started by [`command`].
#[test]
fn child() {
    let Ok(role) = std::env::var(ROLE) else { return };
    end_with_supervisor();
    // Ends the line on which the test harness has printed the test's name.
    say("");
    say(&format!("pid {}", std::process::id()));
    let code = match role.as_str() {
        "toy" => toy(),
        "speed" => crate::speed::worker(),
        // Ends as a program that handles SIGTERM.
        "end" => 143,
        "panic" => {
            assert_eq!(var("WORKER"), "", "the toy is broken:");
            0
        }
        // Dies at once.
        _ => std::process::abort(),
    };
    std::process::exit(i32::from(code));
}

pub(crate) fn var(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Writes a line to the supervisor.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

/// Joins the team by the environment; an exit code on failure.
pub(crate) fn join() -> Result<Team, u8> {
    let hosts = Hosts::parse(&var("HOSTS")).unwrap();
    let limit = Duration::from_secs(60);
    Team::join(&hosts, var("WORKER").parse().unwrap(), b"a toy", limit).map_err(|error| {
        eprintln!("{error}");
        error.exit_code()
    })
}

fn toy() -> u8 {
    let team = match join() {
        Ok(team) => team,
        Err(code) => return code,
    };
    say("joined");
    match work(team, Path::new(&var("FOLDER"))) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("{error}");
            error.exit_code()
        }
    }
}

/// Does the work: worker 0 assembles the blocks, and each writes its digest.
fn work(team: Team, folder: &Path) -> Result<(), RunError<ToyError>> {
    let (worker, workers) = (team.index(), team.workers());
    let mut toy = Toy::new(worker, workers, folder);
    toy.full_at = var("FULL_AT").parse().ok();
    toy.tell = |round| say(&format!("round {round}"));
    let team = team.run(&mut toy)?;
    say("done");
    let result = toy.result();
    let mut pieces = result.chunks(1000);
    let mut blocks = BTreeMap::<_, Vec<u8>>::new();
    let team = team.exchange(
        || Ok(pieces.next().map(|piece| (0, piece.to_vec()))),
        |from, piece| {
            blocks.entry(from).or_default().extend(piece);
            Ok(())
        },
    )?;
    say("exchanged");
    let write = |name: &str, bytes: &[u8]| {
        lucena_files::write_file(&folder.join(name), bytes)
            .map_err(|error| RunError::Share(error.into()))
    };
    write(&format!("digest.{worker}"), &toy.digest().to_le_bytes())?;
    if worker == 0 {
        write("result", &blocks.into_values().flatten().collect::<Vec<_>>())?;
    }
    team.leave();
    say("left");
    Ok(())
}
