//! Folders of tables: filled, shared by many, with damaged files, and on a disk that fails.

use lucena_base::progress::{NoObserver, Observer, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_tablebase::{Metric, Outcome, ProbeError, TableFolder, Tablebase};
use lucena_test_support::table_files::{Parts, crc, number, text_end};
use lucena_test_support::tables::{KRVK, material, solve};
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;

/// Records events, and can stop the work.
#[derive(Default)]
struct TableEvents {
    said: Mutex<Vec<String>>,
    last: Mutex<Option<(u64, Option<u64>)>>,
    stops: bool,
}

impl Observer for TableEvents {
    fn report(&self, progress: Progress<'_>) {
        *self.last.lock().unwrap() = Some((progress.done, progress.total));
        if progress.what.starts_with("solving") {
            let (solving, _what_for) = progress.what.split_once(',').unwrap_or((progress.what, ""));
            self.said.lock().unwrap().push(solving.into());
        }
    }

    fn warn(&self, warning: &str) {
        assert!(warning.contains(".table") || warning.contains("cannot write"), "{warning}");
        let word = if warning.contains("cannot write") { "not kept" } else { "unusable" };
        self.said.lock().unwrap().push(word.into());
    }

    fn is_stopped(&self) -> bool {
        self.stops
    }
}

/// The events while a material is fetched: `solving KNNvK`, `unusable`, `not kept`, in order.
fn fetch(tables: &TableFolder, name: &str) -> (Tablebase, Vec<String>) {
    let listener = TableEvents::default();
    let table = tables.tablebase(material(name), &listener).expect("nobody stops it");
    let following = material(name).with_successors().len() as u64;
    let last = listener.last.into_inner().unwrap();
    assert_eq!(last, Some((following, Some(following))), "all that is needed is done");
    assert_eq!(table.material(), material(name));
    (table, listener.said.into_inner().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(Result::unwrap);
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.sort_unstable();
    names
}

/// The expected events.
fn said(events: &[&str]) -> Vec<String> {
    events.iter().map(ToString::to_string).collect()
}

/// Records all reports.
#[derive(Default)]
struct Reports(Mutex<Vec<String>>);

impl Observer for Reports {
    fn report(&self, progress: Progress<'_>) {
        self.0.lock().unwrap().push(progress.what.into());
    }
}

/// Who proves or probes may wait for a table that another endgame needs, or for one of other distances.
#[test]
fn reports_say_which_table_is_solved_and_what_for() {
    for (metric, expected) in [
        (
            Metric::Dtm,
            [
                "endgames",
                "solving KNvK, which KNNvK leads to",
                "endgames",
                "solving KNNvK",
                "endgames",
            ],
        ),
        (
            Metric::Dtz,
            [
                "endgames, by distances to zeroing",
                "solving KNvK, which KNNvK leads to, by distances to zeroing",
                "endgames, by distances to zeroing",
                "solving KNNvK, by distances to zeroing",
                "endgames, by distances to zeroing",
            ],
        ),
    ] {
        let (tables, reports) = (TableFolder::in_memory().of_metric(metric), Reports::default());
        tables.tablebase(material("KNNvK"), &reports).expect("nobody stops it");
        assert_eq!(reports.0.into_inner().unwrap(), expected);
    }
}

const KEPT: [&str; 2] = ["KNNvK.table", "KNvK.table"];

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_folder_keeps_tables() {
    let temporary = tempfile::tempdir().expect("a folder");
    // The folder need not exist.
    let folder = temporary.path().join("not/there/yet");
    let tables = TableFolder::new(&folder);
    assert_eq!(tables.file(material("KNNvK")), Some(folder.join("KNNvK.table")));
    assert_eq!(tables.file(material("KRvK")), Some(folder.join("KRvK.table")));
    assert_eq!(tables.file(material("KvK")), None);
    assert_eq!(TableFolder::in_memory().file(material("KNNvK")), None);
    let (first, events) = fetch(&tables, "KNNvK");
    assert_eq!(events, said(&["solving KNvK", "solving KNNvK"]));
    assert_eq!(names(&folder), KEPT);
    assert!(first.to_bytes().unwrap() == solve("KNNvK").to_bytes().unwrap(), "as without a folder");

    let (again, events) = fetch(&tables, "KNNvK");
    assert_eq!(events, [""; 0], "nothing is fetched twice");
    assert!(again.to_bytes().unwrap() == first.to_bytes().unwrap());
    let written = std::fs::metadata(folder.join("KNNvK.table")).unwrap().modified().unwrap();
    let (read, events) = fetch(&TableFolder::new(&folder), "KNNvK");
    assert_eq!(events, said(&[]), "what has been kept is read");
    assert!(read.to_bytes().unwrap() == first.to_bytes().unwrap());
    let after = std::fs::metadata(folder.join("KNNvK.table")).unwrap().modified().unwrap();
    assert_eq!(after, written);
    assert_eq!(names(&folder), KEPT);
}

/// Damages the file of an endgame in every way; `smaller` is an endgame that it leads to.
fn check_damaged_file(name: &str, smaller: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let (table, _) = fetch(&TableFolder::new(folder.path()), name);
    let kept = names(folder.path());
    let file = folder.path().join(format!("{name}.table"));
    let sound = std::fs::read(&file).expect("a file");
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    let half = sound[..sound.len() / 2].to_vec();
    let mut part = Parts::new(&table);
    part.tables.retain(|table| table.name == smaller);
    part.material = smaller.into();
    let old = format!("lucena table 2\n{name}\n{name} 874188 9\n\n123456789").into_bytes();
    let other = [KRVK.to_bytes().unwrap(), part.bytes(), old];
    for damaged in [Vec::new(), b"\n".to_vec(), half, flipped].into_iter().chain(other) {
        std::fs::write(&file, &damaged).expect("a file");
        let (mended, events) = fetch(&TableFolder::new(folder.path()), name);
        let solving = format!("solving {name}");
        assert_eq!(events, said(&["unusable", &solving]), "{} bytes", damaged.len());
        assert!(mended.to_bytes().unwrap() == table.to_bytes().unwrap());
        assert!(std::fs::read(&file).expect("a file") == sound, "replaced");
        assert_eq!(names(folder.path()), kept);
    }
    // A file written by `Tablebase::save` has more tables than needed, and is accepted.
    table.save(&file).expect("a file");
    assert_eq!(fetch(&TableFolder::new(folder.path()), name).1, said(&[]));
}

#[test]
fn a_damaged_file_is_solved_again_and_replaced() {
    check_damaged_file("KNvK", "KvK");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_damaged_file_of_four_men_is_solved_again_and_replaced() {
    check_damaged_file("KNNvK", "KNvK");
}

/// A folder with the tables of an endgame and of all endgames that it leads to.
fn folder_of(name: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = TableFolder::new(folder.path());
    tables.tablebase(material(name), &NoObserver).expect("nobody stops it");
    folder
}

/// Fetching a table of five men verifies its checksums. Its entries are checked by `verify`.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_large_table_with_a_wrong_entry_is_found_by_verify() {
    let name = "KBBvKN";
    let folder = folder_of(name);
    let file = folder.path().join("KBBvKN.table");
    let mut bytes = std::fs::read(&file).expect("a file");
    // The first section, with a place for its size and checksum at the beginning of the numbers of the head.
    let text = text_end(&bytes);
    let size = number(&bytes[text..text + 4]);
    let head =
        (text..).step_by(8).find(|&end| number(&bytes[end..end + 4]) as u32 == crc(&bytes[..end]));
    let head = head.expect("the head's checksum");
    // A bit in the middle of the values.
    let section = head + 4..head + 4 + size;
    bytes[section.start + size / 2] ^= 1;
    let sum = crc(&bytes[section]);
    bytes[text + 4..text + 8].copy_from_slice(&sum.to_le_bytes());
    let sum = crc(&bytes[..head]);
    bytes[head..head + 4].copy_from_slice(&sum.to_le_bytes());
    std::fs::write(&file, bytes).expect("a file");
    let (forged, events) = fetch(&TableFolder::new(folder.path()), name);
    assert_eq!(events, said(&[]));
    match forged.verify_own(&NoObserver) {
        Ok(Ok(positions)) => panic!("all {positions} positions are right"),
        Ok(Err(wrong)) => assert_ne!(wrong.entry, wrong.moves, "{wrong}"),
        Err(error) => assert!(error.to_string().contains("KBBvKN, part 1"), "{error}"),
    }
}

/// A table of five men is not held in memory: its checksums are checked when it is fetched, and it is read on demand.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_large_table_is_read_as_it_is_needed() {
    let name = "KBBvKN";
    let folder = folder_of(name);
    let file = folder.path().join(format!("{name}.table"));
    let sound = std::fs::read(&file).expect("a file");
    let (table, events) = fetch(&TableFolder::new(folder.path()), name);
    assert_eq!(events, said(&[]));
    assert_eq!(table.longest(), Some(156));
    table.check_readable().expect("it can be read");

    let (table, _) = fetch(&TableFolder::new(folder.path()), name);
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 1;
    std::fs::write(&file, damaged).expect("a file");
    table.longest();
    let error = table.check_readable().expect_err("a section is damaged");
    assert!(error.to_string().contains("its checksum is wrong"), "{error}");
    let solved = ["unusable".to_owned(), format!("solving {name}")];
    let (_, events) = fetch(&TableFolder::new(folder.path()), name);
    assert!(events.ends_with(&solved), "{events:?}");
    assert!(std::fs::read(&file).expect("a file") == sound, "replaced, equal to the byte");

    // The disk fails: data that was not read before is lost.
    let (mended, _) = fetch(&TableFolder::new(folder.path()), name);
    let opened = std::fs::File::options().write(true).open(&file).expect("a file");
    opened.set_len(100).expect("it is cut");
    mended.longest();
    let error = mended.check_readable().expect_err("nothing is there");
    assert!(error.to_string().contains("KBBvKN.table"), "{error}");
    assert!(mended.unpacked().is_err(), "work on all of it is refused");
}

/// Each lookup returns an error, or records it.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_disk_that_fails_is_an_error() {
    let name = "KQQQvK";
    let folder = folder_of(name);
    let tables = TableFolder::new(folder.path());
    let file = tables.file(material(name)).expect("kept");
    let position: Position = "8/8/8/8/7k/8/8/KQQQ4 w - - 0 1".parse().unwrap();
    let table = || TableFolder::new(folder.path()).tablebase(material(name), &NoObserver).unwrap();
    type Use = fn(&Tablebase, &Position);
    let all: [(&str, Use); 6] = [
        ("outcome", |table, position| assert_eq!(table.outcome(position), Outcome::Draw)),
        ("outcomes", |table, position| assert_eq!(table.outcomes(position), [])),
        ("longest", |table, _| assert_eq!(table.longest(), None)),
        ("counts", |table, _| assert_eq!(table.counts(Side::Weak, Group::Square).legal(), 0)),
        ("length", |table, _| assert_eq!(table.canonical_len(Side::Strong), 0)),
        ("positions", |table, _| {
            assert_eq!(table.canonical_outcomes(Side::Weak).count(), 0);
        }),
    ];
    let tables: Vec<Tablebase> = all.iter().map(|_| table()).collect();
    let fresh = [table(), table()];
    std::fs::File::options().write(true).open(&file).unwrap().set_len(100).unwrap();
    for ((what, look_up), table) in all.iter().zip(&tables) {
        table.check_readable().expect(what);
        look_up(table, &position);
        let error = table.check_readable().expect_err(what);
        assert!(matches!(error, Stopped::Unreadable(_)), "{what}: {error}");
        assert!(error.to_string().contains("KQQQvK.table"), "{what}: {error}");
    }
    let [fresh, copied] = fresh;
    assert!(matches!(fresh.probe(&position), Err(ProbeError::File(_))));
    assert!(matches!(fresh.probe_moves(&position), Err(ProbeError::File(_))));
    assert!(matches!(fresh.verify_own(&NoObserver), Err(Stopped::Unreadable(_))));
    assert!(copied.to_bytes().is_err() && copied.save(&folder.path().join("copy")).is_err());
    assert!(!folder.path().join("copy").exists(), "no part of a file is kept");
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_file_under_another_name_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = TableFolder::new(folder.path());
    fetch(&tables, "KNNvK");
    let file = |name| tables.file(material(name)).expect("kept");
    std::fs::rename(file("KNNvK"), file("KBvKN")).expect("a file");
    let events = fetch(&TableFolder::new(folder.path()), "KBvKN").1;
    assert!(events.ends_with(&["unusable".into(), "solving KBvKN".into()]), "{events:?}");
    assert_eq!(names(folder.path()), ["KBvK.table", "KBvKN.table", "KNvK.table"]);
    let events = fetch(&TableFolder::new(folder.path()), "KBvKN").1;
    assert!(!events.contains(&"solving KBvKN".into()), "{events:?}");
}

