//! The card of a data set: contents and origin of its files, in Croissant, the metadata format of
//! OpenML, Hugging Face and Kaggle: JSON-LD with the vocabulary of schema.org.

use super::format::Format;
use lucena_base::day::Day;
use lucena_base::plural::{count, grouped};
use lucena_chess::{Material, Side};
use lucena_dataset::{DatasetSchema, FileSummary, WriteSummary, WrittenColumn};
use serde_json::{Value, json};

/// The data described by a card.
///
/// Columns, classes, rows and checksums are those of the files. The version is that of this library.
/// There is no date unless one is given, so the same files have the same card.
#[derive(Debug, Clone, Copy)]
pub struct Card<'a> {
    /// The columns and the classes.
    pub heading: &'a DatasetSchema,
    /// The sides to move in the rows.
    pub turns: &'a [Side],
    /// The format of the files.
    pub format: Format,
    /// The files.
    pub files: CardFiles<'a>,
    /// The command that made the files, so that it can be run again.
    pub command: &'a str,
    /// The seed of sampling and division.
    pub seed: u64,
    /// The day of publication; Croissant requires one once the data are published.
    pub published: Option<Day>,
}

/// The files that a card describes.
#[derive(Debug, Clone, Copy)]
pub enum CardFiles<'a> {
    /// One file beside the card.
    One(&'a FileSummary),
    /// Parts in folders beside the card. The folder names hold the material and the side to move.
    Parts(&'a [FileSummary]),
}

impl<'a> CardFiles<'a> {
    fn all(self) -> &'a [FileSummary] {
        match self {
            Self::One(file) => std::slice::from_ref(file),
            Self::Parts(parts) => parts,
        }
    }
}

/// The identifier of all parts together.
const PARTS: &str = "parts";

