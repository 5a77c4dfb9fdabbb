//! Generated code: it agrees with the trees in every position, byte for byte; no function exceeds its
//! size limit; and the emitted code compiles and answers as the tree does.

use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Side;
use lucena::dataset::Positions;
use lucena::learn::{CartParams, Id3Params, Learner, Limits};
use lucena::symmetry::Group;
use lucena::tablebase::Index;
use lucena_codegen::{FunctionSize, Language, RegenerateError, emit_tree, regenerate, stale};
use lucena_generated::{TREES, krvk_cart};
use lucena_model::{Column, Node, Origin, TreeHead};
use lucena_test_support::cases::{random, repository};
use lucena_test_support::reference_rules;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, material, rows};
use lucena_test_support::trees::{TREE, checked_in, save, trees};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const MENDED_BY: &str = "run \"cargo run -p lucena-codegen\"";

/// The Rust files in a folder by name, with their content.
fn sources(folder: &Path) -> BTreeMap<String, String> {
    let mut sources = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        sources.insert(name, std::fs::read_to_string(&path).expect("text"));
    }
    sources
}

#[test]
fn generated_code_is_what_the_trees_say() {
    let (trees, out) = (repository("data/trees"), repository("generated/src"));
    let folder = tempfile::tempdir().unwrap();
    let done = regenerate(&trees, folder.path(), FunctionSize::default()).unwrap();
    let (expected, found) = (sources(folder.path()), sources(&out));
    let names = |sources: &BTreeMap<String, String>| sources.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected), "{MENDED_BY}");
    for (name, text) in &expected {
        assert!(found[name] == *text, "{name}: {MENDED_BY}");
    }
    let files = std::fs::read_dir(&trees).unwrap().count();
    assert_eq!((done.modules, expected.len()), (files, files + 1));
    let text = emit_tree(&TREE, Language::Rust, FunctionSize::default());
    assert!(found["krvk_cart.rs"] == text, "{MENDED_BY}");
    assert_eq!(stale(&trees, &out, FunctionSize::default()).unwrap(), []);
}

#[test]
fn stale_files_are_found_and_mended() {
    let folder = tempfile::tempdir().unwrap();
    let (trees, out) = (folder.path().join("trees"), folder.path().join("src"));
    std::fs::create_dir(&trees).unwrap();
    let size = FunctionSize::default();
    let limits = Limits { max_depth: Some(2), min_rows: 2, max_leaves: None };
    let tree = CartParams::default().limits(limits).check().unwrap().learn(&KRVK_ROWS).unwrap();
    assert!(matches!(stale(&trees, &out, size), Err(RegenerateError::NoTrees(_))));
    save(&tree, &trees.join("KRvK.small.json")).unwrap();
    let names = |stale: Vec<lucena_codegen::StaleFileError>| -> Vec<String> {
        let name = |file: &lucena_codegen::StaleFileError| {
            assert!(file.to_string().contains(MENDED_BY), "{file}");
            file.0.file_name().unwrap().to_string_lossy().into_owned()
        };
        stale.iter().map(name).collect()
    };
    let all = || names(stale(&trees, &out, size).unwrap());
    assert_eq!(all(), ["krvk_small.rs", "lib.rs"]);
    assert_eq!(regenerate(&trees, &out, size).unwrap().changed.len(), 2);
    assert!(all().is_empty());
    // Edited by hand, left over, missing.
    let module = std::fs::read_to_string(out.join("krvk_small.rs")).unwrap();
    std::fs::write(out.join("krvk_small.rs"), format!("{module}// by hand")).unwrap();
    std::fs::write(out.join("krvk_old.rs"), &module).unwrap();
    std::fs::write(out.join("notes.txt"), "no Rust").unwrap();
    assert_eq!(all(), ["krvk_small.rs", "krvk_old.rs"]);
    assert_eq!(regenerate(&trees, &out, size).unwrap().changed.len(), 2);
    assert!(all().is_empty() && out.join("notes.txt").exists());
    assert!(!out.join("krvk_old.rs").exists());
    // Files of others are not removed, and nothing else is changed either.
    std::fs::write(out.join("mine.rs"), "// by hand").unwrap();
    std::fs::write(out.join("krvk_small.rs"), format!("{module}// by hand")).unwrap();
    let before = sources(&out);
    let refused = regenerate(&trees, &out, size);
    assert!(matches!(refused, Err(RegenerateError::Foreign(_))), "{refused:?}");
    assert_eq!(sources(&out), before);
    std::fs::remove_file(out.join("mine.rs")).unwrap();
    assert_eq!(regenerate(&trees, &out, size).unwrap().changed.len(), 1);
    std::fs::remove_file(out.join("lib.rs")).unwrap();
    assert_eq!(all(), ["lib.rs"]);
    assert_eq!(regenerate(&trees, &out, size).unwrap().changed, [out.join("lib.rs")]);
    assert_eq!(regenerate(&trees, &out, size).unwrap().changed, Vec::<std::path::PathBuf>::new());
    // A damaged tree changes nothing.
    let before = sources(&out);
    std::fs::write(trees.join("KQvK.small.json"), "{").unwrap();
    assert!(matches!(regenerate(&trees, &out, size), Err(RegenerateError::Load(_))));
    assert_eq!(sources(&out), before);
    // Trees whose names do not make module names change nothing either.
    for name in ["KQvK.small.json", "lib.json", "9.json", "krvk.small.json", "fn.json"] {
        std::fs::remove_file(trees.join("KQvK.small.json")).ok();
        save(&tree, &trees.join(name)).unwrap();
        let result = regenerate(&trees, &out, size);
        match name {
            "KQvK.small.json" => assert_eq!(result.unwrap().modules, 2),
            _ => assert!(matches!(result, Err(RegenerateError::Name { .. })), "{name}: {result:?}"),
        }
        std::fs::remove_file(trees.join(name)).unwrap();
    }
}

