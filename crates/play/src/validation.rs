//! Validation of a player by a sample of games: random starts, a defender, and a win rate with its
//! uncertainty.
//!
//! While [`lucena_proof`] covers all positions, this module samples; it also takes players that
//! cannot be proved. A game ends when a capture or a promotion leads to another endgame, which the
//! player does not know: the table gives the result. Draws by repetition are not claimed: a player
//! that goes in circles has until the fifty-move rule to find its way out, as the defence may
//! choose differently among equal replies the next time.

use crate::{Defence, Player, Resistance};
use lucena_base::plural::{count, grouped, percent};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_base::wilson::wilson_95_of;
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Game, Position, Side, Status};
use lucena_tablebase::{Index, Outcome, Plies, Tablebase, moves_in};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A player's results in games from random positions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "ValidateReport")]
pub struct Validation {
    /// Games played.
    pub games: u64,
    /// Games in which the player mated.
    pub won: u64,
    /// Games without a mate: by stalemate, by the fifty-move rule, in another endgame that is
    /// drawn, or because the player had no move.
    pub drawn: u64,
    /// Games in which the player was mated.
    pub lost: u64,
    /// The share of games won, from 0 to 1.
    pub win_rate: f64,
    /// Wilson's 95 % interval of the win rate: low and high, from 0 to 1.
    pub wilson_95: (f64, f64),
    /// Mean moves over the optimum, over the games won; negative if a weak defence is mated sooner;
    /// null if no game was won.
    pub mean_excess_moves: Option<f64>,
    /// Games by the distance of the start, in plies to mate with best play, without drawn starts.
    pub by_distance: BTreeMap<Plies, Stratum>,
}

/// Results of the games that started at one distance from mate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stratum {
    /// The number of games played.
    pub games: u64,
    /// The number of games won.
    pub won: u64,
}

/// An error in a validation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValidationError {
    /// No games were requested.
    #[error("zero games show nothing: ask for at least one")]
    NoGames,
    /// The observer asked to stop, or a table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The result of a game for the player.
enum GameEnd {
    Won { moves: u16 },
    Drawn,
    Lost,
}

impl Validation {
    /// Writes the results in sentences.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { games, won, drawn, lost, .. } = *self;
        let games = count(games, "game", "games");
        let [won, drawn, lost] = [won, drawn, lost].map(grouped);
        writeln!(out, "{games}: {won} won, {drawn} drawn, {lost} lost")?;
        let (low, high) = self.wilson_95;
        let [rate, low, high] = [self.win_rate, low, high].map(percent);
        writeln!(out, "  win rate {rate}, likely between {low} and {high} (Wilson, 95 %)")?;
        if let Some(excess) = self.mean_excess_moves {
            // A weak defence may be mated sooner than the best defence.
            let (size, side) = (excess.abs(), if excess < 0.0 { "under" } else { "over" });
            writeln!(out, "  {size:.2} moves {side} the optimum, on average over the games won")?;
        }
        writeln!(out, "\n{:>14} {:>8} {:>8}", "mate in moves", "games", "won")?;
        for (plies, stratum) in &self.by_distance {
            let (games, won) = (grouped(stratum.games), grouped(stratum.won));
            writeln!(out, "{:>14} {games:>8} {won:>8}", moves_in(*plies))?;
        }
        Ok(())
    }
}

/// The games of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValidationParams {
    /// The defence of the weak side.
    pub resistance: Resistance,
    /// The number of games; at least one.
    pub games: u64,
    /// The seed of the positions that the games start from, and of random replies.
    pub seed: u64,
}

