//! `kill -9` under load. Every acknowledged write is stored afterward, and nothing is stored twice.

use crate::caller::Caller;
use crate::round::Round;
use crate::support::process::{Service, token};

const ROUNDS: usize = 10;
/// The number of acknowledged writes after which a round kills the service.
const WRITES_A_ROUND: u32 = 150;

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_writes_survive_ten_kills() {
    let folder = tempfile::tempdir().expect("a folder");
    let token = token(folder.path());
    let mut service = Service::start(folder.path());
    let mut rounds = Vec::new();
    for number in 0..ROUNDS {
        let caller = Caller::new(&service.base, &token).expect("a client");
        let round = Round::begin(&number.to_string(), &caller).await.expect("a round");
        let workers = round.workers(&caller);
        workers.wait_for(WRITES_A_ROUND).await.expect("enough writes");
        service.kill();
        workers.end().await;
        rounds.push(round);

        service = Service::start(folder.path());
        let caller = Caller::new(&service.base, &token).expect("a client");
        for round in &rounds {
            let count = round.check(&caller).await.expect("answers");
            assert!(count.acknowledged >= u64::from(WRITES_A_ROUND), "{}", count.acknowledged);
            assert_eq!((count.lost, round.wrong()), (0, Vec::new()), "after round {number}");
        }
    }
}
