//! Creates a store for each fault: a data folder, and for PostgreSQL also a database.

use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio_postgres::NoTls;

use crate::caller::{Caller, Outcome};
use crate::report::Line;
use crate::round::Round;
use crate::service::{PROGRAM, Plan, Service};
use crate::wait::until;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    Postgres,
}

/// The environment that all faults share.
pub struct World {
    folder: PathBuf,
    /// Address of the PostgreSQL server, if there is one.
    server: Option<String>,
    rounds: Rounds,
    /// Seed for the moments of power failures.
    pub seed: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Rounds {
    #[default]
    Usual,
    Few,
    Exactly(usize),
}

/// Minimum value of `--rounds` with which the results are written to the documentation.
const ROUNDS_TO_WRITE: usize = 100;

/// Time within which the service must recover once a fault is over.
pub const SOON: Duration = Duration::from_secs(30);

/// Id of a user that is neither root nor in use.
const NOBODY: u32 = 65534;

impl Backend {
    pub fn name(self) -> &'static str {
        match self {
            Backend::Sqlite => "SQLite",
            Backend::Postgres => "PostgreSQL",
        }
    }
}

impl World {
    pub fn new(folder: &Path, rounds: Rounds, seed: u64) -> Result<Self, String> {
        // In some faults the service runs as another user, which must be able to enter the folder.
        let open = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder, open).map_err(|e| e.to_string())?;
        let server = std::env::var("FIELDBOOK_TEST_POSTGRES").ok().filter(|server| !server.is_empty());
        Ok(Self { folder: folder.to_owned(), server, rounds, seed })
    }

    /// Returns the number of rounds. `usual` is the default, and `few` the number with `--short`.
    pub fn rounds(&self, usual: usize, few: usize) -> usize {
        match self.rounds {
            Rounds::Usual => usual,
            Rounds::Few => few,
            Rounds::Exactly(rounds) => rounds,
        }
    }

    /// Returns true if the results are written to the documentation.
    pub fn is_written(&self) -> bool {
        self.rounds(ROUNDS_TO_WRITE, 0) >= ROUNDS_TO_WRITE
    }

    pub fn backends(&self) -> Vec<Backend> {
        let postgres = self.server.as_ref().map(|_| Backend::Postgres);
        std::iter::once(Backend::Sqlite).chain(postgres).collect()
    }

    /// Creates a new store with this name. Returns how the service is started on it.
    pub async fn store(&self, name: &str, backend: Backend) -> Result<Plan, String> {
        let name = format!("{name}_{}", backend.name().to_lowercase());
        let data = self.folder.join(&name);
        std::fs::create_dir(&data).map_err(|e| format!("{data:?}: {e}"))?;
        let mut plan = Plan { data, ..Plan::default() };
        if backend == Backend::Postgres {
            self.execute(&format!("CREATE DATABASE {name}")).await?;
            plan.database = Some(self.database(&name)?);
        }
        Ok(plan)
    }

    fn database(&self, name: &str) -> Result<String, String> {
        let server = self.server.as_deref().ok_or("there is no PostgreSQL")?;
        let (before, _) = server.rsplit_once('/').ok_or("the address of PostgreSQL names no database")?;
        Ok(format!("{before}/{name}"))
    }

    /// Returns the path of a file or folder outside the stores.
    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Runs statements on the database that `FIELDBOOK_TEST_POSTGRES` names, and not on the database of a store.
    pub async fn execute(&self, sql: &str) -> Result<(), String> {
        let server = self.server.as_deref().ok_or("there is no PostgreSQL")?;
        execute(server, sql).await
    }
}

/// Runs statements one by one, directly on a database.
pub async fn execute(address: &str, sql: &str) -> Result<(), String> {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.map_err(|e| e.to_string())?;
    let connection = tokio::spawn(connection);
    for statement in sql.split(';').filter(|statement| !statement.trim().is_empty()) {
        client.batch_execute(statement).await.map_err(|e| format!("{statement}: {e}"))?;
    }
    drop(client);
    let _ = connection.await;
    Ok(())
}

/// If this process is root, makes the service run as a user without root's rights, who owns the data folder.
pub fn as_nobody(plan: &mut Plan) -> Result<(), String> {
    if crate::service::is_root() {
        let program = plan.data.with_extension("program");
        std::fs::copy(PROGRAM, &program).map_err(|e| format!("{program:?}: {e}"))?;
        set_mode(&program, 0o755)?;
        plan.user = Some((NOBODY, program));
        chown(&plan.data, Some(NOBODY), Some(NOBODY)).map_err(|e| format!("{:?}: {e}", plan.data))?;
    }
    Ok(())
}

pub fn set_mode(path: &Path, mode: u32) -> Result<(), String> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).map_err(|e| format!("{path:?}: {e}"))
}

/// Starts the service, begins a round with this name, and waits for this number of writes.
pub async fn begin(plan: &Plan, name: &str, writes: u32) -> Result<(Service, Arc<Round>), String> {
    let service = plan.must_start().await?;
    let round = Round::begin(name, &service.caller).await?;
    round.work(&service.caller, writes).await?;
    Ok((service, round))
}

/// Waits until the service accepts writes again.
pub async fn accepts_writes(round: &Round, caller: &Caller) -> Result<(), String> {
    let accepted = async || matches!(round.update(caller, 0, "").await, Outcome::Done(_)).then_some(());
    until("that it accepts writes again", SOON, accepted).await
}

/// Checks the writes of a round, records the results, and stops the service.
pub async fn close(line: &mut Line, plan: &Plan, round: &Arc<Round>, service: Service) -> Result<(), String> {
    line.add(round.check(&service.caller).await?);
    line.wrong.extend(round.wrong());
    line.wrong.extend(plan.panics());
    service.stop().await
}
