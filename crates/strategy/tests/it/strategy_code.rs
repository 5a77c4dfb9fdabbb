//! The source code of strategies: in every language it plays what the strategy selects, and its
//! attributes agree with those of the library.

use lucena_attributes::{Attribute, AttributeSet, Selection};
use lucena_chess::{Position, Side, Square};
use lucena_codegen::{EmitError, Language, emit};
use lucena_model::{
    Aim, Change, Column, Condition, Key, ModelKind, MoveCondition, MoveValues, Origin, Strategy,
    StrategyRule,
};
use lucena_proof::policy::{Policy, StrategyPolicy};
use lucena_roster::BuiltIn;
use lucena_test_support::programs::{Program, boards, some_boards, squares};
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::material;
use std::sync::Arc;

/// A strategy of an endgame.
fn strategy(name: &str, attributes: &[&str], rules: Vec<StrategyRule>) -> Strategy {
    let set = AttributeSet::named(material(name), attributes.iter().copied()).unwrap();
    let attributes = set.attributes().iter().map(Attribute::column).collect();
    Strategy::new(Origin::new(name), attributes, rules).unwrap()
}

/// A rule for all moves with these attributes as keys; those marked with `-` are minimised.
fn keys(names: &[&str]) -> (Vec<String>, Vec<StrategyRule>) {
    let aim = |name: &str| if name.starts_with('-') { Aim::Least } else { Aim::Greatest };
    let keys = names.iter().enumerate();
    let keys = keys.map(|(attribute, name)| Key { attribute, aim: aim(name) }).collect();
    let names = names.iter().map(|name| name.trim_start_matches('-').to_owned()).collect();
    (names, vec![StrategyRule { guard: vec![], keys }])
}

fn of_keys(name: &str, wanted: &[&str]) -> Strategy {
    let (names, rules) = keys(wanted);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    strategy(name, &names, rules)
}

/// The languages that are run here; tests/tools/exports.py runs JavaScript, which needs Node.
const HERE: [Language; 3] = [Language::Rust, Language::C, Language::Python];

/// The code after the emitted code: reads a line of squares, prints an answer.
fn driver(language: Language, name: &str, asked: &[&str]) -> String {
    let men = name.len() - 1;
    match (language, asked) {
        (Language::Rust, []) => format!(
            "fn main() {{ for line in std::io::stdin().lines() {{ let line = line.unwrap(); \
             let squares: Vec<u8> = line.split(' ').map(|word| word.parse().unwrap()).collect(); \
             match choose(<[u8; {men}]>::try_from(squares).unwrap()) {{ \
             Some((from, to, piece)) => println!(\"{{from}} {{to}} {{}}\", piece.unwrap_or('-')), \
             None => println!(\"none\") }} }} }}"
        ),
        (Language::Rust, asked) => {
            let values: Vec<String> =
                asked.iter().map(|attribute| format!("{attribute}(board)")).collect();
            format!(
                "fn main() {{ for line in std::io::stdin().lines() {{ let line = line.unwrap(); \
                 let mut squares: Vec<usize> = line.split(' ').map(|word| word.parse().unwrap()).collect(); \
                 squares.resize(Board::default().len(), 4); \
                 let board = Board::try_from(squares).unwrap(); println!(\"{{:?}}\", [{}]); }} }}",
                values.join(", ")
            )
        }
        (Language::C, asked) => {
            let read = "#include <stdio.h>\n#include <string.h>\nint main(void) { int at[5] = {0, 0, 0, 4, 4}; \
                        for (;;) {";
            let reads: String = (0..men)
                .map(|man| format!("if (scanf(\"%d\", &at[{man}]) != 1) return 0; "))
                .collect();
            if asked.is_empty() {
                return format!(
                    "{read} {reads} int from, to, piece; if ({}_move(at, &from, &to, &piece)) \
                     printf(\"%d %d %c\\n\", from, to, piece ? piece : '-'); else puts(\"none\"); }} }}",
                    name.to_lowercase()
                );
            }
            let prints: Vec<String> = asked
                .iter()
                .map(|attribute| format!("printf(\"%d\", {attribute}(board)); "))
                .collect();
            format!(
                "{read} {reads} Board board; memcpy(board.at, at, sizeof board.at); printf(\"[\"); {} \
                 puts(\"]\"); }} }}",
                prints.join("printf(\", \"); ")
            )
        }
        (Language::JavaScript, _) => unreachable!("it is not run here"),
        (Language::Python, []) => "import sys\nfor line in sys.stdin:\n    chosen = choose([int(word) for word in line.split()])\n    \
             print(*[\"-\" if part is None else part for part in chosen] if chosen else [\"none\"])\n"
            .into(),
        (Language::Python, asked) => {
            let values: Vec<String> =
                asked.iter().map(|attribute| format!("{attribute}(board)")).collect();
            format!(
                "import sys\nfor line in sys.stdin:\n    board = [int(word) for word in line.split()] + [4]\n    \
                 print([{}])\n",
                values.join(", ")
            )
        }
    }
}

