//! Trials of rules in the positions that they reach.

use super::super::move_rows::{MoveRows, PositionId};
use super::super::selection::{decide, empty_row};
use super::reached::ReachedPositions;
use lucena_chess::Side;
use lucena_model::StrategyRule;

/// The state of a position in the current trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mark {
    #[default]
    Unknown,
    /// Play has got there and the search of what follows is not finished.
    Open,
    /// The result is reached from there.
    Kept,
    /// Some play from there does not reach the result.
    Failed,
}

/// Trials of rules, one after another. What they reach is kept for the next one.
pub(super) struct Trials<'t> {
    pub(super) reached: ReachedPositions<'t>,
    side: Side,
    /// By position: the mark, and the round it is from.
    marks: Vec<(u32, Mark)>,
    round: u32,
    /// The positions that wait, in the order in which play gets to them.
    open: Vec<PositionId>,
    next: Vec<PositionId>,
    /// The attributes of the rules, each once.
    asked: Vec<usize>,
    /// The positions that the last trial failed in, or came back to; some of them, if there are many.
    pub(super) failed_in: Vec<PositionId>,
}

/// The most positions that a trial names as those in which it failed.
const NAMED: usize = 64;

/// The failures of rules.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Failures {
    /// The cost of the failures: for the strong side, the positions from which it does not win; for the weak side, the
    /// positions in which it throws the draw away, scaled up to as many positions as a trial may reach.
    pub(super) cost: f64,
    /// True if the trial ended before all positions were reached.
    pub(super) is_cut: bool,
}

impl<'t> Trials<'t> {
    pub(super) fn new(reached: ReachedPositions<'t>, side: Side) -> Self {
        Self {
            reached,
            side,
            marks: Vec::new(),
            round: 0,
            open: Vec::new(),
            next: Vec::new(),
            asked: Vec::new(),
            failed_in: Vec::new(),
        }
    }

    /// Tries rules from some positions. Ends early when the failures cost more than `most`, or, for the weak side, when
    /// this many positions are reached.
    pub(super) fn failures(
        &mut self,
        rules: &[StrategyRule],
        starts: &[PositionId],
        most: f64,
        limit: usize,
    ) -> Failures {
        self.begin(rules);
        match self.side {
            Side::Strong => {
                let mut failed = 0.0;
                for &start in starts {
                    failed += if self.wins(rules, start) { 0.0 } else { 1.0 };
                    if failed > most {
                        return Failures { cost: failed, is_cut: true };
                    }
                }
                Failures { cost: failed, is_cut: false }
            }
            Side::Weak => self.losses(rules, starts, limit),
        }
    }

    /// Returns those of some positions in which the rules fail, at most so many.
    pub(super) fn failing(
        &mut self,
        rules: &[StrategyRule],
        starts: &[PositionId],
        most: usize,
    ) -> Vec<PositionId> {
        self.begin(rules);
        let fails = |start: &PositionId| match self.side {
            Side::Strong => !self.wins(rules, *start),
            Side::Weak => !self.holds(rules, *start),
        };
        starts.iter().copied().filter(fails).take(most).collect()
    }

    fn begin(&mut self, rules: &[StrategyRule]) {
        self.asked = rules.iter().flat_map(StrategyRule::attributes).collect();
        self.asked.sort_unstable();
        self.asked.dedup();
        self.failed_in.clear();
        self.round += 1;
        self.marks.resize(self.reached.len(), (0, Mark::Unknown));
    }

    fn mark(&self, at: PositionId) -> Mark {
        match self.marks.get(at as usize) {
            Some(&(round, mark)) if round == self.round => mark,
            _ => Mark::Unknown,
        }
    }

    fn set(&mut self, at: PositionId, mark: Mark) {
        if self.marks.len() <= at as usize {
            self.marks.resize(self.reached.len(), (0, Mark::Unknown));
        }
        self.marks[at as usize] = (self.round, mark);
    }

    /// Appends the positions that play leads to from a position. Returns false, and appends none, if it throws the result
    /// away.
    fn follow(
        &mut self,
        rules: &[StrategyRule],
        at: PositionId,
        next: &mut Vec<PositionId>,
    ) -> bool {
        let mut set = empty_row();
        self.reached.prepare(at, &[]);
        if self.reached.is_asked(at) {
            self.reached.prepare(at, &self.asked);
            decide(&self.reached, rules, at, &mut set);
        } else {
            set = self.reached.all(at);
        }
        self.reached.follow(at, &set, next)
    }

