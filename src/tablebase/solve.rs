//! Solving: from the mates backwards, ply by ply.

use super::frames::Frames;
use super::{Entry, Index, Outcome, Plies, Table, Tablebase};
use crate::chess::{Bitboard, Material, Position, Side, Square};
use crate::symmetry::Group;
use crate::work::{Stopped, Watch};
use rayon::prelude::*;

/// The table of a material, from those of all that it leads to.
///
/// # Errors
/// When the work is stopped.
pub(super) fn solve_table(
    smaller: &Tablebase,
    material: Material,
    watch: &dyn Watch,
) -> Result<Table, Stopped> {
    Solver::new(smaller, material, watch)?.run()
}

/// A material and all that it leads to, so that the materials of a level lead to earlier levels
/// only.
pub(super) fn levels(material: Material) -> Vec<Vec<Material>> {
    let mut levels: Vec<Vec<Material>> = Vec::new();
    let key = |material: &Material| (material.men(), material.pawns());
    for material in material.and_following() {
        match levels.last_mut() {
            Some(level) if key(&level[0]) == key(&material) => level.push(material),
            _ => levels.push(vec![material]),
        }
    }
    levels
}

/// A set of positions with one side to move: for each frame the squares of the last man.
type Set = Vec<Bitboard>;

/// A position: its frame and the square of its last man.
type At = (usize, Square);

/// What is known of the positions with one side to move.
struct Known {
    legal: Set,
    /// Those that cannot be lost: a move that leaves the material holds or wins, or it is stalemate.
    safe: Set,
    /// Those with a move that leaves the material and loses.
    departs: Set,
    won: Set,
    lost: Set,
    /// Those with a double step after which the pawn can be taken in passing, as long as this step
    /// is not known to lose.
    passes: Set,
    /// By frame and square of the last man.
    entries: Vec<[Entry; 64]>,
}

/// What is seen of a frame from the front, with one side to move.
#[derive(Default)]
struct FrameStart {
    legal: Bitboard,
    safe: Bitboard,
    departs: Bitboard,
    passes: Bitboard,
    /// What is decided without any move that keeps the material: by departures or as checkmate.
    decided: Vec<(Square, Plies)>,
    passings: Vec<Passing>,
}

/// A double step after which the pawn can be taken in passing.
struct Passing {
    before: At,
    after: At,
    /// The plies in which taking it wins.
    taken: Option<Plies>,
}

impl Known {
    fn new(starts: &[FrameStart]) -> Self {
        let set = |of: fn(&FrameStart) -> Bitboard| -> Set { starts.iter().map(of).collect() };
        let entries = |start: &FrameStart| {
            let mut entries = [Entry::NO_POSITION; 64];
            for last in start.legal {
                entries[last as usize] = Entry::DRAW;
            }
            entries
        };
        Self {
            legal: set(|start| start.legal),
            safe: set(|start| start.safe),
            departs: set(|start| start.departs),
            won: set(|_| Bitboard::EMPTY),
            lost: set(|_| Bitboard::EMPTY),
            passes: set(|start| start.passes),
            entries: starts.par_iter().map(entries).collect(),
        }
    }

    /// Enters positions that are decided in this ply; false if there are none. Those that are no
    /// positions or were decided in fewer plies are taken out of the set.
    fn decide(&mut self, plies: Plies, decided: &mut Set) -> bool {
        let is_win = plies % 2 == 1;
        let (own, other) =
            if is_win { (&mut self.won, &self.lost) } else { (&mut self.lost, &self.won) };
        (decided, own, other, &self.legal, &mut self.entries)
            .into_par_iter()
            .with_min_len(256)
            .map(|(decided, own, other, legal, entries)| {
                *decided &= *legal & !*other & !*own;
                *own |= *decided;
                for last in *decided {
                    entries[last as usize] = Entry::mate_in(plies);
                }
                !decided.is_empty()
            })
            .reduce(|| false, |one, other| one | other)
    }
}

