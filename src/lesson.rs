//! A tree as rules in order, to be printed and taught.
//!
//! Every leaf is a rule by itself; read as a list from the top, a rule need not repeat what the
//! earlier ones have settled. Conditions are dropped as long as the first rule that holds gives the
//! tree's own answer in every position that there is.

use crate::attributes::{Attribute, AttributeSet, Depth, Question, View};
use crate::chess::{Material, Position, Side};
use crate::explain::Support;
use crate::player::Grade;
use crate::symmetry::Group;
use crate::tablebase::Index;
use lucena_tree::{Class, Condition, DecisionTree, merge};
use rayon::prelude::*;
use std::fmt::Write;

/// Rules to be read from the top: the first whose conditions all hold gives the class.
#[derive(Debug, Clone)]
pub struct Lesson<'a> {
    tree: &'a DecisionTree,
    /// What the tree asks about, where that is known.
    endgame: Option<AttributeSet>,
    rules: Vec<LessonRule>,
}

/// One rule of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LessonRule {
    /// At most one for each attribute.
    pub conditions: Vec<Condition>,
    /// The tree's answer.
    pub class: Class,
    /// The positions in which this is the first rule that holds; nothing where the tree is not about
    /// an endgame.
    pub support: Option<Support>,
}

impl<'a> Lesson<'a> {
    /// The rules of a tree, best grades first, and what is to be avoided before or after them,
    /// whichever is shorter. They are short for the positions of the tree's material with the weak
    /// side to move; a tree that is not about an endgame keeps its leaves as they are.
    ///
    /// ```
    /// use lucena::lesson::Lesson;
    /// use lucena_tree::{Column, DecisionTree, Head, Node};
    ///
    /// let head = Head {
    ///     material: "KRvK".into(),
    ///     attributes: vec![Column::new("RHangs", 0, 1, "")],
    ///     classes: vec!["draw".into(), "grade 1".into()],
    ///     ..Head::default()
    /// };
    /// let nodes = vec![
    ///     Node::Threshold { attribute: 0, at_most: 0, below: 1, above: 2 },
    ///     Node::Leaf { class: 1 },
    ///     Node::Leaf { class: 0 },
    /// ];
    /// let tree = DecisionTree::new(head, nodes)?;
    /// let text = Lesson::new(&tree).to_markdown();
    /// assert!(text.contains("1. If the black king cannot take the rook (`RHangs = 0`)."));
    /// assert!(text.contains("2. Otherwise."));
    /// # Ok::<(), lucena_tree::TreeError>(())
    /// ```
    pub fn new(tree: &'a DecisionTree) -> Self {
        let leaves = tree.rules().into_iter().map(|rule| LessonRule {
            conditions: rule.conditions,
            class: rule.class,
            support: None,
        });
        let mut rules: Vec<LessonRule> = leaves.collect();
        let endgame = endgame(tree);
        match &endgame {
            Some(attributes) => {
                let positions = Positions::new(attributes, tree);
                for rule in &mut rules {
                    rule.support = Some(positions.support(&positions.meet(&rule.conditions)));
                }
                rules.sort_by_key(|rule| (order(tree, rule.class), most(rule)));
                // What is to be avoided can be settled last, as the rest, or before all else.
                let is_avoided = |rule: &LessonRule| order(tree, rule.class).0 >= Some(Grade::Draw);
                let mut warned = rules.clone();
                warned.sort_by_key(|rule| !is_avoided(rule));
                let (rest, warned) =
                    rayon::join(|| positions.shorten(rules), || positions.shorten(warned));
                rules = if length(&warned) < length(&rest) { warned } else { rest };
            }
            None => rules.sort_by_key(|rule| order(tree, rule.class)),
        }
        Self { tree, endgame, rules }
    }

    /// The rules, in order.
    pub fn rules(&self) -> &[LessonRule] {
        &self.rules
    }
}

/// Best grades first, then draws, then losses; classes that are no grades as the tree has them.
fn order(tree: &DecisionTree, class: Class) -> (Option<Grade>, Class) {
    (tree.head().classes[usize::from(class)].parse().ok(), class)
}

