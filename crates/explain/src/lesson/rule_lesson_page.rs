//! The page of a lesson made from rules.

use super::page::{LessonBoard, LessonExercise, LessonGame, LessonPage, LessonSection};
use super::rule_lesson::{RuleExercise, RuleLesson, RuleStage, carried_method};
use super::strategy_page::method;
use super::words::sans;
use crate::known_rule::{KnownRule, applying_rule, named};
use crate::{rule_marks, rule_sentence};
use lucena_base::plural::{capital, count, number};
use lucena_chess::{Material, Move, Position, Side};
use lucena_rules::{Claim, Rule, RuleList};
use lucena_tablebase::{Category, Outcome, Tablebase};

/// The most plies of a game on the page.
const MAX_PLIES: usize = 24;

/// The most conditions of a rule that a lesson writes out.
const MAX_CLAUSES: usize = 10;

impl RuleLesson {
    /// The lesson as data. The games and the lines of solutions come from a table; without one there are none.
    ///
    /// # Panics
    /// If the table is of another endgame.
    pub fn page(&self, table: Option<&Tablebase>) -> LessonPage {
        let mut introduction =
            LessonSection::untitled([self.introduction.clone(), HOW_TO_READ.into()]);
        if table.is_none() {
            introduction.paragraphs.push(self.without_table().into());
        }
        let stages = (1..).zip(&self.stages);
        let sections = stages.flat_map(|(number, stage)| {
            let game = table.and_then(|table| stage.game_section(table));
            let facts = [stage.section(number, self.material)].into_iter();
            facts.chain(stage.method(self.material)).chain(game)
        });
        let exercises = self.stages.iter().map(|stage| stage.exercise.page(table));
        LessonPage {
            title: format!("{} in {} stages", self.material, number(self.stages.len())).into(),
            sections: [introduction].into_iter().chain(sections).collect(),
            exercises: exercises.collect(),
        }
    }

    /// What the lesson lacks without a table.
    fn without_table(&self) -> String {
        let material = self.material;
        format!(
            "This lesson was written without the table of {material}, so it has no games. It has them if `--tables` names a folder with the table; `lucena solve {material} --class dtz --tables FOLDER` makes it."
        )
    }
}

/// The meaning of the marks before sentences.
const HOW_TO_READ: &str = "What stands behind *Proved* is a rule that was right in every position of the endgame in which it applies, against every defence, or a method that does what it says against every reply. The positions of rules are counted up to symmetry. White is the side with more. What stands behind *Advice* helps, although no proof stands behind it.";

impl RuleStage {
    /// The aim, the boards, and what is proved and advised.
    fn section(&self, number: usize, material: Material) -> LessonSection {
        let mut section = LessonSection::headed(format!("Stage {number}: {}", self.title), 2);
        section.paragraphs.push(format!("**The aim.** {}", self.aim).into());
        let shown =
            self.boards.iter().zip(["On the board", "On the second board", "On the third board"]);
        for (board, place) in shown {
            section.boards.push(LessonBoard::with_marks(*board, marks(board)));
            let rule = KnownRule::of(board, Category::Unknown);
            section.paragraphs.extend(rule.map(|rule| rule.at(place).into()));
        }
        let proved = self.rules.iter().flat_map(|name| named(material, name));
        let proved = proved.map(|(list, rule)| proved_text(list, rule));
        let advice = self.advice.iter().map(|says| format!("**\u{2192} Advice.** {says}"));
        section.list(None, proved.chain(advice));
        section
    }

    /// The rules of the stage's method, and what is proved about them.
    fn method(&self, material: Material) -> Vec<LessonSection> {
        let named = self.method.as_ref().and_then(|name| carried_method(material, name));
        named.map_or_else(Vec::new, |policy| method(&policy))
    }

    /// A game from the last board with White to move, with best play of both sides; `None` if there is no such board.
    fn game_section(&self, table: &Tablebase) -> Option<LessonSection> {
        let mut section = LessonSection::headed("How it goes on", 3);
        let start = *self.boards.iter().rfind(|board| board.turn() == Side::Strong)?;
        let line = best_line(&start, table);
        let moves = count(line.len().div_ceil(2) as u64, "move", "moves");
        let text = format!("Best play of both sides by the table, for {moves}:");
        section.paragraphs.push(text.into());
        let why = |position: &Position, mv: Move| {
            let reached = position.play(mv).ok();
            let rule = reached.and_then(|reached| KnownRule::of(&reached, Category::Unknown));
            rule.map_or_else(String::new, |rule| rule.title)
        };
        section.game = LessonGame::new(start, &line, why);
        Some(section)
    }
}

