//! A matrix of counts, drawn as cells that are darker for larger shares.

use super::label_placement::text_width;
use super::svg::{Anchor, SvgWriter};
use super::{AXIS_TITLE, LETTERS, TITLE};

/// A confusion matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfusionChart {
    /// The title.
    pub title: String,
    /// The meaning of the rows.
    pub rows: String,
    /// The meaning of the columns.
    pub columns: String,
    /// The names of the classes, for rows and columns alike.
    pub names: Vec<String>,
    /// The counts, a row for each class.
    pub counts: Vec<Vec<u64>>,
    /// Lines of text below the matrix.
    pub notes: Vec<String>,
}

/// The space between related elements.
const GAP: i32 = 8;
const MARGIN: i32 = 16;
/// The least width and the height of a cell.
const CELL: i32 = 34;
/// The height of a line of the notes.
const NOTE: i32 = 20;

/// The colours of a cell with all of a row, and with none.
const FULL: [u8; 3] = [0, 68, 136];
const NONE: [u8; 3] = [255, 255, 255];
/// The colours of cell edges, and of those on the diagonal.
const EDGE: &str = "#cccccc";
const FRAME: &str = "#222222";
/// The least depth of a cell that is not empty, so that it can be seen.
const FIRST: f64 = 0.12;
/// The depth from which on letters are white.
const DARK: f64 = 0.5;

impl ConfusionChart {
    /// The matrix as SVG. The colour of a cell is its share of its row.
    pub fn to_svg(&self) -> String {
        let names = self.names.iter().map(|name| text_width(name, LETTERS + 2));
        let names = names.max().unwrap_or(0);
        let digits = self.counts.iter().flatten().map(|count| count.to_string());
        let digits = digits.map(|digits| text_width(&digits, LETTERS + 5)).max().unwrap_or(0);
        let cell = CELL.max(digits + GAP);
        let number = self.names.len() as i32;

        let left = MARGIN + AXIS_TITLE + GAP + names + GAP;
        let top = MARGIN + TITLE + 2 * GAP + AXIS_TITLE + GAP + names + GAP;
        let (across, down) = (cell * number, CELL * number);
        let notes = self.notes.iter().map(|note| text_width(note, LETTERS + 2)).max().unwrap_or(0);
        let widest = across.max(notes).max(text_width(&self.title, TITLE + 2) - left);
        let width = left + widest + MARGIN;
        let below = top + down + 2 * GAP;
        let mut svg = SvgWriter::new(width, below + NOTE * self.notes.len() as i32 + MARGIN / 2);

        svg.text((MARGIN, MARGIN), Anchor::Start, TITLE, &self.title);
        let above = MARGIN + TITLE + 2 * GAP;
        svg.text((left + across / 2, above), Anchor::Middle, AXIS_TITLE, &self.columns);
        svg.text_upwards((MARGIN, top + down / 2), Anchor::Middle, AXIS_TITLE, &self.rows);
        let half = LETTERS * 38 / 100;
        for (at, name) in (0..).zip(&self.names) {
            let (x, y) = (left + cell * at + cell / 2, top + CELL * at + CELL / 2);
            svg.text_upwards((x - half, top - GAP), Anchor::Start, LETTERS, name);
            svg.text((left - GAP, y - half), Anchor::End, LETTERS, name);
        }
        for (row, counts) in (0..).zip(&self.counts) {
            let all: u64 = counts.iter().sum();
            for (column, &count) in (0..).zip(counts) {
                let corner = (left + cell * column, top + CELL * row);
                let share = if count == 0 { 0.0 } else { count as f64 / all as f64 };
                let depth = if count == 0 { 0.0 } else { FIRST + (1.0 - FIRST) * share };
                svg.cell(corner, (cell, CELL), &color(depth), EDGE);
                if count > 0 {
                    let middle = (corner.0 + cell / 2, corner.1 + CELL / 2 - half);
                    let letters = if depth > DARK { "white" } else { "black" };
                    svg.colored_text(middle, LETTERS, &count.to_string(), letters);
                }
            }
        }
        // The diagonal is framed last, over the edges of its neighbours.
        for at in 0..number {
            svg.cell((left + cell * at, top + CELL * at), (cell, CELL), "none", FRAME);
        }
        for (at, note) in (0..).zip(&self.notes) {
            svg.text((left, below + NOTE * at), Anchor::Start, LETTERS, note);
        }
        svg.finish()
    }
}

/// The colour at a depth between 0, none, and 1, all.
fn color(depth: f64) -> String {
    let mixed = |at: usize| {
        let (none, full) = (f64::from(NONE[at]), f64::from(FULL[at]));
        (none + (full - none) * depth).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2))
}