    /// Returns true if all play from a position ends as it should: none returns to an earlier position, and none throws
    /// the win away. A search in depth fails with all positions on its way as soon as one of them fails.
    fn wins(&mut self, rules: &[StrategyRule], start: PositionId) -> bool {
        match self.mark(start) {
            Mark::Kept => return true,
            Mark::Failed => return false,
            Mark::Unknown | Mark::Open => {}
        }
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        // The way, each position with the place in `next` where the positions after it begin.
        let mut way: Vec<(PositionId, usize)> = Vec::new();
        let mut is_won = true;
        next.push(start);
        while is_won {
            let Some(&at) = next.last() else { break };
            match self.mark(at) {
                Mark::Kept => {
                    next.pop();
                }
                Mark::Failed => is_won = false,
                Mark::Open => {
                    // Either all that follows is searched, or play has come back.
                    if way.last() == Some(&(at, next.len())) {
                        way.pop();
                        next.pop();
                        self.set(at, Mark::Kept);
                    } else {
                        is_won = false;
                        let cycle = way.iter().rev().map(|&(member, _)| member);
                        let room = NAMED.saturating_sub(self.failed_in.len());
                        let whole = cycle.clone().position(|member| member == at).unwrap_or(0) + 1;
                        self.failed_in.extend(cycle.take(whole.min(room)));
                    }
                }
                Mark::Unknown => {
                    self.set(at, Mark::Open);
                    way.push((at, next.len()));
                    is_won = self.follow(rules, at, &mut next);
                    if !is_won {
                        self.note(at);
                    }
                }
            }
        }
        if !is_won {
            way.iter().for_each(|&(at, _)| self.set(at, Mark::Failed));
        }
        self.next = next;
        is_won
    }

    /// Returns the failures among the first positions that play reaches.
    fn losses(&mut self, rules: &[StrategyRule], starts: &[PositionId], limit: usize) -> Failures {
        let (mut open, mut failed, mut done) = (std::mem::take(&mut self.open), 0, 0);
        open.clear();
        for &start in starts {
            self.reach(start, &mut open);
        }
        let mut next = std::mem::take(&mut self.next);
        while done < open.len() && done < limit {
            next.clear();
            if !self.follow(rules, open[done], &mut next) {
                failed += 1;
                self.note(open[done]);
            }
            done += 1;
            for &at in &next {
                self.reach(at, &mut open);
            }
        }
        let is_cut = done < open.len();
        (self.open, self.next) = (open, next);
        Failures { cost: f64::from(failed) * limit as f64 / done.max(1) as f64, is_cut }
    }

    /// Names a position in which the trial failed.
    fn note(&mut self, at: PositionId) {
        if self.failed_in.len() < NAMED {
            self.failed_in.push(at);
        }
    }

    fn reach(&mut self, at: PositionId, open: &mut Vec<PositionId>) {
        if self.mark(at) == Mark::Unknown {
            self.set(at, Mark::Open);
            open.push(at);
        }
    }

    /// Returns true if no play from a position throws the draw away.
    fn holds(&mut self, rules: &[StrategyRule], start: PositionId) -> bool {
        match self.mark(start) {
            Mark::Kept => return true,
            Mark::Failed => return false,
            Mark::Unknown | Mark::Open => {}
        }
        let (mut open, mut next) = (Vec::new(), Vec::new());
        self.reach(start, &mut open);
        let (mut done, mut is_held) = (0, true);
        while done < open.len() && is_held {
            next.clear();
            is_held = self.follow(rules, open[done], &mut next);
            done += 1;
            for &at in &next {
                is_held &= self.mark(at) != Mark::Failed;
                self.reach(at, &mut open);
            }
        }
        // Of the others that a failing search has got to, nothing is known.
        for &at in &open {
            let mark = if is_held { Mark::Kept } else { Mark::Unknown };
            self.set(at, mark);
        }
        if !is_held {
            self.set(start, Mark::Failed);
        }
        is_held
    }
}
