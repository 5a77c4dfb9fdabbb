//! Tablebases: published counts, a plain solver on the full board, a plain forward search, and the
//! forward check.

use lucena_base::progress::{NoObserver, Observer, Progress};
use lucena_chess::symmetry::Group;
use lucena_chess::{Board, Color, Material, Position, Side};
use lucena_tablebase::{
    Counts, Index, Outcome, TableFolder, Tablebase, UnknownMaterial, Wdl, moves_in,
};
use lucena_test_support::cases::cases;
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{Game, Solution};
use lucena_test_support::tables::{FIVE_MEN, FOUR_MEN, KPVK, KQVK, KRVK, is_long, material, solve};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;

fn side(name: &str) -> Side {
    match name {
        "strong" => Side::Strong,
        "weak" => Side::Weak,
        other => panic!("{other} is no side"),
    }
}

fn table(name: &str) -> &'static Tablebase {
    match name {
        "KRvK" => &KRVK,
        "KQvK" => &KQVK,
        other => panic!("{other} is not solved here"),
    }
}

#[test]
fn histograms_are_as_published() {
    for [name, turn, histogram] in cases("histograms.csv") {
        let mut expected = Counts::default();
        for entry in histogram.split_whitespace() {
            let (plies, positions) = entry.split_once(':').expect("plies:positions");
            let positions: u64 = positions.parse().expect("a count");
            match plies.parse::<u16>() {
                Err(_) => expected.drawn += positions,
                Ok(plies) => {
                    expected.histogram.insert(plies, positions);
                    if plies % 2 == 1 {
                        expected.won += positions;
                    } else {
                        expected.lost += positions;
                        expected.lost_histogram.insert(plies, positions);
                    }
                }
            }
        }
        let counts = table(&name).counts(side(&turn), Group::Identity);
        assert_eq!(counts, expected, "{name}, {turn} to move");
        assert_eq!(counts.legal(), expected.won + expected.drawn + expected.lost);
    }
}

#[test]
fn classes_up_to_symmetry_are_krkopts() {
    let counts = KRVK.counts(Side::Weak, Group::Square);
    let mut rows = 0;
    for (moves, [class, positions]) in (-1_i32..).zip(cases("krkopt_classes.csv")) {
        let positions: u64 = positions.parse().expect("a count");
        rows += positions;
        match u16::try_from(moves) {
            Err(_) => assert_eq!(counts.drawn, positions, "{class}"),
            Ok(moves) => assert_eq!(counts.histogram[&(2 * moves)], positions, "{class}"),
        }
    }
    assert_eq!(rows, 28_056);
    assert_eq!((counts.won, counts.legal()), (0, rows));
    assert_eq!(counts.histogram.len(), 17);
    let white = KRVK.counts(Side::Strong, Group::Square);
    assert_eq!((white.won, white.drawn, white.lost), (21_959, 0, 0));
}

#[test]
fn longest_mates_are_the_known_ones() {
    // Sixteen, ten and twenty-eight moves of the strong side, Black to move.
    let longest = [&*KRVK, &*KQVK, &*KPVK].map(Tablebase::longest);
    assert_eq!(longest, [Some(32), Some(20), Some(56)]);
    let bare = solve("KvK");
    assert_eq!(bare.longest(), None);
    for turn in Side::ALL {
        let counts = bare.counts(turn, Group::Square);
        assert_eq!((counts.drawn, counts.legal()), (462, 462), "pairs of kings");
        assert_eq!(bare.counts(turn, Group::Identity).legal(), 3_612);
    }
}

fn check_against_plain(table: &Tablebase, game: &Game, solution: &Solution) {
    for turn in Side::ALL {
        for at in game.legal(turn) {
            let position =
                reference_rules::position(table.material(), turn, at).expect("a legal position");
            let expected = match turn {
                Side::Strong => solution.strong[at as usize].map_or(Outcome::Draw, Outcome::Win),
                Side::Weak => solution.weak[at as usize].map_or(Outcome::Draw, Outcome::Loss),
            };
            assert_eq!(table.probe(&position), Ok(expected), "{position}");
            let black = position.with_colors_exchanged();
            assert_eq!(table.probe(&black), Ok(expected), "{black}");
        }
    }
}

