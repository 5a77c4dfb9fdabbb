//! The page of a measure's lesson.

use super::measure::{IN_THE_HEAD, KNOWN_BY_HEART, MeasureExample, MeasureLesson, UnaidedPlay};
use super::page::{LessonBoard, LessonExercise, LessonGame, LessonPage, LessonSection};
use super::words::{explained_words, safe_moves, sans, worth};
use crate::{
    ChoiceReason, Forced, TermFinding, measure_aims, measure_instructions, measure_sentences,
};
use lucena_attributes::{Attribute, Quantity};
use lucena_base::plural::{capital, count, grouped, moves, percent};
use lucena_chess::{Material, Move, Position, Side};
use lucena_proof::Mate;
use lucena_proof::measure::LookedAhead;
use lucena_proof::policy::{Decision, MeasurePolicy, Policy, with_weak_to_move};
use std::fmt::Write;

/// The task of every exercise.
const QUESTION: &str = "One move forces the least number. Which?";

impl MeasureLesson<'_> {
    /// The lesson as data.
    pub fn page(&self) -> LessonPage {
        let policy = self.survey.policy;
        let short = format!("{} {}", in_short(policy), worth(&self.proof, Side::Strong, false));
        let introduction = LessonSection::untitled([short, safe(self.material())]);
        let mut sections = vec![introduction];
        sections.extend(number(policy));
        sections.extend(self.number_on_a_board());
        sections.push(choice(policy));
        sections.push(self.in_the_head());
        sections.extend(self.soon.as_ref().map(|example| self.soon(example)));
        sections.extend(self.late.as_ref().map(|example| self.late(example)));
        sections.extend(self.mating.as_ref().map(|example| self.mating(example)));
        sections.extend(self.hardest());
        sections.extend(self.game());
        let exercises = self.exercises.iter().map(|one| {
            LessonExercise::new(one.position, QUESTION, one.tied[0], self.solution(one))
        });
        LessonPage { title: title(policy).into(), sections, exercises: exercises.collect() }
    }

    /// The lesson as Markdown: the same measure and table give the same bytes.
    pub fn to_markdown(&self) -> String {
        self.page().to_markdown()
    }

    fn material(&self) -> Material {
        self.survey.policy.material()
    }

    /// A position of the longest game with its number, and the squares that the number is about.
    fn number_on_a_board(&self) -> Option<LessonSection> {
        let Mate { start, line } = self.proof.longest_line.as_ref()?;
        let mut position = *start;
        for &mv in &line[..=line.len() / 4 * 2] {
            position = position.play(mv).ok()?;
        }
        let policy = self.survey.policy;
        let terms = TermFinding::all(policy, &position);
        let highlights = TermFinding::highlights(&terms);
        let text = format!(
            "Here, halfway through the longest game, the number is {}.",
            TermFinding::sum(&terms, policy.value(&position))
        );
        let mut section = LessonSection::untitled([text]);
        section.boards.push(LessonBoard::marked(position, &highlights));
        let terms =
            terms.iter().map(|term| format!("{} (`{}`).", capital(&term.sentence), term.figures()));
        section.list(None, terms);
        Some(section)
    }

    /// What a person can do alone, and what needs a computer.
    fn in_the_head(&self) -> LessonSection {
        let look = self.survey.policy.measure().horizon().look;
        let falls = if self.is_ranking {
            "The number that White can force falls with every move, so White always makes progress."
        } else if self.proof.wins_all() {
            "The number that White can force does not fall with every move, but no game goes round in circles."
        } else {
            "The number that White can force does not fall with every move."
        };
        let numbers = self.survey.policy.measure().numbers();
        let text = match &self.unaided {
            _ if numbers > KNOWN_BY_HEART => format!(
                "This needs a computer: the measure has {}, which nobody learns by heart. It shows what a program needs to know if it looks no farther than {} ahead.",
                count(numbers as u64, "number", "numbers"),
                moves(look.into())
            ),
            None => format!(
                "A person can do this in the head: White has to look {} ahead after the next one, and no farther. No computer is needed.",
                moves(look.into())
            ),
            Some(UnaidedPlay { share, proof }) => {
                let (won, all) = (grouped(proof.won), grouped(proof.winnable));
                let mut text = format!(
                    "A person can look {} ahead in the head, after the next one. In {} of the positions that can be won, counted up to symmetry, that is enough to play like the measure. In the others, where up to {} count, only a computer is certain to find its moves.",
                    moves(IN_THE_HEAD.into()),
                    percent(*share),
                    moves(look.into()),
                );
                if proof.wins_all() {
                    let longest = proof.longest_moves.map_or_else(String::new, |longest| {
                        format!(", and the longest game then takes {}", moves(longest.into()))
                    });
                    let _ = write!(
                        text,
                        " White still wins all {all} positions without looking farther{longest}."
                    );
                } else {
                    let _ = write!(
                        text,
                        " Without looking farther, White surely wins {won} of the {all} positions."
                    );
                }
                text
            }
        };
        LessonSection {
            paragraphs: vec![text.into(), falls.into()],
            ..LessonSection::headed("What you can do in the head", 2)
        }
    }

    fn soon(&self, example: &MeasureExample) -> LessonSection {
        let text = format!(
            "First see how small a number you can get soonest. The number is {} before the move. {}",
            self.survey.policy.value(&with_weak_to_move(&example.position)),
            self.comparison(example)
        );
        Self::on_a_board("What to do first", example, text)
    }

    fn late(&self, example: &MeasureExample) -> LessonSection {
        let before = self.survey.policy.value(&with_weak_to_move(&example.position));
        let advice = if example.least > before {
            "Sometimes every move makes the number greater at first. Then let it rise, and look for the move after which it falls lowest."
        } else {
            "If a lesser number takes several moves, prepare it."
        };
        let mut text = format!(
            "{advice} The number is {before} before the move, and {} is the least that can stand right after it. {}",
            example.least,
            self.comparison(example)
        );
        if let Some(line) = self.plan_in_words(example) {
            let _ = write!(text, " For example: {line}");
        }
        Self::on_a_board("When the number does not fall at once", example, text)
    }

    fn mating(&self, example: &MeasureExample) -> LessonSection {
        let mut text = format!("Mate is better than any number. {}", self.comparison(example));
        if let Some(line) = self.plan_in_words(example) {
            let _ = write!(text, " For example: {line}");
        }
        Self::on_a_board("How it ends", example, text)
    }

    fn on_a_board(heading: &str, example: &MeasureExample, text: String) -> LessonSection {
        let best = example.tied.iter().map(|&mv| (mv, "best"));
        let moves = best.chain(example.other.map(|(mv, _)| (mv, "forces less")));
        LessonSection {
            boards: vec![LessonBoard::new(example.position, moves)],
            paragraphs: vec![text.into()],
            ..LessonSection::headed(heading, 2)
        }
    }

    /// A line to what an example forces: "1. Rb5 Kd6 2. Kc4, and the number is 12."
    fn plan_in_words(&self, example: &MeasureExample) -> Option<String> {
        let reached = match example.best {
            Forced::Value { value, .. } => format!("and the number is {value}"),
            Forced::Mate { .. } => "and White has won".into(),
            Forced::Draw | Forced::Nothing => return None,
        };
        let mut position = example.position;
        let mut text = String::new();
        for (ply, mv) in self.plan(example).into_iter().enumerate() {
            if ply % 2 == 0 {
                let _ = write!(text, "{}. ", ply / 2 + 1);
            }
            let _ = write!(text, "{} ", position.san(mv).ok()?);
            position = position.play(mv).ok()?;
        }
        Some(format!("{}, {reached}.", text.trim_end()))
    }

    /// What the best moves of an example force, and what the next best move does.
    fn comparison(&self, example: &MeasureExample) -> String {
        let MeasureExample { position, tied, best, other, .. } = example;
        let material = self.material();
        let force = if tied.len() == 1 { "forces" } else { "force" };
        let mut text = format!("{} {force} {}", sans(position, tied), best.in_words(material));
        text += ".";
        if let Some((mv, forces)) = other {
            let (san, forces) = (sans(position, &[*mv]), forces.as_less(material));
            let _ = write!(text, " The next best move, {san}, forces {forces}.");
        }
        text
    }

    fn hardest(&self) -> Option<LessonSection> {
        let Mate { start, line } = self.proof.longest_line.as_ref()?;
        let example = line.first().map(|&mv| (mv, "best"));
        let text = format!(
            "From here mate takes longest: {}. The number is {} before the first move.",
            moves((line.len() as u64).div_ceil(2)),
            self.survey.policy.value(&with_weak_to_move(start))
        );
        Some(LessonSection {
            boards: vec![LessonBoard::new(*start, example)],
            paragraphs: vec![text.into()],
            ..LessonSection::headed("The hardest position", 2)
        })
    }

    /// The longest game, with the number that each move of White forces.
    fn game(&self) -> Option<LessonSection> {
        let Mate { start, line } = self.proof.longest_line.as_ref()?;
        let mut game = LessonGame::new(*start, line, |position, mv| self.why(position, mv))?;
        game.number_moves(|position| self.forced_in(position)?.value());
        let numbers: Vec<i32> = game.numbers.iter().copied().flatten().collect();
        let falls = match numbers.is_sorted_by(|one, next| one >= next) {
            true => " It never rises.",
            false => "",
        };
        let text = format!("The number beside a move is the least that the move forces.{falls}");
        let paragraphs = if numbers.is_empty() { Vec::new() } else { vec![text.into()] };
        let section = LessonSection::headed("The longest game", 2);
        Some(LessonSection { paragraphs, game: Some(game), ..section })
    }

    /// The least value that can be forced in a position; `None` if the measure is not asked.
    fn forced_in(&self, position: &Position) -> Option<Forced> {
        if position.material() != self.material() {
            return None;
        }
        match self.survey.policy.decide(position) {
            Decision::Compared(LookedAhead { best, .. }) => Some(Forced::by_move(best)),
            Decision::AtOnce(_) | Decision::Holding(_) | Decision::Unsafe(_) => None,
        }
    }

    fn why(&self, position: &Position, mv: Move) -> String {
        if position.material() != self.material() {
            return "the table knows the way".into();
        }
        let policy = self.survey.policy;
        let decision = policy.decide(position);
        let Decision::Compared(LookedAhead { best, .. }) = decision else {
            let by = ChoiceReason::of(&decision, ChoiceReason::Measure);
            return by.without_comparison().unwrap_or_default().into();
        };
        let forces = Forced::by_move(best);
        match (forces, position.play(mv)) {
            (Forced::Value { value, moves: 2.. }, Ok(after)) => {
                let (moves, now) = (forces.moves_in_words(), policy.value(&after));
                format!("forces {value} {moves}; the number is {now} now")
            }
            _ => format!("forces {}", forces.in_words(self.material())),
        }
    }

    fn solution(&self, example: &MeasureExample) -> String {
        let line = match example.best {
            Forced::Value { moves: 2.., .. } => self.plan_in_words(example),
            _ => None,
        };
        let line = line.map_or_else(String::new, |line| format!(" For example: {line}"));
        format!("{}{line}", self.comparison(example))
    }
}

