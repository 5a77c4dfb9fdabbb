//! The exact record of rules: every position of their endgame is looked at.

use super::boards::Boards;
use super::positions::{PositionNumber, Positions};
use super::rule::{Claim, Rule, RuleList};
use lucena_attributes::Reading;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Position, Side};
use lucena_tablebase::{Outcome, Tablebase};
use std::ops::ControlFlow;

/// The record of a list of rules over the positions that it is about. Positions are counted up to symmetry, with either side to move, without
/// rights to capture en passant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCounts {
    /// All legal positions.
    pub positions: u64,
    /// Those that the strong side wins.
    pub won: u64,
    /// Of these, those of which some rule says so.
    pub won_decided: u64,
    /// Of the positions that the strong side does not win, those of which some rule says so.
    pub not_won_decided: u64,
    /// The positions of which some rule is wrong.
    pub wrong: u64,
    /// The positions that are held out from the search.
    pub held_out: u64,
    /// Of these, those of which some rule is wrong.
    pub held_out_wrong: u64,
    /// Each rule.
    pub rules: Vec<RuleCounts>,
}

impl ListCounts {
    /// The positions that the strong side does not win.
    pub fn not_won(&self) -> u64 {
        self.positions - self.won
    }
}

/// The record of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCounts {
    /// The positions in which it applies.
    pub applies: u64,
    /// Of these, those in which it is right.
    pub right: u64,
    /// Of these, those of which no rule before it with the same claim says so.
    pub adds: u64,
    /// An exception: a draw if there is one, otherwise the one with the least distance; `None` if it has none.
    pub exception: Option<Example>,
    /// The position in which it is right and the distance is greatest; `None` if all of them are drawn.
    pub hardest: Option<Example>,
    /// A position in which it is right, from anywhere in the endgame; `None` if it is never right.
    pub example: Option<Example>,
    /// For each clause, the positions in which the rule would apply without it, and be wrong.
    pub without: Vec<WithoutClause>,
    /// Of the positions in which it applies, those that are held out from the search.
    pub held_out: u64,
    /// Of these, those in which it is wrong.
    pub held_out_wrong: u64,
}

/// The errors of a rule without one of its clauses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WithoutClause {
    /// The positions in which the clause alone prevents an error.
    pub wrong: u64,
    /// One of them: a draw if there is one, otherwise the one with the least distance.
    pub example: Option<Example>,
}

/// A position with its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The position, with White as the strong side.
    pub position: Position,
    /// The outcome for the side to move, in plies to the next capture, pawn move or mate.
    pub outcome: Outcome,
}

impl Example {
    pub(super) fn new(positions: &Positions<'_>, number: PositionNumber) -> Self {
        let outcome = positions.outcome(number).expect("it is a position");
        Self { position: positions.position(number), outcome }
    }
}

/// Counts in how many positions of the endgame each rule applies, and in how many it is right.
///
/// # Errors
/// If the observer asks to stop, or a table file can no longer be read.
///
/// # Panics
/// If the table is of another endgame.
pub fn count(
    list: &RuleList,
    tablebase: &Tablebase,
    observer: &dyn Observer,
) -> Result<ListCounts, Stopped> {
    assert_eq!(tablebase.material(), list.material(), "a table counts rules of its endgame");
    let positions = Positions::new(tablebase);
    let what = format!("counting rules of {}", list.material());
    let orders = positions.quick_first(list);
    let mut all = Tally::new(list.rules());
    positions.visit(
        &what,
        list,
        |_, _| true,
        |found: &mut Option<Tally>, number, outcome, boards| {
            let tally = found.get_or_insert_with(|| Tally::new(list.rules()));
            tally.add(list.rules(), &orders, number, outcome, boards);
        },
        |found| {
            found.into_iter().for_each(|tally| all.append(tally));
            ControlFlow::Continue(())
        },
        observer,
    )?;
    Ok(all.counts(&positions))
}

/// A position with its distance in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Distant {
    pub(super) plies: u16,
    pub(super) number: PositionNumber,
}

