//! Solving shared by processes: the same bytes as from one process, whatever the shares, and whichever
//! worker is killed on the way.

use crate::cli::{CommandResult, command, finish, with_small_files};
use lucena::chess::Material;
use lucena::progress::NoObserver;
use lucena::tablebase::{Metric, TableFolder};
use lucena_dist::{Hosts, Team};
use lucena_test_support::cases::own_folder;
use lucena_test_support::signals::{SIGNALS, send};
use lucena_test_support::tables::{is_long, material};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Runs `lucena solve` in a folder that also holds its tables.
#[track_caller]
fn solve(folder: &Path, asked: &str) -> CommandResult {
    finish(start(folder, asked))
}

fn start(folder: &Path, asked: &str) -> Command {
    let words: Vec<&str> = asked.split(' ').collect();
    command(folder, &[&["solve"], &words[..], &["--tables", "tables"]].concat())
}

/// A command whose output is discarded.
fn silent(mut command: Command) -> Command {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The file that one process makes for an endgame.
fn alone(material: Material) -> Vec<u8> {
    alone_of(Metric::Dtm, material)
}

fn alone_of(metric: Metric, material: Material) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = TableFolder::new(folder.path()).of_metric(metric);
    tables.tablebase(material, &NoObserver).expect("nobody stops it");
    fs::read(tables.file(material).expect("it is kept")).expect("a file")
}

/// The file that the workers have made in a folder; checks that their checkpoints are gone.
#[track_caller]
fn shared(folder: &Path, material: Material) -> Vec<u8> {
    finished(&folder.join("tables").join(format!("{material}.table")))
}

