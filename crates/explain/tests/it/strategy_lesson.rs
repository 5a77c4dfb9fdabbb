//! Lessons about strategies: the page is read back, and its statements are checked against the policy,
//! the rules and the table.

use lucena_base::progress::NoObserver;
use lucena_chess::Position;
use lucena_explain::StrategySentences;
use lucena_explain::lesson::StrategyLesson;
use lucena_model::{ModelKind, PlayedSide, Strategy, StrategyDomain};
use lucena_proof::policy::{Policy, StrategyPolicy};
use lucena_roster::BuiltIn;
use lucena_tablebase::Outcome;
use lucena_test_support::tables::{KPVK, KRVK, material};
use std::sync::{Arc, LazyLock};

static POLICY: LazyLock<Arc<StrategyPolicy>> =
    LazyLock::new(|| BuiltIn::smallest_strategy(material("KRvK")).expect("this build carries it"));

static PAGE: LazyLock<String> = LazyLock::new(page);

fn page() -> String {
    StrategyLesson::new(&POLICY, &KRVK, &NoObserver).expect("a lesson").to_markdown()
}

/// The text below a second-level heading.
fn part(heading: &str) -> &'static str {
    let start = PAGE.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("{heading}"));
    let rest = &PAGE[start + heading.len() + 5..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// The positions of a part, each of which is below its board.
fn positions(part: &str) -> Vec<Position> {
    let lines = part.lines().filter_map(|line| line.strip_prefix("White to move: `"));
    lines.map(|line| line.trim_end_matches('`').parse().expect("a position")).collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_page_has_its_parts_and_is_the_same_each_time() {
    assert!(PAGE.starts_with("# KRvK: how to win with one rule\n"));
    assert!(PAGE.contains("all 175,168 positions"));
    assert!(PAGE.contains("The longest game takes 38 moves."));
    let heads = ["The rules", "Where each point decides", "How you can see progress"];
    for heading in heads.into_iter().chain(["The longest game", "Exercises", "Solutions"]) {
        assert!(!part(heading).is_empty(), "{heading}");
    }
    assert_eq!(page(), *PAGE);
}

/// On each board, the moves that a point keeps are those that the strategy plays.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn each_point_decides_on_its_board() {
    let part = part("Where each point decides");
    let boards = positions(part);
    let said: Vec<&str> = part.lines().filter(|line| line.starts_with("White has to")).collect();
    assert_eq!((boards.len(), said.len()), (5, 5));
    for (number, (position, said)) in (1..).zip(boards.iter().zip(said)) {
        let (_, kept) = said.rsplit_once(&format!(" So point {number} keeps ")).expect("it keeps");
        let kept = position.parse_move(kept.trim_end_matches('.')).expect("one legal move");
        assert_eq!(POLICY.choices(position).to_vec(), [kept], "{said}");
        assert_eq!(said.matches("After ").count(), 2, "{said}");
    }
}

/// The game is played by the strategy, from the first move to the mate.
#[test]
fn the_game_can_be_played() {
    let part = part("The longest game");
    let mut position = positions(part)[0];
    let rows = part.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| |"));
    let mut moves = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let white = position.parse_move(cells[1]).expect("a legal move");
        assert!(POLICY.choices(&position).contains(&white), "{row}");
        assert!(!cells[3].is_empty(), "{row}");
        position = position.play(white).expect("legal");
        moves += 1;
        if !cells[2].is_empty() {
            let black = position.parse_move(cells[2]).expect("a legal reply");
            position = position.play(black).expect("legal");
        }
    }
    assert!(position.is_checkmate(), "{position}");
    assert_eq!(moves, 38);
}

