//! Which class is answered for which.

use super::answers::{Answerer, Answers, Learning};
use super::knowledge::{Known, endgame, usual};
use super::leaf::{BoardTold, spread};
use super::paging::Whole;
use super::sufficiency::small;
use super::{Refusal, Shelf, query};
use lucena_attributes::Selection;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Side};
use lucena_learn::{LearnerKind, Share};
use lucena_tablebase::Index;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct ConfusionQuery {
    /// The endgame, of three men at most; the player's own, or KRvK, if none is named.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<String>")]
    material: Option<Material>,
    /// A player that goes by a tree. Either a player is named, or a learner.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<String>")]
    player: Option<String>,
    /// A learner: `cart`, `id3` or `linfa`.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<LearnerKind>")]
    learner: Option<LearnerKind>,
    /// How many per cent of the positions are learned from, 1 to 100; the tree is asked about the others, and
    /// at 100 about all. 50 if nothing is said.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<u64>")]
    share: Option<Whole>,
    /// The attributes that are learned from; `geometric` if no set is named.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<Selection>")]
    set: Option<Selection>,
    /// Where the random numbers start by which positions are divided; 1 if nothing is said.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<u64>")]
    seed: Option<Whole>,
}

/// How often each thing is answered in positions up to symmetry, the weak side to move.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ConfusionTold {
    /// The true classes, a row each.
    classes: Vec<String>,
    /// What can be answered, a column each: the classes too, unless the tree has classes of its own.
    answers: Vec<String>,
    /// For each class how often each thing is answered.
    counts: Vec<Vec<u64>>,
    /// For each class how often nothing is answered.
    unanswered: Vec<u64>,
    /// The share of positions that get their class, from 0 to 1; null where the tree has classes of its own.
    accuracy: Option<f64>,
    /// The same in a sentence.
    text: String,
}

pub(super) fn confusion(shelf: &Shelf, query: ConfusionQuery) -> Result<ConfusionTold, Refusal> {
    let (answers, _) = answers(shelf, query)?;
    Ok(ConfusionTold {
        counts: answers.counts(),
        unanswered: answers.unanswered(),
        accuracy: answers.accuracy(),
        text: answers.sentence(),
        classes: answers.classes.clone(),
        answers: answers.answers.clone(),
    })
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CellQuery {
    /// What is asked, as of the whole matrix.
    #[serde(flatten)]
    of: ConfusionQuery,
    /// The number of the true class, from 0.
    #[serde(deserialize_with = "query::parsed")]
    #[schemars(with = "u64")]
    truth: Whole,
    /// The number of the answer, from 0; positions that get no answer, if none is given.
    #[serde(default, deserialize_with = "query::parsed_or_none")]
    #[schemars(with = "Option<u64>")]
    answer: Option<Whole>,
}

/// Positions of a cell.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CellTold {
    /// Some of them, twelve at most, spread over all.
    boards: Vec<BoardTold>,
}

/// How many boards are shown.
const BOARDS: usize = 12;

pub(super) fn cell(shelf: &Shelf, query: CellQuery) -> Result<CellTold, Refusal> {
    let CellQuery { of, truth, answer } = query;
    let (answers, material) = answers(shelf, of)?;
    let known = |number: Whole, names: &[String], what: &str| match number.place() {
        place if place < names.len() => Ok(place),
        place => Err(Refusal::missing(format!(
            "there is no {what} {place}: they have the numbers 0 to {}",
            names.len() - 1
        ))),
    };
    let truth = known(truth, &answers.classes, "class")?;
    let answer = answer.map(|answer| known(answer, &answers.answers, "answer")).transpose()?;
    let numbers = answers.positions(truth, answer);
    let index = Index::new(material, Group::of(material));
    let boards = spread(&numbers, BOARDS)
        .map(|number| BoardTold::of(shelf, &index.placement(number, Side::Weak)));
    Ok(CellTold { boards: boards.collect::<Result<_, _>>()? })
}

/// What is asked about, worked out or known already.
fn answers(shelf: &Shelf, query: ConfusionQuery) -> Result<(Arc<Answers>, Material), Refusal> {
    let ConfusionQuery { material, player, learner, share, set, seed } = query;
    let (name, material, answerer) = match (player, learner) {
        (Some(player), None) => {
            let material = endgame(&*shelf.player(&player)?, material)?;
            small(material, || format!("lucena validate {material} --player {player}"))?;
            let tree = Known::new(shelf, &player, Some(material))?.tree()?;
            (player, material, Answerer::Player(tree))
        }
        (None, Some(learner)) => {
            let material = material.unwrap_or_else(usual);
            let set = set.unwrap_or(Selection::Geometric);
            small(material, || {
                format!("lucena learn {material} --learner {learner} --attributes {set}")
            })?;
            let (share, seed) = (learned_share(share)?, seed.map_or(1, |seed| seed.0));
            let learning = Learning { learner, set, share, seed };
            (format!("learner {learning:?}"), material, Answerer::Learned(learning))
        }
        _ => {
            return Err(Refusal::nonsense(
                "name either a player, as player=exact, or a learner, as learner=cart",
            ));
        }
    };
    let tablebase = shelf.tablebase(material)?;
    let answers =
        shelf.answers(name, material, move |watch| Answers::new(&tablebase, answerer, watch))?;
    Ok((answers, material))
}

/// What share is learned from; all where there is none.
fn learned_share(share: Option<Whole>) -> Result<Option<Share>, Refusal> {
    match share.map_or(50, |share| share.0) {
        100 => Ok(None),
        share => share.to_string().parse().map(Some).map_err(|_| {
            Refusal::nonsense(format!(
                "{share} is no share to learn from: give per cents from 1 to 100"
            ))
        }),
    }
}
