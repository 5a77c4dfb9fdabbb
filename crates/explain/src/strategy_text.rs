//! The reasons for a strategy's move in sentences.

use super::attribute_names::AttributeNames;
use super::error::ExplainError;
use super::reasons::{Alternative, ReasonStep, Reasons};
use super::strategy::{KeyComparison, StrategyAlternative, StrategyExplanation};
use crate::diagram::Mark;
use lucena_base::plural::{capital, count, number};
use lucena_tablebase::Tablebase;
use std::io::{self, Write};

impl StrategyExplanation {
    /// The reasons in the form that all players share.
    ///
    /// # Errors
    /// If the table can no longer be read.
    pub fn reasons(&self, tablebase: &Tablebase) -> Result<Reasons, ExplainError> {
        let chosen = &self.chosen;
        let passed =
            self.passed.iter().map(|one| format!("Rule {}. {}.", one.rule, capital(&one.guard)));
        let keys = self.keys.iter().filter(|key| key.among > 1).map(|key| ReasonStep {
            sentence: format!(
                "{}: {}. {}.",
                capital(&key.wants),
                key.effect(),
                capital(&key.sentence)
            ),
            figures: format!("{} = {}", key.attribute.name(), key.value),
            marks: Mark::all(&key.highlights(&chosen.worth.after)),
        });
        let steps: Vec<ReasonStep> = keys.collect();
        let instead = self.instead.iter().map(|other| {
            let marks = Mark::all(&other.highlights());
            Alternative::new(chosen, &other.worth, self.parts(other), marks, tablebase)
        });
        let heading = self.heading();
        let first = steps.first().map(|step| &*step.sentence);
        let hint = [heading.as_str()].into_iter().chain(first).collect::<Vec<_>>().join(" ");
        Ok(Reasons {
            reason: self.reason.clone(),
            hint,
            passed_rules: self.passed_rules(),
            passed: passed.collect(),
            steps,
            tied: self.tied.iter().map(ToString::to_string).collect(),
            instead: instead.collect::<Result<_, _>>()?,
            ..Reasons::new("strategy", chosen, heading, self.verdict(), &self.diagram())
        })
    }

    /// The rule that was used, and how many moves it compared, in sentences.
    fn heading(&self) -> String {
        let (Some(rule), Some(safe), Some(fulfil)) = (self.rule, self.safe, self.fulfil) else {
            return self.without_rule().unwrap_or_default();
        };
        let moves = count(safe as u64, "safe move", "safe moves");
        match fulfil {
            1 => format!("Rule {rule} is used. One of {moves} fulfils it."),
            _ if fulfil == safe => format!("Rule {rule} is used. It compares {moves}."),
            _ => format!("Rule {rule} is used. It compares {} of {moves}.", number(fulfil)),
        }
    }

    /// The move that is played, and whether others are tied with it, in sentences.
    fn verdict(&self) -> String {
        let san = &self.chosen.worth.san;
        match self.tied.len() {
            0 | 1 => format!("{san} is played."),
            tied => format!(
                "{} moves are tied, and any of them may be played. {san} comes first in the order of moves.",
                capital(&number(tied))
            ),
        }
    }

    /// The reason why another move is ruled out, in sentences; empty if it is not.
    fn parts(&self, other: &StrategyAlternative) -> String {
        let mut parts = other.because.clone();
        if let Some(key) = &other.key {
            parts += &format!(
                "\nAfter {}, {}. After {}, {}.",
                self.chosen.worth.san, key.sentence, other.worth.san, key.sentence_instead
            );
        }
        parts
    }

    /// Writes the report in sentences, below a board.
    pub fn write_text(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        writeln!(out, "{}", self.reason)?;
        self.write_choice(names, out)?;
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead.iter().try_for_each(|other| {
            self.chosen.write_other(&other.worth, &other.because, out)?;
            let Some(key) = &other.key else { return Ok(()) };
            let name = key.attribute.name();
            for (san, sentence, value) in [
                (&self.chosen.worth.san, &key.sentence, &key.value),
                (&other.worth.san, &key.sentence_instead, &key.value_instead),
            ] {
                let says = names.behind(sentence, 0, &format!("{name} = {value}"));
                writeln!(out, "  After {san:7} {says}")?;
            }
            Ok(())
        })
    }

    /// The reason in sentences if no rule chose; `None` for a rule.
    pub fn without_rule(&self) -> Option<String> {
        self.by.without_comparison("No rule is asked.")
    }

    /// The rules that no safe move fulfils, in a sentence; `None` if there are none.
    pub fn passed_rules(&self) -> Option<String> {
        match self.passed.as_slice() {
            [] => None,
            [only] => Some(format!("No safe move fulfils rule {}.", only.rule)),
            [first, .., last] => Some(format!(
                "No safe move fulfils any of the rules {} to {}.",
                first.rule, last.rule
            )),
        }
    }

    /// Writes the steps of the choice.
    fn write_choice(&self, names: AttributeNames, out: &mut dyn Write) -> io::Result<()> {
        let (player, rules) = (&self.chosen.player, count(self.rules as u64, "rule", "rules"));
        writeln!(out, "\nHow it was chosen ({player}, {rules}, size {}):", self.size)?;
        if let Some(passed) = self.passed_rules() {
            writeln!(out, "  {passed}")?;
        }
        if let Some(reason) = self.without_rule() {
            writeln!(out, "  {reason}")?;
        }
        if let (Some(rule), Some(safe), Some(fulfil)) = (self.rule, self.safe, self.fulfil) {
            let moves = count(safe as u64, "safe move", "safe moves");
            if fulfil < safe {
                let says = self.says.as_deref().unwrap_or_default();
                writeln!(out, "  Rule {rule} is used: {says}")?;
                let fulfil_it = if fulfil == 1 { "fulfils it" } else { "fulfil it" };
                writeln!(out, "  {} of {moves} {fulfil_it}.", number(fulfil))?;
            } else {
                writeln!(out, "  Rule {rule} is used. It compares {moves}.")?;
            }
        }
        let needed = self.keys.iter().take_while(|key| key.among > 1).count();
        for key in &self.keys[..needed] {
            let effect = capital(&format!("{}.", key.effect()));
            let KeyComparison { key, wants, attribute, value, sentence, .. } = key;
            writeln!(out, "  {key}. {wants}")?;
            let figures = format!("{} = {value}", attribute.name());
            writeln!(out, "     {}", names.behind(sentence, 0, &figures))?;
            writeln!(out, "     {effect}")?;
        }
        match self.keys.len() - needed {
            0 => {}
            1 => writeln!(out, "  The last key is not needed.")?,
            others => writeln!(out, "  The last {others} keys are not needed.")?,
        }
        self.chosen.write_tied(&self.tied, out)
    }
}

impl KeyComparison {
    /// The effect of the comparison, beginning with a small letter and without a full stop: "two moves are left".
    pub fn effect(&self) -> String {
        match self.left {
            left if left == self.among => "no move is ruled out".into(),
            1 => "one move is left".into(),
            left => format!("{} moves are left", number(left)),
        }
    }
}
