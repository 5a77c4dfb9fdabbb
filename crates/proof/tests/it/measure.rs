//! Measures, compared with programs written by others, and with a plain version on the full board.

use lucena_attributes::QuantitySet;
use lucena_base::index_vec::IndexVec;
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, MoveList, Position, SafeMoves, Side};
use lucena_model::{Contribution, Goal, Horizon, Measure, Origin, Term};
use lucena_proof::graph::After;
use lucena_proof::measure::{BareKingGraph, LookAhead, SafeMoveGraph, Score};
use lucena_proof::policy::{Decision, MeasurePolicy, Policy};
use lucena_proof::prove;
use lucena_tablebase::{Index, Tablebase};
use lucena_test_support::cases::{cases, material};
use lucena_test_support::proofs::{
    Endgame, FnPolicy, check, check_numbers, mv, prove_plainly, queen, replay, rook,
};
use lucena_test_support::reference_attributes::king_moves;
use lucena_test_support::reference_measures::{Forced, PlainMeasure, WholeBoard};
use lucena_test_support::reference_rules::{self, Board, NUMBERS, ROOK_SOLVED};

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
    let horizon = Horizon { look, goal, secure: 0 };
    Measure::new(Origin::new(material.to_string()), horizon, terms.collect()).unwrap()
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
    let (situations, replies) = (graph.situations(), graph.reversed_replies());
    let boards = BareKingGraph::new(material).expect("the king is bare");
    let all = boards.squares_before(|_| true);
    for Case { measure, won: expected, longest } in measures(of) {
        let (horizon, policy) = (measure.horizon(), MeasurePolicy::new(measure).unwrap());
        let values = graph.values(|position| policy.value(position));
        let here: IndexVec<After, Score> =
            values.iter().map(|&value| Score::new(value)).collect::<Vec<_>>().into();
        let forced =
            graph.forced(&here, &situations, horizon.look, horizon.goal, &NoObserver).unwrap();
        let best = graph.best(&forced, &situations);
        let won = graph.won(&replies, &situations, &forced, &best);
        let count = won.iter().filter(|&&moves| moves > 0).count();
        let told = policy.measure().to_json();
        assert_eq!(count, expected, "{told}");
        if longest.is_some() {
            assert_eq!(won.iter().max().copied(), longest, "{told}");
        }

        let here = boards.boards(|position| Score::new(policy.value(position)));
        let on_boards = boards.forced(&here, horizon.look, horizon.goal, &NoObserver).unwrap();
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

/// The choices in every position of three men, by what can be forced.
fn choose_plainly(endgame: &Endgame, whole: &WholeBoard, forced: &[Forced]) -> Vec<Vec<(u8, u8)>> {
    let mut choices = vec![Vec::new(); NUMBERS as usize];
    for at in endgame.game.legal(Side::Strong) {
        let before = reference_rules::squares(at);
        let moved = |after: u32| {
            let after = whole.squares(after);
            let man = (0..3).find(|&man| after[man] != before[man]).expect("a man has moved");
            (before[man], after[man])
        };
        choices[at as usize] = whole.tied(forced, whole.number(&before)).map(moved).collect();
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

/// The score of stopping at a position.
fn stop(policy: &MeasurePolicy) -> impl Fn(&Position) -> Score + '_ {
    |at: &Position| Score::new(policy.value(at))
}

/// The search for a measure.
fn search(policy: &MeasurePolicy) -> LookAhead<impl Fn(&Position) -> Score + '_> {
    let horizon = policy.measure().horizon();
    LookAhead::new(Policy::material(policy), stop(policy), horizon.look, horizon.goal)
}

/// Compares measures of three men with the plain version, with both goals.
fn compare_with_plain(is_asked: impl Fn(&Measure) -> bool) {
    for (endgame, name) in [(rook(), "KRvK"), (queen(), "KQvK")] {
        let whole = WholeBoard::new(name);
        for Case { measure, .. } in
            measures(name).into_iter().filter(|case| is_asked(&case.measure))
        {
            let later = Horizon { goal: Goal::LaterMove, ..measure.horizon() };
            for measure in [measure.with_horizon(later).unwrap(), measure] {
                let forced = whole.forced(&PlainMeasure::read(&measure.to_json()));
                let plain = choose_plainly(&endgame, &whole, &forced);
                let policy = MeasurePolicy::new(measure).unwrap();
                // First by the search, then from the whole endgame.
                let mut search = search(&policy);
                let searched = |position: &Position| match SafeMoves::new(position) {
                    SafeMoves::Safe(moves) => Decision::Compared(search.search(moves)).tied(),
                    SafeMoves::WinsAtOnce(moves)
                    | SafeMoves::Holding(moves)
                    | SafeMoves::Unsafe(moves) => moves,
                };
                compare_choices(&endgame, searched, &plain, 97);
                policy.prepare_everywhere(&NoObserver).unwrap();
                compare_choices(&endgame, |position| policy.choices(position), &plain, 1);
            }
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn choices_are_those_of_a_plain_version_in_every_position_of_three_men() {
    compare_with_plain(|measure| measure.horizon().look == 3 && measure.terms().len() < 3);
}

#[test]
#[ignore = "slow: measures that look further ahead"]
fn choices_of_more_measures_are_those_of_a_plain_version_in_every_position_of_three_men() {
    compare_with_plain(|measure| measure.horizon().look != 3 || measure.terms().len() >= 3);
}

/// A position that the search meets again below itself. By the plain program, which proves the measure again.
#[test]
fn a_search_that_meets_a_position_again_asks_about_every_reply() {
    let terms = "-5 BSumBeside, 1 kCageCornerEdgeSum";
    let policy = MeasurePolicy::new(measure(material("KBBvK"), terms, 4, Goal::AnyMove)).unwrap();
    let position: Position = "8/8/8/8/6B1/k2K4/8/4B3 w - - 0 1".parse().unwrap();
    let Decision::Compared(looked) = policy.decide(&position) else { panic!("it is safe") };
    let scores =
        looked.moves.iter().map(|(mv, after)| (mv.to_string(), policy.forced_after(after)));
    let (_, score) = scores.into_iter().find(|(mv, _)| mv == "d3e2").expect("Ke2");
    assert_eq!((score.value(), score.moves()), (Some(8), Some(4)));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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

/// Each shipped measure of three men with a weight changed is refuted, and by as many positions as a plain program
/// says.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn measures_with_a_changed_weight_are_refuted() {
    for (endgame, name) in [(rook(), "KRvK"), (queen(), "KQvK")] {
        let whole = WholeBoard::new(name);
        for [of, terms, look] in cases("refuted_measures.csv") {
            if of != name {
                continue;
            }
            let measure = measure(material(name), &terms, look.parse().unwrap(), Goal::AnyMove);
            let totals = whole.totals(&whole.forced(&PlainMeasure::read(&measure.to_json())));
            let proof = check_numbers(&endgame, &MeasurePolicy::new(measure).unwrap());
            assert_eq!((proof.winnable, proof.won), (totals.winnable, totals.won), "{terms}");
            assert!(proof.won < proof.winnable && proof.refutation.is_some(), "{terms}");
        }
    }
}

/// Plays by choices that were made before.
struct Planted {
    material: Material,
    choices: Vec<Vec<(u8, u8)>>,
}

impl Policy for Planted {
    fn name(&self) -> String {
        "planted".into()
    }

    fn material(&self) -> Material {
        self.material
    }

    fn symmetries(&self) -> Group {
        Group::Identity
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.choices(position).first().copied()
    }

    fn choices(&self, position: &Position) -> MoveList {
        let choices = &self.choices[reference_rules::number_of(position) as usize];
        choices.iter().copied().map(mv).collect()
    }
}

/// The squares that Black's king could reach if a man that is not guarded were a wall.
fn walled_room(board: &Board) -> i32 {
    let king = board.king(false);
    let without = board.occupied() & !(1 << king);
    let white = board.men.iter().filter(|man| man.white);
    let closed = white.fold(without, |all, man| all | man.attacks(without));
    let mut reached = vec![king];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        let open = (0..64).filter(|at| closed & 1 << at == 0 && king_moves(from, *at) == 1);
        let more: Vec<u8> = open.filter(|at| !reached.contains(at)).collect();
        reached.extend(more);
        next += 1;
    }
    reached.len() as i32 - 1
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_room_with_unguarded_men_as_walls_is_refuted() {
    let (endgame, whole) = (rook(), WholeBoard::new("KRvK"));
    let room = measure(material("KRvK"), "1 kRoom", 3, Goal::AnyMove);
    let forced = whole.forced_by(&PlainMeasure::read(&room.to_json()), walled_room);
    let choices = choose_plainly(&endgame, &whole, &forced);
    let planted = Planted { material: material("KRvK"), choices };
    let proof = check_numbers(&endgame, &planted);
    assert!(proof.won < proof.winnable);
    // Up to symmetry, by a program that knows nothing of this one.
    let plain = prove_plainly(&endgame, &planted);
    let is_won = |position: &Position| {
        plain.mated_in[reference_rules::number_of(position) as usize].is_some()
    };
    let positions = endgame.table.canonical_positions(Side::Strong).map(|(position, _)| position);
    assert_eq!(positions.filter(is_won).count(), 2_337);
}

/// Of the moves that a measure leaves tied, the one that mates soonest alone would win more. The proof finds the
/// others.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_proof_plays_the_ties_that_another_player_would_hide() {
    let room = MeasurePolicy::new(measure(material("KRvK"), "1 kRoom", 2, Goal::AnyMove)).unwrap();
    let soonest = |position: &Position| {
        let moves = |&mv: &Move| {
            let after = position.play(mv).expect("a legal move");
            ROOK_SOLVED.weak[reference_rules::number_of(&after) as usize].unwrap_or(u16::MAX)
        };
        room.choices(position).into_iter().min_by_key(moves)
    };
    let hiding =
        FnPolicy { material: material("KRvK"), symmetries: Group::Identity, choose: soonest };
    let [hidden, whole] =
        [&hiding as &dyn Policy, &room].map(|policy| prove(policy, rook().table).unwrap());
    assert!(whole.won < hidden.won, "{} and {}", whole.won, hidden.won);
    let refutation = whole.refutation.expect("it does not win");
    replay(&room, &refutation);
    let mut position = refutation.start;
    let mut plays_a_hidden_tie = false;
    for (number, &mv) in refutation.line.iter().enumerate() {
        plays_a_hidden_tie |= number % 2 == 0 && soonest(&position) != Some(mv);
        position = position.play(mv).expect("a legal move");
    }
    assert!(plays_a_hidden_tie, "{:?}", refutation.line);
}

#[test]
#[ignore = "slow: a proof and a search for a line in an endgame of four men"]
fn a_measure_of_the_wrong_corner_is_refuted() {
    let terms = "-5000 KBeside, 1 kRoomEdgeSteps, 30 kBWrongCornerSteps";
    let wrong = measure(material("KBNvK"), terms, 3, Goal::AnyMove);
    let policy = MeasurePolicy::new(wrong).unwrap();
    let proof = prove(&policy, &Tablebase::solve(material("KBNvK"))).unwrap();
    assert!(proof.won < proof.winnable / 10, "{}", proof.won);
    replay(&policy, &proof.refutation.expect("it does not win"));
}

/// Compares the search with what is forced everywhere, in some positions.
fn compare_search(measure: Measure, step: usize) {
    let policy = MeasurePolicy::new(measure).unwrap();
    policy.prepare_everywhere(&NoObserver).unwrap();
    let (mut search, material) = (search(&policy), Policy::material(&policy));
    let index = Index::new(material, Group::new(material));
    for position in (0..index.len()).step_by(step).filter_map(|at| index.position(at, Side::Strong))
    {
        let SafeMoves::Safe(moves) = SafeMoves::new(&position) else { continue };
        let found = search.search(moves);
        for (_, after) in &found.moves {
            assert_eq!(search.forced_after(after), policy.forced_after(after), "{after}");
        }
        assert_eq!(Decision::Compared(found), policy.decide(&position), "{position}");
    }
}

/// A policy first searches single positions, and then works out all of them.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_policy_chooses_by_searches_as_it_does_from_all_positions() {
    for (name, terms, secure) in
        [("KRvK", "-9 KBeside, 1 kRoom", 2), ("KBNvK", "-5000 KBeside, 1 kRoomCornerSquare", 0)]
    {
        let measure = measure(material(name), terms, 3, Goal::LaterMove);
        let horizon = Horizon { secure, ..measure.horizon() };
        let measure = measure.with_horizon(horizon).unwrap();
        let everywhere = MeasurePolicy::from_checked(measure.clone()).unwrap();
        everywhere.prepare_everywhere(&NoObserver).unwrap();
        let index = Index::new(material(name), Group::Square);
        for at in (0..index.len()).step_by(index.len() / 12) {
            let Some(position) = index.position(at, Side::Strong) else { continue };
            let searching = MeasurePolicy::from_checked(measure.clone()).unwrap();
            assert_eq!(searching.decide(&position), everywhere.decide(&position), "{position}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_search_finds_the_score_of_every_safe_move() {
    let of = |name: &str, terms: &str, look, goal| measure(material(name), terms, look, goal);
    compare_search(of("KQvK", "1 kRoom, 1 KkSteps", 3, Goal::AnyMove), 211);
    // A search that looks far ahead meets positions again below themselves.
    compare_search(of("KQvK", "1 kRoomCornerSum", 10, Goal::AnyMove), 211);
    compare_search(of("KRvK", "1 kRoomCornerSum", 10, Goal::AnyMove), 211);
    compare_search(of("KBBvK", "1 kRoomCornerSum", 2, Goal::LaterMove), 100_003);
    compare_search(of("KBBvK", "-5 BSumBeside, 1 kCageCornerEdgeSum", 3, Goal::AnyMove), 200_003);
    compare_search(of("KBNvK", "-100 KBeside, 1 kRoom", 2, Goal::AnyMove), 200_003);
    compare_search(of("KPvK", "4 PPromotionSteps, -1 kPSteps", 3, Goal::AnyMove), 501);
}
