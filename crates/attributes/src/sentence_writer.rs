//! The sentences of attributes, from their templates.

use super::ReaderBoard;
use super::geometry::Line;
use super::man::{Man, role_word};
use super::men_group::Cast;
use super::reader_board::LineOrientation;
use super::words::{Comparison, Range, Unit};
use lucena_chess::{Role, Side};

/// Writes sentences about a range of values of an attribute for a reader.
#[derive(Clone, Copy)]
pub(super) struct SentenceWriter<'a> {
    pub(super) view: &'a ReaderBoard,
    pub(super) range: Range,
    /// The men that the attribute is about.
    pub(super) cast: Cast,
}

/// Fills in what stands between braces.
pub(super) fn filled(template: &str, phrase: impl Fn(&str) -> String) -> String {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('{') {
        let (word, behind) = after.split_once('}').expect("a closing brace");
        text += before;
        text += &phrase(word);
        rest = behind;
    }
    text + rest
}

impl SentenceWriter<'_> {
    /// The sentence of a template.
    pub(super) fn fill(self, template: &str) -> String {
        let (mut text, mut rest) = (String::new(), template);
        while let Some((before, after)) = rest.split_once('[') {
            let (words, behind) = after.split_once(']').expect("a closing bracket");
            let (least, greatest) = words.split_once('|').expect("two alternatives");
            text += before;
            text += if self.range.is_open_above() { greatest } else { least };
            rest = behind;
        }
        filled(&(text + rest), |phrase| self.phrase(phrase))
    }

    fn phrase(self, phrase: &str) -> String {
        let Self { view, range, cast } = self;
        match phrase {
            "X" => return cast.x.name(view, range),
            "X Y" => return self.both(),
            "X's box" => return cast.x.name_of("box", view, range),
            "straight" if cast.x.is_sum() => {
                return format!("{} (each distance squared)", range.count(Unit::new("squares")));
            }
            "straight" => return range.straight(),
            "facing" => return self.facing(),
            "triangles" => return self.triangles(),
            "safe moves" => return self.safe_moves(),
            "the strong side" | "the weak side" => return view.with_names(phrase),
            "turned" => return view.turned_prefix().into(),
            "twins" => return format!("{}s", role_word(cast.y.role)),
            _ => {}
        }
        if let Some(man) = cast.man(phrase) {
            return view.name(man.slot).into();
        }
        if let Some(verb) = phrase.strip_prefix("X's box ") {
            let name = cast.x.name_of("box", view, range);
            return format!("{name} {}", cast.x.verb(verb, range));
        }
        if phrase == "X is" && cast.x.is_sum() {
            return format!("{} together are", cast.x.name(view, range));
        }
        if let Some(verb) = phrase.strip_prefix("X ") {
            return format!("{} {}", cast.x.name(view, range), cast.x.verb(verb, range));
        }
        if let Some(unit) = phrase.strip_prefix('#') {
            let line = Line::named(unit).map(|line| view.read(line).line.unit());
            return range.count(line.unwrap_or_else(|| Unit::new(unit)));
        }
        let (words, last) = phrase.rsplit_once(' ').expect("a phrase of two words");
        match (words, Line::named(last)) {
            ("on", Some(line)) => self.lines(view.read(line)),
            ("on turned", Some(line)) => self.lines(view.turned(line)),
            ("beside", Some(line)) => self.beside(view.turned(line)),
            (words, Some(line)) => {
                let (rank, file) = words.split_once('/').expect("words for ranks and for files");
                let word = if view.read(line).line == Line::Rank { rank } else { file };
                word.into()
            }
            (words, None) => {
                let (unit, words) = words.split_once(' ').expect("a unit");
                let (less, more) = words.split_once('/').expect("words for less and more");
                let (level, level_with) = ("level", "level with");
                let comparison =
                    Comparison { unit: Unit::new(unit), more, less, level, level_with };
                comparison.say(range.centred(), &self.phrase(last))
            }
        }
    }

    /// "the kings", "the two bishops", "the white king and the rook".
    fn both(self) -> String {
        let [one, other] = [self.cast.x.first(), self.cast.y];
        if (one.role, other.role) == (Role::King, Role::King) {
            return "the kings".into();
        }
        if self.view.is_nameless_pair(one, other) {
            return format!("the two {}s", role_word(one.role));
        }
        format!("{} and {}", self.view.name(one.slot), self.view.name(other.slot))
    }

    /// The files or ranks with the numbers of the range, from 1.
    fn lines(self, seen: LineOrientation) -> String {
        let Range { from, to, .. } = if seen.ascends { self.range } else { self.range.mirrored() };
        let (word, show): (_, fn(i16) -> String) = match seen.line {
            Line::Rank => ("rank", |at| at.to_string()),
            Line::File => ("file", |at| char::from(b'a' + (at - 1) as u8).to_string()),
        };
        match seen.line {
            _ if from + 1 < to => format!("{word}s {} to {}", show(from), show(to)),
            _ if from < to => format!("{word} {} or {}", show(from), show(to)),
            Line::Rank => format!("rank {}", show(from)),
            Line::File => format!("the {}-file", show(from)),
        }
    }

    /// The place of X beside Y, from a difference in files or ranks.
    fn beside(self, seen: LineOrientation) -> String {
        let range = self.range.centred();
        let range = if seen.ascends { range } else { range.mirrored() };
        let [more, less, level, level_with] = match seen.line {
            Line::Rank => ["above", "below", "on the same rank", "on the same rank as"],
            Line::File => {
                ["to the right of", "to the left of", "on the same file", "on the same file as"]
            }
        };
        let comparison = Comparison { unit: seen.line.unit(), more, less, level, level_with };
        comparison.say(range, self.view.name(self.cast.y.slot))
    }

    /// The distance of kings that face each other; 0 means that they do not. Kings on one line are at least
    /// two squares apart.
    fn facing(self) -> String {
        let range = self.range;
        let face = "the kings face each other on a file or rank";
        let not = "the kings do not face each other on a file or rank";
        match (range.from, range.to) {
            (_, 0 | 1) => not.into(),
            (0, to) => format!("{not}, or at most {}", Unit::new("squares apart").count(to)),
            (1 | 2, _) if range.is_open_above() => face.into(),
            (from, _) => {
                let range = Range { from: from.max(2), low: 2, ..range };
                format!("{face}, {} apart", range.count(Unit::new("squares")))
            }
        }
    }

    /// A number of safe moves, which are counted up to eight; nine stands for something better.
    fn safe_moves(self) -> String {
        let unit = Unit::new("safe moves");
        let Range { from, to, high, .. } = self.range;
        match (from, to) {
            (0, _) if to + 1 == high => "any number of safe moves, but nothing better".into(),
            (_, _) if to + 1 == high => {
                format!("at least {}, but nothing better", unit.count(from))
            }
            (_, _) if to == high => format!("at least {}, or something better", unit.count(from)),
            _ => self.range.count(unit),
        }
    }

    /// "the large triangle or the medium triangle".
    fn triangles(self) -> String {
        let words =
            ["no triangle", "the large triangle", "the medium triangle", "the small triangle"];
        words[self.range.from as usize..=self.range.to as usize].join(" or ")
    }
}

impl Cast {
    /// The man that a letter of a template stands for: a king, X or Y.
    pub(super) fn man(self, letter: &str) -> Option<Man> {
        let x = self.x.first();
        match letter {
            "X" => Some(x),
            "Y" => Some(self.y),
            "K" => Some(Man::king(Side::Strong)),
            "k" => Some(Man::king(Side::Weak)),
            "O" => Some(Man::king(x.side)),
            "E" => Some(Man::king(!x.side)),
            _ => None,
        }
    }
}
