//! Runs one rule on a document, and returns its findings with their fixes.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ::cel::Context;
use ::cel::common::types::{CelList, CelMap, CelMapKey, CelString};
use ::cel::common::value::Val;

use super::edit::{Edit, Fix};
use super::expression::{Expression, Failure, MessageTemplate};
use super::input::Input;
use super::meter::Meter;
use super::quotes::{self, shortened};
use super::{Check, RuleFinding, cel as bridge};
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding};
use crate::domain::path::FieldPath;

/// Maximum number of findings of one rule that are shown, so that no document can fill a response.
const MAX_SHOWN: usize = 50;

/// A rule with its compiled expressions.
#[derive(Debug)]
pub struct Rule {
    pub(super) id: String,
    /// True if the rule's findings are hints, which do not affect the status.
    pub(super) is_hint: bool,
    pub(super) fields: Vec<String>,
    pub(super) each: Option<Expression>,
    pub(super) when: Option<Expression>,
    pub(super) rule: Expression,
    pub(super) message: MessageTemplate,
    pub(super) evidence: Vec<FieldPath>,
    /// Expression for a list of paths whose values are additional evidence. May use `it`, an item of the list `each`.
    pub(super) evidence_expression: Option<Expression>,
    pub(super) suggestion: Option<MessageTemplate>,
    /// Names of the fields that a fix changes, each with an expression for the new value. In a rule with `each`, the
    /// field name `it` means the value at the path of the current item. In an expression, `it` is the item itself.
    pub(super) fixes: Vec<(String, Expression)>,
    /// True if the fixes only guess what the author means.
    pub(super) guess: bool,
}

/// One document and the state of running rules on it.
pub struct Run<'c> {
    pub(super) context: Context<'c, 'c>,
    pub(super) meter: Arc<Meter>,
    pub(super) content: &'c Content,
    pub(super) check: Check,
}

/// State of one rule in a run. Caches the evidence that is the same for every item of `each`.
struct RuleRun<'r, 'c> {
    run: &'r Run<'c>,
    evidence: OnceCell<Vec<Evidence>>,
}

