//! The option of the memory allocator with which the program runs.

use crate::support::process::{Service, on_no_backend};

/// Returns the values of `MIMALLOC_PURGE_DELAY` in the environment of a running service.
fn purge_delays(service: &Service) -> Vec<String> {
    let environment = std::fs::read(format!("/proc/{}/environ", service.process.id())).expect("its environment");
    let variables = environment.split(|byte| *byte == 0).map(|variable| String::from_utf8_lossy(variable).into_owned());
    variables.filter_map(|variable| variable.strip_prefix("MIMALLOC_PURGE_DELAY=").map(str::to_owned)).collect()
}

#[test]
fn service_returns_freed_memory_after_10_ms_unless_its_operator_sets_another_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = Service::of(on_no_backend("serve", &folder.path().join("usual")));
    assert_eq!(purge_delays(&service), ["10"]);
    let mut program = on_no_backend("serve", &folder.path().join("other"));
    program.env("MIMALLOC_PURGE_DELAY", "7");
    assert_eq!(purge_delays(&Service::of(program)), ["7"]);
}
