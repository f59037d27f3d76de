//! `GET /l/{key}/{subLink}/{pictureId}`: a picture of the page of a link.

use axum::extract::{FromRequestParts, Request, State};
use axum::response::Response;

use super::response::{failed, not_found_page};
use super::visit::{counted_before, visitor_and_name};
use crate::app::{App, SentPicture, SheetKey};
use crate::authoring::{AuthoringError, links};
use crate::domain::lesson_sheet::Audience;
use crate::domain::link::Visit;
use crate::http::headers::{UNINDEXED, picture_response};
use crate::http::limits::Visitor;
use crate::http::params::PictureId;
use crate::http::sheet::shows;

/// Returns a picture, if the page of the link shows it now. Counts no visit. If the link has a visit limit, the request
/// needs the token of a counted visit.
pub async fn picture(State(app): State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let (visitor, name) = match visitor_and_name(&mut parts, &app).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    let Ok(PictureId(id)) = PictureId::from_request_parts(&mut parts, &app).await else { return not_found_page() };
    let visit = match counted_before(&app, &mut parts, &name).await {
        Ok(Some((visit, _))) => Ok(visit),
        Ok(None) => match links::find_open(&app, name).await {
            Ok(link) if link.options.max_visits.is_some() => Err(AuthoringError::LinkNotFound),
            found => found.map(|link| link.visit(link.visit_count)),
        },
        Err(error) => Err(error),
    };
    let found = match visit {
        Ok(visit) => shown_picture(&app, visitor, &visit, id).await,
        Err(error) => Err(error),
    };
    match found {
        Ok(Some(picture)) => {
            let mut response = picture_response(picture.media_type, picture.bytes);
            response.headers_mut().extend([UNINDEXED]);
            response
        }
        Ok(None) => not_found_page(),
        Err(error) => failed(error),
    }
}

async fn shown_picture(
    app: &App,
    visitor: Visitor,
    visit: &Visit,
    id: String,
) -> Result<Option<SentPicture>, AuthoringError> {
    let &Visit { investigation_id: investigation, version, shows: link_shows, .. } = visit;
    // If an operator has configured another page for links, this service shows no pictures of the lesson.
    let Some(audience) = Audience::of(link_shows).filter(|_| app.http.link_target.is_none()) else { return Ok(None) };
    let state = app.store.state(investigation).await?.ok_or(AuthoringError::LinkNotFound)?;
    if !shows(app, visitor.0, SheetKey { investigation, state, version, audience }, &id).await? {
        return Ok(None);
    }
    let key = (state, id);
    if let Some(sent) = app.sheets.picture(&key) {
        return Ok(Some(sent));
    }
    let Some(picture) = app.store.picture(investigation, key.1.clone()).await? else { return Ok(None) };
    let sent = SentPicture { media_type: picture.kind.media_type(), bytes: picture.bytes.into() };
    app.sheets.keep_picture(key, sent.clone());
    Ok(Some(sent))
}
