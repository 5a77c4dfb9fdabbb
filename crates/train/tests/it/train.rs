//! Players that learn: the network compared with the published formulas, implemented plainly; files of
//! weights; and proofs of the checked-in weights.

use lucena_attributes::Selection;
use lucena_base::named::Named;
use lucena_base::progress::NoObserver;
use lucena_chess::{Board, Clock, Color, Game, Move, Role, Square, Status};
use lucena_play::{Player, RandomPlayer};
use lucena_proof::policy::Policy;
use lucena_proof::{Proof, prove};
use lucena_search::evaluation::Evaluation;
use lucena_tablebase::Tablebase;
use lucena_test_support::cases::{cases, repository};
use lucena_test_support::tables::{KQVK, KRVK, material};
use lucena_train::{
    BoardEncoding, ChessLearner, ChessParams, ChessWeights, DecayingRate, EndgameLearner,
    EndgameParams, EndgameWeights, GameScore, Input, LearnedLookAhead, LearnedPlayer,
    LearnedPolicy, Learner, LookAhead, ModelKind, Network, SettingError, Shape, Tally, TdPlayer,
    TrainError, TrainedWeights, Trial, Weights, run_trials, train,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

const SMALL: Shape = Shape { inputs: 12, hidden: 5 };

/// A plain network: its weights and the formulas.
struct ReferenceNetwork {
    beta: f64,
    hidden: Vec<f64>,
    output: Vec<f64>,
}

impl ReferenceNetwork {
    fn new(network: &Network) -> Self {
        let plain = |weights: &[f32]| weights.iter().copied().map(f64::from).collect();
        let Weights { hidden, output } = network.weights();
        Self { beta: network.beta().into(), hidden: plain(hidden), output: plain(output) }
    }

    /// The activations of the hidden units, and the prediction.
    fn fire(&self, set: &[u32]) -> (Vec<f64>, f64) {
        let sigmoid = |sum: f64| 1.0 / (1.0 + (-self.beta * sum).exp());
        let count = self.output.len();
        let unit = |at| set.iter().map(|&input| self.hidden[input as usize * count + at]).sum();
        let units: Vec<f64> = (0..count).map(|at| sigmoid(unit(at))).collect();
        let sum = units.iter().zip(&self.output).map(|(unit, weight)| unit * weight).sum();
        (units, sigmoid(sum))
    }

    /// ∇P by the chain rule, for all weights from the inputs and then for those to the output.
    fn gradient(&self, set: &[u32]) -> Vec<f64> {
        let (units, prediction) = self.fire(set);
        let slope = self.beta * prediction * (1.0 - prediction);
        let count = units.len();
        let mut gradient = vec![0.0; self.hidden.len()];
        for &input in set {
            for (at, unit) in units.iter().enumerate() {
                gradient[input as usize * count + at] +=
                    slope * self.output[at] * self.beta * unit * (1.0 - unit);
            }
        }
        gradient.extend(units.iter().map(|unit| slope * unit));
        gradient
    }

    fn weights(&self) -> Vec<f64> {
        self.hidden.iter().chain(&self.output).copied().collect()
    }
}

/// A network whose weights are larger than the initial ones.
fn network(shape: Shape, beta: f32, seed: u64) -> Network {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = |count| (0..count).map(|_| rng.gen_range(-1.0..1.0)).collect();
    let hidden = draw(shape.inputs * shape.hidden);
    Network::from_weights(shape, beta, Weights { hidden, output: draw(shape.hidden) })
}

fn all_weights(network: &Network) -> Vec<f64> {
    ReferenceNetwork::new(network).weights()
}

fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance, "{at}: {found}, not {expected}");
    }
}

#[test]
fn a_prediction_is_what_the_formula_says() {
    for (seed, beta) in [(1, 1.0), (2, 5.0), (3, 0.3)] {
        let network = network(SMALL, beta, seed);
        for set in [&[][..], &[0], &[3, 7, 11], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]] {
            let (_, expected) = ReferenceNetwork::new(&network).fire(set);
            assert_near(&[network.predict(set).into()], &[expected], 1e-5);
        }
    }
}

