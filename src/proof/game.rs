use super::{Fate, FateError, Proof, ProveError, Reason};
use crate::chess::{Color, Position, Side};
use crate::player::Policy;
use crate::tablebase::{Index, Outcome, Plies, Tablebase, UnknownMaterial};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Half moves without a capture or a pawn move after which a game is drawn if a player asks.
const FIFTY_MOVES: Plies = 100;

/// The game as a policy plays it, proved: in each position of the strong side its one move, all
/// replies, and whether and in how many moves it wins.
///
/// ```
/// use lucena::player::TablebasePlayer;
/// use lucena::proof::{Fate, Game};
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?);
/// let player = TablebasePlayer(&tablebase);
/// let game = Game::new(&player, &tablebase)?;
/// assert!(game.proof().wins_all());
///
/// let fate = game.fate(&"8/8/8/8/8/2k5/1R6/K7 w - - 0 1".parse()?)?;
/// let Fate::Won(mate) = fate else { panic!("the tablebase wins everything") };
/// assert_eq!(mate.moves(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Game<'a> {
    pub(super) policy: &'a dyn Policy,
    pub(super) index: Index,
    /// By place in the index; none where there is no legal position.
    pub(super) choices: Vec<Option<Choice>>,
    /// The moves to mate of every won position, by place in the index.
    pub(super) mated_in: Vec<Option<u16>>,
}

/// What a policy does in one position.
pub(super) struct Choice {
    /// The outcome with best play.
    best: Outcome,
    is_optimal: bool,
    pub(super) next: Next,
}

/// What a policy's move leads to.
pub(super) enum Next {
    Mate,
    Failure(Reason),
    /// The places of the positions after each reply.
    Replies(Vec<u32>),
}

impl<'a> Game<'a> {
    /// Proves a policy; see [`super::prove`].
    ///
    /// # Errors
    /// When the table, which says what is optimal, is of another material than the policy, or the
    /// weak side has men whose capture would lead to another endgame.
    pub fn new(policy: &'a dyn Policy, tablebase: &Tablebase) -> Result<Self, ProveError> {
        let material = policy.material();
        if !material.is_bare(Side::Weak) {
            return Err(ProveError::WeakSideHasMen(material));
        }
        if tablebase.material() != material {
            return Err(UnknownMaterial { material, table: tablebase.material() }.into());
        }
        let index = Index::new(material, policy.symmetries());
        let choices: Vec<Option<Choice>> = (0..index.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|at| {
                let position = index.position(at, Side::Strong)?;
                Some(Choice::new(policy, tablebase, &index, &position))
            })
            .collect();
        let mated_in = solve(&choices);
        Ok(Self { policy, index, choices, mated_in })
    }

    /// What the policy is worth.
    pub fn proof(&self) -> Proof {
        let symmetries = self.policy.symmetries();
        let (mut positions, mut winnable, mut won, mut optimal) = (0, 0, 0, 0);
        let mut excess = Vec::new();
        let mut longest: Option<(u16, usize)> = None;
        let mut refuted = None;
        for (at, choice) in self.choices.iter().enumerate() {
            let Some(choice) = choice else { continue };
            let position = self.index.placement(at, Side::Strong);
            let weight = symmetries.orbit(&position).len() as u64;
            positions += weight;
            optimal += if choice.is_optimal { weight } else { 0 };
            // A policy forces no more than the table, so what is not winnable is not won.
            let Outcome::Win(plies) = choice.best else { continue };
            winnable += weight;
            let Some(moves) = self.mated_in[at] else {
                refuted.get_or_insert(at);
                continue;
            };
            won += weight;
            if longest.is_none_or(|(most, _)| moves > most) {
                longest = Some((moves, at));
            }
            let over = usize::from(moves - plies.div_ceil(2));
            if over >= excess.len() {
                excess.resize(over + 1, 0);
            }
            excess[over] += weight;
        }
        let excess: BTreeMap<u16, u64> =
            (0..).zip(excess).filter(|&(_, count)| count > 0).collect();
        let excess_moves: u64 = excess.iter().map(|(&over, count)| u64::from(over) * count).sum();
        let start = |at| self.index.placement(at, Side::Strong);
        let longest_moves = longest.map(|(moves, _)| moves);
        Proof {
            positions,
            winnable,
            won,
            optimal,
            longest_moves,
            mean_excess_moves: (won > 0).then(|| excess_moves as f64 / won as f64),
            optimal_share: if positions == 0 { 0.0 } else { optimal as f64 / positions as f64 },
            // Both sides together: 2 n - 1 plies to a mate in n, and the mate comes before a claim.
            fifty_move_safe: longest_moves.is_none_or(|moves| 2 * moves - 1 <= FIFTY_MOVES),
            excess,
            longest_line: longest.map(|(_, at)| self.longest_resistance(start(at))),
            refutation: refuted.map(|at| self.shortest_refutation(start(at))),
        }
    }

