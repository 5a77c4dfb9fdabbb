//! A file in krkopt's format, read as rows.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::dataset::krkopt::read;

fuzz_target!(|file: &[u8]| {
    let lines = file.split(|&byte| byte == b'\n').count() as u64;
    for (line, row) in read(file) {
        assert!((1..=lines).contains(&line), "a row stands on a line of the file");
        drop(row);
    }
});
