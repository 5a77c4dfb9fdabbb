//! The entries of a table, and vectors of them.

use lucena_chess::Bitboard;
use std::ops::Range;

/// An entry of a table: no position, a draw, or a win or loss with its distance, as a [`Metric`] encodes it. A longer
/// distance is a greater entry.
///
/// [`Metric`]: super::Metric
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry(pub(super) u16);

impl Entry {
    pub(super) const NO_POSITION: Self = Self(0);
    pub(super) const DRAW: Self = Self(1);

    /// In a file, the mark of a position whose entry follows by a move.
    pub(super) const TOLD: Self = Self(0);

    /// The greatest number of an entry in a file: no distance is so long.
    pub(super) const GREATEST_IN_FILE: u16 = 4095;

    /// The greatest number of an entry that may follow from those in files.
    pub(super) const GREATEST: u16 = 2 * Self::GREATEST_IN_FILE + 1;
}

/// A vector of entries of one byte each, or of two if one of them needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entries {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
}

impl Entries {
    /// `len` entries without a position.
    pub(super) fn none(len: usize) -> Self {
        Self::Bytes(vec![Entry::NO_POSITION.0 as u8; len])
    }

    /// An empty vector with capacity for `len` entries of one byte.
    pub(super) fn with_room(len: usize) -> Self {
        Self::Bytes(Vec::with_capacity(len))
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Words(words) => words.len(),
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Entry {
        match self {
            Self::Bytes(bytes) => Entry(bytes[at].into()),
            Self::Words(words) => Entry(words[at]),
        }
    }

    #[inline]
    pub(super) fn set(&mut self, at: usize, entry: Entry) {
        match (&mut *self, u8::try_from(entry.0)) {
            (Self::Bytes(bytes), Ok(byte)) => bytes[at] = byte,
            (Self::Bytes(bytes), Err(_)) => {
                let mut words: Vec<u16> = bytes.iter().copied().map(u16::from).collect();
                words[at] = entry.0;
                *self = Self::Words(words);
            }
            (Self::Words(words), _) => words[at] = entry.0,
        }
    }

    /// Sets the entries with some numbers, counted from `first` on.
    pub(super) fn set_all(&mut self, first: usize, numbers: Bitboard, entry: Entry) {
        match (&mut *self, u8::try_from(entry.0)) {
            (Self::Bytes(bytes), Ok(byte)) => {
                let bytes = &mut bytes[first..first + 64];
                numbers.into_iter().for_each(|number| bytes[number as usize] = byte);
            }
            (Self::Words(words), _) => {
                let words = &mut words[first..first + 64];
                numbers.into_iter().for_each(|number| words[number as usize] = entry.0);
            }
            _ => numbers.into_iter().for_each(|number| self.set(first + number as usize, entry)),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Returns a copy of a range.
    pub(super) fn part(&self, places: Range<usize>) -> Self {
        match self {
            Self::Bytes(bytes) => Self::Bytes(bytes[places].to_vec()),
            Self::Words(words) => Self::Words(words[places].to_vec()),
        }
    }

    /// Appends entries.
    pub(super) fn append(&mut self, mut more: Self) {
        match (&mut *self, &mut more) {
            (Self::Bytes(all), Self::Bytes(more)) => all.append(more),
            (Self::Words(all), more) => all.extend(more.iter().map(|entry| entry.0)),
            (Self::Bytes(all), Self::Words(more)) => {
                let all = all.iter().map(|&byte| u16::from(byte));
                *self = Self::Words(all.chain(more.iter().copied()).collect());
            }
        }
    }

    /// Takes two bytes for each entry if others do.
    pub(super) fn make_as_wide_as(&mut self, others: &Self) {
        if let (Self::Bytes(bytes), Self::Words(_)) = (&*self, others) {
            *self = Self::Words(bytes.iter().copied().map(u16::from).collect());
        }
    }

    /// Divides the entries into parts of given lengths.
    pub(super) fn split_mut(&mut self, lens: &[usize]) -> Vec<EntriesMut<'_>> {
        fn split<'e, T>(mut rest: &'e mut [T], lens: &[usize]) -> Vec<&'e mut [T]> {
            let next = |&len: &usize| rest.split_off_mut(..len).expect("parts of the whole");
            lens.iter().map(next).collect()
        }
        match self {
            Self::Bytes(bytes) => split(bytes, lens).into_iter().map(EntriesMut::Bytes).collect(),
            Self::Words(words) => split(words, lens).into_iter().map(EntriesMut::Words).collect(),
        }
    }

    /// Splits off the entries from `at` on, and frees their memory here.
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        fn split_off<T>(entries: &mut Vec<T>, at: usize) -> Vec<T> {
            let rest = entries.split_off(at);
            entries.shrink_to_fit();
            rest
        }
        match self {
            Self::Bytes(bytes) => Self::Bytes(split_off(bytes, at)),
            Self::Words(words) => Self::Words(split_off(words, at)),
        }
    }
}

/// Entries as messages between workers have them.
#[cfg(feature = "dist")]
impl Entries {
    /// Their bytes: one each if all fit, or else two, little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::Words(words) => match words.iter().map(|&word| u8::try_from(word)).collect() {
                Ok(bytes) => bytes,
                Err(_) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            },
        }
    }

    /// Reads `len` entries from their bytes; `None` if the number of bytes does not match.
    pub(super) fn from_bytes(bytes: Vec<u8>, len: usize) -> Option<Self> {
        if bytes.len() == len {
            return Some(Self::Bytes(bytes));
        }
        let words = || bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        (bytes.len() == 2 * len).then(|| Self::Words(words().collect()))
    }
}

/// Entries to be changed by one of several threads, all of a width that is fixed.
pub(super) enum EntriesMut<'e> {
    Bytes(&'e mut [u8]),
    Words(&'e mut [u16]),
}

impl EntriesMut<'_> {
    /// # Panics
    /// If the entry does not fit.
    #[inline]
    pub(super) fn set(&mut self, at: usize, entry: Entry) {
        match self {
            Self::Bytes(bytes) => bytes[at] = u8::try_from(entry.0).expect("one byte is enough"),
            Self::Words(words) => words[at] = entry.0,
        }
    }
}