/// How much there is to read.
fn length(rules: &[LessonRule]) -> usize {
    rules.iter().map(|rule| 1 + rule.conditions.len()).sum()
}

/// What many positions have comes before what few have.
fn most(rule: &LessonRule) -> std::cmp::Reverse<u64> {
    std::cmp::Reverse(rule.support.map_or(0, |support| support.full))
}

/// The tree's attributes, if it is about an endgame whose positions can be listed.
fn endgame(tree: &DecisionTree) -> Option<AttributeSet> {
    let material: Material = tree.head().material.parse().ok()?;
    let names = tree.head().attributes.iter().map(|attribute| attribute.name.as_str());
    let attributes = AttributeSet::named(material, names).ok()?;
    // Positions with pawns are not yet listed.
    (!material.has_pawns()).then_some(attributes)
}

/// A set of positions, a bit for each.
type Set = Vec<u64>;

/// The positions of a material with the weak side to move, up to symmetry.
struct Positions {
    /// For each attribute that the tree tests its least value, and for each value from there on the
    /// positions that have at most that.
    at_most: Vec<Option<(u8, Vec<Set>)>>,
    /// By class of the tree. Where it has no answer, a position is in none.
    classes: Vec<Set>,
    /// How many positions of the full board each stands for.
    orbits: Vec<u8>,
    words: usize,
}

impl Positions {
    fn new(attributes: &AttributeSet, tree: &DecisionTree) -> Self {
        let material = attributes.material();
        let group = Group::of(material);
        let index = Index::new(material, group);
        let positions: Vec<Position> =
            (0..index.len()).filter_map(|at| index.position(at, Side::Weak)).collect();
        let words = positions.len().div_ceil(64);
        let unused = tree.unused_attributes();
        let sets = |attribute: &Attribute| {
            if unused.contains(&attribute.name()) {
                return None;
            }
            let (low, high) = attribute.domain();
            let mut sets = vec![vec![0; words]; usize::from(high - low) + 1];
            for (at, position) in positions.iter().enumerate() {
                sets[usize::from(attribute.value(position) - low)][at / 64] |= 1 << (at % 64);
            }
            for value in 1..sets.len() {
                let (less, own) = sets.split_at_mut(value);
                own[0].iter_mut().zip(&less[value - 1]).for_each(|(own, less)| *own |= less);
            }
            Some((low, sets))
        };
        let mut all = Self {
            at_most: attributes.attributes().par_iter().map(sets).collect(),
            classes: vec![vec![0; words]; tree.head().classes.len()],
            orbits: positions.iter().map(|position| group.orbit(position).len() as u8).collect(),
            words,
        };
        for rule in tree.rules() {
            let met = all.meet(&rule.conditions);
            let class = &mut all.classes[usize::from(rule.class)];
            class.iter_mut().zip(met).for_each(|(class, met)| *class |= met);
        }
        all
    }

    /// One word of the positions in which a condition holds; past the last position, anything.
    fn word(&self, condition: &Condition, word: usize) -> u64 {
        let Some((low, sets)) = &self.at_most[condition.attribute] else { return !0 };
        let at_most = |value: u8| match value.checked_sub(*low) {
            None => 0,
            Some(place) => sets.get(usize::from(place)).map_or(!0, |set| set[word]),
        };
        let less = condition.low.checked_sub(1).map_or(0, at_most);
        at_most(condition.high) & !less
    }

    fn all(&self) -> Set {
        let mut all = vec![!0; self.words];
        if let (Some(last), over @ 1..) = (all.last_mut(), self.orbits.len() % 64) {
            *last = (1 << over) - 1;
        }
        all
    }

    /// The positions in which all conditions hold.
    fn meet(&self, conditions: &[Condition]) -> Set {
        let mut met = self.all();
        for condition in conditions {
            met.iter_mut().enumerate().for_each(|(at, met)| *met &= self.word(condition, at));
        }
        met
    }

    fn support(&self, set: &Set) -> Support {
        let orbit =
            |at: usize| if set[at / 64] >> (at % 64) & 1 == 1 { self.orbits[at] } else { 0 };
        Support {
            canonical: set.iter().map(|word| u64::from(word.count_ones())).sum(),
            full: (0..self.orbits.len()).map(|at| u64::from(orbit(at))).sum(),
        }
    }

