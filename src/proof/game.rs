use super::{Fate, FateError, Mate, Proof, ProveError, Reason, Refutation};
use crate::chess::{Color, FIFTY_MOVE_PLIES, Move, Position, Side};
use crate::graph::Lists;
use crate::player::Policy;
use crate::symmetry::Group;
use crate::tablebase::{Index, Outcome, Tablebase, UnknownMaterial};
use crate::work::{Unwatched, Watch};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;
use tracing::info;

/// The game as a policy plays it, proved: in each position of the strong side its one move, all
/// replies, and whether and in how many moves it wins.
///
/// ```
/// use lucena::player::TablebasePlayer;
/// use lucena::proof::{Fate, ProvedGame};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let player = TablebasePlayer(&tablebase);
/// let game = ProvedGame::new(&player, &tablebase)?;
/// assert!(game.proof().wins_all());
///
/// let fate = game.fate(&"8/8/8/8/8/2k5/1R6/K7 w - - 0 1".parse()?)?;
/// let Fate::Won(mate) = fate else { panic!("the tablebase wins everything") };
/// assert_eq!(mate.moves(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProvedGame<'a> {
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

    /// Gives places to the replies that have none, and to what is met beyond them.
    fn place_passed(
        &mut self,
        policy: &dyn Policy,
        tablebase: &Tablebase,
        choices: &mut Vec<Option<Choice>>,
        unplaced: Vec<Vec<Position>>,
    ) {
        let mut open: Vec<(usize, Vec<Position>)> =
            unplaced.into_iter().enumerate().filter(|(_, replies)| !replies.is_empty()).collect();
        while let Some((at, replies)) = open.pop() {
            for reply in replies {
                let reply = self.group.canonical(&reply);
                let place = self.passed.get(&reply).copied().unwrap_or_else(|| {
                    let (choice, more) = Choice::new(policy, tablebase, self, &reply);
                    let place = choices.len();
                    open.push((place, more));
                    choices.push(Some(choice));
                    self.passed.insert(reply, place as u32);
                    place as u32
                });
                let choice = choices[at].as_mut().expect("it has a reply");
                if let Next::Replies { to, .. } = &mut choice.next {
                    to.push(place);
                }
            }
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

/// What a policy's moves lead to.
pub(super) enum Next {
    /// One of them does not win, and that shows in so many plies.
    Failure { reason: Reason, plies: u32 },
    Replies {
        /// The places of the positions after each reply that keeps the material.
        to: Vec<u32>,
        /// What all else comes to, mates and other endgames: the most moves to mate after the move, or
        /// why a reply does not win.
        departures: Result<u16, Reason>,
    },
}

impl<'a> ProvedGame<'a> {
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
        let (material, started) = (policy.material(), Instant::now());
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
        places.place_passed(policy, tablebase, &mut choices, unplaced);
        watch.go_on()?;
        let graph = Graph::new(&choices);
        watch.go_on()?;
        let mated_in = graph.mated_in(&choices);
        watch.go_on()?;
        let endangered = graph.endangered(&choices);
        let (player, seconds) = (policy.name(), started.elapsed().as_secs_f64());
        info!(%material, player, positions = places.index.len(), seconds, "proved a player");
        Ok(Self { policy, tablebase, places, choices, mated_in, endangered })
    }

    /// What the policy is worth.
    pub fn proof(&self) -> Proof {
        let tally = Tally::new(self);
        let Tally { positions, winnable, won, drawable, held, optimal, .. } = tally;
        let excess_moves = tally.excess.iter().map(|(&over, count)| u64::from(over) * count);
        let excess_moves: u64 = excess_moves.sum();
        let longest_line = tally.longest.map(|(_, at)| self.longest_resistance(self.start(at)));
        let refutation = match (tally.refuted, tally.lost) {
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
            longest_moves: tally.longest.map(|(moves, _)| moves),
            mean_excess_moves: (won > 0).then(|| excess_moves as f64 / won as f64),
            optimal_share: if positions == 0 { 0.0 } else { optimal as f64 / positions as f64 },
            // The mate comes before a claim.
            fifty_move_safe: longest_line
                .as_ref()
                .is_none_or(|mate| mate.line.len() <= usize::from(FIFTY_MOVE_PLIES)),
            excess: tally.excess,
            longest_line,
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
        mates_in(probe(self.tablebase, position))
    }
}

/// The sums of a proof. A position counts as often as its orbit has positions.
#[derive(Default)]
struct Tally {
    positions: u64,
    winnable: u64,
    won: u64,
    drawable: u64,
    held: u64,
    optimal: u64,
    /// Won positions by their moves over the optimum.
    excess: BTreeMap<u16, u64>,
    /// The most moves to mate, and the first place that takes so many.
    longest: Option<(u16, usize)>,
    /// The first place that could be won and is not.
    refuted: Option<usize>,
    /// The first that could be held and is not.
    lost: Option<usize>,
}

impl Tally {
    fn new(game: &ProvedGame<'_>) -> Self {
        let mut tally = Self::default();
        let symmetries = game.policy.symmetries();
        for at in 0..game.places.index.len() {
            let Some(choice) = &game.choices[at] else { continue };
            let weight = symmetries.orbit_len(&game.start(at));
            tally.positions += weight;
            tally.optimal += if choice.is_optimal { weight } else { 0 };
            match choice.best {
                Outcome::Draw => tally.add_drawable(at, weight, game.endangered[at]),
                // A policy forces no more than the table, so what is not winnable is not won.
                best => {
                    if let Some(optimum) = mates_in(best) {
                        tally.add_winnable(at, weight, optimum, game.mated_in[at]);
                    }
                }
            }
        }
        tally
    }

    fn add_drawable(&mut self, at: usize, weight: u64, is_endangered: bool) {
        self.drawable += weight;
        if is_endangered {
            self.lost.get_or_insert(at);
        } else {
            self.held += weight;
        }
    }

    fn add_winnable(&mut self, at: usize, weight: u64, optimum: u16, mated_in: Option<u16>) {
        self.winnable += weight;
        let Some(moves) = mated_in else {
            self.refuted.get_or_insert(at);
            return;
        };
        self.won += weight;
        if self.longest.is_none_or(|(most, _)| moves > most) {
            self.longest = Some((moves, at));
        }
        *self.excess.entry(moves - optimum).or_default() += weight;
    }
}

/// In how many moves the side to move mates; nothing where it does not win.
fn mates_in(outcome: Outcome) -> Option<u16> {
    match outcome {
        Outcome::Win(_) => outcome.moves(),
        Outcome::Draw | Outcome::Loss(_) => None,
    }
}

pub(super) fn probe(tablebase: &Tablebase, position: &Position) -> Outcome {
    tablebase.probe(position).expect("the table has what moves lead to")
}

/// Which positions lead to which by a choice and a reply, read backwards: by place, the places that
/// have it as a reply.
struct Graph(Lists<u32, u32>);

impl Graph {
    fn new(choices: &[Option<Choice>]) -> Self {
        let replies =
            choices.iter().map(|choice| match choice.as_ref().map(|choice| &choice.next) {
                Some(Next::Replies { to, .. }) => to.as_slice(),
                _ => &[],
            });
        Self(Lists::reversed(replies, choices.len()))
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
                Some(Next::Failure { .. }) | None => {}
            }
        }
        let mut mated_in = vec![None; choices.len()];
        let mut moves = 0;
        while usize::from(moves) < levels.len() {
            for at in std::mem::take(&mut levels[usize::from(moves)]) {
                mated_in[at as usize] = Some(moves);
                for &earlier in self.0.get(at) {
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
            for &earlier in self.0.get(at) {
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
        let best = probe(tablebase, position);
        let (mut is_optimal, mut is_losing) = (true, false);
        let (mut next, mut unplaced) = (None, Vec::new());
        for mv in policy.choices(position) {
            let Ok(after) = position.play(mv) else {
                return (Self::without_move(position, best), Vec::new());
            };
            let outcome = probe(tablebase, &after).before_move();
            is_optimal &= outcome == best;
            is_losing |= matches!(outcome, Outcome::Loss(_));
            let leads_to = if after.material() == policy.material() {
                Next::after_replies(tablebase, places, &after, &mut unplaced)
            } else {
                Next::departed(outcome)
            };
            next = Some(match next {
                None => leads_to,
                Some(next) => leads_to.and(next),
            });
        }
        match next {
            Some(next) => (Self { best, is_optimal, is_losing, next }, unplaced),
            None => (Self::without_move(position, best), Vec::new()),
        }
    }

    /// Where the policy has no move to offer, or one that is not legal.
    fn without_move(position: &Position, best: Outcome) -> Self {
        let reason = match (position.has_moves(), position.is_check()) {
            (true, _) => Reason::NoMove,
            (false, true) => Reason::Lost,
            (false, false) => Reason::Stalemate,
        };
        Self {
            best,
            // Where there is no move, there is no better one.
            is_optimal: !position.has_moves(),
            is_losing: matches!(best, Outcome::Loss(_)),
            next: Next::Failure { reason, plies: 0 },
        }
    }
}

impl Next {
    /// Mate in so many moves, counting this one.
    fn won(moves: u16) -> Self {
        Self::Replies { to: Vec::new(), departures: Ok(moves - 1) }
    }

    /// What a move into another endgame leads to, by its outcome for the side that makes it.
    fn departed(outcome: Outcome) -> Self {
        let failure = Self::Failure { reason: Reason::OtherEndgame, plies: 1 };
        mates_in(outcome).map_or(failure, Self::won)
    }

    /// What all replies lead to; those that have no place yet are put with the others of that kind.
    fn after_replies(
        tablebase: &Tablebase,
        places: &Places,
        after: &Position,
        unplaced: &mut Vec<Position>,
    ) -> Self {
        let mut to = Vec::new();
        let (mut departures, mut is_over) = (Ok(0), true);
        after.visit_steps(|step| {
            let reply = after.after(step);
            is_over = false;
            if step.departs() {
                let comes_to = match mates_in(probe(tablebase, &reply)) {
                    Some(moves) => Ok(moves),
                    None if step.captured.is_some() => Err(Reason::LostPiece),
                    None => Err(Reason::OtherEndgame),
                };
                departures = worse(departures, comes_to);
                return;
            }
            match places.of(&reply) {
                Some(place) => to.push(place),
                None => unplaced.push(reply),
            }
        });
        if is_over && !after.is_check() {
            return Self::Failure { reason: Reason::Stalemate, plies: 1 };
        }
        Self::Replies { to, departures }
    }

    /// What two moves lead to of which either may be played.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Failure { reason, plies }, Self::Failure { plies: later, .. })
                if plies <= later =>
            {
                Self::Failure { reason, plies }
            }
            (Self::Failure { .. }, failure @ Self::Failure { .. })
            | (failure @ Self::Failure { .. }, Self::Replies { .. })
            | (Self::Replies { .. }, failure @ Self::Failure { .. }) => failure,
            (
                Self::Replies { mut to, departures },
                Self::Replies { to: more, departures: others },
            ) => {
                to.extend(more);
                to.sort_unstable();
                to.dedup();
                Self::Replies { to, departures: worse(others, departures) }
            }
        }
    }
}

/// The more moves to mate; or why there is none, a lost man before all else.
fn worse(one: Result<u16, Reason>, other: Result<u16, Reason>) -> Result<u16, Reason> {
    match (one, other) {
        (Ok(moves), Ok(more)) => Ok(moves.max(more)),
        (Err(Reason::LostPiece), _) | (_, Err(Reason::LostPiece)) => Err(Reason::LostPiece),
        (Err(reason), _) | (_, Err(reason)) => Err(reason),
    }
}
