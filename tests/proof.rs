//! Proofs: good players and deliberately bad ones, compared with a plain proof on the full board; the
//! lines that refute are replayed on a board of cozy-chess.

use crate::plain::{self, Game, QUEEN, QUEEN_SOLVED, ROOK, ROOK_SOLVED, Solution};
use crate::tables::{KQVK, KQVK_ROWS, KRVK, material};
use cozy_chess::{Board, GameStatus};
use lucena::chess::{Material, Move, Position, Side, Square};
use lucena::learn::{CartParams, Id3Params, Learner, Limits};
use lucena::policy::{GeneratedPolicy, PlayedOn, Policy, TablebasePlayer, TreePolicy};
use lucena::proof::{self, Fate, FateError, Mate, Proof, Reason, Refutation, chosen_moves, prove};
use lucena::symmetry::Group;
use lucena::tablebase::{Tablebase, UnknownMaterial};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A policy made from a function.
pub(crate) struct Made<F> {
    pub(crate) material: Material,
    pub(crate) symmetries: Group,
    pub(crate) choose: F,
}

impl<F: Fn(&Position) -> Option<Move> + Sync> Policy for Made<F> {
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
        let symmetry = self.symmetries.canonicaliser(position);
        let mv = (self.choose)(&symmetry.apply_to_position(position))?;
        Some(symmetry.inverse().apply_to_move(mv))
    }
}

/// A policy on the full board, and a symmetric version of it.
fn both<F: Fn(&Position) -> Option<Move> + Sync + Copy>(choose: F) -> [Made<F>; 2] {
    [Group::Identity, Group::Square].map(|symmetries| Made {
        material: material("KRvK"),
        symmetries,
        choose,
    })
}

/// An endgame: the table, and the plain game with its solution.
pub(crate) struct Endgame {
    table: &'static Tablebase,
    game: &'static Game,
    solution: &'static Solution,
}

pub(crate) fn rook() -> Endgame {
    Endgame { table: &KRVK, game: &ROOK, solution: &ROOK_SOLVED }
}

pub(crate) fn queen() -> Endgame {
    Endgame { table: &KQVK, game: &QUEEN, solution: &QUEEN_SOLVED }
}

/// The moves to mate of every position by the plain proof, with totals.
struct Plain {
    chosen: Vec<Vec<(u8, u8)>>,
    mated_in: Vec<Option<u16>>,
    positions: u64,
    won: u64,
    longest_moves: Option<u16>,
    excess: BTreeMap<u16, u64>,
    optimal: u64,
}

fn prove_plainly(endgame: &Endgame, policy: &dyn Policy) -> Plain {
    let endgame_material = endgame.table.material();
    let chosen: Vec<Vec<(u8, u8)>> = (0..plain::NUMBERS)
        .map(|at| {
            let position = plain::position(endgame_material, Side::Strong, at);
            let moves = position.map(|position| policy.choices(&position)).unwrap_or_default();
            moves.into_iter().map(plain::squares_of).collect()
        })
        .collect();
    let mated_in = endgame.game.prove(|at| chosen[at as usize].clone());
    let mut plain = Plain {
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
            let mut men = plain::squares(at);
            let Some(man) = men[..2].iter().position(|&man| man == from) else { return false };
            men[man] = to;
            let after = plain::number(men);
            endgame.game.after(at).contains(&after)
                && endgame.solution.weak[after as usize] == Some(best - 1)
        };
        let moves = &chosen[at as usize];
        plain.optimal += u64::from(!moves.is_empty() && moves.iter().all(is_optimal));
    }
    plain.chosen = chosen;
    plain
}

fn assert_near(one: f64, other: f64) {
    assert!((one - other).abs() < 1e-9, "{one}, not {other}");
}

