mod numbers;
#[cfg(test)]
mod tests;

use super::Guarantee;
use super::arena::{After, AfterMove, Arena, Before, End};
use rand::Rng;

/// How good a position after a move is, the less the better: the compact form of a player's grade.
pub(super) type Mark = u8;

/// The mark of what is to be avoided.
pub(super) const AVOID: Mark = Mark::MAX;

/// Moves to mate where there is no mate within the bound.
const NEVER: u16 = u16::MAX;

/// The end of a chain of positions.
const NONE: u32 = u32::MAX;

/// The game as a tree's marks have it played, and what that is worth: kept up to date as marks
/// change, so that a change costs only what it touches.
///
/// With a policy every position before has one move, so its moves to mate follow from those of the
/// replies: one more than the worst of them. Finite numbers for which that holds everywhere are a
/// proof, since they fall along every line of play. A change recomputes those it can reach, and
/// numbers that only held each other up in a circle are dropped.
pub(super) struct Game<'a> {
    arena: &'a Arena,
    guarantee: Guarantee,
    /// The greatest number of moves that counts as a mate.
    bound: u16,
    marks: Vec<Mark>,
    /// By position before: the position after that is chosen.
    chosen: Vec<After>,
    mated_in: Vec<u16>,
    /// By position after: the first of the positions before that choose it; they are chained.
    choosers: Vec<u32>,
    next_chooser: Vec<u32>,
    previous_chooser: Vec<u32>,
    worth: Worth,
    undo: Undo,
    changed: Stamps,
    touched: Stamps,
    raised: Stamps,
    work: Work,
}

/// What the marks are worth; positions are those of the full board with the strong side to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Worth {
    /// Winnable positions that are not won within the bound, and drawn ones that are lost.
    pub(super) failing: u64,
    /// Moves over the optimum in all won positions together.
    pub(super) excess: u64,
    /// Positions after whose mark is not the depth, or winnable positions before whose move is not
    /// optimal, where that is asked.
    pub(super) faults: u64,
}

impl Worth {
    /// Whether a guarantee holds, but for a limit to the excess.
    pub(super) fn keeps(&self, guarantee: Guarantee) -> bool {
        self.faults == 0 && (self.failing == 0 || !matches!(guarantee, Guarantee::Win { .. }))
    }
}

#[derive(Default)]
struct Undo {
    marks: Vec<(After, Mark)>,
    chosen: Vec<(Before, After)>,
    mated_in: Vec<(Before, u16)>,
    worth: Worth,
}

#[derive(Default)]
struct Work {
    /// Positions before whose choice has changed.
    changed: Vec<Before>,
    /// Positions before that have lost their number, and what it was.
    dropped: Vec<Before>,
    old: Vec<u16>,
    /// Positions before that may get a number, by that number.
    buckets: Vec<Vec<Before>>,
    /// By position before: the one whose number rose so that its own had to.
    causes: Vec<Before>,
    /// Whether a number has gone beyond the bound.
    is_beyond: bool,
}

/// When a change of marks stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// When all is up to date.
    Done,
    /// ... or as soon as the guarantee is bound to be broken.
    Broken,
}

/// A set that is emptied at once.
struct Stamps {
    stamps: Vec<u32>,
    now: u32,
}

impl Stamps {
    fn new(len: usize) -> Self {
        Self { stamps: vec![0; len], now: 1 }
    }

    fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.stamps.fill(0);
            self.now = 1;
        }
    }

    #[inline(always)]
    fn has(&self, at: u32) -> bool {
        self.stamps[at as usize] == self.now
    }

    #[inline(always)]
    fn insert(&mut self, at: u32) -> bool {
        let is_new = self.stamps[at as usize] != self.now;
        self.stamps[at as usize] = self.now;
        is_new
    }
}