#[test]
fn a_plain_solver_agrees_on_every_rook_ending() {
    check_against_plain(&KRVK, &reference_rules::ROOK, &reference_rules::ROOK_SOLVED);
}

#[test]
fn a_plain_solver_agrees_on_every_queen_ending() {
    check_against_plain(&KQVK, &reference_rules::QUEEN, &reference_rules::QUEEN_SOLVED);
}

#[test]
fn a_plain_solver_agrees_on_every_pawn_ending() {
    check_against_plain(&KPVK, &reference_rules::PAWN, &reference_rules::PAWN_SOLVED);
}

/// Mutual zugzwangs: with White to move a draw, with Black to move a loss.
#[test]
fn mutual_zugzwangs_of_king_and_pawn() {
    let (strong, weak) = (&reference_rules::PAWN_SOLVED.strong, &reference_rules::PAWN_SOLVED.weak);
    let is_zugzwang = |&at: &u32| strong[at as usize].is_none() && weak[at as usize].is_some();
    let expected: BTreeSet<u32> =
        reference_rules::PAWN.legal(Side::Strong).filter(is_zugzwang).collect();
    // Known from bitbases: 80 up to reflection.
    assert_eq!(expected.len(), 2 * 80);
    for at in reference_rules::PAWN.legal(Side::Strong) {
        let [white, black] = Side::ALL
            .map(|turn| reference_rules::position(KPVK.material(), turn, at).expect("legal"));
        let outcomes = [KPVK.probe(&white), KPVK.probe(&black)].map(Result::unwrap);
        let is_zugzwang = outcomes[0] == Outcome::Draw && outcomes[1].wdl() == Wdl::Loss;
        assert_eq!(is_zugzwang, expected.contains(&at), "{white}");
    }
}

#[test]
fn canonical_positions_are_all_there_are() {
    for (turn, orbits) in [(Side::Strong, 21_959), (Side::Weak, 28_056)] {
        let mut count = 0;
        for (position, outcome) in KRVK.canonical_positions(turn) {
            assert_eq!(position.turn(), turn);
            assert_eq!(KRVK.probe(&position), Ok(outcome));
            count += 1;
        }
        assert_eq!(count, orbits);
    }
}

#[test]
fn verify_checks_every_entry() {
    // The bare kings, 462 pairs with either side to move, are included.
    assert_eq!(KRVK.verify(&NoObserver), Ok(Ok(28_056 + 21_959 + 2 * 462)));
    let queen = |turn| KQVK.counts(turn, Group::Square).legal();
    assert_eq!(KQVK.verify(&NoObserver), Ok(Ok(queen(Side::Strong) + queen(Side::Weak) + 2 * 462)));
}

#[test]
fn moves_are_probed_best_first() {
    /// The rank of an outcome after a move; lower is better for the side that moved: mates, the quickest
    /// first; draws; being mated, the slowest first.
    fn rank(after: Outcome) -> (u8, i32) {
        match after {
            Outcome::Loss(plies) => (0, plies.into()),
            Outcome::Draw => (1, 0),
            Outcome::Win(plies) => (2, -i32::from(plies)),
        }
    }
    for (table, turn) in [(&KRVK, Side::Strong), (&KRVK, Side::Weak), (&KPVK, Side::Strong)] {
        for (position, outcome) in table.canonical_positions(turn) {
            let moves = table.probe_moves(&position).expect("a position of the table");
            let all = position.moves();
            assert_eq!(moves.len(), all.len(), "{position}");
            let place = |mv| all.iter().position(|&other| other == mv).expect("a legal move");
            for pair in moves.windows(2) {
                let key = |(mv, _, after): (lucena_chess::Move, Position, Outcome)| {
                    (rank(after), place(mv))
                };
                assert!(key(pair[0]) < key(pair[1]), "{position}: {pair:?}");
            }
            for &(mv, position_after, after) in &moves {
                assert_eq!(position.play(mv), Ok(position_after));
                assert_eq!(table.probe(&position_after), Ok(after));
            }
            match (moves.first(), outcome) {
                (Some(&(.., Outcome::Loss(plies))), outcome) => {
                    assert_eq!(outcome, Outcome::Win(plies + 1));
                }
                (Some(&(.., Outcome::Draw)), outcome) => assert_eq!(outcome, Outcome::Draw),
                (Some(&(.., Outcome::Win(plies))), outcome) => {
                    assert_eq!(outcome, Outcome::Loss(plies + 1));
                }
                (None, outcome) => {
                    let mated = position.is_checkmate();
                    assert_eq!(outcome, if mated { Outcome::Loss(0) } else { Outcome::Draw });
                }
            }
        }
    }
}

