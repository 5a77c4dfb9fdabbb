use super::{Grade, PlayedTree, Policy, choose_canonically, representative};
use crate::chess::{Material, Move, Position, Side, Step};
use crate::symmetry::{Group, Symmetry};

/// Says how glad the strong side should be of a move that it has made.
pub trait GradeAfter: Sync {
    /// A name for people.
    fn name(&self) -> String;

    /// The endgame it knows.
    fn material(&self) -> Material;

    /// The grade of a position with the weak side to move, or nothing where it has no answer.
    /// [`ByGrade`] asks about canonical positions only.
    fn grade_after(&self, position: &Position) -> Option<Grade>;

    /// What the numbers of its grades say.
    fn scale(&self) -> Scale;

    /// What becomes of a position of another endgame to which a capture or a promotion has led;
    /// nothing where that is not known. [`WithTables`](super::WithTables) knows.
    fn departure(&self, position: &Position) -> Option<Prospect> {
        let _ = position;
        None
    }

    /// The tree that says so; nothing where it is no tree.
    fn tree(&self) -> Option<PlayedTree> {
        None
    }
}

/// What becomes of another endgame, for the side that has moved into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Prospect {
    /// It mates in so many moves of its own.
    Win {
        /// Its moves; 0 is checkmate.
        moves: u16,
    },
    /// Nobody can force a mate.
    Draw,
    /// It is mated.
    Loss,
}

impl<G: GradeAfter + ?Sized> GradeAfter for &G {
    fn name(&self) -> String {
        (**self).name()
    }

    fn material(&self) -> Material {
        (**self).material()
    }

    fn grade_after(&self, position: &Position) -> Option<Grade> {
        (**self).grade_after(position)
    }

    fn scale(&self) -> Scale {
        (**self).scale()
    }

    fn departure(&self, position: &Position) -> Option<Prospect> {
        (**self).departure(position)
    }

    fn tree(&self) -> Option<PlayedTree> {
        (**self).tree()
    }
}

/// What the numbers of grades say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scale {
    /// The moves to mate.
    Depths,
    /// Only what to prefer to what.
    Preferences,
}

/// The strong side, playing the move of the best grade.
///
/// Order: the least number first, then moves whose grade is not known, then draws, then losses.
/// Moves that lead to another endgame are not graded: where it is known what they come to, those
/// that win come before all others, the quickest first, or, if grades are moves to mate, where their
/// own moves to mate put them. Among equals the first in the order of [`Position::moves`] on the
/// canonical board, so that the choice moves with the board.
#[derive(Debug, Clone)]
pub struct ByGrade<G>(pub G);

/// The same on the board as it stands: nothing is turned to the canonical representative, neither
/// the position nor what a move leads to. So it is not symmetric, and is proved on the full board.
///
/// ```
/// use lucena::player::{AsItStands, ByGrade, Generated, Policy};
/// use lucena::symmetry::Group;
///
/// let ByGrade(grades) = Generated::exact("KRvK".parse()?)?;
/// let player = AsItStands(grades);
/// assert_eq!(player.symmetries(), Group::Identity);
/// // It is at home among canonical positions, which are all that the tree has learned.
/// let canonical = "7R/8/8/8/8/8/k1K5/8 w - - 0 1".parse()?;
/// assert_eq!(player.choose(&canonical).unwrap().to_string(), "h8a8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct AsItStands<G>(pub G);

/// A move of the strong side, as it is judged before one is chosen.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The move.
    pub mv: Move,
    /// The grade of the position after it, where it is known.
    pub grade: Option<Grade>,
    preference: Preference,
    /// What was graded; nothing after a capture or a promotion, which leads to another endgame.
    pub graded: Option<Graded>,
}

/// The canonical representative of the position after a move.
#[derive(Debug, Clone, Copy)]
pub struct Graded {
    /// The representative.
    pub position: Position,
    /// Takes it to the board on which the move is made.
    pub back: Symmetry,
}

/// Less is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Preference {
    /// Another endgame that is won in so many moves.
    Departs(u16),
    Known(u16),
    Unknown,
    Draw,
    Lost,
}

impl Preference {
    fn of(grade: Option<Grade>) -> Self {
        match grade {
            Some(Grade::Nth(number)) => Self::Known(number),
            None => Self::Unknown,
            Some(Grade::Draw) => Self::Draw,
            Some(Grade::Lost) => Self::Lost,
        }
    }

    /// What a move into another endgame is worth.
    fn of_departure(prospect: Option<Prospect>, scale: Scale) -> Self {
        match (prospect, scale) {
            (Some(Prospect::Win { moves }), Scale::Depths) => Self::Known(moves),
            (Some(Prospect::Win { moves }), Scale::Preferences) => Self::Departs(moves),
            (Some(Prospect::Draw), _) => Self::Draw,
            (Some(Prospect::Loss), _) => Self::Lost,
            (None, _) => Self::Unknown,
        }
    }
}

impl<G: GradeAfter> ByGrade<G> {
    /// All moves of the strong side in the order of preference: the first is the one that is played.
    /// Nothing where the policy has no say.
    pub fn judgements(&self, position: &Position) -> Vec<Judgement> {
        let mut judgements = Vec::new();
        if !has_a_say(&self.0, position) {
            return judgements;
        }
        let group = self.symmetries();
        let (canonical, symmetry) = representative(group, position);
        let back = symmetry.inverse();
        visit(&self.0, group, &canonical, |step, judged| {
            let mv = back.apply_to_move(canonical.to_move(step));
            let (graded, grade) = match judged.graded {
                Some((position, turning, grade)) => {
                    (Some(Graded { position, back: turning.inverse().then(back) }), grade)
                }
                None => (None, None),
            };
            judgements.push(Judgement { mv, grade, preference: judged.preference, graded });
        });
        judgements.sort_by_key(|judgement| judgement.preference);
        judgements
    }
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
    if !has_a_say(grades, position) {
        return None;
    }
    choose_canonically(group, position, |position| {
        let mut best: Option<(Preference, Move)> = None;
        visit(grades, group, position, |step, Judged { preference, .. }| {
            if best.is_none_or(|(least, _)| preference < least) {
                best = Some((preference, position.to_move(step)));
            }
        });
        best.map(|(_, mv)| mv)
    })
}

fn has_a_say(grades: &impl GradeAfter, position: &Position) -> bool {
    position.turn() == Side::Strong && position.material() == grades.material()
}

/// What is thought of a move.
struct Judged {
    preference: Preference,
    /// The representative of what it leads to, how that was turned, and its grade; nothing in
    /// another endgame.
    graded: Option<(Position, Symmetry, Option<Grade>)>,
}

/// Calls back for every move of a representative, in order.
fn visit(
    grades: &impl GradeAfter,
    group: Group,
    position: &Position,
    mut each: impl FnMut(Step, Judged),
) {
    position.visit_steps(|step| {
        let after = position.after(step);
        if step.departs() {
            let preference = Preference::of_departure(grades.departure(&after), grades.scale());
            return each(step, Judged { preference, graded: None });
        }
        let turning = group.canonicaliser(&after);
        let after = turning.apply_to_position(&after);
        let grade = grades.grade_after(&after);
        let preference = Preference::of(grade);
        each(step, Judged { preference, graded: Some((after, turning, grade)) });
    });
}
