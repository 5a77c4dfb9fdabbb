//! What a policy is worth: from every position, against every defence.
//!
//! A policy picks one move in each position of the strong side. A position is *won* if that move
//! mates, or if it loses no man, does not stalemate, and every reply leads to a position that is
//! already won: the least fixed point, computed from the mates backwards. Nothing is sampled and
//! nothing is assumed of the defender.

use crate::chess::{Material, Move, Position, Side};
use crate::player::Policy;
use crate::symmetry::Group;
use crate::tablebase::{Index, Outcome, Plies, Tablebase, UnknownMaterial};
use rayon::prelude::*;

/// Half moves without a capture or a pawn move after which a game is drawn if a player asks.
const FIFTY_MOVES: Plies = 100;

/// The result of a proof. Positions are those of the full board with the strong side to move.
#[derive(Debug, Clone, PartialEq)]
pub struct Proof {
    /// All legal positions.
    pub positions: u64,
    /// Those that the strong side wins with best play.
    pub winnable: u64,
    /// Those from which the policy mates against every defence.
    pub won: u64,
    /// Moves of the strong side to the mate from the won position that takes longest; absent where
    /// none is won.
    pub longest_moves: Option<u16>,
    /// Moves over the optimum, on average over the won positions; absent where none is won.
    pub mean_excess_moves: Option<f64>,
    /// The share of all positions in which the chosen move is an optimal one.
    pub optimal_share: f64,
    /// Whether every won position is mated before the fifty-move rule can be invoked.
    pub fifty_move_safe: bool,
    /// Why the first position that could be won is not won.
    pub refutation: Option<Refutation>,
}

impl Proof {
    /// Whether the policy wins every position that can be won.
    pub fn wins_all(&self) -> bool {
        self.won == self.winnable
    }
}

/// A line that shows that a policy does not win.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    /// The position it starts from, strong side to move.
    pub start: Position,
    /// The moves of both sides.
    pub line: Vec<Move>,
    /// What the line ends in.
    pub reason: Reason,
}

/// Why a line does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The last position has been in the line before: the defender can go on for ever.
    Cycle,
    /// The weak side is not in check and has no move.
    Stalemate,
    /// The weak side has taken a man.
    LostPiece,
    /// The policy has no move to offer, or one that is not legal.
    NoMove,
}

impl Reason {
    /// The word for it, as reports have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cycle => "cycle",
            Self::Stalemate => "stalemate",
            Self::LostPiece => "lost piece",
            Self::NoMove => "no move",
        }
    }
}

/// Why nothing was proved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProveError {
    /// The table says nothing of what the policy plays.
    #[error(transparent)]
    Table(#[from] UnknownMaterial),
    /// To take the weak side's men is to leave the endgame, and the policy knows no other.
    #[error(
        "{0} cannot be proved yet: the weak side has more than its king; choose a material against a bare king"
    )]
    WeakSideHasMen(Material),
}

/// What a policy does in one position.
struct Choice {
    /// The outcome with best play.
    best: Outcome,
    is_optimal: bool,
    next: Next,
}

/// What a policy's move leads to.
enum Next {
    Mate,
    Failure(Reason),
    /// The places of the positions after each reply.
    Replies(Vec<u32>),
}

/// The game as a policy plays it: in each position of the strong side its one move, and all
/// replies.
struct Game<'a> {
    policy: &'a dyn Policy,
    index: Index,
    /// By place in the index; none where there is no legal position.
    choices: Vec<Option<Choice>>,
}

/// Proves a policy on all positions of its material with the strong side to move.
///
/// A symmetric policy is proved on the representatives of the orbits, each counted as often as its
/// orbit has positions; one that is not is proved on the full board.
///
/// ```
/// use lucena::player::TablebasePlayer;
/// use lucena::proof::prove;
/// use lucena::tablebase::Tablebase;
///
/// let tablebase = Tablebase::solve("KRvK".parse()?)?;
/// let proof = prove(&TablebasePlayer(&tablebase), &tablebase)?;
/// assert_eq!((proof.won, proof.positions), (175_168, 175_168));
/// assert_eq!(proof.longest_moves, Some(16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the table, which says what is optimal, is of another material than the policy, or the weak
/// side has men whose capture would lead to another endgame.
pub fn prove(policy: &dyn Policy, tablebase: &Tablebase) -> Result<Proof, ProveError> {
    let material = policy.material();
    if !material.is_bare(Side::Weak) {
        return Err(ProveError::WeakSideHasMen(material));
    }
    if tablebase.material() != material {
        return Err(UnknownMaterial { material, table: tablebase.material() }.into());
    }
    let game = Game::new(policy, tablebase);
    let mated_in = game.solve();
    Ok(game.summarise(&mated_in))
}

/// The policy's move in every legal position of the full board with the strong side to move, White
/// being strong, in the order of the index.
pub fn chosen_moves(policy: &dyn Policy) -> Vec<(Position, Option<Move>)> {
    let index = Index::new(policy.material(), Group::Identity);
    (0..index.len())
        .into_par_iter()
        .filter_map(|at| index.position(at, Side::Strong))
        .filter(Position::is_tidy)
        .map(|position| (position, policy.choose(&position)))
        .collect()
}

