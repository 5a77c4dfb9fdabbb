//! Measures a second time, on the whole board: every square of every man, with the rules of
//! [`reference_rules`](crate::reference_rules) and naive rounds. Shares no code with the library.

use crate::reference_attributes::{plain_area_sums, plain_king_places, plain_value};
use crate::reference_rules::{Board, Man, file, rank};
use arrayvec::ArrayVec;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// A measure as its file says.
pub struct PlainMeasure {
    pub material: String,
    pub look: u64,
    /// True if it may not stop right after the next move.
    pub stops_later: bool,
    pub secure: u64,
    terms: Vec<PlainTerm>,
}

struct PlainTerm {
    quantity: String,
    /// The contributions of the values from `low` on, or a weight.
    contribution: Result<(i64, Vec<i64>), i64>,
}

impl PlainMeasure {
    /// Reads a measure that is known to be valid.
    pub fn read(json: &str) -> Self {
        let json: Value = serde_json::from_str(json).expect("JSON");
        let number = |value: &Value| value.as_i64().expect("a number");
        let term = |term: &Value| PlainTerm {
            quantity: term["quantity"].as_str().expect("a name").into(),
            contribution: match term["table"].as_array() {
                Some(table) => Ok((number(&term["low"]), table.iter().map(number).collect())),
                None => Err(number(&term["weight"])),
            },
        };
        Self {
            material: json["material"].as_str().expect("a name").into(),
            look: json["look"].as_u64().expect("a number"),
            stops_later: json["goal"] == "later-move",
            secure: json["secure"].as_u64().expect("a number"),
            terms: json["terms"].as_array().expect("terms").iter().map(term).collect(),
        }
    }

    /// Its value on a board.
    pub fn value(&self, board: &Board) -> i32 {
        let of = |term: &PlainTerm| {
            let value = quantity(&term.quantity, &self.material, board);
            match &term.contribution {
                Ok((low, table)) => table[(value - low) as usize],
                Err(weight) => weight * value,
            }
        };
        i32::try_from(self.terms.iter().map(of).sum::<i64>()).expect("it is small")
    }
}

/// Squares as a bit set.
type Squares = u64;

fn each(squares: Squares) -> impl Iterator<Item = u8> {
    (0..64).filter(move |at| squares & 1 << at != 0)
}

/// Some squares and those that are a king's step away.
fn spread(squares: Squares) -> Squares {
    const FIRST_FILE: Squares = 0x0101_0101_0101_0101;
    let to_the_left = (squares & !FIRST_FILE) >> 1;
    let to_the_right = (squares & !(FIRST_FILE << 7)) << 1;
    let across = squares | to_the_left | to_the_right;
    across | across << 8 | across >> 8
}

fn steps(one: u8, other: u8) -> i64 {
    file(one).abs_diff(file(other)).max(rank(one).abs_diff(rank(other))).into()
}

fn way(one: u8, other: u8) -> i64 {
    (file(one).abs_diff(file(other)) + rank(one).abs_diff(rank(other))).into()
}

fn to_edge(at: u8) -> i64 {
    let lines = [file(at), 7 - file(at), rank(at), 7 - rank(at)];
    lines.into_iter().min().expect("four edges").into()
}

/// The men of White, the strong side, without its king.
fn helpers(board: &Board) -> impl Iterator<Item = Man> {
    board.men.iter().copied().filter(|man| man.white && man.role != 'K')
}

/// The corners in which White can force mate: those of the bishop's colour if it has nothing else, or a knight besides.
fn mating_corners(board: &Board) -> impl Iterator<Item = u8> + Clone {
    let (mut bishops, mut others) = (Vec::new(), Vec::new());
    for man in helpers(board) {
        if man.role == 'B' { bishops.push(man.at) } else { others.push(man.role) }
    }
    let bishop = match (bishops.as_slice(), others.as_slice()) {
        (&[bishop], [] | ['N']) => Some(bishop),
        _ => None,
    };
    let color = |at: u8| (file(at) + rank(at)) % 2;
    [0, 7, 56, 63]
        .into_iter()
        .filter(move |&at| bishop.is_none_or(|bishop| color(bishop) == color(at)))
}

