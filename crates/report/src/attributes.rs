//! The attributes of an endgame, and whether they are sufficient to distinguish its positions.

use super::{ReportError, timed};
use lucena_attributes::{Attribute, AttributeSet, ReaderBoard, Selections, ValueEncoding};
use lucena_base::named::named;
use lucena_base::plural::{count, number, percent};
use lucena_base::progress::{Observer, Progress, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Position, Side};
use lucena_dataset::sufficiency::{Clash, ClashMember, Subset, Sufficiency, positions_of_rows};
use lucena_dataset::{Dataset, LabelSource, Positions, Sample, SampleParams};
use lucena_tablebase::Index;
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// Attributes, and the most that any learner can get from them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AttributesReport {
    /// The endgame, such as KRvK.
    pub material: String,
    /// The attribute sets, separated by commas; null if the attributes were named one by one.
    pub set: Option<Selections>,
    /// The attributes in order.
    pub attributes: Vec<AttributeEntry>,
    /// Sufficiency of the attributes; null if it was not requested.
    pub sufficiency: Option<SufficiencyReport>,
    /// Seconds taken by the test of sufficiency; null without it.
    pub seconds: Option<f64>,
}

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AttributeEntry {
    /// Its name.
    pub name: String,
    /// Its lowest value, as trees and arrays have it.
    pub low: u8,
    /// Its highest value, as trees and arrays have it.
    pub high: u8,
    /// Its meaning in words, with how to read these values.
    pub meaning: String,
}

/// Sufficiency of attributes. Rows with equal values form a vector; a vector whose rows have
/// several classes is a clash.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SufficiencyReport {
    /// The positions that make the rows.
    pub positions: Positions,
    /// The conditions that the rows fulfil; empty if they are not limited to a part of the endgame.
    #[serde(rename = "where")]
    pub part: Vec<String>,
    /// The sample that the rows are; null if they are all positions.
    pub sample: Option<Sample>,
    /// The number of rows.
    pub rows: usize,
    /// The number of different vectors.
    pub vectors: usize,
    /// The number of vectors that are clashes.
    pub clashing_vectors: usize,
    /// The number of rows in clashes.
    pub clashing_rows: usize,
    /// The number of rows that the best possible learner gets right.
    pub best_right: usize,
    /// Their share, from 0 to 1; null without rows.
    pub best_accuracy: Option<f64>,
    /// Some clashes, the most costly first.
    pub clashes: Vec<ClashEntry>,
    /// Attributes that cannot be left out: the others separate fewer rows.
    pub indispensable: Vec<String>,
    /// A small subset that separates all that the full set separates; null if it was not requested.
    pub subset: Option<SubsetEntry>,
}

/// Positions with equal values and several classes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClashEntry {
    /// The number of rows with these values.
    pub rows: usize,
    /// The number of them that the best possible learner gets wrong.
    pub wrong: usize,
    /// Their classes.
    pub classes: Vec<ClashClass>,
}

/// The rows of one class in a clash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ClashClass {
    /// The class.
    pub class: String,
    /// The number of its rows in the clash.
    pub rows: usize,
    /// The position of the first of these rows, as a FEN.
    pub fen: String,
}

/// A subset that is as good as the full set, and from which no attribute can be left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SubsetEntry {
    /// Their names.
    pub attributes: Vec<String>,
    /// A proved lower bound on the size of such a subset.
    pub at_least: usize,
    /// True if the bound proves that no smaller subset is as good.
    pub smallest: bool,
}

/// The search for a small subset of the attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SubsetSearch {
    /// No search.
    None,
    /// A fast greedy search.
    Greedy,
    /// An exact search for a smallest subset, within the limit of nodes.
    Exact,
}

named!(SubsetSearch { "none": None, "greedy": Greedy, "exact": Exact });

/// The parameters of a test of sufficiency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SufficiencyParams {
    /// The positions to separate.
    pub positions: Positions,
    /// The side to move in them.
    pub turn: Side,
    /// The sample to draw of them; `None` for all.
    pub sample: Option<SampleParams>,
    /// The number of clashes to show.
    pub examples: usize,
    /// The search for a small subset.
    pub part: SubsetSearch,
    /// The most nodes that the exact search may visit.
    pub nodes: u64,
}

/// Lists attributes and tests if they separate the classes of positions.
///
/// # Errors
/// If the attributes belong to another material, are too many for the search for a subset, or the
/// work was stopped.
pub fn attributes(
    source: &dyn LabelSource,
    set: &AttributeSet,
    params: SufficiencyParams,
    observer: &dyn Observer,
) -> Result<AttributesReport, ReportError> {
    let (found, seconds) = timed(|| sufficed(source, set, params, observer));
    observer.check()?;
    let listed = AttributesReport::new(source.material(), set);
    Ok(AttributesReport { sufficiency: Some(found?), seconds: Some(seconds), ..listed })
}

