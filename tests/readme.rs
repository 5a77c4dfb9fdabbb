//! What `data/README.md` says of each file: its sum, and the command that writes it.

use lucena::dataset::sha256;
use std::path::Path;
use std::process::Command;

#[test]
fn data_files_have_the_sums_that_their_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    for material in ["KRvK", "KQvK"] {
        let status = Command::new(env!("CARGO_BIN_EXE_lucena"))
            .args(["mine", material])
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", folder.path().join("cache"))
            .output()
            .expect("a process")
            .status;
        assert!(status.success(), "mine {material}");
    }
    let page = std::fs::read_to_string(root.join("data/README.md")).expect("the page");
    let mut rows = 0;
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (name, sum) = (cells[1].trim_matches('`'), cells[4].split('`').nth(1));
        // Theories are searched for, which takes minutes: they are there already.
        let is_theory = name.starts_with("trees/") && !name.ends_with(".cart.json");
        let place = if is_theory { root.join("data") } else { folder.path().join("data") };
        let written = std::fs::read(place.join(name)).expect(name);
        assert_eq!(Some(sha256(&written).as_str()), sum, "{name}");
        rows += 1;
    }
    let trees = std::fs::read_dir(root.join("data/trees")).expect("a folder").count();
    assert_eq!(rows, 4 + trees, "a row for each file");
}