/// Compares the gradient with finite differences, weight by weight.
#[test]
fn the_gradient_is_that_of_finite_differences() {
    const SMALL_CHANGE: f64 = 1e-5;
    for (seed, beta) in [(4, 1.0), (5, 3.0)] {
        let before = network(SMALL, beta, seed);
        let set = [1, 4, 5, 10];
        let mut after = before.clone();
        after.learn(&set, 0.5);
        let weights = all_weights(&before);
        let moved = all_weights(&after);
        let moved: Vec<f64> = moved.iter().zip(&weights).map(|(a, b)| (a - b) / 0.5).collect();
        let differences = (0..weights.len()).map(|at| {
            let with = |by: f64| {
                let mut plain = ReferenceNetwork::new(&before);
                let hidden = plain.hidden.len();
                *plain.hidden.iter_mut().chain(&mut plain.output).nth(at).unwrap() += by;
                assert_eq!(plain.hidden.len(), hidden);
                plain.fire(&set).1
            };
            (with(SMALL_CHANGE) - with(-SMALL_CHANGE)) / (2.0 * SMALL_CHANGE)
        });
        assert_near(&moved, &differences.collect::<Vec<_>>(), 1e-5);
    }
}

/// The published rule, one prediction after the other, with a trace for all weights.
#[test]
fn a_game_is_learned_as_the_formula_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for (outcome, alpha, lambda) in
        [(1.0, 0.3, 0.8), (0.5, 0.5, 0.8), (0.0, 0.1, 0.0), (1.0, 0.2, 1.0)]
    {
        let game: Vec<Vec<u32>> = (0..9)
            .map(|_| (0..SMALL.inputs as u32).filter(|_| rng.gen_bool(0.4)).collect())
            .collect();
        let mut learned = network(SMALL, 2.0, 7);
        let plain = ReferenceNetwork::new(&learned);
        let mut predictions: Vec<f64> = game.iter().map(|set| plain.fire(set).1).collect();
        predictions.push(outcome.into());
        let mut expected = plain.weights();
        let mut trace = vec![0.0; expected.len()];
        for (set, two) in game.iter().zip(predictions.windows(2)) {
            for (trace, slope) in trace.iter_mut().zip(plain.gradient(set)) {
                *trace = f64::from(lambda) * *trace + slope;
            }
            for (weight, trace) in expected.iter_mut().zip(&trace) {
                *weight += f64::from(alpha) * (two[1] - two[0]) * trace;
            }
        }
        learned.learn_game(&game, outcome, alpha, lambda);
        assert_near(&all_weights(&learned), &expected, 1e-5);
    }
}

/// "Twelve inputs for each square", and what the printed program does instead: `j*8 + i +
/// offset`.
#[test]
fn both_readings_of_the_inputs_are_told_apart() {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    let mut inputs = [BTreeSet::new(), BTreeSet::new()];
    for j in 0..8 {
        for i in 0..8 {
            let square = Square::index(j * 8 + i);
            for (offset, role) in roles.into_iter().enumerate() {
                for (add, color) in [(0, Color::White), (6, Color::Black)] {
                    let text = BoardEncoding::Text.input(square, role, color);
                    let program = BoardEncoding::Program.input(square, role, color);
                    assert_eq!(program as usize, j * 8 + i + offset + add);
                    inputs[0].insert(text);
                    inputs[1].insert(program);
                }
            }
        }
    }
    assert_eq!(inputs.each_ref().map(BTreeSet::len), [768, 75]);
    assert!(inputs.iter().flatten().all(|&input| (input as usize) < BoardEncoding::INPUTS));

    let start = Board::startpos();
    let set = |reading: BoardEncoding| {
        reading.set(&start, Color::White).into_iter().collect::<BTreeSet<_>>()
    };
    assert_eq!(set(BoardEncoding::Text).len(), 32);
    // 32 men set at most these.
    let collided = set(BoardEncoding::Program);
    assert_eq!(BoardEncoding::Program.set(&start, Color::White).len(), collided.len());
    assert!(collided.len() < 32, "{}", collided.len());
    // Both sides see themselves as White: in the initial position their inputs are equal.
    assert_eq!(
        set(BoardEncoding::Text),
        BoardEncoding::Text.set(&start, Color::Black).into_iter().collect()
    );
}

