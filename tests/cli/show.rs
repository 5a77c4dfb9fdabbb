//! `show`.

use super::{arguments, command, folder, lucena, lucena_in, mined, mined_tree, write};
use lucena_test_support::tables::material;

#[test]
fn show_prints_every_test_and_leaf() {
    let folder = folder();
    write(&folder.path().join("cart.json"), mined_tree());
    write(&folder.path().join("id3.json"), mined("data/KRvK.id3.json"));
    let cart = lucena_in(folder.path(), &["show", "cart.json"]).good();
    assert_eq!(cart.lines().filter(|line| line.contains("class: ")).count(), 5168);
    assert_eq!(cart.lines().filter(|line| line.contains(" <= ")).count(), 5167);
    assert_eq!(cart.lines().filter(|line| line.contains(" >  ")).count(), 5167);
    assert!(cart.lines().all(|line| line.trim_start_matches("|   ").starts_with("|--- ")));
    let id3 = lucena_in(folder.path(), &["show", "id3.json"]).good();
    assert!(id3.lines().all(|line| line.contains(" = ") != line.contains("class: ")), "by value");
    let stump = lucena_in(folder.path(), &["show", "cart.json", "--max-depth", "1"]).good();
    assert_eq!(stump.lines().count(), 4);
    assert_eq!(stump.matches("truncated branch of depth").count(), 2);
}

/// The same bytes as the library writes, even if they are not text.
#[test]
fn show_writes_what_other_tools_take() {
    use lucena::export::{Arrays, dot, onnx, svg, text};
    use lucena_codegen::{Language, emit};
    let folder = folder();
    write(&folder.path().join("cart.json"), mined_tree());
    let tree = &*lucena_test_support::trees::TREE;
    let source = |language| emit(tree, language).unwrap().into_bytes();
    let expected = [
        ("export-text|--max-depth|3", text(tree, Some(3)).into_bytes()),
        ("arrays", Arrays::new(tree).to_json().into_bytes()),
        ("dot", dot(tree, None).into_bytes()),
        ("svg", svg(tree, 4).into_bytes()),
        ("svg|--max-depth|2", svg(tree, 2).into_bytes()),
        ("onnx", onnx(tree)),
        ("c", source(Language::C)),
        ("python", source(Language::Python)),
        ("rust", source(Language::Rust)),
        ("javascript", source(Language::JavaScript)),
    ];
    for (asked, expected) in expected {
        let asked = format!("show|cart.json|--format|{asked}");
        let output =
            command(folder.path(), &arguments(&asked)).output().expect("the program can be run");
        assert!(output.status.success() && output.stderr.is_empty(), "{asked}");
        assert!(output.stdout == expected, "{asked}");
    }
}

/// Numeric grades are explained where they are printed, and only there.
#[test]
fn grades_are_explained_where_they_stand() {
    const LEGEND: &str =
        "the strong side plays the move with the lowest grade, and grade 1 is the best.";
    let counts = |arguments: &[&str]| {
        let out = lucena(arguments).good();
        (out.contains("grade "), out.matches(LEGEND).count())
    };
    for format in ["text", "svg"] {
        let show = |tree| counts(&["show", tree, "--format", format]);
        assert_eq!(show("data/trees/KRvK.win.json"), (true, 1), "{format}");
        assert_eq!(show("data/trees/KRvK.cart.json"), (false, 0), "{format}");
    }
    let fen = "8/8/8/3k4/8/8/8/K6R w";
    let explain = |more: &[&str]| {
        let out = lucena(&[&["explain", fen], more].concat()).good();
        let legend = "A rank is an order of preference, not a number of moves.";
        (out.contains(" of 54; 1 is best."), out.matches(legend).count())
    };
    assert_eq!(explain(&["--instead", "Rh4", "--instead", "Kb1"]), (true, 1));
    assert_eq!(explain(&["--player", "exact"]), (false, 0));
}

#[test]
fn show_prints_rules_for_a_lesson() {
    let folder = folder();
    write(&folder.path().join("cart.json"), mined_tree());
    let rules = lucena_in(folder.path(), &["show", "cart.json", "--format", "rules"]).good();
    assert!(rules.starts_with("# KRvK in "), "{}", &rules[..200]);
    assert!(rules.contains("## `sixteen`: mated in 16 moves\n"));
    assert!(rules.contains("(`kInCheck = 1`)") && rules.contains("the black king is in check"));
    assert_eq!(rules.matches("Otherwise.").count(), 1);
}

/// A measure is told in words. A format that it does not have is refused by a sentence that names those it has.
#[test]
fn show_tells_a_measure() {
    let file = "data/measures/KRvK.smallest.json";
    let policy = lucena::roster::BuiltIn::smallest_measure(material("KRvK"));
    let policy = policy.expect("this build carries it");
    assert_eq!(lucena(&["show", file]).good(), lucena::lesson::measure_text(&policy));
    let page = lucena::lesson::measure_rules_page(&policy).to_markdown();
    assert_eq!(lucena(&["show", file, "--format", "rules"]).good(), page);
    for (asked, words) in [
        (&["--format", "dot"], "there is no dot of a measure: a measure is shown as text, rules"),
        (&["--format", "onnx"], "there is no onnx of a measure: a measure is shown as text, rules"),
        (&["--max-depth", "3"], "a measure has no depth: leave --max-depth out"),
    ] {
        let ran = lucena(&[&["show", file][..], asked].concat());
        assert_eq!(ran.code, 2, "{asked:?}");
        assert!(ran.err.contains(words), "{asked:?}: {}", ran.err);
    }
}
