//! Verdicts under the fifty-move rule, where distances to zeroing are at hand and where they are not.

use super::*;

/// Folders with what is at hand: tables of distances to mate alone, those of both metrics, and Syzygy files.
struct AtHand {
    mate: TempDir,
    both: TempDir,
    syzygy: TempDir,
}

static AT_HAND: LazyLock<AtHand> = LazyLock::new(|| {
    let [mate, both, syzygy] = [folder(), folder(), folder()];
    let [in_mate, in_both, out] = [&mate, &both, &syzygy].map(path);
    lucena(&["solve", "KPvK", "--tables", in_mate]).good();
    lucena(&["solve", "KPvK", "--tables", in_both]).good();
    let zeroing = ["solve", "KPvK", "--tables", in_both, "--metric", "dtz", "--out-syzygy", out];
    lucena(&zeroing).good();
    AtHand { mate, both, syzygy }
});

fn path(folder: &TempDir) -> &str {
    folder.path().to_str().expect("text")
}

/// The options for each folder with distances to zeroing.
fn with_zeroing() -> [Vec<&'static str>; 2] {
    let AtHand { mate, both, syzygy } = &*AT_HAND;
    [vec!["--tables", path(both)], vec!["--tables", path(mate), "--syzygy", path(syzygy)]]
}

fn without_zeroing() -> Vec<&'static str> {
    vec!["--tables", path(&AT_HAND.mate)]
}

/// A position, its result, and the published result after each move, for the opponent.
struct Case {
    fen: String,
    category: String,
    after: BTreeMap<String, &'static str>,
}

fn late_wins() -> Vec<Case> {
    let read = |[fen, category, won, late, drawn]: [String; 5]| {
        let results = [(won, "loss"), (late, "blessed-loss"), (drawn, "draw")];
        let listed = results.iter().flat_map(|(moves, result)| {
            let moves = moves.split(' ').filter(|mv| *mv != "-");
            moves.map(|mv| (mv.to_owned(), *result))
        });
        Case { after: listed.collect(), fen, category }
    };
    cases("late_wins.csv").into_iter().map(read).collect()
}

/// A tree, a strategy and a measure have the verdict of the tables on every move, in figures and in words.
#[test]
fn explain_tells_the_published_results() {
    let (mut open, mut kept) = (0, [0; 3]);
    let keeping = [("as quick as", "but"), ("later than", "but"), ("sooner than", "and")];
    for (number, Case { fen, category, after }) in late_wins().into_iter().enumerate() {
        let instead: Vec<&str> = after.keys().flat_map(|mv| ["--instead", mv]).collect();
        // The measure looks far ahead, which takes longer.
        let players = ["strategy", "theory", "measure"];
        for player in &players[..if number % 5 == 0 { 3 } else { 2 }] {
            let ask = [&["explain", &fen, "--player", player][..], &instead].concat();
            for options in with_zeroing() {
                let ask = [&ask[..], &options].concat();
                let told = report(&ask);
                assert_eq!(told["category_before"], *category, "{fen}");
                let chosen = told["move"].as_str().expect("a move");
                assert_eq!(told["category_after"], after[chosen], "{fen} {chosen}");
                for other in told["instead"].as_array().expect("moves") {
                    let mv = other["move"].as_str().expect("a move");
                    assert_eq!(other["category_after"], after[mv], "{fen} {mv}");
                    let is_given_away = category == "win" && after[mv] != "loss";
                    assert_eq!(!other["gives_away"].is_null(), is_given_away, "{fen} {mv}");
                }
                if after[chosen] != "loss" {
                    let better = told["better"].as_array().expect("moves");
                    let mut won = after.iter().filter(|(_, after)| **after == "loss");
                    assert!(won.all(|(mv, _)| better.contains(&mv.as_str().into())), "{fen}");
                }
                let text = lucena(&ask).good();
                assert!(!text.contains("perhaps") && !text.contains("may draw"), "{text}");
                let late = "too late under the fifty-move rule";
                assert_eq!(
                    text.contains(late),
                    after.values().any(|after| *after == "blessed-loss")
                );
                for line in text.lines().filter(|line| line.contains(" instead: mate in ")) {
                    let how = keeping.iter().position(|(than, _)| line.contains(than));
                    let how = how.unwrap_or_else(|| panic!("{line}"));
                    let keeps = format!(", {} it keeps the win.", keeping[how].1);
                    let is_kept = category == "win" && after[chosen] != "loss";
                    assert_eq!(line.ends_with(&keeps), is_kept, "{fen} {line}");
                    kept[how] += usize::from(is_kept);
                }
            }
            let told = report(&[&ask[..], &without_zeroing()].concat()).to_string();
            open += usize::from(told.contains("maybe-"));
        }
    }
    assert!(open > 10, "{open}: without distances to zeroing some verdicts stay open");
    assert!(kept[..2].iter().all(|&number| number > 0), "{kept:?}: a player throws a win away");
}

