//! The attributes of the selection `fight`, by a slow plain implementation of their meanings.

use crate::reference_attributes::{ReferenceBoard, king_moves};
use crate::reference_rules::{Board, Man, PAWN_SOLVED, file, number, rank};
use std::collections::HashMap;

/// The words of attributes of one man, or of a man and another.
const OF_MEN: [&str; 6] = ["Behind", "Beside", "Cut", "LongSide", "Checks", "CheckDistance"];

/// The value of an attribute; `None` if it is not of this selection.
pub fn value(seen: &ReferenceBoard, name: &str) -> Option<u8> {
    let fight = FightBoard { board: seen.board.clone(), strong: seen.strong_is_white() };
    if fight.is_bare(&fight.board, !fight.strong) {
        return None;
    }
    fight.of_all(name).or_else(|| {
        let word = OF_MEN.into_iter().filter(|word| name.ends_with(word));
        let word = word.max_by_key(|word| word.len())?;
        fight.of_men(&seen.men, word, name.strip_suffix(word)?)
    })
}

/// A board on which both sides have more than a king.
struct FightBoard {
    board: Board,
    /// True if the strong side is White.
    strong: bool,
}

/// The names of two men, or of one: "RP", "kP2", "R".
fn names_in(letters: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for letter in letters.chars() {
        match names.last_mut() {
            Some(name) if letter.is_ascii_digit() => name.push(letter),
            _ => names.push(letter.into()),
        }
    }
    names
}

fn is_heavy(man: &Man) -> bool {
    man.role == 'R' || man.role == 'Q'
}

impl FightBoard {
    fn men(board: &Board, white: bool) -> Vec<Man> {
        board.men.iter().filter(|man| man.white == white).copied().collect()
    }

    fn is_bare(&self, board: &Board, white: bool) -> bool {
        Self::men(board, white).len() == 1
    }

    /// The board with a side to move, if that is legal.
    fn with_turn(&self, white: bool) -> Option<Board> {
        let board = Board { white_to_move: white, passed: None, ..self.board.clone() };
        board.is_legal().then_some(board)
    }

    /// The value for one man, for a man and another, or for equal men.
    fn of_men(&self, men: &HashMap<String, Man>, word: &str, letters: &str) -> Option<u8> {
        for pick in ["Least", "Greatest", "Sum"] {
            let Some(letters) = letters.strip_suffix(pick) else { continue };
            let equals = [1, 2, 3].map(|number| format!("{letters}{number}"));
            let values = equals.iter().filter_map(|letters| self.of_men(men, word, letters));
            return match pick {
                "Least" => values.min(),
                "Greatest" => values.max(),
                _ => values.reduce(|one, other| one + other),
            };
        }
        let names = names_in(letters);
        let found: Option<Vec<Man>> = names.iter().map(|name| men.get(name).copied()).collect();
        match (word, found?.as_slice()) {
            ("Checks", &[man]) if is_heavy(&man) => Some(self.checks(man).len() as u8),
            ("CheckDistance", &[man]) if is_heavy(&man) => {
                let king = self.board.king(!man.white);
                let distances = self.checks(man).into_iter().map(|at| king_moves(at, king));
                Some(distances.max().unwrap_or(0))
            }
            ("Behind", &[man, pawn]) => {
                let is_back = if pawn.white { man.at < pawn.at } else { man.at > pawn.at };
                Some((file(man.at) == file(pawn.at) && is_back).into())
            }
            ("Beside", &[man, pawn]) => Some((rank(man.at) == rank(pawn.at)).into()),
            ("Cut", &[king, pawn]) => Some(self.cut(king, pawn)),
            ("LongSide", &[king, pawn]) => {
                let to_left = file(pawn.at);
                let to_right = 7 - to_left;
                let own = if file(king.at) < file(pawn.at) { to_left } else { to_right };
                let other = if file(king.at) < file(pawn.at) { to_right } else { to_left };
                Some(match file(king.at) == file(pawn.at) {
                    true => 1,
                    false if own > other => 2,
                    false => 0,
                })
            }
            _ => None,
        }
    }

    /// The greatest number of files by which a king is cut off from a pawn.
    fn cut(&self, king: Man, pawn: Man) -> u8 {
        let mut most = 0;
        for man in Self::men(&self.board, pawn.white) {
            let (one, other) = (file(king.at).min(file(pawn.at)), file(king.at).max(file(pawn.at)));
            if is_heavy(&man) && one < file(man.at) && file(man.at) < other {
                most = most.max(file(man.at).abs_diff(file(pawn.at)));
            }
        }
        most
    }

