//! Comma-separated values: a header line, then the rows, with the class last.

use super::heading::Heading;
use super::lines::Lines;
use lucena_tablebase::DistanceClass;

impl Lines {
    /// The CSV format.
    pub fn csv(heading: &Heading) -> Self {
        let names = heading.columns.iter().map(|column| column.name.as_str());
        let cells = |texts: &Vec<String>| texts.iter().map(|text| field(text, b',')).collect();
        Self {
            head: record(names.chain([DistanceClass::NAME]), b'\n'),
            starts: vec![Vec::new(); heading.classes.len()],
            cells: heading.texts.iter().map(cells).collect(),
            ends: heading.classes.iter().map(|class| field(class, b'\n')).collect(),
        }
    }
}

/// A quoted field followed by a separator.
pub(super) fn field(text: &str, end: u8) -> Vec<u8> {
    record([text], end)
}

fn record<'a>(fields: impl IntoIterator<Item = &'a str>, end: u8) -> Vec<u8> {
    let terminator = ::csv::Terminator::Any(end);
    let mut writer = ::csv::WriterBuilder::new().terminator(terminator).from_writer(Vec::new());
    let in_memory = "writing to memory does not fail";
    writer.write_record(fields).expect(in_memory);
    writer.into_inner().expect(in_memory)
}
