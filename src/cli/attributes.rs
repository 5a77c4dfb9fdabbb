use super::labels::{Labels, PartArgs, RowArgs, any_endgame};
use super::number::{number, number_of};
use super::output::{FileReportArgs, ProgressDisplay};
use super::tables::TableArgs;
use super::{Result, one_of};
use lucena::attributes::AttributeSet;
use lucena::chess::Material;
use lucena::dataset::Positions;
use lucena::report::{self, AttributesReport, SubsetSearch, SufficiencyParams};

/// List the attributes of an endgame, and report whether they determine the class of every position
///
/// No learner can tell positions with the same attribute values apart. The report counts such positions that differ in
/// class, and shows some. It also looks for a small subset of the attributes that separates all the classes that the
/// whole set separates.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena attributes
  lucena attributes KQvKR --attributes all --list
  lucena attributes KRvK --attributes strategic --positions full --examples 10
  lucena attributes --attributes kOnEdge,KkOppositionDistance,kInCheck
  lucena attributes KBNvK --subset exact --nodes 10000000
  lucena attributes KPvK --attributes all,concepts --class wdl --turn white
  lucena attributes KPvK --attributes all --chapter --out attributes.md")]
pub(super) struct Attributes {
    /// The endgame; with --syzygy of up to seven men
    #[arg(default_value = "KRvK", value_parser = any_endgame)]
    material: Material,
    /// The attributes: names of sets, as in dataset, or of single attributes, separated by commas
    #[arg(long = "attributes", aliases = ["set", "names"], value_name = "NAMES", default_value = "geometric", value_delimiter = ',')]
    set: Vec<String>,
    /// One position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of::<Positions>())]
    positions: Positions,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    part: PartArgs,
    /// The seed of --sample
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(..))]
    seed: u64,
    /// Only list the attributes, each with its values and its meaning
    #[arg(long)]
    list: bool,
    /// Only list the attributes, as a chapter in Markdown with boards
    #[arg(long, conflicts_with_all = ["list", "format"])]
    chapter: bool,
    /// The search for a small subset that is as good as the whole set: quick, or for the smallest
    #[arg(long, default_value = "greedy", value_parser = one_of::<SubsetSearch>())]
    subset: SubsetSearch,
    /// The maximum number of nodes of the exact search
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number_of::<u64>("nodes", ..))]
    nodes: u64,
    /// The number of pairs to show that have the same values and different classes
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number_of::<usize>("clashes", ..))]
    examples: usize,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: FileReportArgs,
}

impl Attributes {
    pub(super) fn run(self) -> Result<()> {
        self.report.file().check()?;
        let set = AttributeSet::from_words(self.material, &self.set)?;
        if self.chapter {
            return self.report.file().write(report::attribute_chapter(&set).as_bytes());
        }
        let listed = if self.list {
            AttributesReport::new(self.material, &set)
        } else {
            let Self { positions, examples, subset: part, nodes, seed, .. } = self;
            let (material, turn) = (self.material, self.rows.turn());
            if !self.rows.is_sample() {
                TableArgs::check_in_memory(material)?;
            }
            let within = self.part.part(material)?;
            let Labels { source, sample } =
                self.rows.labels(material, within.as_ref(), &self.tables, seed)?;
            let params = SufficiencyParams { positions, turn, sample, examples, part, nodes };
            report::attributes(&*source, &set, params, &ProgressDisplay::new())?
        };
        self.report.write(&listed, |out| listed.write_text(out))
    }
}
