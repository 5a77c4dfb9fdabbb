//! Attributes: the published list and example, a plain implementation of every name, and the positions
//! that they tell apart.

use crate::cases::{cases, random, repository};
use crate::plain::{self, Board, Man, QUEEN, ROOK, file, rank};
use crate::plan;
use crate::tables::{KQVK, KRVK, material};
use lucena::attributes::{AttributeSet, Selection};
use lucena::chess::{Bitboard, Position, Side};
use lucena::named::Named;
use lucena::symmetry::Group;
use lucena::tablebase::DistanceClass;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

fn names(set: &AttributeSet) -> Vec<String> {
    set.attributes().iter().map(|attribute| attribute.name().into()).collect()
}

#[test]
fn names_order_and_domains_are_as_published() {
    let published = cases::<4>("attributes.csv");
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    let found: Vec<[String; 3]> = set
        .attributes()
        .iter()
        .map(|attribute| {
            let (low, high) = attribute.domain();
            [attribute.name().into(), low.to_string(), high.to_string()]
        })
        .collect();
    let expected: Vec<[String; 3]> =
        published.into_iter().map(|[name, low, high, _]| [name, low, high]).collect();
    assert_eq!(expected.len(), 30);
    assert_eq!(found, expected);
    let all = names(&set);
    let selected = |selection| names(&AttributeSet::new(material("KRvK"), selection));
    assert_eq!(selected(Selection::Location), all[..6]);
    assert_eq!(selected(Selection::Geometric), all[6..]);
    assert_eq!(DistanceClass::NAME, "optimalDepth");
}

#[test]
fn the_published_example_has_its_values() {
    let position: Position = "8/8/8/8/8/R7/8/k1K5 b - - 0 1".parse().unwrap();
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    for (attribute, [name, _, _, value]) in set.attributes().iter().zip(cases("attributes.csv")) {
        assert_eq!(attribute.name(), name);
        assert_eq!(attribute.show(attribute.value(&position)), value, "{name}");
    }
    // optimalDepth=zero
    assert!(position.is_checkmate());
}

#[test]
fn a_queen_is_called_q() {
    let rook = names(&AttributeSet::new(material("KRvK"), Selection::Published));
    let queen = names(&AttributeSet::new(material("KQvK"), Selection::Published));
    let renamed: Vec<String> = rook
        .iter()
        .map(|name| {
            let rest = name.trim_start_matches(['K', 'k', 'R']);
            // In "KRank" the R belongs to the word.
            let rest = if rest.starts_with("ank") { format!("R{rest}") } else { rest.into() };
            let men = &name[..name.len() - rest.len()];
            men.replace('R', "Q") + &rest
        })
        .collect();
    assert_eq!(queen, renamed);
}

/// The men by the letters that name them, a capital for the strong side. Two equal men are numbered
/// from a1 on. Also returns the letters in the order of the material.
fn men_of(material: &str, board: &Board) -> (Vec<String>, HashMap<String, Man>) {
    let (strong, weak) = material.split_once('v').expect("two sides");
    let mut men = board.men.iter();
    let (mut written, mut named) = (Vec::new(), HashMap::new());
    for (side, is_strong) in [(strong, true), (weak, false)] {
        let mut twins: BTreeMap<char, Vec<Man>> = BTreeMap::new();
        for letter in side.chars() {
            let letter = if is_strong { letter } else { letter.to_ascii_lowercase() };
            twins.entry(letter).or_default().push(*men.next().expect("a man for each letter"));
            let (known, all) = (twins[&letter].len(), side.matches(letter.to_ascii_uppercase()));
            let several = all.count() > 1;
            written.push(if several { format!("{letter}{known}") } else { letter.to_string() });
        }
        for (letter, mut men) in twins {
            men.sort_unstable_by_key(|man| man.at);
            let several = men.len() > 1;
            for (number, man) in (1..).zip(men) {
                let name = if several { format!("{letter}{number}") } else { letter.to_string() };
                named.insert(name, man);
            }
        }
    }
    (written, named)
}

/// The board with the strong side as White, whose pawns go up.
fn as_read(material: &str, board: &Board) -> Board {
    if !material.contains('P') || board.men[0].white {
        return board.clone();
    }
    board.with_colors_exchanged()
}

/// A position for the plain implementation: the men by their letters.
pub(crate) struct Seen {
    pub(crate) board: Board,
    pub(crate) men: HashMap<String, Man>,
    /// The symmetry that brings the weak king nearest to a1.
    turn: fn(u8) -> u8,
}

/// The endings of names, which determine the attribute.
const WORDS: [&str; 53] = [
    "Diagonal",
    "SameColor",
    "RightCornerSteps",
    "WrongCornerSteps",
    "KnightSteps",
    "PromotionSteps",
    "PromotionColor",
    "Catches",
    "KeySquare",
    "InFront",
    "Blocked",
    "CanAdvance",
    "Passed",
    "Race",
    "Opposition",
    "Attacked",
    "EnPrise",
    "Pinned",
    "Fork",
    "SafeMoves",
    "OppositionDistance",
    "MinDistanceFile",
    "MinDistanceRank",
    "DistanceFile",
    "DistanceRank",
    "DistanceSum",
    "DistanceLess",
    "OnEdge",
    "InCorner",
    "InCheck",
    "CanMove",
    "File",
    "Rank",
    "Steps",
    "EdgeSteps",
    "CornerSteps",
    "BoxSteps",
    "Knight",
    "Moves",
    "Room",
    "Hangs",
    "Guarded",
    "BoxHeight",
    "BoxWidth",
    "BoxSize",
    "BoxSides",
    "BoxShorterSide",
    "RankCuts",
    "FileCuts",
    "RanksAhead",
    "FilesAhead",
    "TurnedFile",
    "TurnedRank",
];

