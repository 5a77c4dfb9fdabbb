use super::order::{MoveFilter, MoveHistory, Ordering, RankedMove, next_best};
use super::request::TreeCounts;
use super::transposition::{Bound, Entry, TranspositionTable};
use super::value::{CURSED_WIN, INFINITE, KNOWN_WIN, MATE, MAX_LOSS, MAX_WIN};
use super::{Algorithm, KnownOutcome, MAX_DEPTH, OutcomeSource, Refinement, Refinements};
use crate::evaluation::Evaluation;
use lucena_base::progress::Observer;
use lucena_chess::{Bitboard, Board, Move, Role, Square, is_insufficient};
use std::time::Instant;

/// The longest line in plies, including extensions and quiescence.
const MAX_LINE: u8 = 2 * MAX_DEPTH - 1;
/// The number of nodes between two checks of the clock.
const LOOK_AT_CLOCK: u64 = 2048;

/// The state of one search of the tree.
pub(super) struct Searcher<'a> {
    pub(super) evaluation: &'a dyn Evaluation,
    pub(super) algorithm: Algorithm,
    pub(super) refinements: Refinements,
    pub(super) table: &'a mut TranspositionTable,
    pub(super) memory: &'a mut MoveHistory,
    /// The hashes of the positions before this one, including those of the game.
    pub(super) path: Vec<u64>,
    pub(super) nodes: u64,
    pub(super) counts: TreeCounts,
    /// The number of positions whose outcome was known.
    pub(super) table_hits: u64,
    /// The best move at the root so far.
    pub(super) root_best: Option<Move>,
    pub(super) most_nodes: Option<u64>,
    pub(super) until: Option<Instant>,
    /// The root moves to consider; `None` for all.
    pub(super) among: Option<Vec<Move>>,
    /// The observer, which may stop the search.
    pub(super) observer: &'a dyn Observer,
    /// The source of outcomes that need not be searched for.
    pub(super) outcomes: Option<&'a dyn OutcomeSource>,
    /// True once a limit is reached: values returned after that are meaningless.
    pub(super) is_over: bool,
}

/// The search window.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// A null window that tests if a value is above alpha.
    fn above(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The depth of a node and how it was reached.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: i32,
    pub(super) ply: u8,
    /// The square of the man that has just moved; `None` after a null move.
    pub(super) moved: Option<Square>,
    /// True if the last move was a capture.
    pub(super) took: bool,
    /// True if the side to move may make a null move.
    pub(super) may_pass: bool,
}

impl Node {
    pub(super) fn root(depth: u8) -> Self {
        Self { depth: depth.into(), ply: 0, moved: None, took: false, may_pass: false }
    }
}

