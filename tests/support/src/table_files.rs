//! Files of tables taken apart and forged.

use crate::tables::solve;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use lucena_tablebase::Tablebase;
use std::io::{Read, Write};

/// The number of entries that are compressed together.
pub const BLOCK: usize = 8192;

/// CRC-32 computed bit by bit, as in the standard.
pub fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}

/// The entries of one table by side to move, in the blocks in which they are compressed.
#[derive(Clone)]
pub struct PlainTable {
    pub name: String,
    /// The number of placements in the header.
    pub placements: String,
    pub blocks: Vec<Vec<u8>>,
}

/// The parts of a table file, decompressed.
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
    pub fn of(table: &Tablebase) -> Self {
        let bytes = table.to_bytes().expect("a table that can be read");
        let text = text_end(&bytes);
        let lines: Vec<&str> =
            std::str::from_utf8(&bytes[..text]).expect("text").trim_end().lines().collect();
        let tables: Vec<(&str, usize)> = lines[2..]
            .iter()
            .map(|line| line.split_once(' ').expect("two words"))
            .map(|(name, placements)| (name, placements.parse().expect("a number")))
            .collect();
        let of_table = |&(_, placements): &(&str, usize)| 2 * placements.div_ceil(BLOCK);
        let mut sizes = bytes[text..].chunks_exact(8);
        let mut at = text + 8 * tables.iter().map(of_table).sum::<usize>() + 4;
        assert_eq!(number(&bytes[at - 4..at]) as u32, crc(&bytes[..at - 4]), "the head's checksum");
        let mut unpacked = |len: usize| {
            let size = sizes.next().expect("a size and a checksum");
            let packed = &bytes[at..at + number(&size[..4])];
            at += packed.len();
            assert_eq!(number(&size[4..]) as u32, crc(packed));
            let mut codes = Vec::new();
            DeflateDecoder::new(packed).read_to_end(&mut codes).expect("deflate");
            assert_eq!(codes.len(), len, "a byte an entry");
            codes
        };
        let mut parts = Self { version: "3".into(), material: lines[1].into(), tables: Vec::new() };
        for (name, placements) in tables {
            let lens = (0..placements).step_by(BLOCK).map(|at| BLOCK.min(placements - at));
            let blocks = lens.clone().chain(lens).map(&mut unpacked).collect();
            let placements = placements.to_string();
            parts.tables.push(PlainTable { name: name.into(), placements, blocks });
        }
        assert_eq!(lines[0], "lucena table 3");
        assert_eq!(at, bytes.len());
        parts
    }

    /// A table by name.
    pub fn table(&mut self, name: &str) -> &mut PlainTable {
        self.tables.iter_mut().find(|table| table.name == name).expect("a table of this name")
    }

    /// A file of these parts with correct checksums.
    pub fn bytes(&self) -> Vec<u8> {
        let mut head = format!("lucena table {}\n{}\n", self.version, self.material).into_bytes();
        for PlainTable { name, placements, .. } in &self.tables {
            head.extend(format!("{name} {placements}\n").bytes());
        }
        head.push(b'\n');
        let blocks = self.tables.iter().flat_map(|table| &table.blocks);
        let packed: Vec<Vec<u8>> = blocks.map(|codes| pack(codes)).collect();
        for block in &packed {
            head.extend((block.len() as u32).to_le_bytes());
            head.extend(crc(block).to_le_bytes());
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
    let mut parts = Parts::of(&solve(name));
    parts.tables.retain(|table| table.name == name);
    for code in parts.table(name).blocks.iter_mut().flatten() {
        *code = (*code).min(1);
    }
    parts.bytes()
}

/// Forged files of a table, each with correct checksums, and a description of its fault.
pub fn forged(table: &Tablebase) -> Vec<(&'static str, Vec<u8>)> {
    let whole = Parts::of(table);
    let name = table.material().to_string();
    let changed = |change: &dyn Fn(&mut Parts)| {
        let mut parts = whole.clone();
        change(&mut parts);
        parts.bytes()
    };
    vec![
        (
            "legal positions without an entry",
            changed(&|parts| parts.table(&name).blocks.iter_mut().flatten().for_each(|it| *it = 0)),
        ),
        ("another version", changed(&|parts| parts.version = "10".into())),
        ("an older version", changed(&|parts| parts.version = "2".into())),
        ("no table of bare kings", changed(&|parts| parts.tables.retain(|it| it.name != "KvK"))),
        ("no entries", changed(&|parts| parts.tables.iter_mut().for_each(|it| it.blocks.clear()))),
        (
            "an entry too few in every block",
            changed(&|parts| {
                parts
                    .table(&name)
                    .blocks
                    .iter_mut()
                    .for_each(|codes| codes.truncate(codes.len() - 1));
            }),
        ),
        (
            "an entry too many in every block",
            changed(&|parts| {
                parts.table(&name).blocks.iter_mut().for_each(|codes| codes.push(0));
            }),
        ),
    ]
}

/// Compresses with different settings from the library's, which any reader of deflate accepts.
pub fn pack(codes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(codes).expect("memory");
    encoder.finish().expect("memory")
}
