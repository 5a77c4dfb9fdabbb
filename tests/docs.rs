//! README and the pages under docs.

mod pages;
mod readme;
