//! A column chunk of a row group. Its dictionary is the column's domain, so a value's dictionary index
//! is known without a lookup.

use super::bit_packing::{bits_for, pack};
use ::parquet::basic::{Encoding, LogicalType, PageType, Repetition, Type as Physical};
use ::parquet::column::page::{CompressedPage, Page, PageWriter};
use ::parquet::column::writer::ColumnCloseResult;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::Result;
use ::parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use ::parquet::file::statistics::Statistics;
use ::parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use ::parquet::schema::types::{ColumnDescPtr, Type};
use bytes::Bytes;
use std::sync::Arc;

/// A column and its domain.
pub(super) struct Domain {
    name: String,
    low: u8,
    /// The text of each value, in ascending order of the values; `None` if values are numbers.
    texts: Option<Vec<ByteArray>>,
    /// The number of values, minus one.
    span: u8,
    /// The values in dictionary encoding.
    dictionary: Bytes,
}

impl Domain {
    /// A numeric domain.
    pub(super) fn numbers(name: &str, low: u8, high: u8) -> Self {
        let dictionary = (low..=high).flat_map(|value| i32::from(value).to_le_bytes()).collect();
        Self { name: name.into(), low, texts: None, span: high - low, dictionary }
    }

    /// A domain of texts, for the values from `low` on.
    pub(super) fn texts(name: &str, low: u8, texts: &[String]) -> Self {
        let entry = |text: &String| {
            let length = (text.len() as u32).to_le_bytes();
            [length.as_slice(), text.as_bytes()].concat()
        };
        let dictionary = texts.iter().flat_map(entry).collect();
        let span = (texts.len() - 1) as u8;
        let texts = Some(texts.iter().map(|text| text.as_str().into()).collect());
        Self { name: name.into(), low, texts, span, dictionary }
    }

    /// The column in the schema.
    pub(super) fn declared(&self) -> Result<Arc<Type>> {
        let (physical, logical) = match self.texts {
            Some(_) => (Physical::BYTE_ARRAY, LogicalType::String),
            None => (Physical::INT32, LogicalType::integer(8, false)),
        };
        let column = Type::primitive_type_builder(&self.name, physical);
        let column = column.with_repetition(Repetition::REQUIRED).with_logical_type(Some(logical));
        column.build().map(Arc::new)
    }

    /// Encodes values of the domain: a dictionary page, and a data page with the dictionary indices.
    ///
    /// # Panics
    /// If a value is outside the domain.
    pub(super) fn encoded(
        &self,
        values: &[u8],
        descriptor: ColumnDescPtr,
    ) -> Result<(Bytes, ColumnCloseResult)> {
        let statistics = self.statistics(values);
        let bits = bits_for(self.span);
        let mut numbers = Vec::with_capacity(values.len() * bits as usize / 8 + 64);
        numbers.push(bits as u8);
        pack(values, self.low, bits, &mut numbers);
        let dictionary = Page::DictionaryPage {
            buf: self.dictionary.clone(),
            num_values: u32::from(self.span) + 1,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let data = Page::DataPage {
            buf: numbers.into(),
            num_values: values.len() as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let mut bytes = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut bytes);
        let mut write = |page: Page| {
            let size = page.buffer().len();
            pages.write_page(CompressedPage::new(page, size))
        };
        let (dictionary, data) = (write(dictionary)?, write(data)?);
        pages.close()?;
        let bytes: Bytes = bytes.into_inner()?.into();
        let page = |page_type, encoding| PageEncodingStats { page_type, encoding, count: 1 };
        let metadata = ColumnChunkMetaData::builder(descriptor)
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_page_encoding_stats(vec![
                page(PageType::DICTIONARY_PAGE, Encoding::PLAIN),
                page(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY),
            ])
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(bytes.len() as i64)
            .set_num_values(values.len() as i64)
            .set_dictionary_page_offset(Some(dictionary.offset as i64))
            .set_data_page_offset(data.offset as i64)
            .set_statistics(statistics)
            .build()?;
        let closed = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: values.len() as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((bytes, closed))
    }

    /// The least and the greatest value, in the order of the texts if there are any.
    fn statistics(&self, values: &[u8]) -> Statistics {
        let low = values.iter().min().copied().unwrap_or(self.low);
        let high = values.iter().max().copied().unwrap_or(self.low);
        let Self { name, span, .. } = self;
        assert!(low >= self.low && high - self.low <= *span, "{name} has {low} to {high}");
        let Some(texts) = &self.texts else {
            let ends = [low, high].map(|value| Some(i32::from(value)));
            return Statistics::new(ends[0], ends[1], None, Some(0), false);
        };
        let mut is_there = [false; 256];
        values.iter().for_each(|&value| is_there[usize::from(value)] = true);
        let there = || (self.low..).zip(texts).filter(|(value, _)| is_there[usize::from(*value)]);
        let written = || there().map(|(_, text)| text);
        let order = |one: &&ByteArray, other: &&ByteArray| one.data().cmp(other.data());
        let (least, greatest) = (written().min_by(order), written().max_by(order));
        Statistics::new(least.cloned(), greatest.cloned(), None, Some(0), false)
    }
}
