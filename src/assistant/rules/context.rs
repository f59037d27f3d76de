//! Defines the variables and functions that the expressions of rules can use.

use std::sync::Arc;

use cel::{Context, Env};

use super::cel::members_to_val;
use super::functions;
use super::meter::{METER, Meter, MeterValue};
use crate::assistant::facts::Facts;
use crate::domain::content::Content;

/// Creates the context in which rules run. It has the variable `self` with the fields that `reads` accepts, the
/// functions of [`functions`], and the meter that limits the cost.
pub fn context<'v>(
    env: &Arc<Env>,
    content: &'v Arc<Content>,
    facts: &Facts,
    reads: impl Fn(&str) -> bool,
    meter: Arc<Meter>,
) -> Result<Context<'v, 'v>, String> {
    let mut context = Context::with_env(env.clone());
    let read = content.iter().filter(|(field, _)| reads(field));
    context.add_variable_as_val("self", members_to_val(read));
    context.add_variable_as_val(METER, Box::new(MeterValue(meter)));
    functions::add(&mut context, content, facts).map_err(|error| error.to_string())?;
    Ok(context)
}
