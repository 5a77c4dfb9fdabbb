use super::encoding::BoardEncoding;
use super::network::{HiddenSums, Network};
use super::score::GameScore;
use lucena_base::named::named;
use lucena_chess::{Board, Clock, Color, FIFTY_MOVE_PLIES, Game, Move, Status};
use lucena_play::Player;

/// The rule by which a network chooses its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookAhead {
    /// The move after which the prediction is highest.
    OnePly,
    /// The move after which the lowest prediction after a reply is highest. Where there is no
    /// reply, the prediction after the move counts.
    TwoPlies,
    /// Like [`Self::TwoPlies`], but a move without a reply counts as infinitely good: the network
    /// mates where it can, but stalemates just as gladly.
    TwoPliesOpen,
}

named!(LookAhead { "one": OnePly, "two": TwoPlies, "two-open": TwoPliesOpen });

/// The published player: plays chess by a network that sees the placement of the men. It was made
/// for White; as Black it sees the board flipped, with the colours exchanged.
///
/// Among equal moves it plays the first in the order of [`Game::moves`].
#[derive(Debug, Clone, PartialEq)]
pub struct TdPlayer {
    /// The network that predicts a game's outcome.
    pub network: Network,
    /// The mapping from men to inputs.
    pub reading: BoardEncoding,
    /// The depth of the look-ahead.
    pub look_ahead: LookAhead,
}

/// A finished game, as training data.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// The active inputs after each move of the network.
    pub seen: Vec<Vec<u32>>,
    /// The result for the network.
    pub score: GameScore,
}

impl TdPlayer {
    /// Plays a game from the start, with the network as White. The game is drawn by stalemate, by
    /// insufficient material, and once *fifty moves* have been played *since the last capture*: a
    /// pawn move does not reset the count. Repetition is ignored: the published text has no such
    /// rule.
    pub fn play_game(&self, opponent: &mut dyn Player) -> PlayedGame {
        let mut game = Game::new();
        let mut seen = Vec::new();
        let mut since_capture = 0;
        let score = loop {
            match game.status() {
                Status::InProgress | Status::ThreefoldRepetition | Status::FiftyMoves => {}
                status => break GameScore::of(status, Color::White),
            }
            if since_capture >= FIFTY_MOVE_PLIES {
                break GameScore::Drawn;
            }
            let men = game.board().occupied().len();
            let is_own = game.turn() == Color::White;
            let mv = if is_own { self.choose(game.board()) } else { opponent.play(&game, None) };
            // A player that makes no move or an illegal one forfeits the game.
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                break if is_own { GameScore::Lost } else { GameScore::Won };
            }
            if is_own {
                seen.push(self.reading.set(game.board(), Color::White));
            }
            since_capture = if game.board().occupied().len() < men { 0 } else { since_capture + 1 };
        };
        PlayedGame { seen, score }
    }

    /// The chosen move; `None` if there is no legal move.
    pub fn choose(&self, board: &Board) -> Option<Move> {
        let side = board.side_to_move();
        let sums = self.network.sums(&self.reading.set(board, side));
        let mut best: Option<(f32, Move)> = None;
        self.after_each_move(board, side, &sums, |mv, after, sums| {
            let value = match self.look_ahead {
                LookAhead::OnePly => self.network.output(sums),
                LookAhead::TwoPlies => {
                    self.least_reply(after, side, sums).unwrap_or_else(|| self.network.output(sums))
                }
                LookAhead::TwoPliesOpen => {
                    self.least_reply(after, side, sums).unwrap_or(f32::INFINITY)
                }
            };
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, mv));
            }
        });
        best.map(|(_, mv)| mv)
    }

    /// The lowest prediction after a reply; `None` if there is no reply.
    fn least_reply(&self, board: &Board, side: Color, sums: &HiddenSums) -> Option<f32> {
        let mut least: Option<f32> = None;
        self.after_each_move(board, side, sums, |_, _, sums| {
            let value = self.network.output(sums);
            least = Some(least.map_or(value, |least| least.min(value)));
        });
        least
    }

    /// Calls `visit` for every move with the board after it and the network's sums there.
    fn after_each_move(
        &self,
        board: &Board,
        side: Color,
        sums: &HiddenSums,
        mut visit: impl FnMut(Move, &Board, &HiddenSums),
    ) {
        board.generate_moves(|of_a_man| {
            for mv in of_a_man {
                let mut after = board.clone();
                after.play_unchecked(mv);
                let change = self.reading.change(board, &after, side);
                let mut sums = sums.clone();
                for &input in &change.cleared {
                    self.network.clear(&mut sums, input);
                }
                for &input in &change.set {
                    self.network.set(&mut sums, input);
                }
                visit(mv, &after, &sums);
            }
            false
        });
    }
}

impl Player for TdPlayer {
    fn name(&self) -> String {
        format!("network of {} inputs", self.reading)
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(game.board())
    }
}
