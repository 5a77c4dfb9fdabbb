//! Proofs and certificates, compared with what others publish and with plain versions.

mod certificate;
mod external_players;
mod measure;
mod measure_code;
mod proof;
mod tree_code;
