//! The symmetries of the board: a group that preserves distances, published counts of orbits, and
//! krkopt's three rules for the representative, implemented independently.

use lucena_chess::symmetry::{Group, Symmetry};
use lucena_chess::{Position, Side, Square};
use lucena_test_support::cases::random;
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{Game, PAWN, PAWN_SOLVED, QUEEN, ROOK, Solution};
use lucena_test_support::tables::{KPVK, KQVK, KRVK, material};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn images(symmetry: Symmetry) -> Vec<Square> {
    Square::ALL.into_iter().map(|square| symmetry.apply(square)).collect()
}

#[test]
fn the_eight_symmetries_are_a_group() {
    let all: Vec<Vec<Square>> = Symmetry::ALL.into_iter().map(images).collect();
    let distinct: BTreeSet<&Vec<Square>> = all.iter().collect();
    assert_eq!(distinct.len(), 8);
    assert_eq!(images(Symmetry::IDENTITY), Square::ALL);
    for one in Symmetry::ALL {
        for other in Symmetry::ALL {
            let both: Vec<Square> =
                Square::ALL.into_iter().map(|square| other.apply(one.apply(square))).collect();
            assert!(all.contains(&both), "{one:?} then {other:?}");
            let undoes = both == Square::ALL;
            assert_eq!(one.inverse() == other, undoes, "{one:?} then {other:?}");
        }
    }
}

#[test]
fn symmetries_keep_distances() {
    let squared = |one: Square, other: Square| {
        let across = one.file() as i32 - other.file() as i32;
        let up = one.rank() as i32 - other.rank() as i32;
        across * across + up * up
    };
    for symmetry in Symmetry::ALL {
        for one in Square::ALL {
            for other in Square::ALL {
                let (one_image, other_image) = (symmetry.apply(one), symmetry.apply(other));
                assert_eq!(squared(one, other), squared(one_image, other_image));
            }
        }
    }
}

#[test]
fn groups_hold_what_their_names_say() {
    assert_eq!(Group::Identity.symmetries(), [Symmetry::IDENTITY]);
    assert_eq!(Group::Square.symmetries(), Symmetry::ALL);
    let mirror: Vec<Square> =
        Group::Mirror.symmetries().iter().map(|symmetry| symmetry.apply(Square::B3)).collect();
    assert_eq!(mirror, [Square::B3, Square::G3]);
    assert_eq!(Group::new(material("KRvKN")), Group::Square);
    assert_eq!(Group::new(material("KPvK")), Group::Mirror);
}

/// krkopt's rules, for strong king, man and weak king.
fn is_representative([king, man, weak]: [u8; 3], rules: usize) -> bool {
    let diagonal = |square: u8| reference_rules::file(square) == reference_rules::rank(square);
    let not_above = |square: u8| reference_rules::rank(square) <= reference_rules::file(square);
    // a1 b1 c1 d1 b2 c2 d2 c3 d3 d4
    let first = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27].contains(&king);
    let second = !diagonal(king) || not_above(weak);
    let third = !(diagonal(king) && diagonal(weak)) || not_above(man);
    [first, second, third][..rules].iter().all(|&rule| rule)
}

/// The squares of strong king, man and weak king.
fn squares_of(position: &Position) -> [u8; 3] {
    reference_rules::squares(reference_rules::number_of(position))
}

fn check_orbits(game: &Game, name: &str, turn: Side, legal: u64, orbits: u64) {
    let endgame = material(name);
    let (mut positions, mut representatives, mut sizes) = (0, 0, 0);
    for at in game.legal(turn) {
        let position = reference_rules::position(endgame, turn, at).expect("a legal position");
        let orbit = Group::Square.orbit(&position);
        let mut chosen = orbit.iter().filter(|image| is_representative(squares_of(image), 3));
        let canonical = Group::Square.canonical(&position);
        assert_eq!(chosen.next(), Some(&canonical), "the orbit of {position}");
        assert_eq!(chosen.next(), None, "the orbit of {position}");
        let symmetry = Group::Square.canonical_symmetry(&position);
        assert_eq!(symmetry.apply_to_position(&position), canonical);
        positions += 1;
        if canonical == position {
            representatives += 1;
            sizes += orbit.len() as u64;
            assert_eq!(Group::Square.orbit_len(&position), orbit.len() as u64, "{position}");
            let mirrored = Group::Mirror.orbit(&position).len() as u64;
            assert_eq!(Group::Mirror.orbit_len(&position), mirrored, "{position}");
            let distinct: BTreeSet<[u8; 3]> = orbit.iter().map(squares_of).collect();
            assert_eq!(distinct.len(), orbit.len());
            for image in &orbit {
                assert_eq!(Group::Square.canonical(image), canonical);
            }
        }
    }
    assert_eq!((positions, representatives, sizes), (legal, orbits, legal));
}

#[test]
fn rook_endings_with_black_to_move_have_28056_orbits() {
    check_orbits(&ROOK, "KRvK", Side::Weak, 223_944, 28_056);
}

#[test]
fn rook_endings_with_white_to_move_have_21959_orbits() {
    check_orbits(&ROOK, "KRvK", Side::Strong, 175_168, 21_959);
}

#[test]
fn queen_endings_with_black_to_move_have_28056_orbits() {
    check_orbits(&QUEEN, "KQvK", Side::Weak, 223_944, 28_056);
}

