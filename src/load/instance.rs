//! Instances: what an argument stands for, with everything it imports.

pub(crate) mod embed;

use crate::args::{self, Argument};
use crate::data::{self, DataFile, Encoding};
use crate::directory::{Listing, excluded_by_name};
use crate::disk::{Disk, Kind};
use crate::file::{self, Source};
use crate::form::{self, Form};
use crate::module::{self, Module};
use crate::path;
use crate::problem::{Problem, Problems, fail};
use crate::tag::Tags;
use crate::{Request, import};
use pravo_cue::eval::Evaluator;
use std::collections::HashMap;
use std::rc::Rc;

/// A package, or a list of files.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    /// What hidden labels carry: import path with major version, `:name` outside a module, `_`
    /// without package.
    pub id: String,
    /// The import path as messages show it; empty outside a module and for files.
    pub import_path: String,
    /// The name of the package; empty if there is none.
    pub name: String,
    /// Whether the argument was a list of files.
    pub is_files: bool,
    pub(crate) files: Vec<Rc<Source>>,
    /// Import paths as written, and the packages they stand for.
    pub(crate) imports: Vec<(String, usize)>,
}

impl Instance {
    /// The files of the language in it, in order: absolute names.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|f| f.path.as_str())
    }
}

/// Everything that was read for some arguments.
#[derive(Debug)]
pub struct Set {
    /// The instances, in order of the arguments; files come last.
    pub instances: Vec<Instance>,
    /// Data files among the arguments, sorted by name.
    pub data: Vec<DataFile>,
    /// The module of the working directory.
    pub module: Option<Module>,
    pub(crate) disk: Disk,
    pub(crate) dir: String,
    pub(crate) packages: Vec<Instance>,
    pub(crate) known: HashMap<String, import::State>,
    /// The packages whose imports are being looked up, outermost first.
    pub(crate) importers: Vec<String>,
    pub(crate) listings: HashMap<String, Rc<Listing>>,
    pub(crate) sources: HashMap<String, Rc<Source>>,
    pub(crate) tags: Tags,
    pub(crate) built: HashMap<usize, pravo_cue::eval::package::PackageId>,
    pub(crate) inject:
        HashMap<String, Vec<(pravo_cue::syntax::tree::DeclId, pravo_cue::eval::value::Val)>>,
    /// What `@embed` brings in, by source file.
    pub(crate) embeds: HashMap<String, embed::Embeds>,
    /// The folder of modules that others depend on.
    pub(crate) modules: Option<String>,
    pub(crate) no_registry: bool,
    read: Vec<String>,
    /// Files of the language that were named one by one: absolute names.
    pub(crate) named: Vec<String>,
    stdin: Vec<u8>,
    /// Packages that are not taken from disk: import path and text.
    pub(crate) given: Vec<(&'static str, &'static str)>,
}

impl Set {
    pub(crate) fn new(request: &Request) -> Set {
        Set {
            instances: Vec::new(),
            data: Vec::new(),
            module: None,
            disk: Disk::default(),
            dir: path::clean(&request.dir.to_string_lossy()),
            packages: Vec::new(),
            known: HashMap::new(),
            importers: Vec::new(),
            listings: HashMap::new(),
            sources: HashMap::new(),
            tags: Tags::new(&request.tags, request.variables.as_deref()),
            built: HashMap::new(),
            inject: HashMap::new(),
            embeds: HashMap::new(),
            modules: (request.modules.as_ref()).map(|m| path::clean(&m.to_string_lossy())),
            no_registry: request.no_registry,
            read: Vec::new(),
            named: Vec::new(),
            stdin: request.stdin.clone(),
            given: Vec::new(),
        }
    }

    /// Every file that was read, in order of reading: absolute names.
    pub fn files(&self) -> &[String] {
        &self.read
    }

