//! The game graph of a policy, read backwards.
//!
//! For each position, only the successors by the policy's moves are stored. The replies are determined by
//! the rules; they are found again backwards, by taking back the other side's moves. Their lists, which a
//! [`Worklist`](super::Worklist) needs, would not fit into memory for five men.

use super::End;
use super::position_numbers::{PlayerPlace, PositionNumbers, ReplyPlace};
use crate::ProveError;
use crate::policy::Policy;
use lucena_base::bits::BitSet;
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::Position;
use lucena_tablebase::{Outcome, Tablebase};
use rayon::prelude::*;
use std::num::NonZeroU16;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU64, Ordering};

/// The decisions of a policy in every position of its material.
pub(crate) struct PolicyGraph {
    chunks: Vec<Chunk>,
    /// The numbers of the places with a decision; `None` if all have one.
    reached: Option<BitSet>,
}

/// The number of consecutive places of a chunk. One thread works on a chunk at a time.
const CHUNK: usize = 1 << 12;

/// A set of places of a chunk.
type ChunkSet = BitSet<[u64; CHUNK / 64]>;

/// The decisions of a policy at the places of a chunk, numbered from the first of them.
struct Chunk {
    /// The moves within the material: the place where each begins, in order, and the place it leads to.
    from: Vec<u16>,
    to: Vec<ReplyPlace>,
    /// The places with moves to won positions of other endgames, and the most moves to mate after one of
    /// them.
    departing: Vec<(u16, u16)>,
    /// The places with no move, or with one that leads to another endgame and does not win it.
    failing: ChunkSet,
    /// The places where a move lets the other side win.
    losing: ChunkSet,
    /// The places where all tied moves are optimal.
    optimal: ChunkSet,
}

impl PolicyGraph {
    /// Computes the decisions of a policy in every position.
    pub(crate) fn of_all(
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        let count = places.player_count();
        let (done, what) = (AtomicU64::new(0), format!("proving {}", policy.name()));
        let chunk = |number: usize| {
            let numbers = number * CHUNK..count.min((number + 1) * CHUNK);
            let made = Chunk::new(policy, tablebase, places, numbers, observer)?;
            let done = done.fetch_add(CHUNK as u64, Ordering::Relaxed);
            observer.report(Progress { what: &what, done, total: Some(count as u64) });
            Ok(made)
        };
        let chunks = (0..count.div_ceil(CHUNK)).into_par_iter().map(chunk);
        let graph = Self { chunks: chunks.collect::<Result<_, Stopped>>()?, reached: None };
        graph.with_few_moves(places)
    }

    /// Computes the decisions of a policy in some positions, and in all that it can get to from there.
    pub(crate) fn of_part(
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        start: &BitSet,
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        let count = places.player_count();
        let chunks = (0..count.div_ceil(CHUNK)).map(|_| Chunk::empty()).collect();
        let mut graph = Self { chunks, reached: None };
        let (mut reached, mut replied) = (start.clone(), BitSet::empty(places.reply_count()));
        let mut open: Vec<PlayerPlace> = start.iter().map(PlayerPlace::new).collect();
        let (what, mut done) = (format!("proving {}", policy.name()), 0);
        while !open.is_empty() {
            observer.check()?;
            // Of the positions after the moves and after the replies, those that are met for the first time.
            let moved = graph.decide(&open, policy, tablebase, places, observer)?;
            let after = replied.insert_new(moved.into_iter().map(ReplyPlace::number));
            let replies = after.into_par_iter().flat_map_iter(|at| {
                let mut replies = Vec::new();
                let position = places.reply_position(ReplyPlace::new(at));
                let position = position.expect("where a move leads is legal");
                position.visit_steps(|step| {
                    if !step.converts() {
                        replies.push(places.player(&position.after(step)).number());
                    }
                });
                replies
            });
            done += open.len() as u64;
            observer.report(Progress { what: &what, done, total: None });
            let next = reached.insert_new(replies.collect::<Vec<_>>());
            open = next.into_iter().map(PlayerPlace::new).collect();
        }
        graph.chunks.par_iter_mut().for_each(Chunk::sort);
        graph.reached = Some(reached);
        graph.with_few_moves(places)
    }

