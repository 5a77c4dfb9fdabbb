//! Numbers and ranges of numbers in words.

/// The singular and plural of a counted thing.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    one: &'a str,
    many: &'a str,
}

impl<'a> Unit<'a> {
    /// The unit with this plural.
    pub(super) fn new(many: &'a str) -> Self {
        let one = match many {
            "men" => "man",
            "files or ranks" => "file or rank",
            "squares apart" => "square apart",
            _ => many.strip_suffix('s').unwrap_or(many),
        };
        Self { one, many }
    }

    /// "two squares", "one square", "no square".
    pub(super) fn count(self, number: i16) -> String {
        match number {
            0 => format!("no {}", self.one),
            1 => format!("one {}", self.one),
            _ => format!("{} {}", word(number), self.many),
        }
    }
}

/// "two or three", "three to five".
fn span(from: i16, to: i16) -> String {
    let between = if from + 1 == to { "or" } else { "to" };
    format!("{} {between} {}", word(from), word(to))
}

fn word(number: i16) -> String {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let known = usize::try_from(number).ok().and_then(|number| WORDS.get(number));
    known.map_or_else(|| number.to_string(), |word| (*word).into())
}

/// The plural of a verb that is given as for one man.
pub(super) fn plural_verb(verb: &str) -> &str {
    match verb {
        "is" => "are",
        "has" => "have",
        "does" => "do",
        verb => verb.strip_suffix('s').unwrap_or(verb),
    }
}

/// Words about several men that are given as for one man: "behind it" becomes "behind them".
pub(super) fn plural_pronoun(words: &str) -> String {
    words.strip_suffix(" it").map_or_else(|| words.into(), |words| format!("{words} them"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Down,
    Up,
}

/// The root of a squared distance, with as few digits as distinguish it from the next smaller or greater distance on a
/// board.
fn root(square: i16, rounding: Rounding) -> String {
    let square = square.unsigned_abs().into();
    let is_distance = |other: &u32| (0..8).any(|x| (0..8).any(|y| x * x + y * y == *other));
    let next = (square + 1..=98).find(is_distance).unwrap_or(square + 1);
    let last = (0..square).rev().find(is_distance);
    let written = |digits: u32| {
        let scale = 10_u32.pow(digits);
        let exact = square * scale * scale;
        let root = match rounding {
            Rounding::Down => exact.isqrt(),
            Rounding::Up => exact.isqrt() + u32::from(exact.isqrt().pow(2) < exact),
        };
        let is_told = match rounding {
            Rounding::Down => last.is_none_or(|last| last * scale * scale < root * root),
            Rounding::Up => root * root < next * scale * scale,
        };
        is_told.then(|| format!("{:.*}", digits as usize, f64::from(root) / f64::from(scale)))
    };
    (0..3).find_map(written).expect("two digits tell the lengths on a board apart")
}

/// A range of values, and the domain it lies in.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) from: i16,
    pub(super) to: i16,
    pub(super) low: i16,
    pub(super) high: i16,
}

impl Range {
    pub(super) fn is_open_below(self) -> bool {
        self.from == self.low
    }

    pub(super) fn is_open_above(self) -> bool {
        self.to == self.high
    }

    pub(super) fn is(self, value: i16) -> bool {
        (self.from, self.to) == (value, value)
    }

    /// Returns true if the range is everything from a value up.
    pub(super) fn is_from(self, value: i16) -> bool {
        self.from == value && self.is_open_above()
    }

    /// The range mirrored in the domain: low and high are swapped.
    pub(super) fn mirrored(self) -> Self {
        let sum = self.low + self.high;
        Self { from: sum - self.to, to: sum - self.from, ..self }
    }

    /// The range relative to the middle of the domain.
    pub(super) fn centred(self) -> Self {
        let middle = (self.low + self.high) / 2;
        let Self { from, to, low, high } = self;
        Self { from: from - middle, to: to - middle, low: low - middle, high: high - middle }
    }

    /// The distance in a straight line whose square is in the range: "two squares", "at most 4.2 squares".
    pub(super) fn straight(self) -> String {
        let Self { from, to, .. } = self;
        let squares = |length: String| match length.parse() {
            Ok(whole) => Unit::new("squares").count(whole),
            Err(_) => format!("{length} squares"),
        };
        match (self.is_open_below(), self.is_open_above()) {
            _ if from == to => {
                squares(format!("{:.1}", f64::from(from).sqrt()).trim_end_matches(".0").into())
            }
            (true, _) => format!("at most {}", squares(root(to, Rounding::Up))),
            (_, true) => format!("at least {}", squares(root(from, Rounding::Down))),
            _ => {
                let (from, to) = (root(from, Rounding::Down), root(to, Rounding::Up));
                match (from.parse(), to.parse()) {
                    (Ok(from), Ok(to)) => format!("{} to {} squares", word(from), word(to)),
                    _ => format!("{from} to {to} squares"),
                }
            }
        }
    }

    /// Returns true if the range as a count takes a verb in the plural.
    pub(super) fn is_plural(self) -> bool {
        let number =
            if self.is_open_above() && !self.is_open_below() { self.from } else { self.to };
        number > 1
    }

    /// The range as a count: "at most three squares".
    pub(super) fn count(self, unit: Unit<'_>) -> String {
        let Self { from, to, .. } = self;
        if from == to {
            unit.count(to)
        } else if self.is_open_below() {
            format!("at most {}", unit.count(to))
        } else if self.is_open_above() {
            format!("at least {}", unit.count(from))
        } else {
            format!("{} {}", span(from, to), unit.many)
        }
    }
}

/// The words for a signed difference from something; 0 is level.
pub(super) struct Comparison<'a> {
    pub(super) unit: Unit<'a>,
    pub(super) more: &'a str,
    pub(super) less: &'a str,
    pub(super) level: &'a str,
    pub(super) level_with: &'a str,
}

impl Comparison<'_> {
    /// The text of a range in comparison with something.
    pub(super) fn say(&self, range: Range, other: &str) -> String {
        let &Self { unit, more, less, level, level_with } = self;
        let (from, to) = (range.from, range.to);
        if from > 0 {
            format!("{} {other}", self.far(from, to, range.is_open_above(), more))
        } else if to < 0 {
            format!("{} {other}", self.far(-to, -from, range.is_open_below(), less))
        } else if range.is(0) {
            format!("{level_with} {other}")
        } else if range.is_open_above() {
            match from {
                0 => format!("{more} {other} or {level}"),
                _ => format!("no more than {} {less} {other}", unit.count(-from)),
            }
        } else if range.is_open_below() {
            match to {
                0 => format!("{less} {other} or {level}"),
                _ => format!("no more than {} {more} {other}", unit.count(to)),
            }
        } else if from == 0 {
            format!("{level_with} {other} or at most {} {more}", unit.count(to))
        } else if to == 0 {
            format!("{level_with} {other} or at most {} {less}", unit.count(-from))
        } else {
            format!("between {} {less} and {} {more} {other}", unit.count(-from), unit.count(to))
        }
    }

    /// The text of a distance on one side: "two to four ranks above". `is_open` means that there is no
    /// upper bound.
    fn far(&self, from: i16, to: i16, is_open: bool, side: &str) -> String {
        if from == to {
            format!("{} {side}", self.unit.count(from))
        } else if is_open && from == 1 {
            side.to_owned()
        } else if is_open {
            format!("at least {} {side}", self.unit.count(from))
        } else {
            format!("{} {} {side}", span(from, to), self.unit.many)
        }
    }
}
