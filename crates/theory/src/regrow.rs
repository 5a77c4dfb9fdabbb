//! Regrowing: a part of a tree is grown again for the positions that reach it, with any marks within their
//! leeways.

use super::game::Game;
use super::leeway::{Eighths, Leeway, Leeways, Memo};
use super::mark::Mark;
use super::positions::{After, Before};
use super::sketch::Graft;
use super::test_table::TestNumber;
use super::theory_graph::TheoryGraph;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::Observer;
use lucena_proof::guarantee::Guarantee;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// The options for growing a part of a tree again.
pub(super) struct GrowthOptions<'a> {
    /// By position before: true if its choice matters; `None` if all do.
    pub(super) scope: Option<&'a IndexVec<Before, bool>>,
    /// The most leaves; if more are needed, growth is given up.
    pub(super) most_leaves: u32,
    /// The place of the bounds of leeways, from 0 to 8.
    pub(super) bounds_at: Eighths,
    /// By attribute: true if it may be tested.
    pub(super) attributes: Vec<bool>,
    /// The greatest relative error of a score; 0 if the best test is always taken.
    pub(super) noise: f32,
}

/// Grows a tree for some positions after a move. The tree keeps the guarantee, because the mark of each
/// position is within its leeway. A leaf can take all positions whose leeways share a mark. Returns `None` if
/// the tree would have too many leaves, if the attributes do not distinguish positions that must be
/// distinguished, or if the observer asks to stop.
pub(super) fn regrow(
    game: &Game<'_>,
    guarantee: Guarantee,
    positions: impl Iterator<Item = After>,
    options: &GrowthOptions<'_>,
    (rng, memo): (&mut ChaCha8Rng, &mut Memo),
    observer: &dyn Observer,
) -> Option<Graft> {
    let mut leeways =
        Leeways::new(game, guarantee, options.bounds_at, options.scope, (&mut *rng, memo));
    let mut rows: Vec<LeewayRow> = positions
        .map(|after| LeewayRow { after, leeway: leeways.of(after), class: LeewayRow::OPEN })
        // Positions that may have any mark need no leaf.
        .filter(|row| row.leeway != Leeway::ANY)
        .collect();
    let graph = game.graph;
    let (left, counts) = (options.most_leaves, Vec::new());
    Grower { graph, game, options, rng, left, counts, observer }.grow(&mut rows)
}

/// A position after a move, and its leeway.
#[derive(Debug, Clone, Copy)]
struct LeewayRow {
    after: After,
    leeway: Leeway,
    /// The rows of a class could share a mark. A good test separates the classes.
    class: u8,
}

impl LeewayRow {
    /// Marks a row that is not in a class yet.
    const OPEN: u8 = u8::MAX;
}

struct Grower<'a, 'g> {
    graph: &'a TheoryGraph,
    game: &'a Game<'g>,
    options: &'a GrowthOptions<'a>,
    rng: &'a mut ChaCha8Rng,
    /// The number of leaves that may still be added.
    left: u32,
    /// By value, then by class. The memory is reused for every attribute.
    counts: Vec<u32>,
    observer: &'a dyn Observer,
}

impl Grower<'_, '_> {
    fn grow(&mut self, rows: &mut [LeewayRow]) -> Option<Graft> {
        let low = rows.iter().map(|row| row.leeway.low).max().unwrap_or(Mark::BEST);
        let high = rows.iter().map(|row| row.leeway.high).min().unwrap_or(Mark::AVOID);
        if low <= high {
            self.left = self.left.checked_sub(1)?;
            return Some(Graft::Leaf(self.mark(rows, low, high)));
        }
        if self.left < 2 || self.observer.is_stopped() {
            return None;
        }
        let classes = classify(rows);
        let test = self.best_test(rows, classes)?;
        let divides = &self.graph.tests.test(test).below;
        let middle = partition(rows, |row| divides.contains(row.after.number()));
        let (below, above) = rows.split_at_mut(middle);
        // One leaf is reserved for the other side.
        self.left -= 1;
        let below = self.grow(below)?;
        self.left += 1;
        let above = self.grow(above)?;
        Some(Graft::test(test, below, above))
    }

    /// Returns a random mark that all rows can take, often the one that some row has now.
    fn mark(&mut self, rows: &[LeewayRow], low: Mark, high: Mark) -> Mark {
        match self.rng.gen_range(0..4) {
            0 => low,
            1 => high,
            2 => Mark(low.0 + (high.0 - low.0) / 2),
            _ => {
                let row = rows.get(self.rng.gen_range(0..rows.len().max(1)));
                row.map_or(high, |row| self.game.mark(row.after).clamp(low, high))
            }
        }
    }

