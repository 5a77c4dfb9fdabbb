//! Text in any encoding: whole, as a list, and line by line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::text::{LineError, LineReader, decode, decode_chess, entries};

/// The greatest length of a line.
const LONGEST: usize = 64;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = decode(bytes) {
        assert_eq!(decode_chess(bytes).as_deref(), Ok(text), "UTF-8 is read in one way");
    }
    if let Ok(text) = decode_chess(bytes) {
        let mut last = 0;
        for (number, entry) in entries(&text) {
            assert!(number > last && !entry.is_empty() && !entry.starts_with('#'));
            last = number;
        }
    }
    let ends = bytes.iter().filter(|&&byte| matches!(byte, b'\n' | b'\r')).count() as u64;
    for line in LineReader::new(bytes, LONGEST) {
        match line {
            Ok((number, text)) => {
                assert!((1..=ends + 1).contains(&number) && !text.contains(['\n', '\r']));
                assert!(text.chars().count() <= LONGEST);
            }
            Err(LineError::TooLong { line, .. }) => assert!((1..=ends + 1).contains(&line)),
            Err(_) => {}
        }
    }
});
