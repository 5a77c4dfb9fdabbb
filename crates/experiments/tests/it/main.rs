//! Experiments, searches and the trees that are carried, compared with what others publish and with plain versions.

mod curve;
mod evaluation;
mod frontier;
mod measures;
mod search;
mod study;
mod trees;
