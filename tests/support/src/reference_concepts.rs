//! Concepts, and the numbers that measures are made of, by a slow plain implementation of their names.

use crate::reference_attributes::{ReferenceBoard, TURNS, from_edge, king_moves};
use crate::reference_rules::{Board, Man, file, rank};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const CORNERS: [u8; 4] = [0, 7, 56, 63];
const CENTRE: [u8; 4] = [27, 28, 35, 36];

/// The words of attributes of the kings, or of all men.
const OF_ALL: &[&str] = &[
    "Ready",
    "Stalemate",
    "Checks",
    "Covered",
    "BCovered",
    "GuardedAround",
    "Cage",
    "Escapes",
    "Takes",
    "Guards",
    "DirectOpposition",
    "DistantOpposition",
    "AnyOpposition",
    "Parity",
    "LPattern",
    "HomeCornerSteps",
    "HomeCornerSum",
    "Exposes",
    "Wall",
    "WallSize",
    "TargetSteps",
    "TargetSum",
    "TargetJumps",
    "TargetSupport",
    "Screened",
    "Unscreened",
    "Triangle",
    "WSquare",
    "WrongRoom",
    "WrongCage",
    "SixthRank",
    "Desperado",
    "Philidor",
    "MatingCornerSteps",
    "MatingCornerSum",
    "kRace",
    "Unevenness",
    "KBeside",
];

/// The words of attributes of a man, or of two equal ones.
const OF_ONE: &[&str] = &[
    "HeldSides",
    "HeldSize",
    "CutSize",
    "CutGap",
    "CriticalSteps",
    "Exposed",
    "Mobility",
    "Advance",
    "Lead",
    "Front",
    "FilesApart",
    "KeySteps",
    "RookPawn",
    "GuardedByKing",
    "CornerHeld",
    "Runs",
    "DoubleAttack",
    "ThirdRank",
    "DistanceSquare",
    "DistanceSum",
    "Steps",
    "CentreSteps",
    "CentreSum",
    "Beside",
];

fn sum_of_steps(one: u8, other: u8) -> u8 {
    file(one).abs_diff(file(other)) + rank(one).abs_diff(rank(other))
}

/// The squares that are a king's step away.
fn around(at: u8) -> Vec<u8> {
    (0..64).filter(|&to| king_moves(at, to) == 1).collect()
}

fn is_dark(at: u8) -> bool {
    (file(at) + rank(at)).is_multiple_of(2)
}

/// The minimum of a number over some squares.
fn least(places: impl IntoIterator<Item = u8>, number: impl Fn(u8) -> u8) -> u8 {
    places.into_iter().map(number).min().expect("a place")
}

/// The corners of the colour of a square, or the others.
fn corners(at: u8, same: bool) -> impl Iterator<Item = u8> {
    CORNERS.into_iter().filter(move |&corner| (is_dark(corner) == is_dark(at)) == same)
}

/// The squares that a king reaches within some moves, without its own square.
fn walk(home: u8, moves: usize, is_open: impl Fn(u8) -> bool) -> Vec<u8> {
    let mut reached = BTreeSet::from([home]);
    for _ in 0..moves {
        let next: Vec<u8> = reached.iter().flat_map(|&at| around(at)).collect();
        let before = reached.len();
        reached.extend(next.into_iter().filter(|&at| is_open(at)));
        if reached.len() == before {
            break;
        }
    }
    reached.into_iter().filter(|&at| at != home).collect()
}

/// A board on which a plan is evaluated.
struct ConceptBoard<'a> {
    seen: &'a ReferenceBoard,
    /// True if the strong side is White.
    strong: bool,
    own: u8,
    king: u8,
}

