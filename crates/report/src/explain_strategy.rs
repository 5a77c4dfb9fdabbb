//! The reasons for a strategy's move: the rule it used, the comparison of each key, and where other
//! moves are worse.

use super::move_value::{ChosenMove, MoveValue, as_texts, man};
use lucena_base::plural::{count, number};
use lucena_chess::{Danger, IllegalMove, Move, Position};
use lucena_explain::{
    ChoiceReason, KeyComparison, RejectionReason, StrategyAlternative, StrategyExplanation,
};
use lucena_proof::policy::StrategyPolicy;
use lucena_strategy::Sentences;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// An explained move of a strategy. Distances to mate are in plies from the side to move's point of
/// view: negative if it is mated, null for a draw. Rules and keys are numbered from 1.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct StrategyMoveReport {
    /// The move that is played, among all others.
    #[serde(flatten)]
    pub chosen: ChosenMove,
    /// The number of rules of the strategy.
    pub rules: usize,
    /// The number of its conditions and keys.
    pub size: usize,
    /// The reason for the choice: rule; at once: the move wins at once in another endgame; none
    /// safe: no move is safe; no rule: no rule applies to a safe move.
    #[schemars(with = "String")]
    pub by: ChoiceReason,
    /// The number of the rule that was used; null if none was.
    pub rule: Option<usize>,
    /// That rule in a sentence; null if none was used.
    pub says: Option<String>,
    /// The rules before it, which no safe move fulfils.
    pub passed: Vec<SkippedRule>,
    /// The number of safe moves; null if none is safe, or a move wins at once.
    pub safe: Option<usize>,
    /// The number of safe moves that fulfil the rule; null if none was used.
    pub fulfil: Option<usize>,
    /// The comparisons of the rule's keys, in order.
    pub keys: Vec<KeyReport>,
    /// The moves that remain tied, in UCI: any of them may be played.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub tied: Vec<Move>,
    /// The requested other moves, compared with it.
    pub instead: Vec<RejectedMove>,
}

/// A rule that no safe move fulfils.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedRule {
    /// Its number.
    pub rule: usize,
    /// The moves it applies to, in words.
    pub guard: String,
}

/// The comparison of moves by a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyReport {
    /// The number of the key in its rule.
    pub key: usize,
    /// The aim of the key in words.
    pub wants: String,
    /// Its attribute.
    pub attribute: String,
    /// The value it prefers: least or greatest.
    pub aim: &'static str,
    /// The value after the move that is played.
    pub value: String,
    /// That value in words, about the board as it stands.
    pub sentence: String,
    /// The number of moves compared.
    pub among: usize,
    /// The number of them that remain.
    pub left: usize,
}

impl StrategyMoveReport {
    /// The report on the explanation of a strategy's move.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn new(
        explanation: &StrategyExplanation,
        policy: &StrategyPolicy,
        player: String,
    ) -> Result<Self, IllegalMove> {
        let StrategyExplanation { position, before, chosen, others, ruling, tied, instead } =
            explanation;
        let (strategy, sentences) = (policy.strategy(), Sentences::new(policy));
        let all = strategy.rules().len();
        let rule = ruling.rule();
        let passed = match ruling {
            ChoiceReason::Rule { rule, .. } => 0..*rule,
            ChoiceReason::NoRule { .. } => 0..all,
            ChoiceReason::AtOnce | ChoiceReason::NoneSafe => 0..0,
        };
        // A rule without a guard is never passed.
        let passed =
            passed.filter_map(|at| Some(SkippedRule { rule: at + 1, guard: sentences.guard(at)? }));
        let key = |(at, compared): (usize, &KeyComparison)| KeyReport {
            key: at + 1,
            wants: sentences.key(compared.key),
            attribute: compared.finding.attribute.name().into(),
            aim: compared.aim(),
            value: compared.finding.shown(),
            sentence: compared.finding.sentence.clone(),
            among: compared.among,
            left: compared.left,
        };
        let chosen = ChosenMove::new(player, position, *before, chosen, others)?;
        let other = |other| RejectedMove::new(position, &chosen.worth.san, other, rule, policy);
        Ok(Self {
            rules: all,
            size: strategy.size(),
            by: ruling.clone(),
            rule: rule.map(|rule| rule + 1),
            says: rule.map(|rule| sentences.rule(rule)),
            passed: passed.collect(),
            safe: ruling.safe(),
            fulfil: match ruling {
                ChoiceReason::Rule { fulfil, .. } => Some(*fulfil),
                _ => None,
            },
            keys: ruling.keys().iter().enumerate().map(key).collect(),
            tied: tied.to_vec(),
            instead: instead.iter().map(other).collect::<Result<_, _>>()?,
            chosen,
        })
    }

    /// Writes the report in sentences, below a board.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        self.chosen.write_head(out)?;
        self.write_choice(out)?;
        writeln!(out, "\n{}", self.chosen.others_line())?;
        self.instead.iter().try_for_each(|other| {
            writeln!(out, "\n{}", other.worth.compared_with(&self.chosen.worth, other.cost_plies))?;
            if !other.because.is_empty() {
                writeln!(out, "  {}", other.because)?;
            }
            let Some(key) = &other.key else { return Ok(()) };
            let (name, san, other) = (&key.attribute, &self.chosen.worth.san, &other.worth.san);
            writeln!(out, "  After {san:7} {}  {name} = {}", key.sentence, key.value)?;
            let (sentence, value) = (&key.sentence_instead, &key.value_instead);
            writeln!(out, "  After {other:7} {sentence}  {name} = {value}")
        })
    }

    /// Writes the steps of the choice.
    fn write_choice(&self, out: &mut dyn Write) -> io::Result<()> {
        let san = &self.chosen.worth.san;
        let (player, rules) = (&self.chosen.player, count(self.rules as u64, "rule", "rules"));
        writeln!(out, "\nHow it was chosen ({player}, {rules}, size {}):", self.size)?;
        for SkippedRule { rule, guard } in &self.passed {
            writeln!(out, "  Rule {rule} is passed over, since no safe move fulfils it: {guard}.")?;
        }
        if let Some(reason) = self.by.without_rule() {
            writeln!(out, "  {reason}")?;
        }
        if let ChoiceReason::Rule { rule, safe, fulfil, .. } = &self.by {
            let (rule, moves) = (rule + 1, count(*safe as u64, "safe move", "safe moves"));
            if fulfil < safe {
                let says = self.says.as_deref().unwrap_or_default();
                writeln!(out, "  Rule {rule} is used: {says}")?;
                writeln!(out, "  It is about {} of {moves}.", number(*fulfil))?;
            } else {
                writeln!(out, "  Rule {rule} is used. It compares {moves}.")?;
            }
        }
        let needed = self.keys.iter().take_while(|key| key.among > 1).count();
        for KeyReport { key, wants, attribute, value, sentence, left, .. } in &self.keys[..needed] {
            let left = match left {
                1 => "One move is left".into(),
                left => format!("{} moves are left", number(*left)),
            };
            writeln!(out, "  {key}. {wants}")?;
            writeln!(out, "     {sentence}  {attribute} = {value}")?;
            writeln!(out, "     {left}.")?;
        }
        match self.keys.len() - needed {
            0 => {}
            1 => writeln!(out, "  The last key is not needed.")?,
            others => writeln!(out, "  The last {others} keys are not needed.")?,
        }
        let position = &self.chosen.position;
        let tied: Vec<String> = self.tied.iter().filter_map(|&mv| position.san(mv).ok()).collect();
        if let [_] = *tied {
            return Ok(());
        }
        let (number, tied) = (tied.len(), tied.join(" "));
        write!(out, "{number} moves are tied, and any of them may be played: {tied}. ")?;
        writeln!(out, "{san} comes first in the order of moves.")
    }
}

