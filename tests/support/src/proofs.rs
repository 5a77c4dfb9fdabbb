//! Policies made from functions, and proofs compared with plain ones.

use crate::reference_rules;
use crate::reference_rules::{Game, QUEEN, QUEEN_SOLVED, ROOK, ROOK_SOLVED, Solution};
use crate::tables::{KQVK, KRVK, material};
use cozy_chess::{Board, GameStatus};
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Material, Move, Position, Side, Square};
use lucena_proof::policy::{GeneratedKind, GeneratedPolicy, NoGeneratedTree, Policy};
use lucena_proof::{
    self as proof, DistanceProof, Mate, Proof, Reason, Refutation, Verdict, chosen_moves, prove,
};
use lucena_tablebase::{Metric, TableFolder, Tablebase};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The player by the generated exact tree.
pub fn generated_player(tablebase: &Tablebase) -> Result<GeneratedPolicy<'_>, NoGeneratedTree> {
    GeneratedPolicy::new(GeneratedKind::Exact, tablebase)
}

/// A policy made from a function.
pub struct FnPolicy<F> {
    pub material: Material,
    pub symmetries: Group,
    pub choose: F,
}

impl<F: Fn(&Position) -> Option<Move> + Sync> Policy for FnPolicy<F> {
    fn name(&self) -> String {
        "made for a test".into()
    }

    fn material(&self) -> Material {
        self.material
    }

    fn symmetries(&self) -> Group {
        self.symmetries
    }

    fn choose(&self, position: &Position) -> Option<Move> {
        if self.symmetries == Group::Identity {
            return (self.choose)(position);
        }
        let symmetry = self.symmetries.canonical_symmetry(position);
        let mv = (self.choose)(&symmetry.apply_to_position(position))?;
        Some(symmetry.inverse().apply_to_move(mv))
    }
}

static KRVK_ZEROING: LazyLock<Tablebase> = LazyLock::new(|| zeroing("KRvK"));
static KQVK_ZEROING: LazyLock<Tablebase> = LazyLock::new(|| zeroing("KQvK"));

fn zeroing(name: &str) -> Tablebase {
    let folder = TableFolder::in_memory().of_metric(Metric::Dtz);
    folder.tablebase(material(name), &NoObserver).expect("nobody stops it")
}

/// An endgame: the table, and the plain game with its solution.
pub struct Endgame {
    pub table: &'static Tablebase,
    /// Distances to zeroing.
    pub zeroing: &'static Tablebase,
    pub game: &'static Game,
    pub solution: &'static Solution,
}

pub fn rook() -> Endgame {
    Endgame { table: &KRVK, zeroing: &KRVK_ZEROING, game: &ROOK, solution: &ROOK_SOLVED }
}

pub fn queen() -> Endgame {
    Endgame { table: &KQVK, zeroing: &KQVK_ZEROING, game: &QUEEN, solution: &QUEEN_SOLVED }
}

/// The moves to mate of every position by the plain proof, with totals.
pub struct ReferenceProof {
    pub chosen: Vec<Vec<(u8, u8)>>,
    pub mated_in: Vec<Option<u16>>,
    pub positions: u64,
    pub won: u64,
    pub longest_moves: Option<u16>,
    pub excess: BTreeMap<u16, u64>,
    pub optimal: u64,
}

