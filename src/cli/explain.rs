use super::Failure;
use super::opponent::tree_of;
use super::output::{Report, write};
use super::tables::Tables;
use lucena::chess::{Game, Move, Position};
use lucena::diagram::Diagram;
use lucena::explain::ExplainError;
use lucena::player::{GeneratedKind, Policy, SearchPlayer, TreePolicy};
use lucena::report;
use lucena::roster::{PlayerName, SearchName};
use std::path::PathBuf;
use std::sync::Arc;

/// Explain a move: what the player's tree sees in the position after it, or which rule of its strategy
/// chose it, and what others would cost
///
/// The strong side is to move. A tree's sentences are the tests on its path, one for each attribute; a
/// strategy's are what each key of the rule compared, and how many moves it left. With --instead, the
/// first test, condition or key at which two moves part is named, and what the other move costs against
/// every defence.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena explain '8/8/8/3k4/8/8/8/K6R w - - 0 1'
  lucena explain 8/8/8/3k4/8/8/8/K6R w --instead Kb2 --instead h1h4
  lucena explain 8/8/8/3k4/8/8/8/K6R w --svg move.svg
  lucena explain 8/8/8/3k4/8/8/8/K6R w --player strategy --instead Rh4
  lucena explain 8/8/8/3k4/8/8/8/K6R w --player tree:data/trees/KRvK.cart.json --format json
  lucena explain r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq --player search:depth=6")]
pub(super) struct Explain {
    /// The position as a FEN; quoting it is not needed, and its last fields may be left out
    #[arg(required = true)]
    fen: Vec<String>,
    /// theory: the smallest tree that always wins, of those that this build's code was generated from;
    /// exact: the one that knows every distance; tree:FILE: a tree from a file; strategy: the smallest
    /// strategy of this build; strategy:FILE: one from a file; search:depth=N and the like: what a search
    /// sees, and what the board is worth part by part; if left out, theory, and a search in whole games
    #[arg(long, value_name = "PLAYER")]
    player: Option<PlayerName>,
    /// Hold another move against the one that is played; may be given several times
    #[arg(long, value_name = "MOVE")]
    instead: Vec<String>,
    /// Also draw the move and the squares that the tests, or the key that decided, are about
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    tables: Tables,
    #[command(flatten)]
    report: Report,
}

impl Explain {
    pub(super) fn run(self) -> Result<(), Failure> {
        let game: Game = self.fen.join(" ").parse()?;
        let usual = || match game.position() {
            Ok(_) => PlayerName::Generated(GeneratedKind::Theory),
            Err(_) => PlayerName::Search(SearchName::usual()),
        };
        match self.player.clone().unwrap_or_else(usual) {
            PlayerName::Search(search) => self.explain_search(&search, &game),
            player @ PlayerName::Strategy(_) => self.explain_strategy(&player, &game.position()?),
            player => self.explain_tree(&player, &game.position()?),
        }
    }

    /// What a search sees.
    fn explain_search(&self, search: &SearchName, game: &Game) -> Result<(), Failure> {
        if !self.instead.is_empty() || self.svg.is_some() {
            return Err(Failure::usage(
                "--instead and --svg look into a tree or a strategy, and a search has neither: leave them out, or choose --player theory",
            ));
        }
        let evaluation = search.evaluation.load()?;
        let mut player = SearchPlayer::new(search.params, Arc::clone(&evaluation));
        let searched = report::searched(&mut player, &*evaluation, game);
        self.report.write(&searched, |out| searched.write_text(out))
    }

    /// What a tree sees.
    fn explain_tree(&self, player_name: &PlayerName, position: &Position) -> Result<(), Failure> {
        let material = position.material();
        let tree = tree_of(player_name, material)?;
        let player = TreePolicy::endgame(&tree)?;
        if player != material {
            // Said before anything is solved.
            return Err(ExplainError::OtherMaterial { player, position: material }.into());
        }
        let tablebase = self.tables.solve(material)?;
        let policy = TreePolicy::new(tree, &tablebase)?;
        let name = player_name.to_string();
        let explained = self.held_against(position, |moves| {
            report::explain(&policy, name.clone(), position, moves)
        })?;
        self.draw(|| explained.diagram())?;
        self.report.write(&explained, |out| explained.write_text(out))
    }

    /// Which rule of a strategy chose the move.
    fn explain_strategy(
        &self,
        player_name: &PlayerName,
        position: &Position,
    ) -> Result<(), Failure> {
        let material = position.material();
        let policy = player_name.load()?.strategy(material)?.expect("the player goes by one");
        let player = Policy::material(&policy);
        if player != material {
            // Said before anything is solved.
            return Err(ExplainError::OtherMaterial { player, position: material }.into());
        }
        let tablebase = self.tables.solve(material)?;
        let name = player_name.to_string();
        let explained = self.held_against(position, |moves| {
            report::explain_strategy(&policy, name.clone(), &tablebase, position, moves)
        })?;
        self.draw(|| explained.diagram())?;
        self.report.write(&explained, |out| explained.write_text(out))
    }

    /// Explains with the moves that are asked about.
    fn held_against<T>(
        &self,
        position: &Position,
        explain: impl Fn(&[Move]) -> Result<T, ExplainError>,
    ) -> Result<T, Failure> {
        let moves: Result<Vec<Move>, Failure> =
            self.instead.iter().map(|text| parse_move(position, text)).collect();
        match moves {
            Ok(moves) => Ok(explain(&moves)?),
            // What is wrong with the position is said before what is wrong with a move in it.
            Err(illegal) => Err(explain(&[]).map_or_else(Failure::from, |_| illegal)),
        }
    }

    /// Draws what was explained, if that is wanted.
    fn draw(&self, diagram: impl FnOnce() -> Diagram) -> Result<(), Failure> {
        match &self.svg {
            Some(path) => Ok(write(path, diagram().to_svg().as_bytes())?),
            None => Ok(()),
        }
    }
}

fn parse_move(position: &Position, text: &str) -> Result<Move, Failure> {
    position.parse_move(text).map_err(|illegal| {
        let moves: Vec<String> = position.moves().iter().flat_map(|&mv| position.san(mv)).collect();
        Failure::usage(format!("{illegal}: there are {}", moves.join(" ")))
    })
}
