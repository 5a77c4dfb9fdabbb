//! The rules, a solver and a proof a second time: slow and plain, on the full board, directly from
//! the definitions. Shares no code with the library and none with cozy-chess.

use arrayvec::ArrayVec;
use lucena_chess::{Material, Move, Position, Side, Square};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A man on a square; squares are numbered a1, b1, ... h8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    /// One of `KQRBNP`.
    pub role: char,
    pub white: bool,
    pub at: u8,
}

/// Men on a board, and the side to move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    pub men: ArrayVec<Man, 5>,
    pub white_to_move: bool,
    /// The square that a pawn has just passed, if a pawn of the side to move can capture it there.
    pub passed: Option<u8>,
}

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const OBLIQUE: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ROUND: [(i8, i8); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const UP_BESIDE: [(i8, i8); 2] = [(-1, 1), (1, 1)];
const DOWN_BESIDE: [(i8, i8); 2] = [(-1, -1), (1, -1)];

/// The file of a square, from 0.
pub fn file(square: u8) -> u8 {
    square % 8
}

/// The rank of a square, from 0.
pub fn rank(square: u8) -> u8 {
    square / 8
}

/// The name of a square.
fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + file(square)), rank(square) + 1)
}

impl Man {
    fn new(role: char, white: bool, at: u8) -> Self {
        Self { role, white, at }
    }

    /// The squares that the man attacks, as a bit set.
    pub fn attacks(self, occupied: u64) -> u64 {
        let (directions, far): (&[(i8, i8)], bool) = match self.role {
            'K' => (&ROUND, false),
            'Q' => (&ROUND, true),
            'R' => (&STRAIGHT, true),
            'B' => (&OBLIQUE, true),
            'N' => (&JUMPS, false),
            'P' if self.white => (&UP_BESIDE, false),
            'P' => (&DOWN_BESIDE, false),
            other => panic!("{other} is no man of these tests"),
        };
        let mut attacks = 0;
        for (right, up) in directions {
            let (mut x, mut y) = (file(self.at) as i8 + right, rank(self.at) as i8 + up);
            while (0..8).contains(&x) && (0..8).contains(&y) {
                let bit = 1 << (8 * y + x);
                attacks |= bit;
                if !far || occupied & bit != 0 {
                    break;
                }
                x += right;
                y += up;
            }
        }
        attacks
    }
}

impl Board {
    /// The men of a material in its order; `strong` is true if White is the strong side.
    pub fn new(material: &str, squares: &[u8], strong_to_move: bool, strong: bool) -> Self {
        let mut white = !strong;
        let mut men = ArrayVec::new();
        let letters = material.chars().filter(|&letter| letter != 'v');
        for (letter, &at) in letters.zip(squares) {
            if letter == 'K' {
                white = !white;
            }
            men.push(Man::new(letter, white, at));
        }
        assert_eq!(men.len(), squares.len(), "a square for each man");
        Self { men, white_to_move: strong_to_move == strong, passed: None }
    }

    /// King and one man against the bare king of Black.
    pub fn three(role: char, squares: [u8; 3], white_to_move: bool) -> Self {
        let [king, man, weak] = squares;
        let men =
            [Man::new('K', true, king), Man::new(role, true, man), Man::new('K', false, weak)];
        Self { men: men.into_iter().collect(), white_to_move, passed: None }
    }

    pub fn occupied(&self) -> u64 {
        self.men.iter().fold(0, |all, man| all | 1 << man.at)
    }

    /// Returns true if a colour attacks a square.
    pub fn is_attacked(&self, at: u8, by_white: bool) -> bool {
        let occupied = self.occupied();
        self.men.iter().any(|man| man.white == by_white && man.attacks(occupied) & 1 << at != 0)
    }

    /// The square of a king.
    pub fn king(&self, white: bool) -> u8 {
        let king = |man: &&Man| man.role == 'K' && man.white == white;
        self.men.iter().find(king).expect("there is a king").at
    }

