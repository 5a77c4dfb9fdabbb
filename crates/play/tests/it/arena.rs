//! Games between players: the same on any number of threads, resumed after an interruption, and counted
//! and rated as by hand.

use lucena_base::day::Day;
use lucena_base::progress::{NoObserver, Observer, Progress, Stopped};
use lucena_chess::pgn::{GameResult, PgnReader, Tags};
use lucena_chess::{Clock, Game, Move, TimeControl};
use lucena_play::arena::{
    Arena, ArenaClock, ArenaError, ArenaParams, ArenaResult, CrossTable, Entrant, EntrantError,
    GameDate, GameEnd, Openings, OpeningsError, Tally, ratings,
};
use lucena_play::{CentralKingPlayer, Player, RandomPlayer};
use lucena_test_support::cases::cases;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

/// An entrant, with the function that makes its player.
type EntrantFactory = (&'static str, fn(u64) -> Box<dyn Player>);

const RANDOM: EntrantFactory = ("random", |seed| Box::new(RandomPlayer::new(seed)));
const REFUGEE: EntrantFactory = ("king-refugee", |seed| Box::new(CentralKingPlayer::new(seed)));
const FIRST: EntrantFactory = ("first", |_| Box::new(First));

/// Plays the first legal move.
struct First;

impl Player for First {
    fn name(&self) -> String {
        "first".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        game.moves().first().copied()
    }
}

/// Offers a preset move after a delay.
struct DelayedMove {
    mv: Option<Move>,
    after: Duration,
}

impl Player for DelayedMove {
    fn name(&self) -> String {
        "offers".into()
    }

    fn play(&mut self, _: &Game, _: Option<Clock>) -> Option<Move> {
        sleep(self.after);
        self.mv
    }
}

fn params(games: u64) -> ArenaParams {
    let openings = Openings::random(Game::new(), 4).expect("the start is not over");
    ArenaParams {
        games,
        seed: 7,
        openings,
        timing: ArenaClock::Free,
        margin: Duration::ZERO,
        most_moves: 60,
    }
}

fn arena<'e>(entrants: &'e [EntrantFactory], params: ArenaParams) -> Result<Arena<'e>, ArenaError> {
    Arena::new(entrants.iter().map(|entrant| entrant as &dyn Entrant).collect(), params)
}

const THREE: [EntrantFactory; 3] = [RANDOM, REFUGEE, FIRST];

/// Three players, with the same number of games for each pair.
fn contest(
    games: u64,
    file: Option<&Path>,
    observer: &dyn Observer,
) -> Result<ArenaResult, ArenaError> {
    arena(&THREE, params(games))?.run(file, observer)
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file")
}

#[test]
fn the_same_seed_plays_the_same_games_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut written = Vec::new();
    for threads in [1, 2, 5] {
        let file = folder.path().join(threads.to_string());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let played = pool.install(|| contest(10, Some(&file), &NoObserver)).expect("games");
        assert_eq!((played.records.len(), played.resumed), (30, 0));
        written.push(bytes(&file));
    }
    assert!(written.windows(2).all(|two| two[0] == two[1]));
    let other = arena(&THREE, ArenaParams { seed: 8, ..params(10) }).expect("an arena");
    let other = other.run(None, &NoObserver).expect("games");
    let text: String = other.records.iter().map(|record| record.pgn.as_str()).collect();
    assert_ne!(text.into_bytes(), written[0]);
}

/// Stops the work after a given number of games.
struct StopsAfter {
    games: u64,
    is_stopped: AtomicBool,
}

impl Observer for StopsAfter {
    fn report(&self, progress: Progress<'_>) {
        self.is_stopped.fetch_or(progress.done >= self.games, Ordering::Relaxed);
    }

