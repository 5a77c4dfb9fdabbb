//! Reports of the verb `find measure`: a measure with its proof, or an exhaustive search of measures.

use super::prove::ProofSummary;
use super::sample::ProofSample;
use lucena_base::plural::{count, grouped, moves, percent};
use lucena_explain::measure_sentences;
use lucena_measure::{
    Candidate, Exhaustion, MeasureTable, MiningResult, TrialResult, TriedMeasures, to_measure,
};
use lucena_model::{Contribution, Goal, Horizon, Measure};
use lucena_proof::ProveError;
use lucena_proof::guarantee::FIFTY_MOVES;
use lucena_proof::policy::MeasurePolicy;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The answer of the verb `find measure`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum MeasureReport {
    /// A measure, found or read.
    Measure(Box<MeasureSummary>),
    /// An exhaustive search.
    Tried(Box<MeasuresTriedReport>),
}

/// A measure, proved against every reply, whichever of its tied moves is played.
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
        found: Option<&MiningResult<Measure, TrialResult>>,
    ) -> Self {
        let measure = policy.measure();
        let Horizon { look, goal, secure } = measure.horizon();
        let terms =
            measure.terms().iter().zip(measure_sentences(policy)).map(|(term, sentence)| {
                let (weight, table) = match &term.contribution {
                    Contribution::Weight(weight) => (Some(*weight), None),
                    Contribution::Table(numbers) => (None, Some(numbers.clone())),
                };
                TermSummary { quantity: term.quantity.name.clone(), weight, table, sentence }
            });
        Self {
            material: measure.origin().material.clone(),
            terms: terms.collect(),
            numbers: measure.numbers(),
            look,
            goal: match goal {
                Goal::AnyMove => "any-move",
                Goal::LaterMove => "later-move",
            },
            secure,
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

/// An exhaustive search of all measures with a number of terms and weights up to an amount.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MeasuresTriedReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The quantities that terms may use. Of quantities that differ by a constant, only the first counts.
    pub quantities: Vec<String>,
    /// The number of terms of each measure, all of different quantities.
    pub terms: usize,
    /// The greatest amount of a weight.
    pub weight: u16,
    /// The number of moves that they look ahead.
    pub look: u8,
    /// The number of measures. Of measures whose weights are multiples of each other only one is tried.
    pub measures: u64,
    /// The measures that win everything within fifty moves, quickest first; at most a thousand.
    pub winners: Vec<WinningMeasure>,
    /// The measure that wins most positions; null if some win all.
    pub nearest: Option<NearestMeasure>,
    /// The size of a random sample of measures that were proved again from their terms alone.
    pub sampled: usize,
    /// Measures of the sample whose proof differs from the search: errors of the search.
    pub sample_errors: usize,
    /// Measures tried per second.
    pub measures_per_second: f64,
    /// Elapsed time in seconds, with that of the sample.
    pub seconds: f64,
}

/// A winning measure.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WinningMeasure {
    /// The terms, such as "-5 KBeside".
    pub terms: Vec<String>,
    /// Moves of the longest game.
    pub longest_moves: u16,
    /// True if the value that can be forced falls with every move.
    pub is_ranking: bool,
}

/// A measure that does not win everything.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NearestMeasure {
    /// The terms, such as "-5 KBeside".
    pub terms: Vec<String>,
    /// The positions, up to symmetry, that can be won and are not.
    pub lost: usize,
}

impl MeasuresTriedReport {
    /// The report on an exhaustive search. The sample is of measures to prove again from their terms alone.
    ///
    /// # Errors
    /// If the sample cannot be proved.
    pub fn new(
        tried: &Exhaustion<usize, (Candidate, TrialResult), TriedMeasures>,
        table: &MeasureTable,
        seconds: f64,
        sample: Option<ProofSample<'_>>,
    ) -> Result<Self, ProveError> {
        let known = table.quantities().quantities();
        let terms_in_words = |candidate: &Candidate| -> Vec<String> {
            let terms = candidate.terms.iter();
            terms.map(|&(at, weight)| format!("{weight} {}", known[at].name())).collect()
        };
        let draw = |rng: &mut ChaCha8Rng| {
            let candidate = tried.detail.draw(&tried.parts, tried.size, rng)?;
            let measure = to_measure(table, &candidate, Vec::new());
            let policy = MeasurePolicy::from_checked(measure).expect("what was tried makes one");
            // The list of winners is cut off, so the trial is asked.
            let trial = table.trial(&candidate);
            Some((policy, trial.wins() && trial.longest <= FIFTY_MOVES))
        };
        let (sampled, sample_errors) = sample.map_or(Ok((0, 0)), |sample| sample.prove(draw))?;
        let winners = tried.winners.iter().map(|(candidate, trial)| WinningMeasure {
            terms: terms_in_words(candidate),
            longest_moves: trial.longest,
            is_ranking: trial.is_ranking(),
        });
        let nearest = tried.detail.nearest.as_ref().map(|(candidate, trial)| NearestMeasure {
            terms: terms_in_words(candidate),
            lost: trial.lost,
        });
        Ok(Self {
            material: table.material().to_string(),
            quantities: tried.parts.iter().map(|&at| known[at].name()).collect(),
            terms: tried.size,
            weight: tried.detail.weight,
            look: tried.detail.horizon.look,
            measures: tried.candidates,
            winners: winners.collect(),
            nearest,
            sampled,
            sample_errors,
            measures_per_second: tried.candidates as f64 / seconds.max(f64::EPSILON),
            seconds,
        })
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let measures = count(self.measures, "measure", "measures");
        let terms = count(self.terms as u64, "term", "terms");
        let quantities = count(self.quantities.len() as u64, "quantity", "quantities");
        let look = moves(self.look.into());
        writeln!(
            out,
            "{}, {measures} of {terms} over {quantities}, weights up to {}, looking {look} ahead:",
            self.material, self.weight
        )?;
        match (self.winners.as_slice(), &self.nearest) {
            ([], nearest) => {
                writeln!(out, "  none wins every position within fifty moves")?;
                if let Some(NearestMeasure { terms, lost }) = nearest {
                    let lost = count(*lost as u64, "position", "positions");
                    writeln!(
                        out,
                        "  the nearest, {}, fails in {lost}, up to symmetry",
                        terms.join(", ")
                    )?;
                }
            }
            (winners, _) => {
                let many = count(winners.len() as u64, "measure wins", "measures win");
                writeln!(out, "  {many}; the quickest:")?;
                for WinningMeasure { terms, longest_moves, .. } in winners.iter().take(5) {
                    let longest = moves((*longest_moves).into());
                    writeln!(out, "    {}: longest {longest}", terms.join(", "))?;
                }
            }
        }
        if self.sampled > 0 {
            let sampled = count(self.sampled as u64, "measure", "measures");
            let wrong = self.sample_errors;
            writeln!(
                out,
                "  {sampled} drawn at random and proved again from their terms: {wrong} judged differently"
            )?;
        }
        let each_second = grouped(self.measures_per_second as u64);
        writeln!(out, "  {:.1} s, {each_second} measures a second", self.seconds)
    }
}
