//! The rounds of a few workers, here as threads.

use std::convert::Infallible;
use std::time::Duration;

use lucena_dist::{Hosts, RoundOutput, RunError, Share, Team};

/// Runs a team of workers as threads; returns their results.
pub(crate) fn together<T: Send>(workers: usize, work: impl Fn(Team) -> T + Sync) -> Vec<T> {
    let hosts = Hosts::local(workers).unwrap();
    let one = |index| work(Team::join(&hosts, index, b"rounds", Duration::from_secs(60)).unwrap());
    std::thread::scope(|scope| {
        let one = &one;
        let threads: Vec<_> = (0..workers).map(|index| scope.spawn(move || one(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A share defined by its rounds alone.
pub(crate) struct Work<F>(pub(crate) F);

impl<E, F> Share for Work<F>
where
    E: std::error::Error + 'static,
    F: FnMut(Option<u64>, Vec<(usize, Vec<u8>)>) -> Result<RoundOutput, E>,
{
    type Error = E;

    fn last_checkpoint(&self) -> Option<u64> {
        None
    }

    fn resume(&mut self, from: Option<u64>) -> Result<RoundOutput, E> {
        (self.0)(from, Vec::new())
    }

    fn round(&mut self, round: u64, messages: Vec<(usize, Vec<u8>)>) -> Result<RoundOutput, E> {
        (self.0)(Some(round), messages)
    }
}

#[test]
fn rounds_without_work_are_left_out_and_all_take_part_in_the_others() {
    let rounds = together(3, |team| {
        let index = team.index();
        let mut rounds = Vec::new();
        let mut work = Work(|round: Option<u64>, _| {
            rounds.extend(round);
            let due: &[u64] = [&[7, 1 << 40][..], &[9], &[]][index];
            let due = due.iter().copied().find(|due| round.is_none_or(|round| *due > round));
            // A message in round 9 makes a round 10.
            let messages = match (index, round) {
                (1, Some(9)) => vec![(2, vec![1])],
                _ => vec![],
            };
            Ok::<_, Infallible>(RoundOutput { messages, due })
        });
        team.run(&mut work).unwrap().leave();
        rounds
    });
    assert_eq!(rounds, vec![vec![7, 9, 10, 1 << 40]; 3]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_is_heard_is_in_order_and_whole() {
    let lengths = [0, 1, 100_000, 1_000_000, 5, 256 << 10, (256 << 10) + 1];
    let message = |from: usize, number: usize| {
        let length = lengths[number % lengths.len()];
        (0..length).map(|at| (at * 7 + from * 31 + number) as u8).collect::<Vec<_>>()
    };
    together(3, |team| {
        let (index, workers) = (team.index(), team.workers());
        let mut work = Work(|round: Option<u64>, messages: Vec<(usize, Vec<u8>)>| {
            if round.is_some_and(|round| round > 0) {
                let all = (0..workers).flat_map(|from| (0..20).map(move |number| (from, number)));
                let all = all.map(|(from, number)| (from, message(from, number)));
                assert!(messages.into_iter().eq(all));
            }
            let is_over = round.is_none_or(|round| round == 3);
            let number = if is_over { 0 } else { 20 };
            let to_all = |number| (0..workers).map(move |to| (to, message(index, number)));
            let messages = (0..number).flat_map(to_all).collect();
            Ok::<_, Infallible>(RoundOutput { messages, due: round.is_none().then_some(0) })
        });
        let team = team.run(&mut work).unwrap();
        // Any number of runs can follow each other.
        let mut numbers = 0..=index * 10;
        let mut taken = vec![0; workers];
        let team = team.exchange(
            || {
                Ok::<_, Infallible>(
                    numbers.next().map(|number| (number % workers, message(index, number))),
                )
            },
            |from, bytes| {
                let number = taken[from] * workers + index;
                assert!(bytes == message(from, number));
                taken[from] += 1;
                Ok(())
            },
        );
        team.unwrap().leave();
        let expected: Vec<_> = (0..workers)
            .map(|from| (0..=from * 10).filter(|n| n % workers == index).count())
            .collect();
        assert_eq!(taken, expected);
    });
}

#[test]
fn an_error_of_one_share_ends_all_of_them() {
    #[derive(Debug, thiserror::Error)]
    #[error("out of ink")]
    struct Ink;
    let ends = together(3, |team| {
        let index = team.index();
        let mut work = Work(|round: Option<u64>, _| match (index, round) {
            (1, Some(3)) => Err(Ink),
            _ => {
                Ok(RoundOutput { messages: vec![], due: Some(round.map_or(0, |round| round + 1)) })
            }
        });
        let end = team.run(&mut work).map(Team::leave);
        end.unwrap_err()
    });
    assert!(matches!(ends[1], RunError::Share(Ink)));
    for other in [&ends[0], &ends[2]] {
        assert!(matches!(other, RunError::Lost { .. }), "{other}");
    }
}

#[test]
fn the_alarm_tells_of_a_loss_within_a_round() {
    #[derive(Debug, thiserror::Error)]
    #[error("given up")]
    struct GivenUp;
    let ends = together(2, |team| {
        let (index, alarm) = (team.index(), team.alarm());
        let mut work = Work(|round: Option<u64>, _| {
            if round.is_none() {
                return Ok(RoundOutput { messages: vec![], due: Some(0) });
            }
            while index == 1 && !alarm.is_lost() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(GivenUp)
        });
        team.run(&mut work).map(Team::leave).unwrap_err()
    });
    assert!(matches!(ends[0], RunError::Share(GivenUp)));
    assert!(matches!(ends[1], RunError::Lost { worker: 0, .. }));
}

#[test]
fn a_share_that_panics_loses_its_worker_alone() {
    let ends = together(2, |team| {
        let index = team.index();
        let mut work = Work(|round: Option<u64>, _| {
            assert!(index == 0 || round != Some(2), "it is meant to panic");
            let due = Some(round.map_or(0, |round| round + 1));
            Ok::<_, Infallible>(RoundOutput { messages: vec![], due })
        });
        let run = std::panic::AssertUnwindSafe(|| team.run(&mut work).map(Team::leave));
        std::panic::catch_unwind(run).ok()
    });
    assert!(matches!(ends[0], Some(Err(RunError::Lost { worker: 1, .. }))));
    assert!(ends[1].is_none());
}

#[test]
fn nobody_is_told_anything_who_is_not_there() {
    let ends = together(1, |team| {
        let mut work = Work(|_, _| {
            Ok::<_, Infallible>(RoundOutput { messages: vec![(1, vec![])], due: None })
        });
        team.run(&mut work).map(Team::leave).unwrap_err().to_string()
    });
    assert_eq!(ends, ["a message is for worker 1, but there are 1, counted from 0; fix the share"]);
}