    fn warn(&self, warning: &str) {
        panic!("{warning}");
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

#[test]
fn what_was_interrupted_is_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let at_once = contest(10, Some(&whole), &NoObserver).expect("games");
    let mut before = 0;
    for games in [1, 9, 20] {
        let observer = StopsAfter { games, is_stopped: AtomicBool::new(false) };
        let part = contest(10, Some(&parts), &observer).expect("games");
        let done = part.records.len() as u64;
        assert!(done >= games && done < 30 && part.resumed == before, "{done}");
        assert_eq!(PgnReader::new(bytes(&parts).as_slice()).count() as u64, done);
        before = done;
    }
    let last = contest(10, Some(&parts), &NoObserver).expect("games");
    assert_eq!((last.resumed, &last.records), (before, &at_once.records));
    assert_eq!(bytes(&parts), bytes(&whole));
    // All games are played, and nothing is written.
    let again = contest(10, Some(&parts), &NoObserver).expect("games");
    assert_eq!((again.resumed, again.table()), (30, at_once.table()));
    // Additional games are appended to the existing ones.
    let more = contest(14, Some(&parts), &NoObserver).expect("games");
    assert_eq!((more.resumed, &more.records[..30]), (30, &at_once.records[..]));
}

#[test]
fn files_of_other_games_are_left_as_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    let refused =
        |content: &[u8], games, entrants: &[EntrantFactory], params: ArenaParams, words: &str| {
            std::fs::write(&file, content).expect("a file");
            let arena = arena(entrants, ArenaParams { games, ..params }).expect("an arena");
            let error = arena.run(Some(&file), &NoObserver).expect_err(words).to_string();
            assert!(error.contains(words) && error.contains("games.pgn"), "{error}");
            assert_eq!(bytes(&file), content);
        };
    contest(4, Some(&file), &NoObserver).expect("games");
    let games = bytes(&file);
    let other = |change: fn(&mut ArenaParams)| {
        let mut params = params(4);
        change(&mut params);
        refused(&games, 4, &THREE, params, "other games");
    };
    other(|params| params.seed = 8);
    other(|params| params.most_moves = 61);
    other(|params| params.timing = ArenaClock::Clock("60".parse().expect("a clock")));
    other(|params| params.margin = Duration::from_millis(1));
    other(|params| params.openings = Openings::random(Game::new(), 5).expect("openings"));
    refused(&games, 4, &[RANDOM, FIRST, REFUGEE], params(4), "other games");
    refused(&games, 2, &THREE, params(2), "more games");
    refused(&games[..games.len() / 2], 4, &THREE, params(4), "line ");
    refused(b"1. e4 e5 *\n", 4, &THREE, params(4), "other games");
    refused(&[games.as_slice(), &games].concat(), 4, &THREE, params(4), "other games");
    refused(b"\x7fELF\x02\x01", 4, &THREE, params(4), "line 1");
}

#[test]
fn every_pair_plays_every_opening_with_both_colors() {
    let played = contest(6, None, &NoObserver).expect("games");
    let table = played.table();
    let mut openings: BTreeMap<Vec<String>, Vec<(usize, usize)>> = BTreeMap::new();
    for record in &played.records {
        let game = PgnReader::new(record.pgn.as_bytes()).next().expect("one").expect("a game");
        let opening = game.game.history().take(4).map(|(_, mv)| mv.to_string()).collect();
        openings.entry(opening).or_default().push((record.white, record.black));
        assert_eq!(game.tags.get("White"), Some(THREE[record.white].0));
        assert_eq!((game.result, game.game.history().len()), (record.result, record.plies));
    }
    assert_eq!(openings.len(), 3);
    for pairs in openings.values_mut() {
        pairs.sort_unstable();
        assert_eq!(*pairs, [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]);
    }
    // Every result is counted once.
    let all: Tally = (0..3).map(|player| table.of(player)).sum();
    assert_eq!((all.games(), all.points(), all.won), (36, 18.0, all.lost));
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        assert_eq!(table.between(one, other), table.between(other, one).reversed());
        assert_eq!((table.as_white(one, other).games(), table.between(one, other).games()), (3, 6));
    }
    assert_eq!(played.ends().values().sum::<u64>(), 18);
}

