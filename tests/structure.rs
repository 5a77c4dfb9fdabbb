//! The structure of the source, as far as Cargo and clippy do not enforce it: no cycles between the files of a
//! crate, and what is deliberately absent.

use lucena_test_support::cases::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A dependency of a file: the path as written, and whether it is only re-exported.
struct Use {
    path: Vec<String>,
    is_handed_on: bool,
    /// The local name, if it is a `use`.
    name: Option<String>,
}

/// All dependencies of a source, by `use` or by a path within code. Comments are ignored.
fn uses(source: &str) -> Vec<Use> {
    let code: Vec<&str> = source
        .lines()
        .map(|line| if line.trim_start().starts_with("//") { "" } else { line })
        .collect();
    let (mut uses, mut at, mut is_within) = (Vec::new(), 0, false);
    while at < code.len() {
        // In a module within the file, `super` is the file itself.
        let opens =
            code[at].ends_with('{') && code[at].trim_start_matches("pub ").starts_with("mod ");
        is_within = (is_within || opens) && code[at] != "}";
        let seen = |mut path: Vec<String>| {
            if is_within && path[0] == "super" {
                path[0] = if path.get(1).is_some_and(|word| word == "super") { "" } else { "self" }
                    .into();
                path.retain(|word| !word.is_empty());
            }
            path
        };
        let words = code[at].trim_start();
        let is_handed_on = words.starts_with("pub");
        let visible = words.strip_prefix("pub").map_or(words, |rest| {
            let rest = rest.trim_start();
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |cut| cut.1)
        });
        if let Some(first) = visible.trim_start().strip_prefix("use ") {
            let mut text = first.to_owned();
            while !text.contains(';') && at + 1 < code.len() {
                at += 1;
                text += code[at];
            }
            for (path, name) in branches(text.trim_end_matches(|c| c != ';').trim_end_matches(';'))
            {
                uses.push(Use { path: seen(path), is_handed_on, name: Some(name) });
            }
        } else {
            uses.extend(paths_in(code[at]).into_iter().map(|path| Use {
                path: seen(path),
                is_handed_on: false,
                name: None,
            }));
        }
        at += 1;
    }
    uses
}

/// The paths of a use tree, `a::{b, c::d as e}`, each with its local name.
fn branches(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path: Vec<String> = path.split("::").map(|word| word.trim().to_owned()).collect();
        let last = path.last().cloned().unwrap_or_default();
        return vec![(path, if name.is_empty() { last } else { name.trim().into() })];
    };
    let stem: Vec<String> = tree[..open]
        .split("::")
        .map(|word| word.trim().to_owned())
        .filter(|w| !w.is_empty())
        .collect();
    let inner = &tree[open + 1..tree.rfind('}').expect("a group ends")];
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for letter in inner.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("a part").push(letter);
    }
    let inner = parts.iter().filter(|part| !part.trim().is_empty()).flat_map(|part| branches(part));
    inner.map(|(path, name)| (stem.iter().cloned().chain(path).collect(), name)).collect()
}

/// The paths in a line of code that begin with `crate` or `super`.
fn paths_in(line: &str) -> Vec<Vec<String>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut paths = Vec::new();
    for (at, _) in line.match_indices("::") {
        let head = line[..at].rsplit(|c| !is_word(c)).next().unwrap_or("");
        let before = line[..at - head.len()].ends_with("::");
        if before || !["crate", "super"].contains(&head) {
            continue;
        }
        let rest = &line[at - head.len()..];
        let end = rest.find(|c: char| !is_word(c) && c != ':').unwrap_or(rest.len());
        paths.push(rest[..end].split("::").map(String::from).collect());
    }
    paths
}

/// The files of a crate, as modules that know their names and re-exports.
struct Crate {
    /// The dependencies of each file.
    files: BTreeMap<String, Vec<Use>>,
}

impl Crate {
    /// The crate of a folder's sources, without test modules.
    fn new(sources: &BTreeMap<String, String>) -> Self {
        let own = sources.iter().filter(|(file, _)| !file.ends_with("tests.rs"));
        Self { files: own.map(|(file, source)| (file.clone(), uses(source))).collect() }
    }

    /// The file of a module.
    fn file(&self, module: &[String]) -> Option<&str> {
        let name = if module.is_empty() { "lib".into() } else { module.join("/") };
        self.files.get_key_value(&format!("{name}.rs")).map(|(file, _)| file.as_str())
    }

    /// The file of the crate that defines the item of a path, seen from another file; `None` if the path is
    /// not of this crate.
    fn resolve(&self, from: &str, path: &[String]) -> Option<String> {
        self.resolve_within(from, path, 0)
    }

