use super::End;
use super::play::Played;
use super::schedule::Fixture;
use lucena_chess::pgn::{GameResult, PgnGame, TagError, Tags};
use lucena_chess::{Game, Position};

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The index of the entrant that played White.
    pub white: usize,
    /// The index of the entrant that played Black.
    pub black: usize,
    /// The result of the game.
    pub result: GameResult,
    /// The way in which it ended.
    pub end: End,
    /// The number of plies, including the opening.
    pub plies: usize,
    /// The position after the opening.
    pub start: Start,
    /// The game as PGN.
    pub pgn: String,
}

/// The start of a game for its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The position; `None` if it has too many men for an endgame.
    pub endgame: Option<Position>,
    /// The number of plies of the opening.
    pub plies: usize,
}

impl Start {
    pub(super) fn of(opening: &Game) -> Self {
        Self { endgame: opening.position().ok(), plies: opening.history().len() }
    }
}

/// The tag with the digest of the settings.
const SETTINGS: &str = "Settings";
/// The PGN tag with the end of the game in PGN's own words. [`ENDING`] holds our more precise name.
const TERMINATION: &str = "Termination";
const ENDING: &str = "Ending";

impl Record {
    /// The record of a game that has just been played.
    pub(super) fn new(
        fixture: Fixture,
        start: Start,
        number: u64,
        names: &[String],
        settings: &str,
        played: Played,
    ) -> Self {
        let Played { game, result, end, .. } = played;
        let pgn = PgnGame::new(tags(fixture, number, names, settings, end), game, result);
        Self::of(fixture, start, end, &pgn)
    }

    fn of(fixture: Fixture, start: Start, end: End, game: &PgnGame) -> Self {
        let Fixture { white, black, .. } = fixture;
        let plies = game.game.history().len();
        Self { white, black, result: game.result, end, plies, start, pgn: game.to_string() }
    }

    /// The record of a game in a file; `None` if it was not played with these settings.
    pub(super) fn read(
        fixture: Fixture,
        start: Start,
        number: u64,
        names: &[String],
        settings: &str,
        game: &PgnGame,
    ) -> Option<Self> {
        let end = game.tags.get(ENDING)?.parse().ok()?;
        let is_same = game.tags == tags(fixture, number, names, settings, end);
        is_same.then(|| Self::of(fixture, start, end, game))
    }

    /// The number of a game in a file, from 0.
    pub(super) fn number(game: &PgnGame) -> Option<u64> {
        game.tags.get("Round")?.parse::<u64>().ok()?.checked_sub(1)
    }
}

/// The PGN tags of a game.
fn tags(fixture: Fixture, number: u64, names: &[String], settings: &str, end: End) -> Tags {
    let round = (number + 1).to_string();
    let told: [(&str, &str); 7] = [
        ("Event", "lucena match"),
        ("Round", &round),
        ("White", &names[fixture.white]),
        ("Black", &names[fixture.black]),
        (TERMINATION, end.termination()),
        (ENDING, lucena_base::named::Named::name(end)),
        (SETTINGS, settings),
    ];
    let mut tags = Tags::default();
    let set =
        told.iter().try_for_each(|(name, text)| -> Result<(), TagError> { tags.set(name, text) });
    set.expect("names of players are one line each");
    tags
}