/// A file of an endgame; checks that no checkpoints stand beside it any more.
#[track_caller]
fn finished(table: &Path) -> Vec<u8> {
    let tables = table.parent().expect("it has a folder");
    let names =
        fs::read_dir(tables).expect("a folder").map(|entry| entry.expect("an entry").path());
    let notes: Vec<_> =
        names.filter(|path| path.extension().is_some_and(|it| it == "plies")).collect();
    assert!(notes.is_empty(), "{notes:?}");
    fs::read(table).expect("a file")
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn workers_make_every_file_of_three_and_four_men() {
    let all = [Material::of_men(3), Material::of_men(4)].concat();
    let some = ["KBBvK", "KQvKR", "KRvKP"].map(material).to_vec();
    for material in if is_long() { all } else { some } {
        check_shared(material, &[2, 3]);
    }
}

/// The child processes of a process.
fn children(of: &Child) -> Vec<u32> {
    let id = of.id();
    let listed = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    listed.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

/// A run that is ended has no workers and no unfinished files any more; its checkpoints stay.
#[test]
#[cfg(target_os = "linux")]
fn a_run_that_is_ended_takes_its_workers_with_it() {
    std::thread::scope(|scope| {
        for (signal, code) in SIGNALS {
            scope.spawn(move || {
                let folder = tempfile::tempdir().expect("a folder");
                let tables = folder.path().join("tables");
                let names = || {
                    let entries = fs::read_dir(&tables).into_iter().flatten().flatten();
                    let names =
                        entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
                    names.collect::<Vec<String>>()
                };
                let is_checkpoint = |name: &String| name.ends_with(".plies");
                let run = silent(start(folder.path(), "KBNvK --processes 2")).spawn();
                let mut run = run.expect("it starts");
                let mut workers = Vec::new();
                while !names().iter().any(is_checkpoint) {
                    workers = children(&run);
                    let end = run.try_wait().expect("it can be asked");
                    assert_eq!(end, None, "it has ended before it wrote a checkpoint");
                    sleep(Duration::from_millis(2));
                }
                send(signal, &run);
                assert_eq!(run.wait().expect("it ends").code(), Some(code), "{signal}");
                assert_eq!(workers.len(), 2);
                for worker in workers {
                    assert!(!Path::new(&format!("/proc/{worker}")).exists(), "{signal}");
                }
                let names = names();
                assert!(names.iter().any(is_checkpoint), "{signal}: {names:?}");
                assert!(!names.iter().any(|name| name.ends_with(".part")), "{signal}: {names:?}");
            });
        }
    });
}

/// A worker is killed again and again, at a random moment, once in each run: two hundred times in all
/// if the long tests are requested.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
            let mut run = silent(start(kept.path(), &format!("{name} --processes 2")))
                .spawn()
                .expect("it starts");
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

/// A run that is killed as a whole resumes where it was, alone or with as many workers. With pawns on both sides
/// the checkpoints also hold the pending en passant captures.
#[test]
#[cfg(target_os = "linux")]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_run_that_was_killed_goes_on() {
    let mut lots = ChaCha8Rng::seed_from_u64(1);
    let cases = [
        ("KRvKP --processes 2", Metric::Dtm, "1-of-2.plies"),
        ("KPvKP --processes 2", Metric::Dtm, "1-of-2.plies"),
        ("KNNvKR --class dtz", Metric::Dtz, "plies"),
    ];
    for (asked, metric, checkpoint) in cases {
        let (name, _) = asked.split_once(' ').expect("it has a name");
        let expected = alone_of(metric, material(name));
        let folder = tempfile::tempdir().expect("a folder");
        let tables = TableFolder::new(folder.path().join("tables")).of_metric(metric);
        let table = tables.file(material(name)).expect("it is kept");
        let noted = || fs::metadata(table.with_extension(checkpoint)).map(|it| it.len());
        let (mut kills, mut enough) = (0, 1);
        // Each run is killed once its checkpoints are longer than those of the run before.
        for _ in 0..200 {
            let mut run = silent(start(folder.path(), asked)).spawn().expect("it starts");
            let end = loop {
                if let Some(end) = run.try_wait().expect("it can be asked") {
                    break Some(end);
                }
                if noted().is_ok_and(|length| length >= enough) {
                    run.kill().expect("it runs or has run");
                    run.wait().expect("it ends");
                    kills += 1;
                    break None;
                }
                sleep(Duration::from_millis(2));
            };
            if end.is_some_and(|end| end.success()) {
                break;
            }
            // Its workers end with it, and write checkpoints until then.
            sleep(Duration::from_millis(200));
            enough = noted().unwrap_or_default() + lots.gen_range(1..1_000_000);
        }
        assert!(finished(&table) == expected, "{name}");
        assert!(kills > 3, "{name}: killed {kills} times");
    }
}

/// Five men, with pawns and without.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn workers_make_the_files_of_five_men() {
    let at_hand = own_folder();
    let all = ["KBBvKN", "KNNvKN", "KBBBvK", "KNNvKP", "KBBvKP"].map(material);
    let wanted = if is_long() { all.len() } else { 1 };
    for endgame in all.into_iter().take(wanted) {
        let tables = TableFolder::new(&at_hand);
        for next in endgame.with_successors() {
            if next != endgame {
                tables.tablebase(next, &NoObserver).expect("nobody stops it");
            }
        }
        drop(tables);
        let file = at_hand.join(format!("{endgame}.table"));
        let mut made = ["", " --processes 2"].map(|workers| {
            let _ = fs::remove_file(&file);
            let asked = format!("solve {endgame}{workers} --tables {}", at_hand.display());
            let asked: Vec<&str> = asked.split(' ').collect();
            let ran = finish(command(&at_hand, &asked));
            assert_eq!(ran.code, 0, "{endgame}{workers}: {}", ran.err);
            fs::read(&file).expect("a file")
        });
        let [alone, shared] = &mut made;
        assert!(alone == shared, "{endgame}");
    }
}

/// Free addresses of this machine.
fn addresses(workers: usize) -> String {
    let hosts = Hosts::local(workers).expect("ports");
    hosts.to_string()
}