/// The eight symmetries of the board, as maps of squares.
pub(crate) const TURNS: [fn(u8) -> u8; 8] = [
    |at| at,
    |at| 8 * rank(at) + 7 - file(at),
    |at| 8 * (7 - rank(at)) + file(at),
    |at| 8 * (7 - rank(at)) + 7 - file(at),
    |at| 8 * file(at) + rank(at),
    |at| 8 * file(at) + 7 - rank(at),
    |at| 8 * (7 - file(at)) + rank(at),
    |at| 8 * (7 - file(at)) + 7 - rank(at),
];

pub(crate) fn from_edge(along: u8) -> u8 {
    along.min(7 - along)
}

/// The number of king moves from one square to the other.
pub(crate) fn king_moves(one: u8, other: u8) -> u8 {
    file(one).abs_diff(file(other)).max(rank(one).abs_diff(rank(other)))
}

impl Seen {
    pub(crate) fn new(material: &str, board: &Board) -> Self {
        let board = as_read(material, board);
        let (written, men) = men_of(material, &board);
        let turns = if material.contains('P') { &TURNS[..2] } else { &TURNS };
        Self { board, turn: Self::turn(turns, &written, &men), men }
    }

    pub(crate) fn at(&self, letter: &str) -> u8 {
        self.men[letter].at
    }

    pub(crate) fn strong_is_white(&self) -> bool {
        self.men["K"].white
    }

    /// The squares to which the weak king may go, if it is its turn.
    pub(crate) fn targets(&self) -> Vec<u8> {
        let mut board = self.board.clone();
        board.white_to_move = !self.strong_is_white();
        let own = self.at("k");
        board.moves().iter().filter(|mv| mv.0 == own).map(|mv| mv.1).collect()
    }

    /// Returns true if the weak king would be in check on a square, with all other men unmoved.
    pub(crate) fn is_barred(&self, at: u8) -> bool {
        let mut board = self.board.clone();
        let king = board.men.iter_mut().find(|man| **man == self.men["k"]);
        king.expect("there is a weak king").at = at;
        board.is_attacked(at, self.strong_is_white())
    }

