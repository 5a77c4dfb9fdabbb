//! Requests of the page, answered without a server. The rules and the tables give the expected answers.

use lucena::chess::{Game, Position};
use lucena::page::{HttpReply, PageState, ROUTES, answer};
use lucena::tablebase::{TableFolder, Tablebase};
use lucena_test_support::cases::{cases, random};
use proptest::prelude::*;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::LazyLock;
use std::thread::sleep;
use std::time::Duration;

static STATE: LazyLock<PageState> = LazyLock::new(|| PageState::new(TableFolder::in_memory()));

/// Asks until no table has to be solved first.
fn asked(path: &str, query: &str) -> HttpReply {
    loop {
        let reply = answer(&STATE, path, query);
        if reply.status != 202 {
            return reply;
        }
        sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn told(path: &str, query: &str) -> Value {
    let reply = asked(path, query);
    let text = String::from_utf8(reply.body).expect("it is text");
    assert_eq!(reply.status, 200, "{path}?{query}: {text}");
    serde_json::from_str(&text).expect("it is JSON")
}

/// The document says which parameters a query needs; without one of them it is refused.
#[test]
fn parameters_are_required_as_the_document_says() {
    let needed = [
        ("/api/about", ""),
        ("/api/game", ""),
        ("/api/position", "fen"),
        ("/standard", "fen"),
        ("/api/answer", "player"),
        ("/api/why", "fen player"),
        ("/api/compare", "player with"),
        ("/api/tree", "player"),
        ("/api/tree/search", "player"),
        ("/api/data/confusion", ""),
        ("/api/data/confusion/boards", "truth"),
        ("/api/turned", "fen how"),
    ];
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let paths = lucena::page::paths(&mut generator);
    let required = |path: &str| -> Vec<&str> {
        let parameters = paths[path]["get"]["parameters"].as_array().expect("parameters");
        let required = parameters.iter().filter(|parameter| parameter["required"] == true);
        required.filter_map(|parameter| parameter["name"].as_str()).collect()
    };
    for (path, names) in needed {
        assert_eq!(required(path).join(" "), names, "{path}");
    }
    for path in paths.keys() {
        assert!(!paths[path]["get"]["parameters"].to_string().contains("null"), "{path}");
        let names = required(path);
        for missing in &names {
            let given = names.iter().filter(|name| name != &missing).map(|name| match *name {
                "how" => "how=turn".into(),
                "language" => "language=c".into(),
                "leaf" | "node" | "truth" => format!("{name}=0"),
                _ => format!("{name}=x"),
            });
            let reply = answer(&STATE, path, &given.collect::<Vec<_>>().join("&"));
            let text = String::from_utf8(reply.body).expect("text");
            assert_eq!(reply.status, 400, "{path} without {missing}: {text}");
            assert!(text.contains(&format!("{missing} is missing")), "{path}: {text}");
        }
    }
}

/// An error says which parameter is wrong, and what it takes.
#[test]
fn an_error_of_a_query_names_the_parameter() {
    let mut faults = Vec::new();
    for [path, query, name, words] in cases("query_errors.csv") {
        let reply = asked(&path, &query);
        let text = String::from_utf8(reply.body).expect("text");
        let error = serde_json::from_str::<Value>(&text).expect("JSON")["error"].clone();
        let error = error.as_str().unwrap_or_default();
        let is_named =
            error.starts_with(&format!("{name}: ")) || error.contains(&format!("the {name} is"));
        if ![400, 404].contains(&reply.status) || !is_named || !error.contains(&words) {
            faults.push(format!(
                "{path}?{query}: {}, not {name} and {words:?}: {text}",
                reply.status
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let twice = String::from_utf8(asked("/standard", "fen=x&fen=y").body).expect("text");
    assert!(twice.contains("fen is given twice: give it once"), "{twice}");
}

#[test]
fn a_game_is_told_as_the_rules_have_it() {
    let start = told("/api/game", "");
    assert_eq!(start["moves"].as_array().expect("moves").len(), 20);
    assert_eq!(start["turn"], "white");
    let mate = told("/api/game", "moves=f2f3,e7e5,g2g4,d8h4");
    assert_eq!(
        (&mate["over"], &mate["result"], &mate["check"]),
        (&true.into(), &"0-1".into(), &"e1".into())
    );
    assert_eq!(mate["played"][3]["san"], "Qh4#");
    assert!(mate["pgn"].as_str().expect("text").contains("1. f3 e5 2. g4 Qh4# 0-1"));
    // Castling, with the king moved two squares.
    let castling = told("/api/game", "fen=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1");
    let castles = castling["moves"].as_array().expect("moves").iter().find(|mv| mv["san"] == "O-O");
    let castles = castles.expect("it may castle");
    assert_eq!((&castles["uci"], &castles["to"]), (&"e1g1".into(), &"g1".into()));
    let promotions = told("/api/game", "fen=8/4P1k1/8/8/8/8/8/4K3+w");
    let becomes: Vec<&str> = promotions["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(|mv| mv["promotion"].as_str())
        .collect();
    assert_eq!(
        {
            let mut sorted = becomes;
            sorted.sort_unstable();
            sorted
        },
        ["b", "n", "q", "r"]
    );
    let read = told("/api/game", "pgn=[White+%22Anon%22]%0A%0A1.+e4+e5+*");
    assert_eq!(read["played"].as_array().expect("moves").len(), 2);
    assert!(read["pgn"].as_str().expect("text").contains("[White \"Anon\"]"));
    assert_eq!(read["warnings"], serde_json::json!([]));
    let two = "pgn=[variant+%22Atomic%22]%0A%0A1.+e4+*%0A%0A[White+%22Anon%22]%0A%0A1.+d4+*";
    let second = told("/api/game", two);
    assert!(second["pgn"].as_str().expect("text").contains("1. d4"), "{second}");
    let left_out = second["warnings"][0].as_str().expect("a sentence");
    assert!(left_out.contains("Atomic") && left_out.contains("left out"), "{left_out}");
    let read = told("/api/game", "pgn=1.+e2-e4+e5+*");
    assert_eq!(read["warnings"], serde_json::json!(["line 1, game 1: \"e2-e4\" is read as e4"]));
}

#[test]
fn a_set_up_position_is_told_all_that_is_wrong_with_it() {
    let wrong = told("/api/setup", "fen=8/8/8/8/8/8/Kk6/P7+w");
    let problems = wrong["problems"].as_array().expect("problems");
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems.iter().all(|problem| problem.as_str().expect("text").ends_with('.')));
    let right = told("/api/setup", "fen=8/8/8/8/8/1k6/8/K1R5+w");
    assert_eq!((&right["legal"], &right["endgame"]), (&true.into(), &"KRvK".into()));
    let whole = told("/api/setup", "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq");
    assert_eq!((&whole["legal"], &whole["solvable"]), (&true.into(), &false.into()));
}

#[test]
fn every_move_is_in_the_group_that_the_table_says() {
    // A rook that can be lost, moves that win and moves that draw.
    let fen = "8/8/8/8/8/1k6/2R5/K7 w - - 0 1";
    let told = told("/api/position", &format!("fen={}", fen.replace(' ', "+")));
    let tablebase = Tablebase::solve("KRvK".parse().expect("a material"));
    let position: Position = fen.parse().expect("a position");
    let group = |name: &str| told["groups"][name].as_array().expect("a group").len();
    let moves = tablebase.probe_moves(&position).expect("they are known");
    assert_eq!(group("winning") + group("drawing") + group("losing"), moves.len());
    for (mv, _, outcome) in moves {
        let name = match outcome.before_move().to_string() {
            says if says.starts_with("mate in") => "winning",
            says if says == "draw" => "drawing",
            _ => "losing",
        };
        let listed = told["groups"][name].as_array().expect("a group");
        assert!(listed.contains(&mv.to_string().into()), "{mv} is not {name}");
    }
    assert_eq!(told["moves"].as_array().expect("moves").len(), position.moves().len());
}

/// As the tablebase of Lichess does, see `no_table_probes.csv`; its line has the status 404 then.
#[test]
fn every_legal_position_has_a_standard_answer() {
    for [fen, value, _, known] in cases("no_table_probes.csv") {
        for fen in [fen.replace(' ', "_"), fen.replace(' ', "+"), fen.replace(' ', "%20")] {
            let told = told("/standard", &format!("fen={fen}"));
            let (category, dtm) = (told["category"].as_str().expect("a word"), &told["dtm"]);
            assert_eq!(format!("{category} {dtm}"), value, "{fen}");
            let moves = told["moves"].as_array().expect("moves");
            let of_known_value = moves.iter().filter(|mv| mv["category"] != "unknown").count();
            assert_eq!(of_known_value.to_string(), known, "{fen}");
        }
        let line = asked("/standard/mainline", &format!("fen={}", fen.replace(' ', "_")));
        let is_over = fen.parse::<Game>().expect("a game").moves().is_empty();
        let is_endgame = fen.parse::<Position>().is_ok();
        assert!(!is_endgame && (line.status == 404 || is_over), "{fen}");
        let text = String::from_utf8(line.body).expect("text");
        assert!(text.contains("the position is legal, but"), "{text}");
    }
    // Four fields, and a table of five men that is not at hand.
    let short = told("/standard", "fen=8/8/8/8/8/1k6/8/K1R5_w_-_-");
    assert_eq!((&short["category"], &short["dtm"]), (&"win".into(), &21.into()));
    let missing = told("/standard", "fen=8/8/8/8/8/1k1b4/8/K2R2R1_w_-_-_0_1");
    assert_eq!((&missing["category"], &missing["dtm"]), (&"win".into(), &Value::Null));
    assert_eq!(missing["moves"][0]["san"], "Rxd3+");
    assert_eq!(missing["moves"][0]["category"], "loss");
    assert_eq!(missing["lucena"]["material"], "KRRvKB");
    let reason = missing["lucena"]["no_table"].as_str().expect("a reason");
    assert!(reason.contains("lucena solve KRRvKB"), "{reason}");
    let line = asked("/standard/mainline", "fen=8/8/8/8/8/1k1b4/8/K2R2R1_w_-_-_0_1");
    assert_eq!(line.status, 404);
    for illegal in ["8/8/8/8/8/8/Kk6/8_w", "8/8/8/8/8/8/8/8_w", "4k3/8/8/8/8/8/8/4K3_w_K_-"] {
        assert_eq!(asked("/standard", &format!("fen={illegal}")).status, 400, "{illegal}");
        assert_eq!(asked("/standard/mainline", &format!("fen={illegal}")).status, 400, "{illegal}");
    }
}

/// The line is as long as the mate, and ends where fifty moves have passed: the winner is told by the last board.
#[test]
fn a_main_line_ends_in_mate_or_after_fifty_moves() {
    for (fen, plies, winner) in [
        ("8/8/8/8/8/1k6/8/K1R5_w_-_-_0_1", 21, Value::from("w")),
        ("8/8/8/8/8/1K6/8/k1r5_b_-_-_79_90", 21, Value::from("b")),
        ("8/8/8/8/8/1k6/8/K1R5_w_-_-_80_90", 20, Value::Null),
        ("8/8/8/8/8/1k6/8/K1R5_w_-_-_100_90", 0, Value::Null),
        ("8/8/8/8/8/1R6/2k5/K7_b_-_-_0_1", 0, Value::Null),
        ("8/8/8/8/8/k1K5/8/R7_b_-_-_0_1", 0, Value::from("w")),
    ] {
        let told = told("/standard/mainline", &format!("fen={fen}"));
        let line = told["mainline"].as_array().expect("a line");
        assert_eq!((line.len(), &told["winner"]), (plies, &winner), "{fen}");
        let mut game: Game = fen.replace('_', " ").parse().expect("a game");
        for mv in line {
            let played = game.parse_move(mv["uci"].as_str().expect("a move")).expect("legal");
            assert_eq!(game.san(played).expect("legal"), mv["san"].as_str().expect("a move"));
            game.play(played).expect("legal");
        }
        assert_eq!(told["dtz"], told["precise_dtz"]);
    }
}

/// The page's words say what the clock does to a win, and its groups go by the result.
#[test]
fn the_words_of_a_position_mind_the_rule_of_fifty_moves() {
    let late = "too late under the fifty-move rule";
    for (clock, is_late) in [(79, false), (80, true)] {
        let fen = format!("8/8/8/8/8/1k6/8/K1R5+w+-+-+{clock}+90");
        let told = told("/api/position", &format!("fen={fen}&player=strategy"));
        assert_eq!(told["outcome"].as_str().expect("text").contains(late), is_late, "{told}");
        assert_eq!(told["groups"]["winning"].as_array().expect("a group").is_empty(), is_late);
        assert_eq!(told["moves"][0]["says"].as_str().expect("text").contains(late), is_late);
        assert_eq!(told["line"].as_array().expect("a line").len(), if is_late { 20 } else { 21 });
        for player in ["strategy", "theory", "tablebase"] {
            let told = self::told("/api/why", &format!("fen={fen}&player={player}"));
            let says = told["move"]["says"].as_str().expect("text");
            // The table's move is in time with 21 plies left.
            assert!(player != "tablebase" || says.contains(late) == is_late, "{says}");
        }
    }
}

/// The list of moves, the lines and the reasons of every player tell the published results, and none of them leaves one
/// open.
#[test]
fn the_words_of_late_wins_are_the_published_results() {
    let mut better = 0;
    for [fen, category, won, late, drawn] in cases("late_wins.csv") {
        let fen = fen.replace(' ', "+");
        let after = |mv: &str| {
            let is_in = |moves: &str| moves.split(' ').any(|listed| listed == mv);
            match (is_in(&won), is_in(&late), is_in(&drawn)) {
                (true, false, false) => "loss",
                (false, true, false) => "blessed-loss",
                (false, false, true) => "draw",
                _ => panic!("{fen} {mv}"),
            }
        };
        let position = told("/api/position", &format!("fen={fen}&player=strategy"));
        assert_eq!(position["category"], category, "{fen}");
        let moves = position["moves"].as_array().expect("moves");
        for mv in moves {
            assert_eq!(mv["category"], after(mv["uci"].as_str().expect("a move")), "{fen} {mv}");
        }
        let ucis: Vec<&str> = moves.iter().map(|mv| mv["uci"].as_str().expect("a move")).collect();
        for player in ["theory", "strategy", "measure", "tablebase"] {
            let query = format!("fen={fen}&player={player}&instead={}", ucis.join(","));
            let why = told("/api/why", &query);
            let text = why.to_string();
            assert!(!text.contains("perhaps") && !text.contains("maybe"), "{text}");
            let is_late = |mv: &Value| {
                let says = mv["says"].as_str().expect("text");
                says.contains("too late under the fifty-move rule")
            };
            let alternatives = why["instead"].as_array().expect("moves");
            for mv in alternatives.iter().chain([&why["move"]]) {
                let after = after(mv["uci"].as_str().expect("a move"));
                assert_eq!(is_late(mv), after == "blessed-loss", "{fen} {player} {mv}");
            }
            let reason = why["reason"].as_str().expect("text");
            let is_better = reason.contains("is better under the fifty-move rule");
            let throws =
                category == "win" && after(why["move"]["uci"].as_str().expect("a move")) != "loss";
            assert_eq!(is_better, player == "tablebase" && throws, "{fen} {reason}");
            better += usize::from(is_better);
        }
        let both = position["line"].to_string() + &position["theirs"].to_string();
        assert!(!both.contains("perhaps"), "{both}");
    }
    assert!(better > 0, "the quickest mate comes too late somewhere");
}

#[test]
fn the_lines_end_in_mate_after_as_many_moves_as_they_say() {
    for (fen, player) in [
        ("8/8/8/3k4/8/8/8/K6R+w", "theory"),
        ("8/8/8/3k4/8/8/8/K6R+w", "strategy"),
        ("8/8/8/3k4/8/8/8/K6Q+b", "exact"),
        ("8/8/8/3k4/8/8/8/K4BB1+w", "strategy"),
    ] {
        let told = told("/api/position", &format!("fen={fen}&player={player}"));
        let last = |line: &Value| -> Game {
            let fen = line.as_array().expect("a line").last().expect("a move")["fen"].as_str();
            fen.expect("a FEN").parse().expect("a position")
        };
        for line in [&told["line"], &told["theirs"]["line"]] {
            assert_eq!(last(line).status().to_string(), "Checkmate. White wins.", "{fen} {player}");
        }
        let plies = told["dtm"].as_i64().expect("a distance").unsigned_abs() as usize;
        assert_eq!(told["line"].as_array().expect("a line").len(), plies);
        let moves = told["theirs"]["mates_in"].as_u64().expect("it mates") as usize;
        assert_eq!(told["theirs"]["line"].as_array().expect("a line").len().div_ceil(2), moves);
        assert!(moves >= plies.div_ceil(2));
    }
}

#[test]
fn reasons_are_told_in_order_with_what_they_are_about() {
    for (player, kind) in [
        ("theory", "tree"),
        ("strategy", "strategy"),
        ("measure", "measure"),
        ("tablebase", "table"),
        ("search:depth=2", "search"),
    ] {
        let query = format!("fen=8/8/8/8/8/1k6/2R5/K7+w&player={player}&instead=c2c3");
        let told = told("/api/why", &query);
        assert_eq!(told["kind"], kind);
        assert!(told["move"]["san"].is_string() && told["heading"].is_string());
        if kind == "search" {
            continue;
        }
        // The king captures the rook.
        let instead = &told["instead"][0];
        assert_eq!(instead["uci"], "c2c3");
        assert_eq!(instead["reply"]["uci"], "b3c3");
        let reply = instead["reply"]["fen"].as_str().expect("there is a reply");
        assert!(reply.parse::<Game>().is_ok());
        // A hint does not name the move.
        let hint = told["hint"].as_str().expect("text");
        assert!(!hint.is_empty() && !hint.contains(told["move"]["san"].as_str().expect("text")));
        if kind == "measure" {
            let forced = told["forced"].as_array().expect("sentences");
            assert!(forced.contains(&Value::from("Rc3+ is not safe: the rook can be taken.")));
        }
        if kind != "table" {
            assert!(instead["verdict"].as_str().expect("text").contains("gives the win away"));
            assert!(instead["parts"].is_string());
            let steps = told["steps"].as_array().expect("steps");
            assert!(!steps.is_empty());
            assert!(steps.iter().any(|step| !step["marks"].as_array().expect("marks").is_empty()));
        }
    }
}

#[test]
fn a_stubborn_opponent_tells_how_many_replies_lose() {
    let played = told("/api/answer", "player=stubborn&fen=8/8/4k3/8/4r3/8/8/K2R4+w");
    let because = played["because"].as_str().expect("a reason");
    assert_eq!(because, "Looked up in the table: a draw; 3 of 16 replies lose.");
}

/// The page gives one reason for a move, wherever it is asked.
#[test]
fn a_move_has_the_same_reason_in_a_game_and_in_an_explanation() {
    for fen in ["8/8/8/3k4/8/8/8/K6R+w", "8/8/8/8/8/1k6/2R5/K7+w", "7R/8/8/8/8/1K6/8/1k6+w"] {
        for player in ["theory", "strategy", "measure"] {
            let query = format!("fen={fen}&player={player}");
            let (played, why) = (told("/api/answer", &query), told("/api/why", &query));
            assert_eq!(played["san"], why["move"]["san"], "{query}");
            assert!(played["because"].is_string(), "{query}");
            assert_eq!(played["because"], why["reason"], "{query}");
        }
    }
}

#[test]
fn every_player_that_is_listed_plays() {
    let about = told("/api/about", "");
    let players = about["players"].as_array().expect("players");
    assert!(players.len() >= 8);
    for player in players {
        let name = player["name"].as_str().expect("a name");
        let mv = told("/api/answer", &format!("fen=8/8/8/3k4/8/8/8/K6R+w&player={name}"));
        assert!(mv["uci"].as_str().is_some_and(|uci| uci.len() == 4), "{name}");
        if player["whole_games"] == true {
            told("/api/answer", &format!("moves=e2e4,e7e5&player={name}"));
        }
    }
    let endgames = about["endgames"].as_array().expect("endgames");
    assert!(endgames.iter().any(|endgame| endgame["material"] == "KBNvK"));
}

#[test]
fn the_same_seed_draws_the_same_lots() {
    let query = "fen=8/8/8/3k4/8/8/8/K6R+w&player=random&seed=7";
    let without_time = |mut told: Value| {
        told.as_object_mut().expect("an object").remove("seconds");
        told
    };
    let first = without_time(told("/api/answer", query));
    assert_eq!(first, without_time(told("/api/answer", query)));
    let seeds = (0..40).map(|seed| {
        told("/api/answer", &format!("fen=8/8/8/3k4/8/8/8/K6R+w&player=random&seed={seed}"))["uci"].clone()
    });
    assert!(seeds.into_iter().any(|uci| uci != first["uci"]));
}

#[test]
fn boards_are_turned_as_one_sees_it() {
    let turned = |how: &str| {
        let told = told("/api/turned", &format!("fen=8/8/8/8/8/1k6/8/K1R5+w&how={how}"));
        told["fen"].as_str().expect("a FEN").to_owned()
    };
    assert!(turned("mirror").starts_with("8/8/8/8/8/6k1/8/5R1K w"));
    assert!(turned("flip").starts_with("K1R5/8/1k6/8/8/8/8/8 w"));
    assert!(turned("turn").starts_with("8/8/8/8/8/1k6/8/K1R5 b"));
}

proptest! {
    #![proptest_config(random(256))]

    /// Any query is answered, or refused with a message.
    #[test]
    fn no_query_breaks_anything(
        route in 0..ROUTES.len(),
        values in prop::collection::vec((0..12_usize, "[-a-h1-8KQRBNPkqrbnpvw/ _,:=.0-9]{0,40}|\\PC{0,12}"), 0..5),
    ) {
        const NAMES: [&str; 12] = [
            "fen", "moves", "player", "material", "instead", "how", "by", "value", "seed", "offset", "limit", "set",
        ];
        let escaped = |text: &str| -> String {
            text.bytes().map(|byte| format!("%{byte:02x}")).collect()
        };
        let query: Vec<String> =
            values.iter().map(|(name, value)| format!("{}={}", NAMES[*name], escaped(value))).collect();
        let reply = answer(&STATE, ROUTES[route].path, &query.join("&"));
        prop_assert!([200, 202, 400, 404].contains(&reply.status));
        if reply.status >= 400 {
            let told: Value = serde_json::from_slice(&reply.body).expect("it is JSON");
            prop_assert!(told["error"].as_str().is_some_and(|error| error.contains(' ')));
        }
    }
}

/// A table of five men is read from its file on demand: a few positions need a few of its entries, and all positions need
/// the rest.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_table_that_can_no_longer_be_read_is_told_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = TableFolder::new(folder.path());
    let material = "KQQQvK".parse().expect("a material");
    tables.tablebase(material, &lucena::progress::NoObserver).expect("nobody stops it");
    let state = PageState::new(TableFolder::new(folder.path()));
    let asked = |path, query| loop {
        let reply = answer(&state, path, query);
        if reply.status != 202 {
            return (reply.status, String::from_utf8(reply.body).expect("it is text"));
        }
        sleep(Duration::from_millis(20));
    };
    let few = asked("/api/refutation", "fen=8/8/8/8/7k/8/8/KQQQ4+w&move=a1a2");
    assert_eq!(few.0, 200, "{}", few.1);
    let file = tables.file(material).expect("it is kept");
    let opened = std::fs::File::options().write(true).open(file).expect("a file");
    opened.set_len(100).expect("it is cut");
    let (status, text) = asked("/api/data/histogram", "material=KQQQvK");
    assert_eq!(status, 500, "{text}");
    assert!(text.contains("cannot read") && text.contains("KQQQvK.table"), "{text}");
}

/// A lesson takes long to write. A server that starts again reads it from a file beside the tables.
#[test]
fn a_lesson_is_kept_beside_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let asked = || {
        let state = PageState::new(TableFolder::new(folder.path())).with_answer_folder("this");
        loop {
            let reply = answer(&state, "/api/lesson", "material=KQvK&player=strategy");
            if reply.status == 200 {
                return String::from_utf8(reply.body).expect("it is text");
            }
            assert_eq!(reply.status, 202);
            sleep(Duration::from_millis(20));
        }
    };
    let files = || {
        let files = std::fs::read_dir(folder.path().join("answers")).expect("a folder");
        files.map(|file| file.expect("a file").path()).collect::<Vec<_>>()
    };
    let first = asked();
    let kept = files();
    assert_eq!(kept.len(), 1, "{kept:?}");
    let marked = first.replacen("KQvK", "KXvK", 1);
    std::fs::write(&kept[0], &marked).expect("it is written");
    assert_eq!(asked(), marked, "the file is read");
    std::fs::write(&kept[0], &first[..first.len() / 2]).expect("it is written");
    assert_eq!(asked(), first, "what is damaged is found again");
    let other = kept[0].with_file_name("lesson-KQvK-strategy-of-another-build.json");
    std::fs::rename(&kept[0], &other).expect("it is renamed");
    assert_eq!(asked(), first, "what another build has written is not read");
    assert_eq!(files(), kept, "and is removed");
}
