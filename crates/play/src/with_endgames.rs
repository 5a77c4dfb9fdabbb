use super::{Choice, Forfeit, Grounds, MoveRequest, Player};
use crate::book::SharedBook;
use lucena_base::progress::{Deadline, NoObserver, Observer, ShortTimes, Stopped};
use lucena_chess::{Clock, Game, Material, Move, Position, Side};
use lucena_proof::policy::Policy;
use lucena_search::SearchRequest;
use lucena_tablebase::{Category, ProbeTables, Standing};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::time::Instant;

/// Another player with policies for some endgames. If the game has reached one of them and this player has
/// the strong side, its policy chooses; otherwise the other player does.
pub struct WithEndgames<'a> {
    inner: Box<dyn Player + 'a>,
    policies: Vec<&'a dyn Policy>,
    /// The tables that say where policies choose; `None` if they choose everywhere.
    tables: Option<&'a ProbeTables<'a>>,
    /// The times for a move of this game that were too short to prepare a policy.
    too_short: ShortTimes<Material>,
}

impl<'a> WithEndgames<'a> {
    /// Creates a player from another player and policies. If two policies are for the same endgame, the first
    /// is used.
    pub fn new(inner: Box<dyn Player + 'a>, policies: Vec<&'a dyn Policy>) -> Self {
        Self { inner, policies, tables: None, too_short: ShortTimes::default() }
    }

    /// Lets the policies choose only where tables, if they have the position, say that it is won.
    #[must_use]
    pub fn where_won(self, tables: &'a ProbeTables<'a>) -> Self {
        Self { tables: Some(tables), ..self }
    }

    /// Returns the policy that plays the position of a game, if any, and that position.
    fn knows(&self, game: &Game, deadline: &Deadline<'_>) -> Option<(&'a dyn Policy, Position)> {
        let position = game.position().ok().filter(|position| position.turn() == Side::Strong)?;
        let material = position.material();
        let policy = self.policies.iter().find(|policy| policy.material() == material)?;
        let is_won = |tables: &ProbeTables<'_>| {
            let known = Standing::new(game, &tables.decisive_lookup(deadline));
            known.is_ok_and(|known| known.category.is_won() || known.category == Category::Unknown)
        };
        self.tables.is_none_or(is_won).then_some((*policy, position))
    }
}

impl Player for WithEndgames<'_> {
    fn name(&self) -> String {
        format!("{} with endgames", self.inner.name())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let known = self
            .knows(game, &Deadline::new(&NoObserver, None))
            .and_then(|(policy, position)| policy.choose(&position));
        known.or_else(|| self.inner.play(game, clock))
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let deadline = request.deadline_for_tables();
        if let Some((mut policy, position)) = self.knows(game, &deadline)
            && self.too_short.allow(&position.material(), &deadline)
        {
            let begun = Instant::now();
            let search = SearchRequest { observer: &deadline, ..request.search };
            match policy.choose_for(game, &MoveRequest { search, ..*request }) {
                Err(Forfeit::NoMove) => {}
                // It has much to prepare, and the clock runs.
                Err(Forfeit::Stopped(Stopped::Request))
                    if !request.search.observer.is_stopped() =>
                {
                    self.too_short.add(position.material(), begun.elapsed());
                }
                chosen => return chosen,
            }
        }
        self.inner.choose_for(game, request)
    }

    /// Of several policies, only that of the endgame on the board is prepared: some work for many seconds. Another is
    /// prepared when it chooses for the first time.
    fn begin_game(&mut self, start: &Game, observer: &dyn Observer) -> Result<(), Forfeit> {
        self.too_short.clear();
        // The other player first: if a policy is stopped, nobody tells it of the game again.
        self.inner.begin_game(start, observer)?;
        let policy = match &*self.policies {
            [only] => Some(only),
            policies => {
                let material = start.position().ok().map(|position| position.material());
                policies.iter().find(|policy| Some(policy.material()) == material)
            }
        };
        Ok(policy.map_or(Ok(()), |policy| policy.prepare(observer))?)
    }
}

/// Another player with an opening book. If the book has moves, one of them is drawn by weight; otherwise the
/// other player chooses.
pub struct WithBook<'a> {
    inner: Box<dyn Player + 'a>,
    book: &'a SharedBook,
    rng: ChaCha8Rng,
}

impl<'a> WithBook<'a> {
    /// Creates a player from another player, a book and a random seed.
    pub fn new(inner: Box<dyn Player + 'a>, book: &'a SharedBook, seed: u64) -> Self {
        Self { inner, book, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// Returns the move of the book in a game.
    fn known(&mut self, game: &Game, observer: &dyn Observer) -> Option<Move> {
        self.book.draw(game, &mut self.rng, observer)
    }
}

impl Player for WithBook<'_> {
    fn name(&self) -> String {
        format!("{} with a book", self.inner.name())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        self.known(game, &NoObserver).or_else(|| self.inner.play(game, clock))
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        let observer = request.search.observer;
        match self.known(game, observer).filter(|&mv| request.allows(mv)) {
            Some(mv) => Ok(Choice { mv, grounds: Grounds::Book }),
            None => self.inner.choose_for(game, request),
        }
    }

    fn begin_game(&mut self, start: &Game, observer: &dyn Observer) -> Result<(), Forfeit> {
        self.inner.begin_game(start, observer)
    }
}
