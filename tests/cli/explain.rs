//! `explain`.

use super::{folder, lucena, lucena_in, mined_tree, report, text, write};
use lucena_test_support::cases::cases;
use lucena_test_support::trees::EXACT;
use serde_json::Value;

#[test]
fn explain_reports_what_the_table_and_the_tree_say() {
    let folder = folder();
    write(&folder.path().join("tree.json"), EXACT.to_json());
    for fen in [
        "8/8/8/3k4/8/8/8/K6R w - - 0 1",
        "8/8/8/3K4/8/8/8/k6r b - - 0 1",
        "7R/8/8/8/8/1K6/8/1k6 w - - 0 1",
        "8/8/8/8/8/5k2/7R/6K1 w - - 0 1",
    ] {
        let probed = report(&["probe", fen]);
        let moves = probed["moves"].as_array().expect("moves");
        let ucis = moves.iter().map(|mv| mv["uci"].as_str().expect("a move"));
        let instead: Vec<&str> = ucis.flat_map(|uci| ["--instead", uci]).collect();
        let ask = [&["explain", fen, "--format", "json"][..], &instead].concat();
        // From any directory, and the same as from the file.
        let exact = [&ask[..], &["--player", "exact"]].concat();
        let report = lucena_in(folder.path(), &exact).json(0);
        let player = ["--player", "tree:tree.json"];
        let mut of_file = lucena_in(folder.path(), &[&ask[..], &player].concat()).json(0);
        assert_eq!(of_file["player"], "tree:tree.json");
        of_file["player"] = "exact".into();
        assert_eq!(report, of_file, "{fen}");

        assert_eq!(report["fen"], fen);
        assert_eq!(report["dtm_before"], probed["dtm"]);
        let of = |uci: &Value| moves.iter().find(|mv| mv["uci"] == *uci).expect("a legal move");
        // In the tablebase of Lichess a draw is 0, and a checkmate is null.
        let dtm = |mv: &Value| match &mv["category"] {
            draw if draw == "draw" => Value::Null,
            _ if mv["checkmate"] == true => 0.into(),
            _ => mv["dtm"].clone(),
        };
        let chosen = of(&report["move"]);
        assert_eq!((&report["san"], &report["dtm_after"]), (&chosen["san"], &dtm(chosen)));
        assert_eq!(chosen["dtm"], moves[0]["dtm"], "an exact tree plays the best: {fen}");
        for (other, probed) in report["instead"].as_array().expect("moves").iter().zip(moves) {
            assert_eq!((&other["move"], &other["san"]), (&probed["uci"], &probed["san"]));
            assert_eq!(other["dtm_after"], dtm(probed));
            let plies = |mv: &Value| dtm(mv).as_i64().map(i64::abs);
            let cost = plies(probed).zip(plies(chosen)).map(|(other, best)| other - best);
            assert_eq!(other["cost_plies"].as_i64(), cost, "{fen} {other}");
            assert_eq!(other["gives_away"].is_null(), probed["category"] == "loss", "{other}");
            let is_chosen = other["move"] == report["move"];
            assert!(!(is_chosen && other["tells_apart"].is_object()), "{other}");
            let parts = &other["tells_apart"];
            assert!(parts.is_null() || parts["sentence"] != parts["sentence_instead"], "{other}");
        }
        let count = |name: &str| report[name].as_u64().expect("a count");
        let named = |name: &str| report[name].as_array().expect("moves").len() as u64;
        let others = named("better") + named("equal") + count("slower") + count("worse");
        assert_eq!(others + 1, moves.len() as u64);
        let path = report["path"].as_array().expect("a path");
        assert!(path.iter().all(|step| {
            step["test"]
                .as_str()
                .is_some_and(|test| test.contains(step["attribute"].as_str().expect("a name")))
        }));
        assert!(count("support") >= count("support_canonical") && count("support_canonical") > 0);
    }
}

