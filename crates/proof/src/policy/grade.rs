use lucena_tablebase::DistanceClass;
use std::fmt;
use std::str::FromStr;

/// A rating of a position by the strong side, which has just moved to it: less is better.
///
/// An exact tree's grades are the moves to mate. A theory's grades, written `grade 1`, `grade 2`, ..., only
/// state an order of preference; a known mate comes before them all.
///
/// ```
/// use lucena_tablebase::DistanceClass;
/// use lucena_proof::policy::Grade;
///
/// assert_eq!("zero".parse(), Ok(Grade::Mated(0)));
/// assert_eq!("grade 12".parse(), Ok(Grade::Nth(12)));
/// assert_eq!(Grade::Nth(12).to_string(), "grade 12");
/// assert_eq!(Grade::from(DistanceClass::Lost), Grade::Lost);
/// assert!(Grade::Mated(16) < Grade::Nth(1) && Grade::Nth(12) < Grade::Draw);
/// assert!(Grade::Draw < Grade::Lost);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// The weak side is mated after this many moves of the strong side.
    Mated(u16),
    /// To be preferred to grades with a greater number.
    Nth(u16),
    /// To be avoided.
    Draw,
    /// To be avoided even in favour of a draw.
    Lost,
}

impl Grade {
    /// The number of ranks among some classes: the greatest number of a numbered grade. `None` if there are none.
    ///
    /// ```
    /// use lucena_proof::policy::Grade;
    ///
    /// assert_eq!(Grade::ranks(&["draw", "grade 1", "grade 60"]), Some(60));
    /// assert_eq!(Grade::ranks(&["draw", "zero"]), None);
    /// ```
    pub fn ranks(classes: &[impl AsRef<str>]) -> Option<usize> {
        let ranks = classes.iter().filter_map(|class| match class.as_ref().parse() {
            Ok(Self::Nth(number)) => Some(number.into()),
            _ => None,
        });
        ranks.max()
    }

    /// Explains numbered grades in a sentence, if some of the classes are such grades.
    pub fn legend<'c>(classes: impl IntoIterator<Item = &'c str>) -> Option<&'static str> {
        let is_nth = |class: &str| matches!(class.parse(), Ok(Self::Nth(_)));
        classes.into_iter().any(is_nth).then_some(
            "A grade is a rank, not a number of moves: the strong side plays the move with the lowest grade, and grade 1 is the best.",
        )
    }
}

/// The error for text that is not a grade.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is neither a depth (draw, lost, or a number, in words up to ninety-nine and in digits from 100 on) nor a grade, as \"grade 3\""
)]
pub struct ParseGradeError(String);

impl From<DistanceClass> for Grade {
    fn from(depth: DistanceClass) -> Self {
        match depth {
            DistanceClass::Draw => Self::Draw,
            DistanceClass::Mated(moves) => Self::Mated(moves),
            DistanceClass::Lost => Self::Lost,
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mated(moves) => DistanceClass::Mated(*moves).fmt(f),
            Self::Nth(number) => f.pad(&format!("grade {number}")),
            Self::Draw => DistanceClass::Draw.fmt(f),
            Self::Lost => DistanceClass::Lost.fmt(f),
        }
    }
}

impl FromStr for Grade {
    type Err = ParseGradeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(depth) = text.parse::<DistanceClass>() {
            return Ok(depth.into());
        }
        let number = text.strip_prefix("grade ").and_then(|number| number.parse().ok());
        let grade = number.map(Self::Nth).filter(|grade| grade.to_string() == text);
        grade.ok_or_else(|| ParseGradeError(text.into()))
    }
}
