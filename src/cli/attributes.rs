use super::output::{Report, count, grouped, percent, timed, waiting};
use super::tables::Tables;
use super::{Failure, name_of, one_of};
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::Material;
use lucena::dataset::{Dataset, Positions};
use lucena::sufficiency::{Clash, Member, Progress, Subset, Sufficiency, positions_of_rows};
use lucena::tablebase::Tablebase;
use serde::Serialize;
use std::io::{self, Write};

/// List attributes, and say whether they are enough: what no learner can do without more
///
/// Positions with the same values cannot be told apart by anything that is learned from them. The
/// report counts such positions with different depths, shows some, and looks for a small part of the
/// attributes that tells apart all that the whole tells apart.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena attributes
  lucena attributes KQvKR --set all --list
  lucena attributes KRvK --set strategic --positions full --examples 10
  lucena attributes --names kOnEdge,KkOppositionDistance,kInCheck
  lucena attributes KBNvK --subset exact --nodes 10000000")]
pub(super) struct Attributes {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// Which attributes
    #[arg(long, default_value = "geometric", value_parser = one_of(&Selection::NAMES))]
    set: Selection,
    /// Some attributes by name instead
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "set")]
    names: Vec<String>,
    /// One position of each orbit, or the full board
    #[arg(long, default_value = "canonical", value_parser = one_of(&Positions::NAMES))]
    positions: Positions,
    /// Only list the attributes, each with its values and what it says
    #[arg(long)]
    list: bool,
    /// Look for a small part that is as good as all: greedy, quickly; exact, the smallest there is
    #[arg(long, default_value = "greedy", value_parser = one_of(&Part::NAMES))]
    subset: Part,
    /// How far the exact search may go
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// How many clashes to show
    #[arg(long, value_name = "N", default_value_t = 3)]
    examples: usize,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    None,
    Greedy,
    Exact,
}

