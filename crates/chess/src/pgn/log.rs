use super::{PgnError, PgnWarning};
use lucena_base::plural::count;

/// The number of warnings of a kind, and of games left out, that are kept.
const KEPT: usize = 10;

/// Findings of a reader of a PGN file: warnings, and the games that it has left out. The first few of each kind are
/// kept, the others counted.
///
/// ```
/// use lucena_chess::pgn::PgnReader;
///
/// let mut games = PgnReader::new(b"1. e2-e4 e7-e5 2. Ng1-f3 *\n\n1. e5 *\n" as &[u8]);
/// assert_eq!(games.by_ref().filter_map(Result::ok).count(), 1);
/// let log = games.into_log();
/// assert_eq!(log.left_out(), 1);
/// assert_eq!(
///     log.to_strings()[0],
///     "line 1, game 1: \"e2-e4\" is read as e4 (2 more of: moves not written as in the standard)",
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PgnLog {
    /// The warnings of each kind, and the number of all.
    kinds: Vec<(Vec<PgnWarning>, u64)>,
    /// The errors of games that are left out, in words.
    errors: Vec<String>,
    left_out: u64,
}

impl PgnLog {
    /// Adds a warning.
    pub(super) fn add(&mut self, warning: PgnWarning) {
        let kind = warning.what.kind();
        match self.kinds.iter_mut().find(|(known, _)| known[0].what.kind() == kind) {
            Some((known, count)) => {
                known.extend(Some(warning).filter(|_| *count < KEPT as u64));
                *count += 1;
            }
            None => self.kinds.push((vec![warning], 1)),
        }
    }

    /// Adds a game that is left out.
    pub(super) fn leave_out(&mut self, error: &PgnError) {
        if self.errors.len() < KEPT {
            self.errors.push(error.to_string());
        }
        self.left_out += 1;
    }

    /// The number of games that are left out, because they cannot be read as games of chess.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The first warnings of each kind.
    pub fn warnings(&self) -> impl Iterator<Item = &PgnWarning> {
        self.kinds.iter().flat_map(|(known, _)| known)
    }

    /// The warnings in sentences: the first of each kind, with the number of the others.
    pub fn warning_strings(&self) -> Vec<String> {
        let of_kind = |(known, count): &(Vec<PgnWarning>, u64)| match count - 1 {
            0 => known[0].to_string(),
            more => format!("{} ({more} more of: {})", known[0], known[0].what.kind()),
        };
        self.kinds.iter().map(of_kind).collect()
    }

    /// The log in sentences: the warnings, and the first games that are left out.
    pub fn to_strings(&self) -> Vec<String> {
        let mut sentences = self.warning_strings();
        let more = self.left_out - self.errors.len() as u64;
        let errors = self.errors.iter().map(|error| format!("{error}; the game is left out"));
        sentences.extend(errors);
        let more = (more > 0).then(|| format!("{} more left out", count(more, "game", "games")));
        sentences.extend(more);
        sentences
    }
}
