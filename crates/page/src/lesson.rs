//! A player's lesson.

use super::about::teacher;
use super::answer_folder::JsonAnswer;
use super::knowledge::PlayerInEndgame;
use super::query::{OfParameter, Optional};
use super::{ApiError, PageState, Result, stages};
use lucena_base::plural::count;
use lucena_base::progress::{NoObserver, Progress};
use lucena_chess::{Material, QUICK_MEN};
use lucena_explain::lesson::{
    Lesson, LessonExercise, LessonPage, LessonSection, MeasureLesson, RuleLesson, StagedLesson,
    StrategyLesson, rules_page,
};
use lucena_proof::policy::{EndgameModel, Policy};
use lucena_tablebase::{Metric, Tablebase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub(super) struct LessonQuery {
    /// A player that goes by a tree, a strategy or a measure.
    pub(super) player: String,
    /// The endgame; default the player's own, or KRvK.
    pub(super) material: Optional<Material, String>,
}

#[derive(Deserialize, JsonSchema)]
pub(super) struct RuleLessonQuery {
    /// The endgame.
    material: String,
}

/// The query for a lesson as one file.
#[derive(Deserialize)]
pub(super) struct LessonFileQuery {
    /// The player; default the stages of the endgame, and below them the player that usually teaches it.
    pub(super) player: Optional<String>,
    /// The endgame; default the player's own, or KRvK.
    pub(super) material: Optional<Material, String>,
}

/// A lesson.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LessonResponse {
    /// The title.
    pub(super) title: String,
    /// The player; null if rules about who wins teach the lesson.
    player: Option<String>,
    /// The endgame.
    material: String,
    /// The sections, in order.
    sections: Vec<LessonSection>,
    /// Exercises; none if the player goes by a tree, or by a strategy of four men.
    exercises: Vec<LessonExercise>,
}

/// In endgames with more men, no boards, games or exercises of a strategy are searched for.
const MAX_MEN: usize = 3;
/// The most leaves of a tree that can be a lesson.
const MAX_LEAVES: usize = 300;

pub(super) fn lesson(state: &PageState, query: LessonQuery) -> Result<JsonAnswer<LessonResponse>> {
    let LessonQuery { player, material } = query;
    let known = PlayerInEndgame::new(state, &player, material.0).of_parameter("player")?;
    let find = || told(state, &known, Some(&player), player.clone());
    match known.player.name().built_in(known.material) {
        Some(_) => {
            let question = format!("lesson-{}-{player}", known.material);
            state.answer_folder.get(&question, &known.model.as_ref().sha256(), find)
        }
        None => Ok(JsonAnswer::new(&find()?)),
    }
}

/// The lesson of an endgame that rules about who wins teach.
pub(super) fn rule_lesson(state: &PageState, query: RuleLessonQuery) -> Result<LessonResponse> {
    let material: Material = query.material.parse().of_parameter("material")?;
    let lesson = RuleLesson::of(material).ok_or_else(|| {
        let known: Vec<String> = RuleLesson::materials().map(|one| one.to_string()).collect();
        ApiError::missing(format!(
            "no lesson here teaches who wins {material}: choose one of {}",
            known.join(", ")
        ))
    })?;
    let page = lesson.page(table_for(state, lesson)?.as_ref());
    Ok(LessonResponse::new(&page, None, material))
}

/// The lesson of a player, which is given a name; below the stages of the endgame unless the player was named.
pub(super) fn told(
    state: &PageState,
    known: &PlayerInEndgame,
    named: Option<&str>,
    player: String,
) -> Result<LessonResponse> {
    let page = written_for(state, named, known)?;
    Ok(LessonResponse::new(&page, Some(player), known.material))
}

impl LessonResponse {
    pub(super) fn new(page: &LessonPage, player: Option<String>, material: Material) -> Self {
        Self {
            title: page.title.plain(),
            player,
            material: material.to_string(),
            sections: page.sections.clone(),
            exercises: page.exercises.clone(),
        }
    }
}

