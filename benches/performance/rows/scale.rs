//! A store with a million investigations, ten million links and a hundred million visits, compared with one that has a
//! thousandth of everything. Runs only when it is named, because the large store takes a long time to prepare.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fieldbook::clock::Stopwatch;
use fieldbook::store::sqlite::FILE;
use rusqlite::{Connection, params};

use super::{Bench, lists, process};
use crate::bulk;
use crate::caller::Caller;
use crate::load::{Load, lines};
use crate::row::{Goal, Row};
use crate::server::{FIELDBOOK, Server};

/// Number of investigations in the large store. Without `--full`, the store has a tenth of this number.
const INVESTIGATIONS: u64 = 1_000_000;
/// Factor by which the large store is larger than the small one.
const TIMES: u64 = 1_000;
/// Number of links to each investigation.
const LINKS_EACH: u64 = 10;
/// Days on which each link was visited, [`VISITS`] times each.
const DAYS: [&str; 2] = ["2025-10-06", "2025-10-07"];
const VISITS: u64 = 5;
/// Maximum number of links that the measurement visits.
const VISITED: u64 = 1_000_000;
/// Number of different keys of links, such as `class-5`.
const KEYS: u64 = 1_000;

pub fn measure(bench: &Bench) -> Result<Vec<Row>, String> {
    let many = if bench.full { INVESTIGATIONS } else { INVESTIGATIONS / 10 };
    let few = many / TIMES;
    let (large, small) = (store(bench, many)?, store(bench, few)?);
    let (links, few_links) = (many * LINKS_EACH, few * LINKS_EACH);
    let of = |what: &str| format!("{what}, in a store of {many} investigations and {links} links");
    let beside = format!("of {few} and {few_links}");
    let mut rows = vec![process::start(bench, &large, of("start until the first answer"))?];

    let (ours, theirs) = (Server::fieldbook(&large, &[])?, Server::fieldbook(&small, &[])?);
    let visits = Row::new(of("resolve, 64 connections"), &beside, "requests/s", Goal::AtLeast(0.5));
    let visited = lines(&bench.folder.join("visited"), paths(links))?;
    let few_visited = lines(&bench.folder.join("few-visited"), paths(few_links))?;
    let load = |server, paths| Load {
        server,
        connections: 64,
        seconds: bench.seconds,
        script: "get.lua",
        arguments: vec![paths],
    };
    let limit = "pages: each visit of another link writes that of its row and that of its day, and few of them are in the \
                 cache or shared with another visit of the same commit";
    let visits = visits.beside(bench.rounds, &load(&ours, visited), &load(&theirs, few_visited))?;
    rows.push(visits.limited_by(limit));

    let (our_caller, their_caller) = (Caller::of(&ours)?, Caller::of(&theirs)?);
    let first = "/api/investigation?limit=20".to_owned();
    let questions = [
        ("list 20 by offset 0", first.clone(), first),
        (
            "list 20 by a cursor in the middle",
            lists::half_way(&our_caller, many)?,
            lists::half_way(&their_caller, few)?,
        ),
    ];
    for (what, path, few_path) in questions {
        let mut row = Row::new(of(what), &beside, "ms", Goal::AtMost(1.5));
        for _ in 0..bench.rounds {
            row.round(lists::mean(&our_caller, &path)?, lists::mean(&their_caller, &few_path)?);
        }
        rows.push(row);
    }
    rows.push(backup(bench, &large, of("back up each GB, verified, while the service runs"))?);
    ours.stop()?;
    theirs.stop()?;
    Ok(rows)
}

fn backup(bench: &Bench, store: &Path, work: String) -> Result<Row, String> {
    let mut row = Row::new(work, "alone", "s", Goal::Within(30.0));
    let target = bench.fresh("scale-backup")?.join("backup.db");
    let begun = Stopwatch::start();
    let backup = Command::new(FIELDBOOK).arg("backup").arg(&target).arg("--data").arg(store).status();
    if !backup.map_err(|e| e.to_string())?.success() {
        return Err(format!("the backup of {store:?} failed"));
    }
    let bytes = fs::metadata(&target).map_err(|e| format!("{target:?}: {e}"))?.len();
    row.ours.push(begun.elapsed().as_secs_f64() / (bytes as f64 / 1e9));
    eprintln!("the backup has {bytes} bytes");
    fs::remove_file(&target).map_err(|e| format!("{target:?}: {e}"))?;
    Ok(row)
}

/// Returns a store with `investigations` investigations and [`LINKS_EACH`] links to each. Creates the store if no
/// earlier run has completed it.
fn store(bench: &Bench, investigations: u64) -> Result<PathBuf, String> {
    let folder = bench.folder.join(format!("{investigations}-investigations-with-links"));
    let finished = folder.join("finished");
    if finished.is_file() {
        return Ok(folder);
    }
    let without_links = bulk::store(&bench.folder, investigations)?;
    let folder = bench.fresh(&format!("{investigations}-investigations-with-links"))?;
    fs::copy(without_links.join(FILE), folder.join(FILE)).map_err(|e| format!("{folder:?}: {e}"))?;
    eprintln!("making {} links in {folder:?}", investigations * LINKS_EACH);
    add_links(&folder.join(FILE), investigations).map_err(|e| format!("{folder:?}: {e}"))?;
    fs::write(&finished, "").map_err(|e| format!("{finished:?}: {e}"))?;
    Ok(folder)
}

fn add_links(file: &Path, investigations: u64) -> Result<(), rusqlite::Error> {
    let mut connection = Connection::open(file)?;
    // Writes do not wait for the disk: if a crash destroys this store, it is made again. The cache has 2 GiB.
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -2097152;")?;
    let transaction = connection.transaction()?;
    {
        let mut link = transaction.prepare(
            "INSERT INTO link
                 (n, id, body, key, sub_link, description, creator, created_at, visit_count, shows, archived, displaced)
             VALUES (?1, ?2, ?3, ?4, ?5, 'for a class', ?6, ?7, ?8, 'nothing', false, false)",
        )?;
        let mut day = transaction.prepare("INSERT INTO link_day (link, day, count) VALUES (?1, ?2, ?3)")?;
        for n in 1..=investigations * LINKS_EACH {
            let (id, creator) = (format!("65{n:022x}"), format!("{:024x}", n % KEYS));
            let at = 1_700_000_000_000 + n;
            let visits = VISITS * DAYS.len() as u64;
            link.execute(params![n, id, 1 + n % investigations, key(n), sub_link(n), creator, at, visits])?;
            for on in DAYS {
                day.execute(params![n, on, VISITS])?;
            }
        }
    }
    transaction.commit()
}

fn key(n: u64) -> String {
    format!("class-{}", n % KEYS)
}

/// Returns a sub-link that looks random, so that links with consecutive numbers are far apart in the index.
fn sub_link(n: u64) -> String {
    format!("{:016x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Returns the paths of up to [`VISITED`] links, spread evenly over all.
fn paths(links: u64) -> impl Iterator<Item = String> {
    let step = (links / VISITED).max(1);
    (1..=links).step_by(step as usize).map(|n| format!("/api/link/{}/{}", key(n), sub_link(n)))
}
