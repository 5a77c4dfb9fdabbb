use super::file_kind::{load_player, read_as};
use super::output::{
    GameReportArgs, ProgressDisplay, check_outputs, is_stdout_taken, note_about, write_data,
    write_if,
};
use super::player_args::tree_of;
use super::syzygy::SyzygyArgs;
use super::tables::TableArgs;
use super::{Failure, Result};
use clap::ArgGroup;
use lucena::chess::pgn::{PgnGame, PgnReader};
use lucena::chess::{Game, Material, Move, Position, Side};
use lucena::explain::{AttributeNames, ExplainError, Explanation, Reasons, explain, explain_table};
use lucena::model::ModelKind;
use lucena::player::SearchPlayer;
use lucena::policy::EndgameModel;
use lucena::report::{self, Adviser, AnnotatedGames};
use lucena::roster::{LoadedPlayer, PlayerName, SearchName, default_explainer};
use lucena::tablebase::{Lookup, MoveVerdicts, ProbeTables, TableFolder, Tablebase};
use lucena_files::{ReadError, is_same_file};
use lucena_model::FileKind;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Explain the best move of either side, or a player's move: the tests of its tree in the position after the move, the
/// rule of its strategy, or what its measure forces, and the cost of other moves
///
/// For the strong side, the best move is explained by the first player of this build that plays it: the strategy, the
/// measure, the theory or the exact tree of the endgame. If none does, and for the weak side, the table explains it: the
/// moves that keep the result, and what each other move allows. With --player, the move of that player is explained, and
/// the best move named if it is another. For a tree, each sentence combines the tests of one attribute on the
/// path. For a strategy, each sentence tells what a key of the rule compared, and how many moves were left. For
/// a measure, the report tells which number each safe move forces, and how soon. With --instead, it names the
/// first test, condition or key at which the two moves differ, or the number that the other move forces, and
/// the cost of the other move against every defence.
///
/// Rules without exceptions tell why a position is won or drawn, and what the move reaches, where some are known. For a
/// position of five men whose table is not at hand, they alone are told.
///
/// The halfmove clock of the FEN counts: a move after which mate comes too late under the fifty-move rule gives the
/// win away. Where the distance to mate leaves this open, the distance to zeroing tells it. It is known for up to four
/// men, and for five where solve --class dtz has made a table or there are Syzygy files; without it, such a win is a
/// "maybe-win".
#[derive(clap::Args)]
#[command(group(ArgGroup::new("what").required(true).args(["fen", "pgn"])))]
#[command(after_help = "Examples:
  lucena explain '8/8/8/3k4/8/8/8/K6R w - - 0 1'
  lucena explain 8/4k3/8/3K4/4P3/8/8/8 b
  lucena explain 1K1k4/1P6/8/8/8/8/r7/2R5 w
  lucena explain 8/8/8/3k4/8/8/8/K6R w --instead Kb2 --instead h1h4
  lucena explain 8/8/8/3k4/8/8/8/K6R w --names
  lucena explain 8/8/8/3k4/8/8/8/K6R w --svg move.svg
  lucena explain 8/8/8/3k4/8/8/8/K6R w --player strategy --instead Rh4
  lucena explain 8/8/8/3k4/8/8/8/K6R w --player measure --instead Rh4
  lucena explain 8/8/8/3k4/8/8/8/K6R w --player tree:data/trees/KRvK.cart.json --format json
  lucena explain '8/8/8/5k2/2K5/3P4/8/8 w - - 98 90' --instead d4
  lucena explain --pgn games.pgn --out annotated.pgn
  lucena explain r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq --player search:depth=6")]
pub(super) struct Explain {
    /// The position as a FEN; quotes are not needed, and the last fields may be left out
    fen: Vec<String>,
    /// Annotate the endgames of a PGN file instead, with the cost of each move and the move of the player
    #[arg(long, value_name = "FILE", conflicts_with_all = ["instead", "svg", "names"])]
    pgn: Option<PathBuf>,
    /// Also write the annotated games to a PGN file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The player, but none that plays at random: see "lucena help players" [default: the first of strategy, measure,
    /// theory and exact that plays a best move, or else tablebase; a search in whole games; with --pgn,
    /// strategy]
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    /// Another move to compare with the one played; may be given several times
    #[arg(long, value_name = "MOVE")]
    instead: Vec<String>,
    /// Also draw the move and the squares that the tests, the deciding key or the measure are about
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also print the names and values of the attributes behind each sentence
    #[arg(long)]
    names: bool,
    #[command(flatten)]
    syzygy: SyzygyArgs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    report: GameReportArgs,
}

