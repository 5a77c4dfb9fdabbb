//! A tree as a readable picture: from left to right, cut off at a depth, with a row for each leaf
//! or subtree.

use super::node_counts::{AnswerCounts, NO_ANSWER, leaves_below, positions_below};
use crate::diagram::{picture_beginning, small_board, small_boards};
use lucena_base::plural::{count, grouped};
use lucena_base::svg::escape;
use lucena_model::{Class, DecisionTree, Node, NodeIndex};
use lucena_proof::policy::Grade;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The space around the picture.
const MARGIN: i32 = 24;
/// The space above the first row.
const TOP: i32 = 76;
/// The height of a row with a board, and of one without.
const ROW: [i32; 2] = [140, 46];
/// The side of a board.
const BOARD: i32 = 124;
/// The height of a box.
const BOX: i32 = 30;
/// The space between columns, for the labels of branches.
const GAP: i32 = 76;
/// The approximate width of a letter.
const LETTER: i32 = 8;
/// The greatest width of a row.
const WORDS: i32 = 530;
/// The height of a line of the legend, and its approximate number of letters.
const LINE: i32 = 19;
const LINE_LETTERS: usize = 118;
/// The number of outcomes of a row that are named.
const NAMED: usize = 3;

const STYLE: &str = "\
.title{font-size:17px;font-weight:bold;fill:#111}.small{font-size:12px;fill:#555}\
.test{fill:#e8effa;stroke:#4a6fa5;stroke-width:1.3}.leaf{fill:#fff;stroke:#333;stroke-width:1.3}\
.more{fill:#f6f4ef;stroke:#8a8578;stroke-width:1.3;stroke-dasharray:5 3}\
.name{font-size:13px;text-anchor:middle;fill:#111}.says{font-size:12.5px;text-anchor:end;fill:#1d3d6b}\
.class{font-size:13.5px;font-weight:bold;fill:#111}.way{fill:none;stroke:#9aa7b8;stroke-width:1.4}";

/// The tree as a picture: tests from left to right, and a row for each leaf and for each node below
/// `max_depth` tests, with its number of leaves and their outcomes.
///
/// If the tree is about an endgame, each row has a board with one of its positions, and counts
/// positions: those with the weak side to move, one of each orbit. The meanings of the attributes
/// are below.
pub fn svg(tree: &DecisionTree, max_depth: usize) -> String {
    let mut layout =
        TreeLayout { tree, max_depth, rows: Vec::new(), tests: Vec::new(), ways: Vec::new() };
    layout.place(0, 0);
    let nodes: Vec<NodeIndex> = layout.rows.iter().map(|&(node, _)| node).collect();
    let positions = positions_below(tree, &nodes);
    let counts_positions = positions.is_some();
    let outcomes = positions.unwrap_or_else(|| leaves_below(tree, &nodes));
    Picture { tree, layout: &layout, outcomes, counts_positions }.draw()
}

/// A column, and a vertical position in half rows.
#[derive(Clone, Copy)]
struct GridPosition {
    column: usize,
    halves: usize,
}

/// The drawn nodes and their positions.
struct TreeLayout<'a> {
    tree: &'a DecisionTree,
    max_depth: usize,
    /// The leaves, and the nodes whose tests are not drawn.
    rows: Vec<(NodeIndex, GridPosition)>,
    tests: Vec<(usize, GridPosition)>,
    /// The branches: from a test to its child, with a label.
    ways: Vec<(GridPosition, GridPosition, String)>,
}

