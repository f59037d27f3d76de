//! `kill -9` under load. Every acknowledged write is there afterwards, and nothing appears twice.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::JoinSet;

use crate::support::TEACHER;
use crate::support::process::{Service, fieldbook};

const ROUNDS: usize = 10;
const DOCUMENTS: usize = 4;
const LINKS: usize = 2;
/// The number of acknowledged writes after which a round kills the service.
const WRITES_A_ROUND: u32 = 150;

#[derive(Default)]
struct Acknowledged {
    /// For each document, the last number that was written, and how many numbers were written.
    written: HashMap<usize, (u64, u64)>,
    /// For each link, the visit counts that visitors got.
    visits: HashMap<usize, HashSet<u64>>,
}

struct Client {
    http: reqwest::Client,
    token: String,
}

impl Client {
    async fn send(&self, request: reqwest::RequestBuilder) -> Option<Value> {
        let response = request.bearer_auth(&self.token).send().await.ok()?;
        assert!(response.status().is_success(), "{}", response.status());
        serde_json::from_str(&response.text().await.ok()?).ok()
    }

    async fn post(&self, url: String, body: Value) -> Value {
        let request = self.http.post(url).header("content-type", "application/json").body(body.to_string());
        self.send(request).await.expect("an answer")
    }

    async fn get(&self, url: String) -> Value {
        self.send(self.http.get(url)).await.expect("an answer")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_kill_9_ten_times_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = fieldbook("token", folder.path()).args(["--user", TEACHER]).output().expect("a token");
    let token = String::from_utf8(token.stdout).expect("a text").trim().to_owned();
    let client = Arc::new(Client { http: reqwest::Client::builder().no_proxy().build().expect("a client"), token });

    let mut service = Service::start(folder.path());
    let mut documents = Vec::new();
    for n in 0..DOCUMENTS {
        let created = client
            .post(format!("{}/api/investigation", service.base), json!({"title": n.to_string(), "count": 0}))
            .await;
        documents.push(created["data"]["_id"].as_str().expect("an id").to_owned());
    }
    for n in 0..LINKS {
        let body = json!({"key": "crash", "subLink": n.to_string(), "description": ""});
        client.post(format!("{}/api/link/investigation/{}", service.base, documents[0]), body).await;
    }
    let acknowledged = Arc::new(Mutex::new(Acknowledged::default()));
    for round in 0..ROUNDS {
        load_until_killed(&mut service, &client, &documents, &acknowledged).await;
        service = Service::start(folder.path());
        check(&service, &client, &documents, &*acknowledged.lock().await, round).await;
    }
}

/// Writes with many tasks until enough writes are acknowledged, kills the service, and waits until all have noticed.
async fn load_until_killed(
    service: &mut Service,
    client: &Arc<Client>,
    documents: &[String],
    acknowledged: &Arc<Mutex<Acknowledged>>,
) {
    let done = Arc::new(Semaphore::new(0));
    let mut clients = JoinSet::new();
    for (n, id) in documents.iter().enumerate() {
        let url = format!("{}/api/investigation/{id}", service.base);
        let (client, acknowledged, done) = (client.clone(), acknowledged.clone(), done.clone());
        clients.spawn(async move {
            let mut next = acknowledged.lock().await.written.get(&n).map_or(1, |(last, _)| last + 1000);
            loop {
                let body = json!({ "count": next }).to_string();
                let request = client.http.patch(&url).header("content-type", "application/json").body(body);
                if client.send(request).await.is_none() {
                    break;
                }
                let mut known = acknowledged.lock().await;
                let (last, count) = known.written.entry(n).or_default();
                (*last, *count) = (next, *count + 1);
                next += 1;
                done.add_permits(1);
            }
        });
    }
    for visit in 0..LINKS * 4 {
        let n = visit % LINKS;
        let url = format!("{}/api/link/crash/{n}", service.base);
        let (client, acknowledged, done) = (client.clone(), acknowledged.clone(), done.clone());
        clients.spawn(async move {
            while let Some(answer) = client.send(client.http.get(&url)).await {
                let count = answer["data"]["visitCount"].as_u64().expect("a count");
                let new = acknowledged.lock().await.visits.entry(n).or_default().insert(count);
                assert!(new, "the count {count} was given twice");
                done.add_permits(1);
            }
        });
    }
    done.acquire_many(WRITES_A_ROUND).await.expect("enough writes").forget();
    service.kill();
    while let Some(client) = clients.join_next().await {
        client.expect("a client found what it expected");
    }
}

async fn check(service: &Service, client: &Client, documents: &[String], known: &Acknowledged, round: usize) {
    for (n, id) in documents.iter().enumerate() {
        let url = format!("{}/api/investigation/{id}", service.base);
        let document = client.get(url.clone()).await["data"].clone();
        let (last, count) = known.written.get(&n).copied().unwrap_or_default();
        let version = document["version"].as_u64().expect("a version");
        assert!(document["count"].as_u64() >= Some(last), "round {round}: {} of {last}", document["count"]);
        assert!(version >= count, "round {round}: {version} versions of {count} acknowledged updates");
        let newest = client.get(format!("{url}/versions?limit=1")).await["data"][0].clone();
        assert_eq!(newest["version"], version, "round {round}: the newest record and the document");
        assert_eq!(
            newest["changes"][0]["after"], document["count"],
            "round {round}: the newest record and the document"
        );
        let beginning = client.get(format!("{url}/versions/0")).await["data"].clone();
        assert_eq!(beginning["count"], 0, "round {round}: the beginning");
    }
    let links = client.get(format!("{}/api/link/investigation/{}", service.base, documents[0])).await["data"].clone();
    for (n, link) in links.as_array().expect("links").iter().enumerate() {
        let counted = link["visitCount"].as_u64().expect("a count");
        let greatest = known.visits.get(&n).and_then(|counts| counts.iter().max().copied()).unwrap_or(0);
        assert!(counted >= greatest, "round {round}: {counted} visits of {greatest} acknowledged");
    }
}
