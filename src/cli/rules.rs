use super::labels::part_of;
use super::number::{number, number_of};
use super::output::{ProgressDisplay, ReportArgs, check_outputs, write, write_out};
use super::search::finish;
use super::tables::TableArgs;
use super::terminal::note;
use super::{Failure, Result, among, interrupt};
use clap::ArgGroup;
use lucena::attributes::AttributeSet;
use lucena::chess::Material;
use lucena::progress::{NoObserver, Observer};
use lucena::report::{self, RuleListReport};
use lucena::rules::{Claim, RuleList, SearchParams, search, search_thumb};
use lucena::tablebase::{Metric, Tablebase};
use lucena_files::{load_text, update_file};
use std::path::{Path, PathBuf};

/// Find rules about who wins that have no exception, or count how often rules are right
///
/// A rule is a conjunction of conditions on a position, and a claim: White, the strong side, wins, or does not win. Each
/// rule that the search finds is checked on every position, and has no exception. Wins that the fifty-move rule would
/// draw count as wins. --class both finds rules of thumb, which have some: the first that applies decides.
///
/// --check counts the rules of a file. The exit code is 1 if one has an exception, and 2 if a rule does not have the
/// record that its line decides claims. The files are TOML, as below.
#[derive(clap::Args)]
#[command(group = ArgGroup::new("search").args(["class", "repair"]), after_help = "Examples:
  lucena rules KPvK --class win
  lucena rules KRvKP --class draw --rules 20 --out draws.toml
  lucena rules KRPvKR --class win --where 'PFile = a' --where 'PRank = 7'
  lucena rules KPvK --class both --held-out 'PFile = b' --out thumb.toml
  lucena rules --check data/rules/KPvK.toml --repair --conditions 3
  lucena rules --check draws.toml --out known.toml

A file of rules:
  material = \"KPvK\"
  otherwise = \"draw\"      # if the first rule that applies decides
  [[rules]]
  name = \"key-square\"
  claim = \"win\"
  turn = \"white\"
  when = [\"KPKeySquare = 1\", \"PRank <= 6 or PHangs = 0\"]"
)]
pub(super) struct Rules {
    /// The endgame, of up to five men; if left out, that of the file to start from
    #[arg(conflicts_with = "check")]
    material: Option<Material>,
    /// What the rules say: win, White wins; draw, White does not win; both, rules of thumb in order
    #[arg(long, value_name = "CLAIM", required_unless_present = "check", conflicts_with = "check", value_parser = among(SOUGHT))]
    class: Option<Sought>,
    /// Count the rules of this file
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// With --check: look for conditions that a rule with exceptions lacks
    #[arg(long, requires = "check")]
    repair: bool,
    /// With --check: print a section in Markdown for a book
    #[arg(long, requires = "check", conflicts_with = "format")]
    chapter: bool,
    /// With --check: write the verdicts as JSON, for the page and the book
    #[arg(long, value_name = "FILE", requires = "check")]
    verdicts: Option<PathBuf>,
    /// The attributes that conditions are about: names of sets, as in learn, or of single attributes, separated by commas
    #[arg(
        long,
        value_name = "NAMES",
        default_value = "all,concepts,fight",
        value_delimiter = ',',
        requires = "search"
    )]
    attributes: Vec<String>,
    /// Only look at positions in which this condition holds; with several, in which all hold. They are written as in files
    #[arg(long = "where", value_name = "CONDITION", conflicts_with_all = ["check", "from"])]
    within: Vec<String>,
    /// Keep the positions in which this condition, or all of several, holds from the search, and tell the record there too
    #[arg(long, value_name = "CONDITION")]
    held_out: Vec<String>,
    /// The maximum number of rules, those of --from included
    #[arg(long, value_name = "N", default_value_t = 12, conflicts_with = "check", value_parser = number_of::<usize>("rules", 1..))]
    rules: usize,
    /// The maximum number of conditions of a rule
    #[arg(long, value_name = "N", default_value_t = 6, requires = "search", value_parser = number_of::<usize>("conditions", 1..=32))]
    conditions: usize,
    /// The number of unfinished rules that the search keeps
    #[arg(long, value_name = "N", default_value_t = 8, requires = "search", value_parser = number_of::<usize>("rules", 1..))]
    beam: usize,
    /// The random positions in which rules are looked for first
    #[arg(long, value_name = "N", default_value_t = 200_000, requires = "search", value_parser = number_of::<usize>("positions", 1..=100_000_000))]
    sample: usize,
    /// The seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1, requires = "search", value_parser = number::<u64>(..))]
    seed: u64,
    /// A file of rules to start from; they are kept, or with --class both improved
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    from: Option<PathBuf>,
    /// Write the rules, whenever there is one more; with --check, write them with their records, if none has an exception
    #[arg(long, value_name = "FILE", conflicts_with_all = ["repair", "chapter"])]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// What is looked for.
#[derive(Debug, Clone, Copy)]
enum Sought {
    /// Rules without exceptions, with one claim.
    Sound(Claim),
    /// Rules of thumb.
    Thumb,
}

/// What is looked for, by its name.
const SOUGHT: &[(&str, Sought)] = &[
    ("win", Sought::Sound(Claim::Win)),
    ("draw", Sought::Sound(Claim::Draw)),
    ("both", Sought::Thumb),
];

