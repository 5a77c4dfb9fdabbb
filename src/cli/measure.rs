use super::file_kind::{MEASURE, read_as};
use super::number::number_of;
use super::output::{ProgressDisplay, ReportArgs, count};
use super::player_args::resolve_endgame;
use super::search::{Effort, ModelFiles, finish, proof_of};
use super::tables::TableArgs;
use super::{Failure, Result, interrupt, one_of};
use lucena::attributes::{Quantity, QuantitySet, Selection};
use lucena::chess::symmetry::Group;
use lucena::chess::{Material, Side};
#[cfg(feature = "serve")]
use lucena::measure::measure_selections;
use lucena::measure::{
    Candidate, Horizon, LearningTask, MeasureLimits, MeasureTable, TooManyMeasures, exhaust, learn,
    measure_quantities, measure_quantities_among, mine, terms_over, verify, verify_policy,
};
use lucena::named::Named;
use lucena::policy::{MeasurePolicy, is_symmetric};
use lucena::progress::{NoObserver, timed};
use lucena::report::{
    MeasureReport, MeasureSummary, MeasuresTriedReport, ProofSample, ProofSummary,
};
use lucena::tablebase::Tablebase;
use lucena::theory::FIFTY_MOVES;
use lucena_files::load_text;
use lucena_model::{Goal, MAX_LOOK, MAX_SECURE, Measure as Terms};
use std::path::PathBuf;
use std::time::Instant;

/// Find a measure: a number that wins if the strong side always makes it smaller, a few moves ahead
///
/// A measure is a sum of a few quantities of the position, such as the size of the black king's room. The strong side
/// plays a move after which it can force the least value within a few more moves; the proof covers all moves that tie,
/// and every reply. The best result so far is written whenever it improves, after a second proof. The exit code is 1 if
/// no measure was found that wins every position that can be won and loses none that is drawn.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena find measure KRvK --look 3 --out room.json          one number wins, looking three moves ahead
  lucena find measure KQvK --look 2 --terms 2 --seconds 300
  lucena find measure KBBvK --look 4 --attributes region,kRoom --longest 40
  lucena find measure --from room.json --look 4 --longest 24
  lucena find measure KRvK --look 1 --learn --candidates 200  tables of numbers, looking one move ahead
  lucena find measure KRvK --look 2 --exhaust 1 --sample 20  does any single quantity win?
  lucena find measure KRvK --list                            the quantities that a measure can add up
  lucena prove --player measure:room.json")]
pub(super) struct Measure {
    /// The endgame [default: that of the given measure, or KRvK]
    material: Option<Material>,
    /// The number of moves to look ahead, after the next one [default: of the given measure, or 3]
    #[arg(long, value_name = "N", value_parser = number_of::<u8>("moves", 0..=MAX_LOOK))]
    look: Option<u8>,
    /// Whether the position right after the next move may be a goal [default: of the given measure, or any-move]
    #[arg(long, value_name = "GOAL", value_parser = one_of::<GoalName>())]
    goal: Option<GoalName>,
    /// Stop only where the weak side cannot gain a man within this many replies [default: of the given measure, or 0]
    #[arg(long, value_name = "N", value_parser = number_of::<u8>("replies", 0..=MAX_SECURE))]
    secure: Option<u8>,
    /// At most this many terms; the search then minimizes the length of games
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("terms", 1..))]
    terms: Option<usize>,
    /// Mate within this many moves
    #[arg(long, value_name = "N", value_parser = number_of::<u16>("moves", 1..=FIFTY_MOVES))]
    longest: Option<u16>,
    #[command(flatten)]
    effort: Effort,
    /// A measure to start from
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The quantities of terms, or sets of attributes, separated by commas [default: geometric,strategic,concepts,region]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    attributes: Vec<String>,
    /// Learn a number for each value of each quantity, in steps that --candidates counts, instead of weights
    #[arg(long, conflicts_with_all = ["exhaust", "list"])]
    learn: bool,
    /// Only list the quantities
    #[arg(long, conflicts_with_all = ["out", "draft"])]
    list: bool,
    /// Try all measures of this many terms, and report whether any wins
    #[arg(long, value_name = "TERMS", conflicts_with_all = ["terms", "longest", "from", "out", "draft", "list"], value_parser = number_of::<usize>("terms", 1..=4))]
    exhaust: Option<usize>,
    /// With --exhaust: weights up to this amount
    #[arg(long, value_name = "W", requires = "exhaust", default_value_t = 1, value_parser = number_of::<u16>("weights", 1..=100))]
    weight: u16,
    /// With --exhaust: prove a random sample of N measures again
    #[arg(long, value_name = "N", requires = "exhaust", value_parser = number_of::<usize>("measures", ..))]
    sample: Option<usize>,
    /// Write the measure as JSON, whenever it gets better
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// If none wins every position, write the best attempt, which --from accepts
    #[arg(long, value_name = "FILE")]
    draft: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// Where to stop looking, as users write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GoalName(Goal);

