use super::Guarantee;
use super::arena::{After, Arena, Before, End};
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
    /// Winnable positions that are not won within the bound.
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

/// How a change of numbers ended.
enum Adjusted {
    /// They fit.
    Settled,
    /// Some hold each other up.
    Circle,
    /// That is not how to find out.
    Unclear,
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
        let mut game = Self {
            arena,
            guarantee,
            bound,
            marks: vec![AVOID; afters],
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
        game.worth.failing = arena
            .befores
            .iter()
            .filter(|before| before.moves_to_mate.is_some())
            .map(|before| u64::from(before.weight))
            .sum();
        if guarantee == Guarantee::Exact {
            let faults = (0..afters).filter(|&at| game.is_fault(at as After, AVOID));
            game.worth.faults = faults.count() as u64;
        }
        for before in 0..befores as u32 {
            let first = arena.moves.get(before)[0];
            game.chosen[before as usize] = first;
            game.link(before, first);
            game.worth.faults += game.choice_faults(before, first);
        }
        let changes: Vec<(After, Mark)> =
            marks.iter().enumerate().map(|(at, &mark)| (at as After, mark)).collect();
        game.changed_marks(&changes);
        if game.follows_games() {
            // Nothing has a number yet: everything is looked at once.
            let all: Vec<Before> = (0..befores as u32).collect();
            game.settle(&all);
        }
        game.commit();
        game
    }

    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    pub(super) fn worth(&self) -> Worth {
        self.worth
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
            Guarantee::Win { .. } => known.moves_to_mate.is_some() && !self.is_won(before),
            Guarantee::Optimal => self.choice_faults(before, self.chosen(before)) > 0,
            Guarantee::Exact => {
                let moves = self.arena.moves.get(before);
                moves.iter().any(|&after| self.is_fault(after, self.mark(after)))
            }
        }
    }

    fn follows_games(&self) -> bool {
        matches!(self.guarantee, Guarantee::Win { .. })
    }

    /// Gives positions after other marks, and says what all are worth then. [`Game::roll_back`]
    /// undoes it, [`Game::commit`] makes it last. If `hard`, it may stop as soon as the worth is
    /// bound to be out of the guarantee, and says nothing.
    pub(super) fn change(&mut self, changes: &[(After, Mark)], hard: bool) -> Option<Worth> {
        if !self.changed_marks_within(changes, hard) {
            return None;
        }
        if self.follows_games() {
            let changed = std::mem::take(&mut self.work.changed);
            let is_won = self.settle_within(&changed, hard);
            self.work.changed = changed;
            if !is_won {
                return None;
            }
        }
        Some(self.worth)
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

    fn changed_marks(&mut self, changes: &[(After, Mark)]) {
        self.changed_marks_within(changes, false);
    }

    fn changed_marks_within(&mut self, changes: &[(After, Mark)], hard: bool) -> bool {
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
                if hard && self.worth.faults > 0 {
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
                let choice = self.best_move(before);
                let old = self.chosen[before as usize];
                if choice == old {
                    continue;
                }
                self.worth.faults += self.choice_faults(before, choice);
                self.worth.faults -= self.choice_faults(before, old);
                self.undo.chosen.push((before, old));
                self.unlink(before, old);
                self.link(before, choice);
                self.chosen[before as usize] = choice;
                if hard {
                    let throws = self.follows_games()
                        && arena.afters[choice as usize].end == End::Thrown
                        && arena.befores[before as usize].moves_to_mate.is_some();
                    if throws || self.worth.faults > 0 {
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
    fn best_move(&self, before: Before) -> After {
        let moves = self.arena.moves.get(before);
        let mut best = moves[0];
        let mut least = self.marks[best as usize];
        for &after in &moves[1..] {
            let mark = self.marks[after as usize];
            if mark < least {
                (best, least) = (after, mark);
            }
        }
        best
    }

    fn is_fault(&self, after: After, mark: Mark) -> bool {
        mark != self.arena.mark_of(self.arena.afters[after as usize].depth)
    }

    /// What a choice counts as a fault: a move that is not optimal, where that is asked.
    fn choice_faults(&self, before: Before, after: After) -> u64 {
        if self.guarantee != Guarantee::Optimal {
            return 0;
        }
        let before = &self.arena.befores[before as usize];
        let is_fault = before
            .moves_to_mate
            .is_some_and(|moves| self.arena.mated_after(after) != Some(moves - 1));
        if is_fault { u64::from(before.weight) } else { 0 }
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

    /// The moves to mate that follow from those of the replies.
    #[inline(always)]
    fn following(&self, before: Before) -> u16 {
        let worst = self.worst(self.chosen[before as usize]);
        if worst >= self.bound { NEVER } else { worst + 1 }
    }

    /// The most moves to mate that any reply leaves: 0 where there is mate already, `NEVER` where
    /// the mate is thrown away.
    #[inline(always)]
    fn worst(&self, after: After) -> u16 {
        match self.arena.afters[after as usize].end {
            End::Mated => 0,
            End::Thrown => NEVER,
            End::GoesOn => {
                let replies = self.arena.replies.get(after).iter();
                replies.map(|&reply| self.mated_in[reply as usize]).max().unwrap_or(NEVER)
            }
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

    fn set(&mut self, before: Before, moves: u16) {
        let old = std::mem::replace(&mut self.mated_in[before as usize], moves);
        self.undo.mated_in.push((before, old));
        let known = &self.arena.befores[before as usize];
        let Some(best) = known.moves_to_mate else { return };
        let weight = u64::from(known.weight);
        match old {
            NEVER => self.worth.failing -= weight,
            old => self.worth.excess -= weight * u64::from(old - best),
        }
        match moves {
            NEVER => self.worth.failing += weight,
            moves => self.worth.excess += weight * u64::from(moves - best),
        }
    }

    fn settle(&mut self, changed: &[Before]) {
        self.settle_within(changed, false);
    }

    /// Brings the moves to mate up to date where choices have changed. If `hard`, every winnable
    /// position has been won before: it says whether that is still so, and may leave the numbers
    /// unfinished if not.
    fn settle_within(&mut self, changed: &[Before], hard: bool) -> bool {
        if hard {
            let known = self.undo.mated_in.len();
            match self.adjust(changed) {
                Adjusted::Settled => return true,
                Adjusted::Circle => return false,
                Adjusted::Unclear => self.forget_numbers(known),
            }
        }
        self.rebuild(changed, hard)
    }

    /// Moves the numbers up and down until they fit, as long as it is plain where that leads.
    fn adjust(&mut self, changed: &[Before]) -> Adjusted {
        self.raised.clear();
        for &before in changed {
            if self.arena.befores[before as usize].moves_to_mate.is_some() {
                let moves = self.following(before);
                if moves == NEVER {
                    return self.give_up();
                }
                if moves != self.mated_in[before as usize] {
                    self.work.buckets[usize::from(moves)].push(before);
                    self.work.causes[before as usize] = NONE;
                }
            }
        }
        let mut at = 0;
        while at < self.work.buckets.len() {
            let Some(before) = self.work.buckets[at].pop() else {
                at += 1;
                continue;
            };
            let old = self.mated_in[before as usize];
            let moves = self.following(before);
            if moves == old {
                continue;
            }
            if moves == NEVER {
                return self.give_up();
            }
            if usize::from(moves) != at {
                self.work.buckets[usize::from(moves)].push(before);
                at = at.min(usize::from(moves));
                continue;
            }
            self.set(before, moves);
            if moves > old {
                self.raised.insert(before);
            }
            let mut is_circle = false;
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser as usize];
                let is_affected = if moves > old { known <= moves } else { known == old + 1 };
                if !is_affected {
                    return;
                }
                is_circle |= game.raised.has(chooser) && game.is_cause(chooser, before);
                game.work.causes[chooser as usize] = before;
                if let Some(bucket) = game.work.buckets.get_mut(usize::from(moves) + 1) {
                    bucket.push(chooser);
                } else {
                    game.work.is_beyond = true;
                }
            });
            if is_circle {
                self.give_up();
                return Adjusted::Circle;
            }
            if self.work.is_beyond {
                return self.give_up();
            }
        }
        Adjusted::Settled
    }

    /// Whether a number had to rise because another one did, by way of others.
    fn is_cause(&self, cause: Before, of: Before) -> bool {
        let mut at = of;
        // Causes that have been overwritten may lead astray: no further than there are positions.
        for _ in 0..1000 {
            if at == cause {
                return true;
            }
            at = self.work.causes[at as usize];
            if at == NONE {
                return false;
            }
        }
        false
    }

    fn give_up(&mut self) -> Adjusted {
        self.work.is_beyond = false;
        self.work.buckets.iter_mut().for_each(Vec::clear);
        Adjusted::Unclear
    }

    /// Takes back the numbers that were set last.
    fn forget_numbers(&mut self, until: usize) {
        while self.undo.mated_in.len() > until {
            let (before, moves) = self.undo.mated_in[self.undo.mated_in.len() - 1];
            self.set(before, moves);
            self.undo.mated_in.pop();
            self.undo.mated_in.pop();
        }
    }

    /// Works the numbers out anew from where they are sure.
    fn rebuild(&mut self, changed: &[Before], hard: bool) -> bool {
        self.work.dropped.clear();
        for &before in changed {
            if self.arena.befores[before as usize].moves_to_mate.is_some()
                && self.following(before) != self.mated_in[before as usize]
            {
                self.drop_number(before);
            }
        }
        for at in 0..self.work.dropped.len() {
            self.queue(self.work.dropped[at]);
        }
        let mut at = 0;
        while at < self.work.buckets.len() {
            let Some(before) = self.work.buckets[at].pop() else {
                at += 1;
                continue;
            };
            if self.mated_in[before as usize] != NEVER {
                continue;
            }
            let moves = self.following(before);
            if usize::from(moves) != at {
                self.queue(before);
                continue;
            }
            self.set(before, moves);
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser as usize];
                if known == NEVER {
                    game.queue(chooser);
                } else if known <= moves {
                    let first = game.work.dropped.len();
                    game.drop_number(chooser);
                    for at in first..game.work.dropped.len() {
                        game.queue(game.work.dropped[at]);
                    }
                }
            });
        }
        let mut at = 0;
        while let Some(&before) = self.work.dropped.get(at) {
            at += 1;
            if self.mated_in[before as usize] == NEVER {
                if hard {
                    return false;
                }
                // What relied on it with room to spare has nothing to rely on.
                self.visit_choosers(before, |game, chooser| {
                    if game.mated_in[chooser as usize] != NEVER {
                        game.drop_number(chooser);
                    }
                });
            }
        }
        true
    }

    /// Calls back for every position before whose move may be answered by going to this one.
    #[inline(always)]
    fn visit_choosers(&mut self, before: Before, mut visit: impl FnMut(&mut Self, Before)) {
        for &after in self.arena.replied.get(before) {
            let mut chooser = self.choosers[after as usize];
            while chooser != NONE {
                visit(self, chooser);
                chooser = self.next_chooser[chooser as usize];
            }
        }
    }

    /// Takes a number away, and those that rely on its being no greater.
    fn drop_number(&mut self, before: Before) {
        let mut at = self.work.dropped.len();
        let old = self.mated_in[before as usize];
        self.work.dropped.push(before);
        self.work.old.truncate(at);
        self.work.old.push(old);
        if old != NEVER {
            self.set(before, NEVER);
        }
        while let Some(&before) = self.work.dropped.get(at) {
            let old = self.work.old[at];
            at += 1;
            if old == NEVER {
                continue;
            }
            self.visit_choosers(before, |game, chooser| {
                let known = game.mated_in[chooser as usize];
                if known <= old + 1 {
                    game.set(chooser, NEVER);
                    game.work.dropped.push(chooser);
                    game.work.old.push(known);
                }
            });
        }
    }

    /// Puts a position without a number among those that may get one.
    #[inline(always)]
    fn queue(&mut self, before: Before) {
        if self.arena.befores[before as usize].moves_to_mate.is_none() {
            return;
        }
        let moves = self.following(before);
        if let Some(bucket) = self.work.buckets.get_mut(usize::from(moves)) {
            bucket.push(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attributes::{AttributeSet, Selection};
    use crate::tablebase::Tablebase;
    use crate::theory::arena::BeforeMove;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn arena() -> Arena {
        let material = "KQvK".parse().unwrap();
        let tablebase = Tablebase::solve(material).unwrap();
        Arena::new(&tablebase, &AttributeSet::new(material, Selection::Location)).unwrap()
    }

    /// The same worked out from nothing: choices, then sweeps until no number changes.
    struct Plain {
        chosen: Vec<After>,
        mated_in: Vec<Option<u16>>,
    }

    impl Plain {
        fn new(arena: &Arena, marks: &[Mark], bound: u16) -> Self {
            let befores = 0..arena.befores.len() as u32;
            let chosen: Vec<After> = befores
                .map(|before| {
                    let moves = arena.moves.get(before).iter();
                    *moves.min_by_key(|&&after| marks[after as usize]).unwrap()
                })
                .collect();
            let mut mated_in: Vec<Option<u16>> = vec![None; chosen.len()];
            for moves in 1..=bound {
                let earlier = mated_in.clone();
                for (before, &after) in chosen.iter().enumerate() {
                    let replies = arena.replies.get(after);
                    let is_mated = match arena.afters[after as usize].end {
                        End::Mated => true,
                        End::Thrown => false,
                        End::GoesOn => {
                            replies.iter().all(|&reply| earlier[reply as usize].is_some())
                        }
                    };
                    if is_mated && mated_in[before].is_none() {
                        mated_in[before] = Some(moves);
                    }
                }
                if moves > 1 && mated_in == earlier {
                    break;
                }
            }
            Self { chosen, mated_in }
        }

        fn worth(&self, arena: &Arena) -> Worth {
            let mut worth = Worth::default();
            for (known, mated_in) in arena.befores.iter().zip(&self.mated_in) {
                match (known.moves_to_mate, mated_in) {
                    (Some(best), Some(moves)) => {
                        worth.excess += u64::from(known.weight) * u64::from(moves - best);
                    }
                    (Some(_), None) => worth.failing += u64::from(known.weight),
                    (None, _) => {}
                }
            }
            worth
        }

        fn assert_same(&self, game: &Game<'_>) {
            assert_eq!(game.chosen, self.chosen);
            let numbers = game.mated_in.iter().map(|&moves| (moves != NEVER).then_some(moves));
            assert!(numbers.eq(self.mated_in.iter().copied()));
            assert_eq!(game.worth(), self.worth(game.arena));
        }
    }

    /// Some positions after, with marks of which many are alike.
    fn any_changes(arena: &Arena, rng: &mut ChaCha8Rng) -> Vec<(After, Mark)> {
        let count = 1 << rng.gen_range(0..9);
        let change = |_| {
            let after = rng.gen_range(0..arena.afters.len() as u32);
            let depth = arena.mark_of(arena.afters[after as usize].depth);
            let mark = match rng.gen_range(0..4) {
                0 => rng.gen_range(0..8) * 32,
                1 => depth.saturating_add(arena.step),
                2 => depth.saturating_sub(arena.step),
                _ => depth,
            };
            (after, mark)
        };
        let mut changes: Vec<(After, Mark)> = (0..count).map(change).collect();
        changes.sort_unstable();
        changes.dedup_by_key(|change| change.0);
        changes
    }

    #[test]
    fn numbers_are_kept_up_to_date_whatever_changes() {
        let arena = arena();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for bound in [50, 14] {
            let guarantee = Guarantee::Win { longest: bound, mean_excess: None };
            let mut marks = arena.depth_marks();
            let mut game = Game::new(&arena, guarantee, &marks);
            Plain::new(&arena, &marks, bound).assert_same(&game);
            for round in 0..60 {
                let changes = any_changes(&arena, &mut rng);
                let worth = game.change(&changes, false).unwrap();
                let mut changed = marks.clone();
                changes.iter().for_each(|&(after, mark)| changed[after as usize] = mark);
                let plain = Plain::new(&arena, &changed, bound);
                assert_eq!(worth, plain.worth(&arena), "round {round}");
                plain.assert_same(&game);
                if rng.r#gen() {
                    game.commit();
                    marks = changed;
                } else {
                    game.roll_back();
                    Plain::new(&arena, &marks, bound).assert_same(&game);
                }
            }
        }
    }

    #[test]
    fn what_no_longer_wins_is_refused_and_nothing_else() {
        let arena = arena();
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for bound in [50, 12] {
            let guarantee = Guarantee::Win { longest: bound, mean_excess: None };
            let mut marks = arena.depth_marks();
            let mut game = Game::new(&arena, guarantee, &marks);
            let (mut taken, mut refused) = (0, 0);
            for round in 0..120 {
                let mut changes = any_changes(&arena, &mut rng);
                changes.truncate(1 << rng.gen_range(0..6));
                let mut changed = marks.clone();
                changes.iter().for_each(|&(after, mark)| changed[after as usize] = mark);
                let plain = Plain::new(&arena, &changed, bound);
                let expected = plain.worth(&arena);
                let worth = game.change(&changes, true);
                if expected.failing == 0 {
                    assert_eq!(worth, Some(expected), "round {round}");
                    plain.assert_same(&game);
                    game.commit();
                    marks = changed;
                    taken += 1;
                } else {
                    assert_eq!(worth, None, "round {round}");
                    game.roll_back();
                    refused += 1;
                }
            }
            Plain::new(&arena, &marks, bound).assert_same(&game);
            assert!(taken > 10 && refused > 10, "{taken} taken, {refused} refused");
        }
    }

    #[test]
    fn faults_are_counted_as_marks_change() {
        let arena = arena();
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for guarantee in [Guarantee::Exact, Guarantee::Optimal] {
            let mut marks = arena.depth_marks();
            let mut game = Game::new(&arena, guarantee, &marks);
            assert_eq!(game.worth().faults, 0);
            for _ in 0..60 {
                let changes = any_changes(&arena, &mut rng);
                let worth = game.change(&changes, false).unwrap();
                changes.iter().for_each(|&(after, mark)| marks[after as usize] = mark);
                game.commit();
                let faults: u64 = if guarantee == Guarantee::Exact {
                    let depths = arena.depth_marks();
                    marks.iter().zip(&depths).filter(|(mark, depth)| mark != depth).count() as u64
                } else {
                    let plain = Plain::new(&arena, &marks, 50);
                    let choices = arena.befores.iter().zip(&plain.chosen);
                    let is_slow = |known: &BeforeMove, after: After| match known.moves_to_mate {
                        Some(best) => arena.mated_after(after) != Some(best - 1),
                        None => false,
                    };
                    let slow = choices.filter(|&(known, &after)| is_slow(known, after));
                    slow.map(|(known, _)| u64::from(known.weight)).sum()
                };
                assert_eq!(worth.faults, faults, "{guarantee}");
            }
        }
    }
}
