//! A strategy as JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena_model::Strategy;

fuzz_target!(|json: &[u8]| {
    drop(Strategy::from_json(json));
});
