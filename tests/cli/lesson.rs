//! `lesson --tree`: what a lesson says of a tree of outcomes, counted again position by position.

use super::{arguments, folder, lucena_in};
use lucena::attributes::{Attribute, AttributeSet, Selections};
use lucena::chess::{Position, Side, Square};
use lucena::tablebase::{Outcome, Tablebase};
use lucena_model::{Column, DecisionTree, Node, Origin, TreeHead};
use lucena_test_support::tables::{KPVK, material};
use tempfile::TempDir;

const LEARN: &str = "learn|KPvK|--class|wdl|--turn|white|--attributes|all,concepts|--folds|0";

/// A folder with a tree of at most this many leaves, "kpk.json".
fn with_tree(leaves: &str) -> TempDir {
    let folder = folder();
    let learn = format!("{LEARN}{leaves}|--out|kpk.json");
    lucena_in(folder.path(), &arguments(&learn)).good();
    folder
}

fn run(folder: &TempDir, options: &str) -> String {
    lucena_in(folder.path(), &arguments(options)).good()
}

/// A rule that `show` prints.
struct PrintedRule {
    class: String,
    conditions: Vec<PrintedCondition>,
}

/// A condition: the attribute, the least and the greatest value.
struct PrintedCondition {
    attribute: Attribute,
    low: u8,
    high: u8,
}

impl PrintedRule {
    fn holds(&self, placement: &Position) -> bool {
        self.conditions.iter().all(|PrintedCondition { attribute, low, high }| {
            (*low..=*high).contains(&attribute.value(placement))
        })
    }
}

/// A condition as it is written, such as `3 <= KPKeySteps <= 4`.
fn parse(figures: &str, known: &AttributeSet) -> PrintedCondition {
    let (low, name, high) = match figures.split(' ').collect::<Vec<_>>().as_slice() {
        [low, "<=", name, "<=", high] => (Some(*low), *name, Some(*high)),
        [name, "=", value] => (Some(*value), *name, Some(*value)),
        [name, "<=", high] => (None, *name, Some(*high)),
        [name, ">=", low] => (Some(*low), *name, None),
        _ => panic!("{figures}"),
    };
    let attribute = known.attributes().iter().find(|attribute| attribute.name() == name);
    let attribute = attribute.unwrap_or_else(|| panic!("{name} is no attribute")).clone();
    let (least, greatest) = attribute.domain();
    let value = |text: &str| {
        let is_it = |value: &u8| attribute.show(*value) == text;
        (least..=greatest).find(is_it).unwrap_or_else(|| panic!("{name} is never {text}"))
    };
    let (low, high) = (low.map_or(least, value), high.map_or(greatest, value));
    PrintedCondition { attribute, low, high }
}

/// The rules that `show` prints.
fn rules(markdown: &str) -> Vec<PrintedRule> {
    let known = AttributeSet::new(material("KPvK"), Selections::whole());
    let (mut rules, mut class) = (Vec::new(), String::new());
    for line in markdown.lines() {
        let mut spans = line.split('`').skip(1).step_by(2);
        if line.starts_with("## ") {
            class = spans.next().expect("a class").to_owned();
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let conditions = spans.map(|figures| parse(figures, &known)).collect();
            rules.push(PrintedRule { class: class.clone(), conditions });
        }
    }
    rules
}

/// The legal positions of the full board with White to move and the white king on the files a to d: each stands for two.
/// Each has its outcome.
fn positions(table: &Tablebase) -> Vec<(Position, bool)> {
    let mut positions = Vec::new();
    for king in Square::ALL.into_iter().filter(|square| (square.file() as usize) < 4) {
        for pawn in Square::ALL {
            for other in Square::ALL {
                let placed = Position::new(material("KPvK"), Side::Strong, &[king, pawn, other]);
                let Ok(position) = placed else { continue };
                let outcome = table.probe(&position).expect("a position of KPvK");
                let placement = position.with(Side::Weak, *position.squares());
                positions.push((placement, matches!(outcome, Outcome::Win(_))));
            }
        }
    }
    positions
}

