//! The list of the built-in rules.

use super::rule::Rule;
use super::{
    duration_sum, grade_code, grade_code_near, grade_name, group_size, lesson_length, material_amount, same_variable,
    step_reference,
};

/// The built-in rules, in the order in which their findings are shown.
pub const BUILT_IN: [Rule; 9] = [
    duration_sum::RULE,
    lesson_length::RULE,
    step_reference::RULE,
    group_size::RULE,
    grade_code::RULE,
    grade_code_near::RULE,
    grade_name::RULE,
    same_variable::RULE,
    material_amount::RULE,
];
