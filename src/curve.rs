//! How much of an endgame has to be seen until the rest is known: learning curves.
//!
//! A tree is learned from a share of the orbits and judged on the others, of which it has seen no
//! position and no mirror image; then it plays.

use crate::attributes::{AttributeSet, Selection};
use crate::dataset::{Dataset, DatasetError, Positions};
use crate::learn::{Judgement, LearnError, Learner, Share, Split};
use crate::player::{ForeignTree, Resistance, TreePolicy};
use crate::tablebase::Tablebase;
use crate::validation::{Validation, ValidationError, validate};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a curve is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
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
    pub judgement: Judgement,
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
}

/// Learns from each share of a plan, and judges each tree: a point each, in the order of the
/// shares. `progress` is told, by any thread, how many games have been played in all.
///
/// ```
/// use lucena::attributes::Selection;
/// use lucena::curve::{Plan, curve};
/// use lucena::dataset::Positions;
/// use lucena::learn::CartParams;
/// use lucena::player::Resistance;
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let plan = Plan {
///     attributes: Selection::Geometric,
///     positions: Positions::Canonical,
///     shares: vec!["10".parse()?, "90".parse()?],
///     resistance: Resistance::Best,
///     games: 20,
///     seed: 1,
/// };
/// let points = curve(&tablebase, &CartParams::default().check()?, &plan, |_| ())?;
/// assert!(points[0].judgement.accuracy() < points[1].judgement.accuracy());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When no games are asked for, or the weak side has more than its king.
pub fn curve(
    tablebase: &Tablebase,
    learner: &dyn Learner,
    plan: &Plan,
    progress: impl Fn(u64) + Sync,
) -> Result<Vec<Point>, CurveError> {
    let material = tablebase.material();
    // Said before anything is learned.
    if plan.games == 0 {
        return Err(ValidationError::NoGames.into());
    }
    let attributes = AttributeSet::new(material, plan.attributes);
    let dataset = Dataset::new(tablebase, &attributes, plan.positions)?;
    let played = AtomicU64::new(0);
    let count = |more| progress(played.fetch_add(more, Ordering::Relaxed) + more);
    let point = |&share: &Share| {
        let split = Split::new(&dataset, share, plan.seed)?;
        let mut rows = split.learned;
        let tree = learner.learn_rows(&dataset, &mut rows)?;
        let judgement = Judgement::new(&tree, &dataset, &split.held_out);
        let leaves = tree.leaves();
        let player = TreePolicy::new(tree, tablebase)?;
        let mut told = 0;
        let validation =
            validate(&mut &player, tablebase, plan.resistance, plan.games, plan.seed, |now| {
                count(now - told);
                told = now;
            })?;
        count(plan.games - told);
        Ok(Point {
            share,
            orbits: split.learned_orbits,
            rows: rows.len(),
            held_out_orbits: split.held_out_orbits,
            leaves,
            judgement,
            validation,
        })
    };
    plan.shares.par_iter().with_max_len(1).map(point).collect()
}
