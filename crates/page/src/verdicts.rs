//! The verdicts on rules about who wins: published rules, rules without exceptions, and rules of thumb.

use super::query::Optional;
use super::{ApiError, PageState};
use lucena_base::plural::percent;
use lucena_chess::{Material, Position};
use lucena_data::{FOUND_RULES, KNOWN_RULES, PUBLISHED_RULES, RuleText, THUMB_RULES};
use lucena_explain::diagram::Mark;
use lucena_explain::lesson::ConditionText;
use lucena_explain::{claim_sentence, clause_sentence, rule_marks, rule_sentence, turn_sentence};
use lucena_report::{ColorName, RepairEntry, RuleExample, RuleVerdict, RuleVerdicts};
use lucena_rules::{Claim, Clause, Rule, RuleList};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

#[derive(Deserialize, JsonSchema)]
pub(super) struct VerdictsQuery {
    /// The endgame; default KPvK.
    material: Optional<Material, String>,
}

/// The verdicts on the rules about an endgame. Positions are counted up to symmetry, with either side to move, without
/// rights to capture en passant. White is the strong side, and wins that the fifty-move rule would draw count as wins.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct VerdictsResponse {
    /// The endgame.
    material: String,
    /// The endgames that there are rules about.
    endgames: Vec<RuledEndgameView>,
    /// The rules of this endgame, by kind; empty if there are none.
    kinds: Vec<RuleKindView>,
}

/// An endgame that there are rules about.
#[derive(Debug, Clone, Serialize, JsonSchema)]
struct RuledEndgameView {
    /// The endgame.
    material: &'static str,
    /// The number of its rules.
    rules: usize,
}

/// The rules of one kind.
#[derive(Debug, Serialize, JsonSchema)]
struct RuleKindView {
    /// The kind: published, proved, found or thumb.
    kind: &'static str,
    /// The title.
    title: &'static str,
    /// A sentence about rules of this kind.
    about: &'static str,
    /// The positions of the endgame.
    positions: u64,
    /// Those that White wins, as a percentage.
    won: String,
    /// The positions of which the rules, read in order, are right, as a percentage; null if each stands for itself.
    right_in_order: Option<String>,
    /// The rules, in order.
    rules: Vec<VerdictView>,
}

/// A rule with its verdict.
#[derive(Debug, Serialize, JsonSchema)]
struct VerdictView {
    /// Its name among those of its kind.
    name: String,
    /// Its title; null if it has none.
    title: Option<String>,
    /// The whole rule in a sentence.
    sentence: String,
    /// The claim: win if White wins, draw if White does not win.
    claim: Claim,
    /// The claim in words.
    says: &'static str,
    /// Its conditions, the side to move among them.
    conditions: Vec<ConditionText>,
    /// Where it was published; null if nowhere.
    source: Option<String>,
    /// The positions in which it applies; of a rule of thumb, those that it decides.
    applies: u64,
    /// Of these, those in which it is wrong.
    wrong: u64,
    /// The share in which it is right, from 0 to 1.
    right: f64,
    /// That share as a percentage.
    right_percent: String,
    /// The shortest position in which it is wrong; null if there is none.
    exception: Option<VerdictBoardView>,
    /// A position in which it is right; null if none is known.
    example: Option<VerdictBoardView>,
    /// The conditions that leave it without exceptions; null if it needs none, or none are known.
    repair: Option<RepairView>,
}

/// A position with what a rule has to do with it.
#[derive(Debug, Serialize, JsonSchema)]
struct VerdictBoardView {
    /// The position.
    fen: String,
    /// The outcome in words.
    says: &'static str,
    /// The squares that the rule is about.
    marks: Vec<Mark>,
}

/// The conditions that a rule lacks.
#[derive(Debug, Serialize, JsonSchema)]
struct RepairView {
    /// The conditions to add.
    conditions: Vec<ConditionText>,
    /// The positions in which the rule then applies.
    applies: u64,
    /// Their share of those in which it was right, as a percentage.
    keeps: String,
}

