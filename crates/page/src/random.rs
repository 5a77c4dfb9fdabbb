//! Random positions, and positions to practise with.

use super::knowledge::{PlayerInEndgame, endgame_of};
use super::practice_position::PracticePosition;
use super::query::{OfParameter, Optional, Turn, WholeNumber};
use super::stages::stage_of;
use super::tree::{BoardView, leaf_of, spread};
use super::{ApiError, PageState, Result};
use lucena_base::named::named;
use lucena_base::progress::{Observer, Progress};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_explain::lesson::Stage;
use lucena_proof::policy::{EndgameModel, Policy, StrategyPolicy, Unplayable};
use lucena_tablebase::{Index, Outcome, Tablebase};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Deserialize, JsonSchema)]
pub(super) struct RandomQuery {
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The side to move; default White, the strong side. At a leaf it is always Black, and for a rule
    /// always White.
    turn: Optional<Turn>,
    /// The positions to draw from; default all.
    by: Optional<DrawFrom>,
    /// For `distance` the moves to mate, for `leaf` the number of the leaf among the nodes, for `rule` the
    /// number of the rule, from 1.
    value: Optional<WholeNumber, u64>,
    /// The player whose leaf or rule it is.
    player: Optional<String>,
    /// The seed: the same one gives the same position. Default 1.
    seed: Optional<WholeNumber, u64>,
}

named! {
    /// The positions to draw from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum DrawFrom {
        /// All in which the game is not over.
        Any = "any",
        /// Those at a given number of moves from mate.
        Distance = "distance",
        /// Those of mutual zugzwang: whoever is to move does worse, in the outcome or, if there are no such
        /// positions, in the distance to mate.
        Zugzwang = "zugzwang",
        /// Those that reach a leaf of a player's tree.
        Leaf = "leaf",
        /// Those in which a rule of a player's strategy is used.
        Rule = "rule",
    }
}

pub(super) fn random(state: &PageState, query: RandomQuery) -> Result<BoardView> {
    let RandomQuery { material, turn, by, value, player, seed } = query;
    let (material, value) = (material.0, value.0);
    let by = by.0.unwrap_or(DrawFrom::Any);
    let turn = turn.0.unwrap_or(Turn::White).side();
    let mut rng = PositionRng(ChaCha8Rng::seed_from_u64(seed.0.map_or(1, |seed| seed.0)));
    let name = player.0.as_deref();
    let endgame = || endgame_of(state, name, material);
    let position = match by {
        DrawFrom::Leaf => leaf(state, named(name, by)?, material, valued(value, by)?, &mut rng)?,
        DrawFrom::Rule => rule(state, named(name, by)?, material, valued(value, by)?, &mut rng)?,
        DrawFrom::Any => rng.any(endgame()?, turn)?,
        DrawFrom::Distance => {
            let (material, moves) = (endgame()?, valued(value, by)?);
            at_distance(&state.tablebase(material)?, turn, moves, &mut rng)?
        }
        DrawFrom::Zugzwang => zugzwang(&state.tablebase(endgame()?)?, turn, &mut rng)?,
    };
    BoardView::of(state, &position)
}

/// The name of a player, or an error if none is given.
fn named(player: Option<&str>, by: DrawFrom) -> Result<&str> {
    player.ok_or_else(|| {
        ApiError::bad_request(format!("player: name the player that the {by} belongs to"))
    })
}

/// A value, or an error if none is given.
fn valued(value: Option<WholeNumber>, by: DrawFrom) -> Result<usize> {
    let what = match by {
        DrawFrom::Distance => "the moves to mate",
        DrawFrom::Leaf => "the number of the leaf",
        _ => "the number of the rule",
    };
    value
        .map(WholeNumber::place)
        .ok_or_else(|| ApiError::bad_request(format!("value: give {what} as the value")))
}

/// A source of random positions.
struct PositionRng(ChaCha8Rng);

/// The number of attempts to draw a legal position.
const DRAWS: usize = 10_000;

impl PositionRng {
    /// Draws one of some canonical positions, turned at random, so that all positions of the full board are
    /// equally likely.
    fn one_of(
        &mut self,
        index: &Index,
        numbers: &[usize],
        turn: Side,
        none: impl FnOnce() -> ApiError,
    ) -> Result<Position> {
        if numbers.is_empty() {
            return Err(none());
        }
        loop {
            let number = numbers[self.0.gen_range(0..numbers.len())];
            let position = index.placement(number, turn);
            let group = Group::new(position.material());
            let symmetries = group.symmetries();
            // A position that is its own mirror image stands for fewer positions.
            if self.0.gen_range(0..symmetries.len() as u64) < group.orbit_len(&position) {
                let symmetry = symmetries[self.0.gen_range(0..symmetries.len())];
                return Ok(symmetry.apply_to_position(&position));
            }
        }
    }

