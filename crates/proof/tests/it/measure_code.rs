//! The source code of measures: in every language it plays what the measure chooses.

use lucena_attributes::{Quantity, QuantitySet, Selection};
use lucena_chess::{Position, Side, Square};
use lucena_codegen::{EmitError, Language, emit};
use lucena_model::{Contribution, Goal, Horizon, Measure, ModelKind, Origin, QuantityColumn, Term};
use lucena_proof::measure::Score;
use lucena_proof::policy::{Decision, MeasurePolicy};
use lucena_test_support::cases::repository;
use lucena_test_support::programs::{Program, boards, some_boards, squares};
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::material;

/// The languages that are run by every test; the slow ones run JavaScript too, which needs Node.
const HERE: [Language; 3] = [Language::Rust, Language::C, Language::Python];

/// A measure that is checked in.
fn shipped(name: &str) -> Measure {
    let path = repository(&format!("data/measures/{name}.smallest.json"));
    Measure::from_json(&std::fs::read(path).unwrap()).unwrap()
}

/// A measure of quantities with weights.
fn measure(name: &str, look: u8, goal: Goal, secure: u8, weights: &[(&str, i32)]) -> Measure {
    let set = QuantitySet::named(material(name), weights.iter().map(|(name, _)| *name)).unwrap();
    let terms = set.quantities().iter().zip(weights).map(|(quantity, (_, weight))| Term {
        quantity: quantity.column(),
        contribution: Contribution::Weight(*weight),
    });
    Measure::new(Origin::new(name), Horizon { look, goal, secure }, terms.collect()).unwrap()
}

/// The code after the emitted code: reads a line of squares, prints the score and the moves.
fn driver(language: Language, name: &str) -> String {
    let men = name.len() - 1;
    match language {
        Language::Rust => format!(
            "fn main() {{ let mut table: Box<Table> = vec![0; 4 * PLACES].try_into().unwrap(); \
             let mut moves = [(0, 0, None); MOST_MOVES]; \
             for line in std::io::stdin().lines() {{ let line = line.unwrap(); \
             let squares: Vec<u8> = line.split(' ').map(|word| word.parse().unwrap()).collect(); \
             let (count, score) = choose(<[u8; {men}]>::try_from(squares).unwrap(), &mut table, &mut moves); \
             print!(\"{{score}}\"); for (from, to, piece) in &moves[..count] {{ \
             print!(\" {{from}}-{{to}}{{}}\", piece.unwrap_or('.')) }} println!(); }} }}"
        ),
        Language::C => {
            let reads: String = (0..men)
                .map(|man| format!("if (scanf(\"%d\", &at[{man}]) != 1) return 0; "))
                .collect();
            format!(
                "#include <stdio.h>\nint main(void) {{ int at[{men}], score; Move moves[MOST_MOVES]; \
                 for (;;) {{ {reads} int count = {}_moves(at, moves, &score); printf(\"%d\", score); \
                 for (int one = 0; one < count; one++) printf(\" %d-%d%c\", moves[one].from, moves[one].to, \
                 moves[one].promotion ? moves[one].promotion : '.'); puts(\"\"); }} }}",
                name.to_lowercase()
            )
        }
        Language::JavaScript => "import { readFileSync } from \"node:fs\";\n\
             const answers = [];\n\
             for (const line of readFileSync(0, \"utf8\").trim().split(\"\\n\")) {\n\
             const [moves, score] = choose(line.split(\" \").map(Number));\n\
             answers.push([score, ...moves.map(([from, to, piece]) => `${from}-${to}${piece ?? \".\"}`)].join(\" \"));\n}\n\
             console.log(answers.join(\"\\n\"));\n"
            .into(),
        Language::Python => "import sys\nfor line in sys.stdin:\n    \
             moves, score = choose([int(word) for word in line.split()])\n    \
             print(score, *[f\"{one}-{other}{piece or '.'}\" for one, other, piece in moves])\n"
            .into(),
    }
}

/// The amount by which the emitted value is greater than that of the measure.
fn more(measure: &Measure) -> i64 {
    let less = measure.terms().iter().map(|Term { quantity, contribution }| match contribution {
        Contribution::Weight(weight) => i64::from(*weight.min(&0)) * i64::from(quantity.high),
        Contribution::Table(numbers) => numbers.iter().copied().min().unwrap_or(0).into(),
    });
    1 - less.sum::<i64>()
}

/// The answer in a position: the score as the program writes it, and the moves in its order.
fn expected(policy: &MeasurePolicy, name: &str, board: &Board) -> (Option<String>, Vec<String>) {
    let squares: Vec<Square> = board.men.iter().map(|man| Square::index(man.at.into())).collect();
    let position = Position::new(material(name), Side::Strong, &squares).unwrap();
    let decision = policy.decide(&position);
    let mut moves: Vec<String> = decision
        .tied()
        .iter()
        .map(|mv| {
            let piece = mv.promotion.map_or(".".into(), |piece| piece.to_string());
            format!("{}-{}{piece}", mv.from as u8, mv.to as u8)
        })
        .collect();
    moves.sort();
    let score = match decision {
        Decision::AtOnce(_) => Some("0".into()),
        Decision::Compared(looked) if looked.best < Score::HELD => {
            let moves = i64::from(looked.best.moves().unwrap()) + 1;
            let value = looked.best.value().map(|value| i64::from(value) + more(policy.measure()));
            Some((64 * value.unwrap_or(0) + moves).to_string())
        }
        _ => None,
    };
    (score, moves)
}

