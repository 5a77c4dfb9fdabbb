//! A position of an endgame: its outcome, and the outcome of each move.

use super::query::OfParameter;
use super::{ApiError, PageState, Result};
use lucena_chess::{Color, Game, Position, Side, Status, color_name};
use lucena_explain::PlayedMove;
use lucena_proof::policy::Policy;
use lucena_report::{LichessEntry, Mainline, ProbeMove, ProbeReport};
use lucena_roster::PlayerName;
use lucena_tablebase::{Category, Tablebase, Verdict, Wdl};
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
    /// The outcome of best play, in words, and whether mate comes too late under the fifty-move rule.
    outcome: String,
    /// The outcome for the side to move under the fifty-move rule.
    category: Category,
    /// Plies to mate; 0 for a draw, null in checkmate.
    dtm: Option<i32>,
    /// The legal moves, the best first.
    moves: Vec<MoveView>,
    /// The moves in UCI, grouped by their outcome for the side to move under the fifty-move rule.
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

/// Parses the position of a parameter `fen`, of an endgame, and as a game, which has its halfmove clock.
pub(super) fn parse(fen: &str) -> Result<(Position, Game)> {
    let game = fen.parse::<Game>().of_parameter("fen")?;
    Ok((game.position().of_parameter("fen")?, game))
}

pub(super) fn position(state: &PageState, query: PositionQuery) -> Result<PositionResponse> {
    let (position, game) = parse(&query.fen)?;
    state.check_quick(&position)?;
    let best = Mainline::new(game.clone(), state)?;
    let mut line = game.clone();
    let line =
        best.moves.iter().map(|best| LineMove::play(&mut line, best.mv, best.standing.verdict()));
    let line = line.collect::<Result<_>>()?;
    let probed = best.start;
    let theirs = query.player.as_deref().filter(|player| !player.is_empty());
    let theirs = theirs.map(|player| their_line(state, player, &position, &game)).transpose()?;
    let mut groups = Groups::default();
    let told = probed.moves.into_iter().map(
        |ProbeMove { uci, san, zeroing, conversion, standing, .. }| {
            let LichessEntry { category, dtm, checkmate, stalemate, .. } = standing;
            match category.before_move().wdl() {
                Some(Wdl::Win) => groups.winning.push(uci.clone()),
                Some(Wdl::Draw) => groups.drawing.push(uci.clone()),
                Some(Wdl::Loss) => groups.losing.push(uci.clone()),
                None => {}
            }
            let says = standing.words_before_move();
            MoveView { uci, san, category, dtm, zeroing, conversion, checkmate, stalemate, says }
        },
    );
    Ok(PositionResponse {
        moves: told.collect(),
        groups,
        fen: game.to_string(),
        material: position.material().to_string(),
        turn: color_name(position.color_to_move()),
        strong: color_name(position.strong()),
        outcome: probed.lucena.outcome.unwrap_or_else(|| "unknown".into()),
        category: probed.standing.category,
        dtm: probed.standing.dtm,
        line,
        theirs,
    })
}

impl LineMove {
    /// Plays a move, after which the position has a value for the opponent.
    fn play(game: &mut Game, mv: lucena_chess::Move, after: Option<Verdict>) -> Result<Self> {
        let says = after.map_or("unknown".into(), |after| after.before_move().to_string());
        Ok(Self { played: PlayedMove::play(game, mv)?, says })
    }
}

/// The longest line, in plies. Every player that mates is quicker.
const MAX_LINE_PLIES: usize = 400;

/// The deepest search, in plies, that may play a whole line.
const DEEPEST: u8 = 3;

/// A player's line. If the player does not know the endgame, the line is a message; the rest of the answer is not
/// affected.
fn their_line(
    state: &PageState,
    player: &str,
    position: &Position,
    game: &Game,
) -> Result<PlayerLine> {
    let loaded = state.player(player).of_parameter("player")?;
    let mut theirs =
        PlayerLine { player: player.into(), line: Vec::new(), mates_in: None, error: None };
    if let PlayerName::Search(search) = loaded.name()
        && search.params.limit.plies.is_none_or(|plies| plies > DEEPEST)
    {
        theirs.error = Some(format!(
            "A line takes one move at a time, so only searches of at most {DEEPEST} plies play one."
        ));
        return Ok(theirs);
    }
    let tablebase = state.tablebase(position.material())?;
    theirs.error = match loaded.policy(&tablebase) {
        Ok(policy) => theirs.let_play(state, &*policy, &tablebase, game.clone())?,
        Err(error) => Some(lucena_base::plural::capital(&format!("{error}."))),
    };
    tablebase.check_readable()?;
    Ok(theirs)
}

