use super::{Evaluation, ParseWeightsError, TermValue};
use lucena_chess::{Board, Color, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The values of the men in hundredths of a pawn. A king has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MenValues {
    /// A pawn.
    pub pawn: i32,
    /// A knight.
    pub knight: i32,
    /// A bishop.
    pub bishop: i32,
    /// A rook.
    pub rook: i32,
    /// A queen.
    pub queen: i32,
}

impl MenValues {
    /// The usual values.
    pub const DEFAULT: Self = Self { pawn: 100, knight: 320, bishop: 330, rook: 500, queen: 1000 };

    /// The value of a man; 0 for a king.
    pub fn of(&self, role: Role) -> i32 {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.bishop,
            Role::Rook => self.rook,
            Role::Queen => self.queen,
            Role::King => 0,
        }
    }

    /// The values as a list, from pawn to queen.
    pub fn numbers(&self) -> [i32; 5] {
        [self.pawn, self.knight, self.bishop, self.rook, self.queen]
    }

    /// The values from a list, from pawn to queen.
    pub fn from_numbers([pawn, knight, bishop, rook, queen]: [i32; 5]) -> Self {
        Self { pawn, knight, bishop, rook, queen }
    }

    /// Checks that the values are in range.
    pub(super) fn check(&self) -> Result<(), ParseWeightsError> {
        let names = ["pawn", "knight", "bishop", "rook", "queen"];
        let values = names.into_iter().zip(self.numbers());
        match values.into_iter().find(|(_, value)| !(0..=2000).contains(value)) {
            Some((man, value)) => Err(ParseWeightsError::TooLarge(man.into(), value)),
            None => Ok(()),
        }
    }

    /// White's material minus Black's.
    pub fn balance(&self, board: &Board) -> i32 {
        let count = |color, role| board.colored_pieces(color, role).len() as i32;
        let more = |role| self.of(role) * (count(Color::White, role) - count(Color::Black, role));
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(more)
            .sum()
    }
}

/// Counts material only.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::{Evaluation, Material, MenValues};
///
/// let game: Game = "8/8/8/3k4/8/8/8/K6R b - - 0 1".parse()?;
/// assert_eq!(Material(MenValues::DEFAULT).evaluate(game.board()), -500);
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Material(pub MenValues);

impl Evaluation for Material {
    fn name(&self) -> String {
        "material".into()
    }

    fn evaluate(&self, board: &Board) -> i32 {
        to_mover(board, self.0.balance(board))
    }

    fn terms(&self, board: &Board) -> Vec<TermValue> {
        let balance = self.0.balance(board);
        vec![TermValue { name: "material", points: balance, weight: 100, value: balance }]
    }
}

/// Converts a value for White to a value for the side to move.
pub(super) fn to_mover(board: &Board, for_white: i32) -> i32 {
    match board.side_to_move() {
        Color::White => for_white,
        Color::Black => -for_white,
    }
}
