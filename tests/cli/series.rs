//! `train chess --network`: a series of games against players, programs and a human.

use super::{CommandResult, command, finish, folder, lucena_in, write};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The report of a series.
#[track_caller]
fn series(folder: &Path, options: &[&str]) -> Value {
    let asked = [&["train", "chess", "--format", "json", "--network"], options].concat();
    lucena_in(folder, &asked).json(0)
}

/// A series against a human who writes these lines.
#[track_caller]
fn played(folder: &Path, options: &[&str], lines: &str) -> CommandResult {
    let file = folder.join("input");
    write(&file, lines);
    let asked = ["train", "chess", "--opponent", "human", "--network"];
    let mut command = command(folder, &[&asked, options].concat());
    command.stdin(fs::File::open(file).expect("the input"));
    finish(command)
}

#[test]
fn the_files_of_a_series_tell_every_game() {
    let folder = folder();
    let files = ["--csv", "games.csv", "--svg", "share.svg", "--out", "learner"];
    let told = series(folder.path(), &[&["published", "--games", "25"][..], &files].concat());
    let csv = fs::read_to_string(folder.path().join("games.csv")).expect("a file");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("game,color,score,points_percent,last_ten_percent"));
    // The shares again, from the scores alone.
    let mut scores: Vec<f64> = Vec::new();
    for line in lines {
        let [game, color, score, share, last]: [&str; 5] =
            line.split(',').collect::<Vec<_>>().try_into().expect("five fields");
        scores.push(match score {
            "won" => 1.0,
            "drawn" => 0.5,
            "lost" => 0.0,
            _ => panic!("{line}"),
        });
        let color_of_game = ["white", "black"][(scores.len() - 1) % 2];
        assert_eq!((game, color), (&*scores.len().to_string(), color_of_game));
        let ten = &scores[scores.len().saturating_sub(10)..];
        for (found, of) in [(share, &scores[..]), (last, ten)] {
            let mean = 100.0 * of.iter().sum::<f64>() / of.len() as f64;
            assert!((found.parse::<f64>().expect("a number") - mean).abs() < 1e-9, "{line}");
        }
    }
    assert_eq!(scores.len(), 25);
    assert_eq!(told["points"], scores.iter().sum::<f64>());
    let counted = ["won", "drawn", "lost"].map(|name| told[name].as_u64().expect("a number"));
    assert_eq!(counted.iter().sum::<u64>(), 25);
    let svg = fs::read_to_string(folder.path().join("share.svg")).expect("a picture");
    assert!(svg.contains("last ten games") && svg.contains("so far"), "{svg}");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_learner_is_a_player_like_others() {
    let folder = folder();
    for (network, more) in [("published", "--reading=program"), ("improved", "--plies=2")] {
        let path = format!("{network}.learner");
        let options = [network, more, "--games", "3", "--out", &path];
        series(folder.path(), &options);
        let again = series(folder.path(), &[&options[..3], &["6", "--out", &path]].concat());
        assert_eq!((&again["games"], &again["games_before"]), (&6.into(), &3.into()));
        let player = format!("trained:{path}");
        // It does not win everything.
        let CommandResult { code, out: proof, .. } =
            lucena_in(folder.path(), &["prove", "--player", &player]);
        assert!(code == 1 && proof.contains("of 175,168 positions won"), "{proof}");
        let games =
            lucena_in(folder.path(), &["match", &player, "published", "--games", "2"]).good();
        assert!(games.contains(&player), "{games}");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let told = lucena_in(folder.path(), &["explain", fen, "--player", &player]).good();
        assert!(told.contains("the highest of 20 moves"), "{told}");
        // It is an opponent too, and the beginning of another series.
        let options = [network, "--opponent", &player, "--games", "2", "--from", &path];
        let told = series(folder.path(), &options);
        assert_eq!((&told["opponent"], &told["games_before"]), (&player.into(), &0.into()));
    }
}

#[test]
fn a_human_plays_game_after_game() {
    let folder = folder();
    // A blunder, not a move, and a resignation; then the other colour, and the end.
    let lines = "e5\nxyzzy\n\nhelp\nresign\ne2e4\nquit\n";
    let CommandResult { code, out, err } =
        played(folder.path(), &["published", "--out", "mine"], lines);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("1 game with alternating colours, stopped early"), "{out}");
    assert!(out.contains("1 won, 0 drawn, 0 lost: 1.0 points"), "{out}");
    assert!(out.contains("1 game won because human resigned"), "{out}");
    for told in [
        "Game 1: the learner plays White.",
        "\"xyzzy\" is not a move here. There are: ",
        "You have resigned.",
        "Game 2: the learner plays Black.",
        "White to move> ",
    ] {
        assert!(err.contains(told), "{told}: {err}");
    }
    // The games go on where they ended.
    let again = played(folder.path(), &["published", "--out", "mine"], "resign\nresign\n");
    assert!(again.out.contains("resumed from the file: 1 game"), "{}", again.out);
    assert!(again.out.contains("2 games of this run won because human"), "{}", again.out);
    assert!(again.out.contains("3 won, 0 drawn, 0 lost"), "{}", again.out);
}

