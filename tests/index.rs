//! The index: every canonical placement has a number, every number a placement, none twice.

use crate::plain::{self, Game, QUEEN, ROOK};
use crate::tables::material;
use lucena::chess::Side;
use lucena::symmetry::Group;
use lucena::tablebase::Index;

/// From numbers to positions and back, and from every legal position of the full board to the
/// number of its representative.
fn check_three_men(game: &Game, name: &str, legal: [usize; 2], canonical: [usize; 2]) {
    let endgame = material(name);
    for (group, counts) in [(Group::Identity, legal), (Group::Square, canonical)] {
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
                let position = plain::position(endgame, turn, number).expect("a legal position");
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
fn king_and_rook() {
    check_three_men(&ROOK, "KRvK", [175_168, 223_944], [21_959, 28_056]);
}

#[test]
fn king_and_queen() {
    // Up to symmetry with White to move: by Burnside from the full board, counted here.
    let symmetric = QUEEN
        .legal(Side::Strong)
        .filter(|&at| {
            let diagonal = |&square: &u8| plain::file(square) == plain::rank(square);
            plain::squares(at).iter().all(diagonal)
        })
        .count();
    // Two reflections (in the diagonals) have fixed points, as many each; no other symmetry has.
    let orbits = (144_508 + 2 * symmetric) / 8;
    check_three_men(&QUEEN, "KQvK", [144_508, 223_944], [orbits, 28_056]);
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
            // Not one in eight by one symmetry only, but all of them, of a part of the positions.
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
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn king_bishop_and_knight_on_the_full_board() {
    let endgame = material("KBNvK");
    let index = Index::new(endgame, Group::Identity);
    // 3,612 pairs of kings apart, then any of the squares left.
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
