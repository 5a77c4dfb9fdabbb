//! Time controls: as cutechess-cli's manual and the PGN standard write them, and kept move by move.

use lucena_chess::{Clock, TimeControl};
use lucena_test_support::cases::{cases, repository};
use std::num::NonZeroU32;
use std::time::Duration;

fn control(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn time_controls_are_read_as_other_programs_write_them() {
    for [text, moves, time, increment, written] in cases("time_controls.csv") {
        let milliseconds = |text: &str| Duration::from_millis(text.parse().expect("a number"));
        let expected = Clock {
            left: milliseconds(&time),
            increment: milliseconds(&increment),
            moves_to_go: moves.parse().ok(),
        };
        let found = control(&text);
        assert_eq!(found.start(), expected, "{text}");
        assert_eq!(found.to_string(), written, "{text}");
        assert_eq!(control(&written), found, "{text}");
    }
}

#[test]
fn what_is_no_time_control_is_refused_with_the_forms() {
    let path = repository("tests/data/damaged_time_controls.csv");
    let texts = std::fs::read_to_string(path).expect("the cases");
    let mut count = 0;
    for text in texts.lines().filter(|line| !line.starts_with('#')) {
        let error = text.parse::<TimeControl>().expect_err(text).to_string();
        assert!(error.starts_with(&format!("{text:?} is not a time control")), "{error}");
        for form in ["60", "1:30", "60+0.5", "40/60+1"] {
            assert!(error.contains(form), "{error}");
        }
        count += 1;
    }
    assert!(count > 30, "only {count} cases");
}

/// Time not used is kept, and each period adds its own.
#[test]
fn a_period_brings_its_time_after_its_last_move() {
    let (control, second) = (control("3/60+1"), Duration::from_secs(1));
    let mut clock = control.start();
    // Seconds taken by each move; then the seconds and the moves left.
    for (taken, left, moves) in
        [(5, 56, 2), (50, 7, 1), (7, 61, 3), (61, 1, 2), (0, 2, 1), (2, 61, 3)]
    {
        control.spend(&mut clock, taken * second).expect("time enough");
        assert_eq!((clock.left, clock.moves_to_go), (left * second, NonZeroU32::new(moves)));
    }
    assert!(control.spend(&mut clock, 62 * second).is_err());
    assert_eq!(clock.left, Duration::ZERO);
}
