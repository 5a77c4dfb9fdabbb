use super::{Role, Square};
use arrayvec::ArrayVec;
use lucena_base::named::named;
use std::collections::BTreeSet;
use std::{fmt, str::FromStr};

/// The most men, kings included, that a [`Material`] can hold.
pub const MAX_MEN: usize = 7;

/// The most men, kings included, of an endgame that can be solved. Outcomes of endgames with more men come from Syzygy
/// files.
pub const SOLVED_MEN: usize = 5;

/// The most men of an endgame that is solved implicitly. It takes about a second and some megabytes, so
/// other work may solve one on the way and scan its table repeatedly. Larger endgames are solved only on
/// request.
pub const QUICK_MEN: usize = 4;

/// The index of a man in a [`Material`] and its positions: 0 is the strong king, 1 the weak king, then
/// the other men, the strong side's first.
pub type Slot = usize;

/// The squares of the men in slot order; slots past the last man are unspecified.
pub type Squares = [Square; MAX_MEN];

/// One of the two sides of an endgame. The position determines its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side named first, with more or heavier men: the side with the rook in `KRvK`.
    Strong,
    /// The side named second.
    Weak,
}

impl Side {
    /// Both sides, the strong one first.
    pub const ALL: [Self; 2] = [Self::Strong, Self::Weak];
}

named!(Side { "strong": Strong, "weak": Weak });

impl std::ops::Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Strong => Self::Weak,
            Self::Weak => Self::Strong,
        }
    }
}

/// The men on the board, which name an endgame: written `KRvK`.
///
/// The strong side comes first, each side's men from the king down to the pawn. Parsing sorts the
/// men and the sides, so that each endgame has a unique name.
///
/// ```
/// use lucena_chess::Material;
///
/// let material: Material = "KRvK".parse()?;
/// assert_eq!(material.to_string(), "KRvK");
/// assert_eq!("kvrk".parse::<Material>()?, material);
/// assert!("KRK".parse::<Material>().is_err());
/// # Ok::<(), lucena_chess::ParseMaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    // First, so that the derived order compares it first.
    men: u8,
    /// The number of the strong side's men, its king included.
    strong_men: u8,
    /// In slot order; slots past the last man hold a king.
    roles: [Role; MAX_MEN],
}

/// A text that does not name a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMaterialError {
    /// Not two sides with a `v` between them.
    #[error("\"{0}\" does not name a material: {advice}", advice = advice(.0))]
    NotTwoSides(String),
    /// A letter does not stand for a man.
    #[error(
        "\"{text}\" does not name a material: {letter:?} is not a man: the men are K, Q, R, B, N and P"
    )]
    UnknownMan {
        /// The text.
        text: String,
        /// The first letter that does not stand for a man.
        letter: char,
    },
    /// A side without a king or with more than one.
    #[error("\"{0}\" does not name a material: each side has exactly one K, as in KRvK")]
    NotOneKing(String),
    /// More men than this number, which is the most that can be handled.
    #[error("\"{0}\" has too many men: at most {most}, kings included, can be handled here", most = .1)]
    TooManyMen(String, usize),
}

/// The advice for a text that is not two sides.
fn advice(text: &str) -> String {
    let letters: String = text.chars().filter(char::is_ascii_alphabetic).collect();
    let letters = letters.to_ascii_uppercase();
    let between = letters.rfind('K').map(|at| letters.split_at(at));
    match between.and_then(|(one, other)| format!("{one}v{other}").parse::<Material>().ok()) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "write both sides with a v between them, as in KRvK".into(),
    }
}

impl Material {
    /// Makes the material of two sides, given in any order.
    ///
    /// # Errors
    /// If a side does not have exactly one king, or there are more than [`MAX_MEN`] men.
    pub fn new(one: &[Role], other: &[Role]) -> Result<Self, ParseMaterialError> {
        let text = || {
            let letters = |side: &[Role]| -> String { side.iter().map(|&r| letter(r)).collect() };
            format!("{}v{}", letters(one), letters(other))
        };
        for side in [one, other] {
            if side.iter().filter(|&&role| role == Role::King).count() != 1 {
                return Err(ParseMaterialError::NotOneKing(text()));
            }
        }
        if one.len() + other.len() > MAX_MEN {
            return Err(ParseMaterialError::TooManyMen(text(), MAX_MEN));
        }
        let sorted = |side: &[Role]| {
            let mut side = side.to_vec();
            side.sort_unstable_by(|a, b| b.cmp(a));
            side
        };
        let (mut strong, mut weak) = (sorted(one), sorted(other));
        if is_weaker(&strong, &weak) {
            std::mem::swap(&mut strong, &mut weak);
        }
        Ok(Self::sorted(&strong, &weak))
    }

