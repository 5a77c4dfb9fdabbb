use super::{Fate, FateError, Mate, Proof, ProveError, Reason, Refutation};
use crate::chess::{Color, Move, Position, Side};
use crate::player::Policy;
use crate::symmetry::Group;
use crate::tablebase::{Index, Outcome, Plies, Tablebase, UnknownMaterial};
use crate::work::{Unwatched, Watch};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Half moves without a capture or a pawn move after which a game is drawn if a player asks.
const FIFTY_MOVES: Plies = 100;

/// The game as a policy plays it, proved: in each position of the strong side its one move, all
/// replies, and whether and in how many moves it wins.
///
/// ```
/// use lucena::player::TablebasePlayer;
/// use lucena::proof::{Fate, Game};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let player = TablebasePlayer(&tablebase);
/// let game = Game::new(&player, &tablebase)?;
/// assert!(game.proof().wins_all());
///
/// let fate = game.fate(&"8/8/8/8/8/2k5/1R6/K7 w - - 0 1".parse()?)?;
/// let Fate::Won(mate) = fate else { panic!("the tablebase wins everything") };
/// assert_eq!(mate.moves(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Game<'a> {
    pub(super) policy: &'a dyn Policy,
    pub(super) tablebase: &'a Tablebase,
    places: Places,
    /// By place; none where there is no legal position.
    pub(super) choices: Vec<Option<Choice>>,
    /// The moves to mate of every won position, by place.
    pub(super) mated_in: Vec<Option<u16>>,
    /// Whether a defence can get to a loss of the strong side, by place.
    endangered: Vec<bool>,
}

/// The number of every position with the strong side to move: its place in the index, and after
/// those the positions in which a pawn can be taken in passing.
struct Places {
    index: Index,
    group: Group,
    passed: HashMap<Position, u32>,
}

impl Places {
    /// The place of a position; nothing if a pawn can be taken in passing and it has none yet.
    fn of(&self, position: &Position) -> Option<u32> {
        match position.en_passant() {
            None => Some(self.index.of(position) as u32),
            Some(_) => self.passed.get(&self.group.canonical(position)).copied(),
        }
    }
}

/// What a policy does in one position.
pub(super) struct Choice {
    /// The outcome with best play.
    best: Outcome,
    is_optimal: bool,
    /// Whether the move, or a reply to it that leads to another endgame, lets the weak side win.
    pub(super) is_losing: bool,
    pub(super) next: Next,
}

/// What a policy's move leads to.
pub(super) enum Next {
    /// Mate in so many moves, counting this one: at once, or in another endgame.
    Won(u16),
    /// It is not won, and that shows in so many plies.
    Failure { reason: Reason, plies: u32 },
    Replies {
        /// The places of the positions after each reply that keeps the material.
        to: Vec<u32>,
        /// What the other replies come to: the most moves to mate, or why one does not win.
        departures: Result<u16, Reason>,
    },
}

impl<'a> Game<'a> {
    /// Proves a policy; see [`super::prove`].
    ///
    /// # Errors
    /// When the table, which says what is optimal, is of another material than the policy.
    pub fn new(policy: &'a dyn Policy, tablebase: &'a Tablebase) -> Result<Self, ProveError> {
        Self::watched(policy, tablebase, &Unwatched)
    }

