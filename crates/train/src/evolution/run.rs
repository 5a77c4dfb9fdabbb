use super::duels::{DuelParams, DuelRunner, Duels, Selection};
use super::params::{
    EvolutionEnd, EvolutionError, EvolutionLimits, EvolutionParams, Gene, InitialPopulation,
};
use super::population::{DuelStats, GenerationStats, Member, best, first, next, record};
use super::subject::EvolvedWeights;
use lucena_base::progress::{Observer, Progress, SharedProgress};
use lucena_base::text::decode;
use lucena_files::{read_file, write_file};
use lucena_play::arena::Tally;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;

/// A population that evolves.
///
/// ```
/// use lucena_train::{Evolution, EvolutionParams, Gene, Fitness, Selection};
/// use lucena_base::progress::{Stopped, NoObserver, Observer};
///
/// /// The nearer to 300 the better.
/// struct DistanceFitness;
///
/// impl Fitness for DistanceFitness {
///     fn measure(&self, genome: &[i32], _: &dyn Observer) -> Result<u64, Stopped> {
///         Ok(1000 - u64::from(genome[0].abs_diff(300)))
///     }
/// }
///
/// let params = EvolutionParams { generations: 60, mutation: 0.5, ..EvolutionParams::default() };
/// let genes = vec![Gene::new("number", 0, 0, 1000), Gene::fixed("other", 7)];
/// let evolution = Evolution::new("near", genes, params, Selection::ByFitness(&DistanceFitness))?;
/// let evolved = evolution.run(None, &NoObserver)?;
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
pub struct EvolutionResult {
    /// The genes.
    pub genes: Vec<Gene>,
    /// The last generation.
    pub members: Vec<Member>,
    /// The statistics of each generation, including the first.
    pub records: Vec<GenerationStats>,
    /// The limit that has ended it.
    pub end: EvolutionEnd,
}

impl EvolutionResult {
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

    /// Evolves the population to its last generation, or to another limit. With a file, the state is saved there after
    /// each generation, and resumed if the file exists. If the file is already past the last
    /// generation, it is returned as it is.
    ///
    /// # Errors
    /// If the file cannot be read or written, or belongs to another evolution; or if the work was
    /// stopped.
    pub fn run(
        &self,
        file: Option<&Path>,
        observer: &dyn Observer,
    ) -> Result<EvolutionResult, EvolutionError> {
        let mut state = match file.filter(|path| path.exists()) {
            Some(path) => State::read(path, &self.settings)?,
            None => self.begin(file, observer)?,
        };
        let begun = Instant::now();
        let end = loop {
            observer.check()?;
            if let Some(end) = self.end(&state, begun) {
                break end;
            }
            self.tell(&state, observer);
            let generation = state.generation() + 1;
            let (genes, params) = (&self.settings.genes, &self.params);
            let (members, stats) =
                next(&state.members, generation, genes, params, &self.selection, observer)?;
            state.records.push(record(&members, generation, stats));
            state.members = members;
            file.map(|path| state.write(path)).transpose()?;
        };
        self.tell(&state, observer);
        let State { settings, members, records } = state;
        Ok(EvolutionResult { genes: settings.genes, members, records, end })
    }

    /// Returns the limit that the evolution has reached, if there is one.
    fn end(&self, state: &State, begun: Instant) -> Option<EvolutionEnd> {
        let EvolutionParams { generations, limits, .. } = self.params;
        let EvolutionLimits { time, patience } = limits;
        if state.generation() >= generations {
            Some(EvolutionEnd::Generations)
        } else if patience.is_some_and(|most| state.without_gain() >= most) {
            Some(EvolutionEnd::NoGain)
        } else {
            time.is_some_and(|time| begun.elapsed() >= time).then_some(EvolutionEnd::Time)
        }
    }

    fn begin(&self, file: Option<&Path>, observer: &dyn Observer) -> Result<State, EvolutionError> {
        let members = first(&self.settings.genes, &self.params, &self.selection, observer)?;
        let records = vec![record(&members, 0, DuelStats::default())];
        let state = State { settings: self.settings.clone(), members, records };
        file.map(|path| state.write(path)).transpose()?;
        Ok(state)
    }

    fn tell(&self, state: &State, observer: &dyn Observer) {
        let most = self.params.generations;
        let (done, total) = (state.generation(), (most < u64::MAX).then_some(most));
        observer.report(Progress { what: "generations", done, total });
        let Some(record) = state.records.last() else { return };
        let generation = ("generation", record.generation as f64);
        match (record.best_worth, record.mean_worth) {
            (Some(best), Some(mean)) => observer.point(&[
                generation,
                ("positions won by the best", best as f64),
                ("positions won on average", mean),
            ]),
            _ => {
                observer.point(&[generation, ("won by the younger", record.won_by_younger as f64)]);
            }
        }
    }
}

/// The version of the file.
const FORMAT: u32 = 1;

/// The settings that identify an evolution. The number of generations is not one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    format: u32,
    what: String,
    population: usize,
    mutation: f64,
    start: InitialPopulation,
    seed: u64,
    pub(super) genes: Vec<Gene>,
}

impl Settings {
    pub(super) fn new(what: String, genes: Vec<Gene>, params: &EvolutionParams) -> Self {
        let EvolutionParams { population, mutation, start, seed, .. } = *params;
        Self { format: FORMAT, what, population, mutation, start, seed, genes }
    }

