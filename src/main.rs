//! Entry point of the program `fieldbook`.

use std::process::ExitCode;

/// Memory allocator. Responses are built from many small strings. mimalloc allocates them faster than the system's
/// allocator does, and also returns freed memory to the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fieldbook::cli::main()
}
