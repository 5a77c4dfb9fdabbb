use super::{Criterion, LearnError, Learner, Limits};
use lucena_base::named::{Named, named};

/// Defines the learners. A line has a variant, a name, what its trees consist of in a few words, and its parameters. Words
/// in brackets say what holds: `exact` if it grows until its tree is right on all rows, `same` if the same rows always give
/// the same tree. `if` names the feature that it needs.
macro_rules! learners {
    ($(
        $kind:ident $name:literal $about:literal [$($holds:ident)*] $params:ident $(if $feature:literal)?;
    )+) => {
        /// A learner by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum LearnerKind {
            $(#[doc = concat!("`", $name, "`: ", $about, ".")] $kind,)+
        }

        named!(LearnerKind { $($name: $kind),+ });

        impl LearnerKind {
            /// Returns the name, and what its trees consist of.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$kind => concat!($name, ": ", $about),)+
                }
            }

            /// Returns what its trees consist of.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$kind => $about,)+
                }
            }

            /// Returns true if it grows until its tree is right on all rows, provided that the attributes separate the
            /// classes.
            pub fn is_exact(self) -> bool {
                self.holds().contains(&"exact")
            }

            /// Returns true if the same rows always give the same tree.
            pub fn is_deterministic(self) -> bool {
                self.holds().contains(&"same")
            }

            fn holds(self) -> &'static [&'static str] {
                match self {
                    $(Self::$kind => &[$(stringify!($holds)),*],)+
                }
            }

            /// Returns the feature without which a program does not have the learner.
            pub fn feature(self) -> Option<&'static str> {
                match self {
                    $(Self::$kind => [$($feature)?].first().copied(),)+
                }
            }

            /// The learner with these parameters. `criterion` is ignored by ID3, which always uses entropy.
            ///
            /// # Errors
            /// If a limit is invalid, or if the learner needs a feature that this program does not have.
            pub fn learner(
                self,
                criterion: Criterion,
                limits: Limits,
            ) -> Result<Box<dyn Learner>, LearnError> {
                match self {
                    $($(#[cfg(feature = $feature)])?
                    Self::$kind => super::$params::learner(criterion, limits),)+
                    #[allow(unreachable_patterns)] // All are here if the features are.
                    other => Err(LearnError::WithoutFeature(other.feature().unwrap_or_default())),
                }
            }
        }
    };
}

learners! {
    Id3 "id3" "a branch for each value" [exact same] Id3Params;
    Cart "cart" "questions with two answers" [exact same] CartParams;
    Linfa "linfa" "cart with linfa-trees' questions" [exact] LinfaParams if "linfa";
    LinfaPlain "linfa-plain" "linfa-trees' own fit, not exact" [] LinfaPlainParams if "linfa";
}

impl LearnerKind {
    /// Lists learners for people: their names, and what their trees consist of.
    ///
    /// ```
    /// use lucena_learn::LearnerKind;
    ///
    /// assert_eq!(
    ///     LearnerKind::list(LearnerKind::is_deterministic),
    ///     "id3 (a branch for each value), cart (questions with two answers)"
    /// );
    /// ```
    pub fn list(is_listed: fn(Self) -> bool) -> String {
        let listed = Self::ALL.iter().map(|(_, kind)| *kind).filter(|kind| is_listed(*kind));
        let item = |kind: Self| format!("{kind} ({})", kind.about());
        listed.map(item).collect::<Vec<_>>().join(", ")
    }
}
