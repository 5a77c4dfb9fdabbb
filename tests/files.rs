//! Table files: whole, damaged in every way, and a folder of them that many share.

use crate::tables::{KPVK, KQVK, KRVK, material, solve};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use lucena::chess::Side;
use lucena::dataset::sha256;
use lucena::symmetry::Group;
use lucena::tablebase::{TableEvent, TableFileError, TableFolder, Tablebase};
use lucena_files::Written;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Mutex;

/// A file with other content before its checksum, and the right checksum for it.
fn with_checksum(mut content: Vec<u8>) -> Vec<u8> {
    let sum = sha256(&content);
    let bytes = sum.as_bytes().chunks(2).map(|pair| {
        let digits = std::str::from_utf8(pair).expect("hexadecimal");
        u8::from_str_radix(digits, 16).expect("hexadecimal")
    });
    content.extend(bytes);
    content
}

/// The bytes of the entries of one table, both sides to move.
#[derive(Clone)]
struct Block {
    name: String,
    codes: Vec<u8>,
}

/// A table file in parts, unpacked.
#[derive(Clone)]
struct Parts {
    material: String,
    blocks: Vec<Block>,
}

impl Parts {
    fn of(table: &Tablebase) -> Self {
        let bytes = table.to_bytes();
        let head = bytes.windows(2).position(|pair| pair == b"\n\n").expect("a head");
        let mut rest = &bytes[head + 2..bytes.len() - 32];
        let head = std::str::from_utf8(&bytes[..head]).expect("text");
        let mut lines = head.lines();
        assert_eq!(lines.next(), Some("lucena table 2"));
        let material = lines.next().expect("a material").into();
        let mut blocks = Vec::new();
        for line in lines {
            let fields: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| -> usize { fields[at].parse().expect("a number") };
            let (block, others) = rest.split_at(number(2));
            rest = others;
            let mut codes = Vec::new();
            DeflateDecoder::new(block).read_to_end(&mut codes).expect("deflate");
            assert_eq!(codes.len(), 2 * number(1), "a byte an entry");
            blocks.push(Block { name: fields[0].into(), codes });
        }
        assert!(rest.is_empty());
        Self { material, blocks }
    }

    /// A block by name.
    fn block(&mut self, name: &str) -> &mut Block {
        self.blocks.iter_mut().find(|block| block.name == name).expect("a block of this name")
    }

    /// The head, and the packed blocks.
    fn packed(&self) -> (String, Vec<u8>) {
        let mut head = format!("lucena table 2\n{}\n", self.material);
        let mut packed = Vec::new();
        for Block { name, codes } in &self.blocks {
            let block = pack(codes);
            head += &format!("{name} {} {}\n", codes.len() / 2, block.len());
            packed.extend(block);
        }
        (head, packed)
    }

    /// A file of these parts with the right checksum.
    fn bytes(&self) -> Vec<u8> {
        let (head, packed) = self.packed();
        with_checksum([head.as_bytes(), b"\n", &packed].concat())
    }
}

/// A sound file of one material in which every mate is a draw.
pub(crate) fn without_mates(name: &str) -> Vec<u8> {
    let mut parts = Parts::of(&solve(name));
    parts.blocks.retain(|block| block.name == name);
    for code in &mut parts.block(name).codes {
        *code = (*code).min(1);
    }
    parts.bytes()
}

/// Packed otherwise than the library does, which any reader of deflate takes.
fn pack(codes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(codes).expect("memory");
    encoder.finish().expect("memory")
}

fn load(bytes: &[u8]) -> Result<Tablebase, TableFileError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("table");
    std::fs::write(&path, bytes).expect("a file");
    Tablebase::load(&path)
}

