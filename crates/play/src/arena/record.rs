use super::ArenaClock;
use crate::Forfeit;
use lucena_base::named::named;
use lucena_chess::pgn::{GameResult, PgnGame, Tags};
use lucena_chess::{Color, Game, Position, Status};

/// A game that has just been played.
pub(super) struct FinishedGame {
    pub(super) game: Game,
    pub(super) result: GameResult,
    pub(super) end: GameEnd,
    /// The player that forfeited, if any, and why.
    pub(super) fault: Option<(Color, Forfeit)>,
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fixture {
    /// The number of the opening, from 0.
    pub(super) opening: u64,
    /// The index of the entrant that plays White.
    pub(super) white: usize,
    /// The index of the entrant that plays Black.
    pub(super) black: usize,
}

/// A finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// The index of the entrant that played White.
    pub white: usize,
    /// The index of the entrant that played Black.
    pub black: usize,
    /// The result of the game.
    pub result: GameResult,
    /// The way in which it ended.
    pub end: GameEnd,
    /// The number of plies, including the opening.
    pub plies: usize,
    /// The position after the opening.
    pub start: GameStart,
    /// The game as PGN.
    pub pgn: String,
}

/// The start of a game for its players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameStart {
    /// The position; `None` if it has too many men for an endgame.
    pub endgame: Option<Position>,
    /// The number of plies of the opening.
    pub plies: usize,
}

impl GameStart {
    pub(super) fn new(opening: &Game) -> Self {
        Self { endgame: opening.position().ok(), plies: opening.history().len() }
    }
}

/// What the PGN tags of all games of an arena say.
#[derive(Clone, Copy)]
pub(super) struct Event<'a> {
    /// The names of the entrants.
    pub(super) names: &'a [String],
    pub(super) timing: ArenaClock,
    /// The digest of the settings.
    pub(super) settings: &'a str,
}

/// The tag with the digest of the settings.
const SETTINGS: &str = "Settings";
const DATE: &str = "Date";
/// The tag with a fixed time for each move, in seconds, which PGN's own tag `TimeControl` cannot say.
const MOVE_TIME: &str = "MoveTime";
/// The PGN tag with the end of the game in PGN's own words. [`ENDING`] holds our more precise name.
const TERMINATION: &str = "Termination";
const ENDING: &str = "Ending";

impl GameRecord {
    /// The record of a game that has just been played; `date` is its tag.
    pub(super) fn new(
        fixture: Fixture,
        start: GameStart,
        number: u64,
        event: Event<'_>,
        date: &str,
        played: FinishedGame,
    ) -> Self {
        let FinishedGame { game, result, end, .. } = played;
        let pgn = PgnGame::new(event.tags(fixture, number, date, end), game, result);
        Self::from_pgn(fixture, start, end, &pgn)
    }

    fn from_pgn(fixture: Fixture, start: GameStart, end: GameEnd, game: &PgnGame) -> Self {
        let Fixture { white, black, .. } = fixture;
        let plies = game.game.history().len();
        Self { white, black, result: game.result, end, plies, start, pgn: game.to_string() }
    }

    /// The record of a game in a file; `None` if it was not played with these settings, on any day.
    pub(super) fn read(
        fixture: Fixture,
        start: GameStart,
        number: u64,
        event: Event<'_>,
        game: &PgnGame,
    ) -> Option<Self> {
        let end = game.tags.get(ENDING)?.parse().ok()?;
        let is_same = game.tags == event.tags(fixture, number, game.tags.get(DATE)?, end);
        is_same.then(|| Self::from_pgn(fixture, start, end, game))
    }

    /// The number of a game in a file, from 0.
    pub(super) fn number(game: &PgnGame) -> Option<u64> {
        game.tags.get("Round")?.parse::<u64>().ok()?.checked_sub(1)
    }
}

impl Event<'_> {
    /// The PGN tags of a game.
    fn tags(self, fixture: Fixture, number: u64, date: &str, end: GameEnd) -> Tags {
        let Self { names, timing, settings } = self;
        let mut tags = Tags::default();
        let mut set = |name, text: &str| {
            tags.set(name, text).expect("names of players are one line each");
        };
        set("Event", "lucena match");
        set(DATE, date);
        set("Round", &(number + 1).to_string());
        set("White", &names[fixture.white]);
        set("Black", &names[fixture.black]);
        set("TimeControl", &timing.tag());
        if let Some(seconds) = timing.seconds_for_move() {
            set(MOVE_TIME, &seconds.to_string());
        }
        set(TERMINATION, end.termination());
        set(ENDING, lucena_base::named::Named::name(end));
        set(SETTINGS, settings);
        tags
    }
}

named! {
    /// The way in which a game ended.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum GameEnd {
        /// Checkmate.
        Checkmate = "checkmate",
        /// Stalemate.
        Stalemate = "stalemate",
        /// Insufficient material to mate.
        InsufficientMaterial = "insufficient material",
        /// Fifty moves without a capture or a pawn move.
        FiftyMoves = "fifty moves",
        /// Threefold repetition.
        ThreefoldRepetition = "threefold repetition",
        /// The limit on the number of moves; the game is a draw.
        MoveLimit = "move limit",
        /// A player returned no move although there was one, and has lost.
        NoMove = "no move",
        /// A player returned an illegal move, and has lost.
        IllegalMove = "illegal move",
        /// A player's time ran out, and it has lost.
        OutOfTime = "out of time",
        /// A player did not answer for so long that it was killed, and has lost.
        Stalled = "stalled",
        /// A player's program ended during the game, and it has lost.
        Crashed = "crashed",
    }
}

impl GameEnd {
    /// The value of PGN's Termination tag for this end.
    pub fn termination(self) -> &'static str {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::FiftyMoves
            | Self::ThreefoldRepetition => "normal",
            Self::MoveLimit => "adjudication",
            Self::NoMove | Self::IllegalMove => "rules infraction",
            Self::OutOfTime => "time forfeit",
            Self::Stalled | Self::Crashed => "abandoned",
        }
    }

    /// The end of a game that a player has forfeited.
    pub(super) fn by_forfeit(forfeit: &Forfeit) -> Self {
        match forfeit {
            Forfeit::NoMove | Forfeit::Stopped(_) => Self::NoMove,
            Forfeit::Illegal(_) => Self::IllegalMove,
            Forfeit::Stalled(_) | Forfeit::NotReading => Self::Stalled,
            Forfeit::Crashed(_) => Self::Crashed,
        }
    }

    /// Returns true if a player has lost by a fault of its own other than on time.
    ///
    /// ```
    /// use lucena_play::arena::GameEnd;
    ///
    /// assert!(GameEnd::Crashed.is_fault() && !GameEnd::Checkmate.is_fault());
    /// ```
    pub fn is_fault(self) -> bool {
        matches!(self, Self::NoMove | Self::IllegalMove | Self::Stalled | Self::Crashed)
    }

    /// The end of a game by the rules; `None` if it is in progress.
    pub fn by_rules(status: Status) -> Option<Self> {
        match status {
            Status::InProgress => None,
            Status::Checkmate { .. } => Some(Self::Checkmate),
            Status::Stalemate => Some(Self::Stalemate),
            Status::InsufficientMaterial => Some(Self::InsufficientMaterial),
            Status::FiftyMoves => Some(Self::FiftyMoves),
            Status::ThreefoldRepetition => Some(Self::ThreefoldRepetition),
        }
    }
}