#[test]
fn where_nothing_can_be_kept_there_is_an_answer_still() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").expect("a file");
    let directory = folder.path().join("tables/KNNvK.table");
    std::fs::create_dir_all(&directory).expect("a folder");
    for (path, expected) in [
        // A failed write is reported once.
        (file.clone(), &["solving KNvK", "not kept", "solving KNNvK"][..]),
        (file.join("below"), &["solving KNvK", "not kept", "solving KNNvK"]),
        // A folder in place of the file.
        (folder.path().join("tables"), &["solving KNvK", "unusable", "solving KNNvK", "not kept"]),
    ] {
        let (table, events) = fetch(&TableFolder::new(&path), "KNNvK");
        assert_eq!(events, said(expected), "{}", path.display());
        assert_eq!(table.longest(), Some(1), "two knights mate whoever helps them");
    }
    assert_eq!(std::fs::read(&file).expect("a file"), b"not a folder");
    assert_eq!(names(&folder.path().join("tables")), KEPT);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn many_can_share_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables: Vec<TableFolder> = (0..3).map(|_| TableFolder::new(folder.path())).collect();
    std::thread::scope(|scope| {
        for number in 0..6 {
            // Two threads for each.
            let tables = &tables[number / 2];
            scope.spawn(move || {
                let (table, events) = fetch(tables, "KNNvK");
                let is_fault = |event: &String| event == "unusable" || event == "not kept";
                assert!(!events.iter().any(is_fault), "{events:?}");
                assert_eq!(table.longest(), Some(1));
            });
        }
    });
    assert_eq!(names(folder.path()), KEPT);
    let (_, events) = fetch(&TableFolder::new(folder.path()), "KNNvK");
    assert_eq!(events, said(&[]), "it is whole");
}

