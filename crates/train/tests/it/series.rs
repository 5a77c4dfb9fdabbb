//! Series of games: the same games as in the repetition of the study, learning towards the result, files that go on
//! where they ended, and what cannot be played or read.

use lucena_base::progress::{NoObserver, Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Clock, Color, Game, Move, Side};
use lucena_play::arena::{Entrant, EntrantError};
use lucena_play::{Choice, Forfeit, Grounds, MoveRequest, Player, RandomPlayer};
use lucena_tablebase::Tablebase;
use lucena_test_support::tables::KRVK;
use lucena_train::{
    BoardEncoding, ChessLearner, ChessParams, ChessWeights, ColorOrder, DecayingRate,
    EndgameWeights, GameScore, LearnedLookAhead, Learner, LookAhead, PublishedParams,
    PublishedWeights, Series, SeriesEvent, SeriesLearner, SeriesPlan, SettingError, TrainError,
    TrainedWeights, Trial,
};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const READINGS: [BoardEncoding; 2] = [BoardEncoding::Text, BoardEncoding::Program];

fn published(params: PublishedParams) -> SeriesLearner {
    SeriesLearner::Published(Box::new(PublishedWeights::new(params).unwrap()))
}

fn improved(rate: f64, lambda: f64) -> SeriesLearner {
    let rate = DecayingRate { first: rate, last: rate };
    let params = ChessParams { rate, lambda, explore: 0.0, games: 10, ..ChessParams::default() };
    SeriesLearner::Improved {
        weights: Box::new(ChessWeights::new(params).unwrap()),
        plies: LearnedLookAhead::One,
    }
}

fn usual() -> PublishedParams {
    PublishedParams::usual(LookAhead::OnePly, BoardEncoding::Text)
}

fn series(learner: SeriesLearner, colors: ColorOrder) -> Series {
    Series::new(learner, "random".into(), colors, Game::new()).unwrap()
}

fn random() -> impl Entrant {
    ("random", |seed| Box::new(RandomPlayer::new(seed)) as Box<dyn Player>)
}

fn plan<'a>(games: u64, opponent: &'a dyn Entrant, path: Option<&'a Path>) -> SeriesPlan<'a> {
    SeriesPlan { games, opponent, least: Duration::ZERO, path }
}

fn play(series: &mut Series, games: u64, path: Option<&Path>) -> Result<(), TrainError> {
    series.run(&plan(games, &random(), path), &NoObserver, &mut |_| ())
}

/// The repetition of the study learns game by game in its own loop; a series must come to the same scores.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_series_as_white_is_a_run_of_the_study() {
    for reading in READINGS {
        for look_ahead in [LookAhead::OnePly, LookAhead::TwoPlies] {
            for alpha in [Some(0.3), None] {
                let trial = Trial { alpha, games: 12, ..Trial::published(look_ahead, reading) };
                let scores = trial.run(7, &NoObserver).unwrap();
                let usual = PublishedParams::usual(look_ahead, reading);
                let params = PublishedParams { alpha: alpha.unwrap_or(0.0), seed: 7, ..usual };
                let mut series = series(published(params), ColorOrder::White);
                let mut opponent = RandomPlayer::new(7);
                for _ in 0..12 {
                    series.play_next(&mut opponent, &NoObserver, &mut |_, _| Ok(())).unwrap();
                }
                assert_eq!(series.record().scores(), scores, "{trial}");
            }
        }
    }
}

/// With λ = 1 the rule is a step down the gradient of the squared errors of all predictions.
#[test]
fn learning_moves_predictions_towards_the_result() {
    let mut decided = [0, 0];
    for seed in 0..40 {
        let params = PublishedParams { alpha: 0.001, beta: 1.0, lambda: 1.0, seed, ..usual() };
        for (kind, learner) in [published(params), improved(1e-5, 1.0)].into_iter().enumerate() {
            let mut series = series(learner, ColorOrder::Alternate);
            // The first game makes the weights of the improved learner differ from zero.
            for _ in 0..2 {
                let before = series.learner();
                let color = series.record().next_color();
                let mut opponent = RandomPlayer::new(seed);
                let played =
                    series.play_next(&mut opponent, &NoObserver, &mut |_, _| Ok(())).unwrap();
                let errors = [before, series.learner()]
                    .map(|learner| squared_errors(&learner, &played.game, color, played.score));
                let [before, after] = errors;
                assert!(after <= before, "game of seed {seed}: {before} before, {after} after");
                decided[kind] += usize::from(after < before);
            }
        }
    }
    assert!(decided.iter().all(|&count| count > 20), "{decided:?}");
}

