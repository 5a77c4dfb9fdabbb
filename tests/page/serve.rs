//! The page as a process: access, jobs, and errors. HTTP, the documentation of Lichess, and published
//! counts give the expected answers.

use lucena_test_support::cases::{cases, own_folder};
#[cfg(target_os = "linux")]
use lucena_test_support::signals::{SIGNALS, send};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The timeout of a test for an answer.
const NEVER: Duration = Duration::from_secs(120);

/// A server that ends with the test.
pub(super) struct Server {
    child: Child,
    port: u16,
    /// The folder of results, if it is the server's own.
    results: Option<TempDir>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: its status, its headers in lower case, its body.
pub(super) struct Answer {
    pub(super) status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Answer {
    #[track_caller]
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    pub(super) fn error(&self) -> String {
        self.json()["error"].as_str().expect("it says what is wrong").to_owned()
    }
}

impl Server {
    pub(super) fn start() -> Self {
        let results = tempfile::tempdir().expect("a folder");
        let mut server = Self::start_with(results.path());
        server.results = Some(results);
        server
    }

    /// Starts a server with a folder of results.
    fn start_with(results: &Path) -> Self {
        Self::start_as(results, &[])
    }

    /// Starts a server with a folder of results and more options.
    pub(super) fn start_as(results: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_lucena"))
            .args(["serve", "--port", "0", "--tables"])
            .arg(own_folder())
            .arg("--results")
            .arg(results)
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program can be run");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("it speaks");
        let port = line.split(':').nth(2).and_then(|rest| rest.split('/').next());
        let port =
            port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no port: {line}"));
        Self { child, port, results: None }
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends bytes and reads the whole answer.
    fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(NEVER)).expect("a timeout");
        // A refused client may be cut off while it is still sending.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").expect("headers end");
        let headers = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status =
            headers.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        Answer { status, headers, body: bytes[end + 4..].to_vec() }
    }

    fn asked(&self, method: &str, target: &str, more: &str, body: &[u8]) -> Answer {
        let host = self.host();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{more}content-length: {}\r\n\r\n",
            body.len()
        );
        self.raw(&[head.as_bytes(), body].concat())
    }

    /// Asks until no table has to be solved first.
    pub(super) fn get(&self, target: &str) -> Answer {
        let begun = Instant::now();
        loop {
            let answer = self.asked("GET", target, "", b"");
            if answer.status != 202 || begun.elapsed() > NEVER {
                return answer;
            }
            assert!(answer.json()["solving"].is_string());
            sleep(Duration::from_millis(50));
        }
    }

    pub(super) fn post(&self, target: &str, body: &Value) -> Answer {
        let body = body.to_string();
        self.asked("POST", target, "content-type: application/json\r\n", body.as_bytes())
    }