/// The behaviour of White's king while Black's walks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OtherKing {
    Stands,
    OffTheBoard,
    /// Walks too, one move behind, to wherever it can guard the square in time.
    Races,
}

/// The squares that Black's king reaches in some number of moves while all others stand still, with its own square. A
/// man that is not guarded can be taken, so it stops nothing.
fn area(board: &Board, most: usize, other: OtherKing) -> Squares {
    let (own, king) = (board.king(true), board.king(false));
    let emptied = 1 << king | if other == OtherKing::OffTheBoard { 1 << own } else { 0 };
    let is_guard = |man: &&Man| man.white && (man.role != 'K' || other == OtherKing::Stands);
    let occupied = board.occupied() & !emptied;
    let guarded = board.men.iter().filter(is_guard).fold(0, |all, man| all | man.attacks(occupied));
    let friends = board.men.iter().filter(|man| !man.white && man.role != 'K');
    let closed = friends.fold(guarded, |all, man| all | 1 << man.at);
    let mut reached = 1 << king;
    for moves in 1..=most {
        let is_late = |&at: &u8| other == OtherKing::Races && steps(own, at) <= moves as i64;
        let late = each(!reached).filter(is_late).fold(0, |all, at| all | 1 << at);
        let next = spread(reached) & !closed & !late | reached;
        if next == reached {
            break;
        }
        reached = next;
    }
    reached
}

/// The areas by name: the most moves of Black's king, and what White's does.
const AREAS: [(&str, usize, OtherKing); 5] = [
    ("kRoom", 64, OtherKing::Stands),
    ("kCage", 64, OtherKing::OffTheBoard),
    ("kReach2", 2, OtherKing::Stands),
    ("kReach3", 3, OtherKing::Stands),
    ("kRace", 64, OtherKing::Races),
];

/// The value of a quantity on a board on which White is the strong side.
fn quantity(name: &str, material: &str, board: &Board) -> i64 {
    let (own, king) = (board.king(true), board.king(false));
    let corners = mating_corners(board);
    let corner_sum = |at: u8| corners.clone().map(|to| way(at, to)).min().expect("a corner");
    let corner_steps = |at: u8| corners.clone().map(|to| steps(at, to)).min().expect("a corner");
    for (prefix, most, other) in AREAS {
        let Some(distance) = name.strip_prefix(prefix) else { continue };
        let squares = || each(area(board, most, other));
        match distance {
            "" => return squares().count() as i64 - 1,
            "CornerSum" => return squares().map(corner_sum).sum(),
            "CornerSquare" => return squares().map(|at| corner_sum(at).pow(2)).sum(),
            "CornerSteps" => return squares().map(corner_steps).sum(),
            "EdgeSteps" => return squares().map(to_edge).sum(),
            "CornerEdgeSum" => return squares().map(|at| corner_sum(at) + to_edge(at)).sum(),
            _ => {}
        }
    }
    let [files, ranks] = [file, rank].map(|along| i64::from(along(own).abs_diff(along(king))));
    let is_sum_over = |area: &str| name != area && name.starts_with(area);
    let is_beside = |man: &Man| way(own, man.at) == 1;
    match name {
        "KkSteps" => steps(own, king),
        "KkDistanceSquare" => files * files + ranks * ranks,
        "KkUnevenness" => (files - ranks).abs(),
        "kMatingCornerSum" => corner_sum(king),
        "kMatingCornerSteps" => corner_steps(king),
        "kEdgeSteps" => to_edge(king),
        "KCentreSteps" => [27, 28, 35, 36].map(|to| steps(own, to)).into_iter().min().expect("one"),
        "KNDistanceSum" => {
            helpers(board).filter(|man| man.role == 'N').map(|man| way(own, man.at)).sum()
        }
        "kCovered" => {
            each(spread(1 << king) & spread(1 << own) & !(1 << king | 1 << own)).count() as i64
        }
        "KBeside" => helpers(board).any(|man| man.role != 'N' && is_beside(&man)).into(),
        "BSumBeside" => {
            helpers(board).filter(|man| man.role == 'B' && is_beside(man)).count() as i64
        }
        // Slower, by the meanings of the words in the name.
        _ if AREAS.iter().any(|area| is_sum_over(area.0)) => {
            plain_area_sums(material, board)[name].into()
        }
        _ if name.ends_with("Place") => plain_king_places(material, board)[name].into(),
        _ => plain_value(name, material, board).into(),
    }
}

