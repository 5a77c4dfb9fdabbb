//! The trial of a strategy: it determines whether the strategy wins, and how fast. Positions are visited
//! depth first, beginning with those that refuted most recently.

use super::move_rows::PositionId;
use super::move_table::{BeforeRules, MoveTable};
use super::selection::{SelectMoves, empty_row};
use lucena_base::index_vec::Stamps;

/// The number of recently refuting positions that are tried first.
const SUSPECTS: usize = 48;

/// The greatest depth to which games are followed.
pub(super) const DEEPEST: u16 = 2_000;

/// Marks a position on the current path, or a lost one.
const ON_THE_WAY: u16 = u16::MAX;

/// The score of a strategy that wins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Score {
    pub(super) longest: u16,
    /// Moves over the optimum, summed over the won positions of the full board.
    pub(super) excess: u64,
}

/// Tries strategies one after the other on the same move table.
pub(super) struct Trial<'g> {
    table: &'g MoveTable,
    /// The positions that the current strategy has reached.
    reached: Stamps<PositionId>,
    /// The moves to mate from each of them.
    pub(super) moves: Vec<u16>,
    suspects: Vec<PositionId>,
    /// Positions by decreasing moves to mate: a strategy that takes too long is rejected early.
    order: Vec<PositionId>,
    most_moves: u16,
}

/// The position that showed that a strategy does not win.
struct Counterexample(PositionId);

impl<'g> Trial<'g> {
    pub(super) fn new(table: &'g MoveTable) -> Self {
        let mut order: Vec<PositionId> = (0..table.len() as u32).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(table.optimum[at as usize]));
        Self {
            table,
            reached: Stamps::new(table.len()),
            moves: vec![0; table.len()],
            suspects: Vec::new(),
            order,
            most_moves: 0,
        }
    }

    /// Returns the score of a strategy that wins every position within `most_moves`, if its excess does not
    /// exceed `most_excess`; otherwise `None`.
    pub(super) fn score(
        &mut self,
        strategy: &mut impl SelectMoves,
        most_moves: u16,
        most_excess: u64,
    ) -> Option<Score> {
        self.most_moves = most_moves;
        self.reached.clear();
        for place in 0..self.suspects.len() {
            let at = self.suspects[place];
            if let Err(Counterexample(found)) = self.look(strategy, at, 0) {
                suspect(&mut self.suspects, found);
                return None;
            }
        }
        let mut score = Score { longest: 0, excess: 0 };
        for place in 0..self.order.len() {
            let at = self.order[place];
            match self.look(strategy, at, 0) {
                Err(Counterexample(found)) => {
                    suspect(&mut self.suspects, found);
                    return None;
                }
                Ok(moves) => {
                    let (optimum, weight) =
                        (self.table.optimum[at as usize], self.table.weights[at as usize]);
                    score.longest = score.longest.max(moves);
                    score.excess += u64::from(moves.saturating_sub(optimum)) * u64::from(weight);
                    if score.excess > most_excess {
                        return None;
                    }
                }
            }
        }
        Some(score)
    }

    /// Returns the position that refuted last.
    pub(super) fn refuter(&self) -> Option<PositionId> {
        self.suspects.first().copied()
    }

    /// Returns the moves to mate from a position. Lost positions keep the mark [`ON_THE_WAY`]: if play can
    /// come back to the path or reach a lost position, all positions on the path are lost.
    fn look(
        &mut self,
        strategy: &mut impl SelectMoves,
        at: PositionId,
        depth: u16,
    ) -> Result<u16, Counterexample> {
        let place = at as usize;
        if !self.reached.insert(at) {
            let moves = self.moves[place];
            return if moves == ON_THE_WAY || depth + moves > self.most_moves {
                Err(Counterexample(at))
            } else {
                Ok(moves)
            };
        }
        let table = self.table;
        self.moves[place] = ON_THE_WAY;
        let moves = match table.given[place] {
            BeforeRules::Lost => return Err(Counterexample(at)),
            BeforeRules::Won(moves) => moves,
            BeforeRules::Rules => {
                let mut set = empty_row();
                let length = strategy.select(table, at, &mut set);
                let set = &set[..length];
                if table.throws(at, set) || depth >= self.most_moves {
                    return Err(Counterexample(at));
                }
                let mut worst = 0;
                for after in table.after_each(at, set) {
                    for &reply in table.replies.get(after) {
                        worst = worst.max(self.look(strategy, reply, depth + 1)?);
                    }
                }
                worst + 1
            }
        };
        if depth + moves > self.most_moves {
            return Err(Counterexample(at));
        }
        self.moves[place] = moves;
        Ok(moves)
    }
}

/// Moves a position to the front of those that are tried first.
pub(super) fn suspect(suspects: &mut Vec<PositionId>, at: PositionId) {
    suspects.retain(|&suspect| suspect != at);
    suspects.truncate(SUSPECTS - 1);
    suspects.insert(0, at);
}
