//! The exact record of rules of thumb: in every position of their endgame the first that applies decides.

use super::count::{Distant, Example, Scattered, first, less, scattered};
use super::positions::{PositionNumber, Positions};
use super::rule::{Claim, RuleList};
use lucena_base::progress::{Observer, Stopped};
use lucena_tablebase::{Outcome, Tablebase};
use std::ops::ControlFlow;

/// The record of rules of thumb over the positions that their list is about. Positions are counted up to symmetry, with
/// either side to move, without rights to capture en passant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThumbCounts {
    /// All legal positions.
    pub positions: u64,
    /// Those that the strong side wins.
    pub won: u64,
    /// Each rule.
    pub rules: Vec<DecisionCounts>,
    /// The positions to which no rule applies.
    pub otherwise: DecisionCounts,
}

impl ThumbCounts {
    /// The positions of which the list is wrong.
    pub fn wrong(&self) -> u64 {
        self.otherwise.wrong + self.rules.iter().map(|rule| rule.wrong).sum::<u64>()
    }
}

/// The positions that a rule decides, since no rule before it applies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DecisionCounts {
    /// Their number.
    pub decides: u64,
    /// Of these, those in which it is wrong.
    pub wrong: u64,
    /// One of those: a draw if there is one, otherwise the one with the least distance; `None` if it is never wrong.
    pub exception: Option<Example>,
    /// A few more of them, from all over the endgame.
    pub exceptions: Vec<Example>,
    /// A position in which it is right, from anywhere in the endgame; `None` if it is never right.
    pub example: Option<Example>,
    /// Of the positions that it decides, those that are held out from the search.
    pub held_out: u64,
    /// Of these, those in which it is wrong.
    pub held_out_wrong: u64,
}

/// Counts how many positions of the endgame each rule of thumb decides, and in how many of these it is wrong.
///
/// # Errors
/// If the observer asks to stop, or a table file can no longer be read.
///
/// # Panics
/// If the table is of another endgame, or the list does not say what holds otherwise.
pub fn count_thumb(
    list: &RuleList,
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<ThumbCounts, Stopped> {
    assert_eq!(tablebase.material(), list.material(), "a table counts rules of its endgame");
    let otherwise = list.otherwise().expect("rules of thumb claim something otherwise");
    let positions = Positions::new(tablebase);
    let rules = positions.rules_quick_first(list);
    let mut all = Tally::new(rules.len());
    positions.visit(
        &format!("counting rules of thumb of {}", list.material()),
        list,
        |_, _| true,
        |found: &mut Option<Tally>, number, outcome, boards| {
            let mut in_order = rules.iter();
            let first = in_order.position(|rule| boards.meet(rule, number.turn));
            let claim = first.map_or(otherwise, |rule| rules[rule].claim);
            let decision = Decision {
                number,
                outcome,
                is_right: claim.is_right(number.turn, outcome),
                is_held_out: boards.is_held_out(),
            };
            let tally = found.get_or_insert_with(|| Tally::new(rules.len()));
            tally.add(first.unwrap_or(rules.len()), decision);
        },
        |found| {
            found.into_iter().for_each(|tally| all.append(tally));
            ControlFlow::Continue(())
        },
        observer,
    )?;
    Ok(all.counts(&positions))
}

/// What the list says of a position.
#[derive(Clone, Copy)]
struct Decision {
    number: PositionNumber,
    outcome: Outcome,
    is_right: bool,
    is_held_out: bool,
}

/// Sums over some positions.
struct Tally {
    won: u64,
    /// Each rule, and behind them what holds otherwise.
    rules: Vec<RuleTally>,
}

#[derive(Clone, Default)]
struct RuleTally {
    decides: u64,
    wrong: u64,
    exception: Option<Distant>,
    /// The exceptions with the least keys, in order.
    exceptions: Vec<Scattered>,
    example: Option<Scattered>,
    held_out: u64,
    held_out_wrong: u64,
}

/// The exceptions that are shown beside the first one.
const SHOWN: usize = 3;

impl RuleTally {
    fn show(&mut self, one: Scattered) {
        let at = self.exceptions.partition_point(|known| *known < one);
        if at < SHOWN {
            self.exceptions.insert(at, one);
            self.exceptions.truncate(SHOWN);
        }
    }
}

impl Tally {
    fn new(rules: usize) -> Self {
        Self { won: 0, rules: vec![RuleTally::default(); rules + 1] }
    }

    fn add(&mut self, rule: usize, decision: Decision) {
        let Decision { number, outcome, is_right, is_held_out } = decision;
        self.won += u64::from(Claim::Win.is_right(number.turn, outcome));
        let tally = &mut self.rules[rule];
        tally.decides += 1;
        tally.held_out += u64::from(is_held_out);
        if is_right {
            first(&mut tally.example, number);
        } else {
            tally.wrong += 1;
            tally.held_out_wrong += u64::from(is_held_out);
            less(&mut tally.exception, Distant { plies: outcome.plies().unwrap_or(0), number });
            tally.show(scattered(number));
        }
    }

    fn append(&mut self, other: Self) {
        self.won += other.won;
        for (to, from) in self.rules.iter_mut().zip(other.rules) {
            to.decides += from.decides;
            to.wrong += from.wrong;
            to.held_out += from.held_out;
            to.held_out_wrong += from.held_out_wrong;
            from.exception.into_iter().for_each(|one| less(&mut to.exception, one));
            from.exceptions.into_iter().for_each(|one| to.show(one));
            from.example.into_iter().for_each(|(_, number)| first(&mut to.example, number));
        }
    }

    fn counts(self, positions: &Positions<'_>) -> ThumbCounts {
        let example = |number: PositionNumber| Example::new(positions, number);
        let rule = |tally: RuleTally| DecisionCounts {
            decides: tally.decides,
            wrong: tally.wrong,
            exception: tally.exception.map(|distant| example(distant.number)),
            exceptions: tally.exceptions.into_iter().map(|(_, number)| example(number)).collect(),
            example: tally.example.map(|(_, number)| example(number)),
            held_out: tally.held_out,
            held_out_wrong: tally.held_out_wrong,
        };
        let mut rules: Vec<DecisionCounts> = self.rules.into_iter().map(rule).collect();
        ThumbCounts {
            positions: rules.iter().map(|rule| rule.decides).sum(),
            won: self.won,
            otherwise: rules.pop().expect("the positions that are left"),
            rules,
        }
    }
}
