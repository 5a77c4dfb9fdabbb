//! How much of an endgame has to be seen until the rest is known: learning curves.
//!
//! A tree is learned from a share of the orbits and judged on the others, of which it has seen no
//! position and no mirror image; then it plays.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::work::{Stopped, Watch, Whole};
use lucena_dataset::{Dataset, DatasetError, Positions};
use lucena_learn::{Assessment, LearnError, Learner, Share, Split};
use lucena_play::Resistance;
use lucena_play::validation::{Validation, ValidationError, validate};
use lucena_proof::policy::{ForeignTree, TreePolicy};
use lucena_tablebase::Tablebase;
use rayon::prelude::*;

/// What a curve is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurveParams {
    /// What the trees may ask.
    pub attributes: Selection,
    /// The positions that are divided.
    pub positions: Positions,
    /// The shares that are learned from, a point of the curve each.
    pub shares: Vec<Share>,
    /// The defence that the trees play against.
    pub resistance: Resistance,
    /// How many games each of them plays.
    pub games: u64,
    /// Which orbits are learned from, and which games are played. The orbits of a small share are
    /// among those of a larger one.
    pub seed: u64,
}

/// What a tree is worth that was learned from a share of the orbits.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The share.
    pub share: Share,
    /// How many orbits that is.
    pub orbits: usize,
    /// The positions of those orbits that were learned from.
    pub rows: usize,
    /// The orbits that the tree is judged on.
    pub held_out_orbits: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Its answers on the positions of the other orbits.
    pub assessment: Assessment,
    /// Its games, from any position; it turns the board to the representative.
    pub validation: Validation,
}

/// Why there is no curve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CurveError {
    /// The positions make no data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// Nothing was learned.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The tree does not make a player.
    #[error(transparent)]
    Tree(#[from] ForeignTree),
    /// No games can be played.
    #[error(transparent)]
    Validation(#[from] ValidationError),
    /// Whoever watched did not want to wait.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Learns from each share, and judges each tree: a point each, in the order of the shares. The watch
/// is told how many games have been played in all.
///
/// ```
/// use lucena::attributes::Selection;
/// use lucena::curve::{CurveParams, curve};
/// use lucena::dataset::Positions;
/// use lucena::learn::CartParams;
/// use lucena::player::Resistance;
/// use lucena::tablebase::Tablebase;
/// use lucena::work::Unwatched;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let params = CurveParams {
///     attributes: Selection::Geometric,
///     positions: Positions::Canonical,
///     shares: vec!["10".parse()?, "90".parse()?],
///     resistance: Resistance::Best,
///     games: 20,
///     seed: 1,
/// };
/// let points = curve(&tablebase, &CartParams::default().check()?, &params, &Unwatched)?;
/// assert!(points[0].assessment.accuracy() < points[1].assessment.accuracy());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no games are asked for, a share of the orbits is none or all of them, or the work was stopped.
pub fn curve(
    tablebase: &Tablebase,
    learner: &dyn Learner,
    params: &CurveParams,
    watch: &dyn Watch,
) -> Result<Vec<Point>, CurveError> {
    let material = tablebase.material();
    // Said before anything is learned.
    if params.games == 0 {
        return Err(ValidationError::NoGames.into());
    }
    let attributes = AttributeSet::new(material, params.attributes);
    let dataset = Dataset::new(tablebase, &attributes, params.positions)?;
    let all = params.games.saturating_mul(params.shares.len() as u64);
    let played = Whole::new(watch, "games", all);
    let point = |&share: &Share| {
        watch.go_on()?;
        let split = Split::new(&dataset, share, params.seed)?;
        let mut rows = split.learned;
        let tree = learner.learn_rows(&dataset, &mut rows)?;
        let assessment = Assessment::new(&tree, &dataset, &split.held_out);
        let leaves = tree.leaves();
        let player = TreePolicy::new(tree, tablebase)?;
        let CurveParams { resistance, games, seed, .. } = *params;
        let validation =
            validate(&mut &player, tablebase, resistance, games, seed, &played.part())?;
        let right = assessment.accuracy().unwrap_or_default();
        watch.point(&[
            ("learned from, %", share.percent().into()),
            ("right on the rest, %", 100.0 * right),
            ("games won, %", 100.0 * validation.win_rate()),
        ]);
        Ok(Point {
            share,
            orbits: split.learned_orbits,
            rows: rows.len(),
            held_out_orbits: split.held_out_orbits,
            leaves,
            assessment,
            validation,
        })
    };
    let points = params.shares.par_iter().with_max_len(1).map(point).collect();
    watch.go_on()?;
    points
}
