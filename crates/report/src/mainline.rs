//! The line of best play from a position, as a game.

use lucena_chess::pgn::{GameResult, Note, PgnGame, PgnWriter, TagError, Tags};
use lucena_chess::{Color, Game, Move, Position};
use lucena_tablebase::Outcome;

/// The line of best play from a position: the quickest mate against the longest defence. A drawn
/// position has no line, since all moves that keep the draw are equally good.
pub struct Mainline {
    game: PgnGame,
    before: String,
    notes: Vec<Note>,
}

impl Mainline {
    /// The line from the current position of a game. `look` returns the outcome of a position, and
    /// its legal moves with their outcomes, best first.
    ///
    /// # Errors
    /// Those of `look`.
    ///
    /// # Panics
    /// If the position is not one of an endgame.
    pub fn new<E>(
        mut game: Game,
        look: impl Fn(&Position) -> Result<(Outcome, Vec<(Move, Position, Outcome)>), E>,
    ) -> Result<Self, E> {
        let endgame = |game: &Game| game.position().expect("an endgame leads to endgames");
        let start = endgame(&game);
        let (outcome, mut moves) = look(&start)?;
        let before = remark(outcome, game.turn());
        let mut notes = Vec::new();
        let is_decided = outcome != Outcome::Draw;
        while let Some(&(mv, _, after)) = moves.first().filter(|_| is_decided) {
            game.play(mv).expect("a table knows legal moves");
            notes.push(Note { comment: remark(after, game.turn()), ..Note::default() });
            moves = look(&endgame(&game))?.1;
        }
        let result = match outcome {
            Outcome::Draw => GameResult::Draw,
            _ => GameResult::by_rules(&game),
        };
        let is_over = GameResult::by_rules(&game) != GameResult::Unknown;
        let tags = tags(&start, outcome, notes.len(), is_over);
        let tags = tags.expect("names and figures fit into a line");
        Ok(Self { game: PgnGame::new(tags, game, result), before, notes })
    }

    /// The line as a game of a PGN file, with the distance after each move, for people and as
    /// `[%eval]`.
    pub fn pgn(&self) -> String {
        PgnWriter { game: &self.game, before: &self.before, notes: &self.notes }.to_string()
    }
}

/// The comment on a position with `turn` to move.
pub(super) fn remark(outcome: Outcome, turn: Color) -> String {
    let sign = |winner: Color| if winner == Color::White { "" } else { "-" };
    let moves = outcome.moves().unwrap_or_default();
    match outcome {
        Outcome::Loss(0) => "checkmate".into(),
        Outcome::Draw => "[%eval 0.00] draw".into(),
        Outcome::Win(_) => format!("[%eval #{}{moves}] mate in {moves}", sign(turn)),
        Outcome::Loss(_) => format!("[%eval #{}{moves}] mate in {moves}", sign(!turn)),
    }
}

fn tags(start: &Position, outcome: Outcome, plies: usize, is_over: bool) -> Result<Tags, TagError> {
    let turn = start.color_to_move();
    let mut tags = Tags::default();
    tags.set("Event", &format!("{}, {turn:?} to move: {outcome}", start.material()))?;
    tags.set("Annotator", concat!("lucena ", env!("CARGO_PKG_VERSION")))?;
    tags.set("PlyCount", &plies.to_string())?;
    // If moves are left, the draw is adjudicated.
    tags.set("Termination", if is_over { "normal" } else { "adjudication" })?;
    Ok(tags)
}
