//! A measure as a page that a trainer would hand out.

use super::survey::{MANY_EXERCISES, Survey, taken_in_turns};
use crate::{ExplainError, Forced};
use lucena_base::progress::Observer;
use lucena_chess::{Move, Position};
use lucena_model::Goal;
use lucena_proof::measure::{LookedAhead, Score};
use lucena_proof::policy::{Decision, MeasurePolicy, Policy, with_weak_to_move};
use lucena_proof::{Proof, ProvedGame};
use lucena_tablebase::Tablebase;
use rayon::prelude::*;
use std::cmp::Reverse;

/// The number of moves after the next one that a person can look ahead without a computer.
pub(super) const IN_THE_HEAD: u8 = 2;

/// The most numbers of a measure that a person learns by heart.
pub(super) const KNOWN_BY_HEART: usize = 20;

/// A measure as a page: the number in words, boards that show how to make it small, a game and exercises.
pub struct MeasureLesson<'a> {
    pub(super) survey: Survey<'a, MeasurePolicy>,
    pub(super) proof: Proof,
    /// True if the number that can be forced falls with every move.
    pub(super) is_ranking: bool,
    /// A position in which the best number is reached as soon as possible.
    pub(super) soon: Option<MeasureExample>,
    /// A position in which the best number takes several moves: if there is one, a position in which the number must rise
    /// first.
    pub(super) late: Option<MeasureExample>,
    /// A position in which mate can be forced, as far ahead as a person can see.
    pub(super) mating: Option<MeasureExample>,
    /// `None` if the measure never looks farther than a person can.
    pub(super) unaided: Option<UnaidedPlay>,
    pub(super) exercises: Vec<MeasureExample>,
    /// The measure looking fewer moves ahead, by their number, where it may stop after any move.
    nearer: Vec<MeasurePolicy>,
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
    /// The least value right after a safe move.
    pub(super) least: i32,
}

impl MeasureExample {
    fn of(policy: &MeasurePolicy, position: &Position) -> Option<Self> {
        let Decision::Compared(LookedAhead { moves, tied, best }) = policy.decide(position) else {
            return None;
        };
        let others = (0..moves.len()).filter(|at| !tied.contains(at));
        let other = others
            .map(|at| (policy.forced_after(&moves[at].1), at))
            .min()
            .map(|(score, at)| (moves[at].0, Forced::by_move(score)));
        let values = moves.iter().map(|(_, after)| policy.value(after));
        Some(Self {
            position: *position,
            least: values.min()?,
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
        let game = ProvedGame::with_observer(policy, tablebase, observer)?;
        let (proof, survey) = (game.proof(observer)?, Survey::new(policy, tablebase, &game));
        observer.check()?;
        let soonest = soonest(policy.measure().horizon().goal);
        let soon = |position: &Position| {
            let example = MeasureExample::of(policy, position)?;
            let (margin, moves) = example.margin()?;
            let fall = policy.value(&with_weak_to_move(position)) - example.best.value()?;
            (moves == soonest).then_some(((margin > 0, fall, margin), example))
        };
        let late = |position: &Position| {
            let example = MeasureExample::of(policy, position)?;
            let Forced::Value { value, moves } = example.best else { return None };
            let before = policy.value(&with_weak_to_move(position));
            let rise = if value < before { (example.least - before).max(0) } else { 0 };
            let in_the_head = moves <= u16::from(IN_THE_HEAD) + 1;
            let is_only = example.tied.len() == 1;
            let score = (rise > 0, in_the_head, is_only, rise, moves, example.margin());
            (moves > soonest).then_some((score, example))
        };
        let mating = |position: &Position| {
            let example = MeasureExample::of(policy, position)?;
            let Forced::Mate { moves } = example.best else { return None };
            let score = (moves, Reverse(example.tied.len()), example.least);
            (2..=u16::from(IN_THE_HEAD) + 1).contains(&moves).then_some((score, example))
        };
        let (soon, late) = (survey.best(soon, 1).pop(), survey.best(late, 1).pop());
        let mating = survey.best(mating, 1).pop();
        let shown = soon.iter().chain(&late).chain(&mating);
        let shown: Vec<Position> = shown.map(|one| one.position).collect();
        observer.check()?;
        let horizon = policy.measure().horizon();
        let person =
            (horizon.look > IN_THE_HEAD).then(|| looking(policy, IN_THE_HEAD, horizon.goal));
        let unaided = match &person {
            Some(person) => Some(UnaidedPlay::new(&survey, person, observer)?),
            None => None,
        };
        let exercises = exercises(&survey, person.as_ref().unwrap_or(policy), soonest, &shown);
        let nearer = (0..horizon.look).map(|look| looking(policy, look, Goal::AnyMove)).collect();
        tablebase.check_readable()?;
        let is_ranking = policy.is_ranking(tablebase) == Some(true);
        Ok(Self { survey, proof, is_ranking, soon, late, mating, unaided, exercises, nearer })
    }

    /// A line in which White reaches what the first tied move of an example forces, against the best defence. Empty if the
    /// example forces nothing.
    pub(super) fn plan(&self, example: &MeasureExample) -> Vec<Move> {
        let (Forced::Value { moves, .. } | Forced::Mate { moves }) = example.best else {
            return Vec::new();
        };
        let mut line = vec![example.tied[0]];
        let mut after = example.position.play(line[0]).expect("a tied move is legal");
        for left in self.nearer.iter().rev().take(usize::from(moves) - 1) {
            let forced = |next: &Position| match left.decide(next) {
                Decision::Compared(LookedAhead { best, .. }) => best,
                Decision::AtOnce(_) => Score::MATE,
                Decision::Holding(_) => Score::HELD,
                Decision::Unsafe(_) => Score::UNSAFE,
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

/// The policy of a measure that looks fewer moves ahead.
fn looking(policy: &MeasurePolicy, look: u8, goal: Goal) -> MeasurePolicy {
    policy.looking(look, goal).expect("it looks less far")
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
        let proof =
            ProvedGame::with_observer(nearer, survey.tablebase, observer)?.proof(observer)?;
        let is_alike = |position: &&Position| {
            let best = survey.policy.choices(position);
            nearer.choices(position).iter().all(|mv| best.contains(mv))
        };
        let alike = survey.positions.par_iter().filter(is_alike).count();
        observer.check()?;
        let share = alike as f64 / survey.positions.len().max(1) as f64;
        Ok(Self { share, proof })
    }
}
