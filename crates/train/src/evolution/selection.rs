use lucena_base::work::{Stopped, Watch};

/// The method of selecting the better of two genomes.
pub enum Selection<'a> {
    /// The genomes play each other.
    Duels(&'a dyn Duelling),
    /// Each genome has a fitness of its own.
    Measured(&'a dyn Measure),
}

/// Plays duels between two genomes.
pub trait Duelling: Sync {
    /// Plays a duel. All random choices follow from the seed.
    ///
    /// # Errors
    /// If the work was stopped.
    fn duel(
        &self,
        older: &[i32],
        younger: &[i32],
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Duel, Stopped>;
}

/// A fitness function.
pub trait Measure: Sync {
    /// The fitness of a genome; higher is better.
    ///
    /// # Errors
    /// If the work was stopped.
    fn measure(&self, genome: &[i32], watch: &dyn Watch) -> Result<u64, Stopped>;
}

/// The result of a duel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Duel {
    /// The number of games won by the older genome.
    pub older: u32,
    /// The number of games won by the younger genome.
    pub younger: u32,
    /// The number of games drawn. They do not count.
    pub drawn: u32,
}

impl Duel {
    /// Returns true if the younger genome has won more games and replaces the older one.
    pub fn is_won_by_younger(self) -> bool {
        self.younger > self.older
    }

    /// The number of games played.
    pub fn games(self) -> u32 {
        self.older + self.younger + self.drawn
    }
}
