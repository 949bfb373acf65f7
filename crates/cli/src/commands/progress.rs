//! A command's progress: a bar on a terminal, else a line for each stage and each quarter of a long one.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use kuraka_adapters::datasets::update::UpdateProgress;
use kuraka_registry::{Advance, Progress, Stage};
use kuraka_server::progress::{Milestones, percent};

use crate::console;

/// A shorter stage has one line.
const LONG: Duration = Duration::from_secs(10);

pub(super) struct ProgressReporter {
    /// The dataset, with its position, such as `anexos (6 of 9)`.
    name: String,
    /// Hidden without a terminal; then it only measures time.
    bar: ProgressBar,
    milestones: Milestones,
}

impl ProgressReporter {
    /// For a dataset or command, with its position.
    pub(super) fn new(name: &str, position: Option<(usize, usize)>) -> Self {
        let name = position.map_or_else(|| name.to_owned(), |(at, all)| format!("{name} ({at} of {all})"));
        let style = ProgressStyle::with_template("{msg}  {bar:30} {percent:>3} %  {prefix}  {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("━╸ ");
        let bar = ProgressBar::new(0).with_message(name.clone()).with_style(style);
        Self { name, bar, milestones: Milestones::default() }
    }

    /// Clears the bar before the result is printed.
    pub(super) fn done(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, stage: &'static str, share: Option<u8>) {
        match self.milestones.due(stage, share) {
            Some(0) => {
                self.bar.reset();
                self.bar.set_message(format!("{}: {stage}", self.name));
                if self.bar.is_hidden() {
                    console::note(&format!("{}: {stage} …", self.name));
                }
            }
            Some(share) if self.bar.is_hidden() && self.bar.elapsed() >= LONG => {
                console::note(&format!("{}: {stage} {share} %", self.name));
            }
            Some(_) | None => {}
        }
    }

    fn show(&self, stage: &'static str, done: u64, total: Option<u64>, prefix: impl FnOnce(Duration) -> String) {
        self.tell(stage, percent(done, total));
        self.bar.set_length(total.unwrap_or(done));
        self.bar.set_position(done);
        self.bar.set_prefix(prefix(self.bar.elapsed()));
    }
}

impl Progress for ProgressReporter {
    fn advanced(&self, Advance { bytes_read, bytes_total, rows }: Advance) {
        self.show(Stage::Reading.as_str(), bytes_read, Some(bytes_total), |elapsed| {
            let per_second = rows as f64 / elapsed.as_secs_f64().max(0.001);
            format!("{} rows, {} rows/s", HumanCount(rows), HumanCount(per_second as u64))
        });
    }

    fn stage(&self, stage: Stage) {
        self.tell(stage.as_str(), None);
    }
}

impl UpdateProgress for ProgressReporter {
    fn received(&self, bytes: u64, total: Option<u64>) {
        self.show("download", bytes, total, |_| format!("{} MB", bytes / 1_000_000));
    }
}
