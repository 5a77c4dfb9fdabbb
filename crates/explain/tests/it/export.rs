//! Trees in the formats of other tools, read back by plain readers written here, which must answer every
//! row as the tree does. `tests/tools/exports.py` reads them with the tools themselves.

use lucena_explain::export::{Arrays, NO_ANSWER, Samples, dot, onnx, svg, text};
use lucena_learn::{Id3Params, Learner, Limits};
use lucena_model::DecisionTree;
use lucena_model::{Column, Node, Origin, TreeHead};
use lucena_test_support::cases::random;
use lucena_test_support::tables::KRVK_ROWS;
use lucena_test_support::trees::{EXACT, TREE, plain_class, trees};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// The name of the tree's answer, taken directly from its nodes.
fn expected(tree: &DecisionTree, row: &[u8]) -> String {
    match plain_class(tree, 0, row) {
        Some(class) => tree.head().classes[usize::from(class)].clone(),
        None => {
            let classes = &tree.head().classes;
            let names = (0..).map(|more| format!("{NO_ANSWER}{}", "*".repeat(more)));
            names.into_iter().find(|name| !classes.contains(name)).expect("one is free")
        }
    }
}

/// A field of a Protocol Buffers message, in order.
#[derive(Debug, Clone)]
enum Field {
    Number(u64),
    Bytes(Vec<u8>),
    Float(f32),
}

fn varint(bytes: &[u8], at: &mut usize) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes[*at];
        *at += 1;
        value += u64::from(byte % 128) << shift;
        if byte < 128 {
            return value;
        }
    }
    panic!("a number of more than ten bytes");
}

fn message(bytes: &[u8]) -> Vec<(u64, Field)> {
    let (mut fields, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let key = varint(bytes, &mut at);
        let field = match key % 8 {
            0 => Field::Number(varint(bytes, &mut at)),
            2 => {
                let length = varint(bytes, &mut at) as usize;
                at += length;
                Field::Bytes(bytes[at - length..at].to_vec())
            }
            5 => {
                at += 4;
                Field::Float(f32::from_le_bytes(bytes[at - 4..at].try_into().unwrap()))
            }
            kind => panic!("field {} has kind {kind}", key / 8),
        };
        fields.push((key / 8, field));
    }
    fields
}

fn all(fields: &[(u64, Field)], number: u64) -> impl Iterator<Item = &Field> {
    fields.iter().filter(move |field| field.0 == number).map(|field| &field.1)
}

fn bytes(field: &Field) -> &[u8] {
    let Field::Bytes(bytes) = field else { panic!("{field:?} is no text") };
    bytes
}

fn words(field: &Field) -> String {
    String::from_utf8(bytes(field).to_vec()).expect("text")
}

fn inner(fields: &[(u64, Field)], number: u64) -> Vec<(u64, Field)> {
    message(bytes(all(fields, number).next().expect("it is there")))
}

/// The only operator of a model: its attributes by name.
struct Ensemble(BTreeMap<String, Vec<(u64, Field)>>);

impl Ensemble {
    fn read(model: &[u8]) -> Self {
        let node = inner(&inner(&message(model), 7), 1);
        assert_eq!(words(all(&node, 4).next().unwrap()), "TreeEnsembleClassifier");
        assert_eq!(words(all(&node, 7).next().unwrap()), "ai.onnx.ml");
        let attribute = |field: &Field| {
            let fields = message(bytes(field));
            let name = words(all(&fields, 1).next().expect("a name"));
            (name, fields)
        };
        Self(all(&node, 5).map(attribute).collect())
    }

    fn numbers(&self, name: &str) -> Vec<usize> {
        let number = |field: &Field| match field {
            Field::Number(number) => *number as usize,
            other => panic!("{name}: {other:?}"),
        };
        all(&self.0[name], 8).map(number).collect()
    }

    fn floats(&self, name: &str) -> Vec<f32> {
        let float = |field: &Field| match field {
            Field::Float(float) => *float,
            other => panic!("{name}: {other:?}"),
        };
        all(&self.0[name], 7).map(float).collect()
    }

