//! Partitions of rows into blocks that some columns do not separate, refined column by column.

/// Below this number of rows, sorting is quicker than counting.
const FEW: usize = 64;

/// Blocks of rows, each in ascending order. Blocks that need no further refinement (not
/// open) are left out.
#[derive(Clone)]
pub(super) struct Blocks {
    rows: Vec<u32>,
    /// The end of each block in `rows`.
    ends: Vec<usize>,
}

impl Blocks {
    /// All rows in one block, if it is open.
    pub(super) fn all(rows: usize, is_open: impl Fn(&[u32]) -> bool) -> Self {
        let rows: Vec<u32> = (0..rows as u32).collect();
        if is_open(&rows) {
            Self { ends: vec![rows.len()], rows }
        } else {
            Self { rows: Vec::new(), ends: Vec::new() }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The number of rows in all blocks.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }

    /// Divides every block by the values of a column and keeps the open parts.
    pub(super) fn refined(&self, column: &[u8], is_open: impl Fn(&[u32]) -> bool) -> Self {
        let mut refined = Self { rows: Vec::new(), ends: Vec::new() };
        let mut sorted = Vec::new();
        let value = |row: u32| column[row as usize];
        for block in self.iter() {
            sort_by_value(block, value, &mut sorted);
            for part in sorted.chunk_by(|&one, &other| value(one) == value(other)) {
                if is_open(part) {
                    refined.rows.extend(part);
                    refined.ends.push(refined.rows.len());
                }
            }
        }
        refined
    }
}

/// Sorts rows by value, stably, into `sorted`.
fn sort_by_value(rows: &[u32], value: impl Fn(u32) -> u8, sorted: &mut Vec<u32>) {
    sorted.clear();
    if rows.len() < FEW {
        sorted.extend(rows);
        sorted.sort_unstable_by_key(|&row| (value(row), row));
        return;
    }
    sorted.resize(rows.len(), 0);
    let mut next = [0_usize; 256];
    for &row in rows {
        next[usize::from(value(row))] += 1;
    }
    let mut start = 0;
    for count in &mut next {
        start += std::mem::replace(count, start);
    }
    for &row in rows {
        let at = &mut next[usize::from(value(row))];
        sorted[*at] = row;
        *at += 1;
    }
}
