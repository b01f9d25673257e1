//! `cue vet`.

use super::flags::{Flags, Word};
use super::plan::Plan;
use super::{Failed, World};
use pravo_load::Encoding;
use std::mem::ManuallyDrop;

const INCOMPLETE: &str = "some instances are incomplete; use the -c flag to show errors or \
    -c=false to allow incomplete instances\n";

/// Checks all instances, and goes on after one that fails.
pub(super) fn run(flags: &Flags, world: &mut World<'_>) -> Result<(), Failed> {
    // The process ends with the command: giving back every piece would only take time.
    let mut plan = ManuallyDrop::new(Plan::load(Word::Vet, flags, world, Encoding::Cue)?);
    if !plan.set.data.is_empty() {
        return documents(&mut plan, flags, world);
    }
    let packages = plan.build(flags, world)?;
    let (mut failed, mut told) = (false, false);
    for built in packages {
        let root = built.root;
        plan.ev.finalize(root);
        let concrete = flags.concrete.unwrap_or(true);
        let found = if concrete {
            plan.not_concrete(root)
        } else {
            plan.fatal(root)
        };
        let Some(e) = found else { continue };
        failed = true;
        if flags.concrete.is_some() {
            plan.tell_error(world, root, e, true);
        } else if let Some(e) = plan.fatal(root) {
            plan.tell_error(world, root, e, true);
        } else if !told {
            told = true;
            world.tell(INCOMPLETE);
        }
    }
    if failed { Err(Failed) } else { Ok(()) }
}

/// Data is always checked for being concrete; the first document that fails ends the run.
fn documents(plan: &mut Plan, flags: &Flags, world: &mut World<'_>) -> Result<(), Failed> {
    for item in plan.checked_documents(flags, world)? {
        if let Some(e) = plan.not_concrete(item.value) {
            plan.tell_error(world, item.value, e, true);
            return Err(Failed);
        }
    }
    Ok(())
}
