//! The results are identical with any number of workers, whichever of them are killed.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lucena_dist::{Crew, supervise};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::child::command;
use crate::toy::plain;

fn run(workers: usize, folder: &Path, hear: impl FnMut(usize, &str) -> bool) {
    let command = |worker, hosts: &_| command("toy", worker, hosts, folder);
    supervise(&Crew::Local(workers), 10, command, hear, || false).unwrap();
}

fn digests(folder: &Path, workers: usize) -> Vec<Vec<u8>> {
    let digest = |worker| std::fs::read(folder.join(format!("digest.{worker}"))).unwrap();
    (0..workers).map(digest).collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn any_number_of_workers_gives_what_one_program_gives() {
    let plain = plain();
    for workers in 1..=4 {
        let folder = tempfile::tempdir().unwrap();
        run(workers, folder.path(), |_, _| false);
        let result = std::fs::read(folder.path().join("result")).unwrap();
        assert!(result == plain, "{workers} workers");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn one_that_is_killed_at_any_moment_changes_nothing() {
    check_kills(5);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn fifty_that_are_killed_at_any_moment_change_nothing() {
    check_kills(50);
}

/// Compares runs in each of which a worker is killed with one in which none is.
fn check_kills(runs: u64) {
    let workers = 3;
    let plain = plain();
    let folder = tempfile::tempdir().unwrap();
    let mut lines = 0;
    run(workers, folder.path(), |worker, _| {
        lines += usize::from(worker == 0);
        false
    });
    let digests_uninterrupted = digests(folder.path(), workers);
    let mut kills = 0;
    for seed in 0..runs {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let victim = random.gen_range(0..workers);
        let moment = random.gen_range(1..lines);
        let pause = Duration::from_micros(random.gen_range(0..3_000));
        let folder = tempfile::tempdir().unwrap();
        let (mut pid, mut heard, mut starts) = (None, 0, 0);
        run(workers, folder.path(), |worker, line| {
            if worker == victim {
                if let Some(new) = line.strip_prefix("pid ") {
                    pid = Some(new.to_string());
                    starts += 1;
                }
                heard += usize::from(pid.is_some());
                if heard == moment {
                    std::thread::sleep(pause);
                    // The process has not been waited for, so its id cannot have been reused.
                    let pid = pid.as_ref().unwrap();
                    let _ = Command::new("kill").args(["-KILL", pid]).output().unwrap();
                }
            }
            line.starts_with("round")
        });
        kills += u64::from(starts > 1);
        let result = std::fs::read(folder.path().join("result")).unwrap();
        assert!(result == plain, "seed {seed}");
        assert_eq!(digests(folder.path(), workers), digests_uninterrupted, "seed {seed}");
    }
    assert!(2 * kills > runs, "{kills} of {runs} met a worker at work");
}