/// The squared errors of the predictions of a game: of the learner's moves for the published network, of all moves
/// for the improved one.
fn squared_errors(learner: &SeriesLearner, game: &Game, color: Color, score: GameScore) -> f64 {
    let boards: Vec<_> = game.history().map(|(board, _)| board.clone()).collect();
    let after = boards.into_iter().skip(1).chain([game.board().clone()]);
    let last = game.history().len() - 1;
    let error = |(at, board): (usize, lucena_chess::Board)| {
        let mover = !board.side_to_move();
        match learner {
            SeriesLearner::Published(weights) => (mover == color).then(|| {
                let set = weights.params().reading.set(&board, color);
                f64::from(score.points() - weights.network().predict(&set))
            }),
            // The end of the game is known, and not predicted.
            SeriesLearner::Improved { .. } if at == last => None,
            SeriesLearner::Improved { weights, .. } => {
                let own = 2.0 * score.points() - 1.0;
                let outcome = if mover == color { own } else { -own };
                Some(f64::from(outcome - weights.predict(&board)))
            }
        }
    };
    after.enumerate().filter_map(error).map(|error| error * error).sum()
}

#[test]
fn a_series_goes_on_where_its_file_ended() {
    let folder = tempfile::tempdir().unwrap();
    let of_games = |games: u64| match improved(0.01, 0.8) {
        SeriesLearner::Improved { weights, plies } => {
            let params = ChessParams { games, ..*weights.params() };
            let weights = Box::new(weights.trained_on(params).unwrap());
            SeriesLearner::Improved { weights, plies }
        }
        learner @ SeriesLearner::Published(_) => learner,
    };
    for (name, learner) in [
        ("published", Box::new(|_| published(usual())) as Box<dyn Fn(u64) -> SeriesLearner>),
        ("improved", Box::new(of_games)),
    ] {
        let [whole, parts] =
            ["whole", "parts"].map(|part| folder.path().join(part.to_owned() + name));
        let begin = |games| series(learner(games), ColorOrder::Alternate);
        play(&mut begin(9).resumed(Some(&whole)).unwrap(), 9, Some(&whole)).unwrap();
        play(&mut begin(4).resumed(Some(&parts)).unwrap(), 4, Some(&parts)).unwrap();
        let mut rest = begin(9).resumed(Some(&parts)).unwrap();
        assert_eq!(rest.record().games(), 4);
        assert_eq!(rest.record().next_color(), Color::White);
        play(&mut rest, 9, Some(&parts)).unwrap();
        let [whole, parts] = [&whole, &parts].map(|path| std::fs::read(path).unwrap());
        assert!(whole == parts, "{name}");
        TrainedWeights::from_bytes(&whole).unwrap();
    }
}

