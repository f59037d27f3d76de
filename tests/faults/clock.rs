//! A clock that is set back, and forward again, while the service runs and between two starts.

use std::path::PathBuf;

use reqwest::Method;

use crate::report::Line;
use crate::round::Round;
use crate::world::{Backend, World, begin, close};

pub async fn stepped_back(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("clock stepping back", backend.name());
    let Some(library) = library() else {
        line.done = "not tried: there is no libfaketime".into();
        return Ok(line);
    };
    line.done = "two hours back while it serves, `kill -9` and start there, then on again".into();
    let mut plan = world.store("clock", backend).await?;
    let clock = plan.data.with_extension("clock");
    let set = |offset: &str| std::fs::write(&clock, offset).map_err(|e| format!("{clock:?}: {e}"));
    set("+0\n")?;
    plan.environment = vec![
        ("LD_PRELOAD".into(), library.display().to_string()),
        ("FAKETIME_TIMESTAMP_FILE".into(), clock.display().to_string()),
        ("FAKETIME_NO_CACHE".into(), "1".into()),
        // The monotonic clock, which measures waits, is not faked. On a real machine, it never steps either.
        ("DONT_FAKE_MONOTONIC".into(), "1".into()),
        ("FAKETIME_DONT_FAKE_MONOTONIC".into(), "1".into()),
        ("NO_FAKE_STAT".into(), "1".into()),
    ];
    let (mut service, round) = begin(&plan, "clock", 60).await?;
    let mut latest = updated_at(&service, &round).await?;
    for (offset, restarts) in [("-7200\n", false), ("-7200\n", true), ("+0\n", false)] {
        set(offset)?;
        if restarts {
            service.kill();
            service = plan.must_start().await?;
        }
        round.work(&service.caller, 60).await?;
        let now = updated_at(&service, &round).await?;
        if now < latest {
            line.wrong.push(format!("updatedAt went back from {latest} to {now}"));
        }
        latest = now;
    }
    close(&mut line, &plan, &round, service).await?;
    line.back = Some("yes".into());
    Ok(line)
}

async fn updated_at(service: &crate::service::Service, round: &Round) -> Result<String, String> {
    let told = service.caller.must(Method::GET, &round.first(), None).await?;
    Ok(told["data"]["updatedAt"].as_str().unwrap_or_default().to_owned())
}

/// Returns the path of libfaketime for programs with threads, as Debian installs it.
fn library() -> Option<PathBuf> {
    let machines = std::fs::read_dir("/usr/lib").ok()?.flatten();
    machines.map(|entry| entry.path().join("faketime/libfaketimeMT.so.1")).find(|path| path.exists())
}
