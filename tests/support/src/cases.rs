//! Test cases from outside: data files, and random cases.
//! A file of `tests/data` holds one case per line, with fields separated by `;` and comments after `#`.

use lucena_chess::Material;
use proptest::prelude::ProptestConfig;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A file or folder of the repository.
pub fn repository(path: &str) -> PathBuf {
    let support = Path::new(env!("CARGO_MANIFEST_DIR"));
    support.ancestors().nth(2).expect("it is two folders down").join(path)
}

/// The cases of a file, each with exactly `FIELDS` fields.
pub fn cases<const FIELDS: usize>(file: &str) -> Vec<[String; FIELDS]> {
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

/// Parses a material that is known to be valid.
pub fn material(name: &str) -> Material {
    name.parse().expect("the name of a material")
}

thread_local! {
    static OWN_FOLDER: TempDir = tempfile::tempdir().expect("a temporary folder");
}

/// A folder of the test's own, as each runs on its own thread. It is removed when the test ends.
pub fn own_folder() -> PathBuf {
    OWN_FOLDER.with(|folder| folder.path().to_path_buf())
}

/// The given number of random cases; a failing one is printed and leaves no file behind.
pub fn random(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}
