//! Games as PGN.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::pgn::PgnReader;

fuzz_target!(|bytes: &[u8]| {
    for game in PgnReader::new(bytes).take(100).filter_map(Result::ok) {
        let written = game.to_string();
        let mut again = PgnReader::new(written.as_bytes());
        let read = again.next().expect("a game").unwrap_or_else(|error| panic!("{written}{error}"));
        assert_eq!(read.game, game.game, "{written}");
        assert_eq!((&read.tags, read.result), (&game.tags, game.result), "{written}");
        assert_eq!(again.log().warnings().next(), None, "what is written is as in the standard");
    }
});
