//! Samples of growing curves.

use lucena_base::progress::CurveSample;

#[test]
fn a_sample_is_evenly_spaced_and_ends_with_the_newest_point() {
    for count in [1, 2, 399, 400, 401, 1_000, 12_345] {
        let mut sample = CurveSample::new(400);
        (0..count).for_each(|at| sample.add(vec![f64::from(at), 1.0]));
        let places: Vec<f64> = sample.iter().map(|point| point[0]).collect();
        assert_eq!((places[0], places[places.len() - 1]), (0.0, f64::from(count - 1)));
        assert!(places.len() <= 401 && 2 * places.len() >= count.min(400) as usize, "{count}");
        let gaps: Vec<f64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let even = &gaps[..gaps.len().saturating_sub(1)];
        assert!(even.iter().all(|gap| *gap == gaps[0]), "{count}: {gaps:?}");
    }
}

#[test]
fn points_may_arrive_in_any_order() {
    let mut sample = CurveSample::new(10);
    for at in [3.0, 1.0, 2.0, 0.0] {
        sample.add(vec![at]);
    }
    assert!(sample.iter().map(|point| point[0]).eq([0.0, 1.0, 2.0, 3.0]));
    assert!(!sample.is_empty());
    let mut sample = CurveSample::new(10);
    for at in (0..101).map(|at| at * 37 % 101) {
        sample.add(vec![f64::from(at)]);
        assert!(sample.iter().map(|point| point[0]).is_sorted());
    }
}
