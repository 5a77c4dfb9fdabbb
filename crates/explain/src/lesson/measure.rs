//! A measure as a page that a trainer would hand out.

use super::survey::{MANY_EXERCISES, Survey, taken_in_turns};
use crate::{ExplainError, Forced};
use lucena_base::progress::Observer;
use lucena_chess::{Move, Position};
use lucena_proof::measure::{LookedAhead, Score};
use lucena_proof::policy::{MeasureDecision, MeasurePolicy, Policy, with_weak_to_move};
use lucena_proof::{Proof, ProvedGame};
use lucena_tablebase::Tablebase;
use lucena_tree::{Goal, MeasureHead};
use rayon::prelude::*;
use std::cmp::Reverse;

/// The number of moves after the next one that a person can look ahead without a computer.
pub(super) const IN_THE_HEAD: u8 = 2;

/// A measure as a page: the number in words, boards that show how to make it small, a game and exercises.
pub struct MeasureLesson<'a> {
    pub(super) survey: Survey<'a, MeasurePolicy>,
    pub(super) proof: Proof,
    /// True if the number that can be forced falls with every move.
    pub(super) is_ranking: bool,
    /// A position in which the best number is reached as soon as possible.
    pub(super) soon: Option<MeasureExample>,
    /// A position in which the best number takes most moves.
    pub(super) late: Option<MeasureExample>,
    /// `None` if the measure never looks farther than a person can.
    pub(super) unaided: Option<UnaidedPlay>,
    pub(super) exercises: Vec<MeasureExample>,
}

/// The play of a person who looks only [`IN_THE_HEAD`] moves ahead.
pub(super) struct UnaidedPlay {
    /// The share of the winnable positions, up to symmetry, in which such a person plays like the measure, from 0 to 1.
    pub(super) share: f64,
    /// The proof of the measure if it never looks farther.
    pub(super) proof: Proof,
}

/// A position in which the measure chooses.
pub(super) struct MeasureExample {
    pub(super) position: Position,
    /// The moves that are tied.
    pub(super) tied: Vec<Move>,
    /// What they force.
    pub(super) best: Forced,
    /// The best of the other safe moves, and what it forces.
    pub(super) other: Option<(Move, Forced)>,
}

impl MeasureExample {
    fn of(policy: &MeasurePolicy, position: &Position) -> Option<Self> {
        let MeasureDecision::ByMeasure(LookedAhead { moves, tied, best }) = policy.decide(position)
        else {
            return None;
        };
        let others = (0..moves.len()).filter(|at| !tied.contains(at));
        let other = others
            .map(|at| (policy.forced_after(&moves[at].1), at))
            .min()
            .map(|(score, at)| (moves[at].0, Forced::by_move(score)));
        Some(Self {
            position: *position,
            tied: tied.iter().map(|&at| moves[at].0).collect(),
            best: Forced::by_move(best),
            other,
        })
    }

    /// The amount by which the best other move forces a greater value, and the number of moves to the best value; `None`
    /// unless one move alone is best and both force values.
    fn margin(&self) -> Option<(i32, u16)> {
        let (Forced::Value { value, moves }, [_]) = (self.best, self.tied.as_slice()) else {
            return None;
        };
        Some((self.other?.1.value()? - value, moves))
    }
}

impl<'a> MeasureLesson<'a> {
    /// Proves a measure and finds the positions that illustrate it.
    ///
    /// # Errors
    /// If the table is of another endgame than the measure, or the work was stopped.
    pub fn new(
        policy: &'a MeasurePolicy,
        tablebase: &'a Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ExplainError> {
        let proof = ProvedGame::with_observer(policy, tablebase, observer)?.proof()?;
        let survey = Survey::new(policy, tablebase);
        observer.check()?;
        let soonest = soonest(policy.measure().head().goal);
        let soon = |position: &Position| {
            let example = MeasureExample::of(policy, position)?;
            let (margin, moves) = example.margin()?;
            let fall = policy.value(&with_weak_to_move(position)) - example.best.value()?;
            (moves == soonest).then_some(((fall, margin), example))
        };
        let late = |position: &Position| {
            let example = MeasureExample::of(policy, position)?;
            let Forced::Value { moves, .. } = example.best else { return None };
            let score = (moves, Reverse(example.tied.len()), example.margin());
            (moves > soonest).then_some((score, example))
        };
        let (soon, late) = (survey.best(soon, 1).pop(), survey.best(late, 1).pop());
        let shown: Vec<Position> = soon.iter().chain(&late).map(|one| one.position).collect();
        observer.check()?;
        let nearer = nearer(policy, IN_THE_HEAD);
        let unaided = match &nearer {
            Some(nearer) => Some(UnaidedPlay::new(&survey, nearer, observer)?),
            None => None,
        };
        let exercises = exercises(&survey, nearer.as_ref().unwrap_or(policy), soonest, &shown);
        tablebase.intact()?;
        let is_ranking = policy.is_ranking(tablebase) == Some(true);
        Ok(Self { survey, proof, is_ranking, soon, late, unaided, exercises })
    }