pub fn prove_plainly(endgame: &Endgame, policy: &dyn Policy) -> ReferenceProof {
    let endgame_material = endgame.table.material();
    let chosen: Vec<Vec<(u8, u8)>> = (0..reference_rules::NUMBERS)
        .map(|at| {
            let position = reference_rules::position(endgame_material, Side::Strong, at);
            let moves = position.map(|position| policy.choices(&position)).unwrap_or_default();
            moves.into_iter().map(reference_rules::squares_of).collect()
        })
        .collect();
    let mated_in = endgame.game.prove(|at| chosen[at as usize].clone());
    let mut plain = ReferenceProof {
        chosen: Vec::new(),
        mated_in,
        positions: 0,
        won: 0,
        longest_moves: None,
        excess: BTreeMap::new(),
        optimal: 0,
    };
    for at in endgame.game.legal(Side::Strong) {
        plain.positions += 1;
        let best = endgame.solution.strong[at as usize].expect("every position is won");
        if let Some(moves) = plain.mated_in[at as usize] {
            plain.won += 1;
            plain.longest_moves = plain.longest_moves.max(Some(moves));
            *plain.excess.entry(moves - best.div_ceil(2)).or_default() += 1;
        }
        let is_optimal = |&(from, to): &(u8, u8)| {
            let mut men = reference_rules::squares(at);
            let Some(man) = men[..2].iter().position(|&man| man == from) else { return false };
            men[man] = to;
            let after = reference_rules::number(men);
            endgame.game.after(at).contains(&after)
                && endgame.solution.weak[after as usize] == Some(best - 1)
        };
        let moves = &chosen[at as usize];
        plain.optimal += u64::from(!moves.is_empty() && moves.iter().all(is_optimal));
    }
    plain.chosen = chosen;
    plain
}

pub fn assert_near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one}, not {other}");
}

/// Compares a proof with the plain one, and replays its refutation.
pub fn check(endgame: &Endgame, policy: &dyn Policy) -> Proof {
    let game =
        proof::ProvedGame::new(policy, endgame.table).expect("the table of the policy's material");
    let proof = game.proof(&NoObserver).expect("the table is in memory");
    let plain = prove_plainly(endgame, policy);
    assert_eq!((proof.positions, proof.won), (plain.positions, plain.won));
    // In these endgames every position is won.
    assert_eq!(proof.winnable, plain.positions);
    assert_eq!(proof.wins_all(), plain.won == plain.positions);
    assert_eq!(proof.longest_moves, plain.longest_moves);
    assert_eq!(proof.optimal, plain.optimal);
    assert_near(proof.optimal_share, plain.optimal as f64 / plain.positions as f64);
    assert_eq!(proof.excess, plain.excess);
    assert_eq!(by_distance(endgame, &plain), proof.by_distance);
    let excess: u64 = plain.excess.iter().map(|(&over, count)| u64::from(over) * count).sum();
    match proof.mean_excess_moves {
        Some(mean) => assert_near(mean, excess as f64 / plain.won as f64),
        None => assert_eq!(plain.won, 0),
    }
    // A mate in n takes 2 n - 1 plies; after 100 without a capture a draw can be claimed.
    let safe = plain.longest_moves.is_none_or(|moves| 2 * moves - 1 <= 100);
    assert_eq!(proof.fifty_move_safe, safe);
    // No capture is won by the player, so mate is the only end.
    let within = |moves: &&Option<u16>| moves.is_some_and(|moves| 2 * moves - 1 <= 100);
    let wins = game.within_rule(endgame.zeroing, &NoObserver).expect("the table is in memory");
    assert_eq!(wins.won, plain.mated_in.iter().filter(within).count() as u64);
    assert_eq!(wins.winnable, plain.positions);
    match &proof.refutation {
        Some(refutation) => {
            let at = reference_rules::number_of(&refutation.start) as usize;
            assert_eq!(plain.mated_in[at], None, "the start is not won");
            check_refutation(endgame, policy, &plain, refutation);
        }
        None => assert_eq!(proof.won, proof.positions),
    }
    assert_eq!(proof.refutation.is_none(), proof.won == proof.positions);
    match &proof.longest_line {
        Some(mate) => {
            assert_eq!(Some(mate.moves() as u16), plain.longest_moves);
            check_mate(endgame, policy, &plain, mate);
            let is_longest = |position: &Position| {
                plain.mated_in[reference_rules::number_of(position) as usize] == plain.longest_moves
            };
            let mut starts = chosen_moves(policy).into_iter().map(|(position, _)| position);
            let first = starts.find(is_longest).expect("one is longest");
            match policy.symmetries() {
                Group::Identity => assert_eq!(mate.start, first),
                group => assert_eq!(group.canonical(&mate.start), mate.start),
            }
        }
        None => assert_eq!(proof.won, 0),
    }
    // Single positions, with either colour as the strong side.
    for at in endgame.game.legal(Side::Strong).step_by(7_001) {
        let white =
            reference_rules::position(policy.material(), Side::Strong, at).expect("a position");
        let black = white.with_colors_exchanged();
        let [fate, of_black] =
            [white, black].map(|position| game.verdict(&position, &NoObserver).expect("a fate"));
        match (fate, of_black) {
            (Verdict::Won(mate), Verdict::Won(other)) => {
                assert_eq!((mate.start, other.start), (white, black));
                assert_eq!(mate.line, other.line);
                check_mate(endgame, policy, &plain, &mate);
            }
            (Verdict::NotWon(refutation), Verdict::NotWon(other)) => {
                assert_eq!((refutation.start, other.start), (white, black));
                assert_eq!((&refutation.line, refutation.reason), (&other.line, other.reason));
                check_refutation(endgame, policy, &plain, &refutation);
            }
            fates => panic!("{fates:?}"),
        }
    }
    proof
}

