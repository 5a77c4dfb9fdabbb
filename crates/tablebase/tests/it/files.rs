//! Table files: valid, and damaged in every way.

use lucena_base::progress::NoObserver;
use lucena_chess::Side;
use lucena_chess::symmetry::Group;
use lucena_dataset::sha256;
use lucena_files::WriteOutcome;
use lucena_tablebase::{Metric, ProbeError, TableFileError, TableFolder, Tablebase};
use lucena_test_support::table_files::{Parts, PlainTable, crc, forged, number, text_end};
use lucena_test_support::tables::{KPVK, KQVK, KRVK, material, solve};
use std::path::Path;

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
    let (whole, kings) = (Parts::new(&KRVK), solve("KvK"));
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
        Err(error @ (TableFileError::Damaged { .. } | TableFileError::Text { .. })) => {
            error.to_string()
        }
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
fn text_is_not_said_to_be_a_damaged_table() {
    for (bytes, is_text) in [
        (&b"Some words.\n"[..], true),
        ("\u{fc}ber \u{2026}".as_bytes(), true),
        (b"", false),
        (b"lucena ta", false),
        (b"lucena table 9\n", false),
        (b"a\0b", false),
        (b"\xff\xfe", false),
    ] {
        let error = load(bytes).map(|_| ()).unwrap_err();
        assert_eq!(matches!(error, TableFileError::Text { .. }), is_text, "{error}");
        assert_eq!(error.to_string().contains("solve the endgame again"), !is_text, "{error}");
    }
}

#[test]
fn foreign_files_are_refused() {
    for foreign in [
        &b""[..],
        b"\n",
        b"lucena",
        b"lucena table 5\nKRvK\n",
        b"lucena table 5\nKRvK\nKvK 462\nKRvK 28056\n\n",
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
        b"lucena table 4\nKRvK\nKvK 462\n\n\x99",
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
    let whole = Parts::new(&KRVK);
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
    for version in ["1", "2", "3", "4", "6", "55", "05", ""] {
        refused(&|parts| parts.version = version.into());
    }
    let text = &whole.bytes()[..text_end(&whole.bytes())];
    for at in 0..text.len() {
        let sum = crc(&text[..at]);
        damage(&[&text[..at], &sum.to_le_bytes()].concat());
    }
}

#[test]
fn sections_with_too_few_bytes_or_too_many_are_refused() {
    let whole = Parts::new(&KRVK);
    for name in ["KvK", "KRvK"] {
        for turn in Side::ALL {
            let less = |mut section: Vec<u8>| section.pop().map_or(Vec::new(), |_| section);
            let more = |section: Vec<u8>| [&section[..], b"x"].concat();
            for change in [less, more, |_| Vec::new()] {
                let bytes = whole.bytes_with(|of, at, section| match (of, at) == (name, turn) {
                    true => change(section),
                    false => section,
                });
                let message = damage(&bytes);
                assert!(message.contains(&format!("{name}, part 1: it")), "{message}");
            }
            let mut parts = whole.clone();
            parts.table(name).sections.remove(turn as usize);
            damage(&parts.bytes());
        }
    }
}

#[test]
fn a_file_holds_the_tables_of_its_material_and_no_others() {
    let whole = Parts::new(&KRVK);
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
    let foreign = Parts::new(&KQVK).table("KQvK").clone();
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
