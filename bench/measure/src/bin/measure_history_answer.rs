//! Figures of `/ruc-historial` in process for the benchmark table, one `name value` a line: an answer for a day, compared
//! with the profile of `/ruc-ficha`, and both as JSON.
//!
//! ```text
//! measure_history_answer REGISTRY
//! ```

use std::borrow::Cow;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_api::{ProfileRecord, SourceFileRecord};
use kuraka_app::{AgeLimits, RegistryBatch};
use kuraka_domain::{Date, Ruc};
use kuraka_measure::{FICHA, Figures, Random, latencies, median, share};
use kuraka_ports::{RegistrySnapshot, SnapshotDataset, TaxpayerRegistry};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::open_current;
use kuraka_server::http::history_record;

/// Calls measured, each on its own.
const CALLS: usize = 200_000;

fn main() -> Figures {
    let folder = std::env::args().nth(1).ok_or("usage: measure_history_answer REGISTRY")?;
    let folder = Path::new(&folder);
    let edition = open_current(folder, &PADRON)?.edition.ok_or("no edition")?;
    let rucs = edition.rucs().collect::<Result<Vec<_>, _>>()?;
    drop(edition);
    let registry: Arc<dyn TaxpayerRegistry> = Arc::new(EmbeddedRegistry::open(folder)?.0);
    let snapshot = registry.snapshot().ok_or("no edition")?;
    let ages = AgeLimits::new(Arc::new(SystemClock::start()), []);
    let batch = RegistryBatch::new(Arc::clone(&snapshot), ages);
    let known = snapshot.history(*rucs.first().ok_or("no taxpayer")?)?.ok_or("no history")?;
    let mut body = Vec::new();
    let days: Vec<Date> = known.summaries.record.editions.iter().map(|edition| edition.date).collect();
    println!("editions {}", days.len());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut ratios, mut json_ratios) = (Vec::new(), Vec::new());
    for run in 0..6 {
        let keys: Vec<(Ruc, Date)> = (0..CALLS)
            .filter_map(|_| Some((*rucs.get(random.below(rucs.len()))?, *days.get(random.below(days.len()))?)))
            .collect();
        let ficha = latencies(&keys, |(ruc, _)| {
            black_box(snapshot.profile(ruc, FICHA)?);
            Ok(())
        })?;
        let ficha_json = latencies(&keys, |(ruc, _)| {
            let snapshot = registry.snapshot().ok_or("no edition")?;
            let profile = snapshot.profile(ruc, FICHA)?.ok_or("no taxpayer")?;
            body.clear();
            serde_json::to_writer(&mut body, &ProfileRecord::new(&profile, files(&*snapshot), Vec::new()))?;
            Ok(())
        })?;
        let answer = latencies(&keys, |(ruc, day)| {
            black_box(batch.history(ruc, Some(Ok(day)))?);
            Ok(())
        })?;
        let answer_json = latencies(&keys, |(ruc, day)| {
            let answer = batch.history(ruc, Some(Ok(day)))?.ok_or("no taxpayer")?;
            body.clear();
            serde_json::to_writer(&mut body, &history_record(&answer))?;
            Ok(())
        })?;
        let [ficha, ficha_json, answer, answer_json] =
            [ficha, ficha_json, answer, answer_json].map(|found| share(&found, 0.5));
        if run > 0 {
            println!("ficha_json_nanoseconds {ficha_json} answer_json_nanoseconds {answer_json}");
            json_ratios.push(answer_json / ficha_json);
            println!("ficha_nanoseconds {ficha} answer_nanoseconds {answer} ratio {:.2}", answer / ficha);
            ratios.push(answer / ficha);
        }
    }
    println!("answer_to_ficha {:.2}", median(ratios));
    println!("answer_to_ficha_with_json {:.2}", median(json_ratios));
    Ok(())
}

/// The files of `/ruc-ficha`, as its answer names them.
fn files(snapshot: &dyn RegistrySnapshot) -> Vec<SourceFileRecord<'static>> {
    let file = |dataset: &SnapshotDataset| {
        let edition = dataset.edition.as_ref()?;
        let (nombre, edicion) = (Cow::Borrowed(dataset.name), Cow::Owned(edition.label.to_string()));
        Some(SourceFileRecord { nombre, edicion, fecha: edition.date })
    };
    snapshot.datasets().iter().filter_map(file).collect()
}