impl ConceptBoard<'_> {
    fn men(&self, strong: bool) -> Vec<Man> {
        let is_asked = |man: &&Man| (man.white == self.strong) == strong;
        self.seen.board.men.iter().filter(is_asked).copied().collect()
    }

    /// The strong side's men without its king.
    fn helpers(&self) -> Vec<Man> {
        self.men(true).into_iter().filter(|man| man.role != 'K').collect()
    }

    /// Returns true if one of some men attacks a square, with some squares treated as empty.
    fn is_hit(&self, at: u8, by: &[Man], through: &[u8]) -> bool {
        let hidden = through.iter().fold(0_u64, |all, at| all | 1 << at);
        by.iter().any(|man| man.attacks(self.seen.board.occupied() & !hidden) & 1 << at != 0)
    }

    fn is_covered(&self, at: u8) -> bool {
        self.is_hit(at, &self.men(true), &[self.king])
    }

    /// Returns true if a weak man other than the king is on a square.
    fn is_own(&self, at: u8) -> bool {
        at != self.king && self.men(false).iter().any(|man| man.at == at)
    }

    fn cage(&self) -> Vec<u8> {
        let is_held = |at: u8| self.is_hit(at, &self.helpers(), &[self.own, self.king]);
        walk(self.king, 64, |at| !is_held(at) && !self.is_own(at))
    }

    fn room(&self, moves: usize) -> Vec<u8> {
        walk(self.king, moves, |at| !self.is_covered(at) && !self.is_own(at))
    }

    /// The corners in which mate can be forced.
    fn mating_corners(&self) -> Vec<u8> {
        let men = self.helpers();
        let mut roles: Vec<char> = men.iter().map(|man| man.role).collect();
        roles.sort_unstable();
        let bishop = men.iter().find(|man| man.role == 'B');
        match (roles.as_slice(), bishop) {
            (['B'] | ['B', 'N'], Some(bishop)) => corners(bishop.at, true).collect(),
            _ => CORNERS.to_vec(),
        }
    }

    /// The squares that the weak king reaches first: by the number of the move with which it gets to each square,
    /// corrected until nothing changes.
    fn race(&self) -> Vec<u8> {
        let is_open = |at: u8| !self.is_hit(at, &self.helpers(), &[self.king]) && !self.is_own(at);
        // The strong king guards the squares next to it.
        let moves_to_guard = |at: u8| king_moves(self.own, at).saturating_sub(1);
        let mut arrivals = BTreeMap::from([(self.king, 0)]);
        loop {
            let before = arrivals.clone();
            for at in (0..64).filter(|&at| at != self.king && is_open(at)) {
                let from = around(at).into_iter().filter_map(|from| before.get(&from));
                let Some(arrival) = from.min().map(|moves| moves + 1) else { continue };
                // It moves first, so the strong king has made one move less.
                if king_moves(self.own, at) > 0 && moves_to_guard(at) > arrival - 1 {
                    arrivals.insert(at, arrival);
                }
            }
            if arrivals == before {
                return arrivals.into_keys().filter(|&at| at != self.king).collect();
            }
        }
    }

    /// The same board with the weak side to move.
    fn with_weak_to_move(&self) -> Board {
        let mut board = self.seen.board.clone();
        if board.white_to_move == self.strong {
            board.white_to_move = !self.strong;
            board.passed = None;
        }
        board
    }

    /// By the rules: 2 for mate, 1 for mate next move after any reply, 0 otherwise.
    fn ready(&self) -> u8 {
        let board = self.with_weak_to_move();
        let pawns = |board: &Board| board.men.iter().filter(|man| man.role == 'P').count();
        let is_quiet = |before: &Board, after: &Board| {
            after.men.len() == before.men.len() && pawns(after) == pawns(before)
        };
        let moves = board.moves();
        if moves.is_empty() {
            return if board.is_check(!self.strong) { 2 } else { 0 };
        }
        let can_mate = |board: &Board| {
            board.moves().iter().any(|(_, _, end)| {
                is_quiet(board, end) && end.is_check(!self.strong) && end.moves().is_empty()
            })
        };
        moves.iter().all(|(_, _, after)| is_quiet(&board, after) && can_mate(after)).into()
    }

    /// For each line of a man without the king on it: the number of lines beyond it on the king's side, and
    /// the number of lines between.
    fn cuts(&self, man: u8) -> Vec<(u8, u8)> {
        let of = |along: fn(u8) -> u8| {
            let (man, king) = (along(man), along(self.king));
            let beyond = (0..8).filter(|at| *at != man && (*at < man) == (king < man)).count();
            let between = (0..8).filter(|at| man.min(king) < *at && *at < man.max(king)).count();
            (man != king).then_some((beyond as u8, between as u8))
        };
        [of(rank), of(file)].into_iter().flatten().collect()
    }

    /// The corners of a bishop's colour that are nearest to the weak king.
    fn targets(&self, bishop: u8) -> Vec<u8> {
        let near = least(corners(bishop, true), |at| king_moves(self.king, at));
        corners(bishop, true).filter(|&at| king_moves(self.king, at) == near).collect()
    }

    /// The number of the smallest triangle around the weak king that satisfies a condition; 0 if none does.
    fn triangle(&self, bishop: u8, holds: impl Fn(u8, u8) -> bool) -> u8 {
        let mut smallest = 0;
        for (number, far) in [(1, 6), (2, 4), (3, 2)] {
            let is_around = |corner: u8| sum_of_steps(corner, self.king) < far;
            if corners(bishop, true).any(|corner| is_around(corner) && holds(corner, far)) {
                smallest = number;
            }
        }
        smallest
    }

    /// The number of squares behind each wall of two bishops.
    fn walls(&self, bishops: &[Man]) -> Vec<u8> {
        let diagonals: [fn(u8) -> i8; 2] =
            [|at| file(at) as i8 - rank(at) as i8, |at| file(at) as i8 + rank(at) as i8];
        let mut sizes = Vec::new();
        for diagonal in diagonals {
            let [one, other] = [0, 1].map(|at| diagonal(bishops[at].at));
            let (low, high, king) = (one.min(other), one.max(other), diagonal(self.king));
            if high - low != 1 {
                continue;
            }
            if king < low {
                sizes.push((0..64).filter(|&at| diagonal(at) < low).count() as u8);
            } else if king > high {
                sizes.push((0..64).filter(|&at| diagonal(at) > high).count() as u8);
            }
        }
        sizes
    }

    fn key_steps(&self, king: u8, pawn: Man) -> u8 {
        let keys = (0..64).filter(|&at| ReferenceBoard::is_key_square(at, pawn));
        least(keys, |at| king_moves(king, at))
    }

    /// The value of an attribute of one man; `before` is the letter of a king, if the name has one.
    fn of_man(&self, word: &str, before: &str, man: Man) -> u8 {
        let at = man.at;
        let asked = || self.seen.at(before);
        let [own, other] =
            if man.white == self.strong { [self.own, self.king] } else { [self.king, self.own] };
        let goal = || ReferenceBoard::promotion(man);
        let up = |at: u8| if man.white { rank(at) } else { 7 - rank(at) };
        let is_free = |at: &u8| self.seen.board.men.iter().all(|man| man.at != *at);
        let is_rook_pawn = from_edge(file(at)) == 0;
        match word {
            "HeldSides" => match self.cuts(at).as_slice() {
                [(height, _), (width, _)] => height + width,
                _ => 16,
            },
            "HeldSize" => match self.cuts(at).as_slice() {
                [(height, _), (width, _)] => height * width,
                _ => 64,
            },
            "CutSize" => self.cuts(at).into_iter().min().expect("a cut").0,
            "CutGap" => self.cuts(at).into_iter().min().expect("a cut").1,
            "CriticalSteps" => {
                let towards = |along: fn(u8) -> u8, to: u8| {
                    let (from, to, king) = (along(at), along(to), along(self.king));
                    to != from && (king == from || (to < from) == (king < from))
                };
                let beside = around(at).into_iter();
                let critical = beside.filter(|&to| towards(file, to) && towards(rank, to));
                least(critical, |to| king_moves(self.own, to))
            }
            "Exposed" => (king_moves(self.king, at) < king_moves(self.own, at)).into(),
            "DistanceSquare" => {
                let far = [file, rank].map(|along| along(asked()).abs_diff(along(at)));
                far[0] * far[0] + far[1] * far[1]
            }
            "Steps" => king_moves(asked(), at),
            "DistanceSum" => sum_of_steps(asked(), at),
            "CentreSteps" => least(CENTRE, |to| king_moves(at, to)),
            "CentreSum" => least(CENTRE, |to| sum_of_steps(at, to)),
            "Mobility" => man.attacks(self.seen.board.occupied()).count_ones() as u8,
            "Advance" => up(at) - 1,
            "Lead" => 6 + king_moves(asked(), goal()) - ReferenceBoard::pawn_moves(man),
            "Front" => 7 + up(asked()) - up(at),
            "FilesApart" => file(asked()).abs_diff(file(at)),
            "KeySteps" => self.key_steps(asked(), man),
            "RookPawn" => is_rook_pawn.into(),
            "GuardedByKing" => (king_moves(own, at) == 1).into(),
            "CornerHeld" => {
                let is_in_time = king_moves(other, goal()) <= self.key_steps(own, man);
                (is_rook_pawn && is_in_time).into()
            }
            "Runs" => {
                let way = ReferenceBoard::ahead(man);
                let is_guarded = way.iter().all(|&to| king_moves(own, to) == 1);
                (way.iter().all(is_free) && (is_guarded || !ReferenceBoard::is_caught(other, man)))
                    .into()
            }
            "DoubleAttack" => {
                let hits = |to: u8| man.attacks(self.seen.board.occupied()) & 1 << to != 0;
                let hit = self.men(false).iter().filter(|man| hits(man.at)).count();
                (hits(self.king) && hit >= 2).into()
            }
            "ThirdRank" => {
                let lines: [fn(u8) -> u8; 4] = [file, rank, |at| 7 - file(at), |at| 7 - rank(at)];
                let defends = |along: &fn(u8) -> u8| {
                    along(at) == 2 && along(self.king) < 2 && along(self.own) > 2
                };
                lines.iter().any(defends).into()
            }
            "Beside" => (sum_of_steps(self.own, at) == 1).into(),
            other => panic!("{other} is not asked of one man"),
        }
    }

    /// The value of an attribute of the kings, or of all men.
    fn of_all(&self, word: &str, letters: &str) -> u8 {
        let [files, ranks] = [file, rank].map(|along| along(self.own).abs_diff(along(self.king)));
        let in_line = |between: &[u8]| {
            (files == 0 || ranks == 0) && between.contains(&(files.max(ranks) - 1))
        };
        let of_role = |role: char| -> Vec<Man> {
            self.helpers().into_iter().filter(|man| man.role == role).collect()
        };
        let bishop = || of_role('B')[0].at;
        let near = least(CORNERS, |at| king_moves(self.king, at));
        let home = CORNERS.into_iter().filter(|&at| king_moves(self.king, at) == near);
        let one = || self.seen.at(letters);
        let is_wrong = |at: &&u8| {
            let far = |same: bool| least(corners(bishop(), same), |to| sum_of_steps(**at, to));
            far(false) < far(true)
        };
        let beside = || around(self.king).into_iter();
        let helpers = self.helpers();
        match word {
            "Ready" => self.ready(),
            "Stalemate" => {
                let board = self.with_weak_to_move();
                (board.moves().is_empty() && !board.is_check(!self.strong)).into()
            }
            "Checks" => {
                let checks = |man: &&Man| self.is_hit(self.king, &[**man], &[]);
                self.men(true).iter().filter(checks).count() as u8
            }
            "Covered" => beside().filter(|&at| king_moves(self.own, at) == 1).count() as u8,
            "BCovered" => {
                let is_near = |at: &u8| matches!(king_moves(self.king, *at), 1 | 2);
                let is_hit = |at: &u8| self.is_hit(*at, &of_role('B'), &[self.king]);
                (0..64).filter(is_near).filter(is_hit).count() as u8
            }
            "GuardedAround" => beside().filter(|&at| self.is_covered(at)).count() as u8,
            "Cage" => self.cage().len() as u8,
            "Escapes" => self.room(2).len() as u8,
            "Takes" => {
                let targets = self.seen.targets();
                helpers.iter().filter(|man| targets.contains(&man.at)).count() as u8
            }
            "Guards" => {
                helpers.iter().filter(|man| king_moves(self.own, man.at) == 1).count() as u8
            }
            "DirectOpposition" => in_line(&[1]).into(),
            "DistantOpposition" => in_line(&[3, 5]).into(),
            "AnyOpposition" => in_line(&[1, 3, 5]).into(),
            "Parity" => (files + ranks) % 2,
            "LPattern" => {
                let is_on_edge = from_edge(file(self.king)).min(from_edge(rank(self.king))) == 0;
                (is_on_edge && files * ranks == 2).into()
            }
            "DistanceSquare" => files * files + ranks * ranks,
            "HomeCornerSteps" => least(home, |at| king_moves(self.own, at)),
            "HomeCornerSum" => least(home, |at| sum_of_steps(self.own, at)),
            "CentreSteps" => least(CENTRE, |to| king_moves(one(), to)),
            "CentreSum" => least(CENTRE, |to| sum_of_steps(one(), to)),
            "Exposes" => {
                let is_nearer =
                    |man: &&Man| king_moves(self.king, man.at) < king_moves(self.own, man.at);
                helpers.iter().filter(is_nearer).count() as u8
            }
            "Steps" | "Sum" => {
                let twins = of_role(letters.chars().next().expect("a letter"));
                let far = if word == "Sum" { sum_of_steps } else { king_moves };
                far(twins[0].at, twins[1].at)
            }
            "Wall" => (!self.walls(&of_role('B')).is_empty()).into(),
            "WallSize" => self.walls(&of_role('B')).into_iter().min().unwrap_or(64),
            "TargetSteps" => least(self.targets(bishop()), |at| king_moves(one(), at)),
            "TargetSum" => least(self.targets(bishop()), |at| sum_of_steps(one(), at)),
            "TargetJumps" => least(self.targets(bishop()), |at| ReferenceBoard::jumps(one(), at)),
            "TargetSupport" => {
                let targets = self.targets(bishop());
                targets.into_iter().any(|at| ReferenceBoard::jumps(self.own, at) == 1).into()
            }
            "Screened" | "Unscreened" => {
                let far = |from: u8| least(corners(bishop(), false), |to| sum_of_steps(from, to));
                let towards = beside().filter(|&at| far(at) < far(self.king));
                towards.filter(|&at| self.is_covered(at) == (word == "Screened")).count() as u8
            }
            "Triangle" if letters == "k" => self.triangle(bishop(), |_, _| true),
            "Triangle" => {
                self.triangle(bishop(), |corner, far| sum_of_steps(corner, bishop()) == far)
            }
            "WSquare" => {
                // In every symmetry that brings the king to the lowest rank and the corner of the
                // bishop's colour to a1: f2, e4, d2, c4, b2.
                let knight = of_role('N')[0].at;
                let lowest = from_edge(file(self.king)).min(from_edge(rank(self.king)));
                let come = |turn: &fn(u8) -> u8| {
                    let corner = CORNERS.into_iter().find(|&at| turn(at) == 0).expect("a corner");
                    if is_dark(corner) != is_dark(bishop()) || rank(turn(self.king)) != lowest {
                        return 0;
                    }
                    let way = [13, 28, 11, 26, 9];
                    way.iter().position(|&at| at == turn(knight)).map_or(0, |at| at as u8 + 1)
                };
                TURNS.iter().map(come).max().expect("eight ways")
            }
            "WrongRoom" => self.room(64).iter().filter(is_wrong).count() as u8,
            "WrongCage" => self.cage().iter().filter(is_wrong).count() as u8,
            "SixthRank" if letters == "K" => (rank(self.own) == 5).into(),
            "SixthRank" => (rank(self.king) == 2).into(),
            "Desperado" => (self.seen.targets().is_empty() && !self.is_covered(self.king)).into(),
            "Philidor" => {
                let known = [42, 32, 57, 49];
                let squares = ["K", "Q", "k", "r"].map(|letter| self.seen.at(letter));
                TURNS.iter().any(|turn| squares.map(turn) == known).into()
            }
            "MatingCornerSteps" => least(self.mating_corners(), |at| king_moves(self.king, at)),
            "MatingCornerSum" => least(self.mating_corners(), |at| sum_of_steps(self.king, at)),
            "kRace" => self.race().len() as u8,
            "Unevenness" => files.abs_diff(ranks),
            "KBeside" => {
                let counts = |man: &&Man| man.role != 'N' && sum_of_steps(self.own, man.at) == 1;
                helpers.iter().any(|man| counts(&man)).into()
            }
            other => panic!("{other} is not asked of all"),
        }
    }
}

