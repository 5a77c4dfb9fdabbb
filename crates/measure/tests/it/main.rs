//! The search for measures.
