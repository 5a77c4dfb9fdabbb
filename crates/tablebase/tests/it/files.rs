//! Table files: valid, damaged in every way, and a folder of them shared by many.

use lucena_base::progress::{NoObserver, Observer, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Position, Side};
use lucena_dataset::sha256;
use lucena_files::WriteOutcome;
use lucena_tablebase::{Metric, Outcome, ProbeError, TableFileError, TableFolder, Tablebase};
use lucena_test_support::table_files::{Parts, PlainTable, crc, forged, number, text_end};
use lucena_test_support::tables::{KPVK, KQVK, KRVK, material, solve};
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;

fn load(bytes: &[u8]) -> Result<Tablebase, TableFileError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    std::fs::write(&path, bytes).expect("a file");
    Tablebase::load(&path)
}

/// Every n-th entry, by table, section and index in the section.
fn places(parts: &Parts, every: usize) -> Vec<(usize, usize, usize)> {
    let mut places = Vec::new();
    for (table, PlainTable { sections, .. }) in parts.tables.iter().enumerate() {
        for (section, codes) in sections.iter().enumerate() {
            places.extend((0..codes.len()).map(|at| (table, section, at)));
        }
    }
    places.into_iter().step_by(every).collect()
}

/// The entry that a table has for the placement with a number, as the file format numbers them.
fn entry(table: &Tablebase, at: usize, turn: Side) -> Option<u16> {
    Some(table.canonical_outcome(at, turn)?.plies().map_or(1, |plies| plies + 2))
}

/// Each kind of wrong entry: another distance, a draw for a mate, a mate for a draw. The checksum of the
/// file is correct, so only the rules can detect it.
fn check_verify_finds(change: impl Fn(u16) -> u16, every: usize) {
    let (whole, kings) = (Parts::of(&KRVK), solve("KvK"));
    let (mut changed, mut looked_at) = (0, 0);
    for (table, section, at) in places(&whole, every) {
        looked_at += 1;
        let is_own = whole.tables[table].name == "KRvK";
        let of = if is_own { &*KRVK } else { &kings };
        let Some(right) = entry(of, at, Side::ALL[section]) else { continue };
        let wrong = change(right);
        if wrong == right {
            continue;
        }
        let mut parts = whole.clone();
        parts.tables[table].sections[section][at] = wrong;
        changed += 1;
        let loaded = load(&parts.bytes()).expect("a sound file");
        let error = loaded.verify(&NoObserver).unwrap().expect_err("a wrong entry");
        assert_ne!(error.entry, error.moves);
        assert!(error.to_string().contains("to move"), "{error}");
        assert!(loaded.verify_own(&NoObserver).unwrap().is_err() || !is_own);
    }
    assert!(changed > 3, "{changed} of {looked_at} entries changed");
}

#[test]
fn verify_finds_a_wrong_distance() {
    check_verify_finds(|entry| if entry < 2 { entry } else { entry + 2 }, 4_001);
}

#[test]
fn verify_finds_a_mate_that_is_a_draw() {
    check_verify_finds(|entry| if entry < 2 { entry } else { 1 }, 4_003);
}

#[test]
fn verify_finds_a_draw_that_is_a_mate() {
    check_verify_finds(|entry| if entry == 1 { 2 } else { entry }, 499);
}

/// A file may have any entry for a placement that is not legal with a side to move.
#[test]
fn entries_of_no_position_do_not_matter() {
    let mut parts = Parts::of(&KRVK);
    let mut changed = 0;
    let sections = &mut parts.table("KRvK").sections;
    for (turn, section) in Side::ALL.into_iter().zip(sections) {
        for (at, code) in section.iter_mut().enumerate() {
            if entry(&KRVK, at, turn).is_none() {
                *code = 5 + at as u16 % 7;
                changed += 1;
            }
        }
    }
    assert_eq!(changed, 28_056 - 21_959, "only the weak king can stand in check");
    let loaded = load(&parts.bytes()).expect("a sound file");
    assert!(loaded.to_bytes().unwrap() == KRVK.to_bytes().unwrap());
}

