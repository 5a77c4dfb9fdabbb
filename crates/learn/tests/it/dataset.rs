//! Data sets: the csv is read back with the csv crate and compared with krkopt's rows; orbits are counted.

use lucena_attributes::{AttributeSet, Selection};
use lucena_chess::Side;
use lucena_chess::symmetry::Group;
use lucena_dataset::{
    Dataset, DatasetError, Division, DivisionParams, DivisionPart, Positions, Rows, SampleParams,
    krkopt, sha256,
};
use lucena_formats::{Format, FormattedRows};
use lucena_test_support::reference_rules;
use lucena_test_support::tables::{KRVK, KRVK_ROWS, material, rows, solve};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;

#[test]
fn sha256_is_the_standard_one() {
    // FIPS 180-2, appendix B, and the empty message.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_eq!((sha256(b"abc").as_str(), sha256(b"").as_str()), (abc, empty));
}

#[test]
fn the_csv_of_locations_has_the_rows_of_krkopt() {
    let dataset = rows(&KRVK, Selection::Location, Positions::Canonical);
    let csv = String::from_utf8(dataset.to_csv()).expect("text");
    let (head, lines) = csv.split_once('\n').expect("a line of names");
    assert_eq!(head, "KFile,KRank,RFile,RRank,kFile,kRank,optimalDepth");
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    let published = krkopt::to_csv(&KRVK).expect("three men");
    assert_eq!(sha256(&published), krkopt::KRVK_SHA256);
    let published = String::from_utf8(published).expect("text");
    let mut expected: Vec<&str> = published.lines().collect();
    expected.sort_unstable();
    assert_eq!(lines, expected);
    assert_eq!(dataset.sha256(), sha256(csv.as_bytes()));
}

/// The csv has the values of the columns under the attributes' names.
fn check_csv(dataset: &Dataset, expected_rows: usize) {
    let csv = dataset.to_csv();
    let mut reader = csv::Reader::from_reader(csv.as_slice());
    let names: Vec<String> = reader.headers().unwrap().iter().map(String::from).collect();
    let attributes = dataset.attributes();
    let expected: Vec<&str> =
        attributes.iter().map(|a| a.name.as_str()).chain(["optimalDepth"]).collect();
    assert_eq!(names, expected);
    let mut row = vec![0; attributes.len()];
    let mut count = 0;
    let numbers: Vec<String> = (0..=u8::MAX).map(|value| value.to_string()).collect();
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).unwrap() {
        dataset.row(count, &mut row);
        for (column, &value) in row.iter().enumerate() {
            assert_eq!(dataset.column(column)[count], value);
            // Files are written as letters.
            if column >= 6 || column % 2 == 1 {
                assert_eq!(record[column], numbers[usize::from(value)]);
            }
        }
        let class = &dataset.classes()[usize::from(dataset.targets()[count])];
        assert_eq!(record[attributes.len()], *class);
        count += 1;
    }
    assert_eq!((count, dataset.rows()), (expected_rows, expected_rows));
}