/// The numbers in a text, without the commas within them.
fn numbers(text: &str) -> Vec<u64> {
    let text = text.replace(',', "");
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// Every figure of the lesson is right: of the rules that `show` prints for the same tree, each is tried on every position,
/// whose outcome follows from the distance to mate. 124,960 wins is the number of the bitbases of chess programs.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_figures_of_a_lesson_are_those_of_a_plain_count() {
    let positions = positions(&KPVK);
    let won = positions.iter().filter(|(_, is_won)| *is_won).count();
    assert_eq!((2 * positions.len(), 2 * won), (163_328, 124_960));
    let folder = with_tree("|--max-leaves|20");
    let rules = rules(&run(&folder, "show|kpk.json|--format|rules"));
    let mut counts = vec![(0_u64, 0_u64); rules.len()];
    for (placement, is_won) in &positions {
        let first = rules
            .iter()
            .position(|rule| rule.holds(placement))
            .expect("the last rule holds always");
        counts[first].0 += 2;
        counts[first].1 += 2 * u64::from((rules[first].class == "win") == *is_won);
    }
    let lesson = run(&folder, "lesson|--tree|kpk.json");
    let is_item = |line: &&str| line.ends_with(".*") && line.contains(" positions, right in ");
    let told: Vec<&str> = lesson.lines().filter(is_item).collect();
    assert_eq!(told.len(), rules.len(), "{lesson}");
    for (line, (all, right)) in told.into_iter().zip(counts.iter().copied()) {
        let (_, figures) = line.trim_end_matches('*').rsplit_once('*').expect("figures");
        let told = numbers(figures);
        assert!(told[0] == all && (told.get(1) == Some(&right) || all == right), "{line}: {right}");
    }
    let right: u64 = counts.iter().map(|(_, right)| right).sum();
    assert!(lesson.contains("White wins 124,960 and 38,368 are drawn."), "{lesson}");
    let all =
        lesson.lines().find(|line| line.starts_with("Of 163,328 positions")).expect("figures");
    assert!(numbers(all).contains(&right), "{all}: {right}");
}

/// Each board shows what the text below it says, and each exercise has its outcome in the table.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn boards_and_exercises_have_the_outcomes_that_the_lesson_tells() {
    let folder = with_tree("|--max-leaves|6");
    let lesson = run(&folder, "lesson|--tree|kpk.json");
    let is_won = |line: &str| {
        let fen = line.split('`').nth(1).expect("a FEN");
        matches!(KPVK.probe(&fen.parse().expect("a position")), Ok(Outcome::Win(_)))
    };
    let says_won = |text: &str| {
        assert!(text.contains("White wins") || text.to_lowercase().contains("a draw"), "{text}");
        text.contains("White wins")
    };
    let (boards, exercises) = lesson.split_once("\n## Exercises\n").expect("exercises");
    let mut sections = boards.split("\n### ");
    let rules: Vec<&str> = sections.by_ref().skip(1).collect();
    assert!(rules.len() >= 4, "{lesson}");
    for rule in rules {
        let fens: Vec<&str> =
            rule.lines().filter(|line| line.starts_with("White to move: `")).collect();
        let says: Vec<&str> = rule
            .lines()
            .filter(|line| line.contains(" here: ") || line.contains("it is wrong: "))
            .collect();
        assert_eq!(fens.len(), says.len(), "{rule}");
        for (fen, says) in fens.into_iter().zip(says) {
            let said = says.split(". ").next().expect("a sentence");
            assert_eq!(is_won(fen), says_won(said), "{fen}: {says}");
        }
    }
    let (tasks, solutions) = exercises.split_once("\n## Solutions\n").expect("solutions");
    let fens = tasks.lines().filter(|line| line.starts_with("White to move: `"));
    let solutions: Vec<&str> = solutions.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(solutions.len(), 10);
    for (fen, solution) in fens.zip(solutions) {
        assert_eq!(is_won(fen), says_won(solution.split(". Rule").next().expect("an answer")));
    }
}

/// A large tree is shortened to its best 20 leaves; a sample says that it is one; the file has the answers to choose from.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn large_trees_samples_and_files_make_lessons() {
    let folder = with_tree("");
    let lesson = run(&folder, "lesson|--tree|kpk.json");
    let part = "The rules are the best part of a tree of 245 leaves, which is right in 163,328 of them, 100 %. The part was chosen on the same positions on which it is counted.";
    assert!(lesson.contains(part) && lesson.contains(" 97.31 %."), "{lesson}");
    let sampled = run(&folder, "lesson|--tree|kpk.json|--sample|3000");
    assert!(sampled.contains("Of 3,000 positions, "), "{sampled}");
    let drawn =
        "The positions are a sample of 3,000 of 81,664 positions up to symmetry, by seed 2.";
    assert!(sampled.contains(drawn), "{sampled}");
    let refused = lucena_in(folder.path(), &arguments("lesson|--player|tree:kpk.json"));
    assert!(refused.code == 2 && refused.err.contains("--tree kpk.json"), "{}", refused.err);
    run(&folder, "lesson|--tree|kpk.json|--html|lesson.html");
    let file = std::fs::read_to_string(folder.path().join("lesson.html")).expect("a file");
    let answers = r#""answers":[{"text":"White wins","right":"#;
    assert!(file.contains(answers) && !file.contains("kpk.json"));
}

