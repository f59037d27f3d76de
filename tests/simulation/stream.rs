//! Readers of `GET /api/events`. Each reads from one copy of the service, starting with the first event, and continues
//! after every interruption.

use std::rc::Rc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt;
use tokio::time::{sleep, timeout};

use crate::client::EDITOR;
use crate::histories::Dice;
use crate::simulation::{Simulation, dice};

/// Events that a reader has received.
#[derive(Debug, Default)]
pub struct Streamed {
    /// Id and data of each event.
    pub events: Vec<(String, String)>,
}

/// Reads from a copy until the history ends.
pub async fn read(simulation: Rc<Simulation>, copy: usize) {
    let mut dice = dice(&simulation, 50 + copy as u64);
    loop {
        sleep(Duration::from_millis(200 + dice.throw(1000))).await;
        if let Some(response) = open(&simulation, copy).await {
            read_on(&simulation, copy, response, &mut dice).await;
        }
    }
}

async fn open(simulation: &Simulation, copy: usize) -> Option<Response<Body>> {
    let last = simulation.streamed.borrow()[copy].events.last().map(|(id, _)| id.clone());
    let request = Request::builder().uri("/api/events?after=0");
    let request = request.header("authorization", format!("Bearer {}", simulation.token(EDITOR)));
    let request = match &last {
        Some(last) => request.header("last-event-id", last),
        None => request,
    };
    let (_, answered) = simulation.copies[copy].send(&simulation.world, request.body(Body::empty()).ok()?)?;
    let response = answered.await.ok()?;
    simulation.trace.note(|| format!("stream   of copy {copy} after {last:?}: {}", response.status()));
    match response.status() {
        StatusCode::OK => return Some(response),
        StatusCode::SERVICE_UNAVAILABLE => {}
        status => simulation.violation(format!("the events after {last:?} were answered {status}")),
    }
    None
}

/// Reads a stream to its end, or for some time.
async fn read_on(simulation: &Simulation, copy: usize, response: Response<Body>, dice: &mut Dice) {
    let mut body = response.into_body();
    let patience = if dice.throw(4) == 0 { 1 + dice.throw(10) } else { 3600 };
    let reading = async {
        while let Some(Ok(frame)) = body.frame().await {
            let Ok(data) = frame.into_data() else { break };
            for event in String::from_utf8_lossy(&data).split("\n\n") {
                let line = |name: &str| event.lines().find_map(|line| line.strip_prefix(name));
                if let (Some(id), Some(data)) = (line("id: "), line("data: ")) {
                    simulation.trace.note(|| format!("stream   of copy {copy} reads {id}"));
                    simulation.streamed.borrow_mut()[copy].events.push((id.to_owned(), data.to_owned()));
                }
            }
        }
    };
    let _ = timeout(Duration::from_secs(patience), reading).await;
}
