use super::{BuiltIn, LoadedPlayer, PlayerName, PolicyError};
use lucena_base::named::Named;
use lucena_base::progress::{NoObserver, Observer, Stopped};
use lucena_chess::{Clock, Game, Material, Move};
use lucena_model::ModelKind;
use lucena_play::arena::{Entrant, EntrantError};
use lucena_play::book::SharedBook;
use lucena_play::{Choice, Forfeit, MoveRequest, Player, WithBook, WithEndgames, WithTables};
use lucena_proof::policy::{GeneratedKind, GeneratedPolicy, Policy, PolicyGrounds};
use lucena_tablebase::{ProbeTables, TableFolder, Tablebase};
use std::sync::Arc;

/// A player ready to take part in games, with the tables of the endgames it may reach.
pub struct RosterEntrant<'t> {
    player: &'t LoadedPlayer,
    policies: Vec<Box<dyn Policy + 't>>,
    /// The policies that are preferred among the best moves by tables.
    advisers: Vec<Box<dyn Policy + 't>>,
    tablebases: &'t [Tablebase],
    continues_with_mined: bool,
    folder: Option<&'t TableFolder>,
    tables: Option<Arc<ProbeTables<'t>>>,
    /// The player that moves where this one knows nothing.
    pub otherwise: Option<&'t LoadedPlayer>,
    /// The opening book.
    pub book: Option<&'t SharedBook>,
}

/// The endgames with generated code in this build, in the order of their names.
pub fn generated_materials() -> Vec<Material> {
    let names = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().expect("it is a material"));
    names.into_iter().filter(|&material| generated_kinds(material).next().is_some()).collect()
}

/// The kinds of generated code that this build has for an endgame.
pub fn generated_kinds(material: Material) -> impl Iterator<Item = GeneratedKind> {
    let kinds = GeneratedKind::ALL.iter().map(|&(_, kind)| kind);
    kinds.filter(move |kind| kind.tree(material).is_some())
}

impl<'t> RosterEntrant<'t> {
    /// Creates an entrant for a player, with tables for players that use them.
    ///
    /// # Errors
    /// If the player's tree, strategy, measure or weights do not fit a table.
    pub fn new(player: &'t LoadedPlayer, tablebases: &'t [Tablebase]) -> Result<Self, PolicyError> {
        // Strategies and measures need no table.
        let kind = match player.name() {
            PlayerName::Smallest(kind) | PlayerName::BuiltIn(kind, _) => Some(*kind),
            _ => None,
        };
        let built_in = kind.into_iter().flat_map(BuiltIn::all);
        let named = built_in.filter(|built_in| built_in.player() == *player.name());
        let mut policies: Vec<Box<dyn Policy + 't>> = Vec::new();
        for built_in in named {
            policies.extend(built_in.endgame_model().policy_without_table());
        }
        let endgame = player.endgame()?;
        for tablebase in tablebases {
            let fits = match player.name() {
                PlayerName::Generated(kind) => kind.tree(tablebase.material()).is_some(),
                PlayerName::Tablebase => true,
                PlayerName::BuiltIn(ModelKind::Tree, _) => {
                    player.name().built_in(tablebase.material()).is_some()
                }
                // It searches in its endgame as elsewhere, for as long as the game allows.
                PlayerName::Search(_) => false,
                _ => endgame == Some(tablebase.material()),
            };
            if fits {
                policies.push(player.policy(tablebase)?);
            }
        }
        Ok(Self {
            player,
            policies,
            advisers: Vec::new(),
            tablebases,
            continues_with_mined: false,
            folder: None,
            tables: None,
            otherwise: None,
            book: None,
        })
    }

    /// Sets the folder from which a player that looks up moves does so in every endgame it reaches. Missing
    /// tables are solved on the player's time.
    #[must_use]
    pub fn with_folder(mut self, folder: &'t TableFolder) -> Self {
        self.folder = Some(folder);
        if *self.player.name() == PlayerName::Stubborn && self.tables.is_none() {
            self.tables = Some(Arc::new(ProbeTables::new(folder, None)));
        }
        self
    }

    /// Lets tables choose the moves in the positions that they have. A policy of the player's own still chooses where they
    /// say that the position is won.
    #[must_use]
    pub fn with_tables(mut self, tables: Arc<ProbeTables<'t>>) -> Self {
        if *self.player.name() == PlayerName::Tablebase {
            // These tables know the fifty-move rule as well.
            self.policies.clear();
        }
        self.tables = Some(tables);
        self
    }

    /// Lets generated code and built-in strategies choose between the moves that tables find equally good, so that there is
    /// a reason for the move.
    #[must_use]
    pub fn with_advisers(mut self) -> Self {
        self.advisers = self.mined();
        self
    }

    /// Lets the player use generated code and built-in strategies when it has the strong side of an
    /// endgame that this build covers. Measures are left out: some look ahead for seconds, whatever the clock says.
    #[must_use]
    pub fn with_endgames(mut self) -> Self {
        let mined = self.mined();
        self.continues_with_mined |= !mined.is_empty();
        self.policies.extend(mined);
        self
    }

