//! A player's lesson.

use super::knowledge::{Knowledge, PlayerInEndgame};
use super::marks::Mark;
use super::query::Optional;
use super::{ApiError, PageState};
use lucena_base::plural::count;
use lucena_base::progress::Progress;
use lucena_chess::Material;
use lucena_explain::lesson::{
    Lesson, LessonBoard, LessonExercise, LessonGame, LessonMove, LessonPage, LessonPart,
    LessonSection, StrategyLesson, rules_page,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
pub(super) struct LessonQuery {
    /// A player that goes by a tree or a strategy.
    pub(super) player: String,
    /// The endgame; default the player's own, or KRvK.
    pub(super) material: Optional<Material, String>,
}

/// A lesson.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LessonResponse {
    /// The title.
    pub(super) title: String,
    /// The player.
    player: String,
    /// The endgame.
    material: String,
    /// The sections, in order.
    sections: Vec<SectionView>,
    /// Exercises; none if the player goes by a tree.
    exercises: Vec<ExerciseView>,
}

/// A section of a lesson: a heading, then paragraphs, then a list, and a board or a game.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct SectionView {
    /// The heading; null if the section continues the one before.
    heading: Option<String>,
    /// The level of the heading: 2 below the title, 3 below another section.
    level: u8,
    /// Paragraphs.
    paragraphs: Vec<String>,
    /// Lists, each with its items.
    items: Vec<Vec<String>>,
    /// The number of the first item of the list; null if its items have no numbers, or there are none.
    first: Option<usize>,
    /// Boards.
    boards: Vec<LessonBoardView>,
    /// A game; null if there is none.
    game: Option<LessonGameView>,
}

/// A board of a lesson.
#[derive(Debug, Serialize, JsonSchema)]
struct LessonBoardView {
    /// The position.
    fen: String,
    /// Arrows for moves that the text mentions.
    marks: Vec<Mark>,
    /// The caption.
    caption: String,
}

/// A game of a lesson.
#[derive(Debug, Serialize, JsonSchema)]
struct LessonGameView {
    /// The starting position.
    fen: String,
    /// The moves in UCI.
    moves: Vec<String>,
    /// The moves in standard algebraic notation.
    sans: Vec<String>,
    /// The reason for each move; null for those of Black.
    why: Vec<Option<String>>,
}

/// An exercise.
#[derive(Debug, Serialize, JsonSchema)]
struct ExerciseView {
    /// The position.
    fen: String,
    /// The task.
    task: String,
    /// The right moves, in UCI.
    solutions: Vec<String>,
    /// The solution in sentences.
    explanation: String,
}

/// In endgames with more men, no boards, games or exercises are searched for.
const MOST_MEN: usize = 3;
/// The most leaves of a tree that can be a lesson.
const MOST_LEAVES: usize = 300;

pub(super) fn lesson(state: &PageState, query: LessonQuery) -> Result<LessonResponse, ApiError> {
    let LessonQuery { player, material } = query;
    told(state, &PlayerInEndgame::new(state, &player, material.0)?, player)
}

/// The lesson of a player, which is given a name.
pub(super) fn told(
    state: &PageState,
    known: &PlayerInEndgame,
    player: String,
) -> Result<LessonResponse, ApiError> {
    let page = written(state, known)?;
    Ok(LessonResponse {
        title: plain(&page.title),
        player,
        material: known.material.to_string(),
        sections: sections(&page),
        exercises: page.exercises.iter().map(ExerciseView::new).collect(),
    })
}

/// A player's lesson as Markdown, for printing.
///
/// # Errors
/// If the player has no lesson, or a table must be solved first.
pub fn lesson_markdown(
    state: &PageState,
    player: &str,
    material: Option<Material>,
) -> Result<String, ApiError> {
    Ok(written(state, &PlayerInEndgame::new(state, player, material)?)?.to_markdown())
}

