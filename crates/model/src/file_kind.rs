//! The kinds of files that verbs read and write, recognized by their content.

use super::kind::ModelKind;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fmt;

/// A kind of file, as far as its content shows it.
///
/// ```
/// use lucena_model::{FileKind, ModelKind};
///
/// let found = FileKind::recognize(br#"{"format": 1, "kind": "measure", "material": "KRvK"}"#);
/// assert_eq!(found, Some(FileKind::Model(ModelKind::Measure)));
/// assert_eq!(FileKind::recognize(br#"{"head": {"format": 1}}"#), Some(FileKind::Trained));
/// assert_eq!(FileKind::recognize(b"[Event \"?\"]\n"), Some(FileKind::Games));
/// assert_eq!(FileKind::recognize(b"\x08\x08\x12\x06lucena:\x05\x0a\x03"), Some(FileKind::Onnx));
/// assert_eq!(FileKind::recognize(b"[]"), None);
/// assert_eq!(FileKind::Trained.sentence(), "these are trained weights");
/// assert_eq!(FileKind::Book.sentence(), "this is an opening book");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A model.
    Model(ModelKind),
    /// The certificate of a proof.
    Certificate,
    /// Weights that were trained in games, as JSON or safetensors.
    Trained,
    /// Weights of an evaluation, evolved or written by hand.
    Evaluation,
    /// The state of an evolution.
    Evolution,
    /// The runs of an experiment.
    Runs,
    /// A table of a solved endgame.
    Table,
    /// A Syzygy file.
    Syzygy,
    /// Games as PGN.
    Games,
    /// An opening book in Polyglot's format.
    Book,
    /// Positions as FEN or EPD, one in each line.
    Positions,
    /// A data set.
    Rows,
    /// A model in ONNX.
    Onnx,
    /// An array of NumPy.
    Array,
    /// A pickled object of Python.
    Pickle,
    /// A picture.
    Picture,
    /// A compressed file.
    Compressed,
    /// Bytes that are no text.
    Binary,
}

/// The first bytes of files, by kind.
const BEGINNINGS: &[(&[u8], FileKind)] = &[
    (b"lucena table ", FileKind::Table),
    (b"\x71\xe8\x23\x5d", FileKind::Syzygy),
    (b"\xd7\x66\x0c\xa5", FileKind::Syzygy),
    (b"PAR1", FileKind::Rows),
    (b"@relation", FileKind::Rows),
    (b"@RELATION", FileKind::Rows),
    (b"trial,seed,scores", FileKind::Runs),
    (b"\x93NUMPY", FileKind::Array),
    (b"\x80\x04\x95", FileKind::Pickle),
    (b"\x80\x05\x95", FileKind::Pickle),
    (b"<svg", FileKind::Picture),
    (b"\x89PNG", FileKind::Picture),
    (b"\x1f\x8b", FileKind::Compressed),
    (b"\x28\xb5\x2f\xfd", FileKind::Compressed),
    (b"\xfd7zXZ", FileKind::Compressed),
    (b"BZh", FileKind::Compressed),
    (b"PK\x03\x04", FileKind::Compressed),
    (b"7z\xbc\xaf\x27\x1c", FileKind::Compressed),
];

/// The length of an entry of an opening book, in bytes.
const BOOK_ENTRY: usize = 16;

impl FileKind {
    /// Recognizes a file by its content, which may be damaged; `None` if it shows no kind.
    pub fn recognize(bytes: &[u8]) -> Option<Self> {
        let found = BEGINNINGS.iter().find(|(beginning, _)| bytes.starts_with(beginning));
        if let Some(&(_, found)) = found {
            return Some(found);
        }
        if is_onnx(bytes) {
            return Some(Self::Onnx);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => Self::of_json(text).or_else(|| Self::of_text(text)),
            // The length of a safetensors head comes before it.
            _ if bytes.get(8) == Some(&b'{') => Some(Self::Trained),
            _ if is_book(bytes) => Some(Self::Book),
            // Text in another encoding has no such bytes, except that in UTF-16, which has an error of its own.
            _ if bytes.iter().any(is_control)
                && !bytes.starts_with(b"\xff\xfe")
                && !bytes.starts_with(b"\xfe\xff") =>
            {
                Some(Self::Binary)
            }
            _ => None,
        }
    }