#[test]
fn explain_speaks_in_sentences_and_of_the_right_colours() {
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    let ask = |fen: &str, more: &[&str]| {
        let player = ["explain", fen, "--player", "tree:tree.json"];
        lucena_in(folder.path(), &[&player[..], more].concat()).good()
    };
    let mate = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1";
    let out = ask(mate, &["--instead", "Kc3", "--instead", "Rh1#"]);
    for words in [
        "White to move: mate in 1 (1 ply)",
        "Rh1# (h8h1): mate in 1 (1 ply)",
        "The black king is in check.",
        "The tree calls this checkmate.",
        "Rh1# is mate.",
        "18 other moves: 18 slower.",
        "Kc3 (b3c3) instead: mate in ",
        "later than Rh1#.",
        "After Rh1#    the black king cannot move\n",
        "After Kc3     the black king can move\n",
        "Rh1# (h8h1) is the move that is played.",
    ] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    let out = ask(mate, &["--instead", "Kc3", "--names"]);
    for words in [
        "After Rh1#    the black king cannot move  kCanMove = 0",
        "After Kc3     the black king can move  kCanMove = 1",
    ] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    let out = ask("7r/8/8/8/8/1k6/8/1K6 b - - 0 1", &["--instead", "h8b8", "--instead", "Ra8"]);
    for words in ["Black to move: mate in 1", "The white king is in check.", "Ra8 (h8a8) instead"] {
        assert!(out.contains(words), "{words}\n{out}");
    }
    assert!(!out.contains("he black king is in check"), "{out}");
    // The rook is moved to where the king takes it; then a stalemate.
    let out = ask("8/8/8/8/8/1k6/8/K1R5 w - - 0 1", &["--instead", "Rc2"]);
    assert!(out.contains("gives the win away, the rook is taken."), "{out}");
    let out = ask("k7/8/2K5/8/8/8/8/1R6 w - - 0 1", &["--instead", "Rb7"]);
    assert!(out.contains("gives the win away, by stalemate."), "{out}");
}

/// The default player plays a best move, which a player's own move may not be.
#[test]
fn explain_answers_for_both_sides_and_names_the_best_move() {
    for [fen, player, words] in cases("explained_positions.csv") {
        let chosen = ["--player", &player];
        let player = if player == "-" { &[][..] } else { &chosen[..] };
        let out = lucena(&[&["explain", &fen][..], player].concat()).good();
        assert!(out.contains(&words), "{fen} {player:?}: {words}\n{out}");
        if !player.is_empty() {
            continue;
        }
        assert!(!out.contains("the best move is"), "{fen}: {out}");
        let told = report(&["explain", &fen]);
        let best = report(&["probe", &fen])["moves"][0]["category"].clone();
        assert_eq!((&told["category_after"], &told["better"]), (&best, &serde_json::json!([])));
    }
}

/// A search may see a mate, but the game is drawn already.
#[test]
fn explain_tells_that_a_game_is_drawn_by_the_fifty_move_rule() {
    for (clock, is_drawn) in [(99, false), (100, true)] {
        let fen = format!("8/8/8/8/8/k1K5/8/1R6 w - - {clock} 148");
        let ask = ["explain", "--player", "search:depth=2", &fen];
        let drawn = "Fifty moves without a capture or a pawn move: a draw.";
        assert_eq!(lucena(&ask).good().contains(drawn), is_drawn, "{fen}");
        let told = lucena(&[&ask[..], &["--format", "json"]].concat()).json(0);
        assert_eq!((&told["mate_plies"], told["drawn"] == drawn), (&1.into(), is_drawn), "{told}");
    }
}

