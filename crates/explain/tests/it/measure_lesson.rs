//! Lessons about measures: the page is read back, and its statements are checked against plain values of the
//! number, the rules and the policy.

use lucena_base::plural::{grouped, percent};
use lucena_base::progress::NoObserver;
use lucena_chess::{Move, Position, Side};
use lucena_explain::lesson::{MeasureLesson, measure_rules_page, measure_text};
use lucena_explain::measure_sentences;
use lucena_model::{Horizon, ModelKind};
use lucena_proof::ProvedGame;
use lucena_proof::measure::LookedAhead;
use lucena_proof::policy::{Decision, MeasurePolicy, Policy};
use lucena_roster::BuiltIn;
use lucena_tablebase::Outcome;
use lucena_test_support::cases::cases;
use lucena_test_support::reference_attributes::{board_of, plain_value};
use lucena_test_support::tables::{KRVK, material};
use std::sync::{Arc, LazyLock};

static POLICY: LazyLock<Arc<MeasurePolicy>> = LazyLock::new(|| smallest("KRvK"));

static PAGE: LazyLock<String> = LazyLock::new(page);

fn smallest(name: &str) -> Arc<MeasurePolicy> {
    BuiltIn::smallest_measure(material(name)).expect("this build carries it")
}

fn page() -> String {
    MeasureLesson::new(&POLICY, &KRVK, &NoObserver).expect("a lesson").to_markdown()
}

/// The text below a second-level heading.
fn part(heading: &str) -> &'static str {
    let start = PAGE.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("{heading}"));
    let rest = &PAGE[start + heading.len() + 5..];
    &rest[..rest.find("\n## ").unwrap_or(rest.len())]
}

/// The positions of a part, each of which is below its board.
fn positions(part: &str) -> Vec<Position> {
    let lines = part.lines().filter_map(|line| line.split_once(" to move: `"));
    let lines = lines.map(|(_, fen)| fen);
    lines.map(|line| line.trim_end_matches('`').parse().expect("a position")).collect()
}

/// The number of the measure by its plain meaning: the room of the black king.
fn number(position: &Position) -> i32 {
    plain_value("kRoom", "KRvK", &board_of(position)).into()
}

/// The first number after some words.
fn number_after(text: &str, words: &str) -> i32 {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("{words} in {text}"));
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().unwrap_or_else(|_| panic!("a number after {words} in {text}"))
}

/// Plays the moves of a line such as "1. Ra4 Kd3 2. Kb2, and the number is 11.", and returns the last position.
fn played(start: &Position, line: &str) -> Position {
    let line = line.split_once(',').expect("the line ends").0;
    line.split(' ').filter(|word| !word.ends_with('.')).fold(*start, |position, san| {
        let mv = position.parse_move(san).unwrap_or_else(|error| panic!("{line}: {error}"));
        position.play(mv).expect("legal")
    })
}

/// The first word of a text that is a legal move.
fn first_move(position: &Position, text: &str) -> Move {
    let mut words = text.split(' ').map(|word| word.trim_end_matches([',', '.']));
    words.find_map(|word| position.parse_move(word).ok()).expect("a move")
}

#[test]
fn the_page_has_its_parts_and_is_the_same_each_time() {
    assert!(PAGE.starts_with("# KRvK: how to win by making a number small\n"));
    assert!(PAGE.contains("all 175,168 positions"));
    assert!(PAGE.contains("No game that White wins is cut short by the fifty-move rule."));
    for heading in [
        "The number",
        "How to choose a move",
        "What you can do in the head",
        "What to do first",
        "When the number does not fall at once",
        "How it ends",
        "The hardest position",
        "The longest game",
        "Exercises",
        "Solutions",
    ] {
        assert!(!part(heading).is_empty(), "{heading}");
    }
    assert_eq!(page(), *PAGE);
}

/// The stars are the squares that the number counts.
#[test]
fn the_number_is_what_is_counted_on_the_board() {
    let part = part("The number");
    let position = positions(part)[0];
    let stars = part.split("```").nth(1).expect("a board").matches('*').count();
    let said = number_after(part, "the number is ");
    assert_eq!(said, number(&position));
    // A star is drawn on an empty square only. The king could also reach the square of the rook, and take it.
    let rook = usize::from(part.contains(", where a man stands, belongs to it."));
    assert_eq!(stars + rook, usize::try_from(said).expect("it is not negative"));
}

