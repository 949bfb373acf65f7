//! Figures of the monthly history for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure_months REGISTRY FILE…   adds the months of published files, PadronRUC_AAAAMM.zip, in this order
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use kuraka_measure::{Figures, peak};
use kuraka_registry::NoProgress;
use kuraka_registry::months::{Month, Months, add_file};

fn main() -> Figures {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let registry = arguments.next().ok_or("usage: measure_months REGISTRY FILE…")?;
    for file in arguments {
        let month = month_of(&file).ok_or("a file's name ends with its month, AAAAMM")?;
        let start = Instant::now();
        let companies = add_file(&registry, month, &file, true, &NoProgress)?;
        let length = fs::metadata(Months::path(&registry))?.len();
        println!("{month} companies {companies} seconds {:.3} bytes {length}", start.elapsed().as_secs_f64());
    }
    println!("peak {}", peak()?);
    Ok(())
}

fn month_of(file: &Path) -> Option<Month> {
    let (_, month) = file.file_stem()?.to_str()?.rsplit_once('_')?;
    let (year, month) = month.split_at_checked(4)?;
    format!("{year}-{month}").parse().ok()
}
