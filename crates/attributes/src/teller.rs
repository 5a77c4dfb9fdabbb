//! The sentences of attributes, and phrases that several of them share.

use super::View;
use super::geometry::Line;
use super::man::Man;
use super::view::Seen;
use super::words::{Range, Unit};
use lucena_chess::Role;

/// Writes sentences about a range of values for a reader.
pub(super) struct Teller<'a> {
    pub(super) view: &'a View,
    pub(super) range: Range,
}

impl Teller<'_> {
    /// "the white king".
    pub(super) fn name(&self, man: Man) -> &str {
        self.view.name(man.slot)
    }

    /// "the kings", "the white king and the rook".
    pub(super) fn both(&self, one: Man, other: Man) -> String {
        if (one.role, other.role) == (Role::King, Role::King) {
            return "the kings".into();
        }
        format!("{} and {}", self.name(one), self.name(other))
    }

    /// The verb for the answer yes, or for no.
    pub(super) fn verb(&self, yes: &'static str, no: &'static str) -> &'static str {
        if self.range.from > 0 { yes } else { no }
    }

    /// One word if the least value is wanted, another for the greatest.
    pub(super) fn either(&self, least: &'static str, greatest: &'static str) -> &'static str {
        if self.range.is_open_above() { greatest } else { least }
    }

    /// "the rook's moves", or "the moves of the rook on a4" if that reads better.
    pub(super) fn of(&self, man: Man, what: &str) -> String {
        of(self.name(man), what)
    }

    /// "the rook is not guarded".
    pub(super) fn is(&self, man: Man, what: &str) -> String {
        format!("{} {} {what}", self.name(man), self.verb("is", "is not"))
    }

    /// "the black king stands on the edge".
    pub(super) fn stands(&self, man: Man, place: &str) -> String {
        format!("{} {} {place}", self.name(man), self.verb("stands", "does not stand"))
    }

    /// "the kings do not stand on the same diagonal".
    pub(super) fn stand(&self, one: Man, other: Man, place: &str) -> String {
        format!("{} {} {place}", self.both(one, other), self.verb("stand", "do not stand"))
    }

    /// The distance of a man from a place, where 0 means there: `there` as in "on the edge", `place` as
    /// in "the nearest edge".
    pub(super) fn steps_to(&self, man: Man, there: &str, unit: Unit, place: &str) -> String {
        let name = self.name(man);
        match self.range {
            range if range.is(0) => format!("{name} stands {there}"),
            range if range.is_from(1) => format!("{name} does not stand {there}"),
            range => format!("{name} is {} from {place}", range.count(unit)),
        }
    }

    /// The files or ranks on which a man stands; the values are line numbers from 1.
    pub(super) fn stands_on(&self, man: Man, seen: Seen) -> String {
        let Range { from, to, .. } = if seen.ascends { self.range } else { self.range.mirrored() };
        let (name, line) = (self.name(man), seen.line.word());
        let show = |at: i16| match seen.line {
            Line::Rank => at.to_string(),
            Line::File => char::from(b'a' + (at - 1) as u8).to_string(),
        };
        let lines = match seen.line {
            _ if from + 1 < to => format!("one of the {line}s {} to {}", show(from), show(to)),
            _ if from < to => format!("{line} {} or {}", show(from), show(to)),
            Line::Rank => format!("rank {}", show(from)),
            Line::File => format!("the {}-file", show(from)),
        };
        format!("{name} stands on {lines}")
    }
}

/// "the rook's moves", "the moves of the rook on a4".
pub(super) fn of(name: &str, what: &str) -> String {
    if name.contains(" on ") { format!("the {what} of {name}") } else { format!("{name}'s {what}") }
}
