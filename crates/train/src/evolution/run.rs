use super::error::EvolutionError;
use super::gene::Gene;
use super::params::EvolutionParams;
use super::population::{Fought, Member, best, first, next, record};
use super::record::Record;
use super::selection::Selection;
use super::state::{Settings, State};
use lucena_base::work::{Progress, Watch};
use std::path::Path;

/// A population that evolves.
///
/// ```
/// use lucena_train::{Evolution, EvolutionParams, Gene, Measure, Selection};
/// use lucena_base::work::{Stopped, Unwatched, Watch};
///
/// /// The nearer to 300 the better.
/// struct Near;
///
/// impl Measure for Near {
///     fn measure(&self, genome: &[i32], _: &dyn Watch) -> Result<u64, Stopped> {
///         Ok(1000 - u64::from(genome[0].abs_diff(300)))
///     }
/// }
///
/// let params = EvolutionParams { generations: 60, mutation: 0.5, ..EvolutionParams::default() };
/// let genes = vec![Gene::new("number", 0, 0, 1000), Gene::fixed("other", 7)];
/// let evolution = Evolution::new("near", genes, params, Selection::Measured(&Near))?;
/// let evolved = evolution.run(None, &Unwatched)?;
/// assert!(evolved.best().genome[0].abs_diff(300) <= 10);
/// assert_eq!(evolved.best().genome[1], 7);
/// # Ok::<(), lucena_train::EvolutionError>(())
/// ```
pub struct Evolution<'a> {
    settings: Settings,
    params: EvolutionParams,
    selection: Selection<'a>,
}

/// The result of an evolution.
#[derive(Debug, Clone, PartialEq)]
pub struct Evolved {
    /// The genes.
    pub genes: Vec<Gene>,
    /// The last generation.
    pub members: Vec<Member>,
    /// The statistics of each generation, including the first.
    pub records: Vec<Record>,
}

impl Evolved {
    /// The best member: highest fitness, then most duels won, then oldest.
    ///
    /// # Panics
    /// If there are no members.
    pub fn best(&self) -> &Member {
        best(&self.members)
    }
}

impl<'a> Evolution<'a> {
    /// An evolution that has not begun. `what` describes what evolves and how it is selected: a
    /// saved state with another description is not resumed.
    ///
    /// # Errors
    /// If the population is too small, there is no generation, or no gene can change.
    pub fn new(
        what: impl Into<String>,
        genes: Vec<Gene>,
        params: EvolutionParams,
        selection: Selection<'a>,
    ) -> Result<Self, EvolutionError> {
        params.check()?;
        if genes.iter().all(Gene::is_fixed) {
            return Err(EvolutionError::NothingFree);
        }
        let settings = Settings::new(what.into(), genes, &params);
        Ok(Self { settings, params, selection })
    }

    /// Evolves the population to its last generation. With a file, the state is saved there after
    /// each generation, and resumed if the file exists. If the file is already past the last
    /// generation, it is returned as it is.
    ///
    /// # Errors
    /// If the file cannot be read or written, or belongs to another evolution; or if the work was
    /// stopped.
    pub fn run(&self, file: Option<&Path>, watch: &dyn Watch) -> Result<Evolved, EvolutionError> {
        let mut state = match file.filter(|path| path.exists()) {
            Some(path) => State::read(path, &self.settings)?,
            None => self.begin(file, watch)?,
        };
        while state.generation() < self.params.generations {
            watch.go_on()?;
            self.tell(&state, watch);
            let generation = state.generation() + 1;
            let (genes, params) = (&self.settings.genes, &self.params);
            let (members, fought) =
                next(&state.members, generation, genes, params, &self.selection, watch)?;
            state.records.push(record(&members, generation, fought));
            state.members = members;
            file.map(|path| state.write(path)).transpose()?;
        }
        self.tell(&state, watch);
        let State { settings, members, records } = state;
        Ok(Evolved { genes: settings.genes, members, records })
    }

    fn begin(&self, file: Option<&Path>, watch: &dyn Watch) -> Result<State, EvolutionError> {
        let members = first(&self.settings.genes, &self.params, &self.selection, watch)?;
        let records = vec![record(&members, 0, Fought::default())];
        let state = State { settings: self.settings.clone(), members, records };
        file.map(|path| state.write(path)).transpose()?;
        Ok(state)
    }

    fn tell(&self, state: &State, watch: &dyn Watch) {
        let (done, total) = (state.generation(), Some(self.params.generations));
        watch.tell(Progress { what: "generations", done, total });
        let Some(record) = state.records.last() else { return };
        let generation = ("generation", record.generation as f64);
        match (record.best_worth, record.mean_worth) {
            (Some(best), Some(mean)) => watch.point(&[
                generation,
                ("positions won by the best", best as f64),
                ("positions won on average", mean),
            ]),
            _ => watch.point(&[generation, ("won by the younger", record.won_by_younger as f64)]),
        }
    }
}
