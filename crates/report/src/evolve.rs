//! The result of an evolution of weights, and of the values of the men from several seeds.

use super::{csv_of, mean, squares, timed};
use lucena_base::plural::{count, grouped, number, signed, tenths};
use lucena_base::progress::Observer;
use lucena_explain::chart::{Axis, Chart, Panel, Scale, Series};
use lucena_tablebase::Tablebase;
use lucena_train::{
    self, DuelParams, Duels, Evolution, EvolutionEnd, EvolutionError, EvolutionParams,
    EvolutionRun, EvolvedWeights, Gene, GenerationStats, InitialPopulation, PositionsWon,
    RepetitionParams, Selection, Tally, repeat_evolution,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The fitness by which weights are selected.
#[derive(Clone, Copy)]
pub enum SelectionCriterion<'t> {
    /// Duels: games of full chess.
    Duels(DuelParams),
    /// The positions of an endgame that a plain search wins, with the search depth in plies.
    Positions(&'t Tablebase, u8),
}

/// A population at its last generation, and its history.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EvolveReport {
    /// The weights that evolve: men, parts or mop-up.
    pub subject: EvolvedWeights,
    /// The fitness: duels, or the endgame whose positions are to be won.
    pub selected_by: String,
    /// The depth of the searches, in plies.
    pub depth: u8,
    /// Members of the population.
    pub population: usize,
    /// Generations, not counting the first.
    pub generations: u64,
    /// The limit that ended it: generations, time or no-gain.
    pub ended_by: EvolutionEnd,
    /// The probability with which each gene of a child mutates.
    pub mutation: f64,
    /// The genomes of the first generation.
    pub start: InitialPopulation,
    /// The seed.
    pub seed: u64,
    /// The generation in which the best member was born.
    pub born: u64,
    /// Duels or comparisons won by the best member.
    pub duels_won: u64,
    /// Positions that it wins, proved; null if members are selected by duels.
    pub won: Option<u64>,
    /// Positions of the endgame that can be won; null if members are selected by duels.
    pub winnable: Option<u64>,
    /// The genes of the last generation.
    pub genes: Vec<GeneReport>,
    /// A record of each generation.
    pub history: Vec<GenerationReport>,
    /// Elapsed time in seconds; for a resumed evolution, only since it was resumed.
    pub seconds: f64,
    /// The weights of the best member, as a file that players can be made from.
    #[serde(skip)]
    pub weights: String,
    #[serde(skip)]
    records: Vec<GenerationStats>,
}

/// A gene at the end of an evolution.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GeneReport {
    /// Its name.
    pub gene: String,
    /// The default value, in centipawns or as a weight.
    pub usual: i32,
    /// The value in the best member.
    pub best: i32,
    /// The best value divided by 100: for men and terms, in pawns.
    pub best_in_pawns: f64,
    /// Its mean over the population.
    pub mean: f64,
    /// Its standard deviation over the population.
    pub spread: f64,
    /// True if it cannot change.
    pub is_fixed: bool,
}

/// A generation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GenerationReport {
    /// Its number; the first generation, which was not selected, is 0.
    pub generation: u64,
    /// Positions that the best member wins; null if members are selected by duels.
    pub best_won: Option<u64>,
    /// Positions won by a member on average; null if members are selected by duels.
    pub mean_won: Option<f64>,
    /// The standard deviation over the population, averaged over the genes that can change.
    pub mean_spread: f64,
    /// Games played.
    pub games: u64,
    /// Games without a winner, which do not count.
    pub drawn: u64,
    /// Duels won by the younger member.
    pub won_by_younger: u64,
}

/// A gene in a generation, for CSV.
#[derive(Serialize)]
struct GeneRow<'e> {
    generation: u64,
    gene: &'e str,
    best: i32,
    mean: f64,
    spread: f64,
}

