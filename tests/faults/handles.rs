//! No free file handles: first because of idle connections, then because the limit is too low to start.

use std::time::Duration;

use tokio::net::TcpStream;

use crate::caller::Outcome;
use crate::folder::shorten;
use crate::report::Line;
use crate::wait::until;
use crate::world::{Backend, SOON, World, accepts_writes, begin, close};

/// Maximum number of file handles of the service.
const HANDLES: usize = 96;
/// Number of file handles that is too low for a start.
const TOO_FEW: usize = 14;

pub async fn out_of_them(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("out of file handles", backend.name());
    line.done = format!(
        "`prlimit --nofile={HANDLES}` and twice as many idle connections, later closed; then a start with {TOO_FEW}"
    );
    let mut plan = world.store("handles", backend).await?;
    let limit = |handles: usize| ["prlimit", &format!("--nofile={handles}")].map(str::to_owned).to_vec();
    plan.inside = limit(HANDLES);
    let (service, round) = begin(&plan, "handles", 40).await?;
    let address = service.caller.base.trim_start_matches("http://").to_owned();
    let mut idle = Vec::new();
    for _ in 0..2 * HANDLES {
        // The kernel accepts these connections even if the service cannot.
        if let Ok(Ok(stream)) = tokio::time::timeout(Duration::from_secs(5), TcpStream::connect(&address)).await {
            idle.push(stream);
        }
    }
    let logged = async || std::fs::read_to_string(plan.log()).ok()?.contains("could not be accepted").then_some(());
    until("that the handles are used up", SOON, logged).await?;
    // Clients that are already connected must still be served.
    let mut answered = 0;
    for n in 0..40 {
        match round.update(&service.caller, n % 4, "").await {
            Outcome::Done(_) => answered += 1,
            Outcome::Failed { said, .. } => line.hear("to an update", said),
            other => line.wrong.push(format!("an update came to {other:?}")),
        }
    }
    if answered == 0 {
        line.wrong.push("nobody was served any more".into());
    }
    let log = std::fs::read_to_string(plan.log()).unwrap_or_default();
    if let Some(said) = log.lines().find_map(|line| line.split_once(" WARN ")) {
        line.hear("in the log", said.1.trim());
    }
    drop(idle);
    let another = service.caller.apart()?;
    accepts_writes(&round, &another).await?;
    round.work(&another, 40).await?;
    close(&mut line, &plan, &round, service).await?;
    plan.inside = limit(TOO_FEW);
    match plan.start().await {
        Ok(service) => service.stop().await?,
        Err(said) => line.hear("at the start", shorten(&said, world)),
    }
    line.wrong.extend(plan.panics());
    line.back = Some("yes, once there are handles".into());
    Ok(line)
}
