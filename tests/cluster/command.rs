//! Runs the work of a test that is started as a command, such as `scripts/cluster`. The work runs until it ends or the
//! command is interrupted. If the work fails, prints the reason.

use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

/// Runs `work` until it ends, or until SIGTERM or SIGINT. Dropping the future stops the processes that it has started.
pub async fn to_the_end(work: impl Future<Output = Result<(), String>>) -> ExitCode {
    let (Ok(mut ended), Ok(mut interrupted)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return ExitCode::FAILURE;
    };
    let outcome = tokio::select! {
        outcome = work => outcome,
        _ = ended.recv() => Err("ended".to_owned()),
        _ = interrupted.recv() => Err("interrupted".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("\nFAILED: {reason}");
            ExitCode::FAILURE
        }
    }
}
