//! Players by name, as several verbs take them.

use super::Failure;
use super::tables::Tables;
use lucena::DecisionTree;
use lucena::chess::{Material, Position};
use lucena::player::{
    BuiltIn, GeneratedKind, GeneratedPolicy, Policy, TablebasePlayer, TreePolicy,
};
use lucena::tablebase::Tablebase;
use lucena_files::load;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A player as named on the command line.
#[derive(Clone)]
pub(super) enum PlayerName {
    Generated(GeneratedKind),
    Tablebase,
    Tree(PathBuf),
}

impl FromStr for PlayerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "exact" => Ok(Self::Generated(GeneratedKind::Exact)),
            "theory" => Ok(Self::Generated(GeneratedKind::Theory)),
            "tablebase" => Ok(Self::Tablebase),
            _ => match text.strip_prefix("tree:") {
                Some("") | None => Err("players are exact, theory, tablebase and tree:FILE".into()),
                Some(file) => Ok(Self::Tree(file.into())),
            },
        }
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generated(kind) => fmt::Display::fmt(kind, f),
            Self::Tablebase => f.pad("tablebase"),
            Self::Tree(path) => write!(f, "tree:{}", path.display()),
        }
    }
}

impl PlayerName {
    /// The tree by which the player goes, for verbs that look into it.
    pub(super) fn tree(&self, material: Material) -> Result<DecisionTree, Failure> {
        match self {
            Self::Tree(path) => Ok(load(path, DecisionTree::from_json)?),
            Self::Tablebase => Err(Failure::usage(
                "the tablebase looks up and has no tree to look into: choose theory, exact or tree:FILE",
            )),
            Self::Generated(kind) => match BuiltIn::of_kind(material, *kind) {
                Some(tree) => Ok(tree.load()?),
                None => Err(Failure::usage(format!(
                    "this build carries no tree for {material}: learn one by \"lucena learn {material} --out tree.json\" and choose --player tree:tree.json"
                ))),
            },
        }
    }
}

/// The options that choose an endgame and a player for it.
#[derive(clap::Args)]
pub(super) struct Choice {
    /// The endgame; if left out, that of the tree, or KRvK
    pub(super) material: Option<Material>,
    /// exact: the generated code of this build, which knows every distance; theory: the smallest that
    /// always wins; tablebase: look-up; tree:FILE: a tree from a file, interpreted; if left out, exact,
    /// and for play theory
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    #[command(flatten)]
    tables: Tables,
}

/// The table and the tree that a player needs, to borrow from.
pub(super) struct Ready {
    pub(super) tablebase: Tablebase,
    player: PlayerName,
    tree: Option<DecisionTree>,
}

impl Choice {
    pub(super) fn is_tablebase(&self) -> bool {
        matches!(self.player, Some(PlayerName::Tablebase))
    }

    /// Makes the endgame that of a position.
    pub(super) fn take_material_of(&mut self, position: &Position) -> Result<(), Failure> {
        let material = position.material();
        match self.material {
            Some(asked) if asked != material => Err(Failure::usage(format!(
                "the position is one of {material}, not {asked}: leave {asked} out"
            ))),
            _ => {
                self.material = Some(material);
                Ok(())
            }
        }
    }

    /// Loads and solves what the player needs; `kind` is what plays if no player is named.
    pub(super) fn ready(&self, kind: GeneratedKind) -> Result<Ready, Failure> {
        let player = self.player.clone().unwrap_or(PlayerName::Generated(kind));
        let tree = match &player {
            PlayerName::Tree(path) => Some(load(path, DecisionTree::from_json)?),
            _ => None,
        };
        let material = endgame(self.material, tree.as_ref())?;
        Ok(Ready { tablebase: self.tables.solve(material)?, player, tree })
    }
}

/// The endgame that is meant: what was asked for, which must be the tree's; else KRvK.
pub(super) fn endgame(
    asked: Option<Material>,
    tree: Option<&DecisionTree>,
) -> Result<Material, Failure> {
    let of_tree = match tree {
        Some(tree) => Some(TreePolicy::endgame(tree)?),
        None => None,
    };
    match (asked, of_tree) {
        (Some(asked), Some(tree)) if asked != tree => Err(Failure::usage(format!(
            "the tree is for {tree}, not {asked}: leave {asked} out, or take another tree"
        ))),
        (Some(material), _) | (None, Some(material)) => Ok(material),
        (None, None) => Ok("KRvK".parse().expect("the default is a material")),
    }
}

impl Ready {
    pub(super) fn policy(&self) -> Result<Box<dyn Policy + '_>, Failure> {
        Ok(match (&self.player, &self.tree) {
            (PlayerName::Tree(_), Some(tree)) => {
                Box::new(TreePolicy::new(tree.clone(), &self.tablebase)?)
            }
            (PlayerName::Generated(kind), _) => {
                Box::new(GeneratedPolicy::new(*kind, &self.tablebase)?)
            }
            _ => Box::new(TablebasePlayer(&self.tablebase)),
        })
    }
}
