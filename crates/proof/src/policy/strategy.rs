use super::rows::Rows;
use super::{PlayedStrategy, Policy, UsedRule};
use lucena_attributes::{Attribute, AttributeSet, UnknownAttribute};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, MoveList, ParseMaterialError, Position, Role, SafeMoves, Side};
use lucena_tablebase::Index;
use lucena_tree::{MovesAsked, Selected, Strategy};
use std::sync::OnceLock;

/// Plays the strong side by a strategy: ordered rules about moves. It needs no table.
///
/// A move that wins at once in another endgame is played at once; among the others only safe ones are
/// asked about: see [`SafeMoves`]. What a rule asks *before* a move is read as if the weak side were to
/// move. [`Policy::choices`] has all moves that the strategy leaves tied, and they move with the board:
/// a strategy may ask for nothing that changes when the board is turned. [`Policy::choose`] is the first
/// of them in the order of [`Position::moves`].
///
/// ```
/// use lucena::policy::{Policy, StrategyPolicy};
/// use lucena_tree::Strategy;
///
/// let strategy = Strategy::from_json(br#"{
///     "kind": "strategy", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
///     "attributes": [{"name": "RBoxSize", "low": 1, "high": 64, "meaning": "squares of the box"}],
///     "rules": [{"guard": [], "keys": [{"least": "RBoxSize"}]}]
/// }"#)?;
/// let policy = StrategyPolicy::new(strategy)?;
/// let position = "8/8/8/3k4/8/8/7R/K7 w - - 0 1".parse()?;
/// assert_eq!(policy.choices(&position).len(), 1);
/// assert_eq!(policy.choose(&position).unwrap().to_string(), "h2e2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct StrategyPolicy {
    strategy: Strategy,
    material: Material,
    attributes: AttributeSet,
    /// What is known of the positions that have been met: a proof meets each of them many times.
    rows: OnceLock<Rows>,
    sha256: OnceLock<String>,
}

/// A sound strategy that makes no policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ForeignStrategy {
    /// Its material is none.
    #[error("the strategy is not for an endgame: {0}")]
    Material(#[from] ParseMaterialError),
    /// It asks about something that the material does not have.
    #[error("the strategy asks for what cannot be told: {0}")]
    Attribute(#[from] UnknownAttribute),
    /// It asks about something that changes when the board is turned.
    #[error(
        "the strategy asks for {0}, which changes when the board is turned or mirrored: ask for something that does not, as a distance"
    )]
    Turns(String),
    /// The values of an attribute are not those of the material.
    #[error("the strategy says that {name} goes from {low} to {high}, but it goes from {} to {}: mine it again", domain.0, domain.1)]
    Domain {
        /// The attribute.
        name: String,
        /// The least value that the strategy knows.
        low: u8,
        /// The greatest.
        high: u8,
        /// The least and the greatest that there are.
        domain: (u8, u8),
    },
}

/// What a strategy decides in one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// These moves win at once in another endgame; no rule is asked.
    AtOnce(MoveList),
    /// No move is safe, so all are tied; no rule is asked.
    Unsafe(MoveList),
    /// The rules have been asked.
    Asked {
        /// The safe moves, each with the position after it, in the order of [`Position::moves`].
        moves: Vec<(Move, Position)>,
        /// What the rules were told.
        asked: MovesAsked,
        /// What they answered; moves by their numbers.
        selected: Selected,
    },
}

impl Decision {
    /// The moves that are tied in the end.
    pub fn tied(&self) -> MoveList {
        match self {
            Self::AtOnce(moves) | Self::Unsafe(moves) => moves.clone(),
            Self::Asked { moves, selected, .. } => {
                selected.tied.iter().map(|&at| moves[at].0).collect()
            }
        }
    }
}

impl StrategyPolicy {
    /// The policy that plays by a strategy.
    ///
    /// # Errors
    /// When the strategy is for no endgame, or asks for what its endgame does not have or what changes
    /// when the board is turned.
    pub fn new(strategy: Strategy) -> Result<Self, ForeignStrategy> {
        let policy = Self::of_checked(strategy)?;
        let mut attributes = policy.attributes.attributes().iter();
        match attributes.find(|attribute| !stays_when_turned(policy.material, attribute)) {
            Some(attribute) => Err(ForeignStrategy::Turns(attribute.name().to_owned())),
            None => Ok(policy),
        }
    }

