//! Positions, moves and games, compared with what others publish and with plain versions.

mod epd;
mod game;
mod pgn;
mod rules;