/// A position is probed without its whole table: tables that its moves do not lead to are not opened,
/// and only a damaged table is solved again.
#[test]
fn a_folder_opens_what_a_position_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = fetch(&TableFolder::new(folder.path()), "KNNvK").0;
    let damage = |name: &str| {
        let file = folder.path().join(name);
        let mut bytes = std::fs::read(&file).expect("a file");
        let sound = bytes.clone();
        let first_line = bytes.iter().position(|&byte| byte == b'\n').expect("a line");
        bytes[first_line + 1..].fill(0);
        std::fs::write(&file, &bytes).expect("a file");
        sound
    };
    // No move from this position captures a knight.
    let quiet: Position = "8/8/8/3k4/8/8/8/KNN5 w - - 0 1".parse().unwrap();
    let takes: Position = "8/8/8/8/8/8/2N5/K2k1N2 b - - 0 1".parse().unwrap();
    let small = damage("KNvK.table");
    let probe = |position: &Position| {
        let (tables, listener) = (TableFolder::new(folder.path()), TableEvents::default());
        let outcome = tables.probe(position, &listener).unwrap();
        assert_eq!(Ok(outcome), whole.probe(position));
        let moves = tables.probe_moves(position, &listener).unwrap();
        assert_eq!(Ok(moves), whole.probe_moves(position));
        listener.said.into_inner().unwrap()
    };
    assert_eq!(probe(&quiet), [""; 0], "the other file is not looked at");
    assert_eq!(probe(&takes), said(&["unusable", "solving KNvK"]));
    assert_eq!(probe(&takes), [""; 0]);
    assert!(std::fs::read(folder.path().join("KNvK.table")).unwrap() == small);
    let large = damage("KNNvK.table");
    assert_eq!(probe(&quiet), said(&["unusable", "solving KNNvK"]));
    for position in whole.canonical_positions(Side::Weak).step_by(50_021) {
        probe(&position.0);
    }
    assert!(std::fs::read(folder.path().join("KNNvK.table")).unwrap() == large, "replaced");
    assert_eq!(names(folder.path()), KEPT);
}

