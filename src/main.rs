//! Entry point of the program `fieldbook`.

use std::process::ExitCode;

/// Memory allocator. Responses are built from many small strings, which mimalloc allocates faster than the system's
/// allocator. mimalloc also returns freed memory to the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fieldbook::cli::main()
}
