use super::Guarantee;
use super::arena::{After, Arena, Before, End};
use super::game::{AVOID, Game, Mark};
use super::sketch::{Graft, TestNumber};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The marks that a position after may be given while all others keep theirs, or are changed within
/// their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leeway {
    pub(super) low: Mark,
    pub(super) high: Mark,
}

/// A position after with its leeway.
#[derive(Debug, Clone, Copy)]
struct Row {
    after: After,
    leeway: Leeway,
    /// The mark that it would take now: what is divided by.
    wish: Mark,
}

/// How freely a part of a tree is grown again.
pub(super) struct Freedom<'a> {
    /// By position before: whether its choice is asked for; all are if there is no list.
    pub(super) asked: Option<&'a [bool]>,
    /// Where more leaves would be needed, it is given up.
    pub(super) most_leaves: u32,
    /// Where between the chosen move's mark and the next that will not do a bound is put: 0 to 8.
    pub(super) slack: u16,
    /// Which attributes may be asked about.
    pub(super) attributes: Vec<bool>,
    /// By how much of itself a score may be wrong: 0 for the best test always.
    pub(super) noise: f32,
}

/// What is kept from one growing to the next: memory alone.
#[derive(Default)]
pub(super) struct Memo {
    /// By position before: its bound, if it has been drawn.
    bounds: Vec<Option<Mark>>,
    drawn: Vec<Before>,
    /// By position after: the most moves to mate after any reply, if that is known.
    worst: Vec<Option<u32>>,
    known: Vec<After>,
}

impl Memo {
    fn reset(&mut self, arena: &Arena) {
        self.bounds.resize(arena.befores.len(), None);
        self.worst.resize(arena.afters.len(), None);
        self.drawn.drain(..).for_each(|before| self.bounds[before as usize] = None);
        self.known.drain(..).for_each(|after| self.worst[after as usize] = None);
    }
}

/// Grows a tree for some positions after that keeps the guarantee, whatever marks within their
/// leeway it gives them.
///
/// In each position before, a bound is drawn between the mark of the chosen move and those of the
/// moves that will not do. The chosen one has to stay at or below it, the others above it; so every
/// position after is asked for by itself, and a leaf can take all those whose leeways share a mark.
/// For a guarantee to win, a move will do if it leads nearer to the mate as things stand.
pub(super) fn regrow(
    game: &Game<'_>,
    guarantee: Guarantee,
    positions: &[After],
    freedom: &Freedom<'_>,
    (rng, memo): (&mut ChaCha8Rng, &mut Memo),
) -> Option<Graft> {
    let arena = game.arena();
    memo.reset(arena);
    let order = match guarantee {
        Guarantee::Win { .. } => game.order(rng),
        Guarantee::Exact | Guarantee::Optimal => Vec::new(),
    };
    let Freedom { slack, asked, .. } = *freedom;
    let mut scale = Scale { game, arena, guarantee, slack, order, asked, memo };
    let mut rows: Vec<Row> = positions
        .iter()
        .map(|&after| Row { after, leeway: scale.leeway(after), wish: 0 })
        // What may have any mark asks for nothing.
        .filter(|row| row.leeway != Leeway { low: 0, high: AVOID })
        .collect();
    let mut grower =
        Grower { arena, game, freedom, rng, left: freedom.most_leaves, counts: Vec::new() };
    grower.grow(&mut rows)
}

/// Says what marks will do.
struct Scale<'a, 'g> {
    game: &'a Game<'g>,
    arena: &'a Arena,
    guarantee: Guarantee,
    slack: u16,
    /// By position before: its place in an order in which every reply to the chosen move comes
    /// earlier.
    order: Vec<u32>,
    /// By position before: whether its choice is asked for; all are if there is no list.
    asked: Option<&'a [bool]>,
    memo: &'a mut Memo,
}

