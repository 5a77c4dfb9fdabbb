//! What a player is worth in games: random starts, a defender, a win rate with its uncertainty.
//!
//! Where [`crate::proof`] looks at everything, this looks at a sample; it also takes players that
//! cannot be proved. A game ends where a capture or a promotion leads to another endgame, of which
//! the player knows nothing: the table says what it comes to. Nobody claims a draw by repetition: a
//! player that goes in circles has the fifty moves to find its way out, as the defence may choose
//! otherwise among equals the next time.

use crate::{Defence, Player, Resistance};
use lucena_base::wilson::wilson_95_of;
use lucena_base::work::{Progress, Stopped, Watch};
use lucena_chess::symmetry::Group;
use lucena_chess::{Color, Game, Position, Side, Status};
use lucena_tablebase::{Index, Outcome, Plies, Tablebase, moves_in};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What games against a defender came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Validation {
    /// Games played.
    pub games: u64,
    /// Games in which the player mated.
    pub won: u64,
    /// Games that ended in stalemate, by the fifty-move rule, in another endgame that is drawn, or
    /// because the player had no move to offer.
    pub drawn: u64,
    /// Games in which the player was mated.
    pub lost: u64,
    /// The 95 % Wilson interval of the win rate.
    pub wilson_95: (f64, f64),
    /// Moves over the optimum, on average over the games won; absent where none was.
    pub mean_excess_moves: Option<f64>,
    /// The same by the distance of the start, in plies to mate; drawn starts are absent.
    pub by_distance: BTreeMap<Plies, Stratum>,
}

/// Games that started at one distance from mate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stratum {
    /// Games played.
    pub games: u64,
    /// Games won.
    pub won: u64,
}

/// Why no games were played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ValidationError {
    /// Nothing can be said of nothing.
    #[error("zero games show nothing: ask for at least one")]
    NoGames,
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// What a game came to for the player.
enum GameEnd {
    Won { moves: u16 },
    Drawn,
    Lost,
}

impl Validation {
    /// The share of games won.
    pub fn win_rate(&self) -> f64 {
        self.won as f64 / self.games as f64
    }
}

/// Plays games from random legal positions of a table's material, each as likely as any other,
/// strong side to move and White. The same seed plays the same games. The watch is told how many games
/// have been played, and asked after each whether to go on.
///
/// ```
/// use lucena::player::Resistance;
/// use lucena::policy::TablebasePlayer;
/// use lucena::tablebase::Tablebase;
/// use lucena::validation::validate;
/// use lucena::work::Unwatched;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let mut player = TablebasePlayer(&tablebase);
/// let validation = validate(&mut player, &tablebase, Resistance::Best, 20, 1, &Unwatched)?;
/// assert_eq!((validation.won, validation.mean_excess_moves), (20, Some(0.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no games are asked for, or the work was stopped.
pub fn validate(
    player: &mut dyn Player,
    tablebase: &Tablebase,
    resistance: Resistance,
    games: u64,
    seed: u64,
    watch: &dyn Watch,
) -> Result<Validation, ValidationError> {
    if games == 0 {
        return Err(ValidationError::NoGames);
    }
    let index = Index::new(tablebase.material(), Group::Identity);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Against a weak defence a drawn start can be won too; it has no optimum to be compared with.
    let (mut won, mut drawn, mut lost, mut excess, mut compared) = (0, 0, 0, 0, 0);
    let mut by_distance: BTreeMap<Plies, Stratum> = BTreeMap::new();
    for game in 0..games {
        watch.go_on()?;
        let start = loop {
            let at = rng.gen_range(0..index.len() as u32);
            if let Some(position) = index.position(at as usize, Side::Strong) {
                break position;
            }
        };
        // A generator for each game: what one game draws does not change the next.
        let own = ChaCha8Rng::seed_from_u64(rng.r#gen());
        let mut defence = Defence::new(resistance, tablebase, own);
        let outcome = tablebase.probe(&start).expect("the start is of the table's material");
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
                // A weak defence can be mated sooner than the best one.
                excess += i64::from(moves) - i64::from(moves_in(plies));
            }
            (GameEnd::Won { .. }, _) => won += 1,
            (GameEnd::Drawn, _) => drawn += 1,
            (GameEnd::Lost, _) => lost += 1,
        }
        if (game + 1) % 256 == 0 || game + 1 == games {
            let done = game + 1;
            watch.tell(Progress { what: "games", done, total: Some(games) });
            watch.point(&[("games", done as f64), ("won, %", 100.0 * won as f64 / done as f64)]);
        }
    }
    Ok(Validation {
        games,
        won,
        drawn,
        lost,
        wilson_95: wilson_95(won, games),
        mean_excess_moves: (compared > 0).then(|| excess as f64 / f64::from(compared)),
        by_distance,
    })
}

/// One game to its end.
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
            return adjudged(tablebase, &game, player, moves);
        }
    }
}

/// What a game comes to that has led to another endgame.
fn adjudged(tablebase: &Tablebase, game: &Game, player: Color, moves: u16) -> GameEnd {
    let position = game.position().expect("fewer men or a promotion make an endgame of an endgame");
    let outcome = tablebase.probe(&position).expect("the table has what its moves lead to");
    // The move that led here has been counted.
    let to_come = outcome.moves().unwrap_or(0);
    let outcome = if game.turn() == player { outcome } else { outcome.before_move() };
    match outcome {
        Outcome::Win(_) => GameEnd::Won { moves: moves + to_come },
        Outcome::Draw => GameEnd::Drawn,
        Outcome::Loss(_) => GameEnd::Lost,
    }
}

/// The Wilson score interval at 95 %: where the true rate may lie when `won` of `games` were won
/// (E. B. Wilson, *Probable inference, the law of succession, and statistical inference*, 1927).
///
/// ```
/// // 72 of 100: the true rate is likely between 62.5 % and 79.9 %.
/// let (low, high) = lucena::validation::wilson_95(72, 100);
/// assert!((low - 0.6251).abs() < 1e-4 && (high - 0.7986).abs() < 1e-4);
/// ```
pub fn wilson_95(won: u64, games: u64) -> (f64, f64) {
    wilson_95_of(won as f64, games as f64)
}
