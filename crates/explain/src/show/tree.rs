use super::form::{Form, ShowError, ShownModel};
use crate::export::{self, Arrays};
use crate::lesson::Lesson;
use lucena_attributes::{Attribute, AttributeSet, Selections};
use lucena_base::named::Named;
use lucena_chess::Material;
use lucena_model::{DecisionTree, Node, NodeIndex};
use lucena_proof::policy::Grade;
use std::collections::BTreeMap;

/// The default number of tests on a path of a picture.
const PICTURE_DEPTH: usize = 4;

pub(super) fn show(
    tree: &DecisionTree,
    form: Form,
    max_depth: Option<usize>,
) -> Result<ShownModel, ShowError> {
    let can_be_cut = matches!(form, Form::Text | Form::ExportText | Form::Dot | Form::Svg);
    if max_depth.is_some() && !can_be_cut {
        return Err(ShowError::WholeTree(form.name()));
    }
    Ok(match form {
        Form::Text => text(tree, max_depth).into(),
        Form::Rules | Form::Lesson => Lesson::new(tree).to_markdown().into(),
        Form::ExportText => export::text(tree, max_depth).into(),
        Form::Arrays => Arrays::new(tree).to_json().into(),
        Form::Dot => export::dot(tree, max_depth).into(),
        Form::Svg => export::svg(tree, max_depth.unwrap_or(PICTURE_DEPTH)).into(),
        Form::Onnx => ShownModel::Bytes(export::onnx(tree)),
    })
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
fn values(tree: &DecisionTree) -> BTreeMap<String, Attribute> {
    let Ok(material) = Material::from_name(&tree.origin().material) else { return BTreeMap::new() };
    let known = AttributeSet::new(material, Selections::whole());
    let known = known.attributes().iter();
    known.map(|known| (known.name().to_owned(), known.clone())).collect()
}

/// The number of tests on the longest path below a node.
fn height(tree: &DecisionTree, node: NodeIndex) -> usize {
    let below = tree.nodes()[node as usize].children();
    below.map(|child| height(tree, child) + 1).max().unwrap_or(0)
}
