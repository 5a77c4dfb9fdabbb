//! Placement of labels.

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl Rect {
    /// A square centred on a point.
    pub(super) fn around((x, y): (i32, i32), reach: i32) -> Self {
        Self { left: x - reach, top: y - reach, width: 2 * reach, height: 2 * reach }
    }

    /// Squares along a line.
    pub(super) fn along(from: (i32, i32), to: (i32, i32)) -> impl Iterator<Item = Self> {
        let (across, up) = (to.0 - from.0, to.1 - from.1);
        let steps = (across.abs().max(up.abs()) / 4).max(1);
        let at = move |step| (from.0 + across * step / steps, from.1 + up * step / steps);
        (0..=steps).map(move |step| Self::around(at(step), 2))
    }

    /// A rectangle at a distance from a point, on the side given by two signs.
    pub(super) fn beside(
        (x, y): (i32, i32),
        (across, down): (i32, i32),
        distance: i32,
        (width, height): (i32, i32),
    ) -> Self {
        let side = |at: i32, sign: i32, length: i32| match sign {
            0 => at - length / 2,
            sign if sign > 0 => at + distance,
            _ => at - distance - length,
        };
        Self { left: side(x, across, width), top: side(y, down, height), width, height }
    }

    /// Moves the rectangle horizontally into `whole`.
    pub(super) fn shifted_into(self, whole: &Self) -> Self {
        let most = (whole.left + whole.width - self.width).max(whole.left);
        Self { left: self.left.clamp(whole.left, most), ..self }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.left + other.width
            && other.left < self.left + self.width
            && self.top < other.top + other.height
            && other.top < self.top + self.height
    }

    fn is_within(&self, whole: &Self) -> bool {
        whole.left <= self.left
            && whole.top <= self.top
            && self.left + self.width <= whole.left + whole.width
            && self.top + self.height <= whole.top + whole.height
    }

    /// The first of the rectangles that overlaps the fewest of `taken`; those within `whole` are
    /// preferred.
    pub(super) fn least_covered(
        places: impl IntoIterator<Item = Self>,
        taken: &[Self],
        whole: &Self,
    ) -> Option<Self> {
        let covered = |place: &Self| taken.iter().filter(|other| place.overlaps(other)).count();
        places.into_iter().min_by_key(|place| (!place.is_within(whole), covered(place)))
    }
}

/// The approximate width of a line of text in sans-serif fonts, in pixels.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    text.chars().count() as i32 * size * 9 / 20
}
