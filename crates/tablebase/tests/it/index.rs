//! The index: every canonical placement has one number, and every number one placement.

use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side, Square};
use lucena_tablebase::Index;
use lucena_test_support::cases::cases;
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{Game, PAWN, QUEEN, ROOK};
use lucena_test_support::tables::material;
use rayon::prelude::*;
use std::array;
use std::collections::{BTreeMap, BTreeSet};

/// From numbers to positions and back, and from every legal position of the full board to the number
/// of its representative.
fn check_three_men(game: &Game, name: &str, legal: [usize; 2], canonical: [usize; 2]) {
    let endgame = material(name);
    for (group, counts) in [(Group::Identity, legal), (Group::new(endgame), canonical)] {
        let index = Index::new(endgame, group);
        assert_eq!(index.len(), counts[Side::Weak as usize], "a bare king attacks nothing");
        assert!(!index.is_empty());
        for turn in Side::ALL {
            let mut found = 0;
            for at in 0..index.len() {
                let Some(position) = index.position(at, turn) else { continue };
                found += 1;
                assert_eq!(position.turn(), turn);
                assert_eq!(position.material(), endgame);
                assert_eq!(index.of(&position), at, "{position}");
                assert_eq!(group.canonical(&position), position);
            }
            assert_eq!(found, counts[turn as usize], "{name} {group:?} {turn:?}");
            let mut seen = vec![false; index.len()];
            for number in game.legal(turn) {
                let position =
                    reference_rules::position(endgame, turn, number).expect("a legal position");
                let at = index.of(&position);
                seen[at] = true;
                assert_eq!(index.position(at, turn), Some(group.canonical(&position)));
            }
            let seen = seen.into_iter().filter(|&seen| seen).count();
            assert_eq!(seen, counts[turn as usize], "{name} {group:?} {turn:?}");
        }
    }
}

#[test]
fn placements_are_visited_in_order_wherever_a_visit_begins() {
    for name in ["KvK", "KRvK", "KPvK", "KRRvK", "KPPvK", "KQvKR"] {
        let index = Index::new(material(name), Group::new(material(name)));
        let len = index.len();
        for numbers in [0..len.min(100_000), len / 3..len / 2, len - 1..len, len..len, 100..170] {
            let mut left = numbers.start..numbers.end.min(len);
            index.visit_placements(left.clone(), Side::Strong, |number, position| {
                assert_eq!(Some(number), left.next());
                assert_eq!(*position, index.placement(number, Side::Strong), "{name} {number}");
            });
            assert!(left.is_empty(), "{name} {numbers:?}");
        }
    }
}