    fn resolve_within(&self, from: &str, path: &[String], depth: usize) -> Option<String> {
        assert!(depth < 20, "{from}: {path:?} leads to itself");
        let name = from.strip_suffix(".rs").expect("a Rust file");
        let own: Vec<String> =
            if name == "lib" { vec![] } else { name.split('/').map(String::from).collect() };
        let (mut module, mut rest) = match path.first().map(String::as_str)? {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (own, &path[1..]),
            "super" => {
                let ups = path.iter().take_while(|word| *word == "super").count();
                (own[..own.len().checked_sub(ups)?].to_vec(), &path[ups..])
            }
            first => {
                let child: Vec<String> = own.iter().cloned().chain([first.to_owned()]).collect();
                self.file(&child)?;
                (child, &path[1..])
            }
        };
        while let Some(next) = rest.first() {
            let child: Vec<String> = module.iter().chain([next]).cloned().collect();
            if self.file(&child).is_none() {
                break;
            }
            (module, rest) = (child, &rest[1..]);
        }
        let file = self.file(&module)?;
        let Some(name) = rest.first() else { return Some(file.into()) };
        let is_it = |used: &&Use| used.name.as_ref() == Some(name) && used.path[0] != "self";
        let alias = self.files[file].iter().find(is_it);
        match alias {
            // An imported or re-exported item is defined elsewhere, or in another crate.
            Some(alias) => self.resolve_within(file, &alias.path, depth + 1),
            None => Some(file.into()),
        }
    }

    /// The other files that each file's code needs. Re-exports are not needs.
    fn needs(&self) -> BTreeMap<&str, BTreeSet<String>> {
        let needs = |(file, uses): (&'_ String, &'_ Vec<Use>)| {
            let needed = uses.iter().filter(|used| !used.is_handed_on);
            needed
                .filter_map(|used| self.resolve(file, &used.path))
                .filter(|other| other != file && other != "lib.rs")
                .collect()
        };
        self.files.iter().map(|entry| (entry.0.as_str(), needs(entry))).collect()
    }