/// Does a number of parts of a work on all processors.
fn in_parallel<T: Send>(parts: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(parts));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    if part >= parts {
                        break;
                    }
                    let made = work(part);
                    done.lock().expect("no part has failed").push((part, made));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no part has failed");
    done.sort_unstable_by_key(|&(part, _)| part);
    done.into_iter().map(|(_, made)| made).collect()
}

/// A list of numbers for each position with one place of White's king, which leads the number of a position.
#[derive(Default)]
struct Lists {
    ends: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn of(&self, at: usize) -> &[u32] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.all[start..self.ends[at] as usize]
    }

    fn end(&mut self) {
        self.ends.push(u32::try_from(self.all.len()).expect("fewer numbers"));
    }
}

/// Whatever is never won.
const NEVER: u8 = u8::MAX;

/// A position with Black to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Illegal,
    Mate,
    Stalemate,
    /// Black can capture or promote.
    Loud,
    Quiet,
}

/// Every position of an endgame on the whole board, with White as the strong side. The number of a position is made of
/// its squares, in the order of the material's men; of two equal men, the one on the lower square comes first.
pub struct WholeBoard {
    men: Vec<(char, bool)>,
    /// White to move, by the place of its king: the positions after its moves in this endgame.
    moves: Vec<Lists>,
    is_legal: Vec<bool>,
    /// The number of moves in which a capture or promotion that is always played wins; 0 if there is none.
    at_once: Vec<u8>,
    /// The most and the fewest moves in which moves to other endgames win; 0 and `NEVER` if there are none.
    leaving: Vec<u8>,
    best_leaving: Vec<u8>,
    /// True if no move is safe, but some hold the draw against a side that could mate. Only these are `leaving` then, and
    /// these are the positions after those of them that stay in this endgame.
    is_held: Vec<bool>,
    holding: Vec<Lists>,
    /// Black to move.
    replies: Vec<Lists>,
    kinds: Vec<Kind>,
    /// The most moves in which White wins after replies that lead to other endgames; 0 if there are none.
    replying: Vec<u8>,
}

/// A value that a measure can force, and the moves until then. Mate is the least value, no safe move the greatest.
pub type Forced = (i32, u8);

const MATE: Forced = (i32::MIN, 0);
const HELD: Forced = (i32::MAX - 1, 0);
const UNSAFE: Forced = (i32::MAX, 0);

/// The moves of White from the positions with one place of its king.
#[derive(Default)]
struct FromWhite {
    moves: Lists,
    is_legal: Vec<bool>,
    is_held: Vec<bool>,
    holding: Lists,
    /// At once, most and least.
    rest: Vec<[u8; 3]>,
}

/// The number of moves in which White wins each position; `NEVER` if it does not.
struct Won {
    white: Vec<u8>,
    black: Vec<u8>,
}

/// The totals of a plain proof.
#[derive(Debug, PartialEq)]
pub struct PlainTotals {
    pub positions: u64,
    /// Those that White wins with best play.
    pub winnable: u64,
    /// Those that the measure wins.
    pub won: u64,
    /// The moves of the longest game.
    pub longest: u8,
    /// The moves of all games from won positions.
    pub moves: u64,
    /// The moves over the optimum, added up over the won positions.
    pub excess: u64,
}

/// A set of numbers.
struct Marks(Vec<u64>);

