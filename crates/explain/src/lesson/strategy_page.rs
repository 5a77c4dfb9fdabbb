//! The page of a strategy's lesson.

use super::page::{LessonBoard, LessonPage, LessonSection};
use super::progress_measure::{ProgressMeasure, Trend};
use super::strategy::StrategyLesson;
use super::survey::{DecisivePosition, RulePart};
use super::words::{explained_words, safe_moves, sans, shows, worth};
use crate::StrategySentences;
use crate::rule_sentence::player;
use lucena_attributes::{Attribute, ReaderBoard};
use lucena_base::plural::{capital, percent};
use lucena_chess::{Material, Side};
use lucena_model::{Aim, Candidates};
use lucena_proof::policy::{Policy, StrategyPolicy};
use std::fmt::Write;

/// The most moves kept by a point that are shown on a board.
const MAX_SHOWN: usize = 4;

impl StrategyLesson<'_> {
    /// The lesson as data.
    pub fn page(&self) -> LessonPage {
        let mut sections = vec![self.introduction()];
        sections.extend(rules(self.survey.policy, LessonSection::headed("The rules", 2)));
        sections.extend(self.boards());
        sections.extend(self.what_falls());
        sections.extend(self.game());
        let title = title(self.survey.policy).into();
        LessonPage { title, sections, exercises: self.exercises() }
    }

    /// The lesson as Markdown: the same strategy and table give the same bytes.
    pub fn to_markdown(&self) -> String {
        self.page().to_markdown()
    }

    fn material(&self) -> Material {
        self.survey.policy.material()
    }

    /// The strength of the rules, and the definition of safe moves.
    fn introduction(&self) -> LessonSection {
        let policy = self.survey.policy;
        let part = StrategySentences::new(policy).made_for();
        let worth = worth(&self.proof, policy.side(), policy.is_made_for_part());
        LessonSection::untitled(part.into_iter().chain([worth, safe(policy)]))
    }

    /// A board for each part that decides somewhere.
    fn boards(&self) -> impl Iterator<Item = LessonSection> {
        let deciding = self.deciding.iter().map(|(rule, place, found)| {
            let kept = found.left.iter().take(MAX_SHOWN).map(|&mv| (mv, "kept"));
            let moves = kept.chain([(found.rejected, "not kept")]);
            let text = match place {
                RulePart::Guard => Self::guard_decides(*rule, found),
                RulePart::Key(key) => self.key_decides(*rule, *key, found),
            };
            LessonSection {
                boards: vec![LessonBoard::new(found.position, moves)],
                paragraphs: vec![text.into()],
                ..LessonSection::headed(capital(&self.place(*rule, *place)), 3)
            }
        });
        [LessonSection::headed("Where each point decides", 2)].into_iter().chain(deciding)
    }

    fn guard_decides(rule: usize, found: &DecisivePosition) -> String {
        let (rule, rejected) = (rule + 1, sans(&found.position, &[found.rejected]));
        let about = match found.left.len() {
            1 => format!("Rule {rule} is only about {}.", sans(&found.position, &found.left)),
            2..=4 => format!("Rule {rule} is about {}.", sans(&found.position, &found.left)),
            many => format!("Rule {rule} is about {many} of the safe moves."),
        };
        format!("{about} The move {rejected} is safe too, but the rule is not about it.")
    }

    fn key_decides(&self, rule: usize, key: usize, found: &DecisivePosition) -> String {
        let DecisivePosition { position, among, left, rejected } = found;
        let wanted = self.survey.policy.strategy().rules()[rule].keys[key];
        let attribute = &self.survey.policy.attributes().attributes()[wanted.attribute];
        let choices = match among.len() {
            0..=4 => sans(position, among),
            many => format!("{many} moves"),
        };
        let player = player(self.survey.policy.side());
        let mut text = format!("{player} has to choose among {choices}.");
        let (best, other) = (sans(position, &left[..1]), sans(position, &[*rejected]));
        if let (Some(one), Some(two)) =
            (shows(attribute, position, left[0]), shows(attribute, position, *rejected))
        {
            let _ = write!(text, " After {best}, {one}. After {other}, {two}.");
        }
        let point = self.place(rule, RulePart::Key(key));
        text + &format!(" So {point} keeps {}.", sans(position, left))
    }

    /// The measure that falls along every line of play, or the statement that there is none.
    fn what_falls(&self) -> Option<LessonSection> {
        let measure = self.measure.as_ref()?;
        let view = ReaderBoard::general(self.material());
        // The number in words, what it does in a good step, and what it does in a bad one.
        let number = |&(attribute, aim): &Trend| {
            let attribute = &self.survey.policy.attributes().attributes()[attribute];
            let meaning = format!("\"{}\"", attribute.meaning_in(&view));
            match aim {
                Aim::Least => (meaning, "falls", "rises"),
                Aim::Greatest => (meaning, "rises", "falls"),
            }
        };
        let progress = match measure {
            ProgressMeasure::One { course, share } => {
                let ((number, on, back), share) = (number(course), percent(*share));
                format!(
                    "One number never {back}, whatever Black does: {number}. It {on} in {share} of all steps, a step being a move and its reply."
                )
            }
            ProgressMeasure::Two { courses, share } => {
                let ([(first, _, one), (second, _, two)], share) =
                    (courses.each_ref().map(number), percent(*share));
                format!(
                    "One number never {one}, whatever Black does: {first}. While it stays the same, another number never {two}: {second}. One of the two moves on in {share} of all steps, a step being a move and its reply."
                )
            }
            ProgressMeasure::None { nearest } => {
                let nearest = nearest.as_ref().map_or_else(String::new, |(course, gets_on, goes_back)| {
                    let (number, on, back) = number(course);
                    let [gets_on, goes_back] = [*gets_on, *goes_back].map(percent);
                    format!(
                        " The number that comes nearest is this: {number}. It {on} in {gets_on} of all steps and {back} in {goes_back}, a step being a move and its reply."
                    )
                });
                format!(
                    "Every number that the rules speak of goes back at times, and so does every pair of them. Only the number of moves to mate always falls; the proof has counted it.{nearest}"
                )
            }
        };
        let text = format!("Look at the board before each move of White. {progress}");
        let section = LessonSection::headed("How you can see progress", 2);
        Some(LessonSection { paragraphs: vec![text.into()], ..section })
    }
}

