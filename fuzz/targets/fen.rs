//! A FEN, read as a position of few men and as a whole game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::{Game, Position};

fuzz_target!(|fen: &str| {
    if let Ok(position) = fen.parse::<Position>() {
        let again = position.to_string().parse::<Position>();
        assert_eq!(again.as_ref(), Ok(&position), "what is written can be read");
    }
    if let Ok(game) = fen.parse::<Game>() {
        let _ = game.status();
    }
});
