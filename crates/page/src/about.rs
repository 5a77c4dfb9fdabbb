//! What there is to choose from.

use super::{Refusal, Shelf};
use lucena_attributes::Selection;
use lucena_base::named::Named;
use lucena_chess::Material;
use lucena_experiments::roster::BuiltInStrategy;
use lucena_experiments::roster::{LoadedPlayer, PlayerName, kinds_for};
use lucena_proof::policy::GeneratedKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nothing is asked.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct AboutQuery {}

/// What there is to choose from.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AboutTold {
    /// The version of lucena.
    version: &'static str,
    /// The endgames that can be solved, few men first.
    endgames: Vec<EndgameTold>,
    /// The endgames that are taught first, the easiest first.
    elementary: Vec<ElementaryTold>,
    /// The players.
    players: Vec<PlayerTold>,
    /// The sets of attributes.
    attribute_sets: Vec<&'static str>,
}

/// An endgame.
#[derive(Debug, Serialize, JsonSchema)]
struct EndgameTold {
    /// As KRvK.
    material: String,
    /// Whether this build carries trees for it.
    mined: bool,
    /// Whether this build carries a strategy for it.
    strategies: bool,
    /// The players that know it, by name.
    players: Vec<String>,
}

/// An endgame that everybody learns.
#[derive(Debug, Serialize, JsonSchema)]
struct ElementaryTold {
    /// As KRvK.
    material: String,
    /// What is to be reached, in words.
    goal: &'static str,
    /// The player that teaches it.
    player: &'static str,
}

/// A player.
#[derive(Debug, Serialize, JsonSchema)]
struct PlayerTold {
    /// What it is asked for by.
    name: String,
    /// What people call it.
    title: String,
    /// What it is, in a few words.
    about: &'static str,
    /// tree, strategy, table, search, trained or random.
    kind: &'static str,
    /// The only endgame that it plays; null where it plays all that it knows.
    endgame: Option<String>,
    /// Whether it has a move in any game.
    whole_games: bool,
    /// Whether it goes by a tree that can be looked at.
    tree: bool,
    /// Whether it goes by a strategy that can be looked at.
    strategy: bool,
}

const ELEMENTARY: [(&str, &str, &str); 5] = [
    ("KQvK", "mate", "strategy"),
    ("KRvK", "mate", "strategy"),
    ("KPvK", "promote and mate", "strategy"),
    ("KBBvK", "mate", "strategy"),
    ("KBNvK", "mate", "tablebase"),
];

pub(super) fn about(shelf: &Shelf, _: AboutQuery) -> Result<AboutTold, Refusal> {
    let offered = shelf.offered();
    let materials = (2..=4).flat_map(Material::of_men);
    let elementary = ELEMENTARY.map(|(material, goal, player)| ElementaryTold {
        material: material.into(),
        goal,
        player,
    });
    Ok(AboutTold {
        version: env!("CARGO_PKG_VERSION"),
        endgames: materials.map(|material| EndgameTold::new(material, &offered)).collect(),
        elementary: elementary.into(),
        players: BUILT_IN
            .iter()
            .map(PlayerTold::built_in)
            .chain(offered.iter().map(|player| PlayerTold::offered(player)))
            .collect(),
        attribute_sets: Selection::ALL.iter().map(|&(name, _)| name).collect(),
    })
}

impl EndgameTold {
    fn new(material: Material, offered: &[std::sync::Arc<LoadedPlayer>]) -> Self {
        let kinds: Vec<GeneratedKind> = kinds_for(material).collect();
        let strategies = BuiltInStrategy::smallest(material).is_some();
        let mut players: Vec<String> = kinds.iter().map(ToString::to_string).collect();
        players.extend(strategies.then(|| "strategy".to_owned()));
        players.push("tablebase".into());
        let fits = |player: &&std::sync::Arc<LoadedPlayer>| {
            player.endgame().ok().flatten() == Some(material)
        };
        players.extend(offered.iter().filter(fits).map(|player| player.name().to_string()));
        Self { material: material.to_string(), mined: !kinds.is_empty(), strategies, players }
    }
}

/// A player that needs no file.
struct BuiltInPlayer {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    kind: &'static str,
}

const BUILT_IN: [BuiltInPlayer; 8] = [
    BuiltInPlayer {
        name: "strategy",
        title: "Strategy",
        about: "a few rules about moves, proved",
        kind: "strategy",
    },
    BuiltInPlayer {
        name: "theory",
        title: "Theory",
        about: "a small tree that always wins, proved",
        kind: "tree",
    },
    BuiltInPlayer {
        name: "exact",
        title: "Exact tree",
        about: "a tree that knows every distance",
        kind: "tree",
    },
    BuiltInPlayer {
        name: "tablebase",
        title: "Tablebase",
        about: "looks every move up",
        kind: "table",
    },
    BuiltInPlayer {
        name: "search:depth=4",
        title: "Search, 4 plies",
        about: "looks four plies ahead",
        kind: "search",
    },
    BuiltInPlayer {
        name: "search:time=200ms",
        title: "Search, a fifth of a second",
        about: "looks as far ahead as the time goes",
        kind: "search",
    },
    BuiltInPlayer {
        name: "king-refugee",
        title: "King refugee",
        about: "keeps its king near the centre",
        kind: "random",
    },
    BuiltInPlayer { name: "random", title: "Random", about: "plays any move", kind: "random" },
];

impl PlayerTold {
    fn built_in(player: &BuiltInPlayer) -> Self {
        let BuiltInPlayer { name, title, about, kind } = *player;
        let parsed: Option<PlayerName> = name.parse().ok();
        Self {
            name: name.into(),
            title: title.into(),
            about,
            kind,
            endgame: None,
            whole_games: parsed.is_some_and(|name| name.plays_whole_games()),
            tree: kind == "tree",
            strategy: kind == "strategy",
        }
    }

    fn offered(player: &LoadedPlayer) -> Self {
        let name = player.name();
        let (kind, about) = match name {
            PlayerName::Tree(_) => ("tree", "a tree from a file"),
            PlayerName::Strategy(_) => ("strategy", "a strategy from a file"),
            PlayerName::Search(_) => {
                ("search", "a search with weights that have evolved, or that a person has set")
            }
            _ => ("trained", "weights that were learned by playing"),
        };
        let endgame = player.endgame().ok().flatten();
        Self {
            name: name.to_string(),
            title: title(name),
            about,
            kind,
            endgame: endgame.map(|material| material.to_string()),
            whole_games: name.plays_whole_games() && endgame.is_none(),
            tree: kind == "tree",
            strategy: kind == "strategy",
        }
    }
}

/// What people call a player that is made from a file: the name of the file.
pub(super) fn title(name: &PlayerName) -> String {
    let text = name.to_string();
    // What is made from no file is called what it is asked for by.
    let Some((_, path)) = text.rsplit_once(['=', ':']) else { return text };
    let path = std::path::Path::new(path);
    path.file_stem().map_or_else(|| text.clone(), |stem| stem.to_string_lossy().into_owned())
}
