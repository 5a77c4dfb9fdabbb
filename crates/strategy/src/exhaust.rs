//! Exhaustive search: tries all lists of a given number of keys and keeps those that win.
//!
//! Lists with a common prefix are tried together. A prefix is rejected as soon as the strong side cannot win
//! even if it may choose freely among the moves that the prefix leaves. Then some positions form a *trap*:
//! after each such move the weak side can stay in the trap. A known trap is tried first on every later
//! prefix. The remaining lists are tried one by one, on the latest refuting positions first.

use super::backward::Backward;
use super::ground::{At, Given, Ground, Row};
use super::plan::{Order, Select, empty_row, keep_best};
use super::trial::{Score, Trial};
use lucena_base::work::{Progress, Stopped, Watch, Whole};
use lucena_proof::graph::After;
use lucena_tree::Key;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The result of an exhaustive search over lists of keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Exhausted {
    /// The keys to choose from. Of keys that order the moves of every position in the same way, only the
    /// first counts.
    pub all_keys: Vec<Key>,
    /// The number of keys in each list, all of different attributes.
    pub length: usize,
    /// The number of lists.
    pub lists: u64,
    /// The number of lists refuted together by a common prefix.
    pub refuted_by_beginning: u64,
    /// The number of lists refuted one by one.
    pub refuted_by_play: u64,
    /// The number of positions, up to symmetry, that refuted them.
    pub by_positions: usize,
    /// The lists that win, the best first.
    pub winners: Vec<Winner>,
}

/// A list of keys that wins.
#[derive(Debug, Clone, PartialEq)]
pub struct Winner {
    /// The keys.
    pub keys: Vec<Key>,
    /// Moves to mate in the longest game.
    pub longest: u16,
    /// Moves over the optimum, summed over the won positions of the full board.
    pub excess: u64,
}

/// The most winners that are kept.
const MOST_WINNERS: usize = 1_000;

/// The most traps that are remembered.
const TRAPS: usize = 64;

/// The largest trap that is remembered, in positions.
const LARGEST_TRAP: usize = 4_000;

/// Returns the distinct keys over the attributes of a ground. Of keys that order the moves of every position
/// in the same way, only the first is returned. Keys that never distinguish two moves are left out.
pub fn keys(ground: &Ground) -> &[Key] {
    ground.keys.get_or_init(|| different_keys(ground))
}

fn different_keys(ground: &Ground) -> Vec<Key> {
    let count = ground.attributes().attributes().len();
    let all: Vec<Order> =
        (0..count).flat_map(|attribute| [0, 0xff].map(|flip| Order { attribute, flip })).collect();
    let sums: Vec<Option<u64>> = all.par_iter().map(|&order| ranks(ground, order)).collect();
    let mut seen = BTreeSet::new();
    let different = all.iter().zip(sums).filter(|(_, sum)| sum.is_some_and(|sum| seen.insert(sum)));
    different.map(|(&order, _)| order.into()).collect()
}

