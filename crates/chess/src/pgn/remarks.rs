use super::tokens::Token;

/// The comments, glyphs and variations of a game in its file.
///
/// ```
/// use lucena_chess::pgn::PgnReader;
///
/// let text = "1. e4! {the best} (1. d4) e5 *";
/// let game = PgnReader::new(text.as_bytes()).next().expect("there is one")?;
/// let said = &game.remarks.behind[0];
/// assert_eq!((said.glyphs[0], said.comments[0].as_str()), (1, "the best"));
/// assert_eq!(said.variations, ["(1. d4)"]);
/// # Ok::<(), lucena_chess::pgn::PgnError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks {
    /// Comments before the first move.
    pub before: Vec<String>,
    /// The remarks on each move, up to the last move with one.
    pub behind: Vec<Remark>,
}

/// The remarks on a move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remark {
    /// Numbers of numeric annotation glyphs: 4 is a very poor move.
    pub glyphs: Vec<u8>,
    /// Comments, without their braces.
    pub comments: Vec<String>,
    /// Variations, with their parentheses and their own comments.
    pub variations: Vec<String>,
}

impl Remarks {
    /// Adds a token that follows a number of moves.
    pub(super) fn add(&mut self, moves: usize, token: Token) {
        let Some(ply) = moves.checked_sub(1) else {
            if let Token::Comment(text) = token {
                self.before.push(text);
            }
            return;
        };
        if self.behind.len() <= ply {
            self.behind.resize_with(ply + 1, Remark::default);
        }
        let remark = &mut self.behind[ply];
        match token {
            Token::Comment(text) => remark.comments.push(text),
            Token::Glyph(number) => remark.glyphs.push(number),
            Token::Variation(text) => remark.variations.push(text),
            Token::Tag { .. } | Token::Word(_) | Token::Beginning | Token::Nothing => {}
        }
    }
}
