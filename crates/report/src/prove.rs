//! The proved strength of a player: in numbers, from one position, and compared with a certificate.

use super::{ReportError, timed};
use lucena_base::plural::{count, grouped, moves, percent};
use lucena_base::progress::{Observer, Stopped};
use lucena_base::wilson::share;
use lucena_chess::{Move, Position, Side};
use lucena_model::ModelKind;
use lucena_proof::certificate::{Certificate, CertificateLine, CertificateRefutation, Difference};
use lucena_proof::policy::{Effort, PlayedModel, Policy, PolicyGrounds, UsedRule};
use lucena_proof::{
    Mate, Proof, ProveError, ProvedGame, Reason, Refutation, Verdict, WinsWithinRule,
    visit_chosen_moves,
};
use lucena_rules::{Clause, RuleList};
use lucena_tablebase::{Outcome, Tablebase};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::{self, Write};

/// The strength of a player from every position against every defence. Positions are those of the
/// full board with the strong side to move.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProofSummary {
    /// The side that the player plays.
    pub side: Side,
    /// The conditions that the positions fulfil from which it was proved; empty if it was proved from all.
    #[serde(rename = "where")]
    pub within: Vec<String>,
    /// The numbers of the proof.
    #[serde(flatten)]
    pub proof: Proof,
    /// The won positions in which the player wins within the fifty-move rule, from a clock of zero; null if that takes a
    /// table of distances to zeroing, and none was looked at.
    pub won_within_rule: Option<u64>,
    /// The positions that the strong side wins within the fifty-move rule with best play; null likewise.
    pub winnable_within_rule: Option<u64>,
    /// Leaves of the player's tree; null for a player without one.
    pub leaves: Option<usize>,
    /// Rules of the player's strategy; null for a player without one.
    pub rules: Option<usize>,
    /// Conditions and keys of the player's strategy; null for a player without one.
    pub size: Option<usize>,
    /// Terms of the player's measure; null for a player without one.
    pub terms: Option<usize>,
    /// Moves that the player's measure looks ahead; null for a player without one.
    pub look: Option<u8>,
    /// Mean nodes that the player searches for a move; null for a player that does not count them.
    pub nodes_a_move: Option<f64>,
    /// A line that shows why a position is not won or not held; null if there is none.
    pub refutation: Option<CertificateRefutation>,
    /// The rule used for each move of the strong side in that line; null if there is no line, and
    /// for a player without rules.
    pub refutation_rules: Option<Vec<RuleUse>>,
    /// Seconds that the proof took, with its lines and everything else that was requested.
    pub seconds: f64,
}

/// A proof, and the requested additions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProveReport {
    /// The proved strength of the player.
    #[serde(flatten)]
    pub worth: ProofSummary,
    /// The play from the requested position; null if none was requested.
    pub from: Option<PositionProof>,
    /// The comparison with a given certificate; null if none was given.
    pub certificate: Option<CertificateCheck>,
    /// The certificate of this proof.
    #[serde(skip)]
    pub proved: Certificate,
}

/// The play of a player from one position.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PositionProof {
    /// The position, as a FEN.
    pub fen: String,
    /// True if the player mates against every defence.
    pub won: bool,
    /// The player's moves to mate against the longest defence; null if it is not won.
    pub moves: Option<usize>,
    /// The moves to mate with best play; null if nobody can force it.
    pub optimal_moves: Option<u16>,
    /// The moves of both sides in UCI: to the mate, or to the end that shows that it is not won.
    pub line: Vec<String>,
    /// The moves of both sides in standard algebraic notation.
    pub san: Vec<String>,
    /// The end of a line that does not win; null if the position is won.
    pub reason: Option<Reason>,
    /// False if the search for the shortest line that does not win reached its limit of work, so that there may be a
    /// shorter one; null if the position is won.
    pub is_shortest: Option<bool>,
    /// The rule used for each move of the strong side; null for a player without rules.
    pub rules: Option<Vec<RuleUse>>,
}

