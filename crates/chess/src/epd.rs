use super::{Game, IllegalMove, IllegalPosition, Move, ParseFenError, Setup};
use lucena_base::text::{is_space, trim};
use std::str::FromStr;

/// A position in a line with operations: EPD, or a FEN, which has none.
///
/// An EPD is the first four fields of a FEN and operations, each an opcode with operands that ends with a
/// semicolon. Operands may be texts in double quotes, in which a backslash stands before a quote or a backslash.
/// `hmvc` and `fmvn` are the halfmove clock and the move number; the clocks may also be written as in a FEN.
/// What people write is accepted where nothing is lost: several spaces between fields, or an underscore instead;
/// the semicolon missing after the last operation, or one after a FEN.
///
/// Source: S. Edwards, *Standard: Portable Game Notation Specification and Implementation Guide*, 1994, 16.2.
///
/// ```
/// use lucena_chess::Epd;
///
/// let epd: Epd = "8/8/8/8/8/k1K5/8/1R6 w - - c0 \"not Rb2; mate\"; bm Ra1#; hmvc 7;".parse()?;
/// let game = epd.game()?;
/// assert_eq!(game.to_string(), "8/8/8/8/8/k1K5/8/1R6 w - - 7 1");
/// assert_eq!(epd.best_moves(&game).unwrap(), [game.parse_move("b1a1").unwrap()]);
/// assert_eq!(epd.operation("c0"), Some(&["not Rb2; mate".to_owned()][..]));
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    setup: Setup,
    operations: Vec<Operation>,
    direct_mate: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Operation {
    opcode: String,
    operands: Vec<String>,
}

/// The opcodes of the standard. They need no semicolon at the end of a line; any other word without one is an error
/// in a FEN.
const OPCODES: &str = "acd acn acs am bm c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 ce dm draw_accept draw_claim \
    draw_offer draw_reject eco fmvn hmvc id nic noop pm pv rc resign sm tcgs tcri tcsi v0 v1 v2 v3 v4 \
    v5 v6 v7 v8 v9";

/// The opcodes whose operations count: two of them that differ contradict each other.
const MEANT: [&str; 6] = ["am", "bm", "dm", "fmvn", "hmvc", "id"];

impl FromStr for Epd {
    type Err = ParseFenError;

    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let error = |what: String| ParseFenError::new(text, &what);
        let line = trim(text);
        // Without any space, the underscores are the spaces.
        let spaced = (!line.contains(is_space)).then(|| line.replace('_', " "));
        let mut rest = spaced.as_deref().unwrap_or(line);

        let mut fields = Vec::new();
        while fields.len() < 6 {
            let is_clock = |letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+');
            let next = rest.trim_start_matches(is_gap);
            if next.is_empty() || fields.len() >= 4 && !next.starts_with(is_clock) {
                break;
            }
            let (field, more) = next.split_at(next.find(is_gap).unwrap_or(next.len()));
            fields.push(field);
            rest = more;
        }
        let rest = rest.trim_start_matches(is_gap);
        let operations = match operations(rest, line.contains(';')) {
            Ok(operations) => operations,
            // What is no operation is a field of the FEN, and a wrong one.
            Err(OperationError::NotOne(word)) if rest.starts_with(word) => {
                fields.push(word);
                Vec::new()
            }
            Err(OperationError::NotOne(word)) => {
                return Err(error(format!("\"{word}\" is not an opcode of EPD")));
            }
            Err(OperationError::OpenQuote(opcode)) => {
                return Err(error(format!("the text of {opcode} has no closing quote")));
            }
        };
        let mut setup = Setup::from_fields(text, &fields)?;

        for (number, one) in operations.iter().enumerate() {
            let is_other = |other: &&Operation| other.opcode == one.opcode && *other != one;
            if MEANT.contains(&&*one.opcode)
                && operations[..number].iter().any(|other| is_other(&other))
            {
                return Err(error(format!("{} is given twice", one.opcode)));
            }
        }
        let number = |opcode: &str| -> Result<Option<u16>, ParseFenError> {
            let Some(operands) = operands(&operations, opcode) else { return Ok(None) };
            let number = match operands {
                [one] => one.parse().ok(),
                _ => None,
            };
            let found = operands.join(" ");
            let wrong = || error(format!("{opcode} is \"{found}\", not a number from 0 to 65535"));
            number.map(Some).ok_or_else(wrong)
        };
        let (clock, move_number) = (number("hmvc")?, number("fmvn")?);
        let direct_mate = number("dm")?;
        for (field, given) in [(4, clock), (5, move_number)] {
            let is_other = |&(field, given): &(&&str, u16)| field.parse() != Ok(given);
            if let Some((field, given)) = fields.get(field).zip(given).filter(is_other) {
                return Err(error(format!("it gives a clock twice, as {field} and {given}")));
            }
        }
        setup.set_clocks(clock, move_number).map_err(error)?;
        Ok(Self { setup, operations, direct_mate })
    }
}