/// Compares the moves and scores of the code of a measure with those of the measure.
fn check(measure: &Measure, languages: &[Language], boards: &[Board]) {
    let name = measure.origin().material.as_str();
    let policy = MeasurePolicy::from_checked(measure.clone()).unwrap();
    let expected: Vec<_> = boards.iter().map(|board| expected(&policy, name, board)).collect();
    let lines: String = boards.iter().map(|board| squares(board) + "\n").collect();
    for &language in languages {
        let source = emit(measure, language).unwrap();
        let program = Program::new(&source, &driver(language, name), language.extension(), 2);
        let answers = program.answers(&lines);
        assert_eq!(answers.len(), boards.len());
        for ((board, answer), (score, moves)) in boards.iter().zip(&answers).zip(&expected) {
            let mut words = answer.split(' ').map(String::from);
            let found = words.next().unwrap();
            let mut found_moves: Vec<String> = words.collect();
            found_moves.sort();
            assert_eq!(&found_moves, moves, "{language:?} {}", board.fen());
            if let Some(score) = score {
                assert_eq!(&found, score, "{language:?} {}", board.fen());
            }
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_the_measure() {
    check(&shipped("KRvK"), &[Language::Rust, Language::C], &some_boards("KRvK", 100));
    // Python takes a second for a few boards.
    let near = measure("KRvK", 1, Goal::LaterMove, 0, &[("kRoom", 1), ("KkSteps", 3)]);
    check(&near, &HERE, &some_boards("KRvK", 4));
}

/// Captures, promotions, equal men, a weak rook, mating corners.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_other_endgames() {
    check_endgames(&[Language::C], 10);
}

#[test]
#[ignore = "slow, and needs Node: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_other_endgames_in_every_language() {
    check_endgames(&[Language::C, Language::Rust, Language::JavaScript], 300);
    check_endgames(&[Language::Python], 1);
}

fn check_endgames(languages: &[Language], count: usize) {
    use Goal::{AnyMove, LaterMove};
    let rook = [("kCageEdgeSteps", 1), ("kReach2CornerEdgeSum", 1)];
    let corner = [("KBeside", -500), ("kRoomCornerSquare", 1), ("kMatingCornerSum", 30)];
    let pawn = [("kRoomPromotionSteps", -1), ("KPKeySteps", 20)];
    let measures = [
        measure("KQvK", 2, AnyMove, 0, &[("kRoom", 1), ("KkSteps", 1)]),
        measure("KPvK", 1, LaterMove, 0, &[("PPromotionSteps", 4), ("kPSteps", -1)]),
        measure("KPvK", 2, AnyMove, 1, &pawn),
        measure("KBBvK", 2, AnyMove, 0, &[("kRoomCornerSum", 1)]),
        measure("KBNvK", 2, LaterMove, 0, &corner),
        measure("KBNvK", 1, AnyMove, 2, &[("kRaceKnightSteps", 1), ("NBeside", -3)]),
        measure("KQvKR", 1, AnyMove, 0, &[("kRoom", 1), ("krSteps", -7)]),
        measure("KQvKR", 1, LaterMove, 1, &rook),
    ];
    for measure in measures {
        check(&measure, languages, &some_boards(&measure.origin().material, count));
    }
}

/// Positions in which only some of the moves hold a draw, now or after the next moves.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_holds_the_draw() {
    let measure = measure("KQvKR", 1, Goal::AnyMove, 1, &[("kRoom", 1), ("krSteps", -7)]);
    let policy = MeasurePolicy::from_checked(measure.clone()).unwrap();
    let decision = |board: &Board| policy.decide(&board.fen().parse().unwrap());
    let is_held_now = |board: &Board| matches!(decision(board), Decision::Holding(_));
    let now: Vec<Board> =
        some_boards("KQvKR", 4_000).into_iter().filter(is_held_now).take(10).collect();
    assert_eq!(now.len(), 10);
    // Kc2 Qa1 against kc4 rf2 in check, and two like it: one move loses the queen for nothing, another for the rook.
    let later = [[10, 0, 26, 13], [1, 13, 7, 0], [11, 1, 27, 14]];
    let later = later.map(|squares| Board::new("KQvKR", &squares, true, true));
    for board in &later {
        let Decision::Compared(looked) = decision(board) else { panic!("{}", board.fen()) };
        assert!(looked.best == Score::HELD && looked.tied.len() < looked.moves.len());
    }
    let all = now.into_iter().chain(later).collect::<Vec<Board>>();
    check(&measure, &[Language::C, Language::Rust], &all);
}

