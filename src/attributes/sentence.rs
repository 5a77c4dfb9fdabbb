//! What an attribute says, in a sentence for people.

use super::view::Direction;
use super::{Attribute, Axis, Corner, Man, Question, View};
use crate::chess::{Material, Side};
use lucena_tree::Condition;
use std::ops::RangeInclusive;

impl Attribute {
    /// What is said of a position by a range of values, as a sentence without a capital and a full
    /// stop, about the board as it lies before the
    /// reader.
    ///
    /// ```
    /// use lucena::attributes::{AttributeSet, View};
    ///
    /// let material = "KRvK".parse()?;
    /// let set = AttributeSet::named(material, ["kOnEdge", "RBoxSize"])?;
    /// let view = View::general(material);
    /// assert_eq!(set.attributes()[0].sentence(0..=0, &view), "the black king does not stand on the edge");
    /// assert_eq!(set.attributes()[1].sentence(1..=6, &view), "the rook's box has at most six squares");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When the view is of a material that lacks the attribute's men.
    pub fn sentence(&self, values: RangeInclusive<u8>, view: &View) -> String {
        let (low, high) = self.domain();
        let range = Range {
            from: i16::from(*values.start().max(&low)),
            to: i16::from(*values.end().min(&high)),
            low: low.into(),
            high: high.into(),
        };
        if range.from > range.to {
            return format!("{} is out of its range", self.name());
        }
        if range.is_open_below() && range.is_open_above() {
            return format!("{} may have any value", self.name());
        }
        Words { view, range }.say(self.question())
    }

    /// The same in figures, as in `3 <= KkSteps <= 5`.
    pub fn test(&self, values: RangeInclusive<u8>) -> String {
        let condition = Condition { attribute: 0, low: *values.start(), high: *values.end() };
        condition.text(self.name(), self.domain(), |value| self.show(value))
    }
}

/// Values from one to another, and how far they could go.
#[derive(Clone, Copy)]
struct Range {
    from: i16,
    to: i16,
    low: i16,
    high: i16,
}

impl Range {
    fn is_open_below(self) -> bool {
        self.from == self.low
    }

    fn is_open_above(self) -> bool {
        self.to == self.high
    }

    fn is(self, value: i16) -> bool {
        (self.from, self.to) == (value, value)
    }

    /// Whether it is everything from a value up.
    fn is_from(self, value: i16) -> bool {
        self.from == value && self.is_open_above()
    }

    /// Counted down from the sum of both ends of what could be.
    fn mirrored(self) -> Self {
        let sum = self.low + self.high;
        Self { from: sum - self.to, to: sum - self.from, ..self }
    }

    /// Counted from the middle of what could be.
    fn centred(self) -> Self {
        let middle = (self.low + self.high) / 2;
        let Self { from, to, low, high } = self;
        Self { from: from - middle, to: to - middle, low: low - middle, high: high - middle }
    }

    /// How many: "at most three squares".
    fn count(self, one: &str, many: &str) -> String {
        let Self { from, to, .. } = self;
        if from == to {
            numbered(to, one, many)
        } else if self.is_open_below() {
            format!("at most {}", numbered(to, one, many))
        } else if self.is_open_above() {
            format!("at least {}", numbered(from, one, many))
        } else {
            format!("{} {many}", span(from, to))
        }
    }
}

/// "two squares", "one square", "no square".
fn numbered(number: i16, one: &str, many: &str) -> String {
    match number {
        0 => format!("no {one}"),
        1 => format!("one {one}"),
        _ => format!("{} {many}", word(number)),
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

/// A line along an axis: a piece that moves along the file stays on its file.
fn line_along(axis: Axis) -> &'static str {
    match axis {
        Axis::File => "file",
        Axis::Rank => "rank",
    }
}

/// A line across an axis: what is counted along it.
fn line_across(axis: Axis) -> &'static str {
    match axis {
        Axis::File => "rank",
        Axis::Rank => "file",
    }
}

fn turned_axis(axis: Axis) -> Axis {
    match axis {
        Axis::File => Axis::Rank,
        Axis::Rank => Axis::File,
    }
}

struct Words<'a> {
    view: &'a View,
    range: Range,
}

