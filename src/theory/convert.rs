//! From trees to sketches and back.

use super::Guarantee;
use super::arena::{Arena, Asked};
use super::game::{AVOID, Mark};
use super::sketch::{Graft, Levels, Node, Sketch};
use crate::attributes::Depth;
use crate::chess::Material;
use crate::player::{Grade, ParseGradeError};
use lucena_tree::{Class, Column, DecisionTree, Head, NodeIndex};
use std::collections::BTreeMap;

/// A sketch as a tree: without tests that divide nothing, with the attributes that are asked about
/// and the marks that are given, as depths where they are depths and as grades where they only say
/// what to prefer.
pub(super) fn to_tree(
    arena: &Arena,
    sketch: &Sketch,
    guarantee: Guarantee,
    parameters: BTreeMap<String, String>,
) -> DecisionTree {
    let mut levels = Levels::default();
    sketch.reach(arena, 0, &mut levels);
    let part = simplify(arena, sketch, 0, 0, &mut levels);
    let (mut attributes, mut marks) = (Vec::new(), Vec::new());
    collect(arena, &part, &mut attributes, &mut marks);
    attributes.sort_unstable();
    attributes.dedup();
    marks.sort_unstable();
    marks.dedup();
    // Draws first, as in the published data.
    if let Ok(draws) = marks.binary_search(&arena.draw) {
        marks[..=draws].rotate_right(1);
    }
    let first = u16::from(marks[0] != arena.draw);
    let name = |(at, &mark): (usize, &Mark)| match (guarantee, mark) {
        (_, mark) if mark == arena.draw => Depth::Draw.to_string(),
        (_, AVOID) => Depth::Lost.to_string(),
        (Guarantee::Exact, mark) => Depth::Mated(u16::from(mark / arena.step)).to_string(),
        (_, _) => Grade::Nth(at as u16 + first).to_string(),
    };
    let head = Head {
        material: arena.material.to_string(),
        attributes: attributes.iter().map(|&attribute| describe(arena, attribute)).collect(),
        classes: marks.iter().enumerate().map(name).collect(),
        learner: "distil".into(),
        parameters,
        dataset_sha256: String::new(),
    };
    let mut nodes = Vec::new();
    append(arena, &part, &attributes, &marks, &mut nodes);
    DecisionTree::new(head, nodes).expect("a sketch is a sound tree")
}

fn describe(arena: &Arena, attribute: usize) -> Column {
    let attribute = &arena.attributes.attributes()[attribute];
    let (low, high) = attribute.domain();
    Column::new(attribute.name(), low, high, attribute.meaning())
}

/// The tree under a node that some positions reach, without what none of them needs.
fn simplify(arena: &Arena, sketch: &Sketch, node: u32, level: usize, levels: &mut Levels) -> Graft {
    match sketch.node(node) {
        Node::Leaf(mark) => Graft::Leaf(mark),
        Node::Test { test, below, above } => {
            let divides = &arena.tests[usize::from(test)].below;
            let sides = [(below, true), (above, false)].map(|(child, is_below)| {
                let is_reached = levels.divide(level, divides, is_below);
                is_reached.then(|| simplify(arena, sketch, child, level + 1, levels))
            });
            match sides {
                [Some(Graft::Leaf(one)), Some(Graft::Leaf(other))] if one == other => {
                    Graft::Leaf(one)
                }
                [Some(below), Some(above)] => Graft::test(test, below, above),
                [Some(only), None] | [None, Some(only)] => only,
                [None, None] => Graft::Leaf(AVOID),
            }
        }
    }
}

fn collect(arena: &Arena, part: &Graft, attributes: &mut Vec<usize>, marks: &mut Vec<Mark>) {
    match part {
        Graft::Leaf(mark) => marks.push(*mark),
        Graft::Test(test, children) => {
            attributes.push(arena.tests[usize::from(*test)].attribute);
            children.iter().for_each(|child| collect(arena, child, attributes, marks));
        }
        Graft::Keep(_) => unreachable!("a simplified tree is whole"),
    }
}

fn append(
    arena: &Arena,
    part: &Graft,
    attributes: &[usize],
    marks: &[Mark],
    nodes: &mut Vec<lucena_tree::Node>,
) -> NodeIndex {
    let number = nodes.len();
    match part {
        Graft::Leaf(mark) => {
            let class = marks.iter().position(|known| known == mark).expect("all are collected");
            nodes.push(lucena_tree::Node::Leaf { class: class as Class });
        }
        Graft::Test(test, children) => {
            let test = &arena.tests[usize::from(*test)];
            let attribute = attributes.binary_search(&test.attribute).expect("all are collected");
            // Overwritten once the children have their numbers.
            nodes.push(lucena_tree::Node::Leaf { class: 0 });
            let [below, above] =
                [0, 1].map(|side| append(arena, &children[side], attributes, marks, nodes));
            nodes[number] =
                lucena_tree::Node::Threshold { attribute, at_most: test.at_most, below, above };
        }
        Graft::Keep(_) => unreachable!("a simplified tree is whole"),
    }
    number as NodeIndex
}

