//! Sufficiency of attributes: compared with a plain count and a search of every subset, and with
//! published results for KRvK.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::progress::NoObserver;
use lucena_dataset::sufficiency::{Sufficiency, positions_of_rows};
use lucena_dataset::{Dataset, Positions};
use lucena_test_support::cases::random;
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, material, rows};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Rows by their values, each as (class, number).
fn by_vector(table: &[(Vec<u8>, usize)]) -> BTreeMap<&[u8], Vec<(usize, usize)>> {
    let mut groups: BTreeMap<&[u8], Vec<(usize, usize)>> = BTreeMap::new();
    for (number, (values, class)) in table.iter().enumerate() {
        groups.entry(values).or_default().push((*class, number));
    }
    groups
}

/// For each pair of rows of different classes, the columns in which they differ, as a bit set.
fn differences(table: &[(Vec<u8>, usize)]) -> Vec<u32> {
    let mut pairs = Vec::new();
    for (one, (values, class)) in table.iter().enumerate() {
        for (other_values, other_class) in &table[one + 1..] {
            if class != other_class {
                let differ = |&column: &usize| values[column] != other_values[column];
                let columns = (0..values.len()).filter(differ);
                pairs.push(columns.fold(0, |set, column| set | 1 << column));
            }
        }
    }
    pairs
}

/// Returns true if some columns separate every pair of rows that all columns separate.
fn is_enough(differences: &[u32], columns: &[usize]) -> bool {
    let columns = columns.iter().fold(0, |set, column| set | 1 << column);
    differences.iter().all(|pair| *pair == 0 || pair & columns != 0)
}

fn dataset(table: &[(Vec<u8>, usize)], columns: usize) -> Dataset {
    let column = |at: usize| (format!("x{at}"), table.iter().map(|row| row.0[at]).collect());
    let targets: Vec<usize> = table.iter().map(|row| row.1).collect();
    Dataset::from_columns((0..columns).map(column).collect(), &targets).expect("a data set")
}

const COLUMNS: usize = 7;

