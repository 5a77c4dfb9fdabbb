//! For the researcher: exact data, a tree, and the meaning of its accuracy.
//!
//! `cargo run --release -p lucena-examples --example researcher` learns king and rook
//! against king from the published attributes. It shows that a tree without an error on its data
//! still errs on unseen positions. The split has to be honest about symmetry: positions of one orbit
//! stay together.

#![allow(clippy::print_stdout)]

use lucena::attributes::{AttributeSet, Selection};
use lucena::dataset::{Dataset, Positions, krkopt, sha256};
use lucena::learn::{CartParams, Id3Params, Learner, cross_validate, training_accuracy};
use lucena::tablebase::Tablebase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let material = "KRvK".parse()?;
    let tablebase = Tablebase::solve(material);

    // The UCI data set, byte for byte.
    assert_eq!(sha256(&krkopt::to_csv(&tablebase)?), krkopt::KRVK_SHA256);

    let attributes = AttributeSet::new(material, Selection::Geometric);
    let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
    println!("{} rows x {} attributes", dataset.rows(), dataset.attributes().len());

    let learners: [Box<dyn Learner>; 2] =
        [Box::new(Id3Params::default().check()?), Box::new(CartParams::default().check()?)];
    for learner in learners {
        let tree = learner.learn(&dataset)?;
        let trained = training_accuracy(&tree, &dataset);
        let folds = cross_validate(&*learner, &dataset, 10, 1)?;
        println!(
            "{}: {} leaves, {:.1} % right on its data, {:.1} % on orbits not seen",
            learner.name(),
            tree.leaves(),
            100.0 * trained,
            100.0 * folds.accuracy
        );
        assert_eq!(trained, 1.0);
    }
    Ok(())
}
