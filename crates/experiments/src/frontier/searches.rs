use super::FrontierError;
use lucena_base::work::Watch;
use lucena_play::SearchPolicy;
use lucena_proof::policy::{Effort, Policy};
use lucena_proof::{Proof, ProvedGame};
use lucena_search::evaluation::MopUp;
use lucena_search::{Algorithm, MAX_DEPTH, SearchParams};
use lucena_tablebase::Tablebase;
use std::sync::Arc;

/// A plain search with a mop-up evaluation, and its proof.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedSearch {
    /// The search depth, in plies.
    pub plies: u8,
    /// The mean number of positions searched for a move; `None` if it made no move.
    pub nodes_a_move: Option<f64>,
    /// The proof against every defence, from every position.
    pub proof: Proof,
}

/// Proves plain alpha-beta at each depth up to a limit.
pub(super) fn proved(
    most_plies: u8,
    tablebase: &Tablebase,
    watch: &dyn Watch,
) -> Result<Vec<ProvedSearch>, FrontierError> {
    let prove = |plies: u8| {
        let params = SearchParams::depth(plies).plain(Algorithm::AlphaBeta);
        let policy = SearchPolicy::new(tablebase.material(), params, Arc::new(MopUp::default()))?;
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof()?;
        let nodes_a_move = match policy.effort() {
            Some(Effort::Nodes(nodes)) => Some(nodes),
            _ => None,
        };
        Ok(ProvedSearch { plies, nodes_a_move, proof })
    };
    (1..=most_plies.min(MAX_DEPTH)).map(prove).collect()
}
