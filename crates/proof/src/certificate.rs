//! Certificates: the written results of proofs, so that anyone can prove a player again and compare.
//!
//! The same player gives the same bytes: a certificate contains no time and no path. Its lines can be checked
//! without a proof: [`Certificate::replay`] replays them by the rules, move by move.

mod difference;
mod replay;

use crate::policy::Policy;
use crate::{Mate, Proof, Reason, Refutation};
use difference::compare;
use lucena_chess::{Move, Position, Side};
use lucena_model::{FileKind, ModelKind};
use replay::Replay;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use difference::Difference;

/// The version of the JSON that [`Certificate::to_json`] writes and [`Certificate::from_json`]
/// reads.
pub const FORMAT: u32 = 2;

/// The result of a proof of a player. Positions are those of the full board with the strong side to move.
///
/// ```
/// use lucena_proof::certificate::Certificate;
/// use lucena_model::Model;
/// use lucena_proof::policy::EndgameModel;
/// use lucena_proof::prove;
/// use lucena_tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let model = Model::from_json(&std::fs::read("../../data/trees/KRvK.exact.json")?)?;
/// let player = EndgameModel::new(model)?.policy(&tablebase)?;
/// let proof = prove(&*player, &tablebase)?;
/// let certificate = Certificate::new(&*player, &proof);
/// assert_eq!((certificate.won, certificate.leaves), (175_168, Some(2_492)));
///
/// let json = certificate.to_json().replace(r#""won": 175168"#, r#""won": 175169"#);
/// let forged = Certificate::from_json(json.as_bytes())?;
/// let differences = forged.check(&*player, &proof);
/// assert_eq!(differences[0].to_string(), "won: 175169 in the certificate; proved: 175168");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    format: u32,
    /// The endgame, such as `KRvK`.
    pub material: String,
    /// The player's name.
    pub player: String,
    /// The SHA-256 of the JSON file of the player's tree; absent for a player without one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub tree_sha256: Option<String>,
    /// The number of leaves of that tree.
    #[serde(deserialize_with = "Option::deserialize")]
    pub leaves: Option<usize>,
    /// The SHA-256 of the JSON file of the player's strategy; absent for a player without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy_sha256: Option<String>,
    /// The number of conditions and keys of that strategy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<usize>,
    /// The SHA-256 of the JSON file of the player's measure; absent for a player without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_sha256: Option<String>,
    /// The number of terms of that measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terms: Option<usize>,
    /// The number of moves that it looks ahead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<u8>,
    /// [`Proof::ranking`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<bool>,
    /// The side that the player plays; absent for the strong side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The conditions that the positions fulfil from which it was proved; absent if it was proved from all.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<String>,
    /// [`Proof::positions`].
    pub positions: u64,
    /// [`Proof::winnable`].
    pub winnable: u64,
    /// [`Proof::won`].
    pub won: u64,
    /// [`Proof::drawable`].
    pub drawable: u64,
    /// [`Proof::held`].
    pub held: u64,
    /// [`Proof::optimal`].
    pub optimal: u64,
    /// [`Proof::longest_moves`].
    #[serde(deserialize_with = "Option::deserialize")]
    pub longest_moves: Option<u16>,
    /// [`Proof::mean_excess_moves`].
    #[serde(deserialize_with = "Option::deserialize")]
    pub mean_excess_moves: Option<f64>,
    /// [`Proof::optimal_share`].
    pub optimal_share: f64,
    /// [`Proof::fifty_move_safe`].
    pub fifty_move_safe: bool,
    /// [`Proof::excess`].
    pub excess: BTreeMap<u16, u64>,
    /// [`Proof::longest_line`].
    #[serde(deserialize_with = "Option::deserialize")]
    pub longest_line: Option<CertificateLine>,
    /// [`Proof::refutation`].
    #[serde(deserialize_with = "Option::deserialize")]
    pub refutation: Option<CertificateRefutation>,
}

/// A line of a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateLine {
    /// The position that it starts from.
    pub fen: String,
    /// The moves of both sides, in UCI.
    pub line: Vec<String>,
    /// The moves of both sides in standard algebraic notation.
    pub san: Vec<String>,
}

/// A line that does not win, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CertificateRefutation {
    /// The position that it starts from.
    pub fen: String,
    /// The moves of both sides, in UCI.
    pub line: Vec<String>,
    /// The moves of both sides in standard algebraic notation.
    pub san: Vec<String>,
    /// The reason why the end of the line does not win.
    pub reason: Reason,
    /// False if the search for the shortest line reached its limit of work, so that there may be a shorter one.
    #[serde(default = "yes")]
    pub is_shortest: bool,
}

/// The value of a field that older certificates do not have.
fn yes() -> bool {
    true
}

/// An error in reading a certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseCertificateError {
    /// The file is something else, or was cut short.
    #[error("this is not a certificate: {0}; restore it, or prove the player again")]
    Json(#[from] serde_json::Error),
    /// The file is a model, or has weights.
    #[error("this is not a certificate, but {0}: {usage}, or give a certificate", usage = .0.usage())]
    Kind(FileKind),
    /// The certificate was written by another version.
    #[error(
        "this certificate has format {found}, this program reads format {FORMAT}: prove the player again"
    )]
    Format {
        /// The format that it declares.
        found: u32,
    },
}