/// The board as a position, with either side to move.
fn position(name: &str, board: &Board, turn: Side) -> Position {
    let squares: Vec<Square> = board.men.iter().map(|man| Square::index(man.at.into())).collect();
    Position::new(material(name), turn, &squares).unwrap()
}

/// Returns true if the weak side is neither stalemated nor able to capture.
fn is_safe(after: &Board) -> bool {
    let replies = after.moves();
    let takes = replies.iter().any(|reply| reply.2.men.len() < after.men.len());
    !takes && (!replies.is_empty() || after.is_check(false))
}

/// The move of a strategy, directly from the definition.
fn expected(strategy: &Strategy, set: &AttributeSet, board: &Board) -> String {
    let name = &strategy.origin().material;
    let roles = |board: &Board| board.men.iter().map(|man| man.role).collect::<String>();
    let row = |position: &Position| {
        let mut row = vec![0; set.attributes().len()];
        set.extract(position, &mut row);
        row
    };
    let moves = board.moves();
    let departs = |after: &Board| roles(after) != roles(board);
    let say = |(from, to, after): &(u8, u8, Board)| {
        let moved = after.men.iter().find(|man| man.at == *to).unwrap().role;
        let before = board.men.iter().find(|man| man.at == *from).unwrap().role;
        let piece = if moved == before { '-' } else { moved.to_ascii_lowercase() };
        format!("{from} {to} {piece}")
    };
    for heavy in ['Q', 'R'] {
        let wins = |after: &Board| {
            departs(after)
                && after.men.iter().filter(|man| !man.white).count() == 1
                && after.men.iter().any(|man| man.white && man.role == heavy)
                && is_safe(after)
        };
        if let Some(won) = moves.iter().find(|mv| wins(&mv.2)) {
            return say(won);
        }
    }
    let safe: Vec<_> = moves.iter().filter(|mv| !departs(&mv.2) && is_safe(&mv.2)).collect();
    if safe.is_empty() {
        return moves.first().map_or("none".into(), say);
    }
    let mover = |mv: &(u8, u8, Board)| board.men.iter().find(|man| man.at == mv.0).unwrap().role;
    let asked = MoveValues {
        before: row(&position(name, board, Side::Strong)),
        after: safe.iter().map(|mv| row(&position(name, &mv.2, Side::Weak))).collect(),
        movers: safe.iter().map(|mv| mover(mv)).collect(),
    };
    say(safe[strategy.select(&asked).tied[0]])
}

/// The moves of a strategy in some positions.
fn all_expected(strategy: &Strategy, boards: &[Board]) -> Vec<String> {
    let names = strategy.attributes().iter().map(|column| column.name.as_str());
    let set = AttributeSet::named(material(&strategy.origin().material), names).unwrap();
    boards.iter().map(|board| expected(strategy, &set, board)).collect()
}

/// The program of a strategy that plays, or that is asked for attributes.
fn program(strategy: &Strategy, language: Language, asked: &[&str]) -> Program {
    let source = emit(strategy, language).unwrap();
    let main = driver(language, &strategy.origin().material, asked);
    // A program that is asked for attributes answers about few boards.
    Program::new(&source, &main, language.extension(), u8::from(asked.is_empty()))
}

/// Compares the moves of a program in some positions with the expected ones.
fn plays(strategy: &Strategy, language: Language, boards: &[Board], expected: &[String]) {
    let lines: String = boards.iter().map(|board| squares(board) + "\n").collect();
    let answers = program(strategy, language, &[]).answers(&lines);
    assert_eq!(answers.len(), boards.len());
    for ((board, answer), expected) in boards.iter().zip(&answers).zip(expected) {
        assert_eq!(answer, expected, "{language:?} {}", board.fen());
    }
}

fn plays_the_strategy(strategy: &Strategy, language: Language, boards: &[Board]) {
    plays(strategy, language, boards, &all_expected(strategy, boards));
}

fn after(attribute: usize, low: u8, high: u8) -> MoveCondition {
    MoveCondition::After(Condition { attribute, low, high })
}

fn before(attribute: usize, low: u8, high: u8) -> MoveCondition {
    MoveCondition::Before(Condition { attribute, low, high })
}

