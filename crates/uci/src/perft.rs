//! The count of the positions that all sequences of moves of a length lead to, for comparison with other programs.

use super::Reply;
use lucena_base::progress::{Observer, Stopped};
use lucena_chess::{Board, Game, legal_moves};

/// Counts the positions after `depth` plies, for each first move and in all.
///
/// # Errors
/// If the observer stops it.
pub(super) fn perft(
    game: &Game,
    depth: u8,
    observer: &dyn Observer,
) -> Result<Vec<Reply>, Stopped> {
    let mut counts = Vec::new();
    let mut all = u64::from(depth == 0);
    for mv in legal_moves(game.board()).into_iter().filter(|_| depth > 0) {
        let mut after = game.board().clone();
        after.play_unchecked(mv);
        let nodes = count(&after, depth - 1, observer)?;
        all += nodes;
        counts.extend(game.uci(mv).ok().map(|mv| Reply::Count { mv: Some(mv), nodes }));
    }
    counts.push(Reply::Count { mv: None, nodes: all });
    Ok(counts)
}

fn count(board: &Board, depth: u8, observer: &dyn Observer) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    let moves = legal_moves(board);
    if depth == 1 {
        return Ok(moves.len() as u64);
    }
    observer.check()?;
    let each = moves.into_iter().map(|mv| {
        let mut after = board.clone();
        after.play_unchecked(mv);
        count(&after, depth - 1, observer)
    });
    each.sum()
}
