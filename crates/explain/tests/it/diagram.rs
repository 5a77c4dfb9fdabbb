//! Diagrams: well-formed XML, men on their squares, the same bytes each time.

use lucena_chess::{Bitboard, Position, Square};
use lucena_explain::diagram::{Diagram, Highlight, Shape};

fn diagram(fen: &str) -> Diagram {
    let position: Position = fen.parse().unwrap();
    Diagram { position, title: "t".into(), arrow: None, highlights: Vec::new() }
}

/// The elements of an SVG in order; also checks that each is closed.
pub(crate) fn elements(svg: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') || open.contains(&"style"), "{text}");
        let name = tag.trim_matches('/').split([' ', '/']).next().expect("a name");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
            continue;
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if !tag.ends_with('/') {
            open.push(name);
        }
        all.push(tag.to_owned());
    }
    assert!(open.is_empty(), "{open:?}");
    all
}

#[test]
fn men_stand_on_their_squares() {
    for (fen, signs) in [
        (
            "8/8/8/8/8/1k6/8/K1R5 w - - 0 1",
            vec![("white", '♚', 0, 0), ("white", '♜', 2, 0), ("black", '♚', 1, 2)],
        ),
        (
            "7q/8/8/8/8/1K6/8/k1b5 w - - 0 1",
            vec![("black", '♛', 7, 7), ("black", '♝', 2, 0), ("white", '♚', 1, 2)],
        ),
        ("8/8/8/8/8/1k4N1/8/K7 w - - 0 1", vec![("white", '♞', 6, 2)]),
    ] {
        let svg = diagram(fen).to_svg();
        elements(&svg);
        assert_eq!(svg, diagram(fen).to_svg());
        assert_eq!(
            svg.matches("class=\"man").count(),
            fen.parse::<Position>().unwrap().men().count()
        );
        for (color, sign, file, rank) in signs {
            // Squares are 48 wide, and the board begins at 28 and 40.
            let (x, y) = (28 + 48 * file + 24, 40 + 48 * (7 - rank) + 24 + 15);
            let man = format!("<text class=\"man {color}\" x=\"{x}\" y=\"{y}\">{sign}");
            assert!(svg.contains(&man), "{man}\n{svg}");
        }
    }
}

#[test]
fn every_mark_is_drawn_and_named_in_the_legend() {
    let plain = diagram("8/8/8/8/8/1k6/8/K1R5 w - - 0 1");
    let squares = [Square::C1, Square::C2, Square::H8].map(Square::bitboard);
    let squares = squares.into_iter().fold(Bitboard::EMPTY, |all, one| all | one);
    for (shape, class) in [
        (Shape::Ring, "ring"),
        (Shape::Region, "region"),
        (Shape::Dot, "dot"),
        (Shape::Cross, "cross"),
        (Shape::Hatch, "hatch"),
    ] {
        let highlight = Highlight { shape, squares, label: "a & b".into() };
        let none =
            Highlight { squares: Bitboard::EMPTY, label: "nothing".into(), ..highlight.clone() };
        let svg = Diagram { highlights: vec![highlight, none], ..plain.clone() }.to_svg();
        elements(&svg);
        let drawn = format!("class=\"{class}\"");
        assert_eq!(
            svg.matches(&drawn).count(),
            3 + 1,
            "three squares and the legend: {class}\n{svg}"
        );
        assert!(svg.contains(">a &amp; b<") && !svg.contains("nothing"), "{svg}");
    }
}

#[test]
fn a_move_is_an_arrow_and_leaves_a_shadow() {
    let mut diagram = diagram("8/8/8/8/8/1k6/8/K1R5 b - - 0 1");
    diagram.arrow = Some("c8c1".parse().unwrap());
    let svg = diagram.to_svg();
    elements(&svg);
    assert!(
        svg.contains("<g class=\"left\"><text class=\"man white\" x=\"148\" y=\"79\">♜"),
        "{svg}"
    );
    // Down the c-file, with the tip shortly before the middle of c1.
    assert!(svg.contains("<path class=\"arrow\" d=\"M") && svg.contains("L148.0 384.0L"), "{svg}");
    assert_eq!(svg.matches("class=\"man").count(), 4);
}

#[test]
fn titles_are_only_text() {
    let mut diagram = diagram("8/8/8/8/8/1k6/8/K1R5 b - - 0 1");
    diagram.title = "</text><script>\u{0}\"&\u{7}".into();
    let svg = diagram.to_svg();
    assert!(!svg.contains("<script") && !svg.contains('\u{0}'), "{svg}");
    elements(&svg);
}
