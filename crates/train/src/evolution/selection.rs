use lucena_base::work::{Stopped, Watch};

/// How it is found out which of two genomes is the better.
pub enum Selection<'a> {
    /// They play each other.
    Duels(&'a dyn Duelling),
    /// Each is worth something by itself.
    Measured(&'a dyn Measure),
}

/// Lets two genomes play each other.
pub trait Duelling: Sync {
    /// What games between two genomes come to. All that is drawn by lot follows from the seed.
    ///
    /// # Errors
    /// When the work was stopped.
    fn duel(
        &self,
        older: &[i32],
        younger: &[i32],
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Duel, Stopped>;
}

/// Says what a genome is worth by itself.
pub trait Measure: Sync {
    /// What a genome is worth: more is better.
    ///
    /// # Errors
    /// When the work was stopped.
    fn measure(&self, genome: &[i32], watch: &dyn Watch) -> Result<u64, Stopped>;
}

/// What a duel has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Duel {
    /// Games that the older one has won.
    pub older: u32,
    /// Games that the younger one has won.
    pub younger: u32,
    /// Games that nobody has won: they do not count.
    pub drawn: u32,
}

impl Duel {
    /// Whether the younger one takes the place of the older one: only if it has won more games.
    pub fn is_won_by_younger(self) -> bool {
        self.younger > self.older
    }

    /// How many games were played.
    pub fn games(self) -> u32 {
        self.older + self.younger + self.drawn
    }
}
