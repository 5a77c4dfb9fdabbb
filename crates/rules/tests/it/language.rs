//! The files of rules.

use lucena_chess::Side;
use lucena_rules::{Claim, RuleList};

const FILE: &str = r#"material = "KRPvKR"

[[rules]]
name = "third-rank"
title = "The rook defends on the third rank"
source = "Philidor, Analyse du jeu des échecs, 1777"
claim = "draw"
turn = "black"
when = ["rRank = 6", "PRank <= 4 or PRank = 5", "2 <= kPSteps <= 4", "KFile >= c"]

[[rules]]
name = "always"
claim = "win"
when = []
"#;

#[test]
fn a_file_is_read_and_written_as_it_was() {
    let list = RuleList::from_toml(FILE).expect("rules");
    assert_eq!(list.material().to_string(), "KRPvKR");
    let [philidor, always] = list.rules() else { panic!("two rules") };
    assert_eq!((philidor.claim, philidor.turn), (Claim::Draw, Some(Side::Weak)));
    let clauses: Vec<String> = philidor.clauses.iter().map(|one| list.clause(one)).collect();
    assert_eq!(
        clauses,
        ["rRank = 6", "PRank <= 4 or PRank = 5", "2 <= kPSteps <= 4", "KFile >= c"]
    );
    assert_eq!((always.claim, always.turn, always.clauses.len()), (Claim::Win, None, 0));
    let again = RuleList::from_toml(&list.to_toml()).expect("what it writes");
    assert_eq!(again, list);
}

#[test]
fn a_file_says_what_holds_otherwise_and_what_is_held_out() {
    let head = "material = \"KRPvKR\"\nheld-out = [\"PFile = b or PFile = d\", \"rRank = 6\"]\notherwise = \"win\"";
    let list = RuleList::from_toml(&FILE.replace("material = \"KRPvKR\"", head)).expect("rules");
    assert_eq!(list.otherwise(), Some(Claim::Win));
    let held_out: Vec<String> = list.held_out().iter().map(|one| list.clause(one)).collect();
    assert_eq!(held_out, ["PFile = b or PFile = d", "rRank = 6"]);
    let same = list.with_used_attributes();
    assert_eq!(
        RuleList::from_toml(&same.to_toml()).expect("what it writes").to_toml(),
        list.to_toml()
    );
    let nothing = list.hold_out::<&str>(&[]).expect("nothing to read");
    assert!(nothing.held_out().is_empty() && !nothing.to_toml().contains("held-out"));
}

/// Each fault, planted into a correct file, with what the error says.
const FAULTS: [(&str, &str, &str); 17] = [
    ("KRPvKR", "KRPKR", "did you mean KRPvKR?"),
    ("KRPvKR", "KRRPvKR", "\"KRRPvKR\" has too many men: at most 5"),
    ("material =", "endgame =", "unknown field `endgame`"),
    ("claim = \"draw\"\n", "", "missing field `claim`"),
    ("\"draw\"", "\"loss\"", "unknown variant `loss`, expected `win` or `draw`"),
    ("\"black\"", "\"weak\"", "unknown variant `weak`, expected `white` or `black`"),
    ("\"always\"", "\"third-rank\"", "two rules are called \"third-rank\""),
    ("\"always\"", "\"\"", "\"\" cannot be the name of a rule: use letters"),
    ("\"always\"", "\"a|b\"", "\"a|b\" cannot be the name of a rule"),
    ("rRank = 6", "xRank = 6", "rule \"third-rank\": KRPvKR has no attribute xRank"),
    ("rRank = 6", "rRank = 9", "rule \"third-rank\": rRank is never 9: its values are 1 to 8"),
    ("KFile >= c", "KFile >= k", "KFile is never k: its values are a to h"),
    ("rRank = 6", "rRank == 6", "\"rRank == 6\" is not a comparison"),
    ("rRank = 6", "rRank", "\"rRank\" is not a comparison"),
    ("KRPvKR\"", "KRPvKR\"\notherwise = \"loss\"", "unknown variant `loss`"),
    ("KRPvKR\"", "KRPvKR\"\nheld-out = [\"PFile = k\"]", "held-out: PFile is never k"),
    ("2 <= kPSteps <= 4", "4 <= kPSteps <= 2", "\"4 <= kPSteps <= 2\" never holds"),
];

#[test]
fn an_error_says_what_is_wrong_and_where() {
    for (correct, fault, expected) in FAULTS {
        let error = RuleList::from_toml(&FILE.replace(correct, fault)).expect_err(fault);
        assert!(error.to_string().contains(expected), "{fault}: {error}");
    }
    let error = RuleList::from_toml("material = \"KRPvKR\"").expect_err("no rules");
    assert_eq!(error.to_string(), "the list has no rules: add one under [[rules]]");
}
