//! The source code that solves endgames by itself: it says what the tables say, and compiles everywhere.

use lucena_chess::{Move, Position, Role, Side, Square};
use lucena_codegen::{EngineEndgames, EngineEndgamesError};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_test_support::cases::repository;
use lucena_test_support::programs::Program;
use lucena_test_support::tables::{material, solve};
use std::path::Path;
use std::process::{Command, Stdio};

/// Reads lines of a turn, the men as letters, and the squares of all men but the last. The answer has six letters for
/// each square of the last: the outcome, the distance in two, and the move, from `0` on.
const C_DRIVER: &str = r#"
#include <stdio.h>
int main(void) {
    static const char letters[] = "?PNBRQK??pnbrqk";
    char turn, name[8];
    while (scanf(" %c %7s", &turn, name) == 2) {
        lucena_position position;
        int i, square;
        position.turn = turn == 'b';
        position.count = (int)strlen(name);
        for (i = 0; i < position.count; i++) {
            position.man[i] = (unsigned char)(strchr(letters, name[i]) - letters);
            if (i + 1 < position.count && scanf("%d", &square) == 1) position.square[i] = (unsigned char)square;
        }
        for (square = 0; square < 64; square++) {
            lucena_answer answer;
            position.square[position.count - 1] = (unsigned char)square;
            switch (lucena_best_move(&position, &answer)) {
            case LUCENA_ILLEGAL: fputs("X     ", stdout); break;
            case LUCENA_UNKNOWN: fputs("?     ", stdout); break;
            case LUCENA_OK:
                printf("%c%02d%c%c%c", "LDW"[answer.outcome + 1], answer.plies, '0' + answer.from + 1,
                       '0' + answer.to + 1, ".PNBRQ"[answer.promotion]);
            }
        }
        putchar('\n');
    }
    return 0;
}
"#;

/// The same in Rust.
const RUST_DRIVER: &str = r#"
fn main() {
    let mut memory = vec![7; BYTES];
    let mut endgames = Endgames::new(&mut memory).unwrap();
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        let turn = if words.next() == Some("w") { Color::White } else { Color::Black };
        let name = words.next().unwrap();
        let squares = words.map(|word| word.parse().unwrap()).chain([0]);
        let mut men: Vec<Man> = name.chars().zip(squares).map(|(letter, square)| Man {
            color: if letter.is_uppercase() { Color::White } else { Color::Black },
            role: match letter.to_ascii_uppercase() {
                'P' => Role::Pawn, 'N' => Role::Knight, 'B' => Role::Bishop,
                'R' => Role::Rook, 'Q' => Role::Queen, _ => Role::King,
            },
            square,
        }).collect();
        for square in 0..64 {
            men.last_mut().unwrap().square = square;
            match endgames.probe(turn, &men) {
                Err(Error::Illegal) => print!("X     "),
                Err(_) => print!("?     "),
                Ok((outcome, best)) => {
                    assert_eq!(endgames.outcome(turn, &men), Ok(outcome));
                    let (letter, plies) = match outcome {
                        Outcome::Win(plies) => ('W', plies),
                        Outcome::Draw => ('D', 0),
                        Outcome::Loss(plies) => ('L', plies),
                    };
                    let square = |square: u8| char::from(b'0' + square + 1);
                    let (from, to) = best.map_or(('0', '0'), |best| (square(best.from), square(best.to)));
                    let promotion = best.and_then(|best| best.promotion);
                    let promotion = promotion.map_or('.', |role| char::from(b".PNBRQ"[role as usize]));
                    print!("{letter}{plies:02}{from}{to}{promotion}");
                }
            }
        }
        println!();
    }
}
"#;

fn endgames(names: &[&str]) -> EngineEndgames {
    let materials: Vec<_> = names.iter().map(|name| material(name)).collect();
    EngineEndgames::new(&materials).unwrap()
}

/// The header with its implementation.
fn header(names: &[&str]) -> String {
    format!("#define LUCENA_IMPLEMENTATION\n{}", endgames(names).to_c())
}

/// Some positions: all squares of the last man, with a side to move.
struct Line {
    turn: Side,
    /// The squares of all men but the last, in the order in which the material is written.
    squares: Vec<u8>,
}

/// Every n-th line of an endgame.
fn lines(men: usize, every: usize) -> Vec<Line> {
    let others = men as u32 - 1;
    let numbers = (0..2 * 64_usize.pow(others)).step_by(every);
    numbers
        .map(|number| Line {
            turn: Side::ALL[number % 2],
            squares: (0..others).map(|man| (number / 2 / 64_usize.pow(man) % 64) as u8).collect(),
        })
        .collect()
}

