//! Theories, compared with what others publish and with plain versions.

mod conversions;
mod theory;
