//! Properties of the parsers of ids, paths, queries, cursors, merge patches, tokens and imports, for any text. Fuzz
//! targets and property tests check the same properties.

use std::collections::BTreeSet;
use std::io::BufReader;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fieldbook::cli::{Text, Texts};
use fieldbook::domain::change::{self, Change};
use fieldbook::domain::content::{Content, for_each_leaf};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::json;
use fieldbook::domain::link;
use fieldbook::domain::link_request::LinkRequest;
use fieldbook::domain::list::{ListQuery, MAX_LIMIT, Position, SortBy};
use fieldbook::domain::merge_patch;
use fieldbook::domain::named::Named;
use fieldbook::domain::path::FieldPath;
use fieldbook::domain::request::{CreateRequest, UpdateRequest};
use fieldbook::domain::search;
use fieldbook::domain::size::{self, MAX_STORED_DEPTH};
use fieldbook::domain::sort_keys::SortKeys;
use fieldbook::domain::time::Timestamp;
use fieldbook::store::jsonl::{Entry, Line, equal};
use fieldbook::tokens::{Keys, Tokens, header};
use serde_json::{Map, Value};

/// Current time: 2026-11-21T08:00:00.000Z.
const NOW: Timestamp = Timestamp(1_795_248_000_000);

/// Checks that an id is accepted if and only if it has 24 hexadecimal digits, and that it is written in lower case.
/// Checks that a time is unchanged after writing and reading it, and that a link name has only characters that can be
/// in an address.
pub fn identifier(text: &str) {
    let is_one = text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    match text.parse::<ObjectId>() {
        Ok(id) => {
            assert!(is_one);
            assert_eq!(id.to_string(), text.to_ascii_lowercase());
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(serde_json::from_value::<ObjectId>(Value::from(text)).ok(), Some(id));
            assert_eq!(Timestamp::from_rfc3339(&id.made_at().to_string()), Some(id.made_at()));
        }
        Err(_) => assert!(!is_one),
    }
    for moment in [Timestamp::from_rfc3339(text), Timestamp::from_http_date(text)].into_iter().flatten() {
        assert_eq!(Timestamp::from_rfc3339(&moment.to_string()), Some(moment));
        assert_eq!(moment.day().as_str(), moment.to_string().split('T').next().unwrap_or_default());
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let named = (1..=64).contains(&text.len()) && text.chars().all(is_name);
    assert_eq!(link::name_fault(text).is_none(), named);
}

/// Checks that a path, the first line of `text`, is unchanged after writing and reading it. If the rest is a document,
/// checks that the written path of each leaf leads to the leaf.
pub fn path(text: &str) {
    let (dotted, document) = text.split_once('\n').unwrap_or((text, ""));
    let path = FieldPath::parse(dotted);
    assert_eq!(FieldPath::parse(&path.to_string()), path);
    assert!(FieldPath::root().is_prefix_of(&path) && path.is_prefix_of(&path.child("x")));
    let Ok(document) = json::parse(document.as_bytes()) else { return };
    let step = |value, segment: &std::sync::Arc<str>| fieldbook::domain::path::step(value, segment);
    assert_eq!(path.get(&document), path.segments().iter().try_fold(&document, step));
    let Value::Object(content) = &document else { return };
    for_each_leaf(content, &mut |path, leaf| {
        assert_eq!(path.get(&document), Some(leaf));
        if !matches!(path.segments(), [key] if key.is_empty()) {
            assert_eq!(&FieldPath::parse(&path.to_string()), path);
        }
    });
}

/// Reads each line as a parameter, `name=value`. Checks that the query is either refused or within its limits, and
/// that an accepted query is unchanged after writing and reading it.
pub fn query(text: &str) {
    let pairs = text.lines().map(|line| line.split_once('=').unwrap_or((line, "")));
    let mut given: Vec<(String, String)> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let Ok(query) = ListQuery::read(&given) else { return };
    assert!((1..=MAX_LIMIT).contains(&query.limit) && i64::try_from(query.offset).is_ok());
    let filter = &query.filter;
    assert!(filter.words.iter().flatten().count() <= 50);
    assert_eq!(filter.title.as_deref().map(search::fold), filter.title, "what is folded is folded");
    // Of the parameters, keeps only the cursor, and writes all others anew from the query. The cursor already contains
    // the offset.
    given.retain(|(name, _)| name == "cursor");
    let offset = if given.is_empty() { query.offset } else { 0 };
    let mut say = |name: &str, value: String| given.push((name.to_owned(), value));
    say("limit", query.limit.to_string());
    say("offset", offset.to_string());
    say("sortBy", name_of(query.sort_by).to_owned());
    say("sortOrder", if query.ascending { "asc" } else { "desc" }.to_owned());
    say("groupBy", if query.grouped { "curriculum" } else { "none" }.to_owned());
    for (name, value) in [
        ("search", filter.words.as_ref().map(searched)),
        ("grade", filter.grade.clone()),
        ("curriculum", filter.curriculum.clone()),
        ("author", filter.author.map(|author| author.to_string())),
    ] {
        value.into_iter().for_each(|value| say(name, value));
    }
    filter.statuses.iter().for_each(|status| say("status", status.name().to_owned()));
    query
        .fields
        .iter()
        .for_each(|fields| say("fields", fields.iter().map(String::as_str).collect::<Vec<_>>().join(",")));
    // Normalization for the search can leave a title with white space at its ends, which is trimmed when the parameter
    // is read.
    match &filter.title {
        Some(title) if title.trim() != title => return,
        title => title.iter().for_each(|title| say("title", title.clone())),
    }
    if let Err(violations) = ListQuery::read(&given).map(|again| assert_eq!(again, query)) {
        panic!("{given:?} is refused: {violations:?}");
    }
}

/// Returns a search for these words. Without words, the search has only a punctuation mark.
fn searched(words: &BTreeSet<String>) -> String {
    std::iter::once("!").chain(words.iter().map(String::as_str)).collect::<Vec<_>>().join(" ")
}

fn name_of(sort_by: SortBy) -> &'static str {
    match sort_by {
        SortBy::CreatedAt => "createdAt",
        SortBy::UpdatedAt => "updatedAt",
        SortBy::Title => "title",
        SortBy::Grade => "grade",
        SortBy::Curriculum => "curriculum",
        SortBy::Status => "status",
    }
}

