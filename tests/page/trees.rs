//! The page's answers about nodes of trees, compared with a plain count over all positions, and two players beside
//! each other.

use super::rules::{STATE, built_in, list, number, position, refused, text, told};
use lucena::DecisionTree;
use lucena::attributes::AttributeSet;
use lucena::chess::{Position, Side};
use lucena::learn::{CartParams, Learner, Limits};
use lucena::policy::Policy;
use lucena::proof::prove;
use lucena::roster::{BuiltIn, PlayerName};
use lucena::symmetry::Group;
use lucena::tablebase::{DistanceClass, Outcome};
use lucena_model::{ModelKind, Node};
use lucena_test_support::tables::{KRVK, KRVK_ROWS, material};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// A tree of few tests, which is wrong about many positions, and the name of its player.
static ROUGH: LazyLock<(DecisionTree, String)> = LazyLock::new(|| {
    let limits = Limits { max_depth: Some(4), ..Limits::default() };
    let learner = CartParams::default().limits(limits).check().expect("sound");
    let mut rows: Vec<u32> = (0..KRVK_ROWS.rows() as u32).collect();
    let tree = learner.learn_rows(&KRVK_ROWS, &mut rows).expect("rows");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rough.json");
    std::fs::write(&path, tree.to_json()).expect("it is written");
    let name = PlayerName::ModelFile(ModelKind::Tree, path);
    STATE.offer(&name).expect("it is read");
    (tree, name.to_string())
});

/// Every legal position with Black to move, square by square.
fn all_positions() -> impl Iterator<Item = Position> {
    let men = (0..64 * 64 * 64).map(|number| [number % 64, number / 64 % 64, number / 4096]);
    men.filter_map(|squares| {
        let mut board = [['1'; 8]; 8];
        for (letter, square) in ['K', 'R', 'k'].into_iter().zip(squares) {
            board[7 - square / 8][square % 8] = letter;
        }
        let ranks = board.map(|rank| rank.iter().collect::<String>());
        let position: Position = format!("{} b - - 0 1", ranks.join("/")).parse().ok()?;
        (position.material() == material("KRvK")).then_some(position)
    })
}

/// The nodes that a position passes, the root first.
fn path(tree: &DecisionTree, set: &AttributeSet, position: &Position) -> Vec<usize> {
    let mut row = vec![0; set.attributes().len()];
    set.extract(&Group::new(position.material()).canonical(position), &mut row);
    let mut path = vec![0];
    loop {
        let node = &tree.nodes()[path[path.len() - 1]];
        let mut branches = node.branches().into_iter();
        match branches.find(|(condition, _)| condition.holds(&row)) {
            Some((_, child)) => path.push(child as usize),
            None => return path,
        }
    }
}

fn class_of(position: &Position) -> DistanceClass {
    KRVK.probe(position).map(DistanceClass::from).expect("its own")
}

fn answer(tree: &DecisionTree, node: usize) -> &str {
    let Node::Leaf { class } = &tree.nodes()[node] else { panic!("{node} is a test") };
    &tree.head().classes[usize::from(*class)]
}

