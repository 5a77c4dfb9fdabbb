use super::alpha_beta::{Node, Searcher, Window};
use super::order::MoveHistory;
use super::transposition::{TranspositionTable, is_stored_move};
use super::value::{INFINITE, MATE, MAX_MATE, MAX_WIN};
use super::{
    Algorithm, Limit, MAX_DEPTH, Refinement, SearchParams, SearchRequest, SearchResult, TreeCounts,
    Value,
};
use crate::evaluation::Evaluation;
use lucena_chess::{Board, Game, Move, legal_moves};
use std::sync::Arc;
use std::time::Instant;

/// The half-width of the first aspiration window, in hundredths of a pawn.
const ASPIRATION: i32 = 40;

/// A search that keeps its tables from one move of a game to the next.
///
/// ```
/// use lucena_chess::Game;
/// use lucena_search::evaluation::CombinedEvaluation;
/// use lucena_search::{Limit, Search, SearchParams, Value};
/// use std::sync::Arc;
///
/// let mut search = Search::new(SearchParams::default(), Arc::new(CombinedEvaluation::default()));
/// let game: Game = "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1".parse()?;
/// let found = search.find(&game, Limit::depth(5));
/// assert!(found.mv.is_some() && found.value > Value::Hundredths(0));
/// # Ok::<(), lucena_chess::FenError>(())
/// ```
pub struct Search {
    params: SearchParams,
    evaluation: Arc<dyn Evaluation>,
    table: TranspositionTable,
    memory: MoveHistory,
}

impl Search {
    /// A search with empty tables.
    pub fn new(params: SearchParams, evaluation: Arc<dyn Evaluation>) -> Self {
        let has_table = params.refinements.has(Refinement::HashTable);
        let table =
            TranspositionTable::new(if has_table { (params.table as usize) << 20 } else { 0 });
        Self { params, evaluation, table, memory: MoveHistory::new() }
    }

    /// The evaluation at the leaves.
    pub fn evaluation(&self) -> &dyn Evaluation {
        &*self.evaluation
    }

    /// The parameters of the search.
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Clears all tables: the next result does not depend on earlier searches.
    pub fn forget(&mut self) {
        self.table.forget();
        self.memory.forget();
    }

    /// Finds the best move within a limit. Searches at least far enough to return a move if there
    /// is one.
    pub fn find(&mut self, game: &Game, limit: Limit) -> SearchResult {
        self.run(game, SearchRequest::within(limit))
    }

    /// Like [`Self::find`], with an observer or a restricted list of moves.
    pub fn run(&mut self, game: &Game, request: SearchRequest<'_>) -> SearchResult {
        let mut path: Vec<u64> = game.history().map(|(board, _)| board.hash()).collect();
        path.drain(..path.len().saturating_sub(game.clock().into()));
        self.search(game.board(), path, request)
    }

    /// Like [`Self::find`], for a board without a history.
    pub fn search_board(&mut self, board: &Board, limit: Limit) -> SearchResult {
        self.search(board, Vec::new(), SearchRequest::within(limit))
    }

    fn search(
        &mut self,
        board: &Board,
        path: Vec<u64>,
        request: SearchRequest<'_>,
    ) -> SearchResult {
        let SearchRequest { limit, among, observer, outcomes, lines, deepened } = request;
        let start = Instant::now();
        self.table.next_search();
        self.memory.fade();
        let Self { params, evaluation, table, memory } = self;
        let mut searcher = Searcher {
            evaluation: &**evaluation,
            algorithm: params.algorithm,
            refinements: params.refinements,
            table,
            memory,
            path,
            nodes: 0,
            counts: TreeCounts::default(),
            table_hits: 0,
            root_best: None,
            most_nodes: limit.nodes,
            until: limit.time.and_then(|time| start.checked_add(time)),
            among: among.map(<[Move]>::to_vec),
            observer,
            outcomes,
            is_over: false,
        };
        let deepest = limit.plies.unwrap_or(MAX_DEPTH);
        let mut best = None;
        let (mut value, mut depth) = (0, 0);
        let deepens = params.refinements.has(Refinement::Deepening);
        for next in if deepens { 1..=deepest } else { deepest..=deepest } {
            let found = searcher.go_to_depth(board, next, (next > 1 && deepens).then_some(value));
            // A partial result of an unfinished depth is better than none.
            best = searcher.root_best.or(best);
            let Some(found) = found else { break };
            (value, depth) = (found, next);
            if let Some(deepened) = deepened {
                deepened(&searcher.found(board, best, value, depth, start), 1);
                searcher.other_lines(board, lines, depth, |found, rank| {
                    deepened(&SearchResult { time: start.elapsed(), ..found }, rank);
                });
            }
            let is_forced = value.abs() >= MAX_MATE && MATE - value.abs() <= i32::from(next);
            let is_mate = limit.mate.is_some_and(|plies| value >= MATE - i32::from(plies));
            let is_late = limit.time.is_some_and(|time| start.elapsed() > time * 6 / 10);
            if best.is_none() || is_forced || is_mate || is_late {
                break;
            }
        }
        let best = best.or_else(|| first_move(board, among));
        searcher.found(board, best, value, depth, start)
    }
}

