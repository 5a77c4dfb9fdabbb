use super::{Choice, Forfeit, Grounds, Player, Task};
use crate::book::Book;
use lucena_chess::{Clock, Game, Move};
use lucena_search::Onlooker;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Another player that opens by a book: where the book has moves, one of them is drawn by weight;
/// everywhere else the other player chooses. A position in which the book plays what is not legal is
/// one that it does not know.
///
/// ```
/// use lucena::book::{Book, BookEntry, polyglot_key};
/// use lucena::chess::Game;
/// use lucena::player::{Player, RandomPlayer, WithBook};
///
/// let game = Game::new();
/// let (key, mv) = (polyglot_key(game.board()), game.parse_move("e4")?);
/// let book = Book::new(vec![BookEntry { key, mv, weight: 1, learn: 0 }]);
/// let mut player = WithBook::new(Box::new(RandomPlayer::new(1)), &book, 1);
/// assert_eq!(player.play(&game, None), Some(mv));
/// # Ok::<(), lucena::chess::IllegalMove>(())
/// ```
pub struct WithBook<'a> {
    inner: Box<dyn Player + 'a>,
    book: &'a Book,
    rng: ChaCha8Rng,
}

impl<'a> WithBook<'a> {
    /// A player with a book and the seed of its lots.
    pub fn new(inner: Box<dyn Player + 'a>, book: &'a Book, seed: u64) -> Self {
        Self { inner, book, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// What the book plays in a game.
    fn known(&mut self, game: &Game) -> Option<Move> {
        self.book.choose(game, &mut self.rng).ok().flatten()
    }
}

impl Player for WithBook<'_> {
    fn name(&self) -> String {
        format!("{} with a book", self.inner.name())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.known(game).or_else(|| self.inner.play(game, clock))
    }

    fn choose_for(&mut self, game: &Game, task: &Task<'_>) -> Result<Choice, Forfeit> {
        match self.known(game).filter(|&mv| task.allows(mv)) {
            Some(mv) => Ok(Choice { mv, grounds: Grounds::Book }),
            None => self.inner.choose_for(game, task),
        }
    }

    fn begin_game(&mut self, onlooker: &dyn Onlooker) -> Result<(), Forfeit> {
        self.inner.begin_game(onlooker)
    }
}
