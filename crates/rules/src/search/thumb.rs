//! The search for rules of thumb.
//!
//! The list grows by the rule that mends most errors of a sample, wherever in the list it does so. After each, and at the
//! end until nothing helps any more, every rule is taken out, and the best one in its place is looked for.

use super::beam::{Aim, Beam, Rows};
use super::params::SearchParams;
use super::sample::Sample;
use crate::positions::Positions;
use crate::rule::{Claim, Rule, RuleList};
use lucena_base::bits::BitSet;
use lucena_base::progress::{Observer, Stopped};
use lucena_model::Condition;
use lucena_tablebase::Tablebase;

/// The claims, in the order in which they are tried.
const CLAIMS: [Claim; 2] = [Claim::Win, Claim::Draw];

/// A condition must mend at least one of so many errors of the list.
const ERRORS_FOR_A_CONDITION: usize = 1_000;

/// A rule must mend more errors of a sample than it makes by so many standard deviations; a smaller gain may be due to the
/// draw.
const DEVIATIONS: f64 = 3.0;

/// Searches for rules of thumb with the fewest errors, about the attributes of a list and the positions that it is about.
/// The rules of the list are where the search starts; they may be replaced. Calls `found` with each list that has fewer
/// errors in the sample than those before it, or as few with fewer rules. Ends when no single rule can be added or replaced
/// to mend errors by more than the draw of the sample explains, or the observer asks to stop. The same parameters give the same rules, on every machine.
///
/// The rules are about either side to move, whatever the parameters say.
///
/// # Errors
/// If a table file can no longer be read, or the observer asks to stop before the sample is drawn.
///
/// # Panics
/// If the list and the table are of different endgames.
pub fn search_thumb(
    tablebase: &Tablebase,
    list: &RuleList,
    params: SearchParams,
    observer: &dyn Observer,
    mut found: impl FnMut(&RuleList),
) -> Result<RuleList, Stopped> {
    assert_eq!(tablebase.material(), list.material(), "a table has rules of its endgame");
    let params = SearchParams { turn: None, ..params };
    let sample = Sample::new(&Positions::new(tablebase), list, Claim::Win, params, observer)?;
    let mut thumb = Thumb::new(&sample, list, params, observer);
    match thumb.improve(|thumb| found(&thumb.list(list))) {
        Ok(()) | Err(Stopped::Request) => Ok(thumb.list(list)),
        Err(stopped) => Err(stopped),
    }
}

/// Rules of thumb, as they decide a sample.
struct Thumb<'s> {
    sample: &'s Sample,
    params: SearchParams,
    observer: &'s dyn Observer,
    /// The rows that the strong side wins.
    won: BitSet,
    rules: Vec<SampleRule>,
    otherwise: Claim,
}

/// A rule as it decides a sample.
#[derive(Clone)]
struct SampleRule {
    rule: Rule,
    /// The rows to which it applies.
    rows: BitSet,
}

impl<'s> Thumb<'s> {
    fn new(
        sample: &'s Sample,
        list: &RuleList,
        params: SearchParams,
        observer: &'s dyn Observer,
    ) -> Self {
        let mut won = BitSet::empty(sample.rows());
        (0..sample.rows()).filter(|&row| sample.is_right(row)).for_each(|row| won.insert(row));
        let is_mostly_won = 2 * won.len() > sample.rows();
        let most = if is_mostly_won { Claim::Win } else { Claim::Draw };
        let otherwise = list.otherwise().unwrap_or(most);
        let mut thumb = Self { sample, params, observer, won, rules: Vec::new(), otherwise };
        thumb.rules = list.rules.iter().map(|rule| thumb.rule(rule.clone())).collect();
        thumb
    }

    fn rule(&self, rule: Rule) -> SampleRule {
        let mut rows = BitSet::empty(self.sample.rows());
        let applies = |&row: &usize| self.sample.applies(&rule, row);
        (0..self.sample.rows()).filter(applies).for_each(|row| rows.insert(row));
        SampleRule { rule, rows }
    }

    /// The rules as a list about the same part of the endgame as another.
    fn list(&self, of: &RuleList) -> RuleList {
        let rules = self.rules.iter().zip(1..).map(|(SampleRule { rule, .. }, number)| Rule {
            name: format!("{}-{number}", rule.claim),
            ..rule.clone()
        });
        of.with_rules(rules.collect()).with_otherwise(self.otherwise)
    }

    /// The rows that no rule before one decides.
    fn open(&self, before: usize) -> BitSet {
        let mut open = BitSet::full(self.sample.rows());
        self.rules[..before].iter().for_each(|rule| open.subtract(&rule.rows));
        open
    }

