//! The parameters of learners.

/// Defines the parameters of a learner, not yet checked, with a setter for each, and linfa's traits for them and the
/// learner.
macro_rules! params {
    ($params:ident of $learner:ident, $link:literal $(, $criterion:ident)?) => {
        #[doc = concat!("Parameters of ", $link, ", not yet checked.")]
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub struct $params(pub(super) $learner);

        impl $params {
            $(
                /// Sets the split criterion; entropy by default.
                #[must_use]
                pub fn $criterion(mut self, criterion: crate::Criterion) -> Self {
                    self.0.$criterion = criterion;
                    self
                }
            )?

            /// Sets the stopping criteria; none by default.
            #[must_use]
            pub fn limits(mut self, limits: Limits) -> Self {
                self.0.limits = limits;
                self
            }

            /// Checks the parameters.
            ///
            /// # Errors
            /// If a parameter is invalid.
            pub fn check(self) -> Result<$learner, LearnError> {
                self.0.limits.check()?;
                Ok(self.0)
            }

            /// The learner with these parameters, as far as it has them.
            #[allow(unused_variables)] // Not all have a criterion.
            pub(crate) fn learner(
                criterion: crate::Criterion,
                limits: Limits,
            ) -> Result<Box<dyn Learner>, LearnError> {
                let params = Self::default()$(.$criterion(criterion))?;
                Ok(Box::new(params.limits(limits).check()?))
            }
        }

        #[cfg(feature = "linfa")]
        crate::linfa_compat::implement_linfa_traits!($params, $learner);
    };
}
