//! What the programs share: numbers for choosing keys, the time of calls and of the stages of an import, and memory.

use std::error::Error;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

use kuraka_ports::ProfileParts;
use kuraka_registry::{Advance, Progress, Stage};

/// What a program prints figures with, or why it could not.
pub type Figures = Result<(), Box<dyn Error>>;

/// What `/ruc-ficha` asks for.
pub const FICHA: ProfileParts = ProfileParts::FLAGS
    .and(ProfileParts::LISTS)
    .and(ProfileParts::ANNEX_COUNT)
    .and(ProfileParts::OPEN_DATA)
    .and(ProfileParts::OPERATING_INCAPACITY)
    .and(ProfileParts::SANCTIONS);

/// Numbers by xorshift, good enough for choosing keys.
pub struct Random(pub u64);

impl Random {
    pub const fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        if limit == 0 { 0 } else { (self.0 % limit as u64) as usize }
    }
}

/// The nanoseconds of each call, sorted.
pub fn latencies<K: Copy>(keys: &[K], mut call: impl FnMut(K) -> Figures) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut latencies = Vec::with_capacity(keys.len());
    for &key in keys {
        let start = Instant::now();
        call(black_box(key))?;
        latencies.push(start.elapsed().as_nanos() as u32);
    }
    latencies.sort_unstable();
    Ok(latencies)
}

/// The latency that this share of the calls does not exceed.
pub fn share(sorted: &[u32], share: f64) -> f64 {
    let place = (sorted.len().saturating_sub(1) as f64 * share) as usize;
    f64::from(sorted.get(place).copied().unwrap_or_default())
}

/// The median of some figures.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}

/// The most memory that this process has had.
pub fn peak() -> Result<String, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    Ok(status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default().trim().to_owned())
}

/// When each stage of an import began.
#[derive(Default)]
pub struct StageClock(Mutex<Vec<(Stage, Instant)>>);

impl StageClock {
    /// Seconds for which the changes were recorded.
    pub fn changes(&self) -> Option<f64> {
        let stages = self.0.lock().ok()?;
        let mut stages = stages.iter().skip_while(|(stage, _)| *stage != Stage::Changes);
        let ((_, began), (_, ended)) = (stages.next()?, stages.next()?);
        Some((*ended - *began).as_secs_f64())
    }

    /// Seconds since the publication began: the history, and the renaming of files.
    pub fn publication(&self) -> Option<f64> {
        let stages = self.0.lock().ok()?;
        stages.iter().find(|(stage, _)| *stage == Stage::Publication).map(|(_, began)| began.elapsed().as_secs_f64())
    }
}

impl Progress for StageClock {
    fn stage(&self, stage: Stage) {
        if let Ok(mut stages) = self.0.lock() {
            stages.push((stage, Instant::now()));
        }
    }

    fn advanced(&self, _: Advance) {}
}