    /// The squares that the weak king could reach while all others stand still.
    fn room(&self) -> u8 {
        let home = self.at("k");
        let own = |at: u8| {
            let is_own = |man: &Man| man.white != self.strong_is_white() && man.at == at;
            self.board.men.iter().any(is_own)
        };
        let open: Vec<bool> = (0..64).map(|at| !own(at) && !self.is_barred(at)).collect();
        let mut reached = vec![home];
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            for to in 0..64 {
                if open[usize::from(to)] && king_moves(from, to) == 1 && !reached.contains(&to) {
                    reached.push(to);
                }
            }
            next += 1;
        }
        reached.len() as u8 - 1
    }

    /// The ranks or files of the box in which a man confines the weak king: those on the king's side of
    /// the man's line. There are none if the king is on that line.
    fn lines(&self, man: &str, along: fn(u8) -> u8) -> Vec<u8> {
        let (man, king) = (along(self.at(man)), along(self.at("k")));
        (0..8).filter(|line| king == man || line.cmp(&man) == king.cmp(&man)).collect()
    }

    fn in_box(&self, man: &str) -> Vec<u8> {
        let [ranks, files] = [rank, file].map(|along| self.lines(man, along));
        ranks.iter().flat_map(|rank| files.iter().map(move |file| 8 * rank + file)).collect()
    }

    /// Finds the symmetry that brings the weak king into the triangle a1, d1, d4. If the king is on the
    /// diagonal, two symmetries remain; then the first other man off the diagonal is below it. Two equal men
    /// count as their squares, whichever stands where. If the board can only be mirrored, the king is brought
    /// to the files a to d.
    fn turn(
        turns: &[fn(u8) -> u8],
        written: &[String],
        men: &HashMap<String, Man>,
    ) -> fn(u8) -> u8 {
        let is_twin = |letter: &&String| letter.len() > 1;
        let is_near = |turn: &&fn(u8) -> u8| {
            let king = turn(men["k"].at);
            file(king) <= 3 && (turns.len() == 2 || rank(king) <= 3)
        };
        // Of a square and its mirror image in the diagonal, the lower one comes earlier on the board.
        let place = |turn: &&fn(u8) -> u8| {
            let at = |letter: &String| turn(men[letter.as_str()].at);
            let single = written.iter().filter(|letter| !is_twin(letter)).map(at);
            let mut twins: Vec<u8> = written.iter().filter(is_twin).map(at).collect();
            twins.sort_unstable();
            std::iter::once(turn(men["k"].at)).chain(single).chain(twins).collect::<Vec<u8>>()
        };
        *turns.iter().filter(is_near).min_by_key(place).expect("the board can be turned")
    }

    /// The squares to which a man other than a king may go if it is its side's turn, with the board after it.
    fn goals(&self, man: Man) -> Vec<(u8, Board)> {
        let is_taken = |at: u8| self.board.men.iter().any(|other| other.at == at);
        let mut goals: Vec<u8> = Vec::new();
        let attacks = man.attacks(self.board.occupied());
        for at in (0..64).filter(|at| attacks & 1 << at != 0) {
            let there = self.board.men.iter().find(|other| other.at == at);
            let takes = there.is_some_and(|other| other.white != man.white && other.role != 'K');
            if takes || (there.is_none() && man.role != 'P') {
                goals.push(at);
            }
        }
        if man.role == 'P' {
            let up = |at: u8| if man.white { at + 8 } else { at - 8 };
            let home = if man.white { 1 } else { 6 };
            if !is_taken(up(man.at)) {
                goals.push(up(man.at));
                if rank(man.at) == home && !is_taken(up(up(man.at))) {
                    goals.push(up(up(man.at)));
                }
            }
        }
        let after = |at| (at, self.after(man, at));
        goals.into_iter().map(after).filter(|(_, after)| !after.is_check(man.white)).collect()
    }

    /// The board after a man has gone to a square.
    fn after(&self, man: Man, at: u8) -> Board {
        let mut after = self.board.clone();
        after.men.retain(|other| *other != man && other.at != at);
        after.men.push(Man { at, ..man });
        after
    }

    /// Returns true if the other side's king could not take the man even from an adjacent square.
    fn is_guarded(&self, man: Man) -> bool {
        let mut board = self.board.clone();
        let king = board.men.iter_mut().find(|other| other.role == 'K' && other.white != man.white);
        king.expect("there is a king").at = man.at;
        board.is_attacked(man.at, man.white)
    }

    /// Returns true if a line piece attacks the man's king once the man is removed.
    fn is_pinned(&self, man: Man) -> bool {
        let king = self.board.king(man.white);
        let without = self.board.occupied() & !(1 << man.at);
        self.board.men.iter().any(|other| {
            let hits = |occupied| other.attacks(occupied) & 1 << king != 0;
            other.white != man.white
                && "QRB".contains(other.role)
                && hits(without)
                && !hits(self.board.occupied())
        })
    }

    /// Returns true if a man that has gone to a square forks there and cannot be taken.
    fn is_fork(man: Man, at: u8, after: &Board) -> bool {
        let attacks = Man { at, ..man }.attacks(after.occupied());
        let hit: Vec<char> = after
            .men
            .iter()
            .filter(|other| other.white != man.white && attacks & 1 << other.at != 0)
            .map(|other| other.role)
            .collect();
        hit.len() > 1 && hit.contains(&'K') && !after.is_attacked(at, !man.white)
    }

    /// The squares ahead of a pawn on its file.
    pub(crate) fn ahead(man: Man) -> Vec<u8> {
        let ahead = |at: &u8| if man.white { *at > man.at } else { *at < man.at };
        (0..64).filter(|&at| file(at) == file(man.at)).filter(ahead).collect()
    }

    /// The promotion square of a pawn.
    pub(crate) fn promotion(man: Man) -> u8 {
        if man.white { 56 + file(man.at) } else { file(man.at) }
    }

    /// The number of moves of a pawn, alone on the board, to its promotion, counted one by one.
    pub(crate) fn pawn_moves(man: Man) -> u8 {
        let (mut left, mut moves) = (Self::ahead(man).len(), 0);
        while left > 0 {
            left -= if left == 6 { 2 } else { 1 };
            moves += 1;
        }
        moves
    }

    /// A race, move by move, the weak side first.
    pub(crate) fn is_caught(king: u8, pawn: Man) -> bool {
        let goal = Self::promotion(pawn);
        let (mut pawn_moves, mut king_steps) = (Self::pawn_moves(pawn), king_moves(king, goal));
        let mut kings_turn = pawn.white;
        loop {
            if kings_turn {
                // On the square, or taking the new queen there.
                king_steps = king_steps.saturating_sub(1);
                if king_steps == 0 {
                    return true;
                }
                if pawn_moves == 0 {
                    return false;
                }
            } else {
                pawn_moves -= 1;
            }
            kings_turn = !kings_turn;
        }
    }

    /// The key squares as textbooks list them, for White: by file and rank from 1.
    pub(crate) fn is_key_square(king: u8, pawn: Man) -> bool {
        let seen = |at: u8| (file(at) as i8 + 1, rank(at) as i8 + 1);
        let ((x, y), (file, mut rank)) = (seen(king), seen(pawn.at));
        let y = if pawn.white { y } else { 9 - y };
        if !pawn.white {
            rank = 9 - rank;
        }
        match (file, rank) {
            (1, _) => x == 2 && (y == 7 || y == 8),
            (8, _) => x == 7 && (y == 7 || y == 8),
            (_, 2) => y == 4 && (x - file).abs() <= 1,
            (_, 3) => y == 5 && (x - file).abs() <= 1,
            (_, 4) => y == 6 && (x - file).abs() <= 1,
            (_, 5) => (y == 6 || y == 7) && (x - file).abs() <= 1,
            (_, 6) => (y == 7 || y == 8) && (x - file).abs() <= 1,
            (_, 7) => (y == 7 || y == 8) && (x - file).abs() == 1,
            other => panic!("no pawn is on {other:?}"),
        }
    }

    /// The number of moves of a knight, by flood fill over an empty board.
    pub(crate) fn jumps(from: u8, to: u8) -> u8 {
        let mut reached = BTreeSet::from([from]);
        for jumps in 0.. {
            if reached.contains(&to) {
                return jumps;
            }
            let near = |at: u8, next: u8| {
                let by = (file(at).abs_diff(file(next)), rank(at).abs_diff(rank(next)));
                by == (1, 2) || by == (2, 1)
            };
            let next = (0..64).filter(|&next| reached.iter().any(|&at| near(at, next)));
            reached = next.collect();
        }
        unreachable!("a knight gets everywhere")
    }

    /// The square of a man after the symmetry of `turn`.
    fn turned(&self, man: &str) -> u8 {
        (self.turn)(self.at(man))
    }

    /// The value of the attribute with this name, from the meaning of its words.
    pub(crate) fn value(&self, name: &str) -> u8 {
        let words = WORDS.iter().filter(|word| name.ends_with(**word));
        let word = words.max_by_key(|word| word.len()).expect("a known word");
        let letters = name.strip_suffix(word).expect("it ends so");
        let second = letters.char_indices().skip(1).find(|(_, letter)| letter.is_alphabetic());
        let (man, second) = letters.split_at(second.map_or(letters.len(), |(place, _)| place));
        let one = self.at(man);
        let (own, partner) = (self.men[man], self.men.get(second).copied());
        let other = self.men.get(second).map(|man| man.at);
        let (files, ranks) =
            other.map_or((0, 0), |at| (file(one).abs_diff(file(at)), rank(one).abs_diff(rank(at))));
        let (king, strong_king) = (self.at("k"), self.at("K"));
        let is_between = |along: fn(u8) -> u8| {
            (along(king) < along(one)) == (along(one) < along(strong_king))
                && along(king) != along(one)
                && along(strong_king) != along(one)
        };
        let ahead = |along: fn(u8) -> u8| 7 + along(self.turned(man)) - along(self.turned(second));
        let [box_ranks, box_files] =
            [rank, file].map(|along| move || self.lines(man, along).len() as u8);
        let pawn = || partner.expect("a pawn");
        let is_taken = |at: u8| self.board.men.iter().any(|man| man.at == at);
        let next = || if own.white { one + 8 } else { one - 8 };
        match (*word, other) {
            // The location: here File is the file.
            ("File", None) => file(one) + 1,
            ("Rank", None) => rank(one) + 1,
            ("File", Some(_)) => (files == 0).into(),
            ("Rank", Some(_)) => (ranks == 0).into(),
            // Distances: here File means along the file.
            ("MinDistanceFile", None) => from_edge(rank(one)),
            ("MinDistanceRank", None) => from_edge(file(one)),
            ("DistanceFile", Some(_)) => ranks,
            ("DistanceRank", Some(_)) => files,
            ("DistanceSum", Some(_)) => files + ranks,
            ("DistanceLess", Some(_)) => files.min(ranks),
            ("OppositionDistance", Some(_)) if files == 0 => ranks,
            ("OppositionDistance", Some(_)) if ranks == 0 => files,
            ("OppositionDistance", Some(_)) => 0,
            ("Steps", Some(other)) => king_moves(one, other),
            ("Knight", Some(_)) => (files + ranks == 3 && files != 0 && ranks != 0).into(),
            // One man alone.
            ("OnEdge", None) => (from_edge(file(one)) == 0 || from_edge(rank(one)) == 0).into(),
            ("InCorner", None) => [0, 7, 56, 63].contains(&one).into(),
            ("EdgeSteps", None) => from_edge(file(one)).min(from_edge(rank(one))),
            ("CornerSteps", None) => [0, 7, 56, 63]
                .map(|at| king_moves(one, at))
                .into_iter()
                .min()
                .expect("four corners"),
            // The weak king.
            ("InCheck", None) => self.board.is_attacked(one, self.strong_is_white()).into(),
            ("CanMove", None) if man == "k" => (!self.targets().is_empty()).into(),
            ("CanMove", None) => (!self.goals(own).is_empty()).into(),
            ("Moves", None) => self.targets().len() as u8,
            ("Room", None) => self.room(),
            // The strong side's men.
            ("Hangs", None) => self.targets().contains(&one).into(),
            ("Guarded", None) => self.is_guarded(own).into(),
            ("BoxHeight", None) => box_ranks(),
            ("BoxWidth", None) => box_files(),
            ("BoxSize", None) => self.in_box(man).len() as u8,
            ("BoxSides", None) => box_ranks() + box_files(),
            ("BoxShorterSide", None) => box_ranks().min(box_files()),
            ("BoxSteps", None) => {
                let steps = |at: u8| king_moves(strong_king, at);
                self.in_box(man).into_iter().map(steps).min().expect("the king's square is in it")
            }
            ("RankCuts", None) => is_between(rank).into(),
            ("FileCuts", None) => is_between(file).into(),
            // After the symmetry.
            ("RanksAhead", Some(_)) => ahead(rank),
            ("FilesAhead", Some(_)) => ahead(file),
            ("TurnedRank", None) => rank(self.turned(man)) + 1,
            ("TurnedFile", None) => file(self.turned(man)) + 1,
            // Bishops and knights.
            ("Diagonal", Some(_)) => (files == ranks).into(),
            ("SameColor", Some(_)) => ((files + ranks) % 2 == 0).into(),
            ("RightCornerSteps" | "WrongCornerSteps", Some(bishop)) => {
                let is_right =
                    |at: u8| (file(at) + rank(at)) % 2 == (file(bishop) + rank(bishop)) % 2;
                let corners = [0, 7, 56, 63].into_iter();
                let asked = corners.filter(|&at| is_right(at) == (*word == "RightCornerSteps"));
                asked.map(|at| king_moves(one, at)).min().expect("two of each")
            }
            ("KnightSteps", Some(other)) => Self::jumps(one, other),
            // Pawns.
            ("PromotionSteps", None) => Self::pawn_moves(own),
            ("PromotionSteps", Some(_)) => king_moves(one, Self::promotion(pawn())),
            ("PromotionColor", Some(bishop)) => {
                let goal = Self::promotion(own);
                let same = |one: u8, other: u8| {
                    (file(one) + rank(one)) % 2 == (file(other) + rank(other)) % 2
                };
                same(goal, bishop).into()
            }
            ("Catches", Some(_)) => Self::is_caught(one, pawn()).into(),
            ("KeySquare", Some(_)) => Self::is_key_square(one, pawn()).into(),
            ("InFront", Some(_)) => Self::ahead(pawn()).contains(&one).into(),
            ("Blocked", None) => is_taken(next()).into(),
            ("CanAdvance", None) => {
                let after = self.after(own, next());
                (!is_taken(next()) && !after.is_attacked(next(), !own.white)).into()
            }
            ("Passed", None) => {
                let stops = |at: &u8, pawn: &Man| {
                    file(*at).abs_diff(file(pawn.at)) <= 1 && rank(*at) == rank(pawn.at)
                };
                let pawns = self.board.men.iter().filter(|one| one.role == 'P' && **one != own);
                (!pawns.into_iter().any(|pawn| Self::ahead(own).iter().any(|at| stops(at, pawn))))
                    .into()
            }
            ("Race", Some(_)) => 4 + Self::pawn_moves(pawn()) - Self::pawn_moves(own),
            ("Opposition", Some(_)) => {
                let between = files.max(ranks) - 1;
                ((files == 0 || ranks == 0 || files == ranks) && between % 2 == 1).into()
            }
            // Men of both sides.
            ("Attacked", None) => self.board.is_attacked(one, !own.white).into(),
            ("EnPrise", None) => {
                (self.board.is_attacked(one, !own.white) && !self.is_guarded(own)).into()
            }
            ("Pinned", None) => self.is_pinned(own).into(),
            ("Fork", None) => {
                let goals = self.goals(own);
                goals.iter().any(|(at, after)| Self::is_fork(own, *at, after)).into()
            }
            ("SafeMoves", None) => {
                let is_safe = |(at, after): &(u8, Board)| !after.is_attacked(*at, !own.white);
                self.goals(own).iter().filter(|goal| is_safe(goal)).count() as u8
            }
            other => panic!("{name} makes no sense: {other:?}"),
        }
    }
}

