//! `attributes`.

use super::{lucena, report};
use lucena::tablebase::DistanceClass;
use serde_json::Value;

/// The published facts about the 24 attributes, checked through the report.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn attributes_are_reported_as_enough_or_not() {
    let full = report(&["attributes", "--positions", "full", "--subset", "none"]);
    let enough = &full["sufficiency"];
    assert_eq!((&enough["rows"], &enough["vectors"]), (&223_944.into(), &55_986.into()));
    assert_eq!((&enough["clashing_vectors"], &enough["best_accuracy"]), (&0.into(), &1.0.into()));
    assert_eq!((&enough["clashes"], &enough["subset"]), (&Value::Array(vec![]), &Value::Null));

    let asked = ["attributes", "--set", "strategic", "--positions", "full", "--subset", "exact"];
    let strategic = report(&asked);
    let subset = &strategic["sufficiency"]["subset"];
    assert_eq!(subset["smallest"], true);
    let names = subset["attributes"].as_array().expect("names");
    assert_eq!(names.len(), subset["at_least"].as_u64().expect("a number") as usize);

    // Examples of positions that are not told apart appear on boards.
    let few = report(&["attributes", "--names", "kOnEdge,kInCheck", "--examples", "2"]);
    assert_eq!((&few["set"], few["attributes"].as_array().map(Vec::len)), (&Value::Null, Some(2)));
    let few = &few["sufficiency"];
    assert_eq!((&few["vectors"], &few["clashing_vectors"]), (&4.into(), &4.into()));
    assert_eq!(few["clashing_rows"], 28_056);
    let clashes = few["clashes"].as_array().expect("clashes");
    assert_eq!(clashes.len(), 2);
    for clash in clashes {
        let classes = clash["classes"].as_array().expect("classes");
        assert!(classes.len() > 5, "{clash}");
        for class in classes {
            let fen = class["fen"].as_str().expect("a FEN");
            let probed = report(&["probe", fen]);
            // Lichess gives no distance for a mate, and a meaningless one for a draw.
            let plies = probed["dtm"].as_i64().unwrap_or(0);
            let is_draw = probed["category"] == "draw";
            let depth = if is_draw {
                DistanceClass::Draw
            } else {
                DistanceClass::Mated((plies / -2) as u16)
            };
            assert_eq!(class["class"], depth.to_string(), "{fen}");
        }
    }
}

#[test]
fn attributes_are_listed_without_a_table() {
    let text = lucena(&["attributes", "KPvKP", "--set", "all", "--list"]).good();
    let listed = report(&["attributes", "KPvKP", "--set", "all", "--list"]);
    let attributes = listed["attributes"].as_array().expect("a list");
    assert_eq!(text.lines().count(), attributes.len());
    assert_eq!((&listed["sufficiency"], &listed["seconds"]), (&Value::Null, &Value::Null));
    for (line, attribute) in text.lines().zip(attributes) {
        for name in ["name", "meaning"] {
            assert!(line.contains(attribute[name].as_str().expect("text")), "{line}");
        }
        let range = format!(" {} to {} ", attribute["low"], attribute["high"]);
        assert!(line.contains(&range), "{line}");
    }
}
