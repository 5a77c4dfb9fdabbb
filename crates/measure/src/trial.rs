//! The trial of one measure on the tables of its endgame.

use super::MeasureTable;
use lucena_base::index_vec::IndexVec;
use lucena_base::progress::NoObserver;
use lucena_proof::graph::After;
use lucena_proof::measure::Score;
use lucena_tree::Goal;

/// Terms with weights, and the way to look ahead.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The number of a quantity of the table, and its weight.
    pub terms: Vec<(usize, i32)>,
    /// The way in which it looks ahead.
    pub view: View,
}

/// The way in which a measure looks ahead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct View {
    /// The number of moves to look ahead, after the next one.
    pub look: u8,
    /// Where it may stop looking.
    pub goal: Goal,
    /// The number of replies within which the weak side must not be able to force the gain of a man at a goal.
    pub secure: u8,
}

/// The result of a trial. Positions are counted up to symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialResult {
    /// The positions that can be won and are not.
    pub lost: usize,
    /// The positions in which a tied move does not surely make the score lower: circles begin there.
    pub stuck: usize,
    /// The moves to mate in the longest game from a position that is won.
    pub longest: u16,
}

impl TrialResult {
    /// Returns true if all positions that can be won are won.
    pub fn wins(&self) -> bool {
        self.lost == 0
    }

    /// Returns true if the score falls with every move, which proves by itself that all positions are won.
    pub fn is_ranking(&self) -> bool {
        self.stuck == 0
    }
}

impl Candidate {
    /// The sum of the binary logarithms of the weights, each plus one.
    pub fn bits(&self) -> f64 {
        self.terms
            .iter()
            .map(|&(_, weight)| libm::log2(1.0 + f64::from(weight.unsigned_abs())))
            .sum()
    }
}

impl MeasureTable {
    /// Tries a candidate on the whole endgame.
    pub fn trial(&self, candidate: &Candidate) -> TrialResult {
        let secure = candidate.view.secure;
        let doomed = (secure > 0).then(|| self.graph.doomed(&self.situations, secure));
        self.trial_of(&self.here(&candidate.terms, doomed.as_ref()), candidate.view)
    }

    /// Tries the scores of stopping at each position after a safe move.
    pub(super) fn trial_of(&self, here: &IndexVec<After, Score>, view: View) -> TrialResult {
        let forced = self.graph.forced(here, &self.situations, view.look, view.goal, &NoObserver);
        let forced = forced.expect("nobody asks it to stop");
        let best = self.graph.best(&forced, &self.situations);
        let won = self.backward.won(&self.graph, &self.situations, &forced, &best);
        let lost = self.optimum.pairs().filter(|&(at, &moves)| moves > 0 && won[at] == 0).count();
        TrialResult {
            lost,
            stuck: self.graph.stuck(&forced, &best, |before| self.optimum[before] > 0),
            longest: won.iter().copied().max().unwrap_or(0),
        }
    }
}