/// The positions by their distance to mate, counted one by one.
fn by_distance(endgame: &Endgame, plain: &ReferenceProof) -> BTreeMap<u16, DistanceProof> {
    let mut counted: BTreeMap<u16, DistanceProof> = BTreeMap::new();
    for at in endgame.game.legal(Side::Strong) {
        let plies = endgame.solution.strong[at as usize].expect("every position is won");
        let row = counted.entry(plies.div_ceil(2)).or_default();
        row.winnable += 1;
        row.won += u64::from(plain.mated_in[at as usize].is_some());
        row.in_time += u64::from(plain.mated_in[at as usize] == Some(plies.div_ceil(2)));
    }
    counted
}

/// Compares the numbers of a proof with those of the plain one, and replays its refutation. If many moves
/// are tied, a plain search for the shortest refutation takes too long.
pub fn check_numbers(endgame: &Endgame, policy: &dyn Policy) -> Proof {
    let proof = prove(policy, endgame.table).expect("the table of the policy's material");
    let plain = prove_plainly(endgame, policy);
    assert_eq!((proof.positions, proof.won), (plain.positions, plain.won));
    assert_eq!(proof.longest_moves, plain.longest_moves);
    assert_eq!((proof.optimal, &proof.excess), (plain.optimal, &plain.excess));
    assert_eq!(proof.refutation.is_none(), proof.won == proof.positions);
    if let Some(refutation) = &proof.refutation {
        assert_eq!(plain.mated_in[reference_rules::number_of(&refutation.start) as usize], None);
        replay(policy, refutation);
    }
    if let Some(mate) = &proof.longest_line {
        assert_eq!(Some(mate.moves() as u16), plain.longest_moves);
        check_mate(endgame, policy, &plain, mate);
    }
    proof
}

/// Checks that a refutation is legal, ends as it says, and that there is no shorter one.
pub fn check_refutation(
    endgame: &Endgame,
    policy: &dyn Policy,
    plain: &ReferenceProof,
    refutation: &Refutation,
) {
    replay(policy, refutation);
    let choose = |at: u32| plain.chosen[at as usize].clone();
    let start = reference_rules::number_of(&refutation.start);
    let shortest = endgame.game.shortest_refutation(&choose, &plain.mated_in, start);
    assert_eq!(refutation.line.len(), shortest, "{refutation:?}");
}

/// Checks a line that mates as late as the defender can force.
pub fn check_mate(endgame: &Endgame, policy: &dyn Policy, plain: &ReferenceProof, mate: &Mate) {
    let mut board = Board::from_fen(&mate.start.to_string(), false).expect("a board");
    let moves = |board: &Board| {
        let position: Position = board.to_string().parse().expect("a position");
        plain.mated_in[reference_rules::number_of(&position) as usize]
    };
    assert_eq!(moves(&board), Some(mate.moves() as u16), "{mate:?}");
    for (number, &mv) in mate.line.iter().enumerate() {
        assert!(board.is_legal(mv), "{mv} in {mate:?}");
        let position: Position = board.to_string().parse().expect("a position");
        board.play(mv);
        if number % 2 == 0 {
            assert!(policy.choices(&position).contains(&mv), "{mate:?}");
        } else {
            let replies = endgame.game.replies(reference_rules::number_of(&position));
            let longest = replies.iter().map(|&next| plain.mated_in[next as usize]).max();
            assert_eq!(longest, Some(moves(&board)), "{mate:?}");
        }
    }
    assert_eq!(board.status(), GameStatus::Won, "{mate:?}");
}

