//! The structure of the source: who may ask for whom, and what is deliberately absent.

use crate::cases::{cases, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What one module may use and never may.
struct Rule {
    may: BTreeSet<String>,
    never: BTreeSet<String>,
}

/// By module, or by file where a file has a line of its own.
fn rules() -> BTreeMap<String, Rule> {
    let words = |text: &str| text.split_whitespace().map(String::from).collect();
    cases("structure.csv")
        .into_iter()
        .map(|[place, may, never]| (place, Rule { may: words(&may), never: words(&never) }))
        .collect()
}

/// All that a place may use: itself, what is listed, what those may use, less what it never may.
fn allowed(rules: &BTreeMap<String, Rule>, place: &str) -> BTreeSet<String> {
    let rule = &rules[place];
    let mut all: BTreeSet<String> = rule.may.clone();
    let mut open: Vec<String> = rule.may.iter().cloned().collect();
    while let Some(module) = open.pop() {
        for more in &rules[&module].may {
            if all.insert(more.clone()) {
                open.push(more.clone());
            }
        }
    }
    all.retain(|module| !rule.never.contains(module));
    all.insert(module_of(place).into());
    all
}

/// `player/tablebase.rs` and `player.rs` belong to `player`.
fn module_of(file: &str) -> &str {
    let first = file.split('/').next().expect("a part");
    first.strip_suffix(".rs").unwrap_or(first)
}

/// Modules that a source names by `crate::`, with the line of each; comments do not count.
fn uses(source: &str) -> Vec<(usize, String)> {
    let code: Vec<&str> = source
        .lines()
        .map(|line| if line.trim_start().starts_with("//") { "" } else { line })
        .collect();
    let code = code.join("\n");
    let mut uses = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find("crate::") {
        let at = from + found;
        from = at + "crate::".len();
        let before = code[..at].chars().next_back();
        if before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let line = code[..at].lines().count().max(1);
        let rest = &code[from..];
        let word = |text: &str| -> String {
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
        };
        if !rest.starts_with('{') {
            uses.push((line, word(rest)));
            continue;
        }
        // A group: the first word of each part at the first level.
        let mut depth = 0;
        let mut starts = Vec::new();
        for (place, letter) in rest.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 1 && (letter == '{' || letter == ',') {
                starts.push(place + 1);
            }
            if depth == 0 {
                break;
            }
        }
        let words = starts.into_iter().map(|start| word(&rest[start..]));
        uses.extend(words.filter(|word| !word.is_empty()).map(|word| (line, word)));
    }
    uses
}

/// What is wrong with one file of `src`, a sentence each.
fn violations(rules: &BTreeMap<String, Rule>, file: &str, source: &str) -> Vec<String> {
    let place = if rules.contains_key(file) { file } else { module_of(file) };
    if !rules.contains_key(place) {
        return vec![format!("src/{file}: the module {place} is not in tests/data/structure.csv")];
    }
    let allowed = allowed(rules, place);
    let listed: Vec<&str> = allowed.iter().map(String::as_str).collect();
    uses(source)
        .into_iter()
        // Names that are no modules come from lib.rs.
        .filter(|(_, module)| rules.contains_key(module) && !allowed.contains(module))
        .map(|(line, module)| {
            format!("src/{file}:{line} uses crate::{module}, it may use: {}", listed.join(", "))
        })
        .collect()
}

/// Rust files below a folder, by their path in it.
fn rust_files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(&path).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder).expect("it is below");
                let name = name.to_string_lossy().replace('\\', "/");
                files.insert(name, std::fs::read_to_string(&path).expect("text"));
            }
        }
    }
    files
}

