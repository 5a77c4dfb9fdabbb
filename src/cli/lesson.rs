use super::file_kind::{TREE, read_as};
use super::labels::{LabelArgs, Labels};
use super::number::{number, number_of};
use super::output::{ProgressDisplay, check_outputs, write, write_out};
use super::syzygy::SyzygyArgs;
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::DecisionTree;
use lucena::chess::Material;
use lucena::dataset::{SampleParams, Target};
use lucena::lesson::OutcomeLesson;
use lucena::model::ModelKind;
use lucena::page::{ApiError, PageState, lesson_file, lesson_markdown, page_file};
use lucena::progress::{Observer, Progress};
use lucena::report::outcome_lesson;
use lucena::roster::PlayerName;
use lucena::rules::RuleList;
use lucena_files::load_text;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// Write a lesson on an endgame, or on a tree, a strategy or a measure, with exercises
///
/// KQvK, KRvK, KPvK, KBBvK and KBNvK have stages: each with an aim, a board, what is proved and what is advice, an
/// exercise and a game. KPvK, KPvKP, KRvKP, KQvKP, KBPvK and KRPvKR have stages made from rules without exceptions. The
/// solutions and games of KRPvKR need its table in --tables: solve KRPvKR --class dtz makes it.
///
/// With --tree FILE the lesson is on a tree that tells won from drawn positions, as "lucena learn --class wdl" makes it:
/// its rules in words, how often each is right, a board on which it is right and one on which it is wrong, and
/// exercises. Of a tree of more than 20 leaves, it has the best part of 20. The positions are all those of the endgame,
/// or a --sample of them; of a tree that was learned from a part of an endgame, those of the part.
///
/// Markdown is for printing. HTML is one file with boards to play on. It opens in any browser, and needs
/// neither a server nor a network.
#[derive(clap::Args)]
#[command(mut_arg("syzygy", |syzygy| syzygy.requires("tree").conflicts_with_all(["player", "material"])))]
#[command(after_help = "Examples:
  lucena lesson KRvK > lesson.md
  lucena lesson KRvK --html lesson.html
  lucena lesson KQvK --player theory --html lesson.html
  lucena lesson KBBvK --player measure > lesson.md
  lucena lesson KRPvKR > lesson.md
  lucena learn KPvK --class wdl --turn white --attributes all,concepts --folds 0 --max-leaves 6 --out kpk.json
  lucena lesson --tree kpk.json > lesson.md")]
pub(super) struct Lesson {
    /// The endgame [default: that of the player, or KRvK]
    material: Option<Material>,
    /// The player that teaches, with a tree, a strategy or a measure: see "lucena help players" [default: the endgame's
    /// stages, if it has any, then measure for KBBvK and KBNvK, otherwise strategy]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    /// Write one HTML file with boards to play on
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the Markdown to a file instead of standard output
    #[arg(long, value_name = "FILE", conflicts_with = "html")]
    out: Option<PathBuf>,
    /// The tree of outcomes that the lesson is on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["player", "material"])]
    tree: Option<PathBuf>,
    /// Count only a random sample of N positions up to symmetry; needed for endgames of five men or more
    #[arg(long, value_name = "N", requires = "tree", conflicts_with_all = ["player", "material"], value_parser = number_of::<NonZeroUsize>("positions", ..))]
    sample: Option<NonZeroUsize>,
    /// The seed of --sample; by default another seed than learn's
    #[arg(long, value_name = "N", requires = "sample", conflicts_with_all = ["player", "material"], default_value_t = 2, value_parser = number::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    syzygy: SyzygyArgs,
    #[command(flatten)]
    tables: TableArgs,
}

/// The time between two checks for a table.
const BETWEEN: Duration = Duration::from_millis(20);

impl Lesson {
    pub(super) fn run(self) -> Result<()> {
        check_outputs(&[("--html", self.html.as_deref()), ("--out", self.out.as_deref())])?;
        if let Some(path) = &self.tree {
            return self.write_outcomes(path);
        }
        let state = PageState::new(self.tables.folder());
        if let Some(player) = &self.player {
            check_player(player)?;
            state.offer(player).map_err(|error| Failure::InputOutput(error.into()))?;
        }
        let name = self.player.as_ref().map(ToString::to_string);
        let name = name.as_deref();
        let bar = ProgressDisplay::new();
        let text = waited(&bar, || match &self.html {
            Some(_) => lesson_file(&state, name, self.material, &lucena_serve::part),
            None => lesson_markdown(&state, name, self.material),
        })?;
        drop(bar);
        match &self.html {
            Some(path) => Ok(write(path, text.as_bytes())?),
            None => write_out(self.out.as_deref(), text.as_bytes()),
        }
    }

    /// Writes the lesson of a tree of outcomes.
    fn write_outcomes(&self, path: &Path) -> Result<()> {
        let tree = read_as(path, TREE, || load_text(path, DecisionTree::from_json))?;
        let attributes = OutcomeLesson::attributes_of(&tree)?;
        let material = attributes.material();
        if self.sample.is_none() {
            TableArgs::check_countable(material)?;
        }
        let turn = OutcomeLesson::turn_of(&tree);
        let sample = self.sample.map(|orbits| SampleParams { orbits, seed: self.seed });
        let labels = LabelArgs::of_class(Target::Wdl, self.syzygy.clone());
        let conditions = tree.head().part();
        let part = (!conditions.is_empty())
            .then(|| RuleList::without_rules(material, &conditions))
            .transpose()
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
        let Labels { source, sample } =
            labels.labels_of_part(material, part.as_ref(), &self.tables, &[turn], sample)?;
        let bar = ProgressDisplay::new();
        bar.report(Progress { what: "writing the lesson", done: 0, total: None });
        let page = outcome_lesson(tree, &*source, sample)?.page();
        drop(bar);
        match &self.html {
            Some(path) => {
                Ok(write(path, page_file(&page, material, &lucena_serve::part).as_bytes())?)
            }
            None => write_out(self.out.as_deref(), page.to_markdown().as_bytes()),
        }
    }
}

/// Checks that a tree is not one of outcomes, which has a lesson but is no player.
fn check_player(player: &PlayerName) -> Result<()> {
    let PlayerName::ModelFile(ModelKind::Tree, path) = player else { return Ok(()) };
    let tree = read_as(path, TREE, || load_text(path, DecisionTree::from_json))?;
    match OutcomeLesson::attributes_of(&tree) {
        Ok(_) => Err(Failure::usage(format!(
            "{player} tells won from drawn, and a player needs the distance to mate: for a lesson on the tree itself, give --tree {}",
            path.display()
        ))),
        Err(_) => Ok(()),
    }
}

/// Repeats `ask` until no table has to be solved first.
fn waited<T>(bar: &ProgressDisplay, ask: impl Fn() -> Result<T, ApiError>) -> Result<T> {
    loop {
        match ask() {
            Ok(answer) => return Ok(answer),
            Err(ApiError::Solving(told)) => {
                let (what, progress) = (told.progress.what.as_str(), &told.progress);
                bar.report(Progress { what, done: progress.done, total: progress.total });
            }
            Err(refusal) => return Err(Failure::Usage(refusal.into())),
        }
        bar.check()?;
        sleep(BETWEEN);
    }
}
