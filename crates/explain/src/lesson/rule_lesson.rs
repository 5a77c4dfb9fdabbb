//! Lessons made from rules without exceptions: what each stage shows, proves, advises and asks.

use super::stage_text::{Lines, ParseStagesError, StageLineError};
use lucena_chess::{Material, Move, Position};
use lucena_data::PARTS;
use lucena_model::Strategy;
use lucena_proof::policy::StrategyPolicy;
use lucena_rules::Claim;
use std::sync::OnceLock;

/// A lesson on an endgame, made from rules that are known to have no exception.
#[derive(Debug, Clone)]
pub struct RuleLesson {
    /// The endgame.
    pub material: Material,
    /// The learner's goal: a skill, in a sentence.
    pub introduction: String,
    /// The stages, in the order in which they are learned.
    pub stages: Vec<RuleStage>,
}

/// A part of a lesson made from rules.
#[derive(Debug, Clone)]
pub struct RuleStage {
    /// The title.
    pub title: String,
    /// The aim, in a sentence.
    pub aim: String,
    /// The positions on the boards.
    pub boards: Vec<Position>,
    /// The rules that the stage proves, by their names among the known rules of the endgame.
    pub rules: Vec<String>,
    /// The strategy whose rules do what the stage is about, by its name in `data/parts`.
    pub method: Option<String>,
    /// Advice: it helps, although no proof stands behind it.
    pub advice: Vec<String>,
    /// The exercise.
    pub exercise: RuleExercise,
}

/// A position in which the learner finds the moves that keep the result, for either side.
#[derive(Debug, Clone)]
pub struct RuleExercise {
    /// The position.
    pub position: Position,
    /// The result that the right moves keep.
    pub result: Claim,
    /// All moves that keep it.
    pub right: Vec<Move>,
    /// The question.
    pub question: String,
    /// A hint, in a sentence.
    pub hint: String,
}

/// The texts of the lessons that this build carries, by endgame.
const TEXTS: [(&str, &str); 6] = [
    ("KPvK", include_str!("rule_stages/KPvK.txt")),
    ("KPvKP", include_str!("rule_stages/KPvKP.txt")),
    ("KRvKP", include_str!("rule_stages/KRvKP.txt")),
    ("KQvKP", include_str!("rule_stages/KQvKP.txt")),
    ("KBPvK", include_str!("rule_stages/KBPvK.txt")),
    ("KRPvKR", include_str!("rule_stages/KRPvKR.txt")),
];

impl RuleLesson {
    /// The endgames that have a lesson made from rules.
    pub fn materials() -> impl Iterator<Item = Material> {
        TEXTS.iter().map(|(name, _)| name.parse().expect("it is a material"))
    }

    /// The lesson of an endgame; `None` if this build carries none.
    ///
    /// ```
    /// use lucena_explain::lesson::RuleLesson;
    ///
    /// let lesson = RuleLesson::of("KRPvKR".parse()?).expect("it is carried");
    /// assert!(lesson.stages.iter().any(|stage| stage.title.contains("Lucena")));
    /// assert!(RuleLesson::of("KRvK".parse()?).is_none());
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    ///
    /// # Panics
    /// If the text of the lesson is not sound; a test reads them all.
    pub fn of(material: Material) -> Option<&'static Self> {
        static READ: [OnceLock<RuleLesson>; TEXTS.len()] = [const { OnceLock::new() }; 6];
        let name = material.to_string();
        let at = TEXTS.iter().position(|(known, _)| *known == name)?;
        let read = || Self::parse(material, TEXTS[at].1);
        Some(READ[at].get_or_init(|| read().unwrap_or_else(|error| panic!("{name}: {error}"))))
    }

    /// Reads a lesson from its text; `rule_stages/README.md` describes the lines.
    ///
    /// # Errors
    /// If a line cannot be read or is missing, or a rule is unknown.
    pub fn parse(material: Material, text: &str) -> Result<Self, ParseStagesError> {
        let mut lines = Lines::new(material, text);
        let introduction = lines.take("lesson")?.into();
        let mut stages = Vec::new();
        while !lines.is_at_end() {
            stages.push(RuleStage::read(&mut lines)?);
        }
        Ok(Self { material, introduction, stages })
    }
}

/// The strategy of this name in `data/parts`, if this build carries it.
pub(super) fn carried_method(material: Material, name: &str) -> Option<StrategyPolicy> {
    let material = material.to_string();
    let mut carried = PARTS.iter();
    let text = carried.find(|text| (text.material, text.name) == (material.as_str(), name))?;
    let strategy = Strategy::from_json(text.json.as_bytes()).expect("what is carried can be read");
    Some(StrategyPolicy::new(strategy).expect("what is carried can be played"))
}

impl RuleStage {
    fn read(lines: &mut Lines<'_>) -> Result<Self, ParseStagesError> {
        let title = lines.take("stage")?.into();
        let aim = lines.take("aim")?.into();
        let first = lines.take("board")?;
        let mut boards = vec![lines.position(first)?];
        while let Some(board) = lines.take_if("board") {
            boards.push(lines.position(board)?);
        }
        let first = lines.take("rule")?;
        let mut rules: Vec<String> = vec![first.into()];
        while let Some(rule) = lines.take_if("rule") {
            rules.push(rule.into());
        }
        for rule in &rules {
            if crate::known_rule::named(lines.material(), rule).is_none() {
                return Err(lines.error(StageLineError::Rule(rule.clone())));
            }
        }
        let method = lines.take_if("method").map(String::from);
        if let Some(name) = &method
            && carried_method(lines.material(), name).is_none()
        {
            return Err(lines.error(StageLineError::Method(name.clone())));
        }
        let mut advice = Vec::new();
        while let Some(says) = lines.take_if("advice") {
            advice.push(says.into());
        }
        let exercise = RuleExercise::read(lines)?;
        Ok(Self { title, aim, boards, rules, method, advice, exercise })
    }
}

impl RuleExercise {
    fn read(lines: &mut Lines<'_>) -> Result<Self, ParseStagesError> {
        let position = lines.take("exercise")?;
        let position = lines.position(position)?;
        let keeps = lines.take("keeps")?;
        let mut words = keeps.split_whitespace();
        let result = match words.next() {
            Some("win") => Claim::Win,
            Some("draw") => Claim::Draw,
            _ => return Err(lines.error(StageLineError::Keeps(keeps.into()))),
        };
        let right: Result<Vec<Move>, _> = words.map(|word| position.parse_move(word)).collect();
        let right = right.map_err(|error| lines.error(error))?;
        let question = lines.take("question")?.into();
        let hint = lines.take("hint")?.into();
        Ok(Self { position, result, right, question, hint })
    }
}