    /// The rows of which a claim is wrong.
    fn wrong(&self, claim: Claim, mut of: BitSet) -> BitSet {
        match claim {
            Claim::Win => of.subtract(&self.won),
            Claim::Draw => of.intersect(&self.won),
        }
        of
    }

    /// Of some rows, those that the rules from one on get wrong.
    fn errors(&self, from: usize, mut open: BitSet) -> BitSet {
        let mut errors = BitSet::empty(self.sample.rows());
        for rule in &self.rules[from..] {
            let mut decided = open.clone();
            decided.intersect(&rule.rows);
            errors.union_with(&self.wrong(rule.rule.claim, decided));
            open.subtract(&rule.rows);
        }
        errors.union_with(&self.wrong(self.otherwise, open));
        errors
    }

    fn all_errors(&self) -> usize {
        self.errors(0, BitSet::full(self.sample.rows())).len()
    }

    /// Adds and replaces rules until no single one helps any more.
    fn improve(&mut self, mut found: impl FnMut(&Self)) -> Result<(), Stopped> {
        loop {
            let is_longer = self.rules.len() < self.params.rules && self.insert()?;
            if is_longer {
                found(self);
            }
            let mut is_better = self.replace_each(false, &mut found)?;
            if !is_longer && !is_better {
                is_better = self.replace_each(true, &mut found)?;
            }
            if !is_longer && !is_better {
                return Ok(());
            }
        }
    }

    /// Looks for a better rule in the place of each, or in any place instead of it. Returns true if there was one.
    fn replace_each(
        &mut self,
        anywhere: bool,
        found: &mut impl FnMut(&Self),
    ) -> Result<bool, Stopped> {
        let mut is_better = false;
        for at in (0..self.rules.len()).rev() {
            // One that always applies makes those behind it needless.
            if at >= self.rules.len() {
                continue;
            }
            let (rules, otherwise, errors) =
                (self.rules.clone(), self.otherwise, self.all_errors());
            self.rules.remove(at);
            let is_needless = self.all_errors() <= errors;
            let replaced = match anywhere {
                _ if is_needless => Ok(false),
                true => self.insert(),
                false => self.insert_in([at]),
            };
            if is_needless || self.all_errors() < errors {
                is_better = true;
                found(self);
            } else {
                (self.rules, self.otherwise) = (rules, otherwise);
            }
            replaced?;
        }
        Ok(is_better)
    }

    /// Adds the best rule. Returns false if none mends errors, as far as the sample can tell.
    fn insert(&mut self) -> Result<bool, Stopped> {
        self.insert_in(0..=self.rules.len())
    }

    /// Adds the best rule in one of some places. Returns false if none mends errors, as far as the sample can tell.
    fn insert_in(&mut self, places: impl IntoIterator<Item = usize>) -> Result<bool, Stopped> {
        let errors = self.all_errors();
        let price = (errors / ERRORS_FOR_A_CONDITION) as u32;
        let deviations = if self.sample.is_whole() { 0.0 } else { DEVIATIONS };
        let aim = Aim::Gain { price, deviations };
        let share = 100.0 * errors as f64 / self.sample.rows().max(1) as f64;
        let what = format!("{} rules with {share:.2} % errors, looking for one", self.rules.len());
        let mut best: Option<(u32, usize, Claim, Vec<Condition>)> = None;
        for at in places {
            let open = self.open(at);
            let errors = self.errors(at, open.clone());
            for claim in CLAIMS {
                let is_right = |row| self.won.contains(row) == (claim == Claim::Win);
                // The rows that are wrong so far and would be right, and those that are right and would be wrong.
                let counts = |&row: &usize| errors.contains(row) == is_right(row);
                let rows = open.iter().filter(counts).map(|row| row as u32);
                let (right, wrong) = rows.partition(|&row| is_right(row as usize));
                let beam = Beam::new(self.sample, Rows { right, wrong }, aim, self.params);
                let least = best.as_ref().map_or(0, |&(worth, ..)| worth);
                if beam.most() <= least {
                    continue;
                }
                let found = beam.best(&what, &[], self.observer)?.most;
                let worth = beam.worth(found.as_ref());
                if worth > least {
                    let conditions = found.expect("it is worth something").conditions;
                    best = Some((worth, at, claim, conditions));
                }
            }
        }
        let Some((_, at, claim, conditions)) = best else { return Ok(false) };
        if conditions.is_empty() {
            // It holds wherever no rule before it applies.
            self.rules.truncate(at);
            self.otherwise = claim;
        } else {
            let rule = self.sample.rule(String::new(), claim, conditions);
            self.rules.insert(at, self.rule(rule));
        }
        Ok(true)
    }
}
