use super::Guarantee;
use super::game::{AVOID, Mark};
use super::sketch::TestNumber;
use crate::attributes::{AttributeSet, Depth};
use crate::chess::{Material, Position, Side};
use crate::symmetry::Group;
use crate::tablebase::{Index, Outcome, Tablebase};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of a canonical position that the strong side can move to: weak side to move.
pub(super) type After = u32;

/// The number of a canonical position with the strong side to move.
pub(super) type Before = u32;

/// Everything about an endgame that a search for theories asks again and again, as numbers: the
/// positions before and after the strong side's moves up to symmetry, what leads to what, and every
/// test that the attributes allow.
pub struct Arena {
    pub(super) material: Material,
    pub(super) attributes: AttributeSet,
    /// The positions after a move that keeps the material, and after those what moves into another
    /// endgame come to: these have no attributes, and their marks never change.
    pub(super) afters: Vec<AfterMove>,
    /// How many of them are positions that have attributes.
    pub(super) rows: usize,
    pub(super) befores: Vec<BeforeMove>,
    /// By position before: the positions after, in the order of its moves, each once.
    pub(super) moves: Lists,
    /// By position after: where the weak side's moves lead; empty where the game ends.
    pub(super) replies: Lists,
    /// By position after: the positions before that have a move to it.
    pub(super) movers: Lists,
    /// By position before: the positions after that have it as a reply.
    pub(super) replied: Lists,
    /// By attribute: the value in every position after.
    pub(super) columns: Vec<Vec<u8>>,
    pub(super) tests: Vec<Test>,
    /// By attribute and threshold: what it asks.
    asked: BTreeMap<(usize, u8), Asked>,
    /// The positions before, those with the shortest mate first.
    pub(super) by_distance: Vec<Before>,
    /// By attribute: its tests.
    pub(super) tests_of: Vec<Range<TestNumber>>,
    /// By attribute: the greatest value.
    pub(super) greatest: Vec<usize>,
    /// How far apart the marks of two neighbouring depths are.
    pub(super) step: Mark,
    /// The mark of a draw: what is to be avoided, unless there is worse.
    pub(super) draw: Mark,
    /// n log2 n, for entropies.
    pub(super) n_log_n: Vec<f32>,
}

/// A position with the weak side to move.
pub(super) struct AfterMove {
    pub(super) depth: Depth,
    pub(super) end: End,
    /// The most moves to mate after a reply that leads to another endgame.
    pub(super) at_least: u16,
}

impl AfterMove {
    /// What a move into another endgame comes to.
    fn departed(depth: Depth) -> Self {
        let (end, at_least) = match depth {
            Depth::Mated(0) => (End::Mated, 0),
            Depth::Mated(moves) => (End::GoesOn, moves),
            Depth::Draw | Depth::Lost => (End::Thrown, 0),
        };
        Self { depth, end, at_least }
    }
}

/// What the weak side's turn comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Mated,
    /// Stalemate, or another endgame that is not won.
    Thrown,
    GoesOn,
}

/// A position with the strong side to move.
pub(super) struct BeforeMove {
    /// How many positions of the full board it stands for.
    pub(super) weight: u32,
    /// Moves to mate; nothing where the position is not won.
    pub(super) moves_to_mate: Option<u16>,
    /// Whether it is drawn with best play.
    pub(super) is_drawn: bool,
}

/// Somewhat more than king and rook against king has.
const FEW_POSITIONS: usize = 30_000;

/// A question that divides the positions after.
pub(super) struct Test {
    pub(super) attribute: usize,
    pub(super) at_most: u8,
    /// The positions with at most this value.
    pub(super) below: Vec<u64>,
}

/// What a threshold on an attribute comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// All positions are on one side.
    Nothing { is_below: bool },
    /// The same as a test, or its opposite.
    Test { test: TestNumber, is_opposite: bool },
}

