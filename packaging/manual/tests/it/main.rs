//! What the program writes for the packages.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_manual_page_describes_the_program_and_every_shell_has_completions() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    // What an earlier run has written.
    let _ = fs::remove_dir_all(&folder);
    let status = Command::new(env!("CARGO_BIN_EXE_kuraka-manual")).arg(&folder).status().unwrap();
    assert!(status.success());
    let page = fs::read_to_string(folder.join("man/kuraka.1")).unwrap();
    assert!(page.contains("kuraka \\- Looks up Peruvian taxpayers"), "{page}");
    for completions in ["kuraka.bash", "kuraka.fish", "_kuraka"] {
        let text = fs::read_to_string(folder.join(completions)).unwrap();
        assert!(text.contains("doctor"), "{completions}");
    }
}