    fn texts(&self, name: &str) -> Vec<String> {
        all(&self.0[name], 9).map(words).collect()
    }

    /// The label of a row: the class with the most weight at its leaf, the first among equals.
    fn label(&self, row: &[u8]) -> String {
        let (modes, values) = (self.texts("nodes_modes"), self.floats("nodes_values"));
        let [features, yes, no] = ["nodes_featureids", "nodes_truenodeids", "nodes_falsenodeids"]
            .map(|name| self.numbers(name));
        let mut at = 0;
        while modes[at] == "BRANCH_LEQ" {
            at = if f32::from(row[features[at]]) <= values[at] { yes[at] } else { no[at] };
        }
        assert_eq!(modes[at], "LEAF");
        let labels = self.texts("classlabels_strings");
        let mut weights = vec![0.0; labels.len()];
        let votes = self.numbers("class_nodeids").into_iter().zip(self.numbers("class_ids"));
        for ((node, class), weight) in votes.zip(self.floats("class_weights")) {
            if node == at {
                weights[class] += weight;
            }
        }
        let best = (0..labels.len()).rev().max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
        labels[best.expect("a class")].clone()
    }
}

/// The class that scikit-learn's arrays give to a row.
fn predicted(arrays: &Value, row: &[u8]) -> String {
    let number = |name: &str, node: usize| arrays[name][node].as_i64().expect("a number");
    let mut node = 0;
    while number("children_left", node) != -1 {
        let value = f64::from(row[number("feature", node) as usize]);
        let goes_left = value <= arrays["threshold"][node].as_f64().expect("a number");
        node = number(if goes_left { "children_left" } else { "children_right" }, node) as usize;
    }
    assert_eq!((number("feature", node), number("children_right", node)), (-2, -1));
    let shares = arrays["value"][node][0].as_array().expect("shares");
    let shares: Vec<f64> = shares.iter().map(|share| share.as_f64().expect("a number")).collect();
    assert_eq!(shares.iter().sum::<f64>(), 1.0);
    let best = shares.iter().position(|&share| share == 1.0).expect("a leaf is of one class");
    arrays["classes"][best].as_str().expect("a name").into()
}

/// A digraph: the labels of the nodes, and of the edges with their targets.
#[derive(Default)]
struct Graph {
    labels: BTreeMap<u32, String>,
    edges: BTreeMap<u32, Vec<(String, u32)>>,
}

/// The text between the quotes of a label.
fn label(line: &str) -> String {
    let (_, rest) = line.split_once("[label=\"").expect("a label");
    let mut letters = rest.chars();
    let mut label = String::new();
    loop {
        match letters.next().expect("a quote ends it") {
            '"' => return label,
            '\\' => label.push(letters.next().expect("an escape")),
            letter => label.push(letter),
        }
    }
}

impl Graph {
    fn read(dot: &str) -> Self {
        let mut graph = Self::default();
        assert!(dot.starts_with("digraph tree {\n") && dot.ends_with("}\n"));
        for line in
            dot.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()))
        {
            let (place, _) = line.split_once(" [").expect("a label follows");
            match place.split_once(" -> ") {
                Some((from, to)) => {
                    let edge = (label(line), to.trim().parse().unwrap());
                    graph.edges.entry(from.trim().parse().unwrap()).or_default().push(edge);
                }
                None => {
                    let known = graph.labels.insert(place.trim().parse().unwrap(), label(line));
                    assert_eq!(known, None, "{line}");
                }
            }
        }
        graph
    }

    /// The label of the leaf that a row reaches.
    fn answer(&self, tree: &DecisionTree, row: &[u8]) -> Option<&str> {
        let mut node = 0;
        while let Some(edges) = self.edges.get(&node) {
            let attribute =
                tree.head().attributes.iter().position(|one| one.name == self.labels[&node]);
            let value = row[attribute.expect("a name of an attribute")];
            let holds = |(words, _): &&(String, u32)| {
                let (sign, number) = words.split_once(' ').expect("a sign and a number");
                let number: u8 = number.parse().expect("a number");
                match sign {
                    "<=" => value <= number,
                    ">" => value > number,
                    "=" => value == number,
                    other => panic!("{other}"),
                }
            };
            node = edges.iter().find(holds)?.1;
        }
        Some(&self.labels[&node])
    }
}