/// The result of a game between two players from a position.
fn ended(
    white: EntrantFactory,
    black: EntrantFactory,
    fen: &str,
    clock: Option<TimeControl>,
) -> (GameResult, GameEnd, usize) {
    let openings = Openings::listed(vec![fen.parse().expect("a FEN")]).expect("an opening");
    let entrants = [white, black];
    let timing = clock.map_or(ArenaClock::Free, ArenaClock::Clock);
    let params = ArenaParams { games: 2, openings, timing, most_moves: 5, ..params(2) };
    let contest = arena(&entrants, params).expect("an arena").run(None, &NoObserver);
    let record = contest.expect("two games").records.remove(0);
    (record.result, record.end, record.plies)
}

/// Plays the first legal move if its clock says that as many moves are to go as its game tells.
struct Watchful;

impl Player for Watchful {
    fn name(&self) -> String {
        "watchful".into()
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let clock = clock?;
        let played = game.history().len() / 2;
        let is_right = clock.moves_to_go == NonZeroU32::new(2 - played as u32 % 2)
            && clock.left > Duration::from_secs(60 * (played as u64 / 2))
            && clock.increment == Duration::from_millis(500);
        game.moves().first().copied().filter(|_| is_right)
    }
}

#[test]
fn the_time_of_a_period_is_added_again_and_again() {
    let watchful: EntrantFactory = ("watchful", |_| Box::new(Watchful));
    let whole = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (_, end, plies) = ended(watchful, FIRST, whole, "2/1:00+0.5".parse().ok());
    assert_eq!((end, plies), (GameEnd::MoveLimit, 10));
    let slow: EntrantFactory = ("slow", |_| {
        Box::new(DelayedMove { mv: "a1b1".parse().ok(), after: Duration::from_millis(120) })
    });
    let bare = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    assert_eq!(ended(slow, FIRST, bare, "2/0.1".parse().ok()).1, GameEnd::OutOfTime);
}

/// The tags of the first game of a match.
fn tags(timing: ArenaClock, date: GameDate) -> Tags {
    let arena =
        arena(&THREE, ArenaParams { timing, ..params(2) }).expect("an arena").with_date(date);
    let record = arena.run(None, &NoObserver).expect("games").records.remove(0);
    PgnReader::new(record.pgn.as_bytes()).next().expect("one").expect("a game").tags
}

/// The forms of `TimeControl` are those of the PGN standard, section 9.6.1.
#[test]
fn games_say_when_and_how_fast_they_were_played() {
    let clock = |text: &str| ArenaClock::Clock(text.parse().expect("a time control"));
    for (timing, written, of_move) in [
        (ArenaClock::Free, "-", None),
        (clock("60"), "60", None),
        (clock("1:00+0.5"), "60+0.5", None),
        (clock("40/1:00+1"), "40/60+1", None),
        (ArenaClock::Each(Duration::from_millis(1500)), "?", Some("1.5")),
    ] {
        let tags = tags(timing, GameDate::Unknown);
        assert_eq!(tags.get("TimeControl"), Some(written), "{timing:?}");
        assert_eq!(tags.get("MoveTime"), of_move, "{timing:?}");
        assert_eq!(tags.get("Date"), Some("????.??.??"));
    }
    let day = GameDate::On("2026-01-31".parse().expect("a day"));
    assert_eq!(tags(ArenaClock::Free, day).get("Date"), Some("2026.01.31"));
    let tags = tags(ArenaClock::Free, GameDate::Begun);
    let today = tags.get("Date").expect("a date").replace('.', "-");
    assert!(today.parse::<Day>().is_ok() && today.as_str() > "2026-01-01", "{today}");
}

/// A match that goes on another day keeps the dates of its games.
#[test]
fn games_of_other_days_are_gone_on_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    let on = |games, day: &str| {
        let date = GameDate::On(day.parse().expect("a day"));
        let arena = arena(&THREE, params(games)).expect("an arena").with_date(date);
        arena.run(Some(&file), &NoObserver).expect("games")
    };
    on(4, "2026-01-31");
    assert_eq!(on(6, "2026-02-01").resumed, 12);
    let text = String::from_utf8(bytes(&file)).expect("text");
    let count = |date| text.matches(&format!("[Date \"{date}\"]")).count();
    assert_eq!((count("2026.01.31"), count("2026.02.01")), (12, 6));
}