/// The value of an attribute in a position, from the men and the rules alone.
pub(crate) fn plain_value(name: &str, material: &str, board: &Board) -> u8 {
    if let Some(of) = name.strip_suffix("Next") {
        return plain_value_ahead(of, material, board);
    }
    let seen = Seen::new(material, board);
    plan::value(&seen, name).unwrap_or_else(|| seen.value(name))
}

/// The value of an attribute that White, the strong side, can guarantee by its next move after any reply.
fn plain_value_ahead(of: &str, material: &str, board: &Board) -> u8 {
    let set = AttributeSet::named(self::material(material), [of]).unwrap();
    let (low, high) = set.attributes()[0].domain();
    let wants_many = of == "kCovered" || of == "kGuardedAround";
    let (best, worst) = if wants_many { (high, low) } else { (low, high) };
    let roles = |board: &Board| {
        let mut men: Vec<_> = board.men.iter().map(|man| (man.white, man.role)).collect();
        men.sort_unstable();
        men
    };
    let departs = |before: &Board, after: &Board| roles(before) != roles(after);
    let is_quiet = |after: &Board| {
        let replies = after.moves();
        !replies.iter().any(|(_, _, reply)| departs(after, reply))
            && (!replies.is_empty() || after.is_check(false))
    };
    let replies = board.moves();
    if replies.is_empty() {
        return plain_value(of, material, board);
    }
    if replies.iter().any(|(_, _, reply)| departs(board, reply)) {
        return worst;
    }
    let after_reply = |reply: &Board| {
        let (departing, staying): (Vec<Board>, Vec<Board>) = reply
            .moves()
            .into_iter()
            .map(|(_, _, after)| after)
            .partition(|one| departs(reply, one));
        let wins = |after: &Board| {
            let is_bare = after.men.iter().filter(|man| !man.white).count() == 1;
            let is_heavy = after.men.iter().any(|man| man.white && matches!(man.role, 'Q' | 'R'));
            is_bare && is_heavy && is_quiet(after)
        };
        if departing.iter().any(wins) {
            return best;
        }
        let safe = staying.iter().filter(|after| is_quiet(after));
        let values = safe.map(|after| plain_value(of, material, after));
        if wants_many { values.max() } else { values.min() }.unwrap_or(worst)
    };
    let values = replies.iter().map(|(_, _, reply)| after_reply(reply));
    if wants_many { values.min() } else { values.max() }.expect("there is a reply")
}