#[test]
fn outcomes_are_ordered_as_a_player_wishes() {
    let worst_first = [
        Outcome::Loss(0),
        Outcome::Loss(2),
        Outcome::Loss(32),
        Outcome::Draw,
        Outcome::Win(31),
        Outcome::Win(3),
        Outcome::Win(1),
    ];
    for (place, one) in worst_first.iter().enumerate() {
        for (other_place, other) in worst_first.iter().enumerate() {
            assert_eq!(one.cmp(other), place.cmp(&other_place), "{one:?}, {other:?}");
        }
    }
    let wdl: Vec<Wdl> = worst_first.iter().map(|outcome| outcome.wdl()).collect();
    let [lost, drawn, won] = [Wdl::Loss, Wdl::Draw, Wdl::Win];
    assert_eq!(wdl, [lost, lost, lost, drawn, won, won, won]);
    let said: Vec<String> = worst_first.iter().map(ToString::to_string).collect();
    let expected =
        ["checkmate", "mated in 1", "mated in 16", "draw", "mate in 16", "mate in 2", "mate in 1"];
    assert_eq!(said, expected);
}

#[test]
fn what_a_table_does_not_hold_it_does_not_answer() {
    let queen: Position = "8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap();
    let unknown = UnknownMaterial { material: material("KQvK"), table: material("KRvK") };
    assert_eq!(KRVK.probe(&queen), Err(unknown.clone().into()));
    assert_eq!(KRVK.probe_moves(&queen), Err(unknown.into()));
    // The endgame after the capture is in the table.
    let bare: Position = "8/8/8/8/8/2k5/8/K7 b - - 0 1".parse().unwrap();
    assert_eq!(KRVK.probe(&bare), Ok(Outcome::Draw));
}

/// The longest mate in moves that the side to move gives.
fn longest_mate(counts: &Counts) -> Option<u16> {
    let wins = counts.histogram.keys().filter(|&plies| plies % 2 == 1);
    wins.max().map(|plies| plies.div_ceil(2))
}

/// Compares a table with the known figures of its material, and returns their number.
fn check_known(table: &Tablebase) -> usize {
    let name = table.material().to_string();
    let all = cases("endgames.csv");
    let [_, strong, weak, moves] =
        all.iter().find(|case| case[0] == name).expect("a case of every material");
    let counts = Side::ALL.map(|turn| table.counts(turn, Group::new(table.material())));
    let text = |counts: &Counts| format!("{} {} {}", counts.won, counts.drawn, counts.lost);
    let longest = longest_mate(&counts[0]).map_or("none".into(), |moves| moves.to_string());
    let found = [text(&counts[0]), text(&counts[1]), longest];
    // The code of `lucena emit-engine` leaves the fifty-move rule out for this reason; it has no KPvKP.
    let plies = counts.iter().flat_map(|counts| counts.histogram.keys()).max().copied();
    assert!(name == "KPvKP" || plies.unwrap_or(0) <= 85, "{name}: {plies:?} plies");
    let mut known = 0;
    for (expected, found) in [strong, weak, moves].into_iter().zip(found) {
        if expected != "-" {
            assert_eq!(found, *expected, "{name}");
            known += 1;
        }
    }
    known
}

#[test]
fn three_men_are_as_known() {
    for material in Material::of_men(3) {
        let table = Tablebase::solve(material);
        assert!(check_known(&table) > 0, "{material}");
        check_searched(&table, 3, 40);
        check_verified(&table);
    }
}