impl Rules {
    pub(super) fn run(self) -> Result<()> {
        check_outputs(&[("--out", self.out.as_deref()), ("--verdicts", self.verdicts.as_deref())])?;
        match (&self.check, self.class) {
            (Some(path), _) => self.check(path),
            (None, Some(sought)) => self.find(sought),
            (None, None) => {
                Err(Failure::usage("say what the rules claim by --class win, draw or both"))
            }
        }
    }

    /// Counts the rules of a file.
    fn check(&self, path: &Path) -> Result<()> {
        let list = self.hold_out(read(path)?)?;
        if (self.repair || self.out.is_some()) && list.otherwise().is_some() {
            return Err(Failure::usage(
                "rules of thumb are meant to have exceptions: leave --repair and --out out, or the line \"otherwise\" of the file",
            ));
        }
        let attributes = AttributeSet::from_words(list.material(), &self.attributes)?;
        let tablebase = self.table(list.material())?;
        let bar = ProgressDisplay::new();
        let mut counted = report::rules(&list, &tablebase, &bar)?;
        if let (true, RuleListReport::Each(counted)) = (self.repair, &mut counted) {
            let list = list.with_attributes(&attributes);
            counted.repair(&list, &tablebase, self.params(), &bar)?;
        }
        drop(bar);
        if let Some(path) = &self.verdicts {
            write(path, counted.verdicts().to_json().as_bytes())?;
        }
        if self.chapter {
            return write_out(None, counted.to_markdown(&list).as_bytes());
        }
        self.write(&counted)?;
        if let RuleListReport::Each(counted) = &counted {
            if let Some(path) = &self.out {
                let recorded =
                    counted.recorded(&list).map_err(|error| Failure::usage(error.to_string()))?;
                return Ok(write(path, recorded.to_toml().as_bytes())?);
            }
            if let Some(fault) = counted.false_record() {
                return Err(Failure::usage(format!("{}: {fault}", path.display())));
            }
        }
        if counted.is_right() { Ok(()) } else { Err(Failure::Check) }
    }

    /// A list with the positions held out that the command names, or else the file.
    fn hold_out(&self, list: RuleList) -> Result<RuleList> {
        if self.held_out.is_empty() {
            return Ok(list);
        }
        let held_out = list.hold_out(&self.held_out);
        held_out.map_err(|error| Failure::usage(format!("--held-out: {error}")))
    }

    /// Searches for rules.
    fn find(&self, sought: Sought) -> Result<()> {
        let start = self.from.as_deref().map(read).transpose()?;
        let material = self.endgame(start.as_ref())?;
        let attributes = AttributeSet::from_words(material, &self.attributes)?;
        let start = match start {
            Some(start) => start,
            None => part_of(material, &self.within)?,
        };
        if let (Sought::Sound(_), Some(_)) = (sought, start.otherwise()) {
            return Err(Failure::usage(
                "the rules to start from are rules of thumb: improve them by --class both, or leave the line \"otherwise\" of the file out",
            ));
        }
        let start = self.hold_out(start.with_attributes(&attributes))?;
        let tablebase = self.table(material)?;
        let bar = ProgressDisplay::new();
        interrupt::report_when_stopped();
        let mut written = Ok(());
        let found = |list: &RuleList| {
            if let (Some(path), Ok(())) = (&self.out, &written) {
                written = update_file(path, list.to_toml().as_bytes());
            }
        };
        let list = match sought {
            Sought::Sound(claim) => search(&tablebase, start, claim, self.params(), &bar, found),
            Sought::Thumb => search_thumb(&tablebase, &start, self.params(), &bar, found),
        }?;
        written?;
        if list.rules().is_empty() {
            note(
                "no rule was found: allow more conditions, name other attributes, or leave a --where out",
            );
            return finish(false);
        }
        let list = list.with_used_attributes();
        let counted = match bar.is_stopped() {
            false => report::rules(&list, &tablebase, &bar)?,
            true => report::rules(&list, &tablebase, &NoObserver)?,
        };
        drop(bar);
        self.write(&counted)?;
        finish(counted.is_as_sought())
    }

    fn params(&self) -> SearchParams {
        let &Self { rules, conditions, beam, sample, seed, .. } = self;
        SearchParams { turn: None, rules, conditions, beam, sample, seed }
    }

    /// The endgame that is named, or that of the rules to start from.
    fn endgame(&self, start: Option<&RuleList>) -> Result<Material> {
        match (self.material, start.map(RuleList::material)) {
            (Some(material), Some(of_file)) if material != of_file => Err(Failure::usage(format!(
                "the rules to start from are about {of_file}, not {material}: name their endgame, or none"
            ))),
            (Some(material), _) | (None, Some(material)) => Ok(material),
            (None, None) => Err(Failure::usage(
                "name an endgame, as in \"lucena rules KPvK --class win\", or a file of rules to start from by --from",
            )),
        }
    }

    /// The table of an endgame, ready for a look at every position.
    fn table(&self, material: Material) -> Result<Tablebase> {
        let folder = self.tables.folder_of(Metric::Dtz, &[material])?;
        Ok(folder.tablebase(material, &ProgressDisplay::new())?.unpacked()?)
    }

    fn write(&self, counted: &RuleListReport) -> Result<()> {
        self.report.write(counted, |out| counted.write_text(out))
    }
}

/// Reads a file of rules.
fn read(path: &Path) -> Result<RuleList> {
    Ok(load_text(path, RuleList::from_toml)?)
}
