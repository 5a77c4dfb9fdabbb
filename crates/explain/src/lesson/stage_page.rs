//! The page of a lesson in stages.

use super::page::{LessonBoard, LessonExercise, LessonGame, LessonPage, LessonSection};
use super::stage::{Claim, Stage, StageExercise, StagedLesson};
use super::stage_facts::{StageAnswer, StageAnswers};
use lucena_base::plural::{count, number};
use lucena_chess::{Move, Position};
use lucena_proof::policy::MeasurePolicy;
use lucena_tablebase::Tablebase;

/// The most moves of a game on the page.
const MAX_GAME: usize = 60;

impl StagedLesson {
    /// The lesson as data.
    ///
    /// # Panics
    /// If the answers are of another lesson, or the table or the measure of another endgame.
    pub fn page(
        &self,
        answers: &StageAnswers,
        policy: &MeasurePolicy,
        tablebase: &Tablebase,
    ) -> LessonPage {
        let stages = self.stages.iter().zip(&answers.stages);
        let sections = (1..).zip(stages.clone()).flat_map(|(number, (stage, answer))| {
            let [first, game] =
                [stage.section(number, answer, policy), stage.game_section(policy, tablebase)];
            [first, game]
        });
        let introduction = LessonSection::untitled([self.introduction.clone(), HOW_TO_READ.into()]);
        let exercises = stages.map(|(stage, answer)| stage.lesson_exercise(answer));
        let all = self.stages.len();
        LessonPage {
            title: format!("{} in {} stages", self.material, number(all)).into(),
            sections: [introduction].into_iter().chain(sections).collect(),
            exercises: exercises.collect(),
        }
    }
}

/// The meaning of the marks before sentences.
const HOW_TO_READ: &str = "What stands behind *Proved* has been counted over all positions of the kind, against every defence. What stands behind *Advice* helps, although no proof stands behind it.";

impl Stage {
    /// The aim, the board, and what is proved and advised.
    fn section(
        &self,
        number: usize,
        answer: &StageAnswer,
        policy: &MeasurePolicy,
    ) -> LessonSection {
        let (marks, says) = self.shown(policy);
        let mut section = LessonSection::headed(format!("Stage {number}: {}", self.title), 2);
        section.paragraphs.push(format!("**The aim.** {}", self.aim).into());
        section.paragraphs.push(says.join(" ").into());
        section.boards.push(LessonBoard::with_marks(self.board, marks));
        let claims = self.claims.iter().zip(&answer.counts).map(|(claim, count)| match claim {
            Claim::Proved(fact) => {
                let count = count.map_or_else(String::new, |count| count.in_words());
                format!("**\u{2713} Proved.** {}: {count}.", fact.says)
            }
            Claim::Advice(says) => format!("**\u{2192} Advice.** {says}"),
        });
        section.list(None, claims);
        section
    }

    /// A game against the longest resistance until the aim is reached.
    fn game_section(&self, policy: &MeasurePolicy, tablebase: &Tablebase) -> LessonSection {
        let mut section = LessonSection::headed("Play it", 3);
        let text =
            format!("Play from here against the longest resistance, until {}.", self.game.done);
        section.paragraphs.push(text.into());
        let line = self.line_to_goal(policy, tablebase, MAX_GAME).unwrap_or_default();
        if !line.is_empty() {
            let moves = count(line.len().div_ceil(2) as u64, "move", "moves");
            let text = format!("The measure reaches it in {moves}:");
            section.paragraphs.push(text.into());
        }
        let material = tablebase.material();
        let why = |position: &Position, mv: Move| match position.play(mv) {
            Ok(after) if after.material() == material => {
                format!("the number is {}", policy.value(&after))
            }
            _ => String::new(),
        };
        section.game = LessonGame::new(self.game.start, &line, why);
        section
    }

    fn lesson_exercise(&self, answer: &StageAnswer) -> LessonExercise {
        let solution = format!("{} {}", self.exercise.advice(&answer.right), answer.reason);
        let StageExercise { position, question, hint, .. } = &self.exercise;
        let (question, right) = (question.clone(), answer.right.clone());
        LessonExercise::asking(*position, question, right, solution).with_hint(hint)
    }
}