fn check(tree: &DecisionTree, rows: &[Vec<u8>]) {
    let model = Ensemble::read(&onnx(tree));
    let arrays: Value = serde_json::from_str(&Arrays::new(tree).to_json()).unwrap();
    let graph = Graph::read(&dot(tree, None));
    assert_eq!(graph.labels.len(), tree.nodes().len());
    for row in rows {
        let name = expected(tree, row);
        assert_eq!(model.label(row), name, "{row:?}");
        assert_eq!(predicted(&arrays, row), name, "{row:?}");
        let leaf =
            plain_class(tree, 0, row).map(|class| tree.head().classes[usize::from(class)].as_str());
        assert_eq!(graph.answer(tree, row), leaf, "{row:?}");
    }
}

proptest! {
    #![proptest_config(random(100))]

    #[test]
    fn what_is_written_answers_as_the_tree(tree in trees(), row in prop::collection::vec(any::<u8>(), 6)) {
        check(&tree, &[row]);
    }
}

fn some_rows(step: usize) -> Vec<Vec<u8>> {
    let mut row = vec![0; 24];
    let of = |at| {
        KRVK_ROWS.row(at, &mut row);
        row.clone()
    };
    (0..KRVK_ROWS.rows()).step_by(step).map(of).collect()
}

#[test]
fn trees_of_krvk_are_written_as_they_are() {
    check(&TREE, &some_rows(997));
    let limits = Limits { max_depth: Some(3), min_rows: 2, max_leaves: None };
    let id3 = Id3Params::default().limits(limits).check().unwrap().learn(&KRVK_ROWS).unwrap();
    check(&id3, &some_rows(97));
    // An unseen value has no answer, which is a separate class.
    let names = Arrays::new(&id3).classes;
    assert_eq!(names.last().map(String::as_str), Some(NO_ANSWER));
    assert_eq!(names[..names.len() - 1], id3.head().classes);
    assert_eq!(Arrays::new(&TREE).classes, TREE.head().classes);
}

#[test]
fn arrays_count_the_positions_of_the_endgame() {
    let arrays = Arrays::new(&TREE);
    assert_eq!(arrays.samples, Samples::Positions);
    assert_eq!((arrays.n_node_samples[0], arrays.n_leaves), (28_056, 5_168));
    // The tree is exact: its shares are those of the published classes.
    let mut counts = vec![0.0; arrays.n_classes];
    KRVK_ROWS.targets().iter().for_each(|&class| counts[usize::from(class)] += 1.0);
    for (share, count) in arrays.value[0][0].iter().zip(counts) {
        assert!((share - count / 28_056.0).abs() < 1e-12, "{share} {count}");
    }
    for (node, &left) in arrays.children_left.iter().enumerate().filter(|(_, left)| **left >= 0) {
        let right = arrays.children_right[node];
        assert_eq!(left, node as i64 + 1, "preorder");
        let below = arrays.n_node_samples[left as usize] + arrays.n_node_samples[right as usize];
        assert_eq!(arrays.n_node_samples[node], below);
    }
}

/// A tree whose names contain special characters of the formats.
fn odd() -> DecisionTree {
    let head = TreeHead {
        origin: Origin::new("no \"endgame\"\\\n"),
        attributes: vec![Column::new("x", 0, 3, "<&>\"\n]]>")],
        classes: ["a \"b\" \\", "<&>", "no answer"].map(String::from).into(),
    };
    let by_value = Node::ByValue { attribute: 0, children: vec![(0, 1), (2, 2), (3, 3)] };
    let leaves = (0..3).map(|class| Node::Leaf { class });
    DecisionTree::new(head, std::iter::once(by_value).chain(leaves).collect()).unwrap()
}