/// The rules of a strategy as a lesson, without the parts that need a proof or a search, so that it
/// takes no time.
pub fn rules_page(policy: &StrategyPolicy) -> LessonPage {
    let part = StrategySentences::new(policy).made_for();
    let mut sections = vec![LessonSection::untitled(part.into_iter().chain([safe(policy)]))];
    sections.extend(rules(policy, LessonSection::headed("The rules", 2)));
    LessonPage { title: title(policy).into(), sections, exercises: Vec::new() }
}

/// The rules of a strategy that does all that can be done where it is made for, as a part of another lesson.
pub(super) fn method(policy: &StrategyPolicy) -> Vec<LessonSection> {
    let [own, other] = [policy.side(), !policy.side()].map(player);
    let does = match policy.side() {
        Side::Strong => "wins every position that can be won",
        Side::Weak => "holds every position that can be held",
    };
    let part = StrategySentences::new(policy).conditions_of_part();
    let part = part.map_or_else(String::new, |part| format!(", {part}"));
    let mut head = LessonSection::headed("The method in words", 3);
    let claim = format!(
        "**\u{2713} Proved.** By these rules {own} {does}, against every move of {other}, if {own} is to move{part}."
    );
    head.paragraphs = [claim, safe(policy)].map(Into::into).into();
    rules(policy, head)
}

/// The title of the lesson.
fn title(policy: &StrategyPolicy) -> String {
    let rules = policy.strategy().rules().len();
    let how_many = if rules == 1 { "one rule".into() } else { format!("{rules} rules") };
    let aim = match policy.side() {
        Side::Strong => "win",
        Side::Weak => "hold",
    };
    format!("{}: how to {aim} with {how_many}", policy.material())
}

/// The definition of safe moves.
fn safe(policy: &StrategyPolicy) -> String {
    match policy.strategy().candidates() {
        Candidates::Quiet => safe_moves(policy.material(), "The rules compare", "asks no rule"),
        Candidates::Tactical => {
            let does = match policy.side() {
                Side::Strong => "wins decisive material",
                Side::Weak => "saves Black for good",
            };
            let other = player(!policy.side());
            format!(
                "A capture or a promotion that {does} is played at once. Otherwise the rules compare *safe* moves, after which short tactics gain nothing for {other}."
            )
        }
    }
}

/// The rules below a head, each as a numbered list of its keys. A text after a list begins a section.
fn rules(policy: &StrategyPolicy, head: LessonSection) -> Vec<LessonSection> {
    let (sentences, rules) = (StrategySentences::new(policy), policy.strategy().rules());
    let first = match rules.len() {
        1 => "",
        _ => "Take the first rule that is about some safe move. ",
    };
    let mut section = head;
    section.paragraphs.push(format!(
        "{first}Go through the points from the top. Each point keeps the moves that do best by it, and passes them on to the next one. If several moves are left in the end, play any of them."
    ).into());
    let mut sections = Vec::new();
    for (number, rule) in rules.iter().enumerate() {
        let about = match sentences.guard(number) {
            Some(guard) => capital(&guard),
            None => "Of all safe moves".into(),
        };
        let heading =
            if rules.len() > 1 { format!("**Rule {}.** ", number + 1) } else { String::new() };
        section.paragraphs.push(format!("{heading}{about}:").into());
        if rule.keys.is_empty() {
            section.paragraphs.push("Play any of these moves.".into());
        } else {
            let keys = rule.keys.iter();
            let keys = keys.map(|&key| format!("{}.", capital(&sentences.key(key))));
            section.list(Some(1), keys);
            sections.push(std::mem::replace(&mut section, LessonSection::untitled([])));
        }
    }
    let attributes = policy.attributes().attributes();
    let words = explained_words(attributes.iter().filter_map(Attribute::glossary), attributes);
    section.paragraphs.extend(words.into_iter().map(Into::into));
    sections.extend([section].into_iter().filter(|section| !section.paragraphs.is_empty()));
    sections
}
