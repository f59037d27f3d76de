//! Checks of a phase after the service has recovered: every acknowledged write is stored once, and all counts agree.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::Method;
use serde_json::Value;

use crate::caller::Caller;
use crate::load::{ALL_WRITERS, MOST_VALUES, field, made};
use crate::phase::{Ending, Phase};

#[derive(Default)]
pub struct Found {
    /// Number of acknowledged writes that are missing.
    pub lost: u64,
    /// Number of writes that are stored more often than requested.
    pub doubled: u64,
    pub faults: Vec<String>,
}

/// Checks everything that was written in a phase.
pub async fn check(phase: &Phase, caller: &Caller) -> Result<Found, String> {
    let mut found = Found::default();
    for (n, id) in phase.documents.iter().enumerate() {
        check_document(phase, caller, n, id, &mut found).await?;
    }
    for (n, link) in phase.links.iter().enumerate() {
        check_link(phase, caller, n, link, &mut found).await?;
    }
    let titles = walk_list(caller, &format!("title={}", made(phase.number).replace(' ', "%20")), &mut found).await?;
    let ledger = phase.ledger();
    for (title, ending) in &ledger.created {
        let times = titles.iter().filter(|found| *found == title).count() as u64;
        found.count(title, *ending, times);
    }
    let never = titles.iter().filter(|title| !ledger.created.contains_key(*title)).count();
    if never > 0 {
        found.faults.push(format!("{never} investigations that nobody created"));
    }
    Ok(found)
}

impl Found {
    fn count(&mut self, what: &str, ending: Ending, times: u64) {
        if times > 1 {
            self.doubled += 1;
            self.faults.push(format!("{what} is there {times} times"));
        }
        if times == 0 && matches!(ending, Ending::Acknowledged(_)) {
            self.lost += 1;
            self.faults.push(format!("{what} was acknowledged and is not there"));
        }
        if times > 0 && ending == Ending::Refused {
            self.faults.push(format!("{what} was said to be refused and is there"));
        }
    }

    fn must(&mut self, holds: bool, words: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(words());
        }
    }
}

async fn check_document(phase: &Phase, caller: &Caller, n: usize, id: &str, found: &mut Found) -> Result<(), String> {
    let path = format!("/api/investigation/{id}");
    let document = caller.must(Method::GET, &path, None).await?["data"].clone();
    let version = document["version"].as_u64().unwrap_or_default();
    let then = caller.must(Method::GET, &format!("{path}/versions/{version}"), None).await?["data"].clone();
    let newest = caller.must(Method::GET, &format!("{path}/versions?limit=1"), None).await?;
    let latest = newest["data"][0]["version"].as_u64().unwrap_or_default();
    for (name, value) in then.as_object().into_iter().flatten() {
        found.must(&document[name] == value, || format!("{id}: {name} is not what it was at version {version}"));
    }
    for (name, value) in document.as_object().into_iter().flatten().filter(|(name, _)| name.starts_with("hand")) {
        found.must(&then[name] == value, || format!("{id}: {name} is not in version {version}"));
    }

    let mut versions = BTreeSet::new();
    let mut values: BTreeMap<(usize, u64), Vec<u64>> = BTreeMap::new();
    for worker in 0..ALL_WRITERS {
        let url = format!("{path}/history/{}?limit={MOST_VALUES}", field(worker));
        let history = caller.must(Method::GET, &url, None).await?;
        for entry in history["data"].as_array().into_iter().flatten() {
            let version = entry["version"].as_u64().unwrap_or_default();
            found.must(versions.insert(version), || format!("{id}: version {version} appears twice"));
            values.entry((worker, entry["after"].as_u64().unwrap_or_default())).or_default().push(version);
        }
    }
    let gaps = (1..=latest).filter(|version| !versions.contains(version)).count();
    found.must(gaps == 0 && versions.len() as u64 == latest, || {
        format!("{id}: {} records in {latest} versions, {gaps} gaps", versions.len())
    });

    let ledger = phase.ledger();
    for ((_, worker, value), ending) in ledger.updates.iter().filter(|((document, ..), _)| *document == n) {
        let at = values.remove(&(*worker, *value)).unwrap_or_default();
        let what = format!("{id}: value {value} of hand {worker}");
        found.count(&what, *ending, at.len() as u64);
        if let (Ending::Acknowledged(version), [only]) = (ending, at.as_slice()) {
            found.must(version == only, || format!("{what} was acknowledged as version {version} and is {only}"));
        }
    }
    found.must(values.is_empty(), || format!("{id}: {} values that nobody wrote", values.len()));
    Ok(())
}

async fn check_link(phase: &Phase, caller: &Caller, n: usize, link: &str, found: &mut Found) -> Result<(), String> {
    let url = format!("/api/link/phase{}/{link}/visits", phase.number);
    let visits = caller.must(Method::GET, &url, None).await?["data"].clone();
    let count = visits["visitCount"].as_u64().unwrap_or_default();
    let days: u64 = visits["days"].as_array().into_iter().flatten().filter_map(|day| day["count"].as_u64()).sum();
    found.must(days == count, || format!("{link}: {count} visits, {days} by day"));
    let ledger = phase.ledger();
    let Some((numbers, unknown)) = ledger.visits.get(&n) else { return Ok(()) };
    let distinct: BTreeSet<u64> = numbers.iter().copied().collect();
    let acknowledged = numbers.len() as u64;
    let twice = acknowledged - distinct.len() as u64;
    let lost = distinct.last().copied().unwrap_or_default().max(acknowledged).saturating_sub(count);
    let doubled = count.saturating_sub(acknowledged + unknown);
    found.lost += lost;
    found.doubled += doubled + twice;
    found.must(lost + doubled + twice == 0, || {
        format!("{link}: {count} visits of {acknowledged} and perhaps {unknown}; {twice} numbers given twice")
    });
    Ok(())
}

/// Returns the titles of all investigations in a list, page by page. Checks that the list's totals match.
pub async fn walk_list(caller: &Caller, filter: &str, found: &mut Found) -> Result<Vec<String>, String> {
    let mut titles = Vec::new();
    let mut curricula: BTreeMap<Option<String>, u64> = BTreeMap::new();
    let mut page = caller.must(Method::GET, &format!("/api/investigation?limit=100&{filter}"), None).await?;
    let told = page["data"].clone();
    loop {
        for item in page["data"]["items"].as_array().into_iter().flatten() {
            titles.push(item["title"].as_str().unwrap_or_default().to_owned());
            let curriculum = item["curriculum"].as_str().filter(|name| !name.is_empty()).map(str::to_owned);
            *curricula.entry(curriculum).or_default() += 1;
        }
        let Some(next) = page["data"]["pagination"]["nextCursor"].as_str().map(str::to_owned) else { break };
        page = caller.must(Method::GET, &format!("/api/investigation?limit=100&{filter}&cursor={next}"), None).await?;
    }
    let total = told["pagination"]["total"].as_u64().unwrap_or_default();
    found.must(total == titles.len() as u64, || format!("a list of {total} ({filter}) has {}", titles.len()));
    let groups: BTreeMap<Option<String>, u64> = groups(&told["groups"]);
    found
        .must(groups == curricula, || format!("the groups of a list ({filter}) are {groups:?}, counted {curricula:?}"));
    Ok(titles)
}

fn groups(told: &Value) -> BTreeMap<Option<String>, u64> {
    let groups = told.as_array().into_iter().flatten();
    groups.map(|g| (g["curriculum"].as_str().map(str::to_owned), g["count"].as_u64().unwrap_or_default())).collect()
}
