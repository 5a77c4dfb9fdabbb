use super::fitness::Fitness;
use super::subject::EvolvedWeights;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Color, Game, Status};
use lucena_play::arena::Tally;
use lucena_play::{Player, SearchPlayer, random_move};
use lucena_search::SearchParams;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The parameters of a duel between two genomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuelParams {
    /// The search depth of both players in plies, from 1 to [`lucena_search::MAX_DEPTH`].
    pub depth: u8,
    /// The number of wins that decides a duel.
    pub wins: u32,
    /// The most games in a duel. After them, the genome with more wins has won; if the wins are
    /// equal, the older genome has.
    pub most_games: u32,
    /// The number of random plies at the start of a game.
    pub opening: u16,
    /// The number of plies after which a game is drawn.
    pub most_plies: u16,
}

impl Default for DuelParams {
    fn default() -> Self {
        Self { depth: 2, wins: 4, most_games: 24, opening: 8, most_plies: 200 }
    }
}

/// Games between players that search to a fixed depth, each with the evaluation of a genome. Each
/// random opening is played twice, with colours exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duels {
    /// The kind of genome.
    pub subject: EvolvedWeights,
    /// The parameters of each duel.
    pub params: DuelParams,
}

impl Duels {
    fn player(&self, genome: &[i32]) -> SearchPlayer {
        // A search this shallow cannot fill a larger table, which would only cost time to clear.
        let params = SearchParams { table: 1, ..SearchParams::depth(self.params.depth) };
        SearchPlayer::new(params, self.subject.evaluation(genome))
    }

    /// The winner of a game; `None` for a draw.
    fn play(&self, start: &Game, players: &mut [&mut SearchPlayer; 2]) -> Option<Color> {
        let mut game = start.clone();
        for _ in 0..self.params.most_plies {
            if game.status().is_over() {
                break;
            }
            let mv = players[game.turn() as usize].play(&game, None)?;
            game.play(mv).expect("a search plays legal moves");
        }
        match game.status() {
            Status::Checkmate { .. } => Some(!game.turn()),
            _ => None,
        }
    }
}

impl DuelRunner for Duels {
    fn duel(
        &self,
        older: &[i32],
        younger: &[i32],
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Tally, Stopped> {
        let DuelParams { wins, most_games, opening, .. } = self.params;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (wins, most_games) = (u64::from(wins), u64::from(most_games));
        let mut tally = Tally::default();
        let mut start = Game::new();
        let goes_on = |tally: Tally| tally.won.max(tally.lost) < wins && tally.games() < most_games;
        while goes_on(tally) {
            observer.check()?;
            let is_older_white = tally.games() % 2 == 0;
            if is_older_white {
                start = random_opening(opening, &mut rng);
            }
            // Create new players, so that nothing is remembered from the previous game.
            let (mut old, mut young) = (self.player(older), self.player(younger));
            let mut players =
                if is_older_white { [&mut old, &mut young] } else { [&mut young, &mut old] };
            match self.play(&start, &mut players) {
                None => tally.drawn += 1,
                Some(color) if (color == Color::White) == is_older_white => tally.lost += 1,
                Some(_) => tally.won += 1,
            }
        }
        Ok(tally)
    }
}

/// The start position after random moves; stops before a move that would end the game.
fn random_opening(plies: u16, rng: &mut ChaCha8Rng) -> Game {
    let mut game = Game::new();
    for _ in 0..plies {
        let mv = random_move(&game.moves(), rng).expect("the game is not over");
        game.play(mv).expect("it is a legal move");
        if game.status().is_over() {
            game.undo();
            break;
        }
    }
    game
}

/// The method of selecting the better of two genomes.
pub enum Selection<'a> {
    /// The genomes play each other.
    Duels(&'a dyn DuelRunner),
    /// Each genome has a fitness of its own.
    ByFitness(&'a dyn Fitness),
}

/// Plays duels between two genomes.
pub trait DuelRunner: Sync {
    /// Plays a duel, and counts its games for the younger genome. All random choices follow from the
    /// seed.
    ///
    /// # Errors
    /// If the work was stopped.
    fn duel(
        &self,
        older: &[i32],
        younger: &[i32],
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Tally, Stopped>;
}
