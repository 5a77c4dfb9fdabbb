//! A tree as an ONNX model.

use super::node_counts::{Classes, by_node};
use lucena_model::{BinaryNode, DecisionTree};

/// The version of the file format: that of ONNX 1.10, which all current runtimes read.
const IR_VERSION: u64 = 8;
/// The versions of the two operator sets.
const OPERATORS: [(&str, u64); 2] = [("", 15), ("ai.onnx.ml", 3)];

/// A tree as a file with an ONNX model of one `TreeEnsembleClassifier`.
///
/// | | name | type |
/// |---|---|---|
/// | input | `input` | floats, rows by attributes, in the order of the tree |
/// | output | `label` | a string for each row: the name of its class |
/// | output | `probabilities` | floats, rows by classes: 1 for the class, 0 for the others |
///
/// Its metadata are `material`, `tree_sha256`, and `attributes` and `classes`, the last two as JSON
/// lists.
pub fn onnx(tree: &DecisionTree) -> Vec<u8> {
    let nodes = tree.to_binary();
    let classes = Classes::new(tree, &nodes);
    let head = tree.head();
    let names: Vec<&str> =
        head.attributes.iter().map(|attribute| attribute.name.as_str()).collect();
    let list = |names: &[&str]| serde_json::to_string(names).expect("a list of names");
    let class_names: Vec<&str> = classes.names.iter().map(String::as_str).collect();
    let metadata = [
        ("material", head.origin.material.clone()),
        ("tree_sha256", tree.sha256()),
        ("attributes", list(&names)),
        ("classes", list(&class_names)),
    ];
    let mut model = Message::default()
        .number(field::MODEL_IR_VERSION, IR_VERSION)
        .text(field::MODEL_PRODUCER, "lucena")
        .text(field::MODEL_PRODUCER_VERSION, env!("CARGO_PKG_VERSION"))
        .message(field::MODEL_GRAPH, &graph(head.attributes.len(), &nodes, &classes));
    for (domain, version) in OPERATORS {
        let operators = Message::default().text(1, domain).number(2, version);
        model = model.message(field::MODEL_OPERATORS, &operators);
    }
    for (key, value) in metadata {
        let entry = Message::default().text(1, key).text(2, &value);
        model = model.message(field::MODEL_METADATA, &entry);
    }
    model.0
}

/// The field numbers in `onnx.proto`.
mod field {
    pub(super) const MODEL_IR_VERSION: u64 = 1;
    pub(super) const MODEL_PRODUCER: u64 = 2;
    pub(super) const MODEL_PRODUCER_VERSION: u64 = 3;
    pub(super) const MODEL_GRAPH: u64 = 7;
    pub(super) const MODEL_OPERATORS: u64 = 8;
    pub(super) const MODEL_METADATA: u64 = 14;
    pub(super) const GRAPH_NODE: u64 = 1;
    pub(super) const GRAPH_NAME: u64 = 2;
    pub(super) const GRAPH_INPUT: u64 = 11;
    pub(super) const GRAPH_OUTPUT: u64 = 12;
    pub(super) const NODE_INPUT: u64 = 1;
    pub(super) const NODE_OUTPUT: u64 = 2;
    pub(super) const NODE_NAME: u64 = 3;
    pub(super) const NODE_OPERATOR: u64 = 4;
    pub(super) const NODE_ATTRIBUTE: u64 = 5;
    pub(super) const NODE_DOMAIN: u64 = 7;
    pub(super) const ATTRIBUTE_NAME: u64 = 1;
    pub(super) const ATTRIBUTE_TEXT: u64 = 4;
    pub(super) const ATTRIBUTE_FLOATS: u64 = 7;
    pub(super) const ATTRIBUTE_NUMBERS: u64 = 8;
    pub(super) const ATTRIBUTE_TEXTS: u64 = 9;
    pub(super) const ATTRIBUTE_TYPE: u64 = 20;
}

/// The types of attributes.
const TEXT: u64 = 3;
const FLOATS: u64 = 6;
const NUMBERS: u64 = 7;
const TEXTS: u64 = 8;

/// The element types of inputs and outputs.
const FLOAT_TENSOR: u64 = 1;
const TEXT_TENSOR: u64 = 8;

fn graph(columns: usize, nodes: &[BinaryNode], classes: &Classes) -> Message {
    let classified = Some(classes.names.len());
    Message::default()
        .message(field::GRAPH_NODE, &classifier(nodes, classes))
        .text(field::GRAPH_NAME, "tree")
        .message(field::GRAPH_INPUT, &tensor("input", FLOAT_TENSOR, Some(columns)))
        .message(field::GRAPH_OUTPUT, &tensor("label", TEXT_TENSOR, None))
        .message(field::GRAPH_OUTPUT, &tensor("probabilities", FLOAT_TENSOR, classified))
}

