use super::file_kind::{STRATEGY, read_as};
use super::labels::part_of;
use super::number::number_of;
use super::output::{ProgressDisplay, ReportArgs, count};
use super::player_args::resolve_endgame;
use super::search::{Effort, ModelFiles, finish, proof_of};
use super::tables::TableArgs;
use super::{Failure, Result, interrupt, one_of};
use lucena::attributes::{Attribute, AttributeSet, Selection};
use lucena::chess::{Material, Side};
use lucena::policy::{StrategyPolicy, is_symmetric};
use lucena::progress::timed;
use lucena::proof::{ProveError, ProvedGame};
use lucena::report::{KeyListsReport, ProofSample, ProofSummary, StrategyReport, StrategySummary};
#[cfg(feature = "serve")]
use lucena::strategy::strategy_selections;
use lucena::strategy::{
    Limits, MiningResult, MoveTable, Part, StartingPoint, StrategyTrial, distinct_keys, exhaust,
    mine, mine_part, rules_over, strategy_attributes, strategy_attributes_among, verify,
};
use lucena::tablebase::Tablebase;
use lucena::theory::FIFTY_MOVES;
use lucena_files::load_text;
use lucena_model::{
    Candidates, Condition, PlayedSide, Strategy as Rules, StrategyDomain, StrategyRule,
};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

/// Find a strategy: a few rules about moves that a person can remember, and that are proved to win
///
/// The first rule that applies to any safe move is used: its keys decide among these moves, one after the other. The
/// proof covers all moves that are still tied, and every reply. The best result so far is written whenever it improves,
/// after a second proof from the rules. The exit code is 1 if no strategy was found that wins every position that can be
/// won, or if the given strategy does not.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena find strategy KQvK --out queen.json              the smallest that is found in a minute
  lucena find strategy KRvK --longest 33 --excess 8.26 --out rook.json
  lucena find strategy --from rook.json --size 15 --excess 5 --seconds 300 --out quicker.json
  lucena find strategy --attributes geometric,strategic,concepts,ahead --candidates 60000
  lucena find strategy KBBvK --attributes geometric,strategic,concepts,ahead --stages kWallSizeNext=6,10,15,21,28,36
  lucena find strategy KPvK --side weak --where 'kPInFront = 1' --seconds 300   a strategy that holds the draw
  lucena find strategy KRPvKR@d7 --where 'KPInFront = 1'  from one square of the pawn, and where its king is before it
  lucena find strategy --parts rook.json                  what refutes it without each of its parts
  lucena find strategy KQvK --exhaust 3 --sample 20       does any list of three keys win?
  lucena prove --player strategy:rook.json")]
pub(super) struct Strategy {
    /// The endgame [default: that of the given strategy, or KRvK]
    material: Option<Material>,
    /// Mate within this many moves
    #[arg(long, value_name = "N", value_parser = number_of::<u16>("moves", 1..=FIFTY_MOVES))]
    longest: Option<u16>,
    /// At most this many moves over the optimum, on average over all positions
    #[arg(long, value_name = "X", value_parser = number_of::<f64>("moves", 0.0..))]
    excess: Option<f64>,
    /// At most this many conditions and keys; the search then minimizes the length of games
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("conditions and keys", 1..))]
    size: Option<usize>,
    /// At most this many rules
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("rules", 1..))]
    rules: Option<usize>,
    #[command(flatten)]
    effort: Effort,
    /// A strategy to start from
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The side that the strategy plays: strong or weak [default: strong, or that of the given strategy]
    #[arg(long, value_parser = one_of::<Side>())]
    side: Option<Side>,
    /// Find a strategy for the positions that fulfil a condition on attributes, such as 'PRank = 7'; several must all hold.
    /// The endgame may then have five men
    #[arg(long = "where", value_name = "CONDITION", conflicts_with_all = ["stages", "exhaust", "parts"])]
    within: Vec<String>,
    /// Search in stages: while this attribute can be kept at or below each value, then for the whole endgame
    #[arg(long, value_name = "NAME=N,N,...", conflicts_with = "from")]
    stages: Option<Stages>,
    /// The attributes of rules, or sets of them, separated by commas; the set ahead has plans [default:
    /// geometric,strategic,concepts]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    attributes: Vec<String>,
    /// Write the strategy as JSON, whenever it gets better
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// If none wins every position, write the best attempt, which --from accepts
    #[arg(long, value_name = "FILE")]
    draft: Option<PathBuf>,
    /// Try all lists of this many keys, and report whether any wins
    #[arg(long, value_name = "K", conflicts_with_all = ["longest", "excess", "size", "rules", "from", "stages", "out", "draft", "parts"], value_parser = number_of::<u8>("keys", 1..=6))]
    exhaust: Option<u8>,
    /// With --exhaust: verify that a random sample of N lists fails
    #[arg(long, value_name = "N", requires = "exhaust", value_parser = number_of::<usize>("lists", ..))]
    sample: Option<usize>,
    /// Prove this strategy, and show what refutes it without each of its parts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "stages", "out", "draft", "size", "rules", "longest", "excess"])]
    parts: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// The part of an endgame that a strategy is wanted for.