/// The comparison of a proof with a certificate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CertificateCheck {
    /// True if everything in the certificate was proved again.
    pub agrees: bool,
    /// The statements of the certificate that do not hold.
    pub differences: Vec<Difference>,
    /// The name of the certificate for people.
    #[serde(skip)]
    name: String,
}

/// A way to get the table of distances to zeroing of the endgame.
pub type ZeroingTable<'a> = &'a (dyn Fn() -> Result<Tablebase, Stopped> + Sync);

/// Optional additions to a proof.
#[derive(Clone, Copy, Default)]
pub struct ProveOptions<'a> {
    /// The table for wins within the fifty-move rule; it is only asked for if a won position takes so long.
    pub zeroing: Option<ZeroingTable<'a>>,
    /// The part of the endgame from which to prove, as a list without rules; if absent, the one that the player is made for,
    /// or all. The player plays on wherever that leads.
    pub part: Option<&'a RuleList>,
    /// A position to play from.
    pub from: Option<&'a Position>,
    /// A certificate to compare with, and its name.
    pub certificate: Option<(&'a str, &'a Certificate)>,
}

/// Proves a policy, with the requested additions: see [`lucena_proof`].
///
/// # Errors
/// If the table is of another material, the policy does not play the position, or the work was
/// stopped.
pub fn prove(
    policy: &dyn Policy,
    tablebase: &Tablebase,
    besides: ProveOptions<'_>,
    observer: &dyn Observer,
) -> Result<ProveReport, ReportError> {
    let (proved, seconds) = timed(|| prove_untimed(policy, tablebase, besides, observer));
    let mut proved = proved?;
    proved.worth.seconds = seconds;
    Ok(proved)
}

fn prove_untimed(
    policy: &dyn Policy,
    tablebase: &Tablebase,
    besides: ProveOptions<'_>,
    observer: &dyn Observer,
) -> Result<ProveReport, ReportError> {
    let own = made_for(policy);
    let part = besides.part.or(own.as_ref());
    let game = match besides.part {
        Some(part) => {
            let is_in_part = |position: &Position| part.is_about(position);
            ProvedGame::of_part(policy, tablebase, &is_in_part, observer)?
        }
        None => ProvedGame::with_observer(policy, tablebase, observer)?,
    };
    let proof = game.proof(observer)?;
    let within = formulas_of(part);
    let proved = Certificate::new(policy, &proof).within(within.clone());
    let from = match besides.from {
        Some(position) => {
            let verdict = game.verdict(position, observer)?;
            Some(PositionProof::new(policy, &verdict, tablebase.outcome(position)))
        }
        None => None,
    };
    tablebase.check_readable()?;
    let certificate = besides.certificate.map(|(name, certificate)| {
        let differences = certificate.check_against(&proved, policy);
        CertificateCheck { agrees: differences.is_empty(), differences, name: name.into() }
    });
    let mut worth = ProofSummary { within, ..ProofSummary::new(policy, &proof, 0.0) };
    let zeroing = besides.zeroing.filter(|_| part.is_none() && !proof.fifty_move_safe);
    if let Some(zeroing) = zeroing {
        let WinsWithinRule { winnable, won } = game.within_rule(&zeroing()?, observer)?;
        worth.winnable_within_rule = Some(winnable);
        worth.won_within_rule = Some(won);
    }
    observer.check()?;
    Ok(ProveReport { worth, from, certificate, proved })
}

/// The conditions of a part of an endgame, as formulas; none for all of it.
fn formulas_of(part: Option<&RuleList>) -> Vec<String> {
    part.map(|part| part.formulas(part.within())).unwrap_or_default()
}

/// The part of its endgame that a policy is made for, as a list without rules; `None` if it is made for all.
fn made_for(policy: &dyn Policy) -> Option<RuleList> {
    let Some(PlayedModel::Strategy(strategy)) = policy.model() else { return None };
    let conditions = &strategy.strategy().domain().conditions;
    let clauses = conditions.iter().copied().map(Clause::new).collect();
    let part = || RuleList::new(strategy.attributes().clone(), clauses, Vec::new());
    (!conditions.is_empty()).then(part)
}

