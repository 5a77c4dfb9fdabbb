//! What a page asks about rules, trees, lessons and data: held against the table, the tree itself and counts
//! that others have published.

use crate::cases::repository;
use crate::tables::material;
use lucena::DecisionTree;
use lucena::attributes::AttributeSet;
use lucena::chess::Position;
use lucena::page::{Shelf, answer};
use lucena::player::BuiltIn;
use lucena::roster::PlayerName;
use lucena::symmetry::Group;
use lucena::tablebase::TableFolder;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static SHELF: LazyLock<Shelf> = LazyLock::new(|| {
    let shelf = Shelf::new(TableFolder::in_memory());
    let offer = |path: &str| shelf.offer(&PlayerName::Tree(path.into())).expect("it is read");
    offer(&large());
    shelf
});

/// A tree with 5,168 leaves.
fn large() -> String {
    repository("data/trees/KRvK.cart.json").display().to_string()
}

/// What is answered in the end, with its status: whoever is told to come again does.
fn asked(path: &str, query: &str) -> (u16, Value) {
    let start = Instant::now();
    loop {
        let reply = answer(&SHELF, path, query);
        let told = serde_json::from_slice(&reply.body).expect("JSON");
        if reply.status != 202 {
            return (reply.status, told);
        }
        assert!(start.elapsed() < Duration::from_secs(100), "{path}?{query}: {told}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// What is answered to a question that makes sense.
fn told(path: &str, query: &str) -> Value {
    let (status, told) = asked(path, query);
    assert_eq!(status, 200, "{path}?{query}: {told}");
    told
}

/// What is said of a question that makes none, or of which there is no answer.
fn refused(status: u16, path: &str, query: &str) -> String {
    let (found, told) = asked(path, query);
    assert_eq!(found, status, "{path}?{query}: {told}");
    let said = told["error"].as_str().expect("a sentence");
    assert!(said.contains(' ') && !said.contains("Error"), "{said}");
    said.into()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn position(fen: &Value) -> Position {
    text(fen).parse().expect("a position")
}

fn built_in(name: &str) -> DecisionTree {
    BuiltIn::find(material("KRvK"), name).expect("this build carries it").load().expect("sound")
}

/// At which node of a tree a position ends, turned as the tree is used to it.
fn end(tree: &DecisionTree, position: &Position) -> String {
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let set = AttributeSet::named(position.material(), names).expect("known names");
    let mut row = vec![0; set.attributes().len()];
    set.extract(&Group::of(position.material()).canonical(position), &mut row);
    format!("{:?}", tree.path(&row).end)
}

#[test]
fn the_rules_of_a_theory_answer_every_position_once() {
    let told = told("/api/rules", "player=theory&limit=500");
    assert_eq!((text(&told["kind"]), text(&told["material"])), ("tree", "KRvK"));
    let rules = list(&told["rules"]);
    assert_eq!(number(&told["all"]) as usize, rules.len());
    let sum = |name: &str| rules.iter().map(|rule| number(&rule[name])).sum::<u64>();
    assert_eq!((sum("positions"), sum("canonical")), (223_944, 28_056));
    let tree = built_in("win");
    assert_eq!(text(&told["size"]), format!("{} leaves", tree.leaves()));
    for rule in rules {
        let leaf = &tree.nodes()[number(&rule["leaf"]) as usize];
        let class = tree.head().classes.iter().position(|class| class == text(&rule["class"]));
        let class = class.expect("a class") as u8;
        assert_eq!(*leaf, lucena_tree::Node::Leaf { class }, "{rule}");
        let says = text(&rule["says"]);
        assert!(says.starts_with("If ") || says == "Otherwise.", "{says}");
    }
}

#[test]
fn the_leaves_of_a_large_tree_share_all_positions() {
    let tree = built_in("cart");
    let mut sums = [0, 0];
    let mut numbers = BTreeSet::new();
    let mut last = (0, u64::MAX);
    let query = |offset: usize| format!("player=tree:{}&offset={offset}&limit=500", large());
    for offset in (0..).step_by(500) {
        let told = told("/api/rules", &query(offset));
        assert_eq!(number(&told["all"]), 5_168);
        if list(&told["rules"]).is_empty() {
            break;
        }
        for rule in list(&told["rules"]) {
            sums[0] += number(&rule["positions"]);
            sums[1] += number(&rule["canonical"]);
            numbers.insert(number(&rule["number"]));
            // The quickest mates come first, draws last; in a class what most positions have.
            let classes = tree.head().classes.iter();
            let class = classes.skip(1).position(|class| class == text(&rule["class"]));
            let class = class.unwrap_or(usize::MAX);
            let positions = number(&rule["positions"]);
            assert!(class > last.0 || (class == last.0 && positions <= last.1), "{rule}");
            last = (class, positions);
        }
    }
    assert_eq!(sums, [223_944, 28_056]);
    assert_eq!(numbers, (1..=5_168).collect());
}

#[test]
fn rules_are_found_by_word_name_and_class() {
    let ask = |query: &str| told("/api/rules", &format!("player=tree:{}&{query}", large()));
    let all_have = |query: &str, has: &dyn Fn(&Value) -> bool| {
        let told = ask(query);
        let found = number(&told["found"]);
        assert!((1..5_168).contains(&found), "{query}: {found}");
        assert!(list(&told["rules"]).iter().all(has), "{query}");
        found
    };
    let named = all_have("search=KkOppositionDistance", &|rule| {
        let conditions = list(&rule["conditions"]).iter();
        conditions.clone().any(|one| text(&one["figures"]).contains("KkOppositionDistance"))
    });
    let said = all_have("search=CORNER+rook", &|rule| {
        let says = text(&rule["says"]).to_lowercase();
        says.contains("corner") && says.contains("rook")
    });
    assert!(named > 0 && said > 0);
    all_have("class=sixteen", &|rule| text(&rule["class"]) == "sixteen");
    assert_eq!(number(&ask("search=saxophone")["found"]), 0);
    assert_eq!(list(&ask("limit=0")["rules"]).len(), 0);
    let page = ask("class=nine&offset=3&limit=2");
    assert_eq!(list(&page["rules"]).len(), 2);
    assert_eq!(page["rules"][0], ask("class=nine")["rules"][3]);
}

#[test]
fn the_rules_of_a_strategy_are_its_rules() {
    let ask = |query: &str| told("/api/rules", &format!("player=strategy&{query}"));
    let one = ask("material=KRvK");
    assert_eq!(text(&one["size"]), "1 rule of size 5");
    assert_eq!(list(&one["rules"][0]["keys"]).len(), 5);
    assert!(one["classes"].is_null() && one["rules"][0]["positions"].is_null());
    let pawn = ask("material=KPvK");
    let all = number(&pawn["all"]);
    assert_eq!(list(&pawn["rules"]).len() as u64, all);
    let found = ask("material=KPvK&search=pawn");
    assert!((1..=all).contains(&number(&found["found"])));
    refused(400, "/api/rules", "player=strategy&material=KRvK&class=zero");
}

/// Every node is opened once, level by level; below each stand as many leaves and positions as it says.
#[test]
fn a_tree_is_opened_level_by_level() {
    let tree = built_in("win");
    let mut open = vec![0];
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        let told = told("/api/tree", &format!("player=theory&node={node}&levels=3"));
        assert_eq!(number(&told["nodes"]) as usize, tree.nodes().len());
        let mut below = vec![told["root"].clone()];
        while let Some(one) = below.pop() {
            let is_leaf = one["asks"].is_null();
            assert_eq!(is_leaf, !one["class"].is_null());
            seen.insert(number(&one["node"]));
            match one["branches"].as_array() {
                None if is_leaf => assert_eq!(number(&one["leaves"]), 1),
                None => open.push(number(&one["node"])),
                Some(branches) => {
                    let to: Vec<&Value> = branches.iter().map(|branch| &branch["to"]).collect();
                    let sum = |name: &str| to.iter().map(|to| number(&to[name])).sum::<u64>();
                    for name in ["leaves", "positions", "canonical"] {
                        assert_eq!(sum(name), number(&one[name]), "{name} of {node}");
                    }
                    let deepest = to.iter().map(|to| number(&to["depth"])).max();
                    assert_eq!(number(&one["depth"]), deepest.expect("a branch") + 1);
                    below.extend(to.into_iter().cloned());
                }
            }
        }
        if node == 0 {
            assert_eq!(number(&told["root"]["positions"]), 223_944);
            assert_eq!(number(&told["root"]["depth"]) as usize, tree.depth());
        }
    }
    assert_eq!(seen.len(), tree.nodes().len());
}

#[test]
fn the_boards_of_a_leaf_end_there() {
    let tree = built_in("win");
    let mut canonical = 0;
    for rule in tree.rules() {
        let told = told("/api/leaf", &format!("player=theory&leaf={}", rule.leaf));
        let boards = list(&told["boards"]);
        assert_eq!(boards.len() as u64, number(&told["canonical"]).min(6), "{}", rule.leaf);
        canonical += number(&told["canonical"]);
        let wanted = format!("node: {},", rule.leaf);
        for board in boards {
            let position = position(&board["fen"]);
            assert!(end(&tree, &position).contains(&wanted), "{position}");
        }
        let distinct: BTreeSet<&str> = boards.iter().map(|board| text(&board["fen"])).collect();
        assert_eq!(distinct.len(), boards.len());
        assert_eq!(list(&told["conditions"]).len(), rule.conditions.len());
    }
    assert_eq!(canonical, 28_056);
}

#[test]
fn what_makes_no_sense_about_rules_is_refused_in_a_sentence() {
    for query in [
        "",
        "player=",
        "player=deep-blue",
        "player=random",
        "player=tablebase",
        "player=tree:/etc/passwd",
        "player=theory&material=KRRvK",
        "player=theory&material=KRXvK",
        "player=theory&material=KBNvK",
        "player=strategy&material=KBNvK",
        "player=theory&limit=501",
        "player=theory&limit=-1",
        "player=theory&limit=many",
        "player=theory&offset=x",
        "player=theory&class=hundred",
    ] {
        refused(400, "/api/rules", query);
    }
    assert_eq!(
        list(&told("/api/rules", "player=theory&offset=18446744073709551615")["rules"]).len(),
        0
    );
    for query in [
        "player=theory&levels=6",
        "player=theory&levels=x",
        "player=strategy",
        "player=theory&node=x",
    ] {
        refused(400, "/api/tree", query);
    }
    refused(404, "/api/tree", "player=theory&node=99999");
    refused(400, "/api/leaf", "player=theory");
    refused(400, "/api/leaf", "player=theory&leaf=x");
    refused(400, "/api/leaf", "player=theory&leaf=0");
    refused(404, "/api/leaf", "player=theory&leaf=18446744073709551615");
    let other = refused(400, "/api/rules", &format!("player=tree:{}&material=KQvK", large()));
    assert!(other.contains("KRvK") && other.contains("KQvK"), "{other}");
    assert!(Path::new(&large()).exists());
}
