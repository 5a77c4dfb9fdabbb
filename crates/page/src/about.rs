//! The choices that the page offers.

use super::knowledge::usual;
use super::state::OfferedPlayer;
use super::{PageState, Result};
use lucena_attributes::Selection;
use lucena_base::named::Named;
use lucena_chess::Material;
use lucena_explain::lesson::{RuleLesson, StagedLesson};
use lucena_model::ModelKind;
use lucena_proof::policy::GeneratedKind;
use lucena_roster::{BuiltIn, PlayerName, generated_kinds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A query without parameters.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AboutQuery {}

/// The choices that the page offers.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AboutResponse {
    /// The version of lucena.
    version: &'static str,
    /// The endgames that can be solved, sorted by the number of men.
    endgames: Vec<EndgameView>,
    /// The elementary endgames, the easiest first.
    elementary: Vec<ElementaryEndgameView>,
    /// The endgames whose lesson is made from rules about who wins.
    rule_lessons: Vec<String>,
    /// The players.
    players: Vec<PlayerView>,
    /// The sets of attributes.
    attribute_sets: Vec<&'static str>,
}

/// An endgame.
#[derive(Debug, Serialize, JsonSchema)]
struct EndgameView {
    /// The endgame, such as KRvK.
    material: String,
    /// True if this build carries trees for it.
    mined: bool,
    /// True if this build carries a strategy for it.
    strategies: bool,
    /// True if this build carries a measure for it.
    measures: bool,
    /// The names of the players that know it.
    players: Vec<String>,
}

/// An elementary endgame.
#[derive(Debug, Serialize, JsonSchema)]
struct ElementaryEndgameView {
    /// The endgame, such as KRvK.
    material: String,
    /// The goal, in words.
    goal: &'static str,
    /// The player that teaches it.
    player: &'static str,
    /// The number of stages of its lesson.
    stages: usize,
}

/// A player.
#[derive(Debug, Serialize, JsonSchema)]
struct PlayerView {
    /// The name in queries.
    name: String,
    /// The title.
    title: String,
    /// A short description.
    about: String,
    /// tree, strategy, measure, table, search, trained or random.
    kind: &'static str,
    /// The only endgame that it plays; null if it plays all that it knows.
    endgame: Option<String>,
    /// True if it has a move in any game.
    whole_games: bool,
    /// True if it goes by a tree that can be shown.
    tree: bool,
    /// True if it goes by a strategy that can be shown.
    strategy: bool,
    /// True if it goes by a measure that can be shown.
    measure: bool,
}

/// The elementary endgames, the easiest first: the goal, and the player that teaches it.
const ELEMENTARY: [(&str, &str, &str); 5] = [
    ("KQvK", "mate", "strategy"),
    ("KRvK", "mate", "strategy"),
    ("KPvK", "promote and mate", "strategy"),
    ("KBBvK", "mate", "measure"),
    ("KBNvK", "mate", "measure"),
];

/// The name of the player that teaches an endgame, by default KRvK, if none is chosen: that of an elementary endgame,
/// otherwise a strategy.
///
/// ```
/// use lucena_page::teacher;
///
/// assert_eq!(teacher(None), "strategy");
/// assert_eq!(teacher(Some("KBBvK".parse()?)), "measure");
/// # Ok::<(), lucena_chess::ParseMaterialError>(())
/// ```
pub fn teacher(material: Option<Material>) -> &'static str {
    let material = material.unwrap_or_else(usual);
    let own = ELEMENTARY.iter().find(|(name, ..)| name.parse() == Ok(material));
    own.map_or("strategy", |&(.., player)| player)
}

/// The number of stages of an endgame's lesson.
fn stages(material: &str) -> usize {
    let lesson = material.parse().ok().and_then(StagedLesson::of);
    lesson.map_or(0, |lesson| lesson.stages.len())
}