/// A lesson as Markdown, for printing: that of a player, or, if none is named, the endgame's stages and its lesson made from
/// rules, if it has any, and below them the lesson of the player that usually teaches it, if there is one.
///
/// # Errors
/// If the player has no lesson, or a table must be solved first.
pub fn lesson_markdown(
    state: &PageState,
    player: Option<&str>,
    material: Option<Material>,
) -> Result<String, ApiError> {
    if let Some(lesson) = made_from_rules(player, material) {
        return Ok(lesson.page(table_for(state, lesson)?.as_ref()).to_markdown());
    }
    let known = PlayerInEndgame::new(state, player.unwrap_or(teacher(material)), material)?;
    Ok(written_for(state, player, &known)?.to_markdown())
}

/// The lesson made from rules about an endgame that has no stages, unless a player is named.
pub(super) fn made_from_rules(
    player: Option<&str>,
    material: Option<Material>,
) -> Option<&'static RuleLesson> {
    let material = material.filter(|&material| StagedLesson::of(material).is_none())?;
    RuleLesson::of(material).filter(|_| player.is_none())
}

/// A table of a lesson's endgame that need not be solved for long; `None` if there is none.
pub(super) fn table_for(state: &PageState, lesson: &RuleLesson) -> Result<Option<Tablebase>> {
    let material = lesson.material;
    if state.has_quickly(material) {
        return state.tablebase(material).map(Some);
    }
    let zeroing = state.folder_of(Metric::Dtz);
    match zeroing.has_quickly(material) {
        true => Ok(Some(zeroing.tablebase(material, &NoObserver)?)),
        false => Ok(None),
    }
}

/// The lesson of a player, below the stages of the endgame unless the player was named.
fn written_for(
    state: &PageState,
    named: Option<&str>,
    known: &PlayerInEndgame,
) -> Result<Arc<LessonPage>> {
    let lesson = written(state, known)?;
    let staged = match named {
        Some(_) => None,
        None => StagedLesson::of(known.material).zip(state.smallest_measure(known.material)),
    };
    let Some((staged, policy)) = staged else { return Ok(lesson) };
    let tablebase = state.tablebase(known.material)?;
    let answers = stages::answered(state, known.material)?;
    let page = staged.page(&answers, &policy, &tablebase);
    let page = match RuleLesson::of(known.material) {
        Some(rules) => page.followed_by(&rules.page(Some(&tablebase))),
        None => page,
    };
    tablebase.check_readable()?;
    Ok(Arc::new(page.followed_by(&lesson)))
}

/// The lesson, which is written on the first request.
fn written(state: &PageState, known: &PlayerInEndgame) -> Result<Arc<LessonPage>> {
    let PlayerInEndgame { player, material, model } = known;
    match model {
        EndgameModel::Tree(tree) => {
            let leaves = tree.leaves();
            if leaves > MAX_LEAVES {
                return Err(ApiError::bad_request(format!(
                    "a tree of {} is too large for a lesson: search its rules, or print them by \"lucena show TREE.json --format lesson\"",
                    count(leaves as u64, "leaf", "leaves")
                )));
            }
            let tree = Arc::clone(tree);
            state
                .lessons
                .get(player.name().to_string(), *material, move |_| Ok(Lesson::new(&tree).page()))
        }
        EndgameModel::Measure(policy) => {
            let tablebase = state.tablebase(*material)?;
            let policy = Arc::clone(policy);
            state.lessons.get(player.name().to_string(), *material, move |observer| {
                observer.report(Progress { what: "writing the lesson", done: 0, total: None });
                let lesson = MeasureLesson::new(&policy, &tablebase, observer);
                Ok(lesson.map_err(ApiError::bad_request)?.page())
            })
        }
        EndgameModel::Strategy(policy) if material.men() > MAX_MEN => {
            let mut page = rules_page(policy);
            if policy.is_made_for_part() || material.men() <= QUICK_MEN {
                page.sections[0].paragraphs.push(
                    "The boards and exercises of this strategy take a while to find: \"lucena show STRATEGY.json --format lesson\" prints them.".into(),
                );
            }
            Ok(Arc::new(page))
        }
        EndgameModel::Strategy(policy) => {
            let tablebase = state.tablebase(*material)?;
            let policy = Arc::clone(policy);
            state.lessons.get(player.name().to_string(), *material, move |observer| {
                observer.report(Progress { what: "writing the lesson", done: 0, total: None });
                let lesson = StrategyLesson::new(&policy, &tablebase, observer);
                Ok(lesson.map_err(ApiError::bad_request)?.page())
            })
        }
    }
}
