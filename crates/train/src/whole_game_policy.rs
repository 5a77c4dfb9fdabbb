use super::full_game::LearnedPlayer;
use super::td_player::TdPlayer;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position};
use lucena_play::Player;
use lucena_proof::policy::Policy;
use lucena_tablebase::Tablebase;

/// A player of full games whose move depends on the position alone.
pub(super) trait PositionPlayer: Player + Sync {
    /// The chosen move; `None` if there is no legal move.
    fn choose_in(&self, position: &Position) -> Option<Move>;
}

impl PositionPlayer for TdPlayer {
    fn choose_in(&self, position: &Position) -> Option<Move> {
        self.choose(&position.board())
    }
}

impl PositionPlayer for LearnedPlayer {
    fn choose_in(&self, position: &Position) -> Option<Move> {
        self.choose(&(*position).into())
    }
}

/// Plays an endgame as a player of full games does. It is proved on the full board: what the player
/// has learned of one side of the board need not hold on the other.
pub(super) struct WholeGamePolicy<P> {
    material: Material,
    player: P,
}

impl<P: PositionPlayer> WholeGamePolicy<P> {
    /// The policy for the endgame of a table.
    pub(super) fn new(tablebase: &Tablebase, player: P) -> Self {
        Self { material: tablebase.material(), player }
    }
}

impl<P: PositionPlayer> Policy for WholeGamePolicy<P> {
    fn name(&self) -> String {
        self.player.name()
    }

    fn material(&self) -> Material {
        self.material
    }

    fn symmetries(&self) -> Group {
        Group::Identity
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        (position.material() == self.material).then(|| self.player.choose_in(position)).flatten()
    }
}
