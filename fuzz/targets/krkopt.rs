//! A file in krkopt's format, read as rows.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::dataset::krkopt::read;
use lucena::text::decode_chess;

fuzz_target!(|file: &[u8]| {
    let Ok(text) = decode_chess(file) else { return };
    let lines = text.split(['\n', '\r']).count() as u64;
    for (line, row) in read(&text) {
        assert!((1..=lines).contains(&line), "a row stands on a line of the file");
        drop(row);
    }
});
