//! Players, games and opening books, compared with what others publish and with plain versions.

mod arena;
mod book;
mod full_game_players;
mod player;
mod validation;
