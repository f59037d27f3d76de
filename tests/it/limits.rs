//! The table of limits in `docs/operators/limits.md` is generated from the constants.

use std::fs;
use std::path::Path;

use fieldbook::app::{BODY_BYTES, CHANGES, VISITS};
use fieldbook::domain::list::MAX_LIMIT;
use fieldbook::domain::page::MAX_ANSWER;
use fieldbook::domain::search::MAX_FOLDED;
use fieldbook::domain::size::{MAX_CONTENT, MAX_DEPTH, MAX_LEAVES, MAX_LIST, MAX_STORED, MAX_STORED_DEPTH};
use fieldbook::shares::share_of;
use fieldbook::store::ANSWER_TTL;
use fieldbook::store::reads::{HEAVY, LIMIT};

const SETTINGS: &str = include_str!("../../config.default.toml");

/// A row: the resource, its total amount, the share of one caller, and the answer to a refused caller.
type Row = [String; 4];

fn shared(what: &str, units: u32, unit: impl Fn(u32) -> String, refused: &str) -> Row {
    [what.into(), unit(units), unit(share_of(units)), format!("429 `{refused}`; 503 if all of it is in use")]
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
        .replace("64 * 1024", "64 KiB")
        .replace("16 * 1024", "16 KiB")
}

fn rows() -> Vec<Row> {
    let number = |n: u32| n.to_string();
    let kibibytes = |bytes: usize| format!("{} KiB", bytes / 1024);
    let body = mebibytes(u32::try_from(MAX_STORED).expect("small"));
    let head = constant("src/http/server.rs", "MAX_HEAD");
    let head_time = constant("src/http/server.rs", "HEADER_TIMEOUT");
    let setting = |name: &str| format!("{} (`{name}`)", preset(name));
    vec![
        [
            "CPU jobs".into(),
            "one for each core".into(),
            "a quarter, but at least one".into(),
            "waits; only that caller's requests wait".into(),
        ],
        shared("changes in progress", CHANGES, number, "too_many_at_once"),
        [
            "event streams; the page reads one for each open lesson".into(),
            setting("event-streams"),
            "a quarter, but at least one".into(),
            "429 `too_many_streams`; 503 if all of it is in use".into(),
        ],
        [
            "heavy reads in progress: histories, versions and filtered lists".into(),
            format!("{HEAVY} (PostgreSQL: a quarter of `database-connections`, {HEAVY} at most)"),
            "a quarter, but at least one".into(),
            format!("waits {} s for a share, then 503 `busy`", constant("src/http/reads.rs", "WAIT")),
        ],
        shared("request bodies in memory", BODY_BYTES, mebibytes, "too_many_at_once"),
        shared("visits waiting to be counted", VISITS, number, "too_many_at_once"),
        [
            "language model calls in progress".into(),
            setting("assistant-concurrent-calls"),
            "a quarter, but at least one".into(),
            "waits up to `assistant-deadline-seconds`".into(),
        ],
        each("link lookups per second", setting("resolve-rate-limit"), "429 `rate_limited`"),
        each("assistant requests per minute", setting("assistant-rate-limit"), "429 `rate_limited`"),
        each("request body", format!("{body}, {MAX_STORED_DEPTH} levels"), "413 `too_large`, 400 `validation_failed`"),
        each("duration of a read", format!("{} s", LIMIT.as_secs()), "the read is stopped: `deadline_exceeded`"),
        each("answer with a list", mebibytes(MAX_ANSWER as u32), "the page ends early and says how to continue"),
        each(
            "result of an assistant's tool that reads",
            constant("src/http/mcp/call.rs", "MAX_RESULT"),
            "the tool answers `too_large`",
        ),
        each(
            "time to receive a body",
            format!("{} s", constant("src/http/framing.rs", "BODY_TIMEOUT")),
            "408 `body_timeout`",
        ),
        each("request head", format!("{head} in {head_time} s"), "431, or the connection is closed"),
        each("content of an investigation", kibibytes(MAX_CONTENT), "413 `too_large`"),
        each("values in it, and levels", format!("{MAX_LEAVES}, {MAX_DEPTH}"), "400 `validation_failed`"),
        each("imported content", format!("{body}, {MAX_STORED_DEPTH} levels"), "not imported"),
        each("entries of a list in a query", MAX_LIST.to_string(), "400 `validation_failed`"),
        each("message to the assistant", constant("src/http/body.rs", "MAX_CHAT_MESSAGE"), "400 `validation_failed`"),
        each("document to read, in bytes", fieldbook_reader::MAX_BYTES.to_string(), "413 `too_large`"),
        each(
            "document that a language model sorts, in bytes",
            constant("src/assistant/model/split.rs", "MAX_BYTES"),
            "the headings sort it",
        ),
        each(
            "investigations that a user has open",
            constant("src/store/presence.rs", "MAX_ENTRIES_PER_USER"),
            "the one that was noted longest ago counts as left",
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
        each("searchable text of an investigation", kibibytes(MAX_FOLDED), "the rest is stored but not searched"),
    ]
}

#[test]
fn the_table_of_limits_is_that_of_the_constants() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operators/limits.md");
    let document = fs::read_to_string(&path).expect("the document");
    let (before, rest) = document.split_once("|---|---|---|---|\n").expect("a table");
    let after: String = rest.lines().skip_while(|line| line.starts_with('|')).map(|line| format!("{line}\n")).collect();
    let table: String = rows().iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
    let made = format!("{before}|---|---|---|---|\n{table}{after}");
    if made != document {
        fs::write(&path, made).expect("written");
        panic!("docs/operators/limits.md was not what the constants say, and is now");
    }
}
