//! The cost of playing, proving and searching for measures: `cargo bench -p lucena-benches --bench measures`. Threads make times hard to
//! compare: set `RAYON_NUM_THREADS=1` for those of one core.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use lucena::chess::{Position, Side};
use lucena::measure::{Candidate, Horizon, MeasureTable, measure_quantities, terms_over};
use lucena::model::Measure;
use lucena::policy::{MeasurePolicy, Policy};
use lucena::progress::NoObserver;
use lucena::proof::prove;
use lucena::roster::BuiltIn;
use lucena::symmetry::Group;
use lucena::tablebase::{Index, Tablebase};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// The smallest built-in measure of an endgame, looking a number of moves ahead.
fn measure(name: &str, look: u8) -> Measure {
    let material = name.parse().expect("a material");
    let policy = BuiltIn::smallest_measure(material).expect("it is in every build");
    let measure = policy.measure();
    let horizon = Horizon { look, ..measure.horizon() };
    measure.with_horizon(horizon).expect("it does not look too far")
}

fn policy(measure: &Measure) -> MeasurePolicy {
    MeasurePolicy::from_checked(measure.clone()).expect("a sound measure")
}

/// Positions with the strong side to move, in random order.
fn positions(name: &str) -> Vec<Position> {
    let material = name.parse().expect("a material");
    let index = Index::new(material, Group::new(material));
    let mut numbers: Vec<usize> = (0..index.len()).collect();
    numbers.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    let positions = numbers.into_iter().filter_map(|at| index.position(at, Side::Strong));
    positions.take(200).collect()
}

/// A move from nothing: a new policy for each position.
fn moving(c: &mut Criterion) {
    let mut group = c.benchmark_group("a move of a measure, from nothing");
    group.sample_size(20);
    for (name, look) in [("KRvK", 3), ("KQvK", 2), ("KBNvK", 4), ("KBNvK", 10)] {
        let (measure, positions) = (measure(name, look), positions(name));
        let mut next = positions.iter().cycle();
        group.bench_function(format!("{name}, looking {look} moves ahead"), |b| {
            b.iter_batched(
                || (policy(&measure), next.next().expect("there are positions")),
                |(policy, position)| policy.decide(position),
                BatchSize::PerIteration,
            );
        });
    }
}

/// The mean time of a move in games against the longest resistance, each game with a new policy.
fn playing(c: &mut Criterion) {
    let mut group = c.benchmark_group("a move of a measure, in a game");
    group.sample_size(10);
    for (name, look) in [("KRvK", 3), ("KQvK", 2), ("KBNvK", 4), ("KBNvK", 10)] {
        let (measure, positions) = (measure(name, look), positions(name));
        let tablebase = Tablebase::solve(name.parse().expect("a material"));
        group.bench_function(format!("{name}, looking {look} moves ahead"), |b| {
            let mut next = positions.iter().cycle();
            b.iter_custom(|moves| {
                let (mut count, mut taken) = (0, Duration::ZERO);
                while count < moves {
                    let mut at = Some(*next.next().expect("there are positions"));
                    let policy = policy(&measure);
                    while let Some(position) = at.filter(|_| count < moves) {
                        let begun = Instant::now();
                        let mv = policy.choose(&position).expect("there is a move");
                        taken += begun.elapsed();
                        count += 1;
                        at = resisted(&tablebase, &position.play(mv).expect("it is legal"));
                    }
                }
                taken
            });
        });
    }
}

/// The position after the reply that resists longest; `None` if there is none, or it leaves the endgame.
fn resisted(tablebase: &Tablebase, after: &Position) -> Option<Position> {
    let replies = after.moves().into_iter().filter_map(|reply| after.play(reply).ok());
    let replies = replies.filter(|reply| reply.material() == tablebase.material());
    replies.max_by_key(|reply| tablebase.outcome(reply).moves_to_win())
}

fn proving(c: &mut Criterion) {
    let mut group = c.benchmark_group("prove a measure");
    group.sample_size(10);
    for (name, look) in [("KRvK", 3), ("KBNvK", 8)] {
        let measure = measure(name, look);
        let tablebase = Tablebase::solve(name.parse().expect("a material"));
        // A new policy each time, since a policy keeps what it has worked out.
        group.bench_function(name, |b| b.iter(|| prove(&policy(&measure), &tablebase)));
    }
}

fn trying(c: &mut Criterion) {
    let mut group = c.benchmark_group("try a measure");
    group.sample_size(10);
    for (name, look) in [("KRvK", 2), ("KBNvK", 8)] {
        let tablebase = Tablebase::solve(name.parse().expect("a material"));
        let quantities = measure_quantities(tablebase.material());
        let table = MeasureTable::new(&tablebase, &quantities, &NoObserver);
        let (table, measure) = (table.expect("nobody stops it"), measure(name, look));
        let terms = terms_over(&table, &measure).expect("its quantities are in the table");
        let goal = measure.horizon().goal;
        let candidate = Candidate { terms, view: Horizon { look, goal, secure: 0 } };
        group.bench_function(name, |b| b.iter(|| table.trial(&candidate)));
    }
}

criterion_group!(benches, moving, playing, proving, trying);
criterion_main!(benches);
