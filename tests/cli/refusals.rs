//! Bad input.

use super::{
    CommandResult, MINE, VERBS, arguments, command, files, folder, garbage, hopeless_tree, lucena,
    lucena_in, mined, mined_tree, text, write,
};
use lucena_test_support::cases::{cases, repository};
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

/// A folder with the files that `cli_refusals.csv` mentions.
fn folder_of_traps() -> TempDir {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("folder")).expect("a folder");
    let (tree, table) = (mined_tree(), mined("data/KRvK.table"));
    write(&path("empty"), "");
    write(&path("garbage"), garbage());
    // With the name of its maker, and the beginning of its graph.
    write(&path("model.onnx"), b"\x08\x08\x12\x07pytorch\x1a\x052.4.1:\xc5\x26\x0a\xe1\x25");
    write(&path("array.npy"), b"\x93NUMPY\x01\x00v\x00{'descr': '<f8'}\n");
    write(&path("model.pkl"), b"\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00}\x94.");
    write(&path("noise"), [1, 200, 13, 10, 5, 77, 250].repeat(20));
    write(&path("tree.json"), tree);
    write(&path("half.json"), &tree[..tree.len() / 2]);
    write(&path("weak.json"), WEAK_STRATEGY);
    write(&path("games.pgn"), "[Event \"?\"]\n\n1. e4 e5 *\n");
    write(&path("fens"), "8/8/8/8/8/1k6/8/K1R5 w - - 0 1\n");
    write(&path("notes"), "Some words.\n");
    let trained = repository("data/weights/KRvK.network.safetensors");
    fs::copy(trained, path("trained.safetensors")).expect("a copy");
    write(&path("KRvK.table"), table);
    write(&path("half.table"), &table[..table.len() / 2]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("loop", path("loop")).expect("a link");
    folder
}

