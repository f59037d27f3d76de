//! Unit tests of `src/store/sqlite/log.rs`.

use rusqlite::Connection;
use tempfile::TempDir;

use super::*;

const FRAME_BYTES: usize = FRAME_HEADER + 4096;

/// A store whose log is moved into the store file only on request.
struct Logged {
    folder: TempDir,
    connection: Connection,
}

impl Logged {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(folder.path().join("store")).expect("a store");
        let set_up = "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
             PRAGMA cache_size = 10; CREATE TABLE t (x)";
        connection.execute_batch(set_up).expect("set up");
        Self { folder, connection }
    }

    fn run(&self, sql: &str) {
        self.connection.execute_batch(sql).expect("run");
    }

    fn commit(&self, count: usize) {
        (0..count).for_each(|_| self.run("INSERT INTO t VALUES (randomblob(3000))"));
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.folder.path().join("store-wal")).expect("a log")
    }

    /// Returns the damage that is found in a log with these bytes.
    fn found(&self, bytes: &[u8]) -> Option<Damage> {
        let store = self.folder.path().join("copy");
        std::fs::write(self.folder.path().join("copy-wal"), bytes).expect("a copy");
        damage(&store).expect("read")
    }

    /// Returns the damage that is found when the byte at `place` is wrong.
    fn found_with_wrong(&self, place: usize) -> Option<Damage> {
        let mut bytes = self.bytes();
        bytes[place] ^= 1;
        self.found(&bytes)
    }

    fn frames(&self) -> usize {
        (self.bytes().len() - HEADER) / FRAME_BYTES
    }
}

#[test]
fn intact_write_ahead_log_is_not_reported_as_damaged() {
    let logged = Logged::new();
    let store = logged.folder.path().join("store");
    assert_eq!(damage(&logged.folder.path().join("nothing")).expect("read"), None);
    assert_eq!(damage(&store).expect("read"), None);
    logged.commit(20);
    assert_eq!(damage(&store).expect("read"), None);
    // New frames overwrite some of the old ones.
    let before = logged.frames();
    logged.run("PRAGMA wal_checkpoint(RESTART)");
    logged.commit(2);
    assert_eq!((damage(&store).expect("read"), logged.frames()), (None, before));
    logged.run("PRAGMA wal_checkpoint(TRUNCATE)");
    assert_eq!((damage(&store).expect("read"), logged.bytes().len()), (None, 0));
}

#[test]
fn write_ahead_log_with_a_rolled_back_write_is_not_reported_as_damaged() {
    let logged = Logged::new();
    logged.commit(3);
    let before = logged.frames();
    logged.run("BEGIN");
    logged.commit(200);
    logged.run("ROLLBACK");
    assert!(logged.frames() > before + 50, "the write had more pages than fit into memory");
    logged.commit(3);
    assert_eq!(damage(&logged.folder.path().join("store")).expect("read"), None);
}

#[test]
fn write_ahead_log_with_a_wrong_byte_before_later_commits_is_reported_as_damaged() {
    let logged = Logged::new();
    logged.commit(20);
    for place in [0, 3, 9, 17, 31] {
        assert_eq!(logged.found_with_wrong(place), Some(Damage::Header), "{place}");
    }
    for frame in [0, 5, logged.frames() / 2] {
        // The bytes are in the page number, the salt, the checksum and the page.
        for place in [0, 8, 20, FRAME_HEADER, FRAME_BYTES - 1] {
            let found = logged.found_with_wrong(HEADER + frame * FRAME_BYTES + place);
            assert_eq!(found, Some(Damage::Frame(frame as u64 + 1)), "{frame} {place}");
        }
    }
    assert_eq!(logged.found(&logged.bytes()[..20]), Some(Damage::Header));
}

#[test]
fn write_ahead_log_with_a_partial_last_commit_is_not_reported_as_damaged() {
    let logged = Logged::new();
    logged.commit(20);
    let end = logged.bytes().len();
    assert_eq!(logged.found(&logged.bytes()[..end - 100]), None);
    assert_eq!(logged.found_with_wrong(end - 100), None);
}

#[test]
fn write_ahead_log_that_changes_while_it_is_checked_is_not_reported_as_damaged() {
    let logged = Logged::new();
    logged.commit(20);
    let whole = logged.bytes();
    let path = logged.folder.path().join("copy-wal");
    let half_written = |place: usize| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        bytes
    };
    let frame = |number: usize| HEADER + number * FRAME_BYTES + 20;
    for (first, second, expected) in [
        (half_written(frame(5)), whole.clone(), None),
        (half_written(frame(5)), half_written(frame(6)), None),
        (half_written(frame(5)), Vec::new(), None),
        (whole[..20].to_vec(), whole.clone(), None),
        (half_written(frame(5)), half_written(frame(5)), Some(Damage::Frame(6))),
    ] {
        let mut contents = [first, second].into_iter();
        let found = found_twice(|| {
            std::fs::write(&path, contents.next().expect("two looks")).expect("written");
            damage_now(&path)
        });
        assert_eq!(found.expect("read"), expected);
    }
}

#[test]
fn several_copies_of_damaged_write_ahead_logs_are_kept() {
    let logged = Logged::new();
    logged.commit(20);
    let store = logged.folder.path().join("copy");
    for number in 1..=MAX_KEPT {
        assert_eq!(logged.found_with_wrong(0), Some(Damage::Header));
        let (damage, copy) = (super::damage(&store).expect("read").expect("damage"), keep(&store).expect("kept"));
        assert_eq!((damage, &copy), (Damage::Header, &with_suffix(&store, &format!("-wal.damaged-{number}"))));
        assert_eq!(std::fs::read(&copy).expect("a copy"), std::fs::read(with_suffix(&store, "-wal")).expect("a log"));
    }
    assert_eq!(kept_beside(&store).len(), 9);
    assert!(keep(&store).is_err(), "no copy is overwritten");
}
