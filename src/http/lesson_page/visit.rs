//! Visits of the page of a link: which requests are counted as visits, and what they return.

use axum::body::Bytes;
use axum::extract::{self, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::response::{failed, headers, not_found_page, page, prefetched, redirect, refused, unknown_length};
use super::{html, visit_token};
use crate::admission::{self, Class};
use crate::app::{App, LinkTarget, SheetKey};
use crate::authoring::{AuthoringError, links};
use crate::domain::lesson_sheet::Audience;
use crate::domain::link::{Visit, VisitKind};
use crate::http::headers::listed;
use crate::http::limits::Visitor;
use crate::http::params::{LinkName, parameter};
use crate::http::sheet;
use crate::store::{CountedVisit, RevisionKey, StoreError};

/// Name of the parameter with the token of a counted visit.
const TOKEN: &str = "visit";

/// Name of the parameter that distinguishes the buttons of different page views.
const PRESS: &str = "press";

/// Maximum length of the value of this parameter, in bytes.
const MAX_PRESS: usize = 64;

/// Returns the page of a link, and counts a visit. A link with a visit limit shows a button first, so that a preview of
/// the link does not use up a visit.
pub async fn open(extract::State(app): extract::State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let (visitor, name) = match visitor_and_name(&mut parts, &app).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    match counted_before(&app, &mut parts, &name).await {
        Ok(Some((visit, token))) => shown_again(&app, visitor, visit, &token).await,
        Ok(None) => look(&app, visitor, name, &parts.headers).await,
        Err(error) => failed(error),
    }
}

/// Counts a visit of somebody who has pressed the button of a link with a visit limit. A second click on the same
/// button opens the same page.
pub async fn press(extract::State(app): extract::State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let name = match visitor_and_name(&mut parts, &app).await {
        Ok((_, name)) => name,
        Err(response) => return response,
    };
    let button = parameter(&mut parts, PRESS).await.ok().flatten().filter(|button| button.len() <= MAX_PRESS);
    let pressed = button.map(|button| format!("{}?{PRESS}={button}", address(&name.key, &name.sub_link)));
    let led_to = match pressed {
        Some(pressed) => app.link_presses.once(pressed, use_visit(&app, name.clone())).await,
        None => Ok(None),
    };
    let leads_to = match led_to {
        Ok(Some(led_to)) => Ok(led_to),
        Ok(None) => use_visit(&app, name).await,
        Err(error) => Err(error),
    };
    leads_to.map_or_else(failed, |leads_to| redirect(StatusCode::SEE_OTHER, leads_to))
}

/// Counts a visit of a link with a visit limit. Returns the address of the page that it opens.
async fn use_visit(app: &App, name: LinkName) -> Result<String, AuthoringError> {
    // If the author has removed the visit limit since the button was shown, this function counts no visit. It leads to
    // the lesson page, which counts the visit.
    if let Ok(link) = links::find_open(app, name.clone()).await
        && link.options.max_visits.is_none()
    {
        return Ok(address(&link.key, &link.sub_link));
    }
    // Reads the secret before it counts the visit, so that a failed read does not use up a visit.
    let secret = app.store.secret(|| app.ids.nonce()).await?;
    let CountedVisit { visit, .. } = count(app, name, VisitKind::Open).await?;
    let token = visit_token::sign(&secret, visit.link, app.clock.now());
    Ok(format!("{}?{TOKEN}={token}", address(&visit.key, &visit.sub_link)))
}

fn address(key: &str, sub_link: &str) -> String {
    format!("/l/{key}/{sub_link}")
}

pub async fn visitor_and_name(parts: &mut Parts, app: &App) -> Result<(Visitor, LinkName), Response> {
    let visitor = Visitor::from_request_parts(parts, app).await.map_err(refused)?;
    let name = LinkName::from_request_parts(parts, app).await.map_err(|_| not_found_page())?;
    Ok((visitor, name))
}

/// Counts a visit, unless the link has a visit limit. Returns the page of the link or its button, or a redirect if the
/// operator configured another page. A prefetch counts nothing and shows nothing.
pub async fn look(app: &App, visitor: Visitor, name: LinkName, headers: &HeaderMap) -> Response {
    if is_prefetch(headers) {
        return prefetched();
    }
    // The permit is taken before the visit is counted, so that every counted visit gets its page.
    if let Err(busy) = admission::hold(Class::Page).await {
        return failed(StoreError::from(busy).into());
    }
    let address = address(&name.key, &name.sub_link);
    match count(app, name, VisitKind::Look).await {
        Ok(CountedVisit { visit, state }) => shown(app, visitor, visit, state, None).await,
        Err(AuthoringError::VisitLimited) => button(app, &address),
        Err(error) => failed(error),
    }
}

/// Counts a visit, and updates the metrics.
pub async fn count(app: &App, name: LinkName, kind: VisitKind) -> Result<CountedVisit, AuthoringError> {
    let visit = links::visit(app, name, kind).await;
    let outcome = match &visit {
        Ok(_) => "counted",
        Err(AuthoringError::VisitLimited) => "asked",
        Err(AuthoringError::LinkClosed) => "link_closed",
        Err(AuthoringError::LinkNotFound) => "link_not_found",
        Err(_) => "failed",
    };
    metrics::counter!("fieldbook_visits_total", "outcome" => outcome).increment(1);
    visit
}

/// Returns the visit that was counted earlier for the token of this request, and the token. Returns `None` in two
/// cases:
/// - The request has no token that is valid for this link.
/// - The link no longer has a visit limit. Then each request is counted.
pub async fn counted_before(
    app: &App,
    parts: &mut Parts,
    name: &LinkName,
) -> Result<Option<(Visit, String)>, AuthoringError> {
    if is_prefetch(&parts.headers) {
        return Ok(None);
    }
    let Ok(Some(token)) = parameter(parts, TOKEN).await else { return Ok(None) };
    let now = app.clock.now();
    let link = app.store.link(name.key.clone(), name.sub_link.clone()).await?.ok_or(AuthoringError::LinkNotFound)?;
    let secret = app.store.secret(|| app.ids.nonce()).await?;
    let is_limited = link.options.max_visits.is_some();
    let is_open = is_limited && !link.has_ended(now) && visit_token::is_valid(&token, &secret, link.id, now);
    Ok(is_open.then(|| (link.visit(link.visit_count), token)))
}

/// Returns the page of a link with a visit limit, with the button that opens it.
fn button(app: &App, address: &str) -> Response {
    let action = format!("{address}?{PRESS}={}", app.ids.nonce());
    let mut response = page(StatusCode::OK, html::button(&action));
    let target = app.http.link_target.as_ref().map(LinkTarget::origin);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, html::form_policy(target));
    response
}

