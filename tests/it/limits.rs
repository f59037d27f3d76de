//! The table of limits in `docs/operators/limits.md` is generated from the constants.

use std::fs;
use std::path::Path;

use fieldbook::admission::{
    ANSWER_BYTES, ASSISTANT, BODY_BYTES, CONNECTIONS, CREDENTIALS, HEAVY, LIGHT, MEMORY, MEMORY_OF_CALLER, METRICS,
    PICTURES, SIGN_INS, SMALL, VISIT_BODY, VISITS, WAIT, share_of,
};
use fieldbook::domain::investigation::MAX_CREATED;
use fieldbook::domain::lesson_sheet::MAX_SHEET;
use fieldbook::domain::link::MAX_LINKS;
use fieldbook::domain::list::{MAX_LIMIT, MAX_WORDS};
use fieldbook::domain::page::{MAX_ANSWER, MAX_LIGHT_ANSWER};
use fieldbook::domain::picture::{MAX_PICTURE_BYTES, MAX_PICTURES};
use fieldbook::domain::search::MAX_FOLDED;
use fieldbook::domain::size::{MAX_CONTENT, MAX_DEPTH, MAX_LEAVES, MAX_LIST, MAX_STORED, MAX_STORED_DEPTH};
use fieldbook::store::ANSWER_TTL;
use fieldbook::store::reads::LIMIT;

const SETTINGS: &str = include_str!("../../config.default.toml");

/// A row: the resource, its total amount, the share of one caller, and the answer to a refused caller.
type Row = [String; 4];

fn waiting(what: &str, units: u32, unit: impl Fn(u32) -> String) -> Row {
    [what.into(), unit(units), unit(share_of(units)), "`busy`".into()]
}

fn each(what: &str, most: impl Into<String>, refused: &str) -> Row {
    [what.into(), "–".into(), most.into(), refused.into()]
}

fn mebibytes(bytes: u32) -> String {
    format!("{} MiB", bytes / (1024 * 1024))
}

/// Returns the default value of a setting, read from the reference file.
fn preset(setting: &str) -> &'static str {
    let value = |line: &'static str| line.trim_start_matches("# ").strip_prefix(setting)?.strip_prefix(" = ");
    SETTINGS.lines().find_map(value).expect("a setting")
}

/// Returns the value of a private constant, read from its source file.
fn constant(file: &str, name: &str) -> String {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect("a file");
    let line = text.lines().find(|line| line.contains(&format!("const {name}:"))).expect("a constant");
    let value = line.split_once(" = ").expect("a value").1.trim_end_matches(';');
    value
        .replace("Duration::from_secs(", "")
        .replace(')', "")
        .replace("2 * 1024 * 1024", "2 MiB")
        .replace("128 * 1024", "128 KiB")
        .replace("64 * 1024", "64 KiB")
        .replace("16 * 1024", "16 KiB")
}

#[test]
fn memory_limits_of_all_requests_add_up_to_less_than_one_gibibyte() {
    const { assert!(MEMORY <= 883 * 1024 * 1024) };
}

#[test]
fn memory_limits_of_one_caller_and_the_program_add_up_to_less_than_512_mebibytes() {
    const PROGRAM: usize = 48 * 1024 * 1024;
    const { assert!(MEMORY_OF_CALLER + PROGRAM <= 512 * 1024 * 1024) };
}

#[test]
fn request_body_memory_of_one_caller_is_enough_for_a_picture_and_a_document() {
    const { assert!(share_of(BODY_BYTES) as usize >= fieldbook_pictures::MAX_BYTES + MAX_STORED) };
    const { assert!(fieldbook_pictures::MAX_BYTES >= fieldbook_reader::MAX_BYTES) };
}

