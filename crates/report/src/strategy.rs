//! Reports of the verb `find strategy`: a strategy with its proof and its parts, or an exhaustive search
//! of lists of keys.

use super::prove::{ProofSummary, lengths, not_won};
use super::sample::ProofSample;
use lucena_base::plural::{count, grouped, moves, percent};
use lucena_base::progress::Observer;
use lucena_explain::StrategySentences;
use lucena_model::{Key, Strategy, StrategyPart, StrategyRule, without_each_part};
use lucena_proof::certificate::CertificateRefutation;
use lucena_proof::policy::StrategyPolicy;
use lucena_proof::{Proof, ProveError, ProvedGame};
use lucena_strategy::{
    Exhaustion, MiningResult, MoveTable, RefutedLists, StrategyTrial, Winner, to_strategy,
};
use lucena_tablebase::Tablebase;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The answer of the verb `find strategy`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StrategyReport {
    /// A strategy, found or read.
    Strategy(Box<StrategySummary>),
    /// An exhaustive search of all lists with some number of keys.
    Lists(Box<KeyListsReport>),
}

/// A strategy, proved against every reply, whichever of its tied moves is played.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StrategySummary {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The number of its rules.
    pub rules: usize,
    /// The number of its conditions and keys.
    pub size: usize,
    /// The rules in words, in order.
    pub sentences: Vec<String>,
    /// The rules as a list for people.
    #[serde(skip)]
    items: String,
    /// Its proved strength.
    pub worth: ProofSummary,
    /// Candidates examined; 0 for a strategy that was read.
    pub candidates: u64,
    /// The number of them that were changes of winning strategies.
    pub among_winners: u64,
    /// Candidates per second; null for a strategy that was read.
    pub candidates_per_second: Option<f64>,
    /// The strategy without each of its parts; null if not asked for.
    pub parts: Option<Vec<PartAblation>>,
    /// The SHA-256 of the strategy as a JSON file.
    pub strategy_sha256: String,
}

/// A part of a strategy, and the strategy without it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PartAblation {
    /// The number of its rule, from 1.
    pub rule: usize,
    /// The part, in words.
    pub part: String,
    /// Positions won without it.
    pub won: u64,
    /// The line that refutes the strategy without it; null if it still wins, so that the part only
    /// makes it faster or is not needed.
    pub refutation: Option<CertificateRefutation>,
    /// Moves of the longest game without it; null if nothing is won.
    pub longest_moves: Option<u16>,
    /// Mean moves over the optimum without it, over the won positions; null if nothing is won.
    pub mean_excess_moves: Option<f64>,
}

/// An exhaustive search of all lists of keys on different attributes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KeyListsReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The attributes that keys may use.
    pub attributes: Vec<String>,
    /// The number of keys; of keys that order the moves of every position alike only the first
    /// counts.
    pub keys: usize,
    /// The number of keys of a list. A shorter list that wins also wins with more keys appended.
    pub length: usize,
    /// The number of lists.
    pub lists: u64,
    /// Lists refuted together by a common prefix: even a free choice among the moves it leaves does
    /// not win.
    pub refuted_by_beginning: u64,
    /// Lists refuted one by one.
    pub refuted_by_play: u64,
    /// The number of positions, up to symmetry, that refute all of them.
    pub by_positions: usize,
    /// Winning lists, fastest first; at most a thousand.
    pub winners: Vec<WinningList>,
    /// The size of a random sample of lists that were refuted again from the rules alone.
    pub sampled: usize,
    /// Lists of the sample that win although they were refuted: an error of the search.
    pub sample_winners: usize,
    /// Lists refuted per second.
    pub lists_per_second: f64,
    /// Elapsed time in seconds, with that of the sample.
    pub seconds: f64,
}

/// A winning list of keys.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WinningList {
    /// The keys, such as "least RBoxSides".
    pub keys: Vec<String>,
    /// Moves of the longest game.
    pub longest_moves: u16,
    /// Mean moves over the optimum.
    pub mean_excess_moves: f64,
}

