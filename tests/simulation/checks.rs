//! Checks at the end of a history. They compare the responses with the rows of the store.

use std::collections::{BTreeMap, BTreeSet};

use fieldbook::domain::event::{Event, EventId, EventKind};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::status::Status;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::sqlite::FILE;
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::client::Shared;
use crate::creating::{Creation, Keyed, LinkVisits, key, user};
use crate::histories::check::check;
use crate::histories::model::{Answer, Asked, State};
use crate::rows;
use crate::simulation::Simulation;

#[derive(Debug, Clone)]
pub struct StoredEvent {
    pub id: String,
    pub event: Event,
    /// The user who made the change.
    actor: Option<String>,
    /// Event as JSON, as clients must receive it.
    pub json: String,
}

/// Value of the field `n` that violates the only rule of the schema.
const CONTRADICTORY: u64 = 3;

fn store(simulation: &Simulation) -> Connection {
    Connection::open(simulation.world.folder.join(FILE)).expect("the store")
}

pub fn events(simulation: &Simulation) -> Vec<StoredEvent> {
    let store = store(simulation);
    let mut statement =
        store.prepare("SELECT n, at, investigation, revision, what, actor FROM event ORDER BY n").expect("a table");
    let read = |row: &rusqlite::Row<'_>| {
        let id = EventId { transaction: 0, number: row.get(0)?, at: Timestamp(row.get(1)?) };
        let investigation_id: ObjectId = row.get::<_, String>(2)?.parse().expect("an id");
        let what: EventKind = serde_json::from_str(&row.get::<_, String>(4)?).expect("an event");
        let event = Event { id, investigation_id, revision: row.get(3)?, what };
        let json = serde_json::to_string(&event).expect("JSON");
        Ok(StoredEvent { id: id.to_string(), event, actor: row.get(5)?, json })
    };
    statement.query_map([], read).expect("rows").map(|row| row.expect("a row")).collect()
}

pub fn all(simulation: &Simulation, events: &[StoredEvent]) -> Result<(), String> {
    streams(simulation, events)?;
    webhooks(simulation, events)?;
    let store = store(simulation);
    for shared in simulation.shared.borrow().iter() {
        check(State::new(0), &shared.events.borrow()).map_err(|reason| format!("{}: {reason}", shared.id))?;
        events_of(shared, events).map_err(|reason| format!("events of {}: {reason}", shared.id))?;
    }
    others(simulation, &store, events)?;
    rows::agree(&store)?;
    for keyed in simulation.keyed.borrow().iter() {
        once(&store, keyed).map_err(|reason| format!("{reason}: {keyed:?}"))?;
    }
    for link in simulation.links.borrow().iter() {
        let leads_to = &simulation.shared.borrow()[link.leads_to].id;
        visits(&store, link, is_there(&store, leads_to)).map_err(|reason| format!("{reason}: {link:?}"))?;
    }
    Ok(())
}

fn is_there(store: &Connection, id: &str) -> bool {
    store.query_row("SELECT 1 FROM investigation WHERE id = ?1", [id], |_| Ok(())).is_ok()
}

/// Checks that every stream has delivered every event once, in order.
fn streams(simulation: &Simulation, events: &[StoredEvent]) -> Result<(), String> {
    let all: Vec<(&str, &str)> = events.iter().map(|event| (event.id.as_str(), event.json.as_str())).collect();
    for (copy, streamed) in simulation.streamed.borrow().iter().enumerate() {
        let read: Vec<(&str, &str)> = streamed.events.iter().map(|(id, json)| (id.as_str(), json.as_str())).collect();
        if read != all {
            return Err(format!("the stream of copy {copy} is {read:#?}\nbut the events are {all:#?}"));
        }
    }
    Ok(())
}