    /// Returns true if the king of a colour is attacked.
    pub fn is_check(&self, white: bool) -> bool {
        self.is_attacked(self.king(white), !white)
    }

    /// Returns true if no two men share a square, no pawn is on the first or last rank, and the side that has
    /// moved is not in check. Adjacent kings attack each other.
    pub fn is_legal(&self) -> bool {
        let is_lost = |man: &Man| man.role == 'P' && matches!(rank(man.at), 0 | 7);
        self.occupied().count_ones() as usize == self.men.len()
            && !self.men.iter().any(is_lost)
            && !self.is_check(!self.white_to_move)
    }

    /// The squares to which a man can go, ignoring its king's safety.
    fn targets(&self, man: Man) -> u64 {
        let of = |white: bool| {
            let own = self.men.iter().filter(|other| other.white == white);
            own.fold(0, |all, other| all | 1 << other.at)
        };
        let attacks = man.attacks(self.occupied()) & !of(man.white);
        if man.role != 'P' {
            return attacks;
        }
        let ahead = |at: u8| if man.white { at + 8 } else { at - 8 };
        let is_free = |at: u8| self.occupied() & 1 << at == 0;
        let mut targets = attacks & (of(!man.white) | self.passed.map_or(0, |at| 1 << at));
        let one = ahead(man.at);
        if is_free(one) {
            targets |= 1 << one;
            let home = if man.white { 1 } else { 6 };
            if rank(man.at) == home && is_free(ahead(one)) {
                targets |= 1 << ahead(one);
            }
        }
        targets
    }

    /// The board after a man has gone to a square and become `role`; `None` if its king is in check.
    fn after(&self, number: usize, to: u8, role: char) -> Option<Self> {
        let man = self.men[number];
        // En passant captures the pawn behind the target square, on the adjacent rank.
        let in_passing = man.role == 'P' && self.passed == Some(to);
        let taken = if in_passing { to ^ 8 } else { to };
        let mut after = self.clone();
        after.white_to_move = !self.white_to_move;
        after.passed = None;
        after.men[number] = Man { role, at: to, ..man };
        after.men.retain(|other| other.white == man.white || other.at != taken);
        (!after.is_check(man.white)).then_some(after)
    }

    /// Adds the square that a pawn has just passed, if the pawn can be captured there.
    fn with_passed(self, square: u8) -> Self {
        let with = Self { passed: Some(square), ..self.clone() };
        let can_take = |number: usize| {
            let man = with.men[number];
            man.role == 'P'
                && man.white == with.white_to_move
                && man.attacks(with.occupied()) & 1 << square != 0
                && with.after(number, square, 'P').is_some()
        };
        if (0..with.men.len()).any(can_take) { with } else { self }
    }

    /// The legal moves with the board after each; every promotion piece is a separate move.
    pub fn moves(&self) -> Vec<(u8, u8, Self)> {
        let mut moves = Vec::new();
        for (number, &man) in self.men.iter().enumerate() {
            if man.white != self.white_to_move {
                continue;
            }
            let targets = self.targets(man);
            for to in (0..64).filter(|to| targets & 1 << to != 0) {
                let promotes = man.role == 'P' && matches!(rank(to), 0 | 7);
                let roles: &[char] = if promotes { &['Q', 'R', 'B', 'N'] } else { &[man.role] };
                for after in roles.iter().filter_map(|&role| self.after(number, to, role)) {
                    let is_double = man.role == 'P' && man.at.abs_diff(to) == 16;
                    let after =
                        if is_double { after.with_passed((man.at + to) / 2) } else { after };
                    moves.push((man.at, to, after));
                }
            }
        }
        moves
    }

    /// Returns true if a move that leads to another board has captured or promoted.
    pub fn has_left_for(&self, after: &Self) -> bool {
        self.men.len() != after.men.len()
            || self.men.iter().zip(&after.men).any(|(one, other)| one.role != other.role)
    }

