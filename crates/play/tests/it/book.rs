//! Opening books: the published keys, entries byte by byte, books made from games, and damaged books.

use lucena_base::progress::Observer;
use lucena_chess::pgn::PgnReader;
use lucena_chess::{Game, Move};
use lucena_play::book::{
    Book, BookBuilder, BookEntry, BookError, BookMoves, BookParams, SharedBook, polyglot_key,
};
use lucena_test_support::cases::{cases, random};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Mutex;

fn game_after(start: &str, moves: &str) -> Game {
    let mut game = if start == "start" { Game::new() } else { start.parse().expect("a FEN") };
    for text in moves.split_whitespace() {
        let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{error}"));
        game.play(mv).expect("a legal move");
    }
    game
}

#[test]
fn keys_are_as_published() {
    for [start, moves, key] in cases("polyglot_keys.csv") {
        let found = polyglot_key(game_after(&start, &moves).board());
        assert_eq!(format!("{found:016x}"), key, "{moves} from {start}");
    }
}

fn entry(key: u64, mv: &str, weight: u16) -> BookEntry {
    BookEntry { key, mv: mv.parse().expect("a move"), weight, learn: 0 }
}

#[test]
fn entries_are_written_as_the_format_says() {
    // File and rank of the target square, then of the source square, three bits each from the lowest bit
    // on; then the promotion: knight 1, bishop 2, rook 3, queen 4.
    for (mv, bits) in [
        ("e2e4", 0o1434_u16),
        ("g8f6", 0o7655),
        ("a1h8", 0o0077),
        ("e7e8n", 0o16474),
        ("e7e8b", 0o26474),
        ("e7e8r", 0o36474),
        ("e7e8q", 0o46474),
        // Castling is encoded as the king taking its rook.
        ("e1h1", 0o0407),
        ("e8a8", 0o7470),
    ] {
        let key = 0x0123_4567_89ab_cdef;
        let learn = 0xdead_beef;
        let book = Book::new(vec![BookEntry { learn, ..entry(key, mv, 0x1234) }]);
        let [high, low] = bits.to_be_bytes();
        let expected = [
            0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, high, low, 0x12, 0x34, 0xde, 0xad,
            0xbe, 0xef,
        ];
        assert_eq!(book.to_bytes(), expected, "{mv}");
        assert_eq!(Book::from_bytes(&expected), Ok(book), "{mv}");
    }
}

#[test]
fn damaged_books_are_refused() {
    let (low, high) = (entry(1, "e2e4", 1), entry(2, "e2e4", 1));
    let sorted = Book::new(vec![high, low]).to_bytes();
    assert!(Book::from_bytes(&sorted).is_ok());
    let refused = |bytes: &[u8]| Book::from_bytes(bytes).expect_err("a damaged book");
    for length in (0..sorted.len()).filter(|length| length % 16 != 0) {
        let expected = BookError::CutShort { whole: length / 16, over: length % 16 };
        assert_eq!(refused(&sorted[..length]), expected);
    }
    let unsorted = [&sorted[16..], &sorted[..16]].concat();
    assert_eq!(refused(&unsorted), BookError::Unsorted(2));
    for bits in [0_u16, 0o5656, 0o54143, 0o100_000 | 0o1434] {
        // Such an entry is left out, unless there is no other.
        let mut damaged = sorted.clone();
        damaged[24..26].copy_from_slice(&bits.to_be_bytes());
        assert_eq!(Book::from_bytes(&damaged).expect("a book").entries(), [low]);
        assert_eq!(refused(&damaged[16..]), BookError::NoMove { bits });
    }
    for error in [refused(&sorted[..5]), refused(&unsorted)] {
        assert!(error.to_string().contains("not a Polyglot book"), "{error}");
    }
    assert_eq!(Book::from_bytes(b""), Ok(Book::default()));
}

#[test]
fn moves_that_are_not_legal_are_left_out() {
    let game = Game::new();
    let key = polyglot_key(game.board());
    let book = Book::new(vec![entry(key, "e2e4", 5), entry(key, "e1e2", 9), entry(key, "a7a6", 1)]);
    let moves = book.moves(&game);
    assert_eq!(moves.legal, [("e2e4".parse().expect("a move"), 5)]);
    let warning = moves.warning(&game).expect("a warning");
    assert!(warning.contains(": e1e2, a7a6;") && warning.contains(&game.to_string()), "{warning}");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    assert_eq!(moves.draw(&mut rng), Some(moves.legal[0].0));
    // Nor is what is no move at all.
    let bytes = [&book.to_bytes()[..], &key.to_be_bytes(), &[0; 8]].concat();
    let moves = Book::from_bytes(&bytes).expect("a book").moves(&game);
    assert_eq!((moves.legal.len(), moves.illegal.last().expect("one").as_str()), (1, "0x0000"));
    // Castling is also read as the king's move.
    let castling: Game = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".parse().expect("a position");
    let book = Book::new(vec![entry(polyglot_key(castling.board()), "e1g1", 1)]);
    assert_eq!(book.moves(&castling).legal, [("e1h1".parse().expect("a move"), 1)]);
    // Elsewhere it does no harm.
    let other = book.moves(&game_after("start", "e4"));
    assert_eq!((other.warning(&game), other), (None, BookMoves::default()));
}

