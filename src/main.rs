//! The program `fieldbook`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fieldbook::cli::main()
}