/// Plays a line on a board of cozy-chess: every move is legal there, the strong side's moves are the
/// policy's, and the line ends as its reason says.
pub fn replay(policy: &dyn Policy, refutation: &Refutation) {
    let Refutation { start, line, reason, .. } = refutation;
    let mut board = Board::from_fen(&start.to_string(), false).expect("a board");
    let strong = start.color_to_move();
    let men = board.occupied().len();
    let mut seen = Vec::new();
    let said = format!("{start} {line:?}");
    let place = |board: &Board| {
        let fen = board.to_string();
        fen.split(' ').take(2).map(String::from).collect::<Vec<_>>()
    };
    for &mv in line {
        assert!(board.is_legal(mv), "{mv} in {said}");
        if board.side_to_move() == strong {
            seen.push(place(&board));
            let position: Position = board.to_string().parse().expect("a position");
            assert!(policy.choices(&position).contains(&mv), "{said}");
            assert_eq!(board.occupied().len(), men, "{said}");
        }
        board.play(mv);
        assert_ne!(board.status(), GameStatus::Won, "a mate: {said}");
    }
    let has_moves = board.generate_moves(|_| true);
    match reason {
        Reason::Cycle => {
            assert_eq!(board.side_to_move(), strong, "{said}");
            assert!(seen.contains(&place(&board)), "{said}");
        }
        Reason::Stalemate => {
            assert_eq!(board.side_to_move(), !strong, "{said}");
            assert!(!has_moves && board.checkers().is_empty(), "{said}");
        }
        Reason::LostPiece => {
            assert_eq!(board.side_to_move(), strong, "{said}");
            assert_eq!(board.occupied().len(), men - 1, "{said}");
        }
        Reason::OtherEndgame | Reason::Lost => {
            panic!("against a bare king nothing is taken, promoted or lost: {said}");
        }
        Reason::NoMove => {
            assert_eq!(board.side_to_move(), strong, "{said}");
            let position: Position = board.to_string().parse().expect("a position");
            let offered = policy.choices(&position);
            let is_out = offered.is_empty() || offered.iter().any(|&mv| !board.is_legal(mv));
            assert!(is_out, "{said}");
        }
    }
}

/// A move by its squares.
pub fn mv((from, to): (u8, u8)) -> Move {
    let [from, to] = [from, to].map(|at| Square::index(at.into()));
    Move { from, to, promotion: None }
}

/// A best move by the plain solver in every position.
pub static BEST: LazyLock<Vec<Option<Move>>> = LazyLock::new(|| {
    let mut best = vec![None; reference_rules::NUMBERS as usize];
    for at in ROOK.legal(Side::Strong) {
        let mated = |after: u32| ROOK_SOLVED.weak[after as usize].unwrap_or(u16::MAX);
        let first = ROOK.moves(at).min_by_key(|&(_, after)| mated(after));
        best[at as usize] = first.map(|(squares, _)| mv(squares));
    }
    best
});

pub fn best(position: &Position) -> Option<Move> {
    BEST[reference_rules::number_of(position) as usize]
}

/// The first move to a position that satisfies a condition, or else the best move.
pub fn first_or_best(position: &Position, holds: impl Fn((u8, u8), u32) -> bool) -> Option<Move> {
    let mut moves = ROOK.moves(reference_rules::number_of(position));
    let found = moves.find(|&(squares, after)| holds(squares, after));
    found.map(|(squares, _)| mv(squares)).or_else(|| best(position))
}
