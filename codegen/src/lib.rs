//! Decision trees over small integers, and the Rust source code they become.
//!
//! [`DecisionTree`] is the contract between whoever learns a tree and whoever uses it: a list of
//! attributes with their domains, a list of classes, and nodes that have been checked once and for
//! all. [`emit`] turns a tree into a Rust module that needs nothing but `core`; [`regenerate`] does
//! so for a folder of trees and is the only writer of the `lucena-generated` crate. For people a tree
//! is read as [`Rule`]s, or along the [`Path`] of one row.
//!
//! ```
//! use lucena_codegen::{Attribute, DecisionTree, FunctionSize, Head, Node, emit};
//!
//! let head = Head {
//!     material: "KRvK".into(),
//!     attributes: vec![Attribute::new("kOnEdge", 0, 1, "the weak king stands on the edge")],
//!     classes: vec!["no".into(), "perhaps".into()],
//!     learner: "by hand".into(),
//!     ..Head::default()
//! };
//! let nodes = vec![
//!     Node::Threshold { attribute: 0, at_most: 0, below: 1, above: 2 },
//!     Node::Leaf { class: 0 },
//!     Node::Leaf { class: 1 },
//! ];
//! let tree = DecisionTree::new(head, nodes)?;
//! assert_eq!(tree.classify(&[1]), Some(1));
//! assert!(emit(&tree, FunctionSize::default()).contains("if a.kOnEdge == 0"));
//! # Ok::<(), lucena_codegen::TreeError>(())
//! ```

mod emit;
mod file;
mod partition;
mod regenerate;
mod rules;
mod tree;

pub use emit::emit;
pub use file::{
    ReadError, WriteError, WritesHeld, Written, read_file, write_file, write_file_with,
};
pub use partition::{FunctionSize, FunctionSizeError};
pub use regenerate::{RegenerateError, Regenerated, Stale, regenerate, stale};
pub use rules::{Condition, Path, PathEnd, Rule, merge};
pub use tree::{
    Attribute, Class, DecisionTree, FORMAT, Head, LoadError, MAX_DEPTH, Node, NodeIndex, TreeError,
};
