//! Shows the progress of a command: a bar on a terminal, else a line for each stage of an import.

use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use kuraka_adapters::datasets::update::UpdateProgress;
use kuraka_registry::{Advance, Progress, Stage};

use crate::console;

/// Shows progress on standard error.
pub(super) struct ProgressReporter {
    /// The dataset, and its position among those that a command updates, such as `anexos (6 of 9)`.
    name: String,
    /// `None` = standard error is no terminal.
    bar: Option<ProgressBar>,
}

impl ProgressReporter {
    /// For the dataset or the command `name`, the first of so many that a command updates.
    pub(super) fn new(name: &str, position: Option<(usize, usize)>) -> Self {
        let name = position.map_or_else(|| name.to_owned(), |(at, all)| format!("{name} ({at} of {all})"));
        let bar = stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{msg}  {bar:30} {percent:>3} %  {prefix}  {eta} left");
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ ");
            ProgressBar::new(0).with_message(name.clone()).with_style(style)
        });
        Self { name, bar }
    }

    /// The download begins.
    pub(super) fn download(&self) {
        self.begin("download");
    }

    /// Clears the bar before the result is printed.
    pub(super) fn done(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn begin(&self, stage: &str) {
        let message = format!("{}: {stage}", self.name);
        match &self.bar {
            Some(bar) => {
                bar.reset();
                bar.set_message(message);
            }
            None => console::note(&format!("{message} …")),
        }
    }

    fn show(&self, done: u64, total: u64, prefix: impl FnOnce(Duration) -> String) {
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_prefix(prefix(bar.elapsed()));
        }
    }
}

impl Progress for ProgressReporter {
    fn advanced(&self, Advance { bytes_read, bytes_total, rows }: Advance) {
        self.show(bytes_read, bytes_total, |elapsed| {
            let per_second = rows as f64 / elapsed.as_secs_f64().max(0.001);
            format!("{} rows, {} rows/s", HumanCount(rows), HumanCount(per_second as u64))
        });
    }

    fn stage(&self, stage: Stage) {
        self.begin(stage.as_str());
    }
}

impl UpdateProgress for ProgressReporter {
    fn received(&self, bytes: u64, total: Option<u64>) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{}: download", self.name));
        }
        self.show(bytes, total.unwrap_or(bytes), |_| format!("{} MB", bytes / 1_000_000));
    }
}
