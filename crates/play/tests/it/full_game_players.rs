//! Players of whole games that choose at random, and players with a book or endgames.

use lucena_base::progress::{NoObserver, Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Board, Clock, Color, Game, Material, Move, Position, Square};
use lucena_play::book::{Book, BookEntry, SharedBook, polyglot_key};
use lucena_play::{
    CentralKingPlayer, MoveRequest, Player, RandomPlayer, TimeMode, WithBook, WithEndgames,
};
use lucena_proof::policy::{Policy, TablebasePlayer};
use lucena_test_support::proofs::generated_player;
use lucena_test_support::tables::{KQVK, KRVK};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The king's steps to the nearest of the four central squares.
fn steps(king: Square) -> u8 {
    let middle = [Square::D4, Square::D5, Square::E4, Square::E5].into_iter();
    let along = |one: u8, other: u8| one.abs_diff(other);
    middle
        .map(|to| {
            let files = along(king.file() as u8, to.file() as u8);
            files.max(along(king.rank() as u8, to.rank() as u8))
        })
        .min()
        .expect("four squares")
}

/// The moves that leave the mover's king nearest to the centre.
fn nearest(game: &Game) -> BTreeSet<String> {
    let after = |mv: &Move| {
        let mut board: Board = game.board().clone();
        board.play(*mv);
        steps(board.king(game.turn()))
    };
    let moves = game.moves();
    let least = moves.iter().map(after).min();
    moves.iter().filter(|mv| Some(after(mv)) == least).map(Move::to_string).collect()
}

#[test]
fn a_refugee_keeps_its_king_near_the_middle() {
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("a FEN");
    let starts: [Game; 2] = [Game::new(), castles];
    for start in starts {
        for seed in 0..20 {
            let (mut game, mut refugee) = (start.clone(), CentralKingPlayer::new(seed));
            for _ in 0..60 {
                let Some(mv) = refugee.play(&game, None) else { break };
                assert!(nearest(&game).contains(&mv.to_string()), "{mv} in {game}");
                game.play(mv).expect("a legal move");
            }
        }
    }
}

/// The moves that a player offers in a position over many seeds.
fn offered(game: &Game, player: impl Fn(u64) -> Box<dyn Player>) -> BTreeSet<String> {
    let offer = |seed| player(seed).play(game, None);
    (0..400).filter_map(offer).map(|mv| mv.to_string()).collect()
}

#[test]
fn lots_fall_on_every_move_that_may_be_drawn() {
    let all: BTreeSet<String> = Game::new().moves().iter().map(Move::to_string).collect();
    assert_eq!(offered(&Game::new(), |seed| Box::new(RandomPlayer::new(seed))), all);
    let refugee = |seed| Box::new(CentralKingPlayer::new(seed)) as Box<dyn Player>;
    assert_eq!(offered(&Game::new(), refugee), nearest(&Game::new()));
    // If there is no legal move, none is offered.
    let mated: Game = "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1".parse().expect("a FEN");
    assert!(offered(&mated, |seed| Box::new(RandomPlayer::new(seed))).is_empty());
    assert!(offered(&mated, refugee).is_empty());
}

#[test]
fn who_knows_endgames_wins_them_and_leaves_the_rest_to_another() {
    let (rook, queen) = (generated_player(&KRVK), TablebasePlayer(&KQVK));
    let rook = rook.expect("this build carries it");
    let player = || WithEndgames::new(Box::new(RandomPlayer::new(5)), vec![&rook, &queen]);
    for fen in ["8/8/8/3k4/8/8/8/K6R w - - 0 1", "8/8/8/2K5/8/8/8/k6q b - - 0 1"] {
        let mut game: Game = fen.parse().expect("a FEN");
        let (strong, mut attacker, mut lots) = (game.turn(), player(), RandomPlayer::new(1));
        while !game.status().is_over() {
            let mover: &mut dyn Player = match game.turn() == strong {
                true => &mut attacker,
                false => &mut lots,
            };
            let mv = mover.play(&game, None).expect("a move");
            game.play(mv).expect("a legal move");
        }
        assert_eq!(game.status(), lucena_chess::Status::Checkmate { winner: strong }, "{game}");
    }
    // The weak side, an unknown endgame, and a position that is not an endgame.
    for fen in [
        "8/8/8/3k4/8/8/8/K6R b - - 0 1",
        "8/8/8/3k4/8/8/8/KBN5 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let game: Game = fen.parse().expect("a FEN");
        assert_eq!(player().play(&game, None), RandomPlayer::new(5).play(&game, None), "{fen}");
    }
}