fn sufficed(
    source: &dyn LabelSource,
    set: &AttributeSet,
    params: SufficiencyParams,
    observer: &dyn Observer,
) -> Result<SufficiencyReport, ReportError> {
    let begin = |what: &str| {
        observer.report(Progress { what, done: 0, total: None });
        observer.check()
    };
    begin("describing positions")?;
    let SufficiencyParams { positions, turn, .. } = params;
    let dataset = match params.sample {
        None => Dataset::with_turn(source, set, positions, turn)?,
        Some(sample) => Dataset::sampled(source, set, positions, turn, sample)?,
    };
    begin(&format!("comparing {} rows", number(dataset.rows())))?;
    let sufficiency = Sufficiency::new(&dataset);
    observer.check()?;
    let name = |at: usize| dataset.attributes()[at].name.clone();
    let names = |numbers: Vec<usize>| numbers.into_iter().map(name).collect::<Vec<_>>();
    let indispensable = names(sufficiency.indispensable());
    let subset = match params.part {
        SubsetSearch::None => None,
        SubsetSearch::Greedy => Some(sufficiency.greedy_subset(observer)?),
        SubsetSearch::Exact => Some(sufficiency.smallest_subset(params.nodes, observer)?),
    };
    let subset = subset.map(|subset| {
        let smallest = subset.is_smallest();
        let Subset { attributes, at_least } = subset;
        SubsetEntry { attributes: names(attributes), at_least, smallest }
    });
    let clashes = sufficiency.clashes(params.examples);
    Ok(SufficiencyReport {
        positions,
        part: dataset.part().to_vec(),
        sample: dataset.sample(),
        rows: dataset.rows(),
        vectors: sufficiency.vectors(),
        clashing_vectors: sufficiency.clashing_vectors(),
        clashing_rows: sufficiency.clashing_rows(),
        best_right: sufficiency.best_right(),
        best_accuracy: sufficiency.best_accuracy(),
        clashes: on_the_board(source, &dataset, positions, clashes)?,
        indispensable,
        subset,
    })
}

/// Clashes with a position of each class.
fn on_the_board(
    source: &dyn LabelSource,
    dataset: &Dataset,
    positions: Positions,
    clashes: Vec<Clash>,
) -> Result<Vec<ClashEntry>, Stopped> {
    let members = clashes.iter().flat_map(|clash| &clash.members);
    let rows: Vec<usize> = members.map(|member| member.first_row).collect();
    let mut positions = positions_of_rows(source, dataset, positions, &rows)?.into_iter();
    let mut class = |member: ClashMember| ClashClass {
        class: dataset.classes()[member.class].clone(),
        rows: member.rows,
        fen: positions.next().map(|position| position.to_string()).unwrap_or_default(),
    };
    let listed = |Clash { rows, wrong, members }: Clash| ClashEntry {
        rows,
        wrong,
        classes: members.into_iter().map(&mut class).collect(),
    };
    Ok(clashes.into_iter().map(listed).collect())
}

impl AttributesReport {
    /// Lists attributes of an endgame, without looking at a position.
    pub fn new(material: Material, set: &AttributeSet) -> Self {
        let attributes = set.attributes().iter().map(|attribute| {
            let (low, high) = attribute.domain();
            let name = attribute.name().into();
            let meaning = attribute.meaning(ValueEncoding::Code).into();
            AttributeEntry { name, low, high, meaning }
        });
        let (material, attributes) = (material.to_string(), attributes.collect());
        Self { material, set: set.selections(), attributes, sufficiency: None, seconds: None }
    }

    /// Writes the report in sentences, or a table of the attributes if nothing else was requested.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Some(found) = &self.sufficiency else { return self.write_list(out) };
        let set = self.set.map_or_else(String::new, |set| set.words() + " ");
        let (one, many) = (format!("{set}attribute"), format!("{set}attributes"));
        let attributes = count(self.attributes.len() as u64, &one, &many);
        writeln!(out, "{}, {} positions by {attributes}", self.material, number(found.rows))?;
        found.write_text(out)?;
        if !found.part.is_empty() {
            writeln!(out, "  the positions are those in which {}", found.part.join(" and "))?;
        }
        if let Some(sample) = &found.sample {
            writeln!(out, "  the positions are {sample}")?;
        }
        self.seconds.map_or(Ok(()), |seconds| writeln!(out, "  found in {seconds:.2} s"))
    }

    fn write_list(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.attributes.iter().map(|one| one.name.len()).max().unwrap_or(0);
        for AttributeEntry { name, low, high, meaning } in &self.attributes {
            let range = format!("{low} to {high}");
            writeln!(out, "{name:width$}  {range:8}  {meaning}")?;
        }
        Ok(())
    }
}