/// The lesson, which is written on the first request.
fn written(state: &PageState, known: &PlayerInEndgame) -> Result<Arc<LessonPage>, ApiError> {
    let PlayerInEndgame { player, material, knowledge } = known;
    match knowledge {
        Knowledge::Tree(tree) => {
            let leaves = tree.leaves();
            if leaves > MOST_LEAVES {
                return Err(ApiError::nonsense(format!(
                    "a tree of {} is too large for a lesson: search its rules, or print them by \"lucena show TREE.json --format lesson\"",
                    count(leaves as u64, "leaf", "leaves")
                )));
            }
            let tree = Arc::clone(tree);
            state
                .lessons
                .get(player.name().to_string(), *material, move |_| Ok(Lesson::new(&tree).page()))
        }
        Knowledge::Strategy(policy) if material.men() > MOST_MEN => {
            let mut page = rules_page(policy);
            page.introduction.push(LessonPart::Text(
                "Boards, a game and exercises of four men take minutes to find: \"lucena show STRATEGY.json --format lesson\" prints them.".into(),
            ));
            Ok(Arc::new(page))
        }
        Knowledge::Strategy(policy) => {
            let tablebase = state.tablebase(*material)?;
            let policy = Arc::clone(policy);
            state.lessons.get(player.name().to_string(), *material, move |observer| {
                observer.report(Progress { what: "writing the lesson", done: 0, total: None });
                let lesson = StrategyLesson::new(&policy, &tablebase, observer);
                Ok(lesson.map_err(ApiError::nonsense)?.page())
            })
        }
    }
}

/// Removes Markdown's emphasis and code marks from a text.
fn plain(text: &str) -> String {
    text.replace(['*', '`'], "").replace('\n', " ")
}

/// The sections of a lesson, split so that the parts of each come in a fixed order.
fn sections(page: &LessonPage) -> Vec<SectionView> {
    let mut sections = vec![SectionView { level: 2, ..SectionView::default() }];
    add(&mut sections, &page.introduction);
    for LessonSection { heading, parts } in &page.sections {
        sections.push(SectionView::headed(heading, 2));
        add(&mut sections, parts);
    }
    sections
}

fn add(sections: &mut Vec<SectionView>, parts: &[LessonPart]) {
    for part in parts {
        let last = sections.last().expect("the first is there from the beginning");
        match part {
            LessonPart::Heading(heading) => sections.push(SectionView::headed(heading, 3)),
            LessonPart::Text(_) if !last.items.is_empty() => {
                sections.push(SectionView { level: last.level, ..SectionView::default() });
            }
            _ => {}
        }
        let section = sections.last_mut().expect("as before");
        match part {
            LessonPart::Heading(_) => {}
            LessonPart::Text(text) => section.paragraphs.push(plain(text)),
            LessonPart::Bullets(items) => section.list(None, items),
            LessonPart::Numbered { first, items } => section.list(Some(*first), items),
            LessonPart::Board(board) => section.boards.push(LessonBoardView::new(board)),
            LessonPart::Game(game) => section.game = Some(LessonGameView::new(game)),
        }
    }
}

impl SectionView {
    fn headed(heading: &str, level: u8) -> Self {
        Self { heading: Some(plain(heading)), level, ..Self::default() }
    }

    fn list(&mut self, first: Option<usize>, items: &[String]) {
        self.first = first;
        self.items.push(items.iter().map(|item| plain(item)).collect());
    }
}

impl LessonBoardView {
    fn new(board: &LessonBoard) -> Self {
        let marks = board.moves.iter().map(|(mv, label)| Mark::arrow(*mv, label.as_str()));
        Self {
            fen: board.position.to_string(),
            marks: marks.collect(),
            caption: "White to move".into(),
        }
    }
}

impl LessonGameView {
    fn new(game: &LessonGame) -> Self {
        let moves = game.moves.iter();
        Self {
            fen: game.start.to_string(),
            moves: moves.clone().map(|one| one.mv.to_string()).collect(),
            sans: moves.clone().map(|LessonMove { san, .. }| san.clone()).collect(),
            why: moves.map(|one| one.why.as_deref().map(plain)).collect(),
        }
    }
}

impl ExerciseView {
    fn new(exercise: &LessonExercise) -> Self {
        Self {
            fen: exercise.position.to_string(),
            task: format!("White to move. {}", LessonExercise::TASK),
            solutions: vec![exercise.solution.to_string()],
            explanation: plain(&exercise.explanation),
        }
    }
}
