//! temporary
use lucena::{attributes::*, dataset::*, learn::*, tablebase::*};
fn main() {
    let m: lucena::chess::Material = std::env::args().nth(1).unwrap_or("KRvK".into()).parse().unwrap();
    let t = std::time::Instant::now();
    let tb = Tablebase::solve(m).unwrap();
    println!("solve {:?}", t.elapsed());
    let t = std::time::Instant::now();
    println!("krkopt {} {:?}", sha256(&krkopt::to_csv(&tb).unwrap()), t.elapsed());
    let set = AttributeSet::new(m, Selection::Geometric);
    let t = std::time::Instant::now();
    let d = Dataset::new(&tb, &set, Positions::Canonical).unwrap();
    println!("dataset {:?}", t.elapsed());
    let ls: Vec<(&str, Box<dyn Learner>)> = vec![("id3", Box::new(Id3Params::default().check().unwrap())),
        ("cart", Box::new(CartParams::default().check().unwrap())),
        ("gini", Box::new(CartParams::default().criterion(Criterion::Gini).check().unwrap())),
        ("linfa", Box::new(LinfaParams::default().check().unwrap()))];
    for (n, l) in &ls {
        for _ in 0..(if *n == "linfa" {1} else {5}) {
            let t = std::time::Instant::now();
            let tree = l.learn(&d).unwrap();
            let e = t.elapsed();
            println!("{n} {e:?} tests {} leaves {} empty {} depth {} unused {:?} acc {} json {}", tree.tests(), tree.leaves(), tree.empty_branches(), tree.depth(), tree.unused_attributes(), training_accuracy(&tree, &d), tree.to_json().len());
            std::fs::write(format!("/tmp/{m}.{n}.json"), tree.to_json()).unwrap();
        }
        if *n != "linfa" { println!("{:?}", cross_validate(&**l, &d, 10, 1)); }
    }
}
