//! The rules of a player, or the terms of its measure, with search and paging.

use super::knowledge::PlayerInEndgame;
use super::node_counts::TreeCounts;
use super::query::{OfParameter, Optional, Paging, WholeNumber};
use super::{ApiError, PageState, Result};
use lucena_base::plural::{capital, count, moves};
use lucena_chess::Material;
use lucena_explain::lesson::{ConditionText, LessonRule, TreeWords, fallback_text, meaning};
use lucena_explain::{StrategySentences, measure_sentences};
use lucena_model::{Condition, Contribution, Goal, Key, MoveCondition};
use lucena_proof::policy::{EndgameModel, MeasurePolicy, StrategyPolicy};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Deserialize, JsonSchema)]
pub(super) struct RulesQuery {
    /// A player that goes by a tree, a strategy or a measure.
    player: String,
    /// The endgame; default the player's own, or KRvK.
    material: Optional<Material, String>,
    /// Words to search for: only rules that contain all of them are returned, in their sentence, the names
    /// of their attributes or their class.
    #[serde(default)]
    search: String,
    /// Only return rules of this class; default all.
    #[serde(default)]
    class: String,
    /// The number of rules to skip; default 0.
    offset: Optional<WholeNumber, u64>,
    /// The most rules to return, up to 500; default 50.
    limit: Optional<WholeNumber, u64>,
}

/// The rules of a player.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RulesResponse {
    /// The kind of the player's knowledge.
    kind: KnowledgeKind,
    /// The player.
    player: String,
    /// The endgame.
    material: String,
    /// The size: "20 leaves", "1 rule of size 5", where the size counts conditions and keys, or "2 terms, looking 3 moves
    /// ahead".
    size: String,
    /// An explanation of how to read the rules, in sentences.
    reading: String,
    /// The number of rules.
    all: usize,
    /// The number of rules that match the query.
    found: usize,
    /// The number of these that are skipped.
    offset: usize,
    /// The classes of a tree, in order; null for a strategy.
    classes: Option<Vec<String>>,
    /// The rules of this page.
    rules: Vec<RuleView>,
}

/// The kind of a player's knowledge.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum KnowledgeKind {
    /// A decision tree.
    Tree,
    /// Ordered rules about moves.
    Strategy,
    /// A number that is made smaller; its terms are listed as rules.
    Measure,
}

/// A rule.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct RuleView {
    /// The number among all rules, from 1.
    number: usize,
    /// The number of the leaf that it was made from; null for a strategy.
    leaf: Option<u32>,
    /// The class; null for a strategy.
    class: Option<String>,
    /// The meaning of the class, if its name does not tell it.
    meaning: Option<String>,
    /// The rule as one sentence.
    says: String,
    /// The conditions, in order.
    conditions: Vec<ConditionText>,
    /// The keys of a strategy's rule, in order; null for a tree.
    keys: Option<Vec<ConditionText>>,
    /// The number of positions of the full board that it answers, with the weak side to move; null for a
    /// strategy, and if the tree is not about an endgame.
    positions: Option<u64>,
    /// The number of those positions up to symmetry.
    canonical: Option<u64>,
}

/// The conditions of a tree's rule, in words and in figures.
pub(super) fn conditions(words: &TreeWords, conditions: &[Condition]) -> Vec<ConditionText> {
    conditions.iter().map(|condition| words.condition(condition).capitalized()).collect()
}

pub(super) fn rules(state: &PageState, query: RulesQuery) -> Result<RulesResponse> {
    let paging = Paging::new(query.offset.0, query.limit.0)?;
    let known = PlayerInEndgame::new(state, &query.player, query.material.0);
    let known = known.of_parameter("player")?;
    match &known.model {
        EndgameModel::Tree(tree) => {
            let counted = state.counted(&known.player, known.material, tree.clone())?;
            of_tree(&counted, query, paging)
        }
        EndgameModel::Strategy(policy) => {
            of_listed(rules_of(policy), known.material, query, paging)
        }
        EndgameModel::Measure(policy) => of_listed(terms_of(policy), known.material, query, paging),
    }
}

fn of_tree(counted: &TreeCounts, query: RulesQuery, paging: Paging) -> Result<RulesResponse> {
    let TreeCounts { tree, words, list, .. } = counted;
    let classes = &tree.head().classes;
    if !query.class.is_empty() && !classes.contains(&query.class) {
        return Err(ApiError::bad_request(format!(
            "class: the tree has no class {:?}: choose {}",
            query.class,
            classes.join(", ")
        )));
    }
    let class = |rule: &LessonRule| &classes[usize::from(rule.class)];
    let text = |condition: &Condition| {
        let ConditionText { sentence, figures } = words.condition(condition);
        format!("{sentence}\n{figures}").to_lowercase()
    };
    let wanted = wanted(&query.search);
    // The texts of conditions in small letters: many rules share conditions.
    let mut known: BTreeMap<Condition, String> = BTreeMap::new();
    let mut has = |rule: &LessonRule, word: &String| {
        rule.conditions.iter().any(|condition| {
            known.entry(*condition).or_insert_with(|| text(condition)).contains(word)
        })
    };
    let found = (1..).zip(&list.rules).filter(|(_, rule)| {
        let name = class(rule).to_lowercase();
        (query.class.is_empty() || *class(rule) == query.class)
            && wanted.iter().all(|word| name.contains(word) || has(rule, word))
    });
    let found: Vec<(usize, &LessonRule)> = found.collect();
    let told = paging.of(&found).map(|&(number, rule)| RuleView {
        number,
        leaf: Some(rule.leaf),
        class: Some(class(rule).clone()),
        meaning: meaning(class(rule)),
        says: words.sentence(&rule.conditions).unwrap_or_else(|| fallback_text(number).into()),
        conditions: conditions(words, &rule.conditions),
        positions: rule.support.map(|support| support.full),
        canonical: rule.support.map(|support| support.canonical),
        ..RuleView::default()
    });
    Ok(RulesResponse {
        kind: KnowledgeKind::Tree,
        player: query.player,
        material: tree.origin().material.clone(),
        size: count(tree.leaves() as u64, "leaf", "leaves"),
        reading: list.reading.clone(),
        all: list.rules.len(),
        found: found.len(),
        offset: paging.offset,
        rules: told.collect(),
        classes: Some(classes.clone()),
    })
}

