//! Proofs: good players and deliberately bad ones, compared with a plain proof on the full board; the
//! lines that refute are replayed on a board of cozy-chess.

use lucena_base::progress::{NoObserver, Stopped};
use lucena_chess::symmetry::Group;
use lucena_chess::{Move, Position, Side, Square};
use lucena_learn::{CartParams, Id3Params, Learner, Limits};
use lucena_model::Measure;
use lucena_proof::policy::{MeasurePolicy, OrientedBoard, Policy, TablebasePlayer, TreePolicy};
use lucena_proof::{self as proof, Mate, Proof, ProveError, Reason, Verdict, chosen_moves, prove};
use lucena_tablebase::UnknownMaterial;
use lucena_test_support::observers::RecordingObserver;
use lucena_test_support::proofs::{
    FnPolicy, assert_near, best, check, first_or_best, generated_player, mv, queen, replay, rook,
};
use lucena_test_support::reference_rules;
use lucena_test_support::reference_rules::{ROOK, ROOK_SOLVED};
use lucena_test_support::tables::{KQVK, KQVK_ROWS, KRVK, material};
use std::collections::BTreeMap;

/// A policy on the full board, and a symmetric version of it.
fn both<F: Fn(&Position) -> Option<Move> + Sync + Copy>(choose: F) -> [FnPolicy<F>; 2] {
    [Group::Identity, Group::Square].map(|symmetries| FnPolicy {
        material: material("KRvK"),
        symmetries,
        choose,
    })
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
        ranking: None,
        excess: BTreeMap::from([(0, positions)]),
        by_distance: proof.by_distance.clone(),
        longest_line: proof.longest_line.clone(),
        refutation: None,
    };
    assert_eq!(*proof, expected);
    assert_eq!(proof.longest_line.as_ref().map(Mate::moves), Some(longest.into()));
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_exact_player_wins_everything_as_fast_as_can_be() {
    let player = generated_player(&KRVK).unwrap();
    assert_perfect(&check(&rook(), &player), 175_168, 16);
    let player = generated_player(&KQVK).unwrap();
    assert_perfect(&prove(&player, &KQVK).unwrap(), 144_508, 10);
}

#[test]
fn the_tablebase_player_wins_everything_as_fast_as_can_be() {
    assert_perfect(&check(&rook(), &TablebasePlayer(&KRVK)), 175_168, 16);
    assert_perfect(&prove(&TablebasePlayer(&KQVK), &KQVK).unwrap(), 144_508, 10);
}