/// The forward check covers every position.
fn check_verified(table: &Tablebase) {
    let positions = Side::ALL.map(|turn| table.canonical_positions(turn).count() as u64);
    let verified = table.verify_own(&NoObserver).unwrap().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verified, positions[0] + positions[1], "{}", table.material());
}

fn after_moves(board: &Board) -> Vec<Board> {
    let mut boards = Vec::new();
    board.generate_moves(|moves| {
        boards.extend(moves.into_iter().map(|mv| {
            let mut after = board.clone();
            after.play_unchecked(mv);
            after
        }));
        false
    });
    boards
}

/// The fewest plies, up to a limit, in which the side to move mates, by exhaustive search.
fn mates_in(board: &Board, plies: u16) -> Option<u16> {
    if plies == 0 {
        return None;
    }
    let mated = |after: &Board| mated_in(after, plies - 1);
    after_moves(board).iter().filter_map(mated).min().map(|plies| plies + 1)
}

/// The most plies, up to a limit, after which the side to move is mated, by exhaustive search.
fn mated_in(board: &Board, plies: u16) -> Option<u16> {
    let replies = after_moves(board);
    if replies.is_empty() {
        return (!board.checkers().is_empty()).then_some(0);
    }
    if plies < 2 {
        return None;
    }
    let mut slowest = 0;
    for after in &replies {
        slowest = slowest.max(mates_in(after, plies - 1)? + 1);
    }
    Some(slowest)
}

/// The outcome of a position within a number of plies, by cozy-chess's moves.
fn searched(position: &Position, plies: u16) -> Option<Outcome> {
    let board: Board = position.to_string().parse().expect("a board");
    let win = mates_in(&board, plies).map(Outcome::Win);
    win.or_else(|| mated_in(&board, plies).map(Outcome::Loss))
}

fn check_search(table: &Tablebase, position: &Position, plies: u16) {
    let outcome = table.probe(position).expect("a position of the table");
    let is_near = outcome.plies().is_some_and(|mate| mate <= plies);
    assert_eq!(searched(position, plies), is_near.then_some(outcome), "{position}");
}

