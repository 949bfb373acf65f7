//! The time that recording the changes takes, compared with the rest of the import, one `name value` a line.
//!
//! ```text
//! measure_changes FOLDER PADRON NEXT_PADRON
//! ```

use std::error::Error;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use kuraka_domain::Date;
use kuraka_registry::changes::Counts;
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Advance, Import, Progress, SourceFile, Stage, import};

/// Times that the changes are recorded.
const RUNS: u32 = 5;

/// Imports both padrones in turn.
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, padron, next] = arguments.as_slice() else {
        return Err("usage: measure_changes FOLDER PADRON NEXT_PADRON".into());
    };
    let mut ratios = Vec::new();
    for run in 0..2 * RUNS {
        let source = SourceFile::local(if run % 2 == 0 { padron } else { next });
        let request = Import { force: true, ..Import::new(source, Date::new(9999, 12, 31)?) };
        let (start, clock) = (Instant::now(), StageClock::default());
        let report = import(Path::new(folder), &PADRON, &request, &clock)?;
        let all = start.elapsed().as_secs_f64();
        let Some(recorded) = report.changes.filter(|_| run % 2 == 1) else { continue };
        let changes = clock.changes().ok_or("no changes were recorded")?;
        let Counts { new, gone, changed } = recorded.counts;
        println!("import_seconds {all:.3} changes_seconds {changes:.3} ratio {:.4}", changes / (all - changes));
        println!("new {new} gone {gone} changed {changed} list_bytes {}", recorded.bytes);
        ratios.push(changes / (all - changes));
    }
    ratios.sort_by(f64::total_cmp);
    println!("changes_to_rebuild {:.4}", ratios.get(ratios.len() / 2).copied().unwrap_or_default());
    Ok(())
}

/// When each stage of an import began.
#[derive(Default)]
struct StageClock(Mutex<Vec<(Stage, Instant)>>);

impl StageClock {
    /// Seconds for which the changes were recorded.
    fn changes(&self) -> Option<f64> {
        let stages = self.0.lock().ok()?;
        let mut stages = stages.iter().skip_while(|(stage, _)| *stage != Stage::Changes);
        let ((_, began), (_, ended)) = (stages.next()?, stages.next()?);
        Some((*ended - *began).as_secs_f64())
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
