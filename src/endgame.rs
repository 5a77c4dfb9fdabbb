//! An endgame, solved: the front of the library for those who want results in a few lines.

use lucena_attributes::{AttributeSet, Selection};
use lucena_chess::{Material, ParseMaterialError};
use lucena_dataset::{Dataset, DatasetError, Positions};
use lucena_model::Model;
use lucena_proof::policy::{EndgameModel, Policy, Unplayable};
use lucena_proof::{Proof, ProveError, prove};
use lucena_tablebase::Tablebase;

/// An endgame of up to four men, solved to mate.
pub struct Endgame {
    tablebase: Tablebase,
}

/// The reason why something cannot be done with an endgame.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The name is not that of an endgame.
    #[error(transparent)]
    Material(#[from] ParseMaterialError),
    /// The rows cannot be made.
    #[error(transparent)]
    Rows(#[from] DatasetError),
    /// The model does not play this endgame.
    #[error(transparent)]
    Model(#[from] Unplayable),
    /// The policy cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
}

impl Endgame {
    /// Solves an endgame, for example "KRvK".
    ///
    /// # Errors
    /// If the name is not that of an endgame.
    pub fn solve(material: &str) -> Result<Self, Error> {
        Ok(Self { tablebase: Tablebase::solve(material.parse()?) })
    }

    /// The men.
    pub fn material(&self) -> Material {
        self.tablebase.material()
    }

    /// The exact outcome of every position.
    pub fn tablebase(&self) -> &Tablebase {
        &self.tablebase
    }

    /// A row for each position up to symmetry with the weak side to move: the values of the selected attributes, and the
    /// distance to mate as the class.
    ///
    /// # Errors
    /// Never for an endgame that is solved to mate.
    pub fn rows(&self, selection: Selection) -> Result<Dataset, Error> {
        let attributes = AttributeSet::new(self.material(), selection);
        Ok(Dataset::new(&self.tablebase, &attributes, Positions::Canonical)?)
    }

    /// The policy that plays by a model: a tree, a strategy or a measure.
    ///
    /// # Errors
    /// If the model is for another endgame, or uses a number that the endgame does not have.
    pub fn policy<M>(&self, model: &M) -> Result<Box<dyn Policy + '_>, Error>
    where
        M: Clone + Into<Model>,
    {
        Ok(EndgameModel::new(model.clone().into())?.policy(&self.tablebase)?)
    }

    /// Proves a model from every position, against every defence.
    ///
    /// # Errors
    /// If the model is for another endgame, or uses a number that the endgame does not have.
    pub fn prove<M: Clone + Into<Model>>(&self, model: &M) -> Result<Proof, Error> {
        Ok(prove(&*self.policy(model)?, &self.tablebase)?)
    }
}