/// A hint is a move that wins in time, if there is one, and says so.
#[test]
fn hints_are_moves_that_win_in_time() {
    let hint = |fen: &str, options: &[&str]| {
        let play = ["play", "--player", "tablebase", "--fen", fen];
        let mut command = command(&repository("."), &[&play[..], options].concat());
        let input = folder();
        write(&input.path().join("input"), "hint\n");
        command.stdin(fs::File::open(input.path().join("input")).expect("the input"));
        let out = finish(command).good();
        let line = out.lines().find_map(|line| line.strip_prefix("White to move> "));
        line.and_then(|hint| hint.split_once(": "))
            .map(|(san, says)| (san.to_owned(), says.to_owned()))
    };
    for Case { fen, category, after } in late_wins() {
        let game: lucena::chess::Game = fen.parse().expect("a FEN");
        for options in with_zeroing() {
            let (san, says) = hint(&fen, &options).expect("a hint");
            let mv = game.parse_move(&san).expect("a move").to_string();
            assert_eq!(after[&mv] == "loss", category == "win", "{fen} {san}");
            assert_eq!(says.ends_with(", too late under the fifty-move rule"), category != "win");
        }
    }
}

/// In a game, a move that lets the win come too late throws it away.
#[test]
fn games_are_annotated_by_the_published_results() {
    let folder = folder();
    let annotate = |options: &[&str]| {
        let ask = ["explain", "--pgn", "games.pgn", "--format", "json"];
        let report = lucena_in(folder.path(), &[&ask[..], options].concat()).json(0);
        assert_keeps_schema("explain", &report);
        report
    };
    let mut seen = 0;
    for Case { fen, category, after } in late_wins() {
        let game: lucena::chess::Game = fen.parse().expect("a FEN");
        for (mv, result) in after.iter().step_by(3) {
            let mv = game.parse_move(mv).expect("a move");
            let san = game.san(mv).expect("a legal move");
            let tags = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n[Result \"*\"]");
            write(&folder.path().join("games.pgn"), format!("{tags}\n\n90. {san} *\n"));
            for options in with_zeroing() {
                let report = annotate(&options);
                let judged = &report["games"][0]["moves"][0];
                assert_eq!(judged["category_before"], *category, "{fen}");
                assert_eq!(judged["category_after"], *result, "{fen} {san}");
                let thrown = (category == "win" && *result != "loss").then_some("win to draw");
                assert_eq!(judged["thrown"].as_str(), thrown, "{fen} {san}");
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Distances to zeroing are only read. A file of them that cannot be used is named once, and the rest is told.
#[test]
fn verdicts_solve_nothing_and_need_no_distances_to_zeroing() {
    let fen = &late_wins()[0].fen;
    let tables = folder();
    let explain = ["explain", fen, "--player", "strategy", "--tables", path(&tables)];
    let told = lucena(&explain);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let kept: Vec<String> = files(tables.path()).into_keys().collect();
    assert!(!kept.is_empty() && !kept.iter().any(|name| name.contains("dtz")), "{kept:?}");
    for (bytes, words) in [
        ("no table", "KPvK.dtz.table is not a usable table"),
        ("lucena table 1\n", "KPvK.dtz.table was written by an older version"),
    ] {
        write(&tables.path().join("KPvK.dtz.table"), bytes);
        let again = lucena(&explain);
        assert_eq!((again.code, &again.out), (0, &told.out));
        assert_eq!(again.err.matches(words).count(), 1, "{}", again.err);
        assert_eq!(
            fs::read(tables.path().join("KPvK.dtz.table")).expect("a file"),
            bytes.as_bytes()
        );
    }
}
