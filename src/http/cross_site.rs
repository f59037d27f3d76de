//! Refuses cross-site requests that change something (CSRF protection). Browsers say where a request comes from.

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};

use super::base_url::base;
use super::error::ApiError;
use super::error_code::ErrorCode;
use crate::app::{App, HttpSettings};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A request that this service's own page sent.
pub struct FromPage;

impl FromRequestParts<App> for FromPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        check_page(&app.http, &parts.method, &parts.headers).map(|()| Self)
    }
}

/// Refuses a request that may change something, unless the page of this service sent it. Browsers send this information
/// in a header. Older browsers send only the origin of the page.
pub fn check_page(http: &HttpSettings, method: &Method, headers: &HeaderMap) -> Result<(), ApiError> {
    if method.is_safe() {
        return Ok(());
    }
    let is_own = match headers.get(FETCH_SITE) {
        Some(site) => site == "same-origin",
        None => {
            let mut origins = headers.get_all(header::ORIGIN).iter();
            let own = base(http, headers).ok();
            let origin = origins.next().and_then(|origin| origin.to_str().ok());
            origin.is_some() && origin == own.as_deref() && origins.next().is_none()
        }
    };
    let reason = "requests with a session, and sign-ins, must come from the page of this service; see public-url";
    if is_own { Ok(()) } else { Err(cross_site_error(reason)) }
}

fn cross_site_error(reason: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, ErrorCode::CrossSite, "Not allowed").with_reason(reason)
}

/// Refuses a request that may change something, if it comes from a page of another origin that the setting
/// `cors-origins` does not name. The value `*` does not name an origin.
pub fn check(http: &HttpSettings, request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    let is_other = headers.get(FETCH_SITE).is_some_and(|site| site == "cross-site" || site == "same-site");
    if request.method().is_safe() || !is_other {
        return Ok(());
    }
    let is_named = headers.get(header::ORIGIN).is_some_and(|origin| http.cors_origins.lists(origin.as_bytes()));
    let reason = "pages of other sites may not change anything; see the setting cors-origins";
    if is_named { Ok(()) } else { Err(cross_site_error(reason)) }
}
