//! Rows as lines of text. Each value has the same text in every row, so the texts are made once.

use super::chunk::Chunk;

/// A line-based text format.
pub struct Lines {
    /// The text before the rows.
    pub head: Vec<u8>,
    /// The beginning of a line, by class.
    pub starts: Vec<Vec<u8>>,
    /// The text of each value, by column and value.
    pub cells: Vec<Vec<Vec<u8>>>,
    /// The end of a line, by class.
    pub ends: Vec<Vec<u8>>,
}

impl Lines {
    /// The lines of a chunk of rows.
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
