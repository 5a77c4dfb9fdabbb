//! A measure in words, with White as the strong side.

use lucena_attributes::{Quantity, ReaderBoard};
use lucena_base::plural::{grouped, moves};
use lucena_chess::Side;
use lucena_model::{Contribution, Goal, Term};
use lucena_proof::policy::{MeasurePolicy, Policy};

/// Returns the terms of a measure in words, in order. They begin with a small letter and have no full stop.
pub fn measure_sentences(policy: &MeasurePolicy) -> Vec<String> {
    let view = ReaderBoard::general(Policy::material(policy));
    let told = terms(policy).map(|(term, quantity)| {
        let meaning = quantity.meaning_in(&view);
        let (times, what) = match (quantity.domain(), meaning.strip_prefix("whether ")) {
            ((0, 1), Some(fact)) => ("", format!("if {fact}")),
            _ => (" times", meaning.clone()),
        };
        match &term.contribution {
            Contribution::Weight(1) if !times.is_empty() => format!("add {what}"),
            Contribution::Weight(-1) if !times.is_empty() => format!("take away {what}"),
            Contribution::Weight(weight) => {
                let does = if *weight < 0 { "take away" } else { "add" };
                format!("{does} {}{times} {what}", grouped(weight.unsigned_abs().into()))
            }
            Contribution::Table(numbers) => {
                format!("add one of {} numbers by this: {meaning}", numbers.len())
            }
        }
    });
    told.collect()
}

/// Returns the aim of each term of a measure: to make its quantity small or great. They begin with a small letter and
/// have no full stop; `None` for a table of numbers that neither rise nor fall all the way.
///
/// ```
/// use lucena_proof::policy::MeasurePolicy;
/// use lucena_model::Measure;
///
/// let measure = Measure::from_json(br#"{
///     "kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "look": 3, "goal": "any-move", "secure": 0,
///     "terms": [{"quantity": "kRoom", "low": 0, "high": 63, "meaning": "squares", "weight": 1}]
/// }"#)?;
/// let aims = lucena_explain::measure_aims(&MeasurePolicy::new(measure)?);
/// assert_eq!(aims, [Some("leave the black king as little room as possible".to_owned())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn measure_aims(policy: &MeasurePolicy) -> Vec<Option<String>> {
    let view = ReaderBoard::general(Policy::material(policy));
    let aim = |(term, quantity): (&Term, &Quantity)| {
        let greatest = match &term.contribution {
            Contribution::Weight(weight) => *weight < 0,
            Contribution::Table(numbers) if numbers.is_sorted() => false,
            Contribution::Table(numbers) if numbers.iter().rev().is_sorted() => true,
            Contribution::Table(_) => return None,
        };
        Some(quantity.aim(greatest, &view))
    };
    terms(policy).map(aim).collect()
}

/// Returns the way to choose a move by a measure, in sentences: how far it looks, where it may stop, which of several
/// results is better, and what to do with ties.
pub fn measure_instructions(policy: &MeasurePolicy) -> Vec<String> {
    let horizon = policy.measure().horizon();
    let far = match (horizon.look, horizon.goal) {
        (0, Goal::AnyMove) => "Play the safe move right after which the number is least.".into(),
        (0, Goal::LaterMove) => "Only a move that mates counts.".into(),
        (look, goal) => {
            let stop = match goal {
                Goal::AnyMove => {
                    "The number after any of these moves counts, and that right after the next move too."
                }
                Goal::LaterMove => {
                    "The number after any of these moves counts, but not that right after the next move, unless it mates."
                }
            };
            format!(
                "Look at the next move and at {} of White after it. Play the safe move by which White can force the least number, whatever Black replies. {stop}",
                moves(look.into())
            )
        }
    };
    let secure = (horizon.secure > 0).then(|| {
        let replies = if horizon.secure == 1 { "one reply" } else { &format!("{} replies", horizon.secure) };
        format!(
            "A number does not count where Black can bring about, within {replies}, a position in which White has no safe move."
        )
    });
    let better = "Mate is better than any number, and sooner mate is better than later. Of two equal numbers, the one that is reached sooner is better.";
    let worst = match policy.material().can_mate(Side::Weak) {
        true => {
            "A position in which White has no safe move is worst, but a little better if a move holds the draw."
        }
        false => "A position in which White has no safe move is worst.",
    };
    let better = format!("{better} {worst}");
    let ties = "If several moves are equal in all this, play any of them.";
    [Some(far), secure, Some(better), Some(ties.into())].into_iter().flatten().collect()
}

fn terms(policy: &MeasurePolicy) -> impl Iterator<Item = (&Term, &Quantity)> {
    policy.measure().terms().iter().zip(policy.quantities().quantities())
}
