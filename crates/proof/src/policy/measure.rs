//! The policy of a measure.

use super::unplayable::{self, Unplayable, check_domain};
use super::{Decision, MoveComparison, PlayedModel, Policy, PolicyGrounds, is_symmetric};
use crate::graph::{After, Before};
use crate::measure::{
    BareKingGraph, Boards, LookAhead, LookedAhead, SafeMoveGraph, Score, Situation, Stop,
};
use lucena_attributes::{Quantity, QuantitySet};
use lucena_base::index_vec::IndexVec;
use lucena_base::plural::{count, moves};
use lucena_base::progress::{NoObserver, Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{
    Bitboard, Material, Move, MoveList, Position, SafeMoves, Side, Square, is_quiet,
};
use lucena_model::{Goal, Horizon, Measure, MeasureError, ModelKind, Term};
use lucena_tablebase::Tablebase;
use rayon::prelude::*;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Plays the strong side by a measure: a number that it makes as small as it can within a few moves. It needs no table.
///
/// A move that wins at once in another endgame is always played. Otherwise the measure chooses among the safe moves; see
/// [`SafeMoves`]. [`Policy::choices`] returns all moves that the measure leaves tied. They move with the board, because
/// a measure may only use quantities that stay the same when the board is rotated or mirrored.
///
/// ```
/// use lucena_proof::policy::{MeasurePolicy, Policy};
/// use lucena_model::Measure;
///
/// let measure = Measure::from_json(br#"{
///     "kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "look": 3, "goal": "any-move", "secure": 0,
///     "terms": [{"quantity": "kRoom", "low": 0, "high": 63, "meaning": "squares", "weight": 1}]
/// }"#)?;
/// let policy = MeasurePolicy::new(measure)?;
/// let position = "8/8/8/3k4/8/8/7R/K7 w - - 0 1".parse()?;
/// assert_eq!(policy.choose(&position).unwrap().to_string(), "a1b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MeasurePolicy {
    measure: Measure,
    material: Material,
    quantities: Arc<QuantitySet>,
    /// What it has looked at so far, by the rules alone.
    searched: Mutex<Searched>,
    /// The scores of stopping at every position, and what it can force from there, if that has been worked out.
    stops: OnceLock<StopsEverywhere>,
    forced: OnceLock<ForcedEverywhere>,
    sha256: OnceLock<String>,
}

/// The most moves to look ahead for which a search of one position meets a small part of an endgame of four men.
const SHORT_LOOK: u8 = 4;

/// The number of searches of single positions that take as long as all of an endgame of four men against a bare king.
/// One search takes as long as all of an endgame of three men.
const SEARCHES_OF_FOUR_MEN: usize = 5;

impl MoveComparison for LookedAhead {
    fn moves(&self) -> &[(Move, Position)] {
        &self.moves
    }

    fn tied(&self) -> &[usize] {
        &self.tied
    }
}

/// The search of single positions by a measure, with what it has found.
#[derive(Default)]
struct Searched {
    /// The search, once there was one.
    look_ahead: Option<LookAhead<Terms>>,
    /// The number of searches.
    made: usize,
}

/// All positions of an endgame, and the score of stopping at each. It does not depend on the number of moves ahead.
#[derive(Clone)]
enum StopsEverywhere {
    /// Against a bare king.
    BareKing(Arc<BareKingStops>),
    /// In any endgame.
    Any(Arc<SafeMoveStops>),
}

struct BareKingStops {
    graph: BareKingGraph,
    here: Boards<Score>,
}

struct SafeMoveStops {
    graph: SafeMoveGraph,
    situations: IndexVec<Before, Situation>,
    here: IndexVec<After, Score>,
}

/// What a measure can force from every position of its endgame.
enum ForcedEverywhere {
    /// Against a bare king.
    BareKing { stops: Arc<BareKingStops>, forced: Boards<Score> },
    /// In any endgame.
    Any { stops: Arc<SafeMoveStops>, forced: IndexVec<After, Score> },
}