    /// The same while somebody watches.
    ///
    /// # Errors
    /// When the table is of another material than the policy, or the work was stopped.
    pub fn watched(
        policy: &'a dyn Policy,
        tablebase: &'a Tablebase,
        watch: &dyn Watch,
    ) -> Result<Self, ProveError> {
        let material = policy.material();
        if tablebase.material() != material {
            return Err(UnknownMaterial { material, table: tablebase.material() }.into());
        }
        let group = policy.symmetries();
        let index = Index::new(material, group);
        let mut places = Places { index, group, passed: HashMap::new() };
        let (mut choices, unplaced): (Vec<Option<Choice>>, Vec<Vec<Position>>) =
            (0..places.index.len())
                .into_par_iter()
                .with_min_len(256)
                .map(|at| match places.index.position(at, Side::Strong) {
                    // What is left out is thrown away below.
                    Some(_) if watch.is_stopped() => (None, Vec::new()),
                    Some(position) => {
                        let (choice, unplaced) = Choice::new(policy, tablebase, &places, &position);
                        (Some(choice), unplaced)
                    }
                    None => (None, Vec::new()),
                })
                .unzip();
        watch.go_on()?;
        let mut unplaced: Vec<(usize, Vec<Position>)> =
            unplaced.into_iter().enumerate().filter(|(_, more)| !more.is_empty()).collect();
        while let Some((at, positions)) = unplaced.pop() {
            for position in positions {
                let position = group.canonical(&position);
                let place = match places.passed.get(&position) {
                    Some(&place) => place,
                    None => {
                        let place = choices.len() as u32;
                        let (choice, more) = Choice::new(policy, tablebase, &places, &position);
                        places.passed.insert(position, place);
                        unplaced.push((choices.len(), more));
                        choices.push(Some(choice));
                        place
                    }
                };
                let choice = choices[at].as_mut().expect("it has a reply");
                if let Next::Replies { to, .. } = &mut choice.next {
                    to.push(place);
                }
            }
        }
        watch.go_on()?;
        let graph = Graph::new(&choices);
        watch.go_on()?;
        let mated_in = graph.mated_in(&choices);
        watch.go_on()?;
        let endangered = graph.endangered(&choices);
        Ok(Self { policy, tablebase, places, choices, mated_in, endangered })
    }

    /// What the policy is worth.
    pub fn proof(&self) -> Proof {
        let symmetries = self.policy.symmetries();
        let (mut positions, mut winnable, mut won, mut optimal) = (0, 0, 0, 0);
        let (mut drawable, mut held) = (0, 0);
        let mut excess = Vec::new();
        let mut longest: Option<(u16, usize)> = None;
        let (mut refuted, mut lost) = (None, None);
        for at in 0..self.places.index.len() {
            let Some(choice) = &self.choices[at] else { continue };
            let weight = symmetries.orbit_len(&self.start(at));
            positions += weight;
            optimal += if choice.is_optimal { weight } else { 0 };
            // A policy forces no more than the table, so what is not winnable is not won.
            let plies = match choice.best {
                Outcome::Win(plies) => plies,
                Outcome::Draw => {
                    drawable += weight;
                    if self.endangered[at] {
                        lost.get_or_insert(at);
                    } else {
                        held += weight;
                    }
                    continue;
                }
                Outcome::Loss(_) => continue,
            };
            winnable += weight;
            let Some(moves) = self.mated_in[at] else {
                refuted.get_or_insert(at);
                continue;
            };
            won += weight;
            if longest.is_none_or(|(most, _)| moves > most) {
                longest = Some((moves, at));
            }
            let over = usize::from(moves - plies.div_ceil(2));
            if over >= excess.len() {
                excess.resize(over + 1, 0);
            }
            excess[over] += weight;
        }
        let excess: BTreeMap<u16, u64> =
            (0..).zip(excess).filter(|&(_, count)| count > 0).collect();
        let excess_moves: u64 = excess.iter().map(|(&over, count)| u64::from(over) * count).sum();
        let longest_moves = longest.map(|(moves, _)| moves);
        let refutation = match (refuted, lost) {
            (Some(at), _) => Some(self.shortest_refutation(self.start(at))),
            (None, Some(at)) => Some(self.shortest_loss(self.start(at))),
            (None, None) => None,
        };
        Proof {
            positions,
            winnable,
            won,
            drawable,
            held,
            optimal,
            longest_moves,
            mean_excess_moves: (won > 0).then(|| excess_moves as f64 / won as f64),
            optimal_share: if positions == 0 { 0.0 } else { optimal as f64 / positions as f64 },
            // Both sides together: 2 n - 1 plies to a mate in n, and the mate comes before a claim.
            fifty_move_safe: longest_moves.is_none_or(|moves| 2 * moves - 1 <= FIFTY_MOVES),
            excess,
            longest_line: longest.map(|(_, at)| self.longest_resistance(self.start(at))),
            refutation,
        }
    }

    fn start(&self, at: usize) -> Position {
        self.places.index.placement(at, Side::Strong)
    }

