//! A position of an endgame: its outcome, and the outcome of each move.

use super::game::{PlayedMove, name};
use super::{ApiError, PageState, Result};
use lucena_base::progress::NoObserver;
use lucena_chess::{FenError, Game, Position, Setup, Side};
use lucena_experiments::roster::PlayerName;
use lucena_proof::policy::Policy;
use lucena_report::{self as report, Category, LichessEntry, ProbeMove, ProbeReport};
use lucena_tablebase::{Outcome, TableFolder, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A position, and optionally a player to continue from it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PositionQuery {
    /// The position as a FEN.
    fen: String,
    /// A player whose line is shown beside best play.
    player: Option<String>,
}

/// A position and its outcome. Distances are in plies, negative when the side to move is mated.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PositionResponse {
    /// The position, as a complete FEN.
    fen: String,
    /// The endgame.
    material: String,
    /// The side to move.
    turn: &'static str,
    /// The colour of the strong side.
    strong: &'static str,
    /// The outcome of best play, in words.
    outcome: String,
    /// The outcome for the side to move.
    category: Category,
    /// Plies to mate; 0 for a draw, null in checkmate.
    dtm: Option<i32>,
    /// The legal moves, the best first.
    moves: Vec<MoveView>,
    /// The moves in UCI, grouped by their outcome for the side to move.
    groups: Groups,
    /// Best play to the end; empty for a draw.
    line: Vec<LineMove>,
    /// The player's moves against the longest resistance; null if no player was named.
    theirs: Option<PlayerLine>,
}

/// A legal move. Distance and category are those of the position after it, for the opponent.
#[derive(Debug, Serialize, JsonSchema)]
struct MoveView {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// The outcome for the opponent.
    category: Category,
    /// Plies to mate after the move.
    dtm: Option<i32>,
    /// True if it captures or moves a pawn.
    zeroing: bool,
    /// True if it leads to another endgame.
    conversion: bool,
    /// True if it mates.
    checkmate: bool,
    /// True if it stalemates.
    stalemate: bool,
    /// The outcome for the side that plays it, in words.
    says: String,
}

/// Moves by their outcome for the side that plays them.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct Groups {
    /// Winning moves.
    winning: Vec<String>,
    /// Drawing moves.
    drawing: Vec<String>,
    /// Losing moves.
    losing: Vec<String>,
}

/// A move of a line.
#[derive(Debug, Serialize, JsonSchema)]
struct LineMove {
    /// The move.
    #[serde(flatten)]
    played: PlayedMove,
    /// The outcome for the side that plays it, in words.
    says: String,
}

/// A player's line.
#[derive(Debug, Serialize, JsonSchema)]
struct PlayerLine {
    /// The player.
    player: String,
    /// Its moves, and the replies that resist longest.
    line: Vec<LineMove>,
    /// The number of moves until it mates; null if it does not.
    mates_in: Option<usize>,
    /// The reason why there is no line, or why it ends; null if it ends in mate.
    error: Option<String>,
}

/// Parses a position of an endgame, with its halfmove clock and as a game.
pub(super) fn parse(fen: &str) -> Result<(Position, u16, Game)> {
    let setup: Setup = fen.parse().map_err(FenError::from)?;
    Ok((setup.position()?, setup.clock(), setup.game()?))
}

/// Looks a position up.
pub(super) fn probed(state: &PageState, fen: &str) -> Result<ProbeReport> {
    let (position, clock, _) = parse(fen)?;
    look(state.folder_for_position(&position)?, &position, clock)
}

fn look(folder: &TableFolder, position: &Position, clock: u16) -> Result<ProbeReport> {
    Ok(report::probe(folder, position.to_string(), position, clock, &NoObserver)?)
}

pub(super) fn position(state: &PageState, query: PositionQuery) -> Result<PositionResponse> {
    let (position, clock, game) = parse(&query.fen)?;
    let folder = state.folder_for_position(&position)?;
    let probed = look(folder, &position, clock)?;
    let theirs = query.player.as_deref().filter(|player| !player.is_empty());
    let theirs = theirs.map(|player| their_line(state, player, &position, &game)).transpose()?;
    let mut groups = Groups::default();
    let told =
        probed.moves.into_iter().map(|ProbeMove { uci, san, zeroing, conversion, standing }| {
            let LichessEntry { category, dtm, checkmate, stalemate, .. } = standing;
            let outcome = standing.outcome().before_move();
            let group = match outcome {
                Outcome::Win(_) => &mut groups.winning,
                Outcome::Draw => &mut groups.drawing,
                Outcome::Loss(_) => &mut groups.losing,
            };
            group.push(uci.clone());
            let says = outcome.to_string();
            MoveView { uci, san, category, dtm, zeroing, conversion, checkmate, stalemate, says }
        });
    Ok(PositionResponse {
        moves: told.collect(),
        groups,
        fen: game.to_string(),
        material: position.material().to_string(),
        turn: name(position.color_to_move()),
        strong: name(position.strong()),
        outcome: probed.lucena.outcome,
        category: probed.standing.category,
        dtm: probed.standing.dtm,
        line: best_line(folder, game, probed.standing.outcome())?,
        theirs,
    })
}

