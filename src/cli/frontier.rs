use super::output::{Report, grouped, note, percent, progress, timed};
use super::tables::Tables;
use super::{Failure, one_of};
use lucena::DecisionTree;
use lucena::attributes::Selection;
use lucena::chart::{Axis, Chart, Dot, Panel, Series};
use lucena::chess::Material;
use lucena::frontier::{self, GUARANTEES, NamedTree, Plan, Progress, ProvedTree, Published, Size};
use lucena::player::BuiltIn;
use lucena_files::{load as load_file, write_file};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How few leaves will do: trees of all sizes, and what each is proved to be worth
///
/// Trees that cart learns to one depth after another, up to the exact one; theories, which are
/// searched for so that they win everywhere, with few moves over the optimum or with many; trees from
/// files; and, for KRvK, what has been published. Of the theories those are kept that no other beats
/// in both leaves and moves over the optimum. The same command line finds the same on every machine.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena frontier
  lucena frontier --csv frontier.csv --svg frontier.svg
  lucena frontier KQvK --candidates 20000 --seed 7
  lucena frontier --tree mine.json --tree yours.json --svg frontier.svg")]
pub(super) struct Frontier {
    /// The endgame
    #[arg(default_value = "KRvK")]
    material: Material,
    /// Which attributes the learned trees may ask about
    #[arg(long, default_value = "geometric", value_parser = one_of(&Selection::NAMES))]
    attributes: Selection,
    /// Which attributes the theories may ask about
    #[arg(long, default_value = "all", value_parser = one_of(&Selection::NAMES))]
    theory_attributes: Selection,
    /// How many candidates are looked at for each guarantee; with 0 nothing is searched for
    #[arg(long, value_name = "N", default_value_t = 60_000)]
    candidates: u64,
    /// The seed of the searches
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A tree to set beside them and those that this build carries; may be given again
    #[arg(long = "tree", value_name = "FILE")]
    trees: Vec<PathBuf>,
    /// Also write the points as csv
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Also draw them as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

#[derive(Serialize)]
struct Explored {
    material: String,
    attributes: String,
    theory_attributes: String,
    candidates: u64,
    seed: u64,
    points: Vec<Point>,
    seconds: f64,
}

/// A point, and a row of the csv.
#[derive(Serialize)]
struct Point {
    #[serde(rename = "series")]
    kind: Kind,
    name: String,
    leaves: Option<usize>,
    tests: Option<usize>,
    nodes: Option<u32>,
    rules: Option<u32>,
    won_share: Option<f64>,
    win_rate: Option<f64>,
    longest_moves: Option<u16>,
    mean_excess_moves: Option<f64>,
    optimal_share: Option<f64>,
    source: Option<&'static str>,
}

/// What a point is one of.
#[derive(Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Learned,
    Theory,
    Tree,
    Published,
}

impl Kind {
    const HEADINGS: [(&'static str, Self); 4] = [
        ("learned", Self::Learned),
        ("theories", Self::Theory),
        ("trees", Self::Tree),
        ("published", Self::Published),
    ];
}

/// The trees that this build carries for an endgame: the exact ones and the theories.
fn built_in(material: Material) -> impl Iterator<Item = Result<NamedTree, Failure>> {
    let material = material.to_string();
    let known = BuiltIn::ALL.iter().filter(move |tree| tree.material == material);
    known.map(|tree| Ok(NamedTree { name: tree.name.into(), tree: tree.load()? }))
}

impl Frontier {
    pub(super) fn run(self) -> Result<(), Failure> {
        let load = |path: &PathBuf| {
            Ok::<_, Failure>(NamedTree {
                name: name(path),
                tree: load_file(path, DecisionTree::from_json)?,
            })
        };
        let plan = Plan {
            learned: self.attributes,
            theories: self.theory_attributes,
            candidates: self.candidates,
            seed: self.seed,
            trees: built_in(self.material)
                .chain(self.trees.iter().map(load))
                .collect::<Result<_, _>>()?,
        };
        let tablebase = self.tables.solve(self.material);
        let all = self.candidates.saturating_mul(GUARANTEES.len() as u64);
        let bar = progress("learning trees", all);
        let told = |progress| match progress {
            Progress::Learning => bar.set_message("learning trees"),
            Progress::Searching(candidates) => {
                bar.set_message("candidates for theories");
                bar.set_position(candidates);
            }
            Progress::Proving => bar.set_message("proving theories"),
        };
        let (found, seconds) = timed(|| frontier::frontier(&tablebase, &plan, told));
        bar.finish_and_clear();
        let explored = Explored::new(self.material, &plan, found?, seconds);
        let files = [
            self.csv.map(|path| (path, explored.csv())),
            self.svg.map(|path| (path, explored.chart().to_svg().into_bytes())),
        ];
        for (path, bytes) in files.into_iter().flatten() {
            write_file(&path, &bytes)?;
            note(&format!("wrote {}", path.display()));
        }
        self.report.write(&explored, |out| explored.text(out))
    }
}

/// A file's name without its ending.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Point {
    fn of_tree(kind: Kind, found: &ProvedTree) -> Self {
        let ProvedTree { name, tree, proof } = found;
        Self {
            kind,
            name: name.clone(),
            leaves: Some(tree.leaves()),
            tests: Some(tree.tests()),
            nodes: None,
            rules: None,
            won_share: Some(found.won_share()),
            win_rate: None,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: Some(proof.optimal_share),
            source: None,
        }
    }

