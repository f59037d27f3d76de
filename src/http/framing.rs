//! Checks the framing of a request before other code reads the request: the `Host` header, the transfer coding, and
//! that a small body has arrived completely.
//!
//! A connection is reused only after the whole body was read. Otherwise the rest of the body could be taken for the
//! next request.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::Frame;
use tokio::time::Sleep;

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::headers::content_length;
use crate::admission::READ_AHEAD;

/// Time limit for receiving a body. The time starts when the service first has to wait for the body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// Refuses a request with invalid framing, such as two `Host` headers, and handles any other request. If the body was
/// not read to its end, adds `Connection: close` to the response.
pub async fn check(mut request: Request, next: Next) -> Response {
    let checked = check_head(request.version(), request.headers()).and_then(|()| take_host_of_target(&mut request));
    if let Err(error) = checked {
        return closing(error.into_response());
    }
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let is_read = Arc::new(AtomicBool::new(false));
    let (parts, body) = request.into_parts();
    let mut body = TimedBody { body, ahead: None, deadline: None, is_read: is_read.clone() };
    let arrived = if is_small(&parts.headers) { body.read_ahead().await } else { Ok(()) };
    let response = match arrived {
        Ok(()) => next.run(Request::from_parts(parts, Body::new(body))).await,
        Err(error) => failed(error).into_response(),
    };
    if is_read.load(Ordering::Relaxed) { response } else { closing(response) }
}

pub fn failed(error: BoxError) -> ApiError {
    if error.is::<BodyTimedOut>() {
        return ApiError::new(StatusCode::REQUEST_TIMEOUT, ErrorCode::BodyTimeout, "The body took too long to arrive");
    }
    ApiError::new(StatusCode::BAD_REQUEST, ErrorCode::BodyIncomplete, "The body is incomplete")
}

fn closing(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Checks the headers `Host` and `Transfer-Encoding`. With ambiguous headers, two servers could disagree about the host
/// of a request, or about where the request ends.
fn check_head(version: Version, headers: &HeaderMap) -> Result<(), ApiError> {
    let mut hosts = headers.get_all(header::HOST).into_iter();
    let fault = match (hosts.next(), hosts.next()) {
        (None, _) if version >= Version::HTTP_11 => Some("is required"),
        (Some(_), Some(_)) => Some("must appear once"),
        (Some(host), None) if !is_host(host.as_bytes()) => Some("must be a host, optionally with a port"),
        _ => None,
    };
    if let Some(fault) = fault {
        return Err(ApiError::invalid_at("Host", fault));
    }
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).into_iter();
    let is_chunked = codings.next().is_none_or(|coding| coding.as_bytes().eq_ignore_ascii_case(b"chunked"));
    if !is_chunked || codings.next().is_some() {
        return Err(ApiError::invalid_at("Transfer-Encoding", "must be chunked"));
    }
    Ok(())
}

/// Replaces `Host` if the request line contains a host, such as `GET http://fieldbook.example/docs HTTP/1.1`. In this
/// case, `Host` must be ignored (RFC 9112, section 3.2.2).
fn take_host_of_target(request: &mut Request) -> Result<(), ApiError> {
    let Some(host) = request.uri().authority().map(Authority::as_str) else { return Ok(()) };
    let host = HeaderValue::try_from(host).ok().filter(|host| is_host(host.as_bytes()));
    let host = host.ok_or_else(|| {
        ApiError::invalid_at("", "the host in the request line must be a host, optionally with a port")
    })?;
    request.headers_mut().insert(header::HOST, host);
    Ok(())
}

/// Returns true if `text` is a host, with or without a port, and nothing else.
fn is_host(text: &[u8]) -> bool {
    let Ok(authority) = Authority::try_from(text) else { return false };
    let host = authority.host();
    let port = authority.as_str().strip_prefix(host);
    let is_port =
        |text: &str| text.is_empty() || (text.parse::<u16>().is_ok() && text.bytes().all(|b| b.is_ascii_digit()));
    let has_port = |port: &str| port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    !host.is_empty() && port.is_some_and(has_port)
}

/// Returns true if the body may be read before the request is handled: its announced length is small or unknown, and
/// the client does not wait for `100 Continue`.
fn is_small(headers: &HeaderMap) -> bool {
    let waits = headers.get(header::EXPECT).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"100-continue"));
    !waits && content_length(headers).is_none_or(|length| length <= READ_AHEAD)
}

#[derive(Debug, thiserror::Error)]
#[error("the body took too long to arrive")]
struct BodyTimedOut;

/// The body of a request. Reading it fails after [`BODY_TIMEOUT`].
struct TimedBody {
    body: Body,
    /// The part of the body that was read before the request was handled.
    ahead: Option<Bytes>,
    deadline: Option<Pin<Box<Sleep>>>,
    is_read: Arc<AtomicBool>,
}

impl TimedBody {
    /// Reads the whole body, or only the beginning if the body is larger than [`READ_AHEAD`].
    async fn read_ahead(&mut self) -> Result<(), BoxError> {
        let mut ahead = Vec::new();
        while ahead.len() <= READ_AHEAD {
            let Some(frame) = self.frame().await else { break };
            ahead.extend(frame?.into_data().unwrap_or_default());
        }
        self.ahead = Some(ahead.into());
        Ok(())
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if let Some(ahead) = self.ahead.take() {
            return Poll::Ready(Some(Ok(Frame::data(ahead))));
        }
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(Some(frame)) => Poll::Ready(Some(frame.map_err(axum::Error::into_inner))),
            Poll::Ready(None) => {
                self.is_read.store(true, Ordering::Relaxed);
                Poll::Ready(None)
            }
            Poll::Pending => {
                let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(BODY_TIMEOUT)));
                ready!(deadline.as_mut().poll(context));
                Poll::Ready(Some(Err(BodyTimedOut.into())))
            }
        }
    }
}
