//! A series of games of a learner against an opponent.

use super::super::file_kind::{WEIGHTS, load_as, load_player, read_as};
use super::super::number::{number, seconds};
use super::super::output::{
    ProgressDisplay, ReportArgs, check_different, check_outputs, count, note_written, write_if,
};
use super::super::player_args::check_start;
use super::super::tables::TableArgs;
use super::super::terminal::note;
use super::super::{Failure, Result, among, interrupt, job_output, one_of};
use super::given::first_given;
use super::human::{Human, tell};
use lucena::arena::Entrant;
use lucena::chess::Game;
use lucena::engine::{Engine, EngineSpec};
use lucena::named::Named;
use lucena::player::Forfeit;
use lucena::report::{self, SeriesBoard, SeriesReport};
use lucena::roster::{LoadedPlayer, ParsePlayerError, PlayerName, RosterEntrant};
use lucena::train::{
    BoardEncoding, ChessParams, ChessWeights, ColorOrder, DecayingRate, LearnedLookAhead,
    LookAhead, PublishedParams, PublishedWeights, Series, SeriesEvent, SeriesGame, SeriesLearner,
    SeriesPlan, Tally,
};
use lucena_files::is_stream;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The options of a series of games against an opponent.
#[derive(clap::Args)]
#[command(next_help_heading = "A series of games against an opponent")]
pub(super) struct SeriesArgs {
    /// Chess: the network of a published study, or a sum of features
    #[arg(long, value_parser = among(NETWORKS))]
    pub(super) network: Option<NetworkKind>,
    /// The opponent: a player, or human, you yourself [default: random]
    #[arg(long, value_name = "PLAYER", requires = "network")]
    opponent: Option<SeriesOpponent>,
    /// A program that speaks UCI as the opponent, such as cmd=stockfish
    #[arg(long, value_name = "ENGINE", requires = "network", conflicts_with = "opponent")]
    engine: Option<EngineSpec>,
    /// The learner's colours: alternate begins with White
    #[arg(long = "colours", alias = "colors", requires = "network", value_parser = one_of::<ColorOrder>())]
    colors: Option<ColorOrder>,
    /// The inputs: by the study's text or by its program [default: text]
    #[arg(long, requires = "network", value_parser = one_of::<BoardEncoding>())]
    reading: Option<BoardEncoding>,
    /// The learner's look-ahead in plies; two-open: two plies, where a move without a reply counts most [default: 1]
    #[arg(long = "depth", alias = "plies", requires = "network", value_parser = among(LOOK_AHEADS))]
    plies: Option<LookAhead>,
    /// β: the steepness of the units [default: 5, and 1 for two plies]
    #[arg(long, value_name = "X", requires = "network", value_parser = number::<f64>(..))]
    beta: Option<f64>,
    /// The least time for a move, so that one can watch [default: 0]
    #[arg(long = "min-time", alias = "least-time", value_name = "SECONDS", requires = "network", value_parser = seconds())]
    least_time: Option<Duration>,
    /// The position from which the games start [default: the initial one]
    #[arg(long = "fen", alias = "start", value_name = "FEN", requires = "network")]
    start: Option<Game>,
    /// Also write every game as csv
    #[arg(long, value_name = "FILE", requires = "network")]
    csv: Option<PathBuf>,
    /// Also draw the share of points, in SVG
    #[arg(long, value_name = "FILE", requires = "network")]
    svg: Option<PathBuf>,
}

/// The learner of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NetworkKind {
    Published,
    Improved,
}

const NETWORKS: &[(&str, NetworkKind)] =
    &[("published", NetworkKind::Published), ("improved", NetworkKind::Improved)];

const LOOK_AHEADS: &[(&str, LookAhead)] = &[
    ("1", LookAhead::OnePly),
    ("2", LookAhead::TwoPlies),
    ("3", LookAhead::ThreePlies),
    ("4", LookAhead::FourPlies),
    ("5", LookAhead::FivePlies),
    ("6", LookAhead::SixPlies),
    ("two-open", LookAhead::TwoPliesOpen),
];

/// The number of games of a series, if none is given.
const GAMES: u64 = 1_000;

/// The seconds beyond its time without an answer after which an engine counts as stalled.
const PATIENCE: Duration = Duration::from_secs(10);

/// The shortest time between two boards that are sent while nobody is waited for.
const BETWEEN_BOARDS: Duration = Duration::from_millis(100);

/// The opponent in a series.
#[derive(Debug, Clone)]
enum SeriesOpponent {
    Human,
    Player(PlayerName),
}