/// A damaged game is reported, and the other games are annotated anyway.
#[test]
fn explain_annotates_the_games_that_are_whole() {
    let folder = folder();
    let start = "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/1k6/8/K1R5 w - - 0 1\"]\n";
    let game = |name: &str, moves: &str| format!("[Event \"{name}\"]\n{start}\n{moves}\n\n");
    let games = [
        game("whole", "1. Rh1 Kc3 *"),
        game("damaged", "1. Rh9 *"),
        game("broken off", "1. Rh1"),
        game("last", "1. Rb1+ {x} Ka3 *"),
    ];
    std::fs::write(folder.path().join("games.pgn"), games.concat()).expect("a file");
    let ask = ["explain", "--pgn", "games.pgn", "--out", "annotated.pgn"];
    let ran = lucena_in(folder.path(), &ask);
    assert_eq!(ran.code, 3, "{}", ran.err);
    for words in ["game 2: \"Rh9\" is not a legal move", "game 3: the game has no result"] {
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    assert!(ran.out.contains("Game 1: ") && ran.out.contains("Game 4: "), "{}", ran.out);
    assert!(ran.out.contains("\n1 game left out\n"), "{}", ran.out);
    let written = text(&folder.path().join("annotated.pgn"));
    assert!(written.contains("\"whole\"") && written.contains("{x}"), "{written}");
    let ran = lucena_in(folder.path(), &["explain", "--pgn", "games.pgn", "--out", "games.pgn"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("would write over games.pgn"), "{}", ran.err);
    assert_eq!(text(&folder.path().join("games.pgn")), games.concat());
}

#[test]
fn explain_draws_a_picture() {
    let folder = folder();
    let ask = ["explain", "8/8/8/3k4/8/8/8/K6R w - - 0 1", "--svg", "move.svg"];
    let ran = lucena_in(folder.path(), &ask);
    assert_eq!((ran.code, ran.err.as_str()), (0, "wrote move.svg\n"));
    let first = text(&folder.path().join("move.svg"));
    assert!(first.starts_with("<svg ") && first.ends_with("</svg>\n"), "{first}");
    assert!(first.contains("class=\"arrow\"") && first.contains("mate in 15"), "{first}");
    lucena_in(folder.path(), &ask).good();
    assert_eq!(text(&folder.path().join("move.svg")), first);
}

/// The reason why a position is won is told in every form, and a position without one has none.
#[test]
fn explain_tells_the_rules_that_decide() {
    let words = "The black king is outside the square of the pawn, and the way of the pawn is free: White wins. This rule has no exception in 47,223 positions.";
    let won = lucena(&["explain", "8/8/8/7P/1k6/8/8/1K6 w"]).good();
    assert!(won.contains(&format!("\n{words}\n")), "{won}");
    let told = report(&["explain", "8/8/8/7P/1k6/8/8/1K6 w"]);
    assert_eq!(told["known_rule"]["name"], "square-white");
    assert_eq!(told["known_rule"]["sentence"], words);
    assert_eq!(told["known_rule"]["positions"], 47_223);
    assert_eq!(told["known_rule_after"], Value::Null);
    // The only move that wins goes to a key square.
    let reached = report(&["explain", "8/8/8/8/3k4/8/1KP5/8 w"]);
    assert_eq!(reached["san"], "Kb3");
    let none = report(&["explain", "8/8/8/3k4/8/8/8/K6R w"]);
    assert_eq!((&none["known_rule"], &none["known_rule_after"]), (&Value::Null, &Value::Null));
}

/// Without a table of five men, rules answer at once.
#[test]
fn explain_leaves_five_men_without_a_table_to_rules() {
    let folder = folder();
    let fen = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1";
    let ask = ["explain", fen, "--tables", "none"];
    let said = lucena_in(folder.path(), &ask).good();
    assert!(
        said.contains("bridge") && said.contains("White wins") && said.contains("solve KRPvKR"),
        "{said}"
    );
    let told = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(0);
    assert_eq!((&told["fen"], &told["material"]), (&fen.into(), &"KRPvKR".into()));
    let moves = told["moves"].as_array().expect("moves");
    assert!(moves.iter().all(|mv| mv["known_rule"]["claim"] == "win"), "{told}");
}
