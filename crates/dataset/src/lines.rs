//! Rows as lines of text: each value is written in the same way in every row, so that it is put into
//! words once.

use super::chunk::Chunk;

/// A layout of text, with a line for each row.
pub struct Lines {
    /// What stands before the rows.
    pub head: Vec<u8>,
    /// How a row begins, by its class.
    pub starts: Vec<Vec<u8>>,
    /// By column and value.
    pub cells: Vec<Vec<Vec<u8>>>,
    /// How a row ends, by its class.
    pub ends: Vec<Vec<u8>>,
}

impl Lines {
    /// The lines of some rows.
    pub fn of(&self, chunk: &Chunk) -> Vec<u8> {
        let mut lines = Vec::with_capacity(chunk.rows() * (2 * self.cells.len() + 10));
        for (row, &class) in chunk.targets.iter().enumerate() {
            lines.extend_from_slice(&self.starts[usize::from(class)]);
            for (column, cells) in chunk.columns.iter().zip(&self.cells) {
                lines.extend_from_slice(&cells[usize::from(column[row])]);
            }
            lines.extend_from_slice(&self.ends[usize::from(class)]);
        }
        lines
    }
}