    /// Returns the test that separates the classes best, with the least entropy.
    ///
    /// The learners count in the same way and then add integers, so that equal splits stay equal. Here a
    /// score only guides a search and is perturbed on purpose, so single precision is enough and faster. Of
    /// tests that split all positions in the same way, only one is tried.
    fn best_test(&mut self, rows: &[LeewayRow], classes: usize) -> Option<TestNumber> {
        let mut total = vec![0; classes];
        rows.iter().for_each(|row| total[usize::from(row.class)] += 1);
        let mut below = vec![0_u32; classes];
        let mut best: Option<(f32, TestNumber)> = None;
        let tests = &self.graph.tests;
        for attribute in 0..tests.columns.len() {
            if !self.options.attributes[attribute] || tests.numbers_of(attribute).is_empty() {
                continue;
            }
            self.count(rows, classes, attribute);
            below.fill(0);
            let (mut rows_below, mut value) = (0, 0);
            for test in tests.tests_of(attribute) {
                let at_most = usize::from(tests.test(test).at_most);
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
                let mut score = entropy(&tests.n_log_n, &below, &total, rows_below, rows.len());
                if self.options.noise > 0.0 {
                    score *= 1.0 + self.options.noise * self.rng.gen_range(0.0..1.0);
                }
                if best.is_none_or(|(least, _)| score < least) {
                    best = Some((score, test));
                }
            }
        }
        best.map(|(_, test)| test)
    }

    /// Counts rows by the value of an attribute, then by class.
    fn count(&mut self, rows: &[LeewayRow], classes: usize, attribute: usize) {
        let tests = &self.graph.tests;
        let column = &tests.columns[attribute];
        self.counts.clear();
        self.counts.resize((tests.greatest[attribute] + 1) * classes, 0);
        for row in rows {
            let value = usize::from(column[row.after]);
            self.counts[value * classes + usize::from(row.class)] += 1;
        }
    }
}

/// Returns the entropy that is left after a test, times the number of rows, from the number of rows of each
/// class below the test and in total.
#[inline(always)]
fn entropy(n_log_n: &[f32], below: &[u32], total: &[u32], rows_below: u32, rows: usize) -> f32 {
    let mut entropy = n_log_n[rows_below as usize] + n_log_n[rows - rows_below as usize];
    for (&below, &total) in below.iter().zip(total) {
        entropy -= n_log_n[below as usize] + n_log_n[(total - below) as usize];
    }
    entropy
}

/// Assigns a class to every row, and returns the number of classes. The first class has all rows that can
/// take the mark that most rows can take; each later class is found in the same way among the remaining rows.
fn classify(rows: &mut [LeewayRow]) -> usize {
    rows.iter_mut().for_each(|row| row.class = LeewayRow::OPEN);
    let mut open = rows.len();
    let mut classes = 0;
    while open > 0 && classes < usize::from(LeewayRow::OPEN) {
        let mark = most_wanted(rows.iter().filter(|row| row.class == LeewayRow::OPEN));
        for row in rows.iter_mut().filter(|row| row.class == LeewayRow::OPEN) {
            if row.leeway.has(mark) {
                row.class = classes as u8;
                open -= 1;
            }
        }
        classes += 1;
    }
    classes
}

/// Returns the mark that most rows can take; the least if there are several.
fn most_wanted<'r>(rows: impl Iterator<Item = &'r LeewayRow>) -> Mark {
    // By mark: the change in the number of rows that can take it, relative to the mark before.
    let mut steps = [0_i32; 257];
    for row in rows {
        steps[usize::from(row.leeway.low.0)] += 1;
        steps[usize::from(row.leeway.high.0) + 1] -= 1;
    }
    let (mut wanted, mut most, mut mark) = (0, 0, Mark::BEST);
    for (at, step) in (0..=u8::MAX).zip(steps) {
        wanted += step;
        if wanted > most {
            (most, mark) = (wanted, Mark(at));
        }
    }
    mark
}

fn partition(rows: &mut [LeewayRow], is_first: impl Fn(&LeewayRow) -> bool) -> usize {
    let mut middle = 0;
    for at in 0..rows.len() {
        if is_first(&rows[at]) {
            rows.swap(middle, at);
            middle += 1;
        }
    }
    middle
}
