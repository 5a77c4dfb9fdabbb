//! Validation by games: the same seed gives the same games, perfect players win all of them, and the
//! interval is the published one.

use lucena_base::named::Named;
use lucena_base::progress::NoObserver;
use lucena_chess::{Clock, Game, Move};
use lucena_play::validation::{Validation, ValidationError, ValidationParams, validate, wilson_95};
use lucena_play::{Player, Resistance};
use lucena_proof::policy::TablebasePlayer;
use lucena_tablebase::Tablebase;
use lucena_test_support::cases::cases;
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::proofs::generated_player;
use lucena_test_support::tables::{KQVK, KRVK};

fn games(
    player: &mut dyn Player,
    table: &Tablebase,
    resistance: Resistance,
    seed: u64,
) -> Validation {
    validate(player, table, ValidationParams { resistance, games: 300, seed }, &NoObserver)
        .expect("games")
}

/// Checks the sums, whatever was played.
fn check_sums(validation: &Validation) {
    let Validation { games, won, drawn, lost, .. } = *validation;
    assert_eq!(won + drawn + lost, games);
    let by_distance = validation.by_distance.values();
    let sums = by_distance.fold((0, 0), |sums, one| (sums.0 + one.games, sums.1 + one.won));
    assert_eq!(sums, (games, won), "every position with White to move is won");
    assert!(validation.by_distance.values().all(|one| one.won <= one.games));
    assert!(validation.by_distance.keys().all(|plies| plies % 2 == 1));
    let (low, high) = validation.wilson_95;
    assert_eq!((low, high), wilson_95(won, games));
    let rate = validation.win_rate;
    assert!(low <= rate + 1e-12 && rate <= high + 1e-12, "{low} {rate} {high}");
    assert!((rate - won as f64 / games as f64).abs() < 1e-12);
}

#[test]
fn perfect_players_win_every_game() {
    for &(name, resistance) in Resistance::ALL {
        let mut exact = generated_player(&KRVK).unwrap();
        let validation = games(&mut exact, &KRVK, resistance, 7);
        check_sums(&validation);
        assert_eq!((validation.won, validation.win_rate), (300, 1.0), "{name}");
        let excess = validation.mean_excess_moves.expect("games were won");
        // The best defence holds out exactly as long as possible, others not so long.
        assert!(if name == "best" { excess == 0.0 } else { excess < 0.0 }, "{name}: {excess}");
        let mut table = TablebasePlayer(&KQVK);
        let validation = games(&mut table, &KQVK, resistance, 7);
        check_sums(&validation);
        assert_eq!(validation.won, 300, "{name}");
    }
}

#[test]
fn the_same_seed_gives_the_same_result() {
    for &(_, resistance) in Resistance::ALL {
        let run = |seed| games(&mut TablebasePlayer(&KRVK), &KRVK, resistance, seed);
        assert_eq!(run(3), run(3));
        assert_ne!(run(3).by_distance, run(4).by_distance);
    }
    // The starts depend on the seed and not on the defence.
    let starts = |resistance| games(&mut TablebasePlayer(&KRVK), &KRVK, resistance, 3).by_distance;
    assert_eq!(starts(Resistance::Best), starts(Resistance::Random));
}

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

/// Offers no move.
struct NoMovePlayer;

impl Player for NoMovePlayer {
    fn name(&self) -> String {
        "silent".into()
    }

    fn play(&mut self, _: &Game, _: Option<Clock>) -> Option<Move> {
        None
    }
}

#[test]
fn bad_players_do_not_win() {
    let validation = games(&mut First, &KRVK, Resistance::Best, 1);
    check_sums(&validation);
    assert!(validation.won < 30 && validation.lost == 0, "{validation:?}");
    let validation = games(&mut NoMovePlayer, &KRVK, Resistance::Random, 1);
    check_sums(&validation);
    assert_eq!((validation.drawn, validation.mean_excess_moves), (300, None));
}

#[test]
fn starts_are_spread_over_all_distances() {
    let validation = validate(
        &mut NoMovePlayer,
        &KRVK,
        ValidationParams { resistance: Resistance::Random, games: 20_000, seed: 2 },
        &NoObserver,
    )
    .expect("games");
    // From the published counts: 21,480 of 175,168 are won in 23 plies.
    let share = validation.by_distance[&23].games as f64 / 20_000.0;
    assert!((share - 21_480.0 / 175_168.0).abs() < 0.01, "{share}");
    assert_eq!(validation.by_distance.len(), 16);
}

#[test]
fn progress_is_told_in_order() {
    let observer = RecordingObserver::default();
    validate(
        &mut NoMovePlayer,
        &KRVK,
        ValidationParams { resistance: Resistance::Random, games: 2_000, seed: 2 },
        &observer,
    )
    .unwrap();
    let told = observer.reports();
    assert!(told.is_sorted_by_key(|told| told.done));
    assert!(told.iter().all(|told| told.total == Some(2_000)));
    assert_eq!(told.last().map(|told| told.done), Some(2_000));
}

#[test]
fn zero_games_are_refused() {
    let refused = validate(
        &mut First,
        &KRVK,
        ValidationParams { resistance: Resistance::Best, games: 0, seed: 1 },
        &NoObserver,
    );
    assert_eq!(refused, Err(ValidationError::NoGames));
}

#[test]
fn the_interval_is_the_published_one() {
    for [won, games, low, high] in cases("wilson.csv") {
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let (found_low, found_high) = wilson_95(won.parse().unwrap(), games.parse().unwrap());
        let text = format!("{won} of {games}: {found_low} to {found_high}");
        assert!((found_low - number(&low)).abs() < 5.1e-5, "{text}");
        assert!((found_high - number(&high)).abs() < 5.1e-5, "{text}");
        // The intervals of the wins and of the other games mirror each other.
        let (won, games): (u64, u64) = (won.parse().unwrap(), games.parse().unwrap());
        let (low, high) = wilson_95(games - won, games);
        assert!((low - (1.0 - found_high)).abs() < 1e-12, "{text}");
        assert!((high - (1.0 - found_low)).abs() < 1e-12, "{text}");
    }
}
