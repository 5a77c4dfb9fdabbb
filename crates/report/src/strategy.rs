//! A strategy that was found, proved; all lists of keys, tried; what each part is for.

use lucena_base::words::{count, grouped, moves, percent};
use lucena_proof::certificate::RefutingLine;
use lucena_proof::policy::StrategyPolicy;
use lucena_proof::{ProveError, ProvedGame};
use lucena_strategy::{
    Exhausted, FIFTY_MOVES, Ground, Mined, Sentences, StrategyPart, without_each_part, written,
};
use lucena_tablebase::Tablebase;
use lucena_tree::{Key, Strategy, StrategyRule};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

use super::Worth;

/// What the verb strategy answers.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StrategyTold {
    /// A strategy, found or read.
    Strategy(Box<StrategyFound>),
    /// All lists of so many keys.
    Lists(Box<ListsTried>),
}

/// A strategy, proved against every reply and every move that it leaves tied.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StrategyFound {
    /// The endgame, as KRvK.
    pub material: String,
    /// How many rules it has.
    pub rules: usize,
    /// How many conditions and keys.
    pub size: usize,
    /// The rules in words, the first one first.
    pub sentences: Vec<String>,
    /// The same as a list, for people.
    #[serde(skip)]
    items: String,
    /// What it is worth.
    pub worth: Worth,
    /// How many candidates were looked at; 0 for a strategy that was read.
    pub candidates: u64,
    /// How many of them were changes of strategies that win.
    pub among_winners: u64,
    /// How many in a second; null for a strategy that was read.
    pub candidates_per_second: Option<f64>,
    /// What becomes of it without each of its parts; null where nobody asked.
    pub parts: Option<Vec<PartTold>>,
    /// The SHA-256 of the strategy as a JSON file.
    pub strategy_sha256: String,
}

/// A part of a strategy, and what becomes of the strategy without it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PartTold {
    /// The number of its rule, from 1.
    pub rule: usize,
    /// The part, in words.
    pub part: String,
    /// Positions that are won without it.
    pub won: u64,
    /// The line that refutes the strategy without it; null where it still wins: then the part makes it
    /// quicker, or is needless.
    pub refutation: Option<RefutingLine>,
    /// Moves of the longest game without it; null where nothing is won.
    pub longest_moves: Option<u16>,
    /// Moves over the optimum without it, on average over what is won.
    pub mean_excess_moves: Option<f64>,
}

/// All lists of so many keys of different attributes, tried.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListsTried {
    /// The endgame, as KRvK.
    pub material: String,
    /// The attributes that keys may ask for.
    pub attributes: Vec<String>,
    /// How many keys there are: of those that order the moves of every position alike only the first
    /// counts.
    pub keys: usize,
    /// How many keys a list has. What wins with fewer wins with more behind them too.
    pub length: usize,
    /// How many lists there are.
    pub lists: u64,
    /// How many were refuted together by a beginning that they share: even free choice among the moves
    /// that it leaves does not win.
    pub refuted_by_beginning: u64,
    /// How many were refuted one by one.
    pub refuted_by_play: u64,
    /// How many positions, up to symmetry, were enough to refute them all.
    pub by_positions: usize,
    /// Lists that win, the quickest first; at most a thousand.
    pub winners: Vec<ListTold>,
    /// How many lists were drawn by lot and refuted once more, from the rules alone.
    pub sampled: usize,
    /// Lists among those drawn that win, and should not.
    pub sample_winners: usize,
    /// Lists refuted in a second.
    pub lists_per_second: f64,
    /// Seconds that it took.
    pub seconds: f64,
}

/// A list of keys that wins.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ListTold {
    /// The keys, as in "least RBoxSides".
    pub keys: Vec<String>,
    /// Moves of the longest game.
    pub longest_moves: u16,
    /// Moves over the optimum, on average.
    pub mean_excess_moves: f64,
}

impl StrategyFound {
    /// The report of a strategy; what a search did, if one found it.
    pub fn new(policy: &StrategyPolicy, worth: Worth, found: Option<&Mined>) -> Self {
        let strategy = policy.strategy();
        let sentences = Sentences::new(policy);
        Self {
            material: strategy.head().material.clone(),
            rules: strategy.rules().len(),
            size: strategy.size(),
            items: (0..strategy.rules().len()).map(|rule| sentences.item(rule)).collect(),
            sentences: (0..strategy.rules().len()).map(|rule| sentences.rule(rule)).collect(),
            worth,
            candidates: found.map_or(0, |found| found.candidates),
            among_winners: found.map_or(0, |found| found.among_winners),
            candidates_per_second: found.map(|found| {
                found.candidates as f64 / found.elapsed.as_secs_f64().max(f64::EPSILON)
            }),
            parts: None,
            strategy_sha256: strategy.sha256(),
        }
    }

    /// The same, telling what becomes of the strategy without each of its parts.
    ///
    /// # Errors
    /// When that cannot be proved.
    pub fn with_parts(
        self,
        policy: &StrategyPolicy,
        tablebase: &Tablebase,
    ) -> Result<Self, ProveError> {
        let sentences = Sentences::new(policy);
        let told = |(part, left): (StrategyPart, Strategy)| {
            let without = StrategyPolicy::new(left).expect("less of what makes a policy makes one");
            let proof = ProvedGame::new(&without, tablebase)?.proof();
            let rule = match part {
                StrategyPart::Condition(rule, _)
                | StrategyPart::Key(rule, _)
                | StrategyPart::Rule(rule) => rule + 1,
            };
            Ok(PartTold {
                rule,
                part: sentences.part(part),
                won: proof.won,
                refutation: proof.refutation.as_ref().map(RefutingLine::from),
                longest_moves: proof.longest_moves,
                mean_excess_moves: proof.mean_excess_moves,
            })
        };
        let parts = without_each_part(policy.strategy()).into_iter().map(told);
        Ok(Self { parts: Some(parts.collect::<Result<_, ProveError>>()?), ..self })
    }