/// Lists of numbers, one after the other.
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(lists: impl IntoIterator<Item = impl AsRef<[u32]>>) -> Self {
        let (mut starts, mut items) = (vec![0], Vec::new());
        for list in lists {
            items.extend_from_slice(list.as_ref());
            starts.push(items.len() as u32);
        }
        Self { starts, items }
    }

    /// These lists and some empty ones.
    fn followed_by_empty(mut self, lists: usize) -> Self {
        self.starts.resize(self.starts.len() + lists, self.items.len() as u32);
        self
    }

    #[inline(always)]
    pub(super) fn get(&self, at: u32) -> &[u32] {
        let at = at as usize;
        &self.items[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// For each of `count` numbers, in which lists it is.
    fn transposed(&self, count: usize) -> Self {
        let mut starts = vec![0_u32; count + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for at in 0..count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for at in 0..self.len() as u32 {
            for &item in self.get(at) {
                items[next[item as usize] as usize] = at;
                next[item as usize] += 1;
            }
        }
        Self { starts, items }
    }
}

/// Why an endgame has no theories.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// No position is won.
    #[error("{0} has no theory: the strong side wins from no position; choose another material")]
    NothingToWin(Material),
    /// The attributes are another material's.
    #[error("the attributes are for {attributes}, the table for {table}")]
    OtherMaterial {
        /// The material of the attributes.
        attributes: Material,
        /// The material of the table.
        table: Material,
    },
}

impl Arena {
    /// The endgame of a table, seen by attributes.
    ///
    /// # Errors
    /// When nothing can be won, or the attributes are of another material.
    pub fn new(tablebase: &Tablebase, attributes: &AttributeSet) -> Result<Self, ArenaError> {
        let material = tablebase.material();
        if attributes.material() != material {
            let attributes = attributes.material();
            return Err(ArenaError::OtherMaterial { attributes, table: material });
        }
        let group = Group::of(material);
        let index = Index::new(material, group);
        let probe = |position: &Position| {
            tablebase.probe(position).expect("the table has what its moves lead to")
        };
        let numbered = |turn: Side| -> (Vec<usize>, Vec<u32>) {
            let is_legal = |at: &usize| index.position(*at, turn).is_some();
            let places: Vec<usize> = (0..index.len()).filter(is_legal).collect();
            let mut number_of = vec![u32::MAX; index.len()];
            for (number, &at) in places.iter().enumerate() {
                number_of[at] = number as u32;
            }
            (places, number_of)
        };
        let (places, number_of) = numbered(Side::Strong);
        // Those too that no move leads to: their distances count when all are asked for.
        let (after_places, after_number_of) = numbered(Side::Weak);

        let befores = places.par_iter().map(|&at| {
            let position = index.placement(at, Side::Strong);
            let outcome = probe(&position);
            let moves_to_mate = match outcome {
                Outcome::Win(plies) => Some(plies.div_ceil(2)),
                Outcome::Draw | Outcome::Loss(_) => None,
            };
            let is_drawn = outcome == Outcome::Draw && position.has_moves();
            BeforeMove { weight: group.orbit_len(&position) as u32, moves_to_mate, is_drawn }
        });
        let befores: Vec<BeforeMove> = befores.collect();
        if befores.iter().all(|before| before.moves_to_mate.is_none()) {
            return Err(ArenaError::NothingToWin(material));
        }
        let mut by_distance: Vec<Before> = (0..befores.len() as Before).collect();
        by_distance.sort_by_key(|&before| befores[before as usize].moves_to_mate);

        let positions: Vec<Position> =
            after_places.iter().map(|&at| index.placement(at, Side::Weak)).collect();
        let rows = positions.len();
        let (mut afters, replies): (Vec<AfterMove>, Vec<Vec<u32>>) = positions
            .par_iter()
            .map(|position| {
                let depth = depth_of(probe(position));
                let (mut is_thrown, mut at_least) = (false, None);
                let mut replies = Vec::new();
                position.visit_steps(|step| {
                    let reply = position.after(step);
                    if step.departs() {
                        match probe(&reply) {
                            Outcome::Win(plies) => {
                                at_least = at_least.max(Some(plies.div_ceil(2)));
                            }
                            Outcome::Draw | Outcome::Loss(_) => is_thrown = true,
                        }
                    } else if !is_thrown {
                        let reply = number_of[index.of(&reply)];
                        if !replies.contains(&reply) {
                            replies.push(reply);
                        }
                    }
                });
                let is_over = replies.is_empty() && at_least.is_none();
                let end = if is_thrown || (is_over && !position.is_check()) {
                    End::Thrown
                } else if is_over {
                    End::Mated
                } else {
                    End::GoesOn
                };
                let replies = if end == End::GoesOn { replies } else { Vec::new() };
                (AfterMove { depth, end, at_least: at_least.unwrap_or(0) }, replies)
            })
            .unzip();
        let replies = Lists::new(replies);

        // A move is a number of a position, or what a move into another endgame comes to.
        let choices: Vec<Vec<Result<After, Depth>>> = places
            .par_iter()
            .map(|&at| {
                let position = index.placement(at, Side::Strong);
                let mut choices: Vec<Result<After, Depth>> = Vec::new();
                position.visit_steps(|step| {
                    let after = position.after(step);
                    let choice = if step.departs() {
                        Err(depth_of(probe(&after)))
                    } else {
                        Ok(after_number_of[index.of(&after)])
                    };
                    if !choices.contains(&choice) {
                        choices.push(choice);
                    }
                });
                preferred(choices)
            })
            .collect();
        let mut departed: BTreeMap<Depth, After> = BTreeMap::new();
        for &choice in choices.iter().flatten() {
            if let Err(depth) = choice {
                departed.entry(depth).or_insert(0);
            }
        }
        for (&depth, number) in &mut departed {
            *number = afters.len() as After;
            afters.push(AfterMove::departed(depth));
        }
        let moves = Lists::new(choices.into_iter().map(|choices| {
            let number = |choice| match choice {
                Ok(after) => after,
                Err(depth) => departed[&depth],
            };
            choices.into_iter().map(number).collect::<Vec<After>>()
        }));
        let replies = replies.followed_by_empty(departed.len());
        let columns: Vec<Vec<u8>> = attributes
            .attributes()
            .par_iter()
            .map(|attribute| positions.iter().map(|position| attribute.value(position)).collect())
            .collect();
        drop(positions);
        let (tests, asked) = tests(attributes, &columns);
        let tests_of = (0..columns.len()).map(|attribute| {
            let place = |at: usize| tests.partition_point(|test| test.attribute < at) as TestNumber;
            place(attribute)..place(attribute + 1)
        });
        let longest = afters.iter().filter_map(|after| match after.depth {
            Depth::Mated(moves) => Some(moves),
            Depth::Draw | Depth::Lost => None,
        });
        let has_losses = afters.iter().any(|after| after.depth == Depth::Lost);
        let draw = if has_losses { AVOID - 1 } else { AVOID };
        let step = u16::from(draw - 1) / (longest.max().unwrap_or(0) + 1);
        let n_log_n = (0..=rows).map(|n| match n {
            0 => 0.0,
            n => (n as f64 * libm::log2(n as f64)) as f32,
        });
        Ok(Self {
            tests_of: tests_of.collect(),
            greatest: columns
                .iter()
                .map(|column| usize::from(column.iter().copied().max().unwrap_or(0)))
                .collect(),
            step: step as Mark,
            draw,
            rows,
            n_log_n: n_log_n.collect(),
            tests,
            asked,
            material,
            attributes: attributes.clone(),
            movers: moves.transposed(afters.len()),
            replied: replies.transposed(places.len()),
            afters,
            befores,
            by_distance,
            moves,
            replies,
            columns,
        })
    }

    /// What a threshold comes to.
    pub(super) fn asked(&self, attribute: usize, at_most: u8) -> Option<Asked> {
        self.asked.get(&(attribute, at_most)).copied()
    }

    /// How many positions of the full board can be won.
    pub(super) fn winnable(&self) -> u64 {
        let winnable = self.befores.iter().filter(|before| before.moves_to_mate.is_some());
        winnable.map(|before| u64::from(before.weight)).sum()
    }

    /// Whether best play keeps a guarantee.
    pub(super) fn allows(&self, guarantee: Guarantee) -> bool {
        match guarantee {
            Guarantee::Exact | Guarantee::Optimal => true,
            Guarantee::Win { longest, mean_excess } => {
                let slowest = self.befores.iter().filter_map(|before| before.moves_to_mate).max();
                slowest <= Some(longest) && mean_excess.is_none_or(|excess| excess >= 0.0)
            }
        }
    }

    /// Whether a capture or a promotion that wins, and is played for that, is ever slower than
    /// another move.
    pub(super) fn has_detours(&self) -> bool {
        (0..self.befores.len()).any(|before| match *self.moves.get(before as Before) {
            [only] if only as usize >= self.rows => {
                let best = self.befores[before].moves_to_mate;
                best.is_some() && self.mated_after(only).map(|moves| moves + 1) != best
            }
            _ => false,
        })
    }

    /// The marks that say every depth.
    pub(super) fn depth_marks(&self) -> Vec<Mark> {
        self.afters[..self.rows].iter().map(|after| self.mark_of(after.depth)).collect()
    }

    /// The moves in which a position after is mated; nothing where it is drawn.
    pub(super) fn mated_after(&self, after: After) -> Option<u16> {
        match self.afters[after as usize].depth {
            Depth::Draw | Depth::Lost => None,
            Depth::Mated(moves) => Some(moves),
        }
    }

    /// The mark that says a depth.
    pub(super) fn mark_of(&self, depth: Depth) -> Mark {
        match depth {
            Depth::Draw => self.draw,
            Depth::Lost => AVOID,
            Depth::Mated(moves) => moves as Mark * self.step,
        }
    }

    /// Whether the strong side can lose.
    pub(super) fn has_losses(&self) -> bool {
        self.draw != AVOID
    }

    /// Whether a move gives a draw away to a loss.
    pub(super) fn loses(&self, before: Before, after: After) -> bool {
        self.befores[before as usize].is_drawn && self.afters[after as usize].depth == Depth::Lost
    }

    /// How many times as large as a small endgame this is: what takes the longer the more positions
    /// there are has to be done the less often.
    pub(super) fn many_times(&self) -> usize {
        (self.rows / FEW_POSITIONS).max(1)
    }

    /// How many words a set of positions after has.
    pub(super) fn words(&self) -> usize {
        self.rows.div_ceil(64)
    }
}

/// What an outcome for the weak side, to move, is to the strong side.
fn depth_of(outcome: Outcome) -> Depth {
    match outcome {
        Outcome::Loss(plies) => Depth::Mated(plies / 2),
        Outcome::Draw => Depth::Draw,
        Outcome::Win(_) => Depth::Lost,
    }
}

/// The moves among which a player chooses: one into another endgame that wins is played at once, the
/// quickest, and one that loses only if there is no other move.
fn preferred(choices: Vec<Result<After, Depth>>) -> Vec<Result<After, Depth>> {
    let wins = choices.iter().filter(|choice| matches!(choice, Err(Depth::Mated(_))));
    if let Some(&quickest) = wins.min_by_key(|choice| choice.err()) {
        return vec![quickest];
    }
    let is_lost = |choice: &Result<After, Depth>| *choice == Err(Depth::Lost);
    if choices.iter().all(is_lost) {
        return choices.into_iter().take(1).collect();
    }
    choices.into_iter().filter(|choice| !is_lost(choice)).collect()
}

/// Every test that divides the positions, in the order of attributes and thresholds; of those that
/// divide them in the same way only the first. And what each threshold comes to.
fn tests(
    attributes: &AttributeSet,
    columns: &[Vec<u8>],
) -> (Vec<Test>, BTreeMap<(usize, u8), Asked>) {
    let (mut tests, mut asked): (Vec<Test>, _) = (Vec::new(), BTreeMap::new());
    let mut seen: BTreeMap<Vec<u64>, (TestNumber, bool)> = BTreeMap::new();
    for (attribute, column) in columns.iter().enumerate() {
        let (low, high) = attributes.attributes()[attribute].domain();
        for at_most in low..high {
            let mut below = vec![0_u64; column.len().div_ceil(64)];
            for (row, &value) in column.iter().enumerate() {
                below[row / 64] |= u64::from(value <= at_most) << (row % 64);
            }
            let count: usize = below.iter().map(|word| word.count_ones() as usize).sum();
            let what = if count == 0 || count == column.len() {
                Asked::Nothing { is_below: count != 0 }
            } else {
                // A set and its complement divide in the same way: the one with the first position.
                let is_flipped = below[0] & 1 == 0;
                let key = if is_flipped { complement(&below, column.len()) } else { below.clone() };
                let (test, was_flipped) = *seen.entry(key).or_insert_with(|| {
                    tests.push(Test { attribute, at_most, below });
                    (tests.len() as TestNumber - 1, is_flipped)
                });
                Asked::Test { test, is_opposite: is_flipped != was_flipped }
            };
            asked.insert((attribute, at_most), what);
        }
    }
    (tests, asked)
}

fn complement(set: &[u64], len: usize) -> Vec<u64> {
    let mut set: Vec<u64> = set.iter().map(|&word| !word).collect();
    if let (Some(word), used @ 1..) = (set.last_mut(), len % 64) {
        *word &= (1 << used) - 1;
    }
    set
}
