use lucena_base::named::named;

/// The look-ahead of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LearnedLookAhead {
    /// One ply: its own move.
    One,
    /// Two plies: its own move and the reply.
    Two,
}

named!(LearnedLookAhead { "1": One, "2": Two });
