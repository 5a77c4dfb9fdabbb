//! Annotated games: the cost of moves by published distances and by a plain comparison of all moves, and
//! PGN that keeps existing comments.

use lucena::chess::pgn::{GameResult, PgnGame, PgnReader, Tags};
use lucena::chess::{Game, HalfmoveClock, Position};
use lucena::explain::{ExplainError, LostResult, MoveAssessment, assess_game};
use lucena::progress::NoObserver;
use lucena::report::{Adviser, AnnotatedGames, Mainline};
use lucena::roster::BuiltIn;
use lucena::tablebase::{Category, Lookup, MoveVerdicts, Outcome, TableFolder};
use lucena_test_support::cases::cases;
use lucena_test_support::tables::KRVK;
use std::sync::LazyLock;

static FOLDER: LazyLock<TableFolder> = LazyLock::new(TableFolder::in_memory);

fn look(position: &Position, clock: HalfmoveClock) -> Result<Option<MoveVerdicts>, ExplainError> {
    let mate = |position: &Position| {
        let outcome = || FOLDER.probe(position, &NoObserver).expect("nobody stops it");
        Ok(FOLDER.can_probe_quickly(position).then(outcome))
    };
    match mate(position)? {
        Some(_) => mate.move_verdicts(position, clock),
        None => Ok(None),
    }
}

fn game(fen: &str, moves: &[&str]) -> Game {
    let mut game: Game = fen.parse().expect("a FEN");
    for text in moves {
        game.play(game.parse_move(text).expect("a legal move")).expect("a legal move");
    }
    game
}

fn judged(game: &Game) -> Vec<MoveAssessment> {
    assess_game(game, look).expect("tables know all")
}

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn moves_cost_what_is_known_of_them() {
    for [fen, mv, cost, thrown, glyph] in cases("judged_moves.csv") {
        let judged = judged(&game(&fen, &[&mv]));
        let [found] = judged.as_slice() else { panic!("{fen}: one move") };
        let found = [shown(found.cost_plies), shown(found.thrown), shown(found.glyph)];
        assert_eq!(found, [cost, thrown, glyph], "{fen} {mv}");
    }
}

/// Compares every legal move of some positions with all others, one by one.
#[test]
fn costs_are_what_a_plain_weighing_finds() {
    let mut seen = 0;
    for side in [lucena::chess::Side::Strong, lucena::chess::Side::Weak] {
        for (position, outcome) in KRVK.canonical_positions(side).step_by(997) {
            for mv in position.moves() {
                let after = |mv| KRVK.probe(&position.play(mv).unwrap()).unwrap();
                let best = position.moves().into_iter().map(after).min().unwrap();
                let judged = judged(&game(&position.to_string(), &[&mv.to_string()]));
                let [found] = judged.as_slice() else { panic!("{position}: one move") };
                assert_eq!(found.before, outcome);
                assert_eq!(found.is_best(), after(mv) == best, "{position} {mv}");
                assert_eq!(found.thrown.is_some(), after(mv).wdl() != best.wdl());
                let plies = after(mv).plies().zip(best.plies());
                let plies = plies.filter(|_| found.thrown.is_none());
                let cost = plies.map(|(one, other)| one.abs_diff(other));
                assert_eq!(found.cost_plies, cost, "{position} {mv}");
                seen += 1;
            }
        }
    }
    assert!(seen > 500, "{seen}");
}

#[test]
fn moves_before_the_endgame_are_left_alone() {
    // Five men; when the queen is gone, the rest is king and rook against king.
    let game = game("8/7q/8/8/8/1k6/8/K1R4R w - - 0 1", &["Rb1+", "Kc3", "Rbc1+", "Kb3"]);
    assert!(judged(&game).is_empty());
    let game = self::game("8/8/8/8/8/1k1b4/8/K2R4 w - - 0 1", &["Rxd3+", "Kc4"]);
    assert_eq!(judged(&game).iter().map(|judged| judged.ply).collect::<Vec<_>>(), [1, 2]);
    assert!(judged(&Game::new()).is_empty());
}

fn adviser() -> Adviser<'static> {
    let policy = BuiltIn::smallest_strategy(KRVK.material()).expect("it is built in");
    Adviser { player: "strategy".into(), policy: Box::new(policy), tablebase: &KRVK }
}

fn annotated(game: Game) -> AnnotatedGames {
    let advisers = [adviser()];
    let game = PgnGame::new(Tags::default(), game, GameResult::Unknown);
    AnnotatedGames::new([(1, game)], 0, look, &advisers).expect("tables know all")
}

