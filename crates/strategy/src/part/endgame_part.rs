//! A part of an endgame.

use super::super::move_rows::PositionId;
use super::super::{renumber, rules_over};
use super::reached::ReachedPositions;
use super::trial::Trials;
use lucena_attributes::AttributeSet;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Position, Side};
use lucena_model::{Candidates, Origin, Strategy, StrategyDomain, StrategyRule};
use lucena_proof::policy::{is_in_domain, side_of};
use lucena_proof::positions_of_part;
use lucena_tablebase::{Outcome, Tablebase};

/// A part of an endgame for which a strategy is searched: the positions from which one side is to reach its result.
pub struct Part<'t> {
    pub(super) tablebase: &'t Tablebase,
    pub(super) attributes: AttributeSet,
    /// Its conditions number the attributes.
    domain: StrategyDomain,
    /// Up to symmetry.
    pub(super) starts: Vec<Position>,
}

impl<'t> Part<'t> {
    /// Finds the positions that fulfil the conditions of a domain, over a set of attributes, and that its side wins, or,
    /// if it is the weak side, holds.
    ///
    /// # Errors
    /// If the observer asks to stop.
    pub fn new(
        tablebase: &'t Tablebase,
        attributes: &AttributeSet,
        domain: StrategyDomain,
        observer: &dyn Observer,
    ) -> Result<Self, Stopped> {
        let holds = |position: &Position| is_in_domain(&domain, attributes, position);
        let side = side_of(&domain);
        let mut starts = positions_of_part(tablebase.material(), side, &holds, observer)?;
        starts.retain(|position| match (side, tablebase.outcome(position)) {
            (Side::Strong, outcome) => matches!(outcome, Outcome::Win(_)),
            (Side::Weak, outcome) => outcome == Outcome::Draw,
        });
        tablebase.check_readable()?;
        Ok(Self { tablebase, attributes: attributes.clone(), domain, starts })
    }

    /// The number of positions, up to symmetry.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns true if there is no position.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The attributes that rules may use.
    pub fn attributes(&self) -> &AttributeSet {
        &self.attributes
    }

    /// Returns the positions of the part, up to symmetry, from which a strategy fails.
    ///
    /// # Errors
    /// The name of the first attribute of the strategy that the part lacks.
    pub fn failing(&self, strategy: &Strategy) -> Result<Vec<Position>, String> {
        let rules = rules_over(&self.attributes, strategy)?;
        let (reached, starts) = self.reached();
        let failing = Trials::new(reached, self.side()).failing(&rules, &starts, usize::MAX);
        // Starts are numbered in order, each once.
        Ok(failing.into_iter().map(|at| self.starts[at as usize]).collect())
    }

    /// Returns true if an attribute distinguishes two candidates in one of some positions of the part.
    pub fn has_choice(&self) -> bool {
        let (mut reached, starts) = self.reached();
        reached.vocabulary(&starts).is_some()
    }

    /// The positions of the part as the first ones reached, with their numbers.
    pub(super) fn reached(&self) -> (ReachedPositions<'_>, Vec<PositionId>) {
        let mut reached = ReachedPositions::new(self.tablebase, &self.attributes, self.side());
        let starts = self.starts.iter().map(|position| reached.number(position)).collect();
        (reached, starts)
    }

    /// The positions from which the side of the part reaches its result, up to symmetry.
    pub fn positions(&self) -> &[Position] {
        &self.starts
    }

    pub(super) fn side(&self) -> Side {
        side_of(&self.domain)
    }

    /// Makes a strategy of rules over the attributes of the part.
    pub(super) fn strategy(
        &self,
        mut rules: Vec<StrategyRule>,
        parameters: impl IntoIterator<Item = (&'static str, Option<String>)>,
    ) -> Strategy {
        let mut domain = self.domain.clone();
        let conditions = domain.conditions.iter_mut().map(|one| &mut one.attribute);
        let attributes = renumber(&self.attributes, &mut rules, conditions);
        let material = self.tablebase.material().to_string();
        let origin = Origin::with_maker(material, "strategy", parameters);
        let strategy = Strategy::new(origin, attributes, rules).expect("what was tried is sound");
        let strategy = strategy.with_candidates(Candidates::Tactical);
        strategy.with_domain(domain).expect("the conditions hold somewhere")
    }
}
