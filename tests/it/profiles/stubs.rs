//! The committed gRPC stubs fit the contract in `proto/`. The test replaces committed stubs that do not fit.

use std::path::Path;

const PROTO: &str = "fieldbook/profile/v1/profile.proto";

#[test]
fn committed_grpc_stubs_match_the_contract() {
    let proto = Path::new(env!("CARGO_MANIFEST_DIR")).join("proto");
    let committed = proto.join(PROTO).with_extension("rs");
    let files = protox::compile([proto.join(PROTO)], [&proto]).expect("a contract");
    let made = tempfile::tempdir().expect("a folder");
    tonic_prost_build::configure().out_dir(made.path()).compile_fds(files).expect("stubs");
    let made = std::fs::read_to_string(made.path().join("fieldbook.profile.v1.rs")).expect("a text");
    if std::fs::read_to_string(&committed).ok().as_ref() != Some(&made) {
        std::fs::write(&committed, made).expect("written");
        panic!("{} was out of date and has been written anew: look at it and commit it", committed.display());
    }
}