/// Compares the values in a position with the plain ones, and with the domains.
fn check_position(set: &AttributeSet, name: &str, position: &Position, board: &Board) {
    let seen = Seen::new(name, board);
    let mut row = vec![0; set.attributes().len()];
    set.extract(position, &mut row);
    for (attribute, value) in set.attributes().iter().zip(row) {
        assert_eq!(value, seen.value(attribute.name()), "{} in {position}", attribute.name());
        let (low, high) = attribute.domain();
        assert!((low..=high).contains(&value), "{} in {position}", attribute.name());
    }
}

/// Compares the values in many positions of the full board, with one side to move.
fn check_values(
    game: &plain::Game,
    name: &str,
    selection: Selection,
    turn: Side,
    numbers: impl Iterator<Item = u32>,
) {
    use rayon::prelude::*;
    let set = AttributeSet::new(material(name), selection);
    let numbers: Vec<u32> = numbers.collect();
    assert!(numbers.len() > 1_000, "{}", numbers.len());
    numbers.par_iter().for_each(|&at| {
        let position = plain::position(material(name), turn, at).expect("a legal position");
        check_position(&set, name, &position, &game.board(at, turn == Side::Strong));
    });
}

/// Compares the published values in every position of the full board, with either side to move.
fn check_published_values(game: &plain::Game, name: &str) {
    for turn in Side::ALL {
        // With White to move a third of the positions is enough.
        let step = if turn == Side::Weak { 1 } else { 3 };
        check_values(game, name, Selection::Published, turn, game.legal(turn).step_by(step));
    }
}

