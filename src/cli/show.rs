use super::labels::any_endgame;
use super::number::number_of;
use super::output::{BinaryFormat, ProgressDisplay, check_outputs, write_out};
use super::player_args::{default_endgame, resolve_endgame};
use super::tables::TableArgs;
use super::{Failure, Result, one_of};
use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selections};
use lucena::chess::Material;
use lucena::explain::StrategySentences;
use lucena::export::{self, Arrays};
use lucena::lesson::{Lesson, MeasureLesson, StrategyLesson, measure_rules_page, measure_text};
use lucena::named::Named;
use lucena::policy::{Grade, MeasurePolicy, Policy, StrategyPolicy};
use lucena::report::size_in_words;
use lucena::roster::{BuiltIn, PlayerName, default_player};
use lucena_codegen::{Language, c_header, emit};
use lucena_files::load_text;
use lucena_model::{Measure, Model, ModelKind, Node, NodeIndex, Strategy};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Print a tree, a strategy or a measure: as text, rules, a lesson or source code, and in other tools' formats
///
/// It is read from a file, or it is one that this program carries: --list names them all, and an endgame with --player
/// chooses one.
///
/// The text of a tree is in the style of scikit-learn's export_text, with values as people write them;
/// export-text is exactly what scikit-learn prints. The rules are Markdown for printing. They are read from
/// the top: the first rule whose conditions all hold gives the class. Rules are short, because a rule does
/// not repeat what earlier rules have settled. The arrays are those of scikit-learn's tree_, as JSON; onnx
/// is a model with a single TreeEnsembleClassifier. Both have only thresholds and always answer: if a tree
/// that splits by value has no answer, the class is "no answer". The picture shows 4 tests on a path unless
/// --max-depth is given, and a board for each leaf. Source code has no dependencies: that of a tree maps
/// the values of its attributes to a class, that of a strategy maps squares to a move, and that of a measure
/// finds all moves that are equally good, by a search. The lesson of a strategy has a board for each point
/// at which it decides, the longest game, and exercises. That of a measure shows the number that White makes
/// smaller, on boards and in the longest game, and has exercises. To make a lesson of either, the endgame is
/// solved and the player is proved.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena learn KRvK --out tree.json
  lucena show tree.json --max-depth 4
  lucena show --list
  lucena show KRvK --player strategy --format c > krvk.c
  lucena show KBNvK --player measure:near
  lucena show data/trees/KRvK.cart.json --max-depth 4
  lucena show data/trees/KRvK.cart.json --format rules > lesson.md
  lucena show data/trees/KRvK.win.json --format svg > tree.svg
  lucena show data/trees/KRvK.win.json --format dot --max-depth 5 | dot -Tsvg > graph.svg
  lucena show data/trees/KRvK.cart.json --format onnx > krvk.onnx
  lucena show data/trees/KRvK.cart.json --format javascript > krvk.mjs
  lucena show KRvK --player strategy --format lesson > lesson.md
  lucena show KRvK --player measure --format c > krvk_measure.c
  lucena show id3.json | less")]
pub(super) struct Show {
    /// A file with a tree, as written by learn --out and mine, with a strategy, or with a measure; or an endgame, to show
    /// what this program carries for it
    #[arg(value_name = "FILE", required_unless_present_any = ["list", "player"])]
    what: Option<PathBuf>,
    /// For an endgame, the player whose tree, strategy or measure is shown: strategy, strategy:NAME, measure,
    /// measure:NAME, theory, exact, learned, or tree:NAME [default: the first that this program has]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    /// List the trees, strategies and measures that this program carries, for one endgame or for all
    #[arg(long, conflicts_with_all = ["player", "max_depth", "format"])]
    list: bool,
    /// Cut off everything below this many tests on a path
    #[arg(long, value_name = "N", value_parser = number_of::<usize>("tests", ..))]
    max_depth: Option<usize>,
    /// The format: text, for the terminal; rules, an ordered list of rules in Markdown, which is also the
    /// lesson of a tree; lesson, for a strategy or a measure, with boards, a game and exercises; for a tree also
    /// export-text and arrays, scikit-learn's text and arrays; dot, for Graphviz; svg, a picture; onnx, for
    /// ONNX runtimes; or source code in a language; c-header is the header of the C source
    #[arg(long, default_value = "text", value_parser = one_of::<Format>())]
    format: Format,
    /// Write it to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    tables: TableArgs,
}

/// The form in which a tree, a strategy or a measure is printed; the option's help has their meanings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Rules,
    Lesson,
    ExportText,
    Arrays,
    Dot,
    Svg,
    Onnx,
    Code(Language),
    CHeader,
}

const ONNX: BinaryFormat = BinaryFormat { name: "ONNX", file_option: "--out FILE" };

/// The default number of tests on a path of a picture.
const PICTURE_DEPTH: usize = 4;

impl Named for Format {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("rules", Self::Rules),
        ("lesson", Self::Lesson),
        ("export-text", Self::ExportText),
        ("arrays", Self::Arrays),
        ("dot", Self::Dot),
        ("svg", Self::Svg),
        ("onnx", Self::Onnx),
        ("c", Self::Code(Language::C)),
        ("c-header", Self::CHeader),
        ("python", Self::Code(Language::Python)),
        ("rust", Self::Code(Language::Rust)),
        ("javascript", Self::Code(Language::JavaScript)),
    ];
}