/// The squares of the weak king and each other man without an equal as one number, by name.
pub fn king_places(seen: &ReferenceBoard, turns: &[fn(u8) -> u8]) -> BTreeMap<String, u16> {
    let (own, king) = (seen.at("K"), seen.at("k"));
    let plan = ConceptBoard { seen, strong: seen.strong_is_white(), own, king };
    let dark: Vec<u8> = plan.mating_corners().into_iter().filter(|&at| is_dark(at)).collect();
    let has_color = plan.mating_corners().len() < 4;
    // Turns that make mating corners of one colour dark.
    let fits = |turn: &&fn(u8) -> u8| !has_color || is_dark(turn(0)) != dark.is_empty();
    let turns: Vec<fn(u8) -> u8> = turns.iter().filter(fits).copied().collect();
    let lowest = |at: u8| turns.iter().map(|turn| turn(at)).min().expect("a turn");
    let homes: BTreeSet<u8> = (0..64).map(lowest).collect();
    let number = homes.iter().position(|&home| home == lowest(king)).expect("a home");
    let of = |at: u8| turns.iter().map(|turn| (turn(king), turn(at))).min().expect("a turn").1;
    let men = seen.men.iter().filter(|(name, _)| name.len() == 1 && *name != "k");
    men.map(|(name, man)| (format!("{name}Place"), 64 * number as u16 + u16::from(of(man.at))))
        .collect()
}

