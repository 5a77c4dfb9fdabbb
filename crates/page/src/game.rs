//! Games: their state, the legal moves, and a player's move.

use super::query::{OfParameter, Optional, WholeNumber, list};
use super::setup::endgame;
use super::{ApiError, PageState, Result};
use lucena_base::plural::capital;
use lucena_base::progress::{Deadline, NoObserver, Observer};
use lucena_chess::pgn::{GameResult, PgnGame, PgnReader, Tags};
use lucena_chess::{Game, Move, color_name};
use lucena_explain::{MoveSource, PlayedMove};
use lucena_play::arena::Entrant;
use lucena_play::{Choice, Forfeit, Grounds, MoveRequest, TimeMode};
use lucena_proof::policy::PolicyGrounds;
use lucena_roster::{LoadedPlayer, PlayerName, RosterEntrant};
use lucena_tablebase::{Metric, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game, as a position and moves or as PGN.
#[derive(Deserialize, JsonSchema)]
pub(super) struct GameQuery {
    /// The position that the game begins with, as a FEN; default the initial position.
    fen: Optional<Game, String>,
    /// The moves played so far, in UCI, separated by commas.
    moves: Option<String>,
    /// The game as PGN, in place of `fen` and `moves`.
    pgn: Option<String>,
    /// White's name in the PGN.
    white: Option<String>,
    /// Black's name in the PGN.
    black: Option<String>,
}

/// The state of a game.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct GameResponse {
    /// The position that the game began with.
    start: String,
    /// The position now.
    fen: String,
    /// The side to move.
    turn: &'static str,
    /// The square of the king in check; null if there is none.
    check: Option<String>,
    /// The legal moves; none if the game is over.
    moves: Vec<LegalMove>,
    /// The moves played so far.
    played: Vec<PlayedMove>,
    /// True if the game is over by the rules.
    over: bool,
    /// The state in a sentence.
    status: String,
    /// The result: 1-0, 0-1, 1/2-1/2, or * if the game goes on.
    result: String,
    /// Plies since the last capture or pawn move.
    clock: u16,
    /// The endgame that the game has reached, such as KRvK; null if it is none that can be solved.
    endgame: Option<String>,
    /// The game as PGN.
    pgn: String,
    /// What the PGN that was read has that is peculiar, in sentences; none for other games.
    warnings: Vec<String>,
}

/// A legal move.
#[derive(Debug, Serialize, JsonSchema)]
struct LegalMove {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The square that it starts from.
    from: String,
    /// The square that it ends on.
    to: String,
    /// The piece that a pawn becomes, as a small letter.
    promotion: Option<String>,
    /// True if it captures.
    takes: bool,
}

/// The longest game on the page.
const MAX_PLIES: usize = 1_000;

fn too_long() -> ApiError {
    ApiError::BadRequest(format!("the game is too long: the page plays {MAX_PLIES} plies at most"))
}

/// Replays moves from a position.
pub(super) fn played(start: Option<Game>, moves: Option<&str>) -> Result<Game> {
    let mut game = start.unwrap_or_default();
    for (number, text) in list(moves).enumerate() {
        if number == MAX_PLIES {
            return Err(too_long());
        }
        let mv = game.parse_move(text).of_parameter("moves")?;
        game.play(mv).of_parameter("moves")?;
    }
    Ok(game)
}

pub(super) fn game(_: &PageState, query: GameQuery) -> Result<GameResponse> {
    let mut warnings = Vec::new();
    let (game, mut tags) = match query.pgn.as_deref() {
        Some(pgn) => {
            let mut reader = PgnReader::new(pgn.as_bytes());
            let none = || ApiError::bad_request("the PGN contains no game: paste one");
            // A game that cannot be read, such as one of a variant, is left out if there is another.
            let mut refused = None;
            let read = reader.by_ref().find_map(|read| match read {
                Ok(game) => Some(game),
                Err(error) => {
                    refused.get_or_insert(error);
                    None
                }
            });
            let refused = || refused.map_or_else(none, ApiError::bad_request);
            let read = read.ok_or_else(refused).of_parameter("pgn")?;
            warnings = reader.log().to_strings();
            (read.game, read.tags)
        }
        None => (played(query.fen.0, query.moves.as_deref())?, Tags::default()),
    };
    if game.history().len() > MAX_PLIES {
        return Err(too_long());
    }
    for (name, player) in [("White", query.white), ("Black", query.black)] {
        if let Some(player) = player {
            tags.set(name, &player)
                .map_err(ApiError::bad_request)
                .of_parameter(&name.to_lowercase())?;
        }
    }
    told(&game, tags, warnings)
}

fn told(game: &Game, tags: Tags, warnings: Vec<String>) -> Result<GameResponse> {
    let (status, result) = (game.status(), GameResult::by_rules(game));
    let turn = game.turn();
    let is_check = !game.board().checkers().is_empty();
    let moves = if status.is_over() { Vec::new() } else { game.moves() };
    let told = PgnGame::new(tags, game.clone(), result);
    let mut replayed = told.game.start();
    let played = game.history().map(|(_, mv)| PlayedMove::play(&mut replayed, mv));
    Ok(GameResponse {
        start: told.game.start().to_string(),
        fen: game.to_string(),
        turn: color_name(turn),
        check: is_check.then(|| game.board().king(turn).to_string()),
        moves: moves.into_iter().map(|mv| LegalMove::new(game, mv)).collect::<Result<_, _>>()?,
        played: played.collect::<std::result::Result<_, _>>()?,
        over: status.is_over(),
        status: if status.is_over() { status.to_string() } else { format!("{turn:?} to move.") },
        result: result.to_string(),
        clock: game.clock(),
        endgame: endgame(game),
        pgn: told.to_string(),
        warnings,
    })
}

