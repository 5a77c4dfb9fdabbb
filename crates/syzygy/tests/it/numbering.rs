//! Numberings of placements, in both directions.

use cozy_chess::{Color, Piece, Square};
use lucena_syzygy::Composition;
use lucena_syzygy::numbering::{Lead, Numbering, NumberingError, Order, Placement};
use lucena_syzygy::{MAX_MEN, Man};

/// The men of a composition in an order that a table can have.
fn men(name: &str) -> Vec<Man> {
    let composition: Composition = name.parse().unwrap();
    let pawns = composition.pawns();
    let least = pawns.into_iter().filter(|count| *count > 0).min();
    let mut men = composition.men().to_vec();
    men.sort_by_key(|man| {
        let count = composition.count(*man);
        match (man.role, least) {
            (Piece::Pawn, Some(least)) => {
                let leads = count == least && (pawns[0] != pawns[1] || man.color == Color::White);
                if leads { 0 } else { 1 }
            }
            (_, None) if Lead::new(composition, None) == Some(Lead::ThreeMen) => {
                2 + u8::from(count > 1)
            }
            (Piece::King, _) => 2,
            _ => 3,
        }
    });
    men
}

fn numbering(name: &str, order: Order, file: Option<usize>) -> Numbering {
    Numbering::new(&men(name), order, file).unwrap()
}

const FIRST: Order = Order { lead: 0, pawns: None };

/// Checks that numbers have placements of different squares, which have the number again.
fn check(numbering: &Numbering, numbers: impl Iterator<Item = u64>) {
    for number in numbers {
        let squares = numbering.squares(number);
        assert_eq!(numbering.number(&squares), Some(number), "{squares:?}");
    }
}

#[test]
fn the_numbers_of_small_materials_are_those_of_their_placements() {
    for name in ["KQvK", "KRvK", "KBvKN"] {
        let numbering = numbering(name, FIRST, None);
        check(&numbering, 0..numbering.len().min(300_000));
    }
    for file in 0..4 {
        for name in ["KPvK", "KvKP"] {
            let numbering = numbering(name, FIRST, Some(file));
            check(&numbering, 0..numbering.len());
        }
    }
}

#[test]
fn the_numbers_of_larger_materials_are_those_of_their_placements() {
    let spread = |len: u64| (0..2_000).map(move |step| (u128::from(len) * step / 2_000) as u64);
    for name in ["KQQvK", "KNNvKNN", "KRRvKR", "KQRBNvKQ", "KQQQQvKQ", "KBBvKNNN"] {
        let numbering = numbering(name, FIRST, None);
        check(&numbering, spread(numbering.len()));
    }
    for file in 0..4 {
        for name in ["KPPvK", "KPPPPPvK", "KRPPvKR", "KBPvKN"] {
            let numbering = numbering(name, FIRST, Some(file));
            check(&numbering, spread(numbering.len()));
        }
        for name in ["KPvKP", "KPPvKP", "KPPPvKPP", "KRPvKPPP"] {
            for (lead, pawns) in [(0, 1), (1, 0)] {
                let numbering = numbering(name, Order { lead, pawns: Some(pawns) }, Some(file));
                check(&numbering, spread(numbering.len()));
            }
        }
    }
}

#[test]
fn the_last_number_is_in_use() {
    let numbering = numbering("KQQvKR", FIRST, None);
    check(&numbering, numbering.len() - 100..numbering.len());
}

#[test]
fn counts_are_those_of_the_format() {
    let len = |name, file| numbering(name, FIRST, file).len();
    assert_eq!(len("KQvK", None), 31_332);
    assert_eq!(len("KQvKR", None), 31_332 * 61);
    assert_eq!(len("KQQvK", None), 462 * 62 * 61 / 2);
    assert_eq!(len("KRRvKBB", None), 462 * (62 * 61 / 2) * (60 * 59 / 2));
    assert_eq!(len("KPvK", Some(2)), 6 * 63 * 62);
    let pairs: u64 =
        (0..4).map(|file| numbering("KPPvK", FIRST, Some(file)).lead().placements()).sum();
    assert_eq!(
        pairs, 576,
        "pairs of pawns but for the mirror, 24 of which are equal to their mirror image"
    );
}