/// Returns a hash of the ranking that a key gives the moves of every position; `None` if it never
/// distinguishes two moves.
fn ranks(ground: &Ground, order: Order) -> Option<u64> {
    let (mut sum, mut tells_apart) = (0xcbf2_9ce4_8422_2325_u64, false);
    for at in 0..ground.len() as u32 {
        if ground.given[at as usize] != Given::Rules {
            continue;
        }
        let (values, safe) = (ground.tile(at, order.attribute), ground.safe(at));
        let moves = || values.iter().zip(safe).filter(|(_, safe)| **safe != 0);
        let mut seen = [0_u64; 4];
        for (&value, _) in moves() {
            let value = value ^ order.flip;
            seen[usize::from(value >> 6)] |= 1 << (value & 63);
        }
        tells_apart |= seen.iter().map(|part| part.count_ones()).sum::<u32>() > 1;
        for (&value, _) in moves() {
            let value = value ^ order.flip;
            let part = usize::from(value >> 6);
            let below: u32 = seen[..part].iter().map(|part| part.count_ones()).sum();
            let rank = below + (seen[part] & ((1 << (value & 63)) - 1)).count_ones();
            sum = (sum ^ u64::from(rank)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    tells_apart.then_some(sum)
}

/// Tries all lists of `length` keys of different attributes.
///
/// A list that wins still wins with more keys appended, so shorter lists need no trial of their own.
///
/// # Errors
/// If the watch asks to stop.
pub fn exhaust(ground: &Ground, length: usize, watch: &dyn Watch) -> Result<Exhausted, Stopped> {
    let keys = keys(ground).to_vec();
    let orders: Vec<Order> = keys.iter().map(|&key| key.into()).collect();
    let backward = Backward::new(ground);
    let what = format!("{}, lists of {length} keys", ground.material());
    let lists = count_lists(&orders, &[], length);
    watch.tell(Progress { what: &what, done: 0, total: Some(lists) });
    let whole = Whole::new(watch, &what, lists);
    let parts: Vec<Result<Part, Stopped>> = orders
        .par_iter()
        .map(|&first| {
            let mut walk = Walk::new(ground, &backward, &orders, length, watch);
            walk.go(first, &whole)?;
            Ok(walk.part)
        })
        .collect();
    let mut all = Part::default();
    for part in parts {
        let part = part?;
        all.by_beginning += part.by_beginning;
        all.by_play += part.by_play;
        all.positions.extend(part.positions);
        all.winners.extend(part.winners);
    }
    all.winners.sort_by_key(|winner| (winner.longest, winner.excess));
    all.winners.truncate(MOST_WINNERS);
    Ok(Exhausted {
        all_keys: keys,
        length,
        lists,
        refuted_by_beginning: all.by_beginning,
        refuted_by_play: all.by_play,
        by_positions: all.positions.len(),
        winners: all.winners,
    })
}

/// Returns the number of ways to extend a prefix by `more` keys of attributes that are not in it.
fn count_lists(orders: &[Order], beginning: &[Order], more: usize) -> u64 {
    // `ways[n]`: choices of n keys of different attributes, among the attributes so far.
    let mut ways = vec![0_u64; more + 1];
    ways[0] = 1;
    let mut of_attribute: BTreeMap<usize, u64> = BTreeMap::new();
    for order in orders {
        *of_attribute.entry(order.attribute).or_default() += 1;
    }
    for (attribute, keys) in of_attribute {
        if beginning.iter().any(|order| order.attribute == attribute) {
            continue;
        }
        for chosen in (0..more).rev() {
            ways[chosen + 1] += ways[chosen] * keys;
        }
    }
    ways[more] * (1..=more as u64).product::<u64>()
}

/// Positions, each with the moves after which the weak side can stay among them or no longer loses.
type Trap = Vec<(At, Row)>;

/// The results for some of the lists.
#[derive(Default)]
struct Part {
    by_beginning: u64,
    by_play: u64,
    positions: BTreeSet<At>,
    winners: Vec<Winner>,
}

/// The moves that a prefix leaves, computed on demand. A row is valid if its epoch is the current one.
struct Level {
    epoch: u32,
    epochs: Vec<u32>,
    rows: Vec<u8>,
}

/// The search over all lists that begin with one key.
struct Walk<'g> {
    ground: &'g Ground,
    backward: &'g Backward,
    orders: &'g [Order],
    length: usize,
    watch: &'g dyn Watch,
    beginning: Beginning,
    trial: Trial<'g>,
    traps: Vec<Trap>,
    part: Part,
}

/// A prefix of lists, and the moves that each of its keys leaves.
struct Beginning {
    orders: Vec<Order>,
    levels: Vec<Level>,
}

impl Beginning {
    fn new(ground: &Ground, length: usize) -> Self {
        let level = || Level {
            epoch: 0,
            epochs: vec![0; ground.len()],
            rows: vec![0; ground.len() * ground.stride],
        };
        Self { orders: Vec::new(), levels: (0..length).map(|_| level()).collect() }
    }

    fn push(&mut self, order: Order) {
        self.levels[self.orders.len()].epoch += 1;
        self.orders.push(order);
    }

    fn pop(&mut self) {
        self.orders.pop();
    }

    /// Returns the moves of a position that the first `depth` keys leave.
    fn left<'b>(&'b mut self, ground: &'b Ground, depth: usize, at: At) -> &'b [u8] {
        let place = at as usize;
        if depth == 0 {
            return ground.safe(at);
        }
        let level = &self.levels[depth - 1];
        let (from, stride) = (place * ground.stride, ground.stride);
        if level.epochs[place] != level.epoch {
            let mut row = empty_row();
            row[..stride].copy_from_slice(self.left(ground, depth - 1, at));
            let Order { attribute, flip } = self.orders[depth - 1];
            keep_best(&mut row[..stride], ground.tile(at, attribute), flip);
            let level = &mut self.levels[depth - 1];
            level.epochs[place] = level.epoch;
            level.rows[from..from + stride].copy_from_slice(&row[..stride]);
        }
        &self.levels[depth - 1].rows[from..from + stride]
    }
}

/// A prefix and one more key.
struct List<'b> {
    beginning: &'b mut Beginning,
    last: Order,
}

impl Select for List<'_> {
    #[inline]
    fn select(&mut self, ground: &Ground, at: At, set: &mut Row) -> usize {
        let stride = ground.stride;
        let depth = self.beginning.orders.len();
        set[..stride].copy_from_slice(self.beginning.left(ground, depth, at));
        let Order { attribute, flip } = self.last;
        keep_best(&mut set[..stride], ground.tile(at, attribute), flip);
        stride
    }
}