/// Writes the moves that a policy may choose in every position, as CSV: fen,move. Tied moves share
/// one field, separated by spaces. The field is empty if there is no move.
pub fn write_moves(policy: &dyn Policy, out: &mut dyn Write) -> io::Result<()> {
    // An error of the writer below is passed on unchanged.
    let as_it_is = |error: csv::Error| match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    };
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["fen", "move"]).map_err(as_it_is)?;
    visit_chosen_moves(policy, |position, moves| {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        writer.write_record([position.to_string(), moves.join(" ")]).map_err(as_it_is)
    })?;
    writer.flush()
}

impl ProofSummary {
    /// The strength of a policy by its proof.
    pub fn new(policy: &dyn Policy, proof: &Proof, seconds: f64) -> Self {
        let refutation = proof.refutation.as_ref();
        let used = refutation.and_then(|one| rules_used(policy, one.start, &one.line));
        let figures = policy.model().map(|model| model.figures()).unwrap_or_default();
        Self {
            side: policy.side(),
            within: formulas_of(made_for(policy).as_ref()),
            proof: proof.clone(),
            won_within_rule: proof.won_within_rule(),
            winnable_within_rule: proof.winnable_within_rule(),
            leaves: figures.leaves,
            rules: figures.rules,
            size: figures.size,
            terms: figures.terms,
            look: figures.look,
            nodes_a_move: policy.effort().and_then(|effort| match effort {
                Effort::Nodes(nodes) => Some(nodes),
                Effort::Tests(_) => None,
            }),
            refutation: refutation.map(CertificateRefutation::from),
            refutation_rules: used,
            seconds,
        }
    }

    /// The strength of a policy, proved.
    pub(super) fn proved(
        policy: &dyn Policy,
        tablebase: &Tablebase,
        observer: &dyn Observer,
    ) -> Result<Self, ProveError> {
        let prove = || {
            Ok::<_, ProveError>(
                ProvedGame::with_observer(policy, tablebase, observer)?.proof(observer)?,
            )
        };
        let (proof, seconds) = timed(prove);
        Ok(Self::new(policy, &proof?, seconds))
    }

    /// Returns true if the player wins all that can be won and loses nothing that can be held.
    pub fn is_complete(&self) -> bool {
        self.proof.wins_all() && self.proof.holds_all()
    }

    /// The share of the positions that can be won that the player wins; `None` if none can be won.
    pub fn share_won(&self) -> Option<f64> {
        share(self.proof.won, self.proof.winnable)
    }

    /// The proof in one line.
    pub fn sentence(&self) -> String {
        if self.holds_first() { self.held_sentence() } else { self.won_sentence() }
    }

    /// Returns true if it is told first what the player holds.
    fn holds_first(&self) -> bool {
        self.proof.drawable > 0 && (self.proof.winnable == 0 || self.side == Side::Weak)
    }

    fn won_sentence(&self) -> String {
        let Proof { won, positions, longest_moves, mean_excess_moves, .. } = self.proof;
        won_sentence(won, positions, longest_moves, mean_excess_moves)
    }

    /// "4,321 of 4,321 drawn positions held".
    fn held_sentence(&self) -> String {
        let Proof { held, drawable, .. } = self.proof;
        format!("{} of {} drawn positions held", grouped(held), grouped(drawable))
    }

