//! Results of searches.

use crate::evaluation::random_games;
use lucena_base::named::Named;
use lucena_base::progress::NoObserver;
use lucena_chess::{Board, Clock, Game, Move, Position};
use lucena_experiments::experiment::{
    Positions, SearchExperiment, compare_searches, search_settings,
};
use lucena_play::{Player, SearchPlayer, SearchPolicy};
use lucena_proof::policy::Policy;
use lucena_search::evaluation::{CombinedEvaluation, Evaluation, Material, MenValues, MopUp};
use lucena_search::{
    Algorithm, KnownOutcome, Limit, OutcomeSource, Refinement, Refinements, Search, SearchParams,
    SearchRequest, TimeManager, Value,
};
use lucena_tablebase::Tablebase;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

fn complete() -> Arc<dyn Evaluation> {
    Arc::new(CombinedEvaluation::default())
}

fn value(params: SearchParams, game: &Game, depth: u8) -> Value {
    let params = SearchParams { table: 1, ..params };
    Search::new(params, complete()).find(game, Limit::depth(depth)).value
}

/// A textbook minimax over whole games: no hash table, no window, no ordering.
fn plain(game: &mut Game, depth: u8, ply: i32, evaluation: &dyn Evaluation) -> i32 {
    let moves = game.moves();
    let board = game.board();
    if moves.is_empty() {
        return if board.checkers().is_empty() { 0 } else { ply - 30_000 };
    }
    let is_repeated = ply > 0 && game.repetitions() > 1;
    let men = board.occupied().len();
    let is_bare = men == 2
        || men == 3
            && !(board.pieces(lucena_chess::Role::Knight)
                | board.pieces(lucena_chess::Role::Bishop))
            .is_empty();
    if ply > 0 && (is_repeated || is_bare || game.clock() >= 100) {
        return 0;
    }
    if depth == 0 {
        return evaluation.evaluate(board);
    }
    let mut best = i32::MIN;
    for mv in moves {
        game.play(mv).unwrap();
        best = best.max(-plain(game, depth - 1, ply + 1, evaluation));
        game.undo();
    }
    best
}

#[test]
fn minimax_is_minimax() {
    let evaluation = complete();
    for game in random_games(12, 17) {
        let want = plain(&mut game.clone(), 2, 0, &*evaluation);
        let found = value(SearchParams::depth(2).plain(Algorithm::Minimax), &game, 2);
        let score = match found {
            Value::Hundredths(value) => value,
            Value::Mates(plies) => 30_000 - i32::from(plies),
            Value::Mated(plies) => i32::from(plies) - 30_000,
            Value::Loses(_) | Value::Wins(_) => panic!("nothing is known"),
        };
        assert_eq!(score, want, "{game}");
    }
}

/// Every refinement that must not change the value, alone and all together.
fn lossless() -> Vec<SearchParams> {
    let base = SearchParams::depth(3);
    let mut searches = vec![base.plain(Algorithm::Negamax)];
    for algorithm in [Algorithm::AlphaBeta, Algorithm::NegaScout] {
        let with = |refinements| SearchParams { refinements, ..base.plain(algorithm) };
        searches.push(with(Refinements::NONE));
        searches.push(with(Refinements::lossless()));
        let needs = Refinements::NONE.with(Refinement::Deepening).with(Refinement::HashTable);
        let each = Refinement::ALL.iter().filter(|(_, one)| one.is_lossless());
        searches.extend(each.map(|&(_, one)| with(needs.with(one))));
    }
    searches
}