/// Plays games from uniformly random legal positions of a table's material, with the strong side to
/// move as White. The same seed gives the same games. The observer receives the number of games
/// played, and can stop the work after each game.
///
/// ```
/// use lucena_play::Resistance;
/// use lucena_proof::policy::TablebasePlayer;
/// use lucena_tablebase::Tablebase;
/// use lucena_play::validation::{ValidationParams, validate};
/// use lucena_base::progress::NoObserver;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let mut player = TablebasePlayer(&tablebase);
/// let params = ValidationParams { resistance: Resistance::Best, games: 20, seed: 1 };
/// let validation = validate(&mut player, &tablebase, params, &NoObserver)?;
/// assert_eq!((validation.won, validation.mean_excess_moves), (20, Some(0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no games are requested, or the work was stopped.
pub fn validate(
    player: &mut dyn Player,
    tablebase: &Tablebase,
    params: ValidationParams,
    observer: &dyn Observer,
) -> Result<Validation, ValidationError> {
    let ValidationParams { resistance, games, seed } = params;
    if games == 0 {
        return Err(ValidationError::NoGames);
    }
    let index = Index::new(tablebase.material(), Group::Identity);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // A drawn start can be won against a weak defence, but has no optimum to compare with.
    let (mut won, mut drawn, mut lost, mut excess, mut compared) = (0, 0, 0, 0, 0);
    let mut by_distance: BTreeMap<Plies, Stratum> = BTreeMap::new();
    for game in 0..games {
        observer.check()?;
        let start = loop {
            let at = rng.gen_range(0..index.len() as u32);
            if let Some(position) = index.position(at as usize, Side::Strong) {
                break position;
            }
        };
        // Each game has its own generator, so random choices in one game do not affect the next.
        let own = ChaCha8Rng::seed_from_u64(rng.r#gen());
        let mut defence = Defence::new(resistance, tablebase, own);
        let outcome = tablebase.outcome(&start);
        let result = play(player, &mut defence, &start, tablebase);
        if let Outcome::Win(plies) = outcome {
            let stratum = by_distance.entry(plies).or_default();
            stratum.games += 1;
            stratum.won += u64::from(matches!(result, GameEnd::Won { .. }));
        }
        match (result, outcome) {
            (GameEnd::Won { moves }, Outcome::Win(plies)) => {
                won += 1;
                compared += 1;
                // A weak defence can be mated sooner than the optimum.
                excess += i64::from(moves) - i64::from(moves_in(plies));
            }
            (GameEnd::Won { .. }, _) => won += 1,
            (GameEnd::Drawn, _) => drawn += 1,
            (GameEnd::Lost, _) => lost += 1,
        }
        if (game + 1) % 256 == 0 || game + 1 == games {
            let done = game + 1;
            observer.report(Progress { what: "games", done, total: Some(games) });
            observer.point(&[("games", done as f64), ("won, %", 100.0 * won as f64 / done as f64)]);
        }
    }
    tablebase.check_readable()?;
    Ok(Validation {
        games,
        won,
        drawn,
        lost,
        win_rate: won as f64 / games as f64,
        wilson_95: wilson_95(won, games),
        mean_excess_moves: (compared > 0).then(|| excess as f64 / f64::from(compared)),
        by_distance,
    })
}

/// Plays a game to its end.
fn play(
    strong: &mut dyn Player,
    weak: &mut Defence<'_>,
    start: &Position,
    tablebase: &Tablebase,
) -> GameEnd {
    let player = start.color_to_move();
    let mut game = Game::from(*start);
    let mut moves = 0;
    loop {
        match game.status() {
            Status::InProgress | Status::ThreefoldRepetition => {}
            Status::Checkmate { winner } if winner == player => return GameEnd::Won { moves },
            Status::Checkmate { .. } => return GameEnd::Lost,
            _ => return GameEnd::Drawn,
        }
        let mv = if game.turn() == player {
            moves += 1;
            strong.play(&game, None)
        } else {
            weak.play(&game, None)
        };
        let men = game.board().occupied().len();
        let Some(mv) = mv.filter(|&mv| game.play(mv).is_ok()) else {
            return GameEnd::Drawn;
        };
        if mv.promotion.is_some() || game.board().occupied().len() < men {
            return result_by_table(tablebase, &game, player, moves);
        }
    }
}

/// The result, by the table, of a game that has led to another endgame.
fn result_by_table(tablebase: &Tablebase, game: &Game, player: Color, moves: u16) -> GameEnd {
    let position =
        game.position().expect("captures and promotions lead from an endgame to an endgame");
    let outcome = tablebase.outcome(&position);
    // The move that led to this endgame is already counted.
    let to_come = outcome.moves().unwrap_or(0);
    let outcome = if game.turn() == player { outcome } else { outcome.before_move() };
    match outcome {
        Outcome::Win(_) => GameEnd::Won { moves: moves + to_come },
        Outcome::Draw => GameEnd::Drawn,
        Outcome::Loss(_) => GameEnd::Lost,
    }
}

/// The 95 % Wilson score interval for the true rate, given `won` of `games` (E. B. Wilson,
/// *Probable inference, the law of succession, and statistical inference*, 1927).
///
/// ```
/// // 72 of 100: the true rate is likely between 62.5 % and 79.9 %.
/// let (low, high) = lucena_play::validation::wilson_95(72, 100);
/// assert!((low - 0.6251).abs() < 1e-4 && (high - 0.7986).abs() < 1e-4);
/// ```
pub fn wilson_95(won: u64, games: u64) -> (f64, f64) {
    wilson_95_of(won as f64, games as f64)
}
