//! The search of a measure against a bare king, for many squares of the king at once.
//!
//! The search asks yes-or-no questions, as [`LookAhead`](super::super::LookAhead) does, but the answer is a set: the
//! squares of the weak king from which less than a score can be forced, with the strong men on given squares. A move of
//! the strong side unites such sets, and the replies are the steps of a set to its neighbours. Formations are met once,
//! and scored only where they can be low enough.

use super::super::look_ahead::{LookedAhead, Stop};
use super::{Facts, Formation, Score, number_of, representative, visit_formations_after};
use lucena_base::index_vec::{IndexVec, id};
use lucena_chess::symmetry::Symmetry;
use lucena_chess::{Bitboard, Material, Move, Position, Side, Square, Squares, king_attacks};
use lucena_model::Goal;
use std::ops::Range;

id! {
    /// A formation whose scores have been asked for.
    Scored(u32)
}

/// The search of a measure in one endgame against a bare king without pawns, with what it has met so far.
pub struct BareKingSearch<S> {
    stop: S,
    look: u8,
    goal: Goal,
    material: Material,
    /// By the squares of the strong men: the formation, where they are the representative of their images.
    numbers: Vec<Option<Formation>>,
    formations: IndexVec<Formation, Node>,
    steps: Vec<Step>,
    /// By the square of the weak king: the scores of stopping, where they have been asked for.
    scores: IndexVec<Scored, [Score; 64]>,
    /// By formation that has been moved from, and number of moves ahead.
    answers: Vec<Answer>,
    /// The number of the question that is asked.
    question: u32,
}

/// The strong men, with what is known of them.
struct Node {
    facts: Facts,
    /// No score of stopping is less.
    least: Score,
    scored: Option<Scored>,
    /// The squares of the weak king whose scores are known.
    is_scored: Bitboard,
    onward: Option<Onward>,
    /// With no move ahead.
    last: Answer,
}

/// Where the moves from a formation are, those with the least scores first, and the answers about it.
#[derive(Clone)]
struct Onward {
    steps: Range<u32>,
    first_answer: u32,
}

/// A move of the strong side.
#[derive(Clone, Copy)]
struct Step {
    to: Formation,
    /// The symmetry that leads to the board after the move.
    there: Symmetry,
    /// The symmetry that leads back.
    back: Symmetry,
    /// No score there is less, mates included.
    least: Score,
}

/// The answer to a question about a formation, with a number of moves ahead.
#[derive(Clone, Copy, Default)]
struct Answer {
    /// The number of the question; the answers to others count for nothing.
    question: u32,
    asked: Bitboard,
    /// Those of them from which less can be forced.
    forcing: Bitboard,
}

/// Squares of the weak king.
#[derive(Clone, Copy)]
struct Kings {
    /// Those that are asked about.
    asked: Bitboard,
    /// All that it can stand on by then.
    possible: Bitboard,
}

impl Kings {
    fn only(king: Square) -> Self {
        Self { asked: king.bitboard(), possible: king.bitboard() }
    }

    #[inline]
    fn turned(self, symmetry: Symmetry) -> Self {
        if symmetry == Symmetry::IDENTITY {
            return self;
        }
        Self {
            asked: symmetry.apply_to_bitboard(self.asked),
            possible: symmetry.apply_to_bitboard(self.possible),
        }
    }
}

/// A position with the weak side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    formation: Formation,
    king: Square,
}

impl<S: Stop> BareKingSearch<S> {
    /// The search in one endgame, looking a number of moves ahead.
    ///
    /// # Panics
    /// If the endgame does not [suit](super::BareKingGraph::suits).
    pub fn new(material: Material, stop: S, look: u8, goal: Goal) -> Self {
        assert!(super::BareKingGraph::suits(material), "{material} is not against a bare king");
        Self {
            stop,
            look,
            goal,
            material,
            numbers: Vec::new(),
            formations: IndexVec::default(),
            steps: Vec::new(),
            scores: IndexVec::default(),
            answers: Vec::new(),
            question: 0,
        }
    }

    /// Searches for the best of some safe moves.
    ///
    /// # Panics
    /// If one leads to another endgame.
    pub fn search(&mut self, moves: Vec<(Move, Position)>) -> LookedAhead {
        let mut places: Vec<Place> = moves.iter().map(|(_, after)| self.place(after)).collect();
        let all = places.clone();
        let mut best = Score::UNSAFE;
        // What few moves can force is an upper bound that spares many questions about more.
        for ahead in self.first_look()..self.look {
            best = self.improve(&mut places, ahead, best);
        }
        // Only moves that can force as much as is known by now can force more.
        loop {
            self.keep_as_good(&mut places, best);
            let found = self.improve(&mut places, self.look, best);
            if found == best {
                break;
            }
            best = found;
        }
        let tied = (0..all.len()).filter(|&at| places.contains(&all[at])).collect();
        LookedAhead { moves, tied, best }
    }

