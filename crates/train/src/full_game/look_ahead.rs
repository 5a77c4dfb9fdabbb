use lucena_base::named::named;

/// The look-ahead of a player: the number of plies, of which the first is its own move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LearnedLookAhead {
    /// Its own move.
    One,
    /// Its own move and the reply.
    Two,
    /// One more.
    Three,
    /// One more.
    Four,
    /// One more.
    Five,
    /// One more.
    Six,
}

named!(LearnedLookAhead { "1": One, "2": Two, "3": Three, "4": Four, "5": Five, "6": Six });

impl LearnedLookAhead {
    /// The number of plies.
    pub fn plies(self) -> u8 {
        self as u8 + 1
    }

    /// The number of plies as a word.
    pub fn word(self) -> &'static str {
        ["one", "two", "three", "four", "five", "six"][self as usize]
    }
}
