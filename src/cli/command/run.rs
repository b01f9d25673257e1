//! What `plan`, `apply` and `destroy` share: a session of the engine, its events on the screen,
//! and the wish to stop.

use super::interrupt::{self, Running};
use super::validate;
use crate::context::Context;
use crate::exit::{Code, Failure};
use crate::outside;
use crate::render::progress;
use crate::screen::Screen;
use crossbeam_channel::{Receiver, Sender};
use pravo_actors::plugins::{Bundled, ConfigPlaces, LaunchOptions, Options as Places};
use pravo_actors::{Applied, Class, Installer, Job, Loaded, Options, RunError, Session};
use pravo_plan::Plan;
use pravo_spec::Remembered;
use pravo_state::Event;
use pravo_store::State;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

/// What the infrastructure is to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// What the specification says.
    Specification,
    /// Nothing: everything is destroyed.
    Nothing,
}

impl Target {
    /// The command that does it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Specification => "apply",
            Self::Nothing => "destroy",
        }
    }
}

/// A running session of the engine.
pub(super) struct Run {
    session: Option<Arc<Session>>,
    screen: Option<JoinHandle<()>>,
    settle: Sender<Sender<bool>>,
}

impl Run {
    /// Evaluates the specification, opens the state and starts the engine.
    ///
    /// # Errors
    /// A wrong specification, a state that cannot be opened, a provider that is not there.
    pub(super) fn start(context: &Context, target: Target) -> Result<Self, Failure> {
        let mut specification = validate::load(context)?;
        let objects = Context::objects(specification.settings());
        let outside = context.outside();
        let started = std::time::Instant::now();
        let found = context.wait(State::open_read(objects.clone()))?;
        let records = context.wait(found.records())?;
        if found.meta().is_none() && target == Target::Specification {
            // A wrong specification makes no state.
            validate::check(specification.specification()?)?;
        }
        let state = context.wait(State::open_write(objects, outside.as_ref()))?;
        let loaded = Loaded {
            took: started.elapsed(),
            records,
        };
        let sources = sources(&specification, &loaded);
        let installer = installer(context, &specification)?;
        let (installed, plugins) = installer.installed(Path::new("."), sources)?;
        let (events, received) = crossbeam_channel::unbounded();
        let job = Job {
            specification: Box::new(specification),
            locker: context.locker(state),
            loaded,
            plugins: Arc::new(plugins),
            installed,
            outside,
            root: PathBuf::from("."),
            events,
            options: Options {
                parallelism: usize::try_from(context.global.parallelism).unwrap_or(usize::MAX),
                destroy: target == Target::Nothing,
                tags: context.global.tags.clone(),
                inject_vars: context.global.inject_vars,
                ..Options::default()
            },
        };
        let (screen, verbose) = (context.screen, context.global.verbose > 0);
        let running = Running::default();
        let calls = Arc::clone(&running);
        let (settle, asked) = crossbeam_channel::bounded(0);
        let printer = Printer {
            screen,
            verbose,
            calls,
            printed: false,
        };
        let printer = std::thread::Builder::new()
            .name("screen".to_owned())
            .spawn(move || printer.run(&received, &asked));
        let printer = printer.map_err(|error| format!("no thread for the screen: {error}"))?;
        let session = Arc::new(Session::start(job)?);
        interrupt::watch(screen, &session, running)?;
        Ok(Self {
            session: Some(session),
            screen: Some(printer),
            settle,
        })
    }

    fn session(&self) -> &Session {
        self.session
            .as_ref()
            .expect("the session is there until it is closed")
    }

    /// Makes a plan.
    ///
    /// # Errors
    /// What stands against it.
    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        Ok(self.session().plan()?)
    }

    /// Applies a plan that this run made.
    ///
    /// # Errors
    /// What stands against it before anything is changed.
    pub(super) fn apply(&self, plan: &Plan) -> Result<Applied, Failure> {
        Ok(self.session().apply(plan)?)
    }

    /// Waits until all progress so far is printed, and ends it with an empty line if there is any.
    pub(super) fn settle(&self, screen: Screen) {
        let (answer, answered) = crossbeam_channel::bounded(1);
        if self.settle.send(answer).is_ok() && answered.recv().unwrap_or(false) {
            screen.progress("");
        }
    }

    /// Ends the session with all its plugins, and prints the last of its progress.
    pub(super) fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        drop(self.session.take());
        if let Some(screen) = self.screen.take() {
            // A screen that panicked has nothing more to print.
            let _ = screen.join();
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.end();
    }
}