#[test]
fn a_tree_from_its_file_wins_everything_as_fast_as_can_be() {
    let player = TreePolicy::new(lucena_test_support::trees::TREE.clone(), &KRVK).unwrap();
    assert_perfect(&prove(&player, &KRVK).unwrap(), 175_168, 16);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn trees_learned_for_the_queen_win_everything() {
    let id3 = Id3Params::default().check().unwrap().learn(&KQVK_ROWS).unwrap();
    let cart = CartParams::default().check().unwrap().learn(&KQVK_ROWS).unwrap();
    assert_perfect(&check(&queen(), &TreePolicy::new(cart, &KQVK).unwrap()), 144_508, 10);
    assert_perfect(&prove(&TreePolicy::new(id3, &KQVK).unwrap(), &KQVK).unwrap(), 144_508, 10);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_stunted_tree_is_worth_what_it_is() {
    let mut won = Vec::new();
    for depth in [2, 8, 12] {
        let limits = Limits { max_depth: Some(depth), min_rows: 2, max_leaves: None };
        let cart = CartParams::default().limits(limits).check().unwrap();
        let tree = cart.learn(&lucena_test_support::tables::KRVK_ROWS).unwrap();
        let proof = check(&rook(), &TreePolicy::new(tree, &KRVK).unwrap());
        assert!(proof.refutation.is_some(), "a tree of depth {depth} does not know everything");
        won.push(proof.won);
    }
    assert!(won.is_sorted() && won[0] < won[1] && won[2] < 175_168, "{won:?}");
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn hanging_the_rook_does_not_win() {
    let hang = |position: &Position| first_or_best(position, |_, after| ROOK.can_capture(after));
    for policy in both(hang) {
        let proof = check(&rook(), &policy);
        assert_eq!(proof.refutation.expect("it hangs the rook").reason, Reason::LostPiece);
    }
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn slow_players_win_and_are_told_how_slow_they_are() {
    // Mates if possible; otherwise it plays a winning move, sometimes a slower one.
    let dawdle = |position: &Position| {
        let at = reference_rules::number_of(position);
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn random_policies_are_proved_as_by_the_plain_proof() {
    check_random_policies(&[2, 200]);
}

#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn more_random_policies_are_proved_as_by_the_plain_proof() {
    check_random_policies(&[3, 20, 100, 2_000, 20_000]);
}

/// Checks policies that play a random move in one of so many positions, and the best move elsewhere.
fn check_random_policies(frequencies: &[u64]) {
    for (&one_in, seed) in frequencies.iter().zip(0..) {
        let policy = move |position: &Position| {
            let number = mixed(position, seed);
            if !number.is_multiple_of(one_in) {
                return best(position);
            }
            let at = reference_rules::number_of(position);
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn an_unsymmetric_policy_is_proved_on_the_full_board() {
    let blind = |position: &Position| {
        let is_canonical = Group::Square.canonical(position).to_string() == position.to_string();
        if is_canonical { best(position) } else { None }
    };
    let policy =
        FnPolicy { material: material("KRvK"), symmetries: Group::Identity, choose: blind };
    let proof = check(&rook(), &policy);
    assert!(proof.won < 175_168 / 8, "{}", proof.won);
    assert_near(proof.optimal_share, 21_959.0 / 175_168.0);
}

/// The tree that is perfect on representatives, on the board as it is.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_tree_that_does_not_turn_the_board_is_proved_on_it() {
    let tree = lucena_test_support::trees::EXACT.clone();
    let policy = TreePolicy::oriented_board(OrientedBoard::Board, tree, &KRVK).unwrap();
    let proof = check(&rook(), &policy);
    assert!(proof.won > 0 && proof.won < 175_168 / 8, "{}", proof.won);
}

#[test]
fn a_mirror_symmetric_policy_is_proved_as_such() {
    let policy = FnPolicy {
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn chosen_moves_are_all_listed() {
    let players: [&dyn Policy; 2] = [&generated_player(&KRVK).unwrap(), &TablebasePlayer(&KRVK)];
    for player in players {
        let chosen = chosen_moves(player);
        let mut numbers: Vec<u32> =
            chosen.iter().map(|(position, _)| reference_rules::number_of(position)).collect();
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(ROOK.legal(Side::Strong)), "every position once");
        assert_eq!(numbers.len(), 175_168);
        for (position, moves) in chosen {
            let mv = player.choose(&position).expect("a move in every position");
            assert_eq!(moves.as_slice(), [mv]);
            // Each is one of the best moves by the plain solver.
            let after = position.play(mv).expect("a legal move");
            let (before, after) =
                (reference_rules::number_of(&position), reference_rules::number_of(&after));
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
    let fate = |fen: &str| game.verdict(&fen.parse().unwrap(), &NoObserver);
    let [found, played] = ["KQvK", "KRvK"].map(material);
    let refused = fate("7k/5K2/8/8/8/8/8/1Q6 w - - 0 1");
    assert_eq!(refused, Err(ProveError::Material { found, played }));
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
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
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
        for at in ROOK.legal(Side::Strong).step_by(389) {
            let position = reference_rules::position(material("KRvK"), Side::Strong, at).unwrap();
            if let Verdict::NotWon(refutation) = game.verdict(&position, &NoObserver).unwrap() {
                let kind = (refutation.reason.to_string(), refutation.line.len());
                *reasons.entry(kind).or_default() += 1;
            }
        }
        assert!(reasons.contains_key(&("lost piece".into(), 2)), "{reasons:?}");
        assert!(reasons.contains_key(&("cycle".into(), 4)), "{reasons:?}");
    }
}

/// A measure whose shortest cycle is hard to find: the limit of the search gives a longer line, and says so.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_search_for_the_shortest_refutation_is_limited() {
    let measure = Measure::from_json(
        br#"{
            "kind": "measure", "format": 1, "material": "KRvK", "miner": "by hand", "parameters": {},
            "look": 2, "goal": "any-move", "secure": 0,
            "terms": [{"quantity": "KCornerSteps", "low": 0, "high": 3, "meaning": "moves", "weight": -1}]
        }"#,
    );
    let policy = MeasurePolicy::new(measure.expect("a measure")).expect("it plays");
    let observer = RecordingObserver::default();
    let game = proof::ProvedGame::new(&policy, rook().table).expect("the same endgame");
    let proof = game.proof(&observer).expect("nobody stops it");
    let refutation = proof.refutation.as_ref().expect("it does not win");
    assert_eq!((refutation.reason, refutation.is_shortest), (Reason::Cycle, false));
    replay(&policy, refutation);
    let told = observer.reports();
    assert!(told.iter().any(|told| told.what == "looking for the shortest refutation"));
    let figures = game.figures().expect("the table is in memory");
    assert_eq!(figures, Proof { longest_line: None, refutation: None, ..proof });
    let stopped = RecordingObserver::stopping_after(3);
    assert!(matches!(game.proof(&stopped), Err(Stopped::Request)));
}
