//! Static evaluation of boards.

use lucena_base::named::Named;
use lucena_chess::{Board, Color, Game, Role, Square};
use lucena_search::evaluation::{
    CombinedEvaluation, EightTerms, Evaluation, EvaluationTerm, Material, MenValues, MopUp,
    ParseWeightsError, Phase, Weights,
};
use lucena_test_support::cases::cases;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Positions from random games, one for every `every` plies.
pub(crate) fn random_games(games: u64, every: usize) -> Vec<Game> {
    let mut positions = Vec::new();
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new();
        for ply in 0..200 {
            if game.status().is_over() {
                break;
            }
            let moves = game.moves();
            game.play(moves[rng.gen_range(0..moves.len() as u32) as usize]).unwrap();
            if ply % every == 0 && !game.status().is_over() {
                positions.push(game.clone());
            }
        }
    }
    positions
}

/// The FEN with the colours exchanged and the board flipped vertically.
fn mirrored(fen: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').collect();
    let swap = |text: &str| -> String {
        let swap = |c: char| {
            if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
        };
        text.chars().map(swap).collect()
    };
    let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
    let turn = if fields[1] == "w" { "b" } else { "w" };
    let rights: String = if fields[2] == "-" { "-".into() } else { swap(fields[2]) };
    let mut rights: Vec<char> = rights.chars().collect();
    rights.sort_by_key(|right| "KQkq-".find(*right));
    let passed = match fields[3].as_bytes() {
        [file, b'3'] => format!("{}6", *file as char),
        [file, b'6'] => format!("{}3", *file as char),
        _ => "-".into(),
    };
    let rights: String = rights.into_iter().collect();
    format!("{} {turn} {rights} {passed} {} {}", ranks.join("/"), fields[4], fields[5])
}

#[test]
fn a_mirrored_position_has_the_negated_value() {
    let evaluations: [&dyn Evaluation; 4] = [
        &Material(MenValues::DEFAULT),
        &EightTerms::default(),
        &MopUp::default(),
        &CombinedEvaluation::default(),
    ];
    let positions = random_games(30, 5);
    assert!(positions.len() > 500);
    let mut seen = 0;
    for game in &positions {
        let other: Game = mirrored(&game.to_string()).parse().unwrap();
        for evaluation in evaluations {
            let value = evaluation.evaluate(game.board());
            // The colours and the side to move are exchanged: from its point of view nothing has changed.
            assert_eq!(value, evaluation.evaluate(other.board()), "{} {game}", evaluation.name());
            seen += i32::from(value != 0);
        }
    }
    assert!(seen > 1000);
}

/// The points of each part, counted plainly, man by man and square by square.
fn plain_points(board: &Board, color: Color) -> [i32; 7] {
    let rank = |square: Square| match color {
        Color::White => square.rank() as i32,
        Color::Black => 7 - square.rank() as i32,
    };
    let file = |square: Square| square.file() as i32;
    let of =
        |color, role| -> Vec<Square> { board.colored_pieces(color, role).into_iter().collect() };
    let pawns = of(color, Role::Pawn);
    let enemies = of(!color, Role::Pawn);
    let attacked: Vec<Square> =
        Square::ALL.into_iter().filter(|&square| is_attacked(board, color, square)).collect();
    let key = attacked
        .iter()
        .filter(|square| [Square::D4, Square::E4, Square::D5, Square::E5].contains(square));
    let passed = pawns.iter().filter(|&&pawn| {
        !enemies
            .iter()
            .any(|&enemy| (file(enemy) - file(pawn)).abs() <= 1 && rank(enemy) > rank(pawn))
    });
    let doubled = pawns.iter().filter(|&&pawn| {
        pawns.iter().any(|&other| file(other) == file(pawn) && rank(other) > rank(pawn))
    });
    let guarded = pawns.iter().filter(|&&pawn| {
        pawns
            .iter()
            .any(|&other| (file(other) - file(pawn)).abs() == 1 && rank(other) + 1 == rank(pawn))
    });
    let king = board.king(color);
    let rights = board.castle_rights(color);
    let castled = rank(king) == 0
        && !(3..=5).contains(&file(king))
        && rights.short.is_none()
        && rights.long.is_none();
    [
        attacked.len() as i32,
        4 * key.count() as i32,
        5 * passed.count() as i32,
        -4 * doubled.count() as i32,
        3 * i32::from(castled),
        pawns.iter().map(|&pawn| rank(pawn) - 1).sum(),
        guarded.count() as i32,
    ]
}