    /// Draws any position in which the game is not over.
    fn any(&mut self, material: Material, turn: Side) -> Result<Position> {
        let index = Index::new(material, Group::Identity);
        let mut drawn = (0..DRAWS).filter_map(|_| {
            let position = index.position(self.0.gen_range(0..index.len()), turn)?;
            position.has_moves().then(|| position.tidy())
        });
        drawn.next().ok_or_else(|| {
            ApiError::missing(format!("nobody can move in {material}: choose another endgame"))
        })
    }
}

fn at_distance(
    tablebase: &Tablebase,
    turn: Side,
    moves: usize,
    rng: &mut PositionRng,
) -> Result<Position> {
    let material = tablebase.material();
    let distance = |outcome: Outcome| outcome.moves().map(usize::from);
    let outcomes = tablebase.canonical_outcomes(turn);
    let so_far = outcomes.filter(|&(_, outcome)| distance(outcome) == Some(moves));
    let numbers: Vec<usize> = so_far.map(|(number, _)| number).collect();
    tablebase.check_readable()?;
    let index = Index::new(material, Group::new(material));
    rng.one_of(&index, &numbers, turn, || {
        let all = tablebase.canonical_outcomes(turn);
        let most = all.filter_map(|(_, outcome)| distance(outcome)).max();
        ApiError::missing(match most {
            None => format!("nobody mates in {material}: choose another endgame"),
            Some(most) => format!(
                "no position of {material} with {} to move is {moves} moves from mate: the most is {most}",
                Turn::of(turn)
            ),
        })
    })
}

fn zugzwang(tablebase: &Tablebase, turn: Side, rng: &mut PositionRng) -> Result<Position> {
    let material = tablebase.material();
    // The outcomes for the strong side if it is to move, and if the other side is.
    let both = tablebase.canonical_outcomes(Side::Strong).filter_map(|(number, moving)| {
        let waiting = tablebase.canonical_outcome(number, Side::Weak)?;
        Some((number, moving, of_the_other(waiting)))
    });
    let (mut results, mut distances) = (Vec::new(), Vec::new());
    for (number, moving, waiting) in both {
        if moving.wdl() < waiting.wdl() {
            results.push(number);
        } else if moving < waiting {
            distances.push(number);
        }
    }
    tablebase.check_readable()?;
    let numbers = if results.is_empty() { distances } else { results };
    let index = Index::new(material, Group::new(material));
    rng.one_of(&index, &numbers, turn, || {
        ApiError::missing(format!(
            "there is no mutual zugzwang in {material}: choose another endgame"
        ))
    })
}

/// The outcome for the other side.
fn of_the_other(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Win(plies) => Outcome::Loss(plies),
        Outcome::Draw => Outcome::Draw,
        Outcome::Loss(plies) => Outcome::Win(plies),
    }
}

fn leaf(
    state: &PageState,
    player: &str,
    material: Option<Material>,
    leaf: usize,
    rng: &mut PositionRng,
) -> Result<Position> {
    let known = PlayerInEndgame::new(state, player, material).of_parameter("player")?;
    let tree = known.tree().of_parameter("player")?;
    let counted = state.counted(&known.player, known.material, tree)?;
    leaf_of(&counted, leaf).of_parameter("value")?;
    let none = || ApiError::missing(format!("no position ends at leaf {leaf}: choose another"));
    let (index, numbers) = counted.ending_at(leaf as u32).ok_or_else(none)?;
    rng.one_of(index, &numbers, Side::Weak, none)
}

fn rule(
    state: &PageState,
    player: &str,
    material: Option<Material>,
    rule: usize,
    rng: &mut PositionRng,
) -> Result<Position> {
    let known = PlayerInEndgame::new(state, player, material).of_parameter("player")?;
    let (name, material) = (known.player.name().to_string(), known.material);
    let policy = known.strategy().of_parameter("player")?;
    let all = policy.strategy().rules().len();
    if rule == 0 || rule > all {
        return Err(ApiError::missing(format!(
            "value: the strategy has no rule {rule}: its rules have the numbers 1 to {all}"
        )));
    }
    let used =
        state.used.get(name, material, move |observer| Ok(positions_by_rule(&policy, observer)))?;
    let index = Index::new(material, Group::new(material));
    rng.one_of(&index, &used[rule - 1], Side::Strong, || {
        ApiError::missing(format!(
            "rule {rule} is not used in any of the positions examined: choose another"
        ))
    })
}

/// The most positions that are examined.
const MAX_LOOKED_AT: usize = 10_000;

