//! Rules about outcomes, each with its exact record.

use super::rule_record::{
    ColorName, HeldOutEntry, HeldOutRecord, RepairEntry, RuleExample, positions, share, verb,
};
use super::thumb::ThumbReport;
use super::verdicts::{RuleVerdict, RuleVerdicts};
use lucena_base::plural::{count, grouped, percent};
use lucena_base::progress::{Observer, Stopped, timed};
use lucena_explain::rule_sentence;
use lucena_rules::{Claim, ListCounts, Rule, RuleCounts, RuleList, SearchParams, WithoutClause};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The record of a list of rules: of each rule by itself, or of rules of thumb, which are read in order.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RuleListReport {
    /// Each rule stands for itself.
    Each(Box<RulesReport>),
    /// The first rule that applies decides.
    InOrder(Box<ThumbReport>),
}

impl RuleListReport {
    /// Returns true if no rule is wrong in a position that it decides.
    pub fn is_right(&self) -> bool {
        match self {
            Self::Each(report) => report.wrong == 0,
            Self::InOrder(report) => report.wrong == 0,
        }
    }

    /// Returns true if the rules are what a search for them is meant to find: without exceptions outside the positions that
    /// were held out, or rules of thumb.
    pub fn is_as_sought(&self) -> bool {
        match self {
            Self::Each(report) => {
                report.wrong == report.held_out.as_ref().map_or(0, |held_out| held_out.wrong)
            }
            Self::InOrder(_) => true,
        }
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Each(report) => report.write_text(out),
            Self::InOrder(report) => report.write_text(out),
        }
    }

    /// The report as a section in Markdown. The list has the rules of the report.
    pub fn to_markdown(&self, list: &RuleList) -> String {
        match self {
            Self::Each(report) => report.verdicts().to_markdown(list),
            Self::InOrder(report) => report.to_markdown(),
        }
    }

    /// The verdicts on the rules, to be stored beside them.
    pub fn verdicts(&self) -> RuleVerdicts {
        match self {
            Self::Each(report) => report.verdicts(),
            Self::InOrder(report) => report.verdicts(),
        }
    }
}

/// The record of a list of rules over all positions of an endgame. Positions are counted up to symmetry, with either side
/// to move, without rights to capture en passant. Wins that the fifty-move rule would draw count as wins.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RulesReport {
    /// The endgame, such as KRPvKR.
    pub material: String,
    /// All legal positions.
    pub positions: u64,
    /// Those that White wins.
    pub won: u64,
    /// Of these, those of which some rule says so.
    pub won_decided: u64,
    /// The positions that White does not win.
    pub not_won: u64,
    /// Of these, those of which some rule says so.
    pub not_won_decided: u64,
    /// The positions of which some rule says the contrary of what is true.
    pub wrong: u64,
    /// The positions that were kept from the search for the rules; null if there are none.
    pub held_out: Option<HeldOutEntry>,
    /// Each rule, in order.
    pub rules: Vec<RuleEntry>,
    /// Seconds that the count took.
    pub seconds: f64,
}

/// A rule with its record.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RuleEntry {
    /// Its name.
    pub name: String,
    /// Its title; null if it has none.
    pub title: Option<String>,
    /// Where it was published; null if nowhere.
    pub source: Option<String>,
    /// What it says: win if White wins, draw if White does not win.
    pub claim: Claim,
    /// The side to move in its positions, white or black; null for either.
    pub turn: Option<ColorName>,
    /// Its clauses, all of which must hold, as formulas.
    pub when: Vec<String>,
    /// The rule in words.
    pub sentence: String,
    /// The positions in which it applies.
    pub applies: u64,
    /// Of these, those in which it is right.
    pub right: u64,
    /// Of these, those of which no rule before it says the same.
    pub adds: u64,
    /// The share of all positions with its outcome of which it or a rule before it says so, from 0 to 1; null if there is
    /// none.
    pub decided_so_far: Option<f64>,
    /// An exception: a draw if there is one, otherwise the one with the least distance; null if it is always right.
    pub exception: Option<RuleExample>,
    /// The position in which it is right and the distance is greatest; null if all of them are drawn.
    pub hardest: Option<RuleExample>,
    /// A position in which it is right, from anywhere in the endgame; null if it is never right.
    pub example: Option<RuleExample>,
    /// For each clause, what the rule would be without it.
    pub without: Vec<WithoutEntry>,
    /// The smallest repair; null if the rule needs none, none was found, or none was looked for.
    pub repair: Option<RepairEntry>,
    /// The record that it claims: the positions in which it applies without an exception; null if it claims none.
    pub decides: Option<u64>,
    /// Of the positions in which it applies, those that were kept from the search; null if none were.
    pub held_out: Option<HeldOutRecord>,
}

/// What a rule would be without one of its clauses.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct WithoutEntry {
    /// The clause, as a formula.
    pub clause: String,
    /// The positions in which this clause alone prevents an error.
    pub wrong: u64,
    /// One of them: a draw if there is one, otherwise the one with the least distance; null if there is none.
    pub example: Option<RuleExample>,
}

