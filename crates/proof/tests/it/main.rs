//! Proofs and certificates, compared with what others publish and with plain versions.

mod certificate;
mod outsider;
mod proof;
