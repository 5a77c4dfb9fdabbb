//! EPD and FEN as people and programs write them.

use lucena_chess::{Epd, Game, Move, Setup};
use lucena_test_support::cases::{cases, random};
use proptest::prelude::*;

#[test]
fn positions_are_read_as_people_write_them() {
    for [text, fen, best, avoid, id, mate] in cases("epds.csv") {
        let text = text.replace('|', ";");
        let epd: Epd = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let game = epd.game().expect("a legal position");
        assert_eq!(game.to_string(), fen, "{text}");
        let uci = |moves: Vec<Move>| -> String {
            let uci = moves.into_iter().map(|mv| game.uci(mv).expect("a legal move"));
            uci.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(uci(epd.best_moves(&game).expect("legal moves")), best, "{text}");
        assert_eq!(uci(epd.avoid_moves(&game).expect("legal moves")), avoid, "{text}");
        assert_eq!(epd.id().unwrap_or_default(), id, "{text}");
        assert_eq!(
            epd.direct_mate().map_or(String::new(), |mate| mate.to_string()),
            mate,
            "{text}"
        );
        // Whatever reads a position reads it so.
        assert_eq!(text.parse::<Game>().expect("a game"), game);
        assert_eq!(text.parse::<Setup>().expect("a position").clock(), game.clock());
    }
}

proptest! {
    #![proptest_config(random(300))]

    #[test]
    fn no_line_makes_the_reader_panic(
        tail in prop::collection::vec(
            prop::sample::select("wb-KQkq_09;\"\\ \tabmidhvcfn#é\u{feff}".chars().collect::<Vec<_>>()), 0..60,
        ),
    ) {
        let tail: String = tail.into_iter().collect();
        let _ = tail.parse::<Epd>();
        if let Ok(epd) = format!("8/8/8/8/8/1k6/8/K1R5 w - - {tail}").parse::<Epd>() {
            prop_assert!(epd.game().is_ok());
        }
    }
}
