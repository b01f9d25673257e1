//! `pravo apply` and `pravo destroy`: plan, show, ask, do.

use super::output;
use super::run::{Run, Target};
use crate::args;
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::outside;
use crate::render::plan;
use pravo_actors::Applied;
use pravo_plan::Plan;

/// Runs one of the commands.
pub(super) fn run(
    context: &Context,
    arguments: &args::Apply,
    target: Target,
) -> Result<Code, Failure> {
    if !arguments.auto_approve && !outside::stdin_is_terminal() {
        return Err(Failure::new(format!(
            "{} asks for a confirmation and stdin is not a terminal; use -auto-approve or apply a \
             saved plan",
            target.word()
        )));
    }
    let run = Run::start(context, target)?;
    let planned = run.plan()?;
    run.settle(context.screen);
    warn(context, &planned);
    context
        .screen
        .result(&plan::plan(&planned, context.screen.paint));
    if planned.has_changes() && !arguments.auto_approve && !confirmed(context, &planned) {
        context
            .screen
            .result("Apply cancelled; nothing was changed.\n");
        return Ok(Code::Error);
    }
    if !planned.is_empty() {
        context.screen.result("\n");
    }
    let applied = run.apply(&planned);
    run.close();
    let applied = applied?;
    if planned.is_empty() && applied.txn.is_none() && applied.error.is_none() {
        push_outputs(context, &applied)?;
        return Ok(Code::Done);
    }
    report(context, &applied, target)
}

/// Tells the warnings of a plan.
pub(super) fn warn(context: &Context, planned: &Plan) {
    for warning in &planned.warnings {
        context.screen.warn(warning);
    }
}

fn confirmed(context: &Context, planned: &Plan) -> bool {
    let question = if planned.is_destroy() {
        let count = planned.summary.destroy;
        let word = if count == 1 { "resource" } else { "resources" };
        format!("\nThis destroys {count} {word}. Type \"yes\" to go on: ")
    } else {
        "\nDo you want pravo to perform these actions? Only \"yes\" is accepted: ".to_owned()
    };
    context.screen.ask(&question).as_deref() == Some("yes")
}

fn report(context: &Context, applied: &Applied, target: Target) -> Result<Code, Failure> {
    let Applied {
        added,
        changed,
        destroyed,
        failed,
        not_started,
        ..
    } = applied;
    let txn = applied
        .txn
        .as_ref()
        .map_or_else(String::new, |txn| format!(" [txn {txn}]"));
    let forgotten = match applied.forgotten {
        0 => String::new(),
        n => format!(", {n} forgotten"),
    };
    if let Some(error) = &applied.error {
        for diagnostic in &error.diagnostics {
            context.screen.tell(diagnostic);
        }
        context.screen.note(&format!(
            "Apply failed. Resources: {added} added, {changed} changed, {destroyed} \
             destroyed{forgotten}; {failed} failed, {not_started} not started.{txn}"
        ));
        return Ok(Code::of(error.class));
    }
    let line = match target {
        Target::Specification => format!(
            "\nApply complete! Resources: {added} added, {changed} changed, {destroyed} \
             destroyed{forgotten}.{txn}\n"
        ),
        Target::Nothing => {
            format!("\nDestroy complete! Resources: {destroyed} destroyed{forgotten}.{txn}\n")
        }
    };
    context.screen.result(&line);
    push_outputs(context, applied)?;
    Ok(Code::Done)
}

fn push_outputs(context: &Context, applied: &Applied) -> Result<(), Failure> {
    if !applied.outputs.0.is_empty() {
        let list = output::list(&applied.outputs)?;
        context.screen.result(&format!("\nOutputs:\n\n{list}"));
    }
    Ok(())
}
