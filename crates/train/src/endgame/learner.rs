use super::super::checkpoint::{Learner, TrainError, load_checkpoint};
use super::super::score::GameScore;
use super::super::setting::OtherSetting;
use super::params::EndgameParams;
use super::value_graph::{TableValues, Target, Turn};
use super::weights::EndgameWeights;
use lucena_base::csr::Csr;
use lucena_base::index_vec::{Id, IndexVec};
use lucena_proof::graph::{After, Before, Edge};
use lucena_tablebase::Tablebase;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::path::Path;

/// Learns an endgame only from games against the best defence: from how each game ended and after
/// how many moves. The values of captures and promotions come from the table, as if the smaller
/// endgames had been learned before.
///
/// All games of a round are played with the weights from before the round. A game starts from a
/// random won position. The learner plays the move with the highest predicted value, or now and
/// then an exploratory move. A game that is not won after fifty moves counts as drawn.
pub struct EndgameLearner {
    weights: EndgameWeights,
    /// The positions that the strong side wins with best play.
    starts: Vec<Before>,
    moves: Csr<Before, Target<After>>,
    replies: Csr<After, Target<Before>>,
    turns: IndexVec<After, Turn>,
    /// The values of the attributes.
    rows: IndexVec<After, Vec<u8>>,
}

/// The number of games in a round.
const ROUND: u64 = 2_000;

/// The most moves in a game.
const MAX_MOVES: usize = 50;

/// A move of a game.
struct Transition {
    /// The position before the move.
    from: Before,
    /// The position after the move.
    to: After,
    was_drawn_by_lot: bool,
}

/// A finished game, as training data.
struct Episode {
    transitions: Vec<Transition>,
    /// The value of the last move.
    end: f32,
}

impl Episode {
    /// The result of the game: drawn unless it was won in time.
    fn score(&self) -> GameScore {
        if self.end > 0.0 { GameScore::Won } else { GameScore::Drawn }
    }
}

/// The learner's predictions, computed once for a round.
struct Predictions {
    /// The predicted values.
    values: IndexVec<After, f32>,
    /// The index of the chosen move and the value after it; `None` if there is no move.
    choices: IndexVec<Before, Option<(u32, f32)>>,
}

impl EndgameLearner {
    /// A learner that starts with the given weights.
    pub fn new(tablebase: &Tablebase, weights: EndgameWeights) -> Self {
        let graph = TableValues::ways(tablebase, weights.params.discount as f32);
        let starts = graph.befores.pairs().filter(|(_, is_won)| **is_won).map(|(at, _)| at);
        let row = |position| weights.inputs.row(&position);
        let rows: Vec<Vec<u8>> = graph.numbering.afters().map(row).collect();
        Self {
            starts: starts.collect(),
            rows: rows.into(),
            moves: graph.moves,
            replies: graph.replies,
            turns: graph.afters,
            weights,
        }
    }

    /// A learner that resumes from a file, or starts with the given weights if there is no such
    /// file.
    ///
    /// # Errors
    /// If the file cannot be read, or is from a different training.
    pub fn resumed(
        tablebase: &Tablebase,
        weights: EndgameWeights,
        path: Option<&Path>,
    ) -> Result<Self, TrainError> {
        let difference = |found: &EndgameWeights| {
            OtherSetting::between(found.training_settings(), weights.training_settings())
        };
        let checkpoint = load_checkpoint(path, EndgameWeights::from_bytes, difference)?;
        Ok(Self::new(tablebase, checkpoint.unwrap_or(weights)))
    }

    /// The current weights.
    pub fn weights(&self) -> &EndgameWeights {
        &self.weights
    }

    fn think(&self) -> Predictions {
        let value = |set: &mut Vec<u32>, (turn, row): (&Turn, &Vec<u8>)| match *turn {
            Turn::Over(worth) => worth,
            Turn::Replies { .. } => {
                self.weights.inputs.set(row, set);
                self.weights.function.predict(set)
            }
        };
        let turns = self.turns.as_slice().par_iter().zip(self.rows.as_slice());
        let values: IndexVec<After, f32> =
            turns.map_init(Vec::new, value).collect::<Vec<_>>().into();
        let choice = |at: usize| {
            let mut best: Option<(u32, f32)> = None;
            for (number, &target) in self.moves.get(Before::new(at)).iter().enumerate() {
                let worth = move_value(target, |to| values[to]);
                if best.is_none_or(|(_, most)| worth > most) {
                    best = Some((number as u32, worth));
                }
            }
            best
        };
        let choices = (0..self.moves.len()).into_par_iter().map(choice).collect::<Vec<_>>();
        Predictions { values, choices: choices.into() }
    }