impl<'a> Game<'a> {
    fn new(policy: &'a dyn Policy, tablebase: &Tablebase) -> Self {
        let index = Index::new(policy.material(), policy.symmetries());
        let choices = (0..index.len())
            .into_par_iter()
            .with_min_len(256)
            .map(|at| {
                let position = index.position(at, Side::Strong)?;
                Some(Choice::new(policy, tablebase, &index, &position))
            })
            .collect();
        Self { policy, index, choices }
    }

    /// The moves to mate of every won position, by place in the index.
    fn solve(&self) -> Vec<Option<u16>> {
        // How many replies of each position are not yet known to be won, and, for each position,
        // the positions that have it as a reply.
        let mut open = vec![0_u32; self.choices.len()];
        let mut first = vec![0_u32; self.choices.len() + 1];
        let mut level: Vec<u32> = Vec::new();
        for (at, choice) in self.choices.iter().enumerate() {
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
        for at in 0..self.choices.len() {
            first[at + 1] += first[at];
        }
        let mut before = vec![0_u32; first[self.choices.len()] as usize];
        let mut next = first.clone();
        for (at, choice) in self.choices.iter().enumerate() {
            if let Some(Choice { next: Next::Replies(replies), .. }) = choice {
                for &reply in replies {
                    before[next[reply as usize] as usize] = at as u32;
                    next[reply as usize] += 1;
                }
            }
        }

        let mut mated_in = vec![None; self.choices.len()];
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

    fn summarise(&self, mated_in: &[Option<u16>]) -> Proof {
        let symmetries = self.policy.symmetries();
        let (mut positions, mut winnable, mut won, mut optimal, mut excess) = (0, 0, 0, 0, 0);
        let mut longest = None;
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
            match mated_in[at] {
                Some(moves) => {
                    won += weight;
                    longest = longest.max(Some(moves));
                    excess += weight * u64::from(moves - plies.div_ceil(2));
                }
                None => {
                    refuted.get_or_insert(at);
                }
            }
        }
        Proof {
            positions,
            winnable,
            won,
            longest_moves: longest,
            mean_excess_moves: (won > 0).then(|| excess as f64 / won as f64),
            optimal_share: if positions == 0 { 0.0 } else { optimal as f64 / positions as f64 },
            // Both sides together: 2 n - 1 plies to a mate in n, and the mate comes before a claim.
            fifty_move_safe: longest.is_none_or(|moves| 2 * moves - 1 <= FIFTY_MOVES),
            refutation: refuted.map(|at| self.refute(at, mated_in)),
        }
    }

    /// The shortest line to a failure, whatever the policy does; where the defender can only go
    /// round in circles, a circle.
    fn refute(&self, start: usize, mated_in: &[Option<u16>]) -> Refutation {
        let start_position = self.index.placement(start, Side::Strong);
        let mut refutation =
            Refutation { start: start_position, line: Vec::new(), reason: Reason::Cycle };
        let path = self.path_to_failure(start);
        let mut position = start_position;
        let mut seen = Vec::new();
        let mut steps = path.iter().flatten();
        loop {
            let at = self.index.of(&position);
            let choice = self.choices[at].as_ref().expect("lines go through legal positions");
            if path.is_none() {
                if seen.contains(&position) {
                    return refutation;
                }
                seen.push(position);
            }
            let mv = self.policy.choose(&position);
            let after = mv.and_then(|mv| position.play(mv).ok());
            refutation.line.extend(after.and(mv));
            match (&choice.next, after) {
                (Next::Replies(_), Some(after)) => {
                    let next = steps.next();
                    let leads_on = |reply: &Move| {
                        let place = self.index.of(&after.play(*reply).expect("a legal reply"));
                        match next {
                            Some(&next) => place == next as usize,
                            None => mated_in[place].is_none(),
                        }
                    };
                    let reply = after.moves().into_iter().find(leads_on);
                    let reply = reply.expect("a position that is not won has a reply to another");
                    refutation.line.push(reply);
                    position = after.play(reply).expect("a legal reply");
                }
                (next, after) => {
                    if let Next::Failure(reason) = next {
                        refutation.reason = *reason;
                    }
                    if let (Reason::LostPiece, Some(after)) = (refutation.reason, after) {
                        let takes = |mv: &Move| {
                            after.play(*mv).is_ok_and(|next| next.material() != after.material())
                        };
                        refutation.line.extend(after.moves().into_iter().find(takes));
                    }
                    return refutation;
                }
            }
        }
    }

    /// The places after each reply on the shortest way to a failure.
    fn path_to_failure(&self, start: usize) -> Option<Vec<u32>> {
        let mut came_from = vec![None; self.choices.len()];
        let mut queue = std::collections::VecDeque::from([start as u32]);
        while let Some(at) = queue.pop_front() {
            match self.choices[at as usize].as_ref().map(|choice| &choice.next) {
                Some(Next::Failure(_)) => {
                    let mut path = vec![at];
                    while let Some(before) = came_from[path[path.len() - 1] as usize] {
                        path.push(before);
                    }
                    path.pop();
                    path.reverse();
                    return Some(path);
                }
                Some(Next::Replies(replies)) => {
                    for &reply in replies {
                        if reply as usize != start && came_from[reply as usize].is_none() {
                            came_from[reply as usize] = Some(at);
                            queue.push_back(reply);
                        }
                    }
                }
                Some(Next::Mate) | None => {}
            }
        }
        None
    }
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