/// Positions in which the rules of a strategy are used, spread over its endgame: for each rule the numbers of
/// canonical positions, with the strong side to move.
fn positions_by_rule(policy: &StrategyPolicy, observer: &dyn Observer) -> Vec<Vec<usize>> {
    observer.report(Progress { what: "looking where rules are used", done: 0, total: None });
    let material = policy.material();
    let index = Index::new(material, Group::new(material));
    // The step is odd, since an even step could skip all positions of a kind.
    let step = (index.len() / MAX_LOOKED_AT).max(1) | 1;
    let numbers: Vec<usize> = (0..index.len()).step_by(step).collect();
    let used = numbers.par_iter().filter_map(|&number| {
        let position = index.position(number, Side::Strong)?;
        Some((policy.used_rule(&position)?.rule?, number))
    });
    let mut by_rule = vec![Vec::new(); policy.strategy().rules().len()];
    for (rule, number) in used.collect::<Vec<_>>() {
        by_rule[rule].push(number);
    }
    by_rule
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct PracticeQuery {
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// The player whose endgame is the default.
    player: Optional<String>,
    /// The number of a stage of the endgame's lesson, from 1: only positions of its game are returned. Default all
    /// stages.
    stage: Optional<WholeNumber, u64>,
}

/// Positions to practise, the easiest first.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PracticeResponse {
    /// The endgame.
    material: String,
    /// Positions with White to move and win, the quickest first.
    positions: Vec<PracticePosition>,
}

/// The approximate number of positions.
const ABOUT: usize = 40;

pub(super) fn practice(state: &PageState, query: PracticeQuery) -> Result<PracticeResponse> {
    let material = endgame_of(state, query.player.0.as_deref(), query.material.0)?;
    let positions = match query.stage.0 {
        Some(number) => {
            let stage = stage_of(material, number).of_parameter("stage")?;
            let (tablebase, teachers) = (state.tablebase(material)?, state.teachers(material));
            let find = move |observer: &dyn Observer| {
                let what = "playing games by the methods";
                observer.report(Progress { what, done: 0, total: None });
                let found = of_stage(&tablebase, stage, &teachers)?;
                tablebase.check_readable()?;
                Ok(found)
            };
            state.practice.get(number.place().to_string(), material, find)?.as_ref().clone()
        }
        None => {
            let tablebase = state.tablebase(material)?;
            let found = positions(&tablebase);
            tablebase.check_readable()?;
            found
        }
    };
    if positions.is_empty() {
        return Err(ApiError::missing(format!(
            "White wins no position of {material}: practise another endgame"
        )));
    }
    Ok(PracticeResponse { material: material.to_string(), positions })
}

/// Won positions, spread over the distances to mate, and for each distance over the endgame.
pub(super) fn positions(tablebase: &Tablebase) -> Vec<PracticePosition> {
    let mut by_moves: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (number, outcome) in tablebase.canonical_outcomes(Side::Strong) {
        if let (Outcome::Win(_), Some(moves)) = (outcome, outcome.moves()) {
            by_moves.entry(moves).or_default().push(number);
        }
    }
    let distances: Vec<(u16, Vec<usize>)> = by_moves.into_iter().collect();
    let chosen: Vec<usize> = spread(&(0..distances.len()).collect::<Vec<_>>(), ABOUT).collect();
    let each = (ABOUT / chosen.len().max(1)).max(1);
    let material = tablebase.material();
    let (group, index) = (Group::new(material), Index::new(material, Group::new(material)));
    // The seed is fixed, so that the positions are the same each time; they are turned so that the king is
    // not always in one corner.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut positions = Vec::new();
    for (moves, numbers) in chosen.into_iter().map(|at| &distances[at]) {
        for number in spread(numbers, each) {
            let symmetries = group.symmetries();
            let symmetry = symmetries[rng.gen_range(0..symmetries.len())];
            let position = symmetry.apply_to_position(&index.placement(number, Side::Strong));
            positions.push(PracticePosition::new(&position, *moves, None));
        }
    }
    positions
}

/// The number of positions of a stage.
const OF_A_STAGE: usize = 12;

/// The positions of a stage's games, the quickest to the end first.
fn of_stage(
    tablebase: &Tablebase,
    stage: &Stage,
    teachers: &[EndgameModel],
) -> Result<Vec<PracticePosition>, Unplayable> {
    let policies = teachers.iter().map(|model| model.policy(tablebase));
    let policies = policies.collect::<Result<Vec<_>, _>>()?;
    let policies: Vec<&dyn Policy> = policies.iter().map(Box::as_ref).collect();
    let mut found = stage.game.positions(tablebase);
    found.sort_by_key(|(_, outcome)| outcome.moves());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let symmetries = Group::new(tablebase.material()).symmetries();
    let turned = spread(&found, OF_A_STAGE - 1).map(|(position, _)| {
        symmetries[rng.gen_range(0..symmetries.len())].apply_to_position(&position)
    });
    let all: Vec<Position> = [stage.game.start].into_iter().chain(turned).collect();
    let most = stage.game.most_moves(&policies, tablebase, &all);
    let mut positions: Vec<PracticePosition> = all
        .iter()
        .zip(most)
        .filter_map(|(position, most)| {
            let moves = tablebase.outcome(position).moves_to_win()?;
            Some(PracticePosition::new(position, moves, most))
        })
        .collect();
    positions.sort_by_key(|position| (position.most, position.moves));
    Ok(positions)
}