#[test]
fn king_and_rook() {
    check_three_men(&ROOK, "KRvK", [175_168, 223_944], [21_959, 28_056]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn king_and_queen() {
    // Up to symmetry with White to move: by Burnside's lemma from the full board, counted here.
    let symmetric = QUEEN
        .legal(Side::Strong)
        .filter(|&at| {
            let diagonal =
                |&square: &u8| reference_rules::file(square) == reference_rules::rank(square);
            reference_rules::squares(at).iter().all(diagonal)
        })
        .count();
    // Two reflections (in the diagonals) have fixed points, the same number each; no other symmetry has any.
    let orbits = (144_508 + 2 * symmetric) / 8;
    check_three_men(&QUEEN, "KQvK", [144_508, 223_944], [orbits, 28_056]);
}

#[test]
fn king_and_pawn() {
    check_three_men(&PAWN, "KPvK", [163_328, 168_024], [163_328 / 2, 168_024 / 2]);
}

/// Two kings that are not adjacent: 3,612 pairs, 462 up to the eight symmetries, 1,806 up to that of pawns.
#[test]
fn pairs_of_kings() {
    for (name, group, pairs) in [
        ("KRvK", Group::Identity, 3_612),
        ("KRvK", Group::Square, 462),
        ("KPvK", Group::Identity, 3_612),
        ("KPvK", Group::Mirror, 1_806),
    ] {
        let index = Index::new(material(name), group);
        let kings = |at| {
            let position = index.position(at, Side::Weak).expect("a bare king attacks nothing");
            Side::ALL.map(|side| position.king(side))
        };
        let found: BTreeSet<[Square; 2]> = (0..index.len()).map(kings).collect();
        assert_eq!(found.len(), pairs, "{name} {group:?}");
    }
}

/// The squares on which a man may stand.
fn home(role: char) -> impl Iterator<Item = u8> {
    (0..64).filter(move |&at| role != 'P' || !matches!(reference_rules::rank(at), 0 | 7))
}

/// The men of a material besides the kings, and true if they are two equal ones.
fn men_and_twins(name: &str) -> (Vec<char>, bool) {
    let men: Vec<char> = name.chars().filter(|&letter| letter != 'v' && letter != 'K').collect();
    let are_twins = name.ends_with("vK") && men.len() == 2 && men[0] == men[1];
    (men, are_twins)
}

/// The shape of a material, on which the number of placements depends: for each man true if it is a pawn, and true
/// if two men are equal.
fn shape(name: &str) -> (Vec<bool>, bool) {
    let (men, are_twins) = men_and_twins(name);
    (men.into_iter().map(|role| role == 'P').collect(), are_twins)
}

/// The number of placements of a material on the full board and up to symmetry: kings not adjacent, no
/// pawn on the first or last rank, two equal men counted once. By Burnside's lemma: the mean number of
/// placements that a symmetry leaves unchanged.
fn placements(name: &str) -> [usize; 2] {
    let (men, are_twins) = men_and_twins(name);
    let turned = |at: u8| 8 * reference_rules::file(at) + reference_rules::rank(at);
    let flips = [0, 7, 56, 63];
    // The image of each square; the first symmetry is the identity.
    let symmetries: Vec<[u8; 64]> = if men.contains(&'P') {
        [0, 7].map(|flip| array::from_fn(|at| at as u8 ^ flip)).into()
    } else {
        let straight = flips.map(|flip| array::from_fn(|at| at as u8 ^ flip));
        let oblique = flips.map(|flip| array::from_fn(|at| turned(at as u8) ^ flip));
        [straight, oblique].concat()
    };
    let apart = |one: u8, other: u8| {
        let far = |of: fn(u8) -> u8| of(one).abs_diff(of(other)) > 1;
        far(reference_rules::file) || far(reference_rules::rank)
    };
    let fixed = |images: &[u8; 64]| {
        let image = |at: u8| images[usize::from(at)];
        let mut count = 0;
        for kings in (0..64 * 64).map(|pair| [(pair % 64) as u8, (pair / 64) as u8]) {
            if !apart(kings[0], kings[1]) || kings.map(image) != kings {
                continue;
            }
            let free = |role: char| home(role).filter(|at| !kings.contains(at));
            count += match *men {
                [role] => free(role).filter(|&at| image(at) == at).count(),
                [role, other] => {
                    let pairs = free(role).flat_map(|one| free(other).map(move |two| (one, two)));
                    let stays = |&(one, two): &(u8, u8)| {
                        let images = (image(one), image(two));
                        one != two && (images == (one, two) || are_twins && images == (two, one))
                    };
                    pairs.filter(stays).count() / if are_twins { 2 } else { 1 }
                }
                _ => panic!("{name} has three men or four"),
            };
        }
        count
    };
    let fixed: Vec<usize> = symmetries.iter().map(fixed).collect();
    [fixed[0], fixed.iter().sum::<usize>() / fixed.len()]
}

#[test]
fn there_are_as_many_placements_as_by_counting() {
    let mut alike: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for [name, _, _, _] in cases("endgames.csv") {
        alike.entry(shape(&name)).or_default().push(name);
    }
    let counts = alike.into_par_iter().flat_map_iter(|(_, names)| {
        let counted = placements(&names[0]);
        names.into_iter().map(move |name| (name, counted))
    });
    let counts: BTreeMap<String, [usize; 2]> = counts.collect();
    // Known: king and piece, king and pawn; two pieces as numbered in krkopt, equal ones once.
    assert_eq!(counts["KRvK"], [223_944, 28_056]);
    assert_eq!(counts["KPvK"], [168_024, 84_012]);
    assert_eq!(counts["KBNvK"], [3_612 * 62 * 61, KBNVK[Side::Weak as usize]]);
    assert_eq!(counts["KBBvK"][0], 3_612 * 62 * 61 / 2);
    for (name, [full, canonical]) in &counts {
        let endgame = material(name);
        assert_eq!(Index::new(endgame, Group::new(endgame)).len(), *canonical, "{name}");
        assert_eq!(Index::new(endgame, Group::Identity).len(), *full, "{name}");
    }
}

/// Endgames of five men with three, two or no equal men, on one side or both, with and without pawns.
const FIVE_MEN: [&str; 12] = [
    "KNNNvK", "KBBNvK", "KQRBvK", "KBBvKN", "KBNvKN", "KPPPvK", "KRPPvK", "KNNPvK", "KPPvKP",
    "KRPvKR", "KQPvKP", "KNNvKP",
];

/// Like [`placements`], for five men: equal men are counted in every order, and the total is divided by that.
fn placements_of_five(name: &str) -> usize {
    let (strong, weak) = name.split_once('v').expect("two sides");
    let men: Vec<(bool, char)> = [(true, strong), (false, weak)]
        .into_iter()
        .flat_map(|(side, men)| men.chars().skip(1).map(move |role| (side, role)))
        .collect();
    let orders: usize = men
        .iter()
        .enumerate()
        .map(|(at, man)| men[..=at].iter().filter(|other| *other == man).count())
        .product();
    let apart = |one: u8, other: u8| {
        let far = |of: fn(u8) -> u8| of(one).abs_diff(of(other)) > 1;
        far(reference_rules::file) || far(reference_rules::rank)
    };
    let all = (0..64 * 64).map(|pair| [(pair % 64) as u8, (pair / 64) as u8]);
    let kings: Vec<[u8; 2]> = all.filter(|&[one, other]| apart(one, other)).collect();
    let pawns = men.iter().filter(|man| man.1 == 'P').count();
    let placed = |kings: &[u8; 2]| -> usize {
        let free = home('P').filter(|at| !kings.contains(at)).count();
        let of_pawns: usize = (0..pawns).map(|before| free - before).product();
        of_pawns * (pawns..3).map(|before| 62 - before).product::<usize>()
    };
    let full = kings.iter().map(placed).sum::<usize>() / orders;
    if pawns > 0 {
        return full / 2; // No king is its own left-right mirror image.
    }
    let image = |at: u8| 8 * reference_rules::file(at) + reference_rules::rank(at);
    let mut fixed = 0;
    let set = |squares: &[u8]| squares.iter().fold(0_u64, |set, at| set | 1 << at);
    for kings in kings.iter().filter(|kings| kings.map(image) == **kings) {
        for number in 0..64_usize.pow(3) {
            let squares = [number % 64, number / 64 % 64, number / 4096].map(|at| at as u8);
            let occupied = set(&squares) | set(kings);
            // Few placements are on the squares of their image; only their men are compared.
            let images = squares.map(image);
            if occupied.count_ones() != 5 || set(&images) | set(kings) != occupied {
                continue;
            }
            let looks = |squares: [u8; 3]| {
                let mut looks: Vec<_> = men.iter().zip(squares).collect();
                looks.sort_unstable();
                looks
            };
            fixed += usize::from(looks(squares) == looks(images));
        }
    }
    // Two reflections, in the diagonals, leave the kings in place, the same number each.
    (full + 2 * (fixed / orders)) / 8
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn there_are_as_many_placements_of_five_men_as_by_counting() {
    FIVE_MEN.into_par_iter().for_each(|name| {
        let endgame = material(name);
        let counted = placements_of_five(name);
        assert_eq!(Index::new(endgame, Group::new(endgame)).len(), counted, "{name}");
    });
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn five_men_are_numbered() {
    FIVE_MEN.into_par_iter().for_each(|name| check_numbers(name, 199_999));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn five_men_are_numbered_closely() {
    FIVE_MEN.into_par_iter().for_each(|name| check_numbers(name, 9_973));
}

/// From numbers to positions and back, for every n-th number; and from arbitrary squares to the number
/// of their representative.
fn check_numbers(name: &str, every: usize) {
    let endgame = material(name);
    let group = Group::new(endgame);
    let index = Index::new(endgame, group);
    let mut found = 0;
    for at in (0..index.len()).step_by(every) {
        for position in Side::ALL.into_iter().filter_map(|turn| index.position(at, turn)) {
            found += 1;
            assert_eq!(position.material(), endgame);
            assert_eq!(index.of(&position), at, "{position}");
            assert_eq!(group.canonical(&position), position);
            let exchanged = position.with_colors_exchanged();
            assert_eq!(index.of(&exchanged), at, "{exchanged}");
            for image in group.orbit(&position) {
                assert_eq!(index.of(&image), at, "{image}");
            }
        }
    }
    assert!(found > index.len() / every, "{name}: {found} positions");
    for number in (0..1_usize << (6 * endgame.men())).step_by(1_009 * every.div_ceil(1_000)) {
        let squares: Vec<Square> =
            (0..endgame.men()).map(|man| Square::index(number >> (6 * man) & 63)).collect();
        let turn = if number % 2 == 0 { Side::Strong } else { Side::Weak };
        let Ok(position) = Position::new(endgame, turn, &squares) else { continue };
        let at = index.of(&position);
        assert_eq!(index.position(at, turn), Some(group.canonical(&position)), "{position}");
    }
}

#[test]
fn every_material_is_numbered() {
    let all = cases("endgames.csv").into_par_iter();
    all.for_each(|[name, _, _, _]: [String; 4]| check_numbers(&name, 997));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_material_is_numbered_throughout() {
    let all = cases("endgames.csv").into_par_iter();
    all.for_each(|[name, _, _, _]: [String; 4]| check_numbers(&name, 1));
}

/// Orbits of king, bishop and knight against king with each side to move: published counts of won,
/// drawn and lost positions, added up.
const KBNVK: [usize; 2] = [1_352_913 + 6_665, 1_398_741 + 309_147];

#[test]
fn king_bishop_and_knight_up_to_symmetry() {
    let endgame = material("KBNvK");
    let index = Index::new(endgame, Group::Square);
    for turn in Side::ALL {
        let mut found = 0;
        for at in 0..index.len() {
            let Some(position) = index.position(at, turn) else { continue };
            found += 1;
            assert_eq!(index.of(&position), at, "{position}");
            // All symmetries of some of the positions, and not just one symmetry.
            if at % 64 == 0 {
                for image in Group::Square.orbit(&position) {
                    assert_eq!(index.of(&image), at, "{image}");
                }
            }
        }
        assert_eq!(found, KBNVK[turn as usize], "{turn:?}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn king_bishop_and_knight_on_the_full_board() {
    let endgame = material("KBNvK");
    let index = Index::new(endgame, Group::Identity);
    // 3,612 pairs of kings, then any of the remaining squares.
    assert_eq!(index.len(), 3_612 * 62 * 61);
    for at in 0..index.len() {
        let position = index.position(at, Side::Weak).expect("a bare king attacks nothing");
        assert_eq!(index.of(&position), at, "{position}");
    }
}

#[test]
#[should_panic(expected = "an index is for one material")]
fn an_index_is_for_one_material() {
    let index = Index::new(material("KRvK"), Group::Square);
    index.of(&"8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap());
}

#[test]
#[should_panic(expected = "pawns cannot be turned round")]
fn pawns_are_not_turned_round() {
    let _ = Index::new(material("KPvK"), Group::Square);
}
