//! Bar charts of counts.

use super::axis::Axis;
use super::label_placement::{Rect, text_width};
use super::svg::{Anchor, SvgWriter};
use super::{
    ABOVE, BELOW, BOTTOM, COLORS, FULL, GAP, LEFT, LETTERS, PANEL_HEIGHT, RIGHT, TEXT, TITLE,
    TITLE_HEIGHT, TOP, WIDTH, draw_upwards, y_pixel,
};

/// Counts as bars side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BarChart {
    /// The title.
    pub title: String,
    /// The title of the vertical axis.
    pub counted: String,
    /// The bars from left to right: name and count.
    pub bars: Vec<(String, u64)>,
}

/// The free space on either side of a bar, in per cent of its slot.
const BETWEEN: i32 = 12;

impl BarChart {
    /// The bars as SVG.
    ///
    /// ```
    /// use lucena_explain::chart::BarChart;
    ///
    /// let bars = BarChart {
    ///     title: "Animals".into(),
    ///     counted: "how many".into(),
    ///     bars: vec![("cat".into(), 3), ("dog".into(), 1)],
    /// };
    /// let svg = bars.to_svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("how many") && svg.contains("dog"));
    /// ```
    pub fn to_svg(&self) -> String {
        let names = self.bars.iter().map(|(name, _)| text_width(name, LETTERS + 2)).max();
        let below = names.unwrap_or(0) + 2 * GAP + BOTTOM;
        let top = TOP + TITLE_HEIGHT + ABOVE;
        let height = PANEL_HEIGHT - ABOVE - BELOW;
        let whole = Rect { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height };
        let mut svg = SvgWriter::new(WIDTH, top + height + below);
        svg.text((WIDTH / 2, TOP + 5), Anchor::Middle, TITLE, &self.title);
        let counts = self.bars.iter().map(|&(_, count)| count as f64);
        let axis = Axis::from_zero(&*self.counted, counts);
        draw_upwards(&mut svg, &axis, whole);
        let (number, bottom) = (self.bars.len().max(1) as i32, top + height);
        // With too many bars for all names, only every few bars are named.
        let named = (TEXT * number + whole.width - 1) / whole.width;
        for (at, (name, count)) in (0..).zip(&self.bars) {
            let [left, right] = [at, at + 1].map(|at| LEFT + whole.width * at / number);
            let free = (right - left) * BETWEEN / 100;
            let y = y_pixel(&axis, whole, *count as f64);
            let size = (right - left - 2 * free, bottom - y);
            svg.cell((left + free, y), size, COLORS[0], COLORS[0]);
            if at % named == 0 {
                let middle = (left + right) / 2 - LETTERS * 38 / 100;
                svg.text_upwards((middle, bottom + 2 * GAP), Anchor::End, LETTERS, name);
            }
        }
        svg.line((LEFT, bottom), (LEFT + whole.width, bottom), FULL);
        svg.finish()
    }
}
