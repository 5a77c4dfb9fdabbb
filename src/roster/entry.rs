use super::{LoadedPlayer, PlayerName, PolicyError};
use crate::arena::{Entrant, SeatError};
use crate::book::Book;
use crate::chess::{Clock, Game, Material, Move};
use crate::named::Named;
use crate::player::{GeneratedKind, GeneratedPolicy, Player, Policy, WithBook, WithEndgames};
use crate::tablebase::Tablebase;

/// A player that is ready to take part in games: with the tables of endgames that games may come to.
pub struct Entry<'t> {
    player: &'t LoadedPlayer,
    policies: Vec<Box<dyn Policy + 't>>,
    tablebases: &'t [Tablebase],
    goes_on_mined: bool,
    book: Option<&'t Book>,
}

/// The endgames for which this build carries generated code, in the order of their names.
pub fn mined() -> Vec<Material> {
    let names = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().expect("it is a material"));
    names.into_iter().filter(|&material| kinds_for(material).next().is_some()).collect()
}

/// The kinds of generated code that this build carries for an endgame.
pub fn kinds_for(material: Material) -> impl Iterator<Item = GeneratedKind> {
    let kinds = GeneratedKind::ALL.iter().map(|&(_, kind)| kind);
    kinds.filter(move |kind| kind.tree(material).is_some())
}

impl<'t> Entry<'t> {
    /// The player, who looks into the tables if it is one that does.
    ///
    /// # Errors
    /// When what the player is made from does not fit a table.
    pub fn new(player: &'t LoadedPlayer, tablebases: &'t [Tablebase]) -> Result<Self, PolicyError> {
        let mut policies: Vec<Box<dyn Policy + 't>> = Vec::new();
        let endgame = player.endgame()?;
        for tablebase in tablebases {
            let fits = match player.name() {
                PlayerName::Generated(kind) => kind.tree(tablebase.material()).is_some(),
                PlayerName::Tablebase => true,
                _ => endgame == Some(tablebase.material()),
            };
            if fits {
                policies.push(player.policy(tablebase)?);
            }
        }
        Ok(Self { player, policies, tablebases, goes_on_mined: false, book: None })
    }

    /// The same player, which goes on with mined knowledge where it has the strong side of an endgame
    /// that this build carries code for.
    #[must_use]
    pub fn with_endgames(mut self) -> Self {
        for tablebase in self.tablebases {
            if self.policies.iter().any(|policy| policy.material() == tablebase.material()) {
                continue;
            }
            let known = GeneratedKind::ALL
                .iter()
                .find_map(|&(_, kind)| GeneratedPolicy::new(kind, tablebase).ok());
            if let Some(policy) = known {
                self.policies.push(Box::new(policy));
                self.goes_on_mined = true;
            }
        }
        self
    }

    /// The same player, which opens by a book.
    #[must_use]
    pub fn with_book(self, book: &'t Book) -> Self {
        Self { book: Some(book), ..self }
    }
}

impl Entrant for Entry<'_> {
    fn name(&self) -> String {
        let mut name = self.player.name().to_string();
        if self.goes_on_mined {
            name += " with endgames";
        }
        if self.book.is_some() {
            name += " with a book";
        }
        name
    }

    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, SeatError> {
        let whole = self.player.of_whole_games(seed);
        let inner = whole.unwrap_or_else(|| Box::new(LooksUp(self.tablebases)));
        let policies = self.policies.iter().map(|policy| &**policy).collect();
        let player: Box<dyn Player + '_> = Box::new(WithEndgames::new(inner, policies));
        Ok(match self.book {
            Some(book) => Box::new(WithBook::new(player, book, seed)),
            None => player,
        })
    }
}

/// Who knows endgames only resists by looking up, and has no move where there is no table.
struct LooksUp<'t>(&'t [Tablebase]);

impl Player for LooksUp<'_> {
    fn name(&self) -> String {
        "tablebase".into()
    }

    fn play(&mut self, game: &Game, _: Option<Clock>) -> Option<Move> {
        let position = game.position().ok()?;
        let probed = self.0.iter().find_map(|tablebase| tablebase.probe_moves(&position).ok())?;
        probed.first().map(|&(mv, _)| mv)
    }
}
