//! The Python package `lucena`: the library's own functions and types, as Python has them. It holds no
//! logic of chess, learning or proof: it takes arguments, calls, and hands on what comes.

// PyO3's macros allow it where they write it; nothing here does.
#![deny(unsafe_code)]

mod command;
mod dataset;
mod endgame;
mod error;
mod explanation;
mod outsider;
mod probe;
mod proof;
mod sklearn_tree;
mod tablebase;
mod tree;
mod work;

/// What the Python package `lucena` is made of.
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
    use crate::outsider::{prove_classifier, prove_mover};
    #[pymodule_export]
    use crate::probe::{Probe, ProbedMove};
    #[pymodule_export]
    use crate::proof::{Line, Proof, prove_named, prove_tree};
    #[pymodule_export]
    use crate::sklearn_tree::SklearnTree;
    #[pymodule_export]
    use crate::tablebase::{SideCounts, Tablebase, solve};
    #[pymodule_export]
    use crate::tree::{Tree, learn};

    #[pymodule_export]
    #[allow(non_upper_case_globals)] // It is Python's name.
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