#[test]
fn values_of_every_rook_ending_are_what_the_names_say() {
    check_published_values(&ROOK, "KRvK");
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn values_of_every_queen_ending_are_what_the_names_say() {
    check_published_values(&QUEEN, "KQvK");
}

/// All attributes, in every canonical position and in a sample of the others.
#[test]
fn all_values_of_canonical_endings_are_what_the_names_say() {
    for (game, table, name) in [(&ROOK, &KRVK, "KRvK"), (&QUEEN, &KQVK, "KQvK")] {
        for turn in Side::ALL {
            let canonical = table.canonical_positions(turn).map(|one| plain::number_of(&one.0));
            let numbers = canonical.chain(game.legal(turn).step_by(61));
            check_values(game, name, Selection::All, turn, numbers);
        }
    }
}

#[test]
#[ignore = "slow: cargo test --release -- --include-ignored"]
fn all_values_of_every_ending_are_what_the_names_say() {
    for (game, name) in [(&ROOK, "KRvK"), (&QUEEN, "KQvK")] {
        for turn in Side::ALL {
            check_values(game, name, Selection::All, turn, game.legal(turn));
        }
    }
}

/// The boards of the definitions have the values listed under them.
#[test]
fn the_examples_of_the_definitions_have_their_values() {
    let mut said = BTreeSet::new();
    for [fen, men, values] in cases("attribute_examples.csv") {
        let position: Position = fen.parse().unwrap();
        let name = position.material().to_string();
        let squares: Vec<u8> = position.men().map(|(_, square)| square as u8).collect();
        let board = Board::new(&name, &squares, position.turn() == Side::Strong, true);
        assert_eq!(board.fen(), fen, "{men}");
        let sets = [Selection::All, Selection::Concepts, Selection::Ahead]
            .map(|selection| AttributeSet::new(position.material(), selection));
        for example in values.split(", ") {
            let (asked, value) = example.split_once(" = ").expect("a name and a value");
            let attribute =
                sets.iter().flat_map(AttributeSet::attributes).find(|one| one.name() == asked);
            let attribute = attribute.unwrap_or_else(|| panic!("{name} has no {asked}"));
            assert_eq!(attribute.show(attribute.value(&position)), value, "{asked} in {fen}");
            assert_eq!(
                attribute.show(plain_value(asked, &name, &board)),
                value,
                "{asked} in {fen}"
            );
            assert!(said.insert((men.clone(), example.to_owned())), "{example} is there twice");
        }
    }
    // The boards of the definitions are among them.
    let files = std::fs::read_dir(repository("crates/attributes/src")).unwrap();
    let sources = files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let source: String = sources.collect();
    let mut written = BTreeSet::new();
    let mut ranks: Vec<&str> = Vec::new();
    for line in source.lines().map(|line| line.trim().trim_start_matches('/').trim()) {
        match line.split_once(' ') {
            _ if line == "```text" => ranks.clear(),
            Some(("a", values)) if values.starts_with("b c d ") => {
                let values = values.trim_start_matches("b c d ").split([',', ';', ':']);
                let men = ranks.join("/").replace(' ', "");
                let examples = values.map(str::trim).filter(|value| value.contains(" = "));
                written.extend(examples.map(|value| (men.clone(), value.to_owned())));
            }
            Some((_, men)) => ranks.push(men),
            None => (),
        }
    }
    assert!(written.is_subset(&said), "{:?}", written.difference(&said));
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 100_000, ..random(3000) })]

    /// Up to four men of either colour, in every material: all attributes.
    #[test]
    fn all_men_are_measured_as_the_names_say(
        name in prop::sample::select(ENDGAMES.to_vec()),
        squares in prop::array::uniform4(0_u8..64),
        near in prop::array::uniform4(prop::sample::select(vec![0_u8, 1, 2, 8, 9, 10, 16, 17, 18])),
        is_near: bool,
        turn in prop::sample::select(TURNS.to_vec()),
        shift in prop::sample::select(vec![0, 8, 9, 18, 27]),
        strong_to_move: bool,
        strong_is_white: bool,
    ) {
        // Half of them are crowded on nine squares, where men touch.
        let crowded = near.map(|at| turn(at + shift));
        let squares = if is_near { crowded } else { squares };
        check_board(name, &squares, strong_to_move, strong_is_white)?;
    }
}

/// Every material of three and four men.
pub(crate) const ENDGAMES: [&str; 35] = [
    "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQQvK", "KQRvK", "KQBvK", "KQNvK", "KQPvK", "KRRvK",
    "KRBvK", "KRNvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNNvK", "KNPvK", "KPPvK", "KQvKQ",
    "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKB", "KBvKN",
    "KBvKP", "KNvKN", "KNvKP", "KPvKP",
];

/// Compares every value on a board with the plain one, if it is a position.
pub(crate) fn check_board(
    name: &str,
    squares: &[u8],
    strong_to_move: bool,
    strong_is_white: bool,
) -> Result<(), TestCaseError> {
    // If both sides are equal, White is the strong one.
    let (strong, weak) = name.split_once('v').expect("two sides");
    let strong_is_white = strong_is_white || strong == weak;
    let letters = name.chars().filter(|&letter| letter != 'v');
    let place = |(letter, &at)| if letter == 'P' { 8 + at % 48 } else { at };
    let squares: Vec<u8> = letters.zip(squares).map(place).collect();
    let board = Board::new(name, &squares, strong_to_move, strong_is_white);
    prop_assume!(board.is_legal());
    let position: Position = board.fen().parse().unwrap();
    assert_eq!(position.material().to_string(), name);
    let set = AttributeSet::new(material(name), Selection::All);
    check_position(&set, name, &position, &board);
    Ok(())
}