#[test]
fn generated_code_agrees_with_the_tree_on_every_position() {
    let tree = TREES.iter().find(|tree| tree.name == "krvk_cart").expect("the default tree");
    let dataset = rows(&KRVK, Selection::Geometric, Positions::Full);
    let mut row = [0; 24];
    let mut all = Vec::new();
    for at in 0..dataset.rows() {
        dataset.row(at, &mut row);
        let class = (tree.classify)(&row);
        assert_eq!(class, TREE.classify(&row), "row {at}");
        all.push(row);
    }
    let mut together = vec![None; all.len()];
    krvk_cart::classify_batch(&all, &mut together);
    for (row, class) in all.iter().zip(together) {
        assert_eq!(class.map(|class| class as u8), TREE.classify(row), "{row:?}");
    }
    assert_eq!(dataset.rows(), 223_944);
    // Representatives are the rows that the tree was learned from and that the player classifies.
    for at in 0..KRVK_ROWS.rows() {
        KRVK_ROWS.row(at, &mut row);
        assert_eq!((tree.classify)(&row), Some(KRVK_ROWS.targets()[at]), "row {at}");
    }
    assert_eq!((tree.classify)(&row[..23]), None);
    assert_eq!((tree.classify)(&[0; 25]), None);
}

/// Compares the two forms of a module with the tree that it was made from, on every canonical position.
macro_rules! check_module {
    ($module:ident, $file:literal) => {{
        use lucena_generated::$module::{Attributes, classify, classify_batch};
        let tree = checked_in($file);
        let set =
            AttributeSet::named(material(&tree.origin().material), Attributes::NAMES).unwrap();
        let index = Index::new(set.material(), Group::new(set.material()));
        let positions = (0..index.len()).filter_map(|at| index.position(at, Side::Weak));
        let row = |position| {
            let mut row = [0; Attributes::NAMES.len()];
            set.extract(&position, &mut row);
            row
        };
        let rows: Vec<_> = positions.map(row).collect();
        let mut together = vec![None; rows.len()];
        classify_batch(&rows, &mut together);
        for (row, class) in rows.into_iter().zip(together) {
            assert_eq!(class, classify(&row.into()), "{}: {row:?}", $file);
            assert_eq!(class.map(|class| class as u8), tree.classify(&row), "{}: {row:?}", $file);
        }
        stringify!($module)
    }};
}

