use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Which games are played: from each opening every pair plays one with each colour, then comes the next
/// opening. The more games are asked for, the more follow; none before them is another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Schedule {
    entrants: usize,
    /// Of each pair.
    games: u64,
    seed: u64,
}

/// One game of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fixture {
    /// From 0.
    pub(super) opening: u64,
    /// The number of the entrant that plays White.
    pub(super) white: usize,
    /// And of the one that plays Black.
    pub(super) black: usize,
}

impl Schedule {
    pub(super) fn new(entrants: usize, games: u64, seed: u64) -> Self {
        Self { entrants, games, seed }
    }

    /// Who plays whom, each pair once.
    fn pairs(self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.entrants).flat_map(move |one| (one + 1..self.entrants).map(move |two| (one, two)))
    }

    /// How many games there are.
    pub(super) fn games(self) -> u64 {
        self.pairs().count() as u64 * self.games
    }

    /// The game with a number, the first being 0.
    pub(super) fn fixture(self, number: u64) -> Fixture {
        let round = 2 * self.pairs().count() as u64;
        let within = number % round;
        let pair = self.pairs().nth((within / 2) as usize);
        let (one, two) = pair.expect("there are as many pairs as were counted");
        let (white, black) = if within.is_multiple_of(2) { (one, two) } else { (two, one) };
        Fixture { opening: number / round, white, black }
    }

    /// The generator of an opening.
    pub(super) fn rng_of_opening(self, number: u64) -> ChaCha8Rng {
        self.stream(2 * number)
    }

    /// The generator of a game.
    pub(super) fn rng_of_game(self, number: u64) -> ChaCha8Rng {
        self.stream(2 * number + 1)
    }

    /// One of many generators that have nothing to do with one another.
    fn stream(self, number: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        rng
    }
}
