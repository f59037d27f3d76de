//! The faults, and how each is repaired.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::caller::Caller;
use crate::copies::Copy;
use crate::machines::Machines;
use crate::phase::{COPIES, Phase};
use crate::proxy::Knife;
use crate::wait::until;

/// Time within which the service must recover by itself.
pub const BACK: Duration = Duration::from_secs(30);

/// Number of writes on every copy after which the service counts as steady.
const STEADY: usize = 25;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    None,
    KillPrimary,
    PausePrimary,
    PauseStandby,
    CutCopy,
    KillCopy,
    RestartNodes,
    RestartCopies,
}

pub struct World {
    pub machines: Machines,
    pub copies: Vec<Copy>,
    /// Cuts the connections of the second copy to the database.
    pub knife: Knife,
}

impl Fault {
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::KillPrimary,
        Self::PausePrimary,
        Self::PauseStandby,
        Self::CutCopy,
        Self::KillCopy,
        Self::RestartNodes,
        Self::RestartCopies,
    ];

    pub const SHORT: [Self; 2] = [Self::KillPrimary, Self::PausePrimary];

    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::KillPrimary => "the primary killed (-9)",
            Self::PausePrimary => "the primary paused, later continued",
            Self::PauseStandby => "the standby paused, later continued",
            Self::CutCopy => "copy 2 cut off, later joined again",
            Self::KillCopy => "copy 2 killed (-9)",
            Self::RestartNodes => "the database nodes restarted in turn",
            Self::RestartCopies => "the copies restarted in turn",
        }
    }

    /// Returns for each copy whether this fault must make the copy report that it is not ready.
    pub fn turns_red(self) -> [bool; COPIES] {
        match self {
            Self::KillPrimary | Self::PausePrimary => [true, true],
            Self::CutCopy => [false, true],
            _ => [false, false],
        }
    }
}

impl World {
    pub fn callers(&self) -> Vec<Caller> {
        self.copies.iter().map(|copy| copy.caller.clone()).collect()
    }

    /// Causes a fault, waits until the service has recovered, and repairs what was broken. Returns the time during
    /// which a copy was cut off, if any.
    pub async fn suffer(&mut self, fault: Fault, phase: &Arc<Phase>) -> Result<Option<(Instant, Instant)>, String> {
        let mut cut = None;
        match fault {
            Fault::None => {}
            Fault::KillPrimary => {
                let primary = self.machines.primary().await?;
                primary.kill();
                back(phase).await?;
                primary.start()?;
            }
            Fault::PausePrimary => pause(self.machines.primary().await?, phase).await?,
            Fault::PauseStandby => pause(self.machines.standby().await?, phase).await?,
            Fault::CutCopy => {
                self.knife.cut(true);
                let begin = Instant::now();
                // The copy stays cut off from the database until it has reported that it is not ready. Meanwhile,
                // clients of the copy wait for responses.
                let red = async || phase.ledger().was_red.last().copied().unwrap_or_default().then_some(());
                let was_red = until("that the copy says it is cut off", BACK, red).await;
                self.knife.cut(false);
                cut = Some((begin, Instant::now()));
                was_red?;
                back(phase).await?;
            }
            Fault::KillCopy => {
                self.copies.last_mut().ok_or("no copy")?.kill_and_start()?;
                back(phase).await?;
            }
            Fault::RestartNodes => {
                for index in 0..self.machines.nodes.len() {
                    let node = self.machines.nodes.get_mut(index).ok_or("no node")?;
                    node.stop().await?;
                    back(phase).await?;
                    node.start()?;
                    self.machines.whole().await?;
                }
            }
            Fault::RestartCopies => {
                for copy in &mut self.copies {
                    copy.restart().await?;
                    back(phase).await?;
                }
            }
        }
        self.machines.whole().await?;
        steady(phase).await?;
        for (n, caller) in self.callers().iter().enumerate() {
            let green = async || caller.is_ready().await.then_some(());
            until(&format!("that copy {} is ready", n + 1), BACK, green).await?;
        }
        Ok(cut)
    }
}

async fn pause(node: &mut crate::machines::Node, phase: &Phase) -> Result<(), String> {
    node.pause();
    let outcome = back(phase).await;
    node.go_on();
    outcome
}

/// Waits until every copy has completed a write that was sent after this call.
async fn back(phase: &Phase) -> Result<(), String> {
    // Writes that were sent before the fault may still complete in the next half second, so writes in that time are not
    // counted.
    let then = Instant::now() + Duration::from_millis(500);
    until("that the service is back", BACK, async || (phase.written_since(then) > 0).then_some(())).await
}

/// Waits until every copy has completed more than [`STEADY`] writes since this call.
pub async fn steady(phase: &Phase) -> Result<(), String> {
    let then = Instant::now();
    until("that the service is steady", BACK, async || (phase.written_since(then) > STEADY).then_some(())).await
}
