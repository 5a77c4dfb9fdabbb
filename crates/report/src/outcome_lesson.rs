//! The lesson of a tree of outcomes, from positions that are counted.

use super::ReportError;
use lucena_chess::Position;
use lucena_dataset::{Dataset, LabelSource, Positions, SampleParams};
use lucena_explain::lesson::{KnownOutcomes, LargerTree, OutcomeLesson, OutcomeLessonError};
use lucena_learn::prune;
use lucena_model::DecisionTree;

/// The most leaves of a tree whose rules all become a lesson.
const MAX_LEAVES: u32 = 20;

/// The lesson of a tree of outcomes: its rules are counted over the positions of a source, or over a sample of them. Of a
/// tree with many leaves, the lesson has the part of at most 20 leaves that gets the most positions right.
///
/// # Errors
/// If the tree does not tell outcomes, the source is of another endgame or tells something else, or the sample cannot be
/// drawn.
pub fn outcome_lesson(
    tree: DecisionTree,
    source: &dyn LabelSource,
    sample: Option<SampleParams>,
) -> Result<OutcomeLesson, ReportError> {
    let attributes = OutcomeLesson::attributes_of(&tree)?;
    let turn = OutcomeLesson::turn_of(&tree);
    let dataset = match sample {
        None => Dataset::with_turn(source, &attributes, Positions::Canonical, turn)?,
        Some(sample) => Dataset::sampled(source, &attributes, Positions::Canonical, turn, sample)?,
    };
    if dataset.classes() != tree.head().classes {
        return Err(OutcomeLessonError::OtherOutcomes(tree.origin().material.clone()).into());
    }
    let mut rows = dataset.orbits().iter().peekable();
    let drawn = source.orbits(turn).enumerate().filter_map(|(orbit, (place, _))| {
        rows.next_if(|&&row| row as usize == orbit)?;
        let placement = source.placement(place);
        Some(placement.with(turn, *placement.squares()))
    });
    let positions: Vec<Position> = drawn.collect();
    source.check()?;
    let known = KnownOutcomes {
        positions,
        classes: dataset.targets().to_vec(),
        sample: dataset.sample().map(|sample| sample.to_string()),
    };
    let part = (tree.leaves() > MAX_LEAVES as usize)
        .then(|| prune(&tree, &dataset, MAX_LEAVES))
        .transpose()?;
    let Some(part) = part else { return Ok(OutcomeLesson::new(tree, known, None)?) };
    let right = known.right(&attributes, &tree);
    let larger = LargerTree { leaves: tree.leaves(), right };
    Ok(OutcomeLesson::new(part, known, Some(larger))?)
}