    /// Groups of files that need one another, directly or indirectly.
    fn circles(&self) -> Vec<Vec<String>> {
        let needs = self.needs();
        let reached = |start: &str| {
            let (mut reached, mut open) = (BTreeSet::new(), vec![start.to_owned()]);
            while let Some(file) = open.pop() {
                for next in needs.get(file.as_str()).into_iter().flatten() {
                    if reached.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            reached
        };
        let reached: BTreeMap<&str, BTreeSet<String>> =
            needs.keys().map(|&file| (file, reached(file))).collect();
        let mut circles: Vec<Vec<String>> = Vec::new();
        for (&file, others) in &reached {
            let is_mutual = |other: &&String| reached[other.as_str()].contains(file);
            let circle: Vec<String> = others.iter().filter(is_mutual).cloned().collect();
            if circle.first().is_some_and(|first| first == file) && circle.len() > 1 {
                circles.push(circle);
            }
        }
        circles
    }
}

/// Rust files below a folder, by relative path.
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

/// A crate of some files, each with its source.
fn example(files: &[(&str, &str)]) -> Crate {
    let of = |&(file, source): &(&str, &str)| (file.to_owned(), source.to_owned());
    Crate::new(&files.iter().map(of).collect())
}

#[test]
fn a_circle_between_files_is_found() {
    let a_and_b =
        |a, b| example(&[("m.rs", "mod a;\nmod b;\npub use b::B;"), ("m/a.rs", a), ("m/b.rs", b)]);
    let circle = vec![vec!["m/a.rs".to_owned(), "m/b.rs".to_owned()]];
    assert_eq!(a_and_b("use super::b::B;", "use super::a::A;").circles(), circle);
    assert_eq!(a_and_b("use crate::m::B;", "fn f() { super::a::f() }").circles(), circle);
    assert_eq!(a_and_b("use super::B;", "use std::fmt;").circles(), Vec::<Vec<String>>::new());
    let parent =
        example(&[("m.rs", "mod a;\nuse a::A;\npub struct P;"), ("m/a.rs", "use super::P;")]);
    assert_eq!(parent.circles().len(), 1);
}

/// Lines of code outside the command line that contain one of some words.
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

/// The folders of all crates.
fn crates() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(repository("crates")).expect("a folder");
    let folders = folders.map(|entry| entry.expect("an entry").path());
    let others = [".", "codegen"].map(repository);
    let libraries = folders.filter(|folder| folder.join("src/lib.rs").exists());
    let mut crates: Vec<PathBuf> = libraries.chain(others).collect();
    crates.sort();
    assert!(crates.len() > 20, "{} crates", crates.len());
    crates
}

/// The one circle: a policy can say which of three kinds it is, and the kinds are policies.
const KINDS_OF_POLICY: [&str; 4] =
    ["policy/measure.rs", "policy/model.rs", "policy/strategy.rs", "policy/tree.rs"];

#[test]
fn files_do_not_need_one_another_in_a_circle() {
    let circles_of = |folder: PathBuf| {
        let circles = Crate::new(&rust_files(&folder.join("src"))).circles();
        circles
            .into_iter()
            .filter(|files| *files != KINDS_OF_POLICY)
            .map(move |files| format!("{}: {}", folder.display(), files.join(" <-> ")))
    };
    let circles: Vec<String> = crates().into_iter().flat_map(circles_of).collect();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

/// The manifests hold the direction of data. These crates must never ask for those, and why.
#[test]
fn crates_depend_on_no_more_than_they_need() {
    let reached = |start: &str| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![start.to_owned()]);
        while let Some(name) = open.pop() {
            for next in dependencies(&name) {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached
    };
    for (name, never, why) in [
        (
            "attributes",
            &["tablebase", "dataset", "learn"][..],
            "an attribute that knows the answer is leakage",
        ),
        (
            "search",
            &["tablebase", "dataset", "learn"],
            "the value of search is measured, not helped",
        ),
        ("proof", &["learn"], "a proof does not depend on who made the tree"),
        ("theory", &["learn"], "a theory is searched for, not learned"),
        ("strategy", &["learn"], "a strategy is searched for, not learned"),
        ("rules", &["learn", "proof"], "a rule is about who wins, whoever plays"),
        ("generated", &["base", "model"], "generated code is made to be taken alone"),
        ("codegen", &["generated", "proof"], "what makes generated code does not link it"),
        ("explain", &["theory", "strategy", "measure"], "a reason is told without a search"),
        ("uci", &["theory", "strategy", "measure"], "an engine plays models, and finds none"),
        ("report", &["serve"], "a report is data, whoever sends it"),
    ] {
        for other in never {
            assert!(!reached(name).contains(*other), "{name} depends on {other}: {why}");
        }
    }
    // Learners see numbers only. The data set that they take brings the rest along.
    let learn = dependencies("learn");
    assert!(learn.is_disjoint(&["attributes", "chess", "tablebase"].map(String::from).into()));
}

/// The crates of this project that a crate depends on directly, tests apart.
fn dependencies(name: &str) -> BTreeSet<String> {
    let folders = [repository("crates").join(name), repository(name)];
    let folder = folders.iter().find(|folder| folder.exists()).expect("a crate");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
    let lines = manifest.lines().skip_while(|line| *line != "[dependencies]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.strip_prefix("lucena-")?.split(['.', ' ']).next());
    names.map(String::from).collect()
}

/// clippy refuses `print!` and its like outside the command line; this finds handles and the environment.
#[test]
fn only_the_command_line_prints() {
    let words = ["stdout", "stderr", "std::env", "std::process"];
    // Three files start programs and talk to them through pipes, one looks up the folder for temporary files, and one
    // writes what a caller sends to the path of standard output.
    let exempt =
        ["engine/process.rs", "supervise.rs", "server/jobs.rs", "temporary.rs", "stream.rs"];
    for folder in crates().into_iter().filter(|folder| folder.starts_with(repository("crates"))) {
        let mut files = rust_files(&folder.join("src"));
        files.retain(|name, _| !exempt.contains(&name.as_str()));
        assert_eq!(lines_with(&files, &words), Vec::<String>::new(), "{}", folder.display());
    }
    let example =
        BTreeMap::from([("x.rs".to_owned(), "// stdout\n    io::stdout();\n".to_owned())]);
    assert_eq!(lines_with(&example, &words), ["x.rs:2: io::stdout();"]);
}

/// The order of hash maps would change from run to run.
#[test]
fn no_hash_map_decides_what_is_learned_or_generated() {
    for folder in ["crates/learn/src", "codegen/src"] {
        let files = rust_files(&repository(folder));
        assert!(files.len() > 4);
        assert_eq!(lines_with(&files, &["HashMap", "HashSet"]), Vec::<String>::new());
    }
}

/// Cargo compiles a library once more for the tests in its code, unless the manifest switches them off; then the gate
/// names the library. Slow tests are looked for in test programs alone.
#[test]
fn libraries_with_tests_in_their_code_are_compiled_for_them_and_no_others() {
    let steps = std::fs::read_to_string(repository(".ci/steps.sh")).expect("the gate's steps");
    let tested = steps.split_once("\nunit_tests() {").expect("a step").1;
    let tested: Vec<_> = tested.split_once('}').expect("its end").0.split_whitespace().collect();
    for folder in crates() {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let is_off = manifest.get("lib").and_then(|lib| lib.get("test")) == Some(&false.into());
        let mut files = rust_files(&folder.join("src"));
        files.remove("main.rs");
        let tests = lines_with(&files, &["#[test]", "proptest!"]);
        let name = manifest["package"]["name"].as_str().expect("a name");
        let is_named = tested.windows(2).any(|words| words == ["--package", name]);
        assert_eq!(tests.is_empty() || is_named, is_off, "{}: {tests:?}", folder.display());
        assert_eq!(lines_with(&files, &["#[ignore"]), Vec::<String>::new(), "{}", folder.display());
    }
}
