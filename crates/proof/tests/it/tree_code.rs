//! The source code of trees: in every language it computes the attributes of the library, and plays what the tree plays.

use lucena_attributes::AttributeSet;
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side, Square};
use lucena_codegen::{Language, c_header, emit};
use lucena_model::{Column, DecisionTree, Node, Origin, TreeHead};
use lucena_proof::policy::{Policy, TreePolicy};
use lucena_tablebase::Tablebase;
use lucena_test_support::programs::{Program, boards, some_boards, squares};
use lucena_test_support::reference_rules::Board;
use lucena_test_support::tables::{FOUR_MEN, KPVK, KQVK, KRVK, material};
use lucena_test_support::trees::checked_in;

/// The languages that are run without Node.
const HERE: [Language; 3] = [Language::Rust, Language::C, Language::Python];

/// The code after the emitted code: reads a line of squares, prints the move and the values of the attributes.
fn driver(language: Language, tree: &DecisionTree) -> String {
    let (name, columns) = (&tree.origin().material, tree.head().attributes.len());
    let men = name.len() - 1;
    match language {
        Language::Rust => format!(
            "fn main() {{ for line in std::io::stdin().lines() {{ let line = line.unwrap(); \
             let squares: Vec<u8> = line.split(' ').map(|word| word.parse().unwrap()).collect(); \
             let squares = <[u8; {men}]>::try_from(squares).unwrap(); \
             match choose(squares) {{ \
             Some((from, to, piece)) => print!(\"{{from}} {{to}} {{}}\", piece.unwrap_or('-')), \
             None => print!(\"none\") }} let found = attributes(squares); {} println!(); }} }}",
            tree.head()
                .attributes
                .iter()
                .map(|column| format!("print!(\" {{}}\", found.{}); ", column.name))
                .collect::<String>()
        ),
        Language::C => {
            let reads: String = (0..men)
                .map(|man| format!("if (scanf(\"%d\", &at[{man}]) != 1) return 0; "))
                .collect();
            let name = name.to_lowercase();
            format!(
                "#include <stdio.h>\nint main(void) {{ int at[{men}], values[{columns}]; for (;;) {{ {reads} \
                 int from, to, piece; if ({name}_move(at, &from, &to, &piece)) \
                 printf(\"%d %d %c\", from, to, piece ? piece : '-'); else printf(\"none\"); \
                 {name}_attributes(at, values); \
                 for (int one = 0; one < {columns}; one++) printf(\" %d\", values[one]); puts(\"\"); }} }}"
            )
        }
        Language::JavaScript => "import { readFileSync } from \"node:fs\";\n\
             for (const line of readFileSync(0, \"utf8\").trim().split(\"\\n\")) {\n\
             const squares = line.split(\" \").map(Number);\n\
             const move = (choose(squares) ?? [\"none\"]).map((part) => part ?? \"-\");\n\
             console.log([...move, ...attributes(squares)].join(\" \"));\n}\n"
            .into(),
        Language::Python => "import sys\nfor line in sys.stdin:\n    \
             squares = [int(word) for word in line.split()]\n    \
             print(*[\"-\" if part is None else part for part in choose(squares) or [\"none\"]], *attributes(squares))\n"
            .into(),
    }
}

/// The move of the tree and the values of its attributes with the weak side to move, on the representative.
fn expected(policy: &TreePolicy<'_>, board: &Board) -> String {
    let material = Policy::material(policy);
    let squares: Vec<Square> = board.men.iter().map(|man| Square::index(man.at.into())).collect();
    let position = |turn| Position::new(material, turn, &squares).unwrap();
    let mut answer = policy.choose(&position(Side::Strong)).map_or("none".into(), |mv| {
        let piece = mv.promotion.map_or("-".into(), |piece| piece.to_string());
        format!("{} {} {piece}", mv.from as u8, mv.to as u8)
    });
    let mut row = vec![0; policy.attributes().attributes().len()];
    let canonical = Group::new(material).canonical(&position(Side::Weak));
    policy.attributes().extract(&canonical, &mut row);
    row.iter().for_each(|value| answer += &format!(" {value}"));
    answer
}

/// Compares the answers of the code of a tree with those of the library.
fn check(tree: &DecisionTree, table: &Tablebase, languages: &[Language], boards: &[Board]) {
    let policy = TreePolicy::new(tree.clone(), table).unwrap();
    let expected: Vec<String> = boards.iter().map(|board| expected(&policy, board)).collect();
    let lines: String = boards.iter().map(|board| squares(board) + "\n").collect();
    for &language in languages {
        let source = emit(tree, language).unwrap();
        let program = Program::new(&source, &driver(language, tree), language.extension(), 1);
        let answers = program.answers(&lines);
        assert_eq!(answers.len(), boards.len());
        for ((board, answer), expected) in boards.iter().zip(&answers).zip(&expected) {
            assert_eq!(answer, expected, "{language:?} {}", board.fen());
        }
    }
}