impl Part {
    const NAMES: [(&'static str, Self); 3] =
        [("none", Self::None), ("greedy", Self::Greedy), ("exact", Self::Exact)];
}

#[derive(Serialize)]
struct Listed {
    material: String,
    set: Option<&'static str>,
    attributes: Vec<ListedAttribute>,
    sufficiency: Option<Found>,
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct ListedAttribute {
    name: String,
    low: u8,
    high: u8,
    meaning: String,
}

#[derive(Serialize)]
struct Found {
    positions: &'static str,
    rows: usize,
    vectors: usize,
    clashing_vectors: usize,
    clashing_rows: usize,
    best_right: usize,
    best_accuracy: Option<f64>,
    clashes: Vec<FoundClash>,
    indispensable: Vec<String>,
    subset: Option<FoundSubset>,
}

#[derive(Serialize)]
struct FoundClash {
    rows: usize,
    wrong: usize,
    classes: Vec<FoundClass>,
}

#[derive(Serialize)]
struct FoundClass {
    class: String,
    rows: usize,
    fen: String,
}

#[derive(Serialize)]
struct FoundSubset {
    attributes: Vec<String>,
    at_least: usize,
    smallest: bool,
}

impl Attributes {
    pub(super) fn run(self) -> Result<(), Failure> {
        let set = if self.names.is_empty() {
            AttributeSet::new(self.material, self.set)
        } else {
            AttributeSet::named(self.material, self.names.iter().map(String::as_str))?
        };
        let attributes = set.attributes().iter().map(|attribute| {
            let (low, high) = attribute.domain();
            ListedAttribute {
                name: attribute.name().into(),
                low,
                high,
                meaning: attribute.meaning().into(),
            }
        });
        let mut listed = Listed {
            material: self.material.to_string(),
            set: set.selection().map(|selection| name_of(&Selection::NAMES, selection)),
            attributes: attributes.collect(),
            sufficiency: None,
            seconds: None,
        };
        if !self.list {
            let tablebase = self.tables.solve(self.material);
            let (found, seconds) = timed(|| self.find(&tablebase, &set));
            listed.sufficiency = Some(found?);
            listed.seconds = Some(seconds);
        }
        self.report.write(&listed, |out| match &listed.sufficiency {
            None => list(out, &listed),
            Some(found) => tell(out, &listed, found),
        })
    }

    fn find(&self, tablebase: &Tablebase, set: &AttributeSet) -> Result<Found, Failure> {
        let bar = waiting("describing positions".into());
        let dataset = Dataset::new(tablebase, set, self.positions)?;
        bar.set_message(format!("comparing {} rows", grouped(dataset.rows() as u64)));
        let sufficiency = Sufficiency::of(&dataset);
        let clashes = sufficiency.clashes(self.examples);
        let name = |at: usize| dataset.attributes()[at].name.clone();
        let names = |numbers: Vec<usize>| numbers.into_iter().map(name).collect::<Vec<_>>();
        let indispensable = names(sufficiency.indispensable());
        let told = |Progress { pairs, at_most, at_least }: Progress| {
            let pairs = count(pairs as u64, "pair", "pairs");
            bar.set_message(match at_most {
                None => format!("looking for a subset that tells {pairs} apart"),
                Some(most) => format!("{at_least} to {most} attributes tell {pairs} apart"),
            });
        };
        let subset = match self.subset {
            Part::None => None,
            Part::Greedy => Some(sufficiency.greedy_subset(told)?),
            Part::Exact => Some(sufficiency.smallest_subset(self.nodes, told)?),
        };
        bar.finish_and_clear();
        let subset = subset.map(|subset| {
            let smallest = subset.is_smallest();
            let Subset { attributes, at_least } = subset;
            FoundSubset { attributes: names(attributes), at_least, smallest }
        });
        Ok(Found {
            positions: name_of(&Positions::NAMES, self.positions),
            rows: dataset.rows(),
            vectors: sufficiency.vectors(),
            clashing_vectors: sufficiency.clashing_vectors(),
            clashing_rows: sufficiency.clashing_rows(),
            best_right: sufficiency.best_right(),
            best_accuracy: sufficiency.best_accuracy(),
            clashes: self.on_the_board(tablebase, &dataset, &clashes),
            indispensable,
            subset,
        })
    }

    fn on_the_board(
        &self,
        tablebase: &Tablebase,
        dataset: &Dataset,
        clashes: &[Clash],
    ) -> Vec<FoundClash> {
        let members = clashes.iter().flat_map(|clash| &clash.members);
        let rows: Vec<usize> = members.map(|member| member.first_row).collect();
        let mut positions = positions_of_rows(tablebase, self.positions, &rows).into_iter();
        let mut class = |member: &Member| FoundClass {
            class: dataset.classes()[member.class].clone(),
            rows: member.rows,
            fen: positions.next().map(|position| position.to_string()).unwrap_or_default(),
        };
        let mut found = Vec::new();
        for Clash { rows, wrong, members } in clashes {
            let classes = members.iter().map(&mut class).collect();
            found.push(FoundClash { rows: *rows, wrong: *wrong, classes });
        }
        found
    }
}

fn list(out: &mut dyn Write, listed: &Listed) -> io::Result<()> {
    let attributes = &listed.attributes;
    let range = |one: &ListedAttribute| format!("{} to {}", one.low, one.high);
    let width = attributes.iter().map(|one| one.name.len()).max().unwrap_or(0);
    for one in attributes {
        writeln!(out, "{:width$}  {:8}  {}", one.name, range(one), one.meaning)?;
    }
    Ok(())
}

fn tell(out: &mut dyn Write, listed: &Listed, found: &Found) -> io::Result<()> {
    let number = |count: usize| grouped(count as u64);
    let (one, many) = match listed.set {
        Some(set) => (format!("{set} attribute"), format!("{set} attributes")),
        None => ("attribute".into(), "attributes".into()),
    };
    let attributes = count(listed.attributes.len() as u64, &one, &many);
    writeln!(out, "{}, {} positions by {attributes}", listed.material, number(found.rows))?;
    writeln!(out, "  {} different vectors", number(found.vectors))?;
    if found.clashing_vectors == 0 {
        writeln!(out, "  no vector has two depths: the attributes are enough")?;
    } else {
        writeln!(
            out,
            "  {} have several depths, {} positions in all",
            number(found.clashing_vectors),
            number(found.clashing_rows)
        )?;
    }
    if let Some(accuracy) = found.best_accuracy {
        let right = number(found.best_right);
        writeln!(out, "  right at most, whatever learns: {right}, {}", percent(accuracy))?;
    }
    for clash in &found.clashes {
        let positions = count(clash.rows as u64, "position", "positions");
        writeln!(out, "  {positions} alike, {} wrong at least:", number(clash.wrong))?;
        for FoundClass { class, rows, fen } in &clash.classes {
            writeln!(out, "    {fen}  {class}, {}", number(*rows))?;
        }
    }
    match found.indispensable.as_slice() {
        [] => writeln!(out, "  none alone is indispensable")?,
        names => writeln!(out, "  indispensable: {}", names.join(", "))?,
    }
    if let Some(FoundSubset { attributes, at_least, smallest }) = &found.subset {
        let size = attributes.len();
        let known = if *smallest {
            "no fewer do".into()
        } else if *at_least > 0 {
            format!("at least {at_least} are needed")
        } else {
            "none of them can be left out".into()
        };
        writeln!(out, "  as good as all: {size}, {known}: {}", attributes.join(", "))?;
    }
    if let Some(seconds) = listed.seconds {
        writeln!(out, "  found in {seconds:.2} s")?;
    }
    Ok(())
}
