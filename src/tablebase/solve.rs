use super::frames::Frames;
use super::{Entry, Index, Outcome, Plies, Table, Tablebase};
use crate::chess::{Bitboard, Material, Position, Side, Step};
use crate::symmetry::Group;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Why a material cannot be solved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// Pawns are not handled.
    #[error("{0} has pawns, which are not handled yet: choose a material of K, Q, R, B and N")]
    Pawns(Material),
}

impl Tablebase {
    /// Solves a material and the smaller ones that its captures lead to.
    ///
    /// # Errors
    /// When the material has pawns.
    pub fn solve(material: Material) -> Result<Self, SolveError> {
        if material.has_pawns() {
            return Err(SolveError::Pawns(material));
        }
        let mut tablebase = Self { material, tables: BTreeMap::new() };
        tablebase.solve_with_smaller(material);
        Ok(tablebase)
    }

    fn solve_with_smaller(&mut self, material: Material) {
        if self.tables.contains_key(&material) {
            return;
        }
        for captured in material.slots().skip(2) {
            self.solve_with_smaller(material.without(captured).0);
        }
        let table = Solver::new(self, material).run();
        self.tables.insert(material, table);
    }
}

/// What a placement looks like from the front, before any quiet move has been followed.
#[derive(Clone, Copy)]
enum Start {
    /// It is no legal position.
    NoPosition,
    /// It can be lost, once all of its quiet moves are.
    Open {
        /// Captures that lose too, but may lose later, are among its moves.
        takes: bool,
    },
    /// It cannot be lost: a capture holds the draw, it is stalemate, or nobody is there to lose to.
    Safe,
    /// It is decided without any quiet move: checkmate, or by captures alone.
    Decided(Plies),
}

/// A set of positions with one side to move: for each frame the squares of the last man.
type Set = Vec<Bitboard>;

/// What is known of the positions with one side to move.
struct Known {
    legal: Set,
    /// Those that cannot be lost: a capture holds or wins, or it is stalemate.
    safe: Set,
    /// Those with a capture that loses.
    takes: Set,
    won: Set,
    lost: Set,
}

/// Retrograde analysis, one ply at a time and for all squares of the last man at once: from the
/// positions that are decided in `n` plies, unmoves lead to those that are decided in `n + 1`. A
/// position is won as soon as one move leads to a loss of the opponent, lost when all of its moves
/// win for the opponent, and drawn when neither has happened at the end.
struct Solver<'a> {
    smaller: &'a Tablebase,
    material: Material,
    frames: Frames,
    entries: [Vec<Entry>; 2],
    known: [Known; 2],
    /// Positions that captures decide, by the ply in which they do.
    by_capture: Vec<[Vec<u32>; 2]>,
}

impl<'a> Solver<'a> {
    fn new(smaller: &'a Tablebase, material: Material) -> Self {
        let frames = Frames::new(Index::new(material, Group::of(material)));
        let empty = || vec![Bitboard::EMPTY; frames.len()];
        let known =
            || Known { legal: empty(), safe: empty(), takes: empty(), won: empty(), lost: empty() };
        let mut solver = Self {
            smaller,
            material,
            known: [known(), known()],
            entries: [Vec::new(), Vec::new()],
            by_capture: vec![[Vec::new(), Vec::new()]; usize::from(Entry::LONGEST) + 2],
            frames,
        };
        let starts: Vec<[Start; 2]> = (0..solver.frames.index().len())
            .into_par_iter()
            .with_min_len(1024)
            .map(|at| solver.start(at))
            .collect();
        for turn in Side::ALL {
            solver.enter(turn, &starts);
        }
        solver
    }

    fn enter(&mut self, turn: Side, starts: &[[Start; 2]]) {
        let known = &mut self.known[turn as usize];
        for (at, start) in starts.iter().enumerate() {
            let start = start[turn as usize];
            if matches!(start, Start::NoPosition) {
                continue;
            }
            if let Start::Decided(plies) = start {
                self.by_capture[usize::from(plies)][turn as usize].push(at as u32);
            }
            for (frame, last) in self.frames.images(at) {
                known.legal[frame] |= last;
                match start {
                    Start::Safe => known.safe[frame] |= last,
                    Start::Decided(plies) if plies % 2 == 1 => known.safe[frame] |= last,
                    Start::Open { takes: true } => known.takes[frame] |= last,
                    _ => {}
                }
            }
        }
        let entry = |start: &[Start; 2]| match start[turn as usize] {
            Start::NoPosition => Entry::NO_POSITION,
            _ => Entry::DRAW,
        };
        self.entries[turn as usize] = starts.iter().map(entry).collect();
    }

    /// Looks at one placement from the front, with either side to move.
    fn start(&self, at: usize) -> [Start; 2] {
        let placement = self.frames.index().placement(at, Side::Strong);
        let dangers = Side::ALL.map(|side| placement.danger(side));
        Side::ALL.map(|turn| {
            if dangers[!turn as usize].has(placement.king(!turn)) {
                return Start::NoPosition;
            }
            let position = placement.with(turn, *placement.squares());
            self.start_position(&position, dangers[turn as usize])
        })
    }

