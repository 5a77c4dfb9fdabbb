//! Lines of UCI: commands of a chess program, output of an engine, and the specification of an engine to start.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::engine::EngineSpec;
use lucena::uci::{Command, Reply};

fuzz_target!(|line: &str| {
    if let Some(command) = Command::parse(line) {
        if let Command::Position(placed) = &command {
            drop(placed.game());
        }
        let again = Command::parse(&command.to_string());
        assert_eq!(again.as_ref(), Some(&command), "what is written can be read");
    }
    if let Some(reply) = Reply::parse(line) {
        let again = Reply::parse(&reply.to_string());
        assert_eq!(again.as_ref(), Some(&reply), "what is written can be read");
    }
    drop(line.parse::<EngineSpec>());
});
