//! The process's metrics under Prometheus' usual names, read from `/proc` at each scrape.

use std::fmt;

use procfs::process::{LimitValue, Process};
use procfs::{ProcResult, boot_time_secs, page_size, ticks_per_second};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;

/// Memory, CPU time, open files and start time.
#[derive(Debug)]
pub(super) struct ProcessCollector;

struct Readings {
    cpu_seconds: f64,
    resident_bytes: u64,
    virtual_bytes: u64,
    open_files: u64,
    most_files: u64,
    started: f64,
}

impl Collector for ProcessCollector {
    /// Nothing if `/proc` cannot be read.
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Ok(read) = read() else { return Ok(()) };
        let mut write = |name, help, unit: Option<&Unit>, metric: &dyn EncodeMetric| {
            metric.encode(encoder.encode_descriptor(name, help, unit, metric.metric_type())?)
        };
        let (seconds, bytes) = (Some(&Unit::Seconds), Some(&Unit::Bytes));
        write("process_cpu", "CPU time of the process", seconds, &ConstCounter::new(read.cpu_seconds))?;
        write(
            "process_resident_memory",
            "Memory of the process, mapped files included",
            bytes,
            &ConstGauge::new(read.resident_bytes),
        )?;
        write("process_virtual_memory", "Address space of the process", bytes, &ConstGauge::new(read.virtual_bytes))?;
        write("process_open_fds", "Open files and sockets", None, &ConstGauge::new(read.open_files))?;
        write("process_max_fds", "The most open files and sockets", None, &ConstGauge::new(read.most_files))?;
        write("process_start_time", "When the process started, in Unix time", seconds, &ConstGauge::new(read.started))
    }
}

fn read() -> ProcResult<Readings> {
    let process = Process::myself()?;
    let (stat, ticks) = (process.stat()?, ticks_per_second() as f64);
    let most_files = match process.limits()?.max_open_files.soft_limit {
        LimitValue::Value(files) => files,
        LimitValue::Unlimited => u64::MAX,
    };
    Ok(Readings {
        cpu_seconds: (stat.utime + stat.stime) as f64 / ticks,
        resident_bytes: stat.rss * page_size(),
        virtual_bytes: stat.vsize,
        open_files: process.fd_count()? as u64,
        most_files,
        started: boot_time_secs()? as f64 + stat.starttime as f64 / ticks,
    })
}
