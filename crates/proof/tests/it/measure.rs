//! Measures, compared with programs written by others, and with a plain version on the full board.

use lucena_attributes::QuantitySet;
use lucena_base::index_vec::IndexVec;
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, MoveList, Position, SafeMoves, Side};
use lucena_proof::graph::After;
use lucena_proof::measure::{BackwardGraph, BareKingGraph, LookAhead, SafeMoveGraph, Score};
use lucena_proof::policy::{MeasureDecision, MeasurePolicy, Policy};
use lucena_tablebase::Index;
use lucena_test_support::cases::{cases, material};
use lucena_test_support::proofs::{Endgame, check, queen, rook};
use lucena_test_support::reference_attributes::{TURNS, plain_area_sums, plain_value};
use lucena_test_support::reference_rules::{self, Board, NUMBERS};
use lucena_tree::{Contribution, Goal, Measure, MeasureHead, Term};
use std::collections::BTreeMap;

/// A measure of `tests/data/measures.csv`.
struct Case {
    measure: Measure,
    won: usize,
    longest: Option<u16>,
}

/// Parses terms such as `-1000 KBeside, 1 kRoom`.
fn measure(material: Material, terms: &str, look: u8, goal: Goal) -> Measure {
    let terms: Vec<(i32, &str)> = terms
        .split(", ")
        .map(|term| {
            let (weight, name) = term.split_once(' ').expect("a weight and a name");
            (weight.parse().expect("a weight"), name)
        })
        .collect();
    let set = QuantitySet::named(material, terms.iter().map(|(_, name)| *name)).unwrap();
    let terms = set.quantities().iter().zip(terms).map(|(quantity, (weight, _))| Term {
        quantity: quantity.column(),
        contribution: Contribution::Weight(weight),
    });
    let head = MeasureHead { material: material.to_string(), look, goal, ..MeasureHead::default() };
    Measure::new(head, terms.collect()).unwrap()
}

fn measures(of: &str) -> Vec<Case> {
    let all = cases::<6>("measures.csv").into_iter().filter(|fields| fields[0] == of);
    all.map(|[name, terms, look, goal, won, longest]| {
        let goal = match goal.as_str() {
            "any-move" => Goal::AnyMove,
            "later-move" => Goal::LaterMove,
            other => panic!("{other} is no goal"),
        };
        Case {
            measure: measure(material(&name), &terms, look.parse().unwrap(), goal),
            won: won.parse().unwrap(),
            longest: longest.parse().ok(),
        }
    })
    .collect()
}

/// Tries the measures of an endgame against a bare king, by lists of moves and board by board.
fn check_counts(of: &str) {
    let material = material(of);
    let graph = SafeMoveGraph::new(material, &NoObserver).unwrap();
    let (situations, backward) = (graph.situations(), BackwardGraph::new(&graph));
    let boards = BareKingGraph::new(material).expect("the king is bare");
    let all = boards.squares_before(|_| true);
    for Case { measure, won: expected, longest } in measures(of) {
        let (head, policy) = (measure.head().clone(), MeasurePolicy::new(measure).unwrap());
        let values = graph.values(|position| policy.value(position));
        let here: IndexVec<After, Score> =
            values.iter().map(|&value| Score::of(value)).collect::<Vec<_>>().into();
        let forced = graph.forced(&here, &situations, head.look, head.goal, &NoObserver).unwrap();
        let best = graph.best(&forced, &situations);
        let won = backward.won(&graph, &situations, &forced, &best);
        let count = won.iter().filter(|&&moves| moves > 0).count();
        let told = policy.measure().to_json();
        assert_eq!(count, expected, "{told}");
        if longest.is_some() {
            assert_eq!(won.iter().max().copied(), longest, "{told}");
        }

        let here = boards.boards(|position| Score::of(policy.value(position)));
        let on_boards = boards.forced(&here, head.look, head.goal, &NoObserver).unwrap();
        for (after, &score) in forced.pairs() {
            let place @ (formation, king) = boards.place(&graph.numbering().position_after(after));
            assert_eq!(boards.is_quiet(place), graph.is_quiet(after), "{told}");
            if graph.is_quiet(after) {
                assert_eq!(on_boards[formation][king as usize], score, "{told}");
            }
        }
        let best_on_boards = boards.best(&on_boards);
        let tied = boards.tied(&on_boards, &best_on_boards);
        let won_on_boards = boards.won(&tied);
        let count = all.pairs().map(|(at, &kings)| (kings & won_on_boards.squares[at]).len());
        assert_eq!(count.sum::<u32>() as usize, expected, "{told}");
        assert_eq!(won.iter().max().copied(), Some(won_on_boards.longest), "{told}");
        let stuck = boards.stuck(&on_boards, &best_on_boards, &tied, &all);
        assert_eq!(stuck, graph.stuck(&forced, &best, |_| true), "{told}");
    }
}

