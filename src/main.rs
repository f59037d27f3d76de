//! Entry point of the program `fieldbook`.

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Memory allocator. Responses are built from many small strings. mimalloc allocates them faster than the system's
/// allocator does, and also returns freed memory to the system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    set_purge_delay();
    fieldbook::cli::main()
}

/// Sets the time after which freed memory is returned to the system. By default, the allocator waits for a second, and
/// a few large requests in that second take hundreds of MiB. The allocator reads its environment variables before
/// `main`. So unless the variable for this time is set already, the program sets it and executes itself again.
fn set_purge_delay() {
    const PURGE_DELAY: &str = "MIMALLOC_PURGE_DELAY";
    const MILLISECONDS: &str = "10";

    let mut arguments = std::env::args_os();
    if std::env::var_os(PURGE_DELAY).is_none()
        && let (Some(name), Ok(program)) = (arguments.next(), std::env::current_exe())
    {
        // `exec` returns only if it fails, for example without /proc. Then the program continues, but needs more
        // memory.
        let _ = Command::new(program).arg0(name).args(arguments).env(PURGE_DELAY, MILLISECONDS).exec();
    }
}
