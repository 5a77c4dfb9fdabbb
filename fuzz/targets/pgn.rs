//! Games as PGN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::pgn::PgnReader;

fuzz_target!(|bytes: &[u8]| {
    for game in PgnReader::new(bytes).take(100) {
        drop(game);
    }
});