impl<'g> Walk<'g> {
    fn new(
        ground: &'g Ground,
        backward: &'g Backward,
        orders: &'g [Order],
        length: usize,
        watch: &'g dyn Watch,
    ) -> Self {
        Self {
            ground,
            backward,
            orders,
            length,
            watch,
            beginning: Beginning::new(ground, length),
            trial: Trial::new(ground),
            traps: Vec::new(),
            part: Part::default(),
        }
    }

    /// Tries all lists that begin with the current prefix and this key.
    fn go(&mut self, next: Order, whole: &Whole<'_>) -> Result<(), Stopped> {
        self.watch.go_on()?;
        if self.beginning.orders.len() + 1 == self.length {
            self.play(next);
            whole.add(1);
            return Ok(());
        }
        self.beginning.push(next);
        let more = self.length - self.beginning.orders.len();
        if self.is_trapped() || (more > 1 && self.finds_trap()) {
            let lists = count_lists(self.orders, &self.beginning.orders, more);
            self.part.by_beginning += lists;
            whole.add(lists);
        } else if more == 1 {
            let (mut lists, orders) = (0, self.orders);
            for &last in orders {
                if self.is_new(last) {
                    self.play(last);
                    lists += 1;
                }
            }
            whole.add(lists);
        } else {
            let orders = self.orders;
            for &next in orders {
                if self.is_new(next) {
                    self.go(next, whole)?;
                }
            }
        }
        self.beginning.pop();
        Ok(())
    }

    fn is_new(&self, order: Order) -> bool {
        self.beginning.orders.iter().all(|known| known.attribute != order.attribute)
    }

    /// Tries one list.
    fn play(&mut self, last: Order) {
        let mut list = List { beginning: &mut self.beginning, last };
        match self.trial.score(&mut list, super::FIFTY_MOVES, u64::MAX) {
            None => {
                self.part.by_play += 1;
                self.part.positions.extend(self.trial.refuter());
            }
            Some(Score { longest, excess }) => {
                let keys = self.beginning.orders.iter().copied().chain([last]);
                let keys = keys.map(Key::from).collect();
                self.part.winners.push(Winner { keys, longest, excess });
            }
        }
    }

    /// Returns true if a known trap holds the strong side after this prefix.
    fn is_trapped(&mut self) -> bool {
        let (ground, depth) = (self.ground, self.beginning.orders.len());
        let beginning = &mut self.beginning;
        let found = self.traps.iter().position(|trap| {
            trap.iter().all(|(at, kept)| {
                let left = beginning.left(ground, depth, *at);
                left.iter().zip(kept).all(|(left, kept)| left & !kept == 0)
            })
        });
        let Some(place) = found else { return false };
        self.traps[..=place].rotate_right(1);
        self.part.positions.extend(self.traps[0].iter().map(|&(at, _)| at));
        true
    }

