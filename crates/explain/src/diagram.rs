//! A position as an SVG picture; equal diagrams give equal bytes.
//!
//! White is at the bottom. Highlights differ in shape, not only in colour, so that they can be
//! distinguished in black and white. The men are the chess characters of Unicode, set as text in
//! fonts of which nearly every machine has one.

use lucena_base::named::named;
use lucena_base::svg::escape;
use lucena_chess::{Bitboard, File, Move, Piece, Position, Rank, Role, Square, color_name};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::fmt::Write;

/// A position with a title, an arrow and highlights.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The position. With an arrow, it is the position after the move; the moved man is also drawn
    /// faintly on the square it left.
    pub position: Position,
    /// The text above the board.
    pub title: String,
    /// A move, as an arrow.
    pub arrow: Option<Move>,
    /// Highlighted squares, each kind with a line in the legend.
    pub highlights: Vec<Highlight>,
}

/// Squares highlighted in one way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub struct Highlight {
    /// The highlight: ring, region, dot, cross or hatch.
    #[schemars(with = "String")]
    pub shape: Shape,
    /// The squares.
    #[serde(serialize_with = "as_list")]
    #[schemars(with = "Vec<String>")]
    pub squares: Bitboard,
    /// The meaning of the highlight.
    pub label: String,
}

/// Writes squares as a list of their names.
fn as_list<S: Serializer>(squares: &Bitboard, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.into_iter().map(|square| square.to_string()))
}

/// Highlighted squares, or a move as an arrow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Mark {
    /// Squares.
    Squares(Highlight),
    /// Squares, each with a number.
    Numbers {
        /// Always number.
        shape: &'static str,
        /// The squares.
        squares: Vec<String>,
        /// The number of each square, in the same order.
        numbers: Vec<u16>,
        /// The meaning of the numbers.
        label: String,
    },
    /// A move.
    Arrow {
        /// Always arrow.
        shape: &'static str,
        /// The square that the move starts from.
        from: String,
        /// The square that it ends on.
        to: String,
        /// The meaning of the arrow.
        label: String,
    },
}

impl Mark {
    /// All highlights that have squares.
    pub fn all(highlights: &[Highlight]) -> Vec<Self> {
        let shown = highlights.iter().filter(|one| !one.squares.is_empty());
        shown.cloned().map(Self::Squares).collect()
    }

    /// The areas, which are marked in another way than by rings.
    pub(super) fn areas(marks: &[Self]) -> Vec<&Highlight> {
        let areas = marks.iter().filter_map(|mark| match mark {
            Self::Squares(one) if one.shape != Shape::Ring => Some(one),
            Self::Squares(_) | Self::Numbers { .. } | Self::Arrow { .. } => None,
        });
        areas.collect()
    }

    /// Squares with what each adds to a sum; `None` without any.
    pub fn numbers(parts: &[(Square, u16)]) -> Option<Self> {
        let (squares, numbers) =
            parts.iter().map(|&(square, number)| (square.to_string(), number)).unzip();
        let label = "what each square adds".into();
        (!parts.is_empty()).then_some(Self::Numbers { shape: "number", squares, numbers, label })
    }

    /// A move as an arrow.
    pub fn arrow(mv: Move, label: impl Into<String>) -> Self {
        let [from, to] = [mv.from, mv.to].map(|square| square.to_string());
        Self::Arrow { shape: "arrow", from, to, label: label.into() }
    }
}

/// The shape that highlights squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A ring around a man.
    Ring,
    /// A tinted region with a dashed border.
    Region,
    /// A tint, and a dot in a corner, of each square.
    Dot,
    /// A small cross in each square.
    Cross,
    /// Hatching.
    Hatch,
}

named!(Shape { "ring": Ring, "region": Region, "dot": Dot, "cross": Cross, "hatch": Hatch });

/// The width of a square.
const SIZE: i32 = 48;
/// The distance of the board from the left edge.
const LEFT: i32 = 28;
/// The distance of the board from the upper edge.
const TOP: i32 = 40;
/// The height of a line of the legend.
const LINE: i32 = 22;