const LISTS: [&[(&str, &str)]; 5] = [
    &[],
    &[("sortBy", "title"), ("sortOrder", "asc")],
    &[("sortBy", "grade"), ("groupBy", "none")],
    &[("sortBy", "status"), ("search", "cress")],
    &[("curriculum", "NGSS"), ("author", "0123456789abcdef01234567")],
];

/// Checks that `text`, read as a cursor, is either refused or gives a usable position. Then makes a document from
/// `text`, and for each list in [`LISTS`] a cursor to the position after this document. Checks that the same list reads
/// this position from the cursor, and that all other lists refuse the cursor.
pub fn cursor(text: &str) {
    let list = |place: usize, cursor: Option<&str>| {
        let parameters = LISTS[place].iter().copied().chain(cursor.map(|cursor| ("cursor", cursor)));
        let given: Vec<_> = parameters.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        ListQuery::read(&given)
    };
    let content = match json::parse(text.as_bytes()) {
        Ok(Value::Object(content)) => content,
        _ if text.contains('\0') => return,
        _ => ["title", "grade", "curriculum"].map(|field| (field.to_owned(), Value::from(text))).into_iter().collect(),
    };
    let id = ObjectId::from_bytes([7; 12]);
    let SortKeys { group, title: key, .. } = SortKeys::of(&content);
    let last = Position { group, key, id };
    for place in 0..LISTS.len() {
        if let Ok(read) = list(place, Some(text)) {
            let after = read.after.expect("a place");
            assert!(i64::try_from(read.offset).is_ok() && !after.group.contains('\0') && !after.key.contains('\0'));
        }
        let cursor = list(place, None).expect("a list").next_cursor(last.clone(), 20);
        for other in 0..LISTS.len() {
            match list(other, Some(&cursor)) {
                Ok(read) => {
                    assert_eq!((place, read.offset), (other, 20));
                    assert_eq!(read.after.map(|after| after.id), Some(id));
                }
                Err(_) => assert_ne!(place, other),
            }
        }
    }
}

