//! `solve`.

use super::{counts, grouped, histogram, lucena, report};
use lucena_test_support::cases::cases;

#[test]
fn solve_counts_as_published() {
    for material in ["KRvK", "KQvK"] {
        let report = report(&["solve", material]);
        let text = lucena(&["solve", material, "--all-depths"]).good();
        assert_eq!(report["material"], material);
        let mut longest = 0;
        for (name, side) in [("white_to_move", "strong"), ("black_to_move", "weak")] {
            let (expected, drawn) = histogram(material, side);
            longest = longest.max(*expected.keys().max().expect("a mate"));
            let found = &report[name];
            assert_eq!(counts(&found["histogram"]), expected, "{material} {name}");
            let decided: u64 = expected.values().sum();
            let (won, lost) = if side == "strong" { (decided, 0) } else { (0, decided) };
            assert_eq!(found["won"], won);
            assert_eq!(found["lost"], lost);
            assert_eq!(found["drawn"], drawn);
            assert_eq!(found["legal"], decided + drawn);
            let canonical = counts(&found["canonical_histogram"]);
            assert!(canonical.keys().eq(expected.keys()));
            let canonical_decided: u64 = canonical.values().sum();
            assert_eq!(
                found["canonical"].as_u64(),
                found["canonical_drawn"].as_u64().map(|drawn| drawn + canonical_decided)
            );
            for (plies, count) in expected {
                let line = text.lines().find(|line| {
                    let mut words = line.split_whitespace();
                    words.next() == Some(&plies.to_string()) && words.any(|w| w == grouped(count))
                });
                assert!(line.is_some(), "{material}: no line for {count} mates in {plies}\n{text}");
            }
        }
        assert_eq!(report["longest_plies"], longest);
    }
    let report = report(&["solve"]);
    assert_eq!(report["white_to_move"]["canonical"], 21_959);
    let black = &report["black_to_move"];
    assert_eq!(black["canonical"], 28_056);
    let classes: Vec<u64> = cases("krkopt_classes.csv")
        .into_iter()
        .map(|[_, rows]: [String; 2]| rows.parse().expect("rows"))
        .collect();
    assert_eq!(black["canonical_drawn"], classes[0]);
    let mated: Vec<u64> = counts(&black["canonical_histogram"]).into_values().collect();
    assert_eq!(mated, classes[1..]);
}

#[test]
fn solve_counts_pawn_endings_up_to_mirroring() {
    let report = report(&["solve", "KPvK"]);
    let [white, black] = [&report["white_to_move"], &report["black_to_move"]];
    // Known from bitbases; a position and its mirror image count as two.
    assert_eq!((&white["canonical_won"], &white["won"]), (&62_480.into(), &124_960.into()));
    assert_eq!((&black["canonical_lost"], &black["lost"]), (&48_802.into(), &97_604.into()));
    assert_eq!((&white["lost"], &black["won"]), (&0.into(), &0.into()));
    assert_eq!((&white["legal"], &black["legal"]), (&163_328.into(), &168_024.into()));
    assert_eq!(report["longest_plies"], 56);
    let text = lucena(&["solve", "KPvK"]).good();
    assert!(text.contains("124,960 (62,480)") && text.contains("28 moves"), "{text}");
}
