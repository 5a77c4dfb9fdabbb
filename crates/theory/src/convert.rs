//! Conversions between trees and sketches.

use super::error::TheoryError;
use super::mark::Mark;
use super::sketch::{Graft, Levels, Node, NodeNumber, Sketch};
use super::test_table::ThresholdEffect;
use super::theory_graph::TheoryGraph;
use lucena_base::bits::BitSet;
use lucena_model::{Class, Column, DecisionTree, NodeIndex, Origin, TreeHead};
use lucena_proof::guarantee::Guarantee;
use lucena_proof::policy::Grade;

/// Converts a sketch to a tree without redundant tests. The tree has only the attributes and marks that it
/// uses; marks become depths if the guarantee is exact, otherwise grades, which only state a preference.
pub(super) fn to_tree(
    graph: &TheoryGraph,
    sketch: &Sketch,
    guarantee: Guarantee,
    origin: Origin,
) -> DecisionTree {
    let mut levels = Levels::default();
    sketch.reach(graph, Sketch::root(), &mut levels);
    let part = simplify(graph, sketch, Sketch::root(), 0, &mut levels);
    let (mut attributes, mut marks) = (Vec::new(), Vec::new());
    collect(graph, &part, &mut attributes, &mut marks);
    attributes.sort_unstable();
    attributes.dedup();
    marks.sort_unstable();
    marks.dedup();
    let draw = graph.depth_marks.draw;
    // Draws come first, as in the published data.
    if let Ok(draws) = marks.binary_search(&draw) {
        marks[..=draws].rotate_right(1);
    }
    let first = u16::from(marks[0] != draw);
    let name = |(at, &mark): (usize, &Mark)| {
        if guarantee == Guarantee::Exact || mark == draw || mark == Mark::AVOID {
            graph.depth_marks.depth(mark).to_string()
        } else {
            Grade::Nth(at as u16 + first).to_string()
        }
    };
    let known = graph.attributes.attributes();
    let head = TreeHead {
        origin,
        attributes: attributes.iter().map(|&attribute| known[attribute].column()).collect(),
        classes: marks.iter().enumerate().map(name).collect(),
    };
    let mut nodes = Vec::new();
    append(graph, &part, &attributes, &marks, &mut nodes);
    DecisionTree::new(head, nodes).expect("a sketch is a sound tree")
}

/// Returns the subtree of a node without the parts that no position reaches. The level holds the positions
/// that reach the node.
fn simplify(
    graph: &TheoryGraph,
    sketch: &Sketch,
    node: NodeNumber,
    level: usize,
    levels: &mut Levels,
) -> Graft {
    let (test, below, above) = match sketch.node(node) {
        Node::Leaf(mark) => return Graft::Leaf(mark),
        Node::Test { test, below, above } => (test, below, above),
    };
    let mut side = |child: NodeNumber, go: fn(&mut Levels, usize, &BitSet)| {
        go(levels, level, &graph.tests.test(test).below);
        let is_reached = !levels.at(level + 1).is_empty();
        is_reached.then(|| simplify(graph, sketch, child, level + 1, levels))
    };
    match [side(below, Levels::go_below), side(above, Levels::go_above)] {
        [Some(Graft::Leaf(one)), Some(Graft::Leaf(other))] if one == other => Graft::Leaf(one),
        [Some(below), Some(above)] => Graft::test(test, below, above),
        [Some(only), None] | [None, Some(only)] => only,
        [None, None] => Graft::Leaf(Mark::AVOID),
    }
}

fn collect(graph: &TheoryGraph, part: &Graft, attributes: &mut Vec<usize>, marks: &mut Vec<Mark>) {
    match part {
        Graft::Leaf(mark) => marks.push(*mark),
        Graft::Test(test, children) => {
            attributes.push(graph.tests.test(*test).attribute);
            children.iter().for_each(|child| collect(graph, child, attributes, marks));
        }
        Graft::Keep(_) => unreachable!("a simplified tree is whole"),
    }
}

fn append(
    graph: &TheoryGraph,
    part: &Graft,
    attributes: &[usize],
    marks: &[Mark],
    nodes: &mut Vec<lucena_model::Node>,
) -> NodeIndex {
    let number = nodes.len();
    match part {
        Graft::Leaf(mark) => {
            let class = marks.iter().position(|known| known == mark).expect("all are collected");
            nodes.push(lucena_model::Node::Leaf { class: class as Class });
        }
        Graft::Test(test, children) => {
            let test = graph.tests.test(*test);
            let attribute = attributes.binary_search(&test.attribute).expect("all are collected");
            // Overwritten once the children have their numbers.
            nodes.push(lucena_model::Node::Leaf { class: 0 });
            let [below, above] =
                [0, 1].map(|side| append(graph, &children[side], attributes, marks, nodes));
            nodes[number] =
                lucena_model::Node::Threshold { attribute, at_most: test.at_most, below, above };
        }
        Graft::Keep(_) => unreachable!("a simplified tree is whole"),
    }
    number as NodeIndex
}

