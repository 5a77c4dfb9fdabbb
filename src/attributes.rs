//! What a player would say about a position, as small integers with a name.
//!
//! The list follows from the men of a material; nothing is special to one endgame. For KRvK it is
//! the thirty attributes of the published study, under their published names, in their order. The
//! thirty-first, `optimalDepth`, is the answer: [`Depth`].
//!
//! A name is made of letters for men (capital for the strong side, small for the weak side) and a
//! word. **`File` means measured along the file**, so `KRDistanceFile` compares ranks, and `Rank`
//! means along the rank. With two equal men on one side they are numbered in the
//! order of their squares: `B1`, `B2`. With pawns on the board the strong side is read as White.

mod attribute;
mod contact;
mod depth;
mod focus;
mod man;
mod pawn;
mod question;
mod scene;
mod sentence;
mod value;
mod view;

pub use attribute::Attribute;
pub use depth::{Depth, ParseDepthError};
pub use focus::{Area, Focus};
pub use man::{Axis, Man};
pub use question::{Corner, Question};
pub use view::View;

use crate::chess::{Material, Position, Role, Side, Slot};
use crate::named::named;
use man::men;
use scene::Scene;

/// Which of a material's attributes are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Selection {
    /// Where each man stands, file and rank: the six of UCI krkopt.
    Location,
    /// What the published study asks besides: edges, lines, distances, the weak king's state; of
    /// pawns, how far they are from promotion. They do not change when the board is turned or
    /// mirrored, with pawns from side to side.
    Geometric,
    /// Location and geometric: the published thirty.
    Published,
    /// Signed distances and places once the board is turned so that the weak king is nearest to a1;
    /// with pawns, mirrored so that it is on the files a to d.
    Oriented,
    /// What a player thinks of: room, moves, box, cutting off, guarding, steps; of a bishop its
    /// colour, of a knight its jumps, of a pawn its way to promotion, of a weak side that has men
    /// what attacks, pins and forks there are.
    Strategic,
    /// Everything.
    All,
}

named!(Selection {
    "location": Location,
    "geometric": Geometric,
    "published": Published,
    "oriented": Oriented,
    "strategic": Strategic,
    "all": All,
});

/// The attributes of a material, in order.
///
/// ```
/// use lucena::attributes::{AttributeSet, Selection};
///
/// let set = AttributeSet::new("KRvK".parse()?, Selection::Geometric);
/// assert_eq!(set.attributes().len(), 24);
///
/// let position = "8/8/8/8/8/R7/8/k1K5 b - - 0 1".parse()?;
/// let values: Vec<String> = set
///     .attributes()
///     .iter()
///     .map(|attribute| format!("{}={}", attribute.name(), attribute.value(&position)))
///     .collect();
/// assert_eq!(values[0], "KMinDistanceFile=0");
/// assert_eq!(values[18], "KkOppositionDistance=2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeSet {
    material: Material,
    selection: Option<Selection>,
    attributes: Vec<Attribute>,
}

impl AttributeSet {
    /// The attributes of a material that are in a selection.
    pub fn new(material: Material, selection: Selection) -> Self {
        use Selection::{All, Geometric, Location, Oriented, Published, Strategic};
        let mut attributes = Vec::new();
        if matches!(selection, Location | Published | All) {
            attributes.extend(Self::locations(material));
        }
        if matches!(selection, Geometric | Published | All) {
            attributes.extend(Self::geometric(material));
        }
        if matches!(selection, Oriented | All) {
            attributes.extend(Self::oriented(material));
        }
        if matches!(selection, Strategic | All) {
            attributes.extend(Self::strategic(material));
        }
        let attributes = attributes.into_iter().map(Attribute::new).collect();
        Self { material, selection: Some(selection), attributes }
    }

    /// The attributes with these names, in this order.
    ///
    /// # Errors
    /// When the material lacks one.
    pub fn named<'a>(
        material: Material,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, UnknownAttribute> {
        let all = Self::new(material, Selection::All).attributes;
        let find = |name: &str| {
            let unknown = || UnknownAttribute { name: name.into(), material };
            all.iter().find(|attribute| attribute.name() == name).cloned().ok_or_else(unknown)
        };
        let attributes = names.into_iter().map(find).collect::<Result<_, _>>()?;
        Ok(Self { material, selection: None, attributes })
    }

    fn locations(material: Material) -> Vec<Question> {
        let men = men(material, Position::written_slots(material));
        let both = |man: Man| Axis::BOTH.map(|axis| Question::Location(man.clone(), axis));
        men.into_iter().flat_map(both).collect()
    }