fn boards(games: u64) -> Vec<Board> {
    let mut boards = Vec::new();
    for seed in 0..games {
        let (mut game, mut player) = (Game::new(), RandomPlayer::new(seed));
        while let Some(mv) = player.play(&game, None).filter(|_| !game.status().is_over()) {
            game.play(mv).unwrap();
            boards.push(game.board().clone());
        }
    }
    boards
}

fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_a_man| {
        moves.extend(of_a_man);
        false
    });
    moves
}

fn after(board: &Board, mv: Move) -> Board {
    let mut after = board.clone();
    after.play(mv);
    after
}

/// Compares a network that is updated incrementally with one that evaluates every board from scratch.
#[test]
fn a_network_plays_the_move_of_the_highest_prediction() {
    for reading in [BoardEncoding::Text, BoardEncoding::Program] {
        let shape = Shape { inputs: BoardEncoding::INPUTS, hidden: 27 };
        let network = network(shape, 0.2, 8);
        let predict = |board: &Board, side| network.predict(&reading.set(board, side));
        for look_ahead in [LookAhead::OnePly, LookAhead::TwoPlies, LookAhead::TwoPliesOpen] {
            let player = TdPlayer { network: network.clone(), reading, look_ahead };
            for board in
                boards(6).iter().step_by(if look_ahead == LookAhead::OnePly { 9 } else { 97 })
            {
                let side = board.side_to_move();
                let value = |mv: &Move| {
                    let after_move = after(board, *mv);
                    let replies = moves(&after_move);
                    let least = replies
                        .iter()
                        .map(|&reply| predict(&after(&after_move, reply), side))
                        .min_by(f32::total_cmp);
                    match look_ahead {
                        LookAhead::OnePly => predict(&after_move, side),
                        LookAhead::TwoPlies => least.unwrap_or_else(|| predict(&after_move, side)),
                        _ => least.unwrap_or(f32::INFINITY),
                    }
                };
                let best = moves(board).iter().map(value).max_by(f32::total_cmp);
                let chosen = player.choose(board);
                assert_eq!(chosen.is_some(), best.is_some());
                if let (Some(chosen), Some(best)) = (chosen, best) {
                    let chosen = value(&chosen);
                    assert!(
                        chosen == best || best - chosen < 1e-5,
                        "{board}: {chosen}, not {best}"
                    );
                }
            }
        }
    }
}

/// A random player that records the games that it sees.
struct RecordingPlayer(RandomPlayer, Game);

impl Player for RecordingPlayer {
    fn name(&self) -> String {
        "witness".into()
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.1 = game.clone();
        let mv = self.0.play(game, clock)?;
        self.1.play(mv).unwrap();
        Some(mv)
    }
}

