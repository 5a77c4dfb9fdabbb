//! Charts for print, as SVG: series of points in stacked panels with a shared axis, bars, and
//! matrices of counts.
//!
//! Equal charts give equal bytes: they have no dates, and no fonts are measured.

mod axis;
mod bars;
mod label_placement;
mod matrix;
mod svg;

pub use axis::{Axis, Scale};
pub use bars::BarChart;
pub use matrix::ConfusionChart;

use label_placement::{Rect, text_width};
use svg::{Anchor, Pixel, SvgWriter};

/// A chart of one or more panels.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title above all panels.
    pub title: String,
    /// The axis that the panels share.
    pub x: Axis,
    /// The panels, top to bottom. Series with the same name share a colour and a line in the legend
    /// below all panels.
    pub panels: Vec<Panel>,
}

/// Series with a common vertical axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The vertical axis.
    pub y: Axis,
    /// The series drawn over it.
    pub series: Vec<Series>,
}

/// A series of points; points beyond the ends of an axis are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    shape: SeriesShape,
    /// Points (x, y), each with the text beside it.
    points: Vec<((f64, f64), Option<String>)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum SeriesShape {
    /// Points from left to right, joined by lines.
    Line,
    /// Single points.
    Dots,
}

/// A labelled point.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// The point, as (x, y).
    pub at: (f64, f64),
    /// The text beside it.
    pub label: String,
}

impl Series {
    /// Points joined by lines.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let points = points.into_iter().map(|at| (at, None)).collect();
        Self { name: name.into(), shape: SeriesShape::Line, points }
    }

    /// Single points.
    pub fn dots(name: impl Into<String>, dots: Vec<Dot>) -> Self {
        let points = dots.into_iter().map(|dot| (dot.at, Some(dot.label))).collect();
        Self { name: name.into(), shape: SeriesShape::Dots, points }
    }

    /// Returns true if there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Draws marks and, in a series of joined points, the line through some pixels.
    fn draw(&self, svg: &mut SvgWriter, line: &[Pixel], marks: &[Pixel], color: &str) {
        match self.shape {
            SeriesShape::Line => {
                svg.path(line, color);
                marks.iter().for_each(|&at| svg.circle(at, POINT, color));
            }
            SeriesShape::Dots => marks.iter().for_each(|&at| svg.triangle(at, DOT, color)),
        }
    }
}

const WIDTH: i32 = 800;
const PANEL_HEIGHT: i32 = 340;
const TOP: i32 = 12;
const TITLE_HEIGHT: i32 = 32;

/// The margins of a panel around its points, for the text at its axes.
const LEFT: i32 = 88;
const RIGHT: i32 = 30;
const ABOVE: i32 = 12;
const BELOW: i32 = 72;

/// Colours that colour-blind people can tell apart (Okabe and Ito, *Color universal design*, 2008).
const COLORS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"];

/// Font sizes: of the title, of the axis titles, and of all other text.
const TITLE: i32 = 19;
const AXIS_TITLE: i32 = 15;
const LETTERS: i32 = 13;
/// The line height of such text.
const TEXT: i32 = 16;
/// The radii of the points of lines, and of single points.
const POINT: i32 = 4;
const DOT: i32 = 6;
/// The opacities of the axes, of grid lines at labelled values, and of those between.
const FULL: f64 = 1.0;
const LIGHT: f64 = 0.2;
const FAINT: f64 = 0.07;
/// The length of the ticks outside an axis.
const TICK: i32 = 5;

/// The sides of a point that its label may be on, best first.
const SIDES: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
/// The distance of the label from the point.
const DISTANCE: i32 = DOT + 1;

/// The free space on either side of a label; and the most lines of text that it may be moved
/// further away.
const GAP: i32 = 3;
const FURTHER: i32 = 8;

/// The height of a line of the legend.
const LEGEND_HEIGHT: i32 = 22;
/// The left edge of the legend's texts.
const LEGEND_WORDS: i32 = LEFT + 36;
const BOTTOM: i32 = 16;

impl Chart {
    /// The chart as SVG.
    ///
    /// ```
    /// use lucena_explain::chart::{Axis, Chart, Panel, Series};
    ///
    /// let chart = Chart {
    ///     title: "KRvK".into(),
    ///     x: Axis::percent("learned from, %"),
    ///     panels: vec![Panel {
    ///         y: Axis::percent("right, %"),
    ///         series: vec![Series::line("cart", vec![(10.0, 60.0), (90.0, 88.0)])],
    ///     }],
    /// };
    /// let svg = chart.to_svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("learned from, %"));
    /// assert_eq!(svg, chart.to_svg());
    /// ```
    pub fn to_svg(&self) -> String {
        let [panels, names] = [self.panels.len(), self.names().len()].map(|count| count as i32);
        let legend = TOP + TITLE_HEIGHT + PANEL_HEIGHT * panels;
        let mut svg = SvgWriter::new(WIDTH, legend + LEGEND_HEIGHT * names + BOTTOM);
        svg.text((WIDTH / 2, TOP + 5), Anchor::Middle, TITLE, &self.title);
        for (number, panel) in (0..).zip(&self.panels) {
            let top = TOP + TITLE_HEIGHT + PANEL_HEIGHT * number + ABOVE;
            let height = PANEL_HEIGHT - ABOVE - BELOW;
            let whole = Rect { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height };
            PanelDrawing { chart: self, panel, whole }.draw(&mut svg);
        }
        self.draw_legend(&mut svg, legend);
        svg.finish()
    }

