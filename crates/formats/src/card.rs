//! The card of a data set: contents and origin of its files, in Croissant, the metadata format of
//! OpenML, Hugging Face and Kaggle: JSON-LD with the vocabulary of schema.org.

use super::day::Day;
use super::format::Format;
use lucena_base::plural::{count, grouped};
use lucena_chess::{Material, Side};
use lucena_dataset::{DatasetSchema, FileSummary, WriteSummary};
use lucena_tablebase::DistanceClass;
use lucena_tree::Column;
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
        // The one that Croissant 1.0 recommends, and PROV for the origin of a file.
        let context = serde_json::from_str::<Value>(include_str!("context.json"));
        let context = context.expect("the file is JSON");
        let version = env!("CARGO_PKG_VERSION");
        let material = &heading.name;
        let rows: u64 = self.written().map(|written| written.rows).sum();
        let attributes = count(heading.attributes as u64, "attribute", "attributes");
        let name = match self.files {
            CardFiles::One(file) => &file.name,
            CardFiles::Parts(_) => material,
        };
        let turn = match self.turns {
            [Side::Weak] => "the weak side to move",
            [Side::Strong] => "the strong side to move",
            _ => "either side to move",
        };
        let mut card = json!({
            "@context": context,
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": name,
            "description": format!(
                "{} positions of the chess endgame {material} with {turn}, by {attributes}. The class is what perfect play makes of a position: a draw, or the moves until the weak side is mated.",
                grouped(rows)
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

    /// The meaning and range of each column.
    fn variables(&self) -> Vec<Value> {
        let variable = |Column { name, low, high, meaning }: &Column| {
            json!({
                "@type": "sc:PropertyValue", "name": name, "description": meaning,
                "minValue": low, "maxValue": high,
            })
        };
        self.heading.columns.iter().map(variable).collect()
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
        let field = |name: &str, kind: &str, description: &str| {
            let id = format!("classes/{name}");
            json!({
                "@type": "cr:Field", "@id": id, "name": name, "description": description, "dataType": kind,
            })
        };
        json!({
            "@type": "cr:RecordSet",
            "@id": "classes",
            "name": "classes",
            "description": "What perfect play makes of a position, in the order of the published data",
            "dataType": "sc:Enumeration",
            "key": { "@id": "classes/name" },
            "field": [
                field("name", "sc:Text", "draw, lost, or the moves until the weak side is mated"),
                field("number", "sc:Integer", "the label that stands for it in LIBSVM's format"),
                field("rows", "sc:Integer", "how many rows of the file are of this class"),
            ],
            "data": records.collect::<Vec<_>>(),
        })
    }

    fn rows(&self) -> Value {
        let from = |name: &str, meaning: &str, kind: &str, source: Value| {
            let id = format!("rows/{name}");
            json!({
                "@type": "cr:Field", "@id": id, "name": name, "description": meaning,
                "dataType": kind, "source": source,
            })
        };
        let field = |name: &str, meaning: &str, kind: &str| {
            let (files, id) = match self.files {
                CardFiles::One(file) => ("fileObject", file.name.as_str()),
                CardFiles::Parts(_) => ("fileSet", PARTS),
            };
            let source = json!({ files: { "@id": id }, "extract": { "column": name } });
            from(name, meaning, kind, source)
        };
        let of_folder = |name: &str, meaning: &str| {
            let source = json!({
                "fileSet": { "@id": PARTS },
                "extract": { "fileProperty": "fullpath" },
                "transform": { "regex": format!(".*{name}=([^/]*)/.*") },
            });
            from(name, meaning, "sc:Text", source)
        };
        let of_folders = match self.files {
            CardFiles::One(_) => vec![],
            CardFiles::Parts(_) => vec![
                of_folder("material", "the endgame"),
                of_folder("turn", "who is to move: white is the strong side"),
            ],
        };
        let columns = self.heading.columns.iter().enumerate().map(|(at, column)| {
            let kind = if self.heading.is_text(at) { "sc:Text" } else { "sc:Integer" };
            field(&column.name, &column.meaning, kind)
        });
        let class = field(
            DistanceClass::NAME,
            "the class: draw, lost, or the moves until the weak side is mated",
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

/// The media type of a format.
fn encoding(format: Format) -> &'static str {
    match format {
        Format::Csv | Format::Krkopt => "text/csv",
        Format::Arff | Format::ArffNominal => "text/x-arff",
        Format::Parquet => "application/x-parquet",
        Format::Libsvm => "text/plain",
    }
}
