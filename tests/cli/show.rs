//! `show`.

use super::{arguments, command, folder, lucena, lucena_in, mined, mined_tree, write};
use lucena_test_support::cases::repository;
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
    let theory = ["--player", "theory", "--instead", "Rh4", "--instead", "Kb1"];
    assert_eq!(explain(&theory), (true, 1));
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

/// Without a file and in an empty folder.
#[test]
fn what_the_program_carries_has_a_name() {
    let folder = folder();
    let list = lucena_in(folder.path(), &["show", "--list"]).good();
    let of_rook = lucena_in(folder.path(), &["show", "--list", "KRvK"]).good();
    let known = |folder: &str| {
        let files = std::fs::read_dir(repository(&format!("data/{folder}"))).expect("a folder");
        files.count()
    };
    assert_eq!(list.lines().count(), known("trees") + known("strategies") + known("measures"));
    assert!(of_rook.lines().all(|line| line.starts_with("KRvK ") && list.contains(line)));
    for line in list.lines() {
        let [material, player] = [0, 1].map(|at| line.split_whitespace().nth(at).expect("a word"));
        let ask = ["show", material, "--player", player, "--max-depth", "1"];
        let shown = lucena_in(folder.path(), &ask);
        let is_tree = player.starts_with("tree:");
        assert_eq!(shown.code, if is_tree { 0 } else { 2 }, "{line}: {}", shown.err);
    }
    for (asked, same) in [
        ("KRvK|--player|strategy", "data/strategies/KRvK.smallest.json"),
        ("KRvK", "data/strategies/KRvK.smallest.json"),
        ("KBNvK", "data/measures/KBNvK.smallest.json"),
        ("KRvK|--player|strategy:ahead", "data/strategies/KRvK.ahead.json"),
        ("KRvK|--player|measure:near", "data/measures/KRvK.near.json"),
        ("KPvK|--player|theory", "data/trees/KPvK.win.json"),
        ("--player|tree:win33", "data/trees/KRvK.win33.json"),
        ("KQvK|--player|learned", "data/trees/KQvK.cart.json"),
    ] {
        for format in ["text", "c", "c-header"] {
            let ask = format!("show|{asked}|--format|{format}");
            let ask = arguments(&ask);
            let file = repository(same).display().to_string();
            let read = ["show", file.as_str(), "--format", format];
            let read = lucena_in(folder.path(), &read).good();
            assert_eq!(lucena_in(folder.path(), &ask).good(), read, "{asked}");
        }
    }
    let ask = arguments("prove|--player|tree:win33|--format|json");
    let json = lucena_in(folder.path(), &ask).json(0);
    assert_eq!((&json["won"], &json["leaves"]), (&175_168.into(), &67.into()));
}

/// The header declares what the source defines, in C and in C++.
#[test]
fn c_sources_have_headers() {
    let folder = folder();
    for (material, player, call) in [
        (
            "KRvK",
            "theory",
            "int row[35] = {0}, answer; return krvk_class(row, &answer) > 1 || !krvk_classes[0];",
        ),
        (
            "KPvK",
            "strategy",
            "int men[3] = {4, 60, 12}, a, b, c; return kpvk_move(men, &a, &b, &c) != 1;",
        ),
        (
            "KRvK",
            "measure",
            "int men[3] = {4, 60, 0}, score; krvk_move_t moves[KRVK_MOST_MOVES]; return krvk_moves(men, moves, &score) < 1;",
        ),
    ] {
        for (format, file) in [("c", "a.c"), ("c-header", "a.h")] {
            let ask = ["show", material, "--player", player, "--format", format];
            write(&folder.path().join(file), lucena_in(folder.path(), &ask).good());
        }
        write(
            &folder.path().join("main.c"),
            format!("#include \"a.h\"\n#include \"a.h\"\nint main(void) {{ {call} }}\n"),
        );
        let flags = "-std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Werror";
        let build = format!(
            "cc {flags} -c a.c && cc {flags} main.c a.o -o main && ./main && c++ -Wall -Wextra -Werror -x c++ main.c -x none a.o -o plus && ./plus"
        );
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &build]).current_dir(folder.path());
        let output = shell.output().expect("a shell");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{material} {player}: {err}");
    }
}
