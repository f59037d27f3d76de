//! The upper limit for responses: an axum handler that sends fixed bytes and does nothing else.

use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::http::header;

/// Serves the bytes of the file `body` at every path until the process is stopped.
pub fn serve(body: &Path) -> Result<(), String> {
    let body = Bytes::from(std::fs::read(body).map_err(|e| format!("{body:?}: {e}"))?);
    let answer = move || {
        let body = body.clone();
        async move { ([(header::CONTENT_TYPE, "application/json")], body) }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|e| e.to_string())?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
        println!("listening on http://{}", listener.local_addr().map_err(|e| e.to_string())?);
        axum::serve(listener, Router::new().fallback(answer)).await.map_err(|e| e.to_string())
    })
}
