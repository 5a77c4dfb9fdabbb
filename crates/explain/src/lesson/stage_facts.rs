//! Facts about the stages of a lesson, from the table: counts of positions, and the right moves of exercises.

use super::stage::{Claim, Fact, Goal, RightMoves, Stage, StageExercise, StagedLesson};
use super::words::sans;
use crate::diagram::Mark;
use crate::finding::highlights;
use crate::{ExplainError, TermFinding};
use lucena_attributes::{Quantity, ReaderBoard};
use lucena_base::plural::{capital, count, grouped, moves};
use lucena_base::progress::Observer;
use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Move, Position, Side};
use lucena_proof::policy::{MeasurePolicy, Policy, with_weak_to_move};
use lucena_tablebase::{Outcome, Tablebase, Wdl};

/// Facts about a lesson, from a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageAnswers {
    /// For each stage.
    pub stages: Vec<StageAnswer>,
}

/// Facts about a stage, from a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageAnswer {
    /// The counts of the claims, in their order; `None` for advice.
    pub counts: Vec<Option<FactCount>>,
    /// The right moves of the exercise, the best first.
    pub right: Vec<Move>,
    /// The reason why they are right in sentences, with the figures of the table.
    pub reason: String,
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
    /// If the table is of another endgame.
    pub fn answers(
        &self,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<StageAnswers, ExplainError> {
        let stages = self.stages.iter().map(|stage| {
            observer.check()?;
            Ok(stage.answer(tablebase))
        });
        let stages = stages.collect::<Result<_, ExplainError>>()?;
        tablebase.check_readable()?;
        Ok(StageAnswers { stages })
    }
}

impl Stage {
    fn answer(&self, tablebase: &Tablebase) -> StageAnswer {
        let counts = self.claims.iter().map(|claim| match claim {
            Claim::Proved(fact) => Some(fact.count(tablebase)),
            Claim::Advice(_) => None,
        });
        let right = self.exercise.right_moves(tablebase);
        let reason = self.exercise.reason(&right, tablebase);
        StageAnswer { counts: counts.collect(), right, reason }
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
    pub fn right_moves(&self, tablebase: &Tablebase) -> Vec<Move> {
        let winning = self.winning_moves(tablebase);
        let best = winning.first().map(|(.., outcome)| *outcome);
        let least = match &self.right {
            RightMoves::Least(quantity) => {
                winning.iter().map(|(_, after, _)| quantity.value(after)).min()
            }
            RightMoves::Win | RightMoves::Quickest => None,
        };
        let is_right = |(_, after, outcome): &&(Move, Position, Outcome)| match &self.right {
            RightMoves::Win => true,
            RightMoves::Quickest => Some(*outcome) == best,
            RightMoves::Least(quantity) => Some(quantity.value(after)) == least,
        };
        winning.iter().filter(is_right).map(|(mv, ..)| *mv).collect()
    }

    /// The moves that keep the win, each with the position after it, the quickest to mate first.
    fn winning_moves(&self, tablebase: &Tablebase) -> Vec<(Move, Position, Outcome)> {
        let mut all = tablebase.outcomes(&self.position);
        all.retain(|(.., outcome)| matches!(outcome, Outcome::Loss(_)));
        all
    }

    /// The right moves in a sentence.
    pub(super) fn advice(&self, right: &[Move]) -> String {
        let moves = sans(&self.position, right);
        match right.len() {
            1 => format!("Play {moves}."),
            _ => format!("{moves} are equally good."),
        }
    }

    /// The reason why moves are right in sentences, and the figures of the table.
    fn reason(&self, right: &[Move], tablebase: &Tablebase) -> String {
        let winning = self.winning_moves(tablebase);
        let rest = winning.iter().find(|(mv, ..)| !right.contains(mv));
        let figures = match &self.right {
            RightMoves::Win => self.keeping(right, &winning),
            RightMoves::Quickest => self.quickest(right, &winning, rest),
            RightMoves::Least(quantity) => self.least(quantity, right, &winning),
        };
        format!("{} {figures}", self.because)
    }

    /// The number of moves that give the win away, and the time at which White mates.
    fn keeping(&self, right: &[Move], winning: &[(Move, Position, Outcome)]) -> String {
        let others = match self.position.moves().len() - right.len() {
            0 => String::new(),
            1 => "The other move gives the win away. ".into(),
            others => format!("The other {others} moves give the win away. "),
        };
        let win = mating(right, winning)
            .map_or_else(String::new, |mates| format!("With best play White {mates}."));
        format!("{others}{win}")
    }

    /// When White mates, and when after the next best move.
    fn quickest(
        &self,
        right: &[Move],
        winning: &[(Move, Position, Outcome)],
        rest: Option<&(Move, Position, Outcome)>,
    ) -> String {
        let next = match rest {
            Some((mv, _, outcome)) => {
                let (san, mates) = (sans(&self.position, &[*mv]), mates(*outcome));
                format!(" After the next best move, {san}, White {mates}.")
            }
            None => " Every other move gives the win away.".into(),
        };
        format!("White {}.{next}", mating(right, winning).unwrap_or_default())
    }

    /// The quantity after the right moves, and after the next best move.
    fn least(
        &self,
        quantity: &Quantity,
        right: &[Move],
        winning: &[(Move, Position, Outcome)],
    ) -> String {
        let sentence = |position: &Position| {
            let view = ReaderBoard::new(position, Symmetry::IDENTITY);
            quantity.sentence(quantity.value(position), &view)
        };
        let played = winning.iter().find(|(mv, ..)| right.contains(mv));
        let [now, next] = [
            played,
            winning
                .iter()
                .filter(|(mv, ..)| !right.contains(mv))
                .min_by_key(|(_, after, _)| quantity.value(after)),
        ]
        .map(|found| found.map(|(mv, after, _)| (sans(&self.position, &[*mv]), sentence(after))));
        let now = now.map_or_else(String::new, |(_, says)| capital(&format!("{says}.")));
        let next = next.map_or_else(String::new, |(san, says)| {
            format!(" After the next best move, {san}: {says}.")
        });
        now + &next
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
            let men = "pieces that the sentences are about";
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
