//! What every command starts from: its flags, its screen, its root.

use crate::args::{Global, When};
use crate::exit::Failure;
use crate::outside::{self, Machine};
use crate::render::paint::Paint;
use crate::screen::Screen;
use pravo_spec::{Cache, LoadOptions, Remembered, Settings, Specification, StateLocation};
use pravo_state::{Holder, Host, Outside, Time};
use pravo_store::{DirObjects, Locker, Objects, State, SystemProcesses};
use std::path::PathBuf;
use std::sync::Arc;

/// The context of one command.
pub(crate) struct Context {
    /// The flags of every command.
    pub(crate) global: Global,
    /// The command line, as it is recorded.
    pub(crate) recorded: String,
    /// Where it prints.
    pub(crate) screen: Screen,
    /// The directory the process was started in; the root is the current one.
    pub(crate) start: PathBuf,
    /// The absolute path of the root.
    pub(crate) root: PathBuf,
}

impl Context {
    /// Goes into the root and decides about colours.
    ///
    /// # Errors
    /// A root that is no directory.
    pub(crate) fn enter(global: Global, recorded: String) -> Result<Self, Failure> {
        let start = outside::current_dir()?;
        std::env::set_current_dir(&global.root)
            .map_err(|error| format!("cannot run in {}: {error}", global.root.display()))?;
        let colour = |terminal: bool| match global.color {
            _ if global.no_color => false,
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && outside::variable("NO_COLOR").is_none(),
        };
        let root = outside::current_dir()?;
        let screen = Screen {
            paint: Paint {
                on: colour(outside::stdout_is_terminal()),
            },
            error_paint: Paint {
                on: colour(outside::stderr_is_terminal()),
            },
            json: global.json,
            quiet: global.quiet,
        };
        Ok(Self {
            global,
            recorded,
            screen,
            start,
            root,
        })
    }

    /// The clock and randomness.
    pub(crate) fn outside(&self) -> Arc<dyn Outside> {
        Arc::new(Machine)
    }

    /// The present moment.
    pub(crate) fn now(&self) -> Time {
        Machine.now()
    }

    /// What to load, with the tags of the command line.
    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions {
            root: self.root.clone(),
            tags: self.global.tags.clone(),
            variables: self.global.inject_vars.then(outside::system_variables),
            modules: outside::module_cache_dir(),
        }
    }

    /// Loads and evaluates the specification in the root.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn load(&self) -> Result<Specification, Failure> {
        Ok(Specification::load(&self.load_options())?)
    }

    /// The specification in the root, evaluated only where nothing saved stands for it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn remembered(&self) -> Result<Remembered, Failure> {
        let cache = outside::cache_dir().zip(outside::stamp());
        let cache = cache.map(|(dir, stamp)| {
            let folder = self.start.join(dir).join("evaluations");
            Cache::new(folder, stamp)
        });
        Ok(Remembered::load(self.load_options(), cache)?)
    }

    /// The place where a specification with these settings keeps its state.
    pub(crate) fn objects(settings: &Settings) -> Arc<dyn Objects> {
        let StateLocation::Local(path) = &settings.state;
        let shown = if path.is_absolute() {
            path.display().to_string()
        } else {
            format!("./{}", path.display())
        };
        Arc::new(DirObjects::new(path.clone(), shown))
    }

    /// Opens the state of the root to read it; nothing is made.
    ///
    /// # Errors
    /// A specification or a state that cannot be read.
    pub(crate) fn read_state(&self) -> Result<State, Failure> {
        let objects = Self::objects(self.remembered()?.settings());
        self.wait(State::open_read(objects))
    }

    /// Runs work on the state to its end.
    ///
    /// # Errors
    /// What the work says.
    pub(crate) fn wait<T>(
        &self,
        work: impl Future<Output = Result<T, pravo_store::Error>>,
    ) -> Result<T, Failure> {
        let done = pravo_store::block_on(work).map_err(|error| format!("no runtime: {error}"))?;
        done.map_err(|error| Failure::new(error.to_string()))
    }

    /// Who runs this command, for locks and transactions.
    pub(crate) fn holder(&self) -> Holder {
        let label = |flag: &Option<String>, name| flag.clone().or_else(|| outside::variable(name));
        Holder {
            user: outside::user(),
            host: Host::default(),
            pid: std::process::id(),
            pid_start: None,
            command: self.recorded.clone(),
            actor: label(&self.global.actor, "PRAVO_ACTOR"),
            reason: label(&self.global.reason, "PRAVO_REASON"),
        }
    }

    /// The locks of this command on a state.
    pub(crate) fn locker(&self, state: State) -> Locker {
        Locker::new(
            state,
            Arc::new(SystemProcesses::new()),
            self.outside(),
            self.holder(),
        )
    }
}
