use super::network::Shape;
use lucena_chess::Material;

/// Why nothing can be trained as it was asked for.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A rate at which nothing is learned, or no number.
    #[error("a learning rate of {0} learns nothing: give a number above 0, as 0.3")]
    Rate(f64),
    /// It is no share.
    #[error("{what} of {value} is no share: give a number from 0 to 1")]
    Share {
        /// What it is a share of, in words.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// Units that say the same of everything.
    #[error(
        "a steepness of {0} makes units that say the same of everything: give a number above 0"
    )]
    Steepness(f64),
    /// No hidden units, or too many.
    #[error("a network has from 1 to {most} hidden units, not {0}", most = Shape::MOST_HIDDEN)]
    Hidden(usize),
    /// Weights that are of another kind or size than what is to be trained.
    #[error(
        "the weights to begin with are of another kind, see other attributes, or are not as many: give the same --kind, --attributes and --hidden that they were trained with"
    )]
    OtherShape,
    /// No games.
    #[error("nothing is learned from 0 games: ask for at least 1")]
    NoGames,
}

/// Why what was trained does not play an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignTraining {
    /// It was trained in another endgame.
    #[error(
        "the weights are for {material}, and the table is for {table}: take the table of {material}"
    )]
    Endgame {
        /// The endgame of the weights.
        material: Material,
        /// That of the table.
        table: Material,
    },
    /// It was trained in whole games.
    #[error(
        "the weights are for whole games and not for an endgame: let them play in an arena, or take weights that \"lucena train KRvK\" has written"
    )]
    WholeGames,
}

/// Checks that a rate is one.
pub(super) fn check_rate(rate: f64) -> Result<(), SettingError> {
    if rate.is_finite() && rate > 0.0 { Ok(()) } else { Err(SettingError::Rate(rate)) }
}

/// Checks that a share is one; it is named in the error.
pub(super) fn check_share(what: &'static str, value: f64) -> Result<(), SettingError> {
    if (0.0..=1.0).contains(&value) { Ok(()) } else { Err(SettingError::Share { what, value }) }
}
