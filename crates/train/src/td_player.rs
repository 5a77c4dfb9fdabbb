use super::encoding::BoardEncoding;
use super::full_game::LearnedLookAhead;
use super::learner_game::{LearnerSeat, play_game};
use super::network::{HiddenSums, Network};
use super::score::GameScore;
use lucena_base::named::{Named, named};
use lucena_base::progress::NoObserver;
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
    /// The same with one more ply, the network's next move; and so on. Where there is no move, the prediction there counts.
    ThreePlies,
    /// Four plies.
    FourPlies,
    /// Five plies.
    FivePlies,
    /// Six plies.
    SixPlies,
    /// Like [`Self::TwoPlies`], but a move without a reply counts as infinitely good: the network
    /// mates where it can, but stalemates just as gladly.
    TwoPliesOpen,
}

impl From<LearnedLookAhead> for LookAhead {
    fn from(plies: LearnedLookAhead) -> Self {
        match plies {
            LearnedLookAhead::One => Self::OnePly,
            LearnedLookAhead::Two => Self::TwoPlies,
            LearnedLookAhead::Three => Self::ThreePlies,
            LearnedLookAhead::Four => Self::FourPlies,
            LearnedLookAhead::Five => Self::FivePlies,
            LearnedLookAhead::Six => Self::SixPlies,
        }
    }
}

named!(LookAhead {
    "one": OnePly,
    "two": TwoPlies,
    "two-open": TwoPliesOpen,
    "three": ThreePlies,
    "four": FourPlies,
    "five": FivePlies,
    "six": SixPlies,
});

impl LookAhead {
    /// The look-ahead of a learned player; `None` for two plies with mates first, which only the network has.
    pub fn learned(self) -> Option<LearnedLookAhead> {
        let all = LearnedLookAhead::ALL.iter().map(|&(_, plies)| plies);
        all.into_iter().find(|&plies| Self::from(plies) == self)
    }
}

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
    /// rule. An opponent that makes no move or an illegal one forfeits the game.
    pub fn play_game(&self, opponent: &mut dyn Player) -> PlayedGame {
        let mut seat = TdSeat::new(self, Color::White);
        let start = Game::new();
        let played =
            play_game(&mut seat, Color::White, &start, opponent, &NoObserver, &mut |_, _| Ok(()));
        let score = played.map_or(GameScore::Won, |played| played.score);
        PlayedGame { seen: seat.seen, score }
    }

    /// The chosen move; `None` if there is no legal move.
    pub fn choose(&self, board: &Board) -> Option<Move> {
        let mut best: Option<(f32, Move)> = None;
        self.value_moves(board, |mv, value| {
            let most = best.map_or(f32::NEG_INFINITY, |(most, _)| most);
            if best.is_none() || value > most {
                best = Some((value, mv));
            }
            most.max(value)
        });
        best.map(|(_, mv)| mv)
    }

    /// The prediction for each move in the order of [`Game::moves`]: the points expected from the game, from
    /// 0 to 1.
    pub fn predictions(&self, board: &Board) -> Vec<(Move, f32)> {
        let mut predictions = Vec::new();
        self.value_moves(board, |mv, value| {
            predictions.push((mv, value.min(1.0)));
            f32::NEG_INFINITY
        });
        predictions
    }

    /// Calls `visit` with the value of every move. It returns the value below which those of later moves need not be exact.
    fn value_moves(&self, board: &Board, mut visit: impl FnMut(Move, f32) -> f32) {
        let side = board.side_to_move();
        let mut floor = f32::NEG_INFINITY;
        let sums = self.network.sums(&self.reading.set(board, side));
        self.after_each_move(board, side, &sums, |mv, after, sums| {
            let window = (floor, f32::INFINITY);
            let value = match self.look_ahead.learned() {
                Some(plies) => self.value(after, side, sums, plies.plies() - 1, window),
                // A move without a reply counts as infinitely good.
                None => match after.generate_moves(|_| true) {
                    true => self.value(after, side, sums, 1, window),
                    false => f32::INFINITY,
                },
            };
            floor = visit(mv, value);
        });
    }

    /// The prediction after some more plies of best play, or where there is no move. It is exact within the window, and a
    /// bound elsewhere: this is alpha-beta.
    fn value(
        &self,
        board: &Board,
        side: Color,
        sums: &HiddenSums,
        plies: u8,
        (mut low, mut high): (f32, f32),
    ) -> f32 {
        if plies == 0 {
            return self.network.output(sums);
        }
        let is_own = board.side_to_move() == side;
        let mut best: Option<f32> = None;
        self.after_each_move(board, side, sums, |_, after, sums| {
            if low >= high {
                return;
            }
            let value = self.value(after, side, sums, plies - 1, (low, high));
            let (of_two, bound): (fn(f32, f32) -> f32, _) =
                if is_own { (f32::max, &mut low) } else { (f32::min, &mut high) };
            best = Some(best.map_or(value, |best| of_two(best, value)));
            *bound = of_two(*bound, value);
        });
        best.unwrap_or_else(|| self.network.output(sums))
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

/// The published player in a game that it is going to learn from.
pub(super) struct TdSeat<'p> {
    player: &'p TdPlayer,
    color: Color,
    /// The active inputs after each of its moves.
    pub(super) seen: Vec<Vec<u32>>,
}

impl<'p> TdSeat<'p> {
    pub(super) fn new(player: &'p TdPlayer, color: Color) -> Self {
        Self { player, color, seen: Vec::new() }
    }
}

impl LearnerSeat for TdSeat<'_> {
    fn choose(&mut self, game: &Game) -> Option<Move> {
        self.player.choose(game.board())
    }

    fn see(&mut self, game: &Game, mover: Color) {
        if mover == self.color {
            self.seen.push(self.player.reading.set(game.board(), self.color));
        }
    }

    fn score(&self, game: &Game, color: Color, quiet: u16) -> Option<GameScore> {
        match game.status() {
            Status::InProgress | Status::ThreefoldRepetition | Status::FiftyMoves => {
                (quiet >= FIFTY_MOVE_PLIES).then_some(GameScore::Drawn)
            }
            status => Some(GameScore::from_status(status, color)),
        }
    }

    fn ending(&self, game: &Game) -> String {
        match game.status() {
            Status::InProgress | Status::ThreefoldRepetition | Status::FiftyMoves => {
                "Fifty moves without a capture: a draw.".into()
            }
            status => status.to_string(),
        }
    }
}

impl Player for TdPlayer {
    fn name(&self) -> String {
        let plies = match self.look_ahead.learned() {
            Some(LearnedLookAhead::One) => String::new(),
            Some(plies) => format!(", {} plies", plies.word()),
            None => ", two plies, mates first".into(),
        };
        format!("published network, {} reading{plies}", self.reading)
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        self.choose(game.board())
    }
}
