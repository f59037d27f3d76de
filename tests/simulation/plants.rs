//! Bugs that are planted on purpose, to test that the checks find them. Each changes the store directly, with the
//! effect of a bug in the service.

use std::rc::Rc;
use std::time::Duration;

use fieldbook::store::sqlite::FILE;
use rusqlite::Connection;
use tokio::time::sleep;

use crate::simulation::Simulation;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plant {
    None,
    /// The event of a change is not stored.
    LosesEvents,
    /// A keyed request is executed again.
    ForgetsKeys,
    /// An event is not sent to a webhook.
    SkipsDeliveries,
    /// A visit is not counted.
    LosesVisits,
    /// A change is overwritten.
    LosesChanges,
    /// A version record is not stored.
    LosesVersions,
    /// After a lost answer, the service only reads whether the mark of the write is stored. This does not stop a
    /// transaction that is still in progress.
    LooksForMarks,
}

impl Plant {
    fn statement(self) -> Option<&'static str> {
        Some(match self {
            Plant::None => return None,
            Plant::LosesEvents => "DELETE FROM event WHERE n = (SELECT max(n) FROM event)",
            Plant::ForgetsKeys => "DELETE FROM first_answer",
            Plant::SkipsDeliveries => "DELETE FROM webhook_delivery WHERE n = (SELECT max(n) FROM webhook_delivery)",
            Plant::LosesVisits => "UPDATE link SET visit_count = visit_count - 1 WHERE visit_count > 0",
            Plant::LosesChanges => "UPDATE investigation SET content = '{\"n\":0}' WHERE content = '{\"n\":1}'",
            Plant::LosesVersions => {
                "DELETE FROM version_record WHERE version = (SELECT max(version) FROM version_record)"
            }
            Plant::LooksForMarks => {
                "CREATE TRIGGER IF NOT EXISTS look BEFORE INSERT ON write_mark WHEN NOT NEW.claimed
                 BEGIN DELETE FROM write_mark WHERE mark = NEW.mark AND claimed; END"
            }
        })
    }

    /// Causes the bug every second while clients send requests.
    pub async fn grow(self, simulation: Rc<Simulation>) {
        let Some(statement) = self.statement() else { return };
        while simulation.at_work.get() > 0 {
            sleep(Duration::from_secs(1)).await;
            let store = Connection::open(simulation.world.folder.join(FILE)).expect("the store");
            store.execute_batch(statement).expect("the statement runs");
        }
    }
}
