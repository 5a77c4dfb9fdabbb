use super::{Entry, Index, Outcome, Plies, Table, Tablebase};
use crate::chess::{Bitboard, Material, Position, Side, Slot, Square, Squares, Step};
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

/// What is known of the moves of a position that has no entry yet.
#[derive(Clone, Copy)]
struct Open {
    /// Quiet moves whose positions are not yet known to be won for the opponent. Two moves to one
    /// orbit count once, as they do when the orbit's unmoves are followed back.
    quiet: u8,
    /// Whether the position cannot be lost: a capture holds the draw at least, it is stalemate, or
    /// there is nobody to lose to.
    safe: bool,
}

/// What a placement looks like from the front.
struct Start {
    entry: Entry,
    open: Open,
    /// The ply in which it is decided without any quiet move, if it is.
    decided: Option<Plies>,
}

impl Open {
    const SAFE: Self = Self { quiet: 0, safe: true };
}

impl Start {
    const NO_POSITION: Self = Self { entry: Entry::NO_POSITION, open: Open::SAFE, decided: None };
}

/// Retrograde analysis, one ply at a time: from the positions that are decided in `n` plies,
/// unmoves lead to those that are decided in `n + 1`. A position is won as soon as one move leads
/// to a loss of the opponent, lost when the last of its moves has turned out to win for the
/// opponent, and drawn when neither has happened at the end.
struct Solver<'a> {
    smaller: &'a Tablebase,
    material: Material,
    index: Index,
    entries: [Vec<Entry>; 2],
    open: [Vec<Open>; 2],
    /// For the squares of all men but the last, those of the last man with which the position is
    /// legal and not decided, its owner being to move. Most of what sliding unmoves lead to was decided long ago; this says
    /// so for all of them at once.
    undecided: Vec<Bitboard>,
    /// Positions by the ply in which they are decided. Captures fill it ahead of time.
    decided: Vec<Vec<(Side, u32)>>,
}

/// Fewer positions are not worth another thread.
const PARALLEL_POSITIONS: usize = 256;

impl<'a> Solver<'a> {
    fn new(smaller: &'a Tablebase, material: Material) -> Self {
        let index = Index::new(material, Group::of(material));
        let mut solver = Self {
            smaller,
            material,
            index,
            entries: [Vec::new(), Vec::new()],
            open: [Vec::new(), Vec::new()],
            undecided: vec![Bitboard::EMPTY; 64_usize.pow(material.men() as u32 - 1)],
            decided: vec![Vec::new(); usize::from(Entry::LONGEST) + 2],
        };
        let starts: Vec<[Start; 2]> = (0..solver.index.len())
            .into_par_iter()
            .with_min_len(PARALLEL_POSITIONS)
            .map(|at| solver.start(at))
            .collect();
        for turn in Side::ALL {
            let side = turn as usize;
            for (at, start) in starts.iter().enumerate() {
                let start = &start[side];
                if start.entry == Entry::DRAW && turn == solver.owner_of_last() {
                    let (block, last) = solver.block(solver.index.placement(at, turn).squares());
                    solver.undecided[block] |= last.bitboard();
                }
                if let Some(plies) = start.decided {
                    solver.decided[usize::from(plies)].push((turn, at as u32));
                }
            }
            solver.entries[side] = starts.iter().map(|start| start[side].entry).collect();
            solver.open[side] = starts.iter().map(|start| start[side].open).collect();
        }
        solver
    }

    /// Looks at one placement from the front, with either side to move.
    fn start(&self, at: usize) -> [Start; 2] {
        let placement = self.index.placement(at, Side::Strong);
        let dangers = Side::ALL.map(|side| placement.danger(side));
        Side::ALL.map(|turn| {
            let other = placement.king(!turn);
            if dangers[!turn as usize].has(other) {
                return Start::NO_POSITION;
            }
            self.start_position(&placement.with(turn, *placement.squares()), dangers[turn as usize])
        })
    }