fn rows() -> Vec<Row> {
    let number = |n: u32| n.to_string();
    let kibibytes = |bytes: usize| format!("{} KiB", bytes / 1024);
    let body = mebibytes(u32::try_from(MAX_STORED).expect("small"));
    let document = mebibytes(u32::try_from(fieldbook_reader::MAX_BYTES).expect("small"));
    let picture = mebibytes(u32::try_from(fieldbook_pictures::MAX_BYTES).expect("small"));
    let large = format!("documents above {}, more than 256 KiB", kibibytes(SMALL));
    let head = constant("src/http/server.rs", "MAX_HEAD");
    let head_time = constant("src/http/server.rs", "HEADER_TIMEOUT");
    let setting = |name: &str| format!("{} (`{name}`)", preset(name));
    vec![
        waiting("light requests", LIGHT, number),
        waiting(
            &format!("heavy requests: filtered lists, histories, old events, clones, restores, tools, {large}"),
            HEAVY,
            number,
        ),
        waiting("pictures, also of documents", PICTURES, number),
        waiting("requests of the assistant", ASSISTANT, number),
        waiting("visits of links", VISITS, number),
        waiting("provider sign-ins", SIGN_INS, number),
        waiting("requests for the metrics", METRICS, number),
        waiting("checks of credentials", CREDENTIALS, number),
        waiting("answers in memory", ANSWER_BYTES, mebibytes),
        waiting("request bodies in memory", BODY_BYTES, mebibytes),
        [
            "documents, a picture, answers, bodies, caches in memory".into(),
            mebibytes(u32::try_from(MEMORY).expect("little")),
            mebibytes(u32::try_from(MEMORY_OF_CALLER).expect("little")),
            "–".into(),
        ],
        [
            "event streams; one for each open lesson".into(),
            setting("event-streams"),
            "a quarter".into(),
            "429 `too_many_streams`, or 503".into(),
        ],
        [
            "connections".into(),
            format!("{CONNECTIONS} and `event-streams`"),
            "a quarter; one of `trusted-proxies`: all".into(),
            "the connection is closed".into(),
        ],
        ["CPU jobs".into(), "cores less one, at least two".into(), "a quarter".into(), "waits".into()],
        [
            "language model calls".into(),
            setting("assistant-concurrent-calls"),
            "a quarter".into(),
            "waits up to `assistant-deadline-seconds`".into(),
        ],
        each("link lookups per second", setting("resolve-rate-limit"), "429 `rate_limited`"),
        each(
            "refused codes and tried passwords per minute",
            constant("src/limits.rs", "SIGN_INS_PER_MINUTE"),
            "429 `rate_limited`",
        ),
        each(
            "wrong passwords for an e-mail address, and in each browser where its person has signed in",
            format!("{}, then one a minute", constant("crates/domain/src/password.rs", "FREE_ATTEMPTS")),
            "429 `rate_limited`",
        ),
        [
            "passwords checked at once".into(),
            constant("src/app/passwords.rs", "AT_ONCE"),
            number(share_of(2)),
            "`busy`".into(),
        ],
        each("assistant requests per minute", setting("assistant-rate-limit"), "429 `rate_limited`"),
        each(
            "request body; to sign in; document; picture",
            format!("{body}, {MAX_STORED_DEPTH} levels; {}; {document}; {picture}", kibibytes(VISIT_BODY)),
            "413 `too_large`, 400 `validation_failed`",
        ),
        each(
            "text of a document; its blocks; its tags and the texts between them",
            format!(
                "{}; {}; {}",
                mebibytes(u32::try_from(fieldbook_reader::MAX_TEXT).expect("small")),
                fieldbook_reader::MAX_BLOCKS,
                fieldbook_reader::MAX_PIECES
            ),
            "413 `too_large`",
        ),
        each(
            "megapixels of a picture, of all pictures of a document",
            [fieldbook_pictures::MAX_PIXELS, fieldbook_pictures::MAX_PIXELS_OF_DOCUMENT]
                .map(|pixels| (pixels / 1_000_000).to_string())
                .join(", "),
            "413 `too_large`, left out with a notice",
        ),
        each(
            "components of all scans of a JPEG of 24 megapixels; smaller ones may have more",
            fieldbook_pictures::MAX_SCANNED.to_string(),
            "415 `unsupported_media_type`",
        ),
        each("duration of a read", format!("{} s", LIMIT.as_secs()), "503 `deadline_exceeded`"),
        each(
            "heavy list, light list, page of a link",
            [MAX_ANSWER, MAX_LIGHT_ANSWER, MAX_SHEET].map(|bytes| mebibytes(bytes as u32)).join(", "),
            "the page ends early",
        ),
        each(
            "result of an assistant's tool",
            constant("src/http/mcp/call.rs", "MAX_RESULT"),
            "the tool answers `too_large`",
        ),
        each(
            "time to receive a body",
            format!("{} s", constant("src/http/framing.rs", "BODY_TIMEOUT")),
            "408 `body_timeout`",
        ),
        each(
            "slowest reading of an answer",
            format!(
                "{} in {} s",
                constant("src/http/lingering.rs", "SLOW_BYTES"),
                constant("src/http/lingering.rs", "SLOW")
            ),
            "the connection is closed",
        ),
        each("request head", format!("{head} in {head_time} s"), "431, or the connection is closed"),
        each(
            "content of an investigation",
            format!("{}, {MAX_LEAVES} values, {MAX_DEPTH} levels", kibibytes(MAX_CONTENT)),
            "413 `too_large`, 400 `validation_failed`",
        ),
        each(
            "imported content, which can only become smaller",
            format!("{body}, {MAX_STORED_DEPTH} levels"),
            "not imported",
        ),
        each(
            "pictures, links of an investigation",
            format!("{MAX_PICTURES} and {}; {MAX_LINKS}", mebibytes(u32::try_from(MAX_PICTURE_BYTES).expect("small"))),
            "400 `validation_failed`",
        ),
        each(
            "investigations that a user creates who is no admin, also in the trash",
            MAX_CREATED.to_string(),
            "400 `validation_failed`",
        ),
        each("entries of a list in a query", MAX_LIST.to_string(), "400 `validation_failed`"),
        each("words of a search", MAX_WORDS.to_string(), "400 `validation_failed`"),
        each("message to the assistant", constant("src/http/body.rs", "MAX_CHAT_MESSAGE"), "400 `validation_failed`"),
        each(
            "document that a model sorts, in bytes",
            constant("src/assistant/model/split.rs", "MAX_BYTES").replace('_', ","),
            "the headings sort it",
        ),
        each(
            "open investigations of a user",
            constant("src/store/presence.rs", "MAX_ENTRIES_PER_USER"),
            "the oldest counts as left",
        ),
        each("items per page", MAX_LIMIT.to_string(), "400 `validation_failed`"),
        each(
            "`Idempotency-Key`",
            format!(
                "{} characters, kept for {} hours",
                constant("src/http/idempotency.rs", "MAX_KEY"),
                ANSWER_TTL / 3_600_000
            ),
            "400 `validation_failed`",
        ),
        each("searchable text of an investigation", kibibytes(MAX_FOLDED), "the rest is not searched"),
    ]
}

#[test]
fn documented_table_of_limits_matches_the_constants() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operators/limits.md");
    let document = fs::read_to_string(&path).expect("the document");
    assert!(document.contains(&format!("After {} s they get 503 `busy`", WAIT.as_secs())));
    let (before, rest) = document.split_once("|---|---|---|---|\n").expect("a table");
    let after: String = rest.lines().skip_while(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    let table: String = rows().iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
    let made = format!("{before}|---|---|---|---|\n{table}{after}");
    if made != document {
        fs::write(&path, made).expect("written");
        panic!("docs/operators/limits.md was not what the constants say, and is now");
    }
}