/// Checks that every webhook received every event and nothing else, and that the first deliveries of each user's events
/// came in the order of the events.
fn webhooks(simulation: &Simulation, events: &[StoredEvent]) -> Result<(), String> {
    let sent = simulation.receivers.sent();
    for endpoint in &simulation.world.endpoints {
        let mut first: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for sent in sent.iter().filter(|sent| sent.endpoint == *endpoint) {
            let event = events.iter().find(|event| event.id == sent.id);
            let event = event.ok_or_else(|| format!("{endpoint} was sent {}, which is not an event", sent.id))?;
            let body: Value = serde_json::from_str(&sent.body).unwrap_or_default();
            let expected: Value = serde_json::from_str(&event.json).unwrap_or_default();
            if body["data"] != expected {
                return Err(format!("{endpoint} was sent {body}, but the event is {}", event.json));
            }
            let of_actor = first.entry(&event.actor).or_default();
            if !of_actor.contains(&event.event.id.number) {
                of_actor.push(event.event.id.number);
            }
        }
        let count: usize = first.values().map(Vec::len).sum();
        if !first.values().all(|of_actor| of_actor.is_sorted()) || count != events.len() {
            return Err(format!("{endpoint} was sent these events: {first:?}, of {}", events.len()));
        }
    }
    Ok(())
}

/// Checks that every change has its events, and that every revision comes from one change.
fn events_of(shared: &Shared, events: &[StoredEvent]) -> Result<(), String> {
    let mut of_revision: BTreeMap<u64, Vec<&EventKind>> = BTreeMap::new();
    let mut last = 0;
    for StoredEvent { event, .. } in events.iter().filter(|told| told.event.investigation_id.to_string() == shared.id) {
        if event.revision != last && event.revision != last + 1 {
            return Err(format!("revision {} comes after {last}", event.revision));
        }
        last = event.revision;
        // Links change independently of the content, so their events can have any revision.
        if event.what.name().starts_with("link.") {
            continue;
        }
        of_revision.entry(last).or_default().push(&event.what);
    }
    let answers: Vec<(Asked, Answer)> =
        shared.events.borrow().iter().filter_map(|event| Some((event.call.asked, event.told?))).collect();
    let values: BTreeMap<u64, u64> = answers
        .iter()
        .filter_map(|(asked, told)| match (asked, told) {
            (Asked::ReadVersion(version), Answer::Was { value }) => Some((*version, *value)),
            _ => None,
        })
        .collect();
    let is_deleted = answers.iter().any(|(_, told)| *told == Answer::Unknown);
    let mut version_at = BTreeMap::from([(1, 0)]);
    for (revision, mut told) in of_revision {
        if is_deleted && revision == last && !matches!(told.pop(), Some(EventKind::Deleted { .. })) {
            return Err("the last event is not that it was deleted".to_owned());
        }
        if revision == 1 {
            if told != [&EventKind::Created { cloned_from: None }] {
                return Err(format!("it begins with {told:?}"));
            }
            continue;
        }
        let Some((EventKind::Updated { version, fields, more: false, .. }, others)) = told.split_first() else {
            return Err(format!("revision {revision} has the events {told:?}"));
        };
        let before = version_at.insert(revision, *version).max(version_at.get(&(revision - 1)).copied());
        let contradicts = |version: Option<u64>| values.get(&version?).map(|value| *value == CONTRADICTORY);
        if fields != &["n"] {
            return Err(format!("revision {revision} changes {fields:?}"));
        }
        // The values of a deleted investigation are not known.
        if let (Some(was), Some(is)) = (contradicts(before), contradicts(Some(*version)))
            && !others.iter().copied().eq(expected(was, is).iter())
        {
            return Err(format!("revision {revision} from {was} to {is} has the events {others:?} beside"));
        }
    }
    for (asked, told) in answers {
        if let Answer::Stands { revision, version, .. } = told
            && version_at.get(&revision) != Some(&version)
        {
            return Err(format!("{asked:?} was told {told:?}, but the events say {:?}", version_at.get(&revision)));
        }
    }
    Ok(())
}

/// Returns the events that accompany an update that causes a contradiction or resolves one.
fn expected(was: bool, is: bool) -> Vec<EventKind> {
    let status = |contradicts| match contradicts {
        true => Status::DraftContradictoryComplete,
        false => Status::DraftNonContradictoryComplete,
    };
    let moved = (was != is).then(|| EventKind::StatusChanged { from: status(was), to: status(is) });
    let found = (is && !was).then_some(EventKind::ContradictionsFound { count: 1, total: 1 });
    moved.into_iter().chain(found).collect()
}