/// The terms of a measure, as the search asks for them.
struct Terms {
    quantities: Arc<QuantitySet>,
    terms: Vec<Term>,
    /// The terms that can make the greatest difference first: the number of each, and the least sum of those after it.
    order: Vec<(usize, i32)>,
    secure: u8,
}

impl Terms {
    fn new(measure: &Measure, quantities: Arc<QuantitySet>) -> Self {
        let ends = |term: &Term| {
            let (low, high) = (term.quantity.low, term.quantity.high);
            let all = (low..=high).map(|value| term.contribution.of(value, low));
            all.fold((i32::MAX, i32::MIN), |(least, most), one| (least.min(one), most.max(one)))
        };
        let ends: Vec<(i32, i32)> = measure.terms().iter().map(ends).collect();
        let mut numbers: Vec<usize> = (0..ends.len()).collect();
        numbers.sort_by_key(|&number| ends[number].0 - ends[number].1);
        let least = |numbers: &[usize]| numbers.iter().map(|&number| ends[number].0).sum();
        let order = (0..numbers.len()).map(|at| (numbers[at], least(&numbers[at + 1..]))).collect();
        let (terms, secure) = (measure.terms().to_vec(), measure.horizon().secure);
        Self { quantities, terms, order, secure }
    }

    /// Returns the number that a term adds in a position.
    fn contribution(&self, number: usize, position: &Position) -> i32 {
        let (term, quantity) = (&self.terms[number], &self.quantities.quantities()[number]);
        term.contribution.of(quantity.value(position), term.quantity.low)
    }

    fn value(&self, position: &Position) -> i32 {
        value_in(&self.quantities, &self.terms, position)
    }
}

/// Returns the sum of terms in a position, without a list of the values.
fn value_in(quantities: &QuantitySet, terms: &[Term], position: &Position) -> i32 {
    let mut sum = 0;
    quantities.visit_values(position, |at, value| {
        sum += terms[at].contribution.of(value, terms[at].quantity.low);
    });
    sum
}

/// Calls `visit` with each of some squares, and the sum of terms with the weak king there.
fn visit_values_over(
    quantities: &QuantitySet,
    terms: &[Term],
    position: &Position,
    kings: Bitboard,
    mut visit: impl FnMut(Square, i32),
) {
    let mut sum = 0;
    quantities.visit_values_over(position, kings, |king, at, value| {
        sum += terms[at].contribution.of(value, terms[at].quantity.low);
        if at + 1 == terms.len() {
            visit(king, std::mem::take(&mut sum));
        }
    });
}

impl Stop for Terms {
    fn score(&self, position: &Position) -> Score {
        match self.secure {
            0 => Score::new(self.value(position)),
            secure if is_doomed(position, secure) => Score::UNSAFE,
            _ => Score::new(self.value(position)),
        }
    }

    fn score_below(&self, position: &Position, limit: Score) -> Option<Score> {
        let mut sum = 0;
        for &(number, rest) in &self.order {
            sum += self.contribution(number, position);
            if Score::new(sum + rest) >= limit {
                return None;
            }
        }
        (self.secure == 0 || !is_doomed(position, self.secure)).then(|| Score::new(sum))
    }
}

/// Returns true if the weak side, to move, can force a position without a safe move within a number of replies.
fn is_doomed(position: &Position, replies: u8) -> bool {
    let mut is_doomed = false;
    position.visit_steps(|step| {
        is_doomed = is_doomed
            || match SafeMoves::new(&position.after(step)) {
                SafeMoves::WinsAtOnce(_) => false,
                SafeMoves::Holding(_) | SafeMoves::Unsafe(_) => true,
                SafeMoves::Safe(moves) => {
                    replies > 1
                        && moves.iter().all(|(_, after)| self::is_doomed(after, replies - 1))
                }
            };
    });
    is_doomed
}