/// A person who looks two moves ahead is told how often that is enough.
#[test]
fn what_can_be_done_in_the_head_is_counted() {
    let horizon = Horizon { look: 2, ..POLICY.measure().horizon() };
    let nearer = POLICY.measure().with_horizon(horizon).expect("it looks less far");
    let nearer = MeasurePolicy::new(nearer).expect("a policy");
    for policy in [&nearer, &*POLICY] {
        policy.prepare_everywhere(&NoObserver).expect("nobody stops it");
    }
    let (mut alike, mut all) = (0, 0);
    for (position, outcome) in KRVK.canonical_positions(Side::Strong) {
        let Outcome::Win(_) = outcome else { continue };
        let best = POLICY.choices(&position);
        all += 1;
        alike += u32::from(nearer.choices(&position).iter().all(|mv| best.contains(mv)));
    }
    let share = percent(f64::from(alike) / f64::from(all));
    let part = part("What you can do in the head");
    assert!(part.contains(&format!("In {share} of the positions")), "{share}: {part}");
    let proof = ProvedGame::new(&nearer, &KRVK)
        .expect("the table fits")
        .proof(&NoObserver)
        .expect("a proof");
    let won = grouped(proof.won);
    assert!(part.contains(&format!("surely wins {won} of the 175,168")), "{won}: {part}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn nobody_is_asked_to_learn_hundreds_of_numbers() {
    let tables =
        BuiltIn::find(ModelKind::Measure, material("KRvK"), "nearest").expect("it is built in");
    let policy = tables.endgame_model().into_measure().expect("a measure");
    let page = MeasureLesson::new(&policy, &KRVK, &NoObserver).expect("a lesson").to_markdown();
    assert!(policy.measure().numbers() > 100);
    assert!(page.contains("a number small, which adds up 24 terms."), "{page}");
    assert!(page.contains("This needs a computer"), "{page}");
    assert!(!page.contains("A person can do this in the head"), "{page}");
}

#[test]
fn the_best_move_is_told_with_what_it_forces() {
    let first = part("What to do first");
    let position = positions(first)[0];
    let best = first_move(&position, first.lines().last().expect("a text"));
    assert_eq!(POLICY.choices(&position).to_vec(), [best]);
    let after = position.play(best).expect("legal");
    assert_eq!(number_after(first, "forces "), number(&after));
    assert_eq!(number_after(first, "The number is "), number(&position));

    let late = part("When the number does not fall at once");
    let position = positions(late)[0];
    // Several moves may be best.
    let text = &late.lines().last().expect("a text").replace(" force ", " forces ");
    assert_eq!(number_after(text, "The number is "), number(&position));
    let Decision::Compared(LookedAhead { moves, .. }) = POLICY.decide(&position) else {
        panic!("{position}");
    };
    let least = moves.iter().map(|(_, after)| number(after)).min().expect("a move");
    assert!(text.contains(&format!("and {least} is the least that can stand right after it")));
    assert!(least > number(&position), "every move makes the number greater: {text}");
    let wanted = number_after(text, "forces ");
    assert!(wanted < number(&position), "{text}");
    let (_, line) = text.split_once("For example: ").expect("a line");
    assert_eq!(number(&played(&position, line)), wanted, "{text}");
    assert_eq!(
        line.matches(". ").count(),
        usize::try_from(number_after(text, &format!("forces {wanted} in "))).expect("a count")
    );
}

/// The line to mate is as long as it says.
#[test]
fn the_end_is_mate() {
    let part = part("How it ends");
    let position = positions(part)[0];
    let text = part.lines().last().expect("a text");
    assert_eq!(POLICY.choices(&position).to_vec(), [first_move(&position, text)]);
    let (_, line) = text.split_once("For example: ").expect("a line");
    assert!(played(&position, line).is_checkmate(), "{text}");
    let moves = number_after(text, "forces mate in ");
    assert_eq!(line.matches(". ").count(), usize::try_from(moves).expect("a count"));
    let Ok(Outcome::Win(plies)) = KRVK.probe(&position) else { panic!("{position}") };
    assert!(i32::from(plies) < 2 * moves, "{text}");
}

/// The game is played by the measure from the hardest position to the mate, and each number is the one on the board.
#[test]
fn the_game_can_be_played() {
    let part = part("The longest game");
    let mut position = positions(part)[0];
    assert_eq!(positions(self::part("The hardest position")), [position]);
    let rows = part.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| |"));
    let (mut moves, mut forced_numbers) = (0, Vec::new());
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let white = position.parse_move(cells[1]).expect("a legal move");
        let Decision::Compared(LookedAhead { best, tied, moves: safe }) = POLICY.decide(&position)
        else {
            panic!("{row}");
        };
        assert!(tied.iter().any(|&at| safe[at].0 == white), "{row}");
        let forced = best.value().map_or_else(String::new, |value| value.to_string());
        assert_eq!(cells[2], forced, "{row}");
        forced_numbers.extend(best.value());
        position = position.play(white).expect("legal");
        if cells[4].contains("; ") {
            assert_eq!(number_after(cells[4], "the number is "), number(&position), "{row}");
        }
        moves += 1;
        if !cells[3].is_empty() {
            let black = position.parse_move(cells[3]).expect("a legal reply");
            position = position.play(black).expect("legal");
        }
    }
    assert!(position.is_checkmate(), "{position}");
    let falls = forced_numbers.is_sorted_by(|one, next| one >= next);
    assert_eq!(part.contains("It never rises."), falls, "{forced_numbers:?}");
    let said = format!("The longest game takes {moves} moves.");
    assert!(PAGE.contains(&said), "{said}");
}

/// Each exercise has one solution; its line reaches the number, and the next best move forces a greater one.
#[test]
fn exercises_have_one_solution() {
    let exercises = positions(part("Exercises"));
    let solutions: Vec<&str> =
        part("Solutions").lines().filter(|line| line.contains(". ")).collect();
    assert_eq!((exercises.len(), solutions.len()), (6, 6));
    for (position, solution) in exercises.iter().zip(solutions) {
        let right = first_move(position, solution);
        assert_eq!(POLICY.choices(position).to_vec(), [right], "{solution}");
        let wanted = number_after(solution, " forces ");
        assert!(number_after(solution, "forces only ") > wanted, "{solution}");
        match solution.split_once("For example: ") {
            Some((_, line)) => assert_eq!(number(&played(position, line)), wanted, "{solution}"),
            None => assert_eq!(number(&position.play(right).expect("legal")), wanted, "{solution}"),
        }
    }
}

#[test]
fn measures_are_told_in_words() {
    for [name, words] in cases("measure_words.csv") {
        let policy = smallest(&name);
        assert_eq!(measure_sentences(&policy).len(), policy.measure().terms().len(), "{name}");
        let text = measure_text(&policy);
        assert!(text.contains(&words), "{words}: {text}");
        let page = measure_rules_page(&policy).to_markdown().replace(['*', '`'], "");
        assert!(page.contains(&words) || text.lines().next() == Some(&words), "{words}: {page}");
    }
}