    /// Recognizes JSON by its fields.
    fn of_json(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields {
            kind: Option<ModelKind>,
            nodes: Option<IgnoredAny>,
            won: Option<IgnoredAny>,
            head: Option<IgnoredAny>,
            evaluation: Option<IgnoredAny>,
            members: Option<IgnoredAny>,
        }
        match serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()? {
            Fields { kind: Some(kind), .. } => Some(Self::Model(kind)),
            // Trees of old files do not state their kind.
            Fields { nodes: Some(_), .. } => Some(Self::Model(ModelKind::Tree)),
            Fields { won: Some(_), .. } => Some(Self::Certificate),
            Fields { head: Some(_), .. } => Some(Self::Trained),
            Fields { evaluation: Some(_), .. } => Some(Self::Evaluation),
            Fields { members: Some(_), .. } => Some(Self::Evolution),
            _ => None,
        }
    }

    /// Recognizes text by its first line.
    fn of_text(text: &str) -> Option<Self> {
        let mut lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let is_tag = || {
            let tag = line.strip_prefix('[')?.strip_suffix(']')?;
            let (name, value) = tag.split_once(' ')?;
            Some(name.chars().all(char::is_alphanumeric) && value.trim_start().starts_with('"'))
        };
        let placement = line.split(' ').next().unwrap_or_default();
        let is_rank = |rank: &str| {
            !rank.is_empty() && rank.chars().all(|letter| "12345678pnbrqkPNBRQK".contains(letter))
        };
        let columns = line.split(',').count();
        match () {
            () if is_tag() == Some(true) => Some(Self::Games),
            () if placement.split('/').count() == 8 && placement.split('/').all(is_rank) => {
                Some(Self::Positions)
            }
            () if columns >= 7 && line.split(',').all(is_field) => Some(Self::Rows),
            () => None,
        }
    }

    /// A sentence that says what the file is, such as "these are trained weights".
    pub fn sentence(self) -> String {
        let subject = match self {
            Self::Trained | Self::Evaluation | Self::Runs | Self::Games => "these are",
            _ => "this is",
        };
        format!("{subject} {self}")
    }

    /// The use of such a file, as an imperative.
    pub const fn usage(self) -> &'static str {
        match self {
            Self::Model(ModelKind::Tree) => "write tree:FILE where a player is chosen",
            Self::Model(ModelKind::Strategy) => "write strategy:FILE where a player is chosen",
            Self::Model(ModelKind::Measure) => "write measure:FILE where a player is chosen",
            Self::Certificate => "compare it with a proof by \"lucena prove --check FILE\"",
            Self::Trained => "write trained:FILE where a player is chosen",
            Self::Evaluation => "write search:eval=FILE where a player is chosen",
            Self::Evolution => "continue the evolution by \"lucena evolve --resume FILE\"",
            Self::Runs => "continue the experiment by \"lucena experiment td --resume FILE\"",
            Self::Table => "look positions up in it by \"lucena probe --table FILE\"",
            Self::Syzygy => "name its folder by --syzygy",
            Self::Games => {
                "annotate them by \"lucena explain --pgn FILE\", or make a book of them by \"lucena book make FILE\""
            }
            Self::Book => {
                "show it by \"lucena book show FILE\", or play from it by \"lucena match --book FILE\""
            }
            Self::Positions => {
                "look them up by \"lucena probe - < FILE\", or play from them by \"lucena match --openings FILE\""
            }
            Self::Rows => {
                "it is for other programs; \"lucena dataset --format krkopt --against FILE\" compares krkopt's"
            }
            Self::Onnx => {
                "it is for ONNX runtimes, and no verb reads it; give the JSON file of the tree that it was made from"
            }
            Self::Array => "read it in Python by numpy.load; no verb reads it",
            Self::Pickle => "load it in Python, and prove a classifier there by lucena.prove",
            Self::Picture => "open it in a browser",
            Self::Compressed => "unpack it first",
            Self::Binary => "name another file",
        }
    }
}

