//! The search for measures, compared with proofs from their terms alone.

mod measure;
