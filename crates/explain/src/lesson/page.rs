//! A lesson as data, and as Markdown.

use super::words::{board, sans, signs, to_move};
use crate::diagram::{Highlight, Mark};
use crate::move_value::{as_text, as_texts};
use lucena_chess::{Bitboard, Move, Position, Side};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::fmt::{self, Display, Write};

/// A text as inline Markdown, with emphasis and code. It is serialised without their marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown(String);

impl Markdown {
    /// The text without marks, in one line.
    pub fn plain(&self) -> String {
        self.0.replace(['*', '`'], "").replace('\n', " ")
    }
}

impl<T: Into<String>> From<T> for Markdown {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl Display for Markdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Markdown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.plain())
    }
}

impl JsonSchema for Markdown {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// A lesson as data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonPage {
    /// The title.
    pub title: Markdown,
    /// The sections, in order; the first is the introduction.
    pub sections: Vec<LessonSection>,
    /// Positions to solve.
    pub exercises: Vec<LessonExercise>,
}

/// A section of a lesson: a heading, then paragraphs, then a list, and a board or a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SectionView")]
pub struct LessonSection {
    /// The heading; null if the section continues the one before.
    pub heading: Option<Markdown>,
    /// The level of the heading: 2 below the title, 3 below another section.
    pub level: u8,
    /// Paragraphs.
    pub paragraphs: Vec<Markdown>,
    /// Lists, each with its items.
    pub items: Vec<Vec<Markdown>>,
    /// The number of the first item of the list; null if its items have no numbers, or there are none.
    pub first: Option<usize>,
    /// Boards.
    pub boards: Vec<LessonBoard>,
    /// A game; null if there is none.
    pub game: Option<LessonGame>,
}

/// A board of a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LessonBoardView")]
pub struct LessonBoard {
    /// The position.
    #[serde(rename = "fen", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub position: Position,
    /// Arrows for moves that the text mentions.
    pub marks: Vec<Mark>,
    /// The caption.
    #[schemars(with = "String")]
    pub caption: &'static str,
}

/// A game of a lesson.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LessonGameView")]
pub struct LessonGame {
    /// The starting position.
    #[serde(rename = "fen", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub start: Position,
    /// The moves in UCI.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub moves: Vec<Move>,
    /// The moves in standard algebraic notation.
    pub sans: Vec<String>,
    /// The reason for each move; null for those of Black.
    pub why: Vec<Option<Markdown>>,
    /// The number of a measure that each move forces; null for those of Black, for a move that forces mate, and if the
    /// lesson is about no measure.
    pub numbers: Vec<Option<i32>>,
}

/// An exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ExerciseView")]
pub struct LessonExercise {
    /// The position.
    #[serde(rename = "fen", serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub position: Position,
    /// The task.
    pub task: String,
    /// The task without the side to move.
    #[serde(skip)]
    question: Cow<'static, str>,
    /// The right moves, in UCI; none if the answer is not a move.
    #[serde(serialize_with = "as_texts")]
    #[schemars(with = "Vec<String>")]
    pub solutions: Vec<Move>,
    /// The answers in words to choose from; none if the answer is a move.
    pub answers: Vec<LessonAnswer>,
    /// A hint, in a sentence; null if there is none.
    pub hint: Option<String>,
    /// The solution in sentences.
    pub explanation: Markdown,
}

/// An answer in words to an exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "AnswerView")]
pub struct LessonAnswer {
    /// The words.
    pub text: String,
    /// True for the right answer.
    #[serde(rename = "right")]
    pub is_right: bool,
}

impl LessonPage {
    /// This lesson, and another one below it as its last part, under its title.
    #[must_use]
    pub fn followed_by(mut self, other: &Self) -> Self {
        self.sections.push(LessonSection::headed(other.title.clone(), 2));
        let below = other
            .sections
            .iter()
            .cloned()
            .map(|section| LessonSection { level: section.level + 1, ..section });
        self.sections.extend(below);
        self.exercises.extend(other.exercises.iter().cloned());
        self
    }

    /// The lesson as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        let sections = self.sections.iter().try_for_each(|section| section.write(&mut text));
        sections.expect("a string takes any text");
        let Some(LessonExercise { question, .. }) = self.exercises.first() else { return text };
        text += "\n## Exercises\n";
        let is_shared = self.exercises.iter().all(|one| one.question == *question);
        if is_shared {
            let _ = write!(text, "\n{question}\n");
        }
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = write!(text, "\n**Exercise {number}**\n\n");
            if !is_shared {
                let _ = write!(text, "{}\n\n", one.question);
            }
            text += &board(&one.position, &[]);
        }
        let hints = (1..)
            .zip(&self.exercises)
            .filter_map(|(number, one)| Some((number, one.hint.as_ref()?)));
        for (at, (number, hint)) in hints.enumerate() {
            text += if at == 0 { "\n## Hints\n\n" } else { "" };
            let _ = writeln!(text, "- **Exercise {number}.** {hint}");
        }
        text += "\n## Solutions\n\n";
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = writeln!(text, "{number}. {}", one.explanation);
        }
        text
    }
}

impl LessonSection {
    /// A section with a heading.
    pub(super) fn headed(heading: impl Into<Markdown>, level: u8) -> Self {
        Self { heading: Some(heading.into()), level, ..Self::default() }
    }

