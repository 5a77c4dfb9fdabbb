use super::{Role, Square};
use std::collections::BTreeSet;
use std::{fmt, str::FromStr};

/// The most men, kings included, that a [`Material`] can hold.
pub const MAX_MEN: usize = 4;

/// Where a man stands in the lists of a [`Material`] and of a position of it: 0 is the strong
/// king, 1 the weak king, then the other men, the strong side's first.
pub(crate) type Slot = usize;

/// The squares of the men in slot order; what slots past the last man hold means nothing.
pub(crate) type Squares = [Square; MAX_MEN];

/// One of the two sides of an endgame. Which colour it has is up to the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side named first, with more or heavier men: White in `KRvK` as tables print it.
    Strong,
    /// The side named second.
    Weak,
}

impl Side {
    /// Both sides, the strong one first.
    pub const ALL: [Self; 2] = [Self::Strong, Self::Weak];
}

impl std::ops::Not for Side {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Strong => Self::Weak,
            Self::Weak => Self::Strong,
        }
    }
}

/// Which men are on the board: the name of an endgame, written `KRvK`.
///
/// The strong side comes first, each side's men from the king down to the pawn. Parsing sorts the
/// men and the sides, so that an endgame has one name only.
///
/// ```
/// use lucena::chess::Material;
///
/// let material: Material = "KRvK".parse()?;
/// assert_eq!(material.to_string(), "KRvK");
/// assert_eq!("kvrk".parse::<Material>()?, material);
/// assert!("KRK".parse::<Material>().is_err());
/// # Ok::<(), lucena::chess::ParseMaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    // First, so that materials are ordered by it.
    men: u8,
    /// How many of the men are the strong side's, its king included.
    strong_men: u8,
    /// In slot order; slots past the last man hold a king.
    roles: [Role; MAX_MEN],
}

/// Why a text does not name a material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMaterialError {
    /// Not two sides with a `v` between them.
    #[error("\"{0}\" does not name a material: write both sides with a v between them, as in KRvK")]
    NotTwoSides(String),
    /// A letter that stands for no man.
    #[error(
        "\"{text}\" does not name a material: {letter:?} is no man, the men are K, Q, R, B, N and P"
    )]
    UnknownMan {
        /// The text as given.
        text: String,
        /// The first letter that stands for no man.
        letter: char,
    },
    /// A side without a king or with more than one.
    #[error("\"{0}\" does not name a material: each side has exactly one K, as in KRvK")]
    NotOneKing(String),
    /// More men than a material can hold.
    #[error("\"{0}\" has too many men: at most {MAX_MEN}, kings included, can be handled")]
    TooManyMen(String),
}

impl Material {
    /// The material of the two sides, given in any order.
    ///
    /// # Errors
    /// When a side has not exactly one king, or there are more than [`MAX_MEN`] men.
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
            return Err(ParseMaterialError::TooManyMen(text()));
        }
        let sorted = |side: &[Role]| {
            let mut side = side.to_vec();
            side.sort_unstable_by(|a, b| b.cmp(a));
            side
        };
        let (mut strong, mut weak) = (sorted(one), sorted(other));
        if (weak.len(), &weak) > (strong.len(), &strong) {
            std::mem::swap(&mut strong, &mut weak);
        }
        let mut roles = [Role::King; MAX_MEN];
        for (slot, &role) in strong[1..].iter().chain(&weak[1..]).enumerate() {
            roles[2 + slot] = role;
        }
        Ok(Self { roles, men: (strong.len() + weak.len()) as u8, strong_men: strong.len() as u8 })
    }

    /// How many men are on the board, kings included.
    pub fn men(&self) -> usize {
        self.men.into()
    }

    /// The men of one side from the king down.
    pub fn roles(&self, side: Side) -> impl Iterator<Item = Role> + '_ {
        self.slots_of(side).map(|slot| self.role(slot))
    }

    /// Whether a side has nothing but its king: it can neither win nor be captured from.
    pub fn is_bare(&self, side: Side) -> bool {
        match side {
            Side::Strong => self.strong_men == 1,
            Side::Weak => self.men - self.strong_men == 1,
        }
    }

    /// Whether a pawn is on the board.
    pub fn has_pawns(&self) -> bool {
        self.roles.contains(&Role::Pawn)
    }

    /// This material and all that captures can lead to, each once.
    pub(crate) fn and_smaller(self) -> BTreeSet<Self> {
        let mut all = BTreeSet::from([self]);
        for captured in self.slots().skip(2) {
            all.extend(self.without(captured).0.and_smaller());
        }
        all
    }

    /// The material after the man in a slot has been captured, and for each of its slots the slot
    /// that the man had before. The sides change places where what is left of the weak side
    /// outweighs the strong one; then the third value is true.
    pub(crate) fn without(&self, captured: Slot) -> (Self, [Slot; MAX_MEN], bool) {
        let left =
            |side| -> Vec<Slot> { self.slots_of(side).filter(|&slot| slot != captured).collect() };
        let roles = |slots: &[Slot]| -> Vec<Role> { slots.iter().map(|&s| self.role(s)).collect() };
        let (strong, weak) = (left(Side::Strong), left(Side::Weak));
        let material = Self::new(&roles(&strong), &roles(&weak))
            .expect("a material less one man that is no king is a material");
        let swapped = material.roles(Side::Strong).ne(roles(&strong));
        let (strong, weak) = if swapped { (weak, strong) } else { (strong, weak) };
        let mut from = [0; MAX_MEN];
        let order = [strong[0], weak[0]].into_iter();
        for (to, slot) in
            order.chain(strong[1..].iter().copied()).chain(weak[1..].iter().copied()).enumerate()
        {
            from[to] = slot;
        }
        (material, from, swapped)
    }

    pub(crate) fn role(&self, slot: Slot) -> Role {
        self.roles[slot]
    }

    pub(crate) fn side(&self, slot: Slot) -> Side {
        match slot {
            0 => Side::Strong,
            1 => Side::Weak,
            _ if slot <= self.strong_men.into() => Side::Strong,
            _ => Side::Weak,
        }
    }

    pub(crate) fn king(side: Side) -> Slot {
        side as Slot
    }

    pub(crate) fn slots(&self) -> std::ops::Range<Slot> {
        0..self.men.into()
    }

    /// The slots of a side as its men are written, the king's first.
    pub(crate) fn slots_of(&self, side: Side) -> SlotsOf {
        let strong = ((1 << (self.strong_men + 1)) - 1) & !2_u8;
        SlotsOf(match side {
            Side::Strong => strong,
            Side::Weak => ((1 << self.men) - 1) & !strong,
        })
    }
}

/// Slots as bits, counted off from the lowest.
#[derive(Clone)]
pub(crate) struct SlotsOf(u8);

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

fn letter(role: Role) -> char {
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

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (one, other) = text
            .split_once(['v', 'V'])
            .ok_or_else(|| ParseMaterialError::NotTwoSides(text.into()))?;
        let roles = |side: &str| {
            side.chars()
                .map(|letter| {
                    Role::try_from(letter.to_ascii_lowercase())
                        .map_err(|_| ParseMaterialError::UnknownMan { text: text.into(), letter })
                })
                .collect::<Result<Vec<_>, _>>()
        };
        Self::new(&roles(one)?, &roles(other)?)
    }
}
