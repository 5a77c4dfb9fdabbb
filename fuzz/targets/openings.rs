//! Openings as EPD, FEN or PGN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::arena::Openings;

fuzz_target!(|bytes: &[u8]| {
    drop(Openings::parse(bytes));
});
