use super::{BuiltIn, PlayerName};
use lucena_chess::{Material, Side};
use lucena_model::ModelKind;
use lucena_proof::policy::GeneratedKind;
use lucena_tablebase::{MoveVerdicts, Tablebase};

/// Returns the players without a file that this build has for an endgame, the best to learn from first: strategy,
/// measure, theory, the trees that know every distance, and the table, which there is for every endgame.
///
/// ```
/// use lucena_roster::built_in_players;
///
/// let players = |material: &str| -> Vec<String> {
///     let players = built_in_players(material.parse().expect("a material"));
///     players.iter().map(ToString::to_string).collect()
/// };
/// assert_eq!(players("KPvK"), ["strategy", "measure", "theory", "tablebase"]);
/// assert_eq!(players("KNNvKP"), ["tablebase"]);
/// ```
pub fn built_in_players(material: Material) -> Vec<PlayerName> {
    let generated = [GeneratedKind::Theory, GeneratedKind::Exact, GeneratedKind::Learned];
    let mut players =
        vec![PlayerName::Smallest(ModelKind::Strategy), PlayerName::Smallest(ModelKind::Measure)];
    players.extend(generated.map(PlayerName::Generated));
    players.push(PlayerName::Tablebase);
    players.retain(|player| player.is_built_in(material));
    players
}

/// Returns the player of an endgame if none is chosen: the first of its built-in ones.
pub fn default_player(material: Material) -> PlayerName {
    built_in_players(material).swap_remove(0)
}

/// The most terms of a measure that explains a move unless it is named.
const MAX_TERMS: usize = 20;

/// Returns the player that explains a position of the endgame of a table if none is chosen: the first of the endgame's
/// built-in ones that plays one of the best moves. If none does, and for the weak side, it is the table. Measures of many
/// terms are passed over: nobody reads so many sentences.
///
/// ```
/// use lucena_chess::HalfmoveClock;
/// use lucena_roster::default_explainer;
/// use lucena_tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let explainer = |fen: &str| -> Result<String, Box<dyn std::error::Error>> {
///     let verdicts = tablebase.verdicts(&fen.parse()?, HalfmoveClock::ZERO)?;
///     Ok(default_explainer(&tablebase, &verdicts).to_string())
/// };
/// assert_eq!(explainer("k7/2K5/8/8/8/8/8/1R6 w")?, "strategy");
/// assert_eq!(explainer("k7/2K5/8/8/8/8/8/1R6 b")?, "tablebase");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn default_explainer(tablebase: &Tablebase, verdicts: &MoveVerdicts) -> PlayerName {
    let (position, best) = (verdicts.position(), verdicts.best());
    let best = best.filter(|_| position.turn() == Side::Strong).map(|&(.., after)| after);
    let plays_best = |player: &PlayerName| {
        let model = player.built_in(tablebase.material()).map(BuiltIn::endgame_model)?;
        let terms = model.as_ref().figures().terms.unwrap_or_default();
        let model = (terms <= MAX_TERMS).then_some(model)?;
        let played = model.policy(tablebase).ok()?.choose(position)?;
        Some(best.is_some() && verdicts.after(played) == best)
    };
    let mut players = built_in_players(tablebase.material()).into_iter();
    players.find(|player| plays_best(player) == Some(true)).unwrap_or(PlayerName::Tablebase)
}

/// The error for a player that this build does not have for an endgame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this build has no {} for {material}: choose {}{}", thing(player), self.others(), self.search())]
pub struct NotBuiltIn {
    /// The player.
    pub player: PlayerName,
    /// The endgame.
    pub material: Material,
}

/// What a built-in player is made from.
fn thing(player: &PlayerName) -> String {
    match player {
        PlayerName::Generated(GeneratedKind::Exact) => "exact tree".into(),
        PlayerName::Generated(GeneratedKind::Learned) => "learned tree".into(),
        other => other.to_string(),
    }
}

impl NotBuiltIn {
    fn others(&self) -> String {
        let players = built_in_players(self.material);
        let names: Vec<String> = players.iter().map(ToString::to_string).collect();
        match names.split_last() {
            Some((last, [])) => format!("--player {last}"),
            Some((last, others)) => format!("--player {} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    /// The command that finds such a player; empty where nobody can win.
    fn search(&self) -> String {
        let (is_learned, kind) = match self.player {
            _ if self.material.is_insufficient() => return String::new(),
            PlayerName::Smallest(kind) | PlayerName::BuiltIn(kind, _) => {
                (kind == ModelKind::Tree, kind)
            }
            PlayerName::Generated(GeneratedKind::Theory) => (false, ModelKind::Tree),
            _ => (true, ModelKind::Tree),
        };
        let verb = if is_learned { "learn".into() } else { format!("find {kind}") };
        let material = self.material;
        format!(
            ", or make one by \"lucena {verb} {material} --out {kind}.json\" and choose --player {kind}:{kind}.json"
        )
    }
}

impl PlayerName {
    /// Returns true unless the player is one of this build that the build does not have for the endgame.
    fn is_built_in(&self, material: Material) -> bool {
        !self.is_from_build() || self.built_in(material).is_some()
    }

    /// Returns true if the player goes by a model of this build.
    fn is_from_build(&self) -> bool {
        matches!(self, Self::Generated(_) | Self::Smallest(_) | Self::BuiltIn(..))
    }

    /// Returns the model of this build that the player goes by in an endgame. That of generated code is the tree from
    /// which it was generated.
    pub fn built_in(&self, material: Material) -> Option<&'static BuiltIn> {
        match self {
            Self::Generated(kind) => BuiltIn::generated(*kind, material),
            Self::Smallest(kind) => BuiltIn::smallest(*kind, material),
            Self::BuiltIn(kind, name) => BuiltIn::find(*kind, material, name),
            _ => None,
        }
    }

    /// Checks that this build has the player for an endgame. Players from files are not looked at.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_built_in(&self, material: Material) -> Result<(), NotBuiltIn> {
        match self.is_built_in(material) {
            true => Ok(()),
            false => Err(NotBuiltIn { player: self.clone(), material }),
        }
    }
}

impl BuiltIn {
    /// Returns the player that plays by it, as users write it.
    pub fn player(&self) -> PlayerName {
        match self.is_smallest() {
            true => PlayerName::Smallest(self.kind),
            false => PlayerName::BuiltIn(self.kind, self.name),
        }
    }
}