    fn geometric(material: Material) -> Vec<Question> {
        let written = men(material, Position::written_slots(material));
        let kings_first = men(material, material.slots());
        let (strong_king, weak_king) = (&kings_first[0], &kings_first[1]);
        let pairs = pairs(&kings_first);

        let mut questions = Vec::new();
        for man in &written {
            questions.extend(Axis::BOTH.map(|axis| Question::EdgeDistance(man.clone(), axis)));
        }
        for (one, other) in &pairs {
            let same = |axis| Question::SameLine(one.clone(), other.clone(), axis);
            questions.extend(Axis::BOTH.map(same));
        }
        for (one, other) in &pairs {
            let distance = |axis| Question::Distance(one.clone(), other.clone(), axis);
            questions.extend(Axis::BOTH.map(distance));
        }
        questions.push(Question::Opposition(strong_king.clone(), weak_king.clone()));
        let of_weak_king =
            [Question::OnEdge, Question::InCorner, Question::InCheck, Question::CanMove];
        questions.extend(of_weak_king.map(|question| question(weak_king.clone())));
        questions.extend(kings_first[2..].iter().cloned().map(Question::OnEdge));
        let pawns = kings_first.iter().filter(|man| material.role(man.slot) == Role::Pawn);
        questions.extend(pawns.cloned().map(Question::Promotion));
        questions
    }

    fn oriented(material: Material) -> Vec<Question> {
        let men = men(material, material.slots());
        let weak_king = &men[Material::king(Side::Weak)];
        let others: Vec<&Man> = men.iter().filter(|&man| man != weak_king).collect();
        let mut questions = Vec::new();
        for (at, &one) in others.iter().enumerate() {
            for &other in std::iter::once(&weak_king).chain(&others[at + 1..]) {
                questions.extend(
                    Axis::BOTH.map(|axis| Question::Ahead(one.clone(), other.clone(), axis)),
                );
            }
        }
        for man in men {
            questions.extend(Axis::BOTH.map(|axis| Question::Turned(man.clone(), axis)));
        }
        questions
    }

    fn strategic(material: Material) -> Vec<Question> {
        let men = men(material, material.slots());
        let weak_king = &men[Material::king(Side::Weak)];
        let strong_king = &men[Material::king(Side::Strong)];
        let mut questions = Vec::new();
        for (one, other) in pairs(&men) {
            questions.extend([
                Question::Steps(one.clone(), other.clone()),
                Question::DistanceSum(one.clone(), other.clone()),
                Question::DistanceLess(one.clone(), other.clone()),
                Question::KnightApart(one, other),
            ]);
        }
        for man in &men {
            questions
                .extend([Question::EdgeSteps(man.clone()), Question::CornerSteps(man.clone())]);
        }
        questions.extend([Question::Moves(weak_king.clone()), Question::Room(weak_king.clone())]);
        for slot in material.slots_of(Side::Strong).skip(1) {
            let man = &men[slot];
            questions.extend([Question::Hangs(man.clone()), Question::Guarded(man.clone())]);
            if matches!(material.role(slot), Role::Rook | Role::Queen) {
                questions.extend(Axis::BOTH.map(|axis| Question::Box(man.clone(), axis)));
                questions.extend([
                    Question::BoxSize(man.clone()),
                    Question::BoxSides(man.clone()),
                    Question::BoxWidth(man.clone()),
                    Question::BoxSteps(man.clone(), strong_king.clone()),
                ]);
                questions.extend(Axis::BOTH.map(|axis| Question::Cuts(man.clone(), axis)));
            }
        }
        // What follows is asked of no material of a bare king against rook or queen.
        questions.extend(Self::of_minor_pieces(material, &men));
        questions.extend(Self::of_pawns(material, &men));
        if !material.is_bare(Side::Weak) {
            questions.extend(Self::of_contact(material, &men));
        }
        questions
    }

