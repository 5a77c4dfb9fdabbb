//! Rules without exceptions as reasons: the known positions of books, and the table in many positions.

use lucena_chess::{Color, Position};
use lucena_explain::KnownRule;
use lucena_tablebase::{Category, Wdl};
use lucena_test_support::cases::{cases, material};
use lucena_test_support::tables::{FOUR_MEN, verdicts};

fn told(fen: &str) -> Option<KnownRule> {
    KnownRule::of(&fen.parse().expect("a position"), Category::Unknown)
}

#[test]
fn the_positions_of_the_books_have_their_reasons() {
    for [fen, result, words] in cases("known_rules.csv") {
        let rule = told(&fen);
        if result == "-" {
            assert_eq!(rule, None, "{fen}");
            continue;
        }
        let rule = rule.unwrap_or_else(|| panic!("{fen} has a reason"));
        let KnownRule { sentence, positions, .. } = &rule;
        assert!(sentence.contains(&format!(": {result}. ")), "{fen}: {sentence}");
        assert!(sentence.contains(&*words), "{fen}: {sentence}");
        assert!(*positions > 0 && sentence.contains("no exception"), "{fen}: {sentence}");
    }
}

/// Who wins by a rule wins by the table, whichever side is the strong one.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn reasons_agree_with_the_table() {
    let mut seen = [0; 3];
    for name in ["KPvK", "KPvKP"] {
        let table = FOUR_MEN
            .tablebase(material(name), &lucena_base::progress::NoObserver)
            .expect("in memory");
        let sides = lucena_chess::Side::ALL.into_iter();
        let all = sides
            .flat_map(|side| table.canonical_positions(side).step_by(1_009).collect::<Vec<_>>());
        for (position, _) in all {
            for position in [position, position.with_colors_exchanged()] {
                let Some(rule) = KnownRule::of(&position, Category::Unknown) else { continue };
                let mover = position.color_to_move();
                let winner = match table.outcome(&position).wdl() {
                    Wdl::Win => Some(mover),
                    Wdl::Loss => Some(!mover),
                    Wdl::Draw => None,
                };
                let says = |text: &str| rule.sentence.contains(text);
                let claimed = [Color::White, Color::Black];
                for color in claimed {
                    if says(&format!("{color:?} wins")) {
                        assert_eq!(winner, Some(color), "{position}: {}", rule.sentence);
                        seen[0] += 1;
                    }
                    if says(&format!("{color:?} does not win")) {
                        assert_ne!(winner, Some(color), "{position}: {}", rule.sentence);
                        seen[1] += 1;
                    }
                }
                let exact = KnownRule::of(&position, verdicts(&position).before().category);
                seen[2] += usize::from(exact.is_some());
            }
        }
    }
    assert!(seen.iter().all(|&seen| seen >= 20), "{seen:?}");
}

#[test]
fn the_fifty_move_rule_and_captures_in_passing_silence_rules() {
    let running: Position = "8/8/8/7P/1k6/8/8/1K6 w".parse().expect("a position");
    assert!(KnownRule::of(&running, Category::Win).is_some());
    assert_eq!(KnownRule::of(&running, Category::CursedWin), None);
    let race = "8/8/8/8/Pp5k/8/8/7K b - ";
    assert!(told(&format!("{race}- 0 1")).is_some());
    assert_eq!(told(&format!("{race}a3 0 1")), None);
}
