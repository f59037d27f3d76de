//! One history: copies of the service over one store, their clients, and everything that goes wrong, from one seed.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use fieldbook::clock::Clock;
use fieldbook::domain::time::Timestamp;
use fieldbook::ids::Ids;
use fieldbook::store::{Store, sqlite};
use fieldbook::tokens::Tokens;
use tokio::time::{sleep, timeout};

use crate::checks;
use crate::client::{Client, Shared};
use crate::creating::{Keyed, LinkVisits};
use crate::faults::{Network, Weather};
use crate::histories::Dice;
use crate::plants::Plant;
use crate::receivers::{Mode, Receivers};
use crate::scheduler::{Group, Scheduler};
use crate::service::{Copy, SECRET, World};
use crate::stream::Streamed;
use crate::trace::Trace;
use crate::{client, stream, trouble};

/// Time at which every history starts: 2026-11-21T08:00:00.000Z.
const START: Timestamp = Timestamp(1_795_248_000_000);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// Virtual time after which a history counts as stuck.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// Time within which all work in progress ends after the clients have finished.
const SETTLING: Duration = Duration::from_secs(60);

pub struct Simulation {
    pub world: World,
    pub copies: Vec<Copy>,
    pub receivers: Receivers,
    pub trace: Trace,
    pub seed: u64,
    tokens: Tokens,
    /// True if nothing goes wrong between clients and service.
    pub calm: Cell<bool>,
    /// Number of clients that still send requests.
    pub at_work: Cell<usize>,
    /// Number of tasks that still cause trouble.
    pub troubles: Cell<usize>,
    pub moments: Cell<u64>,
    pub shared: RefCell<Vec<Rc<Shared>>>,
    pub keyed: RefCell<Vec<Keyed>>,
    pub links: RefCell<Vec<LinkVisits>>,
    pub streamed: RefCell<Vec<Streamed>>,
    pub violations: RefCell<Vec<String>>,
}

pub struct Outcome {
    /// Description of the broken promise, if any.
    pub violation: Option<String>,
    /// Digest of the history, which is the same for the same seed.
    pub digest: u64,
    /// Log of the history, if it was requested.
    pub text: String,
}

pub fn run(seed: u64, plant: Plant, is_read: bool) -> Outcome {
    let trace = Trace::new(is_read);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let in_virtual_time = async {
        // Tokio sees all tasks of the simulation as one task. Without `unconstrained`, Tokio would make them all
        // wait whenever this one task has run for long.
        tokio::task::unconstrained(history(seed, plant, trace.clone())).await
    };
    let caught = std::panic::AssertUnwindSafe(|| runtime.expect("a runtime").block_on(in_virtual_time));
    let violation = match std::panic::catch_unwind(caught) {
        Ok(Ok(())) => None,
        Ok(Err(violation)) => Some(violation),
        Err(_) => Some("a panic, see above".to_owned()),
    };
    Outcome { violation, digest: trace.digest(), text: trace.text() }
}

/// File of an empty store, which is created only once.
static EMPTY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = folder();
    let calm = Network::new(Dice::new(0, 0), Trace::new(false)).connection(0);
    drop(Store::simulated(folder.path(), Arc::new(calm)).expect("a store"));
    std::fs::read(folder.path().join(sqlite::FILE)).expect("a file")
});

/// Creates a folder, in memory if the system supports this.
fn folder() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() }.expect("a folder")
}

async fn history(seed: u64, plant: Plant, trace: Trace) -> Result<(), String> {
    let folder = folder();
    std::fs::write(folder.path().join(sqlite::FILE), &*EMPTY).expect("a store");
    let mut dice = Dice::new(seed, 0);
    let copies: Vec<Copy> = (0..1 + dice.throw(3) as usize)
        .map(|number| {
            let clock = Clock::set_to(START);
            clock.jump(dice.throw(4000) as i64 - 2000);
            Copy { number, clock, process: RefCell::default() }
        })
        .collect();
    let clocks = copies.iter().map(|copy| copy.clock.clone()).collect();
    let scheduler = Scheduler::new(Dice::new(seed, 1), clocks, trace.clone());
    let receivers = Receivers::new(Dice::new(seed, 2), trace.clone());
    let endpoints = ["http://one.example/hook", "http://two.example/hook"];
    let endpoints = endpoints[..1 + dice.throw(2) as usize].iter().map(ToString::to_string).collect();
    let simulation = Rc::new(Simulation {
        world: World {
            scheduler: scheduler.clone(),
            network: Network::new(Dice::new(seed, 3), trace.clone()),
            receiver: receivers.receiver(),
            endpoints,
            ids: Ids::counted(),
            folder: folder.path().into(),
            last_process: Cell::new(0),
        },
        copies,
        receivers,
        trace,
        seed,
        tokens: Tokens::with_secret(SECRET),
        calm: Cell::new(true),
        at_work: Cell::new(0),
        troubles: Cell::new(2),
        moments: Cell::new(0),
        shared: RefCell::default(),
        keyed: RefCell::default(),
        links: RefCell::default(),
        streamed: RefCell::default(),
        violations: RefCell::default(),
    });
    let is_over = Rc::new(Cell::new(false));
    let (of_phases, over) = (simulation.clone(), is_over.clone());
    let clients = 2 + dice.throw(3) as usize;
    scheduler.spawn(Group::SIMULATION, async move {
        if let Err(violation) = of_phases.phases(clients, plant).await {
            of_phases.violation(violation);
        }
        over.set(true);
    });
    let ended = timeout(LONGEST, scheduler.run(|| is_over.get() || simulation.is_violated())).await;
    ended.map_err(|_| "stuck: nothing happens any more".to_owned())??;
    let violations = simulation.violations.borrow().join("\n");
    // The remaining tasks refer to the simulation, which refers to them. Ending them breaks the cycle.
    simulation.copies.iter().for_each(|copy| copy.kill(&simulation.world));
    scheduler.end(Group::SIMULATION);
    if violations.is_empty() { Ok(()) } else { Err(violations) }
}