impl StrategySummary {
    /// The report on a strategy, with the figures of the search that found it, if any.
    pub fn new(
        policy: &StrategyPolicy,
        worth: ProofSummary,
        found: Option<&MiningResult<Strategy, StrategyTrial>>,
    ) -> Self {
        let strategy = policy.strategy();
        let sentences = StrategySentences::new(policy);
        Self {
            material: strategy.origin().material.clone(),
            rules: strategy.rules().len(),
            size: strategy.size(),
            items: (0..strategy.rules().len()).map(|rule| sentences.item(rule)).collect(),
            sentences: (0..strategy.rules().len()).map(|rule| sentences.rule(rule)).collect(),
            worth,
            candidates: found.map_or(0, |found| found.candidates),
            among_winners: found.map_or(0, |found| found.trial.among_winners),
            candidates_per_second: found.map(|found| {
                found.candidates as f64 / found.elapsed.as_secs_f64().max(f64::EPSILON)
            }),
            parts: None,
            strategy_sha256: strategy.sha256(),
        }
    }

    /// Adds the proof of the strategy without each of its parts.
    ///
    /// # Errors
    /// If that cannot be proved.
    pub fn with_parts(
        self,
        policy: &StrategyPolicy,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        let sentences = StrategySentences::new(policy);
        let part_report = |(part, left): (StrategyPart, Strategy)| {
            let without = StrategyPolicy::new(left).expect("less of what makes a policy makes one");
            let proof =
                ProvedGame::with_observer(&without, tablebase, observer)?.proof(observer)?;
            use StrategyPart::{Condition, Key, Rule};
            let (Condition(rule, _) | Key(rule, _) | Rule(rule)) = part;
            let (rule, part) = (rule + 1, sentences.part(part));
            let Proof { won, longest_moves, mean_excess_moves, ref refutation, .. } = proof;
            let refutation = refutation.as_ref().map(CertificateRefutation::from);
            Ok(PartAblation { rule, part, won, refutation, longest_moves, mean_excess_moves })
        };
        let parts = without_each_part(policy.strategy()).into_iter().map(part_report);
        Ok(Self { parts: Some(parts.collect::<Result<_, ProveError>>()?), ..self })
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = count(self.rules as u64, "rule", "rules");
        writeln!(out, "{}: {rules}, size {}", self.material, self.size)?;
        out.write_all(self.items.as_bytes())?;
        writeln!(out, "  proved: {}", self.worth.sentence())?;
        writeln!(out, "  optimal moves: {}", percent(self.worth.proof.optimal_share))?;
        if let Some(line) = self.worth.refutation_line() {
            writeln!(out, "  {line}")?;
        }
        for part in self.parts.iter().flatten() {
            let PartAblation { rule, part: words, .. } = part;
            writeln!(out, "  without \"{words}\" (rule {rule}): {}", part.sentence())?;
        }
        if let Some(each_second) = self.candidates_per_second {
            let candidates = count(self.candidates, "candidate", "candidates");
            let each_second = grouped(each_second as u64);
            writeln!(out, "  {candidates}, {each_second} a second")?;
        }
        writeln!(out, "  strategy sha256 {}", self.strategy_sha256)
    }
}

impl PartAblation {
    /// The strength of the strategy without the part, in words.
    fn sentence(&self) -> String {
        match (&self.refutation, lengths(self.longest_moves, self.mean_excess_moves)) {
            (Some(refutation), _) => not_won(refutation),
            (None, Some(lengths)) => format!("still won, {lengths}"),
            (None, None) => "nothing is won".into(),
        }
    }
}