impl TreeLayout<'_> {
    fn place(&mut self, number: NodeIndex, column: usize) -> GridPosition {
        let node = &self.tree.nodes()[number as usize];
        let Some(attribute) = node.attribute().filter(|_| column < self.max_depth) else {
            let place = GridPosition { column, halves: 2 * self.rows.len() };
            self.rows.push((number, place));
            return place;
        };
        let says: Vec<(String, NodeIndex)> = match node {
            Node::Leaf { .. } => Vec::new(),
            &Node::Threshold { at_most, below, above, .. } => {
                let column = &self.tree.head().attributes[attribute];
                let says = |low: u8, high: u8, sign: &str, value: u8| {
                    if low == high { format!("= {low}") } else { format!("{sign} {value}") }
                };
                vec![
                    (says(column.low, at_most, "≤", at_most), below),
                    (says(at_most + 1, column.high, "≥", at_most + 1), above),
                ]
            }
            Node::ByValue { children, .. } => {
                children.iter().map(|(value, child)| (format!("= {value}"), *child)).collect()
            }
        };
        let below: Vec<(String, GridPosition)> =
            says.into_iter().map(|(says, child)| (says, self.place(child, column + 1))).collect();
        let [first, last] = [below[0].1, below[below.len() - 1].1];
        let place = GridPosition { column, halves: (first.halves + last.halves) / 2 };
        self.tests.push((attribute, place));
        self.ways.extend(below.into_iter().map(|(says, child)| (place, child, says)));
        place
    }

    /// The attributes that are drawn, in the order of the tree.
    fn attributes(&self) -> Vec<usize> {
        let mut asked: Vec<usize> = self.tests.iter().map(|&(attribute, _)| attribute).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }
}

struct Picture<'a> {
    tree: &'a DecisionTree,
    layout: &'a TreeLayout<'a>,
    outcomes: BTreeMap<NodeIndex, AnswerCounts>,
    counts_positions: bool,
}