    /// Returns what a safe move that leads to a position can force.
    pub fn forced_after(&mut self, after: &Position) -> Score {
        let mut places = [self.place(after)];
        (self.first_look()..=self.look)
            .fold(Score::UNSAFE, |best, ahead| self.improve(&mut places, ahead, best))
    }

    /// The fewest moves ahead after which a score can count.
    fn first_look(&self) -> u8 {
        u8::from(self.goal == Goal::LaterMove)
    }

    /// Returns the best score that some moves can force, if it is less than another, and that one otherwise. Moves the
    /// best places to the front: they are likely to be best with more moves ahead.
    fn improve(&mut self, places: &mut [Place], ahead: u8, mut best: Score) -> Score {
        self.question += 1;
        for at in 0..places.len() {
            let (place, before) = (places[at], best);
            while self.can_force(place, ahead, best) {
                best = match self.goal {
                    Goal::AnyMove => self.forced(place, ahead, best),
                    Goal::LaterMove => self.forced_later(place, ahead, best),
                };
                self.question += 1;
            }
            if best < before {
                places[..=at].rotate_right(1);
            }
        }
        best
    }

    /// Keeps the moves that can force a score or less.
    fn keep_as_good(&mut self, places: &mut Vec<Place>, best: Score) {
        if let Some(above) = best.next() {
            self.question += 1;
            places.retain(|&place| self.can_force(place, self.look, above));
        }
    }

    /// Returns true if a move that leads to a position can force less than a score.
    fn can_force(&mut self, Place { formation, king }: Place, ahead: u8, than: Score) -> bool {
        let (kings, is_mate) =
            (Kings::only(king), self.formations[formation].facts.mates.has(king));
        let can_force = is_mate
            || !match self.goal {
                Goal::AnyMove => self.forcing(formation, kings, ahead, than),
                Goal::LaterMove => self.forcing_later(formation, kings, ahead, than),
            }
            .is_empty();
        than > Score::MATE && can_force
    }

    /// Returns those of some squares of the weak king from which less than a score can be forced. Where it must look into
    /// that, it does so for all squares in which the king can be by then: they will be asked about too.
    fn forcing(&mut self, at: Formation, kings: Kings, ahead: u8, than: Score) -> Bitboard {
        let facts = &self.formations[at].facts;
        let (quiet, mates) = (facts.quiet & !facts.mates, kings.asked & facts.mates);
        let asked = kings.asked & quiet;
        if asked.is_empty() {
            return mates;
        }
        if ahead == 0 {
            return mates | self.stopping_at_last(at, asked, than);
        }
        let number = self.onward(at).first_answer as usize + usize::from(ahead);
        let known = Some(self.answers[number]).filter(|known| known.question == self.question);
        let mut answer = known.unwrap_or_default();
        if !asked.is_subset(answer.asked) {
            let open = kings.possible & quiet & !answer.asked;
            let stopping = self.stopping(at, open, than);
            let kings = Kings { asked: open & !stopping, possible: kings.possible };
            let later = self.forcing_later(at, kings, ahead, than);
            answer.question = self.question;
            answer.asked |= open;
            answer.forcing |= stopping | later;
            self.answers[number] = answer;
        }
        mates | (asked & answer.forcing)
    }

    /// [`Self::forcing`] for squares without mate, and without stopping there.
    fn forcing_later(&mut self, at: Formation, kings: Kings, ahead: u8, than: Score) -> Bitboard {
        let replies = Kings {
            asked: king_attacks(kings.asked) & !self.formations[at].facts.danger,
            possible: kings.possible | king_attacks(kings.possible),
        };
        let moving = self.moving(at, replies, ahead - 1, than.a_move_later());
        kings.asked & !king_attacks(replies.asked & !moving)
    }

