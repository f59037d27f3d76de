//! Unit tests of `src/private_file.rs`.

use super::excludes_others;

#[test]
fn only_the_owner_may_read_and_the_group_of_a_file_that_root_gives_to_a_service() {
    let (root, service, other) = (0, 999, 1000);
    for mode in [0o100_400, 0o100_600] {
        assert!(excludes_others(mode, service, service) && excludes_others(mode, root, root));
    }
    assert!(excludes_others(0o100_440, root, service), "fsGroup of Kubernetes, or an entry in the ACL by systemd");
    for (mode, owner, me) in [
        (0o100_440, service, service),
        (0o100_440, root, root),
        (0o100_440, other, service),
        (0o100_460, root, service),
        (0o100_444, root, service),
        (0o100_404, service, service),
    ] {
        assert!(!excludes_others(mode, owner, me), "{mode:o} of {owner}, read by {me}");
    }
}