/// Returns whether a browser loads the page before a person opens it.
fn is_prefetch(headers: &HeaderMap) -> bool {
    let has = |name| listed(headers, name).any(|purpose| purpose.split(';').any(|part| part.trim() == "prefetch"));
    has(HeaderName::from_static("sec-purpose")) || has(HeaderName::from_static("purpose"))
}

/// Responds to HEAD as to GET, but counts no visit.
pub async fn head(extract::State(app): extract::State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let (_, name) = match visitor_and_name(&mut parts, &app).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    match counted_before(&app, &mut parts, &name).await {
        Ok(Some((visit, _))) => without_body(&app, &visit),
        Ok(None) => look_without_counting(&app, name, &parts.headers).await,
        Err(error) => failed(error),
    }
}

/// Responds to HEAD as [`look`] would to GET, but counts no visit.
pub async fn look_without_counting(app: &App, name: LinkName, headers: &HeaderMap) -> Response {
    if is_prefetch(headers) {
        return prefetched();
    }
    match links::find_open(app, name).await {
        Ok(link) if link.options.max_visits.is_some() => button(app, &address(&link.key, &link.sub_link)),
        Ok(link) => without_body(app, &link.visit(link.visit_count)),
        Err(error) => failed(error),
    }
}

fn without_body(app: &App, visit: &Visit) -> Response {
    redirect_to_target(app, visit).unwrap_or_else(|| (StatusCode::OK, headers(), unknown_length()).into_response())
}

/// Returns the page of a visit that was counted before.
async fn shown_again(app: &App, visitor: Visitor, visit: Visit, token: &str) -> Response {
    match app.store.state(visit.investigation_id).await {
        Ok(Some(state)) => shown(app, visitor, visit, state, Some(token)).await,
        Ok(None) => not_found_page(),
        Err(error) => failed(error.into()),
    }
}

async fn shown(app: &App, visitor: Visitor, visit: Visit, state: RevisionKey, token: Option<&str>) -> Response {
    if let Some(response) = redirect_to_target(app, &visit) {
        return response;
    }
    match lesson(app, visitor, &visit, state, token).await {
        Ok(html) => page(StatusCode::OK, html),
        Err(error) => failed(error),
    }
}

/// Returns the redirect to the page that the operator configured, if there is one.
fn redirect_to_target(app: &App, visit: &Visit) -> Option<Response> {
    let target = app.http.link_target.as_ref()?;
    Some(redirect(StatusCode::FOUND, target.of(visit.investigation_id, &visit.key, &visit.sub_link)))
}

/// Returns the sheet that a link shows of an investigation in this state, with the addresses of its pictures. The token
/// of a counted visit opens the pictures, too.
async fn lesson(
    app: &App,
    visitor: Visitor,
    visit: &Visit,
    state: RevisionKey,
    token: Option<&str>,
) -> Result<Bytes, AuthoringError> {
    let &Visit { investigation_id: investigation, version, shows, .. } = visit;
    let Some(audience) = Audience::of(shows) else { return Ok(html::NOTHING.clone()) };
    let key = SheetKey { investigation, state, version, audience };
    let before = format!("{}/", address(&visit.key, &visit.sub_link));
    let after = token.map(|token| format!("?{TOKEN}={token}")).unwrap_or_default();
    sheet::page(app, visitor.0, key, &before, &after).await
}
