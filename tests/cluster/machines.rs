//! The database cluster: one etcd, and three PostgreSQL nodes under Patroni, each on its own loopback address.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::process::{Process, family, signal};
use crate::wait::until;

/// Maximum time until the cluster is complete again after a node has returned.
const HEALING: Duration = Duration::from_secs(90);

/// User that runs PostgreSQL, which refuses to run as root.
#[derive(Clone, Copy)]
struct User {
    id: u32,
    group: u32,
}

pub struct Machines {
    pub nodes: Vec<Node>,
    _etcd: Process,
    http: reqwest::Client,
}

/// A machine with Patroni and PostgreSQL.
pub struct Node {
    pub name: String,
    pub address: SocketAddr,
    rest: SocketAddr,
    folder: PathBuf,
    user: Option<User>,
    patroni: Option<Process>,
}

/// State of the cluster, as Patroni reports it.
#[derive(Default)]
struct View {
    leader: Option<String>,
    standby: Option<String>,
    running: usize,
}

impl Machines {
    /// Starts the cluster in this folder and waits until it is complete.
    pub async fn start(folder: &Path, programs: &Path) -> Result<Self, String> {
        let user = User::of_postgres()?;
        let etcd = [free(1)?, free(1)?];
        let folder_of_etcd = owned_folder(folder, "etcd", user)?;
        let mut command = as_user("etcd", user);
        command.args(["--enable-v2=true", "--name", "one", "--data-dir"]).arg(folder_of_etcd.join("data"));
        for (word, port) in [("client", etcd[0]), ("peer", etcd[1])] {
            command.args([format!("--listen-{word}-urls"), format!("http://{port}")]);
        }
        command.args(["--advertise-client-urls".into(), format!("http://{}", etcd[0])]);
        command.args(["--initial-advertise-peer-urls".into(), format!("http://{}", etcd[1])]);
        command.args(["--initial-cluster".into(), format!("one=http://{}", etcd[1])]);
        let running = Process::start(&mut command, &folder.join("etcd.log"))?;

        let mut nodes = Vec::new();
        for number in 1..=3 {
            let name = format!("node{number}");
            let folder = owned_folder(folder, &name, user)?;
            let (address, rest) = (free(10 + number)?, free(10 + number)?);
            let settings = settings(&name, address, rest, etcd[0], &folder, programs);
            fs::write(folder.join("patroni.yml"), settings).map_err(|e| e.to_string())?;
            nodes.push(Node { name, address, rest, folder, user, patroni: None });
        }
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(2)).build();
        let mut machines = Self { nodes, _etcd: running, http: http.map_err(|e| e.to_string())? };
        for node in &mut machines.nodes {
            node.start()?;
        }
        machines.whole().await?;
        Ok(machines)
    }

    /// Waits until three nodes run and one of them is the synchronous standby.
    pub async fn whole(&self) -> Result<(), String> {
        let whole = async || {
            let view = self.view().await;
            (view.running == 3 && view.leader.is_some() && view.standby.is_some()).then_some(())
        };
        until("that all database nodes run", HEALING, whole).await
    }

    /// Returns the node that accepts writes.
    pub async fn primary(&mut self) -> Result<&mut Node, String> {
        let name = self.view().await.leader.ok_or("there is no primary")?;
        self.node(&name)
    }

    /// Returns the synchronous standby, for which commits wait.
    pub async fn standby(&mut self) -> Result<&mut Node, String> {
        let name = self.view().await.standby.ok_or("there is no synchronous standby")?;
        self.node(&name)
    }

    fn node(&mut self, name: &str) -> Result<&mut Node, String> {
        self.nodes.iter_mut().find(|node| node.name == name).ok_or_else(|| format!("there is no {name}"))
    }

    /// Returns the state of the cluster as the first node that answers reports it.
    async fn view(&self) -> View {
        for node in &self.nodes {
            let asked = self.http.get(format!("http://{}/cluster", node.rest)).send().await;
            let Ok(answer) = asked else { continue };
            let Ok(text) = answer.text().await else { continue };
            let told: Value = serde_json::from_str(&text).unwrap_or_default();
            let mut view = View::default();
            for member in told["members"].as_array().into_iter().flatten() {
                let name = member["name"].as_str().map(str::to_owned);
                if ["running", "streaming"].contains(&member["state"].as_str().unwrap_or_default()) {
                    view.running += 1;
                    match member["role"].as_str() {
                        Some("leader") => view.leader = name,
                        Some("sync_standby") => view.standby = name,
                        _ => {}
                    }
                }
            }
            return view;
        }
        View::default()
    }
}

impl Node {
    /// Starts Patroni, which starts PostgreSQL.
    pub fn start(&mut self) -> Result<(), String> {
        let mut command = as_user("patroni", self.user);
        command.arg(self.folder.join("patroni.yml")).current_dir(&self.folder);
        self.patroni = Some(Process::start(&mut command, &self.folder.join("log"))?);
        Ok(())
    }

