//! Charts for print: series of points over one axis, in panels one above the other, as SVG.
//!
//! The same chart gives the same bytes: there are no dates, and no fonts are measured.

mod axis;
mod room;

pub use axis::{Axis, Scale};

use axis::Coordinate;
use plotters::coord::Shift;
use plotters::prelude::*;
use room::{Room, text_width};

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Above all panels.
    pub title: String,
    /// The axis that the panels share.
    pub x: Axis,
    /// One above the other. What has the same name in several of them has the same colour, and one
    /// line in the legend, which is below them all.
    pub panels: Vec<Panel>,
}

/// Series that have an axis in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn over it.
    pub series: Vec<Series>,
}

/// Points that belong together; those beyond the ends of an axis are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// For the legend.
    pub name: String,
    /// What there is.
    pub points: Points,
}

/// The points of a series, across and up.
#[derive(Debug, Clone, PartialEq)]
pub enum Points {
    /// From left to right, with lines from each to the next.
    Line(Vec<(f64, f64)>),
    /// Each by itself.
    Dots(Vec<Dot>),
}

/// A point with a name of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Dot {
    /// Where it is.
    pub at: (f64, f64),
    /// What is written beside it.
    pub label: String,
}

impl Series {
    /// Points with lines between them.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), points: Points::Line(points) }
    }

    /// Single points.
    pub fn dots(name: impl Into<String>, dots: Vec<Dot>) -> Self {
        Self { name: name.into(), points: Points::Dots(dots) }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        match &self.points {
            Points::Line(points) => points.is_empty(),
            Points::Dots(dots) => dots.is_empty(),
        }
    }

    /// Its points that are on the axes, with what is written beside them.
    fn points(&self, x: &Axis, y: &Axis) -> Vec<((f64, f64), Option<&str>)> {
        let all: Vec<((f64, f64), Option<&str>)> = match &self.points {
            Points::Line(points) => points.iter().map(|&at| (at, None)).collect(),
            Points::Dots(dots) => {
                dots.iter().map(|dot| (dot.at, Some(dot.label.as_str()))).collect()
            }
        };
        all.into_iter().filter(|((across, up), _)| x.has(*across) && y.has(*up)).collect()
    }
}

const WIDTH: u32 = 800;
const PANEL_HEIGHT: u32 = 340;
const TOP: u32 = 12;
const TITLE_HEIGHT: u32 = 32;

/// Colours that are told apart by everybody (Okabe and Ito, *Color universal design*, 2008).
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    BLACK,
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

const FONT: &str = "sans-serif";
const TEXT: i32 = 16;
/// How far the points of lines reach, and those that stand by themselves.
const POINT: i32 = 4;
const DOT: i32 = 6;

/// The sides of a dot that its label may be on, the best first.
const SIDES: [(i32, i32); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
/// How far from it, and how often a line of text further.
const DISTANCE: i32 = DOT + 1;

/// What a label keeps free on either side of it.
const GAP: i32 = 3;
const FURTHER: i32 = 8;

/// Of a line of the legend.
const LEGEND_HEIGHT: i32 = 22;
/// How far from the left its lines start, and its words.
const LEGEND_LEFT: i32 = 88;
const LEGEND_WORDS: i32 = LEGEND_LEFT + 36;
const BOTTOM: u32 = 16;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn<'a> = Result<(), DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>>;
type Context<'c, 'a> = ChartContext<'c, SVGBackend<'a>, Cartesian2d<Coordinate, Coordinate>>;

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
    ///         series: vec![Series::line("cart", vec![(10.0, 60.0), (90.0, 88.0)])],
    ///     }],
    /// };
    /// let svg = chart.to_svg();
    /// assert!(svg.starts_with("<svg") && svg.contains("learned from, %"));
    /// assert_eq!(svg, chart.to_svg());
    /// ```
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        let [panels, names] = [self.panels.len(), self.names().len()].map(|count| count as u32);
        let legend = names * LEGEND_HEIGHT as u32;
        let height = TOP + TITLE_HEIGHT + PANEL_HEIGHT * panels + legend + BOTTOM;
        let root = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        self.draw(&root).expect("drawing into memory does not fail");
        drop(root);
        svg
    }

    /// What the legend has, a series for each name.
    fn names(&self) -> Vec<&Series> {
        let mut first: Vec<&Series> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if first.iter().all(|other| other.name != series.name) {
                first.push(series);
            }
        }
        first
    }

    /// The colour of everything with a name.
    fn color(&self, name: &str) -> RGBColor {
        let place = self.names().iter().position(|series| series.name == name);
        COLORS[place.unwrap_or(0) % COLORS.len()]
    }

    fn draw<'a>(&self, root: &Area<'a>) -> Drawn<'a> {
        root.fill(&WHITE)?;
        let mut below = root.margin(TOP, 0, 0, 0).titled(&self.title, (FONT, 24))?;
        for panel in &self.panels {
            let (area, rest) = below.split_vertically(PANEL_HEIGHT);
            panel.draw(&area, self)?;
            below = rest;
        }
        self.draw_legend(&below)?;
        root.present()
    }

    /// What the colours mean, a line for each name.
    fn draw_legend<'a>(&self, below: &Area<'a>) -> Drawn<'a> {
        for (number, series) in self.names().into_iter().enumerate() {
            let y = number as i32 * LEGEND_HEIGHT + LEGEND_HEIGHT / 2;
            let color = self.color(&series.name);
            let middle = (LEGEND_LEFT + 12, y);
            match series.points {
                Points::Line(_) => {
                    let ends = [(LEGEND_LEFT, y), (LEGEND_LEFT + 24, y)];
                    below.draw(&PathElement::new(ends, color.stroke_width(2)))?;
                    below.draw(&Circle::new(middle, POINT, color.filled()))?;
                }
                Points::Dots(_) => {
                    below.draw(&TriangleMarker::new(middle, DOT, color.filled()))?;
                }
            }
            let words = (LEGEND_WORDS, y - TEXT / 2 + 1);
            below.draw(&Text::new(series.name.clone(), words, (FONT, TEXT)))?;
        }
        Ok(())
    }
}

