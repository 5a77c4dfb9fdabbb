//! Players that are trained, compared with what others publish and with plain versions.

mod evolution;
mod series;
mod train;