    /// The entries of the legend: the first series of each name.
    fn names(&self) -> Vec<&Series> {
        let mut first: Vec<&Series> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if first.iter().all(|other| other.name != series.name) {
                first.push(series);
            }
        }
        first
    }

    /// The colour of the series with a name.
    fn color(&self, name: &str) -> &'static str {
        let place = self.names().iter().position(|series| series.name == name);
        COLORS[place.unwrap_or(0) % COLORS.len()]
    }

    /// Draws the legend, a line for each name.
    fn draw_legend(&self, svg: &mut SvgWriter, top: i32) {
        for (number, series) in (0..).zip(self.names()) {
            let y = top + number * LEGEND_HEIGHT + LEGEND_HEIGHT / 2;
            let color = self.color(&series.name);
            series.draw(svg, &[(LEFT, y), (LEFT + 24, y)], &[(LEFT + 12, y)], color);
            svg.text((LEGEND_WORDS, y - TEXT / 2 + 1), Anchor::Start, LETTERS, &series.name);
        }
    }
}

/// A panel at its place in the chart.
struct PanelDrawing<'a> {
    chart: &'a Chart,
    panel: &'a Panel,
    /// The area for its points.
    whole: Rect,
}

impl PanelDrawing<'_> {
    fn draw(&self, svg: &mut SvgWriter) {
        self.draw_x(svg);
        draw_upwards(svg, &self.panel.y, self.whole);
        for series in &self.panel.series {
            let color = self.chart.color(&series.name);
            let pixels = self.pixels(series);
            series.draw(svg, &pixels, &pixels, color);
        }
        self.draw_labels(svg);
    }

    /// Draws the horizontal axis: vertical grid lines, labels and title.
    fn draw_x(&self, svg: &mut SvgWriter) {
        let (Rect { left, top, width, height }, axis) = (self.whole, &self.chart.x);
        let bottom = top + height;
        for step in axis.small_steps() {
            svg.line((self.x(step), top), (self.x(step), bottom), FAINT);
        }
        for step in axis.steps() {
            let x = self.x(step);
            svg.line((x, top), (x, bottom), LIGHT);
            svg.line((x, bottom), (x, bottom + TICK), FULL);
            svg.text((x, bottom + 2 * TICK), Anchor::Middle, LETTERS, &axis::figure(step));
        }
        svg.line((left, bottom), (left + width, bottom), FULL);
        let below = (left + width / 2, top + height + BELOW - AXIS_TITLE - 14);
        svg.text(below, Anchor::Middle, AXIS_TITLE, &axis.title);
    }

    fn x(&self, value: f64) -> i32 {
        self.whole.left + self.chart.x.pixels(value, self.whole.width)
    }

    fn y(&self, value: f64) -> i32 {
        y_pixel(&self.panel.y, self.whole, value)
    }

    /// The points within the axes, with their labels.
    fn points<'s>(&self, series: &'s Series) -> Vec<(Pixel, Option<&'s str>)> {
        let has = |(across, up): (f64, f64)| self.chart.x.has(across) && self.panel.y.has(up);
        let points = series.points.iter().filter(|(at, _)| has(*at));
        let pixel = |(across, up): (f64, f64)| (self.x(across), self.y(up));
        points.map(|(at, label)| (pixel(*at), label.as_deref())).collect()
    }

    fn pixels(&self, series: &Series) -> Vec<Pixel> {
        self.points(series).into_iter().map(|(at, _)| at).collect()
    }

    /// The areas covered by points and lines.
    fn taken(&self) -> Vec<Rect> {
        let mut taken = Vec::new();
        for series in &self.panel.series {
            let pixels = self.pixels(series);
            match series.shape {
                SeriesShape::Line => {
                    taken.extend(pixels.iter().map(|&at| Rect::around(at, POINT)));
                    let lines = pixels.windows(2).map(|ends| Rect::along(ends[0], ends[1]));
                    taken.extend(lines.flatten());
                }
                SeriesShape::Dots => taken.extend(pixels.iter().map(|&at| Rect::around(at, DOT))),
            }
        }
        taken
    }

    /// Writes each point's label beside it, where it covers least.
    fn draw_labels(&self, svg: &mut SvgWriter) {
        let mut taken = self.taken();
        for (at, label) in self.panel.series.iter().flat_map(|series| self.points(series)) {
            let Some(label) = label else { continue };
            let size = (text_width(label, TEXT) + 2 * GAP, TEXT);
            let rooms = (0..FURTHER).flat_map(|lines| {
                let distance = DISTANCE + lines * TEXT;
                SIDES.map(|side| Rect::beside(at, side, distance, size).shifted_into(&self.whole))
            });
            let room = Rect::least_covered(rooms, &taken, &self.whole).expect("there are sides");
            svg.text((room.left + GAP, room.top), Anchor::Start, LETTERS, label);
            taken.push(room);
        }
    }
}

/// Draws the vertical axis: horizontal grid lines, labels and title.
fn draw_upwards(svg: &mut SvgWriter, axis: &Axis, whole: Rect) {
    let Rect { left, top, width, height } = whole;
    for step in axis.small_steps() {
        let y = y_pixel(axis, whole, step);
        svg.line((left, y), (left + width, y), FAINT);
    }
    for step in axis.steps() {
        let y = y_pixel(axis, whole, step);
        svg.line((left, y), (left + width, y), LIGHT);
        svg.line((left - TICK, y), (left, y), FULL);
        let before = (left - 2 * TICK, y - TEXT * 3 / 8);
        svg.text(before, Anchor::End, LETTERS, &axis::figure(step));
    }
    svg.line((left, top), (left, top + height), FULL);
    svg.text_upwards((12, top + height / 2), Anchor::Middle, AXIS_TITLE, &axis.title);
}

/// The y coordinate of a value of the vertical axis.
fn y_pixel(axis: &Axis, whole: Rect, value: f64) -> i32 {
    whole.top + whole.height - axis.pixels(value, whole.height)
}
