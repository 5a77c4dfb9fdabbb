//! Entries compressed by pairs, as a table file holds them.
//!
//! The bytes are the number of different entries in the section, each of these entries, two bytes each,
//! little-endian, and a section of Syzygy files whose values are their places in this list.

use super::entries::{Entries, Entry};
use super::weak_moves::GREATEST_ENTRY;
use lucena_syzygy::compress::{Alphabet, Options, SectionValues, compress};

/// The mark of a position whose entry follows by a move.
pub(super) const TOLD: Entry = Entry(0);

/// The parameters of the compression. More pairs would make tables 2 % smaller, and take twice as long to find.
const OPTIONS: Options = Options { most_rules: 1000, share: 0.5, ..Options::DISTANCES };

/// Compresses entries. Any entry may be stored where there is `None`.
pub(super) fn pack(entries: &[Option<Entry>]) -> Vec<u8> {
    let mut places = vec![None; usize::from(GREATEST_ENTRY) + 1];
    for entry in entries.iter().flatten() {
        places[usize::from(entry.0)] = Some(0);
    }
    let mut list = Vec::new();
    for (entry, place) in (0..).zip(&mut places).filter(|(_, place)| place.is_some()) {
        *place = Some(list.len() as u16);
        list.push(entry);
    }
    if list.is_empty() {
        list.push(Entry::DRAW.0);
    }
    let any = list.len() as u16;
    let cells: Vec<u16> = entries
        .iter()
        .map(|entry| entry.and_then(|entry| places[usize::from(entry.0)]).unwrap_or(any))
        .collect();
    let section = compress(&cells, &Alphabet::with_any(any), &OPTIONS);
    let mut bytes: Vec<u8> = [any].iter().chain(&list).flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend(section.to_bytes());
    bytes
}

/// A section of entries.
pub(super) struct Section {
    list: Vec<Entry>,
    values: SectionValues,
}

impl Section {
    /// Reads the bytes of a section of `len` entries, or returns the error in them.
    pub(super) fn new(bytes: &[u8], len: usize) -> Result<Self, String> {
        let short = || "it breaks off in its list of entries".to_owned();
        let (count, rest) = bytes.split_first_chunk().ok_or_else(short)?;
        let count = usize::from(u16::from_le_bytes(*count));
        let (list, rest) = rest.split_at_checked(2 * count).ok_or_else(short)?;
        let list = list.as_chunks().0.iter().map(|bytes| Entry(u16::from_le_bytes(*bytes)));
        let list: Vec<Entry> = list.collect();
        if let Some(entry) = list.iter().find(|entry| entry.0 > GREATEST_ENTRY) {
            return Err(format!("it has the entry {}, which means nothing", entry.0));
        }
        let values = SectionValues::new(rest, len as u64).map_err(|damage| damage.to_string())?;
        Ok(Self { list, values })
    }

    /// Returns the section, unless it leaves entries to the moves.
    pub(super) fn refuse_told(self) -> Result<Self, String> {
        if self.list.contains(&TOLD) {
            return Err("it leaves entries of the strong side to the moves".into());
        }
        Ok(self)
    }

    /// The entry with a number.
    pub(super) fn get(&self, at: usize) -> Result<Entry, String> {
        let value = self.values.value(at as u64).map_err(|damage| damage.to_string())?;
        self.entry(value)
    }

    /// All entries in order.
    pub(super) fn all(&self) -> Result<Entries, String> {
        let values = self.values.all().map_err(|damage| damage.to_string())?;
        if let Some(&value) = values.iter().find(|&&value| usize::from(value) >= self.list.len()) {
            self.entry(value)?;
        }
        let entry = |value: u16| self.list[usize::from(value)].0;
        Ok(if self.list.iter().all(|entry| entry.0 <= u16::from(u8::MAX)) {
            Entries::Bytes(values.into_iter().map(|value| entry(value) as u8).collect())
        } else {
            Entries::Words(values.into_iter().map(entry).collect())
        })
    }

    fn entry(&self, value: u16) -> Result<Entry, String> {
        let entry = self.list.get(usize::from(value)).copied();
        entry.ok_or_else(|| format!("its value {value} stands for no entry"))
    }
}
