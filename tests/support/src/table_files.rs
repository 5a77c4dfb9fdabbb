//! Files of tables taken apart and forged.

use crate::tables::solve;
use lucena_syzygy::compress::SectionValues;
use lucena_tablebase::Tablebase;

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
    pub sections: Vec<Vec<u16>>,
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
    pub fn new(table: &Tablebase) -> Self {
        let bytes = table.to_bytes().expect("a table that can be read");
        let text = text_end(&bytes);
        let lines: Vec<&str> =
            std::str::from_utf8(&bytes[..text]).expect("text").trim_end().lines().collect();
        let tables: Vec<(&str, usize)> = lines[2..]
            .iter()
            .map(|line| line.split_once(' ').expect("two words"))
            .map(|(name, placements)| (name, placements.parse().expect("a number")))
            .collect();
        let mut sizes = bytes[text..].chunks_exact(8);
        let mut at = text + 16 * tables.len() + 4;
        assert_eq!(number(&bytes[at - 4..at]) as u32, crc(&bytes[..at - 4]), "the head's checksum");
        let mut unpacked = |len: usize| {
            let size = sizes.next().expect("a size and a checksum");
            let packed = &bytes[at..at + number(&size[..4])];
            at += packed.len();
            assert_eq!(number(&size[4..]) as u32, crc(packed));
            unpack(packed, len)
        };
        let mut parts = Self { version: "4".into(), material: lines[1].into(), tables: Vec::new() };
        for (name, placements) in tables {
            let sections = vec![unpacked(placements), unpacked(placements)];
            let placements = placements.to_string();
            parts.tables.push(PlainTable { name: name.into(), placements, sections });
        }
        assert_eq!(lines[0], "lucena table 4");
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
        let sections = self.tables.iter().flat_map(|table| &table.sections);
        let packed: Vec<Vec<u8>> = sections.map(|codes| pack(codes)).collect();
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
        *code = (*code).min(1);
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
        ("a distance that is too long", sections(|codes| codes[0] = 4096)),
        ("another version", changed(&|parts| parts.version = "10".into())),
        ("an older version", changed(&|parts| parts.version = "2".into())),
        ("no table of bare kings", changed(&|parts| parts.tables.retain(|it| it.name != "KvK"))),
        (
            "no entries",
            changed(&|parts| parts.tables.iter_mut().for_each(|it| it.sections.clear())),
        ),
        ("fewer entries in every section", sections(|codes| codes.truncate(codes.len() / 2))),
        ("more entries in every section", sections(|codes| codes.extend_from_within(..))),
    ]
}

/// The bytes of a block.
const BLOCK: usize = 1024;

/// The binary logarithm of the number of entries between those in the index.
const INDEX_LOG2: u8 = 15;

/// Packs entries plainly: with codes of one length, and without symbols for pairs. Any reader of the format accepts it.
pub fn pack(codes: &[u16]) -> Vec<u8> {
    let mut list: Vec<u16> = codes.to_vec();
    list.sort_unstable();
    list.dedup();
    let count = list.len() as u16;
    let mut bytes: Vec<u8> = [count].iter().chain(&list).flat_map(|n| n.to_le_bytes()).collect();
    let bits = usize::BITS - list.len().saturating_sub(1).max(1).leading_zeros();
    let per_block = 8 * BLOCK / bits as usize;
    let mut lengths: Vec<u16> =
        codes.chunks(per_block).map(|block| (block.len() - 1) as u16).collect();
    let blocks = lengths.len();
    let middle = |entry: usize| (2 * entry + 1) << (INDEX_LOG2 - 1);
    let entries = codes.len().div_ceil(1 << INDEX_LOG2);
    let mut index = Vec::new();
    for entry in 0..entries {
        let (mut block, mut place) = (0, middle(entry));
        while place > usize::from(*lengths.get(block).unwrap_or(&u16::MAX)) {
            place -= usize::from(*lengths.get(block).unwrap_or(&u16::MAX)) + 1;
            block += 1;
        }
        lengths.resize(lengths.len().max(block + 1), u16::MAX);
        index.extend((block as u32).to_le_bytes());
        index.extend((place as u16).to_le_bytes());
    }
    let mut section = vec![0, BLOCK.ilog2() as u8, INDEX_LOG2, (lengths.len() - blocks) as u8];
    section.extend((blocks as u32).to_le_bytes());
    section.extend([bits as u8, bits as u8]);
    section.extend(0_u16.to_le_bytes());
    section.extend(count.to_le_bytes());
    for value in 0..count {
        section.extend([value as u8, (value >> 8) as u8 | 0xf0, 0xff]);
    }
    section.resize(section.len().next_multiple_of(2), 0);
    section.extend(index);
    section.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
    section.resize(section.len().next_multiple_of(64), 0);
    for block in codes.chunks(per_block) {
        let start = section.len();
        let (mut window, mut held) = (0_u64, 0);
        for code in block {
            let place = list.binary_search(code).expect("it is in the list") as u64;
            window = window << bits | place;
            held += bits;
            while held >= 8 {
                held -= 8;
                section.push((window >> held) as u8);
            }
        }
        section.push((window << 8 >> held) as u8);
        section.resize(start + BLOCK, 0);
    }
    bytes.extend(section);
    bytes
}

/// The entries of a section.
fn unpack(packed: &[u8], len: usize) -> Vec<u16> {
    let word = |bytes: &[u8]| u16::from_le_bytes(bytes.try_into().expect("two bytes"));
    let (list, section) = packed[2..].split_at(2 * usize::from(word(&packed[..2])));
    let list: Vec<u16> = list.chunks_exact(2).map(word).collect();
    let values = SectionValues::new(section, len as u64).expect("a section");
    let values = values.all().expect("a sound section");
    values.into_iter().map(|value| list[usize::from(value)]).collect()
}