/// What a program is asked: with the strong side as White, or as Black on the mirrored board.
fn asked(name: &str, line: &Line, is_white: bool) -> String {
    let (strong, weak) = name.split_once('v').unwrap();
    let turn = if (line.turn == Side::Strong) == is_white { 'w' } else { 'b' };
    let men = match is_white {
        true => strong.to_owned() + &weak.to_lowercase(),
        false => strong.to_lowercase() + weak,
    };
    let squares: String =
        line.squares.iter().map(|square| format!(" {}", square ^ mirror(is_white))).collect();
    format!("{turn} {men}{squares}\n")
}

fn mirror(is_white: bool) -> u8 {
    if is_white { 0 } else { 56 }
}

/// Checks an answer for one position, with the strong side as White.
fn check_answer(table: &Tablebase, line: &Line, last: u8, answer: &str, mirror: u8) {
    let squares: Vec<Square> =
        line.squares.iter().chain([&last]).map(|&square| Square::index(square.into())).collect();
    let Ok(position) = Position::new(table.material(), line.turn, &squares) else {
        assert_eq!(answer, "X     ", "{squares:?}");
        return;
    };
    let outcome = table.outcome(&position);
    let letter = match outcome {
        Outcome::Win(_) => 'W',
        Outcome::Draw => 'D',
        Outcome::Loss(_) => 'L',
    };
    let plies = outcome.plies().unwrap_or(0);
    assert_eq!(answer[..3], format!("{letter}{plies:02}"), "{position}");
    let bytes = answer.as_bytes();
    if bytes[3..] == *b"00." {
        assert!(!position.has_moves(), "{position}");
        return;
    }
    let square = |byte: u8| Square::index(usize::from((byte - b'1') ^ mirror));
    let promotion = match bytes[5] {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        _ => None,
    };
    let mv = Move { from: square(bytes[3]), to: square(bytes[4]), promotion };
    let after = position.play(mv).unwrap();
    assert_eq!(table.outcome(&after).before_move(), outcome, "{position} {mv}");
}

/// Compares every n-th line of an endgame with its table.
fn check(program: &Program, name: &str, every: usize, is_white: bool) {
    let table = solve(name);
    let lines = lines(table.material().men(), every);
    let text: String = lines.iter().map(|line| asked(name, line, is_white)).collect();
    let answers = program.answers(&text);
    assert_eq!(answers.len(), lines.len());
    let mirror = mirror(is_white);
    for (line, answer) in lines.iter().zip(&answers) {
        for last in 0..64 {
            let at = usize::from(last ^ mirror) * 6;
            check_answer(&table, line, last, &answer[at..at + 6], mirror);
        }
    }
}

#[test]
fn the_header_says_what_the_table_says_in_every_position_of_krvk() {
    let program = Program::new(&header(&["KRvK"]), C_DRIVER, "c", 2);
    check(&program, "KRvK", 1, true);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_crate_says_what_the_tables_say_in_every_position_of_three_men() {
    let names = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    let program =
        Program::new(&endgames(&names).to_rust().replace("#![no_std]", ""), RUST_DRIVER, "rs", 2);
    for name in names {
        check(&program, name, 1, name != "KPvK");
    }
    check(&program, "KPvK", 1, true);
}

/// Colours exchanged, pawns of either side, equal men, wins of the weak side.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_header_says_what_the_tables_say_in_some_positions_of_all_endgames() {
    let names: Vec<String> = [3, 4]
        .into_iter()
        .flat_map(lucena_chess::Material::of_men)
        .map(|one| one.to_string())
        .collect();
    let names: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| *name != "KPvKP").collect();
    assert_eq!(names.len(), 34);
    let program = Program::new(&header(&names), C_DRIVER, "c", 2);
    for name in names {
        check(&program, name, 331, true);
        check(&program, name, 337, false);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_header_says_what_the_tables_say_in_every_position_of_some_endgames_of_four_men() {
    let names = ["KBBvK", "KBNvK", "KQvKR"];
    let program = Program::new(&header(&names), C_DRIVER, "c", 2);
    for name in names {
        check(&program, name, 1, true);
    }
}

/// The engine of the examples, compiled in C and C++ by all compilers that are here, without warnings.
#[test]
fn an_engine_with_the_header_mates() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("lucena_endgames.h"), endgames(&["KRvK", "KPvK"]).to_c()).unwrap();
    let source = repository("codegen/examples/endgame_engine.c");
    for compiler in ["gcc -std=c99", "clang -std=c99", "g++ -x c++", "clang++ -x c++"] {
        let mut words = compiler.split(' ');
        let mut command = Command::new(words.next().unwrap());
        command.args(words).args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-I."]);
        command.args(["-o", "engine"]).arg(&source).current_dir(folder.path());
        match command.output() {
            Ok(output) => assert!(
                output.status.success() && output.stderr.is_empty(),
                "{compiler}: {output:?}"
            ),
            // Not every machine has clang.
            Err(error) => assert!(compiler.contains("clang"), "{compiler}: {error}"),
        }
    }
    let fen = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1";
    let mut moves = String::new();
    for ply in 0..21 {
        let said = said(&path("engine"), &format!("position fen {fen} moves{moves}\ngo\n"));
        let mate = if ply % 2 == 0 { 11 - ply / 2 } else { ply / 2 - 10 };
        assert!(said.contains(&format!(" score mate {mate}\n")), "{ply}: {said}");
        let best = said.split_once("bestmove ").expect("a move").1.trim();
        moves += &format!(" {best}");
    }
    let position: Position = fen.parse().unwrap();
    let end = moves.split_whitespace().fold(position, |position, mv| {
        let mv = position.moves().into_iter().find(|one| one.to_string() == mv).unwrap();
        position.play(mv).unwrap()
    });
    assert!(end.is_checkmate());
    let promoted = said(&path("engine"), "position fen 8/4P3/8/8/8/k7/8/2K5 w - - 0 1\ngo\n");
    assert!(promoted.ends_with("bestmove e7e8q\n"), "{promoted}");
    let unknown = said(&path("engine"), "position fen 8/8/8/8/8/1k6/8/KBN5 w - - 0 1\ngo\n");
    assert!(unknown.contains("no table of this endgame"), "{unknown}");
}