/// All rules of a strategy, or all terms of a measure.
struct Listed {
    kind: KnowledgeKind,
    size: String,
    reading: String,
    rules: Vec<RuleView>,
}

/// Answers with the rules or terms that a query asks for, which have no classes.
fn of_listed(
    listed: Listed,
    material: Material,
    query: RulesQuery,
    paging: Paging,
) -> Result<RulesResponse> {
    let Listed { kind, size, reading, rules } = listed;
    if !query.class.is_empty() {
        return Err(ApiError::bad_request(match kind {
            KnowledgeKind::Measure => {
                "class: the terms of a measure have no classes: leave the class out"
            }
            _ => "class: the rules of a strategy have no classes: leave the class out",
        }));
    }
    let (all, words) = (rules.len(), wanted(&query.search));
    let found: Vec<RuleView> = rules.into_iter().filter(|rule| rule.has_all(&words)).collect();
    Ok(RulesResponse {
        kind,
        player: query.player,
        material: material.to_string(),
        size,
        reading: format!(
            "{reading} A move is safe if it does not stalemate, and if the other side can then neither take a man nor promote."
        ),
        all,
        found: found.len(),
        offset: paging.offset,
        classes: None,
        rules: paging.of(found).collect(),
    })
}

fn rules_of(policy: &StrategyPolicy) -> Listed {
    let strategy = policy.strategy();
    let sentences = StrategySentences::new(policy);
    let text = |sentence, figures| ConditionText { sentence, figures }.capitalized();
    let condition =
        |one: &MoveCondition| text(sentences.condition(one), sentences.condition_figures(one));
    let key = |&key: &Key| text(sentences.key(key), sentences.key_figures(key));
    let rules = strategy.rules().iter().enumerate().map(|(number, rule)| RuleView {
        number: number + 1,
        says: sentences.rule(number),
        conditions: rule.guard.iter().map(condition).collect(),
        keys: Some(rule.keys.iter().map(key).collect()),
        ..RuleView::default()
    });
    let rules: Vec<RuleView> = rules.collect();
    let size = strategy.size();
    Listed {
        kind: KnowledgeKind::Strategy,
        size: format!("{} of size {size}", count(rules.len() as u64, "rule", "rules")),
        reading: "The first rule that applies to a safe move is used. Of the moves that it applies to, each point keeps those that do best by it.".into(),
        rules,
    }
}

fn terms_of(policy: &MeasurePolicy) -> Listed {
    let measure = policy.measure();
    let terms = measure.terms().iter().zip(measure_sentences(policy));
    let terms = terms.enumerate().map(|(number, (term, sentence))| RuleView {
        number: number + 1,
        says: format!("{}.", capital(&sentence)),
        conditions: vec![ConditionText {
            sentence: capital(&term.quantity.meaning),
            figures: match &term.contribution {
                Contribution::Weight(weight) => format!("{} × {weight}", term.quantity.name),
                Contribution::Table(numbers) => {
                    format!("{} from {}: {numbers:?}", term.quantity.name, term.quantity.low)
                }
            },
        }],
        ..RuleView::default()
    });
    let rules: Vec<RuleView> = terms.collect();
    let (number, look) = (rules.len() as u64, moves(measure.horizon().look.into()));
    let not_yet = match measure.horizon().goal {
        Goal::AnyMove => "",
        Goal::LaterMove => " The position right after the next move counts only if it is mate.",
    };
    Listed {
        kind: KnowledgeKind::Measure,
        size: format!("{}, looking {look} ahead", count(number, "term", "terms")),
        reading: format!(
            "The terms add up to a number. A safe move is played after which the smallest number can be forced within {look} more, whatever the other side does; the sooner, the better, and mate is better than any number.{not_yet}"
        ),
        rules,
    }
}

/// The words of a search, in small letters.
fn wanted(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

impl RuleView {
    /// Returns true if the rule contains all the words.
    fn has_all(&self, words: &[String]) -> bool {
        let parts = self.conditions.iter().chain(self.keys.iter().flatten());
        let mut text = self.says.to_lowercase();
        for ConditionText { figures, .. } in parts {
            text += &format!("\n{}", figures.to_lowercase());
        }
        words.iter().all(|word| text.contains(word))
    }
}