    /// Adds the decisions at some places, each once. Returns the places that they lead to.
    fn decide(
        &mut self,
        at: &[PlayerPlace],
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        observer: &dyn Observer,
    ) -> Result<Vec<ReplyPlace>, Stopped> {
        let mut at = at.to_vec();
        at.par_sort_unstable();
        let mut open = at.chunk_by(|one, other| one.number() / CHUNK == other.number() / CHUNK);
        let mut next = open.next();
        let with_work = self.chunks.iter_mut().enumerate().filter_map(|(number, chunk)| {
            let some = next.filter(|some| some[0].number() / CHUNK == number)?;
            next = open.next();
            Some((chunk, some))
        });
        let decided = with_work.collect::<Vec<_>>().into_par_iter().map(|(chunk, some)| {
            observer.check()?;
            let mut to = Vec::new();
            for &place in some {
                let position = places.player_position(place).expect("a position is reached");
                let before = chunk.to.len();
                chunk.decide(policy, tablebase, places, place, &position);
                // What comes after a losing move shows nothing more.
                if !chunk.losing.contains(place.number() % CHUNK) {
                    to.extend_from_slice(&chunk.to[before..]);
                }
            }
            Ok(to)
        });
        Ok(decided.collect::<Result<Vec<_>, Stopped>>()?.concat())
    }

    /// Returns the graph unless it has more moves than its numbers can count.
    fn with_few_moves(self, places: &PositionNumbers) -> Result<Self, ProveError> {
        let moves: usize = self.chunks.iter().map(|chunk| chunk.to.len()).sum();
        match u32::try_from(moves) {
            Ok(_) => Ok(self),
            Err(_) => Err(ProveError::TooManyChoices { material: places.material() }),
        }
    }

    /// Returns true if there is a decision at a place, or none is possible.
    pub(crate) fn has(&self, place: PlayerPlace) -> bool {
        self.reached.as_ref().is_none_or(|reached| reached.contains(place.number()))
    }

    /// Returns the chunk of a place, and its number there.
    fn chunk(&self, place: PlayerPlace) -> (&Chunk, usize) {
        (&self.chunks[place.number() / CHUNK], place.number() % CHUNK)
    }

    /// Returns the places that a policy's moves within the material lead to from a place, each once.
    pub(crate) fn to(&self, place: PlayerPlace) -> &[ReplyPlace] {
        let (chunk, at) = self.chunk(place);
        let bound = |at: usize| chunk.from.partition_point(|&from| usize::from(from) < at);
        &chunk.to[bound(at)..bound(at + 1)]
    }

    /// Returns true if a move of a policy at a place leads to another endgame, which it wins.
    pub(crate) fn departs(&self, place: PlayerPlace) -> bool {
        let (chunk, at) = self.chunk(place);
        chunk.departing.binary_search_by_key(&at, |&(at, _)| usize::from(at)).is_ok()
    }

    /// Returns true if a policy has no move at a place, or one that leads to another endgame and does not win
    /// it.
    pub(crate) fn fails(&self, place: PlayerPlace) -> bool {
        let (chunk, at) = self.chunk(place);
        chunk.failing.contains(at)
    }

    /// Returns true if a policy's move at a place lets the other side win.
    pub(crate) fn loses(&self, place: PlayerPlace) -> bool {
        let (chunk, at) = self.chunk(place);
        chunk.losing.contains(at)
    }

    /// Returns true if all moves that a policy may play at a place are optimal.
    pub(crate) fn is_optimal(&self, place: PlayerPlace) -> bool {
        let (chunk, at) = self.chunk(place);
        chunk.optimal.contains(at)
    }

    /// Returns for each place of the other side the places from which a policy's moves lead to it.
    pub(crate) fn movers(&self, places: &PositionNumbers) -> Csr<ReplyPlace, PlayerPlace> {
        let pairs = || {
            let chunks = self.chunks.par_iter().enumerate();
            chunks.flat_map_iter(|(number, chunk)| {
                let from = chunk.from.iter().map(move |&from| number * CHUNK + usize::from(from));
                chunk.to.iter().copied().zip(from.map(PlayerPlace::new))
            })
        };
        Csr::from_edges(pairs, places.reply_count())
    }