    /// Returns true if Black has more than a bishop or a knight.
    pub fn could_mate(&self) -> bool {
        let men = || self.men.iter().filter(|man| !man.white && man.role != 'K');
        men().count() > 1 || men().any(|man| !"BN".contains(man.role))
    }

    /// Returns true if Black, to move, has no move or cannot mate, or after each of its captures and promotions White can
    /// capture so that it cannot.
    pub fn holds(&self) -> bool {
        let replies = self.moves();
        let is_answered = |reply: &Self| {
            !reply.could_mate() || reply.moves().iter().any(|(_, _, answer)| !answer.could_mate())
        };
        !self.could_mate()
            || replies.iter().all(|(_, _, reply)| !self.has_left_for(reply) || is_answered(reply))
    }

    /// The same men with the colours exchanged. Boards with pawns are flipped vertically as well.
    pub fn with_colors_exchanged(&self) -> Self {
        let turn = if self.men.iter().any(|man| man.role == 'P') { 56 } else { 0 };
        let mut exchanged = self.clone();
        exchanged.white_to_move = !self.white_to_move;
        exchanged.passed = self.passed.map(|at| at ^ turn);
        for man in &mut exchanged.men {
            man.white = !man.white;
            man.at ^= turn;
        }
        exchanged
    }

    /// The FEN.
    pub fn fen(&self) -> String {
        let mut fen = String::new();
        for y in (0..8).rev() {
            let mut empty = 0;
            for x in 0..8 {
                let Some(man) = self.men.iter().find(|man| man.at == 8 * y + x) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    fen += &empty.to_string();
                    empty = 0;
                }
                fen.push(if man.white { man.role } else { man.role.to_ascii_lowercase() });
            }
            if empty > 0 {
                fen += &empty.to_string();
            }
            if y > 0 {
                fen.push('/');
            }
        }
        let turn = if self.white_to_move { 'w' } else { 'b' };
        let passed = self.passed.map_or("-".into(), name);
        format!("{fen} {turn} - {passed} 0 1")
    }
}

/// A board on which a pawn of White, or of Black, on its home square can pass a pawn of the other side on an
/// adjacent file, and the board after that; `None` if it is not legal.
pub fn double_step(
    file: u8,
    to_the_right: bool,
    kings: [u8; 2],
    white: bool,
) -> Option<(Board, Board)> {
    let (home, other) = (8 + file, if to_the_right { 25 + file } else { 23 + file });
    if rank(other) != 3 {
        return None;
    }
    let board = Board::new("KPvKP", &[kings[0], home, kings[1], other], true, true);
    let board = if white { board } else { board.with_colors_exchanged() };
    let is_double = |mv: &(u8, u8, Board)| mv.0.abs_diff(mv.1) == 16;
    let moves = if board.is_legal() { board.moves() } else { Vec::new() };
    let (_, _, after) = moves.into_iter().find(is_double)?;
    Some((board, after))
}

/// All of [`double_step`].
pub fn all_double_steps() -> Vec<(Board, Board)> {
    let mut all = Vec::new();
    for strong in 0..64 {
        for weak in 0..64 {
            for file in 0..8 {
                for (side, white) in [(true, true), (true, false), (false, true), (false, false)] {
                    all.extend(double_step(file, side, [strong, weak], white));
                }
            }
        }
    }
    all
}

/// The squares of a move.
pub fn squares_of(mv: Move) -> (u8, u8) {
    assert_eq!(mv.promotion, None, "two squares do not tell what a pawn becomes");
    (mv.from as u8, mv.to as u8)
}

/// The moves of a position as squares, sorted.
pub fn sorted_moves(position: &Position) -> Vec<(u8, u8)> {
    let mut moves: Vec<_> = position.moves().into_iter().map(squares_of).collect();
    moves.sort_unstable();
    moves
}