/// A tree about an endgame of six men is printed without a list of its positions. For a lesson it takes Syzygy files.
#[test]
fn a_tree_of_six_men_has_rules_and_asks_for_syzygy_files() {
    let parameters = [("class", "wdl"), ("turn", "white")];
    let head = TreeHead {
        origin: Origin {
            parameters: parameters.map(|(name, value)| (name.into(), value.into())).into(),
            ..Origin::new("KRPvKRP")
        },
        attributes: vec![Column::new("kRank", 1, 8, "")],
        classes: ["loss", "blessed-loss", "draw", "cursed-win", "win"].map(Into::into).into(),
    };
    let test = Node::Threshold { attribute: 0, at_most: 4, below: 1, above: 2 };
    let nodes = vec![test, Node::Leaf { class: 4 }, Node::Leaf { class: 2 }];
    let tree = DecisionTree::new(head, nodes).expect("a sound tree");
    let folder = folder();
    super::write(&folder.path().join("six.json"), tree.to_json());
    let shown = run(&folder, "show|six.json|--format|rules");
    assert!(shown.contains("the black king stands on"), "{shown}");
    for format in ["text", "svg", "dot", "arrays"] {
        run(&folder, &format!("show|six.json|--format|{format}"));
    }
    let refusal = |options: &str| {
        let refused = lucena_in(folder.path(), &arguments(options));
        assert_eq!(refused.code, 2, "{}", refused.err);
        refused.err
    };
    let uncounted = refusal("lesson|--tree|six.json");
    assert!(uncounted.contains("too many to count all of them: count a sample"), "{uncounted}");
    let missing = refusal("lesson|--tree|six.json|--sample|1000");
    assert!(missing.contains("name a folder of Syzygy files by --syzygy"), "{missing}");
}

/// Where a rule speaks of the mirrored board, so does what is said of its positions, and once in a sentence.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn solutions_speak_of_the_same_board_as_their_rules() {
    let lesson = run(&with_tree("|--max-leaves|20"), "lesson|--tree|kpk.json");
    let (rules, rest) = lesson.split_once("\n## Where each rule is right").expect("boards");
    let mirrored = "with the board mirrored, ";
    let numbers: Vec<&str> = rules
        .lines()
        .filter(|line| line.ends_with(".*") && line.contains(mirrored))
        .filter_map(|line| line.split_once(". ").map(|(number, _)| number))
        .collect();
    assert!(!numbers.is_empty(), "{rules}");
    let solutions = rest.lines().filter_map(|line| line.split_once(" tells it: "));
    let mut seen = 0;
    for (rule, says) in solutions {
        let (_, number) = rule.rsplit_once("Rule ").expect("a rule");
        let is_mirrored = numbers.contains(&number);
        assert_eq!(says.matches(mirrored).count(), usize::from(is_mirrored), "{rule}: {says}");
        seen += usize::from(is_mirrored);
    }
    assert!(seen > 0, "{lesson}");
}

/// Lessons made from rules are written without a player, and that of five men without its table.
#[test]
fn lessons_are_made_from_rules() {
    let folder = folder();
    let text = run(&folder, "lesson|KRPvKR|--tables|none");
    for words in ["# KRPvKR in ", "Stage 1", "no exception", "solve KRPvKR --class dtz"] {
        assert!(text.contains(words), "{words}");
    }
    let text = run(&folder, "lesson|KPvKP");
    for words in ["# KPvKP in ", "Proved", "Advice", "Against the best defence: ", "How it goes on"]
    {
        assert!(text.contains(words), "{words}");
    }
    let file = folder.path().join("lesson.html");
    run(&folder, "lesson|KPvKP|--html|lesson.html");
    assert!(super::text(&file).starts_with("<!doctype html>"));
}
