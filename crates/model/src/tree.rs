//! The decision tree: head, nodes, JSON.

use super::kind::ModelKind;
use crate::file::{self, ReadModelError, unsound};
use crate::origin::Origin;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of a class in [`TreeHead::classes`].
pub type Class = u8;

/// The number of a node in [`DecisionTree::nodes`]; the root is 0.
pub type NodeIndex = u32;

/// The greatest number of tests on a path. Learned trees stay far below. Recursive code can rely on it.
pub const MAX_DEPTH: usize = 256;

/// An attribute that a tree may test: an integer with a small domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// The name, a Rust identifier.
    pub name: String,
    /// The least value.
    pub low: u8,
    /// The greatest value.
    pub high: u8,
    /// The meaning, a phrase without a full stop.
    pub meaning: String,
}

impl Column {
    /// An attribute with its domain, both ends included.
    pub fn new(name: impl Into<String>, low: u8, high: u8, meaning: impl Into<String>) -> Self {
        Self { name: name.into(), low, high, meaning: meaning.into() }
    }
}

/// A node of a tree: a leaf or a test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Node {
    /// A leaf.
    Leaf {
        /// The class.
        class: Class,
    },
    /// A test: is the attribute at most a threshold?
    Threshold {
        /// The number of the attribute.
        attribute: usize,
        /// The greatest value that leads to `below`.
        at_most: u8,
        /// The node for values up to the threshold.
        below: NodeIndex,
        /// The node for greater values.
        above: NodeIndex,
    },
    /// A test by value: one child for each value. A value without a child has no answer.
    ByValue {
        /// The number of the attribute.
        attribute: usize,
        /// Values in ascending order, each with its node.
        children: Vec<(u8, NodeIndex)>,
    },
}

impl Node {
    /// The children, in the order of the values that lead to them.
    pub fn children(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        let (two, many): ([Option<NodeIndex>; 2], &[(u8, NodeIndex)]) = match self {
            Self::Leaf { .. } => ([None; 2], &[]),
            Self::Threshold { below, above, .. } => ([Some(*below), Some(*above)], &[]),
            Self::ByValue { children, .. } => ([None; 2], children),
        };
        two.into_iter().flatten().chain(many.iter().map(|&(_, child)| child))
    }

    /// The child that a row leads to, given a function from attributes to the row's values; `None` for a leaf, and for a
    /// value without a child.
    pub fn child(&self, value: impl Fn(usize) -> u8) -> Option<NodeIndex> {
        match self {
            Self::Leaf { .. } => None,
            Self::Threshold { attribute, at_most, below, above } => {
                Some(if value(*attribute) <= *at_most { *below } else { *above })
            }
            Self::ByValue { attribute, children } => {
                let value = value(*attribute);
                let known = children.binary_search_by_key(&value, |&(value, _)| value);
                known.ok().map(|at| children[at].1)
            }
        }
    }

    /// The same test with other children, in the order of [`Node::children`].
    ///
    /// # Panics
    /// If their number differs.
    #[must_use]
    pub fn with_children(&self, others: &[NodeIndex]) -> Self {
        assert_eq!(self.children().count(), others.len(), "a child for each branch");
        match self {
            Self::Leaf { class } => Self::Leaf { class: *class },
            &Self::Threshold { attribute, at_most, .. } => {
                Self::Threshold { attribute, at_most, below: others[0], above: others[1] }
            }
            Self::ByValue { attribute, children } => {
                let values = children.iter().map(|&(value, _)| value);
                let children = values.zip(others.iter().copied()).collect();
                Self::ByValue { attribute: *attribute, children }
            }
        }
    }

    /// The attribute that is tested, or `None` for a leaf.
    pub fn attribute(&self) -> Option<usize> {
        match self {
            Self::Leaf { .. } => None,
            Self::Threshold { attribute, .. } | Self::ByValue { attribute, .. } => Some(*attribute),
        }
    }
}

