//! Data sets in the formats of other programs, read back by other readers: the parquet crate, the csv
//! crate, and plain ones written here.

use lucena_attributes::{AttributeSet, Selection};
use lucena_base::named::Named;
use lucena_chess::Side;
use lucena_dataset::{
    Dataset, Division, DivisionParams, DivisionPart, FileSummary, Positions, Rows, SampleParams,
    WriteSummary, krkopt, sha256,
};
use lucena_formats::{Card, CardFiles, Format, FormatError, FormattedRows};
use lucena_tablebase::Tablebase;
use lucena_test_support::tables::{KPVK, KQVK, KRVK, material, rows, solve};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;

/// A table's positions in a format.
fn written(
    table: &Tablebase,
    selection: Selection,
    positions: Positions,
    format: Format,
) -> (Vec<u8>, WriteSummary) {
    let attributes = AttributeSet::new(table.material(), selection);
    let rows = Rows::new(table, &attributes, positions).expect("attributes of the material");
    let mut bytes = Vec::new();
    let written = FormattedRows::new(&rows, format).expect("room for the rows").write(&mut bytes);
    (bytes, written.expect("writing to memory does not fail"))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("text")
}

/// Returns true if the values of a column are written as letters.
fn has_letters(name: &str) -> bool {
    name.len() == 5 && name.ends_with("File")
}

/// A row of a data set: its values as written, followed by its class.
fn said(dataset: &Dataset, row: usize) -> Vec<String> {
    let value = |(at, column): (usize, &lucena_model::Column)| match dataset.column(at)[row] {
        value if has_letters(&column.name) => char::from(b'a' + value - 1).to_string(),
        value => value.to_string(),
    };
    let class = dataset.classes()[usize::from(dataset.targets()[row])].clone();
    dataset.attributes().iter().enumerate().map(value).chain([class]).collect()
}

