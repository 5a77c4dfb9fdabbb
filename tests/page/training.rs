//! A series of games as a job of the page: a human or a program plays against the learner, who becomes a player.

use super::serve::Server;
use serde_json::{Value, json};

/// Starts a series, and returns the job's id.
#[track_caller]
fn begin(server: &Server, fields: &Value) -> String {
    let begun = server.post("/api/jobs", &json!({ "verb": "training", "fields": fields }));
    assert_eq!(begun.status, 201, "{}", begun.error());
    begun.json()["id"].as_str().expect("an id").to_owned()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_human_plays_along_and_saves_the_learner() {
    let results = tempfile::tempdir().expect("a folder");
    let server = Server::start_as(results.path(), &[]);
    let id = begin(&server, &json!({ "opponent": "human", "colors": "white", "beta": "1" }));
    let tell = |line: &str| server.post(&format!("/api/jobs/{id}/input"), &json!({ "line": line }));
    let when_waiting = |plies: u64| {
        server.job_when(&id, |job| {
            job["live"]["waits"] == true && job["live"]["plies"].as_u64() >= Some(plies)
        })
    };
    let live = when_waiting(1)["live"].clone();
    assert_eq!((&live["game"], &live["color"]), (&1.into(), &"white".into()));
    assert!(live["fen"].as_str().is_some_and(|fen| fen.contains(" b ")), "{live}");

    // A line that is no move changes nothing, and neither does one about another place.
    for line in ["e2e4", "1/3 e7e6", "2/1 resign", "quit"] {
        assert_eq!(tell(line).status, 200);
    }
    assert_eq!(tell("1/1 e7e5").status, 200);
    let live = when_waiting(3)["live"].clone();
    assert_eq!(live["plies"], 3, "{live}");
    assert_eq!(tell("resign").status, 200);
    let ended =
        server.job_when(&id, |job| job["live"]["game"] == 2 && job["live"]["waits"] == true);
    let live = &ended["live"];
    assert_eq!((&live["won"], &live["points"]), (&1.into(), &1.0.into()));
    assert_eq!(live["before"], "Game 1: the learner has won. You have resigned.");
    for (line, status) in [("x".repeat(201), 400), ("e7e5\nresign".into(), 400)] {
        assert_eq!(tell(&line).status, status, "{line}");
    }

    // The learner is saved in the middle of the series.
    server.job_when(&id, |job| job["files"].to_string().contains("learner"));
    let save = |name: &str| server.post(&format!("/api/jobs/{id}/save"), &json!({ "name": name }));
    let saved = save("Anna");
    assert_eq!(saved.status, 201);
    assert_eq!(save("Anna").status, 409);
    let player = saved.json()["player"].as_str().expect("a player").replace(' ', "+");
    assert_eq!(server.post(&format!("/api/jobs/{id}/stop"), &json!({})).status, 200);
    let stopped = server.job_when(&id, |job| job["state"] != "running");
    assert_eq!((&stopped["state"], &stopped["report"]["games"]), (&"stopped".into(), &1.into()));
    assert_eq!(stopped["report"]["beta"], 1.0);
    let files = stopped["files"].to_string();
    assert!(["chart.svg", "games.csv", "learner"].iter().all(|name| files.contains(name)));
    let late = tell("e7e5");
    assert_eq!((late.status, late.error().contains("has ended")), (409, true));

    // It plays, gives its reasons, and is proved.
    let titled = server.get("/api/about").json()["players"].to_string();
    assert!(titled.contains("Anna"), "{titled}");
    let fen = "8/8/8/3k4/8/8/8/K6R+w";
    let why = server.get(&format!("/api/why?fen={fen}&player={player}&instead=a1b2")).json();
    assert_eq!((&why["kind"], &why["instead"][0]["uci"]), (&"trained".into(), &"a1b2".into()));
    let answer = server.get(&format!("/api/answer?fen={fen}&player={player}")).json();
    assert_eq!(answer["uci"], why["move"]["uci"]);
    let fields = json!({ "player": player.replace('+', " ") });
    let prove = server.post("/api/jobs", &json!({ "verb": "prove", "fields": fields })).json();
    let proof =
        server.job_when(prove["id"].as_str().expect("an id"), |job| job["state"] != "running");
    assert_eq!((&proof["state"], &proof["report"]["winnable"]), (&"done".into(), &175_168.into()));
    // With other weights it is an opponent.
    let id = begin(&server, &json!({ "opponent": player.replace('+', " "), "games": "2" }));
    let done = server.job_when(&id, |job| job["state"] != "running");
    assert_eq!((&done["state"], &done["report"]["games"]), (&"done".into(), &2.into()));
}

#[test]
fn only_programs_that_were_named_are_started() {
    let results = tempfile::tempdir().expect("a folder");
    let engine = format!("cmd='{}' args=uci depth=1 name=other", env!("CARGO_BIN_EXE_lucena"));
    let server = Server::start_as(results.path(), &["--engine", &engine]);
    let forms = server.get("/api/experiments").json();
    let forms = forms["experiments"].as_array().expect("forms");
    let form = forms.iter().find(|form| form["verb"] == "training").expect("a form");
    let fields = form["fields"].as_array().expect("fields");
    let field = fields.iter().find(|field| field["name"] == "engine").expect("a field");
    assert_eq!(field["choices"], json!([engine]));
    for other in ["cmd=sh", "cmd=sh args=-c", &format!("{engine} nodes=1")] {
        let fields = json!({ "engine": other });
        let refused = server.post("/api/jobs", &json!({ "verb": "training", "fields": fields }));
        assert_eq!(refused.status, 400);
        assert!(refused.error().contains("not a program that this page may start"));
    }
    // The first is taken if none is chosen.
    for fields in
        [json!({ "engine": engine, "games": "1" }), json!({ "against": "engine", "games": "1" })]
    {
        let id = begin(&server, &fields);
        let done = server.job_when(&id, |job| job["state"] != "running");
        assert_eq!(
            (&done["state"], &done["report"]["opponent"]),
            (&"done".into(), &"other".into())
        );
    }
}

/// The published network plays on after fifty moves without a capture or a pawn move, and so does the human: the
/// rules of the study count from the last capture of the game.
#[test]
fn a_human_plays_on_where_the_usual_rules_would_draw() {
    let server = Server::start();
    let start = "4k3/8/8/8/8/8/8/R3K3 w - - 97 80";
    let fields = json!({ "opponent": "human", "colors": "white", "rate": "0", "start": start });
    let id = begin(&server, &fields);
    for plies in [1, 3, 5, 7] {
        let job = server.job_when(&id, |job| {
            job["live"]["waits"] == true && job["live"]["plies"].as_u64() == Some(plies)
        });
        let fen = job["live"]["fen"].as_str().expect("a position");
        // By the usual rules there is no move any more, so the count begins anew.
        let mut fen: Vec<&str> = fen.split(' ').collect();
        fen[4] = "0";
        let fen = fen.join("_");
        let game = server.get(&format!("/api/game?fen={fen}")).json();
        let mv = game["moves"][0]["uci"].as_str().expect("a move");
        let line = format!("1/{plies} {mv}");
        server.post(&format!("/api/jobs/{id}/input"), &json!({ "line": line }));
    }
}
