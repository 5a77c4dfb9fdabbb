//! Lessons in stages: every shipped position fits its stage by the table, and counts agree with plain enumerations.

use lucena_base::progress::NoObserver;
use lucena_chess::{Position, Side, Square};
use lucena_explain::lesson::{Claim, Fact, FactCount, MethodMoves, Stage, StagedLesson};
use lucena_proof::policy::with_weak_to_move;
use lucena_roster::{BuiltIn, built_in_players};
use lucena_tablebase::{Outcome, TableFolder, Tablebase};
use lucena_test_support::tables::{KPVK, KRVK, material};

/// The most moves in which the measure has to reach the goal of a stage.
const REACHED_WITHIN: usize = 60;

fn each(check: impl Fn(&Tablebase, &'static StagedLesson, usize, &'static Stage)) {
    for material in StagedLesson::materials() {
        let table =
            TableFolder::in_memory().tablebase(material, &NoObserver).expect("it is solved");
        let lesson = StagedLesson::of(material).expect("it is carried");
        for (number, stage) in (1..).zip(&lesson.stages) {
            check(&table, lesson, number, stage);
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_position_fits_its_stage() {
    each(|table, lesson, number, stage| {
        let policy = BuiltIn::smallest_measure(lesson.material).expect("it is carried");
        let place = format!("{}, stage {number}", lesson.material);
        let is_won = |position: &Position| {
            matches!(
                (table.outcome(position), position.turn()),
                (Outcome::Win(_), Side::Strong) | (Outcome::Loss(_), Side::Weak)
            )
        };
        assert!(is_won(&stage.board), "{place}: the board is won");
        let exercise = &stage.exercise;
        assert!(is_won(&exercise.position), "{place}: the exercise is won");
        let right = exercise.right_moves(table);
        assert!(!right.is_empty(), "{place}: a move is right");
        assert!(right.len() < exercise.position.moves().len(), "{place}: a move is wrong");
        for mv in &right {
            let after = exercise.position.play(*mv).expect("legal");
            assert!(matches!(table.outcome(&after), Outcome::Loss(_)), "{place}: {mv} wins");
        }
        let game = &stage.game;
        assert!(is_won(&game.start), "{place}: the game is won");
        assert!(game.from.iter().all(|range| range.holds(&game.start)), "{place}: the game fits");
        let read = with_weak_to_move(&game.start);
        assert!(!game.goal.is_reached(lesson.material, &read), "{place}: the game is not over");
        let line = stage.line_to_goal(&policy, table, REACHED_WITHIN);
        let line = line.unwrap_or_else(|| panic!("{place}: the goal is reached"));
        let mut position = game.start;
        for mv in line {
            position = position.play(mv).expect("legal");
        }
        assert!(game.goal.is_reached(lesson.material, &position), "{place}: the line ends there");
        let others = game.positions(table);
        assert!(others.len() >= 100, "{place}: there are further games");
        assert!(others.iter().all(|(position, _)| is_won(position)), "{place}");
    });
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_method_that_teaches_reaches_the_goal_of_every_stage_from_all_its_positions() {
    each(|table, lesson, number, stage| {
        let players = built_in_players(lesson.material);
        let models = players.iter().filter_map(|player| player.built_in(lesson.material));
        let mut methods = 0;
        for built_in in models {
            let model = built_in.endgame_model();
            let policy = model.policy(table).expect("it plays");
            let place = format!("{}, stage {number}, {}", lesson.material, built_in.name);
            let mut moves = MethodMoves::new(&stage.game, policy.as_ref(), table);
            for (position, outcome) in stage.game.positions(table) {
                let taken = moves.most(&position);
                let taken = taken.unwrap_or_else(|| panic!("{place}: {position} misses the goal"));
                if stage.ends_in_mate() {
                    let best = outcome.moves_to_win().expect("it is won");
                    assert!(taken >= best, "{place}: {position} in {taken}");
                }
            }
            methods += 1;
        }
        assert!(methods > 0, "{}: nothing teaches", lesson.material);
    });
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_is_proved_holds_everywhere_or_says_how_often() {
    let mut proved = 0;
    each(|table, lesson, number, stage| {
        for claim in &stage.claims {
            let Claim::Proved(fact) = claim else { continue };
            let place = format!("{}, stage {number}: {}", lesson.material, fact.says);
            let count = fact.count(table);
            assert!(count.all > 0, "{place}");
            let words = count.in_words();
            assert!(words.ends_with(" drawn") || count.won == count.all, "{place}: {words}");
        }
        assert!(!stage.claims.is_empty(), "{number}");
    });
    for material in StagedLesson::materials() {
        let lesson = StagedLesson::of(material).expect("it is carried");
        let claims = lesson.stages.iter().flat_map(|stage| &stage.claims);
        proved += claims.filter(|claim| matches!(claim, Claim::Proved(_))).count();
    }
    assert!(proved >= 25, "{proved}");
}

/// The facts of a lesson, in order.
fn facts(name: &str) -> Vec<&'static Fact> {
    let lesson = StagedLesson::of(material(name)).expect("it is carried");
    let claims = lesson.stages.iter().flat_map(|stage| &stage.claims);
    let fact = |claim: &'static Claim| match claim {
        Claim::Proved(fact) => Some(fact),
        Claim::Advice(_) => None,
    };
    claims.filter_map(fact).collect()
}

/// Counts the positions of a king and a pawn against a king that fulfil a condition on the squares, each as file and
/// rank from 0, by placing the men everywhere.
fn enumerated(turn: Side, fits: impl Fn([(i32, i32); 3]) -> bool) -> FactCount {
    let mut count = FactCount { all: 0, won: 0, longest: None };
    let place = |square: Square| (square.file() as i32, square.rank() as i32);
    for king in Square::ALL {
        for pawn in Square::ALL {
            for weak in Square::ALL {
                let Ok(position) = position_of(turn, king, pawn, weak) else { continue };
                if !fits([king, pawn, weak].map(place)) {
                    continue;
                }
                count.all += 1;
                let outcome = KPVK.outcome(&position);
                if matches!(outcome, Outcome::Win(_) | Outcome::Loss(_)) {
                    count.won += 1;
                    count.longest = count.longest.max(outcome.moves());
                }
            }
        }
    }
    count
}

/// The position, read from a FEN, so that the rules decide whether it is legal.
fn position_of(turn: Side, king: Square, pawn: Square, weak: Square) -> Result<Position, ()> {
    let mut ranks = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            let square = Square::index(8 * rank + file);
            let men: Vec<char> = [(king, 'K'), (pawn, 'P'), (weak, 'k')]
                .into_iter()
                .filter(|(on, _)| *on == square)
                .map(|(_, man)| man)
                .collect();
            match men.as_slice() {
                [] => ranks.push('1'),
                [one] => ranks.push(*one),
                _ => return Err(()),
            }
        }
        if rank > 0 {
            ranks.push('/');
        }
    }
    let turn = if turn == Side::Strong { 'w' } else { 'b' };
    format!("{ranks} {turn} - - 0 1").parse().map_err(|_| ())
}

/// The moves of a king between two squares.
fn steps(one: (i32, i32), other: (i32, i32)) -> i32 {
    (one.0 - other.0).abs().max((one.1 - other.1).abs())
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn counts_of_pawn_endings_are_those_of_plain_enumerations() {
    let facts = facts("KPvK");
    let find = |says: &str| {
        let found = facts.iter().find(|fact| fact.says.starts_with(says));
        found.unwrap_or_else(|| panic!("{says}")).count(&KPVK)
    };
    // The key squares of a pawn that is not a rook's pawn: two ranks ahead on three files; from the fifth rank on, those
    // right ahead too; on the seventh rank, beside the pawn and beside the square of promotion.
    let on_key = |[king, pawn, _]: [(i32, i32); 3]| {
        let (aside, ahead) = ((king.0 - pawn.0).abs(), king.1 - pawn.1);
        let is_rook_pawn = pawn.0 == 0 || pawn.0 == 7;
        !is_rook_pawn
            && match pawn.1 {
                6 => aside == 1 && (0..=1).contains(&ahead),
                4.. => aside <= 1 && (1..=2).contains(&ahead),
                _ => aside <= 1 && ahead == 2,
            }
    };
    let key = enumerated(Side::Strong, on_key);
    assert_eq!(key, find("The white king stands on a key square"));
    assert_eq!((key.all, key.won), (8192, 8192));
    let faces = |[king, pawn, weak]: [(i32, i32); 3]| {
        let ahead = king.1 - pawn.1;
        (1..=2).contains(&ahead)
            && king.0 == pawn.0
            && weak.0 == pawn.0
            && (weak.1 - king.1).abs() == 2
            && (1..7).contains(&pawn.0)
    };
    let opposition = enumerated(Side::Weak, faces);
    assert_eq!(opposition, find("The white king is one or two ranks ahead"));
    assert_eq!((opposition.all, opposition.won), (78, 78));
    let without = enumerated(Side::Strong, faces);
    assert!(without.won < opposition.won, "{without:?}");
    let corner = |[_, pawn, weak]: [(i32, i32); 3]| {
        (pawn.0 == 0 || pawn.0 == 7) && steps(weak, (pawn.0, 7)) <= 1
    };
    let held = enumerated(Side::Strong, corner);
    assert_eq!(held, find("The pawn is a rook's pawn"));
    assert_eq!((held.all, held.won), (2394, 0));
    // The square of the pawn: the black king is farther from the square of promotion than the pawn, even if it moves
    // first.
    let outside = |[_, pawn, weak]: [(i32, i32); 3]| {
        let moves = if pawn.1 == 1 { 5 } else { 7 - pawn.1 };
        steps(weak, (pawn.0, 7)) > moves + 1
    };
    let run = enumerated(Side::Strong, outside);
    assert_eq!(run, find("The black king is outside the square, and White"));
    assert_eq!(run.won, run.all);
}

#[test]
fn every_position_of_the_rook_with_white_to_move_is_won() {
    let count = facts("KRvK")[0].count(&KRVK);
    assert_eq!(count, FactCount { all: 175_168, won: 175_168, longest: Some(16) });
    assert_eq!(
        count.in_words(),
        "all 175,168 such positions are won, with mate in 16 moves at most"
    );
}

#[test]
fn the_page_tells_proof_from_advice_and_asks_every_question() {
    let lesson = StagedLesson::of(material("KPvK")).expect("it is carried");
    let policy = BuiltIn::smallest_measure(material("KPvK")).expect("it is carried");
    let answers = lesson.answers(&KPVK, &NoObserver).expect("answers");
    let text = lesson.page(&answers, &policy, &KPVK).to_markdown();
    assert!(text.starts_with("# KPvK in 5 stages\n"), "{text}");
    assert!(text.contains("**\u{2713} Proved.** The white king stands on a key square"), "{text}");
    assert!(text.contains(": all 8,192 such positions are won, with mate in"), "{text}");
    assert!(text.contains("**\u{2192} Advice.** Draw the square in your mind"), "{text}");
    for (stage, answer) in lesson.stages.iter().zip(&answers.stages) {
        assert!(text.contains(&stage.exercise.question) && text.contains(&answer.reason));
        assert!(text.contains(&format!("`{}`", stage.exercise.position)));
        assert!(text.contains(&format!("until {}.", stage.game.done)));
    }
}

#[test]
fn a_text_that_cannot_be_read_names_its_line() {
    let text =
        "lesson You will mate.\n\nstage One\naim Mate.\nboard 8/8/8/3k4/8/8/8/K6R b - - 0 1\n";
    let error = |text: &str| {
        StagedLesson::parse(material("KRvK"), text).expect_err("it is not sound").to_string()
    };
    assert!(
        error(text).starts_with("line 5: a line \"exercise\" is expected here"),
        "{}",
        error(text)
    );
    let other = text.replace("K6R b", "K6Q b");
    assert!(error(&other).starts_with("line 5: the position is of KQvK"), "{}", error(&other));
    let unknown = format!("{text}proved Something\nwhen kRom <= 3\n");
    assert!(
        error(&unknown).contains("line 7: KRvK has no quantity kRom; perhaps kRoom"),
        "{}",
        error(&unknown)
    );
    let condition = format!("{text}proved Something\nwhen kRoom < 3\n");
    assert!(error(&condition).contains("line 7: \"kRoom < 3\" is no condition"));
}
