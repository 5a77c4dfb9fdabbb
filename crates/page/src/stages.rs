//! Lessons in stages: what needs no table, and what table and measure say about it.

use super::query::{Optional, WholeNumber};
use super::{ApiError, PageState, Result};
use lucena_base::progress::Progress;
use lucena_chess::Material;
use lucena_explain::diagram::Mark;
use lucena_explain::lesson::{Claim, Stage, StageAnswers, StagedLesson};
use lucena_proof::policy::MeasurePolicy;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub(super) struct StagesQuery {
    /// The endgame; default KRvK.
    material: Optional<Material, String>,
}

/// A lesson in stages.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StagesResponse {
    /// The endgame.
    material: String,
    /// The learner's goal: a skill, in a sentence.
    introduction: &'static str,
    /// The stages, in order.
    stages: Vec<StageView>,
}

/// A stage of a lesson.
#[derive(Debug, Serialize, JsonSchema)]
struct StageView {
    /// The title.
    title: &'static str,
    /// The aim, in a sentence.
    aim: &'static str,
    /// The board.
    board: StageBoardView,
    /// The claims of the stage, proved ones and advice.
    claims: Vec<ClaimView>,
    /// The exercise.
    exercise: StageExerciseView,
    /// The game.
    game: StageGameView,
}

/// The board of a stage.
#[derive(Debug, Serialize, JsonSchema)]
struct StageBoardView {
    /// The position.
    fen: String,
    /// The squares that the stage is about.
    marks: Vec<Mark>,
    /// The meaning of the marks, in sentences.
    says: Vec<String>,
}

/// A sentence of a stage.
#[derive(Debug, Serialize, JsonSchema)]
struct ClaimView {
    /// proved, with a count in the answers; or advice.
    kind: &'static str,
    /// The sentence; what is proved is a kind of position, which the count follows.
    says: &'static str,
}

/// The exercise of a stage.
#[derive(Debug, Serialize, JsonSchema)]
struct StageExerciseView {
    /// The position.
    fen: String,
    /// The question.
    question: &'static str,
    /// The first hint: the aim of the move, in a sentence.
    hint: &'static str,
}

/// The game of a stage.
#[derive(Debug, Serialize, JsonSchema)]
struct StageGameView {
    /// The position of the first game.
    fen: String,
    /// The end of the game in words, without a full stop.
    done: &'static str,
    /// True if the game ends in mate.
    ends_in_mate: bool,
    /// The most squares of the black king's room at the end; null if the game ends otherwise.
    room: Option<u16>,
}

/// Facts about a lesson in stages, from the table.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct StageAnswersResponse {
    /// For each stage.
    stages: Vec<StageAnswerView>,
}

/// Facts about a stage, from the table.
#[derive(Debug, Serialize, JsonSchema)]
struct StageAnswerView {
    /// For each sentence of the stage its count in words; null for advice.
    counts: Vec<Option<String>>,
    /// The right moves of the exercise in UCI, the quickest to mate first.
    right: Vec<String>,
    /// The reason why they are right in sentences, with the figures of the table.
    reason: String,
}

/// The lesson of an endgame, with its measure.
fn lesson_of(
    state: &PageState,
    material: Material,
) -> Result<(&'static StagedLesson, Arc<MeasurePolicy>)> {
    let lesson = StagedLesson::of(material).zip(state.smallest_measure(material));
    lesson.ok_or_else(|| none(material))
}

fn none(material: Material) -> ApiError {
    let known: Vec<String> = StagedLesson::materials().map(|one| one.to_string()).collect();
    ApiError::missing(format!(
        "{material} has no lesson in stages: choose one of {}",
        known.join(", ")
    ))
}

/// A stage by its number, from 1.
pub(super) fn stage_of(material: Material, number: WholeNumber) -> Result<&'static Stage> {
    let lesson = StagedLesson::of(material).ok_or_else(|| none(material))?;
    let stage = number.place().checked_sub(1).and_then(|at| lesson.stages.get(at));
    stage.ok_or_else(|| {
        let all = lesson.stages.len();
        ApiError::missing(format!("{material} has stages 1 to {all}, not {}", number.place()))
    })
}

pub(super) fn stages(state: &PageState, query: StagesQuery) -> Result<StagesResponse> {
    let material = query.material.0.unwrap_or_else(super::knowledge::usual);
    let (lesson, policy) = lesson_of(state, material)?;
    Ok(StagesResponse {
        material: material.to_string(),
        introduction: &lesson.introduction,
        stages: lesson.stages.iter().map(|stage| StageView::new(stage, &policy)).collect(),
    })
}

pub(super) fn answers(state: &PageState, query: StagesQuery) -> Result<StageAnswersResponse> {
    let material = query.material.0.unwrap_or_else(super::knowledge::usual);
    let answers = answered(state, material)?;
    let stages = answers.stages.iter().map(|answer| StageAnswerView {
        counts: answer.counts.iter().map(|count| count.map(|count| count.in_words())).collect(),
        right: answer.right.iter().map(ToString::to_string).collect(),
        reason: answer.reason.clone(),
    });
    Ok(StageAnswersResponse { stages: stages.collect() })
}

/// Facts about the lesson of an endgame, from the table.
pub(super) fn answered(state: &PageState, material: Material) -> Result<Arc<StageAnswers>> {
    let lesson = StagedLesson::of(material).ok_or_else(|| none(material))?;
    let tablebase = state.tablebase(material)?;
    state.stages.get(String::new(), material, move |observer| {
        observer.report(Progress { what: "counting positions", done: 0, total: None });
        Ok(lesson.answers(&tablebase, observer)?)
    })
}

impl StageView {
    fn new(stage: &'static Stage, policy: &MeasurePolicy) -> Self {
        let (marks, says) = stage.shown(policy);
        let claims = stage.claims.iter().map(|claim| match claim {
            Claim::Proved(fact) => ClaimView { kind: "proved", says: &fact.says },
            Claim::Advice(says) => ClaimView { kind: "advice", says },
        });
        Self {
            title: &stage.title,
            aim: &stage.aim,
            board: StageBoardView { fen: stage.board.to_string(), marks, says },
            claims: claims.collect(),
            exercise: StageExerciseView {
                fen: stage.exercise.position.to_string(),
                question: &stage.exercise.question,
                hint: &stage.exercise.hint,
            },
            game: StageGameView {
                fen: stage.game.start.to_string(),
                done: &stage.game.done,
                ends_in_mate: stage.ends_in_mate(),
                room: stage.game.goal.room(),
            },
        }
    }
}
