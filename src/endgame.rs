//! An endgame, solved: the front of the library for those who want results in a few lines.

use lucena_attributes::{AttributeSet, Selection, UnknownAttribute, UnknownQuantity};
use lucena_base::progress::Stopped;
use lucena_chess::{FenError, HalfmoveClock, Material, ParseMaterialError, Position, QUICK_MEN};
use lucena_dataset::{Dataset, DatasetError, Positions};
use lucena_explain::{ExplainError, Explanation, explain};
use lucena_model::Model;
use lucena_proof::guarantee::VerifyError;
use lucena_proof::policy::{EndgameModel, Policy, Unplayable};
use lucena_proof::{Proof, ProveError, prove};
use lucena_tablebase::{ProbeError, Tablebase};
use lucena_theory::TheoryError;

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
    /// The endgame has more than four men.
    #[error(
        "{0} has more than four men, which takes long to solve: call lucena::tablebase::Tablebase::solve"
    )]
    TooManyMen(Material),
    /// The rows cannot be made.
    #[error(transparent)]
    Rows(#[from] DatasetError),
    /// The model does not play this endgame.
    #[error(transparent)]
    Model(#[from] Unplayable),
    /// The policy cannot be proved.
    #[error(transparent)]
    Prove(#[from] ProveError),
    /// The position cannot be looked up.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The FEN is not that of a position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The move cannot be explained.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// An attribute is unknown.
    #[error(transparent)]
    Attribute(#[from] UnknownAttribute),
    /// A quantity is unknown.
    #[error(transparent)]
    Quantity(#[from] UnknownQuantity),
    /// A model that a search has found cannot be proved.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// No tree can be found.
    #[error(transparent)]
    Theory(#[from] TheoryError),
    /// A table file can no longer be read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// There is nothing to search for.
    #[error(
        "nothing can be searched for in {0}: the strong side wins from no position, or none of the numbers distinguishes two moves; choose another endgame, or other numbers"
    )]
    NothingToSearch(Material),
}

impl Endgame {
    /// Solves an endgame, for example "KRvK".
    ///
    /// # Errors
    /// If the name is not that of an endgame, or if it has more than four men.
    pub fn solve(material: &str) -> Result<Self, Error> {
        let material: Material = material.parse()?;
        if material.men() > QUICK_MEN {
            return Err(Error::TooManyMen(material));
        }
        Ok(Self { tablebase: Tablebase::solve(material) })
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

    /// Explains the move of a model in a position, given as a FEN. With the weak side to move, for which no model moves,
    /// the table explains the best move.
    ///
    /// # Errors
    /// If the FEN is not that of a position of this endgame, the game is over, or the model is for another endgame.
    pub fn explain<M>(&self, model: &M, fen: &str) -> Result<Explanation, Error>
    where
        M: Clone + Into<Model>,
    {
        let (position, policy): (Position, _) = (fen.parse()?, self.policy(model)?);
        let verdicts = self.tablebase.verdicts(&position, HalfmoveClock::ZERO)?;
        Ok(explain(&*policy, &policy.name(), &self.tablebase, &verdicts, &[])?)
    }
}