impl LegalMove {
    fn new(game: &Game, mv: Move) -> Result<Self> {
        let (uci, san) = (game.uci(mv)?, game.san(mv)?);
        // UCI writes castling as the king's move to the square it ends on.
        let [from, to] = [0..2, 2..4].map(|part| uci[part].to_owned());
        let promotion = uci.get(4..).filter(|role| !role.is_empty()).map(ToOwned::to_owned);
        Ok(Self { takes: san.contains('x'), from, to, promotion, uci, san })
    }
}

/// A game, and the player that is to move.
#[derive(Deserialize, JsonSchema)]
pub(super) struct PlayerMoveQuery {
    /// The position that the game begins with, as a FEN; default the initial position.
    fen: Optional<Game, String>,
    /// The moves played so far, in UCI, separated by commas.
    moves: Option<String>,
    /// The player that is to move.
    player: String,
    /// The seed of a player that moves at random; default 1.
    seed: Optional<WholeNumber, u64>,
}

/// A move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PlayerMoveResponse {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The reason for the move, in a sentence; null if the player gives none.
    because: Option<String>,
    /// The time it took, in seconds.
    seconds: f64,
}

/// The longest time that a player may think.
pub(super) const MAX_MOVE_TIME: Duration = Duration::from_secs(10);

pub(super) fn chosen(state: &PageState, query: PlayerMoveQuery) -> Result<PlayerMoveResponse> {
    let game = played(query.fen.0, query.moves.as_deref())?;
    let status = game.status();
    if game.moves().is_empty() {
        return Err(ApiError::BadRequest(status.to_string()));
    }
    let player = state.player(&query.player).of_parameter("player")?;
    let mut tablebases: Vec<Tablebase> = Vec::new();
    let knows_endgames = !player.plays_full_games() || player.endgame()?.is_some();
    let known = game.position().ok().map(|position| position.material());
    if let (true, Some(material)) = (knows_endgames, known.filter(|&it| state.has_quickly(it))) {
        tablebases.push(state.tablebase(material)?);
    }
    let folder = state.folder_of(Metric::Dtm);
    let mut entry = RosterEntrant::new(&player, &tablebases)?;
    if *player.name() == PlayerName::Stubborn {
        entry = entry.with_tables(Arc::new(state.probe_tables()));
    }
    entry = entry.with_folder(folder);
    entry.book = state.book.as_ref();
    let seed = query.seed.0.map_or(1, |seed| seed.0);
    // Each move has its own seed, which stays the same if the move is requested again.
    let seed = seed.wrapping_mul(1 << 10).wrapping_add(game.history().len() as u64);
    let mut seat = entry.seat(seed)?;
    let begun = Instant::now();
    let deadline = Deadline::new(&NoObserver, begun.checked_add(MAX_MOVE_TIME));
    // Only a search has a move when it is stopped.
    let observer: &dyn Observer = if player.plays_full_games() { &deadline } else { &NoObserver };
    let choice = seat.choose_for(&game, &MoveRequest::at(TimeMode::Free, observer));
    tablebases.iter().try_for_each(Tablebase::check_readable)?;
    let choice = choice.map_err(|forfeit| match forfeit {
        Forfeit::NoMove => ApiError::BadRequest(format!(
            "{} has no move here: it only knows its own endgames, and only moves for the strong side",
            query.player
        )),
        forfeit => ApiError::bad_request(forfeit),
    })?;
    let reason = reason(state, &player, &game, &choice, &tablebases)?;
    Ok(PlayerMoveResponse {
        uci: game.uci(choice.mv)?,
        san: game.san(choice.mv)?,
        because: because(player.name(), &choice.grounds, reason),
        seconds: begun.elapsed().as_secs_f64(),
    })
}

/// The reason for a move of a player that goes by a model; `None` for other players.
fn reason(
    state: &PageState,
    player: &LoadedPlayer,
    game: &Game,
    choice: &Choice,
    tablebases: &[Tablebase],
) -> Result<Option<String>> {
    let (Grounds::Policy(grounds), Ok(position)) = (&choice.grounds, game.position()) else {
        return Ok(None);
    };
    let mut known = tablebases.iter();
    let Some(tablebase) = known.find(|one| one.material() == position.material()) else {
        return Ok(None);
    };
    let Some(model) = state.model(player, position.material())? else { return Ok(None) };
    Ok(lucena_explain::reason(&*model.policy(tablebase)?, grounds, &position, choice.mv)?)
}

/// The reason for a move, in a sentence.
fn because(player: &PlayerName, grounds: &Grounds, reason: Option<String>) -> Option<String> {
    Some(match grounds {
        Grounds::Unstated => return None,
        Grounds::Book => MoveSource::Book.sentence(),
        Grounds::Policy(PolicyGrounds::Table) => MoveSource::Table.sentence(),
        Grounds::Policy(_) => {
            reason.unwrap_or_else(|| format!("{} says so.", capital(&player.to_string())))
        }
        Grounds::Tables(found) => format!("{}.", capital(&found.to_string())),
        Grounds::Search(found) => format!("It looked {} plies deep.", found.depth),
    })
}
