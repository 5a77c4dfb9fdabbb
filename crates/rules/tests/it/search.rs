//! The search for rules without exceptions.

use super::count::{position, positions, strong_wins, table};
use lucena_attributes::{AttributeSet, Reading, Selection, Selections};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::Side;
use lucena_rules::{Claim, RuleList, SearchParams, count, repair, search};
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) const PARAMS: SearchParams =
    SearchParams { turn: None, rules: 3, conditions: 4, beam: 4, sample: 20_000, seed: 1 };

pub(crate) fn no_rules() -> RuleList {
    let selections = [Selection::All, Selection::Concepts];
    let material = "KPvK".parse().expect("a material");
    let attributes = AttributeSet::new(material, Selections::from_iter(selections));
    RuleList::new(attributes, Vec::new(), Vec::new())
}

#[test]
fn no_rule_has_an_exception_by_a_plain_count() {
    let (table, none) = (table("KPvK"), no_rules());
    let mut lengths = Vec::new();
    let list = search(&table, none.clone(), Claim::Draw, PARAMS, &NoObserver, |list| {
        lengths.push(list.rules().len());
    });
    let list = list.expect("nobody stops it");
    assert_eq!(lengths, [1, 2, 3]);
    let counted = count(&list, &table, &NoObserver).expect("nobody stops it");
    let mut plain = [0; 3];
    let mut reading = Reading::new(list.attributes(), &position([0, 2, 8], Side::Weak));
    for (squares, turn) in positions() {
        reading.move_to(&position(squares, Side::Weak));
        for (rule, times) in list.rules().iter().zip(&mut plain) {
            if rule.applies(turn, &mut reading) {
                assert!(!strong_wins(&table, squares, turn), "{}", position(squares, turn));
                *times += 1;
            }
        }
    }
    assert_eq!(counted.rules.iter().map(|rule| rule.applies).collect::<Vec<_>>(), plain);
    // Three rules of four conditions decide more than two fifths of the draws.
    assert!(5 * counted.not_won_decided > 2 * counted.not_won(), "{}", counted.not_won_decided);
    assert_eq!(counted.wrong, 0);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (table, none) = (table("KPvK"), no_rules());
    let find = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let found = || search(&table, none.clone(), Claim::Draw, PARAMS, &NoObserver, |_| ());
        pool.install(found).expect("nobody stops it").to_toml()
    };
    assert_eq!(find(1), find(3));
}

/// Stops once a rule was found.
struct Content(AtomicBool);

impl Observer for Content {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn a_search_goes_on_from_where_it_was() {
    let (table, none) = (table("KPvK"), no_rules());
    let content = Content(AtomicBool::new(false));
    let found = |_: &RuleList| content.0.store(true, Ordering::Relaxed);
    let part = search(&table, none.clone(), Claim::Draw, PARAMS, &content, found).expect("rules");
    assert_eq!(part.rules().len(), 1);
    let read = RuleList::from_toml(&part.with_used_attributes().to_toml()).expect("its own file");
    let start = read.with_attributes(none.attributes());
    assert_eq!(start.attributes().attributes(), none.attributes().attributes());
    let whole = search(&table, start, Claim::Draw, PARAMS, &NoObserver, |_| ()).expect("rules");
    assert_eq!(whole.rules()[..1], part.rules()[..]);
    assert_eq!(whole.rules().len(), 3);
    assert_eq!(count(&whole, &table, &NoObserver).expect("nobody stops it").wrong, 0);
}

/// Rules about the positions with a rook pawn on its fifth rank have exceptions elsewhere only.
#[test]
fn a_list_is_about_a_part_of_the_endgame() {
    let (table, none) = (table("KPvK"), no_rules());
    let part = RuleList::without_rules(none.material(), &["PFile <= a", "PRank = 5"]);
    let part = part.expect("a part").with_attributes(none.attributes());
    let list = search(&table, part, Claim::Draw, PARAMS, &NoObserver, |_| ()).expect("rules");
    let counted = count(&list, &table, &NoObserver).expect("nobody stops it");
    let mut plain = [0; 2];
    for (squares, turn) in positions().filter(|&([.., pawn], _)| pawn == 32) {
        plain[usize::from(strong_wins(&table, squares, turn))] += 1;
    }
    assert_eq!([counted.not_won(), counted.won], plain);
    assert_eq!(counted.wrong, 0);
    assert!(5 * counted.not_won_decided > 4 * counted.not_won(), "{}", counted.not_won_decided);
    let everywhere = RuleList::new(list.attributes().clone(), Vec::new(), list.rules().to_vec());
    assert!(count(&everywhere, &table, &NoObserver).expect("nobody stops it").wrong > 0);
    let again = RuleList::from_toml(&list.with_used_attributes().to_toml()).expect("its own file");
    assert_eq!(count(&again, &table, &NoObserver).expect("nobody stops it"), counted);
}

/// The rule of the square lacks that the pawn cannot be taken and that Black is not stalemated.
#[test]
fn a_rule_is_repaired_by_the_conditions_that_it_lacks() {
    let (table, none) = (table("KPvK"), no_rules());
    let square = r#"material = "KPvK"
[[rules]]
name = "square"
claim = "win"
turn = "black"
when = ["kPCatches = 0"]
"#;
    let list = RuleList::from_toml(square).expect("a rule").with_attributes(none.attributes());
    let rule = &list.rules()[0];
    let mended = repair(&table, &list, rule, PARAMS, &NoObserver).expect("nobody stops it");
    let mended = mended.expect("a repair");
    assert_eq!((mended.claim, mended.turn), (Claim::Win, Some(Side::Weak)));
    assert_eq!(mended.clauses[..1], rule.clauses[..]);
    let both = [rule.clone(), mended.clone()].to_vec();
    let both = RuleList::new(list.attributes().clone(), Vec::new(), both);
    let [faulty, exact] = &count(&both, &table, &NoObserver).expect("nobody stops it").rules[..]
    else {
        panic!("two rules")
    };
    assert!(faulty.applies > faulty.right && exact.applies == exact.right);
    // One condition suffices, and keeps more than half of what was right.
    assert_eq!(mended.clauses.len(), 2);
    assert!(2 * exact.applies > faulty.right, "{} of {}", exact.applies, faulty.right);
}
