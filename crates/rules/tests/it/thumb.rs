//! Rules of thumb, and positions that are held out, against a plain count over squares.

use super::count::{distance, position, positions, strong_wins, table};
use super::search::{PARAMS, no_rules};
use lucena_attributes::Reading;
use lucena_base::progress::NoObserver;
use lucena_chess::Side;
use lucena_rules::{Claim, RuleList, SearchParams, count, count_thumb, search, search_thumb};

const RULES: &str = r#"material = "KPvK"
otherwise = "win"
held-out = ["PFile = b"]

[[rules]]
name = "far"
claim = "draw"
turn = "black"
when = ["KPSteps >= 4", "kPSteps <= 2"]

[[rules]]
name = "near"
claim = "win"
when = ["KPSteps <= 1"]

[[rules]]
name = "there"
claim = "draw"
when = ["kPSteps <= 1"]
"#;

#[test]
fn the_first_rule_that_applies_decides() {
    let table = table("KPvK");
    let list = RuleList::from_toml(RULES).expect("rules");
    let counted = count_thumb(&list, &table, &NoObserver).expect("nobody stops it");
    let (mut plain, mut won) = ([[0; 4]; 4], 0);
    for (squares, turn) in positions() {
        let [king, enemy, pawn] = squares;
        let [king, enemy] = [distance(king, pawn), distance(enemy, pawn)];
        let (rule, says_won) = match () {
            () if turn == Side::Weak && king >= 4 && enemy <= 2 => (0, false),
            () if king <= 1 => (1, true),
            () if enemy <= 1 => (2, false),
            () => (3, true),
        };
        let is_won = strong_wins(&table, squares, turn);
        won += u64::from(is_won);
        let (wrong, held_out) = (u64::from(is_won != says_won), u64::from(pawn % 8 == 1));
        let add = [1, wrong, held_out, wrong * held_out];
        plain[rule].iter_mut().zip(add).for_each(|(sum, one)| *sum += one);
    }
    let records = counted.rules.iter().chain([&counted.otherwise]);
    for (record, plain) in records.zip(plain) {
        let sums = [record.decides, record.wrong, record.held_out, record.held_out_wrong];
        assert_eq!(sums, plain);
        assert_eq!(record.exceptions.len(), 3.min(plain[1] as usize));
    }
    assert_eq!((counted.positions, counted.won), (plain.iter().map(|one| one[0]).sum(), won));
    assert_eq!(counted.wrong(), plain.iter().map(|one| one[1]).sum::<u64>());
    for (record, claim) in counted.rules.iter().zip(list.rules().iter().map(|rule| rule.claim)) {
        for example in record.exceptions.iter().chain(&record.exception) {
            let outcome = table.probe(&example.position).expect("it is in the table");
            assert_eq!(outcome, example.outcome);
            assert!(!claim.is_right(example.position.turn(), outcome), "{}", example.position);
        }
    }
}

#[test]
fn rules_of_thumb_are_as_good_as_a_plain_count_says() {
    let (table, none) = (table("KPvK"), no_rules());
    let params = SearchParams { rules: 4, conditions: 2, ..PARAMS };
    let mut lists: Vec<RuleList> = Vec::new();
    let found = |list: &RuleList| lists.push(list.clone());
    let list = search_thumb(&table, &none, params, &NoObserver, found).expect("rules");
    assert_eq!(lists.last(), Some(&list));
    assert!(list.rules().len() <= 4 && list.rules().iter().all(|rule| rule.clauses.len() <= 2));
    let otherwise = list.otherwise().expect("a claim");
    let mut wrong = 0;
    let mut reading = Reading::new(list.attributes(), &position([0, 2, 8], Side::Weak));
    for (squares, turn) in positions() {
        reading.move_to(&position(squares, Side::Weak));
        let first = list.rules().iter().find(|rule| rule.applies(turn, &mut reading));
        let claim = first.map_or(otherwise, |rule| rule.claim);
        wrong += u64::from(strong_wins(&table, squares, turn) != (claim == Claim::Win));
    }
    let counted = count_thumb(&list, &table, &NoObserver).expect("nobody stops it");
    assert_eq!(counted.wrong(), wrong);
    // Without rules, 24 of 100 positions are wrong.
    assert!(wrong * 14 < counted.positions, "{wrong} wrong");
    // The list is what a search with another number of threads finds, and a search that starts from it finds nothing better.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    let again = pool.install(|| search_thumb(&table, &list, params, &NoObserver, |_| ()));
    assert_eq!(again.expect("rules").to_toml(), list.to_toml());
}

/// Rules that are always right where they were looked for may be wrong where they were not.
#[test]
fn sound_rules_do_not_see_what_is_held_out() {
    let (table, none) = (table("KPvK"), no_rules());
    let list = none.hold_out(&["PFile <= a"]).expect("a part");
    let params = SearchParams { rules: 1, ..PARAMS };
    let list = search(&table, list, Claim::Draw, params, &NoObserver, |_| ());
    let list = list.expect("rules");
    let counted = count(&list, &table, &NoObserver).expect("nobody stops it");
    let rule = &counted.rules[0];
    let [mut held_out, mut held_out_wrong, mut wrong] = [0; 3];
    let mut reading = Reading::new(list.attributes(), &position([0, 2, 8], Side::Weak));
    for (squares, turn) in positions() {
        reading.move_to(&position(squares, Side::Weak));
        if list.rules()[0].applies(turn, &mut reading) {
            let [is_held_out, is_wrong] = [squares[2] % 8 == 0, strong_wins(&table, squares, turn)];
            held_out += u64::from(is_held_out);
            held_out_wrong += u64::from(is_held_out && is_wrong);
            wrong += u64::from(is_wrong);
        }
    }
    assert_eq!((rule.held_out, rule.held_out_wrong), (held_out, held_out_wrong));
    assert_eq!(counted.held_out_wrong, held_out_wrong);
    assert_eq!((wrong, rule.applies - rule.right), (held_out_wrong, wrong));
    let rook_pawns = positions().filter(|([.., pawn], _)| pawn % 8 == 0).count() as u64;
    assert_eq!(counted.held_out, rook_pawns);
}