    /// The rules in the same order without what the earlier ones have settled, and without those that
    /// no position comes to.
    fn shorten(&self, rules: Vec<LessonRule>) -> Vec<LessonRule> {
        // The positions that no rule so far is about.
        let mut open = self.all();
        let mut shortened = Vec::new();
        for rule in rules {
            let class = &self.classes[usize::from(rule.class)];
            let mut own = self.meet(&rule.conditions);
            own.iter_mut().zip(&open).for_each(|(own, open)| *own &= open);
            if own.iter().all(|&word| word == 0) {
                continue;
            }
            let wrong: Set = open.iter().zip(class).map(|(open, class)| open & !class).collect();
            let conditions = self.needed(rule.conditions, &wrong);
            let ends = conditions.into_iter().flat_map(|condition| {
                let Condition { attribute, low, high } = condition;
                [Condition { attribute, low: 0, high }, Condition { attribute, low, high: u8::MAX }]
            });
            let conditions = merge(self.needed(ends.collect(), &wrong));
            let mut own = self.meet(&conditions);
            own.iter_mut().zip(&open).for_each(|(own, open)| *own &= open);
            open.iter_mut().zip(&own).for_each(|(open, own)| *open &= !own);
            let support = Some(self.support(&own));
            shortened.push(LessonRule { conditions, class: rule.class, support });
        }
        shortened
    }

    /// Those conditions without which a wrong position would slip in; the deepest are dropped first.
    fn needed(&self, mut conditions: Vec<Condition>, wrong: &Set) -> Vec<Condition> {
        // A condition that is needed stays so when others are gone.
        let mut is_needed = vec![false; conditions.len()];
        loop {
            for (at, &wrong) in wrong.iter().enumerate().filter(|(_, wrong)| **wrong != 0) {
                let fails = |condition| !self.word(condition, at);
                // The wrong positions in which exactly one condition fails.
                let (mut one, mut more) = (0, 0);
                for condition in &conditions {
                    let fails = fails(condition);
                    more |= one & fails;
                    one |= fails;
                }
                let sole = one & !more & wrong;
                if sole != 0 {
                    for (condition, needed) in conditions.iter().zip(&mut is_needed) {
                        *needed |= fails(condition) & sole != 0;
                    }
                }
            }
            let Some(needless) = is_needed.iter().rposition(|needed| !needed) else {
                return conditions;
            };
            conditions.remove(needless);
            is_needed.remove(needless);
        }
    }
}

impl Lesson<'_> {
    /// The rules as Markdown: a heading for each class, and below it the rules, each condition in
    /// words and in figures.
    pub fn to_markdown(&self) -> String {
        let mut text = self.introduction();
        let mut class = None;
        for (rule, number) in self.rules.iter().zip(1..) {
            if class != Some(rule.class) {
                class = Some(rule.class);
                let name = &self.tree.head().classes[usize::from(rule.class)];
                let meaning = meaning(name).map_or(String::new(), |meaning| format!(": {meaning}"));
                let _ = write!(text, "\n## {}{meaning}\n\n", code(name));
            }
            let conditions: Vec<String> =
                rule.conditions.iter().map(|condition| self.condition(condition)).collect();
            let said = match conditions.split_last() {
                None if number == 1 => "Always".into(),
                None => "Otherwise".into(),
                Some((only, [])) => format!("If {only}"),
                Some((last, others)) => format!("If {} and {last}", others.join(", ")),
            };
            let _ = write!(text, "{number}. {said}.");
            if let Some(Support { full, canonical }) = rule.support {
                let _ = write!(text, " *{full} positions, {canonical} up to symmetry.*");
            }
            text.push('\n');
        }
        text
    }

    fn condition(&self, condition: &Condition) -> String {
        let Condition { attribute, low, high } = *condition;
        match &self.endgame {
            Some(known) => {
                let view = View::general(known.material());
                let known = &known.attributes()[attribute];
                let sentence = known.sentence(low..=high, &view);
                format!("{sentence} (`{}`)", known.test(low..=high))
            }
            None => {
                let asked = &self.tree.head().attributes[attribute];
                let domain = (asked.low, asked.high);
                format!("`{}`", condition.text(&asked.name, domain, |value| value.to_string()))
            }
        }
    }
}