    /// What becomes of one position; the strong side may be of either colour.
    ///
    /// # Errors
    /// When the position is of another material, or the weak side is to move.
    pub fn fate(&self, position: &Position) -> Result<Fate, FateError> {
        let (found, played) = (position.material(), self.policy.material());
        if found != played {
            return Err(FateError::Material { found, played });
        }
        if position.turn() == Side::Weak {
            return Err(FateError::WeakSideToMove(position.color_to_move()));
        }
        // What was proved, was proved for White.
        let start = match position.strong() {
            Color::White => *position,
            Color::Black => position.with_colors_exchanged(),
        };
        let as_it_stands = |mv: Move| match position.strong() {
            Color::Black if played.has_pawns() => {
                Move { from: mv.from.flip_rank(), to: mv.to.flip_rank(), ..mv }
            }
            _ => mv,
        };
        let line = |line: Vec<Move>| line.into_iter().map(as_it_stands).collect();
        Ok(if self.mated_in(&start).is_some() {
            let mate = self.longest_resistance(start);
            Fate::Won(Mate { start: *position, line: line(mate.line) })
        } else {
            let Refutation { line: moves, reason, .. } = self.shortest_refutation(start);
            Fate::NotWon(Refutation { start: *position, line: line(moves), reason })
        })
    }

    /// The place of a position that the policy's moves lead to.
    pub(super) fn place(&self, position: &Position) -> usize {
        self.places.of(position).expect("every position that can be met has a place") as usize
    }

    /// The moves to mate of a won position with the strong side to move, of this endgame or another.
    pub(super) fn mated_in(&self, position: &Position) -> Option<u16> {
        if position.material() == self.policy.material() {
            return self.mated_in[self.place(position)];
        }
        match self.probe(position) {
            Outcome::Win(plies) => Some(plies.div_ceil(2)),
            Outcome::Draw | Outcome::Loss(_) => None,
        }
    }

    fn probe(&self, position: &Position) -> Outcome {
        probe(self.tablebase, position)
    }
}

fn probe(tablebase: &Tablebase, position: &Position) -> Outcome {
    tablebase.probe(position).expect("the table has what moves lead to")
}

/// Which positions lead to which by a choice and a reply, read backwards.
struct Graph {
    /// Where the list of each position begins.
    first: Vec<u32>,
    /// The positions that have another as a reply, list by list.
    before: Vec<u32>,
}

impl Graph {
    fn new(choices: &[Option<Choice>]) -> Self {
        let replies = |at: usize| match choices[at].as_ref().map(|choice| &choice.next) {
            Some(Next::Replies { to, .. }) => to.as_slice(),
            _ => &[],
        };
        let mut first = vec![0_u32; choices.len() + 1];
        for at in 0..choices.len() {
            for &reply in replies(at) {
                first[reply as usize + 1] += 1;
            }
        }
        for at in 0..choices.len() {
            first[at + 1] += first[at];
        }
        let mut before = vec![0_u32; first[choices.len()] as usize];
        let mut next = first.clone();
        for at in 0..choices.len() {
            for &reply in replies(at) {
                before[next[reply as usize] as usize] = at as u32;
                next[reply as usize] += 1;
            }
        }
        Self { first, before }
    }