impl Rule {
    /// Returns all expressions of the rule.
    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        let words =
            [Some(&self.message), self.suggestion.as_ref()].into_iter().flatten().filter_map(MessageTemplate::computed);
        let fixes = self.fixes.iter().map(|(_, fix)| fix);
        self.conditions().chain(&self.evidence_expression).chain(words).chain(fixes)
    }

    /// Returns the expressions that decide whether the rule finds something.
    fn conditions(&self) -> impl Iterator<Item = &Expression> {
        self.each.iter().chain(&self.when).chain([&self.rule])
    }

    /// Returns everything that the conditions of the rule read, or `None` if that depends on the document.
    pub(super) fn inputs(&self) -> Option<BTreeSet<&Input>> {
        let known = self.conditions().all(Expression::has_known_inputs);
        known.then(|| self.conditions().flat_map(Expression::inputs).collect())
    }

    /// Runs the rule and appends its findings to `found`.
    pub(super) fn check(&self, run: &Run<'_>, found: &mut Vec<RuleFinding>) -> Result<(), Failure> {
        let Run { context, meter, check, .. } = run;
        if let Some(when) = &self.when
            && !when.is_true(context, meter)?
        {
            return Ok(());
        }
        let rule_run = RuleRun { run, evidence: OnceCell::new() };
        let Some(each) = &self.each else {
            if !self.rule.is_true(context, meter)? {
                found.push(self.found(context, &rule_run, None)?);
            }
            return Ok(());
        };
        let list = each.run(context, meter)?;
        let mut reported: Vec<RuleFinding> = Vec::new();
        let mut places: HashMap<Finding, usize> = HashMap::new();
        for item in items(list.as_ref())?.iter().map(AsRef::as_ref) {
            let scope = self.scope(run, item)?;
            if self.rule.is_true(&scope, meter)? {
                continue;
            }
            let new = self.found(&scope, &rule_run, Some(&Item::read(item)?))?;
            // Equal quotes in one text give equal findings. These become one finding, with a fix for each occurrence.
            match places.get(&new.finding) {
                Some(known) => {
                    if let Some(known) = reported.get_mut(*known) {
                        known.fixes.extend(new.fixes);
                    }
                }
                None if *check == Check::Shown && reported.len() == MAX_SHOWN => break,
                None => {
                    places.insert(new.finding.clone(), reported.len());
                    reported.push(new);
                }
            }
        }
        found.append(&mut reported);
        Ok(())
    }

    /// Runs every expression once, whether or not the document breaks the rule. Stops if `when` is false.
    pub(super) fn dry_run(&self, run: &Run<'_>) -> Result<(), Failure> {
        if let Some(when) = &self.when
            && !when.is_true(&run.context, &run.meter)?
        {
            return Ok(());
        }
        let rule_run = RuleRun { run, evidence: OnceCell::new() };
        let Some(each) = &self.each else {
            self.rule.is_true(&run.context, &run.meter)?;
            return self.found(&run.context, &rule_run, None).map(|_| ());
        };
        let list = each.run(&run.context, &run.meter)?;
        if let Some(item) = items(list.as_ref())?.first() {
            let scope = self.scope(run, item.as_ref())?;
            self.rule.is_true(&scope, &run.meter)?;
            self.found(&scope, &rule_run, Some(&Item::read(item.as_ref())?))?;
        }
        Ok(())
    }

    /// Returns a context in which `it` is the given item of `each`. Charges the meter for the item.
    fn scope<'r, 'c>(&self, run: &'r Run<'c>, item: &(dyn Val + 'c)) -> Result<Context<'r, 'c>, Failure> {
        run.meter.charge_value(item).map_err(|_| Failure::Spent)?;
        let mut scope = run.context.new_inner_scope();
        scope.add_variable_as_val("it", item.clone_as_boxed());
        Ok(scope)
    }

    fn found(
        &self,
        context: &Context<'_, '_>,
        rule_run: &RuleRun<'_, '_>,
        item: Option<&Item>,
    ) -> Result<RuleFinding, Failure> {
        let finding = self.finding(context, rule_run, item)?;
        let fixes = match rule_run.run.check {
            Check::Shown => Vec::new(),
            Check::WithFixes => self.fixes(context, rule_run.run, item)?,
        };
        Ok(RuleFinding { finding, fixes })
    }

    fn finding(
        &self,
        context: &Context<'_, '_>,
        rule_run: &RuleRun<'_, '_>,
        item: Option<&Item>,
    ) -> Result<Finding, Failure> {
        let meter = &rule_run.run.meter;
        let of_rule = rule_run.evidence.get_or_init(|| {
            let mut evidence = Vec::new();
            for pattern in &self.evidence {
                quotes::evidence(pattern.segments(), rule_run.run.content, &mut evidence);
            }
            evidence
        });
        let of_item = match &self.evidence_expression {
            Some(expression) => self.evidence_of(expression.run(context, meter)?.as_ref(), rule_run.run)?,
            None => Vec::new(),
        };
        let of_evidence = of_rule
            .iter()
            .chain(&of_item)
            .map(|evidence| 64 + evidence.field_path.len() + evidence.quote.as_ref().map_or(0, String::len));
        let named = self.fields.iter().chain([&self.id]).map(|name| 64 + name.len());
        let bytes = of_evidence.chain(named).sum::<usize>() + item.map_or(0, |item| 64 + item.quote.len());
        meter.charge_finding_bytes(bytes).map_err(|_| Failure::Spent)?;
        let own = item.map(|item| Evidence::new(&item.path, shortened(&item.quote)));
        let evidence = own.into_iter().chain(of_item).chain(of_rule.iter().cloned()).collect();
        let (field_name, conflicts_with) = match (item, self.fields.split_first()) {
            (Some(item), _) => (item.path.field().unwrap_or_default().to_owned(), self.fields.clone()),
            (None, Some((first, []))) => (first.clone(), vec![first.clone()]),
            (None, Some((first, others))) => (first.clone(), others.to_vec()),
            (None, None) => return Err(Failure::Types("names no field".to_owned())),
        };
        Ok(Finding {
            field_name,
            conflicts_with,
            reason: self.message.say(context, meter)?,
            evidence,
            also_at: Vec::new(),
            suggestion: self.suggestion.as_ref().map(|words| words.say(context, meter)).transpose()?,
            source: format!("rule:{}", self.id),
        })
    }

    /// Quotes the values at a list of paths as evidence.
    fn evidence_of(&self, list: &dyn Val, run: &Run<'_>) -> Result<Vec<Evidence>, Failure> {
        let mut evidence = Vec::new();
        for path in items(list)? {
            let path = path.downcast_ref::<CelString>().map(CelString::inner);
            let path = path.ok_or_else(|| Failure::Types("evidenceExpression must give a list of paths".to_owned()))?;
            quotes::evidence(FieldPath::parse(path).segments(), run.content, &mut evidence);
        }
        Ok(evidence)
    }

    fn fixes(&self, context: &Context<'_, '_>, run: &Run<'_>, item: Option<&Item>) -> Result<Vec<Fix>, Failure> {
        let mut fixes = Vec::new();
        for (field, expression) in &self.fixes {
            let path = match item {
                Some(item) if field == "it" => item.path.clone(),
                _ => FieldPath::root().child(field.as_str()),
            };
            let value = expression.run(context, &run.meter)?;
            run.meter.charge_value(value.as_ref()).map_err(|_| Failure::Spent)?;
            let value = bridge::to_json(value.as_ref()).filter(|value| !value.is_null());
            fixes.extend(value.map(|value| Fix {
                edit: Edit::read(value, path.get_in(run.content)),
                path,
                guess: self.guess,
            }));
        }
        Ok(fixes)
    }
}

fn items<'l, 'v>(list: &'l (dyn Val + 'v)) -> Result<&'l [Box<dyn Val + 'v>], Failure> {
    let list = list.downcast_ref::<CelList>().map(CelList::inner);
    list.ok_or_else(|| Failure::Types("each must give a list".to_owned()))
}

/// Members that every item of `each` must have.
struct Item {
    path: FieldPath,
    quote: String,
}

impl Item {
    fn read(item: &dyn Val) -> Result<Self, Failure> {
        let members = item.downcast_ref::<CelMap>().map(CelMap::inner);
        let member = |key: &str| {
            let text = members.and_then(|members| members.get(&CelMapKey::from(key)));
            let text = text.and_then(|text| text.downcast_ref::<CelString>()).map(|text| text.inner().to_owned());
            text.ok_or_else(|| Failure::Types(format!("the items of each must have a text \"{key}\"")))
        };
        Ok(Self { path: FieldPath::parse(&member("path")?), quote: member("quote")? })
    }
}