/// Compares a proof with the plain one, and replays its refutation.
pub(crate) fn check(endgame: &Endgame, policy: &dyn Policy) -> Proof {
    let game =
        proof::ProvedGame::new(policy, endgame.table).expect("the table of the policy's material");
    let proof = game.proof();
    let plain = prove_plainly(endgame, policy);
    assert_eq!((proof.positions, proof.won), (plain.positions, plain.won));
    // In these endgames every position is won.
    assert_eq!(proof.winnable, plain.positions);
    assert_eq!(proof.wins_all(), plain.won == plain.positions);
    assert_eq!(proof.longest_moves, plain.longest_moves);
    assert_eq!(proof.optimal, plain.optimal);
    assert_near(proof.optimal_share, plain.optimal as f64 / plain.positions as f64);
    assert_eq!(proof.excess, plain.excess);
    let excess: u64 = plain.excess.iter().map(|(&over, count)| u64::from(over) * count).sum();
    match proof.mean_excess_moves {
        Some(mean) => assert_near(mean, excess as f64 / plain.won as f64),
        None => assert_eq!(plain.won, 0),
    }
    // A mate in n takes 2 n - 1 plies; after 100 without a capture a draw can be claimed.
    let safe = plain.longest_moves.is_none_or(|moves| 2 * moves - 1 <= 100);
    assert_eq!(proof.fifty_move_safe, safe);
    match &proof.refutation {
        Some(refutation) => {
            let at = plain::number_of(&refutation.start) as usize;
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
                plain.mated_in[plain::number_of(position) as usize] == plain.longest_moves
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
    for at in endgame.game.legal(Side::Strong).step_by(1_753) {
        let white = plain::position(policy.material(), Side::Strong, at).expect("a position");
        let black = white.with_colors_exchanged();
        let [fate, of_black] = [white, black].map(|position| game.fate(&position).expect("a fate"));
        match (fate, of_black) {
            (Fate::Won(mate), Fate::Won(other)) => {
                assert_eq!((mate.start, other.start), (white, black));
                assert_eq!(mate.line, other.line);
                check_mate(endgame, policy, &plain, &mate);
            }
            (Fate::NotWon(refutation), Fate::NotWon(other)) => {
                assert_eq!((refutation.start, other.start), (white, black));
                assert_eq!((&refutation.line, refutation.reason), (&other.line, other.reason));
                check_refutation(endgame, policy, &plain, &refutation);
            }
            fates => panic!("{fates:?}"),
        }
    }
    proof
}

/// Compares the numbers of a proof with those of the plain one, and replays its refutation. If many moves
/// are tied, a plain search for the shortest refutation takes too long.
pub(crate) fn check_numbers(endgame: &Endgame, policy: &dyn Policy) -> Proof {
    let proof = prove(policy, endgame.table).expect("the table of the policy's material");
    let plain = prove_plainly(endgame, policy);
    assert_eq!((proof.positions, proof.won), (plain.positions, plain.won));
    assert_eq!(proof.longest_moves, plain.longest_moves);
    assert_eq!((proof.optimal, &proof.excess), (plain.optimal, &plain.excess));
    assert_eq!(proof.refutation.is_none(), proof.won == proof.positions);
    if let Some(refutation) = &proof.refutation {
        assert_eq!(plain.mated_in[plain::number_of(&refutation.start) as usize], None);
        replay(policy, refutation);
    }
    if let Some(mate) = &proof.longest_line {
        assert_eq!(Some(mate.moves() as u16), plain.longest_moves);
        check_mate(endgame, policy, &plain, mate);
    }
    proof
}

/// Checks that a refutation is legal, ends as it says, and that there is no shorter one.
fn check_refutation(
    endgame: &Endgame,
    policy: &dyn Policy,
    plain: &Plain,
    refutation: &Refutation,
) {
    replay(policy, refutation);
    let choose = |at: u32| plain.chosen[at as usize].clone();
    let start = plain::number_of(&refutation.start);
    let shortest = endgame.game.shortest_refutation(&choose, &plain.mated_in, start);
    assert_eq!(refutation.line.len(), shortest, "{refutation:?}");
}

/// Checks a line that mates as late as the defender can force.
fn check_mate(endgame: &Endgame, policy: &dyn Policy, plain: &Plain, mate: &Mate) {
    let mut board = Board::from_fen(&mate.start.to_string(), false).expect("a board");
    let moves = |board: &Board| {
        let position: Position = board.to_string().parse().expect("a position");
        plain.mated_in[plain::number_of(&position) as usize]
    };
    assert_eq!(moves(&board), Some(mate.moves() as u16), "{mate:?}");
    for (number, &mv) in mate.line.iter().enumerate() {
        assert!(board.is_legal(mv), "{mv} in {mate:?}");
        let position: Position = board.to_string().parse().expect("a position");
        board.play(mv);
        if number % 2 == 0 {
            assert!(policy.choices(&position).contains(&mv), "{mate:?}");
        } else {
            let replies = endgame.game.replies(plain::number_of(&position));
            let longest = replies.iter().map(|&next| plain.mated_in[next as usize]).max();
            assert_eq!(longest, Some(moves(&board)), "{mate:?}");
        }
    }
    assert_eq!(board.status(), GameStatus::Won, "{mate:?}");
}

/// Plays a line on a board of cozy-chess: every move is legal there, the strong side's moves are the
/// policy's, and the line ends as its reason says.
fn replay(policy: &dyn Policy, refutation: &Refutation) {
    let Refutation { start, line, reason } = refutation;
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

fn assert_perfect(proof: &Proof, positions: u64, longest: u16) {
    let expected = Proof {
        positions,
        winnable: positions,
        won: positions,
        drawable: 0,
        held: 0,
        optimal: positions,
        longest_moves: Some(longest),
        mean_excess_moves: Some(0.0),
        optimal_share: 1.0,
        fifty_move_safe: true,
        excess: BTreeMap::from([(0, positions)]),
        longest_line: proof.longest_line.clone(),
        refutation: None,
    };
    assert_eq!(*proof, expected);
    assert_eq!(proof.longest_line.as_ref().map(Mate::moves), Some(longest.into()));
}

#[test]
fn the_exact_player_wins_everything_as_fast_as_can_be() {
    let player = GeneratedPolicy::exact(&KRVK).unwrap();
    assert_perfect(&check(&rook(), &player), 175_168, 16);
    let player = GeneratedPolicy::exact(&KQVK).unwrap();
    assert_perfect(&prove(&player, &KQVK).unwrap(), 144_508, 10);
}

#[test]
fn the_tablebase_player_wins_everything_as_fast_as_can_be() {
    assert_perfect(&check(&rook(), &TablebasePlayer(&KRVK)), 175_168, 16);
    assert_perfect(&prove(&TablebasePlayer(&KQVK), &KQVK).unwrap(), 144_508, 10);
}

#[test]
fn a_tree_from_its_file_wins_everything_as_fast_as_can_be() {
    let player = TreePolicy::new(crate::trees::TREE.clone(), &KRVK).unwrap();
    assert_perfect(&prove(&player, &KRVK).unwrap(), 175_168, 16);
}

#[test]
fn trees_learned_for_the_queen_win_everything() {
    let id3 = Id3Params::default().check().unwrap().learn(&KQVK_ROWS).unwrap();
    let cart = CartParams::default().check().unwrap().learn(&KQVK_ROWS).unwrap();
    assert_perfect(&check(&queen(), &TreePolicy::new(cart, &KQVK).unwrap()), 144_508, 10);
    assert_perfect(&prove(&TreePolicy::new(id3, &KQVK).unwrap(), &KQVK).unwrap(), 144_508, 10);
}

#[test]
fn a_stunted_tree_is_worth_what_it_is() {
    let mut won = Vec::new();
    for depth in [2, 8, 12] {
        let limits = Limits { max_depth: Some(depth), min_rows: 2 };
        let cart = CartParams::default().limits(limits).check().unwrap();
        let tree = cart.learn(&crate::tables::KRVK_ROWS).unwrap();
        let proof = check(&rook(), &TreePolicy::new(tree, &KRVK).unwrap());
        assert!(proof.refutation.is_some(), "a tree of depth {depth} does not know everything");
        won.push(proof.won);
    }
    assert!(won.is_sorted() && won[0] < won[1] && won[2] < 175_168, "{won:?}");
}

/// A move by its squares.
fn mv((from, to): (u8, u8)) -> Move {
    let [from, to] = [from, to].map(|at| Square::index(at.into()));
    Move { from, to, promotion: None }
}

/// A best move by the plain solver in every position.
static BEST: LazyLock<Vec<Option<Move>>> = LazyLock::new(|| {
    let mut best = vec![None; plain::NUMBERS as usize];
    for at in ROOK.legal(Side::Strong) {
        let mated = |after: u32| ROOK_SOLVED.weak[after as usize].unwrap_or(u16::MAX);
        let first = ROOK.moves(at).min_by_key(|&(_, after)| mated(after));
        best[at as usize] = first.map(|(squares, _)| mv(squares));
    }
    best
});

fn best(position: &Position) -> Option<Move> {
    BEST[plain::number_of(position) as usize]
}

/// The first move to a position that satisfies a condition, or else the best move.
pub(crate) fn first_or_best(
    position: &Position,
    holds: impl Fn((u8, u8), u32) -> bool,
) -> Option<Move> {
    let mut moves = ROOK.moves(plain::number_of(position));
    let found = moves.find(|&(squares, after)| holds(squares, after));
    found.map(|(squares, _)| mv(squares)).or_else(|| best(position))
}

/// A pseudo-random number, the same for the same position.
fn mixed(position: &Position, seed: u64) -> u64 {
    let mut hash = seed ^ 0x9e37_79b9_7f4a_7c15;
    for (_, square) in position.men() {
        hash = (hash ^ square as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash ^= hash >> 29;
    }
    hash
}

#[test]
fn going_round_in_circles_does_not_win() {
    // Always the king, to the first possible square: any mate is accidental.
    for policy in both(|position: &Position| position.moves().first().copied()) {
        let proof = check(&rook(), &policy);
        assert!(proof.won < 1_000, "{}", proof.won);
        assert!(proof.refutation.is_some());
    }
    // Back and forth with the rook on one rank, out of reach, as long as that is legal.
    let shuffle = |position: &Position| {
        let rook = position.men().nth(1)?.1 as u8;
        first_or_best(position, |(from, _), after| {
            from == rook && !ROOK.can_capture(after) && ROOK.end(after).is_none()
        })
    };
    let mut reasons = BTreeMap::new();
    for policy in both(shuffle) {
        let proof = check(&rook(), &policy);
        let reason = proof.refutation.expect("it cannot win").reason.to_string();
        *reasons.entry(reason).or_insert(0) += 1;
    }
    assert_eq!(reasons, BTreeMap::from([("cycle".into(), 2)]));
}

#[test]
fn stalemating_does_not_win() {
    let stalemate =
        |position: &Position| first_or_best(position, |_, after| ROOK.end(after) == Some(false));
    for policy in both(stalemate) {
        let proof = check(&rook(), &policy);
        assert_eq!(proof.refutation.expect("it stalemates").reason, Reason::Stalemate);
        assert!(proof.won > 0 && proof.won < 175_168);
    }
}

#[test]
fn hanging_the_rook_does_not_win() {
    let hang = |position: &Position| first_or_best(position, |_, after| ROOK.can_capture(after));
    for policy in both(hang) {
        let proof = check(&rook(), &policy);
        assert_eq!(proof.refutation.expect("it hangs the rook").reason, Reason::LostPiece);
    }
}

#[test]
fn having_no_move_does_not_win() {
    let nothing = |_: &Position| None;
    for policy in both(nothing) {
        let proof = check(&rook(), &policy);
        assert_eq!((proof.won, proof.longest_moves), (0, None));
        assert_eq!((proof.mean_excess_moves, proof.optimal_share), (None, 0.0));
        let refutation = proof.refutation.expect("it does nothing");
        assert_eq!((refutation.line.len(), refutation.reason), (0, Reason::NoMove));
    }
    // Occasionally no move, or an illegal one.
    let sometimes = |position: &Position| match mixed(position, 1) % 300 {
        0 => None,
        1 => Some(Move { from: Square::A1, to: Square::A1, promotion: None }),
        _ => best(position),
    };
    for policy in both(sometimes) {
        let proof = check(&rook(), &policy);
        assert!(proof.won > 1_000 && proof.won < 175_168, "{}", proof.won);
        assert_eq!(proof.refutation.expect("a gap").reason, Reason::NoMove);
    }
}

#[test]
fn slow_players_win_and_are_told_how_slow_they_are() {
    // Mates if possible; otherwise it plays a winning move, sometimes a slower one.
    let dawdle = |position: &Position| {
        let at = plain::number_of(position);
        let mated = |after: u32| ROOK_SOLVED.weak[after as usize];
        let least = ROOK.moves(at).filter_map(|(_, after)| mated(after)).min()?;
        let most = if least > 4 { least + 2 } else { least };
        let is_good = |after| mated(after).is_some_and(|plies| plies <= most);
        let good: Vec<Move> =
            ROOK.moves(at).filter(|one| is_good(one.1)).map(|one| mv(one.0)).collect();
        let slower = mixed(position, 3).is_multiple_of(3);
        if slower { good.last().copied() } else { good.first().copied() }
    };
    for policy in both(dawdle) {
        let proof = check(&rook(), &policy);
        assert!(proof.mean_excess_moves > Some(0.0), "{proof:?}");
        assert!(proof.optimal_share < 1.0 && proof.won > 10_000, "{proof:?}");
    }
}

#[test]
fn random_policies_are_proved_as_by_the_plain_proof() {
    for seed in 0..4 {
        // Better with each seed: one in `one_in` positions gets a random move.
        let one_in = [2, 20, 200, 2_000][seed as usize];
        let policy = move |position: &Position| {
            let number = mixed(position, seed);
            if !number.is_multiple_of(one_in) {
                return best(position);
            }
            let at = plain::number_of(position);
            let choice = (number / one_in) as usize % ROOK.moves(at).count();
            ROOK.moves(at).nth(choice).map(|(squares, _)| mv(squares))
        };
        for policy in both(policy) {
            let proof = check(&rook(), &policy);
            assert!(proof.won > 0, "{proof:?}");
        }
    }
}

/// A policy that treats the two wings differently is proved as it plays, and not on representatives only,
/// where it would be perfect.
#[test]
fn an_unsymmetric_policy_is_proved_on_the_full_board() {
    let blind = |position: &Position| {
        let is_canonical = Group::Square.canonical(position).to_string() == position.to_string();
        if is_canonical { best(position) } else { None }
    };
    let policy = Made { material: material("KRvK"), symmetries: Group::Identity, choose: blind };
    let proof = check(&rook(), &policy);
    assert!(proof.won < 175_168 / 8, "{}", proof.won);
    assert_near(proof.optimal_share, 21_959.0 / 175_168.0);
}

/// The tree that is perfect on representatives, on the board as it is.
#[test]
fn a_tree_that_does_not_turn_the_board_is_proved_on_it() {
    let tree = crate::trees::EXACT.clone();
    let policy = TreePolicy::played_on(PlayedOn::Board, tree, &KRVK).unwrap();
    let proof = check(&rook(), &policy);
    assert!(proof.won > 0 && proof.won < 175_168 / 8, "{}", proof.won);
}

#[test]
fn a_mirror_symmetric_policy_is_proved_as_such() {
    let policy = Made {
        material: material("KRvK"),
        symmetries: Group::Mirror,
        choose: |position: &Position| {
            (position.king(Side::Weak).rank() as u8 > 2).then(|| best(position)).flatten()
        },
    };
    let proof = check(&rook(), &policy);
    assert!(proof.won > 0 && proof.won < 175_168);
}

#[test]
fn chosen_moves_are_all_listed() {
    let players: [&dyn Policy; 2] =
        [&GeneratedPolicy::exact(&KRVK).unwrap(), &TablebasePlayer(&KRVK)];
    for player in players {
        let chosen = chosen_moves(player);
        let mut numbers: Vec<u32> =
            chosen.iter().map(|(position, _)| plain::number_of(position)).collect();
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(ROOK.legal(Side::Strong)), "every position once");
        assert_eq!(numbers.len(), 175_168);
        for (position, moves) in chosen {
            let mv = player.choose(&position).expect("a move in every position");
            assert_eq!(moves.as_slice(), [mv]);
            // Each is one of the best moves by the plain solver.
            let after = position.play(mv).expect("a legal move");
            let (before, after) = (plain::number_of(&position), plain::number_of(&after));
            let best = ROOK_SOLVED.strong[before as usize].expect("won");
            assert_eq!(ROOK_SOLVED.weak[after as usize], Some(best - 1), "{mv} in {position}");
        }
    }
}

#[test]
fn policies_and_tables_of_two_materials_do_not_mix() {
    let refused = prove(&TablebasePlayer(&KRVK), &KQVK);
    let expected = UnknownMaterial { material: material("KRvK"), table: material("KQvK") };
    assert_eq!(refused, Err(expected.into()));
}

#[test]
fn fates_are_told_of_what_the_policy_plays() {
    let player = TablebasePlayer(&KRVK);
    let game = proof::ProvedGame::new(&player, &KRVK).unwrap();
    let fate = |fen: &str| game.fate(&fen.parse().unwrap());
    let [found, played] = ["KQvK", "KRvK"].map(material);
    let refused = fate("7k/5K2/8/8/8/8/8/1Q6 w - - 0 1");
    assert_eq!(refused, Err(FateError::Material { found, played }));
    for (fen, is_to_move, mends) in [
        ("8/8/8/8/8/1k6/8/K1R5 b - - 0 1", "Black is to move", "in which White is to move"),
        ("8/8/8/8/8/1K6/8/k1r5 w - - 0 1", "White is to move", "in which Black is to move"),
    ] {
        let said = fate(fen).unwrap_err().to_string();
        assert!(said.starts_with(is_to_move) && said.ends_with(mends), "{said}");
    }
}

/// Once the cycle is shorter than the way to where the rook hangs, and once the other way
/// round.
#[test]
fn the_shortest_refutation_is_told_whatever_its_kind() {
    let shuffle = |position: &Position| {
        let rook = position.men().nth(1)?.1 as u8;
        // Hangs the rook if possible on the weak king's side of the board, and shuffles elsewhere.
        if (position.king(Side::Weak).file() as u8) < 3 {
            first_or_best(position, |_, after| ROOK.can_capture(after))
        } else {
            first_or_best(position, |(from, _), after| {
                from == rook && !ROOK.can_capture(after) && ROOK.end(after).is_none()
            })
        }
    };
    for policy in both(shuffle) {
        check(&rook(), &policy);
        let game = proof::ProvedGame::new(&policy, &KRVK).unwrap();
        let mut reasons: BTreeMap<(String, usize), u32> = BTreeMap::new();
        for at in ROOK.legal(Side::Strong).step_by(97) {
            let position = plain::position(material("KRvK"), Side::Strong, at).unwrap();
            if let Fate::NotWon(refutation) = game.fate(&position).unwrap() {
                let kind = (refutation.reason.to_string(), refutation.line.len());
                *reasons.entry(kind).or_default() += 1;
            }
        }
        assert!(reasons.contains_key(&("lost piece".into(), 2)), "{reasons:?}");
        assert!(reasons.contains_key(&("cycle".into(), 4)), "{reasons:?}");
    }
}