    pub(crate) fn fill(&mut self, ev: &mut Evaluator, request: &Request) -> Result<(), Problems> {
        let stdin = request.stdin_encoding.unwrap_or(Encoding::Cue);
        let here = vec![".".to_owned()];
        let args = if request.args.is_empty() {
            &here
        } else {
            &request.args
        };
        let args = args::classify(args, stdin)?;
        let dir = self.dir.clone();
        self.module = module::find(ev, &self.disk, &dir)?;
        let mut files = Vec::new();
        for arg in args {
            match arg {
                Argument::Package(pattern) => {
                    let instances = self.pattern(ev, &pattern)?;
                    self.instances.extend(instances);
                }
                Argument::File {
                    name,
                    encoding,
                    form,
                } => files.push((name, encoding, form)),
            }
        }
        if !files.is_empty() {
            let cue = files.iter().any(|(_, e, _)| *e == Encoding::Cue);
            if request.data_needs_schema && !cue && self.instances.is_empty() {
                for (name, ..) in &files {
                    self.check_file(&self.full_name(name))?;
                }
                return fail("data files specified without a schema");
            }
            let dir = self.dir.clone();
            self.refuse_module_folder(&dir)?;
            if self.instances.len() > 1 {
                let n = self.instances.len();
                return fail(format!(
                    "too many packages defined ({n}) in combination with files"
                ));
            }
            self.file_instance(ev, files)?;
        }
        self.find_embeds(ev);
        let mut problems = self.find_tags(ev);
        self.tags.check_used(&mut problems);
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }

    /// Reads bytes, and remembers that it did.
    pub(crate) fn read_bytes(&mut self, name: &str) -> Result<Vec<u8>, Problems> {
        if name == "-" {
            return Ok(self.stdin.clone());
        }
        match self.disk.bytes(name) {
            Ok(bytes) => {
                self.read.push(name.to_owned());
                Ok(bytes)
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                fail(format!("stat {name}: no such file or directory"))
            }
            Err(e) => fail(format!("open {name}: {}", system_text(&e))),
        }
    }

    /// A file of the language, read once.
    pub(crate) fn source(
        &mut self,
        ev: &mut Evaluator,
        name: &str,
    ) -> Result<Rc<Source>, Problems> {
        if let Some(known) = self.sources.get(name) {
            return Ok(known.clone());
        }
        let bytes = self.read_bytes(name)?;
        let options = match &self.module {
            Some(m) if path::below(&m.root, name).is_some() => m.options(),
            _ => module::newest(),
        };
        let mut source = file::parse(ev, name, file::decode_text(bytes), &options)?;
        if self.module.is_some() {
            // Inside a module the heads of files are read first.
            for e in &mut source.errors {
                let experiments = e.text.starts_with("parsing experiments");
                let named = self.named.iter().any(|n| n == name);
                if named && (experiments || e.text.starts_with("invalid import")) {
                    e.text = format!("cannot get syntax for \"{name}\": {}", e.text);
                }
            }
        }
        let source = Rc::new(source);
        self.sources.insert(name.to_owned(), source.clone());
        Ok(source)
    }

    fn full_name(&self, name: &str) -> String {
        match name {
            "-" => name.to_owned(),
            _ => path::join(&self.dir, name),
        }
    }

    /// The instance of files that were named one by one. Beside a single package they join it.
    fn file_instance(
        &mut self,
        ev: &mut Evaluator,
        files: Vec<(String, Encoding, Option<Form>)>,
    ) -> Result<(), Problems> {
        let mut names: Vec<(String, Encoding, Option<Form>)> = Vec::new();
        for (name, encoding, form) in files {
            let full = self.full_name(&name);
            if !names.iter().any(|(n, ..)| *n == full) {
                names.push((full, encoding, form));
            }
        }
        let (mut sources, mut excluded) = (Vec::new(), Vec::new());
        for (name, encoding, _) in &names {
            self.check_file(name)?;
            if *encoding == Encoding::Cue {
                self.named.push(name.clone());
                self.explicit_source(ev, name, &mut sources, &mut excluded)?;
            }
        }
        Set::file_errors(&sources)?;
        for source in &sources {
            let named = names.iter().find(|(name, ..)| *name == source.path);
            if let Some((.., Some(form))) = named {
                let problems = form::check(&source.tree, &ev.names, *form);
                if !problems.is_empty() {
                    return Err(problems);
                }
            }
        }
        self.check_one_package(&sources)?;
        for (name, encoding, _) in &names {
            if *encoding != Encoding::Cue {
                let bytes = self.read_bytes(name)?;
                let file = data::read(ev, name, *encoding, &bytes)?;
                self.data.push(file);
            }
        }
        self.data.sort_by(|a, b| a.path.cmp(&b.path));
        if sources.is_empty() && !excluded.is_empty() {
            return Err(vec![self.excluded_text(excluded, "command-line-arguments")]);
        }
        if sources.is_empty() {
            Ok(())
        } else {
            self.join_files(ev, sources)
        }
    }

