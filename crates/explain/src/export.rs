//! Trees in the formats of other tools: scikit-learn's arrays and text, Graphviz, ONNX; and as a
//! picture.
//!
//! These formats have only thresholds, and an answer for every row. A test by value becomes a
//! search among its values. Rows that the tree has no answer for get an extra class, [`NO_ANSWER`],
//! after all others: nothing is guessed. Values are integers, and a threshold lies half-way between
//! two of them, as in scikit-learn.
//!
//! ```
//! use lucena_model::{Column, DecisionTree, Node, Origin, TreeHead};
//!
//! let head = TreeHead {
//!     origin: Origin::new("KRvK"),
//!     attributes: vec![Column::new("RHangs", 0, 1, "whether the rook can be taken")],
//!     classes: vec!["good".into(), "draw".into()],
//! };
//! let test = Node::Threshold { attribute: 0, at_most: 0, below: 1, above: 2 };
//! let tree = DecisionTree::new(head, vec![test, Node::Leaf { class: 0 }, Node::Leaf { class: 1 }])?;
//! assert_eq!(
//!     lucena_explain::export::text(&tree, None),
//!     "|--- RHangs <= 0.50\n|   |--- class: good\n|--- RHangs >  0.50\n|   |--- class: draw\n"
//! );
//! assert!(lucena_explain::export::onnx(&tree).len() < 1_000);
//! # Ok::<(), lucena_model::TreeError>(())
//! ```

mod arrays;
mod dot;
mod node_counts;
mod onnx;
mod text;
mod tree_picture;

pub use arrays::{Arrays, Samples};
pub use dot::dot;
pub use node_counts::NO_ANSWER;
pub(crate) use node_counts::{attributes, positions, turn};
pub use onnx::onnx;
pub use text::text;
pub use tree_picture::svg;
