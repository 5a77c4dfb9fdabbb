use super::{FenError, Game};

/// A position in a line: a FEN, or an EPD, which is the first four fields of a FEN and operations.
///
/// ```
/// use lucena_chess::Epd;
///
/// let epd = Epd::new("8/8/8/8/8/k1K5/8/1R6 w - - bm Ra1#; id \"mate in one\";");
/// let game = epd.game()?;
/// assert_eq!(game.to_string(), "8/8/8/8/8/k1K5/8/1R6 w - - 0 1");
/// assert_eq!(epd.operation("bm"), Some("Ra1#"));
/// assert_eq!(epd.operation("id"), Some("\"mate in one\""));
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd<'t> {
    fen: String,
    operations: &'t str,
}

impl<'t> Epd<'t> {
    /// Divides a line. It is a FEN if numbers follow its first four fields.
    pub fn new(line: &'t str) -> Self {
        let mut fields: Vec<&str> = line.split_whitespace().collect();
        let is_number = |field: &&str| field.parse::<u16>().is_ok();
        let is_epd = fields.len() > 4 && !fields[4..].iter().take(2).all(is_number);
        let mut operations = "";
        if is_epd {
            operations = (0..4).fold(line, |rest, _| {
                rest.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest)
            });
            fields.truncate(4);
        }
        Self { fen: fields.join(" "), operations }
    }

    /// The start of a game from the position.
    ///
    /// # Errors
    /// If the FEN cannot be parsed or the position is not legal.
    pub fn game(&self) -> Result<Game, FenError> {
        self.fen.parse()
    }

    /// The operands of the first operation with a name.
    pub fn operation(&self, name: &str) -> Option<&'t str> {
        let operations = self.operations.split(';').map(str::trim);
        operations.filter_map(|one| one.strip_prefix(name)).find_map(|one| one.strip_prefix(' '))
    }
}