    /// A line for people that shows why the player does not win; `None` if there is none.
    pub fn refutation_line(&self) -> Option<String> {
        self.refutation.as_ref().map(not_won)
    }

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Proof { positions, winnable, drawable, held, .. } = self.proof;
        if self.holds_first() {
            if winnable > 0 {
                writeln!(out, "  {}", self.won_sentence())?;
            }
            if drawable + winnable < positions {
                writeln!(
                    out,
                    "  lost with best play: {}",
                    grouped(positions - drawable - winnable)
                )?;
            }
        }
        if winnable > 0 && winnable < positions {
            writeln!(out, "  positions that can be won: {}", grouped(winnable))?;
        }
        if !self.holds_first() && held < drawable {
            writeln!(out, "  {}", self.held_sentence())?;
        }
        if let Some(leaves) = self.leaves {
            writeln!(out, "  tree: {}", count(leaves as u64, "leaf", "leaves"))?;
        }
        if let (Some(rules), Some(size)) = (self.rules, self.size) {
            let (rules, size) = (count(rules as u64, "rule", "rules"), grouped(size as u64));
            writeln!(out, "  strategy: {rules}, size {size}")?;
        }
        if let (Some(terms), Some(look)) = (self.terms, self.look) {
            let (terms, look) = (count(terms as u64, "term", "terms"), moves(look.into()));
            writeln!(out, "  measure: {terms}, looking {look} ahead")?;
        }
        if let Some(nodes) = self.nodes_a_move {
            writeln!(out, "  nodes a move: {}", grouped(nodes.round() as u64))?;
        }
        writeln!(out, "  optimal moves: {}", percent(self.proof.optimal_share))?;
        let is_safe = self.proof.fifty_move_safe;
        let fifty = if is_safe { "never reached" } else { "REACHED in a won position" };
        writeln!(out, "  fifty-move rule: {fifty}")?;
        if let (false, Some(won), Some(winnable)) =
            (is_safe, self.won_within_rule, self.winnable_within_rule)
        {
            let (won, winnable) = (grouped(won), grouped(winnable));
            writeln!(
                out,
                "  won within it, from a clock of zero: {won} of {winnable} that can be"
            )?;
        }
        if let Some(line) = self.refutation_line() {
            writeln!(out, "  {line}")?;
        }
        if let Some(used) = &self.refutation_rules {
            writeln!(out, "  rules used: {}", sentence(used))?;
        }
        writeln!(out, "  proved in {:.4} s", self.seconds)
    }
}

/// "175,168 of 175,168 positions won, longest 16 moves, 0.00 moves over the optimum".
pub(super) fn won_sentence(
    won: u64,
    positions: u64,
    longest_moves: Option<u16>,
    mean_excess_moves: Option<f64>,
) -> String {
    let won = format!("{} of {} positions won", grouped(won), grouped(positions));
    match lengths(longest_moves, mean_excess_moves) {
        Some(lengths) => format!("{won}, {lengths}"),
        None => won,
    }
}

/// The lengths of won games in words; `None` if nothing is won.
pub(super) fn lengths(longest: Option<u16>, excess: Option<f64>) -> Option<String> {
    let (longest, excess) = (moves(longest?.into()), excess?);
    Some(format!("longest {longest}, {excess:.2} moves over the optimum"))
}

/// The remark on a line that may not be the shortest.
const LIMIT: &str = "; a shorter line may exist: the search for one reached its limit";

/// A line that shows why a player does not win, in words.
pub(super) fn not_won(refutation: &CertificateRefutation) -> String {
    let CertificateRefutation { fen, san, reason, is_shortest, .. } = refutation;
    let limit = if *is_shortest { "" } else { LIMIT };
    format!("not won: {fen}, because of {} ({reason}){limit}", san.join(" "))
}

impl ProveReport {
    /// Returns true if the certificate agrees or, without one, the player wins all that can be won
    /// and loses nothing that can be held.
    pub fn passes(&self) -> bool {
        self.certificate.as_ref().map_or(self.worth.is_complete(), |checked| checked.agrees)
    }