#[test]
fn files_of_another_training_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learner");
    play(&mut series(published(usual()), ColorOrder::White), 2, Some(&path)).unwrap();
    let other_opponent =
        Series::new(published(usual()), "me".into(), ColorOrder::White, Game::new());
    let start = "4k3/8/8/8/8/8/8/4K2R w - - 0 1".parse().unwrap();
    let other_start = Series::new(published(usual()), "random".into(), ColorOrder::White, start);
    for (other, words) in [
        (
            series(published(usual()), ColorOrder::Alternate),
            "its order of colours is white, not alternate",
        ),
        (
            series(published(PublishedParams { beta: 1.0, ..usual() }), ColorOrder::White),
            "its β is 5, not 1",
        ),
        (
            series(published(PublishedParams { seed: 2, ..usual() }), ColorOrder::White),
            "its seed is 1, not 2",
        ),
        (other_opponent.unwrap(), "its opponent is random, not me"),
        (other_start.unwrap(), "its first position is the initial one, not 4k3/"),
    ] {
        let refused = other.resumed(Some(&path)).unwrap_err();
        assert!(matches!(refused, TrainError::OtherTraining { .. }), "{refused:?}");
        assert!(refused.to_string().contains(words), "{words}: {refused}");
    }
    let refused = series(improved(0.1, 0.5), ColorOrder::White).resumed(Some(&path));
    assert!(matches!(refused, Err(TrainError::Load(_))), "{refused:?}");

    // Weights from games against itself, and the other way round.
    let SeriesLearner::Improved { weights, .. } = improved(0.1, 0.5) else { unreachable!() };
    std::fs::write(&path, weights.to_bytes()).unwrap();
    let refused = series(improved(0.1, 0.5), ColorOrder::White).resumed(Some(&path));
    assert!(matches!(refused, Err(TrainError::OtherTraining { .. })), "{refused:?}");
    std::fs::remove_file(&path).unwrap();
    play(&mut series(improved(0.1, 0.5), ColorOrder::White), 10, Some(&path)).unwrap();
    let refused = ChessLearner::resumed(*weights, Some(&path)).map(|learner| learner.games_done());
    assert!(matches!(refused, Err(TrainError::OtherTraining { .. })), "{refused:?}");
}

#[test]
fn weights_begin_another_series() {
    let mut first = series(published(usual()), ColorOrder::White);
    play(&mut first, 3, None).unwrap();
    let SeriesLearner::Published(trained) = first.learner() else { unreachable!() };
    let params = PublishedParams { beta: 2.0, alpha: 0.1, ..usual() };
    let again = trained.clone().trained_on(params).unwrap();
    assert_eq!(again.network().weights(), trained.network().weights());
    assert_eq!((again.network().beta(), again.series()), (2.0, None));
    let other = PublishedParams { reading: BoardEncoding::Program, ..usual() };
    let refused = trained.trained_on(other);
    assert!(matches!(refused, Err(SettingError::OtherReading { .. })), "{refused:?}");
}

/// A player that makes one and the same offer.
struct Stubborn(fn(&Game) -> Result<Move, Forfeit>);

impl Player for Stubborn {
    fn name(&self) -> String {
        "stubborn".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        (self.0)(game).ok()
    }

    fn choose_for(&mut self, game: &Game, _: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        (self.0)(game).map(|mv| Choice { mv, grounds: Grounds::Unstated })
    }
}

impl Entrant for Stubborn {
    fn name(&self) -> String {
        "stubborn".into()
    }

    fn seat(&self, _: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
        Ok(Box::new(Stubborn(self.0)))
    }
}

#[test]
fn who_offers_no_legal_move_loses_the_game() {
    let illegal = |_: &Game| Ok("a1a8".parse().unwrap());
    for (offer, is_illegal) in
        [(Stubborn(|_| Err(Forfeit::NoMove)), false), (Stubborn(illegal), true)]
    {
        let mut series = series(published(usual()), ColorOrder::White);
        let mut ends = Vec::new();
        let mut watch = |event: SeriesEvent<'_>| {
            if let SeriesEvent::End { number, played, .. } = event {
                ends.push((number, played.forfeit.clone()));
            }
        };
        series.run(&plan(2, &offer, None), &NoObserver, &mut watch).unwrap();
        assert_eq!(series.record().scores(), [GameScore::Won; 2]);
        let forfeit = match is_illegal {
            true => Forfeit::Illegal("a1a8".into()),
            false => Forfeit::NoMove,
        };
        assert_eq!(ends, [(1, Some(forfeit.clone())), (2, Some(forfeit))]);
    }
}

#[test]
fn a_crash_of_the_opponent_ends_the_series_and_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learner");
    play(&mut series(published(usual()), ColorOrder::White), 3, Some(&path)).unwrap();
    let mut more = series(published(usual()), ColorOrder::White).resumed(Some(&path)).unwrap();
    let crash = Stubborn(|_| Err(Forfeit::Crashed("it is gone".into())));
    let ended = more.run(&plan(9, &crash, Some(&path)), &NoObserver, &mut |_| ());
    let Err(TrainError::Opponent { name, .. }) = &ended else { panic!("{ended:?}") };
    assert_eq!(name, "stubborn");
    let kept = PublishedWeights::from_bytes(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!(kept.series().unwrap().games(), 3);
}

