//! Positions, moves and games, compared with what others publish and with plain versions.

mod clock;
mod epd;
mod game;
mod pgn;
mod rules;
