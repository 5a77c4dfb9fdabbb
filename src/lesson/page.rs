//! The page itself, as Markdown.

use super::deciding::{Deciding, Place};
use super::exercise::Exercise;
use super::falling::{Course, Measure};
use super::strategy::StrategyLesson;
use crate::attributes::{Attribute, View};
use crate::chess::{Material, Move, Position, Role, Side};
use crate::explain::{Ruling, StrategyExplanation, explain_strategy};
use crate::player::Policy;
use crate::proof::Mate;
use crate::strategy::{Sentences, StrategyPart};
use crate::symmetry::Symmetry;
use crate::tablebase::moves_in;
use crate::words::{capital, grouped, moves, percent};
use lucena_tree::Aim;
use std::fmt::Write;

impl StrategyLesson<'_> {
    /// The page as Markdown: the same strategy and table give the same bytes.
    pub fn to_markdown(&self) -> String {
        let mut text = self.introduction();
        text += &self.rules();
        text += &self.boards();
        text += &self.what_falls();
        text += &self.game();
        text += &self.exercises();
        text
    }

    fn material(&self) -> Material {
        self.survey.policy.material()
    }

    fn sentences(&self) -> Sentences<'_> {
        Sentences::new(self.survey.policy)
    }

    /// What the page is about, and what the rules win.
    fn introduction(&self) -> String {
        let rules = self.survey.policy.strategy().rules().len();
        let how_many = if rules == 1 { "one rule".into() } else { format!("{rules} rules") };
        let (material, proof) = (self.material(), &self.proof);
        let mut text = format!("# {material}: how to win with {how_many}\n\n");
        if proof.wins_all() {
            let _ =
                write!(text, "White wins all {} positions that can be won.", grouped(proof.won));
        } else {
            let (won, all) = (grouped(proof.won), grouped(proof.winnable));
            let _ = write!(text, "White wins {won} of the {all} positions that can be won.");
        }
        if let Some(longest) = proof.longest_moves {
            let _ = write!(text, " The longest game takes {}.", moves(longest.into()));
        }
        text += " This has been proved against every reply of Black.\n\n";
        text += "A move is *safe* if it does not stalemate, and if Black can then neither take a man nor promote. The rules compare safe moves only.\n";
        let strong_pawn =
            material.slots_of(Side::Strong).any(|slot| material.role(slot) == Role::Pawn);
        if strong_pawn || !material.is_bare(Side::Weak) {
            text += "If a capture or a promotion wins at once, White plays it and asks no rule.\n";
        }
        text
    }

    /// The rules, each as a numbered list of its keys.
    fn rules(&self) -> String {
        let (sentences, rules) = (self.sentences(), self.survey.policy.strategy().rules());
        let mut text = String::from("\n## The rules\n\n");
        if rules.len() > 1 {
            text += "Take the first rule that is about some safe move. ";
        }
        text += "Go through the points from the top. Each point keeps the moves that do best by it, and passes them on to the next one. If several moves are left in the end, play any of them.\n";
        for (number, rule) in rules.iter().enumerate() {
            let about = match sentences.guard(number) {
                Some(guard) => capital(&guard),
                None => "Of all safe moves".into(),
            };
            let heading =
                if rules.len() > 1 { format!("**Rule {}.** ", number + 1) } else { String::new() };
            let _ = write!(text, "\n{heading}{about}:\n\n");
            if rule.keys.is_empty() {
                text += "Play any of these moves.\n";
            }
            for (number, &key) in (1..).zip(&rule.keys) {
                let _ = writeln!(text, "{number}. {}.", capital(&sentences.key(key)));
            }
        }
        let attributes = self.survey.policy.attributes().attributes();
        let mut words: Vec<&str> = attributes.iter().filter_map(Attribute::glossary).collect();
        words.sort_unstable();
        words.dedup();
        for words in words {
            let _ = write!(text, "\n{words}\n");
        }
        text
    }

    /// A board for each part that decides somewhere.
    fn boards(&self) -> String {
        let mut text = String::from("\n## Where each point decides\n");
        for (rule, place, found) in &self.deciding {
            let name = capital(&self.place(*rule, *place));
            let _ = write!(text, "\n### {name}\n\n{}\n", board(&found.position));
            text += &match place {
                Place::Guard => Self::guard_decides(*rule, found),
                Place::Key(key) => self.key_decides(*rule, *key, found),
            };
        }
        text
    }

    fn guard_decides(rule: usize, found: &Deciding) -> String {
        let (rule, rejected) = (rule + 1, sans(&found.position, &[found.rejected]));
        let about = match found.left.len() {
            1 => format!("Rule {rule} is only about {}.", sans(&found.position, &found.left)),
            2..=4 => format!("Rule {rule} is about {}.", sans(&found.position, &found.left)),
            many => format!("Rule {rule} is about {many} of the safe moves."),
        };
        format!("{about} The move {rejected} is safe too, but the rule is not about it.\n")
    }

    fn key_decides(&self, rule: usize, key: usize, found: &Deciding) -> String {
        let Deciding { position, among, left, rejected } = found;
        let wanted = self.survey.policy.strategy().rules()[rule].keys[key];
        let attribute = &self.survey.policy.attributes().attributes()[wanted.attribute];
        let mut text = match among.len() {
            number if number <= 4 => {
                format!("White has to choose among {}.", sans(position, among))
            }
            number => format!("White has to choose among {number} moves."),
        };
        let (best, other) = (sans(position, &left[..1]), sans(position, &[*rejected]));
        if let (Some(one), Some(two)) =
            (shows(attribute, position, left[0]), shows(attribute, position, *rejected))
        {
            let _ = write!(text, " After {best}, {one}. After {other}, {two}.");
        }
        let point = self.place(rule, Place::Key(key));
        let _ = match left.len() {
            1 => writeln!(text, " So {point} keeps {best}."),
            _ => writeln!(text, " So {point} keeps {}.", sans(position, left)),
        };
        text
    }

    /// What a part is called: "point 2", or "point 2 of rule 1" where there are several rules.
    fn place(&self, rule: usize, place: Place) -> String {
        let alone = self.survey.policy.strategy().rules().len() == 1;
        match (place, alone) {
            (Place::Guard, _) => format!("what rule {} is about", rule + 1),
            (Place::Key(key), true) => format!("point {}", key + 1),
            (Place::Key(key), false) => format!("point {} of rule {}", key + 1, rule + 1),
        }
    }

    /// The measure that falls along every line of play, or that there is none.
    fn what_falls(&self) -> String {
        let Some(measure) = &self.measure else { return String::new() };
        let view = View::general(self.material());
        let number = |(attribute, _): Course| {
            let attribute = &self.survey.policy.attributes().attributes()[attribute];
            format!("\"{}\"", attribute.meaning_in(&view))
        };
        let [back, on] = [
            |aim| if aim == Aim::Least { "rises" } else { "falls" },
            |aim| {
                if aim == Aim::Least { "falls" } else { "rises" }
            },
        ];
        let mut text = String::from(
            "\n## How you can see that you get on\n\nLook at the board before each move of White. ",
        );
        let _ = match measure {
            Measure::One { course, share } => writeln!(
                text,
                "One number never {}, whatever Black does: {}. It {} in {} of all steps, a step being a move and its reply.",
                back(course.1),
                number(*course),
                on(course.1),
                percent(*share)
            ),
            Measure::Two { courses: [first, second], share } => writeln!(
                text,
                "One number never {}, whatever Black does: {}. While it stays the same, another number never {}: {}. One of the two gets on in {} of all steps, a step being a move and its reply.",
                back(first.1),
                number(*first),
                back(second.1),
                number(*second),
                percent(*share)
            ),
            Measure::None { nearest } => {
                text += "No number that the rules speak of gets on along every line of play, and no two of them do together. What always falls is the number of moves to mate, which the proof has counted.";
                match nearest {
                    None => writeln!(text),
                    Some((course, gets_on, goes_back)) => writeln!(
                        text,
                        " The number that comes nearest is this: {}. It {} in {} of all steps and {} in {}, a step being a move and its reply.",
                        number(*course),
                        on(course.1),
                        percent(*gets_on),
                        back(course.1),
                        percent(*goes_back)
                    ),
                }
            }
        };
        text
    }

    /// The longest game, with what decided each move of White.
    fn game(&self) -> String {
        let Some(Mate { start, line }) = &self.proof.longest_line else { return String::new() };
        let mut text = format!(
            "\n## The longest game\n\n{}\n| | White | Black | why |\n|---|---|---|---|\n",
            board(start)
        );
        let mut position = *start;
        for (number, pair) in (1..).zip(line.chunks(2)) {
            let why = self.why(&position, pair[0]);
            let mut played = Vec::new();
            for &mv in pair {
                played.push(sans(&position, &[mv]));
                let Ok(after) = position.play(mv) else { return text };
                position = after;
            }
            let black = played.get(1).map_or("", String::as_str);
            let _ = writeln!(text, "| {number} | {} | {black} | {why} |", played[0]);
        }
        text
    }

    /// What decided a move.
    fn why(&self, position: &Position, mv: Move) -> String {
        let told = explain_strategy(self.survey.policy, self.survey.tablebase, position, &[]);
        let Ok(told) = told else { return "the table knows the way".into() };
        let StrategyExplanation { ruling, tied, .. } = &told;
        match (ruling, told.deciding()) {
            (Ruling::AtOnce, _) => "it wins at once".into(),
            (Ruling::NoneSafe, _) => "no move is safe".into(),
            (Ruling::NoRule { .. }, _) => "any safe move will do".into(),
            (Ruling::Rule { rule, .. }, Some((key, compared))) => {
                let point = self.place(*rule, Place::Key(key));
                let sentence = shows(&compared.finding.attribute, position, mv);
                format!("{point}: {}", sentence.unwrap_or_default())
            }
            (Ruling::Rule { safe: 1, .. }, None) => "the only safe move".into(),
            (Ruling::Rule { rule, .. }, None) if tied.len() == 1 => {
                format!("the only move that rule {} is about", rule + 1)
            }
            (Ruling::Rule { .. }, None) => "any of these moves will do".into(),
        }
    }

    /// Positions to be solved, and at the end how.
    fn exercises(&self) -> String {
        if self.exercises.is_empty() {
            return String::new();
        }
        let mut text =
            String::from("\n## Exercises\n\nFind the only move that the rules leave White.\n");
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = write!(text, "\n**Exercise {number}**\n\n{}", board(&one.position));
        }
        text += "\n## Solutions\n\n";
        for (number, one) in (1..).zip(&self.exercises) {
            let _ = writeln!(text, "{number}. {}", self.solution(one));
        }
        text
    }

    fn solution(&self, exercise: &Exercise) -> String {
        let Exercise { position, right, wrong, part } = exercise;
        let part = match *part {
            StrategyPart::Key(rule, key) => self.place(rule, Place::Key(key)),
            StrategyPart::Condition(rule, _) => format!("a condition of rule {}", rule + 1),
            StrategyPart::Rule(rule) => format!("rule {}", rule + 1),
        };
        let [best, other] = [right, wrong].map(|mv| sans(position, &[*mv]));
        let mate = |mv: &Move| {
            let after = position.play(*mv).ok()?;
            Some(moves_in(self.survey.mated_in(&after)? + 1))
        };
        let than = match (mate(right), mate(wrong)) {
            (Some(quick), Some(slow)) => {
                format!("Mate then takes {} at best, not {quick}.", moves(slow.into()))
            }
            _ => "That does not win.".into(),
        };
        format!("{best}. Without {part}, White may play {other}. {than}")
    }
}

/// What an attribute shows after a move, on the board as it stands.
fn shows(attribute: &Attribute, position: &Position, mv: Move) -> Option<String> {
    let after = position.play(mv).ok()?;
    if after.material() != position.material() {
        return None;
    }
    let value = attribute.value(&after);
    Some(attribute.sentence(value..=value, &View::of(&after, Symmetry::IDENTITY)))
}

/// A board in a block of its own, and its FEN.
fn board(position: &Position) -> String {
    format!("```text\n{position:#}\n```\n\nWhite to move: `{position}`\n")
}

/// "Kb2", "Kb2 and Re1", "Kb2, Kb1 and Re1".
fn sans(position: &Position, moves: &[Move]) -> String {
    let sans: Vec<String> = moves.iter().filter_map(|&mv| position.san(mv).ok()).collect();
    match sans.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}