#[test]
fn a_missed_rule_is_named() {
    let annotated = annotated(game("8/8/8/8/8/1k6/8/K1R5 w - - 0 7", &["Rh1", "Kc3", "Rh3+"]));
    let moves = &annotated.games[0].moves;
    assert_eq!(moves.iter().map(|mv| mv.judged.number).collect::<Vec<_>>(), [7, 7, 8]);
    // A mate in 15 instead of a mate in 11.
    assert_eq!((moves[0].judged.cost_moves, moves[0].judged.glyph), (Some(4), Some(6)));
    let advice = moves[0].advice.as_ref().expect("the strategy plays otherwise");
    assert_eq!((advice.player.as_str(), advice.rule), ("strategy", Some(1)));
    assert!(advice.because.contains("Rh1") && !advice.uci.is_empty());
    // The table has a say about the defence.
    let defence = moves[1].advice.as_ref().map(|advice| advice.player.as_str());
    assert_eq!(defence, (!moves[1].judged.is_best()).then_some("tablebase"));
    let pgn = annotated.pgn();
    assert!(pgn.contains("7. Rh1 $6 {") && pgn.contains("(7. R"), "{pgn}");
    // It can be read again as the same game.
    let read = PgnReader::new(pgn.as_bytes()).next().expect("a game").expect("sound PGN");
    assert_eq!(read.game.history().len(), 3);
    assert_eq!(read.tags.get("Event"), Some("?"));
    assert!(pgn.lines().all(|line| line.len() <= 79), "{pgn}");
}

/// A move that lets the fifty-move rule draw the game throws the win away; after that nothing is lost any more.
#[test]
fn moves_are_judged_under_the_fifty_move_rule() {
    // The mate takes 21 plies, and after Rh1 it takes 28 more.
    for (clock, thrown, before, after) in [
        (71, None, Category::Win, Category::Loss),
        (72, Some(LostResult::WinToDraw), Category::Win, Category::BlessedLoss),
        (79, Some(LostResult::WinToDraw), Category::Win, Category::BlessedLoss),
        (80, None, Category::CursedWin, Category::BlessedLoss),
    ] {
        let game = game(&format!("8/8/8/8/8/1k6/8/K1R5 w - - {clock} 90"), &["Rh1"]);
        let judged = judged(&game);
        let [found] = judged.as_slice() else { panic!("one move") };
        assert_eq!((found.category_before, found.category_after), (before, after), "{clock}");
        assert_eq!((found.thrown, found.glyph == Some(4)), (thrown, thrown.is_some()), "{clock}");
        assert_eq!(found.cost_plies.is_some(), clock == 71, "{clock}");
        assert_eq!(found.is_best(), clock == 80, "{clock}");
        let pgn = annotated(game).pgn();
        assert_eq!(pgn.contains("too late under the"), after == Category::BlessedLoss, "{pgn}");
    }
}

/// Existing comments stay in place, and annotating twice adds nothing.
#[test]
fn what_has_been_said_stays() {
    let text = "[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"8/8/8/8/8/1k6/8/K1R5 w - - 0 7\"]\n\n\
        {a start} 7. Rh1! $14 {hm, (slow)} (7. Rc8 $10 {or ; this} (7. Rd1)) 7... Kc3 ; and now\n\
        8. Rh3+?? *\n";
    let advisers = [adviser()];
    let annotate = |text: &str| {
        let game = PgnReader::new(text.as_bytes()).next().expect("a game").expect("sound PGN");
        AnnotatedGames::new([(1, game)], 0, look, &advisers).expect("tables know all").pgn()
    };
    let once = annotate(text);
    let words = once.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "{a start} {[%eval",
        "7. Rh1 $1 $14 {hm, (slow)} {[%eval",
        "(7. Rc8 $10 {or ; this} (7. Rd1)) (7. R",
        "7... Kc3 {and now} {[%eval",
        "8. Rh3+ $4 {",
    ] {
        assert!(words.contains(part), "{part}\n{once}");
    }
    assert_eq!(annotate(&once), once);
}

/// The line ends with mate when the table says so, and every comment has the distance.
#[test]
fn a_main_line_is_as_long_as_the_mate() {
    let look = |position: &Position| KRVK.probe(position).map(Some);
    for fen in [
        "8/8/8/8/8/2k5/8/K1R5 b - - 0 1",
        "8/8/8/8/8/1k6/8/K1R5 w - - 3 60",
        "k7/1R6/2K5/8/8/8/8/8 b - - 0 1",
    ] {
        let outcome = KRVK.probe(&fen.parse().unwrap()).unwrap();
        let line = Mainline::new(fen.parse().unwrap(), &look).unwrap();
        let pgn = line.pgn().expect("the outcome is known");
        let read = PgnReader::new(pgn.as_bytes()).next().expect("a game").expect("sound PGN");
        assert_eq!(read.game.start().to_string(), fen);
        assert_eq!(read.game.history().len(), usize::from(outcome.plies().unwrap_or(0)), "{pgn}");
        let result =
            if outcome == Outcome::Draw { GameResult::Draw } else { GameResult::WhiteWins };
        assert_eq!((read.result, GameResult::by_rules(&read.game)), (result, result), "{pgn}");
        assert_eq!(read.tags.get("Termination"), Some("normal"));
        let told = pgn.matches("[%eval ").count();
        assert_eq!(told, usize::from(outcome.plies().unwrap_or(1)), "each but the mate: {pgn}");
    }
}
