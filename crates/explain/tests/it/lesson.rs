//! Lessons: the Markdown, read back by a simple parser, gives the tree's own answer in every
//! position, and the correct number of positions.

use lucena_attributes::{AttributeSet, Selection};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side, Square};
use lucena_dataset::Dataset;
use lucena_explain::lesson::{KnownOutcomes, Lesson, LessonRule, OutcomeLesson};
use lucena_learn::{CartParams, Id3Params, Learner, Limits};
use lucena_model::DecisionTree;
use lucena_model::{Column, Node, Origin, TreeHead};
use lucena_test_support::cases::random;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, material};
use lucena_test_support::trees::{TREE, theory};
use proptest::prelude::*;

/// A rule as read from the page.
struct ParsedRule {
    class: String,
    /// Name, least and greatest value as written; `None` for an open end.
    conditions: Vec<(String, Option<String>, Option<String>)>,
    positions: u64,
    up_to_symmetry: u64,
}

/// The texts between backticks.
fn spans(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).collect()
}

fn read(markdown: &str) -> Vec<ParsedRule> {
    let mut class = "";
    let mut rules = Vec::new();
    for line in markdown.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            class = spans(heading)[0];
        }
        let Some((number, said)) = line.split_once(". ") else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        assert_eq!(number, rules.len() + 1, "{line}");
        let conditions: Vec<_> = spans(said)
            .into_iter()
            .map(|span| {
                let some = |text: &str| Some(text.to_owned());
                match span.split(' ').collect::<Vec<_>>().as_slice() {
                    [low, "<=", name, "<=", high] => ((*name).into(), some(low), some(high)),
                    [name, "=", value] => ((*name).into(), some(value), some(value)),
                    [name, "<=", high] => ((*name).into(), None, some(high)),
                    [name, ">=", low] => ((*name).into(), some(low), None),
                    _ => panic!("{span}"),
                }
            })
            .collect();
        let is_rest = said.starts_with("Otherwise.") || said.starts_with("Always.");
        assert_eq!(conditions.is_empty(), is_rest, "{line}");
        let (_, support) = said.trim_end_matches('*').rsplit_once('*').unwrap_or(("", ""));
        let mut numbers = support.split(' ').filter_map(|word| word.parse().ok());
        rules.push(ParsedRule {
            class: class.into(),
            conditions,
            positions: numbers.next().unwrap_or(0),
            up_to_symmetry: numbers.next().unwrap_or(0),
        });
    }
    rules
}

