//! Rules about who wins in words.

use lucena_attributes::ReaderBoard;
use lucena_chess::Side;
use lucena_rules::{Claim, Clause, Rule, RuleList};

/// A rule in words, with White as the strong side, without a full stop.
pub fn rule_sentence(list: &RuleList, rule: &Rule) -> String {
    let view = ReaderBoard::general(list.material());
    let attributes = list.attributes().attributes();
    let clause = |clause: &Clause| {
        let any = clause.any_of.iter();
        let any = any.map(|of| attributes[of.attribute].sentence(of.low..=of.high, &view));
        any.collect::<Vec<_>>().join(" or ")
    };
    let turn = rule.turn.map(|turn| match turn {
        Side::Strong => "White is to move".into(),
        Side::Weak => "Black is to move".into(),
    });
    let parts: Vec<String> = turn.into_iter().chain(rule.clauses.iter().map(clause)).collect();
    let claim = match rule.claim {
        Claim::Win => "White wins",
        Claim::Draw => "White does not win",
    };
    match parts.split_last() {
        None => format!("{claim}, always"),
        Some((only, [])) => format!("{claim} if {only}"),
        Some((last, rest)) => format!("{claim} if {}, and {last}", rest.join(", ")),
    }
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
