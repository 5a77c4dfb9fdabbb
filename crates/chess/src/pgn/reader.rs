use super::super::Game;
use super::super::setup::shortened;
use super::tags::standard_name;
use super::tokens::{Token, Tokens};
use super::{
    GameResult, PgnError, PgnGame, PgnLog, PgnPeculiarity, PgnProblem, PgnWarning, Remarks, Tags,
};
use std::io::BufRead;

/// An iterator over the games of a PGN file.
///
/// Moves are accepted in standard algebraic and UCI notation, and as people write them: see [`Game::parse_move`].
/// Comments on them are kept as [`Remarks`]. Deviations from the standard, and text that is skipped, are recorded in a
/// [`PgnLog`]. If the moves of a game cannot be followed, the error names the line, and iteration continues with the
/// next game, unless [`PgnError::is_fatal`].
///
/// ```
/// use lucena_chess::pgn::{GameResult, PgnReader};
///
/// let text = "[White \"Anon\"]\n\n1. e2-e4 {the best} e5 2. Qh5 Ke7 (2... Nc6) 3. Qxe5++ 1-0\n";
/// let mut games = PgnReader::new(text.as_bytes());
/// let game = games.next().expect("there is one")?;
/// assert_eq!(game.tags.get("White"), Some("Anon"));
/// assert_eq!((game.game.history().len(), game.result), (5, GameResult::WhiteWins));
/// assert!(games.next().is_none());
/// let warnings: Vec<String> = games.log().warnings().map(ToString::to_string).collect();
/// assert_eq!(warnings, [
///     "line 3, game 1: \"e2-e4\" is read as e4", "line 3, game 1: \"Qxe5++\" is read as Qxe5#"
/// ]);
/// # Ok::<(), lucena_chess::pgn::PgnError>(())
/// ```
pub struct PgnReader<'r> {
    tokens: Tokens<'r>,
    log: PgnLog,
    /// The number of games begun.
    games: u64,
    /// The line of the last token of the game.
    line: u64,
    state: State,
}

/// The state of a reader.
enum State {
    /// Between two games.
    Between,
    /// After the first tag of a game.
    AtTag { name: String, text: String },
    /// Within the tags of a game.
    InTags,
    /// Within the moves of a game.
    InMoves,
    /// Within a damaged game, after some of its moves or before them.
    Lost { has_moves: bool },
    /// At the end of the file, or after a read error.
    Done,
}

impl<'r> PgnReader<'r> {
    /// Starts reading games from an input.
    pub fn new(input: impl BufRead + 'r) -> Self {
        Self {
            // Not generic, so that this crate compiles it, with its own optimisation.
            tokens: Tokens::new(Box::new(input)),
            log: PgnLog::default(),
            games: 0,
            line: 0,
            state: State::Between,
        }
    }

    /// What has been noticed so far.
    pub fn log(&self) -> &PgnLog {
        &self.log
    }

    /// What has been noticed, after the last game.
    pub fn into_log(self) -> PgnLog {
        self.log
    }

    /// The next token; `None` at the end of the file.
    fn token(&mut self) -> Result<Option<Token>, PgnProblem> {
        loop {
            let token = self.tokens.next();
            // Between two games, what is told belongs to the next, and so does a tag after moves.
            let is_next = match self.state {
                State::Between => true,
                State::InMoves => matches!(token, Ok(Some(Token::Tag { .. }))),
                _ => false,
            };
            for (line, what) in std::mem::take(&mut self.tokens.peculiarities) {
                let game = self.games + u64::from(is_next);
                self.log.add(PgnWarning { line, game, what });
            }
            match token {
                Ok(Some(Token::Nothing)) => {}
                Ok(Some(Token::Tag { name, text })) => {
                    let name = standard_name(&name).to_owned();
                    return Ok(Some(Token::Tag { name, text }));
                }
                token => return token,
            }
        }
    }

    /// Warns of a remark that belongs to no move.
    fn leave_out(&mut self, remark: &str) {
        let game = self.games + u64::from(matches!(self.state, State::Between));
        let what = PgnPeculiarity::Unknown(shortened(remark));
        self.log.add(PgnWarning { line: self.tokens.number, game, what });
    }