struct Domain {
    attributes: AttributeSet,
    /// Its conditions number the attributes.
    domain: StrategyDomain,
}

/// An attribute with increasing upper bounds.
#[derive(Debug, Clone)]
struct Stages {
    name: String,
    at_most: Vec<u8>,
}

impl FromStr for Stages {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let how = "write an attribute and rising numbers, as in kRoom=4,10,20";
        let (name, values) = text.split_once('=').ok_or(how)?;
        let at_most: Result<Vec<u8>, _> = values.split(',').map(str::parse).collect();
        let at_most = at_most.map_err(|_| format!("{values} are not numbers up to 255: {how}"))?;
        match at_most.is_sorted_by(|one, next| one < next) {
            true => Ok(Self { name: name.into(), at_most }),
            false => {
                Err(format!("each stage holds the one before, and {values} do not rise: {how}"))
            }
        }
    }
}

impl Stages {
    fn conditions(&self, table: &MoveTable) -> Result<Vec<Condition>> {
        let (mut known, name) = (table.attributes().attributes().iter(), &self.name);
        let attribute = known.position(|known| known.name() == name).ok_or_else(|| {
            let refused = format!("no strategy of {} may use {name}", table.material());
            Failure::usage(format!("{refused}: choose another attribute for --stages"))
        })?;
        Ok(self.at_most.iter().map(|&high| Condition { attribute, low: 0, high }).collect())
    }
}

impl Strategy {
    pub(super) fn run(self) -> Result<()> {
        let path = self.from.as_deref().or(self.parts.as_deref());
        let read = |path| read_as(path, STRATEGY, || load_text(path, Rules::from_json));
        let start = path.map(read).transpose()?;
        let played = start.as_ref().map(StrategyPolicy::endgame).transpose()?;
        let material = resolve_endgame(self.material, played)?;
        self.files().check()?;
        if let Some(domain) = self.domain(material, start.as_ref())? {
            let tablebase = self.tables.solve(material)?;
            let (report, is_well) = self.search_part(&tablebase, domain, start.as_ref())?;
            self.report.write(&report, |out| report.write_text(out))?;
            return finish(is_well);
        }
        let tablebase = self.tables.solve_quick(material)?;
        let (report, is_well) = match (self.exhaust, start) {
            (Some(length), _) => self.try_lists(&tablebase, length)?,
            (None, Some(strategy)) if self.parts.is_some() => parts_of(strategy, &tablebase)?,
            (None, start) => self.search(&tablebase, start.as_ref())?,
        };
        self.report.write(&report, |out| match &report {
            StrategyReport::Strategy(found) => found.write_text(out),
            StrategyReport::Lists(tried) => tried.write_text(out),
        })?;
        finish(is_well)
    }