impl FromStr for SeriesOpponent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "human" => Ok(Self::Human),
            Ok(player) => Ok(Self::Player(player)),
            Err(error @ ParsePlayerError::Unknown(_)) => {
                Err(format!("{error}; or write human to play yourself"))
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The opponent of a series, ready to play.
enum Opponent<'t> {
    Human(Human),
    Player(RosterEntrant<'t>),
    Engine(Engine),
}

impl Opponent<'_> {
    fn entrant(&self) -> &dyn Entrant {
        match self {
            Self::Human(human) => human,
            Self::Player(player) => player,
            Self::Engine(engine) => engine,
        }
    }

    fn human(&self) -> Option<&Human> {
        match self {
            Self::Human(human) => Some(human),
            _ => None,
        }
    }
}

/// A series as it is asked for, with the options that other training has too.
pub(super) struct SeriesCall<'a> {
    pub(super) args: &'a SeriesArgs,
    pub(super) network: NetworkKind,
    pub(super) games: Option<u64>,
    pub(super) rate: Option<f64>,
    pub(super) lambda: Option<f64>,
    pub(super) explore: Option<f64>,
    pub(super) seed: u64,
    pub(super) from: Option<&'a Path>,
    pub(super) out: Option<&'a Path>,
    pub(super) tables: &'a TableArgs,
    pub(super) report: &'a ReportArgs,
}