/// Retrograde analysis, one ply at a time and for all squares of the last man at once: from the
/// positions that are decided in `n` plies, unmoves lead to those that are decided in `n + 1`. A
/// position is won as soon as one move leads to a loss of the opponent, lost when all of its moves
/// win for the opponent, and drawn when neither has happened at the end. Moves that leave the
/// material are looked up beforehand.
struct Solver<'a> {
    smaller: &'a Tablebase,
    frames: Frames,
    known: [Known; 2],
    /// Positions that moves out of the material decide, by the ply in which they do.
    due: Vec<[Vec<At>; 2]>,
    passings: [Vec<Passing>; 2],
    watch: &'a dyn Watch,
}

impl<'a> Solver<'a> {
    fn new(
        smaller: &'a Tablebase,
        material: Material,
        watch: &'a dyn Watch,
    ) -> Result<Self, Stopped> {
        let frames = Frames::new(Index::new(material, Group::of(material)));
        let starts: Vec<[FrameStart; 2]> = (0..frames.len())
            .into_par_iter()
            .with_min_len(16)
            .map(|frame| watch.go_on().map(|()| start(smaller, &frames, frame)))
            .collect::<Result<_, Stopped>>()?;
        let mut due = vec![[Vec::new(), Vec::new()]; usize::from(Entry::LONGEST) + 2];
        let mut passings = [Vec::new(), Vec::new()];
        let (mut strong, mut weak) = (Vec::new(), Vec::new());
        for (frame, starts) in starts.into_iter().enumerate() {
            let [one, other] = starts;
            for (turn, mut start) in Side::ALL.into_iter().zip([one, other]) {
                for (last, plies) in std::mem::take(&mut start.decided) {
                    due[usize::from(plies)][turn as usize].push((frame, last));
                }
                passings[turn as usize].append(&mut start.passings);
                match turn {
                    Side::Strong => strong.push(start),
                    Side::Weak => weak.push(start),
                }
            }
        }
        let known = [Known::new(&strong), Known::new(&weak)];
        Ok(Self { smaller, known, due, passings, frames, watch })
    }

    fn run(mut self) -> Result<Table, Stopped> {
        let mut next = [self.empty(), self.empty()];
        let mut plies: Plies = 0;
        let mut any = true;
        while any || self.is_due(plies) {
            self.watch.go_on()?;
            for (next, due) in next.iter_mut().zip(&mut self.due[usize::from(plies)]) {
                for (frame, last) in std::mem::take(due) {
                    next[frame] |= last.bitboard();
                }
            }
            let mut decided = std::mem::replace(&mut next, [self.empty(), self.empty()]);
            any = false;
            let mut reached = [Vec::new(), Vec::new()];
            for (known, decided) in self.known.iter_mut().zip(&mut decided) {
                any |= known.decide(plies, decided);
            }
            if plies % 2 == 1 {
                reached = Side::ALL.map(|turn| self.settle_passings(turn, plies));
            }
            let [strong, weak] = &reached;
            let (after_strong, after_weak) = rayon::join(
                || self.before(Side::Strong, plies, &decided[Side::Strong as usize], weak),
                || self.before(Side::Weak, plies, &decided[Side::Weak as usize], strong),
            );
            for (turn, (before, put_off)) in
                [(Side::Weak, after_strong), (Side::Strong, after_weak)]
            {
                for (at, slowest) in put_off {
                    self.due[usize::from(slowest)][turn as usize].push(at);
                }
                next[turn as usize] = before;
            }
            plies += 1;
        }
        Ok(self.into_table())
    }

    fn empty(&self) -> Set {
        vec![Bitboard::EMPTY; self.frames.len()]
    }

    /// Whether moves out of the material decide a position in this ply or later.
    fn is_due(&self, plies: Plies) -> bool {
        self.due[usize::from(plies)..].iter().flatten().any(|found| !found.is_empty())
    }

