//! Trouble other than failing calls to the store: processes are killed, stopped and started, clocks jump, and the
//! behavior of the store and the receivers changes.

use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use crate::faults::Weather;
use crate::receivers::Mode;
use crate::service::Copy;
use crate::simulation::{Simulation, dice};

/// Maximum difference between a clock and the virtual time, in milliseconds. It is less than a day,
/// because data that is kept for a day must not expire by a jump.
const FURTHEST: i64 = 10 * 3_600_000;

/// Kills, stops and starts processes, and changes clocks, while clients send requests.
pub async fn of_copies(simulation: Rc<Simulation>) {
    let mut dice = dice(&simulation, 60);
    let mut jumped = vec![0; simulation.copies.len()];
    while simulation.at_work.get() > 0 {
        sleep(Duration::from_millis(300 + dice.throw(4000))).await;
        let number = dice.throw(simulation.copies.len() as u64) as usize;
        let copy = &simulation.copies[number];
        match dice.throw(10) {
            _ if simulation.at_work.get() == 0 => break,
            0..4 => {
                simulation.trace.note(|| format!("trouble  copy {number} is killed"));
                copy.kill(&simulation.world);
            }
            4..6 => {
                simulation.trace.note(|| format!("trouble  copy {number} is stopped"));
                if let Err(violation) = copy.stop(&simulation.world).await {
                    simulation.violation(violation);
                }
                simulation.trace.note(|| format!("trouble  copy {number} has stopped"));
            }
            _ => {
                let far = [1_000, 60_000, 3_600_000, 5 * 3_600_000][dice.throw(4) as usize];
                let by = dice.throw(2 * far) as i64 - far as i64;
                if (jumped[number] + by).abs() < FURTHEST {
                    jumped[number] += by;
                    simulation.trace.note(|| format!("trouble  the clock of copy {number} jumps by {by} ms"));
                    copy.clock.jump(by);
                }
                continue;
            }
        }
        // Occasionally the other copies must do without this one for a long time.
        let longest = if dice.throw(8) == 0 { 50_000 } else { 3_000 };
        sleep(Duration::from_millis(dice.throw(longest))).await;
        if copy.process.borrow().is_none() {
            copy.start(&simulation.world);
        }
    }
    simulation.troubles.set(simulation.troubles.get() - 1);
}

/// Kills processes in the middle of a write, and starts new ones.
pub async fn of_writes(simulation: Rc<Simulation>) {
    let mut dice = dice(&simulation, 62);
    loop {
        let number = simulation.world.network.doomed().await;
        let is_it = |copy: &&Copy| copy.process.borrow().as_ref().is_some_and(|process| process.number == number);
        if let Some(copy) = simulation.copies.iter().find(is_it) {
            copy.kill(&simulation.world);
            sleep(Duration::from_millis(dice.throw(2000))).await;
            // Another task may have started a process meanwhile.
            if copy.process.borrow().is_none() {
                copy.start(&simulation.world);
            }
        }
    }
}

/// Changes the behavior of the store and of the receivers.
pub async fn of_others(simulation: Rc<Simulation>) {
    let mut dice = dice(&simulation, 61);
    while simulation.at_work.get() > 0 {
        sleep(Duration::from_millis(dice.throw(5000))).await;
        match dice.throw(3) {
            0 => {
                simulation.trace.note(|| "trouble  a storm begins".to_owned());
                simulation.world.network.set(Weather::Storm);
                let longest = if dice.throw(5) == 0 { 25_000 } else { 3_000 };
                sleep(Duration::from_millis(dice.throw(longest))).await;
                simulation.trace.note(|| "trouble  the storm is over".to_owned());
                simulation.world.network.set(Weather::Changeable);
            }
            _ => {
                let modes = [Mode::Healthy, Mode::Random, Mode::Random, Mode::Refusing, Mode::Silent, Mode::Unheard];
                let mode = modes[dice.throw(modes.len() as u64) as usize];
                simulation.trace.note(|| format!("trouble  receivers are {mode:?}"));
                simulation.receivers.set_mode(mode);
            }
        }
    }
    simulation.troubles.set(simulation.troubles.get() - 1);
}
