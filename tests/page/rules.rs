//! Requests of the page about rules, trees, lessons and data, compared with the table, the tree itself and
//! published counts.

use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::{Position, Side};
use lucena::dataset::krkopt;
use lucena::learn::{Assessment, Id3Params, Learner, TrainTestSplit};
use lucena::lesson::{Lesson, MeasureLesson, RuleLesson, StrategyLesson};
use lucena::page::{PageState, answer};
use lucena::policy::Policy;
use lucena::progress::NoObserver;
use lucena::roster::BuiltIn;
use lucena::roster::PlayerName;
use lucena::symmetry::Group;
use lucena::tablebase::{DistanceClass, Outcome, TableFolder, Tablebase};
use lucena_model::ModelKind;
use lucena_test_support::cases::{cases, repository};
use lucena_test_support::tables::{KPVK, KQVK, KRVK, KRVK_ROWS, material};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

pub(super) static STATE: LazyLock<PageState> = LazyLock::new(|| {
    let state = PageState::new(TableFolder::in_memory());
    let offer = |path: &str| {
        state.offer(&PlayerName::ModelFile(ModelKind::Tree, path.into())).expect("it is read");
    };
    offer(&large());
    state
});

/// A tree with 5,168 leaves.
fn large() -> String {
    repository("data/trees/KRvK.cart.json").display().to_string()
}