impl Marks {
    fn new(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    fn has(&self, at: u32) -> bool {
        self.0[at as usize / 64] & 1 << (at % 64) != 0
    }

    fn add(&mut self, at: u32) {
        self.0[at as usize / 64] |= 1 << (at % 64);
    }
}

/// The men of a material, such as KQvKP: role, and true for those of White.
fn men_of(material: &str) -> Vec<(char, bool)> {
    let (strong, weak) = material.split_once('v').expect("two sides");
    let men = strong.chars().map(|role| (role, true));
    men.chain(weak.chars().map(|role| (role, false))).collect()
}

/// The material of a board, and the board with its men in that order.
fn in_order(board: &Board) -> (String, Board) {
    let mut board = board.clone();
    let place = |role: char| "KQRBNP".find(role).expect("a role");
    board.men.sort_by_key(|man| (!man.white, place(man.role)));
    let side = |white: bool| -> String {
        board.men.iter().filter(|man| man.white == white).map(|man| man.role).collect()
    };
    (format!("{}v{}", side(true), side(false)), board)
}

/// Solved endgames by name.
type Solutions = Mutex<BTreeMap<String, Arc<OnceLock<Won>>>>;
static SOLUTIONS: Solutions = Mutex::new(BTreeMap::new());

/// The number of moves in which White wins with best play; `NEVER` if it does not.
fn best_play(board: &Board) -> u8 {
    let (name, board) = in_order(board);
    if name.starts_with("Kv") {
        return NEVER;
    }
    let slot = Arc::clone(SOLUTIONS.lock().expect("no failure").entry(name.clone()).or_default());
    let won = slot.get_or_init(|| WholeBoard::new(&name).solve());
    let number = number_of(&board) as usize;
    if board.white_to_move { won.white[number] } else { won.black[number] }
}

/// The number of a board.
fn number_of(board: &Board) -> u32 {
    let mut men = board.men.clone();
    for next in 1..men.len() {
        let [one, other] = [men[next - 1], men[next]];
        if (one.role, one.white) == (other.role, other.white) && one.at > other.at {
            men.swap(next - 1, next);
        }
    }
    men.iter().fold(0, |number, man| 64 * number + u32::from(man.at))
}

impl WholeBoard {
    /// Finds all moves of an endgame of up to four men, in which at most one side has pawns.
    pub fn new(material: &str) -> Self {
        let men = men_of(material);
        let pawns = |white| men.contains(&('P', white));
        assert!(men.len() <= 4 && !(pawns(true) && pawns(false)), "{material} is not foreseen");
        let part = 1_u32 << (6 * (men.len() - 1));
        let mut whole = Self {
            men,
            moves: Vec::new(),
            is_legal: Vec::new(),
            at_once: Vec::new(),
            leaving: Vec::new(),
            best_leaving: Vec::new(),
            is_held: Vec::new(),
            holding: Vec::new(),
            replies: Vec::new(),
            kinds: Vec::new(),
            replying: Vec::new(),
        };
        let of_black = in_parallel(64, |king| {
            let numbers = king as u32 * part..(king as u32 + 1) * part;
            whole.replies_from(numbers)
        });
        for (lists, kinds, replying) in of_black {
            whole.replies.push(lists);
            whole.kinds.extend(kinds);
            whole.replying.extend(replying);
        }
        let of_white = in_parallel(64, |king| {
            let numbers = king as u32 * part..(king as u32 + 1) * part;
            whole.moves_from(numbers)
        });
        for FromWhite { moves, is_legal, is_held, holding, rest } in of_white {
            whole.moves.push(moves);
            whole.is_legal.extend(is_legal);
            whole.is_held.extend(is_held);
            whole.holding.push(holding);
            for [at_once, leaving, best_leaving] in rest {
                whole.at_once.push(at_once);
                whole.leaving.push(leaving);
                whole.best_leaving.push(best_leaving);
            }
        }
        whole
    }

    /// The squares of a number.
    pub fn squares(&self, number: u32) -> ArrayVec<u8, 4> {
        let men = self.men.len();
        (0..men).map(|man| (number >> (6 * (men - 1 - man)) & 63) as u8).collect()
    }

