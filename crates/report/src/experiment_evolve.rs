//! The values of the men, found by evolution from several seeds.

use super::evolve::generations;
use super::{csv_of, mean, squares, timed};
use lucena_base::plural::{count, number};
use lucena_base::progress::Observer;
use lucena_explain::chart::{Axis, Chart, Panel, Series};
use lucena_train::{
    DuelParams, EvolutionError, EvolutionParams, EvolutionRun, EvolvedWeights, repeat_evolution,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The values of the men, found by evolution from several seeds.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvolutionStudyReport {
    /// The number of seeds.
    pub seeds: u64,
    /// Members of each population.
    pub population: usize,
    /// Generations of each population.
    pub generations: u64,
    /// The depth of the searches, in plies.
    pub depth: u8,
    /// The result for each man.
    pub men: Vec<ManValue>,
    /// The result of each seed.
    pub rows: Vec<EvolutionRunReport>,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// By generation: the mean of each man that can change over all populations, in pawns.
    #[serde(skip)]
    means: Vec<Vec<f64>>,
}

/// The evolved value of a man, in pawns.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ManValue {
    /// Its name, such as knight.
    pub man: String,
    /// The textbook value.
    pub textbook: f64,
    /// The mean of the best members' values over the seeds.
    pub mean: f64,
    /// The standard deviation of the best members' values over the seeds.
    pub spread: f64,
    /// The standard deviation within the last population, averaged over the seeds.
    pub spread_within: f64,
    /// True if it cannot change.
    pub is_fixed: bool,
}

/// The result of a seed. Values are in pawns.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvolutionRunReport {
    /// The seed.
    pub seed: u64,
    /// The knight's value in the best member.
    pub knight: f64,
    /// The bishop's value in the best member.
    pub bishop: f64,
    /// The rook's value in the best member.
    pub rook: f64,
    /// Games played in duels.
    pub games: u64,
    /// Games that the best member won against the default values.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

/// Lets the values of the men evolve from several seeds: see [`repeat_evolution`].
///
/// # Errors
/// If the parameters leave nothing to evolve, or the work was stopped.
pub fn experiment_evolve(
    params: &EvolutionParams,
    duels: DuelParams,
    seeds: u64,
    games: u32,
    watch: &dyn Observer,
) -> Result<EvolutionStudyReport, EvolutionError> {
    let (repeated, seconds) =
        timed(|| repeat_evolution(EvolvedWeights::Men, params, duels, seeds, games, watch));
    let repeated = repeated?;
    let genes = EvolvedWeights::Men.genes();
    let men = genes.iter().enumerate().map(|(at, gene)| {
        let best: Vec<f64> =
            repeated.iter().map(|one| pawns(one.evolved.best().genome[at].into())).collect();
        let within: Vec<f64> = repeated
            .iter()
            .filter_map(|one| one.evolved.records.last())
            .map(|record| pawns(record.spread[at]))
            .collect();
        ManValue {
            man: gene.name.clone(),
            textbook: pawns(gene.usual.into()),
            mean: mean(&best),
            spread: spread(&best),
            spread_within: mean(&within),
            is_fixed: gene.is_fixed(),
        }
    });
    let means = (0..=params.generations as usize).map(|generation| {
        let of = |man: usize| {
            let values =
                repeated.iter().map(|one| pawns(one.evolved.records[generation].mean[man]));
            mean(&values.collect::<Vec<f64>>())
        };
        (0..5).map(of).collect()
    });
    Ok(EvolutionStudyReport {
        seeds,
        population: params.population,
        generations: params.generations,
        depth: duels.depth,
        men: men.collect(),
        means: means.collect(),
        rows: repeated.iter().map(EvolutionRunReport::new).collect(),
        seconds,
    })
}

impl EvolutionStudyReport {
    /// Writes the report as tables.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { seeds, population, generations, depth, seconds, .. } = self;
        let seeds = count(*seeds, "seed", "seeds");
        let (members, generations) =
            (number(*population), count(*generations, "generation", "generations"));
        let plies = count((*depth).into(), "ply", "plies");
        write!(out, "What the men are worth in pawns: {seeds}, {members} members, ")?;
        writeln!(out, "{generations}, games of {plies}")?;
        writeln!(out, "\n{:8}{:>10}{:>8}{:>8}{:>8}", "", "textbook", "mean", "spread", "within")?;
        for ManValue { man, textbook, mean, spread, spread_within, is_fixed } in &self.men {
            if *is_fixed {
                writeln!(out, "{man:8}{textbook:>10.2}   fixed")?;
            } else {
                write!(out, "{man:8}{textbook:>10.2}{mean:>8.2}")?;
                writeln!(out, "{spread:>8.2}{spread_within:>8.2}")?;
            }
        }
        write!(out, "\n{:>6}{:>8}{:>8}{:>8}{:>8}", "seed", "knight", "bishop", "rook", "games")?;
        writeln!(out, "   against the usual values: won, drawn, lost")?;
        for row in &self.rows {
            let EvolutionRunReport { seed, knight, bishop, rook, games, won, drawn, lost } = row;
            write!(out, "{seed:>6}{knight:>8.2}{bishop:>8.2}{rook:>8.2}{games:>8}")?;
            writeln!(out, "{won:>30}{drawn:>7}{lost:>6}")?;
        }
        writeln!(out, "\n{LEGEND} {seconds:.1} s")
    }

    /// A row for each seed, as CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        csv_of(&self.rows)
    }

    /// The mean values of the men by generation, as a chart.
    pub fn chart(&self) -> Chart {
        let series = self.men.iter().enumerate().filter(|(_, man)| !man.is_fixed);
        let series = series.map(|(at, man)| {
            let points = self.means.iter().enumerate();
            let points = points.map(|(generation, means)| (generation as f64, means[at]));
            Series::line(&man.man, points.collect())
        });
        let highest = self.means.iter().flatten().copied().fold(0.0, f64::max);
        let panel = Panel { y: Axis::from_zero("pawns", [highest]), series: series.collect() };
        Chart {
            title: format!("Values of the men, {}", count(self.seeds, "seed", "seeds")),
            x: generations(self.generations),
            panels: vec![panel],
        }
    }
}

impl EvolutionRunReport {
    fn new(one: &EvolutionRun) -> Self {
        let best = &one.evolved.best().genome;
        let [knight, bishop, rook] = [1, 2, 3].map(|at| pawns(best[at].into()));
        let games = one.evolved.records.iter().map(|record| record.games).sum();
        let duel = one.against_usual;
        let (won, drawn, lost) = (duel.younger, duel.drawn, duel.older);
        Self { seed: one.seed, knight, bishop, rook, games, won, drawn, lost }
    }
}

fn pawns(hundredths: f64) -> f64 {
    hundredths / 100.0
}

/// The standard deviation of the values.
fn spread(values: &[f64]) -> f64 {
    (squares(values) / values.len() as f64).sqrt()
}

const LEGEND: &str = "\
mean and spread are those of the best members over the seeds; within is the
spread in the last population; evolved in";
