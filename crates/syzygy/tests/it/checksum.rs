//! The checksums of files.

use crate::made_table::{damage, file, table_of_one, write};
use lucena_syzygy::{Checksum, Damage, TableKind, Wdl5, check_file, checksum};

/// The published files of KBvK, which have one value each: their contents without the zeros at the end, and their
/// checksums.
const PUBLISHED: [(&[u8], u128); 2] = [
    (
        &[0x71, 0xe8, 0x23, 0x5d, 0x31, 0, 0xee, 0x66, 0x33, 0, 0x80, 2, 0x80, 2],
        0x4b37_ef62_3e69_eadb_6756_777c_1603_4e6f,
    ),
    (
        &[0xd7, 0x66, 0x0c, 0xa5, 0x31, 0, 0x0e, 0x06, 0x03, 0, 0x80],
        0x338f_272b_119c_02ca_67b0_3a45_0c37_5b2e,
    ),
];

#[test]
fn published_checksums_are_found() {
    for (beginning, expected) in PUBLISHED {
        let mut contents = [0; 64];
        contents[..beginning.len()].copy_from_slice(beginning);
        assert_eq!(u128::from_be_bytes(checksum(&contents)), expected);
    }
}

#[test]
fn a_checksum_is_checked_if_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut contents = table_of_one("KBvK", TableKind::Wdl, Wdl5::Draw);
    let path = write(folder.path(), "KBvK", TableKind::Wdl, &contents);
    assert_eq!(check_file(&path).unwrap(), Checksum::Absent);
    let sum = checksum(&contents);
    contents.extend(sum);
    write(folder.path(), "KBvK", TableKind::Wdl, &contents);
    assert_eq!(check_file(&path).unwrap(), Checksum::Matches);
    contents[63] ^= 1;
    write(folder.path(), "KBvK", TableKind::Wdl, &contents);
    assert_eq!(damage(check_file(&path)), Damage::Checksum);
}

#[test]
fn larger_contents_have_one_value() {
    // Each length takes another way: less than 240 bytes, whole rounds, a rest, and several chunks of 16 MiB. The values
    // are those of the original program.
    let sum = |len: usize| {
        let bytes: Vec<u8> = (0..len).map(|index| (index * index % 251) as u8).collect();
        u128::from_be_bytes(checksum(&bytes))
    };
    let sums = [64, 192, 960, 1_216, 1 << 20, (1 << 24) + 64].map(sum);
    let expected = [
        "f67451f0a731f91b7a80f4840b43f806",
        "e660c8272e71d7bf734ce4adf09d7ed5",
        "8348a60fb22977f1f0b896c23b4f8308",
        "d9862b12cdaf1e014c13a410251a72b5",
        "cfb5d618c9e338a30384c6b4c3ac58fc",
        "6b27a6677938b62c00262d7a3229492e",
    ];
    assert_eq!(sums.map(|sum| format!("{sum:032x}")), expected);
}

#[test]
fn a_name_that_is_none_cannot_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["KvKB.rtbw", "KBvK.atbw", "KBvK", "KvK.rtbw", "notes.txt"] {
        let path = folder.path().join(name);
        std::fs::write(&path, file("KBvK", TableKind::Wdl)).unwrap();
        assert_eq!(damage(check_file(&path)), Damage::Name, "{name}");
    }
}
