//! Proofs, games and theories of endgames with captures and promotions into other endgames, compared
//! with known counts, and line by line with a board of cozy-chess.

use cozy_chess::{Board, Color, GameStatus};
use lucena_attributes::Selection;
use lucena_base::named::Named;
use lucena_base::progress::NoObserver;
use lucena_chess::symmetry::Group;
use lucena_chess::{Move, Position, Role};
use lucena_dataset::Positions;
use lucena_learn::{CartParams, Learner};
use lucena_play::Resistance;
use lucena_play::validation::{ValidationParams, validate};
use lucena_proof::policy::{Policy, TablebasePlayer, TreePolicy};
use lucena_proof::{Proof, ProvedGame, Reason, Verdict, prove};
use lucena_tablebase::{Outcome, Tablebase};
use lucena_test_support::proofs::FnPolicy;
use lucena_test_support::tables::{FOUR_MEN, KPVK, material, rows};
use lucena_test_support::trees::checked_in;
use lucena_theory::{Guarantee, verify};

/// The board after a line of moves, each of which is checked to be legal.
fn played(start: &Position, line: &[Move]) -> Board {
    let mut board = Board::from_fen(&start.to_string(), false).expect("a board");
    for &mv in line {
        assert!(board.is_legal(mv), "{mv} in {board}, from {start}");
        board.play(mv);
    }
    board
}

fn table(name: &str) -> Tablebase {
    FOUR_MEN.tablebase(material(name), &NoObserver).expect("nobody stops it")
}

/// All won positions of king and pawn against king, for either colour of the pawn: 124,960 of 163,328
/// with the strong side to move, twice the 62,480 of bitbases; the others are drawn.
fn assert_all_of_king_and_pawn(proof: &Proof) {
    assert_eq!((proof.positions, proof.winnable), (163_328, 2 * 62_480));
    assert_eq!((proof.won, proof.drawable), (proof.winnable, 163_328 - 2 * 62_480));
    assert!(proof.wins_all() && proof.holds_all());
    assert_eq!(proof.refutation, None);
}

#[test]
fn the_table_wins_and_holds_every_pawn_ending() {
    let proof = prove(&TablebasePlayer(&KPVK), &KPVK).unwrap();
    assert_all_of_king_and_pawn(&proof);
    assert_eq!((proof.longest_moves, proof.mean_excess_moves), (Some(28), Some(0.0)));
    assert_eq!(proof.optimal, proof.positions);
    // The longest line continues through the endgame after the promotion.
    let mate = proof.longest_line.expect("a line");
    assert_eq!(mate.moves(), 28);
    assert!(mate.line.iter().any(|mv| mv.promotion.is_some()));
    assert_eq!(played(&mate.start, &mate.line).status(), GameStatus::Won);
}

#[test]
fn a_tree_that_knows_every_distance_plays_as_the_table_does() {
    let dataset = rows(&KPVK, Selection::Geometric, Positions::Canonical);
    let tree = CartParams::default().check().unwrap().learn(&dataset).unwrap();
    let player = TreePolicy::new(tree.clone(), &KPVK).unwrap();
    let proof = prove(&player, &KPVK).unwrap();
    assert_all_of_king_and_pawn(&proof);
    assert_eq!(proof.mean_excess_moves, Some(0.0));
    assert!(verify(&tree, Guarantee::Exact, &KPVK).is_ok());
}

/// The checked-in theory wins what bitbases count as won and loses nothing: proved, and played
/// against every kind of defence.
#[test]
fn the_theory_of_king_and_pawn_wins_all_that_is_won() {
    let tree = checked_in("KPvK.win.json");
    let theory = TreePolicy::new(tree, &KPVK).unwrap();
    let proof = prove(&theory, &KPVK).unwrap();
    assert_all_of_king_and_pawn(&proof);
    assert!(proof.longest_moves.is_some_and(|moves| (28..=50).contains(&moves)));
    let mate = proof.longest_line.expect("a line");
    assert_eq!(played(&mate.start, &mate.line).status(), GameStatus::Won);
    for &(_, resistance) in Resistance::ALL {
        let games = validate(
            &mut &theory,
            &KPVK,
            ValidationParams { resistance, games: 2_000, seed: 5 },
            &NoObserver,
        )
        .unwrap();
        let winnable: u64 = games.by_distance.values().map(|stratum| stratum.games).sum();
        assert!(games.won >= winnable && games.lost == 0, "{resistance:?}: {games:?}");
        assert!(games.by_distance.values().all(|stratum| stratum.won == stratum.games));
    }
}

/// A player that never promotes never wins.
#[test]
fn a_pawn_that_is_never_promoted_wins_nothing() {
    let choose = |position: &Position| {
        let moves = KPVK.probe_moves(position).ok()?;
        moves.into_iter().map(|(mv, ..)| mv).find(|mv| mv.promotion.is_none())
    };
    let policy = FnPolicy { material: material("KPvK"), symmetries: Group::Mirror, choose };
    let proof = prove(&policy, &KPVK).unwrap();
    assert_eq!((proof.won, proof.winnable), (0, 2 * 62_480));
    let refutation = proof.refutation.expect("a line");
    let board = played(&refutation.start, &refutation.line);
    match refutation.reason {
        Reason::LostPiece => assert_eq!(board.occupied().len(), 2),
        Reason::Stalemate => assert_eq!(board.status(), GameStatus::Drawn),
        Reason::Cycle | Reason::NoMove => {}
        reason => panic!("{reason:?}"),
    }
}

