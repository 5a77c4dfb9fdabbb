use super::graph::policy_graph::PolicyGraph;
use super::graph::position_numbers::{PlayerPlace, PositionNumbers};
use super::{Mate, Proof, ProveError, Refutation, Verdict};
use crate::policy::Policy;
use lucena_base::bits::BitSet;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_base::progress::{NoObserver, Observer, Stopped};
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Color, FIFTY_MOVE_PLIES, Material, Move, Position, Side};
use lucena_tablebase::{Index, Outcome, Tablebase, UnknownMaterial};
use rayon::prelude::*;
use std::num::NonZeroU16;
use std::time::Instant;
use tracing::info;

/// The game as a policy plays it, proved: the decision of the policy in each position, all replies, and the
/// moves to mate of every won position.
pub struct ProvedGame<'a> {
    pub(super) policy: &'a dyn Policy,
    pub(super) tablebase: &'a Tablebase,
    pub(super) places: PositionNumbers,
    pub(super) graph: PolicyGraph,
    /// The moves to mate of every won position.
    mated_in: IndexVec<PlayerPlace, Option<NonZeroU16>>,
    /// The numbers of the places from which a defence can reach a loss of the player.
    endangered: BitSet,
    /// The numbers of the places that the proof is about; `None` if it is about all.
    part: Option<BitSet>,
}

/// Returns the positions with a side to move that fulfil a condition, up to symmetry and without rights to capture in
/// passing. The condition is asked about canonical placements, where White is strong.
///
/// # Errors
/// If the observer asks to stop.
pub fn positions_of_part(
    material: Material,
    turn: Side,
    is_in_part: &(dyn Fn(&Position) -> bool + Sync),
    observer: &dyn Observer,
) -> Result<Vec<Position>, Stopped> {
    let places = PositionNumbers::new(material, turn, Group::new(material));
    let part = places.part(is_in_part, observer)?;
    let position = |number| places.player_position(PlayerPlace::new(number));
    Ok(part.iter().filter_map(position).collect())
}

impl<'a> ProvedGame<'a> {
    /// Proves a policy; see [`super::prove`].
    ///
    /// # Errors
    /// If the table, which provides the optimal results, is for another material than the policy.
    pub fn new(policy: &'a dyn Policy, tablebase: &'a Tablebase) -> Result<Self, ProveError> {
        Self::with_observer(policy, tablebase, &NoObserver)
    }

    /// Proves a policy, from the positions that it is made for, and reports progress to an observer.
    ///
    /// # Errors
    /// If the table is for another material than the policy, the observer asks to stop, or a table file can
    /// no longer be read.
    pub fn with_observer(
        policy: &'a dyn Policy,
        tablebase: &'a Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        let is_made_for = |position: &Position| policy.is_made_for(position);
        let part = policy.is_made_for_part().then_some(&is_made_for as &(dyn Fn(&_) -> _ + Sync));
        Self::of_places(policy, tablebase, part, observer)
    }

    /// Proves a policy in the positions that fulfil a condition. The policy plays on wherever that leads within its
    /// endgame. The condition is asked about canonical placements with the player to move, where White is strong.
    ///
    /// # Errors
    /// As for [`Self::with_observer`].
    pub fn of_part(
        policy: &'a dyn Policy,
        tablebase: &'a Tablebase,
        is_in_part: &(dyn Fn(&Position) -> bool + Sync),
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        Self::of_places(policy, tablebase, Some(is_in_part), observer)
    }

    fn of_places(
        policy: &'a dyn Policy,
        tablebase: &'a Tablebase,
        is_in_part: Option<&(dyn Fn(&Position) -> bool + Sync)>,
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        let (material, started) = (policy.material(), Instant::now());
        if tablebase.material() != material {
            return Err(UnknownMaterial { material, table: tablebase.material() }.into());
        }
        let places = PositionNumbers::new(material, policy.side(), policy.symmetries());
        let part = is_in_part.map(|test| places.part(test, observer)).transpose()?;
        let graph = match &part {
            Some(part) => PolicyGraph::of_part(policy, tablebase, &places, part, observer)?,
            None => {
                policy.prepare_everywhere(observer)?;
                PolicyGraph::of_all(policy, tablebase, &places, observer)?
            }
        };
        let movers = graph.movers(&places);
        let mated_in = graph.mated_in(&movers, tablebase, &places, observer)?;
        let endangered = graph.endangered(&movers, &places, observer)?;
        let (player, seconds) = (policy.name(), started.elapsed().as_secs_f64());
        tablebase.check_readable()?;
        info!(target: "lucena::proof::game", %material, player, positions = places.of_index(), seconds, "proved a player");
        Ok(Self { policy, tablebase, places, graph, mated_in, endangered, part })
    }