impl Scale<'_, '_> {
    fn leeway(&mut self, after: After) -> Leeway {
        if self.guarantee == Guarantee::Exact {
            let mut movers = self.arena.movers.get(after).iter();
            if self.asked.is_some_and(|asked| !movers.any(|&before| asked[before as usize])) {
                return Leeway { low: 0, high: AVOID };
            }
            let mark = self.arena.mark_of(self.arena.afters[after as usize].depth);
            return Leeway { low: mark, high: mark };
        }
        let mut leeway = Leeway { low: 0, high: AVOID };
        for &before in self.arena.movers.get(after) {
            let is_asked = self.asked.is_none_or(|asked| asked[before as usize]);
            let known = &self.arena.befores[before as usize];
            let can_fail =
                known.moves_to_mate.is_some() || (known.is_drawn && self.arena.has_losses());
            if !is_asked || !can_fail {
                continue;
            }
            let chosen = self.game.chosen(before);
            if chosen == after {
                leeway.high = leeway.high.min(self.bound(before));
            } else if !self.will_do(before, after) {
                let bound = self.bound(before);
                let moves = self.arena.moves.get(before);
                let first = moves.iter().find(|&&to| to == after || to == chosen);
                let low = if first == Some(&chosen) { bound } else { bound + 1 };
                leeway.low = leeway.low.max(low);
            }
        }
        leeway
    }

    /// The greatest mark that the chosen move of a position before may get.
    fn bound(&mut self, before: Before) -> Mark {
        if let Some(bound) = self.memo.bounds[before as usize] {
            return bound;
        }
        let bound = self.draw_bound(before);
        self.memo.bounds[before as usize] = Some(bound);
        self.memo.drawn.push(before);
        bound
    }

    fn draw_bound(&mut self, before: Before) -> Mark {
        let chosen = self.game.chosen(before);
        let least = self.game.mark(chosen);
        if self.slack == 0 {
            return least;
        }
        let mut most = AVOID - 1;
        let mut is_chosen_earlier = false;
        for &after in self.arena.moves.get(before) {
            if after == chosen {
                is_chosen_earlier = true;
            } else if !self.will_do(before, after) {
                let mark = self.game.mark(after);
                most = most.min(if is_chosen_earlier { mark } else { mark.saturating_sub(1) });
            }
        }
        let most = most.max(least);
        least + (u16::from(most - least) * self.slack / 8) as Mark
    }

    /// Whether a move keeps the guarantee, as things stand.
    #[inline(always)]
    fn will_do(&mut self, before: Before, after: After) -> bool {
        if self.arena.befores[before as usize].is_drawn {
            return !self.arena.loses(before, after);
        }
        match self.guarantee {
            Guarantee::Exact | Guarantee::Optimal => {
                let best = self.arena.befores[before as usize].moves_to_mate;
                best.is_some_and(|moves| self.arena.mated_after(after) == Some(moves - 1))
            }
            Guarantee::Win { .. } => self.worst(after) < self.order[before as usize],
        }
    }

    /// The place of the reply that comes last in the order, counted from 1; 0 for a mate.
    #[inline(always)]
    fn worst(&mut self, after: After) -> u32 {
        if let Some(worst) = self.memo.worst[after as usize] {
            return worst;
        }
        let replies = self.arena.replies.get(after).iter();
        let worst = match self.arena.afters[after as usize].end {
            End::Mated => 0,
            End::Thrown => u32::MAX,
            End::GoesOn => replies.map(|&reply| self.order[reply as usize]).max().unwrap_or(0),
        };
        self.memo.worst[after as usize] = Some(worst);
        self.memo.known.push(after);
        worst
    }
}

struct Grower<'a, 'g> {
    arena: &'a Arena,
    game: &'a Game<'g>,
    freedom: &'a Freedom<'a>,
    rng: &'a mut ChaCha8Rng,
    /// How many more leaves there may be.
    left: u32,
    counts: Vec<u32>,
}

impl Grower<'_, '_> {
    fn grow(&mut self, rows: &mut [Row]) -> Option<Graft> {
        let low = rows.iter().map(|row| row.leeway.low).max().unwrap_or(0);
        let high = rows.iter().map(|row| row.leeway.high).min().unwrap_or(AVOID);
        if low <= high {
            self.left = self.left.checked_sub(1)?;
            return Some(Graft::Leaf(self.mark(rows, low, high)));
        }
        if self.left < 2 {
            return None;
        }
        let classes = wishes(rows);
        let test = self.best_test(rows, classes)?;
        let divides = &self.arena.tests[usize::from(test)].below;
        let is_below = |row: &Row| divides[row.after as usize / 64] >> (row.after % 64) & 1 == 1;
        let middle = partition(rows, is_below);
        let (below, above) = rows.split_at_mut(middle);
        // One leaf is kept for the other side.
        self.left -= 1;
        let below = self.grow(below)?;
        self.left += 1;
        let above = self.grow(above)?;
        Some(Graft::test(test, below, above))
    }

