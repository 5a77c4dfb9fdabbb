//! The game graph of an endgame in numeric form, for fast access during a search.

use super::error::TheoryError;
use super::mark::{DepthMarks, Mark};
use super::positions::{After, AfterMove, Before, BeforeMove, Choice, TheoryMoves};
use super::test_table::TestTable;
use lucena_attributes::AttributeSet;
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec, first};
use lucena_base::progress::{Observer, Progress};
use lucena_chess::Material;
use lucena_proof::graph::{Edge, EndgameGraph};
use lucena_proof::guarantee::Guarantee;
use lucena_tablebase::{DistanceClass, Tablebase};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// The game graph of an endgame, as a search for theories needs it: the positions before and after the strong
/// side's moves up to symmetry, the edges between them, and every test that the attributes allow.
pub struct TheoryGraph {
    pub(super) material: Material,
    pub(super) attributes: AttributeSet,
    /// The positions after a move that keeps the material, then one entry for each outcome of a move into
    /// another endgame. The latter have no attributes, and their marks never change.
    pub(super) afters: IndexVec<After, AfterMove>,
    /// The number of positions that have attributes.
    pub(super) rows: usize,
    pub(super) befores: IndexVec<Before, BeforeMove>,
    /// By position before: the positions after its moves, in order, each once.
    pub(super) moves: Csr<Before, After>,
    /// By position after: the positions after the weak side's replies; empty if the game is over.
    pub(super) replies: Csr<After, Before>,
    /// By position after: the positions before that have a move to it.
    pub(super) movers: Csr<After, Before>,
    /// By position before: the positions after that have it as a reply.
    pub(super) replied: Csr<Before, After>,
    /// The positions before, by increasing moves to mate.
    pub(super) by_distance: Vec<Before>,
    pub(super) tests: TestTable,
    pub(super) depth_marks: DepthMarks,
}

/// Somewhat more than the number of rows of king and rook against king.
const FEW_POSITIONS: usize = 30_000;

impl TheoryGraph {
    /// Builds the game graph of an endgame from its table and attributes.
    ///
    /// # Errors
    /// If nothing can be won, if the attributes are for another material, or if the observer asks to stop.
    pub fn new(
        tablebase: &Tablebase,
        attributes: &AttributeSet,
        observer: &dyn Observer,
    ) -> Result<Self, TheoryError> {
        let material = tablebase.material();
        if attributes.material() != material {
            let attributes = attributes.material();
            return Err(TheoryError::OtherAttributes { attributes, table: material });
        }
        let what = format!("looking at {material}");
        let go_on = |done| {
            observer.report(Progress { what: &what, done, total: Some(5) });
            observer.check()
        };
        go_on(0)?;
        let graph = EndgameGraph::new(material, &TheoryMoves(tablebase), go_on)?;
        tablebase.check_readable()?;
        let EndgameGraph { numbering, befores, mut afters, moves, replies } = graph;
        if befores.iter().all(|before| before.moves_to_mate.is_none()) {
            return Err(TheoryError::NothingToWin(material));
        }
        let rows = afters.len();
        let departures = number_departures(&moves, &mut afters);
        let moves = numbered(&moves, &departures);
        let replies = replies.with_empty_rows(departures.len());
        go_on(4)?;
        let tests = TestTable::new(attributes, &numbering.afters().collect::<Vec<_>>());
        go_on(5)?;
        Ok(Self {
            material,
            attributes: attributes.clone(),
            by_distance: by_distance(&befores),
            depth_marks: DepthMarks::new(afters.iter().map(|after| after.depth)),
            movers: Csr::reversed(moves.iter(), afters.len()),
            replied: Csr::reversed(replies.iter(), befores.len()),
            afters,
            rows,
            befores,
            moves,
            replies,
            tests,
        })
    }

