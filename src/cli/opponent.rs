//! Players by name, as several verbs take them.

use super::Failure;
use super::tables::Tables;
use lucena::DecisionTree;
use lucena::chess::{Material, Position};
use lucena::policy::Policy;
use lucena::roster::BuiltIn;
use lucena::roster::{Entry, LoadedPlayer, PlayerName};
use lucena::tablebase::Tablebase;

/// The tree by which a player goes, for verbs that look into it.
pub(super) fn tree_of(player: &PlayerName, material: Material) -> Result<DecisionTree, Failure> {
    match player {
        PlayerName::Tree(_) => {
            let loaded = player.load()?;
            Ok(loaded.tree().expect("it was made from a tree").clone())
        }
        PlayerName::Generated(kind) => match BuiltIn::of_kind(material, *kind) {
            Some(tree) => Ok(tree.load()?),
            None => Err(Failure::usage(format!(
                "this build carries no tree for {material}: learn one by \"lucena learn {material} --out tree.json\" and choose --player tree:tree.json"
            ))),
        },
        other => Err(Failure::usage(format!(
            "{other} has neither a tree nor a strategy to look into: choose theory, exact, tree:FILE, strategy or strategy:FILE"
        ))),
    }
}

/// The options that choose an endgame and a player for it.
#[derive(clap::Args)]
pub(super) struct Choice {
    /// The endgame; if left out, that of the tree, or KRvK
    pub(super) material: Option<Material>,
    /// exact: the generated code of this build, which knows every distance; theory: the smallest that
    /// always wins; strategy: the smallest strategy of this build, a few rules about moves; tablebase:
    /// look-up; tree:FILE, strategy:FILE: from a file; search:depth=N and the like: a search, see
    /// "lucena match --help"; if left out, exact; for play strategy, or theory where this build carries
    /// no strategy
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    #[command(flatten)]
    pub(super) tables: Tables,
}

/// A player and the table that it needs, to borrow from.
pub(super) struct Ready {
    pub(super) tablebase: Tablebase,
    player: LoadedPlayer,
}

impl Choice {
    /// The player that was named, if it plays whole games.
    pub(super) fn of_whole_games(&self) -> Option<PlayerName> {
        self.player.clone().filter(PlayerName::plays_whole_games)
    }

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

    /// Loads and solves what the player needs; `usual` says who plays an endgame if nobody is named.
    pub(super) fn ready(
        &self,
        usual: impl FnOnce(Material) -> PlayerName,
    ) -> Result<Ready, Failure> {
        self.ready_if(usual, |_| Ok(()))
    }

    /// The same, once nothing speaks against the endgame that is meant.
    pub(super) fn ready_if(
        &self,
        usual: impl FnOnce(Material) -> PlayerName,
        check: impl FnOnce(Material) -> Result<(), Failure>,
    ) -> Result<Ready, Failure> {
        let player = match &self.player {
            Some(player) => player.load()?,
            None => usual(agreed(self.material, None)?).load()?,
        };
        let material = agreed(self.material, player.endgame()?)?;
        check(material)?;
        Ok(Ready { tablebase: self.tables.solve(material)?, player })
    }
}

/// The endgame that is meant where a player may go by a tree: see [`agreed`].
pub(super) fn endgame(
    asked: Option<Material>,
    tree: Option<&DecisionTree>,
) -> Result<Material, Failure> {
    agreed(asked, tree.map(lucena::policy::TreePolicy::endgame).transpose()?)
}

/// The endgame that is meant: what was asked for, which must be what the player plays; else KRvK.
pub(super) fn agreed(
    asked: Option<Material>,
    played: Option<Material>,
) -> Result<Material, Failure> {
    match (asked, played) {
        (Some(asked), Some(played)) if asked != played => Err(Failure::usage(format!(
            "the player is for {played}, not {asked}: leave {asked} out, or take another player"
        ))),
        (Some(material), _) | (None, Some(material)) => Ok(material),
        (None, None) => Ok("KRvK".parse().expect("the default is a material")),
    }
}

/// Who plays whole games, with the tables that are at hand.
pub(super) fn seat<'t>(
    player: &'t LoadedPlayer,
    tablebases: &'t [Tablebase],
) -> Result<Entry<'t>, Failure> {
    Ok(Entry::new(player, tablebases)?)
}

impl Ready {
    /// Has the table's entries as they are, for work that looks at all of them again and again.
    pub(super) fn unpacked(self) -> Result<Self, Failure> {
        Ok(Self { tablebase: self.tablebase.unpacked()?, ..self })
    }

    pub(super) fn policy(&self) -> Result<Box<dyn Policy + '_>, Failure> {
        Ok(self.player.policy(&self.tablebase)?)
    }

    /// Who plays games of the endgame; lots are drawn by the seed.
    pub(super) fn entry(&self) -> Result<Entry<'_>, Failure> {
        if !self.player.name().plays_whole_games() {
            // Who knows nothing of this endgame is refused before a game.
            self.policy()?;
        }
        Ok(Entry::new(&self.player, std::slice::from_ref(&self.tablebase))?)
    }
}
