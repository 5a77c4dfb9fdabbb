//! Who chooses the moves.
//!
//! A [`Policy`] is a pure function from a legal position to a move, so it can be proved. A
//! [`Player`] plays games on a whole board and may keep state, a seed or a clock; every policy is
//! also a player.
//!
//! | kind | chooses by | |
//! |---|---|---|
//! | [`GeneratedPolicy`] | the generated code of this build, and a table | policy |
//! | [`TreePolicy`] | a tree from a file, interpreted, and a table | policy |
//! | [`StrategyPolicy`] | ordered rules about moves, alone | policy |
//! | [`TablebasePlayer`] | looking up | policy |
//! | [`AnsweredPolicy`] | what somebody outside this library has answered | policy |
//! | [`SearchPolicy`] | searching to a fixed depth | policy |
//! | [`SearchPlayer`] | searching as far as the time goes | player |
//! | [`Defence`] | resisting: best, random or central | player |
//! | [`RandomPlayer`] | drawing lots among all legal moves | player |
//! | [`KingRefugee`] | drawing lots among those that leave its king nearest the centre | player |
//! | [`WithBook`] | another player, and a book for the opening | player |
//! | [`WithEndgames`] | another player, and policies for the endgames that they know | player |

mod answered;
mod asking;
mod built_in;
mod built_in_strategy;
mod centre;
mod choice;
mod defence;
mod effort;
mod endgames;
mod generated;
mod grade;
mod grades;
mod known_grades;
mod meaning;
mod memo;
mod opening;
mod random;
mod refugee;
mod rows;
mod search;
mod strategy;
mod tablebase;
mod task;
mod tree;
mod turning;

use crate::chess::{Clock, Game, Material, Move, MoveList, Position};
use crate::search::Onlooker;
use crate::symmetry::Group;

pub use answered::{AnsweredPolicy, Outsider};
pub use asking::AskError;
pub use built_in::BuiltIn;
pub use built_in_strategy::BuiltInStrategy;
pub use choice::{Choice, Forfeit, Grounds};
pub use defence::{Defence, Resistance};
pub use effort::Effort;
pub use endgames::WithEndgames;
pub use generated::{GeneratedKind, GeneratedPolicy, NoGeneratedTree};
pub use grade::{Grade, ParseGradeError};
pub use grades::{Asked, GradedMove, PlayedOn};
pub use meaning::ForeignTree;
pub use opening::WithBook;
pub use random::RandomPlayer;
pub use refugee::KingRefugee;
pub use search::{SearchPlayer, SearchPolicy, TimedSearch};
pub use strategy::{Decision, ForeignStrategy, StrategyPolicy, stays_when_turned};
pub(crate) use strategy::{as_it_lies, mover};
pub use tablebase::TablebasePlayer;
pub use task::{Pace, Task};
pub use tree::TreePolicy;
#[cfg(feature = "train")]
pub(crate) use turning::choose_canonically;

/// A pure function from a legal position to a move.
pub trait Policy: Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The endgame it plays.
    fn material(&self) -> Material;

    /// The symmetries under which its choice moves with the board. A policy that does not look at
    /// the canonical representative says [`Group::Identity`], and is proved on the full board.
    fn symmetries(&self) -> Group;

    /// The move it plays; nothing where there is none, or where it has no say.
    fn choose(&self, position: &Position) -> Option<Move>;

    /// All moves that it holds equal and may play: its choice alone, unless it says otherwise. A proof
    /// covers every one of them.
    fn choices(&self, position: &Position) -> MoveList {
        self.choose(position).into_iter().collect()
    }

    /// Works out beforehand what it would work out with its first choice.
    fn prepare(&self) {}

    /// The tree it plays by; nothing for a policy that has none.
    fn tree(&self) -> Option<PlayedTree> {
        None
    }

    /// The strategy it plays by; nothing for a policy that has none.
    fn strategy(&self) -> Option<PlayedStrategy> {
        None
    }

    /// What its choice in a position was made by; nothing for a policy that has no rules, or no say there.
    fn used_rule(&self, _position: &Position) -> Option<UsedRule> {
        None
    }

    /// What its choice in a position was made by, for whoever tells people.
    fn grounds(&self, position: &Position) -> Grounds {
        let name = self.name();
        match self.used_rule(position) {
            Some(used) => Grounds::Strategy { name, used },
            None => Grounds::Policy { name },
        }
    }

    /// What its choices have taken so far; nothing for a policy that does not count.
    fn effort(&self) -> Option<Effort> {
        None
    }
}

