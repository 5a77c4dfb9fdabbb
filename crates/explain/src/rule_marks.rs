//! The squares that a rule about who wins is about.

use super::diagram::Mark;
use super::finding::highlights;
use lucena_chess::Position;
use lucena_chess::symmetry::Symmetry;
use lucena_proof::policy::with_weak_to_move;
use lucena_rules::{Rule, RuleList};

/// The squares that a rule of a list is about in a position. `image` is the symmetry to the board on which the rule applies,
/// as [`RuleList::applying`] returns it.
pub fn rule_marks(list: &RuleList, rule: &Rule, position: &Position, image: Symmetry) -> Vec<Mark> {
    let read = image.apply_to_position(&with_weak_to_move(position));
    let attributes = list.attributes().attributes();
    let asked = rule.clauses.iter().flat_map(|clause| &clause.any_of);
    let foci = asked.map(|condition| attributes[condition.attribute].focus(&read));
    Mark::all(&highlights(foci, image.inverse(), "pieces that the rule is about"))
}
