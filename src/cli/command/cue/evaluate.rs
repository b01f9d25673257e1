//! `cue eval`, `cue export` and `cue def`.

use super::encode::{Output, encode};
use super::flags::{Flags, Word};
use super::place::wrap;
use super::plan::{Item, Plan};
use super::{Failed, World};
use pravo_load::Encoding;
use std::mem::ManuallyDrop;

/// Prints the values of all instances.
pub(super) fn run(word: Word, flags: &Flags, world: &mut World<'_>) -> Result<(), Failed> {
    let default = if word == Word::Export {
        Encoding::Json
    } else {
        Encoding::Cue
    };
    let output = match Output::of(flags, default) {
        Ok(output) => output,
        Err(text) => {
            world.tell(&format!("{text}\n"));
            return Err(Failed);
        }
    };
    if let Some(file) = &output.file
        && !flags.force
        && world.dir.join(file).exists()
    {
        world.tell(&format!("error writing \"{file}\": file already exists\n"));
        return Err(Failed);
    }
    // The process ends with the command: giving back every piece would only take time.
    let mut plan = ManuallyDrop::new(Plan::load(word, flags, world, Encoding::Cue)?);
    if flags.schema.is_some() || (!flags.merge && !plan.set.data.is_empty()) {
        if plan.set.data.is_empty() {
            world.tell("-d/--schema flag requires non-CUE input files\n");
            return Err(Failed);
        }
        let items = plan.checked_documents(flags, world)?;
        let mut printer = Printer::new(word, flags, output, false);
        for item in items {
            printer.item(&mut plan, &item, world)?;
        }
        return printer.finish(world);
    }
    if plan.set.instances.is_empty() && plan.documents().is_empty() {
        return Ok(());
    }
    let packages = plan.build(flags, world)?;
    let several = packages.len() > 1;
    let mut printer = Printer::new(word, flags, output, several);
    for built in packages {
        let (items, done) = plan.items(&built, several && word == Word::Eval, world);
        for mut item in items {
            if word == Word::Export {
                wrap(&mut plan, &mut item, world)?;
            }
            printer.item(&mut plan, &item, world)?;
        }
        done?;
    }
    printer.finish(world)
}

struct Printer<'a> {
    word: Word,
    flags: &'a Flags,
    output: Output,
    /// There are several packages, so errors say which.
    several: bool,
    first: bool,
    failed: bool,
    /// What goes to a file at the end.
    kept: Vec<u8>,
}

impl<'a> Printer<'a> {
    fn new(word: Word, flags: &'a Flags, output: Output, several: bool) -> Printer<'a> {
        Printer {
            word,
            flags,
            output,
            several,
            first: true,
            failed: false,
            kept: Vec::new(),
        }
    }

    /// Prints one value, or why it cannot be printed.
    fn item(&mut self, plan: &mut Plan, item: &Item, world: &mut World<'_>) -> Result<(), Failed> {
        let is_cue = self.output.encoding == Encoding::Cue;
        let export = self.word != Word::Eval;
        if self.word == Word::Def
            && is_cue
            && let Some(e) = plan.fatal(item.value)
        {
            plan.tell_error(world, item.value, e, false);
            return Err(Failed);
        }
        if !export
            && !self.flags.ignore
            && let Some(e) = plan.broken(item.value)
        {
            plan.tell_error(world, item.value, e, false);
            return Err(Failed);
        }
        let concrete = self.word == Word::Export || !is_cue || self.flags.concrete == Some(true);
        if concrete
            && !(self.flags.ignore && !export && is_cue)
            && let Some(e) = plan.not_concrete(item.value)
        {
            self.header(item, world);
            plan.tell_error(world, item.value, e, !export);
            return self.fail(export);
        }
        match encode(plan, self.word, self.flags, item, self.output.encoding) {
            Ok(text) => {
                self.separate(item, world);
                self.write(&text, world);
                Ok(())
            }
            Err(reports) => {
                self.header(item, world);
                plan.tell(world, &reports, !export);
                self.fail(export)
            }
        }
    }

    /// `export` and `def` stop at an error, `eval` goes on.
    fn fail(&mut self, stop: bool) -> Result<(), Failed> {
        self.failed = true;
        if stop { Err(Failed) } else { Ok(()) }
    }

    fn header(&self, item: &Item, world: &mut World<'_>) {
        if self.several && self.word == Word::Eval {
            world.tell(&format!("// {}\n", item.import_path));
        }
    }

    fn separate(&mut self, item: &Item, world: &mut World<'_>) {
        let first = std::mem::replace(&mut self.first, false);
        let several = self.flags.expressions.len() > 1;
        let text = match (self.output.encoding, &item.expression) {
            (Encoding::Cue, Some(e)) if several && self.word == Word::Eval => {
                format!("// {}\n", e.rsplit('/').next().unwrap_or(e))
            }
            (Encoding::Cue, _) if !first => "// ---\n".to_owned(),
            (Encoding::Yaml, _) if !first => "---\n".to_owned(),
            _ => return,
        };
        self.write(text.as_bytes(), world);
    }

    fn write(&mut self, text: &[u8], world: &mut World<'_>) {
        if self.output.file.is_some() {
            self.kept.extend_from_slice(text);
        } else {
            world.print(text);
        }
    }

    fn finish(self, world: &mut World<'_>) -> Result<(), Failed> {
        if self.failed {
            return Err(Failed);
        }
        let Some(file) = &self.output.file else {
            return Ok(());
        };
        match std::fs::write(world.dir.join(file), &self.kept) {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                world.tell(&format!("open {file}: no such file or directory\n"));
                Err(Failed)
            }
            Err(e) => {
                world.tell(&format!("open {file}: {e}\n"));
                Err(Failed)
            }
        }
    }
}
