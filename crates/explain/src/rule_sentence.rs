//! Rules about who wins in words.

use lucena_attributes::ReaderBoard;
use lucena_chess::Side;
use lucena_rules::{Claim, Clause, Rule, RuleList};

/// A rule in words, with White as the strong side, without a full stop.
pub fn rule_sentence(list: &RuleList, rule: &Rule) -> String {
    let turn = rule.turn.map(|turn| turn_sentence(turn).to_owned());
    let clauses = rule.clauses.iter().map(|clause| clause_sentence(list, clause));
    let parts: Vec<String> = turn.into_iter().chain(clauses).collect();
    let claim = claim_sentence(rule.claim);
    match listed(&parts) {
        None => format!("{claim}, always"),
        Some(parts) => format!("{claim} if {parts}"),
    }
}

/// Clauses in a row: "A, B, and C"; `None` if there are none.
pub(super) fn listed(clauses: &[String]) -> Option<String> {
    Some(match clauses.split_last()? {
        (only, []) => only.clone(),
        (last, rest) => format!("{}, and {last}", rest.join(", ")),
    })
}

/// The claim of a rule in words, with White as the strong side.
pub fn claim_sentence(claim: Claim) -> &'static str {
    match claim {
        Claim::Win => "White wins",
        Claim::Draw => "White does not win",
    }
}

/// The player of a side, with White as the strong side.
pub(super) fn player(side: Side) -> &'static str {
    match side {
        Side::Strong => "White",
        Side::Weak => "Black",
    }
}

/// The side to move in words, with White as the strong side.
pub fn turn_sentence(turn: Side) -> &'static str {
    match turn {
        Side::Strong => "White is to move",
        Side::Weak => "Black is to move",
    }
}

/// A clause of a list in words, with White as the strong side.
pub fn clause_sentence(list: &RuleList, clause: &Clause) -> String {
    let view = ReaderBoard::general(list.material());
    let attributes = list.attributes().attributes();
    let any = clause.any_of.iter();
    let any = any.map(|of| attributes[of.attribute].sentence(of.low..=of.high, &view));
    any.collect::<Vec<_>>().join(" or ")
}

/// A text about White as the strong side, with Black as the strong side.
pub(super) fn with_colors_exchanged(text: &str) -> String {
    const PAIRS: [[&str; 2]; 2] = [["White", "Black"], ["white", "black"]];
    let exchanged = |word: &str| {
        PAIRS.iter().find_map(|[one, other]| match word {
            _ if word.starts_with(one) => Some(word.replacen(one, other, 1)),
            _ if word.starts_with(other) => Some(word.replacen(other, one, 1)),
            _ => None,
        })
    };
    let words = text.split(' ').map(|word| exchanged(word).unwrap_or_else(|| word.into()));
    words.collect::<Vec<_>>().join(" ")
}