    /// The positions whose double step is known to lose by now, though the pawn may be taken in
    /// passing, or because it is.
    fn settle_passings(&mut self, turn: Side, plies: Plies) -> Vec<At> {
        let mut settled = Vec::new();
        let [own, opponent] = {
            let [strong, weak] = &mut self.known;
            match turn {
                Side::Strong => [strong, weak],
                Side::Weak => [weak, strong],
            }
        };
        self.passings[turn as usize].retain(|passing| {
            let (frame, last) = passing.after;
            let loses =
                opponent.won[frame].has(last) || passing.taken.is_some_and(|taken| taken <= plies);
            if loses {
                let (frame, last) = passing.before;
                own.passes[frame] &= !last.bitboard();
                settled.push(passing.before);
            }
            !loses
        });
        settled
    }

    /// The positions that those decided in this ply, `turn` to move, decide in the next; and those
    /// that are lost later, with the ply, since a move out of the material lasts longer.
    fn before(
        &self,
        turn: Side,
        plies: Plies,
        decided: &[Bitboard],
        passed: &[At],
    ) -> (Set, Vec<(At, Plies)>) {
        // Each part has a set of its own to write to.
        let part = decided.len().div_ceil(rayon::current_num_threads()).max(1);
        let either = |mut one: Set, other: Set| {
            one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
            one
        };
        let mut before = decided
            .par_chunks(part)
            .enumerate()
            .filter(|(_, decided)| decided.iter().any(|set| !set.is_empty()))
            .map(|(number, decided)| {
                let mut before = self.empty();
                for (frame, &set) in (number * part..).zip(decided) {
                    if !set.is_empty() {
                        self.frames.visit_origins(turn, frame, set, &mut before);
                    }
                }
                before
            })
            .reduce_with(either)
            .unwrap_or_else(|| self.empty());
        let mut put_off = Vec::new();
        if plies % 2 == 1 {
            for &(frame, last) in passed {
                before[frame] |= last.bitboard();
            }
            self.keep_lost(!turn, plies + 1, &mut before, &mut put_off);
        }
        (before, put_off)
    }

    /// Keeps those of the positions that are lost in this ply, since every move wins for the
    /// opponent; those with a move out of the material that loses later are put off.
    fn keep_lost(
        &self,
        turn: Side,
        plies: Plies,
        candidates: &mut Set,
        put_off: &mut Vec<(At, Plies)>,
    ) {
        let (own, opponent) = (&self.known[turn as usize], &self.known[!turn as usize]);
        // What need not be feared: positions that the opponent wins, and what is no position.
        let refuted: Set =
            opponent.won.iter().zip(&opponent.legal).map(|(&won, &legal)| won | !legal).collect();
        candidates.par_iter_mut().with_min_len(64).enumerate().for_each(|(frame, candidates)| {
            let decided = own.won[frame] | own.lost[frame];
            *candidates &= own.legal[frame] & !own.safe[frame] & !decided & !own.passes[frame];
            if !candidates.is_empty() {
                *candidates = self.frames.all_moves_in(turn, frame, *candidates, &refuted);
            }
        });
        for (frame, candidates) in candidates.iter_mut().enumerate() {
            for last in *candidates & own.departs[frame] {
                let position = self.frames.placement(frame, last, turn);
                let slowest = slowest_departure(self.smaller, &position);
                if slowest > plies {
                    *candidates ^= last.bitboard();
                    put_off.push(((frame, last), slowest));
                }
            }
        }
    }

    fn into_table(self) -> Table {
        // Pair by pair of the kings' squares, as the index goes.
        let pairs: Vec<[Vec<Entry>; 2]> = self
            .frames
            .index()
            .pairs()
            .par_iter()
            .map(|pair| {
                let placements = self.frames.placements_of(pair);
                Side::ALL.map(|turn| {
                    let entries = &self.known[turn as usize].entries;
                    let entry = |at: &Option<At>| match *at {
                        Some((frame, last)) => entries[frame][last as usize],
                        // Bare kings.
                        None => Entry::DRAW,
                    };
                    placements.iter().map(entry).collect()
                })
            })
            .collect();
        let mut entries = [Vec::new(), Vec::new()];
        for pair in pairs {
            for (entries, part) in entries.iter_mut().zip(pair) {
                entries.extend(part);
            }
        }
        Table { index: self.frames.into_index(), entries }
    }
}

