use super::FrontierError;
use lucena_base::work::Watch;
use lucena_play::SearchPolicy;
use lucena_proof::policy::{Effort, Policy};
use lucena_proof::{Proof, ProvedGame};
use lucena_search::evaluation::MopUp;
use lucena_search::{Algorithm, MAX_DEPTH, SearchParams};
use lucena_tablebase::Tablebase;
use std::sync::Arc;

/// A plain search with a mop-up evaluation, and what it is worth.
#[derive(Debug, Clone, PartialEq)]
pub struct ProvedSearch {
    /// How many plies it looks ahead.
    pub plies: u8,
    /// Positions that it looks at for a move, on average; nothing where it was never asked.
    pub nodes_a_move: Option<f64>,
    /// Against every defence, from every position.
    pub proof: Proof,
}

/// Proves alpha-beta to one depth after another, with nothing added to it.
pub(super) fn proved(
    most_plies: u8,
    tablebase: &Tablebase,
    watch: &dyn Watch,
) -> Result<Vec<ProvedSearch>, FrontierError> {
    let prove = |plies: u8| {
        let params = SearchParams::depth(plies).plain(Algorithm::AlphaBeta);
        let policy = SearchPolicy::new(tablebase.material(), params, Arc::new(MopUp::default()))?;
        let proof = ProvedGame::watched(&policy, tablebase, watch)?.proof();
        let nodes_a_move = match policy.effort() {
            Some(Effort::Nodes(nodes)) => Some(nodes),
            _ => None,
        };
        Ok(ProvedSearch { plies, nodes_a_move, proof })
    };
    (1..=most_plies.min(MAX_DEPTH)).map(prove).collect()
}
