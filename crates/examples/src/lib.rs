//! The example on the front page of the library's documentation, compiled as a program of its own compiles it: its
//! manifest names `lucena` alone.
#![doc = include_str!("../../../src/example.md")]
