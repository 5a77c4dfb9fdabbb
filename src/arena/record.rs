use super::End;
use super::play::Played;
use super::schedule::Fixture;
use crate::chess::pgn::{GameResult, PgnGame, TagError, Tags};

/// A game that has been played, in the order of which they are numbered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The number of the entrant that played White.
    pub white: usize,
    /// And of the one that played Black.
    pub black: usize,
    /// What the game came to.
    pub result: GameResult,
    /// What ended it.
    pub end: End,
    /// Plies, those of the opening included.
    pub plies: usize,
    /// The game as PGN.
    pub pgn: String,
}

/// The tag with the digest of the settings.
const SETTINGS: &str = "Settings";
/// The tag with what ended the game.
const TERMINATION: &str = "Termination";

impl Record {
    /// The record of a game that has just been played.
    pub(super) fn new(
        fixture: Fixture,
        number: u64,
        names: &[String],
        settings: &str,
        played: Played,
    ) -> Self {
        let Played { game, result, end } = played;
        let pgn = PgnGame { tags: tags(fixture, number, names, settings, end), game, result };
        Self::of(fixture, end, &pgn)
    }

    fn of(Fixture { white, black, .. }: Fixture, end: End, game: &PgnGame) -> Self {
        let plies = game.game.history().len();
        Self { white, black, result: game.result, end, plies, pgn: game.to_string() }
    }

    /// The record of a game that stands in a file: nothing where it is not one of these settings.
    pub(super) fn read(
        fixture: Fixture,
        number: u64,
        names: &[String],
        settings: &str,
        game: &PgnGame,
    ) -> Option<Self> {
        let end = game.tags.get(TERMINATION)?.parse().ok()?;
        let is_same = game.tags == tags(fixture, number, names, settings, end);
        is_same.then(|| Self::of(fixture, end, game))
    }

    /// The number of a game that stands in a file, the first being 0.
    pub(super) fn number(game: &PgnGame) -> Option<u64> {
        game.tags.get("Round")?.parse::<u64>().ok()?.checked_sub(1)
    }
}

/// All that is told about a game.
fn tags(fixture: Fixture, number: u64, names: &[String], settings: &str, end: End) -> Tags {
    let round = (number + 1).to_string();
    let told: [(&str, &str); 6] = [
        ("Event", "lucena arena"),
        ("Round", &round),
        ("White", &names[fixture.white]),
        ("Black", &names[fixture.black]),
        (TERMINATION, crate::named::Named::name(end)),
        (SETTINGS, settings),
    ];
    let mut tags = Tags::default();
    let set =
        told.iter().try_for_each(|(name, text)| -> Result<(), TagError> { tags.set(name, text) });
    set.expect("names of players are one line each");
    tags
}
