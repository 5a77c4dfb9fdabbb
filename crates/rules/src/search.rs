//! The search for rules without exceptions.
//!
//! Separate and conquer: each rule is the conjunction that decides most of a sample's positions that no rule before it
//! decides, and none of the others. A beam search finds it. Then all positions of a region are looked at: the part of the
//! endgame in which those of its conditions hold that exclude most errors. All exceptions there join the sample, so every
//! conjunction in this region that has no exception in the sample has none at all. The rule is looked for again, until the
//! best one is in such a region, or one in such a region is nearly as good.

mod beam;
mod params;
mod sample;
mod thumb;

use super::positions::{PositionNumber, Positions};
use super::rule::{Claim, Rule, RuleList};
use beam::{Beam, Best, Candidate, Region};
use lucena_base::bits::BitSet;
use lucena_base::progress::{Observer, Stopped};
use lucena_tablebase::Tablebase;
pub use params::SearchParams;
use sample::Sample;
use std::ops::ControlFlow;
pub use thumb::search_thumb;

/// The most exceptions of a region, which all join the sample.
const EXCEPTIONS: usize = 120_000;

/// The share of them that a region is expected to have, at most: some have more than is expected.
const EXPECTED: f64 = 0.6;

/// The exceptions that join the sample from a region with too many.
const SOME: usize = 10_000;

/// The rows that make the sample too large: then all exceptions are forgotten.
const ROWS: usize = 3_000_000;

/// A sound rule is good enough if it decides this share of what the best one decides that may have exceptions. Each look at
/// all positions multiplies the share by this number again.
const ENOUGH: f64 = 0.96;

/// Searches for rules with a claim and without exceptions in addition to those of a list, about its attributes and in the
/// positions that it is about and does not hold out. Calls `found` with the list whenever it has one more. Ends when there are enough, no rule decides a position
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
    claim: Claim,
    params: SearchParams,
    observer: &dyn Observer,
    mut found: impl FnMut(&RuleList),
) -> Result<RuleList, Stopped> {
    assert_eq!(tablebase.material(), list.material(), "a table has rules of its endgame");
    let mut search = Search::new(tablebase, &list, claim, params, observer)?;
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
/// The side to move and the number of rules are those of the rule, not of the parameters.
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
    let mut part = list.with_rules(Vec::new());
    part.within.extend_from_slice(&rule.clauses);
    let params = SearchParams { turn: rule.turn, ..params };
    let mut search = Search::new(tablebase, &part, rule.claim, params, observer)?;
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
        decides: None,
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
    claim: Claim,
    params: SearchParams,
    sample: Sample,
    /// The regions of which the sample has all exceptions.
    regions: Vec<Region>,
    observer: &'s dyn Observer,
}

impl<'s> Search<'s> {
    fn new(
        tablebase: &'s Tablebase,
        list: &RuleList,
        claim: Claim,
        params: SearchParams,
        observer: &'s dyn Observer,
    ) -> Result<Self, Stopped> {
        let positions = Positions::new(tablebase).with_kept_values();
        let sample = Sample::new(&positions, list, claim, params, observer)?;
        Ok(Self { positions, claim, params, sample, regions: Vec::new(), observer })
    }

    /// The next rule; `None` if there is none.
    fn next(&mut self, list: &RuleList) -> Result<Option<FoundRule>, Stopped> {
        let what = format!("looking for rule {}", list.rules.len() + 1);
        if self.sample.rows() > ROWS {
            self.sample.forget();
            self.regions.clear();
        }
        let decided = self.decided(list);
        let mut enough = ENOUGH;
        loop {
            let beam = Beam::for_sound(&self.sample, &decided, self.params);
            let Best { most, sound } = beam.best(&what, &self.regions, self.observer)?;
            let Some(most) = most else { return Ok(None) };
            let least = enough * f64::from(most.right);
            if let Some(sound) = sound.filter(|sound| f64::from(sound.right) >= least) {
                let share = beam.share(&sound);
                return Ok(Some(FoundRule { rule: self.rule(list, sound), share }));
            }
            let expected = EXPECTED * EXCEPTIONS as f64;
            let mut wrong = self.sample.expected(expected as usize);
            let mut regions = Vec::new();
            while wrong > 0 {
                regions.push(beam.region(&most, wrong));
                wrong /= 4;
            }
            regions.extend([beam.region(&most, 0), Region::of(&most)]);
            regions.dedup();
            let looks = self.look_at(list, regions)?;
            enough *= ENOUGH.powi(looks as i32);
        }
    }