    fn warn(&mut self, what: PgnPeculiarity) {
        self.log.add(PgnWarning { line: self.line, game: self.games, what });
    }

    /// The first token of the next game, and the comments before it; `None` at the end of the file.
    fn first(&mut self) -> Result<Option<(Token, Vec<String>)>, PgnProblem> {
        match std::mem::replace(&mut self.state, State::Between) {
            State::AtTag { name, text } => {
                return Ok(Some((Token::Tag { name, text }, Vec::new())));
            }
            State::Lost { has_moves } if self.tokens.skip_game(has_moves)?.is_none() => {
                return Ok(None);
            }
            State::Done => return Ok(None),
            _ => {}
        }
        let mut comments = Vec::new();
        loop {
            match self.token()? {
                Some(Token::Comment(text)) => comments.push(text),
                Some(Token::Glyph(glyph)) => self.leave_out(&format!("${glyph}")),
                Some(Token::Variation(text)) => self.leave_out(&text),
                Some(Token::Beginning) => {}
                // A result alone is no game.
                Some(Token::Word(word)) if GameResult::read(&word).is_some() => {
                    self.leave_out(&word);
                }
                Some(first) => return Ok(Some((first, comments))),
                None => {
                    comments.into_iter().for_each(|text| self.leave_out(&format!("{{{text}}}")));
                    return Ok(None);
                }
            }
        }
    }

    /// Reads the next game; `None` at the end of the file.
    fn game(&mut self) -> Result<Option<PgnGame>, PgnProblem> {
        let first = self.first().inspect_err(|_| self.games += 1)?;
        let Some((first, mut before)) = first else { return Ok(None) };
        self.games += 1;
        self.state = State::InTags;
        let (mut token, mut tags) = (Some(first), TagSection::default());
        loop {
            match token {
                Some(Token::Tag { name, text })
                    if name == "Event" && tags.line(&name).is_some() =>
                {
                    self.state = State::AtTag { name, text };
                    let game = self.start(&tags)?;
                    let remarks = Remarks { before, behind: Vec::new() };
                    return Ok(Some(self.end(tags, game, remarks, None)));
                }
                Some(Token::Tag { name, text }) => {
                    self.line = self.tokens.number;
                    for what in tags.add(name, &text, self.line) {
                        self.warn(what);
                    }
                }
                Some(Token::Comment(text)) => before.push(text),
                Some(Token::Beginning) => {}
                _ => break,
            }
            token = self.token()?;
        }

        self.state = State::InMoves;
        let mut game = self.start(&tags)?;
        let mut remarks = Remarks { before, behind: Vec::new() };
        loop {
            match token {
                Some(Token::Word(word)) => {
                    self.line = self.tokens.number;
                    if let Some(end) = GameResult::read(&word) {
                        while let Some(text) = self.tokens.comment_on_result()? {
                            remarks.add(game.history().len(), Token::Comment(text));
                        }
                        self.state = State::Between;
                        return Ok(Some(self.end(tags, game, remarks, Some(end))));
                    }
                    let read = game.read_move(&word)?;
                    if !read.is_standard {
                        self.warn(PgnPeculiarity::Move { found: word, san: game.san(read.mv)? });
                    }
                    game.play(read.mv)?;
                }
                Some(Token::Tag { name, text }) => {
                    self.state = State::AtTag { name, text };
                    return Ok(Some(self.end(tags, game, remarks, None)));
                }
                Some(Token::Beginning) if game.history().len() > 0 => {
                    self.state = State::Between;
                    return Ok(Some(self.end(tags, game, remarks, None)));
                }
                Some(Token::Glyph(glyph)) if game.history().len() == 0 => {
                    self.leave_out(&format!("${glyph}"));
                }
                Some(Token::Variation(text)) if game.history().len() == 0 => self.leave_out(&text),
                Some(remark) => remarks.add(game.history().len(), remark),
                None => {
                    self.state = State::Done;
                    return Ok(Some(self.end(tags, game, remarks, None)));
                }
            }
            token = self.token()?;
        }
    }