/// The value of a concept, from the meaning of the words in its name; `None` if it is not a concept, or
/// one whose words are defined elsewhere.
pub fn value(seen: &ReferenceBoard, name: &str) -> Option<u8> {
    let words = OF_ALL.iter().chain(OF_ONE).chain(&["Sum"]).copied();
    let word = words.filter(|word| name.ends_with(word)).max_by_key(|word| word.len())?;
    let letters = name.strip_suffix(word)?;
    let (own, king) = (seen.at("K"), seen.at("k"));
    let plan = ConceptBoard { seen, strong: seen.strong_is_white(), own, king };
    let split = |letters: &str| {
        let (before, man) = letters.split_at(letters.len().checked_sub(1)?);
        Some((before.to_owned(), man.to_owned()))
    };
    for (pick, of) in [
        ("Least", Ord::min as fn(u8, u8) -> u8),
        ("Greatest", Ord::max),
        ("Sum", |one, other| one + other),
    ] {
        let Some(letters) = letters.strip_suffix(pick) else { continue };
        let (before, man) = split(letters)?;
        let [one, other] =
            [1, 2].map(|number| plan.of_man(word, &before, seen.men[&format!("{man}{number}")]));
        return Some(of(one, other));
    }
    let are_twins = letters.len() == 2 && letters[..1] == letters[1..];
    let are_kings = ["DistanceSquare", "CentreSteps", "CentreSum"].contains(&word)
        && ["Kk", "K", "k"].contains(&letters);
    if OF_ALL.contains(&word) || are_kings || (are_twins && ["Steps", "Sum"].contains(&word)) {
        return Some(plan.of_all(word, letters));
    }
    let (before, man) = split(letters)?;
    let is_new = OF_ONE.contains(&word) && !["Steps", "DistanceSum"].contains(&word);
    let is_asked = is_new && ["", "K", "k"].contains(&before.as_str());
    let man = seen.men.get(&man).filter(|_| is_asked)?;
    Some(plan.of_man(word, &before, *man))
}