/// A measure as a lesson, without the parts that need a proof or a search, so that it takes no time.
///
/// ```
/// use lucena_explain::lesson::measure_rules_page;
/// use lucena_proof::policy::MeasurePolicy;
/// use lucena_model::Measure;
///
/// let measure = Measure::from_json(br#"{
///     "kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "look": 3, "goal": "any-move", "secure": 0,
///     "terms": [{"quantity": "kRoom", "low": 0, "high": 63, "meaning": "squares", "weight": 1}]
/// }"#)?;
/// let text = measure_rules_page(&MeasurePolicy::new(measure)?).to_markdown();
/// assert!(text.starts_with("# KRvK: how to win by making a number small\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_rules_page(policy: &MeasurePolicy) -> LessonPage {
    let introduction = [in_short(policy), safe(policy.material())];
    let mut sections = vec![LessonSection::untitled(introduction)];
    sections.extend(number(policy));
    sections.push(choice(policy));
    LessonPage { title: title(policy).into(), sections, exercises: Vec::new() }
}

/// A measure as text for the terminal: its terms, and how to choose a move by it.
pub fn measure_text(policy: &MeasurePolicy) -> String {
    let measure = policy.measure();
    let terms = count(measure.terms().len() as u64, "term", "terms");
    let look = moves(measure.horizon().look.into());
    let mut text =
        format!("{}: a measure of {terms}, looking {look} ahead\n", measure.origin().material);
    for (number, item) in (1..).zip(items(policy)) {
        let _ = writeln!(text, "  {number}. {item}");
    }
    text += "\nHow White chooses a move:\n";
    let safe = safe(policy.material());
    for sentence in measure_instructions(policy).iter().map(String::as_str).chain(safe.lines()) {
        let _ = writeln!(text, "  {sentence}");
    }
    let words = glossary(policy);
    if !words.is_empty() {
        text += "\nWords:\n";
        words.iter().for_each(|word| text += &format!("  {word}\n"));
    }
    text.replace(['*', '`'], "")
}