impl Words<'_> {
    fn say(&self, question: &Question) -> String {
        match question {
            // The file on which a man stands is counted along the rank.
            Question::Location(man, axis) => {
                self.place(man, self.view.read(turned_axis(*axis)), false)
            }
            Question::EdgeDistance(man, axis) => self.edge_distance(man, *axis),
            Question::SameLine(one, other, axis) => {
                let (men, line) = (self.both(one, other), line_along(self.view.read(*axis).axis));
                format!("{men} {} on the same {line}", self.verb("stand", "do not stand"))
            }
            Question::Distance(one, other, axis) => self.distance(one, other, *axis),
            Question::Opposition(one, other) => self.opposition(&self.both(one, other)),
            Question::OnEdge(man) => self.stands(man, "on the edge"),
            Question::InCorner(man) => self.stands(man, "in a corner"),
            Question::InCheck(man) => self.is(man, "in check"),
            Question::CanMove(man) => {
                format!("{} {}", self.name(man), self.verb("can move", "cannot move"))
            }
            Question::Steps(one, other) => {
                let men = self.both(one, other);
                match self.range {
                    range if range.is(1) => format!("{men} stand next to each other"),
                    range if range.is_from(2) => format!("{men} do not stand next to each other"),
                    range => {
                        format!("{men} are {} apart", range.count("king's move", "king's moves"))
                    }
                }
            }
            Question::DistanceSum(one, other) => format!(
                "{} are {} apart, added up",
                self.both(one, other),
                self.range.count("file or rank", "files and ranks")
            ),
            Question::DistanceLess(one, other) => {
                let men = self.both(one, other);
                match self.range {
                    range if range.is(0) => format!("{men} stand on one file or rank"),
                    range if range.is_from(1) => {
                        format!("{men} do not stand on one file or rank")
                    }
                    range => format!(
                        "{men} are {} off a common line",
                        range.count("file or rank", "files or ranks")
                    ),
                }
            }
            Question::KnightApart(one, other) => self.stand(one, other, "a knight's move apart"),
            Question::EdgeSteps(man) => {
                self.steps_to(man, "on the edge", "square", "squares", "the nearest edge")
            }
            Question::CornerSteps(man) => self.steps_to(
                man,
                "in a corner",
                "king's move",
                "king's moves",
                "the nearest corner",
            ),
            Question::Moves(man) => match self.range {
                range if range.is_from(1) => format!("{} can move", self.name(man)),
                range => format!("{} has {}", self.name(man), range.count("move", "moves")),
            },
            Question::Room(man) => match self.range {
                range if range.is(0) => format!("{} has no room", self.name(man)),
                range => format!(
                    "{} has room of {} if the others stand still",
                    self.name(man),
                    range.count("square", "squares")
                ),
            },
            Question::Hangs(man) => {
                let king = self.view.name(Material::king(Side::Weak));
                format!("{king} {} {}", self.verb("can take", "cannot take"), self.name(man))
            }
            Question::Guarded(man) => self.is(man, "guarded"),
            Question::Box(man, axis) => {
                let (unit, wide) = match self.view.read(*axis).axis {
                    Axis::File => ("rank", "high"),
                    Axis::Rank => ("file", "wide"),
                };
                let count = self.range.count(unit, &format!("{unit}s"));
                format!("{} is {count} {wide}", self.box_of(man))
            }
            Question::BoxSize(man) => {
                format!("{} has {}", self.box_of(man), self.range.count("square", "squares"))
            }
            Question::BoxSides(man) => format!(
                "{} has {}, added up",
                self.box_of(man),
                self.range.count("file or rank", "files and ranks")
            ),
            Question::BoxWidth(man) => format!(
                "the shorter side of {} has {}",
                self.box_of(man),
                self.range.count("square", "squares")
            ),
            Question::BoxSteps(man, king) => {
                let (king, the_box) = (self.name(king), self.box_of(man));
                match self.range {
                    range if range.is(0) => format!("{king} stands in {the_box}"),
                    range if range.is_from(1) => format!("{king} does not stand in {the_box}"),
                    range => format!("{king} is {} from {the_box}", range.count("move", "moves")),
                }
            }
            Question::Cuts(man, axis) => format!(
                "the {} of {} {} between the kings",
                line_across(self.view.read(*axis).axis),
                self.name(man),
                self.verb("runs", "does not run")
            ),
            Question::Ahead(one, other, axis) => self.ahead(one, other, *axis),
            Question::Turned(man, axis) => {
                let (direction, turns) = self.view.turned(*axis);
                self.place(man, direction, turns)
            }
            Question::Diagonal(one, other) => self.stand(one, other, "on the same diagonal"),
            Question::SameColor(one, other) => {
                self.stand(one, other, "on squares of the same colour")
            }
            Question::BishopCorner(king, bishop, corner) => {
                let corner = match corner {
                    Corner::Right => format!("corner of the colour of {}", self.name(bishop)),
                    Corner::Wrong => format!("corner that {} cannot reach", self.name(bishop)),
                };
                let (there, nearest) = (format!("in a {corner}"), format!("the nearest {corner}"));
                self.steps_to(king, &there, "king's move", "king's moves", &nearest)
            }
            Question::KnightSteps(one, other) => format!(
                "{} are {} apart",
                self.both(one, other),
                self.range.count("knight's move", "knight's moves")
            ),
            Question::Promotion(pawn) => {
                format!(
                    "{} is {} from promotion",
                    self.name(pawn),
                    self.range.count("move", "moves")
                )
            }
            Question::PromotionSteps(king, pawn) => {
                let square = format!("the promotion square of {}", self.name(pawn));
                let there = format!("on {square}");
                self.steps_to(king, &there, "king's move", "king's moves", &square)
            }
            Question::PromotionColor(pawn, bishop) => format!(
                "the promotion square of {} {} of the colour of {}",
                self.name(pawn),
                self.verb("is", "is not"),
                self.name(bishop)
            ),
            Question::Catches(king, pawn) => format!(
                "{} {} {} by running",
                self.name(king),
                self.verb("catches", "does not catch"),
                self.name(pawn)
            ),
            Question::KeySquare(king, pawn) => {
                self.stands(king, &format!("on a key square of {}", self.name(pawn)))
            }
            Question::InFront(man, pawn) => {
                self.stands(man, &format!("in front of {}", self.name(pawn)))
            }
            Question::Blocked(man) => self.is(man, "blocked"),
            Question::CanAdvance(man) => {
                format!("{} {} safely", self.name(man), self.verb("can advance", "cannot advance"))
            }
            Question::Passed(man, _) => self.is(man, "passed"),
            Question::Race(one, other) => {
                let more_or_less = Comparison {
                    one: "move",
                    many: "moves",
                    more: "ahead of",
                    less: "behind",
                    level: "level",
                    level_with: "level with",
                };
                let race = more_or_less.say(self.range.centred(), self.name(other));
                format!("{} is {race} in the race to promote", self.name(one))
            }
            Question::HasOpposition(king, _) => {
                format!("{} {} the opposition", self.name(king), self.verb("has", "does not have"))
            }
            Question::Attacked(man) => self.is(man, "attacked"),
            Question::EnPrise(man) => self.is(man, "en prise"),
            Question::Pinned(man) => self.is(man, "pinned"),
            Question::Forks(man) => {
                format!("{} {} a fork", self.name(man), self.verb("has", "does not have"))
            }
            Question::SafeMoves(man) => {
                format!("{} has {}", self.name(man), self.range.count("safe move", "safe moves"))
            }
        }
    }

    fn name(&self, man: &Man) -> &str {
        self.view.name(man.slot)
    }

    /// "the kings", "the white king and the rook".
    fn both(&self, one: &Man, other: &Man) -> String {
        let kings = Side::ALL.map(Material::king);
        if kings.contains(&one.slot) && kings.contains(&other.slot) {
            return "the kings".into();
        }
        format!("{} and {}", self.name(one), self.name(other))
    }

    fn box_of(&self, man: &Man) -> String {
        let name = self.name(man);
        if name.contains(" on ") { format!("the box of {name}") } else { format!("{name}'s box") }
    }

    /// What a yes or a no makes of a verb.
    fn verb(&self, yes: &'static str, no: &'static str) -> &'static str {
        if self.range.from > 0 { yes } else { no }
    }

    fn is(&self, man: &Man, what: &str) -> String {
        format!("{} {} {what}", self.name(man), self.verb("is", "is not"))
    }

    fn stand(&self, one: &Man, other: &Man, place: &str) -> String {
        format!("{} {} {place}", self.both(one, other), self.verb("stand", "do not stand"))
    }

    fn stands(&self, man: &Man, place: &str) -> String {
        format!("{} {} {place}", self.name(man), self.verb("stands", "does not stand"))
    }

    /// How far from a place a man is, 0 being there.
    fn steps_to(&self, man: &Man, there: &str, one: &str, many: &str, nearest: &str) -> String {
        let name = self.name(man);
        match self.range {
            range if range.is(0) => format!("{name} stands {there}"),
            range if range.is_from(1) => format!("{name} does not stand {there}"),
            range => format!("{name} is {} from {nearest}", range.count(one, many)),
        }
    }

    /// On which ranks, or files, a man stands.
    fn place(&self, man: &Man, direction: Direction, turns: bool) -> String {
        let Range { from, to, .. } =
            if direction.ascends { self.range } else { self.range.mirrored() };
        let line = line_across(direction.axis);
        let show = |at: i16| match direction.axis {
            Axis::File => at.to_string(),
            Axis::Rank => char::from(b'a' + (at - 1) as u8).to_string(),
        };
        let (turned, name) = (if turns { "turned, " } else { "" }, self.name(man));
        let lines = match direction.axis {
            _ if from + 1 < to => format!("one of the {line}s {} to {}", show(from), show(to)),
            _ if from < to => format!("{line} {} or {}", show(from), show(to)),
            Axis::File => format!("rank {}", show(from)),
            Axis::Rank => format!("the {}-file", show(from)),
        };
        format!("{turned}{name} stands on {lines}")
    }

    fn edge_distance(&self, man: &Man, axis: Axis) -> String {
        let [one, other] = match self.view.read(axis).axis {
            Axis::File => ["bottom", "top"],
            Axis::Rank => ["left", "right"],
        };
        let (name, range) = (self.name(man), self.range);
        let count = range.count("square", "squares");
        if range.is(0) {
            format!("{name} stands on the {one} or {other} edge")
        } else if range.is_from(1) {
            format!("{name} stands neither on the {one} nor on the {other} edge")
        } else if range.is_open_above() && range.from < range.to {
            format!("{name} is {count} from both the {one} and the {other} edge")
        } else {
            format!("{name} is {count} from the {one} or {other} edge, whichever is nearer")
        }
    }

    fn distance(&self, one: &Man, other: &Man, axis: Axis) -> String {
        let men = self.both(one, other);
        let line = line_across(self.view.read(axis).axis);
        match self.range {
            range if range.is(0) => format!("{men} stand on the same {line}"),
            range if range.is_from(1) => format!("{men} do not stand on the same {line}"),
            range => format!("{men} stand {} apart", range.count(line, &format!("{line}s"))),
        }
    }

    /// Kings on one line are at least two squares apart, and 0 says that they are not on one.
    fn opposition(&self, men: &str) -> String {
        let face = format!("{men} face each other on a file or rank");
        let not = format!("{men} do not face each other on a file or rank");
        let range = self.range;
        match (range.from, range.to) {
            (_, 0 | 1) => not,
            (0, to) => {
                format!("{not}, or at most {}", numbered(to, "square apart", "squares apart"))
            }
            (1 | 2, _) if range.is_open_above() => face,
            (from, _) => {
                let range = Range { from: from.max(2), low: 2, ..range };
                format!("{face}, {} apart", range.count("square", "squares"))
            }
        }
    }

    /// How far one man stands above, below or beside another.
    fn ahead(&self, one: &Man, other: &Man, axis: Axis) -> String {
        let (direction, turns) = self.view.turned(axis);
        let range = self.range.centred();
        let range = if direction.ascends { range } else { range.mirrored() };
        let comparison = match direction.axis {
            Axis::File => Comparison {
                one: "rank",
                many: "ranks",
                more: "above",
                less: "below",
                level: "on the same rank",
                level_with: "on the same rank as",
            },
            Axis::Rank => Comparison {
                one: "file",
                many: "files",
                more: "to the right of",
                less: "to the left of",
                level: "on the same file",
                level_with: "on the same file as",
            },
        };
        let place = comparison.say(range, self.name(other));
        format!("{}{} stands {place}", if turns { "turned, " } else { "" }, self.name(one))
    }
}

