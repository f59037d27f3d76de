//! The program `fieldbook`.

use std::process::ExitCode;

/// Responses are built from many small strings. This allocator is faster for them than the system's, and returns freed
/// memory.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fieldbook::cli::main()
}
