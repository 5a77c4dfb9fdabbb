//! The tree: what it is about, its nodes, its JSON.

use crate::name::is_identifier;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};

/// The number of a class in [`Head::classes`].
pub type Class = u8;

/// The number of a node in [`DecisionTree::nodes`]; the root is 0.
pub type NodeIndex = u32;

/// The version of the JSON format that [`DecisionTree::to_json`] writes and
/// [`DecisionTree::from_json`] reads.
pub const FORMAT: u32 = 2;

/// The most tests that a path of a tree may have. Learned trees stay far below; what walks down a
/// tree by calling itself can rely on it.
pub const MAX_DEPTH: usize = 256;

/// An attribute that a tree may test: an integer with a small domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Its name, a Rust identifier.
    pub name: String,
    /// The least value it can take.
    pub low: u8,
    /// The greatest value it can take.
    pub high: u8,
    /// What it says, in a sentence without a full stop.
    pub meaning: String,
}

impl Column {
    /// An attribute with its domain, both ends included.
    pub fn new(name: impl Into<String>, low: u8, high: u8, meaning: impl Into<String>) -> Self {
        Self { name: name.into(), low, high, meaning: meaning.into() }
    }

    /// Whether a text can be the name of an attribute: a Rust identifier of plain letters, digits
    /// and `_`.
    pub fn is_name(text: &str) -> bool {
        is_identifier(text)
    }
}

/// A node of a tree: an answer, or a question with the nodes to go on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Node {
    /// The answer.
    Leaf {
        /// The class.
        class: Class,
    },
    /// Is the attribute at most a threshold?
    Threshold {
        /// The number of the attribute.
        attribute: usize,
        /// The greatest value that goes to `below`.
        at_most: u8,
        /// The node for values up to the threshold.
        below: NodeIndex,
        /// The node for greater values.
        above: NodeIndex,
    },
    /// Which value has the attribute? A value without a child has no answer.
    ByValue {
        /// The number of the attribute.
        attribute: usize,
        /// Values, ascending, with the node for each.
        children: Vec<(u8, NodeIndex)>,
    },
}

impl Node {
    /// The nodes that follow, in the order of the values that lead there.
    pub fn children(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        let (two, many): ([Option<NodeIndex>; 2], &[(u8, NodeIndex)]) = match self {
            Self::Leaf { .. } => ([None; 2], &[]),
            Self::Threshold { below, above, .. } => ([Some(*below), Some(*above)], &[]),
            Self::ByValue { children, .. } => ([None; 2], children),
        };
        two.into_iter().flatten().chain(many.iter().map(|&(_, child)| child))
    }

    /// The attribute that is tested, if this is a test.
    pub fn attribute(&self) -> Option<usize> {
        match self {
            Self::Leaf { .. } => None,
            Self::Threshold { attribute, .. } | Self::ByValue { attribute, .. } => Some(*attribute),
        }
    }
}

/// All of a tree but its nodes: what it is about and where it comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The endgame, as `KRvK`.
    pub material: String,
    /// The attributes, in the order in which [`DecisionTree::classify`] takes their values.
    pub attributes: Vec<Column>,
    /// The names of the classes.
    pub classes: Vec<String>,
    /// The learner's name.
    pub learner: String,
    /// The learner's parameters, by name.
    pub parameters: BTreeMap<String, String>,
    /// The SHA-256 of the data it was learned from, as csv; empty where there was none.
    pub dataset_sha256: String,
}

/// A decision tree that can be relied on: every test is within its attribute's domain, every path
/// ends in a leaf, every node but the root has one parent, and stands after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionTree {
    head: Head,
    nodes: Vec<Node>,
}

/// Why nodes do not make a tree.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// A head that cannot be right.
    #[error("the head is wrong: {0}")]
    Head(String),
    /// A node that cannot be right.
    #[error("node {node} is wrong: {what}")]
    Node {
        /// Its number.
        node: usize,
        /// What is wrong with it.
        what: String,
    },
}

/// Why JSON does not give a tree.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseTreeError {
    /// It is no JSON, breaks off, or is JSON of something else.
    #[error("this is not a tree: {0}; restore it, or learn it again")]
    Json(#[from] serde_json::Error),
    /// It was written by another version.
    #[error(
        "this tree has format {found}, this program reads format {FORMAT}{}: learn it again, or distil it again if it is a theory",
        difference(*.found)
    )]
    Format {
        /// The format it says it has.
        found: u32,
    },
    /// It is JSON of the right shape, but no tree.
    #[error("this is not a sound tree: {0}; restore it, or learn it again")]
    Unsound(#[from] TreeError),
}

/// What another format means by the same names, if it means something else.
fn difference(format: u32) -> &'static str {
    match format {
        1 => {
            " (format 1 has other names for what a tree asks: in RBoxFile and the like File meant rank)"
        }
        _ => "",
    }
}

