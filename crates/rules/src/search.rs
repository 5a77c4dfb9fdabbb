//! The search for rules without exceptions.
//!
//! Separate and conquer: each rule is the conjunction that decides most of a sample's positions that no rule before it
//! decides, and none of the others. A beam search finds it. Then all positions of the endgame are looked at. Exceptions
//! join the sample, and the rule is looked for again, until there is none.

mod beam;
mod params;
mod sample;

use super::positions::{PositionNumber, Positions};
use super::rule::{Clause, Rule, RuleList};
use beam::{Beam, Candidate};
use lucena_base::bits::BitSet;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::Side;
use lucena_model::Condition;
use lucena_tablebase::Tablebase;
pub use params::SearchParams;
use sample::Sample;
use std::ops::ControlFlow;

/// The exceptions that join the sample at a time.
const EXCEPTIONS: usize = 2_000;

/// Searches for rules without exceptions in addition to those of a list, about its attributes and in the positions that it
/// is about. Calls `found` with the list whenever it has one more. Ends when there are enough, no rule decides a position
/// of the sample that is not decided yet, or the observer asks to stop. The same parameters give the same rules, on every
/// machine. Attributes that change when the board is turned or mirrored, such as the file of a man, are left out.
///
/// The rules of the list come first. Their exceptions, if they have any, are not looked for.
///
/// # Errors
/// If a table file can no longer be read, or the observer asks to stop before the sample is drawn.
///
/// # Panics
/// If the list and the table are of different endgames.
pub fn search(
    tablebase: &Tablebase,
    mut list: RuleList,
    params: SearchParams,
    observer: &dyn Observer,
    mut found: impl FnMut(&RuleList),
) -> Result<RuleList, Stopped> {
    assert_eq!(tablebase.material(), list.material(), "a table has rules of its endgame");
    let mut search = Search::new(tablebase, &list, params, observer)?;
    while list.rules.len() < params.rules {
        match search.next(&list) {
            Ok(Some(found)) => list.rules.push(found.rule),
            Ok(None) | Err(Stopped::Request) => break,
            Err(stopped) => return Err(stopped),
        }
        found(&list);
    }
    Ok(list)
}

/// A repair that keeps this share of a rule is good enough: a longer one is not looked for.
const KEPT: f64 = 0.5;

/// Searches for a small repair of a rule of a list: the fewest conditions found, on the list's attributes, that leave the
/// rule without exceptions and keep at least half of the sample's positions in which it is right. Of several such repairs it
/// is the one that keeps most. If none is found within the parameters, it is the one that keeps most of all.
/// Returns the rule with these conditions behind its own; `None` if no conditions leave it without exceptions.
///
/// The claim, the side to move and the number of rules are those of the rule, not of the parameters.
///
/// # Errors
/// If a table file can no longer be read, or the observer asks to stop.
///
/// # Panics
/// If the list and the table are of different endgames.
pub fn repair(
    tablebase: &Tablebase,
    list: &RuleList,
    rule: &Rule,
    params: SearchParams,
    observer: &dyn Observer,
) -> Result<Option<Rule>, Stopped> {
    let within = [list.within(), &rule.clauses].concat();
    let part = RuleList::new(list.attributes().clone(), within, Vec::new());
    let params = SearchParams { claim: rule.claim, turn: rule.turn, ..params };
    let mut search = Search::new(tablebase, &part, params, observer)?;
    let mut best: Option<FoundRule> = None;
    for conditions in 1..=params.conditions {
        search.params.conditions = conditions;
        let found = search.next(&part)?;
        best = match (best, found) {
            (Some(best), Some(found)) if found.share > best.share => Some(found),
            (best, found) => best.or(found),
        };
        if best.as_ref().is_some_and(|best| best.share >= KEPT) {
            break;
        }
    }
    Ok(best.map(|FoundRule { rule: added, .. }| Rule {
        clauses: [&rule.clauses[..], &added.clauses].concat(),
        turn: added.turn,
        ..rule.clone()
    }))
}

/// A rule without exceptions.
struct FoundRule {
    rule: Rule,
    /// The share of the sample's positions with its outcome, not yet decided, that it decides.
    share: f64,
}