/// A table as a policy that counts how often it is prepared.
struct PolicyWithCount(TablebasePlayer<'static>, AtomicUsize);

impl Policy for PolicyWithCount {
    fn name(&self) -> String {
        Policy::name(&self.0)
    }

    fn material(&self) -> Material {
        self.0.material()
    }

    fn symmetries(&self) -> Group {
        self.0.symmetries()
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.0.choose(position)
    }

    fn prepare(&self, observer: &dyn Observer) -> Result<(), Stopped> {
        self.1.fetch_add(1, Ordering::Relaxed);
        observer.check()
    }
}

#[test]
fn of_several_endgames_only_that_on_the_board_is_prepared() {
    fn player(policies: &[PolicyWithCount]) -> WithEndgames<'_> {
        let policies = policies.iter().map(|policy| policy as &dyn Policy).collect();
        WithEndgames::new(Box::new(RandomPlayer::new(5)), policies)
    }
    let policies =
        || [&*KRVK, &*KQVK].map(|table| PolicyWithCount(TablebasePlayer(table), 0.into()));
    let times = |policies: &[PolicyWithCount]| -> Vec<usize> {
        policies.iter().map(|policy| policy.1.load(Ordering::Relaxed)).collect()
    };
    let rook: Game = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse().expect("a FEN");
    let queen: Game = "8/8/8/4k3/8/8/8/K6Q w - - 0 1".parse().expect("a FEN");

    let both = policies();
    player(&both).begin_game(&Game::new(), &NoObserver).expect("nothing to prepare");
    assert_eq!(times(&both), [0, 0]);
    player(&both).begin_game(&rook, &NoObserver).expect("a rook");
    assert_eq!(times(&both), [1, 0]);
    // The other one is prepared when the game comes to its endgame.
    let request = MoveRequest::at(TimeMode::Free, &NoObserver);
    player(&both).choose_for(&queen, &request).expect("a move");
    assert_eq!(times(&both), [1, 1]);

    // Without time for that, the other player chooses.
    let request = MoveRequest::at(TimeMode::Each(Duration::ZERO), &NoObserver);
    let chosen = player(&both).choose_for(&queen, &request).expect("a move");
    assert_eq!(Some(chosen.mv), RandomPlayer::new(5).play(&queen, None));

    // It is tried again in the same game if there is more time.
    let queens = policies();
    let mut patient = player(&queens);
    for _ in 0..2 {
        patient.choose_for(&queen, &request).expect("a move");
    }
    assert_eq!(times(&queens), [0, 1]);
    patient.choose_for(&queen, &MoveRequest::at(TimeMode::Free, &NoObserver)).expect("a move");
    assert_eq!(times(&queens), [0, 2]);

    // A single one is prepared before its endgame comes.
    let one = &policies()[..1];
    player(one).begin_game(&Game::new(), &NoObserver).expect("a rook");
    assert_eq!(times(one), [1]);
}

#[test]
fn who_has_a_book_opens_by_it() {
    let mut game = Game::new();
    let entry = |game: &Game, text: &str| BookEntry {
        key: polyglot_key(game.board()),
        mv: text.parse().expect("a move"),
        weight: 1,
        learn: 0,
    };
    let first = entry(&game, "e2e4");
    game.play(first.mv).expect("a legal move");
    // The book's move is not legal here.
    let book = SharedBook::new(Book::new(vec![first, entry(&game, "e2e4")]));
    let mut player = WithBook::new(Box::new(RandomPlayer::new(5)), &book, 1);
    assert_eq!(player.play(&Game::new(), None), Some(first.mv));
    assert_eq!(game.turn(), Color::Black);
    assert_eq!(player.play(&game, None), RandomPlayer::new(5).play(&game, None));
}

/// The time left for a move, and the share of it for tables, half a second after the request.
#[test]
fn the_clock_runs_from_the_request_on() {
    let ms = Duration::from_millis;
    let clock = |left| Clock { left: ms(left), increment: ms(100), moves_to_go: None };
    let request = |pace| {
        let mut request = MoveRequest::at(pace, &NoObserver);
        request.begun -= ms(500);
        (request.pace_left(), request.deadline_for_tables().has_passed())
    };
    for (time, has_passed) in [(100, true), (900, true), (60_000, false)] {
        let (left, passed) = request(TimeMode::Each(ms(time)));
        let TimeMode::Each(left) = left else { panic!("{left:?}") };
        assert!(left <= ms(time).saturating_sub(ms(500)), "{left:?}");
        assert_eq!(passed, has_passed, "{time} ms");
    }
    for (time, has_passed) in [(300, true), (4_000, true), (600_000, false)] {
        let (left, passed) = request(TimeMode::Clocks { own: clock(time), other: clock(2_000) });
        let TimeMode::Clocks { own, other } = left else { panic!("{left:?}") };
        assert!(own.left <= ms(time).saturating_sub(ms(500)), "{own:?}");
        assert_eq!((own.increment, other), (ms(100), clock(2_000)));
        assert_eq!(passed, has_passed, "{time} ms");
    }
    assert_eq!(request(TimeMode::Free), (TimeMode::Free, false));
    assert_eq!(request(TimeMode::Endless), (TimeMode::Endless, false));
}