    /// Returns true if the strong side cannot win even if it chooses freely among the moves that this prefix
    /// leaves.
    fn finds_trap(&mut self) -> bool {
        let won = self.won_freely();
        let Some(trap) = self.trap(&won) else { return false };
        self.part.positions.extend(trap.iter().map(|&(at, _)| at));
        if trap.len() <= LARGEST_TRAP {
            self.traps.truncate(TRAPS - 1);
            self.traps.insert(0, trap);
        }
        true
    }

    /// Returns by position whether the strong side wins if it chooses freely.
    fn won_freely(&mut self) -> Vec<bool> {
        let (ground, backward) = (self.ground, self.backward);
        let depth = self.beginning.orders.len();
        let mut won = vec![false; ground.len()];
        let mut open = backward.replies.clone();
        let mut queue: VecDeque<At> = VecDeque::new();
        let won_after = |after: After,
                         won: &mut Vec<bool>,
                         queue: &mut VecDeque<At>,
                         beginning: &mut Beginning| {
            for &slot in backward.movers.get(after) {
                let at = slot as usize / ground.stride;
                let mv = slot as usize % ground.stride;
                if !won[at] && beginning.left(ground, depth, at as At)[mv] != 0 {
                    won[at] = true;
                    queue.push_back(at as At);
                }
            }
        };
        for (at, given) in ground.given.iter().enumerate() {
            if matches!(given, Given::Won(_)) {
                won[at] = true;
                queue.push_back(at as At);
            }
        }
        for (after, _) in backward.replies.pairs().filter(|(_, replies)| **replies == 0) {
            won_after(after, &mut won, &mut queue, &mut self.beginning);
        }
        while let Some(at) = queue.pop_front() {
            for &after in backward.answers.get(at) {
                open[after] -= 1;
                if open[after] == 0 {
                    won_after(after, &mut won, &mut queue, &mut self.beginning);
                }
            }
        }
        won
    }

    /// Returns a small set of positions that the strong side cannot leave; `None` if all are won.
    fn trap(&mut self, won: &[bool]) -> Option<Trap> {
        let (ground, depth) = (self.ground, self.beginning.orders.len());
        let lost: Vec<At> = (0..ground.len() as u32).filter(|&at| !won[at as usize]).collect();
        let starts = lost.iter().step_by((lost.len() / 4).max(1));
        let closed = |start: At, beginning: &mut Beginning| {
            let mut held = BTreeSet::from([start]);
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                if ground.given[at as usize] == Given::Lost {
                    continue;
                }
                let left = beginning.left(ground, depth, at);
                for mv in (0..ground.stride).filter(|&mv| left[mv] & !ground.throws(at)[mv] != 0) {
                    let after = ground.afters[at as usize * ground.stride + mv];
                    let replies = ground.replies.get(after);
                    if replies.iter().any(|reply| held.contains(reply)) {
                        continue;
                    }
                    let stays = replies.iter().find(|&&reply| !won[reply as usize]);
                    let stays = *stays.expect("a move that is not won has a reply that is not");
                    held.insert(stays);
                    open.push(stays);
                }
            }
            held
        };
        let smallest = starts.map(|&start| closed(start, &mut self.beginning));
        let held = smallest.min_by_key(BTreeSet::len)?;
        let kept = |&at: &At| {
            let mut kept = empty_row();
            for (mv, kept) in kept[..ground.stride].iter_mut().enumerate() {
                let after = ground.afters[at as usize * ground.stride + mv];
                let stays = || ground.replies.get(after).iter().any(|reply| held.contains(reply));
                if ground.given[at as usize] == Given::Lost || ground.throws(at)[mv] != 0 || stays()
                {
                    *kept = 0xff;
                }
            }
            (at, kept)
        };
        Some(held.iter().map(kept).collect())
    }
}