    /// Diagonals, colours, right and wrong corners, jumps. A queen's diagonals matter where there is
    /// more to attack than a king.
    fn of_minor_pieces(material: Material, men: &[Man]) -> Vec<Question> {
        let role = |man: &Man| material.role(man.slot);
        let is_there = |one: &Man, other: &Man, asked| role(one) == asked || role(other) == asked;
        let mut questions = Vec::new();
        for (one, other) in pairs(men) {
            let bishop = is_there(&one, &other, Role::Bishop);
            let queen = is_there(&one, &other, Role::Queen) && !material.is_bare(Side::Weak);
            if bishop || queen {
                questions.push(Question::Diagonal(one.clone(), other.clone()));
            }
            if bishop {
                questions.push(Question::SameColor(one.clone(), other.clone()));
            }
            if is_there(&one, &other, Role::Knight) {
                questions.push(Question::KnightSteps(one, other));
            }
        }
        let weak_king = &men[Material::king(Side::Weak)];
        for bishop in men.iter().filter(|man| role(man) == Role::Bishop) {
            questions.extend(
                Corner::BOTH.map(|corner| {
                    Question::BishopCorner(weak_king.clone(), bishop.clone(), corner)
                }),
            );
        }
        questions
    }

    /// The way to promotion, and who is on it or in time for it.
    fn of_pawns(material: Material, men: &[Man]) -> Vec<Question> {
        let kings = Side::ALL.map(|side| &men[Material::king(side)]);
        let of_role = |role| men.iter().filter(move |man| material.role(man.slot) == role);
        let mut questions = Vec::new();
        for pawn in of_role(Role::Pawn) {
            let side = material.side(pawn.slot);
            let [own_king, other_king] = [side, !side].map(|side| &men[Material::king(side)]);
            questions.extend([
                Question::Blocked(pawn.clone()),
                Question::CanAdvance(pawn.clone()),
                Question::KeySquare(own_king.clone(), pawn.clone()),
                Question::Catches(other_king.clone(), pawn.clone()),
            ]);
            let steps = |king: &Man| Question::PromotionSteps(king.clone(), pawn.clone());
            questions.extend(kings.map(steps));
            let others = men.iter().filter(|&man| man != pawn);
            questions.extend(others.map(|man| Question::InFront(man.clone(), pawn.clone())));
            let color = |bishop: &Man| Question::PromotionColor(pawn.clone(), bishop.clone());
            questions.extend(of_role(Role::Bishop).map(color));
            let others = of_role(Role::Pawn).filter(|other| material.side(other.slot) != side);
            questions.extend(others.map(|other| Question::Passed(pawn.clone(), other.clone())));
        }
        for (one, other) in pairs(&of_role(Role::Pawn).cloned().collect::<Vec<_>>()) {
            if material.side(one.slot) != material.side(other.slot) {
                questions.push(Question::Race(one, other));
            }
        }
        if material.has_pawns() {
            let [strong, weak] = kings;
            questions.push(Question::HasOpposition(strong.clone(), weak.clone()));
        }
        questions
    }

    /// Where both sides have men: who attacks, guards, pins and forks whom, and what can move.
    fn of_contact(material: Material, men: &[Man]) -> Vec<Question> {
        let pins =
            |slot: Slot| matches!(material.role(slot), Role::Bishop | Role::Rook | Role::Queen);
        let mut questions = Vec::new();
        for man in &men[2..] {
            let (side, is_pawn) = (material.side(man.slot), material.role(man.slot) == Role::Pawn);
            questions.extend([Question::Attacked(man.clone()), Question::EnPrise(man.clone())]);
            if material.slots_of(!side).any(pins) {
                questions.push(Question::Pinned(man.clone()));
            }
            if !is_pawn {
                questions.push(Question::Forks(man.clone()));
            }
            if side == Side::Weak {
                questions.extend([Question::Guarded(man.clone()), Question::CanMove(man.clone())]);
                if !is_pawn {
                    questions.push(Question::SafeMoves(man.clone()));
                }
            }
        }
        questions
    }

    /// The material they belong to.
    pub fn material(&self) -> Material {
        self.material
    }

    /// Which of the material's attributes they are, if they were not chosen one by one.
    pub fn selection(&self) -> Option<Selection> {
        self.selection
    }

    /// The attributes.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Writes the values of a position into a row.
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn extract(&self, position: &Position, row: &mut [u8]) {
        assert_eq!(position.material(), self.material, "attributes are for one material");
        let scene = Scene::new(position);
        for (value, attribute) in row.iter_mut().zip(&self.attributes) {
            *value = attribute.value_in(&scene);
        }
    }
}

/// An attribute that a material does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{material} has no attribute {name}; \"lucena attributes {material} --set all --list\" lists all of them"
)]
pub struct UnknownAttribute {
    /// The name asked for.
    pub name: String,
    /// The material.
    pub material: Material,
}

/// Every two men, in order.
fn pairs(men: &[Man]) -> Vec<(Man, Man)> {
    let after = |at: usize| men[at + 1..].iter().map(move |other| (men[at].clone(), other.clone()));
    (0..men.len()).flat_map(after).collect()
}
