use super::grade::Grade;
use super::grades::{GradedMove, Grades, PlayedOn};
use super::meaning::{ForeignTree, Meaning};
use super::{PlayedTree, Policy, PolicyGrounds};
use lucena_attributes::AttributeSet;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position};
use lucena_tablebase::Tablebase;
use lucena_tree::DecisionTree;
use std::sync::OnceLock;

/// Plays the strong side by a tree, interpreted node by node, and by a table that says what captures
/// and promotions come to: who has learned an endgame knows those that it can become.
///
/// It plays the move with the best grade of the position after it. Order: mates, the quickest first;
/// then a theory's grades, the least first; then positions for which the tree has no answer; then
/// draws, then losses. Among equals it plays the first in the order of [`Position::moves`] on the
/// canonical board, so that the choice moves with the board.
///
/// ```
/// use lucena::policy::{Policy, TreePolicy};
/// use lucena::roster::BuiltIn;
/// use lucena::tablebase::Tablebase;
///
/// let material = "KPvK".parse()?;
/// let tree = BuiltIn::find(material, "win").expect("this build carries it").load()?;
/// let tablebase = Tablebase::solve(material);
/// let policy = TreePolicy::new(tree, &tablebase)?;
/// let position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".parse()?;
/// assert_eq!(policy.choose(&position).unwrap().to_string(), "e7e8q");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TreePolicy<'t> {
    tree: DecisionTree,
    grades: Grades<'t>,
    /// The tree's sum, once somebody has asked: that of a large tree takes a while.
    sha256: OnceLock<String>,
}

impl<'t> TreePolicy<'t> {
    /// The policy that plays by a tree.
    ///
    /// # Errors
    /// When the tree asks about other things than a position's attributes, answers with other things
    /// than grades, or is for another endgame than the table.
    pub fn new(tree: DecisionTree, tablebase: &'t Tablebase) -> Result<Self, ForeignTree> {
        Self::played_on(PlayedOn::Representative, tree, tablebase)
    }

    /// The same, with a say in what the tree is asked about.
    ///
    /// ```
    /// use lucena::policy::{PlayedOn, Policy, TreePolicy};
    /// use lucena::roster::BuiltIn;
    /// use lucena::symmetry::Group;
    /// use lucena::tablebase::Tablebase;
    ///
    /// let material = "KRvK".parse()?;
    /// let tree = BuiltIn::find(material, "cart").expect("this build carries it").load()?;
    /// let tablebase = Tablebase::solve(material);
    /// let policy = TreePolicy::played_on(PlayedOn::Board, tree, &tablebase)?;
    /// assert_eq!(policy.symmetries(), Group::Identity);
    /// // It is at home among canonical positions, which are all that the tree has learned.
    /// let canonical = "7R/8/8/8/8/8/k1K5/8 w - - 0 1".parse()?;
    /// assert_eq!(policy.choose(&canonical).unwrap().to_string(), "h8a8");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As those of [`TreePolicy::new`].
    pub fn played_on(
        played_on: PlayedOn,
        tree: DecisionTree,
        tablebase: &'t Tablebase,
    ) -> Result<Self, ForeignTree> {
        let grades = Grades::new(meaning(&tree)?, tablebase, played_on)?;
        Ok(Self { tree, grades, sha256: OnceLock::new() })
    }

    /// The endgame that a tree plays: to know which table it needs.
    ///
    /// # Errors
    /// When no table makes a policy of it; see [`TreePolicy::new`].
    pub fn endgame(tree: &DecisionTree) -> Result<Material, ForeignTree> {
        Ok(meaning(tree)?.attributes.material())
    }

    /// The tree itself.
    pub fn decision_tree(&self) -> &DecisionTree {
        &self.tree
    }

    /// What the tree's attributes are, in their order.
    pub fn attributes(&self) -> &AttributeSet {
        &self.grades.meaning.attributes
    }

    /// The table that says what captures and promotions come to.
    pub fn tablebase(&self) -> &'t Tablebase {
        self.grades.tablebase
    }

    /// All moves of the strong side in the order of preference: the first is the one that is played.
    /// Nothing where the policy has no say.
    pub fn graded_moves(&self, position: &Position) -> Vec<GradedMove> {
        self.grades.moves(position, &|row| self.tree.classify(row))
    }

    /// Every position that the tree may be asked about, the weak side to move, with its grade, if it
    /// has one: one position of each orbit, or, when played on the board, all.
    pub fn grades(&self) -> impl Iterator<Item = (Position, Option<Grade>)> + '_ {
        self.grades.all(&|row| self.tree.classify(row))
    }

    fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| self.tree.sha256())
    }
}

fn meaning(tree: &DecisionTree) -> Result<Meaning, ForeignTree> {
    let head = tree.head();
    let attributes = head.attributes.iter().map(|attribute| attribute.name.as_str());
    Meaning::new(head.material.parse()?, attributes, head.classes.iter().map(String::as_str))
}

impl Policy for TreePolicy<'_> {
    fn name(&self) -> String {
        let name = format!("tree {}", &self.sha256()[..12]);
        match self.grades.played_on {
            PlayedOn::Board => format!("{name} on the board as it stands"),
            PlayedOn::Representative => name,
        }
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

    fn tree(&self) -> Option<PlayedTree> {
        Some(PlayedTree { sha256: self.sha256().into(), leaves: self.tree.leaves() })
    }
}
