use super::{Grade, PlayedTree, Policy, choose_canonically};
use crate::chess::{Material, Move, Position, Side};
use crate::symmetry::Group;

/// Says how glad the strong side should be of a move that it has made.
pub trait GradeAfter: Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The endgame it knows.
    fn material(&self) -> Material;

    /// The grade of a position with the weak side to move, or nothing where it has no answer.
    /// [`ByGrade`] asks about canonical positions only.
    fn grade_after(&self, position: &Position) -> Option<Grade>;

    /// The tree that says so; nothing where it is no tree.
    fn tree(&self) -> Option<PlayedTree> {
        None
    }
}

/// The strong side, playing the move of the best grade.
///
/// Order: the least number first, then moves whose grade is not known, then draws. Among equals the
/// first in the order of [`Position::moves`] on the canonical board, so that the choice moves with
/// the board.
#[derive(Debug, Clone)]
pub struct ByGrade<G>(pub G);

/// The same on the board as it stands: nothing is turned to the canonical representative, neither
/// the position nor what a move leads to. So it is not symmetric, and is proved on the full board.
///
/// ```
/// use lucena::player::{AsItStands, ByGrade, Exact, Policy};
/// use lucena::symmetry::Group;
///
/// let ByGrade(grades) = Exact::player("KRvK".parse()?)?;
/// let player = AsItStands(grades);
/// assert_eq!(player.symmetries(), Group::Identity);
/// // It is at home among canonical positions, which are all that the tree has learned.
/// let canonical = "7R/8/8/8/8/8/k1K5/8 w - - 0 1".parse()?;
/// assert_eq!(player.choose(&canonical).unwrap().to_string(), "h8a8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct AsItStands<G>(pub G);

/// Less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Preference {
    Known(u16),
    Unknown,
    Draw,
}

impl<G: GradeAfter> Policy for ByGrade<G> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn material(&self) -> Material {
        self.0.material()
    }

    fn symmetries(&self) -> Group {
        Group::of(self.material())
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        choose(&self.0, self.symmetries(), position)
    }

    fn tree(&self) -> Option<PlayedTree> {
        self.0.tree()
    }
}

impl<G: GradeAfter> Policy for AsItStands<G> {
    fn name(&self) -> String {
        format!("{} on the board as it stands", self.0.name())
    }

    fn material(&self) -> Material {
        self.0.material()
    }

    fn symmetries(&self) -> Group {
        Group::Identity
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        choose(&self.0, self.symmetries(), position)
    }

    fn tree(&self) -> Option<PlayedTree> {
        self.0.tree()
    }
}

/// The move of the best grade, all positions being turned to the representatives of a group.
fn choose(grades: &impl GradeAfter, group: Group, position: &Position) -> Option<Move> {
    if position.turn() == Side::Weak || position.material() != grades.material() {
        return None;
    }
    choose_canonically(group, position, |position| {
        let mut best: Option<(Preference, Move)> = None;
        position.visit_steps(|step| {
            let after = position.after(step);
            // Taking a man leads to another endgame, of which nothing is known here.
            let grade = if step.captured.is_some() {
                None
            } else {
                grades.grade_after(&group.canonical(&after))
            };
            let preference = match grade {
                Some(Grade::Nth(number)) => Preference::Known(number),
                None => Preference::Unknown,
                Some(Grade::Draw) => Preference::Draw,
            };
            if best.is_none_or(|(least, _)| preference < least) {
                best = Some((preference, position.to_move(step)));
            }
        });
        best.map(|(_, mv)| mv)
    })
}
