//! The reasons for a strategy's move in sentences.

use super::strategy::{KeyComparison, SkippedRule, StrategyExplanation};
use lucena_base::plural::{count, number};
use std::io::{self, Write};

impl StrategyExplanation {
    /// Writes the report in sentences, below a board.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        self.write_choice(out)?;
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead.iter().try_for_each(|other| {
            self.chosen.write_other(&other.worth, &other.because, out)?;
            let Some(key) = &other.key else { return Ok(()) };
            let name = key.attribute.name();
            for (san, sentence, value) in [
                (&self.chosen.worth.san, &key.sentence, &key.value),
                (&other.worth.san, &key.sentence_instead, &key.value_instead),
            ] {
                writeln!(out, "  After {san:7} {sentence}  {name} = {value}")?;
            }
            Ok(())
        })
    }

    /// The reason in sentences if no rule chose; `None` for a rule.
    pub fn without_rule(&self) -> Option<String> {
        self.by.without_comparison("No rule is asked.")
    }

    /// Writes the steps of the choice.
    fn write_choice(&self, out: &mut dyn Write) -> io::Result<()> {
        let (player, rules) = (&self.chosen.player, count(self.rules as u64, "rule", "rules"));
        writeln!(out, "\nHow it was chosen ({player}, {rules}, size {}):", self.size)?;
        for SkippedRule { rule, guard } in &self.passed {
            writeln!(out, "  Rule {rule} is passed over, since no safe move fulfils it: {guard}.")?;
        }
        if let Some(reason) = self.without_rule() {
            writeln!(out, "  {reason}")?;
        }
        if let (Some(rule), Some(safe), Some(fulfil)) = (self.rule, self.safe, self.fulfil) {
            let moves = count(safe as u64, "safe move", "safe moves");
            if fulfil < safe {
                let says = self.says.as_deref().unwrap_or_default();
                writeln!(out, "  Rule {rule} is used: {says}")?;
                writeln!(out, "  It is about {} of {moves}.", number(fulfil))?;
            } else {
                writeln!(out, "  Rule {rule} is used. It compares {moves}.")?;
            }
        }
        let needed = self.keys.iter().take_while(|key| key.among > 1).count();
        for key in &self.keys[..needed] {
            let KeyComparison { key, wants, attribute, value, sentence, left, .. } = key;
            let left = match left {
                1 => "One move is left".into(),
                left => format!("{} moves are left", number(*left)),
            };
            writeln!(out, "  {key}. {wants}")?;
            writeln!(out, "     {sentence}  {} = {value}", attribute.name())?;
            writeln!(out, "     {left}.")?;
        }
        match self.keys.len() - needed {
            0 => {}
            1 => writeln!(out, "  The last key is not needed.")?,
            others => writeln!(out, "  The last {others} keys are not needed.")?,
        }
        self.chosen.write_tied(&self.tied, out)
    }
}
