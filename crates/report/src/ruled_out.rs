//! The reason why a strategy prefers its move to another.

use super::weighed::{MoveWorth, man};
use lucena_chess::{Danger, IllegalMove, Position};
use lucena_explain::{Behind, Ruled};
use lucena_proof::policy::StrategyPolicy;
use lucena_strategy::Sentences;
use schemars::JsonSchema;
use serde::Serialize;

/// Another move, compared with the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RuledOut {
    /// The move and its value.
    #[serde(flatten)]
    pub worth: MoveWorth,
    /// Extra plies to mate; negative if fewer. Null if either move does not win.
    pub cost_plies: Option<i32>,
    /// The step at which the move is ruled out. same move or tied: it is not; not at once: only the
    /// played move wins at once; unsafe: it is not safe; guard: it does not fulfil the rule's
    /// guard; key: a key prefers the played move.
    #[schemars(with = "String")]
    pub behind: Behind,
    /// The reason in sentences, without the values of a key.
    pub because: String,
    /// The values compared by the deciding key; null if no key decided.
    pub key: Option<KeyParting>,
}

/// The key on which two moves differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyParting {
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

impl RuledOut {
    pub(super) fn new(
        position: &Position,
        best: &str,
        other: &Ruled,
        rule: Option<usize>,
        policy: &StrategyPolicy,
    ) -> Result<Self, IllegalMove> {
        let worth = MoveWorth::new(position, &other.weighed)?;
        let because = because(&other.behind, "It", &worth.san, best, rule, policy);
        let key = match &other.behind {
            Behind::Key { key, chosen, instead } => Some(KeyParting {
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
    behind: &Behind,
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
        Behind::SameMove => String::new(),
        Behind::Tied => format!("{subject} is tied with {best}: either may be played."),
        Behind::NotAtOnce => format!("{best} wins at once in another endgame."),
        Behind::Unsafe(danger) => format!("{subject} is not safe: {}.", why(*danger)),
        Behind::Guard { condition } => {
            let condition = sentences.condition(&asked().guard[*condition]);
            format!("Rule {number}: {san} is not {condition}.")
        }
        Behind::Key { key, .. } => {
            let wants = sentences.key(asked().keys[*key]);
            format!("{subject} falls behind at key {} of rule {number}: {wants}.", key + 1)
        }
    }
}

/// The reason why a move is not safe, in words.
fn why(danger: Danger) -> String {
    match danger {
        Danger::Stalemate => "it is stalemate".into(),
        Danger::Taken(piece) => format!("the {} can be taken", man(piece)),
        Danger::Promotion => "the pawn can promote".into(),
        Danger::Departure => "it leads to another endgame, and does not win at once there".into(),
    }
}
