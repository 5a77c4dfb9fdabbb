use super::output::clear_line;
use lucena_codegen::WritesHeld;
use std::process::exit;

/// What a shell reports of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Ends the program on Ctrl-C: no file is left half written or under a temporary name, and no
/// progress bar stands in the way.
pub(super) fn handle() {
    // Where there are no signals, the platform ends the program as it does others.
    let _ = ctrlc::set_handler(|| {
        let _until_the_end = WritesHeld::new();
        clear_line();
        exit(INTERRUPTED);
    });
}
