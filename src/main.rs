//! temporary
fn main() {
    let m: lucena::chess::Material = std::env::args().nth(1).unwrap_or("KRvK".into()).parse().unwrap();
    for _ in 0..5 {
        let t = std::time::Instant::now();
        let tb = lucena::tablebase::Tablebase::solve(m).unwrap();
        let a = t.elapsed();
        let t = std::time::Instant::now();
        let n = tb.verify().unwrap();
        println!("{a:?} verify {n} {:?}", t.elapsed());
        for side in lucena::chess::Side::ALL {
            for g in [lucena::symmetry::Group::Square, lucena::symmetry::Group::Identity] {
                let c = tb.counts(side, g);
                println!("{side:?} {g:?} {} {} {} {:?}", c.won, c.drawn, c.lost, c.histogram);
            }
        }
    }
}
