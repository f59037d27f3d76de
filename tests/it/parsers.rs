//! Properties of every parser. Inputs are the seeds of the fuzz targets, and seeds in which pieces are replaced.
//! `scripts/fuzz` checks the same properties with more inputs.

use std::path::Path;

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use fieldbook::domain::search::fold;
use proptest::prelude::*;

use crate::support::parsers;

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let mut seeds: Vec<_> = files.map(|path| std::fs::read(path).expect("a seed")).collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "{target} has seeds");
    seeds
}

/// Generates seeds, some with a piece of another seed, some with a few random bytes.
fn near(target: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let seed = prop::sample::select(seeds(target));
    let anything = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
        prop::sample::select(vec!["{", "}", "\"", "[", "null", ",", ":", "\\", ".", "\n", "=", "9", "\u{1e9e}"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    let place = any::<prop::sample::Index>;
    (seed.clone(), seed, anything, [place(), place(), place(), place()]).prop_map(
        |(mut seed, other, anything, places)| {
            let cut = |length: usize, a: &prop::sample::Index, b: &prop::sample::Index| {
                let (a, b) = (a.index(length + 1), b.index(length + 1));
                a.min(b)..a.max(b)
            };
            let [a, b, c, d] = places;
            if a.index(3) == 0 {
                let piece = other[cut(other.len(), &c, &d)].to_vec();
                seed.splice(cut(seed.len(), &a, &b), piece);
            }
            let at = b.index(seed.len() + 1);
            seed.splice(at..(at + c.index(3)).min(seed.len()), anything);
            seed
        },
    )
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn token(bytes: &[u8]) {
    parsers::token(text(bytes), |secret, message| sign(&Key::new(HMAC_SHA256, secret), message).as_ref().to_vec());
}

/// A function that parses any bytes, and panics if the result breaks a property.
type Reader = fn(&[u8]);

const READERS: [(&str, Reader); 7] = [
    ("ids", |bytes| parsers::identifier(text(bytes))),
    ("paths", |bytes| parsers::path(text(bytes))),
    ("queries", |bytes| parsers::query(text(bytes))),
    ("cursors", |bytes| parsers::cursor(text(bytes))),
    ("patches", |bytes| parsers::patch(text(bytes))),
    ("tokens", token),
    ("import", parsers::import),
];

#[test]
fn all_parsers_accept_the_seeds_of_their_fuzz_targets() {
    for (target, read) in READERS {
        seeds(target).iter().for_each(|seed| read(seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_parser_panics_on_mutated_seeds_of_its_fuzz_target(
        ids in near("ids"),
        paths in near("paths"),
        queries in near("queries"),
        cursors in near("cursors"),
        patches in near("patches"),
        tokens in near("tokens"),
        import in near("import"),
    ) {
        for ((_, read), bytes) in READERS.iter().zip([ids, paths, queries, cursors, patches, tokens, import]) {
            read(&bytes);
        }
    }
}

/// A normalized text does not change when it is normalized again. So a normalized search word matches the normalized
/// text in the store.
#[test]
fn normalizing_a_text_for_search_twice_gives_the_same_text_as_once() {
    // A letter separates the characters, because normalization reorders adjacent combining marks.
    let all: String = ('\0'..=char::MAX).flat_map(|character| ['a', character]).collect();
    let once = fold(&all);
    let differs = once.chars().zip(fold(&once).chars()).find(|(once, twice)| once != twice);
    assert_eq!(differs, None);
}
