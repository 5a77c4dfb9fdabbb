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
        let written = std::fs::read(folder.path().join("data").join(name)).expect(name);
        assert_eq!(Some(sha256(&written).as_str()), sum, "{name}");
        rows += 1;
    }
    assert_eq!(rows, 6, "a row for each file");
}