/// A tree's data besides its nodes: origin, attributes and classes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeHead {
    /// The subject and origin.
    pub origin: Origin,
    /// The attributes, in the order in which [`DecisionTree::classify`] takes their values.
    pub attributes: Vec<Column>,
    /// The names of the classes.
    pub classes: Vec<String>,
}

impl TreeHead {
    /// The parameter that names what the classes say, if that is not the distance to mate.
    pub const CLASS: &str = "class";

    /// The value of the parameter [`CLASS`](Self::CLASS) for outcomes under the fifty-move rule.
    pub const OUTCOMES: &str = "wdl";

    /// The parameter that names the side to move, if it is the strong one.
    pub const TURN: &str = "turn";

    /// The value of the parameter [`TURN`](Self::TURN): White is the strong side.
    pub const STRONG_SIDE: &str = "white";

    /// The parameter with the conditions that the positions fulfil for which the tree is made, joined by [`AND`](Self::AND);
    /// without it, it is made for the whole endgame.
    pub const PART: &str = "where";

    /// The word between two conditions.
    pub const AND: &str = " and ";

    /// What the classes say: [`OUTCOMES`](Self::OUTCOMES), or something else that is not the distance to mate; `None` if
    /// it is that, or a grade.
    pub fn class(&self) -> Option<&str> {
        self.origin.parameters.get(Self::CLASS).map(String::as_str)
    }

    /// The conditions that the positions fulfil for which the tree is made; none if it is made for the whole endgame.
    pub fn part(&self) -> Vec<String> {
        let part = self.origin.parameters.get(Self::PART);
        part.map(|part| part.split(Self::AND).map(str::to_owned).collect()).unwrap_or_default()
    }

    /// Returns true if the tree classifies positions with the strong side to move, not the weak one.
    pub fn has_strong_side_to_move(&self) -> bool {
        self.origin.parameters.get(Self::TURN).is_some_and(|turn| turn == Self::STRONG_SIDE)
    }
}

/// A checked decision tree: every test is within its attribute's domain, every path ends in a leaf, and
/// every node but the root has one parent, which stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionTree {
    head: TreeHead,
    nodes: Vec<Node>,
}

/// The error for nodes that do not make a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// The head is wrong.
    #[error("the head is wrong: {0}")]
    Head(String),
    /// A node is wrong.
    #[error("node {node} is wrong: {what}")]
    Node {
        /// The number of the node.
        node: usize,
        /// The fault.
        what: String,
    },
}

impl DecisionTree {
    /// Makes a tree of a head and nodes after checking them.
    ///
    /// # Errors
    /// The first fault found.
    pub fn new(head: TreeHead, nodes: Vec<Node>) -> Result<Self, TreeError> {
        check_head(&head)?;
        let wrong = |node: usize, what: String| Err(TreeError::Node { node, what });
        if nodes.is_empty() {
            return Err(TreeError::Head("the tree has no nodes".into()));
        }
        let mut has_parent = vec![false; nodes.len()];
        has_parent[0] = true;
        for (number, node) in nodes.iter().enumerate() {
            if !has_parent[number] {
                return wrong(number, "no test leads to it".into());
            }
            if let Some(attribute) = node.attribute() {
                let Some(known) = head.attributes.get(attribute) else {
                    return wrong(number, format!("there is no attribute {attribute}"));
                };
                let (low, high) = (known.low, known.high);
                let outside = match node {
                    // With the greatest value as threshold nothing would be left for `above`.
                    Node::Threshold { at_most, .. } => {
                        (!(low..high).contains(at_most)).then_some(*at_most)
                    }
                    Node::ByValue { children, .. } => {
                        if children.is_empty() {
                            return wrong(number, "it has no children".into());
                        }
                        if !children.windows(2).all(|pair| pair[0].0 < pair[1].0) {
                            return wrong(number, "its values do not ascend".into());
                        }
                        let values = children.iter().map(|&(value, _)| value);
                        values.into_iter().find(|value| !(low..=high).contains(value))
                    }
                    Node::Leaf { .. } => None,
                };
                if let Some(value) = outside {
                    let name = &known.name;
                    let what = format!("{value} cannot divide {name}, from {low} to {high}");
                    return wrong(number, what);
                }
            }
            if let Node::Leaf { class } = node
                && usize::from(*class) >= head.classes.len()
            {
                return wrong(number, format!("there is no class {class}"));
            }
            for child in node.children() {
                match has_parent.get_mut(child as usize) {
                    None => return wrong(number, format!("there is no node {child}")),
                    Some(_) if child as usize <= number => {
                        return wrong(number, format!("its child {child} does not stand after it"));
                    }
                    Some(true) => {
                        return wrong(number, format!("its child {child} has another parent"));
                    }
                    Some(parent) => *parent = true,
                }
            }
        }
        let tree = Self { head, nodes };
        if tree.depth() > MAX_DEPTH {
            let what = format!("a path has {} tests, the most is {MAX_DEPTH}", tree.depth());
            return Err(TreeError::Head(what));
        }
        Ok(tree)
    }

