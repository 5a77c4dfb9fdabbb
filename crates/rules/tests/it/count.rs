//! The records of rules, against a plain count over squares.

use lucena_base::progress::NoObserver;
use lucena_chess::{Position, Side};
use lucena_rules::{Claim, Example, ListCounts, RuleList, count};
use lucena_tablebase::{Metric, TableFolder};
use lucena_tablebase::{Outcome, Tablebase, Wdl};

pub(crate) fn table(name: &str) -> Tablebase {
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    folder.tablebase(name.parse().expect("a material"), &NoObserver).expect("nobody stops it")
}

/// All positions of king and pawn against king with the pawn on the files a to d, as squares: the king, the enemy king, the
/// pawn, and the side to move.
pub(crate) fn positions() -> impl Iterator<Item = ([u8; 3], Side)> {
    let squares = (0..64_u8).flat_map(|king| (0..64).map(move |enemy| (king, enemy)));
    let squares = squares.flat_map(|(king, enemy)| (8..56).map(move |pawn| [king, enemy, pawn]));
    let turns = squares.flat_map(|squares| Side::ALL.map(|turn| (squares, turn)));
    turns.filter(|&([king, enemy, pawn], turn)| {
        let is_apart = king != pawn && enemy != pawn && distance(king, enemy) > 1;
        let is_attacked = pawn / 8 + 1 == enemy / 8 && (pawn % 8).abs_diff(enemy % 8) == 1;
        pawn % 8 < 4 && is_apart && !(is_attacked && turn == Side::Strong)
    })
}

/// The moves of a king between two squares.
pub(crate) fn distance(one: u8, other: u8) -> u8 {
    (one / 8).abs_diff(other / 8).max((one % 8).abs_diff(other % 8))
}

pub(crate) fn position([king, enemy, pawn]: [u8; 3], turn: Side) -> Position {
    let mut board = [['1'; 8]; 8];
    for (square, man) in [(king, 'K'), (enemy, 'k'), (pawn, 'P')] {
        board[7 - usize::from(square / 8)][usize::from(square % 8)] = man;
    }
    let ranks: Vec<String> = board.iter().map(|rank| rank.iter().collect()).collect();
    let turn = if turn == Side::Strong { 'w' } else { 'b' };
    format!("{} {turn} - - 0 1", ranks.join("/")).parse().expect("a position")
}

pub(crate) fn strong_wins(table: &Tablebase, squares: [u8; 3], turn: Side) -> bool {
    let outcome = table.probe(&position(squares, turn)).expect("it is in the table");
    outcome.wdl() == if turn == Side::Strong { Wdl::Win } else { Wdl::Loss }
}

const RULES: &str = r#"material = "KPvK"

[[rules]]
name = "near"
claim = "win"
when = ["KPSteps <= 1", "PRank >= 5 or KPDistanceRank = 0"]

[[rules]]
name = "far"
claim = "draw"
turn = "black"
when = ["KPSteps >= 4", "kPSteps <= 2"]

[[rules]]
name = "near-again"
claim = "win"
when = ["KPSteps <= 1", "PRank >= 6"]
"#;

#[test]
fn records_are_those_of_a_plain_count() {
    let table = table("KPvK");
    let list = RuleList::from_toml(RULES).expect("rules");
    let counted = count(&list, &table, &NoObserver).expect("nobody stops it");
    let near = |[king, _, pawn]: [u8; 3], _| {
        distance(king, pawn) <= 1 && (pawn / 8 >= 4 || king % 8 == pawn % 8)
    };
    let far = |[king, enemy, pawn]: [u8; 3], turn| {
        turn == Side::Weak && distance(king, pawn) >= 4 && distance(enemy, pawn) <= 2
    };
    let again = |[king, _, pawn]: [u8; 3], _| distance(king, pawn) <= 1 && pawn / 8 >= 5;
    let (mut plain, mut all, mut won, mut wrong, mut near_decided) = ([[0; 3]; 3], 0, 0, 0, 0);
    for (squares, turn) in positions() {
        let is_won = strong_wins(&table, squares, turn);
        (all, won) = (all + 1, won + u64::from(is_won));
        let applies = [near(squares, turn), far(squares, turn), again(squares, turn)];
        let is_right = [is_won, !is_won, is_won];
        for rule in 0..3 {
            plain[rule][0] += u64::from(applies[rule]);
            plain[rule][1] += u64::from(applies[rule] && is_right[rule]);
        }
        plain[0][2] += u64::from(applies[0] && is_won);
        plain[1][2] += u64::from(applies[1] && !is_won);
        plain[2][2] += u64::from(applies[2] && !applies[0] && is_won);
        wrong += u64::from((0..3).any(|rule| applies[rule] && !is_right[rule]));
        near_decided += u64::from((applies[0] || applies[2]) && is_won);
    }
    // The published number of positions of the endgame is twice that.
    assert_eq!((counted.positions, 2 * all), (all, 331_352));
    assert_eq!((counted.won, counted.wrong), (won, wrong));
    assert_eq!((counted.won_decided, counted.not_won_decided), (near_decided, plain[1][1]));
    for (rule, plain) in counted.rules.iter().zip(plain) {
        assert_eq!([rule.applies, rule.right, rule.adds], plain);
    }
    examples_show_what_they_stand_for(&list, &counted, &table);
}

