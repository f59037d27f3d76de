//! A row of the table: the work, the comparison, the goal, and the measurements.

use serde::Serialize;

use crate::load::Load;

/// Goal of a row. Fieldbook is compared with another program or store, or must stay within a limit.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Fieldbook's value is at least the compared value times this factor.
    AtLeast(f64),
    /// Fieldbook's value is at most the compared value times this factor.
    AtMost(f64),
    /// Fieldbook's value is at most this, in the unit of the row. There is no comparison.
    Within(f64),
}

/// A row with its measurements, one per round. Each round measures Fieldbook and then the compared program.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub work: String,
    pub beside: String,
    pub unit: &'static str,
    pub goal: Goal,
    pub ours: Vec<f64>,
    /// Measurements of the compared program; empty if there is no comparison.
    pub theirs: Vec<f64>,
    /// CPU time per request in microseconds, of Fieldbook and of the compared program (NaN if it is not a server).
    pub cpu: Option<(f64, f64)>,
    /// What keeps Fieldbook from a better result, such as `CPU time`. The report names it if the goal is missed.
    pub limit: Option<String>,
}

impl Row {
    pub fn new(work: impl Into<String>, beside: impl Into<String>, unit: &'static str, goal: Goal) -> Self {
        let (work, beside) = (work.into(), beside.into());
        Self { work, beside, unit, goal, ours: Vec::new(), theirs: Vec::new(), cpu: None, limit: None }
    }

    #[must_use]
    pub fn limited_by(mut self, limit: &str) -> Self {
        self.limit = Some(limit.to_owned());
        self
    }

    #[must_use]
    pub fn limited_by_processor(self) -> Self {
        self.limited_by("CPU time")
    }

    /// Runs both loads alternately, and records the rates and the CPU time per request.
    pub fn beside(mut self, rounds: u32, ours: &Load<'_>, theirs: &Load<'_>) -> Result<Self, String> {
        let (mut cpu, mut other_cpu) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            let (ours, theirs) = (ours.run()?, theirs.run()?);
            self.round(ours.rate, theirs.rate);
            cpu.push(ours.cpu);
            other_cpu.push(theirs.cpu);
        }
        self.cpu = Some((median(&cpu), median(&other_cpu)));
        Ok(self)
    }

    pub fn round(&mut self, ours: f64, theirs: f64) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// Returns the figure that is checked against the goal: the median of Fieldbook's value divided by the compared
    /// value, over all rounds. Without a comparison, returns the median of Fieldbook's values.
    pub fn figure(&self) -> f64 {
        if self.theirs.is_empty() {
            return median(&self.ours);
        }
        median(&self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours / theirs).collect::<Vec<_>>())
    }

    pub fn is_met(&self) -> bool {
        match self.goal {
            Goal::AtLeast(least) => self.figure() >= least,
            Goal::AtMost(most) | Goal::Within(most) => self.figure() <= most,
        }
    }
}

/// Returns the median. For an even number of values, this is the mean of the two middle ones; for none, NaN.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// Returns half the distance between the quartiles, as a fraction of the median.
pub fn spread(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| sorted.get(((sorted.len().saturating_sub(1)) as f64 * part).round() as usize).copied();
    match (at(0.25), at(0.75)) {
        (Some(low), Some(high)) => (high - low) / 2.0 / median(values),
        _ => f64::NAN,
    }
}