/// With a pawn, a position and its mirror image are one, with the strong king on the files a to d.
#[test]
fn pawn_endings_are_mirrored_from_side_to_side() {
    for turn in Side::ALL {
        for at in PAWN.legal(turn) {
            let position =
                reference_rules::position(material("KPvK"), turn, at).expect("a legal position");
            let mirrored =
                reference_rules::number(reference_rules::squares(at).map(|square| square ^ 7));
            let mirrored =
                reference_rules::position(material("KPvK"), turn, mirrored).expect("legal");
            let orbit = Group::Mirror.orbit(&position);
            assert_eq!(orbit, [position, mirrored]);
            let is_chosen = |image: &&Position| (image.king(Side::Strong) as u8) % 8 < 4;
            let chosen: Vec<&Position> = orbit.iter().filter(is_chosen).collect();
            assert_eq!(chosen, [&Group::Mirror.canonical(&position)], "{position}");
        }
    }
}

#[test]
fn the_third_rule_of_krkopt_is_needed() {
    let with = |rules| {
        let representative = |&at: &u32| is_representative(reference_rules::squares(at), rules);
        ROOK.legal(Side::Weak).filter(representative).count()
    };
    assert_eq!((with(2), with(3)), (28_644, 28_056));
}

#[test]
fn moves_move_with_the_board() {
    let endgame = material("KRvK");
    for turn in Side::ALL {
        for at in ROOK.legal(turn).step_by(7) {
            let position = reference_rules::position(endgame, turn, at).expect("a legal position");
            for symmetry in Symmetry::ALL {
                let image = symmetry.apply_to_position(&position);
                let mut moved: Vec<(u8, u8)> = position
                    .moves()
                    .into_iter()
                    .map(|mv| reference_rules::squares_of(symmetry.apply_to_move(mv)))
                    .collect();
                moved.sort_unstable();
                assert_eq!(
                    reference_rules::sorted_moves(&image),
                    moved,
                    "{symmetry:?} of {position}"
                );
            }
        }
    }
}

/// A plain solution of the full board, which knows nothing of symmetry, is constant on every orbit, and
/// so is the table's answer.
fn check_outcomes(game: &Game, solution: &Solution, table: &lucena_tablebase::Tablebase) {
    for turn in Side::ALL {
        let results = match turn {
            Side::Strong => &solution.strong,
            Side::Weak => &solution.weak,
        };
        for at in game.legal(turn).step_by(5) {
            let position =
                reference_rules::position(table.material(), turn, at).expect("a legal position");
            let outcome = table.probe(&position);
            for image in Group::new(table.material()).orbit(&position) {
                let number = reference_rules::number(squares_of(&image));
                assert_eq!(results[number as usize], results[at as usize]);
                assert_eq!(table.probe(&image), outcome);
            }
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn outcomes_stay_the_same_all_over_an_orbit() {
    check_outcomes(&ROOK, &reference_rules::ROOK_SOLVED, &KRVK);
    check_outcomes(&QUEEN, &reference_rules::QUEEN_SOLVED, &KQVK);
    check_outcomes(&PAWN, &PAWN_SOLVED, &KPVK);
}

proptest! {
    #![proptest_config(random(1000))]

    /// With four men, too, every orbit has one representative: its strong king is in the triangle and its first
    /// man off the diagonal is below it. If the kings are on the diagonal, the lesser squares of two equal men
    /// decide.
    #[test]
    fn four_men_have_one_representative(
        name in prop::sample::select(vec!["KBNvK", "KRvKN", "KQvKR", "KBBvK", "KNNvK"]),
        is_diagonal in any::<bool>(),
        squares in prop::array::uniform4(0_u8..64),
    ) {
        // Kings on the diagonal, which leave the choice to the others, are rare.
        let squares = match (is_diagonal, squares) {
            (true, [king, one, two, three]) if name.ends_with("vK") => {
                [king % 8 * 9, one, two, three % 8 * 9]
            }
            (_, squares) => squares,
        };
        let squares = squares.map(|at| Square::index(at.into()));
        let Ok(position) = Position::new(material(name), Side::Weak, &squares) else {
            return Ok(());
        };
        // Kings first, then the others in the order of the material.
        let order = |position: &Position| -> Vec<u8> {
            let men: Vec<(bool, u8)> = position
                .men()
                .map(|(piece, at)| (piece.role != lucena_chess::Role::King, at as u8))
                .collect();
            let (kings, others): (Vec<_>, Vec<_>) = men.into_iter().partition(|man| !man.0);
            kings.into_iter().chain(others).map(|man| man.1).collect()
        };
        let is_canonical = |position: &Position| {
            let squares = order(position);
            let is_off = |at: &&u8| reference_rules::file(**at) != reference_rules::rank(**at);
            let off = squares.iter().find(is_off);
            if matches!(name, "KBBvK" | "KNNvK") && !squares[..2].iter().any(|at| is_off(&at)) {
                let sorted = |mut men: [u8; 2]| {
                    men.sort_unstable();
                    men
                };
                let men = [squares[2], squares[3]];
                let images = men.map(|at| 8 * reference_rules::file(at) + reference_rules::rank(at));
                return is_representative([squares[0], 0, 0], 1) && sorted(men) <= sorted(images);
            }
            is_representative([squares[0], 0, 0], 1)
                && off.is_none_or(|&at| reference_rules::rank(at) < reference_rules::file(at))
        };
        let orbit = Group::Square.orbit(&position);
        let chosen: Vec<&Position> = orbit.iter().filter(|image| is_canonical(image)).collect();
        prop_assert_eq!(chosen, [&Group::Square.canonical(&position)]);
        for image in &orbit {
            prop_assert_eq!(Group::Square.canonical(image), Group::Square.canonical(&position));
        }
    }
}