    /// A job, once a condition on it holds.
    #[track_caller]
    pub(super) fn job_when(&self, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.get(&format!("/api/jobs/{id}")).json();
            if is_so(&job) {
                return job;
            }
            assert!(begun.elapsed() < NEVER, "{job}");
            sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn the_page_and_its_files_are_there_under_a_strict_policy() {
    let server = Server::start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    let text = String::from_utf8(page.body).expect("text");
    let linked = text.split(['"', '\'']).filter(|part| part.starts_with("/page/"));
    let linked: Vec<&str> = linked.collect();
    assert!(linked.len() >= 3, "{linked:?}");
    for file in linked {
        let asset = server.get(file);
        assert_eq!(asset.status, 200, "{file}");
        let policy = "content-security-policy: default-src 'self'";
        assert!(asset.headers.contains(policy), "{}", asset.headers);
        let tag =
            asset.headers.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a tag");
        let again = server.asked("GET", file, &format!("if-none-match: {tag}\r\n"), b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{file}");
        let small = server.asked("GET", file, "accept-encoding: br, gzip\r\n", b"");
        assert!(small.headers.contains("content-encoding: gzip"), "{file}");
        let mut whole = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(small.body.as_slice());
        decoder.read_to_end(&mut whole).expect("it is gzip");
        assert_eq!(whole, asset.body, "{file}");
    }
    assert!(!text.contains("http://") && !text.contains("https://"), "it loads from elsewhere");
    assert_eq!(server.get("/page/../Cargo.toml").status, 404);
    assert_eq!(server.get("/page/%2e%2e/Cargo.toml").status, 404);
}

#[test]
fn only_this_machine_by_its_own_names_and_only_our_page_may_ask() {
    let server = Server::start();
    let port = server.port;
    let ask = |host: &str, more: &str| {
        let head =
            format!("GET /api/about HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{more}\r\n");
        server.raw(head.as_bytes()).status
    };
    assert_eq!(ask(&format!("localhost:{port}"), ""), 200);
    assert_eq!(ask(&format!("127.0.0.1:{port}"), ""), 200);
    for foreign in ["evil.example", &format!("evil.example:{port}"), "localhost:1", ""] {
        assert_eq!(ask(foreign, ""), 403, "{foreign}");
    }
    let ours = format!("127.0.0.1:{port}");
    assert_eq!(ask(&ours, &format!("origin: http://{ours}\r\n")), 200);
    for origin in ["http://evil.example", "null", &format!("https://{ours}"), "http://localhost"] {
        assert_eq!(ask(&ours, &format!("origin: {origin}\r\n")), 403, "{origin}");
    }
    for (site, status) in
        [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200)]
    {
        assert_eq!(ask(&ours, &format!("sec-fetch-site: {site}\r\n")), status, "{site}");
    }
    let body = json!({ "verb": "prove" }).to_string();
    let more = "content-type: application/json\r\norigin: http://evil.example\r\n";
    assert_eq!(server.asked("POST", "/api/jobs", more, body.as_bytes()).status, 403);
    // A form on another page cannot send JSON without a preflight request.
    let form = server.asked("POST", "/api/jobs", "content-type: text/plain\r\n", body.as_bytes());
    assert_eq!(form.status, 415);
    assert_eq!(server.get("/api/jobs").json()["jobs"], json!([]));
    // The lookup is open to every front end.
    for path in ["/standard", "/standard/mainline"] {
        let target = format!("{path}?fen=8/8/8/8/8/1k6/8/K1R5_w");
        let open = server.asked("GET", &target, "origin: http://board.example\r\n", b"");
        assert_eq!(open.status, 200);
        assert!(open.headers.contains("access-control-allow-origin: *"));
    }
}

#[test]
fn what_is_no_question_is_told_in_a_sentence() {
    let server = Server::start();
    for (method, target, status) in [
        ("GET", "/api/nothing", 404),
        ("GET", "/api/position", 400),
        ("GET", "/api/position?fen=", 400),
        ("GET", "/api/position?fen=%00%ff", 400),
        ("GET", "/api/position?fen=8/8/8/8/8/8/8/8%20w", 400),
        ("GET", "/api/position?fen=8/8/8/8/8/8/Kk6/8%20w", 400),
        ("GET", "/api/position?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR%20w%20KQkq", 400),
        ("GET", "/api/game?moves=e2e5", 400),
        ("GET", "/api/game?pgn=%7B", 400),
        ("GET", "/api/why?fen=8/8/8/8/8/1k6/8/K1R5%20w&player=deep-blue", 400),
        ("GET", "/api/why?fen=8/8/8/8/8/1k6/8/K1R5%20w&player=random", 400),
        ("GET", "/api/answer?player=theory", 400),
        ("GET", "/api/answer?player=tree:/etc/passwd", 400),
        ("GET", "/api/answer?player=search:eval=/etc/passwd", 400),
        ("GET", "/api/turned?fen=8/8/8/8/8/1k6/8/K1R5%20w&how=round", 400),
        ("GET", "/api/turned?fen=8/8/8/8/8/1k6/P7/K7%20w&how=flip", 400),
        ("GET", "/api/jobs/77", 404),
        ("GET", "/api/jobs/x/events", 404),
        ("GET", "/standard?fen=8/8", 400),
        ("DELETE", "/standard?fen=8/8", 405),
        ("PUT", "/api/position", 405),
        ("DELETE", "/api/jobs", 405),
        ("GET", "/api/jobs/1/stop", 405),
        ("GET", "/api/answer?player=search:table=4096", 400),
    ] {
        let answer = match method {
            "GET" => server.get(target),
            _ => server.asked(method, target, "", b""),
        };
        assert_eq!(answer.status, status, "{method} {target}");
        let error = answer.error();
        assert!(error.contains(' ') && !error.contains("panicked"), "{target}: {error}");
    }
    let long = server.asked("GET", &format!("/api/position?fen={}", "8".repeat(40_000)), "", b"");
    assert_eq!(long.status, 414);
    assert!(long.error().contains("too long"));
}

#[test]
fn a_huge_body_is_refused_and_nothing_is_begun_by_nonsense() {
    let server = Server::start();
    let more = "content-type: application/json\r\n";
    let huge = vec![b' '; 1 << 20];
    assert_eq!(server.asked("POST", "/api/jobs", more, &huge).status, 413);
    for [body, words] in cases("refused_jobs.csv") {
        let answer = server.asked("POST", "/api/jobs", more, body.as_bytes());
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().contains(&words), "{body}: {}", answer.error());
    }
    for body in [
        json!({ "verb": "mine" }),
        json!({ "verb": "prove", "fields": { "certificate": "/tmp/somewhere" } }),
        json!({ "verb": "prove", "fields": { "player": "tree:/etc/passwd" } }),
        json!({ "verb": "prove", "fields": { "material": "--help" } }),
        json!({ "verb": "prove", "fields": { "material": "KXvK" } }),
        json!({ "verb": "search", "fields": { "positions": "/etc/passwd" } }),
        json!({ "verb": "search", "fields": { "eval": "/etc/passwd" } }),
        json!({ "verb": "validate", "fields": { "games": "many" } }),
    ] {
        let answer = server.post("/api/jobs", &body);
        assert_eq!(answer.status, 400, "{body}");
        assert!(answer.error().contains(' '), "{body}");
    }
    assert_eq!(server.get("/api/jobs").json()["jobs"], json!([]));
}

#[test]
fn the_lookup_answers_as_lichess_does() {
    let server = Server::start();
    let answer = server.get("/standard?fen=8/8/8/8/8/1k6/8/K1R5_w_-_-_0_1").json();
    assert_eq!((&answer["category"], &answer["dtm"]), (&json!("win"), &json!(21)));
    assert_eq!(answer["moves"][0]["category"], "loss");
    let mate = server.get("/standard?fen=k6R/8/K7/8/8/8/8/8_b").json();
    assert_eq!((&mate["category"], &mate["checkmate"]), (&json!("loss"), &json!(true)));
    let stalemate = server.get("/standard?fen=k7/8/KR6/8/8/8/8/8_b").json();
    assert_eq!((&stalemate["category"], &stalemate["stalemate"]), (&json!("draw"), &json!(true)));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_job_tells_of_itself_and_keeps_what_it_has_found() {
    let server = Server::start();
    let begun =
        server.post("/api/jobs", &json!({ "verb": "prove", "fields": { "player": "exact" } }));
    assert_eq!(begun.status, 201);
    let job = begun.json();
    let shown = "lucena prove --player exact --certificate certificate.json --moves moves.csv";
    assert_eq!(job["command"], shown);
    let id = job["id"].as_str().expect("an id");
    let done = server.job_when(id, |job| job["state"] != "running");
    assert_eq!(done["state"], "done", "{done}");
    // All positions, and the known longest mate.
    assert_eq!(done["report"]["won"], 175_168);
    assert_eq!(done["report"]["longest_moves"], 16);
    assert!(done["summary"].as_str().expect("sentences").contains("175,168"));
    let files = done["files"].as_array().expect("files");
    let names: Vec<&str> = files.iter().filter_map(|file| file["name"].as_str()).collect();
    assert_eq!(names, ["certificate.json", "moves.csv"]);
    let moves = server.get(&format!("/api/jobs/{id}/files/moves.csv"));
    assert_eq!(moves.body.iter().filter(|&&byte| byte == b'\n').count(), 175_169);
    assert!(moves.headers.contains("content-disposition: attachment"));
    for wrong in ["..%2f..%2fsecret", "nothing", "%2e%2e"] {
        assert_eq!(server.get(&format!("/api/jobs/{id}/files/{wrong}")).status, 404, "{wrong}");
    }
    let forgotten = server.post(&format!("/api/jobs/{id}/forget"), &json!({}));
    assert_eq!(forgotten.status, 200);
    assert_eq!(server.get(&format!("/api/jobs/{id}")).status, 404);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_job_that_is_stopped_midway_reports_what_it_has_found_and_can_play() {
    let server = Server::start();
    // The candidates for optimal play are judged the fastest.
    let fields = json!({ "material": "KQvK", "keep": "optimal", "seconds": "3000", "chains": "1" });
    let begun = server.post("/api/jobs", &json!({ "verb": "distil", "fields": fields })).json();
    let id = begun["id"].as_str().expect("an id").to_owned();
    let grown = server.job_when(&id, |job| {
        job["points"]["rows"].as_array().is_some_and(|rows| rows.len() >= 2)
            && job["chart"].is_object()
    });
    assert_eq!(grown["points"]["columns"], json!(["candidates", "leaves"]));
    let chart = server.get(&format!("/api/jobs/{id}/chart.svg"));
    assert!(chart.body.starts_with(b"<svg") && chart.headers.contains("image/svg+xml"));
    assert_eq!(server.post(&format!("/api/jobs/{id}/forget"), &json!({})).status, 409);
    assert_eq!(server.post(&format!("/api/jobs/{id}/stop"), &json!({})).status, 200);
    let stopped = server.job_when(&id, |job| job["state"] != "running");
    assert_eq!(stopped["state"], "stopped", "{stopped}");
    let leaves = stopped["report"]["leaves"].as_u64().expect("its report");
    assert!(leaves > 1);
    let player = stopped["player"].as_str().expect("it is a player");
    let why = format!("/api/why?fen=8/8/8/2k5/8/8/8/K6Q+w&player={player}");
    let why = server.get(&why);
    assert_eq!(why.status, 200, "{}", String::from_utf8_lossy(&why.body));
    assert_eq!(why.json()["kind"], "tree");
}

/// The processes whose command lines name a folder.
#[cfg(target_os = "linux")]
fn processes_with(folder: &Path) -> usize {
    let folder = folder.display().to_string();
    let names_it = |process: &fs::DirEntry| {
        fs::read(process.path().join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&folder))
    };
    fs::read_dir("/proc").expect("a folder").flatten().filter(names_it).count()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
#[cfg(target_os = "linux")]
fn a_server_that_is_ended_takes_its_jobs_with_it_and_keeps_their_results() {
    std::thread::scope(|scope| {
        for (signal, code) in SIGNALS {
            scope.spawn(move || {
                let results = tempfile::tempdir().expect("a folder");
                let mut server = Server::start_with(results.path());
                let wanted = json!({ "verb": "distil", "fields": { "seconds": "3000" } });
                let job = server.post("/api/jobs", &wanted).json();
                let id = job["id"].as_str().expect("an id");
                server.job_when(id, |job| job["progress"].is_object());
                // The server itself names the folder too.
                assert_eq!(processes_with(results.path()), 2);
                send(signal, &server.child);
                assert_eq!(server.child.wait().expect("it ends").code(), Some(code), "{signal}");
                assert_eq!(processes_with(results.path()), 0, "{signal}: the job lives on");
                let next = Server::start_with(results.path());
                let kept = next.get(&format!("/api/jobs/{id}")).json();
                assert_eq!((&kept["state"], &kept["name"]), (&json!("stopped"), &job["name"]));
            });
        }
    });
}

/// The ids of all jobs that a server lists.
fn ids(server: &Server) -> Vec<String> {
    let jobs = server.get("/api/jobs").json();
    let jobs = jobs["jobs"].as_array().expect("jobs").clone();
    jobs.iter().map(|job| job["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn results_outlive_a_server_that_is_killed() {
    let results = tempfile::tempdir().expect("a folder");
    let killed = Server::start_with(results.path());
    let proof = json!({ "verb": "prove", "fields": { "player": "exact" } });
    let [first, second] = [(); 2].map(|()| {
        let id = killed.post("/api/jobs", &proof).json()["id"].as_str().expect("an id").to_owned();
        killed.job_when(&id, |job| job["state"] == "done");
        id
    });
    let renamed =
        killed.post(&format!("/api/jobs/{first}/rename"), &json!({ "name": " The proof " }));
    assert_eq!(renamed.json()["name"], "The proof");
    let before = killed.get(&format!("/api/jobs/{first}")).json();
    let endless = json!({ "verb": "distil", "fields": { "material": "KQvK", "seconds": "3000" } });
    let endless = killed.post("/api/jobs", &endless).json();
    let endless = endless["id"].as_str().expect("an id");
    killed.job_when(endless, |job| job["progress"].is_object());
    drop(killed);

    let next = Server::start_with(results.path());
    assert_eq!(ids(&next), [first.as_str(), &second, endless]);
    assert_eq!(next.get(&format!("/api/jobs/{first}")).json(), before);
    let moves = next.get(&format!("/api/jobs/{first}/files/moves.csv"));
    assert_eq!(moves.body.iter().filter(|&&byte| byte == b'\n').count(), 175_169);
    let cut_off = next.get(&format!("/api/jobs/{endless}")).json();
    assert_eq!(cut_off["state"], "stopped");
    assert_eq!(cut_off["error"], "The server ended while the job ran.");
    // Jobs alike have different names.
    let name = next.get(&format!("/api/jobs/{second}")).json()["name"].clone();
    assert_eq!(name, "Prove a player: exact (2)");
    // What is deleted is gone for good, and its id is not given again.
    assert_eq!(next.post(&format!("/api/jobs/{endless}/forget"), &json!({})).status, 200);
    assert!(!results.path().join(endless).exists());
    drop(next);
    let last = Server::start_with(results.path());
    assert_eq!(ids(&last), [first, second]);
    let new = last.post("/api/jobs", &proof).json()["id"].as_str().expect("an id").to_owned();
    let number = |id: &str| id.parse::<u64>().expect("a number");
    assert!(number(&new) > number(endless));
    last.job_when(&new, |job| job["state"] == "done");
}

#[test]
fn two_servers_share_a_folder_of_results() {
    let results = tempfile::tempdir().expect("a folder");
    let one = Server::start_with(results.path());
    let endless = json!({ "verb": "distil", "fields": { "seconds": "3000" } });
    let running = one.post("/api/jobs", &endless).json();
    let id = running["id"].as_str().expect("an id");
    one.job_when(id, |job| job["progress"].is_object());
    let other = Server::start_with(results.path());
    assert_eq!(ids(&other), [""; 0], "the other's job is running");
    let new = other.post("/api/jobs", &endless).json();
    assert_ne!(new["id"], running["id"]);
    assert_eq!(one.get(&format!("/api/jobs/{id}")).json()["state"], "running");
}

/// Folders that are no results are left alone, and links lead nowhere.
#[test]
#[cfg(unix)]
fn folders_that_are_no_results_are_left_alone() {
    let (results, outside) = [(); 2].map(|()| tempfile::tempdir().expect("a folder")).into();
    let write = |name: &str, text: &str| {
        let path = results.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("7/job.json", "{\"name\": 7}");
    write("8/photo.jpg", "a photo");
    write("letters/1.txt", "a letter");
    fs::write(outside.path().join("secret"), "a secret").expect("a file");
    std::os::unix::fs::symlink(outside.path(), results.path().join("9")).expect("a link");
    let record = json!({ "name": "Mine", "verb": "prove", "state": "done", "files": [{ "name": "secret", "bytes": 8 }],
        "picture": "../9/secret", "makes": ["tree:", "../9/secret"] });
    write("10/job.json", &record.to_string());
    std::os::unix::fs::symlink(outside.path().join("secret"), results.path().join("10/secret"))
        .expect("a link");
    let server = Server::start_with(results.path());
    assert_eq!(ids(&server), ["10"]);
    let job = server.get("/api/jobs/10").json();
    assert_eq!((&job["files"], &job["player"]), (&json!([]), &Value::Null), "{job}");
    for path in ["files/secret", "chart.svg"] {
        assert_eq!(server.get(&format!("/api/jobs/10/{path}")).status, 404, "{path}");
    }
    for kept in ["7/job.json", "8/photo.jpg", "letters/1.txt", "9/secret"] {
        assert!(results.path().join(kept).exists(), "{kept}");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_player_is_saved_under_a_name_and_deleted() {
    let results = tempfile::tempdir().expect("a folder");
    let server = Server::start_with(results.path());
    let learn = json!({ "verb": "learn", "fields": { "material": "KQvK" } });
    let id = server.post("/api/jobs", &learn).json()["id"].as_str().expect("an id").to_owned();
    server.job_when(&id, |job| job["state"] == "done");
    let save = |id: &str, name: &str| {
        server.post(&format!("/api/jobs/{id}/save"), &json!({ "name": name }))
    };
    let saved = save(&id, "my first tree");
    assert_eq!(saved.status, 201);
    let player = saved.json()["player"].as_str().expect("a player").to_owned();
    for (name, status, words) in [
        ("my first tree", 409, "choose another name"),
        ("", 400, "the name is empty"),
        ("../tree", 400, "letters, digits"),
        (".tree", 400, "letters, digits"),
        ("a/b", 400, "letters, digits"),
        (&"x".repeat(81), 400, "at most 80"),
    ] {
        let answer = save(&id, name);
        assert_eq!(answer.status, status, "{name}");
        assert!(answer.error().contains(words), "{name}: {}", answer.error());
    }
    let proof = server.post("/api/jobs", &json!({ "verb": "prove", "fields": {} })).json();
    let proof = proof["id"].as_str().expect("an id");
    assert!(save(proof, "a proof").error().contains("makes no player"));
    let why = |server: &Server| {
        let player = player.replace(' ', "+");
        server.get(&format!("/api/why?fen=8/8/8/2k5/8/8/8/K6Q+w&player={player}"))
    };
    assert_eq!(why(&server).json()["kind"], "tree");
    let titles = |server: &Server| {
        let about = server.get("/api/about").json();
        let players = about["players"].as_array().expect("players").clone();
        players.into_iter().map(|player| player["title"].clone()).collect::<Vec<_>>()
    };
    assert!(titles(&server).contains(&json!("my first tree")));
    assert!(titles(&server).contains(&json!("Learn a tree: KQvK")));
    server.post(&format!("/api/jobs/{id}/rename"), &json!({ "name": "A tree of queens" }));
    assert!(titles(&server).contains(&json!("A tree of queens")));
    drop(server);

    let next = Server::start_with(results.path());
    assert!(titles(&next).contains(&json!("my first tree")));
    assert_eq!(why(&next).json()["kind"], "tree");
    assert_eq!(next.get("/api/jobs").json()["players"][0]["name"], "my first tree");
    assert_eq!(next.post("/api/players/my%20first%20tree/forget", &json!({})).status, 200);
    assert_eq!(next.post("/api/players/my%20first%20tree/forget", &json!({})).status, 404);
    assert_eq!(why(&next).status, 400);
    assert_eq!(next.get("/api/jobs").json()["players"], json!([]));
}

/// The initial values of every form make a command line that the started program accepts.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_experiment_begins_as_its_form_first_stands() {
    let server = Server::start();
    let forms = server.get("/api/experiments").json();
    let forms = forms["experiments"].as_array().expect("forms");
    assert_eq!(forms.len(), 15);
    for form in forms {
        let verb = form["verb"].as_str().expect("a verb");
        let begun = server.post("/api/jobs", &json!({ "verb": verb, "fields": {} }));
        assert_eq!(begun.status, 201, "{verb}: {}", String::from_utf8_lossy(&begun.body));
        let id = begun.json()["id"].as_str().expect("an id").to_owned();
        // The job reports progress or a result; a refused command line gives neither.
        server.job_when(&id, |job| job["progress"].is_object() || job["report"].is_object());
        server.post(&format!("/api/jobs/{id}/stop"), &json!({}));
        server.job_when(&id, |job| job["state"] != "running");
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_thousand_jobs_are_not_run_at_a_time() {
    let server = Server::start();
    let wanted = json!({ "verb": "distil", "fields": { "seconds": "3000" } });
    let statuses: Vec<u16> = (0..1_000).map(|_| server.post("/api/jobs", &wanted).status).collect();
    let begun = statuses.iter().filter(|&&status| status == 201).count();
    let refused = statuses.iter().filter(|&&status| status == 429).count();
    assert_eq!((begun, refused), (2, 998));
    // Waiting would not mend a wrong field.
    let wrong = server.post("/api/jobs", &json!({ "verb": "learn", "fields": { "folds": "1" } }));
    assert!(wrong.status == 400 && wrong.error().contains("folds: "), "{}", wrong.error());
    // The board still answers.
    assert_eq!(server.get("/api/position?fen=8/8/8/8/8/1k6/8/K1R5+w").status, 200);
}

#[test]
#[ignore = "it waits for most of a minute"]
fn a_job_ends_once_nobody_listens_any_more() {
    let server = Server::start();
    let wanted = json!({ "verb": "distil", "fields": { "seconds": "3000" } });
    let job = server.post("/api/jobs", &wanted).json();
    let id = job["id"].as_str().expect("an id");
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).expect("it listens");
    let head = format!("GET /api/jobs/{id}/events HTTP/1.1\r\nhost: {}\r\n\r\n", server.host());
    stream.write_all(head.as_bytes()).expect("it listens");
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let event = lines.find(|line| line.starts_with("data: ")).expect("it tells");
    let told: Value = serde_json::from_str(&event["data: ".len()..]).expect("a job");
    assert_eq!((&told["id"], &told["state"]), (&job["id"], &json!("running")));
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(18) {
        assert!(lines.next().is_some(), "it goes on while somebody listens");
    }
    drop(lines);
    // A request for the job counts as listening.
    sleep(Duration::from_secs(22));
    let ended = server.job_when(id, |job| job["state"] != "running");
    assert_eq!(ended["state"], "stopped");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn everything_that_can_be_asked_is_described() {
    let server = Server::start();
    let described = server.get("/api/openapi.json").json();
    assert!(described["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
    let paths = described["paths"].as_object().expect("paths");
    let others = ["/api/lesson.html", "/api/command", "/api/experiments", "/api/jobs/{id}/events"];
    for path in lucena::page::ROUTES.iter().map(|route| route.path).chain(others) {
        assert!(paths.contains_key(path), "{path} is not described");
    }
    let text = described.to_string();
    let names: Vec<&str> = text.split("#/components/schemas/").skip(1).collect();
    assert!(!names.is_empty());
    for name in names {
        let name = name.split('"').next().expect("a name");
        assert!(!described["components"]["schemas"][name].is_null(), "{name} is not described");
    }
    for (path, item) in paths {
        for operation in item.as_object().expect("operations").values() {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name");
                let says = parameter["description"].is_string() || parameter["in"] == "path";
                assert!(says, "{path}: {name} is not explained");
            }
        }
    }
    // Every request that lacks a required parameter is refused, and causes no panic.
    for path in paths.keys().filter(|path| !path.contains('{')) {
        let status = server.asked("GET", path, "", b"").status;
        assert!([200, 202, 400].contains(&status), "{path}: {status}");
    }
}

#[test]
fn two_servers_on_one_port_and_an_address_of_others_are_told() {
    let server = Server::start();
    let serve = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_lucena")).arg("serve").args(arguments).output();
        let output = output.expect("the program can be run");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = serve(&["--port", &server.port.to_string()]);
    assert_eq!(code, Some(3));
    assert!(said.contains("another program listens there"), "{said}");
    let (code, said) = serve(&["--port", "0", "--listen", "192.0.2.1"]);
    assert_eq!(code, Some(3));
    assert!(said.contains("no such address"), "{said}");
    assert_eq!(serve(&["--port", "70000"]).0, Some(2));
    assert_eq!(serve(&["--listen", "everywhere"]).0, Some(2));
}