fn least(attribute: usize) -> Key {
    Key { attribute, aim: Aim::Least }
}

/// Rules with guards of every kind.
fn guarded_rook() -> Strategy {
    let names = ["RBoxSides", "kMoves", "KkDistanceSum", "RGuarded", "KRSteps", "kInCheck"];
    let falls = MoveCondition::Change { attribute: 0, change: Change::Falls };
    let stays = MoveCondition::Change { attribute: 0, change: Change::DoesNotRise };
    let rules = vec![
        StrategyRule { guard: vec![after(5, 1, 1), after(1, 0, 0)], keys: vec![] },
        StrategyRule {
            guard: vec![falls, MoveCondition::Mover('R')],
            keys: vec![least(0), least(4)],
        },
        StrategyRule {
            guard: vec![before(2, 4, 14), stays],
            keys: vec![least(2), Key { attribute: 1, aim: Aim::Greatest }],
        },
        StrategyRule { guard: vec![after(3, 1, 1), before(4, 2, 6)], keys: vec![least(2)] },
    ];
    strategy("KRvK", &names, rules)
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_the_strategy() {
    let boards = some_boards("KRvK", 250);
    for language in HERE {
        let keys = of_keys("KRvK", &["-KRSteps", "-RBoxSides", "kMoves", "-KkDistanceSum"]);
        plays_the_strategy(&keys, language, &boards);
        plays_the_strategy(&guarded_rook(), language, &boards);
    }
}

/// Captures, promotions, equal men, a weak rook.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_other_endgames() {
    check_endgames(&[Language::C]);
    // Rules in which the moving piece matters, with pawns that may promote.
    let rules = vec![StrategyRule { guard: vec![MoveCondition::Mover('P')], keys: vec![] }];
    plays_the_strategy(
        &strategy("KPvK", &["KkSteps"], rules),
        Language::C,
        &some_boards("KPvK", 200),
    );
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_other_endgames_in_every_language() {
    check_endgames(&HERE);
}

fn check_endgames(languages: &[Language]) {
    let cases: [(&str, &[&str]); 5] = [
        ("KQvK", &["-kRoom", "-KkSteps", "QBoxSize"]),
        ("KPvK", &["-PPromotionSteps", "KkOpposition", "-KPSteps"]),
        ("KBBvK", &["-kRoom", "-B1B2Steps", "-KB1Steps", "B2EdgeSteps", "kCornerSteps"]),
        ("KBNvK", &["-kBRightCornerSteps", "-KNSteps", "kNKnightSteps"]),
        ("KQvKR", &["-krSteps", "-KkSteps", "-kRoom"]),
    ];
    for (name, wanted) in cases {
        let boards = some_boards(name, 60);
        for &language in languages {
            plays_the_strategy(&of_keys(name, wanted), language, &boards);
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_code_plays_the_strategy_in_every_position() {
    let all = boards("KRvK", 1);
    assert_eq!(all.len(), 175_168);
    let strategy = guarded_rook();
    let expected = all_expected(&strategy, &all);
    plays(&strategy, Language::Rust, &all, &expected);
    plays(&strategy, Language::C, &all, &expected);
    // Looking ahead takes long, above all in Python; in C the built-in strategies do it everywhere.
    let asked = ["kReady", "-KRSteps", "-RBoxSides", "kCovered", "-KHomeCornerSteps"];
    let ahead = of_keys("KRvK", &asked);
    for (language, every) in [(Language::Rust, 20), (Language::Python, 2_000)] {
        let some: Vec<Board> = all.iter().step_by(every).cloned().collect();
        plays_the_strategy(&ahead, language, &some);
        plays_the_strategy(&strategy, language, &some);
    }
    for name in ["KQvK", "KPvK"] {
        let strategy = of_keys(name, &["-KkSteps", "-kMoves"]);
        plays_the_strategy(&strategy, Language::C, &boards(name, 1));
    }
}

/// The moves of a policy in some positions.
fn chosen(policy: &StrategyPolicy, name: &str, boards: &[Board]) -> Vec<String> {
    let choose = |board: &Board| {
        let mv = policy.choose(&position(name, board, Side::Strong));
        mv.map_or("none".into(), |mv| {
            let piece = mv.promotion.map_or("-".into(), |piece| piece.to_string());
            format!("{} {} {piece}", mv.from as u8, mv.to as u8)
        })
    };
    boards.iter().map(choose).collect()
}

/// The policy of a strategy of this build.
fn policy_of(built_in: &BuiltIn) -> Arc<StrategyPolicy> {
    built_in.endgame_model().into_strategy().expect("a strategy")
}

fn has_four_men(built_in: &BuiltIn) -> bool {
    material(built_in.material).men() == 4
}

fn looks_ahead(built_in: &BuiltIn) -> bool {
    let ahead = AttributeSet::new(material(built_in.material), Selection::Ahead);
    let names: Vec<&str> = ahead.attributes().iter().map(Attribute::name).collect();
    let policy = policy_of(built_in);
    let mut asked = policy.strategy().attributes().iter();
    asked.any(|column| names.contains(&column.name.as_str()))
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_code_of_strategies_that_are_carried_plays_as_they_do() {
    for built_in in BuiltIn::all(ModelKind::Strategy) {
        let boards = some_boards(built_in.material, if has_four_men(built_in) { 25 } else { 500 });
        let expected = chosen(&policy_of(built_in), built_in.material, &boards);
        plays(policy_of(built_in).strategy(), Language::C, &boards, &expected);
    }
}

/// Attributes that look ahead, with their underlying attributes before them, after them, or not used at all.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_code_of_strategies_that_look_ahead_plays_as_they_do() {
    for (name, count, wanted) in [
        ("KRvK", 200, ["-RBoxSidesNext", "-RBoxSides", "-kRoom", "-kRoomNext"]),
        ("KPvK", 100, ["-kEscapesNext", "-kEscapes", "kCoveredNext", "-kEdgeSteps"]),
        ("KBBvK", 20, ["-kWallSizeNext", "-kWallSize", "-kCageNext", "-KkSteps"]),
    ] {
        let strategy = of_keys(name, &wanted);
        let boards = some_boards(name, count);
        let policy = StrategyPolicy::new(strategy.clone()).unwrap();
        let expected = chosen(&policy, name, &boards);
        plays(&strategy, Language::C, &boards, &expected);
        if name == "KRvK" {
            plays(&strategy, Language::Rust, &boards, &expected);
        }
    }
}

/// Attributes before a move are evaluated as if the weak side were to move, even if it could take the king.
#[test]
fn what_looks_ahead_in_check_is_read_alike() {
    let (_, rules) = keys(&["-KkSteps"]);
    let guarded = StrategyRule { guard: vec![before(1, 8, 8)], ..rules[0].clone() };
    let ready = StrategyRule { guard: vec![before(2, 0, 0)], keys: vec![] };
    let names = ["KkSteps", "kMovesNext", "kReady"];
    let strategy = strategy("KQvKR", &names, vec![guarded, ready]);
    // The strong king stands on a1, and the rook checks it from a8.
    let boards: Vec<Board> = (0..64)
        .flat_map(|queen| (0..64).map(move |king| [0, queen, king, 56]))
        .map(|squares| Board::new("KQvKR", &squares, true, true))
        .filter(|board| board.is_legal() && board.is_check(true))
        .step_by(7)
        .collect();
    assert!(boards.len() > 100);
    let policy = StrategyPolicy::new(strategy.clone()).unwrap();
    let expected = chosen(&policy, "KQvKR", &boards);
    plays(&strategy, Language::C, &boards, &expected);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_code_of_strategies_that_are_carried_plays_as_they_do_in_many_positions() {
    for built_in in BuiltIn::all(ModelKind::Strategy) {
        // Four men have millions of positions, and code that looks ahead takes a hundredth of a second in each.
        let every = match (has_four_men(built_in), looks_ahead(built_in)) {
            (true, _) => 4_001,
            (false, true) => 151,
            (false, false) => 1,
        };
        let boards = boards(built_in.material, every);
        let expected = chosen(&policy_of(built_in), built_in.material, &boards);
        plays(policy_of(built_in).strategy(), Language::C, &boards, &expected);
        plays(policy_of(built_in).strategy(), Language::Rust, &boards, &expected);
    }
}

/// The attributes of a selection that have source code, by name.
fn with_source(name: &str, set: &AttributeSet) -> Vec<String> {
    let names = set.attributes().iter().map(|attribute| attribute.name().to_owned());
    names.filter(|one| emit(&of_keys(name, &[one]), Language::C).is_ok()).collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_attributes_are_those_of_the_library() {
    check_attributes(&[Selection::All, Selection::Concepts], 40, &[Language::C, Language::Python]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn emitted_attributes_that_look_ahead_are_those_of_the_library() {
    // Python takes a second for a few boards.
    check_attributes(&[Selection::Ahead], 4, &[Language::C]);
    check_attributes(&[Selection::Ahead], 1, &[Language::Python]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn attributes_emitted_as_rust_are_those_of_the_library() {
    check_attributes(&[Selection::All, Selection::Concepts], 40, &[Language::Rust]);
    check_attributes(&[Selection::Ahead], 4, &[Language::Rust]);
}

/// Compares emitted attributes with those of the library, on this number of boards of each endgame.
fn check_attributes(selections: &[Selection], count: usize, languages: &[Language]) {
    for name in ["KRvK", "KQvK", "KPvK", "KBBvK", "KBNvK", "KQvKR"] {
        let sets = selections.iter().map(|part| AttributeSet::new(material(name), *part));
        let sets: Vec<AttributeSet> = sets.collect();
        let names: Vec<String> = sets.iter().flat_map(|set| with_source(name, set)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let set = AttributeSet::named(material(name), names.iter().copied()).unwrap();
        // An attribute is emitted if some key uses it; a rule may have any number of keys.
        let strategy = of_keys(name, &names);
        // Attributes describe positions with the weak side to move; some boards have none.
        let mut boards = some_boards(name, 4 * count);
        boards.iter_mut().for_each(|board| board.white_to_move = false);
        boards.retain(Board::is_legal);
        boards.truncate(count);
        assert_eq!(boards.len(), count);
        let lines: String = boards.iter().map(|board| squares(board) + "\n").collect();
        let values = boards.iter().map(|board| {
            let mut row = vec![0; names.len()];
            set.extract(&position(name, board, Side::Weak), &mut row);
            row
        });
        let values: Vec<Vec<u8>> = values.collect();
        for &language in languages {
            let answers = program(&strategy, language, &names).answers(&lines);
            assert_eq!(answers.len(), boards.len());
            for ((board, answer), row) in boards.iter().zip(answers).zip(&values) {
                let answer: Vec<u8> = answer
                    .trim_matches(['[', ']'])
                    .split(", ")
                    .map(|value| value.parse().unwrap())
                    .collect();
                for ((attribute, found), &value) in names.iter().zip(answer).zip(row) {
                    assert_eq!(found, value, "{language:?} {attribute} {}", board.fen());
                }
            }
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn attributes_of_pawnless_endgames_have_a_source() {
    for name in ["KRvK", "KQvK", "KBBvK", "KBNvK"] {
        for selection in [Selection::Location, Selection::Geometric, Selection::Strategic] {
            let set = AttributeSet::new(material(name), selection);
            assert_eq!(with_source(name, &set).len(), set.attributes().len(), "{name}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn concepts_and_what_looks_ahead_have_a_source() {
    for name in ["KRvK", "KQvK", "KPvK", "KBBvK", "KBNvK", "KQvKR"] {
        for selection in [Selection::Concepts, Selection::Ahead] {
            let set = AttributeSet::new(material(name), selection);
            let known = with_source(name, &set);
            let all = set.attributes().iter().map(Attribute::name);
            let missing: Vec<&str> =
                all.filter(|one| !known.iter().any(|two| two == one)).collect();
            assert!(missing.is_empty(), "{name}: {missing:?}");
        }
    }
}

#[test]
fn what_has_no_source_says_so() {
    let (_, rules) = keys(&["kNowhere"]);
    let column = Column::new("kNowhere", 0, 7, "a number");
    let unknown = Strategy::new(Origin::new("KRvK"), vec![column], rules).unwrap();
    let refused = emit(&unknown, Language::C).unwrap_err();
    let (kind, name, material) = (ModelKind::Strategy, "kNowhere".into(), "KRvK".into());
    assert_eq!(refused, EmitError::Column { kind, name, material });
    assert!(refused.to_string().contains("has no source code yet"), "{refused}");
    for name in ["KPvKP", "KPPvK", "KvK", "KRRRvK", "chess"] {
        let rules = vec![StrategyRule::default()];
        let strategy = Strategy::new(Origin::new(name), Vec::new(), rules).unwrap();
        let refused = emit(&strategy, Language::Rust).unwrap_err();
        assert_eq!(refused, EmitError::Material { kind, material: name.into() });
    }
}

#[test]
fn the_c_of_krvk_is_short_and_every_line_fits() {
    let policy = BuiltIn::smallest_strategy(material("KRvK")).unwrap();
    let strategy = policy.strategy();
    for language in Language::ALL {
        let source = emit(strategy, language).unwrap();
        assert_eq!(source, emit(strategy, language).unwrap());
        assert!(source.contains(&strategy.sha256()));
        assert!(language != Language::C || source.lines().count() <= 200);
        for line in source.lines() {
            assert!(line.len() <= 110 && line.trim_end() == line, "{line}");
        }
    }
}
