//! Strategies and their code, compared with what others publish and with plain versions.

mod part;
mod strategy;
mod strategy_code;
