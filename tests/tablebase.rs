//! Tablebases: published counts, a plain solver on the full board, the forward check, and files
//! whole and damaged.

use crate::cases::cases;
use crate::plain::{self, Game, Solution};
use crate::tables::{KQVK, KRVK, material, solve};
use lucena::chess::{Position, Side};
use lucena::dataset::sha256;
use lucena::symmetry::Group;
use lucena::tablebase::{
    Counts, Outcome, SolveError, TableFileError, Tablebase, UnknownMaterial, Wdl,
};
use lucena_codegen::Written;
use std::path::Path;

fn side(name: &str) -> Side {
    match name {
        "strong" => Side::Strong,
        "weak" => Side::Weak,
        other => panic!("{other} is no side"),
    }
}

fn table(name: &str) -> &'static Tablebase {
    match name {
        "KRvK" => &KRVK,
        "KQvK" => &KQVK,
        other => panic!("{other} is not solved here"),
    }
}

#[test]
fn histograms_are_as_published() {
    for [name, turn, histogram] in cases("histograms.csv") {
        let mut expected = Counts::default();
        for entry in histogram.split_whitespace() {
            let (plies, positions) = entry.split_once(':').expect("plies:positions");
            let positions: u64 = positions.parse().expect("a count");
            match plies.parse::<u16>() {
                Err(_) => expected.drawn += positions,
                Ok(plies) => {
                    expected.histogram.insert(plies, positions);
                    if plies % 2 == 1 {
                        expected.won += positions;
                    } else {
                        expected.lost += positions;
                    }
                }
            }
        }
        let counts = table(&name).counts(side(&turn), Group::Identity);
        assert_eq!(counts, expected, "{name}, {turn} to move");
        assert_eq!(counts.legal(), expected.won + expected.drawn + expected.lost);
    }
}

#[test]
fn classes_up_to_symmetry_are_krkopts() {
    let counts = KRVK.counts(Side::Weak, Group::Square);
    let mut rows = 0;
    for (moves, [class, positions]) in (-1_i32..).zip(cases("krkopt_classes.csv")) {
        let positions: u64 = positions.parse().expect("a count");
        rows += positions;
        match u16::try_from(moves) {
            Err(_) => assert_eq!(counts.drawn, positions, "{class}"),
            Ok(moves) => assert_eq!(counts.histogram[&(2 * moves)], positions, "{class}"),
        }
    }
    assert_eq!(rows, 28_056);
    assert_eq!((counts.won, counts.legal()), (0, rows));
    assert_eq!(counts.histogram.len(), 17);
    let white = KRVK.counts(Side::Strong, Group::Square);
    assert_eq!((white.won, white.drawn, white.lost), (21_959, 0, 0));
}

#[test]
fn longest_mates_are_the_known_ones() {
    // Sixteen and ten moves of the strong side, Black to move.
    assert_eq!((KRVK.longest(), KQVK.longest()), (Some(32), Some(20)));
    let bare = solve("KvK");
    assert_eq!(bare.longest(), None);
    for turn in Side::ALL {
        let counts = bare.counts(turn, Group::Square);
        assert_eq!((counts.drawn, counts.legal()), (462, 462), "pairs of kings");
        assert_eq!(bare.counts(turn, Group::Identity).legal(), 3_612);
    }
}

fn check_against_plain(table: &Tablebase, game: &Game, solution: &Solution) {
    for turn in Side::ALL {
        for at in game.legal(turn) {
            let position = plain::position(table.material(), turn, at).expect("a legal position");
            let expected = match turn {
                Side::Strong => solution.strong[at as usize].map_or(Outcome::Draw, Outcome::Win),
                Side::Weak => solution.weak[at as usize].map_or(Outcome::Draw, Outcome::Loss),
            };
            assert_eq!(table.probe(&position), Ok(expected), "{position}");
            let black = position.with_colors_exchanged();
            assert_eq!(table.probe(&black), Ok(expected), "{black}");
        }
    }
}

#[test]
fn a_plain_solver_agrees_on_every_rook_ending() {
    check_against_plain(&KRVK, &plain::ROOK, &plain::ROOK_SOLVED);
}

#[test]
fn a_plain_solver_agrees_on_every_queen_ending() {
    check_against_plain(&KQVK, &plain::QUEEN, &plain::QUEEN_SOLVED);
}

#[test]
fn canonical_positions_are_all_there_are() {
    for (turn, orbits) in [(Side::Strong, 21_959), (Side::Weak, 28_056)] {
        let mut count = 0;
        for (position, outcome) in KRVK.canonical_positions(turn) {
            assert_eq!(position.turn(), turn);
            assert_eq!(KRVK.probe(&position), Ok(outcome));
            count += 1;
        }
        assert_eq!(count, orbits);
    }
}