/// Positions from which the weak side can force the gain of a man, by lists of moves and board by board.
fn check_doomed(of: &str) {
    let material = material(of);
    let graph = SafeMoveGraph::new(material, &NoObserver).unwrap();
    let boards = BareKingGraph::new(material).expect("the king is bare");
    for replies in 0..=3 {
        let doomed = graph.doomed(&graph.situations(), replies);
        let mut open = boards.boards(|_| Score::MATE);
        boards.close_doomed(&mut open, replies);
        for (after, &is_doomed) in doomed.pairs().filter(|&(after, _)| graph.is_quiet(after)) {
            let position = graph.numbering().position_after(after);
            let (formation, king) = boards.place(&position);
            assert_eq!(open[formation][king as usize] == Score::UNSAFE, is_doomed, "{position}");
        }
    }
}

#[test]
fn positions_are_doomed_on_boards_as_by_lists_of_moves() {
    check_doomed("KRvK");
    check_doomed("KQvK");
    check_doomed("KNvK");
}

#[test]
fn only_endgames_against_a_bare_king_without_pawns_have_boards() {
    let has_boards = |name: &str| BareKingGraph::new(material(name)).is_some();
    let names = ["KRvK", "KNNvK", "KPvK", "KRPvK", "KQvKR", "KRvKP"];
    assert_eq!(names.map(has_boards), [true, true, false, false, false, false]);
}

#[test]
fn measures_of_three_men_win_what_other_programs_say() {
    check_counts("KRvK");
    check_counts("KQvK");
}

#[test]
#[ignore = "slow: two endgames of four men, 15 measures"]
fn measures_of_four_men_win_what_other_programs_say() {
    check_counts("KBBvK");
    check_counts("KBNvK");
}

/// What can be forced, plainly: a value and the moves until then. Mate is the least value, no safe move the greatest.
type Plain = (i64, u32);

const MATE: Plain = (i64::MIN, 0);
const UNSAFE: Plain = (i64::MAX, 0);

/// The choices of a measure in every position of three men, by plain rounds over the full board.
fn choose_plainly(endgame: &Endgame, measure: &Measure) -> Vec<Vec<(u8, u8)>> {
    let (game, name) = (endgame.game, measure.head().material.clone());
    let role = name.chars().nth(1).expect("a man");
    let value_of = |at: u32| -> i64 {
        let board = Board::three(role, reference_rules::squares(at), false);
        let is_sum = |term: &&Term| term.quantity.name.starts_with("kRoomCorner");
        let has_sums = measure.terms().iter().any(|term| is_sum(&term));
        let sums = if has_sums { plain_area_sums(&name, &board) } else { BTreeMap::new() };
        let terms = measure.terms().iter().map(|term| {
            let quantity = &term.quantity.name;
            let value = match sums.get(quantity) {
                Some(&sum) => sum,
                None => plain_value(quantity, &name, &board).into(),
            };
            let Contribution::Weight(weight) = term.contribution else { panic!("a weight") };
            i64::from(weight) * i64::from(value)
        });
        terms.sum()
    };
    let is_safe = |at: u32| !game.can_capture(at) && game.end(at) != Some(false);
    let is_mate = |at: u32| game.end(at) == Some(true);
    // Boards that are turned or mirrored have one value.
    let mut known: BTreeMap<u32, i64> = BTreeMap::new();
    let mut here = vec![UNSAFE; NUMBERS as usize];
    for at in game.legal(Side::Weak).filter(|&at| is_safe(at)) {
        here[at as usize] = if is_mate(at) {
            MATE
        } else {
            let men = reference_rules::squares(at);
            let turned = TURNS.iter().map(|turn| reference_rules::number(men.map(turn)));
            let first = turned.min().expect("there are turns");
            (*known.entry(first).or_insert_with(|| value_of(first)), 0)
        };
    }
    let best = |forced: &[Plain], at: u32| {
        let safe = game.after(at).iter().filter(|&&after| is_safe(after));
        safe.map(|&after| forced[after as usize]).min().unwrap_or(UNSAFE)
    };
    let (look, goal) = (measure.head().look, measure.head().goal);
    let mut forced = here.clone();
    for round in 1..=look {
        let mut turns = vec![UNSAFE; NUMBERS as usize];
        for at in game.legal(Side::Strong) {
            let (value, moves) = best(&forced, at);
            turns[at as usize] = if value == UNSAFE.0 { UNSAFE } else { (value, moves + 1) };
        }
        let may_stop = round < look || goal == Goal::AnyMove;
        for at in game.legal(Side::Weak).filter(|&at| is_safe(at) && !is_mate(at)) {
            let worst = game.replies(at).iter().map(|&reply| turns[reply as usize]).max();
            let worst = worst.expect("it is neither mate nor stalemate");
            forced[at as usize] = if may_stop { worst.min(here[at as usize]) } else { worst };
        }
    }
    let mut choices = vec![Vec::new(); NUMBERS as usize];
    for at in game.legal(Side::Strong) {
        let least = best(&forced, at);
        let tied =
            game.moves(at).filter(|&(_, after)| is_safe(after) && forced[after as usize] == least);
        choices[at as usize] = tied.map(|(mv, _)| mv).collect();
        if choices[at as usize].is_empty() {
            choices[at as usize] = game.moves(at).map(|(mv, _)| mv).collect();
        }
        choices[at as usize].sort_unstable();
    }
    choices
}