impl PlayerLine {
    /// Plays a policy against the longest resistance, until the game is over or leaves the endgame. Returns
    /// the reason why the line ends, if it is not mate.
    fn let_play(
        &mut self,
        state: &PageState,
        policy: &dyn Policy,
        tablebase: &Tablebase,
        mut game: Game,
    ) -> Result<Option<String>> {
        while self.line.len() < MAX_LINE_PLIES {
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
            let verdicts = state.verdicts(tablebase, &game, &position)?;
            let chosen = match position.turn() {
                Side::Strong => policy.choose(&position),
                Side::Weak => verdicts.moves().first().map(|&(mv, ..)| mv),
            };
            let Some(mv) = chosen else {
                return Ok(Some(format!("{} has no move here.", self.player)));
            };
            let after = verdicts.after(mv);
            self.line.push(LineMove::play(&mut game, mv, after)?);
        }
        Ok(Some(format!("{} does not mate from here.", self.player)))
    }
}

/// A position, as the Lichess tablebase is asked for it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct StandardQuery {
    /// The position as a FEN; underscores stand for spaces.
    fen: String,
}

impl StandardQuery {
    fn game(&self) -> Result<Game> {
        self.fen.parse::<Game>().of_parameter("fen")
    }
}

/// The most times that a table is waited for, some hundredths of a second each.
const MAX_ROUNDS: usize = 500;

/// Asks until no table has to be solved first: front ends made for Lichess do not know the answer that one is.
fn wait<T>(ask: impl Fn() -> Result<T>) -> Result<T> {
    for _ in 0..MAX_ROUNDS {
        match ask() {
            Err(ApiError::Solving(_)) => {}
            answer => return answer,
        }
    }
    ask()
}

pub(super) fn standard(state: &PageState, query: StandardQuery) -> Result<ProbeReport> {
    let game = query.game()?;
    wait(|| ProbeReport::new(game.to_string(), &game, state))
}

/// The line of best play, in the fields of the Lichess tablebase. There, it is the line of the shortest
/// distances to a capture or pawn move; here, it is that of the shortest distances to mate.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct MainlineResponse {
    /// The moves; none in a drawn position. The line ends where fifty moves have passed.
    mainline: Vec<MainlineMove>,
    /// The colour that mates at the end of the line: w or b; null for a draw.
    winner: Option<char>,
    /// Plies to the next capture, pawn move or mate, negative if the side to move loses; 0 for a draw, null if
    /// unknown. Beyond 100, where the fifty-move rule draws first, it stands for that many plies or 100 fewer.
    dtz: Option<i32>,
    /// `dtz`, if it is not rounded.
    precise_dtz: Option<i32>,
}

/// A move of the line.
#[derive(Debug, Serialize, JsonSchema)]
struct MainlineMove {
    /// The move in UCI.
    uci: String,
    /// The move in standard algebraic notation.
    san: String,
    /// Plies to the next capture, pawn move or mate from the position after it, for the opponent.
    dtz: Option<i32>,
    /// `dtz`, if it is not rounded.
    precise_dtz: Option<i32>,
}

/// Answers like `mainline_blocking` and `TablebaseError` of lila-tablebase: 404 for a legal position with
/// castling rights, with too many men or without a table, and an empty line for a draw.
pub(super) fn mainline(state: &PageState, query: StandardQuery) -> Result<MainlineResponse> {
    let game = query.game()?;
    game.position().map_err(ApiError::missing)?;
    let line = wait(|| Mainline::new(game.clone(), state))?;
    let LichessEntry { dtz, precise_dtz, .. } = line.start.standing;
    if let Some(reason) = line.start.lucena.no_table {
        return Err(ApiError::NotFound(reason));
    }
    let moves = line.moves.into_iter().map(|ProbeMove { uci, san, standing, .. }| {
        let LichessEntry { dtz, precise_dtz, .. } = standing;
        MainlineMove { uci, san, dtz, precise_dtz }
    });
    let winner = match line.game.status() {
        Status::Checkmate { winner: Color::White } => Some('w'),
        Status::Checkmate { winner: Color::Black } => Some('b'),
        _ => None,
    };
    Ok(MainlineResponse { mainline: moves.collect(), winner, dtz, precise_dtz })
}