/// Best play to the end: the quickest mate against the longest defence.
fn best_line(folder: &TableFolder, mut game: Game, outcome: Outcome) -> Result<Vec<LineMove>> {
    let mut line = Vec::new();
    if outcome == Outcome::Draw {
        return Ok(line);
    }
    loop {
        let moves = folder.probe_moves(&game.position()?, &NoObserver)?;
        let Some(&(mv, _, after)) = moves.first() else { return Ok(line) };
        line.push(LineMove::play(&mut game, mv, after)?);
    }
}

impl LineMove {
    fn play(game: &mut Game, mv: lucena_chess::Move, after: Outcome) -> Result<Self> {
        let says = after.before_move().to_string();
        Ok(Self { played: PlayedMove::play(game, mv)?, says })
    }
}

/// The longest line, in plies. Every player that mates is quicker.
const LONGEST: usize = 400;

/// The deepest search, in plies, that may play a whole line.
const DEEPEST: u8 = 3;

/// A player's line. If the player does not know the endgame, the line says so; the rest of the answer is
/// not affected.
fn their_line(
    state: &PageState,
    player: &str,
    position: &Position,
    game: &Game,
) -> Result<PlayerLine> {
    let loaded = state.player(player)?;
    let mut theirs =
        PlayerLine { player: player.into(), line: Vec::new(), mates_in: None, error: None };
    if let PlayerName::Search(search) = loaded.name()
        && search.params.limit.plies.is_none_or(|plies| plies > DEEPEST)
    {
        theirs.error = Some(format!(
            "A line takes a move at a time: of searches only those of at most {DEEPEST} plies are asked for one."
        ));
        return Ok(theirs);
    }
    let tablebase = state.tablebase(position.material())?;
    theirs.error = match loaded.policy(&tablebase) {
        Ok(policy) => theirs.let_play(&*policy, &tablebase, game.clone())?,
        Err(error) => Some(lucena_base::plural::capital(&format!("{error}."))),
    };
    tablebase.intact()?;
    Ok(theirs)
}

impl PlayerLine {
    /// Plays a policy against the longest resistance, until the game is over or leaves the endgame. Returns
    /// the reason why the line ends, if it is not mate.
    fn let_play(
        &mut self,
        policy: &dyn Policy,
        tablebase: &Tablebase,
        mut game: Game,
    ) -> Result<Option<String>> {
        while self.line.len() < LONGEST {
            let status = game.status();
            if matches!(status, lucena_chess::Status::Checkmate { .. }) {
                self.mates_in = Some(self.line.len().div_ceil(2));
                return Ok(None);
            }
            if status.is_over() {
                return Ok(Some(status.to_string()));
            }
            let position = game.position()?;
            let material = position.material();
            if material != tablebase.material() {
                return Ok(Some(format!(
                    "The game goes on as {material}, where the table knows the way."
                )));
            }
            let moves = tablebase.probe_moves(&position)?;
            let chosen = match position.turn() {
                Side::Strong => policy.choose(&position),
                Side::Weak => moves.first().map(|&(mv, ..)| mv),
            };
            let Some(mv) = chosen else {
                return Ok(Some(format!("{} has no move here.", self.player)));
            };
            let after = moves.iter().find(|(other, ..)| *other == mv).map(|&(.., after)| after);
            self.line.push(LineMove::play(&mut game, mv, after.unwrap_or(Outcome::Draw))?);
        }
        Ok(Some(format!("{} does not mate from here.", self.player)))
    }
}

/// A position, in the format of these front ends.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StandardQuery {
    /// The position as a FEN; underscores stand for spaces.
    fen: String,
}

/// The most times that a table is waited for, some hundredths of a second each.
const MOST_ROUNDS: usize = 500;

pub(super) fn standard(state: &PageState, query: StandardQuery) -> Result<ProbeReport> {
    let fen = query.fen.replace('_', " ");
    // These front ends do not know the answer that a table is being solved, so this waits.
    for _ in 0..MOST_ROUNDS {
        match probed(state, &fen) {
            Err(ApiError::Solving(_)) => {}
            answer => return answer,
        }
    }
    probed(state, &fen)
}
