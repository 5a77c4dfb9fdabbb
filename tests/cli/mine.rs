//! `mine`.

use super::{
    KRKOPT_SHA256, MINE, MINED, MINED_TEXT, command, files, folder, histogram, lucena_in, mined,
    mined_tree, sha256, text, write,
};
use lucena_test_support::cases::repository;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

#[test]
fn mine_writes_everything_and_proves_it() {
    let names = [
        "data/KRvK.csv",
        "data/KRvK.id3.json",
        "data/KRvK.table",
        "data/krkopt.data",
        "data/trees/KRvK.cart.json",
        "generated/src/krvk_cart.rs",
        "generated/src/lib.rs",
    ];
    assert!(MINED.keys().eq(names), "{:?}", MINED.keys());
    assert_eq!(sha256(mined("data/krkopt.data")), KRKOPT_SHA256);
    assert_eq!(mined("data/krkopt.data").len(), 531_806);
    assert_eq!(std::str::from_utf8(mined("data/KRvK.csv")).expect("text").lines().count(), 28_057);
}

/// The first lines are the way from the rules to a proved player, each with the figure that is known from elsewhere:
/// the data set's rows and attributes, the sizes of exact trees, and the number of won positions.
#[test]
fn mine_begins_with_the_pipeline() {
    let pipeline = [
        ("solve", "28,056 positions up to symmetry, longest mate 16 moves"),
        (
            "canonical",
            "223,944 positions to 28,056 by 8 symmetries: identical to the published krkopt",
        ),
        ("attributes", "31 attributes x 28,056 rows: 30, 24 of them learned from, and the class"),
        ("id3", "6,729 tests, 17,906 leaves, 100 % right"),
        ("cart", "5,167 tests, 5,168 leaves, 100 % right"),
        ("generate", "Rust functions of at most 128 leaves; 1 module in"),
        ("player", "generated code: 175,168 of 175,168 positions won, longest 16 moves"),
    ];
    let mut lines = MINED_TEXT.lines();
    assert_eq!(lines.next(), Some("From the rules of chess to a proved player"));
    for (step, figure) in pipeline {
        let line = lines.next().expect(step);
        assert!(line.starts_with(&format!("{step} ")) && line.contains(figure), "{line}");
    }
    assert!(MINED_TEXT.contains("; 100 % of what can be won\n\nMore checks, files and players\n"));
}