/// The published rule: fifty moves since the last capture, whatever the pawns do.
#[test]
fn fifty_moves_are_counted_from_the_last_capture() {
    let network = Network::new(Shape { inputs: BoardEncoding::INPUTS, hidden: 27 }, 5.0, 1);
    let player = TdPlayer { network, reading: BoardEncoding::Text, look_ahead: LookAhead::OnePly };
    let mut with_pawn_moves = 0;
    for seed in 0..12 {
        let mut witness = RecordingPlayer(RandomPlayer::new(seed), Game::new());
        let played = player.play_game(&mut witness);
        let game = witness.1;
        let men: Vec<u32> = game.history().map(|(board, _)| board.occupied().len()).collect();
        let men = [men, vec![game.board().occupied().len()]].concat();
        let quiet = men.iter().rev().take_while(|&&left| left == men[men.len() - 1]).count() - 1;
        assert!(quiet <= 100, "{quiet} plies without a capture");
        let is_over = |status: Status| {
            matches!(
                status,
                Status::Checkmate { .. } | Status::Stalemate | Status::InsufficientMaterial
            )
        };
        // The witness does not see White's last move.
        let ended_by_rule = is_over(game.status())
            || moves(game.board()).iter().any(|&mv| {
                let mut game = game.clone();
                game.play(mv).unwrap();
                is_over(game.status())
            });
        assert!(ended_by_rule || (quiet >= 99 && played.score == GameScore::Drawn), "{quiet}");
        with_pawn_moves += usize::from(quiet >= 99 && usize::from(game.clock()) + 2 < quiet);
        assert!(played.seen.len() * 2 + 1 >= game.history().len());
    }
    assert!(with_pawn_moves > 0, "a pawn moves within fifty moves sometimes");
}

fn small(kind: ModelKind, games: u64) -> EndgameParams {
    EndgameParams {
        attributes: Selection::Strategic.into(),
        games,
        hidden: 8,
        ..EndgameParams::new(kind)
    }
}

fn learner(tablebase: &Tablebase, params: EndgameParams) -> EndgameLearner {
    let weights = EndgameWeights::new(tablebase.material(), params).expect("sound parameters");
    EndgameLearner::new(tablebase, weights)
}

fn proved(weights: &EndgameWeights, tablebase: &Tablebase) -> Proof {
    let policy = LearnedPolicy::new(weights, tablebase).expect("the table of the weights");
    assert_eq!(policy.material(), weights.material());
    prove(&policy, tablebase).expect("a proof")
}

/// A linear evaluation wins far more after training on a few games than before.
#[test]
fn a_little_training_is_worth_something_against_every_defence() {
    let params = small(ModelKind::Linear, 10_000);
    let before = EndgameWeights::new(material("KQvK"), params).unwrap();
    let mut learner = learner(&KQVK, params);
    train(&mut learner, None, &NoObserver).unwrap();
    let [before, after] = [&before, learner.weights()].map(|weights| proved(weights, &KQVK));
    assert_eq!((before.winnable, after.winnable), (144_508, 144_508));
    assert!(before.won < 14_000, "{} won without learning", before.won);
    assert!(after.won > 60_000, "{} won", after.won);
}

/// The checked-in weights, against every defence: all positions are won.
#[test]
fn the_weights_that_are_checked_in_win_everything() {
    for (file, tablebase) in [
        ("KRvK.network.safetensors", &*KRVK),
        ("KRvK.pairs.json", &*KRVK),
        ("KQvK.network.safetensors", &*KQVK),
    ] {
        let bytes = std::fs::read(repository("data/weights").join(file)).expect("it is checked in");
        let weights = EndgameWeights::from_bytes(&bytes).expect("it is sound");
        let proof = proved(&weights, tablebase);
        assert!(proof.wins_all(), "{file}: {} of {}", proof.won, proof.winnable);
        assert!(weights.to_bytes() == bytes, "{file} is written as it was read");
    }
}