/// Sums over some positions.
struct Tally {
    positions: u64,
    won: u64,
    won_decided: u64,
    not_won_decided: u64,
    wrong: u64,
    held_out: u64,
    held_out_wrong: u64,
    rules: Vec<RuleTally>,
    /// The clauses without which a rule would apply to a position, kept to be filled again.
    alone: Vec<usize>,
}

#[derive(Clone)]
struct RuleTally {
    applies: u64,
    right: u64,
    adds: u64,
    exception: Option<Distant>,
    hardest: Option<Distant>,
    example: Option<Scattered>,
    without: Vec<(u64, Option<Distant>)>,
    held_out: u64,
    held_out_wrong: u64,
}

/// The clauses of a rule that do not hold on a board.
enum Failing {
    None,
    One(usize),
    More,
}

impl Failing {
    /// Tests the clauses of a rule in an order.
    fn new(rule: &Rule, order: &[usize], reading: &mut Reading<'_>) -> Self {
        let mut failing = Self::None;
        for &number in order {
            if !rule.clauses[number].holds(reading) {
                match failing {
                    Self::None => failing = Self::One(number),
                    _ => return Self::More,
                }
            }
        }
        failing
    }
}

/// Returns true if a rule applies to a position.
fn applies(rule: &Rule, order: &[usize], turn: Side, boards: &mut Boards<'_>) -> bool {
    let all_hold =
        |reading: &mut Reading<'_>| order.iter().all(|&number| rule.clauses[number].holds(reading));
    rule.turn.is_none_or(|of| of == turn) && boards.readings().any(all_hold)
}

/// Returns true if a rule applies to a position. If not, `alone` gets each clause without which it would apply.
fn applies_but_for(
    rule: &Rule,
    order: &[usize],
    turn: Side,
    boards: &mut Boards<'_>,
    alone: &mut Vec<usize>,
) -> bool {
    if rule.turn.is_some_and(|of| of != turn) {
        return false;
    }
    for reading in boards.readings() {
        match Failing::new(rule, order, reading) {
            Failing::None => return true,
            Failing::One(clause) if !alone.contains(&clause) => alone.push(clause),
            Failing::One(_) | Failing::More => {}
        }
    }
    false
}

impl Tally {
    fn new(rules: &[Rule]) -> Self {
        let of = |rule: &Rule| RuleTally {
            applies: 0,
            right: 0,
            adds: 0,
            exception: None,
            hardest: None,
            example: None,
            without: vec![(0, None); rule.clauses.len()],
            held_out: 0,
            held_out_wrong: 0,
        };
        Self {
            positions: 0,
            won: 0,
            won_decided: 0,
            not_won_decided: 0,
            wrong: 0,
            held_out: 0,
            held_out_wrong: 0,
            rules: rules.iter().map(of).collect(),
            alone: Vec::new(),
        }
    }

    fn add(
        &mut self,
        rules: &[Rule],
        orders: &[Vec<usize>],
        number: PositionNumber,
        outcome: Outcome,
        boards: &mut Boards<'_>,
    ) {
        let turn = number.turn;
        let distant = Distant { plies: outcome.plies().unwrap_or(0), number };
        let is_won = Claim::Win.is_right(turn, outcome);
        let is_held_out = boards.is_held_out();
        let (mut is_decided, mut is_wrong) = (false, false);
        let Self { rules: tallies, alone, .. } = self;
        for ((rule, order), tally) in rules.iter().zip(orders).zip(tallies) {
            let is_right = (rule.claim == Claim::Win) == is_won;
            alone.clear();
            let does_apply = match is_right {
                true => applies(rule, order, turn, boards),
                false => applies_but_for(rule, order, turn, boards, alone),
            };
            if !does_apply {
                for &clause in &*alone {
                    let (wrong, example) = &mut tally.without[clause];
                    *wrong += 1;
                    less(example, distant);
                }
                continue;
            }
            tally.applies += 1;
            tally.held_out += u64::from(is_held_out);
            tally.held_out_wrong += u64::from(is_held_out && !is_right);
            if is_right {
                tally.right += 1;
                tally.adds += u64::from(!is_decided);
                is_decided = true;
                first(&mut tally.example, number);
                if outcome != Outcome::Draw {
                    greater(&mut tally.hardest, distant);
                }
            } else {
                is_wrong = true;
                less(&mut tally.exception, distant);
            }
        }
        self.positions += 1;
        self.won += u64::from(is_won);
        self.won_decided += u64::from(is_won && is_decided);
        self.not_won_decided += u64::from(!is_won && is_decided);
        self.wrong += u64::from(is_wrong);
        self.held_out += u64::from(is_held_out);
        self.held_out_wrong += u64::from(is_held_out && is_wrong);
    }

