//! Unit tests of `src/profiles/cache.rs`.

use super::*;

const NOW: Timestamp = Timestamp(1_000_000);

fn id(number: u32) -> ObjectId {
    format!("{number:024x}").parse().expect("an id")
}

fn found(numbers: std::ops::Range<u32>, avatar: usize) -> ProfilesById {
    let profile = |id| Profile { avatar: Some("x".repeat(avatar)), ..Profile::bare(Some(id)) };
    numbers.map(|number| (id(number), profile(id(number)))).collect()
}

fn missing(cache: &Cache, whose: BearerHash, now: Timestamp) -> usize {
    cache.get(whose, (0..10).map(id), now).1.len()
}

#[test]
fn what_is_kept_is_given_for_a_while_to_the_bearer_of_the_same_token_alone() {
    let cache = Cache::new(Duration::from_secs(30));
    let [nobody, one, other] =
        [None, Some("a"), Some("b")].map(|token| BearerHash::of(token.map(Bearer::new).as_ref()));
    cache.put(one, &found(0..4, 1), NOW);
    assert_eq!(missing(&cache, one, NOW), 6);
    assert_eq!(missing(&cache, one, Timestamp(NOW.0 + 29_999)), 6);
    assert_eq!(missing(&cache, one, Timestamp(NOW.0 + 30_000)), 10);
    assert_eq!(missing(&cache, one, Timestamp(NOW.0 - 1)), 10);
    assert_eq!((missing(&cache, other, NOW), missing(&cache, nobody, NOW)), (10, 10));
}

#[test]
fn of_each_user_once_is_said_who_is_missing_in_the_order_of_the_question() {
    let cache = Cache::new(Duration::from_secs(30));
    let whose = BearerHash::of(None);
    cache.put(whose, &found(2..3, 1), NOW);
    let (kept, missing) = cache.get(whose, [3, 2, 1, 3, 2, 1].into_iter().map(id), NOW);
    assert_eq!((kept.len(), missing), (1, vec![id(3), id(1)]));
}

#[test]
fn the_room_is_bounded_and_counted_right() {
    let cache = Cache::new(Duration::from_secs(30));
    let whose = BearerHash::of(None);
    for round in 0..9 {
        cache.put(whose, &found(round * 300..round * 300 + 400, 8 * 1024), NOW);
        let entries = cache.entries.lock().expect("unharmed");
        assert_eq!(entries.bytes, entries.profiles.values().map(|(_, profile)| size(profile)).sum::<usize>());
        assert!(entries.bytes <= MAX_BYTES && !entries.profiles.is_empty());
    }
    cache.put(whose, &found(0..10, 1), Timestamp(NOW.0 + 60_000));
    assert_eq!(missing(&cache, whose, Timestamp(NOW.0 + 60_000)), 0);
}

#[test]
fn without_a_time_to_keep_nothing_is_kept() {
    let cache = Cache::new(Duration::ZERO);
    cache.put(BearerHash::of(None), &found(0..4, 1), NOW);
    assert_eq!(missing(&cache, BearerHash::of(None), NOW), 10);
}