impl SeriesCall<'_> {
    /// Plays the series and reports it, even if it is stopped.
    pub(super) fn play(&self) -> Result<()> {
        self.check_files()?;
        let (args, learner) = (self.args, self.learner()?);
        let start = args.start.clone().unwrap_or_default();
        let (players, endgame) = (self.opponent()?, start.position().ok());
        let endgame = endgame.map(|position| position.material());
        let tablebases = self.tables.solve_for(&players, endgame.into_iter().collect(), false)?;
        let is_human = matches!(args.opponent, Some(SeriesOpponent::Human));
        let bar = if is_human { ProgressDisplay::quiet() } else { ProgressDisplay::new() };
        let opponent = match (&args.engine, players.first()) {
            (Some(spec), _) => Opponent::Engine(Engine::new(spec.clone(), PATIENCE, &bar)?),
            (None, Some(player)) => Opponent::Player(RosterEntrant::new(player, &tablebases)?),
            (None, None) => Opponent::Human(Human::new()),
        };
        let name = opponent.entrant().name();
        let series = Series::new(learner, name, args.colors.unwrap_or_default(), start)?;
        let series = series.with_settings_of(opponent.entrant());
        let mut series = match self.out {
            Some(path) => read_as(path, WEIGHTS, || series.resumed(self.out))?,
            None => series,
        };
        let plan = SeriesPlan {
            games: self.games.unwrap_or(GAMES),
            opponent: opponent.entrant(),
            least: args.least_time.unwrap_or_default(),
            path: self.out,
        };
        self.note_games_before(series.record().games(), plan.games);
        interrupt::report_when_stopped();
        let mut watcher = Watcher::new(series.record().tally(), opponent.human());
        let played =
            report::train_series(&mut series, &plan, &bar, &mut |event| watcher.see(&event));
        watcher.finish();
        drop(bar);
        // The games that have ended are in the file, whatever has happened.
        if let Some(path) = self.out.filter(|path| is_stream(path) || path.exists()) {
            note_written(path);
        }
        let played = played?;
        self.write_series(&played)?;
        if interrupt::is_requested() { Err(Failure::Stopped) } else { Ok(()) }
    }

    /// Says what the games in the file leave without effect.
    fn note_games_before(&self, before: u64, games: u64) {
        let Some(path) = self.out.filter(|_| before > 0) else { return };
        let path = path.display();
        if self.from.is_some() {
            note(&format!("the series goes on from {path}: --from has no effect"));
        }
        if before >= games {
            let before = count(before, "game", "games");
            note(&format!(
                "{path} already has {before}, so none is played: ask for more by --games"
            ));
        }
    }

    /// Checks the files of the call, so that no game is played in vain.
    fn check_files(&self) -> Result<()> {
        let (csv, svg) = (("--csv", self.args.csv.as_deref()), ("--svg", self.args.svg.as_deref()));
        check_different(&[("--from", self.from), csv, svg])?;
        check_outputs(&[("--out", self.out), csv, svg])
    }

    fn write_series(&self, played: &SeriesReport) -> Result<()> {
        write_if(&self.args.csv, || played.to_csv())?;
        write_if(&self.args.svg, || played.chart().to_svg())?;
        self.report.write(played, |out| played.write_text(out))
    }

    /// The opponent with its files, if it is a player.
    fn opponent(&self) -> Result<Vec<LoadedPlayer>> {
        let args = self.args;
        let name = match &args.opponent {
            _ if args.engine.is_some() => return Ok(Vec::new()),
            Some(SeriesOpponent::Human) => return Ok(Vec::new()),
            Some(SeriesOpponent::Player(name)) => name.clone(),
            None => PlayerName::Random,
        };
        let is_endgame = args.start.as_ref().is_some_and(|start| start.position().is_ok());
        let remedy = "by --fen '8/8/8/3k4/8/8/8/K6R w'";
        let players = vec![load_player(&name)?];
        check_start(&players, is_endgame, remedy)?;
        Ok(players)
    }

    /// The learner before its first game, or with the weights to begin with.
    fn learner(&self) -> Result<SeriesLearner> {
        match self.network {
            NetworkKind::Published => self.published(),
            NetworkKind::Improved => self.improved(),
        }
    }

    fn published(&self) -> Result<SeriesLearner> {
        let args = self.args;
        if self.explore.is_some() {
            return Err(Failure::usage(
                "--explore is for the improved network: leave it out, or take --network improved",
            ));
        }
        let read = |path| load_as(path, WEIGHTS, PublishedWeights::from_bytes);
        let from = self.from.map(read).transpose()?;
        let trained = from.as_ref().map(PublishedWeights::params);
        let reading = args.reading.or(trained.map(|trained| trained.reading));
        let plies = args.plies.or(trained.map(|trained| trained.look_ahead));
        let usual = PublishedParams::usual(
            plies.unwrap_or(LookAhead::OnePly),
            reading.unwrap_or(BoardEncoding::Text),
        );
        let params = PublishedParams {
            alpha: self.rate.unwrap_or(usual.alpha),
            beta: args.beta.or(trained.map(|trained| trained.beta)).unwrap_or(usual.beta),
            lambda: self.lambda.unwrap_or(usual.lambda),
            seed: self.seed,
            ..usual
        };
        let weights = match from {
            Some(weights) => weights.trained_on(params)?,
            None => PublishedWeights::new(params)?,
        };
        Ok(SeriesLearner::Published(Box::new(weights)))
    }

    fn improved(&self) -> Result<SeriesLearner> {
        let args = self.args;
        let of_published = [("--beta", args.beta.is_some()), ("--reading", args.reading.is_some())];
        if let Some(option) = first_given(of_published) {
            return Err(Failure::usage(format!(
                "{option} is for the published network: leave it out, or take --network published"
            )));
        }
        let usual = improved_params();
        let rate = self.rate.unwrap_or(usual.rate.first);
        let params = ChessParams {
            rate: DecayingRate { first: rate, last: rate },
            lambda: self.lambda.unwrap_or(usual.lambda),
            explore: self.explore.unwrap_or(usual.explore),
            games: self.games.unwrap_or(GAMES),
            seed: self.seed,
            ..usual
        };
        let read = |path| load_as(path, WEIGHTS, ChessWeights::from_bytes);
        let from = self.from.map(read).transpose()?;
        let trained = from.as_ref().and_then(ChessWeights::plies);
        let chosen = args.plies.map(|plies| {
            plies.learned().ok_or_else(|| {
                Failure::usage(
                    "--depth two-open is for the published network: give a number of plies, or take --network published",
                )
            })
        });
        let plies = chosen.transpose()?.or(trained).unwrap_or(LearnedLookAhead::One);
        let weights = match from {
            Some(weights) => weights.trained_on(params)?,
            None => ChessWeights::new(params)?,
        };
        Ok(SeriesLearner::Improved { weights: Box::new(weights), plies })
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        let plies = self.args.plies.unwrap_or(LookAhead::OnePly);
        let name = LOOK_AHEADS.iter().find(|(_, one)| *one == plies).map_or("1", |(name, _)| name);
        let reading = self.args.reading.unwrap_or(BoardEncoding::Text);
        let mut defaults = vec![
            ("games", GAMES.to_string()),
            ("plies", name.into()),
            ("colors", ColorOrder::default().to_string()),
            ("opponent", PlayerName::Random.to_string()),
            ("least_time", "0".into()),
        ];
        defaults.extend(match self.network {
            NetworkKind::Published => {
                let usual = PublishedParams::usual(plies, reading);
                vec![
                    ("reading", reading.to_string()),
                    ("rate", usual.alpha.to_string()),
                    ("beta", usual.beta.to_string()),
                    ("lambda", usual.lambda.to_string()),
                ]
            }
            NetworkKind::Improved => {
                let usual = improved_params();
                vec![("rate", usual.rate.first.to_string()), ("lambda", usual.lambda.to_string())]
            }
        });
        defaults
    }

    /// Checks what can be checked without a table.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        let learner = self.learner()?;
        if self.games == Some(0) {
            return Err(lucena::train::SettingError::NoGames.into());
        }
        self.opponent()?;
        let start = self.args.start.clone().unwrap_or_default();
        Series::new(learner, String::new(), self.args.colors.unwrap_or_default(), start)?;
        Ok(())
    }
}