    /// What becomes of one position; the strong side may be of either colour.
    ///
    /// # Errors
    /// When the position is of another material, or the weak side is to move.
    pub fn fate(&self, position: &Position) -> Result<Fate, FateError> {
        let (found, played) = (position.material(), self.policy.material());
        if found != played {
            return Err(FateError::Material { found, played });
        }
        if position.turn() == Side::Weak {
            return Err(FateError::WeakSideToMove(position.color_to_move()));
        }
        // What was proved, was proved for White; without pawns the moves are the same for Black.
        let start = match position.strong() {
            Color::White => *position,
            Color::Black => position.with_colors_exchanged(),
        };
        Ok(if self.mated_in(&start).is_some() {
            Fate::Won(super::Mate { start: *position, ..self.longest_resistance(start) })
        } else {
            let refutation = self.shortest_refutation(start);
            Fate::NotWon(super::Refutation { start: *position, ..refutation })
        })
    }

    pub(super) fn mated_in(&self, position: &Position) -> Option<u16> {
        self.mated_in[self.index.of(position)]
    }
}

/// The moves to mate of every won position, by place in the index.
fn solve(choices: &[Option<Choice>]) -> Vec<Option<u16>> {
    // How many replies of each position are not yet known to be won, and, for each position,
    // the positions that have it as a reply.
    let mut open = vec![0_u32; choices.len()];
    let mut first = vec![0_u32; choices.len() + 1];
    let mut level: Vec<u32> = Vec::new();
    for (at, choice) in choices.iter().enumerate() {
        match choice.as_ref().map(|choice| &choice.next) {
            Some(Next::Replies(replies)) => {
                open[at] = replies.len() as u32;
                for &reply in replies {
                    first[reply as usize + 1] += 1;
                }
            }
            Some(Next::Mate) => level.push(at as u32),
            Some(Next::Failure(_)) | None => {}
        }
    }
    for at in 0..choices.len() {
        first[at + 1] += first[at];
    }
    let mut before = vec![0_u32; first[choices.len()] as usize];
    let mut next = first.clone();
    for (at, choice) in choices.iter().enumerate() {
        if let Some(Choice { next: Next::Replies(replies), .. }) = choice {
            for &reply in replies {
                before[next[reply as usize] as usize] = at as u32;
                next[reply as usize] += 1;
            }
        }
    }

    let mut mated_in = vec![None; choices.len()];
    let mut moves = 1;
    while !level.is_empty() {
        let mut following = Vec::new();
        for at in level {
            mated_in[at as usize] = Some(moves);
            let range = first[at as usize] as usize..first[at as usize + 1] as usize;
            for &earlier in &before[range] {
                let open = &mut open[earlier as usize];
                *open -= 1;
                if *open == 0 {
                    following.push(earlier);
                }
            }
        }
        level = following;
        moves += 1;
    }
    mated_in
}

impl Choice {
    fn new(policy: &dyn Policy, tablebase: &Tablebase, index: &Index, position: &Position) -> Self {
        let probe = |position| tablebase.probe(position).expect("the table has what moves lead to");
        let best = probe(position);
        let Some(after) = policy.choose(position).and_then(|mv| position.play(mv).ok()) else {
            return Self { best, is_optimal: false, next: Next::Failure(Reason::NoMove) };
        };
        let is_optimal = probe(&after).before_move() == best;
        let mut loses = false;
        let mut replies = Vec::new();
        after.visit_steps(|step| {
            if step.captured.is_some() {
                loses = true;
            } else {
                replies.push(index.of(&after.after(step)) as u32);
            }
        });
        let next = if loses {
            Next::Failure(Reason::LostPiece)
        } else if !replies.is_empty() {
            Next::Replies(replies)
        } else if after.is_check() {
            Next::Mate
        } else {
            Next::Failure(Reason::Stalemate)
        };
        Self { best, is_optimal, next }
    }
}
