//! The card of a data set: what a file holds and how it was made, as Croissant, the metadata format of
//! OpenML, Hugging Face and Kaggle: JSON-LD with the words of schema.org.

use super::day::Day;
use super::format::Format;
use super::heading::Heading;
use super::written::Written;
use crate::attributes::Depth;
use crate::words::{count, grouped};
use serde_json::{Value, json};

/// What is told of a file.
///
/// Columns, classes, rows and sums are those of the file. A version is that of this library, and there is no
/// date in it unless one is given: the same file has the same card.
#[derive(Debug, Clone, Copy)]
pub struct Card<'a> {
    /// The columns and the classes.
    pub heading: &'a Heading,
    /// The format of the file.
    pub format: Format,
    /// What has been written into it.
    pub written: &'a Written,
    /// The name of the file, without a folder.
    pub file: &'a str,
    /// The command that made it, as it can be given again.
    pub command: &'a str,
    /// The seed by which positions were drawn and divided.
    pub seed: u64,
    /// The day of publication; Croissant asks for one once the data are published.
    pub published: Option<Day>,
}

impl Card<'_> {
    /// What the card of a file is called.
    ///
    /// ```
    /// assert_eq!(lucena::dataset::Card::name_for("KRvK.csv"), "KRvK.csv.croissant.json");
    /// ```
    pub fn name_for(file: &str) -> String {
        format!("{file}.croissant.json")
    }

    /// The card as JSON-LD, for people to read too.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.value()).expect("keys are texts");
        text.push('\n');
        text
    }

    fn value(&self) -> Value {
        let Self { heading, file, written, .. } = self;
        let version = env!("CARGO_PKG_VERSION");
        let material = heading.name();
        let (rows, attributes) = (grouped(written.rows), heading.attributes as u64);
        let attributes = count(attributes, "attribute", "attributes");
        let mut card = json!({
            "@context": context(),
            "@type": "sc:Dataset",
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "name": file,
            "description": format!(
                "{rows} positions of the chess endgame {material} with the weak side to move, by {attributes}. The class is what perfect play makes of a position: a draw, or the moves until the weak side is mated."
            ),
            "version": version,
            "license": ["https://spdx.org/licenses/MIT.html", "https://spdx.org/licenses/Apache-2.0.html"],
            "creator": { "@type": "sc:Organization", "name": "lucena" },
            "keywords": ["chess", "endgame", "tablebase", material],
            "citeAs": format!(
                "@misc{{lucena, title = {{The chess endgame {material}, solved and described by lucena}}, note = {{lucena {version}}}}}"
            ),
            "isLiveDataset": false,
            "size": { "@type": "sc:QuantitativeValue", "value": written.rows, "unitText": "rows" },
            "prov:wasGeneratedBy": {
                "@type": "prov:Activity",
                "name": "lucena dataset",
                "description": self.command,
                "additionalProperty": {
                    "@type": "sc:PropertyValue", "name": "seed", "value": self.seed,
                },
            },
            "distribution": [{
                "@type": "cr:FileObject",
                "@id": file,
                "name": file,
                "contentUrl": file,
                "contentSize": format!("{} B", written.bytes),
                "encodingFormat": encoding(self.format),
                "sha256": written.sha256,
            }],
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

    /// What each column says and between which values.
    fn variables(&self) -> Vec<Value> {
        let columns = self.heading.columns().iter().map(|column| {
            json!({
                "@type": "sc:PropertyValue",
                "name": column.name,
                "description": column.meaning,
                "minValue": column.low,
                "maxValue": column.high,
            })
        });
        columns.collect()
    }

    /// The classes, and the rows where Croissant can say how they are read.
    fn record_sets(&self) -> Vec<Value> {
        let mut sets = vec![self.classes()];
        if matches!(self.format, Format::Csv | Format::Parquet) {
            sets.push(self.rows());
        }
        sets
    }

    fn classes(&self) -> Value {
        let classes = self.heading.classes().iter().zip(&self.written.by_class).enumerate();
        let records = classes.map(|(number, (name, rows))| {
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
        let field = |name: &str, meaning: &str, kind: &str| {
            json!({
                "@type": "cr:Field",
                "@id": format!("rows/{name}"),
                "name": name,
                "description": meaning,
                "dataType": kind,
                "source": {
                    "fileObject": { "@id": self.file },
                    "extract": { "column": name },
                },
            })
        };
        let columns = self.heading.columns().iter().enumerate().map(|(at, column)| {
            let kind = if self.heading.is_text(at) { "sc:Text" } else { "sc:Integer" };
            field(&column.name, &column.meaning, kind)
        });
        let class = field(
            Depth::NAME,
            "the class: draw, lost, or the moves until the weak side is mated",
            "sc:Text",
        );
        json!({
            "@type": "cr:RecordSet",
            "@id": "rows",
            "name": "rows",
            "description": "A row for each position",
            "field": columns.chain([class]).collect::<Vec<_>>(),
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

/// What the words of a card mean: the context that Croissant 1.0 recommends, and PROV for how a file was made.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "equivalentProperty": "cr:equivalentProperty",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "extract": "cr:extract",
        "field": "cr:field",
        "fileObject": "cr:fileObject",
        "fileProperty": "cr:fileProperty",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "prov": "http://www.w3.org/ns/prov#",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
