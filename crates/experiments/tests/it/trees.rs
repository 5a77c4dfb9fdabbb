//! Trees: JSON round trips, damage of every kind, and classification compared with a plain implementation.

use lucena_dataset::sha256;
use lucena_files::{LoadError, WriteOutcome};
use lucena_learn::{CartParams, Learner};
use lucena_model::{
    BinaryNode, Column, DecisionTree, ModelKind, Node, PathEnd, ReadModelError, Rule, TreeError,
    TreeHead,
};
use lucena_roster::BuiltIn;
use lucena_test_support::cases::{cases, random, repository};
use lucena_test_support::tables::{KRVK, KRVK_ROWS};
use lucena_test_support::trees::{CHECKED_IN, TREE, plain_class, read, save, small, trees};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The kind of a refusal.
fn refusal(json: &[u8]) -> &'static str {
    match DecisionTree::from_json(json).expect_err("a damaged tree") {
        ReadModelError::Json { .. } => "json",
        ReadModelError::Format { .. } => "format",
        ReadModelError::Unsound { .. } => "unsound",
        ReadModelError::Kind { .. } => "kind",
        other => panic!("{other}"),
    }
}

proptest! {
    #![proptest_config(random(300))]

    #[test]
    fn json_round_trip(tree in trees()) {
        let json = tree.to_json();
        let read = DecisionTree::from_json(json.as_bytes()).unwrap();
        prop_assert_eq!(&read, &tree);
        prop_assert_eq!(read.to_json(), json.clone());
        prop_assert_eq!(tree.sha256(), sha256(json.as_bytes()));
        // It is valid JSON, whatever its strings.
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(value["nodes"].as_array().map(Vec::len), Some(tree.nodes().len()));
        prop_assert_eq!(&value["material"], &tree.origin().material);
        prop_assert_eq!(&value["format"], 2);
    }

    #[test]
    fn trees_classify_as_their_nodes_say(tree in trees(), row in prop::collection::vec(any::<u8>(), 6)) {
        prop_assert_eq!(tree.classify(&row), plain_class(&tree, 0, &row));
    }

    /// Also if a test by value has no child, and for values outside the domains.
    #[test]
    fn thresholds_alone_say_what_the_tree_says(tree in trees(), row in prop::collection::vec(any::<u8>(), 6)) {
        let nodes = tree.to_binary();
        let mut at = 0;
        let found = loop {
            match nodes[at] {
                BinaryNode::Leaf { class } => break class,
                BinaryNode::Test { attribute, at_most, below, above } => {
                    at = if row[attribute] <= at_most { below } else { above };
                }
            }
        };
        prop_assert_eq!(found, plain_class(&tree, 0, &row));
        for (place, node) in nodes.iter().enumerate() {
            if let BinaryNode::Test { below, above, .. } = *node {
                prop_assert!(below == place + 1 && above > below && above < nodes.len());
            }
        }
    }

    /// A path is true of its row, test by test, and of all rules only that of its leaf is.
    #[test]
    fn paths_and_rules_say_what_the_tree_says(tree in trees(), row in prop::collection::vec(any::<u8>(), 6)) {
        let path = tree.path(&row);
        let class = plain_class(&tree, 0, &row);
        prop_assert!(path.tests.iter().all(|(_, condition)| condition.holds(&row)));
        prop_assert!(path.conditions().iter().all(|condition| condition.holds(&row)));
        let attributes: Vec<usize> = path.conditions().iter().map(|asked| asked.attribute).collect();
        let mut asked: Vec<usize> = Vec::new();
        for (node, _) in &path.tests {
            let attribute = tree.nodes()[*node as usize].attribute().expect("a test");
            if !asked.contains(&attribute) {
                asked.push(attribute);
            }
        }
        prop_assert_eq!(attributes, asked);
        match path.end {
            PathEnd::Leaf { node, class: end } => {
                prop_assert_eq!(Some(end), class);
                prop_assert_eq!(&tree.nodes()[node as usize], &Node::Leaf { class: end });
            }
            PathEnd::NoBranch { node, attribute } => {
                prop_assert_eq!(class, None);
                prop_assert_eq!(tree.nodes()[node as usize].attribute(), Some(attribute));
            }
        }
        let rules: Vec<Rule> = tree.rules().into_iter().filter(|rule| rule.holds(&row)).collect();
        prop_assert_eq!(rules.len(), usize::from(class.is_some()));
        prop_assert_eq!(rules.first().map(|rule| rule.class), class);
        if let Some(rule) = rules.first() {
            prop_assert_eq!(&rule.conditions, &path.conditions());
        }
    }

    #[test]
    fn counts_are_what_is_there(tree in trees()) {
        fn depth(tree: &DecisionTree, node: usize) -> usize {
            let children = tree.nodes()[node].children();
            children.map(|child| 1 + depth(tree, child as usize)).max().unwrap_or(0)
        }
        prop_assert_eq!(tree.depth(), depth(&tree, 0));
        prop_assert_eq!(tree.tests() + tree.leaves(), tree.nodes().len());
        let is_leaf = |node: &&Node| node.children().next().is_none();
        prop_assert_eq!(tree.leaves(), tree.nodes().iter().filter(is_leaf).count());
        let attributes = &tree.head().attributes;
        let mut empty = 0;
        for node in tree.nodes() {
            if let Node::ByValue { attribute, children } = node {
                let Column { low, high, .. } = attributes[*attribute];
                let absent = |value: &u8| children.iter().all(|child| child.0 != *value);
                empty += (low..=high).filter(absent).count();
            }
        }
        prop_assert_eq!(tree.empty_branches(), empty);
        let unused: Vec<&str> = (0..attributes.len())
            .filter(|&at| tree.nodes().iter().all(|node| node.attribute() != Some(at)))
            .map(|at| attributes[at].name.as_str())
            .collect();
        prop_assert_eq!(tree.unused_attributes(), unused);
    }

    /// A tree that is cut short is refused; a tree with one byte changed is refused or another valid
    /// tree.
    #[test]
    fn damage_is_refused_or_harmless(tree in trees(), at: prop::sample::Index, byte: u8) {
        let json = tree.to_json().into_bytes();
        let at = at.index(json.len() - 1);
        let kind = refusal(&json[..at]);
        // Without its last line end it is complete.
        prop_assert!(kind == "json");
        let mut changed = json;
        changed[at] = byte;
        if let Ok(other) = DecisionTree::from_json(&changed) {
            prop_assert_eq!(DecisionTree::from_json(other.to_json().as_bytes()).unwrap(), other);
        }
    }

    #[test]
    fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        // They may look like a file of another kind.
        prop_assert!(["json", "kind"].contains(&refusal(&bytes)));
    }
}

