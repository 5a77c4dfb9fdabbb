//! Rules that are known to have no exception, as reasons why a position is won or drawn.

use super::rule_sentence::with_colors_exchanged;
use lucena_base::plural::{capital, count};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Color, Material, Move, Position, Side, Square};
use lucena_data::KNOWN_RULES;
use lucena_rules::{Claim, Rule, RuleList};
use lucena_tablebase::{Category, Wdl};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::OnceLock;

/// A rule without exceptions that decides a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "KnownRuleReport")]
pub struct KnownRule {
    /// Its name among the rules of the endgame.
    pub name: String,
    /// What it says: win if the strong side wins, draw if it does not.
    pub claim: Claim,
    /// The idea of the rule in words, as the beginning of a sentence: what the position fulfils.
    #[serde(skip)]
    pub title: String,
    /// The reason in sentences: what the position fulfils, the outcome, and the rule's record.
    pub sentence: String,
    /// The positions up to symmetry in which the rule applies. It is right in all of them.
    pub positions: u64,
}

impl KnownRule {
    /// The first of the endgame's known rules that decides a position. `category` is its result by a table, if one was asked.
    /// `None` if no rule decides it, or the fifty-move rule changes the result.
    ///
    /// ```
    /// use lucena_explain::KnownRule;
    /// use lucena_tablebase::Category;
    ///
    /// let decided = |fen: &str| Some(KnownRule::of(&fen.parse().ok()?, Category::Unknown)?.sentence);
    /// let rule = decided("8/8/8/7P/1k6/8/8/1K6 w").expect("the pawn runs");
    /// assert!(rule.contains("outside the square of the pawn") && rule.contains("White wins"), "{rule}");
    /// assert_eq!(decided("8/8/8/8/8/3k4/8/K6R w"), None);
    /// ```
    pub fn of(position: &Position, category: Category) -> Option<Self> {
        let seen = [Some(*position), from_the_other_side(position)];
        let known = seen.into_iter().flatten().filter_map(|seen| {
            let (_, rule, _) = applying_rule(&seen)?;
            // White stands for the strong side in what is written.
            let strong = if seen == *position { position.strong() } else { !position.strong() };
            let winner = match category {
                Category::Unknown => None,
                category => Some(winner(category, position.color_to_move())?),
            };
            let is_right =
                |winner: Option<Color>| (winner == Some(strong)) == (rule.claim == Claim::Win);
            winner.is_none_or(is_right).then(|| Self::new(rule, strong, winner))
        });
        // Who wins says more than who does not.
        known.min_by_key(|rule| rule.claim)
    }

    /// The first of the endgame's known rules that decides the position after a move, if none with the same idea decides
    /// the position before it.
    pub(super) fn reached(
        before: Option<&Self>,
        after: &Position,
        category: Category,
    ) -> Option<Self> {
        Self::of(after, category)
            .filter(|rule| before.is_none_or(|before| before.idea() != rule.idea()))
    }

    /// The name without the side to move, which tells two rules apart that have the same idea.
    fn idea(&self) -> &str {
        let sides = ["-white", "-black"].into_iter();
        sides.fold(&self.name, |name, side| name.strip_suffix(side).unwrap_or(name))
    }

    /// The reason as one about a place.
    pub(super) fn at(&self, place: &str) -> String {
        format!("{place} {}", self.continued())
    }

    /// The reason as one about the position after a move: "After Rc4 the rook is ready for the bridge: White wins."
    pub fn after_move(&self, san: &str) -> String {
        format!("After {san} {}", self.continued())
    }

    /// The reason as the rest of a sentence.
    fn continued(&self) -> String {
        let mut letters = self.sentence.chars();
        let is_name = ["White", "Black"].iter().any(|name| self.sentence.starts_with(name));
        match letters.next() {
            Some(first) if !is_name => format!("{}{}", first.to_lowercase(), letters.as_str()),
            _ => self.sentence.clone(),
        }
    }