    /// A section without a heading: the introduction, or one that continues the section before.
    pub(super) fn untitled(paragraphs: impl IntoIterator<Item = String>) -> Self {
        let paragraphs = paragraphs.into_iter().map(Markdown::from).collect();
        Self { level: 2, paragraphs, ..Self::default() }
    }

    /// Adds a list.
    pub(super) fn list(&mut self, first: Option<usize>, items: impl IntoIterator<Item = String>) {
        self.first = first;
        self.items.push(items.into_iter().map(Markdown::from).collect());
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        if let Some(heading) = &self.heading {
            writeln!(text, "\n{} {heading}", "#".repeat(self.level.into()))?;
        }
        for LessonBoard { position, marks, .. } in &self.boards {
            let areas = Mark::areas(marks);
            let squares: Vec<Bitboard> = areas.iter().map(|area| area.squares).collect();
            write!(text, "\n{}", board(position, &squares))?;
            if !areas.is_empty() {
                writeln!(text, "\n{}", signs(position, &areas))?;
            }
        }
        for paragraph in &self.paragraphs {
            writeln!(text, "\n{paragraph}")?;
        }
        for items in &self.items {
            text.push('\n');
            for (at, item) in items.iter().enumerate() {
                match self.first {
                    Some(first) => writeln!(text, "{}. {item}", first + at)?,
                    None => writeln!(text, "- {item}")?,
                }
            }
        }
        self.game.as_ref().map_or(Ok(()), |game| game.write(text))
    }
}

impl LessonBoard {
    /// A board with arrows for moves, each with a label.
    pub(super) fn new<'l>(
        position: Position,
        moves: impl IntoIterator<Item = (Move, &'l str)>,
    ) -> Self {
        let marks = moves.into_iter().map(|(mv, label)| Mark::arrow(mv, label)).collect();
        Self { position, marks, caption: to_move(&position) }
    }

    /// A board with marked squares.
    pub(super) fn marked(position: Position, highlights: &[Highlight]) -> Self {
        Self::with_marks(position, Mark::all(highlights))
    }

    /// A board with marks.
    pub(super) fn with_marks(position: Position, marks: Vec<Mark>) -> Self {
        Self { position, marks, caption: to_move(&position) }
    }
}

impl LessonExercise {
    /// An exercise with a single solution.
    pub(super) fn new(
        position: Position,
        question: &'static str,
        solution: Move,
        explanation: String,
    ) -> Self {
        Self::asking(position, question, vec![solution], explanation)
    }

    /// An exercise with a question of its own.
    pub(super) fn asking(
        position: Position,
        question: impl Into<Cow<'static, str>>,
        solutions: Vec<Move>,
        explanation: String,
    ) -> Self {
        let question = question.into();
        let task = format!("{}. {question}", to_move(&position));
        let (answers, explanation) = (Vec::new(), explanation.into());
        Self { position, task, question, solutions, answers, hint: None, explanation }
    }

    /// The exercise with a hint.
    pub(super) fn with_hint(self, hint: &str) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }

    /// An exercise whose answer is not a move.
    pub(super) fn with_answers(
        position: Position,
        question: impl Into<Cow<'static, str>>,
        answers: Vec<LessonAnswer>,
        explanation: String,
    ) -> Self {
        Self { answers, ..Self::asking(position, question, Vec::new(), explanation) }
    }
}

impl LessonGame {
    /// A game with the reason for each move of White; `None` if a move is not legal.
    pub(super) fn new(
        start: Position,
        moves: &[Move],
        why: impl Fn(&Position, Move) -> String,
    ) -> Option<Self> {
        let (moves, numbers) = (moves.to_vec(), vec![None; moves.len()]);
        let mut game = Self { start, moves, sans: Vec::new(), why: Vec::new(), numbers };
        let mut position = start;
        for &mv in &game.moves {
            let is_white = position.turn() == Side::Strong;
            game.why.push(is_white.then(|| why(&position, mv).into()));
            game.sans.push(sans(&position, &[mv]));
            position = position.play(mv).ok()?;
        }
        Some(game)
    }

    /// Gives the moves of White their numbers, which follow from the positions before them.
    pub(super) fn number_moves(&mut self, number: impl Fn(&Position) -> Option<i32>) {
        let mut position = self.start;
        for (&mv, written) in self.moves.iter().zip(&mut self.numbers) {
            if position.turn() == Side::Strong {
                *written = number(&position);
            }
            let Ok(after) = position.play(mv) else { return };
            position = after;
        }
    }

    fn write(&self, text: &mut String) -> fmt::Result {
        let has_numbers = self.numbers.iter().any(Option::is_some);
        let head = match has_numbers {
            true => "| | White | number | Black | why |\n|---|---|---|---|---|",
            false => "| | White | Black | why |\n|---|---|---|---|",
        };
        writeln!(text, "\n{}\n{head}", board(&self.start, &[]))?;
        let pairs = self.sans.chunks(2).zip(self.why.chunks(2)).zip(self.numbers.chunks(2));
        for (number, ((pair, why), numbers)) in (1..).zip(pairs) {
            let black = pair.get(1).map_or("", String::as_str);
            let why = why[0].as_ref().map(ToString::to_string).unwrap_or_default();
            let after = match (has_numbers, numbers[0]) {
                (true, Some(after)) => format!("{after} | "),
                (true, None) => " | ".into(),
                (false, _) => String::new(),
            };
            writeln!(text, "| {number} | {} | {after}{black} | {why} |", pair[0])?;
        }
        Ok(())
    }
}