    fn start_position(&self, position: &Position, danger: Bitboard) -> Start {
        let turn = position.turn();
        // Against a bare king there is nothing to lose and nothing to take.
        if self.material.is_bare(!turn) {
            return Start::Safe;
        }
        let mut quiet = false;
        let (mut fastest_win, mut slowest_loss, mut draws) = (None, None, false);
        let occupied = position.occupied();
        position.visit_targets_in(danger, |slot, targets| {
            quiet |= !(targets & !occupied).is_empty();
            for to in targets & occupied {
                let step = Step { slot, to, captured: position.slot_on(to) };
                match self.after_capture(position, step) {
                    Outcome::Win(plies) => {
                        let best = fastest_win.unwrap_or(Plies::MAX);
                        fastest_win = Some(best.min(plies));
                    }
                    Outcome::Draw => draws = true,
                    Outcome::Loss(plies) => slowest_loss = slowest_loss.max(Some(plies)),
                }
            }
        });
        let in_check = danger.has(position.king(turn));
        match (fastest_win, slowest_loss) {
            (Some(plies), _) => Start::Decided(plies),
            _ if draws => Start::Safe,
            (None, takes) if quiet => Start::Open { takes: takes.is_some() },
            (None, Some(plies)) => Start::Decided(plies),
            (None, None) if in_check => Start::Decided(0),
            (None, None) => Start::Safe,
        }
    }

    fn after_capture(&self, position: &Position, step: Step) -> Outcome {
        let outcome = self.smaller.probe(&position.after(step));
        outcome.expect("smaller endgames are solved first").before_move()
    }

    fn run(mut self) -> Table {
        let len = self.frames.len();
        let empty = || vec![Bitboard::EMPTY; len];
        let mut next = [empty(), empty()];
        let mut plies: Plies = 0;
        let mut any = true;
        while any || self.captures_wait(plies) {
            any = false;
            for turn in Side::ALL {
                for at in std::mem::take(&mut self.by_capture[usize::from(plies)][turn as usize]) {
                    for (frame, last) in self.frames.images(at as usize) {
                        next[turn as usize][frame] |= last;
                    }
                }
            }
            let decided = std::mem::replace(&mut next, [empty(), empty()]);
            for (turn, mut decided) in Side::ALL.into_iter().zip(decided) {
                if self.decide(turn, plies, &mut decided) {
                    any = true;
                    let mut before = empty();
                    self.frames.visit_origins(turn, &decided, &mut before);
                    if plies % 2 == 1 {
                        self.keep_lost(!turn, plies + 1, &mut before);
                    }
                    for (next, before) in next[!turn as usize].iter_mut().zip(before) {
                        *next |= before;
                    }
                }
            }
            plies += 1;
        }
        Table { index: self.frames.into_index(), entries: self.entries }
    }

    /// Whether captures decide a position in this ply or later.
    fn captures_wait(&self, plies: Plies) -> bool {
        self.by_capture[usize::from(plies)..].iter().flatten().any(|found| !found.is_empty())
    }

    /// Enters positions that are decided in this ply; false if there are none. Those that are no
    /// positions or were decided in fewer plies are taken out of the set.
    fn decide(&mut self, turn: Side, plies: Plies, decided: &mut Set) -> bool {
        let known = &mut self.known[turn as usize];
        let mut any = false;
        for (frame, decided) in decided.iter_mut().enumerate() {
            *decided &= known.legal[frame] & !known.won[frame] & !known.lost[frame];
            if decided.is_empty() {
                continue;
            }
            any = true;
            if plies % 2 == 1 {
                known.won[frame] |= *decided;
            } else {
                known.lost[frame] |= *decided;
            }
            for last in *decided {
                let at = self.frames.number(frame, last);
                self.entries[turn as usize][at] = Entry::mate_in(plies);
            }
        }
        any
    }

    /// Keeps those of the positions that are lost in this ply, since every quiet move wins for the
    /// opponent; those with a capture that loses later are put off.
    fn keep_lost(&mut self, turn: Side, plies: Plies, candidates: &mut Set) {
        let (own, opponent) = (&self.known[turn as usize], &self.known[!turn as usize]);
        // What need not be feared: positions that the opponent wins, and what is no position.
        let refuted: Set =
            opponent.won.iter().zip(&opponent.legal).map(|(&won, &legal)| won | !legal).collect();
        let frames = &self.frames;
        candidates.par_iter_mut().with_min_len(64).enumerate().for_each(|(frame, candidates)| {
            *candidates &= own.legal[frame] & !own.safe[frame] & !own.won[frame] & !own.lost[frame];
            if !candidates.is_empty() {
                *candidates = frames.all_moves_in(turn, frame, *candidates, &refuted);
            }
        });
        let mut put_off = Vec::new();
        for (frame, candidates) in candidates.iter_mut().enumerate() {
            for last in *candidates & own.takes[frame] {
                let at = self.frames.number(frame, last);
                let slowest = self.slowest_losing_capture(at, turn);
                if slowest > plies {
                    *candidates ^= last.bitboard();
                    put_off.push((slowest, at as u32));
                }
            }
        }
        for (slowest, at) in put_off {
            self.by_capture[usize::from(slowest)][turn as usize].push(at);
        }
    }

    fn slowest_losing_capture(&self, at: usize, turn: Side) -> Plies {
        let position = self.frames.index().placement(at, turn);
        let mut slowest = 0;
        position.visit_steps(|step| {
            if step.captured.is_some() {
                slowest = slowest.max(match self.after_capture(&position, step) {
                    Outcome::Loss(plies) => plies,
                    Outcome::Win(_) | Outcome::Draw => 0,
                });
            }
        });
        slowest
    }
}