    /// Returns every material with a number of men, kings included. A material comes after all those that
    /// it leads to.
    pub fn of_men(men: usize) -> Vec<Self> {
        let mut all = BTreeSet::new();
        for others in 0..=men.saturating_sub(2) {
            for one in sides(others) {
                for other in sides(men.saturating_sub(2) - others) {
                    all.extend(Self::new(&one, &other));
                }
            }
        }
        let mut all: Vec<Self> = all.into_iter().filter(|material| material.men() == men).collect();
        all.sort_by_key(Self::pawns);
        all
    }

    /// The number of men on the board, kings included.
    pub fn men(&self) -> usize {
        self.men.into()
    }

    /// The men of one side, from the king down.
    pub fn roles(&self, side: Side) -> impl Iterator<Item = Role> + '_ {
        self.slots_of(side).map(|slot| self.role(slot))
    }

    /// Returns true if a side has only its king.
    pub fn is_bare(&self, side: Side) -> bool {
        match side {
            Side::Strong => self.strong_men == 1,
            Side::Weak => self.men - self.strong_men == 1,
        }
    }

    /// Returns true if a side has enough to mate: a queen, a rook, a pawn, or two minor pieces.
    pub fn can_mate(&self, side: Side) -> bool {
        let is_minor = |role: &Role| matches!(role, Role::Knight | Role::Bishop);
        // The king is the third.
        self.roles(side).any(|role| role != Role::King && !is_minor(&role))
            || self.roles(side).count() > 2
    }

    /// Returns true if a pawn is on the board.
    pub fn has_pawns(&self) -> bool {
        self.roles.contains(&Role::Pawn)
    }

    /// Returns this material and all that captures and promotions can lead to, each once. A material comes
    /// after all those that it leads to.
    pub fn with_successors(self) -> Vec<Self> {
        let mut all = BTreeSet::from([self]);
        let mut open = vec![self];
        while let Some(material) = open.pop() {
            open.extend(material.conversions().into_iter().filter(|&next| all.insert(next)));
        }
        let mut all: Vec<Self> = all.into_iter().collect();
        // A capture reduces the number of men, a promotion the number of pawns: a topological order.
        all.sort_by_key(|material| (material.men, material.pawns()));
        all
    }

    /// The materials after one capture, promotion or both.
    pub fn conversions(&self) -> Vec<Self> {
        let captured = |by: Side| {
            let taken = self.slots().skip(2).filter(move |&slot| self.side(slot) != by);
            std::iter::once(None).chain(taken.map(Some))
        };
        let mut found = Vec::new();
        for side in Side::ALL {
            for captured in captured(side) {
                if captured.is_some() {
                    found.push(self.conversion(captured, None).material);
                }
                for pawn in self.slots_of(side).filter(|&slot| self.role(slot) == Role::Pawn) {
                    let promoted = |role| self.conversion(captured, Some((pawn, role))).material;
                    found.extend(PROMOTIONS.map(promoted));
                }
            }
        }
        found
    }

    /// Returns true if this endgame can only be won without a capture or pawn move: it has no pawns, and after
    /// any capture too few men are left to mate with.
    pub fn is_won_without_zeroing(&self) -> bool {
        !self.has_pawns() && self.conversions().iter().all(Self::is_insufficient)
    }

    /// Returns true if neither side can ever be mated, wherever the men stand: bare kings, or kings and one
    /// knight or bishop.
    pub fn is_insufficient(&self) -> bool {
        let is_minor = |slot| matches!(self.role(slot), Role::Knight | Role::Bishop);
        self.men() <= 3 && self.slots().skip(2).all(is_minor)
    }

    /// Returns true if a side has a pawn.
    pub fn has_pawns_of(&self, side: Side) -> bool {
        self.slots_of(side).any(|slot| self.role(slot) == Role::Pawn)
    }

    /// The number of pawns on the board.
    pub fn pawns(&self) -> usize {
        self.slots().filter(|&slot| self.role(slot) == Role::Pawn).count()
    }

    /// Returns what becomes of the material when a man is captured, a pawn is promoted, or both.
    pub fn conversion(&self, captured: Option<Slot>, promoted: Option<(Slot, Role)>) -> Conversion {
        if let (Some(captured), None) = (captured, promoted) {
            return self.without(captured);
        }
        let men = |side| -> ArrayVec<(Role, Slot), MAX_MEN> {
            let left = self.slots_of(side).filter(|&slot| Some(slot) != captured);
            let role = |slot| match promoted {
                Some((pawn, role)) if pawn == slot => role,
                _ => self.role(slot),
            };
            let mut men: ArrayVec<_, MAX_MEN> = left.map(|slot| (role(slot), slot)).collect();
            if promoted.is_some() {
                // Stable, so that equal men keep their order.
                men.sort_by_key(|&(role, _)| std::cmp::Reverse(role));
            }
            men
        };
        let (mut strong, mut weak) = (men(Side::Strong), men(Side::Weak));
        let roles = |men: &[(Role, Slot)]| men.iter().map(|man| man.0).collect::<Roles>();
        let swapped = is_weaker(&roles(&strong), &roles(&weak));
        if swapped {
            std::mem::swap(&mut strong, &mut weak);
        }
        let mut from = [0; MAX_MEN];
        let in_order =
            [&strong[0], &weak[0]].into_iter().chain(&strong[1..]).chain(&weak[1..]).enumerate();
        for (to, man) in in_order {
            from[to] = man.1;
        }
        Conversion { material: Self::sorted(&roles(&strong), &roles(&weak)), from, swapped }
    }

    /// Returns the material after a man is captured. Solving asks for it at every capture.
    fn without(&self, captured: Slot) -> Conversion {
        let (mut roles, mut from) = ([Role::King; MAX_MEN], [0; MAX_MEN]);
        let men = self.men() - 1;
        for (to, (role, from)) in roles.iter_mut().zip(&mut from).enumerate().take(men) {
            *from = to + usize::from(to >= captured);
            *role = self.roles[*from];
        }
        let mut strong_men = self.strong_men - u8::from(self.side(captured) == Side::Strong);
        // The men of the strong side without the king, and behind them those of the weak side.
        let others = usize::from(strong_men) - 1;
        let swapped = is_weaker(&roles[2..2 + others], &roles[2 + others..men]);
        if swapped {
            from.swap(0, 1);
            from[2..men].rotate_left(others);
            roles[2..men].rotate_left(others);
            strong_men = men as u8 - strong_men;
        }
        Conversion { material: Self { men: men as u8, strong_men, roles }, from, swapped }
    }

    /// Makes the material of two sorted sides, the strong one first.
    fn sorted(strong: &[Role], weak: &[Role]) -> Self {
        let mut roles = [Role::King; MAX_MEN];
        for (slot, &role) in strong[1..].iter().chain(&weak[1..]).enumerate() {
            roles[2 + slot] = role;
        }
        Self { roles, men: (strong.len() + weak.len()) as u8, strong_men: strong.len() as u8 }
    }

    /// Returns true if the man in a slot has the same side and role as the man in the slot before it. Equal
    /// men have adjacent slots.
    #[inline]
    pub fn equals_previous(&self, slot: Slot) -> bool {
        slot > 2 && self.role(slot) == self.role(slot - 1) && self.side(slot) == self.side(slot - 1)
    }

    /// The number of permutations of the slots of equal men.
    pub fn permutations(&self) -> u64 {
        let (mut orders, mut equals) = (1, 1);
        for slot in self.slots() {
            equals = if self.equals_previous(slot) { equals + 1 } else { 1 };
            orders *= equals;
        }
        orders
    }

    /// Sorts the squares of equal men, a1 to h8.
    #[inline]
    pub fn tidy(&self, mut squares: Squares) -> Squares {
        squares[self.men.into()..].fill(Square::A1);
        for slot in 3..self.men.into() {
            let mut at = slot;
            while self.equals_previous(at) && squares[at - 1] > squares[at] {
                squares.swap(at - 1, at);
                at -= 1;
            }
        }
        squares
    }

    /// The role of the man in a slot.
    pub fn role(&self, slot: Slot) -> Role {
        self.roles[slot]
    }

    /// The side of the man in a slot.
    pub fn side(&self, slot: Slot) -> Side {
        match slot {
            0 => Side::Strong,
            1 => Side::Weak,
            _ if slot <= self.strong_men.into() => Side::Strong,
            _ => Side::Weak,
        }
    }

    /// The slot of a king.
    pub fn king(side: Side) -> Slot {
        side as Slot
    }

    /// The slots of all men.
    pub fn slots(&self) -> std::ops::Range<Slot> {
        0..self.men.into()
    }

    /// The slots of a side in the order in which its men are written, the king's first.
    pub fn slots_of(&self, side: Side) -> SlotsOf {
        let strong = ((1 << (self.strong_men + 1)) - 1) & !2_u8;
        SlotsOf(match side {
            Side::Strong => strong,
            Side::Weak => ((1 << self.men) - 1) & !strong,
        })
    }
}

