//! The classes of rows: options of verbs that make data sets.

use super::number::number_of;
use super::output::ProgressDisplay;
use super::syzygy::SyzygyArgs;
use super::tables::TableArgs;
use super::terminal::note;
use super::{Failure, Result, one_of};
use lucena::chess::{Material, ParseMaterialError, Position, SOLVED_MEN, Side};
use lucena::dataset::{
    LabelParams, LabelSource, PartLabels, SampleParams, SyzygyLabels, SyzygyLabelsError, Target,
    WdlLabels,
};
use lucena::named::Named;
use lucena::rules::RuleList;
use lucena::syzygy::SyzygyError;
use std::num::NonZeroUsize;

/// What the rows are classified by.
#[derive(Clone, clap::Args)]
pub(super) struct LabelArgs {
    /// The class: dtm, the distance to mate; or, by the fifty-move rule, dtz, the distance to zeroing, or wdl, the outcome
    #[arg(long, default_value = "dtm", hide_possible_values = true, value_parser = one_of::<Target>())]
    class: Target,
    #[command(flatten)]
    syzygy: SyzygyArgs,
}

/// The rows that a verb learns from or compares: options of verbs that look at one side to move.
#[derive(Clone, clap::Args)]
pub(super) struct RowArgs {
    #[command(flatten)]
    labels: LabelArgs,
    /// The side to move: white is the strong side
    #[arg(long, default_value = "black", value_parser = one_of::<SideToMove>())]
    turn: SideToMove,
    /// Only a random sample of N positions up to symmetry; needed to learn from endgames of five men
    #[arg(long, value_name = "N", value_parser = number_of::<NonZeroUsize>("positions", ..))]
    sample: Option<NonZeroUsize>,
}

/// The part of an endgame that a verb works on.
#[derive(Clone, clap::Args)]
pub(super) struct PartArgs {
    /// Only where this holds, such as 'PRank = 7'; several must all hold
    #[arg(long = "where", value_name = "CONDITION")]
    within: Vec<String>,
}

impl PartArgs {
    /// The part of an endgame; `None` for all of it.
    pub(super) fn part(&self, material: Material) -> Result<Option<RuleList>> {
        (!self.within.is_empty()).then(|| part_of(material, &self.within)).transpose()
    }

    /// The options as they are written in a command, with a space before each.
    pub(super) fn command(&self) -> String {
        let options = self.within.iter();
        options.map(|one| format!(" --where {}", quoted(one))).collect()
    }
}

impl RowArgs {
    pub(super) fn class(&self) -> Target {
        self.labels.class
    }

    pub(super) fn turn(&self) -> Side {
        self.turn.0
    }

    pub(super) fn is_sample(&self) -> bool {
        self.sample.is_some()
    }

    /// [`LabelArgs::check`].
    pub(super) fn check(&self, material: Material) -> Result<()> {
        self.labels.check(material)
    }

    /// The positions of an endgame, and the sample to draw of them by a seed.
    pub(super) fn labels(
        &self,
        material: Material,
        part: Option<&RuleList>,
        tables: &TableArgs,
        seed: u64,
    ) -> Result<Labels> {
        let sample = self.sample.map(|orbits| SampleParams { orbits, seed });
        self.labels.labels_of_part(material, part, tables, &[self.turn()], sample)
    }
}

/// Positions with their classes, and the sample that is still to be drawn.
pub(super) struct Labels {
    pub(super) source: Box<dyn LabelSource>,
    /// The sample to draw; `None` if it has been drawn, or for all positions.
    pub(super) sample: Option<SampleParams>,
}

impl LabelArgs {
    /// Classes that are not named by an option.
    pub(super) fn of_class(class: Target, syzygy: SyzygyArgs) -> Self {
        Self { class, syzygy }
    }

    /// Returns true if the classes come from Syzygy files: if the command line names some, or lucena's tables do not cover
    /// so many men. Those that are named by default only serve classes that they have.
    fn is_from_syzygy(&self, material: Material) -> bool {
        let is_served = || self.class != Target::Dtm && !self.syzygy.paths().is_empty();
        self.syzygy.is_named() || material.men() > SOLVED_MEN || is_served()
    }

    /// The positions of a part of an endgame with some sides to move.
    pub(super) fn labels_of_part(
        &self,
        material: Material,
        part: Option<&RuleList>,
        tables: &TableArgs,
        turns: &[Side],
        sample: Option<SampleParams>,
    ) -> Result<Labels> {
        let Some(part) = part else {
            return self.labels(material, tables, turns, sample);
        };
        if material.men() > SOLVED_MEN {
            return Err(Failure::usage(format!(
                "--where looks at all positions of an endgame, and {material} has too many: leave it out, or choose an endgame of at most {SOLVED_MEN} men"
            )));
        }
        // The sample is drawn from the part.
        let Labels { source, .. } = self.labels(material, tables, turns, None)?;
        let is_in_part = |placement: &Position| part.is_about(placement);
        let (conditions, bar) = (part.formulas(part.within()), ProgressDisplay::new());
        let source = PartLabels::new(source, turns, conditions, &is_in_part, &bar)?;
        if turns.iter().all(|&turn| source.orbits_len(turn) == 0) {
            return Err(Failure::usage(format!(
                "there is no position of {material} in which {}: change --where",
                source.part().join(" and ")
            )));
        }
        Ok(Labels { source: Box::new(source), sample })
    }

