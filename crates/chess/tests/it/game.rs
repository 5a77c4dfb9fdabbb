//! Whole games: published counts of moves, published games, and random games against plain rules that
//! read only FENs.

use lucena_chess::{Color, FenError, Game, Move, Position, Status};
use lucena_test_support::cases::{cases, random};
use proptest::prelude::*;
use rayon::prelude::*;

/// The number of games with a given number of plies.
fn perft(game: &mut Game, depth: u32) -> u64 {
    let moves = game.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    game.after_each_move(|game, _| nodes += perft(game, depth - 1));
    nodes
}

fn check_perft(is_wanted: impl Fn(u64) -> bool + Sync) {
    cases("perft.csv").into_par_iter().for_each(|[fen, depth, nodes]: [String; 3]| {
        let (depth, nodes) = (depth.parse().expect("a depth"), nodes.parse().expect("a count"));
        if is_wanted(nodes) {
            let mut game = game(&fen);
            assert_eq!(perft(&mut game, depth), nodes, "{fen} at depth {depth}");
        }
    });
}

#[test]
fn games_of_a_length_are_as_many_as_published() {
    check_perft(|nodes| nodes < 2_000_000);
}

#[test]
#[ignore = "a minute on one core; run in release"]
fn long_games_are_as_many_as_published() {
    check_perft(|nodes| nodes >= 2_000_000);
}

fn game(fen: &str) -> Game {
    match fen {
        "start" => Game::new(),
        _ => fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}")),
    }
}

fn words(status: Status) -> String {
    match status {
        Status::InProgress => "in progress".into(),
        Status::Checkmate { winner } => format!("checkmate {winner:?}"),
        Status::Stalemate => "stalemate".into(),
        Status::InsufficientMaterial => "insufficient material".into(),
        Status::ThreefoldRepetition => "threefold repetition".into(),
        Status::FiftyMoves => "fifty moves".into(),
    }
}

#[test]
fn games_end_as_they_must() {
    for [fen, moves, expected] in cases("game_status.csv") {
        let mut game = game(&fen);
        for text in moves.split_whitespace() {
            assert_eq!(words(game.status()), "in progress", "before {text} in {fen} {moves}");
            let mv = game.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(game.san(mv).as_deref(), Ok(text), "{fen}");
            game.play(mv).expect("a legal move");
        }
        assert_eq!(words(game.status()), expected, "{fen} {moves}");
        assert_eq!(game.status().is_over(), expected != "in progress");
        assert_eq!(game.history().len(), moves.split_whitespace().count());
        // The text for people names the winner, or says that there is none.
        let text = game.status().to_string();
        match expected.strip_prefix("checkmate ") {
            Some(winner) => assert!(text.contains(winner), "{text}"),
            None => assert_eq!(text.contains("a draw"), expected != "in progress", "{text}"),
        }
    }
}

#[test]
fn moves_are_read_and_written_in_both_notations() {
    for [fen, uci, san, after] in cases("game_moves.csv") {
        let mut game = game(&fen);
        assert_eq!(game.to_string(), fen);
        let mv = game.parse_move(&uci).unwrap_or_else(|error| panic!("{error}"));
        for text in [san.clone(), format!("{san}!?"), san.replace('O', "0")] {
            assert_eq!(game.parse_move(&text), Ok(mv), "{text} in {fen}");
        }
        assert_eq!(game.uci(mv), Ok(uci));
        assert_eq!(game.san(mv), Ok(san));
        game.play(mv).expect("a legal move");
        assert_eq!(game.to_string(), after);
    }
}

