//! A move in algebraic notation or in UCI notation, as people write them, in positions with many kinds of moves.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::{Game, Position};
use std::sync::LazyLock;

static POSITION: LazyLock<Position> =
    LazyLock::new(|| "8/1P6/8/8/8/1k6/8/K1R5 w - - 0 1".parse().expect("a position"));
static GAME: LazyLock<Game> = LazyLock::new(|| {
    "r3k2r/1P4p1/8/3pP3/8/2N3N1/6P1/R3K2R w KQkq d6 0 1".parse().expect("a position")
});

fuzz_target!(|text: &str| {
    if let Ok(mv) = POSITION.parse_move(text) {
        POSITION.san(mv).expect("a legal move has a name");
    }
    if let Ok(mv) = GAME.parse_move(text) {
        GAME.clone().play(mv).expect("a legal move can be played");
        let san = GAME.san(mv).expect("a legal move has a name");
        assert_eq!(GAME.parse_move(&san), Ok(mv), "what is written can be read");
    }
});