    /// The first difference from other settings; `None` if they are the same.
    fn difference(&self, other: &Self) -> Option<&'static str> {
        let differences = [
            (self.format != other.format, "format"),
            (self.what != other.what, "aim"),
            (self.population != other.population, "population"),
            (self.mutation.to_bits() != other.mutation.to_bits(), "mutation"),
            (self.start != other.start, "start"),
            (self.seed != other.seed, "seed"),
            (self.genes != other.genes, "list of genes"),
        ];
        differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
    }
}

/// The state of an evolution: everything needed to resume it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) settings: Settings,
    pub(super) members: Vec<Member>,
    /// One record for each generation, including the first.
    pub(super) records: Vec<GenerationStats>,
}

impl State {
    /// The number of the last generation.
    pub(super) fn generation(&self) -> u64 {
        self.records.len() as u64 - 1
    }

    /// The number of the latest generations without gain.
    fn without_gain(&self) -> u64 {
        let gains = |pair: &&[GenerationStats]| match (pair[0].best_worth, pair[1].best_worth) {
            (Some(before), Some(after)) => after > before,
            _ => pair[1].won_by_younger > 0,
        };
        self.records.windows(2).rev().take_while(|pair| !gains(pair)).count() as u64
    }

    pub(super) fn read(path: &Path, settings: &Settings) -> Result<Self, EvolutionError> {
        let damaged = |reason: String| EvolutionError::Damaged { path: path.into(), reason };
        let bytes = read_file(path)?;
        let text = decode(&bytes).map_err(|error| damaged(error.to_string()))?;
        let state: Self = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
        if let Some(what) = settings.difference(&state.settings) {
            return Err(EvolutionError::Other { path: path.into(), what });
        }
        state.check().map_err(|reason| damaged(reason.into()))?;
        Ok(state)
    }

    /// Checks that an evolution can resume from this state.
    fn check(&self) -> Result<(), &'static str> {
        let Settings { population, genes, .. } = &self.settings;
        let fits = |genome: &Vec<i32>| {
            let has = |(value, gene): (&i32, &Gene)| (gene.least..=gene.most).contains(value);
            genome.len() == genes.len() && genome.iter().zip(genes).all(has)
        };
        if self.members.len() != *population {
            return Err("the number of members differs from its population");
        }
        if !self.members.iter().all(|member| fits(&member.genome)) {
            return Err("the genes of a member are invalid");
        }
        let numbered = (0..).zip(&self.records);
        if self.records.is_empty() || numbered.clone().any(|(at, record)| at != record.generation) {
            return Err("its generations are not numbered from 0");
        }
        let is_whole = |record: &GenerationStats| {
            fits(&record.best)
                && record.mean.len() == genes.len()
                && record.spread.len() == genes.len()
        };
        if self.members.iter().any(|member| member.born > self.generation()) {
            return Err("a member was born after the last generation");
        }
        if self.records.iter().all(is_whole) {
            Ok(())
        } else {
            Err("the genes of a generation are invalid")
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), EvolutionError> {
        let json = serde_json::to_vec(self).expect("numbers and texts become JSON");
        write_file(path, &json)?;
        Ok(())
    }
}

/// An evolution by duels, and a match of its best member against the default values.
#[derive(Debug, Clone, PartialEq)]
pub struct EvolutionRun {
    /// The seed.
    pub seed: u64,
    /// The result of the evolution.
    pub evolved: EvolutionResult,
    /// The games of the best member against the default values.
    pub against_usual: Tally,
}

/// The number of runs of an evolution, and the match of each best member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepetitionParams {
    /// The number of runs, with consecutive seeds.
    pub repetitions: u64,
    /// The number of games of each best member against the default values, however many it wins.
    pub games: u32,
}

/// Repeats an evolution with consecutive seeds, starting with the seed of the parameters. Each best member then plays
/// against the default values.
///
/// # Errors
/// If the parameters are invalid, or the work was stopped.
pub fn repeat_evolution(
    subject: EvolvedWeights,
    params: &EvolutionParams,
    duels: DuelParams,
    RepetitionParams { repetitions, games }: RepetitionParams,
    observer: &dyn Observer,
) -> Result<Vec<EvolutionRun>, EvolutionError> {
    let selection = Duels { subject, params: duels };
    let test = DuelParams { wins: u32::MAX, most_games: games, ..duels };
    let test = Duels { subject, params: test };
    let progress = SharedProgress::new(observer, "generations", params.generations * repetitions);
    let seeds: Vec<u64> = (0..repetitions).map(|at| params.seed.wrapping_add(at)).collect();
    let repeated = seeds.par_iter().map(|&seed| {
        let genes = subject.genes();
        let usual: Vec<i32> = genes.iter().map(|gene| gene.usual).collect();
        let params = EvolutionParams { seed, ..*params };
        let evolution =
            Evolution::new(subject.to_string(), genes, params, Selection::Duels(&selection))?;
        let evolved = evolution.run(None, &progress.part())?;
        let against_usual = test.duel(&usual, &evolved.best().genome, seed, observer)?;
        Ok(EvolutionRun { seed, evolved, against_usual })
    });
    repeated.collect()
}