/// A kind of rules: the name, the title, what they are, and the files.
type Kind = (&'static str, &'static str, &'static str, &'static [RuleText]);

/// The kinds, in order.
const KINDS: [Kind; 4] = [
    (
        "published",
        "Published",
        "Rules from books, web pages and chess programs, as they were published: most have exceptions, which show what to look out for.",
        PUBLISHED_RULES,
    ),
    (
        "proved",
        "Proved",
        "Rules without a single exception: most are published rules with the conditions that those lacked.",
        KNOWN_RULES,
    ),
    (
        "found",
        "Found by search",
        "Rules without a single exception that come from a search, and from no book.",
        FOUND_RULES,
    ),
    (
        "thumb",
        "Rules of thumb",
        "A short list to be read in order: the first rule that applies decides, and each may be wrong now and then.",
        THUMB_RULES,
    ),
];

/// The default endgame.
const DEFAULT_MATERIAL: &str = "KPvK";

pub(super) fn verdicts(_: &PageState, query: VerdictsQuery) -> super::Result<VerdictsResponse> {
    let material = query.material.0.map_or(DEFAULT_MATERIAL.to_owned(), |one| one.to_string());
    let mut kinds = Vec::new();
    for (kind, title, about, files) in KINDS {
        let files: Vec<_> = files.iter().filter(|file| file.material == material).collect();
        if let [first, rest @ ..] = &files[..] {
            let mut view = RuleKindView::new((kind, title, about), first)?;
            for file in rest {
                view.rules.extend(RuleKindView::new((kind, title, about), file)?.rules);
            }
            kinds.push(view);
        }
    }
    Ok(VerdictsResponse {
        material,
        endgames: ENDGAMES.clone().map_err(ApiError::Unreadable)?,
        kinds,
    })
}

/// The endgames that there are rules about, with the number of their rules, or the reason why some cannot be read. All files
/// are read for it, so it is made once.
static ENDGAMES: LazyLock<Result<Vec<RuledEndgameView>, String>> = LazyLock::new(|| {
    let mut endgames: Vec<RuledEndgameView> = Vec::new();
    for file in KINDS.iter().flat_map(|(.., files)| *files) {
        let list = RuleList::from_toml(file.toml);
        let rules = list.map_err(|error| reason(file, &error))?.rules().len();
        match endgames.iter_mut().find(|known| known.material == file.material) {
            Some(known) => known.rules += rules,
            None => endgames.push(RuledEndgameView { material: file.material, rules }),
        }
    }
    Ok(endgames)
});

fn read(file: &RuleText) -> super::Result<RuleList> {
    RuleList::from_toml(file.toml).map_err(|error| unreadable(file, &error))
}

fn unreadable(file: &RuleText, error: &dyn std::error::Error) -> ApiError {
    ApiError::Unreadable(reason(file, error))
}

fn reason(file: &RuleText, error: &dyn std::error::Error) -> String {
    format!("{}: {error}", file.name)
}

impl RuleKindView {
    fn new(
        (kind, title, about): (&'static str, &'static str, &'static str),
        file: &RuleText,
    ) -> super::Result<Self> {
        let list = read(file)?;
        let stored = RuleVerdicts::from_json(file.verdicts, &list);
        let stored = stored.map_err(|error| unreadable(file, &error))?;
        let in_order = list.otherwise().map(|_| stored.right_in_order());
        let RuleVerdicts { positions, won, rules: verdicts, .. } = stored;
        let own = list.rules().iter().zip(&verdicts);
        let own = own.map(|(rule, verdict)| VerdictView::new(&list, rule, verdict));
        let last = list.otherwise().zip(verdicts.get(list.rules().len()));
        let last = last.map(|(claim, verdict)| VerdictView::otherwise(claim, verdict));
        Ok(Self {
            kind,
            title,
            about,
            positions,
            won: share(won, positions),
            right_in_order: in_order.map(|right| share(right, positions)),
            rules: own.chain(last).collect(),
        })
    }
}

impl VerdictView {
    fn new(list: &RuleList, rule: &Rule, verdict: &RuleVerdict) -> Self {
        let board = |example: &RuleExample| VerdictBoardView::new(list, rule, example);
        let turn = rule.turn.map(turn_sentence);
        let named = |text: &String| (!text.is_empty()).then(|| text.clone());
        Self {
            title: named(&rule.title),
            sentence: rule_sentence(list, rule),
            conditions: conditions(list, turn, &rule.clauses),
            source: named(&rule.source),
            exception: verdict.exception.as_ref().map(board),
            example: verdict.example.as_ref().map(board),
            repair: verdict
                .repair
                .as_ref()
                .and_then(|repair| RepairView::new(list, repair, verdict)),
            ..Self::without_words(&rule.name, rule.claim, verdict)
        }
    }