/// A contribution for each value, some of them negative.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_adds_up_tables() {
    let steps = measure("KRvK", 2, Goal::AnyMove, 0, &[("KkSteps", 1), ("kRoom", 2)]);
    let mut terms = steps.terms().to_vec();
    terms[0].contribution = Contribution::Table(vec![3, -9, 4, 0, 12, 30, -2]);
    let measure = Measure::new(steps.origin().clone(), steps.horizon(), terms).unwrap();
    check(&measure, &[Language::C, Language::Rust], &some_boards("KRvK", 100));
}

#[test]
#[ignore = "slow, and needs Node: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_the_measure_in_every_position_of_three_men() {
    for name in ["KRvK", "KQvK"] {
        let all = boards(name, 1);
        check(&shipped(name), &[Language::C, Language::Rust, Language::JavaScript], &all);
        check(&shipped(name), &[Language::Python], &boards(name, 10_000));
    }
    let pawn =
        measure("KPvK", 2, Goal::AnyMove, 1, &[("kRoomPromotionSteps", -1), ("KPKeySteps", 20)]);
    check(&pawn, &[Language::C, Language::Rust, Language::JavaScript], &boards("KPvK", 1));
}

#[test]
#[ignore = "slow, and needs Node: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_the_measure_of_bishop_and_knight() {
    let shipped = shipped("KBNvK");
    let looking = |look| {
        shipped.with_horizon(Horizon { look, ..shipped.horizon() }).expect("it looks less far")
    };
    // Every fifteenth position, about a million of them.
    let boards = boards("KBNvK", 15);
    check(&looking(1), &[Language::C, Language::Rust], &boards);
    for (look, count) in [(2, 2_000), (4, 20)] {
        let boards = some_boards("KBNvK", count);
        check(&looking(look), &[Language::C, Language::Rust, Language::JavaScript], &boards);
    }
    check(&looking(1), &[Language::Python], &some_boards("KBNvK", 20));
    check(&shipped, &[Language::C, Language::Rust], &some_boards("KBNvK", 10));
}

/// All quantities with a source agree with the library: with no moves ahead, the score of the best move tells the value.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_quantities_are_those_of_the_library() {
    for name in ["KRvK", "KQvK", "KPvK", "KBBvK", "KBNvK", "KQvKR"] {
        let all = QuantitySet::new(material(name), Selection::Region);
        let names: Vec<String> = all.quantities().iter().map(Quantity::name).collect();
        let weight = |at: usize| if at % 3 == 1 { -1 } else { 1 } * (1 + at as i32 * 13 % 47);
        let weights = names.iter().enumerate().map(|(at, name)| (name.as_str(), weight(at)));
        let measure = measure(name, 0, Goal::AnyMove, 0, &weights.collect::<Vec<_>>());
        check(&measure, &[Language::C], &some_boards(name, 15));
    }
}

#[test]
fn what_has_no_source_says_so() {
    let unknown = |name: &str, quantity: &str| {
        let column =
            QuantityColumn { name: quantity.into(), low: 0, high: 7, meaning: "a number".into() };
        let term = Term { quantity: column, contribution: Contribution::Weight(1) };
        let measure = Measure::new(Origin::new(name), Horizon::default(), vec![term]).unwrap();
        emit(&measure, Language::C).unwrap_err()
    };
    let (kind, name, material) = (ModelKind::Measure, "kNowhere".into(), "KRvK".into());
    let quantity = EmitError::Column { kind, name, material };
    assert_eq!(unknown("KRvK", "kNowhere"), quantity);
    assert!(quantity.to_string().contains("has no source code yet"), "{quantity}");
    for name in ["KPvKP", "KPPvK", "KvK", "KRRRvK", "chess"] {
        let expected = EmitError::Material { kind, material: name.into() };
        assert_eq!(unknown(name, "kRoom"), expected);
    }
}

/// The greatest number of lines of the C of measures that are checked in.
const LINES_OF_C: [(&str, usize); 4] =
    [("KRvK", 132), ("KQvK", 152), ("KBBvK", 162), ("KBNvK", 152)];

#[test]
fn the_c_of_measures_is_short() {
    for (name, most) in LINES_OF_C {
        let lines = emit(&shipped(name), Language::C).unwrap().lines().count();
        assert!(lines <= most, "{name}: {lines} lines");
    }
}

#[test]
fn the_same_measure_gives_the_same_text_whose_lines_fit() {
    for name in ["KRvK", "KQvK", "KBBvK", "KBNvK"] {
        let measure = shipped(name);
        for language in Language::ALL {
            let source = emit(&measure, language).unwrap();
            assert_eq!(source, emit(&measure, language).unwrap());
            assert!(source.contains(&measure.sha256()));
            for line in source.lines() {
                assert!(line.len() <= 110 && line.trim_end() == line, "{line}");
            }
        }
    }
}
