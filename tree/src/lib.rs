//! Decision trees and strategies over small integers.
//!
//! [`DecisionTree`] is the contract between learners and users of a tree: a list of columns with their
//! domains, a list of classes, and nodes that have been checked once. People read a tree as [`Rule`]s,
//! or along the [`TreePath`] of one row. It is stored as JSON. [`Strategy`] is the counterpart for
//! ordered rules about moves. What attributes of positions share in all languages stands here too: the
//! names of men, distances of [`squares`], and which attributes can be planned for.
//!
//! ```
//! use lucena_tree::{Column, DecisionTree, Head, Node};
//!
//! let head = Head {
//!     material: "KRvK".into(),
//!     attributes: vec![Column::new("kOnEdge", 0, 1, "whether the weak king stands on the edge")],
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
//! assert_eq!(DecisionTree::from_json(tree.to_json().as_bytes())?, tree);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod hexadecimal;
mod men;
mod name;
mod plan;
mod rules;
pub mod squares;
mod strategy;
mod thresholds;
mod tree;
mod values;

/// The text of [`squares`], from which lucena-codegen takes functions.
pub const SQUARES: &str = include_str!("squares.rs");

pub use hexadecimal::hexadecimal;
pub use men::{ManName, role_word};
pub use name::is_identifier;
pub use plan::planned;
pub use rules::{Condition, PathEnd, Rule, TreePath, merge};
pub use strategy::{
    Aim, Change, Key, MAX_CONDITIONS, MoveCondition, MovesAsked, ParseStrategyError,
    STRATEGY_FORMAT, Selected, Strategy, StrategyError, StrategyHead, StrategyRule,
};
pub use thresholds::BinaryNode;
pub use tree::{
    Class, Column, DecisionTree, FORMAT, Head, MAX_DEPTH, Node, NodeIndex, ParseTreeError,
    TreeError,
};