#[test]
fn an_image_of_a_placement_has_its_number() {
    let numbering = numbering("KQvKR", FIRST, None);
    for number in (0..numbering.len()).step_by(997) {
        let squares = numbering.squares(number);
        for flip in [0, 7, 56, 63] {
            let turned: Placement =
                squares.iter().map(|square| Square::index(*square as usize ^ flip)).collect();
            assert_eq!(numbering.number(&turned), number_of(&numbering, &turned));
            if (squares[0] as usize >> 3) != squares[0] as usize & 7 {
                assert_eq!(numbering.number(&turned), Some(number));
            }
        }
    }
}

/// The number of the placement that a number stands for.
fn number_of(numbering: &Numbering, squares: &[Square]) -> Option<u64> {
    let number = numbering.number(squares)?;
    numbering.number(&numbering.squares(number))
}

#[test]
fn factors_follow_the_order() {
    let last = numbering("KQQvK", Order { lead: 1, pawns: None }, None);
    assert_eq!((last.lead_factor(), last.groups()[0].factor), (62 * 61 / 2, 1));
    let first = numbering("KQQvK", FIRST, None);
    assert_eq!((first.lead_factor(), first.groups()[0].factor), (1, 462));
    assert_eq!(first.groups()[0].placements, 62 * 61 / 2);
    check(&last, (0..last.len()).step_by(101));
}

#[test]
fn placements_without_a_number_have_none() {
    let numbering = numbering("KQQvK", FIRST, None);
    assert_eq!(numbering.men()[0].role, Piece::King);
    let number = |squares: [Square; 4]| numbering.number(&squares);
    assert_eq!(number([Square::A1, Square::B2, Square::D4, Square::E5]), None, "kings touch");
    assert_eq!(number([Square::A1, Square::D4, Square::D4, Square::E5]), None, "a square twice");
    assert_eq!(numbering.number(&[Square::A1, Square::D4]), None, "too few squares");
    let pawns = Numbering::new(&men("KPvK"), FIRST, Some(1)).unwrap();
    assert!(pawns.number(&[Square::B2, Square::A1, Square::H8]).is_some());
    assert!(pawns.number(&[Square::G2, Square::A1, Square::H8]).is_some());
    assert_eq!(pawns.number(&[Square::A2, Square::B1, Square::H8]), None, "another file");
    assert_eq!(pawns.number(&[Square::B1, Square::A1, Square::H8]), None, "the first rank");
}

#[test]
fn wrong_orders_are_refused() {
    let refuse = |men: &[Man], order, file| Numbering::new(men, order, file).unwrap_err();
    let queens = men("KQQvK");
    assert_eq!(refuse(&queens, Order { lead: 2, pawns: None }, None), NumberingError::Order);
    assert_eq!(refuse(&queens, Order { lead: 0, pawns: Some(1) }, None), NumberingError::Order);
    assert_eq!(refuse(&queens, FIRST, Some(0)), NumberingError::File);
    assert_eq!(refuse(&queens[1..], FIRST, None), NumberingError::Men);
    let mixed = [queens[0], queens[2], queens[1], queens[3]];
    assert_eq!(refuse(&mixed, FIRST, None), NumberingError::Lead);
    let pawns = men("KPPvKP");
    assert_eq!(refuse(&pawns, FIRST, Some(0)), NumberingError::Order);
    let both = Order { lead: 0, pawns: Some(1) };
    assert_eq!(refuse(&pawns, both, Some(4)), NumberingError::File);
    let many = [men("KQRBNvKQ"), men("KQvK")].concat();
    assert!(many.len() > MAX_MEN);
    assert_eq!(refuse(&many, FIRST, None), NumberingError::Men);
}
