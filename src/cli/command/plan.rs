//! `pravo plan`: shows what an apply would do.

use super::apply::warn;
use super::run::{Run, Target};
use crate::args;
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::render::plan;
use pravo_plan::{Shown, document};

/// Runs the command.
pub(super) fn run(context: &Context, arguments: &args::Plan) -> Result<Code, Failure> {
    let run = Run::start(context, Target::Specification)?;
    let planned = run.plan();
    run.settle(context.screen);
    run.close();
    let planned = planned?;
    warn(context, &planned);
    let shown = if context.global.json {
        document::text(&document(&planned, Shown::Planned))
    } else {
        plan::plan(&planned, context.screen.paint)
    };
    context.screen.result(&shown);
    let changes = arguments.detailed_exitcode && planned.has_changes();
    Ok(if changes { Code::Changes } else { Code::Done })
}
