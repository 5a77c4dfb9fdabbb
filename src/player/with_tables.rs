use super::{Grade, GradeAfter, PlayedTree, Prospect, Scale};
use crate::chess::{Material, Position};
use crate::tablebase::{Outcome, Tablebase};

/// The grades of another, and tables for the endgames to which captures and promotions lead: who has
/// learned an endgame knows those that it can become.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
/// use lucena::dataset::{Dataset, Positions};
/// use lucena::learn::{CartParams, Learner};
/// use lucena::player::{ByGrade, Policy, TreePlayer, WithTables};
/// use lucena::tablebase::Tablebase;
///
/// let material = "KPvK".parse()?;
/// let tablebase = Tablebase::solve(material);
/// let attributes = AttributeSet::new(material, Selection::Location);
/// let dataset = Dataset::new(&tablebase, &attributes, Positions::Canonical)?;
/// let ByGrade(grades) = TreePlayer::player(CartParams::default().check()?.learn(&dataset)?)?;
/// let player = ByGrade(WithTables::new(grades, &tablebase));
/// let position = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1".parse()?;
/// assert_eq!(player.choose(&position).unwrap().to_string(), "e7e8q");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct WithTables<'t, G> {
    grades: G,
    tablebase: &'t Tablebase,
}

impl<'t, G: GradeAfter> WithTables<'t, G> {
    /// Puts both together.
    pub fn new(grades: G, tablebase: &'t Tablebase) -> Self {
        Self { grades, tablebase }
    }

    /// The grades without the tables.
    pub fn grades(&self) -> &G {
        &self.grades
    }
}

impl<G: GradeAfter> GradeAfter for WithTables<'_, G> {
    fn name(&self) -> String {
        self.grades.name()
    }

    fn material(&self) -> Material {
        self.grades.material()
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        self.grades.grade_after(position)
    }

    fn scale(&self) -> Scale {
        self.grades.scale()
    }

    fn departure(&self, position: &Position) -> Option<Prospect> {
        Some(match self.tablebase.probe(position).ok()? {
            Outcome::Loss(plies) => Prospect::Win { moves: plies / 2 },
            Outcome::Draw => Prospect::Draw,
            Outcome::Win(_) => Prospect::Loss,
        })
    }

    fn tree(&self) -> Option<PlayedTree> {
        self.grades.tree()
    }
}
