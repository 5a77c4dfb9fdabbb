//! `dataset`.

use super::{arguments, files, folder, lucena, lucena_in, sha256, text};
use lucena_test_support::cases::cases;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

#[test]
fn dataset_writes_what_is_asked_for() {
    let folder = folder();
    let dataset = |options: &str| lucena(&[&["dataset"][..], &arguments(options)].concat()).good();
    let known: Vec<[String; 4]> = cases("attributes.csv");
    let all = dataset("--attributes|published|--positions|full");
    let names = known.iter().map(|[name, ..]| name.as_str()).chain(["optimalDepth"]);
    assert_eq!(all.lines().next(), Some(names.collect::<Vec<_>>().join(",").as_str()));
    assert_eq!(all.lines().count(), 1 + 223_944);
    let example = known.iter().map(|[.., value]| value.as_str()).chain(["zero"]);
    let example = example.collect::<Vec<_>>().join(",");
    assert_eq!(all.lines().filter(|line| **line == example).count(), 1);

    let canonical = dataset("");
    let header: Vec<&str> = canonical.lines().next().expect("a header").split(',').collect();
    assert_eq!((header.len(), canonical.lines().count()), (24 + 1, 1 + 28_056));
    let location = dataset("--attributes|location");
    assert!(location.starts_with("KFile,KRank,RFile,RRank,kFile,kRank,optimalDepth\n"));

    let file = folder.path().join("KRvK.csv");
    let path = file.to_str().expect("a path in Unicode");
    assert_eq!(dataset(&format!("--out|{path}")), "", "the data is in the file");
    assert_eq!(text(&file), canonical);
}

#[test]
fn a_data_set_has_a_card_that_names_no_folder() {
    let folder = folder();
    let asked = "dataset|--format|parquet|--split|0.8|--folds|5|--seed|3|--out|parts/KRvK.parquet";
    let again = "--published|2026-01-31|--tables|tables";
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    lucena_in(folder.path(), &[arguments(asked), arguments(again)].concat()).good();
    let parts = folder.path().join("parts");
    let found: Vec<String> = files(&parts).into_keys().collect();
    let [train, test] = ["KRvK.train.parquet", "KRvK.test.parquet"];
    let card = |file: &str| format!("{file}.croissant.json");
    assert_eq!(found, [test, &card(test), train, &card(train)]);
    for file in [train, test] {
        let text = text(&parts.join(card(file)));
        let card: Value = serde_json::from_str(&text).expect("JSON");
        let bytes = fs::read(parts.join(file)).expect("a file");
        assert_eq!(card["distribution"][0]["sha256"], sha256(&bytes));
        assert_eq!(card["distribution"][0]["contentUrl"], file);
        assert_eq!(card["datePublished"], "2026-01-31");
        // The number of the fold is not an attribute; a file has no address before it is published.
        let description = card["description"].as_str().expect("a text");
        assert!(description.contains("by 24 attributes."), "{description}");
        assert!(card["url"].is_null(), "{text}");
        let command = "lucena dataset KRvK --format parquet --positions canonical \
                       --attributes geometric --split 0.8 --folds 5 --seed 3 --out KRvK.parquet \
                       --published 2026-01-31";
        assert_eq!(card["prov:wasGeneratedBy"]["description"], command);
        assert!(!text.contains("parts") && !text.contains("tables/"), "{text}");
    }
    // The command makes the same files in any folder.
    let other = self::folder();
    let card: Value = serde_json::from_str(&text(&parts.join(card(train)))).expect("JSON");
    let command = card["prov:wasGeneratedBy"]["description"].as_str().expect("a command");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    lucena_in(other.path(), &words).good();
    let contents = |folder: &Path| -> BTreeMap<String, Vec<u8>> {
        files(folder).into_iter().map(|(name, (bytes, _))| (name, bytes)).collect()
    };
    assert!(contents(other.path()) == contents(&parts));
}

#[test]
fn folds_are_files_where_a_format_has_no_room() {
    let folder = folder();
    let asked = "dataset|--format|libsvm|--split|0.5|--folds|3|--out|KRvK.libsvm";
    lucena_in(folder.path(), &arguments(asked)).good();
    let names = ["train.fold0", "train.fold1", "train.fold2", "test"];
    let lines = names.map(|name| text(&folder.path().join(format!("KRvK.{name}.libsvm"))));
    assert_eq!(lines.each_ref().map(|text| text.lines().count()), [4_676, 4_676, 4_676, 14_028]);
    let mut all: Vec<&str> = lines.iter().flat_map(|text| text.lines()).collect();
    let whole = lucena(&["dataset", "--format", "libsvm"]).good();
    let mut expected: Vec<&str> = whole.lines().collect();
    all.sort_unstable();
    expected.sort_unstable();
    assert!(all == expected);
    assert_eq!(files(folder.path()).len(), 8, "each file has its card");
}

/// A path that is not a regular file gets no files beside it.
#[test]
#[cfg(unix)]
fn a_device_has_no_card() {
    let ran = lucena(&["dataset", "--out", "/dev/null"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!Path::new("/dev/null.croissant.json").exists());
}

/// Several selections are one list of columns, and whatever tells of them names them.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn several_selections_are_named_where_they_were_used() {
    let folder = folder();
    let csv = |attributes: &str| {
        lucena(&["dataset", "--sample", "50", "--attributes", attributes]).good()
    };
    assert_eq!(csv("location,geometric"), csv("published"));
    assert_eq!(csv("location,published,geometric"), csv("published"));
    let asked = "dataset|--sample|50|--attributes|concepts,ahead|--out|rows.csv";
    lucena_in(folder.path(), &arguments(asked)).good();
    let card = fs::read_to_string(folder.path().join("rows.csv.croissant.json")).expect("a card");
    let card: Value = serde_json::from_str(&card).expect("JSON");
    let described = card["description"].as_str().expect("a description");
    assert!(described.contains("The selections are concepts and ahead."), "{described}");
    let command = card["prov:wasGeneratedBy"]["description"].as_str().expect("a command");
    assert!(command.contains(" --attributes concepts,ahead "), "{command}");
    for (asked, field) in [
        ("learn|--attributes|location,oriented|--folds|0|--sample|500", "attributes"),
        ("attributes|--set|location,oriented|--list", "set"),
        ("experiment|curve|KvK|--attributes|location,oriented|--games|1", "attributes"),
    ] {
        let ran = lucena(&[&arguments(asked)[..], &["--format", "json"]].concat());
        assert_eq!(ran.json(0)[field], "location,oriented", "{asked}");
    }
    let asked =
        "find|tree|--attributes|geometric,concepts|--keep|exact|--candidates|1|--out|tree.json";
    lucena_in(folder.path(), &arguments(asked)).good();
    let tree = fs::read_to_string(folder.path().join("tree.json")).expect("a tree");
    assert!(tree.contains("\"geometric,concepts\""));
}