    /// Estimates the memory, in bytes, for proving a policy with these symmetries that leaves no moves tied,
    /// including the table as it is probed ([`Tablebase::unpacked`]).
    pub fn memory(material: Material, symmetries: Group) -> u64 {
        let index = Index::new(material, symmetries);
        BYTES_A_PLACE * index.len() as u64 + Tablebase::memory_unpacked(material)
    }

    /// Estimates the memory, in bytes, for proving a policy from a small part of an endgame.
    pub fn memory_of_part(material: Material, symmetries: Group) -> u64 {
        let index = Index::new(material, symmetries);
        BYTES_A_PLACE_AROUND * index.len() as u64 + Tablebase::memory_unpacked(material)
    }

    /// Returns the summary of the proof, with its lines. The observer receives the progress of the search for the
    /// shortest refutation.
    ///
    /// # Errors
    /// If the observer asks to stop, or a table file can no longer be read.
    pub fn proof(&self, observer: &dyn Observer) -> Result<Proof, Stopped> {
        let tally = Tally::new(self);
        let figures = self.sum_up(&tally)?;
        let longest_line = tally.longest.map(|(_, at)| self.longest_resistance(self.position(at)));
        let refutation = match (tally.refuted, tally.lost) {
            (Some(at), _) => Some(self.shortest_refutation(self.position(at), observer)?),
            (None, Some(at)) => Some(self.shortest_loss(self.position(at))),
            (None, None) => None,
        };
        self.tablebase.check_readable()?;
        Ok(Proof { longest_line, refutation, ..figures })
    }

    /// Returns the figures of the proof, without its lines: for callers that show no line, because the shortest
    /// refutation can take longer to find than the proof.
    ///
    /// # Errors
    /// If a table file can no longer be read.
    pub fn figures(&self) -> Result<Proof, Stopped> {
        self.sum_up(&Tally::new(self))
    }

    fn sum_up(&self, tally: &Tally) -> Result<Proof, Stopped> {
        self.tablebase.check_readable()?;
        let proof = tally.proof.clone();
        let Proof { optimal, positions, won, .. } = proof;
        let excess_moves = proof.excess.iter().map(|(&over, count)| u64::from(over) * count);
        let excess_moves: u64 = excess_moves.sum();
        let longest_moves = tally.longest.map(|(moves, _)| moves);
        Ok(Proof {
            longest_moves,
            mean_excess_moves: (won > 0).then(|| excess_moves as f64 / won as f64),
            optimal_share: if positions == 0 { 0.0 } else { optimal as f64 / positions as f64 },
            // The last move mates, and mate takes precedence over a draw claim.
            fifty_move_safe: longest_moves.is_none_or(|moves| moves <= FIFTY_MOVE_PLIES / 2),
            ranking: self.policy.model().and_then(|model| model.is_ranking(self.tablebase)),
            ..proof
        })
    }

    /// Returns the positions that the proof is about or got to, up to symmetry, with the player to move.
    pub fn reached(&self) -> impl Iterator<Item = Position> + '_ {
        let places = (0..self.places.player_count()).map(PlayerPlace::new);
        let reached = places.filter(|&place| self.graph.has(place));
        reached.filter_map(|place| self.places.player_position(place))
    }

    /// Returns the position at a place that has been counted or reached.
    pub(super) fn position(&self, place: PlayerPlace) -> Position {
        self.places.player_position(place).expect("what is counted or reached is legal")
    }

    /// Returns the result of one position. The strong side may be of either colour. The observer receives the progress
    /// of the search for the shortest refutation.
    ///
    /// # Errors
    /// If the position is of another material, the player is not to move, the proof is about a part from which it does not
    /// get to the position, or the observer asks to stop.
    pub fn verdict(
        &self,
        position: &Position,
        observer: &dyn Observer,
    ) -> Result<Verdict, ProveError> {
        let (found, played) = (position.material(), self.policy.material());
        if found != played {
            return Err(ProveError::Material { found, played });
        }
        if position.turn() != self.policy.side() {
            return Err(ProveError::OtherSideToMove(position.color_to_move()));
        }
        // The proof is for White as the strong side.
        let (start, back) = match position.strong() {
            Color::White => (*position, Symmetry::IDENTITY),
            Color::Black if played.has_pawns() => {
                (position.with_colors_exchanged(), Symmetry::UPSIDE_DOWN)
            }
            Color::Black => (position.with_colors_exchanged(), Symmetry::IDENTITY),
        };
        if !self.graph.has(self.places.player(&start)) {
            return Err(ProveError::OutsidePart);
        }
        let line = |line: Vec<Move>| line.into_iter().map(|mv| back.apply_to_move(mv)).collect();
        Ok(if self.mated_in(&start).is_some() {
            let mate = self.longest_resistance(start);
            Verdict::Won(Mate { start: *position, line: line(mate.line) })
        } else {
            let refutation = self.shortest_refutation(start, observer)?;
            let line = line(refutation.line);
            Verdict::NotWon(Refutation { start: *position, line, ..refutation })
        })
    }

    /// Returns the moves to mate at a place, if it is won.
    pub(super) fn moves_to_mate(&self, place: PlayerPlace) -> Option<u16> {
        self.mated_in[place].map(NonZeroU16::get)
    }

    /// Returns the moves to mate of a won position with the player to move, of this endgame or another.
    pub(super) fn mated_in(&self, position: &Position) -> Option<u16> {
        if position.material() == self.policy.material() {
            return self.mated_in[self.places.player(position)].map(NonZeroU16::get);
        }
        self.tablebase.outcome(position).moves_to_win()
    }
}