    fn files(&self) -> ModelFiles<'_> {
        ModelFiles { out: self.out.as_deref(), draft: self.draft.as_deref() }
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        vec![("attributes", strategy_selections().to_string())]
    }

    /// Checks that the endgame can be won, and that it has the attributes.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        let material = resolve_endgame(self.material, None)?;
        TableArgs::check_winnable(material)?;
        self.attribute_set(material, None).map(drop)
    }

    /// The attributes that rules may use.
    fn attribute_set(&self, material: Material, start: Option<&Rules>) -> Result<AttributeSet> {
        let mut names: Vec<String> = Vec::new();
        let mut add = |set: &AttributeSet| {
            for name in set.attributes().iter().map(Attribute::name) {
                if !names.iter().any(|known| known == name) {
                    names.push(name.into());
                }
            }
        };
        if self.attributes.is_empty() {
            add(&strategy_attributes(material));
        }
        // The attributes of the strategy to start from are always allowed.
        let columns = start.iter().flat_map(|start| start.attributes());
        let words = self.attributes.iter().chain(columns.map(|column| &column.name));
        for word in words {
            if let Ok(part) = word.parse::<Selection>() {
                add(&strategy_attributes_among(material, part));
                continue;
            }
            let set = AttributeSet::named(material, [word.as_str()])?;
            check_symmetric(&set)?;
            add(&set);
        }
        Ok(AttributeSet::named(material, names.iter().map(String::as_str))?)
    }

    fn move_table(
        &self,
        tablebase: &Tablebase,
        start: Option<&Rules>,
        bar: &ProgressDisplay,
    ) -> Result<MoveTable> {
        let material = tablebase.material();
        let attributes = self.attribute_set(material, start)?;
        let table = MoveTable::new(tablebase, &attributes, bar)?;
        if table.is_empty() {
            return Err(Failure::usage(format!(
                "the strong side wins from no position of {material}: there is no strategy to be found"
            )));
        }
        if distinct_keys(&table).is_empty() {
            return Err(Failure::usage(
                "none of these attributes ever distinguishes two moves: add others to --attributes",
            ));
        }
        Ok(table)
    }

    /// The part of an endgame that a strategy is wanted for, if it is not the whole endgame with the strong side to move.
    /// Its conditions number the attributes that it returns.
    fn domain(&self, material: Material, start: Option<&Rules>) -> Result<Option<Domain>> {
        let own = start.map(Rules::domain).filter(|_| self.parts.is_none());
        let own_side = own.map_or(PlayedSide::Strong, |domain| domain.side);
        let side = self.side.map_or(own_side, |side| match side {
            Side::Strong => PlayedSide::Strong,
            Side::Weak => PlayedSide::Weak,
        });
        let is_tactical =
            own.is_some() && start.is_some_and(|start| start.candidates() == Candidates::Tactical);
        if self.within.is_empty() && side == PlayedSide::Strong && !is_tactical {
            return Ok(None);
        }
        if self.longest.is_some() || self.excess.is_some() {
            return Err(Failure::usage(
                "the length of games is not limited in a part of an endgame, or for the weak side: leave --longest and --excess out",
            ));
        }
        let list = part_of(material, &self.within)?;
        let mut conditions = Vec::new();
        for clause in list.within() {
            match clause.any_of[..] {
                [condition] => conditions.push(condition),
                _ => {
                    return Err(Failure::usage(
                        "--where: a strategy is made for positions that fulfil all of some conditions: leave alternatives out",
                    ));
                }
            }
        }
        check_symmetric(list.attributes())?;
        let mut attributes = list.attributes().clone();
        if let (true, Some(domain), Some(start)) = (self.within.is_empty(), own, start) {
            conditions = domain.conditions.clone();
            let names = start.attributes().iter().map(|column| column.name.as_str());
            attributes = AttributeSet::named(material, names)?;
        }
        Ok(Some(Domain { attributes, domain: StrategyDomain { side, conditions } }))
    }

    fn search_part(
        &self,
        tablebase: &Tablebase,
        wanted: Domain,
        start: Option<&Rules>,
    ) -> Result<(StrategySummary, bool)> {
        let bar = ProgressDisplay::new();
        interrupt::report_when_stopped();
        let material = tablebase.material();
        let Domain { attributes: of_domain, mut domain } = wanted;
        let attributes = self.attributes_of_part(material, start, &of_domain)?;
        let known = attributes.attributes();
        for condition in &mut domain.conditions {
            let name = of_domain.attributes()[condition.attribute].name();
            let number = known.iter().position(|attribute| attribute.name() == name);
            condition.attribute = number.expect("the set has the attributes of the part");
        }
        let side = domain.side;
        let part = Part::new(tablebase, &attributes, domain, &bar)?;
        if part.is_empty() {
            let what = match side {
                PlayedSide::Strong => "the strong side wins none of these positions",
                PlayedSide::Weak => "none of these positions is drawn",
            };
            return Err(Failure::usage(format!(
                "{what}, with that side to move, in {material}: change --where"
            )));
        }
        if !part.has_choice() {
            return Err(Failure::usage(
                "none of these attributes distinguishes two moves there: add others to --attributes, or widen --where",
            ));
        }
        let Self { longest, excess: mean_excess, size, rules, .. } = *self;
        let limits = Limits { longest, mean_excess, size, rules };
        let rules = rules_of(start, &attributes)?;
        let files = self.files();
        let search = self.effort.search(&bar);
        let found = mine_part(&part, &limits, rules.as_deref(), search, |strategy| {
            let verified = || verify(strategy, &Limits::default(), tablebase);
            files.accept(verified, || strategy.to_json())
        })?;
        let failure = part_failure(&part, side, found.draft.as_ref())?;
        drop(bar);
        self.summary(&found, &failure, &limits, tablebase)
    }

    /// Proves what a search has found. If it has found nothing, says so.
    fn summary(
        &self,
        found: &MiningResult<Rules, StrategyTrial>,
        failure: &str,
        wanted: &Limits,
        tablebase: &Tablebase,
    ) -> Result<(StrategySummary, bool)> {
        let strategy = self.files().model(
            found,
            Rules::to_json,
            failure,
            "search longer, or with another seed, or save it with --draft and continue with --from",
        )?;
        let policy = StrategyPolicy::new(strategy.clone())?;
        let (verified, seconds) = timed(|| verify(strategy, wanted, tablebase));
        let (proof, is_well) = proof_of(verified)?;
        let worth = ProofSummary::new(&policy, &proof, seconds);
        Ok((StrategySummary::new(&policy, worth, Some(found)), is_well))
    }

    /// The attributes that the rules of a part may use: no plans, which tactical candidates have no room for.
    fn attributes_of_part(
        &self,
        material: Material,
        start: Option<&Rules>,
        of_domain: &AttributeSet,
    ) -> Result<AttributeSet> {
        let chosen = self.attribute_set(material, start)?;
        let fight = match self.attributes.is_empty() {
            true => strategy_attributes_among(material, Selection::Fight),
            false => of_domain.clone(),
        };
        let plans = chosen.attributes().iter().find(|attribute| attribute.look_ahead().is_some());
        if let (Some(plans), false) = (plans, self.attributes.is_empty()) {
            return Err(Failure::usage(format!(
                "{} looks ahead, and rules for a part of an endgame do not: leave it out",
                plans.name()
            )));
        }
        let sets = [&chosen, &fight, of_domain];
        let all = sets.into_iter().flat_map(AttributeSet::attributes);
        let mut names: Vec<&str> = Vec::new();
        for attribute in all.filter(|attribute| attribute.look_ahead().is_none()) {
            if !names.contains(&attribute.name()) {
                names.push(attribute.name());
            }
        }
        Ok(AttributeSet::named(material, names)?)
    }

    fn try_lists(&self, tablebase: &Tablebase, length: u8) -> Result<(StrategyReport, bool)> {
        let (bar, started) = (ProgressDisplay::new(), Instant::now());
        let table = self.move_table(tablebase, None, &bar)?;
        let (tried, seconds) = timed(|| exhaust(&table, length.into(), &bar));
        let seed = self.effort.seed;
        let sample = self.sample.map(|size| ProofSample { size, seed, tablebase, observer: &bar });
        let mut tried = KeyListsReport::new(&tried?, &table, seconds, sample)?;
        tried.seconds = started.elapsed().as_secs_f64();
        let is_well = tried.sample_winners == 0;
        Ok((StrategyReport::Lists(Box::new(tried)), is_well))
    }

    fn search(
        &self,
        tablebase: &Tablebase,
        start: Option<&Rules>,
    ) -> Result<(StrategyReport, bool)> {
        let bar = ProgressDisplay::new();
        interrupt::report_when_stopped();
        let table = self.move_table(tablebase, start, &bar)?;
        let Self { longest, excess: mean_excess, size, rules, .. } = *self;
        let wanted = Limits { longest, mean_excess, size, rules };
        let rules = rules_of(start, table.attributes())?;
        let stages = self.stages.as_ref().map(|stages| stages.conditions(&table)).transpose()?;
        let start = match (&rules, &stages) {
            (Some(rules), _) => StartingPoint::Rules(rules),
            (None, Some(stages)) => StartingPoint::Stages(stages),
            (None, None) => StartingPoint::Nothing,
        };
        let files = self.files();
        let found = mine(&table, wanted, start, self.effort.search(&bar), |strategy| {
            let verified = || verify(strategy, &Limits::default(), tablebase);
            files.accept(verified, || strategy.to_json())
        })?;
        drop(bar);
        let failure = match found.trial.failures {
            0 => "no strategy was found that wins within 50 moves and loses no draw; the best wins every position".into(),
            failures => format!(
                "no strategy was found that wins every position; the best fails in {}, counted up to symmetry",
                count(failures as u64, "position", "positions")
            ),
        };
        let (report, is_well) = self.summary(&found, &failure, &wanted, tablebase)?;
        Ok((StrategyReport::Strategy(Box::new(report)), is_well))
    }
}

