use super::{Choice, Forfeit, Player, Task};
use lucena_chess::{Clock, Game, Move, Position, Side};
use lucena_proof::policy::Policy;
use lucena_search::Onlooker;

/// Another player that knows some endgames: where the game has come to one of them and this player has
/// the strong side, the policy for it chooses; everywhere else the other player does.
///
/// ```
/// use lucena::chess::Game;
/// use lucena::player::{Player, RandomPlayer, WithEndgames};
/// use lucena::policy::{GeneratedPolicy, Policy};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let exact = GeneratedPolicy::exact(&tablebase)?;
/// let mut player = WithEndgames::new(Box::new(RandomPlayer::new(1)), vec![&exact]);
/// let game: Game = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1".parse()?;
/// assert_eq!(player.play(&game, None).unwrap().to_string(), "h8h1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WithEndgames<'a> {
    inner: Box<dyn Player + 'a>,
    policies: Vec<&'a dyn Policy>,
}

impl<'a> WithEndgames<'a> {
    /// A player with policies: of two for one endgame, the first is asked.
    pub fn new(inner: Box<dyn Player + 'a>, policies: Vec<&'a dyn Policy>) -> Self {
        Self { inner, policies }
    }

    /// The policy that has a say in a game, if one has, and the position that it is asked about.
    fn knows(&self, game: &Game) -> Option<(&'a dyn Policy, Position)> {
        let position = game.position().ok().filter(|position| position.turn() == Side::Strong)?;
        let material = position.material();
        let policy = self.policies.iter().find(|policy| policy.material() == material)?;
        Some((*policy, position))
    }
}

impl Player for WithEndgames<'_> {
    fn name(&self) -> String {
        format!("{} with endgames", self.inner.name())
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let known = self.knows(game).and_then(|(policy, position)| policy.choose(&position));
        known.or_else(|| self.inner.play(game, clock))
    }

    fn choose_for(&mut self, game: &Game, task: &Task<'_>) -> Result<Choice, Forfeit> {
        let known = self.knows(game).and_then(|(policy, position)| {
            let mv = policy.choose(&position).filter(|&mv| task.allows(mv))?;
            Some(Choice { mv, grounds: policy.grounds(&position).into() })
        });
        known.map_or_else(|| self.inner.choose_for(game, task), Ok)
    }

    fn begin_game(&mut self, onlooker: &dyn Onlooker) -> Result<(), Forfeit> {
        self.policies.iter().for_each(|policy| policy.prepare());
        self.inner.begin_game(onlooker)
    }
}