/// An observer that stops after so many questions.
struct Patience(AtomicU32);

impl Observer for Patience {
    fn is_stopped(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) <= 1
    }
}

#[test]
fn a_stopped_series_keeps_the_games_that_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("learner");
    let mut stopped = series(published(usual()), ColorOrder::Alternate);
    let patience = Patience(AtomicU32::new(1_000));
    let ended = stopped.run(&plan(u64::MAX, &random(), Some(&path)), &patience, &mut |_| ());
    assert!(matches!(ended, Err(TrainError::Stopped(Stopped::Request))), "{ended:?}");
    let games = stopped.record().games();
    assert!((1..50).contains(&games), "{games} games in a thousand plies");
    // The game at which it was stopped has left no trace.
    let mut plain = series(published(usual()), ColorOrder::Alternate);
    play(&mut plain, games, None).unwrap();
    assert!(std::fs::read(&path).unwrap() == plain.learner().to_bytes());
}

#[test]
fn every_position_comes_onto_the_board() {
    let mut shown: Vec<Vec<usize>> = Vec::new();
    let mut ends = Vec::new();
    let mut watch = |event: SeriesEvent<'_>| match event {
        SeriesEvent::Position { number, game, .. } => {
            if shown.len() < number as usize {
                shown.push(Vec::new());
            }
            shown.last_mut().unwrap().push(game.history().len());
        }
        SeriesEvent::End { played, .. } => ends.push(played.game.history().len()),
    };
    let mut series = series(improved(0.01, 0.8), ColorOrder::Black);
    series.run(&plan(3, &random(), None), &NoObserver, &mut watch).unwrap();
    for (plies, end) in shown.iter().zip(&ends) {
        assert!(plies.iter().copied().eq(0..=*end), "{plies:?}");
    }
    assert_eq!((shown.len(), ends.len()), (3, 3));
}

#[test]
fn settings_out_of_range_are_refused() {
    for params in [
        PublishedParams { alpha: 1.01, ..usual() },
        PublishedParams { alpha: f64::NAN, ..usual() },
        PublishedParams { alpha: -0.1, ..usual() },
        PublishedParams { beta: 10.5, ..usual() },
        PublishedParams { beta: -1.0, ..usual() },
        PublishedParams { beta: f64::NAN, ..usual() },
        PublishedParams { lambda: 1.5, ..usual() },
    ] {
        assert!(PublishedWeights::new(params).is_err(), "{params:?}");
    }
    for params in [
        PublishedParams { alpha: 0.0, beta: 0.0, lambda: 0.0, ..usual() },
        PublishedParams { alpha: 1.0, beta: 10.0, lambda: 1.0, ..usual() },
    ] {
        play(&mut series(published(params), ColorOrder::Alternate), 2, None).unwrap();
    }
    for over in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "8/8/8/8/8/8/8/K6k w - - 0 1"] {
        let refused = Series::new(
            published(usual()),
            "random".into(),
            ColorOrder::White,
            over.parse().unwrap(),
        );
        assert!(matches!(refused, Err(SettingError::OverAtStart(_))), "{over}");
    }
    let refused = play(&mut series(published(usual()), ColorOrder::White), 0, None);
    assert!(matches!(refused, Err(TrainError::Setting(SettingError::NoGames))));
}

/// Replaces text of a file's description with text of the same length.
fn changed(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes());
    let at = at.unwrap_or_else(|| panic!("{from} is not in the file"));
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
}