impl Format {
    /// Returns true if it can be cut off at a depth.
    fn can_be_cut(self) -> bool {
        matches!(self, Self::Text | Self::ExportText | Self::Dot | Self::Svg)
    }

    /// Returns true if strategies and measures have no such form.
    fn is_for_trees(self) -> bool {
        matches!(self, Self::ExportText | Self::Arrays | Self::Dot | Self::Svg | Self::Onnx)
    }
}

impl Show {
    pub(super) fn run(self) -> Result<()> {
        check_outputs(&[("--out", self.out.as_deref())])?;
        if self.list {
            return self.write_list();
        }
        let tree = match self.model()? {
            Model::Strategy(strategy) => return self.show_strategy(strategy),
            Model::Measure(measure) => return self.show_measure(measure),
            Model::Tree(tree) => tree,
        };
        if self.max_depth.is_some() && !self.format.can_be_cut() {
            return Err(Failure::usage(format!(
                "{} is for the whole tree: leave --max-depth out, or learn a tree of that depth",
                self.format.name()
            )));
        }
        let shown = match self.format {
            Format::Text => text(&tree, self.max_depth),
            Format::Rules | Format::Lesson => Lesson::new(&tree).to_markdown(),
            Format::ExportText => export::text(&tree, self.max_depth),
            Format::Arrays => Arrays::new(&tree).to_json(),
            Format::Dot => export::dot(&tree, self.max_depth),
            Format::Svg => export::svg(&tree, self.max_depth.unwrap_or(PICTURE_DEPTH)),
            Format::Onnx => {
                if self.out.is_none() {
                    ONNX.check_stdout()?;
                }
                return self.write(&export::onnx(&tree));
            }
            Format::Code(language) => emit(&tree, language)?,
            Format::CHeader => c_header(&tree)?,
        };
        self.write(shown.as_bytes())
    }

    fn write(&self, bytes: &[u8]) -> Result<()> {
        write_out(self.out.as_deref(), bytes)
    }

    /// The endgame that was named instead of a file.
    fn endgame(&self) -> Option<Material> {
        let what = self.what.as_deref()?;
        if what.exists() { None } else { what.to_str()?.parse().ok() }
    }

    /// The model in the file, or that of a player in an endgame.
    fn model(&self) -> Result<Model> {
        let material = match (&self.what, self.endgame(), &self.player) {
            (Some(path), None, None) => return read(path),
            (Some(path), None, Some(player)) => {
                return Err(Failure::usage(format!(
                    "{} is no endgame, so --player {player} has no effect: leave it out, or name an endgame such as KRvK",
                    path.display()
                )));
            }
            (None, ..) => default_endgame(),
            (Some(_), Some(material), _) => material,
        };
        let player = self.player.clone().unwrap_or_else(|| default_player(material));
        if let PlayerName::ModelFile(_, path) = &player {
            let model = read(path)?;
            let asked = self.what.as_ref().map(|_| material);
            resolve_endgame(asked, model.origin().material.parse().ok())?;
            return Ok(model);
        }
        player.check_built_in(material)?;
        match player.built_in(material) {
            Some(built_in) => Ok(built_in.model()),
            None => Err(Failure::usage(format!(
                "{player} has no tree, strategy or measure to show for {material}: choose one that \"lucena show --list\" names"
            ))),
        }
    }

    /// Lists the models of this program: endgame, player, size.
    fn write_list(&self) -> Result<()> {
        let endgame = match (&self.what, self.endgame()) {
            (Some(path), None) => {
                return Err(Failure::usage(format!(
                    "{} is no endgame: leave it out, or name one such as KRvK",
                    path.display()
                )));
            }
            (_, endgame) => endgame.map(|endgame| endgame.to_string()),
        };
        let built_in = ModelKind::ALL.into_iter().flat_map(BuiltIn::all);
        let shown =
            built_in.filter(|one| endgame.as_deref().is_none_or(|name| name == one.material));
        let mut lines: Vec<String> = shown.map(line).collect();
        lines.sort();
        self.write(lines.concat().as_bytes())
    }

    fn show_strategy(&self, strategy: Strategy) -> Result<()> {
        if self.max_depth.is_some() {
            return Err(Failure::usage("a strategy has no depth: leave --max-depth out"));
        }
        match self.format {
            Format::Code(language) => return self.write(emit(&strategy, language)?.as_bytes()),
            Format::CHeader => return self.write(c_header(&strategy)?.as_bytes()),
            _ => {}
        }
        if self.format.is_for_trees() {
            return Err(Failure::usage(format!(
                "{} is for trees: a strategy is shown as text, rules, lesson, or source in a language",
                self.format.name()
            )));
        }
        let policy = StrategyPolicy::new(strategy)?;
        if self.format == Format::Lesson {
            let tablebase = self.tables.solve_quick(Policy::material(&policy))?;
            let lesson = StrategyLesson::new(&policy, &tablebase, &ProgressDisplay::new())?;
            return self.write(lesson.to_markdown().as_bytes());
        }
        let (strategy, sentences) = (policy.strategy(), StrategySentences::new(&policy));
        let (material, rules) = (&strategy.origin().material, strategy.rules());
        let mut text = match self.format {
            Format::Rules => format!("# {material}: a strategy of size {}\n\n", strategy.size()),
            _ => format!("{material}: a strategy of size {}\n", strategy.size()),
        };
        for number in 0..rules.len() {
            text += &sentences.item(number);
        }
        if rules.len() > 1 {
            text += "\nThe first rule that some safe move fulfils is used.\n";
        }
        self.write(text.as_bytes())
    }