/// Checks that a strategy may use attributes.
fn check_symmetric(set: &AttributeSet) -> Result<()> {
    let material = set.material();
    let mut all = set.attributes().iter();
    match all.find(|known| !is_symmetric(material, |at| known.value(at).into())) {
        Some(known) => Err(Failure::usage(format!(
            "{} changes when the board is turned or mirrored, so no strategy may use it: leave it out",
            known.name()
        ))),
        None => Ok(()),
    }
}

/// Says where the best attempt fails; nothing if there is none.
fn part_failure(part: &Part<'_>, side: PlayedSide, draft: Option<&Rules>) -> Result<String> {
    let Some(draft) = draft else { return Ok(String::new()) };
    let failing = part.failing(draft).map_err(Failure::usage)?;
    let all = count(part.len() as u64, "position", "positions");
    let reaches = if side == PlayedSide::Weak { "holds" } else { "wins" };
    let fails = failing.first().map_or_else(String::new, |first| format!(", but not {first}"));
    Ok(format!(
        "no strategy was found that {reaches} all of the {all}, counted up to symmetry; the best {reaches} {}{fails}",
        part.len() - failing.len(),
    ))
}

/// The rules of a strategy to start from, over a set of attributes.
fn rules_of(start: Option<&Rules>, known: &AttributeSet) -> Result<Option<Vec<StrategyRule>>> {
    let rules = start.map(|strategy| rules_over(known, strategy)).transpose();
    rules.map_err(|name| {
        let material = known.material();
        Failure::usage(format!("the strategy uses {name}, which {material} does not have"))
    })
}

fn parts_of(strategy: Rules, tablebase: &Tablebase) -> Result<(StrategyReport, bool)> {
    let policy = StrategyPolicy::new(strategy)?;
    let bar = ProgressDisplay::new();
    let (proof, seconds) = timed(|| {
        let game = ProvedGame::with_observer(&policy, tablebase, &bar)?;
        Ok::<_, ProveError>(game.proof(&bar)?)
    });
    let worth = ProofSummary::new(&policy, &proof?, seconds);
    let is_well = worth.is_complete();
    let report = StrategySummary::new(&policy, worth, None).with_parts(&policy, tablebase, &bar)?;
    Ok((StrategyReport::Strategy(Box::new(report)), is_well))
}
