//! Unit tests of `src/private_file.rs`.

use std::fs::{Permissions, set_permissions, write};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::io::Errno;

use super::{excludes_others, failed, folder, secret};

#[test]
fn private_file_may_be_readable_by_its_owner_or_by_the_group_if_root_owns_it() {
    let (root, service) = (0, 999);
    for mode in [0o100_400, 0o100_600] {
        assert!(excludes_others(mode, service) && excludes_others(mode, root));
    }
    for mode in [0o100_440, 0o100_640] {
        assert!(excludes_others(mode, root) && !excludes_others(mode, service));
    }
    for (mode, owner) in [(0o100_660, root), (0o100_444, root), (0o100_404, service)] {
        assert!(!excludes_others(mode, owner), "{mode:o} of {owner}");
    }
}

#[test]
fn message_about_an_unreadable_file_has_advice_only_for_known_errors() {
    let said = |error: io::Error| failed("read", Path::new("a"), &error);
    assert_eq!(said(Errno::IO.into()), "cannot read a: Input/output error (os error 5); check the disk");
    assert_eq!(said(Errno::MFILE.into()), "cannot read a: Too many open files (os error 24)");
    let file = tempfile::NamedTempFile::new().expect("a file");
    write(file.path(), b"\xff").expect("written");
    set_permissions(file.path(), Permissions::from_mode(0o600)).expect("set");
    assert_eq!(
        secret(file.path()),
        Err("cannot be read: stream did not contain valid UTF-8; save it as UTF-8 text".to_owned())
    );
}

#[test]
fn parent_folders_are_removed_again_if_the_innermost_cannot_be_created() {
    let around = tempfile::tempdir().expect("a folder");
    folder(&around.path().join("outer").join("n".repeat(300)).join("inner")).expect_err("a name that is too long");
    assert_eq!(around.path().read_dir().expect("a folder").count(), 0);
}