/// A whole endgame of king and one man against king on the full board: every position with the successors
/// of its moves, without promotions. A position's number is made of its squares: strong king, man, weak king.
pub struct Game {
    role: char,
    /// White to move: the numbers after each move, `None` for illegal positions.
    strong: Vec<Option<Vec<u32>>>,
    /// Black to move.
    weak: Vec<Option<Replies>>,
    /// White to move: a position, the promotion piece, and the number of the position after the promotion in that
    /// piece's own game.
    promotions: Vec<(u32, char, u32)>,
}

/// Black's possibilities.
struct Replies {
    to: Vec<u32>,
    captures: bool,
    is_check: bool,
}

/// Results of every position of a [`Game`], in plies; `None` if neither side is mated.
pub struct Solution {
    pub strong: Vec<Option<u16>>,
    pub weak: Vec<Option<u16>>,
}

/// The number of numbers of the positions of a [`Game`].
pub const NUMBERS: u32 = 64 * 64 * 64;

/// The squares of a number.
pub fn squares(number: u32) -> [u8; 3] {
    [number, number / 64, number / 4096].map(|part| (part % 64) as u8)
}

/// The number of three squares.
pub fn number(squares: [u8; 3]) -> u32 {
    let [king, man, weak] = squares.map(u32::from);
    king + 64 * man + 4096 * weak
}

/// The number of a position of the library, whatever its colours.
pub fn number_of(position: &Position) -> u32 {
    let squares: ArrayVec<u8, 3> = position.men().map(|(_, square)| square as u8).collect();
    number(squares.into_inner().expect("three men"))
}

/// The position of the library with a number.
pub fn position(material: Material, turn: Side, number: u32) -> Option<Position> {
    let squares = squares(number).map(|at| Square::index(at.into()));
    Position::new(material, turn, &squares).ok()
}

impl Game {
    fn new(role: char) -> Self {
        let (strong, weak) = (Vec::new(), Vec::new());
        let mut game = Self { role, strong, weak, promotions: Vec::new() };
        for at in 0..NUMBERS {
            let after = |board: &Board| {
                let squares: [u8; 3] = board
                    .men
                    .iter()
                    .map(|man| man.at)
                    .collect::<ArrayVec<_, 3>>()
                    .into_inner()
                    .ok()?;
                Some(number(squares))
            };
            let board = Board::three(role, squares(at), true);
            game.strong.push(board.is_legal().then(|| {
                let mut to = Vec::new();
                for (_, _, next) in board.moves() {
                    let number = after(&next).expect("White loses nothing by a move");
                    match next.men[1].role {
                        same if same == role => to.push(number),
                        promoted => game.promotions.push((at, promoted, number)),
                    }
                }
                to
            }));

            let board = Board::three(role, squares(at), false);
            game.weak.push(board.is_legal().then(|| {
                let moves = board.moves();
                let to: Vec<u32> = moves.iter().filter_map(|mv| after(&mv.2)).collect();
                Replies { captures: to.len() < moves.len(), to, is_check: board.is_check(false) }
            }));
        }
        game
    }

    /// The plies to mate after the best promotion, for positions with White to move.
    fn promoted(&self) -> BTreeMap<u32, u16> {
        let mut promoted = BTreeMap::new();
        for &(at, role, after) in &self.promotions {
            let plies = match role {
                'Q' => QUEEN_SOLVED.weak[after as usize],
                'R' => ROOK_SOLVED.weak[after as usize],
                // A lone bishop or knight cannot mate.
                _ => None,
            };
            if let Some(plies) = plies {
                let least = promoted.entry(at).or_insert(plies);
                *least = plies.min(*least);
            }
        }
        promoted
    }

