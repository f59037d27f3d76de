//! Processes that the test starts, and signals to them by process id.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A process that the test has started. It is killed on drop.
pub struct Process {
    child: Child,
}

impl Process {
    /// Starts a command and writes its output to a file. The command gets its own process group, so that Ctrl-C in
    /// the terminal does not stop it before the test does.
    pub fn start(command: &mut Command, log: &Path) -> Result<Self, String> {
        let failed = |e: std::io::Error| format!("cannot start {command:?}: {e}");
        let output = File::options().create(true).append(true).open(log).map_err(|e| format!("{log:?}: {e}"))?;
        let errors = output.try_clone().map_err(failed)?;
        let child = command.stdin(Stdio::null()).stdout(output).stderr(errors).process_group(0).spawn();
        Ok(Self { child: child.map_err(|e| format!("cannot start {command:?}: {e}"))? })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal to processes. Ignores processes that have ended.
pub fn signal(name: &str, ids: &[u32]) {
    for id in ids {
        let _ = Command::new("sh")
            .args(["-c", "kill -s \"$0\" \"$1\"", name, &id.to_string()])
            .stderr(Stdio::null())
            .status();
    }
}

/// Returns a process and all of its descendants, parents first.
pub fn family(of: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The state and the parent come after the name. The name is in parentheses and may contain any characters.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(id);
        }
    }
    let mut found = vec![of];
    let mut next = 0;
    while let Some(id) = found.get(next).copied() {
        found.extend(children.remove(&id).unwrap_or_default());
        next += 1;
    }
    found
}