    /// The claim for the positions to which no rule of thumb applies.
    fn otherwise(claim: Claim, verdict: &RuleVerdict) -> Self {
        Self {
            title: Some("Otherwise".into()),
            sentence: format!("{} in all other positions", claim_sentence(claim)),
            exception: verdict.exception.as_ref().map(VerdictBoardView::unmarked),
            example: verdict.example.as_ref().map(VerdictBoardView::unmarked),
            ..Self::without_words("otherwise", claim, verdict)
        }
    }

    fn without_words(name: &str, claim: Claim, verdict: &RuleVerdict) -> Self {
        let &RuleVerdict { applies, right, .. } = verdict;
        Self {
            name: name.into(),
            title: None,
            sentence: String::new(),
            claim,
            says: claim_sentence(claim),
            conditions: Vec::new(),
            source: None,
            applies,
            wrong: applies - right,
            right: right as f64 / applies.max(1) as f64,
            right_percent: share(right, applies),
            exception: None,
            example: None,
            repair: None,
        }
    }
}

/// Conditions in words and in figures.
fn conditions(list: &RuleList, turn: Option<&str>, clauses: &[Clause]) -> Vec<ConditionText> {
    let turn = turn.map(|turn| ConditionText { sentence: turn.into(), figures: String::new() });
    let clauses = clauses.iter().map(|clause| ConditionText {
        sentence: clause_sentence(list, clause),
        figures: list.clause(clause),
    });
    turn.into_iter().chain(clauses).collect()
}

impl VerdictBoardView {
    fn new(list: &RuleList, rule: &Rule, example: &RuleExample) -> Self {
        let marks = example.fen.parse().ok().map(|position| marks(list, rule, &position));
        Self { marks: marks.unwrap_or_default(), ..Self::unmarked(example) }
    }

    fn unmarked(example: &RuleExample) -> Self {
        let says = match example.winner {
            Some(ColorName::White) => "White wins",
            Some(ColorName::Black) => "Black wins",
            None => "a draw",
        };
        Self { fen: example.fen.clone(), says, marks: Vec::new() }
    }
}

/// The squares that a rule is about in a position to which it applies.
fn marks(list: &RuleList, rule: &Rule, position: &Position) -> Vec<Mark> {
    if position.material() != list.material() {
        return Vec::new();
    }
    let alone = list.with_rules(vec![rule.clone()]);
    let applying = alone.applying(position);
    applying.first().map_or_else(Vec::new, |&(_, image)| rule_marks(list, rule, position, image))
}

impl RepairView {
    fn new(list: &RuleList, repair: &RepairEntry, verdict: &RuleVerdict) -> Option<Self> {
        let added = RuleList::without_rules(list.material(), &repair.when).ok()?;
        let turn = repair.turn.map(|turn| turn_sentence(turn.side()));
        Some(Self {
            conditions: conditions(&added, turn, added.within()),
            applies: repair.applies,
            keeps: share(repair.applies, verdict.right),
        })
    }
}

fn share(part: u64, of: u64) -> String {
    percent(part as f64 / of.max(1) as f64)
}