    /// What known rules say of a position and of what a move reaches, in sentences. The categories are the results before and
    /// after the move.
    pub fn sentences(position: &Position, mv: Move, [before, after]: [Category; 2]) -> Vec<String> {
        let rule = Self::of(position, before);
        let reached = position.play(mv).ok().zip(position.san(mv).ok());
        let reached = reached.and_then(|(reached, san)| {
            Some(Self::reached(rule.as_ref(), &reached, after)?.after_move(&san))
        });
        rule.map(|rule| rule.sentence).into_iter().chain(reached).collect()
    }

    fn new(rule: &Rule, strong: Color, winner: Option<Option<Color>>) -> Self {
        let outcome = match (rule.claim, winner) {
            (Claim::Win, _) => format!("{strong:?} wins"),
            (Claim::Draw, Some(None)) => "a draw".into(),
            (Claim::Draw, Some(Some(winner))) => format!("{winner:?} wins"),
            (Claim::Draw, None) => format!("{strong:?} does not win"),
        };
        let says = match strong {
            Color::White => rule.title.clone(),
            Color::Black => with_colors_exchanged(&rule.title),
        };
        let positions = rule.decides.unwrap_or_default();
        let record = count(positions, "position", "positions");
        let title = capital(&says);
        let sentence = format!("{title}: {outcome}. This rule has no exception in {record}.");
        Self { name: rule.name.clone(), claim: rule.claim, title, sentence, positions }
    }
}

/// The winner by a result for the side to move, or none; `None` if the result is not certain under the fifty-move rule.
fn winner(category: Category, mover: Color) -> Option<Option<Color>> {
    Some(match category.wdl()? {
        Wdl::Win => Some(mover),
        Wdl::Draw => None,
        Wdl::Loss => Some(!mover),
    })
}

/// The first of the endgame's known rules that applies to a position, with its list and the image of the position on which
/// it does so.
pub(super) fn applying_rule(
    position: &Position,
) -> Option<(&'static RuleList, &'static Rule, Symmetry)> {
    known_rules(position.material()).find_map(|list| {
        let mut rules = list.applying(position).into_iter();
        let (rule, image) = rules.find(|(rule, _)| rule.decides.is_some())?;
        Some((list, rule, image))
    })
}

/// A known rule of an endgame by its name, with its list.
pub(super) fn named(material: Material, name: &str) -> Option<(&'static RuleList, &'static Rule)> {
    known_rules(material).find_map(|list| {
        let rule = list.rules().iter().find(|rule| rule.name == name && rule.decides.is_some())?;
        Some((list, rule))
    })
}

/// The lists of known rules about an endgame.
fn known_rules(material: Material) -> impl Iterator<Item = &'static RuleList> {
    static READ: [OnceLock<RuleList>; KNOWN_RULES.len()] =
        [const { OnceLock::new() }; KNOWN_RULES.len()];
    let name = material.to_string();
    KNOWN_RULES.iter().zip(&READ).filter(move |(file, _)| file.material == name).map(
        |(file, read)| {
            read.get_or_init(|| {
                let list = RuleList::from_toml(file.toml);
                list.unwrap_or_else(|error| panic!("{}: {error}", file.name))
            })
        },
    )
}

/// The position as the other side sees it, with the colours exchanged, if both sides have the same men: then either could
/// be called the strong one.
fn from_the_other_side(position: &Position) -> Option<Position> {
    let material = position.material();
    let is_even = material.roles(Side::Strong).eq(material.roles(Side::Weak));
    // Rules say nothing where a capture in passing is possible.
    if !is_even || position.en_passant().is_some() {
        return None;
    }
    let mut squares = position.squares().map(Square::flip_rank);
    for (one, other) in material.slots_of(Side::Strong).zip(material.slots_of(Side::Weak)) {
        squares.swap(one, other);
    }
    Some(position.with(!position.turn(), squares))
}