/// The pattern of hatched squares.
const HATCHING: &str = "<defs><pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 8L8 0M-2 2L2 -2M6 10L10 6\" stroke=\"#777\" stroke-width=\"1.2\"/></pattern></defs>";

/// Fonts that have the chess characters.
const FONTS: &str = "'DejaVu Sans', 'Noto Sans Symbols 2', 'Noto Sans Symbols2', 'Segoe UI Symbol', 'Apple Symbols', 'FreeSerif', 'Arial Unicode MS', sans-serif";

const STYLE: &str = "\
.dark{fill:#d8d4cc}.edge{fill:none;stroke:#333;stroke-width:1.5}
.small{font-size:12px;fill:#333}.title{font-size:16px;font-weight:bold;fill:#111}
.man{font-size:42px;text-anchor:middle}.white{fill:#fff;stroke:#111;stroke-width:1.4}.black{fill:#111}
.left{opacity:.3}.ring{fill:none;stroke:#b3261e;stroke-width:2.5}
.region{fill:#1f6feb;fill-opacity:.13}.border{fill:none;stroke:#1f6feb;stroke-width:2.5;stroke-dasharray:7 4}
.dot{fill:#7a3db8}.shade{fill:#7a3db8;fill-opacity:.16}.cross{fill:none;stroke:#137333;stroke-width:2.2}
.hatch{fill:url(#hatch)}.arrow{fill:#e07b00;stroke:none;opacity:.85}";

impl Diagram {
    /// The picture as an SVG file.
    ///
    /// ```
    /// use lucena_explain::diagram::Diagram;
    ///
    /// let position = "8/8/8/8/8/1k6/8/K1R5 w - - 0 1".parse()?;
    /// let diagram = Diagram { position, title: "a <study>".into(), arrow: None, highlights: Vec::new() };
    /// let svg = diagram.to_svg();
    /// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    /// assert!(svg.contains("a &lt;study&gt;"));
    /// # Ok::<(), lucena_chess::FenError>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let legend: Vec<&Highlight> =
            self.highlights.iter().filter(|one| !one.squares.is_empty()).collect();
        let width = LEFT + 8 * SIZE + LEFT;
        let below = TOP + 8 * SIZE + 24;
        let height = below + LINE * legend.len() as i32 + 12;
        let beginning =
            picture_beginning((width, height), &self.title, (LEFT, 26), STYLE, HATCHING);
        let mut svg = vec![beginning, board()];
        svg.extend(self.highlights.iter().map(Highlight::under_the_men));
        svg.extend(self.arrow.map(arrow));
        svg.push(self.men());
        svg.extend(self.highlights.iter().map(Highlight::over_the_men));
        svg.extend((0..).zip(&legend).map(|(number, one)| {
            let (y, sign, label) = (below + LINE * number, one.shape.sign(), escape(&one.label));
            format!(
                "<g transform=\"translate({LEFT} {y})\">{sign}<text class=\"small\" x=\"26\" y=\"13\">{label}</text></g>"
            )
        }));
        svg.join("\n") + "\n</svg>\n"
    }

    fn men(&self) -> String {
        let mut men = String::new();
        for (piece, square) in self.position.men() {
            let moved = self.arrow.filter(|mv| mv.to == square);
            if let Some(mv) = moved {
                let _ = write!(men, "<g class=\"left\">{}</g>", man(piece, mv.from));
            }
            men += &man(piece, square);
        }
        men
    }
}

/// The beginning of a picture of some size, up to its title at a point.
pub(crate) fn picture_beginning(
    (width, height): (i32, i32),
    title: &str,
    (x, y): (i32, i32),
    style: &str,
    definitions: &str,
) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\">\n\
         <title>{title}</title>\n<style>\n{style}\n</style>\n{definitions}\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text class=\"title\" x=\"{x}\" y=\"{y}\">{title}</text>"
    )
}

/// The shared definitions of small boards without legends, to be included once in a picture.
pub(crate) fn small_boards() -> String {
    let mut dark = String::new();
    for square in Square::ALL.into_iter().filter(|square| is_dark(*square)) {
        let (file, rank) = (square.file() as i32, 7 - square.rank() as i32);
        let _ = write!(dark, "M{} {}h{SIZE}v{SIZE}h-{SIZE}z", SIZE * file, SIZE * rank);
    }
    let side = 8 * SIZE;
    format!(
        "<style>\n.man{{font-size:42px;text-anchor:middle}}.white{{fill:#fff;stroke:#111;stroke-width:1.4}}.black{{fill:#111}}\n</style>\n\
         <defs><g id=\"board\"><rect width=\"{side}\" height=\"{side}\" fill=\"#fff\" stroke=\"#333\" stroke-width=\"4\"/><path fill=\"#d8d4cc\" d=\"{dark}\"/></g></defs>"
    )
}

/// A position on a board `side` pixels wide, with its upper left corner at a point of a picture
/// that includes [`small_boards`].
pub(crate) fn small_board(position: &Position, (x, y): (i32, i32), side: i32) -> String {
    let scale = f64::from(side) / f64::from(8 * SIZE);
    let men: String = position.men().map(|(piece, square)| man(piece, square)).collect();
    format!(
        "<g transform=\"translate({x} {y}) scale({scale:.4})\"><use href=\"#board\"/><g transform=\"translate(-{LEFT} -{TOP})\">{men}</g></g>"
    )
}

fn is_dark(square: Square) -> bool {
    (square.file() as i32 + square.rank() as i32) % 2 == 0
}

impl Shape {
    /// The shape as an 18 by 18 symbol for the legend.
    fn sign(self) -> &'static str {
        match self {
            Self::Ring => "<circle class=\"ring\" cx=\"9\" cy=\"9\" r=\"7\"/>",
            Self::Region => {
                "<rect class=\"region\" width=\"18\" height=\"18\"/><rect class=\"border\" width=\"18\" height=\"18\"/>"
            }
            Self::Dot => {
                "<rect class=\"shade\" width=\"18\" height=\"18\"/><circle class=\"dot\" cx=\"9\" cy=\"9\" r=\"4\"/>"
            }
            Self::Cross => "<path class=\"cross\" d=\"M4 4l10 10m0 -10l-10 10\"/>",
            Self::Hatch => "<rect class=\"hatch\" width=\"18\" height=\"18\"/>",
        }
    }
}

impl Highlight {
    fn under_the_men(&self) -> String {
        let each = |draw: &dyn Fn(i32, i32) -> String| -> String {
            let corners = self.squares.into_iter().map(corner);
            corners.map(|(x, y)| draw(x, y)).collect()
        };
        let tile = |class: &str| {
            each(&|x, y| {
                format!(
                    "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\"/>"
                )
            })
        };
        match self.shape {
            Shape::Ring => String::new(),
            Shape::Region => tile("region") + &self.border(),
            Shape::Hatch => tile("hatch"),
            Shape::Dot => {
                let dot = |x, y| {
                    let (x, y) = (x + SIZE - 8, y + 8);
                    format!("<circle class=\"dot\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>")
                };
                tile("shade") + &each(&dot)
            }
            Shape::Cross => each(&|x, y| {
                let (x, y) = (x + SIZE / 2 - 6, y + SIZE / 2 - 6);
                format!("<path class=\"cross\" d=\"M{x} {y}l12 12m0 -12l-12 12\"/>")
            }),
        }
    }

    fn over_the_men(&self) -> String {
        if self.shape != Shape::Ring {
            return String::new();
        }
        let ring = |square| {
            let (x, y) = middle(square);
            format!("<circle class=\"ring\" cx=\"{x}\" cy=\"{y}\" r=\"22\"/>")
        };
        self.squares.into_iter().map(ring).collect()
    }

    /// The border of the region: the sides of squares without a neighbour in it.
    fn border(&self) -> String {
        let has = |file: i32, rank: i32| {
            let inside = (0..8).contains(&file) && (0..8).contains(&rank);
            inside && self.squares.has(Square::index((8 * rank + file) as usize))
        };
        let mut path = String::new();
        for square in self.squares {
            let (file, rank) = (square.file() as i32, square.rank() as i32);
            let (x, y) = corner(square);
            let sides = [
                (has(file, rank + 1), format!("M{x} {y}h{SIZE}")),
                (has(file, rank - 1), format!("M{x} {}h{SIZE}", y + SIZE)),
                (has(file - 1, rank), format!("M{x} {y}v{SIZE}")),
                (has(file + 1, rank), format!("M{} {y}v{SIZE}", x + SIZE)),
            ];
            for (is_inner, side) in sides {
                if !is_inner {
                    path += &side;
                }
            }
        }
        format!("<path class=\"border\" d=\"{path}\"/>")
    }
}

/// The upper left corner of a square.
fn corner(square: Square) -> (i32, i32) {
    (LEFT + SIZE * square.file() as i32, TOP + SIZE * (7 - square.rank() as i32))
}

fn middle(square: Square) -> (i32, i32) {
    let (x, y) = corner(square);
    (x + SIZE / 2, y + SIZE / 2)
}

fn board() -> String {
    let mut board = String::new();
    for square in Square::ALL {
        if is_dark(square) {
            let (x, y) = corner(square);
            let _ = write!(
                board,
                "<rect class=\"dark\" x=\"{x}\" y=\"{y}\" width=\"{SIZE}\" height=\"{SIZE}\"/>"
            );
        }
    }
    let side = 8 * SIZE;
    let _ = write!(
        board,
        "\n<rect class=\"edge\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{side}\" height=\"{side}\"/>\n"
    );
    for (file, rank) in File::ALL.into_iter().zip(Rank::ALL) {
        let (x, _) = middle(Square::new(file, Rank::First));
        let (_, y) = middle(Square::new(File::A, rank));
        let _ = write!(
            board,
            "<text class=\"small\" text-anchor=\"middle\" x=\"{x}\" y=\"{}\">{file}</text><text class=\"small\" text-anchor=\"middle\" x=\"{}\" y=\"{}\">{rank}</text>",
            TOP + side + 16,
            LEFT - 12,
            y + 4
        );
    }
    board
}

fn man(piece: Piece, square: Square) -> String {
    let sign = match piece.role {
        Role::King => '♚',
        Role::Queen => '♛',
        Role::Rook => '♜',
        Role::Bishop => '♝',
        Role::Knight => '♞',
        Role::Pawn => '♟',
    };
    let class = color_name(piece.color);
    let (x, y) = middle(square);
    // The variation selector asks for the character as text, not as a coloured picture.
    format!("<text class=\"man {class}\" x=\"{x}\" y=\"{}\">{sign}\u{fe0e}</text>", y + 15)
}

/// An arrow from the centre of a square to just before the centre of another.
fn arrow(mv: Move) -> String {
    let [(x, y), (to_x, to_y)] =
        [mv.from, mv.to].map(middle).map(|(x, y)| (f64::from(x), f64::from(y)));
    let (dx, dy) = (to_x - x, to_y - y);
    let length = (dx * dx + dy * dy).sqrt();
    if length == 0.0 {
        return String::new();
    }
    let (dx, dy) = (dx / length, dy / length);
    // A point at distances along the arrow and to its side.
    let at = |along: f64, aside: f64| {
        format!("{:.1} {:.1}", x + along * dx - aside * dy, y + along * dy + aside * dx)
    };
    let (tip, neck) = (length - 16.0, length - 30.0);
    let corners = [
        at(0.0, 3.5),
        at(neck, 3.5),
        at(neck, 10.0),
        at(tip, 0.0),
        at(neck, -10.0),
        at(neck, -3.5),
        at(0.0, -3.5),
    ];
    format!("<path class=\"arrow\" d=\"M{}Z\"/>", corners.join("L"))
}