/// Returns every sequence of men of a side: its king and a number of others.
fn sides(others: usize) -> Vec<Vec<Role>> {
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let mut all = vec![vec![Role::King]];
    for _ in 0..others {
        let more = |side: &Vec<Role>| roles.map(|role| [side.as_slice(), &[role]].concat());
        all = all.iter().flat_map(more).collect();
    }
    all
}

/// The men of one side.
type Roles = ArrayVec<Role, MAX_MEN>;

/// The promotion pieces, in the order in which such moves are listed.
pub const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// The material that a capture or a promotion leads to.
#[derive(Debug, Clone, Copy)]
pub struct Conversion {
    /// The new material.
    pub material: Material,
    /// For each slot of the new material, the man's slot in the old one; 0 for the other slots.
    pub(crate) from: [Slot; MAX_MEN],
    /// True if the former weak side is now the strong side.
    pub swapped: bool,
}

impl Conversion {
    /// Returns the squares of the men in the slots of the new material, given those in the slots of the old one.
    #[inline]
    pub fn squares(&self, before: &Squares) -> Squares {
        let mut after = [Square::A1; MAX_MEN];
        for slot in self.material.slots() {
            after[slot] = before[self.from[slot]];
        }
        after
    }
}

/// Returns true if a side, sorted from the king down, is named after the other.
fn is_weaker(one: &[Role], other: &[Role]) -> bool {
    (one.len(), one) < (other.len(), other)
}

