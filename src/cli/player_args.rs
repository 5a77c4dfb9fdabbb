//! The options by which several verbs choose a player.

use super::file_kind::load_player;
use super::output::ProgressDisplay;
use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::DecisionTree;
use lucena::chess::{Material, Position, Side};
use lucena::policy::{EndgameModel, Policy};
use lucena::roster::{LoadedPlayer, PlayerName, RosterEntrant, default_player};
use lucena::tablebase::{TableFolder, Tablebase};
use lucena_model::ModelKind;
use std::sync::Arc;

/// Returns the tree that a player uses, for verbs that inspect it.
pub(super) fn tree_of(player: &PlayerName, material: Material) -> Result<DecisionTree> {
    match player {
        PlayerName::ModelFile(ModelKind::Tree, _)
        | PlayerName::Generated(_)
        | PlayerName::BuiltIn(ModelKind::Tree, _) => {
            let model = load_player(player)?.model(material)?;
            let tree = model.and_then(EndgameModel::into_tree).expect("it was made from a tree");
            Ok(Arc::unwrap_or_clone(tree))
        }
        PlayerName::Search(_) | PlayerName::Tablebase => Err(Failure::usage(format!(
            "{player} explains positions, not games: choose theory, exact, learned, tree:FILE, strategy, strategy:FILE, measure or measure:FILE"
        ))),
        PlayerName::Stubborn => Err(Failure::usage(format!(
            "{player} gives its reasons in games alone, as in \"lucena play --player {player}\": choose theory, exact, learned, tree:FILE, strategy, strategy:FILE, measure or measure:FILE, or, for a single position, tablebase"
        ))),
        other => Err(Failure::usage(format!(
            "{other} gives no reasons for its moves: choose theory, exact, learned, tree:FILE, strategy, strategy:FILE, measure or measure:FILE, or, for a single position, a search such as search:depth=6"
        ))),
    }
}

/// Checks that every player has a move where the games start: in an endgame, or else in whole games. `remedy`
/// has the words for how to start from an endgame.
pub(super) fn check_start(players: &[LoadedPlayer], is_endgame: bool, remedy: &str) -> Result<()> {
    match players.iter().find(|player| !player.plays_full_games()) {
        Some(player) if !is_endgame => Err(Failure::usage(format!(
            "{} knows endgames alone and has no move in whole games: begin with an endgame, as {remedy}",
            player.name()
        ))),
        _ => Ok(()),
    }
}

/// The options that choose an endgame and a player for it.
#[derive(clap::Args)]
pub(super) struct PlayerArgs {
    /// The endgame [default: that of the player, or KRvK]
    pub(super) material: Option<Material>,
    /// The player: see "lucena help players" [default: the first of strategy, measure, theory and exact that this build
    /// has for the endgame, or else tablebase]
    #[arg(long, value_name = "PLAYER")]
    pub(super) player: Option<PlayerName>,
    #[command(flatten)]
    pub(super) tables: TableArgs,
}

/// A player and the table that it needs, which policies and entries borrow.
pub(super) struct LoadedEndgame {
    pub(super) tablebase: Tablebase,
    /// The folder of the table.
    pub(super) folder: TableFolder,
    player: LoadedPlayer,
}

impl PlayerArgs {
    /// Sets the endgame to that of a position.
    pub(super) fn take_material_of(&mut self, position: &Position) -> Result<()> {
        let material = position.material();
        match self.material {
            Some(wanted) if wanted != material => Err(Failure::usage(format!(
                "the position is one of {material}, not {wanted}: leave {wanted} out"
            ))),
            _ => {
                self.material = Some(material);
                Ok(())
            }
        }
    }

    /// The chosen player, or the default one of an endgame.
    fn player(&self, material: Material) -> PlayerName {
        self.player.clone().unwrap_or_else(|| default_player(material))
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        vec![("player", default_player(self.material_or_usual()).to_string())]
    }

    /// Checks that this build has the player for the endgame. Players from files are not looked at.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        let material = self.material_or_usual();
        Ok(self.player(material).check_built_in(material)?)
    }

    #[cfg(feature = "serve")]
    fn material_or_usual(&self) -> Material {
        self.material.unwrap_or_else(default_endgame)
    }

    /// The chosen player; `None` if none was chosen.
    pub(super) fn chosen(&self) -> Result<Option<LoadedPlayer>> {
        self.player.as_ref().map(load_player).transpose()
    }

    /// Loads the player and solves the table it needs. `check` is called with the player and the endgame before it is
    /// solved, and refuses whatever can be refused without the table.
    pub(super) fn load(
        &self,
        check: impl FnOnce(&LoadedPlayer, Material) -> Result<()>,
    ) -> Result<LoadedEndgame> {
        self.solve_for(self.chosen()?, check)
    }

    /// Solves the table that the player needs, which [`Self::chosen`] has loaded, as [`Self::load`] does. What this build
    /// does not have is refused before that.
    pub(super) fn solve_for(
        &self,
        chosen: Option<LoadedPlayer>,
        check: impl FnOnce(&LoadedPlayer, Material) -> Result<()>,
    ) -> Result<LoadedEndgame> {
        let player = match chosen {
            Some(player) => player,
            None => self.player(resolve_endgame(self.material, None)?).load()?,
        };
        let material = resolve_endgame(self.material, player.endgame()?)?;
        player.name().check_built_in(material)?;
        check(&player, material)?;
        let folder = self.tables.folder_for(&[material])?;
        let tablebase = folder.tablebase(material, &ProgressDisplay::new())?;
        Ok(LoadedEndgame { tablebase, folder, player })
    }
}

/// The endgame to work on: the requested one, which must be the player's if it has one; else the player's;
/// else KRvK.
pub(super) fn resolve_endgame(
    wanted: Option<Material>,
    played: Option<Material>,
) -> Result<Material> {
    match (wanted, played) {
        (Some(wanted), Some(played)) if wanted != played => Err(Failure::usage(format!(
            "the player is for {played}, not {wanted}: leave {wanted} out, or take another player"
        ))),
        (Some(material), _) | (None, Some(material)) => Ok(material),
        (None, None) => Ok(default_endgame()),
    }
}

/// The endgame if none is named.
pub(super) fn default_endgame() -> Material {
    "KRvK".parse().expect("the default is a material")
}

impl LoadedEndgame {
    /// Unpacks the table, for work that reads all its entries again and again.
    pub(super) fn unpacked(self) -> Result<Self> {
        Ok(Self { tablebase: self.tablebase.unpacked()?, ..self })
    }

    /// The player.
    pub(super) fn player(&self) -> &LoadedPlayer {
        &self.player
    }

    /// The name of the player.
    pub(super) fn name(&self) -> &PlayerName {
        self.player.name()
    }

    pub(super) fn policy(&self) -> Result<Box<dyn Policy + '_>> {
        Ok(self.player.policy(&self.tablebase)?)
    }

    /// The policy for a side; by default, for the one that the player is made for.
    pub(super) fn policy_for(&self, side: Option<Side>) -> Result<Box<dyn Policy + '_>> {
        Ok(self.player.policy_for(side, &self.tablebase)?)
    }

    /// The player as an entrant in games of the endgame; random choices depend on the seed.
    pub(super) fn entry(&self) -> Result<RosterEntrant<'_>> {
        if !self.player.plays_full_games() && !self.name().looks_up() {
            // A player that knows nothing of this endgame is refused before a game starts.
            self.policy()?;
        }
        let entrant = RosterEntrant::new(&self.player, std::slice::from_ref(&self.tablebase))?;
        Ok(entrant.with_folder(&self.folder))
    }
}
