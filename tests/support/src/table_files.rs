//! Files of tables taken apart and forged.

use crate::tables::solve;
use lucena_chess::Side;
use lucena_chess::symmetry::Group;
use lucena_tablebase::{Index, Tablebase, pack_section, unpack_section};

/// CRC-32 computed bit by bit, as in the standard.
pub fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

/// The contents of a file about one table, which is small enough for one part: the entries with the strong side to move, and with
/// the weak side to move those that its moves do not tell, 0 for the others.
#[derive(Clone)]
pub struct PlainTable {
    pub name: String,
    /// The number of placements in the header.
    pub placements: String,
    /// What the placements are numbered by, whatever the header says.
    pub index: Index,
    pub sections: Vec<Vec<u16>>,
}

/// The parts of a table file, decoded.
#[derive(Clone)]
pub struct Parts {
    pub version: String,
    pub material: String,
    pub tables: Vec<PlainTable>,
}

/// A number of four bytes, as sizes and checksums are stored.
pub fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes.try_into().expect("four bytes")) as usize
}

impl Parts {
    pub fn new(table: &Tablebase) -> Self {
        let bytes = table.to_bytes().expect("a table that can be read");
        let text = text_end(&bytes);
        let lines: Vec<&str> =
            std::str::from_utf8(&bytes[..text]).expect("text").trim_end().lines().collect();
        let tables: Vec<(&str, &str)> =
            lines[2..].iter().map(|line| line.split_once(' ').expect("two words")).collect();
        let mut sizes = bytes[text..].chunks_exact(8);
        let mut at = text + 16 * tables.len() + 4;
        assert_eq!(number(&bytes[at - 4..at]) as u32, crc(&bytes[..at - 4]), "the head's checksum");
        let mut section = || {
            let size = sizes.next().expect("a size and a checksum");
            let packed = &bytes[at..at + number(&size[..4])];
            at += packed.len();
            assert_eq!(number(&size[4..]) as u32, crc(packed));
            packed.to_vec()
        };
        let mut parts = Self { version: "5".into(), material: lines[1].into(), tables: Vec::new() };
        for (name, placements) in tables {
            let index = index(name);
            let unpack = |turn| unpack_section(&index, turn, section()).expect("a sound section");
            let sections: Vec<Vec<u16>> = Side::ALL.into_iter().map(unpack).collect();
            assert!(sections.iter().all(|codes| codes.len().to_string() == placements));
            let placements = placements.to_string();
            parts.tables.push(PlainTable { name: name.into(), placements, index, sections });
        }
        assert_eq!(lines[0], "lucena table 5");
        assert_eq!(at, bytes.len());
        parts
    }

    /// A table by name.
    pub fn table(&mut self, name: &str) -> &mut PlainTable {
        self.tables.iter_mut().find(|table| table.name == name).expect("a table of this name")
    }

    /// A file of these parts with correct checksums.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes_with(|_, _, section| section)
    }

    /// [`Self::bytes`] with changed sections, which are told by the name of the table and the side to move.
    pub fn bytes_with(&self, change: impl Fn(&str, Side, Vec<u8>) -> Vec<u8>) -> Vec<u8> {
        let mut head = format!("lucena table {}\n{}\n", self.version, self.material).into_bytes();
        for PlainTable { name, placements, .. } in &self.tables {
            head.extend(format!("{name} {placements}\n").bytes());
        }
        head.push(b'\n');
        let pack = |table: &PlainTable| {
            let sections = Side::ALL.into_iter().zip(&table.sections);
            let packed = sections.map(|(turn, codes)| {
                change(&table.name, turn, pack_section(&table.index, turn, codes))
            });
            packed.collect::<Vec<_>>()
        };
        let packed: Vec<Vec<u8>> = self.tables.iter().flat_map(pack).collect();
        for section in &packed {
            head.extend((section.len() as u32).to_le_bytes());
            head.extend(crc(section).to_le_bytes());
        }
        let checksum = crc(&head);
        [head, checksum.to_le_bytes().to_vec(), packed.concat()].concat()
    }
}

/// The end of the header's text, including its empty line.
pub fn text_end(bytes: &[u8]) -> usize {
    bytes.windows(2).position(|pair| pair == b"\n\n").expect("a head") + 2
}

/// A valid file of one material in which every mate is replaced by a draw.
pub fn without_mates(name: &str) -> Vec<u8> {
    let mut parts = Parts::new(&solve(name));
    parts.tables.retain(|table| table.name == name);
    for code in parts.table(name).sections.iter_mut().flatten() {
        *code = 1;
    }
    parts.bytes()
}

/// Forged files of a table, each with correct checksums, and a description of its fault.
pub fn forged(table: &Tablebase) -> Vec<(&'static str, Vec<u8>)> {
    let whole = Parts::new(table);
    let name = table.material().to_string();
    let changed = |change: &dyn Fn(&mut Parts)| {
        let mut parts = whole.clone();
        change(&mut parts);
        parts.bytes()
    };
    let sections = |change: fn(&mut Vec<u16>)| {
        changed(&|parts| parts.table(&name).sections.iter_mut().for_each(change))
    };
    vec![
        (
            "legal positions without an entry",
            sections(|codes| codes.iter_mut().for_each(|code| *code = 0)),
        ),
        (
            "a distance that is too long",
            sections(|codes| {
                codes.iter_mut().filter(|code| **code > 0).take(1).for_each(|code| *code = 4096)
            }),
        ),
        ("another version", changed(&|parts| parts.version = "10".into())),
        ("an older version", changed(&|parts| parts.version = "2".into())),
        ("no table of bare kings", changed(&|parts| parts.tables.retain(|it| it.name != "KvK"))),
        (
            "no entries",
            changed(&|parts| parts.tables.iter_mut().for_each(|it| it.sections.clear())),
        ),
        (
            "every section a byte short",
            whole.bytes_with(|_, _, section| section[..section.len() - 1].to_vec()),
        ),
        (
            "every section a byte long",
            whole.bytes_with(|_, _, section| [section, vec![0]].concat()),
        ),
        ("sections of nothing", whole.bytes_with(|_, _, _| Vec::new())),
    ]
}

/// The numbering of the placements of a material.
fn index(name: &str) -> Index {
    let material = name.parse().expect("a material");
    Index::new(material, Group::new(material))
}
