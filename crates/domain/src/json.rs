//! A JSON parser that changes nothing silently. Other parsers drop duplicate keys and round numbers. This parser
//! returns an error with the path instead, see [`JsonErrorKind`].

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

use super::path::FieldPath;
use super::size::MAX_STORED_DEPTH;

/// Largest count that is accepted in requests and imports: 2^53 - 1. All JSON parsers represent this number exactly. A
/// counter that starts with this number can still increase.
pub const MAX_COUNT: u64 = (1 << 53) - 1;

/// Prefix of keys that serde_json interprets itself.
const RESERVED: &str = "$serde_json::private::";

/// Why a JSON text was rejected, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// Path of the invalid value; empty for the whole text.
    pub path: FieldPath,
    /// The problem.
    pub kind: JsonErrorKind,
}

/// Problems of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonErrorKind {
    /// The text is not JSON (RFC 8259). Contains the parser's message with line and column.
    Syntax(String),
    /// Objects and arrays are nested deeper than [`MAX_STORED_DEPTH`].
    TooDeep,
    /// An object contains the same key twice.
    DuplicateKey(String),
    /// The number would change if it were read as a 64-bit integer or a double and written again. Contains the text.
    InexactNumber(String),
    /// A string or a key contains U+0000, which PostgreSQL cannot store.
    Nul,
    /// An object contains a key that serde_json reserves. serde_json would interpret this object as another value.
    ReservedKey(String),
}

impl fmt::Display for JsonErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonErrorKind::Syntax(text) => write!(f, "is not valid JSON: {text}"),
            JsonErrorKind::TooDeep => write!(f, "is nested deeper than {MAX_STORED_DEPTH} levels"),
            JsonErrorKind::DuplicateKey(key) => write!(f, "has the key {key:?} twice"),
            JsonErrorKind::InexactNumber(text) => {
                write!(f, "is a number that cannot be stored exactly: {}; write it as a string", shortened(text))
            }
            JsonErrorKind::Nul => write!(f, "holds a NUL character"),
            JsonErrorKind::ReservedKey(key) => write!(f, "has the key {key:?}, which cannot be stored; choose another"),
        }
    }
}

fn shortened(text: &str) -> String {
    if text.len() <= 40 { text.to_owned() } else { format!("{}…", &text[..40]) }
}

/// Parses one JSON text.
///
/// # Errors
/// The first [`JsonError`] in document order.
pub fn parse(bytes: &[u8]) -> Result<Value, JsonError> {
    parse_to_depth(bytes, MAX_STORED_DEPTH)
}

/// Works like [`parse`] but with the maximum depth `most`. Used for texts in which documents are nested.
pub fn parse_to_depth(bytes: &[u8], most: usize) -> Result<Value, JsonError> {
    let at_root = |kind| JsonError { path: FieldPath::root(), kind };
    let text = std::str::from_utf8(bytes)
        .map_err(|e| at_root(JsonErrorKind::Syntax(format!("not UTF-8 after byte {}", e.valid_up_to()))))?;
    let raw: &RawValue = serde_json::from_str(text).map_err(|e| at_root(JsonErrorKind::Syntax(e.to_string())))?;
    read(raw, &FieldPath::root(), most)
}

/// Parses a value. First splits an object or array into the raw texts of the values inside it, and then parses each of
/// them with this function, because only raw text has the original notation of a number. `left` is the number of levels
/// that may still be nested.
fn read(raw: &RawValue, path: &FieldPath, left: usize) -> Result<Value, JsonError> {
    let refuse = |kind| JsonError { path: path.clone(), kind };
    let syntax = |error: serde_json::Error| refuse(JsonErrorKind::Syntax(error.to_string()));
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{' | b'[') if left == 0 => Err(refuse(JsonErrorKind::TooDeep)),
        Some(b'{' | b'[') => match serde_json::from_str(text).map_err(syntax)? {
            Level::Object(members) => {
                let mut object = Map::with_capacity(members.len());
                for (key, member) in members {
                    if key.contains('\0') {
                        return Err(refuse(JsonErrorKind::Nul));
                    }
                    if key.starts_with(RESERVED) {
                        return Err(refuse(JsonErrorKind::ReservedKey(key)));
                    }
                    if object.contains_key(&key) {
                        return Err(refuse(JsonErrorKind::DuplicateKey(key)));
                    }
                    let value = read(member, &path.child(key.as_str()), left - 1)?;
                    object.insert(key, value);
                }
                Ok(Value::Object(object))
            }
            Level::Array(elements) => {
                let elements = elements.into_iter().enumerate();
                elements.map(|(index, element)| read(element, &path.child(index.to_string()), left - 1)).collect()
            }
        },
        Some(b'-' | b'0'..=b'9') => {
            exact_number(text).map(Value::Number).ok_or_else(|| refuse(JsonErrorKind::InexactNumber(text.to_owned())))
        }
        _ => match serde_json::from_str(text).map_err(syntax)? {
            Value::String(text) if text.contains('\0') => Err(refuse(JsonErrorKind::Nul)),
            scalar => Ok(scalar),
        },
    }
}

enum Level<'a> {
    Object(Vec<(String, &'a RawValue)>),
    Array(Vec<&'a RawValue>),
}

impl<'de> Deserialize<'de> for Level<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct LevelVisitor;
        impl<'de> Visitor<'de> for LevelVisitor {
            type Value = Level<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object or an array")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = access.next_entry()? {
                    members.push(member);
                }
                Ok(Level::Object(members))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = access.next_element()? {
                    elements.push(element);
                }
                Ok(Level::Array(elements))
            }
        }
        deserializer.deserialize_any(LevelVisitor)
    }
}

/// Returns the number in `text`; `None` if it would change when read as a 64-bit integer or a double and written again.
fn exact_number(text: &str) -> Option<Number> {
    let number: Number = serde_json::from_str(text).ok()?;
    if number.is_i64() || number.is_u64() {
        return Some(number);
    }
    // A double is stored as the shortest decimal that is parsed as this double. That decimal must have the same value
    // as `text`.
    let shortest = format!("{:e}", number.as_f64()?);
    (decimal(text) == decimal(&shortest)).then_some(number)
}

/// Returns whether the number is negative, its significant digits, and the power of ten of the last of these digits:
/// `-1.50` is `(true, "15", -1)`. Equal numbers have equal results. Returns `None` if the exponent is too large.
fn decimal(text: &str) -> Option<(bool, String, i64)> {
    let unsigned = text.trim_start_matches('-');
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Some((false, String::new(), 0));
    }
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    let exponent: i64 = exponent.parse().ok()?;
    let power = exponent.checked_sub(fraction.len() as i64)?.checked_add(trailing as i64)?;
    Some((text.starts_with('-'), significant.to_owned(), power))
}