impl RuleExercise {
    /// The exercise as data. With a table, the solution of a win has a line of best play.
    fn page(&self, table: Option<&Tablebase>) -> LessonExercise {
        let (question, right) = (self.question.clone(), self.right.clone());
        LessonExercise::asking(self.position, question, right, self.solution(table))
            .with_hint(&self.hint)
    }

    fn solution(&self, table: Option<&Tablebase>) -> String {
        let result = match self.result {
            Claim::Win => "the win",
            Claim::Draw => "the draw",
        };
        let keep = if self.right.len() == 1 { "keeps" } else { "keep" };
        let mut text = format!("{} {keep} {result}.", sans(&self.position, &self.right));
        match self.position.moves().len() - self.right.len() {
            0 => {}
            1 => text += " The other move gives it away.",
            others => text += &format!(" The other {others} moves give it away."),
        }
        // A move that leads to a rule teaches most.
        let taught = self.right.iter().find(|&&mv| self.reached(mv).is_some());
        let Some(&mv) = taught.or(self.right.first()) else { return text };
        text.extend(self.reached(mv).map(|rule| format!(" {rule}")));
        let after = self.position.play(mv).ok().filter(|_| self.result == Claim::Win);
        if let Some((after, table)) = after.zip(table) {
            let line: Vec<Move> = [mv].into_iter().chain(best_line(&after, table)).collect();
            text += &format!(" Against the best defence: {}.", written(&self.position, &line));
        }
        text
    }

    /// The rule that a move reaches, in a sentence; `None` if it reaches none.
    fn reached(&self, mv: Move) -> Option<String> {
        let after = self.position.play(mv).ok()?;
        Some(KnownRule::of(&after, Category::Unknown)?.after_move(&self.position.san(mv).ok()?))
    }
}

/// A rule with its record, in words and as formulas.
fn proved_text(list: &RuleList, rule: &Rule) -> String {
    let claim = match rule.claim {
        Claim::Win => "White wins",
        Claim::Draw => "White does not win",
    };
    let turn = rule.turn.map_or_else(String::new, |turn| match turn {
        Side::Strong => ", White to move".into(),
        Side::Weak => ", Black to move".into(),
    });
    let record = rule.decides.map_or_else(String::new, |all| {
        format!(" *{}, no exception.*", count(all, "position", "positions"))
    });
    let in_full = match rule.clauses.len() {
        ..=MAX_CLAUSES => format!(" In full: {}.", rule_sentence(list, rule)),
        more => format!(
            " In full it has {more} conditions: see `{}` in `data/rules/known/{}.toml`.",
            rule.name,
            list.material()
        ),
    };
    format!("**\u{2713} Proved.** {}{turn}: {claim}.{record}{in_full}", capital(&rule.title))
}

/// The squares that the first rule which applies to a position is about.
fn marks(position: &Position) -> Vec<crate::diagram::Mark> {
    let applying = applying_rule(position);
    applying.map_or_else(Vec::new, |(list, rule, image)| rule_marks(list, rule, position, image))
}

/// The best moves of both sides by a table, until a capture, a promotion, mate, or the most plies.
fn best_line(start: &Position, table: &Tablebase) -> Vec<Move> {
    let (mut position, mut line) = (*start, Vec::new());
    while line.len() < MAX_PLIES && position.material() == table.material() {
        let Some(&(mv, after, outcome)) = table.outcomes(&position).first() else { break };
        line.push(mv);
        position = after;
        // A draw goes on for ever.
        if outcome == Outcome::Draw && line.len() >= MAX_PLIES / 4 {
            break;
        }
    }
    line
}

/// Moves in standard algebraic notation, as in a game.
fn written(start: &Position, line: &[Move]) -> String {
    let (mut position, mut words) = (*start, Vec::new());
    for &mv in line {
        words.push(sans(&position, &[mv]));
        match position.play(mv) {
            Ok(after) => position = after,
            Err(_) => break,
        }
    }
    words.join(" ")
}
