//! The safe moves of a whole endgame, and the values that can be forced by them.

use super::Score;
use crate::graph::{After, Before, End, EndgameGraph, GraphSpec, Numbering};
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, SafeMoves, is_quiet};
use lucena_model::Goal;
use lucena_tablebase::{Index, Outcome};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// All positions of an endgame up to symmetry, with the safe moves of the strong side and all replies to them. It is
/// made by the rules alone, without a table.
pub struct SafeMoveGraph {
    material: Material,
    graph: EndgameGraph<SafeMovesKept>,
}

/// What the strong side can do in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Situation {
    /// Safe moves, and none that wins at once.
    Safe,
    /// A move that wins at once in another endgame.
    WinsAtOnce,
    /// No safe move, but one that holds the draw.
    Holding,
    /// No safe move, and none that is known to hold the draw.
    Unsafe,
}

/// What the graph keeps: every position with the strong side to move, and the safe moves.
struct SafeMovesKept {
    /// By position with the weak side to move: whether it is quiet, once it is known.
    quiet: Vec<AtomicU8>,
}

const QUIET: u8 = 1;
const LOUD: u8 = 2;

impl SafeMovesKept {
    fn is_quiet(&self, position: &Position, after: After) -> bool {
        if position.en_passant().is_some() {
            return is_quiet(position);
        }
        let known = &self.quiet[after.number()];
        match known.load(Ordering::Relaxed) {
            0 => {
                let found = is_quiet(position);
                known.store(if found { QUIET } else { LOUD }, Ordering::Relaxed);
                found
            }
            known => known == QUIET,
        }
    }
}

impl GraphSpec for SafeMovesKept {
    /// The number of positions that it represents.
    type Before = u32;
    /// `None` if no safe move leads to it.
    type After = Option<End>;
    type Move = After;
    type Reply = Before;

    fn before(&self, _: &Position, weight: u32) -> Option<u32> {
        Some(weight)
    }

    fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<After> {
        let mut afters = Vec::new();
        let moves = SafeMoves::with_test(position, |after| {
            let number = numbering.after(after);
            let is_quiet = self.is_quiet(after, number);
            if is_quiet {
                afters.push(number);
            }
            is_quiet
        });
        let SafeMoves::Safe(_) = moves else { return Vec::new() };
        afters.sort_unstable();
        afters.dedup();
        afters
    }

    fn after(&self, position: &Position, numbering: &Numbering) -> (Self::After, Vec<Before>) {
        if !self.is_quiet(position, numbering.after(position)) {
            return (None, Vec::new());
        }
        // No reply leads to another endgame.
        let (end, replies) = numbering.replies(position, |_| Outcome::Draw);
        (Some(end), replies)
    }
}

