//! For the teacher: a proved theory as a lesson, and one move explained.
//!
//! `cargo run --release -p lucena-examples --example teacher` prints the first rules of the lesson.
//! Then it explains the theory's move in a position, and what another move would cost.

#![allow(clippy::print_stdout)]

use lucena::chess::{HalfmoveClock, Position};
use lucena::explain::explain;
use lucena::lesson::Lesson;
use lucena::model::ModelKind;
use lucena::policy::TreePolicy;
use lucena::roster::BuiltIn;
use lucena::tablebase::Tablebase;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let material = "KRvK".parse()?;
    let theory = BuiltIn::find(ModelKind::Tree, material, "win")
        .ok_or("this build carries the theory")?
        .model()
        .try_into()?;
    let lesson = Lesson::new(&theory).to_markdown();
    for line in lesson.lines().take(20) {
        println!("{line}");
    }

    let tablebase = Tablebase::solve(material);
    let position: Position = "8/8/8/3k4/8/8/8/K6R w - - 0 1".parse()?;
    let other = [position.parse_move("Kb1")?];
    let policy = TreePolicy::new(theory, &tablebase)?;
    let verdicts = tablebase.verdicts(&position, HalfmoveClock::ZERO)?;
    let told = explain(&policy, "theory", &tablebase, &verdicts, &other)?.reasons(&tablebase)?;
    println!("\n{}", told.line());
    for step in &told.steps {
        println!("  {}", step.sentence);
    }
    Ok(())
}