/// Two hosts, each with its own folder, that solve an endgame together.
#[track_caller]
fn on_two_hosts(folders: [&Path; 2], material: Material) -> [CommandResult; 2] {
    let hosts = addresses(2);
    let runs = [(1, folders[0]), (2, folders[1])].map(|(line, folder)| {
        fs::write(folder.join("hosts.txt"), &hosts).expect("a file");
        let run = start(folder, &format!("{material} --hosts hosts.txt --here {line}"));
        std::thread::spawn(move || finish(run))
    });
    runs.map(|run| run.join().expect("it does not panic"))
}

#[test]
fn hosts_meet_whatever_is_in_their_folders() {
    let endgame = material("KRvK");
    let expected = alone(endgame);
    for has in [[true, false], [false, true], [true, true], [false, false]] {
        let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        for (folder, _) in folders.iter().zip(has).filter(|(_, has)| *has) {
            assert_eq!(solve(folder.path(), "KRvK").code, 0);
        }
        for ran in on_two_hosts(folders.each_ref().map(tempfile::TempDir::path), endgame) {
            assert_eq!(ran.code, 0, "{has:?}: {}", ran.err);
            assert!(ran.out.contains("longest mate: 16 moves"), "{has:?}: {}", ran.out);
        }
        for folder in &folders {
            assert!(shared(folder.path(), endgame) == expected, "{has:?}");
        }
    }
}

/// The smaller tables that an endgame leads to differ as well.
#[test]
fn hosts_solve_what_is_small_each_for_itself() {
    let endgame = material("KBNvK");
    let expected = alone(endgame);
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    assert_eq!(solve(folders[0].path(), "KBvK").code, 0);
    assert_eq!(solve(folders[1].path(), "KNvK").code, 0);
    for ran in on_two_hosts(folders.each_ref().map(tempfile::TempDir::path), endgame) {
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    for folder in &folders {
        assert!(shared(folder.path(), endgame) == expected);
    }
}

/// Changes a byte in the middle of a file.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).expect("a file");
    let middle = bytes.len() * 3 / 4;
    bytes[middle] ^= 0x55;
    fs::write(path, bytes).expect("a file");
}

#[test]
fn a_damaged_table_is_not_handed_over() {
    let endgame = material("KRvK");
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    assert_eq!(solve(folders[0].path(), "KRvK").code, 0);
    damage(&folders[0].path().join("tables/KRvK.table"));
    let [first, second] = on_two_hosts(folders.each_ref().map(tempfile::TempDir::path), endgame);
    assert_eq!((first.code, second.code), (0, 0), "{}{}", first.err, second.err);
    assert!(first.err.contains("worker 1: ") && first.err.contains("KRvK.table"), "{}", first.err);
    for folder in &folders {
        assert!(shared(folder.path(), endgame) == alone(endgame));
    }
}

/// A worker's warning is shown with the worker's name.
#[test]
fn what_workers_warn_of_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(solve(folder.path(), "KBvK").code, 0);
    damage(&folder.path().join("tables/KBvK.table"));
    let ran = solve(folder.path(), "KBNvK --processes 2");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let warned: Vec<&str> = ran.err.lines().filter(|line| line.contains("KBvK.table")).collect();
    // The worker that writes solves it again, and the other waits.
    assert_eq!(warned.len(), 1, "{}", ran.err);
    assert!(warned[0].starts_with("worker 1: "), "{}", ran.err);
}

#[test]
fn memory_counts_all_workers_of_a_host() {
    let folder = tempfile::tempdir().expect("a folder");
    let allowed = |asked: &str| solve(folder.path(), asked);
    for (asked, code) in [
        ("KRvK --processes 2 --memory 1GiB", 0),
        ("KQvK --processes 2 --memory 20MiB", 2),
        ("KQvK --processes 8 --memory 100MiB", 2),
        ("KBBvKN --processes 64 --memory 1GiB", 2),
    ] {
        let ran = allowed(asked);
        assert_eq!(ran.code, code, "{asked}: {}", ran.err);
        assert_eq!(ran.err.contains("workers here takes about"), code == 2, "{asked}: {}", ran.err);
    }
    assert!(!folder.path().join("tables/KQvK.table").exists());
}

