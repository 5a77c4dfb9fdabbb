//! Facts about the stages of a lesson, from the table and the measure: counts of positions, and the right moves of exercises.

use super::stage::{Claim, Fact, Goal, RightMoves, Stage, StageExercise, StagedLesson};
use super::words::sans;
use crate::diagram::Mark;
use crate::finding::highlights;
use crate::{ExplainError, Forced, TermFinding};
use lucena_attributes::ReaderBoard;
use lucena_base::plural::{capital, count, grouped, moves};
use lucena_base::progress::Observer;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Move, Position, Side};
use lucena_proof::measure::LookedAhead;
use lucena_proof::policy::{Decision, MeasurePolicy, Policy, with_weak_to_move};
use lucena_tablebase::{Outcome, Tablebase, Wdl};

/// Facts about a lesson, from a table and a measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageAnswers {
    /// For each stage.
    pub stages: Vec<StageAnswer>,
}

/// Facts about a stage, from a table and a measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageAnswer {
    /// The counts of the claims, in their order; `None` for advice.
    pub counts: Vec<Option<FactCount>>,
    /// The right moves of the exercise, the best first.
    pub right: Vec<Move>,
    /// The solution in sentences.
    pub solution: String,
}

/// The positions of a kind, on the whole board, by their outcome with best play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactCount {
    /// All of them.
    pub all: u64,
    /// Those that the strong side wins.
    pub won: u64,
    /// The moves to mate from the won position that takes longest; `None` if none is won.
    pub longest: Option<u16>,
}

impl StagedLesson {
    /// Counts the positions of all claims, and solves the exercises.
    ///
    /// # Errors
    /// If the table can no longer be read, or the work was stopped.
    ///
    /// # Panics
    /// If the table or the measure is of another endgame.
    pub fn answers(
        &self,
        policy: &MeasurePolicy,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<StageAnswers, ExplainError> {
        let stages = self.stages.iter().map(|stage| {
            observer.check()?;
            stage.answer(policy, tablebase)
        });
        let stages = stages.collect::<Result<_, ExplainError>>()?;
        tablebase.check_readable()?;
        Ok(StageAnswers { stages })
    }
}

impl Stage {
    fn answer(
        &self,
        policy: &MeasurePolicy,
        tablebase: &Tablebase,
    ) -> Result<StageAnswer, ExplainError> {
        let counts = self.claims.iter().map(|claim| match claim {
            Claim::Proved(fact) => Some(fact.count(tablebase)),
            Claim::Advice(_) => None,
        });
        let right = self.exercise.right_moves(policy, tablebase);
        let solution = self.exercise.solution(&right, policy, tablebase);
        Ok(StageAnswer { counts: counts.collect(), right, solution })
    }
}

impl Fact {
    /// Counts the positions of the kind on the whole board.
    pub fn count(&self, tablebase: &Tablebase) -> FactCount {
        let group = Group::new(tablebase.material());
        let mut count = FactCount { all: 0, won: 0, longest: None };
        for (position, outcome) in tablebase.canonical_positions(self.turn) {
            if self.conditions.iter().all(|range| range.holds(&position)) {
                let weight = group.orbit_len(&position);
                count.all += weight;
                if is_won(outcome, self.turn) {
                    count.won += weight;
                    count.longest = count.longest.max(outcome.moves());
                }
            }
        }
        count
    }
}

/// Returns true if the strong side wins.
fn is_won(outcome: Outcome, turn: Side) -> bool {
    matches!((outcome.wdl(), turn), (Wdl::Win, Side::Strong) | (Wdl::Loss, Side::Weak))
}

impl FactCount {
    /// "all 1,234 such positions are won, with mate in 9 moves at most", or "12 of 1,234 such positions are won".
    pub fn in_words(self) -> String {
        let Self { all, won, longest } = self;
        let positions = count(all, "such position", "such positions");
        let longest = longest.map_or_else(String::new, |most| {
            format!(", with mate in {} at most", moves(most.into()))
        });
        match won {
            _ if all == 0 => "there is no such position".into(),
            0 => format!("all {positions} are drawn"),
            won if won == all => format!("all {positions} are won{longest}"),
            won => format!("{} of {positions} are won, and the others are drawn", grouped(won)),
        }
    }
}

impl StageExercise {
    /// The right moves, the quickest to mate first.
    pub fn right_moves(&self, policy: &MeasurePolicy, tablebase: &Tablebase) -> Vec<Move> {
        let all = tablebase.outcomes(&self.position);
        let is_winning = |outcome: &Outcome| matches!(outcome, Outcome::Loss(_));
        let best = all.first().map(|(.., outcome)| *outcome);
        let tied = policy.choices(&self.position);
        let is_right = |(mv, _, outcome): &&(Move, Position, Outcome)| {
            is_winning(outcome)
                && match self.right {
                    RightMoves::Win => true,
                    RightMoves::Quickest => Some(*outcome) == best,
                    RightMoves::Measure => tied.contains(mv),
                }
        };
        all.iter().filter(is_right).map(|(mv, ..)| *mv).collect()
    }

    /// The solution in sentences.
    fn solution(&self, right: &[Move], policy: &MeasurePolicy, tablebase: &Tablebase) -> String {
        let all = tablebase.outcomes(&self.position);
        match self.right {
            RightMoves::Win => self.keeping(right, &all),
            RightMoves::Quickest => self.quickest(right, &all),
            RightMoves::Measure => self.measured(right, policy),
        }
    }

