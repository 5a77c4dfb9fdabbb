use super::endgame::PositionsWon;
use super::fitness::Fitness;
use super::params::Gene;
use lucena_base::named::{Named, named};
use lucena_base::progress::{Observer, Stopped};
use lucena_search::evaluation::{
    CombinedEvaluation, EightTerms, Evaluation, EvaluationTerm, MenValues, MopUp, MopUpWeights,
    Phase, Weights,
};
use std::sync::Arc;

/// The numbers that evolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EvolvedWeights {
    /// The values of the men, with pawn and queen fixed; the rest of the evaluation has its default
    /// values.
    Men,
    /// All weights of the eight evaluation terms, and the values of the men, with pawn and queen
    /// fixed.
    Parts,
    /// The weights of a mop-up.
    MopUp,
}

named!(EvolvedWeights { "men": Men, "parts": Parts, "mop-up": MopUp });

const MEN: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];
/// The largest value of a man. The smallest is 0.
const MAX_OF_A_MAN: i32 = 1000;
const MAX_OF_A_PART: i32 = 2000;
const MAX_OF_A_TERM: i32 = 2000;

impl EvolvedWeights {
    /// The genes.
    pub fn genes(self) -> Vec<Gene> {
        match self {
            Self::Men => men(),
            Self::Parts => men().into_iter().chain(parts()).collect(),
            Self::MopUp => {
                let names =
                    MopUpWeights::names().into_iter().zip(MopUpWeights::default().numbers());
                let gene = |(name, usual)| Gene::new(name, usual, -MAX_OF_A_TERM, MAX_OF_A_TERM);
                names.map(gene).collect()
            }
        }
    }

    /// The evaluation by which a genome plays whole games.
    ///
    /// # Panics
    /// If the genome does not have as many genes as [`EvolvedWeights::genes`].
    pub fn evaluation(self, genome: &[i32]) -> Arc<dyn Evaluation> {
        let mop_up = MopUp::default();
        match self {
            Self::Men | Self::Parts => {
                Arc::new(CombinedEvaluation { parts: EightTerms(self.weights(genome)), mop_up })
            }
            Self::MopUp => Arc::new(CombinedEvaluation {
                mop_up: mop_up_of(genome),
                ..CombinedEvaluation::default()
            }),
        }
    }

    /// The weights file of a genome, as JSON.
    ///
    /// # Panics
    /// If the genome does not have as many genes as [`EvolvedWeights::genes`].
    pub fn to_json(self, genome: &[i32]) -> String {
        match self {
            Self::Men | Self::Parts => self.weights(genome).to_json(),
            Self::MopUp => mop_up_of(genome).to_json(),
        }
    }

    fn weights(self, genome: &[i32]) -> Weights {
        let usual = Weights::default().numbers();
        let numbers: Vec<i32> =
            genome.iter().chain(usual.iter().skip(genome.len())).copied().collect();
        Weights::from_numbers(numbers.as_slice().try_into().expect("a gene for each number"))
    }
}

impl Fitness for PositionsWon<'_> {
    fn measure(&self, genome: &[i32], observer: &dyn Observer) -> Result<u64, Stopped> {
        self.of(&mop_up_of(genome), observer)
    }
}

fn mop_up_of(genome: &[i32]) -> MopUp {
    let weights = MopUpWeights::from_numbers(genome).expect("a gene for each number");
    MopUp { men: MenValues::DEFAULT, weights }
}

fn men() -> Vec<Gene> {
    let values = MEN.into_iter().zip(MenValues::DEFAULT.numbers());
    let gene = |(name, value)| match name {
        "pawn" | "queen" => Gene::fixed(name, value),
        _ => Gene::new(name, value, 0, MAX_OF_A_MAN),
    };
    values.map(gene).collect()
}

fn parts() -> Vec<Gene> {
    let usual = Weights::default();
    let genes = EvaluationTerm::ALL.iter().flat_map(|&(name, part)| {
        let gene = |&(phase_name, phase): &(&str, Phase)| {
            let (name, weight) = (format!("{name} {phase_name}"), usual.of(part, phase));
            match part {
                // Material sets the scale.
                EvaluationTerm::Material => Gene::fixed(name, weight),
                _ => Gene::new(name, weight, 0, MAX_OF_A_PART),
            }
        };
        Phase::ALL.iter().map(gene).collect::<Vec<Gene>>()
    });
    genes.collect()
}