#[test]
fn a_human_can_win() {
    let folder = folder();
    let start = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let options = ["published", "--colors", "black", "--games", "1", "--start", start];
    let CommandResult { code, out, err } = played(folder.path(), &options, "Qg7#\n");
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("Checkmate. White wins."), "{err}");
    assert!(out.contains("0 won, 0 drawn, 1 lost") && !out.contains("stopped"), "{out}");
}

#[test]
fn a_program_is_an_opponent() {
    let folder = folder();
    let engine = format!("cmd='{}' args=uci depth=1 name=other", env!("CARGO_BIN_EXE_lucena"));
    let told = series(folder.path(), &["improved", "--engine", &engine, "--games", "2"]);
    assert_eq!((&told["opponent"], &told["games"]), (&"other".into(), &2.into()));
    assert_eq!(told["forfeits"], 0);
    // A program of the same name with other settings is another opponent.
    let options = ["improved", "--games", "1", "--out", "learner", "--engine"];
    series(folder.path(), &[&options[..], &[&engine]].concat());
    let other = engine.replace("depth=1", "nodes=1");
    let asked = [&["train", "chess", "--network"], &options[..], &[&other]].concat();
    let refused = lucena_in(folder.path(), &asked);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("from a different training"), "{}", refused.err);
}

#[test]
fn the_same_seed_gives_the_same_learner() {
    let folder = folder();
    let bytes = |seed: &str, path: &str| {
        let opponent = ["--opponent", "king-refugee", "--games", "4"];
        let options = [&["published", "--seed", seed, "--out", path][..], &opponent].concat();
        series(folder.path(), &options);
        fs::read(folder.path().join(path)).expect("a learner")
    };
    let [one, again, other] =
        [("3", "a"), ("3", "b"), ("4", "c")].map(|(seed, path)| bytes(seed, path));
    assert!(one == again && one != other);
}

#[test]
fn what_a_file_leaves_without_effect_is_said() {
    let folder = folder();
    let options = ["improved", "--out", "learner", "--games"];
    series(folder.path(), &[&options[..], &["3"]].concat());
    fs::copy(folder.path().join("learner"), folder.path().join("first")).expect("a copy");
    let asked = ["train", "chess", "--network"];
    for (games, from, notes) in [
        ("4", None, 0),
        ("5", Some("first"), 1),
        // The file has these games already.
        ("2", None, 1),
        ("2", Some("first"), 2),
    ] {
        let from = from.map_or(vec![], |path| vec!["--from", path]);
        let told = lucena_in(folder.path(), &[&asked[..], &options, &[games], &from].concat());
        assert_eq!(told.code, 0, "{}", told.err);
        let found = ["--from has no effect", "already has 5 games, so none is played"]
            .map(|words| usize::from(told.err.contains(words)));
        assert_eq!(found.iter().sum::<usize>(), notes, "{games} {from:?}: {}", told.err);
    }
}

#[test]
fn weights_for_an_endgame_play_there_alone() {
    let folder = folder();
    let weights = ["train", "KRvK", "--kind", "linear", "--games", "500", "--out", "kr.json"];
    lucena_in(folder.path(), &weights).good();
    let (player, alone) = ("trained:kr.json", "trained:kr.json knows endgames alone");
    let train = ["train", "chess", "--network", "improved", "--games", "1", "--opponent", player];
    let from = ["--start", "8/8/8/3k4/8/8/8/K6R w"];
    for (code, asked, words) in [
        (2, &train[..], alone),
        (2, &["match", player, "random", "--games", "2"], alone),
        (3, &["prove", "--player", "trained:kr.json,plies=2"], "look one ply ahead"),
    ] {
        let refused = lucena_in(folder.path(), asked);
        assert_eq!(refused.code, code, "{asked:?}: {}", refused.err);
        assert!(refused.err.contains(words), "{asked:?}: {}", refused.err);
    }
    lucena_in(folder.path(), &[&train[..], &from].concat()).good();
    let proved = lucena_in(folder.path(), &["prove", "--player", "trained:kr.json,plies=1"]);
    assert!(proved.out.contains("of 175,168 positions won"), "{}", proved.out);
}
