//! The confusion matrix of a tree.

use super::answers::{LearnParams, TreeAnswers, TreeSource};
use super::attributes::small;
use super::knowledge::{PlayerInEndgame, endgame, usual};
use super::query::{OfParameter, Optional, Paging, WholeNumber, parsed};
use super::tree::BoardView;
use super::{ApiError, PageState, Result};
use lucena_attributes::Selection;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_learn::{LearnerKind, Percentage};
use lucena_tablebase::Index;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub(super) struct ConfusionQuery {
    /// The endgame, of at most three men; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// A player that goes by a tree. Give either a player or a learner.
    player: Optional<String>,
    /// A learner, such as `cart`.
    learner: Optional<LearnerKind>,
    /// The percentage of the positions to learn from, 1 to 100; the tree is tested on the others, or at 100
    /// on all. Default 50.
    share: Optional<WholeNumber, u64>,
    /// The attributes to learn from; default `geometric`.
    set: Optional<Selection>,
    /// The seed of the split; default 1.
    seed: Optional<WholeNumber, u64>,
}

/// A confusion matrix, over positions up to symmetry with the weak side to move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ConfusionResponse {
    /// The true classes, a row each.
    classes: Vec<String>,
    /// The possible answers, a column each: the classes, unless the tree has its own classes.
    answers: Vec<String>,
    /// For each class the number of positions with each answer.
    counts: Vec<Vec<u64>>,
    /// For each class the number of positions without an answer.
    unanswered: Vec<u64>,
    /// The share of positions answered with their class, from 0 to 1; null if the tree has its own classes.
    accuracy: Option<f64>,
    /// The result in a sentence.
    text: String,
}

pub(super) fn confusion(state: &PageState, query: ConfusionQuery) -> Result<ConfusionResponse> {
    let (answers, _) = answers(state, query)?;
    Ok(ConfusionResponse {
        counts: answers.counts(),
        unanswered: answers.unanswered(),
        accuracy: answers.accuracy(),
        text: answers.sentence(),
        classes: answers.classes.clone(),
        answers: answers.answers.clone(),
    })
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct CellQuery {
    /// The matrix.
    #[serde(flatten)]
    of: ConfusionQuery,
    /// The number of the true class, from 0.
    #[serde(deserialize_with = "parsed")]
    #[schemars(with = "u64")]
    truth: WholeNumber,
    /// The number of the answer, from 0; default the positions without an answer.
    answer: Optional<WholeNumber, u64>,
    /// The number of positions to skip; default 0.
    offset: Optional<WholeNumber, u64>,
    /// The most positions to return, up to 500; default 12.
    limit: Optional<WholeNumber, u64>,
}

/// Positions of a cell of the matrix.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CellResponse {
    /// The number of positions.
    found: usize,
    /// The number of these that are skipped.
    offset: usize,
    /// Some of them; those of each page are spread over all.
    boards: Vec<BoardView>,
}

/// The default number of boards.
const DEFAULT_BOARDS: u64 = 12;

pub(super) fn cell(state: &PageState, query: CellQuery) -> Result<CellResponse> {
    let CellQuery { of, truth, answer, offset, limit } = query;
    let paging = Paging::new(offset.0, limit.0.or(Some(WholeNumber(DEFAULT_BOARDS))))?;
    let (answers, material) = answers(state, of)?;
    let known = |number: WholeNumber, names: &[String], what: &str| match number.place() {
        place if place < names.len() => Ok(place),
        place => Err(ApiError::missing(format!(
            "there is no {what} {place}: they have the numbers 0 to {}",
            names.len() - 1
        ))),
    };
    let truth = known(truth, &answers.classes, "class").of_parameter("truth")?;
    let answer = answer.0.map(|answer| known(answer, &answers.answers, "answer")).transpose();
    let answer = answer.of_parameter("answer")?;
    let numbers = answers.positions(truth, answer);
    let index = Index::new(material, Group::new(material));
    let boards = paging
        .spread(&numbers)
        .map(|number| BoardView::of(state, &index.placement(number, Side::Weak)));
    Ok(CellResponse {
        found: numbers.len(),
        offset: paging.offset,
        boards: boards.collect::<Result<_, _>>()?,
    })
}

/// The answers that a query is about, computed or from the cache.
fn answers(state: &PageState, query: ConfusionQuery) -> Result<(Arc<TreeAnswers>, Material)> {
    let ConfusionQuery { material, player, learner, share, set, seed } = query;
    let (name, material, answerer) = match (player.0, learner.0) {
        (Some(player), None) => {
            let material = endgame(&*state.player(&player).of_parameter("player")?, material.0)?;
            small(material, || format!("lucena validate {material} --player {player}"))?;
            let known = PlayerInEndgame::new(state, &player, Some(material));
            let tree = known.and_then(|known| known.tree()).of_parameter("player")?;
            (player, material, TreeSource::Player(tree))
        }
        (None, Some(learner)) => {
            let material = material.0.unwrap_or_else(usual);
            let set = set.0.unwrap_or(Selection::Geometric);
            small(material, || {
                format!("lucena learn {material} --learner {learner} --attributes {set}")
            })?;
            let (share, seed) = (learned_share(share.0)?, seed.0.map_or(1, |seed| seed.0));
            let learning = LearnParams { learner, set, share, seed };
            (format!("learner {learning:?}"), material, TreeSource::Learned(learning))
        }
        _ => {
            return Err(ApiError::bad_request(
                "name either a player, such as player=exact, or a learner, such as learner=cart",
            ));
        }
    };
    let tablebase = state.tablebase(material)?;
    let answers = state
        .answers
        .get(name, material, move |observer| TreeAnswers::new(&tablebase, answerer, observer))?;
    Ok((answers, material))
}

/// The share to learn from; `None` for all.
fn learned_share(share: Option<WholeNumber>) -> Result<Option<Percentage>> {
    match share.map_or(50, |share| share.0) {
        100 => Ok(None),
        share => share.to_string().parse().map(Some).map_err(|_| {
            ApiError::bad_request(format!(
                "share: {share} is not a share to learn from: give a percentage from 1 to 100"
            ))
        }),
    }
}