/// Keeps the list of calls that run.
fn follow(running: &Running, event: &Event) {
    let mut running = running.lock().unwrap_or_else(PoisonError::into_inner);
    match event {
        Event::Started { addr, .. } => {
            running.insert(addr.clone());
        }
        Event::Completed { addr, .. } | Event::Failed { addr, .. } => {
            running.remove(addr);
        }
        _ => {}
    }
}

/// Prints what happens, on a thread of its own.
struct Printer {
    screen: Screen,
    verbose: bool,
    calls: Running,
    /// Whether a line was printed since the last time somebody asked.
    printed: bool,
}

impl Printer {
    /// Prints events until the engine has ended. Whoever sends through `asked` hears, once all
    /// events so far are printed, whether there were lines.
    fn run(mut self, events: &Receiver<Event>, asked: &Receiver<Sender<bool>>) {
        loop {
            crossbeam_channel::select! {
                recv(events) -> event => match event {
                    Ok(event) => self.show(&event),
                    Err(_) => return,
                },
                recv(asked) -> answer => {
                    events.try_iter().for_each(|event| self.show(&event));
                    match answer {
                        // Whoever asked and went away needs no answer.
                        Ok(answer) => drop(answer.send(std::mem::take(&mut self.printed))),
                        Err(_) => return,
                    }
                }
            }
        }
    }

    fn show(&mut self, event: &Event) {
        follow(&self.calls, event);
        if self.verbose
            && let Some(line) = progress::verbose(event)
        {
            self.screen.note(&line);
        }
        match event {
            Event::Diagnosed { diagnostic, .. } => self.screen.tell(diagnostic),
            Event::StopRequested { running } => self.screen.note(&progress::stopping(*running)),
            _ => {}
        }
        if let Some(line) = progress::line(event) {
            self.screen.progress(&line);
            self.printed = true;
        }
    }
}

/// The sources whose plugins are asked for: declared ones must be there, recorded ones may be.
fn sources(specification: &Remembered, loaded: &Loaded) -> BTreeMap<String, bool> {
    let records = &loaded.records;
    let mut sources: BTreeMap<String, bool> = records
        .values()
        .map(|record| (record.value.provider.clone(), false))
        .collect();
    sources.extend(
        specification
            .providers()
            .iter()
            .map(|p| (p.source.clone(), true)),
    );
    sources
}

/// Where plugins come from and how they are started.
///
/// # Errors
/// A program that does not know its own file.
fn installer(context: &Context, specification: &Remembered) -> Result<Installer, Failure> {
    let versions = specification
        .providers()
        .iter()
        .filter_map(|provider| Some((provider.source.clone(), provider.version.clone()?)));
    places(context, versions.collect())
}

/// Where plugins come from, for providers with these constraints on their versions.
///
/// # Errors
/// A program that does not know its own file.
pub(super) fn places(
    context: &Context,
    constraints: BTreeMap<String, String>,
) -> Result<Installer, Failure> {
    let path = |name: &str| outside::variable(name).map(|path| context.start.join(path));
    let bundled = pravo_bundled::names().into_iter().filter_map(|name| {
        let version = pravo_bundled::version(name)?.to_owned();
        Some(Bundled {
            name: name.to_owned(),
            version,
        })
    });
    let options = Places {
        config: ConfigPlaces {
            named: path("TF_CLI_CONFIG_FILE"),
            home: path("HOME"),
            xdg_config: path("XDG_CONFIG_HOME"),
        },
        own_binary: outside::program()?,
        bundled: bundled.collect(),
        reattach: outside::variable("TF_REATTACH_PROVIDERS"),
    };
    let mut launch = LaunchOptions::new(".", outside::variables());
    launch.log = outside::variable("PRAVO_LOG").is_some();
    Ok(Installer {
        options,
        launch,
        constraints,
    })
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self {
            code: Code::of(error.class),
            errors: error.diagnostics,
        }
    }
}

impl Code {
    /// The code of a run that failed.
    pub(crate) fn of(class: Class) -> Self {
        match class {
            Class::Failed => Self::Error,
            Class::Stale => Self::Stale,
            Class::Locked => Self::Locked,
            Class::Specification => Self::Specification,
        }
    }
}