#[test]
fn what_is_not_in_a_folder_is_solved_for_a_position() {
    let folder = tempfile::tempdir().expect("a folder");
    let (tables, listener) = (TableFolder::new(folder.path()), TableEvents::default());
    let position: Position = "8/8/8/8/8/2k5/8/K1R5 b - - 0 1".parse().unwrap();
    assert_eq!(tables.probe(&position, &listener), Ok(Outcome::Loss(30)));
    assert_eq!(listener.said.into_inner().unwrap(), said(&["solving KRvK"]));
    assert_eq!(names(folder.path()), ["KRvK.table"]);
}

#[test]
fn stopped_work_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = TableFolder::new(folder.path());
    let stopped = TableEvents { stops: true, ..TableEvents::default() };
    assert!(matches!(tables.tablebase(material("KNNvK"), &stopped), Err(Stopped::Request)));
    let position: Position = "8/8/8/3k4/8/8/8/KNN5 w - - 0 1".parse().unwrap();
    assert_eq!(tables.probe(&position, &stopped), Err(Stopped::Request));
    assert_eq!(tables.probe_moves(&position, &stopped), Err(Stopped::Request));
    assert_eq!(names(folder.path()), [""; 0]);
    assert_eq!(KRVK.verify(&stopped), Err(Stopped::Request));
    assert_eq!(KRVK.verify_own(&stopped), Err(Stopped::Request));
    assert!(tables.tablebase(material("KNvK"), &TableEvents::default()).is_ok(), "it can go on");
}