    fn before(&self, at: u32) -> &[u32] {
        let at = at as usize;
        &self.before[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// The moves to mate of every won position.
    fn mated_in(&self, choices: &[Option<Choice>]) -> Vec<Option<u16>> {
        // How many replies of each position are not yet known to be won.
        let mut open = vec![0_u32; choices.len()];
        let mut levels: Vec<Vec<u32>> = vec![Vec::new()];
        let enter = |levels: &mut Vec<Vec<u32>>, moves: u16, at: u32| {
            if levels.len() <= usize::from(moves) {
                levels.resize(usize::from(moves) + 1, Vec::new());
            }
            levels[usize::from(moves)].push(at);
        };
        for (at, choice) in choices.iter().enumerate() {
            match choice.as_ref().map(|choice| &choice.next) {
                Some(Next::Replies { to, departures: Ok(moves) }) if to.is_empty() => {
                    enter(&mut levels, moves + 1, at as u32);
                }
                Some(Next::Replies { to, .. }) => open[at] = to.len() as u32,
                Some(&Next::Won(moves)) => enter(&mut levels, moves, at as u32),
                Some(Next::Failure { .. }) | None => {}
            }
        }
        let mut mated_in = vec![None; choices.len()];
        let mut moves = 0;
        while usize::from(moves) < levels.len() {
            for at in std::mem::take(&mut levels[usize::from(moves)]) {
                mated_in[at as usize] = Some(moves);
                for &earlier in self.before(at) {
                    let open = &mut open[earlier as usize];
                    *open -= 1;
                    if *open == 0
                        && let Some(Choice { next, .. }) = &choices[earlier as usize]
                        && let Next::Replies { departures: Ok(others), .. } = next
                    {
                        enter(&mut levels, moves.max(*others) + 1, earlier);
                    }
                }
            }
            moves += 1;
        }
        mated_in
    }

    /// From where a defence can get to a loss of the strong side.
    fn endangered(&self, choices: &[Option<Choice>]) -> Vec<bool> {
        let is_losing =
            |choice: &Option<Choice>| choice.as_ref().is_some_and(|choice| choice.is_losing);
        let mut endangered: Vec<bool> = choices.iter().map(is_losing).collect();
        let mut open: Vec<u32> =
            (0..choices.len() as u32).filter(|&at| endangered[at as usize]).collect();
        while let Some(at) = open.pop() {
            for &earlier in self.before(at) {
                if !std::mem::replace(&mut endangered[earlier as usize], true) {
                    open.push(earlier);
                }
            }
        }
        endangered
    }
}

impl Choice {
    /// What the policy does in a position; and those of the replies that have no place yet.
    fn new(
        policy: &dyn Policy,
        tablebase: &Tablebase,
        places: &Places,
        position: &Position,
    ) -> (Self, Vec<Position>) {
        let probe = |position: &Position| probe(tablebase, position);
        let best = probe(position);
        let mut unplaced = Vec::new();
        let Some(after) = policy.choose(position).and_then(|mv| position.play(mv).ok()) else {
            let is_losing = matches!(best, Outcome::Loss(_));
            let reason = match (position.has_moves(), position.is_check()) {
                (true, _) => Reason::NoMove,
                (false, true) => Reason::Lost,
                (false, false) => Reason::Stalemate,
            };
            let next = Next::Failure { reason, plies: 0 };
            // Where there is no move, there is no better one.
            let is_optimal = !position.has_moves();
            return (Self { best, is_optimal, is_losing, next }, unplaced);
        };
        let outcome = probe(&after).before_move();
        let is_optimal = outcome == best;
        let is_losing = matches!(outcome, Outcome::Loss(_));
        let choice = |next| Self { best, is_optimal, is_losing, next };
        if after.material() != policy.material() {
            let next = match outcome {
                Outcome::Win(plies) => Next::Won(plies.div_ceil(2)),
                Outcome::Draw | Outcome::Loss(_) => {
                    Next::Failure { reason: Reason::OtherEndgame, plies: 1 }
                }
            };
            return (choice(next), unplaced);
        }
        let (mut to, mut departures, mut departs) = (Vec::new(), Ok(0), false);
        after.visit_steps(|step| {
            let reply = after.after(step);
            if !step.departs() {
                match places.of(&reply) {
                    Some(place) => to.push(place),
                    None => unplaced.push(reply),
                }
                return;
            }
            departs = true;
            departures = match (probe(&reply), departures) {
                (Outcome::Win(plies), Ok(most)) => Ok(most.max(plies.div_ceil(2))),
                (Outcome::Win(_), failure) => failure,
                _ if step.captured.is_some() => Err(Reason::LostPiece),
                (_, Ok(_)) => Err(Reason::OtherEndgame),
                (_, failure) => failure,
            };
        });
        let next = if departs || !to.is_empty() || !unplaced.is_empty() {
            Next::Replies { to, departures }
        } else if after.is_check() {
            Next::Won(1)
        } else {
            Next::Failure { reason: Reason::Stalemate, plies: 1 }
        };
        (choice(next), unplaced)
    }
}