    /// The generated code and built-in strategies for the endgames that no policy of the player's own is for.
    fn mined(&self) -> Vec<Box<dyn Policy + 't>> {
        let is_free = |known: &[Box<dyn Policy + 't>], material: Material| {
            known.iter().all(|policy| policy.material() != material)
        };
        let mut mined: Vec<Box<dyn Policy + 't>> = Vec::new();
        for tablebase in self.tablebases {
            let mut kinds = GeneratedKind::ALL.iter().map(|&(_, kind)| kind);
            if is_free(&self.policies, tablebase.material())
                && let Some(policy) =
                    kinds.find_map(|kind| GeneratedPolicy::new(kind, tablebase).ok())
            {
                mined.push(Box::new(policy));
            }
        }
        for built_in in BuiltIn::all(ModelKind::Strategy) {
            let policy = built_in.endgame_model().policy_without_table();
            mined.extend(policy.filter(|policy| {
                let material = policy.material();
                is_free(&self.policies, material) && is_free(&mined, material)
            }));
        }
        mined
    }

    /// The player without its policies and its book.
    fn without_policies(&self, seed: u64) -> Box<dyn Player + '_> {
        let looks_up = self.player.name().looks_up();
        let inner = self.player.full_game_player(seed).unwrap_or_else(|| {
            let otherwise = self.otherwise.and_then(|player| player.full_game_player(seed));
            let folder = self.folder.filter(|_| looks_up);
            Box::new(TablebaseLookup { tablebases: self.tablebases, folder, otherwise })
        });
        let Some(tables) = &self.tables else { return inner };
        let advisers = self.advisers.iter().map(|policy| &**policy).collect();
        let player = WithTables::new(inner, tables).with_advisers(advisers);
        Box::new(if looks_up { player.patiently() } else { player })
    }
}

impl Entrant for RosterEntrant<'_> {
    fn name(&self) -> String {
        let mut name = self.player.name().to_string();
        if self.continues_with_mined {
            name += " with endgames";
        }
        if self.book.is_some() {
            name += " with a book";
        }
        name
    }

    fn check_readable(&self) -> Result<(), Stopped> {
        self.tablebases.iter().try_for_each(Tablebase::check_readable)
    }

    fn seat(&self, seed: u64) -> Result<Box<dyn Player + '_>, EntrantError> {
        let policies = self.policies.iter().map(|policy| &**policy).collect();
        let player = WithEndgames::new(self.without_policies(seed), policies);
        let player: Box<dyn Player + '_> = Box::new(match &self.tables {
            Some(tables) => player.where_won(tables),
            None => player,
        });
        Ok(match self.book {
            Some(book) => Box::new(WithBook::new(player, book, seed)),
            None => player,
        })
    }
}

/// Looks up moves for a player that knows only endgames. Without a table the move is left to the
/// other player, if there is one.
struct TablebaseLookup<'t> {
    tablebases: &'t [Tablebase],
    folder: Option<&'t TableFolder>,
    otherwise: Option<Box<dyn Player + 't>>,
}

impl TablebaseLookup<'_> {
    fn known(&self, game: &Game, may: impl Fn(Move) -> bool) -> Option<Move> {
        let position = game.position().ok()?;
        let mut tablebases = self.tablebases.iter();
        let probed = tablebases.find_map(|tablebase| {
            Some(tablebase.outcomes(&position)).filter(|moves| !moves.is_empty())
        });
        let probed = probed.or_else(|| {
            let folder = self.folder.filter(|folder| folder.can_probe_quickly(&position))?;
            folder.probe_moves(&position, &NoObserver).ok()
        })?;
        probed.iter().map(|&(mv, ..)| mv).find(|&mv| may(mv))
    }
}

impl Player for TablebaseLookup<'_> {
    fn name(&self) -> String {
        "tablebase".into()
    }

    fn play(&mut self, game: &Game, clock: Option<Clock>) -> Option<Move> {
        let known = self.known(game, |_| true);
        known.or_else(|| self.otherwise.as_mut()?.play(game, clock))
    }

    fn choose_for(&mut self, game: &Game, request: &MoveRequest<'_>) -> Result<Choice, Forfeit> {
        match (self.known(game, |mv| request.allows(mv)), &mut self.otherwise) {
            (Some(mv), _) => Ok(Choice { mv, grounds: PolicyGrounds::Table.into() }),
            (None, Some(otherwise)) => otherwise.choose_for(game, request),
            (None, None) => Err(Forfeit::NoMove),
        }
    }

    fn begin_game(&mut self, start: &Game, observer: &dyn Observer) -> Result<(), Forfeit> {
        self.otherwise.as_mut().map_or(Ok(()), |otherwise| otherwise.begin_game(start, observer))
    }
}
