//! Running programs: to their end with time and memory, or in the background until they are dropped.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::Failure;

/// The measurements of a program that has ended.
pub struct Ran {
    pub seconds: f64,
    /// Maximum resident memory in bytes.
    pub peak_bytes: u64,
}

/// Runs a program to its end and measures it from outside.
pub fn run(command: &mut Command) -> Result<Ran, Failure> {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut peak_bytes = 0;
    let status = loop {
        // The high-water mark only grows, so the last value before the end is close to the final one.
        peak_bytes = peak_bytes.max(memory(child.id(), "VmHWM:").unwrap_or(0));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let seconds = started.elapsed().as_secs_f64();
    if !status.success() {
        let said = child.wait_with_output()?.stderr;
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&said)).into());
    }
    Ok(Ran { seconds, peak_bytes })
}

/// Runs a program to its end and reads the lines `name value` that it prints.
pub fn figures(command: &mut Command) -> Result<HashMap<String, f64>, Failure> {
    Ok(numbers(&printed(command)?))
}

/// Reads the lines `name value` that a program has printed.
pub fn figures_of(output: Output) -> Result<HashMap<String, f64>, Failure> {
    Ok(numbers(&succeeded(output)?))
}

fn numbers(text: &str) -> HashMap<String, f64> {
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, value)| Some((name.to_owned(), value.trim().parse().ok()?)))
        .collect()
}

/// A figure that a program printed.
pub fn figure(figures: &HashMap<String, f64>, name: &str) -> Result<f64, Failure> {
    figures.get(name).copied().ok_or_else(|| format!("the program printed no {name}").into())
}

/// The text that a program prints to its end.
pub fn printed(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output()?;
    succeeded(output).map_err(|error| format!("{command:?}: {error}").into())
}

fn succeeded(output: Output) -> Result<String, Failure> {
    if !output.status.success() {
        return Err("the program failed".into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// A server in the background. Dropping it stops it.
pub struct Beside(pub Child);

impl Beside {
    pub fn start(command: &mut Command, errors: &Path) -> Result<Self, Failure> {
        Ok(Self(command.stdout(Stdio::null()).stderr(fs::File::create(errors)?).spawn()?))
    }

    /// Anonymous memory, which no file backs, in bytes.
    pub fn anonymous_bytes(&self) -> Result<u64, Failure> {
        memory(self.0.id(), "RssAnon:").ok_or_else(|| "the server is gone".into())
    }

    /// Resident memory in bytes, with the pages of mapped files.
    pub fn resident_bytes(&self) -> Result<u64, Failure> {
        memory(self.0.id(), "VmRSS:").ok_or_else(|| "the server is gone".into())
    }

    /// CPU time in seconds.
    pub fn cpu_seconds(&self) -> Result<f64, Failure> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.0.id()))?;
        let after_name = stat.rsplit(')').next().unwrap_or("");
        let ticks: u64 = after_name.split(' ').skip(12).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Ok(ticks as f64 / 100.0)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // SIGTERM first, so that the server shuts down as in production.
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        for _ in 0..600 {
            if matches!(self.0.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn memory(process: u32, field: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(value.trim().trim_end_matches(" kB").parse::<u64>().ok()? * 1024)
}