/// Reads two documents, separated by a line break. Checks that a document is unchanged after writing and reading it,
/// that a merge patch follows RFC 7396 and changes nothing when applied again, and that changes convert one document to
/// the other and back, byte for byte.
pub fn patch(text: &str) {
    let mut documents = text.splitn(2, '\n').filter_map(|text| json::parse(text.as_bytes()).ok());
    let Some(before) = documents.next() else { return };
    assert_eq!(json::parse(before.to_string().as_bytes()).map(|again| again.to_string()), Ok(before.to_string()));
    if let Value::Object(body) = &before {
        assert!(size::depth(body) <= MAX_STORED_DEPTH);
        let _ = LinkRequest::read(body);
        if let Ok(request) = CreateRequest::read(body.clone()) {
            let _ = size::check(&Content::new(), &request.content);
        }
    }
    let Some(patch) = documents.next() else { return };
    let after = merge_patch::merge(&before, &patch);
    assert_eq!(after, as_the_rfc_says(before.clone(), &patch));
    assert_eq!(merge_patch::merge(&after, &patch).to_string(), after.to_string());
    for after in [&after, &patch] {
        let changes = change::diff(&before, after);
        let stored = serde_json::to_string(&changes).expect("JSON");
        let changes: Vec<Change> = serde_json::from_str(&stored).expect("changes");
        assert_eq!(changes.is_empty(), change::same(&before, after));
        assert_eq!(change::apply(before.clone(), &changes).expect("fits").to_string(), after.to_string());
        assert_eq!(change::revert(after.clone(), &changes).expect("fits").to_string(), before.to_string());
        // Applied to another document, changes may succeed or fail, but must not panic.
        let _ = change::apply(Value::Array(vec![before.clone()]), &changes);
        let _ = change::revert(before.clone(), &changes);
    }
    if let (Value::Object(content), Value::Object(patch)) = (before, patch)
        && let Ok(request) = UpdateRequest::read(patch)
    {
        let after = request.apply(content);
        assert!(size::depth(&after) <= MAX_STORED_DEPTH);
        assert_eq!(size::check(&after, &after), Ok(()), "what is stored may stay");
    }
}

/// The pseudocode of RFC 7396, section 2, line by line.
fn as_the_rfc_says(target: Value, patch: &Value) -> Value {
    let Value::Object(members) = patch else { return patch.clone() };
    let mut target = if let Value::Object(target) = target { target } else { Map::new() };
    for (name, value) in members {
        if value.is_null() {
            target.remove(name);
        } else {
            let merged = as_the_rfc_says(target.remove(name).unwrap_or(Value::Null), value);
            target.insert(name.clone(), merged);
        }
    }
    Value::Object(target)
}

const SECRET: &[u8] = b"a secret that no text can have been signed with";

