//! Times lucena at the tasks that `crates/benches/peers` gives to other tools, and prints JSON with seconds.
//! Each time is the median of several repetitions in process.
//!
//! `cargo bench -p lucena-benches --bench peer_times -- FILE.csv`, where the file is the output of
//! `lucena dataset KRvK`.

#![allow(clippy::print_stdout)]

use lucena::chess::{Position, Side};
use lucena::learn::{CartParams, Criterion, Id3Params, Learner};

use lucena::symmetry::Group;
use lucena::tablebase::Index;
use lucena_generated::krvk_cart::{Attributes, classify, classify_batch};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

const REPETITIONS: usize = 21;

fn median(mut work: impl FnMut()) -> f64 {
    work();
    let mut seconds: Vec<f64> = (0..REPETITIONS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[REPETITIONS / 2]
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: cargo bench -p lucena-benches --bench peer_times -- FILE.csv")?;
    let dataset = read(&path)?;
    let id3 = Id3Params::default().check()?;
    let cart = CartParams::default().check()?;
    let gini = CartParams::default().criterion(Criterion::Gini).check()?;
    let tree = cart.learn(&dataset)?;

    let attributes = dataset.attributes().len();
    let mut rows: Vec<Vec<u8>> = (0..dataset.rows())
        .map(|row| {
            let mut values = vec![0; attributes];
            dataset.row(row, &mut values);
            values
        })
        .collect();
    rows.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    let in_hand: Vec<Attributes> = rows
        .iter()
        .map(|row| <[u8; 24]>::try_from(row.as_slice()).map(Attributes::from))
        .collect::<Result<_, _>>()?;
    let per_row = |seconds: f64| seconds / rows.len() as f64;
    let generated = median(|| {
        for attributes in &in_hand {
            black_box(classify(attributes));
        }
    });
    let together: Vec<[u8; 24]> =
        rows.iter().map(|row| <[u8; 24]>::try_from(row.as_slice())).collect::<Result<_, _>>()?;
    let mut classes = vec![None; together.len()];
    let batch = median(|| {
        classify_batch(black_box(&together), &mut classes);
        black_box(&classes);
    });
    let interpreted = median(|| {
        for row in &rows {
            black_box(tree.classify(row));
        }
    });

    let index = Index::new("KRvK".parse()?, Group::Identity);
    let mut counts = [0_u64; 2];
    let mut moves = 0;
    let positions_generate = median(|| {
        counts = [0; 2];
        moves = 0;
        for side in Side::ALL {
            for position in (0..index.len()).filter_map(|at| index.position(at, side)) {
                counts[side as usize] += 1;
                moves += position.moves().len() as u64;
            }
        }
    });
    let fens: Vec<String> = (0..index.len())
        .filter_map(|at| Some(index.position(at, Side::Weak)?.to_string()))
        .collect();
    let fen_read = median(|| {
        for fen in &fens {
            black_box(fen.parse::<Position>().expect("our own FEN"));
        }
    });

    let times = serde_json::json!({
        "id3_learn": median(|| drop(black_box(id3.learn(&dataset)))),
        "cart_learn": median(|| drop(black_box(cart.learn(&dataset)))),
        "cart_gini_learn": median(|| drop(black_box(gini.learn(&dataset)))),
        "generated_classify_per_row": per_row(generated),
        "generated_batch_per_row": per_row(batch),
        "interpreted_classify_per_row": per_row(interpreted),
        "positions_generate": positions_generate,
        "fen_read": fen_read,
        "legal_black_to_move": counts[Side::Weak as usize],
        "legal_white_to_move": counts[Side::Strong as usize],
        "moves": moves,
    });
    println!("{times}");
    Ok(())
}

/// Reads the csv as a plain data set: columns of integers and a class.
fn read(path: &str) -> Result<lucena::dataset::Dataset, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let (_, names) = names.split_last().ok_or("the file has no columns")?;
    let mut columns: Vec<(String, Vec<u8>)> =
        names.iter().map(|name| (name.clone(), Vec::new())).collect();
    let mut classes = Vec::<String>::new();
    let mut targets = Vec::new();
    for record in reader.records() {
        let record = record?;
        for ((_, column), value) in columns.iter_mut().zip(&record) {
            column.push(value.parse()?);
        }
        let class = &record[names.len()];
        let known = classes.iter().position(|known| known == class);
        targets.push(known.unwrap_or_else(|| {
            classes.push(class.into());
            classes.len() - 1
        }));
    }
    Ok(lucena::dataset::Dataset::from_columns(columns, &targets)?)
}
