use super::file_kind::read_as;
use super::labels::part_of;
use super::output::{ProgressDisplay, ReportArgs, check_outputs, write_if, write_with};
use super::player_args::PlayerArgs;
use super::terminal::note;
use super::{Failure, Result, one_of};
use lucena::certificate::Certificate;
use lucena::chess::{Material, Position, QUICK_MEN, Side};
use lucena::progress::timed;
use lucena::proof::{ProveError, ProvedGame};
use lucena::report::{self, ProveOptions, ZeroingTable, write_moves};
use lucena::roster::LoadedPlayer;
#[cfg(feature = "serve")]
use lucena::roster::PlayerName;
use lucena::rules::RuleList;
use lucena::symmetry::Group;
use lucena::tablebase::Metric;
use lucena_files::load_text;
use lucena_model::FileKind;
use std::path::PathBuf;

/// Prove how strong a player is: from every position, against every defence
///
/// A position is won if the player's move mates, or if it does not stalemate and every reply leads to a
/// position already known to be won. A drawn position is held if no play of the other side gets to a move that loses.
/// Captures and promotions lead to other endgames, whose outcome the table gives. The exit code is 1 if the player does not win every position that can be won, or loses one
/// that is drawn; a line then shows why. With --check, it is 1 only if the certificate differs from the
/// proof.
///
/// If a won position takes more than 50 moves, the proof also counts the positions that are won within the fifty-move
/// rule, from a clock of zero. For captures and pawn moves set the clock to zero again. This needs the table of
/// distances to zeroing, which is solved first if it is not at hand.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  lucena prove
  lucena prove --player tree:data/trees/KRvK.cart.json --format json
  lucena prove --fen '8/8/8/8/8/1k6/8/K1R5 w - - 0 1'
  lucena prove --certificate KRvK.certificate.json
  lucena prove --check KRvK.certificate.json
  lucena prove KQvKR --player tablebase --side weak
  lucena prove KPvK --where 'PRank = 7'
  lucena prove --player exact --moves moves.csv  the chosen move of all 175,168 positions, to be checked elsewhere")]
pub(super) struct Prove {
    #[command(flatten)]
    choice: PlayerArgs,
    /// The side that the player plays: strong or weak [default: the one that it is made for]
    #[arg(long, value_parser = one_of::<Side>())]
    side: Option<Side>,
    /// Prove from the positions that fulfil a condition on attributes, such as 'PRank = 7'; several must all hold. The
    /// player plays on wherever that leads [default: those that the player is made for]
    #[arg(long = "where", value_name = "CONDITION")]
    within: Vec<String>,
    /// Also report on this position: the mate against the longest resistance, or the shortest line that
    /// refutes the player
    #[arg(long = "fen", alias = "from", value_name = "FEN")]
    from: Option<Position>,
    /// Also write csv with the chosen move of every position, or with all that tie: fen,move
    #[arg(long, value_name = "FILE")]
    moves: Option<PathBuf>,
    /// Also write a certificate: the result of the proof, as JSON that --check reads
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    certificate: Option<PathBuf>,
    /// Compare with a certificate, and replay its lines by the rules
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    #[command(flatten)]
    report: ReportArgs,
}

impl Prove {
    /// The values of options that are left out, by id.
    #[cfg(feature = "serve")]
    pub(super) fn defaults(&self) -> Vec<(&'static str, String)> {
        self.choice.defaults()
    }

    /// Checks that the player can be proved, without solving anything.
    #[cfg(feature = "serve")]
    pub(super) fn check(&self) -> Result<()> {
        if let Some(PlayerName::Random | PlayerName::KingRefugee) = self.choice.player {
            return Err(Failure::usage(
                "random moves cannot be proved: choose another player, or play sample games",
            ));
        }
        self.choice.check()
    }

    /// Estimates the memory for the proof of a player that may be made for a part of its endgame.
    fn memory(&self, is_made_for_part: bool, material: Material, symmetries: Group) -> u64 {
        if is_made_for_part || !self.within.is_empty() {
            ProvedGame::memory_of_part(material, symmetries)
        } else {
            ProvedGame::memory(material, symmetries)
        }
    }

    /// The part of the endgame from which to prove, if one is requested.
    fn part(&self, material: Material) -> Result<Option<RuleList>> {
        (!self.within.is_empty()).then(|| part_of(material, &self.within)).transpose()
    }

    pub(super) fn run(mut self) -> Result<()> {
        let (moves, certificate) = (self.moves.as_deref(), self.certificate.as_deref());
        check_outputs(&[("--moves", moves), ("--certificate", certificate)])?;
        if let Some(position) = &self.from {
            self.choice.take_material_of(position)?;
        }
        let kinds = &[FileKind::Certificate];
        let read = |path| read_as(path, kinds, || load_text(path, Certificate::from_json));
        let certificate = self.check.as_deref().map(read).transpose()?;
        let what = |material: Material| format!("proving a player of {material}");
        let check = |player: &LoadedPlayer, material: Material| {
            player.check_policy(material)?;
            let side = player.side_played(self.side)?;
            if let Some(other) = self.from.filter(|position| position.turn() != side) {
                return Err(ProveError::OtherSideToMove(other.color_to_move()).into());
            }
            if material.men() <= QUICK_MEN {
                return Ok(());
            }
            // This is a lower bound: players that ignore the board's symmetries take more, which is checked
            // below.
            let least = self.memory(player.is_made_for_part(), material, Group::new(material));
            let tables = &self.choice.tables;
            tables.check_allowed(&what(material), tables.bytes_loaded(material) + least)
        };
        let ready = self.choice.load(check)?.unpacked()?;
        // Some players compute their grades here, which is part of the work measured.
        let (policy, preparing) = timed(|| ready.policy_for(self.side));
        let policy = policy?;
        let material = policy.material();
        if material.men() > QUICK_MEN {
            let is_part = ready.player().is_made_for_part();
            let proof = self.memory(is_part, material, policy.symmetries());
            let tables = &self.choice.tables;
            tables.reserve(&what(material), tables.bytes_loaded(material) + proof)?;
        }
        let bar = ProgressDisplay::new();
        let name = self.check.as_deref().map(|path| path.display().to_string());
        let certificate = name.as_deref().zip(certificate.as_ref());
        let tables = &self.choice.tables;
        let folder = tables.folder().of_metric(Metric::Dtz);
        let zeroing = || folder.tablebase(material, &bar);
        let is_allowed = tables.allows(folder.requirements(material).memory);
        let zeroing = is_allowed.then_some::<ZeroingTable<'_>>(&zeroing);
        let part = self.part(material)?;
        let besides =
            ProveOptions { zeroing, part: part.as_ref(), from: self.from.as_ref(), certificate };
        let mut proved = report::prove(&*policy, &ready.tablebase, besides, &bar)?;
        proved.worth.seconds += preparing;
        drop(bar);
        if !is_allowed && proved.worth.won_within_rule.is_none() {
            note(
                "the wins within the fifty-move rule are not counted: the table of distances to zeroing takes more memory than --memory allows",
            );
        }
        if let Some(path) = &self.moves {
            write_with(path, |file| write_moves(&*policy, file))?;
        }
        write_if(&self.certificate, || proved.proved.to_json())?;
        self.report.write(&proved, |out| proved.write_text(out))?;
        if proved.passes() { Ok(()) } else { Err(Failure::Check) }
    }
}
