//! Test cases from outside: data files, and random cases.
//! A file of `tests/data` holds one case per line, with fields separated by `;` and comments after `#`.

use proptest::prelude::ProptestConfig;
use std::path::PathBuf;

/// A file or folder of the repository.
pub(crate) fn repository(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The cases of a file, each with exactly `FIELDS` fields.
pub(crate) fn cases<const FIELDS: usize>(file: &str) -> Vec<[String; FIELDS]> {
    let path = repository("tests/data").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fields: Vec<String> = line.split(';').map(|field| field.trim().into()).collect();
        let count = fields.len();
        cases.push(
            fields
                .try_into()
                .unwrap_or_else(|_| panic!("{file}:{}: {count} fields, not {FIELDS}", number + 1)),
        );
    }
    assert!(!cases.is_empty(), "{file} holds no cases");
    cases
}

/// The given number of random cases; a failing one is printed and leaves no file behind.
pub(crate) fn random(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}