/// Converts a tree to a sketch. A test by value becomes thresholds; a value without a child is treated like
/// the next greater one.
pub(super) fn from_tree(graph: &TheoryGraph, tree: &DecisionTree) -> Result<Sketch, TheoryError> {
    let head = tree.head();
    let material = &head.origin.material;
    if *material != graph.material.to_string() {
        let (tree, graph) = (material.clone(), graph.material);
        return Err(TheoryError::OtherMaterial { tree, graph });
    }
    let known = graph.attributes.attributes();
    let place = |attribute: &Column| {
        let place = known.iter().position(|known| known.name() == attribute.name);
        place.ok_or_else(|| TheoryError::Attribute(attribute.name.clone()))
    };
    // An attribute that no test uses may be missing.
    let attributes: Vec<Result<usize, TheoryError>> = head.attributes.iter().map(place).collect();
    let grades =
        head.classes.iter().map(|class| class.parse()).collect::<Result<Vec<Grade>, _>>()?;
    let marks = marks(graph, &grades);
    Ok(Sketch::new(&graft(graph, tree, &attributes, &marks, 0)?))
}

/// Returns the marks for grades: the marks of depths if the grades fit, so that an exact tree stays exact;
/// otherwise only the order is kept.
fn marks(graph: &TheoryGraph, grades: &[Grade]) -> Vec<Mark> {
    let mut sorted: Vec<Grade> = grades.to_vec();
    sorted.sort_unstable();
    let numbers = sorted.iter().filter_map(|grade| match grade {
        Grade::Mated(number) | Grade::Nth(number) => Some(*number),
        Grade::Draw | Grade::Lost => None,
    });
    let fits = numbers.max().is_none_or(|most| graph.depth_marks.of_moves(most).is_some());
    let draw = graph.depth_marks.draw;
    let spread = |grade: &Grade| {
        let place = sorted.partition_point(|other| other < grade);
        let last = sorted.partition_point(|other| *other < Grade::Draw).max(2) - 1;
        Mark((place * usize::from(draw.0 - 1) / last) as u8)
    };
    let mark = |grade: &Grade| match grade {
        Grade::Draw => draw,
        Grade::Lost => Mark::AVOID,
        Grade::Mated(number) | Grade::Nth(number) if fits => {
            graph.depth_marks.of_moves(*number).unwrap_or(draw)
        }
        Grade::Mated(_) | Grade::Nth(_) => spread(grade),
    };
    grades.iter().map(mark).collect()
}

fn graft(
    graph: &TheoryGraph,
    tree: &DecisionTree,
    attributes: &[Result<usize, TheoryError>],
    marks: &[Mark],
    node: NodeIndex,
) -> Result<Graft, TheoryError> {
    let part = |node| graft(graph, tree, attributes, marks, node);
    Ok(match &tree.nodes()[node as usize] {
        lucena_model::Node::Leaf { class } => Graft::Leaf(marks[usize::from(*class)]),
        lucena_model::Node::Threshold { attribute, at_most, below, above } => {
            let attribute = attributes[*attribute].clone()?;
            threshold(graph, attribute, *at_most, part(*below)?, part(*above)?)
        }
        lucena_model::Node::ByValue { attribute, children } => {
            let attribute = attributes[*attribute].clone()?;
            let (last, others) = children.split_last().expect("a test has children");
            let mut whole = part(last.1)?;
            for &(value, child) in others.iter().rev() {
                whole = threshold(graph, attribute, value, part(child)?, whole);
            }
            whole
        }
    })
}

fn threshold(
    graph: &TheoryGraph,
    attribute: usize,
    at_most: u8,
    below: Graft,
    above: Graft,
) -> Graft {
    match graph.tests.effect(attribute, at_most) {
        Some(ThresholdEffect::Test(test)) => Graft::test(test, below, above),
        Some(ThresholdEffect::Opposite(test)) => Graft::test(test, above, below),
        Some(ThresholdEffect::AllAbove) => above,
        Some(ThresholdEffect::AllBelow) | None => below,
    }
}
