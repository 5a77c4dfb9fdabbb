//! The program's own documentation: the manual, completions, its version, and its messages during
//! work.

use crate::cli::{CommandResult, VERBS, command, finish};
use lucena_test_support::cases::repository;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn lucena(folder: &Path, arguments: &[&str]) -> CommandResult {
    finish(command(folder, arguments))
}

/// A text with all whitespace squeezed to single blanks.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    words.filter(|word| word.len() > 2 && word.starts_with("--")).map(Into::into).collect()
}

#[test]
fn the_manual_has_a_page_for_every_verb_with_all_that_its_help_says() {
    let folder = tempfile::tempdir().expect("a folder");
    lucena(folder.path(), &["man", "--out", "pages"]).good();
    let chapter = squeezed(&lucena(folder.path(), &["man", "--chapter"]).good());
    for verb in VERBS {
        let help = lucena(folder.path(), &[verb, "--help"]).good();
        assert!(chapter.contains(&squeezed(&help)), "{verb} is not in the chapter as in its help");
        let page = folder.path().join(format!("pages/lucena-{verb}.1"));
        let page = std::fs::read_to_string(page).expect("a page");
        // Without the escapes of man pages.
        let page = page.replace("\\-", "-").replace("\\fB", " ").replace("\\fI", " ");
        assert!(
            page.contains(".SH SYNOPSIS") && options(&page).is_superset(&options(&help)),
            "{verb}"
        );
    }
    let nested = lucena(folder.path(), &["man", "experiment", "search"]).good();
    // Examples are printed verbatim, one per line, and no text ends up in an extra section.
    for asked in ["dataset", "match", "uci", "experiment search"] {
        let words: Vec<&str> = asked.split(' ').collect();
        let page = lucena(folder.path(), &[&["man"], words.as_slice()].concat()).good();
        let (_, examples) = page.split_once("\n.SH EXAMPLES\n.nf\n").expect("examples");
        let (examples, _) = examples.split_once("\n.fi\n").expect("an end of the examples");
        let prefix = format!("  lucena {asked}");
        let lines = examples.lines().filter(|line| line.replace("\\-", "-").starts_with(&prefix));
        assert!(lines.count() >= 2, "{page}");
        assert!(!examples.contains("\n.") && !page.contains("EXTRA"), "{page}");
        assert_eq!(page.contains(".SH NOTES\n.nf\n"), asked == "dataset" || asked == "match");
    }
    assert!(nested.contains("lucena-experiment-search"), "{nested}");
    let unknown = lucena(folder.path(), &["man", "prov"]);
    assert!(unknown.code == 2 && unknown.err.contains("no verb \"prov\""), "{}", unknown.err);
}

/// The help of a verb, and those of the verbs below it, each with the words that request it.
fn helps(words: &[&str]) -> Vec<(String, String)> {
    let help = lucena(&repository("."), &[words, &["--help"]].concat()).good();
    let below = help.split_once("Commands:\n").map_or("", |(_, below)| below);
    let below = below.lines().take_while(|line| !line.is_empty());
    let below = below.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let below = below.filter(|verb| !["", "help"].contains(verb));
    let mut all: Vec<(String, String)> =
        below.flat_map(|verb| helps(&[words, &[verb]].concat())).collect();
    all.push((words.join(" "), help));
    all
}

/// The page of options has all options that a help leaves out, and a help is short enough to be read at once.
#[test]
fn a_help_has_at_most_sixty_lines_and_names_the_page_of_options() {
    let page = lucena(&repository("."), &["help", "options"]).good();
    for (verb, help) in helps(&[]) {
        assert!(help.lines().count() <= 60, "{verb}: {} lines", help.lines().count());
        assert!(help.trim_end().ends_with("lucena help options"), "{verb}: {help}");
        let words: Vec<&str> = ["man"].into_iter().chain(verb.split_whitespace()).collect();
        let manual = lucena(&repository("."), &words).good().replace("\\-", "-");
        let left_out = options(&manual).difference(&options(&help)).cloned().collect();
        let left_out: BTreeSet<String> = left_out;
        assert!(options(&page).is_superset(&left_out), "{verb}: {left_out:?}");
    }
}

#[test]
fn every_shell_is_told_all_verbs() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = lucena(&repository("."), &["completions", shell]).good();
        for verb in VERBS {
            assert!(script.contains(verb), "{shell}: {verb}");
        }
    }
}

/// The commit is that of the checkout that the program was built from, checked with git.
#[test]
fn the_version_names_the_commit() {
    let said = lucena(&repository("."), &["--version"]).good();
    let version = said.trim_end().strip_prefix(concat!("lucena ", env!("CARGO_PKG_VERSION")));
    let version = version.unwrap_or_else(|| panic!("{said}"));
    if version.is_empty() {
        // Not built in a checkout.
        assert!(!repository(".git").exists(), "{said}");
        return;
    }
    let commit = version.trim_start_matches(" (").split(' ').next().expect("a commit");
    let mut git = Command::new("git");
    git.current_dir(repository(".")).args(["cat-file", "-e", commit]);
    let status = git.status().expect("git, which the program was built with");
    assert!(status.success(), "{commit} is no commit of this checkout");
}

#[test]
fn what_is_told_while_it_works_is_a_matter_of_taste() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = |arguments: &[&str], filter: Option<&str>| {
        let solve = ["solve", "KQvK", "--format", "json", "--tables", "tables"];
        let mut command = command(folder.path(), &[&solve, arguments].concat());
        filter.map(|filter| command.env("RUST_LOG", filter));
        finish(command)
    };
    let first = said(&["-v"], None);
    assert!(first.err.contains("solved an endgame material=KQvK"), "{}", first.err);
    assert_eq!(said(&[], None).err, "");
    assert_eq!(said(&["-v"], None).err.matches("KQvK").count(), 0, "reading is told by -vv");
    for told in [said(&["-vv"], None), said(&[], Some("lucena::tablebase=debug"))] {
        assert!(told.err.contains("read a table material=KQvK"), "{}", told.err);
    }
    assert_eq!(said(&[], Some("lucena::proof=trace")).err, "");
    let wrong = said(&[], Some("lucena=everything"));
    assert!(wrong.code == 2 && wrong.err.contains("RUST_LOG=lucena=everything"), "{}", wrong.err);
    let both = said(&["-v", "-q"], None);
    assert_eq!(both.code, 2, "{}", both.err);

    let learn = ["learn", "--folds", "0", "--out", "tree.json"];
    assert!(lucena(folder.path(), &learn).err.contains("wrote tree.json"));
    assert_eq!(lucena(folder.path(), &[&learn, ["-q"].as_slice()].concat()).err, "");
}