fn title(policy: &MeasurePolicy) -> String {
    format!("{}: how to win by making a number small", policy.material())
}

/// The most terms whose aims a sentence can tell.
const MAX_AIMS: usize = 8;

/// The measure in two sentences: what makes its number small, and how a move is chosen.
fn in_short(policy: &MeasurePolicy) -> String {
    let aims: Vec<String> = measure_aims(policy).into_iter().flatten().collect();
    let small = match aims.as_slice() {
        [] => "White wins by making a number small.".into(),
        _ if policy.measure().terms().len() > MAX_AIMS => format!(
            "White wins by making a number small, which adds up {} terms.",
            policy.measure().terms().len()
        ),
        aims => {
            format!("White wins by making a number small, and that means: {}.", aims.join("; "))
        }
    };
    let choice = match policy.measure().horizon().look {
        0 => "Play the safe move right after which the number is least.".into(),
        look => format!(
            "Play the safe move after which White can force the least number within {}, whatever Black replies.",
            more_moves(look)
        ),
    };
    format!("{small} {choice}")
}

/// "3 more moves".
fn more_moves(look: u8) -> String {
    count(look.into(), "more move", "more moves")
}

/// The definition of safe moves.
fn safe(material: Material) -> String {
    safe_moves(material, "The measure compares", "does not ask the measure")
}