/// Names are unique Rust identifiers by which attributes are found, and their number follows from the
/// men.
#[test]
fn selections_are_as_large_as_they_are_said_to_be() {
    for [name, selection, count] in cases("selections.csv") {
        let endgame = material(&name);
        let &(_, selection) =
            Selection::ALL.iter().find(|known| known.0 == selection).expect("a selection");
        let set = AttributeSet::new(endgame, selection);
        assert_eq!(set.attributes().len().to_string(), count, "{name} {selection}");
        let names = names(&set);
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{name} {selection}");
        for attribute in set.attributes() {
            assert!(is_identifier(attribute.name()), "{}", attribute.name());
            assert!(!attribute.meaning().is_empty(), "{}", attribute.name());
        }
        let found = AttributeSet::named(endgame, names.iter().map(String::as_str)).unwrap();
        assert_eq!(found.attributes(), set.attributes());
        // The selection consists of the others in order.
        if selection == Selection::All {
            let parts = [Selection::Published, Selection::Oriented, Selection::Strategic];
            let parts = parts.map(|part| self::names(&AttributeSet::new(endgame, part)));
            assert_eq!(parts.concat(), names, "{name}");
        }
    }
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric())
}

#[test]
fn two_equal_men_are_numbered() {
    let all = names(&AttributeSet::new(material("KBBvK"), Selection::Published));
    let expected = ["KFile", "KRank", "B1File", "B1Rank", "B2File", "B2Rank", "kFile", "kRank"];
    assert_eq!(all[..8], expected);
    assert!(all.contains(&"B1B2DistanceFile".into()), "{all:?}");
}

/// The squares that a diagram marks, on the given board.
#[test]
fn attributes_look_at_the_squares_that_they_speak_of() {
    for [fen, name, men, area] in cases("focus.csv") {
        let position: Position = fen.parse().unwrap();
        let set = AttributeSet::named(position.material(), [name.as_str()]).unwrap();
        let focus = set.attributes()[0].focus(&position);
        let squares = |squares: Bitboard| {
            let squares: Vec<String> = squares.into_iter().map(|at| at.to_string()).collect();
            squares.join(" ")
        };
        assert_eq!(squares(focus.men), men, "{name} in {fen}");
        let found = focus.area.map(|(_, area)| squares(area)).unwrap_or_default();
        assert_eq!(found, area, "{name} in {fen}");
    }
}

#[test]
fn equal_men_may_change_places() {
    for [name, squares, exchanged] in cases("twins.csv") {
        let position = |squares: &str| {
            let squares: Vec<_> = squares.split(' ').map(|at| at.parse().unwrap()).collect();
            Position::new(material(&name), Side::Weak, &squares).unwrap()
        };
        let set = AttributeSet::new(material(&name), Selection::All);
        let row = |position: &Position| {
            let mut row = vec![0; set.attributes().len()];
            set.extract(position, &mut row);
            let one_by_one = set.attributes().iter().map(|attribute| attribute.value(position));
            assert_eq!(one_by_one.collect::<Vec<_>>(), row);
            row
        };
        let (one, other) = (position(&squares), position(&exchanged));
        assert_eq!(one, other);
        let row = [row(&one), row(&other)];
        assert_eq!(row[0], row[1], "{one}");
        // Each man is itself, not a mixture.
        let [first, second] = ["1Rank", "2Rank"].map(|word| {
            let found = set.attributes().iter().position(|one| one.name().ends_with(word));
            row[0][found.expect("it is numbered")]
        });
        assert_ne!(first, second, "{name}: a case that says nothing");
    }
}

/// Rotations and reflections leave all attributes unchanged except locations. If files become ranks,
/// the attributes along the file and along the rank are exchanged, unless the attribute maps the board
/// to a canonical one first.
fn check_symmetries(name: &str, positions: &(impl Iterator<Item = Position> + Clone)) {
    for selection in [Selection::Geometric, Selection::Oriented, Selection::Strategic] {
        let set = AttributeSet::new(material(name), selection);
        let names = names(&set);
        let partner = |name: &String| {
            let swaps = [("File", "Rank"), ("BoxWidth", "BoxHeight"), ("FileCuts", "RankCuts")];
            let swaps = swaps.into_iter().flat_map(|(one, other)| [(one, other), (other, one)]);
            let swap = |(from, to)| Some(format!("{}{to}", name.strip_suffix(from)?));
            let partner = match selection {
                Selection::Oriented => name.clone(),
                _ => swaps.filter_map(swap).next().unwrap_or_else(|| name.clone()),
            };
            names.iter().position(|other| *other == partner).expect("it has a partner")
        };
        let swapped: Vec<usize> = names.iter().map(partner).collect();
        let row = |position: &Position| {
            let mut row = vec![0; names.len()];
            set.extract(position, &mut row);
            row
        };
        let (mut transposed, mut looked_at) = (0, 0);
        let group = Group::of(material(name));
        for &symmetry in group.symmetries() {
            let [a1, b1] = [0, 1].map(|at| symmetry.apply(lucena::chess::Square::index(at)));
            let transposes = a1.rank() != b1.rank();
            transposed += usize::from(transposes);
            for position in positions.clone() {
                let (before, after) = (row(&position), row(&symmetry.apply_to_position(&position)));
                let expected = if transposes {
                    swapped.iter().map(|&at| before[at]).collect()
                } else {
                    before
                };
                assert_eq!(after, expected, "{symmetry:?} of {position}");
                looked_at += 1;
            }
        }
        assert_eq!(transposed, if group == Group::Square { 4 } else { 0 });
        assert!(looked_at > 2_000, "{name}: {looked_at}");
    }
}