impl Certificate {
    /// Creates the certificate of a policy from its proof.
    pub fn new(policy: &dyn Policy, proof: &Proof) -> Self {
        let model = policy.model();
        let figures = model.map(|model| model.figures()).unwrap_or_default();
        let sha256 = |kind| {
            let model = model.filter(|model| model.kind() == kind)?;
            Some(model.sha256().to_owned())
        };
        Self {
            format: FORMAT,
            material: policy.material().to_string(),
            player: policy.name(),
            leaves: figures.leaves,
            tree_sha256: sha256(ModelKind::Tree),
            size: figures.size,
            strategy_sha256: sha256(ModelKind::Strategy),
            terms: figures.terms,
            look: figures.look,
            measure_sha256: sha256(ModelKind::Measure),
            ranking: proof.ranking,
            side: Some(policy.side().to_string()).filter(|_| policy.side() != Side::Strong),
            within: Vec::new(),
            positions: proof.positions,
            winnable: proof.winnable,
            won: proof.won,
            drawable: proof.drawable,
            held: proof.held,
            optimal: proof.optimal,
            longest_moves: proof.longest_moves,
            mean_excess_moves: proof.mean_excess_moves,
            optimal_share: proof.optimal_share,
            fifty_move_safe: proof.fifty_move_safe,
            excess: proof.excess.clone(),
            longest_line: proof.longest_line.as_ref().map(CertificateLine::from),
            refutation: proof.refutation.as_ref().map(CertificateRefutation::from),
        }
    }

    /// Returns the certificate of a proof from the positions that fulfil conditions.
    #[must_use]
    pub fn within(self, conditions: Vec<String>) -> Self {
        Self { within: conditions, ..self }
    }

    /// Returns all errors in the certificate: differences from the proof, and moves of its lines that do not
    /// replay. Empty if it is correct.
    pub fn check(&self, policy: &dyn Policy, proof: &Proof) -> Vec<Difference> {
        self.check_against(&Self::new(policy, proof), policy)
    }

    /// Returns all errors in the certificate, as [`Self::check`] does, given the certificate of the proof.
    pub fn check_against(&self, proved: &Self, policy: &dyn Policy) -> Vec<Difference> {
        let mut differences = self.differences(proved);
        differences.extend(self.replay(policy));
        differences
    }

    /// Returns the fields in which another certificate differs, by name.
    pub fn differences(&self, proved: &Self) -> Vec<Difference> {
        let [certificate, proved] = [self, proved]
            .map(|one| serde_json::to_value(one).expect("a certificate has only string keys"));
        let mut differences = Vec::new();
        compare("", &certificate, &proved, &mut differences);
        differences
    }

    /// Returns the first error in each line according to the rules and the policy. No proof is needed: every
    /// move must be legal, those of the strong side must be the policy's, and the end must match the stated
    /// reason.
    pub fn replay(&self, policy: &dyn Policy) -> Vec<Difference> {
        let longest = self.longest_line.as_ref().map(|CertificateLine { fen, line, san }| {
            Replay { field: "longest_line", fen, line, san, policy }.run(None)
        });
        let refutation = self.refutation.as_ref().map(
            |CertificateRefutation { fen, line, san, reason, .. }| {
                Replay { field: "refutation", fen, line, san, policy }.run(Some(*reason))
            },
        );
        [longest, refutation].into_iter().flatten().filter_map(Result::err).collect()
    }

    /// Returns the certificate as JSON. The same certificate gives the same bytes.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a certificate has only string keys") + "\n"
    }

    /// Reads a certificate from JSON.
    ///
    /// # Errors
    /// If it is not JSON, has another format, or has missing or unknown fields.
    pub fn from_json(json: &[u8]) -> Result<Self, ParseCertificateError> {
        // The format is read first, so that another format gets an error of its own.
        #[derive(Deserialize)]
        struct Format {
            format: u32,
            // Distinguishes certificates from trees, which have formats too.
            #[serde(rename = "won")]
            _won: u64,
        }
        if let Some(found) =
            FileKind::recognize(json).filter(|&found| found != FileKind::Certificate)
        {
            return Err(ParseCertificateError::Kind(found));
        }
        let Format { format, .. } = serde_json::from_slice(json)?;
        if format != FORMAT {
            return Err(ParseCertificateError::Format { found: format });
        }
        Ok(serde_json::from_slice(json)?)
    }
}

impl CertificateLine {
    fn new(start: &Position, line: &[Move]) -> Self {
        let mut san = Vec::new();
        let mut position = *start;
        for &mv in line {
            let legal = "a line is of legal moves";
            san.push(position.san(mv).expect(legal));
            position = position.play(mv).expect(legal);
        }
        let line = line.iter().map(ToString::to_string).collect();
        Self { fen: start.to_string(), line, san }
    }
}

impl From<&Mate> for CertificateLine {
    fn from(mate: &Mate) -> Self {
        Self::new(&mate.start, &mate.line)
    }
}

impl From<&Refutation> for CertificateRefutation {
    fn from(refutation: &Refutation) -> Self {
        let CertificateLine { fen, line, san } =
            CertificateLine::new(&refutation.start, &refutation.line);
        let Refutation { reason, is_shortest, .. } = *refutation;
        Self { fen, line, san, reason, is_shortest }
    }
}
