//! `kill -9` in the middle of writes, round after round.

use crate::report::Line;
use crate::round::Round;
use crate::world::{Backend, World};

/// Number of acknowledged writes after which the service is killed.
const WRITES: u32 = 120;
/// Number of kills by default, and with `--short`.
const ROUNDS: usize = 100;
const FEW_ROUNDS: usize = 5;

pub async fn killed(world: &World, backend: Backend) -> Result<Line, String> {
    let mut line = Line::new("`kill -9` under load", backend.name());
    let rounds = world.rounds(ROUNDS, FEW_ROUNDS);
    line.done = format!("{rounds} times: hands write on all sides, SIGKILL in the middle, start");
    let plan = world.store("killed", backend).await?;
    let mut service = plan.must_start().await?;
    let mut written = Vec::new();
    for number in 0..rounds {
        let round = Round::begin(&number.to_string(), &service.caller).await?;
        let workers = round.workers(&service.caller);
        workers.wait_for(WRITES).await?;
        service.kill();
        workers.end().await;
        service = plan.must_start().await?;
        round.check(&service.caller).await?;
        written.push(round);
    }
    // Checks all rounds again: a later round must not lose the writes of an earlier one.
    for round in &written {
        line.add(round.check(&service.caller).await?);
        line.wrong.extend(round.wrong());
    }
    line.hear("after every kill", "listening on http://127.0.0.1:…");
    line.wrong.extend(plan.panics());
    service.stop().await?;
    line.back = Some("yes".into());
    Ok(line)
}