    /// The report in sentences.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = count(self.rules as u64, "rule", "rules");
        writeln!(out, "{}: {rules}, size {}", self.material, self.size)?;
        out.write_all(self.items.as_bytes())?;
        writeln!(out, "  proved: {}", self.worth.sentence())?;
        writeln!(out, "  optimal moves: {}", percent(self.worth.optimal_share))?;
        if let Some(line) = self.worth.refutation_line() {
            writeln!(out, "  {line}")?;
        }
        for part in self.parts.iter().flatten() {
            let PartTold { rule, part: words, .. } = part;
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

impl PartTold {
    /// What becomes of the strategy without the part.
    fn sentence(&self) -> String {
        match (&self.refutation, self.longest_moves, self.mean_excess_moves) {
            (Some(RefutingLine { fen, san, reason, .. }), ..) => {
                format!("not won: {fen}, because of {} ({reason})", san.join(" "))
            }
            (None, Some(longest), Some(excess)) => {
                let longest = moves(longest.into());
                format!("still won, longest {longest}, {excess:.2} moves over the optimum")
            }
            (None, ..) => "nothing is won".into(),
        }
    }
}

impl ListsTried {
    /// The report of all lists; with a sample of them refuted once more from the rules alone, drawn by a
    /// seed.
    ///
    /// # Errors
    /// When the sample cannot be proved.
    pub fn new(
        exhausted: &Exhausted,
        ground: &Ground,
        seconds: f64,
        sample: Option<(usize, u64)>,
        tablebase: &Tablebase,
    ) -> Result<Self, ProveError> {
        let names: Vec<String> =
            ground.attributes().attributes().iter().map(|known| known.name().to_owned()).collect();
        let positions = ground.positions() as f64;
        let told = |key: &Key| format!("{} {}", key.aim.word(), names[key.attribute]);
        let winners = exhausted.winners.iter().map(|winner| ListTold {
            keys: winner.keys.iter().map(told).collect(),
            longest_moves: winner.longest,
            mean_excess_moves: winner.excess as f64 / positions,
        });
        let (mut sampled, mut sample_winners) = (0, 0);
        if let Some((count, seed)) = sample {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            while sampled < count {
                let Some(keys) = drawn(&exhausted.all_keys, exhausted.length, &mut rng) else {
                    break;
                };
                if exhausted.winners.iter().any(|winner| winner.keys == keys) {
                    continue;
                }
                sampled += 1;
                let policy = policy_of(ground, keys);
                let proof = ProvedGame::new(&policy, tablebase)?.proof();
                let is_within = proof.longest_moves.is_some_and(|moves| moves <= FIFTY_MOVES);
                sample_winners += usize::from(proof.wins_all() && is_within);
            }
        }
        Ok(Self {
            material: ground.material().to_string(),
            keys: exhausted.all_keys.len(),
            length: exhausted.length,
            lists: exhausted.lists,
            refuted_by_beginning: exhausted.refuted_by_beginning,
            refuted_by_play: exhausted.refuted_by_play,
            by_positions: exhausted.by_positions,
            winners: winners.collect(),
            attributes: names.clone(),
            sampled,
            sample_winners,
            lists_per_second: exhausted.lists as f64 / seconds.max(f64::EPSILON),
            seconds,
        })
    }

    /// The report in sentences.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, length, .. } = self;
        let lists = count(self.lists, "list", "lists");
        writeln!(
            out,
            "{material}, {lists} of {} over {}:",
            count(*length as u64, "key", "keys"),
            count(self.attributes.len() as u64, "attribute", "attributes")
        )?;
        match self.winners.as_slice() {
            [] => writeln!(out, "  none wins every position within fifty moves")?,
            winners => {
                let many = count(winners.len() as u64, "list wins", "lists win");
                writeln!(out, "  {many}; the quickest:")?;
                for ListTold { keys, longest_moves, mean_excess_moves } in winners.iter().take(5) {
                    let longest = moves(u64::from(*longest_moves));
                    writeln!(
                        out,
                        "    {}: longest {longest}, {mean_excess_moves:.2} over the optimum",
                        keys.join(", ")
                    )?;
                }
            }
        }
        writeln!(
            out,
            "  refuted: {} by a beginning that even free choice cannot save, {} one by one, by {} positions in all",
            grouped(self.refuted_by_beginning),
            grouped(self.refuted_by_play),
            grouped(self.by_positions as u64)
        )?;
        if self.sampled > 0 {
            writeln!(
                out,
                "  {} drawn by lot and tried again from the rules alone: {} won",
                count(self.sampled as u64, "list", "lists"),
                self.sample_winners
            )?;
        }
        let each_second = grouped(self.lists_per_second as u64);
        writeln!(out, "  {:.1} s, {each_second} lists a second", self.seconds)
    }
}

/// A list of keys of different attributes, drawn by lot; nothing where there are too few.
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

fn policy_of(ground: &Ground, keys: Vec<Key>) -> StrategyPolicy {
    let rule = StrategyRule { guard: Vec::new(), keys };
    let strategy = written(ground, vec![rule], Vec::new());
    StrategyPolicy::new(strategy).expect("what may be asked makes a policy")
}