    /// A mark that all rows can take: for choice the one that most have now.
    fn mark(&mut self, rows: &[Row], low: Mark, high: Mark) -> Mark {
        match self.rng.gen_range(0..4) {
            0 => low,
            1 => high,
            2 => low + (high - low) / 2,
            _ => {
                let row = rows.get(self.rng.gen_range(0..rows.len().max(1)));
                row.map_or(high, |row| self.game.mark(row.after).clamp(low, high))
            }
        }
    }

    /// The test that divides the wishes best: the least entropy.
    fn best_test(&mut self, rows: &[Row], classes: usize) -> Option<TestNumber> {
        let mut best: Option<(f32, TestNumber)> = None;
        let total: Vec<u32> = rows.iter().fold(vec![0; classes], |mut total, row| {
            total[usize::from(row.wish)] += 1;
            total
        });
        let n_log_n = &self.arena.n_log_n;
        let mut below = vec![0_u32; classes];
        for (attribute, column) in self.arena.columns.iter().enumerate() {
            let tests = self.arena.tests_of[attribute].clone();
            if !self.freedom.attributes[attribute] || tests.is_empty() {
                continue;
            }
            let values = self.arena.greatest[attribute] + 1;
            self.counts.clear();
            self.counts.resize(values * classes, 0);
            for row in rows {
                let value = usize::from(column[row.after as usize]);
                self.counts[value * classes + usize::from(row.wish)] += 1;
            }
            below.fill(0);
            let mut rows_below = 0;
            let mut value = 0;
            for test in tests {
                let at_most = usize::from(self.arena.tests[usize::from(test)].at_most);
                while value <= at_most {
                    let counts = &self.counts[value * classes..(value + 1) * classes];
                    for (below, &count) in below.iter_mut().zip(counts) {
                        *below += count;
                        rows_below += count;
                    }
                    value += 1;
                }
                if rows_below == 0 || rows_below as usize == rows.len() {
                    continue;
                }
                let rows_above = rows.len() as u32 - rows_below;
                let mut score = n_log_n[rows_below as usize] + n_log_n[rows_above as usize];
                for (&below, &total) in below.iter().zip(&total) {
                    score -= n_log_n[below as usize] + n_log_n[(total - below) as usize];
                }
                if self.freedom.noise > 0.0 {
                    score *= 1.0 + self.freedom.noise * self.rng.gen_range(0.0..1.0);
                }
                if best.is_none_or(|(least, _)| score < least) {
                    best = Some((score, test));
                }
            }
        }
        best.map(|(_, test)| test)
    }
}

/// Gives every row one of a few marks within its leeway, the most wanted first, and says how many
/// there are.
fn wishes(rows: &mut [Row]) -> usize {
    const OPEN: Mark = Mark::MAX;
    rows.iter_mut().for_each(|row| row.wish = OPEN);
    let mut open = rows.len();
    let mut classes = 0;
    while open > 0 && classes < usize::from(OPEN) {
        let mut steps = [0_i32; 257];
        for row in rows.iter().filter(|row| row.wish == OPEN) {
            steps[usize::from(row.leeway.low)] += 1;
            steps[usize::from(row.leeway.high) + 1] -= 1;
        }
        let (mut wanted, mut most, mut mark) = (0, 0, 0);
        for (at, step) in steps[..256].iter().enumerate() {
            wanted += step;
            if wanted > most {
                (most, mark) = (wanted, at as Mark);
            }
        }
        for row in rows.iter_mut().filter(|row| row.wish == OPEN) {
            if (row.leeway.low..=row.leeway.high).contains(&mark) {
                row.wish = classes as Mark;
                open -= 1;
            }
        }
        classes += 1;
    }
    classes
}

fn partition(rows: &mut [Row], is_first: impl Fn(&Row) -> bool) -> usize {
    let mut middle = 0;
    for at in 0..rows.len() {
        if is_first(&rows[at]) {
            rows.swap(middle, at);
            middle += 1;
        }
    }
    middle
}