/// Compares a sample of the positions, and of those with a mate near by, with a search of this depth. With
/// the colours exchanged the answer is the same.
fn check_searched(table: &Tablebase, plies: u16, sample: usize) {
    for turn in Side::ALL {
        let all: Vec<(Position, Outcome)> = table.canonical_positions(turn).collect();
        let is_near = |outcome: Outcome| outcome.plies().is_some_and(|mate| mate <= plies);
        let near: Vec<_> = all.iter().filter(|position| is_near(position.1)).collect();
        let any = all.iter().step_by(all.len() / sample + 1);
        let near = near.iter().step_by(near.len() / sample + 1).copied();
        let positions: Vec<_> = any.chain(near).collect();
        assert!(positions.len() > sample / 2);
        positions.into_par_iter().for_each(|(position, outcome)| {
            check_search(table, position, plies);
            let exchanged = position.with_colors_exchanged();
            assert_eq!(exchanged.strong(), Color::Black);
            assert_eq!(table.probe(&exchanged), Ok(*outcome), "{exchanged}");
        });
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn one_endgame_of_four_men() {
    let table = solve("KNNvK");
    assert_eq!(check_known(&table), 1);
    check_searched(&table, 2, 100);
    check_verified(&table);
}

/// A position whose outcome is known from books or other tablebases.
fn check_outcome(table: &Tablebase, [fen, expected, moves]: &[String; 3]) {
    let position: Position = fen.parse().unwrap_or_else(|error| panic!("{error}"));
    let outcome = table.probe(&position).expect("a position of the table");
    let found = match (expected.contains(' '), outcome) {
        // In moves, as published.
        (true, Outcome::Win(plies)) => format!("win {}", plies.div_ceil(2)),
        (true, Outcome::Loss(plies)) => format!("loss {}", plies / 2),
        (_, outcome) => format!("{:?}", outcome.wdl()).to_lowercase(),
    };
    assert_eq!(found, *expected, "{fen}");
    let moves_and_outcomes = table.probe_moves(&position).expect("a position of the table");
    let keeping: BTreeSet<String> = moves_and_outcomes
        .into_iter()
        .filter(|(.., after)| after.before_move().wdl() == outcome.wdl())
        .map(|(mv, ..)| position.san(mv).expect("a legal move"))
        .collect();
    if !moves.is_empty() {
        assert_eq!(keeping, moves.split(' ').map(Into::into).collect(), "{fen}");
    }
}

/// The material of a case.
fn material_of(case: &[String; 3]) -> Material {
    case[0].parse::<Position>().unwrap_or_else(|error| panic!("{error}")).material()
}

#[test]
fn positions_of_king_and_pawn_end_as_in_books() {
    let cases = cases("outcomes.csv");
    let own: Vec<_> = cases.iter().filter(|case| material_of(case) == KPVK.material()).collect();
    assert!(own.len() > 5);
    own.into_iter().for_each(|case| check_outcome(&KPVK, case));
}

/// If an en passant capture is possible, the outcome is that of the best move, and a search agrees.
fn check_en_passant(table: &Tablebase) {
    let passings = reference_rules::all_double_steps();
    let mut changed = 0;
    for (before, after) in &passings {
        let [before, position]: [Position; 2] =
            [before, after].map(|board| board.fen().parse().expect("a legal position"));
        let outcome = table.probe(&position).expect("a position of the table");
        let moves = position.moves();
        let best = moves.iter().map(|&mv| {
            let after = position.play(mv).expect("a legal move");
            table.probe(&after).expect("a position of the table").before_move()
        });
        assert_eq!(best.max(), Some(outcome), "{position}");
        let board = reference_rules::Board { passed: None, ..after.clone() };
        let without: Position = board.fen().parse().expect("a legal position");
        changed += usize::from(table.probe(&without) != Ok(outcome));
        // The double step is an ordinary move.
        let reached = table.probe(&before).expect("a position of the table");
        assert!(reached >= outcome.before_move(), "{before}");
    }
    assert!(changed > 1_000, "the right decides in {changed} of {}", passings.len());
    let sample: Vec<_> = passings.iter().step_by(23).collect();
    sample.into_par_iter().for_each(|(before, after)| {
        for board in [before, after] {
            check_search(table, &board.fen().parse().expect("a legal position"), 4);
        }
    });
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn endgames_of_five_men() {
    let wanted = if is_long() { usize::MAX } else { 1 };
    let known: Vec<[String; 2]> = cases("five_men.csv").into_iter().take(wanted).collect();
    for [name, moves] in known {
        let table = five_men(&name);
        let wins = |turn| table.counts(turn, Group::Identity).histogram.into_keys();
        let longest = wins(Side::Strong).filter(|plies| plies % 2 == 1).max();
        assert_eq!(longest.map(|plies| moves_in(plies).to_string()), Some(moves), "{name}");
        assert_eq!(table.verify_own(&NoObserver).expect("nobody stops it").err(), None, "{name}");
        for turn in Side::ALL {
            let index = Index::new(table.material(), Group::new(table.material()));
            for (number, _) in table.canonical_outcomes(turn).step_by(20_011) {
                let position = index.position(number, turn).expect("it has an outcome");
                check_search(&table, &position, 3);
            }
        }
        if name == "KPPvKP" {
            check_passings_of_five_men(&table);
        }
    }
}

/// Solving a large endgame reports the number of undecided positions: fewer after each ply, and only draws at
/// the end. Positions that are their own mirror images count half.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn what_is_left_of_five_men_is_told() {
    struct Listener(Mutex<Vec<String>>);
    impl Observer for Listener {
        fn report(&self, progress: Progress<'_>) {
            if progress.what.contains(": ply ") {
                self.0.lock().unwrap().push(progress.what.into());
            }
        }

        fn warn(&self, warning: &str) {
            panic!("{warning}");
        }

        fn is_stopped(&self) -> bool {
            false
        }
    }

    let listener = Listener(Mutex::default());
    let folder = TableFolder::in_memory();
    let table = folder.tablebase(material("KNNvKN"), &listener).expect("nobody stops it");
    let outcomes = |turn| table.canonical_outcomes(turn).map(|(_, outcome)| outcome);
    let drawn =
        Side::ALL.map(|turn| outcomes(turn).filter(|&outcome| outcome == Outcome::Draw).count());
    let drawn = drawn.iter().sum::<usize>() as u64;
    // KNNvK, KNvKN, KNvK and KvKN lead to no other endgame.
    let undecided = |told: &String| -> u64 {
        let (place, ply) = told.split_once(": ply ").expect("a ply");
        assert_eq!(place, "5 of 5, KNNvKN");
        let (_, left) = ply.split_once(", ").expect("what is left");
        let number = left.strip_suffix(" positions undecided").expect("positions");
        number.replace(',', "").parse().expect("a number")
    };
    let left: Vec<u64> = listener.0.into_inner().unwrap().iter().map(undecided).collect();
    assert!(left.len() > 10 && left.is_sorted_by(|before, after| before >= after), "{left:?}");
    assert!(left[0] > left[left.len() - 1]);
    let halved = drawn - left[left.len() - 1];
    assert!(halved < drawn / 500, "{halved} of {drawn}");
}

fn five_men(name: &str) -> Tablebase {
    FIVE_MEN.tablebase(material(name), &NoObserver).expect("nobody stops it")
}

#[test]
fn the_cases_of_five_men_can_be_taken_in_passing() {
    for [fen, _, _, _, _] in cases("passings_of_five_men.csv") {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{error}"));
        assert!(position.en_passant().is_some(), "{fen}: nobody can take");
        assert_eq!(position.material(), material("KPPvKP"), "{fen}");
    }
}

/// A table does not store the en passant right: its effect is computed when a position is probed.
fn check_passings_of_five_men(table: &Tablebase) {
    let check = |position: &Position, expected: &str, most: &str| {
        let outcome = table.probe(position).expect("a position of the table");
        assert_eq!(format!("{:?}", outcome.wdl()).to_lowercase(), expected, "{position}");
        let most = most.parse::<u16>().ok();
        assert!(outcome.moves().is_none_or(|moves| Some(moves) <= most), "{position}: {outcome}");
        let moves = table.probe_moves(position).expect("a position of the table");
        let best = moves.iter().map(|(.., after)| after.before_move()).max();
        assert_eq!(best, Some(outcome), "{position}");
        check_search(table, position, 5);
    };
    for [fen, outcome, most, without, most_without] in cases("passings_of_five_men.csv") {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{error}"));
        for position in [position, position.with_colors_exchanged()] {
            check(&position, &outcome, &most);
        }
        let words: Vec<&str> = fen.split(' ').collect();
        let without_right = format!("{} {} - - 0 1", words[0], words[1]);
        check(&without_right.parse().expect("a legal position"), &without, &most_without);
    }
}

/// The table of a material, solved once for all tests.
fn four_men(material: Material) -> Tablebase {
    FOUR_MEN.tablebase(material, &NoObserver).expect("nobody stops it")
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_endgame_of_three_and_four_men() {
    let (mut known, mut longest) = (0, None);
    for material in [Material::of_men(3), Material::of_men(4)].concat() {
        let table = four_men(material);
        known += check_known(&table);
        check_verified(&table);
        check_searched(&table, 4, 200);
        longest = longest.max(table.longest().map(|plies| (plies, material.to_string())));
    }
    assert!(known > 35, "{known} known figures");
    // Conrady 2000, from Nalimov's tables: the pawn wins.
    assert_eq!(longest, Some((85, "KRvKP".into())));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn positions_of_four_men_end_as_in_books() {
    for case in cases("outcomes.csv") {
        check_outcome(&four_men(material_of(&case)), &case);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn pawns_that_can_be_taken_in_passing() {
    check_en_passant(&four_men(material("KPvKP")));
}

/// Equal men are counted as if they were distinct, on the full board and up to symmetry: a bare king
/// to move may face any three men of the other side.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn equal_men_are_counted_in_either_order() {
    let table = four_men(material("KBBvK"));
    assert_eq!(table.counts(Side::Weak, Group::Square).legal(), 703_510 + 1_004_378);
    assert_eq!(table.counts(Side::Weak, Group::Identity).legal(), 3_612 * 62 * 61);
}
