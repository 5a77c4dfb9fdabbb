//! Verdicts under the fifty-move rule, by tables that are solved on the way and by Syzygy files.

use super::*;

/// Folders: one for tables that are solved on the way, and Syzygy files with one that stays without distances to zeroing.
struct Sources {
    tables: TempDir,
    syzygy: TempDir,
    beside_syzygy: TempDir,
}

static SOURCES: LazyLock<Sources> = LazyLock::new(|| {
    let [tables, syzygy, beside_syzygy, work] = [folder(), folder(), folder(), folder()];
    let [out, work] = [&syzygy, &work].map(path);
    let solve = ["solve", "KPvK", "--tables", work, "--class", "dtz", "--out-syzygy", out];
    lucena(&solve).good();
    Sources { tables, syzygy, beside_syzygy }
});

fn path(folder: &TempDir) -> &str {
    folder.path().to_str().expect("text")
}

/// The options for each source of distances to zeroing.
fn sources() -> [Vec<&'static str>; 2] {
    let Sources { tables, syzygy, beside_syzygy } = &*SOURCES;
    [
        vec!["--tables", path(tables)],
        vec!["--tables", path(beside_syzygy), "--syzygy", path(syzygy)],
    ]
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn explain_tells_the_published_results() {
    let mut kept = [0; 3];
    let keeping = [("as quick as", "but"), ("later than", "but"), ("sooner than", "and")];
    for (number, Case { fen, category, after }) in late_wins().into_iter().enumerate() {
        let instead: Vec<&str> = after.keys().flat_map(|mv| ["--instead", mv]).collect();
        // The measure looks far ahead, which takes longer.
        let players = ["strategy", "theory", "measure"];
        for player in &players[..if number % 5 == 0 { 3 } else { 2 }] {
            let ask = [&["explain", &fen, "--player", player][..], &instead].concat();
            for options in sources() {
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
        }
    }
    assert!(kept[..2].iter().all(|&number| number > 0), "{kept:?}: a player throws a win away");
}

/// A hint is a move that wins in time, if there is one, and says so.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
        for options in sources() {
            let (san, says) = hint(&fen, &options).expect("a hint");
            let mv = game.parse_move(&san).expect("a move").to_string();
            assert_eq!(after[&mv] == "loss", category == "win", "{fen} {san}");
            assert_eq!(says.ends_with(", too late under the fifty-move rule"), category != "win");
        }
    }
}

/// In a game, a move that lets the win come too late throws it away.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
            for options in sources() {
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

/// A table of distances to zeroing is solved and saved where it decides, and replaced where it is unusable. Where there
/// are Syzygy files, none is solved.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn distances_to_zeroing_are_solved_where_they_decide() {
    let fen = &late_wins()[0].fen;
    let early = fen.replace(" 95 ", " 0 ");
    assert_ne!(*fen, early);
    let tables = folder();
    let ask =
        |fen: &str| lucena(&["explain", fen, "--player", "strategy", "--tables", path(&tables)]);
    let zeroing = tables.path().join("KPvK.dtz.table");
    ask(&early).good();
    assert!(!zeroing.exists());
    let told = ask(fen).good();
    let kept = fs::read(&zeroing).expect("a table");
    for (bytes, words) in [
        ("no table", "KPvK.dtz.table is text, not a table"),
        ("lucena table 1\n", "KPvK.dtz.table was written by an older version"),
    ] {
        write(&zeroing, bytes);
        let again = ask(fen);
        assert_eq!((again.code, &again.out), (0, &told));
        assert_eq!(again.err.matches(words).count(), 1, "{}", again.err);
        assert_eq!(fs::read(&zeroing).expect("a table"), kept);
    }
    let [_, by_syzygy] = sources();
    let ask = [&["explain", fen, "--player", "strategy"][..], &by_syzygy].concat();
    assert_eq!(lucena(&ask).good(), told);
    let beside = files(SOURCES.beside_syzygy.path()).into_keys();
    assert_eq!(beside.filter(|name| name.contains("dtz")).count(), 0);
}