impl SafeMoveGraph {
    /// Makes the graph of an endgame.
    ///
    /// # Errors
    /// If the observer asks to stop.
    pub fn new(material: Material, observer: &dyn Observer) -> Result<Self, Stopped> {
        let places = Index::new(material, Group::new(material)).len();
        let quiet = (0..places).map(|_| AtomicU8::new(0)).collect();
        let what = format!("finding the safe moves of {material}");
        let graph = EndgameGraph::new(material, &SafeMovesKept { quiet }, |done| {
            observer.check()?;
            observer.report(Progress { what: &what, done, total: Some(3) });
            Ok::<(), Stopped>(())
        })?;
        Ok(Self { material, graph })
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The numbers of the positions.
    pub fn numbering(&self) -> &Numbering {
        &self.graph.numbering
    }

    /// The safe moves of each position, as the positions that they lead to, in order.
    pub fn moves(&self) -> &Csr<Before, After> {
        &self.graph.moves
    }

    /// The replies to safe moves; none to mate.
    pub fn replies(&self) -> &Csr<After, Before> {
        &self.graph.replies
    }

    /// The number of positions of the full board that each position with the strong side to move represents.
    pub fn weights(&self) -> &IndexVec<Before, u32> {
        &self.graph.befores
    }

    /// Returns true if a position after a safe move is mate.
    pub fn is_mate(&self, after: After) -> bool {
        self.graph.afters[after] == Some(End::Mate)
    }

    /// Returns true if a safe move can lead to a position.
    pub fn is_quiet(&self, after: After) -> bool {
        self.graph.afters[after].is_some()
    }

    /// What the strong side can do in each position.
    pub fn situations(&self) -> IndexVec<Before, Situation> {
        let positions = self.graph.numbering.befores().enumerate();
        let situations = positions.map(|(at, position)| {
            if !self.graph.moves.get(Before::new(at)).is_empty() {
                return Situation::Safe;
            }
            match SafeMoves::new(&position) {
                SafeMoves::WinsAtOnce(_) => Situation::WinsAtOnce,
                SafeMoves::Holding(_) => Situation::Holding,
                SafeMoves::Safe(_) | SafeMoves::Unsafe(_) => Situation::Unsafe,
            }
        });
        situations.collect::<Vec<_>>().into()
    }

    /// Computes a number for each position that a safe move can lead to, and 0 for the others.
    pub fn values(&self, value: impl Fn(&Position) -> i32 + Sync) -> IndexVec<After, i32> {
        let positions = self.graph.numbering.afters().enumerate().with_min_len(256);
        let values = positions
            .map(|(at, position)| if self.is_quiet(After::new(at)) { value(&position) } else { 0 });
        values.collect::<Vec<_>>().into()
    }

    /// Returns the positions after safe moves from which the weak side can force, within a number of its replies, a
    /// position in which the strong side has no safe move.
    pub fn doomed(
        &self,
        situations: &IndexVec<Before, Situation>,
        replies: u8,
    ) -> IndexVec<After, bool> {
        let mut doomed: IndexVec<After, bool> = IndexVec::filled(false, self.graph.afters.len());
        let has_safe = |&one: &Situation| !matches!(one, Situation::Holding | Situation::Unsafe);
        let mut lost: Vec<bool> = situations.iter().map(|one| !has_safe(one)).collect();
        for _ in 0..replies {
            let found = (0..doomed.len()).into_par_iter().map(|after| {
                let replies = self.graph.replies.get(After::new(after));
                replies.iter().any(|reply| lost[reply.number()])
            });
            doomed = found.collect::<Vec<_>>().into();
            let found = (0..lost.len()).into_par_iter().map(|before| {
                let moves = self.graph.moves.get(Before::new(before));
                match situations[Before::new(before)] {
                    Situation::Safe => moves.iter().all(|&after| doomed[after]),
                    Situation::WinsAtOnce => false,
                    Situation::Holding | Situation::Unsafe => true,
                }
            });
            lost = found.collect();
        }
        doomed
    }

    /// Returns what the strong side can force from each position after a safe move, looking a number of moves ahead,
    /// where `here` is the score of stopping at a position.
    ///
    /// # Errors
    /// If the observer asks to stop.
    pub fn forced(
        &self,
        here: &IndexVec<After, Score>,
        situations: &IndexVec<Before, Situation>,
        look: u8,
        goal: Goal,
        observer: &dyn Observer,
    ) -> Result<IndexVec<After, Score>, Stopped> {
        let at_first = |&after: &After| if self.is_mate(after) { Score::MATE } else { here[after] };
        let all = || (0..here.len()).into_par_iter().with_min_len(1 << 12).map(After::new);
        let mut forced: IndexVec<After, Score> =
            all().map(|after| at_first(&after)).collect::<Vec<_>>().into();
        for pass in 1..=look {
            observer.check()?;
            let best = (0..situations.len()).into_par_iter().with_min_len(1 << 12).map(|before| {
                let before = Before::new(before);
                match situations[before] {
                    Situation::Unsafe => Score::UNSAFE,
                    Situation::Holding => Score::HELD,
                    Situation::WinsAtOnce => Score::MATE.a_move_earlier(),
                    Situation::Safe => {
                        let moves = self.graph.moves.get(before).iter();
                        let best = moves.map(|&after| forced[after]).min();
                        best.unwrap_or(Score::UNSAFE).a_move_earlier()
                    }
                }
            });
            let best: IndexVec<Before, Score> = best.collect::<Vec<_>>().into();
            let may_stop = pass < look || goal == Goal::AnyMove;
            let next = all().map(|after| {
                if self.is_mate(after) {
                    return Score::MATE;
                }
                let replies = self.graph.replies.get(after).iter();
                let worst = replies.map(|&reply| best[reply]).max();
                match worst {
                    None => Score::UNSAFE,
                    Some(worst) if may_stop => worst.min(here[after]),
                    Some(worst) => worst,
                }
            });
            forced = next.collect::<Vec<_>>().into();
        }
        Ok(forced)
    }

    /// Returns the best score after a safe move in each position.
    pub fn best(
        &self,
        forced: &IndexVec<After, Score>,
        situations: &IndexVec<Before, Situation>,
    ) -> IndexVec<Before, Score> {
        let best = (0..situations.len()).into_par_iter().map(|before| {
            let before = Before::new(before);
            match situations[before] {
                Situation::Unsafe => Score::UNSAFE,
                Situation::Holding => Score::HELD,
                Situation::WinsAtOnce => Score::MATE,
                Situation::Safe => {
                    let moves = self.graph.moves.get(before).iter();
                    moves.map(|&after| forced[after]).min().unwrap_or(Score::UNSAFE)
                }
            }
        });
        best.collect::<Vec<_>>().into()
    }

    /// Counts the positions in which a tied move has a reply after which the best score is no lower. If there are none
    /// among the positions that can be won, the measure is a ranking function, which proves by itself that it wins.
    pub fn stuck(
        &self,
        forced: &IndexVec<After, Score>,
        best: &IndexVec<Before, Score>,
        is_asked: impl Fn(Before) -> bool + Sync,
    ) -> usize {
        let afters = (0..forced.len()).into_par_iter().with_min_len(1 << 12).map(After::new);
        let falls = afters.map(|after| {
            let mut replies = self.graph.replies.get(after).iter();
            replies.all(|&reply| best[reply] < forced[after])
        });
        let falls: IndexVec<After, bool> = falls.collect::<Vec<_>>().into();
        let befores = (0..best.len()).into_par_iter().with_min_len(1 << 12).map(Before::new);
        let is_stuck = |&before: &Before| {
            let mut moves = self.graph.moves.get(before).iter();
            is_asked(before) && moves.any(|&after| forced[after] == best[before] && !falls[after])
        };
        befores.filter(is_stuck).count()
    }
}
