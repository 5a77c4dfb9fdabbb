//! Indices, symmetries, solved tables and their files, compared with what others publish and with plain versions.

mod category;
mod files;
mod folder;
mod index;
mod rated_moves;
mod symmetry;
mod syzygy;
mod tablebase;
mod zeroing;
