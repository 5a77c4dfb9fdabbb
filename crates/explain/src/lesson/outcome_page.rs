//! The page of a lesson on a tree of outcomes.

use super::outcome::{CountedRule, LargerTree, OutcomeLesson};
use super::page::{LessonAnswer, LessonBoard, LessonExercise, LessonPage, LessonSection};
use super::reading::how_to_read;
use super::words::{explained_words, fallback_text};
use crate::rule_sentence::{clause_sentence, player};
use lucena_attributes::{Attribute, ReaderBoard};
use lucena_base::plural::{capital, count, grouped, percent, word_list};
use lucena_chess::Side;
use lucena_chess::symmetry::Symmetry;
use lucena_model::Class;
use lucena_rules::RuleList;

impl OutcomeLesson {
    /// The lesson as data: the same tree and positions give the same page.
    pub fn page(&self) -> LessonPage {
        let mut sections = vec![self.introduction()];
        sections.extend(self.rule_sections());
        sections.push(LessonSection::headed("Where each rule is right and wrong", 2));
        sections
            .extend((1..).zip(&self.rules).filter_map(|(number, rule)| self.boards(number, rule)));
        let rules = count(self.rules.len() as u64, "rule", "rules");
        let title = format!(
            "{}, {} to move: the outcome in {rules}",
            self.attributes.material(),
            self.mover()
        );
        let exercises = self.exercises.iter().map(|&(rule, at)| self.exercise(rule, at));
        LessonPage { title: title.into(), sections, exercises: exercises.collect() }
    }