/// Returns true if a side attacks a square, found step by step.
fn is_attacked(board: &Board, color: Color, to: Square) -> bool {
    let at = |square: Square| (square.file() as i8, square.rank() as i8);
    board.colors(color).into_iter().any(|from| {
        let ((file, rank), (to_file, to_rank)) = (at(from), at(to));
        let (across, up) = (to_file - file, to_rank - rank);
        let (far, near) = (across.abs().max(up.abs()), across.abs().min(up.abs()));
        if far == 0 {
            return false;
        }
        let is_free = || {
            (1..far).all(|step| {
                let between = Square::new(
                    lucena_chess::File::index((file + across.signum() * step) as usize),
                    lucena_chess::Rank::index((rank + up.signum() * step) as usize),
                );
                !board.occupied().has(between)
            })
        };
        let forward = if color == Color::White { 1 } else { -1 };
        match board.piece_on(from).unwrap() {
            Role::Pawn => up == forward && across.abs() == 1,
            Role::Knight => (far, near) == (2, 1),
            Role::Bishop => far == near && is_free(),
            Role::Rook => near == 0 && is_free(),
            Role::Queen => (far == near || near == 0) && is_free(),
            Role::King => far == 1,
        }
    })
}

#[test]
fn every_part_is_what_a_plain_count_gives() {
    let evaluation = EightTerms::default();
    for game in random_games(12, 6) {
        let board = game.board();
        let white = plain_points(board, Color::White);
        let black = plain_points(board, Color::Black);
        let terms = evaluation.terms(board);
        assert_eq!(terms.len(), EvaluationTerm::ALL.len());
        for (term, (white, black)) in terms[1..].iter().zip(white.into_iter().zip(black)) {
            assert_eq!(term.points, white - black, "{} {game}", term.name);
        }
        let phase = Phase::new(board.occupied().len());
        let weights = Weights::default();
        let sum: i32 = terms
            .iter()
            .zip(EvaluationTerm::ALL)
            .map(|(term, &(_, part))| term.points * weights.of(part, phase))
            .sum();
        let sign = if board.side_to_move() == Color::White { 1 } else { -1 };
        assert_eq!(evaluation.evaluate(board), sign * (sum / 100), "{game}");
    }
}

/// Boards on which each part can be counted by eye.
#[test]
fn parts_count_what_they_are_called() {
    let evaluation = EightTerms::default();
    for [fen, part, points] in cases("evaluation_parts.csv") {
        let game: Game = fen.parse().unwrap();
        let term = evaluation.terms(game.board()).into_iter().find(|term| term.name == part);
        assert_eq!(term.unwrap().points, points.parse::<i32>().unwrap(), "{fen} {part}");
    }
}

#[test]
fn weights_are_read_as_they_were_written_and_nothing_else_is() {
    let weights = Weights::default().with(EvaluationTerm::PawnChains, Phase::Endgame, -25);
    let json = weights.to_json();
    assert_eq!(Weights::from_json(json.as_bytes()).unwrap(), weights);
    let refused = |json: &str| Weights::from_json(json.as_bytes()).unwrap_err();
    assert!(matches!(refused(&json[..json.len() / 2]), ParseWeightsError::Json(_)));
    assert!(matches!(
        refused(&json.replace("pawn-chains", "pawn-chain")),
        ParseWeightsError::Missing(_)
    ));
    let more = json.replace("\"pawn-chains\"", "\"tempo\": [1, 2, 3],\n    \"pawn-chains\"");
    assert!(matches!(refused(&more), ParseWeightsError::Unknown { .. }));
    assert!(matches!(refused(&json.replace("-25", "-25000")), ParseWeightsError::TooLarge(..)));
    assert!(matches!(
        refused(&json.replace("\"queen\": 1000", "\"queen\": 9000")),
        ParseWeightsError::TooLarge(..)
    ));
}