/// Bytes for each place, if half of the positions are legal and have one move each.
const BYTES_A_PLACE: u64 = 18;

/// Bytes for each place, if few of them are reached.
const BYTES_A_PLACE_AROUND: u64 = 10;

/// The sums of a proof. Each position is counted with the size of its orbit.
#[derive(Default)]
struct Tally {
    /// The numbers of positions.
    proof: Proof,
    /// The most moves to mate, and the first place that takes that many.
    longest: Option<(u16, PlayerPlace)>,
    /// The first place that could be won and is not.
    refuted: Option<PlayerPlace>,
    /// The first place that could be held and is not.
    lost: Option<PlayerPlace>,
}

/// The number of places that one thread sums up.
const BATCH: usize = 1 << 12;

impl Tally {
    fn new(game: &ProvedGame<'_>) -> Self {
        let count = game.places.of_index();
        let parts = (0..count.div_ceil(BATCH)).into_par_iter().map(|part| {
            let mut tally = Self::default();
            for at in part * BATCH..count.min((part + 1) * BATCH) {
                tally.add(game, PlayerPlace::new(at));
            }
            tally
        });
        parts.collect::<Vec<_>>().into_iter().fold(Self::default(), Self::and)
    }

    /// Adds the sums of later places.
    fn and(mut self, later: Self) -> Self {
        let (proof, more) = (&mut self.proof, later.proof);
        proof.positions += more.positions;
        proof.winnable += more.winnable;
        proof.won += more.won;
        proof.drawable += more.drawable;
        proof.held += more.held;
        proof.optimal += more.optimal;
        for (over, count) in more.excess {
            *proof.excess.entry(over).or_default() += count;
        }
        for (optimum, more) in more.by_distance {
            let at = proof.by_distance.entry(optimum).or_default();
            at.winnable += more.winnable;
            at.won += more.won;
            at.in_time += more.in_time;
        }
        let is_longer =
            |(moves, _): &(u16, PlayerPlace)| self.longest.is_none_or(|(most, _)| *moves > most);
        self.longest = later.longest.filter(is_longer).or(self.longest);
        self.refuted = self.refuted.or(later.refuted);
        self.lost = self.lost.or(later.lost);
        self
    }

    fn add(&mut self, game: &ProvedGame<'_>, place: PlayerPlace) {
        if game.part.as_ref().is_some_and(|part| !part.contains(place.number())) {
            return;
        }
        let Some(position) = game.places.player_position(place) else { return };
        let weight = game.places.orbit_len(&position);
        self.proof.positions += weight;
        self.proof.optimal += if game.graph.is_optimal(place) { weight } else { 0 };
        let best = game.places.outcome(game.tablebase, place, &position);
        if best == Outcome::Draw {
            self.proof.drawable += weight;
            if game.endangered.contains(place.number()) {
                self.lost.get_or_insert(place);
            } else {
                self.proof.held += weight;
            }
        }
        // A policy cannot win faster than the table, so a position that is not winnable is not won.
        let Some(optimum) = best.moves_to_win() else { return };
        self.proof.winnable += weight;
        let at = self.proof.by_distance.entry(optimum).or_default();
        at.winnable += weight;
        let Some(moves) = game.mated_in[place].map(NonZeroU16::get) else {
            self.refuted.get_or_insert(place);
            return;
        };
        self.proof.won += weight;
        if self.longest.is_none_or(|(most, _)| moves > most) {
            self.longest = Some((moves, place));
        }
        at.won += weight;
        at.in_time += if moves == optimum { weight } else { 0 };
        *self.proof.excess.entry(moves - optimum).or_default() += weight;
    }
}