/// Checkpoints of earlier runs are removed when the table is there, if nobody is using them; nothing else is.
#[test]
fn notes_of_earlier_runs_are_taken_away() {
    for asked in ["KRvK", "KRvK --processes 2"] {
        let folder = tempfile::tempdir().expect("a folder");
        let tables = folder.path().join("tables");
        fs::create_dir(&tables).expect("a folder");
        let file = |name: &str| File::create(tables.join(name)).expect("a file");
        for name in ["KRvK.plies", "KRvK.1-of-3.plies", "KRvK.12-of-64.plies"] {
            file(name);
        }
        let others = [
            "KRvK.1-of-x.plies",
            "KRvK.01-of-2.plies",
            "KRvKR.plies",
            "KQvK.1-of-3.plies",
            "KRvK.txt",
        ];
        for name in others {
            file(name);
        }
        let in_use = file("KRvK.2-of-3.plies");
        in_use.lock().expect("nobody else has it");
        let ran = solve(folder.path(), asked);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let names = fs::read_dir(&tables).expect("a folder");
        let mut left: Vec<String> = names
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        left.sort();
        let mut expected = [&others[..], &["KRvK.2-of-3.plies", "KRvK.table"]].concat();
        expected.sort();
        assert_eq!(left, expected, "{asked}");
    }
}

/// A worker of another build is refused by the others, with a message that distinguishes the two.
#[test]
fn another_build_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let hosts = addresses(2);
    fs::write(folder.path().join("hosts.txt"), &hosts).expect("a file");
    let hosts = Hosts::parse(&hosts).expect("hosts");
    let other = std::thread::spawn(move || {
        Team::join(&hosts, 1, b"lucena 0.0.9 solves KRvK", Duration::from_secs(60)).map(Team::leave)
    });
    let ran = solve(folder.path(), "KRvK --hosts hosts.txt --here 1");
    let version = finish(command(folder.path(), &["--version"])).good();
    assert_eq!(ran.code, 3, "{}", ran.err);
    let ours = format!(
        "it is \"lucena 0.0.9 solves KRvK\", and this one \"{} solves KRvK\"",
        version.trim()
    );
    assert!(ran.err.contains(&ours), "{}: {}", ours, ran.err);
    assert_eq!(ran.err.trim().lines().count(), 1, "{}", ran.err);
    assert!(other.join().expect("it does not panic").is_err());
    assert!(!folder.path().join("tables/KRvK.table").exists());
}

/// One of two hosts has no room for the table: it ends with a message, and neither has an incomplete file.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_of_one_host_is_told() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let hosts = addresses(2);
    for folder in &folders {
        fs::write(folder.path().join("hosts.txt"), &hosts).expect("a file");
    }
    let mut other = start(folders[0].path(), "KRvK --hosts hosts.txt --here 1");
    let mut other = other.stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("it starts");
    let asked = ["solve", "KRvK", "--hosts", "hosts.txt", "--here", "2", "--tables", "tables"];
    let full = with_small_files(folders[1].path(), false, &asked);
    // It would wait for the other to be started again.
    other.kill().expect("it runs or has run");
    other.wait().expect("it ends");
    let said = String::from_utf8(full.stderr).expect("text");
    assert_eq!(full.status.code(), Some(3), "{said}");
    let errors: Vec<&str> = said.lines().filter(|line| line.starts_with("error")).collect();
    assert_eq!(errors.len(), 1, "{said}");
    assert!(errors[0].contains("worker 2: cannot write tables/KRvK.table"), "{said}");
    let expected = alone(material("KRvK"));
    for (folder, has) in folders.iter().zip([true, false]) {
        for entry in fs::read_dir(folder.path().join("tables")).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("table") => assert!(has && fs::read(&path).expect("a file") == expected),
                Some("plies") => {}
                // A killed process leaves its incomplete file; the next writer there removes it.
                Some("part") if has => {}
                _ => panic!("{path:?}"),
            }
        }
    }
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
        ("KRvK --processes 0", 2, "from 1 to 64"),
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
