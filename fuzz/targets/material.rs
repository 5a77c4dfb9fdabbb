//! The name of a material.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::chess::Material;

fuzz_target!(|name: &str| {
    if let Ok(material) = name.parse::<Material>() {
        assert_eq!(material.to_string().parse(), Ok(material), "what is written can be read");
    }
});