    /// The name of the side to move.
    fn mover(&self) -> &'static str {
        player(self.turn())
    }

    /// An outcome in words, without a capital.
    fn outcome(&self, class: Class) -> String {
        let [mover, other] = [self.turn(), !self.turn()].map(player);
        match self.tree.head().classes[usize::from(class)].as_str() {
            "win" => format!("{mover} wins"),
            "loss" => format!("{other} wins"),
            "draw" => "a draw".into(),
            "cursed-win" => cursed(mover),
            "blessed-loss" => cursed(other),
            other => other.into(),
        }
    }

    /// A number of positions with an outcome, as a clause.
    fn with_outcome(&self, class: Class, positions: u64) -> String {
        let [mover, other] = [self.turn(), !self.turn()].map(player);
        let (positions, are) = (grouped(positions), if positions == 1 { "is" } else { "are" });
        match self.tree.head().classes[usize::from(class)].as_str() {
            "win" => format!("{mover} wins {positions}"),
            "loss" => format!("{other} wins {positions}"),
            "draw" => format!("{positions} {are} drawn"),
            "cursed-win" => too_late(mover, &positions),
            "blessed-loss" => too_late(other, &positions),
            _ => format!("{positions} {are} {}", self.outcome(class)),
        }
    }

    fn introduction(&self) -> LessonSection {
        let outcomes = self.outcomes();
        let all: u64 = outcomes.iter().map(|(_, positions)| positions).sum();
        let clauses: Vec<String> = outcomes
            .into_iter()
            .map(|(class, positions)| self.with_outcome(class, positions))
            .collect();
        let right: u64 = self.rules.iter().map(|rule| rule.right).sum();
        let verdict = |right: u64| match (all, right) {
            (1, 0) => "wrong in it".to_owned(),
            (1, _) => "right in it".to_owned(),
            _ => {
                let share = percent(right as f64 / all as f64);
                format!("right in {} of them, {share}", grouped(right))
            }
        };
        let mut figures = format!(
            "Of {}, {}. The rules are {}.",
            count(all, "position", "positions"),
            word_list(&clauses),
            verdict(right)
        );
        let part = self.tree.head().part();
        if !part.is_empty() {
            figures += &format!(" The positions are those in which {}.", self.part_in_words(&part));
        }
        if let Some(sample) = &self.known.sample {
            figures += &format!(" The positions are {sample}.");
        }
        if let Some(LargerTree { leaves, right }) = self.larger {
            figures += &format!(
                " The rules are the best part of a tree of {}, which is {}. The part was chosen on the same positions on which it is counted.",
                count(leaves as u64, "leaf", "leaves"),
                verdict(right)
            );
        }
        let reading = how_to_read(self.tree.head(), self.attributes.material());
        let mut section = LessonSection::untitled([reading, figures]);
        let attributes = self.attributes.attributes();
        let tested = self.rules.iter().flat_map(|counted| &counted.rule.conditions);
        let tested: Vec<&Attribute> =
            tested.map(|condition| &attributes[condition.attribute]).collect();
        let glossary = tested.iter().filter_map(|attribute| attribute.glossary());
        let words = explained_words(glossary, tested.iter().copied());
        if !words.is_empty() {
            section.list(None, words.into_iter().map(Into::into));
        }
        section
    }

    /// The rules in order, those of an outcome under its heading.
    fn rule_sections(&self) -> impl Iterator<Item = LessonSection> {
        let numbered: Vec<(usize, &CountedRule)> = (1..).zip(&self.rules).collect();
        let sections: Vec<LessonSection> = numbered
            .chunk_by(|(_, one), (_, next)| one.rule.class == next.rule.class)
            .map(|rules| {
                let (first, counted) = rules[0];
                let heading = capital(&self.outcome(counted.rule.class));
                let mut section = LessonSection::headed(heading, 2);
                let item = |(number, counted): &(usize, &CountedRule)| self.item(*number, counted);
                section.list(Some(first), rules.iter().map(item));
                section
            })
            .collect();
        sections.into_iter()
    }

    /// A rule in words, and how often it is right.
    fn item(&self, number: usize, counted: &CountedRule) -> String {
        let said = self.words.sentence(&counted.rule.conditions);
        let said = said.unwrap_or_else(|| fallback_text(number).into());
        format!("{said} *{}.*", figures(counted))
    }

    /// A board on which a rule is right, and one on which it is wrong; `None` if it comes to no position.
    fn boards(&self, number: usize, counted: &CountedRule) -> Option<LessonSection> {
        let outcome = self.outcome(counted.rule.class);
        let mut section = LessonSection::headed(format!("Rule {number}: {outcome}"), 3);
        for (at, is_right) in [(counted.typical, true), (counted.wrong, false)] {
            let Some(at) = at else { continue };
            let known = self.outcome(self.known.classes[at]);
            let verdict = match (is_right, section.boards.is_empty()) {
                (true, _) => format!("The rule is right here: {known}."),
                (false, true) => format!("The rule is wrong here: {known}."),
                (false, false) => format!("On the second board it is wrong: {known}."),
            };
            let seen = self.seen(&counted.rule.conditions, at);
            section.paragraphs.push(format!("{verdict} {}", capital(&seen)).into());
            section.boards.push(LessonBoard::marked(self.known.positions[at], &[]));
        }
        (!section.boards.is_empty()).then_some(section)
    }

    /// The values in a position of what a rule asks, in a sentence without a capital. Like the rule, it speaks of the
    /// mirrored board at the end.
    fn seen(&self, conditions: &[lucena_model::Condition], at: usize) -> String {
        let position = self.known.positions[at];
        let placement = position.with(Side::Weak, *position.squares());
        let view = ReaderBoard::new(&placement, Symmetry::IDENTITY).to_be_mirrored();
        let after_mirroring = view.clone().mirrored();
        let (mut plain, mut mirrored) = (Vec::new(), Vec::new());
        for condition in conditions {
            let attribute = &self.attributes.attributes()[condition.attribute];
            let value = attribute.value(&placement);
            let [whole, rest] =
                [&view, &after_mirroring].map(|view| attribute.sentence(value..=value, view));
            if whole == rest { plain.push(whole) } else { mirrored.push(rest) }
        }
        plain.dedup();
        mirrored.dedup();
        let mirrored = match mirrored.as_slice() {
            [] => None,
            values => Some(format!("{}{}", ReaderBoard::MIRRORED, word_list(values))),
        };
        match (plain.as_slice(), mirrored) {
            ([], None) => "no rule above it holds.".into(),
            ([], Some(mirrored)) => format!("{mirrored}."),
            (values, None) => format!("{}.", word_list(values)),
            (values, Some(mirrored)) => format!("{}, and, {mirrored}.", word_list(values)),
        }
    }

    /// The conditions of the part of the endgame that the tree is made for, in words.
    fn part_in_words(&self, part: &[String]) -> String {
        let material = self.attributes.material();
        let Ok(list) = RuleList::without_rules(material, part) else { return part.join(" and ") };
        let clauses = list.within().iter().map(|clause| clause_sentence(&list, clause));
        word_list(&clauses.collect::<Vec<_>>())
    }

    fn exercise(&self, rule: usize, at: usize) -> LessonExercise {
        let class = self.known.classes[at];
        let answers = self.outcomes().into_iter().map(|(answer, _)| LessonAnswer {
            text: capital(&self.outcome(answer)),
            is_right: answer == class,
        });
        let answers: Vec<LessonAnswer> = answers.collect();
        let texts: Vec<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
        let question = format!("What is the outcome? ({})", texts.join("; "));
        let seen = self.seen(&self.rules[rule].rule.conditions, at);
        let explanation =
            format!("{}. Rule {} tells it: {seen}", capital(&self.outcome(class)), rule + 1);
        LessonExercise::with_answers(self.known.positions[at], question, answers, explanation)
    }
}

/// A win that the fifty-move rule makes a draw.
fn cursed(winner: &str) -> String {
    format!("a draw, because the fifty-move rule ends the game before {winner} wins")
}

/// A number of positions in which a win is a draw by the fifty-move rule.
fn too_late(winner: &str, positions: &str) -> String {
    format!("{winner} wins {positions} too late under the fifty-move rule")
}

/// The number of positions to which a rule comes, and the share in which it is right.
fn figures(counted: &CountedRule) -> String {
    let CountedRule { all, right, .. } = *counted;
    let positions = count(all, "position", "positions");
    match all {
        0 => positions,
        _ if right == all => format!("{positions}, right in all"),
        _ => format!(
            "{positions}, right in {}, {}",
            grouped(right),
            percent(right as f64 / all as f64)
        ),
    }
}
