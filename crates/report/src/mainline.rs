//! The line of best play from a position, as a game.

use lucena_chess::pgn::{Annotated, GameResult, Note, PgnGame, TagError, Tags};
use lucena_chess::{Color, Game, Move, Position};
use lucena_tablebase::Outcome;

/// The line of best play from a position: the quickest mate against the longest defence. A drawn position
/// has none, since any move that keeps the draw will do.
pub struct Mainline {
    game: PgnGame,
    before: String,
    notes: Vec<Note>,
}

impl Mainline {
    /// The line from where a game stands. `look` knows the outcome of a position, and its legal moves with
    /// theirs, the best first.
    ///
    /// ```
    /// use lucena::chess::Position;
    /// use lucena::report::Mainline;
    /// use lucena::tablebase::{Tablebase, UnknownMaterial};
    ///
    /// let tablebase = Tablebase::solve("KRvK".parse()?);
    /// let look = |position: &Position| {
    ///     Ok::<_, UnknownMaterial>((tablebase.probe(position)?, tablebase.probe_moves(position)?))
    /// };
    /// let line = Mainline::new("8/8/8/8/8/k1K5/8/1R6 w - - 0 1".parse()?, look)?;
    /// assert!(line.pgn().ends_with("\n\n{[%eval #1] mate in 1} 1. Ra1# {checkmate} 1-0\n\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of looking up.
    ///
    /// # Panics
    /// When the game does not stand at a position of an endgame.
    pub fn new<E>(
        mut game: Game,
        look: impl Fn(&Position) -> Result<(Outcome, Vec<(Move, Outcome)>), E>,
    ) -> Result<Self, E> {
        let endgame = |game: &Game| game.position().expect("an endgame leads to endgames");
        let start = endgame(&game);
        let (outcome, mut moves) = look(&start)?;
        let before = remark(outcome, game.turn());
        let mut notes = Vec::new();
        let is_decided = outcome != Outcome::Draw;
        while let Some(&(mv, after)) = moves.first().filter(|_| is_decided) {
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

    /// The line as a game of a PGN file, with the distance after each move, for people and as `[%eval]`.
    pub fn pgn(&self) -> String {
        Annotated { game: &self.game, before: &self.before, notes: &self.notes }.to_string()
    }
}

/// What is said of a position, the side to move with a colour.
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
    // Where moves are left, the draw is only judged to be one.
    tags.set("Termination", if is_over { "normal" } else { "adjudication" })?;
    Ok(tags)
}
