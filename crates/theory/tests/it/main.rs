//! Theories, compared with what others publish and with plain versions.

mod departures;
mod theory;
