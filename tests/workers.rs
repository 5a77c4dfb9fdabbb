//! Solving shared by processes: the same bytes as one process makes, whoever has which blocks, and whoever
//! is killed on the way.

use crate::cli::{Ran, command, finish};
use crate::tables::{is_long, material};
use lucena::chess::Material;
use lucena::tablebase::TableFolder;
use lucena::work::Unwatched;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

/// Runs `lucena solve` in a folder, where it keeps its tables.
#[track_caller]
fn solve(folder: &Path, asked: &str) -> Ran {
    finish(start(folder, asked))
}

fn start(folder: &Path, asked: &str) -> Command {
    let words: Vec<&str> = asked.split(' ').collect();
    command(folder, &[&["solve"], &words[..], &["--tables", "tables"]].concat())
}

/// The file that one process makes of an endgame.
fn alone(material: Material) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = TableFolder::new(folder.path());
    tables.tablebase(material, &Unwatched).expect("nobody stops it");
    fs::read(tables.file(material).expect("it is kept")).expect("a file")
}

/// The file that the workers have made in a folder; their notes are gone.
#[track_caller]
fn shared(folder: &Path, material: Material) -> Vec<u8> {
    let tables = folder.join("tables");
    let names =
        fs::read_dir(&tables).expect("a folder").map(|entry| entry.expect("an entry").path());
    let notes: Vec<_> =
        names.filter(|path| path.extension().is_some_and(|it| it == "plies")).collect();
    assert!(notes.is_empty(), "{notes:?}");
    fs::read(tables.join(format!("{material}.table"))).expect("a file")
}

#[track_caller]
fn check_shared(material: Material, workers: &[usize]) {
    let expected = alone(material);
    for workers in workers {
        let folder = tempfile::tempdir().expect("a folder");
        let ran = solve(folder.path(), &format!("{material} --processes {workers}"));
        assert_eq!(ran.code, 0, "{material}, {workers} workers: {}", ran.err);
        assert!(shared(folder.path(), material) == expected, "{material}, {workers} workers");
    }
}

#[test]
fn workers_make_the_file_that_one_process_makes() {
    check_shared(material("KRvK"), &[1, 2, 3, 5]);
    check_shared(material("KPvK"), &[2, 4]);
    check_shared(material("KBNvK"), &[2]);
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn workers_make_every_file_of_three_and_four_men() {
    let all = [Material::of_men(3), Material::of_men(4)].concat();
    let some = ["KBBvK", "KQvKR", "KRvKP"].map(material).to_vec();
    for material in if is_long() { all } else { some } {
        check_shared(material, &[2, 3]);
    }
}

/// The processes that another has started.
fn children(of: &Child) -> Vec<u32> {
    let id = of.id();
    let listed = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// A worker is killed again and again, at a moment drawn by lot, once in each run: two hundred times in all
/// if that is wanted.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn a_worker_may_be_killed_at_any_moment() {
    let mut lots = ChaCha8Rng::seed_from_u64(0);
    for name in ["KBNvK", "KRvKP"] {
        let endgame = material(name);
        let expected = alone(endgame);
        let kept = tempfile::tempdir().expect("a folder");
        assert_eq!(solve(kept.path(), name).code, 0);
        let tables = kept.path().join("tables");
        let file = tables.join(format!("{name}.table"));
        let mut killed = 0;
        let runs = if is_long() { 100 } else { 15 };
        for _ in 0..runs {
            fs::remove_file(&file).expect("it was there");
            let mut run =
                start(kept.path(), &format!("{name} --processes 2")).spawn().expect("it starts");
            sleep(Duration::from_millis(lots.gen_range(0..400)));
            let workers = children(&run);
            if let Some(worker) = workers.get(lots.gen_range(0..2_usize)) {
                let done = Command::new("kill").args(["-9", &worker.to_string()]).status();
                killed += usize::from(done.is_ok_and(|status| status.success()));
            }
            assert!(run.wait().expect("it ends").success(), "{name}");
            assert!(shared(kept.path(), endgame) == expected, "{name}");
        }
        assert!(killed > runs / 2, "{name}: {killed} killed");
    }
}

/// A run that is killed as a whole goes on where it was, with as many workers.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn a_run_that_was_killed_goes_on() {
    let mut lots = ChaCha8Rng::seed_from_u64(1);
    let endgame = material("KRvKP");
    let expected = alone(endgame);
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..20 {
        let mut run = start(folder.path(), "KRvKP --processes 2").spawn().expect("it starts");
        sleep(Duration::from_millis(lots.gen_range(0..900)));
        run.kill().expect("it runs or has run");
        run.wait().expect("it ends");
    }
    let ran = solve(folder.path(), "KRvKP --processes 2");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(shared(folder.path(), endgame) == expected);
}

#[test]
fn what_cannot_be_shared_is_refused_with_a_reason() {
    let outside = tempfile::tempdir().expect("a folder");
    let folder = outside.path();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let taken = taken.local_addr().expect("an address");
    for (name, text) in [
        ("two.txt", "127.0.0.1:4001\n127.0.0.1:4002\n".to_owned()),
        ("empty.txt", "# nobody\n".to_owned()),
        ("words.txt", "this is no host\n".to_owned()),
        ("twice.txt", "127.0.0.1:4001\n127.0.0.1:4001\n".to_owned()),
        ("taken.txt", format!("{taken}\n")),
    ] {
        fs::write(folder.join(name), text).expect("a file");
    }
    for (asked, code, said) in [
        ("KRvK --processes 0", 2, "1..=64"),
        ("KRvK --processes few", 2, "--processes"),
        ("KRvK --processes 2 --hosts two.txt", 2, "cannot be used with"),
        ("KRvK --hosts two.txt", 2, "--here"),
        ("KRvK --hosts none.txt --here 1", 3, "none.txt"),
        ("KRvK --hosts empty.txt --here 1", 3, "empty.txt"),
        ("KRvK --hosts words.txt --here 1", 3, "words.txt"),
        ("KRvK --hosts twice.txt --here 1", 3, "twice.txt"),
        ("KRvK --hosts two.txt --here 3", 2, "2 workers"),
        ("KRvK --hosts two.txt --here 0", 2, "counted from 1"),
        ("KRvK --hosts two.txt --here 1,1", 2, "twice"),
        ("KRvK --hosts taken.txt --here 1", 3, "in use"),
    ] {
        let ran = solve(folder, asked);
        assert_eq!(ran.code, code, "{asked}: {}", ran.err);
        assert!(ran.err.contains(said), "{asked}: {said:?} is not said: {}", ran.err);
        assert!(!folder.join("tables/KRvK.table").exists(), "{asked}");
    }
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).expect("a folder");
    let notes = File::create(tables.join("KRvK.1-of-2.plies")).expect("a file");
    notes.lock().expect("nobody else has it");
    let ran = solve(folder.path(), "KRvK --processes 2");
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("another run is solving KRvK in this folder"), "{}", ran.err);
}