    /// Writes the report in sentences.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Certificate { material, player, .. } = &self.proved;
        let side = match self.worth.side {
            Side::Strong => "",
            Side::Weak => " for the weak side",
        };
        let part = match self.worth.within.as_slice() {
            [] => String::new(),
            conditions => format!(" where {}", conditions.join(" and ")),
        };
        writeln!(out, "{material}{part}, player {player}{side}: {}", self.worth.sentence())?;
        self.worth.write_text(out)?;
        if let Some(from) = &self.from {
            writeln!(out, "{}", from.sentence())?;
            if let Some(used) = &from.rules {
                writeln!(out, "  rules used: {}", sentence(used))?;
            }
        }
        match &self.certificate {
            None => Ok(()),
            Some(CertificateCheck { agrees: true, name, .. }) => {
                writeln!(out, "{name} agrees: all that it says has been proved again")
            }
            Some(CertificateCheck { differences, name, .. }) => {
                differences.iter().try_for_each(|one| writeln!(out, "{name} differs: {one}"))
            }
        }
    }
}

impl PositionProof {
    fn new(policy: &dyn Policy, fate: &Verdict, best: Outcome) -> Self {
        let optimal_moves = best.moves_to_win();
        let rules = match fate {
            Verdict::Won(Mate { start, line })
            | Verdict::NotWon(Refutation { start, line, .. }) => rules_used(policy, *start, line),
        };
        let (CertificateLine { fen, line, san }, moves, end) = match fate {
            Verdict::Won(mate) => (mate.into(), Some(mate.moves()), None),
            Verdict::NotWon(refutation) => {
                let CertificateRefutation { fen, line, san, reason, is_shortest } =
                    refutation.into();
                (CertificateLine { fen, line, san }, None, Some((reason, is_shortest)))
            }
        };
        let (reason, is_shortest) = end.unzip();
        let won = reason.is_none();
        Self { fen, won, moves, optimal_moves, line, san, reason, is_shortest, rules }
    }

    /// The play from the position in a sentence.
    fn sentence(&self) -> String {
        let optimum = match self.optimal_moves {
            Some(optimal) => format!("the optimum is mate in {}", moves(optimal.into())),
            None => "nobody can force a mate".into(),
        };
        let (fen, san) = (&self.fen, self.san.join(" "));
        match self.reason {
            None => {
                let mate = moves(self.moves.unwrap_or_default() as u64);
                format!("from {fen}: mate in {mate} ({optimum}): {san}")
            }
            Some(reason) => {
                let limit = if self.is_shortest == Some(false) { LIMIT } else { "" };
                format!("from {fen}: not won ({optimum}), because of {san} ({reason}){limit}")
            }
        }
    }
}

/// The rule used for a move of the strong side in a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RuleUse {
    /// The move, in standard algebraic notation.
    pub san: String,
    /// The number of the rule, from 1; null if none was used.
    pub rule: Option<usize>,
    /// The number of tied moves; of several, the line takes the one that is best for the defender.
    pub tied: usize,
}

/// The rule used for each move of the strong side in a line; `None` for a player without rules. The
/// list ends where the line leads to another endgame, which the player does not play.
fn rules_used(policy: &dyn Policy, start: Position, line: &[Move]) -> Option<Vec<RuleUse>> {
    policy.model().filter(|model| model.kind() == ModelKind::Strategy)?;
    let (mut position, mut used) = (start, Vec::new());
    for &mv in line {
        if position.turn() == policy.side() {
            let PolicyGrounds::Strategy { used: rules, .. } = policy.grounds(&position) else {
                break;
            };
            let UsedRule { rule, tied } = rules;
            let san = position.san(mv).unwrap_or_else(|_| mv.to_string());
            used.push(RuleUse { san, rule: rule.map(|rule| rule + 1), tied });
        }
        let Ok(after) = position.play(mv) else { break };
        position = after;
    }
    Some(used)
}

/// The rules used in a line of text: "Rb1 by rule 1; Kc2 by rule 2, one of 3 tied moves".
fn sentence(used: &[RuleUse]) -> String {
    let moves = used.iter().map(|RuleUse { san, rule, tied }| {
        let by = rule.map_or_else(|| "by no rule".into(), |rule| format!("by rule {rule}"));
        match tied {
            1 => format!("{san} {by}"),
            tied => {
                format!("{san} {by}, one of {}", count(*tied as u64, "tied move", "tied moves"))
            }
        }
    });
    moves.collect::<Vec<_>>().join("; ")
}
