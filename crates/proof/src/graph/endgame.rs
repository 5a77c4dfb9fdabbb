use super::End;
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec, id};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_tablebase::Index;
use rayon::prelude::*;

id! {
    /// A position with the strong side to move, up to symmetry.
    pub Before(u32)
}

id! {
    /// A position with the weak side to move, up to symmetry.
    pub After(u32)
}

/// A move or a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge<I, D> {
    /// A move that keeps the material, to this position.
    Stays(I),
    /// A move to another endgame, with the known facts about it.
    Departs(D),
}

/// The part of an endgame that a graph keeps, and the form in which it keeps it.
pub trait GraphSpec: Sync {
    /// Facts about a position with the strong side to move.
    type Before: Send;
    /// Facts about a position with the weak side to move.
    type After: Send;
    /// A move of the strong side.
    type Move: Copy + Send;
    /// A reply of the weak side.
    type Reply: Copy + Send;

    /// Returns the facts about a position with the strong side to move that represents `weight` positions of the
    /// full board; `None` if the graph leaves it out.
    fn before(&self, position: &Position, weight: u32) -> Option<Self::Before>;

    /// Returns the moves in a position that are kept, in order.
    fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<Self::Move>;

    /// Returns the facts about a position with the weak side to move, and the replies that are kept, in order.
    fn after(&self, position: &Position, numbering: &Numbering) -> (Self::After, Vec<Self::Reply>);
}

/// The game graph of an endgame up to symmetry: its positions, numbered in the order of the index, and the
/// moves between them in compressed sparse rows. Rights to capture en passant are left out.
///
/// ```
/// use lucena_base::csr::Csr;
/// use lucena_base::index_vec::IndexVec;
/// use lucena_chess::Position;
/// use lucena_proof::graph::{After, Before, End, EndgameGraph, GraphSpec, Numbering, ReversedReplies, Worklist};
/// use lucena_tablebase::Outcome;
/// use std::convert::Infallible;
///
/// /// All moves within the endgame. A capture of the rook draws.
/// struct Within;
///
/// impl GraphSpec for Within {
///     type Before = u32;
///     type After = End;
///     type Move = After;
///     type Reply = Before;
///
///     fn before(&self, _: &Position, weight: u32) -> Option<u32> {
///         Some(weight)
///     }
///
///     fn moves(&self, position: &Position, numbering: &Numbering) -> Vec<After> {
///         let mut moves = Vec::new();
///         position.visit_steps(|step| moves.push(numbering.after(&position.after(step))));
///         moves
///     }
///
///     fn after(&self, position: &Position, numbering: &Numbering) -> (End, Vec<Before>) {
///         numbering.replies(position, |_| Outcome::Draw)
///     }
/// }
///
/// let Ok(graph) = EndgameGraph::new("KRvK".parse()?, &Within, |_| Ok::<_, Infallible>(()));
/// assert_eq!((graph.befores.len(), graph.afters.len()), (21_959, 28_056));
/// assert_eq!(graph.befores.iter().sum::<u32>(), 175_168);
/// assert_eq!(graph.afters.iter().filter(|end| **end == End::Mate).count(), 27);
///
/// // Every position is won, in sixteen moves at most.
/// let can_lose = |after| !graph.afters[after].is_thrown();
/// let replies = ReversedReplies::new(&graph.replies, graph.befores.len(), can_lose);
/// let movers: Csr<After, Before> = Csr::reversed(graph.moves.iter(), graph.afters.len());
/// let mut won: IndexVec<Before, u16> = IndexVec::filled(0, graph.befores.len());
/// Worklist::new(&replies).run(Vec::new(), |after, moves, newly_won| {
///     for &before in movers.get(after) {
///         if won[before] == 0 {
///             won[before] = moves;
///             newly_won.push(before);
///         }
///     }
/// });
/// assert_eq!((won.iter().min(), won.iter().max()), (Some(&1), Some(&16)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EndgameGraph<K: GraphSpec> {
    /// The numbers of the positions.
    pub numbering: Numbering,
    /// Facts about each position with the strong side to move.
    pub befores: IndexVec<Before, K::Before>,
    /// Facts about each position with the weak side to move.
    pub afters: IndexVec<After, K::After>,
    /// The moves of the strong side.
    pub moves: Csr<Before, K::Move>,
    /// The replies of the weak side.
    pub replies: Csr<After, K::Reply>,
}