/// All nodes of a part of a tree.
fn nodes(root: &Value) -> Vec<Value> {
    let mut all = vec![root.clone()];
    let mut at = 0;
    while at < all.len() {
        let below = all[at]["branches"].as_array().cloned().unwrap_or_default();
        all.extend(below.into_iter().map(|branch| branch["to"].clone()));
        at += 1;
    }
    all
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_mix_and_the_errors_of_each_node_are_those_of_a_plain_count() {
    let (tree, player) = &*ROUGH;
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let set = AttributeSet::named(material("KRvK"), names).expect("known names");
    let mut mixes: BTreeMap<(usize, String), u64> = BTreeMap::new();
    let mut wrong = vec![0; tree.nodes().len()];
    let mut all = 0;
    for position in all_positions() {
        let (class, path) = (class_of(&position).to_string(), path(tree, &set, &position));
        let is_wrong = answer(tree, path[path.len() - 1]) != class;
        for node in path {
            *mixes.entry((node, class.clone())).or_default() += 1;
            wrong[node] += u64::from(is_wrong);
        }
        all += 1;
    }
    assert_eq!(all, 223_944);
    let told = told("/api/tree", &format!("player={player}&levels=5"));
    assert_eq!(told["judged"], true);
    let nodes = nodes(&told["root"]);
    assert_eq!(nodes.len(), tree.nodes().len());
    let mut entries = 0;
    for node in &nodes {
        let place = number(&node["node"]) as usize;
        assert_eq!(number(&node["wrong"]), wrong[place], "{place}");
        assert_eq!(number(&node["children"]) as usize, tree.nodes()[place].children().count());
        for one in list(&node["mix"]) {
            let class = text(&one["class"]).to_owned();
            assert_eq!(Some(&number(&one["positions"])), mixes.get(&(place, class)), "{place}");
            entries += 1;
        }
    }
    assert_eq!(entries, mixes.len());
    assert!(wrong[0] > 100_000 && wrong[0] < 223_944, "{}", wrong[0]);
    // The quickest mate comes first, and draws come last.
    let distances: Vec<&str> = list(&told["distances"]).iter().map(text).collect();
    assert_eq!((distances[0], distances[1], distances[17]), ("zero", "one", "draw"));
}

#[test]
fn an_exact_tree_is_never_wrong_and_a_theory_is_neither_right_nor_wrong() {
    let exact = told("/api/tree", "player=exact");
    assert_eq!((number(&exact["root"]["wrong"]), &exact["judged"]), (0, &true.into()));
    assert_eq!((text(&exact["classes"][0]), text(&exact["classes"][17])), ("zero", "draw"));
    let theory = told("/api/tree", "player=theory");
    assert_eq!((&theory["root"]["wrong"], &theory["judged"]), (&Value::Null, &false.into()));
    let sum = list(&theory["root"]["mix"]).iter().map(|one| number(&one["positions"])).sum::<u64>();
    assert_eq!(sum, 223_944);
    let said = refused(400, "/api/node", "player=theory&node=0&answered=wrong");
    assert!(said.contains("only rank positions"), "{said}");
    let leaf = number(&told("/api/rules", "player=theory")["rules"][0]["leaf"]);
    let leaf = told("/api/node", &format!("player=theory&node={leaf}"));
    let path: Vec<usize> = list(&leaf["path"]).iter().map(|node| number(node) as usize).collect();
    let tree = built_in("win");
    let steps = path.iter().zip(path.iter().skip(1));
    assert!(path[0] == 0 && steps.clone().count() + 1 == path.len());
    for (&above, &below) in steps {
        assert!(tree.nodes()[above].children().any(|child| child as usize == below));
    }
    assert_eq!(leaf["says"], "The tree ranks this 1st of 54; 1 is best.");
}

/// The pages of a node's positions together have each position once, and each is answered as it is said.
#[test]
fn the_positions_that_a_node_gets_wrong_are_wrong() {
    let (tree, player) = &*ROUGH;
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let set = AttributeSet::named(material("KRvK"), names).expect("known names");
    let ask = |node: usize, more: &str| {
        told("/api/node", &format!("player={player}&node={node}&limit=500{more}"))
    };
    let root = ask(0, "");
    assert_eq!(number(&root["found"]), 28_056);
    assert_eq!(list(&root["conditions"]), [] as [Value; 0]);
    let right = number(&ask(0, "&answered=right")["found"]);
    assert_eq!(right + number(&ask(0, "&answered=wrong")["found"]), 28_056);
    let node = tree.nodes()[0].branches()[0].1 as usize;
    let found = number(&ask(node, "&answered=wrong")["found"]);
    let mut seen = BTreeSet::new();
    for offset in (0..found).step_by(500) {
        let told = ask(node, &format!("&answered=wrong&offset={offset}"));
        for board in list(&told["boards"]) {
            let position = position(&board["fen"]);
            let path = path(tree, &set, &position);
            let (class, answer) = (class_of(&position), answer(tree, path[path.len() - 1]));
            assert!(path.contains(&node) && class.to_string() != answer, "{position}");
            assert_eq!(
                (text(&board["class"]), text(&board["answer"])),
                (&*class.to_string(), answer)
            );
            assert!(seen.insert(position.to_string()), "{position} is shown twice");
        }
    }
    assert_eq!(seen.len() as u64, found);
    let nine = ask(node, "&class=nine");
    assert!(list(&nine["boards"]).iter().all(|board| board["says"] == "mated in 9"));
    refused(400, "/api/node", &format!("player={player}&node=0&answered=maybe"));
    refused(400, "/api/node", &format!("player={player}&node=0&class=many"));
    refused(400, "/api/node", "player=strategy&node=0");
    refused(404, "/api/node", "player=theory&node=99999");
}

#[test]
fn nodes_are_found_by_words_and_their_paths_lead_to_them() {
    let tree = built_in("win");
    let ask = |search: &str| {
        told("/api/tree/search", &format!("player=theory&search={search}&limit=500"))
    };
    let leaves = ask("grade+1");
    let wanted: Vec<u64> = (0..tree.nodes().len())
        .filter(|&node| {
            matches!(tree.nodes()[node], Node::Leaf { .. }) && answer(&tree, node) == "grade 1"
        })
        .map(|node| node as u64)
        .collect();
    let found: Vec<u64> = list(&leaves["nodes"]).iter().map(|one| number(&one["node"])).collect();
    assert_eq!(found, wanted);
    let asked = ask("kroom");
    assert!(number(&asked["found"]) > 0 && number(&asked["all"]) as usize == tree.nodes().len());
    for one in list(&asked["nodes"]) {
        let path = list(&one["path"]).iter().map(|above| number(above) as usize);
        let path: Vec<usize> = path.chain([number(&one["node"]) as usize]).collect();
        assert_eq!(path[0], 0);
        for pair in path.windows(2) {
            assert!(tree.nodes()[pair[0]].children().any(|child| child as usize == pair[1]));
        }
        // The node asks about it, or the one above does.
        let is_about = |&node: &usize| {
            let asks = tree.nodes()[node].attribute();
            asks.is_some_and(|asks| tree.head().attributes[asks].name == "kRoom")
        };
        assert!(path.iter().rev().take(2).any(is_about), "{one}");
    }
    assert_eq!(number(&ask("zeppelin")["found"]), 0);
    refused(400, "/api/tree/search", "player=strategy&search=x");
}

#[test]
fn nodes_that_a_query_lists_are_open() {
    let tree = built_in("win");
    let below =
        |node: usize| tree.nodes()[node].children().map(|child| child as usize).collect::<Vec<_>>();
    let test = below(0).into_iter().find(|&node| tree.nodes()[node].attribute().is_some());
    let test = test.expect("a test");
    let told = told("/api/tree", &format!("player=theory&levels=0&open=0,{test}"));
    let open = nodes(&told["root"]).into_iter().filter(|node| !node["branches"].is_null());
    let open: Vec<u64> = open.map(|node| number(&node["node"])).collect();
    assert_eq!(open, [0, test as u64]);
    refused(400, "/api/tree", "player=theory&open=0,x");
    let many: Vec<String> = (0..1001).map(|node| node.to_string()).collect();
    refused(400, "/api/tree", &format!("player=theory&open={}", many.join(",")));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn players_beside_each_other_differ_where_they_move_differently() {
    let told = |query: &str| told("/api/compare", query);
    let both = told("player=exact&with=strategy&limit=500");
    let strategy = BuiltIn::smallest_strategy(material("KRvK")).expect("one");
    let proof = prove(&strategy, &KRVK).expect("it is proved");
    let [exact, rules] = [0, 1].map(|at| &both["players"][at]);
    assert_eq!(exact["accuracy"].as_f64(), Some(1.0));
    assert_eq!(number(&exact["depth"]) as usize, built_in("exact").depth());
    assert!(rules["accuracy"].is_null() && rules["leaves"].is_null());
    assert_eq!(number(&rules["proof"]["won"]), proof.won);
    assert_eq!(rules["proof"]["longest_moves"], proof.longest_moves.expect("it wins"));
    // A game of 38 moves ends before the fifty-move rule, and so does every shorter one.
    for player in [exact, rules] {
        assert!(number(&player["proof"]["longest_moves"]) <= 50);
        assert_eq!(number(&player["won_within_rule"]), 175_168);
        assert_eq!(number(&player["winnable_within_rule"]), 175_168);
    }
    // What an exact tree plays is never worse, and its moves are optimal.
    assert_eq!((number(&both["positions"]), number(&both["better"][1])), (21_959, 0));
    let mut last = u16::MAX;
    for board in list(&both["boards"]) {
        let position = position(&board["fen"]);
        let chosen = strategy.choose(&position).expect("it has a move");
        let [exact, rules] = [0, 1].map(|at| &board["moves"][at]);
        assert_eq!(rules["uci"], chosen.to_string());
        assert_ne!(exact["uci"], rules["uci"]);
        let worth = |mv: &Value| {
            let moves = position.moves().into_iter().find(|it| it.to_string() == text(&mv["uci"]));
            let after = position.play(moves.expect("it is legal")).expect("it is legal");
            let outcome = KRVK.probe(&after).map(Outcome::before_move).expect("known");
            assert_eq!(text(&mv["says"]), outcome.to_string());
            outcome.moves().expect("a mate")
        };
        assert_eq!(Some(worth(exact)), KRVK.outcome(&position).moves());
        let cost = worth(rules) - worth(exact);
        assert!(cost <= last, "the greatest difference comes first");
        last = cost;
    }
    // By a plain comparison of all positions.
    let exact = lucena::policy::TreePolicy::new(built_in("exact"), &KRVK).expect("it fits");
    let plain = KRVK
        .canonical_positions(Side::Strong)
        .filter(|(position, _)| exact.choose(position) != strategy.choose(position));
    assert_eq!(number(&both["found"]) as usize, plain.count());
    assert_eq!(number(&told("player=exact&with=exact")["found"]), 0);
    refused(400, "/api/compare", "player=exact");
    refused(400, "/api/compare", "player=exact&with=random");
    let said = refused(400, "/api/compare", "player=measure&with=measure&material=KBNvK");
    assert!(said.contains("lucena prove KBNvK --player measure"), "{said}");
}