impl Lesson<'_> {
    /// What the rules are about and how they are used.
    fn introduction(&self) -> String {
        let count = match self.rules.len() {
            1 => "one rule".into(),
            rules => format!("{rules} rules"),
        };
        let Some(attributes) = &self.endgame else {
            return format!(
                "# {} in {count}\n\nRead the rules from the top: the first whose conditions all hold gives the class.\n",
                code(&self.tree.head().material)
            );
        };
        let view = View::general(attributes.material());
        let others: Vec<&str> = view.names().skip(1).collect();
        let mut text = format!(
            "# {} in {count}\n\nWhite is the strong side and has made a move. Turn or mirror the board until the white king stands on a1, b1, c1, d1, b2, c2, d2, c3, d3 or d4, and, if it is on the diagonal a1–h8, until the first man off it ({}) is below it. Then read the rules from the top: the first whose conditions all hold says what the move is worth. White plays the move that comes earliest among the headings, and what is to be avoided only if there is nothing else. Among equals, with the board turned in the same way before the move, the king's moves come before those of other men, and each man's go from a1 to h8.\n",
            attributes.material(),
            others.join(", then "),
        );
        for (number, words) in self.glossary(attributes).into_iter().enumerate() {
            let _ = writeln!(text, "{}- {words}", if number == 0 { "\n" } else { "" });
        }
        text
    }

    /// The words that the rules use and a player may not know.
    fn glossary(&self, attributes: &AttributeSet) -> Vec<&'static str> {
        use Question::{
            Ahead, BishopCorner, Box, BoxSides, BoxSize, BoxSteps, BoxWidth, Catches, EnPrise,
            HasOpposition, KeySquare, Room, Turned,
        };
        let asked = self.rules.iter().flat_map(|rule| &rule.conditions);
        let mut words: Vec<&str> = asked
            .filter_map(|condition| match attributes.attributes()[condition.attribute].question() {
                Box(..) | BoxSize(_) | BoxSides(_) | BoxWidth(_) | BoxSteps(..) => Some(
                    "A *box* is what the file and the rank of a rook or queen cut off around the black king; a line on which the king itself stands cuts nothing off.",
                ),
                Room(_) => Some(
                    "*Room* is all squares that the black king could reach in any number of moves while White stands still.",
                ),
                Turned(..) | Ahead(..) if attributes.material().has_pawns() => Some(
                    "*Turned* means: mirrored from side to side if the black king stands on the files e to h.",
                ),
                BishopCorner(..) => Some(
                    "A bishop can mate in the *corners of its colour* only; it never reaches the others.",
                ),
                Catches(..) => Some(
                    "A king *catches a pawn by running* if it is in the pawn's square: no farther from the promotion square than the pawn itself when the pawn is to move, one move farther when the king is.",
                ),
                EnPrise(_) => Some("A man is *en prise* if it is attacked and not guarded."),
                HasOpposition(..) => Some(
                    "A king *has the opposition* if the kings stand on one file, rank or diagonal with an odd number of squares between them and the other is to move.",
                ),
                KeySquare(..) => Some(
                    "A *key square* is one from which a king forces its pawn through against a bare king, whoever is to move.",
                ),
                Turned(..) | Ahead(..) => Some(
                    "*Turned* means: turned or mirrored once more, until the black king stands nearest to a1 and not above the diagonal a1–h8; ties are broken by the white king, then by the others.",
                ),
                _ => None,
            })
            .collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// What a class means, where its name does not say it.
fn meaning(class: &str) -> Option<String> {
    Some(match class.parse().ok()? {
        Depth::Draw => "to be avoided".into(),
        Depth::Lost => "to be avoided at all costs".into(),
        Depth::Mated(0) => "checkmate".into(),
        Depth::Mated(1) => "mated in one move".into(),
        Depth::Mated(moves) => format!("mated in {moves} moves"),
    })
}

/// A text as code, whatever is in it.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("`{text}`") } else { format!("{fence} {text} {fence}") }
}