#[test]
fn verify_checks_every_entry() {
    // The bare kings, 462 pairs with either to move, are inside.
    assert_eq!(KRVK.verify(), Ok(28_056 + 21_959 + 2 * 462));
    let queen = |turn| KQVK.counts(turn, Group::Square).legal();
    assert_eq!(KQVK.verify(), Ok(queen(Side::Strong) + queen(Side::Weak) + 2 * 462));
}

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

/// The file of KRvK without its checksum, and where the entries begin.
fn content() -> (Vec<u8>, usize) {
    let mut bytes = KRVK.to_bytes();
    bytes.truncate(bytes.len() - 32);
    let head = bytes.windows(2).position(|pair| pair == b"\n\n").expect("a head") + 2;
    assert_eq!(bytes.len() - head, 2 * (462 + 28_056), "a byte an entry");
    (bytes, head)
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
    let (content, head) = content();
    let (mut changed, mut looked_at) = (0, 0);
    for at in (head..content.len()).step_by(every) {
        looked_at += 1;
        let mut content = content.clone();
        let entry = change(content[at]);
        if entry == content[at] {
            continue;
        }
        content[at] = entry;
        changed += 1;
        let table = load(&with_checksum(content)).expect("a sound file");
        let error = table.verify().expect_err("a wrong entry");
        assert_ne!(error.entry, error.moves);
        assert!(error.to_string().contains("to move"), "{error}");
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
    let (content, head) = content();
    for every in [1_013, 9_001] {
        let (mut extra, mut missing) = (0, 0);
        for at in (head..content.len()).step_by(every) {
            let mut content = content.clone();
            let is_position = content[at] != 0;
            content[at] = u8::from(!is_position);
            damage(&with_checksum(content));
            *(if is_position { &mut missing } else { &mut extra }) += 1;
        }
        assert!(missing > 0 && (extra > 0 || every > 5_000), "{extra}, {missing}");
    }
}

#[test]
fn moves_are_probed_best_first() {
    /// Better for the side that moved is less: mates, the quickest first; draws; being mated, the
    /// slowest first.
    fn rank(after: Outcome) -> (u8, i32) {
        match after {
            Outcome::Loss(plies) => (0, plies.into()),
            Outcome::Draw => (1, 0),
            Outcome::Win(plies) => (2, -i32::from(plies)),
        }
    }
    for turn in Side::ALL {
        for (position, outcome) in KRVK.canonical_positions(turn) {
            let moves = KRVK.probe_moves(&position).expect("a position of the table");
            let all = position.moves();
            assert_eq!(moves.len(), all.len(), "{position}");
            let place = |mv| all.iter().position(|&other| other == mv).expect("a legal move");
            for pair in moves.windows(2) {
                let key = |(mv, after): (lucena::chess::Move, Outcome)| (rank(after), place(mv));
                assert!(key(pair[0]) < key(pair[1]), "{position}: {pair:?}");
            }
            for &(mv, after) in &moves {
                let position = position.play(mv).expect("a legal move");
                assert_eq!(KRVK.probe(&position), Ok(after));
            }
            match (moves.first(), outcome) {
                (Some(&(_, Outcome::Loss(plies))), outcome) => {
                    assert_eq!(outcome, Outcome::Win(plies + 1));
                }
                (Some(&(_, Outcome::Draw)), outcome) => assert_eq!(outcome, Outcome::Draw),
                (Some(&(_, Outcome::Win(plies))), outcome) => {
                    assert_eq!(outcome, Outcome::Loss(plies + 1));
                }
                (None, outcome) => {
                    let mated = position.is_checkmate();
                    assert_eq!(outcome, if mated { Outcome::Loss(0) } else { Outcome::Draw });
                }
            }
        }
    }
}

#[test]
fn outcomes_are_ordered_as_a_player_wishes() {
    let worst_first = [
        Outcome::Loss(0),
        Outcome::Loss(2),
        Outcome::Loss(32),
        Outcome::Draw,
        Outcome::Win(31),
        Outcome::Win(3),
        Outcome::Win(1),
    ];
    for (place, one) in worst_first.iter().enumerate() {
        for (other_place, other) in worst_first.iter().enumerate() {
            assert_eq!(one.cmp(other), place.cmp(&other_place), "{one:?}, {other:?}");
        }
    }
    let wdl: Vec<Wdl> = worst_first.iter().map(|outcome| outcome.wdl()).collect();
    let [lost, drawn, won] = [Wdl::Loss, Wdl::Draw, Wdl::Win];
    assert_eq!(wdl, [lost, lost, lost, drawn, won, won, won]);
    let said: Vec<String> = worst_first.iter().map(ToString::to_string).collect();
    let expected =
        ["checkmate", "mated in 1", "mated in 16", "draw", "mate in 16", "mate in 2", "mate in 1"];
    assert_eq!(said, expected);
}

#[test]
fn what_a_table_does_not_hold_it_does_not_answer() {
    let queen: Position = "8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap();
    let unknown = UnknownMaterial { material: material("KQvK"), table: material("KRvK") };
    assert_eq!(KRVK.probe(&queen), Err(unknown.clone()));
    assert_eq!(KRVK.probe_moves(&queen), Err(unknown));
    // What captures lead to it does hold.
    let bare: Position = "8/8/8/8/8/2k5/8/K7 b - - 0 1".parse().unwrap();
    assert_eq!(KRVK.probe(&bare), Ok(Outcome::Draw));
}

#[test]
fn pawns_are_refused() {
    for name in ["KPvK", "KRvKP", "KPvKP", "KQPvK"] {
        let refused = Tablebase::solve(material(name)).map(|_| ());
        assert_eq!(refused, Err(SolveError::Pawns(material(name))));
    }
}

#[test]
fn a_saved_table_is_loaded_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    for table in [&*KRVK, &*KQVK] {
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
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn two_runs_solve_to_the_same_bytes() {
    assert_eq!(sha256(&solve("KRvK").to_bytes()), sha256(&KRVK.to_bytes()));
    assert_eq!(sha256(&solve("KBvKN").to_bytes()), sha256(&solve("KBvKN").to_bytes()));
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
    let head = content().1;
    // All of the head and of the checksum, and places in between.
    let places = || (0..head + 8).chain((head + 8..bytes.len() - 40).step_by(997));
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

#[test]
fn foreign_files_are_refused() {
    for foreign in [
        &b""[..],
        b"\n",
        b"lucena",
        b"lucena table 2\nKRvK\n",
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
    let (whole, head) = content();
    let entries = &whole[head..];
    let refused = |head: &str, entries: &[u8]| {
        let bytes = [head.as_bytes(), b"\n\n", entries].concat();
        damage(&with_checksum(bytes))
    };
    let magic = "lucena table 1";
    let sound = std::str::from_utf8(&whole[..head - 2]).expect("text");
    refused(sound, &entries[1..]);
    refused(sound, &[entries, b"x"].concat());
    refused(&sound.replace("462", "463"), entries);
    refused(&sound.replace("462", "99999999999999999999"), entries);
    refused(&sound.replace("462", "x"), entries);
    refused(&sound.replace("KvK 462", "KvK"), entries);
    refused(&sound.replace("KRvK\n", "KXvK\n"), entries);
    refused(&sound.replace("KRvK\n", "KQvK\n"), entries);
    refused(magic, b"");
    refused(&format!("{magic}\nKRvK"), b"");
}

#[test]
fn a_table_without_the_smaller_endgames_is_refused() {
    let (whole, head) = content();
    let text = std::str::from_utf8(&whole[..head]).expect("text");
    let without = text.replace("KvK 462\n", "");
    assert_eq!(without, "lucena table 1\nKRvK\nKRvK 28056\n\n");
    let bare_kings = 2 * 462;
    let rook = if text.ends_with("KvK 462\n\n") {
        &whole[head..whole.len() - bare_kings]
    } else {
        &whole[head + bare_kings..]
    };
    // Its checksum is right, but what captures lead to cannot be probed.
    damage(&with_checksum([without.as_bytes(), rook].concat()));
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

/// Known results of the field, up to symmetry.
fn check_four_men(name: &str) {
    let all = cases("four_men.csv");
    let [_, strong, weak, moves] =
        all.iter().find(|case| case[0] == name).expect("a case of this material");
    let table = solve(name);
    for (turn, expected) in [(Side::Strong, strong), (Side::Weak, weak)] {
        if expected != "-" {
            let counts = table.counts(turn, Group::Square);
            let found = format!("{} {} {}", counts.won, counts.drawn, counts.lost);
            assert_eq!(found, *expected, "{name}, {turn:?} to move");
        }
    }
    let counts = table.counts(Side::Strong, Group::Square);
    let longest = counts.histogram.keys().filter(|&plies| plies % 2 == 1).max();
    assert_eq!(longest.map(|plies| plies.div_ceil(2)), moves.parse().ok(), "{name}");
    table.verify().unwrap_or_else(|error| panic!("{name}: {error}"));
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn king_bishop_and_knight() {
    check_four_men("KBNvK");
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn king_and_two_bishops() {
    check_four_men("KBBvK");
}

/// Equal men are counted as if they were marked, on the full board as up to symmetry: a bare king
/// to move may stand with any three men of the other side.
#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn equal_men_are_counted_in_either_order() {
    let table = solve("KBBvK");
    assert_eq!(table.counts(Side::Weak, Group::Square).legal(), 703_510 + 1_004_378);
    assert_eq!(table.counts(Side::Weak, Group::Identity).legal(), 3_612 * 62 * 61);
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn king_and_queen_against_king_and_rook() {
    check_four_men("KQvKR");
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn king_and_rook_against_king_and_knight() {
    check_four_men("KRvKN");
}
