//! `validate`.

use super::{arguments, folder, histogram, hopeless_tree, lucena_in, report, write};

#[test]
fn validate_counts_games_and_repeats_them() {
    let validate = |options: &str| {
        let ask = [&["validate", "--player", "exact", "--games", "300"][..], &arguments(options)]
            .concat();
        let report = report(&ask);
        let number = |name: &str| report[name].as_u64().expect("a count");
        assert_eq!(number("games"), 300, "{options}");
        assert_eq!(number("won") + number("drawn") + number("lost"), 300, "{options}");
        let strata = report["by_distance"].as_object().expect("strata");
        let sum = |name: &str| strata.values().filter_map(|s| s[name].as_u64()).sum::<u64>();
        assert_eq!((sum("games"), sum("won")), (300, number("won")), "{options}");
        let starts = histogram("KRvK", "strong").0;
        let distances = strata.keys().map(|plies| plies.parse::<u64>().expect("plies"));
        assert!(distances.into_iter().all(|plies| starts.contains_key(&plies)), "{options}");
        assert_eq!(report["win_rate"].as_f64(), Some(number("won") as f64 / 300.0));
        report
    };
    let first = validate("--seed|7");
    assert_eq!(validate("--seed|7"), first, "a seed plays the same games");
    assert_ne!(validate("--seed|8"), first);
    assert_ne!(validate("--seed|18446744073709551615")["by_distance"], first["by_distance"]);
    assert_eq!((&first["won"], &first["mean_excess_moves"]), (&300.into(), &0.0.into()));
    // Wilson's interval for n of n goes from 1 / (1 + z^2 / n) to 1.
    let interval = first["wilson_95"].as_array().expect("low and high");
    let z = 1.959_964_f64;
    let low = 1.0 / (1.0 + z * z / 300.0);
    assert!((interval[0].as_f64().expect("a share") - low).abs() < 1e-6, "{interval:?}");
    assert!((interval[1].as_f64().expect("a share") - 1.0).abs() < 1e-6, "{interval:?}");

    // Another defence plays other games from the same starts, and lasts no longer.
    for defence in ["random", "central"] {
        let weaker = validate(&format!("--seed|7|--defence|{defence}"));
        assert_eq!(weaker["won"], 300, "{defence}");
        assert_eq!(weaker["by_distance"], first["by_distance"], "{defence}");
        assert!(weaker["mean_excess_moves"].as_f64() < Some(0.0), "{defence}: {weaker}");
    }
    let [random, central] =
        ["random", "central"].map(|defence| validate(&format!("--defence|{defence}")));
    assert_ne!(random, central);
}

#[test]
fn an_interval_holds_the_rate_it_is_of() {
    let folder = folder();
    write(&folder.path().join("lost.json"), hopeless_tree().to_string());
    // If no game is won, Wilson's interval begins at 0; if all are won, it ends at 1, whatever
    // the number of games.
    for games in ["1", "3", "20", "300"] {
        for (player, rate, words) in [
            ("tree:lost.json", 0.0, "win rate 0 %, likely between 0 % and "),
            ("exact", 1.0, " and 100 % (Wilson"),
        ] {
            let ask = ["validate", "--player", player, "--games", games];
            let out = lucena_in(folder.path(), &ask).good();
            assert!(out.contains(words), "no {words:?} in {out}");
            let json =
                lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(0);
            assert_eq!(json["win_rate"], rate);
            let [low, high] = [0, 1].map(|end| json["wilson_95"][end].as_f64().expect("a share"));
            assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{low} {high}");
        }
    }
}
