//! `emit-engine`: the code itself is compared with the tables in lucena-proof.

use super::{folder, lucena_in};
use lucena_codegen::EngineEndgames;
use lucena_test_support::cases::material;

#[test]
fn the_verb_writes_what_the_library_makes() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let endgames = EngineEndgames::new(&["KRvK", "KPvK"].map(material)).unwrap();
    let c = lucena_in(folder.path(), &["emit-engine", "kvkr,KPvK"]).good();
    assert!(c == endgames.to_c());
    let rust = ["emit-engine", "KRvK,KPvK", "--format", "rust", "--out", "endgames.rs"];
    assert_eq!(lucena_in(folder.path(), &rust).good(), "");
    assert!(read("endgames.rs") == endgames.to_rust());
    let made = ["emit-engine", "KRvK,KPvK", "--crate", "new/folder"];
    assert_eq!(lucena_in(folder.path(), &made).good(), "");
    assert!(read("new/folder/src/lib.rs") == endgames.to_rust());
    let manifest: toml::Table = read("new/folder/Cargo.toml").parse().expect("TOML");
    assert_eq!(manifest["package"]["name"].as_str(), Some("lucena-endgames"));
}
