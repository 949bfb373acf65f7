//! Writes the manual pages and the shell completions of `kuraka` to a folder, from its command line.

#[path = "../../../crates/cli/src/cli.rs"]
mod cli;

use std::fs;
use std::io::Error;
use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;

fn main() -> Result<(), Error> {
    let folder =
        std::env::args_os().nth(1).map(PathBuf::from).ok_or_else(|| Error::other("usage: kuraka-manual FOLDER"))?;
    let mut command = cli::Arguments::command();
    let pages = folder.join("man");
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(command.clone(), pages)?;
    for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
        clap_complete::generate_to(shell, &mut command, "kuraka", &folder)?;
    }
    Ok(())
}