/// The name, type and shape of a tensor: rows, of a number of columns if there is one.
fn tensor(name: &str, kind: u64, columns: Option<usize>) -> Message {
    let rows = Message::default().text(2, "rows");
    let columns = columns.map(|columns| Message::default().number(1, columns as u64));
    let sides = [rows].into_iter().chain(columns);
    let shape = sides.fold(Message::default(), |shape, side| shape.message(1, &side));
    let tensor = Message::default().number(1, kind).message(2, &shape);
    Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
}

/// The operator with the whole tree as its attributes.
fn classifier(nodes: &[BinaryNode], classes: &Classes) -> Message {
    let votes = votes(nodes, classes);
    let node = Message::default()
        .text(field::NODE_INPUT, "input")
        .text(field::NODE_OUTPUT, "label")
        .text(field::NODE_OUTPUT, "probabilities")
        .text(field::NODE_NAME, "tree")
        .text(field::NODE_OPERATOR, "TreeEnsembleClassifier");
    let class_names = classes.names.iter().map(String::as_str);
    let attributes = [
        integers("class_ids", votes.iter().map(|vote| vote.class)),
        integers("class_nodeids", votes.iter().map(|vote| vote.node)),
        integers("class_treeids", votes.iter().map(|_| 0)),
        floats("class_weights", votes.iter().map(|vote| vote.weight)),
        texts("classlabels_strings", class_names),
        integers("nodes_falsenodeids", by_node(nodes, 0, |_, _, _, above| above)),
        integers("nodes_featureids", by_node(nodes, 0, |attribute, _, _, _| attribute)),
        texts("nodes_modes", by_node(nodes, "LEAF", |_, _, _, _| "BRANCH_LEQ")),
        integers("nodes_nodeids", 0..nodes.len()),
        integers("nodes_treeids", nodes.iter().map(|_| 0)),
        integers("nodes_truenodeids", by_node(nodes, 0, |_, _, below, _| below)),
        floats("nodes_values", by_node(nodes, 0.0, |_, at_most, _, _| f32::from(at_most) + 0.5)),
        attribute("post_transform", TEXT).text(field::ATTRIBUTE_TEXT, "NONE"),
    ];
    let node = attributes
        .iter()
        .fold(node, |node, attribute| node.message(field::NODE_ATTRIBUTE, attribute));
    node.text(field::NODE_DOMAIN, "ai.onnx.ml")
}

/// The weight of a class at a leaf.
struct Vote {
    node: usize,
    class: usize,
    weight: f32,
}

/// Each leaf's vote for its class. Every class gets a vote somewhere, if need be with weight 0: if
/// only one of two classes has votes, runtimes read them as votes for the second.
fn votes(nodes: &[BinaryNode], classes: &Classes) -> Vec<Vote> {
    let leaf = |(node, one): (usize, &BinaryNode)| match one {
        BinaryNode::Leaf { class } => {
            Some(Vote { node, class: classes.number(*class), weight: 1.0 })
        }
        BinaryNode::Test { .. } => None,
    };
    let mut votes: Vec<Vote> = nodes.iter().enumerate().filter_map(leaf).collect();
    let node = votes[0].node;
    for class in 0..classes.names.len() {
        if votes.iter().all(|vote| vote.class != class) {
            votes.push(Vote { node, class, weight: 0.0 });
        }
    }
    votes
}

fn attribute(name: &str, kind: u64) -> Message {
    Message::default().text(field::ATTRIBUTE_NAME, name).number(field::ATTRIBUTE_TYPE, kind)
}

fn integers(name: &str, values: impl IntoIterator<Item = usize>) -> Message {
    let add = |message: Message, value| message.number(field::ATTRIBUTE_NUMBERS, value as u64);
    values.into_iter().fold(attribute(name, NUMBERS), add)
}

fn floats(name: &str, values: impl IntoIterator<Item = f32>) -> Message {
    let add = |message: Message, value| message.float(field::ATTRIBUTE_FLOATS, value);
    values.into_iter().fold(attribute(name, FLOATS), add)
}

fn texts<'a>(name: &str, values: impl IntoIterator<Item = &'a str>) -> Message {
    let add = |message: Message, value| message.text(field::ATTRIBUTE_TEXTS, value);
    values.into_iter().fold(attribute(name, TEXTS), add)
}

/// Wire types.
const VARINT: u64 = 0;
const LENGTH: u64 = 2;
const FOUR_BYTES: u64 = 5;

/// A message being written.
#[derive(Debug, Default)]
struct Message(Vec<u8>);

impl Message {
    /// Adds a non-negative integer.
    fn number(mut self, field: u64, value: u64) -> Self {
        self.key(field, VARINT);
        self.varint(value);
        self
    }

    /// Adds a 32-bit float.
    fn float(mut self, field: u64, value: f32) -> Self {
        self.key(field, FOUR_BYTES);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds a string.
    fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    /// Adds a nested message.
    fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.key(field, LENGTH);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn key(&mut self, field: u64, kind: u64) {
        self.varint(field << 3 | kind);
    }

    /// Seven bits a byte, lowest first; the eighth bit is set if more bytes follow.
    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}
