use super::{OptionKind, UciOption};
use lucena_experiments::roster::{ParsePlayerError, PlayerName, SearchName};
use std::path::PathBuf;

/// What can be set of lucena as an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Who plays. Where it knows nothing, a search does.
    pub player: PlayerName,
    /// Whether endgames that this build has mined are played by what was mined.
    pub endgames: bool,
    /// The folder in which solved endgames are kept; without one they are solved anew.
    pub tables: Option<PathBuf>,
    /// MiB for the hash table of a search; nothing for what the player is made for.
    pub hash: Option<u32>,
    /// Whether games are opened by the book.
    pub own_book: bool,
    /// The book, Polyglot's.
    pub book_file: Option<PathBuf>,
}

/// An option that is not set.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// It does not take the value.
    #[error("{name} is not set to {value:?}: it takes {hint}")]
    Value {
        /// The option.
        name: String,
        /// What it was to be set to.
        value: String,
        /// What it can be set to.
        hint: String,
    },
    /// The player is none.
    #[error("Player is not set: {0}")]
    Player(#[from] ParsePlayerError),
}

/// The least and the most MiB of a hash table.
const HASH: (i64, i64) = (1, 4096);

impl Default for Settings {
    /// A search that goes on with what was mined in endgames.
    fn default() -> Self {
        Self {
            player: PlayerName::Search(searching()),
            endgames: true,
            tables: None,
            hash: None,
            own_book: false,
            book_file: None,
        }
    }
}

/// A search without limits of its own.
fn searching() -> SearchName {
    "".parse().expect("nothing is what a search needs to be told")
}

impl Settings {
    /// The player, with the hash table that was asked for.
    pub(super) fn player(&self) -> PlayerName {
        let mut player = self.player.clone();
        if let (PlayerName::Search(search), Some(table)) = (&mut player, self.hash) {
            search.params.table = table;
        }
        player
    }

    /// Who plays where the player knows nothing.
    pub(super) fn otherwise(&self) -> PlayerName {
        let mut search = searching();
        search.params.table = self.hash.unwrap_or(search.params.table);
        PlayerName::Search(search)
    }

    /// The options, as they stand.
    pub fn options(&self) -> Vec<UciOption> {
        let text = |path: &Option<PathBuf>| {
            let path = path.as_ref().map(|path| path.display().to_string());
            OptionKind::Text { default: path.unwrap_or_default() }
        };
        let hash = self.hash.unwrap_or(searching().params.table);
        let options = [
            ("Player", OptionKind::Text { default: self.player.to_string() }),
            ("Endgames", OptionKind::Check { default: self.endgames }),
            ("Tables", text(&self.tables)),
            ("Hash", OptionKind::Spin { default: hash.into(), min: HASH.0, max: HASH.1 }),
            // The search goes on one thread.
            ("Threads", OptionKind::Spin { default: 1, min: 1, max: 1 }),
            // That it is there says that pondering is understood; nothing depends on it.
            ("Ponder", OptionKind::Check { default: false }),
            ("OwnBook", OptionKind::Check { default: self.own_book }),
            ("BookFile", text(&self.book_file)),
        ];
        options.map(|(name, kind)| UciOption { name: name.into(), kind }).into()
    }

    /// Sets an option; one that there is not is passed over. Capitals and small letters are the same in its
    /// name.
    ///
    /// # Errors
    /// When it does not take the value: all is then as before.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let mut options = self.options().into_iter();
        let Some(option) = options.find(|option| option.name.eq_ignore_ascii_case(name)) else {
            return Ok(());
        };
        if !option.kind.takes(value) {
            let (name, value, hint) = (option.name, value.into(), option.kind.hint());
            return Err(SettingError::Value { name, value, hint });
        }
        let path = || (!matches!(value, "" | "<empty>")).then(|| PathBuf::from(value));
        match option.name.as_str() {
            "Player" => self.player = value.parse()?,
            "Endgames" => self.endgames = value == "true",
            "Tables" => self.tables = path(),
            "Hash" => self.hash = value.parse().ok(),
            "OwnBook" => self.own_book = value == "true",
            "BookFile" => self.book_file = path(),
            // The others can be set, and nothing follows.
            _ => {}
        }
        Ok(())
    }
}
