//! `GET /api/link/{key}/{subLink}/qr.svg`

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use qrcode::QrCode;
use qrcode::render::svg;

use crate::app::{App, HttpSettings};
use crate::authoring::AuthoringError;
use crate::domain::link::Link;
use crate::http::base_url::base;
use crate::http::error::ApiError;
use crate::http::headers::for_any_page;
use crate::http::limits::Visitor;
use crate::http::params::LinkName;

/// Minimum width and height of the picture, in pixels. The picture is a vector graphic, which scales without loss.
const MIN_SIDE: u32 = 256;

/// Returns the address of a link's page, as people open it.
pub fn address(http: &HttpSettings, headers: &HeaderMap, link: &Link) -> Result<String, ApiError> {
    Ok(format!("{}/l/{}/{}", base(http, headers)?, link.key, link.sub_link))
}

/// Returns the address of a link's page as a QR code. Needs no token, and does not count as a visit.
pub async fn qr(
    State(app): State<App>,
    _: Visitor,
    LinkName { key, sub_link }: LinkName,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let link = app.store.link(key, sub_link).await?.ok_or(AuthoringError::LinkNotFound)?;
    let address = address(&app.http, &headers, &link)?;
    let code = QrCode::new(&address).map_err(|_| ApiError::invalid_at("Host", "is too long for a QR code"))?;
    let picture = code.render::<svg::Color<'_>>().min_dimensions(MIN_SIDE, MIN_SIDE).build();
    let shown = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "no-cache")];
    let mut response = (shown, picture).into_response();
    for_any_page(response.headers_mut());
    Ok(response)
}