/// Which tree a policy plays by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedTree {
    /// The SHA-256 of the tree's JSON file, in hexadecimal.
    pub sha256: String,
    /// How many leaves the tree has.
    pub leaves: usize,
}

/// What a strategy's choice in one position was made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UsedRule {
    /// The number of the rule, from 0; nothing where none was used.
    pub rule: Option<usize>,
    /// How many moves it left tied, any of which may be played.
    pub tied: usize,
}

/// Which strategy a policy plays by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedStrategy {
    /// The SHA-256 of the strategy's JSON file, in hexadecimal.
    pub sha256: String,
    /// How many rules it has.
    pub rules: usize,
    /// How many conditions and keys.
    pub size: usize,
}

impl<P: Policy + ?Sized> Policy for &P {
    fn name(&self) -> String {
        (**self).name()
    }

    fn material(&self) -> Material {
        (**self).material()
    }

    fn symmetries(&self) -> Group {
        (**self).symmetries()
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        (**self).choose(position)
    }

    fn choices(&self, position: &Position) -> MoveList {
        (**self).choices(position)
    }

    fn prepare(&self) {
        (**self).prepare();
    }

    fn tree(&self) -> Option<PlayedTree> {
        (**self).tree()
    }

    fn strategy(&self) -> Option<PlayedStrategy> {
        (**self).strategy()
    }

    fn used_rule(&self, position: &Position) -> Option<UsedRule> {
        (**self).used_rule(position)
    }

    fn grounds(&self, position: &Position) -> Grounds {
        (**self).grounds(position)
    }

    fn effort(&self) -> Option<Effort> {
        (**self).effort()
    }
}

/// Plays whole games.
pub trait Player {
    /// A name for people.
    fn name(&self) -> String;

    /// The move it plays; nothing where there is none, or where it has no say. The clock is its own;
    /// without one it may take the time that it is made for.
    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move>;

    /// The same as it is asked for, and with what the move was chosen by. A player that has more to heed
    /// or to tell than [`Player::play`] does so here.
    ///
    /// # Errors
    /// When it has no move: none of those that are asked for, or none at all.
    fn choose_for(&mut self, game: &Game, task: &Task<'_>) -> Result<Choice, Forfeit> {
        let mv = self.play(game, task.pace.clock()).filter(|&mv| task.allows(mv));
        mv.map(|mv| Choice { mv, grounds: Grounds::Untold }).ok_or(Forfeit::NoMove)
    }

    /// Is told that the next position is of another game, and makes itself ready for it.
    ///
    /// # Errors
    /// When it cannot play.
    fn begin_game(&mut self, _onlooker: &dyn Onlooker) -> Result<(), Forfeit> {
        Ok(())
    }
}

impl<P: Policy> Player for P {
    fn name(&self) -> String {
        Policy::name(self)
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(&game.position().ok()?)
    }

    fn choose_for(&mut self, game: &Game, task: &Task<'_>) -> Result<Choice, Forfeit> {
        let position = game.position().map_err(|_| Forfeit::NoMove)?;
        let mv = self.choose(&position).filter(|&mv| task.allows(mv)).ok_or(Forfeit::NoMove)?;
        Ok(Choice { mv, grounds: self.grounds(&position) })
    }
}
