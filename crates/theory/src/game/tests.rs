//! The incremental game against a naive evaluation.

use super::*;
use crate::positions::{BeforeMove, End};
use lucena_attributes::{AttributeSet, Selection};
use lucena_base::index_vec::Id;
use lucena_base::progress::NoObserver;
use lucena_tablebase::{DistanceClass, Tablebase};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn graph() -> TheoryGraph {
    let material = "KQvK".parse().unwrap();
    let tablebase = Tablebase::solve(material);
    let attributes = AttributeSet::new(material, Selection::Location);
    TheoryGraph::new(&tablebase, &attributes, &NoObserver).unwrap()
}

/// A naive evaluation: all choices, then sweeps until no number changes.
struct ReferenceEvaluation {
    chosen: IndexVec<Before, Option<After>>,
    mated_in: IndexVec<Before, Option<u16>>,
}

impl ReferenceEvaluation {
    fn new(graph: &TheoryGraph, marks: &IndexVec<After, Mark>, bound: u16) -> Self {
        let choose = |before| {
            let moves = graph.moves.get(before).iter().copied();
            moves.min_by_key(|&after| marks[after])
        };
        let chosen: IndexVec<Before, Option<After>> = graph.befores.ids().map(choose).collect();
        let mut mated_in: IndexVec<Before, Option<u16>> = IndexVec::filled(None, chosen.len());
        for moves in 1..=bound {
            let earlier = mated_in.clone();
            for (before, &after) in chosen.pairs() {
                let after = after.unwrap();
                let replies = graph.replies.get(after);
                let is_mated = match graph.afters[after].end {
                    End::Mate => true,
                    end if end.is_thrown() => false,
                    _ => replies.iter().all(|&reply| earlier[reply].is_some()),
                };
                if is_mated && mated_in[before].is_none() {
                    mated_in[before] = Some(moves);
                }
            }
            if moves > 1 && mated_in == earlier {
                break;
            }
        }
        Self { chosen, mated_in }
    }

    fn score(&self, graph: &TheoryGraph) -> MarkScore {
        let mut score = MarkScore::default();
        for (known, mated_in) in graph.befores.iter().zip(self.mated_in.iter()) {
            match (known.moves_to_mate, mated_in) {
                (Some(best), Some(moves)) => {
                    score.excess += u64::from(known.weight) * u64::from(moves - best);
                }
                (Some(_), None) => score.failing += u64::from(known.weight),
                (None, _) => {}
            }
        }
        score
    }

    fn assert_same(&self, game: &Game<'_>) {
        assert_eq!(game.chosen, self.chosen);
        let numbers = game.mated_in.iter().map(|moves| moves.moves());
        assert!(numbers.eq(self.mated_in.iter().copied()));
        assert_eq!(game.score, self.score(game.graph));
    }
}

/// Returns random changes of marks. Many of the marks are equal.
fn any_changes(graph: &TheoryGraph, rng: &mut ChaCha8Rng) -> Vec<(After, Mark)> {
    let count = 1 << rng.gen_range(0..9);
    let change = |_| {
        let after = After::new(rng.gen_range(0..graph.afters.len() as u32) as usize);
        let depth = graph.depth_mark(after);
        let step = graph.depth_marks.of_moves(1).unwrap().0;
        let mark = match rng.gen_range(0..4) {
            0 => Mark(rng.gen_range(0..8) * 32),
            1 => depth.worse_by(step),
            2 => depth.better_by(step),
            _ => depth,
        };
        (after, mark)
    };
    let mut changes: Vec<(After, Mark)> = (0..count).map(change).collect();
    changes.sort_unstable();
    changes.dedup_by_key(|change| change.0);
    changes
}

#[test]
fn numbers_are_kept_up_to_date_whatever_changes() {
    let graph = graph();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for bound in [50, 14] {
        let guarantee = Guarantee::Win { longest: bound, mean_excess: None };
        let mut marks = graph.exact_marks();
        let mut game = Game::new(&graph, guarantee, &marks);
        ReferenceEvaluation::new(&graph, &marks, bound).assert_same(&game);
        for round in 0..60 {
            let changes = any_changes(&graph, &mut rng);
            let score = game.change(&changes);
            let mut changed = marks.clone();
            changes.iter().for_each(|&(after, mark)| changed[after] = mark);
            let plain = ReferenceEvaluation::new(&graph, &changed, bound);
            assert_eq!(score, plain.score(&graph), "round {round}");
            plain.assert_same(&game);
            if rng.r#gen() {
                game.commit();
                marks = changed;
            } else {
                game.roll_back();
                ReferenceEvaluation::new(&graph, &marks, bound).assert_same(&game);
            }
        }
    }
}

#[test]
fn what_no_longer_wins_is_refused_and_nothing_else() {
    let graph = graph();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for bound in [50, 12] {
        let guarantee = Guarantee::Win { longest: bound, mean_excess: None };
        let mut marks = graph.exact_marks();
        let mut game = Game::new(&graph, guarantee, &marks);
        let (mut taken, mut refused) = (0, 0);
        for round in 0..120 {
            let mut changes = any_changes(&graph, &mut rng);
            changes.truncate(1 << rng.gen_range(0..6));
            let mut changed = marks.clone();
            changes.iter().for_each(|&(after, mark)| changed[after] = mark);
            let plain = ReferenceEvaluation::new(&graph, &changed, bound);
            let expected = plain.score(&graph);
            let score = game.try_change(&changes);
            if expected.failing == 0 {
                assert_eq!(score, Some(expected), "round {round}");
                plain.assert_same(&game);
                game.commit();
                marks = changed;
                taken += 1;
            } else {
                assert_eq!(score, None, "round {round}");
                game.roll_back();
                refused += 1;
            }
        }
        ReferenceEvaluation::new(&graph, &marks, bound).assert_same(&game);
        assert!(taken > 10 && refused > 10, "{taken} taken, {refused} refused");
    }
}

#[test]
fn faults_are_counted_as_marks_change() {
    let graph = graph();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for guarantee in [Guarantee::Exact, Guarantee::Optimal] {
        let mut marks = graph.exact_marks();
        let mut game = Game::new(&graph, guarantee, &marks);
        assert_eq!(game.score.faults, 0);
        for _ in 0..60 {
            let changes = any_changes(&graph, &mut rng);
            let score = game.change(&changes);
            changes.iter().for_each(|&(after, mark)| marks[after] = mark);
            game.commit();
            let faults: u64 = if guarantee == Guarantee::Exact {
                let depths = graph.exact_marks();
                marks.iter().zip(depths.iter()).filter(|(mark, depth)| mark != depth).count() as u64
            } else {
                let plain = ReferenceEvaluation::new(&graph, &marks, 50);
                let choices = graph.befores.iter().zip(plain.chosen.iter());
                let is_slow = |known: &BeforeMove, after: After| match known.moves_to_mate {
                    Some(best) => graph.afters[after].depth != DistanceClass::Mated(best - 1),
                    None => false,
                };
                let slow = choices.filter(|&(known, &after)| is_slow(known, after.unwrap()));
                slow.map(|(known, _)| u64::from(known.weight)).sum()
            };
            assert_eq!(score.faults, faults, "{guarantee}");
        }
    }
}