#[test]
fn a_tree_cut_short_anywhere_is_refused() {
    let json = small().to_json();
    for at in 0..json.len() - 1 {
        assert_eq!(refusal(&json.as_bytes()[..at]), "json", "{at} bytes");
    }
    assert_eq!(DecisionTree::from_json(json.trim_end().as_bytes()).unwrap(), small());
}

#[test]
fn the_checked_in_tree_cut_short_is_refused() {
    let json = std::fs::read(repository(CHECKED_IN)).unwrap();
    assert!(DecisionTree::from_json(&json).is_ok());
    for at in (0..json.len()).step_by(json.len() / 25) {
        assert_eq!(refusal(&json[..at]), "json", "{at} bytes");
    }
}

#[test]
fn every_changed_byte_is_refused_or_harmless() {
    let json = small().to_json();
    let mut refused = 0;
    for at in 0..json.len() {
        for bit in 0..8 {
            let mut changed = json.clone().into_bytes();
            changed[at] ^= 1 << bit;
            match DecisionTree::from_json(&changed) {
                Ok(tree) => {
                    assert_eq!(DecisionTree::from_json(tree.to_json().as_bytes()).unwrap(), tree);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > json.len(), "{refused}");
}

#[test]
fn damage_is_called_by_its_name() {
    let json = small().to_json();
    let mut wrong = Vec::new();
    for [from, to, kind, words] in cases("damaged_trees.csv") {
        assert!(json.contains(&from), "{from} is there");
        let damaged = json.replacen(&from, &to, 1);
        let message = match DecisionTree::from_json(damaged.as_bytes()) {
            Ok(_) => "it is loaded".into(),
            Err(error) => error.to_string(),
        };
        let is_refused = message.contains(&words) && message.contains("learn it again");
        if !is_refused || refusal(damaged.as_bytes()) != kind {
            wrong.push(format!("{from} -> {to}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn foreign_files_are_refused() {
    for foreign in ["", "{}", "[]", "null", "1", "\"tree\"", "{\"format\":\"1\"}"] {
        assert_eq!(refusal(foreign.as_bytes()), "json", "{foreign}");
    }
    assert_eq!(refusal(b"{\"format\": 1, \"anything\": []}"), "format");
    assert_eq!(refusal(b"a,1,b,3,c,2,draw\n"), "kind");
    assert_eq!(refusal(&KRVK.to_bytes().unwrap()), "kind");
    // Deep enough to overflow the stack of a recursive parser.
    assert_eq!(refusal("[".repeat(1_000_000).as_bytes()), "json");
    assert_eq!(refusal("{\"format\":".repeat(500_000).as_bytes()), "json");
}

/// The built-in trees are those of the folder.
#[test]
fn the_program_carries_every_tree_that_is_checked_in() {
    let entries = std::fs::read_dir(repository("data/trees")).expect("a folder");
    let files: BTreeSet<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let carried =
        BuiltIn::all(ModelKind::Tree).map(|tree| format!("{}.{}.json", tree.material, tree.name));
    assert_eq!(carried.collect::<BTreeSet<_>>(), files);
}

#[test]
fn unreadable_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_path_buf(), folder.path().join("missing.json")] {
        let error = read(&path).unwrap_err();
        assert!(matches!(error, LoadError::Read { .. }), "{error}");
        assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    }
}

#[test]
fn a_saved_tree_is_loaded_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.json");
    assert_eq!(save(&small(), &path).unwrap(), WriteOutcome::Changed);
    assert_eq!(save(&small(), &path).unwrap(), WriteOutcome::Unchanged);
    assert_eq!(read(&path).unwrap(), small());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), small().to_json());
}

#[test]
fn nodes_that_make_no_tree_are_refused() {
    let leaf = || Node::Leaf { class: 0 };
    let test = |below, above| Node::Threshold { attribute: 0, at_most: 0, below, above };
    let by_value =
        |children: &[(u8, u32)]| Node::ByValue { attribute: 1, children: children.to_vec() };
    let head = small().head().clone();
    for (nodes, node, words) in [
        (vec![test(0, 1), leaf()], 0, "does not stand after it"),
        (vec![test(1, 1), leaf()], 0, "another parent"),
        (vec![test(1, 2), test(0, 2), leaf()], 1, "does not stand after it"),
        (vec![test(1, 2), leaf()], 0, "no node 2"),
        (vec![test(1, u32::MAX), leaf()], 0, "no node 4294967295"),
        (vec![leaf(), leaf()], 1, "no test leads to it"),
        (vec![by_value(&[])], 0, "no children"),
        (vec![by_value(&[(3, 1), (2, 2)]), leaf(), leaf()], 0, "ascend"),
        (vec![by_value(&[(3, 1), (3, 2)]), leaf(), leaf()], 0, "ascend"),
        (vec![by_value(&[(8, 1)]), leaf()], 0, "8 cannot divide KkDistanceFile"),
        (vec![Node::Leaf { class: 3 }], 0, "no class 3"),
        (
            vec![Node::Threshold { attribute: 2, at_most: 0, below: 1, above: 2 }, leaf(), leaf()],
            0,
            "no attribute 2",
        ),
        (
            vec![Node::Threshold { attribute: 0, at_most: 1, below: 1, above: 2 }, leaf(), leaf()],
            0,
            "1 cannot divide kOnEdge",
        ),
    ] {
        let Err(TreeError::Node { node: found, what }) = DecisionTree::new(head.clone(), nodes)
        else {
            panic!("{words}")
        };
        assert_eq!(found, node, "{words}: {what}");
        assert!(what.contains(words), "{words}: {what}");
    }
}

#[test]
fn heads_that_cannot_be_right_are_refused() {
    let refused = |change: &dyn Fn(&mut TreeHead)| {
        let mut head = small().head().clone();
        change(&mut head);
        match DecisionTree::new(head, small().nodes().to_vec()) {
            Err(TreeError::Head(what)) => what,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(&|head| head.classes.clear()).contains("0 classes"));
    assert!(refused(&|head| head.classes = vec!["x".into(); 257]).contains("257 classes"));
    assert!(refused(&|head| head.classes[0].clear()).contains("name of a class"));
    assert!(refused(&|head| head.classes[0] = "a\nb".into()).contains("name of a class"));
    assert!(refused(&|head| head.classes[0] = "one".into()).contains("twice"));
    assert!(refused(&|head| head.attributes[0].low = 2).contains("from 2 to 1"));
    assert!(refused(&|head| head.attributes[1].name = "kOnEdge".into()).contains("twice"));
    for name in
        ["", "1st", "a b", "a-b", "fn", "Self", "_", "a::b", "a\nb", " a", "a ", "r#fn", "a/**/"]
    {
        let what = refused(&|head| head.attributes[0].name = name.into());
        assert!(what.contains("name"), "{name:?}: {what}");
    }
    let nodes = Vec::new();
    let empty = DecisionTree::new(small().head().clone(), nodes);
    assert!(matches!(empty, Err(TreeError::Head(_))), "{empty:?}");
}

#[test]
fn learning_again_gives_the_checked_in_tree() {
    let cart = CartParams::default().check().unwrap();
    let learned = cart.learn(&KRVK_ROWS).unwrap();
    let checked_in = std::fs::read_to_string(repository(CHECKED_IN)).unwrap();
    assert!(learned.to_json() == checked_in, "run \"cargo run --release -- mine\"");
    assert_eq!(TREE.nodes(), learned.nodes());
}

#[test]
fn the_checked_in_tree_is_right_on_every_representative() {
    let mut row = [0; 24];
    for at in 0..KRVK_ROWS.rows() {
        KRVK_ROWS.row(at, &mut row);
        assert_eq!(TREE.classify(&row), Some(KRVK_ROWS.targets()[at]), "row {at}");
    }
}