#[test]
fn games_end_by_the_rules_or_as_they_are_told() {
    let silent: EntrantFactory =
        ("silent", |_| Box::new(DelayedMove { mv: None, after: Duration::ZERO }));
    let wrong: EntrantFactory =
        ("wrong", |_| Box::new(DelayedMove { mv: "e2e5".parse().ok(), after: Duration::ZERO }));
    let slow: EntrantFactory = ("slow", |_| {
        Box::new(DelayedMove { mv: "a1b1".parse().ok(), after: Duration::from_millis(60) })
    });
    let bare = "8/8/8/3k4/8/8/8/K6R w - - 0 1";
    let clock = "0.05".parse().ok();
    use GameEnd::*;
    use GameResult::*;
    assert_eq!(ended(silent, FIRST, bare, None), (BlackWins, NoMove, 0));
    assert_eq!(ended(wrong, FIRST, bare, None), (BlackWins, IllegalMove, 0));
    assert_eq!(ended(slow, FIRST, bare, clock), (BlackWins, OutOfTime, 0));
    assert_eq!(ended(RANDOM, FIRST, bare, None), (Draw, MoveLimit, 10));
    // Without a clock nobody is late, and the second move is missing.
    assert_eq!(ended(slow, FIRST, bare, None).1, IllegalMove);
    let mates: EntrantFactory =
        ("mates", |_| Box::new(DelayedMove { mv: "h1h8".parse().ok(), after: Duration::ZERO }));
    let stalls: EntrantFactory =
        ("stalls", |_| Box::new(DelayedMove { mv: "g5g6".parse().ok(), after: Duration::ZERO }));
    let cornered = "k7/8/1K6/8/8/8/8/7R w - - 99 80";
    assert_eq!(ended(mates, FIRST, cornered, None), (WhiteWins, Checkmate, 1));
    let bound = "7k/8/8/6Q1/8/8/8/K7 w - - 0 1";
    assert_eq!(ended(stalls, FIRST, bound, None), (Draw, Stalemate, 1));
    let takes: EntrantFactory =
        ("takes", |_| Box::new(DelayedMove { mv: "a1a2".parse().ok(), after: Duration::ZERO }));
    let last = "8/8/8/8/4k3/8/r7/K7 w - - 0 1";
    assert_eq!(ended(takes, FIRST, last, None), (Draw, InsufficientMaterial, 1));
    assert_eq!(ended(FIRST, RANDOM, "8/8/8/3k4/8/8/8/K6R w - - 99 80", None).1, FiftyMoves);
}

#[test]
fn an_entrant_without_a_player_ends_the_work() {
    struct Nobody;
    impl Entrant for Nobody {
        fn name(&self) -> String {
            "nobody".into()
        }

        fn seat(&self, _: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
            Err(EntrantError { name: self.name(), source: "the chair is empty".into() })
        }
    }
    let arena = Arena::new(vec![&RANDOM, &Nobody], params(2)).expect("an arena");
    let error = arena.run(None, &NoObserver).expect_err("nobody plays").to_string();
    assert_eq!(error, "nobody cannot play: the chair is empty");
}

