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
/// use lucena::train::{Evolution, EvolutionParams, Gene, Measure, Selection};
/// use lucena::work::{Stopped, Unwatched, Watch};
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
/// # Ok::<(), lucena::train::EvolutionError>(())
/// ```
pub struct Evolution<'a> {
    settings: Settings,
    params: EvolutionParams,
    selection: Selection<'a>,
}

/// What has come of an evolution.
#[derive(Debug, Clone, PartialEq)]
pub struct Evolved {
    /// The genes.
    pub genes: Vec<Gene>,
    /// The last generation.
    pub members: Vec<Member>,
    /// What there is to be told of each generation, the first included.
    pub records: Vec<Record>,
}

impl Evolved {
    /// The best member: worth most, then with most duels won, then the oldest.
    ///
    /// # Panics
    /// When there are no members.
    pub fn best(&self) -> &Member {
        best(&self.members)
    }
}

impl<'a> Evolution<'a> {
    /// An evolution that has not begun. What evolves, and by what it is selected, is told in words:
    /// a state of something else is not gone on from.
    ///
    /// # Errors
    /// When the population is too small, there is no generation, or no gene can change.
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

    /// Lets the population evolve to its last generation. With a file, what there is so far is written
    /// there after each generation, and gone on from if it is there already. The file may be further on
    /// than was asked for: then nothing is done.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is of another evolution; or the work was stopped.
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