/// Repeats the commands of `data/README.md`.
#[test]
#[ignore = "slow without optimisation"]
fn the_weights_that_are_checked_in_are_found_again() {
    for file in ["KRvK.network.safetensors", "KRvK.pairs.json", "KQvK.network.safetensors"] {
        let bytes = std::fs::read(repository("data/weights").join(file)).expect("it is checked in");
        let kept = EndgameWeights::from_bytes(&bytes).expect("it is sound");
        let tablebase = Tablebase::solve(kept.material());
        let mut learner = learner(&tablebase, *kept.params());
        train(&mut learner, None, &NoObserver).unwrap();
        assert!(learner.weights().to_bytes() == bytes, "{file}");
    }
    let bytes = std::fs::read(repository("data/weights/chess.json")).expect("it is checked in");
    let kept = ChessWeights::from_bytes(&bytes).expect("it is sound");
    let mut learner = ChessLearner::new(ChessWeights::new(*kept.params()).unwrap());
    train(&mut learner, None, &NoObserver).unwrap();
    assert!(learner.weights().to_bytes() == bytes, "chess.json");
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut endgame = learner(&KQVK, small(ModelKind::Network, 4_000));
            train(&mut endgame, None, &NoObserver).unwrap();
            let params = ChessParams { games: 16, ..ChessParams::default() };
            let mut chess = ChessLearner::new(ChessWeights::new(params).unwrap());
            train(&mut chess, None, &NoObserver).unwrap();
            (endgame.weights().to_bytes(), chess.weights().to_bytes())
        })
    };
    assert!(with(1) == with(3));
}

#[test]
fn weights_are_trained_on() {
    let mut first = learner(&KQVK, small(ModelKind::Linear, 2_000));
    train(&mut first, None, &NoObserver).unwrap();
    let params = EndgameParams { seed: 9, ..small(ModelKind::Linear, 2_000) };
    let weights = first.weights().clone().trained_on(params).unwrap();
    assert_eq!(weights.games_done(), 0);
    let mut second = EndgameLearner::new(&KQVK, weights);
    train(&mut second, None, &NoObserver).unwrap();
    assert!(proved(second.weights(), &KQVK).won > 0);
    for other in
        [small(ModelKind::Pairs, 1), EndgameParams { attributes: Selection::All.into(), ..params }]
    {
        assert_eq!(
            first.weights().clone().trained_on(other).unwrap_err(),
            SettingError::OtherShape
        );
    }
    let hidden = EndgameParams { hidden: 9, ..small(ModelKind::Network, 1) };
    let network = EndgameWeights::new(material("KQvK"), small(ModelKind::Network, 1)).unwrap();
    assert_eq!(network.trained_on(hidden).unwrap_err(), SettingError::OtherShape);
}