    /// The positions of an endgame with some sides to move.
    fn labels(
        &self,
        material: Material,
        tables: &TableArgs,
        turns: &[Side],
        sample: Option<SampleParams>,
    ) -> Result<Labels> {
        let folder = || tables.folder_of(self.class.metric(), &[material]);
        if self.is_from_syzygy(material) {
            match self.syzygy_labels(material, turns, sample)? {
                // As for every other look-up: where a file cannot be used, lucena's own table answers if it is there, or is
                // quickly solved.
                Err(error) if material.men() <= SOLVED_MEN && folder()?.has_quickly(material) => {
                    note(&format!(
                        "{error}. The classes come from lucena's own table of {material} instead"
                    ));
                }
                labels => return Ok(labels.map_err(SyzygyLabelsError::from)?),
            }
        }
        let folder = folder()?;
        let tablebase = folder.tablebase(material, &ProgressDisplay::new())?;
        let source: Box<dyn LabelSource> = match self.class {
            Target::Wdl => Box::new(WdlLabels::new(tablebase)),
            Target::Dtm | Target::Dtz => Box::new(tablebase),
        };
        Ok(Labels { source, sample })
    }

    /// Checks that lucena's tables, or the Syzygy files that are named, can have the class.
    fn check(&self, material: Material) -> Result<()> {
        let is_mate = self.class == Target::Dtm;
        match self.is_from_syzygy(material) {
            true if is_mate && self.syzygy.is_named() => Err(Failure::usage(
                "Syzygy files have no distances to mate: choose --class wdl or --class dtz, or leave out --syzygy",
            )),
            true if is_mate => Err(Failure::usage(format!(
                "{}: choose --class wdl or --class dtz, and name a folder of Syzygy files by --syzygy",
                unsolved(material)
            ))),
            true if !self.syzygy.is_named() && self.syzygy.paths().is_empty() => {
                Err(no_files(material))
            }
            _ => Ok(()),
        }
    }

    /// The positions of an endgame by Syzygy files. The inner error is that of a file which is missing or damaged.
    fn syzygy_labels(
        &self,
        material: Material,
        turns: &[Side],
        sample: Option<SampleParams>,
    ) -> Result<Result<Labels, SyzygyError>> {
        self.check(material)?;
        let Some(tables) = self.syzygy.open()? else { return Err(no_files(material)) };
        let bar = ProgressDisplay::new();
        let params = LabelParams { target: self.class, turns, sample };
        match SyzygyLabels::new(&tables, material, params, &bar) {
            Ok(source) => Ok(Ok(Labels { source: Box::new(source), sample: None })),
            Err(SyzygyLabelsError::Syzygy(error)) => Ok(Err(error)),
            Err(error) => Err(error.into()),
        }
    }

    /// The options as they are written in a command, with a space before each; DIR stands for the folders of Syzygy
    /// files, if the classes come from them.
    pub(super) fn command(&self, source: &dyn LabelSource) -> String {
        let class = self.class;
        let class = if class == Target::default() {
            String::new()
        } else {
            format!(" --class {}", class.name())
        };
        let syzygy = if source.is_from_syzygy() { " --syzygy DIR" } else { "" };
        class + syzygy
    }
}

/// The fact that an endgame has too many men for lucena's tables.
fn unsolved(material: Material) -> String {
    let men = material.men();
    format!("{material} has {men} men, and endgames of at most {SOLVED_MEN} can be solved")
}

/// The refusal of an endgame that only Syzygy files have.
fn no_files(material: Material) -> Failure {
    let unsolved = unsolved(material);
    Failure::usage(format!("{unsolved}: name a folder of Syzygy files by --syzygy"))
}

/// The side to move in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct SideToMove(Side);

impl Named for SideToMove {
    const ALL: &'static [(&'static str, Self)] =
        &[("white", Self(Side::Strong)), ("black", Self(Side::Weak))];
}

/// Parses the name of an endgame of up to seven men.
pub(super) fn any_endgame(name: &str) -> Result<Material, ParseMaterialError> {
    Material::from_name(name)
}

/// The part of an endgame in which the conditions of --where hold.
pub(super) fn part_of(material: Material, within: &[String]) -> Result<RuleList> {
    RuleList::without_rules(material, within)
        .map_err(|error| Failure::usage(format!("--where: {error}")))
}

/// Quotes a word for a shell.
pub(super) fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_owned(), Into::into)
}
