//! `curve`.

use super::{arguments, folder, lucena_in, text};

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn curve_writes_the_same_files_for_the_same_seed() {
    let folder = folder();
    let curve = |options: &str| {
        let files = "experiment|curve|--csv|curve.csv|--svg|curve.svg|--games|50|--shares|50,5|--format|json|";
        let ran = lucena_in(folder.path(), &arguments(&[files, options].concat()));
        assert_eq!(ran.err, "wrote curve.csv\nwrote curve.svg\n");
        let [csv, svg] = ["curve.csv", "curve.svg"].map(|name| text(&folder.path().join(name)));
        (ran.json(0), csv, svg)
    };
    let (report, csv, svg) = curve("--seed|1");
    let (again, csv_again, svg_again) = curve("--seed|1");
    assert_eq!((&again["points"], &csv_again, &svg_again), (&report["points"], &csv, &svg));
    let (_, other_csv, other_svg) = curve("--seed|2");
    assert!(other_csv != csv && other_svg != svg);
    for options in
        ["--learner|id3", "--positions|full", "--attributes|location", "--defence|random"]
    {
        let (other, other_csv, other_svg) = curve(options);
        assert_ne!(other["points"], report["points"], "{options}");
        assert!(other_csv != csv && other_svg != svg, "{options}");
    }
    // The csv agrees with the report, the smaller share first.
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    let points = report["points"].as_array().expect("points");
    assert_eq!((points.len(), lines.clone().count()), (2, 2));
    for (line, point) in lines.zip(points) {
        let values = line.split(',').map(|value| value.parse::<f64>().expect("a number"));
        for (name, value) in names.iter().zip(values) {
            assert_eq!(point[name].as_f64(), Some(value), "{name}");
        }
    }
    assert_eq!((&points[0]["share_percent"], &points[1]["share_percent"]), (&5.into(), &50.into()));
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
}