/// The games of a file with their numbers, and the faults of those that are left out.
type ReadGames = (Vec<(u64, PgnGame)>, Vec<Failure>);

impl Explain {
    pub(super) fn run(self) -> Result<()> {
        check_outputs(&[("--out", self.out.as_deref()), ("--svg", self.svg.as_deref())])?;
        if let Some(path) = &self.pgn {
            return self.annotate(path);
        }
        if self.report.is_game() || self.out.is_some() {
            return Err(Failure::usage(
                "--format pgn and --out are for games: give a file by --pgn, or leave them out",
            ));
        }
        let game: Game = self.fen.join(" ").parse()?;
        let is_endgame = game.position().is_ok();
        match &self.player {
            None if !is_endgame => self.explain_search(&SearchName::usual(), &game),
            Some(PlayerName::Search(search)) => self.explain_search(search, &game),
            Some(player @ (PlayerName::Trained { .. } | PlayerName::Published(_))) => {
                self.explain_trained(player, &game)
            }
            None => {
                match report::explain_by_rules(&game).filter(|_| self.is_left_to_rules(&game)) {
                    Some(told) => self.report.write(&told, |out| told.write_text(&game, out)),
                    None => self.explain_endgame(None, &game),
                }
            }
            player => self.explain_endgame(player.as_ref(), &game),
        }
    }

    /// Reports what the moves of games cost. Damaged games are reported and left out.
    fn annotate(&self, path: &Path) -> Result<()> {
        let (games, damaged) = read_as(path, &[FileKind::Games], || self.games(path))?;
        self.annotate_games(games, damaged)
    }

    /// The games in a file, each with its number, and the failures to read others.
    fn games(&self, path: &Path) -> Result<ReadGames> {
        let shown = path.display();
        if self.out.as_ref().is_some_and(|out| is_same_file(path, out)) {
            let refused = format!("--out would write over {shown}: name another file");
            return Err(Failure::usage(refused));
        }
        let unread = |source| ReadError { path: path.into(), source };
        let file = BufReader::new(File::open(path).map_err(unread)?);
        let (mut games, mut damaged) = (Vec::new(), Vec::new());
        let mut reader = PgnReader::new(file);
        for (number, game) in (1..).zip(reader.by_ref()) {
            match game {
                Ok(game) => games.push((number, game)),
                Err(error) => damaged.push(Failure::of_games(path, error)),
            }
        }
        if games.is_empty() {
            return Err(damaged.into_iter().next().unwrap_or_else(|| Failure::no_game(path)));
        }
        note_about(path, &reader.log().warning_strings());
        Ok((games, damaged))
    }

    fn annotate_games(&self, games: Vec<(u64, PgnGame)>, mut damaged: Vec<Failure>) -> Result<()> {
        let (folder, bar) = (self.tables.folder(), ProgressDisplay::new());
        let syzygy = self.syzygy.open()?;
        let probed = ProbeTables::new(&folder, syzygy.as_ref());
        let lookup = probed.quick_lookup(&bar);
        let mut tables = Vec::new();
        for material in Self::advised(&games, &folder) {
            if let Some(player) = self.adviser_of(material)? {
                tables.push((player, folder.tablebase(material, &bar)?));
            }
        }
        let advisers = tables.iter().map(|(player, tablebase)| adviser(player, tablebase));
        let advisers: Vec<Adviser<'_>> = advisers.collect::<Result<_>>()?;
        let look =
            |position: &Position, clock| Ok::<_, Failure>(lookup.move_verdicts(position, clock)?);
        let annotated = AnnotatedGames::new(games, damaged.len() as u64, look, &advisers)?;
        drop(bar);
        write_if(&self.out, || annotated.pgn())?;
        match self.report.is_game() {
            // If --out is standard output, the games are there already.
            true if is_stdout_taken() => {}
            true => write_data(annotated.pgn().as_bytes())?,
            false => self.report.write(&annotated, |out| annotated.write_text(out))?,
        }
        // Every failure is reported: the last one by the caller, the others here.
        let last = damaged.pop();
        for failure in damaged {
            failure.report();
        }
        last.map_or(Ok(()), Err)
    }