    /// The number of squares, one for each man.
    pub fn number(&self, squares: &[u8]) -> u32 {
        number_of(&self.placed(squares, true))
    }

    fn placed(&self, squares: &[u8], white_to_move: bool) -> Board {
        let placed = self.men.iter().zip(squares);
        let men = placed.map(|(&(role, white), &at)| Man { role, white, at }).collect();
        Board { men, white_to_move, passed: None }
    }

    fn board(&self, number: u32, white_to_move: bool) -> Option<Board> {
        let board = self.placed(&self.squares(number), white_to_move);
        (board.is_legal() && number_of(&board) == number).then_some(board)
    }

    fn replies_from(&self, numbers: std::ops::Range<u32>) -> (Lists, Vec<Kind>, Vec<u8>) {
        let (mut lists, mut kinds, mut replying) = (Lists::default(), Vec::new(), Vec::new());
        for number in numbers {
            let (mut kind, mut most) = (Kind::Illegal, 0);
            if let Some(board) = self.board(number, false) {
                let replies = board.moves();
                kind = match replies.is_empty() {
                    true if board.is_check(false) => Kind::Mate,
                    true => Kind::Stalemate,
                    false => Kind::Quiet,
                };
                for (_, _, after) in &replies {
                    if board.has_left_for(after) {
                        kind = Kind::Loud;
                        most = most.max(best_play(after));
                    } else {
                        lists.all.push(number_of(after));
                    }
                }
            }
            lists.end();
            kinds.push(kind);
            replying.push(most);
        }
        (lists, kinds, replying)
    }

    fn moves_from(&self, numbers: std::ops::Range<u32>) -> FromWhite {
        let mut from = FromWhite::default();
        for number in numbers {
            let board = self.board(number, true);
            let moves: Vec<Board> =
                board.iter().flat_map(Board::moves).map(|(_, _, after)| after).collect();
            let stays =
                |after: &Board| board.as_ref().is_some_and(|board| !board.has_left_for(after));
            let is_in_danger = board.as_ref().is_some_and(Board::could_mate)
                && !moves.iter().any(|after| stays(after) && self.is_safe(number_of(after)));
            let is_held = is_in_danger && moves.iter().any(Board::holds);
            let (mut most, mut least) = (0, NEVER);
            // The most moves after captures and promotions that win at once, with a queen and without.
            let mut at_once = [0, 0];
            for after in &moves {
                let is_tied = !is_held || after.holds();
                if stays(after) {
                    from.moves.all.push(number_of(after));
                    if is_held && is_tied {
                        from.holding.all.push(number_of(after));
                    }
                    continue;
                }
                let moves = match best_play(after) {
                    NEVER => NEVER,
                    moves => moves + 1,
                };
                least = least.min(moves);
                if is_tied {
                    most = most.max(moves);
                }
                let has = |role| after.men.iter().any(|man| man.white && man.role == role);
                let is_bare = after.men.iter().filter(|man| !man.white).count() == 1;
                let replies = after.moves();
                let is_calm = !replies.iter().any(|(_, _, reply)| after.has_left_for(reply))
                    && (!replies.is_empty() || after.is_check(false));
                if is_bare && is_calm && (has('Q') || has('R')) {
                    let kind = usize::from(!has('Q'));
                    at_once[kind] = at_once[kind].max(moves);
                }
            }
            from.moves.end();
            from.holding.end();
            from.is_legal.push(board.is_some());
            from.is_held.push(is_held);
            let at_once = if at_once[0] > 0 { at_once[0] } else { at_once[1] };
            from.rest.push([at_once, most, least]);
        }
        from
    }

    fn len(&self) -> usize {
        self.kinds.len()
    }

    fn list(lists: &[Lists], number: u32) -> &[u32] {
        let part = lists[0].ends.len();
        lists[number as usize / part].of(number as usize % part)
    }

    /// The positions after White's moves in this endgame.
    fn after(&self, number: u32) -> &[u32] {
        Self::list(&self.moves, number)
    }

