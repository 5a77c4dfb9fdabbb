use super::super::Game;
use super::tokens::{Token, Tokens};
use super::{GameResult, PgnError, PgnGame, PgnProblem, Remarks, Tags};
use std::io::BufRead;

/// An iterator over the games of a PGN file.
///
/// Moves are accepted in standard algebraic and UCI notation; comments on them are kept as
/// [`Remarks`]. If a game is damaged, the error names the line, and iteration continues with the next
/// tag `Event`.
///
/// ```
/// use lucena_chess::pgn::{GameResult, PgnReader};
///
/// let text = "[White \"Anon\"]\n\n1. e4 {the best} e5 2. Qh5 Ke7 (2... Nc6) 3. Qxe5# 1-0\n";
/// let mut games = PgnReader::new(text.as_bytes());
/// let game = games.next().expect("there is one")?;
/// assert_eq!(game.tags.get("White"), Some("Anon"));
/// assert_eq!((game.game.history().len(), game.result), (5, GameResult::WhiteWins));
/// assert!(games.next().is_none());
/// # Ok::<(), lucena_chess::pgn::PgnError>(())
/// ```
pub struct PgnReader<R> {
    tokens: Tokens<R>,
    /// The number of games begun.
    games: u64,
    state: State,
}

/// The state of a reader.
enum State {
    /// Between two games.
    Between,
    /// After the first tag of a game.
    AtTag { name: String, text: String },
    /// Within a damaged game.
    Lost,
    /// At the end of the file, or after a read error.
    Done,
}

impl<R: BufRead> PgnReader<R> {
    /// Starts reading games from an input.
    pub fn new(input: R) -> Self {
        Self { tokens: Tokens::new(input), games: 0, state: State::Between }
    }

    /// Reads the next game; `None` at the end of the file.
    fn game(&mut self) -> Result<Option<PgnGame>, PgnProblem> {
        let first = match std::mem::replace(&mut self.state, State::Between) {
            State::AtTag { name, text } => Some(Token::Tag { name, text }),
            State::Lost if self.tokens.skip_to_event()?.is_none() => None,
            State::Done => None,
            State::Between | State::Lost => self.tokens.next().inspect_err(|_| self.games += 1)?,
        };
        // Only comments before the first move without tags belong to this game.
        let (mut remarks, mut first) = (Vec::new(), first);
        while let Some(Token::Comment(_) | Token::Glyph(_) | Token::Variation(_)) = &first {
            if let Some(Token::Comment(text)) = first {
                remarks.push(text);
            }
            first = self.tokens.next().inspect_err(|_| self.games += 1)?;
        }
        let Some(mut token) = first else { return Ok(None) };
        self.games += 1;
        if matches!(token, Token::Tag { .. }) {
            remarks.clear();
        }

        let (mut tags, mut result, mut fen) = (Tags::default(), None, None);
        while let Token::Tag { name, text } = token {
            match name.as_str() {
                "Result" => result = Some(text),
                "FEN" => fen = Some(text),
                "SetUp" => {}
                _ => tags.set(&name, &text)?,
            }
            token = self.tokens.next()?.ok_or(PgnProblem::NoResult)?;
        }

        let mut game: Game = fen.map_or(Ok(Game::new()), |fen| fen.parse())?;
        let mut remarks = Remarks { before: remarks, behind: Vec::new() };
        loop {
            let word = match token {
                Token::Word(word) => word,
                Token::Tag { name, text } => {
                    if name == "Event" {
                        self.state = State::AtTag { name, text };
                    }
                    return Err(PgnProblem::NoResult);
                }
                remark => {
                    remarks.add(game.history().len(), remark);
                    token = self.tokens.next()?.ok_or(PgnProblem::NoResult)?;
                    continue;
                }
            };
            if let Ok(end) = word.parse::<GameResult>() {
                return match result.filter(|tag| *tag != end.to_string()) {
                    Some(tag) => Err(PgnProblem::TwoResults { tag, end }),
                    None => Ok(Some(PgnGame { tags, game, result: end, remarks })),
                };
            }
            game.play(game.parse_move(&word)?)?;
            token = self.tokens.next()?.ok_or(PgnProblem::NoResult)?;
        }
    }
}

impl<R: BufRead> Iterator for PgnReader<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.game() {
            Ok(Some(game)) => Some(Ok(game)),
            Ok(None) => {
                self.state = State::Done;
                None
            }
            Err(problem) => {
                match problem {
                    PgnProblem::Read(_) | PgnProblem::LongLine => self.state = State::Done,
                    // This game has been read to its end, so the next one follows.
                    PgnProblem::TwoResults { .. } => {}
                    _ if matches!(self.state, State::Between) => self.state = State::Lost,
                    _ => {}
                }
                Some(Err(PgnError { line: self.tokens.number, game: self.games, problem }))
            }
        }
    }
}
