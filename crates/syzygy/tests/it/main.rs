//! Numberings, hand-made files and damaged ones, and published values.

mod checksum;
mod composition;
mod compress;
mod damage;
mod edge;
mod folder;
mod made_table;
mod numbering;
mod probe;
mod solved;
mod verify;
