//! The Python package `lucena`: bindings for the functions and types of the library. They hold no logic of
//! chess, learning or proof: they convert arguments, call the library, and return the results.

// PyO3's macros allow unsafe code in their output; nothing else here uses it.
#![deny(unsafe_code)]

mod argument;
mod command;
mod dataset;
mod endgame;
mod error;
mod explanation;
mod external;
mod measure;
mod model;
mod probe;
mod progress;
mod proof;
mod sklearn_tree;
mod strategy;
mod syzygy;
mod tablebase;
mod tree;

/// The contents of the Python package `lucena`.
#[pyo3::pymodule]
mod _lucena {
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::dataset::{Dataset, dataset};
    #[pymodule_export]
    use crate::error::{LucenaError, PlayerError};
    #[pymodule_export]
    use crate::explanation::{Explanation, explain};
    #[pymodule_export]
    use crate::external::{prove_classifier, prove_mover};
    #[pymodule_export]
    use crate::measure::ForcedMove;
    #[pymodule_export]
    use crate::model::{Measure, Model, Strategy, Tree, prove_model};
    #[pymodule_export]
    use crate::probe::{Probe, ProbedMove};
    #[pymodule_export]
    use crate::proof::{Line, Proof, prove_named};
    #[pymodule_export]
    use crate::sklearn_tree::SklearnTree;
    #[pymodule_export]
    use crate::syzygy::Syzygy;
    #[pymodule_export]
    use crate::tablebase::{SideCounts, Tablebase, solve};
    #[pymodule_export]
    use crate::tree::learn;

    #[pymodule_export]
    #[allow(non_upper_case_globals)] // The name in Python.
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