/// Why a search cannot start.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// It is for another endgame.
    #[error("the tree is for {tree}, not {arena}")]
    OtherMaterial {
        /// What the tree is for.
        tree: String,
        /// What is looked at.
        arena: Material,
    },
    /// It asks for an attribute that is not among those looked at.
    #[error("the tree asks for {0}, which is not among the attributes: choose a set that has it")]
    Attribute(String),
    /// It answers with other things than grades.
    #[error("the tree does not answer with grades: {0}")]
    Class(#[from] ParseGradeError),
    /// No tree can keep the guarantee.
    #[error("no tree can keep \"{0}\", since the best play takes longer: ask for less")]
    Impossible(Guarantee),
    /// What wins at once is played at once, which is not always quickest.
    #[error(
        "no tree can keep \"{0}\": captures and promotions that win are played at once, and some of them mate later than another move; ask for exact, or for a win"
    )]
    Detours(Guarantee),
    /// What has to be told apart looks the same.
    #[error(
        "no tree was found that keeps \"{0}\" and asks for nothing but these attributes: choose a set that has more"
    )]
    TooFewAttributes(Guarantee),
    /// It does not keep what it should.
    #[error(
        "the tree to start from does not keep \"{0}\" itself: ask for less, or start from another"
    )]
    Broken(Guarantee),
}

/// A tree as a sketch. A test by value becomes thresholds, and a value without an answer that of
/// the next greater one.
pub(super) fn from_tree(arena: &Arena, tree: &DecisionTree) -> Result<Sketch, StartError> {
    let head = tree.head();
    if head.material != arena.material.to_string() {
        let (tree, arena) = (head.material.clone(), arena.material);
        return Err(StartError::OtherMaterial { tree, arena });
    }
    let known = arena.attributes.attributes();
    let place = |attribute: &Column| {
        let place = known.iter().position(|known| known.name() == attribute.name);
        place.ok_or_else(|| StartError::Attribute(attribute.name.clone()))
    };
    // An attribute that no test asks about need not be there.
    let attributes: Vec<Result<usize, StartError>> = head.attributes.iter().map(place).collect();
    let grades =
        head.classes.iter().map(|class| class.parse()).collect::<Result<Vec<Grade>, _>>()?;
    let marks = marks(arena, &grades);
    Ok(Sketch::new(&graft(arena, tree, &attributes, &marks, 0)?))
}

/// The marks for grades: a depth's own mark, if all are depths, so that exact stays exact; else the
/// order alone matters.
fn marks(arena: &Arena, grades: &[Grade]) -> Vec<Mark> {
    let mut sorted: Vec<Grade> = grades.to_vec();
    sorted.sort_unstable();
    let step = usize::from(arena.step);
    let greatest = sorted.iter().rev().find_map(|grade| match grade {
        Grade::Nth(number) => Some(usize::from(*number)),
        Grade::Draw | Grade::Lost => None,
    });
    let fits = greatest.unwrap_or(0) * step < usize::from(arena.draw);
    let mark = |grade: &Grade| match grade {
        Grade::Draw => arena.draw,
        Grade::Lost => AVOID,
        Grade::Nth(number) if fits => (usize::from(*number) * step) as Mark,
        Grade::Nth(_) => {
            let place = sorted.partition_point(|other| other < grade);
            let last = sorted.partition_point(|other| *other < Grade::Draw).max(2) - 1;
            (place * usize::from(arena.draw - 1) / last) as Mark
        }
    };
    grades.iter().map(mark).collect()
}

fn graft(
    arena: &Arena,
    tree: &DecisionTree,
    attributes: &[Result<usize, StartError>],
    marks: &[Mark],
    node: NodeIndex,
) -> Result<Graft, StartError> {
    let part = |node| graft(arena, tree, attributes, marks, node);
    Ok(match &tree.nodes()[node as usize] {
        lucena_tree::Node::Leaf { class } => Graft::Leaf(marks[usize::from(*class)]),
        lucena_tree::Node::Threshold { attribute, at_most, below, above } => {
            let attribute = attributes[*attribute].clone()?;
            threshold(arena, attribute, *at_most, part(*below)?, part(*above)?)
        }
        lucena_tree::Node::ByValue { attribute, children } => {
            let attribute = attributes[*attribute].clone()?;
            let (last, others) = children.split_last().expect("a test has children");
            let mut whole = part(last.1)?;
            for &(value, child) in others.iter().rev() {
                whole = threshold(arena, attribute, value, part(child)?, whole);
            }
            whole
        }
    })
}

fn threshold(arena: &Arena, attribute: usize, at_most: u8, below: Graft, above: Graft) -> Graft {
    match arena.asked(attribute, at_most) {
        Some(Asked::Test { test, is_opposite: false }) => Graft::test(test, below, above),
        Some(Asked::Test { test, is_opposite: true }) => Graft::test(test, above, below),
        Some(Asked::Nothing { is_below: false }) => above,
        Some(Asked::Nothing { is_below: true }) | None => below,
    }
}
