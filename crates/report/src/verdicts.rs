//! The verdicts on a file of rules, as they are stored beside it: what a count has found, without what the file says.

use super::rule_record::{ColorName, RepairEntry, RuleExample, share};
use lucena_base::plural::grouped;
use lucena_explain::rule_sentence;
use lucena_rules::{Claim, Rule, RuleList};
use serde::{Deserialize, Serialize};

/// The verdicts on the rules of a file over all positions of their endgame. Positions are counted as in a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleVerdicts {
    /// The endgame.
    pub material: String,
    /// All legal positions.
    pub positions: u64,
    /// Those that White wins.
    pub won: u64,
    /// The verdict on each rule, in order. Of rules of thumb, the last is about the positions to which no other applies.
    pub rules: Vec<RuleVerdict>,
}

/// The verdict on a rule, behind what tells it apart from others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleVerdict {
    /// Its name; null for what holds otherwise.
    pub name: Option<String>,
    /// The claim.
    pub claim: Claim,
    /// The side to move in its positions; null for either.
    pub turn: Option<ColorName>,
    /// Its clauses, as formulas.
    pub when: Vec<String>,
    /// The positions in which it applies; of a rule of thumb, those that it decides.
    pub applies: u64,
    /// Of these, those in which it is right.
    pub right: u64,
    /// An exception: a draw if there is one, otherwise the one with the least distance; null if it is always right.
    pub exception: Option<RuleExample>,
    /// A position in which it is right; null if none is known.
    pub example: Option<RuleExample>,
    /// The smallest repair; null if the rule needs none, none was found, or none was looked for.
    pub repair: Option<RepairEntry>,
}

/// The reason why stored verdicts cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadVerdictsError {
    /// They are not JSON, or a field is missing, unknown or of another type.
    #[error("these are not verdicts on rules: {0}")]
    Json(#[from] serde_json::Error),
    /// They are about other rules.
    #[error(
        "the verdicts are not about the rules of the file, as rule \"{0}\" shows: count the file again, by lucena rules --check FILE --verdicts FILE"
    )]
    OtherRules(String),
}

impl RuleVerdicts {
    /// Parses stored verdicts on the rules of a list.
    ///
    /// # Errors
    /// If they are not JSON, have other fields, or are about other rules, or the same rules with other conditions.
    pub fn from_json(text: &str, list: &RuleList) -> Result<Self, ReadVerdictsError> {
        let verdicts: Self = serde_json::from_str(text)?;
        match verdicts.stranger(list) {
            None => Ok(verdicts),
            Some(name) => Err(ReadVerdictsError::OtherRules(name)),
        }
    }

    /// The verdicts as JSON, which [`RuleVerdicts::from_json`] parses. The same verdicts give the same bytes.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers become JSON") + "\n"
    }

    /// The positions of which rules of thumb are right, read in order.
    pub fn right_in_order(&self) -> u64 {
        self.rules.iter().map(|rule| rule.right).sum()
    }

    /// The name of the first rule that only the verdicts or only the list has.
    fn stranger(&self, list: &RuleList) -> Option<String> {
        let otherwise = list.otherwise().map(|claim| (None, claim, None, Vec::new()));
        let rules = list.rules().iter().map(|rule| {
            let when = list.formulas(&rule.clauses);
            (Some(rule.name.as_str()), rule.claim, rule.turn.map(ColorName::of), when)
        });
        let mut wanted = rules.chain(otherwise);
        let mut counted = self.rules.iter();
        let title = |name: Option<&str>| name.unwrap_or("otherwise").to_owned();
        if self.material != list.material().to_string() {
            return Some(title(wanted.next()?.0));
        }
        loop {
            match (wanted.next(), counted.next()) {
                (None, None) => return None,
                (Some((name, claim, turn, when)), Some(verdict))
                    if name == verdict.name.as_deref()
                        && (claim, turn) == (verdict.claim, verdict.turn)
                        && when == verdict.when => {}
                (Some((name, ..)), _) => return Some(title(name)),
                (None, Some(verdict)) => return Some(title(verdict.name.as_deref())),
            }
        }
    }

    /// A section in Markdown about rules that stand for themselves: a table of the verdicts, then each rule in words with its
    /// source. The list has these rules.
    pub fn to_markdown(&self, list: &RuleList) -> String {
        let Self { material, positions, won, .. } = self;
        let mut text = format!(
            "## {material}\n\nWhite wins {} of {} positions ({}).\n\n",
            grouped(*won),
            grouped(*positions),
            share(*won, *positions)
        );
        let repairs = self.rules.iter().any(|rule| rule.repair.is_some());
        let [names, lines] = if repairs { [" exact with | keeps |", "---|--:|"] } else { ["", ""] };
        text += &format!("| rule | says | applies | right | wrong | an exception |{names}\n");
        text += &format!("|---|---|--:|--:|--:|---|{lines}\n");
        for (Rule { name, .. }, verdict) in list.rules().iter().zip(&self.rules) {
            let says = match verdict.claim {
                Claim::Win => "won",
                Claim::Draw => "not won",
            };
            let RuleVerdict { applies, right, .. } = verdict;
            let exception = verdict.exception.as_ref();
            let exception = exception.map_or("none".into(), |one| format!("`{}`", one.fen));
            let mend = verdict.repair.as_ref();
            let mend = mend.map(|one| format!(" `{one}` | {} |", share(one.applies, *right)));
            let mend =
                mend.unwrap_or_else(|| if repairs { "  |  |".into() } else { String::new() });
            text += &format!(
                "| {name} | {says} | {} | {} | {} | {exception} |{mend}\n",
                grouped(*applies),
                share(*right, *applies),
                grouped(applies - right)
            );
        }
        text.push('\n');
        let marked = |text: &String, mark: &str| match text.is_empty() {
            true => String::new(),
            false => format!(" {mark}{text}.{mark}"),
        };
        for rule in list.rules() {
            let Rule { name, title, source, .. } = rule;
            let [title, source] = [marked(title, ""), marked(source, "*")];
            text += &format!("- **{name}**:{title} {}.{source}\n", rule_sentence(list, rule));
        }
        text
    }
}
