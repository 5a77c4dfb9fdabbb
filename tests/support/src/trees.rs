//! The checked-in trees, handmade ones and random ones, and a plain classification.

use crate::cases::repository;
use crate::tables::material;
use lucena_attributes::{Attribute, AttributeSet};
use lucena_files::{LoadError, WriteError, WriteOutcome, load, write_file};
use lucena_model::{Column, DecisionTree, Node, NodeIndex, Origin, ReadModelError, TreeHead};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

/// The path of the checked-in tree.
pub const CHECKED_IN: &str = "data/trees/KRvK.cart.json";

/// The checked-in tree.
pub static TREE: LazyLock<DecisionTree> =
    LazyLock::new(|| read(&repository(CHECKED_IN)).unwrap_or_else(|error| panic!("{error}")));

/// The exact tree of the player `exact`.
pub static EXACT: LazyLock<DecisionTree> = LazyLock::new(|| checked_in("KRvK.exact.json"));

/// Reads a tree from a file.
pub fn read(path: &Path) -> Result<DecisionTree, LoadError<ReadModelError>> {
    load(path, DecisionTree::from_json)
}

/// Writes a tree to a file.
pub fn save(tree: &DecisionTree, path: &Path) -> Result<WriteOutcome, WriteError> {
    write_file(path, tree.to_json().as_bytes())
}

/// A tree of data/trees.
pub fn checked_in(file: &str) -> DecisionTree {
    read(&repository("data/trees").join(file)).expect("a sound tree")
}

/// A handmade tree: tests of both kinds, of attributes that depend on the symmetry and of others; a
/// missing branch, and one that contradicts an earlier test.
pub fn theory() -> DecisionTree {
    let names = ["RHangs", "kEdgeSteps", "RkRanksAhead", "KFile", "RBoxSize", "kTurnedFile"];
    let set = AttributeSet::named(material("KRvK"), names).expect("known names");
    let head = TreeHead {
        origin: Origin::new("KRvK"),
        attributes: set.attributes().iter().map(Attribute::column).collect(),
        classes: ["draw", "grade 1", "grade 2", "grade 3"].map(String::from).into(),
    };
    let threshold =
        |attribute, at_most, below, above| Node::Threshold { attribute, at_most, below, above };
    let by_value = |attribute, children: &[(u8, u32)]| Node::ByValue {
        attribute,
        children: children.to_vec(),
    };
    let leaf = |class| Node::Leaf { class };
    let nodes = vec![
        threshold(0, 0, 1, 2),
        by_value(1, &[(0, 3), (1, 4), (2, 5)]),
        leaf(0),
        threshold(2, 6, 6, 7),
        threshold(4, 20, 8, 9),
        threshold(1, 1, 10, 11),
        leaf(1),
        threshold(2, 9, 12, 13),
        leaf(1),
        by_value(3, &[(1, 14), (2, 15), (4, 16)]),
        leaf(3),
        threshold(5, 2, 17, 18),
        leaf(2),
        leaf(3),
        leaf(2),
        leaf(2),
        leaf(1),
        leaf(3),
        leaf(2),
    ];
    DecisionTree::new(head, nodes).expect("a sound tree")
}

/// The shape of a random tree.
#[derive(Debug, Clone)]
pub enum Shape {
    Leaf(u8),
    Threshold(usize, u8, Box<[Shape; 2]>),
    ByValue(usize, BTreeMap<u8, Shape>),
}

pub fn shape() -> impl Strategy<Value = Shape> {
    let leaf = any::<u8>().prop_map(Shape::Leaf);
    leaf.prop_recursive(6, 200, 5, |inner| {
        prop_oneof![
            (any::<usize>(), any::<u8>(), inner.clone(), inner.clone()).prop_map(
                |(attribute, at, one, other)| {
                    Shape::Threshold(attribute, at, Box::new([one, other]))
                }
            ),
            (any::<usize>(), prop::collection::btree_map(any::<u8>(), inner, 1..5))
                .prop_map(|(attribute, children)| Shape::ByValue(attribute, children)),
        ]
    })
}

