use super::{Entry, Index, Outcome, Plies, Table, Tablebase};
use crate::chess::{Material, Position, Side};
use crate::symmetry::Group;
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
    /// Whether a capture holds the draw at least, so that the position cannot be lost.
    safe: bool,
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
    /// Positions by the ply in which they are decided. Captures fill it ahead of time.
    decided: Vec<Vec<(Side, u32)>>,
}

impl<'a> Solver<'a> {
    fn new(smaller: &'a Tablebase, material: Material) -> Self {
        let index = Index::new(material, Group::of(material));
        let none = Open { quiet: 0, safe: true };
        let mut solver = Self {
            smaller,
            material,
            entries: [vec![Entry::NO_POSITION; index.len()], vec![Entry::NO_POSITION; index.len()]],
            open: [vec![none; index.len()], vec![none; index.len()]],
            decided: vec![Vec::new(); usize::from(Entry::LONGEST) + 2],
            index,
        };
        for at in 0..solver.index.len() {
            for turn in Side::ALL {
                solver.start(at, turn);
            }
        }
        solver
    }

    /// Looks at one placement from the front: is it legal, is it over, what do captures give?
    fn start(&mut self, at: usize, turn: Side) {
        let Some(position) = self.index.position(at, turn) else {
            return;
        };
        self.entries[turn as usize][at] = Entry::DRAW;
        // Against a bare king there is nothing to lose and nothing to take, and a position that
        // cannot be lost needs no count of its moves.
        if self.material.is_bare(!turn) {
            return;
        }
        let (mut moves, mut safe) = (0, false);
        let (mut fastest_win, mut slowest_loss): (Option<Plies>, Plies) = (None, 0);
        let mut quiet = arrayvec::ArrayVec::<u32, 64>::new();
        position.visit_steps(|step| {
            moves += 1;
            let after = position.after(step);
            if step.captured.is_none() {
                quiet.push(self.index.of_squares(after.squares()) as u32);
                return;
            }
            let outcome = self.smaller.probe(&after).expect("smaller endgames are solved first");
            match outcome.before_move() {
                Outcome::Win(plies) => {
                    fastest_win = Some(fastest_win.map_or(plies, |best| best.min(plies)));
                }
                Outcome::Draw => safe = true,
                Outcome::Loss(plies) => slowest_loss = slowest_loss.max(plies),
            }
        });
        quiet.sort_unstable();
        let repeated = quiet.windows(2).filter(|pair| pair[0] == pair[1]).count();
        let quiet = (quiet.len() - repeated) as u8;

        if let Some(plies) = fastest_win {
            self.decided[usize::from(plies)].push((turn, at as u32));
            safe = true;
        } else if moves == 0 {
            if position.is_check() {
                self.decided[0].push((turn, at as u32));
            }
            safe = true;
        } else if quiet == 0 && !safe {
            self.decided[usize::from(slowest_loss)].push((turn, at as u32));
        }
        self.open[turn as usize][at] = Open { quiet, safe };
    }

    fn run(mut self) -> Table {
        for plies in 0..=Entry::LONGEST {
            for (turn, at) in std::mem::take(&mut self.decided[usize::from(plies)]) {
                let entry = &mut self.entries[turn as usize][at as usize];
                // A position may have been entered for a slower win as well.
                if *entry == Entry::DRAW {
                    *entry = Entry::mate_in(plies);
                    self.propagate(at as usize, turn, plies);
                }
            }
        }
        Table { index: self.index, entries: self.entries }
    }

    /// Follows the unmoves of a position that is decided in `plies`.
    fn propagate(&mut self, at: usize, turn: Side, plies: Plies) {
        let position = self.index.placement(at, turn);
        let lost = plies % 2 == 0;
        if lost {
            self.visit_predecessors(&position, |solver, before| {
                if solver.entries[!turn as usize][before] == Entry::DRAW {
                    solver.decided[usize::from(plies) + 1].push((!turn, before as u32));
                }
            });
        } else if !self.material.is_bare(turn) {
            let mut seen = arrayvec::ArrayVec::<usize, 64>::new();
            self.visit_predecessors(&position, |_, before| {
                if !seen.contains(&before) {
                    seen.push(before);
                }
            });
            for before in seen {
                self.close_move(before, !turn, plies + 1);
            }
        }
    }

    fn visit_predecessors(&mut self, position: &Position, mut visit: impl FnMut(&mut Self, usize)) {
        let king_moves = cozy_chess::get_king_moves(position.squares()[0]);
        position.visit_unsteps(|slot, to| {
            let mut squares = *position.squares();
            squares[slot] = to;
            let kings_apart = match slot {
                0 => !cozy_chess::get_king_moves(to).has(squares[1]),
                1 => !king_moves.has(to),
                _ => true,
            };
            if kings_apart {
                visit(self, self.index.of_squares(&squares));
            }
        });
    }

    /// One more quiet move of a position has turned out to lose in `plies`.
    fn close_move(&mut self, at: usize, turn: Side, plies: Plies) {
        if self.entries[turn as usize][at] == Entry::NO_POSITION {
            return;
        }
        let open = &mut self.open[turn as usize][at];
        open.quiet -= 1;
        if open.quiet == 0 && !open.safe {
            // The slowest move decides, and a capture may be slower than the last quiet move.
            let slowest_capture = self.slowest_losing_capture(at, turn);
            self.decided[usize::from(plies.max(slowest_capture))].push((turn, at as u32));
        }
    }

    fn slowest_losing_capture(&self, at: usize, turn: Side) -> Plies {
        let position = self.index.placement(at, turn);
        let mut slowest = 0;
        position.visit_steps(|step| {
            if step.captured.is_some() {
                let outcome = self.smaller.probe(&position.after(step));
                if let Ok(Outcome::Loss(plies)) = outcome.map(Outcome::before_move) {
                    slowest = slowest.max(plies);
                }
            }
        });
        slowest
    }
}