proptest! {
    #![proptest_config(random(300))]

    #[test]
    fn counts_and_subsets_are_those_of_plain_counting(
        table in prop::collection::vec((prop::collection::vec(0_u8..3, COLUMNS), 0_usize..4), 0..90),
        width in 1_u8..4,
    ) {
        // A narrow domain gives clashes.
        let narrow = |(values, class): (Vec<u8>, usize)| {
            (values.into_iter().map(|value| value % width).collect(), class)
        };
        let table: Vec<(Vec<u8>, usize)> = table.into_iter().map(narrow).collect();
        let dataset = dataset(&table, COLUMNS);
        let sufficiency = Sufficiency::new(&dataset);

        let groups = by_vector(&table);
        prop_assert_eq!(sufficiency.vectors(), groups.len());
        let classes = |group: &[(usize, usize)]| -> BTreeMap<usize, Vec<usize>> {
            let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (class, number) in group {
                classes.entry(*class).or_default().push(*number);
            }
            classes
        };
        let commonest = |group: &[(usize, usize)]| classes(group).values().map(Vec::len).max();
        let right: usize = groups.values().filter_map(|group| commonest(group)).sum();
        prop_assert_eq!(sufficiency.best_right(), right);
        let share = right as f64 / table.len() as f64;
        prop_assert_eq!(sufficiency.best_accuracy(), (!table.is_empty()).then_some(share));

        let mut mixed: Vec<&Vec<(usize, usize)>> =
            groups.values().filter(|group| classes(group).len() > 1).collect();
        prop_assert_eq!(sufficiency.clashing_vectors(), mixed.len());
        prop_assert_eq!(sufficiency.clashing_rows(), mixed.iter().map(|group| group.len()).sum::<usize>());
        let wrong = |group: &[(usize, usize)]| group.len() - commonest(group).unwrap_or(0);
        let first = |group: &[(usize, usize)]| group.iter().map(|row| row.1).min();
        mixed.sort_by_key(|group| (std::cmp::Reverse(wrong(group)), first(group)));
        let clashes = sufficiency.clashes(3);
        prop_assert_eq!(clashes.len(), mixed.len().min(3));
        for (clash, group) in clashes.iter().zip(mixed) {
            prop_assert_eq!((clash.rows, clash.wrong), (group.len(), wrong(group)));
            let members: Vec<(usize, usize, usize)> =
                clash.members.iter().map(|one| (one.class, one.rows, one.first_row)).collect();
            let expected: Vec<(usize, usize, usize)> = classes(group)
                .into_iter()
                .map(|(class, rows)| (class, rows.len(), rows[0]))
                .collect();
            prop_assert_eq!(members, expected);
        }

        // Every subset.
        let all: Vec<usize> = (0..COLUMNS).collect();
        let differences = differences(&table);
        let mut least = COLUMNS;
        for number in 0..1_usize << COLUMNS {
            let subset: Vec<usize> = all.iter().copied().filter(|at| number >> at & 1 == 1).collect();
            let is_enough = is_enough(&differences, &subset);
            prop_assert_eq!(sufficiency.is_as_good_as_all(&subset), is_enough, "{:?}", subset);
            if is_enough {
                least = least.min(subset.len());
            }
        }
        let without = |out: usize, from: &[usize]| -> Vec<usize> {
            from.iter().copied().filter(|&at| at != out).collect()
        };
        let is_needed = |&at: &usize| !is_enough(&differences, &without(at, &all));
        let needed: Vec<usize> = all.iter().copied().filter(is_needed).collect();
        prop_assert_eq!(sufficiency.indispensable(), needed);

        let greedy = sufficiency.greedy_subset(&NoObserver).unwrap().attributes;
        prop_assert!(sufficiency.is_as_good_as_all(&greedy));
        for &at in &greedy {
            prop_assert!(!sufficiency.is_as_good_as_all(&without(at, &greedy)), "{:?}", greedy);
        }
        let smallest = sufficiency.smallest_subset(u64::MAX, &NoObserver).unwrap();
        prop_assert!(sufficiency.is_as_good_as_all(&smallest.attributes));
        prop_assert_eq!((smallest.attributes.len(), smallest.at_least), (least, least));
        prop_assert!(smallest.is_smallest());

        // If the search is stopped early, its statements are still true.
        for nodes in [0, 1, 3, 10] {
            let stopped = sufficiency.smallest_subset(nodes, &NoObserver).unwrap();
            prop_assert!(sufficiency.is_as_good_as_all(&stopped.attributes));
            prop_assert!(stopped.at_least <= least && least <= stopped.attributes.len());
            prop_assert_eq!(stopped.is_smallest(), stopped.attributes.len() == stopped.at_least);
        }
    }
}

/// Trees never use kInCheck of the 24 attributes, and no attribute separates a position from its mirror images.
#[test]
fn the_published_attributes_are_enough_as_published() {
    let canonical = Sufficiency::new(&KRVK_ROWS);
    assert_eq!((canonical.vectors(), canonical.clashing_vectors()), (28_056, 0));
    assert_eq!((canonical.best_right(), canonical.best_accuracy()), (28_056, Some(1.0)));
    let check = KRVK_ROWS.attributes().iter().position(|one| one.name == "kInCheck");
    let others: Vec<usize> = (0..24).filter(|&at| Some(at) != check).collect();
    assert!(canonical.is_as_good_as_all(&others));

    let full = rows(&KRVK, Selection::Geometric, Positions::Full);
    let full = Sufficiency::new(&full);
    assert_eq!((full.vectors(), full.clashing_vectors()), (55_986, 0));
    assert_eq!(full.clashing_rows(), 0);
}