    /// The squares from which a man, moving now, could check the other king without capturing and without being taken.
    fn checks(&self, man: Man) -> Vec<u8> {
        let Some(board) = self.with_turn(man.white) else { return Vec::new() };
        let king = board.king(!man.white);
        let mut squares = Vec::new();
        for (from, to, after) in board.moves() {
            let captures = after.men.len() < board.men.len();
            if from != man.at || captures {
                continue;
            }
            let checks = Man { at: to, ..man }.attacks(after.occupied()) & 1 << king != 0;
            let is_taken = after.moves().iter().any(|(_, goal, _)| *goal == to);
            if checks && !is_taken {
                squares.push(to);
            }
        }
        squares
    }

    fn of_all(&self, name: &str) -> Option<u8> {
        let [strong, weak] = [self.strong, !self.strong].map(|white| self.with_turn(white));
        let holds = |board: &Option<Board>, test: &dyn Fn(&Board) -> bool| {
            board.as_ref().is_some_and(test).into()
        };
        let count =
            |board: &Option<Board>, number: &dyn Fn(&Board) -> u8| board.as_ref().map_or(0, number);
        Some(match name {
            "KkDiagonalOpposition" => {
                let [one, other] = [true, false].map(|white| self.board.king(white));
                let files = file(one).abs_diff(file(other));
                let ranks = rank(one).abs_diff(rank(other));
                let between = files.saturating_sub(1);
                (files == ranks && between % 2 == 1).into()
            }
            "kSaves" => holds(&weak, &|board| self.saves(board)),
            "KStrikes" => holds(&strong, &|board| self.strikes(board)),
            "KSafe" => count(&strong, &|board| self.safe_of_strong(board)),
            "kSafe" => count(&weak, &|board| self.safe_of_weak(board)),
            "kThreatens" => holds(&weak, &|board| self.weak_threatens(board)),
            "KThreatens" => holds(&strong, &|board| self.strong_threatens(board)),
            "KForces" => strong.as_ref().map_or(1, |board| self.strong_forces(board)),
            "kForces" => weak.as_ref().map_or(1, |board| self.weak_forces(board)),
            "Quiet" => {
                let is_quiet = |board: &Board| {
                    board.moves().iter().all(|(_, _, after)| !board.has_left_for(after))
                };
                (holds(&strong, &is_quiet) + holds(&weak, &is_quiet) == 2_u8).into()
            }
            _ => return None,
        })
    }

    /// Returns true if a capture or a promotion wins material that the weak side cannot win back, does not threaten to win
    /// back, and does not win back or mate by one or two checks.
    fn wins_material_for_good(&self, before: &Board, after: &Board) -> bool {
        self.wins_material(before, after)
            && !self.can_check(after, 2)
            && !self.weak_threatens(after)
    }

    /// Returns true if the weak side mates, or wins material back by at most so many checks.
    fn can_check(&self, board: &Board, checks: u8) -> bool {
        checks > 0
            && board.moves().iter().any(|(_, _, check)| {
                let undoes = |reply: &Board| self.saves(reply) || self.can_check(reply, checks - 1);
                check.is_check(check.white_to_move)
                    && check.moves().iter().all(|(_, _, reply)| undoes(reply))
            })
    }

    /// Returns true if a pawn of the strong side promotes in at most two moves and cannot be caught.
    fn has_runner(&self, board: &Board) -> bool {
        Self::men(board, self.strong).iter().filter(|man| man.role == 'P').any(|pawn| {
            let last = if self.strong { 7 } else { 0 };
            let (goal, left) = (file(pawn.at) + 8 * last, rank(pawn.at).abs_diff(last));
            let [own, other] = [self.strong, !self.strong].map(|white| board.king(white));
            let is_attacked = Self::men(board, !self.strong)
                .iter()
                .any(|man| man.attacks(board.occupied()) & 1 << goal != 0);
            let is_guarded = is_attacked && king_moves(own, goal) > 1;
            left <= 2 && king_moves(other, goal) > left && !is_guarded
        })
    }

    fn strikes_for_good(&self, board: &Board) -> bool {
        self.strikes_by(board, &|before, after| self.wins_material_for_good(before, after))
    }

    fn weak_threatens(&self, board: &Board) -> bool {
        !self.saves(board)
            && board.moves().iter().any(|(_, _, after)| self.safe_of_strong(after) == 0)
    }

    fn strong_threatens(&self, board: &Board) -> bool {
        !self.strikes(board)
            && board
                .moves()
                .iter()
                .any(|(_, _, after)| !Self::is_stalemate(after) && self.safe_of_weak(after) == 0)
    }

    fn is_saved_for_good(&self, board: &Board) -> bool {
        let saves = |after: &Board| {
            board.has_left_for(after)
                && !self.wins(after)
                && !self.strikes(after)
                && !self.strong_threatens(after)
                && !self.has_runner(after)
        };
        Self::is_stalemate(board) || board.moves().iter().any(|(_, _, after)| saves(after))
    }