    fn show_measure(&self, measure: Measure) -> Result<()> {
        if self.max_depth.is_some() {
            return Err(Failure::usage("a measure has no depth: leave --max-depth out"));
        }
        match self.format {
            Format::Code(language) => return self.write(emit(&measure, language)?.as_bytes()),
            Format::CHeader => return self.write(c_header(&measure)?.as_bytes()),
            _ => {}
        }
        let policy = MeasurePolicy::new(measure)?;
        let shown = match self.format {
            Format::Text => measure_text(&policy),
            Format::Rules => measure_rules_page(&policy).to_markdown(),
            Format::Lesson => {
                let tablebase = self.tables.solve_quick(Policy::material(&policy))?;
                MeasureLesson::new(&policy, &tablebase, &ProgressDisplay::new())?.to_markdown()
            }
            other => {
                return Err(Failure::usage(format!(
                    "there is no {} of a measure: a measure is shown as text, rules, lesson, or source in a language",
                    other.name()
                )));
            }
        };
        self.write(shown.as_bytes())
    }
}

/// The model in a file.
fn read(path: &Path) -> Result<Model> {
    match path.to_str().map(str::parse::<PlayerName>) {
        Some(Ok(player)) if !path.exists() && player.file().is_none() => {
            Err(Failure::usage(format!(
                "{player} is a player: write \"lucena show KRvK --player {player}\", with your endgame"
            )))
        }
        _ => Ok(load_text(path, Model::from_json)?),
    }
}

/// The line of a model in the list.
fn line(built_in: &BuiltIn) -> String {
    let size = size_in_words(built_in.model().figures());
    format!("{:6} {:18} {size}\n", built_in.material, built_in.player().to_string())
}

/// A tree as indented text, with values as people write them.
fn text(tree: &DecisionTree, max_depth: Option<usize>) -> String {
    let (values, max_depth) = (values(tree), max_depth.unwrap_or(usize::MAX));
    let (attributes, classes) = (&tree.head().attributes, &tree.head().classes);
    let name = |attribute: usize| attributes[attribute].name.as_str();
    let value = |attribute: usize, value: u8| match values.get(name(attribute)) {
        Some(known) => known.show(value),
        None => value.to_string(),
    };
    let mut text = String::new();
    // The nodes still to be written, the next one last, each with its depth and the line of its branch.
    let mut open: Vec<(NodeIndex, usize, String)> = vec![(0, 0, String::new())];
    while let Some((node, depth, branch)) = open.pop() {
        text += &branch;
        let line = |line: &str| format!("{}|--- {line}\n", "|   ".repeat(depth));
        let branches: Vec<(String, NodeIndex)> = match &tree.nodes()[node as usize] {
            Node::Leaf { class } => {
                text += &line(&format!("class: {}", classes[usize::from(*class)]));
                continue;
            }
            _ if depth >= max_depth => {
                text += &line(&format!("truncated branch of depth {}", height(tree, node)));
                continue;
            }
            &Node::Threshold { attribute, at_most, below, above } => {
                let (name, value) = (name(attribute), value(attribute, at_most));
                vec![(format!("{name} <= {value}"), below), (format!("{name} >  {value}"), above)]
            }
            &Node::ByValue { attribute, ref children } => {
                let test = |at| format!("{} = {}", name(attribute), value(attribute, at));
                children.iter().map(|&(at, child)| (test(at), child)).collect()
            }
        };
        let branches = branches.into_iter().rev();
        open.extend(branches.map(|(test, child)| (child, depth + 1, line(&test))));
    }
    if let Some(legend) = Grade::legend(classes.iter().map(String::as_str)) {
        text += &format!("\n{legend}\n");
    }
    text
}

/// The tree's attributes by name, which know how values are written; without unknown ones.
fn values(tree: &DecisionTree) -> BTreeMap<String, lucena::attributes::Attribute> {
    let Ok(material) = any_endgame(&tree.origin().material) else { return BTreeMap::new() };
    let known = AttributeSet::new(material, Selections::whole());
    let known = known.attributes().iter();
    known.map(|known| (known.name().to_owned(), known.clone())).collect()
}

/// The number of tests on the longest path below a node.
fn height(tree: &DecisionTree, node: NodeIndex) -> usize {
    let below = tree.nodes()[node as usize].children();
    below.map(|child| height(tree, child) + 1).max().unwrap_or(0)
}
