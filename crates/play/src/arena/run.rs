use super::play::play;
use super::record::{Event, Fixture, GameStart};
use super::{ArenaError, ArenaParams, ArenaResult, Entrant, GameDate, GameRecord, Openings};
use crate::Forfeit;
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::pgn::PgnReader;
use lucena_chess::{Color, Game};
use lucena_files::{ReadError, is_stream, write_file_with};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two saves.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// A round-robin tournament between entrants.
///
/// ```
/// use lucena_play::arena::{Arena, ArenaParams, Entrant, Openings, ArenaClock};
/// use lucena_chess::Game;
/// use lucena_play::{CentralKingPlayer, Player, RandomPlayer};
/// use lucena_base::progress::NoObserver;
/// use std::time::Duration;
///
/// let random = ("random", |seed| Box::new(RandomPlayer::new(seed)) as Box<dyn Player>);
/// let central = ("king-refugee", |seed| Box::new(CentralKingPlayer::new(seed)) as Box<dyn Player>);
/// let openings = Openings::random(Game::new(), 4)?;
/// let (timing, margin) = (ArenaClock::Free, Duration::ZERO);
/// let params = ArenaParams { games: 10, seed: 1, openings, timing, margin, most_moves: 300 };
/// let contest = Arena::new(vec![&random, &central], params)?.run(None, &NoObserver)?;
/// assert_eq!(contest.table().between(0, 1).games(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Arena<'e> {
    entrants: Vec<&'e dyn Entrant>,
    names: Vec<String>,
    params: ArenaParams,
    schedule: Schedule,
    /// The digest of the settings, stored in every game.
    settings: String,
    date: GameDate,
}

/// The progress of the games.
struct RunState {
    /// Finished games by their number.
    records: Vec<Option<GameRecord>>,
    done: u64,
    saved: Instant,
}

impl<'e> Arena<'e> {
    /// An arena for the given entrants.
    ///
    /// # Errors
    /// If there are too few entrants, two have the same name, or the parameters are invalid.
    pub fn new(entrants: Vec<&'e dyn Entrant>, params: ArenaParams) -> Result<Self, ArenaError> {
        params.check(&entrants)?;
        let names = entrants.iter().map(|entrant| entrant.name()).collect();
        let ArenaParams { games, seed, .. } = params;
        let schedule = Schedule { entrants: entrants.len(), games, seed };
        let settings = params.digest(&entrants);
        Ok(Self { entrants, names, params, schedule, settings, date: GameDate::Unknown })
    }

    /// Returns the arena with a date for its games. A file with games of other days is resumed all the same.
    #[must_use]
    pub fn with_date(self, date: GameDate) -> Self {
        Self { date, ..self }
    }

    /// The openings of the games.
    pub fn openings(&self) -> &Openings {
        &self.params.openings
    }

