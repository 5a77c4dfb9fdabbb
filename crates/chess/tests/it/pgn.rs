//! PGN: the standard's own example, output of python-chess, games as people write them, and damaged
//! files.

use lucena_chess::pgn::{GameResult, PgnError, PgnGame, PgnProblem, PgnReader, Tags};
use lucena_chess::{FIFTY_MOVE_PLIES, Game};
use lucena_test_support::cases::{cases, random, repository};
use proptest::prelude::*;
use std::io::{self, BufReader, Read};

fn read(text: &[u8]) -> Result<Vec<PgnGame>, PgnError> {
    PgnReader::new(text).collect()
}

/// The moves of a game in UCI notation.
fn moves(game: &PgnGame) -> String {
    let moves = game
        .game
        .history()
        .map(|(board, mv)| cozy_chess::util::display_uci_move(board, mv).to_string());
    moves.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_example_of_the_standard_is_written_as_it_stands_there() {
    let text = std::fs::read(repository("tests/data/fischer_spassky.pgn")).expect("a file");
    let games = read(&text).expect("one game");
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].result, GameResult::Draw);
    assert_eq!(games[0].game.history().len(), 85);
    assert_eq!(games[0].tags.get("Date"), Some("1992.11.04"));
    assert_eq!(games[0].to_string().as_bytes(), text);
}

#[test]
fn games_of_python_chess_end_as_it_says() {
    let text = std::fs::read(repository("tests/data/python_chess.pgn")).expect("a file");
    let games = read(&text).unwrap_or_else(|error| panic!("{error}"));
    let expected = cases("python_chess_games.csv");
    assert_eq!(games.len(), expected.len());
    for ((number, game), [result, plies, fen]) in (1..).zip(&games).zip(expected) {
        assert_eq!(game.result.to_string(), result);
        assert_eq!(game.game.history().len().to_string(), plies, "game {number}");
        assert_eq!(game.game.to_string(), fen, "game {number}");
        assert_eq!(game.tags.get("White"), Some("Müller, J."));
        assert_eq!(game.tags.get("Round"), Some(number.to_string().as_str()));
    }
}

#[test]
fn games_are_read_as_people_write_them() {
    for [text, uci, result] in cases("read_pgns.csv") {
        let text = text.replace('|', "\n");
        for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}\n\n\n")] {
            let games = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(games.len(), 1, "{text}");
            assert_eq!(moves(&games[0]), uci, "{text}");
            assert_eq!(games[0].result.to_string(), result, "{text}");
        }
        let game = read(text.as_bytes()).expect("it was read").remove(0);
        let written = game.to_string();
        let again = read(written.as_bytes()).unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!((again.as_slice(), again[0].to_string()), (&[game][..], written));
    }
}