/// Compares the csv of rows that are streamed with that of rows in memory.
fn check_streamed(table: &Tablebase, positions: Positions) {
    let (csv, written) = written(table, Selection::Geometric, positions, Format::Csv);
    let dataset = rows(table, Selection::Geometric, positions);
    assert!(dataset.to_csv() == csv, "{} {positions}", table.material());
    assert_eq!((written.rows, written.bytes), (dataset.rows() as u64, csv.len() as u64));
    assert_eq!(written.sha256, sha256(&csv));
    for column in 0..dataset.attributes().len() {
        assert_eq!(dataset.column(column).len(), dataset.rows());
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn rows_that_are_streamed_are_those_in_memory() {
    check_streamed(&KRVK, Positions::Canonical);
    check_streamed(&KRVK, Positions::Full);
    check_streamed(&KPVK, Positions::Full);
    // Of two equal men, as many orbits as above.
    let twins = solve("KBBvK");
    let attributes = AttributeSet::new(twins.material(), Selection::Geometric);
    let (orbits, seed) = (28_056, 1);
    let params = SampleParams { orbits: NonZeroUsize::new(orbits).expect("some"), seed };
    let sampled = Dataset::sampled(&twins, &attributes, Positions::Canonical, Side::Weak, params);
    let params = DivisionParams { sample: Some(orbits), seed, ..DivisionParams::default() };
    let rows = Rows::new(&twins, &attributes, Positions::Canonical).expect("its attributes");
    let division = Division::new(params, rows.orbits_len()).expect("enough orbits");
    let rows = rows.part(&division, DivisionPart::Train);
    let mut csv = Vec::new();
    FormattedRows::new(&rows, Format::Csv).expect("room").write(&mut csv).expect("memory");
    assert!(sampled.expect("rows").to_csv() == csv);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn all_rows_of_equal_men_that_are_streamed_are_those_in_memory() {
    check_streamed(&KQVK, Positions::Full);
    check_streamed(&solve("KBBvK"), Positions::Canonical);
}

#[test]
fn arff_declares_what_each_attribute_is() {
    let dataset = rows(&KRVK, Selection::Published, Positions::Canonical);
    for (format, of_ranks) in
        [(Format::Arff, "numeric"), (Format::ArffNominal, "{1,2,3,4,5,6,7,8}")]
    {
        let (bytes, _) = written(&KRVK, Selection::Published, Positions::Canonical, format);
        let text = text(bytes);
        let (head, data) = text.split_once("@data\n").expect("data");
        let declared: Vec<(&str, &str)> = head
            .lines()
            .filter_map(|line| line.strip_prefix("@attribute "))
            .map(|line| line.split_once(' ').expect("a name and a type"))
            .collect();
        assert!(head.starts_with("@relation KRvK\n"));
        assert_eq!(declared.len(), 31);
        let kind = |name: &str| declared.iter().find(|(known, _)| *known == name).expect(name).1;
        assert_eq!(kind("KRank"), of_ranks);
        assert_eq!(kind("KFile"), "{a,b,c,d,e,f,g,h}");
        assert_eq!(kind("kInCheck"), "{0,1}");
        assert!(kind("optimalDepth").starts_with("{draw,zero,one,"));
        let mut count = 0;
        for (row, line) in data.lines().enumerate() {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields, said(&dataset, row));
            for (field, (name, kind)) in fields.iter().zip(&declared) {
                let known = kind.trim_matches(['{', '}']).split(',').any(|value| value == *field);
                let number = *kind == "numeric" && field.parse::<u8>().is_ok();
                assert!(known || number, "{name} is {field}, not {kind}");
            }
            count += 1;
        }
        assert_eq!(count, 28_056);
    }
}

#[test]
fn libsvm_leaves_out_what_is_zero() {
    let dataset = rows(&KRVK, Selection::Published, Positions::Canonical);
    let (bytes, _) = written(&KRVK, Selection::Published, Positions::Canonical, Format::Libsvm);
    let text = text(bytes);
    let mut values = [0; 30];
    for (row, line) in text.lines().enumerate() {
        let mut parts = line.split(' ');
        let label: u8 = parts.next().expect("a label").parse().expect("a number");
        assert_eq!(label, dataset.targets()[row]);
        let mut sparse = [0; 30];
        let mut last = 0;
        for part in parts {
            let (number, value) = part.split_once(':').expect("a number and a value");
            let number: usize = number.parse().expect("a number");
            assert!(number > last && value != "0", "{line}");
            sparse[number - 1] = value.parse().expect("a value");
            last = number;
        }
        dataset.row(row, &mut values);
        assert_eq!(sparse, values, "row {row}");
    }
    assert_eq!(text.lines().count(), 28_056);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn parquet_is_read_back_by_its_reader() {
    // More rows than fit into one row group.
    for (positions, groups) in [(Positions::Canonical, 1), (Positions::Full, 2)] {
        let dataset = rows(&KRVK, Selection::Published, positions);
        let (bytes, _) = written(&KRVK, Selection::Published, positions, Format::Parquet);
        let again = written(&KRVK, Selection::Published, positions, Format::Parquet).0;
        assert!(bytes == again, "the same rows make other bytes");
        let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a Parquet file");
        assert_eq!(file.metadata().num_row_groups(), groups);
        let columns: Vec<(bool, &[u8])> = (dataset.attributes().iter().enumerate())
            .map(|(at, column)| (has_letters(&column.name), dataset.column(at)))
            .collect();
        let mut count = 0;
        for (at, row) in file.get_row_iter(None).expect("rows").enumerate() {
            let row = row.expect("a row");
            let mut fields = row.get_column_iter().map(|(_, field)| field);
            for (&(has_letters, column), field) in columns.iter().zip(&mut fields) {
                let is_written = match field {
                    Field::Str(text) => {
                        has_letters && text.as_bytes() == [b'a' + column[at] - 1].as_slice()
                    }
                    Field::UByte(number) => !has_letters && *number == column[at],
                    _ => false,
                };
                assert!(is_written, "row {at}: {row}, not {:?}", said(&dataset, at));
            }
            let class = &dataset.classes()[usize::from(dataset.targets()[at])];
            assert_eq!(fields.next(), Some(&Field::Str(class.clone())), "row {at}");
            assert_eq!(fields.next(), None, "row {at}");
            count += 1;
        }
        assert_eq!(count, dataset.rows());
        let schema = file.metadata().file_metadata().schema_descr();
        let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
        let known = dataset.attributes().iter().map(|column| column.name.as_str());
        assert_eq!(names, known.chain(["optimalDepth"]).collect::<Vec<_>>());
    }
}

#[test]
fn krkopt_is_the_published_file_and_nothing_else() {
    let (bytes, written) =
        written(&KRVK, Selection::Location, Positions::Canonical, Format::Krkopt);
    assert_eq!((written.sha256.as_str(), written.rows), (krkopt::KRVK_SHA256, 28_056));
    assert_eq!(sha256(&bytes), krkopt::KRVK_SHA256);

    let four = solve("KBvKN");
    let refused = |table: &Tablebase, selection, positions| {
        let attributes = AttributeSet::new(table.material(), selection);
        let rows = Rows::new(table, &attributes, positions).expect("its attributes");
        FormattedRows::new(&rows, Format::Krkopt).err()
    };
    assert_eq!(
        refused(&four, Selection::Location, Positions::Canonical),
        Some(FormatError::Krkopt(krkopt::KrkoptError::NotThreeMen(material("KBvKN"))))
    );
    assert_eq!(
        refused(&KRVK, Selection::Location, Positions::Full),
        Some(FormatError::NotCanonical)
    );
    assert_eq!(
        refused(&KRVK, Selection::Geometric, Positions::Canonical),
        Some(FormatError::OtherColumns)
    );
}

#[test]
fn folds_are_a_column_where_there_is_room() {
    let attributes = AttributeSet::new(material("KRvK"), Selection::Location);
    let params = DivisionParams { folds: Some(10), seed: 3, ..DivisionParams::default() };
    let division = Division::new(params, 28_056).expect("enough orbits");
    for &(name, format) in Format::ALL {
        let rows = Rows::new(&*KRVK, &attributes, Positions::Canonical).expect("its attributes");
        let rows = rows.part(&division, DivisionPart::Train);
        match FormattedRows::new(&rows, format) {
            Ok(layout) => {
                assert!(!["libsvm", "krkopt"].contains(&name));
                let written = layout.write(&mut io::sink()).expect("a sink takes all");
                assert_eq!(written.rows, 28_056);
            }
            Err(error) => assert_eq!(error, FormatError::NoFolds(format)),
        }
    }
    let rows = Rows::new(&*KRVK, &attributes, Positions::Canonical).expect("its attributes");
    let rows = rows.part(&division, DivisionPart::Train);
    let mut csv = Vec::new();
    FormattedRows::new(&rows, Format::Csv).expect("room").write(&mut csv).expect("memory");
    let mut sizes = [0; 10];
    for record in csv::Reader::from_reader(csv.as_slice()).records() {
        let record = record.expect("a row");
        sizes[record[6].parse::<usize>().expect("a fold")] += 1;
    }
    assert_eq!(sizes.iter().sum::<u32>(), 28_056);
    assert!(sizes.iter().all(|size| (2_805..=2_806).contains(size)), "{sizes:?}");
}

#[test]
fn a_card_tells_what_the_file_holds() {
    let attributes = AttributeSet::new(material("KRvK"), Selection::Published);
    let rows = Rows::new(&*KRVK, &attributes, Positions::Canonical).expect("its attributes");
    let mut bytes = Vec::new();
    let written =
        FormattedRows::new(&rows, Format::Csv).expect("room").write(&mut bytes).expect("memory");
    let file = FileSummary { name: "KRvK.csv".into(), written };
    let card = Card {
        heading: rows.heading(),
        turns: &[rows.turn()],
        format: Format::Csv,
        files: CardFiles::One(&file),
        command: "lucena dataset KRvK",
        seed: 5,
        published: None,
    };
    let told: Value = serde_json::from_str(&card.to_json()).expect("JSON");
    assert_eq!(told["conformsTo"], "http://mlcommons.org/croissant/1.0");
    let file = &told["distribution"][0];
    assert_eq!(file["sha256"], sha256(&bytes));
    assert_eq!(file["contentSize"], format!("{} B", bytes.len()));
    assert_eq!(told["size"]["value"], 28_056);
    assert_eq!(told["prov:wasGeneratedBy"]["description"], "lucena dataset KRvK");
    assert_eq!(told["prov:wasGeneratedBy"]["additionalProperty"]["value"], 5);
    // The class counts that UCI publishes with krkopt.
    let classes = told["recordSet"][0]["data"].as_array().expect("classes");
    let published = lucena_test_support::cases::cases("krkopt_classes.csv");
    assert_eq!(classes.len(), published.len());
    for (class, [name, rows]) in classes.iter().zip(published) {
        assert_eq!(class["classes/name"], name);
        assert_eq!(class["classes/rows"].to_string(), rows);
    }
    let columns = told["variableMeasured"].as_array().expect("columns");
    assert_eq!(columns.len(), 30);
    for (column, [name, low, high, _]) in
        columns.iter().zip(lucena_test_support::cases::cases::<4>("attributes.csv"))
    {
        assert_eq!(column["name"], name);
        let ends = if has_letters(&name) { ["\"a\"", "\"h\""] } else { [&*low, &*high] };
        assert_eq!(["minValue", "maxValue"].map(|end| column[end].to_string()), ends);
    }
    assert!(told.get("datePublished").is_none());
    let dated = Card { published: Some("2026-01-31".parse().expect("a day")), ..card };
    let told: Value = serde_json::from_str(&dated.to_json()).expect("JSON");
    assert_eq!(told["datePublished"], "2026-01-31");
}

/// The values of each column of a file by name, read by other programs' rules. Files without names have the
/// columns of `names`; LIBSVM leaves zeros out.
fn values_by_name(bytes: Vec<u8>, format: Format, names: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut add = |name: &str, value: String| columns.entry(name.into()).or_default().push(value);
    let csv = |bytes: &[u8], has_headers| {
        csv::ReaderBuilder::new()
            .has_headers(has_headers)
            .from_reader(io::Cursor::new(bytes.to_vec()))
    };
    match format {
        Format::Parquet => {
            let file = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("Parquet");
            for row in file.get_row_iter(None).expect("rows") {
                for (name, field) in row.expect("a row").get_column_iter() {
                    match field {
                        Field::Str(text) => add(name, text.clone()),
                        number => add(name, number.to_string()),
                    }
                }
            }
        }
        Format::Libsvm => {
            for line in text(bytes).lines() {
                let told: BTreeMap<usize, &str> = line
                    .split(' ')
                    .skip(1)
                    .filter_map(|cell| cell.split_once(':'))
                    .map(|(number, value)| (number.parse().expect("a number"), value))
                    .collect();
                for (name, number) in names.iter().zip(1..) {
                    add(name, told.get(&number).copied().unwrap_or("0").into());
                }
            }
        }
        Format::Csv | Format::Krkopt => {
            let mut reader = csv(&bytes, format == Format::Csv);
            let header: Vec<String> = match format {
                Format::Csv => reader.headers().expect("names").iter().map(Into::into).collect(),
                _ => names.iter().copied().chain(["optimalDepth"]).map(Into::into).collect(),
            };
            for record in reader.records() {
                let record = record.expect("a row");
                record.iter().zip(&header).for_each(|(value, name)| add(name, value.into()));
            }
        }
        Format::Arff | Format::ArffNominal => {
            let text = text(bytes);
            let (head, data) = text.split_once("@data\n").expect("data");
            let header = head.lines().filter_map(|line| line.strip_prefix("@attribute "));
            let header: Vec<&str> = header.filter_map(|line| line.split(' ').next()).collect();
            for record in csv(data.as_bytes(), false).records() {
                let record = record.expect("a row");
                record.iter().zip(&header).for_each(|(value, name)| add(name, value.into()));
            }
        }
    }
    columns
}

/// Checks what a card says of a column against the column's values.
fn check_column(variable: &Value, values: &[String], what: &str) {
    let described = variable["description"].as_str().expect("a description");
    let what = format!("{what}: {variable}, but the file has {:?}", &values[..values.len().min(9)]);
    match (&variable["minValue"], &variable["maxValue"]) {
        (Value::Number(least), Value::Number(greatest)) => {
            let range = least.as_i64().expect("whole")..=greatest.as_i64().expect("whole");
            let is_in = |value: &String| value.parse().is_ok_and(|value| range.contains(&value));
            assert!(values.iter().all(is_in), "{what}");
        }
        (Value::String(least), Value::String(greatest)) => {
            let is_in = |value: &String| value.len() == 1 && (least..=greatest).contains(&value);
            assert!(values.iter().all(is_in), "{what}");
        }
        _ => panic!("{what}"),
    }
    // The words name a value only as the file writes it.
    let has_sign = |value: &str| value.starts_with(['+', '-']);
    assert!(values.iter().all(|value| has_sign(value) == has_sign(&values[0])), "{what}");
    for word in ["level", "as many"] {
        let Some((before, _)) = described.split_once(&format!(" is {word}")) else { continue };
        let named = before.rsplit(' ').next().expect("a word");
        // No difference is +0 with a sign, and the middle of the range without.
        let greatest = variable["maxValue"].as_u64().expect("a number");
        let middle = if has_sign(&values[0]) { "+0".into() } else { (greatest / 2).to_string() };
        assert_eq!(named, middle, "{what}");
    }
    let has_codes = values.iter().all(|value| value.parse::<u8>().is_ok());
    assert!(!described.contains("a is 1") || has_codes, "{what}");
}

/// A card is right about every column of its file, whatever the format and the attributes.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn cards_say_what_stands_in_their_files() {
    for table in [&*KRVK, &*KPVK] {
        let params = DivisionParams { sample: Some(150), seed: 2, ..DivisionParams::default() };
        let division = Division::new(params, table.canonical_len(Side::Weak)).expect("enough");
        for (&(set, selection), &(name, format)) in Selection::ALL
            .iter()
            .flat_map(|set| Format::ALL.iter().map(move |format| (set, format)))
        {
            let attributes = AttributeSet::new(table.material(), selection);
            let rows = Rows::new(table, &attributes, Positions::Canonical).expect("its attributes");
            let rows = rows.part(&division, DivisionPart::Train);
            let Ok(layout) = FormattedRows::new(&rows, format) else {
                assert!(format == Format::Krkopt && selection != Selection::Location);
                continue;
            };
            let mut bytes = Vec::new();
            let written = layout.write(&mut bytes).expect("memory");
            let card = Card {
                heading: rows.heading(),
                turns: &[rows.turn()],
                format,
                files: CardFiles::One(&FileSummary { name: "file".into(), written }),
                command: "",
                seed: 2,
                published: None,
            };
            let card: Value = serde_json::from_str(&card.to_json()).expect("JSON");
            let variables = card["variableMeasured"].as_array().expect("columns");
            let names: Vec<&str> = variables
                .iter()
                .map(|variable| variable["name"].as_str().expect("a name"))
                .collect();
            let arff = String::from_utf8_lossy(&bytes).into_owned();
            let values = values_by_name(bytes, format, &names);
            for variable in variables {
                let column = variable["name"].as_str().expect("a name");
                let what = format!("{} {set} {name}", table.material());
                check_column(variable, &values[column], &what);
                let described = variable["description"].as_str().expect("a description");
                if matches!(format, Format::Arff | Format::ArffNominal) {
                    let comment = format!("% {described}\n@attribute {column} ");
                    assert!(arff.contains(&comment), "{what}: {comment}");
                }
                let fields = card["recordSet"][1]["field"].as_array();
                for field in fields.into_iter().flatten().filter(|field| field["name"] == column) {
                    assert_eq!(field["description"], described, "{what}");
                    let is_integer = values[column].iter().all(|value| value.parse::<u8>().is_ok());
                    let is_signed = values[column][0].starts_with(['+', '-']);
                    let kind = if is_integer && !is_signed { "sc:Integer" } else { "sc:Text" };
                    assert_eq!(field["dataType"], kind, "{what}: {column}");
                }
            }
        }
    }
}