/// Memory of the user's own, as any pointer, in C and C++.
#[test]
fn the_header_takes_memory_as_a_pointer_of_any_type() {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "{}\n{}",
        "#include <stdlib.h>\nextern POINTER own_memory;\n#define LUCENA_MEMORY own_memory",
        header(&["KRvK"])
    );
    let bytes = endgames(&["KRvK"]).bytes();
    let main = format!(
        "POINTER own_memory;
int main(void) {{
    lucena_position position = {{0, 3, {{LUCENA_KING, LUCENA_ROOK, LUCENA_KING + LUCENA_BLACK}}, {{0, 2, 17}}}};
    lucena_answer answer;
    own_memory = (POINTER)malloc({bytes});
    return lucena_probe(&position, &answer) == LUCENA_OK && answer.plies == 21 ? 0 : 1;
}}
"
    );
    std::fs::write(folder.path().join("main.c"), source + &main).unwrap();
    for compiler in ["gcc -std=c99", "g++ -x c++"] {
        for pointer in ["void*", "char*", "unsigned char*", "int*"] {
            let mut words = compiler.split(' ');
            let mut command = Command::new(words.next().unwrap());
            command.args(words).arg(format!("-DPOINTER={pointer}"));
            command.args([
                "-pedantic",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-O1",
                "-o",
                "main",
                "main.c",
            ]);
            let output = command.current_dir(folder.path()).output().unwrap();
            assert!(output.status.success(), "{compiler}, {pointer}: {output:?}");
            let ran = Command::new(folder.path().join("main")).status().unwrap();
            assert!(ran.success(), "{compiler}, {pointer}");
        }
    }
}

/// The file in Rust as a module and within one, without warnings.
#[test]
fn the_module_compiles_by_mod_and_by_include() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let module = endgames(&["KRvK"]).to_rust_module();
    std::fs::write(path("lucena_endgames.rs"), module).unwrap();
    for (name, taken) in [
        ("by_mod.rs", "#![no_std]\npub mod lucena_endgames;\n"),
        (
            "by_include.rs",
            "#![forbid(unsafe_code)]\npub mod exact { include!(\"lucena_endgames.rs\"); }\n",
        ),
    ] {
        std::fs::write(path(name), taken).unwrap();
        let mut command = Command::new("rustc");
        command.args(["--edition=2021", "--crate-type=lib", "--emit=metadata", "-Dwarnings", name]);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What the engine says to some lines.
fn said(engine: &Path, lines: &str) -> String {
    let mut command = Command::new(engine);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn code_and_text_are_small_and_lists_are_checked() {
    let six = endgames(&["KRvK", "KQvK", "KPvK", "KBBvK", "KBNvK", "KQvKR"]);
    assert!(six.to_c().len() < 32_768 && six.to_rust().len() < 32_768);
    assert_eq!(six.bytes(), 16_254_208);
    let refusal = |names: &[&str]| {
        let materials: Vec<_> = names.iter().map(|name| material(name)).collect();
        EngineEndgames::new(&materials).unwrap_err()
    };
    assert_eq!(refusal(&[]), EngineEndgamesError::Empty);
    assert_eq!(refusal(&["KRvK", "KvKR"]), EngineEndgamesError::Twice(material("KRvK")));
    assert_eq!(refusal(&["KQPvKQ"]), EngineEndgamesError::Men(material("KQPvKQ")));
    assert_eq!(refusal(&["KPvKP"]), EngineEndgamesError::EnPassant(material("KPvKP")));
}