#[test]
fn attributes_follow_the_symmetries() {
    for (table, name) in [(&KRVK, "KRvK"), (&KQVK, "KQvK")] {
        for (turn, step) in [(Side::Weak, 1), (Side::Strong, 3)] {
            let positions: Vec<Position> =
                table.canonical_positions(turn).map(|one| one.0).step_by(step).collect();
            check_symmetries(name, &positions.into_iter());
        }
    }
    // With four men, every placement on the diagonal and beside it.
    for name in ["KBNvK", "KRvKN", "KQvKB", "KBPvK", "KPvKP", "KNvKP"] {
        let near = [0_u8, 1, 8, 9, 10, 17, 18, 27, 36, 63];
        let squares = (0..10_000_usize).map(|at| [1, 10, 100, 1_000].map(|by| near[at / by % 10]));
        let boards = squares.map(|squares| Board::new(name, &squares, false, true));
        let has_room = |board: &Board| {
            board.men.iter().all(|man| man.role != 'P' || (1..7).contains(&rank(man.at)))
        };
        let legal = boards.filter(Board::is_legal).filter(has_room);
        let positions: Vec<Position> = legal.map(|board| board.fen().parse().unwrap()).collect();
        check_symmetries(name, &positions.into_iter());
    }
}

#[test]
fn the_geometric_attributes_tell_all_canonical_positions_apart() {
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let distinct: HashSet<[u8; 24]> = KRVK
        .canonical_positions(Side::Weak)
        .map(|(position, _)| {
            let mut row = [0; 24];
            set.extract(&position, &mut row);
            row
        })
        .collect();
    assert_eq!(distinct.len(), 28_056);
}

#[test]
fn on_the_full_board_no_vector_has_two_classes() {
    let set = AttributeSet::new(material("KRvK"), Selection::Geometric);
    let mut classes = HashMap::new();
    let mut positions = 0;
    for at in ROOK.legal(Side::Weak) {
        let position = plain::position(material("KRvK"), Side::Weak, at).expect("legal");
        let mut row = [0; 24];
        set.extract(&position, &mut row);
        // The class from the plain solver.
        let class = plain::ROOK_SOLVED.weak[at as usize];
        let first = *classes.entry(row).or_insert(class);
        assert_eq!(first, class, "{position}");
        positions += 1;
    }
    assert_eq!((positions, classes.len()), (223_944, 55_986));
}

#[test]
fn attributes_are_found_by_name() {
    let endgame = material("KRvK");
    let set = AttributeSet::named(endgame, ["kInCheck", "KFile"]).unwrap();
    assert_eq!(names(&set), ["kInCheck", "KFile"]);
    assert_eq!(set.material(), endgame);
    for unknown in ["QFile", "kfile", "", "optimalDepth", "KFile "] {
        let error = AttributeSet::named(endgame, ["KFile", unknown]).expect_err(unknown);
        assert_eq!((error.name.as_str(), error.material), (unknown, endgame));
        assert_eq!(error.now, None);
    }
}

/// An old name, in which File and rank were exchanged, gives an error with the new name.
#[test]
fn old_names_point_to_new_ones() {
    for [endgame, old, now] in cases("renamed_attributes.csv") {
        let error = AttributeSet::named(material(&endgame), [old.as_str()]).expect_err(&old);
        assert_eq!(error.now.as_deref(), (!now.is_empty()).then_some(now.as_str()), "{old}");
        let text = error.to_string();
        let advice = if now.is_empty() { "--list" } else { &now };
        assert!(text.contains(&old) && text.contains(advice), "{text}");
    }
}

#[test]
#[should_panic(expected = "attributes are for one material")]
fn attributes_are_for_one_material() {
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    set.extract(&"8/8/8/8/8/2k5/8/K1Q5 b - - 0 1".parse().unwrap(), &mut [0; 30]);
}

#[test]
fn depths_are_said_in_words() {
    // The names of krkopt's classes, in order.
    for (number, [class, _]) in cases("krkopt_classes.csv").into_iter().enumerate() {
        let depth: DistanceClass = class.parse().unwrap();
        assert_eq!(DistanceClass::up_to(16).position(|listed| listed == depth), Some(number));
        assert_eq!(depth.to_string(), class);
        let expected = number
            .checked_sub(1)
            .map_or(DistanceClass::Draw, |moves| DistanceClass::Mated(moves as u16));
        assert_eq!(depth, expected);
    }
    assert_eq!(DistanceClass::Mated(33).to_string(), "thirty-three");
    assert_eq!(DistanceClass::Mated(40).to_string(), "forty");
    for moves in 0..=126 {
        let depth = DistanceClass::Mated(moves);
        assert_eq!(depth.to_string().parse(), Ok(depth));
        assert!(DistanceClass::Draw < depth && depth < DistanceClass::Lost);
        assert_eq!(depth.plies(), Some(2 * moves));
    }
    assert_eq!(
        (DistanceClass::Lost.to_string(), DistanceClass::Lost.plies()),
        ("lost".into(), None)
    );
    assert_eq!("lost".parse(), Ok(DistanceClass::Lost));
    let all: Vec<DistanceClass> = DistanceClass::up_to(2).collect();
    assert_eq!(
        all,
        [
            DistanceClass::Draw,
            DistanceClass::Mated(0),
            DistanceClass::Mated(1),
            DistanceClass::Mated(2)
        ]
    );
    for text in ["", "Draw", "sixty four", "-1", "ten ", "won", "Lost"] {
        assert!(text.parse::<DistanceClass>().is_err(), "{text:?}");
    }
}

#[test]
fn canonical_rows_do_not_depend_on_who_is_black() {
    let set = AttributeSet::new(material("KRvK"), Selection::Published);
    for (position, _) in KRVK.canonical_positions(Side::Weak).step_by(11) {
        let (mut white, mut black) = ([0; 30], [0; 30]);
        set.extract(&position, &mut white);
        set.extract(&position.with_colors_exchanged(), &mut black);
        assert_eq!(white, black, "{position}");
        assert_eq!(Group::of(position.material()), Group::Square);
    }
}