impl Picture<'_> {
    fn draw(&self) -> String {
        let legend = self.legend();
        let rows = &self.layout.rows;
        let columns = rows.iter().map(|(_, place)| place.column as i32).max().unwrap_or(0);
        let below = TOP + rows.len() as i32 * self.row_height() + 18;
        let width = MARGIN + columns * self.step() + WORDS + MARGIN;
        let width = width.max(LINE_LETTERS as i32 * 6 + 2 * MARGIN);
        let height = below + LINE * legend.len() as i32 + MARGIN;
        let (title, at) = (self.title(), (MARGIN, 34));
        let beginning = picture_beginning((width, height), &title, at, STYLE, &small_boards());
        let mut svg = vec![beginning];
        let subtitle = if self.counts_positions {
            "The weak side is to move. Positions are counted up to symmetry; each board is one of them."
        } else {
            "If there are several outcomes, the shares are those of leaves."
        };
        svg.push(text("small", (MARGIN, 56), subtitle));
        svg.extend(self.ways());
        svg.extend(self.tests());
        svg.extend(rows.iter().flat_map(|row| self.row(row)));
        let line = |(number, line): (i32, &String)| {
            text("small", (MARGIN, below + LINE * number + 13), line)
        };
        svg.extend((0..).zip(&legend).map(line));
        svg.join("\n") + "\n</svg>\n"
    }

    fn title(&self) -> String {
        let (material, tests) = (&self.tree.origin().material, self.tree.tests() as u64);
        let leaves = count(self.tree.leaves() as u64, "leaf", "leaves");
        let drawn = match self.layout.tests.len() as u64 {
            drawn if drawn == tests => String::new(),
            drawn => format!(", the first {} drawn", grouped(drawn)),
        };
        let material = if material.is_empty() { "A tree" } else { material };
        format!("{material}: {}{drawn}; {leaves}", count(tests, "test", "tests"))
    }

    /// The distance between columns.
    fn step(&self) -> i32 {
        self.box_width() + GAP
    }

    /// The width of a box: that of the longest name drawn.
    fn box_width(&self) -> i32 {
        let names = self.layout.attributes().into_iter();
        let longest = names.map(|attribute| self.name(attribute).chars().count()).max();
        LETTER * longest.unwrap_or(0) as i32 + 22
    }

    fn name(&self, attribute: usize) -> &str {
        &self.tree.head().attributes[attribute].name
    }

    fn row_height(&self) -> i32 {
        ROW[usize::from(!self.counts_positions)]
    }

    fn left(&self, place: GridPosition) -> i32 {
        MARGIN + place.column as i32 * self.step()
    }

    fn middle(&self, place: GridPosition) -> i32 {
        TOP + self.row_height() / 2 + place.halves as i32 * self.row_height() / 2
    }

    fn ways(&self) -> impl Iterator<Item = String> {
        self.layout.ways.iter().map(move |(from, to, says)| {
            let (x, y) = (self.left(*from) + self.box_width(), self.middle(*from));
            let (to_x, to_y) = (self.left(*to), self.middle(*to));
            let half = x + GAP / 2;
            // On the outer side of the curve.
            let beside = if to_y > y { 16 } else { -7 };
            format!(
                "<path class=\"way\" d=\"M{x} {y}C{half} {y} {} {to_y} {to_x} {to_y}\"/>{}",
                half - 12,
                text("says", (to_x - 6, to_y + beside), says)
            )
        })
    }

    fn tests(&self) -> impl Iterator<Item = String> {
        let width = self.box_width();
        self.layout.tests.iter().map(move |&(attribute, place)| {
            let (x, y) = (self.left(place), self.middle(place));
            let name = text("name", (x + width / 2, y + 5), self.name(attribute));
            rectangle("test", (x, y - BOX / 2), (width, BOX)) + &name
        })
    }

    /// A leaf or subtree, with its board.
    fn row(&self, &(node, place): &(NodeIndex, GridPosition)) -> Vec<String> {
        let (x, y) = (self.left(place), self.middle(place));
        let outcomes = &self.outcomes[&node];
        let [first, second] = self.words(node, outcomes);
        let example = outcomes.example();
        let board = if self.counts_positions { BOARD + 12 } else { 0 };
        let is_leaf = matches!(self.tree.nodes()[node as usize], Node::Leaf { .. });
        let class = if is_leaf { "leaf" } else { "more" };
        let half = if self.counts_positions { BOARD / 2 + 4 } else { BOX / 2 + 5 };
        let letters = first.chars().count().max(second.chars().count());
        let width = (board + 30 + LETTER * letters as i32).min(WORDS);
        let mut svg = vec![rectangle(class, (x, y - half), (width, 2 * half))];
        svg.extend(
            example.map(|(_, position)| small_board(&position, (x + 6, y - BOARD / 2), BOARD)),
        );
        let words = x + board + 10;
        svg.push(text("class", (words, y - 4), &first) + &text("small", (words, y + 14), &second));
        if let (Some((answer, _)), false) = (example, is_leaf) {
            let answer = format!("on the board: {}", self.class(answer));
            svg.push(text("small", (words, y + 32), &answer));
        }
        svg
    }

    /// The two lines of text in a row.
    fn words(&self, node: NodeIndex, outcomes: &AnswerCounts) -> [String; 2] {
        let positions = || count(outcomes.total(), "position", "positions");
        if let Node::Leaf { class } = &self.tree.nodes()[node as usize] {
            let second = if self.counts_positions { positions() } else { String::new() };
            return [self.class(Some(*class)), second];
        }
        let leaves: u64 = leaves_below(self.tree, &[node])[&node].total();
        let leaves = count(leaves, "leaf", "leaves");
        let first =
            if self.counts_positions { format!("{leaves}, {}", positions()) } else { leaves };
        let all = outcomes.by_frequency();
        let named = all.iter().take(NAMED).map(|&(class, count)| {
            let share = (100 * count + outcomes.total() / 2) / outcomes.total().max(1);
            format!("{} {share} %", self.class(class))
        });
        let mut second = named.collect::<Vec<_>>().join(", ");
        if all.len() > NAMED {
            let _ = write!(second, ", {}", count((all.len() - NAMED) as u64, "other", "others"));
        }
        [first, second]
    }

    fn class(&self, class: Option<Class>) -> String {
        class.map_or(NO_ANSWER.into(), |class| self.tree.head().classes[usize::from(class)].clone())
    }

    /// The meanings of the attributes, wrapped at words.
    fn legend(&self) -> Vec<String> {
        let classes = self.tree.head().classes.iter().map(String::as_str);
        let mut lines: Vec<String> = Grade::legend(classes).into_iter().map(Into::into).collect();
        for attribute in self.layout.attributes() {
            let column = &self.tree.head().attributes[attribute];
            let mut line = column.name.clone();
            let domain = format!("({} to {})", column.low, column.high);
            let meaning = if column.meaning.is_empty() { "" } else { ": " };
            let words = format!("{meaning}{} {domain}", column.meaning);
            for word in words.split_inclusive(' ') {
                if line.chars().count() + word.chars().count() > LINE_LETTERS {
                    lines.push(std::mem::replace(&mut line, "    ".into()));
                }
                line += word;
            }
            lines.push(line);
        }
        lines
    }
}

fn text(class: &str, (x, y): (i32, i32), words: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(words))
}

fn rectangle(class: &str, (x, y): (i32, i32), (width, height): (i32, i32)) -> String {
    format!(
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
    )
}
