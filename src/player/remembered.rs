use super::{ByGrade, Grade, GradeAfter, PlayedTree, Scale, WithTables};
use crate::chess::{Material, Position, Side};
use crate::symmetry::Group;
use crate::tablebase::{Index, Tablebase};
use rayon::prelude::*;

/// The grades of another, asked for once in every position that can be met: games and proofs ask
/// many times.
///
/// ```
/// use lucena::player::{Generated, Policy};
///
/// let player = Generated::exact("KRvK".parse()?)?;
/// let position = "7R/8/8/8/8/1K6/8/1k6 w - - 0 1".parse()?;
/// assert_eq!(player.remembered().choose(&position), player.choose(&position));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Remembered {
    name: String,
    tree: Option<PlayedTree>,
    scale: Scale,
    material: Material,
    group: Group,
    index: Index,
    /// By place in the index.
    grades: Vec<Option<Grade>>,
}

impl Remembered {
    /// Asks for the grades of all positions that are canonical under a group of symmetries.
    pub fn new(grader: &impl GradeAfter, group: Group) -> Self {
        let material = grader.material();
        let index = Index::new(material, group);
        let grade = |at| grader.grade_after(&index.position(at, Side::Weak)?);
        let grades = (0..index.len()).into_par_iter().with_min_len(256).map(grade).collect();
        let (name, tree, scale) = (grader.name(), grader.tree(), grader.scale());
        Self { name, tree, scale, material, group, index, grades }
    }

    /// The symmetries under which positions are one.
    pub fn group(&self) -> Group {
        self.group
    }

    /// Every canonical position with the weak side to move, with its grade, if it has one.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Option<Grade>)> + '_ {
        let graded = self.grades.iter().enumerate();
        graded.filter_map(|(at, &grade)| Some((self.index.position(at, Side::Weak)?, grade)))
    }
}

impl<G: GradeAfter> ByGrade<G> {
    /// The same policy with its grades asked for once: for games and proofs.
    pub fn remembered(&self) -> ByGrade<Remembered> {
        ByGrade(Remembered::new(&self.0, Group::of(self.0.material())))
    }

    /// The same policy, with tables for the endgames that the one it knows leads to.
    pub fn with_tables(self, tablebase: &Tablebase) -> ByGrade<WithTables<'_, G>> {
        ByGrade(WithTables::new(self.0, tablebase))
    }
}

impl GradeAfter for Remembered {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn material(&self) -> Material {
        self.material
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        self.grades[self.index.of(position)]
    }

    fn scale(&self) -> Scale {
        self.scale
    }

    fn tree(&self) -> Option<PlayedTree> {
        self.tree.clone()
    }
}
