use super::duels::Selection;
use super::params::{EvolutionParams, Gene, InitialPopulation, crossover, mutate};
use lucena_base::progress::{Observer, Stopped};
use lucena_play::arena::Tally;
use rand::seq::SliceRandom;
use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A member of a population.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The genes.
    pub genome: Vec<i32>,
    /// The generation of its birth; the first is 0.
    pub born: u64,
    /// The number of duels won, each against a different opponent.
    pub won: u64,
    /// The fitness; `None` if selection is by duels.
    pub worth: Option<u64>,
}

impl Member {
    fn new(genome: Vec<i32>, born: u64) -> Self {
        Self { genome, born, won: 0, worth: None }
    }
}

/// Statistics of the duels of a generation.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DuelStats {
    pub(super) games: u64,
    pub(super) drawn: u64,
    pub(super) won_by_younger: u64,
}

/// The random numbers of a generation. They depend only on the seed and its number, so an evolution
/// can resume anywhere.
fn rng_of(seed: u64, generation: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(generation);
    rng
}

/// The first generation.
pub(super) fn first(
    genes: &[Gene],
    params: &EvolutionParams,
    selection: &Selection<'_>,
    observer: &dyn Observer,
) -> Result<Vec<Member>, Stopped> {
    let mut rng = rng_of(params.seed, 0);
    let from: fn(&Gene) -> i32 = match params.start {
        InitialPopulation::Nothing => |gene| 0.clamp(gene.least, gene.most),
        InitialPopulation::Random | InitialPopulation::Usual => |gene| gene.usual,
    };
    let genome = |number: usize| match params.start {
        InitialPopulation::Random => genes.iter().map(|gene| gene.random(&mut rng)).collect(),
        InitialPopulation::Nothing | InitialPopulation::Usual => {
            let mut genome: Vec<i32> = genes.iter().map(from).collect();
            if number > 0 {
                mutate(&mut genome, genes, params.mutation.max(0.5), &mut rng);
            }
            genome
        }
    };
    let mut members: Vec<Member> =
        (0..params.population).map(genome).map(|genome| Member::new(genome, 0)).collect();
    measure(&mut members, selection, observer)?;
    Ok(members)
}

/// The next generation: members are paired, the winner stays, and a child of winners takes the
/// loser's place.
pub(super) fn next(
    members: &[Member],
    generation: u64,
    genes: &[Gene],
    params: &EvolutionParams,
    selection: &Selection<'_>,
    observer: &dyn Observer,
) -> Result<(Vec<Member>, DuelStats), Stopped> {
    let mut rng = rng_of(params.seed, generation);
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.shuffle(&mut rng);
    let pairs = order.chunks_exact(2).map(|pair| (older_first(members, pair), rng.next_u64()));
    let pairs: Vec<([usize; 2], u64)> = pairs.collect();
    let meetings = pairs.par_iter().map(|&([older, younger], seed)| {
        observer.check()?;
        meet(&members[older], &members[younger], seed, selection, observer)
    });
    let meetings: Vec<(Tally, bool)> = meetings.collect::<Result<_, Stopped>>()?;
    let mut stats = DuelStats::default();
    let mut winners = Vec::new();
    let mut members = members.to_vec();
    for (&([older, younger], _), &(duel, is_won_by_younger)) in pairs.iter().zip(&meetings) {
        let (winner, loser) = if is_won_by_younger { (younger, older) } else { (older, younger) };
        members[winner].won += 1;
        winners.push((winner, loser));
        stats.games += duel.games();
        stats.drawn += duel.drawn;
        stats.won_by_younger += u64::from(is_won_by_younger);
    }
    let parents: Vec<Vec<i32>> =
        winners.iter().map(|&(winner, _)| members[winner].genome.clone()).collect();
    for (parent, &(_, loser)) in parents.iter().zip(&winners) {
        let mate = &parents[rng.gen_range(0..parents.len() as u32) as usize];
        let point = if genes.len() > 1 { rng.gen_range(1..genes.len() as u32) } else { 1 };
        let mut child = crossover(parent, mate, point as usize);
        mutate(&mut child, genes, params.mutation, &mut rng);
        members[loser] = Member::new(child, generation);
    }
    measure(&mut members, selection, observer)?;
    Ok((members, stats))
}