#[test]
fn damaged_files_of_the_published_network_are_refused() {
    let mut two = series(published(usual()), ColorOrder::White);
    play(&mut two, 2, None).unwrap();
    let sound = two.learner().to_bytes();
    let letters: String =
        two.record().scores().iter().map(|score| score.to_string().remove(0)).collect();
    let scores = |letters: &str| format!(r#"\"scores\":\"{letters}\""#);
    let network = |name: &str| format!(r#"\"network\":\"{name}\""#);
    for (from, to, words) in [
        (r#"\"format\":1"#.into(), r#"\"format\":2"#.into(), "its format is 2"),
        (network("published"), network("publishes"), "publishes"),
        (scores(&letters), scores("wx"), "'x'"),
        (r#"\"beta\":5.0"#.into(), r#"\"beta\":5e9"#.into(), "a β of 5000000000"),
        (r#"\"reading\":\"text\""#.into(), r#"\"reading\":\"tale\""#.into(), "tale"),
        (r#"\"colors\":\"white\""#.into(), r#"\"colors\":\"green\""#.into(), "green"),
    ] {
        let refused = PublishedWeights::from_bytes(&changed(&sound, &from, &to)).unwrap_err();
        assert!(refused.to_string().contains(words), "{words}: {refused}");
    }
    // Weights of the other learner are told from damaged ones.
    let other = improved(0.1, 0.5).to_bytes();
    let refused = PublishedWeights::from_bytes(&other).unwrap_err().to_string();
    assert_eq!(refused, "its weights are for the improved learner, not for the published network");
    let refused = ChessWeights::from_bytes(&sound).unwrap_err().to_string();
    assert_eq!(refused, "its weights are for the published network, not for the improved learner");
    for other in [&sound, &other] {
        let refused = EndgameWeights::from_bytes(other).unwrap_err().to_string();
        assert!(refused.ends_with(", not for an endgame"), "{refused}");
    }
    for length in [0, 7, 8, 40, 500, sound.len() - 1] {
        assert!(PublishedWeights::from_bytes(&sound[..length]).is_err(), "{length} bytes");
        assert!(TrainedWeights::from_bytes(&sound[..length]).is_err(), "{length} bytes");
    }
}

/// Its policy plays what the player plays, and both play the move with the highest prediction.
#[test]
fn learners_of_whole_games_are_policies_of_an_endgame() {
    let tablebase: &Tablebase = &KRVK;
    let mut learners = Vec::new();
    for learner in [published(usual()), improved(0.01, 0.8)] {
        let mut series = series(learner, ColorOrder::Alternate);
        play(&mut series, 5, None).unwrap();
        learners.push(TrainedWeights::from_bytes(&series.learner().to_bytes()).unwrap());
    }
    let all = tablebase.canonical_positions(Side::Strong);
    let positions = all.step_by(997).map(|(position, _)| position);
    for position in positions.chain(["8/8/3k4/8/8/8/8/K6Q w - - 0 1".parse().unwrap()]) {
        let game = Game::from(position);
        for weights in &learners {
            for plies in [LearnedLookAhead::One, LearnedLookAhead::Two] {
                let policy = weights.policy(tablebase, Some(plies)).unwrap();
                let played = weights.player(Some(plies)).unwrap().play(&game, None);
                let choice = policy.choose(&position);
                assert_eq!(policy.symmetries(), Group::Identity);
                if position.material() != tablebase.material() {
                    assert_eq!(choice, None);
                    continue;
                }
                assert_eq!(choice, played);
                let predictions = weights.predictions(&game, Some(plies)).unwrap();
                let most = predictions.iter().map(|&(_, up)| up).fold(f32::MIN, f32::max);
                assert!(predictions.iter().all(|(_, up)| (0.0..=1.0).contains(up)));
                let first = predictions.iter().find(|&&(_, up)| up == most);
                assert_eq!(first.map(|&(mv, _)| mv), played);
            }
        }
    }
}

/// The file has the weights from before the game after which they are no numbers any more.
#[test]
fn a_series_that_diverges_keeps_the_weights_from_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("learner.json");
    let mut diverging = series(improved(1e36, 1.0), ColorOrder::White);
    let ended = play(&mut diverging, 10, Some(&path));
    let Err(TrainError::Diverged { games, .. }) = ended else { panic!("{ended:?}") };
    assert_eq!(diverging.record().games(), games - 1);
    let bytes = std::fs::read(&path).expect("it is there");
    assert_eq!(bytes, diverging.learner().to_bytes());
    ChessWeights::from_bytes(&bytes).expect("the weights are numbers");
}
