use super::reply::EMPTY;
use super::{OptionKind, UciOption};
use lucena_roster::{ParsePlayerError, PlayerName, SearchName};
use lucena_syzygy::SEPARATOR;
use lucena_tablebase::FiftyMoves;
use std::path::PathBuf;
use std::time::Duration;

/// The options of lucena as an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The player. Where it knows nothing, a search plays.
    pub player: PlayerName,
    /// True if tables choose the moves in endgames that are solved or quickly solved, and tell exact scores and lines.
    pub endgames: bool,
    /// The folder of solved tables; without one they are solved in memory.
    pub tables: Option<PathBuf>,
    /// The folders of Syzygy files; none if none are used.
    pub syzygy: Vec<PathBuf>,
    /// The size of the search's hash table in MiB; `None` for the player's own setting.
    pub hash: Option<u32>,
    /// True if the opening book is used.
    pub own_book: bool,
    /// The opening book, in Polyglot's format.
    pub book_file: Option<PathBuf>,
    /// The number of moves whose lines are reported, the best ones.
    pub lines: usize,
    /// True if the chances to win, draw and lose are reported with a score.
    pub shows_wdl: bool,
    /// Whether the fifty-move rule counts.
    pub fifty_moves: FiftyMoves,
    /// The greatest number of men, with the kings, in positions that Syzygy files are asked for.
    pub syzygy_men: usize,
    /// The time that a move costs on the clock besides the search.
    pub overhead: Duration,
    /// True if positions are analysed rather than played, so that no book is used.
    pub analyses: bool,
}

/// An error in setting an option.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// There is no such option.
    #[error("there is no option {name:?}: the options are {}", known.join(", "))]
    Unknown {
        /// The name given.
        name: String,
        /// The names of the options.
        known: Vec<String>,
    },
    /// The option does not accept the value.
    #[error("{name} is not set to {value:?}: it takes {hint}")]
    Value {
        /// The option.
        name: String,
        /// The value given.
        value: String,
        /// The accepted values, in words.
        hint: String,
    },
    /// The player is invalid.
    #[error("Player is not set: {0}")]
    Player(#[from] ParsePlayerError),
}

/// The name of the option that empties the hash table.
pub(super) const CLEAR_HASH: &str = "Clear Hash";

/// The greatest number of lines: no position has more legal moves.
const MAX_LINES: i64 = 256;

/// The greatest number of men in Syzygy files.
const SYZYGY_MEN: usize = 7;

/// The longest time of a move besides the search, in milliseconds.
const MAX_OVERHEAD: i64 = 5_000;

/// The smallest and largest size of a hash table, in MiB.
const HASH: (i64, i64) = (1, 4096);

impl Default for Settings {
    /// A search that uses tables in endgames.
    fn default() -> Self {
        Self {
            player: PlayerName::Search(searching()),
            endgames: true,
            tables: None,
            syzygy: Vec::new(),
            hash: None,
            own_book: false,
            book_file: None,
            lines: 1,
            shows_wdl: false,
            fifty_moves: FiftyMoves::Counted,
            syzygy_men: SYZYGY_MEN,
            overhead: Duration::from_millis(5),
            analyses: false,
        }
    }
}

/// A search without its own limits.
fn searching() -> SearchName {
    "".parse().expect("a search has defaults for everything")
}

impl Settings {
    /// The player, with the size of the hash table applied.
    pub(super) fn player(&self) -> PlayerName {
        let mut player = self.player.clone();
        if let (PlayerName::Search(search), Some(table)) = (&mut player, self.hash) {
            search.params.table = table;
        }
        player
    }

    /// The player for positions that the main player does not know.
    pub(super) fn otherwise(&self) -> PlayerName {
        let mut search = searching();
        search.params.table = self.hash.unwrap_or(search.params.table);
        PlayerName::Search(search)
    }