    /// The endgames in which the strong side was to move, so that a player has a move to advise.
    fn advised(games: &[(u64, PgnGame)], folder: &TableFolder) -> BTreeSet<Material> {
        let boards = games.iter().flat_map(|(_, game)| game.game.history());
        let positions = boards.filter_map(|(board, _)| Position::from_board(board).ok());
        let strong = positions.filter(|position| position.turn() == Side::Strong);
        let materials = strong.map(|position| position.material());
        materials.filter(|&material| folder.has_quickly(material)).collect()
    }

    /// The player that advises in an endgame; `None` if it does not play that endgame.
    fn adviser_of(&self, material: Material) -> Result<Option<PlayerName>> {
        let player = self.player.clone().unwrap_or(PlayerName::Smallest(ModelKind::Strategy));
        let plays = match &player {
            PlayerName::Smallest(_) | PlayerName::Generated(_) | PlayerName::BuiltIn(..) => {
                player.built_in(material).is_some()
            }
            PlayerName::ModelFile(..) => load_player(&player)?.endgame()? == Some(material),
            // The error names the players that can be asked.
            other => tree_of(other, material).map(|_| true)?,
        };
        Ok(plays.then_some(player))
    }

    /// Refuses the options that look into a tree, a strategy or a measure.
    fn check_plain(&self, kind: &str) -> Result<()> {
        if !self.instead.is_empty() || self.svg.is_some() || self.names {
            return Err(Failure::usage(format!(
                "--instead, --svg and --names look into a tree, a strategy or a measure, and {kind} has none: leave them out, or choose --player theory"
            )));
        }
        Ok(())
    }

    /// Returns true if a position is best left to rules, because its table would have to be solved for long.
    fn is_left_to_rules(&self, game: &Game) -> bool {
        let material = game.position().map(|position| position.material());
        let is_plain = self.instead.is_empty() && self.svg.is_none() && !self.names;
        is_plain && material.is_ok_and(|material| !self.tables.folder().has_quickly(material))
    }

    /// Explains the move of a trained player by its predictions.
    fn explain_trained(&self, name: &PlayerName, game: &Game) -> Result<()> {
        self.check_plain("a trained player")?;
        let player = load_player(name)?;
        let predictions = player.predictions(game, |material| {
            check_endgame(material, game.position()?.material())?;
            self.tables.solve(material)
        })?;
        let told =
            report::explain_trained(name.to_string(), &predictions.unwrap_or_default(), game);
        self.write(&told, told.reasons(game).as_ref())
    }

    /// Explains the move of a search by what it sees.
    fn explain_search(&self, search: &SearchName, game: &Game) -> Result<()> {
        self.check_plain("a search")?;
        let evaluation = search.evaluation.load()?;
        let mut player = SearchPlayer::new(search.params, Arc::clone(&evaluation));
        let searched = report::explain_search(&mut player, &*evaluation, game);
        self.write(&searched, searched.reasons(game).as_ref())
    }

    /// Explains the move of a player that goes by a tree, a strategy, a measure or the table, by default one that plays a
    /// best move.
    fn explain_endgame(&self, player: Option<&PlayerName>, game: &Game) -> Result<()> {
        let material = game.position()?.material();
        let chosen = player.map(|player| load_explainer(player, material)).transpose()?;
        let (tablebase, verdicts) = self.judge(game)?;
        let player = match chosen {
            Some(player) => player,
            None => default_explainer(&tablebase, &verdicts).load()?,
        };
        let policy = match player.model(material)? {
            Some(model) => Some(model.policy(&tablebase)?),
            None if self.player.is_some() => Some(player.policy(&tablebase)?),
            None => None,
        };
        let name = player.name().to_string();
        let told = self.held_against(verdicts.position(), |moves| match &policy {
            Some(policy) => explain(&**policy, &name, &tablebase, &verdicts, moves),
            None => {
                let told = explain_table(&tablebase, &verdicts, None, moves)?;
                Ok(Explanation::Table(Box::new(told)))
            }
        })?;
        self.write(&told, Some(&told.reasons(&tablebase)?))
    }

