//! A command that is a test target: it works until it is done or ended, and says why it failed.

use std::process::ExitCode;

use tokio::signal::unix::{SignalKind, signal};

/// Does this work. What was started ends with the future that started it, so also where the command is ended.
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
