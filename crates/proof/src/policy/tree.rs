use super::grade::Grade;
use super::grades::{GradedMove, Grades, OrientedBoard};
use super::tree_binding::TreeBinding;
use super::unplayable::{self, Unplayable};
use super::{PlayedModel, Policy, PolicyGrounds};
use lucena_attributes::AttributeSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position};
use lucena_model::{DecisionTree, ModelKind};
use lucena_tablebase::Tablebase;
use std::sync::OnceLock;

/// Plays the strong side by a tree, interpreted node by node, and by a table that gives the outcomes of
/// captures and promotions.
///
/// It plays the move with the best grade of the position after it. The order is: mates, the quickest first;
/// then a theory's grades, the least first; then positions for which the tree has no answer; then draws; then
/// losses. Among equals it plays the first in the order of [`Position::moves`] on the canonical board, so
/// that the choice moves with the board.
///
/// ```
/// use lucena_proof::policy::{Policy, TreePolicy};
/// use lucena_tablebase::Tablebase;
/// use lucena_model::DecisionTree;
///
/// let material = "KPvK".parse()?;
/// let tree = DecisionTree::from_json(&std::fs::read("../../data/trees/KPvK.win.json")?)?;
/// let tablebase = Tablebase::solve(material);
/// let policy = TreePolicy::new(tree, &tablebase)?;
/// let position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".parse()?;
/// assert_eq!(policy.choose(&position).unwrap().to_string(), "e7e8q");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreePolicy<'t> {
    tree: DecisionTree,
    grades: Grades<'t>,
    /// The tree's checksum, computed on demand: that of a large tree takes a while.
    sha256: OnceLock<String>,
}

impl<'t> TreePolicy<'t> {
    /// Creates the policy that plays by a tree.
    ///
    /// # Errors
    /// If the tree uses other attributes than those of its endgame, if its classes are not grades, or if it
    /// is for another endgame than the table.
    pub fn new(tree: DecisionTree, tablebase: &'t Tablebase) -> Result<Self, Unplayable> {
        Self::oriented_board(OrientedBoard::Representative, tree, tablebase)
    }

    /// Creates the policy that plays by a tree, on the given kind of positions.
    ///
    /// # Errors
    /// See [`TreePolicy::new`].
    pub fn oriented_board(
        played_on: OrientedBoard,
        tree: DecisionTree,
        tablebase: &'t Tablebase,
    ) -> Result<Self, Unplayable> {
        let grades = Grades::new(binding(&tree)?, tablebase, played_on)?;
        Ok(Self { tree, grades, sha256: OnceLock::new() })
    }

    /// Returns the endgame that a tree plays, and so the table that it needs.
    ///
    /// # Errors
    /// If the tree cannot be played with any table; see [`TreePolicy::new`].
    pub fn endgame(tree: &DecisionTree) -> Result<Material, Unplayable> {
        Ok(binding(tree)?.attributes.material())
    }

    /// Returns the tree.
    pub fn decision_tree(&self) -> &DecisionTree {
        &self.tree
    }

    /// Returns the tree's attributes, in order.
    pub fn attributes(&self) -> &AttributeSet {
        &self.grades.binding.attributes
    }

    /// Returns the table that gives the outcomes of captures and promotions.
    pub fn tablebase(&self) -> &'t Tablebase {
        self.grades.tablebase
    }

    /// Returns all moves of the strong side in order of preference: the first is played. Empty if the policy
    /// does not play the position.
    pub fn graded_moves(&self, position: &Position) -> Vec<GradedMove> {
        self.grades.moves(position, &|row| self.tree.classify(row))
    }

    /// Returns every position with the weak side to move that the tree may grade, with its grade if it has
    /// one: one position of each orbit, or all if it plays on the board.
    pub fn grades(&self) -> impl Iterator<Item = (Position, Option<Grade>)> + '_ {
        self.grades.all(&|row| self.tree.classify(row))
    }

    /// Returns the SHA-256 of the tree's JSON file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| self.tree.sha256())
    }
}

fn binding(tree: &DecisionTree) -> Result<TreeBinding, Unplayable> {
    let head = tree.head();
    let material = unplayable::endgame(ModelKind::Tree, &head.origin.material)?;
    if let Some(class) = head.class() {
        return Err(Unplayable::OtherClass { material, class: class.into() });
    }
    if head.has_strong_side_to_move() {
        return Err(Unplayable::StrongSideToMove(material));
    }
    let attributes = head.attributes.iter().map(|attribute| attribute.name.as_str());
    TreeBinding::new(material, attributes, head.classes.iter().map(String::as_str))
}

impl Policy for TreePolicy<'_> {
    fn name(&self) -> String {
        self.grades.played_on.label(&format!("tree {}", &self.sha256()[..12]))
    }

    fn material(&self) -> Material {
        self.grades.material()
    }

    fn symmetries(&self) -> Group {
        self.grades.group()
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.grades.choose(position, &|row| self.tree.classify(row))
    }

    fn grounds(&self, _: &Position) -> PolicyGrounds {
        PolicyGrounds::Tree { name: self.name() }
    }

    fn model(&self) -> Option<PlayedModel<'_>> {
        Some(PlayedModel::Tree(self))
    }
}