#[test]
fn a_saved_table_is_loaded_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    for table in [&*KRVK, &*KQVK, &*KPVK] {
        let path = folder.path().join(table.material().to_string());
        assert_eq!(table.save(&path).expect("a file"), WriteOutcome::Changed);
        assert_eq!(table.save(&path).expect("a file"), WriteOutcome::Unchanged);
        let loaded = Tablebase::load(&path).expect("a whole table");
        assert_eq!(loaded.material(), table.material());
        assert_eq!(loaded.to_bytes().unwrap(), table.to_bytes().unwrap());
        for turn in Side::ALL {
            assert_eq!(loaded.counts(turn, Group::Identity), table.counts(turn, Group::Identity));
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3);
}

#[test]
fn two_runs_solve_to_the_same_bytes() {
    assert_eq!(sha256(&solve("KRvK").to_bytes().unwrap()), sha256(&KRVK.to_bytes().unwrap()));
    assert_eq!(sha256(&solve("KPvK").to_bytes().unwrap()), sha256(&KPVK.to_bytes().unwrap()));
    assert_eq!(
        sha256(&solve("KNNvK").to_bytes().unwrap()),
        sha256(&solve("KNNvK").to_bytes().unwrap())
    );
}

fn damage(bytes: &[u8]) -> String {
    match load(bytes).map(|_| ()) {
        Err(error @ TableFileError::Damaged { .. }) => error.to_string(),
        other => panic!("{} bytes: {other:?}", bytes.len()),
    }
}

#[test]
fn damaged_tables_are_refused_wherever_they_are_damaged() {
    let bytes = KRVK.to_bytes().unwrap();
    let head = text_end(&bytes) + 8 * 4 + 4;
    // All of the header, and some bytes of the sections.
    let places = || (0..head + 8).chain((head + 8..bytes.len()).step_by(97));
    let version = b"lucena table ".len();
    for at in places().chain(bytes.len() - 8..bytes.len()) {
        for bit in [0, 7] {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            match load(&changed).map(|_| ()) {
                Err(TableFileError::Damaged { .. }) => {}
                Err(TableFileError::Older { .. }) => assert_eq!(at, version),
                other => panic!("byte {at}: {other:?}"),
            }
        }
        damage(&bytes[..at]);
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(damage(&longer).contains("bytes"));
}

/// If the checksum hides the damage, a section decompresses to the same entries, to others that the rules
/// expose, or not at all.
#[test]
fn damage_under_a_right_checksum_is_found_too() {
    let bytes = KRVK.to_bytes().unwrap();
    let text = text_end(&bytes);
    let sections = 4;
    let [mut refused, mut refuted] = [0, 0];
    let mut first = text + 8 * sections + 4;
    for section in 0..sections {
        let size = text + 8 * section;
        let end = first + number(&bytes[size..size + 4]);
        for at in (first..end).step_by(29) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            let sum = crc(&changed[first..end]);
            changed[size + 4..size + 8].copy_from_slice(&sum.to_le_bytes());
            let head = text + 8 * sections;
            let sum = crc(&changed[..head]);
            changed[head..head + 4].copy_from_slice(&sum.to_le_bytes());
            match load(&changed) {
                Err(error) => {
                    assert!(matches!(error, TableFileError::Damaged { .. }), "{error}");
                    refused += 1;
                }
                Ok(table) if table.to_bytes().unwrap() == bytes => {}
                Ok(table) => {
                    assert!(table.verify(&NoObserver).unwrap().is_err(), "byte {at}");
                    refuted += 1;
                }
            }
        }
        first = end;
    }
    assert_eq!(first, bytes.len());
    assert!(refused > 0, "{refused} refused, {refuted} refuted");
}

#[test]
fn foreign_files_are_refused() {
    for foreign in [
        &b""[..],
        b"\n",
        b"lucena",
        b"lucena table 4\nKRvK\n",
        b"lucena table 4\nKRvK\nKvK 462\nKRvK 28056\n\n",
        b"lucena table 1",
        b"{\"format\": 1}",
        b"a,1,b,3,c,2,draw\n",
        &[0xff; 4096],
        &[b'\n'; 9000],
    ] {
        let message = damage(foreign);
        assert!(message.contains("solve"), "how to mend it: {message}");
    }
}

