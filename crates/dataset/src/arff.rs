//! ARFF, the format of Weka and OpenML: declarations of the attributes, then the rows, with the class
//! last.

use super::csv::field;
use super::heading::{Heading, Measure};
use super::lines::Lines;
use lucena_tablebase::DistanceClass;

/// The way an ARFF file declares its attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Declaration {
    /// Numbers as numeric; letters and yes or no as nominal.
    AsTheyAre,
    /// All nominal, as Weka's Id3 requires.
    Nominal,
}

impl Lines {
    /// The ARFF format. No name or value contains a character that would need quotes.
    pub fn arff(heading: &Heading, declared: Declaration) -> Self {
        let mut head = format!("@relation {}\n\n", heading.name);
        for (number, column) in heading.columns.iter().enumerate() {
            let kind = match (declared, heading.measure(number)) {
                (Declaration::AsTheyAre, Measure::Numeric) => "numeric".into(),
                _ => nominal(heading.values(number)),
            };
            head += &format!("% {}\n@attribute {} {kind}\n", column.meaning, column.name);
        }
        head += "% the moves of the strong side until the weak side is mated\n";
        head +=
            &format!("@attribute {} {}\n\n@data\n", DistanceClass::NAME, nominal(&heading.classes));
        Self { head: head.into_bytes(), ..Self::csv(heading) }
    }
}

fn nominal(values: &[String]) -> String {
    let fields = values.iter().map(|value| String::from_utf8(field(value, b',')));
    let list: String = fields.map(|field| field.expect("text")).collect();
    format!("{{{}}}", list.trim_end_matches(','))
}