#[test]
fn moves_are_read_as_other_programs_write_them() {
    for [fen, text, uci] in cases("game_read_moves.csv") {
        let game = game(&fen);
        let mv = game.parse_move(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((game.uci(mv), game.parse_uci(&text)), (Ok(uci), Ok(mv)), "{text} in {fen}");
    }
}

#[test]
fn what_is_no_move_is_refused_and_changes_nothing() {
    for [fen, text] in cases("game_refused_moves.csv") {
        let game = game(&fen);
        let error = game.parse_move(&text).expect_err(&format!("{text:?} in {fen}")).to_string();
        assert!(error.contains(&format!("{text:?}")) && error.contains("not a legal"), "{error}");
    }
    let mut game = Game::new();
    let mv: Move = "e2e5".parse().expect("a move");
    assert!(game.play(mv).is_err() && game.san(mv).is_err() && game.uci(mv).is_err());
    assert_eq!((game, None), (Game::default(), Game::new().undo()));
}

#[test]
fn what_is_no_position_is_refused_for_every_reason() {
    for [fen, expected] in cases("game_refusals.csv") {
        let error = fen.parse::<Game>().expect_err(&fen);
        let expected: Vec<&str> = expected.split(" & ").collect();
        let reasons = match &error {
            FenError::Parse(error) => vec![error.to_string()],
            FenError::Illegal(error) => error.reasons().iter().map(ToString::to_string).collect(),
            FenError::NoEndgame(reason) => panic!("{fen} need not be an endgame: {reason}"),
        };
        assert_eq!(reasons.len(), expected.len(), "{fen}: {error}");
        for (reason, words) in reasons.iter().zip(expected) {
            assert!(reason.contains(words), "{fen}: {reason}, not {words}");
        }
    }
}

#[test]
fn an_endgame_is_a_game() {
    let fen = "8/8/8/8/3Pp3/8/8/K6k b - d3 0 1";
    let position: Position = fen.parse().expect("a position");
    let game = Game::from(position);
    assert_eq!(game.to_string(), fen);
    assert_eq!(game.position(), Ok(position));
    assert_eq!(format!("{game:#}"), format!("{position:#}"));
    assert!(Game::new().position().is_err(), "that many men are no endgame");
    let castling: Game = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("a game");
    assert!(castling.position().is_err(), "an endgame knows no castling");
}

#[test]
fn fens_may_be_short_and_count_from_nought() {
    let short: Game = "4k3/8/8/8/8/8/8/4K2R w".parse().expect("a game");
    assert_eq!(short.to_string(), "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    // The rook's file also names the right.
    let nought: Game = "4k3/8/8/8/8/8/8/4K2R b H - 3 0".parse().expect("a game");
    assert_eq!(nought.to_string(), "4k3/8/8/8/8/8/8/4K2R b K - 3 1");
    assert_eq!((nought.clock(), nought.move_number(), nought.turn()), (3, 1, Color::Black));
}

/// Rules that read only FENs.
mod by_fen {
    pub(super) fn fields(fen: &str) -> Vec<&str> {
        fen.split(' ').collect()
    }

    /// The men, a8 first; dots stand for empty squares.
    pub(super) fn squares(fen: &str) -> Vec<char> {
        let mut squares = Vec::new();
        for letter in fields(fen)[0].chars().filter(|&letter| letter != '/') {
            match letter.to_digit(10) {
                Some(empty) => squares.extend((0..empty).map(|_| '.')),
                None => squares.push(letter),
            }
        }
        squares
    }

    /// Returns true if a pawn moved or a man was captured between the two.
    pub(super) fn begins_anew(before: &str, after: &str) -> bool {
        let men = |fen| squares(fen).iter().filter(|&&man| man != '.').count();
        let pawns = |fen| -> Vec<bool> {
            squares(fen).iter().map(|man| man.eq_ignore_ascii_case(&'p')).collect()
        };
        men(before) != men(after) || pawns(before) != pawns(after)
    }

    pub(super) fn is_insufficient(fen: &str) -> bool {
        let all = squares(fen);
        let of = |role: char| -> Vec<usize> {
            (0..64).filter(|&at| all[at].eq_ignore_ascii_case(&role)).collect()
        };
        let (knights, bishops) = (of('n'), of('b'));
        let others = ['p', 'r', 'q'].into_iter().any(|role| !of(role).is_empty());
        let colors: Vec<usize> = bishops.iter().map(|at| (at / 8 + at % 8) % 2).collect();
        let is_one_color = colors.iter().all(|color| *color == colors[0]);
        !others
            && match knights.len() {
                0 => is_one_color,
                1 => bishops.is_empty(),
                _ => false,
            }
    }
}

/// A game that lasts as long as there are choices and moves, with all its FENs.
fn play_out(start: &str, choices: &[u16]) -> (Game, Vec<String>) {
    let mut game = game(start);
    let mut fens = vec![game.to_string()];
    for &choice in choices {
        let moves = game.moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]).expect("a legal move");
        fens.push(game.to_string());
        check_standing(&game, &fens);
    }
    (game, fens)
}

