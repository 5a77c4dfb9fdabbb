//! Attribute values by a plain implementation, and the endgames that they are compared in.

use crate::reference_concepts;
use crate::reference_fight;
use crate::reference_rules::{Board, Man, file, rank};
use crate::tables::material;
use lucena_attributes::AttributeSet;
use lucena_chess::{Color, Position, Side};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The men by the letters that name them, a capital for the strong side. Two equal men are numbered
/// from a1 on. Also returns the letters in the order of the material.
pub fn men_of(material: &str, board: &Board) -> (Vec<String>, HashMap<String, Man>) {
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
pub fn as_read(material: &str, board: &Board) -> Board {
    if !material.contains('P') || board.men[0].white {
        return board.clone();
    }
    board.with_colors_exchanged()
}

/// A position for the plain implementation: the men by their letters.
pub struct ReferenceBoard {
    pub board: Board,
    pub men: HashMap<String, Man>,
    /// The symmetry that brings the weak king nearest to a1.
    pub turn: fn(u8) -> u8,
}

/// The endings of names, which determine the attribute.
pub const WORDS: [&str; 53] = [
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
pub const TURNS: [fn(u8) -> u8; 8] = [
    |at| at,
    |at| 8 * rank(at) + 7 - file(at),
    |at| 8 * (7 - rank(at)) + file(at),
    |at| 8 * (7 - rank(at)) + 7 - file(at),
    |at| 8 * file(at) + rank(at),
    |at| 8 * file(at) + 7 - rank(at),
    |at| 8 * (7 - file(at)) + rank(at),
    |at| 8 * (7 - file(at)) + 7 - rank(at),
];

pub fn from_edge(along: u8) -> u8 {
    along.min(7 - along)
}

/// The number of king moves from one square to the other.
pub fn king_moves(one: u8, other: u8) -> u8 {
    file(one).abs_diff(file(other)).max(rank(one).abs_diff(rank(other)))
}

impl ReferenceBoard {
    pub fn new(material: &str, board: &Board) -> Self {
        let board = as_read(material, board);
        let (written, men) = men_of(material, &board);
        let turns = if material.contains('P') { &TURNS[..2] } else { &TURNS };
        Self { board, turn: Self::turn(turns, &written, &men), men }
    }

    pub fn at(&self, letter: &str) -> u8 {
        self.men[letter].at
    }

    pub fn strong_is_white(&self) -> bool {
        self.men["K"].white
    }

    /// The squares to which the weak king may go, if it is its turn.
    pub fn targets(&self) -> Vec<u8> {
        let mut board = self.board.clone();
        board.white_to_move = !self.strong_is_white();
        let own = self.at("k");
        board.moves().iter().filter(|mv| mv.0 == own).map(|mv| mv.1).collect()
    }

    /// Returns true if the weak king would be in check on a square, with all other men unmoved.
    pub fn is_barred(&self, at: u8) -> bool {
        let mut board = self.board.clone();
        let king = board.men.iter_mut().find(|man| **man == self.men["k"]);
        king.expect("there is a weak king").at = at;
        board.is_attacked(at, self.strong_is_white())
    }

    /// The squares that the weak king could reach while all others stand still.
    pub fn room(&self) -> u8 {
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
    pub fn lines(&self, man: &str, along: fn(u8) -> u8) -> Vec<u8> {
        let (man, king) = (along(self.at(man)), along(self.at("k")));
        (0..8).filter(|line| king == man || line.cmp(&man) == king.cmp(&man)).collect()
    }

    pub fn in_box(&self, man: &str) -> Vec<u8> {
        let [ranks, files] = [rank, file].map(|along| self.lines(man, along));
        ranks.iter().flat_map(|rank| files.iter().map(move |file| 8 * rank + file)).collect()
    }

    /// Finds the symmetry that brings the weak king into the triangle a1, d1, d4. If the king is on the
    /// diagonal, two symmetries remain; then the first other man off the diagonal is below it. Two equal men
    /// count as their squares, whichever stands where. If the board can only be mirrored, the king is brought
    /// to the files a to d.
    pub fn turn(
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
    pub fn goals(&self, man: Man) -> Vec<(u8, Board)> {
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
    pub fn after(&self, man: Man, at: u8) -> Board {
        let mut after = self.board.clone();
        after.men.retain(|other| *other != man && other.at != at);
        after.men.push(Man { at, ..man });
        after
    }

    /// Returns true if the other side's king could not take the man even from an adjacent square.
    pub fn is_guarded(&self, man: Man) -> bool {
        let mut board = self.board.clone();
        let king = board.men.iter_mut().find(|other| other.role == 'K' && other.white != man.white);
        king.expect("there is a king").at = man.at;
        board.is_attacked(man.at, man.white)
    }

    /// Returns true if a line piece attacks the man's king once the man is removed.
    pub fn is_pinned(&self, man: Man) -> bool {
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
    pub fn is_fork(man: Man, at: u8, after: &Board) -> bool {
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
    pub fn ahead(man: Man) -> Vec<u8> {
        let ahead = |at: &u8| if man.white { *at > man.at } else { *at < man.at };
        (0..64).filter(|&at| file(at) == file(man.at)).filter(ahead).collect()
    }

    /// The promotion square of a pawn.
    pub fn promotion(man: Man) -> u8 {
        if man.white { 56 + file(man.at) } else { file(man.at) }
    }

    /// The number of moves of a pawn, alone on the board, to its promotion, counted one by one.
    pub fn pawn_moves(man: Man) -> u8 {
        let (mut left, mut moves) = (Self::ahead(man).len(), 0);
        while left > 0 {
            left -= if left == 6 { 2 } else { 1 };
            moves += 1;
        }
        moves
    }

    /// A race, move by move, the weak side first.
    pub fn is_caught(king: u8, pawn: Man) -> bool {
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
    pub fn is_key_square(king: u8, pawn: Man) -> bool {
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
    pub fn jumps(from: u8, to: u8) -> u8 {
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
    pub fn turned(&self, man: &str) -> u8 {
        (self.turn)(self.at(man))
    }

    /// The value of the attribute with this name, from the meaning of its words.
    pub fn value(&self, name: &str) -> u8 {
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

/// The board of a position as the plain implementation sees it.
pub fn board_of(position: &Position) -> Board {
    let name = position.material().to_string();
    let squares: Vec<u8> = position.men().map(|(_, square)| square as u8).collect();
    let is_white = position.strong() == Color::White;
    Board::new(&name, &squares, position.turn() == Side::Strong, is_white)
}

/// The value of an attribute in a position, from the men and the rules alone.
pub fn plain_value(name: &str, material: &str, board: &Board) -> u8 {
    if let Some(of) = name.strip_suffix("Next") {
        return plain_value_ahead(of, material, board);
    }
    let seen = ReferenceBoard::new(material, board);
    reference_fight::value(&seen, name)
        .or_else(|| reference_concepts::value(&seen, name))
        .unwrap_or_else(|| seen.value(name))
}

/// The sums over areas around the weak king in a position, by name.
pub fn plain_area_sums(material: &str, board: &Board) -> BTreeMap<String, u16> {
    reference_concepts::area_sums(&ReferenceBoard::new(material, board))
}

/// The squares of the weak king and each other man without an equal as one number, by name.
pub fn plain_king_places(material: &str, board: &Board) -> BTreeMap<String, u16> {
    let turns = if material.contains('P') { &TURNS[..2] } else { &TURNS };
    reference_concepts::king_places(&ReferenceBoard::new(material, board), turns)
}

/// The value of an attribute that White, the strong side, can guarantee by its next move after any reply.
pub fn plain_value_ahead(of: &str, material: &str, board: &Board) -> u8 {
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

/// Every material of three and four men.
pub const ENDGAMES: [&str; 35] = [
    "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQQvK", "KQRvK", "KQBvK", "KQNvK", "KQPvK", "KRRvK",
    "KRBvK", "KRNvK", "KRPvK", "KBBvK", "KBNvK", "KBPvK", "KNNvK", "KNPvK", "KPPvK", "KQvKQ",
    "KQvKR", "KQvKB", "KQvKN", "KQvKP", "KRvKR", "KRvKB", "KRvKN", "KRvKP", "KBvKB", "KBvKN",
    "KBvKP", "KNvKN", "KNvKP", "KPvKP",
];