    /// Returns the positions after that have attributes.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = After> + use<> {
        first(self.rows)
    }

    /// Returns true if a position after has attributes, false if it is of another endgame.
    #[inline(always)]
    pub(super) fn is_row(&self, after: After) -> bool {
        after.number() < self.rows
    }

    /// Returns the number of positions of the full board that can be won.
    pub(super) fn winnable(&self) -> u64 {
        let winnable = self.befores.iter().filter(|before| before.moves_to_mate.is_some());
        winnable.map(|before| u64::from(before.weight)).sum()
    }

    /// Returns true if best play keeps a guarantee.
    pub(super) fn allows(&self, guarantee: Guarantee) -> bool {
        match guarantee {
            Guarantee::Exact | Guarantee::Optimal => true,
            Guarantee::Win { longest, mean_excess } => {
                let slowest = self.befores.iter().filter_map(|before| before.moves_to_mate).max();
                slowest <= Some(longest) && mean_excess.is_none_or(|excess| excess >= 0.0)
            }
        }
    }

    /// Returns true if some winning capture or promotion, which is always played, is slower than another
    /// move.
    pub(super) fn has_detours(&self) -> bool {
        self.befores.pairs().any(|(before, known)| match *self.moves.get(before) {
            [only] if !self.is_row(only) => {
                let best = known.moves_to_mate;
                best.is_some() && self.mated_after(only).map(|moves| moves + 1) != best
            }
            _ => false,
        })
    }

    /// Returns true if a move leads to the quickest mate.
    #[inline(always)]
    pub(super) fn is_quickest(&self, before: Before, after: After) -> bool {
        let best = self.befores[before].moves_to_mate;
        best.is_some_and(|moves| self.mated_after(after) == Some(moves - 1))
    }

    /// Returns the moves in which a position after is mated; `None` if it is drawn or lost.
    fn mated_after(&self, after: After) -> Option<u16> {
        self.afters[after].depth.moves()
    }

    /// Returns the mark that stands for the depth of a position.
    #[inline(always)]
    pub(super) fn depth_mark(&self, after: After) -> Mark {
        self.depth_marks.of(self.afters[after].depth)
    }

    /// Returns the marks that stand for the depths of all positions.
    pub(super) fn exact_marks(&self) -> IndexVec<After, Mark> {
        self.rows().map(|after| self.depth_mark(after)).collect()
    }

    /// Returns true if a move turns a draw into a loss.
    pub(super) fn loses(&self, before: Before, after: After) -> bool {
        self.befores[before].is_drawn && self.afters[after].depth == DistanceClass::Lost
    }

    /// Returns the size of this endgame as a multiple of a small one, at least 1. Work that grows with the
    /// number of positions is done less often by this factor.
    pub(super) fn many_times(&self) -> usize {
        (self.rows / FEW_POSITIONS).max(1)
    }
}

/// Returns the positions before by increasing moves to mate; those without a mate come first.
fn by_distance(befores: &IndexVec<Before, BeforeMove>) -> Vec<Before> {
    let mut sorted: Vec<Before> = befores.ids().collect();
    sorted.sort_by_key(|&before| befores[before].moves_to_mate);
    sorted
}

/// Adds an entry for each outcome of moves into other endgames, by depth.
fn number_departures(
    moves: &Csr<Before, Choice>,
    afters: &mut IndexVec<After, AfterMove>,
) -> BTreeMap<DistanceClass, After> {
    let depths = moves.iter().flatten().filter_map(|choice| match choice {
        Edge::Departs(depth) => Some(*depth),
        Edge::Stays(_) => None,
    });
    let mut ids: BTreeMap<DistanceClass, After> =
        depths.map(|depth| (depth, After::new(0))).collect();
    for (&depth, id) in &mut ids {
        *id = afters.push(AfterMove::departed(depth));
    }
    ids
}

/// Replaces each move by the number of the position after it.
fn numbered(
    moves: &Csr<Before, Choice>,
    departures: &BTreeMap<DistanceClass, After>,
) -> Csr<Before, After> {
    let number = |choice: &Choice| match choice {
        Edge::Stays(after) => *after,
        Edge::Departs(depth) => departures[depth],
    };
    Csr::new(moves.iter().map(|all| all.iter().map(number).collect::<Vec<After>>()))
}
