//! Charts: every point is in place, and every label is readable.

use lucena_explain::chart::{Axis, Chart, Dot, Panel, Series};
use std::collections::BTreeMap;

/// The values of an attribute, in the order of the elements that have it.
fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f64> {
    let of =
        |text: &str| text.split_once(&format!("{attribute}=\""))?.1.split_once('"')?.0.parse().ok();
    svg.split('<').filter(|part| part.starts_with(element)).filter_map(of).collect()
}

#[test]
fn charts_show_every_point_where_it_belongs() {
    let series = |name: &str, points: &[(f64, f64)]| Series::line(name, points.to_vec());
    let chart = Chart {
        title: "a < b & c".into(),
        x: Axis::percent("across, %"),
        panels: vec![
            Panel {
                y: Axis::percent("up, %"),
                series: vec![
                    series("low", &[(0.0, 0.0), (50.0, 50.0), (100.0, 100.0)]),
                    series("none", &[]),
                ],
            },
            Panel {
                y: Axis::from_zero("plies", [3.0]),
                series: vec![series("one", &[(50.0, 2.0)])],
            },
        ],
    };
    let svg = chart.to_svg();
    assert_eq!(svg, chart.to_svg());
    for words in
        ["a &lt; b &amp; c", "across, %", "up, %", "plies", "low", "none", "one", "sans-serif"]
    {
        assert!(svg.contains(words), "no {words}");
    }
    assert_eq!(svg.matches("across, %").count(), 2, "under each panel");
    // The points come first, panel by panel, followed by one for each name in the legend.
    let (x, y) = (numbers(&svg, "circle", "cx"), numbers(&svg, "circle", "cy"));
    let radius: BTreeMap<String, usize> =
        numbers(&svg, "circle", "r").iter().fold(BTreeMap::new(), |mut all, radius| {
            *all.entry(radius.to_string()).or_default() += 1;
            all
        });
    assert_eq!(radius, BTreeMap::from([("4".into(), 3 + 2 + 1 + 1)]));
    assert!((x[1] - (x[0] + x[2]) / 2.0).abs() <= 1.0 && (y[1] - (y[0] + y[2]) / 2.0).abs() <= 1.0);
    assert!(x[0] < x[2] && y[0] > y[2], "to the right and up");
    assert!((x[3] - x[1]).abs() <= 1.0 && (y[3] - y[1] - 340.0).abs() <= 1.0, "{x:?} {y:?}");
}

#[test]
fn charts_of_nothing_are_drawn_too() {
    let x = Axis::from_zero("", []);
    let none = Chart { title: String::new(), x: x.clone(), panels: Vec::new() };
    assert!(none.to_svg().starts_with("<svg"));
    let nan = Series::line("", vec![(f64::NAN, f64::INFINITY), (0.5, -1e300)]);
    let panel = Panel { y: Axis::from_zero("", [f64::NAN, f64::INFINITY]), series: vec![nan] };
    assert!(Chart { panels: vec![panel], ..none }.to_svg().contains("</svg>"));
}

#[test]
fn equal_ratios_take_equal_room() {
    let points = [1.0, 10.0, 100.0, 1000.0].map(|across| (across, 1.0)).to_vec();
    let chart = Chart {
        title: String::new(),
        x: Axis::logarithmic("leaves", [1000.0]),
        panels: vec![Panel {
            y: Axis::from_zero("", [1.0]),
            series: vec![Series::line("a", points)],
        }],
    };
    let svg = chart.to_svg();
    let x = numbers(&svg, "circle", "cx");
    for places in x[..4].windows(3) {
        assert!((places[0] - 2.0 * places[1] + places[2]).abs() <= 2.0, "{x:?}");
    }
    assert!(x[0] < x[1]);
    for label in ["1", "10", "100", "1,000"] {
        assert!(svg.lines().any(|line| line.trim() == label), "no {label}");
    }
    // The same ends, whatever lies beyond them.
    let panel = |across| Panel {
        y: Axis::from_zero("", [1.0]),
        series: vec![Series::line("a", vec![(across, 1.0)])],
    };
    let drawn = |across| Chart { panels: vec![panel(across)], ..chart.clone() }.to_svg();
    assert_eq!(drawn(0.0), drawn(-5.0));
    assert_eq!(drawn(0.0), drawn(1e9));
}

/// A text, and the pixel at which it starts.
fn texts(svg: &str) -> Vec<(f64, f64, String)> {
    let parts = svg.split("<text ").skip(1);
    let text = |part: &str| {
        let number =
            |name: &str| part.split_once(&format!("{name}=\""))?.1.split_once('"')?.0.parse().ok();
        let words = part.split_once('>')?.1.split_once('<')?.0.trim().to_owned();
        Some((number("x")?, number("y")?, words))
    };
    parts.filter_map(text).collect()
}

#[test]
fn labels_do_not_cover_one_another() {
    // Eight dots at one point, in the corner with the least room.
    for at in [(1.0, 100.0), (1000.0, 0.0), (30.0, 50.0)] {
        let labels: Vec<String> = (0..8).map(|number| format!("label {number}")).collect();
        let dot = |label: &String| Dot { at, label: label.clone() };
        let dots = Series::dots("dots", labels.iter().map(dot).collect());
        let chart = Chart {
            title: String::new(),
            x: Axis::logarithmic("leaves", [900.0]),
            panels: vec![Panel { y: Axis::percent("won, %"), series: vec![dots] }],
        };
        let svg = chart.to_svg();
        assert_eq!(svg, chart.to_svg());
        let placed: Vec<(f64, f64, String)> =
            texts(&svg).into_iter().filter(|(_, _, text)| labels.contains(text)).collect();
        assert_eq!(placed.len(), 8);
        for (number, one) in placed.iter().enumerate() {
            assert!((88.0..=770.0 - 50.0).contains(&one.0), "{one:?} is beyond the panel");
            for other in &placed[..number] {
                let apart = ((one.0 - other.0).abs(), (one.1 - other.1).abs());
                assert!(apart.0 >= 50.0 || apart.1 >= 16.0, "{one:?} covers {other:?}");
            }
        }
        // One for each mark, and one in the legend.
        assert_eq!(svg.matches("<polygon").count(), 8 + 1);
    }
}