    /// The game before its first move, as its tags say.
    fn start(&mut self, tags: &TagSection) -> Result<Game, PgnProblem> {
        let (tag, start) = match tags.tags.get("Variant").filter(|name| !is_chess(name)) {
            Some(name) => ("Variant", Err(PgnProblem::Variant(shortened(name)))),
            None => {
                ("FEN", tags.fen.as_deref().map_or(Ok(Game::new()), str::parse).map_err(Into::into))
            }
        };
        start.inspect_err(|_| self.line = tags.line(tag).unwrap_or(self.line))
    }

    /// The game that has been read, with the result that its end and its tag say.
    fn end(
        &mut self,
        section: TagSection,
        game: Game,
        remarks: Remarks,
        end: Option<GameResult>,
    ) -> PgnGame {
        let TagSection { tags, result: tag, .. } = section;
        let tag_result = tag.as_deref().and_then(GameResult::read);
        let rules = GameResult::by_rules(&game);
        let taken = match (end, tag_result) {
            (Some(end), Some(tag)) if end == tag => end,
            (Some(GameResult::Unknown) | None, Some(tag)) if tag != GameResult::Unknown => tag,
            (Some(end), Some(GameResult::Unknown) | None) => end,
            // They contradict each other, or nothing is said.
            _ => rules,
        };
        match (end, tag_result, tag) {
            (None, ..) => self.warn(PgnPeculiarity::NoResult(taken)),
            (Some(_), None, Some(tag)) => self.warn(PgnPeculiarity::ResultTag { tag, taken }),
            (Some(end), Some(tag), _) if end != tag => {
                self.warn(PgnPeculiarity::TwoResults { tag, end, taken });
            }
            _ => {}
        }
        PgnGame { tags, game, result: taken, remarks }
    }
}

/// The tags of a game, as far as they have been read.
#[derive(Default)]
struct TagSection {
    tags: Tags,
    result: Option<String>,
    fen: Option<String>,
    /// The names of the tags, each with its line, from 1.
    names: Vec<(String, u64)>,
}

impl TagSection {
    /// Adds the tag in a line; returns its deviations from the standard.
    fn add(&mut self, name: String, text: &str, line: u64) -> Vec<PgnPeculiarity> {
        let mut peculiarities = Vec::new();
        let old = match name.as_str() {
            "Result" => self.result.replace(text.into()),
            "FEN" => self.fen.replace(text.into()),
            "SetUp" => None,
            _ => {
                let old = self.tags.get(&name).map(ToOwned::to_owned);
                match self.tags.set(&name, text) {
                    Ok(()) => old.filter(|_| self.line(&name).is_some()),
                    Err(error) => {
                        peculiarities.push(error.into());
                        None
                    }
                }
            }
        };
        if old.is_some_and(|old| old != text) {
            peculiarities.push(PgnPeculiarity::TwoTags(name.clone()));
        }
        self.names.push((name, line));
        peculiarities
    }

    /// The line of the last tag with a name.
    fn line(&self, name: &str) -> Option<u64> {
        self.names.iter().rev().find(|(known, _)| known == name).map(|&(_, line)| line)
    }
}

/// Returns true if a text of the tag `Variant` stands for chess, in the spelling of any program, or for nothing.
fn is_chess(variant: &str) -> bool {
    let letters = variant.chars().filter(|letter| letter.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    matches!(name.as_str(), "" | "chess" | "classical" | "fromposition" | "normal" | "standard")
}

impl Iterator for PgnReader<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.game() {
            Ok(Some(game)) => Some(Ok(game)),
            Ok(None) => {
                self.state = State::Done;
                None
            }
            Err(problem) => {
                let line = match problem {
                    PgnProblem::Fen(_) | PgnProblem::Variant(_) => self.line,
                    _ => self.tokens.number,
                };
                let error = PgnError { line, game: self.games, problem };
                self.log.leave_out(&error);
                let is_in_tags = matches!(self.state, State::InTags)
                    || matches!(error.problem, PgnProblem::BrokenTag);
                self.state = match std::mem::replace(&mut self.state, State::Done) {
                    _ if error.is_fatal() => State::Done,
                    // The next game has begun.
                    next @ State::AtTag { .. } => next,
                    _ => State::Lost { has_moves: !is_in_tags },
                };
                Some(Err(error))
            }
        }
    }
}
