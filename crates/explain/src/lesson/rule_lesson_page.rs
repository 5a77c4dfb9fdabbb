//! The page of a lesson made from rules.

use super::page::{LessonBoard, LessonExercise, LessonGame, LessonPage, LessonSection};
use super::rule_lesson::{RuleLesson, RuleStage, carried_method};
use super::strategy_page::method;
use super::words::sans;
use crate::known_rule::{KnownRule, applying_rule, named};
use crate::{rule_marks, rule_sentence};
use lucena_base::plural::{capital, count, number};
use lucena_chess::{Material, Move, Position, Side};
use lucena_rules::{Claim, Rule, RuleList};
use lucena_tablebase::{Category, Outcome, Tablebase, Wdl};

/// The most plies of a game on the page.
const MAX_PLIES: usize = 24;

/// The most conditions of a rule that a lesson writes out.
const MAX_CLAUSES: usize = 10;

/// The most moves that a solution names.
const MAX_NAMED: usize = 6;

impl RuleLesson {
    /// The lesson as data. The solutions and the games come from a table; without one there are no games, and solutions are
    /// only those moves that lead to a rule of the lesson.
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
        let exercises = self.stages.iter().map(|stage| stage.lesson_exercise(table));
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
            "This lesson was written without the table of {material}, so it has no games, and its solutions name only those moves that lead to a rule. With the table in a folder, `lucena lesson {material} --tables FOLDER` has them all; `lucena solve {material} --class dtz --tables FOLDER` makes it."
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

    fn lesson_exercise(&self, table: Option<&Tablebase>) -> LessonExercise {
        let (right, solution) = match table {
            Some(table) => self.solved(table),
            None => self.solved_by_rules(),
        };
        let question = format!("{} ({})", self.question, self.hint);
        LessonExercise::asking(self.exercise, question, right, solution)
    }

    /// The moves that keep the result by the table, and the solution in sentences.
    fn solved(&self, table: &Tablebase) -> (Vec<Move>, String) {
        let all = table.outcomes(&self.exercise);
        let result = |after: &Outcome| after.before_move().wdl();
        let best = all.first().map(|(.., outcome)| result(outcome));
        let right: Vec<Move> = all
            .iter()
            .filter(|(.., outcome)| Some(result(outcome)) == best)
            .map(|one| one.0)
            .collect();
        let keeps = match best {
            Some(Wdl::Win) => "the win",
            _ => "the draw",
        };
        let keep = if right.len() == 1 { "keeps" } else { "keep" };
        let mut text = format!("{} {keep} {keeps}.", sans(&self.exercise, &right));
        match all.len() - right.len() {
            0 => {}
            1 => text += " The other move gives it away.",
            others => text += &format!(" The other {others} moves give it away."),
        }
        // A move that leads to a rule teaches most.
        let taught = right.iter().find(|&&mv| self.reached(mv).is_some());
        if let Some(&mv) = taught.or(right.first()) {
            text.extend(self.reached(mv).map(|rule| format!(" {rule}")));
            let after = self.exercise.play(mv).ok().filter(|_| best == Some(Wdl::Win));
            let line = after.map(|after| best_line(&after, table)).unwrap_or_default();
            if !line.is_empty() {
                let line: Vec<Move> = [mv].into_iter().chain(line).collect();
                text += &format!(" Against the best defence: {}.", written(&self.exercise, &line));
            }
        }
        (right, text)
    }

    /// The moves that lead to a rule which keeps the best result, and what it says.
    fn solved_by_rules(&self) -> (Vec<Move>, String) {
        let mover = self.exercise.turn();
        let moves = self.exercise.moves().into_iter();
        let kept = moves.filter(|&mv| {
            let after = self.exercise.play(mv).ok();
            let rule = after.and_then(|after| KnownRule::of(&after, Category::Unknown));
            let wanted = if mover == Side::Strong { Claim::Win } else { Claim::Draw };
            rule.is_some_and(|rule| rule.claim == wanted)
        });
        let right: Vec<Move> = kept.collect();
        let named = &right[..right.len().min(MAX_NAMED)];
        let what = match right.len() {
            0 => "No move leads to a rule at once: the table is needed.".into(),
            1 => format!("{} leads to a rule.", sans(&self.exercise, named)),
            _ => format!("{} lead to rules.", sans(&self.exercise, named)),
        };
        let why = right.first().and_then(|&mv| self.reached(mv));
        (right, [Some(what), why].into_iter().flatten().collect::<Vec<_>>().join(" "))
    }

    /// What a move of the exercise reaches, in a sentence.
    fn reached(&self, mv: Move) -> Option<String> {
        let after = self.exercise.play(mv).ok()?;
        Some(KnownRule::of(&after, Category::Unknown)?.after_move(&self.exercise.san(mv).ok()?))
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