/// Reads the lesson of a tree back, and checks it in all positions.
fn check(tree: &DecisionTree) -> Vec<ParsedRule> {
    let markdown = Lesson::new(tree).to_markdown();
    let rules = read(&markdown);
    let all = AttributeSet::new(material("KRvK"), Selection::All);
    // The rules with numbers in place of words, by comparing the text that `show` gives for each value.
    let numbers: Vec<Vec<(usize, u8, u8)>> = rules
        .iter()
        .map(|rule| {
            let number = |(name, low, high): &(String, Option<String>, Option<String>)| {
                let at = all.attributes().iter().position(|known| known.name() == name);
                let at = at.unwrap_or_else(|| panic!("{name} is no attribute"));
                let known = &all.attributes()[at];
                let (least, greatest) = known.domain();
                let value = |text: &Option<String>, open| match text {
                    Some(text) => (least..=greatest)
                        .find(|&value| known.show(value) == *text)
                        .unwrap_or_else(|| panic!("{name} is never {text}")),
                    None => open,
                };
                (at, value(low, least), value(high, greatest))
            };
            rule.conditions.iter().map(number).collect()
        })
        .collect();
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let asked = AttributeSet::named(material("KRvK"), names).expect("known names");
    let mut found = vec![(0, 0); rules.len()];
    let mut positions = 0;
    for (position, _) in KRVK.canonical_positions(Side::Weak) {
        let mut row = vec![0; asked.attributes().len()];
        asked.extract(&position, &mut row);
        let expected =
            tree.classify(&row).map(|class| tree.head().classes[usize::from(class)].clone());
        let mut values = vec![0; all.attributes().len()];
        all.extract(&position, &mut values);
        let holds = |rule: &Vec<(usize, u8, u8)>| {
            rule.iter().all(|&(at, low, high)| (low..=high).contains(&values[at]))
        };
        let first = numbers.iter().position(holds);
        assert_eq!(first.map(|rule| rules[rule].class.clone()), expected, "{position}");
        if let Some(rule) = first {
            found[rule].0 += Group::Square.orbit(&position).len() as u64;
            found[rule].1 += 1;
        }
        positions += 1;
    }
    assert_eq!(positions, 28_056);
    for (rule, found) in rules.iter().zip(found) {
        assert_eq!((rule.positions, rule.up_to_symmetry), found, "{}", rule.class);
        assert!(found.1 > 0, "a rule that nothing comes to");
    }
    rules
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_rules_of_an_exact_tree_give_its_class_in_every_position() {
    let rules = check(&TREE);
    assert!(rules.len() < TREE.leaves() * 2 / 3, "{} rules", rules.len());
    // Best first; the class to be avoided comes before or after all others.
    let mut classes: Vec<String> = rules.into_iter().map(|rule| rule.class).collect();
    classes.dedup();
    assert_eq!(classes.len(), TREE.head().classes.len(), "{classes:?}");
    classes.retain(|class| class != "draw");
    assert_eq!(classes, TREE.head().classes[1..]);
}

#[test]
fn the_rules_of_a_theory_give_its_class_in_every_position() {
    let rules = check(&theory());
    // Of eleven leaves one contradicts itself, and "grade 2" on the files a and b becomes one rule.
    assert!((4..=9).contains(&rules.len()), "{} rules", rules.len());
    let conditions: usize = rules.iter().map(|rule| rule.conditions.len()).sum();
    let all: usize = theory().rules().iter().map(|rule| rule.conditions.len()).sum();
    assert!(conditions < all, "{conditions} of {all}");
}

#[test]
fn the_rules_of_a_tree_by_value_give_its_class_in_every_position() {
    let limits = Limits { max_depth: Some(3), ..Limits::default() };
    let tree = Id3Params::default().limits(limits).check().unwrap().learn(&KRVK_ROWS).unwrap();
    assert!(matches!(tree.nodes()[0], Node::ByValue { .. }));
    check(&tree);
}

#[test]
fn each_condition_is_there_in_words() {
    let tree = theory();
    let markdown = Lesson::new(&tree).to_markdown();
    for sentence in [
        "the black king can take the rook (`RHangs = 1`)",
        "if, with the board mirrored, the rook stands no more than two ranks above the black king (`RkRanksAhead <= +2`)",
    ] {
        assert!(markdown.contains(sentence), "{sentence}\n{markdown}");
    }
    for words in [
        "*With the board mirrored* means",
        "## `grade 1`\n",
        "## `draw`: to be avoided\n",
        "# KRvK in ",
    ] {
        assert!(markdown.contains(words), "{words}\n{markdown}");
    }
    assert!(!markdown.contains("*Room*"), "what is not asked about is not explained\n{markdown}");
    assert_eq!(markdown, Lesson::new(&tree).to_markdown());
}

/// A tree that is not about an endgame has its leaves as rules.
#[test]
fn foreign_trees_are_lessons_without_support() {
    let head = |endgame: &str, name: &str| TreeHead {
        origin: Origin::new(endgame),
        attributes: vec![Column::new(name, 0, 9, "")],
        classes: vec!["set`osa".into(), "other".into()],
    };
    let nodes = vec![
        Node::Threshold { attribute: 0, at_most: 3, below: 1, above: 2 },
        Node::Leaf { class: 1 },
        Node::Leaf { class: 0 },
    ];
    for head in
        [head("iris", "petal"), head("KRvK", "petal"), head("KPvK", "petal"), head("a\n`b", "x")]
    {
        let name = head.attributes[0].name.clone();
        let tree = DecisionTree::new(head, nodes.clone()).expect("a sound tree");
        let markdown = Lesson::new(&tree).to_markdown();
        assert!(
            markdown.contains(&format!("## `` set`osa ``\n\n1. If `{name} >= 4`.\n")),
            "{markdown}"
        );
        assert!(markdown.contains(&format!("## `other`\n\n2. If `{name} <= 3`.\n")), "{markdown}");
        assert!(!markdown.contains("positions"), "{markdown}");
    }
}

#[test]
fn a_tree_of_one_leaf_is_one_rule() {
    let head = TreeHead {
        origin: Origin::new("KRvK"),
        attributes: vec![Column::new("kFile", 1, 8, "")],
        classes: vec!["grade 1".into()],
    };
    let tree = DecisionTree::new(head, vec![Node::Leaf { class: 0 }]).expect("a sound tree");
    let markdown = Lesson::new(&tree).to_markdown();
    assert!(markdown.starts_with("# KRvK in one rule\n"), "{markdown}");
    assert!(
        markdown.contains("1. Always. *223944 positions, 28056 up to symmetry.*"),
        "{markdown}"
    );
}

/// An endgame with too many positions to list them: the rules still give the tree's answer for all values, and have less
/// text than the leaves.
#[test]
fn the_rules_of_a_large_endgame_give_the_class_of_its_tree_for_all_values() {
    const NAMES: [&str; 4] = ["KPKeySteps", "kPLead", "KkSteps", "PAdvance"];
    let columns = || NAMES.map(|name| Column::new(name, 1, 4, "")).to_vec();
    let rows: Vec<[u8; 4]> = (0..256_u16)
        .map(|row| [0, 1, 2, 3].map(|place| (row >> (2 * place) & 3) as u8 + 1))
        .collect();
    let classes = proptest::collection::vec(0_usize..3, rows.len());
    proptest!(random(20), |(classes in classes, parameter in 0_usize..2)| {
        let column = |at: usize| (NAMES[at].to_owned(), rows.iter().map(|row| row[at]).collect());
        let data = Dataset::from_columns((0..4).map(column).collect(), &classes).expect("rows");
        let tree = CartParams::default().check().unwrap().learn(&data).unwrap();
        let parameters = [("class".to_owned(), "wdl".to_owned())];
        let head = TreeHead {
            origin: Origin { parameters: parameters.into_iter().take(parameter).collect(), ..Origin::new("KRPvKR") },
            attributes: columns(),
            classes: tree.head().classes.clone(),
        };
        let tree = DecisionTree::new(head, tree.nodes().to_vec()).expect("a sound tree");
        let lesson = Lesson::new(&tree);
        let conditions: usize = lesson.rules().iter().map(|rule| rule.conditions.len()).sum();
        let all: usize = tree.rules().iter().map(|rule| rule.conditions.len()).sum();
        prop_assert!(conditions < all, "{conditions} of {all}");
        for row in &rows {
            let holds = |rule: &&LessonRule| rule.conditions.iter().all(|one| one.holds(row));
            let first = lesson.rules().iter().find(holds).map(|rule| rule.class);
            prop_assert_eq!(first, tree.classify(row));
        }
    });
}

/// With pawns, conditions have words as well, and the board is mirrored but not turned.
#[test]
fn conditions_about_pawns_are_told_in_words() {
    let head = TreeHead {
        origin: Origin {
            parameters: [("class", "wdl"), ("turn", "white")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
            ..Origin::new("KPvK")
        },
        attributes: vec![Column::new("KPKeySteps", 0, 7, ""), Column::new("kPLead", 0, 12, "")],
        classes: vec!["draw".into(), "win".into()],
    };
    let nodes = vec![
        Node::Threshold { attribute: 1, at_most: 6, below: 1, above: 2 },
        Node::Threshold { attribute: 0, at_most: 2, below: 3, above: 4 },
        Node::Leaf { class: 1 },
        Node::Leaf { class: 1 },
        Node::Leaf { class: 0 },
    ];
    let markdown =
        Lesson::new(&DecisionTree::new(head, nodes).expect("a sound tree")).to_markdown();
    for words in [
        "# KPvK in 2 rules\n\nWhite is the strong side and is to move. Mirror the board",
        "- A *key square* is",
        "1. If the black king is ahead of the pawn or level in the race to its promotion square (`kPLead <= 6`)",
        "the white king is at least three king's moves from the nearest key square of the pawn (`KPKeySteps >= 3`)",
        "## `win`: for the side to move\n\n2. Otherwise. *123726 positions, 61863 up to symmetry.*",
    ] {
        assert!(markdown.contains(words), "{words}\n{markdown}");
    }
}

/// The outcomes of six men are counted over the positions that are given.
#[test]
fn a_tree_about_six_men_is_a_lesson_on_the_positions_of_a_sample() {
    let parameters = [("class", "wdl"), ("turn", "white")];
    let head = TreeHead {
        origin: Origin {
            parameters: parameters.map(|(name, value)| (name.into(), value.into())).into(),
            ..Origin::new("KRPvKRP")
        },
        attributes: vec![Column::new("kRank", 1, 8, "")],
        classes: vec!["draw".into(), "cursed-win".into(), "win".into()],
    };
    let test = Node::Threshold { attribute: 0, at_most: 7, below: 1, above: 2 };
    let nodes = vec![test, Node::Leaf { class: 0 }, Node::Leaf { class: 2 }];
    let tree = DecisionTree::new(head, nodes).expect("a sound tree");
    let six = Material::from_name("KRPvKRP").expect("an endgame");
    let positions = [Square::F7, Square::F8, Square::G8].map(|king| {
        let squares = [Square::D1, Square::A2, Square::E3, king, Square::A5, Square::E6];
        Position::new(six, Side::Strong, &squares).expect("a legal position")
    });
    let lesson = |classes: &[usize]| {
        let known = KnownOutcomes {
            positions: positions[..classes.len()].to_vec(),
            classes: classes.iter().map(|&class| class as _).collect(),
            sample: Some("drawn by hand".into()),
        };
        let lesson = OutcomeLesson::new(tree.clone(), known, None).expect("a lesson");
        lesson.page().to_markdown()
    };
    for (classes, told) in [
        (
            &[0, 2, 1][..],
            "Of 3 positions, White wins 1, White wins 1 too late under the fifty-move rule and 1 is drawn. The rules are right in 2 of them, 66.67 %.",
        ),
        (&[0], "Of 1 position, 1 is drawn. The rules are right in it."),
        (&[2], "Of 1 position, White wins 1. The rules are wrong in it."),
    ] {
        let page = lesson(classes);
        assert!(page.contains(told), "{page}");
    }
}
