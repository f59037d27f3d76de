//! The program `fieldbook`.

use std::process::ExitCode;

/// Answers are made of many small texts: this costs less than the system's, and what is given back does not stay behind.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fieldbook::cli::main()
}