#[test]
fn batches_agree_with_the_trees_on_every_canonical_position() {
    let checked = [
        check_module!(kpvk_win, "KPvK.win.json"),
        check_module!(kqvk_cart, "KQvK.cart.json"),
        check_module!(kqvk_exact, "KQvK.exact.json"),
        check_module!(kqvk_optimal, "KQvK.optimal.json"),
        check_module!(kqvk_win, "KQvK.win.json"),
        check_module!(kqvk_win33, "KQvK.win33.json"),
        check_module!(krvk_cart, "KRvK.cart.json"),
        check_module!(krvk_exact, "KRvK.exact.json"),
        check_module!(krvk_geometric, "KRvK.geometric.json"),
        check_module!(krvk_optimal, "KRvK.optimal.json"),
        check_module!(krvk_win, "KRvK.win.json"),
        check_module!(krvk_win33, "KRvK.win33.json"),
    ];
    assert_eq!(checked.to_vec(), TREES.iter().map(|tree| tree.name).collect::<Vec<_>>());
}

#[test]
#[should_panic(expected = "there is a class for each row")]
fn a_batch_without_room_for_its_classes_is_refused() {
    krvk_cart::classify_batch(&[[0; 24]; 9], &mut [None; 8]);
}

#[test]
fn both_sides_have_the_attributes_in_one_order() {
    for tree in TREES {
        // Learned trees use all attributes; the others use those that they need, in the same order.
        let is_learned = tree.name.ends_with("_cart");
        let selection = if is_learned { Selection::Geometric } else { Selection::All };
        let set = AttributeSet::new(material(tree.material), selection);
        let mut names = set.attributes().iter().map(|attribute| attribute.name());
        assert!(
            tree.attributes.iter().all(|&name| names.any(|known| known == name)),
            "{}",
            tree.name
        );
        assert!(!is_learned || tree.attributes.len() == set.attributes().len(), "{}", tree.name);
    }
    let ours = TREES.iter().find(|tree| tree.name == "krvk_cart").expect("the default tree");
    assert_eq!(ours.tree_sha256, TREE.sha256());
    assert_eq!(ours.leaves, TREE.leaves());
    assert_eq!(ours.classes, TREE.head().classes);
    assert_eq!(ours.classes, KRVK_ROWS.classes());
    assert!(TREES.is_sorted_by(|one, other| one.name < other.name));
}

/// Readable code: one item per line, but short tests on one line. The layout is that of prettyplease 0.3,
/// which wrote the expected text.
#[test]
fn code_is_laid_out_as_people_write_it() {
    let head = TreeHead {
        origin: Origin::new("KRvK"),
        attributes: vec![
            Column::new("x", 0, 3, ""),
            Column::new("kDistanceToTheNearestEdge", 0, 9, ""),
        ],
        classes: vec!["lost".into(), "won in 2".into(), "7".into()],
    };
    let leaf = |class| Node::Leaf { class };
    let threshold =
        |attribute, at_most, below, above| Node::Threshold { attribute, at_most, below, above };
    let by_value = |attribute, children| Node::ByValue { attribute, children };
    let nodes = vec![
        by_value(0, vec![(0, 1), (1, 2), (2, 5), (3, 10)]),
        leaf(0),
        threshold(0, 0, 3, 4),
        leaf(1),
        leaf(2),
        threshold(1, 0, 6, 7),
        leaf(0),
        threshold(1, 4, 8, 9),
        leaf(1),
        leaf(2),
        threshold(1, 7, 11, 12),
        threshold(0, 1, 13, 14),
        by_value(1, vec![(8, 15)]),
        leaf(0),
        leaf(1),
        leaf(2),
    ];
    let tree = DecisionTree::new(head, nodes).expect("a sound tree");
    let text = |leaves| emit_tree(&tree, Language::Rust, FunctionSize::new(leaves).unwrap());
    for (leaves, expected) in [(128, ONE_FUNCTION), (3, FOUR_FUNCTIONS)] {
        let text = text(leaves);
        let code = &text[text.find("pub fn").expect("a function")..];
        assert_eq!(&code[..code.find("/// The classes of many").expect("a batch")], expected);
    }
    let names = r#"    pub const NAMES: [&'static str; 3] = ["lost", "won in 2", "7"];"#;
    assert!(text(128).lines().any(|line| line == names));
}