    fn of_published(published: Published) -> Self {
        let (nodes, rules) = match published.size {
            Size::Nodes(nodes) => (Some(nodes), None),
            Size::Rules(rules) => (None, Some(rules)),
        };
        Self {
            kind: Kind::Published,
            name: published.name.into(),
            leaves: None,
            tests: None,
            nodes,
            rules,
            won_share: published.won_share,
            win_rate: published.win_rate,
            longest_moves: published.longest_moves,
            mean_excess_moves: published.mean_excess_moves,
            optimal_share: published.optimal_share,
            source: Some(published.source),
        }
    }

    /// What its size is on paper, whatever is counted.
    fn size(&self) -> f64 {
        let published = self.nodes.or(self.rules).map(f64::from);
        self.leaves.map(|leaves| leaves as f64).or(published).expect("everything has a size")
    }

    fn wins_all(&self) -> bool {
        self.won_share == Some(1.0)
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let share = |share: Option<f64>| share.map_or("-".into(), percent);
        let won = match (self.won_share, self.win_rate) {
            (None, Some(rate)) => format!("{:.0} % *", 100.0 * rate),
            (won, _) => share(won),
        };
        let longest = self.longest_moves.map_or("-".into(), |moves| moves.to_string());
        let over = self.mean_excess_moves.map_or("-".into(), |moves| format!("{moves:.2}"));
        let best = share(self.optimal_share);
        let (name, size) = (&self.name, grouped(self.size() as u64));
        writeln!(out, "  {name:22}{size:>8} {won:>9} {longest:>8} {over:>7} {best:>9}")
    }
}

impl Explored {
    fn new(material: Material, plan: &Plan, found: frontier::Frontier, seconds: f64) -> Self {
        let of = |kind| move |tree: &ProvedTree| Point::of_tree(kind, tree);
        let mut points: Vec<Point> = Vec::new();
        points.extend(found.learned.iter().map(of(Kind::Learned)));
        points.extend(found.theories.iter().map(of(Kind::Theory)));
        points.extend(found.given.iter().map(of(Kind::Tree)));
        points.extend(found.published.into_iter().map(Point::of_published));
        Self {
            material: material.to_string(),
            attributes: plan.learned.to_string(),
            theory_attributes: plan.theories.to_string(),
            candidates: plan.candidates,
            seed: plan.seed,
            points,
            seconds,
        }
    }

    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { material, attributes, theory_attributes, seed, .. } = self;
        let candidates = grouped(self.candidates);
        writeln!(
            out,
            "{material}: trees by {attributes}, theories by {theory_attributes} attributes;"
        )?;
        writeln!(out, "{candidates} candidates for each guarantee, seed {seed}")?;
        for (heading, kind) in Kind::HEADINGS {
            let points = self.points.iter().filter(|point| point.kind == kind);
            for (at, point) in points.enumerate() {
                if at == 0 {
                    writeln!(out, "\n{heading:24}  leaves       won  longest    over   optimal")?;
                }
                point.text(out)?;
            }
        }
        writeln!(out, "\n{LEGEND}")?;
        writeln!(out, "found in {:.2} s", self.seconds)
    }

    fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let in_memory = "writing to memory does not fail";
        for point in &self.points {
            writer.serialize(point).expect(in_memory);
        }
        writer.into_inner().expect(in_memory)
    }

    fn chart(&self) -> Chart {
        let won = |point: &Point| point.won_share.or(point.win_rate).map(|share| 100.0 * share);
        // A player that wins next to nothing wins it fast.
        let longest = |point: &Point| point.longest_moves.filter(|_| point.wins_all());
        let excess = |point: &Point| point.mean_excess_moves.filter(|_| point.wins_all());
        let panels = vec![
            self.panel(won, |_| Axis::percent("proved won, %")),
            self.panel(
                |point| longest(point).map(f64::from),
                |moves| Axis::from_zero("longest game if all won, moves", moves),
            ),
            self.panel(excess, |moves| Axis::from_zero("mean excess if all won, moves", moves)),
        ];
        let has_published = self.points.iter().any(|point| point.leaves.is_none());
        let x =
            if has_published { "leaves; of what is published, rules or nodes" } else { "leaves" };
        Chart {
            title: format!("{}: how few leaves will do", self.material),
            x: Axis::logarithmic(x, self.points.iter().map(Point::size)),
            panels,
        }
    }

    /// The points that have something to show, series by series, and the exact tree by itself.
    fn panel(
        &self,
        up: impl Fn(&Point) -> Option<f64>,
        axis: impl FnOnce(Vec<f64>) -> Axis,
    ) -> Panel {
        let at = |point: &Point| Some((point.size(), up(point)?));
        let of = |kind| self.points.iter().filter(move |point| point.kind == kind);
        let line = |kind, legend: &str| Series::line(legend, of(kind).filter_map(at).collect());
        let mark = |point: &Point| Some(Dot { at: at(point)?, label: point.name.clone() });
        let marks = |legend: &str, points: &mut dyn Iterator<Item = &Point>| {
            Series::dots(legend, points.filter_map(mark).collect())
        };
        let mut series = vec![
            line(Kind::Learned, "learned, stopped at each depth"),
            line(Kind::Theory, "theories: searched for, proved to win everywhere"),
            marks("trees that are shipped or given", &mut of(Kind::Tree)),
        ];
        let published = of(Kind::Published);
        series.extend(
            published
                .map(|point| marks(point.source.unwrap_or(&point.name), &mut [point].into_iter())),
        );
        series.retain(|series| !series.is_empty());
        Panel { y: axis(self.points.iter().filter_map(&up).collect()), series }
    }
}

const LEGEND: &str = "\
leaves   of the tree; nodes or rules of what is published
won      against every defence, of all positions that can be won; * of games, not proved
longest  such a game, in moves
over     the moves over the optimum, on average over the positions won
optimal  of all positions, those in which the move is an optimal one";
