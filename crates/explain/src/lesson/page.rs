//! A lesson as data, and as Markdown.

use super::words::board;
use lucena_chess::{Move, Position};
use std::fmt::Write;

/// A lesson as data. Texts are inline Markdown, with emphasis and code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonPage {
    /// The title.
    pub title: String,
    /// The introduction.
    pub introduction: Vec<LessonPart>,
    /// The sections, in order.
    pub sections: Vec<LessonSection>,
    /// Positions to solve.
    pub exercises: Vec<LessonExercise>,
}

/// A section of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonSection {
    /// The heading.
    pub heading: String,
    /// The contents, in order.
    pub parts: Vec<LessonPart>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LessonPart {
    /// A smaller heading.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A bulleted list.
    Bullets(Vec<String>),
    /// A numbered list.
    Numbered {
        /// The number of the first item.
        first: usize,
        /// The items.
        items: Vec<String>,
    },
    /// A board, White to move.
    Board(LessonBoard),
    /// A game.
    Game(LessonGame),
}

/// A board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonBoard {
    /// The position.
    pub position: Position,
    /// Moves that the text is about, each with a label.
    pub moves: Vec<(Move, String)>,
}

/// A game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonGame {
    /// The first position, White to move.
    pub start: Position,
    /// The moves of both sides in turn.
    pub moves: Vec<LessonMove>,
}

/// A move of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonMove {
    /// The move.
    pub mv: Move,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The reason for the move; `None` for a move of Black.
    pub why: Option<String>,
}

/// A position to solve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonExercise {
    /// The position, White to move.
    pub position: Position,
    /// The only right move.
    pub solution: Move,
    /// The solution in sentences, beginning with the move.
    pub explanation: String,
}

impl LessonExercise {
    /// The task of every exercise.
    pub const TASK: &str = "Find the only move that the rules leave White.";
}

impl LessonPage {
    /// The lesson as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        self.introduction.iter().for_each(|part| part.write(&mut text));
        for LessonSection { heading, parts } in &self.sections {
            let _ = write!(text, "\n## {heading}\n");
            parts.iter().for_each(|part| part.write(&mut text));
        }
        if self.exercises.is_empty() {
            return text;
        }
        let _ = write!(text, "\n## Exercises\n\n{}\n", LessonExercise::TASK);
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = write!(text, "\n**Exercise {number}**\n\n{}", board(&one.position));
        }
        text += "\n## Solutions\n\n";
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = writeln!(text, "{number}. {}", one.explanation);
        }
        text
    }
}

impl LessonPart {
    fn write(&self, text: &mut String) {
        text.push('\n');
        let _ = match self {
            Self::Heading(heading) => writeln!(text, "### {heading}"),
            Self::Text(paragraph) => writeln!(text, "{paragraph}"),
            Self::Bullets(items) => items.iter().try_for_each(|item| writeln!(text, "- {item}")),
            Self::Numbered { first, items } => {
                let mut numbered = (*first..).zip(items);
                numbered.try_for_each(|(number, item)| writeln!(text, "{number}. {item}"))
            }
            Self::Board(LessonBoard { position, .. }) => write!(text, "{}", board(position)),
            Self::Game(game) => game.write(text),
        };
    }
}

impl LessonGame {
    fn write(&self, text: &mut String) -> std::fmt::Result {
        let head = "| | White | Black | why |\n|---|---|---|---|";
        writeln!(text, "{}\n{head}", board(&self.start))?;
        for (number, pair) in (1..).zip(self.moves.chunks(2)) {
            let LessonMove { san: white, why, .. } = &pair[0];
            let why = why.as_deref().unwrap_or_default();
            let black = pair.get(1).map_or("", |reply| &reply.san);
            writeln!(text, "| {number} | {white} | {black} | {why} |")?;
        }
        Ok(())
    }
}