/// Another move, compared with the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RejectedMove {
    /// The move and its value.
    #[serde(flatten)]
    pub worth: MoveValue,
    /// Extra plies to mate; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The step at which the move is ruled out. same move or tied: it is not; not at once: only the
    /// played move wins at once; unsafe: it is not safe; guard: it does not fulfil the rule's
    /// guard; key: a key prefers the played move.
    #[schemars(with = "String")]
    pub behind: RejectionReason,
    /// The reason in sentences, without the values of a key.
    pub because: String,
    /// The values compared by the deciding key; null if no key decided.
    pub key: Option<KeyDifference>,
}

/// The key on which two moves differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyDifference {
    /// The number of the key in its rule.
    pub key: usize,
    /// Its attribute.
    pub attribute: String,
    /// The value after the move that is played.
    pub value: String,
    /// The value after the other move.
    pub value_instead: String,
    /// The value after the move that is played, in words.
    pub sentence: String,
    /// The value after the other move, in words.
    pub sentence_instead: String,
}

impl RejectedMove {
    fn new(
        position: &Position,
        best: &str,
        other: &StrategyAlternative,
        rule: Option<usize>,
        policy: &StrategyPolicy,
    ) -> Result<Self, IllegalMove> {
        let worth = MoveValue::new(position, &other.weighed)?;
        let because = because(&other.behind, "It", &worth.san, best, rule, policy);
        let key = match &other.behind {
            RejectionReason::Key { key, chosen, instead } => Some(KeyDifference {
                key: key + 1,
                attribute: chosen.attribute.name().into(),
                value: chosen.shown(),
                value_instead: instead.shown(),
                sentence: chosen.sentence.clone(),
                sentence_instead: instead.sentence.clone(),
            }),
            _ => None,
        };
        let (cost_plies, behind) = (other.cost_plies, other.behind.clone());
        Ok(Self { worth, cost_plies, behind, because, key })
    }
}

/// The reason why a strategy prefers the move `best` to the move `san`, in sentences about a
/// `subject`: "It", or the move. Empty for the same move.
pub(super) fn because(
    behind: &RejectionReason,
    subject: &str,
    san: &str,
    best: &str,
    rule: Option<usize>,
    policy: &StrategyPolicy,
) -> String {
    let sentences = Sentences::new(policy);
    let rule = rule.unwrap_or(0);
    let (number, asked) = (rule + 1, || &policy.strategy().rules()[rule]);
    match behind {
        RejectionReason::SameMove => String::new(),
        RejectionReason::Tied => format!("{subject} is tied with {best}: either may be played."),
        RejectionReason::NotAtOnce => format!("{best} wins at once in another endgame."),
        RejectionReason::Unsafe(danger) => format!("{subject} is not safe: {}.", why(*danger)),
        RejectionReason::Guard { condition } => {
            let condition = sentences.condition(&asked().guard[*condition]);
            format!("Rule {number}: {san} is not {condition}.")
        }
        RejectionReason::Key { key, .. } => {
            let wants = sentences.key(asked().keys[*key]);
            format!("{subject} falls behind at key {} of rule {number}: {wants}.", key + 1)
        }
    }
}

/// The reason why a move is not safe, in words.
fn why(danger: Danger) -> String {
    match danger {
        Danger::Stalemate => "it is stalemate".into(),
        Danger::Captured(piece) => format!("the {} can be taken", man(piece)),
        Danger::Promotion => "the pawn can promote".into(),
        Danger::Conversion => "it leads to another endgame, and does not win at once there".into(),
    }
}
