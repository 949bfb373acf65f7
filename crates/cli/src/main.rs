//! The `kuraka` program: reads the command line and the settings, then runs one command.

mod cli;
mod commands;
mod console;

use std::process::ExitCode;

use clap::Parser;
use kuraka_server::logs;
use rustix::fs::Mode;
use rustix::process::umask;

fn main() -> ExitCode {
    // New files and folders are their owner's alone.
    umask(Mode::RWXG | Mode::RWXO);
    let arguments = cli::Arguments::parse();
    let code = match commands::run(arguments) {
        Ok(code) => code,
        Err(error) => {
            console::error(&logs::chain(error.as_ref()));
            ExitCode::FAILURE
        }
    };
    logs::flush();
    code
}
