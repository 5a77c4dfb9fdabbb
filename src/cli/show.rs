use super::output::write_data;
use super::{Failure, one_of};
use lucena::DecisionTree;
use lucena::attributes::{AttributeSet, Selection};
use lucena::lesson::Lesson;
use lucena::named::Named;
use lucena_files::load;
use lucena_tree::{Node, NodeIndex};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// Print a tree: as indented text, or as rules for a lesson
///
/// The text is in the manner of scikit-learn's export_text. The rules are Markdown, fit to be
/// printed: read from the top, the first whose conditions all hold gives the class. They are short
/// because a rule does not repeat what the earlier ones have settled.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena show data/trees/KRvK.cart.json --max-depth 4
  lucena show data/trees/KRvK.cart.json --format rules > lesson.md
  lucena show id3.json | less")]
pub(super) struct Show {
    /// A tree, as learn --out and mine write it
    #[arg(value_name = "FILE")]
    tree: PathBuf,
    /// Cut the text off below this many tests
    #[arg(long, value_name = "N")]
    max_depth: Option<usize>,
    /// The tree as it stands, or as an ordered list of rules in Markdown
    #[arg(long, default_value = "text", value_parser = one_of::<Format>())]
    format: Format,
}

/// How a tree is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    /// Indented, a line for each test and leaf.
    Text,
    /// Rules in order, in words and figures.
    Rules,
}

impl Named for Format {
    const ALL: &'static [(&'static str, Self)] = &[("text", Self::Text), ("rules", Self::Rules)];
}

impl Show {
    pub(super) fn run(self) -> Result<(), Failure> {
        if self.format == Format::Rules && self.max_depth.is_some() {
            return Err(Failure::usage(
                "rules are for the whole tree: leave --max-depth out, or learn a tree of that depth",
            ));
        }
        let tree = load(&self.tree, DecisionTree::from_json)?;
        if self.format == Format::Rules {
            return write_data(Lesson::new(&tree).to_markdown().as_bytes());
        }
        let mut printer = Printer {
            tree: &tree,
            values: values(&tree),
            heights: heights(&tree),
            max_depth: self.max_depth.unwrap_or(usize::MAX),
            text: String::new(),
        };
        printer.node(0, 0);
        write_data(printer.text.as_bytes())
    }
}

/// How the values of the tree's attributes are written, where they are known.
fn values(tree: &DecisionTree) -> BTreeMap<String, lucena::attributes::Attribute> {
    let Ok(material) = tree.head().material.parse() else { return BTreeMap::new() };
    let known = [Selection::All, Selection::Concepts]
        .map(|selection| AttributeSet::new(material, selection));
    let known = known.iter().flat_map(AttributeSet::attributes);
    known.map(|known| (known.name().to_owned(), known.clone())).collect()
}

/// For each node the number of tests on the longest path below it.
fn heights(tree: &DecisionTree) -> Vec<usize> {
    let mut heights = vec![0; tree.nodes().len()];
    for (number, node) in tree.nodes().iter().enumerate().rev() {
        let below = node.children().map(|child| heights[child as usize] + 1);
        heights[number] = below.max().unwrap_or(0);
    }
    heights
}

struct Printer<'a> {
    tree: &'a DecisionTree,
    values: BTreeMap<String, lucena::attributes::Attribute>,
    heights: Vec<usize>,
    max_depth: usize,
    text: String,
}

impl Printer<'_> {
    fn node(&mut self, node: NodeIndex, depth: usize) {
        let tree = self.tree;
        match &tree.nodes()[node as usize] {
            Node::Leaf { class } => {
                let class = &tree.head().classes[usize::from(*class)];
                self.line(depth, &format!("class: {class}"));
            }
            _ if depth >= self.max_depth => {
                let height = self.heights[node as usize];
                self.line(depth, &format!("truncated branch of depth {height}"));
            }
            Node::Threshold { attribute, at_most, below, above } => {
                let (name, value) = (self.name(*attribute), self.value(*attribute, *at_most));
                self.line(depth, &format!("{name} <= {value}"));
                self.node(*below, depth + 1);
                self.line(depth, &format!("{name} >  {value}"));
                self.node(*above, depth + 1);
            }
            Node::ByValue { attribute, children } => {
                for &(value, child) in children {
                    let (name, value) = (self.name(*attribute), self.value(*attribute, value));
                    self.line(depth, &format!("{name} = {value}"));
                    self.node(child, depth + 1);
                }
            }
        }
    }

    fn name(&self, attribute: usize) -> String {
        self.tree.head().attributes[attribute].name.clone()
    }

    fn value(&self, attribute: usize, value: u8) -> String {
        let known = self.values.get(&self.tree.head().attributes[attribute].name);
        known.map_or_else(|| value.to_string(), |known| known.show(value))
    }

    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{}|--- {text}", "|   ".repeat(depth));
    }
}
