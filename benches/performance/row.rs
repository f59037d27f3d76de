//! A row of the table: some work, what it is set beside, the goal, and what was measured.

use serde::Serialize;

use crate::load::Load;

/// What a ratio should be.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Ours is at least so many times the other.
    AtLeast(f64),
    /// Ours is at most so many times the other.
    AtMost(f64),
    /// Ours, which stands alone, is at most so much.
    Within(f64),
}

/// The rounds of one row, ours and the other's turn by turn.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub work: String,
    pub beside: String,
    pub unit: &'static str,
    pub goal: Goal,
    pub ours: Vec<f64>,
    /// Empty where ours stands alone.
    pub theirs: Vec<f64>,
    /// Processor time for one request in microseconds, ours and the other's, where both are servers.
    pub cpu: Option<(f64, f64)>,
    /// What limits it, where the goal is missed.
    pub limit: Option<String>,
}

impl Row {
    pub fn new(work: impl Into<String>, beside: impl Into<String>, unit: &'static str, goal: Goal) -> Self {
        let (work, beside) = (work.into(), beside.into());
        Self { work, beside, unit, goal, ours: Vec::new(), theirs: Vec::new(), cpu: None, limit: None }
    }

    /// What limits it, should the goal be missed.
    #[must_use]
    pub fn limited_by(mut self, limit: &str) -> Self {
        self.limit = Some(limit.to_owned());
        self
    }

    /// The same, where nothing but the processor is in the way.
    #[must_use]
    pub fn limited_by_processor(self) -> Self {
        let (ours, theirs) = self.cpu.unwrap_or((f64::NAN, f64::NAN));
        let limit = format!(
            "the processor: {ours:.0} µs of it for an answer, and {theirs:.0} of the other; how ours are shared out stands below"
        );
        self.limited_by(&limit)
    }

    /// Puts one load beside another, turn by turn, with the processor time that each server takes for a request.
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

    /// Adds a round.
    pub fn round(&mut self, ours: f64, theirs: f64) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// The figure that the goal speaks of: the median of the ratios of each round, or of ours.
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

/// The middle value; of an even number the mean of both.
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

/// Half the distance between the quartiles, as a part of the median.
pub fn spread(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |part: f64| sorted.get(((sorted.len().saturating_sub(1)) as f64 * part).round() as usize).copied();
    match (at(0.25), at(0.75)) {
        (Some(low), Some(high)) => (high - low) / 2.0 / median(values),
        _ => f64::NAN,
    }
}