/// Lets weights evolve: see [`Evolution`]. Resumes from the file `state` if it exists.
///
/// # Errors
/// If the parameters leave nothing to evolve, the file cannot be used, or the work was stopped.
pub fn evolve(
    subject: EvolvedWeights,
    selected_by: SelectionCriterion<'_>,
    params: &EvolutionParams,
    state: Option<&Path>,
    observer: &dyn Observer,
) -> Result<EvolveReport, EvolutionError> {
    let run = |what, selection: Selection<'_>| {
        timed(|| Evolution::new(what, subject.genes(), *params, selection)?.run(state, observer))
    };
    let ((evolved, seconds), selected_by, depth, winnable) = match selected_by {
        SelectionCriterion::Duels(params) => {
            let what = format!("{subject} by {params:?}");
            let ran = run(what, Selection::Duels(&Duels { subject, params }));
            (ran, "duels".into(), params.depth, None)
        }
        SelectionCriterion::Positions(tablebase, depth) => {
            let material = tablebase.material().to_string();
            let what = format!("{subject} by {material} at depth {depth}");
            let ran = run(what, Selection::ByFitness(&PositionsWon::new(tablebase, depth)));
            (ran, material, depth, Some(PositionsWon::winnable(tablebase)))
        }
    };
    let evolved = evolved?;
    let best = evolved.best();
    let EvolutionParams { population, mutation, start, seed, .. } = *params;
    let last = &evolved.records[evolved.records.len() - 1];
    let genes = evolved.genes.iter().enumerate();
    let genes = genes.map(|(at, gene)| GeneReport {
        gene: gene.name.clone(),
        usual: gene.usual,
        best: best.genome[at],
        best_in_pawns: f64::from(best.genome[at]) / 100.0,
        mean: last.mean[at],
        spread: last.spread[at],
        is_fixed: gene.is_fixed(),
    });
    let history = evolved.records.iter();
    let history = history.map(|record| GenerationReport::new(record, &evolved.genes));
    Ok(EvolveReport {
        subject,
        selected_by,
        depth,
        population,
        generations: last.generation,
        ended_by: evolved.end,
        mutation,
        start,
        seed,
        born: best.born,
        duels_won: best.won,
        won: best.worth,
        winnable,
        genes: genes.collect(),
        history: history.collect(),
        seconds,
        weights: subject.to_json(&best.genome),
        records: evolved.records,
    })
}

impl EvolveReport {
    /// The limit that ended the evolution before its last generation, in words.
    fn ended_by(&self) -> &'static str {
        match self.ended_by {
            EvolutionEnd::Generations => "",
            EvolutionEnd::Time => ", until the time was used up",
            EvolutionEnd::NoGain => ", until there was no gain any more",
        }
    }

    /// Writes the report as sentences and a table.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { subject, depth, population, generations, seed, start, seconds, .. } = self;
        let generations = count(*generations, "generation", "generations");
        let plies = count((*depth).into(), "ply", "plies");
        let by = match self.winnable {
            None => format!("games of {plies}"),
            Some(_) => format!("positions of {} won by a search of {plies}", self.selected_by),
        };
        write!(out, "{subject}, selected by {by}: {population} members, ")?;
        writeln!(out, "{generations}, seed {seed}, {start} start")?;
        let result = match (self.won, self.winnable) {
            (Some(won), Some(winnable)) => {
                format!("wins {} of {} positions, proved", grouped(won), grouped(winnable))
            }
            _ => format!("has won {}", count(self.duels_won, "duel", "duels")),
        };
        writeln!(out, "the best member was born in generation {} and {result}", self.born)?;
        writeln!(out, "\n{:28}{:>8}{:>8}{:>9}{:>9}", "", "usual", "best", "mean", "spread")?;
        for gene in &self.genes {
            let GeneReport { gene, usual, best, mean, spread, is_fixed, .. } = gene;
            let (usual, best) = (signed((*usual).into()), signed((*best).into()));
            let (mean, spread) = (tenths(*mean), tenths(*spread));
            if *is_fixed {
                writeln!(out, "{gene:28}{usual:>8}{best:>8}    fixed")?;
            } else {
                writeln!(out, "{gene:28}{usual:>8}{best:>8}{mean:>9}{spread:>9}")?;
            }
        }
        let games: u64 = self.history.iter().map(|generation| generation.games).sum();
        writeln!(out)?;
        if games > 0 {
            let drawn: u64 = self.history.iter().map(|generation| generation.drawn).sum();
            writeln!(out, "{}, {} drawn", count(games, "game", "games"), grouped(drawn))?;
        }
        writeln!(out, "evolved in {seconds:.1} s{}", self.ended_by())
    }

    /// Every gene in every generation, as CSV.
    pub fn to_csv(&self) -> Vec<u8> {
        let rows = self.records.iter().flat_map(|record| {
            self.genes.iter().enumerate().map(|(at, gene)| GeneRow {
                generation: record.generation,
                gene: &gene.gene,
                best: record.best[at],
                mean: record.mean[at],
                spread: record.spread[at],
            })
        });
        csv_of(&rows.collect::<Vec<_>>())
    }

    /// The population by generation as a chart: positions won or the men's values, and its spread.
    pub fn chart(&self) -> Chart {
        let of = |value: &dyn Fn(&GenerationReport) -> f64| -> Points {
            self.history.iter().map(|row| (row.generation as f64, value(row))).collect()
        };
        let (title, lines) = match self.winnable {
            Some(_) => {
                let best = of(&|row| row.best_won.unwrap_or(0) as f64);
                let mean = of(&|row| row.mean_won.unwrap_or(0.0));
                ("positions won", vec![("best member", best), ("mean of the population", mean)])
            }
            None => ("mean value, pawns", self.men()),
        };
        let spread = vec![("spread of the genes", of(&|row| row.mean_spread))];
        let panels = [(title, lines), ("standard deviation", spread)].map(|(title, lines)| {
            let points = lines.iter().flat_map(|(_, points)| points);
            let highest = points.map(|&(_, up)| up).fold(0.0, f64::max);
            let series = lines.into_iter().map(|(name, points)| Series::line(name, points));
            Panel { y: Axis::from_zero(title, [highest]), series: series.collect() }
        });
        let title = format!("Evolution of {}, selected by {}", self.subject, self.selected_by);
        Chart { title, x: generations(self.generations), panels: panels.into() }
    }

    /// The means of the men that can change, in pawns.
    fn men(&self) -> Vec<(&str, Points)> {
        let free = self.genes.iter().enumerate().take(5).filter(|(_, gene)| !gene.is_fixed);
        let lines = free.map(|(at, gene)| {
            let mean =
                |record: &GenerationStats| (record.generation as f64, record.mean[at] / 100.0);
            (gene.gene.as_str(), self.records.iter().map(mean).collect())
        });
        lines.collect()
    }
}