/// Returns true if two rows of different classes have the same values in the given columns.
fn is_clash(dataset: &Dataset, columns: &[usize]) -> bool {
    let mut classes = HashMap::new();
    (0..dataset.rows()).any(|row| {
        let values: Vec<u8> = columns.iter().map(|&column| dataset.column(column)[row]).collect();
        let class = dataset.targets()[row];
        *classes.entry(values).or_insert(class) != class
    })
}

/// A smallest subset of the geometric attributes, found by trying all that contain the indispensable ones.
#[test]
fn the_smallest_subset_is_the_smallest() {
    let sufficiency = Sufficiency::new(&KRVK_ROWS);
    let needed = sufficiency.indispensable();
    let observer = RecordingObserver::default();
    let smallest = sufficiency.smallest_subset(u64::MAX, &observer).unwrap();
    assert!(smallest.is_smallest());
    assert!(sufficiency.is_as_good_as_all(&smallest.attributes));
    assert!(!is_clash(&KRVK_ROWS, &smallest.attributes));
    assert!(needed.iter().all(|at| smallest.attributes.contains(at)));
    let optional: Vec<usize> = (0..24).filter(|at| !needed.contains(at)).collect();
    let more = smallest.attributes.len() - needed.len();
    assert!(more >= 2, "nothing is left to try");
    let mut tried = 0;
    for number in 0_u32..1 << optional.len() {
        if number.count_ones() as usize != more - 1 {
            continue;
        }
        let chosen = (0..optional.len()).filter(|at| number >> at & 1 == 1);
        let subset: Vec<usize> =
            needed.iter().copied().chain(chosen.map(|at| optional[at])).collect();
        assert!(is_clash(&KRVK_ROWS, &subset), "{subset:?}");
        // The library goes through all rows, so it is asked about some subsets only.
        assert!(tried % 8 > 0 || !sufficiency.is_as_good_as_all(&subset), "{subset:?}");
        tried += 1;
    }
    assert!(tried > 500, "{tried}");
    // The proved bound only grows.
    let seen = observer.reports();
    assert!(seen.is_sorted_by_key(|told| told.done));
    assert!(seen.last().is_some_and(|last| last.what.ends_with("pairs apart")), "{seen:?}");
}

#[test]
fn rows_are_found_on_the_board() {
    for positions in [Positions::Canonical, Positions::Full] {
        let set = AttributeSet::new(material("KRvK"), Selection::Published);
        let dataset = Dataset::new(&*KRVK, &set, positions).expect("the weak side never wins");
        let numbers: Vec<usize> = (0..dataset.rows()).rev().step_by(997).collect();
        let found =
            positions_of_rows(&*KRVK, &dataset, positions, &numbers).expect("it is in memory");
        assert_eq!(found.len(), numbers.len());
        let (mut row, mut values) = ([0; 30], [0; 30]);
        for (position, number) in found.iter().zip(numbers) {
            dataset.row(number, &mut row);
            set.extract(position, &mut values);
            assert_eq!(row, values, "row {number} is {position}");
        }
    }
    let none = positions_of_rows(&*KRVK, &KRVK_ROWS, Positions::Canonical, &[]);
    assert!(none.expect("it is in memory").is_empty());
}

#[test]
fn too_many_attributes_are_refused() {
    let columns = |count: usize| (0..count).map(|at| (format!("x{at}"), vec![0, 1])).collect();
    let dataset = Dataset::from_columns(columns(257), &[0, 1]).unwrap();
    let error = Sufficiency::new(&dataset).greedy_subset(&NoObserver).unwrap_err();
    assert!(error.to_string().contains("257") && error.to_string().contains("at most 256"));
    assert!(Sufficiency::new(&dataset).smallest_subset(9, &NoObserver).is_err());
    let dataset = Dataset::from_columns(columns(256), &[0, 1]).unwrap();
    assert_eq!(Sufficiency::new(&dataset).greedy_subset(&NoObserver).unwrap().attributes, [0]);
}