fn examples_show_what_they_stand_for(list: &RuleList, counted: &ListCounts, table: &Tablebase) {
    let outcome = |example: &Example| {
        let outcome = table.probe(&example.position).expect("it is in the table");
        assert_eq!(outcome, example.outcome);
        let turn = example.position.turn();
        (turn, outcome)
    };
    for (rule, counts) in list.rules().iter().zip(&counted.rules) {
        let wrong = counts
            .exception
            .iter()
            .chain(counts.without.iter().filter_map(|one| one.example.as_ref()));
        for example in wrong {
            let (turn, outcome) = outcome(example);
            assert!(!rule.claim.is_right(turn, outcome), "{}", example.position);
        }
        if let Some(example) = &counts.hardest {
            let (turn, outcome) = outcome(example);
            assert!(rule.claim.is_right(turn, outcome) && outcome != Outcome::Draw);
        }
        assert_eq!(counts.without.len(), rule.clauses.len());
    }
}

/// The rule of the square, with the king that may block its own pawn and the pawn that can be taken left out. The pawn's
/// double step and the stalemates in the corner are its known exceptions.
#[test]
fn a_clause_that_is_needed_is_told() {
    let sound = r#"material = "KPvK"

[[rules]]
name = "square"
claim = "win"
when = ["kPCatches = 0", "PHangs = 0", "kRoom <= 58"]
"#;
    let table = table("KPvK");
    let counts = |text: &str| {
        let list = RuleList::from_toml(text).expect("rules");
        count(&list, &table, &NoObserver).expect("nobody stops it").rules.remove(0)
    };
    let whole = counts(sound);
    assert_eq!((whole.applies, whole.exception), (whole.right, None));
    let faulty = counts(&sound.replace("\"PHangs = 0\", ", ""));
    assert!(whole.without[1].wrong > 0);
    assert_eq!(faulty.applies - faulty.right, whole.without[1].wrong);
    assert_eq!(faulty.exception, whole.without[1].example);
    let exception = faulty.exception.expect("a position").position;
    assert!(!Claim::Win.is_right(exception.turn(), table.probe(&exception).expect("in the table")));
}

/// What a rule says of a file it says of the mirrored file.
#[test]
fn a_rule_is_read_on_every_image() {
    let counts = |material: &str, when: &str| {
        let text = format!(
            "material = \"{material}\"\n[[rules]]\nname = \"it\"\nclaim = \"win\"\nwhen = [{when}]\n"
        );
        let list = RuleList::from_toml(&text).expect("a rule");
        count(&list, &table(material), &NoObserver).expect("nobody stops it").rules.remove(0)
    };
    assert_eq!(counts("KPvK", "\"PFile = h\""), counts("KPvK", "\"PFile = a\""));
    // Each clause may be the only one that fails on another image.
    let both = counts("KPvK", "\"KFile = c\", \"PFile = a\"");
    let wrong = |rule: &lucena_rules::RuleCounts| rule.applies - rule.right;
    for (clause, other) in [(0, "\"PFile = a\""), (1, "\"KFile = c\"")] {
        assert_eq!(wrong(&counts("KPvK", other)), wrong(&both) + both.without[clause].wrong);
    }
}
