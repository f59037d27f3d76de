//! Reading an investigation, with a token and in a session, and updating one of its fields.

use fieldbook::assistant::rules::BUILT_IN as BUILT_IN_RULES;
use fieldbook::domain::schema::BUILT_IN;
use serde_json::Value;

use super::{Bench, file};
use crate::caller::{Caller, paths};
use crate::load::{Load, edits, lines};
use crate::raw::{GROUP, Raw};
use crate::row::{Goal, Row, median};
use crate::server::Server;

/// Size of a document, in bytes.
const BYTES: usize = 6 * 1024;
/// Number of documents that are updated.
const DOCUMENTS: u64 = 256;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let folder = bench.fresh("documents")?;
    let server = Server::fieldbook(&folder, &[])?;
    let caller = Caller::of(&server)?;
    let paths = paths(&caller.create_many(DOCUMENTS, BYTES)?);
    let one = lines(&folder.join("one"), paths.first().cloned())?;
    let all = lines(&folder.join("all"), paths.iter().cloned())?;
    let answer = caller.text("GET", &paths[0], None)?;
    let bare = Server::bare(&file(&folder, "answer", &answer)?)?;

    let read = Row::new("read 6 KiB", "bare axum", "requests/s", Goal::AtLeast(0.70));
    let load = |server| {
        let arguments = vec![one.clone()];
        Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
    };
    let read = read.beside(bench.rounds, &load(&server), &load(&bare))?.limited_by_processor();

    let cookie = caller.session(&folder)?;
    // With a session, a read may take 1.1 times the CPU time of a read with a token, which is about 3 µs more.
    let in_session = Row::new("read 6 KiB in a session", "with a token", "µs of CPU", Goal::AtMost(1.1));
    let mut in_session = in_session.limited_by("looking up the session");
    for _ in 0..bench.rounds {
        let load = |arguments| {
            let server = &server;
            Load { server, connections: 64, seconds: bench.seconds, script: "get.lua", arguments }
        };
        let (session, token) = (load(vec![one.clone(), cookie.clone()]).run()?, load(vec![one.clone()]).run()?);
        in_session.round(session.cpu, token.cpu);
    }

    let raw_folder = bench.fresh("documents-raw")?;
    let raw_server = Server::fieldbook(&raw_folder, &[])?;
    let raw_caller = Caller::of(&raw_server)?;
    raw_caller.create_many(DOCUMENTS, BYTES)?;
    raw_server.stop()?;
    let raw = Raw::open(&raw_folder)?;
    let mut update =
        Row::new("update a field", format!("raw rusqlite, {GROUP} to a commit"), "updates/s", Goal::AtLeast(0.70));
    // Also measures updates under a schema that turns off all rules, so that the service does not search for
    // contradictions.
    let mut schema: Value = serde_json::from_str(BUILT_IN).map_err(|e| e.to_string())?;
    if let Some(words) = schema.as_object_mut() {
        words.insert("x-rules-off".to_owned(), BUILT_IN_RULES.map(|rule| rule.id).as_slice().into());
    }
    let silent_folder = bench.fresh("documents-silent")?;
    let schema = file(&silent_folder, "schema.json", &schema.to_string())?;
    let silent = Server::fieldbook(&silent_folder, &["--schema", &schema.display().to_string()])?;
    let ids = Caller::of(&silent)?.create_many(DOCUMENTS, BYTES)?;
    let all_silent = lines(&silent_folder.join("all"), self::paths(&ids))?;
    let load = |server, all: &str| {
        let arguments = edits(all, 120);
        Load { server, connections: 64, seconds: bench.seconds, script: "patch.lua", arguments }
    };
    let (mut cpu, mut cpu_without) = (Vec::new(), Vec::new());
    for _ in 0..bench.rounds {
        let ours = load(&server, &all).run()?;
        cpu.push(ours.cpu);
        update.round(ours.rate, raw.update(bench.time())?);
        cpu_without.push(load(&silent, &all_silent).run()?.cpu);
    }
    let (cpu, cpu_without) = (median(&cpu), median(&cpu_without));
    update.cpu = Some((cpu, f64::NAN));
    let update = update.limited_by(&format!("HTTP, JSON, schema, search words; {:.0} µs are rules", cpu - cpu_without));
    Ok(vec![read, in_session, update])
}