/// The words for how much more or less something is than another, 0 being as much.
struct Comparison {
    one: &'static str,
    many: &'static str,
    more: &'static str,
    less: &'static str,
    level: &'static str,
    level_with: &'static str,
}

impl Comparison {
    /// What a range says in comparison with something.
    fn say(&self, range: Range, other: &str) -> String {
        let &Self { one, many, more, less, level, level_with } = self;
        let number = |number: i16| numbered(number, one, many);
        let (from, to) = (range.from, range.to);
        let (open_below, open_above) = (range.is_open_below(), range.is_open_above());
        let far = |from: i16, to: i16, open: bool, side: &str| {
            if from == to {
                format!("{} {side}", number(from))
            } else if open && from == 1 {
                side.to_owned()
            } else if open {
                format!("at least {} {side}", number(from))
            } else {
                format!("{} {many} {side}", span(from, to))
            }
        };
        if from > 0 {
            format!("{} {other}", far(from, to, open_above, more))
        } else if to < 0 {
            format!("{} {other}", far(-to, -from, open_below, less))
        } else if (from, to) == (0, 0) {
            format!("{level_with} {other}")
        } else if open_above {
            match from {
                0 => format!("{more} {other} or {level}"),
                _ => format!("no more than {} {less} {other}", number(-from)),
            }
        } else if open_below {
            match to {
                0 => format!("{less} {other} or {level}"),
                _ => format!("no more than {} {more} {other}", number(to)),
            }
        } else if from == 0 {
            format!("{level_with} {other} or at most {} {more}", number(to))
        } else if to == 0 {
            format!("{level_with} {other} or at most {} {less}", number(-from))
        } else {
            format!("between {} {less} and {} {more} {other}", number(-from), number(to))
        }
    }
}