    /// A line in which White reaches the number that the first tied move of an example forces, against the best defence.
    /// Empty if the example forces no number.
    pub(super) fn plan(&self, example: &MeasureExample) -> Vec<Move> {
        let Forced::Value { moves, .. } = example.best else { return Vec::new() };
        let measure = self.survey.policy.measure();
        let mut line = vec![example.tied[0]];
        let mut after = example.position.play(line[0]).expect("a tied move is legal");
        for look in (0..measure.head().look).rev().take(usize::from(moves) - 1) {
            let head = MeasureHead { look, goal: Goal::AnyMove, ..measure.head().clone() };
            let left = measure.with_head(head).expect("it looks less far");
            let left = MeasurePolicy::of_checked(left).expect("the quantities are the same");
            let forced = |next: &Position| match left.decide(next) {
                MeasureDecision::ByMeasure(LookedAhead { best, .. }) => best,
                MeasureDecision::AtOnce(_) => Score::MATE,
                MeasureDecision::Unsafe(_) => Score::UNSAFE,
            };
            // Reversed, because `max_by_key` returns the last of several maxima and the first is wanted.
            let replies = after.moves().into_iter().rev();
            let next = replies.map(|reply| (reply, after.play(reply).expect("a legal reply")));
            let Some((reply, next)) = next.max_by_key(|(_, next)| forced(next)) else { break };
            let mv = left.choose(&next).expect("what is forced is forced by a move");
            after = next.play(mv).expect("a chosen move is legal");
            line.extend([reply, mv]);
        }
        line
    }
}

/// The policy of a measure that looks fewer moves ahead; `None` if it looks no farther anyway.
fn nearer(policy: &MeasurePolicy, look: u8) -> Option<MeasurePolicy> {
    let measure = policy.measure();
    if measure.head().look <= look {
        return None;
    }
    let head = MeasureHead { look, ..measure.head().clone() };
    let nearer = measure.with_head(head).expect("it looks less far");
    Some(MeasurePolicy::of_checked(nearer).expect("the quantities are the same"))
}

/// The least number of moves in which a number can be reached, the next one included.
fn soonest(goal: Goal) -> u16 {
    match goal {
        Goal::AnyMove => 1,
        Goal::LaterMove => 2,
    }
}

/// Positions with one best move that a person finds, too.
fn exercises(
    survey: &Survey<'_, MeasurePolicy>,
    person: &MeasurePolicy,
    soonest: u16,
    shown: &[Position],
) -> Vec<MeasureExample> {
    let lists = (soonest..=u16::from(IN_THE_HEAD) + 1).map(|wanted| {
        let found = survey.best(
            |position| {
                let example = MeasureExample::of(survey.policy, position)?;
                let (margin, moves) = example.margin()?;
                let is_found = || person.choices(position).to_vec() == example.tied;
                (moves == wanted && margin > 0 && is_found()).then_some((margin, example))
            },
            MANY_EXERCISES,
        );
        found.into_iter()
    });
    taken_in_turns(lists.collect(), |one| &one.position, shown)
}

impl UnaidedPlay {
    fn new(
        survey: &Survey<'_, MeasurePolicy>,
        nearer: &MeasurePolicy,
        observer: &dyn Observer,
    ) -> Result<Self, ExplainError> {
        let proof = ProvedGame::with_observer(nearer, survey.tablebase, observer)?.proof()?;
        let is_alike = |position: &&Position| {
            let best = survey.policy.choices(position);
            nearer.choices(position).iter().all(|mv| best.contains(mv))
        };
        let alike = survey.won.par_iter().filter(is_alike).count();
        observer.check()?;
        let share = alike as f64 / survey.won.len().max(1) as f64;
        Ok(Self { share, proof })
    }
}
