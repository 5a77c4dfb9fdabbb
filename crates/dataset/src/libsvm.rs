//! The LIBSVM format: the class number, then `attribute:value` for every non-zero value, with the
//! attributes numbered from 1.

use super::heading::Heading;
use super::lines::Lines;

impl Lines {
    /// The LIBSVM format.
    pub fn libsvm(heading: &Heading) -> Self {
        let cells = |(column, texts): (usize, &Vec<String>)| {
            let cell = |value: usize| match value {
                0 => Vec::new(),
                value => format!(" {}:{value}", column + 1).into_bytes(),
            };
            (0..texts.len()).map(cell).collect()
        };
        Self {
            head: Vec::new(),
            starts: (0..heading.classes.len()).map(|class| class.to_string().into()).collect(),
            cells: heading.texts.iter().enumerate().map(cells).collect(),
            ends: vec![b"\n".to_vec(); heading.classes.len()],
        }
    }
}
