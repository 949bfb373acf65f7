//! The description of the machine that the figures are from.

use std::fs;
use std::process::Command;

use crate::Failure;

pub fn describe() -> Result<String, Failure> {
    let cpu = fs::read_to_string("/proc/cpuinfo")?;
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("?");
    let model = model.trim_start_matches([' ', '\t', ':']);
    let memory = fs::read_to_string("/proc/meminfo")?;
    let kib = memory.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap_or("0");
    let gib = kib.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) >> 20;
    let load = fs::read_to_string("/proc/loadavg")?;
    let load = load.split(' ').next().unwrap_or("?");
    let cores = match std::thread::available_parallelism()?.get() {
        1 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    };
    Ok(format!(
        "{} · {cores} {model}, {gib} GiB · Linux {} · {} · load {load} at the start",
        said("date", &["-u", "+%Y-%m-%d"])?,
        said("uname", &["-r"])?,
        said("rustc", &["--version"])?,
    ))
}

fn said(program: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new(program).args(arguments).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