#[test]
fn a_file_of_an_older_version_is_said_to_be_one() {
    for old in [
        &b"lucena table 1\nKRvK\n"[..],
        b"lucena table 2\nKRvK\nKvK 462 13\n\n\x99",
        b"lucena table 3\nKRvK\nKvK 462\n\n\x99",
    ] {
        match load(old).map(|_| ()) {
            Err(error @ TableFileError::Older { .. }) => {
                let message = error.to_string();
                assert!(message.contains("written by an older version; solve"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_head_that_does_not_fit_is_refused_though_the_checksum_is_right() {
    let whole = Parts::of(&KRVK);
    assert!(load(&whole.bytes()).is_ok(), "packed otherwise, and the same");
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut parts = whole.clone();
        change(&mut parts);
        match load(&parts.bytes()).map(|_| ()) {
            Err(TableFileError::Damaged { .. } | TableFileError::Older { .. }) => {}
            other => panic!("{other:?}"),
        }
    };
    let huge = "99999999999999999999";
    for placements in ["463", "461", "0", "-462", huge, "x", "0462", "", "462 9", " 462"] {
        refused(&|parts| parts.table("KvK").placements = placements.into());
    }
    for name in ["KQvK", "KvKR", "KPvK", "KXvK", "KQRBNvK", "krvk", ""] {
        refused(&|parts| parts.table("KRvK").name = name.into());
        refused(&|parts| parts.material = name.into());
    }
    for version in ["1", "2", "3", "5", "44", "04", ""] {
        refused(&|parts| parts.version = version.into());
    }
    let text = &whole.bytes()[..text_end(&whole.bytes())];
    for at in 0..text.len() {
        let sum = crc(&text[..at]);
        damage(&[&text[..at], &sum.to_le_bytes()].concat());
    }
}

#[test]
fn sections_with_too_few_entries_or_too_many_are_refused() {
    let whole = Parts::of(&KRVK);
    for name in ["KvK", "KRvK"] {
        for number in 0..2 {
            let less = |codes: &mut Vec<u16>| codes.truncate(codes.len() - 1);
            let more = |codes: &mut Vec<u16>| codes.push(1);
            for change in [less, more, Vec::clear] {
                let mut parts = whole.clone();
                change(&mut parts.table(name).sections[number]);
                let message = damage(&parts.bytes());
                assert!(message.contains(&format!("{name}, part 1: its ")), "{message}");
            }
            let mut parts = whole.clone();
            parts.table(name).sections.remove(number);
            damage(&parts.bytes());
        }
    }
}

#[test]
fn a_file_holds_the_tables_of_its_material_and_no_others() {
    let whole = Parts::of(&KRVK);
    let refused = |change: &dyn Fn(&mut Parts)| {
        let mut parts = whole.clone();
        change(&mut parts);
        damage(&parts.bytes())
    };
    let without = |name: &'static str| {
        move |parts: &mut Parts| parts.tables.retain(|table| table.name != name)
    };
    assert!(refused(&without("KvK")).contains("it lacks KvK"));
    assert!(refused(&without("KRvK")).contains("no table of KRvK"));
    let twice = refused(&|parts| parts.tables.push(parts.tables[0].clone()));
    assert!(twice.contains("KvK twice"), "{twice}");
    let foreign = Parts::of(&KQVK).table("KQvK").clone();
    let more = refused(&|parts| parts.tables.push(foreign.clone()));
    assert!(more.contains("KQvK"), "{more}");
    let renamed = refused(&|parts| parts.material = "KvK".into());
    assert!(renamed.contains("KRvK"), "{renamed}");
}

/// Half of the entries are not in the file: they follow from the others.
fn check_entries_come_back(name: &str, metric: Metric) {
    let solved = TableFolder::in_memory().of_metric(metric);
    let solved = solved.tablebase(material(name), &NoObserver).expect("nobody stops it");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    solved.save(&path).expect("a file");
    let loaded = Tablebase::load(&path).expect("a whole table");
    let opened = Tablebase::open(&path).expect("a sound file");
    for turn in Side::ALL {
        assert!(loaded.canonical_outcomes(turn).eq(solved.canonical_outcomes(turn)), "{name}");
        // At first they are looked up one by one, and later in what is then unpacked.
        let positions = || solved.canonical_positions(turn);
        for (position, outcome) in positions().step_by(997).chain(positions().step_by(31)) {
            assert_eq!(opened.probe(&position), Ok(outcome), "{position}");
        }
    }
}

#[test]
fn every_entry_comes_back_from_a_file() {
    check_entries_come_back("KvK", Metric::Dtm);
    check_entries_come_back("KPvK", Metric::Dtm);
    check_entries_come_back("KPvK", Metric::Dtz);
    check_entries_come_back("KNvK", Metric::Dtz);
}

/// Pawns of the weak side, their double steps and what can then be captured en passant are the hard cases.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn every_entry_with_pawns_on_both_sides_comes_back_from_a_file() {
    check_entries_come_back("KNvKP", Metric::Dtm);
    check_entries_come_back("KPvKP", Metric::Dtm);
    check_entries_come_back("KPvKP", Metric::Dtz);
}

// One position of a file.

/// Positions and moves are the same, whether the whole file is read or only what they need.
#[test]
fn a_file_is_probed_as_the_whole_table_is() {
    let folder = tempfile::tempdir().expect("a folder");
    for table in [&*KRVK, &*KPVK] {
        let path = folder.path().join("table");
        table.save(&path).expect("a file");
        let file = Tablebase::open(&path).expect("a sound file");
        assert_eq!(file.material(), table.material());
        for turn in Side::ALL {
            for (position, outcome) in table.canonical_positions(turn) {
                assert_eq!(file.probe(&position).unwrap(), outcome, "{position}");
                let moves = table.probe_moves(&position).unwrap();
                assert_eq!(file.probe_moves(&position).unwrap(), moves, "{position}");
            }
        }
    }
    let path = folder.path().join("table");
    let foreign = "8/8/8/8/8/2k5/8/K1N5 b - - 0 1".parse().unwrap();
    KRVK.save(&path).expect("a file");
    let error = Tablebase::open(&path).unwrap().probe(&foreign).unwrap_err();
    assert!(matches!(error, ProbeError::Unknown(_)), "{error}");
}

/// Files with damage only in their sections can be opened. The damage is reported when a position needs such a
/// section, and at no other time.
#[test]
fn a_damaged_section_is_named_when_it_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    let mut bytes = KRVK.to_bytes().unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&path, &bytes).expect("a file");
    let file = Tablebase::open(&path).expect("the head is sound");
    let [mut sound, mut damaged] = [0, 0];
    for turn in Side::ALL {
        for (position, outcome) in KRVK.canonical_positions(turn) {
            match file.probe(&position) {
                Ok(found) => {
                    assert_eq!(found, outcome);
                    sound += 1;
                }
                Err(error) => {
                    let words = "KRvK, part 1: its checksum is wrong";
                    assert!(error.to_string().contains(words), "{error}");
                    assert!(error.to_string().contains("table is not a usable"), "{error}");
                    damaged += 1;
                }
            }
        }
    }
    assert_eq!(damaged, 28_056, "what the moves of the weak side do not tell comes last");
    assert_eq!(sound, 21_959);
}

/// A forged file gives other results or an error, but never ends the program.
#[test]
fn forged_files_are_probed_without_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    for (what, bytes) in forged(&KRVK) {
        std::fs::write(&path, &bytes).expect("a file");
        let file = match Tablebase::open(&path) {
            Ok(file) => file,
            Err(error) => {
                assert!(error.to_string().contains("solve"), "{what}: {error}");
                continue;
            }
        };
        for (position, _) in KRVK.canonical_positions(Side::Strong).take(100) {
            assert!(file.probe(&position).is_err(), "{what}");
            assert!(file.probe_moves(&position).is_err(), "{what}");
        }
    }
}

#[test]
fn unreadable_tables_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    for path in [folder.path(), &missing, Path::new("")] {
        match Tablebase::load(path).map(|_| ()) {
            Err(error @ TableFileError::Read { .. }) => {
                assert!(error.to_string().contains("cannot read"), "{error}");
            }
            other => panic!("{}: {other:?}", path.display()),
        }
    }
}

// A folder of tables.

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
            self.said.lock().unwrap().push(progress.what.into());
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

/// The expected events; bare kings are solved each time.
fn said(more: &[&str]) -> Vec<String> {
    ["solving KvK"].iter().chain(more).map(ToString::to_string).collect()
}

const KEPT: [&str; 2] = ["KNNvK.table", "KNvK.table"];

#[test]
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
    let mut part = Parts::of(&table);
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
    table.intact().expect("it can be read");

    let (table, _) = fetch(&TableFolder::new(folder.path()), name);
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 1;
    std::fs::write(&file, damaged).expect("a file");
    table.longest();
    let error = table.intact().expect_err("a section is damaged");
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
    let error = mended.intact().expect_err("nothing is there");
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
        table.intact().expect(what);
        look_up(table, &position);
        let error = table.intact().expect_err(what);
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