/// A file that can no longer be read ends the work: nobody loses by it.
#[test]
fn an_entrant_whose_tables_cannot_be_read_ends_the_work() {
    struct Unreadable;
    impl Entrant for Unreadable {
        fn name(&self) -> String {
            "unreadable".into()
        }

        fn seat(&self, _: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
            Ok((FIRST.1)(0))
        }

        fn check_readable(&self) -> Result<(), Stopped> {
            Err(Stopped::Unreadable(Arc::new(std::io::Error::other("the disk is gone"))))
        }
    }
    let arena = Arena::new(vec![&RANDOM, &Unreadable], params(2)).expect("an arena");
    let error = arena.run(None, &NoObserver).expect_err("its tables are gone");
    assert!(matches!(error, ArenaError::Stopped(Stopped::Unreadable(_))), "{error}");
    assert_eq!(error.to_string(), "the disk is gone");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refused = |entrants: &[EntrantFactory], params: ArenaParams| {
        arena(entrants, params).err().unwrap_or_else(|| panic!("it is played")).to_string()
    };
    assert!(refused(&[], params(2)).contains("at least two"));
    assert!(refused(&[RANDOM], params(2)).contains("at least two"));
    assert!(refused(&[RANDOM, RANDOM], params(2)).contains("random is named twice"));
    assert!(refused(&[RANDOM, ("a\nb", RANDOM.1)], params(2)).contains("one line"));
    for games in [0, 3] {
        assert!(refused(&THREE, params(games)).contains("2, 4, 6"));
    }
    assert!(refused(&THREE, params(u64::MAX - 1)).contains("at most"));
    assert!(refused(&THREE, ArenaParams { most_moves: 0, ..params(2) }).contains("0 moves"));
}

