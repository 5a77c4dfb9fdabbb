use super::material::to_mover;
use super::{
    Evaluation, MenValues, ParseWeightsError, TermValue, attacks, read_weights, write_weights,
};
use lucena_base::named::{Named, named};
use lucena_chess::{Bitboard, Board, Color, File, Rank, Role};

/// The name of the evaluation in a file.
pub(super) const EVALUATION: &str = "parts";

/// The largest value, with any weights, so that none is taken for a mate.
const MAX_SCORE: i32 = 25_000;

/// Eight terms for material, squares, pawns and kings, each weighted by the phase of the game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EightTerms(pub Weights);

impl Evaluation for EightTerms {
    fn name(&self) -> String {
        EVALUATION.into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let phase = Phase::new(board.occupied().len());
        let points = points(board, &self.0.men);
        let parts = EvaluationTerm::ALL.iter().zip(points);
        let sum: i32 = parts.map(|(&(_, term), points)| points * self.0.of(term, phase)).sum();
        // Division rounds toward zero, so that the value of a mirrored board is exactly negated.
        to_mover(board, (sum / 100).clamp(-MAX_SCORE, MAX_SCORE))
    }

    fn terms(&self, board: &Board) -> Vec<TermValue> {
        let phase = Phase::new(board.occupied().len());
        let points = points(board, &self.0.men);
        let terms = EvaluationTerm::ALL.iter().zip(points).map(|(&(name, term), points)| {
            let weight = self.0.of(term, phase);
            TermValue { name, points, weight, value: points * weight / 100 }
        });
        terms.collect()
    }
}

named! {
    /// The eight terms of [`super::EightTerms`], each counted for White minus Black.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum EvaluationTerm {
        /// The values of the men, in hundredths of a pawn.
        Material = "material",
        /// One point for each attacked square.
        AttackedSquares = "attacked-squares",
        /// Four points for each attacked square of the centre: d4, e4, d5, e5.
        KeySquares = "key-squares",
        /// Five points for each passed pawn: no enemy pawn can block or capture it on its way.
        PassedPawns = "passed-pawns",
        /// Minus four points for each pawn behind another pawn of its side on the same file.
        DoubledPawns = "doubled-pawns",
        /// Three points for a king that has castled, or walked to where castling would have put it:
        /// on its first rank, off the middle files d, e and f, without castling rights.
        KingCastled = "king-castled",
        /// One point for each rank that a pawn has advanced.
        PawnAdvance = "pawn-advance",
        /// One point for each pawn guarded by another pawn.
        PawnChains = "pawn-chains",
    }
}

/// The number of terms.
pub(super) const PARTS: usize = 8;

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The points of all terms, in the order of [`EvaluationTerm`].
pub(super) fn points(board: &Board, men: &MenValues) -> [i32; PARTS] {
    let [white, black] = [Color::White, Color::Black].map(|color| of_a_side(board, color));
    let mut points = [0; PARTS];
    points[0] = men.balance(board);
    for (term, (white, black)) in (1..).zip(white.into_iter().zip(black)) {
        points[term] = white - black;
    }
    points
}

/// The points of one side in the terms after material.
fn of_a_side(board: &Board, color: Color) -> [i32; PARTS - 1] {
    let pawns = board.colored_pieces(color, Role::Pawn).0;
    let enemies = board.colored_pieces(!color, Role::Pawn).0;
    let (pawns, enemies) = match color {
        Color::White => (pawns, enemies),
        // Flip Black's pawns, so that all pawns move up the board.
        Color::Black => (pawns.swap_bytes(), enemies.swap_bytes()),
    };
    let guarded = pawn_attacks(pawns);
    let by_pawns = match color {
        Color::White => guarded,
        Color::Black => guarded.swap_bytes(),
    };
    let attacked = Bitboard(by_pawns) | attacks(board, color, board.occupied());
    let ahead = down(enemies >> 8);
    let stopped = ahead | (ahead & NOT_A) >> 1 | (ahead & NOT_H) << 1;
    let passed = pawns & !stopped;
    let doubled = pawns & down(pawns >> 8);
    let advance: u32 = (1..7).map(|rank| (rank - 1) * rank_of(pawns, rank).count_ones()).sum();
    [
        attacked.len() as i32,
        4 * (attacked & CENTRE).len() as i32,
        5 * passed.count_ones() as i32,
        -4 * doubled.count_ones() as i32,
        if has_castled(board, color) { 3 } else { 0 },
        advance as i32,
        (pawns & guarded).count_ones() as i32,
    ]
}