/// Checks that every investigation except the shared ones has an event for its creation, and that there are no events
/// of investigations that do not exist.
fn others(simulation: &Simulation, store: &Connection, events: &[StoredEvent]) -> Result<(), String> {
    let shared: BTreeSet<String> = simulation.shared.borrow().iter().map(|shared| shared.id.clone()).collect();
    let mut statement = store.prepare("SELECT id FROM investigation").expect("a table");
    let stored = statement.query_map([], |row| row.get::<_, String>(0)).expect("rows");
    let mut created: BTreeSet<String> = stored.map(|id| id.expect("an id")).filter(|id| !shared.contains(id)).collect();
    for StoredEvent { event, .. } in events {
        let id = event.investigation_id.to_string();
        let is_expected = match event.what {
            _ if shared.contains(&id) => true,
            EventKind::Created { .. } => created.remove(&id),
            EventKind::ContradictionsFound { .. } => event.revision == 1,
            _ => false,
        };
        if !is_expected {
            return Err(format!("an event that nothing explains: {event:?}"));
        }
    }
    if created.is_empty() { Ok(()) } else { Err(format!("nothing is told of the creation of {created:?}")) }
}

/// Checks that a keyed request had one effect and one answer.
fn once(store: &Connection, keyed: &Keyed) -> Result<(), String> {
    let Keyed { creation, marker, answers, is_open, is_unknown } = keyed;
    let (sql, name) = match creation {
        Creation::Investigation => {
            ("SELECT id FROM investigation WHERE json_extract(content, '$.n') = ?1 + 0", marker.to_string())
        }
        Creation::Clone(_) => ("SELECT id FROM investigation WHERE author = ?1", user(*marker)),
        Creation::Link(_) => {
            ("SELECT l.id FROM link l JOIN investigation i USING (body) WHERE l.key = ?1", key(*marker))
        }
    };
    let mut statement = store.prepare(sql).expect("a table");
    let rows = statement.query_map(params![name], |row| row.get::<_, String>(0)).expect("rows");
    let done: Vec<String> = rows.map(|id| id.expect("an id")).collect();
    if answers.iter().any(|answer| Some(answer) != answers.first()) {
        return Err("it has several answers".to_owned());
    }
    let is_gone = match creation {
        Creation::Investigation => false,
        Creation::Clone(target) | Creation::Link(target) => !is_there(store, target),
    };
    if *is_unknown && !is_gone {
        return Err("its investigation is there".to_owned());
    }
    let id = answers.first().and_then(|answer| answer["_id"].as_str());
    let goes_with_target = matches!(creation, Creation::Link(_)) && is_gone;
    match (id, done.as_slice()) {
        (Some(id), [done]) if done == id => Ok(()),
        (None, [_]) if *is_open => Ok(()),
        (None, []) => Ok(()),
        (_, []) if goes_with_target => Ok(()),
        _ => Err(format!("what it did: {done:?}")),
    }
}

/// Checks that a link counts every answered visit, and at most all answered and unanswered visits.
fn visits(store: &Connection, link: &LinkVisits, is_there: bool) -> Result<(), String> {
    if !is_there {
        return Ok(());
    }
    let sql = "SELECT visit_count, (SELECT coalesce(sum(count), 0) FROM link_day d WHERE d.link = link.n) FROM link
               WHERE key = ?1 AND sub_link = ?2 AND NOT displaced";
    let read = |row: &rusqlite::Row<'_>| Ok((row.get::<_, u64>(0)?, row.get::<_, u64>(1)?));
    let (count, of_days) = store.query_row(sql, [&link.key, &link.sub_link], read).map_err(|e| e.to_string())?;
    let answered = link.counts.len() as u64;
    let distinct: BTreeSet<u64> = link.counts.iter().copied().collect();
    let are_numbered = distinct.len() == link.counts.len() && distinct.iter().all(|n| (1..=count).contains(n));
    if link.is_unknown || !are_numbered || of_days != count || !(answered..=answered + link.unanswered).contains(&count)
    {
        return Err(format!("it counts {count} visits, {of_days} by days"));
    }
    Ok(())
}
