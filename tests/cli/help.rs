//! Help.

use super::{VERBS, lucena, lucena_in};
use std::collections::BTreeSet;

/// Verbs that have another place now: they run, but no help lists them.
const MOVED: [(&str, &str); 6] = [
    ("study", "experiment study"),
    ("curve", "experiment curve"),
    ("frontier", "experiment frontier"),
    ("distil", "find tree"),
    ("strategy", "find strategy"),
    ("measure", "find measure"),
];

/// Both names give the same help, but for the name itself.
#[test]
fn verbs_that_moved_are_run_under_both_names() {
    for (old, new) in MOVED {
        let help = |name: &str| {
            let words: Vec<&str> = name.split(' ').chain(["--help"]).collect();
            lucena(&words).good().replace(&format!("Usage: lucena {name}"), "")
        };
        assert_eq!(help(old), help(new), "{old}");
    }
}

/// Old spellings of options.
const RENAMED: [&str; 14] = [
    "solve|--metric|dtz",
    "verify|--metric|dtz",
    "attributes|--set|all",
    "attributes|--names|kOnEdge",
    "prove|--from|8/8/8/8/8/1k6/8/K1R5 w",
    "match|random|king-refugee|--tc|60",
    "match|random|king-refugee|--most-moves|9",
    "train|--alpha|1|--tried|9",
    "train|chess|--network|published|--start|7k/8/8/8/8/8/8/K5R1 w|--plies|1|--colors|white|--least-time|1",
    "evolve|men|--state|x|--most-games|9",
    "experiment|td|--keep|x",
    "experiment|search|--most-nodes|9",
    "experiment|frontier|--search-plies|1",
    "book|make|x|--out|y|--least-games|9",
];

#[test]
fn old_spellings_of_options_are_read() {
    for line in RENAMED {
        let words: Vec<&str> = line.split('|').chain(["--help"]).collect();
        let ran = lucena(&words);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    }
}

/// A newcomer has no file yet.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_first_examples_of_verbs_that_read_files_make_one() {
    for (verb, made) in [("show", "tree.json"), ("book", "games.pgn")] {
        let folder = tempfile::tempdir().expect("a folder");
        let help = lucena(&[verb, "--help"]).good();
        let (_, examples) = help.split_once("Examples:").expect("examples");
        for example in examples.lines().filter(|line| !line.trim().is_empty()).take(2) {
            let words: Vec<&str> = example.split_whitespace().skip(1).collect();
            lucena_in(folder.path(), &words).good();
        }
        assert!(folder.path().join(made).exists(), "{examples}");
    }
}

#[test]
fn help_lists_the_verbs_and_each_has_examples() {
    for flag in ["-h", "--help"] {
        let help = lucena(&[flag]).good();
        let verbs = help.split_once("Commands:").expect("verbs").1.lines().skip(1);
        let verbs = verbs.take_while(|line| !line.is_empty());
        let verbs = verbs.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let listed: BTreeSet<&str> = verbs.filter(|verb| !["", "help"].contains(verb)).collect();
        let visible = BTreeSet::from(VERBS);
        assert_eq!(listed, visible, "{help}");
        for verb in visible {
            assert!(help.lines().any(|line| line.trim_start().starts_with(verb)), "{verb}\n{help}");
            let ran = lucena(&[verb, flag]);
            assert_eq!(ran.err, "");
            let help = ran.good();
            let (_, examples) = help.split_once("Examples:").expect("examples");
            let prefix = format!("lucena {verb}");
            let examples = examples.lines().filter(|line| line.trim().starts_with(&prefix));
            assert!(examples.count() >= 2, "{help}");
        }
    }
}