/// Each exercise has one solution, and the move that it warns against costs what it says.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn exercises_have_one_solution() {
    let exercises = positions(part("Exercises"));
    let solutions: Vec<&str> =
        part("Solutions").lines().filter(|line| line.contains(". ")).collect();
    assert_eq!((exercises.len(), solutions.len()), (6, 6));
    for (position, solution) in exercises.iter().zip(solutions) {
        let words: Vec<&str> = solution.split(' ').collect();
        let legal = |word: &str| position.parse_move(word.trim_end_matches('.')).ok();
        let right = legal(words[1]).expect("a legal move");
        assert_eq!(POLICY.choices(position).to_vec(), [right], "{solution}");
        let wrong = words[2..].iter().find_map(|word| legal(word)).expect("another move");
        let plies = |mv| match KRVK.probe(&position.play(mv).expect("legal")) {
            Ok(Outcome::Loss(plies)) => plies,
            other => panic!("{solution}: {other:?}"),
        };
        assert!(plies(wrong) > plies(right), "{solution}");
        let said = format!("takes {} moves at best", (plies(wrong) + 2) / 2);
        assert!(solution.contains(&said), "{solution}: {said}");
    }
}

/// The strategy in `data/parts` for the king before a pawn on the edge.
fn edge() -> Strategy {
    let text = lucena_data::PARTS.iter().find(|text| text.name == "edge").expect("it is carried");
    Strategy::from_json(text.json.as_bytes()).expect("a strategy")
}

/// The lesson of a strategy of king and pawn against king.
fn lesson(policy: &StrategyPolicy) -> String {
    StrategyLesson::new(policy, &KPVK, &NoObserver).expect("a lesson").to_markdown()
}

#[test]
fn a_lesson_for_the_weak_side_tells_what_is_held() {
    let page = lesson(&StrategyPolicy::new(edge()).expect("a policy"));
    assert!(page.starts_with("# KPvK: how to hold with one rule\n"), "{page}");
    let part =
        "These rules are for Black to move, in positions in which the pawn stands on the edge, and";
    assert!(page.contains(part), "{page}");
    assert!(page.contains("Of these, Black holds all 2,430 positions that can be held."), "{page}");
    assert!(!page.contains("White wins"), "{page}");
}

/// Made for all positions, the rule does not hold them all: the lesson says so, and its exercises show where it matters.
#[test]
fn exercises_for_the_weak_side_hold_or_lose_by_the_table() {
    let domain = StrategyDomain { side: PlayedSide::Weak, conditions: Vec::new() };
    let policy = StrategyPolicy::new(edge().with_domain(domain).expect("a domain"));
    let policy = policy.expect("a policy");
    let page = lesson(&policy);
    let (_, exercises) = page.split_once("\n## Exercises\n").expect("exercises");
    let (exercises, solutions) = exercises.split_once("\n## Solutions\n").expect("solutions");
    let exercises = exercises.lines().filter_map(|line| line.strip_prefix("Black to move: `"));
    let solutions: Vec<&str> = solutions.lines().filter(|line| line.contains(". ")).collect();
    assert!(solutions.len() >= 3, "{solutions:?}");
    for (fen, solution) in exercises.zip(solutions) {
        let position: Position = fen.trim_end_matches('`').parse().expect("a position");
        let after = |word: &str| position.play(position.parse_move(word).ok()?).ok();
        let words = solution.split(' ').map(|word| word.trim_end_matches('.'));
        let told: Vec<Position> = words.skip(1).filter_map(after).collect();
        let [right, wrong] = &told[..] else { panic!("{solution}") };
        assert_eq!(KPVK.outcome(right), Outcome::Draw, "{solution}");
        assert!(matches!(KPVK.outcome(wrong), Outcome::Win(_)), "{solution}");
        assert!(solution.ends_with("That loses."), "{solution}");
    }
}

#[test]
fn a_strategy_says_what_it_wants() {
    for built_in in BuiltIn::all(ModelKind::Strategy) {
        // Users of a strategy rely on its invariance under the symmetries of the board.
        let policy = StrategyPolicy::new(built_in.model().try_into().expect("a strategy"))
            .expect("it is sound");
        let sentences = StrategySentences::new(&policy);
        for rule in 0..policy.strategy().rules().len() {
            let sentence = sentences.rule(rule);
            assert!(sentence.ends_with('.') && sentence.starts_with(char::is_uppercase));
        }
    }
}
