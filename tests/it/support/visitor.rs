//! A simple browser that shows no pages: keeps cookies, and returns the address to which each answer redirects.

use std::collections::BTreeMap;

use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::{Client, RequestBuilder, StatusCode, Url, redirect};
use serde_json::Value;
use tokio::task::JoinHandle;

/// Path to which a provider sends browsers back.
const CALLBACK: &str = "/sign-in/callback";

pub struct Visitor {
    client: Client,
    /// Names and values. Hosts of tests differ only in their ports, which cookies ignore.
    pub cookies: BTreeMap<String, String>,
}

pub struct Visited {
    pub status: StatusCode,
    /// Address to which the answer redirects; empty if it does not redirect.
    pub location: String,
    /// The cookies that the answer sets, with their attributes.
    pub set: Vec<String>,
    pub text: String,
}

impl Visitor {
    pub fn new() -> Self {
        let client = Client::builder().no_proxy().tls_certs_only([]).redirect(redirect::Policy::none());
        Self { client: client.build().expect("a client"), cookies: BTreeMap::new() }
    }

    pub async fn get(&mut self, url: &str) -> Visited {
        self.send(self.client.get(url)).await
    }

    /// Sends a request in a task, which never ends if there is no answer.
    pub fn get_in_background(&self, url: &str) -> JoinHandle<()> {
        let request = self.client.get(url);
        tokio::spawn(async move { drop(request.send().await) })
    }

    pub async fn head(&mut self, url: &str) -> Visited {
        self.send(self.client.head(url)).await
    }

    /// Sends a request for this host to another address, as a proxy does.
    pub async fn get_as(&mut self, url: &str, host: &str) -> Visited {
        self.send(self.client.get(url).header("host", host)).await
    }

    pub async fn delete(&mut self, url: &str) -> Visited {
        self.send(self.client.delete(url).header("sec-fetch-site", "same-origin")).await
    }

    pub async fn patch(&mut self, url: &str, body: &Value) -> Visited {
        let request = self.client.patch(url).header("sec-fetch-site", "same-origin");
        self.send(request.header("content-type", "application/json").body(body.to_string())).await
    }

    async fn submit(&mut self, url: &str, form: &str) -> Visited {
        let request = self.client.post(url).header("content-type", "application/x-www-form-urlencoded");
        self.send(request.body(form.to_owned())).await
    }

    async fn send(&mut self, request: RequestBuilder) -> Visited {
        let cookies = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>();
        let answer = request.header(COOKIE, cookies.join("; ")).send().await.expect("an answer");
        let text = |value: &reqwest::header::HeaderValue| value.to_str().expect("a text").to_owned();
        let set: Vec<String> = answer.headers().get_all(SET_COOKIE).iter().map(text).collect();
        for cookie in &set {
            let (name, rest) = cookie.split_once('=').expect("a pair");
            let value = rest.split(';').next().unwrap_or_default();
            if value.is_empty() {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        let location = answer.headers().get(LOCATION).map(text).unwrap_or_default();
        Visited { status: answer.status(), location, set, text: answer.text().await.expect("a text") }
    }

    /// Signs in at a real provider, starting at this address, and gives consent. Returns the address to which the
    /// provider sends the browser back, and the pages that it showed.
    pub async fn through(&mut self, address: &str, login: &str) -> Through {
        const MAX_PAGES: usize = 20;
        let (mut here, mut pages) = (address.to_owned(), Vec::new());
        for _ in 0..MAX_PAGES {
            let mut visited = self.get(&here).await;
            if visited.location.is_empty() {
                let page = ["login", "consent", "select_account"];
                let page = page.into_iter().find(|page| visited.text.contains(&format!("value=\"{page}\"")));
                let page = page.unwrap_or_else(|| panic!("{here}: {} {}", visited.status, visited.text));
                pages.push(page);
                visited = self.submit(&here, &format!("prompt={page}&login={login}&password=x")).await;
            }
            let next = Url::parse(&here).expect("an address").join(&visited.location).expect("an address");
            here = next.to_string();
            if next.path() == CALLBACK {
                return Through { back: here, pages };
            }
        }
        panic!("the provider showed {pages:?}, and then {here}")
    }
}

/// Result of a sign-in on the pages of a provider.
pub struct Through {
    pub back: String,
    pub pages: Vec<&'static str>,
}

/// Returns a parameter in the query of an address.
pub fn parameter(address: &str, name: &str) -> String {
    let url = Url::parse(address).expect("an address");
    let found = url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned());
    found.unwrap_or_else(|| panic!("{address} has no {name}"))
}

/// Returns an address with another value of a parameter.
pub fn with_parameter(address: &str, name: &str, value: &str) -> String {
    let mut url = Url::parse(address).expect("an address");
    let others: Vec<_> =
        url.query_pairs().filter(|(known, _)| known != name).map(|(k, v)| (k.into_owned(), v.into_owned())).collect();
    url.query_pairs_mut().clear().extend_pairs(others).append_pair(name, value);
    url.into()
}