impl Simulation {
    /// Runs the phases: start, trouble, and calm again. Then checks everything.
    async fn phases(self: &Rc<Self>, clients: usize, plant: Plant) -> Result<(), String> {
        for copy in &self.copies {
            copy.start(&self.world);
        }
        self.until_all_run().await;
        let first = Client::new(self, 0);
        for _ in 0..2 {
            let shared = Shared::create(&first).await?;
            self.shared.borrow_mut().push(Rc::new(shared));
        }
        for copy in 0..self.copies.len() {
            self.streamed.borrow_mut().push(Streamed::default());
            self.spawn(stream::read(self.clone(), copy));
        }
        self.calm.set(false);
        self.world.network.set(Weather::Changeable);
        self.at_work.set(clients);
        for by in 1..=clients {
            self.spawn(client::work(self.clone(), by));
        }
        self.spawn(trouble::of_copies(self.clone()));
        self.spawn(trouble::of_writes(self.clone()));
        self.spawn(trouble::of_others(self.clone()));
        self.spawn(plant.grow(self.clone()));
        while self.at_work.get() + self.troubles.get() > 0 {
            sleep(Duration::from_millis(500)).await;
        }
        self.heal().await;
        sleep(SETTLING).await;
        let shared = self.shared.borrow().clone();
        for shared in shared {
            shared.read_all(&first).await?;
        }
        let events = checks::events(self);
        self.until_delivered(&events).await?;
        for copy in &self.copies {
            copy.stop(&self.world).await?;
        }
        checks::all(self, &events)
    }

    /// Ends all trouble.
    async fn heal(&self) {
        self.calm.set(true);
        self.world.network.set(Weather::Calm);
        self.receivers.set_mode(Mode::Healthy);
        self.until_all_run().await;
    }

    async fn until_all_run(&self) {
        while !self.copies.iter().all(Copy::is_running) {
            sleep(Duration::from_millis(100)).await;
        }
    }

    /// Waits until every stream and every webhook has received every event. The clocks jump ahead now and then, because
    /// failed deliveries are repeated only later.
    async fn until_delivered(&self, events: &[checks::StoredEvent]) -> Result<(), String> {
        let ids: Vec<String> = events.iter().map(|event| event.id.clone()).collect();
        for second in 0..1500 {
            let streams = self.streamed.borrow().iter().all(|streamed| streamed.events.len() >= ids.len());
            if streams && self.world.endpoints.iter().all(|endpoint| self.receivers.have_taken(endpoint, &ids)) {
                return Ok(());
            }
            if second % 20 == 10 {
                self.copies.iter().for_each(|copy| copy.clock.jump(3_600_000));
            }
            sleep(Duration::from_secs(1)).await;
        }
        for endpoint in &self.world.endpoints {
            for id in &ids {
                if !self.receivers.have_taken(endpoint, std::slice::from_ref(id)) {
                    return Err(format!("{endpoint} never took {id}"));
                }
            }
        }
        let counts: Vec<usize> = self.streamed.borrow().iter().map(|streamed| streamed.events.len()).collect();
        Err(format!("streams have {counts:?} events of {}", ids.len()))
    }

    pub fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        self.world.scheduler.spawn(Group::SIMULATION, task);
    }

    pub fn moment(&self) -> u64 {
        self.moments.replace(self.moments.get() + 1)
    }

    /// Returns a number that is unique in this history.
    pub fn marker(&self) -> u64 {
        1000 + self.moment()
    }

    /// Returns a token of this user that is valid at any time of the clocks.
    pub fn token(&self, user: &str) -> String {
        let before = Timestamp(START.0 - 10 * 24 * 3_600_000);
        self.tokens.sign(user.parse().expect("an id"), None, before, 90 * DAY).expect("a token")
    }

    pub fn violation(&self, violation: String) {
        self.trace.note(|| format!("VIOLATION {violation}"));
        self.violations.borrow_mut().push(violation);
    }

    fn is_violated(&self) -> bool {
        !self.violations.borrow().is_empty()
    }
}

/// Returns the random numbers for one participant of a history.
pub fn dice(simulation: &Simulation, who: u64) -> Dice {
    Dice::new(simulation.seed, 100 + who)
}
