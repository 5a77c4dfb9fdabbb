//! The verdicts on rules, compared with the table.

use super::rules::{list, number, position, refused, text, told};
use lucena::chess::Side;
use lucena::progress::NoObserver;
use lucena::tablebase::{Metric, TableFolder, Wdl};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn verdicts_are_told_by_kind() {
    let pawn = told("/api/verdicts", "");
    assert_eq!(pawn["material"], "KPvK");
    let kinds: Vec<&str> = list(&pawn["kinds"]).iter().map(|kind| text(&kind["kind"])).collect();
    assert_eq!(kinds, ["published", "proved", "found", "thumb"]);
    let all: usize = list(&pawn["kinds"]).iter().map(|kind| list(&kind["rules"]).len()).sum();
    let endgames = list(&pawn["endgames"]);
    let own = endgames.iter().find(|one| one["material"] == "KPvK").expect("it has rules");
    // The last line of the rules of thumb is no rule.
    assert_eq!(number(&own["rules"]), all as u64 - 1);
    for endgame in endgames {
        let answer = told("/api/verdicts", &format!("material={}", text(&endgame["material"])));
        for kind in list(&answer["kinds"]) {
            let rules = list(&kind["rules"]);
            let names: BTreeSet<&str> = rules.iter().map(|rule| text(&rule["name"])).collect();
            assert_eq!(names.len(), rules.len(), "each has a name of its own: {kind}");
            for rule in rules {
                assert!(!rule["conditions"].is_null() && !text(&rule["sentence"]).is_empty());
                assert_eq!(rule["exception"].is_null(), number(&rule["wrong"]) == 0, "{rule}");
            }
        }
    }
    assert_eq!(told("/api/verdicts", "material=KRvK")["kinds"], Value::Array(Vec::new()));
    refused(400, "/api/verdicts", "material=KXvK");
}

#[test]
fn the_boards_of_verdicts_are_what_the_table_says() {
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    let pawn = told("/api/verdicts", "material=KPvK");
    let mut marked = 0;
    for kind in list(&pawn["kinds"]) {
        for rule in list(&kind["rules"]) {
            for (board, is_right) in [(&rule["exception"], false), (&rule["example"], true)] {
                if board.is_null() {
                    continue;
                }
                let position = position(&board["fen"]);
                let outcome = folder.probe(&position, &NoObserver).expect("a table");
                let says = match (outcome.wdl(), position.turn()) {
                    (Wdl::Win, Side::Strong) | (Wdl::Loss, Side::Weak) => "White wins",
                    _ => "a draw",
                };
                assert_eq!(text(&board["says"]), says, "{board}");
                assert_eq!((says == "White wins") == (rule["claim"] == "win"), is_right, "{board}");
                marked += usize::from(!list(&board["marks"]).is_empty());
            }
        }
    }
    assert!(marked > 100, "{marked} boards have marks");
}