    fn replies(&self, number: u32) -> &[u32] {
        Self::list(&self.replies, number)
    }

    /// Computes something for every number.
    fn for_all<T: Send>(&self, of: impl Fn(u32) -> T + Sync) -> Vec<T> {
        let part = (self.len() / 64) as u32;
        let parts = in_parallel(64, |king| {
            (king as u32 * part..(king as u32 + 1) * part).map(&of).collect::<Vec<T>>()
        });
        parts.into_iter().flatten().collect()
    }

    fn is_safe(&self, after: u32) -> bool {
        matches!(self.kinds[after as usize], Kind::Mate | Kind::Quiet)
    }

    fn has_safe_move(&self, number: u32) -> bool {
        self.after(number).iter().any(|&after| self.is_safe(after))
    }

    /// The best of the safe moves.
    fn best(&self, forced: &[Forced], number: u32) -> Forced {
        if self.at_once[number as usize] > 0 {
            return MATE;
        }
        if self.is_held[number as usize] {
            return HELD;
        }
        let afters = self.after(number).iter();
        afters.map(|&after| forced[after as usize]).min().unwrap_or(UNSAFE)
    }

    /// The positions after White's moves from which Black can force one without a safe move for White, within a number of
    /// replies.
    fn doomed(&self, replies: u64) -> Vec<bool> {
        let mut doomed = vec![false; self.len()];
        for _ in 0..replies {
            let lost = self.for_all(|at| {
                self.at_once[at as usize] == 0
                    && self.after(at).iter().all(|&to| !self.is_safe(to) || doomed[to as usize])
            });
            doomed = self.for_all(|at| self.replies(at).iter().any(|&to| lost[to as usize]));
        }
        doomed
    }

    /// Computes the value that a measure can force after each safe move, and the moves until then.
    pub fn forced(&self, measure: &PlainMeasure) -> Vec<Forced> {
        self.forced_by(measure, |board| measure.value(board))
    }

    /// [`Self::forced`] with other values of the positions.
    pub fn forced_by(
        &self,
        measure: &PlainMeasure,
        value: impl Fn(&Board) -> i32 + Sync,
    ) -> Vec<Forced> {
        let doomed = self.doomed(measure.secure);
        let here = self.for_all(|at| match self.kinds[at as usize] {
            Kind::Mate => MATE,
            Kind::Quiet if !doomed[at as usize] => {
                (value(&self.board(at, false).expect("it is legal")), 0)
            }
            _ => UNSAFE,
        });
        let mut forced = here.clone();
        for round in 1..=measure.look {
            let turns = self.for_all(|at| match self.best(&forced, at) {
                HELD => HELD,
                UNSAFE => UNSAFE,
                (value, moves) => (value, moves + 1),
            });
            let may_stop = round < measure.look || !measure.stops_later;
            forced = self.for_all(|at| {
                let here = here[at as usize];
                if self.kinds[at as usize] != Kind::Quiet {
                    return here;
                }
                let worst = self.replies(at).iter().map(|&reply| turns[reply as usize]).max();
                let worst = worst.expect("it is neither mate nor stalemate");
                if may_stop { worst.min(here) } else { worst }
            });
        }
        forced
    }

    /// The positions after the moves in this endgame that a measure leaves tied, by what it can force; after those that
    /// hold the draw or else all, if none is safe.
    pub fn tied(&self, forced: &[Forced], number: u32) -> impl Iterator<Item = u32> {
        let moves = match self.is_held[number as usize] {
            true => Self::list(&self.holding, number),
            false => self.after(number),
        };
        let (best, has_safe) = (self.best(forced, number), self.has_safe_move(number));
        let is_tied = move |&after: &u32| {
            !has_safe || (self.is_safe(after) && forced[after as usize] == best)
        };
        moves.iter().copied().filter(is_tied)
    }

    /// The positions with White to move.
    pub fn legal(&self) -> impl Iterator<Item = u32> {
        (0..self.len() as u32).filter(|&at| self.is_legal[at as usize])
    }

