//! When an update's progress is logged, by the server and by commands without a terminal.

use parking_lot::Mutex;

/// In percent of a stage.
const EACH: u8 = 25;

/// The stage, and its last logged percentage.
#[derive(Default)]
pub struct Milestones(Mutex<(&'static str, u8)>);

impl Milestones {
    /// The percentage to log now, if any: 0 as a stage begins, then each step.
    pub fn due(&self, stage: &'static str, percent: Option<u8>) -> Option<u8> {
        let mut last = self.0.lock();
        let reached = percent.unwrap_or_default() / EACH * EACH;
        if last.0 == stage && last.1 >= reached {
            return None;
        }
        *last = if last.0 == stage { (stage, reached) } else { (stage, 0) };
        Some(last.1)
    }
}

/// From 0 to 100; `None` = the whole is unknown.
pub fn percent(done: u64, total: Option<u64>) -> Option<u8> {
    let share = done.saturating_mul(100).checked_div(total?)?;
    u8::try_from(share.min(100)).ok()
}
