//! The smallest tree found that keeps a guarantee.

use super::prove::won_sentence;
use lucena_base::plural::{count, grouped, percent};
use lucena_model::DecisionTree;
use lucena_proof::Proof;
use lucena_theory::{Guarantee, MiningResult};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The smallest tree that a search has found, with its proof.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DistilReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The guarantee it keeps.
    pub keep: String,
    /// Leaves of the tree.
    pub leaves: usize,
    /// Tests in the tree.
    pub tests: usize,
    /// The number of attributes it tests.
    pub attributes: usize,
    /// The most tests on a path.
    pub depth: usize,
    /// Legal positions of the full board with the strong side to move.
    pub positions: u64,
    /// Those from which it mates against every defence.
    pub won: u64,
    /// Moves of the strong side in the longest game from a won position; null if none is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum, over the won positions; null if none is won.
    pub mean_excess_moves: Option<f64>,
    /// The share of all positions in which the chosen move is an optimal one, from 0 to 1.
    pub optimal_share: f64,
    /// The number of candidates examined.
    pub candidates: u64,
    /// Candidates per second.
    pub candidates_per_second: f64,
    /// The SHA-256 of the tree as a JSON file.
    pub tree_sha256: String,
    /// Seconds that the search took.
    pub seconds: f64,
}

impl DistilReport {
    /// The report on the result of a search and its proof.
    pub fn new(
        tree: &DecisionTree,
        found: &MiningResult<DecisionTree>,
        guarantee: Guarantee,
        proof: &Proof,
    ) -> Self {
        let (candidates, seconds) = (found.candidates, found.elapsed.as_secs_f64());
        Self {
            material: tree.origin().material.clone(),
            keep: guarantee.to_string(),
            leaves: tree.leaves(),
            tests: tree.tests(),
            attributes: tree.head().attributes.len(),
            depth: tree.depth(),
            positions: proof.positions,
            won: proof.won,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: proof.optimal_share,
            candidates,
            candidates_per_second: candidates as f64 / seconds.max(f64::EPSILON),
            tree_sha256: tree.sha256(),
            seconds,
        }
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, keep, depth, .. } = self;
        let leaves = count(self.leaves as u64, "leaf", "leaves");
        let tests = count(self.tests as u64, "test", "tests");
        let attributes = count(self.attributes as u64, "attribute", "attributes");
        writeln!(
            out,
            "{material}, {keep}: {leaves}, {tests}, {attributes} asked about, depth {depth}"
        )?;
        let Self { positions, won, longest_moves, mean_excess_moves, .. } = *self;
        let won = won_sentence(won, positions, longest_moves, mean_excess_moves);
        writeln!(out, "  proved: {won}\n  optimal moves: {}", percent(self.optimal_share))?;
        let candidates = count(self.candidates, "candidate", "candidates");
        let each_second = grouped(self.candidates_per_second as u64);
        writeln!(out, "  {candidates} in {:.1} s, {each_second} a second", self.seconds)?;
        writeln!(out, "  tree sha256 {}", self.tree_sha256)
    }
}
