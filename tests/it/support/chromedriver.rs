//! Starts a browser with its driver.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, Stdio};

use tempfile::TempDir;
use thirtyfour::{ChromeCapabilities, WebDriver};

/// Number of attempts to start a browser. Browsers sometimes fail to start, which says nothing about the page.
const STARTS: usize = 3;

/// A chromedriver with its browser. Both are killed on drop, and their temporary files are deleted. `output` stays
/// open, so that chromedriver never writes to a closed pipe.
pub struct Process {
    pub address: String,
    child: Child,
    output: BufReader<ChildStdout>,
    _files: TempDir,
}

impl Drop for Process {
    fn drop(&mut self) {
        // Kills the whole process group, which includes the browser. The group has the id of the driver.
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
    }
}

/// Starts chromedriver on a free port, and returns it.
fn chromedriver() -> Result<Process, String> {
    let mut driver = Command::new("chromedriver");
    // A killed browser leaves temporary files of several megabytes behind.
    let files = tempfile::tempdir().expect("a folder");
    let driver = driver.arg("--port=0").env("TMPDIR", files.path()).process_group(0);
    let driver = driver.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = driver.spawn().expect("chromedriver, which scripts/test installs");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let mut process = Process { address: String::new(), child, output, _files: files };
    let mut said = String::new();
    while process.output.read_line(&mut said).is_ok_and(|read| read > 0) {
        if let Some((_, port)) = said.rsplit_once("successfully on port ") {
            process.address = format!("http://127.0.0.1:{}", port.trim_end().trim_end_matches('.'));
            return Ok(process);
        }
    }
    Err(format!("chromedriver ended before it listened: {said}"))
}

/// Returns a client for requests to chromedriver.
pub fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client")
}

pub async fn browser(wishes: &ChromeCapabilities) -> (Process, WebDriver) {
    let mut reasons = Vec::new();
    while reasons.len() < STARTS {
        let reason = match chromedriver() {
            Err(reason) => reason,
            Ok(process) => {
                match WebDriver::builder(&process.address, wishes.clone()).client(client()).connect().await {
                    Ok(driver) => return (process, driver),
                    Err(error) => error.to_string(),
                }
            }
        };
        eprintln!("a browser did not come up: {reason}");
        reasons.push(reason);
    }
    panic!("no browser came up: {reasons:#?}");
}
