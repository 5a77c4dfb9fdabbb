use super::super::Game;
use super::tokens::{Token, Tokens};
use super::{GameResult, PgnError, PgnGame, PgnProblem, Remarks, Tags};
use std::io::BufRead;

/// The games of a PGN file, read one after the other.
///
/// Moves are taken in standard algebraic notation and in UCI's; what is said about them is kept as
/// [`Remarks`]. Where a game is damaged, the error
/// names the line; who asks for more gets the games behind it, from the next tag `Event` on.
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
    /// How many games have begun.
    games: u64,
    state: State,
}

/// Where a reader stands.
enum State {
    /// Between two games.
    Between,
    /// At the first tag of a game, which has been read already.
    AtTag { name: String, text: String },
    /// In a game that cannot be read.
    Lost,
    /// At the end, or where the file cannot be read on.
    Done,
}

impl<R: BufRead> PgnReader<R> {
    /// The games of what is read.
    pub fn new(input: R) -> Self {
        Self { tokens: Tokens::new(input), games: 0, state: State::Between }
    }

    /// The next game; nothing at the end of the file.
    fn game(&mut self) -> Result<Option<PgnGame>, PgnProblem> {
        let first = match std::mem::replace(&mut self.state, State::Between) {
            State::AtTag { name, text } => Some(Token::Tag { name, text }),
            State::Lost if self.tokens.skip_to_event()?.is_none() => None,
            State::Done => None,
            State::Between | State::Lost => self.tokens.next().inspect_err(|_| self.games += 1)?,
        };
        // What stands behind the last game's end is of no game.
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
                    // The game has been read to its end.
                    PgnProblem::TwoResults { .. } => {}
                    _ if matches!(self.state, State::Between) => self.state = State::Lost,
                    _ => {}
                }
                Some(Err(PgnError { line: self.tokens.line(), game: self.games, problem }))
            }
        }
    }
}
