//! The program's version, and metrics of its process with the names that Prometheus clients use. Memory and open files
//! are read from `/proc`, so they are left out on systems without `/proc`.

use std::fs;
use std::sync::OnceLock;

use rustix::time::{ClockId, clock_gettime};

use crate::clock::Clock;

/// Records the metrics of the process. The start time that it records is the time of its first call.
pub(super) fn record() {
    static STARTED: OnceLock<i64> = OnceLock::new();
    let started = STARTED.get_or_init(|| Clock::system().now().0 / 1000);
    metrics::gauge!("process_start_time_seconds").set(*started as f64);
    metrics::gauge!("fieldbook_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let cpu = clock_gettime(ClockId::ProcessCPUTime).tv_sec;
    metrics::counter!("process_cpu_seconds_total").absolute(u64::try_from(cpu).unwrap_or_default());
    if let Some(kibibytes) = resident() {
        metrics::gauge!("process_resident_memory_bytes").set(kibibytes as f64 * 1024.0);
    }
    if let Ok(files) = fs::read_dir("/proc/self/fd") {
        metrics::gauge!("process_open_fds").set(files.count() as f64);
    }
}

fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}
