//! Shows the progress of an import: a bar on a terminal, plain lines otherwise.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::update::UpdateProgress;
use kuraka_ports::Clock;
use kuraka_registry::{Advance, Progress, Stage};

use crate::console;

/// How often a plain line is printed.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows progress on standard error.
pub(super) struct ProgressReporter {
    /// The dataset, and its position among those that a command updates, such as `anexos (6 of 9)`.
    name: String,
    shown: Shown,
}

enum Shown {
    Bar(ProgressBar),
    /// Plain lines; `began` is the start of the stage, `printed` the time of the last line.
    Lines {
        clock: SystemClock,
        began: Mutex<Duration>,
        printed: Mutex<Duration>,
    },
}

impl ProgressReporter {
    /// For the dataset or the command `name`, the first of so many that a command updates.
    pub(super) fn new(name: &str, position: Option<(usize, usize)>) -> Self {
        let name = position.map_or_else(|| name.to_owned(), |(at, all)| format!("{name} ({at} of {all})"));
        if !stderr().is_terminal() {
            let lines = (SystemClock::start(), Mutex::default(), Mutex::default());
            return Self { name, shown: Shown::Lines { clock: lines.0, began: lines.1, printed: lines.2 } };
        }
        let bar = ProgressBar::new(0).with_message(name.clone());
        let style = ProgressStyle::with_template("{msg}  {bar:30} {percent:>3} %  {prefix}  {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ "));
        Self { name, shown: Shown::Bar(bar) }
    }

    /// The download begins.
    pub(super) fn download(&self) {
        let message = format!("{}: download", self.name);
        match &self.shown {
            Shown::Bar(bar) => bar.set_message(message),
            Shown::Lines { .. } => console::note(&format!("{message} …")),
        }
    }

    /// Clears the bar before the result is printed.
    pub(super) fn done(&self) {
        match &self.shown {
            Shown::Bar(bar) => bar.finish_and_clear(),
            Shown::Lines { .. } => {}
        }
    }
}

impl Progress for ProgressReporter {
    fn advanced(&self, advance: Advance) {
        let Advance { bytes_read, bytes_total, rows } = advance;
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_length(bytes_total);
                bar.set_position(bytes_read);
                bar.set_prefix(rate(rows, bar.elapsed()));
            }
            Shown::Lines { clock, began, printed } => {
                if due(clock, printed) {
                    let elapsed = clock.monotonic().saturating_sub(*lock(began));
                    let (left, share) = (left(elapsed, bytes_read, bytes_total), share(bytes_read, Some(bytes_total)));
                    console::note(&format!("{}: {}{share}, {left} s left", self.name, rate(rows, elapsed)));
                }
            }
        }
    }

    fn stage(&self, stage: Stage) {
        let name = format!("{}: {}", self.name, stage.as_str());
        match &self.shown {
            Shown::Bar(bar) => {
                bar.reset();
                bar.set_message(name);
            }
            Shown::Lines { clock, began, .. } => {
                *lock(began) = clock.monotonic();
                console::note(&format!("{name} …"));
            }
        }
    }
}

impl UpdateProgress for ProgressReporter {
    fn received(&self, bytes: u64, total: Option<u64>) {
        match &self.shown {
            Shown::Bar(bar) => {
                bar.set_message(format!("{}: download", self.name));
                bar.set_prefix(format!("{} MB", bytes / 1_000_000));
                bar.set_length(total.unwrap_or(bytes));
                bar.set_position(bytes);
            }
            Shown::Lines { clock, printed, .. } => {
                if due(clock, printed) {
                    console::note(&format!("{}: {} MB{}", self.name, bytes / 1_000_000, share(bytes, total)));
                }
            }
        }
    }
}

/// Whether the next line may be printed now; if so, records it as printed.
fn due(clock: &SystemClock, printed: &Mutex<Duration>) -> bool {
    let mut printed = lock(printed);
    let due = clock.monotonic() >= *printed + LINE_EVERY;
    if due {
        *printed = clock.monotonic();
    }
    due
}

fn lock(instant: &Mutex<Duration>) -> MutexGuard<'_, Duration> {
    instant.lock().unwrap_or_else(PoisonError::into_inner)
}

fn rate(rows: u64, elapsed: Duration) -> String {
    let per_second = rows as f64 / elapsed.as_secs_f64().max(0.001);
    format!("{} rows, {} rows/s", HumanCount(rows), HumanCount(per_second as u64))
}

fn share(done: u64, total: Option<u64>) -> String {
    total.filter(|total| *total > 0).map(|total| format!(", {} %", done * 100 / total)).unwrap_or_default()
}

fn left(elapsed: Duration, done: u64, total: u64) -> u64 {
    let whole = elapsed.as_secs_f64() * total as f64 / done.max(1) as f64;
    (whole - elapsed.as_secs_f64()).max(0.0) as u64
}