    /// The legal positions with a side to move, by number.
    pub fn legal(&self, turn: Side) -> impl Iterator<Item = u32> + '_ {
        (0..NUMBERS).filter(move |&at| match turn {
            Side::Strong => self.strong[at as usize].is_some(),
            Side::Weak => self.weak[at as usize].is_some(),
        })
    }

    /// The numbers of the positions after White's moves.
    pub fn after(&self, at: u32) -> &[u32] {
        self.strong[at as usize].as_deref().expect("a legal position")
    }

    /// `None` if Black, to move, has a move; otherwise true if it is mate, false if stalemate.
    pub fn end(&self, at: u32) -> Option<bool> {
        let replies = self.weak[at as usize].as_ref().expect("a legal position");
        (replies.to.is_empty() && !replies.captures).then_some(replies.is_check)
    }

    /// White's moves, with the number of the position after each.
    pub fn moves(&self, at: u32) -> impl Iterator<Item = ((u8, u8), u32)> + '_ {
        let [king, man, _] = squares(at);
        self.after(at).iter().map(move |&after| {
            let [king_after, man_after, _] = squares(after);
            let moved = if king == king_after { (man, man_after) } else { (king, king_after) };
            (moved, after)
        })
    }

    /// Returns true if Black, to move, can capture the man.
    pub fn can_capture(&self, at: u32) -> bool {
        self.weak[at as usize].as_ref().expect("a legal position").captures
    }

    /// Value iteration: all positions without a result are swept again and again, a ply at a time.
    fn solve(&self) -> Solution {
        let mut solution =
            Solution { strong: vec![None; NUMBERS as usize], weak: vec![None; NUMBERS as usize] };
        let [mut strong, mut weak] = Side::ALL.map(|turn| self.legal(turn).collect::<Vec<u32>>());
        let promoted = self.promoted();
        let mut plies = 0;
        let mut quiet = 0;
        // A promotion may change a result when all else has settled, up to this number of plies.
        let longest = promoted.values().max().map_or(0, |plies| plies + 1);
        while quiet < 2 || plies <= longest {
            let Solution { strong: of_strong, weak: of_weak } = &mut solution;
            let undecided = if plies % 2 == 1 { &mut strong } else { &mut weak };
            let before = undecided.len();
            undecided.retain(|&at| {
                let decided = if plies % 2 == 1 {
                    let wins = |&to: &u32| of_weak[to as usize].is_some();
                    promoted.get(&at).is_some_and(|&after| after < plies)
                        || self.after(at).iter().any(wins)
                } else {
                    let replies = self.weak[at as usize].as_ref().expect("a legal position");
                    let lost = |&to: &u32| of_strong[to as usize].is_some();
                    match self.end(at) {
                        Some(mate) => mate,
                        None => !replies.captures && replies.to.iter().all(lost),
                    }
                };
                if decided {
                    let solved = if plies % 2 == 1 { &mut *of_strong } else { &mut *of_weak };
                    solved[at as usize] = Some(plies);
                }
                !decided
            });
            quiet = if undecided.len() < before { 0 } else { quiet + 1 };
            plies += 1;
        }
        solution
    }

    /// The moves to mate of every position with White to move when White plays any of the moves from
    /// `choose`, by the definition of a proof: won in one by mates; won in n + 1 if none of the moves hangs
    /// the man or stalemates, and every reply to each of them is won in at most n. Sweeps until nothing
    /// changes.
    pub fn prove(&self, choose: impl Fn(u32) -> Vec<(u8, u8)>) -> Vec<Option<u16>> {
        let afters: Vec<Option<Vec<u32>>> = (0..NUMBERS)
            .map(|at| {
                self.strong[at as usize].as_ref()?;
                let after = |(from, to): (u8, u8)| {
                    let mut moved = squares(at);
                    let man = moved[..2].iter().position(|&own| own == from)?;
                    moved[man] = to;
                    let after = number(moved);
                    self.after(at).contains(&after).then_some(after)
                };
                let afters: Vec<u32> = choose(at).into_iter().map(after).collect::<Option<_>>()?;
                (!afters.is_empty()).then_some(afters)
            })
            .collect();
        let mut mated_in: Vec<Option<u16>> = vec![None; NUMBERS as usize];
        for moves in 1.. {
            let won = |at: u32| mated_in[at as usize].is_some();
            let wins = |&after: &u32| {
                let replies = self.weak[after as usize].as_ref().expect("a legal position");
                match self.end(after) {
                    Some(mate) => mate,
                    None => !replies.captures && replies.to.iter().all(|&to| won(to)),
                }
            };
            let more: Vec<usize> = (0..NUMBERS as usize)
                .filter(|&at| mated_in[at].is_none())
                .filter(|&at| afters[at].as_ref().is_some_and(|afters| afters.iter().all(wins)))
                .collect();
            if more.is_empty() {
                break;
            }
            for at in more {
                mated_in[at] = Some(moves);
            }
        }
        mated_in
    }

    /// The plies of the shortest line that refutes White, who plays any of the moves from `choose`, from a
    /// position that is not won: a full cycle, or a failure. Tries all lines up to some length, then up to one
    /// ply more, until one refutes.
    pub fn shortest_refutation(
        &self,
        choose: &impl Fn(u32) -> Vec<(u8, u8)>,
        mated_in: &[Option<u16>],
        start: u32,
    ) -> usize {
        let refutes = |limit: &usize| self.refutes(choose, mated_in, &mut vec![start], *limit);
        (0..).find(refutes).expect("some line refutes")
    }

    /// Returns true if a line of at most this many further plies refutes White, from the last position.
    fn refutes(
        &self,
        choose: &impl Fn(u32) -> Vec<(u8, u8)>,
        mated_in: &[Option<u16>],
        line: &mut Vec<u32>,
        plies: usize,
    ) -> bool {
        let (&at, before) = line.split_last().expect("a start");
        if before.contains(&at) {
            return true;
        }
        let chosen = choose(at);
        if chosen.is_empty() {
            return true;
        }
        let to_after = |chosen: (u8, u8)| self.moves(at).find(|&(squares, _)| squares == chosen);
        let mut afters = Vec::new();
        for after in chosen.into_iter().map(to_after) {
            match after {
                Some((_, after)) => afters.push(after),
                None => return true,
            }
        }
        for after in afters {
            if self.end(after) == Some(false) {
                if plies >= 1 {
                    return true;
                }
                continue;
            }
            if plies < 2 {
                continue;
            }
            if self.can_capture(after) {
                return true;
            }
            let replies = self.weak[after as usize].as_ref().expect("a legal position");
            // A won position is won against every defence.
            for &next in replies.to.iter().filter(|&&next| mated_in[next as usize].is_none()) {
                line.push(next);
                let found = self.refutes(choose, mated_in, line, plies - 2);
                line.pop();
                if found {
                    return true;
                }
            }
        }
        false
    }

    /// The numbers of the positions after Black's replies, without captures.
    pub fn replies(&self, at: u32) -> &[u32] {
        &self.weak[at as usize].as_ref().expect("a legal position").to
    }

    /// A board of the game.
    pub fn board(&self, at: u32, white_to_move: bool) -> Board {
        Board::three(self.role, squares(at), white_to_move)
    }
}

/// King and rook against king.
pub static ROOK: LazyLock<Game> = LazyLock::new(|| Game::new('R'));

/// King and queen against king.
pub static QUEEN: LazyLock<Game> = LazyLock::new(|| Game::new('Q'));

/// [`ROOK`], solved.
pub static ROOK_SOLVED: LazyLock<Solution> = LazyLock::new(|| ROOK.solve());

/// [`QUEEN`], solved.
pub static QUEEN_SOLVED: LazyLock<Solution> = LazyLock::new(|| QUEEN.solve());

/// King and pawn against king; [`QUEEN_SOLVED`] and [`ROOK_SOLVED`] take over after a promotion.
pub static PAWN: LazyLock<Game> = LazyLock::new(|| Game::new('P'));

/// [`PAWN`], solved.
pub static PAWN_SOLVED: LazyLock<Solution> = LazyLock::new(|| PAWN.solve());