/// Looks at a frame from the front, with either side to move.
fn start(smaller: &Tablebase, frames: &Frames, frame: usize) -> [FrameStart; 2] {
    let mut starts = [FrameStart::default(), FrameStart::default()];
    for last in frames.places(frame) {
        let placement = frames.placement(frame, last, Side::Strong);
        let dangers = Side::ALL.map(|side| placement.danger(side));
        for turn in Side::ALL {
            if dangers[!turn as usize].has(placement.king(!turn)) {
                continue;
            }
            let position = placement.with(turn, *placement.squares());
            let start = &mut starts[turn as usize];
            start.legal |= last.bitboard();
            start.enter(smaller, frames, (frame, last), &position, dangers[turn as usize]);
        }
    }
    starts
}

impl FrameStart {
    fn enter(
        &mut self,
        smaller: &Tablebase,
        frames: &Frames,
        at: At,
        position: &Position,
        danger: Bitboard,
    ) {
        let (material, turn, last) = (position.material(), position.turn(), at.1);
        let has_pawns = material.has_pawns_of(turn);
        if material.is_bare(!turn) && !has_pawns {
            // There is nothing to lose and nothing to take.
            self.safe |= last.bitboard();
            return;
        }
        let (mut fastest_win, mut slowest_loss, mut draws): (Option<Plies>, Option<Plies>, bool) =
            (None, None, false);
        let stays = position.visit_departures(danger, |step| {
            match smaller.after_departure(position, step) {
                Outcome::Win(plies) => {
                    fastest_win = Some(fastest_win.map_or(plies, |least| least.min(plies)));
                }
                Outcome::Draw => draws = true,
                Outcome::Loss(plies) => slowest_loss = slowest_loss.max(Some(plies)),
            }
        });
        let in_check = danger.has(position.king(turn));
        let decided = match (fastest_win, slowest_loss) {
            (Some(plies), _) => Some(plies),
            (None, Some(plies)) if !stays && !draws => Some(plies),
            (None, None) if !stays && !draws && in_check => Some(0),
            _ => None,
        };
        match decided {
            Some(plies) => self.decided.push((last, plies)),
            None if !stays => self.safe |= last.bitboard(),
            None => {}
        }
        if fastest_win.is_some() || draws {
            self.safe |= last.bitboard();
        } else if slowest_loss.is_some() {
            self.departs |= last.bitboard();
        }
        if stays && has_pawns && material.has_pawns_of(!turn) {
            self.enter_passings(smaller, frames, at, position);
        }
    }

    fn enter_passings(
        &mut self,
        smaller: &Tablebase,
        frames: &Frames,
        before: At,
        position: &Position,
    ) {
        position.visit_steps(|step| {
            if step.departs() {
                return;
            }
            let after = position.after(step);
            let Some(passed) = after.en_passant() else { return };
            let mut taken = None;
            after.visit_steps(|step| {
                if step.captured.is_some() && step.to == passed {
                    taken = match smaller.after_departure(&after, step) {
                        Outcome::Win(plies) => Some(plies),
                        // The other side is left with its king alone, so it cannot win.
                        Outcome::Draw | Outcome::Loss(_) => None,
                    };
                }
            });
            self.passes |= before.1.bitboard();
            self.passings.push(Passing { before, after: frames.at(&after), taken });
        });
    }
}

/// The plies of the slowest loss among the moves of a position that leave the material.
fn slowest_departure(smaller: &Tablebase, position: &Position) -> Plies {
    let mut slowest = 0;
    position.visit_departures(position.danger(position.turn()), |step| {
        if let Outcome::Loss(plies) = smaller.after_departure(position, step) {
            slowest = slowest.max(plies);
        }
    });
    slowest
}