    /// Files as an instance of their own, or as part of the only package.
    fn join_files(
        &mut self,
        ev: &mut Evaluator,
        mut sources: Vec<Rc<Source>>,
    ) -> Result<(), Problems> {
        let depth = |s: &Source| s.path.matches('/').count();
        sources.sort_by(|a, b| depth(a).cmp(&depth(b)).then_with(|| a.path.cmp(&b.path)));
        let name = sources
            .iter()
            .find_map(|s| s.package.clone())
            .unwrap_or_default();
        let id = if name.is_empty() {
            "_".to_owned()
        } else {
            format!(":{name}")
        };
        let mut instance = Instance {
            id,
            import_path: String::new(),
            name,
            is_files: true,
            files: sources,
            imports: Vec::new(),
        };
        self.resolve_imports(ev, &mut instance)?;
        match self.instances.first_mut() {
            None => self.instances.push(instance),
            Some(package) => {
                package.files.append(&mut instance.files);
                for import in instance.imports {
                    if !package.imports.contains(&import) {
                        package.imports.push(import);
                    }
                }
            }
        }
        Ok(())
    }

    /// Refuses a directory that belongs to the description of the module.
    pub(crate) fn refuse_module_folder(&self, dir: &str) -> Result<(), Problems> {
        let Some(rest) = (self.module.as_ref()).and_then(|m| path::below(&m.root, dir)) else {
            return Ok(());
        };
        match rest.strip_prefix("cue.mod") {
            Some("") => {}
            Some(sub) if sub.starts_with('/') => {
                if ["/gen", "/usr", "/pkg"].iter().any(|d| sub.starts_with(d)) {
                    return Ok(());
                }
            }
            _ => return Ok(()),
        }
        fail("cannot load packages inside the cue.mod directory")
    }

    fn check_file(&self, name: &str) -> Result<(), Problems> {
        if name == "-" {
            return Ok(());
        }
        match self.disk.kind(name) {
            Some(Kind::Folder) => fail(format!("read {name}: is a directory")),
            Some(Kind::File) => Ok(()),
            None => fail(format!("stat {name}: no such file or directory")),
        }
    }

    /// A file of the language that was named: conditions hold for it too.
    fn explicit_source(
        &mut self,
        ev: &mut Evaluator,
        name: &str,
        sources: &mut Vec<Rc<Source>>,
        excluded: &mut Vec<(String, String)>,
    ) -> Result<(), Problems> {
        let source = self.source(ev, name)?;
        if let Some(why) = excluded_by_name(name) {
            excluded.push((name.to_owned(), why.to_owned()));
            return Ok(());
        }
        match self.excluded_by_head(ev, &source, true)? {
            Some(why) => excluded.push((name.to_owned(), why)),
            None => sources.push(source),
        }
        Ok(())
    }

    /// Files named one by one must agree on their package.
    fn check_one_package(&self, sources: &[Rc<Source>]) -> Result<(), Problems> {
        let mut first: Option<(&str, &str)> = None;
        for s in sources {
            let Some(package) = &s.package else { continue };
            match first {
                None => first = Some((package, &s.path)),
                Some((name, file)) if name != package => {
                    return fail(format!(
                        "found packages \"{name}\" ({}) and \"{package}\" ({}) in \"{}\"",
                        path::base(file),
                        path::base(&s.path),
                        "."
                    ));
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Looks for `@tag` in the files of the instances themselves.
    fn find_tags(&mut self, ev: &mut Evaluator) -> Problems {
        let sources: Vec<Rc<Source>> = self
            .instances
            .iter()
            .flat_map(|i| i.files.iter().cloned())
            .collect();
        let mut problems = Vec::new();
        for source in sources {
            if !self.inject.contains_key(&source.path) {
                let values = self.tags.inject(ev, &source.tree, &mut problems);
                self.inject.insert(source.path.clone(), values);
            }
        }
        problems
    }

    /// Errors of the files of a package.
    pub(crate) fn file_errors(files: &[Rc<Source>]) -> Result<(), Problems> {
        let problems: Vec<Problem> = files.iter().flat_map(|f| f.errors.clone()).collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }
}

/// What the system says, as the reference implementation's language words it.
fn system_text(e: &std::io::Error) -> String {
    match e.kind() {
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        std::io::ErrorKind::IsADirectory => "is a directory".to_owned(),
        _ => e.to_string(),
    }
}
