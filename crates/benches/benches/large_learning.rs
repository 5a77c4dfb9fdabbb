//! The cost of learning at the largest intended size: ten million rows by sixty attributes by
//! default. The rows are random, and their classes come from a random tree, so that there is something
//! to learn.
//!
//! ```sh
//! cargo bench -p lucena-benches --bench large_learning -- 10000000 60 cart
//! ```

#![allow(clippy::print_stdout)]

use lucena::dataset::Dataset;
use lucena::learn::{CartParams, Id3Params, Learner, training_accuracy};
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// The number of values of the attributes, repeated cyclically, as in an endgame.
const VALUES: [u8; 6] = [8, 8, 2, 4, 15, 2];

/// The number of tests on each path of the tree that assigns the classes.
const DEPTH: u32 = 13;

const CLASSES: usize = 35;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let mut number = |usual| arguments.next().map_or(Ok(usual), |text| text.parse::<usize>());
    let (rows, width) = (number(10_000_000)?, number(60)?);
    let learner: Box<dyn Learner> = match arguments.next().as_deref() {
        Some("id3") => Box::new(Id3Params::default().check()?),
        _ => Box::new(CartParams::default().check()?),
    };

    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut column = |attribute: usize| {
        let mut column = vec![0; rows];
        random.fill_bytes(&mut column);
        column.iter_mut().for_each(|value| *value %= VALUES[attribute % VALUES.len()]);
        (format!("a{attribute}"), column)
    };
    let columns: Vec<(String, Vec<u8>)> = (0..width).map(&mut column).collect();

    let tests: Vec<(usize, u8)> = (0..1 << DEPTH)
        .map(|_| {
            let attribute = random.gen_range(0..width);
            (attribute, random.gen_range(0..VALUES[attribute % VALUES.len()] - 1))
        })
        .collect();
    let classes: Vec<usize> = (0..1 << DEPTH).map(|_| random.gen_range(0..CLASSES)).collect();
    let class = |row: usize| {
        let mut node = 1;
        for _ in 0..DEPTH {
            let (attribute, at_most) = tests[node];
            node = 2 * node + usize::from(columns[attribute].1[row] > at_most);
        }
        classes[node - (1 << DEPTH)]
    };
    let targets: Vec<usize> = (0..rows).map(class).collect();
    let dataset = Dataset::from_columns(columns, &targets)?;
    drop(targets);

    let start = Instant::now();
    let tree = learner.learn(&dataset)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} of {rows} rows x {width} attributes: {} leaves, {} right, {seconds:.2} s",
        learner.name(),
        tree.leaves(),
        training_accuracy(&tree, &dataset),
    );
    Ok(())
}
