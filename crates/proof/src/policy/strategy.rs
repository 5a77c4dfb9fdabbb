use super::attribute_cache::AttributeCache;
use super::unplayable::{self, Unplayable, check_domain};
use super::{Decision, MoveComparison, PlayedModel, Policy, PolicyGrounds, UsedRule, is_symmetric};
use lucena_attributes::{Attribute, AttributeSet, TacticalMoves};
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, MoveList, Position, Role, SafeMoves, Side};
use lucena_model::{
    Candidates, Condition, ModelKind, MoveValues, PlayedSide, RuleSelection, Strategy,
    StrategyDomain,
};
use std::sync::OnceLock;

/// Plays one side by a strategy: ordered rules about moves. It needs no table.
///
/// A move that wins immediately in another endgame is always played. Otherwise the rules apply only to safe
/// moves; see [`SafeMoves`], or [`TacticalMoves`] for a strategy whose candidates are tactical. Conditions on the position *before* a move read it as if the weak side were to
/// move. [`Policy::choices`] returns all moves that the strategy leaves tied. They move with the board,
/// because a strategy may only use attributes that stay the same when the board is rotated or mirrored.
/// [`Policy::choose`] returns the first of them in the order of [`Position::moves`].
///
/// ```
/// use lucena_proof::policy::{Policy, StrategyPolicy};
/// use lucena_model::Strategy;
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
    /// A cache of the values in positions: a proof meets each of them many times.
    rows: OnceLock<AttributeCache>,
    sha256: OnceLock<String>,
}

/// The decision of the rules of a strategy in one position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesDecision {
    /// The safe moves, each with the position after it, in the order of [`Position::moves`].
    pub moves: Vec<(Move, Position)>,
    /// The attribute values that the rules get.
    pub asked: MoveValues,
    /// The result of the rules, with moves as indices.
    pub selected: RuleSelection,
}

impl MoveComparison for RulesDecision {
    fn moves(&self) -> &[(Move, Position)] {
        &self.moves
    }

    fn tied(&self) -> &[usize] {
        &self.selected.tied
    }
}

impl StrategyPolicy {
    /// Creates the policy that plays by a strategy.
    ///
    /// # Errors
    /// If the strategy is for no endgame, or uses an attribute that its endgame does not have or that changes
    /// when the board is rotated or mirrored.
    pub fn new(strategy: Strategy) -> Result<Self, Unplayable> {
        let policy = Self::from_checked(strategy)?;
        let mut attributes = policy.attributes.attributes().iter();
        let turns = |attribute: &&Attribute| {
            !is_symmetric(policy.material, |position| attribute.value(position).into())
        };
        match attributes.find(turns) {
            Some(attribute) => {
                let (kind, column) = (ModelKind::Strategy, attribute.name().to_owned());
                Err(Unplayable::Turns { kind, column })
            }
            None => Ok(policy),
        }
    }

    /// Creates the policy for a strategy whose attributes are known to stay the same when the board is
    /// rotated or mirrored: that check takes a hundred times longer than everything else.
    pub fn from_checked(strategy: Strategy) -> Result<Self, Unplayable> {
        let material = Self::endgame(&strategy)?;
        let columns = strategy.attributes();
        let names = columns.iter().map(|column| column.name.as_str());
        let kind = ModelKind::Strategy;
        let attributes = AttributeSet::named(material, names).map_err(Unplayable::unknown(kind))?;
        for (column, attribute) in columns.iter().zip(attributes.attributes()) {
            let (low, high) = attribute.domain();
            let stated = (column.low.into(), column.high.into());
            check_domain(kind, &column.name, stated, (low.into(), high.into()))?;
            if attribute.look_ahead().is_some() && strategy.candidates() == Candidates::Tactical {
                return Err(Unplayable::LooksAhead { column: column.name.clone() });
            }
        }
        if (strategy.candidates(), strategy.domain().side) == (Candidates::Quiet, PlayedSide::Weak)
        {
            return Err(Unplayable::QuietWeakSide);
        }
        let (rows, sha256) = (OnceLock::new(), OnceLock::new());
        Ok(Self { strategy, material, attributes, rows, sha256 })
    }

    /// Returns the endgame of a strategy.
    ///
    /// # Errors
    /// If it is for none.
    pub fn endgame(strategy: &Strategy) -> Result<Material, Unplayable> {
        unplayable::endgame(ModelKind::Strategy, &strategy.origin().material)
    }