/// A pair of members, the one born first in front; if born together, the first of the pair.
fn older_first(members: &[Member], pair: &[usize]) -> [usize; 2] {
    let mut pair = [pair[0], pair[1]];
    pair.sort_by_key(|&at| (members[at].born, at));
    pair
}

/// Decides a pairing: the tally of the younger member, which is empty if members are measured, and
/// true if that member has won.
fn meet(
    older: &Member,
    younger: &Member,
    seed: u64,
    selection: &Selection<'_>,
    observer: &dyn Observer,
) -> Result<(Tally, bool), Stopped> {
    match selection {
        Selection::Duels(duels) => {
            let duel = duels.duel(&older.genome, &younger.genome, seed, observer)?;
            Ok((duel, duel.won > duel.lost))
        }
        Selection::ByFitness(_) => Ok((Tally::default(), younger.worth > older.worth)),
    }
}

/// Measures the members that have no fitness yet.
fn measure(
    members: &mut [Member],
    selection: &Selection<'_>,
    observer: &dyn Observer,
) -> Result<(), Stopped> {
    let Selection::ByFitness(measure) = selection else { return Ok(()) };
    let new = members.par_iter_mut().filter(|member| member.worth.is_none());
    new.try_for_each(|member| {
        member.worth = Some(measure.measure(&member.genome, observer)?);
        Ok(())
    })
}

/// The best of a population: highest fitness, then most duels won, then oldest, then first.
///
/// # Panics
/// If the population is empty.
pub(super) fn best(members: &[Member]) -> &Member {
    let rank = |member: &&Member| (member.worth, member.won, u64::MAX - member.born);
    // `max_by_key` returns the last maximum; reversing makes it the first.
    members.iter().rev().max_by_key(rank).expect("a population has members")
}

/// The statistics of a generation.
pub(super) fn record(members: &[Member], generation: u64, stats: DuelStats) -> GenerationStats {
    let best = best(members);
    let count = members.len() as f64;
    let mean_of = |value: &dyn Fn(&Member) -> f64| members.iter().map(value).sum::<f64>() / count;
    let genes = 0..best.genome.len();
    let mean: Vec<f64> =
        genes.clone().map(|gene| mean_of(&|member| f64::from(member.genome[gene]))).collect();
    let spread = genes.map(|gene| {
        let off = |member: &Member| f64::from(member.genome[gene]) - mean[gene];
        mean_of(&|member| off(member) * off(member)).sqrt()
    });
    GenerationStats {
        generation,
        best: best.genome.clone(),
        best_worth: best.worth,
        mean_worth: best.worth.map(|_| mean_of(&|member| member.worth.unwrap_or(0) as f64)),
        spread: spread.collect(),
        mean,
        games: stats.games,
        drawn: stats.drawn,
        won_by_younger: stats.won_by_younger,
    }
}

/// Statistics of a generation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerationStats {
    /// The number of the generation; the first, not yet selected, is 0.
    pub generation: u64,
    /// The genes of the best member.
    pub best: Vec<i32>,
    /// The fitness of the best member; `None` if selection is by duels.
    pub best_worth: Option<u64>,
    /// The mean fitness of the members; `None` if selection is by duels.
    pub mean_worth: Option<f64>,
    /// The mean of each gene.
    pub mean: Vec<f64>,
    /// The standard deviation of each gene over the members.
    pub spread: Vec<f64>,
    /// The number of games played in duels.
    pub games: u64,
    /// The number of those games drawn.
    pub drawn: u64,
    /// The number of pairings won by the younger member.
    pub won_by_younger: u64,
}
