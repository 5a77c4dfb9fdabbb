//! What the verbs answer, as data: the types that they write as JSON, and the work that fills them.
//!
//! Nothing here prints, reads arguments or knows of paths: the command line does, and so can others.

mod probe;
mod solve;
mod verify;

pub use probe::{Probed, ProbedMove, dtm, probe_lines};
pub use solve::{SideCounts, Solved};
pub use verify::{Verified, VerifiedEndgame};