    /// Simulates a power failure of the machine: kills all of its processes at once.
    pub fn kill(&mut self) {
        signal("KILL", &self.processes());
        self.patroni = None;
    }

    /// Simulates a frozen machine: the kernel still accepts connections, but no process answers.
    pub fn pause(&self) {
        // Stops Patroni and the postmaster first, because they could start more processes.
        signal("STOP", &self.heads());
        signal("STOP", &self.processes());
    }

    /// Lets the processes of a frozen machine continue.
    pub fn go_on(&self) {
        signal("CONT", &self.processes());
    }

    /// Shuts the machine down cleanly.
    pub async fn stop(&mut self) -> Result<(), String> {
        let Some(patroni) = &mut self.patroni else { return Ok(()) };
        signal("TERM", &[patroni.id()]);
        until("that a node stops", HEALING, async || patroni.has_ended().then_some(())).await?;
        self.patroni = None;
        Ok(())
    }

    fn heads(&self) -> Vec<u32> {
        let file = fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap_or_default();
        let postmaster = file.lines().next().and_then(|line| line.trim().parse().ok());
        // The file remains after a server was killed, and its process id may belong to another process by now.
        let postmaster = postmaster.filter(|id| {
            let command = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(&*self.folder.to_string_lossy())
        });
        self.patroni.iter().map(Process::id).chain(postmaster).collect()
    }

    fn processes(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.heads().into_iter().flat_map(family).collect();
        all.dedup();
        all
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

impl User {
    /// Returns Debian's user `postgres` if this process runs as root, and otherwise `None`.
    fn of_postgres() -> Result<Option<Self>, String> {
        let id = |arguments: &[&str]| -> Result<u32, String> {
            let output = Command::new("id").args(arguments).output().map_err(|e| e.to_string())?;
            String::from_utf8_lossy(&output.stdout).trim().parse().map_err(|_| "there is no user postgres".to_owned())
        };
        if id(&["-u"])? != 0 {
            return Ok(None);
        }
        Ok(Some(Self { id: id(&["-u", "postgres"])?, group: id(&["-g", "postgres"])? }))
    }
}

fn as_user(program: &str, user: Option<User>) -> Command {
    use std::os::unix::process::CommandExt;
    let mut command = Command::new(program);
    command.env("LC_ALL", "C.UTF-8");
    if let Some(user) = user {
        command.uid(user.id).gid(user.group);
    }
    command
}

fn owned_folder(parent: &Path, name: &str, user: Option<User>) -> Result<PathBuf, String> {
    let folder = parent.join(name);
    fs::create_dir(&folder).map_err(|e| format!("{folder:?}: {e}"))?;
    if let Some(user) = user {
        chown(&folder, Some(user.id), Some(user.group)).map_err(|e| format!("{folder:?}: {e}"))?;
    }
    Ok(folder)
}

/// Returns a free port on 127.0.0.`last`.
fn free(last: u8) -> Result<SocketAddr, String> {
    let listener =
        TcpListener::bind(SocketAddr::from(([127, 0, 0, last], 0))).map_err(|e| format!("127.0.0.{last}: {e}"))?;
    listener.local_addr().map_err(|e| e.to_string())
}

/// Returns Patroni's settings. They use version 2 of etcd's API: with version 3, a paused leader of Patroni 3.0
/// becomes leader again when it continues, although another node was promoted. Patroni replaces a silent leader after
/// `ttl`. PostgreSQL drops a silent standby after `wal_sender_timeout`, whose default is one minute.
fn settings(
    name: &str,
    address: SocketAddr,
    rest: SocketAddr,
    etcd: SocketAddr,
    folder: &Path,
    programs: &Path,
) -> String {
    let (folder, programs) = (folder.display(), programs.display());
    format!(
        "scope: fieldbook
name: {name}
restapi: {{listen: '{rest}', connect_address: '{rest}'}}
etcd: {{host: '{etcd}'}}
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 1
    retry_timeout: 3
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters:
        max_connections: 100
        wal_log_hints: 'on'
        wal_keep_size: 256MB
        wal_sender_timeout: 3s
        wal_receiver_timeout: 3s
  initdb: [encoding: UTF8, locale: C.UTF-8, auth-host: trust, auth-local: trust]
postgresql:
  listen: '{address}'
  connect_address: '{address}'
  data_dir: {folder}/data
  bin_dir: {programs}
  pgpass: {folder}/pgpass
  remove_data_directory_on_rewind_failure: true
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser: {{username: postgres, password: postgres}}
    replication: {{username: replicator, password: replicator}}
    rewind: {{username: postgres, password: postgres}}
  parameters: {{unix_socket_directories: '', shared_buffers: 64MB}}
  pg_hba: ['host all all 127.0.0.0/8 trust', 'host replication all 127.0.0.0/8 trust']
"
    )
}
