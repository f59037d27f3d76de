//! `GET /sign-in/provider`

use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::Response;

use super::addresses::{begin_at, page_of, redirect_address, redirect_to};
use super::attempt::{self, AttemptCookie};
use super::error::SignInPageError;
use super::prompt::asked;
use crate::app::App;
use crate::domain::sign_in::destination;
use crate::http::params::parameter;
use crate::tokens::Attempt;

/// Begins a sign-in with the provider: redirects the browser to the provider, and sets the cookie that is needed to
/// finish. `to` is the path to open afterwards. If the browser used another host than the one in `public-url`, it is
/// redirected to `public-url` first, because the provider sends the browser back to `public-url`, and the cookie of
/// another host would be missing there.
pub async fn begin(State(app): State<App>, mut head: Parts) -> Response {
    let to = parameter(&mut head, "to").await.ok().flatten().unwrap_or_default();
    let to = destination(&to);
    // If a proxy replaces the host that the browser used, the hosts never match, and a redirect would repeat forever.
    // So this redirect happens only once.
    let has_moved = parameter(&mut head, "moved").await.ok().flatten().is_some();
    if let Some(public_url) = public_url_elsewhere(&app, &head).filter(|_| !has_moved) {
        return redirect_to(&format!("{public_url}{}&moved=1", begin_at(to)), []);
    }
    begun(&app, &head, to).await.unwrap_or_else(|error| redirect_to(&page_of(error, to), []))
}

/// Returns `public-url` if the browser used another address for the request.
fn public_url_elsewhere<'a>(app: &'a App, head: &Parts) -> Option<&'a str> {
    let public_url = app.http.public_url.as_deref()?;
    let (_, there) = public_url.split_once("://")?;
    let here = head.headers.get(header::HOST)?.to_str().ok()?;
    (!here.eq_ignore_ascii_case(there)).then_some(public_url)
}

async fn begun(app: &App, head: &Parts, to: &str) -> Result<Response, SignInPageError> {
    let redirect = redirect_address(&app.http, &head.headers)?;
    let secret = app.store.secret(|| app.ids.nonce()).await?;
    let text = || app.ids.secret_token().expose().to_owned();
    let (state, attempt) = (text(), Attempt { nonce: text(), verifier: text() });
    let prompt = asked(&app.http, &head.headers);
    let address = app.tokens.sign_in_address(&attempt, &state, &redirect, prompt).await?;
    let kept = AttemptCookie::new(attempt, to.to_owned(), app.clock.now());
    let cookie = attempt::set(&app.http, &secret, &state, &kept);
    let forgotten = attempt::forget_many(&app.http, &head.headers);
    Ok(redirect_to(&address, forgotten.into_iter().chain([cookie])))
}