const ONE_FUNCTION: &str = "\
pub fn classify(a: &Attributes) -> Option<Class> {
    match a.x {
        0 => Some(Class::Lost),
        1 => if a.x == 0 { Some(Class::WonIn2) } else { Some(Class::Class2) }
        2 => {
            if a.kDistanceToTheNearestEdge == 0 {
                Some(Class::Lost)
            } else if a.kDistanceToTheNearestEdge <= 4 {
                Some(Class::WonIn2)
            } else {
                Some(Class::Class2)
            }
        }
        3 => {
            if a.kDistanceToTheNearestEdge <= 7 {
                if a.x <= 1 { Some(Class::Lost) } else { Some(Class::WonIn2) }
            } else {
                match a.kDistanceToTheNearestEdge {
                    8 => Some(Class::Class2),
                    _ => None,
                }
            }
        }
        _ => None,
    }
}
";

const FOUR_FUNCTIONS: &str = "\
pub fn classify(a: &Attributes) -> Option<Class> {
    match a.x {
        0 => Some(Class::Lost),
        1 => node_2(a),
        2 => node_5(a),
        3 => node_10(a),
        _ => None,
    }
}
fn node_2(a: &Attributes) -> Option<Class> {
    if a.x == 0 { Some(Class::WonIn2) } else { Some(Class::Class2) }
}
fn node_5(a: &Attributes) -> Option<Class> {
    if a.kDistanceToTheNearestEdge == 0 {
        Some(Class::Lost)
    } else if a.kDistanceToTheNearestEdge <= 4 {
        Some(Class::WonIn2)
    } else {
        Some(Class::Class2)
    }
}
fn node_10(a: &Attributes) -> Option<Class> {
    if a.kDistanceToTheNearestEdge <= 7 {
        if a.x <= 1 { Some(Class::Lost) } else { Some(Class::WonIn2) }
    } else {
        match a.kDistanceToTheNearestEdge {
            8 => Some(Class::Class2),
            _ => None,
        }
    }
}
";

/// Uses the module by fields and variants, as an engine author does.
#[test]
fn the_module_is_used_by_name() {
    use lucena_generated::krvk_cart::{Attributes, Class, classify};
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let mated: lucena::chess::Position = "8/8/8/8/8/R7/8/k1K5 b - - 0 1".parse().unwrap();
    let mut row = [0; 24];
    set.extract(&mated, &mut row);
    let attributes = Attributes::from(row);
    assert_eq!((attributes.KkOppositionDistance, attributes.kCanMove), (2, 0));
    assert_eq!(classify(&attributes), Some(Class::Zero));
    let at = reference_rules::number([0, 2, 18]);
    let longest = reference_rules::position(material("KRvK"), Side::Weak, at).unwrap();
    set.extract(&longest, &mut row);
    assert_eq!(classify(&row.into()), Some(Class::Fifteen));
    assert_eq!(Class::NAMES[Class::Fifteen as usize], "fifteen");
}

