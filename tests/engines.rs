//! The UCI engine, and matches between engines.

mod exact;
mod matches;
mod syzygy;
mod uci;
