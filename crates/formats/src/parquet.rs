//! Apache Parquet: numbers as bytes, letters and classes as text, in row groups.

mod bit_packing;
mod column;

use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::errors::Result;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type};
use bytes::Bytes;
use column::Domain;
use lucena_attributes::ValueEncoding;
use lucena_dataset::{
    Chunk, CountingWriter, DatasetSchema, Orbit, Rows, WriteSummary, WrittenColumn, in_order,
};
use lucena_model::Class;
use std::io::{self, Write};
use std::mem::take;
use std::ops::Range;
use std::sync::Arc;

/// The greatest number of rows in a row group: what a thread holds in memory at a time. Parallel
/// readers take a row group each.
const GROUP: usize = 1 << 17;

/// Writes rows into one file.
pub(super) fn write_file(
    rows: &Rows<'_>,
    encoding: ValueEncoding,
    out: &mut dyn Write,
) -> io::Result<WriteSummary> {
    let mut out = Some(out);
    let whole = std::iter::once(rows.orbits_len());
    let mut written =
        write_files(rows, encoding, whole, || Ok(out.take().expect("there is one file")))?;
    Ok(written.pop().expect("a file has at least one group"))
}

/// Writes rows in order into files with the given numbers of orbits. Each row group is made and encoded
/// by one thread, while other threads make the next ones.
///
/// The files depend on nothing but the rows and the writer's version. Dictionaries encode values of
/// such small domains in a few bits; compression would gain little on top of that.
pub(super) fn write_files<W: Write>(
    rows: &Rows<'_>,
    encoding: ValueEncoding,
    files: impl Iterator<Item = usize>,
    mut open: impl FnMut() -> io::Result<W>,
) -> io::Result<Vec<WriteSummary>> {
    let form = FileLayout::new(rows.heading(), encoding)?;
    let mut orbits = rows.orbits();
    let in_group = GROUP / rows.group().symmetries().len();
    let groups =
        files.flat_map(|orbits| even(orbits, orbits.div_ceil(in_group).max(1)).enumerate());
    let tasks = groups.map(|(number, range)| {
        (number == 0, orbits.by_ref().take(range.len()).collect::<Vec<Orbit>>())
    });
    let (mut written, mut unfinished) = (Vec::new(), None);
    let mut finish = |file: Option<File<W>>| -> io::Result<()> {
        written.extend(file.map(File::finish).transpose()?);
        Ok(())
    };
    let encode = |(is_first, orbits): (bool, Vec<Orbit>)| (is_first, form.group(rows, &orbits));
    in_order(tasks, 2, encode, |(is_first, group)| -> io::Result<()> {
        if is_first {
            finish(unfinished.take())?;
            unfinished = Some(File::new(&form, open()?)?);
        }
        let file = unfinished.as_mut().expect("the first group of a file opens it");
        file.add(group?)
    })?;
    finish(unfinished)?;
    Ok(written)
}

/// Divides `things` into ranges of equal length, give or take one.
pub(super) fn even(things: usize, ranges: usize) -> impl Iterator<Item = Range<usize>> {
    let end = move |number: usize| (things as u128 * number as u128 / ranges as u128) as usize;
    (0..ranges).map(move |number| end(number)..end(number + 1))
}

/// The schema and properties that all files of a data set share.
struct FileLayout {
    schema: Arc<Type>,
    properties: WriterPropertiesPtr,
    /// The columns and, last, the class.
    domains: Vec<Domain>,
    descriptors: Vec<ColumnDescPtr>,
    classes: usize,
}

/// An encoded row group.
struct RowGroup {
    columns: Vec<(Bytes, ColumnCloseResult)>,
    targets: Vec<Class>,
}

impl FileLayout {
    fn new(heading: &DatasetSchema, encoding: ValueEncoding) -> Result<Self> {
        let columns = heading.columns_in(encoding);
        let column = |column: &WrittenColumn| match column.is_text() {
            true => Domain::texts(&column.name, column.low, &column.values),
            false => Domain::numbers(&column.name, column.low, column.high()),
        };
        let columns = columns.iter().map(column);
        let class = Domain::texts(heading.target.column(), 0, &heading.classes);
        let domains: Vec<Domain> = columns.chain([class]).collect();
        let fields = domains.iter().map(Domain::declared).collect::<Result<_>>()?;
        let schema = Type::group_type_builder(&heading.name).with_fields(fields).build()?;
        let schema = Arc::new(schema);
        let program = concat!("lucena version ", env!("CARGO_PKG_VERSION"));
        let properties = WriterProperties::builder().set_created_by(program.into()).build();
        Ok(Self {
            descriptors: SchemaDescriptor::new(Arc::clone(&schema)).columns().to_vec(),
            schema,
            properties: properties.into(),
            domains,
            classes: heading.classes.len(),
        })
    }

    /// Makes and encodes the rows of some orbits.
    fn group(&self, rows: &Rows<'_>, orbits: &[Orbit]) -> Result<RowGroup> {
        let Chunk { columns, targets, .. } = rows.chunk(orbits);
        let all = columns.iter().chain([&targets]).zip(&self.domains).zip(&self.descriptors);
        let encoded = all.map(|((values, domain), of)| domain.encoded(values, Arc::clone(of)));
        Ok(RowGroup { columns: encoded.collect::<Result<_>>()?, targets })
    }
}

/// A file being written. Encoded data stay in memory for one row group only.
struct File<W: Write> {
    file: SerializedFileWriter<Vec<u8>>,
    tally: CountingWriter<W>,
}

impl<W: Write> File<W> {
    fn new(form: &FileLayout, out: W) -> Result<Self> {
        let (schema, properties) = (Arc::clone(&form.schema), Arc::clone(&form.properties));
        let file = SerializedFileWriter::new(Vec::new(), schema, properties)?;
        Ok(Self { file, tally: CountingWriter::new(out, form.classes) })
    }

    fn add(&mut self, group: RowGroup) -> io::Result<()> {
        self.tally.count(&group.targets);
        let mut rows = self.file.next_row_group()?;
        for (bytes, closed) in group.columns {
            rows.append_column(&bytes, closed)?;
        }
        rows.close()?;
        self.file.flush()?;
        self.tally.write_all(&take(self.file.inner_mut()))
    }

    fn finish(mut self) -> io::Result<WriteSummary> {
        self.tally.write_all(&self.file.into_inner()?)?;
        self.tally.finish()
    }
}