/// The number of leaves and calls in each function of a module.
fn function_sizes(source: &str) -> Vec<usize> {
    let mut sizes = Vec::new();
    let bodies = source.split(": &Attributes) -> Option<Class> {").skip(1);
    for body in bodies {
        let end = body.find("\n}").expect("it ends");
        let body = &body[..end];
        sizes.push(body.matches("Some(Class::").count() + body.matches("(a)").count());
    }
    sizes
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn functions_keep_their_bound() {
    for leaves in [2, 3, 7, 128, 1_000, 10_000] {
        let source = emit_tree(&TREE, Language::Rust, FunctionSize::new(leaves).unwrap());
        let sizes = function_sizes(&source);
        let largest = *sizes.iter().max().expect("a function");
        assert!(largest <= leaves, "{largest} of {leaves}");
        // Each leaf occurs once, and each function except the first is called once.
        let one_by_one = &source[..source.find("/// The classes of many").expect("a batch")];
        assert_eq!(one_by_one.matches("Some(Class::").count(), TREE.leaves());
        assert_eq!(one_by_one.matches("(a)").count(), sizes.len() - 1);
        assert_eq!(sizes.iter().sum::<usize>(), TREE.leaves() + sizes.len() - 1);
        // The pieces are no smaller than necessary: at least half full on average.
        assert!(leaves > 1_000 || sizes.iter().sum::<usize>() * 3 >= sizes.len() * leaves);
    }
    for leaves in [0, 1, FunctionSize::MAX + 1, usize::MAX] {
        let refused = FunctionSize::new(leaves).unwrap_err();
        assert!(refused.to_string().contains(&leaves.to_string()), "{refused}");
    }
    assert_eq!(FunctionSize::default().leaves(), 128);
}

proptest! {
    #![proptest_config(random(60))]

    /// A test by value can have more children than the limit; its function then has only calls.
    #[test]
    fn functions_of_any_tree_keep_their_bound(tree in trees(), leaves in 2_usize..20) {
        let source = emit_tree(&tree, Language::Rust, FunctionSize::new(leaves).unwrap());
        let widest = tree.nodes().iter().map(|node| node.children().count()).max().unwrap_or(0);
        let sizes = function_sizes(&source);
        prop_assert!(sizes.iter().all(|&size| size <= leaves.max(widest)), "{sizes:?}");
        prop_assert_eq!(sizes.iter().sum::<usize>(), tree.leaves() + sizes.len() - 1);
        prop_assert_eq!(emit_tree(&tree, Language::Rust, FunctionSize::new(leaves).unwrap()), source);
    }

    /// Large functions and arrays are written without prettyplease, so it must leave them as they are.
    #[test]
    fn code_of_any_tree_is_laid_out_like_that_of_prettyplease(
        tree in trees(),
        leaves in 2_usize..200,
        names in prop::collection::vec((1_usize..50, 1_usize..60), 9),
    ) {
        let (mut head, nodes) = (tree.head().clone(), tree.nodes().to_vec());
        for (column, (letters, _)) in head.attributes.iter_mut().zip(&names) {
            column.name.push_str(&"y".repeat(*letters));
        }
        for (class, (_, letters)) in head.classes.iter_mut().zip(&names) {
            class.push_str(&"z".repeat(*letters));
        }
        let tree = DecisionTree::new(head, nodes).expect("longer names are as good");
        let source = emit_tree(&tree, Language::Rust, FunctionSize::new(leaves).unwrap());
        let file = syn::parse_file(&source).expect("Rust");
        prop_assert_eq!(prettyplease::unparse(&file), source);
    }
}

#[test]
fn provenance_stands_in_the_head_and_nothing_else() {
    let source = emit_tree(&TREE, Language::Rust, FunctionSize::default());
    let head: String = source.lines().take_while(|line| line.starts_with("//!")).collect();
    for part in ["KRvK", "cart", "entropy", &TREE.sha256(), &TREE.origin().dataset_sha256] {
        assert!(head.contains(part), "{part}");
    }
    assert!(head.contains("@generated"));
    assert!(!source.contains(env!("CARGO_MANIFEST_DIR")), "no path");
}

/// Compiles modules, each with its input rows, and returns their answers for each row: the number of
/// the class, or `None`.
fn compiled_answers(modules: &[(String, &[Vec<u8>])]) -> Vec<Vec<Option<u8>>> {
    let folder = tempfile::tempdir().unwrap();
    let mut main = String::from("use std::io::Read;\n");
    for (number, (source, _)) in modules.iter().enumerate() {
        std::fs::write(folder.path().join(format!("m{number}.rs")), source).unwrap();
        main += &format!("mod m{number};\n");
    }
    main += "fn main() {\n    let mut all = Vec::new();\n";
    main += "    std::io::stdin().read_to_end(&mut all).unwrap();\n    let mut rest = all.as_slice();\n";
    for (number, (_, rows)) in modules.iter().enumerate() {
        let (rows, module) = (rows.len(), format!("m{number}"));
        main += &format!(
            "    {{\n\
             \x20       const COLUMNS: usize = {module}::Attributes::NAMES.len();\n\
             \x20       let (rows, more) = rest.split_at({rows} * COLUMNS);\n\
             \x20       rest = more;\n\
             \x20       let rows: Vec<[u8; COLUMNS]> =\n\
             \x20           rows.chunks(COLUMNS).map(|row| row.try_into().unwrap()).collect();\n\
             \x20       let mut together = vec![None; rows.len()];\n\
             \x20       {module}::classify_batch(&rows, &mut together);\n\
             \x20       for (row, together) in rows.into_iter().zip(together) {{\n\
             \x20           assert_eq!(together, {module}::classify(&row.into()), \"{{row:?}}\");\n\
             \x20           match together {{\n\
             \x20               Some(class) => println!(\"{{}}\", class as u8),\n\
             \x20               None => println!(\"-\"),\n\
             \x20           }}\n        }}\n    }}\n"
        );
    }
    main += "    assert!(rest.is_empty());\n}\n";
    let [source, program] = ["main.rs", "program"].map(|name| folder.path().join(name));
    std::fs::write(&source, main).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(["--edition", "2024", "-D", "warnings", "-A", "dead_code", "-o"])
        .arg(&program)
        .arg(&source)
        .output()
        .expect("rustc runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let rows = folder.path().join("rows");
    let bytes: Vec<u8> = modules.iter().flat_map(|(_, rows)| rows.concat()).collect();
    std::fs::write(&rows, bytes).unwrap();
    let output = Command::new(&program)
        .stdin(std::fs::File::open(&rows).unwrap())
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut answers = text.lines().map(|line| line.parse::<u8>().ok());
    let answers =
        modules.iter().map(|(_, rows)| answers.by_ref().take(rows.len()).collect()).collect();
    assert_eq!(text.lines().count(), modules.iter().map(|(_, rows)| rows.len()).sum::<usize>());
    answers
}

/// Compiles trees and compares their answers with the trees'.
fn check_compiled(trees: &[DecisionTree], size: usize, rows: &[Vec<Vec<u8>>]) {
    let size = FunctionSize::new(size).unwrap();
    let modules: Vec<(String, &[Vec<u8>])> = trees
        .iter()
        .zip(rows)
        .map(|(tree, rows)| (emit_tree(tree, Language::Rust, size), rows.as_slice()))
        .collect();
    for ((tree, rows), answers) in trees.iter().zip(rows).zip(compiled_answers(&modules)) {
        assert_eq!(answers.len(), rows.len());
        for (row, answer) in rows.iter().zip(answers) {
            assert_eq!(answer, tree.classify(row), "{row:?} by\n{}", tree.to_json());
        }
    }
}

fn all_rows() -> Vec<Vec<u8>> {
    let mut row = vec![0; 24];
    (0..KRVK_ROWS.rows())
        .map(|at| {
            KRVK_ROWS.row(at, &mut row);
            row.clone()
        })
        .collect()
}

#[test]
fn emitted_code_compiles_and_answers_as_the_tree() {
    let limits = Limits { max_depth: Some(4), min_rows: 2, max_leaves: None };
    let mut compiled = vec![
        Id3Params::default().limits(limits).check().unwrap().learn(&KRVK_ROWS).unwrap(),
        CartParams::default().limits(limits).check().unwrap().learn(&KRVK_ROWS).unwrap(),
    ];
    let mut asked = vec![all_rows(), all_rows()];
    // Random trees and random rows.
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..12 {
        let tree = trees().new_tree(&mut runner).unwrap().current();
        // Within the domains: a tree need not answer outside them.
        let attributes = tree.head().attributes.iter();
        let row: Vec<_> = attributes.map(|attribute| attribute.low..=attribute.high).collect();
        let rows = prop::collection::vec(row, 200).new_tree(&mut runner).unwrap().current();
        compiled.push(tree);
        asked.push(rows);
    }
    check_compiled(&compiled, 6, &asked);
}

/// More answers than fit into a byte, columns past the 256th, and values outside their domains.
#[test]
fn batches_of_unusual_trees_answer_as_the_tree() {
    let columns = |count: usize, high: u8| {
        let column = |number| Column::new(format!("x{number}"), 0, high, "");
        (0..count).map(column).collect::<Vec<_>>()
    };
    let classes: Vec<String> = (0..256).map(|number| format!("class {number}")).collect();
    let head = |attributes, classes| TreeHead { attributes, classes, ..TreeHead::default() };
    // One test with a child for nearly every value.
    let values: Vec<u8> = (0..=255).filter(|value| value % 50 != 7).collect();
    let children = values.iter().zip(1..).map(|(&value, node)| (value, node)).collect();
    let mut nodes = vec![Node::ByValue { attribute: 1, children }];
    nodes.extend(values.iter().map(|&class| Node::Leaf { class }));
    let wide = DecisionTree::new(head(columns(2, 255), classes.clone()), nodes).unwrap();
    let rows_of_wide = (0..=255).map(|value| vec![255 - value, value]).collect();
    // A test of the last of 300 columns, and a tree without a test.
    let test = Node::Threshold { attribute: 299, at_most: 0, below: 1, above: 2 };
    let nodes = vec![test, Node::Leaf { class: 255 }, Node::Leaf { class: 0 }];
    let long = DecisionTree::new(head(columns(300, 1), classes.clone()), nodes).unwrap();
    let row = |last: u8| [vec![3; 299], vec![last]].concat();
    let rows_of_long = (0..=20).map(|last| row(last % 3)).collect();
    let leaf = vec![Node::Leaf { class: 3 }];
    let leaf = DecisionTree::new(head(Vec::new(), classes), leaf).unwrap();
    check_compiled(&[wide, long], 6, &[rows_of_wide, rows_of_long]);
    assert!(emit_tree(&leaf, Language::Rust, FunctionSize::default()).contains("rows: &[[u8; 0]]"));
}

/// Runs a command that must succeed without a word on standard error, and returns its output.
fn quiet(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{command:?}: {said}");
    String::from_utf8(output.stdout).expect("text")
}

/// The answers of a tree's code in C or Python, compiled with all warnings as errors.
fn strict_answers(tree: &DecisionTree, language: Language, rows: &[Vec<u8>]) -> Vec<Option<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let source = emit_tree(tree, language, FunctionSize::default());
    let listed: Vec<String> = rows
        .iter()
        // C has no empty list.
        .map(|row| row.iter().chain([&0]).map(u8::to_string).collect::<Vec<_>>().join(", "))
        .collect();
    let printed = match language {
        Language::C => {
            let strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", "-o"];
            std::fs::write(path("alone.c"), &source).unwrap();
            quiet(Command::new("cc").args(strict).args([path("alone.o"), path("alone.c")]));
            let asked = listed.iter().map(|row| {
                format!(
                    "{{ int row[] = {{{row}}}, class; \
                     if (krvk_class(row, &class)) printf(\"%d\\n\", class); else puts(\"-\"); }}\n"
                )
            });
            let asked: String = asked.collect();
            let whole =
                format!("#include <stdio.h>\n{source}\nint main(void) {{\n{asked}return 0;\n}}\n");
            std::fs::write(path("whole.c"), whole).unwrap();
            quiet(Command::new("cc").arg("-o").args([path("whole"), path("whole.c")]));
            quiet(&mut Command::new(path("whole")))
        }
        Language::Python => {
            let asked = listed.iter().map(|row| {
                format!("found = classify([{row}])\nprint('-' if found is None else found)\n")
            });
            std::fs::write(path("whole.py"), source + "\n" + &asked.collect::<String>()).unwrap();
            quiet(Command::new("python3").args(["-W", "error"]).arg(path("whole.py")))
        }
        _ => unreachable!("Rust has a test of its own, and JavaScript is run by exports.py"),
    };
    printed.lines().map(|line| line.parse().ok()).collect()
}

/// Code of the smallest trees has parameters without a use, and tests without a rest.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn small_trees_compile_without_a_warning() {
    let columns = |count: usize| {
        let column = |number| Column::new(format!("x{number}"), 0, 255, "");
        (0..count).map(column).collect::<Vec<_>>()
    };
    let tree = |attributes: usize, nodes: Vec<Node>| {
        let head = TreeHead {
            origin: Origin::new("KRvK"),
            attributes: columns(attributes),
            classes: (0..3).map(|class| format!("class {class}")).collect(),
        };
        DecisionTree::new(head, nodes).expect("a sound tree")
    };
    let leaf = |class| Node::Leaf { class };
    let threshold = |at_most| Node::Threshold { attribute: 0, at_most, below: 1, above: 2 };
    let by_value = |values: &[u8]| {
        let children = values.iter().copied().zip(1..).collect();
        let leaves = values.iter().map(|value| leaf(value % 3));
        std::iter::once(Node::ByValue { attribute: 0, children }).chain(leaves).collect()
    };
    let nested = vec![
        Node::ByValue { attribute: 0, children: vec![(1, 1), (2, 2)] },
        Node::ByValue { attribute: 1, children: vec![(0, 3)] },
        Node::ByValue { attribute: 0, children: vec![(1, 4)] },
        leaf(0),
        leaf(1),
    ];
    let trees = [
        tree(2, vec![leaf(1)]),
        tree(2, vec![threshold(0), leaf(0), leaf(2)]),
        tree(2, vec![threshold(7), leaf(2), leaf(0)]),
        tree(1, by_value(&[9])),
        tree(2, by_value(&[0, 1])),
        tree(1, by_value(&(0..=255).collect::<Vec<u8>>())),
        tree(2, nested),
    ];
    let rows = |tree: &DecisionTree| -> Vec<Vec<u8>> {
        let first = [0, 1, 2, 7, 8, 9, 255];
        let columns = tree.head().attributes.len();
        first.map(|first| [first, 0][..columns].to_vec()).to_vec()
    };
    let asked: Vec<Vec<Vec<u8>>> = trees.iter().map(rows).collect();
    check_compiled(&trees, 2, &asked);
    let without_columns = tree(0, vec![leaf(1)]);
    for (tree, rows) in trees.iter().zip(&asked).chain([(&without_columns, &vec![vec![]])]) {
        let expected: Vec<Option<u8>> = rows.iter().map(|row| tree.classify(row)).collect();
        for language in [Language::C, Language::Python] {
            let found = strict_answers(tree, language, rows);
            assert_eq!(found, expected, "{language:?} of {}", tree.to_json());
        }
        // A library, as a person compiles a single file.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tree.rs");
        std::fs::write(&path, emit_tree(tree, Language::Rust, FunctionSize::default())).unwrap();
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let checks = ["--edition=2024", "-Dwarnings", "--crate-type=lib", "--emit=metadata"];
        quiet(Command::new(rustc).args(checks).arg(&path).current_dir(folder.path()));
    }
}