/// The squares attacked by pawns that move up the board.
fn pawn_attacks(pawns: u64) -> u64 {
    (pawns & NOT_A) << 7 | (pawns & NOT_H) << 9
}

/// The squares and all squares below them.
fn down(mut squares: u64) -> u64 {
    squares |= squares >> 8;
    squares |= squares >> 16;
    squares | squares >> 32
}

fn rank_of(squares: u64, rank: u32) -> u64 {
    squares >> (8 * rank) & 0xff
}

fn has_castled(board: &Board, color: Color) -> bool {
    let (king, rights) = (board.king(color), board.castle_rights(color));
    king.rank() == Rank::First.relative_to(color)
        && !matches!(king.file(), File::D | File::E | File::F)
        && rights.short.is_none()
        && rights.long.is_none()
}

/// The phase of a game, from the number of men left, including kings and pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// 25 to 32 men.
    Opening,
    /// 13 to 24 men.
    MiddleGame,
    /// Up to 12 men.
    Endgame,
}

named!(Phase { "opening": Opening, "middle-game": MiddleGame, "endgame": Endgame });

impl Phase {
    /// The phase with a number of men left.
    pub fn new(men: u32) -> Self {
        match men {
            25.. => Self::Opening,
            13.. => Self::MiddleGame,
            _ => Self::Endgame,
        }
    }
}

/// The weights of the terms of [`super::EightTerms`] in each phase, and the values of the men.
///
/// With a weight of 100 a point is worth a hundredth of a pawn. Weights are read and written as
/// JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// The values of the men.
    pub men: MenValues,
    by_part: [[i32; 3]; PARTS],
}

impl Weights {
    /// The length of [`Weights::numbers`].
    pub const NUMBERS: usize = 5 + 3 * PARTS;

    /// The weight of a term in a phase.
    pub fn of(&self, term: EvaluationTerm, phase: Phase) -> i32 {
        self.by_part[term as usize][phase as usize]
    }

    /// Replaces one weight.
    #[must_use]
    pub fn with(mut self, term: EvaluationTerm, phase: Phase, weight: i32) -> Self {
        self.by_part[term as usize][phase as usize] = weight;
        self
    }

    /// Reads weights.
    ///
    /// # Errors
    /// If the JSON does not have the right shape, a term is missing or unknown, or a number is out
    /// of range.
    pub fn from_json(json: &[u8]) -> Result<Self, ParseWeightsError> {
        let mut by_part = [[0; 3]; PARTS];
        let men = read_weights(json, EVALUATION, "part", |term: EvaluationTerm, weights| {
            by_part[term as usize] = weights.ok_or(ParseWeightsError::Missing(term))?;
            Ok(by_part[term as usize].into())
        })?;
        Ok(Self { men, by_part })
    }

    /// Writes the weights as readable JSON.
    pub fn to_json(&self) -> String {
        write_weights(EVALUATION, &self.men, |term: EvaluationTerm| {
            format!("{:?}", self.by_part[term as usize])
        })
    }

    /// The values of the men and all weights in one list, term by term, as evolution needs them.
    pub fn numbers(&self) -> Vec<i32> {
        self.men.numbers().into_iter().chain(self.by_part.into_iter().flatten()).collect()
    }

    /// The weights from such a list.
    pub fn from_numbers(numbers: &[i32; Self::NUMBERS]) -> Self {
        let (men, weights) = numbers.split_at(5);
        let men = MenValues::from_numbers([men[0], men[1], men[2], men[3], men[4]]);
        let mut by_part = [[0; 3]; PARTS];
        for (of_part, weights) in by_part.iter_mut().zip(weights.chunks_exact(3)) {
            of_part.copy_from_slice(weights);
        }
        Self { men, by_part }
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            men: MenValues::DEFAULT,
            by_part: [
                [100, 100, 100],
                [300, 300, 200],
                [200, 150, 50],
                [200, 400, 900],
                [200, 250, 400],
                [1000, 800, 0],
                [100, 200, 500],
                [300, 300, 300],
            ],
        }
    }
}