struct Search<'s> {
    positions: Positions<'s>,
    params: SearchParams,
    sample: Sample,
    observer: &'s dyn Observer,
}

impl<'s> Search<'s> {
    fn new(
        tablebase: &'s Tablebase,
        list: &RuleList,
        params: SearchParams,
        observer: &'s dyn Observer,
    ) -> Result<Self, Stopped> {
        let positions = Positions::new(tablebase);
        let sample = Sample::new(&positions, list, params, observer)?;
        Ok(Self { positions, params, sample, observer })
    }

    /// The next rule; `None` if there is none.
    fn next(&mut self, list: &RuleList) -> Result<Option<FoundRule>, Stopped> {
        let what = format!("looking for rule {}", list.rules.len() + 1);
        let (turn_column, params) = (list.attributes().attributes().len(), self.params);
        loop {
            let decided = self.decided(list);
            let beam = Beam::new(&self.sample, &decided, params);
            let Some(candidate) = beam.best(&what, self.observer)? else { return Ok(None) };
            let share = beam.share(&candidate);
            let Candidate { conditions, .. } = candidate;
            let (turns, others): (Vec<_>, Vec<_>) =
                conditions.into_iter().partition(|condition| condition.attribute == turn_column);
            let mut names =
                (list.rules.len() + 1..).map(|number| format!("{}-{number}", params.claim));
            let is_free = |name: &String| list.rules.iter().all(|rule| rule.name != *name);
            let turn = turns.first().map(|turn| Side::ALL[usize::from(turn.low)]);
            let rule = Rule {
                name: names.find(is_free).expect("there are more names than rules"),
                title: String::new(),
                source: String::new(),
                claim: params.claim,
                turn: turn.or(params.turn),
                clauses: others.into_iter().map(Clause::new).collect(),
            };
            let exceptions = self.exceptions(list, &rule)?;
            if exceptions.is_empty() {
                return Ok(Some(FoundRule { rule, share }));
            }
            self.sample.extend(&self.positions, list.attributes(), &exceptions);
        }
    }

    /// The rows of the sample that the rules of a list decide.
    fn decided(&self, list: &RuleList) -> BitSet {
        let mut decided = BitSet::empty(self.sample.rows());
        for row in 0..self.sample.rows() {
            let turn = self.sample.turn(row);
            let holds = |&Condition { attribute, low, high }: &Condition| {
                (low..=high).contains(&self.sample.column(attribute)[row])
            };
            let applies = |rule: &&Rule| {
                rule.claim == self.params.claim
                    && rule.turn.is_none_or(|of| of == turn)
                    && rule.clauses.iter().all(|clause| clause.any_of.iter().any(holds))
            };
            if list.rules.iter().any(|rule| applies(&rule)) {
                decided.insert(row);
            }
        }
        decided
    }

    /// Some of the positions in which a rule is wrong, of those that a list is about; none if it never is.
    fn exceptions(&self, list: &RuleList, rule: &Rule) -> Result<Vec<PositionNumber>, Stopped> {
        let within = list.within().to_vec();
        let list = RuleList::new(list.attributes().clone(), within, vec![rule.clone()]);
        let mut list = list.with_used_attributes();
        let order = self.positions.quick_first(&list).remove(0);
        let clauses = order.iter().map(|&at| list.rules[0].clauses[at].clone()).collect();
        list.rules[0].clauses = clauses;
        let rule = &list.rules[0];
        let mut exceptions = Vec::new();
        self.positions.visit(
            &format!("looking for exceptions of {}", rule.name),
            &list,
            |turn, outcome| {
                rule.turn.is_none_or(|of| of == turn) && !rule.claim.is_right(turn, outcome)
            },
            |found: &mut Vec<PositionNumber>, number, _, boards| {
                if boards.meet(rule, number.turn) {
                    found.push(number);
                }
            },
            |found| {
                exceptions.extend(found);
                match exceptions.len() {
                    ..EXCEPTIONS => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            },
            self.observer,
        )?;
        let step = exceptions.len().div_ceil(EXCEPTIONS).max(1);
        Ok(exceptions.into_iter().step_by(step).collect())
    }
}
