//! Lessons made from rules: every position fits its stage, by the rules and by the table.

use lucena_base::progress::NoObserver;
use lucena_chess::QUICK_MEN;
use lucena_explain::KnownRule;
use lucena_explain::lesson::RuleLesson;
use lucena_tablebase::Category;
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

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn exercises_have_right_and_wrong_moves_and_a_line_of_best_play() {
    let lessons = RuleLesson::materials().filter_map(RuleLesson::of);
    for lesson in lessons.filter(|lesson| lesson.material.men() <= QUICK_MEN) {
        let table = FOUR_MEN.tablebase(lesson.material, &NoObserver).expect("in memory");
        let page = lesson.page(Some(&table));
        assert_eq!(page.exercises.len(), lesson.stages.len());
        for exercise in &page.exercises {
            let position = &exercise.position;
            let before = table.outcome(position).wdl();
            let keeps = |mv| {
                let after = position.play(mv).expect("legal");
                table.outcomes(position).iter().any(|&(played, reached, outcome)| {
                    played == mv && reached == after && outcome.before_move().wdl() == before
                })
            };
            let (right, wrong): (Vec<_>, Vec<_>) =
                position.moves().into_iter().partition(|&mv| keeps(mv));
            assert!(!wrong.is_empty() && right.len() < 10, "{}: {position}", lesson.material);
            assert_eq!(exercise.solutions.len(), right.len(), "{position}");
            let said = exercise.explanation.plain();
            let is_won = said.contains("the win.");
            assert!(said.contains("keep"), "{said}");
            assert_eq!(is_won, said.contains("Against the best defence: "), "{said}");
        }
        let text = page.to_markdown();
        assert!(
            text.contains("Proved") && text.contains("no exception") && text.contains("Advice")
        );
        assert!(!text.contains("without the table"));
    }
}

#[test]
fn a_lesson_without_its_table_says_what_it_needs() {
    let lesson = RuleLesson::of("KRPvKR".parse().expect("a material")).expect("it is carried");
    let text = lesson.page(None).to_markdown();
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