/// Collects the warnings.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Observer for Warnings {
    fn warn(&self, warning: &str) {
        self.0.lock().expect("no panic").push(warning.into());
    }
}

#[test]
fn a_book_warns_once_about_each_position() {
    let games = [Game::new(), game_after("start", "e4")];
    let keys = games.clone().map(|game| polyglot_key(game.board()));
    let book = SharedBook::new(Book::new(vec![
        entry(keys[0], "e2e4", 1),
        entry(keys[0], "e2e5", 1),
        entry(keys[1], "e2e4", 1),
    ]));
    let (mut rng, warnings) = (ChaCha8Rng::seed_from_u64(1), Warnings::default());
    for _ in 0..3 {
        let drawn = games.each_ref().map(|game| book.draw(game, &mut rng, &warnings));
        assert_eq!(drawn, ["e2e4".parse().ok(), None]);
    }
    let warnings = warnings.0.into_inner().expect("no panic");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
}

/// A book of games in movetext, and the number of games used.
fn made(games: &str, params: BookParams) -> (Book, u64) {
    let mut maker = BookBuilder::new(params);
    for game in PgnReader::new(games.as_bytes()) {
        maker.add(&game.expect("a game"));
    }
    (maker.book(), maker.games())
}

fn known(book: &Book, moves: &str) -> Vec<(String, u16)> {
    let game = game_after("start", moves);
    let known = book.moves(&game);
    assert!(known.illegal.is_empty());
    known.legal.into_iter().map(|(mv, weight)| (mv.to_string(), weight)).collect()
}

#[test]
fn moves_weigh_what_they_brought() {
    let games = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 1/2-1/2\n\n1. e4 c5 0-1\n\n1. d4 0-1\n\n1. c4 *\n\n\
                 1. Nf3 Nf6 2. e4 e5 1-0\n";
    let (book, count) = made(games, BookParams::default());
    assert_eq!(count, 5, "nobody knows what one came to");
    // Three games score 2, 1 and 0. The move d4 scored nothing.
    assert_eq!(known(&book, ""), [("e2e4".into(), 3), ("g1f3".into(), 2)]);
    assert_eq!(known(&book, "e4"), [("c7c5".into(), 3)]);
    assert_eq!(known(&book, "e4 e5"), [("g1f3".into(), 2)]);
    assert_eq!(known(&book, "Nf3 Nf6"), [("e2e4".into(), 2)]);

    let (short, _) = made(games, BookParams { plies: 1, ..BookParams::default() });
    assert_eq!(short.entries().len(), 2);
    let (common, _) = made(games, BookParams { least_games: 2, ..BookParams::default() });
    assert_eq!(known(&common, ""), [("e2e4".into(), 3)]);
    assert_eq!(known(&common, "e4"), [("c7c5".into(), 3)]);
    assert_eq!(common.positions(), 2);
    assert_eq!(made(games, BookParams { plies: 0, ..BookParams::default() }).0, Book::default());
}

#[test]
fn heavy_weights_are_made_to_fit() {
    let games =
        "1. e4 1-0\n\n".repeat(40_000) + &"1. d4 1-0\n\n".repeat(20_000) + "1. c4 1/2-1/2\n";
    let (book, _) = made(&games, BookParams::default());
    // 80,000 and 40,000 and 1, scaled down; a played move is kept.
    let expected = [("e2e4".into(), 65_535), ("d2d4".into(), 32_767), ("c2c4".into(), 1)];
    assert_eq!(known(&book, ""), expected);
}

#[test]
fn moves_are_drawn_by_weight() {
    let game = Game::new();
    let key = polyglot_key(game.board());
    let weights = [("e2e4", 6), ("d2d4", 3), ("c2c4", 1), ("a2a3", 0)];
    let book = Book::new(weights.map(|(mv, weight)| entry(key, mv, weight)).to_vec());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let drawn: Vec<Move> =
        (0..10_000).map(|_| book.moves(&game).draw(&mut rng).expect("a move")).collect();
    for (mv, weight) in weights {
        let mv: Move = mv.parse().expect("a move");
        let count = drawn.iter().filter(|&&found| found == mv).count() as f64;
        // Four standard deviations.
        let off = 4.0 * (1000.0 * f64::from(weight)).sqrt();
        assert!((count - 1000.0 * f64::from(weight)).abs() <= off, "{mv}: {count}");
    }
    let never = Book::new(vec![entry(key, "e2e4", 0)]);
    assert_eq!(never.moves(&game).draw(&mut rng), None);
}

proptest! {
    #![proptest_config(random(200))]

    #[test]
    fn books_are_read_as_they_are_written(entries in prop::collection::vec(
        (0..50_u64, 0..64_usize, 1..64_usize, any::<u16>(), any::<u32>()), 0..60,
    )) {
        let square = lucena_chess::Square::index;
        let entries = entries.into_iter().map(|(key, from, by, weight, learn)| {
            let mv = Move { from: square(from), to: square((from + by) % 64), promotion: None };
            BookEntry { key, mv, weight, learn }
        });
        let book = Book::new(entries.collect());
        prop_assert_eq!(Book::from_bytes(&book.to_bytes()), Ok(book));
    }
}