    /// Marks positions as won, round by round, until no more can be: White's by `wins`, which is asked with the number
    /// of the round and the positions after White's moves that are won so far; Black's if all replies lead to won ones.
    fn rounds(&self, wins: impl Fn(u32, u8, &Marks) -> bool + Sync) -> Won {
        let count = self.len();
        let mut won = Won { white: vec![NEVER; count], black: vec![NEVER; count] };
        let [mut of_white, mut of_black] = [Marks::new(count), Marks::new(count)];
        let all = |is_asked: &dyn Fn(usize) -> bool| -> Vec<u32> {
            (0..count).filter(|&at| is_asked(at)).map(|at| at as u32).collect()
        };
        let mut open_white = all(&|at| self.is_legal[at]);
        let mut open_black = all(&|at| {
            matches!(self.kinds[at], Kind::Quiet | Kind::Loud) && self.replying[at] != NEVER
        });
        for at in all(&|at| self.kinds[at] == Kind::Mate) {
            of_black.add(at);
            won.black[at as usize] = 0;
        }
        let away = [&self.at_once, &self.leaving, &self.best_leaving, &self.replying];
        let latest = away.iter().flat_map(|moves| moves.iter()).filter(|&&moves| moves != NEVER);
        let latest = *latest.max().expect("there are positions");
        for moves in 1..NEVER {
            let white = select(&open_white, |at| wins(at, moves, &of_black));
            for &at in &white {
                of_white.add(at);
                won.white[at as usize] = moves;
            }
            open_white.retain(|&at| !of_white.has(at));
            let black = select(&open_black, |at| {
                self.replying[at as usize] <= moves
                    && self.replies(at).iter().all(|&reply| of_white.has(reply))
            });
            for &at in &black {
                of_black.add(at);
                won.black[at as usize] = moves;
            }
            open_black.retain(|&at| !of_black.has(at));
            if white.is_empty() && black.is_empty() && moves > latest {
                break;
            }
        }
        won
    }

    /// Best play.
    fn solve(&self) -> Won {
        self.rounds(|at, moves, won| {
            self.best_leaving[at as usize] <= moves
                || self.after(at).iter().any(|&after| won.has(after))
        })
    }

    /// The proof of a measure, by what it can force: a position is won if every tied move mates, or every reply to it
    /// leads to a position that is won.
    fn prove(&self, forced: &[Forced]) -> Won {
        self.rounds(|at, moves, won| {
            match self.at_once[at as usize] {
                0 => {}
                at_once => return at_once <= moves,
            }
            let mut tied = self.tied(forced, at).peekable();
            let leaving = if self.has_safe_move(at) { 0 } else { self.leaving[at as usize] };
            leaving <= moves
                && (tied.peek().is_some() || leaving > 0)
                && tied.all(|after| won.has(after))
        })
    }

    /// The totals of the proof of a measure, by what it can force.
    pub fn totals(&self, forced: &[Forced]) -> PlainTotals {
        let won = self.prove(forced);
        let optimum = self.solve();
        let mut totals =
            PlainTotals { positions: 0, winnable: 0, won: 0, longest: 0, moves: 0, excess: 0 };
        for at in self.legal() {
            let (moves, least) = (won.white[at as usize], optimum.white[at as usize]);
            totals.positions += 1;
            totals.winnable += u64::from(least != NEVER);
            if moves != NEVER {
                totals.won += 1;
                totals.longest = totals.longest.max(moves);
                totals.moves += u64::from(moves);
                totals.excess += u64::from(moves - least);
            }
        }
        totals
    }
}

/// The numbers that satisfy a condition.
fn select(numbers: &[u32], holds: impl Fn(u32) -> bool + Sync) -> Vec<u32> {
    let part = numbers.len().div_ceil(64).max(1);
    let parts: Vec<&[u32]> = numbers.chunks(part).collect();
    let found = in_parallel(parts.len(), |number| {
        parts[number].iter().copied().filter(|&at| holds(at)).collect::<Vec<u32>>()
    });
    found.concat()
}
