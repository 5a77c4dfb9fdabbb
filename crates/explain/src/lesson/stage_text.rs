//! Reads lessons in stages from their text.

use super::stage::{
    Claim, Fact, Goal, QuantityRange, RightMoves, Stage, StageExercise, StageGame, StagedLesson,
};
use lucena_attributes::{Quantity, QuantitySet, UnknownQuantity};
use lucena_base::text::entries;
use lucena_chess::{FenError, IllegalMove, Material, Position, Side};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// The reason why the text of a lesson in stages cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ParseStagesError {
    /// The line, from 1; where something is missing, the last line before it.
    pub line: usize,
    /// The reason.
    pub problem: StageLineError,
}

/// The reason why a line of a lesson in stages cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StageLineError {
    /// Another line is expected.
    #[error("a line \"{expected}\" is expected here, not {found:?}: see the order in README.md")]
    Order {
        /// The word that the expected line begins with.
        expected: &'static str,
        /// The line; empty at the end of the text.
        found: String,
    },
    /// A position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A position is of another endgame.
    #[error("the position is of {0}: give one of the lesson's endgame")]
    OtherMaterial(Material),
    /// A position has the wrong side to move.
    #[error("the weak side is to move: give a position with the strong side to move")]
    WeakToMove,
    /// A quantity is unknown.
    #[error(transparent)]
    Quantity(#[from] UnknownQuantity),
    /// A condition cannot be read.
    #[error("{0:?} is no condition: write NAME = 3, NAME <= 3, NAME >= 3 or NAME = 2..5")]
    Condition(String),
    /// A side is unknown.
    #[error("{0:?} is no side: write strong or weak")]
    Side(String),
    /// A rule is none of the known ones.
    #[error("{0:?} is no rule of data/rules/known: see the names there")]
    Rule(String),
    /// A method is none of the strategies that are carried.
    #[error("{0:?} is no strategy of data/parts for this endgame: see the names there")]
    Method(String),
    /// The result that moves keep is missing.
    #[error("{0:?} names no result: write win or draw, and the moves that keep it")]
    Keeps(String),
    /// A move is not legal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// The rule for the right moves is unknown.
    #[error("{0:?} is no rule for right moves: write win, quickest, or least and a quantity")]
    Right(String),
}

/// The texts of the lessons in stages that this build carries, by endgame.
const TEXTS: [(&str, &str); 5] = [
    ("KQvK", include_str!("stages/KQvK.txt")),
    ("KRvK", include_str!("stages/KRvK.txt")),
    ("KPvK", include_str!("stages/KPvK.txt")),
    ("KBBvK", include_str!("stages/KBBvK.txt")),
    ("KBNvK", include_str!("stages/KBNvK.txt")),
];

/// The lines that are left, each a word and the rest, with their numbers.
pub(super) struct Lines<'t> {
    material: Material,
    left: VecDeque<(usize, &'t str, &'t str)>,
    /// The number of the last line taken.
    at: usize,
}

type Result<T, E = ParseStagesError> = std::result::Result<T, E>;

impl StagedLesson {
    /// The endgames that have a lesson in stages, the easiest first.
    pub fn materials() -> impl Iterator<Item = Material> {
        TEXTS.iter().map(|(name, _)| name.parse().expect("it is a material"))
    }

    /// The lesson of an endgame; `None` if this build carries none.
    ///
    /// ```
    /// use lucena_explain::lesson::StagedLesson;
    ///
    /// let lesson = StagedLesson::of("KRvK".parse()?).expect("it is carried");
    /// assert!(lesson.stages.len() >= 3);
    /// assert!(StagedLesson::of("KNvK".parse()?).is_none());
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    ///
    /// # Panics
    /// If the text of the lesson is not sound; a test reads them all.
    pub fn of(material: Material) -> Option<&'static Self> {
        static READ: [OnceLock<StagedLesson>; TEXTS.len()] = [const { OnceLock::new() }; 5];
        let name = material.to_string();
        let at = TEXTS.iter().position(|(known, _)| *known == name)?;
        let read = || Self::parse(material, TEXTS[at].1);
        Some(READ[at].get_or_init(|| read().unwrap_or_else(|error| panic!("{name}: {error}"))))
    }

    /// Reads a lesson from its text; `stages/README.md` describes the lines.
    ///
    /// # Errors
    /// If a line cannot be read or is missing.
    pub fn parse(material: Material, text: &str) -> Result<Self> {
        read(material, text)
    }
}

fn read(material: Material, text: &str) -> Result<StagedLesson> {
    let mut lines = Lines::new(material, text);
    let introduction = lines.take("lesson")?.into();
    let mut stages = Vec::new();
    while !lines.is_at_end() {
        stages.push(lines.stage()?);
    }
    Ok(StagedLesson { material, introduction, stages })
}

impl<'t> Lines<'t> {
    /// The lines of a text about an endgame.
    pub(super) fn new(material: Material, text: &'t str) -> Self {
        let left = entries(text).map(|(number, line)| {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            (number, word, rest.trim())
        });
        Self { material, left: left.collect(), at: 1 }
    }

    pub(super) fn material(&self) -> Material {
        self.material
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.left.is_empty()
    }