    /// The number of moves that give the win away, and the time at which White mates.
    fn keeping(&self, right: &[Move], all: &[(Move, Position, Outcome)]) -> String {
        let others = match all.len() - right.len() {
            0 => String::new(),
            1 => " The other move gives it away.".into(),
            others => format!(" The other {others} moves give it away."),
        };
        let keep = if right.len() == 1 { "keeps" } else { "keep" };
        let win = mating(right, all)
            .map_or_else(String::new, |mates| format!(" With best play White {mates}."));
        format!("{} {keep} the win.{others}{win}", sans(&self.position, right))
    }

    /// When White mates, and when after the next best move.
    fn quickest(&self, right: &[Move], all: &[(Move, Position, Outcome)]) -> String {
        let rest = all.iter().find(|(mv, ..)| !right.contains(mv));
        let next = rest.map_or_else(String::new, |(mv, _, outcome)| {
            let san = sans(&self.position, &[*mv]);
            match outcome {
                Outcome::Loss(_) => {
                    format!(" After the next best move, {san}, White {}.", mates(*outcome))
                }
                _ => format!(" Every other move, such as {san}, gives the win away."),
            }
        });
        let mates = mating(right, all).unwrap_or_default();
        format!("{}: White {mates}.{next}", sans(&self.position, right))
    }

    /// The number that the right moves force by a measure, and that of the next best move.
    fn measured(&self, right: &[Move], policy: &MeasurePolicy) -> String {
        let position = &self.position;
        let names = sans(position, right);
        let Decision::Compared(LookedAhead { moves: safe, tied, best }) = policy.decide(position)
        else {
            return format!("{names}.");
        };
        let material = position.material();
        let others = (0..safe.len()).filter(|at| !tied.contains(at));
        let next = others.map(|at| (policy.forced_after(&safe[at].1), at)).min();
        let best = Forced::by_move(best);
        let number = if best.value().is_some() { "the number " } else { "" };
        let force = if right.len() == 1 { "forces" } else { "force" };
        let mut text = format!("{names} {force} {number}{}.", best.in_words(material));
        if let Some((score, at)) = next {
            let (san, forces) =
                (sans(position, &[safe[at].0]), Forced::by_move(score).as_less(material));
            text += &format!(" The next best move, {san}, forces {forces}.");
        }
        text
    }
}

/// The quickest mate after one of some moves: "mates in 3 moves".
fn mating(right: &[Move], all: &[(Move, Position, Outcome)]) -> Option<String> {
    let soonest = all.iter().find(|(mv, ..)| right.contains(mv))?;
    Some(mates(soonest.2))
}

/// The mate after a move with an outcome for the other side: "mates in 3 moves".
fn mates(after: Outcome) -> String {
    match after.moves() {
        Some(0) | None => "mates at once".into(),
        Some(number) => format!("mates in {}", moves(u64::from(number) + 1)),
    }
}

impl Stage {
    /// The moves of a measure from the start of the game against the longest resistance, until the goal is reached;
    /// `None` if it is not reached within `most` moves of the strong side.
    pub fn line_to_goal(
        &self,
        policy: &MeasurePolicy,
        tablebase: &Tablebase,
        most: usize,
    ) -> Option<Vec<Move>> {
        let material = tablebase.material();
        let (mut position, mut line) = (self.game.start, Vec::new());
        for _ in 0..most {
            let mv = match position.material() == material {
                true => policy.choose(&position)?,
                false => tablebase.outcomes(&position).first()?.0,
            };
            position = position.play(mv).ok()?;
            line.push(mv);
            if self.game.goal.is_reached(material, &position) {
                return Some(line);
            }
            let (reply, ..) = *tablebase.outcomes(&position).first()?;
            position = position.play(reply).ok()?;
            line.push(reply);
        }
        None
    }

    /// The squares that the board shows, and what they show in sentences: the quantities of the stage, or the number of
    /// the measure and its terms.
    pub fn shown(&self, policy: &MeasurePolicy) -> (Vec<Mark>, Vec<String>) {
        let read = with_weak_to_move(&self.board);
        let view = ReaderBoard::new(&read, Symmetry::IDENTITY);
        let sentence = |text: String| capital(&format!("{text}."));
        if let Some(shows) = &self.shows {
            let quantities = shows.quantities();
            let foci = quantities.iter().map(|quantity| quantity.focus(&read));
            let says = quantities
                .iter()
                .map(|quantity| sentence(quantity.sentence(quantity.value(&read), &view)));
            let men = "men that the sentences are about";
            return (Mark::all(&highlights(foci, Symmetry::IDENTITY, men)), says.collect());
        }
        let terms = TermFinding::all(policy, &read);
        let number = TermFinding::sum(&terms, policy.value(&read));
        let says = terms.iter().map(|term| sentence(term.sentence.clone()));
        let says = [format!("The number here is {number}.")].into_iter().chain(says);
        (TermFinding::marks(&terms), says.collect())
    }

    /// True if the goal is mate, so that the whole endgame is played.
    pub fn ends_in_mate(&self) -> bool {
        matches!(self.game.goal, Goal::Mate)
    }
}