/// Each kind of wrong entry: another distance, a draw for a mate, a mate for a draw. The file's
/// checksum is right, so only the rules can tell.
fn check_verify_finds(change: impl Fn(u8) -> u8, every: usize) {
    let whole = Parts::of(&KRVK);
    let (mut changed, mut looked_at) = (0, 0);
    for (number, block) in whole.blocks.iter().enumerate() {
        for at in (0..block.codes.len()).step_by(every) {
            looked_at += 1;
            let mut parts = whole.clone();
            let entry = change(block.codes[at]);
            if entry == block.codes[at] {
                continue;
            }
            parts.blocks[number].codes[at] = entry;
            changed += 1;
            let table = load(&parts.bytes()).expect("a sound file");
            let error = table.verify().expect_err("a wrong entry");
            assert_ne!(error.entry, error.moves);
            assert!(error.to_string().contains("to move"), "{error}");
            let is_own = block.name == "KRvK";
            assert!(table.verify_own().is_err() || !is_own);
        }
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

/// An entry where no position is, or none where one is, is found out when the file is read.
#[test]
fn tables_with_other_positions_than_there_are_are_refused() {
    let whole = Parts::of(&KRVK);
    let (mut extra, mut missing) = (0, 0);
    for (number, block) in whole.blocks.iter().enumerate() {
        for at in (0..block.codes.len()).step_by(1_013) {
            let mut parts = whole.clone();
            let is_position = block.codes[at] != 0;
            parts.blocks[number].codes[at] = u8::from(!is_position);
            damage(&parts.bytes());
            *(if is_position { &mut missing } else { &mut extra }) += 1;
        }
    }
    assert!(missing > 0 && extra > 0, "{extra}, {missing}");
}

#[test]
fn a_saved_table_is_loaded_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    for table in [&*KRVK, &*KQVK, &*KPVK] {
        let path = folder.path().join(table.material().to_string());
        assert_eq!(table.save(&path).expect("a file"), Written::Changed);
        assert_eq!(table.save(&path).expect("a file"), Written::Unchanged);
        let loaded = Tablebase::load(&path).expect("a whole table");
        assert_eq!(loaded.material(), table.material());
        assert_eq!(loaded.to_bytes(), table.to_bytes());
        for turn in Side::ALL {
            assert_eq!(loaded.counts(turn, Group::Identity), table.counts(turn, Group::Identity));
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3);
}

#[test]
fn two_runs_solve_to_the_same_bytes() {
    assert_eq!(sha256(&solve("KRvK").to_bytes()), sha256(&KRVK.to_bytes()));
    assert_eq!(sha256(&solve("KPvK").to_bytes()), sha256(&KPVK.to_bytes()));
    assert_eq!(sha256(&solve("KNNvK").to_bytes()), sha256(&solve("KNNvK").to_bytes()));
}

fn damage(bytes: &[u8]) -> String {
    match load(bytes).map(|_| ()) {
        Err(error @ TableFileError::Damaged { .. }) => error.to_string(),
        other => panic!("{} bytes: {other:?}", bytes.len()),
    }
}

#[test]
fn damaged_tables_are_refused_wherever_they_are_damaged() {
    let bytes = KRVK.to_bytes();
    let head = bytes.windows(2).position(|pair| pair == b"\n\n").expect("a head");
    // All of the head and of the checksum, and places in between.
    let places = || (0..head + 8).chain((head + 8..bytes.len() - 40).step_by(97));
    for at in places().chain(bytes.len() - 40..bytes.len()) {
        for bit in [0, 7] {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            damage(&changed);
        }
        damage(&bytes[..at]);
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(damage(&longer).contains("checksum"));
}

/// Where the checksum hides the damage, a file unpacks to the same entries, to others that the
/// rules give away, or not at all.
#[test]
fn damage_under_a_right_checksum_is_found_too() {
    let bytes = KRVK.to_bytes();
    let whole = &bytes[..bytes.len() - 32];
    let same = |table: &Tablebase| table.to_bytes() == bytes;
    let [mut refused, mut refuted] = [0, 0];
    for at in (0..whole.len()).step_by(149) {
        let mut changed = whole.to_vec();
        changed[at] ^= 0x10;
        match load(&with_checksum(changed)) {
            Err(error) => {
                assert!(matches!(error, TableFileError::Damaged { .. }), "{error}");
                refused += 1;
            }
            Ok(table) if same(&table) => {}
            Ok(table) => {
                assert!(table.verify().is_err(), "byte {at}");
                refuted += 1;
            }
        }
        damage(&with_checksum(whole[..at].to_vec()));
    }
    assert!(refused > 0, "{refused} refused, {refuted} refuted");
}

#[test]
fn foreign_files_are_refused() {
    for foreign in [
        &b""[..],
        b"\n",
        b"lucena",
        b"lucena table 2\nKRvK\n",
        b"lucena table 1\nKRvK\nKvK 462\nKRvK 28056\n\n",
        b"{\"format\": 1}",
        b"a,1,b,3,c,2,draw\n",
        &[0xff; 4096],
    ] {
        let message = damage(foreign);
        assert!(message.contains("solve"), "how to mend it: {message}");
    }
}

#[test]
fn a_head_that_does_not_fit_is_refused_though_the_checksum_is_right() {
    let (head, packed) = Parts::of(&KRVK).packed();
    let file = |head: &str, packed: &[u8]| with_checksum([head.as_bytes(), b"\n", packed].concat());
    assert!(load(&file(&head, &packed)).is_ok(), "packed otherwise, and the same");
    damage(&file(&head, &packed[1..]));
    damage(&file(&head, &packed[..packed.len() - 1]));
    damage(&file(&head, &[&packed, &b"x"[..]].concat()));
    for (old, new) in [
        ("KvK 462", "KvK 463"),
        ("KvK 462", "KvK 461"),
        ("KvK 462", "KvK 0"),
        ("KvK 462", "KvK -462"),
        ("KvK 462", "KvK 99999999999999999999"),
        ("KvK 462", "KvK x"),
        ("KvK 462", "KvK 0462"),
        ("KvK 462", "KvK"),
        ("KvK 462", "KvK 462 9"),
        ("KvK 462", "KvK  462"),
        ("KRvK 28056 ", "KRvK 28056 1"),
        ("KRvK 28056 ", "KRvK 28056 99999999999999999"),
        ("KRvK 28056 ", "KRvK 28056 -"),
        ("KRvK 28056", "KQvK 28056"),
        ("KRvK 28056", "KvKR 28056"),
        ("KRvK 28056", "KPvK 28056"),
        ("KRvK 28056", "KXvK 28056"),
        ("KRvK 28056", "KQRBNvK 28056"),
        ("2\nKRvK\n", "2\nKXvK\n"),
        ("2\nKRvK\n", "2\nKQvK\n"),
        ("2\nKRvK\n", "2\nkrvk\n"),
        ("2\nKRvK\n", "2\n"),
        ("table 2", "table 1"),
        ("table 2", "table 3"),
        ("table 2", "table 22"),
    ] {
        assert!(head.contains(old), "{old}");
        damage(&file(&head.replacen(old, new, 1), &packed));
    }
    for short in ["lucena table 2\n", "lucena table 2\nKRvK\n"] {
        damage(&file(short, b""));
        damage(&with_checksum(short.into()));
    }
}

#[test]
fn tables_with_too_few_entries_or_too_many_are_refused() {
    let whole = Parts::of(&KRVK);
    for name in ["KvK", "KRvK"] {
        let less = |codes: &mut Vec<u8>| codes.truncate(codes.len() - 1);
        let more = |codes: &mut Vec<u8>| codes.push(1);
        for change in [less, more, Vec::clear] {
            let mut parts = whole.clone();
            let placements = parts.block(name).codes.len() / 2;
            change(&mut parts.block(name).codes);
            let found = parts.block(name).codes.len() / 2;
            // The head says what should be there.
            let (head, packed) = parts.packed();
            let head = head.replace(&format!("{name} {found} "), &format!("{name} {placements} "));
            damage(&with_checksum([head.as_bytes(), b"\n", &packed].concat()));
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
        move |parts: &mut Parts| parts.blocks.retain(|block| block.name != name)
    };
    assert!(refused(&without("KvK")).contains("it lacks KvK"));
    assert!(refused(&without("KRvK")).contains("no table of KRvK"));
    let twice = refused(&|parts| parts.blocks.push(parts.blocks[0].clone()));
    assert!(twice.contains("KvK twice"), "{twice}");
    let foreign = Parts::of(&KQVK).block("KQvK").clone();
    let more = refused(&|parts| parts.blocks.push(foreign.clone()));
    assert!(more.contains("KQvK"), "{more}");
    let renamed = refused(&|parts| parts.material = "KvK".into());
    assert!(renamed.contains("KRvK"), "{renamed}");
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

/// What is said while a material is fetched: `solving KNNvK`, `unusable`, `not kept`, in order.
fn fetch(tables: &TableFolder, name: &str) -> (Tablebase, Vec<String>) {
    let events = Mutex::new(Vec::new());
    let counts = Mutex::new((0, 0));
    let table = tables.tablebase(material(name), |event| {
        let words = match event {
            TableEvent::Solving(material) => format!("solving {material}"),
            TableEvent::Unusable(error) => {
                assert!(error.to_string().contains(".table"), "{error}");
                "unusable".into()
            }
            TableEvent::NotKept(_) => "not kept".into(),
            TableEvent::Needed(tables) => return counts.lock().unwrap().0 = tables,
            TableEvent::Done(_) => return counts.lock().unwrap().1 += 1,
            other => panic!("{other:?}"),
        };
        events.lock().unwrap().push(words);
    });
    let following = material(name).and_following().len();
    assert_eq!(counts.into_inner().unwrap(), (following, following), "needed and done");
    assert_eq!(table.material(), material(name));
    (table, events.into_inner().unwrap())
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(Result::unwrap);
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("text")).collect();
    names.sort_unstable();
    names
}

const SMALL: [&str; 2] = ["solving KvK", "solving KNvK"];

/// What is said when the table of KNNvK is not there.
fn all(more: &[&str]) -> Vec<String> {
    SMALL.iter().chain(more).map(ToString::to_string).collect()
}

#[test]
fn a_folder_keeps_tables_of_four_men() {
    let temporary = tempfile::tempdir().expect("a folder");
    // The folder need not be there.
    let folder = temporary.path().join("not/there/yet");
    let tables = TableFolder::new(&folder);
    assert_eq!(tables.file(material("KNNvK")), Some(folder.join("KNNvK.table")));
    assert_eq!(tables.file(material("KRvK")), None);
    assert_eq!(TableFolder::in_memory().file(material("KNNvK")), None);
    let (first, events) = fetch(&tables, "KNNvK");
    assert_eq!(events, all(&["solving KNNvK"]));
    assert_eq!(names(&folder), ["KNNvK.table"]);
    assert!(first.to_bytes() == solve("KNNvK").to_bytes(), "as without a folder");

    let (again, events) = fetch(&tables, "KNNvK");
    assert_eq!(events, [""; 0], "nothing is fetched twice");
    assert!(again.to_bytes() == first.to_bytes());
    let written = std::fs::metadata(folder.join("KNNvK.table")).unwrap().modified().unwrap();
    let (read, events) = fetch(&TableFolder::new(&folder), "KNNvK");
    assert_eq!(events, all(&[]), "what has been kept is read");
    assert!(read.to_bytes() == first.to_bytes());
    let after = std::fs::metadata(folder.join("KNNvK.table")).unwrap().modified().unwrap();
    assert_eq!(after, written);
    assert_eq!(names(&folder), ["KNNvK.table"]);
}

#[test]
fn a_damaged_file_is_solved_again_and_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let (table, _) = fetch(&TableFolder::new(folder.path()), "KNNvK");
    let file = folder.path().join("KNNvK.table");
    let sound = std::fs::read(&file).expect("a file");
    let mut flipped = sound.clone();
    flipped[sound.len() / 2] ^= 1;
    let half = sound[..sound.len() / 2].to_vec();
    let mut smaller = Parts::of(&table);
    smaller.blocks.retain(|block| block.name == "KNvK");
    smaller.material = "KNvK".into();
    let other = [KRVK.to_bytes(), smaller.bytes()];
    for damaged in [Vec::new(), b"\n".to_vec(), half, flipped].into_iter().chain(other) {
        std::fs::write(&file, &damaged).expect("a file");
        let (mended, events) = fetch(&TableFolder::new(folder.path()), "KNNvK");
        assert_eq!(events, all(&["unusable", "solving KNNvK"]), "{} bytes", damaged.len());
        assert!(mended.to_bytes() == table.to_bytes());
        assert!(std::fs::read(&file).expect("a file") == sound, "replaced");
        assert_eq!(names(folder.path()), ["KNNvK.table"]);
    }
    // What `Tablebase::save` writes has more in it than is asked for, and does as well.
    table.save(&file).expect("a file");
    assert_eq!(fetch(&TableFolder::new(folder.path()), "KNNvK").1, all(&[]));
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
    assert_eq!(names(folder.path()), ["KBvKN.table"]);
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
        (file.clone(), &["solving KNNvK", "not kept"][..]),
        (file.join("below"), &["solving KNNvK", "not kept"]),
        // A folder where the file should be.
        (folder.path().join("tables"), &["unusable", "solving KNNvK", "not kept"]),
    ] {
        let (table, events) = fetch(&TableFolder::new(&path), "KNNvK");
        assert_eq!(events, all(expected), "{}", path.display());
        assert_eq!(table.longest(), Some(1), "two knights mate whoever helps them");
    }
    assert_eq!(std::fs::read(&file).expect("a file"), b"not a folder");
    assert_eq!(names(&folder.path().join("tables")), ["KNNvK.table"]);
}

#[test]
fn many_can_share_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables: Vec<TableFolder> = (0..3).map(|_| TableFolder::new(folder.path())).collect();
    std::thread::scope(|scope| {
        for number in 0..6 {
            // Two threads to each.
            let tables = &tables[number / 2];
            scope.spawn(move || {
                let (table, events) = fetch(tables, "KNNvK");
                let is_fault = |event: &String| event == "unusable" || event == "not kept";
                assert!(!events.iter().any(is_fault), "{events:?}");
                assert_eq!(table.longest(), Some(1));
            });
        }
    });
    assert_eq!(names(folder.path()), ["KNNvK.table"]);
    let (_, events) = fetch(&TableFolder::new(folder.path()), "KNNvK");
    assert_eq!(events, all(&[]), "it is whole");
}