/// Returns true if a byte occurs in no text: it is neither white space nor the mark at the end of old files.
fn is_control(byte: &u8) -> bool {
    byte.is_ascii_control() && !b"\t\n\x0b\x0c\r\x1a\x1b".contains(byte)
}

/// Returns true if bytes begin as a `ModelProto` of ONNX: with the version of its format, and then with fields of the
/// message up to the graph.
fn is_onnx(bytes: &[u8]) -> bool {
    // The numbers of fields, and the kinds of their values.
    const VERSIONS: [u8; 2] = [1, 5];
    const TEXTS: [u8; 5] = [2, 3, 4, 6, 8];
    const GRAPH: u8 = 7;
    const NUMBER: u8 = 0;
    const LENGTH: u8 = 2;
    let mut rest = match bytes {
        // All versions so far are one byte.
        [0x08, 1..=31, rest @ ..] => rest,
        _ => return false,
    };
    while let [tag, after @ ..] = rest {
        let (field, kind) = (tag >> 3, tag & 7);
        let Some((value, after)) = variable(after) else { return false };
        rest = match () {
            () if field == GRAPH && kind == LENGTH => return true,
            () if VERSIONS.contains(&field) && kind == NUMBER => after,
            () if TEXTS.contains(&field) && kind == LENGTH => {
                after.get(value..).unwrap_or_default()
            }
            () => return false,
        };
    }
    false
}

/// A number of protobuf, seven bits a byte from the lowest, and what follows it.
fn variable(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at(end + 1);
    let value = digits.iter().rev().fold(0, |value, digit| value << 7 | usize::from(digit & 0x7f));
    Some((value, rest))
}

/// Returns true if a field of a line is a name or a number.
fn is_field(field: &str) -> bool {
    let is_of_field = |letter: char| letter.is_alphanumeric() || "_-.\" ".contains(letter);
    !field.is_empty() && field.chars().all(is_of_field)
}

/// Returns true if bytes are entries of a book, which are ordered by their keys.
fn is_book(bytes: &[u8]) -> bool {
    let mut keys = bytes.chunks_exact(BOOK_ENTRY).map(|entry| &entry[..8]);
    bytes.len() > BOOK_ENTRY && bytes.len().is_multiple_of(BOOK_ENTRY) && keys.by_ref().is_sorted()
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(kind) => write!(f, "a {kind}"),
            Self::Certificate => f.write_str("the certificate of a proof"),
            Self::Trained => f.write_str("trained weights"),
            Self::Evaluation => f.write_str("the weights of an evaluation"),
            Self::Evolution => f.write_str("the state of an evolution"),
            Self::Runs => f.write_str("the runs of an experiment"),
            Self::Table => f.write_str("a table of a solved endgame"),
            Self::Syzygy => f.write_str("a Syzygy file"),
            Self::Games => f.write_str("games in PGN"),
            Self::Book => f.write_str("an opening book"),
            Self::Positions => f.write_str("a list of positions"),
            Self::Rows => f.write_str("a data set"),
            Self::Onnx => f.write_str("a model in ONNX"),
            Self::Array => f.write_str("an array of NumPy"),
            Self::Pickle => f.write_str("a pickled object of Python"),
            Self::Picture => f.write_str("a picture"),
            Self::Compressed => f.write_str("a compressed file"),
            Self::Binary => f.write_str("binary data"),
        }
    }
}