#[test]
fn tags_are_read_in_both_encodings() {
    let utf_8 = read("[White \"Réti\"]\n\n*\n".as_bytes()).expect("a game");
    let latin = read(b"[White \"R\xe9ti\"]\n\n*\n").expect("a game");
    for games in [utf_8, latin] {
        assert_eq!(games[0].tags.get("White"), Some("Réti"));
    }
    let quoted = read(b"[White \"A \\\"B\\\" \\\\ C\"]\n*").expect("a game");
    assert_eq!(quoted[0].tags.get("White"), Some(r#"A "B" \ C"#));
    assert!(quoted[0].to_string().contains(r#"[White "A \"B\" \\ C"]"#));
}

#[test]
fn comments_to_the_end_of_a_line_are_read_past() {
    let games = read(b"1. e4 ; 1... d5 {\ne5 *").expect("a game");
    assert_eq!(moves(&games[0]), "e2e4 e7e5");
}

#[test]
fn damage_is_told_with_its_line_and_game() {
    for [text, line, game, words] in cases("damaged_pgns.csv") {
        let text = text.replace('|', "\n");
        let mut games = PgnReader::new(text.as_bytes());
        let error = games.find_map(Result::err).unwrap_or_else(|| panic!("{text} is read"));
        let found = (error.line.to_string(), error.game.to_string());
        assert_eq!(found, (line.clone(), game.clone()), "{text}: {error}");
        let error = error.to_string();
        assert!(error.starts_with(&format!("line {line}, game {game}: ")), "{error}");
        assert!(error.contains(&words), "{error}");
        // The rest of the file comes to an end.
        assert!(games.count() < 3);
    }
}

#[test]
fn what_is_not_as_in_the_standard_is_read_with_a_warning() {
    for [text, uci, result, expected] in cases("peculiar_pgns.csv") {
        let text = text.replace('|', "\n");
        let mut reader = PgnReader::new(text.as_bytes());
        let games: Result<Vec<PgnGame>, PgnError> = reader.by_ref().collect();
        let games = games.unwrap_or_else(|error| panic!("{text}: {error}"));
        let warnings: Vec<String> = reader.log().warnings().map(ToString::to_string).collect();
        assert_eq!(games.len(), 1, "{text}");
        let found = (moves(&games[0]), games[0].result.to_string());
        assert_eq!(found, (uci, result), "{text}");
        let expected: Vec<&str> = expected.split(" & ").filter(|words| !words.is_empty()).collect();
        assert_eq!(warnings.len(), expected.len(), "{text}: {warnings:?}");
        for (warning, words) in warnings.iter().zip(expected) {
            assert!(warning.contains(words), "{text}: {warning}, not {words}");
        }
        // What is written is as in the standard, and keeps the glyphs.
        let written = games[0].to_string();
        let mut again = PgnReader::new(written.as_bytes());
        assert_eq!(again.next().expect("a game").expect("sound PGN"), games[0], "{written}");
        assert_eq!(again.log().warnings().next(), None, "{written}");
    }
}

#[test]
fn signs_and_comments_are_kept() {
    let text = "{a file} [Event \"a\"]\n\n1. e4 \u{b1} e5 N 2. Nf3?! = {good} 1-0 {resigns}\n";
    let game = read(text.as_bytes()).expect("a game").remove(0);
    let glyphs: Vec<&[u8]> = game.remarks.behind.iter().map(|mv| mv.glyphs.as_slice()).collect();
    assert_eq!(glyphs, [&[16][..], &[146], &[6, 10]]);
    let text = game.to_string();
    assert!(
        text.contains("{a file} 1. e4 $16 e5 $146 2. Nf3 $6 $10 {good} {resigns} 1-0"),
        "{text}"
    );
}

#[test]
fn quotes_within_a_tag_are_read() {
    let tags = [
        (r#"[Event "5th "Sample" International"]"#, r#"5th "Sample" International"#, 1),
        (r#"[Event "a "b""]"#, r#"a "b""#, 1),
        (r#"[Event "a \"b\" \\ c"]"#, r#"a "b" \ c"#, 0),
        (r#"[Event "C:\games\"]"#, r"C:\games\", 0),
        (r#"[Event "C:\dir"] [White "b"]"#, r"C:\dir", 0),
        (r#"[Event "a"] [White "b"]"#, "a", 0),
    ];
    for (tag, expected, told) in tags {
        let text = format!("{tag}\n\n1. e4 *\n");
        let mut reader = PgnReader::new(text.as_bytes());
        let games: Vec<PgnGame> = reader.by_ref().collect::<Result<_, _>>().expect("a game");
        let warnings = reader.log().warnings().count();
        assert_eq!((games[0].tags.get("Event"), warnings), (Some(expected), told), "{tag}");
        assert_eq!(read(games[0].to_string().as_bytes()).expect("a game"), games);
    }
}

#[test]
fn a_damaged_game_costs_no_other() {
    let damage = [
        "[Event \"x\"]\n\n1. e4 {open\n\n",
        "[Event \"x\"]\n\n1. e4 (1. d4\n\n",
        "[Event \"x\"]\n[FEN \"8/8/8/8 w\"]\n[White \"y\"]\n\n1. e4 *\n\n",
        "[Event \"x\"]\n\n1. e4 Ke4 {\n[White \"x\"]\n} *\n\n",
        "[Event \"x\"]\n\n1. e4 Ke4 *\n\n",
        "[Event \"x\"]\n[Variant \"Atomic\"]\n\n1. e4 {a\n[Event] } *\n\n",
        "[Event \"x\"]\n[Variant \"Atomic\"]\n\n",
    ];
    for damaged in damage {
        let text = format!("[Event \"a\"]\n\n1. d4 *\n\n{damaged}[Event \"b\"]\n\n1. c4 *\n");
        let read: Vec<Option<String>> = PgnReader::new(text.as_bytes())
            .map(|game| game.ok().map(|game| moves(&game)))
            .collect();
        assert_eq!(read, [Some("d2d4".into()), None, Some("c2c4".into())], "{text}");
    }
    // The tag Event need not be the first.
    let text = "[FEN \"8/8 w\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. c4 *\n\n[FEN 8]\n\n1. e4 *\n\n[White \"c\"]\n1. d4 *";
    let read: Vec<Option<String>> =
        PgnReader::new(text.as_bytes()).map(|game| game.ok().map(|game| moves(&game))).collect();
    assert_eq!(read, [None, Some("c2c4".into()), None, Some("d2d4".into())]);
    // A result alone is no game.
    let games: Vec<PgnGame> =
        PgnReader::new(b"1. e4 1-0\n\n1-0\n\n[Event \"a\"]\n\n1. d4 *\n*\n" as &[u8])
            .collect::<Result<_, _>>()
            .expect("games");
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["e2e4", "d2d4"]);
    // Games without tags, and a line that is too long for memory.
    let long = format!("1. e4 {{{}}} *\n", "x".repeat(1 << 21));
    for damaged in ["1. Ke4 *\n", &long] {
        let text = format!("1. d4 *\n\n{damaged}\n1. c4 *\n");
        let read: Vec<bool> = PgnReader::new(text.as_bytes()).map(|game| game.is_ok()).collect();
        assert_eq!(read, [true, false, true], "{damaged:.20}");
    }
}

/// Games without tags and results follow one another after an empty line.
#[test]
fn games_without_tags_are_divided() {
    for end in ["\n", "\r\n", "\r"] {
        let text = "1. e4 e5\n2. Nf3 ; a remark\n\n1. d4 {1. c4\n\n1. b4} d5\n\n2. c4 *\n1. f4 *\n";
        let games = read(text.replace('\n', end).as_bytes()).expect("games");
        let found: Vec<String> = games.iter().map(moves).collect();
        assert_eq!(found, ["e2e4 e7e5 g1f3", "d2d4 d7d5 c2c4", "f2f4"], "{end:?}");
    }
}

/// A comment may be wrapped so that a line would look like the next game, and joiners belong to its text.
#[test]
fn comments_are_written_as_they_were_read() {
    for words in 0..40 {
        let comment = format!("{}[Event \"Linares\"] and 👨‍👩‍👧", "ab ".repeat(words));
        let text = format!("1. e4 {{{comment}}} *\n");
        let game = read(text.as_bytes()).expect("a game").remove(0);
        assert_eq!(game.remarks.behind[0].comments, [comment]);
        assert_eq!(read(game.to_string().as_bytes()).expect("a game"), [game]);
    }
}

/// A comment in braces ends at the first closing brace.
#[test]
fn braces_in_comments_are_kept() {
    let comments = [
        ("1. e4 {a { b} *", "a { b"),
        ("1. e4 {{{[%clk 0:01:00] {} *", "{{[%clk 0:01:00] {"),
        ("1. e4 ;a } b {c}\n*", "a } b {c}"),
    ];
    for (text, comment) in comments {
        let game = read(text.as_bytes()).expect("a game").remove(0);
        assert_eq!(game.remarks.behind[0].comments, [comment], "{text}");
        let written = game.to_string();
        assert_eq!(read(written.as_bytes()).expect("a game"), [game], "{written}");
    }
    let game = read(b";a } b\n1. e4 *").expect("a game").remove(0);
    assert_eq!(game.remarks.before, ["a } b"]);
    assert_eq!(read(game.to_string().as_bytes()).expect("a game"), [game]);
    let game = read(b"1. e4 (1. d4 {a { b} d5) *").expect("a game").remove(0);
    assert_eq!(game.remarks.behind[0].variations, ["(1. d4 {a { b} d5)"]);
}

/// A line that begins with a percent sign is escaped: other programs leave it out.
#[test]
fn no_line_of_a_remark_that_is_written_is_escaped() {
    for words in 0..90 {
        let words = "x ".repeat(words);
        let text = format!("1. e4 {{{words}%1 %2}} (1. d4 {words}%3 %4) *\n");
        let game = read(text.as_bytes()).expect("a game").remove(0);
        let written = game.to_string();
        assert!(written.lines().all(|line| !line.starts_with('%')), "{written}");
        assert_eq!(read(written.as_bytes()).expect("a game"), [game]);
    }
}

#[test]
fn utf_16_is_told_by_name() {
    let error = read(b"\xff\xfe1\0.\0 \0e\x004\0").expect_err("UTF-16");
    assert!(error.to_string().contains("UTF-16"), "{error}");
}

#[test]
fn games_behind_a_damaged_one_are_read() {
    let text = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[White \"x\"]\n\n1. Ke5 d5 {\n[Event] }\n*\n\n\
                [Event \"c\"]\n\n1. d4 *\n\n[Event \"d\"]\n\n1. c4\n\n[Event \"e\"]\n\n1. b4 *\n";
    let read: Vec<Result<String, u64>> = PgnReader::new(text.as_bytes())
        .map(|game| game.map(|game| moves(&game)).map_err(|error| error.game))
        .collect();
    let good = |moves: &str| Ok(moves.to_owned());
    assert_eq!(read, [good("e2e4"), Err(2), good("d2d4"), good("c2c4"), good("b2b4")]);
}

/// A file with a read error before its end.
struct FailingReader<'a>(&'a [u8]);

impl Read for FailingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the disk is gone")),
            some => Ok(some),
        }
    }
}

#[test]
fn files_that_cannot_be_read_on_end_there() {
    let mut games = PgnReader::new(BufReader::new(FailingReader(b"1. e4 *\n\n1. d4")));
    assert!(games.next().is_some_and(|game| game.is_ok()));
    let error = games.next().expect("something").expect_err("the disk is gone");
    assert!(matches!(error.problem, PgnProblem::Read(_)), "{error}");
    assert!(games.next().is_none());
    // A line without end does not fill the memory either.
    let mut games = PgnReader::new(BufReader::new(io::repeat(b'x')));
    let error = games.next().expect("something").expect_err("no game");
    assert!(matches!(error.problem, PgnProblem::EndlessLine), "{error}");
    assert!(games.next().is_none());
}

#[test]
fn tags_that_cannot_be_written_are_refused() {
    let mut tags = Tags::default();
    for (name, text) in [("", "x"), ("A b", "x"), ("A\"", "x"), ("A", "x\ny"), ("FEN", "x")] {
        assert!(tags.set(name, text).is_err(), "{name:?}");
    }
    assert_eq!(tags, Tags::default());
    tags.set("Round", "1").expect("a tag");
    tags.set("Round", "2").expect("a tag");
    assert_eq!(tags.get("Round"), Some("2"));
    assert_eq!(tags.iter().count(), 6);
}

/// A game of random moves from a position, chosen by the numbers.
fn played(fen: Option<&str>, choices: &[u16]) -> Game {
    let mut game: Game = fen.map_or(Game::new(), |fen| fen.parse().expect("a FEN"));
    for &choice in choices {
        let moves = game.moves();
        if moves.is_empty() || game.clock() >= FIFTY_MOVE_PLIES {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]).expect("a legal move");
    }
    game
}

proptest! {
    #![proptest_config(random(200))]

    #[test]
    fn what_is_written_is_read_again(
        start in prop::sample::select(vec![
            None,
            Some("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 17"),
            Some("8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 60"),
        ]),
        choices in prop::collection::vec(any::<u16>(), 0..150),
        white in "[ -~äЖ象]{0,120}",
        number in 0..4_usize,
    ) {
        let mut tags = Tags::default();
        tags.set("White", &white).expect("a text of one line");
        tags.set("Annotator", "?").expect("a tag");
        let result = ["1-0", "0-1", "1/2-1/2", "*"][number].parse().expect("a result");
        let game = PgnGame::new(tags, played(start, &choices), result);
        let text = game.to_string();
        let (_, movetext) = text.split_once("\n\n").expect("an empty line");
        prop_assert!(movetext.lines().all(|line| line.len() < 80), "{}", text);
        let two = format!("{text}{text}");
        prop_assert_eq!(read(two.as_bytes()).expect("two games"), [game.clone(), game]);
    }

    #[test]
    fn no_file_makes_the_reader_panic(bytes in prop::collection::vec(
        prop::sample::select(b"[]\"\\{}();%$*.!?-/+#=10 2\n\r\tEventxeNfOKQ48\xe9".to_vec()), 0..200,
    )) {
        // The reader comes to an end, with games or errors.
        prop_assert!(PgnReader::new(bytes.as_slice()).count() <= bytes.len() + 1);
    }
}