    /// The tags that all games share.
    fn event(&self) -> Event<'_> {
        Event { names: &self.names, timing: self.params.timing, settings: &self.settings }
    }

    /// Plays all games. With a file, games found in it are not played again, and all finished games
    /// are written to it every few seconds and at the end. The observer receives the number of
    /// finished games; if it stops the work, unfinished games are dropped and the finished ones are
    /// returned.
    ///
    /// # Errors
    /// If the file cannot be used or belongs to another arena, or an entrant cannot provide a
    /// player or can no longer read its tables. Games finished before that are in the file.
    pub fn run(
        &self,
        file: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<ArenaResult, ArenaError> {
        let asked = self.schedule.games();
        let records = match file {
            Some(path) => self.read(path)?,
            None => vec![None; asked as usize],
        };
        let to_play: Vec<u64> =
            (0..).zip(&records).filter(|(_, record)| record.is_none()).map(|(at, _)| at).collect();
        let resumed = asked - to_play.len() as u64;
        // Fail before any game is played if the file cannot be written.
        save(file, &records)?;
        observer.report(Progress { what: "games", done: resumed, total: Some(asked) });
        let state = Mutex::new(RunState { records, done: resumed, saved: Instant::now() });
        let played = to_play.into_par_iter().try_for_each(|number| {
            let record = self.play(number, observer)?;
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.records[number as usize] = Some(record);
            state.done += 1;
            observer.report(Progress { what: "games", done: state.done, total: Some(asked) });
            if state.saved.elapsed() >= SAVED_EVERY {
                save(file, &state.records)?;
                state.saved = Instant::now();
            }
            Ok(())
        });
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        save(file, &state.records)?;
        match played {
            Ok(()) | Err(ArenaError::Stopped(Stopped::Request)) => {}
            Err(error) => return Err(error),
        }
        let records = state.records.into_iter().flatten().collect();
        Ok(ArenaResult { names: self.names.clone(), asked, resumed, records })
    }

    /// Plays the game with the given number.
    fn play(&self, number: u64, observer: &dyn Observer) -> Result<GameRecord, ArenaError> {
        observer.check()?;
        let fixture = self.schedule.fixture(number);
        let opening = self.opening(fixture);
        let mut rng = self.schedule.rng_of_game(number);
        let white = self.entrants[fixture.white].seat(rng.r#gen())?;
        let black = self.entrants[fixture.black].seat(rng.r#gen())?;
        let (start, date) = (GameStart::new(&opening), self.date.tag());
        let played = play([white, black], opening, &self.params, observer)?;
        self.entrants[fixture.white].check_readable()?;
        self.entrants[fixture.black].check_readable()?;
        if let Some((color, forfeit)) = &played.fault
            && *forfeit != Forfeit::NoMove
        {
            let loser = if *color == Color::White { fixture.white } else { fixture.black };
            observer.warn(&format!("game {}: {}: {forfeit}", number + 1, self.names[loser]));
        }
        Ok(GameRecord::new(fixture, start, number, self.event(), &date, played))
    }

    /// The opening of a fixture.
    fn opening(&self, fixture: Fixture) -> Game {
        let mut rng = self.schedule.rng_of_opening(fixture.opening);
        self.params.openings.opening(fixture.opening, &mut rng)
    }

    /// The games in a file, by number.
    fn read(&self, path: &Path) -> Result<Vec<Option<GameRecord>>, ArenaError> {
        let games = self.schedule.games();
        let mut records = vec![None; games as usize];
        if is_stream(path) {
            return Err(ArenaError::NoFile(path.into()));
        }
        let unread = |source| ReadError { path: path.into(), source };
        let file = match File::open(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(records),
            file => file.map_err(unread)?,
        };
        if file.metadata().map_err(unread)?.is_dir() {
            return Err(unread(ErrorKind::IsADirectory.into()).into());
        }
        let mut reader = PgnReader::new(BufReader::new(file));
        for (at, game) in (1..).zip(reader.by_ref()) {
            let game = game.map_err(|source| ArenaError::Damaged { path: path.into(), source })?;
            let foreign = || ArenaError::OtherGames { path: path.into(), game: at };
            let number = GameRecord::number(&game).ok_or_else(foreign)?;
            let fixture = self.schedule.fixture(number);
            let start = GameStart::new(&self.opening(fixture));
            let record = GameRecord::read(fixture, start, number, self.event(), &game);
            let record = record.ok_or_else(foreign)?;
            let too_many = || ArenaError::TooMany { path: path.into(), games };
            let place = records.get_mut(number as usize).ok_or_else(too_many)?;
            // An arena never writes two games with one number.
            if place.replace(record).is_some() {
                return Err(foreign());
            }
        }
        // An arena writes PGN as the standard says: whatever is peculiar was changed, or cut off.
        match reader.log().warnings().next() {
            Some(warning) => {
                Err(ArenaError::Peculiar { path: path.into(), warning: warning.clone() })
            }
            None => Ok(records),
        }
    }
}

/// Writes the finished games, ordered by number.
fn save(file: Option<&Path>, records: &[Option<GameRecord>]) -> Result<(), ArenaError> {
    let Some(path) = file else { return Ok(()) };
    write_file_with(path, |out| {
        records.iter().flatten().try_for_each(|record| out.write_all(record.pgn.as_bytes()))
    })?;
    Ok(())
}

/// The schedule of games: from each opening every pair plays one game with each colour, then comes
/// the next opening. A longer schedule begins with the games of a shorter one.
#[derive(Debug, Clone, Copy)]
struct Schedule {
    entrants: usize,
    /// The number of games for each pair.
    games: u64,
    seed: u64,
}

impl Schedule {
    /// All pairs of entrants, each once.
    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.entrants).flat_map(move |one| (one + 1..self.entrants).map(move |two| (one, two)))
    }

    /// The number of games.
    fn games(self) -> u64 {
        self.pairs().count() as u64 * self.games
    }

    /// The game with the given number, from 0.
    fn fixture(self, number: u64) -> Fixture {
        let round = 2 * self.pairs().count() as u64;
        let within = number % round;
        let pair = self.pairs().nth((within / 2) as usize);
        let (one, two) = pair.expect("there are as many pairs as were counted");
        let (white, black) = if within.is_multiple_of(2) { (one, two) } else { (two, one) };
        Fixture { opening: number / round, white, black }
    }

    /// The random number generator of an opening.
    fn rng_of_opening(self, number: u64) -> ChaCha8Rng {
        self.stream(2 * number)
    }

    /// The random number generator of a game.
    fn rng_of_game(self, number: u64) -> ChaCha8Rng {
        self.stream(2 * number + 1)
    }

    /// One of many independent generators.
    fn stream(self, number: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        rng
    }
}
