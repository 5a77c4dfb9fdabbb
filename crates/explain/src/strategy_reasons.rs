//! The reasons for a strategy's move in the form that all players share.

use super::error::ExplainError;
use super::reasons::{Alternative, ReasonRule, ReasonStep, Reasons};
use super::strategy::{KeyComparison, StrategyAlternative, StrategyExplanation};
use crate::diagram::Mark;
use lucena_base::plural::{capital, count, number};
use lucena_tablebase::Tablebase;

impl StrategyExplanation {
    /// The reasons in the form that all players share.
    ///
    /// # Errors
    /// If the table can no longer be read.
    pub fn reasons(&self, tablebase: &Tablebase) -> Result<Reasons, ExplainError> {
        let chosen = &self.chosen;
        let passed =
            self.passed.iter().map(|one| format!("Rule {}. {}.", one.rule, capital(&one.guard)));
        let steps = self.steps();
        let instead = self.instead.iter().map(|other| {
            Ok(Alternative {
                because: self.because(other),
                parts: self.parts(other),
                marks: Mark::all(&other.highlights()),
                ..Alternative::new(chosen, &other.worth, tablebase)?
            })
        });
        let heading = self.heading();
        let first = steps.first().map(|step| &*step.sentence);
        let hint = [heading.as_str()].into_iter().chain(first).collect::<Vec<_>>().join(" ");
        let rules = count(self.rules as u64, "rule", "rules");
        let rule = self.rule.zip(self.says.clone());
        Ok(Reasons {
            reason: self.reason.clone(),
            better: chosen.better_line(&format!(" of {rules}")),
            hint,
            source: format!("{}, {rules}, size {}", chosen.player, self.size),
            rule: rule.map(|(number, sentence)| ReasonRule { number, sentence }),
            passed_rules: self.passed_rules(),
            passed: passed.collect(),
            tied: self.tied.iter().map(ToString::to_string).collect(),
            instead: instead.collect::<Result<_, ExplainError>>()?,
            notes: self.notes(steps.len()),
            steps,
            ..Reasons::new("strategy", chosen, heading, self.verdict(), self.diagram())
        })
    }

    /// The comparisons that were needed.
    fn steps(&self) -> Vec<ReasonStep> {
        let keys = self.keys.iter().filter(|key| key.among > 1).map(|key| {
            let (wants, sentence) = (capital(&key.wants), capital(&key.sentence));
            ReasonStep {
                sentence: format!("{wants}: {}. {sentence}.", key.effect()),
                figures: format!("{} = {}", key.attribute.name(), key.value),
                marks: Mark::all(&key.highlights(&self.chosen.worth.after)),
            }
        });
        keys.collect()
    }

    /// The keys after those that were needed, and a rule that does not compare all safe moves.
    fn notes(&self, needed: usize) -> Vec<String> {
        let keys = match self.keys.len() - needed {
            0 => None,
            1 => Some("The last key is not needed.".into()),
            others => Some(format!("The last {others} keys are not needed.")),
        };
        let rule = self.rule.zip(self.says.as_ref()).filter(|_| self.fulfil < self.safe);
        let rule = rule.map(|(number, says)| format!("Rule {number}: {says}"));
        [keys, rule].into_iter().flatten().collect()
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
        match self.chosen.tied_line(&self.tied) {
            None => format!("{san} is played."),
            Some(tied) => format!("{tied} {san} comes first in the order of moves."),
        }
    }

    /// The reason why another move is ruled out, in one line; `None` if it is not.
    fn because(&self, other: &StrategyAlternative) -> Option<String> {
        let sentences = self.parts(other).into_iter().map(|part| part.sentence);
        (!other.behind.is_as_good()).then(|| sentences.collect::<Vec<_>>().join(" "))
    }

    /// The reason why another move is ruled out, and the values that a key compared, in sentences.
    fn parts(&self, other: &StrategyAlternative) -> Vec<ReasonStep> {
        let mut parts = Vec::new();
        if !other.because.is_empty() {
            parts.push(ReasonStep::sentence(&other.because));
        }
        if let Some(key) = &other.key {
            let (name, san) = (key.attribute.name(), &self.chosen.worth.san);
            parts.push(ReasonStep {
                figures: format!("{name} = {}, {}", key.value, key.value_instead),
                ..ReasonStep::sentence(format!(
                    "After {san}, {}. After {}, {}.",
                    key.sentence, other.worth.san, key.sentence_instead
                ))
            });
        }
        parts
    }

    /// The reason in sentences if no rule chose; `None` for a rule.
    fn without_rule(&self) -> Option<String> {
        self.by.with_unasked("No rule is asked.")
    }

    /// The rules that no safe move fulfils, in a sentence; `None` if there are none.
    fn passed_rules(&self) -> Option<String> {
        match self.passed.as_slice() {
            [] => None,
            [only] => Some(format!("No safe move fulfils rule {}.", only.rule)),
            [first, .., last] => Some(format!(
                "No safe move fulfils any of the rules {} to {}.",
                first.rule, last.rule
            )),
        }
    }
}

impl KeyComparison {
    /// The effect of the comparison, beginning with a small letter and without a full stop: "two moves are left".
    fn effect(&self) -> String {
        match self.left {
            left if left == self.among => "no move is ruled out".into(),
            1 => "one move is left".into(),
            left => format!("{} moves are left", number(left)),
        }
    }
}