/// The final answer with its status: asks again while the answer is not ready.
pub(super) fn asked(path: &str, query: &str) -> (u16, Value) {
    let start = Instant::now();
    loop {
        let reply = answer(&STATE, path, query);
        let told = serde_json::from_slice(&reply.body).expect("JSON");
        if reply.status != 202 {
            return (reply.status, told);
        }
        assert!(start.elapsed() < Duration::from_secs(100), "{path}?{query}: {told}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The answer to a valid request.
pub(super) fn told(path: &str, query: &str) -> Value {
    let (status, told) = asked(path, query);
    assert_eq!(status, 200, "{path}?{query}: {told}");
    told
}

/// The message for a request that is invalid or has no answer.
pub(super) fn refused(status: u16, path: &str, query: &str) -> String {
    let (found, told) = asked(path, query);
    assert_eq!(found, status, "{path}?{query}: {told}");
    let said = told["error"].as_str().expect("a sentence");
    assert!(said.contains(' ') && !said.contains("Error"), "{said}");
    said.into()
}

pub(super) fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

pub(super) fn position(fen: &Value) -> Position {
    text(fen).parse().expect("a position")
}

pub(super) fn built_in(name: &str) -> DecisionTree {
    BuiltIn::find(ModelKind::Tree, material("KRvK"), name)
        .expect("this build carries it")
        .model()
        .try_into()
        .expect("a tree")
}

/// The node of a tree at which a position ends, with the position mapped to its representative.
fn end(tree: &DecisionTree, position: &Position) -> String {
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let set = AttributeSet::named(position.material(), names).expect("known names");
    let mut row = vec![0; set.attributes().len()];
    set.extract(&Group::new(position.material()).canonical(position), &mut row);
    format!("{:?}", tree.path(&row).end)
}

#[test]
fn the_source_code_of_a_player_is_that_of_show() {
    use lucena_codegen::{Language, emit};
    let source = |query: &str| {
        let told = told("/api/source", query);
        (text(&told["file"]).to_owned(), text(&told["source"]).to_owned())
    };
    let tree = built_in("win");
    for (name, language) in [
        ("c", Language::C),
        ("rust", Language::Rust),
        ("javascript", Language::JavaScript),
        ("python", Language::Python),
    ] {
        let (file, code) = source(&format!("player=theory&language={name}"));
        assert_eq!(file, format!("krvk_tree.{}", language.extension()));
        assert_eq!(code, emit(&tree, language).unwrap());
    }
    let carried = BuiltIn::smallest_strategy(material("KQvK")).expect("it is built in");
    let (file, code) = source("player=strategy&material=KQvK&language=c");
    assert_eq!(file, "kqvk_strategy.c");
    assert_eq!(code, emit(carried.strategy(), Language::C).expect("it is supported"));
    let carried = BuiltIn::smallest_measure(material("KRvK")).expect("it is built in");
    let (_, code) = source("player=measure&language=python");
    assert_eq!(code, emit(carried.measure(), Language::Python).expect("it is supported"));
    refused(400, "/api/source", "player=tablebase&language=c");
    refused(400, "/api/source", "player=theory&language=cobol");
    refused(400, "/api/source", "player=theory");
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
        assert_eq!(*leaf, lucena_model::Node::Leaf { class }, "{rule}");
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
            // The quickest mates come first, draws last; within a class, the leaves with the most positions.
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

#[test]
fn the_rules_of_a_measure_are_its_terms() {
    let ask = |query: &str| told("/api/rules", &format!("player=measure&{query}"));
    for carried in BuiltIn::all(ModelKind::Measure).filter(|carried| carried.is_smallest()) {
        let measure = lucena_model::Measure::try_from(carried.model()).expect("a measure");
        let material = carried.material;
        let one = ask(&format!("material={material}"));
        assert_eq!((text(&one["kind"]), text(&one["material"])), ("measure", material));
        let names = list(&one["rules"])
            .iter()
            .map(|rule| text(&rule["conditions"][0]["figures"]).split(' ').next().expect("a name"));
        let terms = measure.terms().iter().map(|term| term.quantity.name.as_str());
        // The usual number of rules that are told at once.
        assert!(names.eq(terms.take(50)), "{material}");
        assert_eq!(number(&one["all"]) as usize, measure.terms().len(), "{material}");
        let look = format!("looking {} moves ahead", measure.horizon().look);
        assert!(text(&one["size"]).ends_with(&look), "{}", one["size"]);
    }
    refused(400, "/api/rules", "player=measure&material=KRvK&class=zero");
    // A query can name no file, whatever kind of player it would make.
    for name in ["measure:", "search:depth=1,eval=measure:"] {
        let file = repository("data/measures/KRvK.smallest.json");
        let said = refused(400, "/api/rules", &format!("player={name}{}", file.display()));
        assert!(said.contains("is not among the files that this server offers"), "{said}");
    }
}

/// Every node is opened once, level by level; the leaves and positions below each match its counts.
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

/// Positions drawn with several seeds.
fn drawn(query: &str) -> Vec<Position> {
    let one = |seed| position(&told("/api/random", &format!("{query}&seed={seed}"))["fen"]);
    (1..=12).map(one).collect()
}

fn plies(outcome: Outcome) -> i32 {
    i32::from(outcome.plies().unwrap_or_default())
}

#[test]
fn lots_are_drawn_over_the_full_board_and_a_seed_says_which() {
    let all = drawn("material=KRvK");
    assert_eq!(all, drawn("material=KRvK"));
    assert_eq!(all[0], position(&told("/api/random", "")["fen"]));
    let distinct: BTreeSet<String> = all.iter().map(ToString::to_string).collect();
    assert!(distinct.len() > 8, "{distinct:?}");
    let is_turned = |position: &&Position| Group::Square.canonical(position) != **position;
    assert!(all.iter().filter(is_turned).count() > 3, "{distinct:?}");
    for (turn, side) in [("white", Side::Strong), ("black", Side::Weak)] {
        for position in drawn(&format!("material=KPvK&turn={turn}")) {
            assert_eq!(position.turn(), side);
            assert!(position.has_moves());
        }
    }
}

#[test]
fn what_is_drawn_at_a_distance_is_as_far_from_mate() {
    for (moves, turn) in [(1, "white"), (16, "white"), (0, "black"), (16, "black")] {
        for position in drawn(&format!("by=distance&value={moves}&turn={turn}")) {
            let outcome = KRVK.probe(&position).expect("its own table");
            assert_eq!(outcome.moves(), Some(moves), "{position}");
        }
    }
    let said = refused(404, "/api/random", "by=distance&value=17");
    assert!(said.contains("the most is 16"), "{said}");
}

/// The side to move does worse than if the other side were to move, by the table for both turns.
#[test]
fn in_zugzwang_it_harms_to_have_to_move() {
    for (name, table) in [("KPvK", &KPVK), ("KRvK", &KRVK)] {
        for position in drawn(&format!("material={name}&by=zugzwang")) {
            let fen = position.to_string();
            let other: Position = fen.replace(" w ", " b ").parse().expect("legal both ways");
            let [moving, waiting] = [&position, &other].map(|it| table.probe(it).expect("its own"));
            let is_worse = match (moving, waiting) {
                // In pawn endings zugzwang changes the result, in rook endings the distance.
                (Outcome::Draw, Outcome::Loss(_)) => name == "KPvK",
                (Outcome::Win(_), Outcome::Loss(_)) => {
                    name == "KRvK" && plies(moving) > plies(waiting)
                }
                _ => false,
            };
            assert!(is_worse, "{position}: {moving}, {waiting}");
            let told = told("/api/random", &format!("material={name}&by=zugzwang&turn=black"));
            assert_eq!(position_turn(&told), Side::Weak);
        }
    }
    refused(404, "/api/random", "material=KNvK&by=zugzwang");
}

fn position_turn(told: &Value) -> Side {
    position(&told["fen"]).turn()
}

#[test]
fn what_is_drawn_at_a_leaf_ends_there_and_by_a_rule_uses_it() {
    let tree = built_in("win");
    let leaf = tree.rules()[7].leaf;
    for position in drawn(&format!("by=leaf&player=theory&value={leaf}")) {
        assert!(end(&tree, &position).contains(&format!("node: {leaf},")), "{position}");
    }
    let policy = BuiltIn::smallest_strategy(material("KPvK")).expect("carried");
    for rule in [1, 2] {
        for position in drawn(&format!("by=rule&player=strategy&material=KPvK&value={rule}")) {
            let used = policy.used_rule(&position).expect("it has a say");
            assert_eq!(used.rule, Some(rule - 1), "{position}");
        }
    }
    for query in [
        "by=leaf",
        "by=leaf&player=theory",
        "by=leaf&player=strategy&value=1",
        "by=leaf&player=theory&value=0",
        "by=rule&player=strategy",
        "by=rule&player=theory&value=1",
        "by=distance",
        "by=distance&value=-1",
        "by=magic",
        "turn=red",
        "seed=x",
        "material=KKvK",
        "player=nobody",
    ] {
        refused(400, "/api/random", query);
    }
    refused(404, "/api/random", "by=rule&player=strategy&value=0");
    refused(404, "/api/random", "by=rule&player=strategy&value=99");
    refused(404, "/api/random", "by=leaf&player=theory&value=9999");
    refused(404, "/api/random", "material=KvK&by=distance&value=1");
}

/// The lesson of KRvK by its strategy.
static LESSON: LazyLock<Value> = LazyLock::new(|| told("/api/lesson", "player=strategy"));

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_lesson_has_a_game_and_exercises_that_the_strategy_solves() {
    let policy = BuiltIn::smallest_strategy(material("KRvK")).expect("carried");
    let lesson = &*LESSON;
    assert_eq!(text(&lesson["title"]), "KRvK: how to win with one rule");
    let exercises = list(&lesson["exercises"]);
    assert_eq!(exercises.len(), 6);
    for exercise in exercises {
        let position = position(&exercise["fen"]);
        let solutions: Vec<&str> = list(&exercise["solutions"]).iter().map(text).collect();
        let choices: Vec<String> =
            policy.choices(&position).iter().map(ToString::to_string).collect();
        assert_eq!(solutions, choices, "{position}");
        let san = position.san(policy.choices(&position)[0]).expect("legal");
        assert!(text(&exercise["explanation"]).starts_with(&format!("{san}.")), "{exercise}");
    }
    let sections = list(&lesson["sections"]);
    let game = sections.iter().find(|section| !section["game"].is_null()).expect("a game");
    let game = &game["game"];
    let mut at = position(&game["fen"]);
    let moves = list(&game["moves"]).iter().zip(list(&game["sans"])).zip(list(&game["why"]));
    for ((uci, san), why) in moves {
        let mv = at.parse_move(text(san)).expect("a legal move");
        assert_eq!((mv.to_string().as_str(), why.is_null()), (text(uci), at.turn() == Side::Weak));
        at = at.play(mv).expect("legal");
    }
    assert!(at.is_checkmate());
    // Marks are legal moves in the position, and no text has Markdown syntax.
    let boards: Vec<&Value> =
        sections.iter().flat_map(|section| list(&section["boards"])).collect();
    assert_eq!(boards.len(), 5);
    for board in boards {
        let position = position(&board["fen"]);
        for mark in list(&board["marks"]) {
            let uci = format!("{}{}", text(&mark["from"]), text(&mark["to"]));
            assert!(position.moves().iter().any(|mv| mv.to_string() == uci), "{board}");
        }
    }
    assert!(!lesson.to_string().contains(['*', '`']), "{lesson}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_lesson_says_what_its_markdown_says() {
    assert_says(&LESSON, &strategy_lesson(&KRVK));
    let tree = BuiltIn::find(ModelKind::Tree, material("KQvK"), "win").expect("carried").model();
    let lesson = told("/api/lesson", "player=theory&material=KQvK");
    assert_says(&lesson, &Lesson::new(&tree.try_into().expect("a tree")).to_markdown());
    let policy = BuiltIn::smallest_measure(material("KQvK")).expect("carried");
    let lesson = MeasureLesson::new(&policy, &KQVK, &NoObserver).expect("a lesson");
    let told_by_measure = told("/api/lesson", "player=measure&material=KQvK");
    assert_says(&told_by_measure, &lesson.to_markdown());
    assert_eq!(list(&told_by_measure["exercises"]).len(), 6);
    let four_men = told("/api/lesson", "player=strategy&material=KBBvK");
    assert!(list(&four_men["exercises"]).is_empty());
    for query in ["player=exact", "player=tablebase", "player=strategy&material=KBNvK", "player="] {
        refused(400, "/api/lesson", query);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_lesson_with_the_queen_says_what_its_markdown_says() {
    let lesson = told("/api/lesson", "player=strategy&material=KQvK");
    assert_says(&lesson, &strategy_lesson(&KQVK));
}

/// The lesson by the strategy of this build, as Markdown.
fn strategy_lesson(table: &Tablebase) -> String {
    let policy = BuiltIn::smallest_strategy(table.material()).expect("carried");
    StrategyLesson::new(&policy, table, &NoObserver).expect("a lesson").to_markdown()
}

/// Checks that the sections of a lesson say the same as its Markdown, in the same order.
#[track_caller]
fn assert_says(lesson: &Value, markdown: &str) {
    let markdown = markdown.replace(['*', '`'], "").replace('\n', " ");
    let mut rest = markdown.as_str();
    for section in list(&lesson["sections"]) {
        let heading = section["heading"].as_str();
        let paragraphs = list(&section["paragraphs"]).iter().map(text);
        let items = list(&section["items"]).iter().flat_map(list).map(text);
        // If there is a board, the paragraph comes below it.
        for said in heading.into_iter().chain(paragraphs).chain(items) {
            let (_, after) = rest.split_once(said).unwrap_or_else(|| panic!("{said}"));
            rest = after;
        }
    }
}

#[test]
fn a_lesson_that_rules_teach_needs_no_table() {
    let known = told("/api/about", "");
    assert!(list(&known["rule_lessons"]).contains(&"KRPvKR".into()));
    let lesson = told("/api/lesson/rules", "material=KRPvKR");
    assert!(lesson["player"].is_null());
    assert_says(
        &lesson,
        &RuleLesson::of(material("KRPvKR")).expect("carried").page(None).to_markdown(),
    );
    let exercises = list(&lesson["exercises"]);
    assert_eq!(exercises.len(), 6);
    // By the Lichess tablebase, as by Syzygy files, only these moves hold the draw.
    let back_rank = exercises.iter().find(|one| one["fen"] == "2k5/8/1PK5/8/8/8/7r/R7 b - - 0 1");
    let right = &back_rank.expect("a stage is about the back rank")["solutions"];
    assert_eq!(right, &json!(["c8b8", "h2c2", "h2h6"]));
    refused(404, "/api/lesson/rules", "material=KRvK");
    refused(400, "/api/lesson/rules", "material=KRvX");
    refused(400, "/api/lesson/rules", "");
}

#[test]
fn a_lesson_in_stages_needs_no_table_and_is_counted_with_one() {
    let policy = BuiltIn::smallest_measure(material("KRvK")).expect("carried");
    let staged = told("/api/stages", "material=KRvK");
    let answers = told("/api/stages/answers", "material=KRvK");
    let stages = list(&staged["stages"]).iter().zip(list(&answers["stages"]));
    assert_eq!(stages.len(), 3);
    for (stage, answer) in stages {
        for (claim, count) in list(&stage["claims"]).iter().zip(list(&answer["counts"])) {
            match text(&claim["kind"]) {
                "proved" => assert!(text(count).contains("such position"), "{count}"),
                "advice" => assert!(count.is_null()),
                other => panic!("{other}"),
            }
        }
        let fen = text(&stage["exercise"]["fen"]);
        let position: Position = fen.parse().expect("legal");
        let moves = position.moves();
        let right = list(&answer["right"]);
        assert!(!right.is_empty() && right.len() < moves.len());
        for mv in right {
            let after = position.play(position.parse_move(text(mv)).expect("legal"));
            assert!(matches!(KRVK.outcome(&after.expect("legal")), Outcome::Loss(_)));
        }
        let measured = told("/api/measured", &format!("fen={}", fen.replace(' ', "+")));
        let numbers = list(&measured["moves"]);
        assert_eq!(numbers.len(), moves.len());
        for one in numbers {
            let mv = position.parse_move(text(&one["uci"])).expect("legal");
            let after = position.play(mv).expect("legal");
            if after.material() == material("KRvK") {
                assert_eq!(one["number"], policy.value(&after));
            }
        }
    }
    let counts = list(&answers["stages"][0]["counts"]);
    assert!(text(&counts[0]).starts_with("all 175,168 such positions are won"), "{counts:?}");
    refused(404, "/api/stages", "material=KNvK");
    refused(400, "/api/stages", "material=KRvX");
}

#[test]
fn the_end_of_a_stage_is_seen_and_its_positions_are_practised() {
    let practice = told("/api/practice", "material=KRvK&stage=3");
    let positions = list(&practice["positions"]);
    let staged = told("/api/stages", "material=KRvK");
    let start = &staged["stages"][2]["game"]["fen"];
    assert!(positions.iter().any(|one| one["fen"] == *start), "the first game is among them");
    assert!(positions.len() >= 10);
    let most = |one: &Value| one["most"].as_u64().expect("the methods reach the end");
    assert!(positions.is_sorted_by_key(most));
    // The stage ends in mate, which no method gives sooner than best play.
    assert!(positions.iter().all(|one| most(one) >= one["moves"].as_u64().expect("moves")));
    refused(404, "/api/practice", "material=KRvK&stage=4");
    refused(404, "/api/practice", "material=KRvK&stage=0");
    let goal = |fen: &str, stage: u8| {
        let query = format!("fen={fen}&material=KRvK&stage={stage}");
        told("/api/measured", &query)["goal"]["reached"].as_bool().expect("a goal")
    };
    assert!(!goal("8/8/8/3k4/8/3K4/8/4R3+b", 1), "21 squares are one too many");
    assert!(goal("8/8/2k5/4R3/3K4/8/8/8+b", 1));
    assert!(!goal("8/8/2k5/4R3/3K4/8/8/8+w", 1), "only a move of White ends a stage");
    assert!(goal("k1R5/8/1K6/8/8/8/8/8+b", 3) && goal("k1R5/8/1K6/8/8/8/8/8+b", 2), "mate does");
}

#[test]
fn a_wrong_move_is_refuted() {
    let query = "fen=8/8/8/2k5/8/8/1KP5/8+w&move=b2b3";
    let found = told("/api/refutation", query);
    assert_eq!(found["better"], "Kc3 keeps the win.");
    assert!(text(&found["says"]).ends_with("Black answers Kb5 and holds the draw."), "{found}");
    assert_eq!(list(&found["line"])[1]["san"], "Kb5");
    let measured = told("/api/refutation", &format!("{query}&player=measure"));
    assert!(text(&measured["says"]).contains("By the measure, it forces only"), "{measured}");
    refused(400, "/api/refutation", "fen=8/8/8/2k5/8/8/1KP5/8+w&move=b2b8");
}

#[test]
fn practice_goes_from_easy_to_hard() {
    for (name, table) in [("KRvK", &KRVK), ("KPvK", &KPVK)] {
        let told = told("/api/practice", &format!("material={name}"));
        let positions = list(&told["positions"]);
        assert!((25..=45).contains(&positions.len()), "{}", positions.len());
        let mut last = 0;
        let mut keys = BTreeSet::new();
        for one in positions {
            let position = position(&one["fen"]);
            assert_eq!(position.turn(), Side::Strong);
            let outcome = table.probe(&position).expect("its own");
            assert_eq!(outcome.to_string(), text(&one["says"]));
            let moves = number(&one["moves"]);
            assert_eq!(outcome.moves().map(u64::from), Some(moves));
            assert!(moves >= last);
            last = moves;
            assert!(position.to_string().starts_with(text(&one["key"])));
            assert!(keys.insert(text(&one["key"]).to_owned()), "{one}");
        }
        let longest = table.longest().expect("there are mates");
        assert_eq!(last, u64::from(longest.div_ceil(2)), "the longest is there");
    }
    refused(404, "/api/practice", "material=KNvK");
    refused(400, "/api/practice", "material=KRvX");
    refused(400, "/api/practice", "player=nobody");
}

#[test]
fn rows_are_those_of_the_published_file() {
    let told = told("/api/data/rows", "limit=1");
    assert_eq!((number(&told["all"]), number(&told["found"])), (28_056, 28_056));
    let classes: Vec<(String, u64)> = list(&told["classes"])
        .iter()
        .map(|class| (text(&class["name"]).to_owned(), number(&class["rows"])))
        .collect();
    let published: Vec<(String, u64)> = cases("krkopt_classes.csv")
        .into_iter()
        .map(|[class, rows]| (class, rows.parse().expect("a number")))
        .collect();
    assert_eq!(classes, published);
    let file = String::from_utf8(krkopt::to_csv(&KRVK).expect("three men")).expect("text");
    let lines: Vec<&str> = file.lines().collect();
    for offset in [0, 2_790, 28_050] {
        let told = self::told("/api/data/rows", &format!("set=krkopt&offset={offset}&limit=20"));
        for (row, line) in list(&told["rows"]).iter().zip(&lines[offset..]) {
            let values: Vec<&str> = list(&row["values"]).iter().map(text).collect();
            assert_eq!(values.join(","), *line);
            let depth =
                KRVK.probe(&position(&row["fen"])).map(DistanceClass::from).expect("its own");
            assert_eq!(depth.to_string(), values[6]);
        }
    }
    let nine = self::told("/api/data/rows", "set=geometric&class=nine&offset=1710");
    assert_eq!((number(&nine["found"]), list(&nine["rows"]).len()), (1_712, 2));
    assert_eq!(list(&nine["columns"]).len(), 25);
    for query in
        ["set=some", "class=ninety", "class=blue", "limit=9999", "offset=-1", "material=KRRRvK"]
    {
        refused(400, "/api/data/rows", query);
    }
    refused(400, "/api/data/rows", "material=KvK");
}

#[test]
fn histograms_are_those_that_others_have_counted() {
    for [name, turn, counts] in cases("histograms.csv") {
        let turn = if turn == "strong" { "white" } else { "black" };
        let query = format!("material={name}&turn={turn}");
        let told = told("/api/data/histogram", &query);
        let rows = list(&told["rows"]);
        let counted: BTreeSet<String> = rows
            .iter()
            .map(|row| {
                let plies = row["plies"].as_u64().map_or("draw".into(), |plies| plies.to_string());
                format!("{plies}:{}", row["positions"])
            })
            .collect();
        assert_eq!(counted, counts.split(' ').map(Into::into).collect(), "{query}");
        let table = if name == "KRvK" { &KRVK } else { &KQVK };
        for row in rows {
            let position = position(&row["example"]);
            let outcome = table.probe(&position).expect("its own");
            assert_eq!(outcome.to_string(), text(&row["says"]));
            assert_eq!(row["class"].is_null(), turn == "white");
        }
        let svg = text(&told["svg"]);
        let (path, query) = svg.split_once('?').expect("a query");
        let picture = answer(&STATE, path, query);
        assert_eq!((picture.status, picture.media_type), (200, "image/svg+xml"));
        let picture = String::from_utf8(picture.body).expect("text");
        assert_eq!(picture.matches("<rect ").count(), rows.len() + 1, "a bar each, and the sheet");
    }
    refused(400, "/api/data/histogram", "turn=both");
    refused(400, "/api/data/histogram.svg", "material=KX");
}

#[test]
fn attributes_are_told_of_any_position() {
    let fen = "8/8/8/3k4/8/8/8/K6R+w+-+-+0+1";
    let told = told("/api/data/attributes", &format!("fen={fen}&set=all"));
    let position = position(&told["fen"]);
    let set = AttributeSet::new(position.material(), Selection::All);
    assert_eq!(list(&told["attributes"]).len(), set.attributes().len());
    let weak: Position = "8/8/8/3k4/8/8/8/K6R b - - 0 1".parse().expect("legal");
    for (told, attribute) in list(&told["attributes"]).iter().zip(set.attributes()) {
        assert_eq!(text(&told["name"]), attribute.name());
        assert_eq!(text(&told["value"]), attribute.show(attribute.value(&weak)));
        let sentence = text(&told["sentence"]);
        assert!(sentence.ends_with('.') && !sentence.starts_with(char::is_lowercase), "{sentence}");
    }
    for query in ["", "fen=x", "fen=8/8/8/8/8/8/8/8+w+-+-+0+1", &format!("fen={fen}&set=some")] {
        refused(400, "/api/data/attributes", query);
    }
    // Seven men have no endgame table.
    refused(400, "/api/data/attributes", "fen=8/5k2/3rr3/8/8/2RR4/1K6/8+w+-+-+0+1");
}

#[test]
fn a_matrix_counts_what_its_cells_show() {
    let exact = told("/api/data/confusion", "player=exact");
    assert_eq!(exact["accuracy"].as_f64(), Some(1.0));
    assert_eq!(exact["classes"], exact["answers"]);
    let sum = |matrix: &Value| {
        let cells = list(&matrix["counts"]).iter().flat_map(list).map(number);
        cells.chain(list(&matrix["unanswered"]).iter().map(number)).sum::<u64>()
    };
    assert_eq!(sum(&exact), 28_056);
    for (row, counts) in list(&exact["counts"]).iter().enumerate() {
        assert!(list(counts).iter().enumerate().all(|(at, count)| at == row || number(count) == 0));
    }
    let half = "learner=id3&share=50&set=geometric&seed=3";
    let told_half = told("/api/data/confusion", half);
    assert_eq!(sum(&told_half), 14_028);
    let split =
        TrainTestSplit::new(&KRVK_ROWS, "50".parse().expect("a share"), 3).expect("two halves");
    let learner = Id3Params::default().check().expect("sound");
    let tree = learner.learn_rows(&KRVK_ROWS, &mut split.learned.clone()).expect("rows");
    let judged = Assessment::new(&tree, &KRVK_ROWS, &split.held_out);
    assert_eq!(told_half["accuracy"].as_f64(), judged.accuracy());
    let cells = |truth: usize, answer: &str| {
        told("/api/data/confusion/boards", &format!("{half}&truth={truth}{answer}"))["boards"]
            .as_array()
            .cloned()
            .expect("boards")
    };
    for (truth, answer) in [(9, 9), (9, 10), (0, 3), (16, 16)] {
        let boards = cells(truth, &format!("&answer={answer}"));
        let count = number(&told_half["counts"][truth][answer]);
        assert_eq!(boards.len() as u64, count.min(12), "{truth} {answer}");
        for board in boards {
            let depth =
                KRVK.probe(&position(&board["fen"])).map(DistanceClass::from).expect("its own");
            assert_eq!(depth.to_string(), text(&told_half["classes"][truth]));
        }
    }
    // The pages of a cell together have each of its positions once.
    let all = number(&told_half["counts"][16][16]);
    let pages =
        (0..all).step_by(12).flat_map(|from| cells(16, &format!("&answer=16&offset={from}")));
    let fens: BTreeSet<String> = pages.map(|board| text(&board["fen"]).to_owned()).collect();
    assert_eq!(fens.len() as u64, all);
    let unanswered = cells(13, "").len() as u64;
    assert_eq!(unanswered, number(&told_half["unanswered"][13]).min(12));
    assert!(unanswered > 0, "a test by value has no branch for what it has not seen");
    let theory = told("/api/data/confusion", "player=theory");
    assert!(theory["accuracy"].is_null() && theory["answers"] != theory["classes"]);
    assert_eq!(sum(&theory), 28_056);
    for query in [
        "",
        "player=exact&learner=cart",
        "player=strategy",
        "player=nobody",
        "learner=oracle",
        "learner=cart&share=0",
        "learner=cart&share=101",
        "learner=cart&set=some",
        "learner=cart&seed=x",
    ] {
        refused(400, "/api/data/confusion", query);
    }
    let said = refused(400, "/api/data/confusion", "learner=cart&material=KBNvK");
    assert!(said.contains("lucena learn KBNvK --learner cart --attributes geometric"), "{said}");
    refused(400, "/api/data/confusion/boards", "player=exact");
    refused(400, "/api/data/confusion/boards", "player=exact&truth=x");
    refused(404, "/api/data/confusion/boards", "player=exact&truth=18&answer=0");
    refused(404, "/api/data/confusion/boards", "player=exact&truth=0&answer=18");
}

/// The geometric attributes separate all 28,056 positions, and the full board's have 55,986 distinct rows;
/// both numbers were counted elsewhere.
#[test]
fn sufficiency_is_as_counted_elsewhere() {
    for (positions, rows, vectors) in [("canonical", 28_056, 28_056), ("full", 223_944, 55_986)] {
        let told = told("/api/data/sufficiency", &format!("set=geometric&positions={positions}"));
        assert_eq!((number(&told["rows"]), number(&told["vectors"])), (rows, vectors));
        assert!(list(&told["clashes"]).is_empty() && text(&told["sentence"]).contains("enough"));
    }
    let clashing = told("/api/data/sufficiency", "material=KPvK&set=strategic");
    let clashes = list(&clashing["clashes"]);
    assert!(!clashes.is_empty() && text(&clashing["sentence"]).contains("not enough"));
    for class in clashes.iter().flat_map(|clash| list(&clash["classes"])) {
        let depth = KPVK.probe(&position(&class["fen"])).map(DistanceClass::from).expect("its own");
        assert_eq!(depth.to_string(), text(&class["class"]));
    }
    refused(400, "/api/data/sufficiency", "set=some");
    refused(400, "/api/data/sufficiency", "positions=some");
    let said = refused(400, "/api/data/sufficiency", "material=KBNvK");
    assert!(said.contains("lucena attributes KBNvK"), "{said}");
}
