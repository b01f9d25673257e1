//! Whole runs in the small world.

mod crash;
mod failures;
mod lifecycle;
mod properties;

use crate::testing::World;
use crate::testing::estate::{Sketch, Sketched, of, text};
use pravo_plan::Plan;

/// `a`, then `b` that reads it, then `c` that reads both.
fn chain() -> Sketch {
    Sketch::new([
        Sketched::thing("a").with("input", text("one")),
        Sketched::thing("b").with("input", of("a", "echo")),
        Sketched::thing("c").with("input", [of("a", "id"), of("b", "echo")].concat()),
    ])
    .output("last", of("c", "echo"))
}

fn actions(plan: &Plan) -> Vec<String> {
    plan.changes
        .iter()
        .map(|c| format!("{} {}", c.action.as_str(), c.address))
        .collect()
}

fn texts(world: &World, sketch: &Sketch) -> String {
    match world.plan(sketch) {
        Ok(plan) => actions(&plan).join(", "),
        Err(error) => error.to_string(),
    }
}
