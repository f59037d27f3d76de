//! Power failures: rebuilds the disk as it could be after a power failure, and starts the program on it.
//!
//! A day is a scripted run of the service and its commands, such as a backup and a restore. A day is recorded once
//! (`story.rs`, `recorder.c`) and cut off at many moments (`disk.rs`). Everything acknowledged before that moment must
//! be stored. A completed backup or export must be complete. After an interrupted restore, the store must be the old
//! one or the new one.

mod disk;
mod ledger;
mod recording;
mod story;

use std::path::Path;

use rusqlite::Connection;

use crate::dice::Dice;
use crate::report::Line;
use crate::service::Plan;
use crate::world::{Backend, World};
use disk::{Disk, Fate, Lie};
use ledger::{Deed, lost};
use recording::Act;
use story::{Story, backup, data, export};

/// Number of power failures by default, and with `--short`.
const ROUNDS: usize = 200;
const FEW_ROUNDS: usize = 8;
const ROUNDS_A_DAY: usize = 25;
const STORE: &str = "fieldbook.sqlite3";
const SECRET: &str = "auth-hs256-secret";

pub async fn lost_again_and_again(world: &World) -> Result<Line, String> {
    let rounds = world.rounds(ROUNDS, FEW_ROUNDS);
    let seed = world.seed;
    println!("{rounds} power losses with seed {seed}");
    let mut line = Line::new("power loss", Backend::Sqlite.name());
    line.done = format!(
        "{rounds} times: what the program wrote, renamed and synced in a day (first start, hands that write, `kill -9`, backup, export, \
         restore) broken off at some moment; of what was not synced, only a part is there, torn at sectors or pages. Seed {seed}"
    );
    let library = recording::recorder(&world.place(""))?;
    for day in 0..rounds.div_ceil(ROUNDS_A_DAY) {
        let mut dice = Dice::new(seed, day as u64);
        let place = world.place(&format!("power-{day}"));
        let story = Story::record(&place, &library, &mut dice).await?;
        is_complete(&story, &place)?;
        if day == 0 {
            lies_are_noticed(&story, &place).await?;
        }
        let begun = line.wrong.len();
        for round in day * ROUNDS_A_DAY..rounds.min((day + 1) * ROUNDS_A_DAY) {
            let cut = cut(&story, &mut dice, round);
            let before = line.wrong.len();
            let place = place.join(format!("round-{round}"));
            look_at(&story, cut, Lie::None, Fate::Chance(&mut dice), &place, &mut line).await;
            let named = |words: &mut String| *words = format!("round {round}, after {cut} acts: {words}");
            line.wrong.iter_mut().skip(before).for_each(named);
            if line.wrong.len() == before {
                std::fs::remove_dir_all(&place).map_err(|e| format!("{place:?}: {e}"))?;
            }
        }
        if line.wrong.len() == begun {
            std::fs::remove_dir_all(&place).map_err(|e| format!("{place:?}: {e}"))?;
        }
    }
    line.hear("at every start", "listening on http://127.0.0.1:…");
    line.back = Some("yes".into());
    Ok(line)
}

/// Returns the moment of a power failure, as a number of acts. The rounds are distributed evenly over the parts of the
/// day. Half of the moments are next to a sync, a response or another act that is not a write.
fn cut(story: &Story, dice: &mut Dice, round: usize) -> usize {
    let parts: Vec<&[usize]> = story.moments.parts.windows(2).collect();
    let Some([from, to]) = parts.get(round % parts.len().max(1)) else { return 0 };
    if *to == story.moments.sent_again {
        // In the part of the day after `kill -9`, the restarted service answers repeated requests with data that the
        // killed service may not have synced. The power fails at the end of this part, when all these answers have been
        // sent.
        return *to;
    }
    let turns = |act: &Act| !matches!(act, Act::Write { .. });
    let acts = story.recording.acts.iter().enumerate().take(*to).skip(*from);
    let turns: Vec<usize> = acts.filter(|(_, act)| turns(act)).map(|(number, _)| number).collect();
    match turns.get(dice.throw(turns.len() as u64) as usize) {
        Some(turn) if dice.throw(2) == 0 => turn + dice.throw(2) as usize,
        _ => from + dice.throw((to - from) as u64 + 1) as usize,
    }
}

/// Checks that the recording is complete: without a power failure, the rebuilt files equal those of the program.
fn is_complete(story: &Story, place: &Path) -> Result<(), String> {
    let built = place.join("complete");
    Disk::after(&story.recording, story.moments.end, &story.root, Lie::None)?.build(&story.root, &built, Fate::Kept)?;
    let known =
        [data(&story.root).join(STORE), data(&story.root).join(SECRET), backup(&story.root), export(&story.root)];
    for path in known {
        let again = built.join(path.strip_prefix(&story.root).map_err(|e| e.to_string())?);
        let (was, is) = (std::fs::read(&path), std::fs::read(&again));
        if !matches!((&was, &is), (Ok(was), Ok(is)) if was == is) {
            return Err(format!("the record does not hold all of {path:?}"));
        }
    }
    std::fs::remove_dir_all(&built).map_err(|e| format!("{built:?}: {e}"))
}