#[test]
fn odd_names_are_written_as_they_are() {
    let tree = odd();
    check(&tree, &(0..=4).map(|value| vec![value]).collect::<Vec<_>>());
    let arrays = Arrays::new(&tree);
    assert_eq!((arrays.samples, arrays.classes[3].as_str()), (Samples::Leaves, "no answer*"));
    let picture = svg(&tree, 4);
    assert!(picture.contains("a &quot;b&quot; \\") && picture.contains("&lt;&amp;&gt;"));
    assert!(!picture.contains("href"), "no boards without an endgame");
}

/// The layout of scikit-learn; `tests/tools/exports.py` compares trees of thousands of nodes with it.
#[test]
fn text_is_laid_out_as_export_text_does() {
    let expected = "\
|--- x <= 1.50
|   |--- x <= 0.50
|   |   |--- class: a \"b\" \\
|   |--- x >  0.50
|   |   |--- class: no answer*
|--- x >  1.50
|   |--- x <= 2.50
|   |   |--- class: <&>
|   |--- x >  2.50
|   |   |--- x <= 3.50
|   |   |   |--- class: no answer
|   |   |--- x >  3.50
|   |   |   |--- class: no answer*
";
    assert_eq!(text(&odd(), None), expected);
    let cut = "\
|--- x <= 1.50
|   |--- truncated branch of depth 2
|--- x >  1.50
|   |--- truncated branch of depth 3
";
    assert_eq!(text(&odd(), Some(1)), cut);
    assert_eq!(text(&odd(), Some(0)), "|--- truncated branch of depth 4\n");
}

#[test]
fn graphs_can_be_cut() {
    let graph = Graph::read(&dot(&TREE, Some(3)));
    assert!(graph.labels.len() <= 15 && graph.edges.values().all(|edges| edges.len() == 2));
    let leaves = |label: &String| {
        label.strip_suffix(" leaves").and_then(|count| count.parse::<usize>().ok())
    };
    let ends = graph.labels.iter().filter(|(node, _)| !graph.edges.contains_key(node));
    let counted: usize = ends.map(|(_, label)| leaves(label).unwrap_or(1)).sum();
    assert_eq!(counted, TREE.leaves());
}

/// The texts between each occurrence of a mark and the next `<`.
fn texts(svg: &str, mark: &str) -> Vec<String> {
    let after = svg.split(mark).skip(1).filter_map(|rest| rest.split_once('>'));
    after.map(|(_, rest)| rest.split('<').next().unwrap_or_default().to_owned()).collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn pictures_account_for_every_position_and_leaf() {
    for tree in [&*TREE, &*EXACT] {
        for depth in [0, 1, 2, 4] {
            let picture = svg(tree, depth);
            assert_eq!(picture, svg(tree, depth));
            crate::diagram::elements(&picture);
            let rows = picture.matches("href=\"#board\"").count();
            assert!(rows <= 1 << depth && rows > depth, "{rows} rows");
            assert_eq!(picture.matches("class=\"test\"").count(), rows - 1);
            // Three men on each board.
            assert_eq!(picture.matches("class=\"man ").count(), 3 * rows);
            let number = |text: &str, unit: &str| {
                let words: Vec<&str> = text.split([' ', ',']).collect();
                let joined = text.replace(',', "");
                let at = joined.split(' ').position(|word| word.starts_with(unit))?;
                assert!(!words.is_empty());
                joined.split(' ').nth(at - 1)?.parse::<usize>().ok()
            };
            let said: Vec<String> = texts(&picture, "class=\"class\"")
                .into_iter()
                .chain(texts(&picture, "class=\"small\""))
                .map(|line| line.replace("leaves, ", "leaves "))
                .collect();
            let positions = said.iter().filter_map(|line| number(line, "position")).sum::<usize>();
            assert_eq!(positions, 28_056, "{said:?}");
            let leaves = said.iter().filter_map(|line| number(line, "lea")).sum::<usize>();
            let drawn = picture.matches("class=\"leaf\"").count();
            assert_eq!(leaves + drawn, tree.leaves(), "{said:?}");
        }
    }
}