    pub(super) fn error(&self, problem: impl Into<StageLineError>) -> ParseStagesError {
        ParseStagesError { line: self.at, problem: problem.into() }
    }

    /// Takes the next line if it begins with a word.
    pub(super) fn take_if(&mut self, word: &str) -> Option<&'t str> {
        self.left.front().filter(|(_, begins, _)| *begins == word)?;
        let (number, _, rest) = self.left.pop_front()?;
        self.at = number;
        Some(rest)
    }

    /// Takes the next line, which begins with a word.
    pub(super) fn take(&mut self, expected: &'static str) -> Result<&'t str> {
        self.take_if(expected).ok_or_else(|| {
            let next = self.left.front();
            let found = next.map_or(String::new(), |(_, word, rest)| format!("{word} {rest}"));
            let line = next.map_or(self.at, |(number, ..)| *number);
            ParseStagesError { line, problem: StageLineError::Order { expected, found } }
        })
    }

    fn stage(&mut self) -> Result<Stage> {
        let title = self.take("stage")?.into();
        let aim = self.take("aim")?.into();
        let board = self.take("board")?;
        let board = self.position(board)?;
        let shows = self.take_if("shows").map(|names| {
            let names = names.split(',').map(str::trim);
            QuantitySet::named(self.material, names).map_err(|error| self.error(error))
        });
        let shows = shows.transpose()?;
        Ok(Stage {
            title,
            aim,
            board,
            shows,
            claims: self.claims()?,
            exercise: self.exercise()?,
            game: self.game()?,
        })
    }

    fn claims(&mut self) -> Result<Vec<Claim>> {
        let mut claims = Vec::new();
        loop {
            if let Some(says) = self.take_if("advice") {
                claims.push(Claim::Advice(says.into()));
            } else if let Some(says) = self.take_if("proved") {
                let conditions = match self.take_if("when") {
                    Some(conditions) => self.conditions(conditions)?,
                    None => Vec::new(),
                };
                let turn = match self.take("turn")? {
                    "strong" => Side::Strong,
                    "weak" => Side::Weak,
                    other => return Err(self.error(StageLineError::Side(other.into()))),
                };
                claims.push(Claim::Proved(Fact { says: says.into(), conditions, turn }));
            } else {
                return Ok(claims);
            }
        }
    }

    fn exercise(&mut self) -> Result<StageExercise> {
        let position = self.take("exercise")?;
        let position = self.strong_to_move(position)?;
        let question = self.take("question")?.into();
        let right = self.take("right")?;
        let right = match right.split_once(' ') {
            Some(("least", name)) => RightMoves::Least(self.quantity(name)?),
            None if right == "win" => RightMoves::Win,
            None if right == "quickest" => RightMoves::Quickest,
            _ => return Err(self.error(StageLineError::Right(right.into()))),
        };
        let (hint, because) = (self.take("hint")?.into(), self.take("because")?.into());
        Ok(StageExercise { position, question, right, hint, because })
    }

    fn game(&mut self) -> Result<StageGame> {
        let start = self.take("game")?;
        let start = self.strong_to_move(start)?;
        let from = self.take("from")?;
        let from = self.conditions(from)?;
        let goal = match self.take("until")? {
            "mate" => Goal::Mate,
            "promotion" => Goal::Promotion,
            condition => Goal::Range(self.condition(condition)?),
        };
        Ok(StageGame { start, from, goal, done: self.take("done")?.into() })
    }

    pub(super) fn position(&self, fen: &str) -> Result<Position> {
        let position: Position = fen.parse().map_err(|error: FenError| self.error(error))?;
        match position.material() == self.material {
            true => Ok(position),
            false => Err(self.error(StageLineError::OtherMaterial(position.material()))),
        }
    }

    fn strong_to_move(&self, fen: &str) -> Result<Position> {
        let position = self.position(fen)?;
        match position.turn() {
            Side::Strong => Ok(position),
            Side::Weak => Err(self.error(StageLineError::WeakToMove)),
        }
    }

    /// Conditions separated by commas.
    fn conditions(&self, text: &str) -> Result<Vec<QuantityRange>> {
        let each = text.split(',').map(str::trim).filter(|text| !text.is_empty());
        each.map(|text| self.condition(text)).collect()
    }

    fn quantity(&self, name: &str) -> Result<Quantity> {
        let set = QuantitySet::named(self.material, [name]).map_err(|error| self.error(error))?;
        Ok(set.quantities()[0].clone())
    }

    fn condition(&self, text: &str) -> Result<QuantityRange> {
        let unreadable = || self.error(StageLineError::Condition(text.into()));
        let [name, sign, values] =
            <[&str; 3]>::try_from(text.split_whitespace().collect::<Vec<_>>())
                .map_err(|_| unreadable())?;
        let quantity = self.quantity(name)?;
        let (least, most) = quantity.domain();
        let number = |text: &str| text.parse::<u16>().map_err(|_| unreadable());
        let (low, high) = match (sign, values.split_once("..")) {
            ("=", Some((low, high))) => (number(low)?, number(high)?),
            ("=", None) => (number(values)?, number(values)?),
            ("<=", None) => (least, number(values)?),
            (">=", None) => (number(values)?, most),
            _ => return Err(unreadable()),
        };
        Ok(QuantityRange { quantity, low, high })
    }
}
