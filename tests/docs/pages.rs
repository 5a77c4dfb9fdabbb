//! The book: every console in it is run, and gives the output below it.

use crate::cli::command;
use lucena_test_support::cases::repository;
use std::collections::BTreeSet;
use std::env::{join_paths, split_paths};
use std::path::{Path, PathBuf};

/// A fenced block of a page.
struct Block {
    language: String,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let (mut blocks, mut open): (Vec<Block>, Option<Block>) = (Vec::new(), None);
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                open = Some(Block { language: language.into(), lines: Vec::new() });
            }
            (None, Some(block)) => block.lines.push(line.into()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    blocks
}

/// README and the pages of the book.
fn pages() -> Vec<PathBuf> {
    let docs = std::fs::read_dir(repository("docs")).expect("a folder").flatten();
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.path()).filter(is_page).collect();
    pages.push(repository("README.md"));
    pages.sort();
    pages
}

/// The commands of a console, each with its expected output.
fn commands(lines: &[String]) -> Vec<(&str, Vec<&str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in lines {
        match line.strip_prefix("$ ") {
            Some(command) => commands.push((command, Vec::new())),
            None => commands.last_mut().expect("a command comes first").1.push(line),
        }
    }
    commands
}

/// Returns true if the output has these lines in this order. Other lines are allowed only in place of dots.
fn answers(said: &str, wanted: &[&str]) -> bool {
    let said: Vec<&str> = said.lines().collect();
    let (mut at, mut may_skip) = (0, false);
    for part in wanted {
        if part.trim() == "..." {
            may_skip = true;
            continue;
        }
        let found = said[at..].iter().position(|line| line.trim_end() == part.trim_end());
        match found {
            Some(0) => at += 1,
            Some(later) if may_skip => at += later + 1,
            _ => return false,
        }
        may_skip = false;
    }
    may_skip || at == said.len()
}

/// Runs the consoles of a page in one folder with the strategies of this project, as a reader would.
fn assert_is_true(page: &Path) {
    let folder = tempfile::tempdir().expect("a folder");
    for from in ["data/strategies", "data/parts"] {
        let to = folder.path().join(from);
        std::fs::create_dir_all(&to).expect("a folder");
        for entry in std::fs::read_dir(repository(from)).expect("a folder").flatten() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a file");
        }
    }
    let text = std::fs::read_to_string(page).expect("a page");
    for block in blocks(&text).iter().filter(|block| block.language == "console") {
        for (line, wanted) in commands(&block.lines) {
            let lucena = command(folder.path(), &[]);
            let program = Path::new(lucena.get_program()).parent().expect("a folder");
            let known = std::env::var_os("PATH").unwrap_or_default();
            let path = join_paths([program.to_owned()].into_iter().chain(split_paths(&known)));
            let mut shell = std::process::Command::new("sh");
            shell.arg("-c").arg(line).current_dir(folder.path());
            for (name, value) in lucena.get_envs() {
                match value {
                    Some(value) => shell.env(name, value),
                    None => shell.env_remove(name),
                };
            }
            let output = shell.env("PATH", path.expect("a path")).output().expect("a shell");
            let said = String::from_utf8(output.stdout).expect("text");
            let told = String::from_utf8_lossy(&output.stderr);
            let place = format!("{}: {line}", page.display());
            assert!(output.status.success(), "{place}\n{told}");
            assert!(answers(&said, &wanted), "{place}\nanswers:\n{said}\n{told}");
        }
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_console_in_the_book_answers_what_stands_below_it() {
    let pages = pages();
    let asked =
        |page: &&PathBuf| std::fs::read_to_string(page).is_ok_and(|t| t.contains("\n```console"));
    assert!(pages.iter().filter(asked).count() >= 3, "the book has tutorials");
    pages.iter().for_each(|page| assert_is_true(page));
}

/// Every fenced block is of a known kind, which is either tested or not to be run.
#[test]
fn every_block_says_what_it_is() {
    // `sh` needs more than this program and a shell: tests/tools/book.py runs it.
    let known = BTreeSet::from(["console", "rust", "text", "toml", "json", "sh", "python"]);
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        for Block { language, lines } in blocks(&text) {
            let (page, first) = (page.display(), lines.first());
            assert!(known.contains(language.as_str()), "{page}: {language:?}: {first:?}");
            let has_command = lines.iter().any(|line| line.starts_with("$ "));
            assert!(!has_command || language == "console", "{page}: a command in {language}");
        }
    }
}

/// The table of contents leads to every page, and otherwise only to pages that the program writes.
#[test]
fn the_table_of_contents_has_every_page() {
    let contents = std::fs::read_to_string(repository("docs/SUMMARY.md")).expect("a page");
    let links = contents.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let listed: BTreeSet<String> = links.map(Into::into).collect();
    let build = std::fs::read_to_string(repository("docs/build.sh")).expect("a script");
    for page in pages().iter().filter(|page| page.parent() == Some(&repository("docs"))) {
        let name = page.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || listed.contains(&name), "{name} is not in SUMMARY.md");
    }
    for name in listed {
        let stem = name.split(['-', '.']).next().expect("a name");
        assert!(
            repository("docs").join(&name).exists() || build.contains(&format!("/{stem}")),
            "{name}"
        );
    }
}