    /// Looks at one region after another, each in the one before, until all exceptions of one have joined the sample.
    /// Returns the number of regions.
    fn look_at(&mut self, list: &RuleList, regions: Vec<Region>) -> Result<usize, Stopped> {
        for (before, region) in regions.into_iter().enumerate() {
            let Region { conditions } = region.clone();
            let rule = self.rule(list, Candidate::new(conditions));
            let mut exceptions = self.exceptions(list, &rule)?;
            let is_all = exceptions.len() <= EXCEPTIONS;
            if !is_all {
                let step = exceptions.len().div_ceil(SOME);
                exceptions = exceptions.into_iter().step_by(step).collect();
            }
            self.sample.join(&self.positions, list.attributes(), exceptions);
            if is_all {
                self.regions.push(region);
                return Ok(before + 1);
            }
        }
        Ok(1)
    }

    /// A rule behind those of a list.
    fn rule(&self, list: &RuleList, candidate: Candidate) -> Rule {
        let mut names = (list.rules.len() + 1..).map(|number| format!("{}-{number}", self.claim));
        let is_free = |name: &String| list.rules.iter().all(|rule| rule.name != *name);
        let name = names.find(is_free).expect("there are more names than rules");
        let rule = self.sample.rule(name, self.claim, candidate.conditions);
        Rule { turn: rule.turn.or(self.params.turn), ..rule }
    }

    /// The drawn rows that the rules of a list decide.
    fn decided(&self, list: &RuleList) -> BitSet {
        let is_decided = |&row: &usize| {
            let applies = |rule: &Rule| rule.claim == self.claim && self.sample.applies(rule, row);
            list.rules.iter().any(applies)
        };
        let mut decided = BitSet::empty(self.sample.drawn());
        (0..self.sample.drawn()).filter(is_decided).for_each(|row| {
            decided.insert(row);
        });
        decided
    }

    /// The positions in which a rule is wrong, of those that a list is about: all, or some if there are too many.
    fn exceptions(&self, list: &RuleList, rule: &Rule) -> Result<Vec<PositionNumber>, Stopped> {
        let mut list = list.with_rules(Vec::new());
        // What the list is about is tested where it costs least.
        let clauses = [list.within(), &rule.clauses].concat();
        list.rules.push(Rule { clauses, ..rule.clone() });
        let within = std::mem::take(&mut list.within);
        if !list.held_out.is_empty() {
            list.held_out.extend(within);
        }
        let mut list = list.with_used_attributes();
        list.rules = self.positions.rules_quick_first(&list);
        let rule = &list.rules[0];
        let mut exceptions = Vec::new();
        self.positions.visit(
            &format!("looking for exceptions of {}", rule.name),
            &list,
            |turn, outcome| {
                rule.turn.is_none_or(|of| of == turn) && !rule.claim.is_right(turn, outcome)
            },
            |found: &mut Vec<PositionNumber>, number, _, boards| {
                if boards.meet(rule, number.turn) && !boards.is_held_out() {
                    found.push(number);
                }
            },
            |found| {
                exceptions.extend(found);
                match exceptions.len() {
                    ..=EXCEPTIONS => ControlFlow::Continue(()),
                    _ => ControlFlow::Break(()),
                }
            },
            self.observer,
        )?;
        Ok(exceptions)
    }
}
