//! LIBSVM's format: the number of the class, then `attribute:value` for all that is not zero, with the
//! attributes numbered from 1.

use super::heading::Heading;
use super::lines::Lines;

impl Lines {
    /// Rows as LIBSVM reads them.
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
