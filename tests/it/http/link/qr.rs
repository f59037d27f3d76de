//! `GET /api/link/{key}/{subLink}/qr.svg`

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use qrcode::QrCode;
use qrcode::render::svg;
use reqwest::StatusCode;
use serde_json::json;

use super::{LINK, with_link};
use crate::support::{TestApp, raw::Raw};

fn picture_of(address: &str) -> String {
    QrCode::new(address).expect("a code").render::<svg::Color<'_>>().min_dimensions(256, 256).build()
}

#[tokio::test]
async fn qr_code_of_a_link_needs_no_token_and_counts_no_visit() {
    let (app, anon, _) = with_link().await;
    let picture = anon.get(&format!("{LINK}/qr.svg")).await;
    assert_eq!(picture.status, StatusCode::OK, "{picture}");
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(picture.text.contains("<svg") && picture.text.trim_end().ends_with("</svg>"), "{picture}");
    assert_eq!(picture.text, picture_of(&format!("http://{}/l/k/s", app.address)));
    anon.head(&format!("{LINK}/qr.svg")).await;
    assert_eq!(anon.get(LINK).await.data()["visitCount"], json!(1));
}

#[tokio::test]
async fn qr_code_uses_the_public_url_instead_of_the_host_header() {
    let http = HttpSettings { public_url: Some("https://fieldbook.example".into()), ..HttpSettings::default() };
    let (_app, anon, teacher) = TestApp::start_with(http).await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    let picture = anon.get(&format!("{link}/qr.svg")).await;
    assert_eq!(picture.text, picture_of("https://fieldbook.example/l/k/s"));
}

#[tokio::test]
async fn qr_code_request_with_a_missing_or_oversized_host_is_refused() {
    let (app, _, _) = with_link().await;
    let mut raw = Raw::connect(&app).await;
    assert_snapshot!(raw.ask("GET /api/link/k/s/qr.svg HTTP/1.0\r\n\r\n").await.refusal(), @r#"400 "validation_failed" "Validation failed" "Host" "is required""#);
    let host = "h".repeat(4000);
    let mut raw = Raw::connect(&app).await;
    let refused = raw.ask(format!("GET /api/link/k/s/qr.svg HTTP/1.1\r\nhost: {host}\r\n\r\n")).await;
    assert_snapshot!(refused.refusal(), @r#"400 "validation_failed" "Validation failed" "Host" "is too long for a QR code""#);
}