impl Card<'_> {
    /// The name of the card of a file.
    pub fn name_for(file: &str) -> String {
        format!("{file}.croissant.json")
    }

    /// The name of the card of a material's parts. It begins with `_`, so that programs that read all
    /// files of a folder skip it.
    pub fn name_for_parts(material: Material) -> String {
        Self::name_for(&format!("_{material}"))
    }

    /// The card as pretty-printed JSON-LD.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.value()).expect("keys are texts");
        text.push('\n');
        text
    }

    fn value(&self) -> Value {
        let heading = self.heading;
        let version = env!("CARGO_PKG_VERSION");
        let material = &heading.name;
        let rows: u64 = self.written().map(|written| written.rows).sum();
        let attributes = count(heading.attributes as u64, "attribute", "attributes");
        let selections = heading.selections.map_or_else(String::new, |selections| {
            let are = if selections.iter().count() == 1 { " is" } else { "s are" };
            format!(" The selection{are} {}.", selections.words())
        });
        let name = match self.files {
            CardFiles::One(file) => &file.name,
            CardFiles::Parts(_) => material,
        };
        let turn = match self.turns {
            [Side::Weak] => "the weak side to move",
            [Side::Strong] => "the strong side to move",
            _ => "either side to move",
        };
        let part = match &heading.part[..] {
            [] => String::new(),
            part => format!(" in which {}", part.join(" and ")),
        };
        let mut card = json!({
            "@context": context(),
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": name,
            "description": format!(
                "{} positions of the chess endgame {material} with {turn}{part}, by {attributes}.{selections} The class is what perfect play makes of a position: {}.",
                grouped(rows),
                heading.target.values()
            ),
            "version": version,
            "license": ["https://spdx.org/licenses/MIT.html", "https://spdx.org/licenses/Apache-2.0.html"],
            "creator": { "@type": "sc:Organization", "name": "lucena" },
            "keywords": ["chess", "endgame", "tablebase", material],
            "citeAs": format!(
                "@misc{{lucena, title = {{The chess endgame {material}, solved and described by lucena}}, note = {{lucena {version}}}}}"
            ),
            "isLiveDataset": false,
            "size": { "@type": "sc:QuantitativeValue", "value": rows, "unitText": "rows" },
            "prov:wasGeneratedBy": {
                "@type": "prov:Activity",
                "name": "lucena dataset",
                "description": self.command,
                "additionalProperty": {
                    "@type": "sc:PropertyValue", "name": "seed", "value": self.seed,
                },
            },
            "distribution": self.distribution(),
            "variableMeasured": self.variables(),
            "recordSet": self.record_sets(),
        });
        if material == "KRvK" {
            card["citation"] = "M. Bain, A. Hoff, Chess (King-Rook vs. King), UCI Machine Learning Repository, 1994".into();
        }
        if let Some(day) = self.published {
            card["datePublished"] = day.to_string().into();
        }
        card
    }

    fn written(&self) -> impl Iterator<Item = &WriteSummary> {
        self.files.all().iter().map(|file| &file.written)
    }

    /// Every file and, if they are parts, the set of all files.
    fn distribution(&self) -> Vec<Value> {
        let file = |FileSummary { name, written }: &FileSummary| {
            json!({
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "contentSize": format!("{} B", written.bytes),
                "encodingFormat": encoding(self.format),
                "sha256": written.sha256,
            })
        };
        let whole = match self.files {
            CardFiles::One(_) => None,
            CardFiles::Parts(_) => Some(json!({
                "@type": "cr:FileSet",
                "@id": PARTS,
                "name": PARTS,
                "encodingFormat": encoding(self.format),
                "includes": format!("material={}/*/*.parquet", self.heading.name),
            })),
        };
        self.files.all().iter().map(file).chain(whole).collect()
    }

    /// The columns as the files write them.
    fn columns(&self) -> Vec<WrittenColumn> {
        self.heading.columns_in(self.format.encoding())
    }

    /// The meaning and range of each column.
    fn variables(&self) -> Vec<Value> {
        let columns = self.columns().into_iter().map(|column| {
            let [least, greatest] = column.range().map(end);
            json!({
                "@type": "sc:PropertyValue",
                "name": column.name,
                "description": column.meaning,
                "minValue": least,
                "maxValue": greatest,
            })
        });
        columns.collect()
    }

    /// The classes; also the rows, if Croissant can describe how the format is read.
    fn record_sets(&self) -> Vec<Value> {
        let mut sets = vec![self.classes()];
        if matches!(self.format, Format::Csv | Format::Parquet) {
            sets.push(self.rows());
        }
        sets
    }

    fn classes(&self) -> Value {
        let records = self.heading.classes.iter().enumerate().map(|(number, name)| {
            let rows: u64 = self.written().map(|written| written.by_class[number]).sum();
            json!({ "classes/name": name, "classes/number": number, "classes/rows": rows })
        });
        let field = |name: &str, kind: &str, meaning: &str| field("classes", name, meaning, kind);
        json!({
            "@type": "cr:RecordSet",
            "@id": "classes",
            "name": "classes",
            "description": "What perfect play makes of a position, in the order of the class numbers",
            "dataType": "sc:Enumeration",
            "key": { "@id": "classes/name" },
            "field": [
                field("name", "sc:Text", self.heading.target.values()),
                field("number", "sc:Integer", "the label that stands for it in LIBSVM's format"),
                field("rows", "sc:Integer", "how many rows of the file are of this class"),
            ],
            "data": records.collect::<Vec<_>>(),
        })
    }

    fn rows(&self) -> Value {
        let sourced = |name: &str, meaning: &str, kind: &str, source: Value| {
            let mut field = field("rows", name, meaning, kind);
            field["source"] = source;
            field
        };
        let of_file = |name: &str, meaning: &str, kind: &str| {
            let (key, id) = match self.files {
                CardFiles::One(file) => ("fileObject", file.name.as_str()),
                CardFiles::Parts(_) => ("fileSet", PARTS),
            };
            let source = json!({ key: { "@id": id }, "extract": { "column": name } });
            sourced(name, meaning, kind, source)
        };
        let of_folder = |name: &str, meaning: &str| {
            let source = json!({
                "fileSet": { "@id": PARTS },
                "extract": { "fileProperty": "fullpath" },
                "transform": { "regex": format!(".*{name}=([^/]*)/.*") },
            });
            sourced(name, meaning, "sc:Text", source)
        };
        let of_folders = match self.files {
            CardFiles::One(_) => vec![],
            CardFiles::Parts(_) => vec![
                of_folder("material", "the endgame"),
                of_folder("turn", "who is to move: white is the strong side"),
            ],
        };
        let columns = self.columns();
        let columns = columns.iter().map(|column| {
            let kind = if column.is_text() { "sc:Text" } else { "sc:Integer" };
            of_file(&column.name, &column.meaning, kind)
        });
        let class = of_file(
            self.heading.target.column(),
            &format!("the class: {}", self.heading.target.values()),
            "sc:Text",
        );
        json!({
            "@type": "cr:RecordSet",
            "@id": "rows",
            "name": "rows",
            "description": "A row for each position",
            "field": columns.chain([class]).chain(of_folders).collect::<Vec<_>>(),
        })
    }
}

/// The end of a range: a number, with or without a sign, or a letter.
fn end(text: &str) -> Value {
    text.parse::<i64>().map_or_else(|_| text.into(), Value::from)
}

/// A field of a set of records.
fn field(set: &str, name: &str, meaning: &str, kind: &str) -> Value {
    json!({
        "@type": "cr:Field",
        "@id": format!("{set}/{name}"),
        "name": name,
        "description": meaning,
        "dataType": kind,
    })
}

/// The media type of a format.
fn encoding(format: Format) -> &'static str {
    match format {
        Format::Csv | Format::Krkopt => "text/csv",
        Format::Arff | Format::ArffNominal => "text/x-arff",
        Format::Parquet => "application/x-parquet",
        Format::Libsvm => "text/plain",
    }
}

/// The JSON-LD context: the one that Croissant 1.0 recommends, and PROV for the origin of a file.
fn context() -> Value {
    serde_json::from_str(include_str!("context.json")).expect("the file is JSON")
}
