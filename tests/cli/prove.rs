//! `prove`, its certificates and chosen moves.

use super::{
    board, folder, histogram, hopeless_tree, legal_moves, lucena, lucena_in, mined_tree, report,
    sha256, text, write,
};
use cozy_chess::{Board, Color, GameStatus, Move, Piece, get_king_moves};
use lucena_test_support::trees::EXACT;
use serde_json::Value;
use std::collections::BTreeMap;

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn prove_finds_the_exact_players_perfect() {
    let folder = folder();
    write(&folder.path().join("tree.json"), mined_tree());
    for player in ["exact", "tablebase", "tree:tree.json"] {
        let ask = ["prove", "--format", "json", "--player", player];
        let proof = lucena_in(folder.path(), &ask).json(0);
        assert_eq!(proof["positions"], 175_168, "{player}");
        assert_eq!(proof["won"], 175_168, "{player}");
        assert_eq!(proof["longest_moves"], 16, "{player}");
        assert_eq!(proof["mean_excess_moves"], 0.0, "{player}");
        assert_eq!(proof["optimal_share"], 1.0, "{player}");
        assert_eq!(proof["fifty_move_safe"], true, "{player}");
        assert_eq!(proof["refutation"], Value::Null, "{player}");
        let leaves = match player {
            "tablebase" => Value::Null,
            "exact" => EXACT.leaves().into(),
            _ => 5168.into(),
        };
        assert_eq!(proof["leaves"], leaves, "{player}");
        assert_eq!((&proof["from"], &proof["certificate"]), (&Value::Null, &Value::Null));
    }
    let out = lucena(&["prove", "--player", "exact"]).good();
    assert!(out.contains("175,168 of 175,168 positions won, longest 16 moves"), "{out}");
    assert!(out.contains("tree: 2,492 leaves"), "{out}");
    // The best that this build has for the endgame: a strategy, a measure, or the table.
    for (endgame, player) in [("KRvK", "strategy"), ("KBNvK", "measure"), ("KQvKN", "tablebase")] {
        let out = lucena(&["validate", endgame, "--games", "1"]).good();
        let same = lucena(&["validate", endgame, "--games", "1", "--player", player]).good();
        let plain = |text: &str| text.lines().take(2).collect::<Vec<_>>().join(" ");
        assert_eq!(plain(&out), plain(&same), "{endgame}");
    }
    let out = lucena(&["prove", "--player", "tablebase"]).good();
    assert!(!out.contains("leaves"), "{out}");
}

