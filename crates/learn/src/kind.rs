use super::{CartParams, Criterion, Id3Params, LearnError, Learner, Limits};
use lucena_base::named::named;

/// A learner by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearnerKind {
    /// [`Id3`](super::Id3): one child for each value.
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
    /// The learner with these parameters. `criterion` is ignored by ID3, which always uses entropy.
    ///
    /// # Errors
    /// If a limit is invalid.
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
