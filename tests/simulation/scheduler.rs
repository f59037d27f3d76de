//! Runs tasks on one thread in virtual time, in an order that depends on a seed.
//!
//! Each step polls one of the ready tasks. If no task is ready, the paused clock of tokio advances to the next timer,
//! and the clocks of the service follow. The ready tasks are a set, so the order in which they were woken does not
//! matter.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use fieldbook::clock::Clock;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::histories::Dice;
use crate::trace::Trace;

/// Maximum number of steps. A history with more steps is considered endless.
const MOST_STEPS: u64 = 3_000_000;

/// Tasks that are ended together, such as those of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group(u64);

impl Group {
    /// Tasks of the simulation itself, which run until they return.
    pub const SIMULATION: Group = Group(0);
}

struct Task {
    group: Group,
    /// Future of the task; `None` while it is being polled.
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    waker: Waker,
}

#[derive(Debug, Clone, Copy)]
pub struct TaskId(u64);

#[derive(Default)]
struct Ready {
    tasks: Mutex<BTreeSet<u64>>,
    run: Mutex<Option<Waker>>,
}

struct Signal {
    task: u64,
    ready: Arc<Ready>,
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        self.ready.tasks.lock().insert(self.task);
        if let Some(run) = self.ready.run.lock().take() {
            run.wake();
        }
    }
}

pub struct Scheduler {
    tasks: RefCell<BTreeMap<u64, Task>>,
    last: Cell<u64>,
    ready: Arc<Ready>,
    dice: RefCell<Dice>,
    /// Clocks that follow virtual time.
    clocks: Vec<Clock>,
    begin: Instant,
    shown: Cell<Duration>,
    trace: Trace,
}

impl Scheduler {
    pub fn new(dice: Dice, clocks: Vec<Clock>, trace: Trace) -> Rc<Self> {
        Rc::new(Self {
            tasks: RefCell::default(),
            last: Cell::new(0),
            ready: Arc::default(),
            dice: RefCell::new(dice),
            clocks,
            begin: Instant::now(),
            shown: Cell::new(Duration::ZERO),
            trace,
        })
    }

    /// Returns a new group, for the tasks of one process.
    pub fn group(&self) -> Group {
        Group(self.number())
    }

    pub fn spawn(&self, group: Group, future: impl Future<Output = ()> + 'static) -> TaskId {
        let id = self.number();
        let waker = Waker::from(Arc::new(Signal { task: id, ready: self.ready.clone() }));
        waker.wake_by_ref();
        self.tasks.borrow_mut().insert(id, Task { group, future: Some(Box::pin(future)), waker });
        TaskId(id)
    }

    /// Drops a task, if it still exists.
    pub fn cancel(&self, TaskId(id): TaskId) {
        let dropped = self.tasks.borrow_mut().remove(&id);
        // The borrow must end before the task is dropped, because dropping a task may wake other tasks.
        drop(dropped);
    }

    /// Drops all tasks of a group.
    pub fn end(&self, group: Group) {
        let ended: Vec<u64> =
            self.tasks.borrow().iter().filter(|(_, task)| task.group == group).map(|(id, _)| *id).collect();
        ended.into_iter().for_each(|id| self.cancel(TaskId(id)));
    }

    /// Runs tasks until `is_done` returns true.
    pub async fn run(&self, is_done: impl Fn() -> bool) -> Result<(), String> {
        let mut steps = 0;
        std::future::poll_fn(|context| {
            while !is_done() {
                let Some(task) = self.next() else {
                    *self.ready.run.lock() = Some(context.waker().clone());
                    return Poll::Pending;
                };
                steps += 1;
                if steps > MOST_STEPS {
                    return Poll::Ready(Err(format!("no end after {MOST_STEPS} steps")));
                }
                self.step(task);
            }
            Poll::Ready(Ok(()))
        })
        .await
    }

    /// Returns a random ready task, and marks it as not ready.
    fn next(&self) -> Option<u64> {
        let mut ready = self.ready.tasks.lock();
        let tasks = self.tasks.borrow();
        ready.retain(|id| tasks.contains_key(id));
        let place = usize::try_from(self.dice.borrow_mut().throw(ready.len() as u64)).unwrap_or_default();
        let task = ready.iter().nth(place).copied()?;
        ready.remove(&task);
        Some(task)
    }

    fn step(&self, id: u64) {
        let now = self.begin.elapsed();
        let passed = now.saturating_sub(self.shown.replace(now));
        if !passed.is_zero() {
            self.clocks.iter().for_each(|clock| clock.advance(passed));
        }
        self.trace.step(now, id);
        let polled =
            self.tasks.borrow_mut().get_mut(&id).and_then(|task| Some((task.future.take()?, task.waker.clone())));
        let Some((mut future, waker)) = polled else { return };
        let is_over = future.as_mut().poll(&mut Context::from_waker(&waker)).is_ready();
        // The task may have been dropped while it was polled.
        if is_over {
            self.cancel(TaskId(id));
        } else if let Some(task) = self.tasks.borrow_mut().get_mut(&id) {
            task.future = Some(future);
        }
    }

    fn number(&self) -> u64 {
        self.last.set(self.last.get() + 1);
        self.last.get()
    }
}