impl MeasurePolicy {
    /// Creates the policy that plays by a measure.
    ///
    /// # Errors
    /// If the measure is for no endgame, or uses a quantity that its endgame does not have or that changes when the
    /// board is rotated or mirrored.
    pub fn new(measure: Measure) -> Result<Self, Unplayable> {
        let policy = Self::from_checked(measure)?;
        let turns = |quantity: &&Quantity| {
            !is_symmetric(policy.material, |position| quantity.value(position))
        };
        match policy.quantities.quantities().iter().find(turns) {
            Some(quantity) => {
                let (kind, column) = (ModelKind::Measure, quantity.name());
                Err(Unplayable::Turns { kind, column })
            }
            None => Ok(policy),
        }
    }

    /// Creates the policy for a measure whose quantities are known to stay the same when the board is rotated or
    /// mirrored.
    ///
    /// # Errors
    /// Those of [`Self::new`] but for that check.
    pub fn from_checked(measure: Measure) -> Result<Self, Unplayable> {
        let material = Self::endgame(&measure)?;
        let names = measure.terms().iter().map(|term| term.quantity.name.as_str());
        let kind = ModelKind::Measure;
        let quantities = QuantitySet::named(material, names).map_err(Unplayable::unknown(kind))?;
        let quantities = Arc::new(quantities);
        for (term, quantity) in measure.terms().iter().zip(quantities.quantities()) {
            let stated = (term.quantity.low, term.quantity.high);
            check_domain(kind, &term.quantity.name, stated, quantity.domain())?;
        }
        let searched = Mutex::default();
        let (stops, forced, sha256) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Ok(Self { measure, material, quantities, searched, stops, forced, sha256 })
    }

    /// The policy of the same measure that looks another number of moves ahead. It shares what this one has worked out
    /// about the whole endgame.
    ///
    /// # Errors
    /// If no measure looks so far.
    pub fn looking(&self, look: u8, goal: Goal) -> Result<Self, MeasureError> {
        let horizon = Horizon { look, goal, ..self.measure.horizon() };
        let measure = self.measure.with_horizon(horizon)?;
        let policy =
            Self::from_checked(measure).expect("the endgame and the quantities are the same");
        let stops = self.stops.get().cloned().map_or_else(OnceLock::new, OnceLock::from);
        Ok(Self { stops, ..policy })
    }

    /// Returns the endgame of a measure.
    ///
    /// # Errors
    /// If it is for none.
    pub fn endgame(measure: &Measure) -> Result<Material, Unplayable> {
        unplayable::endgame(ModelKind::Measure, &measure.origin().material)
    }

    /// Returns the measure.
    pub fn measure(&self) -> &Measure {
        &self.measure
    }

