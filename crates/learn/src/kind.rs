use super::{CartParams, Criterion, Id3Params, LearnError, Learner, Limits};
use lucena_base::named::named;

/// A learner by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LearnerKind {
    /// [`Id3`](super::Id3): one child for each value.
    Id3,
    /// [`Cart`](super::Cart): thresholds.
    Cart,
    /// Thresholds found by linfa-trees, if the program has the feature linfa.
    Linfa,
    /// The trees of linfa-trees' own `fit`, which are not exact, if the program has the feature linfa.
    LinfaPlain,
}

named!(LearnerKind { "id3": Id3, "cart": Cart, "linfa": Linfa, "linfa-plain": LinfaPlain });

impl LearnerKind {
    /// The learner with these parameters. `criterion` is ignored by ID3, which always uses entropy.
    ///
    /// # Errors
    /// If a limit is invalid, or if the learner needs a feature that this program does not have.
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
            #[cfg(feature = "linfa")]
            Self::LinfaPlain => {
                let params = super::LinfaPlainParams::default();
                Box::new(params.criterion(criterion).limits(limits).check()?)
            }
            #[cfg(not(feature = "linfa"))]
            Self::Linfa | Self::LinfaPlain => return Err(LearnError::WithoutLinfa),
        })
    }
}