/// A rule has an exception, so its record cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "rule \"{0}\" has an exception, and only rules without one have a record to write: add conditions, as --repair finds them, or leave it out"
)]
pub struct RuleHasException(pub String);

/// Counts rules on all positions of their endgame.
///
/// # Errors
/// If the observer asks to stop, or a table file can no longer be read.
pub fn rules(
    list: &RuleList,
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<RuleListReport, Stopped> {
    if let Some(otherwise) = list.otherwise() {
        let counted = ThumbReport::counted(list, otherwise, tablebase, observer)?;
        return Ok(RuleListReport::InOrder(Box::new(counted)));
    }
    let (counted, seconds) = timed(|| lucena_rules::count(list, tablebase, observer));
    Ok(RuleListReport::Each(Box::new(RulesReport::new(list, counted?, seconds))))
}

impl RulesReport {
    /// Looks for the smallest repair of each rule that has an exception: conditions on the attributes of the list, which has
    /// the rules of the report.
    ///
    /// # Errors
    /// If the observer asks to stop, or a table file can no longer be read.
    pub fn repair(
        &mut self,
        list: &RuleList,
        tablebase: &Tablebase,
        params: SearchParams,
        observer: &dyn Observer,
    ) -> Result<(), Stopped> {
        let (mut repaired, mut of) = (Vec::new(), Vec::new());
        for (number, rule) in list.rules().iter().enumerate() {
            if self.rules[number].exception.is_some() {
                let found = lucena_rules::repair(tablebase, list, rule, params, observer)?;
                of.extend(found.as_ref().map(|_| number));
                repaired.extend(found);
            }
        }
        let within = list.within().to_vec();
        let repaired = RuleList::new(list.attributes().clone(), within, repaired);
        let counts = lucena_rules::count(&repaired.with_used_attributes(), tablebase, observer)?;
        for ((number, rule), counts) in of.into_iter().zip(repaired.rules()).zip(counts.rules) {
            let before = &list.rules()[number];
            let added = &rule.clauses[before.clauses.len()..];
            self.rules[number].repair = Some(RepairEntry {
                turn: rule.turn.filter(|_| before.turn.is_none()).map(ColorName::of),
                when: list.formulas(added),
                applies: counts.applies,
            });
        }
        Ok(())
    }

    fn new(list: &RuleList, counts: ListCounts, seconds: f64) -> Self {
        let not_won = counts.not_won();
        let held_out = HeldOutEntry::new(list, counts.held_out, counts.held_out_wrong);
        let ListCounts { positions, won, won_decided, not_won_decided, wrong, rules, .. } = counts;
        let (mut entries, mut so_far) = (Vec::new(), [0, 0]);
        for (rule, counts) in list.rules().iter().zip(rules) {
            let (decided, of) = match rule.claim {
                Claim::Win => (&mut so_far[0], won),
                Claim::Draw => (&mut so_far[1], not_won),
            };
            *decided += counts.adds;
            let share = (of > 0).then(|| *decided as f64 / of as f64);
            entries.push(RuleEntry::new(list, rule, counts, share));
        }
        let material = list.material().to_string();
        let rules = entries;
        Self {
            material,
            positions,
            won,
            won_decided,
            not_won,
            not_won_decided,
            wrong,
            held_out,
            rules,
            seconds,
        }
    }

    /// The fault of the first rule that claims a record and does not have it, in a sentence; `None` if there is none.
    pub fn false_record(&self) -> Option<String> {
        self.rules.iter().find_map(|rule| {
            let RuleEntry { name, applies, right, decides, .. } = rule;
            let claimed = positions((*decides)?);
            match (applies - right, *decides == Some(*applies)) {
                (0, true) => None,
                (0, false) => Some(format!(
                    "rule \"{name}\" says that it decides {claimed}, and it decides {}: correct its line decides, or let --out write it",
                    positions(*applies)
                )),
                (wrong, _) => Some(format!(
                    "rule \"{name}\" says that it decides {claimed} without an exception, and it is wrong in {}: add conditions, as --repair finds them, or take its line decides away",
                    positions(wrong)
                )),
            }
        })
    }

    /// The rules of a list with their records, for a file of known rules.
    ///
    /// # Errors
    /// If a rule has an exception; the error names it.
    pub fn recorded(&self, list: &RuleList) -> Result<RuleList, RuleHasException> {
        let faulty = self.rules.iter().find(|rule| rule.applies > rule.right);
        match faulty {
            Some(rule) => Err(RuleHasException(rule.name.clone())),
            None => Ok(list.with_records(self.rules.iter().map(|rule| rule.applies))),
        }
    }

    /// The verdicts on the rules, to be stored beside them.
    pub(super) fn verdicts(&self) -> RuleVerdicts {
        let verdict = |rule: &RuleEntry| RuleVerdict {
            name: Some(rule.name.clone()),
            claim: rule.claim,
            turn: rule.turn,
            when: rule.when.clone(),
            applies: rule.applies,
            right: rule.right,
            exception: rule.exception.clone(),
            example: rule.example.clone(),
            repair: rule.repair.clone(),
        };
        RuleVerdicts {
            material: self.material.clone(),
            positions: self.positions,
            won: self.won,
            rules: self.rules.iter().map(verdict).collect(),
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rules = count(self.rules.len() as u64, "rule", "rules");
        writeln!(
            out,
            "{}: {rules}, counted in {} positions up to symmetry with either side to move",
            self.material,
            grouped(self.positions)
        )?;
        writeln!(
            out,
            "  White wins {} of them ({}), and does not win {}",
            grouped(self.won),
            share(self.won, self.positions),
            grouped(self.not_won)
        )?;
        for entry in &self.rules {
            writeln!(out)?;
            entry.write_text(out)?;
        }
        writeln!(out)?;
        for (claim, decided, of) in [
            (Claim::Win, self.won_decided, self.won),
            (Claim::Draw, self.not_won_decided, self.not_won),
        ] {
            if self.rules.iter().any(|rule| rule.claim == claim) {
                writeln!(
                    out,
                    "The rules decide {} of the positions that White {}: {} of {}",
                    share(decided, of),
                    verb(claim),
                    grouped(decided),
                    grouped(of)
                )?;
            }
        }
        match self.wrong {
            0 => writeln!(out, "No rule has an exception")?,
            wrong => writeln!(out, "In {} some rule is wrong", positions(wrong))?,
        }
        if let Some(held_out) = &self.held_out {
            held_out.write_text(out)?;
        }
        writeln!(out, "  counted in {:.1} s", self.seconds)
    }
}

impl RuleEntry {
    fn new(list: &RuleList, rule: &Rule, counts: RuleCounts, decided_so_far: Option<f64>) -> Self {
        let when = list.formulas(&rule.clauses);
        let held_out = HeldOutRecord::new(list, counts.held_out, counts.held_out_wrong);
        let without = |(clause, without): (&String, WithoutClause)| WithoutEntry {
            clause: clause.clone(),
            wrong: without.wrong,
            example: without.example.as_ref().map(RuleExample::new),
        };
        let named = |text: &String| (!text.is_empty()).then(|| text.clone());
        Self {
            name: rule.name.clone(),
            title: named(&rule.title),
            source: named(&rule.source),
            claim: rule.claim,
            turn: rule.turn.map(ColorName::of),
            without: when.iter().zip(counts.without).map(without).collect(),
            when,
            sentence: rule_sentence(list, rule),
            applies: counts.applies,
            right: counts.right,
            adds: counts.adds,
            decided_so_far,
            exception: counts.exception.as_ref().map(RuleExample::new),
            hardest: counts.hardest.as_ref().map(RuleExample::new),
            example: counts.example.as_ref().map(RuleExample::new),
            repair: None,
            decides: rule.decides,
            held_out,
        }
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { name, applies, right, .. } = self;
        let title = self.title.as_ref().map_or_else(String::new, |title| format!(": {title}"));
        writeln!(out, "{name}{title}")?;
        writeln!(out, "  {}", self.sentence)?;
        if let Some(source) = &self.source {
            writeln!(out, "  source: {source}")?;
        }
        let record = match (*applies, applies - right) {
            (0, _) => "it never applies".into(),
            (_, 0) => format!("it applies in {}, and is always right", positions(*applies)),
            (_, wrong) => format!(
                "it applies in {}, and is right in {} of them ({} wrong)",
                positions(*applies),
                share(*right, *applies),
                grouped(wrong)
            ),
        };
        writeln!(out, "  {record}")?;
        if let Some(so_far) = self.decided_so_far {
            writeln!(
                out,
                "  it adds {}; so far {} of the positions that White {} are decided",
                positions(self.adds),
                percent(so_far),
                verb(self.claim)
            )?;
        }
        for (what, example) in [("wrong", &self.exception), ("hardest", &self.hardest)] {
            if let Some(example) = example {
                writeln!(out, "  {what}: {example}")?;
            }
        }
        if let Some(HeldOutRecord { positions: held, wrong }) = &self.held_out {
            let held = positions(*held);
            writeln!(out, "  held out: it applies in {held}, and is wrong in {}", grouped(*wrong))?;
        }
        if let Some(repair) = &self.repair {
            let RepairEntry { applies, .. } = repair;
            let kept = share(*applies, *right);
            let applies = positions(*applies);
            writeln!(
                out,
                "  always right with {repair}: in {applies}, {kept} of those where it is right"
            )?;
        }
        // What a faulty rule needs is more conditions, not fewer.
        let needed = if self.exception.is_none() { &self.without[..] } else { &[] };
        for WithoutEntry { clause, wrong, example } in needed {
            if let Some(example) = example {
                let wrong = positions(*wrong);
                writeln!(out, "  without {clause}: wrong in {wrong} more, such as {example}")?;
            }
        }
        Ok(())
    }
}
