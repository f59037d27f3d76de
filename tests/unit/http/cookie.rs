//! Unit tests of `src/http/session/cookie.rs`.

use axum::http::header;

use super::*;
use crate::domain::secret_token::BYTES;

#[test]
fn session_cookie_is_read_beside_a_cookie_with_invalid_utf8() {
    let text = SecretToken::new(&[7; BYTES]);
    let cookies = [b"school=Gr\xfcn; fieldbook_session=".as_slice(), text.expose().as_bytes(), b"; a=b"].concat();
    let mut headers = HeaderMap::new();
    headers.insert(header::COOKIE, HeaderValue::from_bytes(&cookies).expect("a header"));
    assert_eq!(read(&HttpSettings::default(), &headers), Some(text));
}
