//! An endgame as an argument: its name, or its tablebase.

use crate::argument::one_of_types;
use crate::error::{LucenaError, Result};
use crate::progress::run;
use crate::tablebase::Tablebase;
use lucena::chess::Material;
use lucena::tablebase::{Metric, TableFolder, Tablebase as Table};
use pyo3::prelude::*;
use std::sync::Arc;

/// An argument that selects an endgame.
pub(crate) enum Endgame {
    /// A solved endgame.
    Solved(Py<Tablebase>),
    /// The name of an endgame, which is then solved.
    Named(String),
}

one_of_types!(Endgame: Solved, Named = "an endgame: give its name, such as \"KRvK\", or a Tablebase");

impl From<&str> for Endgame {
    fn from(name: &str) -> Self {
        Self::Named(name.into())
    }
}

impl Endgame {
    /// The material, which may have up to seven men.
    pub(crate) fn material(&self) -> Result<Material> {
        match self {
            Self::Solved(tablebase) => Ok(tablebase.get().table().material()),
            Self::Named(name) => Ok(Material::from_name(name)?),
        }
    }

    /// The table of a metric, solved if needed.
    pub(crate) fn table(&self, py: Python<'_>, metric: Metric) -> Result<Arc<Table>> {
        match self {
            Self::Solved(tablebase) if tablebase.get().table().metric() != metric => {
                let words = format!(
                    "this needs a table of the other metric: solve the endgame with metric=\"{metric}\", or give its name"
                );
                Err(LucenaError::new_err(words).into())
            }
            Self::Solved(tablebase) => Ok(tablebase.get().table()),
            Self::Named(name) => {
                let material: Material = name.parse()?;
                let folder = TableFolder::in_memory().of_metric(metric);
                Ok(Arc::new(run(py, |observer| folder.tablebase(material, observer))??))
            }
        }
    }
}