fn lossless_searches_agree(positions: &[Game], depth: u8) {
    let searches = lossless();
    assert!(searches.len() > 20);
    for game in positions {
        let want = value(SearchParams::depth(3).plain(Algorithm::Minimax), game, depth);
        for params in &searches {
            assert_eq!(value(*params, game, depth), want, "{game} {params}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn refinements_without_loss_keep_the_value() {
    let positions = random_games(20, 9);
    assert!(positions.len() > 200);
    lossless_searches_agree(&positions, 2);
}

#[test]
#[ignore = "slow without optimisation"]
fn refinements_without_loss_keep_the_value_on_thousands_of_positions() {
    let positions = random_games(80, 5);
    assert!(positions.len() > 2000);
    lossless_searches_agree(&positions, 2);
    let positions: Vec<Game> = positions.into_iter().step_by(4).collect();
    lossless_searches_agree(&positions, 3);
}

/// A source of outcomes that have nothing to do with chess: a third of the boards is unknown.
struct Arbitrary;

impl OutcomeSource for Arbitrary {
    fn most_men(&self) -> u32 {
        30
    }

    fn outcome(&self, board: &Board) -> Option<KnownOutcome> {
        use KnownOutcome::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let outcomes = [Loss, BlessedLoss, Draw, CursedWin, Win];
        outcomes.get((board.hash() % 8) as usize).copied()
    }
}

/// Known outcomes are the same to all searches, and no search looks beyond them.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn known_outcomes_are_heeded_alike() {
    let positions = random_games(10, 40);
    let (mut hits, mut decided) = (0, 0);
    for game in &positions {
        let found = |params: SearchParams, depth| {
            let request = SearchRequest {
                outcomes: Some(&Arbitrary),
                ..SearchRequest::within(Limit::depth(depth))
            };
            Search::new(params, complete()).run(game, request)
        };
        let want = found(SearchParams::depth(3).plain(Algorithm::Minimax), 2);
        for params in lossless() {
            assert_eq!(found(params, 2).value, want.value, "{game} {params}");
        }
        // Also a search with all refinements has them in its table at the right distance.
        let deep = found(SearchParams::depth(4), 4);
        hits += deep.table_hits;
        if let Value::Wins(plies) | Value::Loses(plies) = want.value {
            assert!((1..=2).contains(&plies), "{game}: {plies}");
            decided += 1;
        }
        if let Value::Wins(plies) | Value::Loses(plies) = deep.value {
            assert!((1..=40).contains(&plies), "{game}: {plies}");
        }
    }
    assert!(hits > 1000 && decided > 10, "{hits} {decided}");
}

/// Mates in a few moves are found at their depth and reported in plies, with all refinements and with none.
#[test]
fn mates_are_told_in_plies() {
    let tablebase = Tablebase::solve("KQvK".parse().unwrap());
    let mut seen = 0;
    for (position, outcome) in tablebase.canonical_positions(lucena_chess::Side::Strong).step_by(29)
    {
        let Some(plies @ (1 | 3)) = outcome.plies() else { continue };
        let game = Game::from(position);
        for params in [SearchParams::depth(4), SearchParams::depth(4).plain(Algorithm::NegaScout)] {
            let found = value(params, &game, plies as u8 + 1);
            assert_eq!(found, Value::Mates(plies), "{position} {params}");
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn draws_are_seen_in_time() {
    // Qf7 would stalemate, and Qf6 would only wait.
    let stalemate: Game = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".parse().unwrap();
    let found = Search::new(SearchParams::depth(3), complete()).find(&stalemate, Limit::depth(3));
    assert_eq!(found.value, Value::Mates(1));
    // One ply before the fifty moves are over, only a mate or a capture helps.
    let late: Game = "8/8/8/3k4/8/8/8/K6R w - - 99 90".parse().unwrap();
    assert_eq!(value(SearchParams::depth(4), &late, 4), Value::Hundredths(0));
}

#[test]
fn what_has_been_on_the_board_before_is_a_draw() {
    let mut game: Game = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse().unwrap();
    for mv in ["Rh2", "Kc4", "Rh1", "Kd5", "Rh2", "Kc4"] {
        game.play(game.parse_move(mv).unwrap()).unwrap();
    }
    let evaluation = Arc::new(Material(MenValues::DEFAULT));
    let mut search = Search::new(SearchParams::depth(1), evaluation);
    let found = search.find(&game, Limit::depth(1));
    // Going back would repeat the position: any other move keeps the rook's advantage.
    assert_ne!(found.mv, Some(game.parse_move("Rh1").unwrap()));
    assert_eq!(found.value, Value::Hundredths(500));
}

#[test]
fn a_fixed_depth_is_the_same_function_every_time() {
    let games = random_games(4, 25);
    let search = || Search::new(SearchParams::depth(4), complete());
    let fresh = |game: &Game| {
        let found = search().find(game, Limit::depth(4));
        (found.mv, found.value, found.nodes)
    };
    let mut one = search();
    for game in &games {
        one.forget();
        let found = one.find(game, Limit::depth(4));
        assert_eq!((found.mv, found.value, found.nodes), fresh(game), "{game}");
    }
}

#[test]
fn limits_are_kept() {
    let game = Game::new();
    let mut search = Search::new(SearchParams::default(), complete());
    let found = search.find(&game, Limit::nodes(10_000));
    assert!(found.nodes <= 10_000 && found.depth > 1 && found.mv.is_some());
    let found = search.find(&game, Limit { plies: Some(64), nodes: Some(1), ..Limit::default() });
    assert!(found.mv.is_some(), "there is always a move");
    // A mate ends the search before the limit.
    let mate: Game = "7k/8/6K1/8/8/8/8/R7 w - - 0 1".parse().unwrap();
    let found = search.find(&mate, Limit::depth(40));
    assert_eq!((found.value, found.depth), (Value::Mates(1), 1));
    let over: Game = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
    assert_eq!(search.find(&over, Limit::depth(3)).mv, None);
}

#[test]
fn the_time_for_a_move_is_kept_within_the_clock() {
    let control = TimeManager::each(Duration::from_millis(50));
    let clock = |millis| Clock {
        left: Duration::from_millis(millis),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    assert_eq!(control.for_move(None), Duration::from_millis(50));
    for left in [1, 10, 100, 1000, 60_000] {
        let given = control.for_move(Some(clock(left)));
        assert!(given <= Duration::from_millis(left), "{given:?} of {left} ms");
    }
    assert!(control.for_move(Some(clock(60_000))) > Duration::from_secs(1));
    // The fewer moves the time must last for, the more each of them gets.
    let mut before = Duration::ZERO;
    for moves in [u32::MAX, 200, 40, 20, 5, 1] {
        let moves_to_go = NonZeroU32::new(moves);
        let clock = Clock { increment: Duration::from_secs(1), moves_to_go, ..clock(60_000) };
        let given = control.for_move(Some(clock));
        assert!(given > before && given <= Duration::from_secs(30), "{given:?} for {moves}");
        assert!(given.saturating_sub(Duration::from_secs(1)) * moves < clock.left, "{moves}");
        before = given;
    }
    let mut whole = TimeManager::whole(Duration::from_secs(30));
    let given = whole.for_move(None);
    assert_eq!(given, Duration::from_millis(990));
    whole.spent(given, Duration::from_millis(490));
    assert_eq!(whole.for_move(None), Duration::from_millis(1490));
}

#[test]
fn settings_are_read_as_they_are_written() {
    let texts = [
        "depth=3",
        "nodes=1000",
        "time=50ms",
        "whole=60s",
        "depth=5,algorithm=minimax",
        "depth=5,algorithm=alpha-beta,off=all",
        "depth=5,off=killers+null-move",
        "depth=5,on=deepening+quiescence",
        "time=100ms,table=64",
    ];
    for text in texts {
        let params: SearchParams = text.parse().unwrap();
        assert_eq!(params.to_string(), text);
        assert_eq!(params.to_string().parse(), Ok(params));
    }
    for text in [
        "depth=0",
        "depth=65",
        "depth=100",
        "depth=x",
        "time=0ms",
        "time=5",
        "time=-1s",
        "nodes=0",
        "table=0",
        "algorithm=maximin",
        "on=nothing",
        "off=",
        "speed=3",
        "depth",
        "nodes=10,off=deepening",
    ] {
        assert!(text.parse::<SearchParams>().is_err(), "{text}");
    }
}

/// A search to a fixed depth chooses equivalent moves on symmetric boards.
#[test]
fn a_policy_moves_with_the_board() {
    let material = "KRvK".parse().unwrap();
    let policy =
        SearchPolicy::new(material, SearchParams::depth(2), Arc::new(MopUp::default())).unwrap();
    let tablebase = Tablebase::solve(material);
    for (position, _) in tablebase.canonical_positions(lucena_chess::Side::Strong).step_by(501) {
        let mv = policy.choose(&position).unwrap();
        for &symmetry in policy.symmetries().symmetries() {
            let turned: Position = symmetry.apply_to_position(&position);
            assert_eq!(policy.choose(&turned), Some(symmetry.apply_to_move(mv)), "{position}");
        }
    }
    let by_time =
        SearchParams { limit: Limit::time(Duration::from_millis(1)), ..SearchParams::default() };
    assert!(SearchPolicy::new(material, by_time, complete()).is_err());
}

#[test]
fn a_player_plays_legal_moves_to_the_end() {
    let mut game = Game::new();
    let params: SearchParams = "depth=2".parse().unwrap();
    let mut player = SearchPlayer::new(params, complete());
    for _ in 0..60 {
        if game.status().is_over() {
            break;
        }
        let mv: Move = player.play(&game, None).expect("the game goes on");
        game.play(mv).unwrap();
    }
    assert!(game.history().len() >= 10);
}

/// The question of the studies: the savings of alpha-beta and its refinements.
#[test]
#[ignore = "slow without optimisation"]
fn refinements_save_nodes_on_the_bratko_kopec_positions() {
    let experiment = SearchExperiment {
        positions: Positions::bratko_kopec(),
        evaluation: complete(),
        depth: 4,
        most_nodes: 100_000_000,
    };
    let wanted = ["minimax", "alpha-beta", "captures", "all"];
    let settings: Vec<_> = search_settings()
        .into_iter()
        .filter(|setting| wanted.contains(&setting.name.as_str()))
        .filter(|setting| setting.group.name() != "without")
        .collect();
    let rows = compare_searches(&experiment, &settings, &NoObserver).unwrap();
    let nodes = |name: &str| {
        let row = rows.iter().find(|row| row.setting == name && row.depth == 4);
        row.expect("it goes so deep").nodes
    };
    assert!(nodes("captures") * 20 <= nodes("minimax"));
    assert!(nodes("alpha-beta") * 10 <= nodes("minimax"));
    assert!(nodes("all") < nodes("alpha-beta"));
}

/// From the initial position there are 20, 400 and 8,902 games of one, two and three plies (perft), and so many leaves.
#[test]
fn leaves_are_compared_with_the_least_number() {
    let text = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    let experiment = SearchExperiment {
        positions: Positions::parse("initial", text).expect("a position"),
        evaluation: complete(),
        depth: 3,
        most_nodes: 1_000_000,
    };
    let plain: Vec<_> =
        search_settings().into_iter().filter(|setting| setting.group.name() == "plain").collect();
    let rows = compare_searches(&experiment, &plain, &NoObserver).unwrap();
    let of = |name: &'static str| rows.iter().filter(move |row| row.setting == name);
    assert!(of("minimax").map(|row| row.leaves).eq([20, 400, 8_902]));
    let alpha_beta: Vec<_> = of("alpha-beta").collect();
    // 20^1 + 20^0 - 1, 20^1 + 20^1 - 1, W^2 + W^1 - 1 with W^3 = 8902.
    let least = [20.0, 39.0, 20.7257_f64.powi(2) + 20.7257 - 1.0];
    for (row, least) in alpha_beta.iter().zip(least) {
        let found = row.least_leaves.expect("minimax goes as deep");
        assert!((found - least).abs() < 0.05, "{found}, not {least}");
        assert!(row.leaves as f64 > 0.9 * least && row.leaves <= 8_902, "{row:?}");
        assert!(row.first_is_best.is_some_and(|share| (0.0..=1.0).contains(&share)), "{row:?}");
    }
    assert!(of("minimax").all(|row| row.first_is_best.is_none() && row.vain_checks.is_none()));
}