impl SufficiencyReport {
    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  {} different vectors", number(self.vectors))?;
        if self.clashing_vectors == 0 {
            writeln!(out, "  no vector has two classes: the attributes are enough")?;
        } else {
            let (vectors, rows) = (number(self.clashing_vectors), number(self.clashing_rows));
            writeln!(out, "  {vectors} have several classes, {rows} positions in all")?;
        }
        if let Some(accuracy) = self.best_accuracy {
            let (right, accuracy) = (number(self.best_right), percent(accuracy));
            writeln!(out, "  right at most, by any learner: {right}, {accuracy}")?;
        }
        for clash in &self.clashes {
            let positions = count(clash.rows as u64, "position", "positions");
            writeln!(out, "  {positions} alike, {} wrong at least:", number(clash.wrong))?;
            for ClashClass { class, rows, fen } in &clash.classes {
                writeln!(out, "    {fen}  {class}, {}", number(*rows))?;
            }
        }
        match self.indispensable.as_slice() {
            [] => writeln!(out, "  none alone is indispensable")?,
            names => writeln!(out, "  indispensable: {}", names.join(", "))?,
        }
        self.subset.as_ref().map_or(Ok(()), |subset| writeln!(out, "{}", subset.sentence()))
    }
}

impl SubsetEntry {
    fn sentence(&self) -> String {
        if self.attributes.is_empty() {
            return "  none is needed: all positions have the same depth".into();
        }
        let known = match (self.smallest, self.at_least) {
            (true, _) => "no fewer suffice".into(),
            (false, 0) => "none of them can be left out".into(),
            (false, at_least) => format!("at least {at_least} are needed"),
        };
        let names = self.attributes.join(", ");
        format!("  as good as all: {}, {known}: {names}", self.attributes.len())
    }
}

/// Attributes as a chapter in Markdown. The board of each attribute is the first position with its
/// greatest value, with the squares that it is about marked and its sentence below.
///
/// ```
/// use lucena_attributes::AttributeSet;
///
/// let set = AttributeSet::named("KRvK".parse()?, ["RBoxSize"])?;
/// let chapter = lucena_report::attribute_chapter(&set);
/// assert!(chapter.contains("## RBoxSize"));
/// assert!(chapter.contains("the rook's box has"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attribute_chapter(set: &AttributeSet) -> String {
    let material = set.material();
    let view = ReaderBoard::general(material);
    let mut chapter = format!("# Attributes of {material}\n\n{CHAPTER}\n");
    for (attribute, (position, value)) in set.attributes().iter().zip(examples(set)) {
        let (low, high) = attribute.domain();
        let [low, high, shown] = [low, high, value].map(|value| attribute.show(value));
        let (name, meaning) = (attribute.name(), attribute.meaning(ValueEncoding::Text));
        let said = attribute.sentence(value..=value, &view);
        let board = board(attribute, &position);
        chapter += &format!("\n## {name}\n\n{meaning} ({low} to {high})\n");
        chapter += &format!("\n```text\n{board}\n{name} = {shown}: {said}\n```\n");
        chapter.extend(attribute.glossary().map(|word| format!("\n{word}\n")));
    }
    chapter
}

const CHAPTER: &str = "Each position shows the greatest value of its attribute; `*` marks the squares that it is about.";

/// The first position with the greatest value of each attribute.
fn examples(set: &AttributeSet) -> Vec<(Position, u8)> {
    let index = Index::new(set.material(), Group::new(set.material()));
    let mut row = vec![0; set.attributes().len()];
    let mut examples: Vec<(Position, u8)> = Vec::new();
    for position in (0..index.len()).filter_map(|at| index.position(at, Side::Weak)) {
        set.extract(&position, &mut row);
        if examples.is_empty() {
            examples.extend(row.iter().map(|&value| (position, value)));
        }
        for (example, &value) in examples.iter_mut().zip(&row) {
            if value > example.1 {
                *example = (position, value);
            }
        }
    }
    examples
}

/// A text board with the squares marked that an attribute is about.
fn board(attribute: &Attribute, position: &Position) -> String {
    let mut drawn: Vec<char> = format!("{position:#}\n").chars().collect();
    let areas = attribute.focus(position).areas;
    for square in areas.into_iter().flat_map(|(_, squares)| squares) {
        // A line is the rank's number, then a space and a square, eight times, and a line end.
        let at = 18 * (7 - square.rank() as usize) + 2 * square.file() as usize + 2;
        if drawn[at] == '.' {
            drawn[at] = '*';
        }
    }
    drawn.into_iter().collect()
}
