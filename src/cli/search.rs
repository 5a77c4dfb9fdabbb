//! What the verbs that search for a model have in common: how long they search, and what they do with the result.

use super::number::{number, number_of};
use super::output::{check_outputs, write};
use super::terminal::note;
use super::{Failure, Result, interrupt};
use lucena::guarantee::VerifyError;
use lucena::measure::{Acceptance, Annealing, MiningResult};
use lucena::progress::{Budget, Observer, SearchSettings};
use lucena::proof::Proof;
use lucena_files::update_file;
use std::path::Path;
use std::time::Duration;

/// Options of the verbs that search for something small.
#[derive(clap::Args)]
pub(super) struct Effort {
    /// The duration of the search, in seconds
    #[arg(long, value_name = "S", default_value_t = 60, conflicts_with = "candidates", value_parser = number_of::<u64>("seconds", ..))]
    seconds: u64,
    /// The number of candidates to try: the same number finds the same result on any machine
    #[arg(long, value_name = "N", value_parser = number_of::<u64>("candidates", ..))]
    candidates: Option<u64>,
    /// The seed of the search
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    pub(super) seed: u64,
    /// The number of parallel searches
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number_of::<u8>("searches", 1..=64))]
    chains: u8,
}

impl Effort {
    /// Returns true if no candidate may be tried.
    pub(super) fn is_nothing(&self) -> bool {
        self.candidates == Some(0)
    }

    /// Begins a search.
    pub(super) fn search<'o>(&self, observer: &'o dyn Observer) -> Annealing<'o> {
        let time = Budget::Time(Duration::from_secs(self.seconds));
        let budget = self.candidates.map_or(time, Budget::Candidates);
        let chains = self.chains.into();
        Annealing::new(SearchSettings { seed: self.seed, budget, chains }, observer)
    }
}

/// The files of a search.
#[derive(Clone, Copy)]
pub(super) struct ModelFiles<'a> {
    /// The file of the best model.
    pub(super) out: Option<&'a Path>,
    /// The file of the best attempt, if there is no model.
    pub(super) draft: Option<&'a Path>,
}

impl ModelFiles<'_> {
    /// Checks that the files can be written.
    pub(super) fn check(self) -> Result<()> {
        check_outputs(&[("--out", self.out), ("--draft", self.draft)])
    }

    /// Proves a model that a search has found, and writes it if there is a file.
    pub(super) fn accept(
        self,
        verify: impl FnOnce() -> Result<Proof, VerifyError>,
        to_json: impl FnOnce() -> String,
    ) -> Result<Acceptance> {
        match verify() {
            Ok(_) => {
                if let Some(path) = self.out {
                    update_file(path, to_json().as_bytes())?;
                }
                Ok(Acceptance::Accepted)
            }
            // The search counts wins only. It may yet find a model that holds the draws.
            Err(error @ VerifyError::Broken { .. }) => {
                note(&format!("{error}; the search goes on"));
                Ok(Acceptance::Refused)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the model that a search has found, after it has been written if there is a file. If there is none, writes the best attempt, and says how to continue, by
    /// `advice` if there is no such file.
    pub(super) fn model<'r, M, T>(
        self,
        found: &'r MiningResult<M, T>,
        to_json: impl FnOnce(&M) -> String,
        failure: &str,
        advice: &str,
    ) -> Result<&'r M> {
        if let Some(model) = &found.model {
            if let Some(path) = self.out {
                write(path, to_json(model).as_bytes())?;
            }
            return Ok(model);
        }
        let hint = match (self.draft, &found.draft) {
            (Some(path), Some(draft)) => {
                write(path, to_json(draft).as_bytes())?;
                format!("continue with --from {}", path.display())
            }
            _ => advice.into(),
        };
        note(&format!("{failure}: {hint}"));
        Err(if interrupt::is_requested() { Failure::Stopped } else { Failure::Check })
    }
}

/// Returns the proof of a result, and whether it meets what was asked for.
pub(super) fn proof_of(verified: Result<Proof, VerifyError>) -> Result<(Proof, bool)> {
    match verified {
        Ok(proof) => Ok((proof, true)),
        Err(VerifyError::Broken { proof, .. }) => Ok((*proof, false)),
        Err(error) => Err(error.into()),
    }
}

/// Ends a verb whose report has been written.
pub(super) fn finish(is_well: bool) -> Result<()> {
    match is_well {
        _ if interrupt::is_requested() => Err(Failure::Stopped),
        true => Ok(()),
        false => Err(Failure::Check),
    }
}