/// The code of a valid tree compiles, whatever the names of its attributes and classes.
fn check_names(attribute: &str, classes: &[&str]) {
    let head = TreeHead {
        origin: Origin { maker: "by */ hand".into(), ..Origin::new("KRvK\n*/") },
        attributes: vec![Column::new(attribute, 0, 1, "*/ \" \\ {} \n over two lines")],
        classes: classes.iter().map(|&class| class.into()).collect(),
    };
    let children = (0..2).map(|value| (value, u32::from(value) + 1)).collect();
    let nodes = vec![
        Node::ByValue { attribute: 0, children },
        Node::Leaf { class: 0 },
        Node::Leaf { class: classes.len() as u8 - 1 },
    ];
    let tree = DecisionTree::new(head, nodes).expect("names that are not refused");
    check_compiled(&[tree], 2, &[vec![vec![0], vec![1], vec![2]]]);
}

#[test]
fn classes_may_be_called_anything() {
    check_names("x", &["-", "Self", "self", "fn", "7", "é", "a b", "a-b", "A B", "\"", "\\"]);
}

#[test]
fn classes_that_look_like_stand_ins_compile() {
    check_names("x", &["class1", "-"]);
    check_names("x", &["-", "class0", "Class-2"]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn attributes_that_look_like_the_modules_own_names_compile() {
    check_names("a", &["no", "Some", "None", "Option", "Class"]);
    check_names("u8", &["u8", "str"]);
    check_names("NAMES", &["Attributes"]);
}

#[test]
fn attributes_may_be_called_like_constructors() {
    check_names("None", &["yes", "no"]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_whole_tree_by_value_compiles_and_answers_rightly() {
    let tree = Id3Params::default().check().unwrap().learn(&KRVK_ROWS).unwrap();
    check_compiled(&[tree], 128, &[all_rows()]);
}

#[test]
fn the_generated_crate_needs_nothing() {
    let manifest = std::fs::read_to_string(repository("generated/Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let own = dependencies.split("\n[").next().unwrap_or_default().trim();
    assert_eq!(own, "", "no dependencies");
    let library = std::fs::read_to_string(repository("generated/src/lib.rs")).unwrap();
    assert!(library.contains("#![no_std]"));
}
