//! Learning curves: accuracy and playing strength against the share of an endgame used for
//! training.
//!
//! A tree is learned from a share of the orbits and tested on the others, of which it has seen no
//! position and no mirror image; then it plays games.

use crate::ExperimentError;
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::{Observer, SharedProgress};
use lucena_dataset::{Dataset, Positions};
use lucena_learn::{Assessment, Learner, TrainShare, TrainTestSplit};
use lucena_play::Resistance;
use lucena_play::validation::{Validation, ValidationError, validate};
use lucena_proof::policy::TreePolicy;
use lucena_tablebase::Tablebase;
use rayon::prelude::*;

/// The parameters of a learning curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurveParams {
    /// The attributes that the trees may test.
    pub attributes: Selection,
    /// The positions to split.
    pub positions: Positions,
    /// The training shares, one for each point of the curve.
    pub shares: Vec<TrainShare>,
    /// The defence that the trees play against.
    pub resistance: Resistance,
    /// The number of games that each tree plays.
    pub games: u64,
    /// The seed of the splits and of the games. The orbits of a small share are among those of a
    /// larger one.
    pub seed: u64,
}

/// A point of the curve: a tree learned from a share of the orbits, and its results.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// The share.
    pub share: TrainShare,
    /// The number of training orbits.
    pub orbits: usize,
    /// The number of training positions.
    pub rows: usize,
    /// The number of test orbits.
    pub held_out_orbits: usize,
    /// The number of leaves of the tree.
    pub leaves: usize,
    /// The accuracy on the positions of the test orbits.
    pub assessment: Assessment,
    /// The games of the tree from any position; it plays on the canonical representative.
    pub validation: Validation,
}

/// Learns a tree from each share and evaluates it: one point for each share, in order. The observer
/// receives the total number of games played.
///
/// # Errors
/// If no games are requested, a share is empty or includes all orbits, or the work was stopped.
pub fn curve(
    tablebase: &Tablebase,
    learner: &dyn Learner,
    params: &CurveParams,
    observer: &dyn Observer,
) -> Result<Vec<CurvePoint>, ExperimentError> {
    let material = tablebase.material();
    // Check before any tree is learned.
    if params.games == 0 {
        return Err(ValidationError::NoGames.into());
    }
    let attributes = AttributeSet::new(material, params.attributes);
    let dataset = Dataset::new(tablebase, &attributes, params.positions)?;
    let all = params.games.saturating_mul(params.shares.len() as u64);
    let played = SharedProgress::new(observer, "games", all);
    let point = |&share: &TrainShare| {
        observer.check()?;
        let split = TrainTestSplit::new(&dataset, share, params.seed)?;
        let mut rows = split.learned;
        let tree = learner.learn_rows(&dataset, &mut rows)?;
        let assessment = Assessment::new(&tree, &dataset, &split.held_out);
        let leaves = tree.leaves();
        let player = TreePolicy::new(tree, tablebase)?;
        let CurveParams { resistance, games, seed, .. } = *params;
        let validation =
            validate(&mut &player, tablebase, resistance, games, seed, &played.part())?;
        let right = assessment.accuracy().unwrap_or_default();
        observer.point(&[
            ("learned from, %", share.percent().into()),
            ("right on the rest, %", 100.0 * right),
            ("games won, %", 100.0 * validation.win_rate),
        ]);
        Ok(CurvePoint {
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
    observer.check()?;
    points
}