fn refusal(bytes: &[u8]) -> String {
    match TrainedWeights::from_bytes(bytes) {
        Ok(_) => "it is read".into(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn damaged_weights_are_refused() {
    let params = EndgameParams {
        attributes: Selection::Strategic.into(),
        ..EndgameParams::new(ModelKind::Linear)
    };
    let bytes = EndgameWeights::new(material("KRvK"), params).unwrap().to_bytes();
    let json = String::from_utf8(bytes).unwrap();
    let mut wrong = Vec::new();
    for [from, to, words] in cases("damaged_weights.csv") {
        assert!(json.contains(&from), "{from} is there");
        let message = refusal(json.replacen(&from, &to, 1).as_bytes());
        if !message.contains(&words) {
            wrong.push(format!("{from} -> {to}: {message}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for length in (0..json.trim_end().len()).step_by(97) {
        assert_ne!(refusal(&json.as_bytes()[..length]), "it is read", "{length} bytes");
    }
    for foreign in [
        "",
        "{}",
        "[]",
        "null",
        "a,1,b,3,c,2,draw\n",
        "{\"head\":{}}",
        "{\"head\":{\"material\":\"KRvK\"}}",
    ] {
        assert_ne!(refusal(foreign.as_bytes()), "it is read", "{foreign}");
    }
    assert_ne!(refusal("[".repeat(1_000_000).as_bytes()), "it is read");
}

#[test]
fn damaged_networks_are_refused() {
    let of = |hidden| {
        let params = EndgameParams { hidden, ..small(ModelKind::Network, 1) };
        EndgameWeights::new(material("KRvK"), params).unwrap().to_bytes()
    };
    let bytes = of(8);
    assert_eq!(refusal(&bytes), "it is read");
    for length in (0..bytes.len()).step_by(131).chain([7, 8, 9, bytes.len() - 1]) {
        assert_ne!(refusal(&bytes[..length]), "it is read", "{length} bytes");
    }
    let replaced = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len(), "the head keeps its length");
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes());
        let at = at.unwrap_or_else(|| panic!("{from} is there"));
        [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
    };
    // The expected shape, and the actual one.
    assert!(refusal(&replaced(r#"\"hidden\":8"#, r#"\"hidden\":9"#)).contains("another network"));
    assert!(refusal(&replaced("[8]", "[7]")).contains("safetensors"));
    assert!(refusal(&replaced("\"output\"", "\"outputs")).contains("safetensors"));
    assert!(refusal(&replaced("\"lucena\"", "\"lucema\"")).contains("does not state"));
    assert!(refusal(&replaced("F32", "I32")).contains("another network"));
    assert!(refusal(&replaced("network\\", "linear.\\")).contains("linear."));
    let mut infinite = bytes.clone();
    let last = infinite.len() - 4;
    infinite[last..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(refusal(&infinite).contains("not a number"));
    let mut noise = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..300 {
        let mut damaged = bytes.clone();
        let at = noise.gen_range(0..1_200.min(damaged.len()));
        damaged[at] = noise.gen_range(0..=255);
        // It is refused or read, without a panic.
        refusal(&damaged);
    }
}

#[test]
fn settings_without_sense_are_refused() {
    let sound = small(ModelKind::Network, 1);
    let rate = |first| DecayingRate { first, last: 0.1 };
    for params in [
        EndgameParams { rate: rate(f64::NAN), ..sound },
        EndgameParams { rate: rate(0.0), ..sound },
        EndgameParams { rate: rate(f64::INFINITY), ..sound },
        EndgameParams { lambda: 1.01, ..sound },
        EndgameParams { lambda: f64::NAN, ..sound },
        EndgameParams { discount: -0.1, ..sound },
        EndgameParams { explore: 2.0, ..sound },
        EndgameParams { doubt: -1.0, ..sound },
        EndgameParams { games: 0, ..sound },
        EndgameParams { hidden: 0, ..sound },
        EndgameParams { hidden: 65, ..sound },
    ] {
        assert!(EndgameWeights::new(material("KRvK"), params).is_err(), "{params:?}");
    }
    let sound = ChessParams::default();
    for params in [
        ChessParams { rate: rate(-1.0), ..sound },
        ChessParams { lambda: -0.5, ..sound },
        ChessParams { random: 1.5, ..sound },
        ChessParams { games: 0, ..sound },
    ] {
        assert!(ChessWeights::new(params).is_err(), "{params:?}");
    }
    let sound = Trial { games: 1, ..Trial::published(LookAhead::OnePly, BoardEncoding::Text) };
    for trial in [
        Trial { alpha: Some(f64::NAN), ..sound },
        Trial { beta: 0.0, ..sound },
        Trial { lambda: 2.0, ..sound },
        Trial { games: 0, ..sound },
    ] {
        assert!(trial.run(1, &NoObserver).is_err(), "{trial}");
    }
    assert!(matches!(run_trials(&[sound], 1, 0, None, &NoObserver), Err(TrainError::NoRuns)));
}

#[test]
fn runs_of_trials_are_kept_and_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.csv");
    let trials: Vec<Trial> = [BoardEncoding::Text, BoardEncoding::Program]
        .map(|reading| Trial { games: 3, ..Trial::published(LookAhead::OnePly, reading) })
        .into();
    let plain = run_trials(&trials, 5, 2, None, &NoObserver).unwrap();
    assert_eq!(plain.len(), 2);
    assert!(
        plain.iter().all(|runs| runs.runs.len() == 2 && runs.runs.iter().all(|run| run.len() == 3))
    );
    let kept = run_trials(&trials, 5, 2, Some(&path), &NoObserver).unwrap();
    assert_eq!(kept, plain);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 5);

    // Scores that can only come from the file.
    let lines: Vec<String> = text
        .lines()
        .map(|line| match line.rsplit_once(',') {
            Some((run, scores)) if scores.len() == 3 => format!("{run},www"),
            _ => line.into(),
        })
        .collect();
    std::fs::write(&path, lines.join("\n")).unwrap();
    let again = run_trials(&trials, 5, 2, Some(&path), &NoObserver).unwrap();
    let all_won = |scores: &Vec<GameScore>| scores.iter().copied().collect::<Tally>().won == 3;
    assert!(again.iter().flat_map(|runs| &runs.runs).all(all_won));

    for damaged in ["", "trial,seed,scores\nx,y,www", "trial,seed,scores\na,1,wxw\n", "a\n"] {
        std::fs::write(&path, damaged).unwrap();
        let refused = run_trials(&trials, 5, 2, Some(&path), &NoObserver);
        assert!(matches!(refused, Err(TrainError::LoadRuns(_))), "{damaged:?}");
    }
}

/// The published figures, within the spread of single runs.
#[test]
#[ignore = "slow without optimisation"]
fn an_untrained_network_two_plies_ahead_does_as_well_as_the_published_one() {
    let trained = Trial::published(LookAhead::TwoPliesOpen, BoardEncoding::Text);
    let control = Trial { alpha: None, ..trained };
    let runs = run_trials(&[control], 1, 8, None, &NoObserver).unwrap();
    let won: u64 = runs[0].runs.iter().map(|run| run.iter().copied().collect::<Tally>().won).sum();
    // 37 of 100 were published.
    assert!((8 * 20..=8 * 55).contains(&won), "{won} of 800 won");
}

fn checked_in_chess() -> ChessWeights {
    let bytes = std::fs::read(repository("data/weights/chess.json")).expect("it is checked in");
    ChessWeights::from_bytes(&bytes).expect("it is sound")
}

/// A learned evaluation does not depend on the names of the colours.
#[test]
fn a_learned_evaluation_is_symmetric() {
    let weights = checked_in_chess();
    for board in boards(8) {
        let fen = board.to_string();
        let exchanged: Board =
            exchanged(&fen).parse().unwrap_or_else(|_| panic!("{fen} exchanged"));
        assert_eq!(weights.evaluate(&board), weights.evaluate(&exchanged), "{fen}");
        assert!(weights.evaluate(&board).abs() < 20_000 && weights.predict(&board).abs() <= 1.0);
    }
}

/// The FEN with the colours exchanged and the board flipped vertically.
fn exchanged(fen: &str) -> String {
    let case = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    let fields: Vec<&str> = fen.split(' ').collect();
    let men: Vec<String> =
        fields[0].split('/').rev().map(|rank| rank.chars().map(case).collect()).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = fields[2].chars().map(case).collect();
    let passed: String = fields[3]
        .chars()
        .map(|sign| match sign {
            '3' => '6',
            '6' => '3',
            other => other,
        })
        .collect();
    format!("{} {turn} {rights} {passed} {} {}", men.join("/"), fields[4], fields[5])
}

#[test]
fn weights_of_whole_games_are_read_as_they_were_written() {
    let weights = checked_in_chess();
    let bytes = weights.to_bytes();
    assert_eq!(ChessWeights::from_bytes(&bytes).unwrap(), weights);
    let text = String::from_utf8(bytes).unwrap();
    for &(name, _) in Input::ALL {
        let damaged = text.replacen(&format!("\"{name}\""), "\"other\"", 1);
        assert!(refusal(damaged.as_bytes()).contains(name), "{name}");
    }
    for length in (0..text.trim_end().len()).step_by(53) {
        assert_ne!(refusal(&text.as_bytes()[..length]), "it is read", "{length} bytes");
    }
    assert!(refusal(text.replace("\"learned\"", "\"parts\"").as_bytes()).contains("parts"));
}

/// The value of a board for a side by plain minimax, without a window.
fn plain_value(predict: &dyn Fn(&Board) -> f32, board: &Board, side: Color, plies: u8) -> f32 {
    let values = moves(board).into_iter().map(|mv| after(board, mv));
    let values = values.map(|next| plain_value(predict, &next, side, plies - 1));
    let best = match (plies, board.side_to_move() == side) {
        (0, _) => None,
        (_, true) => values.max_by(f32::total_cmp),
        (_, false) => values.min_by(f32::total_cmp),
    };
    best.unwrap_or_else(|| predict(board))
}

/// With more plies too, the network plays the first of the moves that plain minimax finds best.
#[test]
fn more_plies_are_searched_as_by_minimax() {
    let shape = Shape { inputs: BoardEncoding::INPUTS, hidden: 27 };
    let (network, reading) = (network(shape, 0.2, 8), BoardEncoding::Text);
    for (look_ahead, plies) in [(LookAhead::ThreePlies, 3), (LookAhead::FourPlies, 4)] {
        let player = TdPlayer { network: network.clone(), reading, look_ahead };
        for fen in ["8/8/8/3k4/8/2p5/8/K6R w - - 0 1", "8/5P2/8/3k4/8/2p5/8/K7 b - - 0 1"] {
            let board: Board = fen.parse().expect("a board");
            let side = board.side_to_move();
            let predict = |board: &Board| network.predict(&reading.set(board, side));
            let value = |mv| plain_value(&predict, &after(&board, mv), side, plies - 1);
            let best = moves(&board).into_iter().map(value).max_by(f32::total_cmp).unwrap();
            let chosen = value(player.choose(&board).expect("a move"));
            assert!(best - chosen < 1e-5, "{fen}: {chosen}, not {best}");
        }
    }
}

/// Trained weights win against random moves, and the rules decide finished games.
#[test]
fn learned_weights_win_against_random_moves() {
    let weights = checked_in_chess();
    for plies in [LearnedLookAhead::One, LearnedLookAhead::Two, LearnedLookAhead::Three] {
        let player = LearnedPlayer { weights: weights.clone(), plies };
        let mate: Game = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1".parse().unwrap();
        assert_eq!(player.choose(&mate).map(|mv| mv.to_string()).as_deref(), Some("a1a8"));
    }
    let won = (0..20).filter(|&seed| wins(&weights, seed)).count();
    assert!(won >= 18, "{won} of 20");
}

fn wins(weights: &ChessWeights, seed: u64) -> bool {
    let mut player = LearnedPlayer { weights: weights.clone(), plies: LearnedLookAhead::One };
    let mut opponent = RandomPlayer::new(seed);
    let mut game = Game::new();
    let color = if seed.is_multiple_of(2) { Color::White } else { Color::Black };
    while !game.status().is_over() {
        let own = game.turn() == color;
        let mv = if own { player.play(&game, None) } else { opponent.play(&game, None) };
        game.play(mv.expect("the game goes on")).unwrap();
    }
    game.status() == Status::Checkmate { winner: color }
}

/// Every kind of weights grows beyond all numbers if the rate is too high. The file keeps what it had.
#[test]
fn training_that_diverges_is_an_error_and_keeps_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("weights");
    std::fs::write(&path, "older").expect("a file");
    let rate = |first| DecayingRate { first, last: first };
    let endgame = |kind, first| {
        let params = EndgameParams { rate: rate(first), ..small(kind, 4_000) };
        Box::new(learner(&KRVK, params)) as Box<dyn Learner>
    };
    let chess = ChessParams { rate: rate(1e36), games: 64, ..ChessParams::default() };
    for mut learner in [
        endgame(ModelKind::Linear, 3.0),
        endgame(ModelKind::Pairs, 1e6),
        endgame(ModelKind::Network, 1e36),
        Box::new(ChessLearner::new(ChessWeights::new(chess).unwrap())),
    ] {
        let error = train(&mut *learner, Some(&path), &NoObserver).expect_err("it diverges");
        assert!(matches!(error, TrainError::Diverged { kept: Some(_), .. }), "{error}");
        assert!(error.to_string().contains("lower the learning rate"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).expect("it is there"), "older");
    }
}
