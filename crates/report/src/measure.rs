//! Reports of the verb `measure`: a measure with its proof.

use super::prove::ProofSummary;
use lucena_base::plural::{count, percent};
use lucena_measure::{MeasureSearchResult, sentences};
use lucena_proof::policy::MeasurePolicy;
use lucena_tree::{Contribution, Goal};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The answer of the verb `measure`: a measure, proved against every reply, whichever of its tied moves is played.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MeasureSummary {
    /// The endgame, such as KRvK.
    pub material: String,
    /// Its terms, in order.
    pub terms: Vec<TermSummary>,
    /// The number of numbers in its terms: 1 for a weight, all entries of a table.
    pub numbers: usize,
    /// The number of moves of the strong side that it looks ahead, after the next one.
    pub look: u8,
    /// The positions at which it may stop looking: any-move, or later-move for those after the next move only.
    pub goal: &'static str,
    /// The number of replies within which the weak side must not be able to force the gain of a man at such a position.
    pub secure: u8,
    /// Its proved strength.
    pub worth: ProofSummary,
    /// True if the best value that can be forced falls with every move, which is a proof by itself.
    pub is_ranking: bool,
    /// Candidates examined; 0 for a measure that was read.
    pub candidates: u64,
    /// Candidates per second; null for a measure that was read.
    pub candidates_per_second: Option<f64>,
    /// The SHA-256 of the measure as a JSON file.
    pub measure_sha256: String,
}

/// A term of a measure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TermSummary {
    /// The name of the quantity.
    pub quantity: String,
    /// Its weight; null if the term is a table.
    pub weight: Option<i32>,
    /// The number for each value of the quantity; null if the term is a weight.
    pub table: Option<Vec<i32>>,
    /// The term in words.
    pub sentence: String,
}

impl MeasureSummary {
    /// The report on a measure, with the figures of the search that found it, if any.
    pub fn new(
        policy: &MeasurePolicy,
        worth: ProofSummary,
        is_ranking: bool,
        found: Option<&MeasureSearchResult>,
    ) -> Self {
        let measure = policy.measure();
        let head = measure.head();
        let terms = measure.terms().iter().zip(sentences(policy)).map(|(term, sentence)| {
            let (weight, table) = match &term.contribution {
                Contribution::Weight(weight) => (Some(*weight), None),
                Contribution::Table(numbers) => (None, Some(numbers.clone())),
            };
            TermSummary { quantity: term.quantity.name.clone(), weight, table, sentence }
        });
        Self {
            material: head.material.clone(),
            terms: terms.collect(),
            numbers: measure.numbers(),
            look: head.look,
            goal: match head.goal {
                Goal::AnyMove => "any-move",
                Goal::LaterMove => "later-move",
            },
            secure: head.secure,
            worth,
            is_ranking,
            candidates: found.map_or(0, |found| found.candidates),
            candidates_per_second: found.map(|found| {
                found.candidates as f64 / found.elapsed.as_secs_f64().max(f64::EPSILON)
            }),
            measure_sha256: measure.sha256(),
        }
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let terms = count(self.terms.len() as u64, "term", "terms");
        let look = count(self.look.into(), "move", "moves");
        writeln!(out, "{}: a measure of {terms}, looking {look} ahead", self.material)?;
        for TermSummary { quantity, sentence, .. } in &self.terms {
            writeln!(out, "  {sentence} ({quantity})")?;
        }
        writeln!(out, "  proved: {}", self.worth.sentence())?;
        let ranking = if self.is_ranking {
            "the value that can be forced falls with every move"
        } else {
            "the value that can be forced does not fall with every move, but no play goes round in circles"
        };
        if self.worth.is_complete() {
            writeln!(out, "  {ranking}")?;
        }
        writeln!(out, "  optimal moves: {}", percent(self.worth.proof.optimal_share))?;
        if let Some(line) = self.worth.refutation_line() {
            writeln!(out, "  {line}")?;
        }
        if let Some(each_second) = self.candidates_per_second {
            let candidates = count(self.candidates, "candidate", "candidates");
            writeln!(out, "  {candidates}, {each_second:.1} a second")?;
        }
        writeln!(out, "  measure sha256 {}", self.measure_sha256)
    }
}