/// An iterator over slots stored as bits, from the lowest up.
#[derive(Clone)]
pub struct SlotsOf(u8);

impl Iterator for SlotsOf {
    type Item = Slot;

    #[inline]
    fn next(&mut self) -> Option<Slot> {
        let slot = self.0.trailing_zeros() as Slot;
        let more = self.0 != 0;
        self.0 &= self.0.wrapping_sub(1);
        more.then_some(slot)
    }
}

/// The letter of a role in names and in algebraic notation.
pub(super) fn letter(role: Role) -> char {
    char::from(role).to_ascii_uppercase()
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::with_capacity(MAX_MEN + 1);
        name.extend(self.roles(Side::Strong).map(letter));
        name.push('v');
        name.extend(self.roles(Side::Weak).map(letter));
        f.pad(&name)
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}

impl FromStr for Material {
    type Err = ParseMaterialError;

    /// Parses the name of an endgame that can be solved. [`Material::from_name`] also takes larger ones.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let material = Self::from_name(text)?;
        if material.men() > SOLVED_MEN {
            return Err(ParseMaterialError::TooManyMen(text.into(), SOLVED_MEN));
        }
        Ok(material)
    }
}

impl Material {
    /// Parses the name of a material of up to [`MAX_MEN`] men, whether it can be solved or not.
    ///
    /// # Errors
    /// If the text is not such a name.
    ///
    /// ```
    /// use lucena_chess::Material;
    ///
    /// assert_eq!(Material::from_name("KRPvKRPP")?.men(), 7);
    /// assert!("KRPvKRPP".parse::<Material>().is_err());
    /// # Ok::<(), lucena_chess::ParseMaterialError>(())
    /// ```
    pub fn from_name(text: &str) -> Result<Self, ParseMaterialError> {
        let not_two = || ParseMaterialError::NotTwoSides(text.into());
        let (one, other) = text.split_once(['v', 'V']).ok_or_else(not_two)?;
        let role = |letter: char| {
            let unknown = |_| ParseMaterialError::UnknownMan { text: text.into(), letter };
            Role::try_from(letter.to_ascii_lowercase()).map_err(unknown)
        };
        let roles = |side: &str| side.chars().map(role).collect::<Result<Vec<_>, _>>();
        Self::new(&roles(one)?, &roles(other)?)
    }
}
