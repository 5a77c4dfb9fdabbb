//! `emit-engine`: the code itself is compared with the tables in lucena-proof.

use super::{folder, lucena_in};
use lucena_codegen::EngineEndgames;
use lucena_test_support::cases::material;

/// A library without the standard library: the handler of panics would be a second one beside it.
const FREESTANDING: &str = r#"#![no_std]
use lucena_endgames::{Color, Endgames, Man, BYTES};

static mut MEMORY: [u8; BYTES] = [0; BYTES];

#[no_mangle]
pub extern "C" fn is_known(square: u8) -> bool {
    #[allow(static_mut_refs)]
    let memory = unsafe { &mut MEMORY[..] };
    let man = |color, role, square| Man { color, role, square };
    let men = [
        man(Color::White, lucena_endgames::Role::King, 4),
        man(Color::White, lucena_endgames::Role::Rook, 7),
        man(Color::Black, lucena_endgames::Role::King, square),
    ];
    Endgames::new(memory).is_ok_and(|mut endgames| endgames.probe(Color::White, &men).is_ok())
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
"#;

#[test]
fn the_verb_writes_what_the_library_makes() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let endgames = EngineEndgames::new(&["KRvK", "KPvK"].map(material)).unwrap();
    let c = lucena_in(folder.path(), &["emit-engine", "kvkr,KPvK"]).good();
    assert!(c == endgames.to_c());
    let rust = ["emit-engine", "KRvK,KPvK", "--format", "rust", "--out", "endgames.rs"];
    assert_eq!(lucena_in(folder.path(), &rust).good(), "");
    assert!(read("endgames.rs") == endgames.to_rust_module());
    let made = ["emit-engine", "KRvK,KPvK", "--crate", "new/folder"];
    assert_eq!(lucena_in(folder.path(), &made).good(), "");
    assert!(read("new/folder/src/lib.rs") == endgames.to_rust());
    let manifest: toml::Table = read("new/folder/Cargo.toml").parse().expect("TOML");
    assert_eq!(manifest["package"]["name"].as_str(), Some("lucena-endgames"));
    // An engine without the standard library uses the crate: a program that needs no more than a core and a linker.
    let dependency = r#"[package]
name = "engine"
version = "0.1.0"
edition = "2021"

[lib]
crate-type = ["staticlib"]

[dependencies]
lucena-endgames = { path = "../new/folder" }

[profile.release]
panic = "abort"
"#;
    std::fs::create_dir_all(folder.path().join("engine/src")).expect("a folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("engine/Cargo.toml", dependency);
    write("engine/src/lib.rs", FREESTANDING);
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["build", "--release", "--offline", "--quiet", "--target-dir", "built"])
        .args(["--manifest-path", "engine/Cargo.toml"])
        .current_dir(folder.path())
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo");
    let told = String::from_utf8_lossy(&cargo.stderr);
    assert!(cargo.status.success() && told.is_empty(), "{told}");
}
