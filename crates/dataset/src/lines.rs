//! Rows as lines of text. Each value has the same text in every row, so the texts are made once.

use super::chunk::Chunk;
use super::schema::{DatasetSchema, MeasurementLevel, WrittenColumn};
use lucena_attributes::ValueEncoding;

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

/// The way an ARFF file declares its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declaration {
    /// Numbers as numeric; letters and yes or no as nominal.
    AsTheyAre,
    /// All nominal, as Weka's Id3 requires.
    Nominal,
}

impl Lines {
    /// Comma-separated values: a header line, then the rows, with the class last.
    pub fn csv(heading: &DatasetSchema) -> Self {
        let columns = heading.columns_in(ValueEncoding::Text);
        let names = columns.iter().map(|column| column.name.as_str());
        let cells = |column: &WrittenColumn| column.cells(|text| field(text, b','));
        Self {
            head: record(names.chain([heading.target.column()]), b'\n'),
            starts: vec![Vec::new(); heading.classes.len()],
            cells: columns.iter().map(cells).collect(),
            ends: heading.classes.iter().map(|class| field(class, b'\n')).collect(),
        }
    }

    /// ARFF, the format of Weka and OpenML: declarations of the attributes, then the rows, with the class last.
    /// No name or value contains a character that would need quotes.
    pub fn arff(heading: &DatasetSchema, declared: Declaration) -> Self {
        let mut head = format!("@relation {}\n\n", heading.name);
        for column in heading.columns_in(ValueEncoding::Text) {
            let kind = match (declared, column.measure()) {
                (Declaration::AsTheyAre, MeasurementLevel::Numeric) => "numeric".into(),
                _ => nominal(&column.values),
            };
            head += &format!("% {}\n@attribute {} {kind}\n", column.meaning, column.name);
        }
        let (meaning, name) = (heading.target.values(), heading.target.column());
        let classes = nominal(&heading.classes);
        head += &format!("% {meaning}\n@attribute {name} {classes}\n\n@data\n");
        Self { head: head.into_bytes(), ..Self::csv(heading) }
    }

    /// The LIBSVM format: the class number, then `attribute:value` for every non-zero value, with the attributes
    /// numbered from 1.
    pub fn libsvm(heading: &DatasetSchema) -> Self {
        let columns = heading.columns_in(ValueEncoding::Code);
        let cells = |(number, column): (usize, &WrittenColumn)| {
            column.cells(|text| match text {
                "0" | "" => Vec::new(),
                text => format!(" {}:{text}", number + 1).into_bytes(),
            })
        };
        Self {
            head: Vec::new(),
            starts: (0..heading.classes.len()).map(|class| class.to_string().into()).collect(),
            cells: columns.iter().enumerate().map(cells).collect(),
            ends: vec![b"\n".to_vec(); heading.classes.len()],
        }
    }

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

/// A quoted field followed by a separator.
fn field(text: &str, end: u8) -> Vec<u8> {
    record([text], end)
}

fn record<'a>(fields: impl IntoIterator<Item = &'a str>, end: u8) -> Vec<u8> {
    let terminator = ::csv::Terminator::Any(end);
    let mut writer = ::csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    let in_memory = "writing to memory does not fail";
    writer.write_record(fields).expect(in_memory);
    writer.into_inner().expect(in_memory)
}

fn nominal(values: &[String]) -> String {
    let fields = values.iter().map(|value| String::from_utf8(field(value, b',')));
    let list: String = fields.map(|field| field.expect("text")).collect();
    format!("{{{}}}", list.trim_end_matches(','))
}
