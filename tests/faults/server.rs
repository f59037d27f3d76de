//! A PostgreSQL server with page checksums. A fault can stop the server and change its files.

use std::fs::File;
use std::net::TcpListener;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use tokio_postgres::NoTls;

use crate::programs;
use crate::service::{is_root, machine, text};

/// The server. It is stopped on drop.
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

/// Page size of PostgreSQL as Debian builds it, in bytes.
pub const PAGE: u64 = 8192;

impl Server {
    /// Creates a server in this folder, which must not exist yet, and starts it.
    pub fn start_new(folder: PathBuf) -> Result<Self, String> {
        std::fs::create_dir(&folder).map_err(|e| format!("{folder:?}: {e}"))?;
        if is_root() {
            machine("chown", &["postgres", text(&folder)])?;
        }
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).map_err(|e| e.to_string())?.port();
        let server = Self { programs: programs::postgres()?, folder, port };
        let data = server.data();
        let arguments = ["--data-checksums", "-U", "fieldbook", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
        server.run("initdb", &[&["-D", text(&data)], arguments.as_slice()].concat())?;
        server.start()?;
        Ok(server)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    pub fn address(&self) -> String {
        format!("postgres://fieldbook@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts the server without autovacuum, so that rows stay in their pages.
    pub fn start(&self) -> Result<(), String> {
        let (data, log) = (self.data(), self.folder.join("log"));
        let settings = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories= -c autovacuum=off",
            self.port
        );
        self.run("pg_ctl", &["-D", text(&data), "-w", "-l", text(&log), "-o", &settings, "start"])
    }

    /// Stops the server, so that all data is in its files.
    pub fn stop(&self) -> Result<(), String> {
        self.run("pg_ctl", &["-D", text(&self.data()), "-w", "-m", "fast", "stop"])
    }

    /// Runs one of PostgreSQL's programs. If this process is root, runs it as the user `postgres`.
    fn run(&self, program: &str, arguments: &[&str]) -> Result<(), String> {
        let program = self.programs.join(program);
        if is_root() {
            machine("runuser", &[&["-u", "postgres", "--", text(&program)], arguments].concat())
        } else {
            machine(text(&program), arguments)
        }
    }

    /// Runs a query that returns a text and a number, and returns its rows.
    pub async fn rows(&self, sql: &str) -> Result<Vec<(String, i64)>, String> {
        let failed = |e: tokio_postgres::Error| e.to_string();
        let (client, connection) = tokio_postgres::connect(&self.address(), NoTls).await.map_err(failed)?;
        let connection = tokio::spawn(connection);
        let rows = client.query(sql, &[]).await.map_err(failed)?;
        drop(client);
        let _ = connection.await;
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, _>>().map_err(failed)
    }

    /// Overwrites a page of a file in the data folder, and returns its previous contents. The server must be stopped.
    pub fn overwrite(&self, file: &str, page: u64, with: &[u8]) -> Result<Vec<u8>, String> {
        let path = self.data().join(file);
        let failed = |e: std::io::Error| format!("{path:?}: {e}");
        let file = File::options().read(true).write(true).open(&path).map_err(failed)?;
        let mut before = vec![0; with.len()];
        file.read_exact_at(&mut before, page * PAGE).map_err(failed)?;
        file.write_all_at(with, page * PAGE).map_err(failed)?;
        Ok(before)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.run("pg_ctl", &["-D", text(&self.data()), "-m", "immediate", "stop"]);
    }
}