    /// The origin, attributes and classes of the tree.
    pub fn head(&self) -> &TreeHead {
        &self.head
    }

    /// The subject and origin of the tree.
    pub fn origin(&self) -> &Origin {
        &self.head.origin
    }

    /// The nodes; the root is the first, and children stand after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The class of a row of attribute values, or `None` if a test by value has no child for the value.
    ///
    /// # Panics
    /// If the row has fewer values than the tree has attributes.
    pub fn classify(&self, row: &[u8]) -> Option<Class> {
        let row = &row[..self.head.attributes.len()];
        self.classify_by(|attribute| row[attribute])
    }

    /// The class of a row given by a function. Only the values that are tested on the path are read.
    pub fn classify_by(&self, value: impl Fn(usize) -> u8) -> Option<Class> {
        let mut at = 0;
        loop {
            at = match &self.nodes[at as usize] {
                Node::Leaf { class } => return Some(*class),
                test => test.child(&value)?,
            };
        }
    }

    /// The number of nodes that are tests.
    pub fn tests(&self) -> usize {
        self.nodes.len() - self.leaves()
    }

    /// The number of nodes that are leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
    }

    /// The number of values of tests by value that have no child.
    pub fn empty_branches(&self) -> usize {
        let empty = |node: &Node| match node {
            Node::ByValue { attribute, children } => {
                let Column { low, high, .. } = self.head.attributes[*attribute];
                usize::from(high - low) + 1 - children.len()
            }
            _ => 0,
        };
        self.nodes.iter().map(empty).sum()
    }

    /// The number of tests on the longest path.
    pub fn depth(&self) -> usize {
        let mut depths = vec![0; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for child in node.children() {
                depths[child as usize] = depths[number] + 1;
            }
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// The names of the attributes that no test uses.
    pub fn unused_attributes(&self) -> Vec<&str> {
        let mut used = vec![false; self.head.attributes.len()];
        for attribute in self.nodes.iter().filter_map(Node::attribute) {
            used[attribute] = true;
        }
        let names = self.head.attributes.iter().map(|attribute| attribute.name.as_str());
        names.zip(used).filter(|(_, used)| !used).map(|(name, _)| name).collect()
    }

    /// The tree as JSON, one line per node. The same tree gives the same bytes.
    pub fn to_json(&self) -> String {
        #[derive(Serialize)]
        struct Head<'a> {
            format: u32,
            material: &'a str,
            attributes: &'a [Column],
            classes: &'a [String],
            learner: &'a str,
            parameters: &'a BTreeMap<String, String>,
            dataset_sha256: &'a str,
        }
        let TreeHead { origin, attributes, classes } = &self.head;
        let Origin { material, maker, parameters, dataset_sha256 } = origin;
        let format = ModelKind::Tree.format();
        let head = file::write(&Head {
            format,
            material,
            attributes,
            classes,
            learner: maker,
            parameters,
            dataset_sha256,
        });
        let head = head.strip_suffix("\n}\n").expect("a pretty object ends on a line of its own");
        let node = |node| serde_json::to_string(node).expect("numbers");
        let nodes = self.nodes.iter().map(node).collect::<Vec<_>>().join(",\n");
        format!("{head},\n  \"nodes\": [\n{nodes}\n  ]\n}}\n")
    }

    /// The SHA-256 of [`DecisionTree::to_json`], in hexadecimal, which identifies the tree in files
    /// made from it.
    pub fn sha256(&self) -> String {
        file::sha256(&self.to_json())
    }

    /// Parses a tree from JSON.
    ///
    /// # Errors
    /// If it is not JSON, has another kind or format, or is not a sound tree.
    pub fn from_json(json: &[u8]) -> Result<Self, ReadModelError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            #[serde(rename = "kind", default)]
            _kind: Option<ModelKind>,
            #[serde(rename = "format")]
            _format: u32,
            material: String,
            attributes: Vec<Column>,
            classes: Vec<String>,
            learner: String,
            parameters: BTreeMap<String, String>,
            dataset_sha256: String,
            nodes: Vec<RawNode>,
        }
        let Whole {
            material,
            attributes,
            classes,
            learner: maker,
            parameters,
            dataset_sha256,
            nodes,
            ..
        } = file::read(ModelKind::Tree, json)?;
        let origin = Origin { material, maker, parameters, dataset_sha256 };
        let head = TreeHead { origin, attributes, classes };
        let nodes = nodes.into_iter().enumerate().map(|(number, node)| node.check(number));
        let nodes: Result<_, TreeError> = nodes.collect();
        nodes.and_then(|nodes| Self::new(head, nodes)).map_err(unsound(ModelKind::Tree))
    }
}