impl KeyListsReport {
    /// The report on an exhaustive search. The sample is of lists to refute again from the rules alone.
    ///
    /// # Errors
    /// If the sample cannot be proved.
    pub fn new(
        exhausted: &Exhaustion<Key, Winner, RefutedLists>,
        table: &MoveTable,
        seconds: f64,
        sample: Option<ProofSample<'_>>,
    ) -> Result<Self, ProveError> {
        let names: Vec<String> =
            table.attributes().attributes().iter().map(|known| known.name().to_owned()).collect();
        let positions = table.positions() as f64;
        let key_in_words = |key: &Key| format!("{} {}", key.aim.word(), names[key.attribute]);
        let winners = exhausted.winners.iter().map(|winner| WinningList {
            keys: winner.keys.iter().map(key_in_words).collect(),
            longest_moves: winner.longest,
            mean_excess_moves: winner.excess as f64 / positions,
        });
        let draw = |rng: &mut ChaCha8Rng| {
            let mut keys = drawn(&exhausted.parts, exhausted.size, rng)?;
            while exhausted.winners.iter().any(|winner| winner.keys == keys) {
                keys = drawn(&exhausted.parts, exhausted.size, rng)?;
            }
            let rule = StrategyRule { guard: Vec::new(), keys };
            let strategy = to_strategy(table, vec![rule], Vec::new());
            let policy = StrategyPolicy::new(strategy).expect("what may be asked makes one");
            Some((policy, false))
        };
        let (sampled, sample_winners) = sample.map_or(Ok((0, 0)), |sample| sample.prove(draw))?;
        Ok(Self {
            material: table.material().to_string(),
            keys: exhausted.parts.len(),
            length: exhausted.size,
            lists: exhausted.candidates,
            refuted_by_beginning: exhausted.detail.by_beginning,
            refuted_by_play: exhausted.detail.by_play,
            by_positions: exhausted.detail.by_positions,
            winners: winners.collect(),
            attributes: names.clone(),
            sampled,
            sample_winners,
            lists_per_second: exhausted.candidates as f64 / seconds.max(f64::EPSILON),
            seconds,
        })
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, length, .. } = self;
        let lists = count(self.lists, "list", "lists");
        let keys = count(*length as u64, "key", "keys");
        let attributes = count(self.attributes.len() as u64, "attribute", "attributes");
        writeln!(out, "{material}, {lists} of {keys} over {attributes}:")?;
        match self.winners.as_slice() {
            [] => writeln!(out, "  none wins every position within fifty moves")?,
            winners => {
                let many = count(winners.len() as u64, "list wins", "lists win");
                writeln!(out, "  {many}; the quickest:")?;
                for WinningList { keys, longest_moves, mean_excess_moves: over } in
                    winners.iter().take(5)
                {
                    let (keys, longest) = (keys.join(", "), moves((*longest_moves).into()));
                    writeln!(out, "    {keys}: longest {longest}, {over:.2} over the optimum")?;
                }
            }
        }
        let [beginning, play] = [self.refuted_by_beginning, self.refuted_by_play].map(grouped);
        write!(out, "  refuted: {beginning} by a beginning after which even free choice does ")?;
        let positions = count(self.by_positions as u64, "position", "positions");
        writeln!(out, "not win, {play} one by one, by {positions} in all")?;
        if self.sampled > 0 {
            let (lists, won) = (count(self.sampled as u64, "list", "lists"), self.sample_winners);
            write!(out, "  {lists} drawn at random and tried again from the rules alone: ")?;
            writeln!(out, "{won} won")?;
        }
        let each_second = grouped(self.lists_per_second as u64);
        writeln!(out, "  {:.1} s, {each_second} lists a second", self.seconds)
    }
}

/// A random list of keys on different attributes; `None` if there are too few.
fn drawn(keys: &[Key], length: usize, rng: &mut ChaCha8Rng) -> Option<Vec<Key>> {
    let mut all = keys.to_vec();
    all.shuffle(rng);
    let mut list: Vec<Key> = Vec::new();
    for key in all {
        if list.len() < length && list.iter().all(|known| known.attribute != key.attribute) {
            list.push(key);
        }
    }
    (list.len() == length).then_some(list)
}
