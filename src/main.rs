//! The command line: being written.
fn main() {}