    /// Is a position over, what do captures give, and what is left to be found out?
    fn start_position(&self, position: &Position, danger: Bitboard) -> Start {
        let turn = position.turn();
        // Against a bare king there is nothing to lose and nothing to take.
        if self.material.is_bare(!turn) {
            return Start { entry: Entry::DRAW, open: Open::SAFE, decided: None };
        }
        let mut quiet = 0;
        let (mut fastest_win, mut slowest_loss, mut draws) = (None, None, false);
        let occupied = position.occupied();
        position.visit_targets_in(danger, |slot, targets| {
            quiet += (targets & !occupied).len() as u8;
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
        if moves_can_coincide(position) {
            quiet = self.distinct_quiet_moves(position);
        }
        let over = quiet == 0 && fastest_win.is_none() && slowest_loss.is_none() && !draws;
        let stalemate = over && !danger.has(position.king(turn));
        let is_safe = draws || fastest_win.is_some() || stalemate;
        let decided = match (fastest_win, quiet) {
            (Some(plies), _) => Some(plies),
            // Checkmate, or only captures that lose.
            (None, 0) if !is_safe => Some(slowest_loss.unwrap_or(0)),
            (None, _) => None,
        };
        Start { entry: Entry::DRAW, open: Open { quiet, safe: is_safe }, decided }
    }

    fn after_capture(&self, position: &Position, step: Step) -> Outcome {
        let outcome = self.smaller.probe(&position.after(step));
        outcome.expect("smaller endgames are solved first").before_move()
    }

    fn distinct_quiet_moves(&self, position: &Position) -> u8 {
        let mut numbers = arrayvec::ArrayVec::<u32, 64>::new();
        position.visit_steps(|step| {
            let number = self.number_with(position, step.slot, step.to);
            if step.captured.is_none() && !numbers.contains(&number) {
                numbers.push(number);
            }
        });
        numbers.len() as u8
    }

    /// The number of the placement with one man on another square.
    #[inline(always)]
    fn number_with(&self, position: &Position, slot: Slot, square: Square) -> u32 {
        let mut squares = *position.squares();
        squares[slot] = square;
        self.index.of_squares(&squares) as u32
    }

    fn run(mut self) -> Table {
        for plies in 0..=Entry::LONGEST {
            let mut level = std::mem::take(&mut self.decided[usize::from(plies)]);
            level.retain(|&(turn, at)| {
                // It may be here more than once, or have been decided in fewer plies.
                let is_new = self.entries[turn as usize][at as usize] == Entry::DRAW;
                if is_new {
                    self.decide(turn, at, plies);
                }
                is_new
            });
            let before = self.undecided_before_level(&level);
            for (turn, at) in before.into_iter().flatten() {
                if plies % 2 == 0 {
                    self.decided[usize::from(plies) + 1].push((turn, at));
                } else {
                    self.close_move(at as usize, turn, plies + 1);
                }
            }
        }
        Table { index: self.index, entries: self.entries }
    }

    /// The undecided positions that have a move to one of a level; one for each that it leads to.
    fn undecided_before_level(&self, level: &[(Side, u32)]) -> Vec<Vec<(Side, u32)>> {
        let before = |level: &[(Side, u32)]| {
            let mut before = Vec::new();
            for &(turn, at) in level {
                self.undecided_before(at, turn, &mut before);
            }
            before
        };
        if level.len() < PARALLEL_POSITIONS {
            vec![before(level)]
        } else {
            level.par_chunks(PARALLEL_POSITIONS).map(before).collect()
        }
    }

    /// Appends the undecided positions that have a move to this one, each once.
    fn undecided_before(&self, at: u32, turn: Side, before: &mut Vec<(Side, u32)>) {
        let position = self.index.placement(at as usize, turn);
        let entries = &self.entries[!turn as usize];
        let squares = position.squares();
        let last = self.material.men() - 1;
        let first = before.len();
        let can_coincide = moves_can_coincide(&position);
        position.visit_origins(|slot, mut origins| {
            if slot == last && !self.index.is_undecided(squares) {
                origins &= self.undecided[self.block(squares).0];
            }
            for to in origins {
                let kings_touch = slot < 2 && cozy_chess::get_king_moves(to).has(squares[1 - slot]);
                if kings_touch {
                    continue;
                }
                let found = (!turn, self.number_with(&position, slot, to));
                let again = can_coincide && before[first..].contains(&found);
                if entries[found.1 as usize] == Entry::DRAW && !again {
                    before.push(found);
                }
            }
        });
    }

    fn owner_of_last(&self) -> Side {
        self.material.side(self.material.men() - 1)
    }

    /// The place of a placement in [`Solver::undecided`], a number for the squares of all men but
    /// the last, and the square of the last.
    fn block(&self, squares: &Squares) -> (usize, Square) {
        let (last, others) = squares[..self.material.men()].split_last().expect("there are kings");
        (others.iter().fold(0, |number, &square| number * 64 + square as usize), *last)
    }

    fn decide(&mut self, turn: Side, at: u32, plies: Plies) {
        self.entries[turn as usize][at as usize] = Entry::mate_in(plies);
        if turn == self.owner_of_last() {
            let (block, last) = self.block(self.index.placement(at as usize, turn).squares());
            self.undecided[block] ^= last.bitboard();
        }
    }

    /// One more quiet move of a position has turned out to lose in `plies`.
    fn close_move(&mut self, at: usize, turn: Side, plies: Plies) {
        let open = &mut self.open[turn as usize][at];
        if open.safe {
            return;
        }
        open.quiet -= 1;
        if open.quiet == 0 {
            // The slowest move decides, and a capture may be slower than the last quiet move.
            let slowest = plies.max(self.slowest_losing_capture(at, turn));
            self.decided[usize::from(slowest)].push((turn, at as u32));
        }
    }

    fn slowest_losing_capture(&self, at: usize, turn: Side) -> Plies {
        let position = self.index.placement(at, turn);
        let mut slowest = 0;
        position.visit_steps(|step| {
            if step.captured.is_some() {
                if let Outcome::Loss(plies) = self.after_capture(&position, step) {
                    slowest = slowest.max(plies);
                }
            }
        });
        slowest
    }
}

/// Whether two quiet moves can lead to one orbit: only where a mirror image leaves all men but the
/// one that moves where they are, and no man stays where it is but on a diagonal.
fn moves_can_coincide(position: &Position) -> bool {
    const DIAGONALS: [u64; 2] = [0x8040_2010_0804_0201, 0x0102_0408_1020_4080];
    let men = position.material().men() as u32;
    DIAGONALS.iter().any(|diagonal| (position.occupied().0 & diagonal).count_ones() + 1 >= men)
}
