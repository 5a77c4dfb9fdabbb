//! Proofs and certificates, compared with what others publish and with plain versions.

mod certificate;
mod endgame_code;
mod external_players;
mod measure;
mod measure_code;
mod proof;
mod sides;
mod tree_code;