    /// [`Self::forcing`] with the strong side to move.
    fn moving(&mut self, at: Formation, mut kings: Kings, ahead: u8, than: Score) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        if than <= Score::MATE {
            return found;
        }
        for number in self.onward(at).steps {
            if kings.asked.is_empty() {
                break;
            }
            let Step { to, there, back, least } = self.steps[number as usize];
            if ahead == 0 && least >= than {
                break;
            }
            let forcing = self.forcing(to, kings.turned(there), ahead, than);
            let forcing = back.apply_to_bitboard(forcing);
            found |= forcing;
            kings.asked &= !forcing;
        }
        found
    }

    /// [`Self::stopping`] after the last move ahead. The limit is the same for the whole question.
    fn stopping_at_last(&mut self, at: Formation, kings: Bitboard, than: Score) -> Bitboard {
        let node = &self.formations[at];
        if node.least >= than {
            return Bitboard::EMPTY;
        }
        let known = Some(node.last).filter(|known| known.question == self.question);
        let mut answer = known.unwrap_or_default();
        let open = kings & !answer.asked;
        if !open.is_empty() {
            answer.question = self.question;
            answer.asked |= open;
            answer.forcing |= self.stopping(at, open, than);
            self.formations[at].last = answer;
        }
        kings & answer.forcing
    }

    /// Returns those of some squares of the weak king where the score of stopping is less than another.
    fn stopping(&mut self, at: Formation, kings: Bitboard, than: Score) -> Bitboard {
        let node = &mut self.formations[at];
        if node.least >= than {
            return Bitboard::EMPTY;
        }
        let scored = *node.scored.get_or_insert_with(|| self.scores.push([Score::UNSAFE; 64]));
        let scores = &mut self.scores[scored];
        let unknown = kings & !node.is_scored;
        if let Some(king) = unknown.into_iter().next() {
            let position = placed(self.material, node.facts.squares, king);
            let visit = &mut |king: Square, score| scores[king as usize] = score;
            self.stop.visit_scores(&position, unknown, visit);
            node.is_scored |= unknown;
        }
        kings.into_iter().filter(|&king| scores[king as usize] < than).collect()
    }

    /// Returns a score below another that can be forced, where one can.
    fn forced(&mut self, place: Place, ahead: u8, than: Score) -> Score {
        let Place { formation, king } = place;
        if self.formations[formation].facts.mates.has(king) {
            return Score::MATE;
        }
        if !self.stopping(formation, king.bitboard(), than).is_empty() {
            let scored = self.formations[formation].scored.expect("it has just been scored");
            return self.scores[scored][king as usize];
        }
        self.forced_later(place, ahead, than)
    }

    /// [`Self::forced`] without stopping at the position itself.
    fn forced_later(&mut self, Place { formation, king }: Place, ahead: u8, than: Score) -> Score {
        let facts = &self.formations[formation].facts;
        if facts.mates.has(king) {
            return Score::MATE;
        }
        let than = than.a_move_later();
        let mut worst = Score::MATE;
        for king in king_attacks(king.bitboard()) & !facts.danger {
            let mut moves = self.onward(formation).steps;
            let place = moves.find_map(|number| {
                let Step { to, there, .. } = self.steps[number as usize];
                let place = Place { formation: to, king: there.apply(king) };
                let can = self.forcing(to, Kings::only(place.king), ahead - 1, than);
                (!can.is_empty()).then_some(place)
            });
            let score = self.forced(place.expect("it can be forced"), ahead - 1, than);
            worst = worst.max(score.a_move_earlier());
        }
        worst
    }

    /// Returns the place of a position after a safe move.
    fn place(&mut self, after: &Position) -> Place {
        let (formation, symmetry) = self.find(*after.squares());
        Place { formation, king: symmetry.apply(after.king(Side::Weak)) }
    }

    /// Returns the formation of strong men, and the symmetry that leads to it.
    fn find(&mut self, squares: Squares) -> (Formation, Symmetry) {
        if self.numbers.is_empty() {
            self.numbers = vec![None; 64_usize.pow(self.material.men() as u32 - 1)];
        }
        // Most are representatives.
        let tidy = self.material.tidy(squares);
        if let Some(found) = self.numbers[number_of(self.material, &tidy)] {
            return (found, Symmetry::IDENTITY);
        }
        let (squares, symmetry) = representative(self.material, squares);
        let number = number_of(self.material, &squares);
        let found = self.numbers[number].unwrap_or_else(|| {
            let facts = Facts::new(self.material, squares);
            let free = !facts.danger & !facts.men(self.material);
            let least = free.into_iter().next().map_or(Score::UNSAFE, |king| {
                self.stop.least_over_kings(&placed(self.material, facts.squares, king))
            });
            self.formations.push(Node {
                facts,
                least,
                scored: None,
                is_scored: Bitboard::EMPTY,
                onward: None,
                last: Answer::default(),
            })
        });
        self.numbers[number] = Some(found);
        (found, symmetry)
    }

    /// Returns the moves from a formation, and where the answers about it are.
    #[inline]
    fn onward(&mut self, at: Formation) -> Onward {
        match &self.formations[at].onward {
            Some(onward) => onward.clone(),
            None => self.go_on(at),
        }
    }

    fn go_on(&mut self, at: Formation) -> Onward {
        let first = self.steps.len() as u32;
        let mut after = Vec::new();
        visit_formations_after(self.material, &self.formations[at].facts, |squares| {
            after.push(squares);
        });
        for squares in after {
            let (to, there) = self.find(squares);
            let Node { facts, least, .. } = &self.formations[to];
            let least = if facts.mates.is_empty() { *least } else { Score::MATE };
            self.steps.push(Step { to, there, back: there.inverse(), least });
        }
        self.steps[first as usize..].sort_unstable_by_key(|step| (step.least, step.to));
        let onward = Onward {
            steps: first..self.steps.len() as u32,
            first_answer: self.answers.len() as u32,
        };
        let answers = self.answers.len() + usize::from(self.look) + 1;
        self.answers.resize(answers, Answer::default());
        self.formations[at].onward = Some(onward.clone());
        onward
    }
}

/// The position with strong men and the weak king on some squares, and the weak side to move.
fn placed(material: Material, mut squares: Squares, king: Square) -> Position {
    squares[Material::king(Side::Weak)] = king;
    Position::from_slots(material, Side::Weak, squares)
}