#[test]
fn modules_ask_only_for_what_is_upstream() {
    let rules = rules();
    let files = rust_files(&repository("src"));
    assert!(files.len() > 20, "{} files", files.len());
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for (file, source) in &files {
        if file != "lib.rs" && file != "main.rs" {
            wrong.extend(violations(&rules, file, source));
            looked_at += uses(source).len();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(looked_at > 30, "{looked_at} uses were found");
}

#[test]
fn a_use_of_something_downstream_is_found() {
    let rules = rules();
    let found = |file, source: &str| violations(&rules, file, source).join("\n");
    let sentence =
        "src/attributes.rs:2 uses crate::tablebase, it may use: attributes, chess, symmetry";
    assert_eq!(
        found("attributes.rs", "use std::fmt;\nuse crate::tablebase::Tablebase;\n"),
        sentence
    );
    assert_eq!(found("attributes.rs", "\nlet x = crate::tablebase::solve();\n"), sentence);
    let group = "\nuse crate::{\n    chess::{Position, learn},\n    tablebase,\n};\n";
    assert_eq!(found("attributes.rs", group), sentence);
    assert_eq!(found("attributes.rs", "// use crate::tablebase;\n/// crate::learn\n"), "");
    assert_eq!(found("attributes.rs", "pub(crate) use crate::chess::Side;"), "");
    assert!(found("learn/cart.rs", "use crate::chess::Square;").contains("src/learn/cart.rs:1"));
    assert!(found("learn.rs", "use crate::tablebase::Outcome;").contains("crate::tablebase"));
    assert!(
        found("player/built_in.rs", "use crate::tablebase::Outcome;").contains("built_in.rs:1")
    );
    assert_eq!(found("player/tablebase.rs", "use crate::tablebase::Outcome;"), "");
    assert!(found("proof.rs", "use crate::learn::Cart;").contains("crate::learn"));
    assert!(found("news.rs", "").contains("not in tests/data/structure.csv"));
}

/// Lines of code outside the command line that hold one of some words.
fn lines_with(files: &BTreeMap<String, String>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for (file, source) in files {
        for (number, line) in source.lines().enumerate() {
            let is_code = !line.trim_start().starts_with("//");
            if is_code && words.iter().any(|word| line.contains(word)) {
                found.push(format!("{file}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    found
}

#[test]
fn only_the_command_line_prints() {
    let mut files = rust_files(&repository("src"));
    files.retain(|file, _| file != "main.rs" && module_of(file) != "cli");
    let words = [
        "println!",
        "print!(",
        "dbg!",
        "stdout",
        "stderr",
        "anyhow",
        "indicatif",
        "anstream",
        "clap",
        "std::env",
        "std::process",
    ];
    assert_eq!(lines_with(&files, &words), Vec::<String>::new());
    let example = BTreeMap::from([("x.rs".to_owned(), "// print!(\n    println!();\n".to_owned())]);
    assert_eq!(lines_with(&example, &words), ["x.rs:2: println!();"]);
}

/// Their order would change from run to run.
#[test]
fn no_hash_map_decides_what_is_learned_or_generated() {
    let mut files = rust_files(&repository("src"));
    files.retain(|file, _| module_of(file) == "learn");
    assert!(files.len() > 4);
    let codegen = rust_files(&repository("codegen/src"));
    assert!(codegen.len() > 4);
    for files in [files, codegen] {
        assert_eq!(lines_with(&files, &["HashMap", "HashSet"]), Vec::<String>::new());
    }
}

#[test]
fn codegen_and_generated_depend_on_nothing_of_ours() {
    for name in ["codegen", "generated"] {
        let manifest = std::fs::read_to_string(repository(name).join("Cargo.toml")).unwrap();
        // The packages' own names are "lucena-codegen" and "lucena-generated", in quotes.
        let ours: Vec<&str> = manifest
            .lines()
            .filter(|line| line.starts_with("lucena") || line.contains("path = \"..\""))
            .collect();
        assert_eq!(ours, Vec::<&str>::new(), "{name}");
        let files = rust_files(&repository(name).join("src"));
        assert_eq!(lines_with(&files, &["lucena::"]), Vec::<String>::new());
    }
}