    /// Plays a game; its number selects the random stream.
    fn play(&self, number: u64, predictions: &Predictions) -> Episode {
        let mut rng = ChaCha8Rng::seed_from_u64(self.weights.params.seed);
        rng.set_stream(number);
        let mut transitions = Vec::new();
        let starts = &self.starts;
        let mut from = starts[rng.gen_range(0..starts.len() as u32) as usize];
        while transitions.len() < MAX_MOVES {
            let Some((choice, _)) = predictions.choices[from] else { break };
            let targets = self.moves.get(from);
            let was_drawn_by_lot = rng.gen_bool(self.weights.params.explore);
            let choice =
                if was_drawn_by_lot { rng.gen_range(0..targets.len() as u32) } else { choice };
            match targets[choice as usize] {
                // Positions of another endgame are not learned.
                Edge::Departs(_) => break,
                Edge::Stays(to) => transitions.push(Transition { from, to, was_drawn_by_lot }),
            }
            let to = transitions[transitions.len() - 1].to;
            match self.reply(to, predictions, &mut rng) {
                Ok(next) => from = next,
                Err(end) => return Episode { transitions, end },
            }
        }
        // The game was stalemated, was not won in time, or has left the endgame.
        let end = predictions.choices[from].map_or(0.0, |(_, worth)| worth);
        let end = if transitions.len() < MAX_MOVES { self.discounted(end) } else { 0.0 };
        Episode { transitions, end }
    }

    /// The position after the weak side's reply, or the value of the game if it ends.
    fn reply(
        &self,
        at: After,
        predictions: &Predictions,
        rng: &mut ChaCha8Rng,
    ) -> Result<Before, f32> {
        let best = match self.turns[at] {
            Turn::Over(worth) => return Err(worth),
            Turn::Replies { best } => best,
        };
        let targets = self.replies.get(at);
        let target = if rng.gen_bool(self.weights.params.doubt) {
            let feared = |target: &&Target<Before>| {
                move_value(**target, |to| predictions.choices[to].map_or(0.0, |(_, worth)| worth))
            };
            targets.iter().min_by(|one, other| feared(one).total_cmp(&feared(other)))
        } else {
            targets.get(rng.gen_range(0..best as u32) as usize)
        };
        match target {
            Some(&Edge::Stays(next)) => Ok(next),
            Some(&Edge::Departs(worth)) => Err(worth),
            None => Err(0.0),
        }
    }

    /// Learns from a game, from its last move to its first: the target of a position is a mix of
    /// the predicted value of the next one and its own target, discounted by a move.
    fn learn_from(
        &mut self,
        game: &Episode,
        predictions: &Predictions,
        rate: f32,
        set: &mut Vec<u32>,
    ) {
        let lambda = self.weights.params.lambda as f32;
        let mut worth = game.end;
        for transition in game.transitions.iter().rev() {
            let at = transition.to;
            if let Turn::Replies { .. } = self.turns[at] {
                self.weights.inputs.set(&self.rows[at], set);
                self.weights.function.learn(set, worth, rate);
                worth = lambda * worth + (1.0 - lambda) * predictions.values[at];
            }
            if transition.was_drawn_by_lot {
                // The result after an exploratory move says nothing about the usual move.
                worth = predictions.choices[transition.from].map_or(0.0, |(_, worth)| worth);
            }
            worth = self.discounted(worth);
        }
    }

    fn discounted(&self, worth: f32) -> f32 {
        self.weights.params.discount as f32 * worth
    }
}

impl Learner for EndgameLearner {
    fn games_done(&self) -> u64 {
        self.weights.done
    }

    fn games(&self) -> u64 {
        self.weights.params.games
    }

    fn round(&mut self) -> Vec<GameScore> {
        let predictions = self.think();
        let EndgameParams { rate, games, .. } = self.weights.params;
        let first = self.weights.done;
        let numbers = first..(first + ROUND).min(games);
        let end = numbers.end;
        let played: Vec<Episode> =
            numbers.into_par_iter().map(|number| self.play(number, &predictions)).collect();
        let rate = rate.at(first as f64 / games as f64) as f32;
        let mut set = Vec::new();
        for game in &played {
            self.learn_from(game, &predictions, rate, &mut set);
        }
        self.weights.done = end;
        played.iter().map(Episode::score).collect()
    }

    fn has_numbers(&self) -> bool {
        self.weights.function.has_numbers()
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.weights.to_bytes()
    }
}

/// The value of a move's target, given the values of the positions of the endgame.
#[inline]
fn move_value<I>(target: Target<I>, of: impl FnOnce(I) -> f32) -> f32 {
    match target {
        Edge::Stays(to) => of(to),
        Edge::Departs(worth) => worth,
    }
}