pub(super) fn about(state: &PageState, _: AboutQuery) -> Result<AboutResponse> {
    let offered = state.offered();
    let materials = (2..=4).flat_map(Material::of_men);
    let elementary = ELEMENTARY.map(|(material, goal, player)| ElementaryEndgameView {
        material: material.into(),
        goal,
        player,
        stages: stages(material),
    });
    Ok(AboutResponse {
        version: env!("CARGO_PKG_VERSION"),
        endgames: materials.map(|material| EndgameView::new(material, &offered)).collect(),
        elementary: elementary.into(),
        rule_lessons: RuleLesson::materials().map(|material| material.to_string()).collect(),
        players: BUILT_IN
            .map(PlayerView::built_in)
            .into_iter()
            .chain(offered.iter().map(PlayerView::offered))
            .collect(),
        attribute_sets: Selection::ALL.iter().map(|&(name, _)| name).collect(),
    })
}

impl EndgameView {
    fn new(material: Material, offered: &[OfferedPlayer]) -> Self {
        let kinds: Vec<GeneratedKind> = generated_kinds(material).collect();
        let has = |kind| BuiltIn::smallest(kind, material).is_some();
        let (strategies, measures) = (has(ModelKind::Strategy), has(ModelKind::Measure));
        let mut players: Vec<String> = kinds.iter().map(ToString::to_string).collect();
        players.extend(strategies.then(|| "strategy".to_owned()));
        players.extend(measures.then(|| "measure".to_owned()));
        players.push("tablebase".into());
        let offered = offered.iter().map(|offered| &offered.player);
        let fitting = offered.filter(|player| player.endgame().ok().flatten() == Some(material));
        players.extend(fitting.map(|player| player.name().to_string()));
        let mined = !kinds.is_empty();
        Self { material: material.to_string(), mined, strategies, measures, players }
    }
}

/// The players that need no file: name, title, kind and description.
const BUILT_IN: [[&str; 4]; 12] = [
    ["strategy", "Strategy", "strategy", "a few rules about moves, proved"],
    ["measure", "Measure", "measure", "makes a number smaller, looking ahead, proved"],
    ["theory", "Theory", "tree", "a small tree that always wins, proved"],
    ["exact", "Exact tree", "tree", "a tree that knows every distance"],
    ["learned", "Learned tree", "tree", "the tree as learned, before it was distilled"],
    ["tablebase", "Tablebase", "table", "looks every move up"],
    ["stubborn", "Stubborn", "table", "looks every move up, and makes draws hard to hold"],
    ["search:depth=4", "Search, 4 plies", "search", "looks four plies ahead"],
    [
        "search:time=200ms",
        "Search, a fifth of a second",
        "search",
        "looks as far ahead as time allows",
    ],
    [
        "published",
        "Published network, untrained",
        "trained",
        "the network of a published study before its first game",
    ],
    ["king-refugee", "King refugee", "random", "keeps its king near the centre"],
    ["random", "Random", "random", "plays any move"],
];

impl PlayerView {
    fn built_in([name, title, kind, about]: [&'static str; 4]) -> Self {
        let parsed: Option<PlayerName> = name.parse().ok();
        let player = parsed.and_then(|name| name.load().ok());
        Self {
            name: name.into(),
            title: title.into(),
            about: about.into(),
            kind,
            endgame: None,
            whole_games: player.is_some_and(|player| player.plays_full_games()),
            tree: kind == "tree",
            strategy: kind == "strategy",
            measure: kind == "measure",
        }
    }

    fn offered(OfferedPlayer { player, title }: &OfferedPlayer) -> Self {
        let name = player.name();
        let (kind, about) = match name {
            PlayerName::ModelFile(kind, _) => (kind.name(), format!("a {kind} from a file")),
            PlayerName::Search(_) => {
                ("search", "a search with weights from a file, evolved or set by hand".into())
            }
            _ => ("trained", "weights that were learned by playing".into()),
        };
        let endgame = player.endgame().ok().flatten();
        Self {
            name: name.to_string(),
            title: title.clone(),
            about,
            kind,
            endgame: endgame.map(|material| material.to_string()),
            whole_games: player.plays_full_games() && endgame.is_none(),
            tree: kind == "tree",
            strategy: kind == "strategy",
            measure: kind == "measure",
        }
    }
}