    /// Returns the moves to mate of every position that is won.
    pub(crate) fn mated_in(
        &self,
        movers: &Csr<ReplyPlace, PlayerPlace>,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        observer: &dyn Observer,
    ) -> Result<IndexVec<PlayerPlace, Option<NonZeroU16>>, Stopped> {
        let replied = ReplyCounts::new(movers, tablebase, places, observer)?;
        // The number of moves of each position that are not yet known to win.
        let open: Vec<AtomicU8> = self.chunks.par_iter().flat_map_iter(Chunk::open).collect();
        let mated_in: Vec<AtomicU16> = open.par_iter().map(|_| AtomicU16::new(0)).collect();
        let (mut moved, mut replying) = (Levels(Vec::new()), Levels(Vec::new()));
        for &(moves, place) in &replied.mated {
            replying.add(moves, place);
        }
        for (number, chunk) in self.chunks.iter().enumerate() {
            for &(at, moves) in &chunk.departing {
                let place = number * CHUNK + usize::from(at);
                if open[place].load(Ordering::Relaxed) == 0 {
                    moved.add(moves + 1, PlayerPlace::new(place));
                }
            }
        }
        for moves in 0..u16::MAX {
            observer.check()?;
            let won = moved.take(moves);
            won.par_iter().for_each(|at| mated_in[at.number()].store(moves, Ordering::Relaxed));
            replying
                .extend(won.par_iter().flat_map_iter(|&at| replied.cross_off(places, at, moves)));
            let lost = replying.take(moves);
            moved.extend(lost.par_iter().flat_map_iter(|&at| {
                let movers = movers.get(at).iter().copied();
                let last = movers.filter(|mover| cross_off(&open[mover.number()], 1));
                let others = |mover| {
                    let (chunk, at) = self.chunk(mover);
                    most_after(&chunk.departing, at)
                };
                last.map(|mover| (moves.max(others(mover)) + 1, mover)).collect::<Vec<_>>()
            }));
            if moved.is_empty() && replying.is_empty() {
                break;
            }
        }
        let mated_in = mated_in.into_iter().map(|moves| NonZeroU16::new(moves.into_inner()));
        Ok(mated_in.collect())
    }

    /// Returns the places from which a defence can reach a move that lets the other side win.
    pub(crate) fn endangered(
        &self,
        movers: &Csr<ReplyPlace, PlayerPlace>,
        places: &PositionNumbers,
        observer: &dyn Observer,
    ) -> Result<BitSet, Stopped> {
        let mut endangered = BitSet::empty(places.player_count());
        let mut open: Vec<PlayerPlace> = Vec::new();
        for (number, chunk) in self.chunks.iter().enumerate() {
            open.extend(chunk.losing.iter().map(|at| PlayerPlace::new(number * CHUNK + at)));
        }
        open.iter().for_each(|at| endangered.insert(at.number()));
        while !open.is_empty() {
            observer.check()?;
            let some = open.split_off(open.len().saturating_sub(1 << 16));
            let before = some.par_iter().flat_map_iter(|&at| {
                let mut before = Vec::new();
                places.visit_before(at, |reply, _| before.extend_from_slice(movers.get(reply)));
                before.retain(|at| !endangered.contains(at.number()));
                before
            });
            for at in before.collect::<Vec<_>>() {
                if !endangered.contains(at.number()) {
                    endangered.insert(at.number());
                    open.push(at);
                }
            }
        }
        Ok(endangered)
    }
}

impl Chunk {
    fn empty() -> Self {
        let none = || ChunkSet::from_iter([]);
        Self {
            from: Vec::new(),
            to: Vec::new(),
            departing: Vec::new(),
            failing: none(),
            losing: none(),
            optimal: none(),
        }
    }

    fn new(
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        numbers: std::ops::Range<usize>,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let mut chunk = Self::empty();
        for place in numbers.map(PlayerPlace::new) {
            let Some(position) = places.player_position(place) else { continue };
            // A policy that searches may take long for one move.
            observer.check()?;
            chunk.decide(policy, tablebase, places, place, &position);
        }
        Ok(chunk)
    }

    /// Adds the decision of a policy in the position at a place.
    fn decide(
        &mut self,
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        place: PlayerPlace,
        position: &Position,
    ) {
        let at = place.number() % CHUNK;
        let best = places.outcome(tablebase, place, position);
        // One illegal move counts like none at all.
        let plays = policy.plays(position).unwrap_or_default();
        let (mut to, mut departing, mut is_optimal) = (Vec::with_capacity(plays.len()), None, true);
        if plays.is_empty() {
            self.failing.insert(at);
            // If there is no move, there is no better one.
            is_optimal = !position.has_moves();
            if matches!(best, Outcome::Loss(_)) {
                self.losing.insert(at);
            }
        }
        for (_, after) in plays {
            let outcome = if after.material() == places.material() {
                let place = places.reply(&after);
                to.push(place);
                places.outcome(tablebase, place, &after).before_move()
            } else {
                let outcome = tablebase.outcome(&after).before_move();
                match outcome.moves_to_win() {
                    Some(moves) => departing = departing.max(Some(moves - 1)),
                    None => self.failing.insert(at),
                }
                outcome
            };
            is_optimal &= outcome == best;
            if matches!(outcome, Outcome::Loss(_)) {
                self.losing.insert(at);
            }
        }
        to.sort_unstable();
        to.dedup();
        self.from.extend(to.iter().map(|_| at as u16));
        self.to.extend(to);
        self.departing.extend(departing.map(|moves| (at as u16, moves)));
        if is_optimal {
            self.optimal.insert(at);
        }
    }

    /// Sorts the decisions, which were added in any order, by their places.
    fn sort(&mut self) {
        let mut moves: Vec<_> = self.from.iter().copied().zip(self.to.iter().copied()).collect();
        moves.sort_unstable();
        (self.from, self.to) = moves.into_iter().unzip();
        self.departing.sort_unstable();
    }