impl Panel {
    fn draw<'a>(&self, area: &Area<'a>, chart: &Chart) -> Drawn<'a> {
        let x = &chart.x;
        let mut context = ChartBuilder::on(area)
            .margin(12)
            .margin_right(30)
            .x_label_area_size(60)
            .y_label_area_size(76)
            .build_cartesian_2d(Coordinate(x.clone()), Coordinate(self.y.clone()))?;
        context
            .configure_mesh()
            .x_desc(&x.title)
            .y_desc(&self.y.title)
            .axis_desc_style((FONT, 18))
            .label_style((FONT, TEXT))
            .bold_line_style(BLACK.mix(0.2))
            .light_line_style(BLACK.mix(0.07))
            .draw()?;
        for series in &self.series {
            series.draw(&mut context, (x, &self.y), chart.color(&series.name))?;
        }
        self.draw_labels(&mut context, x)
    }

    /// What the points and lines cover.
    fn taken(&self, context: &Context<'_, '_>, x: &Axis) -> Vec<Room> {
        let mut taken = Vec::new();
        for series in &self.series {
            let points = series.points(x, &self.y);
            let pixels: Vec<(i32, i32)> =
                points.iter().map(|(at, _)| context.backend_coord(at)).collect();
            match series.points {
                Points::Line(_) => {
                    taken.extend(pixels.iter().map(|&at| Room::around(at, POINT)));
                    let lines = pixels.windows(2).map(|ends| Room::along(ends[0], ends[1]));
                    taken.extend(lines.flatten());
                }
                Points::Dots(_) => taken.extend(pixels.iter().map(|&at| Room::around(at, DOT))),
            }
        }
        taken
    }

    /// Writes beside every dot what it is, where nothing else is.
    fn draw_labels<'c, 'a: 'c>(&self, context: &mut Context<'c, 'a>, x: &Axis) -> Drawn<'a> {
        let (whole, mut taken) = (whole(context), self.taken(context, x));
        for (point, label) in self.series.iter().flat_map(|series| series.points(x, &self.y)) {
            let Some(label) = label else { continue };
            let at = context.backend_coord(&point);
            let size = (text_width(label, TEXT) + 2 * GAP, TEXT);
            let rooms = (0..FURTHER).flat_map(|lines| {
                let distance = DISTANCE + lines * TEXT;
                SIDES.map(|side| Room::beside(at, side, distance, size).kept_in(&whole))
            });
            let room = Room::freest(rooms, &taken, &whole).expect("there are sides");
            let offset = (room.left + GAP - at.0, room.top - at.1);
            let text = Text::new(label.to_owned(), offset, (FONT, TEXT));
            context.draw_series([EmptyElement::at(point) + text])?;
            taken.push(room);
        }
        Ok(())
    }
}

/// Where a panel's points may be.
fn whole(context: &Context<'_, '_>) -> Room {
    let (across, down) = context.plotting_area().get_pixel_range();
    Room {
        left: across.start,
        top: down.start,
        width: across.end - across.start,
        height: down.end - down.start,
    }
}

impl Series {
    fn draw<'c, 'a: 'c>(
        &self,
        context: &mut Context<'c, 'a>,
        (x, y): (&Axis, &Axis),
        color: RGBColor,
    ) -> Drawn<'a> {
        let points: Vec<(f64, f64)> = self.points(x, y).into_iter().map(|(at, _)| at).collect();
        let line = color.stroke_width(2);
        match self.points {
            Points::Line(_) => {
                context.draw_series(LineSeries::new(points.iter().copied(), line))?;
                context
                    .draw_series(points.iter().map(|&at| Circle::new(at, POINT, color.filled())))?;
            }
            Points::Dots(_) => {
                let dot = |at| TriangleMarker::new(at, DOT, color.filled());
                context.draw_series(points.into_iter().map(dot))?;
            }
        }
        Ok(())
    }
}
