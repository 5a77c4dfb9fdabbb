//! Timing.
#![allow(missing_docs, clippy::all)]
use lucena_attributes::QuantitySet;
use lucena_base::progress::NoObserver;
use lucena_proof::measure::*;
use lucena_tree::Goal;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let material = args[0].parse().unwrap();
    let looks: Vec<u8> = args[1].split(',').map(|l| l.parse().unwrap()).collect();
    let goal = if args[2] == "later" { Goal::LaterMove } else { Goal::AnyMove };
    let terms: Vec<(String, i32)> = args[3..]
        .iter()
        .map(|t| {
            let (a, b) = t.split_once('=').unwrap();
            (a.into(), b.parse().unwrap())
        })
        .collect();
    let t = Instant::now();
    let graph = SafeMoveGraph::new(material, &NoObserver).unwrap();
    println!(
        "graph {:?} befores {} afters {} moves {}",
        t.elapsed(),
        graph.weights().len(),
        graph.replies().len(),
        graph.moves().iter().map(<[_]>::len).sum::<usize>()
    );
    let t = Instant::now();
    let situations = graph.situations();
    println!("situations {:?}", t.elapsed());
    let t = Instant::now();
    let set = QuantitySet::named(material, terms.iter().map(|t| t.0.as_str())).unwrap();
    let values = graph.values(|position| {
        let mut s = 0;
        set.visit_values(position, |at, v| s += terms[at].1 * i32::from(v));
        s
    });
    println!("values {:?}", t.elapsed());
    if let Ok(out) = std::env::var("OUT") {
        use lucena_tree::*;
        let head = MeasureHead {
            material: args[0].clone(),
            miner: "by hand".into(),
            look: looks[0],
            goal,
            ..MeasureHead::default()
        };
        let t = set
            .quantities()
            .iter()
            .zip(&terms)
            .map(|(q, t)| Term { quantity: q.column(), contribution: Contribution::Weight(t.1) })
            .collect();
        std::fs::write(out, Measure::new(head, t).unwrap().to_json()).unwrap();
    }
    let here: Vec<Score> = values.iter().map(|&v| Score::of(v)).collect();
    let here = here.into();
    let t = Instant::now();
    let back = BackwardGraph::new(&graph);
    println!("backward {:?}", t.elapsed());
    if std::env::var("SEARCH").is_ok() {
        use lucena_proof::policy::*;
        use lucena_tree::*;
        let head = MeasureHead {
            material: args[0].clone(),
            miner: "by hand".into(),
            look: looks[0],
            goal,
            ..MeasureHead::default()
        };
        let t: Vec<Term> = set
            .quantities()
            .iter()
            .zip(&terms)
            .map(|(q, t)| Term { quantity: q.column(), contribution: Contribution::Weight(t.1) })
            .collect();
        let m = Measure::new(head, t).unwrap();
        let forced = graph.forced(&here, &situations, looks[0], goal, &NoObserver).unwrap();
        let best = graph.best(&forced, &situations);
        let n = best.len();
        let mut times = vec![];
        let positions: Vec<_> = {
            use rayon::prelude::*;
            graph.numbering().befores().collect()
        };
        let fresh = std::env::var("SEARCH").unwrap() == "fresh";
        let mut policy = MeasurePolicy::new(m.clone()).unwrap();
        for i in 0..40usize {
            if fresh {
                policy = MeasurePolicy::of_checked(m.clone()).unwrap();
            }
            let at = (i * 7919 * 7919 + 13) % n;
            let t = Instant::now();
            let d = policy.decide(&positions[at]);
            times.push(t.elapsed());
            if i < 6 {
                println!("{:?} {}", times[i], policy.positions_met());
            }
            if let MeasureDecision::ByMeasure(l) = d {
                let b = best.as_slice()[at];
                assert_eq!(l.best, b, "{}", positions[at]);
            }
        }
        times.sort();
        println!(
            "search median {:?} mean {:?} worst {:?}",
            times[20],
            times.iter().sum::<std::time::Duration>() / 40,
            times[39]
        );
    }
    for look in looks {
        let t = Instant::now();
        let forced = graph.forced(&here, &situations, look, goal, &NoObserver).unwrap();
        let t1 = t.elapsed();
        let t = Instant::now();
        let best = graph.best(&forced, &situations);
        let won = back.won(&graph, &situations, &forced, &best);
        let n: u64 =
            won.pairs().filter(|(_, w)| **w > 0).map(|(b, _)| graph.weights()[b] as u64).sum();
        let m = won.iter().filter(|w| **w > 0).count();
        println!(
            "look {look}: passes {t1:?} proof {:?}: won {m} board {n} longest {}",
            t.elapsed(),
            won.iter().max().unwrap()
        );
    }
}
