use super::{CartParams, Criterion, Id3Params, LearnError, Learner, Limits};
use lucena_base::named::named;

/// Which learner, by its name.
///
/// ```
/// use lucena::learn::{Criterion, LearnerKind, Limits};
///
/// let kind: LearnerKind = "id3".parse()?;
/// let learner = kind.learner(Criterion::default(), Limits::default())?;
/// assert_eq!(learner.name(), "id3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearnerKind {
    /// [`Id3`](super::Id3): a child for each value.
    Id3,
    /// [`Cart`](super::Cart): thresholds.
    Cart,
    /// [`Linfa`](super::Linfa): thresholds found by linfa-trees.
    #[cfg(feature = "linfa")]
    Linfa,
}

#[cfg(feature = "linfa")]
named!(LearnerKind { "id3": Id3, "cart": Cart, "linfa": Linfa });
#[cfg(not(feature = "linfa"))]
named!(LearnerKind { "id3": Id3, "cart": Cart });

impl LearnerKind {
    /// The learner. What judges a test is for those that can choose: id3 always takes entropy.
    ///
    /// # Errors
    /// When a limit makes no sense.
    pub fn learner(
        self,
        criterion: Criterion,
        limits: Limits,
    ) -> Result<Box<dyn Learner>, LearnError> {
        Ok(match self {
            Self::Id3 => Box::new(Id3Params::default().limits(limits).check()?),
            Self::Cart => {
                Box::new(CartParams::default().criterion(criterion).limits(limits).check()?)
            }
            #[cfg(feature = "linfa")]
            Self::Linfa => {
                let params = super::LinfaParams::default();
                Box::new(params.criterion(criterion).limits(limits).check()?)
            }
        })
    }
}