/// The usual settings of the improved network in a series. Every game counts, so it makes no moves at random.
fn improved_params() -> ChessParams {
    ChessParams { explore: 0.0, ..ChessParams::default() }
}

/// Shows a series as it goes: to the program that runs this job, or to a human who plays along.
struct Watcher<'h> {
    tally: Tally,
    human: Option<&'h Human>,
    /// The last game that has ended, in a sentence.
    before: Option<String>,
    /// The last board, if it has not been sent.
    unsent: Option<SeriesBoard>,
    sent: Option<Instant>,
}

impl<'h> Watcher<'h> {
    fn new(tally: Tally, human: Option<&'h Human>) -> Self {
        Self { tally, human, before: None, unsent: None, sent: None }
    }

    fn see(&mut self, event: &SeriesEvent<'_>) {
        if let (Some(human), SeriesEvent::Position { number, game, .. }) = (self.human, event) {
            human.sit_at(*number, game.history().len() as u64);
        }
        if let SeriesEvent::End { record, .. } = event {
            self.tally = record.tally();
        }
        if job_output::is_job() {
            self.show_board(event);
        } else if self.human.is_some() {
            self.talk(event);
        }
    }

    /// Sends the board at once if a human plays, or else now and then.
    fn show_board(&mut self, event: &SeriesEvent<'_>) {
        let is_due =
            self.human.is_some() || self.sent.is_none_or(|sent| sent.elapsed() >= BETWEEN_BOARDS);
        // The end of a game may be the last board.
        if !is_due && matches!(event, SeriesEvent::Position { .. }) {
            return;
        }
        let mut board = SeriesBoard::new(event, self.tally, self.human.is_some());
        board.before.clone_from(&self.before);
        if let SeriesEvent::End { number, played, .. } = event {
            let how = self.ending_of(played).to_owned();
            let score = played.score.name();
            let number = report::grouped(*number);
            self.before = Some(format!("Game {number}: the learner has {score}. {how}"));
            board.over = Some(how);
        }
        self.unsent = Some(board);
        if is_due {
            self.finish();
        }
    }

    /// The way in which a game ended. A human without a move has resigned.
    fn ending_of<'g>(&self, played: &'g SeriesGame) -> &'g str {
        match played.forfeit {
            Some(Forfeit::NoMove) if self.human.is_some() => "You have resigned.",
            _ => &played.ending,
        }
    }

    /// Sends the last board.
    fn finish(&mut self) {
        if let Some(board) = self.unsent.take() {
            let board = serde_json::to_value(board).expect("a board becomes JSON");
            job_output::send(|| lucena_serve::OutputLine::Live(board));
            self.sent = Some(Instant::now());
        }
    }

    /// Tells a human at the terminal what happens.
    fn talk(&self, event: &SeriesEvent<'_>) {
        match event {
            SeriesEvent::Position { number, color, game, .. } => {
                let mut before = (*game).clone();
                let Some(mv) = before.undo() else {
                    tell(&format!("\nGame {number}: the learner plays {color:?}."));
                    return;
                };
                if game.turn() != *color {
                    let san = before.san(mv).unwrap_or_else(|_| mv.to_string());
                    tell(&format!("The learner plays {san}."));
                }
            }
            SeriesEvent::End { played, record, .. } => {
                let how = self.ending_of(played);
                let Tally { won, drawn, lost } = record.tally();
                let score = played.score.name();
                // A human who resigns sees the board already.
                match played.forfeit {
                    None => tell(&format!("\n{:#}\n\n{how}", played.game)),
                    Some(_) => tell(&format!("\n{how}")),
                }
                tell(&format!(
                    "The learner has {score} this one: {won} won, {drawn} drawn, {lost} lost so far."
                ));
            }
        }
    }
}