/// Promotion to a knight does not win, and the line says so.
#[test]
fn a_promotion_that_does_not_win_refutes() {
    let choose = |position: &Position| {
        let moves = KPVK.probe_moves(position).ok()?;
        let knight = moves.iter().find(|(mv, ..)| mv.promotion == Some(Role::Knight));
        knight.or(moves.first()).map(|&(mv, ..)| mv)
    };
    let policy = FnPolicy { material: material("KPvK"), symmetries: Group::Mirror, choose };
    let game = ProvedGame::new(&policy, &KPVK).unwrap();
    assert_eq!(game.proof(&NoObserver).unwrap().won, 0);
    let position: Position = "8/4P3/8/8/k7/8/8/K7 w - - 0 1".parse().unwrap();
    let Verdict::NotWon(refutation) = game.verdict(&position, &NoObserver).unwrap() else {
        panic!("a knight wins")
    };
    assert_eq!(refutation.reason, Reason::OtherEndgame);
    let board = played(&refutation.start, &refutation.line);
    assert_eq!(board.pieces(Role::Knight).len(), 1);
}

#[test]
fn black_pawns_run_the_other_way() {
    let player = TablebasePlayer(&KPVK);
    let game = ProvedGame::new(&player, &KPVK).unwrap();
    let white: Position = "8/8/8/3k4/8/4PK2/8/8 w - - 0 1".parse().unwrap();
    let black = white.with_colors_exchanged();
    assert_eq!(black.strong(), Color::Black);
    let [Verdict::Won(one), Verdict::Won(other)] =
        [white, black].map(|it| game.verdict(&it, &NoObserver).unwrap())
    else {
        panic!("the king is in front of its pawn")
    };
    assert_eq!(one.moves(), other.moves());
    assert_eq!(other.start, black);
    assert_eq!(played(&other.start, &other.line).status(), GameStatus::Won);
    assert_eq!(player.choose(&black), other.line.first().copied());
}

#[test]
fn games_that_lead_to_other_endgames_are_judged_by_the_table() {
    let mut player = TablebasePlayer(&KPVK);
    let games = validate(
        &mut player,
        &KPVK,
        ValidationParams { resistance: Resistance::Best, games: 500, seed: 1 },
        &NoObserver,
    )
    .unwrap();
    let winnable: u64 = games.by_distance.values().map(|stratum| stratum.games).sum();
    assert_eq!((games.won, games.drawn, games.lost), (winnable, 500 - winnable, 0));
    assert_eq!(games.mean_excess_moves, Some(0.0));
    assert!((300..450).contains(&winnable), "{winnable} of 500 starts are won");
}

/// Proofs agree with the table's own counts on the full board, which other tests compare with published
/// counts.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn the_table_wins_and_holds_where_both_sides_have_men() {
    for name in ["KRvKN", "KQvKR", "KRvKP", "KPvKP", "KBPvK"] {
        let table = table(name);
        let proof = prove(&TablebasePlayer(&table), &table).unwrap();
        let counts = table.counts(lucena_chess::Side::Strong, Group::Identity);
        assert_eq!((proof.winnable, proof.drawable), (counts.won, counts.drawn), "{name}");
        assert!(proof.wins_all() && proof.holds_all(), "{name}");
        let longest = counts.histogram.keys().filter(|&plies| plies % 2 == 1).max();
        assert_eq!(proof.longest_moves, longest.map(|plies| plies.div_ceil(2)), "{name}");
        let mate = proof.longest_line.expect("a line");
        assert_eq!(played(&mate.start, &mate.line).status(), GameStatus::Won, "{name}");
    }
}

/// A player that throws its draws away: the number of held draws is computed again, move by move.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn draws_that_are_given_away_are_not_held() {
    let table = table("KRvKN");
    let choose = |position: &Position| table.probe_moves(position).ok()?.last().map(|&(mv, ..)| mv);
    let policy = FnPolicy { material: material("KRvKN"), symmetries: Group::Square, choose };
    let proof = prove(&policy, &table).unwrap();
    assert!(proof.won < proof.winnable / 2, "{} won", proof.won);
    let loses = |position: &Position| {
        let after = policy.choose(position).and_then(|mv| position.play(mv).ok());
        after.is_some_and(|after| matches!(table.probe(&after), Ok(Outcome::Win(_))))
    };
    let drawn = table.canonical_positions(lucena_chess::Side::Strong);
    let mut thrown = 0;
    for (position, outcome) in drawn {
        if outcome == Outcome::Draw && loses(&position) {
            thrown += Group::Square.orbit(&position).len() as u64;
        }
    }
    // If the loss is further away than one move, the draw is not held either.
    assert!(thrown > 0 && proof.held <= proof.drawable - thrown, "{thrown}");
    assert!(!proof.holds_all());
}

/// The geometric attributes separate all positions of rook against knight. So a tree learned from them
/// wins and holds everything that can be won and held, in the fewest moves.
#[test]
#[ignore = "slow: cargo test --workspace --release -- --include-ignored"]
fn a_learned_tree_is_exact_where_both_sides_have_men() {
    let table = table("KRvKN");
    let dataset = rows(&table, Selection::Geometric, Positions::Canonical);
    let tree = CartParams::default().check().unwrap().learn(&dataset).unwrap();
    let proof = verify(&tree, Guarantee::Exact, &table).unwrap();
    assert_eq!(proof.mean_excess_moves, Some(0.0));
    assert_eq!(proof.optimal, proof.positions);
}