    /// Returns the SHA-256 of the measure's JSON file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| self.measure.sha256())
    }

    /// Returns the quantities that it adds up, in the order of its terms.
    pub fn quantities(&self) -> &QuantitySet {
        &self.quantities
    }

    /// Returns its decision in a position of its material with the strong side to move, found by a search or from what
    /// it can force everywhere, whichever is quicker.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn decide(&self, position: &Position) -> Decision<LookedAhead> {
        let Some(everywhere) = self.everywhere() else {
            return match SafeMoves::new(position) {
                SafeMoves::WinsAtOnce(moves) => Decision::AtOnce(moves),
                SafeMoves::Holding(moves) => Decision::Holding(moves),
                SafeMoves::Unsafe(moves) => Decision::Unsafe(moves),
                SafeMoves::Safe(moves) => {
                    Decision::Compared(self.search(|ahead| ahead.search(moves)))
                }
            };
        };
        everywhere.decide(position)
    }

    /// Returns what a safe move that leads to a position can force.
    pub fn forced_after(&self, after: &Position) -> Score {
        match self.everywhere() {
            Some(everywhere) => everywhere.after(after).unwrap_or(Score::UNSAFE),
            None => self.search(|ahead| ahead.forced_after(after)),
        }
    }

    /// Returns its value in a position with the weak side to move.
    pub fn value(&self, position: &Position) -> i32 {
        value_in(&self.quantities, self.measure.terms(), position)
    }

    /// Returns true if the best score falls with every move and reply in all positions that can be won: the measure is then
    /// a ranking function, which is a proof by itself. `None` before [`Policy::prepare_everywhere`].
    pub fn is_ranking(&self, tablebase: &Tablebase) -> Option<bool> {
        let can_be_won = |position: &Position| tablebase.outcome(position).moves_to_win().is_some();
        let stuck = match self.forced.get()? {
            ForcedEverywhere::BareKing { stops, forced } => {
                let graph = &stops.graph;
                let best = graph.best(forced);
                let tied = graph.tied(forced, &best);
                graph.stuck(forced, &best, &tied, &graph.squares_before(can_be_won))
            }
            ForcedEverywhere::Any { stops, forced } => {
                let graph = &stops.graph;
                let best = graph.best(forced, &stops.situations);
                let winnable = graph.numbering().befores().map(|position| can_be_won(&position));
                let winnable: IndexVec<Before, bool> = winnable.collect::<Vec<_>>().into();
                graph.stuck(forced, &best, |before| winnable[before])
            }
        };
        Some(stuck == 0)
    }

    /// Returns what it can force everywhere, if that is known or is quicker to work out than a search.
    fn everywhere(&self) -> Option<&ForcedEverywhere> {
        self.prepare(&NoObserver).ok()?;
        self.forced.get()
    }

    /// Returns true if all of the endgame is worked out as quickly as another search: it has no more than four men, and
    /// a search would meet a large part of it, or it is known already, or has few boards against a bare king.
    fn is_quicker_everywhere(&self) -> bool {
        let is_far = self.measure.horizon().look > SHORT_LOOK;
        let searches = if self.material.men() == 4 { SEARCHES_OF_FOUR_MEN } else { 0 };
        let has_few_boards =
            BareKingGraph::suits(self.material) && self.searched().made >= searches;
        self.material.men() <= 4 && (is_far || self.stops.get().is_some() || has_few_boards)
    }

    /// Returns what one more search finds.
    fn search<T>(&self, ask: impl FnOnce(&mut LookAhead<Terms>) -> T) -> T {
        let mut searched = self.searched();
        searched.made += 1;
        ask(searched.look_ahead.get_or_insert_with(|| {
            let terms = Terms::new(&self.measure, Arc::clone(&self.quantities));
            let Horizon { look, goal, .. } = self.measure.horizon();
            LookAhead::new(self.material, terms, look, goal)
        }))
    }

    fn searched(&self) -> std::sync::MutexGuard<'_, Searched> {
        self.searched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn asked_in(&self, position: &Position) -> Option<Decision<LookedAhead>> {
        let has_say = position.material() == self.material && position.turn() == Side::Strong;
        has_say.then(|| self.decide(position))
    }
}

impl StopsEverywhere {
    fn new(policy: &MeasurePolicy, observer: &dyn Observer) -> Result<Self, Stopped> {
        let secure = policy.measure.horizon().secure;
        if let Some(graph) = BareKingGraph::new(policy.material) {
            let mut here = graph.score_boards(|position, kings, visit| {
                visit_values_over(
                    &policy.quantities,
                    policy.measure.terms(),
                    position,
                    kings,
                    |king, value| visit(king, Score::new(value)),
                );
            });
            observer.check()?;
            graph.close_doomed(&mut here, secure);
            return Ok(Self::BareKing(Arc::new(BareKingStops { graph, here })));
        }
        let graph = SafeMoveGraph::new(policy.material, observer)?;
        let situations = graph.situations();
        observer.check()?;
        let doomed = graph.doomed(&situations, secure);
        observer.check()?;
        let values = graph.values(|position| policy.value(position));
        let here = values
            .pairs()
            .map(|(after, &value)| if doomed[after] { Score::UNSAFE } else { Score::new(value) });
        let here: IndexVec<_, Score> = here.collect::<Vec<_>>().into();
        Ok(Self::Any(Arc::new(SafeMoveStops { graph, situations, here })))
    }