    fn append(&mut self, other: Self) {
        self.positions += other.positions;
        self.won += other.won;
        self.won_decided += other.won_decided;
        self.not_won_decided += other.not_won_decided;
        self.wrong += other.wrong;
        self.held_out += other.held_out;
        self.held_out_wrong += other.held_out_wrong;
        for (to, from) in self.rules.iter_mut().zip(other.rules) {
            to.applies += from.applies;
            to.right += from.right;
            to.adds += from.adds;
            to.held_out += from.held_out;
            to.held_out_wrong += from.held_out_wrong;
            from.exception.into_iter().for_each(|one| less(&mut to.exception, one));
            from.hardest.into_iter().for_each(|one| greater(&mut to.hardest, one));
            from.example.into_iter().for_each(|(_, number)| first(&mut to.example, number));
            for ((wrong, example), (more, other)) in to.without.iter_mut().zip(from.without) {
                *wrong += more;
                other.into_iter().for_each(|one| less(example, one));
            }
        }
    }

    fn counts(self, positions: &Positions<'_>) -> ListCounts {
        let example = |distant: Distant| Example::new(positions, distant.number);
        let without = |(wrong, distant): (u64, Option<Distant>)| WithoutClause {
            wrong,
            example: distant.map(example),
        };
        let rule = |tally: RuleTally| RuleCounts {
            applies: tally.applies,
            right: tally.right,
            adds: tally.adds,
            exception: tally.exception.map(example),
            hardest: tally.hardest.map(example),
            example: tally.example.map(|(_, number)| Example::new(positions, number)),
            without: tally.without.into_iter().map(without).collect(),
            held_out: tally.held_out,
            held_out_wrong: tally.held_out_wrong,
        };
        ListCounts {
            positions: self.positions,
            won: self.won,
            won_decided: self.won_decided,
            not_won_decided: self.not_won_decided,
            wrong: self.wrong,
            held_out: self.held_out,
            held_out_wrong: self.held_out_wrong,
            rules: self.rules.into_iter().map(rule).collect(),
        }
    }
}

/// A position behind its place in an order in which neighbours on the board are far apart.
pub(super) type Scattered = (u64, PositionNumber);

/// A position with its place in that order.
pub(super) fn scattered(number: PositionNumber) -> Scattered {
    let place = u64::from(number.placement) * 2 + number.turn as u64;
    // The generator SplitMix64, with the place as its state.
    let mixed = place.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31), number)
}

/// Replaces a position by one that comes before it in that order.
pub(super) fn first(known: &mut Option<Scattered>, number: PositionNumber) {
    let one = scattered(number);
    if known.is_none_or(|known| one < known) {
        *known = Some(one);
    }
}

/// Replaces a position by one with a smaller distance, or an earlier one with the same.
pub(super) fn less(least: &mut Option<Distant>, one: Distant) {
    if least.is_none_or(|known| one < known) {
        *least = Some(one);
    }
}

/// Replaces a position by one with a greater distance, or an earlier one with the same.
fn greater(greatest: &mut Option<Distant>, one: Distant) {
    let key = |of: Distant| (of.plies, std::cmp::Reverse(of.number));
    if greatest.is_none_or(|known| key(one) > key(known)) {
        *greatest = Some(one);
    }
}
