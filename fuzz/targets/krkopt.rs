//! A file that should be krkopt.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lucena::dataset::krkopt::compare;
use lucena::tablebase::Tablebase;
use std::sync::LazyLock;

static TABLEBASE: LazyLock<Tablebase> =
    LazyLock::new(|| Tablebase::solve("KRvK".parse().expect("a material")));

fuzz_target!(|file: &[u8]| {
    let compared = compare(&TABLEBASE, file).expect("krkopt is of KRvK");
    assert!(!compared.is_right(), "no file this short has all rows");
});