/// The operands of the first operation with an opcode.
fn operands<'o>(operations: &'o [Operation], opcode: &str) -> Option<&'o [String]> {
    let operation = operations.iter().find(|operation| operation.opcode == opcode)?;
    Some(&operation.operands)
}

/// Returns true for what separates the fields of a FEN.
fn is_gap(letter: char) -> bool {
    is_space(letter) || matches!(letter, '_' | ';')
}

/// An error in the operations of a line.
enum OperationError<'t> {
    /// A word is not an opcode.
    NotOne(&'t str),
    /// The text of an operation with this opcode has no closing quote.
    OpenQuote(&'t str),
}

/// Parses operations. Unknown opcodes are taken if the line has any semicolon, and so is an EPD.
fn operations(text: &str, has_semicolon: bool) -> Result<Vec<Operation>, OperationError<'_>> {
    let ends = |letter: char| is_space(letter) || matches!(letter, ';' | '"');
    let (mut operations, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(|letter| is_space(letter) || letter == ';');
        if rest.is_empty() {
            return Ok(operations);
        }
        let (opcode, mut more) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
        if !opcode.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            return Err(OperationError::NotOne(rest.split(is_space).next().unwrap_or(rest)));
        }
        let mut operands = Vec::new();
        loop {
            more = more.trim_start_matches(is_space);
            if let Some(after) = more.strip_prefix('"') {
                let (text, after) = split_quote(after).ok_or(OperationError::OpenQuote(opcode))?;
                operands.push(text);
                more = after;
            } else if more.is_empty() || more.starts_with(';') {
                break;
            } else {
                let (word, after) = more.split_at(more.find(ends).unwrap_or(more.len()));
                operands.push(word.into());
                more = after;
            }
        }
        if more.is_empty() && !has_semicolon && !OPCODES.split(' ').any(|known| known == opcode) {
            return Err(OperationError::NotOne(opcode));
        }
        operations.push(Operation { opcode: opcode.into(), operands });
        rest = more;
    }
}

/// Divides the rest of a line after a quote into the text and what follows it; `None` if it is not closed. A text may
/// end with a backslash if no other quote can close it.
fn split_quote(rest: &str) -> Option<(String, &str)> {
    let quotes = rest.match_indices('"').map(|(at, _)| at);
    let is_escaped =
        |&at: &usize| rest[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
    let ends_operand = |at: usize| {
        rest[at + 1..].trim_start_matches(is_space).chars().next().is_none_or(|next| next == ';')
    };
    let (escaped, bare): (Vec<usize>, Vec<usize>) = quotes.partition(is_escaped);
    let end = bare.first().copied().or(escaped.into_iter().rev().find(|&at| ends_operand(at)))?;
    Some((unescape(&rest[..end]), &rest[end + 1..]))
}

/// The text between quotes, in which a backslash stands before a quote or a backslash. Before other letters it is part
/// of the text.
pub(super) fn unescape(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let letter = || {
        let letter = letters.next()?;
        let escaped = letters.next_if(|next| letter == '\\' && matches!(next, '"' | '\\'));
        Some(escaped.unwrap_or(letter))
    };
    std::iter::from_fn(letter).collect()
}

impl Epd {
    /// The start of a game from the position.
    ///
    /// # Errors
    /// If the position is not legal.
    pub fn game(&self) -> Result<Game, IllegalPosition> {
        self.setup.game()
    }

    /// The operands of the first operation with an opcode: words, and texts without their quotes.
    pub fn operation(&self, opcode: &str) -> Option<&[String]> {
        operands(&self.operations, opcode)
    }

    /// The name of the position: the operand of `id`.
    pub fn id(&self) -> Option<String> {
        self.operation("id").map(|operands| operands.join(" "))
    }

    /// The number of moves, not plies, in which the side to move mates at the latest: the operand of `dm`.
    pub fn direct_mate(&self) -> Option<u16> {
        self.direct_mate
    }

    /// The best moves in the position: the operands of `bm`; empty if it has none.
    ///
    /// # Errors
    /// If one of them is not legal.
    pub fn best_moves(&self, game: &Game) -> Result<Vec<Move>, IllegalMove> {
        self.moves("bm", game)
    }

    /// The moves to avoid in the position: the operands of `am`; empty if it has none.
    ///
    /// # Errors
    /// If one of them is not legal.
    pub fn avoid_moves(&self, game: &Game) -> Result<Vec<Move>, IllegalMove> {
        self.moves("am", game)
    }

    fn moves(&self, opcode: &str, game: &Game) -> Result<Vec<Move>, IllegalMove> {
        let operands = self.operation(opcode).unwrap_or_default().iter();
        // Some programs write commas between moves.
        let words =
            operands.flat_map(|operand| operand.split([',', ' '])).filter(|word| !word.is_empty());
        words.map(|word| game.parse_move(word)).collect()
    }
}

impl FromStr for Setup {
    type Err = ParseFenError;

    /// Parses a FEN or an EPD. Fields from the castling rights on may be omitted and default to `- - 0 1`. The
    /// operations of an EPD other than its clocks are dropped.
    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        Ok(text.parse::<Epd>()?.setup)
    }
}