/// A strategy of the weak side.
const WEAK_STRATEGY: &str = r#"{
    "kind": "strategy", "format": 1, "material": "KPvK", "miner": "by hand", "parameters": {},
    "candidates": "tactical", "side": "weak",
    "attributes": [{
        "name": "kPPromotionSteps", "low": 0, "high": 7,
        "meaning": "moves of the weak king to the square on which the strong pawn promotes"
    }],
    "rules": [{"guard": [], "keys": [{"least": "kPPromotionSteps"}]}]
}"#;

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn refusals_say_why_and_change_nothing() {
    check_refusals(0);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn more_refusals_say_why_and_change_nothing() {
    check_refusals(1);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn still_more_refusals_say_why_and_change_nothing() {
    check_refusals(2);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_last_refusals_say_why_and_change_nothing() {
    check_refusals(3);
}

/// Much work is done before the fault is found.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn refusals_after_long_work_say_why_and_change_nothing() {
    assert_refused(cases("cli_slow_refusals.csv"));
}

/// Checks every fourth line of `cli_refusals.csv`, as each starts the program.
fn check_refusals(first: usize) {
    assert_refused(cases("cli_refusals.csv").into_iter().skip(first).step_by(4));
}

fn assert_refused(cases: impl IntoIterator<Item = [String; 3]>) {
    let folder = folder_of_traps();
    let before = files(folder.path());
    let mut faults = Vec::new();
    for [code, asked, words] in cases {
        if cfg!(not(unix)) && asked.contains("loop") {
            continue; // No links, so no loop.
        }
        let CommandResult { code: found, out, err } = lucena_in(folder.path(), &arguments(&asked));
        if found.to_string() != code || !err.contains(&words) || !err.ends_with('\n') {
            faults.push(format!("{asked}: {found}, not {code} and {words:?}: {err}"));
        }
        if !out.is_empty() {
            faults.push(format!("{asked}: standard output is for data: {out}"));
        }
        if files(folder.path()) != before {
            panic!("{asked} changes files");
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The names of the options in a help text whose values have one of these names.
fn options<'h>(help: &'h str, values: &[&str]) -> impl Iterator<Item = &'h str> {
    let listed = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
    listed.filter_map(move |line| {
        let (name, value) = line.split_once(" <")?;
        values.contains(&value.split_once('>')?.0).then_some(name)
    })
}

/// Every option that takes a number says so in words.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_wrong_number_is_refused_with_what_the_option_takes() {
    let mut verbs: Vec<Vec<&str>> = VERBS.iter().map(|&verb| vec![verb]).collect();
    let experiments = ["search", "truth", "td", "evolve", "study", "curve", "frontier"];
    verbs.extend(experiments.map(|verb| vec!["experiment", verb]));
    verbs.extend(["tree", "strategy", "measure"].map(|verb| vec!["find", verb]));
    verbs.extend([vec!["book", "make"], vec!["evolve", "men"]]);
    let mut asked = 0;
    for verb in verbs {
        let help = lucena(&[&verb[..], &["--help"]].concat()).good();
        for (names, kind) in [
            (["N", "S", "K", "LINE,..."].as_slice(), "write a whole number"),
            (["X", "P", "SECONDS"].as_slice(), "write a number"),
        ] {
            for option in options(&help, names) {
                asked += 1;
                for value in ["many", "nan", ""] {
                    let ran = lucena(&[&verb[..], &[&format!("--{option}={value}")]].concat());
                    let what = format!("{verb:?} --{option}={value}: {}", ran.err);
                    assert_eq!(ran.code, 2, "{what}");
                    assert!(ran.err.contains(kind) && ran.err.contains(", such as "), "{what}");
                }
            }
        }
    }
    assert!(asked > 60, "only {asked} options");
}

/// A sparse file takes no room on the disk, and a device has no end.
#[test]
fn a_file_without_end_is_not_read_to_its_end() {
    let folder = folder();
    let huge = fs::File::create(folder.path().join("huge")).expect("a file");
    huge.set_len((512 << 20) + 1).expect("a length");
    let endless: &[&str] =
        if cfg!(target_os = "linux") { &["huge", "/dev/zero"] } else { &["huge"] };
    for file in endless {
        let ran = lucena_in(folder.path(), &["show", file]);
        assert_eq!(ran.code, 3, "{file}: {}", ran.err);
        assert!(ran.err.contains("larger than 512 MiB"), "{file}: {}", ran.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_in_which_nothing_can_be_made_is_said_to_be_there() {
    for asked in ["dataset|--sample|5|--out|/proc/nope.csv", "man|--out|/proc/pages"] {
        let ran = lucena(&arguments(asked));
        assert_eq!(ran.code, 3, "{asked}: {}", ran.err);
        assert!(ran.err.contains("its directory exists"), "{asked}: {}", ran.err);
    }
}

#[test]
fn a_refused_command_line_leaves_an_older_file_alone() {
    let folder = folder();
    let file = folder.path().join("file");
    write(&file, "what was there before\n");
    for asked in [
        "learn|--folds|1|--out|file",
        "learn|--folds|99999|--out|file",
        "learn|--learner|x|--out|file",
        "learn|--max-depth|0|--out|file",
        "solve|KXvK|--out|file",
        "dataset|KRRvKRR|--out|file",
        "dataset|--folds|1|--out|file",
        "dataset|--format|krkopt|--positions|full|--out|file",
        "prove|KQvK|--player|tree:missing|--moves|file",
        "prove|KQvK|--player|tree:missing|--certificate|file",
        "prove|--fen|8/8/8/8/8/1k6/8/K1R5 b|--certificate|file|--moves|file",
        "prove|--check|missing|--moves|file",
        "explain|8/8/8/8/8/R7/8/k1K5|b|--svg|file",
        "explain|8/8/8/8/8/1k6/8/K1R5|w|--instead|Ra8|--svg|file",
        "experiment|frontier|KQvK|--tree|missing|--csv|file|--svg|file",
    ] {
        let ran = lucena_in(folder.path(), &arguments(asked));
        assert!(ran.code >= 2, "{asked}");
        assert!(text(&file) == "what was there before\n", "{asked} replaces the file: {}", ran.err);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn mine_does_not_generate_from_a_broken_tree() {
    let mut odd = hopeless_tree();
    odd["attributes"] =
        serde_json::json!([{ "name": "r#type", "low": 0, "high": 1, "meaning": "" }]);
    let unknown = serde_json::json!({ "format": 2 });
    for (name, tree, code) in [
        ("KQvK.cart.json", mined_tree()[..5_000].to_vec(), 3),
        ("KQvK.cart.json", garbage(), 3),
        ("KQvK.cart.json", unknown.to_string().into(), 3),
        ("KQvK.cart.json", odd.to_string().into(), 3),
        ("9 lives.json", mined_tree().into(), 3),
        ("lib.json", mined_tree().into(), 3),
        ("KRvK-cart.json", mined_tree().into(), 3),
    ] {
        let folder = folder();
        fs::create_dir_all(folder.path().join("data/trees")).expect("a folder");
        fs::create_dir_all(folder.path().join("generated/src")).expect("a folder");
        write(&folder.path().join("generated/src/lib.rs"), "// an older one\n");
        write(&folder.path().join("data/trees").join(name), tree);
        let ran = lucena_in(folder.path(), &MINE);
        assert_eq!(ran.code, code, "{name}: {}", ran.err);
        assert!(ran.err.contains(name), "{}", ran.err);
        assert_eq!(text(&folder.path().join("generated/src/lib.rs")), "// an older one\n");
    }
}

#[test]
fn a_forged_table_is_refused() {
    let folder = folder();
    assert!(mined("data/KRvK.table") == lucena_test_support::tables::KRVK.to_bytes().unwrap());
    let mut faults = Vec::new();
    let mut damaged = mined("data/KRvK.table").to_vec();
    damaged[5] ^= 1;
    let mut files = lucena_test_support::table_files::forged(&lucena_test_support::tables::KRVK);
    files.push(("a byte changed", damaged));
    for (what, file) in files {
        write(&folder.path().join("forged"), file);
        for fen in ["8/8/8/8/8/1k6/8/K1R5 w", "7K/8/8/8/8/8/1kR5/8 b"] {
            let ask = ["probe", "--table", "forged", fen];
            let output = command(folder.path(), &ask).output().expect("the program can be run");
            if output.status.code() != Some(3) {
                let err = String::from_utf8_lossy(&output.stderr);
                faults.push(format!("{what}, {fen}: {}: {err}", output.status));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_forged_tree_is_refused_or_harmless() {
    let folder = folder();
    let good: Value = serde_json::from_slice(mined_tree()).expect("a tree is JSON");
    let with = |key: &str, value: Value| {
        let mut tree = good.clone();
        tree[key] = value;
        tree.to_string()
    };
    let many: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    for (tree, code) in [
        (with("classes", many.into()), 3),
        (with("classes", Value::Array(Vec::new())), 3),
        (with("nodes", Value::Array(Vec::new())), 3),
        (with("nodes", serde_json::json!([{ "class": 255 }])), 3),
        (with("nodes", serde_json::json!([{ "class": -1 }])), 3),
        (with("nodes", serde_json::json!([{ "class": 0, "attribute": 0 }])), 3),
        (
            with(
                "nodes",
                serde_json::json!([{ "attribute": 0, "at_most": 0, "below": 0, "above": 0 }]),
            ),
            3,
        ),
        (with("format", 1.into()), 3),
        (with("format", Value::Null), 3),
        (with("more", 1.into()), 3),
        (with("material", "KQvK".into()), 2),
        (with("material", "banana".into()), 2),
        ("[".repeat(100_000), 3),
        ("null".into(), 3),
        ("{}".into(), 3),
    ] {
        write(&folder.path().join("forged"), &tree);
        let fen = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1";
        for verb in [&["prove"][..], &["validate"], &["play"], &["explain", fen]] {
            let ran = lucena_in(folder.path(), &[verb, &["--player", "tree:forged"]].concat());
            let start = &tree[..tree.len().min(60)];
            assert_eq!(ran.code, code, "{verb:?}, {start}: {}{}", ran.out, ran.err);
        }
    }
}