/// The terms, each with its aim.
fn items(policy: &MeasurePolicy) -> Vec<String> {
    let terms =
        policy.measure().terms().iter().zip(measure_sentences(policy)).zip(measure_aims(policy));
    let item = terms.map(|((term, sentence), aim)| {
        let aim = aim.map_or_else(String::new, |aim| format!(" The aim: {aim}."));
        format!("{} (`{}`).{aim}", capital(&sentence), term.quantity.name)
    });
    item.collect()
}

fn glossary(policy: &MeasurePolicy) -> Vec<&'static str> {
    let quantities = policy.quantities().quantities();
    let attributes = quantities.iter().filter_map(|quantity| match quantity {
        Quantity::Attribute(attribute) => Some::<&Attribute>(attribute),
        Quantity::Sum(_) | Quantity::Place(_) => None,
    });
    explained_words(quantities.iter().flat_map(Quantity::glossary), attributes)
}

/// The number in words, and the words that need an explanation.
fn number(policy: &MeasurePolicy) -> Vec<LessonSection> {
    let mut section = LessonSection::headed("The number", 2);
    section.paragraphs.push(
        "Each position after a move of White has a number. The less it is, the better for White. It is counted like this, beginning with 0:".into(),
    );
    section.list(Some(1), items(policy));
    let words: Vec<String> = glossary(policy).into_iter().map(Into::into).collect();
    let words = (!words.is_empty()).then(|| LessonSection::untitled(words));
    [section].into_iter().chain(words).collect()
}

/// The way to choose a move.
fn choice(policy: &MeasurePolicy) -> LessonSection {
    let mut section = LessonSection::headed("How to choose a move", 2);
    section.list(None, measure_instructions(policy));
    section
}
