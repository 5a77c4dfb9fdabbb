//! Measures the cost of rounds. Nothing is asserted:
//! `cargo test --release -p lucena-dist -- --ignored --nocapture speed`.

use std::convert::Infallible;
use std::time::Instant;

use lucena_dist::{Crew, RoundOutput, supervise};

use crate::child::{command, join, say};
use crate::rounds::Work;

#[test]
#[ignore = "it takes a while and says how long"]
fn speed() {
    for workers in 2..=4 {
        let folder = tempfile::tempdir().unwrap();
        let command = |worker, hosts: &_| command("speed", worker, hosts, folder.path());
        let hear = |worker, line: &str| {
            if worker == 0 && line.contains("per second") {
                println!("{workers} workers: {line}");
            }
            true
        };
        supervise(&Crew::Local(workers), 1, command, hear, || false).unwrap();
    }
}

const ROUNDS: u64 = 5_000;
const LOUD_ROUNDS: u64 = 40;
/// The size of the messages from each worker to each other in a round, in bytes.
const LOUD: usize = 8 << 20;
const EXCHANGED: usize = 400;

pub(crate) fn worker() -> u8 {
    let team = match join() {
        Ok(team) => team,
        Err(code) => return code,
    };
    let (index, workers) = (team.index(), team.workers());
    let until =
        |last| move |round: Option<u64>| Some(round.map_or(0, |r| r + 1)).filter(|r| *r < last);
    let begin = Instant::now();
    let mut quiet = Work(|round, _| {
        Ok::<_, Infallible>(RoundOutput { messages: vec![], due: until(ROUNDS)(round) })
    });
    let team = team.run(&mut quiet).unwrap();
    say(&format!("{:.0} empty rounds per second", ROUNDS as f64 / begin.elapsed().as_secs_f64()));
    let begin = Instant::now();
    let mut loud = Work(|round: Option<u64>, _| {
        let is_loud = round.is_some_and(|round| round < LOUD_ROUNDS);
        let others = (0..workers).filter(|to| is_loud && *to != index);
        let messages = others.map(|to| (to, vec![1; LOUD])).collect();
        Ok::<_, Infallible>(RoundOutput { messages, due: round.is_none().then_some(0) })
    });
    let team = team.run(&mut loud).unwrap();
    let megabytes = (LOUD * (workers - 1)) as f64 * LOUD_ROUNDS as f64 / 1e6;
    say(&format!(
        "{:.0} MB per second out of each worker, and as many into it, in messages",
        megabytes / begin.elapsed().as_secs_f64()
    ));
    let begin = Instant::now();
    let mut left = if index == 0 { 0 } else { EXCHANGED };
    let mut taken = 0;
    let next = || {
        left = left.saturating_sub(1);
        Ok::<_, Infallible>((left > 0).then(|| (0, vec![1; 1 << 20])))
    };
    let take = |_, bytes: Vec<u8>| {
        taken += bytes.len();
        Ok(())
    };
    let team = team.exchange(next, take).unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    say(&format!("{:.0} MB per second into worker 0 by exchange", taken as f64 / 1e6 / seconds));
    team.leave();
    0
}
