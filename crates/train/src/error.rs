use super::network::Shape;
use lucena_chess::Material;

/// An invalid setting for training.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The learning rate is not a positive number.
    #[error("a learning rate of {0} learns nothing: give a number above 0, such as 0.3")]
    Rate(f64),
    /// A share is not between 0 and 1.
    #[error("{what} of {value} is out of range: give a number from 0 to 1")]
    Share {
        /// The setting, in words.
        what: &'static str,
        /// The value given.
        value: f64,
    },
    /// The steepness is not a positive number.
    #[error("a steepness of {0} is out of range: give a number above 0")]
    Steepness(f64),
    /// The number of hidden units is out of range.
    #[error("a network has from 1 to {most} hidden units, not {0}", most = Shape::MOST_HIDDEN)]
    Hidden(usize),
    /// The initial weights differ in kind or size from those to be trained.
    #[error(
        "the initial weights differ in kind, attributes or size: give the same --kind, --attributes and --hidden that they were trained with"
    )]
    OtherShape,
    /// No games were requested.
    #[error("nothing is learned from 0 games: ask for at least 1")]
    NoGames,
}

/// An error for trained weights that cannot play an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignTraining {
    /// The weights are for another endgame.
    #[error(
        "the weights are for {material}, and the table is for {table}: take the table of {material}"
    )]
    Endgame {
        /// The endgame of the weights.
        material: Material,
        /// The endgame of the table.
        table: Material,
    },
    /// The weights are for full games.
    #[error(
        "the weights are for whole games and not for an endgame: let them play in an arena, or take weights that \"lucena train KRvK\" has written"
    )]
    WholeGames,
}

/// Checks that a rate is positive and finite.
pub(super) fn check_rate(rate: f64) -> Result<(), SettingError> {
    if rate.is_finite() && rate > 0.0 { Ok(()) } else { Err(SettingError::Rate(rate)) }
}

/// Checks that a share is between 0 and 1; `what` names it in the error.
pub(super) fn check_share(what: &'static str, value: f64) -> Result<(), SettingError> {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(SettingError::Share { what, value }) }
}