    /// Returns for each place the number of moves that are still to be won. A failing move never is.
    fn open(&self) -> Vec<AtomicU8> {
        let mut open = vec![0; CHUNK];
        self.from.iter().for_each(|&from| open[usize::from(from)] += 1);
        self.failing.iter().for_each(|at| open[at] += 1);
        open.into_iter().map(AtomicU8::new).collect()
    }
}

/// The replies at every place that a policy's moves lead to.
struct ReplyCounts {
    /// The sum of the weights of the replies that are not yet known to lose. A reply that saves the other side
    /// stays.
    open: Vec<AtomicU8>,
    /// By chunk: the places with replies to other endgames, and the most moves to mate after one of
    /// them.
    departing: Vec<Vec<(u16, u16)>>,
    /// The places where no reply keeps the material and all lose, with the moves to mate.
    mated: Vec<(u16, ReplyPlace)>,
}

impl ReplyCounts {
    fn new(
        movers: &Csr<ReplyPlace, PlayerPlace>,
        tablebase: &Tablebase,
        places: &PositionNumbers,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let count = places.reply_count();
        let chunks = (0..count.div_ceil(CHUNK)).into_par_iter().map(|chunk| {
            observer.check()?;
            let (mut open, mut departing, mut mated) = (vec![0; CHUNK], Vec::new(), Vec::new());
            for number in chunk * CHUNK..count.min((chunk + 1) * CHUNK) {
                let (place, at) = (ReplyPlace::new(number), number % CHUNK);
                if movers.get(place).is_empty() {
                    continue;
                }
                let position = places.reply_position(place).expect("where a move leads is legal");
                let mut weight = 0;
                let outcome = |reply: &Position| tablebase.outcome(reply);
                let end = End::new(&position, outcome, |reply| weight += places.weight(reply));
                open[at] = weight + u8::from(end.is_thrown());
                match end.moves_to_mate() {
                    moves if open[at] == 0 => mated.push((moves.unwrap_or(0), place)),
                    Some(moves) => departing.push((at as u16, moves)),
                    None => {}
                }
            }
            Ok((open, departing, mated))
        });
        let chunks: Vec<_> = chunks.collect::<Result<_, Stopped>>()?;
        let mut replied = Self {
            open: Vec::with_capacity(chunks.len() * CHUNK),
            departing: Vec::with_capacity(chunks.len()),
            mated: Vec::new(),
        };
        for (open, departing, mated) in chunks {
            replied.open.extend(open.into_iter().map(AtomicU8::new));
            replied.departing.push(departing);
            replied.mated.extend(mated);
        }
        Ok(replied)
    }

    /// Crosses off the replies that lead to a place that is won in `moves`. Returns the places where none is
    /// left.
    fn cross_off(
        &self,
        places: &PositionNumbers,
        at: PlayerPlace,
        moves: u16,
    ) -> Vec<(u16, ReplyPlace)> {
        let mut lost = Vec::new();
        places.visit_before(at, |before, weight| {
            let number = before.number();
            // Where the policy's moves do not lead, nothing is open.
            if self.open[number].load(Ordering::Relaxed) > 0
                && cross_off(&self.open[number], weight)
            {
                let others = most_after(&self.departing[number / CHUNK], number % CHUNK);
                lost.push((moves.max(others), before));
            }
        });
        lost
    }
}

/// Crosses off an entry with a weight. Returns true if it was the last.
fn cross_off(open: &AtomicU8, weight: u8) -> bool {
    open.fetch_sub(weight, Ordering::Relaxed) == weight
}

/// Returns the most moves to mate after moves at a place into other endgames; 0 if there are none.
fn most_after(departing: &[(u16, u16)], at: usize) -> u16 {
    let found = departing.binary_search_by_key(&at, |&(at, _)| usize::from(at));
    found.map_or(0, |found| departing[found].1)
}

/// Places by moves to mate.
struct Levels<P>(Vec<Vec<P>>);

impl<P: Send> Levels<P> {
    fn add(&mut self, moves: u16, place: P) {
        let moves = usize::from(moves);
        if self.0.len() <= moves {
            self.0.resize_with(moves + 1, Vec::new);
        }
        self.0[moves].push(place);
    }

    fn extend(&mut self, places: impl ParallelIterator<Item = (u16, P)>) {
        for (moves, place) in places.collect::<Vec<_>>() {
            self.add(moves, place);
        }
    }

    /// Removes and returns the places with this many moves to mate.
    fn take(&mut self, moves: u16) -> Vec<P> {
        self.0.get_mut(usize::from(moves)).map(std::mem::take).unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }
}
