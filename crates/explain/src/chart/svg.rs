//! The drawing primitives of charts: lines, circles, triangles and texts on a white background.

use lucena_base::svg::escape;
use std::fmt::Write;

/// A point in pixels from the left and from the top.
pub(super) type Pixel = (i32, i32);

const FONT: &str = "sans-serif";

/// An SVG document being written.
pub(super) struct SvgWriter(String);

/// The alignment of a text at its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl SvgWriter {
    /// A white document.
    pub(super) fn new(width: i32, height: i32) -> Self {
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" font-family=\"{FONT}\">\n\
             <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        ))
    }

    /// A thin black line with an opacity.
    pub(super) fn line(&mut self, from: Pixel, to: Pixel, opacity: f64) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.element(format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"black\" \
             opacity=\"{opacity}\"/>"
        ));
    }

    /// A polyline.
    pub(super) fn path(&mut self, points: &[Pixel], color: &str) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        self.element(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        ));
    }

    /// A filled circle.
    pub(super) fn circle(&mut self, (x, y): Pixel, radius: i32, color: &str) {
        self.element(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{color}\"/>"
        ));
    }

    /// A filled triangle that points upwards; its corners are on a circle.
    pub(super) fn triangle(&mut self, (x, y): Pixel, radius: i32, color: &str) {
        // The lower corners are 30 degrees below the centre: cos 30° is 0.866.
        let (across, down) = ((f64::from(radius) * 0.866).round() as i32, radius / 2);
        let (left, right, top, bottom) = (x - across, x + across, y - radius, y + down);
        self.element(format_args!(
            "<polygon points=\"{x},{top} {right},{bottom} {left},{bottom}\" fill=\"{color}\"/>"
        ));
    }

    /// A filled rectangle with a thin edge, from its upper left corner.
    pub(super) fn cell(&mut self, (x, y): Pixel, (width, height): Pixel, color: &str, edge: &str) {
        self.element(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\" \
             stroke=\"{edge}\"/>"
        ));
    }

    /// A line of text with its top at a point.
    pub(super) fn text(&mut self, at: Pixel, anchor: Anchor, size: i32, text: &str) {
        self.text_with(at, anchor, size, text, "");
    }

    /// A centred line of text in a colour, with its top at a point.
    pub(super) fn colored_text(&mut self, at: Pixel, size: i32, text: &str, color: &str) {
        self.text_with(at, Anchor::Middle, size, text, &format!(" fill=\"{color}\""));
    }

    /// A line of text that reads upwards, aligned at a point.
    pub(super) fn text_upwards(&mut self, (x, y): Pixel, anchor: Anchor, size: i32, text: &str) {
        let turn = format!(" transform=\"rotate(-90 {x} {y})\"");
        self.text_with((x, y), anchor, size, text, &turn);
    }

    fn text_with(&mut self, (x, y): Pixel, anchor: Anchor, size: i32, text: &str, more: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        // The ascent of a letter is about 0.76 of its size.
        self.element(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.76em\" text-anchor=\"{anchor}\" \
             font-size=\"{size}\"{more}>\n{}\n</text>",
            escape(text)
        ));
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.0, "{element}").expect("a string takes any text");
    }

    /// The finished document.
    pub(super) fn finish(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}
