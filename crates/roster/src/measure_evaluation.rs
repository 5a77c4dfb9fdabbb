use lucena_chess::{Board, Color, Material, Position, Side};
use lucena_model::Measure;
use lucena_proof::policy::{MeasurePolicy, Unplayable};
use lucena_search::evaluation::{Evaluation, MenValues};

/// The value of a measure as an evaluation for ordinary searches: a smaller value is better for the strong side.
///
/// It knows the measure's endgame only. All other boards are valued by material. So that the search neither gives a man
/// away for a better measure nor keeps a pawn that could promote, the values are in three bands: boards with at most the
/// endgame's advantage in material, boards of the endgame, and boards with a greater advantage. A measure with more than
/// 8,000 values is divided until they fit, which makes near values equal.
///
/// A measure is about boards after a move of the strong side. If the strong side is to move, the same board is taken
/// with the weak side to move.
pub struct MeasureEvaluation {
    policy: MeasurePolicy,
    /// The least value of the measure.
    least: i64,
    /// What the values are divided by.
    divisor: i64,
    /// The advantage of the strong side in material, in hundredths of a pawn.
    advantage: i32,
}

/// The value of the best board of the endgame, and the least value of a board with a greater advantage.
const TOP: i32 = 18_000;
/// The number of values that the boards of the endgame have at most.
const VALUES: i64 = 8_000;
/// The most that material counts outside the endgame.
const MAX_SCORE: i32 = 9_000;

impl MeasureEvaluation {
    /// Makes an evaluation of a measure.
    ///
    /// # Errors
    /// If the measure is not for an endgame, or its quantities are not those of the endgame.
    pub fn new(measure: Measure) -> Result<Self, Unplayable> {
        let (least, greatest) = measure.range();
        let policy = MeasurePolicy::new(measure)?;
        let material = MeasurePolicy::endgame(policy.measure())?;
        let men = |side| material.roles(side).map(|role| MenValues::DEFAULT.of(role)).sum::<i32>();
        Ok(Self {
            policy,
            least,
            divisor: ((greatest - least) / VALUES + 1).max(1),
            advantage: (men(Side::Strong) - men(Side::Weak)).max(0),
        })
    }

    /// The measure.
    pub fn measure(&self) -> &Measure {
        self.policy.measure()
    }

    /// The endgame of the measure.
    pub fn endgame(&self) -> Material {
        self.policy.quantities().material()
    }

    /// The value for the strong side of a board of the endgame.
    fn in_endgame(&self, position: &Position) -> i32 {
        let after = position.with(Side::Weak, *position.squares());
        let above = (i64::from(self.policy.value(&after)) - self.least) / self.divisor;
        // It is less than `VALUES` by the choice of the divisor.
        TOP - 1 - above as i32
    }

    /// The value of another board for White.
    fn by_material(&self, board: &Board) -> i32 {
        let balance = MenValues::DEFAULT.balance(board).clamp(-MAX_SCORE, MAX_SCORE);
        if balance.abs() > self.advantage { balance + TOP * balance.signum() } else { balance }
    }
}

impl Evaluation for MeasureEvaluation {
    fn name(&self) -> String {
        format!("measure of {}", self.endgame())
    }

    fn evaluate(&self, board: &Board) -> i32 {
        let known = Position::from_board(board).ok();
        let known = known.filter(|position| position.material() == self.endgame());
        let (value, of) = match known {
            Some(position) => (self.in_endgame(&position), position.strong()),
            None => (self.by_material(board), Color::White),
        };
        if board.side_to_move() == of { value } else { -value }
    }
}