impl Searcher<'_> {
    fn has(&self, refinement: Refinement) -> bool {
        self.refinements.has(refinement)
    }

    /// Returns true if the game is drawn by a rule other than stalemate, or the position has
    /// occurred before.
    pub(super) fn is_drawn(&self, board: &Board) -> bool {
        let clock = usize::from(board.halfmove_clock());
        let mut earlier = self.path.iter().rev().take(clock).skip(1).step_by(2);
        clock >= 100
            || clock >= 4 && earlier.any(|&hash| hash == board.hash())
            || is_insufficient(|role| board.pieces(role))
    }

    pub(super) fn meets_limit(&mut self) -> bool {
        if self.most_nodes.is_some_and(|most| self.nodes >= most) {
            self.is_over = true;
        }
        if self.nodes.is_multiple_of(LOOK_AT_CLOCK)
            && (self.until.is_some_and(|until| Instant::now() >= until)
                || self.observer.is_stopped())
        {
            self.is_over = true;
        }
        self.is_over
    }

    /// Returns true if a move may be played at this distance from the root.
    pub(super) fn may_play(&self, mv: Move, ply: u8) -> bool {
        ply > 0 || self.among.as_ref().is_none_or(|among| among.contains(&mv))
    }

    /// The value of a board for the side to move if its outcome is known. The root is always searched.
    #[inline]
    pub(super) fn known(&mut self, board: &Board, ply: u8) -> Option<i32> {
        let source = self.outcomes?;
        let may_be_known =
            ply > 0 && board.halfmove_clock() == 0 && board.occupied().len() <= source.most_men();
        let outcome = if may_be_known { source.outcome(board)? } else { return None };
        self.table_hits += 1;
        let win = KNOWN_WIN - i32::from(ply);
        Some(match outcome {
            // Checkmate is better than a known win.
            KnownOutcome::Loss => self.ended(board, ply).unwrap_or(-win),
            KnownOutcome::BlessedLoss => -CURSED_WIN,
            KnownOutcome::Draw => 0,
            KnownOutcome::CursedWin => CURSED_WIN,
            KnownOutcome::Win => win,
        })
    }

    /// The value of a board for the side to move if it is within the window, else a bound.
    pub(super) fn alpha_beta(&mut self, board: &Board, node: Node, window: Window) -> i32 {
        let Node { mut depth, ply, .. } = node;
        let in_check = !board.checkers().is_empty();
        if in_check && ply > 0 && self.has(Refinement::ExtendChecks) {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_LINE {
            self.counts.leaves += 1;
        }
        if depth <= 0 && self.has(Refinement::Quiescence) {
            return self.quiescence(board, node, window, 0);
        }
        self.nodes += 1;
        if self.meets_limit() {
            return 0;
        }
        if depth <= 0 || ply >= MAX_LINE {
            let value = self.ended(board, ply).or_else(|| self.known(board, ply));
            return value.unwrap_or_else(|| self.evaluation.evaluate(board));
        }
        if ply > 0 && self.is_drawn(board) {
            // Checkmate takes precedence over the fifty-move rule.
            return if in_check { self.ended(board, ply).unwrap_or(0) } else { 0 };
        }
        if let Some(value) = self.known(board, ply) {
            return value;
        }
        let key = board.hash();
        let stored = if self.has(Refinement::HashTable) { self.table.get(key) } else { None };
        if let Some(value) =
            stored.filter(|_| ply > 0).and_then(|entry| usable(entry, depth, ply, window))
        {
            return value;
        }
        if let Some(value) = self.pass(board, Node { depth, ..node }, window) {
            return value;
        }
        let stored = stored.and_then(|entry| entry.mv);
        let hash_move = if ply == 0 { self.root_best.or(stored) } else { stored };
        let hash_move = hash_move.filter(|_| self.has(Refinement::HashMove));
        let value = self.each_move(board, Node { depth, ..node }, window, hash_move, in_check);
        if self.is_over { 0 } else { value }
    }

    /// Searches all moves in order.
    fn each_move(
        &mut self,
        board: &Board,
        node: Node,
        window: Window,
        hash_move: Option<Move>,
        in_check: bool,
    ) -> i32 {
        let Node { depth, ply, moved, .. } = node;
        let ordering =
            Ordering { refinements: self.refinements, memory: self.memory, hash_move, moved, ply };
        let (mut moves, _) = ordering.moves(board, MoveFilter::All);
        let is_chosen_from = ply == 0 && self.among.is_some();
        if is_chosen_from {
            moves.retain(|ranked| self.may_play(ranked.mv, ply));
        }
        if moves.is_empty() {
            return if in_check { i32::from(ply) - MATE } else { 0 };
        }
        let (mut best, mut best_move, mut best_at) = (-INFINITE, None, 0);
        let mut alpha = window.alpha;
        self.path.push(board.hash());
        for at in 0..moves.len() {
            let ranked = next_best(&mut moves, at);
            let mut after = board.clone();
            after.play_unchecked(ranked.mv);
            let value = self.one_move(
                board,
                &after,
                ranked,
                MoveNumber { at, in_check },
                node,
                Window { alpha, ..window },
            );
            if self.is_over {
                break;
            }
            self.counts.count_check(&after, value > alpha);
            if value > best {
                best = value;
                best_move = Some(ranked.mv);
                best_at = at;
                if ply == 0 {
                    self.root_best = best_move;
                }
            }
            alpha = alpha.max(value);
            if alpha >= window.beta {
                if ranked.is_quiet() {
                    self.memory.refuted(board.side_to_move(), ranked.mv, &moves[..at], depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        if best > window.alpha && !self.is_over {
            self.counts.decided += 1;
            self.counts.first_is_best += u64::from(best_at == 0);
        }
        // The best of some root moves is not the value of the position.
        if self.has(Refinement::HashTable) && !self.is_over && !is_chosen_from {
            let bound = match best {
                _ if best >= window.beta => Bound::AtLeast,
                _ if best > window.alpha => Bound::Exact,
                _ => Bound::AtMost,
            };
            let mv = best_move.filter(|_| bound != Bound::AtMost);
            let value = to_table(best, ply) as i16;
            self.table.put(board.hash(), Entry { depth: depth as i8, bound, value, mv });
        }
        best
    }

    /// The value of a move for the side that plays it.
    fn one_move(
        &mut self,
        board: &Board,
        after: &Board,
        ranked: RankedMove,
        number: MoveNumber,
        node: Node,
        window: Window,
    ) -> i32 {
        let took = ranked.taken.is_some();
        let more = self.extension(board, after, ranked.mv, took, node);
        let child = Node {
            depth: node.depth - 1 + more,
            ply: node.ply + 1,
            moved: Some(ranked.mv.to),
            took,
            may_pass: true,
        };
        if self.algorithm != Algorithm::NegaScout && !self.has(Refinement::Reductions)
            || number.at == 0
        {
            return -self.alpha_beta(after, child, window.turned());
        }
        let scout = if self.algorithm == Algorithm::NegaScout {
            Window::above(window.alpha)
        } else {
            window
        };
        let less = if more == 0 { self.reduction(after, ranked, number, node) } else { 0 };
        let mut value = window.alpha + 1;
        if less > 0 {
            let shallow = Node { depth: child.depth - less, ..child };
            value = -self.alpha_beta(after, shallow, Window::above(window.alpha).turned());
        }
        if value > window.alpha && !self.is_over {
            value = -self.alpha_beta(after, child, scout.turned());
            let is_between = value > window.alpha && value < window.beta;
            if is_between && scout.beta < window.beta && !self.is_over {
                value = -self.alpha_beta(after, child, window.turned());
            }
        }
        value
    }

    /// The extension of a move in plies, not counting check extensions.
    fn extension(&self, board: &Board, after: &Board, mv: Move, took: bool, node: Node) -> i32 {
        let is_recapture = took && node.took && node.moved == Some(mv.to);
        let enters_pawn_ending = || took && has_pieces(board, mv.to) && is_pawn_ending(after);
        let extends = self.has(Refinement::ExtendRecaptures) && is_recapture
            || self.has(Refinement::ExtendPawnEndings) && enters_pawn_ending();
        // Limit the length of a line to about twice the depth.
        i32::from(extends && i32::from(node.ply) < 2 * (node.depth + i32::from(node.ply)))
    }

    /// The reduction of a late quiet move in plies.
    fn reduction(&self, after: &Board, ranked: RankedMove, number: MoveNumber, node: Node) -> i32 {
        if !self.has(Refinement::Reductions)
            || node.depth < 3
            || number.at < 3
            || number.in_check
            || !ranked.is_quiet()
            || !after.checkers().is_empty()
            || self.memory.is_killer(ranked.mv, node.ply)
        {
            return 0;
        }
        let less = 1 + i32::from(number.at >= 8) + i32::from(number.at >= 20 && node.depth >= 6);
        less.min(node.depth - 2)
    }

    /// Null-move pruning: a position that is still too good after a pass is cut off.
    fn pass(&mut self, board: &Board, node: Node, window: Window) -> Option<i32> {
        let Node { depth, ply, may_pass, .. } = node;
        if !self.has(Refinement::NullMove) || !may_pass || depth < 2 || window.beta.abs() >= MAX_WIN
        {
            return None;
        }
        let own = board.colors(board.side_to_move());
        if own.is_subset(board.pieces(Role::Pawn) | board.pieces(Role::King)) {
            return None;
        }
        if self.evaluation.evaluate(board) < window.beta {
            return None;
        }
        // `None` in check, where passing is not allowed.
        let after = board.null_move()?;
        let child =
            Node { depth: depth - 3, ply: ply + 1, moved: None, took: false, may_pass: false };
        self.path.push(board.hash());
        let beta = Window::above(window.beta - 1);
        let value = -self.alpha_beta(&after, child, beta.turned());
        self.path.pop();
        (value >= window.beta && !self.is_over).then(|| value.min(MAX_WIN - 1))
    }

    /// Quiescence search: tries captures, promotions and, in the first plies, checks until the
    /// position is quiet. The side to move may stand pat unless it is in check.
    fn quiescence(&mut self, board: &Board, node: Node, window: Window, plies: u8) -> i32 {
        let ply = node.ply;
        self.nodes += 1;
        if self.meets_limit() {
            return 0;
        }
        if self.is_drawn(board) {
            return self.ended(board, ply).unwrap_or(0);
        }
        if let Some(value) = self.known(board, ply) {
            return value;
        }
        let in_check = !board.checkers().is_empty();
        let stand = self.evaluation.evaluate(board);
        if ply >= MAX_LINE {
            return stand;
        }
        let mut alpha = window.alpha;
        let mut best = -INFINITE;
        if !in_check {
            if stand >= window.beta {
                // Stalemate is a draw whatever the material.
                return if board.generate_moves(|_| true) { stand } else { 0 };
            }
            best = stand;
            alpha = alpha.max(stand);
        }
        let ordering = Ordering {
            refinements: self.refinements,
            memory: self.memory,
            hash_move: None,
            moved: node.moved,
            ply,
        };
        let which = if in_check {
            MoveFilter::All
        } else if plies < 2 && self.has(Refinement::QuietChecks) {
            MoveFilter::LoudAndChecks
        } else {
            MoveFilter::Loud
        };
        let (mut moves, is_any) = ordering.moves(board, which);
        if !is_any {
            return if in_check { i32::from(ply) - MATE } else { 0 };
        }
        self.path.push(board.hash());
        for at in 0..moves.len() {
            let RankedMove { mv, taken, is_losing, .. } = next_best(&mut moves, at);
            if !in_check && is_losing {
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(mv);
            let child = Node { ply: ply + 1, moved: Some(mv.to), took: taken.is_some(), ..node };
            let value =
                -self.quiescence(&after, child, Window { alpha, ..window }.turned(), plies + 1);
            if self.is_over {
                break;
            }
            self.counts.count_check(&after, value > alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= window.beta {
                break;
            }
        }
        self.path.pop();
        best
    }
}

/// The index of a move in its node, and a flag that is true if the node is in check.
#[derive(Clone, Copy)]
struct MoveNumber {
    at: usize,
    in_check: bool,
}

/// Returns true if the man on a square is not a pawn.
fn has_pieces(board: &Board, square: Square) -> bool {
    !board.pieces(Role::Pawn).has(square)
}

/// Returns true if only kings and pawns are left.
fn is_pawn_ending(board: &Board) -> bool {
    let others: Bitboard = board.occupied() ^ board.pieces(Role::Pawn) ^ board.pieces(Role::King);
    others.is_empty()
}

/// The value of an entry if it is deep enough and its bound settles the window.
fn usable(entry: Entry, depth: i32, ply: u8, window: Window) -> Option<i32> {
    let value = from_table(entry.value.into(), ply);
    let is_enough = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => value >= window.beta,
        Bound::AtMost => value <= window.alpha,
    };
    (i32::from(entry.depth) >= depth && is_enough).then_some(value)
}

/// Converts scores of mates and known wins: the table counts from the position, the tree from the root.
fn to_table(value: i32, ply: u8) -> i32 {
    match value {
        MAX_WIN.. => value + i32::from(ply),
        ..=MAX_LOSS => value - i32::from(ply),
        _ => value,
    }
}

fn from_table(value: i32, ply: u8) -> i32 {
    match value {
        MAX_WIN.. => value - i32::from(ply),
        ..=MAX_LOSS => value + i32::from(ply),
        _ => value,
    }
}