/// Compares choices on the full board with plain ones.
fn compare_choices(
    endgame: &Endgame,
    mut choices: impl FnMut(&Position) -> MoveList,
    plain: &[Vec<(u8, u8)>],
    step: usize,
) {
    for at in endgame.game.legal(Side::Strong).step_by(step) {
        let position = reference_rules::position(endgame.table.material(), Side::Strong, at);
        let position = position.expect("it is legal");
        let mut choices: Vec<(u8, u8)> =
            choices(&position).into_iter().map(reference_rules::squares_of).collect();
        choices.sort_unstable();
        assert_eq!(choices, plain[at as usize], "{position}");
    }
}

/// The search for a measure.
fn search(policy: &MeasurePolicy) -> LookAhead<impl Fn(&Position) -> Score + '_> {
    let (head, value) = (policy.measure().head(), |at: &Position| Score::of(policy.value(at)));
    LookAhead::new(Policy::material(policy), value, head.look, head.goal)
}

/// Compares measures of three men with the plain version, with both goals.
fn compare_with_plain(is_asked: impl Fn(&Measure) -> bool) {
    for (endgame, name) in [(rook(), "KRvK"), (queen(), "KQvK")] {
        for Case { measure, .. } in measures(name) {
            if !is_asked(&measure) {
                continue;
            }
            let later = MeasureHead { goal: Goal::LaterMove, ..measure.head().clone() };
            for measure in [measure.with_head(later).unwrap(), measure] {
                let plain = choose_plainly(&endgame, &measure);
                let policy = MeasurePolicy::new(measure).unwrap();
                // First by the search, then from the whole endgame.
                let mut search = search(&policy);
                let searched = |position: &Position| match SafeMoves::of(position) {
                    SafeMoves::Safe(moves) => {
                        MeasureDecision::ByMeasure(search.search(moves)).tied()
                    }
                    SafeMoves::WinsAtOnce(moves) | SafeMoves::Unsafe(moves) => moves,
                };
                compare_choices(&endgame, searched, &plain, 97);
                policy.prepare_everywhere(&NoObserver).unwrap();
                compare_choices(&endgame, |position| policy.choices(position), &plain, 1);
            }
        }
    }
}

/// Returns true if a measure adds up sums, which are slow to compute plainly.
fn has_sums(measure: &Measure) -> bool {
    measure.terms().iter().any(|term| term.quantity.name.contains("Corner"))
}

#[test]
fn choices_are_those_of_a_plain_version_in_every_position_of_three_men() {
    compare_with_plain(|measure| !has_sums(measure) && measure.head().look == 3);
}

#[test]
#[ignore = "slow: the plain values of sums"]
fn choices_by_sums_are_those_of_a_plain_version_in_every_position_of_three_men() {
    compare_with_plain(has_sums);
}

#[test]
fn a_proof_of_a_measure_is_that_of_a_plain_proof() {
    let policy =
        MeasurePolicy::new(measure(material("KRvK"), "1 kRoom", 3, Goal::AnyMove)).unwrap();
    let proof = check(&rook(), &policy);
    assert_eq!((proof.won, proof.longest_moves), (175_168, Some(26)));
    let policy =
        MeasurePolicy::new(measure(material("KRvK"), "1 kRoom", 2, Goal::AnyMove)).unwrap();
    let proof = check(&rook(), &policy);
    assert!(proof.won < 175_168 && proof.refutation.is_some());
}

/// Compares the search with what is forced everywhere, in some positions.
fn compare_search(measure: Measure, step: usize) {
    let policy = MeasurePolicy::new(measure).unwrap();
    policy.prepare_everywhere(&NoObserver).unwrap();
    let (mut search, material) = (search(&policy), Policy::material(&policy));
    let index = Index::new(material, Group::of(material));
    for position in (0..index.len()).step_by(step).filter_map(|at| index.position(at, Side::Strong))
    {
        let SafeMoves::Safe(moves) = SafeMoves::of(&position) else { continue };
        let found = search.search(moves);
        for (_, after) in &found.moves {
            assert_eq!(search.forced_after(after), policy.forced_after(after), "{after}");
        }
        assert_eq!(MeasureDecision::ByMeasure(found), policy.decide(&position), "{position}");
    }
}

#[test]
fn the_search_finds_the_score_of_every_safe_move() {
    let of = |name: &str, terms: &str, look, goal| measure(material(name), terms, look, goal);
    compare_search(of("KQvK", "1 kRoom, 1 KkSteps", 3, Goal::AnyMove), 211);
    compare_search(of("KBBvK", "1 kRoomCornerSum", 2, Goal::LaterMove), 100_003);
    compare_search(of("KBNvK", "-100 KBeside, 1 kRoom", 2, Goal::AnyMove), 200_003);
    compare_search(of("KPvK", "4 PPromotionSteps, -1 kPSteps", 3, Goal::AnyMove), 501);
}
