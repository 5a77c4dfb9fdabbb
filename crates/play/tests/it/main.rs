//! Players, games and opening books, compared with what others publish and with plain versions.

mod arena;
mod book;
mod player;
mod validation;
mod whole_games;