#[test]
fn the_c_of_a_theory_plays_as_it_does() {
    check(&checked_in("KRvK.win.json"), &KRVK, &[Language::C], &some_boards("KRvK", 300));
}

#[test]
#[ignore = "slow, and needs Node: cargo test --workspace --release -- --include-ignored"]
fn the_code_of_trees_plays_as_they_do_in_every_language() {
    for (file, table) in
        [("KRvK.win.json", &KRVK), ("KQvK.win.json", &KQVK), ("KPvK.win.json", &KPVK)]
    {
        let tree = checked_in(file);
        let name = &tree.origin().material;
        let others = [Language::Rust, Language::C, Language::JavaScript];
        check(&tree, table, &others, &some_boards(name, 1_000));
        check(&tree, table, &[Language::Python], &some_boards(name, 15));
    }
    for file in ["KRvK.exact.json", "KRvK.cart.json"] {
        check(&checked_in(file), &KRVK, &HERE, &some_boards("KRvK", 15));
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_c_of_trees_plays_as_they_do_in_every_position_of_three_men() {
    for (file, table) in [
        ("KRvK.win.json", &KRVK),
        ("KRvK.exact.json", &KRVK),
        ("KQvK.win.json", &KQVK),
        ("KPvK.win.json", &KPVK),
    ] {
        let tree = checked_in(file);
        check(&tree, table, &[Language::C], &boards(&tree.origin().material, 1));
    }
}

/// A tree of an endgame that tests two attributes, the second by value.
fn tree(name: &str, attributes: [&str; 2], classes: [&str; 4]) -> DecisionTree {
    let columns = match AttributeSet::named(material(name), attributes) {
        Ok(set) => set.attributes().iter().map(|one| one.column()).collect(),
        Err(_) => attributes.map(|name| Column::new(name, 0, 9, "a number")).to_vec(),
    };
    let classes = classes.map(String::from).to_vec();
    let head = TreeHead { origin: Origin::new(name), attributes: columns, classes };
    let leaf = |class| Node::Leaf { class };
    let nodes = vec![
        Node::Threshold { attribute: 0, at_most: 2, below: 1, above: 2 },
        Node::ByValue { attribute: 1, children: vec![(1, 3), (2, 4), (3, 5)] },
        leaf(3),
        leaf(0),
        leaf(1),
        leaf(2),
    ];
    DecisionTree::new(head, nodes).unwrap()
}

/// Equal men, captures, positions without an answer, classes in any order.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_code_of_trees_plays_other_endgames() {
    for (name, attributes) in
        [("KBBvK", ["kCornerSteps", "B1B2Steps"]), ("KQvKR", ["KkSteps", "QrSteps"])]
    {
        let tree = tree(name, attributes, ["grade 7", "lost", "grade 2", "draw"]);
        let table = FOUR_MEN.tablebase(material(name), &NoObserver).unwrap();
        // The attributes are those of positions with the weak side to move.
        let mut boards = some_boards(name, 60);
        boards.retain(|board| !board.is_check(true));
        check(&tree, &table, &HERE, &boards);
    }
}

#[test]
fn what_is_missing_to_play_stands_in_the_head() {
    let grades = ["grade 1", "grade 2", "draw", "lost"];
    for (name, attributes, classes, reason) in [
        ("KRvK", ["KkSteps", "kNowhere"], grades, "kNowhere has no source code"),
        ("KPPvK", ["one", "other"], grades, "the rules of KPPvK have no source code"),
        ("KRvK", ["KkSteps", "kMoves"], ["a", "b", "c", "d"], "the classes do not rank the moves"),
    ] {
        let tree = tree(name, attributes, classes);
        for language in Language::ALL {
            let source = emit(&tree, language).unwrap();
            let words = source.split_whitespace().filter(|word| !["//", "//!", "#"].contains(word));
            let words = words.collect::<Vec<_>>().join(" ");
            let note = format!("The caller supplies the values of the attributes: {reason}");
            assert!(words.contains(&note), "{language:?}: {words}");
            assert!(!source.contains("choose") && !source.contains("_move("), "{language:?}");
        }
    }
}

#[test]
fn the_header_declares_all_functions() {
    let tree = checked_in("KPvK.win.json");
    let header = c_header(&tree).unwrap();
    for line in [
        "extern const char *const kpvk_classes[78];",
        "int kpvk_class(const int values[38], int *answer);",
        "void kpvk_attributes(const int squares[3], int values[38]);",
        "int kpvk_move(const int squares[3], int *from, int *to, int *promotion);",
    ] {
        assert!(header.lines().any(|one| one == line), "{line}\n{header}");
    }
    assert!(!header.contains("enum"), "{header}");
    for language in Language::ALL {
        for line in emit(&tree, language).unwrap().lines() {
            assert!(line.trim_end() == line, "{line}");
        }
    }
}
