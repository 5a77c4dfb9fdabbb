//! Lessons made from rules: every position fits its stage, by the rules and by the table.

use lucena_base::progress::NoObserver;
use lucena_chess::QUICK_MEN;
use lucena_explain::KnownRule;
use lucena_explain::lesson::{RuleExercise, RuleLesson};
use lucena_rules::Claim;
use lucena_tablebase::{Category, Tablebase, Wdl};
use lucena_test_support::tables::FOUR_MEN;

#[test]
fn boards_are_decided_by_the_rules_of_their_stages() {
    let mut others: Vec<String> = Vec::new();
    for material in RuleLesson::materials() {
        let lesson = RuleLesson::of(material).expect("it is carried");
        assert!(lesson.stages.len() >= 3, "{material}");
        for (stage, board) in lesson
            .stages
            .iter()
            .flat_map(|stage| stage.boards.iter().map(move |board| (stage, board)))
        {
            let rule = KnownRule::of(board, Category::Unknown).map(|rule| rule.name);
            if !rule.as_ref().is_some_and(|rule| stage.rules.contains(rule)) {
                others.push(format!("{material}, {board}: {rule:?}"));
            }
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

/// The moves of each exercise that keep its result, by the table, are those of its text, and solutions of wins have lines.
fn compare_with(table: &Tablebase, lesson: &RuleLesson) {
    let page = lesson.page(Some(table));
    assert_eq!(page.exercises.len(), lesson.stages.len());
    for (stage, told) in lesson.stages.iter().zip(&page.exercises) {
        let RuleExercise { position, result, right, .. } = &stage.exercise;
        let before = table.outcome(position).wdl();
        let is_won = before == Wdl::Win;
        assert_eq!(*result == Claim::Win, is_won, "{position}");
        let kept = table.outcomes(position).into_iter();
        let kept = kept.filter(|(.., after)| after.before_move().wdl() == before);
        let mut kept: Vec<String> = kept.map(|(mv, ..)| mv.to_string()).collect();
        let mut written: Vec<String> = right.iter().map(ToString::to_string).collect();
        assert!(kept.len() < position.moves().len() && kept.len() < 13, "{position}");
        kept.sort_unstable();
        written.sort_unstable();
        assert_eq!(written, kept, "{position}");
        let said = told.explanation.plain();
        assert_eq!(is_won, said.contains("Against the best defence: "), "{said}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn exercises_have_the_right_moves_of_the_table() {
    let lessons = RuleLesson::materials().filter_map(RuleLesson::of);
    for lesson in lessons.filter(|lesson| lesson.material.men() <= QUICK_MEN) {
        let table = FOUR_MEN.tablebase(lesson.material, &NoObserver).expect("in memory");
        compare_with(&table, lesson);
    }
}

#[test]
#[ignore = "slow: solves an endgame of five men"]
fn exercises_of_rook_endings_have_the_right_moves_of_the_table() {
    let lesson = RuleLesson::of("KRPvKR".parse().expect("a material")).expect("it is carried");
    compare_with(&Tablebase::solve(lesson.material), lesson);
}

#[test]
fn a_move_that_is_not_legal_and_a_result_that_is_none_are_refused_with_their_line() {
    let material = "KPvK".parse().expect("a material");
    let text = include_str!("../../src/lesson/rule_stages/KPvK.txt");
    for (line, words) in [("keeps win Ka8", "Ka8"), ("keeps a4", "write win or draw")] {
        let text = text.replacen("keeps win a4", line, 1);
        let error = RuleLesson::parse(material, &text).expect_err(line).to_string();
        assert!(error.contains("line 12") && error.contains(words), "{error}");
    }
}

#[test]
fn a_lesson_without_its_table_says_what_it_needs() {
    let lesson = RuleLesson::of("KRPvKR".parse().expect("a material")).expect("it is carried");
    let text = lesson.page(None).to_markdown();
    assert!(text.contains("Kd8, Kf8, Rb1"), "exercises are solved: {text}");
    for words in ["solve KRPvKR --class dtz", "Lucena", "Philidor", "no exception", "Proved"] {
        assert!(text.contains(words), "{words}");
    }
}

#[test]
fn unknown_rules_and_missing_lines_are_refused_with_their_line() {
    let material = "KPvK".parse().expect("a material");
    let text = "lesson L\nstage S\naim A\nboard 8/8/8/7P/1k6/8/8/1K6 w - - 0 1\nrule none\n";
    let error = RuleLesson::parse(material, text).expect_err("no such rule").to_string();
    assert!(error.contains("line 5") && error.contains("none"), "{error}");
    let text = text.replace("rule none", "rule square-white\nexercise x");
    let error = RuleLesson::parse(material, &text).expect_err("no position").to_string();
    assert!(error.contains("line 6"), "{error}");
    let text = text.replace("exercise x", "method none");
    let error = RuleLesson::parse(material, &text).expect_err("no such method").to_string();
    assert!(error.contains("line 6") && error.contains("data/parts"), "{error}");
}

#[test]
fn a_method_comes_with_its_rules_and_where_it_holds() {
    let lesson = RuleLesson::of("KPvK".parse().expect("a material")).expect("it is carried");
    let text = lesson.page(None).to_markdown();
    let (_, method) = text.split_once("### The method in words").expect("one stage has a method");
    for words in [
        "By these rules Black holds",
        "against every move of White",
        "the pawn stands on the edge",
        "the centre",
    ] {
        assert!(method.contains(words), "{words}: {method}");
    }
}
