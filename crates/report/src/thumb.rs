//! Rules of thumb, with the exact record of the whole list.

use super::rule_record::{ColorName, HeldOutEntry, HeldOutRecord, RuleExample, positions, share};
use super::verdicts::{RuleVerdict, RuleVerdicts};
use lucena_base::plural::{count, grouped};
use lucena_base::progress::{Observer, Stopped, timed};
use lucena_explain::{claim_sentence, rule_sentence};
use lucena_rules::{Claim, DecisionCounts, Rule, RuleList, ThumbCounts};
use lucena_tablebase::Tablebase;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The record of rules of thumb over all positions of an endgame: the first rule that applies decides. Positions are counted
/// up to symmetry, with either side to move, without rights to capture en passant. Wins that the fifty-move rule would draw
/// count as wins.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThumbReport {
    /// The endgame, such as KRPvKR.
    pub material: String,
    /// All legal positions.
    pub positions: u64,
    /// Those that White wins.
    pub won: u64,
    /// The positions that White does not win.
    pub not_won: u64,
    /// The positions of which the list is wrong.
    pub wrong: u64,
    /// The share of positions of which the list is right, from 0 to 1.
    pub accuracy: f64,
    /// The positions that were kept from the search for the rules; null if there are none.
    pub held_out: Option<HeldOutEntry>,
    /// Each rule in order. The last is about the positions to which no other applies.
    pub rules: Vec<ThumbEntry>,
    /// Seconds that the count took.
    pub seconds: f64,
}

/// A rule of thumb with its record.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThumbEntry {
    /// Its name; null for what holds otherwise.
    pub name: Option<String>,
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
    /// The positions that it decides: it applies, and no rule before it does.
    pub decides: u64,
    /// Of these, those in which it is wrong.
    pub wrong: u64,
    /// An exception: a draw if there is one, otherwise the one with the least distance; null if it is never wrong.
    pub exception: Option<RuleExample>,
    /// A few more exceptions, from all over the endgame.
    pub exceptions: Vec<RuleExample>,
    /// A position in which it is right, from anywhere in the endgame; null if it is never right.
    pub example: Option<RuleExample>,
    /// Of the positions that it decides, those that were kept from the search; null if none were.
    pub held_out: Option<HeldOutRecord>,
}

impl ThumbReport {
    /// Counts rules of thumb on all positions of their endgame.
    pub(super) fn counted(
        list: &RuleList,
        otherwise: Claim,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let (counted, seconds) = timed(|| lucena_rules::count_thumb(list, tablebase, observer));
        let counts = counted?;
        let wrong = counts.wrong();
        let ThumbCounts { positions, won, rules, otherwise: rest } = counts;
        let held_out = rules.iter().chain([&rest]);
        let [held, held_wrong] = held_out.fold([0, 0], |[held, wrong], rule| {
            [held + rule.held_out, wrong + rule.held_out_wrong]
        });
        let entry = |(rule, counts): (&Rule, DecisionCounts)| {
            let words = rule_sentence(list, rule);
            ThumbEntry::new(list, rule, Some(rule.name.clone()), words, &counts)
        };
        let mut entries: Vec<ThumbEntry> = list.rules().iter().zip(rules).map(entry).collect();
        let last = Rule {
            name: String::new(),
            title: String::new(),
            source: String::new(),
            claim: otherwise,
            turn: None,
            clauses: Vec::new(),
            decides: None,
        };
        let words = format!("Otherwise {}", claim_sentence(otherwise));
        entries.push(ThumbEntry::new(list, &last, None, words, &rest));
        Ok(Self {
            material: list.material().to_string(),
            positions,
            won,
            not_won: positions - won,
            wrong,
            accuracy: (positions - wrong) as f64 / positions.max(1) as f64,
            held_out: HeldOutEntry::new(list, held, held_wrong),
            rules: entries,
            seconds,
        })
    }