/// Checks that `text` is never accepted as a token, because nobody signed it. Checks that a token with a header and
/// claims from `text` (one line each), signed by `hmac` with the secret, is accepted only if its format and times are
/// valid. Checks that `text` as a set of keys does not accept an unsigned token.
pub fn token(text: &str, hmac: impl Fn(&[u8], &[u8]) -> Vec<u8>) {
    let tokens = Tokens::with_secret(SECRET);
    assert!(user_of(&tokens, text).is_none(), "nobody signed this");
    let keys = Keys::read(&serde_json::from_str(PUBLIC_KEYS).expect("JSON")).expect("keys");
    if let Ok(header) = header(text) {
        assert!(header.crit.is_none());
        assert!(keys.check(text, &header).is_err(), "nobody signed this");
    }
    if let Ok(set) = json::parse(text.as_bytes())
        && let Some(keys) = Keys::read(&set)
    {
        assert!((1..=100).contains(&keys.usable()));
        let unsigned = format!("{}.{}.AAAA", encoded(br#"{"alg":"EdDSA"}"#), encoded(b"{}"));
        assert!(keys.check(&unsigned, &header(&unsigned).expect("a header")).is_err());
    }
    let (head, claims) = text.split_once('\n').unwrap_or((r#"{"alg":"HS256"}"#, text));
    let message = format!("{}.{}", encoded(head.as_bytes()), encoded(claims.as_bytes()));
    let token = format!("{message}.{}", encoded(&hmac(SECRET, message.as_bytes())));
    let Some(user) = user_of(&tokens, &token) else { return };
    let claims: Map<String, Value> = serde_json::from_str(claims).expect("claims");
    let second = |name: &str| claims.get(name).and_then(Value::as_f64);
    assert!(second("exp").expect("an expiry") > NOW.0 as f64 / 1000.0);
    assert!(!claims.contains_key("nbf") || second("nbf").expect("a beginning") <= NOW.0 as f64 / 1000.0);
    let head: Map<String, Value> = serde_json::from_str(head).expect("a header");
    assert_eq!(head.get("alg"), Some(&Value::from("HS256")));
    assert!(head.get("crit").is_none_or(Value::is_null));
    if let Some(id) = user {
        let named = claims.get("userId").filter(|claim| !claim.is_null()).or(claims.get("sub"));
        assert_eq!(named.and_then(Value::as_str).and_then(|id| id.parse().ok()), Some(id));
    }
}

/// A P-256 key and an Ed25519 key, whose private keys were discarded.
const PUBLIC_KEYS: &str = r#"{"keys": [
    {"kty":"EC","crv":"P-256","kid":"e","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"},
    {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#;

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns `None` if a token is refused. The inner value is the user's id, if the token has one.
fn user_of(tokens: &Tokens, token: &str) -> Option<Option<ObjectId>> {
    match pin!(tokens.user(token, NOW)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(user) => user.ok().map(|user| user.id),
        Poll::Pending => panic!("a secret is at hand, and is not waited for"),
    }
}

/// Reads `bytes` as a file to import. Checks that the file is split into the same texts for every chunk size, and
/// that each text is either refused, or unchanged after writing and reading it.
pub fn import(bytes: &[u8]) {
    let texts = texts(bytes, bytes.len().max(1), usize::MAX);
    assert_eq!(self::texts(bytes, 1, usize::MAX), texts);
    for short in self::texts(bytes, 3, 8).0 {
        assert!(short.bytes.is_none_or(|bytes| bytes.len() <= 8));
    }
    for text in texts.0.iter().filter_map(|text| text.bytes.as_deref()) {
        if let Ok(line) = Line::read(text) {
            let written = serde_json::to_string(&line).expect("JSON");
            assert_eq!(Line::read(written.as_bytes()), Ok(line.clone()));
            if let Line::Investigation(entry) = line {
                moves_as_it_is(*entry);
            }
        }
    }
}

/// Checks that an accepted entry can be exported as a line, and that importing the line gives the same entry.
fn moves_as_it_is(entry: Entry) {
    let Ok(whole) = entry.clone().whole() else { return };
    let written = serde_json::to_string(&Line::Investigation(entry.clone().into())).expect("JSON");
    let Ok(Line::Investigation(again)) = Line::read(written.as_bytes()) else { panic!("{written} is not read") };
    assert!(equal(&entry, again.as_ref()).expect("JSON"), "{written}");
    assert_eq!(again.whole(), Ok(whole), "{written}");
}

/// Returns the texts of a file that is read in chunks of `piece` bytes, and whether the end of the file was reached.
fn texts(bytes: &[u8], piece: usize, most: usize) -> (Vec<Text>, bool) {
    let mut texts = Texts::of(BufReader::with_capacity(piece, bytes), most);
    let mut found = Vec::new();
    loop {
        match texts.next_text() {
            Ok(Some(text)) => found.push(text),
            Ok(None) => return (found, true),
            Err(_) => return (found, false),
        }
    }
}
