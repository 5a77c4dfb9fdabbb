//! The options by which several verbs choose a player.

use super::tables::TableArgs;
use super::{Failure, Result};
use lucena::DecisionTree;
use lucena::chess::{Material, Position};
use lucena::policy::{EndgameModel, GeneratedKind, Policy};
#[cfg(feature = "serve")]
use lucena::roster::generated_kinds;
use lucena::roster::{BuiltIn, LoadedPlayer, PlayerName, RosterEntrant};
use lucena::tablebase::Tablebase;
#[cfg(feature = "serve")]
use lucena_model::ModelKind;
use std::sync::Arc;

/// Returns the tree that a player uses, for verbs that inspect it.
pub(super) fn tree_of(player: &PlayerName, material: Material) -> Result<DecisionTree> {
    match player {
        PlayerName::Tree(_) => {
            let model = player.load()?.model(material)?;
            let tree = model.and_then(EndgameModel::into_tree).expect("it was made from a tree");
            Ok(Arc::unwrap_or_clone(tree))
        }
        PlayerName::Generated(kind) => match BuiltIn::generated(*kind, material) {
            Some(built_in) => Ok(built_in.model().try_into()?),
            None => Err(Failure::usage(format!(
                "this build carries no tree for {material}: learn one by \"lucena learn {material} --out tree.json\" and choose --player tree:tree.json"
            ))),
        },
        PlayerName::Search(_) => Err(Failure::usage(format!(
            "{player} explains positions, not games: choose theory, exact, learned, tree:FILE, strategy, strategy:FILE, measure or measure:FILE"
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
    /// The endgame; if left out, that of the player, or KRvK
    pub(super) material: Option<Material>,
    /// The player: exact, the generated code of this build that knows every distance; learned, the code of the
    /// tree as learned, before it was distilled; theory, the smallest that always wins; strategy, the smallest
    /// strategy of this build, a few rules about moves; measure, the smallest measure of this build, a number that it
    /// makes smaller, looking ahead; tablebase, which looks moves up; tree:FILE, strategy:FILE or measure:FILE, a
    /// player from a file; or a search such as search:depth=N, see "lucena match --help". Default: exact; for play,
    /// the first of strategy, measure and theory that this build has
    #[arg(long, value_name = "PLAYER")]
    pub(super) player: Option<PlayerName>,
    #[command(flatten)]
    pub(super) tables: TableArgs,
}

/// A player and the table that it needs, which policies and entries borrow.
pub(super) struct LoadedEndgame {
    pub(super) tablebase: Tablebase,
    player: LoadedPlayer,
}

impl PlayerArgs {
    /// Sets the endgame to that of a position.
    pub(super) fn take_material_of(&mut self, position: &Position) -> Result<()> {
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

    /// The player that each endgame has if none is chosen.
    pub(super) fn exact(_: Material) -> PlayerName {
        PlayerName::Generated(GeneratedKind::Exact)
    }

    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        vec![("player", Self::exact(self.material_or_usual()).to_string())]
    }

    /// Checks that this build has the player for the endgame. Players from files are not looked at.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        let material = self.material_or_usual();
        let player = self.player.clone().unwrap_or_else(|| Self::exact(material));
        let is_there = match &player {
            PlayerName::Generated(kind) => generated_kinds(material).any(|known| known == *kind),
            PlayerName::Strategy(None) => {
                BuiltIn::smallest(ModelKind::Strategy, material).is_some()
            }
            PlayerName::Measure(None) => BuiltIn::smallest(ModelKind::Measure, material).is_some(),
            _ => true,
        };
        match is_there {
            true => Ok(()),
            false => Err(Failure::usage(format!(
                "this build has no player {player} for {material}: choose another, such as tablebase"
            ))),
        }
    }

    #[cfg(feature = "serve")]
    fn material_or_usual(&self) -> Material {
        self.material.unwrap_or_else(usual_endgame)
    }

    /// The chosen player; `None` if none was chosen.
    pub(super) fn chosen(&self) -> Result<Option<LoadedPlayer>> {
        Ok(self.player.as_ref().map(PlayerName::load).transpose()?)
    }

    /// Loads the player and solves the table it needs. `usual` gives the player of an endgame if none was
    /// chosen; `check` is called with the endgame before it is solved.
    pub(super) fn load(
        &self,
        usual: impl FnOnce(Material) -> PlayerName,
        check: impl FnOnce(Material) -> Result<()>,
    ) -> Result<LoadedEndgame> {
        self.solve_for(self.chosen()?, usual, check)
    }

    /// Solves the table that the player needs, which [`Self::chosen`] has loaded, as [`Self::load`] does.
    pub(super) fn solve_for(
        &self,
        chosen: Option<LoadedPlayer>,
        usual: impl FnOnce(Material) -> PlayerName,
        check: impl FnOnce(Material) -> Result<()>,
    ) -> Result<LoadedEndgame> {
        let player = match chosen {
            Some(player) => player,
            None => usual(resolve_endgame(self.material, None)?).load()?,
        };
        let material = resolve_endgame(self.material, player.endgame()?)?;
        check(material)?;
        Ok(LoadedEndgame { tablebase: self.tables.solve(material)?, player })
    }
}

/// The endgame to work on: the requested one, which must be the player's if it has one; else the player's;
/// else KRvK.
pub(super) fn resolve_endgame(
    asked: Option<Material>,
    played: Option<Material>,
) -> Result<Material> {
    match (asked, played) {
        (Some(asked), Some(played)) if asked != played => Err(Failure::usage(format!(
            "the player is for {played}, not {asked}: leave {asked} out, or take another player"
        ))),
        (Some(material), _) | (None, Some(material)) => Ok(material),
        (None, None) => Ok(usual_endgame()),
    }
}

fn usual_endgame() -> Material {
    "KRvK".parse().expect("the default is a material")
}

impl LoadedEndgame {
    /// Unpacks the table, for work that reads all its entries again and again.
    pub(super) fn unpacked(self) -> Result<Self> {
        Ok(Self { tablebase: self.tablebase.unpacked()?, ..self })
    }

    pub(super) fn policy(&self) -> Result<Box<dyn Policy + '_>> {
        Ok(self.player.policy(&self.tablebase)?)
    }

    /// The player as an entrant in games of the endgame; random choices depend on the seed.
    pub(super) fn entry(&self) -> Result<RosterEntrant<'_>> {
        if !self.player.plays_full_games() {
            // A player that knows nothing of this endgame is refused before a game starts.
            self.policy()?;
        }
        Ok(RosterEntrant::new(&self.player, std::slice::from_ref(&self.tablebase))?)
    }
}
