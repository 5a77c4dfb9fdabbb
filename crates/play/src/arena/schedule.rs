use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The schedule of games: from each opening every pair plays one game with each colour, then comes
/// the next opening. A longer schedule begins with the games of a shorter one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    entrants: usize,
    /// The number of games for each pair.
    games: u64,
    seed: u64,
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

impl Schedule {
    pub(super) fn new(entrants: usize, games: u64, seed: u64) -> Self {
        Self { entrants, games, seed }
    }

    /// All pairs of entrants, each once.
    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.entrants).flat_map(move |one| (one + 1..self.entrants).map(move |two| (one, two)))
    }

    /// The number of games.
    pub(super) fn games(self) -> u64 {
        self.pairs().count() as u64 * self.games
    }

    /// The game with the given number, from 0.
    pub(super) fn fixture(self, number: u64) -> Fixture {
        let round = 2 * self.pairs().count() as u64;
        let within = number % round;
        let pair = self.pairs().nth((within / 2) as usize);
        let (one, two) = pair.expect("there are as many pairs as were counted");
        let (white, black) = if within.is_multiple_of(2) { (one, two) } else { (two, one) };
        Fixture { opening: number / round, white, black }
    }

    /// The random number generator of an opening.
    pub(super) fn rng_of_opening(self, number: u64) -> ChaCha8Rng {
        self.stream(2 * number)
    }

    /// The random number generator of a game.
    pub(super) fn rng_of_game(self, number: u64) -> ChaCha8Rng {
        self.stream(2 * number + 1)
    }

    /// One of many independent generators.
    fn stream(self, number: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        rng
    }
}
