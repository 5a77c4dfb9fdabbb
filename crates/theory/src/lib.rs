//! Theories: trees as small as they can be made while a guarantee still holds from every position
//! against every defence.
//!
//! A policy that goes by a tree does not need every distance to be right: it needs the right move
//! to be preferred. The guarantee decides what may be wrong, and a proof after every single change
//! decides whether the guarantee holds. An [`Arena`] holds the endgame as numbers, so that a proof
//! can be kept up to date with what a change touches.
//!
//! `docs/theories.md` explains how, with an example. From the ground up:
//!
//! | file | what it holds |
//! |---|---|
//! | `guarantee`, `mark` | what a theory has to keep; how good a position is, in a byte |
//! | `positions`, `questions`, `arena` | an endgame as numbers: what leads to what, and what can be asked |
//! | `game` | how the marks of all positions play, proved, and kept up to date as they change |
//! | `sketch` | a tree in the making, and a change to it |
//! | `order`, `leeway`, `regrow`, `grow` | which marks would do, and trees grown from that |
//! | `chain`, `propose` | one search: changes are proposed, and taken if the guarantee still holds |
//! | `convert`, `distil` | trees to and from sketches, and searches side by side |
//! | `verify` | the proof of the result, from the rules alone |

mod arena;
mod chain;
mod convert;
mod distil;
mod game;
mod grow;
mod leeway;
mod mark;
mod order;
mod positions;
mod propose;
mod questions;
mod regrow;
mod sketch;
mod start;

pub use arena::{Arena, ArenaError};
pub use distil::{Distilled, distil};
pub use lucena_base::work::{Budget, Search};
pub use lucena_proof::guarantee::{BrokenGuarantee, FIFTY_MOVES, Guarantee, verify};
pub use start::StartError;