impl<K: GraphSpec> EndgameGraph<K> {
    /// Builds the graph of an endgame in three steps: numbers, moves and replies. Calls `done` with the number
    /// of finished steps.
    ///
    /// # Errors
    /// The first error of `done`, which ends the work.
    pub fn new<E>(
        material: Material,
        kept: &K,
        done: impl Fn(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let (numbering, befores) = Numbering::new(material, kept);
        done(1)?;
        let moves = numbering.befores().map(|position| kept.moves(&position, &numbering));
        let moves = Csr::new(moves.collect::<Vec<_>>());
        done(2)?;
        let (afters, replies): (Vec<K::After>, Vec<Vec<K::Reply>>) =
            numbering.afters().map(|position| kept.after(&position, &numbering)).unzip();
        let replies = Csr::new(replies);
        done(3)?;
        Ok(Self { befores: befores.into(), afters: afters.into(), moves, replies, numbering })
    }
}

/// The numbers of the positions of an endgame up to symmetry, in the order of the index.
pub struct Numbering {
    index: Index,
    befores: Numbers<Before>,
    afters: Numbers<After>,
}

/// The positions with one side to move that have numbers.
struct Numbers<I> {
    turn: Side,
    /// The place in the index of each position.
    places: IndexVec<I, u32>,
    /// By place in the index: the position there, if it has a number.
    ids: Vec<Option<I>>,
}

impl<I: Id + Send + Sync> Numbers<I> {
    /// Numbers the places of the index with facts; returns these too.
    fn new<T>(turn: Side, known: Vec<Option<T>>) -> (Self, Vec<T>) {
        let mut numbers = Self { turn, places: IndexVec::default(), ids: vec![None; known.len()] };
        let mut facts = Vec::new();
        for (place, known) in known.into_iter().enumerate() {
            if let Some(known) = known {
                numbers.ids[place] = Some(numbers.places.push(place as u32));
                facts.push(known);
            }
        }
        (numbers, facts)
    }

    fn all<'a>(&'a self, index: &'a Index) -> impl IndexedParallelIterator<Item = Position> + 'a {
        let places = self.places.as_slice().par_iter();
        places.map(|&place| index.placement(place as usize, self.turn))
    }
}

impl Numbering {
    /// Numbers all legal positions with the weak side to move, and those that a graph keeps with the strong
    /// side to move. Returns the facts about these too.
    fn new<K: GraphSpec>(material: Material, kept: &K) -> (Self, Vec<K::Before>) {
        let group = Group::new(material);
        let index = Index::new(material, group);
        let places = || (0..index.len()).into_par_iter().with_min_len(256);
        let before = |place| {
            let position = index.position(place, Side::Strong)?;
            kept.before(&position, group.orbit_len(&position) as u32)
        };
        let (befores, facts) = Numbers::new(Side::Strong, places().map(before).collect());
        let after = |place| index.position(place, Side::Weak).map(|_| ());
        let (afters, _) = Numbers::new(Side::Weak, places().map(after).collect());
        (Self { index, befores, afters }, facts)
    }

    /// Returns the number of a position with the strong side to move; `None` if the graph leaves it out.
    #[inline]
    pub fn before(&self, position: &Position) -> Option<Before> {
        self.befores.ids[self.index.of(position)]
    }

    /// Returns the number of a position with the weak side to move.
    ///
    /// # Panics
    /// If the position is not legal.
    #[inline]
    pub fn after(&self, position: &Position) -> After {
        self.afters.ids[self.index.of(position)].expect("a move leads to a legal position")
    }

    /// Classifies a position with the weak side to move by its replies, with the outcomes of other endgames. Returns those
    /// replies too that keep the material, in order, each once.
    ///
    /// # Panics
    /// If the graph leaves out a position that a reply leads to.
    pub fn replies<O: Ord>(
        &self,
        position: &Position,
        outcome: impl FnMut(&Position) -> O,
    ) -> (End<O>, Vec<Before>) {
        let mut replies = Vec::new();
        let end = End::new(position, outcome, |reply| {
            let reply = self.before(reply).expect("every legal position has a number");
            if !replies.contains(&reply) {
                replies.push(reply);
            }
        });
        (end, replies)
    }

    /// Returns the positions with the strong side to move, in order.
    pub fn befores(&self) -> impl IndexedParallelIterator<Item = Position> + '_ {
        self.befores.all(&self.index)
    }

    /// Returns the positions with the weak side to move, in order.
    pub fn afters(&self) -> impl IndexedParallelIterator<Item = Position> + '_ {
        self.afters.all(&self.index)
    }

    /// Returns the position with a number.
    pub fn position_after(&self, after: After) -> Position {
        self.index.placement(self.afters.places[after] as usize, Side::Weak)
    }
}
