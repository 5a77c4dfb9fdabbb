//! Where a move falls behind the one that a strategy plays.

use super::weighed::{MoveWorth, man};
use lucena_chess::{Danger, IllegalMove, Move, Position};
use lucena_explain::{Behind, Ruled};
use lucena_proof::policy::StrategyPolicy;
use lucena_strategy::Sentences;
use schemars::JsonSchema;
use serde::Serialize;

/// Another move, held against the one that is played.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RuledOut {
    /// The move, and what it is worth.
    #[serde(flatten)]
    pub worth: MoveWorth,
    /// Plies that the mate takes more; fewer are negative. Null where either move does not win.
    pub cost_plies: Option<i32>,
    /// Where it falls behind: same move or tied, if nowhere; not at once, if only the other one wins at
    /// once; unsafe; guard, if it does not fulfil that of the rule; key, if a key prefers the other one.
    pub behind: &'static str,
    /// The same in sentences, without the values of a key.
    pub because: String,
    /// What the key compared; null where no key decided.
    pub key: Option<KeyParting>,
}

/// A key at which two moves part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KeyParting {
    /// The number of the key in its rule.
    pub key: usize,
    /// Its attribute.
    pub attribute: String,
    /// The value after the move that is played.
    pub value: String,
    /// The value after the other one.
    pub value_instead: String,
    /// What the position after the move that is played shows, in words.
    pub sentence: String,
    /// What the position after the other one shows.
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

/// Why a move is not safe, in words.
fn why(danger: Danger) -> String {
    match danger {
        Danger::Stalemate => "it is stalemate".into(),
        Danger::Taken(piece) => format!("the {} can be taken", man(piece)),
        Danger::Promotion => "the pawn can promote".into(),
        Danger::Departure => "it leads to another endgame, and does not win at once there".into(),
    }
}