/// Checks that a disk that ignores syncs loses acknowledged writes, and that the checks notice this.
async fn lies_are_noticed(story: &Story, place: &Path) -> Result<(), String> {
    for lie in [Lie::Logs, Lie::Files, Lie::Folders] {
        let mut line = Line::new("a lie", Backend::Sqlite.name());
        let place = place.join(format!("{lie:?}"));
        look_at(story, story.moments.first, lie, Fate::Lost, &place, &mut line).await;
        if line.wrong.is_empty() {
            return Err(format!("a disk that does not sync ({lie:?}) was not noticed"));
        }
        println!("a disk that does not sync ({lie:?}): {} of {} are lost", line.count.lost, line.count.acknowledged);
        std::fs::remove_dir_all(&place).map_err(|e| format!("{place:?}: {e}"))?;
    }
    Ok(())
}

/// Builds the disk after `cut` acts, and checks everything on it.
async fn look_at(story: &Story, cut: usize, lie: Lie, fate: Fate<'_>, place: &Path, line: &mut Line) {
    let built = Disk::after(&story.recording, cut, &story.root, lie);
    if let Err(reason) = built.and_then(|disk| disk.build(&story.root, place, fate)) {
        line.wrong.push(reason);
        return;
    }
    look_at_files(story, cut, place, line);
    if let Err(reason) = look_at_store(story, cut, place, line).await {
        line.wrong.push(reason);
    }
}

/// Checks that the secret, the backup and the export exist once they were acknowledged. The secret and the backup must
/// never be incomplete; the export must be complete once it was acknowledged.
fn look_at_files(story: &Story, cut: usize, place: &Path, line: &mut Line) {
    let moments = &story.moments;
    let files = [
        ("the secret", data(place).join(SECRET), data(&story.root).join(SECRET), moments.secret, false),
        ("the backup", backup(place), backup(&story.root), moments.backup.1, false),
        ("the export", export(place), export(&story.root), moments.exported, true),
    ];
    for (name, path, whole, acknowledged, may_be_a_part) in files {
        let (is, whole) = (std::fs::read(path).ok(), std::fs::read(whole).ok());
        line.count.acknowledged += u64::from(cut >= acknowledged);
        lost(line, cut >= acknowledged && is.is_none(), || format!("{name} is not there"));
        let is_part = is.is_some() && is != whole && (cut >= acknowledged || !may_be_a_part);
        lost(line, is_part, || format!("{name} is there in part"));
    }
}

/// Checks that the program starts on the store, that the store is sound, and that it contains everything acknowledged.
async fn look_at_store(story: &Story, cut: usize, place: &Path, line: &mut Line) -> Result<(), String> {
    let plan = Plan { data: data(place), ..Plan::default() };
    // The service writes its log to the folder that contains the data folder.
    let beside = plan.data.parent().unwrap_or(place);
    std::fs::create_dir_all(beside).map_err(|e| format!("{beside:?}: {e}"))?;
    let (begun, done) = story.moments.restore;
    // A backup is the store and a line with a checksum.
    let is_backup = || {
        let read = [data(place).join(STORE), backup(&story.root)].map(|path| std::fs::read(path).unwrap_or_default());
        read[1].strip_prefix(&read[0][..]).is_some_and(|line| line.starts_with(b"\nfieldbook-backup "))
    };
    let restored = cut >= done || cut >= begun && is_backup();
    let service = plan.must_start().await?;
    let acknowledged = |deed: &Deed| story.acknowledged(deed, cut, restored);
    story.ledger.check(&service.caller, acknowledged, line).await?;
    service.stop().await?;
    line.wrong.extend(plan.panics());
    of_file(story, cut, &data(place).join(STORE), story.ledger.events(acknowledged), line)
}

/// Checks the store's file: it is sound, has an event for each change, and records no deliveries that were not sent.
fn of_file(story: &Story, cut: usize, path: &Path, events: usize, line: &mut Line) -> Result<(), String> {
    let failed = |e: rusqlite::Error| format!("{path:?}: {e}");
    let store = Connection::open(path).map_err(failed)?;
    let sound: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).map_err(failed)?;
    if sound != "ok" {
        line.wrong.push(format!("the store is not sound: {sound}"));
    }
    if store.prepare("PRAGMA foreign_key_check").and_then(|mut check| check.exists([])).map_err(failed)? {
        line.wrong.push("some rows refer to rows that are missing".into());
    }
    let there: usize = store.query_row("SELECT count(*) FROM event", [], |row| row.get(0)).map_err(failed)?;
    lost(line, there < events, || format!("{there} events of {events}"));
    let mut done = store
        .prepare(
            "SELECT e.n, e.at FROM event e JOIN webhook w ON e.n <= w.after_n WHERE NOT EXISTS (
             SELECT 1 FROM webhook_delivery d WHERE d.endpoint = w.endpoint AND d.n = e.n)",
        )
        .map_err(failed)?;
    let done = done.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
    for event in done {
        let (number, at): (i64, i64) = event.map_err(failed)?;
        let id = format!("evt_0_{number:x}_{at:x}");
        if story.deliveries.get(&id).is_none_or(|sent| *sent >= cut) {
            line.wrong.push(format!("{id} counts as delivered, and was not sent"));
        }
    }
    Ok(())
}