fn first_move(board: &Board, among: Option<&[Move]>) -> Option<Move> {
    legal_moves(board).into_iter().find(|mv| among.is_none_or(|among| among.contains(mv)))
}

impl Searcher<'_> {
    /// The result so far.
    fn found(
        &self,
        board: &Board,
        mv: Option<Move>,
        value: i32,
        depth: u8,
        start: Instant,
    ) -> SearchResult {
        SearchResult {
            mv,
            value: Value::from_score(value),
            depth,
            nodes: self.nodes,
            counts: self.counts,
            table_hits: self.table_hits,
            line: self.line(board, mv, depth),
            time: start.elapsed(),
        }
    }

    /// Searches the lines of the next best moves at a depth, the second to the last of `lines`, and passes each on with
    /// its rank.
    fn other_lines(
        &mut self,
        board: &Board,
        lines: usize,
        depth: u8,
        pass_on: impl Fn(SearchResult, usize),
    ) {
        let (among, best) = (self.among.clone(), self.root_best);
        let mut rest: Vec<Move> = legal_moves(board).into_iter().collect();
        rest.retain(|mv| among.as_ref().is_none_or(|among| among.contains(mv)));
        for rank in 2..=lines {
            let last = self.root_best.take();
            rest.retain(|&mv| Some(mv) != last);
            if rest.is_empty() {
                break;
            }
            self.among = Some(rest.clone());
            let Some(value) = self.go_to_depth(board, depth, None) else { break };
            pass_on(self.found(board, self.root_best, value, depth, Instant::now()), rank);
        }
        (self.among, self.root_best) = (among, best);
    }

    /// The principal variation from the table.
    fn line(&self, board: &Board, first: Option<Move>, depth: u8) -> Vec<Move> {
        let mut board = board.clone();
        let mut line = Vec::new();
        let mut next = first;
        while let Some(mv) = next {
            line.push(mv);
            board.play_unchecked(mv);
            if line.len() >= depth.into() || !self.refinements.has(Refinement::HashTable) {
                break;
            }
            let hash_move = self.table.get(board.hash()).and_then(|entry| entry.mv);
            next = legal_moves(&board).into_iter().find(|&mv| is_stored_move(hash_move, mv));
        }
        line
    }

    /// The value of the root at a depth; `None` if a limit was reached.
    fn go_to_depth(&mut self, board: &Board, depth: u8, last: Option<i32>) -> Option<i32> {
        let value = match self.algorithm {
            Algorithm::Minimax => self.minimax(board, depth, 0),
            Algorithm::Negamax => self.negamax(board, depth, 0),
            Algorithm::AlphaBeta | Algorithm::NegaScout => self.aspire(board, depth, last),
        };
        (!self.is_over).then_some(value)
    }

    /// Searches a narrow window around the last value first, and wider ones if it fails.
    fn aspire(&mut self, board: &Board, depth: u8, last: Option<i32>) -> i32 {
        let root = Node::root(depth);
        let last = last
            .filter(|value| self.refinements.has(Refinement::Aspiration) && value.abs() < MAX_WIN);
        let Some(last) = last else { return self.alpha_beta(board, root, Window::FULL) };
        let window = Window { alpha: last - ASPIRATION, beta: last + ASPIRATION };
        let value = self.alpha_beta(board, root, window);
        if self.is_over || value > window.alpha && value < window.beta {
            return value;
        }
        let wider = if value <= window.alpha {
            Window { alpha: -INFINITE, ..window }
        } else {
            Window { beta: INFINITE, ..window }
        };
        let value = self.alpha_beta(board, root, wider);
        if self.is_over || value > wider.alpha && value < wider.beta {
            return value;
        }
        self.alpha_beta(board, root, Window::FULL)
    }
}