impl Named for GoalName {
    const ALL: &'static [(&'static str, Self)] =
        &[("any-move", Self(Goal::AnyMove)), ("later-move", Self(Goal::LaterMove))];
}

impl Measure {
    pub(super) fn run(self) -> Result<()> {
        let path = self.from.as_deref();
        let read = |path| read_as(path, MEASURE, || load_text(path, Terms::from_json));
        let start = path.map(read).transpose()?;
        let played = start.as_ref().map(MeasurePolicy::endgame).transpose()?;
        let material = resolve_endgame(self.material, played)?;
        let quantities = self.quantities(material, start.as_ref())?;
        if self.list {
            return list(&quantities);
        }
        self.files().check()?;
        let tablebase = self.tables.solve_quick(material)?;
        let (report, is_well) = match self.exhaust {
            Some(terms) => self.try_all(&tablebase, &quantities, terms)?,
            None => self.search(&tablebase, &quantities, start.as_ref())?,
        };
        self.report.write(&report, |out| match &report {
            MeasureReport::Measure(found) => found.write_text(out),
            MeasureReport::Tried(tried) => tried.write_text(out),
        })?;
        finish(is_well)
    }

    fn files(&self) -> ModelFiles<'_> {
        ModelFiles { out: self.out.as_deref(), draft: self.draft.as_deref() }
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        let Horizon { look, goal, secure } = self.view(None);
        vec![
            ("look", look.to_string()),
            ("goal", GoalName(goal).name().into()),
            ("secure", secure.to_string()),
            ("attributes", measure_selections().to_string()),
        ]
    }

    /// Checks that the endgame can be won, and that it has the quantities.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        let material = resolve_endgame(self.material, None)?;
        TableArgs::check_winnable(material)?;
        self.quantities(material, None).map(drop)
    }

    /// Returns the quantities that terms may use.
    fn quantities(&self, material: Material, start: Option<&Terms>) -> Result<QuantitySet> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |set: &QuantitySet| {
            for name in set.quantities().iter().map(Quantity::name) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        };
        // What is learned from another measure keeps to its quantities.
        if self.attributes.is_empty() && !(self.learn && start.is_some()) {
            add(&measure_quantities(material));
            if self.learn || self.list {
                add(&QuantitySet::places(material));
            }
        }
        // The quantities of the measure to start from are always allowed.
        let terms = start.iter().flat_map(|start| start.terms());
        let words = self.attributes.iter().chain(terms.map(|term| &term.quantity.name));
        for word in words {
            if let Ok(part) = word.parse::<Selection>() {
                add(&measure_quantities_among(material, part));
                continue;
            }
            let set = QuantitySet::named(material, [word.as_str()])?;
            let turns =
                |known: &Quantity| !is_symmetric(material, |position| known.value(position));
            if set.quantities().iter().any(turns) {
                return Err(Failure::usage(format!(
                    "{word} changes when the board is turned or mirrored, so no measure may add it up: leave it out",
                )));
            }
            let is_place = |known: &Quantity| matches!(known, Quantity::Place(_));
            if !self.learn && set.quantities().iter().any(is_place) {
                return Err(Failure::usage(format!(
                    "the values of {word} have no order, so that no weight suits them: add --learn, or leave it out",
                )));
            }
            add(&set);
        }
        Ok(QuantitySet::named(material, names.iter().map(String::as_str))?)
    }

    fn table(
        tablebase: &Tablebase,
        quantities: &QuantitySet,
        bar: &ProgressDisplay,
    ) -> Result<MeasureTable> {
        check_winnable(tablebase)?;
        Ok(MeasureTable::new(tablebase, quantities, bar)?)
    }

    /// Returns the way to look ahead, where `given` is that of the measure to start from.
    fn view(&self, start: Option<&Terms>) -> Horizon {
        let given = start.map(Terms::horizon).unwrap_or_default();
        Horizon {
            look: self.look.unwrap_or(if start.is_some() { given.look } else { DEFAULT_LOOK }),
            goal: self.goal.map_or(given.goal, |name| name.0),
            secure: self.secure.unwrap_or(given.secure),
        }
    }

    fn try_all(
        &self,
        tablebase: &Tablebase,
        quantities: &QuantitySet,
        terms: usize,
    ) -> Result<(MeasureReport, bool)> {
        let (bar, started) = (ProgressDisplay::new(), Instant::now());
        let table = Self::table(tablebase, quantities, &bar)?;
        let view = self.view(None);
        TooManyMeasures::check(&table, terms, self.weight)?;
        let (tried, seconds) = timed(|| exhaust(&table, view, terms, self.weight, &bar));
        let seed = self.effort.seed;
        let sample = self.sample.map(|size| ProofSample { size, seed, tablebase, observer: &bar });
        let mut tried = MeasuresTriedReport::new(&tried?, &table, seconds, sample)?;
        tried.seconds = started.elapsed().as_secs_f64();
        let is_well = tried.sample_errors == 0;
        Ok((MeasureReport::Tried(Box::new(tried)), is_well))
    }

    fn search(
        &self,
        tablebase: &Tablebase,
        quantities: &QuantitySet,
        start: Option<&Terms>,
    ) -> Result<(MeasureReport, bool)> {
        let bar = ProgressDisplay::new();
        interrupt::report_when_stopped();
        let view = self.view(start);
        let limits = MeasureLimits { longest: self.longest, terms: self.terms };
        let files = self.files();
        let improved = |measure: &Terms| {
            let verified = || verify(measure, limits, tablebase, &NoObserver);
            files.accept(verified, || measure.to_json())
        };
        let found = if self.learn {
            check_winnable(tablebase)?;
            let task = LearningTask { tablebase, quantities, horizon: view, start };
            learn(task, limits, self.effort.search(&bar).settings().budget, &bar, improved)?
        } else {
            let table = Self::table(tablebase, quantities, &bar)?;
            let terms = start.map(|start| terms_over(&table, start)).transpose();
            let terms = terms.map_err(|name| {
                Failure::usage(format!(
                    "the term {name} of the measure is a table, and this search changes weights only: add --learn"
                ))
            })?;
            let start = Candidate { terms: terms.unwrap_or_default(), view };
            // The time of the search does not include that of the table.
            mine(&table, limits, &start, self.effort.search(&bar), improved)?
        };
        drop(bar);
        let failure = match found.trial.lost {
            0 => format!(
                "no measure was found that keeps within the limits and loses no draw; the best wins every position, the longest in {}",
                count(found.trial.longest.into(), "move", "moves")
            ),
            lost => format!(
                "no measure was found that wins every position; the best fails in {}, counted up to symmetry",
                count(lost as u64, "position", "positions")
            ),
        };
        let measure = files.model(
            &found,
            Terms::to_json,
            &failure,
            "search longer, look further ahead, or save the best attempt with --draft and continue with --from",
        )?;
        let policy = MeasurePolicy::new(measure.clone())?;
        let (verified, seconds) = timed(|| verify_policy(&policy, limits, tablebase, &NoObserver));
        let (proof, is_well) = proof_of(verified)?;
        let is_ranking = policy.is_ranking(tablebase).unwrap_or(false);
        let worth = ProofSummary::new(&policy, &proof, seconds);
        let report = MeasureSummary::new(&policy, worth, is_ranking, Some(&found));
        Ok((MeasureReport::Measure(Box::new(report)), is_well))
    }
}

/// The number of moves to look ahead, if none is asked for.
const DEFAULT_LOOK: u8 = 3;

/// Checks that the strong side can win.
fn check_winnable(tablebase: &Tablebase) -> Result<()> {
    let material = tablebase.material();
    if tablebase.counts(Side::Strong, Group::new(material)).won == 0 {
        return Err(Failure::usage(format!(
            "the strong side wins from no position of {material}: there is no measure to be found"
        )));
    }
    Ok(())
}

/// Prints the quantities, each with its range and meaning.
fn list(quantities: &QuantitySet) -> Result<()> {
    let mut text = String::new();
    for quantity in quantities.quantities() {
        let (low, high) = quantity.domain();
        text += &format!("{} {low}..{high}: {}\n", quantity.name(), quantity.meaning());
    }
    super::output::write_data(text.as_bytes())
}
