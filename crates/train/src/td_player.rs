use super::network::{Network, Sums};
use super::placement::Reading;
use super::score::Score;
use lucena_base::named::named;
use lucena_chess::{Board, Clock, Color, FIFTY_MOVE_PLIES, Game, Move, Status};
use lucena_play::Player;

/// How far a network looks ahead for its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookAhead {
    /// The move after which the prediction is highest.
    OnePly,
    /// The move after which the lowest prediction after a reply is highest. Where there is no
    /// reply, the prediction after the move counts.
    TwoPlies,
    /// The same, but where there is no reply the least of no predictions is as high as a program
    /// starts with: the network mates where it can, and stalemates just as gladly.
    TwoPliesOpen,
}

named!(LookAhead { "one": OnePly, "two": TwoPlies, "two-open": TwoPliesOpen });

/// Plays chess by a network that sees where the men stand: the published player. It was made for
/// White; as Black it sees the board turned round, with the colours exchanged.
///
/// Of equal moves it plays the first in the order of [`Game::moves`].
#[derive(Debug, Clone, PartialEq)]
pub struct TdPlayer {
    /// What predicts how games end.
    pub network: Network,
    /// What the network sees.
    pub reading: Reading,
    /// How far it looks ahead.
    pub look_ahead: LookAhead,
}

/// A game as a network learns from it.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedGame {
    /// The inputs that were set after each of its moves.
    pub seen: Vec<Vec<u32>>,
    /// What it came to.
    pub score: Score,
}

impl TdPlayer {
    /// A game from the start, the network being White. A game is drawn by stalemate, where no men
    /// are left to mate with, and once *fifty moves* have been played *since the last capture*: a
    /// pawn move does not count. There is no rule about repetition: the published text has none.
    pub fn play_game(&self, opponent: &mut dyn Player) -> PlayedGame {
        let mut game = Game::new();
        let mut seen = Vec::new();
        let mut since_capture = 0;
        let score = loop {
            match game.status() {
                Status::InProgress | Status::ThreefoldRepetition | Status::FiftyMoves => {}
                status => break Score::of(status, Color::White),
            }
            if since_capture >= FIFTY_MOVE_PLIES {
                break Score::Drawn;
            }
            let men = game.board().occupied().len();
            let is_own = game.turn() == Color::White;
            let mv = if is_own { self.choose(game.board()) } else { opponent.play(&game, None) };
            // An opponent that does not move, or not by the rules, gives the game up.
            if mv.is_none_or(|mv| game.play(mv).is_err()) {
                break if is_own { Score::Lost } else { Score::Won };
            }
            if is_own {
                seen.push(self.reading.set(game.board(), Color::White));
            }
            since_capture = if game.board().occupied().len() < men { 0 } else { since_capture + 1 };
        };
        PlayedGame { seen, score }
    }

    /// The move that it plays; nothing where there is none.
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

    /// The lowest prediction after a reply; nothing where there is none.
    fn least_reply(&self, board: &Board, side: Color, sums: &Sums) -> Option<f32> {
        let mut least: Option<f32> = None;
        self.after_each_move(board, side, sums, |_, _, sums| {
            let value = self.network.output(sums);
            least = Some(least.map_or(value, |least| least.min(value)));
        });
        least
    }

    /// Calls back for every move with the board after it and the network's sums there.
    fn after_each_move(
        &self,
        board: &Board,
        side: Color,
        sums: &Sums,
        mut visit: impl FnMut(Move, &Board, &Sums),
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