    /// Writes the report of a move, as text that is the same for all kinds of players, and draws its picture.
    fn write(&self, told: &impl Serialize, reasons: Option<&Reasons>) -> Result<()> {
        if let Some(diagram) = reasons.and_then(|reasons| reasons.diagram.as_ref()) {
            write_if(&self.svg, || diagram.to_svg())?;
        }
        let names = if self.names { AttributeNames::Shown } else { AttributeNames::Hidden };
        self.report.write(told, |out| match reasons {
            Some(reasons) => reasons.write_text(names, out),
            None => writeln!(out, "The player has no move here."),
        })
    }

    /// The table of a game's endgame, and the verdicts on the position and its moves.
    fn judge(&self, game: &Game) -> Result<(Tablebase, MoveVerdicts)> {
        let (position, clock) = (&game.position()?, game.halfmove_clock());
        let (syzygy, bar) = (self.syzygy.open()?, ProgressDisplay::new());
        let folder = self.tables.folder_for(&[position.material()])?;
        let tablebase = folder.tablebase(position.material(), &bar)?;
        let tables = ProbeTables::new(&folder, syzygy.as_ref());
        let lookup = tables.quick_lookup(&bar);
        let verdicts = tablebase.verdicts_with(&lookup, position, clock)?;
        Ok((tablebase, verdicts))
    }

    /// Calls `explain` with the moves of --instead.
    fn held_against<T>(
        &self,
        position: &Position,
        explain: impl Fn(&[Move]) -> Result<T, ExplainError>,
    ) -> Result<T> {
        let moves = self.instead.iter().map(|text| parse_move(position, text));
        match moves.collect::<Result<Vec<Move>>>() {
            Ok(moves) => Ok(explain(&moves)?),
            // An error in the position is reported before one in a move.
            Err(illegal) => Err(explain(&[]).map_or_else(Failure::from, |_| illegal)),
        }
    }
}

/// Checks that a player plays the endgame of a position: before it is solved, since that takes longer.
fn check_endgame(player: Material, position: Material) -> Result<(), ExplainError> {
    match player == position {
        true => Ok(()),
        false => Err(ExplainError::OtherMaterial { player, position }),
    }
}

/// Loads a player that gives reasons for its moves in an endgame.
fn load_explainer(player: &PlayerName, material: Material) -> Result<LoadedPlayer> {
    let loaded = load_player(player)?;
    match loaded.model(material)? {
        Some(model) => check_endgame(model.endgame()?, material)?,
        None if *player == PlayerName::Tablebase => {}
        // The error names the players that can be asked.
        None => tree_of(player, material).map(|_| ())?,
    }
    Ok(loaded)
}

/// The model that a player goes by in an endgame.
fn model_of(player: &PlayerName, material: Material) -> Result<EndgameModel> {
    match load_player(player)?.model(material)? {
        Some(model) => Ok(model),
        // The error names the players that can be asked.
        None => Ok(EndgameModel::Tree(Arc::new(tree_of(player, material)?))),
    }
}

/// The adviser of a player for the endgame of a table.
fn adviser<'t>(player: &PlayerName, tablebase: &'t Tablebase) -> Result<Adviser<'t>> {
    let policy = model_of(player, tablebase.material())?.policy(tablebase)?;
    Ok(Adviser { player: player.to_string(), policy, tablebase })
}

fn parse_move(position: &Position, text: &str) -> Result<Move> {
    position.parse_move(text).map_err(|illegal| {
        let moves: Vec<String> = position.moves().iter().flat_map(|&mv| position.san(mv)).collect();
        Failure::usage(format!("{illegal}: there are {}", moves.join(" ")))
    })
}
