//! Learning curves: accuracy and playing strength against the share of an endgame used for
//! training.
//!
//! A tree is learned from a share of the orbits and tested on the others, of which it has seen no
//! position and no mirror image; then it plays games from any position, on the canonical
//! representative.

use crate::ExperimentError;
use lucena_attributes::{AttributeSet, Selections};
use lucena_base::progress::{Observer, SharedProgress};
use lucena_chess::Side;
use lucena_dataset::{Dataset, LabelSource, Positions, SampleParams};
use lucena_learn::{Assessment, Learner, Percentage, TrainTestSplit};
use lucena_play::Resistance;
use lucena_play::validation::{ValidationError, ValidationParams, validate};
use lucena_proof::policy::TreePolicy;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// The parameters of a learning curve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurveParams {
    /// The attributes that the trees may test.
    pub attributes: Selections,
    /// The positions to split.
    pub positions: Positions,
    /// The side to move in them.
    pub turn: Side,
    /// The sample to draw of them; `None` for all.
    pub sample: Option<SampleParams>,
    /// The training shares, one for each point of the curve.
    pub shares: Vec<Percentage>,
    /// The defence that the trees play against.
    pub resistance: Resistance,
    /// The number of games that each tree plays.
    pub games: u64,
    /// The seed of the splits and of the games. The orbits of a small share are among those of a
    /// larger one.
    pub seed: u64,
}

/// A point of the curve, and a row of its CSV.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "CurvePointReport")]
pub struct CurvePoint {
    /// The share of the orbits that was learned from, in per cent.
    pub share_percent: u8,
    /// The number of these orbits.
    pub orbits: usize,
    /// The number of their positions.
    pub rows: usize,
    /// Leaves of the tree.
    pub leaves: usize,
    /// The orbits that the tree is tested on.
    pub held_out_orbits: usize,
    /// The number of their positions.
    pub held_out_rows: u64,
    /// Held-out positions that get the right class.
    pub right: u64,
    /// Held-out positions that get no class.
    pub unanswered: u64,
    /// The share that gets the right class, from 0 to 1.
    pub accuracy: Option<f64>,
    /// Mean error of the tree in plies, over the held-out positions where both tree and table give
    /// a mate; null if there are none.
    pub mean_error_plies: Option<f64>,
    /// The share of games won, from 0 to 1; null if the classes are not distances to mate, by which a tree plays.
    pub win_rate: Option<f64>,
    /// The low end of Wilson's 95 % interval of the win rate.
    pub wilson_low: Option<f64>,
    /// The high end of that interval.
    pub wilson_high: Option<f64>,
}

/// Learns a tree from each share and evaluates it: one point for each share, in order. The observer
/// receives the total number of games played.
///
/// # Errors
/// If no games are requested, a share is empty or includes all orbits, or the work was stopped.
pub fn curve(
    source: &dyn LabelSource,
    learner: &dyn Learner,
    params: &CurveParams,
    observer: &dyn Observer,
) -> Result<Vec<CurvePoint>, ExperimentError> {
    let material = source.material();
    // Check before any tree is learned.
    if params.games == 0 {
        return Err(ValidationError::NoGames.into());
    }
    let attributes = AttributeSet::new(material, params.attributes);
    let CurveParams { positions, turn, .. } = *params;
    let dataset = match params.sample {
        None => Dataset::with_turn(source, &attributes, positions, turn)?,
        Some(sample) => Dataset::sampled(source, &attributes, positions, turn, sample)?,
    };
    let all = params.games.saturating_mul(params.shares.len() as u64);
    let played = SharedProgress::new(observer, "games", all);
    let point = |&share: &Percentage| {
        observer.check()?;
        let split = TrainTestSplit::new(&dataset, share, params.seed)?;
        let mut rows = split.learned;
        let tree = learner.learn_rows(&dataset, &mut rows)?;
        let assessment = Assessment::new(&tree, &dataset, &split.held_out);
        let leaves = tree.leaves();
        let validation = match source.tablebase() {
            Some(tablebase) if turn == Side::Weak => {
                let player = TreePolicy::new(tree, tablebase)?;
                let CurveParams { resistance, games, seed, .. } = *params;
                let observer = played.part();
                Some(validate(
                    &mut &player,
                    tablebase,
                    ValidationParams { resistance, games, seed },
                    &observer,
                )?)
            }
            _ => None,
        };
        let interval = validation.as_ref().map(|validation| validation.wilson_95);
        let point = CurvePoint {
            share_percent: share.percent(),
            orbits: split.learned_orbits,
            rows: rows.len(),
            leaves,
            held_out_orbits: split.held_out_orbits,
            held_out_rows: assessment.rows,
            right: assessment.right,
            unanswered: assessment.unanswered,
            accuracy: assessment.accuracy(),
            mean_error_plies: assessment.mean_error_plies(),
            win_rate: validation.map(|validation| validation.win_rate),
            wilson_low: interval.map(|(low, _)| low),
            wilson_high: interval.map(|(_, high)| high),
        };
        let mut figures = vec![
            ("learned from, %", point.share_percent.into()),
            ("right on the rest, %", 100.0 * point.accuracy.unwrap_or_default()),
        ];
        figures.extend(point.win_rate.map(|share| ("games won, %", 100.0 * share)));
        observer.point(&figures);
        Ok(point)
    };
    let points = params.shares.par_iter().with_max_len(1).map(point).collect();
    observer.check()?;
    points
}