#[test]
fn openings_are_read_in_every_form() {
    let first = |text: &str, number: usize| {
        let (openings, _) =
            Openings::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        let params = ArenaParams { games: 6, openings, most_moves: 1, ..params(6) };
        let played = arena(&[RANDOM, FIRST], params).expect("an arena").run(None, &NoObserver);
        let pgn = &played.expect("games").records[number].pgn;
        let game = PgnReader::new(pgn.as_bytes()).next().expect("one").expect("a game");
        let moves: Vec<String> = game.game.history().map(|(_, mv)| mv.to_string()).collect();
        (game.game.start().to_string(), moves)
    };
    let (krk, kpk) = ("8/8/8/3k4/8/8/8/K6R w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    let fens = format!("# endgames\n\n{krk}\n  4k3/8/8/8/8/8/P7/4K3 w - - bm a4; id \"1\";\n");
    for (number, expected) in [(0, krk), (1, krk), (2, kpk), (4, krk)] {
        assert_eq!(first(&fens, number).0, expected);
    }
    assert_eq!(first("4k3/8/8/8/8/8/P7/4K3 w - - 3 40\n", 0).0, "4k3/8/8/8/8/8/P7/4K3 w - - 3 40");
    assert_eq!(first("1. e4 e5 2. Nf3 *\n\n1. d4 *\n", 2).1[0], "d2d4");
    assert_eq!(
        first("4k3/8/8/8/8/8/P7/4K3 w - - hmvc 3| fmvn 40|\r\n".replace('|', ";").as_str(), 0).0,
        "4k3/8/8/8/8/8/P7/4K3 w - - 3 40"
    );
    // A damaged game costs no other.
    let damaged = b"[Event \"a\"]\n\n1. Ke3 *\n\n[Event \"b\"]\n\n1. d4 *\n";
    let (openings, log) = Openings::parse(damaged).expect("a sound game");
    assert_eq!(log.left_out(), 1);
    let params = ArenaParams { games: 2, openings, most_moves: 1, ..params(2) };
    assert_eq!(
        arena(&[RANDOM, FIRST], params)
            .expect("an arena")
            .run(None, &NoObserver)
            .expect("games")
            .records
            .len(),
        2
    );
    let utf_16 = Openings::parse(b"\xff\xfe1\0").expect_err("UTF-16").to_string();
    assert!(utf_16.contains("UTF-16"), "{utf_16}");
    // After the byte order mark that Windows puts in front of UTF-8.
    assert_eq!(first(&format!("\u{feff}{krk}\n"), 0).0, krk);
    assert_eq!(first("\u{feff}1. e4 e5 2. Nf3 *\n\n1. d4 *\n", 2).1[0], "d2d4");
    let (start, moves) = first(&format!("[FEN \"{kpk}\"]\n\n1. a4 Kd7 *\n"), 1);
    assert_eq!((start.as_str(), &moves[..2]), (kpk, &["a2a4".to_owned(), "e8d7".into()][..]));

    for (text, words) in [
        ("", "no openings"),
        ("# nothing\n", "no openings"),
        ("8/8/8/3k4/8/8/8/K6R w - - 0 1\nrubbish\n", "line 2"),
        ("1. e4 e5 2. Ke3\n", "line 1, game 1: \"Ke3\" is not a legal move"),
        ("\u{feff}\n\n", "no openings"),
        ("1. f3 e5 2. g4 Qh4# 0-1\n", "opening 1 is over"),
    ] {
        let error = Openings::parse(text.as_bytes()).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
    let over = "8/8/8/8/8/1k6/8/K7 w - - 0 1".parse().expect("a FEN");
    assert!(matches!(Openings::random(over, 3), Err(OpeningsError::Over(1))));
}

#[test]
fn strength_is_as_by_hand() {
    for [games, difference] in cases("elo.csv") {
        let counts: Vec<u64> = games.split(' ').map(|count| count.parse().unwrap()).collect();
        let tally = Tally { won: counts[0], drawn: counts[1], lost: counts[2] };
        let mut table = CrossTable::new(2);
        // Whatever the colours.
        table.add(0, 1, Tally { drawn: 0, ..tally });
        table.add(1, 0, Tally { won: 0, drawn: tally.drawn, lost: 0 });
        let rated = ratings(&table);
        let [one, other] = [0, 1].map(|player| rated[player].expect("a rating"));
        let expected: f64 = difference.parse().expect("a number");
        assert!((one.elo - other.elo - expected).abs() < 1e-5, "{games}: {one:?} {other:?}");
        assert!((one.elo + other.elo).abs() < 1e-6, "the mean is 0");
        // After n games the difference of two players is known to 1 / sqrt(n p q), each rating to half of that.
        let (n, p) = (tally.games() as f64, tally.points() / tally.games() as f64);
        let off = 1.959_964 * 400.0 / 10_f64.ln() / (n * p * (1.0 - p)).sqrt() / 2.0;
        assert!((one.elo_95.1 - one.elo - off).abs() < 1e-3, "{games}: {one:?} {off}");
        assert!((one.elo - one.elo_95.0 - off).abs() < 1e-3, "{games}: {one:?} {off}");
    }
}

fn won(games: u64) -> Tally {
    Tally { won: games, ..Tally::default() }
}

#[test]
fn three_players_are_rated_together() {
    // Two odds of 3 to 1 make odds of 9 to 1: the table is what the ratings predict, whatever the
    // numbers of games.
    let mut table = CrossTable::new(3);
    for (one, other, points, lost) in [(0, 1, 30, 10), (1, 2, 75, 25), (0, 2, 18, 2)] {
        table.add(one, other, won(points));
        table.add(other, one, won(lost));
    }
    let step = 400.0 * 3_f64.log10();
    for (rating, expected) in ratings(&table).iter().zip([step, 0.0, -step]) {
        let elo = rating.expect("a rating").elo;
        assert!((elo - expected).abs() < 1e-6, "{elo} {expected}");
    }
}

#[test]
fn where_all_went_one_way_there_is_no_number() {
    let rated = |games: &[(usize, usize)]| {
        let mut table = CrossTable::new(4);
        games.iter().for_each(|&(winner, loser)| table.add(winner, loser, won(3)));
        ratings(&table).iter().map(Option::is_some).collect::<Vec<_>>()
    };
    assert_eq!(rated(&[]), [false; 4]);
    assert_eq!(rated(&[(0, 1), (1, 2), (2, 3)]), [false; 4]);
    assert_eq!(rated(&[(0, 1), (1, 2), (2, 3), (3, 0)]), [true; 4]);
    // One player won everything, one lost everything; the others can be compared.
    assert_eq!(
        rated(&[(0, 1), (0, 2), (1, 2), (2, 1), (1, 3), (2, 3)]),
        [false, true, true, false]
    );
    assert_eq!(rated(&[(0, 1), (1, 0), (2, 3), (3, 2)]), [true, true, false, false]);
    assert_eq!(ratings(&CrossTable::new(0)), []);
}