#[test]
fn a_refutation_shows_what_it_says() {
    let folder = folder();
    write(&folder.path().join("tree.json"), hopeless_tree().to_string());
    let ask = ["prove", "--player", "tree:tree.json"];
    let ran = lucena_in(folder.path(), &ask);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("not won: "), "{}", ran.out);
    let proof = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(1);
    assert!(proof["won"].as_u64() < Some(175_168));
    assert!(proof["optimal_share"].as_f64() < Some(1.0));
    let refutation = &proof["refutation"];
    let mut board = board(refutation["fen"].as_str().expect("a FEN"));
    let mut seen = vec![board.clone()];
    for mv in refutation["line"].as_array().expect("a line of moves") {
        board.play(mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move"));
        seen.push(board.clone());
    }
    let (last, earlier) = seen.split_last().expect("a start");
    match refutation["reason"].as_str().expect("a reason") {
        "cycle" => assert!(earlier.iter().any(|board| board.same_position(last))),
        "lost piece" => assert_eq!(last.occupied().len(), 2),
        "stalemate" => assert!(legal_moves(last).is_empty() && last.checkers().is_empty()),
        other => panic!("a tree has always a move, so why {other}?"),
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn prove_tells_of_one_position() {
    let folder = folder();
    write(&folder.path().join("tree.json"), hopeless_tree().to_string());
    for (player, fen) in [
        ("exact", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1"),
        ("tablebase", "8/8/8/8/8/1K6/8/k1r5 b - - 0 1"),
        ("exact", "7k/5K2/8/8/8/8/8/1Q6 w - - 0 1"),
        ("tree:tree.json", "8/8/8/8/8/1k6/8/K1R5 w - - 0 1"),
        ("tree:tree.json", "8/8/8/8/8/1K6/8/k1r5 b - - 0 1"),
    ] {
        let is_good = player != "tree:tree.json";
        let code = i32::from(!is_good);
        let ask = ["prove", "--player", player, "--from", fen];
        let ran = lucena_in(folder.path(), &ask);
        assert_eq!((ran.code, ran.err.as_str()), (code, ""), "{fen}");
        let probed = report(&["probe", fen]);
        let moves = probed["dtm"].as_u64().expect("a mate").div_ceil(2);
        let words = if is_good { format!("mate in {moves} move") } else { "not won".into() };
        assert!(ran.out.contains(&format!("from {fen}: {words}")), "{}", ran.out);
        let json = lucena_in(folder.path(), &[&ask[..], &["--format", "json"]].concat()).json(code);
        let from = &json["from"];
        assert_eq!((&from["fen"], &from["won"]), (&fen.into(), &is_good.into()), "{from}");
        assert_eq!(from["optimal_moves"], moves, "{from}");
        assert_eq!(from["moves"], if is_good { moves.into() } else { Value::Null }, "{from}");
        let mut board = board(fen);
        let (line, san) = (&from["line"], from["san"].as_array().expect("moves"));
        for (mv, san) in line.as_array().expect("a line of moves").iter().zip(san) {
            let mv: Move = mv.as_str().and_then(|mv| mv.parse().ok()).expect("a move");
            assert_eq!(cozy_chess::util::display_san_move(&board, mv).to_string(), *san);
            board.play(mv);
        }
        assert_eq!(line.as_array().map(Vec::len), Some(san.len()));
        assert_eq!(board.status() == GameStatus::Won, is_good, "{from}");
        assert_eq!(from["reason"] == Value::Null, is_good, "{from}");
    }
    // With a bishop neither side can win.
    let fen = "8/8/8/8/8/1k6/1B6/K7 w - - 0 1";
    let ask = ["prove", "--player", "tablebase", "--from", fen];
    let out = lucena(&ask).good();
    assert!(out.contains("not won (nobody can force a mate), because of "), "{out}");
    let from = &report(&ask)["from"];
    assert_eq!((&from["won"], &from["optimal_moves"]), (&false.into(), &Value::Null));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_certificate_is_written_and_agrees() {
    let folder = folder();
    let run = |arguments: &[&str]| lucena_in(folder.path(), arguments);
    write(&folder.path().join("bad.json"), hopeless_tree().to_string());
    write(&folder.path().join("tree.json"), mined_tree());
    for (player, code) in
        [("exact", 0), ("tablebase", 0), ("tree:tree.json", 0), ("tree:bad.json", 1)]
    {
        let ran = run(&["prove", "--player", player, "--certificate", "one"]);
        assert_eq!((ran.code, ran.err.as_str()), (code, "wrote one\n"), "{player}");
        run(&["prove", "--player", player, "--certificate", "two", "--format", "json"]).json(code);
        let certificate = text(&folder.path().join("one"));
        assert_eq!(certificate, text(&folder.path().join("two")), "{player}");
        assert!(certificate.ends_with("}\n"), "{player}");
        let root = folder.path().to_str().expect("a path in Unicode");
        assert!(!certificate.contains(root) && !certificate.contains("seconds"), "{certificate}");
        let said: Value = serde_json::from_str(&certificate).expect("JSON");

        // It agrees, however good the player is, and prints what the report contains.
        let out = run(&["prove", "--player", player, "--check", "one"]).good();
        assert!(out.contains("one agrees: "), "{out}");
        let ask = ["prove", "--player", player, "--check", "one", "--format", "json"];
        let json = run(&ask).json(0);
        assert_eq!(json["certificate"], serde_json::json!({ "agrees": true, "differences": [] }));
        for name in ["positions", "winnable", "won", "longest_moves", "mean_excess_moves"] {
            assert_eq!(json[name], said[name], "{player} {name}");
        }
        for name in ["optimal_share", "fifty_move_safe", "leaves", "refutation"] {
            assert_eq!(json[name], said[name], "{player} {name}");
        }
        let file = player.strip_prefix("tree:").map(|file| folder.path().join(file));
        let sum = match file {
            // The hash is that of the tree as it would be saved, which holds for the mined tree.
            Some(file) if player == "tree:tree.json" => sha256(text(&file).as_bytes()).into(),
            Some(_) => said["tree_sha256"].clone(),
            None if player == "exact" => EXACT.sha256().into(),
            None => Value::Null,
        };
        assert_eq!(said["tree_sha256"], sum, "{player}");
    }
}

#[test]
fn a_forged_certificate_is_found_out() {
    let folder = folder();
    let run = |arguments: &[&str]| lucena_in(folder.path(), arguments);
    run(&["prove", "--player", "exact", "--certificate", "good"]).good();
    let mut forged: Value = serde_json::from_str(&text(&folder.path().join("good"))).expect("JSON");
    forged["won"] = 175_169.into();
    forged["tree_sha256"] = sha256(b"another tree").into();
    forged["longest_line"]["line"][2] = "a1a8".into();
    write(&folder.path().join("forged"), forged.to_string());
    let ran = run(&["prove", "--player", "exact", "--check", "forged"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let found = "forged differs: won: 175169 in the certificate; proved: 175168\n";
    assert!(ran.out.contains(found), "{}", ran.out);
    let json =
        run(&["prove", "--player", "exact", "--check", "forged", "--format", "json"]).json(1);
    assert_eq!(json["certificate"]["agrees"], false);
    let differences = json["certificate"]["differences"].as_array().expect("differences");
    assert_eq!(ran.out.matches("forged differs: ").count(), differences.len());
    let fields: Vec<&str> =
        differences.iter().map(|one| one["field"].as_str().expect("a name")).collect();
    assert_eq!(fields, ["longest_line.line", "tree_sha256", "won", "longest_line.line[2]"]);
    assert_eq!(differences[2]["certificate"], 175_169);
    assert_eq!(differences[2]["proved"], 175_168);
    assert!(!differences[3]["proved"].as_str().expect("words").is_empty());
    // A certificate of another endgame.
    let out = run(&["prove", "KQvK", "--player", "exact", "--check", "good"]);
    assert_eq!(out.code, 1, "{}", out.err);
    assert!(out.out.contains("good differs: material: KRvK in the certificate; proved: KQvK"));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_chosen_moves_mate_against_every_defence() {
    let folder = folder();
    lucena_in(folder.path(), &["prove", "--player", "exact", "--moves", "moves.csv"]).good();
    let moves = text(&folder.path().join("moves.csv"));
    let mut lines = moves.lines();
    assert_eq!(lines.next(), Some("fen,move"));
    let square = |board: &Board, color, piece| {
        board.colored_pieces(color, piece).into_iter().next().expect("a man") as usize
    };
    let place = |board: &Board| {
        let [king, rook] = [Piece::King, Piece::Rook].map(|p| square(board, Color::White, p));
        (king * 64 + rook) * 64 + square(board, Color::Black, Piece::King)
    };
    // For each position: the number of replies not yet known to lose, and its predecessors.
    const NO_POSITION: u32 = u32::MAX;
    let mut open = vec![NO_POSITION; 64 * 64 * 64];
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); open.len()];
    let (mut level, mut positions) = (Vec::new(), 0);
    for line in lines {
        let (fen, mv) = line.split_once(',').expect("two columns");
        let mut board = board(fen);
        let mv: Move = mv.parse().expect("a move in UCI");
        assert_eq!((board.side_to_move(), board.occupied().len()), (Color::White, 3), "{fen}");
        let kings = [Color::White, Color::Black].map(|color| board.king(color));
        assert!(!get_king_moves(kings[0]).has(kings[1]), "{fen}");
        let from = place(&board);
        assert_eq!(open[from], NO_POSITION, "{fen} is there twice");
        board.try_play(mv).unwrap_or_else(|_| panic!("{mv} is illegal in {fen}"));
        positions += 1;
        open[from] = 0;
        board.generate_moves(|replies| {
            for reply in replies {
                open[from] += 1;
                let mut next = board.clone();
                next.play_unchecked(reply);
                // If the rook is lost, the reply is never known to lose.
                if next.occupied().len() == 3 {
                    before[place(&next)].push(from as u32);
                }
            }
            false
        });
        if open[from] == 0 {
            assert!(!board.checkers().is_empty(), "{mv} stalemates in {fen}");
            level.push(from as u32);
        }
    }
    assert_eq!(positions, 175_168);
    // Backwards from the mates: the number of positions won in each number of moves.
    let mut won = BTreeMap::new();
    while !level.is_empty() {
        won.insert(2 * won.len() as u64 + 1, level.len() as u64);
        let mut next = Vec::new();
        for earlier in level.drain(..).flat_map(|place| &before[place as usize]) {
            open[*earlier as usize] -= 1;
            if open[*earlier as usize] == 0 {
                next.push(*earlier);
            }
        }
        level = next;
    }
    assert_eq!(won, histogram("KRvK", "strong").0, "no mate can be quicker than these");
}

/// Each depth of an evaluation is proved as `prove` proves the search that the row names.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn experiment_truth_proves_an_evaluation_at_each_depth() {
    let eval = "measure:data/measures/KQvK.smallest.json";
    let ask = ["experiment", "truth", "KQvK", "--eval", eval, "--player", "theory", "--depth", "2"];
    let told = lucena(&[&ask[..], &["--format", "json"]].concat()).json(0);
    let rows = told["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 3);
    for (row, depth) in rows.iter().zip(1..=2) {
        let player = row["player"].as_str().expect("a name");
        let settings = player.strip_prefix("search:").expect("a search").split(',');
        let settings: Vec<&str> = settings.collect();
        for setting in
            ["algorithm=alpha-beta", "off=all", &format!("depth={depth}"), &format!("eval={eval}")]
        {
            assert!(settings.contains(&setting), "{player}: {setting}");
        }
        let proof = lucena(&["prove", "KQvK", "--player", player, "--format", "json"]);
        let proof: Value = serde_json::from_str(&proof.out).expect("JSON");
        assert_eq!((&row["won"], &row["longest_moves"]), (&proof["won"], &proof["longest_moves"]));
    }
    assert_eq!(rows[2]["player"], "theory");
}
