//! Models of endgames over small integers: decision trees, strategies and measures.
//!
//! A [`Model`] is knowledge that a player can go by, with its [`Origin`], and a JSON file that says its
//! [kind](ModelKind). [`DecisionTree`] is the contract between learners and users of a tree: a list of
//! columns with their domains, a list of classes, and nodes that have been checked once. People read a tree
//! as [`Rule`]s, or along the [`TreePath`] of one row. [`Strategy`] is the counterpart for ordered rules about
//! moves, and [`Measure`] that for a number that is made smaller. The crate also holds facts about attributes
//! of positions that all languages share: the names of men, distances of [`squares`], and the attributes that
//! plans can be about.
//!
//! ```
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
//! assert_eq!(tree.classify(&[1]), Some(1));
//! assert_eq!(DecisionTree::from_json(tree.to_json().as_bytes())?, tree);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary_tree;
mod file;
mod file_kind;
mod kind;
mod measure;
mod men;
mod model;
mod origin;
mod plan;
mod rules;
pub mod squares;
mod strategy;
mod strategy_parts;
mod tree;
mod values;

/// The text of [`squares`], from which lucena-codegen takes functions.
pub const SQUARES: &str = include_str!("squares.rs");

pub use binary_tree::BinaryNode;
pub use file::{ReadModelError, hexadecimal};
pub use file_kind::FileKind;
pub use kind::ModelKind;
pub use measure::{
    Contribution, Goal, Horizon, MAX_LOOK, MAX_MEASURE_VALUE, MAX_SECURE, Measure, MeasureError,
    QuantityColumn, Term,
};
pub use men::{ManName, role_word};
pub use model::{Model, ModelFigures, ModelRef};
pub use origin::Origin;
pub use plan::planned;
pub use rules::{Condition, PathEnd, Rule, TreePath, merge};
pub use strategy::{
    Aim, Candidates, Change, Key, MAX_CONDITIONS, MoveCondition, MoveValues, PlayedSide,
    RuleSelection, Strategy, StrategyDomain, StrategyError, StrategyRule,
};
pub use strategy_parts::{StrategyPart, strategy_parts, without_each_part, without_part};
pub use tree::{
    Class, Column, DecisionTree, MAX_DEPTH, Node, NodeIndex, TreeError, TreeHead, is_identifier,
};
