use super::duels::{DuelParams, Duels};
use super::error::EvolutionError;
use super::params::EvolutionParams;
use super::run::{Evolution, Evolved};
use super::selection::{Duel, Duelling, Selection};
use super::subject::Subject;
use lucena_base::work::{Watch, Whole};
use rayon::prelude::*;

/// An evolution by duels, and a match of its best member against the default values.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeated {
    /// The seed.
    pub seed: u64,
    /// The result of the evolution.
    pub evolved: Evolved,
    /// The match of the best member (the younger genome) against the default values (the older
    /// one).
    pub against_usual: Duel,
}

/// Repeats an evolution with consecutive seeds, starting with the seed of the parameters.
///
/// Each best member then plays `games` games against the default values, however many it wins.
///
/// # Errors
/// If the parameters are invalid, or the work was stopped.
pub fn repeat_evolution(
    subject: Subject,
    params: &EvolutionParams,
    duels: DuelParams,
    repetitions: u64,
    games: u32,
    watch: &dyn Watch,
) -> Result<Vec<Repeated>, EvolutionError> {
    let selection = Duels { subject, params: duels };
    let test = DuelParams { wins: u32::MAX, most_games: games, ..duels };
    let test = Duels { subject, params: test };
    let whole = Whole::new(watch, "generations", params.generations * repetitions);
    let seeds: Vec<u64> = (0..repetitions).map(|at| params.seed.wrapping_add(at)).collect();
    let repeated = seeds.par_iter().map(|&seed| {
        let genes = subject.genes();
        let usual: Vec<i32> = genes.iter().map(|gene| gene.usual).collect();
        let params = EvolutionParams { seed, ..*params };
        let evolution =
            Evolution::new(subject.to_string(), genes, params, Selection::Duels(&selection))?;
        let evolved = evolution.run(None, &whole.part())?;
        let against_usual = test.duel(&usual, &evolved.best().genome, seed, watch)?;
        Ok(Repeated { seed, evolved, against_usual })
    });
    repeated.collect()
}