    /// Returns what can be forced from everywhere, looking a number of moves ahead.
    fn forced(
        &self,
        look: u8,
        goal: Goal,
        observer: &dyn Observer,
    ) -> Result<ForcedEverywhere, Stopped> {
        Ok(match self {
            Self::BareKing(stops) => {
                let forced = stops.graph.forced(&stops.here, look, goal, observer)?;
                ForcedEverywhere::BareKing { stops: Arc::clone(stops), forced }
            }
            Self::Any(stops) => {
                let SafeMoveStops { graph, situations, here } = &**stops;
                let forced = graph.forced(here, situations, look, goal, observer)?;
                ForcedEverywhere::Any { stops: Arc::clone(stops), forced }
            }
        })
    }
}

impl ForcedEverywhere {
    /// Returns what a move that leads to a position of the endgame can force; `None` if it is not safe.
    fn after(&self, after: &Position) -> Option<Score> {
        match self {
            Self::BareKing { stops, forced } => {
                let graph = &stops.graph;
                let (formation, king) = graph.place(after);
                graph.is_quiet((formation, king)).then(|| forced[formation][king as usize])
            }
            Self::Any { stops, forced } => {
                let graph = &stops.graph;
                let number = graph.numbering().after(after);
                let is_quiet = match after.en_passant() {
                    None => graph.is_quiet(number),
                    Some(_) => is_quiet(after),
                };
                is_quiet.then(|| forced[number])
            }
        }
    }

    fn decide(&self, position: &Position) -> Decision<LookedAhead> {
        let mut forced = Vec::new();
        let moves = SafeMoves::with_test(position, |after| {
            let found = self.after(after);
            forced.extend(found);
            found.is_some()
        });
        let moves = match moves {
            SafeMoves::WinsAtOnce(moves) => return Decision::AtOnce(moves),
            SafeMoves::Holding(moves) => return Decision::Holding(moves),
            SafeMoves::Unsafe(moves) => return Decision::Unsafe(moves),
            SafeMoves::Safe(moves) => moves,
        };
        let best = forced.iter().copied().min().unwrap_or(Score::UNSAFE);
        let tied = (0..moves.len()).filter(|&at| forced[at] == best).collect();
        Decision::Compared(LookedAhead { moves, tied, best })
    }
}

impl Policy for MeasurePolicy {
    fn name(&self) -> String {
        let terms = count(self.measure.terms().len() as u64, "term", "terms");
        format!("measure of {terms}, looking {} ahead", moves(self.measure.horizon().look.into()))
    }

    fn material(&self) -> Material {
        self.material
    }

    fn symmetries(&self) -> Group {
        Group::new(self.material)
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.choices(position).first().copied()
    }

    fn choices(&self, position: &Position) -> MoveList {
        self.asked_in(position).map_or_else(MoveList::new, |decision| decision.tied())
    }

    fn plays(&self, position: &Position) -> Option<Vec<(Move, Position)>> {
        self.asked_in(position)
            .map_or_else(|| Some(Vec::new()), |decision| decision.plays(position))
    }

    fn prepare(&self, observer: &dyn Observer) -> Result<(), Stopped> {
        if self.forced.get().is_none() && self.is_quicker_everywhere() {
            self.prepare_everywhere(observer)?;
        }
        Ok(())
    }

    fn prepare_everywhere(&self, observer: &dyn Observer) -> Result<(), Stopped> {
        if self.forced.get().is_none() {
            let stops = match self.stops.get() {
                Some(known) => known,
                None => {
                    let stops = StopsEverywhere::new(self, observer)?;
                    self.stops.get_or_init(|| stops)
                }
            };
            let Horizon { look, goal, .. } = self.measure.horizon();
            let forced = stops.forced(look, goal, observer)?;
            self.forced.get_or_init(|| forced);
        }
        Ok(())
    }

    fn grounds(&self, position: &Position) -> PolicyGrounds {
        let decision = self.asked_in(position);
        PolicyGrounds::Measure {
            name: self.name(),
            tied: decision.as_ref().map_or(0, |decision| decision.tied().len()),
            forced: match decision {
                Some(Decision::Compared(LookedAhead { best, .. })) => Some(best),
                _ => None,
            },
        }
    }

    fn model(&self) -> Option<PlayedModel<'_>> {
        Some(PlayedModel::Measure(self))
    }
}