#[test]
fn csv_holds_the_columns() {
    check_csv(&rows(&KRVK, Selection::Published, Positions::Canonical), 28_056);
    assert_eq!((KRVK_ROWS.attributes().len(), KRVK_ROWS.rows()), (24, 28_056));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn full_data_sets_keep_orbits_together() {
    let dataset = rows(&KRVK, Selection::Published, Positions::Full);
    check_csv(&dataset, 223_944);
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    assert!(dataset.orbits().is_sorted());
    let mut seen = vec![false; reference_rules::NUMBERS as usize];
    let mut row = [0; 30];
    for (at, &orbit) in dataset.orbits().iter().enumerate() {
        *sizes.entry(orbit).or_default() += 1;
        dataset.row(at, &mut row);
        let [king, man, weak] = [0, 2, 4].map(|man| row[man] - 1 + 8 * (row[man + 1] - 1));
        let number = reference_rules::number([king, man, weak]) as usize;
        assert!(!seen[number], "row {at} is there twice");
        seen[number] = true;
        let plies = reference_rules::ROOK_SOLVED.weak[number];
        let expected = plies.map_or(0, |plies| plies / 2 + 1);
        assert_eq!(u16::from(dataset.targets()[at]), expected, "row {at}");
    }
    assert_eq!(sizes.len(), 28_056);
    assert!(sizes.values().all(|&size| size == 8 || size == 4));
    for number in reference_rules::ROOK.legal(Side::Weak) {
        assert!(seen[number as usize]);
    }
}

#[test]
fn canonical_rows_are_orbits_of_their_own() {
    let expected: Vec<u32> = (0..28_056).collect();
    assert_eq!(KRVK_ROWS.orbits(), expected);
    assert_eq!(KRVK_ROWS.name(), "KRvK");
    assert_eq!(KRVK_ROWS.classes().len(), 18);
    assert_eq!(KRVK_ROWS.classes()[..3], ["draw", "zero", "one"]);
}

#[test]
fn attributes_and_tables_of_two_materials_do_not_mix() {
    let queen = AttributeSet::new(material("KQvK"), Selection::Published);
    let refused = Dataset::new(&*KRVK, &queen, Positions::Canonical);
    let expected =
        DatasetError::OtherMaterial { attributes: material("KQvK"), table: material("KRvK") };
    assert_eq!(refused, Err(expected));
}

/// A knight and king can be mated by a bishop and king in a corner, and vice versa.
fn check_class_of_what_the_weak_side_wins(positions: Positions, group: Group) {
    let table = solve("KBvKN");
    let dataset = rows(&table, Selection::Location, positions);
    assert_eq!(dataset.classes(), ["draw", "zero", "lost"]);
    assert_eq!([0, 1, 2].map(|class| dataset.plies(class)), [None, Some(0), None]);
    let counts = table.counts(Side::Weak, group);
    let count = |class| dataset.targets().iter().filter(|&&target| target == class).count() as u64;
    assert!(counts.won > 0 && counts.lost > 0);
    assert_eq!([0, 1, 2].map(count), [counts.drawn, counts.lost, counts.won]);
    let csv = String::from_utf8(dataset.to_csv()).expect("text");
    let lost = csv.lines().filter(|line| line.ends_with(",lost")).count() as u64;
    assert_eq!(lost, counts.won);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn endgames_that_the_weak_side_can_win_have_a_class_for_it() {
    check_class_of_what_the_weak_side_wins(Positions::Canonical, Group::Square);
    // A class that does not occur is not listed.
    assert!(!KRVK_ROWS.classes().iter().any(|class| class == "lost"));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn full_boards_that_the_weak_side_can_win_have_a_class_for_it() {
    check_class_of_what_the_weak_side_wins(Positions::Full, Group::Identity);
}

/// Equality does not depend on whether the hash has been computed.
#[test]
fn equal_rows_are_equal() {
    let dataset = |value| Dataset::from_columns(vec![("x".into(), vec![1, value])], &[0, 1]);
    let one = dataset(2).unwrap();
    assert_eq!(one.sha256(), sha256(b"x,optimalDepth\n1,0\n2,1\n"));
    assert_eq!(dataset(2).as_ref(), Ok(&one));
    assert_ne!(dataset(3), Ok(one));
}

/// A writer with room for a limited number of bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        if written == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(written) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_is_told() {
    let length = KRVK_ROWS.to_csv().len();
    KRVK_ROWS.write_csv(Full(length)).expect("there is room");
    for room in [0, 10, length / 2, length - 1] {
        let error = KRVK_ROWS.write_csv(Full(room)).expect_err("there is no room");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}");
    }
}

#[test]
fn columns_from_anywhere_are_checked() {
    let column = |values: &[u8]| ("x".to_owned(), values.to_vec());
    let dataset = Dataset::from_columns(vec![column(&[3, 1, 7])], &[0, 2, 0]).unwrap();
    assert_eq!(dataset.to_csv(), b"x,optimalDepth\n3,0\n1,2\n7,0\n");
    let attribute = &dataset.attributes()[0];
    assert_eq!((attribute.low, attribute.high), (1, 7));
    assert_eq!(dataset.classes(), ["0", "1", "2"]);
    let unequal = Dataset::from_columns(vec![column(&[1, 2])], &[0]);
    assert_eq!(unequal, Err(DatasetError::UnequalColumns));
    assert!(Dataset::from_columns(vec![column(&[1])], &[255]).is_ok());
    let many = Dataset::from_columns(vec![column(&[1])], &[256]);
    assert_eq!(many, Err(DatasetError::TooManyClasses(257)));
}

#[test]
fn the_greatest_class_number_of_all_is_refused() {
    let many = Dataset::from_columns(Vec::new(), &[usize::MAX]);
    assert!(matches!(many, Err(DatasetError::TooManyClasses(_))), "{many:?}");
}

/// A sample is the same as in `dataset --sample`, and has the classes of all rows.
#[test]
fn samples_are_those_of_a_division() {
    let attributes = AttributeSet::new(KRVK.material(), Selection::Geometric);
    for (positions, orbits, seed) in [(Positions::Canonical, 700, 1), (Positions::Full, 90, 5)] {
        let params = SampleParams { orbits: NonZeroUsize::new(orbits).expect("some"), seed };
        let sampled = Dataset::sampled(&*KRVK, &attributes, positions, Side::Weak, params);
        let sampled = sampled.expect("rows");
        let params = DivisionParams { sample: Some(orbits), seed, ..DivisionParams::default() };
        let division = Division::new(params, 28_056).expect("there are as many");
        let rows = Rows::new(&*KRVK, &attributes, positions).expect("rows");
        let rows = rows.part(&division, DivisionPart::Train);
        let mut written = Vec::new();
        FormattedRows::new(&rows, Format::Csv)
            .expect("csv takes all")
            .write(&mut written)
            .expect("memory");
        assert!(sampled.to_csv() == written, "{positions:?}");
        assert_eq!(sampled.classes(), KRVK_ROWS.classes());
        let sample = sampled.sample().expect("it is a sample");
        assert_eq!((sample.orbits, sample.of, sample.seed), (orbits, Some(28_056), seed));
    }
    let params = SampleParams { orbits: NonZeroUsize::new(28_057).expect("some"), seed: 1 };
    let refused = Dataset::sampled(&*KRVK, &attributes, Positions::Canonical, Side::Weak, params);
    assert!(matches!(refused, Err(DatasetError::Division(_))), "{refused:?}");
    assert_eq!(KRVK_ROWS.sample(), None);
}
