//! Source code for decision trees, strategies and measures, in Rust, C, Python and JavaScript.
//!
//! [`emit`] turns a [`DecisionTree`](lucena_model::DecisionTree) into a module that needs nothing but
//! `core`; [`regenerate`] does so for a folder of trees and is the only writer of the
//! `lucena-generated` crate. [`emit_tree`] writes a tree in any [`Language`], [`emit_strategy`] a
//! [`Strategy`](lucena_model::Strategy), and [`emit_measure`] a [`Measure`](lucena_model::Measure) with its
//! search; their output is self-contained.
//!
//! ```
//! use lucena_codegen::{FunctionSize, emit};
//! use lucena_model::{Column, DecisionTree, Node, Origin, TreeHead};
//!
//! let head = TreeHead {
//!     origin: Origin::new("KRvK"),
//!     attributes: vec![Column::new("kOnEdge", 0, 1, "whether the weak king stands on the edge")],
//!     classes: vec!["no".into(), "perhaps".into()],
//! };
//! let nodes = vec![
//!     Node::Threshold { attribute: 0, at_most: 0, below: 1, above: 2 },
//!     Node::Leaf { class: 0 },
//!     Node::Leaf { class: 1 },
//! ];
//! let tree = DecisionTree::new(head, nodes)?;
//! assert!(emit(&tree, FunctionSize::default()).contains("if a.kOnEdge == 0"));
//! # Ok::<(), lucena_model::TreeError>(())
//! ```

mod batch;
mod emit;
mod language;
mod library;
mod measure;
mod partition;
mod regenerate;
mod strategy;
mod summary;
mod tree;
mod writer;

pub use emit::emit;
pub use language::Language;
pub use measure::{EmitMeasureError, emit_measure};
pub use partition::{FunctionSize, FunctionSizeError};
pub use regenerate::{RegenerateError, RegenerateSummary, StaleFileError, regenerate, stale};
pub use strategy::{EmitStrategyError, emit_strategy};
pub use tree::emit_tree;
