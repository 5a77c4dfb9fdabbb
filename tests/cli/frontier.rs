//! `frontier`.

use super::{arguments, folder, lucena_in, mined_tree, text, write};
use serde_json::Value;
use std::sync::LazyLock;

/// The report and the files of a run.
pub(super) struct FrontierRun {
    pub(super) report: Value,
    csv: String,
    svg: String,
}

/// The command that the tests share, as it takes seconds. It is also in `cli_fields.csv`.
pub(super) const ASKED: &str = "experiment|frontier|--csv|f.csv|--svg|f.svg|--tree|given.json|--theory-attributes|oriented|--candidates|0";

pub(super) static FRONTIER_RUN: LazyLock<FrontierRun> = LazyLock::new(run_frontier);

fn run_frontier() -> FrontierRun {
    let folder = folder();
    write(&folder.path().join("given.json"), mined_tree());
    let ran = lucena_in(folder.path(), &[&arguments(ASKED)[..], &["--format", "json"]].concat());
    assert_eq!(ran.err, "wrote f.csv\nwrote f.svg\n");
    let [csv, svg] = ["f.csv", "f.svg"].map(|name| text(&folder.path().join(name)));
    FrontierRun { report: ran.json(0), csv, svg }
}

/// The csv agrees with the report, and the report has the published results. A second run is slow:
/// [`a_second_frontier_of_the_same_plan_changes_no_byte`].
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn frontier_writes_the_same_files_for_the_same_plan() {
    let FrontierRun { report, csv: file, svg } = &*FRONTIER_RUN;
    // The csv agrees with the report.
    let mut rows = csv::Reader::from_reader(file.as_bytes());
    let names = rows.headers().expect("names").clone();
    let points = report["points"].as_array().expect("points");
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), points.len());
    for (row, point) in rows.iter().zip(points) {
        for (name, value) in names.iter().zip(row) {
            match &point[name] {
                Value::Null => assert_eq!(value, "", "{name}"),
                Value::String(text) => assert_eq!(value, text, "{name}"),
                number => assert_eq!(value.parse::<f64>().ok(), number.as_f64(), "{name}"),
            }
        }
    }
    // In KRvK nothing starts the count again that keeps the win.
    for point in points {
        let is_safe = match point["series"] == "published" {
            true => Value::Null,
            false => (point["longest_moves"].as_u64() <= Some(50)).into(),
        };
        assert_eq!(point["fifty_move_safe"], is_safe, "{point}");
    }
    let of = |series: &str| -> Vec<&Value> {
        points.iter().filter(|point| point["series"] == series).collect()
    };
    let exact = of("learned").pop().expect("learned trees").clone();
    assert_eq!((&exact["leaves"], &exact["won_share"]), (&5168.into(), &1.0.into()));
    assert!(!of("theory").is_empty() && of("theory").iter().all(|point| point["won_share"] == 1.0));
    let given = of("tree").pop().expect("the tree that was given comes last");
    assert_eq!(given["name"], "given");
    assert_eq!(given["longest_moves"], exact["longest_moves"]);
    let known: Vec<(&Value, &Value, &Value)> = of("published")
        .into_iter()
        .map(|point| (&point["leaves"], &point["rules"], &point["win_rate"]))
        .collect();
    let [null, nine, four, games] = [Value::Null, 9.into(), 4.into(), 0.72.into()];
    assert_eq!(known, [(&null, &nine, &null), (&null, &four, &null), (&null, &null, &games)]);
    let smallest = of("strategy");
    assert_eq!((&smallest[0]["rules"], &smallest[0]["size"]), (&1.into(), &5.into()));
    assert_eq!(of("search").len(), 2);
    for words in
        ["given", "smallest", "nine rules", "1 ply", "longest game", "mean excess", "10,000"]
    {
        assert!(svg.contains(words), "no {words}");
    }
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_second_frontier_of_the_same_plan_changes_no_byte() {
    let again = run_frontier();
    assert_eq!(again.report["points"], FRONTIER_RUN.report["points"]);
    assert_eq!((&again.csv, &again.svg), (&FRONTIER_RUN.csv, &FRONTIER_RUN.svg));
}