impl DecisionTree {
    /// Checks a head and nodes and makes a tree of them.
    ///
    /// # Errors
    /// The first thing that is wrong with them.
    pub fn new(head: Head, nodes: Vec<Node>) -> Result<Self, TreeError> {
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
                    // At the greatest value nothing would be left to go above.
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
                    return wrong(
                        number,
                        format!("{value} cannot divide {name}, from {low} to {high}"),
                    );
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

    /// What the tree is about and where it comes from.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The nodes; the root is the first, and children stand after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The class of a row of attribute values, or nothing where a test by value meets a value that
    /// it has no child for.
    ///
    /// # Panics
    /// When the row has fewer values than the tree has attributes.
    pub fn classify(&self, row: &[u8]) -> Option<Class> {
        let row = &row[..self.head.attributes.len()];
        self.classify_by(|attribute| row[attribute])
    }

    /// The class of a row of which only the values of some attributes are looked at: those that are
    /// asked about on its way down.
    ///
    /// ```
    /// use lucena_tree::{Column, DecisionTree, Head, Node};
    ///
    /// let attributes = vec![Column::new("x", 0, 9, ""), Column::new("y", 0, 9, "")];
    /// let classes = vec!["low".into(), "high".into()];
    /// let head = Head { attributes, classes, ..Head::default() };
    /// let test = Node::Threshold { attribute: 1, at_most: 4, below: 1, above: 2 };
    /// let nodes = vec![test, Node::Leaf { class: 0 }, Node::Leaf { class: 1 }];
    /// let tree = DecisionTree::new(head, nodes)?;
    /// let columns = [[0, 0, 0], [3, 4, 5]];
    /// let classes = [0, 1, 2].map(|row| tree.classify_by(|attribute| columns[attribute][row]));
    /// assert_eq!(classes, [Some(0), Some(0), Some(1)]);
    /// # Ok::<(), lucena_tree::TreeError>(())
    /// ```
    pub fn classify_by(&self, value: impl Fn(usize) -> u8) -> Option<Class> {
        let mut at = 0;
        loop {
            at = match &self.nodes[at as usize] {
                Node::Leaf { class } => return Some(*class),
                Node::Threshold { attribute, at_most, below, above } => {
                    if value(*attribute) <= *at_most { *below } else { *above }
                }
                Node::ByValue { attribute, children } => {
                    let value = value(*attribute);
                    children.iter().find(|child| child.0 == value)?.1
                }
            };
        }
    }

    /// How many nodes are tests.
    pub fn tests(&self) -> usize {
        self.nodes.len() - self.leaves()
    }

    /// How many nodes are leaves.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| matches!(node, Node::Leaf { .. })).count()
    }

    /// How many values of tested attributes have no child.
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

    /// The names of the attributes that no test asks about.
    pub fn unused_attributes(&self) -> Vec<&str> {
        let mut used = vec![false; self.head.attributes.len()];
        for attribute in self.nodes.iter().filter_map(Node::attribute) {
            used[attribute] = true;
        }
        let names = self.head.attributes.iter().map(|attribute| attribute.name.as_str());
        names.zip(used).filter(|(_, used)| !used).map(|(name, _)| name).collect()
    }

    /// The tree as JSON, a line for each node: the same tree gives the same bytes.
    pub fn to_json(&self) -> String {
        let mut json = Vec::with_capacity(64 * self.nodes.len());
        self.write_json(&mut json).expect("writing to memory does not fail");
        String::from_utf8(json).expect("JSON is text")
    }

    /// Writes the tree as JSON, as [`DecisionTree::to_json`] has it, without holding all of it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, mut writer: impl Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Whole<'a> {
            format: u32,
            #[serde(flatten)]
            head: &'a Head,
        }
        let whole = Whole { format: FORMAT, head: &self.head };
        let head = serde_json::to_string_pretty(&whole).expect("a head has only string keys");
        let head = head.strip_suffix("\n}").expect("a pretty object ends on a line of its own");
        write!(writer, "{head},\n  \"nodes\": [")?;
        for (number, node) in self.nodes.iter().enumerate() {
            writer.write_all(if number == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut writer, node)?;
        }
        writer.write_all(b"\n  ]\n}\n")?;
        writer.flush()
    }

    /// The SHA-256 of [`DecisionTree::to_json`], in hexadecimal: the tree's name in files made
    /// from it.
    pub fn sha256(&self) -> String {
        let mut hasher = Hasher(Sha256::new());
        self.write_json(BufWriter::new(&mut hasher)).expect("hashing does not fail");
        hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads a tree from JSON.
    ///
    /// # Errors
    /// When it is no JSON, of another format, or not a sound tree.
    pub fn from_json(json: &[u8]) -> Result<Self, ParseTreeError> {
        // The format is read by itself first, so that a later one is called by its name.
        #[derive(Deserialize)]
        struct Format {
            format: u32,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
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
        let Format { format } = serde_json::from_slice(json)?;
        if format != FORMAT {
            return Err(ParseTreeError::Format { found: format });
        }
        let whole: Whole = serde_json::from_slice(json)?;
        let head = Head {
            material: whole.material,
            attributes: whole.attributes,
            classes: whole.classes,
            learner: whole.learner,
            parameters: whole.parameters,
            dataset_sha256: whole.dataset_sha256,
        };
        let nodes = whole.nodes.into_iter().enumerate();
        let nodes =
            nodes.map(|(number, node)| node.check(number)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self::new(head, nodes)?)
    }
}

/// Takes what is written into a SHA-256.
struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A node as it stands in a file: any of the keys may be there.
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
        match self {
            Self { class: Some(class), attribute: None, at_most: None, below: None, above: None, children: None } => {
                Ok(Node::Leaf { class })
            }
            Self {
                class: None,
                attribute: Some(attribute),
                at_most: Some(at_most),
                below: Some(below),
                above: Some(above),
                children: None,
            } => Ok(Node::Threshold { attribute, at_most, below, above }),
            Self { class: None, attribute: Some(attribute), at_most: None, below: None, above: None, children: Some(children) } => {
                Ok(Node::ByValue { attribute, children })
            }
            _ => Err(TreeError::Node {
                node,
                what: "it is neither a leaf (class), nor a threshold (attribute, at_most, below, above), nor a test by value (attribute, children)".into(),
            }),
        }
    }
}

fn check_head(head: &Head) -> Result<(), TreeError> {
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
    for (i, attribute) in head.attributes.iter().enumerate() {
        let Column { name, low, high, .. } = attribute;
        if !Column::is_name(name) {
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