impl<'a> Game<'a> {
    pub(super) fn new(arena: &'a Arena, guarantee: Guarantee, marks: &[Mark]) -> Self {
        let (befores, afters) = (arena.befores.len(), arena.afters.len());
        let bound = guarantee.longest();
        // What leads to another endgame keeps its mark.
        let initial = |(at, after): (usize, &AfterMove)| {
            if at < arena.rows { AVOID } else { arena.mark_of(after.depth) }
        };
        let mut game = Self {
            arena,
            guarantee,
            bound,
            marks: arena.afters.iter().enumerate().map(initial).collect(),
            chosen: vec![NONE; befores],
            mated_in: vec![NEVER; befores],
            choosers: vec![NONE; afters],
            next_chooser: vec![NONE; befores],
            previous_chooser: vec![NONE; befores],
            worth: Worth::default(),
            undo: Undo::default(),
            changed: Stamps::new(afters),
            touched: Stamps::new(befores),
            raised: Stamps::new(befores),
            work: Work {
                buckets: vec![Vec::new(); usize::from(bound) + 1],
                causes: vec![NONE; befores],
                ..Work::default()
            },
        };
        game.worth.failing = arena.winnable();
        if guarantee == Guarantee::Exact {
            let faults = (0..arena.rows).filter(|&at| game.is_fault(at as After, AVOID));
            game.worth.faults = faults.count() as u64;
        }
        for before in 0..befores as u32 {
            // Without a move there is nothing to choose.
            let Some(first) = game.best_move(before) else { continue };
            game.chosen[before as usize] = first;
            game.link(before, first);
            game.worth.faults += game.choice_faults(before, first);
            game.worth.failing += game.draws_lost(before, first);
        }
        let changes: Vec<(After, Mark)> =
            marks.iter().enumerate().map(|(at, &mark)| (at as After, mark)).collect();
        game.set_marks(&changes, Until::Done);
        if game.follows_games() {
            // Nothing has a number yet: everything is looked at once.
            let all: Vec<Before> = (0..befores as u32).collect();
            game.settle(&all, Until::Done);
        }
        game.commit();
        game
    }

    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    pub(super) fn mark(&self, after: After) -> Mark {
        self.marks[after as usize]
    }

    /// The position after that is chosen.
    pub(super) fn chosen(&self, before: Before) -> After {
        self.chosen[before as usize]
    }

    /// Whether the game is won from a position before, within the bound.
    pub(super) fn is_won(&self, before: Before) -> bool {
        self.mated_in[before as usize] != NEVER
    }

    /// Whether a position before is at fault where the guarantee does not hold.
    pub(super) fn fails(&self, before: Before) -> bool {
        let known = &self.arena.befores[before as usize];
        match self.guarantee {
            Guarantee::Win { .. } => {
                (known.moves_to_mate.is_some() && !self.is_won(before))
                    || self.arena.loses(before, self.chosen(before))
            }
            Guarantee::Optimal => self.choice_faults(before, self.chosen(before)) > 0,
            Guarantee::Exact => {
                let moves = self.arena.moves.get(before);
                moves.iter().any(|&after| {
                    (after as usize) < self.arena.rows && self.is_fault(after, self.mark(after))
                })
            }
        }
    }

    fn follows_games(&self) -> bool {
        matches!(self.guarantee, Guarantee::Win { .. })
    }

    /// Gives positions after other marks, and says what all are worth then. [`Game::roll_back`]
    /// undoes it, [`Game::commit`] makes it last.
    pub(super) fn change(&mut self, changes: &[(After, Mark)]) -> Worth {
        self.change_until(changes, Until::Done);
        self.worth
    }

    /// The same for marks that have kept the guarantee so far; it stops as soon as they are bound to
    /// break it, and says nothing then.
    pub(super) fn try_change(&mut self, changes: &[(After, Mark)]) -> Option<Worth> {
        self.change_until(changes, Until::Broken).then_some(self.worth)
    }

    fn change_until(&mut self, changes: &[(After, Mark)], until: Until) -> bool {
        if !self.set_marks(changes, until) {
            return false;
        }
        if !self.follows_games() {
            return true;
        }
        let changed = std::mem::take(&mut self.work.changed);
        let is_won = self.settle(&changed, until);
        self.work.changed = changed;
        is_won
    }

    pub(super) fn commit(&mut self) {
        self.undo.marks.clear();
        self.undo.chosen.clear();
        self.undo.mated_in.clear();
        self.undo.worth = self.worth;
    }

    pub(super) fn roll_back(&mut self) {
        while let Some((before, moves)) = self.undo.mated_in.pop() {
            self.mated_in[before as usize] = moves;
        }
        while let Some((before, after)) = self.undo.chosen.pop() {
            let now = self.chosen[before as usize];
            self.unlink(before, now);
            self.link(before, after);
            self.chosen[before as usize] = after;
        }
        while let Some((after, mark)) = self.undo.marks.pop() {
            self.marks[after as usize] = mark;
        }
        self.worth = self.undo.worth;
    }

