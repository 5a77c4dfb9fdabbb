//! Attributes of positions, compared with what others publish and with plain versions.

mod attributes;
mod concepts;
mod fight;
mod quantities;
mod sentences;
