//! `GET /sign-in/provider`

use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;

use super::attempt::{self, Kept};
use super::{Failed, asked, failure, lead, redirect_address};
use crate::app::App;
use crate::domain::sign_in::destination;
use crate::http::params::parameter;
use crate::tokens::Attempt;

/// Begins a sign-in with the provider: leads the browser there, with a cookie that the sign-in needs to end. `to` is
/// the path to which it leads.
pub async fn begin(State(app): State<App>, mut head: Parts) -> Response {
    let to = parameter(&mut head, "to").await.ok().flatten().unwrap_or_default();
    let to = destination(&to);
    begun(&app, &head, to).await.unwrap_or_else(|failed| lead(&failure(failed, to), []))
}

async fn begun(app: &App, head: &Parts, to: &str) -> Result<Response, Failed> {
    let redirect = redirect_address(&app.http, &head.headers)?;
    let secret = app.store.secret(|| app.ids.nonce()).await?;
    let text = || app.ids.opaque().expose().to_owned();
    let (state, attempt) = (text(), Attempt { nonce: text(), verifier: text() });
    let question = asked(&app.http, &head.headers);
    let address = app.tokens.sign_in_address(&attempt, &state, &redirect, question).await?;
    let kept = Kept::new(attempt, to.to_owned(), app.clock.now());
    let cookie = attempt::set(&app.http, &secret, &state, &kept);
    let forgotten = attempt::forget_many(&app.http, &head.headers);
    Ok(lead(&address, forgotten.into_iter().chain([cookie])))
}