/// Fits a shape to attributes and classes, and appends its nodes in preorder.
pub fn add(
    shape: &Shape,
    attributes: &[Column],
    classes: usize,
    nodes: &mut Vec<Node>,
) -> NodeIndex {
    let own = nodes.len();
    let leaf = |class: u8| Node::Leaf { class: (usize::from(class) % classes) as u8 };
    nodes.push(leaf(0));
    let domain = |attribute: usize| {
        let attribute = attribute % attributes.len();
        (attribute, attributes[attribute].low, attributes[attribute].high)
    };
    nodes[own] = match shape {
        Shape::Leaf(class) => leaf(*class),
        Shape::Threshold(attribute, at, children) => {
            let (attribute, low, high) = domain(*attribute);
            if low == high {
                leaf(*at)
            } else {
                let [below, above] = children.as_ref();
                Node::Threshold {
                    attribute,
                    at_most: low + at % (high - low),
                    below: add(below, attributes, classes, nodes),
                    above: add(above, attributes, classes, nodes),
                }
            }
        }
        Shape::ByValue(attribute, children) => {
            let (attribute, low, high) = domain(*attribute);
            let span = u16::from(high - low) + 1;
            let fit = |value: u8| low + (u16::from(value) % span) as u8;
            let children: BTreeMap<u8, &Shape> =
                children.iter().map(|(&value, child)| (fit(value), child)).collect();
            let children = children
                .into_iter()
                .map(|(value, child)| (value, add(child, attributes, classes, nodes)))
                .collect();
            Node::ByValue { attribute, children }
        }
    };
    own as NodeIndex
}

/// Random valid trees.
pub fn trees() -> impl Strategy<Value = DecisionTree> {
    let domain = (any::<u8>(), any::<u8>()).prop_map(|(a, b)| (a.min(b), a.max(b)));
    let small = (0_u8..3, 0_u8..6).prop_map(|(low, more)| (low, low + more));
    let attributes = prop::collection::vec(prop_oneof![domain, small], 1..6);
    let classes = prop::collection::btree_set("[a-z \"\\\\é]{1,8}", 1..9);
    let texts = ("\\PC{0,20}", "\\PC{0,20}", "[\\n\\t\"/* a-z]{0,20}");
    (shape(), attributes, classes, texts).prop_map(|(shape, domains, classes, texts)| {
        let attributes: Vec<Column> = domains
            .into_iter()
            .enumerate()
            .map(|(at, (low, high))| Column::new(format!("x{at}"), low, high, &texts.2))
            .collect();
        let mut nodes = Vec::new();
        add(&shape, &attributes, classes.len(), &mut nodes);
        let origin = Origin {
            material: texts.0.clone(),
            maker: texts.1.clone(),
            parameters: BTreeMap::from([(texts.2, texts.1)]),
            dataset_sha256: texts.0,
        };
        let head = TreeHead { origin, attributes, classes: classes.into_iter().collect() };
        DecisionTree::new(head, nodes).expect("a sound tree")
    })
}

/// The class of a row, directly from the meaning of the nodes.
pub fn plain_class(tree: &DecisionTree, node: usize, row: &[u8]) -> Option<u8> {
    match &tree.nodes()[node] {
        Node::Leaf { class } => Some(*class),
        Node::Threshold { attribute, at_most, below, above } => {
            let goes_below = (0..=*at_most).any(|value| value == row[*attribute]);
            let child = if goes_below { below } else { above };
            plain_class(tree, *child as usize, row)
        }
        Node::ByValue { attribute, children } => {
            let mut own = children.iter().filter(|child| child.0 == row[*attribute]);
            own.next().and_then(|child| plain_class(tree, child.1 as usize, row))
        }
    }
}

pub fn small() -> DecisionTree {
    let head = TreeHead {
        origin: Origin {
            maker: "by hand".into(),
            parameters: BTreeMap::from([("care".into(), "much".into())]),
            dataset_sha256: "0".repeat(64),
            ..Origin::new("KRvK")
        },
        attributes: vec![
            Column::new("kOnEdge", 0, 1, "the weak king stands on the edge"),
            Column::new("KkDistanceFile", 0, 7, "ranks between the kings"),
        ],
        classes: vec!["draw".into(), "zero".into(), "one".into()],
    };
    let nodes = vec![
        Node::Threshold { attribute: 0, at_most: 0, below: 1, above: 2 },
        Node::Leaf { class: 0 },
        Node::ByValue { attribute: 1, children: vec![(2, 3), (5, 4)] },
        Node::Leaf { class: 1 },
        Node::Leaf { class: 2 },
    ];
    DecisionTree::new(head, nodes).expect("a sound tree")
}