    /// Sets marks and brings the choices up to date; says whether it has not stopped.
    fn set_marks(&mut self, changes: &[(After, Mark)], until: Until) -> bool {
        let arena = self.arena;
        self.work.changed.clear();
        for &(after, mark) in changes {
            let old = self.marks[after as usize];
            if old == mark {
                continue;
            }
            self.undo.marks.push((after, old));
            self.marks[after as usize] = mark;
            if self.guarantee == Guarantee::Exact {
                self.worth.faults += u64::from(self.is_fault(after, mark));
                self.worth.faults -= u64::from(self.is_fault(after, old));
                if until == Until::Broken && self.worth.faults > 0 {
                    return false;
                }
            }
        }
        if self.guarantee == Guarantee::Exact {
            return true;
        }
        self.changed.clear();
        for &(after, _) in &self.undo.marks {
            self.changed.insert(after);
        }
        self.touched.clear();
        for at in 0..self.undo.marks.len() {
            let (after, _) = self.undo.marks[at];
            let mark = self.marks[after as usize];
            for &before in arena.movers.get(after) {
                // Most choices stand, since their marks do and are better than what has changed.
                let chosen = self.chosen[before as usize];
                if mark > self.marks[chosen as usize] && !self.changed.has(chosen) {
                    continue;
                }
                if !self.touched.insert(before) {
                    continue;
                }
                let old = self.chosen[before as usize];
                let choice = self.best_move(before).unwrap_or(old);
                if choice == old {
                    continue;
                }
                self.worth.faults += self.choice_faults(before, choice);
                self.worth.faults -= self.choice_faults(before, old);
                self.worth.failing += self.draws_lost(before, choice);
                self.worth.failing -= self.draws_lost(before, old);
                self.undo.chosen.push((before, old));
                self.unlink(before, old);
                self.link(before, choice);
                self.chosen[before as usize] = choice;
                if until == Until::Broken {
                    let throws = self.follows_games()
                        && arena.afters[choice as usize].end == End::Thrown
                        && arena.befores[before as usize].moves_to_mate.is_some();
                    if throws || self.draws_lost(before, choice) > 0 || self.worth.faults > 0 {
                        return false;
                    }
                }
                self.work.changed.push(before);
            }
        }
        true
    }

    /// The first of the moves with the least mark.
    #[inline(always)]
    fn best_move(&self, before: Before) -> Option<After> {
        let (&first, others) = self.arena.moves.get(before).split_first()?;
        let (mut best, mut least) = (first, self.marks[first as usize]);
        for &after in others {
            let mark = self.marks[after as usize];
            if mark < least {
                (best, least) = (after, mark);
            }
        }
        Some(best)
    }

    fn is_fault(&self, after: After, mark: Mark) -> bool {
        mark != self.arena.mark_of(self.arena.afters[after as usize].depth)
    }

    /// What a choice counts as a fault: a move that is not optimal, where that is asked.
    fn choice_faults(&self, before: Before, after: After) -> u64 {
        if self.guarantee != Guarantee::Optimal {
            return 0;
        }
        let known = &self.arena.befores[before as usize];
        let is_slower = known
            .moves_to_mate
            .is_some_and(|moves| self.arena.mated_after(after) != Some(moves - 1));
        let is_fault = is_slower || self.arena.loses(before, after);
        if is_fault { u64::from(known.weight) } else { 0 }
    }

    /// What a choice counts as failing that gives a draw away, where games are followed.
    fn draws_lost(&self, before: Before, after: After) -> u64 {
        if self.follows_games() && self.arena.loses(before, after) {
            u64::from(self.arena.befores[before as usize].weight)
        } else {
            0
        }
    }

    fn link(&mut self, before: Before, after: After) {
        let next = std::mem::replace(&mut self.choosers[after as usize], before);
        self.next_chooser[before as usize] = next;
        self.previous_chooser[before as usize] = NONE;
        if next != NONE {
            self.previous_chooser[next as usize] = before;
        }
    }

    fn unlink(&mut self, before: Before, after: After) {
        let next = self.next_chooser[before as usize];
        let previous = self.previous_chooser[before as usize];
        if previous == NONE {
            self.choosers[after as usize] = next;
        } else {
            self.next_chooser[previous as usize] = next;
        }
        if next != NONE {
            self.previous_chooser[next as usize] = previous;
        }
    }

    /// By position before, from 1: its place in an order in which every reply to the chosen move
    /// comes earlier, or `u32::MAX` where the game is not won. There are many such orders; this is
    /// one close to that of the shortest mates.
    pub(super) fn order(&self, rng: &mut impl Rng) -> Vec<u32> {
        let befores = self.chosen.len();
        let mut starts = self.arena.by_distance.clone();
        let noise = rng.gen_range(0..4) * befores / 32;
        if noise > 0 {
            for at in 0..befores {
                let other = (at + rng.gen_range(0..noise)).min(befores - 1);
                starts.swap(at, other);
            }
        }
        let mut order = vec![u32::MAX; befores];
        let mut count = 0;
        let mut path: Vec<(Before, usize)> = Vec::new();
        for start in starts {
            if order[start as usize] != u32::MAX || !self.is_won(start) {
                continue;
            }
            path.push((start, 0));
            while let Some((before, next)) = path.pop() {
                let replies = self.arena.replies.get(self.chosen[before as usize]);
                let open =
                    (next..replies.len()).find(|&at| order[replies[at] as usize] == u32::MAX);
                if let Some(at) = open {
                    path.push((before, at + 1));
                    path.push((replies[at], 0));
                } else {
                    count += 1;
                    order[before as usize] = count;
                }
            }
        }
        order
    }
}
