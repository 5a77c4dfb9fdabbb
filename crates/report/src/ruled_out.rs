//! The reason why a strategy prefers its move to another.

use super::weighed::{MoveWorth, man};
use lucena_chess::{Danger, IllegalMove, Move, Position};
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
    pub behind: &'static str,
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
        chosen: &Move,
        other: &Ruled,
        rule: usize,
        policy: &StrategyPolicy,
        sentences: &Sentences<'_>,
    ) -> Result<Self, IllegalMove> {
        let worth = MoveWorth::new(position, &other.weighed)?;
        let (san, best) = (&worth.san, position.san(*chosen)?);
        let (behind, because) = match &other.behind {
            Behind::SameMove => ("same move", String::new()),
            Behind::Tied => ("tied", format!("It is tied with {best}: either may be played.")),
            Behind::NotAtOnce => {
                ("not at once", format!("{best} wins at once in another endgame."))
            }
            Behind::Unsafe(danger) => ("unsafe", format!("It is not safe: {}.", why(*danger))),
            Behind::Guard { condition } => {
                let guard = &policy.strategy().rules()[rule].guard;
                let asked = sentences.condition(&guard[*condition]);
                ("guard", format!("Rule {}: {san} is not {asked}.", rule + 1))
            }
            Behind::Key { key, .. } => {
                let wants = sentences.key(policy.strategy().rules()[rule].keys[*key]);
                let rule = rule + 1;
                ("key", format!("It falls behind at key {} of rule {rule}: {wants}.", key + 1))
            }
        };
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
        let cost_plies = other.cost_plies;
        Ok(Self { worth, cost_plies, behind, because, key })
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