type Points = Vec<(f64, f64)>;

/// The axis of the generations.
pub(super) fn generations(generations: u64) -> Axis {
    let range = 0.0..(generations.max(1) as f64);
    Axis { title: "generation".into(), range, scale: Scale::Linear }
}

impl GenerationReport {
    fn new(record: &GenerationStats, genes: &[Gene]) -> Self {
        let spreads = record.spread.iter().zip(genes).filter(|(_, gene)| !gene.is_fixed());
        let mean_spread = mean(&spreads.map(|(&spread, _)| spread).collect::<Vec<f64>>());
        let &GenerationStats { generation, games, drawn, won_by_younger, .. } = record;
        let (best_won, mean_won) = (record.best_worth, record.mean_worth);
        Self { generation, best_won, mean_won, mean_spread, games, drawn, won_by_younger }
    }
}

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
    observer: &dyn Observer,
) -> Result<EvolutionStudyReport, EvolutionError> {
    let repetitions = RepetitionParams { repetitions: seeds, games };
    let (repeated, seconds) =
        timed(|| repeat_evolution(EvolvedWeights::Men, params, duels, repetitions, observer));
    let repeated = repeated?;
    let genes = EvolvedWeights::Men.genes();
    let men = genes.iter().enumerate().map(|(at, gene)| {
        let evolved = repeated.iter().map(|one| &one.evolved);
        let best = evolved.clone().map(|evolved| pawns(evolved.best().genome[at].into()));
        let best: Vec<f64> = best.collect();
        let last = evolved.filter_map(|evolved| evolved.records.last());
        let within: Vec<f64> = last.map(|record| pawns(record.spread[at])).collect();
        let (man, textbook) = (gene.name.clone(), pawns(gene.usual.into()));
        let (mean, spread, spread_within) = (mean(&best), spread(&best), mean(&within));
        ManValue { man, textbook, mean, spread, spread_within, is_fixed: gene.is_fixed() }
    });
    let means = (0..=params.generations as usize).map(|generation| {
        let of = |man: usize| {
            let values =
                repeated.iter().map(|one| pawns(one.evolved.records[generation].mean[man]));
            mean(&values.collect::<Vec<f64>>())
        };
        (0..5).map(of).collect()
    });
    let (men, means) = (men.collect(), means.collect());
    let rows = repeated.iter().map(EvolutionRunReport::new).collect();
    let (&EvolutionParams { population, generations, .. }, depth) = (params, duels.depth);
    Ok(EvolutionStudyReport { seeds, population, generations, depth, men, means, rows, seconds })
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
        let title = format!("Values of the men, {}", count(self.seeds, "seed", "seeds"));
        Chart { title, x: generations(self.generations), panels: vec![panel] }
    }
}

impl EvolutionRunReport {
    fn new(one: &EvolutionRun) -> Self {
        let best = &one.evolved.best().genome;
        let [knight, bishop, rook] = [1, 2, 3].map(|at| pawns(best[at].into()));
        let games = one.evolved.records.iter().map(|record| record.games).sum();
        let Tally { won, drawn, lost } = one.against_usual;
        let [won, drawn, lost] = [won, drawn, lost].map(|games| games as u32);
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
