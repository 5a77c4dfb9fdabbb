//! Apache Parquet: numbers as bytes, letters and classes as text, in groups of rows.

use super::chunk::Chunk;
use super::heading::Heading;
use super::rows::Rows;
use super::written::Tally;
use crate::attributes::Depth;
use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use ::parquet::data_type::ByteArray;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use ::parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use ::parquet::schema::types::{ColumnDescPtr, Type};
use bytes::Bytes;
use rayon::prelude::*;
use std::io::{self, Write};
use std::mem::take;
use std::sync::Arc;

/// How many rows make a group, at least: what is in memory at a time.
const GROUP: usize = 1 << 17;

/// Writes rows. Nothing in the file but the rows and the writer's version can make it differ from
/// another. Values from so small domains are put into a few bits by their dictionaries; compression
/// would gain little on top of that.
pub(super) fn write(rows: &Rows<'_>, tally: &mut Tally<'_>) -> io::Result<()> {
    let heading = &rows.heading;
    let properties = WriterProperties::builder()
        .set_created_by(concat!("lucena version ", env!("CARGO_PKG_VERSION")).into())
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();
    // What has been encoded passes through memory group by group, and goes to the tally from there.
    let mut file = SerializedFileWriter::new(Vec::new(), schema(heading)?, properties.into())?;
    let mut group = Chunk::with_capacity(heading.columns.len(), GROUP);
    let mut add = |chunk: Chunk| -> io::Result<()> {
        tally.count(&chunk.targets);
        group.append(&chunk);
        if group.rows() >= GROUP {
            write_group(&mut file, heading, &group)?;
            tally.write_all(&take(file.inner_mut()))?;
            group.clear();
        }
        Ok(())
    };
    rows.visit(|chunk| chunk, &mut add)?;
    if group.rows() > 0 {
        write_group(&mut file, heading, &group)?;
    }
    tally.write_all(&file.into_inner()?)
}

/// The columns and, last, the class.
fn schema(heading: &Heading) -> Result<Arc<Type>> {
    let required = |name: &str, physical, logical| {
        let column = Type::primitive_type_builder(name, physical);
        let column = column.with_repetition(Repetition::REQUIRED).with_logical_type(Some(logical));
        column.build().map(Arc::new)
    };
    let text = |name: &str| required(name, Physical::BYTE_ARRAY, LogicalType::String);
    let number = |name: &str| required(name, Physical::INT32, LogicalType::integer(8, false));
    let column = |(at, column): (usize, &lucena_tree::Column)| match heading.is_text(at) {
        true => text(&column.name),
        false => number(&column.name),
    };
    let columns = heading.columns.iter().enumerate().map(column);
    let fields = columns.chain([text(Depth::NAME)]).collect::<Result<_>>()?;
    Type::group_type_builder(&heading.name).with_fields(fields).build().map(Arc::new)
}

/// Adds a group of rows, its columns encoded side by side.
fn write_group(
    file: &mut SerializedFileWriter<Vec<u8>>,
    heading: &Heading,
    group: &Chunk,
) -> Result<()> {
    let descriptors = file.schema_descr().columns().to_vec();
    let properties = Arc::clone(file.properties());
    let encode = |(at, descriptor): (usize, ColumnDescPtr)| {
        let values = match group.columns.get(at) {
            Some(column) if heading.is_text(at) => Values::text(column, &heading.texts[at]),
            Some(column) => Values::Numbers(column.iter().copied().map(i32::from).collect()),
            None => Values::text(&group.targets, &heading.classes),
        };
        values.encoded(descriptor, &properties)
    };
    let encoded: Vec<(Bytes, ColumnCloseResult)> =
        descriptors.into_par_iter().enumerate().map(encode).collect::<Result<_>>()?;
    let mut rows = file.next_row_group()?;
    for (bytes, closed) in encoded {
        rows.append_column(&bytes, closed)?;
    }
    rows.close()?;
    file.flush()?;
    Ok(())
}

/// The values of a column, as Parquet has them.
enum Values {
    Numbers(Vec<i32>),
    Texts(Vec<ByteArray>),
}

impl Values {
    fn text(column: &[u8], texts: &[String]) -> Self {
        let texts: Vec<ByteArray> = texts.iter().map(|text| text.as_str().into()).collect();
        Self::Texts(column.iter().map(|&value| texts[usize::from(value)].clone()).collect())
    }

    fn encoded(
        &self,
        descriptor: ColumnDescPtr,
        properties: &WriterPropertiesPtr,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let pages = Box::new(SerializedPageWriter::new(&mut bytes));
        let closed = match (self, get_column_writer(descriptor, Arc::clone(properties), pages)) {
            (Self::Numbers(values), ColumnWriter::Int32ColumnWriter(mut writer)) => {
                writer.write_batch(values, None, None)?;
                writer.close()?
            }
            (Self::Texts(values), ColumnWriter::ByteArrayColumnWriter(mut writer)) => {
                writer.write_batch(values, None, None)?;
                writer.close()?
            }
            _ => return Err(ParquetError::General("a column is not of its type".into())),
        };
        Ok((bytes.into_inner()?.into(), closed))
    }
}