    fn is_weak_helpless(&self, board: &Board) -> bool {
        !Self::is_stalemate(board)
            && board.moves().iter().all(|(_, _, after)| self.strikes_for_good(after))
    }

    fn is_strong_helpless(&self, board: &Board) -> bool {
        board.moves().iter().all(|(_, _, after)| self.is_saved_for_good(after))
    }

    fn strong_forces(&self, board: &Board) -> u8 {
        if self.strikes_for_good(board) {
            return 2;
        }
        let forces = || board.moves().iter().any(|(_, _, after)| self.is_weak_helpless(after));
        if self.is_strong_helpless(board) { 0 } else { 1 + u8::from(forces()) }
    }

    fn weak_forces(&self, board: &Board) -> u8 {
        if self.is_saved_for_good(board) {
            return 2;
        }
        let forces = || board.moves().iter().any(|(_, _, after)| self.is_strong_helpless(after));
        if self.is_weak_helpless(board) { 0 } else { 1 + u8::from(forces()) }
    }

    fn is_stalemate(board: &Board) -> bool {
        board.moves().is_empty() && !board.is_check(board.white_to_move)
    }

    fn is_mate(board: &Board) -> bool {
        board.is_check(board.white_to_move) && board.moves().is_empty()
    }

    /// Returns true if what is on a board decides for the strong side.
    fn wins(&self, board: &Board) -> bool {
        let letters = |white: bool| -> Vec<char> {
            let men = Self::men(board, white);
            men.iter().map(|man| man.role).filter(|&role| role != 'K').collect()
        };
        let (own, others) = (letters(self.strong), letters(!self.strong));
        let points = |letters: &[char]| -> i32 {
            let point = |letter: &char| match letter {
                'Q' => 9,
                'R' => 5,
                'P' => 1,
                _ => 3,
            };
            letters.iter().map(point).sum()
        };
        if !others.is_empty() {
            return points(&own) - points(&others) >= 4;
        }
        if own == ['P'] {
            let men = Self::men(board, self.strong);
            let at = |role: char| men.iter().find(|man| man.role == role).expect("it is there").at;
            assert!(self.strong, "pawns of the strong side run up");
            let number = number([at('K'), at('P'), board.king(false)]) as usize;
            let solved = if board.white_to_move { &PAWN_SOLVED.strong } else { &PAWN_SOLVED.weak };
            return solved[number].is_some();
        }
        let has = |letter: char| own.contains(&letter);
        let bishops = Self::men(board, self.strong).into_iter().filter(|man| man.role == 'B');
        let mut colors: Vec<u8> = bishops.map(|man| (file(man.at) + rank(man.at)) % 2).collect();
        colors.sort_unstable();
        colors.dedup();
        let has_pawns = has('P') && own.len() > 1;
        has('Q') || has('R') || colors.len() == 2 || (has('B') && has('N')) || has_pawns
    }

    /// Returns true if a move captures or promotes and wins material that the weak side cannot win back.
    fn wins_material(&self, before: &Board, after: &Board) -> bool {
        before.has_left_for(after)
            && self.wins(after)
            && !Self::is_stalemate(after)
            && after.moves().iter().all(|(_, _, end)| !after.has_left_for(end) || self.wins(end))
    }

    fn strikes(&self, board: &Board) -> bool {
        self.strikes_by(board, &|before, after| self.wins_material(before, after))
    }

    /// Returns true if the strong side can mate or gain at once, or by a check after every reply.
    fn strikes_by(&self, board: &Board, gains: &dyn Fn(&Board, &Board) -> bool) -> bool {
        let can_hit = |board: &Board| {
            let hits = |after: &Board| Self::is_mate(after) || gains(board, after);
            board.moves().iter().any(|(_, _, after)| hits(after))
        };
        let by_check = |after: &Board| {
            after.is_check(after.white_to_move)
                && after.moves().iter().all(|(_, _, reply)| can_hit(reply))
        };
        can_hit(board) || board.moves().iter().any(|(_, _, after)| by_check(after))
    }

    fn saves(&self, board: &Board) -> bool {
        board.moves().iter().any(|(_, _, after)| {
            board.has_left_for(after) && !self.wins(after) && !self.strikes(after)
        })
    }

    fn safe_of_strong(&self, board: &Board) -> u8 {
        if self.strikes(board) {
            return 9;
        }
        let is_safe = |after: &Board| !self.saves(after) && !Self::is_stalemate(after);
        board.moves().iter().filter(|(_, _, after)| is_safe(after)).count().min(8) as u8
    }

    fn safe_of_weak(&self, board: &Board) -> u8 {
        if self.saves(board) {
            return 9;
        }
        board.moves().iter().filter(|(_, _, after)| !self.strikes(after)).count().min(8) as u8
    }
}