    /// The same for a strategy of which it is known that it stays as it is when the board is turned: that
    /// takes a hundred times longer to ask than all else.
    pub fn of_checked(strategy: Strategy) -> Result<Self, ForeignStrategy> {
        let material = Self::endgame(&strategy)?;
        let columns = &strategy.head().attributes;
        let names = columns.iter().map(|column| column.name.as_str());
        let attributes = AttributeSet::named(material, names)?;
        for (column, attribute) in columns.iter().zip(attributes.attributes()) {
            let (name, domain) = (column.name.clone(), attribute.domain());
            if (column.low, column.high) != domain {
                let (low, high) = (column.low, column.high);
                return Err(ForeignStrategy::Domain { name, low, high, domain });
            }
        }
        let (rows, sha256) = (OnceLock::new(), OnceLock::new());
        Ok(Self { strategy, material, attributes, rows, sha256 })
    }

    /// The endgame that a strategy is for.
    ///
    /// # Errors
    /// When it is for none.
    pub fn endgame(strategy: &Strategy) -> Result<Material, ForeignStrategy> {
        Ok(strategy.head().material.parse()?)
    }

    /// The strategy.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The attributes that it asks for, in the order of its head.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// What it decides in a position of its material with the strong side to move, and how it got there.
    ///
    /// # Panics
    /// When the position is of another material.
    pub fn decide(&self, position: &Position) -> Decision {
        let (rows, mut values) = (self.rows(), Vec::new());
        let is_quiet = |after: &Position| {
            let row = rows.values_if_quiet(after);
            let is_quiet = row.is_some();
            values.extend(row);
            is_quiet
        };
        let moves = match SafeMoves::told(position, is_quiet) {
            SafeMoves::AtOnce(moves) => return Decision::AtOnce(moves),
            SafeMoves::Unsafe(moves) => return Decision::Unsafe(moves),
            SafeMoves::Safe(moves) => moves,
        };
        let asked = MovesAsked {
            before: self.values(position),
            after: values,
            movers: moves.iter().map(|&(mv, _)| mover(position, mv)).collect(),
        };
        let selected = self.strategy.select(&asked);
        Decision::Asked { moves, asked, selected }
    }

    /// What its attributes say of a position of its material, read as if the weak side were to move.
    pub fn values(&self, position: &Position) -> Vec<u8> {
        self.rows().values(&as_it_lies(position))
    }

    fn rows(&self) -> &Rows {
        self.rows.get_or_init(|| Rows::new(&self.attributes))
    }

    /// What it decides in any position; nothing where it has no say.
    fn asked_in(&self, position: &Position) -> Option<Decision> {
        let has_say = position.material() == self.material && position.turn() == Side::Strong;
        has_say.then(|| self.decide(position))
    }
}

/// A position with the strong side to move, read as if the weak side were.
pub fn as_it_lies(position: &Position) -> Position {
    position.with(Side::Weak, *position.squares())
}

/// The letter of the man that makes a move, a capital.
pub fn mover(position: &Position, mv: Move) -> char {
    let slot = position.slot_on(mv.from);
    let role = slot.map_or(Role::King, |slot| position.material().role(slot));
    char::from(role).to_ascii_uppercase()
}

/// Whether an attribute has one value on all boards that are one board turned or mirrored. It is asked
/// on some hundred boards that are spread over the index: what changes, changes on many.
pub fn stays_when_turned(material: Material, attribute: &Attribute) -> bool {
    let group = Group::of(material);
    let index = Index::new(material, group);
    let step = (index.len() / 400).max(1) | 1;
    (0..index.len()).step_by(step).filter_map(|at| index.position(at, Side::Weak)).all(|position| {
        let value = attribute.value(&position);
        group.orbit(&position).iter().all(|turned| attribute.value(turned) == value)
    })
}

impl Policy for StrategyPolicy {
    fn name(&self) -> String {
        format!("strategy of size {}", self.strategy.size())
    }

    fn material(&self) -> Material {
        self.material
    }

    fn symmetries(&self) -> Group {
        Group::of(self.material)
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.choices(position).first().copied()
    }

    fn choices(&self, position: &Position) -> MoveList {
        self.asked_in(position).map_or_else(MoveList::new, |decision| decision.tied())
    }

    fn used_rule(&self, position: &Position) -> Option<UsedRule> {
        let decision = self.asked_in(position)?;
        let rule = match &decision {
            Decision::Asked { selected, .. } => selected.rule,
            Decision::AtOnce(_) | Decision::Unsafe(_) => None,
        };
        Some(UsedRule { rule, tied: decision.tied().len() })
    }

    fn prepare(&self) {
        self.rows();
    }

    fn strategy(&self) -> Option<PlayedStrategy> {
        Some(PlayedStrategy {
            sha256: self.sha256.get_or_init(|| self.strategy.sha256()).clone(),
            rules: self.strategy.rules().len(),
            size: self.strategy.size(),
        })
    }
}
