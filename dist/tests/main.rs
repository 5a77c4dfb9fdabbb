//! What the crate promises, with workers as processes.
