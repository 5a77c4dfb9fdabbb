//! Charts for print: series of points over one axis, in panels one above the other, as SVG.
//!
//! The same chart gives the same bytes: there are no dates, and no fonts are measured.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Above all panels.
    pub title: String,
    /// The axis that the panels share.
    pub x: Axis,
    /// One above the other.
    pub panels: Vec<Panel>,
}

/// An axis: what is measured, and from where to where.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// With the unit.
    pub title: String,
    /// The ends.
    pub range: Range<f64>,
}

/// Series that have an axis in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn over it.
    pub series: Vec<Series>,
}

/// Points, with lines from each to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// For the legend.
    pub name: String,
    /// From left to right; those beyond the ends of an axis are left out.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: u32 = 800;
const PANEL_HEIGHT: u32 = 420;
const TOP: u32 = 12;
const TITLE_HEIGHT: u32 = 32;

/// Colours that are told apart by everybody (Okabe and Ito, *Color universal design*, 2008).
const COLORS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115), RGBColor(204, 121, 167)];

const FONT: &str = "sans-serif";

impl Axis {
    /// An axis from zero to a round number that is more than all of some values, and at least one.
    ///
    /// ```
    /// use lucena::chart::Axis;
    ///
    /// assert_eq!(Axis::from_zero("plies", [1.2, 3.1]).range, 0.0..4.0);
    /// assert_eq!(Axis::from_zero("leaves", [56.0, 5168.0]).range, 0.0..6000.0);
    /// assert_eq!(Axis::from_zero("plies", []).range, 0.0..1.0);
    /// ```
    pub fn from_zero(title: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Self {
        let values = values.into_iter().filter(|value| value.is_finite());
        let most = values.fold(0.0, f64::max);
        let mut step = 1.0;
        while step * 10.0 <= most {
            step *= 10.0;
        }
        Self { title: title.into(), range: 0.0..((most / step).floor() + 1.0) * step }
    }

    /// From 0 to 100 %.
    pub fn percent(title: impl Into<String>) -> Self {
        Self { title: title.into(), range: 0.0..100.0 }
    }

    /// Whether a value lies between the ends.
    fn has(&self, value: f64) -> bool {
        self.range.start <= value && value <= self.range.end
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;

impl Chart {
    /// The chart as SVG.
    ///
    /// ```
    /// use lucena::chart::{Axis, Chart, Panel, Series};
    ///
    /// let chart = Chart {
    ///     title: "KRvK".into(),
    ///     x: Axis::percent("learned from, %"),
    ///     panels: vec![Panel {
    ///         y: Axis::percent("right, %"),
    ///         series: vec![Series { name: "cart".into(), points: vec![(10.0, 60.0), (90.0, 88.0)] }],
    ///     }],
    /// };
    /// let svg = chart.to_svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("learned from, %"));
    /// assert_eq!(svg, chart.to_svg());
    /// ```
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        let height = TOP + TITLE_HEIGHT + PANEL_HEIGHT * self.panels.len() as u32;
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        self.draw(&root).expect("drawing into memory does not fail");
        drop(root);
        svg
    }

    fn draw<'a>(&self, root: &Area<'a>) -> Drawn<'a> {
        root.fill(&WHITE)?;
        let mut below = root.margin(TOP, 0, 0, 0).titled(&self.title, (FONT, 24))?;
        for panel in &self.panels {
            let (area, rest) = below.split_vertically(PANEL_HEIGHT);
            panel.draw(&area, &self.x)?;
            below = rest;
        }
        root.present()
    }
}

/// A label of an axis.
fn number(value: &f64) -> String {
    // The steps of an axis are round numbers; what is not comes from adding them up.
    ((value * 1e6).round() / 1e6).to_string()
}

impl Panel {
    /// On the right, where the lines are not.
    fn legend_position(&self, x: &Axis) -> SeriesLabelPosition {
        let middle = |range: &Range<f64>| (range.start + range.end) / 2.0;
        let points = self.series.iter().flat_map(|series| &series.points);
        let on_the_right = points.filter(|point| point.0 > middle(&x.range));
        let side = |&(_, y): &(f64, f64)| if y > middle(&self.y.range) { 1 } else { -1 };
        if on_the_right.map(side).sum::<i32>() > 0 {
            SeriesLabelPosition::LowerRight
        } else {
            SeriesLabelPosition::UpperRight
        }
    }

    fn draw<'a>(&self, area: &Area<'a>, x: &Axis) -> Drawn<'a> {
        let mut context = ChartBuilder::on(area)
            .margin(12)
            .margin_right(30)
            .x_label_area_size(60)
            .y_label_area_size(76)
            .build_cartesian_2d(x.range.clone(), self.y.range.clone())?;
        context
            .configure_mesh()
            .x_desc(&x.title)
            .y_desc(&self.y.title)
            .axis_desc_style((FONT, 19))
            .label_style((FONT, 16))
            .x_label_formatter(&number)
            .y_label_formatter(&number)
            .bold_line_style(BLACK.mix(0.2))
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (series, color) in self.series.iter().zip(COLORS.into_iter().cycle()) {
            let line = color.stroke_width(2);
            let on_axes = |&&(across, up): &&(f64, f64)| x.has(across) && self.y.has(up);
            let points: Vec<(f64, f64)> = series.points.iter().filter(on_axes).copied().collect();
            context
                .draw_series(LineSeries::new(points.iter().copied(), line))?
                .label(&series.name)
                .legend(move |(x, y)| {
                    EmptyElement::at((x, y))
                        + PathElement::new([(0, 0), (24, 0)], line)
                        + Circle::new((12, 0), 4, color.filled())
                });
            context.draw_series(points.iter().map(|&at| Circle::new(at, 4, color.filled())))?;
        }
        context
            .configure_series_labels()
            .position(self.legend_position(x))
            .legend_area_size(34)
            .margin(14)
            .label_font((FONT, 16))
            .background_style(WHITE)
            .border_style(BLACK.mix(0.4))
            .draw()
    }
}
