//! The names and sides of compositions.

use lucena_syzygy::{Composition, Dtz, Man, Wdl5};

fn composition(name: &str) -> Composition {
    name.parse().unwrap()
}

#[test]
fn a_name_is_parsed_and_shown() {
    for name in ["KvK", "KQvKR", "KRvKQ", "KQRBNPvK", "KPPvKPP", "KNNvKP"] {
        assert_eq!(composition(name).to_string(), name);
        assert_eq!(composition(name).flipped().flipped(), composition(name));
    }
    assert_eq!(composition("KRQvK").to_string(), "KQRvK");
}

#[test]
fn names_that_are_none_are_refused() {
    for name in ["", "K", "KK", "QvK", "KQvKRBNPP", "KQvK ", "KQvKvK", "KQXvK", "kqvk", "KKvK"] {
        let error = name.parse::<Composition>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("\"{name}\" names no men; write")), "{error}");
    }
}

#[test]
fn files_are_named_with_the_stronger_side_first() {
    for (name, normalized) in [
        ("KvKQ", "KQvK"),
        ("KRvKQ", "KQvKR"),
        ("KRRvKQN", "KQNvKRR"),
        ("KQvKPP", "KPPvKQ"),
        ("KBvKN", "KBvKN"),
    ] {
        assert_eq!(composition(name).normalized(), composition(normalized));
    }
}

#[test]
fn a_man_has_a_code() {
    let men = (0..=255).filter_map(Man::from_code);
    let codes: Vec<u8> = men.map(Man::code).collect();
    assert_eq!(codes, [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14]);
}

#[test]
fn outcomes_are_ordered_and_negated() {
    assert!(Wdl5::ALL.is_sorted());
    for outcome in Wdl5::ALL {
        assert_eq!(outcome.before_move().number(), -outcome.number());
        assert_eq!(outcome.before_move().before_move(), outcome);
    }
}

#[test]
fn a_distance_has_an_outcome() {
    for (plies, outcome) in [
        (1, Wdl5::Win),
        (100, Wdl5::Win),
        (101, Wdl5::CursedWin),
        (0, Wdl5::Draw),
        (-1, Wdl5::Loss),
        (-100, Wdl5::Loss),
        (-101, Wdl5::BlessedLoss),
    ] {
        assert_eq!(Dtz { plies, is_exact: true }.wdl(), outcome);
    }
    assert_eq!(Dtz { plies: -5, is_exact: false }.most(), -6);
    assert_eq!(Dtz { plies: 5, is_exact: false }.most(), 6);
    assert_eq!(Dtz { plies: 5, is_exact: true }.most(), 5);
}
