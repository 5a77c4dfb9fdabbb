//! Source code for decision trees, strategies and measures, in Rust, C, Python and JavaScript.
//!
//! [`emit`](emit()) writes a model of any kind in any [`Language`], as a function from squares to moves; its output is
//! self-contained. [`emit_tree`] writes a tree as a classifier, in functions of a given size. [`regenerate`] does so for a
//! folder of trees, in Rust, and is the only writer of the `lucena-generated` crate. [`EngineEndgames`] writes code that
//! solves endgames by itself.
//!
//! ```
//! use lucena_codegen::{Language, emit};
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
//! assert!(emit(&tree, Language::Rust)?.contains("if a.kOnEdge == 0"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
mod c_header;
mod emit;
mod emit_error;
mod endgames;
mod language;
mod library;
mod measure;
mod partition;
mod regenerate;
mod rust_tree;
mod strategy;
mod summary;
mod tree;
mod writer;

pub use c_header::c_header;
pub use emit::emit;
pub use emit_error::EmitError;
pub use endgames::{EngineEndgames, EngineEndgamesError};
pub use language::Language;
pub use partition::{FunctionSize, FunctionSizeError, function_count};
pub use regenerate::{RegenerateError, RegenerateSummary, StaleFileError, regenerate, stale};
pub use tree::emit_tree;