    /// Returns the strategy.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// Returns the attributes that it uses, in the order of its head.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// Returns its decision in a position of its material with its side to move, with the steps that lead to it.
    ///
    /// # Panics
    /// If the position is of another material.
    pub fn decide(&self, position: &Position) -> Decision<RulesDecision> {
        let (rows, mut values) = (self.rows(), Vec::new());
        let moves = match self.strategy.candidates() {
            Candidates::Quiet => {
                let is_quiet = |after: &Position| {
                    let row = rows.values_if_quiet(after);
                    let is_quiet = row.is_some();
                    values.extend(row);
                    is_quiet
                };
                match SafeMoves::with_test(position, is_quiet) {
                    SafeMoves::WinsAtOnce(moves) => return Decision::AtOnce(moves),
                    SafeMoves::Holding(moves) => return Decision::Holding(moves),
                    SafeMoves::Unsafe(moves) => return Decision::Unsafe(moves),
                    SafeMoves::Safe(moves) => moves,
                }
            }
            Candidates::Tactical => match TacticalMoves::new(position) {
                TacticalMoves::Decisive(moves) => return Decision::AtOnce(moves),
                TacticalMoves::Unsafe(moves) => return Decision::Unsafe(moves),
                TacticalMoves::Safe(moves) => {
                    let row =
                        |(_, after): &(Move, Position)| rows.values(&with_weak_to_move(after));
                    values.extend(moves.iter().map(row));
                    moves
                }
            },
        };
        let asked = MoveValues {
            before: self.values(position),
            after: values,
            movers: moves.iter().map(|&(mv, _)| mover(position, mv)).collect(),
        };
        let selected = self.strategy.select(&asked);
        Decision::Compared(RulesDecision { moves, asked, selected })
    }

    /// Returns its attribute values in a position of its material, read as if the weak side were to move.
    pub fn values(&self, position: &Position) -> Vec<u8> {
        self.rows().values(&with_weak_to_move(position))
    }

    /// Returns the SHA-256 of the strategy's JSON file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        self.sha256.get_or_init(|| self.strategy.sha256())
    }

    /// Returns the rule that its choice in a position follows; `None` if it does not play the position.
    pub fn used_rule(&self, position: &Position) -> Option<UsedRule> {
        let decision = self.asked_in(position)?;
        let rule = decision.compared().and_then(|rules| rules.selected.rule);
        Some(UsedRule { rule, tied: decision.tied().len() })
    }

    fn rows(&self) -> &AttributeCache {
        self.rows.get_or_init(|| AttributeCache::new(&self.attributes))
    }

    /// Returns its decision in any position; `None` if it does not play it.
    fn asked_in(&self, position: &Position) -> Option<Decision<RulesDecision>> {
        let has_say = position.material() == self.material && position.turn() == self.side();
        has_say.then(|| self.decide(position))
    }
}

/// Returns true if a position fulfils the conditions of a domain, which number the attributes of a set.
pub fn is_in_domain(domain: &StrategyDomain, set: &AttributeSet, position: &Position) -> bool {
    let (known, read) = (set.attributes(), with_weak_to_move(position));
    domain.conditions.iter().all(|&Condition { attribute, low, high }| {
        (low..=high).contains(&known[attribute].value(&read))
    })
}

/// Returns the side that a strategy for a domain plays.
pub fn side_of(domain: &StrategyDomain) -> Side {
    match domain.side {
        PlayedSide::Strong => Side::Strong,
        PlayedSide::Weak => Side::Weak,
    }
}

/// Returns a position as if the weak side were to move.
pub fn with_weak_to_move(position: &Position) -> Position {
    position.with(Side::Weak, *position.squares())
}

/// Returns the capital letter of the man that makes a move.
pub fn mover(position: &Position, mv: Move) -> char {
    let slot = position.slot_on(mv.from);
    let role = slot.map_or(Role::King, |slot| position.material().role(slot));
    char::from(role).to_ascii_uppercase()
}

impl Policy for StrategyPolicy {
    fn name(&self) -> String {
        format!("strategy of size {}", self.strategy.size())
    }

    fn material(&self) -> Material {
        self.material
    }

    fn side(&self) -> Side {
        side_of(self.strategy.domain())
    }

    fn is_made_for_part(&self) -> bool {
        !self.strategy.domain().conditions.is_empty()
    }

    fn is_made_for(&self, position: &Position) -> bool {
        is_in_domain(self.strategy.domain(), &self.attributes, position)
    }

    fn symmetries(&self) -> Group {
        Group::new(self.material)
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        self.choices(position).first().copied()
    }

    fn choices(&self, position: &Position) -> MoveList {
        self.asked_in(position).map_or_else(MoveList::new, |decision| decision.tied())
    }

    fn plays(&self, position: &Position) -> Option<Vec<(Move, Position)>> {
        self.asked_in(position)
            .map_or_else(|| Some(Vec::new()), |decision| decision.plays(position))
    }

    fn prepare(&self, _observer: &dyn Observer) -> Result<(), Stopped> {
        self.rows();
        Ok(())
    }

    fn model(&self) -> Option<PlayedModel<'_>> {
        Some(PlayedModel::Strategy(self))
    }

    fn grounds(&self, position: &Position) -> PolicyGrounds {
        let name = self.name();
        match self.used_rule(position) {
            Some(used) => PolicyGrounds::Strategy { name, used },
            None => PolicyGrounds::Other { name },
        }
    }
}
