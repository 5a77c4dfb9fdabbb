//! The rule that gives an attribute its value.

use super::focus::Area;
use super::man::Man;
use super::scene::Scene;
use lucena_chess::Bitboard;

/// A function of a scene and of the two men that an attribute is about. A single man is both.
pub(super) type Of<T> = fn(&Scene, Man, Man) -> T;

/// The rule that gives an attribute its value.
#[derive(Clone, Copy)]
pub(super) struct NumberSpec {
    value: Value,
    /// The part of the board that the attribute is about.
    pub(super) area: Option<(Area, Of<Bitboard>)>,
    /// The men that it is about besides those that it is made for.
    pub(super) others: Option<Of<Bitboard>>,
}

#[derive(Clone, Copy)]
enum Value {
    Number(Of<u8>),
    /// 1 for true, 0 for false.
    Truth(Of<bool>),
    /// The number of squares, up to a greatest value.
    Count(Of<Bitboard>, u8),
}

impl NumberSpec {
    /// The value for two men.
    #[inline]
    pub(super) fn of(&self, scene: &Scene, x: Man, y: Man) -> u8 {
        match self.value {
            Value::Number(number) => number(scene, x, y),
            Value::Truth(truth) => truth(scene, x, y).into(),
            Value::Count(squares, most) => (squares(scene, x, y).len() as u8).min(most),
        }
    }

    pub(super) fn about(self, area: Area, squares: Of<Bitboard>) -> Self {
        Self { area: Some((area, squares)), ..self }
    }

    pub(super) fn about_men(self, men: Of<Bitboard>) -> Self {
        Self { others: Some(men), ..self }
    }

    fn new(value: Value) -> Self {
        Self { value, area: None, others: None }
    }
}

/// The number itself.
pub(super) fn value(number: Of<u8>) -> NumberSpec {
    NumberSpec::new(Value::Number(number))
}

/// 1 if it is true, 0 if not.
pub(super) fn whether(truth: Of<bool>) -> NumberSpec {
    NumberSpec::new(Value::Truth(truth))
}

/// The number of squares, which are marked.
pub(super) fn count(area: Area, squares: Of<Bitboard>) -> NumberSpec {
    NumberSpec::new(Value::Count(squares, u8::MAX)).about(area, squares)
}

/// The number of squares, at most 2.
pub(super) fn at_most_two(squares: Of<Bitboard>) -> NumberSpec {
    NumberSpec::new(Value::Count(squares, 2))
}
