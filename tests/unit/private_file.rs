//! Unit tests of `src/private_file.rs`.

use super::excludes_others;

#[test]
fn file_is_readable_by_its_owner_or_by_the_group_of_a_root_file() {
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