    /// The list's own rules, without what holds otherwise.
    fn own_rules(&self) -> u64 {
        self.rules.len() as u64 - 1
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, positions: all, won, wrong, .. } = self;
        writeln!(
            out,
            "{material}: {} of thumb in order, counted in {} positions up to symmetry with either side to move",
            count(self.own_rules(), "rule", "rules"),
            grouped(*all)
        )?;
        writeln!(
            out,
            "  White wins {} of them ({}), and does not win {}",
            grouped(*won),
            share(*won, *all),
            grouped(self.not_won)
        )?;
        for (rule, number) in self.rules.iter().zip(1..) {
            writeln!(out)?;
            rule.write_text(number, out)?;
        }
        writeln!(out)?;
        writeln!(
            out,
            "The list is right in {} of {} ({} wrong)",
            share(all - wrong, *all),
            positions(*all),
            grouped(*wrong)
        )?;
        if let Some(held_out) = &self.held_out {
            held_out.write_text(out)?;
        }
        writeln!(out, "  counted in {:.1} s", self.seconds)
    }

    /// The verdicts on the rules of thumb, to be stored beside them.
    pub(super) fn verdicts(&self) -> RuleVerdicts {
        let verdict = |rule: &ThumbEntry| RuleVerdict {
            name: rule.name.clone(),
            claim: rule.claim,
            turn: rule.turn,
            when: rule.when.clone(),
            applies: rule.decides,
            right: rule.decides - rule.wrong,
            exception: rule.exception.clone(),
            example: rule.example.clone(),
            repair: None,
        };
        RuleVerdicts {
            material: self.material.clone(),
            positions: self.positions,
            won: self.won,
            rules: self.rules.iter().map(verdict).collect(),
        }
    }

    /// The report as a section in Markdown: the rules in words, in a table with their record.
    pub(super) fn to_markdown(&self) -> String {
        let Self { material, positions, wrong, .. } = self;
        let mut text = format!(
            "## {material}\n\nThe first rule that applies decides. The list is right in {} of {} positions; {} are exceptions.",
            share(positions - wrong, *positions),
            grouped(*positions),
            grouped(*wrong)
        );
        if let Some(HeldOutEntry { when, positions, wrong }) = &self.held_out {
            text += &format!(
                " In the positions held out, `{}`, it is right in {} of {}.",
                when.join(" and "),
                share(positions - wrong, *positions),
                grouped(*positions)
            );
        }
        text +=
            "\n\n| | rule | decides | right | wrong | an exception |\n|--:|---|--:|--:|--:|---|\n";
        for (rule, number) in self.rules.iter().zip(1..) {
            let ThumbEntry { sentence, decides, wrong, .. } = rule;
            let exception = rule.exception.as_ref();
            let exception = exception.map_or("none".into(), |one| format!("`{}`", one.fen));
            text += &format!(
                "| {number} | {sentence} | {} | {} | {} | {exception} |\n",
                grouped(*decides),
                share(decides - wrong, *decides),
                grouped(*wrong)
            );
        }
        text
    }
}

impl ThumbEntry {
    fn new(
        list: &RuleList,
        rule: &Rule,
        name: Option<String>,
        sentence: String,
        counts: &DecisionCounts,
    ) -> Self {
        let named = |text: &String| (!text.is_empty()).then(|| text.clone());
        Self {
            name,
            title: named(&rule.title),
            source: named(&rule.source),
            claim: rule.claim,
            turn: rule.turn.map(ColorName::of),
            when: list.formulas(&rule.clauses),
            sentence,
            decides: counts.decides,
            wrong: counts.wrong,
            exception: counts.exception.as_ref().map(RuleExample::new),
            exceptions: counts.exceptions.iter().map(RuleExample::new).collect(),
            example: counts.example.as_ref().map(RuleExample::new),
            held_out: HeldOutRecord::new(list, counts.held_out, counts.held_out_wrong),
        }
    }

    fn write_text(&self, number: usize, out: &mut dyn Write) -> io::Result<()> {
        let Self { decides, wrong, .. } = self;
        let title = self.title.as_ref().map_or_else(String::new, |title| format!("{title}. "));
        writeln!(out, "{number}. {title}{}", self.sentence)?;
        if let Some(source) = &self.source {
            writeln!(out, "   source: {source}")?;
        }
        let decided = positions(*decides);
        match (decides, wrong) {
            (0, _) => writeln!(out, "   it decides nothing")?,
            (_, 0) => writeln!(out, "   it decides {decided}, and is always right")?,
            _ => writeln!(
                out,
                "   it decides {decided}, and is right in {} of them ({} wrong)",
                share(decides - wrong, *decides),
                grouped(*wrong)
            )?,
        }
        if let Some(HeldOutRecord { positions: held, wrong }) = &self.held_out {
            let held = positions(*held);
            writeln!(out, "   held out: it decides {held}, and is wrong in {}", grouped(*wrong))?;
        }
        if let Some(exception) = &self.exception {
            writeln!(out, "   wrong: {exception}")?;
        }
        let more = self.exceptions.iter().filter(|&one| Some(one) != self.exception.as_ref());
        for exception in more {
            writeln!(out, "          {exception}")?;
        }
        Ok(())
    }
}