/// Clock, repetitions and status, recomputed from the FENs of the whole game.
fn check_standing(game: &Game, fens: &[String]) {
    let fen = fens.last().expect("a start");
    let start_clock: u16 = by_fen::fields(&fens[0])[4].parse().expect("a clock");
    let clock = fens.windows(2).fold(start_clock, |clock, two| {
        if by_fen::begins_anew(&two[0], &two[1]) { 0 } else { clock + 1 }
    });
    assert_eq!(game.clock(), clock, "{fen}");
    let same = |other: &&String| by_fen::fields(other)[..4] == by_fen::fields(fen)[..4];
    let repetitions = fens.iter().filter(same).count();
    assert_eq!(game.repetitions(), repetitions, "{fens:?}");
    let is_check = !game.board().checkers().is_empty();
    let expected = match game.moves().len() {
        0 if is_check => Status::Checkmate { winner: !game.turn() },
        0 => Status::Stalemate,
        _ if by_fen::is_insufficient(fen) => Status::InsufficientMaterial,
        _ if clock >= 100 => Status::FiftyMoves,
        _ if repetitions >= 3 => Status::ThreefoldRepetition,
        _ => Status::InProgress,
    };
    assert_eq!(game.status(), expected, "{fen}");
    // The en passant square is written if a pawn captures there.
    let passed = by_fen::fields(fen)[3];
    let squares = by_fen::squares(fen);
    let is_in_passing = |mv: &Move| {
        let at = |square: lucena_chess::Square| {
            squares[(7 - square.rank() as usize) * 8 + square.file() as usize]
        };
        at(mv.from).eq_ignore_ascii_case(&'p') && mv.from.file() != mv.to.file() && at(mv.to) == '.'
    };
    let found = game.moves().into_iter().find(is_in_passing);
    assert_eq!(passed, found.map_or("-".into(), |mv| mv.to.to_string()), "{fen}");
}

/// Starting positions with many and with few legal moves.
fn starts() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "start",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "8/8/1k6/2b5/8/4B3/7p/K7 b - - 60 40",
        "k7/8/1K6/8/8/8/8/2R5 w - - 90 70",
        "8/8/8/8/8/5k1p/7P/7K w - - 0 1",
    ])
}

proptest! {
    #![proptest_config(random(60))]

    #[test]
    fn random_games_follow_the_plain_rules(
        start in starts(),
        choices in prop::collection::vec(any::<u16>(), 0..120),
    ) {
        let (mut game, fens) = play_out(start, &choices);
        prop_assert_eq!(game.history().len(), fens.len() - 1);
        // The history is the sequence of played moves, and every move can be undone.
        let boards: Vec<String> = game.history().map(|(board, _)| board.to_string()).collect();
        for (board, fen) in boards.iter().zip(&fens) {
            prop_assert_eq!(&by_fen::fields(board)[..3], &by_fen::fields(fen)[..3]);
        }
        // Trying every move leaves the game unchanged, and gives the same result as playing it.
        let (as_it_was, moves) = (game.clone(), game.moves());
        let mut tried = Vec::new();
        game.after_each_move(|game, mv| tried.push((mv, game.clone())));
        prop_assert_eq!(&game, &as_it_was);
        for ((mv, after), expected) in tried.into_iter().zip(&moves) {
            prop_assert_eq!(&mv, expected);
            game.play(mv).expect("a legal move");
            prop_assert_eq!(&game, &after);
            prop_assert_eq!(game.undo(), Some(mv));
        }
        for fen in fens.iter().rev() {
            prop_assert_eq!(&game.to_string(), fen);
            let read: Game = fen.parse().expect("its own FEN");
            prop_assert_eq!(&read.to_string(), fen);
            prop_assert_eq!(read.moves(), game.moves());
            game.undo();
        }
        prop_assert_eq!(game.undo(), None);
    }

    #[test]
    fn every_move_is_read_as_it_is_written(
        start in starts(),
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        let (game, fens) = play_out(start, &choices);
        for mv in game.moves() {
            let (uci, san) = (game.uci(mv).expect("legal"), game.san(mv).expect("legal"));
            prop_assert_eq!(game.parse_move(&uci), Ok(mv), "{} in {:?}", uci, fens.last());
            prop_assert_eq!(game.parse_move(&san), Ok(mv), "{} in {:?}", san, fens.last());
        }
    }

    #[test]
    fn endgames_agree_with_their_games(choices in prop::collection::vec(any::<u16>(), 0..80)) {
        let (game, _) = play_out("8/8/1k6/2p5/8/8/3P4/K7 w - - 0 1", &choices);
        let position = game.position().expect("four men");
        let key = |mv: &Move| mv.to_string();
        let (mut moves, mut expected) = (game.moves(), position.moves().to_vec());
        moves.sort_by_key(key);
        expected.sort_by_key(key);
        prop_assert_eq!(moves, expected);
        prop_assert_eq!(game.en_passant(), position.en_passant());
        let is_insufficient = by_fen::is_insufficient(&game.to_string());
        prop_assert_eq!(position.is_insufficient_material(), is_insufficient);
    }
}