/// A node as in a file, before it is known which keys belong together.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNode {
    class: Option<Class>,
    attribute: Option<usize>,
    at_most: Option<u8>,
    below: Option<NodeIndex>,
    above: Option<NodeIndex>,
    children: Option<Vec<(u8, NodeIndex)>>,
}

impl RawNode {
    fn check(self, node: usize) -> Result<Node, TreeError> {
        let Self { class, attribute, at_most, below, above, children } = self;
        match (class, attribute, (at_most, below, above), children) {
            (Some(class), None, (None, None, None), None) => Ok(Node::Leaf { class }),
            (None, Some(attribute), (Some(at_most), Some(below), Some(above)), None) => {
                Ok(Node::Threshold { attribute, at_most, below, above })
            }
            (None, Some(attribute), (None, None, None), Some(children)) => {
                Ok(Node::ByValue { attribute, children })
            }
            _ => Err(TreeError::Node {
                node,
                what: "it is neither a leaf (class), nor a threshold (attribute, at_most, below, above), nor a test by value (attribute, children)".into(),
            }),
        }
    }
}

fn check_head(head: &TreeHead) -> Result<(), TreeError> {
    let wrong = |what: String| Err(TreeError::Head(what));
    if head.classes.is_empty() || head.classes.len() > usize::from(Class::MAX) + 1 {
        return wrong(format!("{} classes, there are from 1 to 256", head.classes.len()));
    }
    for (i, class) in head.classes.iter().enumerate() {
        if class.is_empty() || class.chars().any(char::is_control) {
            return wrong(format!("{class:?} cannot be the name of a class: use letters"));
        }
        if head.classes[..i].contains(class) {
            return wrong(format!("the class {class} is there twice"));
        }
    }
    for (i, Column { name, low, high, .. }) in head.attributes.iter().enumerate() {
        if !is_identifier(name) {
            return wrong(format!(
                "\"{name}\" cannot be the name of an attribute: use letters, digits and _"
            ));
        }
        if low > high {
            return wrong(format!("{name} goes from {low} to {high}"));
        }
        if head.attributes[..i].iter().any(|other| other.name == *name) {
            return wrong(format!("{name} is there twice"));
        }
    }
    Ok(())
}

/// Words that Rust reserves in any edition. Source: The Rust Reference, "Keywords".
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "Self", "static", "struct", "super", "trait", "true", "try", "type",
    "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Returns true if a text is a Rust identifier of ASCII letters, digits and `_`.
pub fn is_identifier(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    let is_plain = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    begins && is_plain && text != "_" && !KEYWORDS.contains(&text)
}