    /// The options with their current values as defaults.
    pub fn options(&self) -> Vec<UciOption> {
        let text = |path: &Option<PathBuf>| {
            let path = path.as_ref().map(|path| path.display().to_string());
            OptionKind::Text { default: path.unwrap_or_default() }
        };
        let folders: Vec<_> = self.syzygy.iter().map(|path| path.display().to_string()).collect();
        let folders = folders.join(&SEPARATOR.to_string());
        let hash = self.hash.unwrap_or(searching().params.table);
        let options = [
            ("Player", OptionKind::Text { default: self.player.to_string() }),
            ("Endgames", OptionKind::Check { default: self.endgames }),
            ("Tables", text(&self.tables)),
            ("SyzygyPath", OptionKind::Text { default: folders }),
            (
                "SyzygyProbeLimit",
                OptionKind::Spin {
                    default: self.syzygy_men as i64,
                    min: 0,
                    max: SYZYGY_MEN as i64,
                },
            ),
            (
                "Syzygy50MoveRule",
                OptionKind::Check { default: self.fifty_moves == FiftyMoves::Counted },
            ),
            ("Hash", OptionKind::Spin { default: hash.into(), min: HASH.0, max: HASH.1 }),
            (CLEAR_HASH, OptionKind::Button),
            ("MultiPV", OptionKind::Spin { default: self.lines as i64, min: 1, max: MAX_LINES }),
            ("UCI_ShowWDL", OptionKind::Check { default: self.shows_wdl }),
            ("UCI_AnalyseMode", OptionKind::Check { default: self.analyses }),
            (
                "Move Overhead",
                OptionKind::Spin {
                    default: self.overhead.as_millis() as i64,
                    min: 0,
                    max: MAX_OVERHEAD,
                },
            ),
            // The search uses one thread.
            ("Threads", OptionKind::Spin { default: 1, min: 1, max: 1 }),
            // The presence of this option says that pondering is supported; its value has no
            // effect.
            ("Ponder", OptionKind::Check { default: false }),
            ("OwnBook", OptionKind::Check { default: self.own_book }),
            ("BookFile", text(&self.book_file)),
        ];
        options.map(|(name, kind)| UciOption { name: name.into(), kind }).into()
    }

    /// Sets an option. Names are not case-sensitive, and a text may be given as `<empty>`.
    ///
    /// # Errors
    /// If there is no such option, or it does not accept the value; the settings are then unchanged.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let options = self.options();
        let option = options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = option.ok_or_else(|| SettingError::Unknown {
            name: name.into(),
            known: options.iter().map(|option| option.name.clone()).collect(),
        })?;
        if !option.kind.takes(value) {
            let (name, value, hint) = (option.name.clone(), value.into(), option.kind.hint());
            return Err(SettingError::Value { name, value, hint });
        }
        let is_empty_text = value == EMPTY && matches!(option.kind, OptionKind::Text { .. });
        let value = if is_empty_text { "" } else { value };
        let path = || (!value.is_empty()).then(|| PathBuf::from(value));
        match option.name.as_str() {
            "Player" => self.player = value.parse()?,
            "Endgames" => self.endgames = value == "true",
            "Tables" => self.tables = path(),
            "SyzygyPath" => {
                let folders = value.split(SEPARATOR).filter(|folder| !folder.is_empty());
                self.syzygy = folders.map(PathBuf::from).collect();
            }
            "SyzygyProbeLimit" => self.syzygy_men = value.parse().unwrap_or(self.syzygy_men),
            "Syzygy50MoveRule" => {
                let is_counted = value == "true";
                self.fifty_moves =
                    if is_counted { FiftyMoves::Counted } else { FiftyMoves::Ignored };
            }
            "Hash" => self.hash = value.parse().ok(),
            "MultiPV" => self.lines = value.parse().unwrap_or(self.lines),
            "UCI_ShowWDL" => self.shows_wdl = value == "true",
            "UCI_AnalyseMode" => self.analyses = value == "true",
            "Move Overhead" => {
                self.overhead = value.parse().map_or(self.overhead, Duration::from_millis);
            }
            "OwnBook" => self.own_book = value == "true",
            "BookFile" => self.book_file = path(),
            // The other options have no effect.
            _ => {}
        }
        Ok(())
    }
}