#[test]
fn mine_generates_what_is_checked_in() {
    for name in ["generated/src/krvk_cart.rs", "data/trees/KRvK.cart.json"] {
        let kept = fs::read(repository(name)).expect("a file of the repository");
        assert!(
            kept == mined(name),
            "{name} is not what mine writes: run \"cargo run --release -- mine\""
        );
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_second_mine_changes_no_byte() {
    let folder = folder();
    let first = lucena_in(folder.path(), &MINE).good();
    let written = files(folder.path());
    let second = lucena_in(folder.path(), &MINE).good();
    assert_eq!(files(folder.path()), written, "content, or time of writing");
    for out in [&first, &second] {
        let line = out.lines().find(|line| line.starts_with("player ")).expect("a player");
        assert!(line.contains("175,168 of 175,168 positions won, longest 16 moves"), "{out}");
    }
    assert!(!second.contains("written") && second.contains("unchanged"), "{second}");

    let strategy = "smallest, 1 rule, size 5: 175,168 of 175,168 positions won, longest 38 moves";
    assert!(first.contains(strategy), "{first}");

    let json = lucena_in(folder.path(), &[&MINE[..], &["--format", "json"]].concat()).json(0);
    assert_eq!(json["material"], "KRvK");
    assert_eq!(json["proof"]["won"], 175_168);
    let strategy = &json["strategies"][0];
    assert_eq!(
        (&strategy["name"], &strategy["proof"]["won"]),
        (&"smallest".into(), &175_168.into())
    );
    assert_eq!((&strategy["proof"]["rules"], &strategy["proof"]["size"]), (&1.into(), &5.into()));
    let steps = json["steps"].as_array().expect("steps").iter();
    let steps: Vec<&str> = steps.filter_map(|step| step["step"].as_str()).collect();
    let lines = first.lines().filter(|line| line.contains(" s  "));
    assert!(lines.zip(&steps).all(|(line, step)| line.starts_with(step)), "{steps:?}");
    assert_eq!(files(folder.path()), written);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn mine_takes_another_endgame() {
    let folder = folder();
    let ask = [&MINE[..], &["KQvK", "--format", "json"]].concat();
    let json = lucena_in(folder.path(), &ask).json(0);
    let positions: u64 = histogram("KQvK", "strong").0.values().sum();
    let proof = &json["proof"];
    assert_eq!((&proof["positions"], &proof["won"]), (&positions.into(), &positions.into()));
    assert_eq!((&proof["longest_moves"], &proof["mean_excess_moves"]), (&10.into(), &0.0.into()));
    let names = files(folder.path()).into_keys();
    let expected = [
        "data/KQvK.csv",
        "data/KQvK.id3.json",
        "data/KQvK.krkopt.data",
        "data/KQvK.table",
        "data/trees/KQvK.cart.json",
        "generated/src/kqvk_cart.rs",
        "generated/src/lib.rs",
    ];
    assert!(names.eq(expected));
    // With these files present, KRvK gives the same results.
    lucena_in(folder.path(), &MINE).good();
    let both = files(folder.path());
    for (name, bytes) in MINED.iter().filter(|(name, _)| *name != "generated/src/lib.rs") {
        assert!(both[name].0 == *bytes, "{name}");
    }
    let library = text(&folder.path().join("generated/src/lib.rs"));
    assert!(library.contains("kqvk_cart") && library.contains("krvk_cart"));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_tree_that_is_too_large_for_code_is_proved_as_it_is() {
    let folder = folder();
    let limit = |leaves: &'static str| [&MINE[..], &["--code-leaves", leaves]].concat();
    let out = lucena_in(folder.path(), &limit("5167")).good();
    assert!(out.contains("no code: 5,168 leaves, and code is written for up to 5,167"), "{out}");
    assert!(out.contains("interpreted tree: 175,168 of 175,168 positions won"), "{out}");
    let found = files(folder.path());
    let expected = [
        "data/KRvK.cart.json",
        "data/KRvK.csv",
        "data/KRvK.id3.json",
        "data/KRvK.table",
        "data/krkopt.data",
    ];
    assert!(found.keys().eq(expected), "{:?}", found.keys());
    assert!(found["data/KRvK.cart.json"].0 == mined_tree());
    let out = lucena_in(folder.path(), &limit("5168")).good();
    assert!(out.contains("1 module in"), "{out}");
    assert!(files(folder.path())["data/trees/KRvK.cart.json"].0 == mined_tree());
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn mines_in_one_folder_do_not_disturb_one_another() {
    let folder = folder();
    let spawn = |_| {
        let mut command = command(folder.path(), &MINE);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process")
    };
    let children: Vec<Child> = (0..3).map(spawn).collect();
    for mut child in children {
        assert!(child.wait().expect("an end").success());
    }
    assert_mined(folder.path());
}

/// Checks that the output of `mine` is complete and correct, and that nothing else is there.
#[track_caller]
fn assert_mined(folder: &Path) {
    let found = files(folder);
    assert!(found.keys().eq(MINED.keys()), "{:?}", found.keys());
    assert!(MINED.iter().all(|(name, bytes)| found[name].0 == *bytes));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_killed_mine_leaves_whole_files_and_the_next_one_mends_it() {
    for milliseconds in [30, 80, 140] {
        let folder = folder();
        let mut command = command(folder.path(), &MINE);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a process");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        child.kill().expect("a process that can be killed");
        child.wait().expect("an end");
        for (name, (bytes, _)) in files(folder.path()) {
            if !name.ends_with(".part") {
                assert!(bytes == mined(&name), "{name} after {milliseconds} ms");
            }
        }
        lucena_in(folder.path(), &MINE).good();
        let found = files(folder.path());
        assert!(MINED.iter().all(|(name, bytes)| found[name].0 == *bytes));
        assert!(found.keys().all(|name| !name.ends_with(".part")), "{:?}", found.keys());
    }
}

#[test]
fn mine_removes_nothing_that_it_did_not_write() {
    let folder = folder();
    let own = [("src/lib.rs", "//! Mine.\n"), ("src/main.rs", "fn main() {}\n")];
    fs::create_dir(folder.path().join("src")).expect("a folder");
    for (name, content) in own {
        write(&folder.path().join(name), content);
    }
    lucena_in(folder.path(), &["mine", "--data", "data", "--generated", "."]);
    let found = files(folder.path());
    for (name, content) in own {
        let kept = found.get(name).is_some_and(|(bytes, _)| bytes == content.as_bytes());
        assert!(kept, "{name}, written by hand, is gone");
    }
}
