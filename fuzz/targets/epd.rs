//! A position with operations, as EPD or FEN, and lists of them.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::{Epd, Game};
use lucena::experiment::Positions;

fuzz_target!(|bytes: &[u8]| {
    drop(Positions::parse("fuzz", bytes));
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(epd) = text.parse::<Epd>() else { return };
    let Ok(game) = epd.game() else { return };
    assert_eq!(game.to_string().parse::<Game>().as_ref(), Ok(&game), "what is written can be read");
    for moves in [epd.best_moves(&game), epd.avoid_moves(&game)].into_iter().flatten() {
        assert!(moves.into_iter().all(|mv| game.san(mv).is_ok()), "the moves are legal");
    }
});