/// The number of knight's moves between two squares.
static JUMPS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let jumps = |from| (0..64).map(|to| ReferenceBoard::jumps(from, to)).collect();
    (0..64).map(jumps).collect()
});

/// All sums over areas around the weak king, by name.
pub fn area_sums(seen: &ReferenceBoard) -> BTreeMap<String, u16> {
    let (own, king) = (seen.at("K"), seen.at("k"));
    let plan = ConceptBoard { seen, strong: seen.strong_is_white(), own, king };
    let areas = [
        ("kRoom", plan.room(64)),
        ("kCage", plan.cage()),
        ("kReach2", plan.room(2)),
        ("kReach3", plan.room(3)),
        ("kRace", plan.race()),
    ];
    let of_role = |role: char| -> Vec<Man> {
        plan.helpers().into_iter().filter(|man| man.role == role).collect()
    };
    let (pawns, knights) = (of_role('P'), of_role('N'));
    let goals: Vec<u8> = pawns.into_iter().map(ReferenceBoard::promotion).collect();
    let corners = plan.mating_corners();
    let corner_sum = |at: u8| least(corners.clone(), |to| sum_of_steps(at, to));
    let edge = |at: u8| from_edge(file(at)).min(from_edge(rank(at)));
    let mut sums = BTreeMap::new();
    for (area, mut squares) in areas {
        squares.push(king);
        let mut add = |word: &str, distance: &dyn Fn(u8) -> u8| {
            let sum = squares.iter().map(|&at| u16::from(distance(at))).sum();
            sums.insert(format!("{area}{word}"), sum);
        };
        add("CornerSum", &corner_sum);
        add("CornerSquare", &|at| corner_sum(at).pow(2));
        add("CornerSteps", &|at| least(corners.clone(), |to| king_moves(at, to)));
        add("EdgeSteps", &edge);
        add("CornerEdgeSum", &|at| corner_sum(at) + edge(at));
        if !goals.is_empty() {
            add("PromotionSteps", &|at| least(goals.clone(), |to| king_moves(at, to)));
        }
        if !knights.is_empty() {
            let nearest = |at: u8| {
                let jumps = knights.iter().map(|man| JUMPS[usize::from(man.at)][usize::from(at)]);
                jumps.min().expect("a knight")
            };
            add("KnightSteps", &nearest);
        }
    }
    sums
}
