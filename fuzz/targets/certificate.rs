//! A certificate as JSON.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::certificate::Certificate;

fuzz_target!(|json: &[u8]| {
    drop(Certificate::from_json(json));
});
