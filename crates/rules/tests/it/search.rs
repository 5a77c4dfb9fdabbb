//! The search for rules without exceptions.

use super::count::{position, positions, strong_wins, table};
use lucena_attributes::{AttributeSet, Reading, Selection, Selections};
use lucena_base::progress::{NoObserver, Observer};
use lucena_chess::Side;
use lucena_rules::{Claim, RuleList, SearchParams, count, search};
use std::sync::atomic::{AtomicUsize, Ordering};

const PARAMS: SearchParams =
    SearchParams { claim: Claim::Draw, rules: 3, conditions: 4, beam: 4, sample: 20_000, seed: 1 };

fn attributes() -> AttributeSet {
    let selections = [Selection::All, Selection::Concepts];
    AttributeSet::new("KPvK".parse().expect("a material"), Selections::from_iter(selections))
}

#[test]
fn no_rule_has_an_exception_by_a_plain_count() {
    let (table, attributes) = (table("KPvK"), attributes());
    let mut lengths = Vec::new();
    let list = search(&table, &attributes, Vec::new(), PARAMS, &NoObserver, |list| {
        lengths.push(list.rules().len());
    });
    let list = list.expect("nobody stops it");
    assert_eq!(lengths, [1, 2, 3]);
    let counted = count(&list, &table, &NoObserver).expect("nobody stops it");
    let mut plain = [0; 3];
    let mut reading = Reading::new(&attributes, &position([0, 2, 8], Side::Weak));
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
    // More than half of the draws, with three rules of four conditions.
    assert!(2 * counted.drawn_decided > counted.drawn(), "{}", counted.drawn_decided);
    assert_eq!(counted.wrong, 0);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (table, attributes) = (table("KPvK"), attributes());
    let find = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let found = || search(&table, &attributes, Vec::new(), PARAMS, &NoObserver, |_| ());
        pool.install(found).expect("nobody stops it").to_toml()
    };
    assert_eq!(find(1), find(3));
}

/// Stops after some looks.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn is_stopped(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) > 60
    }
}

#[test]
fn a_search_goes_on_from_where_it_was() {
    let (table, attributes) = (table("KPvK"), attributes());
    let from = |start, observer: &dyn Observer| {
        search(&table, &attributes, start, PARAMS, observer, |_| ()).expect("rules")
    };
    let part = from(Vec::new(), &Impatient(AtomicUsize::new(0)));
    assert!((1..3).contains(&part.rules().len()), "{}", part.rules().len());
    let read = RuleList::from_toml(&part.to_toml()).expect("what it writes");
    let (set, start) = read.with_attributes(&attributes);
    assert_eq!(
        set,
        AttributeSet::named(
            attributes.material(),
            attributes.attributes().iter().map(|one| one.name())
        )
        .expect("known")
    );
    let whole = search(&table, &set, start, PARAMS, &NoObserver, |_| ()).expect("rules");
    assert_eq!(&whole.rules()[..part.rules().len()], part.rules());
    assert_eq!(whole.rules().len(), 3);
}
