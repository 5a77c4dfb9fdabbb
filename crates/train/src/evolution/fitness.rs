//! The measure by which evolution may select.

use lucena_base::progress::{Observer, Stopped};

/// A fitness function.
pub trait Fitness: Sync {
    /// The fitness of a genome; higher is better.
    ///
    /// # Errors
    /// If the work was stopped.
    fn measure(&self, genome: &[i32], observer: &dyn Observer) -> Result<u64, Stopped>;
}
